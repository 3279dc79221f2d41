//! `reduct resume [RUN]`.

use super::inquiry;
use super::trace::again::{build_if_gone, refuse_if_changed};
use super::trace::deeper::{self, Reached};
use super::trace::{listed, made};
use crate::cli::entry::{CommandArgs, Entry, Group};
use crate::cli::jobs::RANGE;
use crate::cli::keeping::Chosen;
use crate::cli::limits::{Stopping, without_granularity};
use crate::cli::{usage, view};
use reduct_lib::inquiry::inquiry_of;
use reduct_lib::{
    Refusal, Run, asks_and_varies_variables, asks_on_a_page, resume, resume_from, resume_without_the_last_answer,
};
use reduct_session::journal::{self, JournalRecord};
use std::process::ExitCode;

/// How the command is called, listed and read.
pub(super) const ENTRY: Entry = Entry::of::<ResumeArgs>("resume", Group::Runs, "runs")
    .listed("Continue a run; check its result; show which parts may vary");

/// Continue a run where it stopped; known tests do not run again
#[derive(clap::Args, Debug)]
#[command(mut_args(without_granularity))]
struct ResumeArgs {
    #[command(flatten)]
    chosen: Chosen,

    /// Take back the last answer of a person (`--ask`) first, even if it ended the run
    #[arg(long, help_heading = crate::cli::headings::SEARCH)]
    undo: bool,

    /// Go back to a step and continue from there; `reduct history` lists the steps, 0 is the whole input
    ///
    /// The search begins again with what was left at that step. No known test runs again. The steps so far stay in the
    /// journal: `reduct history` shows both branches.
    #[arg(long, value_name = "STEP", help_heading = crate::cli::headings::SEARCH, conflicts_with = "undo")]
    from: Option<usize>,

    /// Keep what this later step took away (with --from; repeatable)
    ///
    /// Candidates that lack anything of what the step took away are not tested in the new branch.
    #[arg(long, value_name = "STEP", help_heading = crate::cli::headings::SEARCH, requires = "from")]
    never: Vec<usize>,

    /// Run N tests at a time; N does not change the result [default: as many as before]
    #[arg(short, long, value_name = "N", help_heading = crate::cli::headings::SEARCH, alias = "n", short_alias = 'n',
          alias = "parallelism", value_parser = clap::value_parser!(u16).range(i64::from(*RANGE.start())..=i64::from(*RANGE.end())))]
    jobs: Option<u16>,

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

/// Returns how far a run has come that is done, if what it has left of the executions of a program may be recorded deeper: it was killed
/// before that, or there was something in the way.
fn can_be_recorded_deeper(run: &Run, args: &ResumeArgs) -> Result<Option<Reached>, Refusal> {
    let (records, _) = journal::read(&run.journal())?;
    let (job, _) = run.job(&records)?;
    let is_done = records.iter().any(|record| matches!(record, JournalRecord::Ended { done: true, .. }));
    let is_asked = args.from.is_none() && !args.undo;
    let reached = (is_done && is_asked).then(|| Reached::done(job, run));
    Ok(reached.filter(Reached::can_go_on))
}

/// Goes on with a run.
fn run(args: &ResumeArgs) -> Result<ExitCode, Refusal> {
    if args.stopping.granularity().is_some() {
        let help = "begin again with --until-granularity, and with --reuse to take what is known of the candidates";
        return Err(usage("a run keeps the granularity it began with", help));
    }
    let place = args.chosen.place();
    // REDUCT_JOBS is for new runs: there may be a reason why this one was begun with -j1.
    let jobs = args.jobs.map(usize::from);
    if reduct_lib::is_fuzzing(&place) {
        if jobs.is_some() {
            let help = "reduct resume, without --jobs";
            return Err(usage("fuzzing goes on with as many jobs as it began with", help));
        }
        if args.from.is_some() {
            let help = "reduct resume, without --from: each finding of it is reduced by a run of its own";
            return Err(usage("fuzzing has no steps to go back to", help));
        }
        if args.undo {
            let help = "reduct resume, without --undo";
            return Err(usage("only what a person has answered can be taken back", help));
        }
        return super::fuzz::resume(&place, args.stopping.stops(), &args.looks);
    }
    let run = Run::find(&place)?.with_jobs(jobs).with_page_opened(args.looks.opens_page());
    if let Some(begun) = inquiry_of(&run)? {
        if args.from.is_some() {
            let help = "reduct resume, without --from";
            return Err(usage("a run of several searches has no steps to go back to", help));
        }
        return inquiry::resume(&begun, args.undo, args.stopping.stops(), &args.looks);
    }
    refuse_if_changed(&run)?;
    let _held = build_if_gone(&run)?;
    let (asks, is_discreet) = asks_and_varies_variables(&run)?;
    let looks = args.looks.asking(asks).discreet(is_discreet);
    // The page on which a person is asked is the page about the run, too.
    let looks = if asks_on_a_page(&run)? { looks.without_page() } else { looks };
    let mut is_done = false;
    let mut reached = can_be_recorded_deeper(&run, args)?;
    if let Some(done) = reached.take() {
        let (reached, status) = deeper::go_on(done, (args.stopping.stops(), jobs), &looks)?;
        if !matches!(status, Ok(None)) {
            listed::list(&reached.job, &reached.run, &reached.why, looks.is_quiet())?;
            made::remove(&reached.job, &reached.why);
        }
        return Ok(status?.unwrap_or(ExitCode::SUCCESS));
    }
    let done = view::watch(&looks, |audience| {
        let stops = args.stopping.stops();
        let resumed = match args.from {
            Some(from) => resume_from(&run, (from, &args.never), stops, audience)?,
            None if args.undo => resume_without_the_last_answer(&run, stops, audience)?,
            None => resume(&run, stops, audience)?,
        };
        is_done = resumed.is_none();
        reached = resumed.as_ref().map(|(job, report)| Reached::of(job, report));
        Ok(resumed)
    });
    if let (Some(before), Ok(before_that)) = (reached, &done) {
        let (reached, done) = deeper::go_on(before, (args.stopping.stops(), jobs), &looks)?;
        listed::list(&reached.job, &reached.run, &reached.why, looks.is_quiet())?;
        made::remove(&reached.job, &reached.why);
        return Ok(done?.unwrap_or(*before_that));
    }
    if asks && is_done {
        view::say("To take the last answer back and go on from there: reduct resume --undo");
    }
    done
}
