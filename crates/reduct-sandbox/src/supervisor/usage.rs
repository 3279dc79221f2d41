//! Waiting for a process, and what it has used.

use reduct_oracle::{Exit, Used};
use reduct_system::family::times;
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

/// Returns a descriptor by which the end of a process is seen.
pub(super) fn pidfd_of(pid: Pid) -> io::Result<OwnedFd> {
    Ok(pidfd_open(pid, PidfdFlags::empty())?)
}

/// Waits for a child that has ended, any or this one, and adds what it and the children it has waited for have used.
/// `None` if there is none that has ended.
pub(super) fn reap(pid: Option<Pid>, used: &mut Used) -> Result<Option<(Pid, Exit)>, Errno> {
    let mut status = 0;
    // SAFETY: all of a `rusage` are numbers, for which zero is a value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    let which = pid.map_or(-1, Pid::as_raw_pid);
    // SAFETY: both pointers lead to what the call fills in, which outlives it.
    let reaped = unsafe { libc::wait4(which, &mut status, libc::WNOHANG, &mut usage) };
    if reaped < 0 {
        return Err(io::Error::last_os_error().raw_os_error().map_or(Errno::CHILD, Errno::from_raw_os_error));
    }
    let Some(reaped) = Pid::from_raw(reaped) else { return Ok(None) };
    used.processor += time(usage.ru_utime) + time(usage.ru_stime);
    used.memory = used.memory.max(u64::try_from(usage.ru_maxrss).unwrap_or(0).saturating_mul(1024));
    let status = ExitStatus::from_raw(status);
    let exit = status.signal().map_or_else(|| Exit::Code(status.code().unwrap_or(-1)), Exit::Signal);
    Ok(Some((reaped, exit)))
}

/// Returns what a process has used of the processor so far, with the children that it has waited for.
pub(super) fn processor(pid: Pid) -> Duration {
    let ticks: u64 = times(pid).into_iter().flatten().sum();
    Duration::from_nanos(ticks.saturating_mul(1_000_000_000 / rustix::param::clock_ticks_per_second().max(1)))
}

fn time(time: libc::timeval) -> Duration {
    let seconds = Duration::from_secs(time.tv_sec.try_into().unwrap_or(0));
    seconds + Duration::from_micros(time.tv_usec.try_into().unwrap_or(0))
}
