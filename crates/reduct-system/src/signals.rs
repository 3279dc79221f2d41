//! Signals, and ending as another process ended.

use rustix::process::{Signal, getpid, kill_process};
use std::os::unix::process::ExitStatusExt;
use std::process::{ExitStatus, exit};

/// Signals that are meant for the main process, which then tells its supervisors what to do.
pub const SIGNALS: [i32; 4] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGQUIT];

/// Ignores all of [`SIGNALS`].
pub fn ignore() {
    SIGNALS.into_iter().for_each(|signal| set_signal(signal, libc::SIG_IGN));
}

/// Ignores a signal, or sets it back to its default.
pub fn set_signal(signal: i32, action: libc::sighandler_t) {
    // SAFETY: `signal` has no precondition, and neither action runs any code of this program.
    unsafe { libc::signal(signal, action) };
}

/// Has a signal do nothing to this process. In programs that are started from here it is at its default, as a handler does not
/// outlive the program that it belongs to, where to ignore a signal does.
pub fn disregard(signal: i32) {
    extern "C" fn nothing(_: i32) {}
    let handler: extern "C" fn(i32) = nothing;
    // SAFETY: `signal` has no precondition, and the handler does nothing, whatever it interrupts.
    unsafe { libc::signal(signal, handler as libc::sighandler_t) };
}

/// Sets a signal that is ignored back to its default. What handles it stays.
pub fn heed(signal: i32) {
    // SAFETY: all zeros are a value of this type, which is one of plain numbers.
    let mut now: libc::sigaction = unsafe { std::mem::zeroed() };
    // SAFETY: `now` is a place to write to, and without a new action the call changes nothing.
    let is_known = unsafe { libc::sigaction(signal, std::ptr::null(), &raw mut now) } == 0;
    if is_known && now.sa_sigaction == libc::SIG_IGN {
        set_signal(signal, libc::SIG_DFL);
    }
}

/// Has a write beyond the limit on the size of files (`ulimit -f`) fail, which can be told, where it would else end this
/// process without a word. Programs that are started from here inherit that: see [`restore_file_size_limit`].
pub fn survive_file_size_limit() {
    set_signal(libc::SIGXFSZ, libc::SIG_IGN);
}

/// Sets that back to the default, for a program about to be started. It is async-signal-safe.
pub fn restore_file_size_limit() {
    set_signal(libc::SIGXFSZ, libc::SIG_DFL);
}

/// Ends this process as the program ended.
pub fn end_as(status: ExitStatus) -> ! {
    if let Some(signal) = status.signal() {
        // To a debugger, where this process dies is not where the program died.
        if is_traced() {
            exit(128 + signal);
        }
        // The program has left a core file already, if one is wanted.
        let none = rustix::process::Rlimit { current: Some(0), maximum: Some(0) };
        let _ = rustix::process::setrlimit(rustix::process::Resource::Core, none);
        set_signal(signal, libc::SIG_DFL);
        if let Some(signal) = Signal::from_named_raw(signal) {
            let _ = kill_process(getpid(), signal);
        }
        exit(128 + signal);
    }
    exit(status.code().unwrap_or(125));
}

/// Returns whether a debugger looks at this process.
fn is_traced() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let tracer = status.lines().find_map(|line| line.strip_prefix("TracerPid:"));
    tracer.is_some_and(|tracer| tracer.trim() != "0")
}
