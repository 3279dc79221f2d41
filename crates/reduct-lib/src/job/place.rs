//! Where the tests of a job run: alone with the candidate, or in a copy of the project that it belongs to.

use reduct_sources::{Project, ProjectError};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// Where the tests of a job run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum TestPlace {
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
    pub(super) read: Once,
}

/// What a folder was read as: one reading for all copies of it. Any two are equal, as it is no part of what is asked for.
#[derive(Clone, Default)]
pub(super) struct Once(Arc<Mutex<Option<Read>>>);

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
    /// Returns the project as it was read, or as it is read now if it was not, or otherwise.
    pub(super) fn project(
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

impl Copied {
    /// Returns a folder.
    pub fn of(top: PathBuf) -> Copied {
        Copied { top, read: Once::default() }
    }
}
