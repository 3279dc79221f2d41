//! The two inputs of `reduct state`.

use crate::cli::usage;
use reduct_lib::{Refusal, Run, reduced_by};
use reduct_trace::Program;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// What is compared.
pub(super) struct Inputs {
    /// The input with which the program passes.
    pub(super) good: PathBuf,
    /// The one with which it fails.
    pub(super) bad: PathBuf,
    /// What the result is named by.
    pub(super) named: PathBuf,
    /// The program, if a run has it.
    pub(super) command: Vec<OsString>,
}

/// Returns what is compared: two inputs, the two sides that `isolate` leaves, or the result of a run and what passes beside it.
pub(super) fn inputs(given: &[PathBuf]) -> Result<Inputs, Refusal> {
    let [result] = given else {
        let (good, bad) = (given[0].clone(), given[1].clone());
        return Ok(Inputs { good, named: bad.clone(), bad, command: vec![] });
    };
    if let Some((good, bad)) = sides(result) {
        return Ok(Inputs { good, bad, named: result.clone(), command: vec![] });
    }
    let no_result = || {
        let what =
            format!("{} is no result of reduct isolate with one file on each side, and no run", result.display());
        usage(what, "give two inputs: reduct state PASSING FAILING -- python3 prog.py {}")
    };
    let run = Run::find(result).map_err(|_| no_result())?;
    let reduced = reduced_by(&run)?;
    let here = std::env::current_dir().unwrap_or_default();
    let near = |path: &Path| path.strip_prefix(&here).unwrap_or(path).to_owned();
    let pair = match &reduced.passing {
        Some(passing) => Some((passing.clone(), near(&reduced.out))),
        None => sides(&near(&reduced.out)),
    };
    let Some((good, bad)) = pair.filter(|(_, bad)| bad.is_file()) else {
        let what = format!("the run {} has not left an input that passes beside one that fails", run.folder.display());
        let help = "give two inputs; or finish it with reduct resume; reduct isolate finds such a pair";
        return Err(usage(what, help));
    };
    Ok(Inputs { named: bad.clone(), good, bad, command: reduced.command })
}

/// Returns the files of both sides of a result of `isolate`.
fn sides(result: &Path) -> Option<(PathBuf, PathBuf)> {
    only_file(&result.join("passing")).zip(only_file(&result.join("failing")))
}

fn only_file(folder: &Path) -> Option<PathBuf> {
    let mut files = std::fs::read_dir(folder).ok()?.filter_map(Result::ok);
    let file = files.next().map(|entry| entry.path()).filter(|path| path.is_file())?;
    files.next().is_none().then_some(file)
}

/// Returns the program with one input, where it has `{}` or the name of the failing one.
pub(super) fn with_input(words: &[OsString], failing: &Path, input: &Path) -> Result<Vec<OsString>, Refusal> {
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
        usage(
            "the command does not name the input",
            "write {} where the path of the input belongs: -- python3 prog.py {}",
        )
    })
}

/// Returns the program that a command runs.
pub(super) fn program(words: &[OsString], folder: &Path) -> Result<Program, Refusal> {
    let help = "give a program that Python runs: reduct state PASSING FAILING -- python3 prog.py {}";
    Program::of(words, folder).and_then(Program::with_states).map_err(|error| usage(error.to_string(), help))
}
