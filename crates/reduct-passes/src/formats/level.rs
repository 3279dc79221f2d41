//! Chunks of one level, from which a search takes.

use reduct_input::parts::Mended;
use reduct_input::{Mend, Spans, Splice};
use std::ops::Range;
use std::sync::Arc;

/// A chunk that can go.
pub(super) struct Chunk {
    pub(super) at: Range<u32>,
    /// What else goes with it, wherever it is.
    pub(super) also: Vec<Range<u32>>,
    /// What stands in its place afterwards, which is shorter.
    pub(super) with: &'static [u8],
}

/// Returns the parts in which one of these things starts.
pub(super) fn holding(parts: &[Range<u32>], starts: &[u32]) -> Vec<Range<u32>> {
    let holds = |part: &&Range<u32>| {
        starts.get(starts.partition_point(|start| *start < part.start)).is_some_and(|start| *start < part.end)
    };
    parts.iter().filter(holds).cloned().collect()
}

/// Returns parts of which nothing goes but themselves, or nothing if there are none.
pub(super) fn plain(parts: Vec<Range<u32>>, mends: &Arc<[Mend]>) -> Option<Spans> {
    let (also, written) = ([].into(), [].into());
    (!parts.is_empty()).then(|| Mended { parts: parts.into(), also, written, mends: mends.clone() }.into())
}

/// The chunks of a level, in ascending order and disjoint.
pub(super) struct Level {
    /// What goes of each.
    pub(super) parts: Vec<Range<u32>>,
    /// What goes besides, by chunk.
    also: Vec<(u32, Range<u32>)>,
    /// What stands in the place of first bytes, by chunk.
    written: Vec<(u32, Splice)>,
}

impl Level {
    /// Makes a level of what was found, with what goes with the chunks that start at some addresses, and what is written when they go.
    pub(super) fn of(
        mut chunks: Vec<Chunk>,
        with_starts: &[(u32, Range<u32>)],
        written_elsewhere: &[(u32, Splice)],
    ) -> Level {
        chunks.sort_by_key(|chunk| (chunk.at.start, chunk.at.end));
        disjoint(&mut chunks, |chunk| chunk.at.clone());
        let chunk = |start: u32| chunks.binary_search_by_key(&start, |chunk| chunk.at.start).ok();
        let mut also: Vec<_> =
            with_starts.iter().filter_map(|(start, at)| Some((chunk(*start)? as u32, at.clone()))).collect();
        let of_chunk = |(start, splice): &(u32, Splice)| Some((chunk(*start)? as u32, splice.clone()));
        let mut written: Vec<_> = written_elsewhere.iter().filter_map(of_chunk).collect();
        let mut parts = vec![];
        for (chunk, at) in chunks.into_iter().zip(0..) {
            let first = chunk.at.start + chunk.with.len() as u32;
            parts.push(first..chunk.at.end);
            also.extend(chunk.also.into_iter().map(|range| (at, range)));
            if !chunk.with.is_empty() {
                written.push((at, Splice { at: chunk.at.start..first, with: chunk.with.into() }));
            }
        }
        also.sort_by_key(|(part, at)| (*part, at.start));
        written.sort_by_key(|(part, splice)| (*part, splice.at.start));
        Level { parts, also, written }
    }

    pub(super) fn proposed(&self, mends: &Arc<[Mend]>) -> Option<Spans> {
        let (also, written) = (self.also.as_slice().into(), self.written.as_slice().into());
        let parts = self.parts.as_slice().into();
        (!self.parts.is_empty()).then(|| Mended { parts, also, written, mends: mends.clone() }.into())
    }
}

/// Drops what begins before the one before it ends: what a malformed file claims twice is the first's.
pub(super) fn disjoint<T>(all: &mut Vec<T>, range: impl Fn(&T) -> Range<u32>) {
    let mut end = 0;
    all.retain(|one| {
        let range = range(one);
        let free = end <= range.start;
        end = if free { range.end } else { end };
        free
    });
}
