//! What the words of a command name in a test: the candidate, files of the user's, or files of a copy.

use super::Job;
use reduct_run::shell_line::TOP;
use std::collections::BTreeSet;
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

    /// The files below a folder that words of the command name, inputs not among them, by their paths in it.
    pub(crate) fn named_below(&self, top: &Path) -> BTreeSet<PathBuf> {
        let inputs: Vec<PathBuf> = self.input_paths().iter().filter_map(|input| input.canonicalize().ok()).collect();
        let file = |(at, word): (usize, &OsString)| {
            let is_on_the_search_path = at == 0 && !word.as_bytes().contains(&b'/');
            let full = self.folder.join(word);
            let real =
                if is_on_the_search_path { None } else { full.canonicalize().ok().filter(|real| real.is_file()) }?;
            let is_input = inputs.iter().any(|input| real.starts_with(input));
            if is_input { None } else { below(top, &full) }
        };
        self.command.iter().enumerate().filter_map(file).collect()
    }

    /// What the command names above the folders that tests get, relative to where the user stands, and how far up: it is
    /// not there in a test.
    pub fn leading_out(&self) -> Option<(String, PathBuf)> {
        let depth = self.inside().components().count() as i64;
        let is_between = |c: char| c.is_whitespace() || "'\"`;|&<>()$,:=".contains(c);
        let texts = self.command.iter().enumerate().filter(|(at, _)| !self.names_a_file(*at));
        let words =
            texts.flat_map(|(_, word)| word.to_string_lossy().split(is_between).map(str::to_owned).collect::<Vec<_>>());
        let found = words.filter_map(|word| {
            let highest = highest(Path::new(&word));
            let is_out = highest > depth && Path::new(&word).is_relative() && self.stands().join(&word).exists();
            is_out.then_some((word, highest))
        });
        let (word, highest) = found.max_by_key(|(_, highest)| *highest)?;
        Some((word, std::iter::repeat_n("..", highest as usize).collect()))
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
        // Within a longer word, as in a line for the shell.
        if at > 0 { self.with_candidates(word) } else { word.into() }
    }

    /// A word with the candidate in the place of full paths that lead to an input, however they are spelled.
    fn with_candidates(&self, word: &OsStr) -> OsString {
        let mut word = word.to_owned();
        let of = |input: &Path| match &self.inputs[..] {
            [_] => Some(PathBuf::from("{}")),
            _ => Some(Path::new("{}").join(input.file_name()?)),
        };
        let inputs: Vec<PathBuf> = self.input_paths();
        let inputs: Vec<(PathBuf, PathBuf)> =
            inputs.iter().filter_map(|input| Some((input.canonicalize().ok()?, of(input)?))).collect();
        for (full, candidate) in &inputs {
            word = replaced(&word, full.as_os_str(), candidate.as_os_str());
        }
        with_paths(&word, |path| {
            let real = path.canonicalize().ok();
            let found = inputs.iter().find_map(|(full, candidate)| {
                let inner = below(full, path).or_else(|| Some(real.as_ref()?.strip_prefix(full).ok()?.to_owned()))?;
                Some(if inner.as_os_str().is_empty() { candidate.clone() } else { candidate.join(inner) })
            });
            found.map(PathBuf::into_os_string)
        })
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
    /// made to lead into the copy, in full too: wherever a test goes before it uses it.
    fn word_in_a_copy(&self, top: &Path, at: usize, word: &OsStr) -> OsString {
        let (path, stands) = (Path::new(word), self.stands());
        let depth = stands.strip_prefix(top).ok().map(|inside| inside.components().count());
        let is_program = at == 0 && !word.as_bytes().contains(&b'/');
        let in_the_copy = |path: &Path| {
            let real = || path.canonicalize().ok()?.strip_prefix(top).ok().map(Path::to_owned);
            let inner = below(top, path).or_else(real)?;
            let there = Path::new(TOP);
            Some(if inner.as_os_str().is_empty() { there.into() } else { there.join(inner) }.into_os_string())
        };
        if path.is_absolute()
            && let Some(there) = in_the_copy(path)
        {
            return there;
        }
        if !is_program && path.is_relative() && self.names_a_file(at) && (depth.is_none() || leads_out(path, depth)) {
            let full = self.in_full(path);
            return in_the_copy(Path::new(&full)).unwrap_or(full);
        }
        with_paths(&replaced(word, top.as_os_str(), OsStr::new(TOP)), in_the_copy)
    }
}

/// A word with others in the place of full paths in it, where `by` has one.
fn with_paths(word: &OsStr, by: impl Fn(&Path) -> Option<OsString>) -> OsString {
    let is_between = |byte: &u8| byte.is_ascii_whitespace() || b"'\"`;|&<>()$,:=*?[]{}".contains(byte);
    let (word, mut whole, mut at) = (word.as_bytes(), vec![], 0);
    while at < word.len() {
        let before = at.checked_sub(1).map(|before| word[before]);
        // Behind a brace it goes on from what was put in already.
        let begins = word[at] == b'/' && before.is_none_or(|byte| is_between(&byte) && byte != b'}');
        // In quotes it may hold anything else.
        let quote = before.filter(|byte| b"'\"".contains(byte));
        let ends = [quote, None].into_iter().filter(|_| begins).map(|quote| {
            let is_end = |byte: &u8| quote.map_or_else(|| is_between(byte), |quote| *byte == quote);
            at + word[at..].iter().position(is_end).unwrap_or(word.len() - at)
        });
        let found = ends.into_iter().find_map(|end| Some((by(Path::new(OsStr::from_bytes(&word[at..end])))?, end)));
        match found {
            Some((path, end)) => {
                whole.extend_from_slice(path.as_bytes());
                at = end;
            }
            None => {
                whole.push(word[at]);
                at += 1;
            }
        }
    }
    OsString::from_vec(whole)
}

/// The path of something below a folder, relative to it.
fn below(top: &Path, path: &Path) -> Option<PathBuf> {
    let full = path.parent()?.canonicalize().ok()?.join(path.file_name()?);
    full.strip_prefix(top).ok().map(Path::to_owned)
}

/// Whether a relative path leads out of so many folders.
fn leads_out(path: &Path, depth: Option<usize>) -> bool {
    highest(path) > depth.unwrap_or(0) as i64
}

/// How many folders up a relative path leads, wherever it goes from there.
fn highest(path: &Path) -> i64 {
    let (mut up, mut highest) = (0, 0);
    for part in path.components() {
        up += match part {
            Component::ParentDir => 1,
            Component::Normal(_) => -1,
            _ => 0,
        };
        highest = highest.max(up);
    }
    highest
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
