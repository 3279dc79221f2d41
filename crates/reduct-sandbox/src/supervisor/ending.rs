//! Ends a test, and all that is left of it.

use super::usage::reap;
use reduct_oracle::{Exit, Used};
use reduct_system::family::{descendants, kill_all};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process_group};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long to wait for what was killed. Only a process that the kernel holds (state D), or one of
/// another user, outlives it.
const PATIENCE: Duration = Duration::from_secs(5);

/// Ends all processes there are below the supervisor, but for one that is spared. Returns how the test ended, and whether there is
/// one that cannot be ended.
pub(super) fn end((pid, spared): (Pid, Option<Pid>), me: Pid, used: &mut Used) -> (Option<Exit>, bool) {
    let (mut status, mut is_killed) = (None, false);
    let deadline = Instant::now() + PATIENCE;
    let mut pause = Duration::from_micros(50);
    loop {
        loop {
            match reap(None, used) {
                Ok(Some((reaped, how))) if reaped == pid => status = Some(how),
                Ok(Some(_)) | Err(Errno::INTR) => {}
                Ok(None) => break,
                // No child is left; and orphans would be children.
                Err(_) => return (status, false),
            }
        }
        // This alone does it for nearly all tests that leave something. The number of the group is in use as long as anything of it is
        // left, and is not come to again in the moment since its leader was reaped.
        if !std::mem::replace(&mut is_killed, true) {
            let _ = kill_process_group(pid, Signal::KILL);
            continue;
        }
        let others = || descendants(me).into_iter().filter(|it| Some(*it) != spared).collect::<Vec<Pid>>();
        if spared.is_some() && others().is_empty() {
            return (status, false);
        }
        if Instant::now() >= deadline {
            return (status, true);
        }
        kill_all(others);
        sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(5));
    }
}
