//! Fields that say where something stands, after all others: these may have fewer digits than before.

use super::{FieldValue, Mend, write};
use crate::artifact::Artifact;
use crate::edit::Splice;
use std::ops::Range;

/// Returns the changes of the fields that say where something stands, if all other changes are these, in ascending order.
pub(super) fn mended<'a>(base: &Artifact, changes: &[Splice], mends: impl Iterator<Item = &'a Mend>) -> Vec<Splice> {
    let mut shorter = None;
    let mut place = |mend: &Mend| {
        let FieldValue::Place { of } = &mend.holds else { return None };
        let shorter = shorter.get_or_insert_with(|| Shorter::by(changes));
        let old = mend.order.read(base.slice(mend.at.clone()))?;
        let new = old.saturating_sub(shorter.within(of));
        let with = || write(new, base.slice(mend.at.clone()), mend.order).into();
        (new != old).then(|| Splice { at: mend.at.clone(), with: with() })
    };
    mends.filter_map(&mut place).collect()
}

/// By how much changes make a text shorter.
struct Shorter<'a> {
    changes: &'a [Splice],
    /// By how much all before each one do.
    before: Vec<u64>,
}

impl Shorter<'_> {
    fn by(changes: &[Splice]) -> Shorter<'_> {
        let total = |sum: &mut u64, change: &Splice| {
            let before = *sum;
            *sum += change.at.len().saturating_sub(change.with.len()) as u64;
            Some(before)
        };
        Shorter { changes, before: changes.iter().scan(0, total).collect() }
    }

    fn up_to(&self, address: u32) -> u64 {
        let Some(last) = self.changes.partition_point(|change| change.at.start < address).checked_sub(1) else {
            return 0;
        };
        let change = &self.changes[last];
        // What stands in its place stands at its beginning.
        let stays = change.at.start.saturating_add(change.with.len() as u32);
        self.before[last] + u64::from(change.at.end.min(address).saturating_sub(stays))
    }

    fn within(&self, of: &Range<u32>) -> u64 {
        self.up_to(of.end) - self.up_to(of.start.min(of.end))
    }
}
