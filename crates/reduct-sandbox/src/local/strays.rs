//! Ends what a supervisor that was killed has left behind.
//!
//! The main process is a child subreaper too, so the orphans of a dead supervisor become its children.

use reduct_system::family::{NAME, children, descendants, kill_all, session};
use rustix::process::{Pid, WaitOptions, getpid, waitpid};
use std::fs;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long to wait for strays to be gone.
const PATIENCE: Duration = Duration::from_secs(5);

/// Ends all strays. Returns whether all are gone.
pub(super) fn end_strays() -> bool {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let strays = strays();
        if strays.is_empty() {
            return true;
        }
        if Instant::now() >= deadline {
            return false;
        }
        kill_all(|| strays.iter().flat_map(|stray| descendants(*stray).into_iter().chain([*stray])).collect());
        for stray in strays {
            let _ = waitpid(Some(stray), WaitOptions::NOHANG);
        }
        sleep(Duration::from_micros(500));
    }
}

/// Returns the children of this process that only a dead supervisor can have left: each supervisor has a session of its
/// own, and its tests are in that, or have one of their own. What this process starts itself, except for supervisors,
/// stays in the session it is in.
fn strays() -> Vec<Pid> {
    let me = getpid();
    let here = session(me);
    let is_stray = |pid: &Pid| session(*pid).is_some_and(|session| Some(session) != here) && !is_supervisor(*pid);
    children(me).into_iter().filter(is_stray).collect()
}

/// Returns a supervisor takes its name before its session, so there is no time at which it looks like a stray.
fn is_supervisor(pid: Pid) -> bool {
    fs::read(format!("/proc/{pid}/comm")).is_ok_and(|name| name.trim_ascii_end() == NAME.to_bytes())
}
