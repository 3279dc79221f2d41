//! Passes for C++ alone; those in `c` are for it too.

pub(crate) mod autos;
pub(crate) mod classes;
pub(crate) mod namespaces;
pub(crate) mod parameters;
pub(crate) mod returns;
pub(crate) mod templates;
