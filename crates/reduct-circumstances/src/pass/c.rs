//! Passes for C and C++: what C-Reduce's `clang_delta` does, as plausible changes of the text.

pub(super) mod arrays;
pub(super) mod bodies;
pub(super) mod code;
pub(super) mod conditionals;
mod directives;
pub(super) mod enums;
pub(super) mod fields;
pub(super) mod globals;
pub(super) mod macros;
pub(super) mod markers;
pub(super) mod merge;
pub(super) mod moves;
pub(super) mod pointers;
pub(super) mod scalars;
pub(super) mod structs;
pub(super) mod undefined;
mod variables;
pub(super) mod void;
pub(super) mod words;
