//! A run walked through again, without running a test.

use crate::errors::Refusal;
use crate::open;
use crate::recorded::begins_from;
use crate::runs::Run;
use crate::walk::{Step, Walk};
use reduct_input::Candidate;
use reduct_report::story::StoryBranch;
use reduct_session::event::Why;
use reduct_session::journal::{self, JournalRecord};
use reduct_strategies::Evidence;

/// A run, walked through: an iterator over its tests, in the order of the search.
///
/// ```standalone_crate
/// use reduct_lib::{Outcome, Replay, Run, Test};
///
/// fn main() -> Result<(), Box<dyn std::error::Error>> {
///     reduct_lib::run_if_asked();
///     let folder = std::env::temp_dir().join(format!("replay-{}", std::process::id()));
///     std::fs::create_dir_all(&folder)?;
///     std::fs::write(folder.join("list"), "a\nb\nc\nd\n")?;
///     let test = Test::shell("grep -q c {}").exit_zero();
///     reduct_lib::reduce("list").folder(&folder).test(test).out("small").keep_runs(true).run()?;
///
///     // Later, perhaps in another process:
///     let run = Run::find(&folder)?;
///     let mut replay = Replay::of(&run)?;
///     let failed = replay.by_ref().filter(|test| test.outcome == Outcome::Fail).count();
///     assert!(failed > 0 && replay.is_done());
///     assert_eq!(replay.best().0.artifact().bytes(), b"c");
///     Ok(std::fs::remove_dir_all(folder)?)
/// }
/// ```
pub struct Replay {
    walk: Box<dyn Walk>,
    whole: Candidate,
    branch: Option<StoryBranch>,
}

impl Replay {
    /// Replays a run.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn of(run: &Run) -> Result<Replay, Refusal> {
        let (records, _) = journal::read(&run.journal())?;
        Replay::of_records(run, &records)
    }

    /// Replays a run whose journal has these records.
    pub(crate) fn of_records(run: &Run, records: &[JournalRecord]) -> Result<Replay, Refusal> {
        let (job, input) = run.job(records)?;
        let problem = open::of_run(&job, run, input)?;
        let walk = problem.walk(records, run)?;
        let (whole, _) = walk.best();
        let whole_of = |(from, is_deeper)| problem.size_of_whole().map(|whole| StoryBranch { from, whole, is_deeper });
        let branch = begins_from(records).map(whole_of).transpose()?;
        Ok(Replay { walk, whole, branch })
    }

    /// Replays a search.
    pub(crate) fn walking(walk: Box<dyn Walk>) -> Replay {
        let (whole, _) = walk.best();
        Replay { walk, whole, branch: None }
    }

    /// Takes a record that the journal has got since. Returns `false` if the replay has to begin again because of it.
    pub(crate) fn learn(&mut self, record: &JournalRecord) -> bool {
        self.walk.learn(record)
    }

    /// Returns the candidate about which a person is asked now.
    pub(crate) fn asked(&self) -> Option<Candidate> {
        self.walk.asked()
    }

    /// Returns what it began with.
    pub fn whole(&self) -> &Candidate {
        &self.whole
    }

    /// Returns, of a run that went back to a step, that step, and what the run began with.
    pub(crate) fn branch(&self) -> Option<StoryBranch> {
        self.branch
    }

    /// Returns what it has come to, and the size of that.
    pub fn best(&self) -> (Candidate, usize) {
        self.walk.best()
    }

    /// Returns the size of a candidate in the unit of the plan.
    pub fn size(&self, candidate: &Candidate) -> usize {
        self.walk.size(candidate)
    }

    /// Returns what sizes are counted in.
    pub fn unit(&self) -> &'static str {
        self.walk.unit()
    }

    /// Returns what passes, of an isolation; all that was found, of an enumeration.
    pub fn passing(&self) -> Option<Candidate> {
        self.walk.passing()
    }

    /// Returns what is shown of the best if the run ended so.
    pub fn evidence(&self, why: &Why) -> Evidence {
        self.walk.evidence(why)
    }

    /// Returns whether it has come to the end of the search.
    pub fn is_done(&self) -> bool {
        self.walk.is_done()
    }
}

impl Iterator for Replay {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        self.walk.next()
    }
}
