//! The log of strace(1), as what was done in one folder.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The calls that are recorded: all by which a program changes a folder or has it flushed.
pub(super) const CALLS: [&str; 29] = [
    "openat",
    "open",
    "creat",
    "write",
    "writev",
    "pwrite64",
    "pwritev",
    "lseek",
    "rename",
    "renameat",
    "renameat2",
    "fsync",
    "fdatasync",
    "syncfs",
    "sync",
    "ftruncate",
    "truncate",
    "unlink",
    "unlinkat",
    "rmdir",
    "mkdir",
    "mkdirat",
    "symlink",
    "symlinkat",
    "link",
    "linkat",
    "copy_file_range",
    "sendfile",
    "fallocate",
];

/// Something that was done. Paths are below the folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Op {
    /// A file is there from now on, empty.
    Create(PathBuf),
    Write {
        path: PathBuf,
        at: usize,
        bytes: Vec<u8>,
    },
    Truncate(PathBuf, usize),
    MakeFolder(PathBuf),
    /// A symbolic link, and where it leads.
    Link(PathBuf, PathBuf),
    Remove(PathBuf),
    Rename(PathBuf, PathBuf),
    Exchange(PathBuf, PathBuf),
    /// A file or folder is flushed.
    Flush(PathBuf),
    /// All is flushed.
    FlushAll,
    /// Something is said on standard error.
    Said(String),
}

/// A call with its arguments: paths of descriptors and strings in their order, and what it returned.
struct Call<'a> {
    name: &'a str,
    text: &'a str,
    arguments: Vec<Argument>,
    returned: i64,
    /// The path of the descriptor that it returned.
    opened: Option<PathBuf>,
}

enum Argument {
    Descriptor(PathBuf),
    Text(Vec<u8>),
}

/// Reads a log. Returns what was done in this folder, in the order in which it was done.
///
/// # Errors
/// If something was done that is not known.
pub(super) fn read(log: &str, home: &Path) -> Result<Vec<Op>, String> {
    let mut reader = Reader { home, ops: vec![], places: HashMap::new() };
    let mut unfinished: HashMap<&str, &str> = HashMap::new();
    for line in log.lines() {
        let Some((pid, text)) = line.split_once(' ') else { continue };
        let text = text.trim_start();
        if let Some(begin) = text.strip_suffix(" <unfinished ...>") {
            unfinished.insert(pid, begin);
        } else if let Some((_, end)) = text.strip_prefix("<... ").and_then(|rest| rest.split_once(" resumed>")) {
            let whole = format!("{}{end}", unfinished.remove(pid).unwrap_or_default());
            reader.take(&whole)?;
        } else {
            reader.take(text)?;
        }
    }
    Ok(reader.ops)
}

struct Reader<'a> {
    home: &'a Path,
    ops: Vec<Op>,
    /// Where in a file is written next.
    places: HashMap<PathBuf, usize>,
}

impl Reader<'_> {
    fn take(&mut self, text: &str) -> Result<(), String> {
        let Some(call) = Call::of(text).filter(|call| call.returned >= 0) else { return Ok(()) };
        let paths = call.paths();
        let mut inside = paths.iter().filter_map(|path| Some(path.strip_prefix(self.home).ok()?.to_owned()));
        let (first, second) = (inside.next(), inside.next());
        match (call.name, first) {
            ("sync", _) => self.ops.push(Op::FlushAll),
            ("write", None) if text.starts_with("write(2") => {
                self.ops.push(Op::Said(String::from_utf8_lossy(&call.bytes()).into_owned()));
            }
            (_, None) => {}
            ("openat" | "open" | "creat", Some(_)) => self.open(&call),
            ("write" | "writev", Some(path)) => {
                let at = *self.places.entry(path.clone()).or_default();
                self.write(path, at, &call);
            }
            ("lseek", Some(path)) => _ = self.places.insert(path, call.returned as usize),
            ("ftruncate" | "truncate", Some(path)) => {
                self.ops.push(Op::Truncate(path, call.number_at_end().ok_or_else(|| text.to_owned())?));
            }
            ("mkdir" | "mkdirat", Some(path)) => self.ops.push(Op::MakeFolder(path)),
            ("symlink" | "symlinkat", Some(path)) => {
                let to = call.bytes_of_first();
                self.ops.push(Op::Link(path, PathBuf::from(String::from_utf8_lossy(&to).into_owned())));
            }
            ("unlink" | "unlinkat" | "rmdir", Some(path)) => self.ops.push(Op::Remove(path)),
            ("rename" | "renameat" | "renameat2", Some(from)) => {
                let to = second.filter(|_| paths.len() == 2).ok_or_else(|| text.to_owned())?;
                let is_exchange = text.contains("RENAME_EXCHANGE");
                self.ops.push(if is_exchange { Op::Exchange(from, to) } else { Op::Rename(from, to) });
            }
            ("copy_file_range", Some(from)) => {
                let is_read_only = paths.first().is_some_and(|first| first.starts_with(self.home));
                match second {
                    Some(to) => self.copy(&from, to, call.returned as usize)?,
                    // To elsewhere.
                    None if is_read_only => {}
                    None => return Err(format!("{} is copied from elsewhere", from.display())),
                }
            }
            ("fsync" | "fdatasync", Some(path)) => self.ops.push(Op::Flush(path)),
            ("syncfs", Some(_)) => self.ops.push(Op::FlushAll),
            (name, Some(path)) => return Err(format!("{name} of {} is not known here", path.display())),
        }
        Ok(())
    }

    fn open(&mut self, call: &Call<'_>) {
        let Some(path) = call.opened.as_ref().and_then(|path| path.strip_prefix(self.home).ok()) else { return };
        self.places.insert(path.to_owned(), 0);
        if call.text.contains("O_CREAT") {
            self.ops.push(Op::Create(path.to_owned()));
        }
        if call.text.contains("O_TRUNC") {
            self.ops.push(Op::Truncate(path.to_owned(), 0));
        }
    }

    /// Takes the contents of a copy from where it was copied: inputs, which stay as they are.
    fn copy(&mut self, from: &Path, to: PathBuf, length: usize) -> Result<(), String> {
        let whole = fs::read(self.home.join(from)).map_err(|error| format!("{}: {error}", from.display()))?;
        let begin = *self.places.entry(from.to_owned()).or_default();
        let at = *self.places.entry(to.clone()).or_default();
        let bytes =
            whole.get(begin..begin + length).ok_or_else(|| format!("{} is shorter now", from.display()))?.to_vec();
        self.places.insert(from.to_owned(), begin + length);
        self.places.insert(to.clone(), at + length);
        self.ops.push(Op::Write { path: to, at, bytes });
        Ok(())
    }

    fn write(&mut self, path: PathBuf, at: usize, call: &Call<'_>) {
        let mut bytes = call.bytes();
        bytes.truncate(call.returned as usize);
        self.places.insert(path.clone(), at + bytes.len());
        self.ops.push(Op::Write { path, at, bytes });
    }
}

impl<'a> Call<'a> {
    fn of(text: &'a str) -> Option<Call<'a>> {
        let (name, _) = text.split_once('(')?;
        let (head, returned) = text.rsplit_once(" = ")?;
        let digits = returned.find(|c: char| !(c.is_ascii_digit() || c == '-')).unwrap_or(returned.len());
        let opened = arguments(&returned[digits..]).into_iter().find_map(|argument| match argument {
            Argument::Descriptor(path) => Some(path),
            Argument::Text(_) => None,
        });
        Some(Call { name, text: head, arguments: arguments(head), returned: returned[..digits].parse().ok()?, opened })
    }

    /// Returns the paths that it is about: those of strings, from the descriptor before them if they are relative; of a call
    /// on a descriptor alone, its own.
    fn paths(&self) -> Vec<PathBuf> {
        let is_on_descriptor = matches!(
            self.name,
            "write"
                | "writev"
                | "pwrite64"
                | "pwritev"
                | "lseek"
                | "fsync"
                | "fdatasync"
                | "syncfs"
                | "ftruncate"
                | "copy_file_range"
                | "sendfile"
                | "fallocate"
        );
        let (mut paths, mut folder) = (vec![], PathBuf::new());
        // The first string of a link is where it leads.
        let skipped = usize::from(self.name.starts_with("symlink"));
        let mut strings = 0;
        for argument in &self.arguments {
            match argument {
                Argument::Descriptor(path) if is_on_descriptor => paths.push(path.clone()),
                Argument::Descriptor(path) => folder.clone_from(path),
                Argument::Text(_) if is_on_descriptor => {}
                Argument::Text(bytes) => {
                    strings += 1;
                    if strings > skipped {
                        paths.push(folder.join(String::from_utf8_lossy(bytes).into_owned()));
                    }
                }
            }
        }
        paths
    }

    /// Returns what all strings hold together.
    fn bytes(&self) -> Vec<u8> {
        let text = |argument: &Argument| match argument {
            Argument::Text(bytes) => bytes.clone(),
            Argument::Descriptor(_) => vec![],
        };
        self.arguments.iter().flat_map(text).collect()
    }

    fn bytes_of_first(&self) -> Vec<u8> {
        let text = |argument: &Argument| match argument {
            Argument::Text(bytes) => Some(bytes.clone()),
            Argument::Descriptor(_) => None,
        };
        self.arguments.iter().find_map(text).unwrap_or_default()
    }

    fn number_at_end(&self) -> Option<usize> {
        let (_, number) = self.text.strip_suffix(')')?.rsplit_once(", ")?;
        number.parse().ok()
    }
}

/// Returns the paths of descriptors, `<\x2f...>`, and the strings, `"\x2f..."`. All signs in them are written by their numbers.
fn arguments(text: &str) -> Vec<Argument> {
    let (mut found, mut rest) = (vec![], text);
    while let Some(begin) = rest.find(['<', '"']) {
        let is_text = rest[begin..].starts_with('"');
        let inner = &rest[begin + 1..];
        let Some(end) = inner.find(if is_text { '"' } else { '>' }) else { break };
        let bytes = unescaped(&inner[..end]);
        rest = &inner[end + 1..];
        match bytes {
            Some(bytes) if is_text => found.push(Argument::Text(bytes)),
            // What is removed can be written to; it is nowhere.
            Some(bytes) if !bytes.is_empty() && !rest.starts_with("(deleted)") => {
                found.push(Argument::Descriptor(PathBuf::from(String::from_utf8_lossy(&bytes).into_owned())));
            }
            _ => {}
        }
    }
    found
}

fn unescaped(text: &str) -> Option<Vec<u8>> {
    text.split("\\x").skip(1).map(|digits| u8::from_str_radix(digits, 16).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_that_change_the_folder_are_read() {
        let hex = |text: &str| text.bytes().map(|byte| format!("\\x{byte:02x}")).collect::<String>();
        let (dir, file, other) = (hex("/h"), hex("/h/a"), hex("/h/b"));
        let log = [
            format!("7 openat(AT_FDCWD<{dir}>, \"{file}\", O_WRONLY|O_CREAT|O_EXCL, 0600) = 3<{file}>"),
            format!("7 write(3<{file}>, \"{}\", 2 <unfinished ...>", hex("xy")),
            format!("8 openat(AT_FDCWD<{dir}>, \"{other}\", O_RDONLY) = -1 ENOENT (No such file or directory)"),
            "7 <... write resumed>) = 2".to_owned(),
            format!("7 write(3<{file}>, \"{}\", 1) = 1", hex("z")),
            format!("7 fdatasync(3<{file}>) = 0"),
            format!("7 renameat2(AT_FDCWD<{dir}>, \"{}\", AT_FDCWD<{dir}>, \"{other}\", 0) = 0", hex("a")),
            format!("7 write(2</dev/pts/0>, \"{}\", 4) = 4", hex("done")),
        ];
        let write = |at, bytes: &[u8]| Op::Write { path: "a".into(), at, bytes: bytes.into() };
        let expected = [
            Op::Create("a".into()),
            write(0, b"xy"),
            write(2, b"z"),
            Op::Flush("a".into()),
            Op::Rename("a".into(), "b".into()),
            Op::Said("done".into()),
        ];
        assert_eq!(read(&log.join("\n"), Path::new("/h")).unwrap(), expected);
    }
}
