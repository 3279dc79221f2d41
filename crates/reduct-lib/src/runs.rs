//! The runs of a folder, in `.reduct/`: one folder each, with its journal and a copy of its input.

use crate::errors::Refusal;
use reduct_core::{Key, Question};
use reduct_input::{Artifact, Candidate};
use reduct_session::journal;
use reduct_session::journal::JournalRecord;
use reduct_sources::{RUNS, load_published, write_below};
use rustix::fs::{Access, access};
use std::ffi::OsStr;
use std::fs;
use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};

/// What the single runs of an inquiry have shown is kept in this folder of a run.
pub(crate) const KEPT: &str = "kept";

/// There, under this name, what it has found is kept.
pub(crate) const ANSWER: &str = "answer.json";

/// Which schedule an inquiry looks for is kept there, in this file.
pub(crate) const SOUGHT: &str = "sought";

/// A run's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Where it is.
    pub folder: PathBuf,
    /// How many tests run at a time when it is gone on with; if nothing is said, as many as when it was begun.
    jobs: Option<usize>,
    /// Whether the page on which a person is asked is opened, if it is gone on with.
    opens_page: bool,
}

impl Run {
    /// Returns the run in this folder, whether or not there is one.
    pub fn at(folder: PathBuf) -> Run {
        Run { folder, jobs: None, opens_page: false }
    }

    /// Returns the same run, which goes on with so many tests at a time. Without a number, it keeps what it has.
    #[must_use]
    pub fn with_jobs(self, jobs: Option<usize>) -> Run {
        Run { jobs: jobs.or(self.jobs), ..self }
    }

    /// Returns the same run, which opens the page on which a person is asked if that is so.
    #[must_use]
    pub fn with_page_opened(self, opens_page: bool) -> Run {
        Run { opens_page, ..self }
    }

    /// Returns whether the page on which a person is asked is to be opened, if one is.
    pub(crate) fn opens_page(&self) -> bool {
        self.opens_page
    }

    /// Returns how many tests are to run at a time, if that was said since the run was begun.
    pub(crate) fn jobs(&self) -> Option<usize> {
        self.jobs
    }

    /// Makes a folder for a new run of the given name, with a copy of the input.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn create(below: &Path, name: &str, whole: &Candidate) -> Result<Run, Refusal> {
        let run = Run::create_empty(below, name)?;
        let input = run.input();
        fs::create_dir(&input)
            .and_then(|()| write_below(whole, &input))
            .map_err(|source| Refusal::InputNotKept { path: input, source })?;
        Ok(run)
    }

    /// Makes a folder for a new run of the given name.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn create_empty(below: &Path, name: &str) -> Result<Run, Refusal> {
        let all = below.join(RUNS);
        fs::create_dir_all(&all).map_err(not_kept(&all))?;
        // In a repository, runs are nobody's business. If it cannot be written, they are seen.
        let ignore = all.join(".gitignore");
        if !ignore.exists() {
            let _ = fs::write(&ignore, "*\n");
        }
        let mut number = numbers(&all).max().unwrap_or(0) + 1;
        let folder = loop {
            let folder = all.join(format!("{number:04}-{name}"));
            match fs::create_dir(&folder) {
                Ok(()) => break folder,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(not_kept(&folder)(error)),
            }
        };
        Ok(Run::at(folder))
    }

    /// Returns the run in `place`: a run's folder, or a folder with runs, of which the last one counts.
    ///
    /// # Errors
    /// If there is none.
    pub fn find(place: &Path) -> Result<Run, Refusal> {
        let is_run = |folder: &Path| {
            fs::symlink_metadata(folder.join("journal")).is_ok_and(|meta| meta.is_file() && meta.len() > 0)
        };
        if is_run(place) {
            return Ok(Run::at(place.into()));
        }
        let all = if place.file_name().is_some_and(|name| name == RUNS) { place.into() } else { place.join(RUNS) };
        let last = list(&all).into_iter().rfind(|run| is_run(&run.folder));
        last.ok_or_else(|| Refusal::NoRun(place.into()))
    }

    /// Returns its journal.
    pub fn journal(&self) -> PathBuf {
        self.folder.join("journal")
    }

    /// Returns the copy of its input.
    pub fn input(&self) -> PathBuf {
        self.folder.join("input")
    }

    /// Keeps a deeper record of executions, with which a branch begins.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn keep_record(&self, number: u32, begin: &Candidate) -> Result<(), Refusal> {
        let (fresh, place) = (self.folder.join(".record.new"), self.record_folder(number));
        let write = || {
            for old in [&fresh, &place].into_iter().filter(|old| old.exists()) {
                fs::remove_dir_all(old)?;
            }
            fs::create_dir(&fresh)?;
            write_below(begin, &fresh)?;
            fs::rename(&fresh, &place)
        };
        write().map_err(Refusal::io("write", &place))
    }

    /// Returns a deeper record of executions, as it was kept.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(crate) fn record(&self, number: u32) -> Result<Artifact, Refusal> {
        Ok(load_published(&self.record_folder(number), None)?)
    }

    /// Returns where a deeper record of executions is kept.
    pub fn record_folder(&self, number: u32) -> PathBuf {
        self.folder.join(format!("record-{number}"))
    }

    /// Returns where it is kept what the project was that tests get copies of.
    pub fn project(&self) -> PathBuf {
        self.folder.join("project")
    }

    /// Returns where other failures are kept.
    pub fn others(&self) -> PathBuf {
        self.folder.join("others")
    }

    /// Returns the input it began with.
    ///
    /// # Errors
    /// If its copy cannot be read, or is not what the run began with.
    pub fn load(&self, expected: Key) -> Result<Artifact, Refusal> {
        let artifact = load_published(&self.input(), None)?;
        let whole = Candidate::whole(artifact.into());
        if whole.key() == expected { Ok(whole.artifact()) } else { Err(Refusal::InputChanged(self.input())) }
    }
}

/// Checks whether runs can be kept below a folder: better now than after the first tests.
///
/// # Errors
/// If they cannot.
pub(crate) fn check_kept(below: &Path) -> Result<(), Refusal> {
    let all = below.join(RUNS);
    // A link to nothing is there, too.
    let there = all.ancestors().find(|folder| fs::symlink_metadata(folder).is_ok()).unwrap_or(Path::new("."));
    let is_folder = fs::metadata(there).and_then(|meta| match meta.is_dir() {
        true => Ok(()),
        false => Err(io::ErrorKind::NotADirectory.into()),
    });
    let is_writable = is_folder.and_then(|()| Ok(access(there, Access::WRITE_OK | Access::EXEC_OK)?));
    is_writable.map_err(not_kept(there))
}

/// Returns the refusal of a place where no run can be kept.
fn not_kept(path: &Path) -> impl FnOnce(io::Error) -> Refusal {
    let path = path.to_owned();
    |source| Refusal::RunsNotKept { path, source }
}

/// Returns where the runs of a folder have put their results.
pub fn results(below: &Path) -> Vec<PathBuf> {
    // That is said in one of the first records.
    const FIRST: usize = 8;
    // No journal begins with longer ones.
    const LONGEST: u64 = 1 << 30;
    let mut results = vec![];
    for run in list(&below.join(RUNS)) {
        let Ok(file) = journal::open(&run.journal()) else { continue };
        let lines = io::BufReader::new(file.take(LONGEST)).split(b'\n').take(FIRST).map_while(Result::ok);
        // The first records are long, and there may be hundreds of runs: only the one that is looked for is read.
        let records = lines.filter(|line| line.starts_with(br#"{"t":"published""#)).filter_map(|line| {
            let json = line.split(|byte| *byte == b'\t').next()?;
            serde_json::from_slice(json).ok()
        });
        results.extend(records.filter_map(|record| match record {
            JournalRecord::Published { out, .. } => Some(out),
            _ => None,
        }));
    }
    results
}

/// Returns whether one of the runs of this folder reduced this input in place at `out`.
pub fn is_input_of_a_run(below: &Path, out: &Path, there: Key) -> bool {
    list(&below.join(RUNS)).into_iter().any(|run| {
        let Ok((records, _)) = journal::read(&run.journal()) else { return false };
        let is_input = matches!(records.first(), Some(JournalRecord::Run { input, .. }) if *input == there);
        is_input && records.iter().any(|r| matches!(r, JournalRecord::Published { out: place, .. } if place == out))
    })
}

/// Returns whether a run of this folder had this as its best, and has its results at `out`.
pub(crate) fn is_result_of_a_run(below: &Path, out: &Path, there: Key) -> bool {
    has_published(below, out, |record| match record {
        JournalRecord::Improved { k, .. } | JournalRecord::Published { k, .. } => *k == there,
        _ => false,
    })
}

/// Returns whether a run of this folder has its results at `out`, and a record of this kind.
pub(crate) fn has_published(below: &Path, out: &Path, is: impl Fn(&JournalRecord) -> bool) -> bool {
    list(&below.join(RUNS)).into_iter().any(|run| {
        let Ok((records, _)) = journal::read(&run.journal()) else { return false };
        let published =
            records.iter().any(|r| matches!(r, JournalRecord::Published { out: place, .. } if place == out));
        published && records.iter().any(&is)
    })
}

/// Returns whether a folder holds nothing but entries of such names.
pub(crate) fn holds_only(folder: &Path, is: impl Fn(&OsStr) -> bool) -> bool {
    let Ok(mut entries) = fs::read_dir(folder) else { return false };
    entries.all(|entry| entry.is_ok_and(|entry| is(&entry.file_name())))
}

/// Returns the runs in a folder of runs, in the order in which they were begun.
pub(crate) fn list(all: &Path) -> Vec<Run> {
    let Ok(entries) = fs::read_dir(all) else { return vec![] };
    let mut runs: Vec<Run> = entries.flatten().map(|entry| Run::at(entry.path())).collect();
    runs.sort_by_key(|run| (number(run), run.folder.clone()));
    runs
}

fn numbers(all: &Path) -> impl Iterator<Item = u32> {
    list(all).into_iter().filter_map(|run| number(&run))
}

fn number(run: &Run) -> Option<u32> {
    run.folder.file_name()?.to_string_lossy().split('-').next()?.parse().ok()
}

/// Returns where the result went, as the journal has it.
pub(crate) fn published(records: &[JournalRecord]) -> Option<PathBuf> {
    records.iter().rev().find_map(|record| match record {
        JournalRecord::Published { out, .. } => Some(out.clone()),
        _ => None,
    })
}
