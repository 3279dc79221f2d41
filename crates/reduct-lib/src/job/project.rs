//! The project that the tests of a job get copies of, and where in it what stands.

use super::refused::JobError;
use super::{Copied, Job, TestPlace};
use crate::errors::Refusal;
use crate::own::{began, original_of, written_by_us};
use crate::runs;
use reduct_sources::{Bounds, Project, ProjectError, name_of};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

impl Job {
    /// Returns the folder that is copied for tests, if one is.
    pub fn top(&self) -> Option<&Path> {
        if let TestPlace::Copy(copied) = &self.place { Some(&copied.top) } else { None }
    }

    /// Returns where in a copy the command runs.
    pub fn inside(&self) -> PathBuf {
        let stands = self.stands();
        let inside = self.top().and_then(|top| Some(stands.strip_prefix(top).ok()?.to_owned()));
        inside.unwrap_or_default()
    }

    /// Returns the folder in which the user runs the command.
    pub(crate) fn stands(&self) -> PathBuf {
        let situation = self.goal.situation();
        let folder = situation.map_or_else(|| self.folder.clone(), |situation| self.folder.join(&situation.folder));
        folder.canonicalize().unwrap_or(folder)
    }

    /// Returns where each input stands below a folder. `None` if one does not.
    pub(crate) fn places_below(&self, top: &Path) -> Option<Vec<PathBuf>> {
        let stands = self.stands();
        let place = |input: &PathBuf| {
            let full = stands.join(input);
            // An input that is a link is what it leads to, at the place of the link.
            let full = match full.file_name() {
                Some(name) => full.parent()?.canonicalize().ok()?.join(name),
                None => full.canonicalize().ok()?,
            };
            full.strip_prefix(top).ok().filter(|inner| !inner.as_os_str().is_empty()).map(Path::to_owned)
        };
        self.inputs.iter().map(place).collect()
    }

    /// Returns the project that tests get copies of, if they do, as it was when it was read first; however large:
    /// before one is chosen that nobody asked for, it is seen to be small.
    ///
    /// # Errors
    /// If it cannot be read, or the input is no part of it.
    pub fn project(&self) -> Result<Option<Project>, Refusal> {
        self.project_within(Bounds::NONE)
    }

    /// Returns the same, if it is no larger than that.
    fn project_within(&self, bounds: Bounds) -> Result<Option<Project>, Refusal> {
        let TestPlace::Copy(copied) = &self.place else { return Ok(None) };
        let inputs = self.places_below(&copied.top).ok_or_else(|| JobError::NotInProject(copied.top.clone()))?;
        // What varies of a command has its path in the folder anyway.
        let paths = if self.goal.situation().is_some() { vec![] } else { self.input_paths() };
        let names: Result<Vec<PathBuf>, _> = paths.iter().map(|input| name_of(input)).collect();
        let places = names?.into_iter().zip(inputs.iter().cloned()).collect();
        let kept = self.in_place.then(|| original_of(&self.out));
        let others =
            runs::results(self.runs_folder()).into_iter().chain([self.out.clone()]).chain(self.scratch.clone());
        let others = others.chain(kept);
        let others = others.filter_map(|path| {
            let path = self.folder.join(path);
            let full = path.parent()?.canonicalize().ok()?.join(path.file_name()?);
            full.strip_prefix(&copied.top).ok().map(Path::to_owned)
        });
        let but: Vec<PathBuf> = others.chain(inputs).collect();
        let read = |but: &[PathBuf], places: Vec<_>| Project::read(&copied.top, but, places, (began(), bounds));
        let project = copied.read.project((but, places), read)?;
        Ok(Some(project.with_own(&written_by_us())))
    }

    /// Returns whether nobody takes a folder for a project: the home folder, and those for temporary files.
    pub(crate) fn is_no_project(top: &Path) -> bool {
        let temporary = [std::env::temp_dir(), "/tmp".into(), "/var/tmp".into(), "/dev/shm".into(), "/".into()];
        let home = std::env::var_os("HOME").map(PathBuf::from);
        temporary.into_iter().chain(home).any(|other| other.canonicalize().is_ok_and(|it| it == top))
    }

    /// Returns the project that a test may need though nobody said so: the folder in which the user stands. `None` if
    /// nobody would take that for one.
    ///
    /// # Errors
    /// If it is too large, or cannot be read.
    pub fn likely_project(&self) -> Result<Option<TestPlace>, ProjectError> {
        let whole_folder = self.goal.varies_files() && self.inputs.is_empty();
        if whole_folder || self.goal.compares_versions() || !self.source().may_need_a_project() {
            return Ok(None);
        }
        let top = self.stands();
        if Job::is_no_project(&top) || self.places_below(&top).is_none() {
            return Ok(None);
        }
        let place = TestPlace::Copy(Copied::of(top));
        match (Job { place: place.clone(), ..self.clone() }).project_within(Bounds::UNASKED) {
            Ok(project) => Ok(project.filter(|project| self.may_need(project)).map(|_| place)),
            Err(Refusal::Project(error)) => Err(error),
            Err(_) => Ok(None),
        }
    }

    /// Returns whether more stands in a project than the program that is run, which is found from anywhere, and what
    /// this run writes: else nothing can be missing without it. Nor is it enough to find the program if that may write
    /// to where it stands.
    fn may_need(&self, project: &Project) -> bool {
        let program = Job { command: self.command.iter().take(1).cloned().collect(), ..self.clone() };
        let program = program.named_below(project.top());
        let ours = written_by_us();
        let is_ours = |path: &Path| {
            project.top().join(path).symlink_metadata().is_ok_and(|meta| ours.contains(&(meta.dev(), meta.ino())))
        };
        project.all().any(|path| !program.contains(path) && !is_ours(path)) || self.goer(project.top(), &[]).is_some()
    }
}
