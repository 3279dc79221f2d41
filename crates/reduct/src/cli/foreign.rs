//! Options of other reducers: what does the same here.

use clap::Error;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// What a name is in C-Reduce, C-Vise, Shrink Ray or Picire, and what to do here.
const OPTIONS: &[(&[&str], &str)] = &[
    (&["--n", "-n", "--parallelism"], "--jobs says how many tests run at a time"),
    (&["--not-c"], "languages are told by the names of files; --language none reads none"),
    (&["--also-interesting"], "other failures are kept without asking, in .reduct/*/others"),
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
        "--by names the parts and passes to reduce by, in their order",
    ),
    (&["--commands", "--command"], "-c gives the test as a line for the shell"),
    (&["--test"], "the test stands behind `--`: reduct FILE -- COMMAND"),
    (&["--input"], "the input is given as it is: reduct FILE -- COMMAND"),
    (&["--input-type"], "--arg hands over the path, --stdin the contents; the file stands in the test's folder anyway"),
    (&["--shaddap", "--volume"], "--quiet shows nothing but the end, --plain shows lines"),
    (&["--tidy", "--backup"], "nothing but the result is left beside the input; --in-place keeps FILE.orig"),
    (&["--inplace", "--in-place-mode"], "--in-place puts the result in the place of the input"),
    (
        &["--no-give-up", "--give-up-constant", "--max-improvement"],
        "--stall, --time and --tests stop early; else it goes on to the end",
    ),
    (&["--stopping-threshold"], "--until-granularity and --stall stop early"),
    (&["--sllooww", "--max"], "it goes on until no part can go: there is nothing to turn on"),
    (&["--print-diff"], "`reduct log` shows each test, and what was left out"),
    (&["--save-temps"], "`reduct log` shows each test; what fails otherwise is kept in .reduct/*/others"),
    (
        &["--timing", "--log-level", "--log-file", "--debug"],
        "--plain shows lines, --events writes all that happens to a file",
    ),
    (&["--formatter"], "--normalize brings the result into normal form in the end"),
    (&["--ui"], "--plain shows lines, also on a terminal"),
    (
        &["--trivial-is-error", "--no-trivial-is-error"],
        "a failure that occurs on an empty input too is refused in any case",
    ),
    (
        &["--clang-delta", "--no-clang-delta", "--clang-delta-std"],
        "what is done for C and C++ is built in; --by says otherwise",
    ),
    (&["--keep"], "what has to stay is for the test to look for, e.g. with grep -q"),
];

/// The same error, with a tip that fits if the option is one of another reducer.
pub(super) fn explained(mut error: Error) -> Error {
    if error.kind() != ErrorKind::UnknownArgument {
        return error;
    }
    let tip = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(name)) => of(name),
        _ => None,
    };
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
