//! What stands in a folder that is kept from test to test, and how it becomes the next candidate.
//!
//! Only what differs is touched, so that a build sees what changed and nothing else. A file that is written
//! anew is a new file, later than all that the last test did: no build takes what it made from the old one to
//! be up to date. Whether a test has touched a file is told by its stamp; contents are read only where a stamp
//! leaves it open.

mod visit;

use super::stamp::{Stamp, Time, make_later};
use super::traces::{Made, Traces};
use super::wanted::{Wanted, contents_are, wanted};
use crate::faults::FolderFault;
use reduct_core::Key;
use reduct_input::{Candidate, Entry, What};
use reduct_sources::BaseTree;
use reduct_sources::write;
use reduct_sources::write::folder_builder;
use reduct_system::permissions::set_below;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::Permissions;
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use visit::{Visit, folders};

/// A folder that no base tree has laid has this mode, unless the candidate says otherwise.
const CLOSED: u32 = 0o700;

/// What stands in a folder.
pub(super) struct IncrementalWorkdir {
    /// The folders that the base tree has laid, and their modes. They stay, even empty.
    laid: HashMap<PathBuf, u32>,
    /// All paths at which a candidate has or could have had something, and the folders above these. Folders come
    /// before what is in them.
    nodes: BTreeMap<PathBuf, Node>,
    /// What it holds.
    last: Option<Candidate>,
    /// When the last test was over.
    rested: Time,
    base_tree: Arc<dyn BaseTree>,
    /// What tests leave, on a base tree that is made again.
    traces: Option<Traces>,
    /// How many candidates were brought.
    brought: u64,
}

/// A path in such a folder.
#[derive(Default)]
struct Node {
    /// Whether candidates differ in what stands here, and not only below.
    varies: bool,
    /// The file or link that was put here.
    put: Option<Put>,
}

/// A file or link that was put somewhere.
struct Put {
    digest: Key,
    stamp: Stamp,
    /// Whether it was written so short a time before the test began that what the test wrote to it need not show
    /// in the stamp.
    fresh: bool,
}

impl IncrementalWorkdir {
    /// Returns what stands in a folder in which a base tree was just laid.
    pub(super) fn new(work: &Path, base_tree: Arc<dyn BaseTree>, made: &Arc<Made>) -> io::Result<IncrementalWorkdir> {
        let nodes = BTreeMap::from([(PathBuf::new(), Node::default())]);
        let laid = folders(work)?;
        let traces = if base_tree.lays_again() {
            Some(Traces::watch(work, laid.keys(), &*base_tree, made.clone())?)
        } else {
            None
        };
        Ok(IncrementalWorkdir { laid, nodes, last: None, rested: Time::now(), base_tree, traces, brought: 0 })
    }

    /// Notes that a test is over. What it did to what was laid is undone; what it made stays if it ran to its `end`, and
    /// if tests make that once only.
    ///
    /// After an error, nothing is known of the folder any more.
    pub(super) fn note_test_end(&mut self, work: &Path, end: bool) -> io::Result<()> {
        self.rested = Time::now();
        let Some(traces) = &mut self.traces else { return Ok(()) };
        let varies = |path: &Path| self.nodes.get(path).is_some_and(|node| node.varies);
        traces.undo(work, &*self.base_tree, &varies, end)
    }

    /// Watches, where it undoes what tests do, whether the next test makes something in this folder beside it.
    pub(super) fn watch_beside(&mut self, folder: &Path) -> io::Result<()> {
        self.traces.as_mut().map_or(Ok(()), |traces| traces.watch_beside(folder))
    }

    /// Returns whether what a test leaves that did not run to its end can be undone.
    pub(super) fn undoes(&self) -> bool {
        self.traces.is_some()
    }

    /// Makes `work` hold this candidate. Returns whether anything had to be changed.
    ///
    /// After an error, nothing is known of the folder any more.
    pub(super) fn update_to(&mut self, work: &Path, candidate: &Candidate) -> io::Result<bool> {
        if self.last.as_ref().is_none_or(|last| !Arc::ptr_eq(last.base(), candidate.base())) {
            self.learn(candidate.base().entries().iter());
        }
        if candidate.is_renamed() {
            self.learn(candidate.pieces().map(|(entry, _)| entry));
        }
        if let Some(traces) = &mut self.traces {
            traces.clear(work)?;
        }
        let mut visit = Visit {
            work,
            wanted: wanted(candidate, &*self.base_tree)?,
            found: HashMap::new(),
            kept: HashSet::new(),
            thinned: HashSet::new(),
            folders: vec![],
            changed: false,
        };
        self.look(&mut visit)?;
        self.compare(&mut visit)?;
        self.remove(&mut visit)?;
        self.write(&mut visit)?;
        self.set_modes(&mut visit)?;
        let changed = visit.changed;
        let now = Time::tick();
        for put in self.nodes.values_mut().filter_map(|node| node.put.as_mut()) {
            put.fresh = put.stamp.changed >= now;
        }
        self.last = Some(candidate.clone());
        self.brought += 1;
        if let Some(traces) = &mut self.traces {
            visit.folders.into_iter().try_for_each(|folder| traces.add(work, folder))?;
            traces.forget()?;
        }
        Ok(changed)
    }

    fn learn<'a>(&mut self, entries: impl Iterator<Item = &'a Entry>) {
        for path in entries.map(|entry| self.base_tree.place(&entry.path)).collect::<Vec<_>>() {
            self.nodes.entry(path.clone()).or_default().varies = true;
            for above in path.ancestors().skip(1) {
                self.nodes.entry(above.to_owned()).or_default();
            }
        }
    }

    /// Finds out what stands there. Looks into no folder through a link, and opens those that are closed.
    fn look(&self, visit: &mut Visit<'_>) -> io::Result<()> {
        for path in self.nodes.keys() {
            let is_below = |above: &Path| visit.found.get(above).is_some_and(Stamp::is_folder);
            let full = visit.work.join(path);
            let stamp = if path.parent().is_none_or(is_below) { Stamp::of(&full)? } else { None };
            if self.laid.contains_key(path) && !stamp.is_some_and(|stamp| stamp.is_folder()) {
                return Err(io::Error::other(FolderFault::NoFolder(full)));
            }
            let Some(stamp) = stamp else { continue };
            if stamp.is_folder() && stamp.permissions() & CLOSED != CLOSED {
                set_below(visit.work, path, Permissions::from_mode(stamp.permissions() | CLOSED))?;
            }
            visit.found.insert(path.clone(), stamp);
        }
        Ok(())
    }

    /// Finds out which files and links stand there already, untouched.
    fn compare(&mut self, visit: &mut Visit<'_>) -> io::Result<()> {
        let last = self.last.take();
        let base_tree = self.base_tree.clone();
        let before = last.as_ref().map(|last| wanted(last, &*base_tree)).transpose()?.unwrap_or_default();
        let folders = before.iter().filter(|(_, then)| matches!(then, Wanted::Folder { .. }));
        visit.thinned.extend(folders.map(|(path, _)| path.clone()));
        // A build that finds the same again does nothing. What it makes anew each time is to be known from the start.
        if self.traces.is_some() && self.brought == 1 {
            return Ok(());
        }
        for (path, wanted) in &mut visit.wanted {
            let Wanted::Entry { what, pieces, digest } = wanted else { continue };
            let put = self.nodes.get_mut(path).and_then(|node| node.put.as_mut());
            let (Some(put), Some(now)) = (put, visit.found.get(path)) else { continue };
            let same = matches!(before.get(path), Some(then) if then.is_plainly(what, pieces));
            let key = if same { put.digest } else { what.digest(pieces) };
            *digest = Some(key);
            // Writing to it by another name of it would write to this.
            if self.traces.is_some() && now.names > 1 {
                continue;
            }
            let untouched = *now == put.stamp && !put.fresh;
            if key == put.digest
                && (untouched
                    || now.is_but_for_the_change(&put.stamp) && contents_are(&visit.work.join(path), what, pieces)?)
            {
                put.stamp = *now;
                visit.kept.insert(path.clone());
            }
        }
        Ok(())
    }

    /// Removes what is not to stand there, or not as it does: what is in a folder before the folder.
    fn remove(&mut self, visit: &mut Visit<'_>) -> io::Result<()> {
        for (path, node) in self.nodes.iter_mut().rev() {
            if visit.kept.contains(path) {
                continue;
            }
            node.put = None;
            let Some(stamp) = visit.found.get(path).copied() else { continue };
            match visit.wanted.get(path) {
                Some(Wanted::Folder { .. }) if stamp.is_folder() => {}
                // With a base tree in it, it stays; to put a file in its place is an error that writing it meets.
                _ if self.laid.contains_key(path) => {}
                Some(_) => visit.remove(path, stamp)?,
                None if node.varies => visit.remove(path, stamp)?,
                None if stamp.is_folder() && visit.thinned.contains(path) => visit.remove_if_empty(path)?,
                // Something that a test has made where no candidate has anything.
                None => {}
            }
        }
        Ok(())
    }

    /// Writes what is missing, folders first.
    fn write(&mut self, visit: &mut Visit<'_>) -> io::Result<()> {
        let wanted = std::mem::take(&mut visit.wanted);
        if wanted.iter().any(|(path, wanted)| matches!(wanted, Wanted::Entry { .. }) && !visit.kept.contains(path)) {
            // Better than to set the times of files, to what may be later than the products of a fast build.
            self.rested.wait_past();
        }
        for (path, wanted) in &wanted {
            let full = visit.work.join(path);
            match wanted {
                Wanted::Folder { .. } if visit.found.get(path).is_some_and(Stamp::is_folder) => {}
                Wanted::Folder { .. } => {
                    folder_builder(false).create(&full)?;
                    visit.folders.push(path.clone());
                    visit.changed = true;
                }
                Wanted::Entry { .. } if visit.kept.contains(path) => {}
                Wanted::Entry { what, pieces, digest } => {
                    match what {
                        What::Link { target } => symlink(target, &full)?,
                        What::File { mode, .. } => write::file(&full, *mode, pieces)?,
                        What::Folder { .. } | What::Archive { .. } => {}
                    }
                    // It may have been stamped with a time in the future.
                    let before = visit.found.get(path).map(|stamp| stamp.modified);
                    make_later(&full, before.map_or(self.rested, |before| before.max(self.rested)))?;
                    let stamp = Stamp::of(&full)?.ok_or(io::ErrorKind::NotFound)?;
                    let digest = digest.unwrap_or_else(|| what.digest(pieces));
                    self.nodes.entry(path.clone()).or_default().put = Some(Put { digest, stamp, fresh: true });
                    visit.changed = true;
                }
            }
        }
        visit.wanted = wanted;
        Ok(())
    }

    /// Gives folders the modes they are to have, inner ones first: below a folder that may not be looked into, that is impossible.
    fn set_modes(&self, visit: &mut Visit<'_>) -> io::Result<()> {
        for path in self.nodes.keys().rev() {
            let found = visit.found.get(path).filter(|stamp| stamp.is_folder()).map(Stamp::permissions);
            let mode = match (visit.wanted.get(path), self.laid.get(path), found) {
                (Some(Wanted::Folder { mode: Some(mode) }), ..)
                | (Some(Wanted::Folder { .. }) | None, Some(mode), _) => *mode,
                (Some(Wanted::Folder { .. }), ..) => CLOSED,
                // A folder of a test's own.
                (None, _, Some(mode)) => mode,
                (Some(Wanted::Entry { .. }), ..) | (None, None, None) => continue,
            };
            let now = found.map_or(CLOSED, |found| found | CLOSED);
            let full = visit.work.join(path);
            if now != mode && Stamp::of(&full)?.is_some_and(|stamp| stamp.is_folder()) {
                set_below(visit.work, path, Permissions::from_mode(mode))?;
            }
            visit.changed |= found.is_some_and(|found| found != mode);
        }
        Ok(())
    }
}
