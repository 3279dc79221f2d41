//! `reduct FILE... -- COMMAND` and `reduct ./test.sh FILE...`.

use super::common::Common;
use super::persistent::Asking;
use super::{usage, view};
use clap::builder::{PossibleValue, PossibleValuesParser};
use reduct::{Failure, Handed, Job, Refusal, Searching, is_program, reduce};
use reduct_circumstances::{Cut, KINDS, Method, PASSES};
use reduct_grammars::LANGUAGES;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What to reduce, and how.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The files and folders to reduce. Without `-- COMMAND` the first is the test, a script that exits
    /// with 0 if the failure occurs (C-Reduce, C-Vise).
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Hand the path of the candidate to the test as its last argument
    #[arg(long)]
    arg: bool,

    /// Hand the candidate to the test on standard input
    #[arg(long)]
    stdin: bool,

    /// Reduce by these only, in this order: files, chunks, nodes, brackets, blocks, lines, words, tokens,
    /// chars, bytes, or passes such as hoist and rename (docs/passes.md)
    #[arg(long, value_name = "KINDS", value_delimiter = ',', hide_possible_values = true, value_parser = PossibleValuesParser::new(KINDS.iter().chain(PASSES).map(|kind| kind.name)))]
    by: Vec<String>,

    /// How to search
    #[arg(long, value_name = "NAME", default_value = "relevance", value_parser = PossibleValuesParser::new(Method::ALL.iter().map(|(name, ..)| *name)))]
    search: String,

    /// Read all inputs as this language instead of guessing it by name: c, cpp, rust, python, …; `none` reads none
    #[arg(long, value_name = "NAME", hide_possible_values = true, ignore_case = true, value_parser = PossibleValuesParser::new(languages()))]
    language: Option<String>,

    /// Bring the result into normal form in the end (names, layout), so that results can be compared
    #[arg(long)]
    normalize: bool,

    /// Where searches like ddmin cut their lists; `joints` keeps paragraphs, lines and words together
    #[arg(long, value_name = "NAME", hide_short_help = true, default_value = "book", value_parser = PossibleValuesParser::new(Cut::ALL.iter().map(|(name, _)| *name)))]
    split: String,

    /// Take for granted that a part of what passes passes too
    #[arg(long, hide_short_help = true)]
    monotone: bool,

    /// Where the result goes [default: beside FILE, `page.reduced.html`]
    #[arg(short, long, value_name = "PATH")]
    out: Option<PathBuf>,

    /// Put the result in the place of the input; the original is kept as FILE.orig, once and for all
    #[arg(long, conflicts_with = "out")]
    in_place: bool,

    #[command(flatten)]
    asking: Asking,

    #[command(flatten)]
    pub(super) common: Common,
}

/// The names of the languages, and of none.
pub(super) fn languages() -> impl Iterator<Item = PossibleValue> {
    let known = LANGUAGES.iter().map(|language| PossibleValue::new(language.name).aliases(language.aliases().skip(1)));
    known.chain([PossibleValue::new("none")])
}

/// Reduces.
pub fn run(args: &Args) -> Result<ExitCode, Refusal> {
    let job = job(args)?;
    let Common { looks, force, stopping, .. } = &args.common;
    view::watch(looks, |audience| {
        reduce(&job, *force, stopping.stops(), audience).map(|report| Some((job.clone(), report)))
    })
}

fn job(args: &Args) -> Result<Job, Refusal> {
    let folder = std::env::current_dir().map_err(Refusal::io("find", "the current folder"))?;
    let (inputs, command, script) = test(args)?;
    for input in &inputs {
        if let Err(error) = std::fs::metadata(input) {
            return Err(Refusal::io("read", input)(error));
        }
    }
    let out = match (&args.out, args.in_place) {
        (Some(out), _) => folder.join(out),
        (None, true) => in_place(&folder, &inputs)?,
        (None, false) => folder.join(default_out(&inputs)),
    };
    let search = Searching {
        by: args.by.clone(),
        method: args.search.clone(),
        cut: args.split.clone(),
        monotone: args.monotone,
        least: args.common.stopping.granularity().unwrap_or(1),
        language: args.language.clone(),
        normalize: args.normalize,
    };
    let job = args.common.job(command, inputs, out)?;
    let failure = if script && job.failure == Failure::Observed && !args.asking.is_asked() {
        Failure::ExitZero
    } else {
        job.failure
    };
    let handed = Handed { as_argument: args.arg, on_stdin: args.stdin };
    args.asking.of(Job { failure, search, handed, in_place: args.in_place, ..job })
}

/// The inputs, the test command, and whether that is a script in the order of C-Reduce.
fn test(args: &Args) -> Result<(Vec<PathBuf>, Vec<OsString>, bool), Refusal> {
    if let Some(command) = args.common.command() {
        return Ok((args.files.clone(), command, false));
    }
    let [script, inputs @ ..] = &args.files[..] else { return Err(no_test(&args.files)) };
    if inputs.is_empty() {
        return Err(no_test(&args.files));
    }
    if !is_program(script) {
        let what = format!("there is no test: `{}` is not a program", script.display());
        let help = "give the test after `--`: reduct FILE -- COMMAND, or a script first: reduct ./test.sh FILE \
                    (chmod +x makes a script a program)";
        return Err(usage(what, help));
    }
    // Started from its own place, so that it is not looked for on the search path.
    let script = if script.components().count() == 1 { Path::new(".").join(script) } else { script.clone() };
    Ok((inputs.to_vec(), vec![script.into_os_string()], true))
}

fn no_test(files: &[PathBuf]) -> Refusal {
    let name = files.first().map_or_else(|| "FILE".into(), |file| file.display().to_string());
    let help = match name.as_str() {
        "resume" | "verify" | "log" | "isolate" | "changes" => {
            format!("options stand behind the word: reduct {name} OPTIONS")
        }
        _ => format!("give a command that shows the failure: reduct {name} -- COMMAND"),
    };
    usage("there is no test", help)
}

/// `page.reduced.html` beside `page.html`; a folder `reduced` for several inputs.
fn default_out(inputs: &[PathBuf]) -> PathBuf {
    let [input] = inputs else { return "reduced".into() };
    beside(input, "reduced")
}

/// `page.WORD.html` beside `page.html`.
pub(super) fn beside(input: &Path, word: &str) -> PathBuf {
    let input = match input.file_name() {
        Some(_) => input.to_owned(),
        None => input.canonicalize().unwrap_or_else(|_| input.to_owned()),
    };
    let mut name = input.file_stem().unwrap_or_default().to_os_string();
    name.push(".");
    name.push(word);
    if let (Some(extension), false) = (input.extension(), input.is_dir()) {
        name.push(".");
        name.push(extension);
    }
    input.with_file_name(name)
}

fn in_place(folder: &Path, inputs: &[PathBuf]) -> Result<PathBuf, Refusal> {
    match inputs {
        [input] => folder.join(input).canonicalize().map_err(Refusal::io("read", input)),
        _ => Err(usage("--in-place works on one input", "put the inputs into one folder and give that")),
    }
}
