//! What is known: outcomes by the digest of their question.

use crate::outcome::Outcome;
use crate::question::Key;
use std::collections::HashMap;

/// Outcomes by key (book 5.8.1). Some 40 bytes a test.
///
/// ```
/// use reduct_core::{Key, Memo, Outcome};
///
/// let memo = Memo::from_iter([(Key(7), Outcome::Fail)]);
/// assert_eq!((memo.get(Key(7)), memo.get(Key(8))), (Some(Outcome::Fail), None));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Memo {
    known: HashMap<Key, Remembered>,
}

#[derive(Clone, Copy, Debug)]
struct Remembered {
    outcome: Outcome,
    asked: bool,
    borrowed: bool,
}

impl Memo {
    /// Returns a memo that knows nothing.
    pub fn new() -> Memo {
        Memo::default()
    }

    /// Returns how many outcomes are known.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Returns whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Returns the outcome under this key, if it is known.
    pub fn get(&self, key: Key) -> Option<Outcome> {
        self.known.get(&key).map(|known| known.outcome)
    }

    /// Remembers an outcome. The first one stands: a search has acted on it.
    pub fn insert(&mut self, key: Key, outcome: Outcome) {
        self.known.entry(key).or_insert(Remembered { outcome, asked: false, borrowed: false });
    }

    /// Remembers an outcome that another run has learned, unless one is known.
    pub fn borrow(&mut self, key: Key, outcome: Outcome) {
        self.known.entry(key).or_insert(Remembered { outcome, asked: false, borrowed: true });
    }

    /// Returns whether the outcome under this key is one that another run has learned.
    pub fn is_borrowed(&self, key: Key) -> bool {
        self.known.get(&key).is_some_and(|known| known.borrowed)
    }

    /// Forgets an outcome, and of all others that they were asked.
    pub(crate) fn forget(&mut self, key: Key) {
        self.known.remove(&key);
        self.known.values_mut().for_each(|known| known.asked = false);
    }

    /// Notes that the search asked this, and says whether it had asked it before.
    pub(crate) fn ask_again(&mut self, key: Key) -> bool {
        self.known.get_mut(&key).is_some_and(|known| std::mem::replace(&mut known.asked, true))
    }
}

impl FromIterator<(Key, Outcome)> for Memo {
    fn from_iter<I: IntoIterator<Item = (Key, Outcome)>>(outcomes: I) -> Memo {
        let mut memo = Memo::new();
        outcomes.into_iter().for_each(|(key, outcome)| memo.insert(key, outcome));
        memo
    }
}
