//! Mending: what a file says of itself, kept true when parts of it go.
//!
//! A field holds how many bytes, or things of one size, there are in a region; or where something stands,
//! which is how many bytes are before it; or a sum over a region. When parts go, a field that stays is
//! lowered by what went of its region, and sums are made anew. What a field held before need not have been
//! true: a length that lied by three lies by three afterwards.

mod amount;
mod joined;
mod nested;
mod places;
mod sum;

pub use amount::{Addend, Amount};
pub use sum::Sum;

use crate::artifact::Artifact;
use crate::edit::Splice;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// A field that depends on what goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mend {
    /// Its addresses.
    pub at: Range<u32>,
    /// How its bytes make a number.
    pub order: ByteOrder,
    /// What the number is.
    pub holds: FieldValue,
}

/// How bytes make a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByteOrder {
    /// The most significant byte first.
    Big,
    /// The least significant byte first.
    Little,
    /// Seven bits a byte, the least significant first, all bytes but the last with their high bit set
    /// (LEB128). A number that gets smaller keeps its bytes.
    Sevens,
    /// The lowest bits of a byte, so many of them. The others stay.
    Low(u8),
    /// Digits of base eight, as in tar: blanks may stand before them, and zeros or blanks end them. A number that is written anew keeps what ends it, and
    /// has zeros in the place of blanks.
    Octal,
    /// Digits of base ten, as in a text: as many as the number takes.
    Decimal,
    /// Digits of base sixteen, as in a text: as many as the number takes, and as many as there were if zeros stand before it. Letters are
    /// small ones unless there is a capital one.
    Hex,
    /// Digits of base ten, as many as there were, with zeros before the number.
    Digits,
}

impl ByteOrder {
    /// Returns the number in a field. `None` if it is too long for one.
    #[inline]
    pub fn read(self, field: &[u8]) -> Option<u64> {
        let join = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
        match self {
            ByteOrder::Decimal | ByteOrder::Digits => std::str::from_utf8(field).ok()?.parse().ok(),
            ByteOrder::Hex => u64::from_str_radix(std::str::from_utf8(field).ok()?, 16).ok(),
            ByteOrder::Octal => {
                let (digits, _) = octal(field);
                let start = digits.iter().position(|byte| *byte != b' ')?;
                let digit = |byte: &u8| (b'0'..=b'7').contains(byte).then(|| u64::from(byte - b'0'));
                digits[start..].iter().try_fold(0u64, |number, byte| number.checked_mul(8)?.checked_add(digit(byte)?))
            }
            ByteOrder::Low(bits) => field.first().map(|byte| u64::from(byte & lowest(bits))),
            _ if field.len() > 8 => None,
            ByteOrder::Big => Some(field.iter().fold(0, join)),
            ByteOrder::Little => Some(field.iter().rev().fold(0, join)),
            ByteOrder::Sevens => Some(field.iter().rev().fold(0, |number, byte| number << 7 | u64::from(byte & 0x7f))),
        }
    }
}

/// Returns a byte with so many of its lowest bits set.
fn lowest(bits: u8) -> u8 {
    u8::MAX.checked_shr(8_u32.saturating_sub(bits.into())).unwrap_or(0)
}

/// Returns a field of base eight without what ends it, and that.
fn octal(field: &[u8]) -> (&[u8], &[u8]) {
    let ends = field.iter().rev().take_while(|byte| matches!(byte, 0 | b' ')).count();
    field.split_at(field.len() - ends)
}

/// What a number is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldValue {
    /// It falls by one for each so many bytes that go from these addresses: a length with a unit of 1, a
    /// count of things of one size, an offset with all from its zero to its target.
    Size {
        /// Of which addresses.
        of: Range<u32>,
        /// How many bytes make one.
        unit: u32,
    },
    /// Where something stands in a text whose numbers take as many digits as they need: it falls by what goes from these addresses, and by
    /// the digits that fields in there lose.
    Place {
        /// Which addresses are before it.
        of: Range<u32>,
    },
    /// How many of the things that start at these addresses are there.
    Count {
        /// Where they start, in ascending order.
        of: Arc<[u32]>,
    },
    /// Which of the things that start at these addresses it names, by a number: it falls by one for each of the first ones that goes.
    Index {
        /// Where they start, in the order in which they are counted.
        of: Arc<[u32]>,
        /// How many of them are before the one that it names.
        before: usize,
    },
    /// At which place among the things that start at these addresses the one stands that it names, from 0. Where that goes, it names the next one that is
    /// left, or else the last one.
    Position {
        /// Where they start, in the order in which they are counted.
        of: Arc<[u32]>,
        /// How many of them are before the one that it names.
        before: usize,
    },
    /// Where the first thing of a chain from here on stands that is still there, 0 if none is.
    Next {
        /// Where all things of the chain start, counted from `zero`.
        of: Arc<[u32]>,
        /// The first that it may be.
        from: usize,
        /// The address that it is counted from.
        zero: u32,
    },
    /// How many bytes there are in one of some stretches; and in those behind it, as far as what stands between them goes.
    Joined {
        /// Where each stretch begins, and where it ends, in turn.
        of: Arc<[u32]>,
        /// Which one it is.
        own: usize,
    },
    /// The sum of these numbers, in digits of base ten that may have a point among them.
    Total {
        /// The numbers, in the order of their addresses.
        of: Arc<[Addend]>,
    },
    /// A sum over what is at these addresses.
    Check {
        /// Which one.
        sum: Sum,
        /// Over what.
        of: Range<u32>,
    },
}

/// Returns the changes that remove `gone` and write `written`, and keep the fields true over which nothing is written. Both
/// ascend and are disjoint.
pub(crate) fn mended(base: &Artifact, gone: &[Range<u32>], written: Vec<Splice>, mends: &[Mend]) -> Vec<Splice> {
    let removed = Removed::new(gone);
    let mut splices: Vec<Splice> = gone.iter().map(|at| Splice { at: at.clone(), with: Arc::new([]) }).collect();
    let places: Vec<Range<u32>> = written.iter().map(|splice| splice.at.clone()).collect();
    let overwritten = Removed::new(&places);
    let present = || mends.iter().filter(|mend| removed.within(&mend.at) == 0 && overwritten.within(&mend.at) == 0);
    let mut counted = Counted::default();
    splices.extend(present().filter_map(|mend| number(base, &removed, mend, &mut counted)));
    let mut totals = amount::Totals::default();
    splices.extend(present().filter_map(|mend| {
        let FieldValue::Total { of } = &mend.holds else { return None };
        let with = totals.left(|at| removed.has(at), of, base.slice(mend.at.clone()))?;
        Some(Splice { at: mend.at.clone(), with: with.into() })
    }));
    splices.extend(written);
    splices.sort_by_key(|splice| splice.at.start);
    let places = places::mended(base, &splices, present());
    if !places.is_empty() {
        splices.extend(places);
        splices.sort_by_key(|splice| splice.at.start);
    }
    let sums = present().filter(|mend| matches!(mend.holds, FieldValue::Check { .. })).collect();
    for sums in nested::inner_first(sums) {
        let sums: Vec<Splice> = sums.into_iter().filter_map(|mend| check(base, &splices, mend)).collect();
        if !sums.is_empty() {
            splices.extend(sums);
            splices.sort_by_key(|splice| splice.at.start);
        }
    }
    splices
}

/// What goes, with how much goes before each.
struct Removed<'a> {
    gone: &'a [Range<u32>],
    before: Vec<u32>,
}

impl Removed<'_> {
    fn new(gone: &[Range<u32>]) -> Removed<'_> {
        let total = |sum: &mut u32, range: &Range<u32>| {
            let before = *sum;
            *sum += range.end - range.start;
            Some(before)
        };
        Removed { gone, before: gone.iter().scan(0, total).collect() }
    }

    fn up_to(&self, address: u32) -> u32 {
        match self.gone.partition_point(|range| range.start < address).checked_sub(1) {
            Some(last) => self.before[last] + self.gone[last].end.min(address) - self.gone[last].start,
            None => 0,
        }
    }

    fn within(&self, range: &Range<u32>) -> u32 {
        self.up_to(range.end) - self.up_to(range.start.min(range.end))
    }

    fn has(&self, address: u32) -> bool {
        self.within(&(address..address.saturating_add(1))) > 0
    }
}

/// By list of things, how many of its first things go, for each number of them: many fields share a list.
#[derive(Default)]
struct Counted(BTreeMap<*const u32, Vec<u32>>);

impl Counted {
    fn gone(&mut self, removed: &Removed, of: &[u32], first: usize) -> u32 {
        let counts = self.0.entry(of.as_ptr()).or_insert_with(|| {
            let mut gone = 0;
            let add = |start: &u32| {
                gone += u32::from(removed.has(*start));
                gone
            };
            std::iter::once(0).chain(of.iter().map(add)).collect()
        });
        counts.get(first).or(counts.last()).copied().unwrap_or(0)
    }
}

/// Returns the new number of a field that is no sum, if it is another.
fn number(base: &Artifact, removed: &Removed, mend: &Mend, counted: &mut Counted) -> Option<Splice> {
    let old = mend.order.read(base.slice(mend.at.clone()))?;
    let new = match &mend.holds {
        FieldValue::Size { of, unit } => old.saturating_sub(u64::from(removed.within(of) / unit.max(&1))),
        FieldValue::Count { of } => old.saturating_sub(counted.gone(removed, of, of.len()).into()),
        FieldValue::Index { of, before } => old.saturating_sub(counted.gone(removed, of, *before).into()),
        FieldValue::Position { of, before } => {
            let left = of.len() as u64 - u64::from(counted.gone(removed, of, of.len()));
            let place = old.saturating_sub(counted.gone(removed, of, *before).into());
            if left == 0 { old } else { place.min(left - 1) }
        }
        FieldValue::Next { of, from, zero } => {
            // A field that stays passes over what went between itself and the next; the fields in there
            // went too, so that all fields of a chain together are linear.
            let next = of.iter().skip(*from).map(|start| *zero..zero + start).find(|way| !removed.has(way.end));
            next.map_or(0, |way| u64::from(way.end - way.start - removed.within(&way)))
        }
        FieldValue::Joined { of, own } => joined::length(removed, of.get(2 * own..)?, old),
        FieldValue::Place { .. } | FieldValue::Total { .. } | FieldValue::Check { .. } => return None,
    };
    (new != old)
        .then(|| Splice { at: mend.at.clone(), with: write(new, base.slice(mend.at.clone()), mend.order).into() })
}

/// Returns the new sum of a field that is one, if its region has changed.
fn check(base: &Artifact, splices: &[Splice], mend: &Mend) -> Option<Splice> {
    let FieldValue::Check { sum, of } = &mend.holds else { return None };
    let first = splices.partition_point(|splice| splice.at.end <= of.start);
    let last = splices.partition_point(|splice| splice.at.start < of.end);
    if first >= last {
        return None;
    }
    let mut state = sum.start();
    let mut at = of.start;
    let mut add = |range: Range<u32>, with: &[u8]| {
        if range.start < range.end {
            state = sum.add(state, base.slice(range));
        }
        state = sum.add(state, with);
    };
    // The field of a sum is never among the changes yet: it counts as zeros where it is in its own region.
    let zeros = vec![0; mend.at.len()];
    let own = Splice { at: mend.at.clone(), with: zeros.into() };
    let mut own = (of.start <= mend.at.start && mend.at.end <= of.end).then_some(&own).into_iter().peekable();
    for splice in &splices[first..last] {
        while let Some(field) = own.next_if(|field| field.at.start < splice.at.start) {
            add(at..field.at.start, &field.with);
            at = field.at.end;
        }
        add(at..splice.at.start.max(at), &splice.with);
        at = splice.at.end;
    }
    for field in own {
        add(at..field.at.start, &field.with);
        at = field.at.end;
    }
    add(at..of.end.max(at), b"");
    Some(Splice { at: mend.at.clone(), with: write(sum.end(state), base.slice(mend.at.clone()), mend.order).into() })
}

/// Returns a field with another number, which is as long as what it held unless that is a text. Its high digits are lost if it is too short for it.
fn write(number: u64, field: &[u8], order: ByteOrder) -> Vec<u8> {
    let width = field.len();
    let byte = |at: usize| number.checked_shr(8 * at as u32).unwrap_or(0) as u8;
    let seven = |at: usize| number.checked_shr(7 * at as u32).unwrap_or(0) as u8 & 0x7f;
    match order {
        ByteOrder::Decimal => number.to_string().into_bytes(),
        ByteOrder::Hex => {
            let width = if field.starts_with(b"0") { width } else { 0 };
            let digits = format!("{number:0width$x}").into_bytes();
            if field.iter().any(u8::is_ascii_uppercase) { digits.to_ascii_uppercase() } else { digits }
        }
        ByteOrder::Digits => {
            let digits = format!("{number:0width$}").into_bytes();
            digits[digits.len() - width..].to_vec()
        }
        ByteOrder::Big => (0..width).rev().map(byte).collect(),
        ByteOrder::Little => (0..width).map(byte).collect(),
        ByteOrder::Low(bits) => field.iter().map(|old| old & !lowest(bits) | number as u8 & lowest(bits)).collect(),
        ByteOrder::Octal => {
            let (digits, ends) = octal(field);
            let (needed, room) = (format!("{number:o}"), digits.len());
            let width = needed.len().clamp(room, width);
            let digits = format!("{number:0width$o}");
            [&digits.as_bytes()[digits.len() - width..], &ends[width - room..]].concat()
        }
        ByteOrder::Sevens => (0..width).map(|at| seven(at) | if at + 1 < width { 0x80 } else { 0 }).collect(),
    }
}
