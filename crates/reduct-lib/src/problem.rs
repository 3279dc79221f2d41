//! A question asked of a failure, opened: what the engine and all that look at a run later need to know of it. Each goal
//! has a file that says so; `open.rs` opens them.

use crate::audience::Audience;
use crate::errors::Refusal;
use crate::executor::{Listed, executor, watched};
use crate::job::{InputDelivery, Job, TestPlace};
use crate::judge::Judge;
use crate::list::List;
use crate::preflight::{Baseline, NoBaseline, establish_baseline};
use crate::recheck::{Claimed, Recheck};
use crate::runs::Run;
use reduct_core::{Key, Keyed, Outcome, Question};
use reduct_input::{Artifact, Candidate};
use reduct_oracle::Observed;
use reduct_oracle::sampling::Rate;
use reduct_oracle::signature::InputVocabulary;
use reduct_session::event::{Ended, Why};
use reduct_session::executor::Opened;
use reduct_session::publish::ResultWriter;
use reduct_session::{InputSearch, Session};
use std::borrow::Cow;
use std::path::PathBuf;

/// What every problem has: the job, what fails, and its words.
pub(crate) struct Setting<'a> {
    pub(crate) job: Cow<'a, Job>,
    /// What fails.
    pub(crate) whole: Candidate,
    /// The words of the input, which messages may name.
    pub(crate) words: InputVocabulary,
}

/// What a run looks for, and where.
pub(crate) trait Problem {
    /// The search.
    type Search: InputSearch + 'static;

    /// Returns whether what stands in the place of a job's result was written there by one of the runs of its folder.
    fn is_ours(job: &Job) -> bool
    where
        Self: Sized;

    /// Returns the job, what fails, and its words.
    fn setting(&self) -> &Setting<'_>;

    fn job(&self) -> &Job {
        &self.setting().job
    }

    /// Returns the same job, to be changed.
    fn job_mut(&mut self) -> &mut Job;

    /// Has its tests run somewhere else from now on.
    fn stand(&mut self, place: TestPlace) {
        self.job_mut().place = place;
    }

    /// Returns what fails.
    fn whole(&self) -> &Candidate {
        &self.setting().whole
    }

    /// Returns that as it was given: archives in it as the files that they are.
    fn original(&self) -> &Candidate {
        self.whole()
    }

    /// Has what is packed in archives of the input reduced as files, from now on. Returns whether there is something.
    ///
    /// # Errors
    /// If that is more than can be reduced.
    fn unpack(&mut self) -> Result<bool, Refusal> {
        Ok(false)
    }

    /// Undoes that.
    fn pack_again(&mut self) {}

    /// Returns the words of the input, which messages may name.
    fn words(&self) -> &InputVocabulary {
        &self.setting().words
    }

    /// Returns what that is, for observers.
    fn whole_is(&self) -> &'static str {
        "the whole input"
    }

    /// Returns what else is run before: the empty input, or what passes.
    fn other(&self) -> Candidate {
        Candidate::nothing(self.whole().base().clone())
    }

    /// Returns the digest of all that the run is about.
    fn input(&self) -> Key {
        self.original().key()
    }

    /// Returns what else a test sees, in no matter which candidate.
    fn surroundings(&self) -> Vec<u8> {
        vec![]
    }

    /// Returns the search at its beginning.
    fn search(&self) -> Result<Self::Search, Refusal>;

    /// Returns whether the search first asks about what the test opens (`Job::opened`).
    fn begins_with_opened(&self) -> bool {
        false
    }

    /// Returns the same search, which begins with this instead of the whole. `None` if a run cannot go on from one of its
    /// steps.
    fn search_from(&self, _begin: Artifact) -> Option<Result<Self::Search, Refusal>> {
        None
    }

    /// Returns a place to run the test.
    fn executor(&self, handed: InputDelivery) -> Result<Box<Opened>, Refusal> {
        executor(self.job(), handed, self.whole().len())
    }

    /// Returns the same, where what the test opens in its folder, or what is refused to it, is written to a list. `None` if that
    /// cannot be heard of.
    fn watched(&self, what: Listed, list: &List) -> Option<Result<Box<Opened>, Refusal>> {
        Some(watched(self.job(), self.whole().len(), (what, list)))
    }

    /// Returns the runs before the search: what the failure is, and what the test says of [`Problem::other`]. What
    /// fails was run already, and this was `seen`.
    fn establish_baseline(
        &self,
        session: &mut Session<'_>,
        seen: Vec<Observed>,
    ) -> Result<(Baseline, Outcome), NoBaseline> {
        establish_baseline(session, self.job(), self.whole(), self.words(), seen)
    }

    /// Returns the folder of a new run, with what it takes to go on with it.
    fn create(&self, name: &str) -> Result<Run, Refusal> {
        Run::create(self.job().runs_folder(), name, self.original())
    }

    /// Returns what the run is called.
    fn name(&self) -> String {
        name(self.whole())
    }

    /// Returns where the result goes.
    fn out(&self, run: &Run) -> PathBuf {
        let out = &self.job().out;
        // What is no input's smaller version stands with the run.
        if out.as_os_str().is_empty() { run.folder.join("answer") } else { out.clone() }
    }

    /// Returns the writer that keeps the best so far where the user finds it.
    fn publisher(&self, run: &Run) -> Result<ResultWriter, Refusal>;

    /// Runs the result once more. `None` if it was not run.
    fn confirm(&self, session: &mut Session<'_>, judge: Judge<'_>, ended: &Ended) -> Option<bool>;

    /// Returns whether what was published stands at its place. `None` if that cannot be read.
    fn stands(&self, _ended: &Ended) -> Option<bool> {
        None
    }

    /// Runs the result often enough to say how often it fails. `None` if one run tells, or if it could not be run.
    ///
    /// # Errors
    /// If the session was interrupted, or met trouble that did not pass.
    fn rate(&self, _session: &mut Session<'_>, _judge: Judge<'_>, _ended: &Ended) -> Result<Option<Rate>, Why> {
        Ok(None)
    }

    /// Returns whether each of its steps is an answer, so that there is one to go back to if the last one does not fail
    /// each time.
    fn can_go_back(&self) -> bool {
        false
    }

    /// Returns what the answer says of candidates that [`Problem::confirm`] does not run.
    fn claims(&self, _search: &Self::Search) -> Vec<(Candidate, Outcome)> {
        vec![]
    }

    /// Returns what is to be published at the end, if that is more than the best, and lines to be shown.
    fn answer(&self, _search: &Self::Search, _ended: &Ended) -> Result<(Option<Candidate>, Vec<String>), Refusal> {
        Ok((None, vec![]))
    }

    /// Checks again what a run claims of its result, with nothing remembered.
    ///
    /// # Errors
    /// If the result cannot be read, or no test can be run.
    fn recheck(&self, claimed: Claimed<'_>, audience: Audience<'_>) -> Result<Recheck, Refusal>;

    /// Keeps what else belongs to the answer in the folder of the run, and says where; or why not.
    fn keep(&self, _search: &Self::Search, _run: &Run) -> Vec<String> {
        vec![]
    }
}

/// Returns what a run is called: like its input.
fn name(whole: &Candidate) -> String {
    let first = whole.base().entries().first().map(|entry| entry.path.to_string_lossy().into_owned());
    let name: String =
        first.unwrap_or_default().chars().filter(|c| c.is_alphanumeric() || "._-".contains(*c)).collect();
    name.chars().take(40).collect()
}

/// Returns the digest of two sides, to which more may be added.
pub(crate) fn of_both(passing: &Candidate, failing: &Candidate) -> Keyed {
    let mut both = Keyed::default();
    for Key(key) in [passing.key(), failing.key()] {
        both.add(key as u64);
        both.add((key >> 64) as u64);
    }
    both
}
