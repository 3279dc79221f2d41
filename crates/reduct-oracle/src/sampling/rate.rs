//! How often the result of a reduction fails, from runs of its own.

use super::{Calibrator, LEVEL};
use std::fmt;

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
    /// What was counted of what fails; nothing was to be accepted that fails in no more than `floor` of its runs.
    pub fn of(calibrator: &Calibrator, floor: f64) -> Rate {
        let ((fired, runs), (least, most)) = (calibrator.calibration().failing, calibrator.interval());
        Rate { fired, runs, least, most, floor }
    }

    /// How many runs that took.
    pub fn runs(&self) -> u64 {
        self.runs.into()
    }

    /// In how many of them it failed.
    pub fn fired(&self) -> u32 {
        self.fired
    }

    /// Whether it fails too seldom for certain, or was not seen to fail at all.
    pub fn is_too_seldom(&self) -> bool {
        self.fired == 0 || self.most < self.floor
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Rate { fired, runs, least, most, floor } = self;
        // Rounded so that what is said stays true.
        let (least, most) = ((least * 1e3).floor() / 1e3, (most * 1e3).ceil() / 1e3);
        let (level, floor) = (LEVEL * 100.0, (floor * 1e3).floor() / 1e3);
        write!(
            f,
            "The result failed in {fired} of {runs} runs more: a share of {least} to {most} ({level} %); the floor is {floor}"
        )
    }
}
