//! What holds of all languages.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod alike_parts;
mod any_text;
mod bodies;
mod branches;
mod comments;
mod counts;
mod dependents;
mod dominators;
mod file_names;
mod followers;
mod guards;
mod guards_c;
mod guards_go;
mod guards_java;
mod guards_lua;
mod guards_php;
mod guards_ruby;
mod languages;
mod lengths;
mod literals;
mod llvm;
mod modules;
mod names;
mod nodes;
mod orphans;
mod passes;
mod proofs;
mod reads;
mod reductions;
mod references;
mod roots;
mod scanners;
mod sql;
mod support;
mod unreferenced;
mod use_order;
