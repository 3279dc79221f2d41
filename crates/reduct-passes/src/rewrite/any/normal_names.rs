//! Names all that is defined by its sort and the order of its appearance.
//!
//! ## What it tries
//! For each name that the text defines: `v0`, `v1` and so on for variables, `f0` for functions, `T0` for types. For
//! comparing results, not for making them smaller.
//!
//! ## When it helps
//! When two reductions may have found the same.
//!
//! ## Before
//! ```c
//! int x;
//! int main() { return x; }
//! ```
//! ## After
//! ```c
//! int v0;
//! int main() { return v0; }
//! ```

use super::rename::{renamable, renamed};
use crate::pass::{Pass, Proposals, Stage};
use crate::rewrite::propose_normal;
use reduct_input::Sort;
use reduct_input::Subject;
use reduct_input::names::words;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) const PASS: Pass = Pass {
    stage: Stage::Normalise,
    ..Pass::rewriting(
        "normal-names",
        "names all that is defined by its sort and the order of its appearance",
        0.9,
        propose,
    )
};

/// What must be called as it is.
const FIXED: &[&[u8]] = &[b"main", b"self", b"this", b"super"];

fn propose(subject: &Subject) -> Proposals {
    let names = subject.names();
    let mut sorts: BTreeMap<usize, Sort> = BTreeMap::new();
    for entity in names.entities() {
        sorts.entry(entity.name).or_insert(entity.sort);
    }
    let fixed = |name: &usize| FIXED.contains(&names.text(subject, *name));
    let changing: Vec<usize> = renamable(names).filter(|name| !fixed(name)).collect();
    let own: BTreeSet<&[u8]> = changing.iter().map(|name| names.text(subject, *name)).collect();
    let text = subject.artifact().bytes();
    let taken: BTreeSet<&[u8]> = words(text)
        .map(|word| &text[word.start as usize..word.end as usize])
        .filter(|word| !own.contains(word))
        .collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let edits = changing.iter().filter_map(|name| {
        let old = names.text(subject, *name);
        let letter = match sorts.get(name) {
            Some(Sort::Type) => "T",
            Some(Sort::Function) => "f",
            _ => "v",
        };
        let count = counts.entry(letter).or_default();
        let new = loop {
            let new = format!("{letter}{count}").into_bytes();
            *count += 1;
            if !taken.contains(new.as_slice()) {
                break new;
            }
        };
        renamed(names, *name, &new).filter(|_| new != old)
    });
    let edits: Vec<_> = edits.collect();
    propose_normal(edits)
}
