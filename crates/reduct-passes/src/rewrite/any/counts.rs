//! Removes parts of a list whose number stands near it, and changes the number.
//!
//! ## What it tries
//! Numbers that are how many parts of one kind a list has which stands beside them, or in what they belong to: a member of the same object, an attribute
//! of the element. If one of them is 3 and more, or the key says that it counts, and nearly all numbers with the same key are so, each part goes with what the number says less.
//!
//! ## When it helps
//! In data that say how many things there are, if whoever reads them counts: no part can go alone.
//!
//! ## Before
//! ```json
//! {"count": 3, "items": [{"a": 1}, {"b": 4}, {"c": 5}]}
//! ```
//! ## After
//! ```json
//! {"count": 2, "items": [{"a": 1}, {"c": 5}]}
//! ```

use super::references::{Counted, Place, Words, counts, numbered};
use crate::pass::{Needs, Pass, Proposals};
use reduct_input::Subject;
use std::collections::{BTreeSet, HashSet};

pub(crate) const PASS: Pass = Pass {
    needs: Needs::Grammar,
    ..Pass::rewriting("counts", "removes parts of a list and changes the number that counts them", 0.5, propose)
};

fn propose(subject: &Subject) -> Proposals {
    let words = Words::of(subject);
    let counted = counts(&words);
    // Many numbers may count the same parts.
    let mut lists = HashSet::new();
    let once = counted.iter().filter(|it| lists.insert(it.group_key()));
    let sets: BTreeSet<Vec<Place>> = once.flat_map(Counted::each).collect();
    numbered(&words, sets.into_iter().collect(), &counted).map(Into::into).into_iter().collect()
}
