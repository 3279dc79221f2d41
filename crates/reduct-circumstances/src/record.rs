//! Events that need earlier ones, and what is left of them when some go.

use reduct_core::{Config, Delta, Key, Keyed, Outcome};
use std::ops::Range;
use std::sync::Arc;

/// Events without which, alone, the test could not tell: others seem to need them. Lines that read alike are one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stuck(Arc<Vec<Key>>);

impl Stuck {
    /// The event of this line was left out alone.
    pub(crate) fn learn(&mut self, line: &[u8], outcome: Outcome) {
        match (self.0.binary_search(&key(line)), outcome) {
            (Err(at), Outcome::Unresolved) => Arc::make_mut(&mut self.0).insert(at, key(line)),
            (Ok(at), Outcome::Pass) => drop(Arc::make_mut(&mut self.0).remove(at)),
            _ => {}
        }
    }

    /// Whether that of this line is one.
    pub(crate) fn has(&self, line: &[u8]) -> bool {
        self.0.binary_search(&key(line)).is_ok()
    }
}

fn key(line: &[u8]) -> Key {
    let mut key = Keyed::default();
    line.trim_ascii().iter().for_each(|byte| key.add(u64::from(*byte)));
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

/// What the events of a record have to do with each other, as it is collected.
#[derive(Debug, Default)]
pub(crate) struct Links {
    links: Vec<Link>,
    handles: u32,
}

impl Links {
    /// A handle that no event has yet.
    pub(crate) fn new_handle(&mut self) -> u32 {
        self.handles += 1;
        self.handles - 1
    }

    /// The next event.
    pub(crate) fn add(&mut self, makes: Vec<u32>, needs: Vec<u32>, ends: Vec<u32>) {
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

impl Record {
    /// The events at these addresses, which ascend, with what they have to do with each other. What an event says it
    /// needs and does not have in the whole record, it does not need.
    pub(crate) fn new(parts: Vec<Range<u32>>, all: Links) -> Record {
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

    /// The addresses of the events.
    pub fn parts(&self) -> &[Range<u32>] {
        &self.parts
    }

    /// What is left of these events without those that lack what they need.
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
