//! Finds what is relevant for a failure: the library behind the command.
//!
//! [`begin()`] does a [`Job`], whatever its [`Goal`] is, and leaves the answer on disk; [`triage()`] groups failures; [`resume()`] goes on after any interruption; [`verify()`] checks an earlier claim;
//! [`script_of_job()`] says for other reducers what the failure is; [`Replay`] walks through a run again. Programs that
//! embed this call [`warden::run_if_asked`] first thing in `main`: tests are watched over by a copy of the program.

mod ask;
mod audience;
mod beside;
mod builder;
mod changes;
mod closure;
mod confirm;
mod engine;
mod errors;
mod explain;
mod fuzz;
mod goal;
mod identity;
mod isolate;
mod items;
mod job;
mod judge;
mod lab;
mod list;
mod minima;
mod open;
mod options;
mod originals;
mod own;
mod parallel;
mod place;
mod preflight;
mod probe;
mod problem;
mod program;
mod recheck;
mod recorded;
mod reduce;
mod reliance;
mod replay;
mod resume;
mod runs;
mod script;
mod shell;
mod situation;
mod triage;
mod verify;
mod walk;

pub use audience::Audience;
pub use builder::{
    Builder, JobResult, Test, changes, changes_since, isolate, minima, reduce, run_if_asked, use_supervisor,
};
pub use engine::Report;
pub use errors::Refusal;
pub use explain::{Explained, explain};
pub use fuzz::{Classic, Filed, Fuzzed, Fuzzing, Happening, Standing, Until, fuzz, fuzz_again, is_fuzzing};
pub use goal::{Goal, Situation};
pub use closure::{NotReduced, ReduceBytes, ReducedBytes, reduce_bytes};
pub use items::{ReduceItems, ReducedItems, reduce_items};
pub use job::{
    Copied, Failure, InputDelivery, Job, Means, PersonOptions, Place, ReductionOptions, ResourceLimits, ServerInput,
    TestSource, VersionOptions, is_program,
};
pub use open::begin;
pub use originals::{Changed, named};
pub use own::note_begin;
pub use parallel::{Parallel, ParallelRun};
pub use place::copy_into;
pub use program::is_script;
pub use recheck::{Finding, Holds};
pub use recorded::asks_and_varies_variables;
pub use reduct_sandbox::{opened, warden};
pub use replay::Replay;
pub use reduct_passes::Kind;
pub use reduct_session::event::{Event, Why};
pub use reduct_strategies::{Caveat, Claim, Cut, Evidence, Method};
pub use reduct_core::Outcome;
pub use resume::{resume, resume_without_the_last_answer};
pub use runs::Run;
pub use script::{script_of_job, script_of_run, write_script};
pub use triage::{
    Crossing, Failing, Files, Group, Grouping, How, Reduced, Says, Triaged, Verdict, files as triage_files, triage,
};
pub use verify::verify;
pub use walk::Step;

/// Runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
