//! What is promised of the parts that an input has.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod candidates;
mod cases;
mod kinds;
mod pairs;
mod sections;
mod statements;
mod sums;
mod support;
mod tables;
