//! What a reduction asks, and what it makes of the answers: first about a guess, if it has one, then as its phases and trials go.

use super::pass_run::Reading;
use super::{Reduction, trial};
use crate::plan::Plan;
use reduct_core::{Outcome, Question, Search};
use reduct_input::{Artifact, Candidate, Circumstances};

/// How likely a guess is to be right.
const GUESSED: f32 = 0.9;

impl Reduction {
    /// Asks first about something smaller that is likely to be enough, and begins with that if it fails.
    pub fn guessing(self, guess: Candidate) -> Reduction {
        Reduction { guess: Some(guess).filter(|guess| guess.len() < self.best.len()), ..self }
    }

    /// Takes what came of the guess.
    fn tell_guess(&mut self, guess: Candidate, outcome: Outcome) {
        if outcome == Outcome::Fail {
            self.begin_anew(guess.artifact(), (*self.plan).clone());
        }
    }

    /// Returns what an outcome means for the search: a candidate that was too long to be read before its test, and turns out to be broken, is not
    /// gone on from where that is not allowed yet.
    fn after_reading(&mut self, tested: &Candidate, outcome: Outcome) -> Outcome {
        let Some(phase) = &mut self.phase else { return outcome };
        let is_to_be_read = outcome == Outcome::Fail && phase.reading != Reading::None && !phase.is_next_broken;
        if !is_to_be_read || self.subject.allows_failing(tested) {
            return outcome;
        }
        if phase.reading == Reading::Noted {
            phase.is_next_broken = true;
            return outcome;
        }
        phase.refuse();
        self.refused |= !self.plan.pass(phase.pass).must_parse;
        Outcome::Unresolved
    }

    /// Begins again with what is left.
    pub(super) fn begin_anew(&mut self, left: Artifact, plan: Plan) {
        let whole = self.whole.clone();
        *self = Reduction { whole, ..Reduction::new(left, plan) };
    }
}

impl Reduction {
    /// Goes on with what promises most after an answer: neighbours, another level or pass, or the list that was asked about.
    fn go_on_after_answer(&mut self) {
        if self.is_at_neighbours() || self.has_turned_to_neighbours() {
            if !self.advance() {
                self.end_phase();
            }
            return;
        }
        let is_slow =
            self.is_slow_start() || self.is_slow_follower() || self.is_slow_again() || self.is_early_in_vain();
        if is_slow && !self.goes_on_with_smaller() {
            self.give_up_level_or_pass();
        } else if self.has_turned_elsewhere() || self.has_put_off_level() {
            // Another level or pass asks.
        } else if !self.advance() {
            self.end_phase();
        }
    }
}

impl Search for Reduction {
    type Question = Candidate;

    fn ask(&self) -> Option<Candidate> {
        let asks = self.guess.clone().or_else(|| self.trial.asks());
        asks.or_else(|| self.phase.as_ref().and_then(|phase| phase.next.clone()))
    }

    fn tell(&mut self, outcome: Outcome) {
        if self.is_share {
            return self.tell_share(outcome);
        }
        if let Some(guess) = self.guess.take() {
            return self.tell_guess(guess, outcome);
        }
        if self.trial.is_asking() {
            return self.tell_growth(outcome);
        }
        let Some(phase) = &mut self.phase else { return };
        let Some(tested) = phase.next.take() else { return };
        let is_needless = outcome != Outcome::Fail;
        let outcome = self.after_reading(&tested, outcome);
        self.note_together(outcome);
        let Some(phase) = &mut self.phase else { return };
        if phase.is_next_broken {
            self.broken.told(tested.key(), phase.lacking.take(), outcome == Outcome::Fail);
        }
        if is_needless && self.plan.descends() {
            self.believed.add_whole(&tested);
        }
        let before = self.best.len();
        // What neighbours are in vain says nothing of the list.
        let is_about_list = phase.neighbours.is_none();
        if is_about_list || outcome == Outcome::Fail {
            self.schedule.asked(phase.pass);
            self.bar.count(outcome == Outcome::Fail);
            self.likely.told(phase.pass, outcome == Outcome::Fail);
        }
        let asked = phase.asks();
        if is_needless || outcome == Outcome::Fail {
            phase.note_asked(asked.as_ref());
        }
        self.learn_unmet_needs(asked.as_ref(), outcome);
        let Some(phase) = &mut self.phase else { return };
        let after_larger = phase.largest_after_larger(asked.as_ref());
        phase.note_alone(asked.as_ref(), outcome);
        phase.tell(outcome);
        if outcome == Outcome::Fail {
            after_larger.into_iter().for_each(|size| self.turns.note_gone(phase.pass, size));
            let best = phase.best();
            // A search may ask about something else than what it then goes on from. Mostly it does not, and
            // the digest of a candidate, which is linear in it, is made once.
            let same = asked.as_ref() == Some(&best);
            self.best = if same { tested } else { phase.parts.candidate(&best).unwrap_or(tested) };
            phase.progress = true;
            self.schedule.gained(phase.pass, before.saturating_sub(self.best.len()));
            self.broken.changed();
        }
        if outcome == Outcome::Fail && self.trial.before().is_none() {
            self.trial.forget_edits();
        }
        if self.end_trial(outcome) {
            return;
        }
        self.in_vain = if outcome == Outcome::Fail { 0 } else { self.in_vain + usize::from(is_about_list) };
        self.passed = if outcome == Outcome::Fail { 0 } else { self.passed };
        self.go_on_after_answer();
    }

    fn best(&self) -> Candidate {
        self.trial.before().map_or(&self.best, |before| &before.best).clone()
    }

    fn odds(&self) -> Option<f32> {
        if self.guess.is_some() {
            return Some(GUESSED);
        }
        if self.trial.is_asking() {
            return Some(trial::ODDS);
        }
        let phase = self.phase.as_ref()?;
        let group = phase.best().len().saturating_sub(phase.asks()?.len());
        phase.odds().map(|expected| self.likely.odds(phase.pass, group, expected))
    }

    fn sharing(&self) -> Option<usize> {
        self.asking_phase().filter(|phase| phase.neighbours.is_none())?.search.sharing()
    }

    fn shares(&self) -> Vec<Reduction> {
        let phase = self.asking_phase().filter(|phase| phase.neighbours.is_none());
        let shares = phase.map_or(vec![], |phase| phase.search.shares());
        shares.into_iter().filter_map(|search| self.share(search)).collect()
    }

    fn skip(&mut self) {
        if self.guess.take().is_some() {
            self.skipped += 1;
            return;
        }
        if self.trial.is_asking() {
            self.skipped += 1;
            return self.tell_growth(Outcome::Unresolved);
        }
        self.skipped += u64::from(self.phase.is_some());
        if let Some(phase) = &mut self.phase {
            // Else the list would begin again.
            phase.neighbours.take_if(|neighbours| neighbours.hits() == 0);
        }
        self.end_phase();
    }

    fn disable(&mut self) {
        match &self.phase {
            Some(phase) if self.guess.is_none() && !self.trial.is_asking() => {
                self.schedule.disable(phase.pass);
                self.give_up_pass();
            }
            // What a trial or a guess asks is of no pass.
            _ => self.skip(),
        }
    }
}
