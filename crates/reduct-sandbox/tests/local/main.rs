//! The local executor, with real processes.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod base_tree;
mod base_tree_ends;
mod bench;
mod builds;
mod candidates;
mod confined;
mod endings;
mod limits;
mod outcomes;
mod servers;
mod slots;
mod waiting;
