//! Words that may be meant as commands.

use super::command::COMMANDS;
use super::entry::Entry;
use super::instead;
use super::values::usage;
use reduct_lib::{Refusal, is_program};
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

/// Returns what was meant if there is a command behind an option that is none of a reduction, but one of this command.
pub(super) fn meant_behind_options(option: &str) -> Option<String> {
    let (line, command) = first_word(std::env::args_os())?;
    let has_it = |entry: &Entry| has_option(&entry.command(), option);
    let is_meant = COMMANDS.iter().any(|entry| command == entry.name && has_it(entry));
    is_meant.then(|| format!("give options after the command: {line}"))
}

/// Returns whether a command has an option, which is given with its dashes.
fn has_option(command: &clap::Command, option: &str) -> bool {
    let is_long = |arg: &clap::Arg, name: &str| {
        arg.get_long() == Some(name) || arg.get_all_aliases().is_some_and(|others| others.contains(&name))
    };
    command.get_arguments().any(|arg| match option.strip_prefix("--") {
        Some(name) => is_long(arg, name),
        None => arg.get_short().is_some_and(|letter| option.strip_prefix('-') == Some(letter.to_string().as_str())),
    })
}

/// Returns the refusal of a word that is no file, if it is nearly a command or one of another tool.
pub(super) fn misspelled(word: &Path) -> Option<Refusal> {
    let meant = std::fs::symlink_metadata(word).is_err().then(|| word.to_str()).flatten()?;
    let help = match (instead::instead_of_command(meant), nearest(meant, &names())) {
        (Some(instead), _) => instead.to_owned(),
        (None, Some(name)) => format!("perhaps: {}", with_word(std::env::args_os(), meant, name)),
        (None, None) => return None,
    };
    Some(usage(format!("`{meant}` is neither a file nor a command"), help))
}

/// Returns a command line with another word in place of the first one that is this one.
fn with_word(line: impl Iterator<Item = OsString>, old: &str, new: &str) -> String {
    let mut words: Vec<OsString> = line.skip(1).collect();
    if let Some(word) = words.iter_mut().find(|word| *word == old) {
        *word = new.into();
    }
    typed(&words)
}

/// Returns the command line that gives the test after `--`, if it stood as one word too many before it.
pub(super) fn test_apart(word: &str) -> Option<String> {
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    let at = words.iter().rposition(|other| other == word)?;
    let may_be_test = !word.starts_with('-') && !words.contains(&"--".into());
    // A folder is no test: it is another run, or another input.
    if may_be_test && Path::new(word).is_dir() {
        return Some(format!("give one at a time: {}", typed(&words[..at])));
    }
    may_be_test.then(|| {
        format!("the test is given after `--`: {}", typed(&[&words[..at], &["--".into()], &words[at..]].concat()))
    })
}

/// Returns the command line that gives what is reduced before `--`, if it has only a test.
pub(super) fn input_apart() -> Option<String> {
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    let at = words.iter().position(|word| word == "--")?;
    let is_input = |word: &&OsString| Path::new(word).is_file() && !is_program(Path::new(word));
    let input = words[at + 1..].iter().find(is_input).cloned().unwrap_or_else(|| "FILE".into());
    Some(format!("the input is given before `--`: {}", typed(&[&words[..at], &[input], &words[at..]].concat())))
}

/// Returns the words of a command line as they are typed.
fn typed(words: &[OsString]) -> String {
    let words: Vec<String> = words.iter().map(shown).collect();
    format!("reduct {}", words.join(" "))
}

/// Returns a command line with the first word that is a command in front of the options before it.
fn word_first(line: impl Iterator<Item = OsString>) -> Option<String> {
    first_word(line).map(|(line, _)| line)
}

/// Returns the same, and the word.
fn first_word(line: impl Iterator<Item = OsString>) -> Option<(String, OsString)> {
    let mut words: Vec<OsString> = line.skip(1).collect();
    let given = words.iter().take_while(|word| *word != "--");
    let at = given.clone().position(|word| is_known(word)).filter(|at| *at > 0)?;
    if !words[0].as_bytes().starts_with(b"-") {
        return None;
    }
    words[..=at].rotate_right(1);
    Some((typed(&words), words[0].clone()))
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

/// Returns the name that differs least from a word, if that is little. Two letters that have changed places are one difference.
fn nearest<'a>(word: &str, names: &[&'a str]) -> Option<&'a str> {
    let near = names.iter().map(|name| (strsim::osa_distance(word, name), *name)).min()?;
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
    fn a_word_is_replaced_where_it_stands_first() {
        let line = with_word("reduct|-j|1|redcue|a b|--|redcue".split('|').map(OsString::from), "redcue", "reduce");
        assert_eq!(line, "reduct -j 1 reduce 'a b' -- redcue");
    }

    #[test]
    fn the_nearest_word_is_near() {
        let names = ["resume", "verify", "explain", "log", "triage"];
        assert_eq!(nearest("verfy", &names), Some("verify"));
        assert_eq!(nearest("resum", &names), Some("resume"));
        assert_eq!(nearest("tirage", &names), Some("triage"));
        assert_eq!(nearest("result", &names), None);
        assert_eq!(nearest("triag", &names), Some("triage"));
        assert_eq!(nearest("completions", &names), None);
        assert_eq!(nearest("at", &names), None);
    }
}
