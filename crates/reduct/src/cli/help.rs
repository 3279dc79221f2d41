//! How the help is arranged: the commands in groups, the options in groups, and what `-h` leaves to `--help`.

use clap::{Arg, ArgAction, Command};
use std::fmt::Write;

/// The headings of the options that commands share, in their order.
pub(super) const TEST: &str = "Test";
pub(super) const FAILURE: &str = "Failure";
pub(super) const RESULT: &str = "Result";
pub(super) const SEARCH: &str = "Search";
pub(super) const LIMITS: &str = "Limits";
pub(super) const OUTPUT: &str = "Output";
/// The heading of those that say which versions are compared.
pub(super) const VERSIONS: &str = "Versions";

/// One command, whose own line describes it, or several with a line for all of them.
type Entry = (&'static str, Option<&'static str>);

/// The commands in groups.
const COMMANDS: &[(&str, &[Entry])] = &[
    (
        "Inputs",
        &[("reduce", None), ("isolate", None), ("minima", None), ("fuzz", None), ("triage", None), ("oracle", None)],
    ),
    ("Versions", &[("changes", None)]),
    ("Settings", &[("args, env, files, all", Some("Find the arguments, variables and files that a failure needs"))]),
    ("Actions", &[("events", None), ("play, record", Some("Play a record to a program; record what a user types"))]),
    ("Runs", &[("resume", None), ("verify", None), ("explain", None), ("log", None)]),
];

/// The page of the guide about each command.
const PAGES: &[(&str, &[&str])] = &[
    ("reduce", &["reduce"]),
    ("isolate", &["isolate"]),
    ("minima", &["minima"]),
    ("fuzz", &["fuzz"]),
    ("triage", &["triage"]),
    ("oracle", &["oracle"]),
    ("changes", &["changes"]),
    ("situations", &["args", "env", "files", "all"]),
    ("actions", &["events", "play", "record"]),
    ("runs", &["resume", "verify", "explain", "log"]),
];

const AFTER_SHORT: &str = "\
More: `reduct --help` (all options, examples), `reduct COMMAND -h`, and the guide: docs/README.md";

const AFTER_LONG: &str = "\
Exit status:
  0    done: the result is proved
  1    verify: the claim does not hold
  2    wrong use; nothing was changed
  3    the failure does not occur on the whole input; nothing was changed
  4    stopped early, or the result is not the smallest one found; the best result so far is on disk
  130  interrupted; the best result so far is on disk

Examples:
  reduct page.html -- ./browser --print {}      the failure is what the first run shows
  reduct crash.c -- gcc -O2 -c crash.c          the command may name the input instead of {}
  reduct ./interesting.sh crash.c               a script for C-Reduce or C-Vise, unchanged
  reduct isolate good.c bad.c -- ./cc {}        the smallest difference between the two
  reduct changes v1.2..v1.3 -- ./test.sh        the changes that broke it, as git bisect run
  reduct events s.txt -- reduct play {} -- ./p  the recorded actions that matter
  reduct fuzz -- ./calculator                   failures with unexpected inputs, each reduced
  reduct args -- gcc -O2 -Wall x.c              the arguments that matter; likewise env, files, all
  reduct resume                                 continue after any interruption

These are the options of a reduction. `reduct COMMAND --help` has those of each other command.
The guide: docs/README.md";

/// The command line with its help in order.
pub(super) fn arranged(command: Command) -> Command {
    let header = *command.get_styles().get_header();
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{header}Commands:{header:#}\n{}\n{{all-args}}{{after-help}}",
        commands(&command)
    );
    let names: Vec<String> = command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    let arranged = |command: Command, name: String| command.mut_subcommand(name, subcommand);
    let command = names.into_iter().fold(command, arranged).help_template(template);
    let command = command.mut_arg("files", |arg| arg.hide_short_help(true));
    let command = command.mut_arg("command", |arg| arg.hide_short_help(true));
    let version = flag("version", 'V', "Print the version").action(ArgAction::Version).help_heading(OUTPUT);
    let command = command.disable_version_flag(true).after_help(AFTER_SHORT).after_long_help(AFTER_LONG);
    with_help(command).arg(version)
}

/// The list of commands, a line each.
fn commands(command: &Command) -> String {
    let mut list = String::new();
    let about = |name: &str| command.find_subcommand(name).and_then(|it| it.get_about()).map(ToString::to_string);
    for (group, entries) in COMMANDS {
        let mut group = *group;
        for (names, says) in *entries {
            let says = says.map_or_else(|| about(names).unwrap_or_default(), str::to_owned);
            let _ = writeln!(list, "  {group:<9} {names:<22} {says}");
            group = "";
        }
    }
    list
}

/// One of the commands: the list at the top names it, and its help names its page of the guide.
fn subcommand(command: Command) -> Command {
    let name = command.get_name().to_owned();
    let page = PAGES.iter().find(|(_, names)| names.contains(&name.as_str())).map_or("reduce", |(page, _)| page);
    let guide = format!("The guide: docs/guide/{page}.md");
    let more = format!("More: `reduct {name} --help`. {guide}");
    with_help(command.hide(true).after_help(more).after_long_help(guide))
}

/// With `--help` among the options about output, if there are any.
fn with_help(command: Command) -> Command {
    let help = flag("help", 'h', "Print help; `-h` prints a summary").action(ArgAction::Help);
    let has_output = command.get_arguments().any(|arg| arg.get_help_heading() == Some(OUTPUT));
    let help = if has_output { help.help_heading(OUTPUT) } else { help };
    command.disable_help_flag(true).arg(help)
}

fn flag(name: &'static str, short: char, says: &'static str) -> Arg {
    Arg::new(name).long(name).short(short).help(says).hide_short_help(true).display_order(999)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn every_command_is_listed_and_has_its_page() {
        let command = crate::cli::Cli::command();
        let mut there: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
        let entries = COMMANDS.iter().flat_map(|(_, entries)| entries.iter());
        let mut listed: Vec<&str> = entries.flat_map(|(names, _)| names.split(", ")).collect();
        let mut paged: Vec<&str> = PAGES.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        [&mut there, &mut listed, &mut paged].into_iter().for_each(|names| names.sort_unstable());
        assert_eq!(there, listed);
        assert_eq!(there, paged);
    }

    #[test]
    fn the_command_line_is_consistent() {
        arranged(crate::cli::Cli::command()).debug_assert();
    }
}
