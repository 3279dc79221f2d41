//! Stretches of a tree, by halves, the largest first.
//!
//! docs/ALGORITHMS.md, 4.6. A *stretch* is some parts in a row, in the order of the text. With it go the parts of which
//! nothing is left outside of it, however deep they are, so that what stays is nested as before. Stretches of about one
//! size are asked about from the back, as uses stand after definitions. One that cannot go is cut in two, near its middle
//! where least is nested. If one half goes then, the other one is taken to stay.
//!
//! Delta and Lithium do this with lines. Where few parts are needed, one to two tests for each of them halve the rest,
//! wherever and however deep they stand. Where many are needed, or what is needed lies deep in a nest, this is soon seen, and
//! the search ends. What it leaves is for a [`super::descent::Descent`]. No stretch is asked about twice: at most 2n
//! questions for n parts.

use super::Search;
use super::descent::Nesting;
use crate::config::{Config, Delta};
use crate::outcome::Outcome::{self, Fail};
use std::ops::Range;
use std::sync::Arc;

/// How likely a stretch goes before anything is known.
const AT_FIRST: f64 = 0.25;

/// How much of what earlier tests said is left after each further one.
const KEPT: f64 = 0.85;

/// If all places in the middle half of a stretch are at least so deep in what is around everything, and so many tests in a row were in
/// vain, what is needed is taken to lie deep in a nest: its levels are not to be taken off one by one.
const DEEP: u32 = 32;
const IN_VAIN: usize = 2;

/// A search of stretches, paused before one test.
#[derive(Clone, Debug)]
pub struct Stretches {
    nesting: Arc<Nesting>,
    /// By part, in how many others it is.
    depths: Arc<[u32]>,
    /// How many parts are around everything else.
    around: u32,
    /// By part, where it begins; at last, where all end.
    places: Arc<[u32]>,
    config: Config,
    /// What is still to be decided, in order.
    open: Arc<Vec<Stretch>>,
    /// How many stretches were cut in two.
    cuts: u32,
    /// How often stretches went lately, of how many.
    went: f64,
    asked: f64,
    /// How many in a row did not, and which parts were asked about alone among these.
    in_vain: usize,
    alone: Arc<Vec<u32>>,
    /// How much a test is to be expected to remove: what share of the rest, and how much at least.
    share: f64,
    worth: usize,
    /// What is larger is cut without being asked about.
    largest: usize,
    next: Option<Asked>,
}

/// Some parts in a row.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    start: u32,
    end: u32,
    /// Whether it is taken to stay as a whole: it could not go, or the other half went.
    stays: bool,
    /// What it has in common with the other half of what was cut in two.
    pair: u32,
}

/// The stretch that goes in this test.
#[derive(Clone, Debug)]
struct Asked {
    at: usize,
    /// What is left without it.
    smaller: Config,
    /// The only part that goes, with all that is in it, if there is only one.
    alone: Option<u32>,
}

impl Stretches {
    /// Reduces the parts that are nested so and begin at these places, all of which together fail, as long as a test is expected
    /// to remove this share of what is left, and so much. The last place is the one where all end.
    ///
    /// ```
    /// use reduct_core::{Config, Delta, Nesting, Outcome, Search, Stretches, run};
    /// use std::sync::Arc;
    ///
    /// // Eight lines of ten bytes, of which the third one is needed.
    /// let lines = Arc::new(Nesting::new((1..=8).collect()));
    /// let fails = |config: &Config| Outcome::from(config.contains(Delta(2)));
    /// let search = run(Stretches::new(lines, (0..=8).map(|at| at * 10).collect(), 0.01, 1), fails);
    /// assert_eq!(search.best(), Config::from_deltas([Delta(2)]));
    /// ```
    ///
    /// # Panics
    /// If there are not as many places as parts and one more.
    pub fn new(nesting: Arc<Nesting>, places: Arc<[u32]>, share: f64, worth: usize) -> Stretches {
        assert_eq!(places.len(), nesting.len() + 1, "each part has a place, and the end has one");
        let whole = Stretch { start: 0, end: nesting.len() as u32, stays: true, pair: 0 };
        let mut search = Stretches {
            config: Config::full(nesting.len()),
            depths: depths(&nesting),
            around: around(&nesting),
            nesting,
            places,
            open: Arc::new(vec![whole]),
            cuts: 0,
            went: AT_FIRST,
            asked: 1.0,
            in_vain: 0,
            alone: Arc::default(),
            share,
            worth,
            largest: usize::MAX,
            next: None,
        };
        search.choose();
        search
    }

    /// Asks about no stretch of more than that: larger ones are cut at once.
    #[must_use]
    pub fn of_at_most(self, largest: usize) -> Stretches {
        self.of_at_most_before(largest, usize::MAX)
    }

    /// Does the same, and asks only about half as much of what begins at a place or behind it: the rest of it was asked about earlier.
    #[must_use]
    pub fn of_at_most_before(mut self, largest: usize, place: usize) -> Stretches {
        (self.largest, self.next) = (largest, None);
        let mut whole: Vec<Stretch> = self.open.iter().rev().copied().collect();
        let mut open = vec![];
        while let Some(stretch) = whole.pop() {
            let size = self.size(self.config.within(stretch.start..stretch.end));
            let is_before = (self.places[stretch.start as usize] as usize) < place;
            let most = if is_before { largest } else { largest / 2 };
            match if size > most { self.halves(stretch) } else { None } {
                Some(halves) => whole.extend(halves.into_iter().rev()),
                None => open.push(stretch),
            }
        }
        self.open = Arc::new(open);
        self.choose();
        self
    }

    /// Returns how large a stretch has to be to be asked about now.
    pub fn least(&self) -> usize {
        (self.wanted() * self.asked / self.went).ceil() as usize
    }

    /// Returns how much a test is to be expected to remove.
    fn wanted(&self) -> f64 {
        (self.size(self.config.ranges()) as f64 * self.share).max(self.worth as f64)
    }

    /// Returns how large the largest stretch is that is still whole.
    pub fn largest_whole(&self) -> usize {
        let size = |stretch: &Stretch| self.size(self.config.within(stretch.start..stretch.end));
        self.open.iter().map(size).max().unwrap_or(0)
    }

    /// Returns where the last one ends of those stretches that are about as large as the largest one and were not asked about: what is behind
    /// is smaller, or was asked about. 0 if there is none.
    pub fn end_of_largest(&self) -> usize {
        let size = |stretch: &Stretch| self.size(self.config.within(stretch.start..stretch.end)).checked_ilog2();
        let largest = self.open.iter().map(size).max();
        let last = self.open.iter().rfind(|stretch| !stretch.stays && Some(size(stretch)) == largest);
        last.map_or(0, |stretch| self.places[stretch.end as usize] as usize)
    }

    /// Returns the parts that were found to be needed in what is left: those that were asked about alone.
    pub fn needed(&self) -> Config {
        let mut alone = self.alone.to_vec();
        alone.sort_unstable();
        Config::from_deltas(alone.into_iter().map(Delta))
    }

    /// Chooses the stretch to ask about next.
    fn choose(&mut self) {
        let (left, wanted) = (self.size(self.config.ranges()), self.wanted());
        loop {
            let size = |stretch: &Stretch| self.size(self.config.within(stretch.start..stretch.end));
            let sizes = self.open.iter().map(size).enumerate();
            let Some((at, size)) = sizes.max_by_key(|(at, size)| (size.checked_ilog2(), *at)) else { return };
            let expected = size as f64 * self.went / self.asked;
            if size == 0 || expected < wanted {
                return;
            }
            if !self.open[at].stays && size <= self.largest {
                let asked = self.without(at);
                let is_known = asked.alone.is_some_and(|part| self.alone.contains(&part));
                // Where most of a stretch is around what follows it, hardly anything would go.
                if !is_known && self.size(asked.smaller.ranges()) + size / 4 < left {
                    self.next = Some(asked);
                    return;
                }
            }
            if !self.cut(at) {
                return;
            }
        }
    }

    /// Returns how much these parts are.
    fn size(&self, runs: impl Iterator<Item = Range<u32>>) -> usize {
        runs.map(|run| (self.places[run.end as usize] - self.places[run.start as usize]) as usize).sum()
    }

    /// Returns what is asked about a stretch: whether the parts in it can go of which nothing is left outside.
    fn without(&self, at: usize) -> Asked {
        let Stretch { start, end, .. } = self.open[at];
        let mut gone: Vec<Range<u32>> = vec![];
        let mut part = start;
        while part < end {
            let after = self.nesting.after(part);
            let is_inside = after <= end || self.config.count_within(end..after) == 0;
            if is_inside {
                gone.push(part..after);
            }
            part = if is_inside { after } else { part + 1 };
        }
        let mut left = gone.iter().filter(|range| self.config.contains(Delta(range.start)));
        let alone = left.next().filter(|_| left.next().is_none()).map(|range| range.start);
        Asked { at, smaller: self.config.minus(&Config::from_ranges(gone)), alone }
    }

    /// Cuts a stretch in two. `false` if it is deep in a nest.
    fn cut(&mut self, at: usize) -> bool {
        let Some(halves) = self.halves(self.open[at]) else { return false };
        Arc::make_mut(&mut self.open).splice(at..at + 1, halves);
        true
    }

    /// Returns both halves of a stretch, none if it is of one part. `None` if it is deep in a nest.
    fn halves(&mut self, Stretch { start, end, .. }: Stretch) -> Option<Vec<Stretch>> {
        let middle = self.middle(start..end);
        if self.in_vain >= IN_VAIN && middle.is_some_and(|middle| self.depths[middle as usize] >= self.around + DEEP) {
            return None;
        }
        self.cuts += 1;
        let half = |start, end| Stretch { start, end, stays: false, pair: self.cuts };
        Some(middle.map_or(vec![], |middle| vec![half(start, middle), half(middle, end)]))
    }

    /// Returns where to cut a stretch in two: in the middle half of what is left of it, where least is nested, and of such
    /// places at the one next to the middle.
    fn middle(&self, stretch: Range<u32>) -> Option<u32> {
        let mut runs = self.config.within(stretch);
        let first = runs.next()?;
        let (start, end) = (first.start, runs.last().map_or(first.end, |last| last.end));
        let place = |part: u32| self.places[part as usize];
        let (middle, quarter) = (place(start).midpoint(place(end)), (place(end) - place(start)) / 4);
        let off = |part: &u32| place(*part).abs_diff(middle);
        let inner = || self.config.within(start + 1..end).flatten();
        let best = inner().filter(|part| off(part) <= quarter).min_by_key(|at| (self.depths[*at as usize], off(at)));
        best.or_else(|| inner().min_by_key(off))
    }
}

/// Returns by part in how many others it is.
fn depths(nesting: &Nesting) -> Arc<[u32]> {
    let mut open: Vec<u32> = vec![];
    let depth = |part: u32| {
        while open.pop_if(|end| *end <= part).is_some() {}
        open.push(nesting.after(part));
        open.len() as u32 - 1
    };
    (0..nesting.len() as u32).map(depth).collect()
}

/// Returns how many parts are around everything else: the first part, what is alone in it, and so on.
fn around(nesting: &Nesting) -> u32 {
    let end = nesting.len() as u32;
    (0..end).take_while(|part| nesting.after(*part) == end).count() as u32
}

impl Search for Stretches {
    type Question = Config;

    fn ask(&self) -> Option<Config> {
        self.next.as_ref().map(|next| next.smaller.clone())
    }

    fn tell(&mut self, outcome: Outcome) {
        let Some(Asked { at, smaller, alone }) = self.next.take() else { return };
        let open = Arc::make_mut(&mut self.open);
        (self.went, self.asked) = (self.went * KEPT, self.asked * KEPT + 1.0);
        if outcome == Fail {
            (self.config, self.went, self.in_vain) = (smaller, self.went + 1.0, 0);
            self.alone = Arc::default();
            let gone = open.remove(at);
            // The other half holds what is needed of both, unless that lies across the cut, or nobody asked about both.
            if let Some(other) = open.iter_mut().find(|other| other.pair == gone.pair) {
                other.stays = true;
            }
        } else {
            self.in_vain += 1;
            open[at].stays = true;
            Arc::make_mut(&mut self.alone).extend(alone);
        }
        self.choose();
    }

    fn best(&self) -> Config {
        self.config.clone()
    }

    fn odds(&self) -> Option<f32> {
        self.next.as_ref().map(|_| (self.went / self.asked) as f32)
    }
}
