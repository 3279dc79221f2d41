//! The minimal sets that hold something of each of several sets, one after the other.
//!
//! Depth first: of the first set that is not hit yet each delta is taken in turn. Those before it are not taken
//! further down, so that nothing comes twice; a branch ends where a delta is taken in vain, because all that it hits
//! is hit by others too, so that what comes is minimal. No recursion: a walk is a value that can be cloned and gone
//! on with.

use crate::config::{Config, Delta};
use std::sync::Arc;

/// A walk over all minimal transversals.
#[derive(Clone, Debug)]
pub(super) struct Transversals {
    sets: Arc<[Config]>,
    choices: Vec<Choice>,
    begun: bool,
}

/// Of this set the delta at this position is taken.
#[derive(Clone, Copy, Debug)]
struct Choice {
    set: usize,
    position: usize,
}

impl Transversals {
    /// Returns all that hit each of these sets.
    pub(super) fn new(sets: Vec<Config>) -> Transversals {
        Transversals { sets: sets.into(), choices: vec![], begun: false }
    }

    /// Returns the next one.
    pub(super) fn next(&mut self) -> Option<Config> {
        let mut goes_on = !std::mem::replace(&mut self.begun, true) || self.advance();
        while goes_on {
            let missed = self.missed();
            goes_on = match missed {
                _ if !self.is_sound() => self.advance(),
                None => return Some(self.chosen()),
                // What is empty is hit by nothing.
                Some(set) if self.sets[set].is_empty() => self.advance(),
                Some(set) => {
                    self.choices.push(Choice { set, position: 0 });
                    true
                }
            };
        }
        None
    }

    /// Takes another delta for the last one that there is another one for.
    fn advance(&mut self) -> bool {
        while let Some(Choice { set, position }) = self.choices.last_mut() {
            *position += 1;
            if *position < self.sets[*set].len() {
                return true;
            }
            self.choices.pop();
        }
        false
    }

    fn delta(&self, choice: &Choice) -> Option<Delta> {
        self.sets[choice.set].get(choice.position)
    }

    fn chosen(&self) -> Config {
        let mut deltas: Vec<Delta> = self.choices.iter().filter_map(|choice| self.delta(choice)).collect();
        deltas.sort_unstable();
        deltas.into_iter().collect()
    }

    /// Returns the first set of which nothing is taken.
    fn missed(&self) -> Option<usize> {
        let taken: Vec<Delta> = self.choices.iter().filter_map(|choice| self.delta(choice)).collect();
        self.sets.iter().position(|set| !taken.iter().any(|delta| set.contains(*delta)))
    }

    /// Returns whether what is taken is minimal for what it hits, and would not come another time.
    fn is_sound(&self) -> bool {
        let Some((last, before)) = self.choices.split_last() else { return true };
        let Some(new) = self.delta(last) else { return true };
        let passed_over = |choice: &Choice| self.sets[choice.set].at(0..choice.position).contains(new);
        if before.iter().any(passed_over) {
            return false;
        }
        let taken: Vec<Delta> = self.choices.iter().filter_map(|choice| self.delta(choice)).collect();
        let is_alone = |delta: Delta, set: &Config| {
            set.contains(delta) && !taken.iter().any(|other| *other != delta && set.contains(*other))
        };
        taken.iter().all(|delta| self.sets.iter().any(|set| is_alone(*delta, set)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::Chance;

    fn all(sets: &[Config]) -> Vec<Config> {
        let mut walk = Transversals::new(sets.to_vec());
        std::iter::from_fn(|| walk.next()).collect()
    }

    /// Returns every subset of `0..count`, by its bits.
    fn subsets(count: u32) -> impl Iterator<Item = Config> {
        (0..1_u32 << count).map(move |bits| (0..count).filter(|at| bits >> at & 1 == 1).map(Delta).collect())
    }

    #[test]
    fn they_are_those_that_brute_force_finds_each_once() {
        let mut chance = Chance(7);
        for _ in 0..300 {
            let count = 1 + chance.below(7) as u32;
            let everything: Vec<Config> = subsets(count).collect();
            let sets: Vec<Config> =
                (0..1 + chance.below(5)).map(|_| everything[chance.below(everything.len())].clone()).collect();
            let hits = |config: &Config| sets.iter().all(|set| set.iter().any(|delta| config.contains(delta)));
            let is_minimal =
                |config: &Config| hits(config) && (0..config.len()).all(|at| !hits(&config.without(at..at + 1)));
            let mut expected: Vec<String> =
                everything.iter().filter(|config| is_minimal(config)).map(|config| format!("{config:?}")).collect();
            let mut seen: Vec<String> = all(&sets).iter().map(|config| format!("{config:?}")).collect();
            expected.sort();
            seen.sort();
            assert_eq!(seen, expected, "of {sets:?}");
        }
    }
}
