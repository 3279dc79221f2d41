//! Words of other tools: how they are answered.

use super::command_word;
use super::common::Common;
use super::instead;
use super::kept;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};
use reduct_lib::Refusal;
use reduct_oracle::signature::signal_name;
use std::ffi::OsString;
use std::path::Path;

/// Returns the same error with a tip that fits, and without tips that do not. `definition` is that of the command line.
pub(super) fn explained(error: Error, definition: Command) -> Error {
    let tip = match (error.kind(), error.get(ContextKind::InvalidArg), error.get(ContextKind::InvalidValue)) {
        (ErrorKind::UnknownArgument, Some(ContextValue::String(name)), _) if name.starts_with('-') => {
            let name = name.clone();
            return explained_option(error, &name, definition);
        }
        (ErrorKind::UnknownArgument, Some(ContextValue::String(word)), _)
        | (ErrorKind::TooManyValues, _, Some(ContextValue::String(word))) => command_word::test_apart(word),
        (ErrorKind::MissingRequiredArgument, Some(ContextValue::Strings(missing)), _)
            if missing.iter().all(|name| name.starts_with("<FILE>")) =>
        {
            command_word::input_apart()
        }
        _ => None,
    };
    with_tip(error, tip)
}

/// Returns the error with a tip, if there is one.
fn with_tip(mut error: Error, tip: Option<String>) -> Error {
    if let Some(tip) = tip {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(tip)]));
    }
    error
}

/// Returns the error of an unknown option with a tip that fits.
fn explained_option(mut error: Error, name: &str, definition: Command) -> Error {
    // Behind `--` stands the test, so that an option is of no use there.
    error.remove(ContextKind::Suggested);
    error.remove(ContextKind::TrailingArg);
    let typed = as_typed(name, std::env::args_os().skip(1).take_while(|word| word != "--"));
    let usage = match error.get(ContextKind::Usage) {
        Some(ContextValue::StyledStr(usage)) => usage.to_string(),
        _ => String::new(),
    };
    let kept =
        |word: &str| kept::instead_of_kept(command_in(&usage), word.split('=').next().unwrap_or_default(), &definition);
    let theirs = || {
        instead::instead_of_option(&typed).filter(|tip| fits(tip, command_in(&usage), &definition)).map(str::to_owned)
    };
    let tip = command_word::meant_behind_options(name).or_else(|| kept(&typed)).or_else(theirs).or_else(|| kept(name));
    let is_misspelled = match error.get(ContextKind::SuggestedArg) {
        Some(ContextValue::String(other)) => is_near(name, other),
        _ => false,
    };
    if tip.is_some() || !is_misspelled {
        error.remove(ContextKind::SuggestedArg);
        // The usage in the error names the option that was suggested.
        if let Some(usage) = usage_of(command_in(&usage), definition) {
            error.insert(ContextKind::Usage, ContextValue::StyledStr(usage));
        }
    }
    with_tip(error, tip)
}

/// Returns whether a tip is of use for this command: it names no options that the command does not have.
fn fits(tip: &str, word: &str, definition: &Command) -> bool {
    let Some(command) = definition.find_subcommand(word).filter(|_| word != "reduce") else { return true };
    if tip.contains(&format!("reduct {word} ")) {
        return true;
    }
    let mut options = tip.split([' ', ';', ',', '(', ')']).filter(|word| word.starts_with("--") && word.len() > 2);
    options.all(|option| kept::option_of(command, option).is_some()) && !tip.contains("reduct changes")
}

/// Returns the usage of a command.
fn usage_of(word: &str, mut definition: Command) -> Option<StyledStr> {
    definition.build();
    Some(definition.find_subcommand_mut(word)?.render_usage())
}

/// Returns the command whose usage this is.
fn command_in(usage: &str) -> &str {
    usage.split_once("reduct ").map_or("", |(_, rest)| rest.split(' ').next().unwrap_or_default())
}

/// Returns the word in which an option was found: of `-test`, only `-t` is what is unknown.
fn as_typed(name: &str, words: impl Iterator<Item = OsString>) -> String {
    let is_of_one_letter = name.len() == 2 && name.starts_with('-');
    let mut words = words.filter_map(|word| word.into_string().ok());
    let has_it = |word: &String| word.starts_with('-') && !word.starts_with("--") && word.contains(&name[1..]);
    if is_of_one_letter { words.find(has_it) } else { None }.unwrap_or_else(|| name.to_owned())
}

/// Returns whether an option may be misspelled for another one, or goes on where that one ends.
fn is_near(typed: &str, option: &str) -> bool {
    let (typed, option) = (typed.trim_start_matches('-'), option.trim_start_matches('-'));
    let differs = strsim::damerau_levenshtein(typed, option);
    let shorter = typed.len().min(option.len());
    differs * 3 <= shorter || shorter > 2 && (typed.starts_with(option) || option.starts_with(typed))
}

/// Words of other fuzzers for the path of the input: of AFL++ and of honggfuzz.
pub(super) const PLACEHOLDERS: [&str; 2] = ["@@", "___FILE___"];

/// What of a command line may be meant as in other tools. It is said only if the failure was not found.
#[derive(Default)]
pub(super) struct Theirs {
    /// The placeholder in a command that says in no other way where its input is.
    placeholder: Option<&'static str>,
    /// Exit statuses that shells give to a death by a signal, with the signal.
    signals: Vec<(i32, String)>,
}

impl Theirs {
    pub(super) fn of(common: &Common, has_a_candidate: bool) -> Theirs {
        let statuses =
            common.fails_if().iter().filter_map(|condition| condition.to_string().strip_prefix("exit=")?.parse().ok());
        let signals = statuses.filter(|status| (129..192).contains(status));
        Theirs {
            placeholder: placeholder(common.words()).filter(|_| has_a_candidate),
            signals: signals.map(|status| (status, signal_name(status - 128))).collect(),
        }
    }

    /// Returns the refusal, with a tip in front of what it advises.
    pub(super) fn advise(&self, mut refusal: Refusal) -> Refusal {
        let advice = match &mut refusal {
            Refusal::DoesNotFail { advice, .. } => advice,
            Refusal::EmptyFails { advice, .. } | Refusal::NeverOpened { advice, .. } => advice,
            _ => return refusal,
        };
        let mut tips = vec![];
        if let Some(word) = self.placeholder {
            tips.push(format!("`{word}` has no meaning here: write {{}} where the path of the candidate belongs"));
        }
        for (status, signal) in &self.signals {
            if advice.contains(&format!("death by SIG{signal}")) {
                tips.push(format!(
                    "exit={status} is how a shell reports SIG{signal}; the program itself died by it: --fails-if signal={signal}"
                ));
            }
        }
        if !tips.is_empty() {
            *advice = format!("{}\n{advice}", tips.join("\n"));
        }
        refusal
    }
}

/// Returns the placeholder of another fuzzer in a command with no `{}` and no name of anything given before `--`.
fn placeholder(command: &[OsString]) -> Option<&'static str> {
    let command: Vec<_> = command.iter().map(|word| word.to_string_lossy()).collect();
    let says = |part: &str| command.iter().any(|word| word.contains(part));
    let given = std::env::args_os().skip(1).take_while(|word| word != "--");
    let is_named = |word: OsString| Path::new(&word).file_name().is_some_and(|name| says(&name.to_string_lossy()));
    let found = PLACEHOLDERS.into_iter().find(|word| says(word))?;
    let is_silent =
        !says("{}") && !given.into_iter().any(|word| word == "--stdin" || word == "--arg" || is_named(word));
    is_silent.then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_misspelled_is_near() {
        for (typed, option) in [("--shel", "--shell"), ("--memory-max", "--memory"), ("--foce", "--force")] {
            assert!(is_near(typed, option), "{typed} is {option}");
        }
        for (typed, option) in [("--no-history", "--n"), ("--include", "--in"), ("--fast", "--ask")] {
            assert!(!is_near(typed, option), "{typed} is not {option}");
        }
    }

    #[test]
    fn an_option_of_a_word_after_one_dash_is_the_word() {
        let words = || ["-j2", "--test", "-test=./t", "a"].map(OsString::from).into_iter();
        assert_eq!(as_typed("-t", words()), "-test=./t");
        assert_eq!(as_typed("-x", words()), "-x");
        assert_eq!(as_typed("--test", words()), "--test");
    }
}
