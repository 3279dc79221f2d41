//! What the table of commands holds of each: how it is called, listed, read and done.

use super::common::Common;
use super::view::Looks;
use clap::{ArgMatches, Command};
use reduct_lib::Refusal;
use std::process::ExitCode;

/// The words of a command line, and what is done with them.
pub(super) trait CommandArgs {
    /// Does what they say, and returns the exit status.
    fn run(&self) -> Result<ExitCode, Refusal>;

    /// Returns what is said of the test, if the command runs one that was given with it.
    fn common(&self) -> Option<&Common> {
        None
    }

    /// Returns what is said of the output, if the command lets that be chosen.
    fn looks(&self) -> Option<&Looks> {
        self.common().map(Common::looks)
    }

    /// Returns whether a test is told where its candidate is.
    fn is_told_its_candidate(&self) -> bool {
        true
    }
}

/// The groups of commands, in the order of the help.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Group {
    Inputs,
    Versions,
    Settings,
    Actions,
    Program,
    Runs,
}

/// A command. Its help is the doc comment of its arguments.
pub(super) struct Entry {
    /// The word by which it is called.
    pub(super) name: &'static str,
    pub(super) group: Group,
    /// Its page of the guide: `docs/guide/PAGE.md`.
    pub(super) page: &'static str,
    /// The line of the list for it and for its neighbours that have the same; `None` for its own.
    pub(super) line: Option<&'static str>,
    /// Adds its arguments and its help.
    augment: fn(Command) -> Command,
    read: Read,
}

type Read = fn(&ArgMatches) -> Result<Box<dyn CommandArgs>, clap::Error>;

impl Entry {
    /// Returns the entry of the command whose arguments are `A`.
    pub(super) const fn of<A: clap::Args + CommandArgs + 'static>(
        name: &'static str,
        group: Group,
        page: &'static str,
    ) -> Entry {
        Entry { name, group, page, line: None, augment: A::augment_args, read: read::<A> }
    }

    /// Returns the same entry with a line for several commands.
    pub(super) const fn listed(self, line: &'static str) -> Entry {
        Entry { line: Some(line), ..self }
    }

    /// Returns how it is called, for clap.
    pub(super) fn command(&self) -> Command {
        (self.augment)(Command::new(self.name))
    }

    /// Reads the words behind its name.
    ///
    /// # Errors
    /// If they are none of its.
    pub(super) fn read(&self, matches: &ArgMatches) -> Result<Box<dyn CommandArgs>, clap::Error> {
        (self.read)(matches)
    }
}

fn read<A: clap::Args + CommandArgs + 'static>(matches: &ArgMatches) -> Result<Box<dyn CommandArgs>, clap::Error> {
    Ok(Box::new(A::from_arg_matches(matches)?))
}
