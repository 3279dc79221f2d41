//! The grain of a weave: the pieces into which texts are taken apart.

use reduct_input::align::{self, Hunk};
use reduct_input::is_binary;

/// Into what pieces texts are taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grain {
    /// Lines.
    Lines,
    /// Words, numbers, runs of blanks, and single other characters.
    Words,
    /// Characters; of what is not UTF-8, bytes.
    Chars,
}

impl Grain {
    /// Takes a text apart.
    pub(super) fn cut(self, text: &[u8]) -> Vec<&[u8]> {
        match self {
            // What is no text has no lines.
            Grain::Lines if is_binary(text) => vec![text],
            Grain::Lines => align::lines(text),
            Grain::Words => align::words(text),
            Grain::Chars => align::chars(text),
        }
    }

    /// Returns where two texts that were taken apart differ.
    pub(super) fn hunks(self, old: &[&[u8]], new: &[&[u8]]) -> Vec<Hunk> {
        match self {
            Grain::Lines => align::hunks_of_lines(old, new),
            Grain::Words | Grain::Chars => align::hunks_of_words(old, new),
        }
    }
}
