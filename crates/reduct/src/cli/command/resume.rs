//! `reduct resume [RUN]`.

use super::inquiry;
use crate::cli::entry::{CommandArgs, Entry, Group};
use crate::cli::keeping::Chosen;
use crate::cli::limits::{Stopping, without_granularity};
use crate::cli::{usage, view};
use reduct_lib::inquiry::inquiry_of;
use reduct_lib::{Refusal, Run, asks_and_varies_variables, resume, resume_without_the_last_answer};
use std::process::ExitCode;

/// How the command is called, listed and read.
pub(super) const ENTRY: Entry = Entry::of::<ResumeArgs>("resume", Group::Runs, "runs");

/// Continue a run where it stopped; known tests do not run again
#[derive(clap::Args, Debug)]
#[command(mut_args(without_granularity))]
struct ResumeArgs {
    #[command(flatten)]
    chosen: Chosen,

    /// Take back the last answer of a person (`--ask`) first, even if it ended the run
    #[arg(long, help_heading = crate::cli::headings::SEARCH)]
    undo: bool,

    #[command(flatten)]
    stopping: Stopping,

    #[command(flatten)]
    looks: view::Looks,
}

impl CommandArgs for ResumeArgs {
    fn run(&self) -> Result<ExitCode, Refusal> {
        run(self)
    }

    fn looks(&self) -> Option<&view::Looks> {
        Some(&self.looks)
    }
}

/// Goes on with a run.
fn run(args: &ResumeArgs) -> Result<ExitCode, Refusal> {
    if args.stopping.granularity().is_some() {
        let help = "begin again with --until-granularity, and with --reuse to take what is known of the candidates";
        return Err(usage("a run keeps the granularity it began with", help));
    }
    let place = args.chosen.place();
    if reduct_lib::is_fuzzing(&place) {
        if args.undo {
            let help = "reduct resume, without --undo";
            return Err(usage("only what a person has answered can be taken back", help));
        }
        return super::fuzz::resume(&place, args.stopping.stops(), &args.looks);
    }
    let run = Run::find(&place)?;
    if let Some(begun) = inquiry_of(&run)? {
        return inquiry::resume(&begun, args.undo, args.stopping.stops(), &args.looks);
    }
    let (asks, is_discreet) = asks_and_varies_variables(&run)?;
    let looks = args.looks.asking(asks).discreet(is_discreet);
    let mut is_done = false;
    let done = view::watch(&looks, |audience| {
        let resume = if args.undo { resume_without_the_last_answer } else { resume };
        let resumed = resume(&run, args.stopping.stops(), audience)?;
        is_done = resumed.is_none();
        Ok(resumed)
    });
    if asks && is_done {
        view::say("To take the last answer back and go on from there: reduct resume --undo");
    }
    done
}
