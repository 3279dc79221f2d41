//! Which values must be as in the run that passes so that the failing run passes: asked along the failing run.

use super::inputs::program;
use crate::cli::{usage, view};
use reduct_core::{Asker, Config, Ddmin, Delta, Form, Outcome, Scripted, Search, Split, Unknown};
use reduct_input::Candidate;
use reduct_lib::inquiry::{Answer, Begun, Counted, Inquiry, file_of, unless_stopped};
use reduct_lib::{Claim, Job, Refusal, ValueOptions, Why, run_once};
use reduct_oracle::signature::InputVocabulary;
use reduct_oracle::{Criterion, Oracle};
use reduct_report::confinement;
use reduct_report::turns::{self, CauseTransitions, Turn, compared};
use reduct_trace::{
    ExecutionPlan, FrameVariable, Place, ProgramState, StateChange, Turns, changed_file, differences, matching,
    read_states,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::OsString;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

/// Before so many executions at most, variables are written down in one run.
const MOST_LOOKED_AT: usize = 4096;

/// The name of the file of a change, in a test. No word of the program is taken for it.
pub(super) const CHANGE: &str = ".reduct-change.txt";

/// The listing stands in this file of the result.
pub(super) const LIST: &str = "list.txt";

/// What is over when `--tests` or `--time` ended the search.
const STOPPED_EARLY: u8 = 4;

/// Under this name, the recorded run that passes is kept.
const GOOD: &str = "good.plan.txt";

/// Under this name, the one that fails.
const BAD: &str = "bad.plan.txt";

/// Under this name, what its failure is.
const FAILURE: &str = "failure.json";

/// What was recorded.
pub(super) struct Known {
    pub(super) good: ExecutionPlan,
    pub(super) bad: ExecutionPlan,
    pub(super) failure: Criterion,
}

impl Known {
    /// Reads what a run has kept of it.
    pub(super) fn kept(begun: &Begun) -> Result<Known, Refusal> {
        let plan = |name: &str| ExecutionPlan::parse(&begun.kept(name)?).ok();
        let failure = || serde_json::from_str(&begun.kept(FAILURE)?).ok();
        let known = || Some(Known { good: plan(GOOD)?, bad: plan(BAD)?, failure: failure()? });
        known().ok_or_else(|| usage("the run was stopped before it had recorded the program", "begin again"))
    }

    /// Checks whether the program is what it was.
    pub(super) fn is_unchanged(&self, begun: &Begun) -> Result<(), Refusal> {
        match changed_file(&self.bad.about, &begun.job.folder) {
            None => Ok(()),
            Some(file) => Err(Refusal::TestChanged(begun.run().folder.clone(), file)),
        }
    }
}

/// Variables that make the failing run pass, all together.
type Cause = BTreeSet<FrameVariable>;

/// A point of the failing run: an execution, and what differs before it.
#[derive(Clone)]
struct Point {
    values: Vec<(FrameVariable, String)>,
    failing: ProgramState,
}

/// Points where values differ, by the number of the execution in the failing run.
type Points = BTreeMap<u32, Point>;

/// Returns the command that runs a program as a file says, `{}`, and these options.
pub(super) fn stepping(
    words: &[OsString],
    options: &ValueOptions,
    folder: &Path,
    more: &[OsString],
) -> Result<Vec<OsString>, Refusal> {
    let program = program(words, folder)?;
    let me = std::env::current_exe().unwrap_or_else(|_| Path::new("reduct").to_owned());
    let mut words: Vec<OsString> = vec![me.into(), "step".into(), "{}".into()];
    words.extend(more.iter().cloned());
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
}

impl<'a> Flow<'a> {
    pub(super) fn new(inquiry: Inquiry<'a>, known: Known, quiet: bool) -> Result<Flow<'a>, Refusal> {
        let matched = matching(&known.good, &known.bad);
        let Some(options) = inquiry.job().goal.values().cloned().filter(|_| !matched.is_empty()) else {
            let help = "the two inputs must be so alike that the program begins in the same way with them";
            return Err(usage("no statement execution is the same with both inputs", help));
        };
        let oracle = Oracle::new(known.failure.clone(), InputVocabulary::default()).passing_with(options.status);
        let points = Points::new();
        Ok(Flow { inquiry, options, known: Arc::new(known), matched, oracle, points, looks: 0, quiet })
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
        let observed = self.inquiry.observe(&of_change(&unchanged))?;
        if self.oracle.verdict(&observed).outcome != Outcome::Fail {
            let help = "what it does must depend on its input only: not on time, random numbers, or threads";
            return Err(usage("the program does not fail again with nothing changed", help));
        }
        Ok(())
    }

    /// Begins the run, and keeps what was recorded.
    pub(super) fn begin(&mut self, name: &str, whole: &Candidate) -> Result<(), Refusal> {
        self.inquiry.begin(name, whole, &self.known.failure)?;
        self.inquiry.keep(GOOD, &self.known.good.to_text("python"))?;
        self.inquiry.keep(BAD, &self.known.bad.to_text("python"))?;
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
        let (words, plan) =
            if is_good { (&self.options.good, &self.known.good) } else { (&self.options.bad, &self.known.bad) };
        if let Some(deepest) = plan.about.deepest {
            more.extend(["--deepest".into(), deepest.to_string().into()]);
        }
        let job = self.inquiry.job();
        let command = stepping(words, &self.options, &job.folder, &more)?;
        let job = Job { inputs: vec![numbers], command, ..job.clone() };
        view::hear(|mut audience| run_once(&job, own.path(), &mut audience))?;
        let text = std::fs::read_to_string(&to).unwrap_or_default();
        self.inquiry.keep(name, &text)?;
        Ok(read_states(&text))
    }

    /// Runs each change that was found once more, writes all, and lists it.
    fn found(mut self, turns: &Turns<Cause>, tests: u64, why: Why) -> Result<ExitCode, Refusal> {
        let (points, without) = turns.asked();
        let mut found = vec![];
        let mut confirmed = 0;
        for (before, point, cause) in turns.turns() {
            let Some(at) = self.points.get(&(point as u32)).cloned() else { continue };
            let values: Vec<(FrameVariable, String)> =
                at.values.iter().filter(|(it, _)| cause.contains(it)).cloned().collect();
            let failing = values.iter().map(|(it, _)| at.failing.get(it).cloned().unwrap_or_default()).collect();
            let change = change(&self.known, point as u32, values);
            if why != Why::Interrupted {
                let observed = self.inquiry.observe(&of_change(&change))?;
                confirmed += usize::from(self.oracle.verdict(&observed).outcome == Outcome::Pass);
            }
            // Executions between it and the point before that are the same in both runs and were not asked about.
            let is_exact = before.is_none_or(|before| self.is_next(before, point));
            let place = self.place(point as u32);
            found.push(Turn { change, failing, place, is_exact });
        }
        let last = self.known.bad.events().iter().max_by_key(|it| it.time).map(|it| it.place.clone());
        let answer = CauseTransitions {
            turns: found,
            last,
            compared: compared(self.matched.len(), self.known.bad.events().len(), self.points.len()),
            passing: PathBuf::from(&self.options.passing),
            points,
            without,
            tests,
            confirmed,
            stopped: why != Why::Done,
        };
        self.end(&answer, why)
    }

    fn end(self, answer: &CauseTransitions, why: Why) -> Result<ExitCode, Refusal> {
        let job = self.inquiry.job();
        if why != Why::Interrupted {
            write(&job.out, answer)?;
            let shown = job.out.strip_prefix(&job.folder).unwrap_or(&job.out);
            let command = super::super::trace::listed::line_of(&self.options.bad);
            let ending = turns::ResultPlace { folder: shown, command: &command };
            // Where nobody reads it, nothing is lost: it is in the folder, too.
            let _ = writeln!(stdout(), "{}", turns::listing(answer, &ending));
        }
        if why != Why::Done && !self.quiet {
            view::say(&reduct_report::to_go_on(self.inquiry.folder(), &job.folder));
        }
        let status = match why {
            Why::Done => 0,
            Why::Interrupted => view::INTERRUPTED,
            _ => STOPPED_EARLY,
        };
        let all = answer.turns.len();
        let values = answer.turns.iter().map(|turn| turn.change.values.len()).sum();
        let evidence = unless_stopped(&why, Claim::Values { turns: all, values });
        let best = file_of(CHANGE, &turns::table(answer));
        let confirmed = (why == Why::Done).then_some(answer.confirmed == all);
        self.inquiry.end(Answer { why, best, size: (values, UNIT), evidence, confirmed })?;
        Ok(ExitCode::from(status))
    }

    /// Returns whether no point between these two is known to differ and was left out.
    fn is_next(&self, before: usize, point: usize) -> bool {
        self.points.range(before as u32 + 1..point as u32).next().is_none()
    }

    fn place(&self, before: u32) -> Option<Place> {
        let event = self.known.bad.events().iter().find(|it| it.time == before);
        event.map(|it| it.place.clone())
    }
}

/// What an answer consists of.
const UNIT: &str = "values";

fn change(known: &Known, before: u32, values: Vec<(FrameVariable, String)>) -> StateChange {
    let plan = &known.bad;
    let shown = plan.events().iter().find(|it| it.time == before).map(ExecutionPlan::line).unwrap_or_default();
    StateChange { before, shown, values, about: plan.about.clone(), recorded: plan.events().len() }
}

/// Returns the file of a change, as a test finds it.
pub(super) fn of_change(change: &StateChange) -> Candidate {
    file_of(CHANGE, &change.to_text("python"))
}

/// Returns the search for the causes at these points and between them, where some are known.
fn search(
    known: &Arc<Known>,
    values: &Points,
    points: &[usize],
    turns: &Turns<Cause>,
) -> Counted<Scripted<Candidate, Turns<Cause>>> {
    let first = points.first().map_or(0, |point| *point as u32);
    let whole = of_change(&change(known, first, vec![]));
    let (known, values, points, turns) = (known.clone(), values.clone(), points.to_vec(), turns.clone());
    let search = Scripted::new(whole, move |asker| {
        let mut found = turns.clone();
        let mut asking = Asking { known: &known, values: &values, asker, outcomes: HashMap::new() };
        found.find(&points, &mut |point, near: &[Cause]| asking.cause(point as u32, near))?;
        Ok(found)
    });
    Counted::new(search, UNIT, |candidate| {
        let text = candidate.artifact();
        StateChange::parse(&String::from_utf8_lossy(text.bytes())).map_or(0, |change| change.values.len())
    })
}

/// Returns the first search of a run, if it came so far.
pub(super) fn first_search(begun: &Begun, known: Known) -> Option<Counted<Scripted<Candidate, Turns<Cause>>>> {
    let matched = matching(&known.good, &known.bad);
    let states = |side: &str| Some(read_states(&begun.kept(&format!("values-0-{side}"))?));
    let (good, mut bad) = (states("good")?, states("bad")?);
    let points = differing(&matched, &good, &mut bad);
    let at: Vec<usize> = points.keys().map(|point| *point as usize).collect();
    Some(search(&Arc::new(known), &points, &at, &Turns::default()))
}

/// Returns the points at which values differ.
fn differing(sample: &[(u32, u32)], good: &HashMap<u32, ProgramState>, bad: &mut HashMap<u32, ProgramState>) -> Points {
    let point = |(of_good, of_bad): &(u32, u32)| {
        let (good, failing) = good.get(of_good).zip(bad.remove(of_bad))?;
        let values = differences(good, &failing);
        (!values.is_empty()).then_some((*of_bad, Point { values, failing }))
    };
    sample.iter().filter_map(point).collect()
}

/// Returns the causes that are known by these outcomes, if the search was stopped there.
fn so_far(
    known: &Known,
    values: &Points,
    (points, turns): (&[usize], &Turns<Cause>),
    outcomes: &[Outcome],
) -> Turns<Cause> {
    let mut found = turns.clone();
    let mut asker = Asker::knowing(outcomes);
    let mut asking = Asking { known, values, asker: &mut asker, outcomes: HashMap::new() };
    // It ends where the outcomes do.
    let _ = found.find(points, &mut |point, near: &[Cause]| asking.cause(point as u32, near));
    found
}

/// The search, as far as it was asked.
struct Asking<'a, 'b, 'c> {
    known: &'a Known,
    values: &'a Points,
    asker: &'b mut Asker<'c, Candidate>,
    outcomes: HashMap<(u32, Cause), Outcome>,
}

impl Asking<'_, '_, '_> {
    /// Returns the fewest values, before an execution, that make the failing run pass. What was a cause nearby is tried first.
    fn cause(&mut self, point: u32, near: &[Cause]) -> Result<Option<Cause>, Unknown> {
        let variables: Vec<FrameVariable> =
            self.values.get(&point).map(|it| it.values.iter().map(|(it, _)| it.clone()).collect()).unwrap_or_default();
        let config = |cause: &Cause| -> Option<Config> {
            let at = cause.iter().map(|it| variables.iter().position(|other| other == it));
            Some(Config::from_deltas(at.collect::<Option<Vec<usize>>>()?.into_iter().map(|at| Delta(at as u32))))
        };
        let of = |config: &Config| config.iter().map(|delta| variables[delta.0 as usize].clone()).collect::<Cause>();
        let near: Vec<Config> = near.iter().filter_map(config).collect();
        for start in near.into_iter().chain([Config::full(variables.len())]) {
            if self.passes(point, of(&start))? == Outcome::Fail {
                // What is looked for is a run that passes: that is what the search takes for the failure.
                let mut search = Ddmin::new(start, Form::Subsets, Split::Book);
                while let Some(config) = search.ask() {
                    search.tell(self.passes(point, of(&config))?);
                }
                return Ok(Some(of(&search.best())));
            }
        }
        Ok(None)
    }

    /// Runs the failing side with these variables as in the run that passes: [`Outcome::Fail`] if it passes, as that is looked for;
    /// [`Outcome::Pass`] if it fails as ever.
    fn passes(&mut self, point: u32, cause: Cause) -> Result<Outcome, Unknown> {
        if let Some(outcome) = self.outcomes.get(&(point, cause.clone())) {
            return Ok(*outcome);
        }
        let values = self.values.get(&point).map(|it| &it.values[..]).unwrap_or_default();
        let outcome = self.asker.ask(|| {
            let values = values.iter().filter(|(it, _)| cause.contains(it)).cloned().collect();
            of_change(&change(self.known, point, values))
        })?;
        let outcome = match outcome {
            Outcome::Pass => Outcome::Fail,
            Outcome::Fail => Outcome::Pass,
            Outcome::Unresolved => Outcome::Unresolved,
        };
        self.outcomes.insert((point, cause), outcome);
        Ok(outcome)
    }
}

/// Writes the changes, and the listing, in place of an earlier result.
fn write(out: &Path, found: &CauseTransitions) -> Result<(), Refusal> {
    let cannot = |error| Refusal::io("write", out)(error);
    let parent = out.parent().unwrap_or(Path::new("."));
    let fresh = tempfile::Builder::new().prefix(".reduct-state-").tempdir_in(parent).map_err(cannot)?;
    for (at, turn) in found.turns.iter().enumerate() {
        std::fs::write(fresh.path().join(turns::file(at)), turn.change.to_text("python")).map_err(cannot)?;
    }
    std::fs::write(fresh.path().join(LIST), turns::table(found)).map_err(cannot)?;
    if out.is_dir() {
        std::fs::remove_dir_all(out).map_err(cannot)?;
    } else if out.exists() {
        std::fs::remove_file(out).map_err(cannot)?;
    }
    std::fs::rename(fresh.keep(), out).map_err(cannot)
}
