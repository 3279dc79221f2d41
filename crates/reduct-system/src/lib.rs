//! The parts of the operating system that several crates of reduct need, and nothing that knows of tests.

pub mod addresses;
pub mod cores;
pub mod family;
pub mod memory;
pub mod os_path;
pub mod permissions;
pub mod remove;
pub mod signals;

/// Runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
