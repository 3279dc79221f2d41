//! Tests that show the failure only now and then: how often to run a candidate, and what to make of it.
//!
//! Pure: numbers in, numbers out. A candidate fails if the failure *fires* in a share of its runs that is at
//! least [`Policy::r1`], and passes if it does in at most [`Policy::r0`]. Which it is, Wald's sequential test
//! decides (A. Wald, *Sequential Tests of Statistical Hypotheses*, 1945): it runs the candidate until the
//! likelihoods of the two are far enough apart, and among all tests with the same error rates it needs the
//! fewest runs on average. The rates come from a [`Calibrator`].

mod binomial;
mod calibration;
mod calibrator;
mod confidence;
mod operating_characteristic;
mod policy;
mod rate;
mod votes;

pub use binomial::{at_least, at_most};
pub use calibration::{Calibration, LEVEL, Purpose};
pub use calibrator::{Calibrator, Further, Side};
pub use confidence::Confidence;
pub use operating_characteristic::OperatingCharacteristic;
pub use policy::{Policy, Unsuitable};
pub use rate::Rate;
pub use votes::{IN_A_ROW, Tally, Vote, Votes};
