//! What is asked of Linux: which processes descend from this one, what they use, and how they are ended.

use std::fs;
use std::mem::MaybeUninit;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// A number of a process.
pub(crate) type Pid = libc::pid_t;

/// Set when this process was asked to stop: what it has started is ended and cleaned up first.
static STOPPED: AtomicBool = AtomicBool::new(false);

/// Makes this process a subreaper: what descendants leave behind becomes a child of this process, and Ctrl-C only raises a flag.
pub(crate) fn take_charge() {
    extern "C" fn stop(_: libc::c_int) {
        STOPPED.store(true, Ordering::Relaxed);
    }
    let stop: extern "C" fn(libc::c_int) = stop;
    // SAFETY: no pointers but that to `stop`, which does nothing but store a flag, as a handler may.
    unsafe {
        libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1);
        for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
            libc::signal(signal, stop as libc::sighandler_t);
        }
    }
}

/// Returns whether this process was asked to stop.
pub(crate) fn is_stopped() -> bool {
    STOPPED.load(Ordering::Relaxed)
}

/// Waits for a child, or for any one with -1, without blocking: its number, status, and largest memory in bytes of
/// one process among it and all that it has waited for.
pub(crate) fn reap(child: Pid) -> Option<(Pid, i32, u64)> {
    let mut status = 0;
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: both pointers are to places of the right types; all zeros are an `rusage`.
    let (pid, usage) =
        unsafe { (libc::wait4(child, &raw mut status, libc::WNOHANG, usage.as_mut_ptr()), usage.assume_init()) };
    (pid > 0).then(|| (pid, status, usage.ru_maxrss as u64 * 1024))
}

/// Sends a signal to a process, or with a negative number to a group. One that is gone is no error.
pub(crate) fn signal(pid: Pid, signal: i32) {
    // SAFETY: a call without pointers.
    unsafe { libc::kill(pid, signal) };
}

/// Returns the children of a process.
pub(crate) fn children(pid: Pid) -> Vec<Pid> {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<Pid>>()).collect()
}

/// Returns all that descends from a process, without what is below processes that `stop` is true of, or themselves.
pub(crate) fn descendants(pid: Pid, stop: &dyn Fn(Pid) -> bool) -> Vec<Pid> {
    let mut found = vec![];
    let mut todo = children(pid);
    while let Some(pid) = todo.pop() {
        if !stop(pid) {
            found.push(pid);
            todo.extend(children(pid));
        }
    }
    found
}

/// Kills and reaps all that descends from this process, and returns the largest memory of one that it reaped.
pub(crate) fn end_all() -> u64 {
    let me = std::process::id() as Pid;
    let mut peak = 0;
    loop {
        let left = descendants(me, &|_| false);
        if left.is_empty() {
            return peak;
        }
        left.iter().for_each(|pid| signal(*pid, libc::SIGKILL));
        while let Some((_, _, memory)) = reap(-1) {
            peak = peak.max(memory);
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

/// Returns the memory of a process now, in bytes: pages shared with others are counted in full.
pub(crate) fn memory(pid: Pid) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    number(&status, "VmRSS:") * 1024
}

/// Returns whether a process is a run of the oracle.
pub(crate) fn is_oracle(pid: Pid) -> bool {
    let words = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let words: Vec<&[u8]> = words.split(|byte| *byte == 0).collect();
    words.windows(2).any(|pair| pair[0].starts_with(b"/proc/") && pair[0].ends_with(b"/exe") && pair[1] == b"oracle")
}

/// Returns what this process and all that it has reaped have written by calls, and how much of it goes to a disk, in
/// bytes.
pub(crate) fn written() -> (u64, u64) {
    let io = fs::read_to_string("/proc/self/io").unwrap_or_default();
    (number(&io, "wchar:"), number(&io, "write_bytes:"))
}

/// Returns the number behind a name at the beginning of a line.
fn number(text: &str, name: &str) -> u64 {
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|line| line.split_whitespace().next()).and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// Lets a script be run.
pub(crate) fn make_executable(path: &Path) -> Result<(), String> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).map_err(|error| format!("{}: {error}", path.display()))
}
