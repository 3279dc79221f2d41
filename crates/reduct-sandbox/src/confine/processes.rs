//! Processes that tests have for themselves: they see no others, and can do nothing to them.
//!
//! The supervisor goes on as the first process of a namespace of processes (pid_namespaces(7)), and as the reaper of all in
//! it. When it ends, for whatever reason, the kernel ends them. The process that it was until then, its *keeper*, is the one
//! that others know: it waits for it, and ends as it has ended.

use super::loopback::close_all_but;
use super::loopback::relay::Relay;
use rustix::process::{Pid, Signal, WaitOptions, set_parent_process_death_signal, waitpid};
use rustix::thread::set_name;
use std::fs;
use std::io;
use std::path::Path;

/// The name that a supervisor goes by that has a keeper. The keeper keeps the usual one.
const KEPT: &std::ffi::CStr = c"reduct-kept";

/// The numbers of the first processes of two supervisors lie so far apart, and leave so many at the end.
const APART: u32 = 7919;
const LEFT: u32 = 1000;

/// Goes on as the first process of the namespace that was unshared just now, which the caller becomes the keeper of. Returns
/// in that process only. The keeper passes on what the relay is for, if there is one.
///
/// # Errors
/// If no process can be started.
pub(super) fn go_on_inside(relay: Option<Relay>) -> io::Result<()> {
    // SAFETY: this process has one thread, so the child may do whatever it likes.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        0 => {
            // If the keeper died before that, its socket is closed, which ends this process, too.
            set_parent_process_death_signal(Some(Signal::KILL))?;
            Ok(set_name(KEPT)?)
        }
        child => keep(child, relay),
    }
}

/// Waits for the process, and ends as it does. Nobody waits for anything that this process holds.
fn keep(child: i32, relay: Option<Relay>) -> ! {
    let child = Pid::from_raw(child);
    let status = match (relay, child) {
        (Some(relay), Some(child)) => relay.pass_on_until_end_of(child),
        _ => {
            close_all_but(vec![]);
            loop {
                match waitpid(child, WaitOptions::empty()) {
                    Ok(Some((_, status))) => break Some(status),
                    Ok(None) | Err(rustix::io::Errno::INTR) => {}
                    Err(_) => break None,
                }
            }
        }
    };
    let code = status.and_then(|status| status.exit_status()).unwrap_or(1);
    // SAFETY: it ends this process at once. What was registered for its end is the child's to do.
    unsafe { libc::_exit(code) }
}

/// Has the next process of this namespace be numbered as no process of another one is at about that time, where the system
/// lets that be chosen: tests of several supervisors may name files by their numbers that all of them see.
pub(super) fn number_apart(keeper: i32) {
    let most = fs::read_to_string("/proc/sys/kernel/pid_max").ok().and_then(|text| text.trim().parse::<u32>().ok());
    let most = most.unwrap_or(1 << 15).saturating_sub(LEFT).max(1);
    let last = keeper.unsigned_abs().wrapping_mul(APART) % most + LEFT / 2;
    let _ = fs::write(Path::new("/proc/sys/kernel/ns_last_pid"), last.to_string());
}
