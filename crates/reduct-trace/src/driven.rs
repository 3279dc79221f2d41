//! A program that a driver runs: recorded, or under a plan.

use crate::plan::{ControlFlow, ExecutionPlan, Place, Provenance};
use crate::program::Program;
use crate::state::StateChange;
use serde::Serialize;
use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The driver for Python.
const PYTHON: &str = include_str!("driver/python.py");

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
    /// Execute what is recorded only as far as the plan has it, and write down what is assigned, if that is asked for.
    Step {
        /// What was recorded.
        record: &'a ExecutionPlan,
        /// What is executed of it.
        plan: &'a ExecutionPlan,
        /// Where values are written to.
        values: Option<PathBuf>,
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
}

/// A program that a driver runs.
#[derive(Clone, Debug)]
pub struct Driven<'a> {
    /// The program.
    pub program: &'a Program,
    /// The files that are looked into, and the folders whose files are; if none, the current folder and that of the script.
    pub into: &'a [PathBuf],
    /// What the driver is to do.
    pub task: Task<'a>,
}

/// Why a program cannot be run by a driver.
#[derive(Debug, thiserror::Error)]
pub enum StepError {
    /// What the driver needs cannot be written.
    #[error("{path}: {why}", path = path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        why: io::Error,
    },
    /// A file of the program is not what it was when it was recorded.
    #[error("{0} has changed since the execution was recorded")]
    Changed(String),
}

/// What a driver is told: see `driver/python.py`.
#[derive(Debug, Default, Serialize)]
struct Instructions {
    into: Vec<PathBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deepest: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<PathBuf>,
    most: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<u64>,
    control: ControlFlow,
    #[serde(skip_serializing_if = "Option::is_none")]
    unset: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    known: Option<PathBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<PathBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    look: Option<Look>,
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<Changed>,
}

#[derive(Debug, Serialize)]
struct Look {
    to: PathBuf,
    at: Vec<u32>,
}

/// A variable is given by the depth of its function among the active ones, and its name.
#[derive(Debug, Serialize)]
struct Changed {
    at: u32,
    values: Vec<(u32, String, String)>,
}

/// What was recorded, and what is kept of it.
#[derive(Debug, Serialize)]
struct Known<'a> {
    places: Vec<(&'a str, u32, u32, bool)>,
    /// What an execution belongs to, or 0, the place, how often it came before within that, and its number.
    known: Vec<(u32, usize, u32, u32)>,
    kept: Vec<u32>,
    /// Where conditions went.
    directions: Vec<(u32, bool)>,
}

impl<'a> Known<'a> {
    fn of(record: &'a ExecutionPlan, plan: &ExecutionPlan) -> Known<'a> {
        let counts = record.counts();
        let mut numbers: HashMap<&Place, usize> = HashMap::new();
        let mut places = vec![];
        let mut known = vec![];
        for event in record.events() {
            let place = *numbers.entry(&event.place).or_insert_with(|| {
                let Place { file, line, nth, is_iteration } = &event.place;
                places.push((file.as_str(), *line, *nth, *is_iteration));
                places.len() - 1
            });
            let count = counts.get(&event.time).copied().unwrap_or_default();
            known.push((event.parent.unwrap_or(0), place, count, event.time));
        }
        let directions = record.events().iter().filter_map(|event| Some((event.time, event.goes()?))).collect();
        Known { places, known, directions, kept: plan.events().iter().map(|event| event.time).collect() }
    }
}

impl Driven<'_> {
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
        let mut instructions = Instructions { into: self.looked_into(), ..Instructions::default() };
        match &self.task {
            Task::Record { to, most, deepest, control, unset } => {
                let (control, unset) = (*control, unset.clone());
                let record = Some(to.clone());
                instructions = Instructions { record, most: *most, deepest: *deepest, control, unset, ..instructions };
            }
            Task::Look { to, at, deepest } => {
                let look = Some(Look { to: to.clone(), at: at.clone() });
                instructions = Instructions { look, deepest: *deepest, ..instructions };
            }
            Task::StateChange { change } => {
                is_unchanged(&change.about)?;
                let values = change.values.iter().map(|(it, value)| (it.depth, it.name.clone(), value.clone()));
                let values = Changed { at: change.before, values: values.collect() };
                let deepest = change.about.deepest;
                instructions = Instructions {
                    change: Some(values),
                    limit: limit(change.recorded, deepest),
                    deepest,
                    ..instructions
                };
            }
            Task::Step { record, plan, values } => {
                is_unchanged(&record.about)?;
                let known = write(own, "known.json", &json(&Known::of(record, plan)))?;
                let deepest = record.about.deepest;
                let limit = limit(record.events().len(), deepest);
                let (values, control, unset) = (values.clone(), record.about.control, record.about.unset.clone());
                instructions =
                    Instructions { known: Some(known), limit, values, deepest, control, unset, ..instructions };
            }
        }
        let driver = write(own, "driver.py", PYTHON.as_bytes())?;
        let instructions = write(own, "instructions.json", &json(&instructions))?;
        let (interpreter, options) =
            self.program.interpreter.split_first().map_or((None, &[][..]), |(a, b)| (Some(a), b));
        let mut command = Command::new(interpreter.map_or("python3".as_ref(), |it| it.as_os_str()));
        command.args(options).arg(driver).arg(instructions).args(&self.program.words);
        if std::env::var_os("PYTHONHASHSEED").is_none() {
            // Sets are listed in the same order each time.
            command.env("PYTHONHASHSEED", "0");
        }
        Ok(command)
    }
}

/// Returns how many executions may be asked for if so many were recorded. Of what is deeper than the record, nobody knows how
/// much there is.
fn limit(recorded: usize, deepest: Option<usize>) -> Option<u64> {
    deepest.is_none().then_some(recorded as u64 * LONGER + AT_LEAST)
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

fn json(it: &impl Serialize) -> Vec<u8> {
    // Numbers, strings and lists can be written, but for paths that are no text: nothing is known of them then.
    serde_json::to_vec(it).unwrap_or_default()
}

fn write(own: &Path, name: &str, bytes: &[u8]) -> Result<PathBuf, StepError> {
    let path = own.join(name);
    fs::write(&path, bytes).map_err(|why| StepError::Unwritable { path: path.clone(), why })?;
    Ok(path)
}

impl ExecutionPlan {
    /// Notes the digests of the files of the program, as they are now, seen from the current folder.
    pub fn note_files(&mut self) {
        let files: std::collections::BTreeSet<String> =
            self.events().iter().map(|event| event.place.file.clone()).collect();
        self.about.files = files.into_iter().map(|file| (file.clone(), digest_of(&file))).collect();
    }
}
