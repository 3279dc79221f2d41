//! What a test was seen to use of the copy of its project in which it ran, besides the candidate.

use crate::job::Job;
use reduct_report::preflight::place::Use;
use reduct_sandbox::opened::OpenedFiles;
use reduct_sources::Project;
use reduct_sources::{BaseTree, Laid};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Files of the project, by their paths in it.
#[derive(Debug, Default)]
pub(super) struct Uses {
    /// Those that it opened or started, but for those that its command names: they are found from anywhere. `None` if
    /// that was not seen.
    pub(super) opened: Option<Vec<PathBuf>>,
    /// The same, and those that its command names among them.
    pub(super) all: Option<Vec<PathBuf>>,
    /// Why it would write to the user's own in a bare folder, as far as that is known.
    pub(super) writes: Option<Use>,
}

impl Uses {
    /// Returns what of it was touched.
    pub(super) fn of(job: &Job, project: &Project, touched: &OpenedFiles) -> Uses {
        let named: BTreeSet<PathBuf> = job.named_below(project.top());
        let led = job.led_below(project.top());
        let is_of_it = |path: &&PathBuf| project.lays(path) == Some(Laid::Other);
        let all: Vec<PathBuf> = touched.all.iter().filter(is_of_it).cloned().collect();
        let opened: Vec<PathBuf> = all.iter().filter(|path| !named.contains(*path)).cloned().collect();
        let file = touched.written.intersection(&named).next().cloned().map(Use::WritesNamed);
        let is_led = |path: &&PathBuf| led.iter().any(|place| path.starts_with(place));
        let other = || touched.written.iter().find(is_led).cloned().map(Use::WritesLedTo);
        let own = || Uses::writes_where_it_stands(job, project, (&named, &opened), touched);
        Uses { writes: file.or_else(other).or_else(own), opened: Some(opened), all: Some(all) }
    }

    /// Returns why what it wrote may be the user's in a bare folder, as files of the user's are started from there,
    /// too.
    fn writes_where_it_stands(
        job: &Job,
        project: &Project,
        (named, opened): (&BTreeSet<PathBuf>, &[PathBuf]),
        touched: &OpenedFiles,
    ) -> Option<Use> {
        let first = named.first()?;
        if let Some(file) = touched.written.iter().find(|path| project.lays(path).is_some()) {
            return Some(Use::Writes { file: file.clone(), named: first.clone() });
        }
        let candidates = job.places_below(project.top()).unwrap_or_default();
        let is_new = |path: &&PathBuf| !candidates.iter().any(|candidate| path.starts_with(candidate));
        let new: Vec<&PathBuf> = touched.written.iter().filter(is_new).collect();
        let (made, inside) = (new.first()?, job.inside());
        let beside = |file: &PathBuf| {
            let folder = file.parent().filter(|folder| *folder != inside)?;
            let made = new.iter().find(|path| path.starts_with(folder))?;
            Some(Use::MakesBeside { made: made.to_path_buf(), named: file.clone() })
        };
        if let Some(why) = named.iter().find_map(beside) {
            return Some(why);
        }
        let goer = job.goer(project.top(), opened)?;
        Some(Use::MakesSomewhere { made: made.to_path_buf(), goer })
    }

    /// Returns the same if nothing was heard of it, as of a test that had to be killed: what its command names, but for
    /// its program, it may have written to, and to where that stands if it may go there.
    pub(super) fn unheard(job: &Job, project: &Project) -> Uses {
        let program = Job { command: job.command.iter().take(1).cloned().collect(), ..job.clone() };
        let (program, top) = (program.named_below(project.top()), project.top());
        let file = job.named_below(top).into_iter().find(|path| !program.contains(path));
        let led = || job.led_below(top).into_iter().find(|path| !program.contains(path)).map(|path| top.join(path));
        let goer = || job.goer(top, &[]).map(Use::MayWriteSomewhere);
        Uses { opened: None, all: None, writes: file.or_else(led).map(Use::MayWrite).or_else(goer) }
    }

    /// Returns that it opened files, if it did.
    pub(super) fn opens(&self) -> Option<Use> {
        let opened = self.opened.as_ref()?;
        Some(Use::Opens { first: opened.first()?.clone(), more: opened.len() - 1 })
    }
}

/// Returns the file of a project that holds the full path of it as text, if one of these does: what is built by it may
/// be the original. Of many files the first ones are read.
pub(super) fn leading_back<'a>(project: &Project, among: impl Iterator<Item = &'a Path>) -> Option<PathBuf> {
    const LARGEST: u64 = 1 << 20;
    const MOST: u64 = 16 << 20;
    let top = project.top().as_os_str().as_encoded_bytes();
    let goes_on = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.-".contains(byte);
    let holds_it = |text: &[u8]| {
        let mut places = text.windows(top.len()).enumerate().filter(|(_, part)| *part == top);
        !text.contains(&0) && places.any(|(at, _)| !text.get(at + top.len()).is_some_and(goes_on))
    };
    let mut read = 0;
    for path in among {
        let full = project.top().join(path);
        let Some(size) = full.symlink_metadata().ok().filter(|meta| meta.is_file()).map(|meta| meta.len()) else {
            continue;
        };
        if size > LARGEST || read + size > MOST {
            continue;
        }
        read += size;
        if std::fs::read(&full).is_ok_and(|text| holds_it(&text)) {
            return Some(path.to_owned());
        }
    }
    None
}
