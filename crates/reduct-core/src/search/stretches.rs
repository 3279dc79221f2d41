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

/// No stretch is taken to go more likely than that.
const MOST_LIKELY: f64 = 0.99;

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
    /// How large stretches are, as a power of two, of which so many went; `None` if the largest one comes next.
    scale: Option<u32>,
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

impl Stretch {
    /// Returns the stretch of all of so many parts.
    fn whole(parts: usize) -> Stretch {
        Stretch { start: 0, end: parts as u32, stays: true, pair: 0 }
    }
}

/// What a test of a stretch is expected to remove, or of a piece of it.
#[derive(Clone, Copy, Debug)]
struct Promise {
    expected: f64,
    is_whole: bool,
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
        let whole = Stretch::whole(nesting.len());
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
            scale: None,
            next: None,
        };
        search.choose();
        search
    }

    /// Asks about no stretch of more than that: larger ones are cut at once. Next comes what a test is expected to remove most of, not the largest one.
    #[must_use]
    pub fn of_at_most(self, largest: usize) -> Stretches {
        self.of_at_most_before(largest, usize::MAX)
    }

    /// Does the same, and asks only about half as much of what begins at a place or behind it: the rest of it was asked about earlier.
    #[must_use]
    pub fn of_at_most_before(mut self, largest: usize, place: usize) -> Stretches {
        (self.largest, self.next) = (largest, None);
        let mut whole = vec![Stretch::whole(self.nesting.len())];
        let mut open = vec![];
        while let Some(stretch) = whole.pop() {
            let size = self.size_of(stretch);
            let is_before = (self.places[stretch.start as usize] as usize) < place;
            let most = if is_before { largest } else { largest / 2 };
            match if size > most { self.halves(stretch) } else { None } {
                Some(halves) => whole.extend(halves.into_iter().rev()),
                None => open.push(stretch),
            }
        }
        self.open = Arc::new(open);
        self.scale = largest.checked_ilog2();
        self.choose();
        self
    }

    /// Expects stretches of the size that comes first to go with this chance.
    #[must_use]
    pub fn expecting(self, chance: f64) -> Stretches {
        Stretches { went: chance * self.asked, ..self }
    }

    /// Returns how large a stretch has to be to be asked about now.
    pub fn least(&self) -> usize {
        (self.wanted() * self.asked / self.went).ceil() as usize
    }

    /// Returns how much a test is to be expected to remove.
    fn wanted(&self) -> f64 {
        (self.size(self.config.ranges()) as f64 * self.share).max(self.worth as f64)
    }

    /// Returns how large the largest stretch is that is still whole; if what is expected to remove most comes next, at most so much as is best asked
    /// about at once.
    pub fn largest_whole(&self) -> usize {
        let largest = self.open.iter().map(|stretch| self.size_of(*stretch)).max().unwrap_or(0);
        let Some(scale) = largest.checked_ilog2().filter(|_| self.scale.is_some()) else { return largest };
        let promise = |scale: &u32| self.chance(*scale) * f64::from(1_u32 << scale);
        let best = (0..=scale).max_by(|one, other| promise(one).total_cmp(&promise(other))).unwrap_or(scale);
        (2_usize << best).min(largest)
    }

    /// Returns where the last one ends of those stretches that are about as large as the largest one and were not asked about: what is behind
    /// is smaller, or was asked about. 0 if there is none.
    pub fn end_of_largest(&self) -> usize {
        let size = |stretch: &Stretch| self.size_of(*stretch).checked_ilog2();
        let largest = match self.scale {
            Some(_) => Some(self.largest_whole().checked_ilog2()),
            None => self.open.iter().map(size).max(),
        };
        let last = self.open.iter().rfind(|stretch| !stretch.stays && Some(size(stretch)) >= largest);
        last.map_or(0, |stretch| self.places[stretch.end as usize] as usize)
    }

    /// Returns the parts that were found to be needed in what is left: those that were asked about alone.
    pub fn needed(&self) -> Config {
        let mut alone = self.alone.to_vec();
        alone.sort_unstable();
        Config::from_deltas(alone.into_iter().map(Delta))
    }

    /// Returns how likely a stretch of about this size goes, a power of two: one of half the size as likely as both halves of it are to go together.
    fn chance(&self, scale: u32) -> f64 {
        let known = self.scale.unwrap_or(scale);
        let smaller = (scale..known).fold((self.went / self.asked).min(MOST_LIKELY), |chance, _| chance.sqrt());
        (known..scale).fold(smaller, |chance, _| chance * chance)
    }

    /// Returns by scale what a test of a stretch of that size is expected to remove, if it may go and if it is known to stay: with as many cuts as
    /// make that most, and whether there is none.
    fn promises(&self) -> Vec<[Promise; 2]> {
        let chances: Vec<f64> = (0..u32::BITS).map(|scale| self.chance(scale)).collect();
        let promise = |scale: usize, whole: f64| {
            // What is in a stretch that stays goes less likely than anything else.
            let expected = |cuts: usize| {
                let chance = (chances[scale - cuts] - whole) / (1.0 - whole);
                Promise { expected: chance * f64::from(1_u32 << (scale - cuts)), is_whole: cuts == 0 }
            };
            (1..=scale)
                .map(expected)
                .fold(expected(0), |best, next| if next.expected > best.expected { next } else { best })
        };
        chances.iter().enumerate().map(|(scale, stays)| [promise(scale, 0.0), promise(scale, *stays)]).collect()
    }

    /// Returns the stretch to look at next and how much a test is expected to remove of it, or of a piece of it.
    fn best_open(&self, promises: &[[Promise; 2]]) -> Option<(usize, Promise)> {
        let sizes = self.open.iter().map(|stretch| self.size_of(*stretch)).enumerate();
        if promises.is_empty() {
            let (at, size) = sizes.max_by_key(|(at, size)| (size.checked_ilog2(), *at))?;
            let expected = size as f64 * self.went / self.asked;
            return Some((at, Promise { expected, is_whole: !self.open[at].stays }));
        }
        let of = |(at, size): (usize, usize)| {
            let scale = size.checked_ilog2().unwrap_or(0) as usize;
            (at, promises[scale][usize::from(self.open[at].stays)])
        };
        // The last one of those that promise most.
        sizes.filter(|(_, size)| *size > 0).map(of).reduce(
            |best, next| {
                if next.1.expected < best.1.expected { best } else { next }
            },
        )
    }

    /// Chooses the stretch to ask about next.
    fn choose(&mut self) {
        let (left, wanted) = (self.size(self.config.ranges()), self.wanted());
        let promises = if self.scale.is_some() { self.promises() } else { vec![] };
        while let Some((at, Promise { expected, is_whole })) = self.best_open(&promises) {
            let size = self.size_of(self.open[at]);
            if size == 0 || expected < wanted {
                return;
            }
            if is_whole && size <= self.largest {
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

    /// Returns how much is left of a stretch.
    fn size_of(&self, stretch: Stretch) -> usize {
        self.size(self.config.within(stretch.start..stretch.end))
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
        if let Some(scale) = self.scale {
            let scale = self.size_of(self.open[at]).checked_ilog2().unwrap_or(scale);
            (self.went, self.scale) = (self.chance(scale) * self.asked, Some(scale));
        }
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
        let scale = |next: &Asked| self.size_of(self.open[next.at]).checked_ilog2().unwrap_or(0);
        self.next.as_ref().map(|next| self.chance(scale(next)) as f32)
    }
}
