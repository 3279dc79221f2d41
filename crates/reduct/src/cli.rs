//! The command line. One file a command in `cli/command/`; the doc comments of the arguments are the help.

mod command;
mod command_word;
mod common;
mod confining;
mod diagnostics;
mod entry;
mod event_file;
mod foreign;
mod generated;
mod headings;
mod help;
mod instead;
mod jobs;
mod keeping;
mod kept;
mod limits;
mod live_page;
mod persistent;
mod say;
mod typed;
mod values;
mod view;

use clap::{CommandFactory, FromArgMatches, Parser};
use command::reduce::ReduceArgs;
use entry::CommandArgs;
use generated::{Generated, Generating};
use reduct_lib::Refusal;
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
struct Cli {
    #[command(flatten)]
    reduce: ReduceArgs,

    /// Print the man page, or what completes words in a shell, and do nothing else
    #[arg(long, value_name = "KIND", exclusive = true, hide_short_help = true, help_heading = headings::OUTPUT, display_order = 998)]
    generate: Option<Generated>,
}

const USAGE: &str = "\
reduct [OPTIONS] FILE... -- COMMAND...
       reduct [OPTIONS] ./test.sh FILE...
       reduct COMMAND [OPTIONS] ...";

/// Returns how reduct is called, for clap: the options of a reduction, and all commands of the table.
fn definition() -> clap::Command {
    help::arranged(Cli::command().subcommands(command::COMMANDS.iter().map(entry::Entry::command)))
}

/// Reads the command line of a command without making the definitions of all the others, which would take more time than the rest of the start
/// of `reduct step`. `None`: it is another one, help, or cannot be read, and the whole definition says why.
fn parsed_alone() -> Option<Box<dyn CommandArgs>> {
    let mut words = std::env::args_os().skip(1).peekable();
    let entry = command::named(words.peek()?.to_str()?)?;
    entry.read(&entry.command().try_get_matches_from(words).ok()?).ok()
}

/// Reads the command line. What cannot be read ends the program, with a tip where one fits.
fn parsed() -> Result<Box<dyn CommandArgs>, Refusal> {
    if let Some(args) = parsed_alone() {
        return Ok(args);
    }
    let matches = definition().try_get_matches().unwrap_or_else(|error| foreign::explained(error, definition()).exit());
    let read = match matches.subcommand() {
        Some((name, matches)) => command::named(name).map(|entry| entry.read(matches)),
        None => None,
    };
    if let Some(read) = read {
        return Ok(read.unwrap_or_else(|error| error.exit()));
    }
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    if let Some(kind) = cli.generate {
        return Ok(Box::new(Generating { kind, definition: definition() }));
    }
    match cli.reduce.first().and_then(command_word::behind_options) {
        Some(refusal) => Err(refusal),
        None => Ok(Box::new(cli.reduce)),
    }
}

/// Does what the command line says, and returns the exit status.
pub fn run() -> ExitCode {
    let is_terminal = std::io::stderr().is_terminal();
    let args = match parsed() {
        Ok(args) => args,
        Err(refusal) => return refused(refusal, Looks::is_colored_by_default(is_terminal)),
    };
    let colored =
        args.looks().map_or_else(|| Looks::is_colored_by_default(is_terminal), |looks| looks.is_colored(is_terminal));
    let theirs = args.common().map(|common| foreign::Theirs::of(common, args.is_told_its_candidate()));
    args.run().unwrap_or_else(|refusal| refused(theirs.unwrap_or_default().advise(refusal), colored))
}

/// Says why something was not done, and returns the exit status for that.
fn refused(refusal: Refusal, colored: bool) -> ExitCode {
    let status = refusal.kind().status();
    diagnostics::complain(refusal, colored);
    status.into()
}
