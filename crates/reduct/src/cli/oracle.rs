//! `reduct oracle [FILE...] -- COMMAND`.

use super::common::Common;
use super::help::{RESULT, TEST};
use super::limits::Stopping;
use super::{reduce, usage, view};
use reduct_lib::{Handed, Job, Refusal, Run, script_of_job, script_of_run, write_script};
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Which failure to write a script for.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The files and folders that fail
    #[arg(value_name = "FILE", required_unless_present = "run", conflicts_with = "run")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    pub(super) common: Common,

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

/// Hides what is for searches.
pub fn without_searches(command: clap::Command) -> clap::Command {
    const SEARCHES: [&str; 7] = ["tests", "time", "stall", "until_granularity", "jobs", "no_cache", "reuse"];
    command.mut_args(|arg| if SEARCHES.contains(&arg.get_id().as_str()) { arg.hide(true) } else { arg })
}

/// Writes the script.
pub fn run(args: &Args) -> Result<ExitCode, Refusal> {
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

fn job(args: &Args) -> Result<Job, Refusal> {
    reduce::check_inputs(&args.files)?;
    let Some(command) = args.common.command() else {
        return Err(usage("there is no test", "give a command that shows the failure: reduct oracle FILE -- COMMAND"));
    };
    let job = args.common.job(command, args.files.clone(), PathBuf::new())?;
    Ok(Job { handed: Handed { as_argument: args.arg, on_stdin: args.stdin }, ..job })
}
