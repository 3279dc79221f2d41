//! What stands in the way of starting a program, as far as a look at it tells.

mod elf;

use crate::errors::Refusal;
use crate::job::{Job, is_program};
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Returns whether a file says in its first line that it is a script.
pub fn is_script(path: &Path) -> bool {
    first_line(path).is_some_and(|line| line.starts_with(b"#!"))
}

/// Returns the refusal of a test that the system does not start; `why` is what the system says.
pub(crate) fn cannot_start(job: &Job, why: &str, recipe: String) -> Refusal {
    let program = job.command.first().map(OsString::as_os_str).unwrap_or_default();
    match obstacle(&job.folder, program, std::env::var_os("PATH").as_deref()) {
        Some(Obstacle { what, help }) => {
            Refusal::CannotStart { why: format!("{what} ({why})"), recipe: format!("{help}\n{recipe}") }
        }
        None => Refusal::CannotStart { why: why.into(), recipe },
    }
}

/// Returns what is to be said of line ends in the script of a test, if it has those of Windows: what starts the script
/// sees them.
pub(crate) fn foreign_line_ends(job: &Job) -> Option<String> {
    let program = Path::new(job.command.first()?);
    let line = first_line(&job.folder.join(program))?;
    let (name, is_foreign) = (program.display(), line.starts_with(b"#!") && line.ends_with(b"\r"));
    is_foreign.then(|| format!("line 1 of {name} ends with a carriage return, as on Windows: sed -i 's/\\r$//' {name}"))
}

/// What is in the way, and what to do about it.
#[derive(Debug, PartialEq, Eq)]
struct Obstacle {
    what: String,
    help: String,
}

/// Returns what keeps a program from being started in this folder, with this search path.
fn obstacle(folder: &Path, program: &OsStr, search_path: Option<&OsStr>) -> Option<Obstacle> {
    let found = |what: String, help: String| Some(Obstacle { what, help });
    let name = program.to_string_lossy();
    let word = crate::shell::quoted(program);
    let here = folder.join(program);
    let path = if program.as_bytes().contains(&b'/') { Some(here.clone()) } else { searched(program, search_path) };
    let Some(path) = path else {
        if !here.is_file() {
            return found(
                format!("there is no program `{name}` on the search path"),
                one_word(folder, program, search_path) + "install it, or give the path of another one",
            );
        }
        let also = if is_program(&here) { String::new() } else { format!(", and make it a program: chmod +x {word}") };
        return found(
            format!("`{name}` stands in this folder, but a bare name is looked for on the search path only"),
            format!("write ./{word}{also}"),
        );
    };
    let Ok(meta) = fs::metadata(&path) else {
        let one_word = one_word(folder, program, search_path);
        return found(
            format!("there is no file `{name}`"),
            format!("{one_word}a path is one from {}", folder.display()),
        );
    };
    if meta.is_dir() {
        return found(format!("`{name}` is a folder"), "give a program".into());
    }
    if !is_program(&path) {
        return found(format!("`{name}` is not executable"), format!("make it a program: chmod +x {word}"));
    }
    let line = first_line(&path)?;
    if line.starts_with(b"\x7fELF") {
        if elf::can_be_loaded(&path) {
            return None;
        }
        return found(
            format!("`{name}` was perhaps built for another system: what is to load it is missing"),
            "build it here, or install the libraries it was built for".into(),
        );
    }
    let words = line.strip_prefix(b"#!")?.trim_ascii_start();
    let interpreter = words.split(|byte| b" \t".contains(byte)).next().unwrap_or_default();
    if let Some(meant) = interpreter.strip_suffix(b"\r") {
        let meant = String::from_utf8_lossy(meant);
        return found(
            format!(
                "line 1 of {name} ends with a carriage return, as on Windows, which is taken for a part of {meant}"
            ),
            format!("remove it from all lines: sed -i 's/\\r$//' {word}"),
        );
    }
    let interpreter = Path::new(OsStr::from_bytes(interpreter));
    let shown = interpreter.display();
    match fs::metadata(folder.join(interpreter)) {
        Err(_) => found(
            format!("line 1 of {name} names an interpreter that is not there: {shown}"),
            "correct line 1, or install the interpreter".into(),
        ),
        Ok(_) if !is_program(&folder.join(interpreter)) => {
            found(format!("line 1 of {name} names an interpreter that is no program: {shown}"), "correct line 1".into())
        }
        Ok(_) => None,
    }
}

/// Returns what to do with a whole command in one word, if its first part is a program; with a line's end.
fn one_word(folder: &Path, program: &OsStr, search_path: Option<&OsStr>) -> String {
    let first = program.as_bytes().split(u8::is_ascii_whitespace).next().map(OsStr::from_bytes).unwrap_or_default();
    let there = if first.as_bytes().contains(&b'/') { Some(folder.join(first)) } else { searched(first, search_path) };
    if first == program || !there.is_some_and(|there| is_program(&there)) {
        return String::new();
    }
    format!("that is one word, with blanks in it: -c {} has a shell read it as a line\n", crate::shell::quoted(program))
}

/// Returns the file that a bare name stands for.
fn searched(program: &OsStr, search_path: Option<&OsStr>) -> Option<PathBuf> {
    std::env::split_paths(search_path?).map(|folder| folder.join(program)).find(|path| path.is_file())
}

/// Returns the beginning of a file, to the end of its first line: the system reads no more of it than this.
fn first_line(path: &Path) -> Option<Vec<u8>> {
    const READ: u64 = 256;
    let mut line = vec![];
    // Of a pipe, nothing is taken.
    path.is_file().then(|| File::open(path).ok())??.take(READ).read_to_end(&mut line).ok()?;
    let end = line.iter().position(|byte| *byte == b'\n').unwrap_or(line.len());
    line.truncate(end);
    Some(line)
}
