//! A text that no grammar reads, as far as its words and brackets tell what it says.

use crate::text::{is_word, moved, pairs, quoted};
use reduct_input::{Splice, Subject, is_binary};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// The longest head of a function or a loop, and the longest text that is put elsewhere: a body, all arguments, a value.
pub(crate) const LONGEST: usize = 1 << 10;

/// A file that no grammar reads.
pub(crate) struct Plain<'t> {
    pub(crate) text: &'t str,
    start: u32,
    /// Words outside of strings, in the order of the text.
    pub(crate) words: Vec<Range<usize>>,
    /// By an opening bracket, the one that closes it.
    closing: HashMap<usize, usize>,
}

impl<'t> Plain<'t> {
    /// Returns the files of a subject that no grammar reads and that are text.
    pub(crate) fn files(subject: &'t Subject) -> Vec<Plain<'t>> {
        let files: HashSet<Range<u32>> = subject.artifact().files().map(|(_, at, _)| at).collect();
        let regions = subject.unparsed().into_iter().filter(|region| files.contains(region));
        let texts = regions.map(|region| (region.start, subject.text(region)));
        let texts = texts.filter(|(_, text)| !is_binary(text));
        texts.filter_map(|(start, text)| Some(Plain::new(std::str::from_utf8(text).ok()?, start))).collect()
    }

    fn new(text: &'t str, start: u32) -> Plain<'t> {
        let bytes = text.as_bytes();
        let (strings, mut words, mut at) = (quoted(bytes), vec![], 0);
        let mut strings = strings.iter().peekable();
        while at < bytes.len() {
            if let Some(string) = strings.next_if(|string| string.start == at) {
                at = string.end;
            } else if is_word(bytes[at]) {
                // A sign before a name begins another word.
                let rest = bytes[at + 1..].iter().take_while(|byte| is_word(**byte) && **byte != b'$').count();
                words.push(at..at + 1 + rest);
                at += 1 + rest;
            } else {
                at += 1;
            }
        }
        Plain { text, start, words, closing: pairs(bytes).into_iter().collect() }
    }

    /// Returns a word by its number.
    pub(crate) fn word(&self, number: usize) -> Option<&'t str> {
        self.words.get(number).map(|at| &self.text[at.clone()])
    }

    /// Returns the words by their texts.
    pub(crate) fn by_text(&self) -> HashMap<&'t str, Vec<usize>> {
        let mut found: HashMap<&str, Vec<usize>> = HashMap::new();
        for (number, at) in self.words.iter().enumerate() {
            found.entry(&self.text[at.clone()]).or_default().push(number);
        }
        found
    }

    /// Returns the words within these addresses.
    pub(crate) fn within(&self, at: &Range<usize>) -> Range<usize> {
        let first = self.words.partition_point(|word| word.start < at.start);
        first..self.words.partition_point(|word| word.end <= at.end).max(first)
    }

    /// Returns where the bracket at an address is closed.
    pub(crate) fn closing(&self, open: usize) -> Option<usize> {
        self.closing.get(&open).copied()
    }

    /// Returns the byte at an address.
    pub(crate) fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    /// Returns the first address from here on at which there is no blank.
    pub(crate) fn past_blanks(&self, at: usize) -> usize {
        at + self.text.as_bytes()[at..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
    }

    /// Returns the last byte before an address that is no blank.
    pub(crate) fn before(&self, at: usize) -> Option<u8> {
        self.text.as_bytes()[..at].iter().rev().copied().find(|byte| !matches!(byte, b' ' | b'\t'))
    }

    /// Returns the addresses without white space at both ends.
    pub(crate) fn trimmed(&self, at: Range<usize>) -> Range<usize> {
        let text = &self.text[at.clone()];
        let start = at.start + text.len() - text.trim_start().len();
        start..start.max(at.start + text.trim_end().len())
    }

    /// Returns the first of these bytes from an address on that stands in no brackets that open there. `None` where that is far.
    pub(crate) fn first_of(&self, bytes: &[u8], from: usize) -> Option<usize> {
        let mut at = from;
        while at < self.text.len() && at - from < LONGEST {
            let byte = self.text.as_bytes()[at];
            if bytes.contains(&byte) {
                return Some(at);
            }
            at = if matches!(byte, b'(' | b'[' | b'{') { self.closing(at)? + 1 } else { at + 1 };
        }
        None
    }

    /// Returns the sign with which the body of a function begins whose head goes on at an address.
    pub(crate) fn first_sign(&self, from: usize) -> Option<usize> {
        self.first_of(b"{=;}\n", from).filter(|at| matches!(self.byte(*at), Some(b'{' | b'=')))
    }

    /// Returns where an expression ends that begins at an address: at the end of its line, a semicolon or a closing bracket.
    pub(crate) fn expression(&self, from: usize) -> Range<usize> {
        let end = self.first_of(b"\n;)]}", from).unwrap_or(self.text.len());
        self.trimmed(from..end)
    }

    /// Returns what stands between commas in a pair of brackets.
    pub(crate) fn listed(&self, open: usize, close: usize) -> Vec<Range<usize>> {
        let (mut found, mut from) = (vec![], open + 1);
        while from < close {
            let end = self.first_of(b",", from).map_or(close, |at| at.min(close));
            found.push(self.trimmed(from..end));
            from = end + 1;
        }
        found.retain(|at| !at.is_empty());
        found
    }

    /// Returns whether what stands at these addresses is an argument, a value or a statement as a whole, so that it needs no parentheses.
    pub(crate) fn is_whole(&self, at: &Range<usize>) -> bool {
        let before = self.text[..at.start].trim_end_matches([' ', '\t']);
        let begins = before.ends_with(['(', ',', '=', '{', ';', '}', '\n']) || before.is_empty();
        let after = self.byte(self.past_blanks(at.end));
        (begins || before.ends_with("return")) && after.is_none_or(|byte| b"),;}\n".contains(&byte))
    }

    /// Returns the change that puts a text in the place of these addresses.
    pub(crate) fn put(&self, at: Range<usize>, with: &str) -> Splice {
        Splice { at: moved(at, self.start), with: with.as_bytes().into() }
    }

    /// Returns addresses with the rest of their line behind them, where only white space stands there.
    pub(crate) fn with_line_end(&self, at: Range<usize>) -> Range<usize> {
        let end = self.past_blanks(at.end);
        at.start..if self.byte(end) == Some(b'\n') { end + 1 } else { at.end }
    }
}

/// Returns whether a text stands together as firmly as a word: a number, a name, a string, a call.
pub(crate) fn is_firm(text: &str) -> bool {
    let is_name = |text: &str| text.bytes().all(|byte| is_word(byte) || byte == b'.');
    let bytes = text.as_bytes();
    let is_string = || quoted(bytes).first().is_some_and(|string| *string == (0..text.len()));
    let is_call = || {
        let first = pairs(bytes).first().copied();
        first.is_some_and(|(open, close)| close + 1 == text.len() && is_name(&text[..open]))
    };
    is_name(text) || is_string() || is_call()
}
