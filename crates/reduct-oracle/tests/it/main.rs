//! What is promised of outcomes, and of how often a test is asked for one.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod oracle;
mod reports;
mod sampling;
