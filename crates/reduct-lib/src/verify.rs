//! Checks the claim of an earlier run again.

use crate::audience::Audience;
use crate::errors::Refusal;
use crate::job::{Job, VersionOptions};
use crate::open;
use crate::recheck::{Claimed, Finding};
use crate::runs::Run;
use crate::situation::Situated;
use crate::task::{Judge, Task};
use crate::work::{Audience, policy, reading, time_limit};
use reduct_core::{Memo, Outcome, Question, Repeats};
use reduct_input::{Candidate, Stuck};
use reduct_oracle::sampling::{Policy, Rate};
use reduct_oracle::signature::Words;
use reduct_oracle::{Oracle, Reading};
use reduct_report::measured;
use reduct_session::event::Why;
use reduct_session::executor::Executor;
use reduct_session::journal;

/// Runs the result of a run again, in a fresh folder, with nothing remembered; then each single
/// deletion, if the run claims that none can go.
///
/// # Errors
/// If the run or its result cannot be read.
pub fn verify(run: &Run, audience: Audience<'_>) -> Result<Finding, Refusal> {
    let (records, _) = journal::read(&run.journal())?;
    let (job, input) = run.job(&records)?;
    let reading = reading(&records).ok_or_else(|| Refusal::NoRun(run.folder.clone()))?;
    match &job.against {
        Against::Empty => {
            let words = words_of(&job, &[&run.load(input)?]);
            let whole = Candidate::whole(load_published(&job.out, job.subject()?.as_deref())?.into());
            let lab = lab(&job, job.handed, whole.len())?;
            verify_result(&job, (whole, words, lab), (&records, &reading), audience)
        }
        Against::Situation(_) => {
            let task = Situated::of_run(&job, run, input)?;
            let result = (task.published()?, task.words().clone(), task.lab(job.handed)?);
            verify_result(&job, result, (&records, &reading), audience)
        }
        Against::Minima(_) => crate::minima::verify(&job, run, input, &records, audience),
        Against::Nothing | Against::Input(_) => {
            let task = Isolating::of_run(&job, run, input)?;
            verify_sides(&task, task.published()?, &job.out, (&records, &reading), audience)
        }
        Against::Range(_) | Against::Folder(_) | Against::Patches { .. } => {
            // Built from nothing this time.
            let job = Job { comparing: Comparing { fresh: true, ..job.comparing.clone() }, ..job };
            let task = Changing::again(&job, run, input)?;
            let sides = sides_of_causes(&task, &job, &records, run)?;
            verify_sides(&task, sides, &task.out(run), (&records, &reading), audience)
        }
    }
}

/// Of each cause that a run has found, what passes and what fails; of a run that has found none, what it came to.
fn sides_of_causes(task: &Changing, job: &Job, records: &[Record], run: &Run) -> Result<Vec<Candidate>, Refusal> {
    let causes = Walked::new(task.search()?, job, records, run).end();
    let sides = causes.found().iter().map(|cause| causes.sides_of(cause));
    let sides = if causes.found().is_empty() { vec![causes.sides()] } else { sides.collect() };
    let configurations = sides.into_iter().flat_map(|(passing, failing)| [passing, failing]);
    let candidates: Option<Vec<_>> = configurations.map(|config| causes.candidate(&config)).collect();
    Ok(candidates.unwrap_or_default())
}

/// Runs a result again; then each single deletion, if the run claims that none can go.
fn verify_result(
    job: &Job,
    (whole, words, mut lab): (Candidate, Words, Box<dyn Executor>),
    (records, reading): (&[Record], &Reading),
    mut audience: Audience<'_>,
) -> Result<Finding, Refusal> {
    let (oracle, policy) = (Oracle::new(reading.clone(), words), policy(records));
    let limit = ready(job, &mut *lab, (records, reading), &mut audience);
    let bytes = whole.len();
    let replaced = is_replaced(records, &whole);
    let finding = |holds, tests| Ok(Finding { out: job.out.clone(), bytes, holds, tests, confidence: None, replaced });
    let mut session = Session::new(&mut *lab, audience.views(), job.patience);
    let (fails, rate) = match fails(&mut session, (&oracle, policy), &whole) {
        Ok(seen) => seen,
        Err(why) => return finding(Holds::Unknown(why), 0),
    };
    let runs = rate.as_ref().map_or(1, Rate::runs);
    if !fails {
        let confidence = rate.map(|rate| measured::rate(&rate));
        return finding(Holds::DoesNotFail, runs).map(|finding| Finding { confidence, ..finding });
    }
    let plan = job.plan()?;
    let kinds = claimed(job, &plan, records, &whole);
    if kinds.is_empty() {
        return finding(Holds::Fails, runs);
    }
    let start = start(&plan, &whole, (reading, policy), limit);
    let (ended, _) = session.search(&oracle, start);
    let tests = runs + ended.asked - ended.repeated;
    match ended.why {
        Why::Done if ended.best.key() == whole.key() => {
            let confidence =
                ended.confidence.zip(rate).map(|(sure, rate)| format!("{sure}. {}", measured::rate(&rate)));
            finding(Holds::OneMinimal(kinds), tests).map(|finding| Finding { confidence, ..finding })
        }
        Why::Done => finding(Holds::Reducible(bytes - ended.best.len()), tests),
        why => finding(Holds::Unknown(why), tests),
    }
}

/// Readies the place for the tests of a run, and returns their time limit.
fn ready(
    job: &Job,
    lab: &mut dyn Executor,
    (records, reading): (&[Record], &Reading),
    audience: &mut Audience<'_>,
) -> Option<Duration> {
    audience.connect(lab);
    let limit = job.limit_time(lab, time_limit(records));
    if job.afterwards().backtraces {
        lab.set_backtraces(reading.backtraces());
    }
    limit
}

/// Whether something else stands there than the run has left.
fn is_replaced(records: &[Record], there: &Candidate) -> bool {
    let ended = records.iter().rev().find_map(|record| match record {
        Record::Ended { best, .. } => Some(Some(*best)),
        // It went on since, and how far is not known.
        Record::Resumed => Some(None),
        _ => None,
    });
    ended.flatten().is_some_and(|best| best != there.key())
}

/// Whether a result fails; if it does so now and then, also how often. That is then the rule of the run, too: it fails as
/// long as it does so often enough.
fn fails(session: &mut Session<'_>, judge: Judge<'_>, whole: &Candidate) -> Result<(bool, Option<Rate>), Why> {
    let rate = judge.1.map(|_| rate(session, judge, whole)).transpose()?.flatten();
    let fails = match &rate {
        Some(rate) => !rate.is_too_seldom(),
        None => session.poll(judge.0, None, whole)?.0 == Outcome::Fail,
    };
    Ok((fails, rate))
}

/// The units of which a run claims that no single one can go from its result; none if it claims nothing of the kind.
fn claimed(job: &Job, plan: &Plan, records: &[Record], whole: &Candidate) -> Vec<&'static str> {
    let any = |is: fn(&Record) -> bool| records.iter().any(is);
    let done = any(|record| matches!(record, Record::Ended { done: true, .. }));
    let went_back = any(|record| matches!(record, Record::Ended { back: true, .. }));
    let skipped = any(|record| matches!(record, Record::Skipped { .. }));
    let unproved = proves(plan, whole) != Proof::OneMinimal || job.search.normalize;
    if !done || skipped || went_back || plan.least > 1 || unproved {
        return vec![];
    }
    minimal(plan, whole, &Stuck::default()).units
}

/// A search that tries each single deletion, with nothing remembered.
fn start(
    plan: &Plan,
    whole: &Candidate,
    (reading, policy): (&Reading, Option<Policy>),
    time_limit: Option<Duration>,
) -> Start<Audited> {
    let result = whole.artifact();
    Start {
        inquiry: match policy {
            Some(_) => Audited::of_result(result, plan, DOUBT),
            None => Audited::plain(Audited::sweep(result, plan)),
        },
        memo: Memo::new(),
        known: 0,
        repeats: Repeats::Remembered,
        stops: Stops::default(),
        skips: [].into(),
        reached: 0,
        failure: reading.describe(),
        time_limit,
        policy,
        votes: HashMap::new(),
    }
}

/// Runs pairs of what passes and what fails again, with nothing remembered.
fn verify_sides(
    task: &impl Task,
    sides: Vec<Candidate>,
    out: &Path,
    (records, reading): (&[Record], &Reading),
    mut audience: Audience<'_>,
) -> Result<Finding, Refusal> {
    let oracle = Oracle::new(reading.clone(), task.words().clone());
    let mut lab = task.lab(task.job().handed)?;
    ready(task.job(), &mut *lab, (records, reading), &mut audience);
    let policy = policy(records);
    let mut session = Session::new(&mut *lab, audience.views(), task.job().patience);
    let bytes = sides.last().map_or(0, Candidate::len);
    let seen: Result<Vec<Outcome>, Why> =
        sides.iter().map(|side| session.poll(&oracle, policy, side).map(|(outcome, _)| outcome)).collect();
    let holds = match seen {
        Ok(outcomes) => {
            let differ = outcomes.chunks(2).all(|pair| pair == [Outcome::Pass, Outcome::Fail]);
            if differ && !outcomes.is_empty() { Holds::Differs } else { Holds::DoesNotDiffer }
        }
        Err(why) => Holds::Unknown(why),
    };
    Ok(Finding { out: out.to_owned(), bytes, holds, tests: sides.len() as u64, confidence: None, replaced: false })
}
