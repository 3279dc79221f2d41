//! What the things of a table consist of, learned from all of them together: after some bytes a number and so many bytes, or things of two, four or eight
//! bytes, and so on, up to where each thing ends.

use super::{Chunks, LENGTHS, number};
use reduct_input::ByteOrder;
use std::ops::Range;

/// How many bytes may stand before the first number, between two, and behind the last data.
const FIRST: usize = 24;
const BETWEEN: usize = 8;
const LAST: usize = 8;

/// How long the things are that a number counts.
const UNITS: [usize; 4] = [1, 4, 2, 8];

/// So many numbers a thing has at most.
const DEEPEST: usize = 4;

/// So many things show what they are like, and so many different lengths have to.
const SHOWN: usize = 48;
const LEAST: usize = 4;

/// So many forms of beginnings are gone into at most.
const FORMS: usize = 4000;

/// A number, and what it counts.
#[derive(Clone, Copy)]
struct Counted {
    /// How many bytes are before the number.
    before: usize,
    width: usize,
    order: ByteOrder,
    unit: usize,
}

/// What things consist of.
pub(super) struct Fields {
    all: Vec<Counted>,
    last: usize,
}

/// A beginning of things that all these numbers fit, with where it ends in each of them.
struct Beginning {
    all: Vec<Counted>,
    ends: Vec<usize>,
}

impl Fields {
    /// Returns what these things consist of, if that is found.
    pub fn of(text: &[u8], things: &[Range<usize>]) -> Option<Fields> {
        let every = (things.len() / SHOWN).max(1);
        let shown: Vec<&Range<usize>> =
            things.iter().step_by(every).filter(|thing| !thing.is_empty()).take(SHOWN).collect();
        let mut lengths: Vec<usize> = shown.iter().map(|thing| thing.len()).collect();
        lengths.sort_unstable();
        lengths.dedup();
        if lengths.len() < LEAST {
            return None;
        }
        let mut beginnings = vec![Beginning { all: vec![], ends: shown.iter().map(|thing| thing.start).collect() }];
        for _ in 0..DEEPEST {
            let further = further(text, &shown, &beginnings);
            if let Some(fields) =
                further.iter().filter_map(|beginning| beginning.whole(&shown)).min_by_key(Fields::cost)
            {
                return fields.fits_most(text, things).then_some(fields);
            }
            beginnings = further;
        }
        None
    }

    /// Returns how much is not said by numbers, and how narrow these are: of forms with as many numbers the likeliest has the least.
    fn cost(&self) -> (usize, usize) {
        let width: usize = self.all.iter().map(|counted| counted.width).sum();
        (self.all.iter().map(|counted| counted.before).sum::<usize>() + self.last, DEEPEST * 8 - width)
    }

    fn fits_most(&self, text: &[u8], things: &[Range<usize>]) -> bool {
        let fitting = things.iter().filter(|thing| thing.is_empty() || self.in_thing(text, thing).is_some()).count();
        fitting * 10 >= things.len() * 9
    }

    /// Returns the numbers of a thing, and the data that they count. `None` if it consists of something else.
    pub fn in_thing(&self, text: &[u8], thing: &Range<usize>) -> Option<Vec<(Range<usize>, Range<usize>)>> {
        let mut at = thing.start;
        let mut found = vec![];
        for counted in &self.all {
            let data = counted.after(text, at, thing.end)?;
            let field = at + counted.before..at + counted.before + counted.width;
            at = data.end;
            found.push((field, data));
        }
        (at + self.last == thing.end).then_some(found)
    }

    /// Adds what is in a thing, from a level on: `false` if it consists of something else.
    pub fn add(&self, text: &[u8], thing: &Range<usize>, level: usize, found: &mut Chunks) -> bool {
        let Some(fields) = self.in_thing(text, thing) else { return false };
        for ((field, data), counted) in fields.into_iter().zip(&self.all) {
            found.size(field, counted.order, data.clone(), counted.unit);
            found.part(level, data.clone());
            found.contents(data, counted.unit);
        }
        true
    }
}

impl Counted {
    /// Returns the data behind a place, if it ends in time.
    fn after(&self, text: &[u8], at: usize, end: usize) -> Option<Range<usize>> {
        let field = at + self.before..at + self.before + self.width;
        if field.end > end {
            return None;
        }
        let length = number(text, field.clone(), self.order)?.checked_mul(self.unit)?;
        let data = field.end..field.end.checked_add(length)?;
        (data.end <= end).then_some(data)
    }
}

impl Beginning {
    /// Returns it as the form of whole things, if it leaves as many bytes of each.
    fn whole(&self, shown: &[&Range<usize>]) -> Option<Fields> {
        let last = shown.first()?.end - self.ends.first()?;
        let is_same = shown.iter().zip(&self.ends).all(|(thing, end)| thing.end - end == last);
        (last <= LAST && is_same).then(|| Fields { all: self.all.clone(), last })
    }
}

/// Returns the beginnings that are one number longer.
fn further(text: &[u8], shown: &[&Range<usize>], beginnings: &[Beginning]) -> Vec<Beginning> {
    let mut further = vec![];
    for Beginning { all, ends } in beginnings {
        let most = if all.is_empty() { FIRST } else { BETWEEN };
        for before in 0..=most {
            for (width, order) in LENGTHS {
                for unit in UNITS {
                    let counted = Counted { before, width, order, unit };
                    let data = ends.iter().zip(shown).map(|(at, thing)| counted.after(text, *at, thing.end));
                    let Some(data) = data.collect::<Option<Vec<Range<usize>>>>() else { continue };
                    // A number that counts the same in all may be anything.
                    let varies = data.iter().any(|one| one.len() != data[0].len());
                    if !varies || further.len() >= FORMS {
                        continue;
                    }
                    let all = all.iter().copied().chain([counted]).collect();
                    further.push(Beginning { all, ends: data.into_iter().map(|one| one.end).collect() });
                }
            }
        }
    }
    further
}
