//! What was found: the changes to blame, as files for a person, for a program, and as patches.

mod json;
pub(super) mod patches;
mod trees;

pub(super) use trees::trees;

use reduct_core::Config;
use reduct_input::{ArtifactBuilder, Candidate, Circumstances};
use reduct_report::blame::{Blamed, SO_FAR};
use reduct_session::event::{Ended, Why};
use reduct_sources::Remark;
use reduct_strategies::{Causes, VersionView};
use std::ffi::OsStr;

/// All that is to be said.
pub(super) struct BlameAnswer<'a> {
    search: &'a Causes,
    ended: &'a Ended,
    names: &'a [String; 2],
    notes: &'a [Remark],
    /// What the user has, and knows the names of: what fails.
    seen: VersionView,
}

/// Returns a folder with these files.
pub(super) fn folder(files: impl IntoIterator<Item = (String, Vec<u8>)>) -> Candidate {
    let mut files: Vec<(String, Vec<u8>)> = files.into_iter().collect();
    files.sort();
    let mut builder = ArtifactBuilder::default();
    for (name, contents) in files {
        // They are far below what can be addressed.
        let _ = builder.file(name, 0o644, &contents);
    }
    Candidate::whole(builder.finish().into())
}

impl<'a> BlameAnswer<'a> {
    pub(super) fn new(
        search: &'a Causes,
        ended: &'a Ended,
        names: &'a [String; 2],
        notes: &'a [Remark],
    ) -> BlameAnswer<'a> {
        let weave = search.weave();
        BlameAnswer { search, ended, names, notes, seen: weave.seen(&Config::full(weave.len())) }
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
        let BlameAnswer { search, names, notes, seen, .. } = self;
        Blamed { search, is_done: self.is_done(), names, notes, seen }.lines()
    }

    fn is_done(&self) -> bool {
        self.ended.why == Why::Done
    }

    /// Returns which files these are in, by their names in what fails.
    fn files_of(&self, deltas: &Config) -> Vec<String> {
        let paths = self.search.weave().names_in(&self.seen, deltas);
        paths.into_iter().map(|path| path.display().to_string()).collect()
    }
}

/// Returns whether a file of an answer is called so.
pub(super) fn is_of_an_answer(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    ["answer.txt", "answer.json", "so-far.patch"].contains(&&*name)
        || name.ends_with(".patch")
            && ["cause-", "group-", "difference-", "before-", "undo-"].iter().any(|of| name.starts_with(of))
}
