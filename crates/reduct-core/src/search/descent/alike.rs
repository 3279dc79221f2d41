//! Which parts a descent leaves out together because they are alike, wherever they stand.
//!
//! From the back, parts of one kind are met one by one where others that are needed stand between them: the same member of each record, the same
//! statement of each function. No sequence holds two of them, however often they went. So the parts of a kind are counted by themselves. Once
//! some have gone, the next ones before the place of the search go together, as many as can with a probability of about one half: n + 1 after n
//! that went, if none was needed. So all parts of a kind go with about log₂ of their number of questions.

use super::nesting::Nesting;
use crate::config::{Config, Delta};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// What is left of what was seen of a kind after a part of it was needed.
const KEPT: f64 = 0.5;

/// The least probability with which parts that are left out together are expected to go: one half, but for the rounding of quotients.
const EVEN: f64 = 0.499;

/// How parts of one kind came out.
#[derive(Clone, Copy, Debug, Default)]
struct Record {
    gone: f64,
    needed: f64,
}

impl Record {
    /// Returns how likely it is that one more goes: before anything is known, each share of parts that go is as likely as any other (Laplace).
    fn goes(self) -> f64 {
        (self.gone + 1.0) / (self.gone + self.needed + 2.0)
    }

    fn needs_one(&mut self) {
        (self.needed, self.gone) = (self.needed * KEPT + 1.0, self.gone * KEPT);
    }
}

/// What came of parts, by kind.
#[derive(Clone, Debug)]
pub(super) struct Alike {
    records: Arc<BTreeMap<u32, Record>>,
    /// Parts that could not all go together when that was last asked.
    in_vain: Config,
}

impl Default for Alike {
    fn default() -> Alike {
        Alike { records: Arc::default(), in_vain: Config::empty() }
    }
}

/// Some parts of a kind, to be left out together.
#[derive(Clone, Debug)]
pub(super) struct Together {
    kind: u32,
    count: usize,
    /// What goes with them.
    pub(super) gone: Config,
    /// How likely they are to go.
    pub(super) likely: f32,
}

impl Alike {
    /// Notes that a part went.
    pub(super) fn gone(&mut self, nesting: &Nesting, part: u32) {
        if let Some(kind) = nesting.kinds.of(part) {
            Arc::make_mut(&mut self.records).entry(kind).or_default().gone += 1.0;
        }
    }

    /// Notes that a part is needed.
    pub(super) fn needed(&mut self, nesting: &Nesting, part: u32) {
        if let Some(kind) = nesting.kinds.of(part) {
            Arc::make_mut(&mut self.records).entry(kind).or_default().needs_one();
        }
    }

    /// Takes the outcome of a question about some parts of a kind.
    pub(super) fn tell(&mut self, together: &Together, went: bool) {
        let record = Arc::make_mut(&mut self.records).entry(together.kind).or_default();
        if went {
            record.gone += together.count as f64;
        } else {
            record.needs_one();
            self.in_vain = together.gone.clone();
        }
    }

    /// Returns the parts of the kind of `last`, from there on to the front, that are to be left out together; `None` if that would be one. `left`
    /// holds what is left, and `kept` what is taken for needed.
    pub(super) fn together(&self, nesting: &Nesting, last: u32, left: &Config, kept: &Config) -> Option<Together> {
        let kind = nesting.kinds.of(last)?;
        let mut record = *self.records.get(&kind)?;
        let parts = &nesting.kinds.parts[kind as usize];
        let before = parts.partition_point(|part| *part <= last);
        let is_open = |part: &u32| {
            let inner = *part..nesting.after(*part);
            // What `last` is in is needed.
            (*part == last || inner.end <= last) && left.contains(Delta(*part)) && kept.count_within(inner) == 0
        };
        let (mut gone, mut count, mut likely): (Vec<Range<u32>>, usize, f64) = (vec![], 0, 1.0);
        for part in parts[..before].iter().rev().copied().filter(is_open) {
            // One of these is needed, so that more of them cannot go.
            if self.in_vain.contains(Delta(part)) {
                break;
            }
            let with_one_more = likely * record.goes();
            if with_one_more < EVEN {
                break;
            }
            (likely, count) = (with_one_more, count + 1);
            record.gone += 1.0;
            let end = nesting.after(part);
            while gone.last().is_some_and(|inner| inner.start < end) {
                gone.pop();
            }
            gone.push(part..end);
        }
        let gone = Config::from_ranges(gone.into_iter().rev());
        (count > 1).then_some(Together { kind, count, gone, likely: likely as f32 })
    }
}
