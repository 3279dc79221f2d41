//! Runs tests, and remembers what they said.
//!
//! An [`executor::Executor`] is a place where tests run; an [`oracle::Oracle`] maps what was observed
//! to an outcome; a [`journal::Journal`] keeps outcomes; a [`session::Session`] is the loop in which
//! they meet a search. Processes, files and clocks end here: nothing below this crate knows them.

pub mod cores;
pub mod event;
pub mod executor;
pub mod finds;
pub mod flaky;
pub mod invocation;
pub mod journal;
pub mod load;
pub mod observation;
pub mod opened;
pub mod oracle;
pub mod os_path;
pub mod play;
pub mod publish;
pub mod relied;
pub mod session;
pub mod shell_line;
pub mod warden;
pub mod watched;
