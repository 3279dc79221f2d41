//! What a text has: lists, and numbers that may refer to parts of them.

use reduct_input::Item;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// A list whose parts may be referred to by their places.
pub(super) struct Listed<'a> {
    /// What its parts are.
    pub(super) name: &'a [u8],
    /// Within which addresses it may be referred to.
    pub(super) scope: Range<u32>,
    /// Its parts.
    pub(super) items: Vec<Item>,
    /// Where each of them starts.
    pub(super) starts: Arc<[u32]>,
}

/// A number that may refer to a part of a list.
pub(super) struct Number<'a> {
    pub(super) at: Range<u32>,
    pub(super) value: usize,
    /// Which label it has: what stands before all numbers like it.
    pub(super) label: usize,
    /// The words that may say to which list it refers, the nearest first.
    pub(super) says: [&'a [u8]; 2],
    /// What goes with the part to which it refers: which item of which list. Nothing if it can only be another number then.
    pub(super) with: Option<(usize, usize)>,
}

/// What a text has.
#[derive(Default)]
pub(super) struct Found<'a> {
    pub(super) lists: Vec<Listed<'a>>,
    pub(super) numbers: Vec<Number<'a>>,
    /// Lists of what goes with parts.
    pub(super) others: Vec<Other>,
    /// Which labels numbers have.
    labels: HashMap<Vec<u8>, usize>,
}

impl Found<'_> {
    /// Returns the number of a label.
    pub(super) fn label(&mut self, label: Vec<u8>) -> usize {
        let next = self.labels.len();
        *self.labels.entry(label).or_insert(next)
    }
}

/// A list of what goes with parts.
pub(super) struct Other {
    pub(super) items: Vec<Item>,
    /// Whether what it stands in is nothing without any of it.
    pub(super) is_needed: bool,
}

/// A number that refers to a list.
pub(super) struct Link {
    pub(super) number: usize,
    pub(super) list: usize,
}
