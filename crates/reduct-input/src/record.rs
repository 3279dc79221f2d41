//! Events that need earlier ones, and what is left of them when some go.

pub mod line;

use line::untimed;
use reduct_core::{Config, Delta, Key, Keyed, Outcome};
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// Events without which, alone, the test could not tell: others seem to need them. Lines that read alike, but for when
/// they are, are one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnmetNeeds(Arc<Vec<Key>>);

impl UnmetNeeds {
    /// Learns what came of leaving out the event of this line alone. Returns whether that says anything new.
    pub fn learn(&mut self, line: &[u8], outcome: Outcome) -> bool {
        match (self.0.binary_search(&key(line)), outcome) {
            (Err(at), Outcome::Unresolved) => Arc::make_mut(&mut self.0).insert(at, key(line)),
            (Ok(at), Outcome::Pass) => drop(Arc::make_mut(&mut self.0).remove(at)),
            _ => return false,
        }
        true
    }

    /// Returns whether that of this line is one.
    pub fn has(&self, line: &[u8]) -> bool {
        self.0.binary_search(&key(line)).is_ok()
    }
}

/// Returns the key of an event, which is the same whenever the event is: pauses are made shorter on the way.
fn key(line: &[u8]) -> Key {
    let mut key = Keyed::default();
    let [before, after] = untimed(line.trim_ascii());
    before.iter().chain(after).for_each(|byte| key.add(u64::from(*byte)));
    key.finish()
}

/// The events of a record, and which need which.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Their addresses. What ends something stands right behind what began it, so that both can go in one group.
    parts: Box<[Range<u32>]>,
    /// By part, what it has to do with handles.
    links: Box<[Link]>,
    /// The parts in the order of the record.
    course: Box<[u32]>,
    handles: usize,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Link {
    makes: Box<[u32]>,
    needs: Box<[u32]>,
    ends: Box<[u32]>,
}

impl Link {
    fn all(&self) -> impl Iterator<Item = u32> + '_ {
        [&self.makes, &self.needs, &self.ends].into_iter().flat_map(|handles| handles.iter().copied())
    }
}

/// What the events of a record have to do with each other, as it is collected.
#[derive(Debug, Default)]
pub struct Links {
    links: Vec<Link>,
    handles: u32,
}

impl Links {
    /// Returns a handle that no event has yet.
    pub fn new_handle(&mut self) -> u32 {
        self.handles += 1;
        self.handles - 1
    }

    /// Adds the next event.
    pub fn add(&mut self, makes: Vec<u32>, needs: Vec<u32>, ends: Vec<u32>) {
        self.links.push(Link { makes: makes.into(), needs: needs.into(), ends: ends.into() });
    }
}

/// Which handles there are at some moment.
struct Handles {
    /// By handle: whether it was ever made.
    made: Vec<bool>,
    /// By handle: the event that made it, if nothing has ended it since.
    open: Vec<Option<u32>>,
}

impl Handles {
    fn new(count: usize) -> Handles {
        Handles { made: vec![false; count], open: vec![None; count] }
    }

    fn has(&self, link: &Link) -> bool {
        link.needs.iter().all(|handle| self.made[*handle as usize])
            && link.ends.iter().all(|handle| self.open[*handle as usize].is_some())
    }

    fn after(&mut self, event: u32, link: &Link) {
        link.ends.iter().for_each(|handle| self.open[*handle as usize] = None);
        for handle in &link.makes {
            self.made[*handle as usize] = true;
            self.open[*handle as usize] = Some(event);
        }
    }
}

/// What goes with events of a record, for many of them one after the other: only what has to do with them is looked at.
pub struct Dependents<'a> {
    record: &'a Record,
    /// By part, which group it is in. Events of different groups have no handle in common.
    group: Vec<u32>,
    /// By group, its parts in the order of the record.
    groups: Vec<Vec<u32>>,
    /// As there are before any event, whenever nothing is looked at.
    handles: Handles,
}

impl<'a> Dependents<'a> {
    /// Returns which events of a record depend on each other.
    pub fn new(record: &'a Record) -> Dependents<'a> {
        // By handle, another one of the same group, or itself.
        let mut other: Vec<u32> = (0..record.handles as u32).collect();
        let find = |other: &mut Vec<u32>, mut handle: u32| {
            while other[handle as usize] != handle {
                other[handle as usize] = other[other[handle as usize] as usize];
                handle = other[handle as usize];
            }
            handle
        };
        for link in &record.links {
            let Some(first) = link.all().next() else { continue };
            for handle in link.all() {
                let (one, two) = (find(&mut other, first), find(&mut other, handle));
                other[one.max(two) as usize] = one.min(two);
            }
        }
        let mut known = vec![None; record.handles];
        let (mut group, mut groups): (Vec<u32>, Vec<Vec<u32>>) = (vec![0; record.links.len()], vec![]);
        for part in &record.course {
            let root = record.links[*part as usize].all().next().map(|handle| find(&mut other, handle) as usize);
            let at = root.and_then(|root| known[root]).unwrap_or_else(|| {
                groups.push(vec![]);
                groups.len() - 1
            });
            if let Some(root) = root {
                known[root] = Some(at);
            }
            groups[at].push(*part);
            group[*part as usize] = at as u32;
        }
        Dependents { record, group, groups, handles: Handles::new(record.handles) }
    }

    /// Returns these parts and those that lack what they need without them.
    pub fn gone(&mut self, parts: &BTreeSet<u32>) -> BTreeSet<u32> {
        let mut gone = parts.clone();
        let groups: BTreeSet<u32> = parts.iter().map(|part| self.group[*part as usize]).collect();
        for part in groups.iter().flat_map(|group| &self.groups[*group as usize]) {
            let link = &self.record.links[*part as usize];
            if !parts.contains(part) && self.handles.has(link) {
                self.handles.after(*part, link);
            } else {
                gone.insert(*part);
            }
        }
        for part in groups.iter().flat_map(|group| &self.groups[*group as usize]) {
            for handle in self.record.links[*part as usize].all() {
                self.handles.made[handle as usize] = false;
                self.handles.open[handle as usize] = None;
            }
        }
        gone
    }
}

impl Record {
    /// Returns the events at these addresses, which ascend, with what they have to do with each other. What an event
    /// says it needs and does not have in the whole record, it does not need.
    pub fn new(parts: Vec<Range<u32>>, all: Links) -> Record {
        let count = all.handles as usize;
        let mut handles = Handles::new(count);
        let mut links = all.links;
        // Behind which event one stands: itself, or what began what it ends.
        let mut leaders: Vec<u32> = vec![];
        for (at, link) in links.iter_mut().enumerate() {
            let only = |all: &[u32], is: &dyn Fn(u32) -> bool| all.iter().copied().filter(|one| is(*one)).collect();
            link.needs = only(&link.needs, &|handle| handles.made[handle as usize]);
            link.ends = only(&link.ends, &|handle| handles.open[handle as usize].is_some());
            let leader = link.ends.first().and_then(|handle| handles.open[*handle as usize]);
            leaders.push(leader.map_or(at as u32, |leader| leaders[leader as usize]));
            handles.after(at as u32, link);
        }
        let mut order: Vec<u32> = (0..links.len() as u32).collect();
        order.sort_by_key(|at| (leaders[*at as usize], *at));
        let mut course = vec![0; order.len()];
        order.iter().enumerate().for_each(|(part, at)| course[*at as usize] = part as u32);
        Record {
            parts: order.iter().map(|at| parts[*at as usize].clone()).collect(),
            links: order.iter().map(|at| std::mem::take(&mut links[*at as usize])).collect(),
            course: course.into(),
            handles: count,
        }
    }

    /// Returns the addresses of the events.
    pub fn parts(&self) -> &[Range<u32>] {
        &self.parts
    }

    /// Returns what is left of these events without those that lack what they need.
    pub fn closed(&self, config: &Config) -> Config {
        let mut handles = Handles::new(self.handles);
        let mut kept = vec![];
        for part in &self.course {
            let link = &self.links[*part as usize];
            if config.contains(Delta(*part)) && handles.has(link) {
                handles.after(*part, link);
                kept.push(Delta(*part));
            }
        }
        kept.sort_unstable();
        Config::from_deltas(kept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_with_events_is_what_is_not_left_without_them() {
        let mut state = 1u64;
        let mut next = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        for _ in 0..500 {
            let mut all = Links::default();
            for _ in 0..6 {
                all.new_handle();
            }
            for _ in 0..12 {
                let mut some = || (0..next(3)).map(|_| next(6) as u32).collect::<BTreeSet<_>>().into_iter().collect();
                let (makes, needs) = (some(), some());
                let ends = if next(2) == 0 { vec![] } else { vec![next(6) as u32] };
                all.add(makes, needs, ends);
            }
            let record = Record::new((0..12).map(|at| at..at + 1).collect(), all);
            let mut dependents = Dependents::new(&record);
            let full = Config::full(12);
            for _ in 0..5 {
                let parts: BTreeSet<u32> = (0..2).map(|_| next(12) as u32).collect();
                let left = record.closed(&full.minus(&Config::from_deltas(parts.iter().copied().map(Delta))));
                let gone: BTreeSet<u32> = full.minus(&left).iter().map(|Delta(part)| part).collect();
                assert_eq!(dependents.gone(&parts), gone);
            }
        }
    }
}
