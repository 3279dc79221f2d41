//! Making a weave: change by change, each compared with what those before it together make.

use super::{Made, Piece, Present, Weave, set};
use reduct_core::{Config, Delta};
use reduct_input::align;
use reduct_input::align::Hunk;
use reduct_input::is_binary;
use reduct_input::patch::Objects;
use reduct_input::{About, Change, Content, Touched};
use reduct_input::{Artifact, Entry, TooLarge, What};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

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
    fn cut(self, text: &[u8]) -> Vec<&[u8]> {
        match self {
            // What is no text has no lines.
            Grain::Lines if is_binary(text) => vec![text],
            Grain::Lines => align::lines(text),
            Grain::Words => align::words(text),
            Grain::Chars => align::chars(text),
        }
    }

    fn hunks(self, old: &[&[u8]], new: &[&[u8]]) -> Vec<Hunk> {
        match self {
            Grain::Lines => align::hunks_of_lines(old, new),
            Grain::Words | Grain::Chars => align::hunks_of_words(old, new),
        }
    }
}

/// What put something in: a piece, by its number.
type By = Option<u32>;

/// A file, and which of its variants.
type Place = (usize, usize);

/// No piece has this number.
const NONE: u32 = u32::MAX;

/// Where a builder is.
struct Step {
    /// The number of the change that is being added.
    number: u32,
    /// What it builds on.
    before: Config,
    /// Its first piece.
    first: u32,
}

/// Makes a [`Weave`] of changes.
#[derive(Debug)]
pub struct WeaveBuilder {
    grain: Grain,
    /// The texts of all lines.
    text: Vec<u8>,
    files: Vec<File>,
    /// The files that ever stood at a path.
    at: BTreeMap<PathBuf, Vec<usize>>,
    pieces: Vec<Draft>,
    changes: Vec<Made>,
    /// The files that each change touches.
    touched: Vec<BTreeSet<usize>>,
    hunks: u32,
}

/// A file through all its versions.
#[derive(Debug, Default)]
struct File {
    variants: Vec<Variant>,
    lines: Vec<Line>,
}

/// A name, kind and mode that a file had.
#[derive(Debug)]
struct Variant {
    path: PathBuf,
    kind: Kind,
    life: Life,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    File(u32),
    Link(PathBuf),
    Folder(u32),
}

impl Kind {
    fn of(content: &Content) -> Kind {
        match content {
            Content::File { mode, .. } => Kind::File(*mode),
            Content::Link { target } => Kind::Link(target.clone()),
            Content::Folder { mode } => Kind::Folder(*mode),
        }
    }

    fn is_file(&self) -> bool {
        matches!(self, Kind::File(_))
    }
}

#[derive(Debug)]
struct Line {
    text: Range<usize>,
    life: Life,
}

/// What put something in, and what took it out.
#[derive(Clone, Debug, Default)]
struct Life {
    by: By,
    gone: Vec<u32>,
}

/// A piece without its addresses.
#[derive(Debug, Default)]
struct Draft {
    change: u32,
    file: u32,
    hunk: u32,
    needs: BTreeSet<u32>,
}

impl WeaveBuilder {
    /// A weave of files that are at first what `root` says.
    pub fn new(root: Vec<(PathBuf, Content)>, grain: Grain) -> WeaveBuilder {
        let mut builder = WeaveBuilder {
            grain,
            text: vec![],
            files: vec![],
            at: BTreeMap::new(),
            pieces: vec![],
            changes: vec![],
            touched: vec![],
            hunks: 0,
        };
        for (path, content) in root {
            let file = builder.new_file();
            builder.add_variant(file, path, Kind::of(&content), None);
            if let Content::File { bytes, .. } = &content {
                let lines = grain.cut(bytes).into_iter().map(|line| builder.keep(line, None)).collect();
                builder.files[file].lines = lines;
            }
        }
        builder
    }

    /// The difference of two artifacts as one change.
    ///
    /// # Errors
    /// If they are too large together.
    pub fn between(old: &Artifact, new: &Artifact, grain: Grain) -> Result<Weave, TooLarge> {
        let (root, news) = (contents(old), contents(new));
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
        let step = Step { number: self.changes.len() as u32, before, first: self.pieces.len() as u32 };
        self.touched.push(BTreeSet::new());
        let listed: BTreeSet<PathBuf> = change.touched.iter().map(|touched| touched.path.clone()).collect();
        // All found before anything changes: two files may change places.
        let found = |t: &Touched| self.find(t.from.as_deref().unwrap_or(&t.path), &step.before);
        let was: Vec<Option<Place>> = change.touched.iter().map(found).collect();
        let renamed: BTreeSet<PathBuf> = change.touched.iter().filter_map(|touched| touched.from.clone()).collect();
        for (touched, was) in change.touched.into_iter().zip(was) {
            // It goes with the file that gets another name.
            if touched.becomes.is_none() && renamed.contains(&touched.path) {
                continue;
            }
            self.change(&step, was, &touched.path, touched.becomes);
        }
        if change.parents.len() > 1 {
            self.settle(&step, &change.parents, &listed);
        }
        let upto = step.before.union(&Config::from_deltas([Delta(step.number)]));
        self.changes.push(Made { about: change.about, pieces: step.first..self.pieces.len() as u32, upto });
    }

    /// What a merge does not mention is as in its parents, which may not be what both together make: both may
    /// have made the same change.
    fn settle(&mut self, step: &Step, parents: &[usize], listed: &BTreeSet<PathBuf>) {
        let sides: Vec<Config> = parents.iter().map(|parent| self.changes[*parent].upto.clone()).collect();
        let mut seen: BTreeMap<PathBuf, usize> = BTreeMap::new();
        for (at, side) in sides.iter().enumerate() {
            let others = sides.iter().enumerate().filter(|(other, _)| *other != at);
            let own = others.fold(side.clone(), |own, (_, other)| own.minus(other));
            let files: BTreeSet<usize> = own.iter().flat_map(|c| self.touched[c.0 as usize].iter().copied()).collect();
            let variants = files.into_iter().flat_map(|file| &self.files[file].variants);
            let paths: BTreeSet<&PathBuf> = variants.map(|variant| &variant.path).collect();
            paths.into_iter().for_each(|path| *seen.entry(path.clone()).or_default() += 1);
        }
        for (path, _) in seen.into_iter().filter(|(path, sides)| *sides > 1 && !listed.contains(path)) {
            let becomes = self.content(&path, &sides[0]);
            let was = self.find(&path, &step.before);
            self.change(step, was, &path, becomes);
        }
    }

    /// What stands at a path after these changes.
    fn content(&self, path: &Path, changes: &Config) -> Option<Content> {
        let (file, variant) = self.find(path, changes)?;
        Some(match &self.files[file].variants[variant].kind {
            Kind::Link(target) => Content::Link { target: target.clone() },
            Kind::Folder(mode) => Content::Folder { mode: *mode },
            Kind::File(mode) => {
                let lines = self.files[file].lines.iter().filter(|line| self.lives(&line.life, changes, NONE));
                let bytes = lines.flat_map(|line| &self.text[line.text.clone()]).copied().collect();
                Content::File { mode: *mode, bytes }
            }
        })
    }

    /// Makes of what stood in a place what a change says of a path.
    fn change(&mut self, step: &Step, was: Option<Place>, path: &Path, becomes: Option<Content>) {
        // There may be another file of that name, of a branch, or one that goes elsewhere: it goes.
        let there = self.find_all(path, &step.before, step.first);
        let mut taken: Vec<Place> = there.iter().copied().filter(|other| Some(*other) != was).collect();
        let Some(content) = becomes else {
            taken.extend(was.filter(|was| there.contains(was)));
            self.entry_piece(step, None, &taken);
            return;
        };
        let kind = Kind::of(&content);
        // A file that becomes a link is another one.
        let goes_on = was.filter(|(file, at)| self.files[*file].variants[*at].kind.is_file() == kind.is_file());
        let is_same = goes_on.is_some_and(|(file, at)| {
            let variant = &self.files[file].variants[at];
            variant.path == path && variant.kind == kind
        });
        let file = goes_on.map_or_else(|| self.new_file(), |(file, _)| file);
        let mut entry = None;
        if !is_same {
            taken.extend(was);
            let put = self.add_variant(file, path.to_owned(), kind, None);
            entry = self.entry_piece(step, Some((file, put)), &taken);
        } else if !taken.is_empty() {
            self.entry_piece(step, None, &taken);
        }
        if let Content::File { bytes, .. } = content {
            let needs = entry.filter(|_| goes_on.is_none());
            self.lines(step, file, &bytes, needs);
        }
    }

    /// A piece that puts in an entry and takes out others.
    fn entry_piece(&mut self, step: &Step, put: Option<Place>, taken: &[Place]) -> Option<u32> {
        let (file, _) = put.or(taken.first().copied())?;
        let piece = self.new_piece(step.number, file, true);
        if let Some((file, at)) = put {
            self.files[file].variants[at].life.by = Some(piece);
        }
        for (file, at) in taken {
            let life = &mut self.files[*file].variants[*at].life;
            life.gone.push(piece);
            self.pieces[piece as usize].needs.extend(life.by);
            self.touched[step.number as usize].insert(*file);
        }
        Some(piece)
    }

    /// The pieces that make these lines of the lines that a file has.
    fn lines(&mut self, step: &Step, file: usize, bytes: &[u8], needs: Option<u32>) {
        let there = self.living(file, step);
        let text = std::mem::take(&mut self.text);
        let old: Vec<&[u8]> = there.iter().map(|at| &text[self.files[file].lines[*at].text.clone()]).collect();
        let new = self.grain.cut(bytes);
        let hunks = self.grain.hunks(&old, &new);
        let paired: Vec<Vec<Hunk>> = hunks.iter().map(|hunk| align::pairs(&old, &new, hunk)).collect();
        drop(old);
        self.text = text;
        let mut inserts: BTreeMap<usize, Vec<Line>> = BTreeMap::new();
        for pairs in paired {
            for (at, (before, after)) in pairs.into_iter().enumerate() {
                let piece = self.new_piece(step.number, file, at == 0);
                let mut needed: Vec<u32> = needs.into_iter().collect();
                let own = &mut self.files[file].lines;
                for old in &there[before.clone()] {
                    own[*old].life.gone.push(piece);
                    needed.extend(own[*old].life.by);
                }
                needed.extend(self.surrounding(file, &there, &before));
                let position = before.end.checked_sub(1).map_or(0, |last| there[last] + 1);
                let lines = after.map(|at| self.keep(new[at], Some(piece)));
                let lines: Vec<Line> = lines.collect();
                inserts.entry(position).or_default().extend(lines);
                self.pieces[piece as usize].needs.extend(needed.into_iter().filter(|need| *need != piece));
            }
        }
        self.insert(file, inserts);
    }

    /// What a piece that only puts something in needs: what put in the text it is put into the middle of.
    fn surrounding(&self, file: usize, there: &[usize], at: &Range<usize>) -> Vec<u32> {
        let by = |at: usize| there.get(at).and_then(|line| self.files[file].lines[*line].life.by);
        let around = at.start.checked_sub(1).and_then(by).zip(by(at.end));
        let hunk = |piece: u32| self.pieces[piece as usize].hunk;
        let inside = around.filter(|(above, below)| at.is_empty() && hunk(*above) == hunk(*below));
        inside.map_or(vec![], |(above, below)| vec![above, below])
    }

    fn insert(&mut self, file: usize, inserts: BTreeMap<usize, Vec<Line>>) {
        if inserts.is_empty() {
            return;
        }
        let lines = &mut self.files[file].lines;
        let mut all = Vec::with_capacity(lines.len() + inserts.len());
        let mut inserts = inserts.into_iter().peekable();
        for (at, line) in std::mem::take(lines).into_iter().enumerate() {
            while let Some((_, new)) = inserts.next_if(|(position, _)| *position <= at) {
                all.extend(new);
            }
            all.push(line);
        }
        all.extend(inserts.flat_map(|(_, new)| new));
        *lines = all;
    }

    /// The lines that a file has before a step, and after what was done of it.
    fn living(&self, file: usize, step: &Step) -> Vec<usize> {
        let lines = self.files[file].lines.iter().enumerate();
        lines.filter(|(_, line)| self.lives(&line.life, &step.before, step.first)).map(|(at, _)| at).collect()
    }

    /// Whether something is there after these changes, and the pieces from `first` on.
    fn lives(&self, life: &Life, changes: &Config, first: u32) -> bool {
        let is_in = |piece: &u32| *piece >= first || changes.contains(Delta(self.pieces[*piece as usize].change));
        life.by.as_ref().is_none_or(is_in) && !life.gone.iter().any(is_in)
    }

    /// What stands at a path after these changes.
    fn find(&self, path: &Path, changes: &Config) -> Option<Place> {
        self.find_all(path, changes, NONE).first().copied()
    }

    fn find_all(&self, path: &Path, changes: &Config, first: u32) -> Vec<Place> {
        let files = self.at.get(path).into_iter().flatten();
        let variants = files.flat_map(|file| (0..self.files[*file].variants.len()).map(|at| (*file, at)));
        let is_there = |(file, at): &Place| {
            let variant = &self.files[*file].variants[*at];
            variant.path == path && self.lives(&variant.life, changes, first)
        };
        variants.filter(is_there).collect()
    }

    fn new_file(&mut self) -> usize {
        self.files.push(File::default());
        self.files.len() - 1
    }

    fn add_variant(&mut self, file: usize, path: PathBuf, kind: Kind, by: By) -> usize {
        let known = self.at.entry(path.clone()).or_default();
        if !known.contains(&file) {
            known.push(file);
        }
        self.files[file].variants.push(Variant { path, kind, life: Life { by, gone: vec![] } });
        self.files[file].variants.len() - 1
    }

    fn new_piece(&mut self, change: u32, file: usize, new_hunk: bool) -> u32 {
        self.hunks += u32::from(new_hunk);
        self.touched[change as usize].insert(file);
        self.pieces.push(Draft { change, file: file as u32, hunk: self.hunks, needs: BTreeSet::new() });
        self.pieces.len() as u32 - 1
    }

    fn keep(&mut self, line: &[u8], by: By) -> Line {
        let start = self.text.len();
        self.text.extend_from_slice(line);
        Line { text: start..self.text.len(), life: Life { by, gone: vec![] } }
    }

    /// The weave of all changes.
    ///
    /// # Errors
    /// If all versions together have more than 4 GiB.
    pub fn finish(self) -> Result<Weave, TooLarge> {
        u32::try_from(self.text.len()).map_err(|_| TooLarge)?;
        let blank = |draft: &Draft| Piece {
            change: draft.change,
            file: draft.file,
            hunk: draft.hunk,
            puts: vec![],
            takes: vec![],
            entry_put: None,
            entries_taken: vec![],
            needs: draft.needs.iter().map(|need| Delta(*need)).collect(),
        };
        let mut deltas: Vec<Piece> = self.pieces.iter().map(blank).collect();
        let (mut bytes, mut files, mut root_bytes) = (Vec::with_capacity(self.text.len()), vec![], vec![]);
        for file in &self.files {
            let start = bytes.len() as u32;
            for line in &file.lines {
                let from = bytes.len() as u32;
                bytes.extend_from_slice(&self.text[line.text.clone()]);
                let range = from..bytes.len() as u32;
                match line.life.by {
                    Some(piece) => deltas[piece as usize].puts.push(range.clone()),
                    None => root_bytes.push(range.clone()),
                }
                line.life.gone.iter().for_each(|piece| deltas[*piece as usize].takes.push(range.clone()));
            }
            files.push(start..bytes.len() as u32);
        }
        let mut variants: Vec<(&Variant, usize)> = vec![];
        for (at, file) in self.files.iter().enumerate() {
            variants.extend(file.variants.iter().map(|variant| (variant, at)));
        }
        variants.sort_by(|(one, _), (other, _)| one.path.cmp(&other.path));
        let (mut entries, mut root_entries, mut entry_of) = (vec![], vec![], vec![None; files.len()]);
        for (at, (variant, file)) in variants.into_iter().enumerate() {
            let (at, lines) = (at as u32, files[file].clone());
            entry_of[file].get_or_insert(at);
            let what = match &variant.kind {
                Kind::File(mode) => What::File { mode: *mode, bytes: lines },
                Kind::Link(target) => What::Link { target: target.clone() },
                Kind::Folder(mode) => What::Folder { mode: *mode },
            };
            match variant.life.by {
                Some(piece) => deltas[piece as usize].entry_put = Some(at),
                None => root_entries.push(at..at + 1),
            }
            variant.life.gone.iter().for_each(|piece| deltas[*piece as usize].entries_taken.push(at));
            entries.push(Entry { path: variant.path.clone(), what });
        }
        let root = Present { entries: set(root_entries), bytes: set(root_bytes) };
        let base = Artifact::of_variants(entries, bytes);
        Ok(Weave {
            base: base.into(),
            root,
            deltas,
            changes: self.changes,
            files,
            entry_of,
            objects: Objects::default(),
        })
    }
}

/// The entries of an artifact with their contents, sorted.
fn contents(artifact: &Artifact) -> Vec<(PathBuf, Content)> {
    let content = |entry: &Entry| match &entry.what {
        What::File { mode, bytes } => Content::File { mode: *mode, bytes: artifact.slice(bytes.clone()).to_vec() },
        What::Link { target } => Content::Link { target: target.clone() },
        What::Folder { mode } => Content::Folder { mode: *mode },
    };
    let mut all: Vec<_> = artifact.entries().iter().map(|entry| (entry.path.clone(), content(entry))).collect();
    all.sort_by(|one, other| one.0.cmp(&other.0));
    all
}
