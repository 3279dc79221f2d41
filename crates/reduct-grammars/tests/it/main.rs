//! What holds of all languages.

mod languages;
mod passes;
mod support;
