//! `reduct changes GOOD..BAD -- COMMAND`, `reduct changes OLD NEW -- COMMAND`, `reduct changes --patch FILE`.

use crate::cli::common::{Building, Common, Repeating};
use crate::cli::entry::{CommandArgs, Entry, Group};
use crate::cli::headings::{RESULT, VERSIONS};
use crate::cli::keeping::Keeping;
use crate::cli::limits::without_granularity;
use crate::cli::{usage, view};
use reduct_lib::{Goal, Job, Refusal, begin};
use std::path::PathBuf;
use std::process::ExitCode;

/// How the command is called, listed and read.
pub(super) const ENTRY: Entry = Entry::of::<ChangesArgs>("changes", Group::Versions, "changes");

/// Find the changes that broke a program, down to the line
///
/// `GOOD..BAD` names two commits of the git repository in the current folder; in `GOOD..`, the working tree (or only its
/// index) fails. Two folders are two versions. With --patch, a folder (by default the current one) passes, and it fails
/// with the patches applied. The test runs in a copy of each version, as with `git bisect run`: exit status 0 means
/// that the version passes, 1 to 124 that it fails, 125 that it is unresolved. Your checkout is never changed.
#[derive(clap::Args, Debug)]
#[command(mut_args(without_granularity))]
struct ChangesArgs {
    /// `GOOD..BAD`, `GOOD..`, or two folders: first the one that passes, then the one that fails
    #[arg(value_name = "VERSIONS", num_args = 0..=2)]
    versions: Vec<PathBuf>,

    #[command(flatten)]
    building: Building,

    /// Apply these patches, in this order, to make the folder fail; a folder stands for all patches in it
    #[arg(long, value_name = "FILE", help_heading = VERSIONS)]
    patch: Vec<PathBuf>,

    /// Take the patches out of the folder, which fails with them
    #[arg(long, help_heading = VERSIONS, requires = "patch")]
    reverse: bool,

    /// Use the repository in this folder instead of the current one
    #[arg(short = 'C', help_heading = VERSIONS, long, value_name = "FOLDER", conflicts_with = "patch")]
    repo: Option<PathBuf>,

    #[command(flatten)]
    common: Common,

    /// Write the answer, a folder, here [default: .reduct/…/answer, in the folder of the run]
    #[arg(short, long, value_name = "PATH", help_heading = RESULT)]
    out: Option<PathBuf>,

    #[command(flatten)]
    repeating: Repeating,

    #[command(flatten)]
    keeping: Keeping,
}

impl CommandArgs for ChangesArgs {
    fn run(&self) -> Result<ExitCode, Refusal> {
        run(self)
    }

    fn common(&self) -> Option<&Common> {
        Some(&self.common)
    }

    fn is_told_its_candidate(&self) -> bool {
        false
    }
}

/// Looks for the changes to blame.
fn run(args: &ChangesArgs) -> Result<ExitCode, Refusal> {
    let job = job(args)?;
    view::watch(&args.common.looks, |audience| {
        begin(&job, args.common.force, args.common.stopping.stops(), audience).map(|report| Some((job.clone(), report)))
    })
}

fn job(args: &ChangesArgs) -> Result<Job, Refusal> {
    let here = || args.repo.clone().unwrap_or_else(|| ".".into());
    let (input, goal) = match (&args.versions[..], args.patch.is_empty()) {
        ([], false) => (".".into(), patches(args)),
        ([folder], false) => (folder.clone(), patches(args)),
        (_, false) => {
            return Err(usage(
                "with --patch there is one folder at most",
                "reduct changes FOLDER --patch FILE -- COMMAND",
            ));
        }
        ([old, new], true) => (new.clone(), Goal::BlameFolder(old.clone())),
        ([range], true) => match range.to_str() {
            Some(range) => (here(), Goal::BlameRange(range.to_owned())),
            None => return Err(usage("the range is not UTF-8", "name commits by their hashes")),
        },
        _ => {
            let help = "reduct changes GOOD..BAD -- COMMAND, reduct changes OLD_FOLDER NEW_FOLDER -- COMMAND, or \
                        reduct changes --patch FILE -- COMMAND";
            return Err(usage("there is nothing to compare", help));
        }
    };
    let folder = std::env::current_dir().map_err(Refusal::io("find", "the current folder"))?;
    let out = args.out.as_ref().map(|out| folder.join(out)).unwrap_or_default();
    let job = args.keeping.of(args.common.comparison("changes", input, goal, out)?);
    Ok(job.with_comparing(args.building.comparing()).with_repeat(args.repeating.repeat))
}

fn patches(args: &ChangesArgs) -> Goal {
    Goal::BlamePatches { files: args.patch.clone(), reverse: args.reverse }
}
