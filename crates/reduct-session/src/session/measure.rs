//! How often the best fails, measured right before it is audited.
//!
//! Where the failure gets rarer as the input gets smaller, the best fails less often than the original did. An audit that
//! looks for what fails as often as the original would overlook what fails as often as the best.

use super::{Books, InputSearch, Session};
use crate::event::{Event, Why};
use crate::journal::depends_on_the_day;
use reduct_core::{Key, Keyed, Question, Speculator};
use reduct_input::Candidate;
use reduct_oracle::sampling::{Calibrator, Purpose, Side, Vote};

/// Where chance is made from the number of a run, these runs are others than those that the search has accepted it by.
const OWN: u32 = 1 << 24;

/// Returns under which key the runs are noted by which it is known how often a candidate fails.
fn key_of_rate(Key(key): Key) -> Key {
    let mut keyed = Keyed::default();
    [(key >> 64) as u64, key as u64].into_iter().for_each(|part| keyed.add(part));
    b"rate".iter().for_each(|byte| keyed.add(u64::from(*byte)));
    keyed.finish()
}

impl Session<'_> {
    /// Measures how often the best fails, if the search waits for the first answer of an audit: once in a search, so
    /// that all audits ask alike.
    pub(super) fn measure_before_audit<I: InputSearch>(
        &mut self,
        books: &mut Books<'_>,
        speculator: &Speculator<I>,
    ) -> Result<(), Why> {
        let audits = || speculator.search().ask().is_some_and(|question| question.certainty().bits() > 0);
        if books.polls.can_audit() || !audits() {
            return Ok(());
        }
        books.running.take_all().into_iter().for_each(|run| self.opened.executor.cancel(run));
        let rate = self.measure(books, &speculator.search().best())?;
        books.polls.audit_at(rate);
        Ok(())
    }

    /// Runs a candidate until a lower bound is known of how often it fails. What is known of it from earlier counts.
    fn measure(&mut self, books: &mut Books<'_>, best: &Candidate) -> Result<f64, Why> {
        let key = key_of_rate(best.key());
        let mut calibrator = Calibrator::new(Purpose::Reduce, false);
        let mut number = 0;
        loop {
            let wanted = calibrator.wanted().failing;
            if wanted == 0 {
                return Ok(calibrator.calibration().failing_rate());
            }
            let known = books.polls.known(key, number..number + wanted);
            let runs = vec![best.clone(); wanted as usize - known.len()];
            known.iter().for_each(|vote| calibrator.count(Side::Failing, vote.outcome));
            number += known.len() as u32;
            for observed in self.observe_from(OWN + number, &runs, Some(books.oracle))? {
                let outcome = books.oracle.verdict_on(&observed, best).outcome;
                let vote = Vote { outcome, limited: depends_on_the_day(&observed.exit) };
                let (exit, elapsed) = (observed.exit, observed.elapsed);
                self.emit(&Event::Voted { key, number, outcome, exit, elapsed })?;
                books.polls.note(key, number, vote);
                calibrator.count(Side::Failing, outcome);
                books.tally.runs += 1;
                number += 1;
            }
        }
    }
}
