//! What was found: a folder for each failure, and one file that knows all of them.

mod filed;

pub use filed::{Filed, FindingStatus};

use super::fuzzing::{Fuzzing, Until};
use super::refused::FuzzingError;
use super::slug::slug;
use crate::engine::RunReport;
use crate::errors::Refusal;
use crate::job::Job;
use reduct_oracle::signature::Signature;
use reduct_oracle::{Exit, Limit};
use reduct_report::human;
use reduct_session::event::Why;
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The file that knows all.
pub(super) const STATE: &str = "fuzz.json";
const LINES: &str = "findings.jsonl";
const TEXT: &str = "findings.txt";
/// So often a failure that did not repeat is looked at again when it is met again.
const SECOND_CHANCES: u64 = 5;

/// Returns whether a folder is one in which it was fuzzed.
///
/// ```
/// assert!(!reduct_lib::is_fuzzing("no-such-folder".as_ref()));
/// ```
pub fn is_fuzzing(folder: &Path) -> bool {
    FindingStore::read(folder).is_ok()
}

/// Reads bytes as all that is known.
pub(crate) fn try_bytes(bytes: &[u8]) {
    let _ = serde_json::from_slice::<FindingStore>(bytes);
}

/// All that is known, as it stands in [`STATE`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct FindingStore {
    v: u32,
    pub(super) fuzzing: Fuzzing,
    /// The next trial.
    pub(super) next: u64,
    pub(super) findings: Vec<Filed>,
    /// The files that are the inputs, by number, if they are files: what is found meanwhile comes after them.
    #[serde(with = "reduct_system::os_path::several", default, skip_serializing_if = "Vec::is_empty")]
    pub(super) files: Vec<PathBuf>,
    /// When to stop, as it was said at the beginning.
    #[serde(default)]
    goals: Goals,
    /// How long the slowest trial took that passed.
    #[serde(default)]
    pub(super) slowest: Duration,
}

/// The rules for stopping that hold across sessions.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Goals {
    trials: Option<u64>,
    findings: Option<usize>,
}

impl FindingStore {
    /// Makes the folder.
    pub(super) fn begin(fuzzing: &Fuzzing, force: bool, until: Until) -> Result<FindingStore, Refusal> {
        let folder = &fuzzing.job.out;
        if fs::symlink_metadata(folder).is_ok() {
            if !(force && is_fuzzing(folder)) {
                let folder = folder.clone();
                return Err(match is_fuzzing(&folder) {
                    true => FuzzingError::Begun(folder).into(),
                    false => FuzzingError::Exists(folder).into(),
                });
            }
            fs::remove_dir_all(folder).map_err(Refusal::io("replace", folder))?;
        }
        fs::create_dir(folder).map_err(Refusal::io("make", folder))?;
        let goals = Goals { trials: until.trials, findings: until.findings };
        let state = FindingStore {
            v: 1,
            fuzzing: fuzzing.clone(),
            next: 0,
            findings: vec![],
            files: vec![],
            goals,
            slowest: Duration::ZERO,
        };
        Ok(state)
    }

    pub(super) fn read(folder: &Path) -> Result<FindingStore, Refusal> {
        let file = folder.join(STATE);
        let text = fs::read(&file).map_err(Refusal::io("read", &file))?;
        let unknown = |why: String| Refusal::UnknownJob(folder.to_owned(), why);
        let state: FindingStore = serde_json::from_slice(&text).map_err(|error| unknown(error.to_string()))?;
        if state.v != 1 {
            return Err(unknown(format!("version {}", state.v)));
        }
        let (here, there) = (folder.canonicalize().ok(), state.fuzzing.job.out.canonicalize().ok());
        if here != there {
            return Err(FuzzingError::Moved(folder.to_owned()).into());
        }
        Ok(state)
    }

    /// Returns when to stop in a session that goes on: what it is told, else what ended no session yet of what was said
    /// at the beginning. A session that goes on after that is to find more.
    pub(super) fn until(&self, told: Until) -> Until {
        let Goals { trials, findings } = self.goals;
        Until { trials: told.trials.or(trials), findings: told.findings.or(findings), ..told }
    }

    /// Notes that a session has come to its end: all that was found is reduced. What is reached of what was said at the beginning
    /// is done with. A session that is interrupted before has not reached it, even if the numbers say so.
    pub(super) fn ended(&mut self) {
        let (next, counted) = (self.next, self.counted());
        self.goals.trials = self.goals.trials.filter(|most| next < *most);
        self.goals.findings = self.goals.findings.filter(|most| counted < *most);
    }

    /// Returns how many failures repeat, and need an input: what fails without any says nothing about inputs.
    pub(super) fn counted(&self) -> usize {
        let counts = |filed: &&Filed| !matches!(filed.standing, FindingStatus::Flaky | FindingStatus::Empty);
        self.findings.iter().filter(counts).count()
    }

    /// Writes down all that is known; files are replaced as a whole.
    pub(super) fn save(&self) -> Result<(), Refusal> {
        let folder = &self.fuzzing.job.out;
        let mut lines = String::new();
        let mut text = String::new();
        for filed in &self.findings {
            let _ = writeln!(lines, "{}", serde_json::to_string(filed).map_err(unwritable(folder))?);
            let _ = writeln!(text, "{}", self.line(filed));
            for same in &filed.same {
                let why = same.why.as_deref().unwrap_or_default();
                let _ = writeln!(text, "  {}; {why}", self.line(same));
            }
        }
        let state = serde_json::to_string(self).map_err(unwritable(folder))?;
        for (name, contents) in [(LINES, &lines), (TEXT, &text), (STATE, &state)] {
            write(folder, name, contents.as_bytes()).map_err(Refusal::io("write", folder.join(name)))?;
        }
        Ok(())
    }

    /// Returns a finding in the index.
    fn line(&self, filed: &Filed) -> String {
        let size = match filed.reduced {
            Some(reduced) => {
                let (after, tests) = (human::bytes(reduced as u64), human::counted(filed.tests, "tests"));
                format!("{} → {after} in {tests}", human::count(filed.bytes as u64))
            }
            None => human::bytes(filed.bytes as u64),
        };
        let Filed { folder, failure, seen, .. } = filed;
        format!("{folder}: {failure}; {size}; seen {}; {}", human::times(*seen), self.origin(filed))
    }

    pub(super) fn known(&self, signature: &Signature) -> Option<usize> {
        self.findings.iter().position(|filed| filed.signature == *signature || filed.also.contains(signature))
    }

    /// Counts one that is known, if it is.
    pub(super) fn met(&mut self, signature: &Signature) {
        if let Some(at) = self.known(signature) {
            self.findings[at].seen += 1;
        }
    }

    /// Returns whether an input of this size is worth more than what is kept of a failure.
    pub(super) fn is_better(&self, at: usize, signature: &Signature, bytes: usize) -> bool {
        let filed = &self.findings[at];
        // What is kept shows the failure as it was first seen.
        if filed.signature != *signature {
            return false;
        }
        match filed.standing {
            FindingStatus::Flaky => filed.seen <= SECOND_CHANCES,
            _ => bytes < filed.reduced.unwrap_or(filed.bytes),
        }
    }

    /// Files a failure that was not met before.
    pub(super) fn add(&mut self, filed: Filed, bytes: &[u8]) -> Result<usize, Refusal> {
        let number = |filed: &Filed| filed.folder.split('-').next().and_then(|number| number.parse::<usize>().ok());
        let last = self
            .findings
            .iter()
            .flat_map(|filed| [filed].into_iter().chain(&filed.same))
            .filter_map(number)
            .max()
            .unwrap_or(0);
        let folder = format!("{:03}-{}", last + 1, slug(&filed.signature));
        let filed = Filed { folder, ..filed };
        self.put(&filed, bytes)?;
        self.findings.push(filed);
        Ok(self.findings.len() - 1)
    }

    /// Keeps a better input of one that was met before.
    pub(super) fn replace(&mut self, at: usize, filed: Filed, bytes: &[u8]) -> Result<(), Refusal> {
        let old = &self.findings[at];
        let (folder, seen, also, same) = (old.folder.clone(), old.seen, old.also.clone(), old.same.clone());
        let filed = Filed { folder, seen, also, same, signature: old.signature.clone(), ..filed };
        self.put(&filed, bytes)?;
        self.findings[at] = Filed { failure: filed.signature.to_string(), ..filed };
        Ok(())
    }

    /// Returns the job that reduces it.
    pub(super) fn reduction(&self, filed: &Filed, hangs_after: Duration) -> Result<Job, Refusal> {
        let (fuzzing, folder) = (&self.fuzzing, self.fuzzing.job.out.join(&filed.folder));
        let mut job = fuzzing.job.clone();
        job.command = fuzzing.job.invocation()?.argv;
        job.inputs = vec![self.name()?];
        job.out = folder.join(self.reduced_name()?);
        job.folder = folder;
        job.failure = fuzzing.reading(&filed.own);
        if filed.signature.exit == Exit::Limit(Limit::Time) {
            job.limits.time = Some(filed.limit.unwrap_or(hangs_after));
        }
        Ok(job)
    }

    /// Notes what came of a reduction.
    pub(super) fn note_reduction(&mut self, at: usize, report: Option<&RunReport>) -> Result<(), Refusal> {
        let out = self.fuzzing.job.out.join(&self.findings[at].folder).join(self.reduced_name()?);
        let filed = &mut self.findings[at];
        filed.reduced = fs::metadata(&out).ok().map(|meta| meta.len() as usize);
        filed.standing = match report {
            None => FindingStatus::Reduced,
            Some(report) => {
                filed.tests = report.ended.asked;
                match (&report.ended.why, report.ended.confirmed) {
                    (Why::Interrupted | Why::Stopped, _) => FindingStatus::New,
                    (_, Some(false)) => FindingStatus::Flaky,
                    (Why::Done, _) => FindingStatus::Reduced,
                    _ => FindingStatus::Bounded,
                }
            }
        };
        Ok(())
    }

    /// Notes why there was no reduction.
    pub(super) fn note_refusal(&mut self, at: usize, refusal: Refusal) -> Result<(), Refusal> {
        let out = self.fuzzing.job.out.join(&self.findings[at].folder).join(self.reduced_name()?);
        let filed = &mut self.findings[at];
        filed.standing = match refusal {
            Refusal::EmptyFails { .. } => {
                fs::write(&out, "").map_err(Refusal::io("write", &out))?;
                filed.reduced = Some(0);
                FindingStatus::Empty
            }
            Refusal::DoesNotFail { .. } => FindingStatus::Flaky,
            other => {
                filed.why = Some(other.to_string());
                FindingStatus::Unreduced
            }
        };
        Ok(())
    }
}

fn unwritable(folder: &Path) -> impl Fn(serde_json::Error) -> Refusal {
    let file = folder.join(STATE);
    move |error| Refusal::io("write", &file)(error.into())
}

/// Replaces a file as a whole.
fn write(folder: &Path, name: &str, contents: &[u8]) -> io::Result<()> {
    let aside = folder.join(format!(".{name}.new"));
    fs::write(&aside, contents)?;
    fs::rename(&aside, folder.join(name))
}
