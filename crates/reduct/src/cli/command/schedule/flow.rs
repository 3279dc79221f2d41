//! What is asked about the threads of a program, one thing after the other.

use super::others::{self, Left};
use super::places::Places;
use super::runs::{self, REPLAYS, Runs, any_failure, candidate, fails, failure_of, oracle, passes};
use super::searches::{Tried, drawn, limit, reduction, switches_of, tries};
use super::sides::{
    DIFFERENCE, Difference, FAILING, FIRST, Failing, First, PASSING, PLACES, Passing, Sides, UNREPEATABLE, outcome,
};
use super::written;
use crate::cli::{usage, view};
use reduct_input::Candidate;
use reduct_lib::inquiry::Answer;
use reduct_lib::{Job, Refusal, Why};
use reduct_oracle::{Exit, Limit, Observed};
use reduct_report::inquiries::{InquiryAnswer, SWITCHES, unfinished};
use reduct_report::schedules::{self, FoundSwitches, NothingFound, Sought};
use reduct_trace::{IsolatedSwitches, Schedule, Scheduling};
use std::io::{Write, stdout};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// The exit status when all schedules were tried and none was what was looked for.
pub(in crate::cli::command) const NOT_FOUND: u8 = 3;

/// The exit status when `--tests` or `--time` ended the search.
const STOPPED: u8 = 4;

/// A run that hangs is repeated so many times: each takes as long as a run may take.
const HANGING_REPLAYS: usize = 2;

/// Where the result is run many times, a slot has so many runs at a time.
const RUNS_A_SLOT: u64 = 4;

/// How many of them there were is said so often.
const PAUSE: Duration = Duration::from_secs(2);

/// What is asked, as far as it is known.
pub(super) struct Flow<'a> {
    pub(super) runs: Runs<'a>,
    quiet: bool,
}

impl<'a> Flow<'a> {
    pub(super) fn new(runs: Runs<'a>, quiet: bool) -> Flow<'a> {
        Flow { runs, quiet }
    }

    /// Says something to the user.
    pub(super) fn say(&self, text: &str) {
        if !self.quiet {
            view::say(text);
        }
    }

    /// Says how tests are confined.
    pub(super) fn say_confined(&self) {
        let inquiry = &self.runs.inquiry;
        if let Some(((_, strength), confinement)) = inquiry.confined().zip(inquiry.job().confinement.as_ref()) {
            self.say(&reduct_report::confinement::describe(confinement, strength));
        }
    }

    /// Takes from the run without a switch how long others may take.
    pub(super) fn use_first(&mut self, first: &First) {
        self.runs.limit = Some(limit(first));
    }

    /// Keeps what was learned before the run was begun.
    pub(super) fn begin(
        &mut self,
        first: &First,
        failing: Option<&Failing>,
        passing: Option<&Passing>,
    ) -> Result<(), Refusal> {
        failing.map_or(Ok(()), |failing| self.runs.keep(FAILING, failing))?;
        passing.map_or(Ok(()), |passing| self.runs.keep(PASSING, passing))?;
        self.runs.inquiry.keep_sought(first.sought())?;
        // Without it, nothing is gone on with: it comes when the others are there.
        self.runs.keep(FIRST, first)
    }

    /// Returns the failing side: what a run of this schedule has shown.
    pub(super) fn failing(&self, schedule: &Schedule, observed: &Observed, tried: u64) -> Failing {
        Failing {
            schedule: schedule.to_text(),
            failure: failure_of(self.runs.inquiry.job(), observed),
            ending: fails(self.runs.inquiry.job(), observed, &mut Places::default()),
            is_deadlock: schedules::is_deadlock(observed),
            tried,
        }
    }

    /// Asks all that is to be asked, and lists the answer.
    pub(super) fn go(mut self) -> Result<ExitCode, Refusal> {
        let Some(first) = self.runs.kept::<First>(FIRST) else {
            let help = "begin again: reduct schedule -- PROGRAM";
            return Err(usage("the run was stopped before the program ran once", help));
        };
        self.use_first(&first);
        let sought = first.sought();
        self.say(&schedules::unswitched(&first.ending, first.points, first.threads.into(), sought));
        if self.sides(&first).is_none()
            && let Some((why, none)) = self.find(&first)?
        {
            return self.end_without(why, none, sought);
        }
        let Some(sides) = self.sides(&first) else { return Err(Refusal::Executor("what was found is gone".into())) };
        let (tried, ending) = sides.tried();
        if tried > 0 {
            let switches = sides.found().switches.len();
            self.say(&schedules::found(sought, tried, ending, switches, REPLAYS as u64));
        }
        self.say(&schedules::failure_is(&sides.failing.failure, sides.failing.is_deadlock, sought));
        self.reduce(&sides)
    }

    /// Returns both sides, if they are known: one of them is the run without a switch, if no other one was given.
    fn sides(&self, first: &First) -> Option<Sides> {
        let passing: Option<Passing> = self.runs.kept(PASSING);
        let is_known = passing.is_some() || first.sought() == Sought::Failure;
        Some(Sides { first: first.clone(), failing: self.runs.kept(FAILING)?, passing }).filter(|_| is_known)
    }

    /// Tries schedules until one is each time what is looked for, and keeps it; or returns why there is none.
    fn find(&mut self, first: &First) -> Result<Option<(Why, NothingFound)>, Refusal> {
        let (job, sought) = (self.runs.inquiry.job().clone(), first.sought());
        let options = self.runs.options();
        let oracle = match sought {
            Sought::Failure => runs::failing(any_failure(&job)),
            Sought::Pass => oracle(any_failure(&job)),
        };
        let mut unrepeatable: Vec<u64> = self.runs.kept(UNREPEATABLE).unwrap_or_default();
        loop {
            let from = unrepeatable.last().map_or(0, |last| last + 1);
            let search = tries(&options, first, from);
            let found = self.runs.inquiry.search(&oracle, search, &job_failure(&job.failure))?;
            let tried = from + found.asked;
            match found.search.answer() {
                None => {
                    let none = NothingFound { tried, unrepeatable: 0, unresolved: 0, stopped: true };
                    return Ok(Some((found.why, none)));
                }
                Some(Tried::Found(number)) => {
                    let scheduling = drawn(&options, first, *number);
                    let ran = self.runs.record(&Schedule { scheduling, switches: vec![] })?;
                    let schedule = Schedule { scheduling: Scheduling::default(), switches: ran.switches };
                    if self.runs.is(sought, &ran.observed) && self.is_each_time(sought, &schedule, &ran.observed)? {
                        match sought {
                            Sought::Failure => {
                                self.runs.keep(FAILING, &self.failing(&schedule, &ran.observed, tried))?
                            }
                            Sought::Pass => self.runs.keep(PASSING, &passing(&job, &schedule, &ran.observed, tried))?,
                        }
                        // What was found is there from now on.
                        self.write(&schedule)?;
                        return Ok(None);
                    }
                    unrepeatable.push(*number);
                    self.runs.keep(UNREPEATABLE, &unrepeatable)?;
                }
                Some(Tried::None { unresolved }) => {
                    let (unrepeatable, unresolved) = (unrepeatable.len() as u64, *unresolved);
                    return Ok(Some((Why::Done, NothingFound { tried, unrepeatable, unresolved, stopped: false })));
                }
            }
        }
    }

    /// Runs a schedule again. Returns whether it fails each time in the same way, or passes each time.
    pub(super) fn is_each_time(
        &mut self,
        side: Sought,
        schedule: &Schedule,
        observed: &Observed,
    ) -> Result<bool, Refusal> {
        let job = self.runs.inquiry.job();
        let criterion = match side {
            Sought::Failure => failure_of(job, observed),
            Sought::Pass => any_failure(job),
        };
        let oracle = oracle(criterion);
        let hangs = matches!(observed.exit, Exit::Limit(Limit::Time));
        let again = self.runs.repeat(schedule, if hangs { HANGING_REPLAYS } else { REPLAYS })?;
        Ok(again.iter().all(|observed| oracle.verdict(observed).outcome == outcome(side)))
    }

    fn write(&self, schedule: &Schedule) -> Result<(), Refusal> {
        written::write(&self.runs.inquiry.job().out, schedule)
    }

    /// Looks for the fewest switches, and lists them.
    fn reduce(mut self, sides: &Sides) -> Result<ExitCode, Refusal> {
        let (failing, sought) = (&sides.failing, sides.first.sought());
        let oracle = oracle(failing.failure.clone());
        let found = self.runs.inquiry.search(&oracle, reduction(sides, u64::MAX), &failing.ending)?;
        let mut left = Left::of(&found, sides);
        if left.why == Why::Done {
            match left.reduce_others(&mut self.runs, sides) {
                Err(Refusal::StoppedLater(_, why @ (Why::Interrupted | Why::Stopped))) => left.why = why,
                done => done?,
            }
        }
        let schedule = left.schedule();
        if left.why == Why::Interrupted {
            let best = candidate(&schedule, self.runs.limit);
            return self.end_early(left.why, best, sought);
        }
        // It is there, whatever ends the runs that follow.
        self.write(&schedule)?;
        let holds = |observed: &Observed| oracle.verdict(observed).outcome == outcome(sought);
        let (schedule, observed, confirmed) = match self.run_result(&schedule, holds) {
            Err(Refusal::StoppedLater(_, why @ (Why::Interrupted | Why::Stopped))) => {
                let best = candidate(&schedule, self.runs.limit);
                return self.end_early(why, best, sought);
            }
            ran => ran?,
        };
        self.write(&schedule)?;
        let mut places = Places::default();
        // Another deadlock than at first may be left.
        let failure = match sought {
            Sought::Failure if holds(&observed) => fails(self.runs.inquiry.job(), &observed, &mut places),
            Sought::Failure => failing.ending.clone(),
            Sought::Pass => sides.first.ending.clone(),
        };
        let kept: Vec<Schedule> =
            [sides.found(), schedule.clone()].into_iter().chain(others::kept(&self.runs)).collect();
        let names = places.names(kept.iter().flat_map(|schedule| &schedule.switches));
        self.runs.keep(PLACES, &names)?;
        // With one switch it is one side, and without it the other one: that says it all.
        let says_more = |it: &&IsolatedSwitches| {
            it.passing != it.failing && (sides.are_both_given() || schedule.switches.len() > 1)
        };
        let difference = left.isolated.as_ref().filter(says_more);
        difference.map_or(Ok(()), |isolated| self.runs.keep(DIFFERENCE, &Difference::of(isolated)))?;
        let answer = FoundSwitches {
            difference: difference.map(|isolated| places.difference(isolated)),
            switches: schedule.switches.iter().map(|switch| places.named(switch)).collect(),
            before: left.before,
            number: left.number,
            as_recorded: left.fewest.as_recorded,
            stopped: left.why != Why::Done,
            tried: sides.tried().0,
            tests: left.tests,
            unresolved: left.unresolved,
            others: left.others,
            failure,
            passes: (sought == Sought::Pass).then(|| passes(self.runs.inquiry.job(), &observed)),
            confirmed,
            runs: self.runs.options().confirm,
        };
        self.list(&answer);
        let best = candidate(&schedule, self.runs.limit);
        let status = if answer.stopped || confirmed < answer.runs { STOPPED } else { 0 };
        self.end(left.why, best, Ok(&InquiryAnswer::Switches(answer))).map(|()| ExitCode::from(status))
    }

    /// Runs the result: once to see how the program ends, and many times more. Returns it with the places that were met, and in how many
    /// of these runs it held before it did not.
    fn run_result(
        &mut self,
        found: &Schedule,
        holds: impl Fn(&Observed) -> bool,
    ) -> Result<(Schedule, Observed, u64), Refusal> {
        // A switch that is not where it was recorded gets its place from a run with it.
        let ran = self.runs.record(found)?;
        let is_same = ran.switches.len() == found.switches.len();
        let switches = if is_same { ran.switches } else { found.switches.clone() };
        let schedule = Schedule { switches, ..Schedule::default() };
        let confirmed = self.confirm(&schedule, holds)?;
        Ok((schedule, ran.observed, confirmed))
    }

    /// Runs a schedule as often as it is to be confirmed, some runs together, until it does not hold. Returns how often it held.
    fn confirm(&mut self, schedule: &Schedule, holds: impl Fn(&Observed) -> bool) -> Result<u64, Refusal> {
        let (runs, together) = (self.runs.options().confirm, self.runs.inquiry.slots() as u64 * RUNS_A_SLOT);
        if runs > 0 {
            self.say(&schedules::confirming(runs));
        }
        let begin = Instant::now();
        let (mut held, mut said) = (0, Duration::ZERO);
        while held < runs {
            let some = together.min(runs - held);
            let seen = self.runs.repeat(schedule, some as usize)?;
            let these = seen.iter().take_while(|observed| holds(observed)).count() as u64;
            held += these;
            if these < some {
                break;
            }
            let now = begin.elapsed();
            if now >= said + PAUSE && held < runs {
                said = now;
                self.say(&schedules::confirming_still(now.as_secs(), held, runs));
            }
        }
        Ok(held)
    }

    /// Ends with the fewest switches so far.
    fn end_early(self, why: Why, best: Candidate, sought: Sought) -> Result<ExitCode, Refusal> {
        let schedule = Schedule { switches: switches_of(&best), ..Schedule::default() };
        self.write(&schedule)?;
        self.say(&schedules::written(self.shown(), schedule.switches.len(), sought));
        let status = if why == Why::Interrupted { view::INTERRUPTED } else { STOPPED };
        self.end(why, best, Err(sought)).map(|()| ExitCode::from(status))
    }

    /// Returns the place of the result as it is shown.
    fn shown(&self) -> &Path {
        let job = self.runs.inquiry.job();
        job.out.strip_prefix(&job.folder).unwrap_or(&job.out)
    }

    fn list(&self, answer: &FoundSwitches) {
        let job = self.runs.inquiry.job();
        let words = job.stepped().map_or(&[][..], |(_, program)| program);
        let command = super::super::trace::listed::line_of(words);
        match self.quiet {
            true => view::say(&schedules::last_lines(answer, self.shown())),
            // Where nobody reads it, nothing is lost: it can be had again.
            false => drop(writeln!(stdout(), "{}", schedules::listing(answer, self.shown(), &command))),
        }
    }

    /// Ends without a schedule.
    fn end_without(self, why: Why, none: NothingFound, sought: Sought) -> Result<ExitCode, Refusal> {
        self.say(&none.told(sought));
        let status = match why {
            Why::Interrupted => view::INTERRUPTED,
            Why::Done => NOT_FOUND,
            _ => STOPPED,
        };
        let nothing = candidate(&Schedule::default(), self.runs.limit);
        let answer = match sought {
            Sought::Failure => InquiryAnswer::NoFailure(none),
            Sought::Pass => InquiryAnswer::NoPass(none),
        };
        self.end(why, nothing, Ok(&answer)).map(|()| ExitCode::from(status))
    }

    /// Ends with what was found; or, if it was stopped in between, with a schedule that is what was looked for.
    fn end(self, why: Why, best: Candidate, found: Result<&InquiryAnswer, Sought>) -> Result<(), Refusal> {
        if why != Why::Done {
            self.say(&reduct_report::to_go_on(self.runs.inquiry.folder(), &self.runs.inquiry.job().folder));
        }
        let (size, shown, confirmed) = match found {
            Ok(found) => {
                self.runs.inquiry.keep_answer(found)?;
                (found.size(), found.shown(), found.confirmed())
            }
            Err(sought) => {
                let switches = switches_of(&best).len();
                ((switches, SWITCHES), unfinished(sought, switches).into(), None)
            }
        };
        let mut answer = Answer::new(why, best, shown);
        (answer.size, answer.confirmed) = (size, confirmed);
        self.runs.inquiry.end(answer)
    }
}

/// Returns the passing side: what a run of this schedule has shown.
pub(super) fn passing(job: &Job, schedule: &Schedule, observed: &Observed, tried: u64) -> Passing {
    Passing { schedule: schedule.to_text(), ending: passes(job, observed), tried }
}

/// Returns what any failure is, in words.
fn job_failure(failure: &reduct_lib::Failure) -> String {
    match failure {
        reduct_lib::Failure::Conditions(all) => all.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and "),
        _ => schedules::ANY_FAILURE.into(),
    }
}
