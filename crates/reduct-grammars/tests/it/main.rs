//! What holds of all languages.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod languages;
mod names;
mod passes;
mod support;
