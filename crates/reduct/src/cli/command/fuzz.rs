//! `reduct fuzz -- COMMAND`.

mod view;
mod words;

use super::reduce::languages;
use crate::cli::common::Common;
use crate::cli::entry::{CommandArgs, Entry, Group};
use crate::cli::foreign::PLACEHOLDERS;
use crate::cli::headings::{LIMITS, RESULT, TEST};
use crate::cli::view::{Looks, hear};
use crate::cli::{duration, size, usage};
use clap::builder::PossibleValuesParser;
use reduct_fuzz::Generator;
use reduct_lib::{ClassicOptions, Fuzzing, InputDelivery, ReductionOptions, Refusal, Until, fuzz, fuzz_again};
use reduct_session::Stops;
use std::ffi::{OsStr, OsString};
use std::io::{IsTerminal, Write, stdout};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use view::{View, conclude};

/// How the command is called, listed and read.
pub(super) const ENTRY: Entry = Entry::of::<FuzzArgs>("fuzz", Group::Inputs, "fuzz");

/// Find failures with generated inputs, and reduce each of them
///
/// COMMAND gets inputs that it does not expect: on standard input, or as a file if the command contains `{}` or the
/// name of the input. Each different failure is stored once, in a folder of its own, and reduced at once. Without
/// --tests, --time or --findings, reduct goes on until it is interrupted; it keeps all findings then. The exit status is
/// 0 if the session ended as it should, with or without findings.
#[derive(clap::Args, Debug)]
#[command(mut_args(words::own))]
struct FuzzArgs {
    /// Start from this seed; the same seed gives the same inputs on each machine
    #[arg(long, help_heading = INPUTS, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// Use these generators in turn [default: all that apply]
    #[arg(long, help_heading = INPUTS, hide_short_help = true, value_name = "NAMES", value_delimiter = ',', value_parser = PossibleValuesParser::new(Generator::ALL.iter().map(|(name, ..)| *name)))]
    generators: Vec<String>,

    /// Make no larger inputs, e.g. 1M
    #[arg(long, help_heading = INPUTS, hide_short_help = true, value_name = "SIZE", default_value = "100000", value_parser = size)]
    size: u64,

    /// Make inputs from these examples too: a file, or a folder of files (may be given several times)
    #[arg(long, help_heading = INPUTS, value_name = "PATH")]
    examples: Vec<PathBuf>,

    /// Run these inputs instead: a file, or a folder of libFuzzer, AFL++ or honggfuzz
    ///
    /// The option may be given several times. `@@` and `___FILE___` in the command then mean `{}`, so that the command of
    /// the other fuzzer can be used.
    #[arg(long, help_heading = INPUTS, value_name = "PATH", conflicts_with_all = ["generators", "examples", "size", "seed"])]
    from: Vec<PathBuf>,

    #[command(flatten)]
    common: Common,

    /// Give the input this name in the folder of the test, e.g. page.html
    #[arg(long, help_heading = TEST, hide_short_help = true, value_name = "FILE", default_value = "input")]
    name: PathBuf,

    /// Pass the path of the input to the command as the last argument
    #[arg(long, help_heading = TEST, hide_short_help = true, conflicts_with = "stdin")]
    arg: bool,

    /// Pass the input to the command on standard input, even if the command names its path
    #[arg(long, help_heading = TEST)]
    stdin: bool,

    /// Parse examples and inputs as this language instead of the one that their names tell; `none` parses nothing
    #[arg(long, help_heading = INPUTS, hide_short_help = true, value_name = "NAME", hide_possible_values = true, ignore_case = true, value_parser = PossibleValuesParser::new(languages()))]
    language: Option<String>,

    /// Stop after N different failures
    ///
    /// Failures count that occur again when the input is run again and that need an input. A session that was interrupted
    /// before the limit stops at it after `reduct resume`.
    #[arg(long, help_heading = LIMITS, value_name = "N")]
    findings: Option<usize>,

    /// Reduce one failure for at most this time
    #[arg(long, help_heading = LIMITS, hide_short_help = true, value_name = "TIME", default_value = "60s", value_parser = duration)]
    reduce_time: Duration,

    /// Store failures without reducing them
    #[arg(long, help_heading = RESULT, hide_short_help = true)]
    no_reduce: bool,

    /// Write the input of trial K to standard output, and do nothing else
    #[arg(long, help_heading = INPUTS, hide_short_help = true, value_name = "K")]
    trial: Option<u64>,

    /// Write the findings to this folder, which must be new
    #[arg(short, long, value_name = "FOLDER", default_value = "fuzz", help_heading = RESULT)]
    out: PathBuf,

    #[command(flatten)]
    classic: Parameters,
}

impl CommandArgs for FuzzArgs {
    fn run(&self) -> Result<ExitCode, Refusal> {
        run(self)
    }

    fn common(&self) -> Option<&Common> {
        Some(&self.common)
    }
}

/// The heading of the options that say what the inputs are.
const INPUTS: &str = "Inputs";

/// The parameters of the classic generator.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "The generator `classic`, as the program fuzz of 1990")]
struct Parameters {
    /// Make inputs of N characters [default: a different number each time]
    #[arg(long, value_name = "N", value_parser = length, hide_short_help = true)]
    length: Option<usize>,

    /// Use only printable characters and line ends
    #[arg(long, hide_short_help = true)]
    printable: bool,

    /// Use NUL characters too
    #[arg(long, hide_short_help = true)]
    nul: bool,

    /// Make lines of random length, up to N
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "255", value_parser = length, hide_short_help = true)]
    lines: Option<usize>,

    /// End each input with this text
    #[arg(long, value_name = "TEXT", default_value = "", hide_short_help = true)]
    epilog: String,
}

impl Parameters {
    fn classic(&self) -> ClassicOptions {
        let Parameters { length, printable, nul, lines, epilog } = self;
        ClassicOptions::default()
            .with_length(*length)
            .with_printable(*printable)
            .with_nul(*nul)
            .with_lines(*lines)
            .with_epilog(epilog.clone())
    }
}

/// Fuzzes.
fn run(args: &FuzzArgs) -> Result<ExitCode, Refusal> {
    let fuzzing = fuzzing(args)?;
    if let Some(number) = args.trial {
        return write_one(&fuzzing, number);
    }
    let stops = args.common.stopping.stops();
    if stops.stall.is_some() || args.common.stopping.granularity().is_some() {
        let help = "leave it out, or use --tests, --time, --findings, or --reduce-time";
        return Err(usage("--stall and --until-granularity are for reductions", help));
    }
    let until = Until::default().with_trials(stops.tests).with_time(stops.time).with_findings(args.findings);
    args.common.looks.without_passes()?;
    let mut view = View::new(&args.common.looks)?;
    let done = hear(|audience| fuzz(&fuzzing, args.common.force, until, audience, &mut |what| view.on(what)));
    conclude(&fuzzing.job.folder, done?, view)
}

/// Goes on where it stopped.
pub(super) fn resume(folder: &Path, stops: Stops, looks: &Looks) -> Result<ExitCode, Refusal> {
    let until = Until::default().with_trials(stops.tests).with_time(stops.time);
    looks.without_passes()?;
    let mut view = View::new(looks)?;
    let done = hear(|audience| fuzz_again(folder, until, audience, &mut |what| view.on(what)));
    conclude(&std::env::current_dir().unwrap_or_default(), done?, view)
}

/// Returns a number of characters.
fn length(text: &str) -> Result<usize, String> {
    const LONGEST: usize = 1 << 30;
    let length: usize = text.parse().map_err(|_| "a number of characters, e.g. 100000".to_owned())?;
    if length > LONGEST { Err(format!("at most {LONGEST} characters are written")) } else { Ok(length) }
}

/// What stands beside an input that fails.
const KEPT: [&str; 3] = ["signature.txt", "repeat.sh", "same-as.txt"];

fn fuzzing(args: &FuzzArgs) -> Result<Fuzzing, Refusal> {
    let command = match (args.common.command(), args.trial) {
        (Some(command), _) => command,
        (None, Some(_)) => vec!["true".into()],
        (None, None) => return Err(usage("there is nothing to run", "reduct fuzz -- COMMAND")),
    };
    let command = in_our_words(command, args)?;
    if args.name.components().count() != 1 || args.name.file_name().is_none() {
        return Err(usage("--name is the name of a file, without folders", "e.g. --name page.html"));
    }
    if KEPT.iter().any(|kept| args.name.as_os_str() == *kept) {
        return Err(usage(
            format!("--name cannot be {}", args.name.display()),
            "a file of that name stands beside each input",
        ));
    }
    let name = args.name.as_os_str();
    // A line for the shell names it somewhere in the middle.
    let is_line = command.get(1).is_some_and(|word| word == "-c");
    let by_name = name != "input" && command.iter().any(|word| word == name || is_line && holds(word, name));
    let by_path = command.iter().any(|word| holds(word, OsStr::new("{}"))) || args.arg;
    let handed = InputDelivery::default().with_as_argument(args.arg).with_on_stdin(args.stdin || !(by_name || by_path));
    let folder = std::env::current_dir().map_err(Refusal::io("find", "the current folder"))?;
    let job = args.common.job(command, vec![args.name.clone()], folder.join(&args.out))?;
    let search = ReductionOptions::standard().with_language(args.language.clone());
    let classic = args.classic.classic();
    let generators = match classic != ClassicOptions::default() && args.generators.is_empty() {
        true => vec![Generator::Classic.name().to_owned()],
        false => args.generators.clone(),
    };
    Ok(Fuzzing::new(job.with_handed(handed).with_search(search))
        .with_seed(args.seed)
        .with_generators(generators)
        .with_largest(usize::try_from(args.size).unwrap_or(usize::MAX).min(1 << 31))
        .with_classic(classic)
        .with_examples(args.examples.clone())
        .with_from(args.from.clone())
        .with_reduce_time((!args.no_reduce).then_some(args.reduce_time))
        .with_recipe(recipe(args)))
}

/// Returns the command with `{}` for the input where another fuzzer, whose findings are run, has a word of its own.
fn in_our_words(command: Vec<OsString>, args: &FuzzArgs) -> Result<Vec<OsString>, Refusal> {
    let says = |part: &str| command.iter().any(|word| holds(word, OsStr::new(part)));
    let Some(theirs) = PLACEHOLDERS.into_iter().find(|word| says(word)) else { return Ok(command) };
    if says("{}") || args.arg || args.stdin {
        return Ok(command);
    }
    if args.from.is_empty() {
        let what = format!("{theirs} is what other fuzzers call the input; here it is {{}}");
        let help =
            "write {} in its place; if the command needs it as it is, say with --stdin or --arg what the input is";
        return Err(usage(what, help));
    }
    let ours = |word: OsString, theirs: &str| replaced(&word, theirs.as_bytes(), b"{}");
    Ok(command.into_iter().map(|word| PLACEHOLDERS.into_iter().fold(word, ours)).collect())
}

/// Returns a word with one part of it replaced wherever it stands.
fn replaced(word: &OsStr, part: &[u8], by: &[u8]) -> OsString {
    let (mut rest, mut done) = (word.as_bytes(), vec![]);
    while let Some((&first, others)) = rest.split_first() {
        rest = match rest.strip_prefix(part) {
            Some(after) => {
                done.extend(by);
                after
            }
            None => {
                done.push(first);
                others
            }
        };
    }
    OsString::from_vec(done)
}

fn holds(word: &OsStr, part: &OsStr) -> bool {
    word.as_bytes().windows(part.len().max(1)).any(|window| window == part.as_bytes())
}

/// Returns the options that decide what a trial is.
fn recipe(args: &FuzzArgs) -> String {
    let mut words = vec![format!("--seed {}", args.seed)];
    if !args.generators.is_empty() {
        words.push(format!("--generators {}", args.generators.join(",")));
    }
    if args.size != 100_000 {
        words.push(format!("--size {}", args.size));
    }
    let quoted = |text: &str| format!("'{}'", text.replace('\'', r"'\''"));
    words.extend(args.examples.iter().map(|path| format!("--examples {}", quoted(&path.to_string_lossy()))));
    words.extend(args.language.iter().map(|name| format!("--language {name}")));
    let Parameters { length, printable, nul, lines, epilog } = &args.classic;
    words.extend(length.map(|length| format!("--length {length}")));
    words.extend(printable.then(|| "--printable".into()));
    words.extend(nul.then(|| "--nul".into()));
    words.extend(lines.map(|lines| format!("--lines {lines}")));
    words.extend((!epilog.is_empty()).then(|| format!("--epilog {}", quoted(epilog))));
    words.join(" ")
}

fn write_one(fuzzing: &Fuzzing, number: u64) -> Result<ExitCode, Refusal> {
    if stdout().is_terminal() {
        return Err(usage("an input is not for a terminal", "send it to a file: reduct fuzz --trial K > FILE"));
    }
    let bytes = fuzzing.input(number)?;
    stdout().write_all(&bytes).map_err(Refusal::io("write", "standard output"))?;
    Ok(ExitCode::SUCCESS)
}
