//! What `reduct step` is called with.

use std::ffi::OsString;
use std::path::PathBuf;

/// Run a program under a result of trace, state or schedule
///
/// Under a plan of `trace`, the program executes only the statement executions that the plan names; under a change of `state`, its
/// variables have other values; under a schedule of `schedule`, its threads are switched where the schedule says. `reduct step` ends
/// as the program ends. It ends with 125 (unresolved) if the program executes a statement that it did not execute when it was
/// recorded, or has changed since then. Such a run may write, remove and send things that the program never writes, removes and
/// sends otherwise: run it on copies.
#[derive(clap::Args, Debug)]
pub(super) struct StepArgs {
    /// The plan, the change of values or the schedule
    #[arg(value_name = "PLAN")]
    pub(super) plan: PathBuf,

    /// The program, as for `reduct trace`
    #[arg(last = true, value_name = "PROGRAM", required = true)]
    pub(super) program: Vec<OsString>,

    /// The plan as it was recorded, or the folder it is in [default: prog.py.trace.txt beside prog.py.trace.reduced.txt, else PLAN itself]
    #[arg(long, value_name = "FILE")]
    pub(super) recorded: Option<PathBuf>,

    /// Build the program with this line for the shell, as for `reduct trace`
    #[arg(long, value_name = "LINE")]
    pub(super) build: Option<OsString>,

    /// After the program has ended, list the executions under the plan, with the values that they assigned
    #[arg(long, conflicts_with_all = ["record", "values"])]
    pub(super) list: bool,

    /// Record all executions to this file instead
    #[arg(long, value_name = "FILE", hide = true)]
    pub(super) record: Option<PathBuf>,

    /// Execute what PLAN has, and record what is deeper than the record reaches
    #[arg(long, hide = true, requires = "record")]
    pub(super) deeper: bool,

    /// Record no more executions than this
    #[arg(long, value_name = "N", hide = true, default_value_t = 200_000)]
    pub(super) most: usize,

    /// Record no deeper than this
    #[arg(long, value_name = "N", hide = true)]
    pub(super) deepest: Option<usize>,

    /// Fork no tests, whoever asks
    #[arg(long, hide = true)]
    pub(super) no_fork: bool,

    /// Record where conditions go, to go there again
    #[arg(long, hide = true)]
    pub(super) follow: bool,

    /// Give variables of the main module this value before they get one
    #[arg(long, value_name = "VALUE", hide = true)]
    pub(super) unset: Option<String>,

    /// Print PLAN, a file of a program, with guards
    #[arg(long, hide = true)]
    pub(super) guards: bool,

    /// What was compiled for the program
    #[arg(long, value_name = "FILE", hide = true)]
    pub(super) prepared: Option<PathBuf>,

    /// Look into this file, or the files below this folder
    #[arg(long, value_name = "PATH", hide = true)]
    pub(super) only: Vec<PathBuf>,

    /// Write the variables before the executions whose numbers PLAN has, a line each, to this file
    #[arg(long, value_name = "FILE", hide = true, conflicts_with_all = ["record", "list"])]
    pub(super) look: Option<PathBuf>,

    /// Run the program in this folder
    #[arg(long, value_name = "DIR", hide = true)]
    pub(super) folder: Option<PathBuf>,

    /// Run the program with this variable of the environment; NAME alone: without it (may be given several times)
    #[arg(long, value_name = "NAME=VALUE")]
    pub(super) env: Vec<OsString>,

    /// Write what is assigned to this file
    #[arg(long, value_name = "FILE", hide = true)]
    pub(super) values: Option<PathBuf>,

    /// Write what is read there, too, before the last execution of each statement that this plan has (an absolute path)
    #[arg(long, value_name = "PLAN", hide = true, requires = "values")]
    pub(super) reads: Option<PathBuf>,
}
