//! Removes events that only go together.
//!
//! ## What it tries
//! Of events without which, alone, the test could not tell, pairs are removed: first with those that share a rare
//! word (a name, a number), then with the nearest of another kind, a dozen for each at most; and all events that share a
//! word.
//!
//! ## When it helps
//! `open a` and `close a`, `begin` and `commit`: neither goes alone, and nothing declares that they belong together.
//!
//! ## Before
//! ```events
//! open a
//! open b
//! write b
//! close a
//! ```
//! ## After
//! ```events
//! open b
//! write b
//! ```

use crate::events::record;
use crate::pass::{Needs, Pass, Proposals, Stage};
use crate::rewrite::propose_shrinking;
use reduct_input::Record;
use reduct_input::Subject;
use reduct_input::record::Dependents;
use reduct_input::record::line::line_of;
use reduct_input::{Edit, Splice};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) const PASS: Pass = Pass {
    stage: Stage::PairedEvents,
    of_records: true,
    must_parse: false,
    needs: Needs::Text,
    ..Pass::rewriting("partners", "removes events that only go together, as the tests show", LIKELY, propose)
};

/// Of the pairs that are tried most are no partners; where one is, there are more like it.
const LIKELY: f64 = 0.5;

/// Of more events without which the test cannot tell, only the last are looked at: what goes makes room for others.
const MOST_EVENTS: usize = 256;

/// So many are tried at most as partners of an event.
const MOST_PARTNERS: usize = 12;

/// So many of them at most because of a word that they share.
const MOST_SHARING: usize = 6;

/// A word that more events share tells nothing.
const MOST_MENTIONS: usize = 64;

/// An event, as far as partners are found by it.
struct EventWords<'a> {
    /// Which part of the record it is.
    part: u32,
    /// What it does: its first word.
    verb: &'a [u8],
    words: BTreeSet<&'a [u8]>,
    stuck: bool,
}

/// What may go together: how soon it is tried, and which events they are, by their places.
type Guess = (usize, Vec<usize>);

fn propose(subject: &Subject) -> Proposals {
    let Some(record) = record(subject) else { return vec![] };
    let events = known(subject, &record);
    let mentions = mentions(&events);
    let stuck: Vec<usize> = (0..events.len()).rev().filter(|at| events[*at].stuck).take(MOST_EVENTS).collect();
    let mut guesses: Vec<Guess> = vec![];
    for at in &stuck {
        let found = paired_events(&events, &mentions, *at).into_iter().enumerate();
        guesses.extend(found.map(|(rank, other)| (rank, vec![*at.min(&other), *at.max(&other)])));
    }
    let all = |places: &Vec<usize>| places.len() > 2 && places.iter().any(|at| stuck.contains(at));
    guesses.extend(mentions.into_values().filter(all).map(|places| (1, places)));
    // The likeliest first, those of one shape side by side: what they have in common shows in groups of them.
    let shape = |places: &[usize]| places.iter().map(|at| events[*at].verb).collect::<Vec<_>>();
    guesses.sort_by_cached_key(|(rank, places)| (*rank, shape(places), places.clone()));
    let mut seen = BTreeSet::new();
    guesses.retain(|(_, places)| seen.insert(places.clone()));
    let mut dependents = Dependents::new(&record);
    let edits = guesses.iter().filter_map(|(_, places)| {
        let gone = dependents.gone(&places.iter().map(|at| events[*at].part).collect());
        let splice = |part: &u32| Splice { at: record.parts()[*part as usize].clone(), with: [][..].into() };
        Edit::new(gone.iter().map(splice).collect())
    });
    // What is declared may make two guesses one edit.
    let mut seen = BTreeSet::new();
    let places = |edit: &Edit| edit.splices().iter().map(|splice| splice.at.start).collect::<Vec<_>>();
    propose_shrinking(subject, edits.filter(|edit| seen.insert(places(edit))))
}

/// Returns the events in their order.
fn known<'a>(subject: &'a Subject, record: &Record) -> Vec<EventWords<'a>> {
    let mut order: Vec<usize> = (0..record.parts().len()).collect();
    order.sort_by_key(|part| record.parts()[*part].start);
    let one = |part: usize| {
        let line = line_of(subject.text(record.parts()[part].clone()));
        let stuck = subject.unmet_needs().is_none_or(|stuck| stuck.has(line));
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
        let mut words = line.split(|byte| !is_word(byte)).filter(|word| !word.is_empty());
        let verb = words.next().unwrap_or_default();
        EventWords { part: part as u32, verb, words: words.collect(), stuck }
    };
    order.into_iter().map(one).collect()
}

/// Returns, by word that some but not many share, where it stands.
fn mentions<'a>(events: &[EventWords<'a>]) -> BTreeMap<&'a [u8], Vec<usize>> {
    let mut found: BTreeMap<&[u8], Vec<usize>> = BTreeMap::new();
    for (at, event) in events.iter().enumerate() {
        event.words.iter().for_each(|word| found.entry(word).or_default().push(at));
    }
    found.retain(|_, places| (2..=MOST_MENTIONS).contains(&places.len()) && places.len() < events.len());
    found
}

/// Returns the events that an event may belong to, the likeliest first.
fn paired_events(events: &[EventWords], mentions: &BTreeMap<&[u8], Vec<usize>>, at: usize) -> Vec<usize> {
    let mut sharing: BTreeMap<usize, usize> = BTreeMap::new();
    for places in events[at].words.iter().filter_map(|word| mentions.get(word)) {
        for other in places.iter().filter(|other| **other != at) {
            let rarest = sharing.entry(*other).or_insert(usize::MAX);
            *rarest = places.len().min(*rarest);
        }
    }
    // Two that do the same are seldom each other's end.
    let likeness = |other: usize| (events[other].verb == events[at].verb, at.abs_diff(other), other);
    let mut found: Vec<usize> = sharing.keys().copied().collect();
    found.sort_by_key(|other| (sharing[other], likeness(*other)));
    found.truncate(MOST_SHARING);
    let near = at.saturating_sub(2 * MOST_PARTNERS)..(at + 2 * MOST_PARTNERS + 1).min(events.len());
    let mut nearest: Vec<usize> = near.filter(|other| *other != at && !found.contains(other)).collect();
    nearest.sort_by_key(|other| likeness(*other));
    found.extend(nearest);
    found.truncate(MOST_PARTNERS);
    found
}
