//! What else stands in the user's folder: whether it is what it was, whatever process changed it.

use crate::job::Job;
use crate::own::{began, original_of, written_by_us};
use crate::runs;
use reduct_report::originals::{Fate, around};
use reduct_sources::RUNS;
use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// So many files are looked at; of a folder with more nothing is said.
const MOST_FILES: usize = 30_000;
/// So many are named.
const MOST_NAMED: usize = 3;
/// An empty file that was made so many seconds before may be the run's own log.
const JUST_BEFORE: i64 = 1;

/// The files of the user's folder at a moment.
#[derive(Default)]
pub(crate) struct Around {
    top: PathBuf,
    /// What tells a file from what it was before. `None` if there are too many, or it is not looked at.
    stamps: Option<BTreeMap<PathBuf, Stamp>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Stamp {
    file: (u64, u64),
    size: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl Around {
    /// Returns the folder of a job as it is now. One that nobody takes for a project, as the home folder, may hold
    /// anything: it is looked at only if something of it is named.
    pub(crate) fn of(job: &Job) -> Around {
        let folder = job.top().unwrap_or(&job.folder);
        let top = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let is_looked_at = job.top().is_some() || !is_apart(job, &top);
        Around { stamps: if is_looked_at { stamps(&top) } else { None }, top }
    }

    /// Returns what is to be said of files that are new, gone, or not what they were, but for these and what the run
    /// itself writes. Of what was copied it is said elsewhere that it was changed. In a folder that nobody takes for a
    /// project others write, too: nothing is said of it but where a file of it is named in a bare folder.
    pub(super) fn remarks(&self, job: &Job, except: &[PathBuf]) -> Vec<String> {
        let is_copied = job.top() == Some(&self.top);
        if !is_copied && is_apart(job, &self.top) {
            return vec![];
        }
        let Some(Differences { new, changed, gone }) = self.differences(job, except) else { return vec![] };
        let (changed, gone) = if is_copied { (vec![], vec![]) } else { (changed, gone) };
        let all = [(Fate::New, new), (Fate::Changed, changed), (Fate::Gone, gone)];
        all.into_iter().filter_map(|(what, paths)| Some(around(what, &listed(&paths)?))).collect()
    }

    /// Returns the files that changed since, as a list in words: whatever the run did not write itself.
    pub(crate) fn changed_meanwhile(&self, job: &Job) -> Option<String> {
        let Differences { new, changed, gone } = self.differences(job, &[])?;
        listed(&[changed, gone, new].concat())
    }

    /// Returns what differs from then. `None` if there are too many files.
    fn differences(&self, job: &Job, except: &[PathBuf]) -> Option<Differences> {
        let (then, now) = (self.stamps.as_ref()?, stamps(&self.top)?);
        let (began, ours, own) = (began(), written_by_us(), own_of(job, except));
        let is_a_log = |then: &Stamp| {
            let earlier = if then.size == 0 { JUST_BEFORE } else { 0 };
            then.modified >= (began.0 - earlier, began.1)
        };
        let is_other = |path: &Path, stamp: &Stamp| {
            let path = self.top.join(path);
            !ours.contains(&stamp.file) && !own.iter().any(|own| path.starts_with(own))
        };
        let mut found = Differences::default();
        for (path, stamp) in now.iter().filter(|(path, stamp)| is_other(path, stamp)) {
            match then.get(path) {
                None => found.new.push(path.clone()),
                Some(before) if before != stamp && !is_a_log(before) => found.changed.push(path.clone()),
                Some(_) => {}
            }
        }
        let is_gone =
            |(path, stamp): &(&PathBuf, &Stamp)| !now.contains_key(*path) && is_other(path, stamp) && !is_a_log(stamp);
        found.gone = then.iter().filter(is_gone).map(|(path, _)| path.clone()).collect();
        Some(found)
    }
}

/// Returns whether a folder is no project, and none of its files is named by the command.
fn is_apart(job: &Job, top: &Path) -> bool {
    Job::is_no_project(top) && job.named_below(top).is_empty()
}

/// Files that are not what they were, by their paths in their folder.
#[derive(Default)]
struct Differences {
    new: Vec<PathBuf>,
    changed: Vec<PathBuf>,
    gone: Vec<PathBuf>,
}

/// Returns these files, and what a run writes in the user's folder itself.
fn own_of(job: &Job, except: &[PathBuf]) -> Vec<PathBuf> {
    let results = runs::results(job.runs_folder()).into_iter().chain([job.out.clone(), original_of(&job.out)]);
    let own = except.iter().cloned().chain(results).chain(job.scratch.clone());
    own.map(|path| full(&job.folder.join(path))).collect()
}

/// Returns the stamps of all files and links below a folder, by their paths in it, but for those of runs and of version
/// control.
fn stamps(top: &Path) -> Option<BTreeMap<PathBuf, Stamp>> {
    let (mut stamps, mut todo) = (BTreeMap::new(), vec![PathBuf::new()]);
    while let Some(folder) = todo.pop() {
        for entry in fs::read_dir(top.join(&folder)).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let Ok(meta) = entry.metadata() else { continue };
            if name == RUNS || name == ".git" {
                continue;
            }
            if meta.is_dir() {
                todo.push(folder.join(name));
            } else {
                stamps.insert(folder.join(name), Stamp::of(&meta));
            }
            if stamps.len() + todo.len() > MOST_FILES {
                return None;
            }
        }
    }
    Some(stamps)
}

impl Stamp {
    fn of(meta: &Metadata) -> Stamp {
        Stamp {
            file: (meta.dev(), meta.ino()),
            size: meta.len(),
            modified: (meta.mtime(), meta.mtime_nsec()),
            changed: (meta.ctime(), meta.ctime_nsec()),
        }
    }
}

/// Returns a path whose folder is spelled without links.
fn full(path: &Path) -> PathBuf {
    let there = || Some(path.parent()?.canonicalize().ok()?.join(path.file_name()?));
    there().unwrap_or_else(|| path.to_owned())
}

/// Returns the first of these, in words.
fn listed(paths: &[PathBuf]) -> Option<String> {
    let first: Vec<String> = paths.iter().take(MOST_NAMED).map(|path| path.display().to_string()).collect();
    let more = paths.len() - first.len();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    (!paths.is_empty()).then(|| first.join(", ") + &more)
}
