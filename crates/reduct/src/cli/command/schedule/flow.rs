//! What is asked about the threads of a program, one thing after the other.

use super::places::Places;
use super::runs::{Runs, any_failure, candidate, failure_of, oracle};
use crate::cli::{usage, view};
use reduct_core::{Outcome, Scripted};
use reduct_input::Candidate;
use reduct_lib::inquiry::{Answer, Counted};
use reduct_lib::{Claim, Refusal, SwitchOptions, Why};
use reduct_oracle::signature::describe;
use reduct_oracle::{Criterion, Observed};
use reduct_report::inquiries::{InquiryAnswer, SWITCHES};
use reduct_report::schedules::{self, FailingSwitches, NothingFails};
use reduct_strategies::Unproved;
use reduct_trace::{Fewest, IsolatedSwitches, RandomPriorities, Schedule, Scheduling, Switch, fewest, isolated};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::io::{Write, stdout};
use std::process::ExitCode;

/// The exit status when all schedules were tried and none failed.
pub(in crate::cli::command) const NO_FAILURE: u8 = 3;

/// The exit status when `--tests` or `--time` ended the search.
const STOPPED: u8 = 4;

/// How schedules are drawn, in turn: failures of these depths, and by a coin at each point.
const DEPTHS: [u32; 4] = [1, 2, 3, 0];

/// After so many runs that ended at a limit, no more schedules are tried: each takes that long.
const MOST_UNRESOLVED: u64 = 5;

/// A schedule that fails is run so many times before it is reduced.
const REPLAYS: usize = 10;

/// The result is run so many times.
const CONFIRMED: usize = 100;

/// Under this name, the run without a switch is kept.
pub(super) const FIRST: &str = "first.json";

/// Under this name, the first schedule is kept that failed.
pub(super) const FAILING: &str = "failing.json";

/// Under this name, the numbers of schedules are kept that failed and did not again.
const UNREPEATABLE: &str = "unrepeatable.json";

/// The run without a switch.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct First {
    pub(super) points: u64,
    pub(super) threads: u32,
    pub(super) ending: String,
}

/// The first schedule that failed.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Failing {
    /// The schedule.
    pub(super) schedule: String,
    /// What the failure is.
    pub(super) failure: Criterion,
    /// That in words, with which thread waits for what.
    pub(super) ending: String,
    /// How many schedules were tried; none if it was given.
    pub(super) tried: u64,
    /// A schedule with which the program passes, if one was given; else, it does so without a switch.
    #[serde(default)]
    pub(super) passing: Option<String>,
}

impl Failing {
    /// Returns the schedules with which the program passes and fails.
    pub(super) fn sides(&self) -> (Schedule, Schedule) {
        let read = |text: &str| Schedule::parse(text).unwrap_or_default();
        (self.passing.as_deref().map(read).unwrap_or_default(), read(&self.schedule))
    }
}

/// What is known of the switches of a schedule that fails.
#[derive(Clone)]
pub(super) struct Reduced {
    /// The difference between it and one that passes.
    isolated: IsolatedSwitches,
    /// The fewest with which it fails.
    fewest: Fewest,
}

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
        given: Option<(Schedule, Observed)>,
        good: Option<&Schedule>,
    ) -> Result<(), Refusal> {
        self.keep(FIRST, first)?;
        let Some((schedule, observed)) = given else { return Ok(()) };
        let passing = good.map(Schedule::to_text);
        self.keep(FAILING, &Failing { passing, ..self.failing(&schedule, &observed, 0) })
    }

    fn failing(&self, schedule: &Schedule, observed: &Observed, tried: u64) -> Failing {
        Failing {
            schedule: schedule.to_text(),
            failure: failure_of(self.runs.inquiry.job(), observed),
            ending: schedules::failure(&describe(&observed.exit), &observed.stderr),
            tried,
            passing: None,
        }
    }

    fn keep(&self, name: &str, it: &impl Serialize) -> Result<(), Refusal> {
        // Texts and numbers can be written.
        self.runs.inquiry.keep(name, &serde_json::to_string(it).unwrap_or_default())
    }

    fn kept<T: for<'de> Deserialize<'de>>(&self, name: &str) -> Option<T> {
        serde_json::from_str(&self.runs.inquiry.kept(name)?).ok()
    }

    /// Asks all that is to be asked, and lists the answer.
    pub(super) fn go(mut self) -> Result<ExitCode, Refusal> {
        let Some(first) = self.kept::<First>(FIRST) else {
            let help = "begin again: reduct schedule -- PROGRAM";
            return Err(usage("the run was stopped before the program ran once", help));
        };
        self.use_first(&first);
        self.say(&schedules::unswitched(&first.ending, first.points, first.threads.into()));
        let failing = match self.kept::<Failing>(FAILING) {
            Some(failing) => failing,
            None => match self.find(&first)? {
                Ok(failing) => failing,
                Err((why, none)) => return self.end_without(why, none),
            },
        };
        let (_, schedule) = failing.sides();
        if failing.tried > 0 {
            let switches = schedule.switches.len();
            self.say(&schedules::failing(failing.tried, &failing.ending, switches, REPLAYS as u64));
        }
        self.reduce(&first, &failing, &schedule)
    }

    /// Tries schedules until one fails each time; or says why there is none.
    fn find(&mut self, first: &First) -> Result<Result<Failing, (Why, NothingFails)>, Refusal> {
        let job = self.runs.inquiry.job().clone();
        let options = job.goal.switches().cloned().unwrap_or(SwitchOptions::new(0, 0));
        let oracle = oracle(any_failure(&job));
        let mut unrepeatable: Vec<u64> = self.kept(UNREPEATABLE).unwrap_or_default();
        loop {
            let from = unrepeatable.last().map_or(0, |last| last + 1);
            let search = tries(&options, first, from);
            let found = self.runs.inquiry.search(&oracle, search, &job_failure(&job.failure))?;
            let tried = from + found.asked;
            match found.search.answer() {
                None => {
                    let none = NothingFails { tried, unrepeatable: 0, unresolved: 0, stopped: true };
                    return Ok(Err((found.why, none)));
                }
                Some(Tried::Fails(number)) => {
                    let scheduling = drawn(&options, first, *number);
                    let ran = self.runs.record(&Schedule { scheduling, switches: vec![] })?;
                    let schedule = Schedule { scheduling: Scheduling::default(), switches: ran.switches };
                    if self.runs.fails(&ran.observed) && self.fails_each_time(&schedule, &ran.observed)? {
                        let failing = self.failing(&schedule, &ran.observed, tried);
                        self.keep(FAILING, &failing)?;
                        // What fails is there from now on.
                        self.write(&schedule)?;
                        return Ok(Ok(failing));
                    }
                    unrepeatable.push(*number);
                    self.keep(UNREPEATABLE, &unrepeatable)?;
                }
                Some(Tried::None { unresolved }) => {
                    let (unrepeatable, unresolved) = (unrepeatable.len() as u64, *unresolved);
                    return Ok(Err((Why::Done, NothingFails { tried, unrepeatable, unresolved, stopped: false })));
                }
            }
        }
    }

    /// Runs a schedule again. Returns whether it fails each time, in the same way.
    pub(super) fn fails_each_time(&mut self, schedule: &Schedule, observed: &Observed) -> Result<bool, Refusal> {
        let oracle = oracle(failure_of(self.runs.inquiry.job(), observed));
        let again = self.runs.repeat(schedule, REPLAYS)?;
        Ok(again.iter().all(|observed| oracle.verdict(observed).outcome == Outcome::Fail))
    }

    fn write(&self, schedule: &Schedule) -> Result<(), Refusal> {
        let out = &self.runs.inquiry.job().out;
        std::fs::write(out, schedule.to_text()).map_err(Refusal::io("write", out))
    }

    /// Looks for the fewest switches, and lists them.
    fn reduce(mut self, first: &First, failing: &Failing, recorded: &Schedule) -> Result<ExitCode, Refusal> {
        let oracle = oracle(failing.failure.clone());
        let search = reduction(failing, first);
        let found = self.runs.inquiry.search(&oracle, search, &failing.ending)?;
        if found.why == Why::Interrupted {
            return self.end(found.why, found.best, None).map(|()| ExitCode::from(view::INTERRUPTED));
        }
        let (switches, as_recorded) = match found.search.answer() {
            Some(Reduced { fewest: Fewest { switches, as_recorded }, .. }) => (switches.clone(), *as_recorded),
            None => (switches_of(&found.best), true),
        };
        let schedule = Schedule { switches, ..Schedule::default() };
        // A switch that is not where it was recorded gets its place from a run with it.
        let named = self.runs.record(&schedule)?.switches;
        let is_same = named.len() == schedule.switches.len();
        let schedule = Schedule { switches: if is_same { named } else { schedule.switches }, ..Schedule::default() };
        self.say(&schedules::confirming(CONFIRMED as u64));
        let again = self.runs.repeat(&schedule, CONFIRMED)?;
        let fails = |observed: &&Observed| oracle.verdict(observed).outcome == Outcome::Fail;
        let confirmed = again.iter().take_while(fails).count() as u64;
        self.write(&schedule)?;
        let mut places = Places::default();
        let isolated = found.search.answer().map(|found| &found.isolated);
        // One switch with which it fails, and none without which it passes: that says it all.
        let says_more = failing.passing.is_some() || schedule.switches.len() > 1;
        let answer = FailingSwitches {
            difference: isolated
                .filter(|it| says_more && it.passing != it.failing)
                .map(|isolated| places.difference(isolated)),
            switches: schedule.switches.iter().map(|switch| places.named(switch)).collect(),
            before: recorded.switches.len(),
            as_recorded,
            stopped: found.why != Why::Done,
            tried: failing.tried,
            tests: found.asked,
            failure: failing.ending.clone(),
            confirmed,
            runs: CONFIRMED as u64,
        };
        self.list(&answer);
        let best = candidate(&schedule, self.runs.limit);
        let status = if answer.stopped || confirmed < CONFIRMED as u64 { STOPPED } else { 0 };
        self.end(found.why, best, Some(&InquiryAnswer::Switches(answer))).map(|()| ExitCode::from(status))
    }

    fn list(&self, answer: &FailingSwitches) {
        let job = self.runs.inquiry.job();
        let words = job.command.iter().skip_while(|word| *word != "--").skip(1).cloned().collect::<Vec<_>>();
        let command = super::super::trace::listed::line_of(&words);
        let shown = job.out.strip_prefix(&job.folder).unwrap_or(&job.out);
        // Where nobody reads it, nothing is lost: it can be had again.
        let _ = writeln!(stdout(), "{}", schedules::listing(answer, shown, &command));
    }

    /// Ends without a schedule that fails.
    fn end_without(self, why: Why, none: NothingFails) -> Result<ExitCode, Refusal> {
        self.say(&none.told());
        let status = match why {
            Why::Interrupted => view::INTERRUPTED,
            Why::Done => NO_FAILURE,
            _ => STOPPED,
        };
        let nothing = candidate(&Schedule::default(), self.runs.limit);
        self.end(why, nothing, Some(&InquiryAnswer::NoFailure(none))).map(|()| ExitCode::from(status))
    }

    /// Ends with what was found; with nothing if it was interrupted in between.
    fn end(self, why: Why, best: Candidate, found: Option<&InquiryAnswer>) -> Result<(), Refusal> {
        if why != Why::Done {
            self.say(&reduct_report::to_go_on(self.runs.inquiry.folder(), &self.runs.inquiry.job().folder));
        }
        if let Some(found) = found {
            self.runs.inquiry.keep_answer(found)?;
        }
        let claim = found.map_or(Claim::Fails(Unproved::Unfinished), InquiryAnswer::claim);
        let mut answer = Answer::new(why, best, claim.into());
        answer.size = found.map_or((0, SWITCHES), InquiryAnswer::size);
        answer.confirmed = found.and_then(InquiryAnswer::confirmed);
        self.runs.inquiry.end(answer)
    }
}

/// What came of trying schedules.
#[derive(Clone)]
pub(super) enum Tried {
    /// The one with this number fails.
    Fails(u64),
    /// None does; so many ended at a limit.
    None { unresolved: u64 },
}

fn limit(first: &First) -> u64 {
    first.points.saturating_mul(10) + 10_000
}

/// Returns how the schedule with a number is drawn.
fn drawn(options: &SwitchOptions, first: &First, number: u64) -> Scheduling {
    let depth = DEPTHS[number as usize % DEPTHS.len()];
    let seed = options.seed.wrapping_mul(1_000_003).wrapping_add(number);
    Scheduling { chance: Some(RandomPriorities { seed, depth, steps: first.points }), ..Scheduling::default() }
}

/// Returns the search for a schedule that fails, from this number on.
pub(super) fn tries(options: &SwitchOptions, first: &First, from: u64) -> Counted<Scripted<Candidate, Tried>> {
    let limit = Some(limit(first));
    let (options, first) = (options.clone(), first.clone());
    let search = Scripted::new(candidate(&Schedule::default(), limit), move |asker| {
        let mut unresolved = 0;
        for number in from..options.tries {
            let schedule = Schedule { scheduling: drawn(&options, &first, number), switches: vec![] };
            match asker.ask(|| candidate(&schedule, limit))? {
                Outcome::Fail => return Ok(Tried::Fails(number)),
                Outcome::Pass => {}
                Outcome::Unresolved => unresolved += 1,
            }
            if unresolved >= MOST_UNRESOLVED {
                break;
            }
        }
        Ok(Tried::None { unresolved })
    });
    Counted::new(search, SWITCHES, count)
}

/// Returns the search for the difference from a schedule that passes, and for the fewest switches. Those that make the difference are asked
/// alone first.
pub(super) fn reduction(failing: &Failing, first: &First) -> Counted<Scripted<Candidate, Reduced>> {
    let (limit, threads, (passing, recorded)) = (Some(limit(first)), first.threads, failing.sides());
    let search = Scripted::new(candidate(&recorded, limit), move |asker| {
        let mut known: HashMap<Vec<Switch>, Outcome> = HashMap::new();
        let mut test = |some: &[Switch]| {
            if let Some(outcome) = known.get(some) {
                return Ok(*outcome);
            }
            let schedule = Schedule { switches: some.to_vec(), ..Schedule::default() };
            let outcome = asker.ask(|| candidate(&schedule, limit))?;
            known.insert(some.to_vec(), outcome);
            Ok(outcome)
        };
        let isolated = isolated(&passing.switches, &recorded.switches, &mut test)?;
        let differ: Vec<Switch> = isolated.differ().into_iter().filter_map(|it| it.failing).collect();
        let (first, others): (Vec<Switch>, Vec<Switch>) =
            recorded.switches.iter().cloned().partition(|switch| differ.contains(switch));
        let fewest = fewest(&[first, others].concat(), threads, &mut test)?;
        Ok(Reduced { isolated, fewest })
    });
    Counted::new(search.following(), SWITCHES, count)
}

fn switches_of(candidate: &Candidate) -> Vec<Switch> {
    let artifact = candidate.artifact();
    Schedule::parse(&String::from_utf8_lossy(artifact.bytes())).map(|it| it.switches).unwrap_or_default()
}

fn count(candidate: &Candidate) -> usize {
    switches_of(candidate).len()
}

/// Returns what any failure is, in words.
fn job_failure(failure: &reduct_lib::Failure) -> String {
    match failure {
        reduct_lib::Failure::Conditions(all) => all.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and "),
        _ => schedules::ANY_FAILURE.into(),
    }
}
