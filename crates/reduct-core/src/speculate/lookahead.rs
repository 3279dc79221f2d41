//! What a search asks after an outcome that is only expected, worked out apart from the speculator: on another thread, where that takes long.

use crate::outcome::Outcome;
use crate::question::{Key, Keyed, Question};
use crate::search::Search;

/// A search that is to be told an outcome, to see what it asks then.
#[derive(Debug)]
pub struct Lookahead<S> {
    pub(super) number: u64,
    pub(super) search: S,
    pub(super) outcome: Outcome,
}

/// What a search asks after an outcome.
#[derive(Debug)]
pub struct Foreseen<S: Search> {
    pub(super) number: u64,
    pub(super) search: S,
    pub(super) asked: Option<(S::Question, Key)>,
}

impl<S: Search> Lookahead<S> {
    /// Returns which one it is.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Works it out.
    pub fn work_out(self) -> Foreseen<S> {
        let Lookahead { number, mut search, outcome } = self;
        search.tell(outcome);
        let asked = asked(&search);
        Foreseen { number, search, asked }
    }
}

/// Returns what a search asks, with its key.
pub(super) fn asked<S: Search>(search: &S) -> Option<(S::Question, Key)> {
    let question = search.ask()?;
    let key = question.key();
    Some((question, key))
}

/// Returns the key of what is asked for the `n`-th time in a sequence that runs repeats again.
pub(super) fn nth_asking(key: Key, n: u64) -> Key {
    let mut keyed = Keyed::default();
    [(key.0 >> 64) as u64, key.0 as u64, n].into_iter().for_each(|part| keyed.add(part));
    keyed.finish()
}
