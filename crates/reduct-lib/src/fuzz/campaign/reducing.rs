//! What is found is reduced, and compared with what is found already.

use super::{Campaign, HANGS_AFTER, stopped};
use crate::engine::RunReport;
use crate::errors::Refusal;
use crate::fuzz::again::{self, Left};
use crate::fuzz::finding_store::FindingStatus;
use crate::fuzz::happening::Happening;
use crate::fuzz::seen;
use crate::reduce::reduce;
use crate::resume::resume;
use crate::runs::Run;
use crate::triage::Failing;
use reduct_input::Candidate;
use reduct_oracle::signature::InputVocabulary;
use reduct_oracle::{Exit, Limit, Observed};
use reduct_session::Stops;
use reduct_session::event::Why;
use reduct_sources::RUNS;
use std::fs;
use std::time::{Duration, Instant};

/// What hangs is reduced with so many times what the slowest trial took that passed, and with no less than this.
const TIMES_SLOWEST: u32 = 10;
const SHORTEST_LIMIT: Duration = Duration::from_secs(1);

impl Campaign<'_> {
    /// Reduces what is filed and not reduced yet.
    pub(super) fn reduce_all(&mut self) -> Result<(), Refusal> {
        let Some(time) = self.state.fuzzing.reduce_time else { return Ok(()) };
        while let Some(at) = self.state.findings.iter().position(|filed| filed.standing == FindingStatus::New) {
            let limit = self.limit();
            let filed = &mut self.state.findings[at];
            if filed.signature.exit == Exit::Limit(Limit::Time) {
                filed.limit.get_or_insert(limit);
            }
            self.state.save()?;
            let begin = Instant::now();
            let done = self.reduce_one(at, time);
            self.reducing += begin.elapsed();
            self.stop_signal.connect(self.control.clone());
            match done {
                Err(refusal @ Refusal::Stopped(..)) => return Err(refusal),
                Err(refusal) => self.state.note_refusal(at, refusal)?,
                Ok(report) => {
                    self.state.note_reduction(at, report.as_ref())?;
                    if report.is_some_and(|report| report.ended.why == Why::Interrupted) {
                        return Err(stopped(&Why::Interrupted));
                    }
                }
            }
            // A session that is interrupted while it is compared compares it again.
            let compared = self.compare_again(at);
            if compared.is_err() {
                self.state.findings[at].standing = FindingStatus::New;
            }
            compared?;
        }
        Ok(())
    }

    /// Looks whether a finding, now that it is reduced, is one that is filed already, and files it with that then.
    fn compare_again(&mut self, at: usize) -> Result<(), Refusal> {
        let before = self.state.findings[at].clone();
        if before.standing.is_reduced() {
            if self.is_only_slow(at)? {
                return Ok(());
            }
            for other in (0..self.state.findings.len()).filter(|other| *other != at) {
                if !self.state.findings[other].standing.is_reduced() {
                    continue;
                }
                let (Some(this), Some(that)) = (self.left(at)?, self.left(other)?) else { continue };
                let Some(why) = again::same(&this, &that) else { continue };
                // The one that was found first stays.
                let (gone, stays) = (at.max(other), at.min(other));
                (self.watcher)(&Happening::Reduced(&before));
                let gone = self.state.merge(gone, stays, &why.describe())?;
                self.state.save()?;
                let of = &self.state.findings[stays];
                (self.watcher)(&Happening::Same { folder: &gone.folder, of, why: &why });
                return Ok(());
            }
        }
        self.state.save()?;
        (self.watcher)(&Happening::Reduced(&self.state.findings[at]));
        Ok(())
    }

    /// Returns whether what a hang was reduced to ends after all if it is given all the time there is: then it is
    /// reduced again, with as much time for each test.
    fn is_only_slow(&mut self, at: usize) -> Result<bool, Refusal> {
        let filed = &self.state.findings[at];
        if filed.limit.is_none_or(|limit| limit >= self.time_limit) {
            return Ok(false);
        }
        let Some(left) = self.state.left(filed)? else { return Ok(false) };
        let candidate = self.candidate(&left)?;
        if self.observe(&[candidate])?[0].exit == Exit::Limit(Limit::Time) {
            return Ok(false);
        }
        let folder = self.state.fuzzing.job.out.join(&self.state.findings[at].folder).join(RUNS);
        fs::remove_dir_all(&folder).map_err(Refusal::io("remove", &folder))?;
        let filed = &mut self.state.findings[at];
        (filed.limit, filed.standing) = (Some(self.time_limit), FindingStatus::New);
        self.state.save()?;
        Ok(true)
    }

    /// Returns what is left of a finding and how it fails, and how it does with one byte less. `None` if it does not,
    /// or nothing is there.
    fn left(&mut self, at: usize) -> Result<Option<Left>, Refusal> {
        let filed = self.state.findings[at].clone();
        if let Some(left) = self.left.get(&filed.folder) {
            return Ok(Some(left.clone()));
        }
        let Some(text) = self.state.left(&filed)? else { return Ok(None) };
        let less = again::less_one(&text);
        // To wait for what hangs tells nothing that could be compared.
        let less = if filed.signature.exit == Exit::Limit(Limit::Time) { vec![] } else { less };
        let texts: Vec<&[u8]> = std::iter::once(&text[..]).chain(less.iter().map(|text| &text[..])).collect();
        let candidates: Result<Vec<Candidate>, Refusal> = texts.iter().map(|text| self.candidate(text)).collect();
        let seen = self.observe(&candidates?)?;
        let failure = &self.state.fuzzing.job.failure;
        let looks = |seen: &Observed, text: &[u8]| again::looks(seen::failure(seen, failure, text));
        if looks(&seen[0], &text).is_none() {
            return Ok(None);
        }
        let less = seen.iter().zip(&texts).skip(1).filter_map(|(seen, text)| looks(seen, text)).collect();
        let (name, observed, words) = (filed.folder.clone(), seen[0].clone(), InputVocabulary::default());
        let failing = Failing { name, observed, text, reduced: true, words };
        let left = Left { failing, signature: filed.signature, less };
        self.left.insert(filed.folder, left.clone());
        Ok(Some(left))
    }

    /// Returns how long a test may take to reduce what hangs: as long as all that is known to end takes, and some.
    fn limit(&self) -> Duration {
        let ends = self.state.slowest.saturating_mul(TIMES_SLOWEST).max(SHORTEST_LIMIT);
        // What was asked for with --timeout says what hangs, not how long it takes to see it again.
        let mut job = self.state.fuzzing.job.clone();
        job.limits.time = None;
        job.shared_time_limit(ends).min(self.time_limit)
    }

    /// Reduces a finding; `None` if that was done before.
    fn reduce_one(&self, at: usize, time: Duration) -> Result<Option<RunReport>, Refusal> {
        let filed = &self.state.findings[at];
        let job = self.state.reduction(filed, HANGS_AFTER)?;
        if filed.bytes == 0 {
            return Err(Refusal::EmptyFails { seen: String::new(), advice: String::new() });
        }
        let stops = Stops::default().with_time(Some(time));
        if let Ok(run) = Run::find(&job.folder) {
            let resumed = resume(&run, stops, self.stop_signal.audience())?;
            // A result that was taken away after its run was over takes another run.
            if resumed.is_some() || job.out.exists() {
                return Ok(resumed.map(|(_, report)| report));
            }
        }
        reduce(&job, true, stops, self.stop_signal.audience()).map(Some)
    }
}
