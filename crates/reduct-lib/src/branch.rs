//! The branches of a run. A search that goes on from a step begins again, with what is left at that step; what the
//! journal knows is known to it too. The numbers of steps and of questions that a branch came to are those of a walk
//! through it, so a branch is walked through only as far as it went when the next one was begun.

use crate::errors::Refusal;
use crate::history::passed::{Branch, Passed};
use crate::history::refused::HistoryError;
use crate::problem::Problem;
use crate::runs::Run;
use crate::walk::{Accepted, Walk, Walked};
use reduct_core::{Key, Question};
use reduct_input::{Artifact, Candidate, Extract, FirstPlaces, Lineage};
use reduct_session::journal::JournalRecord;
use reduct_strategies::Branched;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The branches of a run, as far as they were walked through.
pub(crate) struct Branches<'a, P> {
    problem: &'a P,
    run: &'a Run,
    parts: Vec<Recorded<'a>>,
    /// The steps that are to be remembered, and what they are.
    wanted: BTreeSet<usize>,
    points: BTreeMap<usize, Point>,
    /// The smallest that branches have come to in which everything may go, by the record that they are of.
    least: BTreeMap<u32, Candidate>,
}

/// What a journal says of a branch.
struct Recorded<'a> {
    begin: Begin,
    /// All records up to its end, those of earlier branches too.
    records: &'a [JournalRecord],
    /// How many of its questions belong to it.
    asked: Option<u64>,
}

/// How a branch begins.
#[derive(Clone)]
struct Begin {
    from: usize,
    key: Option<Key>,
    never: Vec<usize>,
    steps: usize,
    /// The number of the record of executions that it begins with, if it is another one than that of the step.
    record: Option<u32>,
}

/// A step that others go back to.
#[derive(Clone)]
struct Point {
    artifact: Arc<Artifact>,
    key: Key,
    /// Where it stood in the whole input.
    origin: FirstPlaces,
    /// What of the whole input went with it.
    taken: Extract,
}

/// Returns the branches that a journal has.
fn recorded(records: &[JournalRecord]) -> Vec<Recorded<'_>> {
    let mut begin = Begin { from: 0, key: None, never: vec![], steps: 0, record: None };
    let mut parts = vec![];
    for (at, record) in records.iter().enumerate() {
        if let JournalRecord::Branch { from, k, never, steps, asked, record } = record {
            let (never, record) = (never.clone(), *record);
            let next = Begin { from: *from, key: Some(*k), never, steps: *steps, record };
            let begin = std::mem::replace(&mut begin, next);
            parts.push(Recorded { begin, records: &records[..at], asked: Some(*asked) });
        }
    }
    parts.push(Recorded { begin, records, asked: None });
    parts
}

/// Returns the numbers of the deeper records of executions that the branch has come through that a run is in.
pub(crate) fn records_of_executions(records: &[JournalRecord]) -> Vec<u32> {
    // By how many steps there were before a branch.
    let mut branches: Vec<(usize, Vec<u32>)> = vec![(0, vec![])];
    for Recorded { begin: Begin { from, steps, record, .. }, .. } in recorded(records).into_iter().skip(1) {
        let of = branches.iter().rfind(|(before, _)| *before < from || record.is_some()).or(branches.first());
        let mut all = of.map_or(vec![], |(_, all)| all.clone());
        all.extend(record);
        branches.push((steps, all));
    }
    branches.pop().map_or(vec![], |(_, all)| all)
}

/// Returns the search of the branch that a run is in, at its beginning.
///
/// # Errors
/// If the step that it begins from cannot be found again.
pub(crate) fn search<P: Problem>(
    problem: &P,
    records: &[JournalRecord],
    run: &Run,
) -> Result<Branched<P::Search>, Refusal> {
    let mut branches = Branches::of(problem, records, run);
    let last = branches.parts.len() - 1;
    for number in 0..last {
        branches.walk(number, &mut |_| {})?;
    }
    branches.begin(last)
}

/// Returns a walk through the branch that a run is in.
///
/// # Errors
/// If the step that it begins from cannot be found again.
pub(crate) fn walk<P: Problem>(
    problem: &P,
    records: &[JournalRecord],
    run: &Run,
) -> Result<Walked<Branched<P::Search>>, Refusal> {
    let steps = recorded(records).pop().map_or(0, |last| last.begin.steps);
    Ok(Walked::new(search(problem, records, run)?, problem.job(), records, run).numbered_after(steps))
}

/// Walks through all branches.
///
/// # Errors
/// If the step that one begins from cannot be found again.
pub(crate) fn visit<P: Problem>(
    problem: &P,
    records: &[JournalRecord],
    run: &Run,
    visit: &mut dyn FnMut(Passed<'_>),
) -> Result<(), Refusal> {
    let mut branches = Branches::of(problem, records, run);
    (0..branches.parts.len()).try_for_each(|number| branches.walk(number, visit).map(|_| ()))
}

/// Returns the record of a new branch that begins from a step and never makes the edits of others.
///
/// # Errors
/// If the run has no such steps, or cannot go on from them.
pub(crate) fn fork<P: Problem>(
    problem: &P,
    records: &[JournalRecord],
    run: &Run,
    (from, never): (usize, &[usize]),
) -> Result<JournalRecord, Refusal> {
    if !problem.job().cache {
        return Err(HistoryError::NotRemembered.into());
    }
    if problem.search_from(problem.whole().artifact()).is_none() {
        return Err(HistoryError::NoReduction.into());
    }
    let mut branches = Branches::of(problem, records, run);
    branches.wanted.extend(never.iter().copied().chain([from]));
    let mut reached = (0, 0);
    for number in 0..branches.parts.len() {
        reached = branches.walk(number, &mut |_| {})?;
    }
    let (steps, asked) = reached;
    let point = |number: usize| branches.points.get(&number).ok_or(HistoryError::NoStep { number, steps });
    let begin = point(from)?;
    for number in never {
        let is_other = branches.record_at(*number) != branches.record_at(from);
        if *number == 0 || is_other || begin.origin.now(&point(*number)?.taken).is_empty() {
            return Err(HistoryError::NothingStays { never: *number, from }.into());
        }
    }
    let mut all: BTreeSet<usize> = branches.never_at(from).iter().copied().collect();
    all.extend(never);
    Ok(JournalRecord::Branch { from, k: begin.key, never: all.into_iter().collect(), steps, asked, record: None })
}

/// Returns the record of a new branch that goes on from the last step with a deeper record of the executions that are left: `begin`, which
/// is kept in the folder of the run.
///
/// # Errors
/// If the run cannot go on from its steps, or the deeper record cannot be kept.
pub(crate) fn deeper<P: Problem>(
    problem: &P,
    records: &[JournalRecord],
    run: &Run,
    (record, begin): (u32, &Artifact),
) -> Result<JournalRecord, Refusal> {
    if !problem.job().cache {
        return Err(HistoryError::NotRemembered.into());
    }
    let mut branches = Branches::of(problem, records, run);
    let mut reached = (0, 0);
    for number in 0..branches.parts.len() {
        reached = branches.walk(number, &mut |_| {})?;
    }
    let (from, asked) = reached;
    let whole = Candidate::whole(begin.clone().into());
    run.keep_record(record, &whole)?;
    Ok(JournalRecord::Branch { from, k: whole.key(), never: vec![], steps: from, asked, record: Some(record) })
}

impl<'a, P: Problem> Branches<'a, P> {
    fn of(problem: &'a P, records: &'a [JournalRecord], run: &'a Run) -> Branches<'a, P> {
        let parts = recorded(records);
        let begins = parts.iter().skip(1).map(|part| &part.begin);
        let wanted = begins.flat_map(|begin| begin.never.iter().copied().chain([begin.from])).collect();
        Branches { problem, run, parts, wanted, points: BTreeMap::new(), least: BTreeMap::new() }
    }

    /// Returns the number of the record of executions that a step is of; 1 is what the run began with.
    fn record_at(&self, step: usize) -> u32 {
        let of = self.parts.iter().rposition(|part| part.begin.steps < step);
        of.map_or(1, |number| self.record_of(number))
    }

    /// Returns the number of the record of executions that a branch is of.
    fn record_of(&self, number: usize) -> u32 {
        let begin = &self.parts[number].begin;
        match begin.record {
            Some(record) => record,
            // It begins from a step of a branch before it.
            None if number > 0 => self.record_at(begin.from),
            None => 1,
        }
    }

    /// Returns what never goes in the branch of a step.
    fn never_at(&self, step: usize) -> &[usize] {
        let of = self.parts.iter().rev().find(|part| part.begin.steps < step.max(1));
        of.map_or(&[], |part| &part.begin.never[..])
    }

    fn otherwise(&self) -> Refusal {
        HistoryError::Otherwise { run: self.run.folder.clone() }.into()
    }

    /// Returns the search of a branch, at its beginning. All branches before it were walked through.
    fn begin(&self, number: usize) -> Result<Branched<P::Search>, Refusal> {
        let begin = &self.parts[number].begin;
        if number == 0 {
            return Ok(Branched::plain(self.problem.search()?));
        }
        let from = |artifact: &Artifact| match self.problem.search_from(artifact.clone()) {
            Some(search) => search,
            None => Err(HistoryError::NoReduction.into()),
        };
        if let Some(record) = begin.record {
            let artifact = self.run.record(record)?;
            let whole = Candidate::whole(artifact.into());
            return match Some(whole.key()) == begin.key {
                true => Ok(Branched::plain(from(&whole.artifact())?)),
                false => Err(self.otherwise()),
            };
        }
        let point = self.points.get(&begin.from).filter(|point| Some(point.key) == begin.key);
        let point = point.ok_or_else(|| self.otherwise())?;
        let mut stays = Extract::nothing();
        for never in &begin.never {
            stays = stays.union(&self.points.get(never).ok_or_else(|| self.otherwise())?.taken);
        }
        let (artifact, origin) = (point.artifact.clone(), point.origin.clone());
        let branched = Branched::keeping(from(&artifact)?, artifact, origin, stays);
        match self.least.get(&self.record_of(number)) {
            Some(least) if begin.never.is_empty() => Ok(branched.or_else(from(&least.artifact())?)),
            _ => Ok(branched),
        }
    }

    /// Walks through a branch, and says how many steps there are now and how many questions it has retired.
    fn walk(&mut self, number: usize, visit: &mut dyn FnMut(Passed<'_>)) -> Result<(usize, u64), Refusal> {
        let search = self.begin(number)?;
        let Recorded { begin, records, asked } = &self.parts[number];
        let (begin, asked) = (begin.clone(), *asked);
        let mut walk = Walked::new(search, self.problem.job(), records, self.run).numbered_after(begin.steps);
        let (whole, size) = walk.best();
        let begins_from_a_step = number > 0 && begin.record.is_none();
        let origin = match self.points.get(&begin.from).filter(|_| begins_from_a_step) {
            Some(point) => point.origin.clone(),
            None => FirstPlaces::first(whole.base()),
        };
        let mut trail = Trail { lineage: Lineage::new(whole.base().clone(), origin), last: whole.clone() };
        if number == 0 && self.wanted.contains(&0) {
            self.points.insert(0, trail.begin().ok_or_else(|| self.otherwise())?);
        }
        let unit = walk.unit();
        let (from, never, record) = (begin.from, begin.never.clone(), begin.record);
        visit(Passed::Branch(&Branch { number, from, never, begin: whole, size, unit, record }));
        let (mut steps, mut retired) = (begin.steps, 0);
        while asked.is_none_or(|asked| retired < asked) {
            let Some(step) = walk.next() else { break };
            retired = step.n;
            if !self.wanted.is_empty() {
                trail.note(&step.candidate, step.outcome == reduct_core::Outcome::Fail);
            }
            if let Some(accepted) = &step.accepted {
                steps = accepted.number;
                let point = trail.go_on(accepted, self.wanted.contains(&steps));
                self.points.extend(point.map(|point| (steps, point)));
            }
            visit(Passed::Test(&step));
        }
        let (best, _) = walk.best();
        if begin.never.is_empty() && !self.problem.job().repeat {
            let record = self.record_of(number);
            if self.least.get(&record).is_none_or(|least| best.len() < least.len()) {
                self.least.insert(record, best);
            }
        }
        Ok((steps, retired))
    }
}

/// Where a walk is.
struct Trail {
    lineage: Lineage,
    last: Candidate,
}

impl Trail {
    fn note(&mut self, candidate: &Candidate, fails: bool) {
        if fails {
            self.lineage.note(candidate);
        }
    }

    /// Returns the point at which the walk begins.
    fn begin(&mut self) -> Option<Point> {
        let origin = self.lineage.of(&self.last)?.through(&self.last);
        Some(Point {
            artifact: Arc::new(self.last.artifact()),
            key: self.last.key(),
            origin,
            taken: Extract::nothing(),
        })
    }

    /// Goes on to a step, and returns what it is if that is wanted and known.
    fn go_on(&mut self, accepted: &Accepted, is_wanted: bool) -> Option<Point> {
        let before = std::mem::replace(&mut self.last, accepted.best.clone());
        if !is_wanted {
            return None;
        }
        let before = self.lineage.of(&before)?.through(&before);
        let point = self.begin()?;
        let taken = before.left().minus(&point.origin.left());
        Some(Point { taken, ..point })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_branch_has_the_records_of_executions_that_it_has_come_through() {
        let branch =
            |from, steps, record| JournalRecord::Branch { from, k: Key(1), never: vec![], steps, asked: 9, record };
        let mut records = vec![];
        assert!(records_of_executions(&records).is_empty());
        records.extend([branch(4, 4, Some(2)), branch(7, 7, Some(3))]);
        assert_eq!(records_of_executions(&records), [2, 3]);
        // Back to a step of the second record, and of the first.
        records.push(branch(6, 9, None));
        assert_eq!(records_of_executions(&records), [2]);
        records.push(branch(2, 11, None));
        assert!(records_of_executions(&records).is_empty());
        records.push(branch(12, 12, Some(4)));
        assert_eq!(records_of_executions(&records), [4]);
    }
}
