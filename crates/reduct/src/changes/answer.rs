//! What was found: the changes to blame, for a person, for a program, and as patches.

use super::bench::Bench;
use crate::errors::Refusal;
use reduct_circumstances::{About, Builder, Candidate, Cause, Causes, Circumstances, Tried, patch};
use reduct_core::{Config, Outcome};
use reduct_report::{difference, human};
use reduct_run::event::{Ended, Why};
use serde::Serialize;
use std::path::Path;

/// All that is to be said.
pub(super) struct Answer<'a> {
    pub search: &'a Causes,
    pub ended: &'a Ended,
    pub names: &'a [String; 2],
    pub notes: &'a [String],
}

/// A folder with these files.
pub(super) fn folder<'a>(files: impl IntoIterator<Item = (&'a str, Vec<u8>)>) -> Candidate {
    let mut files: Vec<(&str, Vec<u8>)> = files.into_iter().collect();
    files.sort();
    let mut builder = Builder::default();
    for (name, contents) in files {
        // They are far below what can be addressed.
        let _ = builder.file(name, 0o644, &contents);
    }
    Candidate::whole(builder.finish().into())
}

/// The answer for programs.
#[derive(Serialize)]
struct Json<'a> {
    passing: &'a str,
    failing: &'a str,
    done: bool,
    causes: Vec<JsonCause<'a>>,
    tests: u64,
    runs: u64,
    unresolved: u64,
}

#[derive(Serialize)]
struct JsonCause<'a> {
    /// The changes that it takes together; one, mostly.
    parts: Vec<JsonPart<'a>>,
    /// What the version that passes does with this alone.
    alone: &'static str,
    /// If that could not be told, what it does with all of a group of changes.
    alone_with: Option<JsonTried>,
    /// What the version that fails does without it and the causes before it.
    undone: Option<&'static str>,
    /// If that could not be told, what it does without all of a group of changes.
    undone_with: Option<JsonTried>,
    /// The changes that build on it.
    dependents: Vec<&'a str>,
    patch: String,
    undo: String,
}

#[derive(Serialize)]
struct JsonTried {
    group: &'static str,
    lines: usize,
    outcome: &'static str,
}

#[derive(Serialize)]
struct JsonPart<'a> {
    changes: Vec<JsonChange<'a>>,
    files: Vec<String>,
    lines: usize,
    patch: String,
}

#[derive(Serialize)]
struct JsonChange<'a> {
    id: &'a str,
    author: &'a str,
    date: &'a str,
    subject: &'a str,
}

impl Answer<'_> {
    /// The files of the answer.
    pub(super) fn files(&self) -> Candidate {
        let text: String = self.lines().iter().map(|line| format!("{line}\n")).collect();
        let json = serde_json::to_string_pretty(&self.json()).unwrap_or_default() + "\n";
        let mut files = vec![("answer.txt".to_owned(), text.into_bytes()), ("answer.json".to_owned(), json.into())];
        for (at, cause) in self.search.found().iter().enumerate() {
            files.push((format!("cause-{}.patch", at + 1), self.patch(&cause.passing, &cause.failing)));
            files.push((format!("undo-{}.patch", at + 1), self.undo(cause)));
        }
        if self.search.found().is_empty() {
            let (passing, failing) = self.search.sides();
            files.push(("so-far.patch".into(), self.patch(&passing, &failing)));
        }
        folder(files.iter().map(|(name, contents)| (name.as_str(), contents.clone())))
    }

    /// The answer, line by line.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.notes.iter().map(|note| format!("Note: {note}.")).collect();
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
                self.part(&mut lines, cause, part);
            }
            lines.extend(self.consequences(at, cause).into_iter().map(|line| format!("  {line}")));
        }
        if found.is_empty() {
            let (passing, failing) = self.search.sides();
            let left = failing.minus(&passing);
            let changes = self.changes(&left).len();
            lines.push(format!(
                "It is among {} of {}.",
                human::counted(left.len() as u64, "changed lines"),
                human::counted(changes as u64, "changes")
            ));
        }
        if found.iter().any(works_again) {
            lines
                .push("What broke it is not always what is wrong: a change may bring to light an older defect.".into());
        }
        lines
    }

    fn part(&self, lines: &mut Vec<String>, cause: &Cause, part: &Config) {
        for about in self.changes(part) {
            lines.extend(headline(about).into_iter().map(|line| format!("  {line}")));
        }
        let without = self.search.weave().without(&cause.failing, part);
        if let (Some(passing), Some(failing)) = (self.search.candidate(&without), self.search.candidate(&cause.failing))
        {
            lines.extend(difference::excerpt(&passing, &failing).into_iter().map(|line| format!("    {line}")));
        }
    }

    fn consequences(&self, at: usize, cause: &Cause) -> Vec<String> {
        let [passing, failing] = self.names;
        let it = if cause.parts.len() > 1 { "just these" } else { "just this" };
        let it = match cause.needs.len() {
            0 => it.to_owned(),
            _ => format!("{it} and the {} it builds on", lines_of(&cause.needs)),
        };
        let without_it = if at == 0 { "without it" } else { "without it and the causes before it" };
        let mut lines = vec![];
        lines.push(match cause.alone {
            Outcome::Fail => format!("{passing} with {it} fails."),
            Outcome::Pass => format!("{passing} with {it} still works."),
            Outcome::Unresolved => {
                format!("{passing} with {it} cannot be told: it needs other changes to be built or run.")
            }
        });
        if let Some(Tried { level, deltas, outcome }) = &cause.alone_with {
            let with = format!("{passing} with all changes of that {} ({})", level.name(), lines_of(deltas));
            lines.extend(match outcome {
                Outcome::Fail => Some(format!("{with} fails.")),
                Outcome::Pass => Some(format!("{with} still works.")),
                Outcome::Unresolved => None,
            });
        }
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
        lines
    }

    fn json(&self) -> Json<'_> {
        let text = |patch: Vec<u8>| String::from_utf8_lossy(&patch).into_owned();
        let causes = self.search.found().iter().map(|cause| {
            let part = |part: &Config| JsonPart {
                changes: self.changes(part).into_iter().map(change).collect(),
                files: self.files_of(part),
                lines: part.len(),
                patch: text(self.patch(&self.search.weave().without(&cause.failing, part), &cause.failing)),
            };
            JsonCause {
                parts: cause.parts.iter().map(part).collect(),
                alone: cause.alone.name(),
                alone_with: cause.alone_with.as_ref().map(tried),
                undone: cause.undone.map(Outcome::name),
                undone_with: cause.undone_with.as_ref().map(tried),
                dependents: self.changes(&cause.dependents).into_iter().map(|about| about.id.as_str()).collect(),
                patch: text(self.patch(&cause.passing, &cause.failing)),
                undo: text(self.undo(cause)),
            }
        });
        let causes = causes.collect();
        let [passing, failing] = self.names;
        let Ended { asked, runs, unresolved, why, .. } = self.ended;
        let done = *why == Why::Done;
        Json { passing, failing, done, causes, tests: *asked, runs: *runs, unresolved: *unresolved }
    }

    /// From all that fails, so that it applies there, to what is left without this cause, what builds on it and
    /// the causes before it.
    fn undo(&self, cause: &Cause) -> Vec<u8> {
        let weave = self.search.weave();
        self.patch(&Config::full(weave.len()), &weave.without(&cause.whole, &cause.undoing()))
    }

    fn patch(&self, old: &Config, new: &Config) -> Vec<u8> {
        match (self.search.candidate(old), self.search.candidate(new)) {
            (Some(old), Some(new)) => patch::unified(&old, &new),
            _ => vec![],
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

    fn files_of(&self, deltas: &Config) -> Vec<String> {
        let paths = deltas.iter().flat_map(|delta| self.search.weave().paths_of(delta));
        let mut paths: Vec<String> = paths.map(|path| path.display().to_string()).collect();
        paths.sort();
        paths.dedup();
        paths
    }
}

fn tried(tried: &Tried) -> JsonTried {
    JsonTried { group: tried.level.name(), lines: tried.deltas.len(), outcome: tried.outcome.name() }
}

/// Whether undoing a cause mends what it broke.
fn works_again(cause: &Cause) -> bool {
    let with = cause.undone_with.as_ref().map(|tried| tried.outcome);
    [cause.undone, with].contains(&Some(Outcome::Pass))
}

fn lines_of(deltas: &Config) -> String {
    human::counted(deltas.len() as u64, "lines")
}

fn change(about: &About) -> JsonChange<'_> {
    let About { id, author, date, subject } = about;
    JsonChange { id, author, date, subject }
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

/// Trees larger than this are not written: who wants one can apply a patch.
const LARGEST_TREE: u64 = 256 << 20;

/// Writes the two trees of each cause, one that passes and one that fails, which differ in it alone. Returns
/// what is to be said of them.
pub(super) fn trees(search: &Causes, bench: &Bench, run: &Path) -> Result<Vec<String>, Refusal> {
    let all = run.join("trees");
    let mut lines = vec![];
    for (at, cause) in search.found().iter().enumerate() {
        let below = all.join(format!("cause-{}", at + 1));
        for (name, config) in [("passing", &cause.passing), ("failing", &cause.failing)] {
            let Some(candidate) = search.candidate(config) else { continue };
            let tree = below.join(name);
            let write = || {
                if tree.exists() {
                    std::fs::remove_dir_all(&tree)?;
                }
                std::fs::create_dir_all(&tree)?;
                bench.ground().lay(&tree)?;
                reduct_run::load::bring(&tree, &candidate)?;
                size(&tree)
            };
            if write().map_err(Refusal::io("write", &tree))? > LARGEST_TREE {
                std::fs::remove_dir_all(&all).map_err(Refusal::io("remove", &all))?;
                return Ok(vec!["The two trees are too large to be kept; the patches make them.".into()]);
            }
        }
    }
    if all.exists() {
        lines.push(format!("Two trees that differ in it alone, one that works and one that fails: {}", all.display()));
    }
    Ok(lines)
}

/// How many bytes the files in a folder have.
fn size(folder: &Path) -> std::io::Result<u64> {
    let (mut total, mut todo) = (0, vec![folder.to_owned()]);
    while let Some(folder) = todo.pop() {
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            let meta = entry.metadata()?;
            total += meta.len();
            if meta.is_dir() {
                todo.push(entry.path());
            }
        }
    }
    Ok(total)
}
