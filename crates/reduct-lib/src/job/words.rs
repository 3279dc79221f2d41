//! What the words of a command name in a test: the candidate, files of the user's, or files of a copy.

mod paths;
mod quotes;

use super::{Job, is_program};
use paths::{paths_in, replaced, with_paths};
use reduct_oracle::shell_line::{TOP, line_of};
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

impl Job {
    /// Returns the words of the command, as a test is started with them; `{}` is the candidate.
    pub(super) fn words(&self) -> Vec<OsString> {
        let word = |(at, word): (usize, &OsString)| match self.top() {
            Some(top) => self.word_in_a_copy(top, at, word),
            None => self.word_of_its_own(at, word),
        };
        self.command.iter().enumerate().map(word).collect()
    }

    /// Returns the words of the command that stand for something else in a test: as typed, and what they are then.
    pub fn rewritten(&self) -> Vec<(OsString, OsString)> {
        self.command.iter().cloned().zip(self.words()).filter(|(typed, word)| typed != word).collect()
    }

    /// Returns the files below a folder that words of the command name so that they are found from anywhere, inputs not
    /// among them, by their paths in it.
    pub(crate) fn named_below(&self, top: &Path) -> BTreeSet<PathBuf> {
        let inputs: Vec<PathBuf> = self.input_paths().iter().filter_map(|input| input.canonicalize().ok()).collect();
        let places = |full: PathBuf| -> Vec<PathBuf> {
            let Some(real) = full.canonicalize().ok().filter(|real| real.is_file()) else { return vec![] };
            let is_input = inputs.iter().any(|input| real.starts_with(input));
            // A link, and what it leads to.
            let both = [below(top, &full), real.strip_prefix(top).ok().map(Path::to_owned)];
            if is_input { vec![] } else { both.into_iter().flatten().collect() }
        };
        let is_on_the_search_path = |at: usize, word: &OsStr| at == 0 && !word.as_bytes().contains(&b'/');
        let words = self.command.iter().enumerate().filter(|(at, word)| !is_on_the_search_path(*at, word));
        let whole = words.map(|(_, word)| self.folder.join(word));
        whole.chain(self.in_full_in_words()).flat_map(places).collect()
    }

    /// Returns what else the command names in full at or below a folder, inputs not among it, whether it is there or
    /// not: what a test does there or in it, it does to the user's. Of a folder above, but `/`, a test may go to all of
    /// it.
    pub(crate) fn led_below(&self, top: &Path) -> BTreeSet<PathBuf> {
        let inputs: Vec<PathBuf> = self.input_paths().iter().filter_map(|input| input.canonicalize().ok()).collect();
        let is_input = |full: &Path| full.canonicalize().is_ok_and(|real| inputs.contains(&real));
        let place = |full: PathBuf| {
            let spelled = || full.strip_prefix(top).ok().map(Path::to_owned);
            let is_above = || full.canonicalize().is_ok_and(|real| real.parent().is_some() && top.starts_with(real));
            let above = || is_above().then(PathBuf::new);
            if is_input(&full) { None } else { below(top, &full).or_else(spelled).or_else(above) }
        };
        self.in_full_in_words().into_iter().filter_map(place).collect()
    }

    /// Returns the files of the user's, programs and inputs not among them, that a test is led to by words of the
    /// command.
    pub(crate) fn originals_named(&self) -> BTreeSet<PathBuf> {
        let is_bare = self.top().is_none();
        let whole = (1..self.command.len()).filter(|at| is_bare && self.names_a_file(*at));
        let whole = whole.map(|at| self.folder.join(&self.command[at]));
        let (stands, inputs) = (self.stands(), self.input_paths());
        let inputs: Vec<PathBuf> = inputs.iter().filter_map(|input| input.canonicalize().ok()).collect();
        // In a copy of a project, what is named in it is the copy's.
        let is_original = |full: &PathBuf| {
            full.canonicalize().is_ok_and(|real| {
                let is_copied = self.top().is_some_and(|top| real.starts_with(top));
                let is_input = inputs.iter().any(|input| real.starts_with(input));
                real.starts_with(&stands) && !is_copied && !is_input
            })
        };
        let within = self.in_full_in_words().into_iter().filter(is_original);
        whole.chain(within).filter(|path| path.is_file() && !is_program(path)).collect()
    }

    /// Returns the full paths in the words behind the program: whole words, and within longer ones.
    fn in_full_in_words(&self) -> BTreeSet<PathBuf> {
        self.command.iter().skip(1).flat_map(|word| paths_in(word)).collect()
    }

    /// Returns what the command names above the folders that tests get, relative to where the user stands, and how far
    /// up: it is not there in a test.
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

    /// Returns a word for a folder of the candidate's own: there, programs and files that the command names relative to the user's folder are
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
        if at > 0 { self.with_candidates(at, word) } else { word.into() }
    }

    /// Returns whether a word of the command is a line for a shell.
    fn is_line(&self, at: usize) -> bool {
        line_of(&self.command) == Some(at)
    }

    /// Returns a word with the candidate in the place of full paths that lead to an input, however they are spelled.
    fn with_candidates(&self, at: usize, word: &OsStr) -> OsString {
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
        with_paths(&word, self.is_line(at), |path| {
            let real = path.canonicalize().ok();
            let found = inputs.iter().find_map(|(full, candidate)| {
                let inner = below(full, path).or_else(|| Some(real.as_ref()?.strip_prefix(full).ok()?.to_owned()))?;
                Some(if inner.as_os_str().is_empty() { candidate.clone() } else { candidate.join(inner) })
            });
            found.map(PathBuf::into_os_string)
        })
    }

    /// Returns how a word names the candidate in a folder of its own, however it is spelled. `None` if it does not.
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
                // A program by a relative path would be looked for where the user stands.
                _ if at == 0 => Path::new("{}").join(input.file_name()?),
                _ => input.file_name()?.into(),
            };
            let word = if inner.as_os_str().is_empty() { name } else { name.join(inner) };
            return Some(word.into_os_string());
        }
        None
    }

    /// Returns a word for a copy of a project: there, a relative word names the same as where the user stands; a full path into the project is
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
            && !self.is_line(at)
            && let Some(there) = in_the_copy(path)
        {
            return there;
        }
        if !is_program && path.is_relative() && self.names_a_file(at) && (depth.is_none() || leads_out(path, depth)) {
            let full = self.in_full(path);
            return in_the_copy(Path::new(&full)).unwrap_or(full);
        }
        with_paths(&replaced(word, top.as_os_str(), OsStr::new(TOP)), self.is_line(at), in_the_copy)
    }
}

/// Returns the path of something below a folder, relative to it.
fn below(top: &Path, path: &Path) -> Option<PathBuf> {
    let full = path.parent()?.canonicalize().ok()?.join(path.file_name()?);
    full.strip_prefix(top).ok().map(Path::to_owned)
}

/// Returns whether a relative path leads out of so many folders.
fn leads_out(path: &Path, depth: Option<usize>) -> bool {
    highest(path) > depth.unwrap_or(0) as i64
}

/// Returns how many folders up a relative path leads, wherever it goes from there.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leads_out_is_told_by_how_it_is_spelled() {
        for (path, depth, out) in [("../x", 0, true), ("../x", 1, false), ("a/../x", 0, false), ("a/../../x", 0, true)]
        {
            assert_eq!(leads_out(Path::new(path), Some(depth)), out, "{path}");
        }
    }
}
