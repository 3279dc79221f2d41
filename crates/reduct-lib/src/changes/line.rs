//! The scripts that a line for the shell starts, as far as its words say so plainly.
//!
//! A word counts if it is a program named by a path, or what an interpreter is given to read. What is quoted, made of
//! variables or read from elsewhere is the shell's. Where `cd` leads is followed as far as that is plain, too.

use reduct_oracle::shell_line::SHELLS;
use std::ffi::OsStr;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// A word that names a script.
#[derive(Debug, PartialEq)]
pub(super) struct Script {
    /// Where the word stands.
    pub at: Range<usize>,
    /// What it names, from where the line is run.
    pub path: PathBuf,
}

/// Words after which a command begins.
const BEFORE_A_COMMAND: &[&[u8]] = &[
    b"!", b"{", b"if", b"then", b"else", b"elif", b"while", b"until", b"do", b"time", b"exec", b"command", b"env",
    b"nice", b"nohup",
];

/// Programs besides shells that read a script, with the letter of the option after which they read none.
const INTERPRETERS: &[(&[u8], u8)] = &[
    (b".", 0),
    (b"source", 0),
    (b"perl", b'e'),
    (b"python", b'c'),
    (b"python2", b'c'),
    (b"python3", b'c'),
    (b"ruby", b'e'),
    (b"node", b'e'),
    (b"php", b'r'),
    (b"lua", b'e'),
    (b"tclsh", 0),
    (b"Rscript", b'e'),
];

/// What the next word can be.
#[derive(Clone, Copy, PartialEq)]
enum Expected {
    /// A program.
    Program,
    /// The script of an interpreter, or an option of it; with this letter, there is none.
    Script(u8),
    /// Where something is read from or written to; what was expected before comes after it.
    Redirection,
    /// Where `cd` goes.
    Folder,
    /// An argument.
    Argument,
}

/// Returns the words of a line that name scripts, in their order.
pub(super) fn scripts(line: &[u8]) -> Vec<Script> {
    let mut reader = Reader { found: vec![], expected: Expected::Program, after: Expected::Program, folders: vec![] };
    let mut folder = Some(PathBuf::new());
    let mut at = 0;
    while at < line.len() {
        match line[at] {
            b' ' | b'\t' => at += 1,
            b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'`' => {
                // What is in parentheses leads nobody else elsewhere.
                match line[at] {
                    b'(' => reader.folders.push(folder.clone()),
                    b')' => folder = reader.folders.pop().unwrap_or(folder),
                    _ => {}
                }
                (at, reader.expected) = (at + 1, Expected::Program);
            }
            b'#' => at += line[at..].iter().position(|byte| *byte == b'\n').unwrap_or(line.len() - at),
            b'<' | b'>' => {
                at += line[at..].iter().take_while(|byte| b"<>&|".contains(byte)).count();
                if reader.expected != Expected::Redirection {
                    (reader.after, reader.expected) = (reader.expected, Expected::Redirection);
                }
            }
            _ => {
                let (end, plain) = word(line, at);
                // A number before `>` is no word.
                let is_number = line[at..end].iter().all(u8::is_ascii_digit);
                if !is_number || !matches!(line.get(end), Some(b'<' | b'>')) {
                    reader.take(at, &line[at..end], plain, &mut folder);
                }
                at = end;
            }
        }
    }
    reader.found
}

/// How far a line is read.
struct Reader {
    found: Vec<Script>,
    expected: Expected,
    /// What is expected after a redirection.
    after: Expected,
    /// Where it was before each parenthesis that is open.
    folders: Vec<Option<PathBuf>>,
}

impl Reader {
    /// Takes a word. `folder` is where the line is then, from where it is run; nothing if that is not known.
    fn take(&mut self, at: usize, word: &[u8], plain: bool, folder: &mut Option<PathBuf>) {
        let path = Path::new(OsStr::from_bytes(word));
        let names = match self.expected {
            Expected::Program => word.contains(&b'/'),
            Expected::Script(_) => !word.starts_with(b"-"),
            Expected::Redirection | Expected::Argument | Expected::Folder => false,
        };
        if let (true, true, Some(folder)) = (names, plain, folder.as_ref()) {
            self.found.push(Script { at: at..at + word.len(), path: folder.join(path) });
        }
        if self.expected == Expected::Folder {
            let is_known = plain && !word.starts_with(b"-");
            *folder = folder.take().filter(|_| is_known).map(|folder| folder.join(path));
        }
        self.expected = next(self.expected, self.after, word);
    }
}

/// Returns where a word ends, and whether it is plain: what stands there is what is meant.
fn word(line: &[u8], start: usize) -> (usize, bool) {
    let (mut at, mut plain) = (start, true);
    while at < line.len() && !b" \t\n;&|()<>`".contains(&line[at]) {
        plain &= line[at].is_ascii_alphanumeric() || line[at] >= 0x80 || b"/._-+=:,@%".contains(&line[at]);
        at += match line[at] {
            b'\\' => 2,
            b'\'' => 1 + end_of(&line[at + 1..], b'\''),
            b'"' => 1 + end_of(&line[at + 1..], b'"'),
            // What it stands for begins with a command of its own.
            b'$' if line.get(at + 1) == Some(&b'(') => return (at + 1, false),
            _ => 1,
        };
    }
    (at.min(line.len()), plain)
}

/// Returns how far it is beyond the quote that ends a text.
fn end_of(text: &[u8], quote: u8) -> usize {
    let mut at = 0;
    while at < text.len() && text[at] != quote {
        at += if quote == b'"' && text[at] == b'\\' { 2 } else { 1 };
    }
    at + 1
}

/// Returns what can come after a word.
fn next(expected: Expected, after: Expected, word: &[u8]) -> Expected {
    match expected {
        Expected::Redirection => after,
        Expected::Argument | Expected::Folder => Expected::Argument,
        Expected::Script(none) if word.starts_with(b"-") && !word.ends_with(&[none]) => expected,
        Expected::Script(_) => Expected::Argument,
        Expected::Program => {
            let name = word.rsplit(|byte| *byte == b'/').next().unwrap_or(word);
            let end = word.iter().position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
            let is_assignment = end.is_some_and(|end| end > 0 && word[end] == b'=');
            if is_assignment || BEFORE_A_COMMAND.contains(&word) {
                Expected::Program
            } else if word == b"cd" {
                Expected::Folder
            } else {
                let shells = SHELLS.iter().map(|shell| (shell.as_bytes(), b'c'));
                let reads = INTERPRETERS.iter().copied().chain(shells).find(|(program, _)| *program == name);
                reads.map_or(Expected::Argument, |(_, none)| Expected::Script(none))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(line: &str) -> Vec<&str> {
        scripts(line.as_bytes()).into_iter().map(|script| &line[script.at]).collect()
    }

    #[test]
    fn paths_are_those_from_where_the_line_is_run() {
        let paths =
            |line: &str| -> Vec<PathBuf> { scripts(line.as_bytes()).into_iter().map(|script| script.path).collect() };
        assert_eq!(paths("./a; cd b/c && ../d"), [Path::new("./a"), Path::new("b/c/../d")]);
        assert_eq!(paths("(cd b; ./a); ./a; cd /x; ./a"), [Path::new("b/./a"), Path::new("./a"), Path::new("/x/a")]);
        assert_eq!(paths("cd $x; ./a").len(), 0);
    }

    #[test]
    fn programs_and_what_interpreters_read_are_scripts() {
        assert_eq!(found("../x.sh"), ["../x.sh"]);
        assert_eq!(found("make -s && ./t a/b >out/log 2>&1; sh -eu y.sh ./data"), ["./t", "y.sh"]);
        assert_eq!(found("! A=1 ./a | /bin/b || (. ./c)"), ["./a", "/bin/b", "./c"]);
        assert_eq!(found("if ./a; then python3 b.py; fi"), ["./a", "b.py"]);
        assert_eq!(found("2>/dev/null ./a <in <<EOF"), ["./a"]);
        assert_eq!(found("sh -e ./a; perl -w ./b ./c"), ["./a", "./b"]);
        assert_eq!(found("x=$(./a b) `./c`"), ["./a", "./c"]);
    }

    #[test]
    fn what_the_shell_makes_of_words_is_left_to_it() {
        for line in [
            "'./a b'",
            "\"./a\" x",
            "$H/a",
            "./a*",
            "sh -c './a'",
            "bash -ec ./a",
            "perl -e ./a",
            "grep ./a f",
            "# ./a",
            "echo \\; ./a",
            "",
            "'./a",
            "sh",
        ] {
            assert_eq!(found(line), [""; 0], "{line}");
        }
    }
}
