//! The next question of a phase.

use super::Reduction;
use super::pass_run::Reading;
use reduct_core::Outcome;
use reduct_input::{Candidate, Circumstances};

/// Of longer texts it is not looked at which candidates are broken, once that does not matter for all.
const SHORT: usize = 4 << 10;

impl Reduction {
    /// Finds the next question of the phase that needs an answer from outside. `false` if there is none.
    pub(super) fn advance(&mut self) -> bool {
        let believes = self.believes();
        let Some(phase) = &mut self.phase else { return false };
        let always_checked = self.plan.pass(phase.pass).must_parse;
        // What breaks the text is tried last, when nothing else can go; and no more at all if that was in vain for long.
        let checked = always_checked || self.plan.repeats() && self.schedule.whole_visits(phase.pass) == 0;
        let counts = !always_checked && !self.plan.prove && self.plan.descends();
        if counts && self.broken.matter() && !self.subject.parses() {
            self.broken.failed();
        }
        let is_looked_at = checked || counts && (self.broken.matter() || self.best.len() <= SHORT);
        let is_over = counts && self.broken.are_hopeless();
        phase.reading = match is_looked_at {
            true if checked => Reading::Required,
            true => Reading::Noted,
            false => Reading::None,
        };
        while let Some(config) = phase.asks() {
            if phase.parts.are_alike(&config, || phase.best()) {
                phase.tell(Outcome::Fail);
                continue;
            }
            let worth_it = self.plan.min_removal <= 1 || phase.removed(&self.plan, &config) >= self.plan.min_removal;
            if worth_it {
                let candidate = phase.parts.candidate(&config);
                let allows = |candidate: &Candidate| !is_looked_at || self.subject.allows_test(candidate);
                phase.is_next_broken = !candidate.as_ref().is_some_and(allows);
                phase.lacking = if phase.is_next_broken && counts { phase.lacking(&config) } else { None };
                let is_over = is_over || phase.lacking.is_some_and(|lacking| self.broken.are_hopeless_without(lacking));
                phase.next = candidate.filter(|_| !phase.is_next_broken || !checked && !is_over);
                let is_known = |next: &mut Candidate| believes && self.believed.has_whole(next, &self.best);
                if phase.next.take_if(is_known).is_some() {
                    self.spares = true;
                    phase.tell(Outcome::Unresolved);
                    continue;
                }
                if phase.next.is_none() {
                    phase.unasked = phase.unasked.union(&phase.best().minus(&config));
                }
                let is_left_out = phase.next.is_none() && !always_checked;
                self.refused |= is_left_out && !is_over;
                if is_left_out && is_over {
                    self.broken.leave_out(phase.pass);
                }
            } else {
                phase.next = None;
            }
            if phase.next.is_some() {
                return true;
            }
            self.spared += u64::from(!worth_it);
            phase.tell(Outcome::Unresolved);
        }
        phase.next = None;
        false
    }
}
