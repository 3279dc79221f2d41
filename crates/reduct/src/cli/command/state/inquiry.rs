//! Which values must be as in the run that passes so that the failing run passes: asked along the failing run.

use crate::cli::{usage, view};
use reduct_core::{Config, Ddmin, Delta, Form, Outcome, Search, Split, run};
use reduct_lib::{Job, Refusal, SingleTests, Stops, run_each, run_once};
use reduct_oracle::{Exit, Oracle};
use reduct_report::confinement;
use reduct_report::turns::{CauseTransitions, Turn, compared, progress};
use reduct_trace::{
    Execution, ExecutionPlan, FrameVariable, Place, Program, ProgramState, StateChange, Turns, differences, matching,
    read_states,
};
use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Before so many executions at most, variables are written down in one run.
const MOST_LOOKED_AT: usize = 4096;

/// The name of the file of a change, in a test. No word of the program is taken for it.
const CHANGE: &str = ".reduct-change.txt";

/// A progress line is printed each second.
const PROGRESS: Duration = Duration::from_secs(1);

/// One of the two runs.
pub(super) struct Side<'a> {
    pub(super) input: &'a Path,
    pub(super) program: &'a Program,
    pub(super) plan: &'a ExecutionPlan,
}

/// What is asked, and of what.
pub(super) struct Inquiry<'a> {
    pub(super) job: &'a Job,
    pub(super) only: &'a [PathBuf],
    pub(super) good: Side<'a>,
    pub(super) bad: Side<'a>,
    pub(super) oracle: &'a Oracle,
    /// How the run ends that passes.
    pub(super) passes: &'a Exit,
    pub(super) stops: Stops,
    pub(super) quiet: bool,
}

/// Variables that make the failing run pass, all together.
type Cause = BTreeSet<FrameVariable>;

/// A point of the failing run: an execution, and what differs before it.
struct Point {
    values: Vec<(FrameVariable, String)>,
    failing: ProgramState,
}

/// Why the search ended before its end.
enum Stopped {
    Early,
    Refused(Refusal),
}

impl From<Refusal> for Stopped {
    fn from(refusal: Refusal) -> Stopped {
        Stopped::Refused(refusal)
    }
}

impl Inquiry<'_> {
    /// Looks at the variables, and asks.
    pub(super) fn run(&self) -> Result<CauseTransitions, Refusal> {
        let matched = matching(self.good.plan, self.bad.plan);
        if matched.is_empty() {
            let help = "the two inputs must be so alike that the program begins in the same way with them";
            return Err(usage("no statement execution is the same with both inputs", help));
        }
        let own = tempfile::tempdir().map_err(Refusal::io("make", "a folder for values"))?;
        let command = self.stepping(self.bad.program, &[]);
        let job = Job { inputs: vec![CHANGE.into()], command, ..self.job.clone() };
        let size = self.change(matched[0].1, vec![]).to_text("python").len();
        view::hear(|mut audience| {
            run_each(&job, own.path(), size, &mut audience, |tests| {
                if !self.quiet
                    && let Some(((_, strength), confinement)) = tests.confined().zip(self.job.confinement.as_ref())
                {
                    view::say(&confinement::describe(confinement, strength));
                }
                let asking = Asking {
                    inquiry: self,
                    tests,
                    points: HashMap::new(),
                    known: HashMap::new(),
                    asked: 0,
                    begin: Instant::now(),
                    said: Instant::now(),
                };
                asking.run(&matched)
            })
        })
    }

    /// Returns the command that runs a program as a file says, `{}`, and these options.
    fn stepping(&self, program: &Program, options: &[OsString]) -> Vec<OsString> {
        let me = std::env::current_exe().unwrap_or_else(|_| Path::new("reduct").to_owned());
        let mut words: Vec<OsString> = vec![me.into(), "step".into(), "{}".into()];
        words.extend(options.iter().cloned());
        words.extend(["--folder".into(), self.job.folder.clone().into()]);
        for path in self.only {
            words.extend(["--only".into(), self.job.folder.join(path).into()]);
        }
        words.push("--".into());
        words.extend(program.interpreter.iter().chain(&program.words).cloned());
        words
    }

    fn change(&self, before: u32, values: Vec<(FrameVariable, String)>) -> StateChange {
        let plan = self.bad.plan;
        let shown = plan.events().iter().find(|it| it.time == before).map(ExecutionPlan::line).unwrap_or_default();
        StateChange { before, shown, values, about: plan.about.clone(), recorded: plan.events().len() }
    }

    /// Runs a side again, and returns its states before these executions.
    fn look(&self, side: &Side<'_>, at: &[u32]) -> Result<HashMap<u32, ProgramState>, Refusal> {
        let own = tempfile::tempdir().map_err(Refusal::io("make", "a folder for values"))?;
        let (to, numbers) = (own.path().join("states"), own.path().join("numbers.txt"));
        let text: String = at.iter().map(|number| format!("{number}\n")).collect();
        std::fs::write(&numbers, text).map_err(Refusal::io("write", &numbers))?;
        let mut options: Vec<OsString> = vec!["--look".into(), to.clone().into()];
        if let Some(deepest) = side.plan.about.deepest {
            options.extend(["--deepest".into(), deepest.to_string().into()]);
        }
        let command = self.stepping(side.program, &options);
        let job = Job { inputs: vec![numbers], command, ..self.job.clone() };
        view::hear(|mut audience| run_once(&job, own.path(), &mut audience))?;
        Ok(read_states(&std::fs::read_to_string(&to).unwrap_or_default()))
    }
}

/// An inquiry under way.
struct Asking<'a, 'b> {
    inquiry: &'a Inquiry<'a>,
    tests: &'a mut SingleTests<'b>,
    /// Points where values differ, by the number of the execution in the failing run.
    points: HashMap<u32, Point>,
    /// Outcomes, by the text of the change.
    known: HashMap<String, Outcome>,
    asked: u64,
    begin: Instant,
    said: Instant,
}

impl Asking<'_, '_> {
    fn run(mut self, matched: &[(u32, u32)]) -> Result<CauseTransitions, Refusal> {
        self.fails_unchanged(matched[0].1)?;
        let mut turns: Turns<Cause> = Turns::default();
        let mut stopped = false;
        // First all along the run; then, with the same number of points, between those where the cause changes.
        let mut open: Vec<(u32, u32)> = matched.to_vec();
        loop {
            let step = open.len().div_ceil(MOST_LOOKED_AT).max(1);
            let sample: Vec<(u32, u32)> = open.iter().copied().step_by(step).chain(open.last().copied()).collect();
            let differ = self.look(&sample)?;
            let mut points: Vec<usize> = turns.answers().map(|(point, _)| point).chain(differ).collect();
            points.sort_unstable();
            points.dedup();
            match turns.find(&points, &mut |point, near: &[Cause]| self.cause(point as u32, near)) {
                Ok(()) => {}
                Err(Stopped::Refused(refusal)) => return Err(refusal),
                Err(Stopped::Early) => stopped = true,
            }
            let between: Vec<(usize, usize)> =
                turns.turns().iter().filter_map(|(before, point, _)| Some(((*before)?, *point))).collect();
            let looked_at: BTreeSet<u32> = sample.iter().map(|(_, of_bad)| *of_bad).collect();
            let is_between = |at: usize| between.iter().any(|(low, high)| (*low..*high).contains(&at));
            open.retain(|(_, of_bad)| is_between(*of_bad as usize) && !looked_at.contains(of_bad));
            if open.is_empty() || stopped {
                break;
            }
        }
        self.found(matched.len(), &turns, stopped)
    }

    /// Checks that the failure occurs under the driver with nothing changed.
    fn fails_unchanged(&mut self, before: u32) -> Result<(), Refusal> {
        if self.outcome(before, &[])? != Outcome::Pass {
            let help = "what it does must depend on its input only: not on time, random numbers, or threads";
            return Err(usage("the program does not fail again with nothing changed", help));
        }
        Ok(())
    }

    /// Looks at these executions in both runs. Returns those before which values differ.
    fn look(&mut self, sample: &[(u32, u32)]) -> Result<Vec<usize>, Refusal> {
        let [of_good, of_bad]: [Vec<u32>; 2] = sample.iter().copied().unzip::<_, _, Vec<u32>, Vec<u32>>().into();
        let good = self.inquiry.look(&self.inquiry.good, &of_good)?;
        let mut bad = self.inquiry.look(&self.inquiry.bad, &of_bad)?;
        let mut differ = vec![];
        for (of_good, of_bad) in sample {
            let Some((good, failing)) = good.get(of_good).zip(bad.remove(of_bad)) else { continue };
            let values = differences(good, &failing);
            if !values.is_empty() {
                differ.push(*of_bad as usize);
                self.points.insert(*of_bad, Point { values, failing });
            }
        }
        Ok(differ)
    }

    /// Returns the fewest values, before an execution, that make the failing run pass. What was a cause nearby is tried first.
    fn cause(&mut self, point: u32, near: &[Cause]) -> Result<Option<Cause>, Stopped> {
        let variables: Vec<FrameVariable> =
            self.points.get(&point).map(|it| it.values.iter().map(|(it, _)| it.clone()).collect()).unwrap_or_default();
        let config = |cause: &Cause| -> Option<Config> {
            let at = cause.iter().map(|it| variables.iter().position(|other| other == it));
            Some(Config::from_deltas(at.collect::<Option<Vec<usize>>>()?.into_iter().map(|at| Delta(at as u32))))
        };
        let known: Vec<Config> = near.iter().filter_map(config).collect();
        for start in known.into_iter().chain([Config::full(variables.len())]) {
            if self.passes_with(point, &variables, &start)? == Outcome::Fail {
                let mut refused = None;
                // What is looked for is a run that passes: that is what the search takes for the failure.
                let search = run(Ddmin::new(start, Form::Subsets, Split::Book), |config| {
                    let outcome = self.passes_with(point, &variables, config);
                    outcome.unwrap_or_else(|error| {
                        refused = Some(error);
                        Outcome::Unresolved
                    })
                });
                let least = search.best();
                return match refused {
                    Some(error) => Err(error),
                    None => Ok(Some(least.iter().map(|delta| variables[delta.0 as usize].clone()).collect())),
                };
            }
        }
        Ok(None)
    }

    fn passes_with(&mut self, point: u32, variables: &[FrameVariable], config: &Config) -> Result<Outcome, Stopped> {
        let chosen: Vec<FrameVariable> = config.iter().map(|delta| variables[delta.0 as usize].clone()).collect();
        let is_over = self.inquiry.stops.tests.is_some_and(|most| self.asked >= most)
            || self.inquiry.stops.time.is_some_and(|most| self.begin.elapsed() >= most);
        if is_over {
            return Err(Stopped::Early);
        }
        Ok(self.outcome(point, &chosen)?)
    }

    /// Runs the failing side with these variables as in the run that passes: [`Outcome::Fail`] if it passes, as that is looked for;
    /// [`Outcome::Pass`] if it fails as ever.
    fn outcome(&mut self, point: u32, variables: &[FrameVariable]) -> Result<Outcome, Refusal> {
        let values = self.points.get(&point).map(|it| &it.values[..]).unwrap_or_default();
        let values = values.iter().filter(|(it, _)| variables.contains(it)).cloned().collect();
        let text = self.inquiry.change(point, values).to_text("python");
        if let Some(outcome) = self.known.get(&text) {
            return Ok(*outcome);
        }
        let outcome = self.test(&text)?;
        self.known.insert(text, outcome);
        Ok(outcome)
    }

    fn test(&mut self, text: &str) -> Result<Outcome, Refusal> {
        let observed = self.tests.run(CHANGE, text.as_bytes())?;
        self.asked += 1;
        if !self.inquiry.quiet && self.said.elapsed() >= PROGRESS {
            self.said = Instant::now();
            view::say(&progress(self.begin.elapsed(), self.asked));
        }
        Ok(match self.inquiry.oracle.verdict(&observed).outcome {
            Outcome::Pass if observed.exit == *self.inquiry.passes => Outcome::Fail,
            Outcome::Fail => Outcome::Pass,
            _ => Outcome::Unresolved,
        })
    }

    /// Runs each change that was found once more, and puts together what is known.
    fn found(mut self, matched: usize, turns: &Turns<Cause>, stopped: bool) -> Result<CauseTransitions, Refusal> {
        let (points, without) = turns.asked();
        let tests = self.asked;
        let mut found = vec![];
        let mut confirmed = 0;
        for (before, point, cause) in turns.turns() {
            let Some(at) = self.points.get(&(point as u32)) else { continue };
            let values: Vec<(FrameVariable, String)> =
                at.values.iter().filter(|(it, _)| cause.contains(it)).cloned().collect();
            let failing = values.iter().map(|(it, _)| at.failing.get(it).cloned().unwrap_or_default()).collect();
            let change = self.inquiry.change(point as u32, values);
            confirmed += usize::from(self.test(&change.to_text("python"))? == Outcome::Fail);
            // Executions between it and the point before that are the same in both runs and were not asked about.
            let is_exact = before.is_none_or(|before| self.is_next(before, point));
            let place = self.place(point as u32);
            found.push(Turn { change, failing, place, is_exact });
        }
        let last = self.inquiry.bad.plan.events().iter().max_by_key(|it| it.time).map(|it| it.place.clone());
        let same = compared(matched, self.inquiry.bad.plan.events().len(), self.points.len());
        Ok(CauseTransitions {
            turns: found,
            last,
            compared: same,
            passing: self.inquiry.good.input.to_owned(),
            points,
            without,
            tests,
            confirmed,
            stopped,
        })
    }

    /// Returns whether no point between these two is known to differ and was left out.
    fn is_next(&self, before: usize, point: usize) -> bool {
        !self.points.keys().any(|other| (before + 1..point).contains(&(*other as usize)))
    }

    fn place(&self, before: u32) -> Option<Place> {
        let event = self.inquiry.bad.plan.events().iter().find(|it: &&Execution| it.time == before);
        event.map(|it| it.place.clone())
    }
}
