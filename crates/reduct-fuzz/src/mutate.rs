//! Examples with something changed: bytes, words, numbers, lines.

use crate::chance::Randomness;
use crate::{Example, boundary};
use std::ops::Range;

/// Most changes break an input for good, so that few of them are made at once.
const MOST_CHANGES: usize = 6;

/// Returns one of the examples, changed in a few places.
pub(crate) fn mutate(chance: &mut Randomness, examples: &[Example], largest: usize) -> Vec<u8> {
    let mut text = chance.of(examples).bytes.clone();
    text.truncate(largest);
    for _ in 0..=chance.below(MOST_CHANGES) {
        let other = &chance.of(examples).bytes;
        change(chance, &mut text, other, largest);
    }
    text
}

fn change(chance: &mut Randomness, text: &mut Vec<u8>, other: &[u8], largest: usize) {
    let room = largest.saturating_sub(text.len());
    match chance.below(14) {
        0 => at(chance, text, |chance, byte| *byte ^= 1 << chance.below(8)),
        1 => at(chance, text, |chance, byte| *byte = chance.byte()),
        2 => at(chance, text, |chance, byte| *byte = 128 + chance.below(128) as u8),
        3 => {
            let value = boundary::binary(chance);
            let place = range(chance, text.len(), value.len());
            text.splice(place.start..place.end, value);
        }
        4 => {
            let place = range(chance, text.len(), 64);
            text.drain(place);
        }
        5 => {
            let place = range(chance, text.len(), 64);
            repeat(chance, text, place, room);
        }
        6 => {
            let (from, to) = (range(chance, other.len(), 400), range(chance, text.len(), 100));
            text.splice(to, other[from].iter().copied());
        }
        7 => {
            let place = pick(chance, text, |byte| byte.is_ascii_digit());
            let number = boundary::number(chance, room.min(400));
            text.splice(place, number);
        }
        8 => {
            let (place, from) = (pick(chance, text, is_word), pick(chance, other, is_word));
            text.splice(place, other[from].iter().copied());
        }
        9 => {
            let place = pick(chance, text, is_word);
            text.drain(place);
        }
        10 => {
            let place = pick(chance, text, is_word);
            repeat(chance, text, place, room);
        }
        11 => {
            let place = pick(chance, text, |byte| byte != b'\n');
            let end = (place.end + 1).min(text.len());
            text.drain(place.start..end);
        }
        12 => {
            let (place, from) = (pick(chance, text, |byte| byte != b'\n'), pick(chance, other, |byte| byte != b'\n'));
            text.splice(place, other[from].iter().copied());
        }
        _ => {
            let place = pick(chance, text, |byte| byte != b'\n');
            let end = (place.end + 1).min(text.len());
            repeat(chance, text, place.start..end, room);
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 128
}

/// Changes one byte, if there is one.
fn at(chance: &mut Randomness, text: &mut [u8], change: impl Fn(&mut Randomness, &mut u8)) {
    let place = chance.below(text.len());
    if let Some(byte) = text.get_mut(place) {
        change(chance, byte);
    }
}

/// Returns a place of at most `most` bytes.
fn range(chance: &mut Randomness, length: usize, most: usize) -> Range<usize> {
    let start = chance.below(length + 1);
    start..(start + chance.size(most)).min(length)
}

/// Returns the run of such bytes that is the next one after somewhere.
fn pick(chance: &mut Randomness, text: &[u8], is: impl Fn(u8) -> bool) -> Range<usize> {
    let mut start = chance.below(text.len() + 1);
    while start > 0 && text.get(start).is_none_or(|byte| is(*byte)) && is(text[start - 1]) {
        start -= 1;
    }
    let start = text[start..].iter().position(|byte| is(*byte)).map_or(text.len(), |further| start + further);
    let end = text[start..].iter().position(|byte| !is(*byte)).map_or(text.len(), |further| start + further);
    start..end
}

/// Repeats a part as often as there is room for, or as chance will have it.
fn repeat(chance: &mut Randomness, text: &mut Vec<u8>, part: Range<usize>, room: usize) {
    if part.is_empty() {
        return;
    }
    let most = (room / part.len()).min(20_000);
    let copies = if most == 0 { 0 } else { chance.size(most) };
    let more = text[part.clone()].repeat(copies);
    text.splice(part.end..part.end, more);
}
