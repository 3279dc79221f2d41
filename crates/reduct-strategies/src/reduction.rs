//! A whole reduction as one search: the passes of a plan over an artifact, until none of them
//! finds anything more.
//!
//! It asks candidates instead of configurations and obeys the same laws, so that speculation, memory
//! and resuming need not know that there are phases. Each phase takes what the last one left as a new
//! base: parts are places in it, and a candidate is the base less the parts that are gone.

mod alone;
mod asked_together;
mod audit;
mod bar;
mod believed;
mod broken;
mod chain;
mod coarse;
mod doubts;
mod events;
mod following;
mod groups;
mod growth;
mod kinds;
mod larger;
mod leaving;
mod levels;
mod likely;
mod lists;
mod neighbours;
mod next_question;
mod pass_run;
mod questions;
mod renamed;
mod schedule;
mod shares;
mod stretches_first;
mod tallied;
mod trial;
mod turns;

use crate::phase::Phase;
use crate::plan::{Measure, Plan};
use alone::Alone;
use asked_together::AskedTogether;
use bar::Bar;
use believed::Believed;
use broken::Broken;
use doubts::Doubts;
use likely::Likely;
use pass_run::{PassRun, Reading};
use reduct_core::{Config, Learned, Monotone, Search};
use reduct_input::{Artifact, Candidate, Circumstances, Parts, Subject, UnmetNeeds};
use reduct_passes::{Pass, Proposals, Stage};
use schedule::Schedule;
use std::sync::Arc;
use trial::Trial;
use turns::Turns;

pub use audit::Audited;

/// A reduction, paused before one test.
#[derive(Clone, Debug)]
pub struct Reduction {
    plan: Arc<Plan>,
    /// The input that it began with, or of which it goes on with what is left.
    whole: Subject,
    subject: Subject,
    best: Candidate,
    schedule: Schedule,
    /// How many levels of a pass in a row had nothing to go.
    fruitless: usize,
    /// How many tests of this visit in a row were in vain.
    in_vain: usize,
    /// How often candidates failed.
    likely: Likely,
    /// How often in a row the larger half of what is undecided was passed over.
    passed: u32,
    /// Whether a level was put off in this visit.
    is_put_off: bool,
    /// Whether a level was left in the midst for one that cuts the text in another way.
    has_left_level: bool,
    /// How many bytes there were when this visit began.
    size_at_visit: usize,
    /// How much was left when groups of parts were tried, or need not be: if a search of the tree gets on slowly.
    tried_groups: Option<usize>,
    /// The names of the groups some of whose parts were searched in this visit.
    searched_groups: Vec<Arc<str>>,
    /// What a test has to remove before the search of the tree makes room for others.
    bar: Bar,
    /// What searches go on with that have another turn.
    turns: Turns,
    /// Whether something was left out in this visit that would be tried in a later one.
    refused: bool,
    /// Whether this visit tries everything, whatever is believed; and whether something was not tried in it that is
    /// believed to be needed.
    proves: bool,
    spares: bool,
    /// What was tried in vain.
    believed: Believed,
    doubts: Doubts,
    broken: Broken,
    /// What was not asked because it would remove too little.
    spared: u64,
    skipped: u64,
    /// What was learned from the lists of each pass that makes edits, and from all other lists.
    learned: Arc<Vec<Option<Learned>>>,
    /// For an isolation that is over: the side that passes.
    passing: Option<Candidate>,
    /// Events that others seem to need.
    unmet_needs: UnmetNeeds,
    /// What is asked before all else: what is likely to be enough.
    guess: Option<Candidate>,
    trial: Trial<Reduction>,
    /// What came of neighbours that may go together.
    asked_together: AskedTogether,
    /// Whether it asks a share of what a reduction asks, and then ends.
    is_share: bool,
    /// `None` once all is done.
    phase: Option<PassRun>,
}

impl Reduction {
    /// Reduces `artifact`, which fails, as planned.
    ///
    /// # Panics
    /// If the plan names no pass.
    pub fn new(artifact: Artifact, plan: Plan) -> Reduction {
        assert!(!plan.passes.is_empty(), "a plan names at least one kind of parts");
        let subject = plan.subject(artifact);
        let best = Candidate::whole(subject.artifact().clone());
        let passes = plan.passes.len() + plan.normal.len();
        let (learned, likely) = (Arc::new(vec![None; passes + 1]), Likely::of_passes(passes));
        let mut schedule =
            Schedule::new(plan.passes.len(), plan.normal.len(), plan.repeats(), plan.learning(), plan.lasts());
        plan.on_call().for_each(|pass| schedule.put_on_call(pass));
        plan.on_call().filter(|pass| plan.pass(*pass).has_first_turn).for_each(|pass| schedule.call(pass));
        schedule.begin_early(plan.early());
        let mut reduction = Reduction {
            plan: Arc::new(plan),
            whole: subject.clone(),
            subject,
            best,
            schedule,
            fruitless: 0,
            in_vain: 0,
            passed: 0,
            likely,
            is_put_off: false,
            has_left_level: false,
            size_at_visit: 0,
            tried_groups: None,
            searched_groups: vec![],
            bar: Bar::new(0),
            turns: Turns::default(),
            refused: false,
            proves: false,
            spares: false,
            believed: Believed::default(),
            doubts: Doubts::default(),
            broken: Broken::default(),
            spared: 0,
            skipped: 0,
            learned,
            passing: None,
            unmet_needs: UnmetNeeds::default(),
            guess: None,
            trial: Trial::default(),
            asked_together: AskedTogether::default(),
            is_share: false,
            phase: None,
        };
        reduction.put_off_followers();
        reduction.go_on();
        reduction
    }

    /// Returns what is being done now; `None` once all is done, and while a guess is asked, which is of no pass.
    pub fn phase(&self) -> Option<Phase> {
        self.phase.as_ref().filter(|_| self.guess.is_none()).map(|phase| Phase {
            kind: self.plan.pass(phase.pass).name,
            level: phase.level + 1,
            round: self.schedule.visits(phase.pass),
            parts: phase.parts.len(),
            proves: self.proves,
        })
    }

    /// Returns the plan it follows.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Returns the same plan, with the passes marked of which, on what is left now, only candidates were tried whose text parses.
    pub fn tried_plan(&self) -> Plan {
        let marked = |(at, pass): (usize, &Pass)| pass.parsing_only(self.broken.are_left_out_of(at));
        let passes = self.plan.passes.iter().enumerate().map(marked).collect();
        Plan { passes, ..(*self.plan).clone() }
    }

    /// Returns how many questions were not asked because they would remove less than the plan's least.
    pub fn spared(&self) -> u64 {
        self.spared
    }

    /// Returns whether the result was brought into normal form after it was certified.
    pub fn is_normalised(&self) -> bool {
        self.schedule.is_normalised()
    }

    /// Returns how many phases were given up.
    pub fn skipped(&self) -> u64 {
        self.skipped
    }

    /// Returns which passes of the plan, by number, are not tried any more, those of the normal form after the others.
    pub fn disabled(&self) -> impl Iterator<Item = usize> {
        self.schedule.disabled()
    }

    /// Returns the same reduction, which goes on with what is left of this input.
    pub fn of_what_is_left_of(self, whole: Artifact) -> Reduction {
        let whole = self.plan.subject(whole);
        Reduction { whole, ..self }
    }

    /// Returns whether all files of the input whose language is known follow it, and those of a candidate do not.
    pub fn loses_syntax(&self, candidate: &Candidate) -> bool {
        let followed = self.whole.knows_a_language() && self.whole.parses();
        followed && !self.plan.subject(candidate.artifact()).parses()
    }

    /// Returns the names of these passes.
    pub fn disabled_names(&self) -> Vec<&'static str> {
        self.disabled().map(|pass| self.plan.pass(pass).name).collect()
    }

    /// Returns how many parts of this phase are decided, of how many: gone, or known to be needed. `None` if the search does not
    /// decide one after the other.
    pub fn decided(&self) -> Option<(usize, usize)> {
        let phase = self.phase.as_ref().filter(|_| !self.trial.is_asking())?;
        let all = phase.parts.len();
        Some((all.saturating_sub(phase.search.undecided()?), all))
    }

    /// Returns, for an isolation, the side that passes.
    pub fn passing(&self) -> Option<Candidate> {
        self.phase.as_ref().map_or_else(|| self.passing.clone(), PassRun::passing)
    }

    /// Returns the size of a candidate in the plan's unit.
    pub fn size(&self, candidate: &Candidate) -> usize {
        match self.plan.measure() {
            Measure::Parts => candidate.deltas(),
            Measure::Events => reduct_passes::events::count(candidate),
            Measure::Bytes => candidate.len(),
        }
    }

    /// Begins the next pass that has something to ask, as the schedule says; once none has, trials of what
    /// makes the input larger first, then the proof that nothing can go, and the normal form at last.
    fn go_on(&mut self) {
        loop {
            if let Some(pass) = self.schedule.next() {
                self.proves = false;
                self.call_larger(pass);
            }
            let next = self.schedule.next();
            if next.is_none() && self.try_next_growth() {
                return;
            }
            let proof = || self.schedule.next_proof();
            let Some(pass) = next.or_else(proof).or_else(|| self.schedule.next_normal()) else {
                self.phase = None;
                return;
            };
            if self.has_made_room_after_groups(pass) || self.has_called_stretches_before(pass) {
                continue;
            }
            self.schedule.visit(pass);
            self.size_at_visit = self.best.len();
            self.bar.begin(self.best.len());
            self.likely.begin();
            self.searched_groups.clear();
            self.passed = 0;
            (self.fruitless, self.in_vain, self.is_put_off, self.refused) = (0, 0, false, false);
            let level = self.turns.level(pass);
            self.has_left_level = level > 0;
            (self.proves, self.spares) = (next.is_none() && pass < self.plan.passes.len(), false);
            if self.begin(pass, level, None) && !self.has_let_stretches_go_first(pass) {
                return;
            }
        }
    }

    /// Begins the first level of a pass, from the given one on, that has something to ask. `false` if there
    /// is none, and the visit is over.
    fn begin(&mut self, pass: usize, mut level: usize, mut proposals: Option<Arc<Proposals>>) -> bool {
        loop {
            let levels = proposals.take().unwrap_or_else(|| Arc::new(self.propose(pass)));
            let Some(spans) = levels.get(level) else {
                match self.is_put_off {
                    true => self.schedule.wait(pass, self.best.len()),
                    false => {
                        let whole = !self.refused && !self.has_left_level;
                        self.schedule.leave(pass, whole, !self.spares, self.best.len());
                    }
                }
                return false;
            };
            if self.is_of_group(pass) || self.plan.pass(pass).follows_others {
                self.bar.begin(self.best.len());
                self.in_vain = 0;
            }
            if self.plan.pass(pass).cuts_anew {
                self.begin_trial(pass);
            }
            let parts = Arc::new(Parts::new(self.subject.artifact().clone(), spans.clone()));
            self.best = self.best.clone().counted(parts.len());
            let kept = match self.believes() {
                true => {
                    let grown = self.trial.before().is_some();
                    let kept = self.believed.of(&parts, self.rewriting(pass), grown);
                    let kept = match self.comes_before_tree(pass) {
                        true => kept.union(&self.believed.of(&parts, Some(self.for_now(pass)), grown)),
                        false => kept,
                    };
                    self.doubts.without_doubted(pass, level, kept, parts.len())
                }
                false => Config::empty(),
            };
            self.spares |= !kept.is_empty();
            let undecided = Config::full(parts.len()).minus(&kept);
            self.schedule.expect(pass, parts.size(&undecided) / undecided.len().max(1));
            let search = Monotone::new(self.search(pass, &parts, &kept), self.plan.monotone);
            // A search in a tree knows what it keeps: with a part goes what is in it.
            let kept = if parts.nesting().is_some() { Config::empty() } else { kept };
            self.phase = Some(PassRun {
                pass,
                proposals: levels,
                level,
                parts,
                search,
                alone: Alone::default(),
                neighbours: None,
                kept,
                next: None,
                unasked: Config::empty(),
                is_next_broken: false,
                lacking: None,
                reading: Reading::None,
                progress: false,
            });
            if self.advance() {
                return true;
            }
            let Some(next) = self.after_phase() else { return false };
            (level, proposals) = next;
        }
    }

    /// Returns whether what was tried in vain is believed to be needed: until the proof, where a search goes round. What
    /// is published is done as published.
    fn believes(&self) -> bool {
        !self.proves && self.plan.descends() && !self.schedule.is_normalising()
    }

    /// Returns the pass if its parts are edits of its own.
    fn rewriting(&self, pass: usize) -> Option<usize> {
        (self.plan.pass(pass).stage == Stage::Rewrite).then_some(pass)
    }

    /// Returns the parts of a pass. As a tree they are searched only from the beginning, or when so much has gone that
    /// it is worth it; what is left to do is for the passes that have them level by level.
    fn propose(&self, pass: usize) -> Proposals {
        let is_for_others = !self.plan.descends() || self.schedule.is_again(pass, self.best.len());
        match self.plan.pass(pass).stage {
            Stage::Tree | Stage::Stretches if is_for_others => vec![],
            Stage::PairedEvents => {
                self.plan.propose(pass, &self.subject.clone().with_unmet_needs(self.unmet_needs.clone()))
            }
            _ if self.proves => self.plan.propose_for_proof(pass, &self.subject),
            _ => self.plan.propose(pass, &self.subject),
        }
    }
}
