//! The command line. One file a command; the doc comments of the arguments are the help.

pub mod changes;
mod command_word;
mod common;
pub mod events;
pub mod explain;
mod foreign;
pub mod fuzz;
pub mod isolate;
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
pub mod verify;
mod view;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use miette::{MietteHandlerOpts, Report};
use reduct::Refusal;
use reduct_report::excerpt;
use std::io::IsTerminal;
use std::process::ExitCode;
use std::time::Duration;
use view::Looks;

/// Finds what is relevant for a failure: the smallest input that still fails.
///
/// Give it what fails and a command that shows it. Everything after `--` is the test, run as it is, in
/// a fresh folder that holds the candidate under its own name, or in a copy of the project that it needs; `{}` stands
/// for its path.
#[derive(Parser, Debug)]
#[command(
    name = "reduct",
    version,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = EXIT_STATUS,
    override_usage = "reduct [OPTIONS] FILE... -- COMMAND...\n       reduct [OPTIONS] ./test.sh FILE...\n       reduct isolate [OPTIONS] [PASSING] FAILING -- COMMAND...\n       reduct changes [OPTIONS] GOOD..BAD -- COMMAND...\n       reduct args|env|files|all [OPTIONS] … -- COMMAND...\n       reduct events [OPTIONS] FILE -- COMMAND...\n       reduct play|record FILE -- PROGRAM...\n       reduct fuzz [OPTIONS] -- COMMAND...\n       reduct triage [OPTIONS] DIR -- COMMAND...\n       reduct minima [OPTIONS] FILE -- COMMAND...\n       reduct oracle [OPTIONS] FILE -- COMMAND...\n       reduct resume|verify|explain|log [RUN]"
)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    reduce: reduce::Args,
}

const EXIT_STATUS: &str = "\
Exit status:
  0    done: the result is proved
  1    verify: the claim does not hold
  2    wrong use; nothing was changed
  3    the failure does not occur on the whole input; nothing was changed
  4    stopped early, or went back to a larger result; the best so far is on disk
  130  interrupted; the best so far is on disk

Examples:
  reduct page.html -- ./browser --print {}      the failure is what the first run shows
  reduct crash.c -- gcc -O2 -c crash.c          the same, by name in the test's folder
  reduct ./interesting.sh crash.c               a script of C-Reduce or C-Vise, unchanged
  reduct isolate good.c bad.c -- ./cc {}        the smallest difference between the two
  reduct changes v1.2..v1.3 -- ./test.sh        which changes broke it; a script of git bisect run, unchanged
  reduct events s.txt -- reduct play {} -- ./p  which of the recorded actions matter
  reduct fuzz -- ./calculator                   failures on inputs that nobody expects, each reduced
  reduct args -- gcc -O2 -Wall x.c              which arguments matter; `env`, `files`, `all` likewise
  reduct resume                                 go on after any interruption

These are the options of a reduction. `reduct COMMAND --help` has those of each other command.";

#[derive(Subcommand, Debug)]
enum Command {
    /// Reduce files and folders (the plain form of the command)
    Reduce(Box<reduce::Args>),
    /// Find the smallest difference between an input that works and one that fails
    Isolate(Box<isolate::Args>),
    /// Find the changes between two versions of a program that broke it, down to the lines
    Changes(Box<changes::Args>),
    /// Find the events of a record that matter
    Events(Box<events::Args>),
    /// Play a record of events to a program, and end as the program does
    Play(play::Args),
    /// Record what is typed at a terminal
    Record(record::Args),
    /// Find failures of a program by inputs that it does not expect, and reduce each of them
    Fuzz(Box<fuzz::Args>),
    /// Find all minimal inputs that fail, not just one
    Minima(Box<minima::Args>),
    /// Group a folder of failing inputs by why they fail
    Triage(Box<triage::Args>),
    /// Find the arguments of a command that matter for its failure
    Args(Box<situation::Arguments>),
    /// Find the variables of the environment that matter
    Env(Box<situation::Environment>),
    /// Find the files of a folder that a failing command needs
    Files(Box<situation::Files>),
    /// Reduce arguments, variables and files of a failing command together
    All(Box<situation::All>),
    /// Write a script that tells the failure, for C-Vise, C-Reduce and others
    Oracle(Box<oracle::Args>),
    /// Go on with a run where it stopped; no known test is run again
    Resume(resume::Args),
    /// Check the claim of a run again: the result fails, and nothing can go from it
    Verify(verify::Args),
    /// Explain the result of a run: what of it may be anything, what must be exactly so
    Explain(explain::Args),
    /// Show the tests of a run, as in a book: what was left out is grey
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
    let matches = command.try_get_matches().unwrap_or_else(|error| foreign::explained(error).exit());
    Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
}

/// Does what the command line says, and returns the exit status.
pub fn run() -> ExitCode {
    let cli = parsed();
    let colored = cli.looks().is_colored(std::io::stderr().is_terminal());
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
        complain(refusal, colored);
        status.into()
    })
}

impl Cli {
    fn looks(&self) -> &Looks {
        match &self.command {
            None => &self.reduce.common.looks,
            Some(Command::Reduce(args)) => &args.common.looks,
            Some(Command::Isolate(args)) => &args.common.looks,
            Some(Command::Changes(args)) => &args.common.looks,
            Some(Command::Events(args)) => &args.common.looks,
            Some(Command::Play(_) | Command::Record(_)) => &self.reduce.common.looks,
            Some(Command::Fuzz(args)) => &args.common.looks,
            Some(Command::Minima(args)) => &args.common.looks,
            Some(Command::Triage(args)) => &args.common.looks,
            Some(Command::Args(args)) => &args.shared.common.looks,
            Some(Command::Env(args)) => &args.shared.common.looks,
            Some(Command::Files(args)) => &args.shared.common.looks,
            Some(Command::All(args)) => &args.shared.common.looks,
            Some(Command::Oracle(args)) => &args.common.looks,
            Some(Command::Resume(args)) => &args.looks,
            Some(Command::Verify(args)) => &args.looks,
            Some(Command::Explain(args)) => &args.looks,
            Some(Command::Log(args)) => &args.looks,
        }
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

/// A refusal of how a command was used.
fn usage(what: impl Into<String>, help: impl Into<String>) -> Refusal {
    Refusal::Usage { what: what.into(), help: help.into() }
}

/// A size in bytes: `512`, `64K`, `2M`, `1G`, `4GiB`.
fn size(text: &str) -> Result<u64, String> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let shift = match unit.trim().to_ascii_lowercase().trim_end_matches("ib").trim_end_matches('b') {
        "" => 0,
        "k" => 10,
        "m" => 20,
        "g" => 30,
        "t" => 40,
        _ => return Err(format!("`{unit}` is no unit: it is K, M, G or T")),
    };
    let number: u64 = number.parse().map_err(|_| "a size is a number with a unit, e.g. 512M".to_owned())?;
    number.checked_mul(1 << shift).ok_or_else(|| "that is too large".into())
}

/// A time: `500ms`, `10s`, `5m`, `2h`, of a year at most. Without a unit, it is in seconds, as `timeout` has it.
fn duration(text: &str) -> Result<Duration, String> {
    const LONGEST: Duration = Duration::from_secs(366 * 24 * 3600);
    let help = || "a time is a number of seconds, or one with a unit, e.g. 500ms, 10s, 5m, 2h".to_owned();
    let is_bare = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let time = match text.parse::<f64>() {
        Ok(seconds) if is_bare => Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX),
        _ => humantime::parse_duration(text).map_err(|_| help())?,
    };
    if time > LONGEST { Err("that is longer than a year".into()) } else { Ok(time) }
}

/// One that is not none.
fn some_time(text: &str) -> Result<Duration, String> {
    let time = duration(text)?;
    if time.is_zero() { Err("nothing can run for no time at all".into()) } else { Ok(time) }
}

/// `K,PERCENT`.
fn stall(text: &str) -> Result<(u64, u64), String> {
    let parts = text.split_once(',').ok_or("two numbers with a comma, e.g. 100,1")?;
    let number = |part: &str| part.trim().trim_end_matches('%').parse::<u64>().map_err(|e| format!("`{part}`: {e}"));
    match (number(parts.0)?, number(parts.1)?) {
        (0, _) => Err("the number of tests is at least 1".into()),
        (_, percent) if percent > 100 => Err("the share is at most 100 percent".into()),
        both => Ok(both),
    }
}
