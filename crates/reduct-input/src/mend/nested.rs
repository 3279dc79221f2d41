//! Sums over what other sums are in.

use super::{FieldValue, Mend};
use std::mem::take;

/// Returns sums in the order in which they are made: first those that no other one is in, then those that only such ones are in, and so on. `all` are in the
/// order of their addresses. Sums that are in each other come last.
pub(super) fn inner_first(all: Vec<&Mend>) -> Vec<Vec<&Mend>> {
    let mut groups = vec![];
    let mut left = all;
    while !left.is_empty() {
        let starts: Vec<u32> = left.iter().map(|mend| mend.at.start).collect();
        let is_outer = |mend: &&Mend| {
            let FieldValue::Check { of, .. } = &mend.holds else { return false };
            let fields =
                starts.partition_point(|start| *start < of.end) - starts.partition_point(|start| *start < of.start);
            let is_own = of.start <= mend.at.start && mend.at.start < of.end;
            fields > usize::from(is_own)
        };
        let (mut outer, mut inner): (Vec<&Mend>, Vec<&Mend>) = left.into_iter().partition(is_outer);
        if inner.is_empty() {
            inner = take(&mut outer);
        }
        groups.push(inner);
        left = outer;
    }
    groups
}
