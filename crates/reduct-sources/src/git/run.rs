//! Runs git so that it changes nothing: no lock, no hook, no monitor, no upkeep, no question, no fetch.

use super::GitError;
use std::ffi::OsStr;
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::thread::{self, Builder};

/// Settings that would write to a repository or run something, and those that would hide a part of it.
const SETTINGS: &[&str] = &[
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    // Else parts of an index that stands elsewhere are written beside that of the user.
    "core.splitIndex=false",
    "core.sparseCheckout=false",
    "core.untrackedCache=false",
    "index.sparse=false",
    "gc.auto=0",
    "maintenance.auto=false",
];

/// The variables that say which repository is meant. They have to be unset for a command that is to find the one
/// it stands in.
pub const REPOSITORY_VARIABLES: &[&str] = &[
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_DIR",
    "GIT_GRAFT_FILE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_INTERNAL_SUPER_PREFIX",
    "GIT_NAMESPACE",
    "GIT_NO_REPLACE_OBJECTS",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_REPLACE_REF_BASE",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
];

/// The program, called in a folder.
#[derive(Clone, Debug, Default)]
pub(crate) struct Git {
    /// Where it is called.
    pub(super) folder: PathBuf,
    /// Variables that it gets.
    pub(super) env: Vec<(&'static str, PathBuf)>,
}

/// What a command said.
struct GitOutput {
    status: ExitStatus,
    output: Vec<u8>,
    complaint: String,
}

impl Git {
    /// Returns git for a folder, of which git finds the repository itself.
    pub(super) fn at(folder: &Path) -> Git {
        Git { folder: folder.into(), env: vec![] }
    }

    /// Returns the same with one more variable.
    pub(super) fn with(mut self, name: &'static str, value: impl Into<PathBuf>) -> Git {
        self.env.push((name, value.into()));
        self
    }

    /// Returns a command of the repository.
    pub(super) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new("git");
        command.current_dir(&self.folder).stdin(Stdio::null());
        for (name, value) in [("GIT_OPTIONAL_LOCKS", "0"), ("GIT_TERMINAL_PROMPT", "0"), ("GIT_NO_LAZY_FETCH", "1")] {
            command.env(name, value);
        }
        command.envs(self.env.iter().map(|(name, value)| (name, value)));
        SETTINGS.iter().for_each(|setting| _ = command.args(["-c", setting]));
        command.args(args);
        command
    }

    /// Returns a command of a repository that stands in a folder of our own, whatever is inherited.
    pub(crate) fn own(folder: &Path, args: &[&str]) -> Command {
        let mut command = Git::at(folder).command(args);
        REPOSITORY_VARIABLES.iter().for_each(|name| _ = command.env_remove(name));
        command
    }

    /// Returns what the command writes. It must succeed.
    pub(super) fn read(&self, args: &[&str]) -> Result<Vec<u8>, GitError> {
        read(self.command(args), vec![])
    }

    /// Returns what the command writes, without the end of its last line, or what it complains of.
    pub(super) fn ask(&self, args: &[&str]) -> Result<Result<Vec<u8>, String>, GitError> {
        let mut said = run(self.command(args), vec![])?;
        said.output.pop_if(|last| *last == b'\n');
        Ok(if said.status.success() { Ok(said.output) } else { Err(said.complaint) })
    }

    /// Returns a path that the command writes, made absolute. It must succeed.
    pub(super) fn path(&self, args: &[&str]) -> Result<PathBuf, GitError> {
        let mut output = self.read(args)?;
        output.pop_if(|last| *last == b'\n');
        Ok(self.folder.join(std::ffi::OsString::from_vec(output)))
    }
}

/// Returns what a command writes when it is given `input`. It must succeed.
pub(crate) fn read(command: Command, input: Vec<u8>) -> Result<Vec<u8>, GitError> {
    let what = words(&command);
    let said = run(command, input)?;
    if said.status.success() { Ok(said.output) } else { Err(GitError::Failed { what, said: said.complaint }) }
}

fn run(mut command: Command, input: Vec<u8>) -> Result<GitOutput, GitError> {
    command.stdin(if input.is_empty() { Stdio::null() } else { Stdio::piped() });
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(no_git)?;
    let (stdin, mut stderr) = (child.stdin.take(), child.stderr.take());
    let (mut output, mut complaint) = (vec![], vec![]);
    let input = &input;
    let read = thread::scope(|scope| {
        // If git does not read on, its status says why.
        Builder::new().spawn_scoped(scope, move || stdin.map(|mut to| to.write_all(input)))?;
        Builder::new().spawn_scoped(scope, || stderr.as_mut().map(|from| from.read_to_end(&mut complaint)))?;
        child.stdout.as_mut().map_or(Ok(0), |from| from.read_to_end(&mut output))
    });
    if read.is_err() {
        // It may wait for somebody to read.
        let _ = child.kill();
    }
    let status = child.wait();
    read.map_err(no_git)?;
    Ok(GitOutput { status: status.map_err(no_git)?, output, complaint: text(&complaint) })
}

fn no_git(source: io::Error) -> GitError {
    GitError::NoGit { source }
}

/// Returns what the command was, without the settings.
fn words(command: &Command) -> String {
    let args: Vec<_> = command.get_args().map(OsStr::to_string_lossy).collect();
    let own = args.iter().skip(2 * SETTINGS.len()).map(AsRef::as_ref).collect::<Vec<&str>>();
    format!("git {}", own.join(" "))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim().to_owned()
}

/// Sees that a command finds no repository above its folder, and no settings.
pub(crate) fn quiet(command: &mut Command, folder: &Path) {
    command.env("GIT_CEILING_DIRECTORIES", folder.parent().unwrap_or(folder));
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1").env("LC_ALL", "C");
}
