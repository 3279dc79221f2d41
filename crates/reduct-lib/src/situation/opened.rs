//! Of all the files in a folder those that the command opens, and files elsewhere that its arguments name.
//!
//! The command is watched once. What it does not open is left out, and an argument that is an absolute path is made to
//! name a copy, only if it then fails just as before.

use super::brought::{Plan, Rewording, changed, said};
use super::place;
use crate::errors::Refusal;
use crate::executor::{open_local, writing};
use crate::goal::Situation;
use crate::job::{Failure, Job};
use crate::list::List;
use reduct_core::Outcome;
use reduct_input::situation::SituationRole;
use reduct_input::{Artifact, Candidate, Entry, What};
use reduct_oracle::signature::{InputVocabulary, Signature};
use reduct_oracle::{Criterion, Oracle};
use reduct_oracle::{Exit, Observed};
use reduct_report::situation::FileChoice;
use reduct_sandbox::opened;
use reduct_session::Session;
use reduct_session::executor::Opened;
use reduct_sources::BaseTree;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Fewer files are searched as soon as they are watched.
const FEW: usize = 32;

/// What is left to be searched, and what to say of it.
pub(super) struct Chosen {
    pub(super) whole: Artifact,
    pub(super) says: Vec<FileChoice>,
}

/// Watches the command, and leaves out what it does not open.
pub(super) fn chosen(
    job: &Job,
    situation: &Situation,
    laid: &Arc<place::Laid>,
    whole: Artifact,
) -> Result<Chosen, Refusal> {
    let unchanged = |whole| Ok(Chosen { whole, says: vec![] });
    if !situation.files {
        return unchanged(whole);
    }
    let in_whole_folder = job.inputs.is_empty();
    let all = Candidate::whole(whole.into());
    let plan = match situation.arguments {
        true => Plan::of(&all, laid, &place::folder(job, situation), in_whole_folder),
        false => Plan::default(),
    };
    let count = files(&all, &BTreeSet::new());
    let has_many = in_whole_folder && count > FEW;
    if !has_many && plan.changes.is_empty() {
        return Ok(Chosen { whole: all.artifact(), says: plan.says });
    }
    let list = List::new(job)?;
    let mut executor = executor(job, situation, laid, &all, &list)?;
    let mut session = Session::new(&mut *executor, vec![], job.patience);
    let mut run = |candidate: &Candidate| -> Result<RunAndOpened, Refusal> {
        let _ = fs::write(list.path(), "");
        let seen = session.observe(std::slice::from_ref(candidate)).map_err(Refusal::stopped)?;
        let seen = seen.into_iter().next().ok_or_else(|| Refusal::Executor("a run is missing".into()))?;
        Ok((seen, opened::read(&list.path()).map(|touched| touched.all)))
    };
    let (reference, touched) = run(&all)?;
    let mut search = Search { job, reference, chosen: all.clone(), touched, run: &mut run };
    let accepted = search.accept(&plan.changes, |accepted| changed(&all, laid, accepted))?;
    let mut says = said(&plan.changes, &accepted);
    says.extend(plan.says);
    if has_many {
        let copies: BTreeSet<PathBuf> = accepted.into_iter().filter_map(|change| change.copy).collect();
        says.extend(search.leave_out_unopened(count, |candidate| files(candidate, &copies))?);
    }
    Ok(Chosen { whole: search.chosen.artifact(), says })
}

/// What a run showed, and what it opened, if that was heard of.
type RunAndOpened = (Observed, Option<BTreeSet<PathBuf>>);

/// Looks for less in which the command fails just so.
struct Search<'a> {
    job: &'a Job,
    /// How it fails with all of it.
    reference: Observed,
    /// The least so far, and what the command opens of it.
    chosen: Candidate,
    touched: Option<BTreeSet<PathBuf>>,
    run: &'a mut dyn FnMut(&Candidate) -> Result<RunAndOpened, Refusal>,
}

impl Search<'_> {
    /// Makes all changes together with which it fails just so; of those with which it does not, halves.
    fn accept(
        &mut self,
        changes: &[Rewording],
        with: impl Fn(&[Rewording]) -> Result<Candidate, Refusal>,
    ) -> Result<Vec<Rewording>, Refusal> {
        let mut accepted: Vec<Rewording> = vec![];
        let mut groups = vec![changes.to_vec()];
        while let Some(group) = groups.pop().filter(|group| !group.is_empty()) {
            let candidate = with(&[&accepted[..], &group[..]].concat())?;
            let (seen, touched) = (self.run)(&candidate)?;
            if is_same(self.job, &self.reference, &seen) {
                accepted.extend(group);
                (self.chosen, self.touched) = (candidate, touched);
            } else if group.len() > 1 {
                let (first, second) = group.split_at(group.len() / 2);
                groups.extend([second.to_vec(), first.to_vec()]);
            }
        }
        Ok(accepted)
    }

    /// Leaves out the files that the command does not open, of so many, if it fails just so without them; if it does not,
    /// those that do not even stand in a folder that it lists. Says what came of it.
    fn leave_out_unopened(
        &mut self,
        count: usize,
        opens: impl Fn(&Candidate) -> usize,
    ) -> Result<Option<FileChoice>, Refusal> {
        let Some(touched) = self.touched.take() else { return Ok(None) };
        let mut before = None;
        for with_listed in [false, true] {
            let fewer = only(&self.chosen, &touched, with_listed)?;
            let left = opens(&fewer);
            if left == count || before == Some(left) {
                break;
            }
            before = Some(left);
            if is_same(self.job, &self.reference, &(self.run)(&fewer)?.0) {
                self.chosen = fewer;
                return Ok(Some(FileChoice::Opened { files: count, left, with_listed }));
            }
        }
        Ok(before.map(|_| FileChoice::All(count)))
    }
}

/// Returns where the command runs and is watched.
fn executor(
    job: &Job,
    situation: &Situation,
    laid: &Arc<place::Laid>,
    all: &Candidate,
    list: &List,
) -> Result<Box<Opened>, Refusal> {
    let program = place::program(job, situation, laid)?;
    let by = [&opened::before(&list.path())[..], &[program][..]].concat();
    let invocation = place::invocation(job, situation, by);
    let base_tree = (!laid.is_empty()).then(|| laid.clone() as Arc<dyn BaseTree>);
    open_local(&writing(job, list), invocation, all.len() + laid.len(), base_tree)
}

/// Returns whether a run shows the failure that the first one showed.
fn is_same(job: &Job, reference: &Observed, seen: &Observed) -> bool {
    let words = InputVocabulary::default();
    let reading = match &job.failure {
        Failure::ExitZero => Criterion::ExitZero,
        Failure::Conditions(all) => Criterion::Conditions(all.clone()),
        Failure::Like(signature) => Criterion::Same(signature.clone().without_frames()),
        Failure::Observed if reference.exit == Exit::Code(0) => Criterion::ExitZero,
        Failure::Observed => Criterion::Same(Signature::of(reference, &words)),
    };
    let oracle = Oracle::new(reading, words);
    [reference, seen].iter().all(|observed| oracle.verdict(observed).outcome == Outcome::Fail)
}

/// Returns how many files there are, but for copies of what stands elsewhere; links, which always stay, are not
/// counted.
fn files(candidate: &Candidate, copies: &BTreeSet<PathBuf>) -> usize {
    let is_file = |entry: &Entry| {
        matches!(entry.what, What::File { .. }) && SituationRole::of(&entry.path) == SituationRole::File
    };
    candidate.pieces().filter(|(entry, _)| is_file(entry) && !copies.contains(&entry.path)).count()
}

/// Returns what was touched, with links and the folders that it stands in; `with_listed` with all in folders that were
/// listed.
fn only(all: &Candidate, touched: &BTreeSet<PathBuf>, with_listed: bool) -> Result<Candidate, Refusal> {
    // What was made in a folder needs the folder.
    let above: BTreeSet<&Path> = touched.iter().flat_map(|path| path.ancestors().skip(1)).collect();
    let is_kept = |entry: &Entry| {
        let path = entry.path.as_path();
        let listed = || with_listed && path.parent().is_some_and(|parent| touched.contains(parent));
        match entry.what {
            What::Link { .. } => true,
            _ => {
                SituationRole::of(path) != SituationRole::File
                    || touched.contains(path)
                    || above.contains(path)
                    || listed()
            }
        }
    };
    place::only(all, is_kept)
}
