//! `reduct resume [RUN]`.

use super::common::Stopping;
use super::{usage, view};
use reduct::{Refusal, Run, asks_a_person, resume};
use std::path::PathBuf;
use std::process::ExitCode;

/// Which run to go on with.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The run's folder, or a folder with runs, of which the last one counts
    #[arg(default_value = ".")]
    run: PathBuf,

    #[command(flatten)]
    stopping: Stopping,

    #[command(flatten)]
    pub(super) looks: view::Looks,
}

/// Goes on with a run.
pub fn run(args: &Args) -> Result<ExitCode, Refusal> {
    if args.stopping.granularity().is_some() {
        let help = "begin again with --until-granularity: what is known of the candidates is found by itself";
        return Err(usage("a run keeps the granularity it began with", help));
    }
    if reduct::is_fuzzing(&args.run) {
        return super::fuzz::resume(&args.run, args.stopping.stops(), &args.looks);
    }
    let run = Run::find(&args.run)?;
    let looks = args.looks.asking(asks_a_person(&run)?);
    view::watch(&looks, |audience| resume(&run, args.stopping.stops(), audience))
}
