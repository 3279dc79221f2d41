//! The table of commands. Help, usage, completions, the man page and what is done all follow from it: a new command is
//! a file in this folder, with its `mod` and its line here.

mod changes;
mod events;
mod explain;
mod fuzz;
mod history;
mod inquiry;
mod isolate;
mod log;
mod minima;
mod oracle;
mod play;
#[cfg(not(feature = "play"))]
mod playless;
mod record;
pub(super) mod reduce;
mod report;
mod resume;
mod schedule;
mod situation;
mod state;
mod step;
mod trace;
mod triage;
mod verify;
mod view;

use super::entry::Entry;

/// The commands, in the order of the help.
pub(super) const COMMANDS: &[Entry] = &[
    reduce::ENTRY,
    isolate::ENTRY,
    minima::ENTRY,
    fuzz::ENTRY,
    triage::ENTRY,
    oracle::ENTRY,
    changes::ENTRY,
    situation::ARGS,
    situation::ENV,
    situation::FILES,
    situation::ALL,
    events::ENTRY,
    play::ENTRY,
    record::ENTRY,
    trace::ENTRY,
    state::ENTRY,
    schedule::ENTRY,
    step::ENTRY,
    resume::ENTRY,
    verify::ENTRY,
    explain::ENTRY,
    log::ENTRY,
    history::ENTRY,
    report::ENTRY,
    view::ENTRY,
];

/// Returns the command that is called so.
pub(super) fn named(name: &str) -> Option<&'static Entry> {
    COMMANDS.iter().find(|entry| entry.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_commands_have_one_name() {
        let mut names: Vec<&str> = COMMANDS.iter().map(|entry| entry.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), COMMANDS.len());
    }

    #[test]
    fn the_commands_of_a_group_and_of_a_line_stand_together() {
        let mut groups: Vec<_> = COMMANDS.iter().map(|entry| entry.group as usize).collect();
        assert!(groups.is_sorted(), "{groups:?}");
        groups.dedup();
        assert_eq!(groups.len(), 6);
        let mut lines: Vec<&str> = COMMANDS.iter().filter_map(|entry| entry.line).collect();
        lines.dedup();
        let all = lines.len();
        lines.sort_unstable();
        lines.dedup();
        assert_eq!(lines.len(), all);
    }
}
