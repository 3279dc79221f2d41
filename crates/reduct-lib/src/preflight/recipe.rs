//! How a person sees by hand what a test does.

use crate::job::{InputDelivery, Job};
use crate::shell::{quoted, words_below_d};
use reduct_oracle::shell_line::TOP;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// One command to see by hand what the test does where it runs, and which of its words were typed otherwise.
pub(crate) fn recipe(job: &Job) -> String {
    if job.goal.situation().is_some() {
        return match job.top() {
            Some(top) => format!("the command was run in a copy of {}", top.display()),
            None => "the command was run in a fresh folder with copies of the files that it names; if it needs others \
                     from your folder, `reduct all` and `reduct files` take all of them"
                .into(),
        };
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
        return format!("to see it by hand:\n  ({question}) | {}", words.join(" "));
    }
    let stdin = if invocation.stdin { format!(" <{path}") } else { " </dev/null".into() };
    let (copied, stands) = match job.top() {
        Some(top) => (quoted(top.join(".").as_os_str()), format!("/{}", quoted(invocation.inside.as_os_str()))),
        None => (inputs.join(" "), String::new()),
    };
    let stands = if invocation.inside.as_os_str().is_empty() { String::new() } else { stands };
    format!(
        "{}{}to see it by hand:\n  d=$(mktemp -d); cp -a {copied} \"$d\"; cd \"$d\"{stands}; {}{stdin}; echo \"exit status $?\"",
        rewritten(job),
        leading_out(job),
        words.join(" ")
    )
}

/// Returns what the command names that is not there in a test, as it stands above, and what to do.
fn leading_out(job: &Job) -> String {
    let versions = job.goal.compares_versions();
    match job.leading_out().filter(|_| !versions) {
        Some((word, up)) => {
            let up = up.display();
            format!(
                "`{word}` of the command leads out of the folder of the test, where it is not: --in {up} copies that, too\n"
            )
        }
        None => String::new(),
    }
}

/// Returns which words of the command stand for what, line by line.
fn rewritten(job: &Job) -> String {
    let line = |(typed, word): (OsString, OsString)| {
        let typed = typed.display();
        match word.to_string_lossy() {
            word if word == "{}" => format!("`{typed}` of the command is run as the candidate\n"),
            word if word.contains(TOP) => {
                let word = word.replace(TOP, "$d");
                format!("`{typed}` of the command is run as `{word}`, $d being the copy\n")
            }
            word if word.contains("{}") => {
                format!("`{typed}` of the command is run as `{word}`, {{}} being the candidate\n")
            }
            word => format!("`{typed}` of the command is run as `{word}`\n"),
        }
    };
    job.rewritten().into_iter().map(line).collect()
}

/// Returns what is to be said if nothing in the command says where the candidate is. A reducer script knows.
pub(super) fn unseen(job: &Job) -> String {
    let is_input = job.goal.varies_inputs();
    let InputDelivery { as_argument, on_stdin } = job.handed;
    let is_handed =
        as_argument || on_stdin || job.source().server().is_some() || job.failure == crate::job::Failure::ExitZero;
    let (Ok(invocation), true, false) = (job.invocation(), is_input, is_handed) else { return String::new() };
    let inputs = job.input_paths();
    let names: Vec<&OsStr> = inputs.iter().filter_map(|input| input.file_name()).collect();
    let is_in = |word: &OsString, name: &OsStr| {
        let is_in = |word: &[u8], name: &[u8]| !name.is_empty() && word.windows(name.len()).any(|part| part == name);
        // A line for a shell may have it in quotes, or with escapes.
        is_in(word.as_bytes(), name.as_bytes()) || is_in(&unquoted(word), &unquoted(name))
    };
    let is_named =
        invocation.argv.iter().any(|word| names.iter().chain([&OsStr::new("{}")]).any(|name| is_in(word, name)));
    match names.first() {
        Some(name) if !is_named => format!(
            "\nthe command names no input, so all the test gets is a folder in which {} stands: put {{}} where its \
             path belongs, add --arg to have it as the last argument, or --stdin to have it on standard input",
            quoted(name)
        ),
        _ => String::new(),
    }
}

/// Returns a text without what a shell takes for quotes and escapes.
fn unquoted(text: &OsStr) -> Vec<u8> {
    text.as_bytes().iter().copied().filter(|byte| !b"'\"\\".contains(byte)).collect()
}
