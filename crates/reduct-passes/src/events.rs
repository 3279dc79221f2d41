//! Events of a record: what a user did, what was called, what was sent; one on a line.
//!
//! A line is an object of JSON, or words (`keydown alt`, `type "quit"`), or anything else. Blank lines, lines that
//! begin with `#` and pauses (`sleep 0.5`) go with the event after them. An event that needs an earlier one (a release
//! its press, a call its handle, an expectation what it waits for) goes with it, without a test. docs/RECORDS.md says
//! what is read.

pub(crate) mod delays;
pub(crate) mod executions;
pub(crate) mod partners;
pub(crate) mod statements;

use crate::pass::{Needs, Pass, Proposals};
use reduct_input::Candidate;
use reduct_input::Record;
use reduct_input::Spans;
use reduct_input::Subject;
use reduct_input::record::Links;
use reduct_input::record::line::{Line, is_event, lines, read};
use std::collections::HashMap;
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    single_list: true,
    of_records: true,
    needs: Needs::Text,
    ..Pass::deleting(
        "events",
        "events",
        "events of a record, one on a line, with the releases, calls and expectations that need them",
        propose,
    )
};

fn propose(subject: &Subject) -> Proposals {
    record(subject).map(Spans::from).into_iter().collect()
}

/// Returns the events, if there are any, and which need which.
pub fn record(subject: &Subject) -> Option<Record> {
    let mut all = Links::default();
    let mut parts: Vec<Range<u32>> = vec![];
    for (_, addresses, text) in subject.artifact().files() {
        let mut names: HashMap<Vec<u8>, u32> = HashMap::new();
        let mut start = addresses.start;
        let mut before = None;
        for line in lines(text) {
            let end = addresses.start + line.end as u32;
            let Line::Event(said) = read(&text[line]) else { continue };
            let mut numbers = |names_said: Vec<Vec<u8>>| -> Vec<u32> {
                names_said.into_iter().map(|name| *names.entry(name).or_insert_with(|| all.new_handle())).collect()
            };
            let (mut makes, mut needs, ends) = (numbers(said.makes), numbers(said.needs), numbers(said.ends));
            if said.answers {
                needs.extend(before);
            } else {
                let own = all.new_handle();
                makes.push(own);
                before = Some(own);
            }
            all.add(makes, needs, ends);
            parts.push(start..end);
            start = end;
        }
        // What stands behind the last event goes with it; a file without events is one.
        match parts.last_mut().filter(|last| last.start >= addresses.start && !addresses.is_empty()) {
            Some(last) => last.end = addresses.end,
            None if !addresses.is_empty() => {
                all.add(vec![], vec![], vec![]);
                parts.push(addresses);
            }
            None => {}
        }
    }
    (!parts.is_empty()).then(|| Record::new(parts, all))
}

/// Returns how many events a candidate has, as [`record`] counts them, but without looking for what needs which.
pub fn count(candidate: &Candidate) -> usize {
    let of_file = |pieces: Vec<&[u8]>| {
        let (mut events, mut begun) = (0, vec![]);
        let mut length = 0;
        for piece in pieces {
            length += piece.len();
            // A line may go on in the next piece.
            for line in piece.split_inclusive(|byte| *byte == b'\n') {
                let is_whole = line.ends_with(b"\n");
                match (begun.is_empty(), is_whole) {
                    (true, true) => events += usize::from(is_event(line)),
                    (false, true) => {
                        begun.extend_from_slice(line);
                        events += usize::from(is_event(&begun));
                        begun.clear();
                    }
                    (_, false) => begun.extend_from_slice(line),
                }
            }
        }
        events += usize::from(is_event(&begun));
        // A file without events is one.
        if length > 0 { events.max(1) } else { 0 }
    };
    candidate.pieces().map(|(_, pieces)| of_file(pieces)).sum()
}
