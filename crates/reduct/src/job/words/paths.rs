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

/// What a shell has for the user's home folder at the beginning of a path.
const HOME: [&str; 3] = ["~", "$HOME", "${HOME}"];

/// The full paths that may begin at a place in a word, each with where it ends, the most likely one first.
fn paths_at(word: &[u8], at: usize, home: Option<&Path>) -> Vec<(PathBuf, usize)> {
    let is_path = |at: &usize| word.get(*at) == Some(&b'/');
    let of_home = HOME.iter().filter(|_| home.is_some()).find_map(|name| {
        let slash = Some(at + name.len()).filter(|_| word[at..].starts_with(name.as_bytes()));
        slash.filter(is_path)
    });
    let Some(slash) = of_home.or(Some(at).filter(is_path)).filter(|_| may_begin_behind(&word[..at])) else {
        return vec![];
    };
    // In quotes it may hold anything else.
    let quote = at.checked_sub(1).map(|before| word[before]).filter(|byte| b"'\"".contains(byte));
    let end =
        |is_end: &dyn Fn(&u8) -> bool| slash + word[slash..].iter().position(is_end).unwrap_or(word.len() - slash);
    let ends = quote.map(|quote| end(&|byte| *byte == quote)).into_iter().chain([end(&is_between)]);
    let text = |end: usize| {
        let before = home.filter(|_| slash > at).map_or(&b""[..], |home| home.as_os_str().as_bytes());
        [before, &word[slash..end]].concat()
    };
    let path = |end: usize| PathBuf::from(OsString::from_vec(text(end)));
    // What is there may go on to the end of the word.
    let rest = Some(word.len()).filter(|end| path(*end).exists());
    // What a shell reads with its escapes, if nothing is called so as it stands.
    let escaped = Some(unescaped(&word[slash..])).filter(|(_, length)| word[slash..slash + length].contains(&b'\\'));
    let escaped = escaped.map(|(tail, length)| {
        let before = home.filter(|_| slash > at).map_or(&b""[..], |home| home.as_os_str().as_bytes());
        (PathBuf::from(OsString::from_vec([before, &tail].concat())), slash + length)
    });
    ends.chain(rest).map(|end| (path(end), end)).chain(escaped).collect()
}

/// The beginning of a text to the first byte that ends a path and has no backslash before it, without backslashes; and how
/// long it is with them.
fn unescaped(text: &[u8]) -> (Vec<u8>, usize) {
    let (mut plain, mut at) = (vec![], 0);
    while let Some(byte) = text.get(at) {
        match (byte, text.get(at + 1)) {
            (b'\\', Some(next)) => {
                plain.push(*next);
                at += 2;
            }
            _ if is_between(byte) => break,
            _ => {
                plain.push(*byte);
                at += 1;
            }
        }
    }
    (plain, at)
}

/// The user's home folder, as tests find it in their environment.
fn home() -> Option<PathBuf> {
    std::env::var_os("HOME").map(PathBuf::from).filter(|home| home.is_absolute() && home.parent().is_some())
}

/// A word with others in the place of full paths in it, where `by` has one.
pub(super) fn with_paths(word: &OsStr, by: impl Fn(&Path) -> Option<OsString>) -> OsString {
    with_paths_at_home(word, home().as_deref(), by)
}

fn with_paths_at_home(word: &OsStr, home: Option<&Path>, by: impl Fn(&Path) -> Option<OsString>) -> OsString {
    let (word, mut whole, mut at) = (word.as_bytes(), vec![], 0);
    while at < word.len() {
        let found = paths_at(word, at, home).into_iter().find_map(|(path, end)| Some((by(&path)?, end)));
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

/// All that may be a full path in a word; most of it is none.
pub(super) fn paths_in(word: &OsStr) -> BTreeSet<PathBuf> {
    let (word, home) = (word.as_bytes(), home());
    (0..word.len()).flat_map(|at| paths_at(word, at, home.as_deref())).map(|(path, _)| path).collect()
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
            ("cd ~/b >$HOME/b; x -o${HOME}/b \"$HOME/b\"", "cd <> ><>; x -o<> \"<>\""),
            ("x~/b a$HOME/b $HOMES/b ~user/b", "x~/b a$HOME/b $HOMES/b ~user/b"),
            ("'/a/b' >\"/a/b\"", "'<>' >\"<>\""),
            (r"x </\a/b\ >/a\/b; y", r"x </\a/b\ ><>; y"),
            ("x/a/b a-o/a/b {}/a/b ./a/b --o/a/b", "x/a/b a-o/a/b {}/a/b ./a/b --o/a/b"),
        ] {
            let by = |path: &Path| (path == Path::new("/a/b")).then(|| OsString::from("<>"));
            let home = Some(Path::new("/a"));
            assert_eq!(with_paths_at_home(OsStr::new(word), home, by), OsStr::new(expected));
        }
    }
}
