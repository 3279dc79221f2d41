//! Makes numbers shorter.
//!
//! ## What it tries
//! For each number `0`, `1`, then what is left without its suffix, fraction or exponent, hexadecimal numbers in
//! decimal digits, and half of the digits; a negative number keeps its sign, but for `0`, and `-7` may become `1`. As
//! short a number is no gain, so `7` stays. Then the same in all places of a number that stands in several. Vectors of bits, as `#x0f`, keep their width.
//!
//! ## When it helps
//! Sizes, indices, constants and times: of most only matters that they are there.
//!
//! ## Before
//! ```c
//! unsigned long a[1024] = { 0x10ul, 123456789 };
//! ```
//! ## After
//! ```c
//! unsigned long a[10] = { 16, 12345 };
//! ```

use crate::pass::{Needs, Pass, Proposals};
use crate::rewrite::propose_shrinking;
use crate::text::{is_number, is_word, moved, outermost, quoted};
use reduct_input::{Edit, Splice, Subject};
use std::collections::BTreeMap;
use std::ops::Range;

pub(crate) const PASS: Pass =
    Pass { needs: Needs::Text, ..Pass::rewriting("numbers", "makes numbers shorter", 0.5, propose) };

/// How many texts are tried for a number.
const TEXTS: usize = 4;

fn propose(subject: &Subject) -> Proposals {
    let mut found: Vec<Range<u32>> =
        subject.trees().iter().flat_map(|tree| outermost(tree, |at| is_number(subject, tree, at))).collect();
    for region in subject.unparsed() {
        found.extend(numbers(subject.text(region.clone())).into_iter().map(|range| moved(range, region.start)));
    }
    let texts: Vec<(Range<u32>, Vec<Vec<u8>>)> =
        found.into_iter().map(|range| (range.clone(), shorter(subject.text(range)))).collect();
    // First `0` for all of them, then the next for all.
    let edits = (0..TEXTS).flat_map(|number| {
        texts.iter().filter_map(move |(range, texts)| Edit::replace(range.clone(), texts.get(number)?))
    });
    let mut places: BTreeMap<&[u8], Vec<usize>> = BTreeMap::new();
    for (at, (range, _)) in texts.iter().enumerate().filter(|(_, (_, texts))| !texts.is_empty()) {
        places.entry(subject.text(range.clone())).or_default().push(at);
    }
    let several = places.values().filter(|places| places.len() > 1).collect::<Vec<_>>();
    let together = (0..TEXTS)
        .flat_map(|number| several.iter().filter_map(|places| together(&texts, places, number)).collect::<Vec<Edit>>());
    propose_shrinking(subject, edits.chain(together))
}

/// Returns the edit that puts one of the texts for a number in each of its places.
fn together(texts: &[(Range<u32>, Vec<Vec<u8>>)], places: &[usize], number: usize) -> Option<Edit> {
    let with = texts[*places.first()?].1.get(number)?;
    Edit::new(places.iter().map(|at| Splice { at: texts[*at].0.clone(), with: (&**with).into() }).collect())
}

/// Returns what may stand for a number, best first. Each is shorter, or as long and nothing but zeros.
fn shorter(number: &[u8]) -> Vec<Vec<u8>> {
    if let [b'#', base, digits @ ..] = number {
        let zeros = [b"#", &[*base][..], &vec![b'0'; digits.len()]].concat();
        return if zeros == number { vec![] } else { vec![zeros] };
    }
    let (sign, digits) = number.split_at(usize::from(number.starts_with(b"-")));
    let hex = digits.starts_with(b"0x") || digits.starts_with(b"0X");
    let is_digit = |byte: u8| byte.is_ascii_digit() || hex && byte.is_ascii_hexdigit();
    let from = if hex { 2 } else { 0 };
    let count = digits.iter().skip(from).take_while(|byte| is_digit(**byte)).count();
    let whole = &digits[..digits.len().min(from + count)];
    let decimal = std::str::from_utf8(&whole[from..]).ok().and_then(|digits| u128::from_str_radix(digits, 16).ok());
    let plain = decimal.filter(|_| hex).map_or(whole.to_vec(), |value| value.to_string().into_bytes());
    let plain = if plain.len() <= whole.len() { plain } else { whole.to_vec() };
    let half = plain[..plain.len().div_ceil(2)].to_vec();
    let signed = |text: &[u8]| [sign, text].concat();
    let mut texts = vec![b"0".to_vec(), signed(b"1"), signed(&plain), signed(&half)];
    texts.retain(|text| text.len() < number.len() && text != sign);
    // Without its sign, when nothing shorter is left with it.
    if !sign.is_empty() && texts.len() == 1 {
        texts.push(b"1".to_vec());
    }
    texts.dedup();
    texts
}

/// Returns what begins with a digit, and is no part of a word or string, with a sign before it that cannot be between
/// two numbers.
fn numbers(text: &[u8]) -> Vec<Range<usize>> {
    let strings = quoted(text);
    let mut strings = strings.iter().peekable();
    let (mut found, mut at) = (vec![], 0);
    while at < text.len() {
        while strings.next_if(|string| string.end <= at).is_some() {}
        if let Some(string) = strings.peek().filter(|string| string.start <= at) {
            at = string.end;
        } else if text[at].is_ascii_digit() {
            let is_part = |byte: &&u8| is_word(**byte) || **byte == b'.';
            let mut length = text[at..].iter().take_while(is_part).count();
            // A point at the end is that of a sentence.
            length -= usize::from(text[at + length - 1] == b'.');
            let signed = at >= 1 && text[at - 1] == b'-' && (at == 1 || !is_word(text[at - 2]) && text[at - 2] != b')');
            found.push(at - usize::from(signed)..at + length);
            at += length.max(1);
        } else if is_word(text[at]) {
            at += text[at..].iter().take_while(|byte| is_word(**byte)).count();
        } else {
            at += 1;
        }
    }
    found
}
