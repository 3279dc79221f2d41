//! The two inputs of `reduct state`.

use crate::cli::command::trace::listed::line_of;
use crate::cli::usage;
use reduct_lib::{Refusal, Run, reduced_by};
use reduct_trace::Program;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// One of the two runs that are compared.
pub(super) struct Side {
    /// What it is called: its input, or its arguments.
    pub(super) label: String,
    /// The program, with what it is given.
    pub(super) words: Vec<OsString>,
    /// What it is given, as a text.
    pub(super) text: Vec<u8>,
    /// The variables that differ between the two runs, as they are in this one.
    pub(super) variables: Vec<OsString>,
    /// Whether it is told from the other one by its input.
    pub(super) is_input: bool,
}

/// What is compared.
pub(super) struct Pair {
    pub(super) good: Side,
    pub(super) bad: Side,
    /// What the result is named by.
    pub(super) named: PathBuf,
    /// The input with which the program fails, if it is a file.
    pub(super) input: Option<PathBuf>,
}

/// Two inputs.
struct Inputs {
    good: PathBuf,
    bad: PathBuf,
    named: PathBuf,
    /// The program, if a run has it.
    command: Vec<OsString>,
}

/// Returns what is compared: the program with two inputs, or with other arguments or variables in the run that passes.
pub(super) fn pair(
    given: &[PathBuf],
    (good_arguments, good_variables): (Option<&OsStr>, &[OsString]),
    words: &[OsString],
    folder: &Path,
) -> Result<Pair, Refusal> {
    if good_arguments.is_some() || !good_variables.is_empty() {
        return with_others(good_arguments, good_variables, words, folder);
    }
    let Inputs { good, bad, named, command } = inputs(given)?;
    let words = if words.is_empty() { &command } else { words };
    let side = |input: &Path| -> Result<Side, Refusal> {
        let text = std::fs::read(input).map_err(Refusal::io("read", input))?;
        let label = input.display().to_string();
        Ok(Side { label, words: with_input(words, &bad, input)?, text, variables: vec![], is_input: true })
    };
    Ok(Pair { good: side(&good)?, bad: side(&bad)?, named, input: Some(bad.clone()) })
}

/// Returns the program with these arguments and variables, with which it passes, and with those that it has.
fn with_others(
    line: Option<&OsStr>,
    variables: &[OsString],
    words: &[OsString],
    folder: &Path,
) -> Result<Pair, Refusal> {
    let program = program(words, folder)?;
    let arguments = match line {
        Some(line) => Some(split(line)?),
        None => None,
    };
    let names = variables.iter().map(|it| name_of(it)).collect::<Result<Vec<&OsStr>, _>>()?;
    let here = |name: &&OsStr| match std::env::var_os(name) {
        Some(value) => [name, OsStr::new("="), &value].iter().copied().collect::<OsString>(),
        None => (*name).to_owned(),
    };
    let here: Vec<OsString> = names.iter().map(here).collect();
    let side = |given: &[OsString], variables: &[OsString], words: Vec<OsString>| Side {
        label: label(arguments.as_ref().map(|_| given), variables),
        words,
        text: [given, variables].concat().join(OsStr::new("\n")).into_vec(),
        variables: variables.to_vec(),
        is_input: false,
    };
    let passing = arguments.clone().unwrap_or_else(|| program.arguments().to_vec());
    let good_words = if arguments.is_some() { program.with_arguments(&passing) } else { words.to_vec() };
    let good = side(&passing, variables, good_words);
    let bad = side(program.arguments(), &here, words.to_vec());
    Ok(Pair { good, bad, named: program.name().into(), input: None })
}

/// Returns the arguments of a line.
fn split(line: &OsStr) -> Result<Vec<OsString>, Refusal> {
    let words = shlex::bytes::split(line.as_bytes()).ok_or_else(|| {
        let what = format!("the arguments have a quote that does not end: {}", line.display());
        usage(what, "quote arguments as for a shell: --good-args '1 \"a b\"'")
    })?;
    Ok(words.into_iter().map(OsString::from_vec).collect())
}

/// Returns the name of a variable that stands alone, or before its value.
fn name_of(variable: &OsString) -> Result<&OsStr, Refusal> {
    let name = variable.as_bytes().split(|byte| *byte == b'=').next().unwrap_or_default();
    if name.is_empty() {
        let what = format!("the variable has no name: {}", variable.display());
        return Err(usage(what, "--good-env NAME=VALUE; NAME alone: the program passes without it"));
    }
    Ok(OsStr::from_bytes(name))
}

/// Returns what a side is called: by its arguments, if they differ, and its variables.
fn label(arguments: Option<&[OsString]>, variables: &[OsString]) -> String {
    let variable = |it: &OsString| {
        let shown = line_of(std::slice::from_ref(it));
        if it.as_bytes().contains(&b'=') { shown } else { format!("no {shown}") }
    };
    let arguments = arguments.map(|all| if all.is_empty() { "no arguments".into() } else { line_of(all) });
    variables.iter().map(variable).chain(arguments).collect::<Vec<_>>().join(" ")
}

/// Returns the two inputs: both are given, or they are the two sides that `isolate` leaves, or the result of a run and what passes
/// beside it.
fn inputs(given: &[PathBuf]) -> Result<Inputs, Refusal> {
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
        usage(
            "the command does not name the input",
            "write {} where the path of the input belongs: -- python3 prog.py {}",
        )
    })
}

/// Returns the program that a command runs.
pub(super) fn program(words: &[OsString], folder: &Path) -> Result<Program, Refusal> {
    let help = "give a program that Python runs, or one that is compiled with -g: reduct state PASSING FAILING -- python3 prog.py {}";
    Program::of(words, folder).and_then(Program::with_states).map_err(|error| usage(error.to_string(), help))
}
