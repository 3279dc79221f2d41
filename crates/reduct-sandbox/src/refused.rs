//! Which calls the system refuses to a command: the command is started by a copy of this program that traces it, as strace
//! does (ptrace(2)). It costs two stops for each system call, so it is done once, when it is known that something is refused.

mod calls;

use calls::Call;
pub use calls::{CallTarget, RefusedCall};
use nix::sys::ptrace::{self, Options};
use nix::unistd::Pid;
use reduct_system::signals::end_as;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, exit};

/// The hidden argument.
const ARGUMENT: &str = "__refused";

/// More is not written down.
const MOST: usize = 1000;

/// More is not read: the test may have written to the list, too.
const MOST_BYTES: u64 = 16 << 20;

/// Returns the words before a command that make this executable trace it and write what is refused to it to `list`, provided
/// that its `main` begins with [`run_if_asked`].
pub fn before(list: &Path) -> Vec<OsString> {
    let mut words = crate::supervisor::command();
    words.truncate(1);
    words.extend([ARGUMENT.into(), list.into()]);
    words
}

/// Returns what a list says, each call once.
pub fn read(list: &Path) -> BTreeSet<RefusedCall> {
    let mut text = String::new();
    let _ = File::open(list).and_then(|file| file.take(MOST_BYTES).read_to_string(&mut text));
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// Runs a command and traces it if the hidden argument says so, and then ends as the command does. To be called before any
/// thread is started.
pub fn run_if_asked() {
    let mut words = std::env::args_os().skip(1);
    if words.next().is_none_or(|word| word != ARGUMENT) {
        return;
    }
    let (Some(list), Some(program)) = (words.next(), words.next()) else { exit(125) };
    let words: Vec<OsString> = words.collect();
    let list = File::create(list).ok();
    let begun = begin(&program, &words).or_else(|error| match error.raw_os_error() {
        // A script that does not name its shell.
        Some(libc::ENOEXEC) => begin(&"/bin/sh".into(), &[&[program.clone()][..], &words[..]].concat()),
        _ => Err(error),
    });
    match begun {
        Ok(first) => end_as(Tracer::new(first, list).follow()),
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
struct Tracer {
    first: Pid,
    list: Option<File>,
    /// What each process has asked for, until it is answered.
    asked: HashMap<Pid, Call>,
    /// Those that have stopped before.
    known: HashSet<Pid>,
    written: BTreeSet<RefusedCall>,
    /// The folder of the test: what fails there has nothing to do with the confinement.
    own: Option<PathBuf>,
}

impl Tracer {
    fn new(first: Pid, list: Option<File>) -> Tracer {
        let (asked, known, written) = (HashMap::new(), HashSet::new(), BTreeSet::new());
        Tracer { first, list, asked, known, written, own: std::env::current_dir().ok() }
    }

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
                // SAFETY: the arguments are numbers. The process may have been killed meanwhile.
                let _ = unsafe { libc::ptrace(libc::PTRACE_SYSCALL, pid.as_raw(), 0, signal) };
            } else if pid == self.first {
                return ExitStatus::from_raw(status);
            } else {
                self.known.remove(&pid);
                self.asked.remove(&pid);
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
                let all = Options::PTRACE_O_TRACESYSGOOD
                    | Options::PTRACE_O_TRACEFORK
                    | Options::PTRACE_O_TRACEVFORK
                    | Options::PTRACE_O_TRACECLONE
                    | Options::PTRACE_O_TRACEEXEC
                    | Options::PTRACE_O_EXITKILL;
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

    /// Looks at a call that begins or ends.
    fn look(&mut self, pid: Pid) {
        match calls::at(pid) {
            Some(calls::At::Begins(Some(call))) => drop(self.asked.insert(pid, call)),
            Some(calls::At::Ends(error)) => {
                let call = self.asked.remove(&pid).filter(|call| call.is_refused_by(error));
                if let Some(refused) = call.and_then(|call| call.refused(error)) {
                    self.write(refused);
                }
            }
            _ => drop(self.asked.remove(&pid)),
        }
    }

    fn write(&mut self, refused: RefusedCall) {
        let is_own =
            matches!((&refused.about, &self.own), (CallTarget::Path(path), Some(own)) if path.starts_with(own));
        if is_own || self.written.len() >= MOST || !self.written.insert(refused.clone()) {
            return;
        }
        // At once: it may be killed at a limit.
        if let (Some(list), Ok(mut line)) = (&mut self.list, serde_json::to_vec(&refused)) {
            line.push(b'\n');
            let _ = list.write_all(&line);
        }
    }
}
