//! The command line. One file a command; the doc comments of the arguments are the help.

pub mod changes;
mod command_word;
mod common;
pub mod events;
pub mod explain;
mod foreign;
pub mod fuzz;
mod help;
pub mod isolate;
mod limits;
pub mod log;
pub mod minima;
pub mod oracle;
mod persistent;
pub mod play;
pub mod record;
pub mod reduce;
pub mod resume;
pub mod situation;
pub mod triage;
mod values;
pub mod verify;
mod view;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use common::Common;
use miette::{MietteHandlerOpts, Report};
use reduct_lib::Refusal;
use reduct_report::excerpt;
use std::io::IsTerminal;
use std::process::ExitCode;
use values::{duration, size, usage};
use view::Looks;

/// Finds what is relevant for a failure: the smallest input that still fails.
///
/// Give reduct a failing input and a command that shows the failure. Everything after `--` is the test. It runs once for
/// each candidate, in a fresh folder that holds the candidate under its own name, or in a copy of the project that it
/// needs; `{}` stands for the path of the candidate.
#[derive(Parser, Debug)]
#[command(
    name = "reduct",
    version,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    arg_required_else_help = true,
    override_usage = USAGE
)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    reduce: reduce::Args,
}

const USAGE: &str = "\
reduct [OPTIONS] FILE... -- COMMAND...
       reduct [OPTIONS] ./test.sh FILE...
       reduct COMMAND [OPTIONS] ...";

/// The commands; what stands above each is its help.
#[derive(Subcommand, Debug)]
enum Command {
    /// Reduce files and folders; the word `reduce` may be left out
    Reduce(Box<reduce::Args>),
    /// Find the smallest difference between passing and failing input
    ///
    /// The first of two inputs passes, the second one fails; both are files, or both are folders. reduct makes their
    /// difference smaller from both sides: first files, functions and lines, then words, then characters. With one input,
    /// which fails, reduct looks for the smallest difference to a part of it that passes.
    Isolate(Box<isolate::Args>),
    /// Find all minimal failing inputs, not just one
    ///
    /// A minimum fails, and no single part can be removed from it. A part that is in every minimum is needed for each
    /// failure; a part that is only in some belongs to one of several ways to fail. For a large input, reduce it first, or
    /// stop early with --most, --tests or --time.
    Minima(Box<minima::Args>),
    /// Find failures with generated inputs, and reduce each of them
    ///
    /// COMMAND gets inputs that it does not expect: on standard input, or as a file if the command contains `{}` or the
    /// name of the input. Each different failure is stored once, in a folder of its own, and reduced at once. Without
    /// --tests, --time or --findings, reduct goes on until it is interrupted; it keeps all findings then. The exit status is
    /// 0 if the session ended as it should, with or without findings.
    Fuzz(Box<fuzz::Args>),
    /// Group a folder of failing inputs by the cause of the failure
    ///
    /// Each input in DIR is run. An input that fails is reduced, and grouped by the report of the failure and by what is
    /// left of the input. Finished work is kept in DIR/.reduct and not repeated.
    Triage(Box<triage::Args>),
    /// Write the test as a script for C-Vise, C-Reduce and others
    ///
    /// The script exits with 0 if and only if the failure occurs for the file of that name in the current folder, as
    /// C-Reduce, C-Vise and Shrink Ray expect. It needs sh, timeout, grep, sed and awk, and what the test needs. Before
    /// reduct writes the script, it runs it on the whole input and on the empty input.
    Oracle(Box<oracle::Args>),
    /// Find the changes that broke a program, down to the line
    ///
    /// `GOOD..BAD` names two commits of the git repository in the current folder; in `GOOD..`, the working tree (or only its
    /// index) fails. Two folders are two versions. With --patch, a folder (by default the current one) passes, and it fails
    /// with the patches applied. The test runs in a copy of each version, as with `git bisect run`: exit status 0 means
    /// that the version passes, 1 to 124 that it fails, 125 that it is unresolved. Your checkout is never changed.
    Changes(Box<changes::Args>),
    /// Find the arguments of a failing command that matter
    ///
    /// The command runs in a fresh folder with copies of the files that it names. reduct removes arguments, alone and
    /// together with their neighbours, and makes those that stay shorter. Everything after the name of the program may
    /// change.
    Args(Box<situation::Arguments>),
    /// Find the environment variables of a failing command that matter
    ///
    /// The command runs with fewer and fewer of the variables with which reduct was started. reduct makes the values of the
    /// variables that stay shorter. It does not show values that do not matter.
    Env(Box<situation::Environment>),
    /// Find the files of a folder that a failing command needs
    ///
    /// The command runs in a fresh folder that holds fewer and fewer copies of the files in DIR.
    Files(Box<situation::Files>),
    /// Reduce arguments, variables and files of a failing command together
    All(Box<situation::All>),
    /// Reduce a record of user actions or messages
    ///
    /// A record holds one event a line: lines of JSON, a script of xdotool, a session at a terminal, or any other text
    /// (docs/RECORDS.md). An event that ends or uses something is removed together with the event that began it. When no
    /// more events can be removed, reduct makes pauses shorter.
    Events(Box<events::Args>),
    /// Play a record of events to a program
    ///
    /// The program gets a terminal of its own, or a display of its own with --x11. `reduct play` ends as the program ends:
    /// with the same exit status or by the same signal. It ends with 0 if the program has got all events and waits for
    /// more, and with 125 (unresolved) if an expected output does not come or an event is not possible. docs/RECORDS.md
    /// describes the records.
    Play(play::Args),
    /// Record what a user types at a terminal
    ///
    /// The program runs at a terminal of its own. All keys go to the program and into the record, with the pauses and with
    /// the prompts before them. `reduct play FILE -- PROGRAM` plays the record, and `reduct events FILE -- reduct play {} --
    /// PROGRAM` reduces it.
    Record(record::Args),
    /// Continue a run where it stopped; known tests do not run again
    Resume(resume::Args),
    /// Check again that the result of a run fails and is minimal
    Verify(verify::Args),
    /// Show which parts of a result may vary, and which must not
    Explain(explain::Args),
    /// Show the tests of a run as a table
    ///
    /// Each row shows one candidate, its size and its outcome, as Example 5.8 of "Why Programs Fail" does. Dots, or grey
    /// text, stand for the parts that the candidate left out.
    Log(log::Args),
}

/// The words by which commands are called.
fn command_names() -> Vec<String> {
    Cli::command().get_subcommands().map(|command| command.get_name().to_owned()).collect()
}

/// The command line. What is for searches is not shown where nothing is searched.
fn parsed() -> Cli {
    let command = Cli::command().mut_subcommand("oracle", oracle::without_searches);
    let command = situation::NAMES
        .into_iter()
        .fold(command, |command, name| command.mut_subcommand(name, situation::with_braces));
    let matches = help::arranged(command).try_get_matches().unwrap_or_else(|error| foreign::explained(error).exit());
    Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
}

/// Does what the command line says, and returns the exit status.
pub fn run() -> ExitCode {
    let cli = parsed();
    let (common, looks) = cli.shared();
    let colored = looks.is_colored(std::io::stderr().is_terminal());
    let theirs = common.map(|common| foreign::Theirs::of(common, cli.has_a_candidate())).unwrap_or_default();
    let done = match cli.command {
        None => reduce::run(&cli.reduce),
        Some(Command::Reduce(args)) => reduce::run(&args),
        Some(Command::Isolate(args)) => isolate::run(&args),
        Some(Command::Changes(args)) => changes::run(&args),
        Some(Command::Events(args)) => events::run(&args),
        Some(Command::Play(args)) => Ok(play::run(&args)),
        Some(Command::Record(args)) => record::run(&args),
        Some(Command::Fuzz(args)) => fuzz::run(&args),
        Some(Command::Minima(args)) => minima::run(&args),
        Some(Command::Triage(args)) => triage::run(&args),
        Some(Command::Args(args)) => situation::arguments(&args),
        Some(Command::Env(args)) => situation::environment(&args),
        Some(Command::Files(args)) => situation::files(&args),
        Some(Command::All(args)) => situation::all(&args),
        Some(Command::Oracle(args)) => oracle::run(&args),
        Some(Command::Resume(args)) => resume::run(&args),
        Some(Command::Verify(args)) => verify::run(&args),
        Some(Command::Explain(args)) => explain::run(&args),
        Some(Command::Log(args)) => log::run(&args),
    };
    done.unwrap_or_else(|refusal| {
        let status = refusal.status();
        complain(theirs.advise(refusal), colored);
        status.into()
    })
}

impl Cli {
    /// Whether a test is told where its candidate is.
    fn has_a_candidate(&self) -> bool {
        use Command::{All, Args, Changes, Env, Files};
        !matches!(self.command, Some(Changes(_) | Args(_) | Env(_) | Files(_) | All(_)))
    }

    /// What commands share: of the test, if there is one, and of what is shown.
    fn shared(&self) -> (Option<&Common>, &Looks) {
        let common = match &self.command {
            None => &self.reduce.common,
            Some(Command::Reduce(args)) => &args.common,
            Some(Command::Isolate(args)) => &args.common,
            Some(Command::Changes(args)) => &args.common,
            Some(Command::Events(args)) => &args.common,
            Some(Command::Fuzz(args)) => &args.common,
            Some(Command::Minima(args)) => &args.common,
            Some(Command::Triage(args)) => &args.common,
            Some(Command::Args(args)) => &args.shared.common,
            Some(Command::Env(args)) => &args.shared.common,
            Some(Command::Files(args)) => &args.shared.common,
            Some(Command::All(args)) => &args.shared.common,
            Some(Command::Oracle(args)) => &args.common,
            Some(Command::Play(_) | Command::Record(_)) => return (None, &self.reduce.common.looks),
            Some(Command::Resume(args)) => return (None, &args.looks),
            Some(Command::Verify(args)) => return (None, &args.looks),
            Some(Command::Explain(args)) => return (None, &args.looks),
            Some(Command::Log(args)) => return (None, &args.looks),
        };
        (Some(common), &common.looks)
    }
}

/// Says why something was not done. Lines are not wrapped: a command among them can be copied.
fn complain(refusal: Refusal, colored: bool) {
    // It can be set once only, and is.
    let _ = miette::set_hook(Box::new(move |_| {
        Box::new(MietteHandlerOpts::new().color(colored).wrap_lines(false).build())
    }));
    eprintln!("{}", only_colors(&format!("{:?}", Report::new(refusal))));
}

/// The text with nothing that does something to a terminal, but for colours: paths and what a test
/// printed may stand in it.
fn only_colors(text: &str) -> String {
    let mut safe = String::new();
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let end = rest.find(|c: char| !(c.is_ascii_digit() || "\x1b[;".contains(c)));
        let is_color = rest.starts_with("\x1b[") && end.is_some_and(|end| rest[end..].starts_with('m'));
        match end {
            Some(end) if is_color => {
                safe.push_str(&rest[..=end]);
                rest = &rest[end + 1..];
            }
            _ => {
                safe.push(if character == '\n' { character } else { excerpt::visible(character) });
                rest = &rest[character.len_utf8()..];
            }
        }
    }
    safe
}
