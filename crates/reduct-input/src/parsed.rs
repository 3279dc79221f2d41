//! A text and its trees, however they are kept.

use crate::tree::Tree;
use std::ops::Range;

/// A text whose files are read by the grammars of their languages. Positions in the trees are addresses in the text.
pub trait Parsed {
    /// Returns all of the text.
    fn bytes(&self) -> &[u8];

    /// Returns the trees of the files whose language is known, in their order.
    fn trees(&self) -> &[Tree];

    /// Returns the bytes at these addresses.
    fn text(&self, addresses: Range<u32>) -> &[u8] {
        &self.bytes()[addresses.start as usize..addresses.end as usize]
    }
}
