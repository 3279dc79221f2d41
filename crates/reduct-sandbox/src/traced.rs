//! A command and all that it starts, traced as strace does (ptrace(2)): each system call stops it twice, so this is done to
//! single runs only. Or only for its signals, which costs next to nothing.

mod memory;

pub(crate) use memory::{bytes_at, path_of};
use nix::sys::ptrace::{self, Options};
use nix::sys::signal::Signal;
use nix::unistd::Pid;
use std::collections::HashSet;
use std::ffi::OsString;
use std::io;
use std::mem::MaybeUninit;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitStatus, exit};

/// What looks at the system calls of a command.
pub(crate) trait Onlooker {
    /// Looks at a call that this process is about to make.
    fn begins(&mut self, pid: Pid, call: &SystemCall);

    /// Looks at how the call ended that this process has made: with this error; 0 if there was none.
    fn ends(&mut self, pid: Pid, error: i32);

    /// Notes that a process makes calls of which nothing is known, as one of 32 bits does.
    fn misses(&mut self) {}

    /// Notes that a process has ended.
    fn is_gone(&mut self, _pid: Pid) {}

    /// Returns whether it looks at system calls at all. If not, the command runs nearly as fast as untraced.
    fn looks_at_calls(&self) -> bool {
        true
    }

    /// Returns whether all tracing ends here: this thread, which is about to get a signal, stops instead, and this process ends. All
    /// others run on.
    fn ends_at(&mut self, _pid: Pid, _signal: i32) -> bool {
        false
    }
}

/// A system call.
pub(crate) struct SystemCall {
    pub(crate) number: i64,
    pub(crate) arguments: [u64; 6],
}

/// Starts a command and traces it to its end; returns how it ended. Where it cannot be started, this process ends as a shell
/// does.
pub(crate) fn follow(program: &OsString, words: &[OsString], onlooker: &mut dyn Onlooker) -> ExitStatus {
    let begun = begin(program, words).or_else(|error| match error.raw_os_error() {
        // A script that does not name its shell.
        Some(libc::ENOEXEC) => begin(&"/bin/sh".into(), &[&[program.clone()][..], words].concat()),
        _ => Err(error),
    });
    match begun {
        Ok(first) => Tracer { first, known: HashSet::new(), onlooker }.follow(),
        Err(error) => {
            eprintln!("cannot start {}: {error}", program.display());
            exit(127);
        }
    }
}

/// Starts a command that stops before its first instruction.
fn begin(program: &OsString, words: &[OsString]) -> io::Result<Pid> {
    let mut command = Command::new(program);
    command.args(words);
    // SAFETY: the child makes one system call, which needs no lock and no memory.
    let command = unsafe { command.pre_exec(|| ptrace::traceme().map_err(io::Error::from)) };
    Ok(Pid::from_raw(command.spawn()?.id().cast_signed()))
}

/// Follows a command and all that it starts.
struct Tracer<'a> {
    first: Pid,
    /// Those that have stopped before.
    known: HashSet<Pid>,
    onlooker: &'a mut dyn Onlooker,
}

impl Tracer<'_> {
    /// Follows it to its end, and returns how it ended. What it has left behind is ended with this process.
    fn follow(mut self) -> ExitStatus {
        loop {
            let mut status = 0;
            // SAFETY: the kernel writes one number to where there is room for it. (nix knows no signals above 31.)
            let pid = unsafe { libc::waitpid(-1, &raw mut status, libc::__WALL) };
            let pid = match pid {
                -1 if io::Error::last_os_error().kind() == io::ErrorKind::Interrupted => continue,
                -1 => exit(125),
                pid => Pid::from_raw(pid),
            };
            if libc::WIFSTOPPED(status) {
                let signal = self.signal_after(pid, status);
                if signal != 0 && self.onlooker.ends_at(pid, signal) {
                    let _ = ptrace::detach(pid, Signal::SIGSTOP);
                    exit(0);
                }
                let on = if self.onlooker.looks_at_calls() { libc::PTRACE_SYSCALL } else { libc::PTRACE_CONT };
                // SAFETY: the arguments are numbers. The process may have been killed meanwhile.
                let _ = unsafe { libc::ptrace(on, pid.as_raw(), 0, signal) };
            } else if pid == self.first {
                return ExitStatus::from_raw(status);
            } else {
                self.known.remove(&pid);
                self.onlooker.is_gone(pid);
            }
        }
    }

    /// Looks at why a process has stopped, and returns the signal that it gets when it goes on; 0 if it gets none.
    fn signal_after(&mut self, pid: Pid, status: i32) -> i32 {
        const CALL: i32 = libc::SIGTRAP | 0x80;
        let is_new = self.known.insert(pid);
        match libc::WSTOPSIG(status) {
            CALL => {
                self.look(pid);
                0
            }
            // It is before its first instruction.
            libc::SIGTRAP if is_new && pid == self.first => {
                let mut all = Options::PTRACE_O_TRACESYSGOOD
                    | Options::PTRACE_O_TRACEFORK
                    | Options::PTRACE_O_TRACEVFORK
                    | Options::PTRACE_O_TRACECLONE
                    | Options::PTRACE_O_TRACEEXEC;
                // Where no call is looked at, this process may end before the command.
                all.set(Options::PTRACE_O_EXITKILL, self.onlooker.looks_at_calls());
                let _ = ptrace::setoptions(pid, all);
                0
            }
            libc::SIGSTOP if is_new => 0,
            // It has begun a process, or become another program.
            libc::SIGTRAP if status >> 16 != 0 => 0,
            // It had such a signal, and all of it has stopped now: of that, there is nothing to ask.
            libc::SIGSTOP | libc::SIGTSTP | libc::SIGTTIN | libc::SIGTTOU if ptrace::getsiginfo(pid).is_err() => 0,
            signal => signal,
        }
    }

    /// Has a call looked at that begins or ends.
    fn look(&mut self, pid: Pid) {
        match at(pid) {
            Some(At::Begins(call)) => self.onlooker.begins(pid, &call),
            Some(At::Ends(error)) => self.onlooker.ends(pid, error),
            Some(At::Foreign) | None => self.onlooker.misses(),
        }
    }
}

/// Where a process stands that has stopped.
enum At {
    Begins(SystemCall),
    Ends(i32),
    /// Before a call of another kind of processor.
    Foreign,
}

/// Returns what this process, which has stopped, is about to do or has done.
#[cfg(all(target_env = "gnu", any(target_arch = "x86_64", target_arch = "aarch64")))]
fn at(pid: Pid) -> Option<At> {
    const NATIVE: u32 = if cfg!(target_arch = "x86_64") { 0xc000_003e } else { 0xc000_00b7 };
    // The wrapper in nix 0.30 says that there is room for nothing.
    let mut info = MaybeUninit::<libc::ptrace_syscall_info>::zeroed();
    let room = size_of::<libc::ptrace_syscall_info>();
    // SAFETY: the kernel writes as many bytes as there is room for, at most, to where there is so much.
    let written = unsafe { libc::ptrace(libc::PTRACE_GET_SYSCALL_INFO, pid.as_raw(), room, info.as_mut_ptr()) };
    if written <= 0 {
        return None;
    }
    // SAFETY: zeros are a value of each of its fields, and so is what the kernel writes.
    let info = unsafe { info.assume_init() };
    match info.op {
        libc::PTRACE_SYSCALL_INFO_ENTRY if info.arch == NATIVE => {
            // SAFETY: the kernel has filled in this one, as `op` says.
            let entry = unsafe { info.u.entry };
            Some(At::Begins(SystemCall { number: entry.nr.cast_signed(), arguments: entry.args }))
        }
        libc::PTRACE_SYSCALL_INFO_ENTRY => Some(At::Foreign),
        libc::PTRACE_SYSCALL_INFO_EXIT => {
            // SAFETY: the kernel has filled in this one, as `op` says.
            let exit = unsafe { info.u.exit };
            let error = if exit.is_error == 0 { 0 } else { i32::try_from(-exit.sval).unwrap_or(0) };
            Some(At::Ends(error))
        }
        _ => None,
    }
}

/// Returns nothing, as the numbers of calls are not known here.
#[cfg(not(all(target_env = "gnu", any(target_arch = "x86_64", target_arch = "aarch64"))))]
fn at(_: Pid) -> Option<At> {
    None
}
