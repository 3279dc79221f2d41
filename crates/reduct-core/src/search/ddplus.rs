//! dd+: which changes are to blame, together, where many combinations of them cannot be tested.
//!
//! Zeller, *Yesterday, my program worked. Today, it does not. Why?*, ESEC/FSE 1999: the ancestor of ddmin and
//! dd. `dd+(C) = dd3(C, ∅, 2)`. `dd3(C', R, n)` looks in C' for what fails while R stays applied. With C' cut
//! into n parts Cᵢ of about equal size and C̄ᵢ = C' ∖ Cᵢ, the first case that holds:
//!
//! * *found*: C' is a single change, which is the result
//! * *found in Cᵢ*: Cᵢ ∪ R fails: dd3(Cᵢ, R, 2)
//! * *interference*: Cᵢ ∪ R and C̄ᵢ ∪ R pass: what is to blame is in both, so each is searched with the other
//!   applied: dd3(Cᵢ, C̄ᵢ ∪ R, 2) ∪ dd3(C̄ᵢ, Cᵢ ∪ R, 2)
//! * *preference*: Cᵢ ∪ R is unresolved, C̄ᵢ ∪ R passes: dd3(Cᵢ, C̄ᵢ ∪ R, 2)
//! * *try again*, if n < |C'|: parts without which it fails go, parts that pass stay applied, and the rest is
//!   cut into twice as many: dd3(C'', R'', min(2n, |C''|)), C'' = C' ∩ ⋂{C̄ᵢ | C̄ᵢ ∪ R fails},
//!   R'' = R ∪ ⋃{Cᵢ | Cᵢ ∪ R passes}
//! * *nothing left*: C' is the result
//!
//! If the test is monotone and unambiguous (what contains something failing fails, and what two failing sets
//! have in common fails) the result is the one smallest set that fails, and k interfering changes take at most
//! 2·k·⌈log₂ n⌉ questions as long as nothing is unresolved. Else it may not even fail: R grows by what passed
//! apart, never together. It is not 1-minimal either. At most 3n² questions.
//!
//! The parts are asked about first, then the complements, which at n = 2 are the parts again. One question is
//! not the paper's, the last: whether what was found fails by itself.

use super::Search;
use crate::config::{Config, Delta};
use crate::outcome::Outcome::{self, Fail, Pass, Unresolved};
use crate::split::{Borders, Split};
use std::sync::Arc;

/// A run of dd+, paused before one test.
#[derive(Clone, Debug)]
pub struct DdPlus {
    now: Now,
    /// The calls of dd3 that are still to be made, the next one last: C' and R of each.
    todo: Arc<[(Config, Config)]>,
    found: Config,
    best: Config,
    split: Split,
}

#[derive(Clone, Debug)]
enum Now {
    Within(Call),
    /// Whether what was found fails by itself.
    Last,
    Over,
}

/// One call of dd3. Turns `0..n` test the parts, turns `n..2n` the complements.
#[derive(Clone, Debug)]
struct Call {
    changes: Config,
    applied: Config,
    n: usize,
    borders: Borders,
    turn: usize,
    /// The numbers of the parts that passed. No other part failed, once complements are asked about.
    passed: Config,
    /// The numbers of the parts without which it fails.
    dispensable: Config,
    /// The first part that is unresolved and whose complement passed.
    preferred: Option<usize>,
}

impl DdPlus {
    /// Looks for what is to blame in `config`, which fails, where nothing at all passes.
    ///
    /// ```
    /// use reduct_core::{Config, Delta, Split, DdPlus, Outcome, Search, run};
    ///
    /// let fails = |config: &Config| Outcome::from(config.contains(Delta(2)) && config.contains(Delta(5)));
    /// let search = run(DdPlus::new(Config::full(8), Split::Book), fails);
    /// assert_eq!(search.best(), Config::from_deltas([Delta(2), Delta(5)]));
    /// ```
    pub fn new(config: Config, split: Split) -> DdPlus {
        let (empty, todo) = (Config::empty(), [(config.clone(), Config::empty())].into());
        DdPlus { now: Now::Over, todo, found: empty, best: config, split }.go_on()
    }

    /// Returns what is to blame, as far as is known: in the end the paper's result, changes that are relevant together.
    /// Whether they fail by themselves, the last question says; if so, they are [`Search::best`], which is else the
    /// smallest that failed: the last part that was found, with what was applied then.
    pub fn found(&self) -> &Config {
        &self.found
    }

    /// Makes the next call that has anything to ask.
    fn go_on(mut self) -> DdPlus {
        while let Some(((changes, applied), rest)) = self.todo.split_last() {
            if changes.len() > 1 {
                let call = Call::new(changes.clone(), applied.clone(), 2, &self.split);
                let todo = rest.into();
                return DdPlus { now: Now::Within(call), todo, ..self };
            }
            self.found = self.found.union(changes);
            self.todo = rest.into();
        }
        // What is not smaller than the best need not be known to fail.
        let is_open = !self.found.is_empty() && self.found.len() < self.best.len();
        DdPlus { now: if is_open { Now::Last } else { Now::Over }, ..self }
    }

    /// Makes these calls next.
    fn call(mut self, calls: impl IntoIterator<Item = (Config, Config)>) -> DdPlus {
        self.todo = self.todo.iter().cloned().chain(calls).collect();
        self.go_on()
    }

    /// Returns the end of a call in which no part failed and no two interfered.
    fn undecided(self, call: &Call) -> DdPlus {
        let len = call.changes.len();
        if let Some(part) = call.preferred {
            return self.call([call.part_and_rest(part).0]);
        }
        if call.n == len {
            let found = self.found.union(&call.changes);
            return DdPlus { found, ..self }.go_on();
        }
        let changes = call.changes.minus(&call.parts(&call.dispensable));
        let applied = call.applied.union(&call.parts(&call.passed));
        if changes.len() < 2 {
            return self.call([(changes, applied)]);
        }
        let call = Call::new(changes, applied, 2 * call.n, &self.split);
        DdPlus { now: Now::Within(call), ..self }
    }
}

impl Call {
    fn new(changes: Config, applied: Config, n: usize, split: &Split) -> Call {
        let n = n.min(changes.len());
        let borders = split.borders(&changes, n);
        let (passed, dispensable) = (Config::empty(), Config::empty());
        Call { changes, applied, n, borders, turn: 0, passed, dispensable, preferred: None }
    }

    fn question(&self) -> Config {
        let changes = match self.turn.checked_sub(self.n) {
            None => self.changes.at(self.borders.subset(self.turn)),
            Some(part) => self.changes.without(self.borders.subset(part)),
        };
        changes.union(&self.applied)
    }

    /// Returns how many turns there are: of two parts, each is the other's complement.
    fn turns(&self) -> usize {
        if self.n == 2 { 2 } else { 2 * self.n }
    }

    fn has_passed(&self, part: usize) -> bool {
        self.passed.contains(number(part))
    }

    /// Takes the outcome of a question, which is not that a part failed. Returns a part that interferes with
    /// its complement.
    fn learn(&mut self, outcome: Outcome) -> Option<usize> {
        if let Some(part) = self.turn.checked_sub(self.n) {
            return self.learn_complement(part, outcome);
        }
        let first = if self.has_passed(0) { Pass } else { Unresolved };
        if outcome == Pass {
            self.passed = self.passed.union(&Config::from_deltas([number(self.turn)]));
        }
        if self.n > 2 || self.turn == 0 {
            return None;
        }
        self.learn_complement(0, outcome).or_else(|| self.learn_complement(1, first))
    }

    fn learn_complement(&mut self, part: usize, outcome: Outcome) -> Option<usize> {
        match outcome {
            Pass if self.has_passed(part) => return Some(part),
            Pass => self.preferred = self.preferred.or(Some(part)),
            Fail => self.dispensable = self.dispensable.union(&Config::from_deltas([number(part)])),
            Unresolved => {}
        }
        None
    }

    /// Returns the calls that look in a part with its complement applied, and the other way round.
    fn part_and_rest(&self, part: usize) -> ((Config, Config), (Config, Config)) {
        let own = self.changes.at(self.borders.subset(part));
        let rest = self.changes.without(self.borders.subset(part));
        let (with_own, with_rest) = (own.union(&self.applied), rest.union(&self.applied));
        ((own, with_rest), (rest, with_own))
    }

    /// Returns the changes in the parts of these numbers.
    fn parts(&self, numbers: &Config) -> Config {
        let positions = |run: std::ops::Range<u32>| {
            let (first, last) = (run.start as usize, run.end as usize - 1);
            self.changes.at(self.borders.subset(first).start..self.borders.subset(last).end)
        };
        numbers.ranges().fold(Config::empty(), |all, run| all.union(&positions(run)))
    }
}

/// Returns a part's number, so that a set of parts is a configuration.
fn number(part: usize) -> Delta {
    // There are no more parts than deltas, which are counted in 32 bits.
    Delta(part as u32)
}

impl Search for DdPlus {
    type Question = Config;

    fn ask(&self) -> Option<Config> {
        match &self.now {
            Now::Within(call) => Some(call.question()),
            Now::Last => Some(self.found.clone()),
            Now::Over => None,
        }
    }

    fn tell(&mut self, outcome: Outcome) {
        let Some(tested) = self.ask() else { return };
        if outcome == Fail && tested.len() < self.best.len() {
            self.best = tested;
        }
        let rest = DdPlus { now: Now::Over, ..self.clone() };
        *self = match std::mem::replace(&mut self.now, Now::Over) {
            Now::Within(call) => rest.told(call, outcome),
            Now::Last | Now::Over => rest,
        };
    }

    fn best(&self) -> Config {
        self.best.clone()
    }
}

impl DdPlus {
    /// Goes on with a call, told the outcome of its question.
    fn told(self, mut call: Call, outcome: Outcome) -> DdPlus {
        if call.turn < call.n && outcome == Fail {
            let part = call.changes.at(call.borders.subset(call.turn));
            return self.call([(part, call.applied)]);
        }
        if let Some(part) = call.learn(outcome) {
            let (own, rest) = call.part_and_rest(part);
            return self.call([rest, own]);
        }
        call.turn += 1;
        if call.turn < call.turns() { DdPlus { now: Now::Within(call), ..self } } else { self.undecided(&call) }
    }
}
