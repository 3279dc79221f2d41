//! The local executor, with real processes.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod bench;
mod builds;
mod candidates;
mod endings;
mod ground;
mod limits;
mod outcomes;
mod servers;
mod slots;
