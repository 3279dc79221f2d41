//! Many workers, simulated: all tests take one unit of time, and nothing else takes any.

use super::certified::Certified;
use super::family::List;
use reduct_core::{Memo, Repeats, Search, Speculator};

/// Returns the units of time and the tests until `search` is over on `jobs` workers.
pub(super) fn simulate(list: &List, search: Certified, jobs: usize) -> (usize, usize) {
    let mut speculator = Speculator::new(search, Memo::new(), Repeats::Remembered);
    let (mut time, mut tests) = (0, 0);
    loop {
        while speculator.retire().is_some() {}
        if speculator.is_done() {
            assert_eq!(speculator.search().best(), list.needed(), "what is needed is what is left");
            return (time, tests);
        }
        let wanted = speculator.wanted(jobs);
        time += 1;
        tests += wanted.len();
        for wanted in wanted {
            speculator.learn(wanted.key, list.test(&wanted.question));
        }
    }
}
