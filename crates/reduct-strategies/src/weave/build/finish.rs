//! The end of the making: all lines and entries get their addresses.

use super::WeaveBuilder;
use super::draft::{EntryKind, File, PieceDraft, Variant};
use crate::weave::{Piece, Present, Weave, set};
use reduct_core::Delta;
use reduct_input::patch::Objects;
use reduct_input::{Artifact, Entry, TooLarge, What};
use std::ops::Range;

/// What has got its addresses so far.
struct Layout {
    pieces: Vec<Piece>,
    bytes: Vec<u8>,
    /// The addresses of each file's lines.
    files: Vec<Range<u32>>,
    entries: Vec<Entry>,
    /// An entry of each file, the first by name.
    entry_of: Vec<Option<u32>>,
    /// The addresses of what was there at first.
    root_bytes: Vec<Range<u32>>,
    root_entries: Vec<Range<u32>>,
}

impl WeaveBuilder {
    /// Returns the weave of all changes.
    ///
    /// # Errors
    /// If all versions together have more than 4 GiB.
    pub fn finish(self) -> Result<Weave, TooLarge> {
        u32::try_from(self.text.len()).map_err(|_| TooLarge)?;
        let mut layout = Layout {
            pieces: self.pieces.iter().map(unplaced).collect(),
            bytes: Vec::with_capacity(self.text.len()),
            files: vec![],
            entries: vec![],
            entry_of: vec![None; self.files.len()],
            root_bytes: vec![],
            root_entries: vec![],
        };
        for file in &self.files {
            layout.add_lines(file, &self.text);
        }
        for (variant, file) in by_path(&self.files) {
            layout.add_entry(variant, file);
        }
        let root = Present { entries: set(layout.root_entries), bytes: set(layout.root_bytes) };
        Ok(Weave {
            base: Artifact::of_variants(layout.entries, layout.bytes).into(),
            root,
            deltas: layout.pieces,
            changes: self.changes,
            files: layout.files,
            entry_of: layout.entry_of,
            objects: Objects::default(),
        })
    }
}

impl Layout {
    /// Adds the lines of the next file.
    fn add_lines(&mut self, file: &File, text: &[u8]) {
        let start = self.bytes.len() as u32;
        for line in &file.lines {
            let from = self.bytes.len() as u32;
            self.bytes.extend_from_slice(&text[line.text.clone()]);
            let range = from..self.bytes.len() as u32;
            for piece in &line.life.taken_by {
                self.pieces[*piece as usize].takes.push(range.clone());
            }
            match line.life.put_by {
                Some(piece) => self.pieces[piece as usize].puts.push(range),
                None => self.root_bytes.push(range),
            }
        }
        self.files.push(start..self.bytes.len() as u32);
    }

    /// Adds the next entry by its path, once all lines are there.
    fn add_entry(&mut self, variant: &Variant, file: usize) {
        let at = self.entries.len() as u32;
        self.entry_of[file].get_or_insert(at);
        let what = match &variant.kind {
            EntryKind::File { mode } => What::File { mode: *mode, bytes: self.files[file].clone() },
            EntryKind::Link { target } => What::Link { target: target.clone() },
            EntryKind::Folder { mode } => What::Folder { mode: *mode },
        };
        for piece in &variant.life.taken_by {
            self.pieces[*piece as usize].entries_taken.push(at);
        }
        match variant.life.put_by {
            Some(piece) => self.pieces[piece as usize].entry_put = Some(at),
            None => self.root_entries.push(at..at + 1),
        }
        self.entries.push(Entry { path: variant.path.clone(), what });
    }
}

/// Returns a piece of which no address is known yet.
fn unplaced(draft: &PieceDraft) -> Piece {
    Piece {
        change: draft.change,
        file: draft.file,
        hunk: draft.hunk,
        puts: vec![],
        takes: vec![],
        entry_put: None,
        entries_taken: vec![],
        needs: draft.needs.iter().map(|need| Delta(*need)).collect(),
    }
}

/// Returns all variants in the order of their paths, each with the number of its file.
fn by_path(files: &[File]) -> Vec<(&Variant, usize)> {
    let files = files.iter().enumerate();
    let variants = files.flat_map(|(at, file)| file.variants.iter().map(move |variant| (variant, at)));
    let mut variants: Vec<(&Variant, usize)> = variants.collect();
    variants.sort_by(|(one, _), (other, _)| one.path.cmp(&other.path));
    variants
}
