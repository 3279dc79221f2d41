//! `reduct play FILE -- PROGRAM`.

use crate::cli::duration;
use crate::cli::entry::{CommandArgs, Entry, Group};
use reduct_lib::Refusal;
use reduct_play::{Played, Playing, Script, Target, play};
use reduct_system::signals::end_as;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

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
        Ok(run(self))
    }
}

/// What says that nothing can be said.
const CANNOT_TELL: u8 = 125;

/// Plays.
fn run(args: &PlayArgs) -> ExitCode {
    let target = if args.x11 { Target::Display } else { Target::Terminal };
    let playing = Playing { target, program: args.program.clone(), idle: args.idle, patience: args.patience };
    let text = match std::fs::read(&args.file) {
        Ok(text) => text,
        Err(error) => return cannot_tell(&format!("cannot read {}: {error}", args.file.display())),
    };
    let played = Script::read(&text).map_err(Into::into).and_then(|script| play(&script, &playing));
    match played {
        Ok(Played::Ended(status)) => end_as(status),
        Ok(Played::Survived) => ExitCode::SUCCESS,
        Err(error) => cannot_tell(&error.to_string()),
    }
}

fn cannot_tell(why: &str) -> ExitCode {
    let safe: String = why.chars().map(reduct_report::excerpt::visible).collect();
    eprintln!("reduct play: {safe}");
    ExitCode::from(CANNOT_TELL)
}
