//! A search walked through, as data of bounded size.

use super::columns::{Columns, columns};
use super::diff::{DIFF_CAP, diff};
use super::differences::WeaveColumns;
use super::rows::{ShortLine, row};
use crate::replay::Replay;
use crate::walk::{Accepted, Step};
use reduct_core::{Config, Outcome, Question};
use reduct_input::{Candidate, Origin};
use reduct_report::lacking;
use reduct_report::story::{
    ColumnSet, DiffPiece, OpenQuestion, StoryNeighbour, StoryPhase, StoryRow, StorySearch, StoryStep, StoryTest,
};
use reduct_session::event::Why;
use reduct_session::journal::JournalRecord;
use reduct_strategies::Caveat;
use std::collections::VecDeque;

/// So many tests at the beginning and at the end have their rows, and so many accepted ones between.
const ENDS: usize = 400;
const MOST_ACCEPTED: usize = 600;
/// All differences together have so many bytes, and single ones fewer after so many steps.
const ALL_DIFFS: usize = 1_200_000;
const MANY: usize = 200;
const SHORT: usize = 1500;
/// So many of the last steps keep theirs in any case.
const LAST: usize = 60;
/// So many ranges of what is left are kept of all steps together.
const ALL_RANGES: usize = 150_000;

/// Walks through a run that ended so.
pub(super) fn walk(replay: Replay, why: &Why, never: &[usize]) -> StorySearch {
    let mut walking = Walking::begin(replay);
    walking.go_on();
    walking.lend(why, never)
}

/// A walk through a run, which can be gone on with when its journal has grown.
pub(super) struct Walking {
    replay: Replay,
    walker: Walker,
    /// The size at the beginning, and what is left then of a difference.
    before: (usize, &'static str),
    first_left: usize,
}

impl Walking {
    /// Begins a walk.
    pub(super) fn begin(replay: Replay) -> Walking {
        let walker = Walker::new(replay.whole().clone());
        let size = replay.size(replay.whole());
        let first_left = replay.best().1;
        let before = (if size == 0 { first_left } else { size }, replay.unit());
        Walking { replay, walker, before, first_left }
    }

    /// Takes a record that the journal has got since. Returns `false` if the walk has to begin again because of it.
    #[cfg_attr(not(feature = "page"), expect(dead_code, reason = "only the live page grows"))]
    pub(super) fn learn(&mut self, record: &JournalRecord) -> bool {
        self.replay.learn(record)
    }

    /// Walks as far as outcomes are known.
    pub(super) fn go_on(&mut self) {
        for step in self.replay.by_ref() {
            self.walker.take(step);
        }
    }

    /// Lends the search as it is now, if the run ended so.
    pub(super) fn lend(&mut self, why: &Why, never: &[usize]) -> StorySearch {
        let (replay, walker) = (&self.replay, &mut self.walker);
        let (best, size) = replay.best();
        let unit = replay.unit();
        let before = self.before;
        let before = if before.1.starts_with("changed") { (self.first_left, before.1) } else { before };
        let neighbour = walker.neighbour.as_ref().map(|(n, candidate, best)| StoryNeighbour {
            n: *n,
            bytes: candidate.len(),
            diff: diff(best, candidate, DIFF_CAP),
            executions: lacking([&walker.whole, best, candidate]),
        });
        // What was not walked to its end is not claimed to have come there.
        let why = if replay.is_done() { why.clone() } else { Why::Interrupted };
        let passing = replay.passing();
        let mut evidence = replay.evidence(&why);
        evidence.caveats.extend((!never.is_empty()).then(|| Caveat::Stays { steps: never.to_vec() }));
        let is_pair = before.1.starts_with("changed") || unit.starts_with("changed");
        let sides_differ = match &passing {
            Some(passing) if is_pair => diff(passing, &best, DIFF_CAP),
            _ => vec![],
        };
        let asked = replay.asked().map(|asked| OpenQuestion {
            number: walker.tests.last().map_or(1, |test| test.n + 1),
            bytes: asked.len(),
            diff: diff(&best, &asked, DIFF_CAP),
        });
        StorySearch {
            asked,
            branch: replay.branch(),
            whole: walker.whole.clone(),
            passing,
            sides_differ,
            before,
            after: (size, unit),
            is_done: replay.is_done(),
            claim: evidence.claim,
            caveats: evidence.caveats,
            tests: std::mem::take(&mut walker.tests),
            steps: std::mem::take(&mut walker.steps),
            phases: std::mem::take(&mut walker.phases),
            columns: walker.sets(),
            neighbour,
            best,
        }
    }

    /// Takes back what was lent, to go on.
    #[cfg_attr(not(feature = "page"), expect(dead_code, reason = "only the live page grows"))]
    pub(super) fn take_back(&mut self, search: StorySearch) {
        let StorySearch { tests, steps, phases, .. } = search;
        (self.walker.tests, self.walker.steps, self.walker.phases) = (tests, steps, phases);
    }
}

/// What was seen so far.
struct Walker {
    whole: Candidate,
    best: Candidate,
    origin: Origin,
    line: Option<ShortLine>,
    columns: Vec<Columns>,
    weaves: Vec<WeaveColumns>,
    tests: Vec<StoryTest>,
    steps: Vec<StoryStep>,
    phases: Vec<StoryPhase>,
    /// Positions of the last tests that have a row and are not accepted.
    last: VecDeque<usize>,
    /// The largest test that passed since the last step: its number, what was tested, and the best then.
    neighbour: Option<(u64, Candidate, Candidate)>,
    /// The bytes of all differences, and the ranges of all that is left.
    diffs: usize,
    ranges: usize,
}

impl Walker {
    fn new(whole: Candidate) -> Walker {
        Walker {
            best: whole.clone(),
            origin: Origin::of(&whole),
            line: ShortLine::of(whole.base()),
            columns: columns(&whole),
            weaves: vec![],
            tests: vec![],
            steps: vec![],
            phases: vec![],
            last: VecDeque::new(),
            neighbour: None,
            diffs: 0,
            ranges: 0,
            whole,
        }
    }

    /// Returns what the columns of each set stand for.
    fn sets(&self) -> Vec<ColumnSet> {
        let of_weaves = self.weaves.iter().flat_map(|weave| weave.sets.iter().map(|(set, _)| set.clone()));
        self.columns.iter().map(|columns| columns.set.clone()).chain(of_weaves).collect()
    }

    fn take(&mut self, step: Step) {
        self.origin.follow(&self.best, &step.candidate);
        let phase = self.phase(&step);
        let kept = self.origin.kept(&step.candidate);
        let test = StoryTest {
            n: step.n,
            size: step.size,
            outcome: step.outcome,
            cached: step.cached,
            phase,
            step: step.accepted.as_ref().map(|accepted| accepted.number),
            cells: self.cells(&step, kept.as_ref()),
            row: Some(self.row(&step.candidate, kept.as_ref())),
        };
        self.tests.push(test);
        self.forget_rows();
        if step.outcome == Outcome::Pass
            && self.neighbour.as_ref().is_none_or(|(_, closest, _)| closest.len() < step.candidate.len())
        {
            self.neighbour = Some((step.n, step.candidate.clone(), self.best.clone()));
        }
        if let Some(accepted) = step.accepted {
            self.accept(step.n, phase, (&step.candidate, accepted));
        }
    }

    /// Returns the position of the phase of a test.
    fn phase(&mut self, step: &Step) -> usize {
        let is_on = self.phases.last().is_some_and(|last| last.phase == step.phase);
        match self.phases.last_mut() {
            Some(last) if is_on => last.last = step.n,
            _ => self.phases.push(StoryPhase { phase: step.phase, first: step.n, last: step.n }),
        }
        self.phases.len() - 1
    }

    fn cells(&mut self, step: &Step, kept: Option<&Config>) -> Vec<Box<[u8]>> {
        let Some(differences) = &step.differences else {
            return match kept {
                Some(kept) => self.columns.iter().map(|columns| columns.cells(kept)).collect(),
                None => self.columns.iter().map(|_| Box::default()).collect(),
            };
        };
        // Then what a column is of the whole says little.
        self.columns.clear();
        if !self.weaves.last().is_some_and(|weave| weave.are_of(differences)) {
            self.weaves.push(WeaveColumns::of(differences));
        }
        let (now, earlier) = self.weaves.split_last().expect("one was just put there");
        let before = earlier.iter().flat_map(|weave| weave.sets.iter().map(|_| Box::default()));
        before.chain(now.cells(&differences.taken)).collect()
    }

    fn row(&self, candidate: &Candidate, kept: Option<&Config>) -> StoryRow {
        match (&self.line, kept) {
            (Some(line), Some(kept)) if candidate.is_subset() => line.row(kept),
            _ => row(&self.best, candidate),
        }
    }

    /// Drops the row of a test that is no longer among the last, not among the first, and not accepted.
    fn forget_rows(&mut self) {
        let at = self.tests.len() - 1;
        let is_accepted = self.tests[at].step.is_some_and(|number| number <= MOST_ACCEPTED);
        if at < ENDS || is_accepted {
            return;
        }
        self.last.push_back(at);
        if self.last.len() > ENDS
            && let Some(first) = self.last.pop_front()
        {
            self.tests[first].row = None;
        }
    }

    fn accept(&mut self, n: u64, phase: usize, (tested, accepted): (&Candidate, Accepted)) {
        let Accepted { number, best, size, unit, .. } = accepted;
        let cap = if number <= MANY { DIFF_CAP } else { SHORT };
        // The best may have become the base of the next phase already; what was tested is still made from this one.
        let reached = if tested.key() == best.key() { tested } else { &best };
        let diff = diff(&self.best, reached, cap);
        self.diffs += diff.iter().map(DiffPiece::len).sum::<usize>();
        self.origin.follow(&self.best, reached);
        let kept = self.origin.kept(reached).filter(|kept| self.ranges + kept.ranges().len() <= ALL_RANGES);
        self.ranges += kept.as_ref().map_or(0, |kept| kept.ranges().len());
        self.origin.follow(reached, &best);
        let bytes = best.len();
        self.steps.push(StoryStep { number, n, phase, size, unit, bytes, diff, kept });
        self.best = best;
        self.neighbour = None;
        if self.diffs > ALL_DIFFS {
            self.drop_diffs();
        }
    }

    /// Drops half of the differences: those by which the least went, but not of the last steps.
    fn drop_diffs(&mut self) {
        let sizes: Vec<usize> = self.steps.iter().map(|step| step.bytes).collect();
        let early = self.steps.len().saturating_sub(LAST);
        let gone = |at: usize| if at == 0 { usize::MAX } else { sizes[at - 1].saturating_sub(sizes[at]) };
        let mut shown: Vec<usize> = (0..early).filter(|at| !self.steps[*at].diff.is_empty()).collect();
        shown.sort_by_key(|at| gone(*at));
        for at in &shown[..shown.len() / 2] {
            self.diffs -= self.steps[*at].diff.iter().map(DiffPiece::len).sum::<usize>();
            self.steps[*at].diff.clear();
        }
    }
}
