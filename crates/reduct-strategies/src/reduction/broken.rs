//! Candidates that follow their language less than what they are made of: *broken* ones.
//!
//! Hardly any test fails on a text that does not parse, and each token of a result makes such a candidate. So they are
//! asked about until it is clear that this test is none of the few: once so many were asked in vain and none has
//! failed, no more are. Nor are those that lack one more comma, or name, if no text without one has failed in several
//! places. What was not asked so since the last change is taken note of, for the claim.

use reduct_core::Key;
use std::collections::{BTreeMap, BTreeSet};

/// After so many in vain no more are asked about.
const ENOUGH: usize = 32;

/// After so many places in which the same text cannot be lacking, no more of these are asked about.
const ENOUGH_ALIKE: usize = 2;

/// A part of a text that a broken candidate lacks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lacking {
    /// What it is.
    pub(super) text: Key,
    /// What it is and what stands around it.
    pub(super) place: Key,
}

/// What is known of broken candidates.
#[derive(Clone, Debug, Default)]
pub(super) struct Broken {
    /// Those that were asked and did not fail.
    in_vain: BTreeSet<Key>,
    /// By what one lacks, the places where that was asked about in vain; `None` if one of these has failed.
    alike: BTreeMap<Key, Option<Vec<Key>>>,
    /// Whether one has failed.
    has_failed: bool,
    /// The passes of which some were not asked since the last change.
    left_out: BTreeSet<usize>,
}

impl Broken {
    /// Returns whether it still matters which candidates are broken.
    pub(super) fn matter(&self) -> bool {
        !self.has_failed
    }

    /// Returns whether none has failed, and enough were asked about.
    pub(super) fn are_hopeless(&self) -> bool {
        !self.has_failed && self.in_vain.len() >= ENOUGH
    }

    /// Returns whether none that lacks this text has failed, and enough of these were asked about.
    pub(super) fn are_hopeless_without(&self, lacking: Lacking) -> bool {
        let in_vain = self.alike.get(&lacking.text).and_then(Option::as_ref);
        in_vain.is_some_and(|places| places.len() >= ENOUGH_ALIKE)
    }

    /// Notes that one was asked about, and what it lacks if that is a single part.
    pub(super) fn told(&mut self, key: Key, lacking: Option<Lacking>, fails: bool) {
        if let Some(Lacking { text, place }) = lacking {
            match self.alike.entry(text).or_insert_with(|| Some(vec![])) {
                known if fails => *known = None,
                Some(places) if !places.contains(&place) => places.push(place),
                _ => {}
            }
        }
        self.has_failed |= fails;
        if !fails && self.in_vain.len() < ENOUGH {
            self.in_vain.insert(key);
        }
    }

    /// Notes that what fails and is gone on from does not parse itself.
    pub(super) fn failed(&mut self) {
        self.has_failed = true;
    }

    /// Notes that one of a pass was not asked about.
    pub(super) fn leave_out(&mut self, pass: usize) {
        self.left_out.insert(pass);
    }

    /// Notes that what is left has changed: of that everything is to be asked about.
    pub(super) fn changed(&mut self) {
        self.left_out.clear();
    }

    /// Returns whether some of a pass were not asked about what is left now.
    pub(super) fn are_left_out_of(&self, pass: usize) -> bool {
        self.left_out.contains(&pass)
    }

    /// Takes over what was learned from tests by another one, whose result is not gone on from.
    pub(super) fn learn_from(&mut self, other: &Broken) {
        self.has_failed |= other.has_failed;
        self.in_vain.clone_from(&other.in_vain);
        self.alike.clone_from(&other.alike);
    }
}

#[cfg(test)]
mod tests {
    use super::{Broken, Lacking};
    use reduct_core::Key;

    #[test]
    fn a_text_is_hopeless_once_it_cannot_be_lacking_in_two_places() {
        let lacking = |text, place| Lacking { text: Key(text), place: Key(place) };
        let mut broken = Broken::default();
        let mut told = |candidate, text, place, fails| {
            broken.told(Key(candidate), Some(lacking(text, place)), fails);
            broken.are_hopeless_without(lacking(text, 0))
        };
        assert!(!told(1, 7, 1, false));
        assert!(!told(2, 7, 1, false), "the same place in another text");
        assert!(!told(3, 8, 2, false), "another text");
        assert!(told(4, 7, 2, false));
        assert!(!told(5, 8, 3, true));
        assert!(!told(6, 8, 4, false) && !told(7, 8, 5, false), "one without it has failed");
    }
}
