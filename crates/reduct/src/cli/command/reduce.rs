//! `reduct FILE... -- COMMAND` and `reduct ./test.sh FILE...`.

use crate::cli::common::{Asking, Common, Handing, Placing, Repeating};
use crate::cli::entry::{CommandArgs, Entry, Group};
use crate::cli::headings::{RESULT, SEARCH};
use crate::cli::keeping::Keeping;
use crate::cli::persistent::Persisting;
use crate::cli::{command_word, usage, view};
use clap::builder::{PossibleValue, PossibleValuesParser};
use reduct_grammars::LANGUAGES;
use reduct_lib::{Audience, Failure, Job, ReductionOptions, Refusal, begin, is_program, is_script};
use reduct_passes::Pass;
use reduct_sources::RUNS;
use reduct_strategies::{Cut, Method};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// How the command is called, listed and read.
pub(super) const ENTRY: Entry = Entry::of::<ReduceArgs>("reduce", Group::Inputs, "reduce");

/// Reduce files and folders; the word `reduce` may be left out
#[derive(clap::Args, Debug)]
pub(in crate::cli) struct ReduceArgs {
    /// The files and folders to reduce
    ///
    /// Without `-- COMMAND`, the first one is the test: a script that exits with 0 if the failure occurs, as for C-Reduce
    /// and C-Vise.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    #[command(flatten)]
    common: Common,

    #[command(flatten)]
    handing: Handing,

    /// Remove only these kinds of parts, in this order, e.g. lines,chars
    ///
    /// The kinds: files, chunks, nodes (of the syntax tree), brackets, blocks, events, lines, words, tokens, chars, bytes,
    /// and the names of passes such as hoist and rename (docs/passes.md).
    #[arg(long, help_heading = SEARCH, value_name = "KINDS", value_delimiter = ',', hide_possible_values = true, value_parser = PossibleValuesParser::new(Pass::selectable().map(|pass| pass.name)))]
    by: Vec<String>,

    /// Use this search algorithm (docs/ALGORITHMS.md)
    #[arg(long, help_heading = SEARCH, hide_short_help = true, value_name = "NAME", default_value = "relevance", value_parser = PossibleValuesParser::new(Method::ALL.iter().map(|it| it.name)))]
    search: String,

    /// Parse all inputs as this language: c, cpp, rust, python, …; `none` parses nothing
    ///
    /// By default, the name of a file or its first line tells the language.
    #[arg(long, help_heading = SEARCH, hide_short_help = true, value_name = "NAME", hide_possible_values = true, ignore_case = true, value_parser = PossibleValuesParser::new(languages()))]
    language: Option<String>,

    /// Give the result normal names and a normal layout, so that results can be compared
    #[arg(long, help_heading = RESULT, hide_short_help = true)]
    normalize: bool,

    /// Try every removal that leaves a text that does not parse
    ///
    /// By default, once 32 were tried and none of them fails, no more are; nor are those of a text, as a comma, that could not be
    /// removed so in two other places. Then it is proved of those removals only that leave a text that parses.
    #[arg(long, help_heading = SEARCH, hide_short_help = true)]
    prove: bool,

    /// Choose where searches like ddmin cut a list; `joints` keeps paragraphs, lines and words together
    #[arg(long, help_heading = SEARCH, value_name = "NAME", hide_short_help = true, default_value = "book", value_parser = PossibleValuesParser::new(Cut::ALL.iter().map(|(name, _)| *name)))]
    split: String,

    /// Assume, without a test, that a part of an input that passes also passes
    #[arg(long, help_heading = SEARCH, hide_short_help = true)]
    monotone: bool,

    /// Write the result here [default: page.reduced.html beside page.html]
    ///
    /// Folders that do not exist are made.
    #[arg(short, long, value_name = "PATH", help_heading = RESULT)]
    out: Option<PathBuf>,

    /// Replace the input by the result, and keep the original as FILE.orig
    ///
    /// A FILE.orig that exists is never overwritten.
    #[arg(long, help_heading = RESULT, conflicts_with = "out")]
    in_place: bool,

    /// Say which parts of the result may vary and which may not, as `reduct explain` does
    #[arg(long, help_heading = RESULT, hide_short_help = true, conflicts_with = "ask")]
    explain: bool,

    #[command(flatten)]
    placing: Placing,

    #[command(flatten)]
    keeping: Keeping,

    #[command(flatten)]
    repeating: Repeating,

    #[command(flatten)]
    asking: Asking,

    #[command(flatten)]
    persisting: Persisting,
}

impl CommandArgs for ReduceArgs {
    fn run(&self) -> Result<ExitCode, Refusal> {
        run(self)
    }

    fn common(&self) -> Option<&Common> {
        Some(&self.common)
    }
}

impl ReduceArgs {
    /// Returns the first of the inputs, which may be meant as a command.
    pub(in crate::cli) fn first(&self) -> Option<&Path> {
        self.files.first().map(PathBuf::as_path)
    }
}

/// Returns the names of the languages, and of none.
pub(super) fn languages() -> impl Iterator<Item = PossibleValue> {
    let known = LANGUAGES.iter().map(|language| PossibleValue::new(language.name).aliases(language.aliases().skip(1)));
    known.chain([PossibleValue::new("none")])
}

/// Reduces.
fn run(args: &ReduceArgs) -> Result<ExitCode, Refusal> {
    let job = job(args)?;
    let Common { looks, force, stopping, .. } = &args.common;
    let run = |audience: Audience<'_>| {
        begin(&job, *force, stopping.stops(), audience).map(|report| Some((job.clone(), report)))
    };
    view::watch_then(&args.asking.looks(looks), run, |report| {
        if args.explain { super::explain::afterwards(report, looks) } else { vec![] }
    })
}

fn job(args: &ReduceArgs) -> Result<Job, Refusal> {
    let folder = std::env::current_dir().map_err(Refusal::io("find", "the current folder"))?;
    let (inputs, command, script) = test(args)?;
    if let Some(refusal) = inputs.first().and_then(|first| command_word::misspelled(first)) {
        return Err(refusal);
    }
    check_inputs(&inputs)?;
    let out = match (&args.out, args.in_place) {
        (Some(out), _) => named_out(&folder, out, &inputs),
        (None, true) => in_place(&folder, &inputs)?,
        (None, false) => folder.join(default_out(&inputs)),
    };
    let search = ReductionOptions::standard()
        .with_by(args.by.clone())
        .with_method(args.search.clone())
        .with_cut(args.split.clone())
        .with_monotone(args.monotone)
        .with_least(args.common.stopping.granularity().unwrap_or(1))
        .with_language(args.language.clone())
        .with_normalize(args.normalize)
        .with_prove(args.prove);
    let search = if args.asking.is_asked() { asked(search, &inputs) } else { search };
    let job = args.keeping.of(args.common.job(command, inputs, out)?);
    let failure = if script && job.failure == Failure::Observed && !args.persisting.is_asked() {
        Failure::ExitZero
    } else {
        job.failure.clone()
    };
    let handed = args.handing.handed();
    let repeat = args.repeating.repeat;
    let job = job.with_failure(failure).with_search(search).with_handed(handed);
    let job = args.asking.of(job.with_in_place(args.in_place).with_repeat(repeat), &args.common.looks);
    args.placing.of(args.persisting.of(job)?)
}

/// Checks whether all inputs are there, and hold something.
pub(super) fn check_inputs(inputs: &[PathBuf]) -> Result<(), Refusal> {
    for input in inputs {
        if let Some(error) = reduct_sources::nowhere(input) {
            return Err(error.into());
        }
        std::fs::metadata(input).map_err(Refusal::io("read", input))?;
    }
    match inputs {
        [input] if is_empty(input) => {
            let what = format!("{} is empty, so there is nothing to reduce", input.display());
            Err(usage(what, "give an input with which the failure occurs"))
        }
        _ => Ok(()),
    }
}

/// Returns whether it is a file without contents or a folder without entries.
fn is_empty(input: &Path) -> bool {
    if input.is_dir() {
        let is_part = |entry: std::io::Result<std::fs::DirEntry>| entry.is_ok_and(|entry| entry.file_name() != RUNS);
        return std::fs::read_dir(input).is_ok_and(|mut entries| !entries.any(is_part));
    }
    // Some files have a size only when they are read.
    let may_be = input.metadata().is_ok_and(|meta| meta.is_file() && meta.len() == 0);
    may_be && std::fs::read(input).is_ok_and(|bytes| bytes.is_empty())
}

/// Returns where the result goes if a place is named: of a file into a folder, if that is meant, under its own name.
fn named_out(folder: &Path, out: &Path, inputs: &[PathBuf]) -> PathBuf {
    let place: PathBuf = folder.join(out).components().collect();
    let [input] = inputs else { return place };
    let Some(name) = input.file_name().filter(|_| input.is_file()) else { return place };
    let is_left = |entry: std::io::Result<std::fs::DirEntry>| entry.is_ok_and(|entry| entry.file_name() == name);
    // Also when an earlier result stands there.
    let is_free = || std::fs::read_dir(&place).is_ok_and(|mut entries| entries.all(is_left));
    let is_meant = out.as_os_str().as_bytes().ends_with(b"/") || is_free();
    if is_meant { place.join(name) } else { place }
}

/// Returns how to search if each question is put to a person: coarse parts only, by halves.
fn asked(search: ReductionOptions, inputs: &[PathBuf]) -> ReductionOptions {
    let by: Vec<String> = match &search.by[..] {
        [] => coarse(inputs).iter().map(|kind| (*kind).to_owned()).collect(),
        chosen => chosen.to_vec(),
    };
    let method = if search.method == "relevance" { "halves".into() } else { search.method.clone() };
    // What a person is shown need not follow its language: by default, none is read.
    let language = search.language.clone().or_else(|| Some("none".into()));
    search.with_by(by).with_method(method).with_language(language).with_monotone(true)
}

/// Returns the coarsest parts of which there are several.
fn coarse(inputs: &[PathBuf]) -> &'static [&'static str] {
    let [input] = inputs else { return &["files", "lines"] };
    if input.is_dir() {
        return &["files", "lines"];
    }
    // If it cannot be read, that is said when it is loaded.
    let text = std::fs::read(input).unwrap_or_default();
    let text = text.trim_ascii();
    match () {
        () if text.contains(&b'\n') || text.contains(&b'\r') => &["lines"],
        () if text.iter().any(u8::is_ascii_whitespace) => &["words"],
        () => &["chars"],
    }
}

/// Returns the inputs, the test command, and whether that is a script in the order of C-Reduce.
fn test(args: &ReduceArgs) -> Result<(Vec<PathBuf>, Vec<OsString>, bool), Refusal> {
    if let Some(command) = args.common.command().or_else(|| args.asking.is_asked().then(Vec::new)) {
        return Ok((args.files.clone(), command, false));
    }
    let [script, inputs @ ..] = &args.files[..] else { return Err(no_test(&args.files)) };
    if inputs.is_empty() {
        return Err(no_test(&args.files));
    }
    if !is_program(script) {
        return Err(no_program(script, inputs));
    }
    // Started from its own place, so that it is not looked for on the search path.
    let script = if script.components().count() == 1 { Path::new(".").join(script) } else { script.clone() };
    Ok((inputs.to_vec(), vec![script.into_os_string()], true))
}

/// Returns why the first word is no test: it is not there, it cannot be started, or it is the input.
fn no_program(script: &Path, inputs: &[PathBuf]) -> Refusal {
    let word = |path: &Path| path.display().to_string();
    let typed = |path: &Path| if path.components().count() == 1 { format!("./{}", word(path)) } else { word(path) };
    let name = word(script);
    if std::fs::symlink_metadata(script).is_err() {
        return command_word::unknown(script).unwrap_or_else(|| {
            let help =
                "a script is given first: reduct ./test.sh FILE; any other command after `--`: reduct FILE -- COMMAND";
            usage(format!("there is no test: `{name}` is not there"), help)
        });
    }
    let others = |later: &Path| {
        let rest = std::iter::once(script).chain(inputs.iter().map(PathBuf::as_path)).filter(|path| *path != later);
        rest.map(word).collect::<Vec<_>>().join(" ")
    };
    if !is_script(script) {
        if let Some(later) = inputs.iter().find(|input| is_program(input)) {
            let what = format!("there is no test: `{name}` is not a program, but `{}` is", word(later));
            return usage(what, format!("the script is given first: reduct {} {}", typed(later), others(later)));
        }
        if let Some(later) = inputs.iter().find(|input| is_script(input)) {
            let what = format!("there is no test: `{name}` is not a program, and `{}` is not executable", word(later));
            let help =
                format!("chmod +x {0}, then the script is given first: reduct {0} {1}", typed(later), others(later));
            return usage(what, help);
        }
    }
    if script.is_dir() {
        let help =
            format!("give the test after `--`: reduct {name} -- COMMAND, or a script first: reduct ./test.sh {name}");
        return usage(format!("there is no test: `{name}` is a folder"), help);
    }
    let what = format!("there is no test: `{name}` is not a program, as it is not executable");
    let help = format!("make it one: chmod +x {name}; or give the test after `--`: reduct FILE -- COMMAND");
    usage(what, help)
}

fn no_test(files: &[PathBuf]) -> Refusal {
    let Some(file) = files.first() else { return usage("there is no test", "reduct FILE -- COMMAND") };
    let name = file.display().to_string();
    let help = match () {
        () if std::fs::symlink_metadata(file).is_err() => {
            if let Some(refusal) = command_word::unknown(file) {
                return refusal;
            }
            format!("give a command that shows the failure: reduct {name} -- COMMAND")
        }
        () if is_program(file) && is_script(file) => format!("give the input, too: reduct {name} FILE"),
        () => format!("give a command that shows the failure: reduct {name} -- COMMAND"),
    };
    usage("there is no test", help)
}

/// Returns the default place: `page.reduced.html` beside `page.html`; a folder `reduced` for several inputs.
fn default_out(inputs: &[PathBuf]) -> PathBuf {
    let [input] = inputs else { return "reduced".into() };
    beside(input, "reduced")
}

/// As long as a name may be, in bytes, on nearly all file systems.
const LONGEST_NAME: usize = 255;

/// Returns `page.WORD.html` beside `page.html`. Of a name that gets too long, the middle is left out.
pub(super) fn beside(input: &Path, word: &str) -> PathBuf {
    let input = match input.file_name() {
        Some(_) => input.to_owned(),
        None => input.canonicalize().unwrap_or_else(|_| input.to_owned()),
    };
    let mut end = OsString::from(format!(".{word}"));
    if let (Some(extension), false) = (input.extension(), input.is_dir()) {
        end.push(".");
        end.push(extension);
    }
    let stem = input.file_stem().unwrap_or_default();
    let mut name = shortened(stem, LONGEST_NAME.saturating_sub(end.len()));
    name.push(end);
    input.with_file_name(name)
}

/// Returns a name that has at most so many bytes: of a longer one its beginning and its end.
fn shortened(name: &OsStr, most: usize) -> OsString {
    const END: usize = 32;
    let bytes = name.as_bytes();
    if bytes.len() <= most {
        return name.to_owned();
    }
    // No character is cut in two.
    let is_inside = |at: usize| bytes.get(at).is_some_and(|byte| byte & 0xc0 == 0x80);
    let mut tail = bytes.len() - END.min(most / 2);
    while is_inside(tail) {
        tail += 1;
    }
    let mut head = most.saturating_sub(bytes.len() - tail + 1);
    while head > 0 && is_inside(head) {
        head -= 1;
    }
    OsStr::from_bytes(&[&bytes[..head], b"~", &bytes[tail..]].concat()).to_owned()
}

fn in_place(folder: &Path, inputs: &[PathBuf]) -> Result<PathBuf, Refusal> {
    match inputs {
        [input] => folder.join(input).canonicalize().map_err(Refusal::io("read", input)),
        _ => Err(usage("--in-place works on one input", "put the inputs into one folder and give that")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_name_is_shortened_where_it_is_not_cut_in_a_character() {
        let name = |input: &str| beside(Path::new(input), "reduced").into_os_string().into_string().unwrap();
        assert_eq!(name("a/page.html"), "a/page.reduced.html");
        let long = "x".repeat(242) + ".html";
        // With `.reduced` it has 255 bytes.
        assert_eq!(name(&long), "x".repeat(242) + ".reduced.html");
        let (one, other) = (name(&("x".repeat(249) + "1.html")), name(&("x".repeat(249) + "2.html")));
        assert_eq!((one.len(), one.ends_with("x1.reduced.html")), (255, true));
        assert_ne!(one, other);
        for shift in 0..3 {
            let name = name(&("y".repeat(shift) + &"\u{20ac}".repeat(84)));
            assert!(name.len() <= 255 && name.len() > 245 && name.ends_with("\u{20ac}.reduced"), "{name}");
        }
    }
}
