//! What holds of all languages.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod any_text;
mod languages;
mod nodes;
mod reductions;
mod support;
