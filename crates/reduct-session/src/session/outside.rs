//! Runs outside of any search: before it, and of its result.

use super::alone::is_doubtful;
use super::issue::never_begun;
use super::lost::Lost;
use super::polls::Polls;
use super::reused::doubted;
use super::{Happened, MOST_LOST, Pauses, Session};
use crate::event::Why;
use crate::executor::{Completion, ProcessWanted, Request, RunId};
use crate::journal::depends_on_the_day;
use reduct_core::{Outcome, Question};
use reduct_input::Candidate;
use reduct_oracle::Observed;
use reduct_oracle::Oracle;
use reduct_oracle::sampling::{Policy, Tally, Vote};
use std::collections::{HashMap, VecDeque};

/// What came of runs outside of any search.
enum Runs {
    /// They were seen.
    Seen(Vec<Observed>),
    /// The workers died with them too often.
    Lost,
}

impl Session<'_> {
    /// Runs candidates as wide as the place allows, outside of any search, and returns what was seen,
    /// in their order.
    ///
    /// # Errors
    /// If the session was interrupted, or met trouble that did not pass.
    pub fn observe(&mut self, candidates: &[Candidate]) -> Result<Vec<Observed>, Why> {
        self.observe_from(0, candidates, None)
    }

    /// Runs candidates of which it may stay open what they do, outside of any search: if workers die with them time after
    /// time, they count as ones that cannot be started, as in a search.
    ///
    /// # Errors
    /// If the session was interrupted, or met other trouble that did not pass.
    pub fn observe_or_give_up(&mut self, candidates: &[Candidate]) -> Result<Vec<Observed>, Why> {
        match self.runs(0, candidates, None, ProcessWanted::Fresh)? {
            Runs::Seen(seen) => Ok(seen),
            Runs::Lost => Ok(candidates.iter().map(|_| never_begun()).collect()),
        }
    }

    /// Does so; the runs are numbered from `first`. With an oracle, processes that have run other tests before may be
    /// asked, as in a search; without one, each run has a fresh one.
    pub(super) fn observe_from(
        &mut self,
        first: u32,
        candidates: &[Candidate],
        oracle: Option<&Oracle>,
    ) -> Result<Vec<Observed>, Why> {
        let process = if oracle.is_some() { ProcessWanted::Reused } else { ProcessWanted::Fresh };
        self.observe_by(process, first, candidates, oracle)
    }

    /// Runs the test on a candidate as a search does, by a process that may have run others before or may be forked.
    ///
    /// # Errors
    /// If the session was interrupted, or met other trouble that did not pass.
    pub fn observe_reused(&mut self, candidate: &Candidate) -> Result<Option<Observed>, Why> {
        let seen = self.observe_by(ProcessWanted::Reused, 0, std::slice::from_ref(candidate), None)?;
        Ok(seen.into_iter().next())
    }

    fn observe_by(
        &mut self,
        process: ProcessWanted,
        first: u32,
        candidates: &[Candidate],
        oracle: Option<&Oracle>,
    ) -> Result<Vec<Observed>, Why> {
        match self.runs(first, candidates, oracle, process)? {
            Runs::Seen(seen) => Ok(seen),
            Runs::Lost => Err(Why::Trouble(Lost::Session.to_string())),
        }
    }

    fn runs(
        &mut self,
        first: u32,
        candidates: &[Candidate],
        oracle: Option<&Oracle>,
        process: ProcessWanted,
    ) -> Result<Runs, Why> {
        let mut seen: Vec<Option<Observed>> = vec![None; candidates.len()];
        let mut waiting: VecDeque<usize> = (0..candidates.len()).collect();
        let mut running: HashMap<RunId, (usize, Option<Outcome>)> = HashMap::new();
        let mut lost = 0;
        while seen.iter().any(Option::is_none) {
            while running.len() < self.opened.executor.slots()
                && let Some(at) = waiting.pop_front()
            {
                running.insert(self.start(&candidates[at], first + at as u32, process), (at, None));
            }
            match self.next(None) {
                Happened::There(Completion::Finished(run, observed)) => {
                    let Some((at, said)) = running.remove(&run) else { continue };
                    self.pauses = Pauses::default();
                    if said.is_none()
                        && let Some(said) = oracle.and_then(|oracle| doubted(oracle, &observed))
                    {
                        let again = self.start_in_place_of(run, &candidates[at], first + at as u32);
                        running.insert(again, (at, Some(said)));
                        continue;
                    }
                    oracle.iter().for_each(|oracle| self.note_fresh(oracle, said, &observed));
                    seen[at] = Some(*observed);
                }
                Happened::There(Completion::Lost(run)) => {
                    waiting.extend(running.remove(&run).map(|(at, _)| at));
                    lost += 1;
                    if lost == MOST_LOST {
                        running.into_keys().for_each(|run| self.opened.executor.cancel(run));
                        return Ok(Runs::Lost);
                    }
                }
                Happened::There(Completion::Trouble(run, trouble)) => {
                    waiting.extend(running.remove(&run).map(|(at, _)| at));
                    self.wait_out(run, &trouble)?;
                }
                Happened::Asked(Request::Interrupt) => {
                    return Err(self.drop_all(running.into_keys(), Why::Interrupted));
                }
                Happened::Asked(Request::Stop) => return Err(self.drop_all(running.into_keys(), Why::Stopped)),
                Happened::Asked(Request::Skip | Request::Disable | Request::Pause | Request::Undo)
                | Happened::There(Completion::Deadline | Completion::Woken) => {}
            }
        }
        Ok(Runs::Seen(seen.into_iter().flatten().collect()))
    }

    /// Returns what the candidate said, word for word, that was polled and failed last.
    pub fn said(&self) -> Option<&str> {
        self.said.as_deref()
    }

    /// Returns whether tests run in copies of a project, which are kept from test to test.
    pub fn runs_in_copies(&self) -> bool {
        self.opened.base_tree.is_some()
    }

    /// Has each run from here on find nothing that an earlier one has made, where folders are kept from test to test.
    pub fn run_afresh(&mut self) {
        self.opened.afresh = true;
    }

    /// Runs one candidate, outside of any search, until it is decided, and returns what it is and by which votes.
    /// Without a policy, one run decides.
    ///
    /// # Errors
    /// If the session was interrupted, or met trouble that did not pass.
    pub fn poll(
        &mut self,
        oracle: &Oracle,
        policy: Option<Policy>,
        candidate: &Candidate,
    ) -> Result<(Outcome, Tally), Why> {
        let (key, sure) = (candidate.key(), candidate.certainty());
        let (mut polls, mut first) = (Polls::new(policy, HashMap::new()), 0);
        loop {
            let count = polls.room(key, sure).clamp(1, self.opened.executor.slots());
            let seen = self.observe_from(first, &vec![candidate.clone(); count], None)?;
            for (number, mut observed) in (first..).zip(seen) {
                if is_doubtful(&observed, oracle.verdict_on(&observed, candidate).outcome) {
                    let again = self.observe_from(number, std::slice::from_ref(candidate), None)?;
                    observed = again.into_iter().next().unwrap_or(observed);
                }
                let (outcome, limited) =
                    (oracle.verdict_on(&observed, candidate).outcome, depends_on_the_day(&observed.exit));
                if outcome == Outcome::Fail {
                    self.said = oracle.in_full(&observed);
                }
                let vote = Vote { outcome, limited };
                if let Some((outcome, votes)) = polls.take((key, sure), number, vote) {
                    return Ok((outcome, votes.unwrap_or_else(|| Tally::of(vote))));
                }
            }
            first += count as u32;
        }
    }
}
