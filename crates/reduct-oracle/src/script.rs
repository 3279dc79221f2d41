//! An oracle as a script for any shell: for other reducers, and for people without reduct.
//!
//! It exits with 0 if the failure in question occurs for what stands in the current folder (the convention of
//! C-Reduce, C-Vise and Shrink Ray), and otherwise with something else. It is as close to the oracle as a shell and
//! grep can be; where it is not, a comment says so. A script should be run once before it is trusted.

mod condition;
mod pattern;
mod place;

use super::signature::Signature;
use super::{CANNOT_TELL, Criterion, OTHER_FROM};
use crate::shell_line::{fill_in_line, line_of};
use crate::{Death, Exit, Invocation, Limit};
pub use pattern::Unsayable;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::time::Duration;

/// What a script is made of.
#[derive(Clone, Copy, Debug)]
pub struct Terms<'a> {
    /// What counts as the failure.
    pub reading: &'a Criterion,
    /// How the test is started.
    pub invocation: &'a Invocation,
    /// How long it may run.
    pub time: Duration,
    /// How much memory each of its processes may map, if that is to be limited.
    pub memory: Option<u64>,
    /// What the script is called in its own comments.
    pub called: &'a str,
}

/// What a test has to have done, in the words of a shell.
#[derive(Clone, Debug, Default)]
struct Demand {
    /// Commands, each of which succeeds if it holds; all must.
    holds: Vec<String>,
    /// Whether any of them reads what the test printed.
    reads: bool,
    /// In what this differs from the oracle.
    notes: Vec<&'static str>,
    /// The death whose place gdb is asked for.
    died: Option<Death>,
    /// The line for the shell with which the test is compared.
    reference: Option<String>,
}

/// So many seconds more a test may take under gdb.
const LOADING: u128 = 30;

/// What `timeout -s KILL` exits with when the time was over.
const TIMED_OUT: i32 = 137;

const KILLED: &str = "a shell cannot tell what SIGKILL ended from what reached the time limit";
const REPORTS: &str = "reports of a program that is broken do not count here: any of these statuses will do";
const ANY_LINE: &str = "any line that reads so will do, not only the one that tells the failure";
const ANY_NUMBER: &str = "any number will do where the message has a code or a status";
const ANY_WORD: &str = "any word will do where the message named a word of the input";
const FROM_A_SHELL: &str = "a shell cannot tell death by a signal from an exit status of 128 and more";

// The first comment of a script, in parts.
const EXITS: &str = "Written by reduct. Exits with 0 if this failure occurs for";
const ELSEWISE: &str = "in the current folder, else with\nsomething else:";
const NEEDS: &str = "It needs sh, timeout, grep, sed and awk";
const WHAT_THE_TEST_NEEDS: &str = ", and what the test needs.";
const LESS_EXACT: &str = "\nThis is a little less exact than reduct itself:";

/// Makes the folder for what is printed, where other reducers clear up even after scripts that they kill.
const FOLDER_FOR_OUTPUT: &str = "said_in=$(mktemp -d \"$PWD/.reduct-oracle.XXXXXX\") || exit 125\n\
     trap 'rm -rf \"$said_in\"' 0\ntrap 'exit 125' HUP INT TERM\n";

/// Returns the script.
///
/// # Errors
/// If the failure cannot be told by a shell and grep.
pub fn script(terms: &Terms<'_>) -> Result<Vec<u8>, Unsayable> {
    let demand = match terms.reading {
        Criterion::ExitZero => status("-eq", 0),
        Criterion::Bisect => bisect(),
        Criterion::BisectLike(_) => Demand { notes: vec![REPORTS], ..bisect() },
        Criterion::Same(signature) => same(signature),
        Criterion::Conditions(all) => condition::all(all)?,
    };
    Ok(written(terms, &demand))
}

fn bisect() -> Demand {
    let holds = vec!["[ \"$status\" -ge 1 ]".into(), format!("[ \"$status\" -lt {OTHER_FROM} ]")];
    Demand { holds, ..Demand::default() }
}

fn status(operator: &str, status: i32) -> Demand {
    Demand { holds: vec![format!("[ \"$status\" {operator} {status} ]")], ..Demand::default() }
}

fn same(signature: &Signature) -> Demand {
    let mut demand = match &signature.exit {
        Exit::Signal(number) => Demand { notes: vec![FROM_A_SHELL], ..status("-eq", 128 + number) },
        Exit::Limit(Limit::Time) => Demand { notes: vec![KILLED], ..status("-eq", TIMED_OUT) },
        Exit::Code(code) => status("-eq", *code),
        // These are no failures that a search begins with.
        Exit::Limit(_) | Exit::NotStarted(_) | Exit::NotBuilt(_) => status("-lt", 0),
    };
    if let Some(text) = &signature.text {
        demand.holds.push(format!("said {}", word(OsStr::new(&pattern::of_stripped(text)))));
        demand.reads = true;
        demand.notes.push(ANY_LINE);
        if text.contains(|c: char| c.is_ascii_digit()) {
            demand.notes.push(ANY_NUMBER);
        }
        if text.replace("'…'", "").contains('…') {
            demand.notes.push(ANY_WORD);
        }
    }
    if let Some(line) = &signature.or {
        demand.holds.push(format!("said {}", word(OsStr::new(&pattern::of_stripped(line)))));
    }
    let place = place::of(signature);
    demand.holds.extend(place.holds);
    demand.notes.extend(place.notes);
    Demand { reads: demand.reads || place.reads, died: place.died, ..demand }
}

/// Returns a word as a shell takes it.
pub fn word(word: &OsStr) -> String {
    // Bytes that are no text are put back by `written`: a script is bytes.
    let text: String = word.as_bytes().iter().map(|byte| char::from(*byte)).collect();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:,@%".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

/// Returns the test as a line of the script.
fn command(invocation: &Invocation) -> String {
    let path = format!("\"$PWD\"/{}", word(invocation.subject.as_os_str()));
    let line = line_of(&invocation.argv);
    let argument = |(at, argument): (usize, &OsString)| match argument.as_bytes() {
        line_of_shell if Some(at) == line => {
            line_below_pwd(&invocation.argv[0], line_of_shell, invocation.subject.as_os_str())
        }
        b"{}" => path.clone(),
        _ => word(argument).replace("{}", &format!("'{path}'")),
    };
    let mut words: Vec<String> = invocation.argv.iter().enumerate().map(argument).collect();
    words.extend(invocation.path_argument.then(|| path.clone()));
    let stdin = if invocation.stdin { path } else { "/dev/null".into() };
    format!("{} <{stdin}", words.join(" "))
}

/// Returns a line for another shell as one word, with the path of `name` in the current folder in the place of `{}`.
fn line_below_pwd(shell: &OsStr, line: &[u8], name: &OsStr) -> String {
    // No text has this character, and with it the line stands in quotes.
    const FOLDER: &str = "\u{1}";
    let path = [FOLDER.as_bytes(), b"/", name.as_bytes()].concat();
    word(&OsString::from_vec(fill_in_line(shell, line, &path))).replace(FOLDER, "'\"$PWD\"'")
}

/// Lines of a comment, whatever stands in the text.
fn comment(text: &str) -> String {
    text.lines().map(|line| format!("# {}\n", line.replace(char::is_control, " "))).collect()
}

fn written(terms: &Terms<'_>, demand: &Demand) -> Vec<u8> {
    let (name, called) = (terms.invocation.subject.to_string_lossy().into_owned(), terms.called);
    let mut about = format!(
        "{EXITS} {name} {ELSEWISE}\n  {}\n\
         cvise {called} {name}\ncreduce {called} {name}\nshrinkray {called} {name}\nreduct {called} {name}\n\
         {NEEDS}{}{WHAT_THE_TEST_NEEDS}",
        terms.reading.describe(),
        if demand.died.is_some() { ", and gdb" } else { "" }
    );
    if !demand.notes.is_empty() {
        about += LESS_EXACT;
        demand.notes.iter().for_each(|note| about += &format!("\n- {note}"));
    }
    let seconds = (terms.time.as_millis().div_ceil(1000)).max(1);
    let memory = terms.memory.map(|bytes| format!("ulimit -v {} && ", bytes.div_ceil(1024))).unwrap_or_default();
    let run = format!("{memory}exec timeout -s KILL {seconds} {}", command(terms.invocation));
    // What is in single quotes and in comments of this is text; all else is ASCII or a char for each byte.
    let mut script = b"#!/bin/sh\n".to_vec();
    script.extend(comment(&about).into_bytes());
    let mut body = String::new();
    if demand.reads {
        body += FOLDER_FOR_OUTPUT;
        body += pattern::FUNCTIONS;
        let plain = command(terms.invocation);
        body += &demand.died.map(|death| place::asks_gdb(death, seconds + LOADING, &plain)).unwrap_or_default();
        let line = demand.reference.as_deref().map(|line| condition::compares(line, terms.invocation));
        body += &line.unwrap_or_default();
        body += &format!("({run}) >\"$said_in/out\" 2>\"$said_in/err\"\n");
    } else {
        body += &format!("({run}) >/dev/null 2>&1\n");
    }
    body += "status=$?\n";
    if demand.reads {
        body += "times >\"$said_in/times\"\n";
    }
    let holds: Vec<String> = demand.holds.iter().map(|holds| format!("{holds} || exit 1")).collect();
    body += &holds.join("\n");
    body += "\nexit 0\n";
    script.extend(body.chars().map(|c| u8::try_from(c).unwrap_or(b'?')));
    script
}
