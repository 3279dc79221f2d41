//! Finds what is relevant for a failure, by delta debugging: the library behind the command `reduct`.
//!
//! | You have | and want | use |
//! | --- | --- | --- |
//! | bytes, and a function that says whether they fail | the smallest that fail | [`reduce_bytes`] |
//! | two texts, and a function that fails on one | their smallest difference that matters | [`isolate_bytes()`] |
//! | a list of anything, and such a function | the items that are needed | [`reduce_items`] |
//! | the same, if it fails in several ways | all choices of items of which none can go | [`minima_items()`] |
//! | a search of `reduct-core`, and such a function | to run it on threads | [`Parallel`] |
//! | a file or folder, and a command | the smallest that fails | [`reduce()`] |
//! | two inputs, of which one passes | their smallest difference that matters | [`isolate()`] |
//! | an input that fails in several ways | all its minima | [`minima()`] |
//! | a program that worked earlier | the changes to blame | [`changes()`], [`changes_since()`] |
//! | a [`Job`] as the command makes it | it done, with its words | [`begin()`] |
//! | an earlier run | to go on, to walk through it, to check its claim | [`resume()`], [`Replay`], [`verify()`] |
//! | a result | what of it has to be exactly so | [`explain()`] |
//! | a program | inputs on which it fails, made from a seed | [`fuzz()`] |
//! | many inputs that fail | groups of the same failure | [`triage()`] |
//! | your own loop in which tests run | candidates one by one | `ask` and `tell` of `reduct_strategies::Reduction` |
//!
//! With a function as the test:
//!
//! ```
//! let page = b"<p>\n<SELECT NAME=\"priority\" MULTIPLE>\n</p>\n";
//! let crashes = |page: &[u8]| page.windows(7).any(|tag| tag == b"<SELECT") && page.contains(&b'>');
//! let reduced = reduct_lib::reduce_bytes(page, crashes).jobs(4).run()?;
//! assert_eq!(reduced.bytes, b"<SELECT>");
//! # Ok::<(), reduct_lib::NotReduced>(())
//! ```
//!
//! With a command as the test, which is watched over by a copy of the program: that is why [`run_if_asked`] stands first
//! thing in `main`. Nothing is left on disk, unless [`Builder::out`] or [`Builder::keep_runs`] asks for it.
//!
//! ```standalone_crate
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     reduct_lib::run_if_asked();
//!     let page = std::env::temp_dir().join(format!("page-{}.html", std::process::id()));
//!     std::fs::write(&page, "<p>\n<SELECT NAME=\"priority\" MULTIPLE>\n</p>\n")?;
//!     let test = reduct_lib::Test::command(["grep", "-q", "<SELECT.*>", "{}"]).exit_zero();
//!     let result = reduct_lib::reduce(&page).test(test).jobs(4).run()?;
//!     assert_eq!(result.bytes(), b"<SELECT>");
//!     Ok(std::fs::remove_file(page)?)
//! }
//! ```
//!
//! Results are data: [`describe`] puts what was shown of one into words. A test that needs more than an exit status says so
//! with [`Test::fails_if`]. What is refused says so as a [`Refusal`]: what is wrong, what to do, and what it means. The crates
//! whose types stand in signatures are re-exported, such as [`reduct_core`] for searches of one's own.
//!
//! # Features
//!
//! | feature | what it adds |
//! | --- | --- |
//! | `grammars` (default) | the syntax of all languages below |
//! | `c-family` | C, C++, GLSL |
//! | `web` | CSS, HTML, JavaScript, PHP, TypeScript |
//! | `scripting` | Lua, Python, Ruby, shell |
//! | `data` | JSON, SQL, TOML, XML, YAML |
//! | `systems` | Go, LLVM IR, Rust, Zig |
//! | `managed` | C#, Java, Solidity |
//! | `page` (default) | asking a person on a web page, and the page of a run while it goes on |
//!
//! The grammars are C code. Without any, no C is compiled, and inputs are reduced as lines and bytes (SMT-LIB by its
//! brackets).

mod ask;
mod audience;
mod begin;
mod beside;
mod branch;
mod builder;
mod changes;
mod closure;
mod confirm;
mod deeper;
mod engine;
mod errors;
mod executor;
mod explain;
mod findings;
mod fuzz;
mod goal;
mod history;
#[cfg(feature = "page")]
mod http;
mod identity;
pub mod inquiry;
mod isolate;
mod isolate_bytes;
mod items;
mod job;
mod judge;
mod list;
mod live;
mod minima;
mod minima_items;
mod neighbour;
mod once;
mod open;
mod options;
mod originals;
mod own;
mod parallel;
pub mod parser;
mod place;
mod preflight;
mod probe;
mod problem;
mod program;
#[doc(hidden)]
pub mod readers;
mod recheck;
mod recorded;
mod reduce;
mod reliance;
mod replay;
mod resume;
mod runs;
mod said;
mod script;
mod shell;
mod situation;
mod story;
mod touched;
mod triage;
mod verify;
#[cfg(feature = "page")]
mod viewer;
mod walk;

pub use ask::refused::UndoError;
pub use audience::Audience;
pub use begin::begin;
pub use builder::refused::BuilderError;
pub use builder::{
    Builder, JobResult, Test, changes, changes_since, isolate, minima, reduce, run_if_asked, use_supervisor,
};
pub use changes::refused::VersionsError;
pub use closure::{NotReduced, ReduceBytes, ReducedBytes, reduce_bytes};
pub use deeper::{fails, last_record};
pub use engine::RunReport;
pub use errors::{Needed, NotExplained, PlaceError, Refusal, RefusalKind};
pub use explain::{Explained, explain};
pub use findings::{Findings, findings};
pub use fuzz::refused::FuzzingError;
pub use fuzz::{ClassicOptions, Filed, FindingStatus, Fuzzed, Fuzzing, Happening, Until, fuzz, fuzz_again, is_fuzzing};
pub use goal::{Goal, Situation, SwitchOptions, ValueOptions};
pub use history::refused::HistoryError;
pub use history::{Branch, Passed, history};
#[cfg(feature = "page")]
pub use http::browser::open_in_browser;
pub use isolate_bytes::{IsolateBytes, IsolatedBytes, isolate_bytes};
pub use items::{ReduceItems, ReducedItems, reduce_items};
pub use job::refused::JobError;
pub use job::{
    Copied, Failure, InputDelivery, Job, Means, PersonOptions, ReductionOptions, ResourceLimits, ServerInput,
    TestPlace, TestSource, VersionOptions, is_program,
};
pub use minima_items::{FoundMinima, MinimaItems, minima_items};
pub use neighbour::{ReducedBy, reduced_by};
pub use once::{SingleTests, is_same_if_forked, run_each, run_once};
pub use originals::{Changed, named};
pub use own::note_begin;
pub use parallel::{Parallel, ParallelRun};
pub use place::copy_into;
pub use program::{check_program, is_script};
pub use recheck::{ClaimCheck, Recheck};
pub use recorded::{asks_and_varies_variables, asks_on_a_page};
pub use reduct_core::Outcome;
pub use reduct_input::{Artifact, Candidate};
pub use reduct_oracle::Observed;
pub use reduct_oracle::condition::Condition;
pub use reduct_passes::Pass;
pub use reduct_report::claims::describe;
pub use reduct_sandbox::{looked, opened, refused, supervisor};
pub use reduct_session::Stops;
pub use reduct_session::confinement::Confinement;
pub use reduct_session::event::{Event, Observer, Why};
pub use reduct_session::executor::Control;
pub use reduct_strategies::{Caveat, Claim, Constraint, Cut, Evidence, Method};
pub use replay::Replay;
pub use resume::{resume, resume_deeper, resume_from, resume_without_the_last_answer};
pub use runs::Run;
pub use script::refused::OracleScriptError;
pub use script::{script_of_job, script_of_run, write_script};
pub use shell::as_typed;
pub use situation::refused::SituationError;
pub use story::{DIFF_CAP, ExecutionsLeft, diff, executions_left, keep_listing, records_of_executions, story, walked};
pub use triage::refused::TriageError;
pub use triage::{
    Comparison, CrossTest, Failing, Files, Group, Grouping, How, Reduced, Says, Triaged, files as triage_files, triage,
};
pub use verify::verify;
#[cfg(feature = "page")]
pub use viewer::{Back, InquiryReader, Viewer};
pub use walk::{Accepted, Step};

// Their types stand in signatures here: a program that uses this crate needs no other one.
pub use {reduct_core, reduct_input, reduct_oracle, reduct_report, reduct_session, reduct_strategies};

/// Runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
