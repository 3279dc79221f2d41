//! What was found: the changes to blame, for a person, for a program, and as patches.

mod json;
pub(super) mod patches;
mod trees;

pub(super) use trees::trees;

use patches::{SO_FAR, Shown};
use reduct_core::{Config, Outcome};
use reduct_input::{About, Builder, Candidate, Circumstances};
use reduct_report::{difference, human, remarks};
use reduct_session::event::{Ended, Why};
use reduct_sources::Remark;
use reduct_strategies::{Cause, Causes, Seen, Tried};
use std::ffi::OsStr;
use std::path::PathBuf;

/// All that is to be said.
pub(super) struct Answer<'a> {
    search: &'a Causes,
    ended: &'a Ended,
    names: &'a [String; 2],
    notes: &'a [Remark],
    /// What the user has, and knows the names of: what fails.
    seen: Seen,
}

/// Returns a folder with these files.
pub(super) fn folder(files: impl IntoIterator<Item = (String, Vec<u8>)>) -> Candidate {
    let mut files: Vec<(String, Vec<u8>)> = files.into_iter().collect();
    files.sort();
    let mut builder = Builder::default();
    for (name, contents) in files {
        // They are far below what can be addressed.
        let _ = builder.file(name, 0o644, &contents);
    }
    Candidate::whole(builder.finish().into())
}

/// So many files are named for who reads; all are in the JSON.
const MOST_FILES: usize = 12;

impl<'a> Answer<'a> {
    pub(super) fn new(search: &'a Causes, ended: &'a Ended, names: &'a [String; 2], notes: &'a [Remark]) -> Answer<'a> {
        let weave = search.weave();
        Answer { search, ended, names, notes, seen: weave.seen(&Config::full(weave.len())) }
    }

    /// Returns the files of the answer.
    pub(super) fn files(&self) -> Candidate {
        let text: String = self.lines().iter().map(|line| format!("{line}\n")).collect();
        let json = serde_json::to_string_pretty(&self.json()).unwrap_or_default() + "\n";
        let mut files = vec![("answer.txt".to_owned(), text.into_bytes()), ("answer.json".to_owned(), json.into())];
        for (at, cause) in self.search.found().iter().enumerate() {
            files.extend(patches::of_cause(self.search, at, cause));
        }
        if self.search.found().is_empty() {
            let (passing, failing) = self.search.sides();
            files.push((SO_FAR.into(), patches::between(self.search, &passing, &failing)));
        }
        folder(files)
    }

    /// Returns the answer, line by line.
    pub(super) fn lines(&self) -> Vec<String> {
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
            lines
                .push("What broke it is not always what is wrong: a change may bring to light an older defect.".into());
        }
        lines
    }

    /// Of a search that ended early, the parts of a cause that are known, and what another part is among.
    fn open(&self) -> Option<(&[Config], Config)> {
        if self.ended.why == Why::Done && !self.search.found().is_empty() {
            return None;
        }
        let (passing, failing) = self.search.sides();
        self.search.open().or_else(|| self.search.found().is_empty().then(|| (&[][..], failing.minus(&passing))))
    }

    /// Where to look, if the search ended early.
    fn unfinished(&self, lines: &mut Vec<String>) {
        let Some((parts, among)) = self.open() else { return };
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
            human::counted(self.changes(&among).len() as u64, "changes")
        ));
        let files = self.files_of(&among);
        lines.extend(files.iter().take(MOST_FILES).map(|file| format!("  {}", reduct_report::excerpt::clean(file))));
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

    /// Who made a part of a cause, and where it is in what fails.
    fn part(&self, lines: &mut Vec<String>, failing: &Config, part: &Config) {
        for about in self.changes(part) {
            lines.extend(headline(about).into_iter().map(|line| format!("  {line}")));
        }
        let without = self.search.weave().without(failing, part);
        if let (Some(passing), Some(failing)) = (self.search.candidate(&without), self.search.candidate(failing)) {
            let excerpt = difference::excerpt_seen(&passing, &failing, &self.seen);
            lines.extend(excerpt.into_iter().map(|line| format!("    {line}")));
        }
    }

    /// What a cause fails with that fails neither alone nor without it: what is wrong may stand there.
    fn around(&self, lines: &mut Vec<String>, cause: &Cause) {
        let Some(failing) = patches::group(self.search, cause) else { return };
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
        let (known, more) = (self.changes(&parts), self.changes(&rest));
        let is_new = |about: &&&About| !known.iter().any(|known| known.id == about.id);
        for about in more.iter().filter(is_new) {
            lines.extend(headline(about).into_iter().map(|line| format!("  {line}")));
        }
        if let (Some(alone), Some(failing)) = (self.search.candidate(&alone), self.search.candidate(&failing)) {
            let excerpt = difference::excerpt_seen(&alone, &failing, &self.seen);
            lines.extend(excerpt.into_iter().map(|line| format!("    {line}")));
        }
    }

    fn consequences(&self, at: usize, cause: &Cause) -> Vec<String> {
        let [passing, failing] = self.names;
        let mut lines = vec![];
        self.alone(&mut lines, at, cause);
        let without_it = if at == 0 { "without it" } else { "without it and the causes before it" };
        let how = if cause.dependents.is_empty() {
            String::new()
        } else {
            let changes = human::counted(self.changes(&cause.dependents).len() as u64, "changes");
            let lines = lines_of(&cause.dependents);
            format!(" (by itself it conflicts: {lines} of {changes} build on it, and were undone too)")
        };
        lines.extend(match cause.undone {
            Some(Outcome::Pass) => Some(format!("{failing} {without_it} works again{how}.")),
            Some(Outcome::Fail) => Some(format!("{failing} {without_it} still fails, for another reason{how}.")),
            Some(Outcome::Unresolved) => Some(format!("{failing} {without_it} cannot be built or told{how}.")),
            None => None,
        });
        if let Some(Tried { level, deltas, outcome }) = &cause.undone_with {
            let without = format!("{failing} without all changes of that {} ({})", level.name(), lines_of(deltas));
            lines.extend(match outcome {
                Outcome::Pass => Some(format!("{without} works again.")),
                Outcome::Fail => Some(format!("{without} still fails, for another reason.")),
                Outcome::Unresolved => None,
            });
        }
        if let Shown::Between(left_out) = patches::shown(self.search, cause) {
            let number = at + 1;
            let but = match &left_out[..] {
                [] => String::new(),
                paths => format!(", but for what no patch can tell of {}", listed(paths)),
            };
            let last = if cause.parts.len() > 1 { " (the last of these)" } else { "" };
            lines.push(format!(
                "It was seen between two other versions: before-{number}.patch makes of {passing} one that works, \
                 difference-{number}.patch{last} of that one that fails{but}."
            ));
        }
        lines
    }

    /// What the version that passes does with a cause, and nothing else.
    fn alone(&self, lines: &mut Vec<String>, at: usize, cause: &Cause) {
        let passing = &self.names[0];
        let it = if cause.parts.len() > 1 { "just these" } else { "just this" };
        let it = match cause.needs.len() {
            0 => it.to_owned(),
            _ => format!("{it} and the {} it builds on", lines_of(&cause.needs)),
        };
        lines.push(match cause.alone {
            Outcome::Fail => format!("{passing} with {it} fails."),
            Outcome::Pass => format!("{passing} with {it} still works."),
            Outcome::Unresolved => {
                format!("{passing} with {it} cannot be told: perhaps it needs other changes to be built or run.")
            }
        });
        if let Shown::Partly(paths) = patches::shown(self.search, cause) {
            let paths = listed(&paths);
            let number = at + 1;
            lines.push(format!(
                "difference-{number}.patch is not all of it: no patch can tell in what these differ: {paths}. The trees do."
            ));
        }
        if let Some(Tried { level, deltas, outcome }) = &cause.alone_with {
            let with = format!("{passing} with all changes of that {} ({})", level.name(), lines_of(deltas));
            lines.extend(match outcome {
                Outcome::Fail if patches::group(self.search, cause).is_some() => {
                    Some(format!("{with} fails: group-{}.patch.", at + 1))
                }
                Outcome::Fail => Some(format!("{with} fails.")),
                Outcome::Pass => Some(format!("{with} still works.")),
                Outcome::Unresolved => None,
            });
        }
    }

    /// Who made these.
    fn changes(&self, deltas: &Config) -> Vec<&About> {
        let mut numbers: Vec<usize> = deltas.iter().map(|delta| self.search.weave().change_of(delta)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let all: Vec<&About> = self.search.weave().changes().collect();
        numbers.into_iter().map(|number| all[number]).collect()
    }

    /// Returns which files these are in, by their names in what fails.
    fn files_of(&self, deltas: &Config) -> Vec<String> {
        let paths = self.search.weave().names_in(&self.seen, deltas);
        paths.into_iter().map(|path| path.display().to_string()).collect()
    }
}

/// Returns whether undoing a cause mends what it broke.
fn works_again(cause: &Cause) -> bool {
    let with = cause.undone_with.as_ref().map(|tried| tried.outcome);
    [cause.undone, with].contains(&Some(Outcome::Pass))
}

/// So many as a reader wants to see.
fn listed(paths: &[PathBuf]) -> String {
    let mut names: Vec<String> = paths.iter().take(MOST_FILES).map(|path| path.display().to_string()).collect();
    names.extend((paths.len() > MOST_FILES).then(|| format!("{} more", paths.len() - MOST_FILES)));
    reduct_report::excerpt::clean(&names.join(", "))
}

fn lines_of(deltas: &Config) -> String {
    human::counted(deltas.len() as u64, "lines")
}

/// Who, when, what.
fn headline(about: &About) -> Vec<String> {
    let About { id, author, date, subject } = about;
    // The difference of two folders, which everybody knows.
    if id.is_empty() {
        return vec![];
    }
    let is_name = id.len() >= 40 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    let id = if is_name { &id[..10] } else { id };
    let parts = [id, author, date].into_iter().filter(|part| !part.is_empty());
    let first = parts.map(reduct_report::excerpt::clean).collect::<Vec<_>>().join("  ");
    let subject = reduct_report::excerpt::clean(subject);
    [first, subject].into_iter().filter(|line| !line.is_empty()).collect()
}

/// Returns whether a file of an answer is called so.
pub(super) fn is_of_an_answer(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    ["answer.txt", "answer.json", "so-far.patch"].contains(&&*name)
        || name.ends_with(".patch")
            && ["cause-", "group-", "difference-", "before-", "undo-"].iter().any(|of| name.starts_with(of))
}
