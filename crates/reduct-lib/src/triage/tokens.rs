//! Texts as tokens, and what two have in common.

use std::collections::BTreeMap;
use std::ops::Range;

/// Returns the tokens of a text: words, runs of white space, single characters.
pub fn tokens(text: &[u8]) -> Vec<Range<usize>> {
    let class = |byte: u8| match byte {
        byte if is_word(byte) => 0,
        byte if byte.is_ascii_whitespace() => 1,
        _ => 2,
    };
    let mut tokens: Vec<Range<usize>> = vec![];
    for (at, &byte) in text.iter().enumerate() {
        match tokens.last_mut() {
            Some(last) if class(byte) < 2 && class(text[at - 1]) == class(byte) => last.end = at + 1,
            _ => tokens.push(at..at + 1),
        }
    }
    tokens
}

/// Returns whether a byte is one of a word.
pub fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// Returns whether a word is a name that says nothing: one or two letters, with or without a number.
pub fn is_short(word: &[u8]) -> bool {
    word.iter().filter(|byte| !byte.is_ascii_digit()).count() <= 2
}

/// Returns whether two texts are the same but for numbers.
pub fn is_but_for_numbers(one: &[u8], other: &[u8]) -> bool {
    let (a, b) = (tokens(one), tokens(other));
    let is_number = |token: &[u8]| token.first().is_some_and(u8::is_ascii_digit);
    let alike = |(a, b): (&Range<usize>, &Range<usize>)| {
        let (a, b) = (&one[a.clone()], &other[b.clone()]);
        a == b || is_number(a) && is_number(b)
    };
    a.len() == b.len() && a.iter().zip(&b).all(alike)
}

/// Returns how many tokens are in both, each as often as in the one that has fewer of it, and how many in either.
pub fn shared(one: &BTreeMap<String, usize>, other: &BTreeMap<String, usize>) -> (usize, usize) {
    let common: usize = one.iter().map(|(token, count)| (*count).min(other.get(token).copied().unwrap_or(0))).sum();
    let all = one.values().sum::<usize>() + other.values().sum::<usize>();
    (common, all - common)
}

/// Returns the tokens of a text, and how often each is there. White space is none. Numbers are all the same, and so are
/// names of one or two letters, with or without a number: a longer word that was not reduced away is there for a
/// reason.
pub fn counted(text: &[u8]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for token in tokens(text).into_iter().map(|range| &text[range]) {
        let token = match token {
            [first, ..] if first.is_ascii_whitespace() => continue,
            [b'0'..=b'9', ..] => "0".to_owned(),
            [first, ..] if is_word(*first) && is_short(token) => "a".to_owned(),
            _ => String::from_utf8_lossy(token).to_lowercase(),
        };
        *counts.entry(token).or_insert(0) += 1;
    }
    counts
}
