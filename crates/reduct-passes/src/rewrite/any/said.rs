//! Replaces an expression by a word or a number of the failure's message.
//!
//! ## What it tries
//! For a few expressions that name something: the numbers of the message, and those of its words that stand in data. Those beside a
//! string of the message come first, then what an index is, then what stands last. Where that is longer than the expression, it is
//! tried when nothing else helps.
//!
//! ## When it helps
//! Where the message has to name a value, and all that computes it can go once the value itself stands there.
//!
//! ## The message
//! ```text
//! total = 42
//! ```
//! ## Before
//! ```c
//! int f(int a) { return a * 2; }
//! int main(void) { printf("total = %d", f(20) + 2); }
//! ```
//! ## After
//! ```c
//! int f(int a) { return a * 2; }
//! int main(void) { printf("total = %d", 42); }
//! ```

use super::shortest::takes_values;
use crate::pass::Pass;
use crate::rewrite::{propose_growing, propose_in_order};
use crate::text::{is_string, is_word, strings};
use reduct_input::{Class, Edit, Role, Subject, Tree};
use std::cmp::Reverse;
use std::collections::HashSet;

pub(crate) const PASS: Pass =
    Pass::rewriting("said", "replaces an expression by a word or number of the failure's message", 0.1, |subject| {
        let shrinks = |edit: &Edit| edit.shrinks(subject.artifact());
        propose_in_order(subject, edits(subject, shrinks, MOST))
    });

/// The same where it makes the text longer.
pub(crate) const GROWING: Pass =
    PASS.growing("longer-said", "replaces an expression by a longer word of the failure's message", |subject| {
        let grows = |edit: &Edit| !edit.shrinks(subject.artifact()) && edit.gain() >= -LONGER;
        propose_growing(subject, edits(subject, grows, FEWER))
    });

/// So many edits are proposed, and so many that make the text longer.
const MOST: usize = 8;
const FEWER: usize = 4;

/// So many bytes longer it may become.
const LONGER: i64 = 24;

/// So many numbers of a message are tried, and so many words.
const OF_A_SORT: usize = 2;

fn edits(subject: &Subject, wanted: impl Fn(&Edit) -> bool, most: usize) -> Vec<Edit> {
    if subject.said().is_empty() {
        return vec![];
    }
    let message = Message::of(subject);
    let values: Vec<String> = message.numbers.iter().cloned().chain(message.data(subject)).collect();
    if values.is_empty() {
        return vec![];
    }
    let mut places: Vec<Place> = subject.trees().iter().flat_map(|tree| places(subject, tree, &message)).collect();
    places.sort_by_key(Place::rank);
    let edits = places.iter().filter(|place| place.names_something()).flat_map(|place| {
        let edit = |value: &String| Edit::replace(place.tree.range(place.at), value.as_bytes());
        values.iter().filter_map(edit)
    });
    edits.filter(wanted).take(most).collect()
}

/// The words and numbers of what a failure says.
struct Message<'a> {
    words: HashSet<&'a [u8]>,
    /// The words in their order.
    order: Vec<&'a [u8]>,
    /// Words and numbers that follow each other.
    pairs: HashSet<(&'a [u8], &'a [u8])>,
    numbers: Vec<String>,
}

impl Message<'_> {
    fn of(subject: &Subject) -> Message<'_> {
        let texts = || subject.said().iter().map(String::as_bytes);
        let order: Vec<&[u8]> = texts().flat_map(words).collect();
        let numbers = first_of(texts().flat_map(numbers));
        let pairs = texts().flat_map(adjacent).collect();
        Message { pairs, words: order.iter().copied().collect(), order, numbers }
    }

    /// Returns those of its words, as strings, that stand in strings which are not what the message is made from: these have
    /// no other words, or two that follow each other in the message.
    fn data(&self, subject: &Subject) -> Vec<String> {
        let (mut of_data, mut of_message): (HashSet<&[u8]>, HashSet<&[u8]>) = Default::default();
        for range in strings(subject) {
            let text = subject.text(range);
            let known: Vec<&[u8]> = pieces(text).filter(|word| self.words.contains(word)).collect();
            let is_word = matches!(known[..], [word] if word.len() + 2 == text.len());
            let has_more = pieces(text).count() > known.len();
            let is_made_from = adjacent(text).iter().any(|pair| self.pairs.contains(pair));
            let sort = if (is_word || has_more) && !is_made_from { &mut of_data } else { &mut of_message };
            sort.extend(known);
        }
        let data = self.order.iter().filter(|word| of_data.contains(*word) && !of_message.contains(*word));
        first_of(data.map(|word| format!("\"{}\"", String::from_utf8_lossy(word))))
    }
}

/// Returns the first texts of a sort, each once.
fn first_of(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut first: Vec<String> = vec![];
    for text in texts {
        if first.len() < OF_A_SORT && !first.contains(&text) {
            first.push(text);
        }
    }
    first
}

/// An expression in whose place a value may stand.
struct Place<'a> {
    tree: &'a Tree,
    at: usize,
    /// Whether a string beside it has a word of the message.
    is_near: bool,
}

impl Place<'_> {
    fn rank(&self) -> impl Ord + use<> {
        let is_index = matches!(self.tree.field(self.at), "index" | "indices" | "subscript");
        let range = self.tree.range(self.at);
        (!self.is_near, !is_index, Reverse(range.start), Reverse(range.end))
    }

    fn names_something(&self) -> bool {
        let is_name = |at: usize| self.tree.is(at, Class::NAME);
        is_name(self.at) || self.tree.descendants(self.at).any(is_name)
    }
}

/// Returns the expressions of a tree that values may replace.
fn places<'a>(subject: &Subject, tree: &'a Tree, message: &Message<'_>) -> Vec<Place<'a>> {
    if tree.grammar.language == "smt" {
        return vec![];
    }
    let mut statements: Vec<usize> = vec![0; tree.len()];
    let mut near: HashSet<usize> = HashSet::new();
    for at in 1..tree.len() {
        let parent = tree.node(at).parent as usize;
        statements[at] = if tree.is(at, Class::STATEMENT) { at } else { statements[parent] };
        if is_string(subject, tree, at) && words(subject.text(tree.range(at))).any(|word| message.words.contains(word))
        {
            near.insert(statements[at]);
        }
    }
    let is_wanted = |at: &usize| is_value(subject, tree, *at);
    let place = |at: usize| Place { tree, at, is_near: near.contains(&statements[at]) };
    (1..tree.len()).filter(is_wanted).map(place).collect()
}

/// Returns whether a node is an expression, and no literal, whose value is used.
fn is_value(subject: &Subject, tree: &Tree, at: usize) -> bool {
    let Some(parent) = tree.parent(at) else { return false };
    let is_statement = tree.is(parent, Class::STATEMENT) && !tree.is(parent, Class::DEFINITION)
        || tree.is(parent, Class::BLOCK)
        || parent == 0;
    tree.is(at, Class::EXPRESSION)
        && tree.node(at).role != Role::Error
        && !tree.is(at, Class::NUMBER)
        && !is_string(subject, tree, at)
        && !is_statement
        && takes_values(tree, at)
}

/// Returns the words and numbers of a text.
fn pieces(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| !is_word(*byte)).filter(|word| !word.is_empty())
}

/// Returns the words and numbers of a text that follow each other.
fn adjacent(text: &[u8]) -> Vec<(&[u8], &[u8])> {
    pieces(text).zip(pieces(text).skip(1)).collect()
}

/// Returns the words of a text, but for the shortest.
fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    pieces(text).filter(|word| word.len() > 2 && !word[0].is_ascii_digit())
}

/// Returns the numbers of a text, but for those that `shortest` and `values` try.
fn numbers(text: &[u8]) -> Vec<String> {
    let is_part = |byte: u8| is_word(byte) || byte == b'.';
    let (mut found, mut at) = (vec![], 0);
    while at < text.len() {
        let length = text[at..].iter().take_while(|byte| is_part(**byte)).count();
        let token = text[at..at + length].strip_suffix(b".").unwrap_or(&text[at..at + length]);
        let is_number = token.first().is_some_and(u8::is_ascii_digit)
            && token.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.')
            && token.iter().filter(|byte| **byte == b'.').count() < 2;
        let sign =
            at > 0 && text[at - 1] == b'-' && (at < 2 || text[at - 2].is_ascii_whitespace() || text[at - 2] == b'=');
        if is_number && !matches!(token, b"0" | b"1") {
            let sign = if sign { "-" } else { "" };
            found.push(format!("{sign}{}", String::from_utf8_lossy(token)));
        }
        at += length.max(1);
    }
    found
}
