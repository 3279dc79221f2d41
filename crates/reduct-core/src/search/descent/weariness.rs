//! Which needed parts a descent puts off instead of taking them apart at once.
//!
//! To take a part apart pays twice if something in it goes: by what goes, and as what that used may go, too. Where nothing goes it
//! pays nothing, and the large rest that stands before it waits: a table of which twenty rows in a row are needed would be
//! asked about cell by cell. So where parts of one shape were taken apart in vain, the next ones are put off, twice as
//! many each time, until taking one apart pays again.
//!
//! And where parts are taken apart for long while little goes, as in a large program of which much is needed, [`Weariness::become_coarse`]
//! puts off all that are small beside what stands before them.

use std::collections::BTreeMap;
use std::sync::Arc;

/// After so many parts of one shape in a row that were taken apart in vain the next ones are put off.
const IN_VAIN: u32 = 2;

/// Parts with fewer parts in them are soon taken apart.
const FEW: u32 = 4;

/// When less than this share of the parts is left that there were, what was put off is asked about once more before it is taken apart.
const STILL_THERE: f64 = 0.75;

/// What was put off for being small is searched for parts that are smaller by this factor.
const FINER: u32 = 8;

/// How deep a part is, and the logarithm of the number of parts in it: what looks alike without knowing the language.
type Shape = (usize, u32);

/// A part that was put off.
#[derive(Clone, Copy, Debug)]
pub(super) struct PutOff {
    pub(super) part: u32,
    /// Whether it is known to be needed, so that only what is in it waits.
    pub(super) is_needed: bool,
}

/// What came of taking parts apart.
#[derive(Clone, Debug, Default)]
pub(super) struct Weariness {
    shapes: BTreeMap<Shape, Record>,
    /// Of how many of the parts that are being taken apart, the outermost ones, something went.
    paid: usize,
    /// The parts that were put off, the last one first.
    put_off: Arc<Vec<PutOff>>,
    /// How many parts were left when the first one was put off.
    left: usize,
    /// A part is put off if so many times as many parts stand before it as there are in it; 0 for none.
    times: u32,
}

/// How parts of one shape came out.
#[derive(Clone, Copy, Debug, Default)]
struct Record {
    /// How many in a row were taken apart in vain.
    in_vain: u32,
    /// How many of the next ones are put off.
    skip: u32,
}

impl Weariness {
    /// Puts off parts before which so many times as many stand as there are in them, too, unless it does so already.
    pub(super) fn become_coarse(&mut self, times: u32) {
        self.times = if self.times == 0 { times } else { self.times };
    }

    /// Returns what to put off of what was put off, in a tree of so many parts; `None` if nothing.
    pub(super) fn finer(&self, parts: usize) -> Option<Weariness> {
        let is_coarse = self.times > 0 && (self.times as usize) < parts;
        is_coarse.then(|| Weariness { times: self.times.saturating_mul(FINER), ..Weariness::default() })
    }

    /// Returns the parts that were put off, the last one first.
    pub(super) fn put_off(&self) -> &[PutOff] {
        &self.put_off
    }

    /// Returns whether so much has gone, with so many parts left, that what was put off may go as a whole.
    pub(super) fn asks_again(&self, left: usize) -> bool {
        (left as f64) < self.left as f64 * STILL_THERE
    }

    /// Decides whether a needed part, at this depth and with so many parts in it, is put off. `left` counts the parts that are left in all.
    pub(super) fn puts_off(&mut self, part: u32, depth: usize, inner: u32, left: impl FnOnce() -> usize) -> bool {
        let Some(shape) = shape(depth, inner) else { return false };
        let record = self.shapes.entry(shape).or_default();
        let is_small = u64::from(inner) * u64::from(self.times) < u64::from(part) && self.times > 0;
        let is_put_off = record.skip > 0 || is_small;
        if is_put_off {
            record.skip = record.skip.saturating_sub(1);
            self.put(PutOff { part, is_needed: true }, left);
        }
        is_put_off
    }

    /// Puts off a part that stands before all that were put off. `left` counts the parts that are left in all.
    pub(super) fn put(&mut self, part: PutOff, left: impl FnOnce() -> usize) {
        if self.put_off.is_empty() {
            self.left = left();
        }
        Arc::make_mut(&mut self.put_off).push(part);
    }

    /// Notes that something went of what is being taken apart, which is so deep.
    pub(super) fn pay(&mut self, depth: usize) {
        self.paid = depth;
    }

    /// Notes that a part was taken apart, at this depth and with so many parts in it. The inner ones come first.
    pub(super) fn leave(&mut self, depth: usize, inner: u32) {
        let has_paid = self.paid > depth;
        self.paid = self.paid.min(depth);
        let Some(shape) = shape(depth, inner) else { return };
        let record = self.shapes.entry(shape).or_default();
        record.in_vain = if has_paid { 0 } else { record.in_vain + 1 };
        record.skip = match record.in_vain.checked_sub(IN_VAIN) {
            Some(further) => 1 << (further + 1).min(16),
            None => 0,
        };
    }
}

/// Returns the shape of a part that has parts in it.
fn shape(depth: usize, inner: u32) -> Option<Shape> {
    (inner >= FEW).then(|| (depth, inner.ilog2()))
}
