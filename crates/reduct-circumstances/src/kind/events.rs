//! Events of a record: what a user did, what was called, what was sent; one on a line.
//!
//! A line is an object of JSON, or words (`keydown alt`, `type "quit"`), or anything else. Blank lines, lines that
//! begin with `#` and pauses (`sleep 0.5`) go with the event after them. An event that needs an earlier one (a release
//! its press, a call its handle, an expectation what it waits for) goes with it, without a test. docs/RECORDS.md says
//! what is read.

mod json;
mod script;

use super::{Kind, LIKELY, Needs, Outline};
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

/// How many events there are.
pub(crate) fn count(subject: &Subject) -> usize {
    record(subject).map_or(0, |record| record.parts().len())
}

/// Of an event and what goes with it, the line that is the event.
pub(crate) fn line_of(part: &[u8]) -> &[u8] {
    let mut events = lines(part).filter(|line| matches!(read(&part[line.clone()]), Line::Event(_)));
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

fn read(line: &[u8]) -> Line {
    match line.trim_ascii() {
        [] | [b'#', ..] => Line::Between,
        _ if matches!(pause(line), Some(Pause::Line(_))) => Line::Between,
        [b'{', ..] => Line::Event(json::said(line)),
        _ => Line::Event(script::said(line)),
    }
}

/// The pause that a line says, if it does.
pub(crate) fn pause(line: &[u8]) -> Option<Pause> {
    match line.trim_ascii_start().first()? {
        b'{' => json::pause(line),
        _ => script::pause(line).map(Pause::Line),
    }
}
