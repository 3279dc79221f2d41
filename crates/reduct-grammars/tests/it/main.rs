//! What holds of all languages.

mod languages;
mod names;
mod passes;
mod support;
