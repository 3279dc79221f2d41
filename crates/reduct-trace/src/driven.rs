//! A program that a driver runs: recorded, or under a plan.

use crate::driver::{Driving, PutGuards};
use crate::error::StepError;
use crate::forks::{ForkServer, Forking};
use crate::instructions::{Changed, Deeper, Instructions, Known, Look, ReadBy, Scheduled};
use crate::made::MADE;
use crate::plan::{ControlFlow, ExecutionPlan, Provenance};
use crate::program::Program;
use crate::recording::beside;
use crate::schedule::Scheduling;
use crate::state::StateChange;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// So many times the executions that were recorded may be asked for under a plan: skipped ones count.
const LONGER: u64 = 10;

/// So many more they may be, for short programs.
const AT_LEAST: u64 = 10_000;

/// What a driver is to do.
#[derive(Clone, Debug)]
pub enum Task<'a> {
    /// Record at most so many events, down to this depth if there is one.
    Record {
        /// Where to. Files with longer names are made beside it.
        to: PathBuf,
        /// How many.
        most: usize,
        /// How deep.
        deepest: Option<usize>,
        /// Where control goes.
        control: ControlFlow,
        /// The value of variables that have none yet.
        unset: Option<String>,
    },
    /// Execute what a plan has, and record what is deeper than the record of the run.
    RecordDeeper {
        /// What was recorded.
        record: &'a ExecutionPlan,
        /// What is executed of it.
        plan: &'a ExecutionPlan,
        /// Where to. Files with longer names are made beside it.
        to: PathBuf,
        /// How many events at most.
        most: usize,
        /// How deep.
        deepest: Option<usize>,
    },
    /// Execute what is recorded only as far as the plan has it, and write down what is assigned, if that is asked for.
    Step {
        /// What was recorded.
        record: &'a ExecutionPlan,
        /// What is executed of it.
        plan: &'a ExecutionPlan,
        /// Where values are written to.
        values: Option<PathBuf>,
        /// Before which executions the values of what their statements read are written down, too.
        reads: Vec<ReadBy>,
        /// If the driver is to fork each run when it is asked to, and to read the plan then: where it is asked.
        forks: Option<ForkServer>,
    },
    /// Write down the variables of all active functions before some executions, which go by their numbers when all are
    /// recorded.
    Look {
        /// Where to.
        to: PathBuf,
        /// Before which executions.
        at: Vec<u32>,
        /// How deep it was recorded.
        deepest: Option<usize>,
    },
    /// Give variables other values before an execution.
    StateChange {
        /// Which, and what.
        change: &'a StateChange,
    },
    /// Run one thread at a time.
    Schedule {
        /// The file of the schedule.
        plan: PathBuf,
        /// How it is run.
        scheduling: &'a Scheduling,
    },
}

/// A program that a driver runs.
#[derive(Clone, Debug)]
pub struct Driven<'a> {
    /// The program.
    pub program: &'a Program,
    /// The files that are looked into, and the folders whose files are; if none, the current folder and that of the script.
    pub into: &'a [PathBuf],
    /// What was compiled for the driver ([`Program::prepare`]); if nothing, that is done now where it is needed.
    pub prepared: Option<&'a Path>,
    /// What puts guards into a file of a language with a grammar; this program can be asked for the same by `reduct step --guards`.
    pub guards: Option<PutGuards>,
    /// What the driver is to do.
    pub task: Task<'a>,
}

impl<'a> Driven<'a> {
    fn looked_into(&self) -> Vec<PathBuf> {
        if !self.into.is_empty() {
            return self.into.to_vec();
        }
        let of_script = self.program.script().and_then(Path::parent).map(|folder| Path::new(".").join(folder));
        std::iter::once(PathBuf::from(".")).chain(of_script).collect()
    }

    /// Returns the command that runs the program, in the current folder. What the driver needs is written to `own`, a folder
    /// that is there as long as it runs.
    ///
    /// # Errors
    /// If that cannot be written, or a file of the program has changed.
    pub fn command(&self, own: &Path) -> Result<Command, StepError> {
        let instructions = self.instructions()?;
        let driver = self.program.driver;
        let looks = instructions.look.is_some() || instructions.change.is_some();
        if matches!(self.task, Task::Step { .. } | Task::RecordDeeper { .. }) && !driver.has_plans {
            return Err(StepError::NoPlans(driver.name));
        }
        if instructions.schedule.is_some() && !driver.has_schedules {
            return Err(StepError::NoSchedules(driver.name));
        }
        if instructions.forks.is_some() && !driver.has_forks {
            return Err(StepError::NoForks(driver.name));
        }
        if looks && !driver.has_states {
            return Err(StepError::NoStates(driver.name));
        }
        if instructions.control == ControlFlow::Recorded && !driver.has_recorded_control {
            return Err(StepError::NoRecordedControl(driver.name));
        }
        if instructions.unset.is_some() && !driver.has_unset {
            return Err(StepError::NoUnset(driver.name));
        }
        let driving = Driving {
            interpreter: &self.program.interpreter,
            words: &self.program.words,
            instructions: &instructions,
            own,
            prepared: self.prepared,
            guards: self.guards,
        };
        (driver.command)(&driving)
    }

    fn instructions(&self) -> Result<Instructions<'a>, StepError> {
        let instructions = Instructions { into: self.looked_into(), ..Instructions::default() };
        Ok(match &self.task {
            Task::Record { to, most, deepest, control, unset } => {
                let (control, unset) = (*control, unset.clone());
                let (record, making) = (Some(to.clone()), Some(beside(to, MADE)));
                Instructions { record, making, most: *most, deepest: *deepest, control, unset, ..instructions }
            }
            Task::Look { to, at, deepest } => {
                let look = Some(Look { to: to.clone(), at: at.clone() });
                Instructions { look, deepest: *deepest, ..instructions }
            }
            Task::StateChange { change } => {
                is_unchanged(&change.about)?;
                let values = change.values.iter().map(|(it, value)| (it.depth, it.name.clone(), value.clone()));
                let values = Changed { at: change.before, values: values.collect() };
                let deepest = change.about.deepest;
                Instructions { change: Some(values), limit: limit(change.recorded, deepest), deepest, ..instructions }
            }
            Task::Schedule { plan, scheduling } => {
                Instructions { schedule: Some(Scheduled { plan: plan.clone(), scheduling }), ..instructions }
            }
            Task::RecordDeeper { record, plan, to, most, deepest } => {
                let (to, taken, most, deepest) = (Some(to.clone()), record.last_time(), *most, *deepest);
                let deeper = record.about.deepest.map(|below| Deeper { below, taken });
                let stepping = Driven {
                    task: Task::Step { record, plan, values: None, reads: vec![], forks: None },
                    ..self.clone()
                };
                Instructions { record: to, most, deepest, deeper, limit: None, ..stepping.instructions()? }
            }
            Task::Step { record, plan, values, reads, forks } => {
                is_unchanged(&record.about)?;
                // What is kept, a server reads for each run.
                let known = match forks {
                    Some(_) => Some(Known::of(record, &record.kept())),
                    None => Some(Known::of(record, plan)),
                };
                let forks = forks.as_ref().map(|it| Forking::of(it, record));
                let files = record.about.files.keys().map(PathBuf::from).collect();
                let deepest = record.about.deepest;
                let limit = limit(record.known().count(), deepest);
                let (values, control, unset) = (values.clone(), record.about.control, record.about.unset.clone());
                let fault = record.about.fault.clone();
                let reads = reads.clone();
                Instructions {
                    known,
                    files,
                    limit,
                    values,
                    reads,
                    deepest,
                    control,
                    unset,
                    fault,
                    forks,
                    ..instructions
                }
            }
        })
    }
}

/// Returns how many executions may be asked for if so many were recorded. Of what is deeper than the record, nobody knows how
/// much there is.
fn limit(recorded: usize, deepest: Option<usize>) -> Option<u64> {
    deepest.is_none().then_some(recorded as u64 * LONGER + AT_LEAST)
}

/// Returns a file of a program that is not what it was when it was recorded. Paths are seen from this folder.
pub fn changed_file(about: &Provenance, folder: &Path) -> Option<String> {
    let is_other = |(file, digest): &(&String, &String)| digest_of(&folder.join(file).to_string_lossy()) != **digest;
    about.files.iter().find(is_other).map(|(file, _)| file.clone())
}

/// Checks whether the files of a program are what they were when it was recorded.
fn is_unchanged(about: &Provenance) -> Result<(), StepError> {
    let changed = about.files.iter().find(|(file, digest)| digest_of(file) != **digest);
    changed.map_or(Ok(()), |(file, _)| Err(StepError::Changed(file.clone())))
}

/// Returns the digest of a file, as the note of a plan has it; nothing if it cannot be read.
pub(crate) fn digest_of(file: &str) -> String {
    let bytes = fs::read(file).unwrap_or_default();
    blake3::hash(&bytes).to_hex().chars().take(16).collect()
}

impl ExecutionPlan {
    /// Notes the digests of the files of the program, as they are now, seen from the current folder: those that it was executed
    /// from.
    pub fn note_files(&mut self, program: &Program) {
        let files: std::collections::BTreeSet<String> = match program.script().filter(|_| program.is_native()) {
            Some(file) => [file.to_string_lossy().into_owned()].into(),
            None => self.events().iter().map(|event| event.place.file.clone()).collect(),
        };
        self.about.files = files.into_iter().map(|file| (file.clone(), digest_of(&file))).collect();
    }

    /// Notes the digests of files in which events are that were recorded later. Paths are seen from this folder.
    pub fn note_more_files(&mut self, folder: &Path) {
        let files = self.events().iter().map(|event| event.place.file.clone());
        let files: std::collections::BTreeSet<String> = files.collect();
        for file in files.into_iter().filter(|file| !self.about.files.contains_key(file)).collect::<Vec<_>>() {
            let digest = digest_of(&folder.join(&file).to_string_lossy());
            self.about.files.insert(file, digest);
        }
    }
}
