//! All minima of an input: every smallest choice of its parts that still fails (exercise 5.9 of the book).

mod answer;

use crate::beside::words_of;
use crate::errors::Refusal;
use crate::job::{Against, Job};
use crate::place::check_out;
use crate::replay::Walked;
use crate::runs::Run;
use crate::task::{About, Judge, Task};
use crate::verify::{Finding, Holds};
use crate::work::{Audience, Report, Work, policy, reading, time_limit};
use answer::Answer;
use reduct_core::{Key, Outcome, Question, Search};
use reduct_input::{Artifact, Candidate};
use reduct_oracle::Oracle;
use reduct_passes::Kind;
use reduct_session::event::{Ended, Why};
use reduct_session::journal::Record;
use reduct_session::publish::Publisher;
use reduct_session::{Session, Stops};
use reduct_sources::{load, load_published};
use reduct_strategies::Minima;
use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::Path;

/// Begins an enumeration and does it, to its end or until it is stopped.
///
/// # Errors
/// If the job cannot be understood, the input not read, or the failure does not occur. Nothing is changed then.
pub fn minima(job: &Job, force: bool, stops: Stops, audience: Audience<'_>) -> Result<Report, Refusal> {
    let task = Enumerating::new(job, load(&job.input_paths())?)?;
    check_out(job, force)?;
    Work(task).begin(stops, audience)
}

/// Whether something in a folder of minima is called so.
pub(crate) fn is_of_a_shelf(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    let stem = name.split('.').next().unwrap_or_default();
    answer::FILES.contains(&&*name) || stem == "so-far" || !stem.is_empty() && stem.bytes().all(|b| b.is_ascii_digit())
}

/// An enumeration to be done.
pub(crate) struct Enumerating<'a> {
    about: About<'a>,
    kind: Kind,
    most: usize,
}

impl<'a> Enumerating<'a> {
    fn new(job: &'a Job, artifact: Artifact) -> Result<Enumerating<'a>, Refusal> {
        let named = job.search.by.first().map_or("lines", String::as_str);
        let unknown = || Refusal::UnknownName { what: "kind of parts in one list", name: named.into() };
        let kind = Kind::named(named).filter(|kind| kind.flat).ok_or_else(unknown)?;
        let most = if let Against::Minima(most) = job.against { most.max(1) } else { usize::MAX };
        let words = words_of(job, &[&artifact]);
        let about = About { job: Cow::Borrowed(job), whole: Candidate::whole(artifact.into()), words };
        Ok(Enumerating { about, kind, most })
    }

    /// The enumeration that a run was begun with.
    ///
    /// # Errors
    /// If its copy of the input cannot be read, or is not what it began with.
    pub(crate) fn of_run(job: &'a Job, run: &Run, input: Key) -> Result<Enumerating<'a>, Refusal> {
        Enumerating::new(job, run.load(input)?)
    }

    /// One of the minima as it stands on the disk.
    fn published(&self, search: &Minima, at: usize) -> Option<Candidate> {
        self.standing(&search.name(at))
    }

    /// What stands under a name in what was published.
    fn standing(&self, name: &Path) -> Option<Candidate> {
        let subject = self.about.job.subject().ok()?;
        let place = self.about.job.out.join(name);
        // What is no file stands in a folder, under its own name.
        let subject = subject.filter(|_| !place.is_dir());
        Some(Candidate::whole(load_published(&place, subject.as_deref()).ok()?.into()))
    }
}

impl Task for Enumerating<'_> {
    type Search = Minima;

    fn about(&self) -> &About<'_> {
        &self.about
    }

    fn job_mut(&mut self) -> &mut Job {
        self.about.job.to_mut()
    }

    fn search(&self) -> Result<Minima, Refusal> {
        Ok(Minima::new(self.about.whole.artifact(), self.kind, self.about.job.search.grammars()?, self.most))
    }

    fn publisher(&self, run: &Run) -> Result<Publisher, Refusal> {
        let publisher = Publisher::new(self.about.job.out.clone(), None, run.folder.clone());
        Ok(publisher.showing(Box::new(|best, shelf| shelf.unwrap_or(best).clone())))
    }

    /// Each minimum as the user will run it.
    fn stands(&self, ended: &Ended) -> Option<bool> {
        let there = Candidate::whole(load_published(&self.about.job.out, None).ok()?.into());
        Some(Some(there.key()) == ended.passing.as_ref().map(Question::key))
    }

    fn confirm(&self, session: &mut Session<'_>, (oracle, policy): Judge<'_>, ended: &Ended) -> Option<bool> {
        if !self.stands(ended)? {
            return Some(false);
        }
        let subject = self.about.job.subject().ok()?;
        let mut places: Vec<_> =
            std::fs::read_dir(&self.about.job.out).ok()?.flatten().map(|entry| entry.path()).collect();
        places.sort();
        let fails = |place: &std::path::PathBuf| -> Option<bool> {
            let subject = subject.as_deref().filter(|_| !place.is_dir());
            let there = Candidate::whole(load_published(place, subject).ok()?.into());
            Some(session.poll(oracle, policy, &there).ok()?.0 == Outcome::Fail)
        };
        let all: Option<Vec<bool>> = places.iter().map(fails).collect();
        Some(all?.into_iter().all(|fails| fails))
    }

    fn answer(&self, search: &Minima, ended: &Ended) -> Result<(Option<Candidate>, Vec<String>), Refusal> {
        let answer = Answer { search, ended, whole: &self.about.whole };
        let text = answer.text();
        Ok((
            Some(search.shelf(&[("minima.json", answer.json()), ("minima.txt", text.clone().into_bytes())])),
            answer.excerpt(&text),
        ))
    }
}

/// Runs each minimum of a run again, and each without any single part, with nothing remembered.
///
/// # Errors
/// If the run or its result cannot be read.
pub(crate) fn verify(
    job: &Job,
    run: &Run,
    input: Key,
    records: &[Record],
    mut audience: Audience<'_>,
) -> Result<Finding, Refusal> {
    let task = Enumerating::of_run(job, run, input)?;
    let search = Walked::new(task.search()?, job, records, run).end();
    let reading = reading(records).ok_or_else(|| Refusal::NoRun(run.folder.clone()))?;
    let oracle = Oracle::new(reading, task.about.words.clone());
    let mut lab = task.lab(job.handed)?;
    audience.connect(&*lab);
    job.limit_time(&mut *lab, time_limit(records));
    let mut session = Session::new(&mut *lab, audience.views(), job.patience);
    let policy = policy(records);
    let (mut tests, mut bytes) = (0, 0);
    let mut holds = || -> Result<Holds, Why> {
        if search.found().is_empty() {
            tests += 1;
            let fails = session.poll(&oracle, policy, &search.best())?.0 == Outcome::Fail;
            let is_there = task.standing(&search.so_far()).is_some_and(|there| there.key() == search.best().key());
            return Ok(if fails && is_there { Holds::Fails } else { Holds::DoesNotFail });
        }
        for (at, minimum) in search.found().iter().enumerate() {
            let Some(there) = task.published(&search, at) else { return Ok(Holds::DoesNotFail) };
            bytes += there.len();
            tests += 1;
            if there.key() != minimum.candidate.key() || session.poll(&oracle, policy, &there)?.0 != Outcome::Fail {
                return Ok(Holds::DoesNotFail);
            }
            for part in 0..minimum.parts.len() {
                let Some(smaller) = search.candidate(&minimum.parts.without(part..part + 1)) else { continue };
                tests += 1;
                if session.poll(&oracle, policy, &smaller)?.0 == Outcome::Fail {
                    return Ok(Holds::Reducible(there.len() - smaller.len()));
                }
            }
        }
        Ok(Holds::OneMinimal(vec![search.unit()]))
    };
    let holds = holds().unwrap_or_else(Holds::Unknown);
    Ok(Finding { out: job.out.clone(), bytes, holds, tests, confidence: None, replaced: false })
}
