//! The conditions of `--fails-if` in the words of a shell, one function each.

use super::pattern::{self, Unsayable};
use super::{CANNOT_TELL, Demand, FROM_A_SHELL, KILLED, TIMED_OUT, status, word};
use crate::executor::{Exit, Limit};
use crate::oracle::condition::{Condition, Stream, What};
use regex::bytes::Regex;
use std::ffi::OsStr;

/// That all of them hold, and that the test could tell.
pub(super) fn all(conditions: &[Condition]) -> Result<Demand, Unsayable> {
    let mut all = Demand::default();
    // What reached a limit or cannot tell is not the failure because some other is excluded.
    let ends = CANNOT_TELL.iter().map(|code| (*code, Exit::Code(*code)));
    let ends = ends.chain([(TIMED_OUT, Exit::Limit(Limit::Time))]);
    let unnamed = ends.filter(|(_, exit)| !conditions.iter().any(|condition| condition.names(exit)));
    let unnamed: Vec<String> = unnamed.map(|(status, _)| status.to_string()).collect();
    if !unnamed.is_empty() {
        all.holds.push(format!("case $status in {}) false ;; esac", unnamed.join(" | ")));
    }
    for condition in conditions {
        let (is_negated, what) = condition.parts();
        let one = said(what)?;
        let negated = |holds: String| if is_negated { format!("! {holds}") } else { holds };
        all.holds.extend(one.holds.into_iter().map(negated));
        all.reads |= one.reads;
        all.notes.extend(one.notes);
    }
    all.notes.sort_unstable();
    all.notes.dedup();
    Ok(all)
}

fn said(what: &What) -> Result<Demand, Unsayable> {
    match what {
        What::Exit(code) => Ok(exit(*code)),
        What::Signal(number) => Ok(signal(*number)),
        What::Timeout => Ok(timeout()),
        What::Says(stream, regex) => says(*stream, regex),
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
    Ok(Demand { holds, reads: true, notes })
}
