//! Isolates: from an input that passes and one that fails to two that differ in as little as possible.

use crate::beside::words_of;
use crate::errors::Refusal;
use crate::job::{Against, Handed, Job};
use crate::lab::lab;
use crate::place::check_out;
use crate::preflight::{Settled, Sides, Unsettled, settle_sides};
use crate::runs::Run;
use crate::task::{About, Judge, Task};
use crate::work::{Audience, Report, Work, of_both};
use reduct_core::{Key, Outcome, Question};
use reduct_input::{Artifact, Candidate, Entry, Grammars, What};
use reduct_oracle::Observed;
use reduct_report::difference;
use reduct_session::event::Ended;
use reduct_session::executor::Executor;
use reduct_session::publish::Publisher;
use reduct_session::{Session, Stops};
use reduct_sources::{load, load_published};
use reduct_strategies::{Grain, Isolation};
use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

/// Where the sides stand in what is published, and in the copy that a run keeps.
pub(crate) const PASSING: &str = "passing";
pub(crate) const FAILING: &str = "failing";

/// Begins an isolation and does it, to its end or until it is stopped.
///
/// # Errors
/// If the job cannot be understood, an input not read, the one does not fail or the other does not pass.
/// Nothing is changed then.
pub fn isolate(job: &Job, force: bool, stops: Stops, audience: Audience<'_>) -> Result<Report, Refusal> {
    let failing = load(&job.input_paths())?;
    let passing = match &job.against {
        Against::Input(passing) => {
            let loaded = load(&[job.folder.join(passing)])?;
            renamed(loaded, &failing)
        }
        _ => Candidate::nothing(failing.clone().into()).artifact(),
    };
    check_out(job, force)?;
    Work(Isolating::new(job, passing, failing)?).begin(stops, audience)
}

/// The same, under the name that the other has.
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
    about: About<'a>,
    passing: Candidate,
    grammars: Option<Arc<dyn Grammars>>,
}

impl<'a> Isolating<'a> {
    fn new(job: &'a Job, passing: Artifact, failing: Artifact) -> Result<Isolating<'a>, Refusal> {
        let words = words_of(job, &[&failing, &passing]);
        let grammars = job.search.grammars()?;
        let [passing, failing] = [passing, failing].map(|side| Candidate::whole(side.into()));
        let isolating =
            Isolating { about: About { job: Cow::Borrowed(job), whole: failing, words }, passing, grammars };
        if isolating.passing.key() == isolating.about.whole.key() {
            let what = "both inputs are the same, so nothing can be isolated";
            return Err(Refusal::Usage { what: what.into(), help: "give one that passes and one that fails".into() });
        }
        Ok(isolating)
    }

    /// The isolation that a run was begun with.
    ///
    /// # Errors
    /// If its copy of the inputs cannot be read, or is not what it began with.
    pub(crate) fn of_run(job: &'a Job, run: &Run, input: Key) -> Result<Isolating<'a>, Refusal> {
        let side = |name: &str| load_published(&run.input().join(name), None);
        let isolating = Isolating::new(job, side(PASSING)?, side(FAILING)?)?;
        if isolating.input() == input { Ok(isolating) } else { Err(Refusal::InputChanged(run.input())) }
    }

    /// What passes and what fails, as it was published.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(crate) fn published(&self) -> Result<Vec<Candidate>, Refusal> {
        let side = |side: &str| Ok(Candidate::whole(load_published(&self.about.job.out.join(side), None)?.into()));
        [PASSING, FAILING].into_iter().map(side).collect()
    }

    fn grains(&self) -> Result<Vec<Grain>, Refusal> {
        let grain = |name: &String| match name.as_str() {
            "lines" => Ok(Grain::Lines),
            "words" => Ok(Grain::Words),
            "chars" => Ok(Grain::Chars),
            _ => Err(Refusal::UnknownName { what: "kind of parts to isolate by", name: name.clone() }),
        };
        let named: Result<Vec<Grain>, Refusal> = self.about.job.search.by.iter().map(grain).collect();
        named.map(|named| if named.is_empty() { vec![Grain::Lines, Grain::Words, Grain::Chars] } else { named })
    }
}

/// Both sides in one folder.
fn both(failing: &Candidate, passing: Option<&Candidate>) -> Candidate {
    let mut builder = reduct_input::Builder::default();
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
            }
        }
    }
    Candidate::whole(builder.finish().into())
}

impl Task for Isolating<'_> {
    type Search = Isolation;

    fn about(&self) -> &About<'_> {
        &self.about
    }

    fn job_mut(&mut self) -> &mut Job {
        self.about.job.to_mut()
    }

    fn whole_is(&self) -> &'static str {
        "what fails"
    }

    fn other(&self) -> Candidate {
        self.passing.clone()
    }

    fn input(&self) -> Key {
        of_both(&self.passing, &self.about.whole).finish()
    }

    fn search(&self) -> Result<Isolation, Refusal> {
        let (passing, failing) = (self.passing.artifact(), self.about.whole.artifact());
        let isolation = Isolation::new(&passing, &failing, &self.grains()?, self.grammars.clone());
        isolation.map_err(|_| Refusal::TooLarge)
    }

    fn lab(&self, handed: Handed) -> Result<Box<dyn Executor>, Refusal> {
        lab(&self.about.job, handed, self.about.whole.len().max(self.passing.len()))
    }

    fn settle(&self, session: &mut Session<'_>, seen: Vec<Observed>) -> Result<(Settled, Outcome), Unsettled> {
        let failing = self.about.job.inputs.first().map(|input| input.display().to_string()).unwrap_or_default();
        let passing = match &self.about.job.against {
            Against::Input(passing) => passing.display().to_string(),
            _ => "an empty input".into(),
        };
        let recipe = "run the test by hand on a copy of each to see it".to_owned();
        let sides = Sides { failing: &self.about.whole, passing: &self.passing, names: [passing, failing], recipe };
        Ok(settle_sides(session, &self.about.job, &sides, &self.about.words, seen)?)
    }

    fn create(&self, name: &str) -> Result<Run, Refusal> {
        Run::create(&self.about.job.folder, name, &both(&self.about.whole, Some(&self.passing)))
    }

    fn publisher(&self, run: &Run) -> Result<Publisher, Refusal> {
        let publisher = Publisher::new(self.about.job.out.clone(), None, run.folder.clone());
        Ok(publisher.showing(Box::new(both)))
    }

    /// Both sides as they stand on the disk.
    fn stands(&self, ended: &Ended) -> Option<bool> {
        let sides = self.published().ok()?;
        let [passing, failing] = &sides[..] else { return None };
        Some(failing.key() == ended.best.key() && Some(passing.key()) == ended.passing.as_ref().map(Question::key))
    }

    fn confirm(&self, session: &mut Session<'_>, (oracle, policy): Judge<'_>, ended: &Ended) -> Option<bool> {
        let sides = self.published().ok()?;
        if !self.stands(ended)? {
            return Some(false);
        }
        let outcomes: Option<Vec<Outcome>> =
            sides.iter().map(|side| Some(session.poll(oracle, policy, side).ok()?.0)).collect();
        let outcomes = outcomes?;
        Some(outcomes == [Outcome::Pass, Outcome::Fail])
    }

    fn answer(&self, search: &Isolation, ended: &Ended) -> Result<(Option<Candidate>, Vec<String>), Refusal> {
        Ok((None, difference::excerpt(&search.passing(), &ended.best)))
    }
}
