//! What can go from an input, and what can be changed in it: the kinds of parts, and the passes.
//!
//! A [`Kind`] takes an artifact apart: into files, blocks, lines, tokens, characters. A pass is a kind whose parts are
//! edits: leaving one out is making it. Each is one file and one line in [`KINDS`] or [`PASSES`].
//!
//! This crate reads no file and starts no process: it is given bytes. It never runs a test either: a pass proposes, and the
//! test judges.

mod kind;
mod pass;
mod text;

pub use kind::{KINDS, Kind, Needs, Outline, TREE, events, situation};
pub use pass::{GROWING, NORMAL, PARTNERS, PASSES, TIMING};

/// Runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
