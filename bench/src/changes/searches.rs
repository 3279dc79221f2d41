//! Searches over groups of changes, the coarsest first, and how many tests they take.

use super::study::{At, Study};
use reduct_core::Outcome::{self, Fail, Pass, Unresolved};
use reduct_core::search::Minimiser;
use reduct_core::{Config, DdPlus, Ddmin, Delta, Form, Isolate, Key, Monotone, Order, Question, Search, Split};
use reduct_strategies::{Causes, Level};
use std::collections::HashMap;

/// A published search.
#[derive(Clone, Copy)]
pub(super) enum Way {
    /// The form of 2000, which the study used.
    Ddmin {
        monotone: bool,
    },
    DdPlus,
    Dd,
}

/// After so many tests a search is stopped: it is not what anybody would wait for.
pub(super) const MOST: usize = 10_000;

/// How many tests there were, each different one once, and how many of them were unresolved.
#[derive(Clone, Copy, Default)]
pub(super) struct Count {
    pub tests: usize,
    pub unresolved: usize,
}

/// Outcomes by question.
#[derive(Default)]
struct Tests {
    known: HashMap<Key, Outcome>,
    count: Count,
}

impl Tests {
    fn ask(&mut self, key: Key, test: impl FnOnce() -> Outcome) -> Outcome {
        let count = &mut self.count;
        *self.known.entry(key).or_insert_with(|| {
            let outcome = test();
            count.tests += 1;
            count.unresolved += usize::from(outcome == Unresolved);
            outcome
        })
    }

    fn are_too_many(&self) -> bool {
        self.count.tests >= MOST
    }
}

/// Searches groups of changes, level by level: each takes apart what the one before has left.
pub(super) fn published(study: &Study, way: Way, levels: &[Level]) -> Count {
    let (mut passing, mut failing) = (Config::empty(), study.all());
    let mut tests = Tests::default();
    // That these do so is known before anything is searched.
    tests.known.extend([(passing.key(), Pass), (failing.key(), Fail)]);
    for level in levels {
        let groups = groups(study, &failing.minus(&passing), *level);
        let changes = |asked: &Config| -> Config {
            let deltas: Config = asked.iter().flat_map(|Delta(group)| groups[group as usize].iter().copied()).collect();
            deltas.union(&passing)
        };
        let trusted = matches!(way, Way::Ddmin { monotone: true });
        let mut search = Monotone::new(way.search(Config::full(groups.len())), trusted);
        while let Some(asked) = search.ask() {
            let config = changes(&asked);
            search.tell(tests.ask(config.key(), || study.test(&config)));
            if tests.are_too_many() {
                return tests.count;
            }
        }
        failing = changes(&search.best());
        if let Minimiser::Isolate(isolate) = search.inner() {
            passing = changes(&isolate.passing());
        }
    }
    assert_eq!(failing.minus(&passing), Config::from_deltas([study.guilty]), "the guilty change is found");
    tests.count
}

impl Way {
    fn search(self, groups: Config) -> Minimiser {
        match self {
            Way::Ddmin { .. } => Minimiser::Ddmin(Ddmin::new(groups, Form::Subsets, Split::Book)),
            Way::DdPlus => Minimiser::DdPlus(DdPlus::new(groups, Split::Book)),
            Way::Dd => Minimiser::Isolate(Isolate::new(Config::empty(), groups, Order::Direct)),
        }
    }
}

/// Changes by where they are. Neighbours are together, so that groups ascend.
fn groups(study: &Study, changes: &Config, level: Level) -> Vec<Vec<Delta>> {
    let place = |at: &At, change: Delta| match level {
        Level::Folder => at.folder,
        Level::File => at.file,
        Level::Function => at.function,
        _ => change.0 as usize,
    };
    let mut groups: Vec<(usize, Vec<Delta>)> = vec![];
    for change in changes.iter() {
        let place = place(&study.places[change.0 as usize], change);
        match groups.last_mut() {
            Some((last, group)) if *last == place => group.push(change),
            _ => groups.push((place, vec![change])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// Returns our search, which sees texts and is told what builds.
pub(super) fn ours(study: &Study, levels: &[Level]) -> Result<Count, String> {
    let weave = study.weave()?;
    let mut causes = Causes::new(weave, Config::empty(), levels, 10, None);
    let mut tests = Tests::default();
    tests.known.extend(both_sides(&causes));
    while let Some(candidate) = causes.ask() {
        let outcome = tests.ask(candidate.key(), || {
            let lines = candidate.pieces().flat_map(|(_, pieces)| pieces).flat_map(Study::read);
            study.test(&lines.collect())
        });
        causes.tell(outcome);
        if tests.are_too_many() {
            return Ok(tests.count);
        }
    }
    let [cause] = causes.found() else { return Err(format!("{} causes of one", causes.found().len())) };
    let found = cause.parts.iter().fold(Config::empty(), |all, part| all.union(part));
    assert_eq!(found, Config::from_deltas([study.guilty]), "the guilty change is found");
    Ok(tests.count)
}

/// Returns what is known before a search begins.
pub(super) fn both_sides(causes: &Causes) -> Vec<(Key, Outcome)> {
    let key = |config: &Config| causes.candidate(config).map(|candidate| candidate.key());
    let (passing, failing) = causes.sides();
    [(key(&passing), Pass), (key(&failing), Fail)].into_iter().filter_map(|(key, of)| Some((key?, of))).collect()
}
