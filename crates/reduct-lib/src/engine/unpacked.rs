//! Whether what is packed in archives of the input is reduced as files.

use super::Engine;
use super::resumed::Checked;
use crate::audience::Audience;
use crate::errors::Refusal;
use crate::preflight::{Baseline, tell};
use crate::problem::Problem;
use reduct_core::Outcome;
use reduct_input::Candidate;
use reduct_oracle::Oracle;
use reduct_oracle::signature::InputVocabulary;
use reduct_report::preflight::archives;
use reduct_session::Session;
use reduct_session::event::Event;
use reduct_session::executor::Opened;

/// What the input is called whose archives were packed again.
const PACKED_AGAIN: &str = "the archive, packed again";

/// What fails now and then is run so often until it does.
const MOST_RUNS: usize = 10;

impl<T: Problem> Engine<T> {
    /// Has what is packed in archives of the input reduced as files, if they fail when they are packed again, as they did
    /// before; and establishes the baseline of that. Else they are reduced as the files that they are, and that is noted.
    pub(super) fn unpack(
        &mut self,
        (mut executor, checked): (Box<Opened>, Checked),
        audience: &mut Audience<'_>,
    ) -> Result<(Box<Opened>, Checked), Refusal> {
        let words = self.0.words().clone();
        if !self.0.unpack()? {
            return Ok((executor, checked));
        }
        if self.fails((&mut executor, &checked.baseline, words), audience)? {
            drop(executor);
            let witness = self.witness()?;
            return self.establish_baseline(audience, witness);
        }
        self.0.pack_again();
        self.0.job_mut().caveats.push(archives::left_packed());
        Ok((executor, checked))
    }

    /// Returns whether what is to be reduced fails as it did by this baseline.
    fn fails(
        &self,
        (executor, baseline, words): (&mut Opened, &Baseline, InputVocabulary),
        audience: &mut Audience<'_>,
    ) -> Result<bool, Refusal> {
        let oracle = Oracle::new(baseline.reading.clone(), words);
        let whole: &[Candidate] = std::slice::from_ref(self.0.whole());
        let job = self.0.job();
        let mut session = Session::new(executor, audience.views(), job.patience);
        session.emit(&Event::Checking { what: PACKED_AGAIN }).map_err(Refusal::stopped)?;
        for _ in 0..if job.repeat { MOST_RUNS } else { 1 } {
            let observed = session.observe_or_give_up(whole).map_err(Refusal::stopped)?;
            let Some(observed) = observed.into_iter().next() else { return Ok(false) };
            let outcome = oracle.verdict_on(&observed, &whole[0]).outcome;
            tell(&mut session, PACKED_AGAIN, &observed, outcome)?;
            if outcome == Outcome::Fail {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
