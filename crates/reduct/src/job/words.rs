//! What the words of a command name in a test: the candidate, files of the user's, or files of a copy.

use super::Job;
use reduct_run::load::project::up;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Component, Path, PathBuf};

impl Job {
    /// The words of the command, as a test is started with them; `{}` is the candidate.
    pub(super) fn words(&self) -> Vec<OsString> {
        let word = |(at, word): (usize, &OsString)| match self.top() {
            Some(top) => self.word_in_a_copy(top, at, word),
            None => self.word_of_its_own(at, word),
        };
        self.command.iter().enumerate().map(word).collect()
    }

    /// The words of the command that stand for something else in a test: as typed, and what they are then.
    pub fn rewritten(&self) -> Vec<(OsString, OsString)> {
        self.command.iter().cloned().zip(self.words()).filter(|(typed, word)| typed != word).collect()
    }

    /// In a folder of the candidate's own, programs and files that the command names relative to the user's folder are
    /// named in full; what is the input, or stands in it, is the candidate's.
    fn word_of_its_own(&self, at: usize, word: &OsStr) -> OsString {
        if let Some(candidate) = self.as_candidate(at, word) {
            return candidate;
        }
        let path = Path::new(word);
        let is_bare_name = path.components().count() == 1 && !word.as_bytes().contains(&b'/');
        let is_called_so = self.inputs.iter().any(|input| input.file_name() == path.file_name());
        if !(is_bare_name && is_called_so) && self.names_a_file(at) {
            return self.in_full(path);
        }
        match (&self.inputs[..], self.input_paths().first().and_then(|input| input.canonicalize().ok())) {
            // Within a longer word, as in a line for the shell.
            ([_], Some(input)) if at > 0 => replaced(word, input.as_os_str(), OsStr::new("{}")),
            _ => word.into(),
        }
    }

    /// How a word names the candidate in a folder of its own, however it is spelled. `None` if it does not.
    fn as_candidate(&self, at: usize, word: &OsStr) -> Option<OsString> {
        // A program without a path is one of the search path.
        if at == 0 && !word.as_bytes().contains(&b'/') {
            return None;
        }
        let full = self.folder.join(word);
        let leads_to = full.canonicalize().ok()?;
        // A link in an input is itself, not what it leads to.
        let spelled = full.file_name().and_then(|name| Some(full.parent()?.canonicalize().ok()?.join(name)));
        for input in self.input_paths() {
            let Ok(there) = input.canonicalize() else { continue };
            let inner = spelled.iter().chain([&leads_to]).find_map(|path| path.strip_prefix(&there).ok());
            let Some(inner) = inner else { continue };
            let name = match &self.inputs[..] {
                [_] => PathBuf::from("{}"),
                _ if at == 0 => Path::new(".").join(input.file_name()?),
                _ => input.file_name()?.into(),
            };
            let word = if inner.as_os_str().is_empty() { name } else { name.join(inner) };
            return Some(word.into_os_string());
        }
        None
    }

    /// In a copy of a project a relative word names the same as where the user stands; a full path into the project is
    /// made to lead into the copy.
    fn word_in_a_copy(&self, top: &Path, at: usize, word: &OsStr) -> OsString {
        let (path, stands) = (Path::new(word), self.stands());
        let depth = stands.strip_prefix(top).ok().map(|inside| inside.components().count());
        let back = up(depth.unwrap_or(0));
        let is_program = at == 0 && !word.as_bytes().contains(&b'/');
        if path.is_absolute()
            && let Some(inner) = below(top, path)
        {
            return back.join(inner).into_os_string();
        }
        if !is_program && path.is_relative() && self.names_a_file(at) && (depth.is_none() || leads_out(path, depth)) {
            let full = self.in_full(path);
            return below(top, Path::new(&full)).map_or(full, |inner| back.join(inner).into_os_string());
        }
        replaced(word, top.as_os_str(), back.as_os_str())
    }
}

/// The path of something below a folder, relative to it.
fn below(top: &Path, path: &Path) -> Option<PathBuf> {
    let full = path.parent()?.canonicalize().ok()?.join(path.file_name()?);
    full.strip_prefix(top).ok().map(Path::to_owned)
}

/// Whether a relative path leads out of so many folders.
fn leads_out(path: &Path, depth: Option<usize>) -> bool {
    let mut depth = depth.unwrap_or(0) as i64;
    path.components().any(|part| {
        depth += match part {
            Component::ParentDir => -1,
            Component::Normal(_) => 1,
            _ => 0,
        };
        depth < 0
    })
}

/// A word with another path in place of one, wherever that stands as a path of its own or leads to something below it.
fn replaced(word: &OsStr, path: &OsStr, by: &OsStr) -> OsString {
    let (word, path) = (word.as_bytes(), path.as_bytes());
    let goes_on = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.-".contains(byte) || !byte.is_ascii();
    let (mut whole, mut at) = (vec![], 0);
    while at < word.len() {
        let is_path = !path.is_empty() && path != b"/" && word[at..].starts_with(path);
        let is_begin = at == 0 || !(goes_on(&word[at - 1]) || word[at - 1] == b'/');
        if is_path && is_begin && !word.get(at + path.len()).is_some_and(goes_on) {
            whole.extend_from_slice(by.as_bytes());
            at += path.len();
        } else {
            whole.push(word[at]);
            at += 1;
        }
    }
    OsString::from_vec(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_paths_are_replaced() {
        for (word, expected) in [
            ("/a/b", "{}"),
            ("cat /a/b/c.txt >/a/b.txt", "cat {}/c.txt >/a/b.txt"),
            ("--file=/a/b", "--file={}"),
            ("x/a/b /c/a/b /a/bc", "x/a/b /c/a/b /a/bc"),
            ("'/a/b' \"/a/b/\"", "'{}' \"{}/\""),
            ("", ""),
        ] {
            let word = replaced(OsStr::new(word), OsStr::new("/a/b"), OsStr::new("{}"));
            assert_eq!(word, OsStr::new(expected));
        }
    }

    #[test]
    fn what_leads_out_is_told_by_how_it_is_spelled() {
        for (path, depth, out) in [("../x", 0, true), ("../x", 1, false), ("a/../x", 0, false), ("a/../../x", 0, true)]
        {
            assert_eq!(leads_out(Path::new(path), Some(depth)), out, "{path}");
        }
    }
}
