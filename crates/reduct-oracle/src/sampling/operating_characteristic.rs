//! What a policy does with a candidate that fires at a given rate: not simulated, but added up over all ways
//! its runs can go.

use reduct_core::Outcome;

/// What is decided after so many firings and so many silent runs; `None` if the candidate is run again.
pub(super) type Decide<'a> = &'a dyn Fn(u32, u32) -> Option<Outcome>;

/// What comes of a candidate. The three probabilities add up to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OperatingCharacteristic {
    /// How likely it is taken for failing.
    pub fails: f64,
    /// How likely it is taken for passing.
    pub passes: f64,
    /// How likely it is not clear at the bound.
    pub unclear: f64,
    /// How often it is run, on average.
    pub runs: f64,
}

/// All ways the first runs can go without a decision.
struct Ways {
    rate: f64,
    runs: u32,
    /// The fewest firings of any of them.
    fewest: u32,
    /// How likely it is that so many more than that have fired and nothing is decided.
    open: Vec<f64>,
}

impl Ways {
    fn new(rate: f64) -> Ways {
        Ways { rate, runs: 0, fewest: 0, open: vec![1.0] }
    }

    fn undecided(&self) -> f64 {
        self.open.iter().sum()
    }

    /// Counts one run more. Adds what is decided by it to `operating_characteristic`.
    fn step(&mut self, decide: Decide<'_>, operating_characteristic: &mut OperatingCharacteristic) {
        self.runs += 1;
        let silent = self.open.iter().map(|likely| likely * (1.0 - self.rate)).chain([0.0]);
        let fired = std::iter::once(0.0).chain(self.open.iter().map(|likely| likely * self.rate));
        let mut open: Vec<f64> = silent.zip(fired).map(|(silent, fired)| silent + fired).collect();
        for (fired, likely) in (self.fewest..).zip(&mut open) {
            match decide(fired, self.runs - fired) {
                Some(Outcome::Fail) => operating_characteristic.fails += std::mem::take(likely),
                Some(Outcome::Pass) => operating_characteristic.passes += std::mem::take(likely),
                Some(Outcome::Unresolved) => operating_characteristic.unclear += std::mem::take(likely),
                None => {}
            }
        }
        let decided_below = open.iter().take_while(|likely| **likely == 0.0).count();
        self.fewest += decided_below as u32;
        open.drain(..decided_below);
        open.truncate(open.iter().rposition(|likely| *likely != 0.0).map_or(0, |last| last + 1));
        self.open = open;
    }
}

/// Adds up what comes of a candidate that fires at this rate.
pub(super) fn operating_characteristic(decide: Decide<'_>, rate: f64) -> OperatingCharacteristic {
    let (mut ways, mut operating_characteristic) = (Ways::new(rate), OperatingCharacteristic::default());
    while !ways.open.is_empty() {
        operating_characteristic.runs += ways.undecided();
        ways.step(decide, &mut operating_characteristic);
    }
    operating_characteristic
}

/// Returns after how many runs no more than `left` is undecided, of what fires at any of these rates. `None` if that is more than
/// `limit`.
pub(super) fn bound(decide: Decide<'_>, rates: [f64; 2], left: f64, limit: u32) -> Option<u32> {
    let mut both = rates.map(Ways::new);
    (1..=limit).find(|_| {
        both.iter_mut().for_each(|ways| ways.step(decide, &mut OperatingCharacteristic::default()));
        both.iter().all(|ways| ways.undecided() <= left)
    })
}
