//! How the help is arranged: the commands in groups, the options in groups, and what `-h` leaves to `--help`.

use super::command::{self, COMMANDS};
use super::headings::OUTPUT;
use clap::{Arg, ArgAction, Command};
use std::fmt::Write;

const AFTER_SHORT: &str = "\
More: `reduct --help` (all options, examples), `reduct COMMAND -h`, and the guide: docs/README.md";

const AFTER_LONG: &str = "\
Exit status:
  0    done: the result is proved
  1    verify: the claim does not hold
  2    wrong use; nothing was changed
  3    the failure does not occur on the whole input, or in no schedule that `schedule` tried;
       nothing was changed
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

/// Returns the command line with its help in order.
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

/// Returns the list of commands, a line each; those with a line in common share it.
fn commands(command: &Command) -> String {
    let (mut list, mut group) = (String::new(), None);
    let about = |name: &str| command.find_subcommand(name).and_then(|it| it.get_about()).map(ToString::to_string);
    for row in COMMANDS.chunk_by(|one, next| one.line.is_some() && one.line == next.line) {
        let names: Vec<&str> = row.iter().map(|entry| entry.name).collect();
        let says = row[0].line.map_or_else(|| about(names[0]).unwrap_or_default(), str::to_owned);
        let title = if group.replace(row[0].group) == group { String::new() } else { format!("{:?}", row[0].group) };
        let _ = writeln!(list, "  {title:<9} {:<24} {says}", names.join(", "));
    }
    list
}

/// Returns one of the commands: the list at the top names it, and its help names its page of the guide.
fn subcommand(it: Command) -> Command {
    let name = it.get_name().to_owned();
    let page = command::named(&name).map_or("reduce", |entry| entry.page);
    let guide = format!("The guide: docs/guide/{page}.md");
    let more = format!("More: `reduct {name} --help`. {guide}");
    with_help(it.hide(true).after_help(more).after_long_help(guide))
}

/// Returns the command with `--help` among the options about output, if there are any.
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
    #[test]
    fn the_command_line_is_consistent() {
        crate::cli::definition().debug_assert();
    }
}
