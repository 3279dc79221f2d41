//! `reduct play FILE -- PROGRAM`.

use crate::cli::duration;
use crate::cli::entry::{CommandArgs, Entry, Group};
use reduct_lib::Refusal;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

#[cfg(feature = "play")]
mod run;
#[cfg(not(feature = "play"))]
use super::playless;

/// How the command is called, listed and read.
pub(super) const ENTRY: Entry =
    Entry::of::<PlayArgs>("play", Group::Actions, "actions").listed("Reduce, play and record user actions or messages");

/// Play a record of events to a program
///
/// The program gets a terminal of its own, or a display of its own with --x11. `reduct play` ends as the program ends:
/// with the same exit status or by the same signal. It ends with 0 if the program has got all events and waits for
/// more, and with 125 (unresolved) if an expected output does not come or an event is not possible. docs/RECORDS.md
/// describes the records.
#[derive(clap::Args, Debug)]
struct PlayArgs {
    /// The record: a script of events
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The program that gets the events
    #[arg(last = true, value_name = "PROGRAM", required = true)]
    program: Vec<OsString>,

    /// Play to an X display (Xvfb) instead of a terminal
    #[arg(long)]
    x11: bool,

    /// Send the next event when the program has slept for this long
    #[arg(long, value_name = "TIME", default_value = "50ms", value_parser = duration)]
    idle: Duration,

    /// Wait at most this long for an output that the record expects, or for the first window
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = duration)]
    patience: Duration,
}

impl CommandArgs for PlayArgs {
    fn run(&self) -> Result<ExitCode, Refusal> {
        #[cfg(feature = "play")]
        return Ok(run::run(self));
        #[cfg(not(feature = "play"))]
        Err(playless::refusal("play"))
    }
}
