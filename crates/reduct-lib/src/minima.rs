//! All minima of an input: every smallest choice of its parts that still fails (exercise 5.9 of the book).

mod answer;

use crate::audience::Audience;
use crate::beside::words_of;
use crate::errors::Refusal;
use crate::job::Job;
use crate::judge::Judge;
use crate::place::check_out;
use crate::problem::{Problem, Setting};
use crate::recheck::{ClaimCheck, Claimed, Recheck};
use crate::runs::{Run, holds_only, is_result_of_a_run};
use crate::walk::Walked;
use answer::MinimaAnswer;
use reduct_core::{Key, Question, Search};
use reduct_input::{Artifact, Candidate};
use reduct_passes::Pass;
use reduct_report::minima;
use reduct_session::Session;
use reduct_session::event::{Ended, Why};
use reduct_session::publish::ResultWriter;
use reduct_sources::{load, load_published};
use reduct_strategies::{AllMinima, Minimal};
use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::Path;

/// Returns whether a run writes something of this name into a folder of minima.
fn is_name_of_a_result(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    let stem = name.split('.').next().unwrap_or_default();
    answer::FILES.contains(&&*name) || stem == "so-far" || !stem.is_empty() && stem.bytes().all(|b| b.is_ascii_digit())
}

/// What a name of parts stands for here.
const ONE_LIST: &str = "kind of parts in one list";

/// An enumeration to be done.
pub(crate) struct Enumerating<'a> {
    setting: Setting<'a>,
    pass: Pass,
    most: usize,
}

impl<'a> Enumerating<'a> {
    /// Reads what is to be reduced.
    ///
    /// # Errors
    /// If the job cannot be understood, the input not read, or the result not put where the job says.
    pub(crate) fn open(job: &'a Job, force: bool) -> Result<Enumerating<'a>, Refusal> {
        let problem = Enumerating::new(job, load(&job.input_paths())?)?;
        check_out(job, force, Enumerating::is_ours)?;
        Ok(problem)
    }

    fn new(job: &'a Job, artifact: Artifact) -> Result<Enumerating<'a>, Refusal> {
        let named = job.search.by.first().map_or("lines", String::as_str);
        let unknown = || Refusal::UnknownName { what: ONE_LIST, name: named.into() };
        let pass = Pass::named(named).filter(|pass| pass.single_list).ok_or_else(unknown)?;
        let most = job.goal.most_minima().map_or(usize::MAX, |most| most.max(1));
        let words = words_of(job, &[&artifact]);
        let setting = Setting { job: Cow::Borrowed(job), whole: Candidate::whole(artifact.into()), words };
        Ok(Enumerating { setting, pass, most })
    }

    /// Returns the enumeration that a run was begun with.
    ///
    /// # Errors
    /// If its copy of the input cannot be read, or is not what it began with.
    pub(crate) fn of_run(job: &'a Job, run: &Run, input: Key) -> Result<Enumerating<'a>, Refusal> {
        Enumerating::new(job, run.load(input)?)
    }

    /// Reads one of the minima as it stands on the disk.
    fn published(&self, search: &AllMinima, at: usize) -> Option<Candidate> {
        self.standing(&search.name(at))
    }

    /// Returns what stands under a name in what was published.
    fn standing(&self, name: &Path) -> Option<Candidate> {
        let subject = self.setting.job.subject().ok()?;
        let place = self.setting.job.out.join(name);
        // What is no file stands in a folder, under its own name.
        let subject = subject.filter(|_| !place.is_dir());
        Some(Candidate::whole(load_published(&place, subject.as_deref()).ok()?.into()))
    }
}

impl Problem for Enumerating<'_> {
    type Search = AllMinima;

    fn is_ours(job: &Job) -> bool {
        let there = holds_only(&job.out, is_name_of_a_result).then(|| load_published(&job.out, None).ok()).flatten();
        there.is_some_and(|there| is_result_of_a_run(job.runs_folder(), &job.out, Candidate::whole(there.into()).key()))
    }

    fn setting(&self) -> &Setting<'_> {
        &self.setting
    }

    fn job_mut(&mut self) -> &mut Job {
        self.setting.job.to_mut()
    }

    fn search(&self) -> Result<AllMinima, Refusal> {
        let options = &self.setting.job.search;
        // As for a reduction by one list: characters are all characters, unless a language is named.
        let grammars = if options.language.is_some() { options.grammars()? } else { None };
        Ok(AllMinima::new(self.setting.whole.artifact(), self.pass, grammars, self.most))
    }

    fn publisher(&self, run: &Run) -> Result<ResultWriter, Refusal> {
        let publisher = ResultWriter::new(self.setting.job.out.clone(), None, run.folder.clone());
        Ok(publisher.showing(Box::new(|best, all| all.unwrap_or(best).clone())))
    }

    /// Runs each minimum as the user will.
    fn stands(&self, ended: &Ended) -> Option<bool> {
        let there = Candidate::whole(load_published(&self.setting.job.out, None).ok()?.into());
        Some(Some(there.key()) == ended.passing.as_ref().map(Question::key))
    }

    fn confirm(&self, session: &mut Session<'_>, judge: Judge<'_>, ended: &Ended) -> Option<bool> {
        if !self.stands(ended)? {
            return Some(false);
        }
        let subject = self.setting.job.subject().ok()?;
        let mut places: Vec<_> =
            std::fs::read_dir(&self.setting.job.out).ok()?.flatten().map(|entry| entry.path()).collect();
        places.sort();
        let fails = |place: &std::path::PathBuf| -> Option<bool> {
            let subject = subject.as_deref().filter(|_| !place.is_dir());
            let there = Candidate::whole(load_published(place, subject).ok()?.into());
            judge.fails(session, &there).ok()
        };
        let all: Option<Vec<bool>> = places.iter().map(fails).collect();
        Some(all?.into_iter().all(|fails| fails))
    }

    /// Runs each minimum again, and each without any single part.
    fn recheck(&self, claimed: Claimed<'_>, mut audience: Audience<'_>) -> Result<Recheck, Refusal> {
        let job = self.job();
        let search = Walked::new(self.search()?, job, claimed.records, claimed.run).end();
        let mut probe = claimed.probe(job, self.words().clone(), self.executor(job.handed)?, &mut audience)?;
        let (mut session, judge) = probe.session(audience.views());
        let mut check = Check { problem: self, search: &search, tests: 0, bytes: 0 };
        let holds = check.all(&mut session, judge).unwrap_or_else(ClaimCheck::Unknown);
        let Check { tests, bytes, .. } = check;
        Ok(Recheck { out: job.out.clone(), bytes, holds, tests, confidence: None, replaced: false })
    }

    fn answer(&self, search: &AllMinima, ended: &Ended) -> Result<(Option<Candidate>, Vec<String>), Refusal> {
        let answer = MinimaAnswer { search, ended, whole: &self.setting.whole };
        let text = answer.text();
        Ok((
            Some(search.in_one_folder(&[("minima.json", answer.json()), ("minima.txt", text.clone().into_bytes())])),
            minima::shortened(&text),
        ))
    }
}

/// A check of what a run has found.
struct Check<'a> {
    problem: &'a Enumerating<'a>,
    search: &'a AllMinima,
    /// How many tests were run.
    tests: u64,
    /// How many bytes there are of minima.
    bytes: usize,
}

impl Check<'_> {
    /// Checks all minima, or what the search came to if it has found none.
    fn all(&mut self, session: &mut Session<'_>, judge: Judge<'_>) -> Result<ClaimCheck, Why> {
        let search = self.search;
        if search.found().is_empty() {
            self.tests += 1;
            let fails = judge.fails(session, &search.best())?;
            let there = self.problem.standing(&search.so_far());
            let is_there = there.is_some_and(|there| there.key() == search.best().key());
            return Ok(if fails && is_there { ClaimCheck::Fails } else { ClaimCheck::DoesNotFail });
        }
        for at in 0..search.found().len() {
            if let Some(holds) = self.one(session, judge, at)? {
                return Ok(holds);
            }
        }
        Ok(ClaimCheck::OneMinimal(Minimal::of(vec![search.unit()])))
    }

    /// Checks one minimum. `None` if it is one.
    fn one(&mut self, session: &mut Session<'_>, judge: Judge<'_>, at: usize) -> Result<Option<ClaimCheck>, Why> {
        let minimum = &self.search.found()[at];
        let Some(there) = self.problem.published(self.search, at) else { return Ok(Some(ClaimCheck::DoesNotFail)) };
        self.bytes += there.len();
        self.tests += 1;
        if there.key() != minimum.candidate.key() || !judge.fails(session, &there)? {
            return Ok(Some(ClaimCheck::DoesNotFail));
        }
        for part in 0..minimum.parts.len() {
            let Some(smaller) = self.search.candidate(&minimum.parts.without(part..part + 1)) else { continue };
            self.tests += 1;
            if judge.fails(session, &smaller)? {
                return Ok(Some(ClaimCheck::Reducible(there.len() - smaller.len())));
            }
        }
        Ok(None)
    }
}
