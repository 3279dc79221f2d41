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

/// Refuses all options but these, the first ones with a word behind each.
///
/// # Errors
/// Names the first word that is none of them, and all that could stand there.
pub(crate) fn refuse_unknown(words: &[&str], with_word: &[&str], alone: &[&str]) -> Result<(), String> {
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if with_word.contains(word) {
            words.next().ok_or_else(|| format!("nothing stands behind {word}"))?;
        } else if !alone.contains(word) {
            return Err(format!("{word}: there are {}", [with_word, alone].concat().join(", ")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_that_is_not_there_begins_nothing() {
        let check = |words: &[&str]| refuse_unknown(words, &["--kills", "--seed"], &["--inject"]);
        assert_eq!(check(&["--kills", "3", "--inject"]), Ok(()));
        assert_eq!(check(&["--help"]), Err("--help: there are --kills, --seed, --inject".into()));
        assert_eq!(check(&["--seed"]), Err("nothing stands behind --seed".into()));
    }
}
