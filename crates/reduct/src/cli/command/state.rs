//! `reduct state PASSING FAILING -- PROGRAM`.

mod inquiry;

use super::reduce::beside;
use super::trace::recording::{Recorded, Recorder};
use crate::cli::common::Common;
use crate::cli::entry::{CommandArgs, Entry, Group};
use crate::cli::headings::{RESULT, TEST};
use crate::cli::{usage, view};
use inquiry::{Inquiry, Side};

use reduct_core::Outcome;
use reduct_lib::{Confinement, Failure, Job, Refusal};
use reduct_oracle::signature::InputVocabulary;
use reduct_oracle::signature::describe;
use reduct_oracle::{Criterion, Observed, Oracle};
use reduct_report::turns::{self, CauseTransitions};
use reduct_trace::{Program, Provenance};
use std::ffi::{OsStr, OsString};
use std::io::{Write, stdout};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// How the command is called, listed and read.
pub(super) const ENTRY: Entry = Entry::of::<StateArgs>("state", Group::Program, "state")
    .listed("Find executions, values or thread switches that a failure needs");

/// What is over when `--tests` or `--time` ended the search.
const STOPPED_EARLY: u8 = 4;

/// A test may take so many times as long as the recorded runs, but at least so long.
const TIMES_RECORDED: u32 = 10;
const AT_LEAST: Duration = Duration::from_secs(4);

/// Find the values in a program that cause a failure, from its input to its end
///
/// A Python program passes with the first input and fails with the second one. reduct compares the variables of both runs at the
/// statement executions that are the same in both, and looks for the fewest values that must be as in the run that passes so
/// that the failing run passes, too; and for where other values take over. What is listed is a chain of values, each shown to be a
/// cause by a run that passes with it changed.
#[derive(clap::Args, Debug)]
struct StateArgs {
    /// The input with which the program passes, and the one with which it fails; or a result of `reduct isolate`, which has both
    #[arg(value_name = "INPUT", required = true, num_args = 1..=2)]
    inputs: Vec<PathBuf>,

    #[command(flatten)]
    common: Common,

    /// Look into this file, or the files below this folder, only (may be given several times) [default: the current folder and that of the script]
    #[arg(long, value_name = "PATH", help_heading = TEST)]
    only: Vec<PathBuf>,

    /// Write the result, a folder with a change of values a file, here [default: bad.state for bad.txt]
    #[arg(short, long, value_name = "PATH", help_heading = RESULT)]
    out: Option<PathBuf>,
}

impl CommandArgs for StateArgs {
    fn run(&self) -> Result<ExitCode, Refusal> {
        run(self)
    }

    fn common(&self) -> Option<&Common> {
        Some(&self.common)
    }
}

/// Records, compares, asks and lists.
fn run(args: &StateArgs) -> Result<ExitCode, Refusal> {
    args.common.refuse_what_is_for_searches("state")?;
    let folder = std::env::current_dir().map_err(Refusal::io("find", "the current folder"))?;
    let [good, bad] = &inputs(&args.inputs)?;
    for input in [good, bad] {
        std::fs::read(input).map_err(Refusal::io("read", input))?;
    }
    let named = args.inputs.last().unwrap_or(bad);
    let out = args.out.clone().unwrap_or_else(|| beside(&named.with_extension(""), "state"));
    let out = folder.join(out);
    may_be_written(&out, args.common.force)?;
    let words = args.common.words();
    let job = args.common.job(words.to_vec(), vec![bad.clone()], out.clone())?;
    // What a program does with values that it never had can harm.
    let confinement = job.confinement.clone().map(|it| Confinement { strict: it.strict || !it.asked, ..it });
    let job = Job { confinement, ..job };
    let quiet = args.common.looks.is_quiet();
    let record = |input: &Path| -> Result<(Vec<OsString>, Recorded, Program), Refusal> {
        let words = with_input(words, bad, input)?;
        let program = Program::of(&words, &folder).and_then(Program::with_states).map_err(|error| {
            usage(
                error.to_string(),
                "give a program that Python runs: reduct state PASSING FAILING -- python3 prog.py {}",
            )
        })?;
        let recorder = Recorder {
            job: &job,
            program: &program,
            prepared: None,
            words: words.clone(),
            only: &args.only,
            input: Some(input),
            quiet,
            also: Provenance::default(),
        };
        let mut recorded = recorder.record()?;
        recorded.plan.note_files();
        Ok((words, recorded, program))
    };
    let (_, of_good, good_program) = record(good)?;
    let (bad_words, of_bad, bad_program) = record(bad)?;
    let oracle = oracle(&job, (good, &of_good.observed), (bad, &of_bad.observed))?;
    if !quiet {
        view::say(&format!("{}: {}.", good.display(), describe(&of_good.observed.exit)));
    }
    view::say(&format!("Failure: {}", oracle.reading().describe()));
    let slower = of_good.observed.elapsed.max(of_bad.observed.elapsed);
    let limit = job.limits.time.unwrap_or((slower * TIMES_RECORDED).max(AT_LEAST));
    let job = Job { limits: reduct_lib::ResourceLimits { time: Some(limit), ..job.limits }, ..job };
    let good = Side { input: good, program: &good_program, plan: &of_good.plan };
    let bad = Side { input: bad, program: &bad_program, plan: &of_bad.plan };
    let inquiry = Inquiry {
        job: &job,
        only: &args.only,
        good,
        bad,
        oracle: &oracle,
        passes: &of_good.observed.exit,
        stops: args.common.stopping.stops(),
        quiet,
    };
    let found = inquiry.run()?;
    write(&out, &found)?;
    let shown = out.strip_prefix(&folder).unwrap_or(&out);
    let command = super::trace::listed::line_of(&bad_words);
    let ending = turns::ResultPlace { folder: shown, command: &command };
    // Where nobody reads it, nothing is lost: it is in the folder, too.
    let _ = writeln!(stdout(), "{}", turns::listing(&found, &ending));
    Ok(if found.stopped { ExitCode::from(STOPPED_EARLY) } else { ExitCode::SUCCESS })
}

/// Returns the input that passes and the one that fails.
fn inputs(given: &[PathBuf]) -> Result<[PathBuf; 2], Refusal> {
    let [result] = given else {
        return Ok([given[0].clone(), given[1].clone()]);
    };
    let only_file = |side: &str| {
        let mut files = std::fs::read_dir(result.join(side)).ok()?.filter_map(Result::ok);
        let file = files.next().map(|entry| entry.path()).filter(|path| path.is_file())?;
        files.next().is_none().then_some(file)
    };
    only_file("passing").zip(only_file("failing")).map(|(good, bad)| [good, bad]).ok_or_else(|| {
        let what = format!("{} is no result of reduct isolate with one file on each side", result.display());
        usage(what, "give two inputs: reduct state PASSING FAILING -- python3 prog.py {}")
    })
}

/// Returns the program with one input, where it has `{}` or the name of the failing one.
fn with_input(words: &[OsString], failing: &Path, input: &Path) -> Result<Vec<OsString>, Refusal> {
    let replaced = |word: &OsString, what: &[u8]| -> Option<OsString> {
        let bytes = word.as_bytes();
        let at = bytes.windows(what.len()).position(|part| part == what)?;
        Some(OsString::from_vec([&bytes[..at], input.as_os_str().as_bytes(), &bytes[at + what.len()..]].concat()))
    };
    let all = |what: &OsStr| -> Option<Vec<OsString>> {
        let what = what.as_bytes();
        let found: Vec<Option<OsString>> = words.iter().map(|word| replaced(word, what)).collect();
        let any = found.iter().any(Option::is_some);
        any.then(|| found.into_iter().zip(words).map(|(new, old)| new.unwrap_or_else(|| old.clone())).collect())
    };
    all(OsStr::new("{}")).or_else(|| all(failing.as_os_str())).ok_or_else(|| {
        usage("the program is not told its input", "put {} where the name of the input stands: -- python3 prog.py {}")
    })
}

/// Returns what tells the failure: the first input must pass, the second one fail.
fn oracle(
    job: &Job,
    (good, passing): (&Path, &Observed),
    (bad, failing): (&Path, &Observed),
) -> Result<Oracle, Refusal> {
    let text = std::fs::read(bad).map_err(Refusal::io("read", bad))?;
    let words = InputVocabulary::of(&text);
    let criterion = match &job.failure {
        Failure::Conditions(all) => Some(Criterion::Conditions(all.clone())),
        _ => Oracle::read_first(failing, &words).filter(|it| *it != Criterion::ExitZero),
    };
    let Some(criterion) = criterion else {
        let what = format!("with {}, nothing fails: {}", bad.display(), describe(&failing.exit));
        return Err(usage(what, "the second input is the one that fails; --fails-if CONDITION says what a failure is"));
    };
    let oracle = Oracle::new(criterion, words);
    if oracle.verdict(failing).outcome != Outcome::Fail {
        let what = format!("with {}, the failure does not occur: {}", bad.display(), describe(&failing.exit));
        return Err(usage(what, "the second input is the one that fails"));
    }
    if oracle.verdict(passing).outcome != Outcome::Pass {
        let what = format!("with {}, the program does not pass: {}", good.display(), describe(&passing.exit));
        return Err(usage(what, "the first input is the one that passes"));
    }
    Ok(oracle)
}

/// The listing stands in this file of the result.
const LIST: &str = "list.txt";

/// Checks whether the result may be written here: not over what is none.
fn may_be_written(out: &Path, force: bool) -> Result<(), Refusal> {
    let is_result = out.join(LIST).is_file();
    if force || is_result || !out.exists() {
        return Ok(());
    }
    let help = "name another place with --out, or replace it with --force";
    Err(usage(format!("{} is there, and is no result of reduct state", out.display()), help))
}

/// Writes the changes, and the listing, in place of an earlier result.
fn write(out: &Path, found: &CauseTransitions) -> Result<(), Refusal> {
    let cannot = |error| Refusal::io("write", out)(error);
    let parent = out.parent().unwrap_or(Path::new("."));
    let fresh = tempfile::Builder::new().prefix(".reduct-state-").tempdir_in(parent).map_err(cannot)?;
    for (at, turn) in found.turns.iter().enumerate() {
        std::fs::write(fresh.path().join(turns::file(at)), turn.change.to_text("python")).map_err(cannot)?;
    }
    std::fs::write(fresh.path().join(LIST), turns::table(found)).map_err(cannot)?;
    if out.is_dir() {
        std::fs::remove_dir_all(out).map_err(cannot)?;
    } else if out.exists() {
        std::fs::remove_file(out).map_err(cannot)?;
    }
    std::fs::rename(fresh.keep(), out).map_err(cannot)
}
