//! Passes for SMT-LIB alone: what ddSMT's mutators do, where no pass for all languages does it.
//!
//! | ddSMT | here |
//! |---|---|
//! | let elimination, let substitution | `smt-lets` |
//! | eliminate a variable that is equal to a term | `smt-equalities` |
//! | inline defined functions | `smt-functions` |
//! | replace by a constant, replace by a variable | `smt-terms` |
//! | reduce a bit width, also of floating-point numbers, simplify constants | `smt-sorts`, `numbers` |
//! | replace all terms of a function by a child | `smt-children` |
//! | erase a node, replace by a child, merge with children | `nodes`, `hoist`, `splice` |
//! | simplify symbol names | `rename` |

pub(crate) mod children;
pub(crate) mod equalities;
mod floats;
pub(crate) mod functions;
pub(crate) mod lets;
pub(crate) mod parameters;
pub(crate) mod script;
pub(crate) mod sort;
pub(crate) mod sorts;
pub(crate) mod terms;
