//! A reduction whose outcomes are only likely, and an audit of what it comes to.
//!
//! Where a test fails only now and then, to be sure of every outcome on the way is dear. What is taken for passing
//! wrongly costs nothing but size; and what is missed so is found in the end, when each single part of the result is
//! tried once more, and this time as surely as it takes to say of all of them together that none can go. What goes
//! then sends the reduction on from there, until an audit finds nothing.

use super::Reduction;
use super::chain::Chain;
use crate::method::Method;
use crate::phase::Phase;
use crate::plan::{Plan, Proof};
use reduct_core::search::run;
use reduct_core::{Outcome, Question, Search};
use reduct_input::{Artifact, Candidate, Certainty};
use reduct_passes::Stage;
use std::collections::HashSet;
use std::sync::Arc;

/// A reduction, with or without an audit, paused before one test.
#[derive(Clone, Debug)]
pub struct Audited {
    reduction: Reduction,
    /// How likely it may be that the audit overlooks anything. `None`: outcomes are what they are.
    doubt: Option<f64>,
    /// Its steps that were not checked yet.
    chain: Option<Chain>,
    /// How many audits have begun.
    rounds: u32,
    /// The audit that goes on.
    audit: Option<Audit>,
    given_up: bool,
}

/// Every single part of a result, one after the other.
#[derive(Clone, Debug)]
struct Audit {
    sweep: Reduction,
    /// How sure each outcome has to be.
    bits: u8,
}

/// More is past what anybody counts.
const MOST_BITS: u8 = 29;

/// What is missed in the reduction is missed seldom, so few parts can go in an audit.
const ODDS: f32 = 0.05;

impl Audited {
    /// Returns a reduction without an audit.
    pub fn plain(reduction: Reduction) -> Audited {
        Audited { reduction, doubt: None, chain: None, rounds: 0, audit: None, given_up: false }
    }

    /// Reduces `artifact`, which fails, as planned, and audits what it comes to: the chance that anything that could
    /// go is overlooked is at most `doubt`.
    pub fn new(artifact: Artifact, plan: Plan, doubt: f64) -> Audited {
        let reduction = Reduction::new(artifact, plan);
        let chain = Some(Chain::new(&reduction));
        let mut audited = Audited { doubt: Some(doubt), chain, ..Audited::plain(reduction) };
        audited.begin_once_done();
        audited
    }

    /// Returns the same, which goes on with what is left of this input.
    pub fn of_what_is_left_of(self, whole: Artifact) -> Audited {
        Audited { reduction: self.reduction.of_what_is_left_of(whole), ..self }
    }

    /// Returns the audit of a result alone: it begins with it.
    pub fn of_result(artifact: Artifact, plan: &Plan, doubt: f64) -> Audited {
        let sweep = Audited::sweep(artifact, &audited_plan(plan));
        let mut audited = Audited { doubt: Some(doubt), ..Audited::plain(sweep) };
        audited.begin();
        audited
    }

    /// Tries each single part of `artifact`, and if one goes, each again.
    pub fn sweep(artifact: Artifact, plan: &Plan) -> Reduction {
        let artifact = Arc::new(artifact);
        let subject = plan.subject(artifact.clone());
        let passes = (0..plan.passes.len()).map(|pass| plan.proving(pass, &subject)).collect();
        drop(subject);
        let plan =
            Plan { passes, method: Method::Sweep, monotone: false, growing: vec![], normal: vec![], ..plan.clone() };
        Reduction::new(Arc::unwrap_or_clone(artifact), plan)
    }

    /// Returns the reduction, from where the last audit sent it on.
    pub fn reduction(&self) -> &Reduction {
        &self.reduction
    }

    /// Returns whether an audit goes on.
    pub fn is_auditing(&self) -> bool {
        self.audit.as_ref().is_some_and(|audit| audit.sweep.ask().is_some())
    }

    /// Returns whether what it comes to is, or was, audited.
    pub fn has_audits(&self) -> bool {
        self.doubt.is_some()
    }

    /// Returns whether the audit was given up.
    pub fn is_given_up(&self) -> bool {
        self.given_up
    }

    /// Returns what is being done now; `None` once all is done.
    pub fn phase(&self) -> Option<Phase> {
        self.audit.as_ref().map_or_else(|| self.reduction.phase(), |audit| audit.sweep.phase())
    }

    /// Notes that the reduction was told to go on elsewhere.
    fn go_on_elsewhere(&mut self) {
        if let Some(chain) = &mut self.chain {
            chain.skipped(&self.reduction);
        }
        self.begin_once_done();
    }

    fn begin_once_done(&mut self) {
        let is_checking = self.chain.as_ref().is_some_and(Chain::is_checking);
        if self.audit.is_none() && !is_checking && self.reduction.phase().is_none() && self.is_worth_it() {
            self.begin();
        }
    }

    /// Returns whether the reduction claims what an audit can confirm.
    fn is_worth_it(&self) -> bool {
        let plan = self.reduction.plan();
        self.doubt.is_some()
            && !self.given_up
            && self.reduction.skipped() == 0
            && self.reduction.disabled().next().is_none()
            && plan.proves() == Proof::OneMinimal
            && plan.min_removal <= 1
            && !plan.monotone
            && plan.normal.is_empty()
    }

    fn begin(&mut self) {
        let Some(doubt) = self.doubt else { return };
        self.rounds += 1;
        let sweep = Audited::sweep(self.reduction.best().artifact(), &audited_plan(&self.reduction.tried_plan()));
        let mut keys = HashSet::new();
        run(sweep.clone(), |candidate| {
            keys.insert(candidate.key());
            Outcome::Pass
        });
        // All audits together: half of what is left to doubt goes to each.
        let each = doubt * 0.5f64.powi(self.rounds.min(64).cast_signed()) / keys.len().max(1) as f64;
        let bits = (-each.log2()).ceil().clamp(1.0, f64::from(MOST_BITS)) as u8;
        self.audit = Some(Audit { sweep, bits });
    }
}

/// Returns what an audit tries: not what tests point to on its way, of which nobody knows beforehand how much that is.
fn audited_plan(plan: &Plan) -> Plan {
    let passes = plan
        .passes
        .iter()
        .copied()
        .filter(|pass| pass.stage != Stage::PairedEvents || plan.passes.len() == 1)
        .collect();
    Plan { passes, ..plan.clone() }
}

impl Search for Audited {
    type Question = Candidate;

    fn ask(&self) -> Option<Candidate> {
        match &self.audit {
            Some(audit) => audit.sweep.ask().map(|candidate| candidate.asked(Certainty::Audited(audit.bits))),
            None => match &self.chain {
                Some(chain) => chain.ask(&self.reduction),
                None => self.reduction.ask(),
            },
        }
    }

    fn tell(&mut self, outcome: Outcome) {
        match &mut self.audit {
            Some(audit) => {
                audit.sweep.tell(outcome);
                if outcome == Outcome::Fail {
                    let (left, plan) = (audit.sweep.best().artifact(), self.reduction.plan().clone());
                    self.reduction.begin_anew(left, plan);
                    self.chain = self.chain.as_ref().map(|_| Chain::new(&self.reduction));
                    self.audit = None;
                }
            }
            None => match &mut self.chain {
                Some(chain) => chain.tell(&mut self.reduction, outcome),
                None => self.reduction.tell(outcome),
            },
        }
        self.begin_once_done();
    }

    fn best(&self) -> Candidate {
        self.chain.as_ref().map_or_else(|| self.reduction.best(), Chain::best)
    }

    fn odds(&self) -> Option<f32> {
        match (&self.audit, &self.chain) {
            (Some(_), _) => Some(ODDS),
            (None, Some(chain)) => chain.odds(&self.reduction),
            (None, None) => self.reduction.odds(),
        }
    }

    /// Steps that were accepted hastily are asked about otherwise than a reduction by itself would.
    fn sharing(&self) -> Option<usize> {
        let is_plain = self.audit.is_none() && self.chain.is_none();
        self.reduction.sharing().filter(|_| is_plain)
    }

    fn shares(&self) -> Vec<Audited> {
        let shares = if self.sharing().is_some() { self.reduction.shares() } else { vec![] };
        shares.into_iter().map(|reduction| Audited { reduction, doubt: None, ..self.clone() }).collect()
    }

    fn disable(&mut self) {
        if self.audit.is_some() {
            return self.skip();
        }
        self.reduction.disable();
        self.go_on_elsewhere();
    }

    fn skip(&mut self) {
        match self.audit.take() {
            Some(_) => self.given_up = true,
            None => {
                self.reduction.skip();
                self.go_on_elsewhere();
            }
        }
    }
}
