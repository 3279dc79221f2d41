//! `reduct record -o FILE -- PROGRAM`.

use crate::cli::entry::{CommandArgs, Entry, Group};
use crate::cli::usage;
use reduct_lib::Refusal;
use reduct_play::{RecordError, record};
use reduct_system::signals::end_as;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGWINCH};
use signal_hook::flag::register;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// How the command is called, listed and read.
pub(super) const ENTRY: Entry = Entry::of::<RecordArgs>("record", Group::Actions, "actions")
    .listed("Reduce, play and record user actions or messages");

/// Record what a user types at a terminal
///
/// The program runs at a terminal of its own. All keys go to the program and into the record, with the pauses and with
/// the prompts before them. `reduct play FILE -- PROGRAM` plays the record, and `reduct events FILE -- reduct play {} --
/// PROGRAM` reduces it.
#[derive(clap::Args, Debug)]
struct RecordArgs {
    /// Write the record to this file
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,

    /// Replace the file if it exists
    #[arg(long)]
    force: bool,

    /// The program to run
    #[arg(last = true, value_name = "PROGRAM", required = true)]
    program: Vec<OsString>,
}

impl CommandArgs for RecordArgs {
    fn run(&self) -> Result<ExitCode, Refusal> {
        run(self)
    }
}

/// Records. It ends as the program does.
fn run(args: &RecordArgs) -> Result<ExitCode, Refusal> {
    if !args.force && args.out.exists() {
        let what = format!("{} is there already", args.out.display());
        return Err(usage(what, "choose another place, or allow it to be replaced with --force"));
    }
    let [stop, resized] = [AtomicBool::new(false), AtomicBool::new(false)].map(Arc::new);
    for (signal, flag) in [(SIGINT, &stop), (SIGTERM, &stop), (SIGHUP, &stop), (SIGWINCH, &resized)] {
        register(signal, flag.clone()).map_err(Refusal::io("watch for", "signals"))?;
    }
    let seen = record(&args.program, &args.out, args.force, &stop, &resized);
    match seen {
        Ok(Some(status)) => {
            if !status.success() {
                // It may have said nothing itself.
                crate::cli::view::say(&format!("The program ended with {status}."));
            }
            end_as(status)
        }
        Ok(None) => Ok(ExitCode::from(130)),
        Err(error @ (RecordError::Play(_) | RecordError::NoRecord(_))) => {
            Err(usage(error.to_string(), "nothing was recorded"))
        }
        Err(error) => Err(usage(error.to_string(), "what was typed until then is in the record")),
    }
}
