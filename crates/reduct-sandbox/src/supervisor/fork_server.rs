//! A fork server below the supervisor: the command of the test, which begins as each test does, stops before the program, and forks a
//! process for each test, which goes on with the program.
//!
//! It is none that a test could leave something in: it never runs a program itself, and what it forks knows nothing of what was forked
//! before. A test that it has forked is a child of the supervisor, as it forks twice, and the process between them ends; it leads a
//! group of its own and writes to pipes of its own. All else, it has from the server: folder, environment, limits, rules, and what it
//! sees of the file system. So a server is ended when the next test would see another one: see `Supervisor::is_ready_to_fork`.
//!
//! What is said: the server sends its number when it is ready. For each test, it is sent a byte with two descriptors, for standard
//! output and standard error, and sends the number of the test and a byte once the process between has ended. If it closes the
//! socket instead, the test is started as otherwise.

use super::program::Child;
use crate::confine::rules::Rules;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::Pid;
use std::fs::File;
use std::io::{self, IoSlice, Read};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// How long a server may take until it is ready.
const GREETING: Duration = Duration::from_secs(5);

/// How long it may take to fork a test.
const FORKING: Duration = Duration::from_secs(5);

/// The fork server, if there is one.
#[derive(Default)]
pub(super) struct Forks {
    pub(super) server: Option<ForkServer>,
    /// How many servers in a row have forked one test at most.
    pub(super) wasted: u32,
    /// How many tests are started before another server is.
    pub(super) pause: u32,
    /// Whether no more servers are started.
    pub(super) is_given_up: bool,
    /// Whether one has left something that cannot be ended.
    pub(super) survivors: bool,
}

impl Forks {
    /// Returns whether the next test is to be started without a server.
    pub(super) fn pauses(&mut self) -> bool {
        let pauses = self.is_given_up || self.pause > 0;
        self.pause = self.pause.saturating_sub(1);
        pauses
    }
}

pub(super) struct ForkServer {
    pub(super) child: Child,
    pub(super) pid: Pid,
    pub(super) socket: UnixStream,
    /// The folder of the slot that it was started in.
    pub(super) slot: PathBuf,
    /// The rules that it was started with, which are others when a test sees something else.
    pub(super) rules: Arc<Rules>,
    /// How many tests it has forked.
    pub(super) forked: u32,
}

/// A test that runs.
pub(super) struct Started {
    pub(super) pid: Pid,
    /// If it came with the process.
    pub(super) pidfd: Option<OwnedFd>,
    /// Its standard output and standard error.
    pub(super) outputs: [Option<File>; 2],
}

impl Started {
    pub(super) fn of(Child { pid, pidfd, stdout, stderr, .. }: Child) -> Started {
        Started { pid, pidfd, outputs: [Some(stdout), Some(stderr)] }
    }
}

impl ForkServer {
    /// Waits until it says that it is ready, and by which number.
    pub(super) fn greets(&mut self) -> io::Result<i32> {
        self.socket.set_read_timeout(Some(GREETING))?;
        let number = self.number()?;
        self.socket.set_read_timeout(Some(FORKING))?;
        Ok(number)
    }

    fn number(&mut self) -> io::Result<i32> {
        let mut number = [0; 4];
        self.socket.read_exact(&mut number)?;
        Ok(i32::from_le_bytes(number))
    }

    /// Has it fork a test.
    pub(super) fn fork(&mut self) -> io::Result<Started> {
        let [(stdout, out), (stderr, err)] = [pipe_with(PipeFlags::CLOEXEC)?, pipe_with(PipeFlags::CLOEXEC)?];
        let descriptors = [out.as_fd(), err.as_fd()];
        let mut room = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(2))];
        let mut with = SendAncillaryBuffer::new(&mut room);
        with.push(SendAncillaryMessage::ScmRights(&descriptors));
        sendmsg(&self.socket, &[IoSlice::new(b"f")], &mut with, SendFlags::NOSIGNAL)?;
        let pid = Pid::from_raw(self.number()?).ok_or(io::ErrorKind::InvalidData)?;
        self.socket.read_exact(&mut [0])?;
        self.forked += 1;
        Ok(Started { pid, pidfd: None, outputs: [Some(File::from(stdout)), Some(File::from(stderr))] })
    }

    /// Returns whether it is there, and has said nothing that nobody has asked: it writes to no output itself.
    pub(super) fn says_nothing(&self) -> bool {
        let all = [self.socket.as_fd(), self.child.stdout.as_fd(), self.child.stderr.as_fd()];
        let mut all = all.map(|it| PollFd::from_borrowed_fd(it, PollFlags::IN));
        matches!(poll(&mut all, Some(&Timespec { tv_sec: 0, tv_nsec: 0 })), Ok(0))
    }
}
