//! Which parts of a list are of one kind: what says the same in like places, but for numbers.

use reduct_core::{Config, Delta, Key, Keyed};
use reduct_input::{Circumstances, Parts};
use std::collections::HashMap;
use std::sync::Arc;

/// Of more parts, groups of neighbours say more.
const MOST: usize = 4096;

/// Of fewer parts all is soon asked about.
const LEAST: usize = 6;

/// So far away from a part at most it is looked at what stands beside it.
const NEAR: usize = 256;

/// How many places of an edit are looked at.
const PLACES: usize = 3;

/// Returns the kind of each part of a list, if it is worth to know. Takes time in proportion to all that they change.
pub(super) fn of(parts: &Parts, list: &Config) -> Option<Arc<[u32]>> {
    if !(LEAST..=MOST).contains(&list.len()) || parts.len() > MOST {
        return None;
    }
    let mut known: HashMap<Key, u32> = HashMap::new();
    let kinds = (0..parts.len() as u32).map(|part| {
        let next = known.len() as u32;
        *known.entry(kind(parts, Delta(part))).or_insert(next)
    });
    Some(kinds.collect())
}

fn kind(parts: &Parts, part: Delta) -> Key {
    let text = parts.base().bytes();
    let mut keyed = Keyed::default();
    for change in parts.changes(part).iter().take(PLACES) {
        let (before, after) = (&text[..change.at.start as usize], &text[change.at.end as usize..]);
        let near = |byte: Option<&u8>| byte.map_or(0, |byte| class(*byte));
        keyed.add(near(before.iter().rev().take(NEAR).find(|byte| !byte.is_ascii_whitespace())));
        add(&mut keyed, &text[change.at.start as usize..change.at.end as usize]);
        add(&mut keyed, &change.with);
        keyed.add(near(after.iter().take(NEAR).find(|byte| !byte.is_ascii_whitespace())));
    }
    keyed.finish()
}

/// Adds a text, with 0 for each number.
fn add(keyed: &mut Keyed, text: &[u8]) {
    let mut was_digit = false;
    for byte in text {
        let is_digit = byte.is_ascii_digit();
        if !(is_digit && was_digit) {
            keyed.add(u64::from(if is_digit { b'0' } else { *byte }));
        }
        was_digit = is_digit;
    }
    keyed.add(u64::MAX);
}

/// What stands beside a part: any letter is like another, any digit like another.
fn class(byte: u8) -> u64 {
    u64::from(match byte {
        b'0'..=b'9' => b'0',
        b'_' | b'a'..=b'z' | b'A'..=b'Z' | 0x80.. => b'a',
        other => other,
    })
}
