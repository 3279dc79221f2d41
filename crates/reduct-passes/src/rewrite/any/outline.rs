//! Removes a section of a text that no grammar reads with the lines that name it.
//!
//! ## What it tries
//! A section is a line that begins it, its head, and what stands below up to the next one. Heads are lines that begin alike, as `BEGIN:VEVENT`,
//! `diff --git` or `\section`; lines after a blank one; lines with deeper indented ones below. For each of the few ways to cut the text so, each section, with each
//! line that has the name in its head, or the name alone in a line that has many; with the sections that the line is a head of, and with those of
//! which nothing else is left. A number that says how many sections there are follows, and so do numbers in heads that count them. At last, all
//! lines that begin alike. Comments, texts in quotes and decorators right above a head are part of its section.
//!
//! ## When it helps
//! Where a text is of a language without a grammar here: what reads it wants whole sections, and what is named to be there.
//!
//! ## Before
//! ```text
//! count 6
//!
//! part cellar
//!   is dark
//!
//! part garden
//!   is large
//!
//! part roof
//!   is high
//!   above garden
//!
//! part tower
//!   is old
//!
//! part gate
//!   is open
//!
//! part bridge
//!   is long
//! ```
//! ## After
//! ```text
//! count 5
//!
//! part cellar
//!   is dark
//!
//! part roof
//!   is high
//!
//! part tower
//!   is old
//!
//! part gate
//!   is open
//!
//! part bridge
//!   is long
//! ```

pub(super) mod cuts;
pub(super) mod lines;
mod mentions;
pub(super) mod notes;

use crate::pass::{Needs, Pass, Proposals};
use crate::text::item;
use cuts::Cut;
use lines::Line;
use mentions::Mentions;
use reduct_input::parts::{Emptied, ItemSets};
use reduct_input::{ByteOrder, FieldValue, Item, Mend, Spans, Subject, is_binary};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

pub(crate) const PASS: Pass = Pass {
    needs: Needs::Text,
    ..Pass::rewriting("outline", "removes a section of a text with the lines that name it", 0.5, propose)
        .of_at_least(WORTH_IT)
        .cutting_anew()
};

/// Of shorter texts all lines are soon asked about one by one.
const WORTH_IT: usize = 2 << 10;

/// What is smaller is looked at if it is one part of the input in so many, or more.
const SHARE: usize = 8;

/// Fewer lines that begin alike are soon asked about by others.
const MANY: usize = 16;

/// So many sets of these are asked about, the largest.
const SETS: usize = 16;

/// So many texts are looked at for one that can be cut.
const TEXTS: usize = 8;

/// Takes the largest text that can be cut. Of others and of other files, lines that name its sections stay.
fn propose(subject: &Subject) -> Proposals {
    let whole = subject.artifact().bytes().len();
    let is_large = |region: &Range<u32>| region.len() >= WORTH_IT || region.len() * SHARE >= whole;
    let mut regions = subject.unparsed();
    regions.retain(|region| is_large(region) && !is_binary(subject.text(region.clone())));
    regions.sort_by_key(|region| Reverse(region.len()));
    let cut = |region: &Range<u32>| {
        let text = subject.text(region.clone());
        let lines = lines::of(text);
        let cuts = cuts::all(text, &lines);
        let sections = cuts.iter().filter_map(|cut| sets(text, region.start, &lines, cut));
        sections.chain(alike(region.start, &lines)).collect::<Vec<_>>()
    };
    regions.iter().take(TEXTS).map(cut).find(|levels| !levels.is_empty()).unwrap_or_default()
}

/// Returns the sections of a cut, each with what goes with it.
fn sets(text: &[u8], start: u32, lines: &[Line], cut: &Cut) -> Option<Spans> {
    let mentions = Mentions::new(text, lines, cut);
    let mut sets: Vec<Vec<u32>> = (0..cut.sections.len()).map(|section| mentions.of(section)).collect();
    let mut mends = vec![];
    // What describes a section may go without it.
    let starts: Arc<[u32]> = cut.heads.iter().map(|head| start + lines[*head].at.start as u32).collect();
    let first = cut.sections.first()?.start;
    // How many sections there are may be said before them.
    for line in &lines[first.saturating_sub(lines::FIRST)..first] {
        let counts = lines::numbers(text, line).filter(|(_, number)| *number == sets.len() as u64);
        mends.extend(counts.map(|(at, _)| mend(start, at, FieldValue::Count { of: starts.clone() })));
    }
    // A section may begin with its number.
    let own = |head: &usize| lines::numbers(text, &lines[*head]).next();
    let numbers: Option<Vec<_>> = cut.heads.iter().map(own).collect();
    // Other rows of numbers are years or the like. What stands before the first blank line may have a number, too.
    let in_order = |numbers: &Vec<(Range<usize>, u64)>| {
        numbers[0].1 <= 2 && numbers.windows(2).all(|pair| pair[0].1.checked_add(1) == Some(pair[1].1))
    };
    for (before, (at, _)) in numbers.filter(in_order).into_iter().flatten().enumerate() {
        mends.push(mend(start, at, FieldValue::Index { of: starts.clone(), before }));
    }
    mends.sort_by_key(|mend| mend.at.start);
    sets.iter_mut().for_each(|set| set.sort_unstable());
    let items: Arc<[Item]> = mentions.pieces.iter().map(|at| item(start, at)).collect();
    let sets: Arc<[Arc<[u32]>]> = sets.into_iter().map(Arc::from).collect();
    let emptied = (0..sets.len()).filter_map(|section| {
        let parts: Arc<[u32]> = mentions.inside(lines, section).into();
        (!parts.is_empty()).then_some(Emptied { parts, set: section as u32 })
    });
    Some(ItemSets { items, emptied: emptied.collect(), sets, mends: mends.into() }.into())
}

/// Returns lines that begin alike, and have nothing below them, as one set each; the largest, which is asked about first, at the end.
fn alike(start: u32, lines: &[Line]) -> Option<Spans> {
    let mut by_key: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (at, line) in lines.iter().enumerate() {
        let next = lines[at + 1..].iter().find_map(|line| line.indent);
        if line.indent.is_some() && !line.ends && next.is_none_or(|next| Some(next) <= line.indent) {
            by_key.entry(line.begins).or_default().push(at as u32);
        }
    }
    let mut sets: Vec<Vec<u32>> = by_key.into_values().filter(|set| set.len() >= MANY).collect();
    sets.sort_by_key(|set| set.iter().map(|at| lines[*at as usize].at.len()).sum::<usize>());
    let sets: Arc<[Arc<[u32]>]> = sets.split_off(sets.len().saturating_sub(SETS)).into_iter().map(Arc::from).collect();
    let items = lines.iter().map(|line| item(start, &line.at)).collect();
    (!sets.is_empty()).then(|| ItemSets { items, sets, mends: [].into(), emptied: [].into() }.into())
}

fn mend(start: u32, at: Range<usize>, holds: FieldValue) -> Mend {
    Mend { at: start + at.start as u32..start + at.end as u32, order: ByteOrder::Decimal, holds }
}
