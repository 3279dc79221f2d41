//! Where a program dies that a command runs, whichever it is: the command is started by a copy of this program, which becomes gdb once a
//! program is about to die by the signal that is looked for. gdb itself, which follows forks, follows one of them only.
//!
//! This process begins another one, which traces the command and all that it starts. That one leaves the thread that is
//! about to die stopped, tells which it is, and ends. Then this process becomes gdb: an ancestor of that thread, as Linux wants it of who
//! traces another process (Yama, `ptrace_scope` 1).

use crate::again::this_executable;
use crate::traced::{self, Onlooker, SystemCall};
use nix::sys::prctl::set_child_subreaper;
use nix::sys::wait::waitpid;
use nix::unistd::{ForkResult, Pid, fork};
use rustix::stdio::{dup2_stderr, dup2_stdout};
use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::{self, PipeWriter, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Command, exit};

/// The hidden argument.
pub(crate) const ARGUMENT: &str = "__died";

/// The status if there is no gdb.
pub(crate) const NO_DEBUGGER: i32 = 127;

/// Returns the command line that has this executable run `command` until something dies by `signal`, and then become `gdb`, which gets the
/// number of the thread as its last word.
pub(crate) fn argv(signal: i32, gdb: &[OsString], command: Vec<OsString>) -> Vec<OsString> {
    let mut words: Vec<OsString> = vec![this_executable().into(), ARGUMENT.into()];
    words.extend([signal.to_string().into(), gdb.len().to_string().into()]);
    words.extend_from_slice(gdb);
    words.extend(command);
    words
}

/// Does what [`argv`] says, with the words behind the hidden argument, and does not return. To be called before any thread is started.
pub(crate) fn run(mut words: impl Iterator<Item = OsString>) -> ! {
    let mut number = || words.next().and_then(|word| word.to_str()?.parse::<usize>().ok());
    let (Some(signal), Some(many)) = (number(), number()) else { exit(125) };
    let gdb: Vec<OsString> = words.by_ref().take(many).collect();
    let Some(dying) = i32::try_from(signal).ok().and_then(|signal| wait_for_death(signal, words)) else {
        // As a gdb says it that has nothing to say.
        exit(0);
    };
    let Some((debugger, options)) = gdb.split_first() else { exit(125) };
    let error = Command::new(debugger).args(options).arg(dying.to_string()).exec();
    eprintln!("{}: {error}", debugger.display());
    exit(NO_DEBUGGER);
}

/// Runs a command until a thread is about to die by `signal`, and returns its number; nothing if it ends before.
fn wait_for_death(signal: i32, mut command: impl Iterator<Item = OsString>) -> Option<i32> {
    // What the command leaves behind is this process's own once the tracer has ended.
    let _ = set_child_subreaper(true);
    let (mut heard, told) = io::pipe().ok()?;
    // SAFETY: this process has one thread.
    match unsafe { fork() }.ok()? {
        ForkResult::Child => {
            drop(heard);
            let Some(program) = command.next() else { exit(125) };
            let words: Vec<OsString> = command.collect();
            be_quiet();
            let mut watcher = Watcher { signal, told };
            traced::follow(&program, &words, &mut watcher);
            exit(0);
        }
        ForkResult::Parent { child } => {
            drop(told);
            let mut said = String::new();
            heard.read_to_string(&mut said).ok()?;
            // Until then the thread is traced by it.
            waitpid(child, None).ok()?;
            said.trim().parse().ok()
        }
    }
}

/// Has what the command writes go nowhere, as it would stand in between what gdb says; and has no sanitizer look for memory that was not freed:
/// that fails in a process that is traced.
fn be_quiet() {
    if let Ok(nowhere) = OpenOptions::new().write(true).open("/dev/null") {
        let _ = dup2_stdout(&nowhere).and_then(|()| dup2_stderr(&nowhere));
    }
    for name in ["ASAN_OPTIONS", "LSAN_OPTIONS"] {
        let mut options = std::env::var_os(name).filter(|options| !options.is_empty()).unwrap_or_default();
        if !options.is_empty() {
            options.push(":");
        }
        options.push("detect_leaks=0");
        // SAFETY: this process has one thread.
        unsafe { std::env::set_var(name, options) };
    }
}

/// Waits for a death by this signal.
struct Watcher {
    signal: i32,
    told: PipeWriter,
}

impl Onlooker for Watcher {
    fn begins(&mut self, _: Pid, _: &SystemCall) {}

    fn ends(&mut self, _: Pid, _: i32) {}

    fn looks_at_calls(&self) -> bool {
        false
    }

    fn ends_at(&mut self, pid: Pid, signal: i32) -> bool {
        let dies = signal == self.signal && !is_handled(pid, signal);
        dies && writeln!(self.told, "{pid}").is_ok()
    }
}

/// Returns whether a thread handles this signal, or ignores it.
fn is_handled(pid: Pid, signal: i32) -> bool {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    ["SigCgt:", "SigIgn:"].iter().any(|name| {
        let mask = status.lines().find_map(|line| line.strip_prefix(name));
        mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
            .is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
    })
}
