//! A whole reduction as one search: the kinds of a plan over an artifact, round after round.
//!
//! It asks candidates instead of configurations and obeys the same laws, so that speculation, memory
//! and resuming need not know that there are phases. Each phase takes what the last one left as a new
//! base: parts are disjoint ranges of it, and a candidate is the base less the parts that are gone.

use crate::artifact::{Artifact, Candidate};
use crate::circumstances::{Circumstances, Parts};
use crate::kind::Outline;
use crate::plan::Plan;
use reduct_core::search::Minimiser;
use reduct_core::{Config, Learned, Monotone, Outcome, Search, Sweep};
use std::sync::Arc;

/// A reduction, paused before one test.
#[derive(Clone, Debug)]
pub struct Reduction {
    plan: Arc<Plan>,
    base: Arc<Artifact>,
    best: Candidate,
    round: usize,
    /// The kinds before this one were searched before: what is left of their parts is only swept.
    searched: usize,
    /// How many levels of a kind in a row had nothing to go.
    fruitless: usize,
    /// Whether this round has found anything.
    progress: bool,
    /// What was not asked because it would remove too little.
    spared: u64,
    skipped: u64,
    learned: Option<Learned>,
    /// For an isolation that is over: the side that passes.
    passing: Option<Candidate>,
    /// `None` once all is done.
    phase: Option<Phase>,
}

/// One list of parts, and the search over it.
#[derive(Clone, Debug)]
struct Phase {
    /// Which of the plan's kinds.
    kind: usize,
    outline: Arc<Outline>,
    level: usize,
    parts: Arc<Parts>,
    search: Monotone<Minimiser>,
    next: Option<Candidate>,
    /// Whether the outline is still that of the best.
    progress: bool,
}

/// After so many levels of a kind without progress, its deeper ones are left for the next round.
const FRUITLESS_LEVELS: usize = 16;

/// Where a reduction is, for those who watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whereabouts {
    /// The name of the kind of parts.
    pub kind: &'static str,
    /// The level, from 1; always 1 for flat kinds.
    pub level: usize,
    /// The round, from 1.
    pub round: usize,
    /// How many parts this phase began with.
    pub parts: usize,
}

impl Reduction {
    /// Reduces `artifact`, which fails, as planned.
    ///
    /// # Panics
    /// If the plan names no kind.
    pub fn new(artifact: Artifact, plan: Plan) -> Reduction {
        assert!(!plan.kinds.is_empty(), "a plan names at least one kind of parts");
        let base = Arc::new(artifact);
        let best = Candidate::whole(base.clone());
        let plan = Arc::new(plan);
        let mut reduction = Reduction {
            plan,
            base,
            best,
            round: 1,
            searched: 0,
            fruitless: 0,
            progress: false,
            spared: 0,
            skipped: 0,
            learned: None,
            passing: None,
            phase: None,
        };
        reduction.begin(0, 0, None);
        reduction
    }

    /// What is being done now; `None` once all is done.
    pub fn whereabouts(&self) -> Option<Whereabouts> {
        self.phase.as_ref().map(|phase| Whereabouts {
            kind: self.plan.kinds[phase.kind].name,
            level: phase.level + 1,
            round: self.round,
            parts: phase.parts.len(),
        })
    }

    /// The plan it follows.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// How many questions were not asked because they would remove less than the plan's least.
    pub fn spared(&self) -> u64 {
        self.spared
    }

    /// How many phases were given up.
    pub fn skipped(&self) -> u64 {
        self.skipped
    }

    /// For an isolation: the side that passes.
    pub fn passing(&self) -> Option<Candidate> {
        self.phase.as_ref().map_or_else(|| self.passing.clone(), Phase::passing)
    }

    /// The size of a candidate in the plan's unit.
    pub fn size(&self, candidate: &Candidate) -> usize {
        if self.plan.counts_parts() { candidate.deltas() } else { candidate.len() }
    }

    /// Begins the first phase at or after the given kind and level that has something to ask, going
    /// round as long as rounds find something.
    fn begin(&mut self, mut kind: usize, mut level: usize, mut outline: Option<Arc<Outline>>) {
        loop {
            let is_over = kind == self.plan.kinds.len();
            if is_over {
                self.searched = kind;
            }
            // A round in which nothing went has tried every single part.
            if is_over && !(self.plan.repeats() && self.progress) {
                self.phase = None;
                return;
            }
            if is_over || self.is_too_early(kind, level) {
                (kind, level, outline) = (0, 0, None);
                self.round += 1;
                self.progress = false;
            }
            let levels = outline.take().unwrap_or_else(|| Arc::new((self.plan.kinds[kind].outline)(&self.base)));
            let Some(spans) = levels.get(level) else {
                (kind, level) = (kind + 1, 0);
                continue;
            };
            let parts = Arc::new(Parts::new(self.base.clone(), spans.clone()));
            self.best = self.best.clone().counted(parts.len());
            let split = self.plan.cut.split(|| parts.joints());
            let learned = self.learned.map_or_else(|| Learned::new(parts.len()), |known| known.faded(parts.len()));
            let list = Config::full(parts.len());
            let least = self.least(&parts);
            let search = match self.plan.method.search(list.clone(), split, kind < self.searched, learned) {
                Minimiser::Relevance(relevance) => Minimiser::Relevance(relevance.at_least(least)),
                // ddmin takes it that nothing at all passes, which is not so of one list of several.
                Minimiser::Ddmin(_) if list.len() == 1 && (self.plan.repeats() || self.base.entries().len() > 1) => {
                    Minimiser::Sweep(Sweep::new(list))
                }
                other => other,
            };
            let search = Monotone::new(search, self.plan.monotone);
            self.phase = Some(Phase { kind, outline: levels, level, parts, search, next: None, progress: false });
            if self.advance() {
                return;
            }
            (kind, level, outline) = self.after_phase();
        }
    }

    /// Whether the finest parts, of which there are most, would be tried while coarser ones can still go:
    /// those come round first.
    fn is_too_early(&mut self, kind: usize, level: usize) -> bool {
        let is_last = kind > 0 && kind + 1 == self.plan.kinds.len() && level == 0;
        if is_last {
            self.searched = self.searched.max(kind);
        }
        is_last && self.progress && self.plan.repeats()
    }

    /// How many parts, about, it takes to remove the plan's least.
    fn least(&self, parts: &Parts) -> usize {
        if self.plan.counts_parts() || self.plan.least <= 1 {
            return self.plan.least;
        }
        let size = parts.size(&Config::full(parts.len())).max(1);
        (self.plan.least.min(size) * parts.len()).div_ceil(size)
    }

    /// Finds the next question of the phase that needs an answer from outside. `false` if there is none.
    fn advance(&mut self) -> bool {
        let Some(phase) = &mut self.phase else { return false };
        while let Some(config) = phase.search.ask() {
            let worth_it = self.plan.least <= 1 || phase.removed(&self.plan, &config) >= self.plan.least;
            phase.next = if worth_it { phase.parts.candidate(&config) } else { None };
            if phase.next.is_some() {
                return true;
            }
            self.spared += u64::from(!worth_it);
            phase.search.tell(Outcome::Unresolved);
        }
        phase.next = None;
        false
    }

    /// Where to go on after the current phase: the next level of the same outline, made anew if this
    /// phase changed what it is an outline of.
    fn after_phase(&mut self) -> (usize, usize, Option<Arc<Outline>>) {
        let Some(phase) = &self.phase else { return (self.plan.kinds.len(), 0, None) };
        if let Minimiser::Relevance(relevance) = phase.search.inner() {
            self.learned = Some(relevance.learned());
        }
        self.passing = phase.passing();
        let (kind, level) = (phase.kind, phase.level + 1);
        self.fruitless = if phase.progress || level == 1 { 0 } else { self.fruitless + 1 };
        // Deep down there may be a level for every bracket: finer parts come first then, and the next
        // round comes back to what they leave.
        let comes_back = self.plan.repeats() && kind >= self.searched && kind + 1 < self.plan.kinds.len();
        if self.fruitless >= FRUITLESS_LEVELS && comes_back {
            // What was left out calls for another round.
            self.progress = true;
            return (kind + 1, 0, None);
        }
        if !phase.progress {
            return (kind, level, Some(phase.outline.clone()));
        }
        self.base = Arc::new(self.best.artifact());
        self.best = Candidate::whole(self.base.clone()).counted(self.best.deltas());
        (kind, level, None)
    }
}

impl Phase {
    fn passing(&self) -> Option<Candidate> {
        match self.search.inner() {
            Minimiser::Isolate(isolate) => self.parts.candidate(&isolate.passing()),
            _ => None,
        }
    }

    /// How many units would go with what `config` leaves out. Makes no candidate, which costs more.
    fn removed(&self, plan: &Plan, config: &Config) -> usize {
        let gone = self.search.best().minus(config);
        if plan.counts_parts() { gone.len() } else { self.parts.size(&gone) }
    }
}

impl Search for Reduction {
    type Question = Candidate;

    fn ask(&self) -> Option<Candidate> {
        self.phase.as_ref().and_then(|phase| phase.next.clone())
    }

    fn tell(&mut self, outcome: Outcome) {
        let Some(phase) = &mut self.phase else { return };
        let Some(tested) = phase.next.take() else { return };
        let asked = phase.search.ask();
        phase.search.tell(outcome);
        if outcome == Outcome::Fail {
            let best = phase.search.best();
            // A search may ask about something else than what it then goes on from. Mostly it does not, and
            // the digest of a candidate, which is linear in it, is made once.
            let same = asked.as_ref() == Some(&best);
            self.best = if same { tested } else { phase.parts.candidate(&best).unwrap_or(tested) };
            phase.progress = true;
            self.progress = true;
        }
        if !self.advance() {
            let (kind, level, outline) = self.after_phase();
            self.begin(kind, level, outline);
        }
    }

    fn best(&self) -> Candidate {
        self.best.clone()
    }

    fn odds(&self) -> Option<f32> {
        self.phase.as_ref().and_then(|phase| phase.search.odds())
    }

    fn skip(&mut self) {
        self.skipped += u64::from(self.phase.is_some());
        let (kind, level, outline) = self.after_phase();
        self.begin(kind, level, outline);
    }
}
