//! What a test was seen to use of the copy of its project in which it ran, besides the candidate.

use crate::job::Job;
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
    pub(super) writes: Option<String>,
}

impl Uses {
    /// Returns what of it was touched.
    pub(super) fn of(job: &Job, project: &Project, touched: &OpenedFiles) -> Uses {
        let named: BTreeSet<PathBuf> = job.named_below(project.top());
        let led = job.led_below(project.top());
        let is_of_it = |path: &&PathBuf| project.lays(path) == Some(Laid::Other);
        let all: Vec<PathBuf> = touched.all.iter().filter(is_of_it).cloned().collect();
        let opened: Vec<PathBuf> = all.iter().filter(|path| !named.contains(*path)).cloned().collect();
        let file = touched.written.intersection(&named).next();
        let file = file.map(|file| format!("it writes to {}, which its command names", file.display()));
        let is_led = |path: &&PathBuf| led.iter().any(|place| path.starts_with(place));
        let other = || {
            let file = touched.written.iter().find(is_led)?.display();
            Some(format!("it writes to {file}, to which its command leads by a full path"))
        };
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
    ) -> Option<String> {
        let first = named.first()?;
        if let Some(file) = touched.written.iter().find(|path| project.lays(path).is_some()) {
            let (file, first) = (file.display(), first.display());
            return Some(format!("it writes to {file}, and {first} could write to yours from a bare folder"));
        }
        let candidates = job.places_below(project.top()).unwrap_or_default();
        let is_new = |path: &&PathBuf| !candidates.iter().any(|candidate| path.starts_with(candidate));
        let new: Vec<&PathBuf> = touched.written.iter().filter(is_new).collect();
        let (made, inside) = (new.first()?.display(), job.inside());
        let beside = |file: &PathBuf| {
            let folder = file.parent().filter(|folder| *folder != inside)?;
            let (file, made) = (file.display(), new.iter().find(|path| path.starts_with(folder))?.display());
            Some(format!("it writes to {made} in the folder of {file}, which is yours in a bare folder"))
        };
        if let Some(why) = named.iter().find_map(beside) {
            return Some(why);
        }
        let goer = job.goer(project.top(), opened)?;
        Some(format!("it writes to {made}, and {}", goer.in_words()))
    }

    /// Returns the same if nothing was heard of it, as of a test that had to be killed: what its command names, but for
    /// its program, it may have written to, and to where that stands if it may go there.
    pub(super) fn unheard(job: &Job, project: &Project) -> Uses {
        let program = Job { command: job.command.iter().take(1).cloned().collect(), ..job.clone() };
        let (program, top) = (program.named_below(project.top()), project.top());
        let file = job.named_below(top).into_iter().find(|path| !program.contains(path));
        let led = || job.led_below(top).into_iter().find(|path| !program.contains(path)).map(|path| top.join(path));
        let why =
            |it: PathBuf| format!("it was not seen whether it writes to {}, which its command names", it.display());
        let goer = || Some(format!("it was not seen what it writes to, and {}", job.goer(top, &[])?.in_words()));
        Uses { opened: None, all: None, writes: file.or_else(led).map(why).or_else(goer) }
    }

    /// Returns what it opened, in words.
    pub(super) fn in_words(&self) -> Option<String> {
        let opened = self.opened.as_ref()?;
        let first = opened.first()?.display();
        Some(match opened.len() - 1 {
            0 => format!("it opens {first} there"),
            more => format!("it opens {first} and {more} more there"),
        })
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
