//! Searches for what is relevant for a failure: pure, deterministic, without dependencies.
//!
//! The words, as in *Why Programs Fail*, chapter 5: a **delta** is one thing that can be there or
//! not; a **configuration** ([`Config`]) is a set of deltas; a **test** answers with an [`Outcome`]:
//! the failure occurs, does not occur, or neither can be said. A [`Search`] asks questions and takes
//! outcomes; it never runs a test itself:
//!
//! ```
//! use reduct_core::{Config, Ddmin, Delta, Form, Outcome, Search, Split, run};
//!
//! // Eight patches; the program fails if and only if the third and the sixth are in.
//! let test = |patches: &Config| match (patches.contains(Delta(2)), patches.contains(Delta(5))) {
//!     (true, true) => Outcome::Fail,
//!     _ => Outcome::Pass,
//! };
//! let search = run(Ddmin::new(Config::full(8), Form::Complements, Split::Book), test);
//! assert_eq!(search.best(), Config::from_deltas([Delta(2), Delta(5)]));
//! ```
//!
//! The [`Speculator`] runs any search on any number of workers, with the sequential result.
//!
//! This crate contains no input or output, no clock, no thread, no randomness without a seed, and
//! iterates over no hash map: that is why it can be tested by the million, and why the same question
//! gets the same answer on every machine.

mod config;
pub mod laws;
mod memo;
mod monotone;
mod outcome;
mod question;
pub mod search;
mod speculate;
mod split;

pub use config::{Config, Delta};
pub use memo::Memo;
pub use monotone::Monotone;
pub use outcome::Outcome;
pub use question::{Key, Keyed, Question};
pub use search::bisect::Bisect;
pub use search::cdd::Cdd;
pub use search::ddmin::{Ddmin, Form};
pub use search::ddplus::DdPlus;
pub use search::descent::{Density, Descent, Nesting};
pub use search::halves::Halves;
pub use search::isolate::{Isolate, Order};
pub use search::merge::Merge;
pub use search::minima::Minima;
pub use search::neighbours::Neighbours;
pub use search::probdd::ProbDd;
pub use search::relevance::{Learned, Relevance};
pub use search::scripted::{Asker, Scripted, Unknown};
pub use search::stretches::Stretches;
pub use search::sweep::Sweep;
pub use search::waves::Waves;
pub use search::{Search, run};
pub use speculate::{Foreseen, Lookahead, Repeats, Retired, Speculator, Wanted};
pub use split::{Borders, Joints, Split};

/// Runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
