//! `reduct minima FILE -- COMMAND`.

use super::reduce::{beside, check_inputs, languages};
use crate::cli::common::{Common, Handing, Placing};
use crate::cli::entry::{CommandArgs, Entry, Group};
use crate::cli::headings::{LIMITS, RESULT, SEARCH};
use crate::cli::keeping::Keeping;
use crate::cli::limits::without_granularity;
use crate::cli::{usage, view};
use clap::builder::PossibleValuesParser;
use reduct_lib::{Goal, Job, ReductionOptions, Refusal, begin};
use reduct_passes::{Pass, Stage};
use std::path::PathBuf;
use std::process::ExitCode;

/// How the command is called, listed and read.
pub(super) const ENTRY: Entry = Entry::of::<MinimaArgs>("minima", Group::Inputs, "minima");

/// Find all minimal failing inputs, not just one
///
/// A minimum fails, and no single part can be removed from it. A part that is in every minimum is needed for each
/// failure; a part that is only in some belongs to one of several ways to fail. For a large input, reduce it first, or
/// stop early with --most, --tests or --time.
#[derive(clap::Args, Debug)]
#[command(mut_args(without_granularity))]
struct MinimaArgs {
    /// The file or folder that fails
    #[arg(value_name = "FILE")]
    input: PathBuf,

    #[command(flatten)]
    common: Common,

    /// Remove parts of this kind
    #[arg(long, help_heading = SEARCH, value_name = "KIND", default_value = "lines", value_parser = PossibleValuesParser::new(Pass::of(Stage::Delete).filter(|pass| pass.single_list).map(|pass| pass.name)))]
    by: String,

    /// Stop after N different minima
    #[arg(long, help_heading = LIMITS, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    most: u32,

    #[command(flatten)]
    handing: Handing,

    #[command(flatten)]
    placing: Placing,

    #[command(flatten)]
    keeping: Keeping,

    /// Parse the input as this language instead of the one that its name tells; `none` parses nothing
    #[arg(long, help_heading = SEARCH, hide_short_help = true, value_name = "NAME", hide_possible_values = true, ignore_case = true, value_parser = PossibleValuesParser::new(languages()))]
    language: Option<String>,

    /// Write the result, a folder with all minima, here [default: page.minima beside page.html]
    #[arg(short, long, value_name = "PATH", help_heading = RESULT)]
    out: Option<PathBuf>,
}

impl CommandArgs for MinimaArgs {
    fn run(&self) -> Result<ExitCode, Refusal> {
        run(self)
    }

    fn common(&self) -> Option<&Common> {
        Some(&self.common)
    }
}

/// Finds all minima.
fn run(args: &MinimaArgs) -> Result<ExitCode, Refusal> {
    let job = job(args)?;
    view::watch(&args.common.looks, |audience| {
        begin(&job, args.common.force, args.common.stopping.stops(), audience).map(|report| Some((job.clone(), report)))
    })
}

fn job(args: &MinimaArgs) -> Result<Job, Refusal> {
    let folder = std::env::current_dir().map_err(Refusal::io("find", "the current folder"))?;
    // A folder, whatever the input is.
    let out = args.out.clone().unwrap_or_else(|| beside(&args.input.with_extension(""), "minima"));
    let goal = Goal::Minima(args.most as usize);
    let job = args.keeping.of(args.common.comparison("minima", args.input.clone(), goal, folder.join(out))?);
    let by = vec![args.by.clone()];
    if !args.input.exists() {
        return Err(usage(format!("there is no {}", args.input.display()), "give a file or folder that fails"));
    }
    check_inputs(std::slice::from_ref(&args.input))?;
    let search = ReductionOptions::standard().with_by(by).with_language(args.language.clone());
    args.placing.of(job.with_search(search).with_handed(args.handing.handed()))
}
