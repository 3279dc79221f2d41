//! Reads a line for a shell as far as needed to know what its `{}` stand in.

use super::quoting::{escaped, fill_in_word, quoted, within_single};
use std::collections::VecDeque;

/// What the reader of a line is within, apart from single quotes, comments and documents, which nothing is nested in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    DoubleQuotes,
    Parentheses,
    Arithmetic,
    Backticks,
    /// `case`, before the word that is compared.
    Case,
    /// After that word, before `in`.
    CaseOf,
    /// Where patterns stand, each of which ends in a parenthesis that nothing has opened.
    Patterns,
    /// Where the commands of a pattern stand.
    Branch,
}

/// A document announced by `<<`.
struct Document {
    /// The line that ends it.
    end: Vec<u8>,
    /// Whether nothing in it is expanded.
    is_raw: bool,
    /// Whether tabs in front of its lines do not count.
    is_indented: bool,
}

/// Reads a line as far as needed to know where quotes begin and end.
pub(super) struct Scanner<'a> {
    rest: &'a [u8],
    filled: Vec<u8>,
    path: &'a [u8],
    within: Vec<Within>,
    documents: VecDeque<Document>,
    /// Whether the shell takes `$'it\'s'` for one word.
    dollar_quotes: bool,
    /// Whether the next word is the first one of a command, where words such as `case` mean something.
    begins_command: bool,
}

/// Words after which a command begins, or another such word stands.
const BEFORE_COMMANDS: [&[u8]; 14] =
    [b"!", b"{", b"}", b"if", b"then", b"elif", b"else", b"fi", b"while", b"until", b"do", b"done", b"esac", b"time"];

impl<'a> Scanner<'a> {
    /// Returns a scanner of a line; with `dollar_quotes` the shell takes `$'it\'s'` for one word.
    pub(super) fn new(line: &'a [u8], path: &'a [u8], dollar_quotes: bool) -> Scanner<'a> {
        Scanner {
            rest: line,
            filled: Vec::with_capacity(line.len()),
            path,
            within: vec![],
            documents: VecDeque::new(),
            dollar_quotes,
            begins_command: true,
        }
    }

    /// Returns the line with the path in the place of every `{}`.
    pub(super) fn filled_in(mut self) -> Vec<u8> {
        while !self.rest.is_empty() {
            self.step();
        }
        self.filled
    }

    fn copy(&mut self, length: usize) {
        let (head, tail) = self.rest.split_at(length.min(self.rest.len()));
        self.filled.extend_from_slice(head);
        self.rest = tail;
    }

    fn enter(&mut self, within: Within, length: usize) {
        self.within.push(within);
        self.copy(length);
    }

    fn leave(&mut self, within: Within, length: usize) {
        self.within.pop_if(|last| *last == within);
        self.copy(length);
    }

    /// Puts the path in, made as it has to be where it stands.
    fn put(&mut self, mut path: Vec<u8>) {
        // Within backticks, backslashes are taken off once more.
        for _ in self.within.iter().filter(|within| **within == Within::Backticks) {
            path = escaped(&path, b"\\`");
        }
        self.filled.extend_from_slice(&path);
        self.rest = &self.rest[2..];
    }

    fn step(&mut self) {
        if self.within.last() != Some(&Within::DoubleQuotes) && self.word_of_the_shell() {
            return;
        }
        let (last, before) = (self.within.last().copied(), self.filled.len());
        self.step_over(last);
        // Blanks and the end of a line that goes on leave it as it is.
        self.begins_command = match (self.filled.last(), &self.filled[before..]) {
            (_, b" " | b"\t" | b"\\\n") => self.begins_command,
            (_, [b'\\', ..]) => false,
            (_, b")") => last == Some(Within::Patterns) || self.filled[..before].trim_ascii_end().ends_with(b"("),
            (_, b"`") => self.within.last() == Some(&Within::Backticks),
            (Some(b';' | b'&' | b'|' | b'(' | b'\n'), _) => true,
            _ => false,
        };
    }

    /// Goes over a word that means something to the shell where it stands, if one stands here.
    fn word_of_the_shell(&mut self) -> bool {
        let last = self.within.last().copied();
        let begins_backticks = last == Some(Within::Backticks) && self.filled.last() == Some(&b'`');
        // The end of a word is looked for once a word: within a long one, that is no matter of each sign.
        if !self.is_at_a_word() && !begins_backticks {
            return false;
        }
        let length = self.rest.iter().position(|byte| b" \t\r\n;&|()<>`".contains(byte)).unwrap_or(self.rest.len());
        let word = &self.rest[..length];
        let becomes = match (last, word) {
            (Some(Within::Case), _) if self.rest.starts_with(b"`") => Some(Within::CaseOf),
            _ if length == 0 || last == Some(Within::Arithmetic) => return false,
            (Some(Within::Case), _) => Some(Within::CaseOf),
            (Some(Within::CaseOf), b"in") => Some(Within::Patterns),
            (Some(Within::Patterns), b"esac") => None,
            (Some(Within::Branch), b"esac") if self.begins_command => None,
            (_, b"case") if self.begins_command && last != Some(Within::Patterns) => {
                self.enter(Within::Case, length);
                return true;
            }
            (_, word) if self.begins_command && BEFORE_COMMANDS.contains(&word) => {
                self.copy(length);
                return true;
            }
            _ => return false,
        };
        self.within.pop();
        self.within.extend(becomes);
        // The word that is compared may hold anything.
        if becomes != Some(Within::CaseOf) {
            self.copy(length);
            self.begins_command = becomes.is_none();
        }
        becomes != Some(Within::CaseOf)
    }

    fn step_over(&mut self, last: Option<Within>) {
        match self.rest {
            [b'\\', ..] => self.copy(2),
            [b'$', b'(', b'(', ..] => self.enter(Within::Arithmetic, 3),
            [b'$', b'(', ..] => self.enter(Within::Parentheses, 2),
            [b'`', ..] => self.backtick(),
            [b'"', ..] if last == Some(Within::DoubleQuotes) => self.leave(Within::DoubleQuotes, 1),
            [b'"', ..] => self.enter(Within::DoubleQuotes, 1),
            [b'{', b'}', ..] if last == Some(Within::DoubleQuotes) => self.put(escaped(self.path, b"\\\"$`")),
            [b'{', b'}', ..] => self.put(quoted(self.path)),
            _ if last == Some(Within::DoubleQuotes) => self.copy(1),
            _ => self.step_outside(last),
        }
    }

    /// Goes on where no quotes are.
    fn step_outside(&mut self, last: Option<Within>) {
        match self.rest {
            [b'$', b'$', ..] => self.copy(2),
            [b'$', b'\'', ..] if self.dollar_quotes => self.dollar_quotes(),
            [b'\'', ..] => self.single_quotes(),
            [b';', b';', ..] | [b';', b'&', ..] if last == Some(Within::Branch) => self.branch_ends(),
            [b'(', ..] if last == Some(Within::Patterns) && self.is_at_a_word() => self.copy(1),
            [b')', ..] if last == Some(Within::Patterns) => {
                self.within.pop();
                self.enter(Within::Branch, 1);
            }
            [b')', b')', ..] if last == Some(Within::Arithmetic) => self.leave(Within::Arithmetic, 2),
            [b'(', ..] => self.enter(Within::Parentheses, 1),
            [b')', ..] => self.leave(Within::Parentheses, 1),
            [b'<', b'<', b'<', ..] => self.copy(3),
            [b'<', b'<', ..] if !self.within.contains(&Within::Arithmetic) => self.announcement(),
            [b'#', ..] if last != Some(Within::Arithmetic) && self.is_at_a_word() => {
                let end = self.rest.iter().position(|byte| *byte == b'\n').unwrap_or(self.rest.len());
                self.copy(end);
            }
            [b'\n', ..] => {
                self.copy(1);
                while let Some(document) = self.documents.pop_front() {
                    self.document(&document);
                }
            }
            _ => self.copy(1),
        }
    }

    fn is_at_a_word(&self) -> bool {
        self.filled.last().is_none_or(|byte| b" \t\n;&|()".contains(byte))
    }

    fn backtick(&mut self) {
        match self.within.iter().rposition(|within| *within == Within::Backticks) {
            Some(opened) => {
                self.within.truncate(opened);
                self.copy(1);
            }
            None => self.enter(Within::Backticks, 1),
        }
    }

    /// Goes over `;;`, `;&` or `;;&`, after which patterns stand.
    fn branch_ends(&mut self) {
        self.within.pop();
        self.enter(Within::Patterns, 2);
        self.copy(usize::from(self.rest.starts_with(b"&")));
    }

    /// Goes over `$'...'`, where a backslash takes its meaning from a quote.
    fn dollar_quotes(&mut self) {
        self.copy(2);
        while let Some(first) = self.rest.first() {
            match first {
                b'\'' => return self.copy(1),
                b'\\' => self.copy(2),
                b'{' if self.rest.starts_with(b"{}") => self.put(escaped(self.path, b"\\'")),
                _ => self.copy(1),
            }
        }
    }

    fn single_quotes(&mut self) {
        self.copy(1);
        while let Some(first) = self.rest.first() {
            match first {
                b'\'' => return self.copy(1),
                b'{' if self.rest.starts_with(b"{}") => self.put(within_single(self.path)),
                _ => self.copy(1),
            }
        }
    }

    /// Notes the document that `<<` announces.
    fn announcement(&mut self) {
        self.copy(2);
        let is_indented = self.rest.starts_with(b"-");
        self.copy(usize::from(is_indented));
        while matches!(self.rest.first(), Some(b' ' | b'\t')) {
            self.copy(1);
        }
        let (mut end, mut is_raw, mut quote) = (vec![], false, None);
        while let Some(&byte) = self.rest.first() {
            match (byte, quote) {
                (_, Some(open)) if byte == open => quote = None,
                (_, Some(_)) => end.push(byte),
                (b'\'' | b'"', None) => (quote, is_raw) = (Some(byte), true),
                (b'\\', None) => is_raw = true,
                (b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')', None) => break,
                _ => end.push(byte),
            }
            self.copy(1);
        }
        self.documents.push_back(Document { end, is_raw, is_indented });
    }

    /// Reads a document to its end.
    fn document(&mut self, document: &Document) {
        while !self.rest.is_empty() {
            let length = self.rest.iter().position(|byte| *byte == b'\n').map_or(self.rest.len(), |end| end + 1);
            let (line, rest) = self.rest.split_at(length);
            let text = line.strip_suffix(b"\n").unwrap_or(line);
            let tabs = text.iter().take_while(|byte| document.is_indented && **byte == b'\t').count();
            let path = if document.is_raw { self.path.to_vec() } else { escaped(self.path, b"\\$`") };
            self.filled.extend(fill_in_word(line, &path));
            self.rest = rest;
            if text[tabs..] == document.end[..] {
                return;
            }
        }
    }
}
