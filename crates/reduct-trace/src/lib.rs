//! Executions as circumstances of a failure: which of the statements that were executed matter?
//!
//! A program is run once and recorded: a [`ExecutionPlan`] of all statement executions, its *events*, as a tree. An event belongs to
//! the one that made it: a call to the statement that calls, an iteration to its loop, a statement to its iteration. Under a
//! plan with fewer events, the program runs without those that are missing ([`Driven`]). So a plan is a text that can be
//! reduced like any other one, and what is left are the events that the failure needs (Cleve and Zeller 2000).
//!
//! Two rules keep what is left true. An event is named by the event that it belongs to, its statement and how often that
//! statement came before in it (the execution index of Xin, Sumner and Zhang, PLDI 2008), so that leaving out one event
//! renames no other. And a run that executes what never was recorded says nothing: it ends with 125.

mod compared;
mod compiled;
mod deeper;
mod driven;
mod driver;
mod error;
mod fewest;
mod forks;
mod guarded_tree;
mod instructions;
mod isolated;
mod made;
mod plan;
mod plan_line;
mod program;
mod recording;
mod run_values;
mod schedule;
mod started;
mod state;
mod tree_digest;
mod turns;
mod unassigned;

pub use compared::{ComparedRuns, ComparedValue, TellingValue, Writer, Written};
pub use deeper::{read_deeper, record_file, united};
pub use driven::{Driven, Task, changed_file};
pub use driver::PutGuards;
pub use error::{DebuggerFault, StepError};
pub use fewest::{Fewest, fewest};
pub use forks::ForkServer;
pub use guarded_tree::{AboutTree, BuiltTree, GuardedSource, GuardedTree, PutGuardsInSource, VariableTypes};
pub use instructions::ReadBy;
pub use isolated::{ChangedSwitch, IsolatedSwitches, isolated};
pub use made::{keep_made, remove_made};
pub use plan::{ControlFlow, DeeperRecord, Execution, ExecutionPlan, Place, PlanError, Provenance};
pub use program::{Program, ProgramError};
pub use recording::{RecordingError, Statement, read_fault, read_often, read_recording, read_statements};
pub use run_values::{RunValues, ValuesByTime};
pub use schedule::{RandomPriorities, Schedule, ScheduleError, Scheduling, Switch, read_counts};
pub use state::{FrameVariable, ProgramState, StateChange, StateError, differences, matching, read_states};
pub use turns::Turns;
pub use unassigned::{Leftover, Unassigned};

/// Runs the example of the README as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
