//! Messages of protocol buffers, of which no description is given: a file is one message, or messages with their lengths before them, one after the
//! other up to the end. Messages and fields go, outer ones first, then the bytes of strings, with the lengths around them mended; at last the bytes that
//! lengths no longer need.
//!
//! No first bytes tell them. A file is taken for one if it is nothing but fields up to its end, and if knowing that saves [`LEAST`] bits: numbers of fields are
//! small, or as the one before, and lengths end where messages do. Random bytes are so by a chance of about one in two to the power of that. Bytes in a
//! field are a message by the same measure, over all fields of the same number in messages of the same number.

mod reading;

use super::{Chunks, DEEPEST, number};
use reading::{Fields, counted, gain, is_text};
use reduct_input::ByteOrder;
use reduct_input::ByteOrder::{Big, Little, Sevens};
use std::collections::BTreeMap;
use std::ops::Range;

/// So many bits have to be saved by it that a file is of messages.
const LEAST: i64 = 24;

/// At least one in so many bytes is in fields that have lengths.
const IN_LENGTHS: usize = 4;

/// More messages than these are not empty for the most part.
const SOME: usize = 64;

/// What stands before each message of a file.
#[derive(Clone, Copy)]
enum Before {
    Nothing,
    Sevens,
    /// A length of four bytes, after so many others.
    Four(ByteOrder, usize),
}

/// The forms of files. If as much speaks for two, it is the first one: zeros in longer lengths can be read as lengths of empty messages.
const FORMS: [Before; 5] =
    [Before::Nothing, Before::Four(Big, 1), Before::Four(Big, 0), Before::Four(Little, 0), Before::Sevens];

pub(super) fn chunks(text: &[u8], found: &mut Chunks) {
    if !found.is_empty() || is_text(text) {
        return;
    }
    let all = FORMS.into_iter().filter_map(|before| File::read(text, before)?.taken_apart());
    if let Some((_, messages)) = all.reduce(|best, other| if best.0 < other.0 { other } else { best }) {
        *found = messages;
    }
}

/// A message of a file, with the length before it.
struct Message {
    start: usize,
    length: Option<(Range<usize>, ByteOrder)>,
    data: Range<usize>,
}

/// The messages of a file, and what is known of those in their fields.
struct File<'a> {
    text: &'a [u8],
    messages: Vec<Message>,
    kinds: BTreeMap<Kind, Inside>,
}

/// The number of the field of a message, 0 of a file, and that of a field in it.
type Kind = (u32, u32);

/// What is in the fields of a kind.
#[derive(Default)]
struct Inside {
    /// How many are not empty.
    all: usize,
    /// How many can be read as messages, and how many bits that saves.
    messages: usize,
    gain: i64,
}

impl Inside {
    fn are_messages(&self) -> bool {
        self.messages * 4 >= self.all * 3 && self.gain > 0
    }
}

/// A message that is to be read: what is in it, which field it is, and how deep its fields are.
struct Open {
    data: Range<usize>,
    number: u32,
    depth: usize,
}

impl<'a> File<'a> {
    /// Reads the messages of a file. `None` if they do not end where it does.
    fn read(text: &'a [u8], before: Before) -> Option<File<'a>> {
        let (mut messages, mut empty) = (vec![], 0);
        let mut at = 0;
        while at < text.len() {
            let message = before.message(text, at)?;
            at = message.data.end;
            empty += usize::from(message.data.is_empty());
            // Zeros can be read as lengths of nothing.
            if empty > SOME + messages.len() / 2 {
                return None;
            }
            messages.push(message);
        }
        let mut file = File { text, messages, kinds: BTreeMap::new() };
        file.gain()?;
        file.kinds = file.kinds();
        Some(file)
    }

    /// Returns how many bits it saves to know its messages, without those in their fields. `None` if one is no message.
    fn gain(&self) -> Option<i64> {
        let full = self.messages.iter().filter(|message| !message.data.is_empty());
        full.map(|message| gain(self.text, &message.data)).sum()
    }

    fn opened(&self) -> Vec<Open> {
        let depth = usize::from(self.messages.first().is_some_and(|message| message.length.is_some()));
        self.messages.iter().map(|message| Open { data: message.data.clone(), number: 0, depth }).collect()
    }

    /// Returns what is in the fields of each kind.
    fn kinds(&self) -> BTreeMap<Kind, Inside> {
        let mut kinds: BTreeMap<Kind, Inside> = BTreeMap::new();
        let mut open = self.opened();
        while let Some(message) = open.pop() {
            for field in Fields::new(self.text, &message.data) {
                if field.length.is_none() || field.data.is_empty() {
                    continue;
                }
                let inside = kinds.entry((message.number, field.number)).or_default();
                inside.all += 1;
                if let Some(gain) = self.nested(&message, &field.data) {
                    inside.messages += 1;
                    inside.gain += gain;
                    open.push(Open { data: field.data, number: field.number, depth: message.depth + 1 });
                }
            }
        }
        kinds
    }

    /// Returns how many bits it saves to know that what is in a field of a message is a message. `None` if it is none.
    fn nested(&self, outer: &Open, data: &Range<usize>) -> Option<i64> {
        let can_be = outer.depth < DEEPEST && !is_text(&self.text[data.clone()]);
        can_be.then(|| gain(self.text, data)).flatten()
    }

    /// Returns what can go, and how many bits it saves to know that. `None` if that is too little.
    fn taken_apart(&self) -> Option<(i64, Chunks)> {
        let (mut found, mut total) = (Chunks::default(), self.gain()?);
        let (mut in_lengths, mut padded) = (0, vec![]);
        for message in &self.messages {
            if let Some((length, order)) = message.length.clone() {
                found.part(0, message.start..message.data.end);
                if matches!(order, Sevens) {
                    padded.push((0, length.clone()));
                }
                found.size(length, order, message.data.clone(), 1);
            }
        }
        let is_single = |message: &Open| message.depth == 0 && Fields::new(self.text, &message.data).nth(1).is_none();
        let mut open = self.opened();
        while let Some(message) = open.pop() {
            // One field is not left out: nothing would be left.
            let stays = is_single(&message);
            for field in Fields::new(self.text, &message.data) {
                if !stays {
                    found.part(message.depth, field.start..field.data.end);
                }
                let Some(length) = field.length else { continue };
                in_lengths += if message.number == 0 { field.data.len() } else { 0 };
                found.size(length.clone(), Sevens, field.data.clone(), 1);
                padded.push((message.depth, length));
                let is_message = self.kinds.get(&(message.number, field.number)).is_some_and(Inside::are_messages);
                match self.nested(&message, &field.data).filter(|_| is_message) {
                    Some(gain) => {
                        total += gain;
                        open.push(Open { data: field.data, number: field.number, depth: message.depth + 1 });
                    }
                    None => found.contents(field.data, 1),
                }
            }
        }
        shorten(self.text, padded, &mut found);
        (total >= LEAST && in_lengths * IN_LENGTHS >= self.text.len()).then_some((total, found))
    }
}

impl Before {
    /// Returns the message that begins there, with what is before it.
    fn message(self, text: &[u8], start: usize) -> Option<Message> {
        let (length, data) = match self {
            Before::Nothing => (None, start..text.len()),
            Before::Sevens => {
                let (length, data) = counted(text, start)?;
                (Some((length, Sevens)), data)
            }
            Before::Four(order, first) => {
                let length = start + first..start + first + 4;
                let end = length.end.checked_add(number(text, length.clone(), order)?)?;
                (Some((length.clone(), order)), length.end..end)
            }
        };
        (data.end <= text.len()).then_some(Message { start, length, data })
    }
}

/// All bytes that end a number in sevens.
const ENDS: [u8; 128] = {
    let mut ends = [0; 128];
    let mut byte = 0;
    while byte < 128 {
        ends[byte] = byte as u8;
        byte += 1;
    }
    ends
};

/// Adds the last bytes of lengths that are longer than they need be, with how deep they stand: after all else and one depth after the other, as a length does not
/// become shorter together with what it counts.
fn shorten(text: &[u8], lengths: Vec<(usize, Range<usize>)>, found: &mut Chunks) {
    let is_padded = |(_, at): &(usize, Range<usize>)| at.len() > 1 && text[at.end - 1] == 0;
    let padded: Vec<_> = lengths.into_iter().filter(is_padded).collect();
    let (first, deepest) = (found.levels.len(), padded.iter().map(|(depth, _)| *depth).max().unwrap_or(0));
    for (depth, at) in padded {
        let end = usize::from(text[at.end - 2] & 0x7f);
        found.replaced(first + deepest - depth, at.end - 2..at.end, &[], &ENDS[end..=end]);
    }
}
