//! MIDI: a header with the number of tracks, then tracks with their lengths, each of which is events with the time since the one before.
//!
//! Tracks go, then events with those behind them that have no kind of their own and are of the same one, then these. Of the first one of such a run the bytes
//! behind its kind go up to those of the next one, which is of that kind then. At last go all but the last byte of a time, and what is in events that say how long they are.

use super::{Chunks, number};
use reduct_input::ByteOrder::Big;
use std::ops::Range;
use std::sync::Arc;

/// The levels.
const TRACKS: usize = 0;
const RUNS: usize = 1;
const EVENTS: usize = 2;
const FIRSTS: usize = 3;
const TIMES: usize = 4;

/// How long the head of a chunk is.
const HEAD: usize = 8;

/// A number of sevens has so many bytes at most.
const SEVENS: usize = 4;

/// An event: where the time before it ends, where its kind does, if it has one, and where it does.
struct Event {
    at: Range<usize>,
    kind: usize,
    data: usize,
    /// Where the byte stands that says how long what is in it is, if it says so.
    length: Option<usize>,
}

pub(super) fn chunks(text: &[u8], found: &mut Chunks) {
    if !text.starts_with(b"MThd") {
        return;
    }
    let chunk = |at: usize| {
        let data = at + HEAD;
        let end = data.checked_add(number(text, at + 4..data, Big)?).filter(|end| *end <= text.len())?;
        Some(data..end)
    };
    let Some(header) = chunk(0) else { return };
    let (mut at, mut starts) = (header.end, vec![]);
    while let Some(data) = chunk(at) {
        if text[at..].starts_with(b"MTrk") {
            starts.push(at as u32);
        }
        found.part(TRACKS, at..data.end);
        found.size(at + 4..data.start, Big, data.clone(), 1);
        events(text, &data, found);
        at = data.end;
    }
    found.part(TRACKS, at..text.len());
    let (count, starts): (Range<usize>, Arc<[u32]>) = (header.start + 2..header.start + 4, starts.into());
    if number(text, count.clone(), Big) == Some(starts.len()) {
        found.count(count, Big, &starts);
    }
}

/// Adds the events of a track.
fn events(text: &[u8], track: &Range<usize>, found: &mut Chunks) {
    let (mut all, mut at, mut running): (Vec<Event>, _, _) = (vec![], track.start, None);
    while let Some(event) = event(&text[..track.end], at, &mut running) {
        at = event.at.end;
        all.push(event);
    }
    // What is read no further.
    found.contents(at..track.end, 1);
    for run in all.chunk_by(|_, next| next.data == next.kind) {
        let Some((first, last)) = run.first().zip(run.last()) else { continue };
        found.part(RUNS, first.at.start..last.at.end);
        run[1..].iter().for_each(|event| found.part(EVENTS, event.at.clone()));
        run.get(1).into_iter().for_each(|next| found.part(FIRSTS, first.data..next.data));
    }
    for event in &all {
        found.part(TIMES, event.at.start..event.kind - 1);
        if let Some(length) = event.length {
            found.size(length..length + 1, Big, length + 1..event.at.end, 1);
            found.contents(length + 1..event.at.end, 1);
        }
    }
}

/// Returns the event that begins there. `running` is the kind of those that have none.
fn event(text: &[u8], start: usize, running: &mut Option<u8>) -> Option<Event> {
    let (_, kind) = sevens(text, start)?;
    let first = *text.get(kind)?;
    if first == 0xff || first == 0xf0 || first == 0xf7 {
        *running = None;
        let field = if first == 0xff { kind + 2 } else { kind + 1 };
        let (length, data) = sevens(text, field)?;
        let end = data.checked_add(length).filter(|end| *end <= text.len())?;
        return Some(Event { at: start..end, kind, data: field, length: (data == field + 1).then_some(field) });
    }
    let data = if first >= 0x80 { kind + 1 } else { kind };
    *running = if first >= 0x80 { Some(first) } else { *running };
    // Programs and pressures have one byte.
    let length = match running.filter(|kind| *kind < 0xf0)? >> 4 {
        0xc | 0xd => 1,
        _ => 2,
    };
    (data + length <= text.len()).then_some(Event { at: start..data + length, kind, data, length: None })
}

/// Returns a number of seven bits a byte, the most significant first, all bytes but the last with their high bit set; and where it ends.
fn sevens(text: &[u8], start: usize) -> Option<(usize, usize)> {
    let bytes = text.get(start..)?.iter().take(SEVENS).position(|byte| *byte < 0x80)? + 1;
    let number = text[start..start + bytes].iter().fold(0, |number, byte| number << 7 | usize::from(byte & 0x7f));
    Some((number, start + bytes))
}
