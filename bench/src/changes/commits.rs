//! A line of commits, one of which is to blame: our bisection beside that of git.

use reduct_core::Outcome::{self, Fail, Pass, Unresolved};
use reduct_core::laws::Chance;
use reduct_core::{Bisect, Config, Search, run as to_end};
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// A history, of which the last commit is known to fail, and what was before the first to pass.
pub(super) struct Line {
    pub commits: usize,
    /// The first that fails.
    pub guilty: usize,
    pub broken: BTreeSet<usize>,
}

/// What cannot be built.
#[derive(Clone, Copy)]
pub(super) enum Broken {
    Nothing,
    /// So many in a row, somewhere.
    Region(usize),
    /// So many of a hundred, anywhere.
    Scattered(usize),
}

/// How many builds there were, and how many commits are left of which each may be the first that fails.
#[derive(Clone, Copy)]
pub(super) struct Builds {
    pub builds: usize,
    pub left: usize,
}

impl Line {
    pub(super) fn new(chance: &mut Chance, commits: usize, broken: Broken) -> Line {
        let last = commits - 1;
        let broken = match broken {
            Broken::Nothing => BTreeSet::new(),
            Broken::Region(length) => {
                let start = chance.below(last - length);
                (start..start + length).collect()
            }
            Broken::Scattered(share) => (0..last).filter(|_| chance.below(100) < share).collect(),
        };
        Line { commits, guilty: chance.below(commits), broken }
    }

    fn test(&self, commit: usize) -> Outcome {
        match commit {
            commit if self.broken.contains(&commit) => Unresolved,
            commit if commit >= self.guilty => Fail,
            _ => Pass,
        }
    }

    pub(super) fn ours(&self) -> Builds {
        let upto: Arc<[Config]> = (1..=self.commits).map(Config::full).collect();
        let mut builds = 0;
        let end = to_end(Bisect::new(upto, Config::empty(), Config::full(self.commits)), |question| {
            builds += 1;
            self.test(question.len() - 1)
        });
        let left = end.best().len() - end.passing().len();
        assert!((end.passing().len()..end.best().len()).contains(&self.guilty), "what is left holds the guilty one");
        Builds { builds, left }
    }

    /// Counts what `git bisect run` takes with a script that exits with 125 on what does not build, as its `bisect.c` chooses:
    /// the commit that halves the suspects, and once some are skipped and it is among them, one drawn by a
    /// generator that is biased towards the better ones.
    pub(super) fn git(&self, seed: u64) -> Builds {
        let (mut suspects, mut skipped, mut builds) = (0..self.commits, BTreeSet::new(), 0);
        loop {
            let next = git_chooses(&suspects, &skipped, seed);
            if next + 1 == suspects.end {
                let left = if skipped.iter().any(|commit| suspects.contains(commit)) { suspects.len() } else { 1 };
                assert!(suspects.contains(&self.guilty), "what is left holds the guilty one");
                return Builds { builds, left };
            }
            builds += 1;
            match self.test(next) {
                Unresolved => drop(skipped.insert(next)),
                Fail => suspects.end = next + 1,
                Pass => suspects.start = next + 1,
            }
        }
    }
}

fn git_chooses(suspects: &Range<usize>, skipped: &BTreeSet<usize>, seed: u64) -> usize {
    let parts = |commit: &usize| (commit + 1 - suspects.start).min(suspects.end - 1 - commit);
    let mut order: Vec<usize> = suspects.clone().collect();
    // Of commits that part alike, git takes them by their hashes.
    order.sort_by_key(|commit| (Reverse(parts(commit)), Chance(seed ^ *commit as u64).number()));
    let first_is_skipped = order.first().is_some_and(|commit| skipped.contains(commit));
    order.retain(|commit| !skipped.contains(commit));
    let at = if first_is_skipped { away(order.len()) } else { 0 };
    let is_last = |at: usize| order[at] + 1 == suspects.end;
    // The last is known to fail.
    if is_last(at) { order[at.saturating_sub(1)] } else { order[at] }
}

/// Does what `skip_away` of git does.
fn away(count: usize) -> usize {
    const MODULO: usize = 32768;
    let drawn = ((count as u32).wrapping_mul(1_103_515_245).wrapping_add(12345) / 65536) as usize % MODULO;
    (count * drawn / MODULO) * drawn.isqrt() / MODULO.isqrt()
}
