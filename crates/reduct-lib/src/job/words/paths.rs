//! Full paths within the words of a command: behind an equals sign, glued to an option, in a line for the shell.

use super::quotes::{self, is_between};
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// Returns whether a path may begin behind this part of a word: at its beginning, between words, or glued to an option
/// (`-I`).
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

/// A full path in a word.
struct Found {
    path: PathBuf,
    /// Where it ends.
    end: usize,
    /// If it is one as a shell reads it: the quotes that are open before and behind it.
    in_shell: Option<(Option<u8>, Option<u8>)>,
}

/// Returns the full paths that may begin at a place in a word, the most likely one first.
fn paths_at(word: &[u8], at: usize, home: Option<&Path>) -> Vec<Found> {
    let is_path = |at: &usize| word.get(*at) == Some(&b'/');
    let goes_on = |at: &usize| is_path(at) || word[*at..].starts_with(b"\"/");
    let of_home = HOME.iter().filter(|_| home.is_some()).find_map(|name| {
        let slash = Some(at + name.len()).filter(|_| word[at..].starts_with(name.as_bytes()));
        slash.filter(goes_on)
    });
    let Some(slash) = of_home.or(Some(at).filter(is_path)).filter(|_| may_begin_behind(&word[..at])) else {
        return vec![];
    };
    let before = home.filter(|_| slash > at).map_or(&b""[..], |home| home.as_os_str().as_bytes());
    let path = |text: &[u8]| PathBuf::from(OsString::from_vec([before, text].concat()));
    let as_typed = ends(word, at, slash).into_iter().filter(|_| is_path(&slash));
    let as_typed = as_typed.map(|end| Found { path: path(&word[slash..end]), end, in_shell: None });
    // What is there may go on to the end of the word.
    let rest = Found { path: path(&word[slash..]), end: word.len(), in_shell: None };
    let rest = Some(rest).filter(|rest| is_path(&slash) && rest.path.exists());
    // What a shell reads with its quotes and escapes, if nothing is called so as it stands.
    // Within `$(...)` or behind a comment, what seems to be an open quote is none.
    let open = quotes::open_behind(&word[..at]);
    let opens = [Some(open), open.is_some().then_some(None)].into_iter().flatten();
    let in_shell = opens.filter_map(|open| {
        let plain = quotes::plain(&word[slash..], open)?;
        Some(Found { path: path(&plain.text), end: slash + plain.length, in_shell: Some((open, plain.open)) })
    });
    as_typed.chain(rest).chain(in_shell).collect()
}

/// Returns where a path may end that begins at a place with a slash: in quotes it may hold anything else.
fn ends(word: &[u8], at: usize, slash: usize) -> Vec<usize> {
    let quote = at.checked_sub(1).map(|before| word[before]).filter(|byte| b"'\"".contains(byte));
    let end =
        |is_end: &dyn Fn(&u8) -> bool| slash + word[slash..].iter().position(is_end).unwrap_or(word.len() - slash);
    quote.map(|quote| end(&|byte| *byte == quote)).into_iter().chain([end(&is_between)]).collect()
}

/// Returns the user's home folder, as tests find it in their environment.
fn home() -> Option<PathBuf> {
    std::env::var_os("HOME").map(PathBuf::from).filter(|home| home.is_absolute() && home.parent().is_some())
}

/// Returns a word, which is a line for a shell or not, with others in the place of full paths in it, where `by` has
/// one.
pub(super) fn with_paths(word: &OsStr, is_line: bool, by: impl Fn(&Path) -> Option<OsString>) -> OsString {
    with_paths_at_home((word, is_line), home().as_deref(), by)
}

fn with_paths_at_home(
    (word, is_line): (&OsStr, bool),
    home: Option<&Path>,
    by: impl Fn(&Path) -> Option<OsString>,
) -> OsString {
    let (word, mut whole, mut at) = (word.as_bytes(), vec![], 0);
    while at < word.len() {
        let found = paths_at(word, at, home).into_iter().find_map(|found| Some((by(&found.path)?, found)));
        match found {
            Some((path, found)) => {
                whole.extend_from_slice(&put_in(path, &found, (&word[..at], is_line)));
                at = found.end;
            }
            None => {
                whole.push(word[at]);
                at += 1;
            }
        }
    }
    OsString::from_vec(whole)
}

/// Returns what is put in for a path behind a part of a word, so that a shell reads it as it is.
fn put_in(path: OsString, found: &Found, (before, is_line): (&[u8], bool)) -> Vec<u8> {
    let (mut path, typed) = (path.into_vec(), found.path.as_os_str().as_bytes());
    if typed.ends_with(b"/") && !path.ends_with(b"/") {
        path.push(b'/');
    }
    if let Some(open) = found.in_shell {
        return quotes::escaped(&path, open);
    }
    // What was typed so was quoted as it had to be; what a link leads to was not typed.
    let (_, rest) = quotes::split(&path);
    let is_right = !is_line || typed.ends_with(rest) || quotes::is_plain(rest);
    if is_right {
        return path;
    }
    let open = quotes::open_behind(before);
    quotes::escaped(&path, (open, open))
}

/// Returns all that may be a full path in a word; most of it is none.
pub(super) fn paths_in(word: &OsStr) -> BTreeSet<PathBuf> {
    let (word, home) = (word.as_bytes(), home());
    (0..word.len()).flat_map(|at| paths_at(word, at, home.as_deref())).map(|found| found.path).collect()
}

/// Returns a word with another path in place of one, wherever that stands as a path of its own or leads to something
/// below it.
pub(super) fn replaced(word: &OsStr, path: &OsStr, by: &OsStr) -> OsString {
    let (word, path) = (word.as_bytes(), path.as_bytes());
    let goes_on = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.-".contains(byte) || !byte.is_ascii();
    let (mut whole, mut at) = (vec![], 0);
    while at < word.len() {
        let is_path = !path.is_empty() && path != b"/" && word[at..].starts_with(path);
        let is_begin = at == 0 || !(goes_on(&word[at - 1]) || word[at - 1] == b'/');
        let behind = word.get(at + path.len()..).unwrap_or_default();
        let is_end = !behind.first().is_some_and(goes_on) && !behind.starts_with(b"\\ ");
        if is_path && is_begin && is_end {
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
            ("/a/b", "{}"),
            ("--out=/a/b", "--out={}"),
            ("-o/a/b", "-o{}"),
            ("-isystem/a/b", "-isystem{}"),
            ("cc -I/a/b -L/a/b x", "cc -I{} -L{} x"),
            ("-Wl,-rpath,/a/b", "-Wl,-rpath,{}"),
            ("/a/b,/a/b", "{},{}"),
            ("@/a/b", "@{}"),
            ("cd ~/b >$HOME/b; x -o${HOME}/b \"$HOME/b\"", "cd {} >{}; x -o{} \"{}\""),
            ("x~/b a$HOME/b $HOMES/b ~user/b", "x~/b a$HOME/b $HOMES/b ~user/b"),
            ("'/a/b' >\"/a/b\"", "'{}' >\"{}\""),
            (r"x </\a/b\ >/a\/b; y", r"x </\a/b\ >{}; y"),
            ("cat /a/\"b\" '/a/'b \"/\"'a'/b; x \"$HOME\"/b", "cat {} ''{} \"\"{}; x \"\"{}"),
            ("ls /a/b/ /a/b\\ c", "ls {}/ /a/b\\ c"),
            ("x/a/b a-o/a/b {}/a/b ./a/b --o/a/b", "x/a/b a-o/a/b {}/a/b ./a/b --o/a/b"),
        ] {
            let by = |path: &Path| (path == Path::new("/a/b")).then(|| OsString::from("{}"));
            let home = Some(Path::new("/a"));
            assert_eq!(with_paths_at_home((OsStr::new(word), true), home, by), OsStr::new(expected));
        }
    }
}
