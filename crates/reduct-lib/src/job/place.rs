//! Where the tests of a job run: alone with the candidate, or in a copy of the project that it belongs to.

use super::{Against, Job};
use crate::errors::Refusal;
use crate::originals::written_by_us;
use crate::place::original_of;
use crate::runs;
use reduct_sources::{Bounds, Project, ProjectError, name_of};
use serde::{Deserialize, Serialize};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

/// Where the tests of a job run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Place {
    /// In a folder in which nothing else stands than the candidate.
    #[default]
    Bare,
    /// Where the failure shows: the first runs say which that is.
    Open,
    /// In a copy of a project, with the candidate at its own path.
    Copy(Copied),
}

/// A project that is copied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Copied {
    /// The folder, in full.
    #[serde(with = "reduct_system::os_path")]
    pub top: PathBuf,
    /// What stood in it when it was read, in this process.
    #[serde(skip)]
    read: Once,
}

/// What a folder was read as: one reading for all copies of it. Any two are equal, as it is no part of what is asked for.
#[derive(Clone, Default)]
struct Once(Arc<Mutex<Option<Read>>>);

/// A project, and without what and with which inputs it was read.
struct Read {
    but: Vec<PathBuf>,
    places: Vec<(PathBuf, PathBuf)>,
    project: Project,
}

impl PartialEq for Once {
    fn eq(&self, _: &Once) -> bool {
        true
    }
}

impl Eq for Once {}

impl std::fmt::Debug for Once {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Once")
    }
}

impl Once {
    /// The project as it was read, or as it is read now if it was not, or otherwise.
    fn project(
        &self,
        (but, places): (Vec<PathBuf>, Vec<(PathBuf, PathBuf)>),
        read: impl FnOnce(&[PathBuf], Vec<(PathBuf, PathBuf)>) -> Result<Project, ProjectError>,
    ) -> Result<Project, ProjectError> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.as_ref().filter(|known| (&known.but, &known.places) == (&but, &places)) {
            return Ok(known.project.again());
        }
        let project = read(&but, places.clone())?;
        let again = project.again();
        *known = Some(Read { but, places, project });
        Ok(again)
    }
}

/// When this process began to look at what it is asked for.
static BEGAN: OnceLock<SystemTime> = OnceLock::new();

/// Notes that from now on what is written may be this run's own: its log, its events.
pub fn note_begin() {
    BEGAN.get_or_init(SystemTime::now);
}

impl Copied {
    /// A folder.
    pub fn of(top: PathBuf) -> Copied {
        Copied { top, read: Once::default() }
    }
}

/// When this process began, in seconds and nanoseconds: what is written later may be its own.
pub(crate) fn began() -> (i64, i64) {
    let since = BEGAN.get_or_init(SystemTime::now).duration_since(UNIX_EPOCH).unwrap_or_default();
    (since.as_secs() as i64, i64::from(since.subsec_nanos()))
}

impl Job {
    /// The folder that is copied for tests, if one is.
    pub fn top(&self) -> Option<&Path> {
        if let Place::Copy(copied) = &self.place { Some(&copied.top) } else { None }
    }

    /// Where in a copy the command runs.
    pub fn inside(&self) -> PathBuf {
        let stands = self.stands();
        let inside = self.top().and_then(|top| Some(stands.strip_prefix(top).ok()?.to_owned()));
        inside.unwrap_or_default()
    }

    /// The folder in which the user runs the command.
    pub(crate) fn stands(&self) -> PathBuf {
        let folder = match &self.against {
            Against::Situation(situation) => self.folder.join(&situation.folder),
            _ => self.folder.clone(),
        };
        folder.canonicalize().unwrap_or(folder)
    }

    /// Where each input stands below a folder. `None` if one does not.
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

    /// The project that tests get copies of, if they do, as it was when it was read first; however large: before one is
    /// chosen that nobody asked for, it is seen to be small.
    ///
    /// # Errors
    /// If it cannot be read, or the input is no part of it.
    pub fn project(&self) -> Result<Option<Project>, Refusal> {
        self.project_within(Bounds::NONE)
    }

    /// The same, if it is no larger than that.
    fn project_within(&self, bounds: Bounds) -> Result<Option<Project>, Refusal> {
        let Place::Copy(copied) = &self.place else { return Ok(None) };
        let Some(inputs) = self.places_below(&copied.top) else {
            let what =
                format!("the input does not stand in {}, of which tests are to get copies", copied.top.display());
            let help = "name a folder with --in in which it stands, or copy it there".into();
            return Err(Refusal::Usage { what, help });
        };
        let places = match &self.against {
            // What varies has its path in the folder anyway.
            Against::Situation(_) => vec![],
            _ => {
                let names: Result<Vec<PathBuf>, _> = self.input_paths().iter().map(|input| name_of(input)).collect();
                names?.into_iter().zip(inputs.iter().cloned()).collect()
            }
        };
        let kept = self.in_place.then(|| original_of(&self.out));
        let others = runs::results(&self.folder).into_iter().chain([self.out.clone()]).chain(self.scratch.clone());
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

    /// Whether nobody takes a folder for a project: the home folder, and those for temporary files.
    pub(crate) fn is_no_project(top: &Path) -> bool {
        let temporary = [std::env::temp_dir(), "/tmp".into(), "/var/tmp".into(), "/dev/shm".into(), "/".into()];
        let home = std::env::var_os("HOME").map(PathBuf::from);
        temporary.into_iter().chain(home).any(|other| other.canonicalize().is_ok_and(|it| it == top))
    }

    /// The project that a test may need though nobody said so: the folder in which the user stands. `None` if nobody
    /// would take that for one.
    ///
    /// # Errors
    /// If it is too large, or cannot be read.
    pub fn likely_project(&self) -> Result<Option<Place>, ProjectError> {
        let whole_folder = matches!(&self.against, Against::Situation(it) if it.files && self.inputs.is_empty());
        let versions = matches!(self.against, Against::Range(_) | Against::Folder(_) | Against::Patches { .. });
        if whole_folder || versions || self.ask.is_some() || self.persistent.is_some() {
            return Ok(None);
        }
        let top = self.stands();
        if Job::is_no_project(&top) || self.places_below(&top).is_none() {
            return Ok(None);
        }
        let place = Place::Copy(Copied::of(top));
        match (Job { place: place.clone(), ..self.clone() }).project_within(Bounds::UNASKED) {
            Ok(project) => Ok(project.filter(|project| self.may_need(project)).map(|_| place)),
            Err(Refusal::Project(error)) => Err(error),
            Err(_) => Ok(None),
        }
    }

    /// Whether more stands in a project than the program that is run, which is found from anywhere, and what this run
    /// writes: else nothing can be missing without it. Nor is it enough to find the program if that may write to where it
    /// stands.
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
