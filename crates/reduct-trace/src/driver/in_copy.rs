//! A program that was built, as a command in the copy in which it was built.

use super::Driving;
use crate::guarded_tree::BuiltTree;
use crate::program::java_program;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

impl Driving<'_> {
    /// Returns the program as a command in the copy. It is called as it was typed.
    pub(super) fn in_copy(&self, built: &BuiltTree) -> Command {
        let words = self.words_in_copy(built);
        let mut command = Command::new(words.first().map_or("".as_ref(), OsString::as_os_str));
        command.arg0(self.words.first().map_or("".as_ref(), OsString::as_os_str));
        command.args(words.iter().skip(1)).current_dir(built.tree());
        command
    }

    /// Returns the words of the program as they are run in the copy: what they name in full up to the program is the copy's, so that
    /// `timeout 5 /project/prog` starts what was built with guards.
    pub(super) fn words_in_copy(&self, built: &BuiltTree) -> Vec<OsString> {
        let java = self.words.iter().position(|word| Path::new(word).file_name() == Some(OsStr::new("java")));
        let by_java = java.and_then(|at| Some(at + java_program(&self.words[at..])?));
        let file = |bits: u32| {
            self.words.iter().position(|word| {
                let there = built.place_of(Path::new(word));
                let is_meant = |it: fs::Metadata| it.is_file() && (bits == 0 || it.mode() & bits != 0);
                there != Path::new(word) && fs::metadata(&there).is_ok_and(is_meant)
            })
        };
        // What a shell reads need not be executable: `bash /project/run.sh`.
        let last = file(0o111).into_iter().chain(by_java).min().or_else(|| file(0)).unwrap_or(0);
        let place = |(at, word): (usize, &OsString)| {
            if at <= last { built.place_of(Path::new(word)).into_os_string() } else { word.clone() }
        };
        self.words.iter().enumerate().map(place).collect()
    }
}
