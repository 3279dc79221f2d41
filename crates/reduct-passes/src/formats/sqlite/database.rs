//! What a database of SQLite is taken for.

use std::ops::Range;

/// With what a file begins.
pub(super) const MAGIC: &[u8] = b"SQLite format 3\0";

/// How long the head of a file is.
pub(super) const HEAD: usize = 100;

/// A database, as far as it is read.
#[derive(Debug)]
pub(super) struct Database {
    pub(super) head: Vec<u8>,
    /// The size of its pages, and how many bytes of each are not used.
    pub(super) page: usize,
    pub(super) reserved: usize,
    pub(super) objects: Vec<Object>,
}

/// What the schema describes.
#[derive(Debug)]
pub(super) struct Object {
    /// Its row in the schema.
    pub(super) entry: Entry,
    pub(super) sort: Sort,
    /// The table that it is about.
    pub(super) table: Vec<u8>,
    pub(super) tree: Option<Tree>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Table,
    Index,
    /// An index that its table needs.
    Automatic,
    View,
    Other,
}

#[derive(Debug)]
pub(super) struct Tree {
    /// Whether its entries are keys, as those of indexes, and not rows with numbers.
    pub(super) is_keys: bool,
    pub(super) entries: Vec<Entry>,
}

#[derive(Debug)]
pub(super) struct Entry {
    /// Where the greatest part of it stands.
    pub(super) at: Range<u32>,
    /// The number of its row; in an index, that of the row which it names.
    pub(super) rowid: i64,
    pub(super) payload: Vec<u8>,
}

/// How much of a record stands in a tree itself.
pub(super) struct Payload {
    pub(super) usable: usize,
    pub(super) most: usize,
    pub(super) least: usize,
}

impl Payload {
    pub(super) fn new(usable: usize, is_keys: bool) -> Payload {
        let share = |of: usize| (usable - 12) * of / 255 - 23;
        Payload { usable, most: if is_keys { share(64) } else { usable - 35 }, least: share(32) }
    }

    pub(super) fn local(&self, length: usize) -> usize {
        let last = self.least + (length.saturating_sub(self.least)) % (self.usable - 4);
        match () {
            () if length <= self.most => length,
            () if last <= self.most => last,
            () => self.least,
        }
    }
}

impl Sort {
    /// Returns whether it names rows of a table.
    pub(super) fn is_index(self) -> bool {
        matches!(self, Sort::Index | Sort::Automatic)
    }
}
