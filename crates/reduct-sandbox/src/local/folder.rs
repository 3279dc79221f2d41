//! The folder of a slot: filled and emptied for each test, or kept from test to test on a base tree.

use super::traces::Made;
use super::troubles::trouble;
use super::workdir::IncrementalWorkdir;
use reduct_core::{Key, Question};
use reduct_input::Candidate;
use reduct_session::executor::Trouble;
use reduct_sources::BaseTree;
use reduct_sources::archives::packed;
use reduct_sources::write;
use reduct_sources::write::folder_builder;
use reduct_system::remove;
use std::ffi::CString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The folder of a slot.
pub(super) struct SlotFolder {
    first: PathBuf,
    path: PathBuf,
    attempt: u32,
    base_tree: Option<Arc<dyn BaseTree>>,
    /// What tests make again and again, in the folders of all slots.
    made: Arc<Made>,
    /// What stands in it from test to test; `None` if that is nothing, or nothing to rely on.
    workdir: Option<IncrementalWorkdir>,
    /// The candidate that was built in it last, if it still stands there as it was then.
    built: Option<Key>,
    /// How many folders for servers were made in it.
    servers: u32,
}

impl SlotFolder {
    pub(super) fn new(path: PathBuf, base_tree: Option<Arc<dyn BaseTree>>, made: Arc<Made>) -> SlotFolder {
        SlotFolder { first: path.clone(), path, attempt: 0, base_tree, made, workdir: None, built: None, servers: 0 }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Makes it hold this candidate.
    pub(super) fn fill(&mut self, candidate: &Candidate) -> Result<(), Trouble> {
        let Some(base_tree) = self.base_tree.clone() else { return self.fill_empty(candidate) };
        // Whatever the last test made impossible (a file where a folder has to be, a full disk), laying
        // everything anew makes possible again, if anything does.
        match self.workdir.take().map(|workdir| self.change(workdir, candidate)) {
            Some(Ok(())) => Ok(()),
            _ => self.populate(&base_tree, candidate).map_err(|error| trouble(&self.path, &error)),
        }
    }

    fn fill_empty(&self, candidate: &Candidate) -> Result<(), Trouble> {
        let work = self.make().map_err(|(folder, error)| trouble(&folder, &error))?;
        write::whole(candidate, &work).map_err(|error| trouble(&work, &error))
    }

    /// Makes the empty folders there are in it.
    fn make(&self) -> Result<PathBuf, (PathBuf, io::Error)> {
        let [work, temporary] = ["work", "tmp"].map(|name| self.path.join(name));
        let create = |folder: &Path| folder_builder(false).create(folder).map_err(|error| (folder.to_owned(), error));
        match create(&work) {
            // The first time, the folder of the slot itself is missing.
            Err((_, error)) if error.kind() == io::ErrorKind::NotFound => {
                folder_builder(true).create(&self.path).map_err(|error| (self.path.clone(), error))?;
                create(&work)?;
            }
            created => created?,
        }
        create(&temporary)?;
        Ok(work)
    }

    fn change(&mut self, mut workdir: IncrementalWorkdir, candidate: &Candidate) -> io::Result<()> {
        folder_builder(true).create(self.path.join("tmp"))?;
        if workdir.update_to(&self.path.join("work"), &*packed(candidate)?)? {
            self.built = None;
        }
        workdir.watch_beside(&self.path.join("tmp"))?;
        self.workdir = Some(workdir);
        Ok(())
    }

    fn populate(&mut self, base_tree: &Arc<dyn BaseTree>, candidate: &Candidate) -> io::Result<()> {
        self.clear();
        let work = self.make().map_err(|(_, error)| error)?;
        base_tree.populate(&work)?;
        let mut workdir = IncrementalWorkdir::new(&work, base_tree.clone(), &self.made)?;
        workdir.update_to(&work, &*packed(candidate)?)?;
        workdir.watch_beside(&self.path.join("tmp"))?;
        self.workdir = Some(workdir);
        Ok(())
    }

    /// Returns whether this candidate was built in it, and nothing was changed since.
    pub(super) fn is_built(&self, candidate: &Candidate) -> bool {
        self.built == Some(candidate.key())
    }

    /// Notes that the candidate it holds was built.
    pub(super) fn note_built(&mut self, candidate: &Candidate) {
        self.built = self.base_tree.is_some().then(|| candidate.key());
    }

    /// Removes, after a test, what the next one must not find. With `keep`, and on a base tree, the working folder
    /// stays as it is. Says whether it is still the same folder.
    pub(super) fn note_test_end(&mut self, keep: bool) -> bool {
        let before = self.attempt;
        match &mut self.workdir {
            Some(workdir) if keep || workdir.undoes() => {
                if workdir.note_test_end(&self.path.join("work"), keep).is_err() {
                    self.clear();
                } else if remove::contents_but(&self.path, &[c"work".to_owned()]).is_err() {
                    self.abandon();
                }
            }
            _ => self.clear(),
        }
        self.attempt == before
    }

    /// Returns the same, where servers run in these folders of it.
    pub(super) fn note_test_end_around(&mut self, servers: &[CString]) -> bool {
        let cleared = remove::contents_but(&self.path, servers).is_ok();
        if !cleared {
            self.abandon();
        }
        cleared
    }

    /// Has the next test find nothing that others have made. Without a base tree, none does.
    pub(super) fn forget(&mut self) {
        if self.base_tree.is_some() {
            self.clear();
        }
    }

    /// Removes everything. If that cannot be done, there is a fresh folder for the next test.
    fn clear(&mut self) {
        (self.workdir, self.built) = (None, None);
        if remove::contents(&self.path).is_err() {
            self.abandon();
        }
    }

    /// Leaves the folder to the processes that are still in it, and goes on in a fresh one.
    pub(super) fn abandon(&mut self) {
        (self.workdir, self.built) = (None, None);
        self.attempt += 1;
        self.path = self.first.with_extension(self.attempt.to_string());
    }

    /// Makes a folder for a server that is about to be started, and says what its name is in this one.
    pub(super) fn host(&mut self) -> Result<(PathBuf, CString), Trouble> {
        self.servers += 1;
        let name = format!("server-{}", self.servers);
        let place = self.path.join(&name);
        for folder in ["work", "tmp"].map(|name| place.join(name)) {
            folder_builder(true).create(&folder).map_err(|error| trouble(&folder, &error))?;
        }
        // A name of letters and digits has no NUL.
        Ok((place, CString::new(name).unwrap_or_default()))
    }
}
