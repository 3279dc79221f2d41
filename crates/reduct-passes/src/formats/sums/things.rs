//! Sums over single things of a table, in each of them or in its row.

use super::super::{Chunks, Thing};
use super::{LEAST, TAIL, WIDTH};
use reduct_input::ByteOrder;
use reduct_input::ByteOrder::{Big, Little};
use reduct_input::Sum;
use std::ops::Range;

/// The sums that are tried: in a short thing a plain sum may be any number.
const SUMS: [Sum; 3] = [Sum::Crc32, Sum::Adler, Sum::Crc32c];

/// How many bytes of a thing may be before its sum, or before what that is over.
const HEAD: usize = 32;

/// So many things show what the sum is, and so many have to.
const SHOWN: usize = 16;
const AGREE: usize = 4;

/// Of longer things none is tried.
const LONGEST: usize = 1 << 16;

/// Where the sum of a thing stands.
#[derive(Clone, Copy)]
enum Place {
    /// So many bytes behind where its row begins.
    Row(usize),
    /// So many bytes behind where it begins.
    Start(usize),
    /// So many bytes before where it ends.
    End(usize),
}

/// What a sum is over.
#[derive(Clone, Copy)]
enum Over {
    /// What is between so many first and last bytes.
    Between(usize, usize),
    /// Data that was found in it, with this number.
    Data(usize),
}

/// What the sums of things are like.
#[derive(Clone, Copy)]
struct Form {
    place: Place,
    order: ByteOrder,
    sum: Sum,
    over: Over,
}

/// Adds the sums that most things have.
pub(super) fn chunks(text: &[u8], found: &mut Chunks) {
    let things = std::mem::take(&mut found.things);
    let shown: Vec<&Thing> =
        things.iter().filter(|thing| (LEAST..LONGEST).contains(&thing.at.len())).take(SHOWN).collect();
    let Some(form) = (shown.len() >= AGREE).then(|| form(text, &shown)).flatten() else { return };
    for thing in &things {
        if let Some((field, of)) = form.place.of(thing).zip(form.over.of(thing)) {
            found.check(text, field, form.order, form.sum, of);
        }
    }
}

/// Returns the form that fits nearly all of these things.
fn form(text: &[u8], shown: &[&Thing]) -> Option<Form> {
    // The first one may be another one than the others.
    let mut forms = shown.iter().take(AGREE).flat_map(|thing| forms(text, thing));
    forms.find(|form| {
        let fits = shown.iter().filter(|thing| form.fits(text, thing)).count();
        fits >= AGREE && fits * 4 >= shown.len() * 3
    })
}

/// Returns the forms that fit a thing.
fn forms(text: &[u8], thing: &Thing) -> Vec<Form> {
    let in_row = thing.row.iter().flat_map(|row| (0..(row.len() + 1).saturating_sub(WIDTH)).map(Place::Row));
    let places: Vec<Place> = in_row.chain((0..=HEAD).map(Place::Start)).chain((WIDTH..=TAIL).map(Place::End)).collect();
    let data = (0..thing.data.len()).map(Over::Data);
    let between = (0..=HEAD + WIDTH).flat_map(|start| [0, WIDTH].map(|end| Over::Between(start, end)));
    let regions: Vec<Over> = data.chain(between).collect();
    let mut forms = vec![];
    for sum in SUMS {
        for over in &regions {
            let Some(of) = over.of(thing).filter(|of| of.len() >= LEAST) else { continue };
            let whole = sum.of(&text[of.clone()]);
            for place in &places {
                let Some(field) = place.of(thing) else { continue };
                let is_apart = field.end <= of.start || of.end <= field.start;
                let is_held = |order: &ByteOrder| is_apart && order.read(&text[field.clone()]) == Some(whole);
                let orders = [Little, Big].into_iter().filter(is_held);
                forms.extend(orders.map(|order| Form { place: *place, order, sum, over: *over }));
            }
        }
    }
    forms
}

impl Form {
    fn fits(&self, text: &[u8], thing: &Thing) -> bool {
        let Some((field, of)) = self.place.of(thing).zip(self.over.of(thing)) else { return false };
        self.order.read(&text[field]) == Some(self.sum.of(&text[of]))
    }
}

impl Place {
    /// Returns the field of a thing, if it has one.
    fn of(self, thing: &Thing) -> Option<Range<usize>> {
        let (start, within) = match self {
            Place::Row(at) => (thing.row.as_ref()?.start + at, thing.row.as_ref()?),
            Place::Start(at) => (thing.at.start + at, &thing.at),
            Place::End(at) => (thing.at.end.checked_sub(at)?, &thing.at),
        };
        let field = start..start + WIDTH;
        (within.start <= field.start && field.end <= within.end).then_some(field)
    }
}

impl Over {
    /// Returns what the sum of a thing is over.
    fn of(self, thing: &Thing) -> Option<Range<usize>> {
        match self {
            Over::Between(start, end) => {
                let of = thing.at.start + start..thing.at.end.checked_sub(end)?;
                (of.start <= of.end).then_some(of)
            }
            Over::Data(number) => thing.data.get(number).cloned(),
        }
    }
}
