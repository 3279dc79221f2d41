//! Yesterday it worked: finds the changes between two versions of a program because of which it fails.

mod answer;
mod bench;
mod line;
pub(crate) mod refused;

use crate::audience::Audience;
use crate::errors::Refusal;
use crate::executor::Listed;
use crate::goal::Compared;
use crate::job::{InputDelivery, Job};
use crate::judge::Judge;
use crate::list::List;
use crate::parser::CarefulGrammars;
use crate::place::check_out;
use crate::preflight::{Baseline, Named, NoBaseline, Pair, establish_baseline_of_pair};
use crate::problem::{Problem, Setting, of_both};
use crate::recheck::{Claimed, Recheck};
use crate::runs::{Run, has_published, holds_only};
use crate::walk::Walked;
use bench::Bench;
use reduct_core::{Config, Delta, Key, Outcome, Question};
use reduct_grammars::Languages;
use reduct_input::{Candidate, Circumstances};
use reduct_oracle::Observed;
use reduct_oracle::signature::InputVocabulary;
use reduct_report::blame::{SO_FAR, Trees};
use reduct_session::Session;
use reduct_session::event::Ended;
use reduct_session::executor::Opened;
use reduct_session::publish::ResultWriter;
use reduct_sources::{Remark, Versions, folders, git, patches};
use reduct_strategies::{Causes, Grain, Level, Weave, WeaveBuilder};
use refused::VersionsError;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A search among changes to be done.
pub(crate) struct Blame<'a> {
    setting: Setting<'a>,
    weave: Weave,
    given: Config,
    passing: Candidate,
    bench: Bench,
    /// What the two versions are called.
    names: [String; 2],
    notes: Vec<Remark>,
}

impl<'a> Blame<'a> {
    /// Reads what is to be compared.
    ///
    /// # Errors
    /// If the job cannot be understood, the versions not read, or the answer not put where the job says.
    pub(crate) fn open(job: &'a Job, force: bool) -> Result<Blame<'a>, Refusal> {
        if !job.out.as_os_str().is_empty() {
            check_out(job, force, Blame::is_ours)?;
        }
        Blame::read(job)
    }

    fn read(job: &'a Job) -> Result<Blame<'a>, Refusal> {
        let folder = job.input_paths().into_iter().next().unwrap_or_else(|| job.folder.clone());
        let comparing = &job.comparing;
        let versions = match job.goal.compared() {
            Some(Compared::Range(range)) => git::range(&folder, range, comparing.first_parent)?,
            Some(Compared::Folder(old)) => folders::pair(&job.folder.join(old), &folder)?,
            Some(Compared::Patches { files, reverse }) => {
                let files: Vec<PathBuf> = files.iter().map(|file| job.folder.join(file)).collect();
                patches::series(&folder, &files, reverse)?
            }
            None => {
                return Err(VersionsError::Inputs.into());
            }
        };
        let Versions { root, mut changes, given, base_tree, passing, failing, notes, objects } = versions;
        let bench = Bench::new(job, &folder, base_tree)?;
        // What the user's own version of is taken for all does not vary.
        let is_fixed = |path: &PathBuf| bench.fixed().any(|fixed| path.starts_with(fixed));
        let root = root.into_iter().filter(|(path, _)| !is_fixed(path)).collect();
        changes.iter_mut().for_each(|change| change.touched.retain(|touched| !is_fixed(&touched.path)));
        let mut builder = WeaveBuilder::new(root, Grain::Lines);
        changes.into_iter().for_each(|change| builder.add(change));
        let weave = builder.finish().map_err(|_| Refusal::TooLarge)?.with_objects(objects);
        let given: BTreeSet<u32> = given.into_iter().map(|change| change as u32).collect();
        let given = weave.of_changes(&given.into_iter().map(Delta).collect());
        let passing_side = weave.candidate(&given).ok_or(VersionsError::Same)?;
        let failing_side = weave.candidate(&Config::full(weave.len())).ok_or(VersionsError::Same)?;
        if passing_side.key() == failing_side.key() {
            return Err(VersionsError::Same.into());
        }
        let words = InputVocabulary::of(weave.base().bytes()).run_by(&job.command);
        let typed = |path: &Path| path.display().to_string();
        let names = match (job.goal.passing(), &job.inputs[..]) {
            (Some(old), [new]) => [typed(old), typed(new)],
            _ => [passing, failing],
        };
        let setting = Setting { job: Cow::Borrowed(job), whole: failing_side, words };
        Ok(Blame { setting, weave, given, passing: passing_side, bench, names, notes })
    }

    /// Returns what a run was begun with.
    ///
    /// # Errors
    /// If it cannot be read any more, or has changed.
    pub(crate) fn of_run(job: &'a Job, run: &Run, input: Key) -> Result<Blame<'a>, Refusal> {
        let changing = Blame::read(job)?;
        if changing.input() == input { Ok(changing) } else { Err(Refusal::VersionsChanged(run.folder.clone())) }
    }
}

impl Problem for Blame<'_> {
    type Search = Causes;

    fn is_ours(job: &Job) -> bool {
        holds_only(&job.out, answer::is_of_an_answer) && has_published(job.runs_folder(), &job.out, |_| true)
    }

    fn setting(&self) -> &Setting<'_> {
        &self.setting
    }

    fn job_mut(&mut self) -> &mut Job {
        self.setting.job.to_mut()
    }

    /// Returns what is watched is the command of a job, and not what varies here.
    fn watched(&self, _: Listed, _: &List) -> Option<Result<Box<Opened>, Refusal>> {
        None
    }

    fn other(&self) -> Candidate {
        self.passing.clone()
    }

    fn input(&self) -> Key {
        let mut all = of_both(&self.passing, &self.setting.whole);
        for about in self.weave.changes() {
            about.id.bytes().for_each(|byte| all.add(u64::from(byte)));
            all.add(0);
        }
        all.finish()
    }

    fn surroundings(&self) -> Vec<u8> {
        self.bench.identity(&self.setting.job)
    }

    fn search(&self) -> Result<Causes, Refusal> {
        let grammars = CarefulGrammars(Languages::all());
        let (weave, given, most) = (self.weave.clone(), self.given.clone(), self.setting.job.comparing.causes.max(1));
        Ok(Causes::new(weave, given, &Level::ALL, most, Some(&grammars)))
    }

    fn executor(&self, _: InputDelivery) -> Result<Box<Opened>, Refusal> {
        self.bench.executor(&self.setting.job)
    }

    fn establish_baseline(
        &self,
        session: &mut Session<'_>,
        seen: Vec<Observed>,
    ) -> Result<(Baseline, Outcome), NoBaseline> {
        let [passing, failing] = self.names.clone();
        let pair = Pair {
            failing: Named { candidate: self.whole(), name: failing },
            passing: Named { candidate: &self.passing, name: passing },
            recipe: self.bench.recipe(),
        };
        Ok(establish_baseline_of_pair(session, self.job(), &pair, self.words(), seen)?)
    }

    fn create(&self, name: &str) -> Result<Run, Refusal> {
        // The versions are where they are: they are read again, and must be the same.
        Run::create_empty(self.setting.job.runs_folder(), name)
    }

    fn name(&self) -> String {
        let range = match self.job().goal.compared() {
            Some(Compared::Range(range)) => range,
            _ => "changes",
        };
        range.chars().map(|c| if c.is_alphanumeric() || "._-".contains(c) { c } else { '-' }).take(40).collect()
    }

    fn publisher(&self, run: &Run) -> Result<ResultWriter, Refusal> {
        let out = self.out(run);
        let publisher = ResultWriter::new(out, None, run.folder.clone());
        let objects = self.weave.objects();
        Ok(publisher.showing(Box::new(move |failing: &Candidate, passing: Option<&Candidate>| {
            answer::folder([(SO_FAR.into(), answer::patches::so_far(passing, failing, objects))])
        })))
    }

    fn confirm(&self, _: &mut Session<'_>, _: Judge<'_>, _: &Ended) -> Option<bool> {
        // The cause alone on what passes, and all that fails without it, were tried already.
        None
    }

    /// Runs what passes and what fails of each cause that the run has found; of a run that has found none, what it came to.
    fn recheck(&self, claimed: Claimed<'_>, audience: Audience<'_>) -> Result<Recheck, Refusal> {
        let job = self.job();
        let causes = Walked::new(self.search()?, job, claimed.records, claimed.run).end();
        let sides = causes.found().iter().map(|cause| causes.sides_of(cause));
        let sides = if causes.found().is_empty() { vec![causes.sides()] } else { sides.collect() };
        let configurations = sides.into_iter().flat_map(|(passing, failing)| [passing, failing]);
        let candidates: Option<Vec<_>> = configurations.map(|config| causes.candidate(&config)).collect();
        let sides = (candidates.unwrap_or_default(), self.words().clone(), self.executor(job.handed)?);
        claimed.check_pairs(job, sides, &self.out(claimed.run), audience)
    }

    /// Returns what passes and what fails for each cause.
    fn claims(&self, search: &Causes) -> Vec<(Candidate, Outcome)> {
        let sides = search.found().iter().map(|cause| (&cause.passing, &cause.failing));
        let sides = sides.flat_map(|(passing, failing)| [(passing, Outcome::Pass), (failing, Outcome::Fail)]);
        sides.filter_map(|(side, outcome)| Some((search.candidate(side)?, outcome))).collect()
    }

    fn answer(&self, search: &Causes, ended: &Ended) -> Result<(Option<Candidate>, Vec<String>), Refusal> {
        let answer = answer::BlameAnswer::new(search, ended, &self.names, &self.notes);
        Ok((Some(answer.files()), answer.lines()))
    }

    fn keep(&self, search: &Causes, run: &Run) -> Vec<String> {
        let trees = answer::trees(search, &self.bench, &run.folder);
        let trees = trees.unwrap_or_else(|why| Some(Trees::NotKept(why.to_string())));
        trees.iter().map(Trees::describe).collect()
    }
}
