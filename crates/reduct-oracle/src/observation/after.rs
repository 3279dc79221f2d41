//! What is done after a test in the slot that ran it, and what it shows.

use super::exit::Exit;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::time::Duration;

/// What is done after a test, the same for all candidates of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Afterwards {
    /// Whether a program that dies without a word is run once more under gdb; which one, the
    /// executor is told.
    pub backtraces: bool,
    /// A line for the shell, run in the same folder right after the test: what the test is compared with. `{}` in it
    /// is the path of the candidate.
    pub reference: Option<OsString>,
}

/// Signals by which programs die of their own faults.
const CRASHES: [i32; 7] =
    [libc::SIGILL, libc::SIGTRAP, libc::SIGABRT, libc::SIGBUS, libc::SIGFPE, libc::SIGSEGV, libc::SIGSYS];

/// How a shell says by which signal the program died that it started: its number on top of this.
const SHELL: i32 = 128;

/// A death by a signal that has a place in the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Death {
    /// The test died by this signal.
    Itself(i32),
    /// A shell says that the program it started did.
    Below(i32),
    /// The program that ran another one reports that it died by this signal, and the test ends with a status of its own.
    Hidden {
        /// The signal.
        signal: i32,
        /// The status.
        status: i32,
    },
}

impl Death {
    /// Returns the death a test died, if it did.
    pub fn of(exit: &Exit) -> Option<Death> {
        match exit {
            Exit::Signal(number) if CRASHES.contains(number) => Some(Death::Itself(*number)),
            Exit::Code(code) if CRASHES.contains(&(code - SHELL)) => Some(Death::Below(code - SHELL)),
            _ => None,
        }
    }

    /// Returns the death of a program that the test ran, of which it was said that it died by this signal.
    pub(crate) fn hidden(exit: &Exit, signal: i32) -> Option<Death> {
        match exit {
            Exit::Code(status @ 1..) if Death::of(exit).is_none() && CRASHES.contains(&signal) => {
                Some(Death::Hidden { signal, status: *status })
            }
            _ => None,
        }
    }

    /// Returns the signal.
    pub fn signal(self) -> i32 {
        match self {
            Death::Itself(number) | Death::Below(number) | Death::Hidden { signal: number, .. } => number,
        }
    }
}

/// Of which program a backtrace is taken, if the output does not name the place of death already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backtraces {
    /// Of nobody.
    #[default]
    Never,
    /// Of whatever dies.
    Always,
    /// Of what dies this death.
    Of(Death),
}

impl Backtraces {
    /// Returns the death whose place is wanted, of a run that ended so; `hidden` tells which one its output tells of, if the status does not.
    pub fn wanted(self, exit: &Exit, hidden: impl FnOnce() -> Option<Death>) -> Option<Death> {
        if self == Backtraces::Never {
            return None;
        }
        Death::of(exit).or_else(hidden).filter(|death| match self {
            Backtraces::Never => false,
            Backtraces::Always => true,
            Backtraces::Of(this) => this == *death,
        })
    }
}

/// What is known of a run beside how it ended and what it wrote.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Also {
    /// What it used.
    pub used: Used,
    /// What gdb says of the place where it died, or why that is not known. `None`: it was not asked.
    pub backtrace: Option<Result<String, String>>,
    /// What [`Afterwards::reference`] did.
    pub reference: Option<Box<Ran>>,
    /// If the test reached its time limit: whether it had the processor all that time, so that it was not late because of
    /// what else the machine had to do.
    #[serde(default)]
    pub was_busy: bool,
    /// Of a process that runs test after test: what it had run before, and what is left of it.
    #[serde(default, skip_serializing_if = "Process::is_fresh")]
    pub process: Process,
}

/// Which process ran a test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Process {
    /// One that was started for it.
    #[default]
    Fresh,
    /// One that had run other tests before, and can run more.
    Reused,
    /// One that had run other tests before, and ended with this one.
    Ended,
}

impl Process {
    /// Returns whether it was started for this test.
    pub fn is_fresh(&self) -> bool {
        *self == Process::Fresh
    }
}

/// What a test and all its children used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Used {
    /// Processor time, that of the system included: the same however many tests share the cores.
    pub processor: Duration,
    /// The most memory in bytes that any one of them held, or that all of them were seen to hold together.
    pub memory: u64,
}

/// How another command than the test ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ran {
    /// How it ended.
    pub exit: Exit,
    /// What it wrote to standard output.
    pub stdout: Vec<u8>,
}
