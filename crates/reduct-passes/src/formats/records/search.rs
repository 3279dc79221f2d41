//! Looks for records that fill a text up to its end.
//!
//! From the place of the first length follow those of all others, and from where the last one leads to how much of a record is before its length. So few
//! forms are walked. That a walk ends where the text does is so by chance in one of some dozens; that all lengths on it are as short is not, if numbers
//! elsewhere in the text are seldom so.

use super::super::{LENGTHS, number};
use super::{FIRST, count_of, size_of_all};
use reduct_input::ByteOrder;

/// How long the head of a record is at most.
const LONGEST_HEAD: usize = 32;

/// Records begin at multiples of these from the first one.
const UNITS: [usize; 4] = [1, 2, 4, 8];

/// How many lengths are looked at, all together.
const LOOKS: usize = 1 << 22;

/// At so many places at most is looked whether numbers are like lengths.
const SAMPLES: usize = 1 << 14;

/// Lengths of one byte are in a range that is narrower.
const WIDEST_BYTES: usize = 1 << 7;

/// In rows of numbers those of one column are alike. So places are told apart by what is left over of them when they are divided by this.
const PHASES: usize = 4;

/// Records are no chance if it is one in two to the power of this that others are as they are: some hundred thousand walks are made.
const LIKELY: f64 = 28.0;

/// The same if the size of the file stands before them.
const LIKELY_WITH_SIZE: f64 = 14.0;

/// How lengths lead from one to the next.
#[derive(Clone, Copy)]
pub(super) struct Form {
    pub(super) width: usize,
    pub(super) order: ByteOrder,
    /// How long what the length does not count is: the head, or nothing if it counts that, too.
    outside: usize,
    /// Of which number a record is a multiple long.
    pub(super) unit: usize,
}

/// Records that fill a text up to its end.
pub(super) struct Records {
    pub(super) form: Form,
    /// How many bytes of a record are before its length.
    pub(super) at: usize,
    /// Where they start.
    pub(super) starts: Vec<usize>,
    end: usize,
}

impl Records {
    /// Returns how long the head of a record is: up to its length if the length counts it, too.
    pub(super) fn head(&self) -> usize {
        if self.form.outside == 0 { self.at + self.form.width } else { self.form.outside }
    }

    /// Returns where each starts and ends.
    pub(super) fn bounds(&self) -> impl Iterator<Item = (usize, usize)> {
        self.starts.iter().copied().zip(self.starts.iter().skip(1).copied().chain([self.end]))
    }
}

/// What was seen on a walk from length to length.
struct Walk {
    form: Form,
    /// Where the first length stands.
    first: usize,
    /// How many bytes of a record are before its length.
    at: usize,
    count: usize,
    /// The lowest and the highest length.
    lengths: (usize, usize),
}

/// Returns the records that most speaks for, if there are some: those before which their number and the size of the file stand, then those with the widest
/// lengths, if others are not twice as many, then those of which there are most.
pub(super) fn likeliest(text: &[u8]) -> Option<Records> {
    let mut looks = LOOKS;
    let mut best: Option<(Rank, Walk)> = None;
    for (width, order) in LENGTHS {
        for unit in UNITS {
            for outside in std::iter::once(0).chain(width..=LONGEST_HEAD) {
                let form = Form { width, order, outside, unit };
                for first in 0..(FIRST + LONGEST_HEAD).min(text.len()) {
                    let Some(walk) = walk(text, form, first, &mut looks) else { continue };
                    let rank = walk.rank(text);
                    if best.as_ref().is_none_or(|(other, _)| rank.is_above(other)) && walk.is_likely(text, &rank) {
                        best = Some((rank, walk));
                    }
                }
            }
        }
    }
    best.map(|(_, walk)| walk.records(text))
}

/// What speaks for one walk more than for another.
struct Rank {
    is_counted: bool,
    has_size: bool,
    width: usize,
    count: usize,
}

impl Rank {
    fn is_above(&self, other: &Rank) -> bool {
        let told = |rank: &Rank| u8::from(rank.is_counted) + u8::from(rank.has_size);
        let is_more = if self.width < other.width { self.count / 2 > other.count } else { self.count > other.count };
        told(self) > told(other) || told(self) == told(other) && is_more
    }
}

/// Returns what is seen on the walk from a first length, if that ends where the text does.
fn walk(text: &[u8], form: Form, first: usize, looks: &mut usize) -> Option<Walk> {
    let (mut place, mut count, mut empty, mut inside) = (first, 0, 0, 0);
    let mut lengths = (usize::MAX, 0);
    while place < text.len() {
        let (length, next) = form.next(text, place).filter(|(_, next)| *next <= text.len() + LONGEST_HEAD)?;
        *looks = looks.checked_sub(1)?;
        count += 1;
        empty += usize::from(length == 0);
        inside += length;
        lengths = (lengths.0.min(length), lengths.1.max(length));
        place = next;
    }
    let at = place - text.len();
    let shortest_head = at + form.width;
    let is_head = if form.outside == 0 { shortest_head <= lengths.0 } else { shortest_head <= form.outside };
    let start = first.checked_sub(at).filter(|start| is_head && *start <= FIRST)?;
    // Zeros are a row of empty things.
    let is_full = empty * 2 <= count && inside * 4 >= text.len() - start;
    // Of most bytes of any file a range of so many is nothing special.
    let is_narrow = form.width > 1 || lengths.1 - lengths.0 < WIDEST_BYTES;
    (is_full && is_narrow && count > 1).then_some(Walk { form, first, at, count, lengths })
}

impl Form {
    /// Returns the length at a place, and where the next one stands.
    fn next(&self, text: &[u8], place: usize) -> Option<(usize, usize)> {
        let length = number(text, place..place + self.width, self.order)?;
        let whole = length.checked_add(self.outside).filter(|whole| *whole >= self.width)?;
        Some((length, place.checked_add(whole.checked_next_multiple_of(self.unit)?)?))
    }
}

impl Walk {
    fn rank(&self, text: &[u8]) -> Rank {
        let start = self.first - self.at;
        let is_counted = count_of(text, start, self.count).is_some();
        Rank { is_counted, has_size: size_of_all(text, start).is_some(), width: self.form.width, count: self.count }
    }

    /// Returns whether it is no chance that the records are there.
    fn is_likely(&self, text: &[u8], rank: &Rank) -> bool {
        let count = self.count as f64;
        let ends_there = (text.len() as f64 / count / LONGEST_HEAD as f64).log2().max(0.0);
        let counted = if rank.is_counted { count.log2() } else { 0.0 };
        // Of some numbers without order, two are the lowest and the highest, and the others are between these.
        let short = (count - 1.0) * self.surprise(text) - count.log2();
        ends_there + counted + short >= if rank.has_size { LIKELY_WITH_SIZE } else { LIKELY }
    }

    /// Returns how much it says, in bits, that one length is no higher and no lower than those of all records.
    fn surprise(&self, text: &[u8]) -> f64 {
        // Not divided by two, so that all phases come in turn.
        let step = (text.len() / SAMPLES) | 1;
        let (mut own, mut hits, mut samples) = (self.first, [0; PHASES], [0; PHASES]);
        for place in (0..(text.len() + 1).saturating_sub(self.form.width)).step_by(step) {
            while let Some((_, next)) = self.form.next(text, own).filter(|_| own < place) {
                own = next;
            }
            if own == place {
                continue;
            }
            let phase = place % PHASES;
            let value = number(text, place..place + self.form.width, self.form.order);
            samples[phase] += 1;
            hits[phase] += i32::from(value.is_some_and(|value| (self.lengths.0..=self.lengths.1).contains(&value)));
        }
        if hits.iter().all(|hits| *hits == 0) {
            return f64::from(samples.iter().sum::<i32>().max(1)).log2();
        }
        let share = |(hits, samples): (i32, i32)| f64::from(hits.max(1)) / f64::from(samples.max(1));
        let most = hits.into_iter().zip(samples).map(share).fold(0.0, f64::max);
        // Where every second number is so, or more, a walk that meets no other says nothing.
        if most > 0.5 { 0.0 } else { -most.log2() }
    }

    fn records(&self, text: &[u8]) -> Records {
        let next = |place: &usize| self.form.next(text, *place).map(|(_, next)| next);
        let places = std::iter::successors(Some(self.first), next).take(self.count);
        let starts = places.map(|place| place - self.at).collect();
        Records { form: self.form, at: self.at, starts, end: text.len() }
    }
}
