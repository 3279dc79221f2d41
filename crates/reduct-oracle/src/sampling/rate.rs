//! How often the result of a reduction fails, from runs of its own.

use super::Calibrator;

/// A measured rate, with its interval. Runs that the search made say too much: what was accepted was lucky.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    fired: u32,
    runs: u32,
    least: f64,
    most: f64,
    floor: f64,
}

impl Rate {
    /// Returns what was counted of what fails; nothing was to be accepted that fails in no more than `floor` of its
    /// runs.
    pub fn of(calibrator: &Calibrator, floor: f64) -> Rate {
        let ((fired, runs), (least, most)) = (calibrator.calibration().failing, calibrator.interval());
        Rate { fired, runs, least, most, floor }
    }

    /// Returns how many runs that took.
    pub fn runs(&self) -> u64 {
        self.runs.into()
    }

    /// Returns in how many of them it failed.
    pub fn fired(&self) -> u32 {
        self.fired
    }

    /// Returns between which shares of all runs it fails, at the level of the calibration.
    pub fn interval(&self) -> (f64, f64) {
        (self.least, self.most)
    }

    /// Returns the share of its runs in which a candidate had to fail to be accepted.
    pub fn floor(&self) -> f64 {
        self.floor
    }

    /// Returns whether it fails too seldom for certain, or was not seen to fail at all.
    pub fn is_too_seldom(&self) -> bool {
        self.fired == 0 || self.most < self.floor
    }
}
