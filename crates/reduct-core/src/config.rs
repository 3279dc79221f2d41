//! Deltas and configurations.

use crate::question::{Key, Keyed, Question};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// One thing that can be there or not, by index. What it is, its circumstances know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Delta(pub u32);

/// A configuration: a set of deltas, in their order. Cheap to clone.
///
/// Kept as runs of neighbours, because that is what searches make: a complement of a million
/// characters is two runs. All set operations take time linear in the runs, not in the deltas.
///
/// ```
/// use reduct_core::{Config, Delta};
///
/// let some = Config::from_deltas([Delta(1), Delta(2), Delta(5)]);
/// assert_eq!((some.len(), some.ranges().count()), (3, 2));
/// assert!(some.contains(Delta(5)) && !some.contains(Delta(0)));
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Config {
    runs: Arc<[Run]>,
}

/// The deltas `start..end`, of which `before` deltas precede in the configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Run {
    start: u32,
    end: u32,
    before: u32,
}

impl Run {
    fn len(self) -> u32 {
        self.end - self.start
    }
}

impl Config {
    /// Returns the empty configuration.
    pub fn empty() -> Config {
        Config { runs: Arc::new([]) }
    }

    /// Returns the deltas `0..count`.
    pub fn full(count: usize) -> Config {
        Config::from_ranges(std::iter::once(0..index(count)))
    }

    /// Returns the deltas in `ranges`, which must be ascending and must not overlap.
    ///
    /// # Panics
    /// If they are not ascending.
    pub fn from_ranges(ranges: impl IntoIterator<Item = Range<u32>>) -> Config {
        let ranges = ranges.into_iter();
        let mut builder = Builder { runs: Vec::with_capacity(ranges.size_hint().0) };
        ranges.for_each(|range| builder.push(range));
        builder.finish()
    }

    /// Returns the given deltas, in ascending order.
    ///
    /// # Panics
    /// If they are not ascending, or beyond what can be counted.
    pub fn from_deltas(deltas: impl IntoIterator<Item = Delta>) -> Config {
        let end = |Delta(at)| at.checked_add(1).expect(TOO_MANY);
        Config::from_ranges(deltas.into_iter().map(|delta| delta.0..end(delta)))
    }

    /// Returns how many deltas there are.
    pub fn len(&self) -> usize {
        self.runs.last().map_or(0, |run| (run.before + run.len()) as usize)
    }

    /// Returns whether there is no delta.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Returns whether `delta` is in it. Logarithmic in the runs.
    pub fn contains(&self, delta: Delta) -> bool {
        let at = self.runs.partition_point(|run| run.end <= delta.0);
        self.runs.get(at).is_some_and(|run| run.start <= delta.0)
    }

    /// Returns the delta at `position`, counting from 0. Logarithmic in the runs.
    pub fn get(&self, position: usize) -> Option<Delta> {
        let position = u32::try_from(position).ok()?;
        let at = self.runs.partition_point(|run| run.before + run.len() <= position);
        self.runs.get(at).map(|run| Delta(run.start + (position - run.before)))
    }

    /// Returns the deltas, ascending.
    pub fn iter(&self) -> impl Iterator<Item = Delta> + '_ {
        self.ranges().flat_map(|range| range.map(Delta))
    }

    /// Returns the runs of neighbours, ascending and as long as possible.
    pub fn ranges(&self) -> impl ExactSizeIterator<Item = Range<u32>> + '_ {
        self.runs.iter().map(|run| run.start..run.end)
    }

    /// Returns the parts of the runs that lie within `bounds`.
    pub fn within(&self, bounds: Range<u32>) -> impl ExactSizeIterator<Item = Range<u32>> + '_ {
        let first = self.runs.partition_point(|run| run.end <= bounds.start);
        let end = self.runs.partition_point(|run| run.start < bounds.end);
        // Nothing lies within no addresses.
        let end = if bounds.is_empty() { first } else { end.max(first) };
        self.runs[first..end].iter().map(move |run| run.start.max(bounds.start)..run.end.min(bounds.end))
    }

    /// Returns how many deltas lie within `bounds`. Logarithmic in the runs.
    pub fn count_within(&self, bounds: Range<u32>) -> usize {
        let below = |end: u32| {
            let runs = self.runs.partition_point(|run| run.start < end);
            runs.checked_sub(1).map_or(0, |at| {
                let run = &self.runs[at];
                run.before as usize + (end.min(run.end) - run.start) as usize
            })
        };
        below(bounds.end.max(bounds.start)) - below(bounds.start)
    }

    /// Returns the deltas at the given positions: a *subset* in the words of ddmin.
    pub fn at(&self, positions: Range<usize>) -> Config {
        let mut builder = Builder::default();
        self.copy(positions, &mut builder);
        builder.finish()
    }

    /// Returns all deltas but those at the given positions: a *complement* in the words of ddmin.
    pub fn without(&self, positions: Range<usize>) -> Config {
        let mut builder = Builder { runs: Vec::with_capacity(self.runs.len() + 1) };
        self.copy(0..positions.start, &mut builder);
        self.copy(positions.end..self.len(), &mut builder);
        builder.finish()
    }

    fn copy(&self, positions: Range<usize>, into: &mut Builder) {
        let (from, to) = (index(positions.start), index(positions.end));
        let first = self.runs.partition_point(|run| run.before + run.len() <= from);
        for run in self.runs[first..].iter().take_while(|run| run.before < to) {
            let skip = from.saturating_sub(run.before);
            let keep = (to - run.before).min(run.len());
            if skip < keep {
                into.push(run.start + skip..run.start + keep);
            }
        }
    }

    /// Returns the deltas of `self` that are not in `other` (the book's `listminus`).
    pub fn minus(&self, other: &Config) -> Config {
        // Each run that goes begins at most one that stays.
        let mut builder = Builder { runs: Vec::with_capacity(self.runs.len() + other.runs.len()) };
        let mut others = other.runs.iter().peekable();
        for run in self.runs.iter() {
            let mut from = run.start;
            while let Some(gone) = others.peek() {
                if gone.start >= run.end {
                    break;
                }
                if gone.start > from {
                    builder.push(from..gone.start);
                }
                from = from.max(gone.end);
                if gone.end > run.end {
                    break;
                }
                others.next();
            }
            if from < run.end {
                builder.push(from..run.end);
            }
        }
        builder.finish()
    }

    /// Returns the deltas that are in one of the two.
    pub fn union(&self, other: &Config) -> Config {
        let (mut left, mut right) = (self.runs.iter().peekable(), other.runs.iter().peekable());
        let mut builder = Builder::default();
        loop {
            let next = match (left.peek(), right.peek()) {
                (Some(l), Some(r)) if l.start <= r.start => left.next(),
                (_, Some(_)) => right.next(),
                (Some(_), None) => left.next(),
                (None, None) => break,
            };
            next.into_iter().for_each(|run| builder.cover(run.start..run.end));
        }
        builder.finish()
    }

    /// Returns whether every delta of `self` is in `other`.
    pub fn is_subset(&self, other: &Config) -> bool {
        self.runs.iter().all(|run| {
            let at = other.runs.partition_point(|o| o.end <= run.start);
            other.runs.get(at).is_some_and(|o| o.start <= run.start && run.end <= o.end)
        })
    }
}

/// Collects ascending ranges, joining neighbours.
#[derive(Default)]
struct Builder {
    runs: Vec<Run>,
}

impl Builder {
    fn push(&mut self, range: Range<u32>) {
        if range.is_empty() {
            return;
        }
        let before = match self.runs.last_mut() {
            Some(last) if last.end == range.start => {
                last.end = range.end;
                return;
            }
            Some(last) => {
                assert!(last.end < range.start, "the deltas of a configuration ascend");
                last.before + last.len()
            }
            None => 0,
        };
        self.runs.push(Run { start: range.start, end: range.end, before });
    }

    /// Does what `push` does, but what is there already may come again.
    fn cover(&mut self, range: Range<u32>) {
        let start = self.runs.last().map_or(range.start, |last| range.start.max(last.end));
        self.push(start..range.end.max(start));
    }

    fn finish(self) -> Config {
        Config { runs: self.runs.into() }
    }
}

/// Deltas are counted in 32 bits; code that makes parts refuses more than that.
const TOO_MANY: &str = "circumstances hold at most 2^32 - 1 deltas";

fn index(count: usize) -> u32 {
    u32::try_from(count).expect(TOO_MANY)
}

impl FromIterator<Delta> for Config {
    fn from_iter<I: IntoIterator<Item = Delta>>(deltas: I) -> Config {
        Config::from_deltas(deltas)
    }
}

impl Question for Config {
    fn key(&self) -> Key {
        let mut key = Keyed::default();
        for run in self.runs.iter() {
            key.add(u64::from(run.start) << 32 | u64::from(run.end));
        }
        key.finish()
    }
}

impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.ranges()).finish()
    }
}
