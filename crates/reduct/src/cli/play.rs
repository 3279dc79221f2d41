//! `reduct play FILE -- PROGRAM`.

use super::duration;
use reduct_run::play::{Played, Playing, Script, Stage, end_as, play};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// What is played, and to what.
///
/// The program gets a terminal of its own, or with --x11 a display of its own. It ends as the program does: with the
/// same status, or by the same signal; with 0 if the program has got all events and waits for more; with 125 (cannot
/// tell) if an expectation is not met or an event is not possible. docs/RECORDS.md says what a script may say.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The script of events
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The program
    #[arg(last = true, value_name = "PROGRAM", required = true)]
    program: Vec<OsString>,

    /// Play on a display (Xvfb) instead of a terminal
    #[arg(long)]
    x11: bool,

    /// A program that sleeps for this long waits for the next event
    #[arg(long, value_name = "TIME", default_value = "50ms", value_parser = duration)]
    idle: Duration,

    /// How long to wait for what is expected, or for the first window
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = duration)]
    patience: Duration,
}

/// What says that nothing can be said.
const CANNOT_TELL: u8 = 125;

/// Plays.
pub fn run(args: &Args) -> ExitCode {
    let stage = if args.x11 { Stage::Display } else { Stage::Terminal };
    let playing = Playing { stage, program: args.program.clone(), idle: args.idle, patience: args.patience };
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
