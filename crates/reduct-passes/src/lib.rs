//! What can go from an input, and what can be changed in it: the passes.
//!
//! A [`Pass`] takes an artifact apart: into files, blocks, lines, tokens, characters. Or its parts are edits: leaving one
//! out is making it. Each is one file and one line in [`REGISTRY`].
//!
//! This crate reads no file and starts no process: it is given bytes. It never runs a test either: a pass proposes, and the
//! test judges.

mod counting;
mod delete;
pub mod events;
mod formats;
mod pass;
mod plain;
mod registry;
mod rewrite;
mod text;

pub use formats::is_no_text;
#[doc(hidden)]
pub use formats::try_table;
pub use pass::{Narrowed, Needs, Pass, Proposals, Stage};
pub use registry::REGISTRY;

/// Runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
