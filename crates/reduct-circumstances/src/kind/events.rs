//! Events of a record: what a user did, what was called, what was sent; one on a line.
//!
//! A line is an object of JSON, or words (`keydown alt`, `type "quit"`), or anything else. Blank lines, lines that
//! begin with `#` and pauses (`sleep 0.5`) go with the event after them. An event that needs an earlier one (a release
//! its press, a call its handle, an expectation what it waits for) goes with it, without a test. docs/RECORDS.md says
//! what is read.

mod json;
mod script;

use super::{Kind, LIKELY, Needs, Outline};
use crate::candidate::Candidate;
use crate::circumstances::Spans;
use crate::record::{Links, Record};
use crate::subject::Subject;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

pub(super) const KIND: Kind = Kind {
    name: "events",
    unit: "events",
    about: "events of a record, one on a line, with the releases, calls and expectations that need them",
    flat: true,
    checked: false,
    needs: Needs::Text,
    likely: LIKELY,
    outline,
};

/// What an event says of others. Names are those of one record.
#[derive(Debug, Default, PartialEq, Eq)]
struct Said {
    /// What is there from it on.
    makes: Vec<Vec<u8>>,
    /// What must have been made.
    needs: Vec<Vec<u8>>,
    /// What must have been made, and not ended since; it is over with it.
    ends: Vec<Vec<u8>>,
    /// Whether it is about what the event before it did.
    answers: bool,
}

/// What stands on a line.
enum Line {
    /// Nothing, or a pause: it goes with the next event.
    Between,
    Event(Said),
}

/// A pause, as it stands on a line.
pub(crate) enum Pause {
    /// A line that is nothing else; where its number is.
    Line(Range<usize>),
    /// How long after the event before: where the number is.
    After(Range<usize>),
    /// When it was: where the number is.
    When(Range<usize>),
}

fn outline(subject: &Subject) -> Outline {
    record(subject).map(|record| Spans::Record(Arc::new(record))).into_iter().collect()
}

/// The events, if there are any, and which need which.
pub(crate) fn record(subject: &Subject) -> Option<Record> {
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

/// How many events a candidate has, as [`record`] counts them, but without looking for what needs which.
pub(crate) fn count(candidate: &Candidate) -> usize {
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

/// Of an event and what goes with it, the line that is the event.
pub(crate) fn line_of(part: &[u8]) -> &[u8] {
    let mut events = lines(part).filter(|line| is_event(&part[line.clone()]));
    events.next().map_or(part, |line| &part[line])
}

/// The lines of a text, with their ends.
pub(crate) fn lines(text: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = 0;
    text.split_inclusive(|byte| *byte == b'\n').map(move |line| {
        let start = at;
        at += line.len();
        start..at
    })
}

/// Whether a line is an event, and does not go with another one.
fn is_event(line: &[u8]) -> bool {
    match line.trim_ascii() {
        [] | [b'#', ..] => false,
        [b'{', ..] => true,
        _ => script::pause(line).is_none(),
    }
}

fn read(line: &[u8]) -> Line {
    match line.trim_ascii() {
        _ if !is_event(line) => Line::Between,
        [b'{', ..] => Line::Event(json::said(line)),
        _ => Line::Event(script::said(line)),
    }
}

/// What stands before and behind the number of a line that says when its event is; of any other line, all of it.
pub(crate) fn untimed(line: &[u8]) -> [&[u8]; 2] {
    match pause(line) {
        Some(Pause::After(number) | Pause::When(number)) => [&line[..number.start], &line[number.end..]],
        Some(Pause::Line(_)) | None => [line, &[]],
    }
}

/// The pause that a line says, if it does.
pub(crate) fn pause(line: &[u8]) -> Option<Pause> {
    match line.trim_ascii_start().first()? {
        b'{' => json::pause(line),
        _ => script::pause(line).map(Pause::Line),
    }
}
