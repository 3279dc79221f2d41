//! Where it comes from what a candidate does: a command that is run for each, a server that is asked about one after the
//! other, or a person. This is the only file that tells them apart.

use serde::{Deserialize, Serialize};
use std::time::{SystemTime, UNIX_EPOCH};

/// A person is asked instead of a test being run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PersonOptions {
    /// When that was begun, in nanoseconds since 1970: what is answered in one run is not taken for an answer in
    /// another one, which may be about another failure.
    pub since: u64,
    /// How the person is asked.
    #[serde(default)]
    pub by: Means,
}

/// How a person is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Means {
    /// At this terminal, or at the other end of standard input.
    #[default]
    Terminal,
    /// On a page, and at the terminal if there is one.
    Page,
    /// Likewise, and the page is opened.
    Browser,
}

impl PersonOptions {
    /// Returns the options of a person who is asked from now on.
    pub fn now(by: Means) -> PersonOptions {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        PersonOptions { since: u64::try_from(since.as_nanos()).unwrap_or(u64::MAX), by }
    }
}

/// How a server is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum ServerInput {
    /// It gets the contents of the candidate, which is a file.
    Contents,
    /// It is told where the candidate stands.
    Path,
}

/// Where it comes from what a candidate does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TestSource {
    /// A command is run for each candidate.
    Command,
    /// A server is asked about one candidate after the other.
    Server(ServerInput),
    /// A person looks at each candidate. The command only shows it.
    Person(PersonOptions),
}

impl TestSource {
    /// Returns whether a command is run for each candidate: what other programs could do, too.
    pub fn is_command(self) -> bool {
        self == TestSource::Command
    }

    /// Returns how the server is asked, if one is.
    pub fn server(self) -> Option<ServerInput> {
        if let TestSource::Server(input) = self { Some(input) } else { None }
    }

    /// Returns how the person is asked, if one is.
    pub fn person(self) -> Option<PersonOptions> {
        if let TestSource::Person(options) = self { Some(options) } else { None }
    }

    /// Returns whether it has to be seen first that the whole input fails, and how. A person's word is taken for it.
    pub(crate) fn needs_baseline(self) -> bool {
        self.person().is_none()
    }

    /// Returns whether what it says rests on files and variables, which are watched then.
    pub(crate) fn rests_on_files(self) -> bool {
        self.person().is_none()
    }

    /// Returns whether it can be asked the same twice. Nobody is.
    pub(crate) fn repeats(self) -> bool {
        self.person().is_none()
    }

    /// Returns whether it may need the project that the input stands in.
    pub(crate) fn may_need_a_project(self) -> bool {
        self.is_command()
    }

    /// Returns since when it has been asked, if what it said earlier was about something else.
    pub(crate) fn asked_since(self) -> Option<u64> {
        self.person().map(|options| options.since)
    }

    /// Returns how many candidates it can look at at a time, if so many are `wanted`, or as many as there are cores. A
    /// person is one slot.
    pub(crate) fn slots(self, wanted: Option<usize>) -> usize {
        if self.person().is_some() { 1 } else { wanted.unwrap_or_else(reduct_system::cores::usable) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One person has one pair of eyes, and what was answered once is known; machines are asked as often as it takes.
    #[test]
    fn a_person_is_asked_one_question_at_a_time_and_none_twice() {
        let person = TestSource::Person(PersonOptions { since: 7, by: Means::Page });
        let server = TestSource::Server(ServerInput::Path);
        let asked = |source: TestSource| (source.slots(Some(8)), source.repeats(), source.needs_baseline());
        assert_eq!(asked(person), (1, false, false));
        assert_eq!(asked(server), (8, true, true));
        assert_eq!(asked(TestSource::Command), (8, true, true));
        assert_eq!([person, server].map(TestSource::asked_since), [Some(7), None]);
        assert_eq!([person, server, TestSource::Command].map(TestSource::is_command), [false, false, true]);
    }
}
