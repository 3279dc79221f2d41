//! Making a weave: change by change, each compared with what those before it together make.

mod draft;
mod find;
mod finish;
mod lines;
mod merge;

use super::{Grain, Made, Weave};
use draft::{EntryKind, File, Life, NewChange, PieceDraft, Variant, VariantId, Version};
use reduct_core::{Config, Delta};
use reduct_input::{About, Change, Content, Touched};
use reduct_input::{Artifact, Entry, TooLarge, What};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Makes a [`Weave`] of changes.
#[derive(Debug)]
pub struct WeaveBuilder {
    grain: Grain,
    /// The texts of all lines.
    text: Vec<u8>,
    files: Vec<File>,
    /// The files that ever stood at a path.
    files_at: BTreeMap<PathBuf, Vec<usize>>,
    pieces: Vec<PieceDraft>,
    changes: Vec<Made>,
    /// The files that each change touches.
    touched: Vec<BTreeSet<usize>>,
    hunks: u32,
}

impl WeaveBuilder {
    /// Begins a weave of files that are at first what `root` says.
    pub fn new(root: Vec<(PathBuf, Content)>, grain: Grain) -> WeaveBuilder {
        let mut builder = WeaveBuilder {
            grain,
            text: vec![],
            files: vec![],
            files_at: BTreeMap::new(),
            pieces: vec![],
            changes: vec![],
            touched: vec![],
            hunks: 0,
        };
        for (path, content) in root {
            let file = builder.new_file();
            builder.new_variant(file, path, EntryKind::of(&content));
            if let Content::File { bytes, .. } = &content {
                let lines = grain.cut(bytes).into_iter().map(|line| builder.new_line(line, None)).collect();
                builder.files[file].lines = lines;
            }
        }
        builder
    }

    /// Returns the difference of two artifacts as one change.
    ///
    /// # Errors
    /// If they are too large together.
    pub fn between(old: &Artifact, new: &Artifact, grain: Grain) -> Result<Weave, TooLarge> {
        let root = contents(old);
        let news = contents(new);
        let is_gone = |path: &&PathBuf| news.binary_search_by(|(other, _)| other.cmp(path)).is_err();
        let gone: Vec<PathBuf> = root.iter().map(|(path, _)| path).filter(is_gone).cloned().collect();
        let touched = gone.into_iter().map(|path| (path, None));
        let touched = touched.chain(news.into_iter().map(|(path, content)| (path, Some(content))));
        let touched = touched.map(|(path, becomes)| Touched { path, from: None, becomes }).collect();
        let mut builder = WeaveBuilder::new(root, grain);
        builder.add(Change { about: About::default(), parents: vec![], touched });
        builder.finish()
    }

    /// Adds a change, after all that it builds on.
    ///
    /// # Panics
    /// If a parent was not added yet.
    pub fn add(&mut self, change: Change) {
        let before = change.parents.iter().fold(Config::empty(), |all, p| all.union(&self.changes[*p].upto));
        let step = NewChange { number: self.changes.len() as u32, before, first: self.pieces.len() as u32 };
        self.touched.push(BTreeSet::new());
        let listed: BTreeSet<PathBuf> = change.touched.iter().map(|touched| touched.path.clone()).collect();
        self.change_all(&step, change.touched);
        if change.parents.len() > 1 {
            self.keep_as_in_parents(&step, &change.parents, &listed);
        }
        let upto = step.before.union(&Config::from_deltas([Delta(step.number)]));
        self.changes.push(Made { about: change.about, pieces: step.first..self.pieces.len() as u32, upto });
    }

    /// Makes of all paths what a change says of them.
    fn change_all(&mut self, step: &NewChange, all: Vec<Touched>) {
        // All found before anything changes: two files may change places.
        let version = Version::after(&step.before);
        let found = |t: &Touched| self.find(t.from.as_deref().unwrap_or(&t.path), version);
        let were: Vec<Option<VariantId>> = all.iter().map(found).collect();
        let renamed: BTreeSet<PathBuf> = all.iter().filter_map(|touched| touched.from.clone()).collect();
        for (touched, was) in all.into_iter().zip(were) {
            // It goes with the file that gets another name.
            if touched.becomes.is_none() && renamed.contains(&touched.path) {
                continue;
            }
            self.change(step, was, &touched.path, touched.becomes);
        }
    }

    /// Makes of a variant what a change says of a path.
    fn change(&mut self, step: &NewChange, was: Option<VariantId>, path: &Path, becomes: Option<Content>) {
        // There may be another file of that name, of a branch, or one that goes elsewhere: it goes.
        let there = self.find_all(path, step.so_far());
        let mut taken: Vec<VariantId> = there.iter().copied().filter(|other| Some(*other) != was).collect();
        let Some(content) = becomes else {
            taken.extend(was.filter(|was| there.contains(was)));
            self.entry_piece(step, None, &taken);
            return;
        };
        let kind = EntryKind::of(&content);
        // A file that becomes a link is another one.
        let goes_on = was.filter(|was| self.variant(*was).kind.is_file() == kind.is_file());
        let file = goes_on.map_or_else(|| self.new_file(), |goes_on| goes_on.file);
        let stays = goes_on.map(|goes_on| self.variant(goes_on));
        let entry = if stays.is_some_and(|variant| variant.path == path && variant.kind == kind) {
            self.entry_piece(step, None, &taken);
            None
        } else {
            taken.extend(was);
            let put = self.new_variant(file, path.to_owned(), kind);
            self.entry_piece(step, Some(put), &taken)
        };
        if let Content::File { bytes, .. } = content {
            self.change_lines(step, file, &bytes, entry.filter(|_| goes_on.is_none()));
        }
    }

    /// Adds a piece that puts in an entry and takes out others, unless there are none.
    fn entry_piece(&mut self, step: &NewChange, put: Option<VariantId>, taken: &[VariantId]) -> Option<u32> {
        let first = put.or(taken.first().copied())?;
        let piece = self.new_piece(step.number, first.file, true);
        if let Some(put) = put {
            self.life_mut(put).put_by = Some(piece);
        }
        for id in taken {
            let life = self.life_mut(*id);
            life.taken_by.push(piece);
            let put_by = life.put_by;
            self.pieces[piece as usize].needs.extend(put_by);
            self.touched[step.number as usize].insert(id.file);
        }
        Some(piece)
    }

    fn variant(&self, id: VariantId) -> &Variant {
        &self.files[id.file].variants[id.variant]
    }

    fn life_mut(&mut self, id: VariantId) -> &mut Life {
        &mut self.files[id.file].variants[id.variant].life
    }

    fn new_file(&mut self) -> usize {
        self.files.push(File::default());
        self.files.len() - 1
    }

    /// Adds a variant that is there at first, as long as no piece puts it in.
    fn new_variant(&mut self, file: usize, path: PathBuf, kind: EntryKind) -> VariantId {
        let known = self.files_at.entry(path.clone()).or_default();
        if !known.contains(&file) {
            known.push(file);
        }
        let variants = &mut self.files[file].variants;
        variants.push(Variant { path, kind, life: Life::default() });
        VariantId { file, variant: variants.len() - 1 }
    }

    fn new_piece(&mut self, change: u32, file: usize, new_hunk: bool) -> u32 {
        self.hunks += u32::from(new_hunk);
        self.touched[change as usize].insert(file);
        self.pieces.push(PieceDraft { change, file: file as u32, hunk: self.hunks, needs: BTreeSet::new() });
        self.pieces.len() as u32 - 1
    }
}

/// Returns the entries of an artifact with their contents, sorted.
fn contents(artifact: &Artifact) -> Vec<(PathBuf, Content)> {
    let content = |entry: &Entry| match &entry.what {
        What::File { mode, bytes } => Content::File { mode: *mode, bytes: artifact.slice(bytes.clone()).to_vec() },
        What::Link { target } => Content::Link { target: target.clone() },
        What::Folder { mode } | What::Archive { mode, .. } => Content::Folder { mode: *mode },
    };
    let mut all: Vec<_> = artifact.entries().iter().map(|entry| (entry.path.clone(), content(entry))).collect();
    all.sort_by(|one, other| one.0.cmp(&other.0));
    all
}
