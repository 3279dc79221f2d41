//! What events hold, made outside of this crate: by tests of observers, and where a run is no session.

use super::{Again, Began, Ended, Timeouts, UnderWay, Why};
use crate::executor::RunId;
use reduct_core::Key;
use reduct_input::Candidate;
use reduct_strategies::Evidence;
use std::time::Duration;

impl Began {
    /// Returns the beginning of a session about this input, of which bytes are counted and one test runs at a time.
    pub fn of(whole: Candidate, failure: impl Into<String>) -> Began {
        let size = whole.len();
        Began { whole, size, unit: "bytes", failure: failure.into(), jobs: 1, time_limit: None, known: 0 }
    }
}

impl Ended {
    /// Returns the end of a session that asked nothing, and whose best was not run again. Bytes are counted.
    pub fn of(why: Why, best: Candidate, evidence: Evidence) -> Ended {
        Ended {
            why,
            size: best.len(),
            best,
            passing: None,
            unit: "bytes",
            asked: 0,
            repeated: 0,
            runs: 0,
            unresolved: 0,
            elapsed: Duration::ZERO,
            evidence,
            confidence: None,
            rate: None,
            share: None,
            confirmed: None,
            again: None,
            timeouts: Timeouts::default(),
            notes: vec![],
        }
    }
}

impl Again {
    /// Returns what came of so many runs of which so many failed.
    pub fn of(runs: u32, failed: u32) -> Again {
        Again { runs, failed, ..Again::default() }
    }
}

impl UnderWay {
    /// Returns the first run of a candidate with so many bytes.
    pub fn of(run: RunId, key: Key, bytes: usize) -> UnderWay {
        UnderWay { run, key, number: 0, bytes }
    }
}
