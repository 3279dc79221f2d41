//! Which calls the system refuses to a command: the command is started by a copy of this program that traces it, as strace
//! does (ptrace(2)). It costs two stops for each system call, so it is done once, when it is known that something is refused.

mod calls;

use calls::Call;
pub use calls::{CallTarget, RefusedCall};
use nix::sys::ptrace::{self, Options};
use nix::sys::signal::Signal;
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;
use reduct_system::signals::end_as;
use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, exit};

/// The hidden argument.
const ARGUMENT: &str = "__refused";

/// More is not written down.
const MOST: usize = 1000;

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
    let text = fs::read_to_string(list).unwrap_or_default();
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
    written: BTreeSet<RefusedCall>,
    /// Where what is refused is so without a confinement.
    own: Option<PathBuf>,
}

impl Tracer {
    fn new(first: Pid, list: Option<File>) -> Tracer {
        Tracer { first, list, asked: HashMap::new(), written: BTreeSet::new(), own: std::env::current_dir().ok() }
    }

    /// Follows it to its end, and returns how it ended.
    fn follow(mut self) -> ExitStatus {
        let mut end = None;
        loop {
            match waitpid(None, Some(WaitPidFlag::__WALL)) {
                Ok(WaitStatus::Exited(pid, code)) if pid == self.first => end = Some(ExitStatus::from_raw(code << 8)),
                Ok(WaitStatus::Signaled(pid, signal, _)) if pid == self.first => {
                    end = Some(ExitStatus::from_raw(signal as i32));
                }
                Ok(stopped) => self.go_on(stopped),
                Err(nix::Error::EINTR) => {}
                Err(_) => exit(125),
            }
            // What it has left behind is ended with this process.
            if let Some(end) = end {
                return end;
            }
        }
    }

    /// Looks at what has stopped, and lets it go on.
    fn go_on(&mut self, stopped: WaitStatus) {
        let (pid, signal) = match stopped {
            WaitStatus::PtraceSyscall(pid) => {
                self.look(pid);
                (pid, None)
            }
            WaitStatus::PtraceEvent(pid, ..) => (pid, None),
            WaitStatus::Stopped(pid, Signal::SIGTRAP) if pid == self.first && !self.asked.contains_key(&pid) => {
                let all = Options::PTRACE_O_TRACESYSGOOD
                    | Options::PTRACE_O_TRACEFORK
                    | Options::PTRACE_O_TRACEVFORK
                    | Options::PTRACE_O_TRACECLONE
                    | Options::PTRACE_O_TRACEEXEC
                    | Options::PTRACE_O_EXITKILL;
                let _ = ptrace::setoptions(pid, all);
                (pid, None)
            }
            // So a new process begins.
            WaitStatus::Stopped(pid, Signal::SIGSTOP) => (pid, None),
            WaitStatus::Stopped(pid, signal) => (pid, Some(signal)),
            _ => return,
        };
        // It may have been killed meanwhile.
        let _ = ptrace::syscall(pid, signal);
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
