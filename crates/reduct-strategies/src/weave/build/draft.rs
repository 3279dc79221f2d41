//! What a weave is while it is made: files through all their versions, pieces without addresses, and the change that is
//! being added.

use reduct_core::Config;
use reduct_input::Content;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::PathBuf;

/// A file through all its versions.
#[derive(Debug, Default)]
pub(super) struct File {
    pub(super) variants: Vec<Variant>,
    pub(super) lines: Vec<Line>,
}

/// A name, kind and mode that a file had.
#[derive(Debug)]
pub(super) struct Variant {
    pub(super) path: PathBuf,
    pub(super) kind: EntryKind,
    pub(super) life: Life,
}

/// A variant, by the number of its file and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct VariantId {
    pub(super) file: usize,
    pub(super) variant: usize,
}

/// What an entry is, without its contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum EntryKind {
    File { mode: u32 },
    Link { target: PathBuf },
    Folder { mode: u32 },
}

impl EntryKind {
    pub(super) fn of(content: &Content) -> EntryKind {
        match content {
            Content::File { mode, .. } => EntryKind::File { mode: *mode },
            Content::Link { target } => EntryKind::Link { target: target.clone() },
            Content::Folder { mode } => EntryKind::Folder { mode: *mode },
        }
    }

    pub(super) fn is_file(&self) -> bool {
        matches!(self, EntryKind::File { .. })
    }
}

/// A line that a file has in some versions.
#[derive(Debug)]
pub(super) struct Line {
    /// Where its text stands among those of all lines.
    pub(super) text: Range<usize>,
    pub(super) life: Life,
}

/// What put something in, and what took it out: pieces, by their numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Life {
    /// `None` if it was there at first.
    pub(super) put_by: Option<u32>,
    pub(super) taken_by: Vec<u32>,
}

impl Life {
    /// Begins with this piece.
    pub(super) fn since(put_by: Option<u32>) -> Life {
        Life { put_by, taken_by: vec![] }
    }
}

/// A piece without its addresses.
#[derive(Debug, Default)]
pub(super) struct PieceDraft {
    pub(super) change: u32,
    pub(super) file: u32,
    pub(super) hunk: u32,
    pub(super) needs: BTreeSet<u32>,
}

/// The change that is being added.
pub(super) struct NewChange {
    pub(super) number: u32,
    /// What it builds on.
    pub(super) before: Config,
    /// Its first piece.
    pub(super) first: u32,
}

/// What is there: after these changes, and after all pieces from `first` on.
#[derive(Clone, Copy)]
pub(super) struct Version<'a> {
    pub(super) changes: &'a Config,
    pub(super) first: u32,
}

impl<'a> Version<'a> {
    /// Returns what is there after these changes.
    pub(super) fn after(changes: &'a Config) -> Version<'a> {
        Version { changes, first: u32::MAX }
    }
}

impl NewChange {
    /// Returns what is there after what was done of this step so far.
    pub(super) fn so_far(&self) -> Version<'_> {
        Version { changes: &self.before, first: self.first }
    }
}
