//! `reduct record -o FILE -- PROGRAM`.

use crate::cli::entry::{CommandArgs, Entry, Group};
use reduct_lib::Refusal;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

#[cfg(feature = "play")]
mod run;
#[cfg(not(feature = "play"))]
use super::playless;

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
        #[cfg(feature = "play")]
        return run::run(self);
        #[cfg(not(feature = "play"))]
        Err(playless::refusal("record"))
    }
}
