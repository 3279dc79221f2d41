//! Words of other tools: what does the same here.

use super::command_word;
use super::common::Common;
use clap::Error;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use reduct_lib::Refusal;
use reduct_oracle::signature::signal_name;
use std::ffi::OsString;
use std::path::Path;

/// Options of C-Reduce, C-Vise, Shrink Ray or Picire that are none here, and what to do instead. (`--n`, `-n` and
/// `--parallelism` are other names of `--jobs`.)
const OPTIONS: &[(&[&str], &str)] = &[
    (&["--not-c"], "the name of a file tells its language; --language none parses nothing"),
    (&["--also-interesting"], "reduct keeps other failures in any case, in .reduct/*/others"),
    (&["--list-passes"], "docs/passes.md lists the passes; --by chooses among them"),
    (
        &[
            "--add-pass",
            "--remove-pass",
            "--pass-group",
            "--pass-group-file",
            "--start-with-pass",
            "--skip-initial-passes",
        ],
        "--by names the kinds of parts and the passes, in their order",
    ),
    (&["--commands", "--command"], "-c gives the test as a line for the shell"),
    (&["--test"], "give the test after `--`: reduct FILE -- COMMAND"),
    (&["--input"], "give the input without an option: reduct FILE -- COMMAND"),
    (
        &["--input-type"],
        "--arg passes the path, --stdin the contents; in any case the file stands in the folder of the test",
    ),
    (&["--shaddap", "--volume"], "--quiet prints only the end, --plain prints lines"),
    (&["--tidy", "--backup"], "reduct leaves only the result beside the input; --in-place keeps FILE.orig"),
    (&["--inplace", "--in-place-mode"], "--in-place replaces the input by the result"),
    (
        &["--no-give-up", "--give-up-constant", "--max-improvement"],
        "--stall, --time and --tests stop early; without them, reduct goes on to the end",
    ),
    (&["--stopping-threshold"], "--until-granularity and --stall stop early"),
    (&["--sllooww", "--max"], "reduct goes on in any case until no single part can be removed"),
    (&["--print-diff"], "`reduct log` shows each test, and what it left out"),
    (&["--save-temps"], "`reduct log` shows each test; reduct keeps other failures in .reduct/*/others"),
    (
        &["--timing", "--log-level", "--log-file", "--debug"],
        "--plain prints lines, --events writes all events to a file",
    ),
    (&["--formatter"], "--normalize gives the result a normal layout"),
    (&["--ui"], "--plain prints lines, on a terminal too"),
    (
        &["--trivial-is-error", "--no-trivial-is-error"],
        "reduct refuses in any case a failure that occurs on the empty input too",
    ),
    (
        &["--clang-delta", "--no-clang-delta", "--clang-delta-std"],
        "passes for C and C++ are built in; --by chooses others",
    ),
    (&["--keep"], "the test decides what must stay, e.g. with grep -q; --keep-pauses of `reduct events` keeps pauses"),
];

/// Returns the same error, with a tip that fits if the option is one of another reducer.
pub(super) fn explained(mut error: Error) -> Error {
    if error.kind() != ErrorKind::UnknownArgument {
        return error;
    }
    let tip = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(name)) => of(name).map(str::to_owned),
        _ => None,
    };
    let tip = tip.or_else(command_word::meant_behind_options);
    if let Some(tip) = tip {
        // What only looks alike does something else.
        error.remove(ContextKind::SuggestedArg);
        error.remove(ContextKind::TrailingArg);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(tip)]));
    }
    error
}

fn of(name: &str) -> Option<&'static str> {
    let name = name.split('=').next().unwrap_or(name);
    OPTIONS.iter().find(|(names, _)| names.contains(&name)).map(|(_, tip)| *tip)
}

/// Words of other fuzzers for the path of the input: of AFL++ and of honggfuzz.
pub(super) const PLACEHOLDERS: [&str; 2] = ["@@", "___FILE___"];

/// What of a command line may be meant as in other tools. It is said only if the failure was not found.
#[derive(Default)]
pub(super) struct Theirs {
    /// The placeholder in a command that says in no other way where its input is.
    placeholder: Option<&'static str>,
    /// Exit statuses that shells give to a death by a signal, with the signal.
    signals: Vec<(i32, String)>,
}

impl Theirs {
    pub(super) fn of(common: &Common, has_a_candidate: bool) -> Theirs {
        let statuses =
            common.fails_if().iter().filter_map(|condition| condition.to_string().strip_prefix("exit=")?.parse().ok());
        let signals = statuses.filter(|status| (129..192).contains(status));
        Theirs {
            placeholder: placeholder(common.words()).filter(|_| has_a_candidate),
            signals: signals.map(|status| (status, signal_name(status - 128))).collect(),
        }
    }

    /// Returns the refusal, with a tip in front of what it advises.
    pub(super) fn advise(&self, mut refusal: Refusal) -> Refusal {
        let advice = match &mut refusal {
            Refusal::DoesNotFail { advice, .. } => advice,
            Refusal::EmptyFails { advice, .. } | Refusal::NeverOpened { advice, .. } => advice,
            _ => return refusal,
        };
        let mut tips = vec![];
        if let Some(word) = self.placeholder {
            tips.push(format!("`{word}` has no meaning here: write {{}} where the path of the candidate belongs"));
        }
        for (status, signal) in &self.signals {
            if advice.contains(&format!("death by SIG{signal}")) {
                tips.push(format!(
                    "exit={status} is how a shell reports SIG{signal}; the program itself died by it: --fails-if signal={signal}"
                ));
            }
        }
        if !tips.is_empty() {
            *advice = format!("{}\n{advice}", tips.join("\n"));
        }
        refusal
    }
}

/// Returns the placeholder of another fuzzer in a command with no `{}` and no name of anything given before `--`.
fn placeholder(command: &[OsString]) -> Option<&'static str> {
    let command: Vec<_> = command.iter().map(|word| word.to_string_lossy()).collect();
    let says = |part: &str| command.iter().any(|word| word.contains(part));
    let given = std::env::args_os().skip(1).take_while(|word| word != "--");
    let is_named = |word: OsString| Path::new(&word).file_name().is_some_and(|name| says(&name.to_string_lossy()));
    let found = PLACEHOLDERS.into_iter().find(|word| says(word))?;
    let is_silent =
        !says("{}") && !given.into_iter().any(|word| word == "--stdin" || word == "--arg" || is_named(word));
    is_silent.then_some(found)
}
