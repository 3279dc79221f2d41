//! Words that may be meant as commands.

use super::{command_names, usage};
use reduct_lib::Refusal;
use std::path::Path;

/// Whether a command is called so.
pub(super) fn is_known(word: &Path) -> bool {
    word.to_str().is_some_and(|word| command_names().iter().any(|name| name == word))
}

/// The refusal of a word that looks like a command and is none.
pub(super) fn unknown(word: &Path) -> Option<Refusal> {
    let word = word.to_str()?;
    let looks_like_one =
        word.starts_with(|c: char| c.is_ascii_lowercase()) && word.chars().all(|c| c.is_ascii_lowercase() || c == '-');
    if !looks_like_one {
        return None;
    }
    let near = nearest(word, &command_names()).map(|name| format!("perhaps: reduct {name}; ")).unwrap_or_default();
    let help = format!("{near}`reduct --help` lists the commands; a file is given with a test: reduct FILE -- COMMAND");
    Some(usage(format!("there is no such command: `{word}`, and no file of that name"), help))
}

/// The name that differs least from a word, if that is little.
fn nearest<'a>(word: &str, names: &'a [String]) -> Option<&'a str> {
    let near = names.iter().map(|name| (distance(word, name), name.as_str())).min()?;
    (near.0 * 4 <= word.len()).then_some(near.1)
}

/// How many letters are to be put in, left out or replaced to get from one word to another.
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (at, letter) in from.chars().enumerate() {
        let mut before = std::mem::replace(&mut row[0], at + 1);
        for (column, other) in to.iter().enumerate() {
            let replaced = before + usize::from(letter != *other);
            before = row[column + 1];
            row[column + 1] = replaced.min(before + 1).min(row[column] + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_near() {
        let names = ["resume", "verify", "explain", "log", "triage"].map(str::to_owned);
        assert_eq!(nearest("verfy", &names), Some("verify"));
        assert_eq!(nearest("resum", &names), Some("resume"));
        assert_eq!(nearest("result", &names), None);
        assert_eq!(nearest("triag", &names), Some("triage"));
        assert_eq!(nearest("completions", &names), None);
        assert_eq!(nearest("at", &names), None);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
