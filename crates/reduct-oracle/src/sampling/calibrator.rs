//! How often the two sides are to be run before a policy can be made of it.

use super::calibration::{Calibration, LEVEL, Purpose};
use super::{Policy, Unsuitable, at_least, at_most};
use reduct_core::Outcome;

/// After how many runs it is looked whether that is enough.
///
/// To look until the numbers please would bias the result, so the level is kept for all looks together: each bound is
/// one of a confidence that leaves so much less to chance as there are looks.
const LOOKS: &[u32] = &[30, 50, 70, 100];

/// The same where many candidates follow: what fails seldom is to be known better, as each run more here spares one of
/// each of them.
const PATIENT: &[u32] = &[30, 50, 70, 100, 200, 400];

/// Enough of what fails: the lower bound is this share of what was seen. More runs of the original would save
/// less than a third of the runs of any candidate, since those go with 1 / rate.
const NEAR: f64 = 0.75;

/// Enough of what passes, in an isolation: it fires at most in this share of the runs in which what fails does.
/// Candidates are then told apart in few runs, see [`Policy::operating_characteristic`].
const FAR: f64 = 0.1;

/// Which side was run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The one that fails: the whole input, or the failing version.
    Failing,
    /// The one that passes: the empty input, or the passing version.
    Passing,
}

/// How many more runs are wanted of each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Further {
    /// Of what fails.
    pub failing: u32,
    /// Of what passes.
    pub passing: u32,
}

impl Further {
    /// Returns whether it was enough.
    pub fn is_enough(self) -> bool {
        self == Further::default()
    }
}

/// Counts runs of the two sides until a policy can be made of them.
#[derive(Clone, Copy, Debug)]
pub struct Calibrator {
    purpose: Purpose,
    looks: &'static [u32],
    failing: Counted,
    passing: Option<Counted>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Counted {
    fired: u32,
    told: u32,
    unresolved: u32,
}

impl Counted {
    /// Returns how many more runs there are to the next look; `None` if this was the last one, or if the side does not
    /// say.
    fn to_next_look(self, looks: &[u32]) -> Option<u32> {
        let last = looks.last().copied().unwrap_or(0);
        let next = looks.iter().find(|look| **look > self.told)?;
        (self.unresolved < last).then(|| next - self.told)
    }

    fn is_at_a_look(self, looks: &[u32]) -> bool {
        looks.contains(&self.told)
    }
}

impl Calibrator {
    /// Returns a calibrator for a policy for this purpose. If `mistakable` is false, the failure cannot be mistaken for anything else:
    /// what passes never fires, and need not be run.
    pub fn new(purpose: Purpose, mistakable: bool) -> Calibrator {
        let passing = mistakable.then(Counted::default);
        Calibrator { purpose, looks: LOOKS, failing: Counted::default(), passing }
    }

    /// Returns the same, but with more runs of what fails seldom.
    pub fn patient(self) -> Calibrator {
        Calibrator { looks: PATIENT, ..self }
    }

    /// Counts a run. What is unresolved counts as neither. The runs of a side that is not wanted are not counted.
    pub fn count(&mut self, side: Side, outcome: Outcome) {
        let Some(counted) = (match side {
            Side::Failing => Some(&mut self.failing),
            Side::Passing => self.passing.as_mut(),
        }) else {
            return;
        };
        match outcome {
            Outcome::Unresolved => counted.unresolved += 1,
            told => {
                counted.told += 1;
                counted.fired += u32::from(told == Outcome::Fail);
            }
        }
    }

    /// Returns how many more runs are wanted of each side before it is looked again. They may run at a time, but all of
    /// them are to be counted. None at all: it is enough.
    pub fn wanted(&self) -> Further {
        let calibration = self.calibration();
        let rate = calibration.failing_rate();
        let (fired, told) = calibration.failing;
        let is_near = self.failing.is_at_a_look(self.looks) && rate >= NEAR * f64::from(fired) / f64::from(told);
        let failing = if is_near && fired > 0 { 0 } else { self.failing.to_next_look(self.looks).unwrap_or(0) };
        let passing = self.passing.filter(|_| failing == 0 && fired > 0).map_or(0, |passing| {
            let target = match self.purpose {
                // More is of no use: the floor is above it.
                Purpose::Reduce => calibration.floor(),
                Purpose::Isolate => FAR * rate,
            };
            let is_far = passing.is_at_a_look(self.looks) && calibration.passing_rate() <= target;
            if is_far { 0 } else { passing.to_next_look(self.looks).unwrap_or(0) }
        });
        Further { failing, passing }
    }

    /// Returns what was counted so far.
    pub fn calibration(&self) -> Calibration {
        let counts = |counted: Counted| (counted.fired, counted.told);
        let level = 1.0 - (1.0 - LEVEL) / self.looks.len() as f64;
        Calibration { failing: counts(self.failing), passing: self.passing.map(counts), level }
    }

    /// Returns between which shares what fails fires, with the confidence [`LEVEL`] for both bounds and all looks together.
    pub fn interval(&self) -> (f64, f64) {
        let level = 1.0 - (1.0 - LEVEL) / (2 * self.looks.len()) as f64;
        let Counted { fired, told, .. } = self.failing;
        (at_least(fired, told, level), at_most(fired, told, level))
    }

    /// Returns the policy that follows, for a run that is expected to take so many decisions.
    ///
    /// # Errors
    /// If a side did not say enough, or if the two cannot be told apart.
    pub fn policy(&self, decisions: u32) -> Result<Policy, Unsuitable> {
        let fewest = self.passing.map_or(self.failing.told, |passing| passing.told.min(self.failing.told));
        // What never fired was not compared with anything.
        if self.failing.fired == 0 && self.failing.told >= LOOKS[0] {
            return Err(Unsuitable::TooRare(0.0));
        }
        if fewest < LOOKS[0] {
            return Err(Unsuitable::CannotTell(fewest));
        }
        self.calibration().policy(self.purpose, decisions)
    }
}
