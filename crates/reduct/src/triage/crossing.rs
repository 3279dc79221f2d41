//! Cross-checks: whether what is left of one input is what fails in another one.
//!
//! If all that is left of A can be had of what is left of B by leaving out more, and that still fails as B does, B is
//! a larger A: its reduction only came to rest earlier. It is not looked for in the whole of B: the few tokens that are
//! left of A are to be found in nearly any input, and would merge two bugs that say the same (bench/triage.md).

use super::Bench;
use super::group::{Crossing, Failing, Grouping};
use super::inside::ways;
use crate::errors::Refusal;
use crate::work::Audience;
use reduct_circumstances::Candidate;
use reduct_core::{Config, Outcome};
use reduct_run::event::Why;
use reduct_run::executor::Observed;
use reduct_run::load::load_published;
use reduct_run::oracle::Oracle;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// Where an input is run, by place in the list.
pub type Benches<'a> = &'a dyn Fn(usize) -> Result<Bench, Refusal>;

/// Runs the experiments that are possible between groups, at most this many, and returns what they said.
/// `bench` is where one input is run; `ends` says whether somebody wants it to end.
///
/// # Errors
/// If the test cannot be run, or if it was interrupted.
pub fn cross(
    failing: &[Failing],
    most: usize,
    (bench, ends): (Benches<'_>, &dyn Fn() -> bool),
    audience: &mut Audience<'_>,
) -> Result<Vec<Crossing>, Refusal> {
    let stopped = || Refusal::Stopped("what was reduced so far is kept".into(), Why::Interrupted);
    let mut grouping = Grouping::unless(failing, ends).ok_or_else(stopped)?;
    let mut tried = BTreeSet::new();
    loop {
        let mut more: Vec<Crossing> = vec![];
        let alike = |pair: &(usize, usize)| tried.insert(*pair) && grouping.fail_alike(pair.0, pair.1);
        let left = most.saturating_sub(grouping.crossings().len());
        let ways = |(small, large): (usize, usize)| {
            ways(&failing[small].text, &failing[large].text).into_iter().map(move |way| (small, large, way))
        };
        let experiments = pairs(&grouping).into_iter().filter(alike).flat_map(ways);
        for (small, large, way) in experiments.take_while(|_| !ends()).take(left) {
            let (text, seen) = run(failing, large, &way, &bench(large)?, audience)?;
            let same = seen.is_some_and(|seen| grouping.looks_like(large, &seen, &text));
            more.push(Crossing { small, large, text, same });
            // What belongs together now has one smallest input.
            if same {
                break;
            }
        }
        let goes_on = more.last().is_some_and(|crossing| crossing.same);
        if ends() {
            return Err(stopped());
        }
        more.into_iter().for_each(|crossing| grouping.add(crossing));
        if !goes_on {
            return Ok(grouping.crossings().to_vec());
        }
    }
}

/// The smallest inputs of any two groups, the smaller one first; only what was reduced says something.
fn pairs(grouping: &Grouping<'_>) -> Vec<(usize, usize)> {
    let mut smallest: Vec<usize> = grouping.groups().iter().map(|group| group.members[0]).collect();
    smallest.retain(|at| grouping.is_reduced(*at));
    let smallest: Vec<usize> = grouping.order().iter().copied().filter(|at| smallest.contains(at)).collect();
    let pair = |(place, small): (usize, &usize)| {
        let small = *small;
        smallest[place + 1..].iter().map(move |large| (small, *large)).collect::<Vec<_>>()
    };
    smallest.iter().enumerate().flat_map(pair).collect()
}

/// Leaves out of the larger one all but what the smaller one is made of, and runs that. Returns what was left, and what
/// was seen if it fails as the larger one does.
fn run(
    failing: &[Failing],
    large: usize,
    way: &[Range<u32>],
    bench: &Bench,
    audience: &mut Audience<'_>,
) -> Result<(Vec<u8>, Option<Observed>), Refusal> {
    let there = Arc::new(load_published(&bench.job.out, bench.job.subject()?.as_deref())?);
    let all = Config::full(there.entries().len());
    let kept = Config::from_ranges(way.iter().cloned());
    let candidate = Candidate::new(there, all, kept.clone(), kept.len());
    let piece = |at: &Range<u32>| failing[large].text[at.start as usize..at.end as usize].to_vec();
    let text: Vec<u8> = way.iter().flat_map(piece).collect();
    let seen = bench.observe(&candidate, audience)?;
    let fails = bench
        .reading()
        .is_some_and(|reading| Oracle::new(reading, bench.words.clone()).verdict(&seen).outcome == Outcome::Fail);
    Ok((text, fails.then_some(seen)))
}
