//! Checks a claim again: that a result fails and no single part can go, or that one side passes and the other fails.

use crate::audience::Audience;
use crate::errors::Refusal;
use crate::job::Job;
use crate::judge::{DOUBT, Judge};
use crate::probe::Probe;
use crate::recorded::never;
use crate::runs::Run;
use reduct_core::{Memo, Outcome, Question, Repeats};
use reduct_input::{Candidate, UnmetNeeds};
use reduct_oracle::sampling::Rate;
use reduct_oracle::signature::InputVocabulary;
use reduct_passes::Pass;
use reduct_report::confidence;
use reduct_session::event::Why;
use reduct_session::executor::Opened;
use reduct_session::journal::JournalRecord;
use reduct_session::{Session, Start, Stops, minimal, proves};
use reduct_strategies::{Audited, Minimal, Plan, Proof};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What came of checking a claim.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Recheck {
    /// What was checked.
    pub out: PathBuf,
    /// Its size in bytes.
    pub bytes: usize,
    /// What is the case.
    pub holds: ClaimCheck,
    /// How many tests were run.
    pub tests: u64,
    /// Of what fails now and then: how sure that is, and how often it fails.
    pub confidence: Option<String>,
    /// Whether something else stands there than the run has left.
    pub replaced: bool,
}

/// How much of a claim holds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ClaimCheck {
    /// It fails, and no single part of these kinds can go. Edits of passes were not tried again.
    OneMinimal(Minimal),
    /// It fails; more was not claimed.
    Fails,
    /// It fails, but can be made smaller: by this many bytes at once.
    Reducible(usize),
    /// One side passes, the other fails.
    Differs,
    /// One side does not pass, or the other does not fail.
    DoesNotDiffer,
    /// It does not fail.
    DoesNotFail,
    /// It could not be checked to the end.
    Unknown(Why),
}

impl ClaimCheck {
    /// Returns whether the claim holds; `None` if that could not be told.
    pub fn holds(&self) -> Option<bool> {
        match self {
            ClaimCheck::OneMinimal(_) | ClaimCheck::Fails | ClaimCheck::Differs => Some(true),
            ClaimCheck::Reducible(_) | ClaimCheck::DoesNotDiffer | ClaimCheck::DoesNotFail => Some(false),
            ClaimCheck::Unknown(_) => None,
        }
    }

    /// Returns one of each kind, for tests that none goes without its words. What is new comes into this chain.
    #[doc(hidden)]
    pub fn of_each_kind() -> Vec<ClaimCheck> {
        let following = |check: &ClaimCheck| match check {
            ClaimCheck::OneMinimal(_) => Some(ClaimCheck::Fails),
            ClaimCheck::Fails => Some(ClaimCheck::Reducible(1)),
            ClaimCheck::Reducible(_) => Some(ClaimCheck::Differs),
            ClaimCheck::Differs => Some(ClaimCheck::DoesNotDiffer),
            ClaimCheck::DoesNotDiffer => Some(ClaimCheck::DoesNotFail),
            ClaimCheck::DoesNotFail => Some(ClaimCheck::Unknown(Why::Stopped)),
            ClaimCheck::Unknown(_) => None,
        };
        std::iter::successors(Some(ClaimCheck::OneMinimal(Minimal::of(vec!["lines"]))), following).collect()
    }
}

/// What a run says of its test and its result.
#[derive(Clone, Copy)]
pub(crate) struct Claimed<'a> {
    pub(crate) run: &'a Run,
    pub(crate) records: &'a [JournalRecord],
}

impl Claimed<'_> {
    /// Readies the place where something is checked.
    ///
    /// # Errors
    /// If the run had not come so far as to know what the failure is.
    pub(crate) fn probe(
        &self,
        job: &Job,
        words: InputVocabulary,
        executor: Box<Opened>,
        audience: &mut Audience<'_>,
    ) -> Result<Probe, Refusal> {
        Probe::open(job, (self.run, self.records), words, executor, audience)
    }

    /// Runs a result again; then each single deletion, if the run claims that none can go.
    ///
    /// # Errors
    /// If the run had not come so far, or the job cannot be understood.
    pub(crate) fn check_result(
        &self,
        job: &Job,
        (whole, words, executor): (Candidate, InputVocabulary, Box<Opened>),
        mut audience: Audience<'_>,
    ) -> Result<Recheck, Refusal> {
        let mut probe = self.probe(job, words, executor, &mut audience)?;
        let limit = probe.time_limit;
        let bytes = whole.len();
        let replaced = is_replaced(self.records, &whole);
        let finding =
            |holds, tests| Ok(Recheck { out: job.out.clone(), bytes, holds, tests, confidence: None, replaced });
        let (mut session, judge) = probe.session(audience.views());
        let (fails, rate) = match fails(&mut session, judge, &whole) {
            Ok(seen) => seen,
            Err(why) => return finding(ClaimCheck::Unknown(why), 0),
        };
        let runs = rate.as_ref().map_or(1, Rate::runs);
        if !fails {
            let confidence = rate.map(|rate| confidence::rate(&rate));
            return finding(ClaimCheck::DoesNotFail, runs).map(|finding| Recheck { confidence, ..finding });
        }
        let plan = tried(job.plan()?, self.records);
        let minimal = claimed(job, &plan, self.records, &whole);
        if minimal.units.is_empty() {
            return finding(ClaimCheck::Fails, runs);
        }
        let (ended, _) = session.search(judge.oracle, start(&plan, &whole, judge, limit));
        let tests = runs + ended.asked - ended.repeated;
        match ended.why {
            Why::Done if ended.best.key() == whole.key() => {
                let confidence = ended.confidence.zip(rate).map(|(sure, rate)| confidence::both(&sure, &rate));
                finding(ClaimCheck::OneMinimal(minimal), tests).map(|finding| Recheck { confidence, ..finding })
            }
            Why::Done => finding(ClaimCheck::Reducible(bytes - ended.best.len()), tests),
            why => finding(ClaimCheck::Unknown(why), tests),
        }
    }

    /// Runs pairs of what passes and what fails again, which stand at `out`.
    ///
    /// # Errors
    /// If the run had not come so far.
    pub(crate) fn check_pairs(
        &self,
        job: &Job,
        (sides, words, executor): (Vec<Candidate>, InputVocabulary, Box<Opened>),
        out: &Path,
        mut audience: Audience<'_>,
    ) -> Result<Recheck, Refusal> {
        let mut probe = self.probe(job, words, executor, &mut audience)?;
        let (mut session, judge) = probe.session(audience.views());
        let bytes = sides.last().map_or(0, Candidate::len);
        let seen: Result<Vec<Outcome>, Why> = sides.iter().map(|side| judge.outcome(&mut session, side)).collect();
        let holds = match seen {
            Ok(outcomes) => {
                let differ = outcomes.chunks(2).all(|pair| pair == [Outcome::Pass, Outcome::Fail]);
                if differ && !outcomes.is_empty() { ClaimCheck::Differs } else { ClaimCheck::DoesNotDiffer }
            }
            Err(why) => ClaimCheck::Unknown(why),
        };
        Ok(Recheck { out: out.to_owned(), bytes, holds, tests: sides.len() as u64, confidence: None, replaced: false })
    }
}

/// Returns whether a result fails; if it does so now and then, also how often. That is then the rule of the run, too: it
/// fails as long as it does so often enough.
fn fails(session: &mut Session<'_>, judge: Judge<'_>, whole: &Candidate) -> Result<(bool, Option<Rate>), Why> {
    let rate = judge.rate(session, whole)?;
    let fails = match &rate {
        Some(rate) => !rate.is_too_seldom(),
        None => Judge { policy: None, ..judge }.fails(session, whole)?,
    };
    Ok((fails, rate))
}

/// Returns whether something else stands there than the run has left.
fn is_replaced(records: &[JournalRecord], there: &Candidate) -> bool {
    let ended = records.iter().rev().find_map(|record| match record {
        JournalRecord::Ended { best, .. } => Some(Some(*best)),
        // It went on since, and how far is not known.
        JournalRecord::Resumed => Some(None),
        _ => None,
    });
    ended.flatten().is_some_and(|best| best != there.key())
}

/// Returns a plan with the passes marked of which the run claims only that nothing can go that leaves a text that parses.
fn tried(plan: Plan, records: &[JournalRecord]) -> Plan {
    let seen = records.iter().rev().find_map(|record| match record {
        JournalRecord::Ended { seen, .. } => seen.as_ref(),
        _ => None,
    });
    let units = seen.map_or(&[][..], |seen| &seen.only_where_it_parses);
    let marked = |pass: &Pass| pass.parsing_only(units.iter().any(|unit| pass.is_of_unit(unit)));
    Plan { passes: plan.passes.iter().map(marked).collect(), ..plan }
}

/// Returns the units of which a run claims that no single one can go from its result; none if it claims nothing of the
/// kind.
fn claimed(job: &Job, plan: &Plan, records: &[JournalRecord], whole: &Candidate) -> Minimal {
    let any = |is: fn(&JournalRecord) -> bool| records.iter().any(is);
    let done = any(|record| matches!(record, JournalRecord::Ended { done: true, .. }));
    let went_back = any(|record| matches!(record, JournalRecord::Ended { back: true, .. }));
    let skipped = any(|record| matches!(record, JournalRecord::Skipped { .. }));
    let unproved = proves(plan, whole) != Proof::OneMinimal || job.search.normalize;
    let stays = !never(records).is_empty();
    if !done || skipped || went_back || stays || plan.min_removal > 1 || unproved {
        return Minimal::default();
    }
    let mut minimal = minimal(plan, whole, &UnmetNeeds::default());
    (minimal.edits, minimal.together) = (0, 0);
    minimal
}

/// Returns a search that tries each single deletion, with nothing remembered.
fn start(plan: &Plan, whole: &Candidate, judge: Judge<'_>, time_limit: Option<Duration>) -> Start<Audited> {
    let result = whole.artifact();
    Start {
        inquiry: match judge.policy {
            Some(_) => Audited::of_result(result, plan, DOUBT),
            None => Audited::plain(Audited::sweep(result, plan)),
        },
        memo: Memo::new(),
        known: 0,
        repeats: Repeats::Remembered,
        stops: Stops::default(),
        skips: [].into(),
        reached: 0,
        failure: judge.oracle.reading().describe(),
        time_limit,
        policy: judge.policy,
        votes: HashMap::new(),
    }
}
