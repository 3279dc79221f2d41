//! Full paths within the words of a command: behind an equals sign, glued to an option, in a line for the shell.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

fn is_between(byte: &u8) -> bool {
    byte.is_ascii_whitespace() || b"'\"`;|&<>()$,:=*?[]{}".contains(byte)
}

/// Whether a path may begin behind this part of a word: at its beginning, between words, or glued to an option (`-I`).
fn may_begin_behind(before: &[u8]) -> bool {
    match before.last() {
        None => true,
        // It goes on from what was put in already.
        Some(b'}') => false,
        Some(last) if is_between(last) || *last == b'@' => true,
        Some(_) => {
            let letters = before.iter().rev().take_while(|byte| byte.is_ascii_alphabetic()).count();
            let option = before[..before.len() - letters].strip_suffix(b"-").filter(|_| letters > 0);
            option.is_some_and(|option| option.last().is_none_or(is_between))
        }
    }
}

/// Where a path may end that begins here, the most likely place first.
fn ends(word: &[u8], at: usize) -> impl Iterator<Item = usize> {
    // In quotes it may hold anything else.
    let quote = at.checked_sub(1).map(|before| word[before]).filter(|byte| b"'\"".contains(byte));
    let end = move |is_end: &dyn Fn(&u8) -> bool| at + word[at..].iter().position(is_end).unwrap_or(word.len() - at);
    quote.map(|quote| end(&|byte| *byte == quote)).into_iter().chain([end(&is_between)])
}

/// A word with others in the place of full paths in it, where `by` has one.
pub(super) fn with_paths(word: &OsStr, by: impl Fn(&Path) -> Option<OsString>) -> OsString {
    let (word, mut whole, mut at) = (word.as_bytes(), vec![], 0);
    while at < word.len() {
        let begins = word[at] == b'/' && may_begin_behind(&word[..at]);
        let mut ends = begins.then(|| ends(word, at)).into_iter().flatten();
        let found = ends.find_map(|end| Some((by(Path::new(OsStr::from_bytes(&word[at..end])))?, end)));
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

/// All that may be a full path in a word; most of it is none. What is there may go on to the end of the word.
pub(super) fn paths_in(word: &OsStr) -> BTreeSet<PathBuf> {
    let word = word.as_bytes();
    let part = |at: usize, end: usize| PathBuf::from(OsStr::from_bytes(&word[at..end]));
    let paths = |at: usize| {
        let rest = Some(part(at, word.len())).filter(|rest| rest.exists());
        ends(word, at).map(move |end| part(at, end)).chain(rest)
    };
    let begins = (0..word.len()).filter(|at| word[*at] == b'/' && may_begin_behind(&word[..*at]));
    begins.flat_map(paths).collect()
}

/// A word with another path in place of one, wherever that stands as a path of its own or leads to something below it.
pub(super) fn replaced(word: &OsStr, path: &OsStr, by: &OsStr) -> OsString {
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
    fn full_paths_are_found_wherever_one_may_begin() {
        for (word, expected) in [
            ("/a/b", "<>"),
            ("--out=/a/b", "--out=<>"),
            ("-o/a/b", "-o<>"),
            ("-isystem/a/b", "-isystem<>"),
            ("cc -I/a/b -L/a/b x", "cc -I<> -L<> x"),
            ("-Wl,-rpath,/a/b", "-Wl,-rpath,<>"),
            ("/a/b,/a/b", "<>,<>"),
            ("@/a/b", "@<>"),
            ("'/a/b' >\"/a/b\"", "'<>' >\"<>\""),
            ("x/a/b a-o/a/b {}/a/b ./a/b --o/a/b", "x/a/b a-o/a/b {}/a/b ./a/b --o/a/b"),
        ] {
            let by = |path: &Path| (path == Path::new("/a/b")).then(|| OsString::from("<>"));
            assert_eq!(with_paths(OsStr::new(word), by), OsStr::new(expected));
            let names = paths_in(OsStr::new(word)).contains(Path::new("/a/b"));
            assert_eq!(names, expected.contains("<>"), "{word}");
        }
    }
}
