//! The supervisor: a small process that runs tests, one at a time, and lets nothing of them survive.
//!
//! It is the same executable, started again with a hidden argument, so that somebody is there to clean up after a `kill -9` of
//! the main process, and so that tests can be started without a copy of its memory. All that a test
//! starts stays below its supervisor, however hard it tries to detach itself: the supervisor is a child
//! subreaper, so orphans become its children. When the socket to the main process is closed, it
//! kills what runs, removes its scratch folder and exits.
//!
//! It never reads from anything but that socket and the pipes of its test, and writes to no file.

pub(crate) mod answer;
mod beginning;
mod conversation;
pub(crate) mod debugger;
mod dialogue;
mod ending;
mod fork_server;
mod forks;
mod inbox;
mod launch;
mod life;
mod output;
mod program;
mod server;
mod space;
mod usage;
mod watch;

use crate::again;
pub use crate::again::use_program;
use crate::confine;
use crate::died;
use life::Supervisor;
use std::ffi::OsString;
use std::process::exit;
use std::sync::atomic::{AtomicBool, Ordering};

/// The variable that names the descriptor of the socket on which a command is asked to fork tests. A command that has it, and cannot do
/// that, ends at once.
pub const FORKS: &str = "REDUCT_FORKS";

/// The hidden argument.
const ARGUMENT: &str = "__supervisor";

/// Whether `main` has asked [`run_if_asked`].
static ASKED: AtomicBool = AtomicBool::new(false);

/// Returns whether something becomes a supervisor when it is started with [`command`]: if not, that would start all of
/// an unsuspecting program again.
pub fn is_there() -> bool {
    ASKED.load(Ordering::Relaxed) || again::is_another()
}

/// Returns the command line that makes this executable a supervisor, provided that its `main` begins with
/// [`run_if_asked`].
pub fn command() -> Vec<OsString> {
    vec![again::this_executable().into_os_string(), ARGUMENT.into()]
}

/// Becomes a supervisor if the hidden argument says so, and then does not return. To be called first
/// thing in `main`, before any thread is started.
pub fn run_if_asked() {
    ASKED.store(true, Ordering::Relaxed);
    let first = std::env::args_os().nth(1);
    if first.as_ref().is_some_and(|argument| argument == confine::ARGUMENT) {
        exit(i32::from(life::try_confinement().is_err()));
    }
    if first.as_ref().is_some_and(|argument| argument == died::ARGUMENT) {
        died::run(std::env::args_os().skip(2));
    }
    if first.is_some_and(|argument| argument == ARGUMENT) {
        if let Err(error) = Supervisor::begin().and_then(|supervisor| supervisor.map_or(Ok(()), Supervisor::serve)) {
            eprintln!("reduct: supervisor: {error}");
            exit(2);
        }
        exit(0);
    }
}
