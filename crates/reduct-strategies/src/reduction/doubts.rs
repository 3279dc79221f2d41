//! What is believed to be needed, and yet asked about again.
//!
//! In a file that is no text what stands beside a part tells little of whether it can go. So where most of the little went that was
//! asked about again, twice as many parts beside it are asked about the next time, and again twice as many as long as they go: a list
//! of n parts that can all go by now takes log₂ n turns at most, and doubts in vain are about twice as many parts as went before.

use reduct_core::{Config, Delta};
use std::collections::BTreeMap;

/// By pass and level, how many parts are to be asked about that are believed to be needed.
#[derive(Clone, Debug, Default)]
pub(super) struct Doubts(BTreeMap<(usize, usize), usize>);

impl Doubts {
    /// Returns whether some parts of a level are to be asked about that are believed to be needed.
    pub(super) fn has(&self, pass: usize, level: usize) -> bool {
        self.0.contains_key(&(pass, level))
    }

    /// Notes that of so many parts of a level that were asked about so many went.
    pub(super) fn note(&mut self, pass: usize, level: usize, asked: usize, gone: usize) {
        if gone * 2 > asked {
            self.0.insert((pass, level), 2 * gone)
        } else {
            self.0.remove(&(pass, level))
        };
    }

    /// Returns the parts of a level that are believed to be needed, without those that are to be asked about nevertheless: the nearest to
    /// what is not believed.
    pub(super) fn without_doubted(&self, pass: usize, level: usize, kept: Config, parts: usize) -> Config {
        let Some(count) = self.0.get(&(pass, level)).copied().filter(|_| kept.len() < parts) else { return kept };
        let asked: Vec<u32> = Config::full(parts).minus(&kept).iter().map(|Delta(at)| at).collect();
        let distance = |Delta(at): Delta| {
            let next = asked.partition_point(|asked| *asked < at);
            let beside = asked.get(next).into_iter().chain(next.checked_sub(1).map(|last| &asked[last]));
            beside.map(|asked| asked.abs_diff(at)).min()
        };
        let mut nearest: Vec<Delta> = kept.iter().collect();
        nearest.sort_by_cached_key(|part| (distance(*part), *part));
        nearest.truncate(count);
        nearest.sort();
        kept.minus(&Config::from_deltas(nearest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(parts: impl IntoIterator<Item = u32>) -> Config {
        Config::from_deltas(parts.into_iter().map(Delta))
    }

    /// Of a list all of which can go by now, only the five parts beside what has just gone are not believed to be needed.
    #[test]
    fn a_list_that_can_go_goes_in_few_turns() {
        let (mut doubts, mut left, mut turns) = (Doubts::default(), 5000, 0);
        while left > 5 {
            let kept = doubts.without_doubted(2, 1, config(5..left), left as usize);
            let gone = left - kept.len() as u32;
            doubts.note(2, 1, gone as usize, gone as usize);
            left -= gone;
            turns += 1;
        }
        // Five at first, then three times as many each time at most: those, and twice as many as went before.
        assert!(turns <= 5000_u32.ilog2(), "{turns} turns");
    }

    #[test]
    fn the_nearest_are_doubted() {
        let mut doubts = Doubts::default();
        doubts.note(0, 0, 4, 3);
        // Six of those beside 10 and 20.
        let kept = doubts.without_doubted(0, 0, config((0..40).filter(|at| *at != 10 && *at != 20)), 40);
        let asked: Vec<u32> = Config::full(40).minus(&kept).iter().map(|Delta(at)| at).collect();
        assert_eq!(asked, [8, 9, 10, 11, 12, 19, 20, 21]);
        // Another level has its own.
        assert_eq!(doubts.without_doubted(0, 1, config(1..40), 40).len(), 39);
    }

    #[test]
    fn what_did_not_go_is_believed_again() {
        let mut doubts = Doubts::default();
        doubts.note(0, 0, 4, 3);
        doubts.note(0, 0, 10, 5);
        assert_eq!(doubts.without_doubted(0, 0, config(1..40), 40), config(1..40));
        // Where all is believed, there is nothing beside which to doubt.
        doubts.note(0, 0, 4, 4);
        assert_eq!(doubts.without_doubted(0, 0, config(0..40), 40), config(0..40));
    }
}
