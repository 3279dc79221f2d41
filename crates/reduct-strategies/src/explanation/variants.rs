//! What stands in for a part: a few others of its sort, and at last nothing.

use super::result_parts::{ResultPart, ResultPartSort, is_word};
use super::signs::FAMILIES;
use std::collections::HashSet;

/// So many others of its family stand in for a sign.
const SIGNS: usize = 2;

/// Returns, by part, what stands in for it; the last one is nothing.
pub(super) fn of(text: &[u8], result_parts: &[ResultPart]) -> Vec<Vec<Vec<u8>>> {
    let taken: HashSet<&[u8]> = text.split(|byte| !is_word(*byte)).collect();
    let mut fresh = Fresh { taken, number: 0 };
    result_parts
        .iter()
        .enumerate()
        .map(|(at, result_part)| {
            let between_words = |side: Option<&ResultPart>, end: fn(&[u8]) -> Option<&u8>| {
                side.and_then(|side| end(&side.text)).is_some_and(|byte| is_word(*byte))
            };
            let parts = between_words(at.checked_sub(1).and_then(|at| result_parts.get(at)), <[u8]>::last)
                && between_words(result_parts.get(at + 1), <[u8]>::first);
            let mut variants = others(result_part, parts, &mut fresh);
            variants.retain(|variant| *variant != result_part.text && !variant.is_empty());
            variants.push(vec![]);
            variants
        })
        .collect()
}

fn others(result_part: &ResultPart, parts_words: bool, fresh: &mut Fresh<'_>) -> Vec<Vec<u8>> {
    let text = &result_part.text;
    match result_part.sort {
        ResultPartSort::Name => vec![fresh.word(text.len()), fresh.word(text.len() + 3)],
        ResultPartSort::Number => [&b"0"[..], b"1", b"-1", b"1000000007"].map(<[u8]>::to_vec).into(),
        ResultPartSort::String => {
            let quote = &text[..1];
            let string = |inner: Vec<u8>| [quote, &inner, quote].concat();
            let length = text.len() - 2;
            vec![string(vec![b'x'; length.max(1)]), string(vec![b'y'; length + 3]), string(vec![])]
        }
        // Which words are alike, a language says; what no language has is none of it.
        ResultPartSort::Word => vec![fresh.word(text.len())],
        ResultPartSort::Sign => {
            let family = FAMILIES.iter().find(|family| family.contains(&text.as_slice()));
            let others = family.into_iter().flat_map(|family| family.iter()).filter(|sign| **sign != text.as_slice());
            others.take(SIGNS).map(|sign| sign.to_vec()).collect()
        }
        // To leave it out is another thing where it keeps two words apart.
        ResultPartSort::Space if parts_words => vec![b" ".to_vec(), b"\n".to_vec(), b"   ".to_vec()],
        ResultPartSort::Space => vec![b" ".to_vec(), b"\n".to_vec()],
    }
}

/// Words that the text does not have.
struct Fresh<'a> {
    taken: HashSet<&'a [u8]>,
    number: usize,
}

impl Fresh<'_> {
    /// Returns the next one, about as long.
    fn word(&mut self, length: usize) -> Vec<u8> {
        loop {
            let mut word = vec![];
            let mut rest = self.number;
            self.number += 1;
            while word.is_empty() || rest > 0 || word.len() < length.min(40) {
                word.push(b"qwzjxkvy"[rest % 8]);
                rest /= 8;
            }
            if !self.taken.contains(word.as_slice()) {
                return word;
            }
        }
    }
}
