//! Options of a new run, given to a command about a run that was begun: what to do instead.

use super::command;
use super::entry::Group;
use super::headings::{CONFINEMENT, FAILURE, LIMITS, RESULT, SEARCH, TEST, VERSIONS};
use clap::{Arg, Command};

/// Commands about runs that run tests.
const TESTING: &[&str] = &["resume", "verify", "explain"];
/// Names of options that say where a result goes.
const PLACES: &[&str] = &["--out", "-o", "--force"];
/// What a run keeps from its beginning stands below these headings of the help.
const KEPT: &[&str] = &[VERSIONS, TEST, FAILURE, RESULT, SEARCH, CONFINEMENT, LIMITS];

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
