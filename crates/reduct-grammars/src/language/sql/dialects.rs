//! What the grammar of SQL does not know of its dialects: whole statements, commands of shells, and what stands before the body of a trigger.
//! Without this the grammar takes what follows such a statement for a mistake too.

use std::borrow::Cow;
use std::iter::Peekable;
use std::ops::Range;

/// First words of the statements that the grammar knows.
const KNOWN: &[&str] = &[
    "ALTER", "COMMENT", "CREATE", "DELETE", "DROP", "EXPLAIN", "INSERT", "MERGE", "OPTIMIZE", "REPLACE", "RESET",
    "SELECT", "SET", "SHOW", "TRUNCATE", "UNLOAD", "UPDATE", "VACUUM", "WITH",
];

/// What it knows to be created, altered and dropped.
const OBJECTS: &[&str] = &[
    "COLUMN",
    "DATABASE",
    "EXTENSION",
    "FUNCTION",
    "INDEX",
    "POLICY",
    "ROLE",
    "SCHEMA",
    "SEQUENCE",
    "TABLE",
    "TRIGGER",
    "TYPE",
    "USER",
    "VIEW",
];

/// What may have statements of its own, between BEGIN and END.
const WITH_BODIES: &[&str] = &["TRIGGER", "PROCEDURE", "FUNCTION", "EVENT"];

/// What may follow BEGIN where a transaction begins.
const OF_TRANSACTIONS: &[&str] =
    &["TRANSACTION", "WORK", "IMMEDIATE", "DEFERRED", "EXCLUSIVE", "CONCURRENT", "READ", "ONLY"];

/// What ends with END and one more word, and does not begin with a word that is counted.
const ENDED_BY_TWO: &[&str] = &["IF", "LOOP", "WHILE", "REPEAT", "FOR"];

/// How many words are looked at for what is created.
const WORDS: usize = 8;

/// Returns a text with two quotes in the place of a quote behind a backslash, if it seems to be of MySQL: it has backquotes, as around
/// names, and such a quote.
pub(super) fn read_as(text: &[u8]) -> Cow<'_, [u8]> {
    let is_mysql = text.contains(&b'`') && text.windows(2).any(|pair| pair == b"\\'");
    if !is_mysql {
        return text.into();
    }
    let mut read = text.to_vec();
    let (mut quote, mut at) = (None, 0);
    while at < read.len() {
        match (quote, read[at]) {
            (Some(_), b'\\') => {
                if let Some(escaped @ (b'\'' | b'"')) = read.get(at + 1).copied() {
                    // The other quote is no sign of the string.
                    read[at] = if quote == Some(escaped) { escaped } else { b' ' };
                }
                at += 1;
            }
            (Some(open), byte) if open == byte => quote = None,
            (None, byte @ (b'\'' | b'"' | b'`')) => quote = Some(byte),
            (None, b'-') if read[at..].starts_with(b"-- ") => at += past(&read[at..], 0, b"\n") - 1,
            _ => {}
        }
        at += 1;
    }
    read.into()
}

/// Returns what the grammar does not know, in ascending order: statements with the sign that ends them, commands of shells up to the end of
/// their line, and what stands before the body of a trigger or a procedure.
pub(super) fn unknown(text: &[u8]) -> Vec<Range<usize>> {
    let mut found = vec![];
    let mut tokens = Tokens { text, at: 0 }.peekable();
    while let Some(first) = tokens.next() {
        if text[first.start] == b'.' && is_line_start(text, first.start) {
            let end =
                text[first.start..].iter().position(|byte| *byte == b'\n').map_or(text.len(), |end| first.start + end);
            while tokens.next_if(|token| token.start < end).is_some() {}
            found.push(first.start..end);
            continue;
        }
        let statement = Statement::read(text, first, &mut tokens);
        match statement.body {
            Some(body) => found.push(statement.at.start..body),
            None if !statement.is_known() => found.push(statement.at),
            None => {}
        }
    }
    found
}

fn is_line_start(text: &[u8], at: usize) -> bool {
    text[..at].iter().rev().take_while(|byte| **byte != b'\n').all(u8::is_ascii_whitespace)
}

/// A statement.
struct Statement {
    /// With the sign that ends it.
    at: Range<usize>,
    /// Its first words, in capitals.
    words: Vec<String>,
    /// Where its body begins, which ends where it ends.
    body: Option<usize>,
}

impl Statement {
    /// Reads a statement from its first token on.
    fn read(text: &[u8], first: Range<usize>, tokens: &mut Peekable<Tokens<'_>>) -> Statement {
        let mut statement = Statement { at: first.clone(), words: vec![], body: None };
        let (mut depth, mut next) = (0_usize, Some(first));
        while let Some(token) = next {
            statement.at.end = token.end;
            let is_word = is_of_word(text[token.start]);
            if text[token.start] == b';' && depth == 0 {
                break;
            }
            let is = |word| is(text, &token, word);
            if statement.body.is_some() {
                if is("BEGIN") || is("CASE") {
                    depth += 1;
                } else if is("END") {
                    let is_of_two = |token: &Range<usize>| ENDED_BY_TWO.iter().any(|end| self::is(text, token, end));
                    depth -= usize::from(depth > 0 && tokens.next_if(is_of_two).is_none());
                    tokens.next_if(|token| self::is(text, token, "CASE"));
                }
            } else if is("BEGIN") && statement.has_body() {
                (statement.body, depth) = (Some(token.start), 1);
            }
            if is_word && statement.words.len() < WORDS {
                statement.words.push(String::from_utf8_lossy(&text[token]).to_ascii_uppercase());
            }
            next = tokens.next();
        }
        // What does not end is no body.
        statement.body = statement.body.filter(|_| depth == 0);
        statement
    }

    fn has_body(&self) -> bool {
        self.words.first().is_some_and(|word| word == "CREATE")
            && self.words.iter().any(|word| WITH_BODIES.contains(&word.as_str()))
    }

    /// Returns whether the grammar knows such statements. What begins with no word, it may.
    fn is_known(&self) -> bool {
        let of = |words: &[&str]| self.words.iter().skip(1).any(|word| words.contains(&word.as_str()));
        match self.words.first().map(String::as_str) {
            None => true,
            // A block is known.
            Some("BEGIN") => !self.words.iter().skip(1).all(|word| OF_TRANSACTIONS.contains(&word.as_str())),
            Some("CREATE") if of(&["VIRTUAL"]) => false,
            Some("DROP") if of(&["TRIGGER"]) => false,
            Some("CREATE" | "ALTER" | "DROP") => of(OBJECTS),
            Some(first) => KNOWN.contains(&first),
        }
    }
}

fn is(text: &[u8], token: &Range<usize>, word: &str) -> bool {
    text[token.clone()].eq_ignore_ascii_case(word.as_bytes())
}

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

/// Words, quoted texts and single signs, without comments.
struct Tokens<'t> {
    text: &'t [u8],
    at: usize,
}

impl Iterator for Tokens<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        loop {
            let rest = self.text.get(self.at..)?;
            let blank = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            let comment = match &rest[blank..] {
                [b'-', b'-', ..] => past(&rest[blank..], 0, b"\n"),
                [b'/', b'*', ..] => past(&rest[blank..], 2, b"*/"),
                _ => 0,
            };
            self.at += blank + comment;
            if comment == 0 {
                break;
            }
        }
        let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
        let length = match rest[0] {
            // One that is doubled ends one text and begins the next.
            quote @ (b'\'' | b'"' | b'`') => past(rest, 1, &[quote]),
            b'$' => {
                let tag = rest[1..].iter().take_while(|byte| is_of_word(**byte)).count() + 2;
                if rest.get(tag - 1) == Some(&b'$') { past(rest, tag, &rest[..tag]) } else { 1 }
            }
            byte if is_of_word(byte) => rest.iter().take_while(|byte| is_of_word(**byte)).count(),
            _ => 1,
        };
        self.at += length;
        Some(self.at - length..self.at)
    }
}

/// Returns where the next such text ends in another one, from a place on; where that ends, if there is none.
fn past(text: &[u8], from: usize, end: &[u8]) -> usize {
    let next = text[from..].windows(end.len()).position(|window| window == end);
    next.map_or(text.len(), |next| from + next + end.len())
}
