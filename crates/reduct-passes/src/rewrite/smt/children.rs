//! SMT-LIB: replaces all terms with the same head by their arguments at one position.
//!
//! ## What it tries
//! For each function that two terms or more call, and each position: in the place of each of these terms, its argument there, if
//! all of them have one of their own sort. Where a sort is not known, it may be any.
//!
//! ## When it helps
//! Where terms have to stay alike: on both sides of an equality, or in all steps of an unrolled system. One by one, none
//! can become simpler.
//!
//! ## Before
//! ```smt
//! (declare-fun f (Int) Int)
//! (assert (= (f (+ 1 x)) (f (+ 1 y))))
//! ```
//! ## After
//! ```smt
//! (declare-fun f (Int) Int)
//! (assert (= (f x) (f y)))
//! ```

use super::script::{Script, merged, scripts};
use super::sort::{TermSort, may_be_same, sorts};
use crate::pass::{Pass, Proposals};
use crate::rewrite::{largest_first, propose_in_order};
use reduct_input::{Edit, Splice, Subject};
use std::collections::BTreeMap;

pub(crate) const PASS: Pass = Pass::rewriting(
    "smt-children",
    "SMT-LIB: replaces all terms with the same head by their arguments at one position",
    0.2,
    propose,
);

/// How many positions are tried.
const POSITIONS: usize = 4;

/// What binds names, names something, or gives a sort: no argument stands for such a term.
const NO_CALLS: &[&[u8]] = &[b"let", b"forall", b"exists", b"lambda", b"match", b"_", b"as", b"!"];

fn propose(subject: &Subject) -> Proposals {
    let edits = scripts(subject).flat_map(|script| edits(&script));
    propose_in_order(subject, largest_first(edits.collect()))
}

fn edits(script: &Script) -> Vec<Edit> {
    let mut by_head: BTreeMap<&[u8], Vec<usize>> = BTreeMap::new();
    for at in (1..script.tree.len()).filter(|at| script.tree.kind(*at) == "term") {
        let head = script.members(at).first().map(|head| script.text(*head));
        if let Some(head) = head.filter(|head| !NO_CALLS.contains(head) && script.tree.field(at) != "head") {
            by_head.entry(head).or_default().push(at);
        }
    }
    let sorts = sorts(script);
    let calls = by_head.values().filter(|terms| terms.len() > 1);
    calls.flat_map(|terms| (1..=POSITIONS).filter_map(|position| replaced(script, &sorts, terms, position))).collect()
}

/// Returns the edit that puts the member at a position in the place of each of these terms.
fn replaced(script: &Script, sorts: &[Option<TermSort>], terms: &[usize], position: usize) -> Option<Edit> {
    let mut splices = vec![];
    for at in terms {
        let inner = *script.members(*at).get(position)?;
        if !may_be_same(script, sorts[*at], sorts[inner]) {
            return None;
        }
        let (outer, inner) = (script.tree.range(*at), script.tree.range(inner));
        let around = [outer.start..inner.start, inner.end..outer.end];
        splices.extend(around.map(|at| Splice { at, with: [].into() }));
    }
    merged(script, splices)
}
