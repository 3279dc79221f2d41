//! Removes parts of a list whose number, or the sum of theirs, stands near it, and changes that.
//!
//! ## What it tries
//! Numbers that are how many parts of one kind a list has which stands beside them, or in what they belong to: a member of the same object, an attribute
//! of the element. If one of them is 3 and more, or the key says that it counts, and nearly all numbers with the same key are so, each part goes with what the number says less.
//! So does a part with a number that is added up with those of the others, digits after a point included: `total`, where each part has an `amount`. Three parts and more have such numbers
//! in one of the lists, and there are four such sums or one of four characters; or two parts have them, and the key says so. What adds up sums changes, too, and what counts the parts of several lists together, if its key says that it counts. Where something is added up, parts in which others stand are tried before these.
//!
//! ## When it helps
//! In data that say how many things there are, or how much they are together, if whoever reads them counts: no part can go alone.
//!
//! ## Before
//! ```json
//! {"count": 3, "items": [{"a": 1.25}, {"a": 4}, {"a": 5}], "total": 10.25}
//! ```
//! ## After
//! ```json
//! {"count": 2, "items": [{"a": 1.25}, {"a": 5}], "total": 6.25}
//! ```

use super::references::{Counted, Place, Words, counted, numbered};
use crate::pass::{Needs, Pass, Proposals};
use reduct_input::Subject;
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashSet};
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    needs: Needs::Grammar,
    ..Pass::rewriting(
        "counts",
        "removes parts of a list and changes the number that counts them or adds them up",
        0.5,
        propose,
    )
};

fn propose(subject: &Subject) -> Proposals {
    let words = Words::of(subject);
    let counted = counted(&words);
    // Many numbers may count the same parts.
    let mut lists = HashSet::new();
    let once = counted.iter().filter(|it| lists.insert(it.parts.as_ptr()));
    let sets: BTreeSet<Vec<Place>> = once.flat_map(Counted::each).collect();
    // Where nothing is added up there is one level: one that asks in vain, and so waits, would have the next one wait as well.
    let adds_up = counted.iter().any(Counted::adds_up);
    let levels = if adds_up { by_depth(&words, sets) } else { vec![sets.into_iter().collect()] };
    levels.into_iter().filter_map(|sets| numbered(&words, sets, &counted)).map(Into::into).collect()
}

/// Parts that stand in more of such parts are tried together with those that stand in so many.
const DEEPEST: usize = 3;

/// Returns parts by how many of them are around each: with one that goes, all goes that stands in it.
fn by_depth(words: &Words, sets: BTreeSet<Vec<Place>>) -> Vec<Vec<Vec<Place>>> {
    let mut all: Vec<(Range<u32>, Vec<Place>)> = sets.into_iter().map(|set| (words.range(set[0]), set)).collect();
    all.sort_by_key(|(at, _)| (at.start, Reverse(at.end)));
    let mut levels: Vec<Vec<Vec<Place>>> = vec![];
    let mut around: Vec<u32> = vec![];
    for (at, set) in all {
        while around.pop_if(|end| *end <= at.start).is_some() {}
        let depth = around.len().min(DEEPEST);
        around.push(at.end);
        if levels.len() <= depth {
            levels.resize_with(depth + 1, Vec::new);
        }
        levels[depth].push(set);
    }
    levels
}
