//! `reduct isolate [PASSING] FAILING -- COMMAND`.

use super::reduce::{beside, languages};
use crate::cli::common::{Asking, Common, Handing, Placing, Repeating};
use crate::cli::entry::{CommandArgs, Entry, Group};
use crate::cli::headings::{RESULT, SEARCH};
use crate::cli::keeping::Keeping;
use crate::cli::limits::without_granularity;
use crate::cli::persistent::Persisting;
use crate::cli::{usage, view};
use clap::builder::PossibleValuesParser;
use reduct_lib::{Goal, Job, ReductionOptions, Refusal, begin};
use std::path::PathBuf;
use std::process::ExitCode;

/// How the command is called, listed and read.
pub(super) const ENTRY: Entry = Entry::of::<IsolateArgs>("isolate", Group::Inputs, "isolate");

/// Find the smallest difference between passing and failing input
///
/// The first of two inputs passes, the second one fails; both are files, or both are folders. reduct makes their
/// difference smaller from both sides: first files, functions and lines, then words, then characters. With one input,
/// which fails, reduct looks for the smallest difference to a part of it that passes.
#[derive(clap::Args, Debug)]
#[command(mut_args(without_granularity))]
struct IsolateArgs {
    /// The input that passes and the input that fails, or only the one that fails
    #[arg(value_name = "INPUT", required = true, num_args = 1..=2)]
    inputs: Vec<PathBuf>,

    #[command(flatten)]
    common: Common,

    #[command(flatten)]
    handing: Handing,

    /// Compare by these parts only
    #[arg(long, value_name = "KINDS", help_heading = SEARCH, value_delimiter = ',', value_parser = PossibleValuesParser::new(["lines", "words", "chars"]))]
    by: Vec<String>,

    /// Parse the inputs as this language instead of the one that their names tell; `none` parses nothing
    #[arg(long, help_heading = SEARCH, hide_short_help = true, value_name = "NAME", hide_possible_values = true, ignore_case = true, value_parser = PossibleValuesParser::new(languages()))]
    language: Option<String>,

    /// Write the result, a folder with both sides, here [default: page.isolated beside the input]
    #[arg(help_heading = RESULT, short, long, value_name = "PATH")]
    out: Option<PathBuf>,

    #[command(flatten)]
    placing: Placing,

    #[command(flatten)]
    keeping: Keeping,

    #[command(flatten)]
    repeating: Repeating,

    #[command(flatten)]
    asking: Asking,

    #[command(flatten)]
    persisting: Persisting,
}

impl CommandArgs for IsolateArgs {
    fn run(&self) -> Result<ExitCode, Refusal> {
        run(self)
    }

    fn common(&self) -> Option<&Common> {
        Some(&self.common)
    }
}

/// Isolates.
fn run(args: &IsolateArgs) -> Result<ExitCode, Refusal> {
    let job = job(args)?;
    let looks = args.asking.looks(&args.common.looks);
    view::watch(&looks, |audience| {
        begin(&job, args.common.force, args.common.stopping.stops(), audience).map(|report| Some((job.clone(), report)))
    })
}

fn job(args: &IsolateArgs) -> Result<Job, Refusal> {
    let (goal, failing) = match &args.inputs[..] {
        [failing] => (Goal::IsolateAlone, failing),
        [passing, failing] => (Goal::Isolate(passing.clone()), failing),
        _ => return Err(usage("there is no input", "reduct isolate PASSING FAILING -- COMMAND")),
    };
    let kinds: Result<Vec<bool>, Refusal> = args
        .inputs
        .iter()
        .map(|input| std::fs::metadata(input).map(|meta| meta.is_dir()).map_err(Refusal::io("read", input)))
        .collect();
    if kinds?.windows(2).any(|pair| pair[0] != pair[1]) {
        return Err(usage("one input is a file and the other one a folder", "give two files or two folders"));
    }
    let folder = std::env::current_dir().map_err(Refusal::io("find", "the current folder"))?;
    // A folder, whatever the input is.
    let out = args.out.clone().unwrap_or_else(|| beside(&failing.with_extension(""), "isolated"));
    let is_asked = args.asking.is_asked();
    if is_asked && args.repeating.repeat {
        return Err(usage("--repeat is for tests, and --ask for people", "answer “cannot tell” where it is not clear"));
    }
    let job = match args.common.command() {
        None if is_asked => args.common.job(vec![], vec![failing.clone()], folder.join(out))?.with_goal(goal),
        _ => args.common.comparison("isolate", failing.clone(), goal, folder.join(out))?,
    };
    let job = args.keeping.of(job);
    // Words and characters are a long tail of small questions.
    let by = if is_asked && args.by.is_empty() { vec!["lines".into()] } else { args.by.clone() };
    let search = ReductionOptions::standard().with_by(by).with_language(args.language.clone());
    let handed = args.handing.handed();
    let job = args
        .asking
        .of(job.with_search(search).with_handed(handed).with_repeat(args.repeating.repeat), &args.common.looks);
    args.placing.of(args.persisting.of(job)?)
}
