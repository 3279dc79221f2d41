//! Removes a line that gives something a name, with all lines that need it, in a text that no grammar reads.
//!
//! ## What it tries
//! A line names its result if it begins with a word and `=`, `:=` or `<-`, after a keyword or two. For each: the line, all lines with that word, and if one
//! of these names its own result, all lines with that, and so on. The first are those that are expected to gain most: the more lines go, the more likely one
//! is needed.
//!
//! ## When it helps
//! In sequences of calls, as fuzzers of interfaces make them: what opens something stands before what uses and closes it, and between what others do.
//!
//! ## Before
//! ```text
//! h1 = open("a")
//! h2 = open("b")
//! h3 = cursor(h1)
//! read(h2)
//! read(h3)
//! h4 = cursor(h2)
//! close(h3)
//! close(h4)
//! close(h1)
//! close(h2)
//! h5 = open("c")
//! close(h5)
//! h6 = open("d")
//! read(h6)
//! close(h6)
//! h7 = open("e")
//! close(h7)
//! h8 = open("f")
//! close(h8)
//! ```
//! ## After
//! ```text
//! h2 = open("b")
//! read(h2)
//! h4 = cursor(h2)
//! close(h4)
//! close(h2)
//! h5 = open("c")
//! close(h5)
//! h6 = open("d")
//! read(h6)
//! close(h6)
//! h7 = open("e")
//! close(h7)
//! h8 = open("f")
//! close(h8)
//! ```

use super::dependents::expected;
use crate::pass::{Needs, Pass, Proposals};
use crate::text::{is_word, item, longest_unparsed};
use reduct_input::parts::ItemSets;
use reduct_input::{Item, Subject};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

pub(crate) const PASS: Pass = Pass {
    needs: Needs::Text,
    ..Pass::rewriting("results", "removes a line that names its result with all lines that need it", 0.25, propose)
};

/// A longer text is cut into sections first.
const LONGEST: usize = 8 << 20;

/// Fewer names are soon asked about by others.
const FEWEST: usize = 6;

/// So many words may stand before a name.
const BEFORE: usize = 2;

/// If more lines go with one, something else is needed nearly always.
const MOST: usize = 256;

/// So many lines are looked at to find what goes with what.
const STEPS: usize = 1 << 22;

fn propose(subject: &Subject) -> Proposals {
    let Some((region, text)) = longest_unparsed(subject, LONGEST) else { return vec![] };
    let lines = Lines::of(text);
    if lines.named.len() < FEWEST {
        return vec![];
    }
    let mut steps = STEPS;
    let mut known: BTreeSet<Vec<u32>> = BTreeSet::new();
    let mut sets: Vec<(f64, Vec<u32>)> = vec![];
    for set in (0..lines.at.len()).filter_map(|line| lines.going_with(line, &mut steps)) {
        let gain: usize = set.iter().map(|line| lines.at[*line as usize].len()).sum();
        // One line alone others find.
        if set.len() > 1 && known.insert(set.clone()) {
            sets.push((expected(gain, set.len(), text.len()), set));
        }
    }
    if sets.is_empty() {
        return vec![];
    }
    // What a search asks about first is at the end.
    sets.sort_by(|(one, of_one), (other, of_other)| one.total_cmp(other).then_with(|| of_other.cmp(of_one)));
    let items: Arc<[Item]> = lines.at.iter().map(|line| item(region.start, line)).collect();
    let sets = sets.into_iter().map(|(_, set)| Arc::from(set)).collect();
    vec![ItemSets { items, sets, mends: [].into(), emptied: [].into() }.into()]
}

/// The lines of a text, and what they name.
struct Lines<'a> {
    at: Vec<Range<usize>>,
    /// By line, the word that it gives to its result.
    names: Vec<Option<&'a [u8]>>,
    /// Of each such word, in which lines it stands.
    named: HashMap<&'a [u8], Vec<u32>>,
}

impl<'a> Lines<'a> {
    /// Takes time in proportion to the text.
    fn of(text: &'a [u8]) -> Lines<'a> {
        let mut at: Vec<Range<usize>> = vec![];
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            let start = at.last().map_or(0, |last| last.end);
            at.push(start..start + line.len());
        }
        let names: Vec<Option<&[u8]>> = at.iter().map(|line| name(&text[line.clone()])).collect();
        let mut named: HashMap<&[u8], Vec<u32>> = names.iter().flatten().map(|name| (*name, vec![])).collect();
        for (number, line) in (0..).zip(&at) {
            for word in words(&text[line.clone()]) {
                if let Some(lines) = named.get_mut(word).filter(|lines| lines.last() != Some(&number)) {
                    lines.push(number);
                }
            }
        }
        Lines { at, names, named }
    }

    /// Returns the line, if it names its result, with all lines that need that, in ascending order. `None` if these are too many.
    fn going_with(&self, line: usize, steps: &mut usize) -> Option<Vec<u32>> {
        let own = self.names[line]?;
        let (mut seen, mut todo) = (HashSet::from([own]), vec![own]);
        let mut gone: BTreeSet<u32> = BTreeSet::new();
        while let Some(name) = todo.pop() {
            let lines = &self.named[name];
            *steps = steps.checked_sub(lines.len())?;
            gone.extend(lines);
            if gone.len() > MOST {
                return None;
            }
            todo.extend(lines.iter().filter_map(|line| self.names[*line as usize]).filter(|name| seen.insert(name)));
        }
        Some(gone.into_iter().collect())
    }
}

/// Returns the word that a line gives to its result: the last one before its first `=`, `:=` or `<-`.
fn name(line: &[u8]) -> Option<&[u8]> {
    let is_sign = |at: &usize| match line[*at] {
        b'=' => !matches!(line.get(at + 1), Some(b'=' | b'>' | b'~')),
        b'<' => line.get(at + 1) == Some(&b'-'),
        _ => false,
    };
    let before = &line[..(0..line.len()).find(is_sign)?];
    let before = before.strip_suffix(b":").unwrap_or(before).trim_ascii();
    let is_plain =
        |byte: &u8| is_word(*byte) || byte.is_ascii_whitespace() || matches!(byte, b'%' | b'@' | b'*' | b'&');
    let found = words(before).last()?;
    let is_name = before.ends_with(found) && before.iter().all(is_plain) && words(before).count() <= BEFORE + 1;
    (is_name && !found[0].is_ascii_digit()).then_some(found)
}

fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| !is_word(*byte)).filter(|word| !word.is_empty())
}
