//! Chunks of binary formats: what stands in them between a length and its end, with the lengths, counts,
//! offsets and sums of what stays mended, so that every candidate is well-formed.
//!
//! Most formats are known by their first bytes. Outer chunks come before inner ones, and after all of them the
//! contents of the innermost in small pieces. What does not follow its format is not taken apart further.

mod bmff;
mod cbor;
mod chains;
mod class;
mod counted;
mod extents;
mod fields;
mod flac;
mod gif;
mod head;
mod jpeg;
mod lengths;
mod level;
mod links;
mod midi;
mod msgpack;
mod offsets;
mod ogg;
mod pdf;
mod pickle;
mod png;
mod protobuf;
mod records;
mod riff;
mod sfnt;
mod sqlite;
mod sums;
mod tar;
mod tiff;
mod values;
mod wasm;
mod zip;

pub use offsets::try_table;

use crate::pass::{Pass, Proposals};
use level::{Chunk, Level, disjoint, holding, plain};
use reduct_input::Subject;
use reduct_input::{ByteOrder, FieldValue, Mend, Splice, Sum, is_binary};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

pub(crate) const PASS: Pass =
    Pass::deleting("chunks", "chunks", "chunks of binary formats, lengths and sums mended", propose);

/// Takes a text apart if it is of its format.
type Format = fn(&[u8], &mut Chunks);

/// All formats. A new one is a file in `chunks/` and a line here.
const FORMATS: &[Format] = &[
    png::chunks,
    riff::chunks,
    bmff::chunks,
    tiff::chunks,
    gif::chunks,
    jpeg::chunks,
    flac::chunks,
    ogg::chunks,
    wasm::chunks,
    tar::chunks,
    zip::chunks,
    pdf::chunks,
    counted::chunks,
    pickle::chunks,
    class::chunks,
    sfnt::chunks,
    midi::chunks,
    values::chunks,
    protobuf::chunks,
];

/// What is guessed of a file that is of no known format, until something is found. Of a table and records that it points to, the table says more.
const GUESSES: &[Format] = &[
    extents::chunks,
    chains::chunks,
    links::chunks,
    offsets::certain,
    records::chunks,
    offsets::chunks,
    lengths::chunks,
];

/// The lengths of things that are looked for, wide ones first.
const LENGTHS: [(usize, ByteOrder); 7] = [
    (8, ByteOrder::Big),
    (8, ByteOrder::Little),
    (4, ByteOrder::Big),
    (4, ByteOrder::Little),
    (2, ByteOrder::Big),
    (2, ByteOrder::Little),
    (1, ByteOrder::Big),
];

/// How many pieces contents are cut into at most, all together: a level of a few hundred kilobytes at most
/// for any input. If some go, the next visit cuts what is left more finely, down to bytes.
const PIECES: usize = 1 << 16;

/// Returns whether a file is of a format that is known, by which it is taken apart. What has no bytes but those of texts is none, whatever it may be read as,
/// unless it says at which bytes of it things stand.
pub(crate) fn is_known(text: &[u8]) -> bool {
    let is_of_text = |byte: &u8| !byte.is_ascii_control() || byte.is_ascii_whitespace();
    let mut chunks = Chunks::default();
    if text.iter().all(is_of_text) && !is_binary(text) {
        pdf::chunks(text, &mut chunks);
        return !chunks.is_empty();
    }
    FORMATS.iter().for_each(|format| format(text, &mut chunks));
    !chunks.is_empty() || sqlite::is_one(text)
}

/// Returns whether a file is no text: most of it cannot be printed, or its format is known, though strings may be most of it.
pub fn is_no_text(text: &[u8]) -> bool {
    is_binary(text) || is_known(text)
}

/// Returns what cannot be changed in place in a text whose format is known, in ascending order: fields that are mended,
/// what sums cover, and what is said twice.
pub(crate) fn fixed(text: &[u8]) -> Vec<Range<u32>> {
    let mut chunks = Chunks::default();
    FORMATS.iter().for_each(|format| format(text, &mut chunks));
    let covered = chunks.mends.iter().filter_map(|mend| match &mend.holds {
        FieldValue::Check { of, .. } => Some(of.clone()),
        _ => None,
    });
    let mut fixed: Vec<_> = chunks.mends.iter().map(|mend| mend.at.clone()).chain(covered).collect();
    fixed.extend(chunks.fixed);
    fixed.sort_by_key(|at| (at.start, at.end));
    fixed.dedup_by(|next, last| {
        let joins = next.start <= last.end;
        last.end = if joins { last.end.max(next.end) } else { last.end };
        joins
    });
    fixed
}

fn propose(subject: &Subject) -> Proposals {
    let (mut all, mut remade) = (Chunks::default(), vec![]);
    for (_, addresses, text) in subject.artifact().files() {
        if sqlite::is_one(text) {
            remade.extend(sqlite::propose(text, addresses.start));
            continue;
        }
        // A text that a language explains is no other format by what its bytes may mean by chance.
        let is_read = || subject.trees().iter().any(|tree| addresses.contains(&tree.range(0).start));
        if !is_binary(text) && is_read() && !counted::is_most(text) {
            continue;
        }
        let mut chunks = Chunks::default();
        FORMATS.iter().for_each(|format| format(text, &mut chunks));
        if chunks.is_empty() {
            for guess in GUESSES {
                if chunks.is_empty() {
                    guess(text, &mut chunks);
                }
            }
            sums::chunks(text, &mut chunks);
        }
        all.append(chunks, addresses.start);
    }
    remade.extend(all.finish());
    remade
}

/// What a format finds: parts by level, contents, and fields to mend. First positions in a text, then
/// addresses.
#[derive(Default)]
struct Chunks {
    levels: Vec<Vec<Chunk>>,
    /// Contents, and how many bytes of them go together.
    contents: Vec<(Range<u32>, u32)>,
    mends: Vec<Mend>,
    /// Numbers that seem to count things. These things also go without a change of the number.
    counts: Vec<Mend>,
    /// What goes with the chunks that start at these addresses.
    also: Vec<(u32, Range<u32>)>,
    /// What is written elsewhere, over as many bytes, if the chunks that start at these addresses go.
    written: Vec<(u32, Splice)>,
    /// Contents with the only field that is mended if some of them go: what else seems to be a field may be one by chance.
    alone: Vec<(Range<u32>, u32, Mend)>,
    /// What else cannot be changed in place: what other fields say, too, and what is not mended.
    fixed: Vec<Range<u32>>,
    /// The things that a table names.
    things: Vec<Thing>,
}

/// Something that a row of a table names.
struct Thing {
    at: Range<usize>,
    row: Option<Range<usize>>,
    /// What its own numbers count.
    data: Vec<Range<usize>>,
}

impl Chunks {
    fn is_empty(&self) -> bool {
        self.levels.is_empty() && self.contents.is_empty()
    }

    /// Adds a chunk that can go.
    fn part(&mut self, level: usize, at: Range<usize>) {
        // Deeper than this all is one level: whatever is nested so deeply is not meant.
        self.replaced(level.min(DEEPEST), at, &[], &[]);
    }

    /// Adds a chunk that can go together with others, wherever they are, where something shorter stands in its place. There are as many levels
    /// as that of the last one.
    fn replaced(&mut self, level: usize, at: Range<usize>, also: &[Range<usize>], with: &'static [u8]) {
        if at.len() <= with.len() {
            return;
        }
        if self.levels.len() <= level {
            self.levels.resize_with(level + 1, Vec::new);
        }
        let also = also.iter().map(|at| at.start as u32..at.end as u32).collect();
        self.levels[level].push(Chunk { at: at.start as u32..at.end as u32, also, with });
    }

    /// Adds what goes with the chunk of a level that starts there, wherever it is.
    fn also(&mut self, start: usize, at: Range<usize>) {
        self.also.push((start as u32, at.start as u32..at.end as u32));
    }

    /// Adds what is written over as many bytes elsewhere if the chunk of a level that starts there goes.
    fn writes(&mut self, start: usize, at: usize, with: &'static [u8]) {
        let splice = Splice { at: at as u32..(at + with.len()) as u32, with: with.into() };
        self.written.push((start as u32, splice));
    }

    /// Adds what cannot be changed in place, though nothing of it is mended.
    fn fix(&mut self, at: Range<usize>) {
        self.fixed.push(at.start as u32..at.end as u32);
    }

    /// Adds a field that counts things that start there.
    fn count(&mut self, field: Range<usize>, order: ByteOrder, of: &Arc<[u32]>) {
        let holds = FieldValue::Count { of: of.clone() };
        self.mends.push(Mend { at: field.start as u32..field.end as u32, order, holds });
    }

    /// Adds contents of which any `unit` bytes, counted from their start, can go.
    fn contents(&mut self, at: Range<usize>, unit: usize) {
        let end = at.start + at.len() / unit.max(1) * unit.max(1);
        if at.start < end {
            self.contents.push((at.start as u32..end as u32, unit.max(1) as u32));
        }
    }

    /// Adds that bytes after a field may go with nothing mended but that field, which counts them.
    fn alone(&mut self, field: Range<usize>, order: ByteOrder, of: Range<usize>, unit: usize) {
        if of.is_empty() {
            return;
        }
        let of = of.start as u32..of.end as u32;
        let holds = FieldValue::Size { of: of.clone(), unit: 1 };
        self.alone.push((of, unit.max(1) as u32, Mend { at: field.start as u32..field.end as u32, order, holds }));
    }

    /// Adds a field that falls by one for each `unit` bytes that go from `of`.
    fn size(&mut self, field: Range<usize>, order: ByteOrder, of: Range<usize>, unit: usize) {
        if !of.is_empty() {
            let holds = FieldValue::Size { of: of.start as u32..of.end as u32, unit: unit as u32 };
            self.mends.push(Mend { at: field.start as u32..field.end as u32, order, holds });
        }
    }

    /// Adds digits that say where something stands.
    fn place(&mut self, field: Range<usize>, order: ByteOrder, target: usize) {
        let holds = FieldValue::Place { of: 0..target as u32 };
        self.mends.push(Mend { at: field.start as u32..field.end as u32, order, holds });
    }

    /// Adds a number in digits that names one of these things by how many are before it.
    fn index(&mut self, field: Range<usize>, of: &Arc<[u32]>, before: usize) {
        let holds = FieldValue::Index { of: of.clone(), before };
        self.mends.push(Mend { at: field.start as u32..field.end as u32, order: ByteOrder::Decimal, holds });
    }

    /// Adds a sum, if it is right: one that is wrong may be what the failure is about.
    fn check(&mut self, text: &[u8], field: Range<usize>, order: ByteOrder, sum: Sum, of: Range<usize>) {
        let own = of.start <= field.start && field.end <= of.end;
        let found = match own {
            true => {
                let zeros = vec![0; field.len()];
                sum.of(&[&text[of.start..field.start], &zeros, &text[field.end..of.end]].concat())
            }
            false => sum.of(&text[of.clone()]),
        };
        if order.read(&text[field.clone()]) == Some(found) {
            let holds = FieldValue::Check { sum, of: of.start as u32..of.end as u32 };
            self.mends.push(Mend { at: field.start as u32..field.end as u32, order, holds });
        }
    }

    /// Adds what was found in a text that begins at an address.
    fn append(&mut self, other: Chunks, start: u32) {
        let moved = |range: Range<u32>| range.start + start..range.end + start;
        for (level, chunks) in other.levels.into_iter().enumerate() {
            if self.levels.len() <= level {
                self.levels.resize_with(level + 1, Vec::new);
            }
            self.levels[level].extend(chunks.into_iter().map(|chunk| Chunk {
                at: moved(chunk.at),
                also: chunk.also.into_iter().map(moved).collect(),
                with: chunk.with,
            }));
        }
        self.contents.extend(other.contents.into_iter().map(|(range, unit)| (moved(range), unit)));
        // Fields of one list have one list afterwards, too.
        let mut lists: BTreeMap<*const u32, Arc<[u32]>> = BTreeMap::new();
        let mut listed = |of: Arc<[u32]>| {
            let moved = || of.iter().map(|at| at + start).collect();
            lists.entry(of.as_ptr()).or_insert_with(moved).clone()
        };
        let mut mended = |mend: Mend| Mend {
            at: moved(mend.at),
            order: mend.order,
            holds: match mend.holds {
                FieldValue::Size { of, unit } => FieldValue::Size { of: moved(of), unit },
                FieldValue::Place { of } => FieldValue::Place { of: moved(of) },
                FieldValue::Check { sum, of } => FieldValue::Check { sum, of: moved(of) },
                FieldValue::Count { of } => FieldValue::Count { of: listed(of) },
                FieldValue::Total { of } => {
                    FieldValue::Total { of: of.iter().map(|(at, units)| (at + start, *units)).collect() }
                }
                FieldValue::Joined { of, own } => FieldValue::Joined { of: listed(of), own },
                FieldValue::Index { of, before } => FieldValue::Index { of: listed(of), before },
                FieldValue::Position { of, before } => FieldValue::Position { of: listed(of), before },
                FieldValue::Next { of, from, zero } => FieldValue::Next { of, from, zero: zero + start },
            },
        };
        self.mends.extend(other.mends.into_iter().map(&mut mended));
        self.counts.extend(other.counts.into_iter().map(&mut mended));
        self.also.extend(other.also.into_iter().map(|(at, range)| (at + start, moved(range))));
        self.written
            .extend(other.written.into_iter().map(|(at, to)| (at + start, Splice { at: moved(to.at), with: to.with })));
        self.fixed.extend(other.fixed.into_iter().map(moved));
        self.alone.extend(other.alone.into_iter().map(|(range, unit, mend)| (moved(range), unit, mended(mend))));
    }

    fn finish(mut self) -> Proposals {
        let counted = starts(&self.counts);
        self.counts.extend(self.mends.iter().cloned());
        let (counts, mends): (Arc<[Mend]>, Arc<[Mend]>) = (ordered(self.counts), ordered(self.mends));
        self.contents.sort_by_key(|(range, _)| (range.start, range.end));
        disjoint(&mut self.contents, |(range, _)| range.clone());
        let levels: Vec<_> = self.levels.into_iter().map(|level| Level::of(level, &self.also, &self.written)).collect();
        let mut proposals: Proposals = levels.iter().filter_map(|level| level.proposed(&counts)).collect();
        // Where a number only seems to count them, it may be needed as it is.
        let counted = levels.iter().map(|level| plain(holding(&level.parts, &counted), &mends));
        proposals.extend(counted.flatten());
        // What goes with a chunk does not go with its first byte.
        proposals.extend(plain(pieces(&self.contents), &mends));
        if !self.alone.is_empty() {
            let (contents, mends): (Vec<_>, Vec<_>) =
                self.alone.into_iter().map(|(range, unit, mend)| ((range, unit), mend)).unzip();
            proposals.extend(plain(pieces(&contents), &mends.into()));
        }
        proposals
    }
}

/// Returns fields in the order of their addresses and disjoint.
fn ordered(mut mends: Vec<Mend>) -> Arc<[Mend]> {
    mends.sort_by_key(|mend| (mend.at.start, mend.at.end));
    disjoint(&mut mends, |mend| mend.at.clone());
    mends.into()
}

/// Returns where the things start that are counted, in ascending order.
fn starts(counts: &[Mend]) -> Vec<u32> {
    let lists = counts.iter().filter_map(|mend| match &mend.holds {
        FieldValue::Count { of } => Some((of.as_ptr(), of)),
        _ => None,
    });
    // Many numbers may count the same things.
    let lists: BTreeMap<_, _> = lists.collect();
    let mut starts: Vec<u32> = lists.into_values().flat_map(|of| of.iter().copied()).collect();
    starts.sort_unstable();
    starts
}

/// How many levels there are at most.
const DEEPEST: usize = 30;

/// Contents in pieces of their unit, or of the multiple of it with which there are few enough.
fn pieces(contents: &[(Range<u32>, u32)]) -> Vec<Range<u32>> {
    let all: usize = contents.iter().map(|(range, unit)| range.len() / *unit as usize).sum();
    let coarser = all.div_ceil(PIECES).next_power_of_two() as u32;
    let cut = |(range, unit): &(Range<u32>, u32)| {
        let (range, step) = (range.clone(), (unit.saturating_mul(coarser)).max(1));
        range.clone().step_by(step as usize).map(move |start| start..start.saturating_add(step).min(range.end))
    };
    contents.iter().flat_map(cut).collect()
}

/// Returns the number in a field of a text, which is then also a length in it. `None` if the text is too short, or the
/// number too large.
fn number(text: &[u8], field: Range<usize>, order: ByteOrder) -> Option<usize> {
    usize::try_from(order.read(text.get(field)?)?).ok()
}
