//! The parts of `tree`, for a search that leaves out stretches of them, whatever is in them and however deep. It has no
//! name for `--by`: it finds what can go, and `nodes` and `brackets` prove that nothing more can.

use super::tree;
use crate::pass::{Needs, Pass, Proposals, Stage};
use reduct_input::Subject;

pub(crate) const PASS: Pass = Pass {
    stage: Stage::Stretches,
    must_parse: true,
    needs: Needs::Text,
    ..Pass::deleting("stretches", "tree nodes", "stretches of nodes and bracket items, by halves", propose)
};

/// Shorter inputs are soon gone through by a search of the tree.
const WORTH_IT: usize = 2 << 10;

fn propose(subject: &Subject) -> Proposals {
    let is_short = subject.artifact().bytes().len() < WORTH_IT;
    if is_short { vec![] } else { (tree::PASS.propose)(subject) }
}
