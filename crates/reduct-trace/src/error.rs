//! What can go wrong before a program is run by a driver.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Why a program cannot be run by a driver.
#[derive(Debug, thiserror::Error)]
pub enum StepError {
    /// What the driver needs cannot be written.
    #[error("{path}: {why}", path = path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        why: io::Error,
    },
    /// A file or folder of the program cannot be read.
    #[error("{path}: {why}", path = path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        why: io::Error,
    },
    /// A file of the program is not what it was when it was recorded.
    #[error("{0} has changed since the execution was recorded")]
    Changed(String),
    /// What runs the program, or compiles the driver, cannot be run.
    #[error("{name}: {why}", name = name.display())]
    Interpreter {
        /// The command.
        name: OsString,
        /// What the system says.
        why: io::Error,
    },
    /// What runs the program does not say how it was built.
    #[error("{name} does not say how it was built", name = name.display())]
    NotItself {
        /// The command.
        name: OsString,
    },
    /// The driver cannot be compiled, as headers are not installed.
    #[error("{language} has no headers here: {file} is not there (in Debian, it is in the package {package})", file = file.display())]
    NoHeaders {
        /// The language.
        language: &'static str,
        /// The missing file.
        file: PathBuf,
        /// The package that has it.
        package: &'static str,
    },
    /// The driver cannot be compiled.
    #[error("the driver for {name} cannot be compiled: {why}")]
    NotCompiled {
        /// The language.
        name: String,
        /// What the compiler says.
        why: String,
    },
    /// There is no gdb that can run the driver.
    #[error("gdb cannot be used: {why}")]
    NoDebugger {
        /// What is wrong with it.
        why: DebuggerFault,
    },
    /// The driver knows no plans.
    #[error("statement executions of programs in {0} cannot be left out")]
    NoPlans(&'static str),
    /// The driver forks no runs.
    #[error("runs of programs in {0} cannot be forked")]
    NoForks(&'static str),
    /// The driver knows no threads.
    #[error("threads of programs in {0} cannot be scheduled")]
    NoSchedules(&'static str),
    /// A program has to be built with guards first.
    #[error("the program must be built: the command that builds it is missing")]
    NoBuild,
    /// A build takes no path with blanks.
    #[error("{path} has a blank, and the build takes no such path", path = .0.display())]
    Blank(PathBuf),
    /// There is no copy of the project that was built.
    #[error("{path} holds no copy of a project that was built with guards", path = .0.display())]
    NotBuilt(PathBuf),
    /// A copy of the project may be somebody else's.
    #[error("{path} is not this user's, or others may write to it", path = .0.display())]
    NotOwn(PathBuf),
    /// The driver does not know variables.
    #[error("the variables of programs in {0} cannot be looked at")]
    NoStates(&'static str),
    /// The driver knows natural control only.
    #[error("control cannot go as it was recorded in programs in {0}")]
    NoRecordedControl(&'static str),
    /// The driver cannot give variables a value.
    #[error("variables of programs in {0} cannot be given a value at the start")]
    NoUnset(&'static str),
}

/// Writes a file for a driver. Returns its path.
pub(crate) fn write(own: &Path, name: &str, bytes: &[u8]) -> Result<PathBuf, StepError> {
    let path = own.join(name);
    fs::write(&path, bytes).map_err(|why| StepError::Unwritable { path: path.clone(), why })?;
    Ok(path)
}

/// What is wrong with gdb.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DebuggerFault {
    /// It cannot be started.
    #[error("{0}")]
    NotStarted(String),
    /// It was built without Python.
    #[error("it has no Python")]
    NoPython,
    /// It is not there.
    #[error("it is not installed")]
    NotInstalled,
}
