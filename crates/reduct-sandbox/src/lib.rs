//! Tests as processes of this machine.
//!
//! A [`local::Local`] is an executor: a slot is a thread here and a [`supervisor`] process, in which the test runs and
//! by which nothing of it survives. [`opened`] and [`watched`] hear which files a test opens, [`looked`] which paths it
//! looks at in any way, [`refused`] which calls the system refuses to it, `died` where it dies.

mod again;
mod faults;
mod groups;

mod confine;
mod died;
pub mod local;
pub mod looked;
pub mod opened;
#[doc(hidden)]
pub mod readers;
pub mod refused;
pub mod supervisor;
mod traced;
pub mod watched;

/// Runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
