//! Plays recorded events to a program: at a terminal of its own, or on a display of its own.
//!
//! How it ends is how the program ends: with its status or by its signal. A program that still runs when everything
//! is played and nothing more happens has survived it.

mod display;
mod error;
mod keys;
mod quiet;
mod recorder;
mod script;
mod terminal;

pub use error::{Doing, GaveUp, Impossible, PlayError};
pub use recorder::{RecordError, record};
pub use script::{Action, Fault, Script, ScriptError};

use reduct_system::family::{descendants, kill_all};
use rustix::process::{Pid, getpid, set_child_subreaper};
use std::ffi::OsString;
use std::process::ExitStatus;
use std::time::Duration;

/// Where a program is played to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A terminal.
    Terminal,
    /// A display of X.
    Display,
}

/// How a record is played.
#[derive(Clone, Debug)]
pub struct Playing {
    /// Where.
    pub target: Target,
    /// The program, with its arguments.
    pub program: Vec<OsString>,
    /// After how long without a sign of life a program is taken to wait for more.
    pub idle: Duration,
    /// How long an expectation waits, and a display for its first window, while the program is busy.
    pub patience: Duration,
}

/// How it went.
#[derive(Debug)]
pub enum Played {
    /// The program ended.
    Ended(ExitStatus),
    /// It still runs, and has got all events.
    Survived,
}

/// Plays a record. Nothing that was started for it is left.
///
/// # Errors
/// If it cannot be played to its end.
pub fn play(script: &Script, playing: &Playing) -> Result<Played, PlayError> {
    // What the program leaves behind becomes a child of this process, and is found.
    let _ = set_child_subreaper(Some(getpid()));
    let played = match playing.target {
        Target::Terminal => terminal::play(script, playing),
        Target::Display => display::play(script, playing),
    };
    kill_all(|| descendants(getpid()));
    played
}

/// Returns a pid as the system calls take it.
fn pid_of(child: &std::process::Child) -> Option<Pid> {
    i32::try_from(child.id()).ok().and_then(Pid::from_raw)
}

/// Runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
