//! Ways to cut a text into sections: which lines are heads.

use super::lines::{self, Line};
use super::notes::Note;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// Sections: their lines, in ascending order and disjoint, and which line is the head of each. What describes the head stands before it.
pub(in crate::rewrite::any) struct Cut {
    pub(in crate::rewrite::any) sections: Vec<Range<usize>>,
    pub(in crate::rewrite::any) heads: Vec<usize>,
}

impl Cut {
    /// Returns whether nearly all sections are those of another cut.
    fn is_like(&self, other: &Cut) -> bool {
        let (own, others) = (&self.sections, &other.sections);
        let shared = own
            .iter()
            .filter(|section| others.binary_search_by_key(&section.start, |other| other.start).is_ok())
            .count();
        is_about(own.len(), others.len()) && shared * 10 >= own.len() * ALIKE
    }
}

/// Fewer sections are soon asked about by others.
const FEWEST: usize = 6;

/// And these are asked about after all others.
const FEW: usize = 16;

/// So many ways are tried at most.
const MOST: usize = 6;

/// So many are looked at, as each takes time in proportion to the text.
const WAYS: usize = 32;

/// So many depths of blocks are tried.
const DEPTHS: usize = 2;

/// No section holds more of the text than one part in so many.
const LARGEST: usize = 4;

/// All sections together hold one part of the text in so many, or more.
const SHARE: usize = 2;

/// Nearly all are so many in ten.
const ALIKE: usize = 8;

/// Returns the ways to cut a text, the most promising first.
pub(in crate::rewrite::any) fn all(text: &[u8], lines: &[Line]) -> Vec<Cut> {
    let Heads { alike, blocks } = heads(lines);
    let are_heads = |heads: &Vec<usize>| !lines[heads[0]].ends && !follows_one_alike(lines, heads);
    let alike = alike.into_iter().filter(|heads| heads.len() >= FEWEST).filter(are_heads);
    let alike = alike.map(|heads| (!is_set_off(lines, &heads), true, heads));
    let blocks = blocks.into_iter().filter(|heads| heads.len() >= FEWEST).map(|heads| (false, false, heads));
    let mut found: Vec<(bool, bool, Vec<usize>)> = alike.chain(blocks).collect();
    // Those that are set off first, and of these those with fewer sections, unless they are few; of about as many, blocks, and then the first in the text.
    // Comments come after what they describe.
    found.sort_by_key(|(runs_on, is_alike, heads)| {
        let describe = lines[heads[0]].note.is_some();
        (heads.len() < FEW, *runs_on, describe, heads.len().ilog2(), *is_alike, heads[0], heads.len())
    });
    found.dedup_by(|(next_runs_on, _, next), (runs_on, _, one)| {
        next_runs_on == runs_on && is_about(next.len(), one.len())
    });
    let ways = counted(text, lines).into_iter().chain(found.into_iter().map(|(.., heads)| heads));
    let mut cuts: Vec<Cut> = vec![];
    for heads in ways.take(WAYS) {
        if cuts.len() == MOST {
            break;
        }
        cuts.extend(cut(text, lines, &heads).filter(|cut| !cuts.iter().any(|known| known.is_like(cut))));
    }
    cuts
}

/// Lines that may be heads, way by way.
struct Heads {
    /// Lines that begin alike, and those behind a blank one.
    alike: Vec<Vec<usize>>,
    /// Lines with deeper ones below, those that are indented least first.
    blocks: Vec<Vec<usize>>,
}

/// Returns the lines that may be heads, way by way.
fn heads(lines: &[Line]) -> Heads {
    let mut by_key: HashMap<u32, Vec<usize>> = HashMap::new();
    let (mut paragraphs, mut blocks) = (vec![], BTreeMap::<usize, Vec<usize>>::new());
    for (at, line) in lines.iter().enumerate() {
        let Some(indent) = line.indent else { continue };
        if line.note == Some(Note::Text) {
            continue;
        }
        by_key.entry(line.begins).or_default().push(at);
        by_key.entry(line.whole).or_default().push(at);
        if line.note.is_none() && line.first > 0 && lines[line.first - 1].indent.is_none() {
            paragraphs.push(at);
        }
        let next = lines[at + 1..].iter().find_map(|line| line.indent);
        if next.is_some_and(|next| next > indent) && !line.ends {
            blocks.entry(indent).or_default().push(at);
        }
    }
    let mut alike: Vec<Vec<usize>> = by_key.into_values().chain([paragraphs]).collect();
    alike.sort();
    alike.dedup();
    Heads { alike, blocks: blocks.into_values().take(DEPTHS).collect() }
}

/// Returns all lines behind one of the first ones that says how many these are.
fn counted(text: &[u8], lines: &[Line]) -> Option<Vec<usize>> {
    let filled: Vec<usize> = (0..lines.len()).filter(|at| lines[*at].indent.is_some()).collect();
    let says = |number: &usize| {
        let left = filled.len() - number - 1;
        left >= FEWEST && lines::numbers(text, &lines[filled[*number]]).any(|(_, number)| number == left as u64)
    };
    let first = (0..filled.len().min(lines::FIRST)).find(says)?;
    Some(filled[first + 1..].to_vec())
}

fn is_about(one: usize, other: usize) -> bool {
    one.abs_diff(other) * 10 <= one.max(other)
}

/// Returns whether nearly all of these lines follow lines that begin alike, are indented no deeper and end nothing: then those are heads rather than
/// these.
fn follows_one_alike(lines: &[Line], heads: &[usize]) -> bool {
    let mut before: HashMap<u32, usize> = HashMap::new();
    for at in heads {
        let Some(line) = lines[*at].first.checked_sub(1).map(|before| &lines[before]) else { continue };
        if line.indent.is_some_and(|indent| Some(indent) <= lines[*at].indent) && !line.ends {
            *before.entry(line.begins).or_default() += 1;
        }
    }
    // All lines are alike in a table.
    let own = lines[heads[0]].begins;
    before.iter().any(|(key, count)| *key != own && count * 10 >= heads.len() * ALIKE)
}

/// Returns whether nearly all of these lines stand behind a blank one, one that ends something, or a deeper one; or are followed by lines that are alike.
fn is_set_off(lines: &[Line], heads: &[usize]) -> bool {
    let own = lines[heads[0]].begins;
    let mut after: HashMap<u32, usize> = HashMap::new();
    let next = heads.iter().filter_map(|at| lines.get(at + 1));
    for line in next.filter(|line| line.begins != own && line.indent.is_some() && !line.ends) {
        *after.entry(line.begins).or_default() += 1;
    }
    if after.values().any(|count| count * 10 >= heads.len() * ALIKE) {
        return true;
    }
    let is_begun = |at: &&usize| match lines[**at].first.checked_sub(1).map(|before| &lines[before]) {
        Some(before) => before.indent.is_none() || before.ends || before.indent > lines[**at].indent,
        None => true,
    };
    heads.iter().filter(is_begun).count() * 10 >= heads.len() * ALIKE
}

/// Cuts a text before these lines. `None` if that is not worth it.
fn cut(text: &[u8], lines: &[Line], heads: &[usize]) -> Option<Cut> {
    let mut sections: Vec<Range<usize>> = vec![];
    let mut heads = heads.to_vec();
    for (number, head) in heads.iter().enumerate() {
        // What describes a head may be a head itself.
        let start = lines[*head].first.max(number.checked_sub(1).map_or(0, |before| heads[before] + 1));
        let next = heads.get(number + 1).map_or(lines.len(), |next| lines[*next].first.max(head + 1));
        let indent = lines[*head].indent;
        // What is indented less belongs to what is around.
        let outer = lines[*head..next].iter().position(|line| line.indent.is_some() && line.indent < indent);
        sections.push(start..outer.map_or(next, |outer| head + outer));
    }
    // What comes behind the last one may be anything.
    let longest = sections[..sections.len() - 1].iter().map(ExactSizeIterator::len).max()?;
    if sections.last().is_some_and(|last| last.len() > 2 * longest) {
        sections.pop();
        heads.pop();
    }
    let all: usize = sections.iter().map(ExactSizeIterator::len).sum();
    let size = |section: &Range<usize>| lines[section.clone()].iter().map(|line| line.at.len()).sum::<usize>();
    let held: usize = sections.iter().map(size).sum();
    let is_even = sections.iter().all(|section| size(section) * LARGEST <= text.len());
    let first = sections[0].start;
    let is_counted = || {
        let mut before = lines[first.saturating_sub(lines::FIRST)..first].iter();
        before.any(|line| lines::numbers(text, line).any(|(_, number)| number == sections.len() as u64))
    };
    let is_worth_it = is_even && held * SHARE >= text.len() && (all >= 2 * sections.len() || is_counted());
    is_worth_it.then_some(Cut { sections, heads })
}
