//! The session: where a search, an executor, an oracle and observers meet.
//!
//! An [`executor::Executor`] is a place where tests run; a [`journal::Journal`] keeps outcomes; a [`Session`] is the loop in
//! which they meet a search. No process is started here.

pub mod confinement;
pub mod event;
pub mod executor;
pub mod journal;
pub mod other_failures;
pub mod publish;
pub mod relied;
mod session;

pub use session::{Differences, InputSearch, Session, Skip, Start, Stops, minimal, proves};

/// Runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
