//! Chains of records, whatever their format: each has a head of some bytes, in which stands how long what follows it is, and the last one
//! ends where the file does, and each length stands twice, in the next field or at the end of the record (packets of pcap, blocks of pcapng).
//! Whole records go, and what is in them with their lengths mended. Chains whose lengths stand once are many by chance.
//!
//! Things with nothing but a length before them are those of `lengths`.

use super::{Chunks, number};
use reduct_input::ByteOrder;
use reduct_input::ByteOrder::{Big, Little};
use reduct_input::is_binary;
use std::ops::Range;
use std::sync::Arc;

/// The lengths that are looked for, and how many records with them are no chance.
const NUMBERS: [(usize, ByteOrder, usize); 4] = [(4, Big, 4), (4, Little, 4), (2, Big, 16), (2, Little, 16)];

/// How many bytes may stand before the first record.
const FIRST: usize = 64;

/// How long the head of a record is at most.
const LONGEST_HEAD: usize = 32;

/// So many of the first records show whether most are empty.
const SHOWN: usize = 16;

/// How many records are looked at, all together: in most files the first one of nearly all chains that might be ends behind the file.
const LOOKS: usize = 1 << 20;

/// A single record with its length twice is no chance if it is so long.
const LONG: usize = 8;

/// What records are like.
#[derive(Clone, Copy)]
struct Form {
    start: usize,
    head: usize,
    /// Where in the head the length stands.
    at: usize,
    width: usize,
    order: ByteOrder,
    /// Whether the length counts the head, too.
    is_whole: bool,
}

/// A chain: where its records are, and where a length stands once more in each.
struct Chain {
    form: Form,
    records: Vec<Range<usize>>,
    twin: Option<usize>,
    has_length_at_end: bool,
}

pub(super) fn chunks(text: &[u8], found: &mut Chunks) {
    let Some(chain) = is_binary(text).then(|| likeliest(text)).flatten() else { return };
    let form = chain.form;
    for record in &chain.records {
        let end = record.end - if chain.has_length_at_end { form.width } else { 0 };
        let data = record.start + form.head..end;
        found.part(0, record.clone());
        let fields = [Some(form.at), chain.twin].into_iter().flatten().map(|at| record.start + at);
        for at in fields.chain(chain.has_length_at_end.then_some(end)) {
            found.size(at..at + form.width, form.order, data.clone(), 1);
        }
        found.contents(data, 1);
    }
    let starts: Arc<[u32]> = chain.records.iter().map(|record| record.start as u32).collect();
    let fields = (0..form.start).rev().flat_map(|at| [at..at + 4, at..at + 2]).filter(|field| field.end <= form.start);
    let count = |field: &Range<usize>| number(text, field.clone(), form.order) == Some(starts.len());
    if let Some(field) = fields.filter(|_| starts.len() > 1).find(count) {
        found.count(field, form.order, &starts);
    }
}

/// Returns the chain with the most records, of those with the widest lengths; of several, the one that
/// begins first.
fn likeliest(text: &[u8]) -> Option<Chain> {
    let mut looks = LOOKS;
    let mut best: Option<Chain> = None;
    for (width, order, least) in NUMBERS {
        if best.as_ref().is_some_and(|best| best.form.width > width) {
            break;
        }
        for start in 0..FIRST.min(text.len()) {
            for head in width..=LONGEST_HEAD {
                for at in 0..=head - width {
                    for is_whole in [false, true] {
                        let form = Form { start, head, at, width, order, is_whole };
                        let most = best.as_ref().map_or(0, |best| best.records.len());
                        if let Some(chain) = chain(text, form, least, most, &mut looks) {
                            best = Some(chain);
                        }
                    }
                }
            }
        }
    }
    best
}

impl Chain {
    /// Returns whether the length of a record stands in it twice. A number of four bytes may seem to be one in the other order that begins a byte
    /// behind it, but not two next to each other.
    fn is_twice(&self) -> bool {
        self.twin.is_some() || self.has_length_at_end
    }
}

/// Returns the chain of a form if there is one, with more records than `most`.
fn chain(text: &[u8], form: Form, least: usize, most: usize, looks: &mut usize) -> Option<Chain> {
    let (mut at, mut count, mut empty, mut inside) = (form.start, 0, 0, 0);
    while at < text.len() {
        let record = form.record(text, at)?;
        *looks = looks.checked_sub(1)?;
        count += 1;
        inside += record.len() - form.head;
        empty += usize::from(record.len() == form.head);
        if count == SHOWN && empty * 2 > count {
            return None;
        }
        at = record.end;
    }
    // Nothing but a length before each is no chain; nor are things of which hardly anything is in them.
    let is_plain = form.head == form.width;
    if count <= most || is_plain || empty * 2 > count || inside * 4 < text.len() - form.start {
        return None;
    }
    let next = |record: &Range<usize>| form.record(text, record.end);
    let records: Vec<_> = std::iter::successors(form.record(text, form.start), next).collect();
    let length = |record: &Range<usize>| number(text, form.field(record.start + form.at), form.order);
    let is_twin = |twin: &usize| {
        records.iter().all(|record| number(text, form.field(record.start + twin), form.order) == length(record))
    };
    let neighbours = [form.at + form.width, form.at.wrapping_sub(form.width)];
    let twin = neighbours.into_iter().filter(|twin| twin.saturating_add(form.width) <= form.head).find(is_twin);
    let has_length_at_end = records.iter().all(|record| {
        let end = record.len() >= form.head + form.width && form.is_whole;
        end && number(text, record.end - form.width..record.end, form.order) == length(record)
    });
    let chain = Chain { form, records, twin, has_length_at_end };
    let is_long = form.width == 4 && chain.records.iter().all(|record| record.len() >= LONG);
    let is_enough = chain.is_twice() && (count >= least || is_long);
    (is_enough && count > most).then_some(chain)
}

impl Form {
    fn field(&self, at: usize) -> Range<usize> {
        at..at + self.width
    }

    /// Returns the record that begins there, if all of it is in the text.
    fn record(&self, text: &[u8], at: usize) -> Option<Range<usize>> {
        if at >= text.len() {
            return None;
        }
        let length = number(text, self.field(at + self.at), self.order)?;
        let inside = if self.is_whole { length.checked_sub(self.head)? } else { length };
        (at + self.head).checked_add(inside).filter(|end| *end <= text.len()).map(|end| at..end)
    }
}
