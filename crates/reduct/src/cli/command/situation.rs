//! `reduct args`, `reduct env`, `reduct files` and `reduct all`: what of a command's circumstances matters.

use crate::cli::common::Common;
use crate::cli::entry::{CommandArgs, Entry, Group};
use crate::cli::headings::{RESULT, SEARCH, TEST};
use crate::cli::keeping::Keeping;
use crate::cli::limits::without_granularity;
use crate::cli::{usage, view};
use reduct_lib::{Goal, ReductionOptions, Refusal, Situation, TestPlace, begin};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Returns the entry of one of the four.
const fn entry<A: clap::Args + CommandArgs + 'static>(name: &'static str) -> Entry {
    const LINE: &str = "Find the arguments, variables and files that a failure needs";
    Entry::of::<A>(name, Group::Settings, "situations").listed(LINE)
}

/// Returns the options of a command to which nothing is handed over, and of which nothing has a granularity.
fn own(option: clap::Arg) -> clap::Arg {
    match option.get_id().as_str() {
        "command" => option.help("The command that fails; `{}` has no special meaning here"),
        _ => without_granularity(option),
    }
}

/// What the four have in common.
#[derive(clap::Args, Debug)]
#[command(mut_args(own))]
struct Shared {
    #[command(flatten)]
    common: Common,

    #[command(flatten)]
    keeping: Keeping,

    /// Run the command in a folder that holds only copies of the files that it names
    ///
    /// By default, it runs in a copy of the current folder if it fails in another way there.
    #[arg(long, help_heading = TEST, hide_short_help = true)]
    bare: bool,

    /// Write the result, a folder with run.sh, here [default: NAME.reduced, after the command]
    #[arg(short, long, value_name = "PATH", help_heading = RESULT)]
    out: Option<PathBuf>,
}

/// `reduct args`.
pub(super) const ARGS: Entry = entry::<ArgumentsArgs>("args");

/// Find the arguments of a failing command that matter
///
/// The command runs in a fresh folder with copies of the files that it names. reduct removes arguments, alone and
/// together with their neighbours, and makes those that stay shorter. Everything after the name of the program may
/// change.
#[derive(clap::Args, Debug)]
struct ArgumentsArgs {
    #[command(flatten)]
    shared: Shared,

    /// Do not make the arguments shorter that matter
    #[arg(long, help_heading = SEARCH)]
    whole: bool,
}

impl CommandArgs for ArgumentsArgs {
    fn run(&self) -> Result<ExitCode, Refusal> {
        arguments(self)
    }

    fn common(&self) -> Option<&Common> {
        Some(&self.shared.common)
    }

    fn is_told_its_candidate(&self) -> bool {
        false
    }
}

/// `reduct env`.
pub(super) const ENV: Entry = entry::<EnvironmentArgs>("env");

/// Find the environment variables of a failing command that matter
///
/// The command runs with fewer and fewer of the variables with which reduct was started. reduct makes the values of the
/// variables that stay shorter. It does not show values that do not matter.
#[derive(clap::Args, Debug)]
struct EnvironmentArgs {
    #[command(flatten)]
    shared: Shared,

    /// Do not make the values shorter that matter
    #[arg(long, help_heading = SEARCH)]
    whole: bool,
}

impl CommandArgs for EnvironmentArgs {
    fn run(&self) -> Result<ExitCode, Refusal> {
        environment(self)
    }

    fn common(&self) -> Option<&Common> {
        Some(&self.shared.common)
    }

    fn is_told_its_candidate(&self) -> bool {
        false
    }
}

/// `reduct files`.
pub(super) const FILES: Entry = entry::<FilesArgs>("files");

/// Find the files of a folder that a failing command needs
///
/// The command runs in a fresh folder that holds fewer and fewer copies of the files in DIR.
#[derive(clap::Args, Debug)]
struct FilesArgs {
    /// The folder of the command; reduct runs the command in copies of it
    #[arg(default_value = ".")]
    dir: PathBuf,

    #[command(flatten)]
    shared: Shared,

    /// Also reduce the contents of the files that matter
    #[arg(long, help_heading = SEARCH)]
    contents: bool,
}

impl CommandArgs for FilesArgs {
    fn run(&self) -> Result<ExitCode, Refusal> {
        files(self)
    }

    fn common(&self) -> Option<&Common> {
        Some(&self.shared.common)
    }

    fn is_told_its_candidate(&self) -> bool {
        false
    }
}

/// `reduct all`.
pub(super) const ALL: Entry = entry::<AllArgs>("all");

/// Reduce arguments, variables and files of a failing command together
#[derive(clap::Args, Debug)]
struct AllArgs {
    /// The files to reduce [default: all in the current folder]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    shared: Shared,

    /// Do not make shorter what matters: arguments, values and contents of files
    #[arg(long, help_heading = SEARCH)]
    whole: bool,
}

impl CommandArgs for AllArgs {
    fn run(&self) -> Result<ExitCode, Refusal> {
        all(self)
    }

    fn common(&self) -> Option<&Common> {
        Some(&self.shared.common)
    }

    fn is_told_its_candidate(&self) -> bool {
        false
    }
}

const HERE: &str = ".";

/// Runs `reduct args`.
fn arguments(args: &ArgumentsArgs) -> Result<ExitCode, Refusal> {
    let situation = Situation::of_nothing().with_arguments(true).with_contents(!args.whole);
    run(&args.shared, "args", situation, vec![])
}

/// Runs `reduct env`.
fn environment(args: &EnvironmentArgs) -> Result<ExitCode, Refusal> {
    let situation = Situation::of_nothing().with_environment(true).with_contents(!args.whole);
    run(&args.shared, "env", situation, vec![])
}

/// Runs `reduct files`.
fn files(args: &FilesArgs) -> Result<ExitCode, Refusal> {
    if !args.dir.is_dir() {
        let what = format!("{} is no folder", args.dir.display());
        return Err(usage(what, "reduct files [DIR] -- COMMAND runs the command in copies of that folder"));
    }
    let folder = args.dir.clone();
    let situation = Situation::of_nothing().with_files(true).with_contents(args.contents).with_folder(folder);
    run(&args.shared, "files", situation, vec![])
}

/// Runs `reduct all`.
fn all(args: &AllArgs) -> Result<ExitCode, Refusal> {
    let contents = !args.whole;
    let situation = Situation::of_nothing()
        .with_arguments(true)
        .with_environment(true)
        .with_files(true)
        .with_contents(contents)
        .with_folder(HERE.into());
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
    let job = shared.keeping.of(shared.common.job(command, inputs, out)?);
    let job = job.with_search(ReductionOptions::standard()).with_goal(Goal::Command(what));
    let job = job.with_place(if shared.bare { TestPlace::Bare } else { TestPlace::Open });
    let Common { looks, force, stopping, .. } = &shared.common;
    view::watch(&looks.discreet(job.varies_variables()), |audience| {
        begin(&job, *force, stopping.stops(), audience).map(|report| Some((job.clone(), report)))
    })
}

/// Returns a name such as `gcc.reduced`.
fn named_after(command: &[OsString]) -> PathBuf {
    let mut name = command.first().and_then(|word| Path::new(word).file_name()).unwrap_or_default().to_owned();
    name.push(".reduced");
    name.into()
}
