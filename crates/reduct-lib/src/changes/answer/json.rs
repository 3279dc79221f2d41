//! The answer for programs.

use super::{BlameAnswer, patches};
use reduct_core::{Config, Outcome};
use reduct_input::About;
use reduct_report::claims;
use reduct_report::schema::VERSION;
use reduct_session::event::Ended;
use reduct_strategies::{Cause, PatchScope, Tried};
use serde::Serialize;
use serde_json::Value;

#[derive(Serialize)]
pub(super) struct Json<'a> {
    version: u32,
    passing: &'a str,
    failing: &'a str,
    done: bool,
    causes: Vec<JsonCause<'a>>,
    proved: String,
    claim: Value,
    /// If it is not done: what is still searched.
    among: Option<JsonAmong<'a>>,
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
    /// What makes the version that passes fail; nothing if that was not seen.
    patch: Option<String>,
    /// What separates two versions in between, if there is no `patch`.
    difference: Option<String>,
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
struct JsonAmong<'a> {
    /// What is known to belong to the cause.
    parts: Vec<JsonPart<'a>>,
    changes: Vec<JsonChange<'a>>,
    files: Vec<String>,
    lines: usize,
}

#[derive(Serialize)]
struct JsonChange<'a> {
    id: &'a str,
    author: &'a str,
    date: &'a str,
    subject: &'a str,
}

impl BlameAnswer<'_> {
    pub(super) fn json(&self) -> Json<'_> {
        let causes = self.search.found().iter().map(|cause| self.cause(cause)).collect();
        let among = self.search.unfinished(self.is_done()).map(|(parts, among)| JsonAmong {
            parts: parts.iter().map(|part| self.json_part(part, &self.search.sides().1)).collect(),
            changes: self.search.changes_of(&among).into_iter().map(change).collect(),
            files: self.files_of(&among),
            lines: among.len(),
        });
        let [passing, failing] = self.names;
        let Ended { asked, runs, unresolved, evidence, .. } = self.ended;
        let (proved, claim) = (claims::describe(evidence), claims::data(evidence));
        let done = self.is_done();
        let (version, tests, runs, unresolved) = (VERSION, *asked, *runs, *unresolved);
        Json { version, passing, failing, done, causes, proved, claim, among, tests, runs, unresolved }
    }

    fn cause<'a>(&'a self, cause: &'a Cause) -> JsonCause<'a> {
        let (passing, failing) = self.search.sides_of(cause);
        let between = Some(text(&patches::between(self.search, &passing, &failing)));
        let is_alone = self.search.patch_scope(cause) == PatchScope::Alone;
        let (patch, difference) = if is_alone { (between, None) } else { (None, between) };
        JsonCause {
            parts: cause.parts.iter().map(|part| self.json_part(part, &cause.failing)).collect(),
            alone: cause.alone.name(),
            alone_with: cause.alone_with.as_ref().map(tried),
            undone: cause.undone.map(Outcome::name),
            undone_with: cause.undone_with.as_ref().map(tried),
            dependents: self.search.changes_of(&cause.dependents).into_iter().map(|about| about.id.as_str()).collect(),
            patch,
            difference,
            undo: text(&patches::undo(self.search, cause)),
        }
    }

    /// Returns a part of a cause, as it stands in a version that fails.
    fn json_part(&self, part: &Config, failing: &Config) -> JsonPart<'_> {
        let without = self.search.weave().without(failing, part);
        JsonPart {
            changes: self.search.changes_of(part).into_iter().map(change).collect(),
            files: self.files_of(part),
            lines: part.len(),
            patch: text(&patches::between(self.search, &without, failing)),
        }
    }
}

fn text(patch: &[u8]) -> String {
    String::from_utf8_lossy(patch).into_owned()
}

fn tried(tried: &Tried) -> JsonTried {
    JsonTried { group: tried.level.name(), lines: tried.deltas.len(), outcome: tried.outcome.name() }
}

fn change(about: &About) -> JsonChange<'_> {
    let About { id, author, date, subject } = about;
    JsonChange { id, author, date, subject }
}
