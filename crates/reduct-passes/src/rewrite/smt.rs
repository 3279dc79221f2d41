//! Passes for SMT-LIB alone: what ddSMT's mutators do, where no pass for all languages does it.
//!
//! | ddSMT | here |
//! |---|---|
//! | let elimination, let substitution | `smt-lets` |
//! | inline defined functions | `smt-functions` |
//! | replace by a constant, replace by a variable | `smt-terms` |
//! | reduce a bit width, simplify constants | `smt-sorts`, `numbers` |
//! | erase a node, replace by a child, merge with children | `nodes`, `hoist`, `splice` |
//! | simplify symbol names | `rename` |

pub(crate) mod functions;
pub(crate) mod lets;
pub(crate) mod parameters;
pub(crate) mod script;
mod sort;
pub(crate) mod sorts;
pub(crate) mod terms;
