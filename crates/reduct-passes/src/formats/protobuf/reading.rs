//! Reads the fields of messages of protocol buffers, and says how much speaks for bytes to be a message.

use crate::formats::number;
use reduct_input::ByteOrder::Sevens;
use std::ops::Range;

/// How long a number in sevens is at most, and a key and a length.
const LONGEST: usize = 10;
const LONGEST_KEY: usize = 5;

/// The greatest number of a field.
const MOST_FIELDS: usize = (1 << 29) - 1;

/// A field of a message.
pub(super) struct Field {
    pub start: usize,
    /// Where its key ends.
    pub key_end: usize,
    pub number: u32,
    /// Where its length stands, if it has one.
    pub length: Option<Range<usize>>,
    /// What is in it.
    pub data: Range<usize>,
}

impl Field {
    /// Reads the field that begins there. `None` if there is none, or it does not end in the text.
    fn read(text: &[u8], start: usize) -> Option<Field> {
        let key = sevens(text, start, LONGEST_KEY)?;
        // Nobody writes a key longer than it need be.
        let is_shortest = key.len() == 1 || text[key.end - 1] != 0;
        let value = number(text, key.clone(), Sevens).filter(|_| is_shortest)?;
        let number_of_field = value >> 3;
        if number_of_field == 0 || number_of_field > MOST_FIELDS {
            return None;
        }
        let key_end = key.end;
        let (length, data) = match value & 7 {
            0 => (None, sevens(text, key_end, LONGEST)?),
            1 => (None, key_end..key_end + 8),
            2 => {
                let (length, data) = counted(text, key_end)?;
                (Some(length), data)
            }
            5 => (None, key_end..key_end + 4),
            _ => return None,
        };
        let field = Field { start, key_end, number: number_of_field as u32, length, data };
        (field.data.end <= text.len()).then_some(field)
    }

    /// Returns how many bits it saves to know that it is a field, behind one of another number, against its bytes written as they are. In a
    /// key that is a bit for whether the number falls, two for the kind of the field, and twice as many bits as there are in the difference of the numbers. The
    /// lengths of the last field of a message need not be said, but that it is the last one.
    fn gain(&self, text: &[u8], before: u32, end: usize) -> i64 {
        let step = i64::from(self.number) - i64::from(before);
        let sign = if step < 0 { 4 } else { 1 };
        let said = 2 + sign + 2 * i64::from((step.unsigned_abs() + 1).ilog2());
        let key = 8 * (self.key_end - self.start) as i64 - said;
        // In a run of equal bytes, a key says nothing.
        let is_of_run = self.start > 0 && text[self.start - 1] == text[self.start];
        let length = match &self.length {
            Some(length) if self.data.end == end => 8 * length.len() as i64 - 1,
            Some(_) => -1,
            None => 0,
        };
        length + if is_of_run { key.min(0) } else { key }
    }
}

/// Returns where a number in sevens stands that begins there.
fn sevens(text: &[u8], start: usize, longest: usize) -> Option<Range<usize>> {
    let last = text.get(start..)?.iter().take(longest).position(|byte| byte & 0x80 == 0)?;
    Some(start..start + last + 1)
}

/// Returns a length in sevens that stands there, and what it counts, all of which is in the text.
pub(super) fn counted(text: &[u8], start: usize) -> Option<(Range<usize>, Range<usize>)> {
    let length = sevens(text, start, LONGEST_KEY)?;
    let end = length.end.checked_add(number(text, length.clone(), Sevens)?).filter(|end| *end <= text.len())?;
    Some((length.clone(), length.end..end))
}

/// The fields of a message, up to its end or to what is none.
pub(super) struct Fields<'a> {
    /// The text up to the end of the message.
    text: &'a [u8],
    at: usize,
}

impl<'a> Fields<'a> {
    pub fn new(text: &'a [u8], message: &Range<usize>) -> Fields<'a> {
        Fields { text: &text[..message.end], at: message.start }
    }
}

impl Iterator for Fields<'_> {
    type Item = Field;

    fn next(&mut self) -> Option<Field> {
        let field = Field::read(self.text, self.at)?;
        self.at = field.data.end;
        Some(field)
    }
}

/// Returns how many bits it saves to know that this is a message. `None` if it is none, or nothing.
pub(super) fn gain(text: &[u8], message: &Range<usize>) -> Option<i64> {
    let (mut gain, mut before, mut end) = (0, 0, message.start);
    for field in Fields::new(text, message) {
        gain += field.gain(text, before, message.end);
        (before, end) = (field.number, field.data.end);
    }
    (end == message.end && !message.is_empty()).then_some(gain)
}

/// Returns whether bytes are a text, or nothing.
pub(super) fn is_text(bytes: &[u8]) -> bool {
    let is_other = |byte: &u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
    !bytes.iter().any(is_other) && std::str::from_utf8(bytes).is_ok()
}
