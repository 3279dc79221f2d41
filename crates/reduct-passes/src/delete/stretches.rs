//! The parts of `tree`, but of SMT-LIB those in assertions alone, for a search that leaves out stretches of them, whatever is in them and however deep. It has no
//! name for `--by`: it finds what can go, and `nodes` and `brackets` prove that nothing more can.

use super::followers::{self, Assertions, followers};
use super::tree;
use crate::pass::{Needs, Pass, Proposals, Stage};
use reduct_input::Subject;

pub(crate) const PASS: Pass = Pass {
    stage: Stage::Stretches,
    must_parse: true,
    needs: Needs::Text,
    least_bytes: WORTH_IT,
    ..Pass::deleting("stretches", "tree nodes", "stretches of nodes and bracket items, by halves", propose)
};

/// Shorter inputs are soon gone through by a search of the tree.
const WORTH_IT: usize = 2 << 10;

fn propose(subject: &Subject) -> Proposals {
    let (mut items, followers) = followers(subject, tree::items(subject));
    if let Some(assertions) = Assertions::of(subject) {
        items.retain(|item| assertions.has_within(item));
    }
    followers::tree(items, followers).into_iter().collect()
}
