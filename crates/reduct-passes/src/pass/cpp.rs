//! Passes for C++ alone; those in `c` are for it too.

pub(super) mod classes;
pub(super) mod namespaces;
pub(super) mod parameters;
pub(super) mod returns;
pub(super) mod templates;
