//! A large change to a program, of which one small part is to blame: drawn after the GDB study.
//!
//! Two versions of a source tree, and what of the way between them can be built. Changes need each other, which
//! only a build says: in most functions (a variable and its uses), between functions of a file (something
//! static), between files (an interface). What has some of those that need each other but not all does not
//! build, and is unresolved. The guilty change needs nothing.

use reduct_core::Outcome::{self, Fail, Pass, Unresolved};
use reduct_core::laws::Chance;
use reduct_core::{Config, Delta};
use reduct_input::ArtifactBuilder;
use reduct_strategies::{Grain, Weave, WeaveBuilder};
use std::fmt::Write;
use std::path::PathBuf;

const FOLDERS: usize = 100;
const FILES: usize = 400;
const FUNCTIONS: usize = 2500;
/// The mean number of changes in a function, in tenths.
const CHANGES_PER_FUNCTION: usize = 36;

/// How much needs each other.
#[derive(Clone, Copy)]
pub(crate) struct Model {
    /// Of ten functions, in how many changes cannot be without each other.
    pub knit: usize,
    /// How many pairs of functions in the same file have changes that need each other.
    pub statics: usize,
    /// How many interfaces change: each in two to four files, half of them in one folder.
    pub interfaces: usize,
}

/// Where a change is.
#[derive(Clone, Copy)]
pub(crate) struct At {
    pub folder: usize,
    pub file: usize,
    pub function: usize,
}

pub(crate) struct Study {
    /// Each change's place, in the order of their paths and lines.
    pub places: Vec<At>,
    /// For each change, which group it is of that cannot be built without all of it.
    knit: Vec<usize>,
    /// How large these groups are.
    sizes: Vec<usize>,
    pub guilty: Delta,
}

impl Study {
    pub(crate) fn new(seed: u64, model: Model) -> Study {
        let mut chance = Chance(seed);
        let places = places(&mut chance);
        let mut groups = Groups::new(places.len());
        knit_functions(&mut chance, &places, model, &mut groups);
        knit_files(&mut chance, &places, model, &mut groups);
        let (knit, sizes) = groups.finish();
        let alone: Vec<usize> = (0..places.len()).filter(|at| sizes[knit[*at]] == 1).collect();
        let guilty = Delta(alone[chance.below(alone.len())] as u32);
        Study { places, knit, sizes, guilty }
    }

    pub(crate) fn all(&self) -> Config {
        Config::full(self.places.len())
    }

    pub(crate) fn test(&self, config: &Config) -> Outcome {
        let mut there = vec![0; self.sizes.len()];
        config.iter().for_each(|delta| there[self.knit[delta.0 as usize]] += 1);
        let builds = there.iter().zip(&self.sizes).all(|(there, size)| *there == 0 || there == size);
        match builds {
            false => Unresolved,
            true if config.contains(self.guilty) => Fail,
            true => Pass,
        }
    }

    /// Returns both versions, as one change.
    pub(crate) fn weave(&self) -> Result<Weave, String> {
        let version = |is_new| {
            let mut builder = ArtifactBuilder::default();
            for (path, text) in self.sources(is_new) {
                builder.file(path, 0o644, text.as_bytes())?;
            }
            Ok(builder.finish())
        };
        let both = version(false).and_then(|old| Ok((old, version(true)?)));
        let weave = both.and_then(|(old, new)| WeaveBuilder::between(&old, &new, Grain::Lines));
        weave.map_err(|error| error.to_string())
    }

    /// Returns the source tree before or after.
    fn sources(&self, is_new: bool) -> Vec<(PathBuf, String)> {
        let mut files: Vec<(PathBuf, String)> = vec![];
        let mut last = (usize::MAX, usize::MAX);
        for (change, at) in self.places.iter().enumerate() {
            if at.file != last.0 {
                files.push((format!("d{:02}/f{:03}.c", at.folder, at.file).into(), String::new()));
            }
            let Some((_, text)) = files.last_mut() else { continue };
            if at.function != last.1 {
                let close = if at.file == last.0 { "}\n\n" } else { "" };
                let _ = write!(text, "{close}int function_{0}(int a)\n{{\n    int total = {0};\n", at.function);
            }
            let version = if is_new { "new" } else { "old" };
            let _ =
                write!(text, "    check_{change}(total);\n    total += {version}_{change}(a);\n    log_{change}();\n");
            last = (at.file, at.function);
        }
        files
    }

    /// Returns which changes there are in some lines, ascending.
    pub(crate) fn read(text: &[u8]) -> impl Iterator<Item = Delta> + '_ {
        text.split(|byte| *byte == b'\n').filter_map(|line| {
            let rest = line.strip_prefix(b"    total += new_")?;
            let digits = rest.split(|byte| *byte == b'(').next()?;
            std::str::from_utf8(digits).ok()?.parse().ok().map(Delta)
        })
    }
}

/// Files of folders, functions of files, changes of functions: each has one at least, the rest is drawn.
fn places(chance: &mut Chance) -> Vec<At> {
    let folder_of = shares(chance, FILES, FOLDERS);
    let file_of = shares(chance, FUNCTIONS, FILES);
    let mut places = vec![];
    for (function, &file) in file_of.iter().enumerate() {
        places.push(At { folder: folder_of[file], file, function });
        while chance.below(CHANGES_PER_FUNCTION) >= 10 {
            places.push(At { folder: folder_of[file], file, function });
        }
    }
    places
}

/// Returns which of `owners` each of `things` belongs to, ascending.
fn shares(chance: &mut Chance, things: usize, owners: usize) -> Vec<usize> {
    let mut shares: Vec<usize> = (0..owners).chain((owners..things).map(|_| chance.below(owners))).collect();
    shares.sort_unstable();
    shares
}

fn knit_functions(chance: &mut Chance, places: &[At], model: Model, groups: &mut Groups) {
    for range in runs(places, |at| at.function) {
        if chance.below(10) < model.knit {
            range.clone().for_each(|change| groups.join(range.start, change));
        }
    }
}

fn knit_files(chance: &mut Chance, places: &[At], model: Model, groups: &mut Groups) {
    let files = runs(places, |at| at.file);
    let folders = runs(places, |at| at.folder);
    let pick = |chance: &mut Chance, range: &std::ops::Range<usize>| range.start + chance.below(range.len());
    for _ in 0..model.statics {
        let file = &files[chance.below(files.len())];
        let (one, other) = (pick(chance, file), pick(chance, file));
        groups.join(one, other);
    }
    for number in 0..model.interfaces {
        let everywhere = 0..places.len();
        let first = pick(chance, &everywhere);
        let reach = if number % 2 == 0 { &folders[places[first].folder] } else { &everywhere };
        for _ in 0..1 + chance.below(3) {
            let other = pick(chance, reach);
            groups.join(first, other);
        }
    }
}

/// Returns the runs of changes that have something in common, in their order.
fn runs(places: &[At], common: impl Fn(&At) -> usize) -> Vec<std::ops::Range<usize>> {
    let mut runs: Vec<std::ops::Range<usize>> = vec![];
    for (change, at) in places.iter().enumerate() {
        match runs.last_mut() {
            Some(run) if common(&places[run.start]) == common(at) => run.end = change + 1,
            _ => runs.push(change..change + 1),
        }
    }
    runs
}

/// Sets that grow together.
struct Groups(Vec<usize>);

impl Groups {
    fn new(count: usize) -> Groups {
        Groups((0..count).collect())
    }

    fn of(&self, mut at: usize) -> usize {
        while self.0[at] != at {
            at = self.0[at];
        }
        at
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.of(one), self.of(other));
        self.0[one.max(other)] = one.min(other);
    }

    /// Returns the group of each, and the size of each group.
    fn finish(self) -> (Vec<usize>, Vec<usize>) {
        let of: Vec<usize> = (0..self.0.len()).map(|at| self.of(at)).collect();
        let mut sizes = vec![0; of.len()];
        of.iter().for_each(|group| sizes[*group] += 1);
        (of, sizes)
    }
}
