//! Reduces what a failing command is given: its arguments, its environment, the files of its folder.

mod brought;
mod opened;
mod place;
pub(crate) mod refused;
mod shown;

use crate::audience::Audience;
use crate::errors::{Refusal, does_not_fail};
use crate::executor::{Listed, open_local};
use crate::goal::Situation;
use crate::job::{Failure, InputDelivery, Job};
use crate::judge::Judge;
use crate::list::List;
use crate::place::check_out;
use crate::preflight::{Baseline, NoBaseline, establish_baseline};
use crate::problem::{Problem, Setting};
use crate::recheck::{Claimed, Recheck};
use crate::runs::{Run, holds_only, is_result_of_a_run};
use opened::Chosen;
use place::Laid;
use reduct_core::{Key, Outcome, Question};
use reduct_input::situation::{Given, SituationRole};
use reduct_input::{Artifact, Candidate};
use reduct_oracle::Criterion;
use reduct_oracle::signature::InputVocabulary;
use reduct_oracle::{Invocation, Observed};
use reduct_report::situation::{FileChoice, SituationLine};
use reduct_session::Session;
use reduct_session::event::{Ended, Why};
use reduct_session::executor::Opened;
use reduct_session::publish::ResultWriter;
use reduct_sources::BaseTree;
use reduct_strategies::Reduction;
use refused::{Missing, SituationError};
use shown::Shape;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

/// A command whose circumstances are to be reduced.
pub(crate) struct Situated<'a> {
    setting: Setting<'a>,
    situation: &'a Situation,
    /// What every test finds in its folder.
    laid: Arc<Laid>,
    /// How the program is called.
    program: OsString,
    /// How it was chosen what is searched.
    chosen: Vec<FileChoice>,
}

impl<'a> Situated<'a> {
    /// Reads what the command is given.
    ///
    /// # Errors
    /// If the job cannot be understood, there is nothing to leave out, or the result not put where the job says.
    pub(crate) fn open(job: &'a Job, force: bool) -> Result<Situated<'a>, Refusal> {
        job.plan()?;
        check_out(job, force, Situated::is_ours)?;
        Situated::new(job)
    }

    fn new(job: &'a Job) -> Result<Situated<'a>, Refusal> {
        let situation = of(job)?;
        let laid = Arc::new(Laid::of(job, situation)?);
        let whole = place::load(job, situation, &laid)?;
        if whole.entries().is_empty() {
            return Err(SituationError::NothingToLeaveOut(Missing::of(situation)).into());
        }
        let Chosen { whole, says } = opened::chosen(job, situation, &laid, whole)?;
        Ok(Situated { chosen: says, ..Situated::with(job, situation, laid, whole)? })
    }

    fn with(job: &'a Job, situation: &'a Situation, laid: Arc<Laid>, whole: Artifact) -> Result<Situated<'a>, Refusal> {
        let program = place::program(job, situation, &laid)?;
        let mut text: Vec<u8> = vec![];
        let whole = Candidate::whole(whole.into());
        for (entry, pieces) in whole.pieces() {
            let name = match SituationRole::of(&entry.path) {
                SituationRole::Argument(_) => OsString::new(),
                SituationRole::Variable(name) => name,
                SituationRole::File => entry.path.clone().into_os_string(),
            };
            text.extend_from_slice(name.as_encoded_bytes());
            text.push(b'\n');
            pieces.iter().for_each(|piece| text.extend_from_slice(piece));
            text.push(b'\n');
        }
        let setting =
            Setting { job: Cow::Borrowed(job), whole, words: InputVocabulary::of(&text).run_by(&job.command) };
        Ok(Situated { setting, situation, laid, program, chosen: vec![] })
    }

    /// Returns what a run was begun with.
    ///
    /// # Errors
    /// If its copy cannot be read, or is not what it began with.
    pub(crate) fn of_run(job: &'a Job, run: &Run, input: Key) -> Result<Situated<'a>, Refusal> {
        let situation = of(job)?;
        let laid = Arc::new(Laid::of(job, situation)?);
        let whole = place::read(&run.input(), &laid)?;
        let situated = Situated::with(job, situation, laid, whole)?;
        if situated.setting.whole.key() == input { Ok(situated) } else { Err(Refusal::InputChanged(run.input())) }
    }

    /// Returns the result as it stands on the disk.
    ///
    /// # Errors
    /// If it cannot be read.
    fn published(&self) -> Result<Candidate, Refusal> {
        shown::read_back(&self.setting.job.out, &self.laid)
    }

    fn shape(&self) -> Shape {
        let fixed = if self.situation.arguments { vec![] } else { self.setting.job.command[1..].to_vec() };
        let typed = self.setting.job.command.first().cloned().unwrap_or_default();
        Shape { typed, program: self.program.clone(), fixed, bare: self.situation.environment, laid: self.laid.clone() }
    }
}

/// Returns what is published at the place of a job's result, if it is such a result.
fn published(job: &Job) -> Option<Candidate> {
    let laid = Laid::of(job, of(job).ok()?).ok()?;
    shown::read_back(&job.out, &laid).ok()
}

fn of(job: &Job) -> Result<&Situation, Refusal> {
    Ok(job.goal.situation().ok_or(SituationError::NoCommandAlone)?)
}

impl Missing {
    /// Returns what is missing if there is nothing of what is searched.
    fn of(situation: &Situation) -> Missing {
        match situation {
            Situation { arguments: true, environment: false, .. } => Missing::Arguments,
            Situation { environment: true, arguments: false, .. } => Missing::Variables,
            Situation { files: true, arguments: false, .. } => Missing::Files,
            _ => Missing::All,
        }
    }
}

impl Problem for Situated<'_> {
    type Search = Reduction;

    fn is_ours(job: &Job) -> bool {
        let is_known = |there: Candidate| is_result_of_a_run(job.runs_folder(), &job.out, there.key());
        holds_only(&job.out, shown::is_of_an_answer) && published(job).is_some_and(is_known)
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

    fn surroundings(&self) -> Vec<u8> {
        let what = serde_json::to_vec(self.situation).unwrap_or_default();
        [what, self.program.as_encoded_bytes().to_vec(), self.laid.identity()].join(&0)
    }

    fn search(&self) -> Result<Reduction, Refusal> {
        Ok(Reduction::new(self.setting.whole.artifact(), self.setting.job.plan()?))
    }

    fn search_from(&self, begin: Artifact) -> Option<Result<Reduction, Refusal>> {
        let whole = || self.setting.whole.artifact();
        Some(self.setting.job.plan().map(|plan| Reduction::new(begin, plan).of_what_is_left_of(whole())))
    }

    fn executor(&self, _: InputDelivery) -> Result<Box<Opened>, Refusal> {
        let job = &*self.setting.job;
        let after = job.afterwards();
        let invocation = Invocation { after, ..place::invocation(job, self.situation, vec![self.program.clone()]) };
        let base_tree = (!self.laid.is_empty()).then(|| self.laid.clone() as Arc<dyn BaseTree>);
        open_local(job, invocation, self.setting.whole.len() + self.laid.len(), base_tree)
    }

    fn establish_baseline(
        &self,
        session: &mut Session<'_>,
        seen: Vec<Observed>,
    ) -> Result<(Baseline, Outcome), NoBaseline> {
        let (baseline, other) =
            establish_baseline(session, &self.setting.job, &self.setting.whole, &self.setting.words, seen)?;
        if self.setting.job.failure == Failure::Observed && baseline.reading == Criterion::ExitZero {
            let error = SituationError::ExitsWithZero;
            return Err(NoBaseline::from(does_not_fail(&error, error.help().unwrap_or_default())));
        }
        Ok((baseline, other))
    }

    fn create(&self, name: &str) -> Result<Run, Refusal> {
        let run = Run::create_empty(self.setting.job.runs_folder(), name)?;
        let not_kept = |source| SituationError::NotKept { path: run.input(), source };
        place::keep(&self.setting.whole, &run.input()).map_err(not_kept)?;
        Ok(run)
    }

    fn name(&self) -> String {
        let name = place::name(&self.setting.job.command).to_string_lossy().into_owned();
        name.chars().filter(|c| c.is_alphanumeric() || "._-".contains(*c)).take(40).collect()
    }

    fn publisher(&self, run: &Run) -> Result<ResultWriter, Refusal> {
        let shape = self.shape();
        let publisher = ResultWriter::new(self.setting.job.out.clone(), None, run.folder.clone());
        Ok(publisher.showing(Box::new(move |best, _| shape.shown(best))))
    }

    /// Runs the result as it stands on the disk.
    fn stands(&self, ended: &Ended) -> Option<bool> {
        Some(self.published().ok()?.key() == ended.best.key())
    }

    fn confirm(&self, session: &mut Session<'_>, judge: Judge<'_>, ended: &Ended) -> Option<bool> {
        let there = self.published().ok()?;
        if there.key() != ended.best.key() {
            return Some(false);
        }
        judge.fails(session, &there).ok()
    }

    fn recheck(&self, claimed: Claimed<'_>, audience: Audience<'_>) -> Result<Recheck, Refusal> {
        let job = self.job();
        let result = (self.published()?, self.words().clone(), self.executor(job.handed)?);
        claimed.check_result(job, result, audience)
    }

    fn can_go_back(&self) -> bool {
        true
    }

    fn answer(&self, _: &Reduction, ended: &Ended) -> Result<(Option<Candidate>, Vec<String>), Refusal> {
        Ok((None, self.says(ended).iter().map(SituationLine::describe).collect()))
    }
}

impl Situated<'_> {
    /// Returns what matters, line by line.
    fn says(&self, ended: &Ended) -> Vec<SituationLine> {
        // Values that may not matter are not for a screen.
        if ended.why != Why::Done || ended.confirmed != Some(true) {
            return vec![SituationLine::SoFar];
        }
        let best = &ended.best;
        let (before, after) = (Given::of(&self.setting.whole), Given::of(best));
        let mut says: Vec<SituationLine> = self.chosen.iter().cloned().map(SituationLine::Chosen).collect();
        if self.situation.arguments {
            says.push(matters("arguments", before.arguments.len(), after.arguments.len(), vec![]));
        }
        if self.situation.environment {
            let names = after.variables.iter().map(|(name, _)| name.to_string_lossy().into_owned()).collect();
            says.push(matters("variables", before.variables.len(), after.variables.len(), names));
        }
        if self.situation.files {
            let files = |candidate: &Candidate| -> BTreeSet<String> {
                let files = candidate.files_only();
                let is_file = |path: &PathBuf| SituationRole::of(path) == SituationRole::File;
                let paths =
                    files.pieces().filter(|(entry, _)| !entry.holds_entries()).map(|(entry, _)| entry.path.clone());
                paths.filter(is_file).map(|path| path.to_string_lossy().into_owned()).collect()
            };
            let (before, after) = (files(&self.setting.whole).len(), files(best));
            says.push(matters("files", before, after.len(), after.into_iter().collect()));
        }
        says.push(SituationLine::StillFails(self.shape().line(best)));
        says
    }
}

fn matters(what: &'static str, before: usize, after: usize, names: Vec<String>) -> SituationLine {
    SituationLine::Matters { what, before, after, names }
}
