//! Patterns that stand in the code.

/// Returns the expression of a constant pattern.
///
/// # Panics
/// If it is not well formed.
pub(crate) fn regex(pattern: &str) -> regex::Regex {
    regex::Regex::new(pattern).expect("a constant pattern is well formed")
}
