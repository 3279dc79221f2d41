//! The drivers, a file a language: what records programs of that language, and runs them under plans.

mod c;
mod c_library;
mod go;
mod guarded_files;
mod in_copy;
mod java;
mod javascript;
mod lua;
pub(crate) mod native;
mod perl;
mod php;
mod python;
mod ruby;

use crate::error::StepError;
use crate::instructions::Instructions;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Puts guards into the text of a file, if it can have them.
pub type PutGuards = fn(&Path, &[u8]) -> Option<Vec<u8>>;

/// What runs programs of a language.
pub(crate) struct Driver {
    /// The language, as it is named in plans.
    pub(crate) language: &'static str,
    /// The language, as it is named in sentences.
    pub(crate) name: &'static str,
    /// Names of its interpreters; a version may follow.
    pub(crate) interpreters: &'static [&'static str],
    /// Options of the interpreter that take their value as the next word.
    pub(crate) with_value: &'static [&'static str],
    /// Returns whether an option of the interpreter gives it the text of the program.
    pub(crate) is_text: fn(&str) -> bool,
    /// The option whose value is a module to run in place of a script, if there is one.
    pub(crate) module: Option<&'static str>,
    /// Whether it runs a program under a plan of statement executions.
    pub(crate) has_plans: bool,
    /// Whether it can look at variables before an execution, and change them.
    pub(crate) has_states: bool,
    /// Whether it schedules the threads of a program.
    pub(crate) has_schedules: bool,
    /// Whether it can begin once, and fork each run.
    pub(crate) has_forks: bool,
    /// Whether control can go as it was recorded.
    pub(crate) has_recorded_control: bool,
    /// Whether variables can be given a value at the start.
    pub(crate) has_unset: bool,
    /// Makes what is compiled for an interpreter before the first run, if something is.
    pub(crate) prepare: fn(&[OsString]) -> Result<Option<PathBuf>, StepError>,
    /// Returns the command that runs a program.
    pub(crate) command: RunProgram,
}

/// A program to be run by a driver.
pub(crate) struct Driving<'a> {
    /// The interpreter, with its options.
    pub(crate) interpreter: &'a [OsString],
    /// The program, and its arguments.
    pub(crate) words: &'a [OsString],
    pub(crate) instructions: &'a Instructions<'a>,
    /// A folder for what the driver needs.
    pub(crate) own: &'a Path,
    /// What puts guards into a file.
    pub(crate) guards: Option<PutGuards>,
    /// What was prepared.
    pub(crate) prepared: Option<&'a Path>,
}

/// The drivers of languages that are interpreted.
pub(crate) const DRIVERS: &[&Driver] =
    &[&python::DRIVER, &perl::DRIVER, &javascript::DRIVER, &lua::DRIVER, &php::DRIVER, &ruby::DRIVER];

/// A language whose programs are built from files with guards.
pub(crate) struct BuiltLanguage {
    pub(crate) driver: &'static Driver,
    /// What the names of its files end in.
    pub(crate) extension: &'static str,
    /// Folders whose files are not the program's own.
    pub(crate) foreign: &'static [&'static str],
    /// Writes what its programs call into a folder, before they are built.
    pub(crate) prepare: fn(&Path) -> Result<Prepared, StepError>,
}

/// What was prepared for a build.
#[derive(Default)]
pub(crate) struct Prepared {
    /// The variables that the build has.
    pub(crate) variables: Vec<(&'static str, OsString)>,
    /// A program that is run in the copy before its files get guards: it writes the types of variables to the file that it is given.
    pub(crate) types: Option<PathBuf>,
}

/// The languages whose programs are built.
pub(crate) const BUILT: &[&BuiltLanguage] = &[&c::LANGUAGE, &java::LANGUAGE, &go::LANGUAGE];

/// Returns the language of this name whose programs are built.
pub(crate) fn built_language(name: &str) -> Option<&'static BuiltLanguage> {
    BUILT.iter().copied().find(|it| it.driver.language == name)
}

/// Returns whether a name is that of an interpreter, a version that may follow, and nothing else.
fn is_named(name: &str, interpreter: &str) -> bool {
    let version = name.strip_prefix(interpreter);
    version.is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit() || c == '.'))
}

/// Returns the driver for what an interpreter of this name runs.
pub(crate) fn driver_of(interpreter: &str) -> Option<&'static Driver> {
    DRIVERS.iter().copied().find(|driver| driver.interpreters.iter().any(|it| is_named(interpreter, it)))
}

/// Runs a program.
type RunProgram = fn(&Driving<'_>) -> Result<Command, StepError>;

impl Driver {
    /// Returns a driver that runs programs under plans, by guards, and does nothing else. No interpreter starts it.
    const fn of_guards(language: &'static str, name: &'static str, command: RunProgram) -> Driver {
        Driver {
            language,
            name,
            interpreters: &[],
            with_value: &[],
            is_text: |_| false,
            module: None,
            has_plans: true,
            has_states: false,
            has_schedules: false,
            has_forks: false,
            has_recorded_control: false,
            has_unset: false,
            prepare: nothing,
            command,
        }
    }
}

impl PartialEq for Driver {
    fn eq(&self, other: &Driver) -> bool {
        self.language == other.language
    }
}

impl Eq for Driver {}

impl fmt::Debug for Driver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.language)
    }
}

impl Driving<'_> {
    /// Returns the interpreter with its options, as a command.
    fn interpreter_command(&self) -> Command {
        let mut words = self.interpreter.iter();
        let mut command = Command::new(words.next().map_or("".as_ref(), |it| it.as_os_str()));
        command.args(words);
        command
    }
}

/// Compiles nothing beforehand.
fn nothing(_: &[OsString]) -> Result<Option<PathBuf>, StepError> {
    Ok(None)
}
