//! The changes to blame, in words: who made them, where they are, and what comes of undoing them.

mod consequences;

use crate::{difference, excerpt, human, remarks};
use reduct_core::{Config, Outcome};
use reduct_input::About;
use reduct_sources::Remark;
use reduct_strategies::{Cause, Causes, VersionView};
use std::path::PathBuf;

/// What is said of all causes.
pub(crate) const NOT_ALWAYS_WRONG: &str =
    "What broke it is not always what is wrong: a change may bring to light an older defect.";

/// The patch that a search which is still under way, or has found nothing, has as its answer.
pub const SO_FAR: &str = "so-far.patch";

/// So many files are named in the text; all are in the JSON.
const MOST_FILES: usize = 12;

/// What was found in the changes between two versions.
pub struct Blamed<'a> {
    /// The causes, and where the search is.
    pub search: &'a Causes,
    /// Whether it came to its end.
    pub is_done: bool,
    /// What the two versions are called, the one that passes first.
    pub names: &'a [String; 2],
    /// What is to be known of the versions.
    pub notes: &'a [Remark],
    /// What the user has, and knows the names of: what fails.
    pub seen: &'a VersionView,
}

impl Blamed<'_> {
    /// Returns all that is to be said, line by line.
    pub fn lines(&self) -> Vec<String> {
        let mut lines: Vec<String> =
            self.notes.iter().map(|note| format!("Note: {}.", remarks::describe(note))).collect();
        let found = self.search.found();
        for (at, cause) in found.iter().enumerate() {
            lines.push(match found.len() {
                1 => "What broke it:".to_owned(),
                all => format!("What broke it, cause {} of {all}:", at + 1),
            });
            for (number, part) in cause.parts.iter().enumerate() {
                if number > 0 {
                    lines.push("  together with".into());
                }
                self.part(&mut lines, &cause.failing, part);
            }
            self.around(&mut lines, cause);
            lines.extend(self.consequences(at, cause).into_iter().map(|line| format!("  {line}")));
        }
        self.unfinished(&mut lines);
        if found.iter().any(works_again) {
            lines.push(NOT_ALWAYS_WRONG.into());
        }
        lines
    }

    /// Says where to look, if the search ended early.
    fn unfinished(&self, lines: &mut Vec<String>) {
        let Some((parts, among)) = self.search.unfinished(self.is_done) else { return };
        let failing = self.search.sides().1;
        for part in parts {
            lines.push("A part of what broke it:".into());
            self.part(lines, &failing, part);
        }
        if among.is_empty() {
            return;
        }
        let (what, part) = match (parts, self.search.found()) {
            ([], []) => ("What broke it", ", or a part of it,"),
            ([], _) => ("Another cause", ", or a part of it,"),
            _ => ("Another part", ""),
        };
        lines.push(format!(
            "{what}{part} is among {} of {}, in:",
            human::counted(among.len() as u64, "changed lines"),
            human::counted(self.search.changes_of(&among).len() as u64, "changes")
        ));
        let files = self.files_of(&among);
        lines.extend(files.iter().take(MOST_FILES).map(|file| format!("  {}", excerpt::clean(file))));
        if files.len() > MOST_FILES {
            lines.push(format!("  … and {}", human::counted((files.len() - MOST_FILES) as u64, "more files")));
        }
        if self.search.found().is_empty() {
            let [passing, failing] = self.names;
            lines.push(format!(
                "{SO_FAR} has all of it: it separates a version that works from one that fails, both between {passing} \
                 and {failing}."
            ));
        }
    }

    /// Says who made a part of a cause, and where it is in what fails.
    fn part(&self, lines: &mut Vec<String>, failing: &Config, part: &Config) {
        for about in self.search.changes_of(part) {
            lines.extend(headline(about).into_iter().map(|line| format!("  {line}")));
        }
        let without = self.search.weave().without(failing, part);
        self.difference(lines, &without, failing);
    }

    /// Says what a cause fails with that fails neither alone nor without it: what is wrong may stand there.
    fn around(&self, lines: &mut Vec<String>, cause: &Cause) {
        let Some(failing) = self.search.failing_with_group(cause) else { return };
        let parts = cause.parts.iter().fold(Config::empty(), |all, part| all.union(part));
        let alone = self.search.given_with(&parts);
        let rest = failing.minus(&alone);
        if rest.is_empty() {
            return;
        }
        lines.push(format!(
            "  only with more of what goes together ({}), some of which may be what is wrong",
            lines_of(&rest)
        ));
        let (known, more) = (self.search.changes_of(&parts), self.search.changes_of(&rest));
        let is_new = |about: &&&About| !known.iter().any(|known| known.id == about.id);
        for about in more.iter().filter(is_new) {
            lines.extend(headline(about).into_iter().map(|line| format!("  {line}")));
        }
        self.difference(lines, &alone, &failing);
    }

    /// Says what differs between two versions, as the reader knows it.
    fn difference(&self, lines: &mut Vec<String>, passing: &Config, failing: &Config) {
        if let (Some(passing), Some(failing)) = (self.search.candidate(passing), self.search.candidate(failing)) {
            let excerpt = difference::excerpt_seen(&passing, &failing, self.seen);
            lines.extend(excerpt.into_iter().map(|line| format!("    {line}")));
        }
    }

    /// Returns which files these are in, by their names in what fails.
    fn files_of(&self, deltas: &Config) -> Vec<String> {
        let paths = self.search.weave().names_in(self.seen, deltas);
        paths.into_iter().map(|path| path.display().to_string()).collect()
    }
}

/// Returns whether undoing a cause mends what it broke.
fn works_again(cause: &Cause) -> bool {
    let with = cause.undone_with.as_ref().map(|tried| tried.outcome);
    [cause.undone, with].contains(&Some(Outcome::Pass))
}

/// Returns as many paths as a reader wants to see.
fn listed(paths: &[PathBuf]) -> String {
    let mut names: Vec<String> = paths.iter().take(MOST_FILES).map(|path| path.display().to_string()).collect();
    names.extend((paths.len() > MOST_FILES).then(|| format!("{} more", paths.len() - MOST_FILES)));
    excerpt::clean(&names.join(", "))
}

fn lines_of(deltas: &Config) -> String {
    human::counted(deltas.len() as u64, "lines")
}

/// Returns who made a change, when, and what it is.
fn headline(about: &About) -> Vec<String> {
    let About { id, author, date, subject } = about;
    // The difference of two folders, which everybody knows.
    if id.is_empty() {
        return vec![];
    }
    let is_name = id.len() >= 40 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    let id = if is_name { &id[..10] } else { id };
    let parts = [id, author, date].into_iter().filter(|part| !part.is_empty());
    let first = parts.map(excerpt::clean).collect::<Vec<_>>().join("  ");
    let subject = excerpt::clean(subject);
    [first, subject].into_iter().filter(|line| !line.is_empty()).collect()
}

/// Returns how a person sees what a command does with a version.
pub fn by_hand(command: &str) -> String {
    format!("to see it by hand, in a fresh copy of that version: {command}; echo \"exit status $?\"")
}

/// What became of the two trees of each cause, one that passes and one that fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trees {
    /// They are there.
    Kept {
        /// The folder of all of them.
        place: PathBuf,
        /// Whether the two differ in the cause and nothing else.
        differ_in_it_alone: bool,
    },
    /// They take more room than is worth it.
    TooLarge,
    /// They could not be written.
    NotKept(String),
}

impl Trees {
    /// Returns what is to be said of them.
    pub fn describe(&self) -> String {
        match self {
            Trees::Kept { place, differ_in_it_alone } => {
                let differ = if *differ_in_it_alone { " that differ in it alone" } else { "" };
                format!("Two trees{differ}, one that works and one that fails: {}", place.display())
            }
            Trees::TooLarge => "The two trees are too large to be kept; the patches make them.".into(),
            Trees::NotKept(why) => format!("The two trees could not be kept ({why}); the patches make them."),
        }
    }
}
