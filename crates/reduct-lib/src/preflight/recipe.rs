//! How a person sees by hand what a test does.

use crate::goal::ResultInput;
use crate::job::{InputDelivery, Job};
use crate::shell::{quoted, words_below_d};
use reduct_oracle::shell_line::TOP;
use reduct_report::preflight::advice::Advice;
use reduct_report::preflight::recipe::{RanWith, Reworded, RunAs, by_hand, circumstances, in_new_folder};
use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Returns one command to see by hand what the test does where it runs, and which of its words were typed otherwise.
pub(crate) fn recipe(job: &Job) -> String {
    if job.goal.situation().is_some() {
        let ran = job.top().map_or(RanWith::FreshFolder, RanWith::CopyOf);
        return circumstances(&ran);
    }
    let Ok(invocation) = job.invocation() else { return String::new() };
    let full = |path: PathBuf| if path.file_name().is_some() { path } else { path.canonicalize().unwrap_or(path) };
    let inputs: Vec<String> = job.input_paths().into_iter().map(|path| quoted(full(path).as_os_str())).collect();
    let path = format!("\"$d\"/{}", quoted(invocation.subject.as_os_str()));
    let mut words = words_below_d(&invocation.argv, invocation.subject.as_os_str());
    if invocation.path_argument {
        words.push(path.clone());
    }
    if let Some(serving) = invocation.server {
        let input = inputs.first().map_or("", String::as_str);
        let question = if serving.paths {
            format!("printf 'path %s\\n%s' \"$(printf %s {input} | wc -c)\" {input}")
        } else {
            format!("printf 'contents %s\\n' \"$(wc -c <{input})\"; cat {input}")
        };
        return by_hand(&[], None, &format!("({question}) | {}", words.join(" ")));
    }
    let stdin = if invocation.stdin { format!(" <{path}") } else { " </dev/null".into() };
    let (copied, stands) = match job.top() {
        Some(top) => (quoted(top.join(".").as_os_str()), format!("/{}", quoted(invocation.inside.as_os_str()))),
        None => (inputs.join(" "), String::new()),
    };
    let stands = if invocation.inside.as_os_str().is_empty() { String::new() } else { stands };
    let line = in_new_folder(&copied, &stands, &format!("{}{stdin}", words.join(" ")));
    let leads_out = job.leading_out().filter(|_| !job.goal.compares_versions());
    by_hand(&reworded(job), leads_out.as_ref().map(|(word, up)| (word.as_str(), up.clone())), &line)
}

/// Returns a line for a shell that runs the test on a result of the job as a test is run: in a new folder. It is typed in the folder of
/// the job, below which it names paths from there. `None` where one line does not: of a server, of a person, of versions, and of
/// what a command is given.
pub(crate) fn repeat_line(job: &Job, result: &Path) -> Option<String> {
    let (part, result) = repeated(job, result)?;
    let invocation = job.invocation().ok()?;
    let subject = quoted(invocation.subject.as_os_str());
    let path = format!("\"$d\"/{subject}");
    let mut words = words_below_d(&invocation.argv, invocation.subject.as_os_str());
    if invocation.path_argument {
        words.push(path.clone());
    }
    let stdin = if invocation.stdin { format!(" <{path}") } else { " </dev/null".into() };
    let copied =
        job.top().map(|top| format!("cp -a {} \"$d\"; ", quoted(from(&job.folder, top).join(".").as_os_str())));
    let placed = match (part, job.inputs.len()) {
        (ResultInput::All, 1) => format!("rm -rf {path}; cp -a {} {path}", quoted(result.as_os_str())),
        _ => format!("cp -a {} \"$d\"", quoted(result.join(".").as_os_str())),
    };
    let inside = match job.top() {
        Some(_) if !invocation.inside.as_os_str().is_empty() => format!("/{}", quoted(invocation.inside.as_os_str())),
        _ => String::new(),
    };
    let words: Vec<String> = words.iter().map(|word| below_p(word, &job.folder)).collect();
    let (copied, words) = (copied.unwrap_or_default(), words.join(" "));
    let folder = if words.contains(FOLDER) { "p=$PWD; " } else { "" };
    Some(format!(
        "{folder}d=$(mktemp -d); {copied}{placed}; cd \"$d\"{inside}; {words}{stdin}; echo \"exit status $?\""
    ))
}

/// Returns the command as it was typed, with the result in the place of the candidate, as a line for a shell in the folder of the
/// job. `None` where the test may need more than that: the name of the input, or a copy of a project.
pub(crate) fn plain_line(job: &Job, result: &Path) -> Option<String> {
    let (_, result) = repeated(job, result)?;
    let path = quoted(result.as_os_str());
    let is_named = job.command.iter().filter(|word| word.as_bytes() == b"{}").count() == 1;
    let names_more = job.command.iter().filter(|word| word.as_bytes().windows(2).any(|two| two == b"{}")).count() > 1;
    let InputDelivery { as_argument, on_stdin } = job.handed;
    if job.top().is_some() || job.inputs.len() != 1 || names_more || !(is_named || as_argument || on_stdin) {
        return None;
    }
    let word = |word: &OsString| if word.as_bytes() == b"{}" { path.clone() } else { quoted(word) };
    let mut words: Vec<String> = job.command.iter().map(word).collect();
    words.extend(as_argument.then(|| path.clone()));
    words.extend(on_stdin.then(|| format!("<{path}")));
    Some(words.join(" "))
}

/// Returns what of a result is run again, and where that stands as seen from the folder of the job.
fn repeated<'a>(job: &Job, result: &'a Path) -> Option<(ResultInput, Cow<'a, Path>)> {
    let is_asked = job.source().person().is_some() || job.source().server().is_some();
    let part = job.goal.result_input().filter(|_| !is_asked)?;
    let result = from(&job.folder, result);
    Some(match part {
        ResultInput::All => (part, result),
        ResultInput::Failing => (part, result.join("failing").into()),
    })
}

/// Returns a path as it is named in a folder: from there, if it is below it or above.
fn from<'a>(folder: &Path, path: &'a Path) -> Cow<'a, Path> {
    let above = || {
        let inside = folder.strip_prefix(path).ok()?;
        let up: PathBuf = inside.components().map(|_| "..").collect();
        Some(if up.as_os_str().is_empty() { PathBuf::from(".") } else { up })
    };
    match path.strip_prefix(folder) {
        Ok(below) if !below.as_os_str().is_empty() && !below.as_os_str().as_bytes().starts_with(b"-") => below.into(),
        _ => above().map_or(path.into(), Cow::Owned),
    }
}

/// The folder in which a line was typed, in that line.
const FOLDER: &str = "\"$p\"/";

/// Returns a word of a line for a shell, of which the path of the folder is that in `$p`.
fn below_p(word: &str, folder: &Path) -> String {
    let Some(folder) = folder.to_str().filter(|folder| !folder.contains('\'')) else { return word.to_owned() };
    let plain = word.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/'));
    let in_quotes = || word.strip_prefix('\'')?.strip_prefix(folder)?.strip_prefix('/');
    match plain.filter(|rest| !rest.is_empty()) {
        Some(rest) => format!("{FOLDER}{rest}"),
        None => in_quotes().map_or_else(|| word.to_owned(), |rest| format!("{FOLDER}'{rest}")),
    }
}

/// Returns which words of the command stand for what.
fn reworded(job: &Job) -> Vec<Reworded> {
    let reworded = |(typed, word): (OsString, OsString)| {
        let is = match word.to_string_lossy() {
            word if word == "{}" => RunAs::Candidate,
            word if word.contains(TOP) => RunAs::InFolder(word.replace(TOP, "$d")),
            word if word.contains("{}") => RunAs::WithCandidate(word.into_owned()),
            word => RunAs::Word(word.into_owned()),
        };
        Reworded { typed: typed.display().to_string(), is }
    };
    job.rewritten().into_iter().map(reworded).collect()
}

/// Returns what is to be said if nothing in the command says where the candidate is. A reducer script knows.
pub(super) fn unseen(job: &Job) -> Option<Advice<'static>> {
    let is_input = job.goal.varies_inputs();
    let InputDelivery { as_argument, on_stdin } = job.handed;
    let is_handed =
        as_argument || on_stdin || job.source().server().is_some() || job.failure == crate::job::Failure::ExitZero;
    let (Ok(invocation), true, false) = (job.invocation(), is_input, is_handed) else { return None };
    let inputs = job.input_paths();
    let names: Vec<&OsStr> = inputs.iter().filter_map(|input| input.file_name()).collect();
    let is_in = |word: &OsString, name: &OsStr| {
        let is_in = |word: &[u8], name: &[u8]| !name.is_empty() && word.windows(name.len()).any(|part| part == name);
        // A line for a shell may have it in quotes, or with escapes.
        is_in(word.as_bytes(), name.as_bytes()) || is_in(&unquoted(word), &unquoted(name))
    };
    let is_named =
        invocation.argv.iter().any(|word| names.iter().chain([&OsStr::new("{}")]).any(|name| is_in(word, name)));
    names.first().filter(|_| !is_named).map(|name| Advice::NamesNoInput(quoted(name)))
}

/// Returns a text without what a shell takes for quotes and escapes.
fn unquoted(text: &OsStr) -> Vec<u8> {
    text.as_bytes().iter().copied().filter(|byte| !b"'\"\\".contains(byte)).collect()
}
