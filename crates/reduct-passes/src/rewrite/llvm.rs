//! Passes for the intermediate language of LLVM.

pub(crate) mod bodies;
pub(crate) mod fields;
pub(crate) mod metadata;
pub(crate) mod names;
