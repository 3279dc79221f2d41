//! `reduct events FILE -- COMMAND`.

use super::reduce::beside;
use crate::cli::common::{Common, Handing, Placing};
use crate::cli::entry::{CommandArgs, Entry, Group};
use crate::cli::headings::{RESULT, SEARCH};
use crate::cli::keeping::Keeping;
use crate::cli::{usage, view};
use reduct_input::{Artifact, Circumstances, Parts, Subject};
use reduct_lib::{Job, ReductionOptions, Refusal, begin};
use reduct_passes::Pass;
use reduct_report::human::{count, counted};
use reduct_sources::load;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

/// How the command is called, listed and read.
pub(super) const ENTRY: Entry = Entry::of::<EventsArgs>("events", Group::Actions, "actions")
    .listed("Reduce, play and record user actions or messages");

/// Reduce a record of user actions or messages
///
/// A record holds one event a line: lines of JSON, a script of xdotool, a session at a terminal, or any other text
/// (docs/RECORDS.md). An event that ends or uses something is removed together with the event that began it. When no
/// more events can be removed, reduct makes pauses shorter.
#[derive(clap::Args, Debug)]
struct EventsArgs {
    /// The record of events
    #[arg(value_name = "FILE", required = true)]
    file: PathBuf,

    #[command(flatten)]
    common: Common,

    #[command(flatten)]
    handing: Handing,

    #[command(flatten)]
    placing: Placing,

    #[command(flatten)]
    keeping: Keeping,

    /// Do not make pauses shorter
    #[arg(long, help_heading = SEARCH)]
    keep_pauses: bool,

    /// Write the result here [default: session.reduced.txt beside session.txt]
    #[arg(short, long, value_name = "PATH", help_heading = RESULT)]
    out: Option<PathBuf>,
}

impl CommandArgs for EventsArgs {
    fn run(&self) -> Result<ExitCode, Refusal> {
        run(self)
    }

    fn common(&self) -> Option<&Common> {
        Some(&self.common)
    }
}

/// Reduces a record.
fn run(args: &EventsArgs) -> Result<ExitCode, Refusal> {
    let job = job(args)?;
    let before = events(&args.file)?;
    let done = view::watch(&args.common.looks, |audience| {
        let report = begin(&job, args.common.force, args.common.stopping.stops(), audience)?;
        Ok(Some((job.clone(), report)))
    })?;
    let after = events(&job.out)?;
    if !args.common.looks.is_quiet() {
        let verb = if after == 1 { "is" } else { "are" };
        view::say(&format!("{} of {} {verb} left.", count(after as u64), counted(before as u64, "events")));
    }
    Ok(done)
}

/// Returns how many events there are in a file.
fn events(file: &std::path::Path) -> Result<usize, Refusal> {
    let artifact: Arc<Artifact> = load(&[file.to_owned()])?.into();
    let Some(pass) = Pass::named("events") else { return Ok(0) };
    let proposals = (pass.propose)(&Subject::new(artifact.clone(), None));
    Ok(proposals.into_iter().map(|spans| Parts::new(artifact.clone(), spans).len()).sum())
}

fn job(args: &EventsArgs) -> Result<Job, Refusal> {
    let Some(command) = args.common.command() else {
        let help = "give a command that plays the events and shows the failure: reduct events FILE -- reduct play {} \
                    -- ./program";
        return Err(usage("there is no test", help));
    };
    let folder = std::env::current_dir().map_err(Refusal::io("find", "the current folder"))?;
    let meta = std::fs::metadata(&args.file).map_err(Refusal::io("read", &args.file))?;
    if !meta.is_file() {
        return Err(usage(format!("{} is no file", args.file.display()), "give one record of events"));
    }
    let out = folder.join(args.out.clone().unwrap_or_else(|| beside(&args.file, "reduced")));
    let timing: &[&str] = if args.keep_pauses { &[] } else { &["delays"] };
    let search = ReductionOptions::standard()
        .with_by(["events", "partners"].iter().chain(timing).map(|name| (*name).to_owned()).collect())
        .with_least(args.common.stopping.granularity().unwrap_or(1));
    let handed = args.handing.handed();
    let job = args.keeping.of(args.common.job(command, vec![args.file.clone()], out)?);
    args.placing.of(job.with_search(search).with_handed(handed))
}
