//! Yesterday it worked: finds the changes between two versions of a program because of which it fails.

mod answer;
mod bench;
mod line;

use crate::errors::Refusal;
use crate::job::{Against, Handed, Job};
use crate::place::check_out;
use crate::preflight::{Settled, Sides, Unsettled, settle_sides};
use crate::runs::Run;
use crate::task::{About, Judge, Task};
use crate::work::{Audience, Report, Work, of_both};
use bench::Bench;
use reduct_core::{Config, Delta, Key, Outcome, Question};
use reduct_grammars::Languages;
use reduct_input::{Candidate, Circumstances};
use reduct_oracle::Observed;
use reduct_oracle::signature::Words;
use reduct_session::event::Ended;
use reduct_session::executor::Executor;
use reduct_session::publish::Publisher;
use reduct_session::{Session, Stops};
use reduct_sources::{Versions, folders, git, patches};
use reduct_strategies::{Causes, Grain, Level, Weave, WeaveBuilder};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Begins to look for the changes to blame, and does so to the end or until it is stopped.
///
/// # Errors
/// If the job cannot be understood, the versions not read, the later one does not fail or the earlier one
/// does not pass. Nothing is changed then.
pub fn changes(job: &Job, force: bool, stops: Stops, audience: Audience<'_>) -> Result<Report, Refusal> {
    if !job.out.as_os_str().is_empty() {
        check_out(job, force)?;
    }
    Work(Changing::read(job)?).begin(stops, audience)
}

/// A search among changes to be done.
pub(crate) struct Changing<'a> {
    about: About<'a>,
    weave: Weave,
    given: Config,
    passing: Candidate,
    bench: Bench,
    /// What the two versions are called.
    names: [String; 2],
    notes: Vec<String>,
}

impl<'a> Changing<'a> {
    fn read(job: &'a Job) -> Result<Changing<'a>, Refusal> {
        let folder = job.input_paths().into_iter().next().unwrap_or_else(|| job.folder.clone());
        let comparing = &job.comparing;
        let versions = match &job.against {
            Against::Range(range) => git::range(&folder, range, comparing.first_parent)?,
            Against::Folder(old) => folders::pair(&job.folder.join(old), &folder)?,
            Against::Patches { files, reverse } => {
                let files: Vec<PathBuf> = files.iter().map(|file| job.folder.join(file)).collect();
                patches::series(&folder, &files, *reverse)?
            }
            Against::Empty | Against::Minima(_) | Against::Situation(_) | Against::Nothing | Against::Input(_) => {
                let what = "these are inputs, not versions".into();
                return Err(Refusal::Usage { what, help: "reduct isolate compares inputs".into() });
            }
        };
        let Versions { root, mut changes, given, ground, passing, failing, notes, objects } = versions;
        let bench = Bench::new(job, &folder, ground)?;
        // What the user's own version of is taken for all does not vary.
        let is_fixed = |path: &PathBuf| bench.fixed().any(|fixed| path.starts_with(fixed));
        let root = root.into_iter().filter(|(path, _)| !is_fixed(path)).collect();
        changes.iter_mut().for_each(|change| change.touched.retain(|touched| !is_fixed(&touched.path)));
        let mut builder = WeaveBuilder::new(root, Grain::Lines);
        changes.into_iter().for_each(|change| builder.add(change));
        let weave = builder.finish().map_err(|_| Refusal::TooLarge)?.with_objects(objects);
        let given: BTreeSet<u32> = given.into_iter().map(|change| change as u32).collect();
        let given = weave.of_changes(&given.into_iter().map(Delta).collect());
        let unheard = || Refusal::Usage {
            what: "the two versions differ in nothing that can be told apart".into(),
            help: "give two versions that differ".into(),
        };
        let passing_side = weave.candidate(&given).ok_or_else(unheard)?;
        let failing_side = weave.candidate(&Config::full(weave.len())).ok_or_else(unheard)?;
        if passing_side.key() == failing_side.key() {
            return Err(unheard());
        }
        let words = Words::of(weave.base().bytes()).run_by(&job.command);
        let typed = |path: &PathBuf| path.display().to_string();
        let names = match (&job.against, &job.inputs[..]) {
            (Against::Folder(old), [new]) => [typed(old), typed(new)],
            _ => [passing, failing],
        };
        let about = About { job: Cow::Borrowed(job), whole: failing_side, words };
        Ok(Changing { about, weave, given, passing: passing_side, bench, names, notes })
    }

    /// What a run was begun with.
    ///
    /// # Errors
    /// If it cannot be read any more, or has changed.
    pub(crate) fn again(job: &'a Job, run: &Run, input: Key) -> Result<Changing<'a>, Refusal> {
        let changing = Changing::read(job)?;
        if changing.input() == input { Ok(changing) } else { Err(Refusal::VersionsChanged(run.folder.clone())) }
    }
}

impl Task for Changing<'_> {
    type Search = Causes;

    fn about(&self) -> &About<'_> {
        &self.about
    }

    fn job_mut(&mut self) -> &mut Job {
        self.about.job.to_mut()
    }

    /// What is watched is the command of a job, and not what varies here.
    fn watched(&self, _: &Path) -> Option<Result<Box<dyn Executor>, Refusal>> {
        None
    }

    fn other(&self) -> Candidate {
        self.passing.clone()
    }

    fn input(&self) -> Key {
        let mut all = of_both(&self.passing, &self.about.whole);
        for about in self.weave.changes() {
            about.id.bytes().for_each(|byte| all.add(u64::from(byte)));
            all.add(0);
        }
        all.finish()
    }

    fn surroundings(&self) -> Vec<u8> {
        self.bench.identity(&self.about.job)
    }

    fn search(&self) -> Result<Causes, Refusal> {
        let grammars = Languages::all();
        let (weave, given, most) = (self.weave.clone(), self.given.clone(), self.about.job.comparing.causes.max(1));
        Ok(Causes::new(weave, given, &Level::ALL, most, Some(&grammars)))
    }

    fn lab(&self, _: Handed) -> Result<Box<dyn Executor>, Refusal> {
        self.bench.lab(&self.about.job)
    }

    fn settle(&self, session: &mut Session<'_>, seen: Vec<Observed>) -> Result<(Settled, Outcome), Unsettled> {
        let recipe = self.bench.recipe();
        let sides = Sides { failing: &self.about.whole, passing: &self.passing, names: self.names.clone(), recipe };
        Ok(settle_sides(session, &self.about.job, &sides, &self.about.words, seen)?)
    }

    fn create(&self, name: &str) -> Result<Run, Refusal> {
        // The versions are where they are: they are read again, and must be the same.
        Run::create_empty(&self.about.job.folder, name)
    }

    fn name(&self) -> String {
        let range = match &self.about.job.against {
            Against::Range(range) => range.clone(),
            _ => "changes".into(),
        };
        range.chars().map(|c| if c.is_alphanumeric() || "._-".contains(c) { c } else { '-' }).take(40).collect()
    }

    fn publisher(&self, run: &Run) -> Result<Publisher, Refusal> {
        let out = self.out(run);
        let publisher = Publisher::new(out, None, run.folder.clone());
        let objects = self.weave.objects();
        Ok(publisher.showing(Box::new(move |failing: &Candidate, passing: Option<&Candidate>| {
            answer::folder([(answer::patches::SO_FAR.into(), answer::patches::so_far(passing, failing, objects))])
        })))
    }

    fn confirm(&self, _: &mut Session<'_>, _: Judge<'_>, _: &Ended) -> Option<bool> {
        // The cause alone on what passes, and all that fails without it, were tried already.
        None
    }

    /// What passes and what fails for each cause.
    fn claims(&self, search: &Causes) -> Vec<(Candidate, Outcome)> {
        let sides = search.found().iter().map(|cause| (&cause.passing, &cause.failing));
        let sides = sides.flat_map(|(passing, failing)| [(passing, Outcome::Pass), (failing, Outcome::Fail)]);
        sides.filter_map(|(side, outcome)| Some((search.candidate(side)?, outcome))).collect()
    }

    fn answer(&self, search: &Causes, ended: &Ended) -> Result<(Option<Candidate>, Vec<String>), Refusal> {
        let answer = answer::Answer::new(search, ended, &self.names, &self.notes);
        Ok((Some(answer.files()), answer.lines()))
    }

    fn keep(&self, search: &Causes, run: &Run) -> Vec<String> {
        let trees = answer::trees(search, &self.bench, &run.folder);
        trees.unwrap_or_else(|why| vec![format!("The two trees could not be kept ({why}); the patches make them.")])
    }
}
