//! Confirms a result before it is said to be done: it is run several times more, alone. If it does not fail each time, the
//! run goes back along its steps to a larger one that does.

use crate::branch;
use crate::errors::Refusal;
use crate::judge::{Judge, SPARE};
use crate::problem::Problem;
use crate::runs::Run;
use crate::walk::{Walk, Walked};
use reduct_core::{Outcome, Question};
use reduct_input::Candidate;
use reduct_report::run::{self, RunRemark};
use reduct_session::Session;
use reduct_session::event::{Again, Ended, Event, Why};
use reduct_session::journal;
use reduct_strategies::{Branched, Caveat, Claim, Refuted, Unproved};
use std::time::Duration;

/// So often a result is run again, unless that takes long.
const RUNS: u32 = 5;

/// So often in any case.
const FEWEST: u32 = 2;

/// One part in so many of what the search took may be spent on it, and [`SPARE`] in any case.
const SHARE: u32 = 10;

/// Going back takes as long as the search at most, or this.
const PATIENCE: Duration = Duration::from_secs(10);

/// A result that is to be confirmed.
pub(crate) struct Confirming<'a, T> {
    pub(crate) problem: &'a T,
    pub(crate) run: &'a Run,
    pub(crate) judge: Judge<'a>,
}

/// A step of a search: what was the best then, and its size.
type StepOfSearch = (Candidate, usize);

impl<T: Problem> Confirming<'_, T> {
    /// Runs the result again, which was run once already, and notes in `ended` what came of it.
    ///
    /// # Errors
    /// If the session was interrupted, or met trouble that did not pass.
    pub(crate) fn confirm(&self, session: &mut Session<'_>, ended: &mut Ended) -> Result<(), Why> {
        let is_other = |ended: &Ended| ended.confirmed.is_some() && self.problem.stands(ended) == Some(false);
        let was_other = is_other(ended);
        match self.judge.policy {
            Some(_) if was_other => ended.again = Some(Again::default()),
            Some(_) => self.measure(session, ended)?,
            None if self.problem.can_go_back() => self.repeat(session, ended)?,
            None if was_other => ended.again = Some(Again::default()),
            None => {}
        }
        // A test may have put it there just now.
        let is_other = is_other(ended);
        if is_other {
            ended.confirmed = Some(false);
        }
        if ended.confirmed == Some(false) {
            let why = if is_other { Refuted::Replaced } else { Refuted::DidNotFail };
            ended.evidence = Claim::Refuted(why).into();
        }
        Ok(())
    }

    /// Measures what fails now and then: it is confirmed if it does not fail too seldom.
    fn measure(&self, session: &mut Session<'_>, ended: &mut Ended) -> Result<(), Why> {
        let Some(rate) = self.problem.rate(session, self.judge, ended)? else { return Ok(()) };
        ended.confirmed = ended.confirmed.map(|confirmed| confirmed && !rate.is_too_seldom());
        ended.rate = Some(rate);
        if let Some(share) = ended.share.filter(|share| f64::from(rate.fired()) < share * rate.runs() as f64) {
            // Nearer to the floor, nothing can be told from what is below it in any number of runs that somebody waits for.
            let share = (share * 1e3).ceil() / 1e3;
            ended.evidence.caveats.push(Caveat::TriedForShare(share));
        }
        let runs = u32::try_from(rate.runs()).unwrap_or(u32::MAX);
        let mut again = Again::of(runs, rate.fired());
        again.may_pass = true;
        ended.again = Some(again);
        Ok(())
    }

    /// Runs it several times more, and goes back if it does not fail each time.
    fn repeat(&self, session: &mut Session<'_>, ended: &mut Ended) -> Result<(), Why> {
        let spare = (ended.elapsed / SHARE).max(SPARE);
        // Somebody waits no longer than said, but for that.
        let is_late = session.over_at().is_some_and(|over| session.now() + spare >= over);
        let spare = if is_late { SPARE } else { spare };
        let first = match ended.confirmed {
            Some(true) => Again::of(1, 1),
            Some(false) if self.problem.stands(ended) == Some(true) => Again::of(1, 0),
            // What stands there is something else, or cannot be read.
            Some(false) | None => Again::default(),
        };
        let is_read = ended.confirmed.is_some();
        let again = self.run_again(session, &ended.best, first, spare)?;
        ended.again = Some(again);
        if again.failed == again.runs {
            if !is_read {
                ended.again = None;
            }
            return Ok(());
        }
        ended.confirmed = Some(false);
        // Of a difference, what passes belongs to what fails.
        if ended.passing.is_some() {
            return Ok(());
        }
        let steps = Steps { problem: self.problem, run: self.run };
        let until = session.now().saturating_add(ended.elapsed.max(PATIENCE));
        let Some((at, (best, size), mut held)) = self.go_back(session, &steps, (spare, until))? else { return Ok(()) };
        ended.notes.push(run::describe(&RunRemark::WentBack {
            bytes: ended.best.len(),
            failed: again.failed,
            runs: again.runs,
            steps: at,
            held: held.runs,
            in_copies: session.runs_in_copies(),
        }));
        (ended.best, ended.size, ended.confirmed) = (best, size, Some(true));
        held.went_back = true;
        ended.again = Some(held);
        ended.evidence = Claim::Fails(Unproved::WentBack).into();
        session.emit(&Event::Finishing { best: ended.best.clone(), passing: None })
    }

    /// Runs a candidate, one run after the other, until it does not fail or was run often enough; `so_far` counts.
    fn run_again(
        &self,
        session: &mut Session<'_>,
        candidate: &Candidate,
        so_far: Again,
        spare: Duration,
    ) -> Result<Again, Why> {
        let (mut again, begin) = (so_far, session.now());
        while again.failed == again.runs
            && (again.runs < FEWEST || again.runs < RUNS && session.now().saturating_sub(begin) < spare)
        {
            let (outcome, _) = session.poll(self.judge.oracle, None, candidate)?;
            again.runs += 1;
            again.failed += u32::from(outcome == Outcome::Fail);
        }
        Ok(again)
    }

    /// Returns the smallest step that was seen to fail each time, how many steps lie behind it, and how often it was
    /// run. `None` if none does, or none was found in time.
    ///
    /// Steps are tried 1, 2, 4, … before the last one, and then by halves between the first that holds and the one before
    /// it, which does not.
    fn go_back(
        &self,
        session: &mut Session<'_>,
        steps: &Steps<'_, T>,
        (spare, until): (Duration, Duration),
    ) -> Result<Option<(usize, StepOfSearch, Again)>, Why> {
        let last = steps.last().map_err(trouble)?;
        let (mut bad, mut good, mut behind) = (last, None, 1);
        while good.is_none() && bad > 0 && session.now() < until {
            let at = last.saturating_sub(behind);
            behind *= 2;
            match self.hold(session, steps, at, spare)? {
                Some(held) => good = Some(held),
                None => bad = at,
            }
        }
        let Some(mut good) = good else { return Ok(None) };
        while good.0 + 1 < bad && session.now() < until {
            let middle = usize::midpoint(good.0, bad);
            match self.hold(session, steps, middle, spare)? {
                Some(held) => good = held,
                None => bad = middle,
            }
        }
        let (at, step, again) = good;
        Ok(Some((last - at, step, again)))
    }

    /// Returns a step, if it fails each time.
    fn hold(
        &self,
        session: &mut Session<'_>,
        steps: &Steps<'_, T>,
        at: usize,
        spare: Duration,
    ) -> Result<Option<(usize, StepOfSearch, Again)>, Why> {
        let Some(step) = steps.nth(at).map_err(trouble)? else { return Ok(None) };
        let again = self.run_again(session, &step.0, Again::default(), spare)?;
        Ok((again.failed == again.runs).then_some((at, step, again)))
    }
}

fn trouble(refusal: Refusal) -> Why {
    Why::Trouble(run::no_way_back(&refusal.to_string()))
}

/// The steps of a run, from its journal: kept nowhere, as there may be many large ones, but walked through again.
struct Steps<'a, T> {
    problem: &'a T,
    run: &'a Run,
}

impl<T: Problem> Steps<'_, T> {
    fn walk(&self) -> Result<Walked<Branched<T::Search>>, Refusal> {
        let (records, _) = journal::read(&self.run.journal())?;
        branch::walk(self.problem, &records, self.run)
    }

    /// Returns the number of the last step. 0 is the whole input.
    fn last(&self) -> Result<usize, Refusal> {
        let mut walked = self.walk()?;
        let (mut at, mut key) = (0, walked.best().0.key());
        while walked.next().is_some() {
            let now = walked.best().0.key();
            at += usize::from(now != key);
            key = now;
        }
        Ok(at)
    }

    /// Returns a step.
    fn nth(&self, wanted: usize) -> Result<Option<StepOfSearch>, Refusal> {
        let mut walked = self.walk()?;
        let (mut at, mut step) = (0, walked.best());
        while at < wanted {
            if walked.next().is_none() {
                return Ok(None);
            }
            let now = walked.best();
            at += usize::from(now.0.key() != step.0.key());
            step = now;
        }
        Ok(Some(step))
    }
}
