//! Removes sections of a text that no grammar reads to which nothing leads.
//!
//! ## What it tries
//! The text is cut into sections as for `outline`. A section defines the word that stands in it where the name of most sections stands: the first one that is not
//! the same in many of them. Sections that define nothing stay, and so does what stands between sections, with all sections that they name, and that these name, and so on. All
//! others go at once. If they cannot, each section that no other one names is asked about, by halves, with what only it leads to. What a comment or a text in quotes above a head
//! says leads to nothing.
//!
//! ## When it helps
//! Where a text is of a language without a grammar here, and defines things that stand before or behind what uses them.
//!
//! ## Before
//! ```text
//! (define (cellar x)
//!   (+ x 1))
//! (define (garden x)
//!   (cellar (* x 2)))
//! (define (roof x)
//!   (tower x))
//! (define (tower x)
//!   (- x 1))
//! (define (gate x)
//!   (bridge x))
//! (define (bridge x)
//!   (* x x))
//! (define (well x)
//!   (gate x))
//! (print
//!   (garden 1))
//! ```
//! ## After
//! ```text
//! (define (cellar x)
//!   (+ x 1))
//! (define (garden x)
//!   (cellar (* x 2)))
//! (print
//!   (garden 1))
//! ```

use super::outline::cuts::{self, Cut};
use super::outline::lines::{self, Line};
use super::outline::notes::Note;
use crate::pass::{Needs, Pass, Proposals};
use crate::rewrite::waits_for_more;
use crate::text::{is_word, item, longest_unparsed};
use reduct_input::parts::{ItemSets, Led, Root, Roots, led_to, roots_of};
use reduct_input::{Item, Spans, Subject};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::Arc;

pub(crate) const PASS: Pass = Pass {
    needs: Needs::Text,
    ..Pass::rewriting("unreached", "removes sections of a text to which nothing leads", 0.8, propose).following_others()
};

/// A longer text is cut into pieces first.
const LONGEST: usize = 8 << 20;

/// So many ways to cut the text are tried.
const CUTS: usize = 2;

/// With fewer names it is soon seen by others what goes.
const FEWEST: usize = 6;

/// In so many words of a section its name is looked for.
const WORDS: usize = 12;

/// What stands at the same place in more sections than one in so many, and one more, is no name, but a word of the language.
const RARE: usize = 16;

/// What more sections are called is the name of none.
const SAME: usize = 4;

/// One of so many names, or more, is used somewhere, or they are no names.
const USED: usize = 4;

fn propose(subject: &Subject) -> Proposals {
    let Some((region, text)) = longest_unparsed(subject, LONGEST) else { return vec![] };
    let lines = lines::of(text);
    let all = cuts::all(text, &lines);
    let found = all.iter().filter_map(|cut| Sections::of(text, &lines, cut)).take(CUTS);
    found
        .filter(|sections| !waits_for_more(subject, sections.gain()))
        .map(|sections| sections.spans(region.start))
        .collect()
}

/// Sections, and which lead to which.
struct Sections<'a> {
    lines: &'a [Line],
    cut: &'a Cut,
    nodes: Vec<Led>,
    always: Vec<u32>,
    roots: Vec<Root>,
}

impl<'a> Sections<'a> {
    /// Returns the sections of a cut; `None` if they have no names, or all are led to.
    fn of(text: &[u8], lines: &'a [Line], cut: &'a Cut) -> Option<Sections<'a>> {
        let names = names(text, lines, cut)?;
        let mut of_name: HashMap<&[u8], Vec<u32>> = HashMap::new();
        for (section, name) in (0..).zip(&names) {
            if let Some(name) = name {
                of_name.entry(&text[name.clone()]).or_default().push(section);
            }
        }
        of_name.retain(|_, sections| sections.len() <= SAME);
        let is_named =
            |name: &Option<Range<usize>>| name.as_ref().is_some_and(|name| of_name.contains_key(&text[name.clone()]));
        let mut nodes: Vec<Led> = names.iter().map(|_| Led::default()).collect();
        let mut always: Vec<u32> = (0..).zip(&names).filter(|(_, name)| !is_named(name)).map(|(at, _)| at).collect();
        let mut section = 0;
        for (number, line) in lines.iter().enumerate() {
            while cut.sections.get(section).is_some_and(|it| it.end <= number) {
                section += 1;
            }
            let own = cut.sections.get(section).is_some_and(|it| it.contains(&number)).then_some(section);
            // What a description names is not needed.
            if line.note.is_some_and(Note::is_prose) {
                continue;
            }
            let named = words_and_parts(text, &line.at).filter_map(|word| of_name.get(&text[word])).flatten().copied();
            match own {
                Some(own) => nodes[own].leads_to.extend(named.filter(|to| *to != own as u32)),
                None => always.extend(named),
            }
        }
        nodes.iter_mut().map(|node| &mut node.leads_to).chain([&mut always]).for_each(|all| {
            all.sort_unstable();
            all.dedup();
        });
        let mut used: Vec<u32> = nodes.iter().flat_map(|node| node.leads_to.iter().copied()).collect();
        used.sort_unstable();
        used.dedup();
        let root = |node: u32| Some(Root { node, name: range(names[node as usize].as_ref()?) });
        let roots: Vec<Root> = roots_of(&nodes, &always).into_iter().filter_map(root).collect();
        let are_names = of_name.len() >= FEWEST && used.len() * USED >= of_name.len();
        (are_names && !roots.is_empty()).then_some(Sections { lines, cut, nodes, always, roots })
    }

    /// Returns how many bytes nothing leads to.
    fn gain(&self) -> usize {
        let stays = led_to(&self.nodes, &self.always);
        let gone = self.cut.sections.iter().zip(stays).filter(|(_, stays)| !stays);
        gone.flat_map(|(section, _)| &self.lines[section.clone()]).map(|line| line.at.len()).sum()
    }

    fn spans(self, start: u32) -> Spans {
        let items: Arc<[Item]> = self.lines.iter().map(|line| item(start, &line.at)).collect();
        let set = |section: &Range<usize>| (section.start as u32..section.end as u32).collect::<Arc<[u32]>>();
        let sets = self.cut.sections.iter().map(set).collect();
        let moved = |root: Root| Root { name: start + root.name.start..start + root.name.end, ..root };
        let roots = self.roots.into_iter().map(moved).collect();
        let sets = ItemSets { items, sets, mends: [].into(), emptied: [].into() };
        Roots { sets, nodes: self.nodes.into(), always: self.always.into(), roots }.into()
    }
}

/// Returns where the name of each section stands, if it defines one; `None` if the names of most do not stand at the same place.
fn names(text: &[u8], lines: &[Line], cut: &Cut) -> Option<Vec<Option<Range<usize>>>> {
    let first = |(section, head): (&Range<usize>, &usize)| -> Vec<Range<usize>> {
        lines[*head..section.end].iter().flat_map(|line| words(text, &line.at)).take(WORDS).collect()
    };
    let firsts: Vec<Vec<Range<usize>>> = cut.sections.iter().zip(&cut.heads).map(first).collect();
    let mut at_place: HashMap<(usize, &[u8]), usize> = HashMap::new();
    for (place, word) in firsts.iter().flat_map(|words| words.iter().cloned().enumerate()) {
        *at_place.entry((place, &text[word])).or_default() += 1;
    }
    let is_name = |(place, word): (usize, &Range<usize>)| {
        let count = at_place.get(&(place, &text[word.clone()])).copied().unwrap_or(0);
        !text[word.start].is_ascii_digit() && count <= 1 + firsts.len() / RARE
    };
    let place = |words: &Vec<Range<usize>>| words.iter().enumerate().position(is_name);
    let places: Vec<Option<usize>> = firsts.iter().map(place).collect();
    let mut often: BTreeMap<usize, usize> = BTreeMap::new();
    places.iter().flatten().for_each(|place| *often.entry(*place).or_default() += 1);
    let (usual, count) = often.into_iter().max_by_key(|(place, count)| (*count, Reverse(*place)))?;
    let name =
        |(place, words): (&Option<usize>, &Vec<Range<usize>>)| (*place == Some(usual)).then(|| words[usual].clone());
    (count * 2 >= firsts.len()).then(|| places.iter().zip(&firsts).map(name).collect())
}

/// Returns the words of a line; a hyphen between two letters is part of a word.
fn words<'t>(text: &'t [u8], at: &Range<usize>) -> impl Iterator<Item = Range<usize>> + use<'t> {
    let (mut at, end) = (at.start, at.end);
    let is_inside = move |at: usize| is_word(text[at]) || text[at] == b'-' && at + 1 < end && is_word(text[at + 1]);
    std::iter::from_fn(move || {
        let start = (at..end).find(|at| is_word(text[*at]))?;
        at = (start..end).find(|at| !is_inside(*at)).unwrap_or(end);
        Some(start..at)
    })
}

/// Returns the words of a line, and what their hyphens separate.
fn words_and_parts<'t>(text: &'t [u8], at: &Range<usize>) -> impl Iterator<Item = Range<usize>> + use<'t> {
    words(text, at).flat_map(|word| {
        let mut start = word.start;
        let parts = text[word.clone()].split(|byte| *byte == b'-').map(|part| {
            let from = start;
            start += part.len() + 1;
            from..from + part.len()
        });
        let parts: Vec<Range<usize>> = parts.collect();
        let others = if parts.len() > 1 { parts } else { vec![] };
        std::iter::once(word).chain(others)
    })
}

fn range(at: &Range<usize>) -> Range<u32> {
    at.start as u32..at.end as u32
}
