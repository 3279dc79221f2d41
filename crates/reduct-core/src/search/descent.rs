//! Descent: relevance on a tree, from the back, each needed part taken apart before what stands before it.
//!
//! docs/ALGORITHMS.md, 4.2 and 4.3. The undecided parts stand in one sequence, and groups are taken from its end as
//! in [`super::relevance`]. A part that is needed is replaced in it by the parts in it, which are decided
//! next. So the uses in a needed part go before the definitions that stand before it are tried, which
//! level by level they do not: where every candidate has to compile, that is most of the work.
//!
//! Where parts of one shape were taken apart in vain, some of the next ones are put off (`weariness.rs`), and tried
//! once more when all else is decided. If wanted, small ones wait, too, while much stands before them.
//!
//! Each part is decided once, or twice if it was put off: at most n·(3 + log₂ n) questions for n parts, and as many again for each
//! further time that small ones wait. Where parts have names, those that are alike are asked about together, too (`alike.rs`), which may be in vain as often as parts go or are needed. A part found
//! needed may become loose later, so a [`super::sweep::Sweep`] must follow for 1-minimality.

mod alike;
mod density;
mod kinds;
mod nesting;
mod weariness;

use super::Search;
use super::relevance::Learned;
use crate::config::{Config, Delta};
use crate::outcome::Outcome::{self, Fail};
use alike::{Alike, Together};
pub use density::Density;
pub use nesting::Nesting;
use std::sync::Arc;
use weariness::{PutOff, Weariness};

/// A region is the outermost part around the place that has at most one of so many parts that stand before it in it, or so much of the
/// list that is in no other.
const REGION: u32 = 16;
const RUN: u32 = 64;

/// It is not passed over if less than one of so many parts of the tree stands before it.
const BEFORE: usize = 32;

/// A descent, paused before one test.
#[derive(Clone, Debug)]
pub struct Descent {
    nesting: Arc<Nesting>,
    config: Config,
    place: Position,
    /// How many parts from there on are known to hold a needed one.
    dirty: usize,
    last_needed: bool,
    learned: Learned,
    density: Density,
    /// What came of parts that are alike.
    alike: Alike,
    /// Parts that are taken for needed, and not tried.
    kept: Config,
    /// Which parts to put off; `None` once all of those are tried.
    weariness: Option<Weariness>,
    /// The group that goes in this test; `None` once all is decided.
    group: Option<Group>,
}

/// The last undecided part, and the needed ones it is in, the innermost last. All before it is undecided
/// too, all after it is decided.
#[derive(Clone, Debug)]
struct Position {
    part: Option<u32>,
    within: Arc<Vec<u32>>,
}

#[derive(Clone, Debug)]
struct Group {
    count: usize,
    /// What is left without it.
    smaller: Config,
    /// The parts of one kind that it is made of, if it is no sequence.
    together: Option<Together>,
    /// The place before it.
    before: Position,
}

impl Descent {
    /// Reduces the parts that are nested so, all of which together fail.
    ///
    /// ```
    /// use reduct_core::{Config, Delta, Descent, Learned, Nesting, Outcome, Search, run};
    /// use std::sync::Arc;
    ///
    /// // Part 0 holds part 1, part 2 holds part 3: with part 2, part 3 goes.
    /// let nesting = Arc::new(Nesting::new(vec![2, 2, 4, 4]));
    /// let fails = |config: &Config| Outcome::from(config.contains(Delta(0)));
    /// let search = run(Descent::new(nesting, Learned::new(4)), fails);
    /// assert_eq!(search.best(), Config::from_deltas([Delta(0)]));
    /// ```
    pub fn new(nesting: Arc<Nesting>, learned: Learned) -> Descent {
        let config = Config::full(nesting.len());
        let place = Position { part: nesting.last_root, within: Arc::default() };
        let mut search = Descent {
            nesting,
            config,
            place,
            dirty: 0,
            last_needed: false,
            learned,
            density: Density::of(learned),
            alike: Alike::default(),
            kept: Config::empty(),
            weariness: Some(Weariness::default()),
            group: None,
        };
        search.choose();
        search
    }

    /// Returns the same search, which takes these parts for needed; what is in them is tried.
    pub fn keeping(self, kept: Config) -> Descent {
        let mut search = Descent { kept, ..self };
        search.choose();
        search
    }

    /// Returns the same search, which expects needed parts to stand as densely as in another one.
    #[must_use]
    pub fn as_dense_as(self, density: Density) -> Descent {
        let mut search = Descent { density, ..self };
        search.choose();
        search
    }

    /// Returns how densely needed parts stand where it is.
    pub fn density(&self) -> Density {
        self.density
    }

    /// Returns what was learned so far.
    pub fn learned(&self) -> Learned {
        self.learned
    }

    /// Returns the same search, in which a needed part waits if so many times as many parts stand before it as there are in it. When all else
    /// is decided, what waits is searched in the same way, for parts that are smaller by an eighth, and so on.
    #[must_use]
    pub fn coarse_first(mut self, times: u32) -> Descent {
        self.become_coarse(times);
        self.choose();
        self
    }

    /// Has needed parts wait from here on, as [`Descent::coarse_first`] does, unless some wait for that already.
    pub fn become_coarse(&mut self, times: u32) {
        self.weariness.iter_mut().for_each(|weariness| weariness.become_coarse(times));
    }

    /// Returns the parts that were found to be needed, if the search is not about to look for one in a group that did not go.
    pub fn needed_between_groups(&self) -> Option<Config> {
        // What stands in the last undecided part is undecided, too; what it is in is needed.
        let decided = self.place.part.map_or(0, |part| self.nesting.after(part));
        let within = Config::from_deltas(self.place.within.iter().map(|part| Delta(*part)));
        let put_off = self.weariness.iter().flat_map(Weariness::put_off).rev();
        let untried = put_off.map(|it| it.part + u32::from(it.is_needed)..self.nesting.after(it.part));
        let untried = untried.filter(|untried| untried.start >= decided);
        let undecided = Config::from_ranges(std::iter::once(0..decided).chain(untried));
        (self.dirty == 0).then(|| self.config.minus(&undecided).union(&within))
    }

    /// Puts off what is undecided in the region where the search is, as that does not pay, and goes on before it. `false` if hardly anything stands
    /// before it, if the search is about to look for a needed part in a group that did not go, or has come to what was put off last.
    pub fn has_passed_region(&mut self) -> bool {
        let (Some(part), Some(_), 0) = (self.place.part, &self.weariness, self.dirty) else { return false };
        let is_small = |part: &&u32| self.nesting.inner(**part) <= **part / REGION;
        let start = self.place.within.iter().find(is_small).copied().unwrap_or(part - part / RUN);
        if (start as usize) < self.nesting.len() / BEFORE {
            return false;
        }
        while let Some(part) = self.place.part.filter(|part| *part >= start) {
            let (is_needed, left) = (self.kept.contains(Delta(part)), || self.config.len());
            if let Some(weariness) = &mut self.weariness {
                weariness.put(PutOff { part, is_needed }, left);
            }
            self.go_before(part);
        }
        self.last_needed = false;
        self.choose();
        true
    }

    /// Chooses the group to try next.
    fn choose(&mut self) {
        loop {
            while self.dirty == 0 && self.place.part.is_some_and(|part| self.kept.contains(Delta(part))) {
                self.descend();
            }
            if self.place.part.is_some() || !self.turn_to_what_was_put_off() {
                break;
            }
        }
        let limit = self.nesting.len();
        let wanted = match self.dirty {
            0 => self.density.odds(self.last_needed).group(limit),
            dirty => self.density.odds(self.last_needed).part(dirty),
        };
        self.group = self.last(wanted);
        self.prefer_alike();
    }

    /// Chooses parts that are alike in place of a sequence, if more goes with them.
    fn prefer_alike(&mut self) {
        let (Some(last), Some(sequence), 0) = (self.place.part, &self.group, self.dirty) else { return };
        let Some(together) = self.alike.together(&self.nesting, last, &self.config, &self.kept) else { return };
        let smaller = self.config.minus(&together.gone);
        if smaller.len() < sequence.smaller.len() {
            let before = self.place.clone();
            self.group = Some(Group { count: 0, smaller, together: Some(together), before });
        }
    }

    /// Notes that the last undecided parts, so many, went.
    fn note_alike(&mut self, count: usize) {
        let (mut next, mut depth) = (self.place.part, self.place.within.len());
        for _ in 0..count {
            let Some(part) = next else { return };
            self.alike.gone(&self.nesting, part);
            next = self.before(part, &mut depth);
        }
    }

    /// Goes before what has gone together with parts that are alike.
    fn pass_what_is_gone(&mut self) {
        if let Some(part) = self.place.part.filter(|part| !self.config.contains(Delta(*part))) {
            self.go_before(part);
        }
    }

    /// Returns the last `wanted` undecided parts, or all if there are not so many.
    fn last(&self, wanted: usize) -> Option<Group> {
        let (mut part, mut depth) = (self.place.part?, self.place.within.len());
        let mut gone: Vec<std::ops::Range<u32>> = vec![];
        let mut count = 0;
        let before = loop {
            let end = self.nesting.after[part as usize];
            match gone.last_mut() {
                Some(later) if later.start == end => later.start = part,
                _ => gone.push(part..end),
            }
            count += 1;
            let next = self.before(part, &mut depth);
            match next {
                Some(next) if count < wanted && !self.kept.contains(Delta(next)) => part = next,
                _ => break next,
            }
        };
        let smaller = self.config.minus(&Config::from_ranges(gone.into_iter().rev()));
        let within = match depth == self.place.within.len() {
            true => Arc::clone(&self.place.within),
            false => Arc::new(self.place.within[..depth].to_vec()),
        };
        Some(Group { count, smaller, together: None, before: Position { part: before, within } })
    }

    /// Returns the undecided part before `part`, which is in `depth` needed ones; the depth becomes its own.
    fn before(&self, part: u32, depth: &mut usize) -> Option<u32> {
        let mut previous = self.nesting.previous[part as usize];
        loop {
            previous = match previous {
                // It has gone together with others.
                Some(gone) if !self.config.contains(Delta(gone)) => self.nesting.previous[gone as usize],
                None if *depth > 0 => {
                    *depth -= 1;
                    self.nesting.previous[self.place.within[*depth] as usize]
                }
                _ => return previous,
            };
        }
    }

    /// Notes that the last undecided part was found to be needed.
    fn learn_needed(&mut self) {
        self.learned.needed(self.last_needed);
        self.density.needed(self.last_needed);
        self.last_needed = true;
        self.dirty = 0;
        if let Some(part) = self.place.part {
            self.alike.needed(&self.nesting, part);
        }
        self.descend();
    }

    /// Puts what is in the last undecided part next, or what is before it if the part is put off or holds nothing.
    fn descend(&mut self) {
        let Some(part) = self.place.part else { return };
        let (depth, inner) = (self.place.within.len(), self.nesting.inner(part));
        let left = || self.config.len();
        let is_put_off = |weariness: &mut Weariness| weariness.puts_off(part, depth, inner, left);
        match self.nesting.last[part as usize] {
            Some(last) if !self.weariness.as_mut().is_some_and(is_put_off) => {
                Arc::make_mut(&mut self.place.within).push(part);
                self.place.part = Some(last);
                self.pass_what_is_gone();
            }
            _ => self.go_before(part),
        }
    }

    /// Goes on with what stands before a part.
    fn go_before(&mut self, part: u32) {
        let mut depth = self.place.within.len();
        self.place.part = self.before(part, &mut depth);
        self.leave(depth);
        if depth < self.place.within.len() {
            Arc::make_mut(&mut self.place.within).truncate(depth);
        }
    }

    /// Notes that all parts but the outermost `depth` were taken apart.
    fn leave(&mut self, depth: usize) {
        let Some(weariness) = &mut self.weariness else { return };
        for (at, part) in self.place.within.iter().enumerate().skip(depth).rev() {
            weariness.leave(at, self.nesting.inner(*part));
        }
    }

    /// Begins to try what was put off, once all else is decided. `false` if there is none.
    fn turn_to_what_was_put_off(&mut self) -> bool {
        let Some(weariness) = self.weariness.take().filter(|weariness| !weariness.put_off().is_empty()) else {
            return false;
        };
        let roots = weariness.put_off();
        self.nesting = Arc::new(self.nesting.of_roots(roots));
        if !weariness.asks_again(self.config.len()) {
            let needed = roots.iter().rev().filter(|root| root.is_needed);
            self.kept = self.kept.union(&Config::from_deltas(needed.map(|root| Delta(root.part))));
        }
        self.place = Position { part: self.nesting.last_root, within: Arc::default() };
        self.weariness = weariness.finer(self.nesting.len());
        self.pass_what_is_gone();
        true
    }
}

impl Search for Descent {
    type Question = Config;

    fn ask(&self) -> Option<Config> {
        self.group.as_ref().map(|group| group.smaller.clone())
    }

    fn tell(&mut self, outcome: Outcome) {
        let Some(group) = self.group.take() else { return };
        if let Some(together) = group.together {
            self.alike.tell(&together, outcome == Fail);
            if outcome == Fail {
                self.config = group.smaller;
                self.weariness.iter_mut().for_each(|weariness| weariness.pay(self.place.within.len()));
                self.pass_what_is_gone();
            }
            self.choose();
            return;
        }
        if outcome == Fail {
            self.note_alike(group.count);
            self.config = group.smaller;
            if let Some(weariness) = &mut self.weariness {
                weariness.pay(self.place.within.len());
            }
            self.leave(group.before.within.len());
            self.place = group.before;
            self.learned.gone(self.last_needed, group.count);
            self.density.gone(self.last_needed, group.count);
            self.last_needed = false;
            // What is left of a dirty group holds the needed one.
            self.dirty = self.dirty.saturating_sub(group.count);
        } else {
            self.dirty = group.count;
        }
        if self.dirty == 1 {
            self.learn_needed();
        }
        self.choose();
    }

    fn best(&self) -> Config {
        self.config.clone()
    }

    fn odds(&self) -> Option<f32> {
        let group = self.group.as_ref()?;
        let sequence = || self.density.odds(self.last_needed).likely(group.count, self.dirty);
        Some(group.together.as_ref().map_or_else(sequence, |together| together.likely))
    }

    fn undecided(&self) -> Option<usize> {
        Some(self.place.part.map_or(0, |part| self.nesting.after(part) as usize))
    }
}
