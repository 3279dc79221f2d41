//! What the thread of a slot is given.

use super::parts::SupervisorAnswer;
use crate::local::assigned::Job;
use reduct_session::executor::Trouble;
use std::time::Instant;

/// A test that the thread of a slot is given, and what was done for it before.
pub(in super::super) struct Task {
    pub job: Job,
    pub stage: Stage,
}

/// What was done for a test.
pub(in super::super) enum Stage {
    /// Nothing.
    Whole,
    /// The candidate stands in the folder.
    Filled,
    /// The supervisor was told to run it, and is to answer until then.
    Told(Option<Instant>),
    /// This is known of it.
    Answered(Result<SupervisorAnswer, Trouble>),
}
