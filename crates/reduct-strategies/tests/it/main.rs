//! What is promised of searches over inputs.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod alike_lines;
mod archives;
mod blocks;
mod branch;
mod chains;
mod chunks;
mod classes;
mod counted;
mod differences;
mod edits;
mod executions;
mod extents;
mod fonts;
mod formats;
mod larger;
mod links;
mod lisp;
mod literals;
mod messages;
mod midi;
mod min_removals;
mod modules;
mod neighbours;
mod outline;
mod pdfs;
mod pickles;
mod records;
mod reductions;
mod results;
mod sequences;
mod shares;
mod sqlite;
mod support;
mod unreached;
mod values;
mod wasm_code;
mod weave;
