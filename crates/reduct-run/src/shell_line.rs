//! A line for a shell with a path in the place of `{}`, so that the shell reads the path as it is.
//!
//! What a path has to look like depends on where it stands: bare, within either kind of quotes, in a document that
//! follows the line. A path without special characters looks the same everywhere.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

/// Puts a path in for every `{}` of a command: as it is into its words, as a shell needs it into a line for a shell.
pub fn fill_in_command(argv: &[OsString], path: &OsStr) -> Vec<OsString> {
    let line = line_of(argv);
    let filled = argv.iter().enumerate().map(|(at, word)| {
        let fill = if Some(at) == line { fill_in_line } else { fill_in_word };
        OsString::from_vec(fill(word.as_bytes(), path.as_bytes()))
    });
    filled.collect()
}

/// Programs that read a line after `-c`, and a script else.
pub const SHELLS: [&str; 6] = ["sh", "bash", "dash", "ash", "ksh", "zsh"];

/// Which word of a command is a line for a shell, if one is: `sh -c LINE`.
pub fn line_of(argv: &[OsString]) -> Option<usize> {
    let [program, option, _, ..] = argv else { return None };
    let is_shell = Path::new(program).file_name().is_some_and(|name| SHELLS.iter().any(|shell| name == *shell));
    (is_shell && option == "-c").then_some(2)
}

/// Puts a path in for every `{}` as it is.
fn fill_in_word(word: &[u8], path: &[u8]) -> Vec<u8> {
    let (mut filled, mut rest) = (Vec::with_capacity(word.len()), word);
    while let Some(at) = rest.windows(2).position(|two| two == b"{}") {
        filled.extend_from_slice(&rest[..at]);
        filled.extend_from_slice(path);
        rest = &rest[at + 2..];
    }
    filled.extend_from_slice(rest);
    filled
}

/// Puts a path in for every `{}` of a line for a shell.
pub fn fill_in_line(line: &[u8], path: &[u8]) -> Vec<u8> {
    let mut scanner = Scanner {
        rest: line,
        filled: Vec::with_capacity(line.len()),
        path,
        within: vec![],
        documents: VecDeque::new(),
    };
    while !scanner.rest.is_empty() {
        scanner.step();
    }
    scanner.filled
}

/// A word as a shell takes it, whatever its bytes.
pub fn quoted(word: &[u8]) -> Vec<u8> {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/._-+=:,@%".contains(byte);
    if !word.is_empty() && word.iter().all(plain) {
        return word.to_vec();
    }
    [b"'", &within_single(word)[..], b"'"].concat()
}

/// What a path looks like within single quotes.
fn within_single(path: &[u8]) -> Vec<u8> {
    path.iter().flat_map(|byte| if *byte == b'\'' { b"'\\''".to_vec() } else { vec![*byte] }).collect()
}

/// The same with a backslash before each of these.
fn escaped(path: &[u8], special: &[u8]) -> Vec<u8> {
    let escape = |byte: &u8| if special.contains(byte) { vec![b'\\', *byte] } else { vec![*byte] };
    path.iter().flat_map(escape).collect()
}

/// What the reader of a line is within, apart from single quotes, comments and documents, which nothing is nested in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    DoubleQuotes,
    Parentheses,
    Arithmetic,
    Backticks,
}

/// A document announced by `<<`.
struct Document {
    /// The line that ends it.
    end: Vec<u8>,
    /// Whether nothing in it is expanded.
    is_raw: bool,
    /// Whether tabs in front of its lines do not count.
    is_indented: bool,
}

/// Reads a line as far as needed to know where quotes begin and end.
struct Scanner<'a> {
    rest: &'a [u8],
    filled: Vec<u8>,
    path: &'a [u8],
    within: Vec<Within>,
    documents: VecDeque<Document>,
}

impl Scanner<'_> {
    fn copy(&mut self, length: usize) {
        let (head, tail) = self.rest.split_at(length.min(self.rest.len()));
        self.filled.extend_from_slice(head);
        self.rest = tail;
    }

    fn enter(&mut self, within: Within, length: usize) {
        self.within.push(within);
        self.copy(length);
    }

    fn leave(&mut self, within: Within, length: usize) {
        self.within.pop_if(|last| *last == within);
        self.copy(length);
    }

    /// Puts the path in, made as it has to be where it stands.
    fn put(&mut self, mut path: Vec<u8>) {
        // Within backticks, backslashes are taken off once more.
        for _ in self.within.iter().filter(|within| **within == Within::Backticks) {
            path = escaped(&path, b"\\`");
        }
        self.filled.extend_from_slice(&path);
        self.rest = &self.rest[2..];
    }

    fn step(&mut self) {
        let last = self.within.last().copied();
        match self.rest {
            [b'\\', ..] => self.copy(2),
            [b'$', b'(', b'(', ..] => self.enter(Within::Arithmetic, 3),
            [b'$', b'(', ..] => self.enter(Within::Parentheses, 2),
            [b'`', ..] => self.backtick(),
            [b'"', ..] if last == Some(Within::DoubleQuotes) => self.leave(Within::DoubleQuotes, 1),
            [b'"', ..] => self.enter(Within::DoubleQuotes, 1),
            [b'{', b'}', ..] if last == Some(Within::DoubleQuotes) => self.put(escaped(self.path, b"\\\"$`")),
            [b'{', b'}', ..] => self.put(quoted(self.path)),
            _ if last == Some(Within::DoubleQuotes) => self.copy(1),
            _ => self.step_outside(last),
        }
    }

    /// Goes on where no quotes are.
    fn step_outside(&mut self, last: Option<Within>) {
        match self.rest {
            [b'\'', ..] => self.single_quotes(),
            [b')', b')', ..] if last == Some(Within::Arithmetic) => self.leave(Within::Arithmetic, 2),
            [b'(', ..] => self.enter(Within::Parentheses, 1),
            [b')', ..] => self.leave(Within::Parentheses, 1),
            [b'<', b'<', b'<', ..] => self.copy(3),
            [b'<', b'<', ..] if !self.within.contains(&Within::Arithmetic) => self.announcement(),
            [b'#', ..] if last != Some(Within::Arithmetic) && self.is_at_a_word() => {
                let end = self.rest.iter().position(|byte| *byte == b'\n').unwrap_or(self.rest.len());
                self.copy(end);
            }
            [b'\n', ..] => {
                self.copy(1);
                while let Some(document) = self.documents.pop_front() {
                    self.document(&document);
                }
            }
            _ => self.copy(1),
        }
    }

    fn is_at_a_word(&self) -> bool {
        self.filled.last().is_none_or(|byte| b" \t\n;&|()".contains(byte))
    }

    fn backtick(&mut self) {
        match self.within.iter().rposition(|within| *within == Within::Backticks) {
            Some(opened) => {
                self.within.truncate(opened);
                self.copy(1);
            }
            None => self.enter(Within::Backticks, 1),
        }
    }

    fn single_quotes(&mut self) {
        self.copy(1);
        while let Some(first) = self.rest.first() {
            match first {
                b'\'' => return self.copy(1),
                b'{' if self.rest.starts_with(b"{}") => self.put(within_single(self.path)),
                _ => self.copy(1),
            }
        }
    }

    /// Notes the document that `<<` announces.
    fn announcement(&mut self) {
        self.copy(2);
        let is_indented = self.rest.starts_with(b"-");
        self.copy(usize::from(is_indented));
        while matches!(self.rest.first(), Some(b' ' | b'\t')) {
            self.copy(1);
        }
        let (mut end, mut is_raw, mut quote) = (vec![], false, None);
        while let Some(&byte) = self.rest.first() {
            match (byte, quote) {
                (_, Some(open)) if byte == open => quote = None,
                (_, Some(_)) => end.push(byte),
                (b'\'' | b'"', None) => (quote, is_raw) = (Some(byte), true),
                (b'\\', None) => is_raw = true,
                (b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')', None) => break,
                _ => end.push(byte),
            }
            self.copy(1);
        }
        self.documents.push_back(Document { end, is_raw, is_indented });
    }

    /// Reads a document to its end.
    fn document(&mut self, document: &Document) {
        while !self.rest.is_empty() {
            let length = self.rest.iter().position(|byte| *byte == b'\n').map_or(self.rest.len(), |end| end + 1);
            let (line, rest) = self.rest.split_at(length);
            let text = line.strip_suffix(b"\n").unwrap_or(line);
            let tabs = text.iter().take_while(|byte| document.is_indented && **byte == b'\t').count();
            let path = if document.is_raw { self.path.to_vec() } else { escaped(self.path, b"\\$`") };
            self.filled.extend(fill_in_word(line, &path));
            self.rest = rest;
            if text[tabs..] == document.end[..] {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    /// All that a shell could take for its own.
    const ODD: &str = "/tmp/it's a \"$HOME\" `x` \\ #;&|<*>(?)";

    fn filled(line: &str, path: &str) -> String {
        String::from_utf8(fill_in_line(line.as_bytes(), path.as_bytes())).unwrap()
    }

    #[test]
    fn a_plain_path_stands_as_it_is_everywhere() {
        for line in ["{}", "'{}'", "\"{}\"", "a{}b \"$(x {} '{}')\" `y {}`", "cat <<E\n{}\nE\n{}", "$((1<<2)) {}"] {
            assert_eq!(filled(line, "/a/b.c"), line.replace("{}", "/a/b.c"), "{line}");
        }
    }

    #[test]
    fn a_shell_reads_the_path_as_it_is_wherever_it_stands() {
        for line in [
            "printf %s {}",
            "printf %s '{}'",
            "printf %s \"{}\"",
            "printf %s \"$(printf %s {})\"",
            "printf %s \"$(printf %s \"{}\")\"",
            "printf %s \"$(printf %s '{}')\"",
            "printf %s \"$( (true); printf %s {})\"",
            "(printf %s {})",
            "# don't\nprintf %s {}",
            "true it\\'s; printf %s {}",
            "x=$((1<<2)); printf %s {}",
            "printf %s ${x-}{}",
            "printf %s \"`printf %s '{}'`\"",
            "x=`printf %s {}`; printf %s \"$x\"",
            "x=`printf %s \"{}\"`; printf %s \"$x\"",
            "x=$(cat <<'E'\n{}\nE\n); printf %s \"$x\"",
            "x=$(cat <<E\n{}\nE\n); printf %s \"$x\"",
            "x=$(cat <<-\\E\n\t{}\n\tE\n); printf %s \"$x\"",
            "cat >/dev/null <<E; printf %s {}\nit's \"\nE",
        ] {
            let output = Command::new("sh").arg("-c").arg(filled(line, ODD)).output().unwrap();
            let errors = String::from_utf8_lossy(&output.stderr);
            assert_eq!(String::from_utf8_lossy(&output.stdout), ODD, "{line}: {} {errors}", filled(line, ODD));
        }
    }

    #[test]
    fn only_the_line_of_a_shell_is_read_as_one() {
        let fill = |argv: &[&str]| {
            let argv: Vec<OsString> = argv.iter().map(OsString::from).collect();
            fill_in_command(&argv, OsStr::new("/a b"))
        };
        assert_eq!(fill(&["/bin/bash", "-c", "x {}", "{}"]), ["/bin/bash", "-c", "x '/a b'", "/a b"]);
        assert_eq!(fill(&["sh", "{}", "-{}-"]), ["sh", "/a b", "-/a b-"]);
        assert_eq!(fill(&["python3", "-c", "open('{}')"]), ["python3", "-c", "open('/a b')"]);
        assert_eq!(fill(&["", "{{}}", "{ }"]), ["", "{/a b}", "{ }"]);
    }

    #[test]
    fn a_backslash_takes_the_braces_from_it() {
        assert_eq!(filled(r"echo \{}", "/a b"), r"echo \{}");
        assert_eq!(filled("# {}", "/a b"), "# {}");
    }
}
