//! What every search promises, as a test kit. The tests of each search call it.
//!
//! The laws, for a search and an oracle:
//! 1. asked twice, a search asks the same; cloned and told alike, two copies ask alike;
//! 2. `best` fails, always;
//! 3. the search ends within its bound;
//! 4. for any number of jobs and any order of arrival, the sequence of questions and outcomes and the
//!    result are the sequential ones;
//! 5. cut off anywhere and resumed with the outcomes so far, both hold, and nothing known is run;
//! 6. where promised, no single delta can go from the result.

use crate::config::Config;
use crate::memo::Memo;
use crate::outcome::Outcome;
use crate::question::{Key, Question};
use crate::search::Search;
use crate::speculate::{Repeats, Speculator};

/// A question's digest and its outcome, in the order in which a search took them.
pub type Transcript = Vec<(Key, Outcome)>;

/// Returns the sequential run of a search, checked for laws 1 to 3.
///
/// # Panics
/// If a law is broken.
pub fn sequential<S: Search>(start: S, oracle: impl Fn(&S::Question) -> Outcome, bound: usize) -> (S, Transcript) {
    let (mut search, mut twin) = (start.clone(), start);
    let mut transcript = vec![];
    while let Some(question) = search.ask() {
        let key = question.key();
        assert_eq!(search.ask().map(|again| again.key()), Some(key), "asked twice, it asks the same");
        assert_eq!(twin.clone().ask().map(|again| again.key()), Some(key), "told alike, it asks alike");
        assert!(transcript.len() < bound, "it ends within {bound} questions");
        let outcome = oracle(&question);
        transcript.push((key, outcome));
        search.tell(outcome);
        twin.tell(outcome);
        assert_eq!(oracle(&search.best()), Outcome::Fail, "the best always fails");
    }
    (search, transcript)
}

/// Runs a search with `jobs` workers whose tests end in an order made from `seed`, and returns what
/// it retired, what it ended at, and how many tests were run.
pub fn parallel<S: Search>(
    search: S,
    memo: Memo,
    repeats: Repeats,
    oracle: impl Fn(&S::Question) -> Outcome,
    jobs: usize,
    seed: u64,
    stop_after: usize,
) -> (Speculator<S>, Transcript, usize) {
    let mut chance = Chance(seed);
    let mut speculator = Speculator::new(search, memo, repeats);
    let (mut transcript, mut runs) = (vec![], 0);
    let mut running: Vec<(Key, Outcome)> = vec![];
    loop {
        while transcript.len() < stop_after {
            let Some(retired) = speculator.retire() else { break };
            assert_eq!(retired.n as usize, transcript.len() + 1, "questions are numbered in sequence");
            transcript.push((retired.question.key(), retired.outcome));
        }
        if speculator.is_done() || transcript.len() >= stop_after {
            return (speculator, transcript, runs);
        }
        let wanted = speculator.wanted(jobs);
        assert!(!wanted.is_empty(), "a search that is not over wants something");
        running.retain(|(key, _)| wanted.iter().any(|w| w.key == *key));
        for wanted in wanted {
            if running.iter().all(|(key, _)| *key != wanted.key) {
                running.push((wanted.key, oracle(&wanted.question)));
                runs += 1;
            }
        }
        let (key, outcome) = running.swap_remove(chance.below(running.len()));
        speculator.learn(key, outcome);
    }
}

/// Checks laws 1 to 5, at 1, 2, 7 and 32 jobs, each cut at another place, with repeats remembered and run
/// again. Returns the result.
///
/// # Panics
/// If a law is broken.
pub fn check<S: Search>(start: S, oracle: impl Fn(&S::Question) -> Outcome, bound: usize) -> S {
    let (end, expected) = sequential(start.clone(), &oracle, bound);
    let best = end.best().key();
    let distinct = {
        let mut keys: Vec<Key> = expected.iter().map(|(key, _)| *key).collect();
        keys.sort_unstable();
        keys.dedup();
        keys.len()
    };
    // A cut costs two runs, so each number of jobs has a place of its own to be cut at.
    let last = expected.len().saturating_sub(1);
    let each = [(1, 1), (2, expected.len() / 3), (7, last), (32, expected.len() / 2)];
    for (repeats, each) in [(Repeats::Remembered, &each[..]), (Repeats::RunAgain, &each[..3])] {
        for &(jobs, cut) in each {
            let seed = jobs as u64 * 7919 + expected.len() as u64;
            let (full, transcript, runs) =
                parallel(start.clone(), Memo::new(), repeats, &oracle, jobs, seed, usize::MAX);
            assert_eq!(transcript, expected, "{jobs} jobs, {repeats:?}: the sequence is the sequential one");
            assert_eq!(full.search().best().key(), best, "{jobs} jobs: the result is the sequential one");
            if jobs == 1 {
                let needed = if repeats == Repeats::Remembered { distinct } else { expected.len() };
                assert_eq!(runs, needed, "{repeats:?}: one worker runs what is needed and no more");
            }
            let (stopped, _, ran_before) = parallel(start.clone(), Memo::new(), repeats, &oracle, jobs, seed, cut);
            let known = stopped.into_memo();
            let (resumed, again, ran_after) =
                parallel(start.clone(), known, repeats, &oracle, jobs, seed + 1, usize::MAX);
            assert_eq!(again, expected, "cut at {cut} and resumed: the sequence is the same");
            assert_eq!(resumed.search().best().key(), best, "cut at {cut} and resumed: so is the result");
            if jobs == 1 {
                assert_eq!(ran_before + ran_after, runs, "cut at {cut} and resumed: nothing known is run");
            }
        }
    }
    end
}

/// Checks law 6: without any single delta, `config` does not fail.
///
/// # Panics
/// If one can go.
pub fn assert_one_minimal(config: &Config, oracle: impl Fn(&Config) -> Outcome) {
    assert_eq!(oracle(config), Outcome::Fail, "the result fails");
    for position in 0..config.len() {
        let smaller = config.without(position..position + 1);
        assert_ne!(oracle(&smaller), Outcome::Fail, "{config:?} is 1-minimal, but {smaller:?} fails");
    }
}

/// A seeded source of numbers, so that a broken law can be seen again.
#[derive(Clone, Debug)]
pub struct Chance(pub u64);

impl Chance {
    /// Returns the next number (splitmix64).
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number below `limit`, which must not be 0.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.number() % limit as u64) as usize
    }
}
