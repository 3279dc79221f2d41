//! `reduct history [RUN]`: the accepted steps of a run, what they consist of, and what is different between two.

use crate::cli::entry::{CommandArgs, Entry, Group};
use crate::cli::limits::hidden;
use crate::cli::view::Looks;
use crate::cli::{size, usage};
use reduct_core::Question;
use reduct_input::Candidate;
use reduct_lib::inquiry::inquiry_of;
use reduct_lib::{HistoryError, Passed, Refusal, Run, history};
use reduct_report::history::{self as words, Bounded, HistoryStep};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// How the command is called, listed and read.
pub(super) const ENTRY: Entry = Entry::of::<HistoryArgs>("history", Group::Runs, "history").listed(super::log::LISTED);

const USAGE: &str = "\
reduct history [OPTIONS] [RUN]
       reduct history [OPTIONS] show STEP [RUN]
       reduct history [OPTIONS] diff STEP [STEP] [RUN]";

/// Show the steps that a run accepted, with their numbers
///
/// `show STEP` prints what was left at a step, `diff STEP` what the step changed, and `diff STEP STEP` what is different
/// between two. Step 0 is the whole input. `reduct resume --from STEP` continues from a step.
#[derive(clap::Args, Debug)]
#[command(mut_args(without_a_run), override_usage = USAGE)]
struct HistoryArgs {
    /// `show STEP`, `diff STEP [STEP]` or nothing; then the folder of a run, or a folder with runs, of which the last one is
    /// taken [default: $REDUCT_STATE, else .]
    #[arg(value_name = "WORD", allow_negative_numbers = true)]
    words: Vec<PathBuf>,

    /// Take the last run that was kept with the same option
    #[arg(long, value_name = "DIR", help_heading = crate::cli::headings::RESULT, hide_short_help = true)]
    state: Option<PathBuf>,

    /// Print at most SIZE bytes; 0 prints all
    #[arg(long, value_name = "SIZE", default_value = "64K", value_parser = size, help_heading = crate::cli::headings::OUTPUT)]
    max: u64,

    /// Print one JSON object a step or branch
    #[arg(long, help_heading = crate::cli::headings::OUTPUT)]
    json: bool,

    #[command(flatten)]
    looks: Looks,
}

impl CommandArgs for HistoryArgs {
    fn run(&self) -> Result<ExitCode, Refusal> {
        run(self)
    }

    fn looks(&self) -> Option<&Looks> {
        Some(&self.looks)
    }
}

/// Hides what only a command that runs tests has.
fn without_a_run(option: clap::Arg) -> clap::Arg {
    hidden(option, &["events", "plain", "quiet", "stats", "view"])
}

/// What is asked for.
enum Wanted {
    List,
    Show(usize),
    /// What a step changed, or what is different in the second one.
    Diff(usize, Option<usize>),
}

impl HistoryArgs {
    /// Returns what is asked for, and the folder of the run.
    fn wanted(&self) -> Result<(Wanted, PathBuf), Refusal> {
        let number = |word: Option<&PathBuf>| word.and_then(|word| word.to_str()?.parse::<usize>().ok());
        let (what, rest) = match self.words.first().and_then(|word| word.to_str()) {
            Some(word @ ("show" | "diff")) => {
                let Some(first) = number(self.words.get(1)) else {
                    let help = "`reduct history` lists the steps with their numbers; 0 is the whole input. (For a folder of \
                                this name, put ./ before it.)";
                    return Err(usage(format!("`{word}` takes the number of a step, from 0 on"), help));
                };
                let second = number(self.words.get(2)).filter(|_| word == "diff");
                let wanted = if word == "show" { Wanted::Show(first) } else { Wanted::Diff(first, second) };
                (wanted, 2 + usize::from(second.is_some()))
            }
            Some(word) if number(self.words.first()).is_some() && !self.words[0].exists() => {
                let help = format!(
                    "`reduct history show {word}` prints what was left at step {word}, `reduct history diff {word}` what it changed"
                );
                return Err(usage(format!("`{word}` is no folder of a run"), help));
            }
            _ => (Wanted::List, 0),
        };
        let place = match &self.words[rest.min(self.words.len())..] {
            [] => crate::cli::keeping::chosen(None, self.state.as_ref()),
            [run] if self.state.is_none() => run.clone(),
            [_] => return Err(usage("a run and --state name two places", "leave one of them out")),
            [_, more, ..] => {
                let help = "reduct history [show STEP | diff STEP [STEP]] [RUN]";
                return Err(usage(format!("`{}` is one word too many", words_of(more)), help));
            }
        };
        Ok((what, place))
    }
}

fn words_of(path: &std::path::Path) -> String {
    reduct_report::excerpt::path(path)
}

/// Shows the steps of a run.
fn run(args: &HistoryArgs) -> Result<ExitCode, Refusal> {
    args.looks.without_passes()?;
    if args.looks.events().is_some() || args.looks.is_quiet() || args.looks.is_plain() {
        let help = "--json prints one object a step";
        return Err(usage("no test runs here: there are no events and no progress", help));
    }
    let (wanted, place) = args.wanted()?;
    if reduct_lib::is_fuzzing(&place) {
        let help = "name the run of a finding: it is in the finding's folder";
        return Err(usage("fuzzing has no steps: each finding of it is reduced by a run of its own", help));
    }
    let run = Run::find(&place)?;
    if inquiry_of(&run)?.is_some() {
        return Err(usage("a run of several searches has no steps in a row", "reduct log shows its tests"));
    }
    let output = io::stdout();
    let is_terminal = output.is_terminal();
    let columns = rustix::termios::tcgetwinsize(&output).map_or(120, |size| usize::from(size.ws_col.max(40)));
    let mut output = Bounded::new(BufWriter::new(output.lock()), args.max);
    let shown = match wanted {
        Wanted::List => list(&run, args.json, columns, &mut output),
        Wanted::Show(step) => {
            let [candidate] = steps(&run, [step])?;
            match args.json {
                true => {
                    writeln!(output, "{}", words::contents_json(step, &candidate, most(args.max))).map_err(io_error)
                }
                false => words::contents(&candidate, is_terminal, &mut output).map_err(io_error),
            }
        }
        Wanted::Diff(first, second) => diff(&run, (first, second), (args.json, is_terminal), &mut output),
    };
    match shown.and_then(|()| output.flush().map_err(io_error)) {
        // The reader of the pipe has closed it.
        Err(Refusal::Io { source, .. }) if source.kind() == io::ErrorKind::BrokenPipe => {}
        shown => shown?,
    }
    if output.is_full() {
        crate::cli::view::say(&words::cut(args.max, Some(args.max + output.cut)));
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns how many bytes of contents an object has.
fn most(max: u64) -> u64 {
    if max == 0 { u64::MAX } else { max / 2 }
}

fn io_error(error: io::Error) -> Refusal {
    Refusal::io("write", "the history")(error)
}

fn list<W: Write>(run: &Run, json: bool, columns: usize, output: &mut Bounded<W>) -> Result<(), Refusal> {
    let (mut before, mut branch, mut unit, mut said): (Option<Candidate>, usize, &str, _) = (None, 0, "", Ok(()));
    history(run, |passed| {
        if said.is_err() {
            return;
        }
        said = match passed {
            Passed::Branch(begun) => {
                (before, branch, unit) = (Some(begun.begin.clone()), begun.number, begun.unit);
                let (from, size) = ((begun.from, &begun.never[..]), (begun.size, begun.unit));
                match json {
                    true => writeln!(output, "{}", words::branch_json(branch, from, size, begun.record)),
                    false => {
                        writeln!(output, "{}\n{}", words::branch(branch, from, size, begun.record), words::head(unit))
                    }
                }
            }
            Passed::Test(test) => match (&test.accepted, &before) {
                (Some(step), Some(was)) => {
                    let row = HistoryStep {
                        number: step.number,
                        branch,
                        test: test.n,
                        size: (step.size, step.unit),
                        pass: test.phase.map(|phase| phase.kind),
                        before: was,
                        now: &step.best,
                    };
                    let said = match json {
                        true => writeln!(output, "{}", row.json()),
                        false => writeln!(output, "{}", row.row(columns)),
                    };
                    before = Some(step.best.clone());
                    said
                }
                _ => Ok(()),
            },
            _ => Ok(()),
        };
    })?;
    said.map_err(io_error)
}

/// Prints what a step changed, or what is different between two.
fn diff(
    run: &Run,
    (first, second): (usize, Option<usize>),
    (json, is_terminal): (bool, bool),
    output: &mut Bounded<impl Write>,
) -> Result<(), Refusal> {
    let (from, to, [old, new]) = match second {
        Some(second) => (first, second, steps(run, [first, second])?),
        None if first == 0 => {
            return Err(usage("nothing comes before the whole input", "`reduct history show 0` prints it"));
        }
        None => {
            let (from, old) = before(run, first)?;
            let [new] = steps(run, [first])?;
            (from, first, [old, new])
        }
    };
    if !json {
        return words::changed(&old, &new, is_terminal, output).map_err(io_error);
    }
    let mut patch = vec![];
    words::changed(&old, &new, false, &mut patch).map_err(io_error)?;
    let shown = &patch[..patch.len().min(usize::try_from(most(output.most())).unwrap_or(usize::MAX))];
    let object = serde_json::json!({
        "type": "diff", "from": from, "to": to, "is_same": old.key() == new.key(),
        "patch": String::from_utf8_lossy(shown), "is_cut": shown.len() < patch.len(),
    });
    writeln!(output, "{object}").map_err(io_error)
}

/// Returns the step before one, and what was left there: of the first one of a branch, that from which it began. If that was recorded again, it
/// is the deeper record.
fn before(run: &Run, step: usize) -> Result<(usize, Candidate), Refusal> {
    let (mut last, mut found, mut steps) = (None, None, 0);
    history(run, |passed| match passed {
        Passed::Branch(branch) => last = Some((branch.from, branch.begin.clone())),
        Passed::Test(test) => {
            if let Some(accepted) = &test.accepted {
                let before = last.replace((accepted.number, accepted.best.clone()));
                found = found.take().or(before.filter(|_| accepted.number == step));
                steps = accepted.number;
            }
        }
        _ => {}
    })?;
    found.ok_or_else(|| HistoryError::NoStep { number: step, steps }.into())
}

/// Returns what was left at these steps.
fn steps<const N: usize>(run: &Run, numbers: [usize; N]) -> Result<[Candidate; N], Refusal> {
    let mut found: [Option<Candidate>; N] = [const { None }; N];
    let mut all = 0;
    history(run, |passed| {
        let (number, candidate) = match passed {
            Passed::Branch(branch) if branch.number == 0 => (0, &branch.begin),
            Passed::Test(test) => match &test.accepted {
                Some(accepted) => (accepted.number, &accepted.best),
                None => return,
            },
            _ => return,
        };
        all = number.max(all);
        numbers.iter().zip(&mut found).filter(|(wanted, _)| **wanted == number).for_each(|(_, found)| {
            *found = Some(candidate.clone());
        });
    })?;
    let missing = numbers.iter().zip(&found).find(|(_, found)| found.is_none()).map_or(0, |(number, _)| *number);
    let each: Option<Vec<Candidate>> = found.into_iter().collect();
    let each = each.and_then(|found| found.try_into().ok());
    each.ok_or_else(|| HistoryError::NoStep { number: missing, steps: all }.into())
}
