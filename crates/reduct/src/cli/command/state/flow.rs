//! Which values must be as in the run that passes so that the failing run passes: asked along the failing run.

use super::super::trace::recording::compared_at;
use super::inputs::program;
use super::known::{BAD, FAILURE, GOOD, Known, PRINTED, printed};
use super::search::{CHANGE, Cause, Points, change, differing, of_change, search, so_far};
use super::written::ChangesPlace;
use crate::cli::{usage, view};
use reduct_core::Outcome;
use reduct_input::Candidate;
use reduct_lib::inquiry::{Answer, Inquiry, file_of};
use reduct_lib::{Refusal, ValueOptions, Why, run_once};
use reduct_oracle::Oracle;
use reduct_oracle::signature::InputVocabulary;
use reduct_report::confinement;
use reduct_report::inquiries::InquiryAnswer;
use reduct_report::turns::{self, CauseTransitions, Turn, TurnValue, compared};
use reduct_trace::{Execution, FrameVariable, Place, ProgramState, StateChange, Turns, matching, read_states};
use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

/// Before so many executions at most, variables are written down in one run.
const MOST_LOOKED_AT: usize = 4096;

/// To write variables down takes so many times as long as to run, at most.
const TIMES_LOOKED: u32 = 10;

/// What is over when `--tests` or `--time` ended the search.
const STOPPED_EARLY: u8 = 4;

/// Returns a variable up to its value: `NAME=`, or `NAME` of one that is not there.
fn without_value(variable: &OsString) -> String {
    let text = variable.to_string_lossy();
    text.find('=').map_or(&*text, |at| &text[..=at]).to_owned()
}

/// Returns the command that runs a program as a file says, `{}`, with these variables and options.
pub(super) fn stepping(
    (words, variables): (&[OsString], &[OsString]),
    options: &ValueOptions,
    folder: &Path,
    more: &[OsString],
) -> Result<Vec<OsString>, Refusal> {
    let program = program(words, folder)?;
    let me = std::env::current_exe().unwrap_or_else(|_| Path::new("reduct").to_owned());
    let mut words: Vec<OsString> = vec![me.into(), "step".into(), "{}".into()];
    words.extend(more.iter().cloned());
    words.extend(variables.iter().flat_map(|variable| ["--env".into(), variable.clone()]));
    words.extend(["--folder".into(), folder.into()]);
    for path in &options.only {
        words.extend(["--only".into(), path.into()]);
    }
    words.push("--".into());
    words.extend(program.interpreter.iter().chain(&program.words).cloned());
    Ok(words)
}

/// What is asked, as far as it is known.
pub(super) struct Flow<'a> {
    pub(super) inquiry: Inquiry<'a>,
    options: ValueOptions,
    known: Arc<Known>,
    matched: Vec<(u32, u32)>,
    oracle: Oracle,
    points: Points,
    /// How often it was looked at variables.
    looks: usize,
    quiet: bool,
    place: ChangesPlace,
}

impl<'a> Flow<'a> {
    pub(super) fn new(inquiry: Inquiry<'a>, known: Known, quiet: bool) -> Result<Flow<'a>, Refusal> {
        let matched = matching(&known.good, &known.bad);
        let Some(options) = inquiry.job().goal.values().cloned().filter(|_| !matched.is_empty()) else {
            let help = "the two runs must be so alike that the program begins in the same way in both";
            return Err(usage("no statement execution is the same in both runs", help));
        };
        let oracle = Oracle::new(known.failure.clone(), InputVocabulary::default()).passing_with(options.status);
        let points = Points::new();
        let place = ChangesPlace::of(&inquiry.job().out);
        Ok(Flow { inquiry, options, known: Arc::new(known), matched, oracle, points, looks: 0, quiet, place })
    }

    /// Says how tests are confined.
    pub(super) fn say_confined(&self) {
        if let Some(((_, strength), confinement)) =
            self.inquiry.confined().zip(self.inquiry.job().confinement.as_ref()).filter(|_| !self.quiet)
        {
            view::say(&confinement::describe(confinement, strength));
        }
    }

    /// Checks that the failure occurs under the driver with nothing changed.
    pub(super) fn fails_unchanged(&mut self) -> Result<(), Refusal> {
        let unchanged = change(&self.known, self.matched[0].1, vec![]);
        let observed = self.inquiry.observe(&of_change(&self.known, &unchanged))?;
        if self.oracle.verdict(&observed).outcome != Outcome::Fail {
            let help = "what it does must depend on its input only: not on time, random numbers, or threads";
            return Err(usage("the program does not fail again with nothing changed", help));
        }
        Ok(())
    }

    /// Begins the run, and keeps what was recorded.
    pub(super) fn begin(&mut self, name: &str, whole: &Candidate) -> Result<(), Refusal> {
        self.inquiry.begin(name, whole, &self.known.failure)?;
        self.inquiry.keep(GOOD, &self.known.good.to_text(&self.known.language))?;
        self.inquiry.keep(BAD, &self.known.bad.to_text(&self.known.language))?;
        self.inquiry.keep(PRINTED, &self.known.printed)?;
        // It was read from what a run showed.
        self.inquiry.keep(FAILURE, &serde_json::to_string(&self.known.failure).unwrap_or_default())
    }

    /// Asks all that is to be asked, and lists the answer.
    pub(super) fn go(mut self) -> Result<ExitCode, Refusal> {
        let mut turns: Turns<Cause> = Turns::default();
        let mut tests = 0;
        // First all along the run; then, with the same number of points, between those where the cause changes.
        let mut open: Vec<(u32, u32)> = self.matched.clone();
        let why = loop {
            let step = open.len().div_ceil(MOST_LOOKED_AT).max(1);
            let sample: Vec<(u32, u32)> = open.iter().copied().step_by(step).chain(open.last().copied()).collect();
            let differ = self.look(&sample)?;
            let mut points: Vec<usize> = turns.answers().map(|(point, _)| point).chain(differ).collect();
            points.sort_unstable();
            points.dedup();
            let search = search(&self.known, &self.points, &points, &turns);
            let failure = self.known.failure.describe();
            let found = self.inquiry.search(&self.oracle, search, &failure)?;
            tests += found.asked;
            turns = match found.search.answer() {
                Some(found) => found.clone(),
                None => so_far(&self.known, &self.points, (&points, &turns), found.search.outcomes()),
            };
            let between: Vec<(usize, usize)> =
                turns.turns().iter().filter_map(|(before, point, _)| Some(((*before)?, *point))).collect();
            let looked_at: BTreeSet<u32> = sample.iter().map(|(_, of_bad)| *of_bad).collect();
            let is_between = |at: usize| between.iter().any(|(low, high)| (*low..*high).contains(&at));
            open.retain(|(_, of_bad)| is_between(*of_bad as usize) && !looked_at.contains(of_bad));
            if open.is_empty() || found.why != Why::Done {
                break found.why;
            }
        };
        self.found(&turns, tests, why)
    }

    /// Looks at these executions in both runs. Returns those before which values differ.
    fn look(&mut self, sample: &[(u32, u32)]) -> Result<Vec<usize>, Refusal> {
        let [of_good, of_bad]: [Vec<u32>; 2] = sample.iter().copied().unzip::<_, _, Vec<u32>, Vec<u32>>().into();
        let number = self.looks;
        self.looks += 1;
        let good = self.look_at(&format!("values-{number}-good"), true, &of_good)?;
        let mut bad = self.look_at(&format!("values-{number}-bad"), false, &of_bad)?;
        let found = differing(sample, &good, &mut bad);
        let differ = found.keys().map(|point| *point as usize).collect();
        self.points.extend(found);
        Ok(differ)
    }

    /// Runs a side again, and returns its states before these executions. They are kept under a name.
    fn look_at(&self, name: &str, is_good: bool, at: &[u32]) -> Result<HashMap<u32, ProgramState>, Refusal> {
        if let Some(text) = self.inquiry.kept(name) {
            return Ok(read_states(&text));
        }
        let own = tempfile::tempdir().map_err(Refusal::io("make", "a folder for values"))?;
        let (to, numbers) = (own.path().join("states"), own.path().join("numbers.txt"));
        let text: String = at.iter().map(|number| format!("{number}\n")).collect();
        std::fs::write(&numbers, text).map_err(Refusal::io("write", &numbers))?;
        let mut more: Vec<OsString> = vec!["--look".into(), to.clone().into()];
        let options = &self.options;
        let (words, variables, plan) = if is_good {
            (&options.good, &options.good_env, &self.known.good)
        } else {
            (&options.bad, &options.bad_env, &self.known.bad)
        };
        if let Some(deepest) = plan.about.deepest {
            more.extend(["--deepest".into(), deepest.to_string().into()]);
        }
        let job = self.inquiry.job();
        let command = stepping((words, variables), options, &job.folder, &more)?;
        let limits = job.limits.with_time(job.limits.time.map(|limit| limit * TIMES_LOOKED));
        let job = job.clone().with_inputs(vec![numbers]).with_command(command).with_limits(limits);
        let ran = view::hear(|mut audience| run_once(&job, own.path(), &mut audience));
        ran.map_err(|why| self.inquiry.stopped(why))?;
        let text = std::fs::read_to_string(&to).unwrap_or_default();
        self.inquiry.keep(name, &text)?;
        Ok(read_states(&text))
    }

    /// Runs each change that was found once more, writes all, and lists it.
    fn found(mut self, turns: &Turns<Cause>, tests: u64, why: Why) -> Result<ExitCode, Refusal> {
        let (points, without) = turns.asked();
        let (mut found, mut changes) = (vec![], vec![]);
        let mut confirmed = 0;
        for (before, point, cause) in turns.turns() {
            let Some(at) = self.points.get(&(point as u32)).cloned() else { continue };
            let values: Vec<(FrameVariable, String)> =
                at.values.iter().filter(|(it, _)| cause.contains(it)).cloned().collect();
            let both = |(variable, passing): &(FrameVariable, String)| TurnValue {
                failing: at.failing.get(variable).cloned().unwrap_or_default(),
                variable: variable.clone(),
                passing: passing.clone(),
            };
            let shown = values.iter().map(both).collect();
            let change = change(&self.known, point as u32, values);
            let mut prints_other = false;
            if why != Why::Interrupted {
                let observed = self.inquiry.observe(&of_change(&self.known, &change))?;
                let passes = self.oracle.verdict(&observed).outcome == Outcome::Pass;
                prints_other = passes && self.known.printed != printed(&observed);
                confirmed += usize::from(passes);
            }
            // Executions between it and the point before that are the same in both runs and were not asked about.
            let is_exact = before.is_none_or(|before| self.is_next(before, point));
            let place = self.place(point as u32);
            let is_after = self.is_after(point as u32);
            found.push(Turn { values: shown, place, is_exact, is_after, prints_other });
            changes.push(change);
        }
        let last = self.known.bad.events().iter().max_by_key(|it| it.time);
        let at = compared_at(&program(&self.options.bad, &self.inquiry.job().folder)?);
        let answer = CauseTransitions {
            turns: found,
            last: last.map(|it| it.place.clone()),
            last_is_after: last.is_some_and(Execution::is_return),
            compared: compared(at, self.matched.len(), self.known.bad.events().len(), self.points.len()),
            compared_at: at,
            passing: PathBuf::from(&self.options.passing),
            points,
            without,
            tests,
            confirmed,
            stopped: why != Why::Done,
            variables: self.options.bad_env.iter().map(without_value).collect(),
        };
        self.end(answer, &changes, why)
    }

    fn end(self, answer: CauseTransitions, changes: &[StateChange], why: Why) -> Result<ExitCode, Refusal> {
        let job = self.inquiry.job();
        let shown = job.out.strip_prefix(&job.folder).unwrap_or(&job.out);
        if why == Why::Interrupted {
            // Each passed once, when it was found.
            if !changes.is_empty() {
                self.write(&answer, changes, &why)?;
            }
            if !self.quiet {
                view::say(&turns::written(shown, changes.len()));
            }
        } else {
            self.write(&answer, changes, &why)?;
            let command = super::super::trace::listed::line_of(&self.options.bad);
            let ending = turns::ResultPlace { folder: shown, command: &command };
            match self.quiet {
                true => view::say(&turns::last_lines(&answer, &ending)),
                // Where nobody reads it, nothing is lost: it is in the folder, too.
                false => drop(writeln!(stdout(), "{}", turns::listing(&answer, &ending))),
            }
        }
        if why != Why::Done && !self.quiet {
            view::say(&reduct_report::to_go_on(self.inquiry.folder(), &job.folder));
        }
        let status = match why {
            Why::Done => 0,
            Why::Interrupted => view::INTERRUPTED,
            _ => STOPPED_EARLY,
        };
        let best = file_of(CHANGE, &turns::table(&answer));
        let found = InquiryAnswer::Values(answer);
        // What was not run again at its end is asked again, and found then.
        if why != Why::Interrupted {
            self.inquiry.keep_answer(&found)?;
        }
        let mut answer = Answer::new(why, best, found.shown());
        (answer.size, answer.confirmed) = (found.size(), found.confirmed());
        self.inquiry.end(answer)?;
        Ok(ExitCode::from(status))
    }

    /// Writes the changes, and the listing, and says where what stood there is, if it is kept.
    fn write(&self, answer: &CauseTransitions, changes: &[StateChange], why: &Why) -> Result<(), Refusal> {
        let texts: Vec<String> = changes.iter().map(|change| change.to_text(&self.known.language)).collect();
        if let Some(kept) = self.place.write(&self.inquiry, &turns::table(answer), &texts, *why == Why::Done)? {
            let job = self.inquiry.job();
            let short = |path: &Path| path.strip_prefix(&job.folder).unwrap_or(path).to_owned();
            view::say(&turns::kept(&short(&job.out), &short(&kept)));
        }
        Ok(())
    }

    /// Returns whether no point between these two is known to differ and was left out.
    fn is_next(&self, before: usize, point: usize) -> bool {
        self.points.range(before as u32 + 1..point as u32).next().is_none()
    }

    fn place(&self, before: u32) -> Option<Place> {
        self.event(before).map(|it| it.place.clone())
    }

    /// Returns whether this is where a call has returned.
    fn is_after(&self, point: u32) -> bool {
        self.event(point).is_some_and(Execution::is_return)
    }

    fn event(&self, time: u32) -> Option<&Execution> {
        self.known.bad.events().iter().find(|it| it.time == time)
    }
}
