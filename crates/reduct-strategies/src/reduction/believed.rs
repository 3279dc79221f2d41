//! What was tried in vain, and is believed to be needed until the final proof, as long as what stands around it stays
//! as it is.
//!
//! Each byte that goes makes another input, of which nothing is known for certain. But what could not go before hardly
//! ever can because something far away has gone; and where it can, the proof finds it, which tries everything.

use reduct_core::{Config, Delta, Key, Keyed};
use reduct_input::parts::Edits;
use reduct_input::{Candidate, Circumstances, Parts, Spans};
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

/// How many bytes on either side have to be the same.
const AROUND: usize = 24;

/// Of longer texts only so much of either end is looked at.
const ENDS: usize = 256;

/// More parts of one list are not taken note of.
const MOST: usize = 1 << 16;

/// What was tried in vain, by what it is and what stands around it.
#[derive(Clone, Debug, Default)]
pub(super) struct Believed(Arc<HashSet<Key>>);

impl Believed {
    /// Returns the parts of a list that are believed to be needed. `rewriting` is the pass if its parts are edits of its
    /// own: what one cannot do, another one may.
    pub(super) fn of(&self, parts: &Parts, spans: &Spans, rewriting: Option<usize>) -> Config {
        if self.0.is_empty() {
            return Config::empty();
        }
        let at = |address: u32| address as usize;
        let is_known = |part: &Delta| {
            let text = parts.base().bytes();
            self.0.contains(&print(text, &changes(parts, spans, *part), at, rewriting))
        };
        Config::from_deltas((0..parts.len() as u32).map(Delta).filter(is_known))
    }

    /// Takes note that these parts cannot go from what is left now.
    pub(super) fn add(&mut self, needed: &Config, parts: &Parts, spans: &Spans, left: &Left, rewriting: Option<usize>) {
        if needed.is_empty() || needed.len() > MOST {
            return;
        }
        let at = |address: u32| left.place(address);
        let prints = needed.iter().map(|part| print(&left.text, &changes(parts, spans, part), at, rewriting));
        Arc::make_mut(&mut self.0).extend(prints);
    }
}

/// What is left of a base.
pub(super) struct Left {
    candidate: Candidate,
    put_in: Vec<(u32, usize)>,
    text: Vec<u8>,
}

impl Left {
    pub(super) fn new(candidate: &Candidate) -> Left {
        let text = candidate.pieces().flat_map(|(_, pieces)| pieces.concat()).collect();
        Left { candidate: candidate.clone(), put_in: candidate.put_in(), text }
    }

    /// Returns where it has what the base has at an address.
    fn place(&self, address: u32) -> usize {
        let before = self.put_in.partition_point(|(at, _)| *at < address).checked_sub(1);
        self.candidate.kept().count_within(0..address) + before.map_or(0, |at| self.put_in[at].1)
    }
}

/// Returns what a part changes: addresses, and what would come in their place.
fn changes(parts: &Parts, spans: &Spans, part: Delta) -> Vec<(Range<u32>, Arc<[u8]>)> {
    match spans.get::<Edits>() {
        Some(Edits(edits)) => {
            let splices = edits[part.0 as usize].splices().iter();
            splices.map(|splice| (splice.at.clone(), Arc::clone(&splice.with))).collect()
        }
        None => vec![(parts.addresses(part), Arc::new([]))],
    }
}

/// Returns the digest of changes of a text and of what stands around them.
fn print(text: &[u8], changes: &[(Range<u32>, Arc<[u8]>)], at: impl Fn(u32) -> usize, rewriting: Option<usize>) -> Key {
    let mut keyed = Keyed::default();
    keyed.add(rewriting.map_or(0, |pass| pass as u64 + 1));
    for (range, with) in changes {
        let (start, end) = (at(range.start).min(text.len()), at(range.end).min(text.len()));
        add(&mut keyed, &text[start.saturating_sub(AROUND)..start]);
        let gone = &text[start..end.max(start)];
        match gone.len() > 2 * ENDS {
            true => {
                add(&mut keyed, &gone[..ENDS]);
                add(&mut keyed, &gone[gone.len() - ENDS..]);
                keyed.add(gone.len() as u64);
            }
            false => add(&mut keyed, gone),
        }
        add(&mut keyed, with);
        add(&mut keyed, &text[end..(end + AROUND).min(text.len())]);
    }
    keyed.finish()
}

fn add(keyed: &mut Keyed, text: &[u8]) {
    keyed.add(text.len() as u64);
    text.chunks(8).for_each(|chunk| keyed.add(chunk.iter().fold(0, |number, byte| number << 8 | u64::from(*byte))));
}
