//! The search for causes among the values of the failing run, and for the executions where they change.

use super::known::Known;
use reduct_core::{Asker, Config, Ddmin, Delta, Form, Outcome, Scripted, Search, Split, Unknown};
use reduct_input::Candidate;
use reduct_lib::inquiry::{Begun, Counted, file_of};
use reduct_report::inquiries::VALUES;
use reduct_trace::{
    ExecutionPlan, FrameVariable, ProgramState, StateChange, Turns, differences, matching, read_states,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// The name of the file of a change, in a test. No word of the program is taken for it.
pub(super) const CHANGE: &str = ".reduct-change.txt";

/// Variables that make the failing run pass, all together.
pub(super) type Cause = BTreeSet<FrameVariable>;

/// A point of the failing run: an execution, and what differs before it.
#[derive(Clone)]
pub(super) struct Point {
    pub(super) values: Vec<(FrameVariable, String)>,
    pub(super) failing: ProgramState,
}

/// Points where values differ, by the number of the execution in the failing run.
pub(super) type Points = BTreeMap<u32, Point>;

/// Returns the change that gives variables these values before an execution.
pub(super) fn change(known: &Known, before: u32, values: Vec<(FrameVariable, String)>) -> StateChange {
    let plan = &known.bad;
    let shown = plan.events().iter().find(|it| it.time == before).map(ExecutionPlan::line).unwrap_or_default();
    StateChange { before, shown, values, about: plan.about.clone(), recorded: plan.events().len() }
}

/// Returns the file of a change, as a test finds it.
pub(super) fn of_change(known: &Known, change: &StateChange) -> Candidate {
    file_of(CHANGE, &change.to_text(&known.language))
}

/// Returns the search for the causes at these points and between them, where some are known.
pub(super) fn search(
    known: &Arc<Known>,
    values: &Points,
    points: &[usize],
    turns: &Turns<Cause>,
) -> Counted<Scripted<Candidate, Turns<Cause>>> {
    let first = points.first().map_or(0, |point| *point as u32);
    let whole = of_change(known, &change(known, first, vec![]));
    let (known, values, points, turns) = (known.clone(), values.clone(), points.to_vec(), turns.clone());
    let search = Scripted::new(whole, move |asker| {
        let mut found = turns.clone();
        let mut asking = Asking { known: &known, values: &values, asker, outcomes: HashMap::new() };
        found.find(&points, &mut |point, near: &[Cause]| asking.cause(point as u32, near))?;
        Ok(found)
    });
    Counted::new(search, VALUES, |candidate| {
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
pub(super) fn differing(
    sample: &[(u32, u32)],
    good: &HashMap<u32, ProgramState>,
    bad: &mut HashMap<u32, ProgramState>,
) -> Points {
    let point = |(of_good, of_bad): &(u32, u32)| {
        let (good, failing) = good.get(of_good).zip(bad.remove(of_bad))?;
        let values = differences(good, &failing);
        (!values.is_empty()).then_some((*of_bad, Point { values, failing }))
    };
    sample.iter().filter_map(point).collect()
}

/// Returns the causes that are known by these outcomes, if the search was stopped there.
pub(super) fn so_far(
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
            of_change(self.known, &change(self.known, point, values))
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
