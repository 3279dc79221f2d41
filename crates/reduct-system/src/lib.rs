//! The parts of the operating system that several crates of reduct need, and nothing that knows of tests.

pub mod cores;
pub mod family;
pub mod os_path;
pub mod remove;
pub mod signals;
