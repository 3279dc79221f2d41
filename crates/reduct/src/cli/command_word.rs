//! Words that may be meant as commands.

use super::command::COMMANDS;
use super::instead;
use super::values::usage;
use reduct_lib::Refusal;
use reduct_oracle::shell_line::quoted;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Returns the words by which commands are called.
fn names() -> Vec<&'static str> {
    COMMANDS.iter().map(|entry| entry.name).collect()
}

/// Returns whether a command is called so.
fn is_known(word: &OsStr) -> bool {
    names().iter().any(|name| word == *name)
}

/// Returns the refusal of options before the word of a command, which was then read as an input.
pub(super) fn behind_options(word: &Path) -> Option<Refusal> {
    let is_meant = is_known(word.as_os_str()) && std::fs::symlink_metadata(word).is_err();
    if !is_meant {
        return None;
    }
    let help = format!("give options after the command: {}", word_first(std::env::args_os())?);
    Some(usage(format!("`{}` is a command only as the first word", word.display()), help))
}

/// Returns what was meant if there is a command behind options that are none of a reduction.
pub(super) fn meant_behind_options() -> Option<String> {
    Some(format!("give options after the command: {}", word_first(std::env::args_os())?))
}

/// Returns a command line with the first word that is a command in front of the options before it.
fn word_first(line: impl Iterator<Item = OsString>) -> Option<String> {
    let mut words: Vec<OsString> = line.skip(1).collect();
    let given = words.iter().take_while(|word| *word != "--");
    let at = given.clone().position(|word| is_known(word)).filter(|at| *at > 0)?;
    if !words[0].as_bytes().starts_with(b"-") {
        return None;
    }
    words[..=at].rotate_right(1);
    let words: Vec<String> = words.iter().map(shown).collect();
    Some(format!("reduct {}", words.join(" ")))
}

/// Returns a word as a shell takes it, to be shown.
fn shown(word: &OsString) -> String {
    String::from_utf8_lossy(&quoted(word.as_bytes())).into_owned()
}

/// Returns the refusal of a word that looks like a command and is none.
pub(super) fn unknown(word: &Path) -> Option<Refusal> {
    let word = word.to_str()?;
    let looks_like_one =
        word.starts_with(|c: char| c.is_ascii_lowercase()) && word.chars().all(|c| c.is_ascii_lowercase() || c == '-');
    if !looks_like_one {
        return None;
    }
    let near = match instead::instead_of_command(word) {
        Some(instead) => format!("{instead}; "),
        None => nearest(word, &names()).map(|name| format!("perhaps: reduct {name}; ")).unwrap_or_default(),
    };
    let help = format!("{near}`reduct --help` lists the commands; a file is given with a test: reduct FILE -- COMMAND");
    Some(usage(format!("there is no such command: `{word}`, and no file of that name"), help))
}

/// Returns the name that differs least from a word, if that is little.
fn nearest<'a>(word: &str, names: &[&'a str]) -> Option<&'a str> {
    let near = names.iter().map(|name| (strsim::levenshtein(word, name), *name)).min()?;
    (near.0 * 4 <= word.len()).then_some(near.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_behind_options_goes_first() {
        let first = |line: &str| word_first(line.split('|').map(OsString::from));
        let meant = first("reduct|-j|1|isolate|a b|c|--|log");
        assert_eq!(meant.as_deref(), Some("reduct isolate -j 1 'a b' c -- log"));
        assert_eq!(first("reduct|-j1|a|--|log"), None, "behind `--` stands the test");
        assert_eq!(first("reduct|log|-j1"), None, "it is the first word already");
        assert_eq!(first("reduct|a|log"), None, "no option stands before it");
    }

    #[test]
    fn the_nearest_word_is_near() {
        let names = ["resume", "verify", "explain", "log", "triage"];
        assert_eq!(nearest("verfy", &names), Some("verify"));
        assert_eq!(nearest("resum", &names), Some("resume"));
        assert_eq!(nearest("result", &names), None);
        assert_eq!(nearest("triag", &names), Some("triage"));
        assert_eq!(nearest("completions", &names), None);
        assert_eq!(nearest("at", &names), None);
    }
}
