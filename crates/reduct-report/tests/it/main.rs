//! What is written for given events, and that nothing of an input reaches a terminal as it is.

#![allow(clippy::unwrap_used, reason = "the helpers of tests are tests too")]

mod events;
mod fixture;
mod screen;
mod table;
mod views;
