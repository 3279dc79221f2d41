//! Changes of a text, all of which are made at once.

use std::ops::Range;

/// Changes of a text.
#[derive(Default)]
pub(super) struct Edits(Vec<Edit>);

/// A change of the text: at one place, those of less rank come first.
struct Edit {
    at: Range<usize>,
    rank: i64,
    text: String,
}

impl Edits {
    /// Inserts a text. At one place, what ends something stands before what begins something, and the inner ends come first.
    pub(super) fn insert(&mut self, at: usize, is_start: bool, text: String) {
        let order = self.0.len() as i64 + 1;
        self.0.push(Edit { at: at..at, rank: if is_start { order } else { i64::MIN / 4 - order }, text });
    }

    /// Inserts a text before all others.
    pub(super) fn first(&mut self, at: usize, text: String) {
        self.0.push(Edit { at: at..at, rank: i64::MIN / 2, text });
    }

    /// Puts a text in the place of another one.
    pub(super) fn replace(&mut self, range: Range<usize>, text: String) {
        let rank = self.0.len() as i64 + 1;
        self.0.push(Edit { at: range, rank, text });
    }

    /// Returns the text with all of them.
    pub(super) fn applied(&mut self, text: &[u8]) -> Vec<u8> {
        self.0.sort_by_key(|edit| (edit.at.start, edit.rank));
        let (mut made, mut at) = (vec![], 0);
        for edit in &self.0 {
            made.extend_from_slice(&text[at.min(edit.at.start)..edit.at.start]);
            made.extend_from_slice(edit.text.as_bytes());
            at = edit.at.end.max(at);
        }
        made.extend_from_slice(&text[at..]);
        made
    }
}
