//! Where runs are kept, and which one is meant.

use super::headings::RESULT;
use reduct_lib::Job;
use std::path::PathBuf;

/// The variable that says where runs are kept, if no option does.
const VARIABLE: &str = "REDUCT_STATE";

/// Where a run is kept.
#[derive(clap::Args, Debug)]
pub(super) struct Keeping {
    /// Keep the run in DIR/.reduct [default: $REDUCT_STATE, else the current folder]
    ///
    /// Then nothing but the result is written into the current folder. `reduct resume` and the other commands about runs
    /// find it there with the same option or variable.
    #[arg(long, value_name = "DIR", help_heading = RESULT, hide_short_help = true)]
    state: Option<PathBuf>,
}

impl Keeping {
    /// Returns the same job, with its run kept there.
    pub(super) fn of(&self, job: Job) -> Job {
        let runs = self.state.clone().or_else(variable).map(|state| job.folder.join(state));
        job.with_runs(runs)
    }
}

/// Which run is meant.
#[derive(clap::Args, Debug)]
pub(super) struct Chosen {
    /// The folder of a run, or a folder with runs, of which the last one is taken [default: $REDUCT_STATE, else .]
    run: Option<PathBuf>,

    /// Take the last run that was kept with the same option
    #[arg(long, value_name = "DIR", help_heading = RESULT, hide_short_help = true, conflicts_with = "run")]
    state: Option<PathBuf>,
}

impl Chosen {
    /// Returns the folder of the run, or that in which runs are.
    pub(super) fn place(&self) -> PathBuf {
        chosen(self.run.as_ref(), self.state.as_ref())
    }
}

/// Returns the folder of the run that is named so, or that in which runs are.
pub(super) fn chosen(run: Option<&PathBuf>, state: Option<&PathBuf>) -> PathBuf {
    run.or(state).cloned().or_else(variable).unwrap_or_else(|| ".".into())
}

/// Returns what the variable says.
fn variable() -> Option<PathBuf> {
    std::env::var_os(VARIABLE).filter(|state| !state.is_empty()).map(PathBuf::from)
}
