//! The words of the input, and messages without them.

use super::codes::without_numbers;
use super::regex;
use super::vocabulary::LazyWords;
use super::whose::Files;
use reduct_input::Artifact;
use regex::{Captures, Regex};
use std::borrow::Cow;
use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

/// The words of the input, by hash: what a message may name without being another message.
#[derive(Clone, Debug, Default)]
pub struct InputVocabulary(Arc<Vocabulary>);

/// What is known of an input.
#[derive(Clone, Debug, Default)]
struct Vocabulary {
    words: LazyWords,
    /// Whose a file is. `None`: any file that a report names may be the candidate.
    files: Option<Files>,
    /// The command of the test, if it is known.
    command: Vec<String>,
}

impl InputVocabulary {
    /// Returns the words of a text.
    pub fn of(text: &[u8]) -> InputVocabulary {
        InputVocabulary(Arc::new(Vocabulary { words: LazyWords::of(&[text]), ..Vocabulary::default() }))
    }

    /// Returns the words of inputs, of which the files are known: only where a report speaks of them, names and lines
    /// do not tell. `beside` are the names of files that stand beside them.
    pub fn of_inputs(inputs: &[&Artifact], beside: impl IntoIterator<Item = String>) -> InputVocabulary {
        let texts: Vec<&[u8]> = inputs.iter().map(|input| input.bytes()).collect();
        let paths = inputs.iter().flat_map(|input| input.entries()).map(|entry| entry.path.as_path());
        let files = Some(Files::of(paths).beside(beside));
        InputVocabulary(Arc::new(Vocabulary { words: LazyWords::of(&texts), files, ..Vocabulary::default() }))
    }

    /// Returns the same, where it is known at which places in the test's folder the files of the inputs stand, and
    /// where the originals do, in full.
    #[must_use]
    pub fn standing(self, places: HashSet<PathBuf>, full: HashSet<PathBuf>) -> InputVocabulary {
        let known = Arc::unwrap_or_clone(self.0);
        InputVocabulary(Arc::new(Vocabulary { files: known.files.map(|files| files.standing(places, full)), ..known }))
    }

    /// Returns the same, where the command of the test is known.
    #[must_use]
    pub fn run_by<S: AsRef<OsStr>>(self, command: &[S]) -> InputVocabulary {
        let command = command.iter().map(|word| word.as_ref().to_string_lossy().into_owned()).collect();
        InputVocabulary(Arc::new(Vocabulary { command, ..Arc::unwrap_or_clone(self.0) }))
    }

    /// Returns the command of the test; nothing if it is not known.
    pub fn command(&self) -> &[String] {
        &self.0.command
    }

    /// Returns whether it is known which files are the input's.
    pub(super) fn know_files(&self) -> bool {
        self.0.files.is_some()
    }

    /// Returns the same, of any text.
    pub(super) fn without_files(self) -> InputVocabulary {
        if self.know_files() {
            InputVocabulary(Arc::new(Vocabulary { files: None, ..Arc::unwrap_or_clone(self.0) }))
        } else {
            self
        }
    }

    pub(super) fn contains(&self, word: &str) -> bool {
        self.0.words.get().contain(word)
    }

    pub(super) fn contains_in_any_case(&self, word: &str) -> bool {
        self.0.words.get().contain_in_any_case(word)
    }

    /// Returns whether the input has a word that a bracket follows, as it does the names of functions.
    fn calls(&self, word: &str) -> bool {
        self.0.words.get().are_called(word)
    }

    /// Returns whether a file that a report names is the candidate's; `function` is what it names in it.
    pub(super) fn are_of(&self, file: &str, function: Option<&str>) -> bool {
        let is_called = |name: &str| WORDS.find_iter(name).last().is_none_or(|word| self.calls(word.as_str()));
        let is_module = |name: &str| name.starts_with('<') || name.ends_with('>');
        let is_of_input = function.filter(|name| !is_module(name)).map(is_called);
        self.0.files.as_ref().is_none_or(|files| files.are_of_candidate(file, is_of_input))
    }
}

pub(super) static QUOTED: LazyLock<Regex> = LazyLock::new(|| regex(r#"'[^']*'|"[^"]*"|`[^`']*['`]|‘[^’]*’|“[^”]*”"#));
static FOLDERS: LazyLock<Regex> = LazyLock::new(|| regex(r#"(?:/[^\s/:'"()<>,]+)+/"#));
static WORDS: LazyLock<Regex> = LazyLock::new(|| regex(r"[A-Za-z_][A-Za-z0-9_]*"));

/// A file and a line in it, as the reports of this world have them: `x.c:3:5`, `x.awk: line 3`, `x.pl line 3`,
/// `x.cs(3,5)`, `x.php on line 3`, `"x.py", line 3`.
static PLACE: LazyLock<Regex> = LazyLock::new(|| {
    regex(concat!(
        r"((?:[\w.+@~-]*/)*[\w.+@~-]*[\w+-]\.[A-Za-z][A-Za-z0-9]{0,9}|(?:/[\w.+@~-]+)+|<[a-z]+>)",
        r#"((?:"?,?(?: on| at)? line |:? ?line |:)[0-9]+(?:[:,][0-9]+)?|: [0-9]+:|\([0-9]+(?:,[0-9]+)?\):)"#
    ))
});

/// Returns the line without what may differ from candidate to candidate.
pub(super) fn strip(line: &str, words: &InputVocabulary) -> String {
    let line = keep_places(line, words);
    shown(&masked(&QUOTED.replace_all(&unplaced(&line), "'…'"), words))
}

/// Returns a text of the program without what may differ: what it quotes is its own.
pub(super) fn strip_text(text: &str, words: &InputVocabulary) -> String {
    shown(&masked(&keep_places(text, words), words))
}

/// Returns a line without the folders of paths.
pub(super) fn unplaced(line: &str) -> Cow<'_, str> {
    FOLDERS.replace_all(line, "")
}

fn masked(text: &str, words: &InputVocabulary) -> String {
    let line = WORDS.replace_all(
        text,
        |found: &Captures<'_>| {
            if words.contains(&found[0]) { "…".to_owned() } else { found[0].to_owned() }
        },
    );
    without_numbers(&line)
}

/// Returns whether a line names a place in a file.
pub(super) fn has_a_place(line: &str) -> bool {
    PLACE.is_match(line)
}

/// Returns whether a line says where in the candidate it is, as compilers do.
pub(super) fn is_about_the_candidate(line: &str, words: &InputVocabulary) -> bool {
    PLACE.captures_iter(line).any(|found| words.are_of(&found[1], None))
}

/// Characters that nobody writes stand for those that count as they are.
const KEPT: u32 = 0xe000;

/// Keeps files that are not the candidate's, and the lines in them, from being masked.
fn keep_places<'a>(line: &'a str, words: &InputVocabulary) -> Cow<'a, str> {
    PLACE.replace_all(line, |found: &Captures<'_>| {
        if words.are_of(&found[1], None) {
            return found[0].to_owned();
        }
        let (folder, name) = found[1]
            .rsplit_once('/')
            .map_or(("", &found[1]), |(_, name)| found[1].split_at(found[1].len() - name.len()));
        let keep = |c: char| if c.is_ascii_alphanumeric() { char::from_u32(KEPT + c as u32).unwrap_or(c) } else { c };
        let kept: String = name.chars().chain(found[2].chars()).map(keep).collect();
        folder.to_owned() + &kept
    })
}

/// Returns what was kept, as it is.
fn shown(text: &str) -> String {
    let show = |c: char| match (c as u32).checked_sub(KEPT) {
        Some(ascii @ 0..128) => char::from(ascii as u8),
        _ => c,
    };
    text.chars().map(show).collect()
}

/// Returns the name of a function without the words of the input. `None` if nothing else is left of it.
pub(super) fn strip_name(name: &str, words: &InputVocabulary) -> Option<String> {
    strip_words(name, |word| words.contains(word))
}

/// Does so where nobody knows which file the function is in: of an input whose files are known, only what it defines
/// or calls is taken to be its own.
pub(super) fn strip_name_of_no_file(name: &str, words: &InputVocabulary) -> Option<String> {
    strip_words(name, |word| if words.0.files.is_some() { words.calls(word) } else { words.contains(word) })
}

fn strip_words(name: &str, is_of_input: impl Fn(&str) -> bool) -> Option<String> {
    let name = WORDS.replace_all(
        name,
        |found: &Captures<'_>| {
            if is_of_input(&found[0]) { "…".to_owned() } else { found[0].to_owned() }
        },
    );
    name.contains(char::is_alphanumeric).then(|| name.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_other_files_tell() {
        let input = Artifact::of_file("in.json", b"price 3 x").unwrap();
        let words = InputVocabulary::of_inputs(&[&input], []);
        for (line, stripped) in [
            ("awk: x.awk:3: (FNR=2) fatal: division by zero", "awk: x.awk:3: (FNR=N) fatal: division by zero"),
            ("awk: /home/u/x.awk: line 31: price", "awk: x.awk: line 31: …"),
            ("Illegal division by zero at /home/u/x.pl line 3.", "Illegal division by zero at x.pl line 3."),
            ("Fatal error in /x/price.php on line 12", "Fatal error in price.php on line 12"),
            ("prog.cs(3,15): error 17", "prog.cs(3,15): error N"),
            ("/home/u/build: line 4: nope", "build: line 4: nope"),
            ("lua: x.lua:3: attempt to index 'price'", "lua: x.lua:3: attempt to index '…'"),
            // The candidate, what was made of it, and what is no place.
            ("in.json:3:15: bad price 7", "in.json:N:N: bad … N"),
            ("/dev/shm/reduct-0-1-2/000/in.json:3: bad", "in.json:N: bad"),
            ("/dev/shm/reduct-0-1-2/000/tmp/cc1.s:3: bad", "ccN.s:N: bad"),
            ("at 12:30 version 1.2 failed 3", "at N:N version N.N failed N"),
        ] {
            assert_eq!(strip(line, &words), stripped);
        }
    }
}
