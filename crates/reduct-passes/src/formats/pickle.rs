//! Pickles of Python, protocol 2 and later: a program for a stack. Items of lists, sets, tuples and dictionaries go, and states of objects; the bytes of
//! strings go with their lengths mended. So do frames and what is remembered in vain: numbers of what is remembered later are mended.

use super::{Chunks, number};
use reduct_input::ByteOrder::Little;
use reduct_input::{FieldValue, Mend};
use std::cmp::Reverse;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

/// What an instruction does to the stack.
#[derive(Clone, Copy)]
enum Does {
    /// Pushes a value.
    Push,
    /// Makes one value of so many.
    Join(usize),
    /// Adds the last value to the one before it, or the last two.
    Add(usize),
    /// Makes one value of all since the mark. They can go in groups of so many; of none if it is 0.
    JoinMarked(usize),
    /// Adds all since the mark to the value before it, in groups of so many.
    AddMarked(usize),
    Mark,
    Pop,
    PopMarked,
    /// Remembers the last value, by a number that is not said.
    Remember,
    /// Nothing that matters here.
    Nothing,
    Stop,
}

/// What stands behind an instruction.
#[derive(Clone, Copy)]
enum Argument {
    Bytes(usize),
    /// A length of so many bytes, and what is so long.
    Counted(usize),
    Lines(usize),
}

use Argument::{Bytes, Counted, Lines};
use Does::{Add, AddMarked, Join, JoinMarked, Push};

fn instruction(code: u8) -> Option<(Does, Argument)> {
    let plain = |does| Some((does, Bytes(0)));
    match code {
        b'N' | b')' | b'2' | b']' | b'}' | 0x88 | 0x89 | 0x8f | 0x97 => plain(Push),
        b'K' | b'h' | 0x82 => Some((Push, Bytes(1))),
        b'M' | 0x83 => Some((Push, Bytes(2))),
        b'J' | b'j' | 0x84 => Some((Push, Bytes(4))),
        b'G' => Some((Push, Bytes(8))),
        b'U' | b'C' | 0x8a | 0x8c => Some((Push, Counted(1))),
        b'T' | b'X' | b'B' | 0x8b => Some((Push, Counted(4))),
        0x8d | 0x8e | 0x96 => Some((Push, Counted(8))),
        b'F' | b'I' | b'L' | b'P' | b'S' | b'V' | b'g' => Some((Push, Lines(1))),
        b'c' => Some((Push, Lines(2))),
        b'Q' | 0x85 | 0x98 => plain(Join(1)),
        b'R' | 0x81 | 0x86 | 0x93 => plain(Join(2)),
        0x87 | 0x92 => plain(Join(3)),
        b'a' | b'b' => plain(Add(1)),
        b's' => plain(Add(2)),
        b'l' | b't' | 0x91 => plain(JoinMarked(1)),
        b'd' => plain(JoinMarked(2)),
        b'o' => plain(JoinMarked(0)),
        b'i' => Some((JoinMarked(0), Lines(2))),
        b'e' | 0x90 => plain(AddMarked(1)),
        b'u' => plain(AddMarked(2)),
        b'(' => plain(Does::Mark),
        b'0' => plain(Does::Pop),
        b'1' => plain(Does::PopMarked),
        b'p' => Some((Does::Nothing, Lines(1))),
        b'q' | 0x80 => Some((Does::Nothing, Bytes(1))),
        b'r' => Some((Does::Nothing, Bytes(4))),
        0x94 => plain(Does::Remember),
        0x95 => Some((Does::Nothing, Bytes(8))),
        b'.' => plain(Does::Stop),
        _ => None,
    }
}

const FRAME: u8 = 0x95;

pub(super) fn chunks(text: &[u8], found: &mut Chunks) {
    let mut at = 0;
    let mut parts = vec![];
    while is_pickle(&text[at..]) {
        let mut pickle = Pickle {
            text,
            stack: vec![],
            parts: vec![],
            remembered: vec![],
            uses: vec![],
            puts: vec![],
            gets: vec![],
            found,
        };
        let end = pickle.read(at);
        pickle.finish(end.is_some());
        parts.append(&mut pickle.parts);
        let Some(end) = end else { break };
        parts.extend((at > 0 || is_pickle(&text[end..])).then_some(at..end));
        at = end;
    }
    if at > 0 {
        parts.extend((at < text.len()).then_some(at..text.len()));
    }
    nested(parts, found);
}

fn is_pickle(text: &[u8]) -> bool {
    matches!(text, [0x80, 2..=5, ..])
}

/// Adds parts that are in each other or apart, by how many others they are in.
fn nested(mut parts: Vec<Range<usize>>, found: &mut Chunks) {
    parts.sort_by_key(|part| (part.start, Reverse(part.end)));
    let mut open: Vec<usize> = vec![];
    for part in parts {
        while open.pop_if(|end| *end <= part.start).is_some() {}
        found.part(open.len(), part.clone());
        open.push(part.end);
    }
}

/// What is on the stack: where the instructions begin that make it.
#[derive(Clone, Copy)]
enum Entry {
    Value(usize),
    Mark(usize),
}

struct Pickle<'a> {
    text: &'a [u8],
    stack: Vec<Entry>,
    parts: Vec<Range<usize>>,
    /// Where values are remembered by a number that is not said.
    remembered: Vec<u32>,
    /// Numbers of what is remembered.
    uses: Vec<Range<usize>>,
    /// What remembers a value by a number that is said, and which; `None` if it is none.
    puts: Vec<(Range<usize>, Option<usize>)>,
    /// Numbers by which values are taken again.
    gets: Vec<Option<usize>>,
    found: &'a mut Chunks,
}

impl Pickle<'_> {
    /// Reads the pickle at a position. Returns where it ends, if it does.
    fn read(&mut self, start: usize) -> Option<usize> {
        let mut at = start;
        loop {
            let code = *self.text.get(at)?;
            let (does, argument) = instruction(code)?;
            let end = self.argument(at + 1, argument)?;
            match code {
                b'h' | b'j' => self.uses.push(at + 1..end),
                b'g' => self.gets.push(self.number(code, at + 1..end)),
                b'p' | b'q' | b'r' => self.puts.push((at..end, self.number(code, at + 1..end))),
                FRAME => self.frame(at, end),
                _ => {}
            }
            if matches!(does, Does::Stop) {
                return Some(end);
            }
            self.step(does, at, end)?;
            at = end;
        }
    }

    /// Returns the number by which something is remembered.
    fn number(&self, code: u8, field: Range<usize>) -> Option<usize> {
        match code {
            b'g' | b'p' => str::from_utf8(&self.text[field]).ok()?.trim().parse().ok(),
            _ => number(self.text, field, Little),
        }
    }

    /// Returns where the argument that stands there ends, and adds the bytes of a string.
    fn argument(&mut self, at: usize, argument: Argument) -> Option<usize> {
        let end = match argument {
            Bytes(count) => at + count,
            Counted(width) => {
                let inside = at + width;
                let end = inside.checked_add(number(self.text, at..inside, Little)?)?;
                if end <= self.text.len() {
                    self.found.size(at..inside, Little, inside..end, 1);
                    self.found.contents(inside..end, 1);
                }
                end
            }
            Lines(count) => {
                let ends = self.text[at..].iter().enumerate().filter(|(_, byte)| **byte == b'\n');
                at + ends.map(|(end, _)| end + 1).nth(count - 1)?
            }
        };
        (end <= self.text.len()).then_some(end)
    }

    /// Adds a frame: its head can go, and says how long what is in it is.
    fn frame(&mut self, at: usize, inside: usize) {
        let end = number(self.text, at + 1..inside, Little).and_then(|length| inside.checked_add(length));
        if let Some(end) = end.filter(|end| *end <= self.text.len()) {
            self.found.size(at + 1..inside, Little, inside..end, 1);
        }
        self.parts.push(at..inside);
    }

    /// Takes an instruction. `None` if it finds too few values.
    fn step(&mut self, does: Does, at: usize, end: usize) -> Option<()> {
        match does {
            Push => self.stack.push(Entry::Value(at)),
            Does::Mark => self.stack.push(Entry::Mark(at)),
            Join(count) => {
                let first = self.stack.len().checked_sub(count)?;
                self.stack.truncate(first + 1);
            }
            Add(count) => {
                let first = self.stack.len().checked_sub(count).filter(|first| *first > 0)?;
                let Entry::Value(start) = self.stack[first] else { return None };
                self.parts.push(start..end);
                self.stack.truncate(first);
            }
            JoinMarked(each) => {
                let mark = self.marked(each, at)?;
                self.stack.push(Entry::Value(mark));
            }
            AddMarked(each) => {
                let mark = self.marked(each, at)?;
                self.parts.push(mark..end);
            }
            Does::Pop => {
                self.stack.pop()?;
            }
            Does::PopMarked => {
                self.marked(0, at)?;
            }
            Does::Remember => {
                self.remembered.push(at as u32);
                self.parts.push(at..end);
            }
            Does::Nothing | Does::Stop => {}
        }
        Some(())
    }

    /// Takes all since the last mark from the stack, and adds them as parts, so many values each. Returns where the mark is.
    fn marked(&mut self, each: usize, end: usize) -> Option<usize> {
        let place = self.stack.iter().rposition(|entry| matches!(entry, Entry::Mark(_)))?;
        let values = self.stack.split_off(place);
        let start = |entry: &Entry| match entry {
            Entry::Value(start) | Entry::Mark(start) => *start,
        };
        if each > 0 {
            let starts: Vec<usize> = values[1..].iter().step_by(each).map(start).collect();
            let ends = starts.iter().skip(1).copied().chain([end]);
            self.parts.extend(starts.iter().zip(ends).map(|(start, end)| *start..end));
        }
        values.first().map(start)
    }

    /// Adds what remembers by a number that nothing takes again. Numbers that are not said depend on how many are remembered.
    fn vain(&mut self, is_whole: bool) {
        self.gets.extend(self.uses.iter().map(|field| number(self.text, field.clone(), Little)));
        let gets: HashSet<_> = self.gets.drain(..).collect();
        if is_whole && self.remembered.is_empty() && !gets.contains(&None) {
            let vain = self.puts.drain(..).filter(|(_, number)| number.is_some() && !gets.contains(number));
            self.parts.extend(vain.map(|(at, _)| at));
        }
    }

    /// Adds what depends on all of the pickle.
    fn finish(&mut self, is_whole: bool) {
        self.vain(is_whole);
        let of: Arc<[u32]> = std::mem::take(&mut self.remembered).into();
        for field in self.uses.drain(..) {
            let before = number(self.text, field.clone(), Little);
            if let Some(before) = before.filter(|before| *before < of.len()) {
                let holds = FieldValue::Index { of: of.clone(), before };
                self.found.mends.push(Mend { at: field.start as u32..field.end as u32, order: Little, holds });
            }
        }
    }
}
