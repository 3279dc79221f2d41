//! `reduct log [RUN]`: the tests of a run, as in Example 5.8.

use super::inquiry::{self, Shown};
use crate::cli::entry::{CommandArgs, Entry, Group};
use crate::cli::keeping::Chosen;
use crate::cli::limits::hidden;
use crate::cli::usage;
use crate::cli::view::Looks;
use reduct_lib::inquiry::inquiry_of;
use reduct_lib::{Refusal, Replay, Run, executions_left, walked};
use reduct_report::picture::terminal;
use reduct_report::{Row, Table, text_row};
use reduct_session::journal;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::ExitCode;

/// How the command is called, listed and read.
pub(super) const ENTRY: Entry = Entry::of::<LogArgs>("log", Group::Runs, "runs").listed(LISTED);

/// The line for the commands that show what a run has come through.
pub(super) const LISTED: &str = "Show the tests of a run; its accepted steps";

/// Show the tests of a run as a table
///
/// Each row shows one candidate, its size and its outcome, as Example 5.8 of "Why Programs Fail" does. Dots, or grey
/// text, stand for the parts that the candidate left out.
#[derive(clap::Args, Debug)]
#[command(mut_args(without_a_run))]
struct LogArgs {
    #[command(flatten)]
    chosen: Chosen,

    /// Show the grid of configurations instead: a row a test, a column a part of what it began with
    #[arg(long, help_heading = crate::cli::headings::OUTPUT, conflicts_with_all = ["json", "curve"])]
    grid: bool,

    /// Show the size over the tests instead, on a logarithmic axis
    #[arg(long, help_heading = crate::cli::headings::OUTPUT, conflicts_with = "json")]
    curve: bool,

    /// Print one JSON object a test
    #[arg(long, help_heading = crate::cli::headings::OUTPUT)]
    json: bool,

    #[command(flatten)]
    looks: Looks,
}

impl CommandArgs for LogArgs {
    fn run(&self) -> Result<ExitCode, Refusal> {
        run(self)
    }

    fn looks(&self) -> Option<&Looks> {
        Some(&self.looks)
    }
}

/// What is said below the tests of a search that was stopped.
const UNFINISHED: &str = "(the search is not finished; these are the tests so far)";

/// Hides what only a command that runs tests has.
fn without_a_run(option: clap::Arg) -> clap::Arg {
    hidden(option, &["events", "plain", "quiet", "stats", "view"])
}

/// Shows the tests of a run.
fn run(args: &LogArgs) -> Result<ExitCode, Refusal> {
    if args.looks.events().is_some() || args.looks.is_quiet() || args.looks.is_plain() {
        return Err(usage("no test runs here: there are no events and no progress", "--json prints one object a test"));
    }
    args.looks.without_passes()?;
    let run = Run::find(&args.chosen.place())?;
    let inquiry = inquiry_of(&run)?;
    let mut replay = match &inquiry {
        Some(begun) => inquiry::replay(begun)?,
        None => Replay::of(&run)?,
    };
    let output = io::stdout();
    let colored = args.looks.is_colored(output.is_terminal());
    let columns = rustix::termios::tcgetwinsize(&output).map_or(120, |size| usize::from(size.ws_col.max(40)));
    let mut output = BufWriter::new(output.lock());
    if args.grid && inquiry.is_some() {
        let help = "reduct log, without --grid, shows what each test was";
        return Err(usage("the tests of this run are no parts of one input, so there is no grid of them", help));
    }
    if args.grid || args.curve {
        let search = walked(replay, &run)?;
        let lines = match args.grid {
            true => terminal::grid(&search, colored, columns),
            false => terminal::curve(&search, columns, CURVE),
        };
        lines.iter().for_each(|line| drop(writeln!(output, "{line}")));
        return Ok(ExitCode::SUCCESS);
    }
    let is_table = inquiry.is_none() && !args.json;
    let printed = match inquiry.as_ref().filter(|_| !args.json) {
        Some(begun) => print_texts(&mut replay, &mut inquiry::shown(begun), columns, &mut output),
        None => print(&mut replay, args.json, colored, columns, &mut output),
    };
    let listing = if is_table { listing(&run, &replay)? } else { None };
    let printed = printed.and_then(|()| listing.map_or(Ok(()), |text| writeln!(output, "\n{text}")));
    match printed.and_then(|()| output.flush()) {
        // The reader of the pipe has closed it.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Refusal::io("write", "the table")(error)),
        _ => Ok(ExitCode::SUCCESS),
    }
}

/// Returns the listing of what is left of the executions of a program, if the run is about some.
fn listing(run: &Run, replay: &Replay) -> Result<Option<String>, Refusal> {
    let left = replay.best().0.artifact();
    let (records, _) = journal::read(&run.journal())?;
    let (job, _) = run.job(&records)?;
    let here = std::env::current_dir().unwrap_or_default();
    Ok(executions_left(run, &job, Some(left.bytes())).map(|left| left.text(&here)))
}

/// Prints what the tests of an inquiry were: each is a text of its own, not a part of the first one.
fn print_texts(replay: &mut Replay, shown: &mut Shown, columns: usize, output: &mut impl Write) -> io::Result<()> {
    for step in replay.by_ref() {
        let artifact = step.candidate.artifact();
        let text = String::from_utf8_lossy(artifact.bytes());
        writeln!(output, "{}", text_row(step.n, &shown(&text), step.outcome, columns))?;
    }
    if replay.is_done() { Ok(()) } else { writeln!(output, "{UNFINISHED}") }
}

/// So many lines has a curve.
const CURVE: usize = 16;

fn print(replay: &mut Replay, json: bool, colored: bool, columns: usize, output: &mut impl Write) -> io::Result<()> {
    let mut table = Table::new(replay.whole(), replay.unit(), colored, columns);
    if !json {
        table.input(output)?;
    }
    for step in replay.by_ref() {
        let row =
            Row { n: step.n, candidate: &step.candidate, size: step.size, outcome: step.outcome, cached: step.cached };
        if json { writeln!(output, "{}", row.json())? } else { table.row(output, &row)? }
    }
    if json {
        return Ok(());
    }
    let (best, size) = replay.best();
    table.result(output, &best, size)?;
    if replay.is_done() { Ok(()) } else { writeln!(output, "{UNFINISHED}") }
}
