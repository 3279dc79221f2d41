//! Findings compared again after they are reduced: one bug may show in several ways, as what is written over differs
//! from input to input.
//!
//! Two are the same if they look the same now and what is left of them is alike, by the rules of triage; or if what is
//! left of the one, less one byte, fails as the other does and one of them dies without a word. Nothing can go of what was
//! reduced without losing its own failure: what then shows the other one has only a little less of the same. Two that say
//! what went wrong (assertions, reports) may be two bugs, the one in what is left when the other one is gone.

use super::seen::FailureSeen;
use crate::triage::{Comparison, Failing, Grouping};
use reduct_oracle::signature::Signature;
use reduct_report::triage::Reason;
use std::collections::BTreeMap;

/// So many bytes, evenly spaced, are tried without.
const PROBES: usize = 12;

/// What is left of a finding, and how it fails.
#[derive(Clone, Debug)]
pub(super) struct Left {
    pub(super) failing: Failing,
    /// How it was told from others.
    pub(super) signature: Signature,
    /// How it fails with one byte less, if it does.
    pub(super) less: Vec<Signature>,
}

/// What is left of each finding, by its folder.
pub(super) type KnownFindings = BTreeMap<String, Left>;

/// Returns a text, with one byte less at several places.
pub(super) fn less_one(text: &[u8]) -> Vec<Vec<u8>> {
    let count = if text.len() < 2 { 0 } else { text.len().min(PROBES) };
    let without = |at: usize| [&text[..at], &text[at + 1..]].concat();
    let mut texts: Vec<_> = (0..count).map(|probe| without(probe * text.len() / count)).collect();
    texts.dedup();
    texts
}

/// Returns how failures look without the callers.
pub(super) fn looks(seen: Option<FailureSeen>) -> Option<Signature> {
    seen.map(|seen| seen.signature.without_callers())
}

/// Returns whether it says itself what went wrong: what two failures say themselves tells them apart.
fn speaks(signature: &Signature) -> bool {
    signature.report.is_some() || signature.text.is_some()
}

/// Returns why two findings are the same. `None` if they are not, as far as is known.
pub(super) fn same(one: &Left, other: &Left) -> Option<Reason> {
    let tell = speaks(&one.signature) && speaks(&other.signature);
    let shows = |a: &Left, b: &Left| !tell && a.less.contains(&b.signature.clone().without_callers());
    for (a, b) in [(one, other), (other, one)] {
        if shows(a, b) {
            return Some(Reason::LessOneByte(a.failing.name.clone(), b.failing.name.clone()));
        }
    }
    match Grouping::new(&[one.failing.clone(), other.failing.clone()]).compare(0, 1) {
        Comparison::Same(why) => Some(why),
        Comparison::Different(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_byte_is_left_out_of_a_short_text() {
        assert_eq!(less_one(b"abc"), [b"bc", b"ac", b"ab"]);
        assert_eq!(less_one(b"aaaa"), [b"aaa"]);
        assert!(less_one(b"a").is_empty() && less_one(b"").is_empty());
        let long: Vec<u8> = (0..=255).collect();
        assert_eq!(less_one(&long).len(), PROBES);
    }
}
