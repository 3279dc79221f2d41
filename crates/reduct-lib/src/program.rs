//! What stands in the way of starting a program, as far as a look at it tells.

mod elf;
mod obstacle;

use crate::errors::Refusal;
use crate::job::{Job, is_program};
use obstacle::{Obstacle, OneWord};
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Returns whether a file says in its first line that it is a script.
///
/// ```
/// assert!(!reduct_lib::is_script("/dev/null".as_ref()));
/// ```
pub fn is_script(path: &Path) -> bool {
    first_line(path).is_some_and(|line| line.starts_with(b"#!"))
}

/// Returns the refusal of a test that the system does not start; `why` is what the system says.
pub(crate) fn cannot_start(job: &Job, why: &str, recipe: String) -> Refusal {
    let program = job.command.first().map(OsString::as_os_str).unwrap_or_default();
    match obstacle(&job.folder, program, std::env::var_os("PATH").as_deref()) {
        Some(obstacle) => {
            let recipe = format!("{}\n{recipe}", obstacle.help());
            Refusal::CannotStart { why: format!("{obstacle} ({why})"), recipe }
        }
        None => Refusal::CannotStart { why: why.into(), recipe },
    }
}

/// Refuses the program of a job if a look at it tells that the system will not start it.
///
/// ```
/// use reduct_lib::{Job, RefusalKind};
///
/// let job = Job::new(vec![], vec!["./no-such-program".into()], "".into());
/// let refusal = reduct_lib::check_program(&job).unwrap_err();
/// assert_eq!(refusal.to_string(), "the test cannot be started: there is no file `./no-such-program`");
/// assert_eq!(refusal.kind(), RefusalKind::WrongUse);
/// ```
///
/// # Errors
/// What stands in the way.
pub fn check_program(job: &Job) -> Result<(), Refusal> {
    let program = job.command.first().map(OsString::as_os_str).unwrap_or_default();
    match obstacle(&job.folder, program, std::env::var_os("PATH").as_deref()) {
        Some(obstacle) => Err(Refusal::CannotStart { why: obstacle.to_string(), recipe: obstacle.help().into_owned() }),
        None => Ok(()),
    }
}

/// Returns the script of a test if it has the line ends of Windows: what starts the script sees them.
pub(crate) fn foreign_line_ends(job: &Job) -> Option<PathBuf> {
    let program = Path::new(job.command.first()?);
    let line = first_line(&job.folder.join(program))?;
    let is_foreign = line.starts_with(b"#!") && line.ends_with(b"\r");
    is_foreign.then(|| program.to_owned())
}

/// Returns what keeps a program from being started in this folder, with this search path.
fn obstacle(folder: &Path, program: &OsStr, search_path: Option<&OsStr>) -> Option<Obstacle> {
    let name = program.to_string_lossy().into_owned();
    let word = crate::shell::quoted(program);
    let here = folder.join(program);
    let path = if program.as_bytes().contains(&b'/') { Some(here.clone()) } else { searched(program, search_path) };
    let Some(path) = path else {
        return Some(match here.is_file() {
            false => Obstacle::NotOnSearchPath { name, one_word: one_word(folder, program, search_path) },
            true if is_program(&here) => Obstacle::BareName { name, word },
            true => Obstacle::BareNameNotExecutable { name, word },
        });
    };
    let Ok(meta) = fs::metadata(&path) else {
        return Some(Obstacle::NoFile {
            name,
            one_word: one_word(folder, program, search_path),
            folder: folder.into(),
        });
    };
    if meta.is_dir() {
        return Some(Obstacle::Folder { name });
    }
    if !is_program(&path) {
        return Some(Obstacle::NotExecutable { name, word });
    }
    let line = first_line(&path)?;
    if line.starts_with(b"\x7fELF") {
        return (!elf::can_be_loaded(&path)).then_some(Obstacle::NoLoader { name });
    }
    let words = line.strip_prefix(b"#!")?.trim_ascii_start();
    let interpreter = words.split(|byte| b" \t".contains(byte)).next().unwrap_or_default();
    if let Some(meant) = interpreter.strip_suffix(b"\r") {
        let interpreter = String::from_utf8_lossy(meant).into_owned();
        return Some(Obstacle::CarriageReturn { name, word, interpreter });
    }
    let interpreter = PathBuf::from(OsStr::from_bytes(interpreter));
    match fs::metadata(folder.join(&interpreter)) {
        Err(_) => Some(Obstacle::NoInterpreter { name, interpreter }),
        Ok(_) if !is_program(&folder.join(&interpreter)) => {
            Some(Obstacle::InterpreterIsNoProgram { name, interpreter })
        }
        Ok(_) => None,
    }
}

/// Returns a whole command in one word, if its first part is a program.
fn one_word(folder: &Path, program: &OsStr, search_path: Option<&OsStr>) -> Option<OneWord> {
    let first = program.as_bytes().split(u8::is_ascii_whitespace).next().map(OsStr::from_bytes).unwrap_or_default();
    let there = if first.as_bytes().contains(&b'/') { Some(folder.join(first)) } else { searched(first, search_path) };
    let is_line = first != program && there.is_some_and(|there| is_program(&there));
    is_line.then(|| OneWord(crate::shell::quoted(program)))
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
