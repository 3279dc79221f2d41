//! `reduct args`, `reduct env`, `reduct files` and `reduct all`: what of a command's circumstances matters.

use super::common::Common;
use super::help::{RESULT, SEARCH, TEST};
use super::{usage, view};
use reduct_lib::{Against, Job, Place, Refusal, Searching, Situation, situation};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The four commands.
pub(super) const NAMES: [&str; 4] = ["args", "env", "files", "all"];

/// The help of a command to which nothing is handed over.
pub(super) fn with_braces(command: clap::Command) -> clap::Command {
    command.mut_arg("command", |it| it.help("The command that fails; `{}` has no special meaning here"))
}

/// What the four have in common.
#[derive(clap::Args, Debug)]
pub struct Shared {
    #[command(flatten)]
    pub(super) common: Common,

    /// Run the command in a folder that holds only copies of the files that it names
    ///
    /// By default, it runs in a copy of the current folder if it fails in another way there.
    #[arg(long, help_heading = TEST, hide_short_help = true)]
    bare: bool,

    /// Write the result, a folder with run.sh, here [default: NAME.reduced, after the command]
    #[arg(short, long, value_name = "PATH", help_heading = RESULT)]
    out: Option<PathBuf>,
}

/// Which arguments matter.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    pub(super) shared: Shared,

    /// Do not make the arguments shorter that matter
    #[arg(long, help_heading = SEARCH)]
    whole: bool,
}

/// Which variables of the environment matter.
#[derive(clap::Args, Debug)]
pub struct Environment {
    #[command(flatten)]
    pub(super) shared: Shared,

    /// Do not make the values shorter that matter
    #[arg(long, help_heading = SEARCH)]
    whole: bool,
}

/// Which files of its folder a command needs.
#[derive(clap::Args, Debug)]
pub struct Files {
    /// The folder of the command; reduct runs the command in copies of it
    #[arg(default_value = ".")]
    dir: PathBuf,

    #[command(flatten)]
    pub(super) shared: Shared,

    /// Also reduce the contents of the files that matter
    #[arg(long, help_heading = SEARCH)]
    contents: bool,
}

/// Which arguments, variables and files matter, and what in them.
#[derive(clap::Args, Debug)]
pub struct All {
    /// The files to reduce [default: all in the current folder]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    pub(super) shared: Shared,

    /// Do not make shorter what matters: arguments, values and contents of files
    #[arg(long, help_heading = SEARCH)]
    whole: bool,
}

const HERE: &str = ".";

/// `reduct args`.
pub fn arguments(args: &Arguments) -> Result<ExitCode, Refusal> {
    let situation = Situation { arguments: true, contents: !args.whole, ..Situation::of_nothing() };
    run(&args.shared, "args", situation, vec![])
}

/// `reduct env`.
pub fn environment(args: &Environment) -> Result<ExitCode, Refusal> {
    let situation = Situation { environment: true, contents: !args.whole, ..Situation::of_nothing() };
    run(&args.shared, "env", situation, vec![])
}

/// `reduct files`.
pub fn files(args: &Files) -> Result<ExitCode, Refusal> {
    if !args.dir.is_dir() {
        let what = format!("{} is no folder", args.dir.display());
        return Err(usage(what, "reduct files [DIR] -- COMMAND runs the command in copies of that folder"));
    }
    let folder = args.dir.clone();
    let situation = Situation { files: true, contents: args.contents, folder, ..Situation::of_nothing() };
    run(&args.shared, "files", situation, vec![])
}

/// `reduct all`.
pub fn all(args: &All) -> Result<ExitCode, Refusal> {
    let contents = !args.whole;
    let situation = Situation { arguments: true, environment: true, files: true, contents, folder: HERE.into() };
    run(&args.shared, "all", situation, args.files.clone())
}

fn run(shared: &Shared, word: &str, what: Situation, inputs: Vec<PathBuf>) -> Result<ExitCode, Refusal> {
    let Some(command) = shared.common.command() else {
        let help = format!("give the command that fails: reduct {word} -- COMMAND");
        return Err(usage("there is no command", help));
    };
    if shared.common.stopping.granularity().is_some() {
        return Err(usage("--until-granularity is for files", "leave it out, or use --tests or --time"));
    }
    let folder = std::env::current_dir().map_err(Refusal::io("find", "the current folder"))?;
    let out = folder.join(shared.out.clone().unwrap_or_else(|| named_after(&command)));
    let job = shared.common.job(command, inputs, out)?;
    let job = Job { search: Searching::standard(), against: Against::Situation(what), ..job };
    let job = Job { place: if shared.bare { Place::Bare } else { Place::Open }, ..job };
    let Common { looks, force, stopping, .. } = &shared.common;
    view::watch(&looks.discreet(job.varies_variables()), |audience| {
        situation(&job, *force, stopping.stops(), audience).map(|report| Some((job.clone(), report)))
    })
}

/// `gcc.reduced`.
fn named_after(command: &[OsString]) -> PathBuf {
    let mut name = command.first().and_then(|word| Path::new(word).file_name()).unwrap_or_default().to_owned();
    name.push(".reduced");
    name.into()
}
