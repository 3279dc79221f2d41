//! Finds what is relevant for a failure: the library behind the command.
//!
//! [`reduce()`] does a [`Job`] and leaves the result on disk, as do [`isolate()`], which narrows the difference of two
//! inputs, and [`changes()`], which finds the changes that broke a program; [`minima()`] finds all minimal inputs,
//! [`triage()`] groups failures; [`resume()`] goes on after any interruption; [`verify()`] checks an earlier claim;
//! [`script_of_job()`] says for other reducers what the failure is; [`Replay`] walks through a run again. Programs that
//! embed this call [`warden::run_if_asked`] first thing in `main`: tests are watched over by a copy of the program.

mod ask;
mod beside;
mod changes;
mod confirm;
mod errors;
mod explain;
mod fuzz;
mod identity;
mod isolate;
mod job;
mod lab;
mod minima;
mod originals;
mod place;
mod preflight;
mod program;
mod reduce;
mod reliance;
mod replay;
mod resume;
mod runs;
mod script;
mod shell;
mod situation;
mod task;
mod triage;
mod verify;
mod work;

pub use ask::{Asking, Means, asks_and_varies_variables};
pub use changes::changes;
pub use errors::Refusal;
pub use explain::{Explained, explain};
pub use fuzz::{Classic, Filed, Fuzzed, Fuzzing, Happening, Standing, Until, fuzz, fuzz_again, is_fuzzing};
pub use isolate::isolate;
pub use job::{
    Against, Allowed, Comparing, Copied, Failure, Handed, Job, Persistence, Place, Searching, Situation, is_program,
    note_begin,
};
pub use minima::minima;
pub use originals::{Changed, named};
pub use place::copy_into;
pub use program::is_script;
pub use reduce::reduce;
pub use reduct_sandbox::{opened, warden};
pub use replay::{Replay, Step};
pub use resume::{resume, resume_without_the_last_answer};
pub use runs::Run;
pub use script::{script_of_job, script_of_run, write_script};
pub use situation::situation;
pub use triage::{
    Crossing, Failing, Files, Group, Grouping, How, Reduced, Says, Triaged, Verdict, files as triage_files, triage,
};
pub use verify::{Finding, Holds, verify};
pub use work::{Audience, Report};
