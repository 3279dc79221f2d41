//! Searches over inputs: which question is asked next, and what the answers show.
//!
//! A [`Reduction`] looks for the smallest candidate that still fails, with all kinds of parts and all passes of a [`Plan`],
//! one after the other; [`Isolation`] narrows the difference of two inputs, [`Causes`] finds the changes to blame,
//! [`AllMinima`] lists all minimal inputs. What a result is said to be is a [`Claim`] with its [`Evidence`], as data.
//!
//! ```
//! use reduct_core::{Outcome, Search, run};
//! use reduct_input::Artifact;
//! use reduct_strategies::{Plan, Reduction};
//!
//! let page = Artifact::of_file("page.html", b"<p>\n<SELECT NAME=\"priority\" MULTIPLE>\n</p>\n").unwrap();
//! let crashes = |text: &[u8]| text.windows(7).any(|w| w == b"<SELECT") && text.contains(&b'>');
//! let reduction = run(Reduction::new(page, Plan::standard()), |candidate| {
//!     if crashes(candidate.artifact().bytes()) { Outcome::Fail } else { Outcome::Pass }
//! });
//! assert_eq!(reduction.best().artifact().bytes(), b"<SELECT>");
//! ```
//!
//! This crate reads no file and starts no process: a search is a value that is asked and told.

mod branch;
mod claim;
mod differences;
mod explanation;
mod method;
mod minima;
mod phase;
mod plan;
mod reduction;
mod weave;

pub use branch::Branched;
pub use claim::{Caveat, Claim, End, Evidence, Minimal, Others, Refuted, Unproved};
pub use differences::{Cause, Causes, Isolation, PatchScope, Tried};
pub use explanation::{Constraint, ExplainedPart, Explanation, ResultPart, ResultPartSort};
pub use method::{Method, MethodFacts};
pub use minima::{AllMinima, Minimum};
pub use phase::Phase;
pub use plan::{Cut, Plan, Proof};
pub use reduction::{Audited, Reduction};
pub use weave::{Grain, Level, VersionView, Weave, WeaveBuilder};

/// Runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
