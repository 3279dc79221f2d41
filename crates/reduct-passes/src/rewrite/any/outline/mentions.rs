//! Where the names of sections stand.

use super::cuts::Cut;
use super::lines::Line;
use crate::text::is_word;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// Shorter words are no names.
const SHORTEST: usize = 2;

/// From so many names on a line is a list of them, of which each goes by itself.
const LIST: usize = 3;

/// In so many lines at the beginning of a section its name is looked for.
const NAMED: usize = 3;

/// A word that is there more often than this, and once in so many lines, is no name.
const OFTEN: usize = 32;
const ONE_OF: usize = 256;

/// If more lines, names and sections than these go with one, something else is needed nearly always.
const MOST: usize = 64;

/// The pieces that a text is cut into, and which of them go together.
pub(super) struct Mentions<'a> {
    cut: &'a Cut,
    /// Lines, and parts of those that are lists of names, in ascending order and disjoint.
    pub(super) pieces: Vec<Range<usize>>,
    /// By line, its first piece; at last, how many there are.
    firsts: Vec<u32>,
    /// By section, what names it: lines that go as a whole, and pieces of others.
    whole: Vec<Vec<usize>>,
    parts: Vec<Vec<u32>>,
    /// By line, the section that it is the head of.
    heads: HashMap<usize, usize>,
}

impl<'a> Mentions<'a> {
    pub(super) fn new(text: &[u8], lines: &[Line], cut: &'a Cut) -> Mentions<'a> {
        let names = names(text, lines, cut);
        let (mut pieces, mut firsts) = (vec![], vec![]);
        let (mut whole, mut parts) = (vec![vec![]; cut.sections.len()], vec![vec![]; cut.sections.len()]);
        for (number, line) in lines.iter().enumerate() {
            firsts.push(pieces.len() as u32);
            let named: Vec<(Range<usize>, usize)> =
                words(text, &line.at).filter_map(|at| Some((at.clone(), *names.get(&text[at])?))).collect();
            let is_in = |section: usize| cut.sections[section].contains(&number);
            if named.len() < LIST {
                for (_, section) in named.iter().filter(|(_, section)| !is_in(*section)) {
                    if whole[*section].last() != Some(&number) {
                        whole[*section].push(number);
                    }
                }
                pieces.push(line.at.clone());
                continue;
            }
            let mut at = line.at.start;
            for (name, section) in named {
                let end = past_separator(text, name.end, line.at.end);
                if name.start > at {
                    pieces.push(at..name.start);
                }
                if !is_in(section) {
                    parts[section].push(pieces.len() as u32);
                }
                pieces.push(name.start..end);
                at = end;
            }
            if at < line.at.end {
                pieces.push(at..line.at.end);
            }
        }
        firsts.push(pieces.len() as u32);
        let heads = cut.heads.iter().enumerate().map(|(number, head)| (*head, number)).collect();
        Mentions { cut, pieces, firsts, whole, parts, heads }
    }

    /// Returns the pieces of a section, of what names it, and of the sections whose heads name it. Without those that name it if these are too many.
    pub(super) fn of(&self, own: usize) -> Vec<u32> {
        let (mut seen, mut todo, mut left) = (HashSet::from([own]), vec![own], MOST);
        while let Some(section) = todo.pop() {
            let Some(rest) = left.checked_sub(1 + self.whole[section].len() + self.parts[section].len()) else {
                seen.clear();
                break;
            };
            left = rest;
            let heads = self.whole[section].iter().filter_map(|line| self.heads.get(line).copied());
            todo.extend(heads.filter(|other| seen.insert(*other)));
        }
        let mut gone: HashSet<u32> = self.of_section(own).collect();
        for section in seen {
            gone.extend(self.of_section(section));
            gone.extend(&self.parts[section]);
            gone.extend(self.whole[section].iter().flat_map(|line| self.of_line(*line)));
        }
        gone.into_iter().collect()
    }

    fn of_section(&self, section: usize) -> impl Iterator<Item = u32> {
        self.cut.sections[section].clone().flat_map(|line| self.of_line(line))
    }

    /// Returns the pieces of a section that stand in it, neither in its head nor in a line that ends something.
    pub(super) fn inside(&self, lines: &[Line], section: usize) -> Vec<u32> {
        let inner = self.cut.heads[section] + 1..self.cut.sections[section].end;
        let filled = inner.filter(|line| lines[*line].indent.is_some() && !lines[*line].ends);
        filled.flat_map(|line| self.of_line(line)).collect()
    }

    fn of_line(&self, line: usize) -> Range<u32> {
        self.firsts[line]..self.firsts[line + 1]
    }
}

/// What stands at the same place in more sections than one in so many is no name, but a word of the language.
const RARE: usize = 16;

/// Returns the section that each name means: the first word in its first lines that does not stand at the same place in many others, but in some line
/// elsewhere.
fn names<'t>(text: &'t [u8], lines: &[Line], cut: &Cut) -> HashMap<&'t [u8], usize> {
    let first = |(section, head): (&Range<usize>, &usize)| {
        let lines = &lines[*head..section.end.min(head + NAMED)];
        lines.iter().flat_map(|line| words(text, &line.at)).map(|at| &text[at]).collect::<Vec<_>>()
    };
    let firsts: Vec<Vec<&[u8]>> = cut.sections.iter().zip(&cut.heads).map(first).collect();
    let mut at_place: HashMap<(usize, &[u8]), usize> = HashMap::new();
    firsts
        .iter()
        .flat_map(|words| words.iter().copied().enumerate())
        .for_each(|word| *at_place.entry(word).or_default() += 1);
    // In which lines each word stands first, and last, and how often it is there.
    let mut places: HashMap<&[u8], (Range<usize>, usize)> = HashMap::new();
    for (number, line) in lines.iter().enumerate() {
        for word in words(text, &line.at) {
            let (at, count) = places.entry(&text[word]).or_insert((number..number, 0));
            (at.end, *count) = (number, *count + 1);
        }
    }
    let most = OFTEN + lines.len() / ONE_OF;
    // Where it stands first in a section, and in which.
    let mut names: HashMap<&[u8], (usize, Option<usize>)> = HashMap::new();
    for (number, (section, words)) in cut.sections.iter().zip(&firsts).enumerate() {
        let is_name = |(place, word): &(usize, &[u8])| {
            let is_elsewhere = || {
                let place = places.get(word).filter(|(_, count)| *count <= most);
                place.is_some_and(|(at, _)| at.start < section.start || at.end >= section.end)
            };
            let is_rare = at_place.get(&(*place, *word)).is_some_and(|all| (all - 1) * RARE <= firsts.len());
            !word[0].is_ascii_digit() && is_rare && is_elsewhere()
        };
        let Some((place, name)) = words.iter().copied().enumerate().find(is_name) else { continue };
        match names.entry(name).or_insert((place, Some(number))) {
            (known, section) if place < *known => (*known, *section) = (place, Some(number)),
            // What is the name of several is the name of none.
            (known, section) if place == *known && *section != Some(number) => *section = None,
            _ => {}
        }
    }
    names.into_iter().filter_map(|(name, (_, section))| Some((name, section?))).collect()
}

fn words<'t>(text: &'t [u8], at: &Range<usize>) -> impl Iterator<Item = Range<usize>> + use<'t> {
    let (mut at, end) = (at.start, at.end);
    std::iter::from_fn(move || {
        let start = (at..end).find(|at| is_word(text[*at]))?;
        at = (start..end).find(|at| !is_word(text[*at])).unwrap_or(end);
        Some(start..at)
    })
    .filter(|word| word.len() >= SHORTEST)
}

/// Returns where what separates names ends: a comma, and white space within the line.
fn past_separator(text: &[u8], mut at: usize, end: usize) -> usize {
    if text.get(at) == Some(&b',') {
        at += 1;
    }
    while at < end && matches!(text[at], b' ' | b'\t') {
        at += 1;
    }
    at
}
