//! `reduct changes GOOD..BAD -- COMMAND`, `reduct changes OLD NEW -- COMMAND`, `reduct changes --patch FILE`.

use super::common::{Building, Common, Repeating};
use super::{usage, view};
use reduct::{Against, Job, Refusal, changes};
use std::path::PathBuf;
use std::process::ExitCode;

/// Which versions to compare, and how.
///
/// `GOOD..BAD` names commits of the git repository you are in; with `GOOD..`, what is in your working tree
/// (or only in its index) fails. Two folders are two versions. With `--patch`, a folder (or this one) passes, and fails with the patches
/// applied. The test is run in a copy of each version, as `git bisect run` has it: 0 means that it works, 1 to 124
/// that it fails, 125 that it cannot be told. Your own checkout is never touched.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// `GOOD..BAD`, `GOOD..`, or two folders: the one that works and the one that fails
    #[arg(value_name = "VERSIONS", num_args = 0..=2)]
    versions: Vec<PathBuf>,

    /// Patches that make the folder fail, in their order; a folder of patches stands for all in it
    #[arg(long, value_name = "FILE")]
    patch: Vec<PathBuf>,

    /// The patches are in the folder already, which fails
    #[arg(long, requires = "patch")]
    reverse: bool,

    /// The repository, if it is not where you are
    #[arg(short = 'C', long, value_name = "FOLDER", conflicts_with = "patch")]
    repo: Option<PathBuf>,

    /// Where the answer goes, a folder [default: in the run's folder, `.reduct/…/answer`]
    #[arg(short, long, value_name = "PATH")]
    out: Option<PathBuf>,

    #[command(flatten)]
    building: Building,

    #[command(flatten)]
    repeating: Repeating,

    #[command(flatten)]
    pub(super) common: Common,
}

/// Looks for the changes to blame.
pub fn run(args: &Args) -> Result<ExitCode, Refusal> {
    let job = job(args)?;
    view::watch(&args.common.looks, |audience| {
        changes(&job, args.common.force, args.common.stopping.stops(), audience)
            .map(|report| Some((job.clone(), report)))
    })
}

fn job(args: &Args) -> Result<Job, Refusal> {
    let here = || args.repo.clone().unwrap_or_else(|| ".".into());
    let (input, against) = match (&args.versions[..], args.patch.is_empty()) {
        ([], false) => (".".into(), patches(args)),
        ([folder], false) => (folder.clone(), patches(args)),
        (_, false) => {
            return Err(usage(
                "with --patch there is one folder at most",
                "reduct changes FOLDER --patch FILE -- COMMAND",
            ));
        }
        ([old, new], true) => (new.clone(), Against::Folder(old.clone())),
        ([range], true) => match range.to_str() {
            Some(range) => (here(), Against::Range(range.to_owned())),
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
    let job = args.common.comparison("changes", input, against, out)?;
    Ok(Job { comparing: args.building.comparing(), repeat: args.repeating.repeat, ..job })
}

fn patches(args: &Args) -> Against {
    Against::Patches { files: args.patch.clone(), reverse: args.reverse }
}
