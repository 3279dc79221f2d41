//! Finds what is relevant for a failure: the library behind the command.
//!
//! [`reduce()`] does a [`Job`] and leaves the result on disk; [`resume()`] goes on after any interruption;
//! [`verify()`] checks an earlier claim; [`Replay`] walks through a run again. Programs that embed this
//! call [`warden::run_if_asked`] first thing in `main`: tests are watched over by a copy of the program.

mod errors;
mod identity;
mod job;
mod place;
mod preflight;
mod reduce;
mod replay;
mod runs;
mod verify;

pub use errors::Refusal;
pub use job::{Allowed, Failure, Handed, Job, Searching, is_program};
pub use reduce::{Audience, Report, reduce, resume};
pub use reduct_run::warden;
pub use replay::{Replay, Step};
pub use runs::Run;
pub use verify::{Finding, Holds, verify};
