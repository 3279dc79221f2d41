//! What is promised of kinds, candidates and reductions.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod candidates;
mod cases;
mod chunks;
mod differences;
mod edits;
mod kinds;
mod lisp;
mod records;
mod reductions;
mod support;
mod weave;
