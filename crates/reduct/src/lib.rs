//! Finds what is relevant for a failure: the library behind the command.
//!
//! [`reduce()`] does a [`Job`] and leaves the result on disk, as do [`isolate()`], which narrows the difference
//! of two inputs, and [`changes()`], which finds the changes that broke a program; [`resume()`] goes on after
//! any interruption;
//! [`verify()`] checks an earlier claim; [`Replay`] walks through a run again. Programs that embed this
//! call [`warden::run_if_asked`] first thing in `main`: tests are watched over by a copy of the program.

mod changes;
mod errors;
mod identity;
mod isolate;
mod job;
mod place;
mod preflight;
mod reduce;
mod replay;
mod runs;
mod verify;
mod work;

pub use changes::changes;
pub use errors::Refusal;
pub use isolate::isolate;
pub use job::{Against, Allowed, Comparing, Failure, Handed, Job, Persistence, Searching, is_program};
pub use reduce::{reduce, resume};
pub use reduct_run::warden;
pub use replay::{Replay, Step};
pub use runs::Run;
pub use verify::{Finding, Holds, verify};
pub use work::{Audience, Report};
