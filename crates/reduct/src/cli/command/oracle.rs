//! `reduct oracle [FILE...] -- COMMAND`.

use super::reduce;
use crate::cli::common::Common;
use crate::cli::entry::{CommandArgs, Entry, Group};
use crate::cli::headings::{RESULT, TEST};
use crate::cli::limits::{Stopping, hidden};
use crate::cli::{usage, view};
use reduct_lib::{InputDelivery, Job, Refusal, Run, script_of_job, script_of_run, write_script};
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// How the command is called, listed and read.
pub(super) const ENTRY: Entry = Entry::of::<OracleArgs>("oracle", Group::Inputs, "oracle");

/// Write the test as a script for C-Vise, C-Reduce and others
///
/// The script exits with 0 if and only if the failure occurs for the file of that name in the current folder, as
/// C-Reduce, C-Vise and Shrink Ray expect. It needs sh, timeout, grep, sed and awk, and what the test needs. Before
/// reduct writes the script, it runs it on the whole input and on the empty input.
#[derive(clap::Args, Debug)]
#[command(mut_args(without_searches))]
struct OracleArgs {
    /// The files and folders that fail
    #[arg(value_name = "FILE", required_unless_present = "run", conflicts_with = "run")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    common: Common,

    /// Take the test and the failure from this run, or from the last run in this folder
    #[arg(long, value_name = "RUN", help_heading = TEST)]
    run: Option<PathBuf>,

    /// Pass the path of the candidate to the test as the last argument
    #[arg(long, help_heading = TEST, hide_short_help = true, conflicts_with = "run")]
    arg: bool,

    /// Pass the candidate to the test on standard input
    #[arg(long, help_heading = TEST, conflicts_with = "run")]
    stdin: bool,

    /// Write the script here [default: standard output]
    #[arg(short, long, value_name = "PATH", help_heading = RESULT)]
    out: Option<PathBuf>,
}

impl CommandArgs for OracleArgs {
    fn run(&self) -> Result<ExitCode, Refusal> {
        run(self)
    }

    fn common(&self) -> Option<&Common> {
        Some(&self.common)
    }
}

/// Hides what is for searches.
fn without_searches(option: clap::Arg) -> clap::Arg {
    hidden(option, &["tests", "time", "stall", "until_granularity", "jobs", "no_cache", "reuse"])
}

/// Writes the script.
fn run(args: &OracleArgs) -> Result<ExitCode, Refusal> {
    if args.common.stopping != Stopping::default() {
        let what = "--tests, --time, --stall and --until-granularity are for searches";
        return Err(usage(what, "leave them out: to write a script takes four tests"));
    }
    if let Some(out) = args.out.as_ref().filter(|out| !args.common.force && out.symlink_metadata().is_ok()) {
        let what = format!("{} exists", out.display());
        return Err(usage(what, "choose another place with --out, or replace it with --force"));
    }
    let name = args.out.as_ref().and_then(|out| out.file_name()).map(|name| name.to_string_lossy().into_owned());
    let called = format!("./{}", name.unwrap_or_else(|| "test.sh".into()));
    let looks = &args.common.looks;
    looks.without_passes()?;
    let script = match &args.run {
        Some(run) => {
            let run = Run::find(run)?;
            view::show(looks, |audience| script_of_run(&run, &called, audience))?
        }
        None => {
            let job = job(args)?;
            view::show(looks, |audience| script_of_job(&job, &called, audience))?
        }
    };
    match &args.out {
        Some(out) => write_script(&script, out, args.common.force)?,
        None => io::stdout().write_all(&script).map_err(Refusal::io("write", "standard output"))?,
    }
    Ok(ExitCode::SUCCESS)
}

fn job(args: &OracleArgs) -> Result<Job, Refusal> {
    reduce::check_inputs(&args.files)?;
    let Some(command) = args.common.command() else {
        return Err(usage("there is no test", "give a command that shows the failure: reduct oracle FILE -- COMMAND"));
    };
    let job = args.common.job(command, args.files.clone(), PathBuf::new())?;
    Ok(job.with_handed(InputDelivery::default().with_as_argument(args.arg).with_on_stdin(args.stdin)))
}
