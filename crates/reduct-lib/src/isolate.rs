//! Isolates: from an input that passes and one that fails to two that differ in as little as possible.

use crate::audience::Audience;
use crate::beside::words_of;
use crate::errors::Refusal;
use crate::executor::executor;
use crate::job::{InputDelivery, Job};
use crate::judge::Judge;
use crate::place::check_out;
use crate::preflight::{Baseline, Named, NoBaseline, Pair, establish_baseline_of_pair};
use crate::problem::{Problem, Setting, of_both};
use crate::recheck::{Claimed, Recheck};
use crate::runs::{Run, holds_only, is_result_of_a_run};
use reduct_core::{Key, Outcome, Question};
use reduct_input::{Artifact, Candidate, Entry, Grammars, What};
use reduct_oracle::Observed;
use reduct_report::difference;
use reduct_report::preflight::advice::{Advice, advise};
use reduct_session::Session;
use reduct_session::event::Ended;
use reduct_session::executor::Opened;
use reduct_session::publish::ResultWriter;
use reduct_sources::{load, load_published};
use reduct_strategies::{Grain, Isolation};
use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

/// Where the sides stand in what is published, and in the copy that a run keeps.
const PASSING: &str = "passing";
const FAILING: &str = "failing";

/// Returns the same, under the name that the other has.
fn renamed(artifact: Artifact, like: &Artifact) -> Artifact {
    let first = |artifact: &Artifact| artifact.entries().first().map(|entry| entry.path.clone());
    let (Some(from), Some(to)) = (first(&artifact), first(like)) else { return artifact };
    let path = |path: &Path| match path.strip_prefix(&from) {
        Ok(rest) if rest.as_os_str().is_empty() => to.clone(),
        Ok(rest) => to.join(rest),
        Err(_) => path.to_owned(),
    };
    artifact.with_paths(path)
}

/// An isolation to be done.
pub(crate) struct Isolating<'a> {
    setting: Setting<'a>,
    passing: Candidate,
    grammars: Option<Arc<dyn Grammars>>,
}

impl<'a> Isolating<'a> {
    /// Reads what is to be compared.
    ///
    /// # Errors
    /// If the job cannot be understood, an input not read, or the result not put where the job says.
    pub(crate) fn open(job: &'a Job, force: bool) -> Result<Isolating<'a>, Refusal> {
        let failing = load(&job.input_paths())?;
        let passing = match job.goal.passing() {
            Some(passing) => renamed(load(&[job.folder.join(passing)])?, &failing),
            None => Candidate::nothing(failing.clone().into()).artifact(),
        };
        check_out(job, force, Isolating::is_ours)?;
        Isolating::new(job, passing, failing)
    }

    fn new(job: &'a Job, passing: Artifact, failing: Artifact) -> Result<Isolating<'a>, Refusal> {
        let words = words_of(job, &[&failing, &passing]);
        let grammars = job.search.grammars()?;
        let [passing, failing] = [passing, failing].map(|side| Candidate::whole(side.into()));
        let isolating =
            Isolating { setting: Setting { job: Cow::Borrowed(job), whole: failing, words }, passing, grammars };
        if isolating.passing.key() == isolating.setting.whole.key() {
            return Err(Refusal::SameInputs);
        }
        Ok(isolating)
    }

    /// Returns the isolation that a run was begun with.
    ///
    /// # Errors
    /// If its copy of the inputs cannot be read, or is not what it began with.
    pub(crate) fn of_run(job: &'a Job, run: &Run, input: Key) -> Result<Isolating<'a>, Refusal> {
        let side = |name: &str| load_published(&run.input().join(name), None);
        let isolating = Isolating::new(job, side(PASSING)?, side(FAILING)?)?;
        if isolating.input() == input { Ok(isolating) } else { Err(Refusal::InputChanged(run.input())) }
    }

    /// Returns what passes and what fails, as it was published.
    ///
    /// # Errors
    /// If it cannot be read.
    fn published(&self) -> Result<Vec<Candidate>, Refusal> {
        let side = |side: &str| Ok(Candidate::whole(load_published(&self.setting.job.out.join(side), None)?.into()));
        [PASSING, FAILING].into_iter().map(side).collect()
    }

    fn grains(&self) -> Result<Vec<Grain>, Refusal> {
        let grain = |name: &String| match name.as_str() {
            "lines" => Ok(Grain::Lines),
            "words" => Ok(Grain::Words),
            "chars" => Ok(Grain::Chars),
            _ => Err(Refusal::UnknownName { what: "kind of parts", name: name.clone() }),
        };
        let named: Result<Vec<Grain>, Refusal> = self.setting.job.search.by.iter().map(grain).collect();
        named.map(|named| if named.is_empty() { vec![Grain::Lines, Grain::Words, Grain::Chars] } else { named })
    }
}

/// Returns both sides in one folder.
fn both(failing: &Candidate, passing: Option<&Candidate>) -> Candidate {
    let mut builder = reduct_input::ArtifactBuilder::default();
    // In the order of their names, as they are read back.
    let sides = [(FAILING, Some(failing)), (PASSING, passing)];
    for (folder, side) in sides.into_iter().filter_map(|(folder, side)| Some((folder, side?))) {
        builder.folder(folder, 0o755);
        let artifact = side.artifact();
        for Entry { path, what } in artifact.entries() {
            let path = Path::new(folder).join(path);
            match what {
                What::File { mode, bytes } => {
                    // They fitted when they were read; both together are at most twice as large.
                    let _ = builder.file(path, *mode, artifact.slice(bytes.clone()));
                }
                What::Link { target } => drop(builder.link(path, target)),
                What::Folder { mode } => drop(builder.folder(path, *mode)),
                What::Archive { mode, packing } => drop(builder.archive(path, *mode, *packing)),
            }
        }
    }
    Candidate::whole(builder.finish().into())
}

impl Problem for Isolating<'_> {
    type Search = Isolation;

    fn is_ours(job: &Job) -> bool {
        // What is shown beside the side that fails changes without it.
        let there = holds_only(&job.out, |name| name == FAILING || name == PASSING)
            .then(|| load_published(&job.out.join(FAILING), None).ok())
            .flatten();
        there.is_some_and(|there| is_result_of_a_run(job.runs_folder(), &job.out, Candidate::whole(there.into()).key()))
    }

    fn setting(&self) -> &Setting<'_> {
        &self.setting
    }

    fn job_mut(&mut self) -> &mut Job {
        self.setting.job.to_mut()
    }

    fn whole_is(&self) -> &'static str {
        "the failing side"
    }

    fn other(&self) -> Candidate {
        self.passing.clone()
    }

    fn input(&self) -> Key {
        of_both(&self.passing, &self.setting.whole).finish()
    }

    fn search(&self) -> Result<Isolation, Refusal> {
        let (passing, failing) = (self.passing.artifact(), self.setting.whole.artifact());
        let isolation = Isolation::new(&passing, &failing, &self.grains()?, self.grammars.clone());
        isolation.map_err(|_| Refusal::TooLarge)
    }

    fn executor(&self, handed: InputDelivery) -> Result<Box<Opened>, Refusal> {
        executor(&self.setting.job, handed, self.setting.whole.len().max(self.passing.len()))
    }

    fn establish_baseline(
        &self,
        session: &mut Session<'_>,
        seen: Vec<Observed>,
    ) -> Result<(Baseline, Outcome), NoBaseline> {
        let job = self.job();
        let failing = job.inputs.first().map(|input| input.display().to_string()).unwrap_or_default();
        let passing = job.goal.passing().map_or_else(|| "an empty input".into(), |path| path.display().to_string());
        let pair = Pair {
            failing: Named { candidate: self.whole(), name: failing },
            passing: Named { candidate: &self.passing, name: passing },
            recipe: advise([Advice::RunEachByHand]),
        };
        Ok(establish_baseline_of_pair(session, job, &pair, self.words(), seen)?)
    }

    fn create(&self, name: &str) -> Result<Run, Refusal> {
        Run::create(self.setting.job.runs_folder(), name, &both(&self.setting.whole, Some(&self.passing)))
    }

    fn publisher(&self, run: &Run) -> Result<ResultWriter, Refusal> {
        let publisher = ResultWriter::new(self.setting.job.out.clone(), None, run.folder.clone());
        Ok(publisher.showing(Box::new(both)))
    }

    /// Returns both sides as they stand on the disk.
    fn stands(&self, ended: &Ended) -> Option<bool> {
        let sides = self.published().ok()?;
        let [passing, failing] = &sides[..] else { return None };
        Some(failing.key() == ended.best.key() && Some(passing.key()) == ended.passing.as_ref().map(Question::key))
    }

    fn confirm(&self, session: &mut Session<'_>, judge: Judge<'_>, ended: &Ended) -> Option<bool> {
        let sides = self.published().ok()?;
        if !self.stands(ended)? {
            return Some(false);
        }
        let outcomes: Option<Vec<Outcome>> = sides.iter().map(|side| judge.outcome(session, side).ok()).collect();
        let outcomes = outcomes?;
        Some(outcomes == [Outcome::Pass, Outcome::Fail])
    }

    fn recheck(&self, claimed: Claimed<'_>, audience: Audience<'_>) -> Result<Recheck, Refusal> {
        let job = self.job();
        let sides = (self.published()?, self.words().clone(), self.executor(job.handed)?);
        claimed.check_pairs(job, sides, &job.out, audience)
    }

    fn answer(&self, search: &Isolation, ended: &Ended) -> Result<(Option<Candidate>, Vec<String>), Refusal> {
        Ok((None, difference::excerpt(&search.passing(), &ended.best)))
    }
}
