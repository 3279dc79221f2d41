//! The command, end to end: the built binary, real processes, real files.
//!
//! Tests are scripts for `sh` that need nothing but a bare system: coreutils, grep, sed, awk and
//! util-linux (`setsid`, `unshare`, `mount`, `script`). What is missing makes a test fail, not pass.

#![allow(clippy::unwrap_used, reason = "the helpers of tests are tests too")]

mod ask;
mod ask_page;
mod broken;
mod browser;
mod cgroups;
mod changes;
mod check;
mod choice;
mod confined;
mod confined_views;
mod copies;
mod durable;
mod edges;
mod events;
mod explain;
mod frames;
mod fuzz;
mod fuzz_found;
mod fuzz_same;
mod generated;
mod groups;
mod guide;
mod help;
mod history;
mod inquiries;
mod isolate;
mod languages;
mod library;
mod limits;
mod memory;
mod messages;
mod minima;
mod names;
mod naming;
mod oracle;
mod other_failures;
mod patches;
mod persistent;
mod project;
mod project_links;
mod prove;
mod repeat;
mod report;
mod report_kinds;
mod report_programs;
mod results;
mod runners;
mod sarif;
mod schedule;
mod schedule_python;
mod schema;
mod script;
mod seeds;
mod shortages;
mod situations;
mod state;
mod state_native;
mod stripe;
mod survived;
mod telling;
mod terminal;
mod thresholds;
mod trace;
mod trace_javascript;
mod trace_perl;
mod traps;
mod triage;
mod usage;
mod view;
mod wording;
mod workshop;
