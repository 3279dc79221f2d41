//! What is said of the runs before a search: what the failure is, where tests run, and why nothing can be begun.

pub mod advice;
pub mod archives;
pub mod failure;
pub mod place;
pub mod recipe;
pub mod refused;
