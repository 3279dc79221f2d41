//! Options of a new run, given to a command about a run that was begun: what to do instead.

use super::command;
use super::entry::Group;
use super::headings::{CONFINEMENT, FAILURE, LIMITS, RESULT, SEARCH, TEST, VERSIONS};
use clap::{Arg, Command};
use std::ffi::OsString;

/// Commands about runs that run tests.
const TESTING: &[&str] = &["resume", "verify", "explain"];
/// Names of options that say where a result goes.
const PLACES: &[&str] = &["--out", "-o", "--force"];
/// What a run keeps from its beginning stands below these headings of the help.
const KEPT: &[&str] = &[VERSIONS, TEST, FAILURE, RESULT, SEARCH, CONFINEMENT, LIMITS];

/// The number of jobs does not change an answer, and a test is kept apart.
const APART: [&str; 2] = ["jobs", "shell"];

/// Returns what to do instead of giving the command an option that it does not have, if it is about runs, and a run can be begun
/// with that option. `definition` is that of the command line.
pub(super) fn instead_of_kept(command: &str, name: &str, definition: &Command) -> Option<String> {
    if command::named(command)?.group != Group::Runs {
        return None;
    }
    let runs_tests = TESTING.contains(&command);
    if PLACES.contains(&name) {
        let tip = if runs_tests {
            "a run keeps the place of its result; copy the result from there"
        } else {
            "this prints to the terminal; `reduct report -o FILE` writes a page"
        };
        return Some(tip.into());
    }
    if name == "--explain" {
        return Some("`reduct explain` does that for a run that has ended".into());
    }
    let option = begins_a_run(name, definition)?;
    let resumes = definition.find_subcommand("resume").and_then(|resume| option_of(resume, name)).is_some();
    let long = option.get_long().unwrap_or_default();
    Some(match (resumes, runs_tests) {
        (true, true) => format!("this has no --{long}; `reduct resume` has"),
        (true, false) => format!("no test runs here; `reduct resume` has --{long}"),
        _ => "a run keeps its test, where that runs, its failure, its search and the limits of its tests; begin a new run to \
              change them"
            .into(),
    })
}

/// Returns the options of a line that was typed on which its answer depends, with their values, but for a test that is a line for the shell.
pub(super) fn options_that_count(command: &str, typed: &[OsString]) -> Vec<OsString> {
    let definition = super::definition();
    let Some(definition) = definition.find_subcommand(command) else { return vec![] };
    let mut words = typed.iter().skip(2).take_while(|word| *word != "--");
    let mut kept = vec![];
    while let Some(word) = words.next() {
        let text = word.to_string_lossy();
        let (name, is_whole) = match text.strip_prefix("--") {
            Some(long) => (format!("--{}", long.split('=').next().unwrap_or_default()), !long.contains('=')),
            // A value may stand behind the letter.
            None if text.starts_with('-') => (text.chars().take(2).collect(), text.chars().count() == 2),
            None => continue,
        };
        let Some(option) = option_of(definition, &name) else { continue };
        let values = if is_whole && option.get_action().takes_values() { values_of(option) } else { 0 };
        let all: Vec<OsString> = std::iter::once(word).chain(words.by_ref().take(values)).cloned().collect();
        if option.get_help_heading().is_some_and(|heading| KEPT.contains(&heading))
            && !PLACES.contains(&name.as_str())
            && !APART.contains(&option.get_id().as_str())
        {
            kept.extend(all);
        }
    }
    kept
}

/// Returns how many words are the values of an option.
fn values_of(option: &Arg) -> usize {
    option.get_num_args().map_or(1, |number| number.min_values())
}

/// Returns the option with which a run can be begun so that it keeps it.
fn begins_a_run<'d>(name: &str, definition: &'d Command) -> Option<&'d Arg> {
    let begin = command::COMMANDS.iter().filter(|entry| entry.group != Group::Runs);
    let mut found = begin.filter_map(|entry| option_of(definition.find_subcommand(entry.name)?, name));
    found.find(|option| option.get_help_heading().is_some_and(|heading| KEPT.contains(&heading)))
}

/// Returns the option of the command that has this name, or this other name.
pub(super) fn option_of<'d>(command: &'d Command, name: &str) -> Option<&'d Arg> {
    let is_it = |option: &&Arg| match name.strip_prefix("--") {
        Some(long) => {
            option.get_all_aliases().into_iter().flatten().chain(option.get_long()).any(|other| other == long)
        }
        None => option
            .get_all_short_aliases()
            .into_iter()
            .flatten()
            .chain(option.get_short())
            .any(|short| name[1..] == *short.encode_utf8(&mut [0; 4])),
    };
    command.get_arguments().find(is_it)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_options_that_count_are_kept_and_the_folder_and_the_test_are_not() {
        let of = |line: &[&str]| -> Vec<String> {
            let words: Vec<OsString> = line.iter().map(OsString::from).collect();
            options_that_count("triage", &words).into_iter().map(|word| word.into_string().unwrap()).collect()
        };
        let line = ["reduct", "triage", "--fails-if", "a b", "in", "-j2", "-q", "--no-reduce", "--", "./p", "--bare"];
        assert_eq!(of(&line), ["--fails-if", "a b", "--no-reduce"]);
        let line = ["reduct", "triage", "in", "-c", "./p {}", "--why", "a", "b", "-j", "2", "--language=c", "-oout"];
        assert_eq!(of(&line), ["--language=c"]);
        assert_eq!(of(&["reduct", "triage", "in", "--shell=./p {}", "--jobs", "3"]), Vec::<String>::new());
        assert_eq!(of(&[]), Vec::<String>::new());
    }
}
