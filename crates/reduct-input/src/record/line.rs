//! The lines of a record: which of them are events, what they say of others, and when they are.

mod json;
mod script;

use std::ops::Range;

/// What an event says of others. Names are those of one record.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct EventLine {
    /// What is there from it on.
    pub makes: Vec<Vec<u8>>,
    /// What must have been made.
    pub needs: Vec<Vec<u8>>,
    /// What must have been made, and not ended since; it is over with it.
    pub ends: Vec<Vec<u8>>,
    /// Whether it is about what the event before it did.
    pub answers: bool,
}

/// What stands on a line.
pub enum Line {
    /// Nothing, or a pause: it goes with the next event.
    Between,
    /// An event.
    Event(EventLine),
}

/// A pause, as it stands on a line.
pub enum Pause {
    /// A line that is nothing else; where its number is.
    Line(Range<usize>),
    /// How long after the event before: where the number is.
    After(Range<usize>),
    /// When it was: where the number is.
    When(Range<usize>),
}

/// Returns, of an event and what goes with it, the line that is the event.
pub fn line_of(part: &[u8]) -> &[u8] {
    let mut events = lines(part).filter(|line| is_event(&part[line.clone()]));
    events.next().map_or(part, |line| &part[line])
}

/// Returns the lines of a text, with their ends.
pub fn lines(text: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = 0;
    text.split_inclusive(|byte| *byte == b'\n').map(move |line| {
        let start = at;
        at += line.len();
        start..at
    })
}

/// Returns whether a line is an event, and does not go with another one.
pub fn is_event(line: &[u8]) -> bool {
    match line.trim_ascii() {
        [] | [b'#', ..] => false,
        [b'{', ..] => true,
        _ => script::pause(line).is_none(),
    }
}

/// Returns what a line says.
pub fn read(line: &[u8]) -> Line {
    match line.trim_ascii() {
        _ if !is_event(line) => Line::Between,
        [b'{', ..] => Line::Event(json::said(line)),
        _ => Line::Event(script::said(line)),
    }
}

/// Returns what stands before and behind the number of a line that says when its event is; of any other line, all of
/// it.
pub fn untimed(line: &[u8]) -> [&[u8]; 2] {
    match pause(line) {
        Some(Pause::After(number) | Pause::When(number)) => [&line[..number.start], &line[number.end..]],
        Some(Pause::Line(_)) | None => [line, &[]],
    }
}

/// Returns the pause that a line says, if it does.
pub fn pause(line: &[u8]) -> Option<Pause> {
    match line.trim_ascii_start().first()? {
        b'{' => json::pause(line),
        _ => script::pause(line).map(Pause::Line),
    }
}
