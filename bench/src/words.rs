//! The words of a benchmark's command line: numbers and names behind options.

/// Returns the number behind an option, or the usual one.
///
/// # Errors
/// If what stands there is no number.
pub(crate) fn number(words: &[&str], name: &str, usual: u64) -> Result<u64, String> {
    word(words, name).map_or(Ok(usual), |word| word.parse().map_err(|_| format!("{name} {word} is no number")))
}

/// Returns the word behind an option.
pub(crate) fn word<'a>(words: &[&'a str], name: &str) -> Option<&'a str> {
    let at = words.iter().position(|word| *word == name);
    at.and_then(|at| words.get(at + 1)).copied()
}
