//! The conditions of `--fails-if` in the words of a shell, one function each.

use super::pattern::{self, Unsayable};
use super::{CANNOT_TELL, Demand, FROM_A_SHELL, KILLED, TIMED_OUT, status, word};
use crate::Invocation;
use crate::condition::{Condition, Stream, What};
use regex::bytes::Regex;
use std::ffi::OsStr;
use std::time::Duration;

/// Returns the demand that all of them hold, and that the test could tell.
pub(super) fn all(conditions: &[Condition]) -> Result<Demand, Unsayable> {
    let mut all = Demand::default();
    // What reached a limit or cannot tell is not the failure because some other is excluded.
    let ends = CANNOT_TELL.iter().chain([&TIMED_OUT]);
    let unnamed = ends.filter(|status| !conditions.iter().any(|condition| names(condition, **status)));
    let unnamed: Vec<String> = unnamed.map(i32::to_string).collect();
    if !unnamed.is_empty() {
        all.holds.push(["case $status in ", &unnamed.join(" | "), ") false ;; esac"].concat());
    }
    for condition in conditions {
        let (is_negated, what) = condition.parts();
        let one = said(what)?;
        // Whether it is negated or not: what is not accepted there is not compared.
        all.holds.extend(one.reference.is_some().then(|| "accepted".to_owned()));
        all.reference = all.reference.or(one.reference);
        let negated = |holds: String| if is_negated { format!("! {holds}") } else { holds };
        all.holds.extend(one.holds.into_iter().map(negated));
        all.reads |= one.reads;
        all.notes.extend(one.notes);
    }
    all.notes.sort_unstable();
    all.notes.dedup();
    Ok(all)
}

/// Returns whether it says of this very status that it is the failure.
fn names(condition: &Condition, status: i32) -> bool {
    let (is_negated, what) = condition.parts();
    !is_negated
        && match what {
            What::Exit(code) => *code == status,
            What::Timeout | What::SlowerThan(_) => status == TIMED_OUT,
            _ => false,
        }
}

fn said(what: &What) -> Result<Demand, Unsayable> {
    match what {
        What::Exit(code) => Ok(exit(*code)),
        What::Signal(number) => Ok(signal(*number)),
        What::Timeout => Ok(timeout()),
        What::Says(stream, regex) => says(*stream, regex),
        What::SlowerThan(time) => Ok(slower_than(*time)),
        What::DiffersFrom(line) => Ok(differs_from(line)),
        What::MemoryOver(_) => Err(Unsayable::Memory),
        What::Frame(_) => Err(Unsayable::Frames),
    }
}

fn exit(code: i32) -> Demand {
    let notes = if code > 128 { vec![FROM_A_SHELL] } else { vec![] };
    Demand { notes, ..status("-eq", code) }
}

fn signal(number: i32) -> Demand {
    let notes = if 128 + number == TIMED_OUT { vec![KILLED] } else { vec![FROM_A_SHELL] };
    Demand { notes, ..status("-eq", 128 + number) }
}

fn timeout() -> Demand {
    Demand { notes: vec![KILLED], ..status("-eq", TIMED_OUT) }
}

fn says(stream: Stream, regex: &Regex) -> Result<Demand, Unsayable> {
    let files = match stream {
        Stream::Stdout => "out",
        Stream::Stderr => "err",
        Stream::Either => "either",
    };
    let (pattern, notes) = pattern::of_regex(regex.as_str())?;
    let holds = vec![format!("{files}_says {}", word(OsStr::new(&pattern)))];
    Ok(Demand { holds, reads: true, notes, ..Demand::default() })
}

fn slower_than(time: Duration) -> Demand {
    let holds = vec![format!("slower_than {}", time.as_secs_f64())];
    Demand { holds, reads: true, ..Demand::default() }
}

fn differs_from(line: &str) -> Demand {
    Demand { holds: vec!["differs".into()], reads: true, reference: Some(line.into()), ..Demand::default() }
}

/// Returns what runs the other line once, and says whether it accepts the candidate, and whether the test did
/// otherwise.
pub(super) fn compares(line: &str, invocation: &Invocation) -> String {
    let path = format!("\"$PWD\"/{}", word(invocation.subject.as_os_str()));
    let stdin = if invocation.stdin { path.clone() } else { "/dev/null".into() };
    // A char for each byte, as in the words beside it.
    let line: String = line.bytes().map(char::from).collect();
    let line = line.replace("{}", &path);
    // It may end with a comment.
    format!(
        "accepted() {{ ({line}\n) >\"$said_in/other\" 2>/dev/null <{stdin}; }}\n\
         differs() {{ [ \"$status\" -ne 0 ] || ! cmp -s \"$said_in/out\" \"$said_in/other\"; }}\n"
    )
}
