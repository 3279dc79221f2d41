//! What `reduct play` does.

use super::PlayArgs;
use reduct_play::{Played, Playing, Script, Target, play};
use reduct_system::signals::end_as;
use std::process::ExitCode;

/// What says that nothing can be said.
const CANNOT_TELL: u8 = 125;

/// Plays.
pub(super) fn run(args: &PlayArgs) -> ExitCode {
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
