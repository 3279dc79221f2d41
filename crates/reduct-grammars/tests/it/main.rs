//! What holds of all languages.

mod languages;
