//! What `reduct step` does with a program: its file says it, or an option.

use super::args::StepArgs;
use super::reads;
use reduct_trace::{ControlFlow, ExecutionPlan, ForkServer, Provenance, StateChange, Task, record_file};
use std::path::{Path, PathBuf};

/// What is done with a program.
pub(super) enum What {
    Recording(PathBuf),
    RecordingDeeper { to: PathBuf, record: ExecutionPlan, plan: ExecutionPlan },
    Looking(PathBuf, Vec<u32>),
    Changing(StateChange),
    Stepping { record: ExecutionPlan, plan: ExecutionPlan },
}

impl What {
    pub(super) fn of(args: &StepArgs, text: &str, plan: &Path, recorded: &Path) -> Result<What, String> {
        let named = |path: &Path, why: String| format!("{}: {why}", path.display());
        if let Some(to) = args.record.as_ref().filter(|_| !args.deeper) {
            return Ok(What::Recording(to.clone()));
        }
        if let Some(to) = &args.look {
            let numbers = text.lines().map(str::parse).collect::<Result<_, _>>();
            return Ok(What::Looking(to.clone(), numbers.map_err(|_| named(plan, "a line is no number".into()))?));
        }
        if StateChange::is_one(text) {
            return StateChange::parse(text).map(What::Changing).map_err(|error| named(plan, error.to_string()));
        }
        if is_empty(text) {
            return Err(named(plan, "there is nothing in it: no plan, no change of values and no schedule".into()));
        }
        let parse =
            |path: &Path, text: &str| ExecutionPlan::parse(text).map_err(|error| named(path, error.to_string()));
        let left = parse(plan, text)?;
        let recorded = &if args.recorded.as_ref().is_some_and(|path| path.is_file()) || is_deeper(recorded, &left) {
            recorded.to_owned()
        } else {
            record_file(recorded, left.record_number())
        };
        let record = parse(recorded, &text_of(recorded)?)?;
        if left.about.record.is_some() && left.about.record != record.about.record {
            return Err(named(recorded, "it is the record of another run than that of the plan".into()));
        }
        if record.events().is_empty() {
            return Err(named(
                recorded,
                "no execution was recorded in it: say which plan is the whole, with --recorded FILE".into(),
            ));
        }
        let last = record.events().iter().map(|it| it.time).max().unwrap_or_default();
        if plan == recorded && record.record_number() == 1 && (last as usize) > record.events().len() {
            let plan = plan.file_name().unwrap_or_default().to_string_lossy();
            return Err(format!(
                "{plan} is a part of what was recorded: say which plan is the whole, with --recorded FILE"
            ));
        }
        Ok(match &args.record {
            Some(to) => What::RecordingDeeper { to: to.clone(), plan: left, record },
            None => What::Stepping { plan: left, record },
        })
    }

    /// Returns what a driver is to do, with the file for what is assigned, if that is asked for, and where it is asked to fork, if it is.
    pub(super) fn task(
        &self,
        args: &StepArgs,
        values: Option<PathBuf>,
        forks: Option<ForkServer>,
    ) -> Result<Task<'_>, String> {
        Ok(match self {
            What::Recording(to) => Task::Record {
                to: absolute(to)?,
                most: args.most,
                deepest: args.deepest,
                control: if args.follow { ControlFlow::Recorded } else { ControlFlow::Natural },
                unset: args.unset.clone(),
            },
            What::RecordingDeeper { to, record, plan } => {
                Task::RecordDeeper { record, plan, to: absolute(to)?, most: args.most, deepest: args.deepest }
            }
            What::Looking(to, at) => Task::Look { to: absolute(to)?, at: at.clone(), deepest: args.deepest },
            What::Changing(change) => Task::StateChange { change },
            What::Stepping { record, plan } => {
                let reads = args.reads.as_deref().map(reads::of).transpose()?.unwrap_or_default();
                Task::Step { record, plan, values, reads, forks }
            }
        })
    }

    pub(super) fn about(&self) -> Option<&Provenance> {
        match self {
            What::Recording(_) | What::Looking(..) => None,
            What::Changing(change) => Some(&change.about),
            What::Stepping { record, .. } | What::RecordingDeeper { record, .. } => Some(&record.about),
        }
    }
}

/// Returns whether a file is that of the deeper record that a plan is of, by its name.
fn is_deeper(file: &Path, plan: &ExecutionPlan) -> bool {
    let number = plan.record_number();
    number > 1 && file.to_string_lossy().ends_with(&format!(".{number}.txt"))
}

/// Returns whether a text has no line that says anything. A plan without an execution has a head.
fn is_empty(text: &str) -> bool {
    text.lines().all(|line| line.trim().is_empty())
}

pub(super) fn text_of(path: &Path) -> Result<String, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    String::from_utf8(bytes).map_err(|_| format!("{} is no plan: it is no text", path.display()))
}

/// Returns a path that is the same from every folder.
pub(super) fn absolute(path: &Path) -> Result<PathBuf, String> {
    std::path::absolute(path).map_err(|error| format!("{}: {error}", path.display()))
}
