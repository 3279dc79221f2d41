//! Independent changes, of which several fail together, or each by itself.

use super::searches::both_sides;
use reduct_core::Outcome::{self, Fail, Pass};
use reduct_core::{Config, DdPlus, Ddmin, Delta, Form, Question, Search, Split, run as to_end};
use reduct_input::{About, Change, Content, Touched};
use reduct_strategies::{Causes, Grain, Level, Weave, WeaveBuilder};
use std::collections::HashMap;

/// Fails if all of any of these are there.
pub(super) type Causing = Vec<Config>;

fn test(causing: &Causing, there: &Config) -> Outcome {
    if causing.iter().any(|cause| cause.is_subset(there)) { Fail } else { Pass }
}

/// Commits in a line, each of a file of its own.
pub(super) fn weave(count: usize) -> Result<Weave, String> {
    let mut builder = WeaveBuilder::new(vec![], Grain::Lines);
    for at in 0..count {
        let becomes = Some(Content::File { mode: 0o644, bytes: format!("{at}\n").into_bytes() });
        let touched = vec![Touched { path: format!("f{at:04}").into(), from: None, becomes }];
        let parents = at.checked_sub(1).into_iter().collect();
        builder.add(Change { about: About::default(), parents, touched });
    }
    builder.finish().map_err(|error| error.to_string())
}

/// Returns how many tests our search takes for all causes.
pub(super) fn ours(weave: &Weave, causing: &Causing) -> usize {
    let mut causes = Causes::new(weave.clone(), Config::empty(), &Level::ALL, 10, None);
    let mut known: HashMap<_, _> = both_sides(&causes).into_iter().collect();
    let given = known.len();
    while let Some(candidate) = causes.ask() {
        let outcome = *known.entry(candidate.key()).or_insert_with(|| {
            let text = candidate.artifact();
            let numbers = text.bytes().split(|byte| *byte == b'\n').filter_map(|line| std::str::from_utf8(line).ok());
            let there: Config = numbers.filter_map(|number| number.parse().ok().map(Delta)).collect();
            test(causing, &there)
        });
        causes.tell(outcome);
    }
    let found =
        causes.found().iter().map(|cause| cause.parts.iter().fold(Config::empty(), |all, part| all.union(part)));
    let found: Vec<Config> = found.map(|deltas| changes(causes.weave(), &deltas)).collect();
    assert_eq!(found.len(), causing.len(), "as many causes as there are");
    assert!(causing.iter().all(|cause| found.contains(cause)), "each is found as it is");
    known.len() - given
}

fn changes(weave: &Weave, deltas: &Config) -> Config {
    let changes: std::collections::BTreeSet<u32> = deltas.iter().map(|delta| weave.change_of(delta) as u32).collect();
    changes.into_iter().map(Delta).collect()
}

/// Returns how many tests ddmin and dd+ take for one of the causes.
pub(super) fn published(count: usize, causing: &Causing) -> [usize; 2] {
    let all = Config::full(count);
    let ddmin = tests(Ddmin::new(all.clone(), Form::Subsets, Split::Book), causing);
    [ddmin, tests(DdPlus::new(all, Split::Book), causing)]
}

fn tests<S: Search<Question = Config>>(search: S, causing: &Causing) -> usize {
    let mut known = HashMap::from([(search.best().key(), Fail)]);
    let end = to_end(search, |asked| *known.entry(asked.key()).or_insert_with(|| test(causing, asked)));
    assert!(causing.contains(&end.best()), "one of the causes is found");
    known.len() - 1
}
