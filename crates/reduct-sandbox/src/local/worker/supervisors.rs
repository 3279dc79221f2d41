//! The supervisors of a worker: how it starts, asks and drops them.

use super::link::{LOOK, Link, SpareServer};
use super::parts::{SupervisorAnswer, Worker};
use crate::faults::Fault;
use crate::local::assigned::Job;
use crate::local::protocol::{Blobs, Reply, Request, send};
use crate::local::strays::end_strays;
use crate::local::troubles::trouble;
use reduct_session::executor::Trouble;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use std::ffi::CString;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How long a supervisor may take to end, before it is killed. It waits for its test that long, too.
const PATIENCE: Duration = Duration::from_secs(6);

/// How much longer than its test a supervisor may take to answer, before it is killed: it waits for the test to end,
/// and then for all that is left of it. And so long it may take to read what it is told.
const ANSWER: Duration = Duration::from_secs(20);

impl Worker {
    /// Has the supervisor do this with these blobs, and waits.
    pub(in super::super) fn ask(&mut self, job: &Job, request: &Request, [one, other]: &Blobs) -> SupervisorAnswer {
        let Some(link) = &mut self.link else { return SupervisorAnswer::Unheard };
        let greeting = self.terms.invocation.server.map(|serving| serving.greeting).unwrap_or_default();
        let (Request::Run { time, .. } | Request::Ask { time, .. }) = request else { return SupervisorAnswer::Unheard };
        let latest = time.map(|time| time.saturating_add(greeting).saturating_add(ANSWER));
        let deadline = latest.and_then(|latest| Instant::now().checked_add(latest));
        {
            let mut sent = self.shared.sent();
            if job.cancelled.load(Ordering::Relaxed) || self.shared.closing.load(Ordering::Relaxed) {
                return SupervisorAnswer::Unwanted;
            }
            if send(&link.socket, request, [one, other]).is_err() {
                drop(sent);
                return self.drop_supervisor(true);
            }
            *sent = Some((job.run, Arc::clone(&link.socket)));
        }
        let reply = loop {
            match link.hear(deadline) {
                Ok(Some((Reply::Hello | Reply::Prepared { .. }, _))) => link.met = true,
                Ok(Some((Reply::Report { verdict, elapsed, used, survivors, serves, full }, blobs))) => {
                    (link.serves, self.is_full) = (serves, full);
                    link.forget_places();
                    break Some(SupervisorAnswer::Report { verdict, elapsed, used, survivors, blobs });
                }
                Ok(None) | Err(_) => break None,
            }
        };
        *self.shared.sent() = None;
        if self.shared.closing.load(Ordering::Relaxed) {
            return SupervisorAnswer::Unwanted;
        }
        let unheard = !link.met;
        reply.unwrap_or_else(|| self.drop_supervisor(unheard))
    }

    /// Waits for what comes of the server that is made ready. From then on its supervisor hears what it is told at
    /// once.
    pub(in super::super) fn settle_spare(&mut self, job: &Job) -> SpareServer {
        let Some(spare) = self.spare.as_mut().filter(|spare| spare.owed > 0) else { return SpareServer::Nothing };
        {
            let mut sent = self.shared.sent();
            if self.shared.closing.load(Ordering::Relaxed) {
                return SpareServer::Nothing;
            }
            // So that closing can end the wait.
            *sent = Some((job.run, Arc::clone(&spare.socket)));
        }
        let state = spare.wait_for_spare();
        *self.shared.sent() = None;
        if state.is_none() && !self.shared.closing.load(Ordering::Relaxed) {
            self.drop_spare();
        }
        state.unwrap_or(SpareServer::Nothing)
    }

    /// Clears up after a supervisor that died.
    pub(super) fn drop_supervisor(&mut self, unheard: bool) -> SupervisorAnswer {
        if let Some(Link { mut child, .. }) = self.link.take() {
            // It may have closed the socket without dying, if it is no supervisor at all.
            let _ = child.kill();
            let _ = child.wait();
            if !end_strays() {
                self.abandon();
            }
        }
        if unheard { SupervisorAnswer::Unheard } else { SupervisorAnswer::Lost }
    }

    /// Drops the second supervisor, and kills it if it lives.
    pub(in super::super) fn drop_spare(&mut self) {
        std::mem::swap(&mut self.link, &mut self.spare);
        self.drop_supervisor(true);
        std::mem::swap(&mut self.link, &mut self.spare);
    }

    /// Leaves the folder to the processes that are still in it; no server is asked any more there.
    pub(super) fn abandon(&mut self) {
        self.folder.abandon();
        self.part();
    }

    /// Notes that the folders of servers are none of the slot's any more, and that nobody there is asked any more.
    fn part(&mut self) {
        self.restart_supervisor();
        self.link.iter_mut().chain(&mut self.spare).for_each(|link| link.places.clear());
    }

    /// Notes that no server there is, or is made ready, is to be asked any more.
    pub(super) fn restart_supervisor(&mut self) {
        self.link.iter_mut().chain(&mut self.spare).for_each(|link| link.serves = false);
        if let Some(spare) = self.spare.as_mut().filter(|spare| spare.ready) {
            // It is ended now, not to be in the way of one that cannot be there twice. If the supervisor is dead, that
            // is seen when it is told more.
            let _ = spare.prepare(None);
        }
    }

    /// Clears up after a test: see [`SlotFolder::note_test_end`](crate::local::folder::SlotFolder::note_test_end).
    pub(in super::super) fn note_test_end(&mut self, keep: bool) {
        let servers: Vec<CString> =
            self.link.iter().chain(&self.spare).flat_map(|link| &link.places).cloned().collect();
        let stays = if servers.is_empty() {
            self.folder.note_test_end(keep)
        } else {
            self.folder.note_test_end_around(&servers)
        };
        if !stays {
            self.part();
        }
    }

    /// Parts from a supervisor below which something lives that cannot be killed, and from the other one, for the first
    /// removes the folder of both in the end.
    pub(in super::super) fn retire(&mut self) {
        let links = [self.link.take(), self.spare.take()].into_iter().flatten();
        self.retired.extend(links.map(|Link { child, .. }| child));
        self.abandon();
    }

    /// Sees to it that there is a supervisor.
    pub(in super::super) fn link(&mut self) -> Result<(), Trouble> {
        if self.link.is_none() {
            let started = self.start_supervisor();
            let program = self.terms.supervisor.first().map(Path::new).unwrap_or(Path::new("a supervisor"));
            self.link = Some(started.map_err(|error| trouble(program, &error))?);
        }
        Ok(())
    }

    pub(in super::super) fn start_supervisor(&self) -> io::Result<Link> {
        let [program, arguments @ ..] = &self.terms.supervisor[..] else {
            return Err(io::Error::other(Fault::NoSupervisorCommand));
        };
        let (socket, theirs) = UnixStream::pair()?;
        socket.set_write_timeout(Some(ANSWER))?;
        socket.set_read_timeout(Some(LOOK))?;
        let output = theirs.try_clone()?;
        // As standard output it gets its own socket, not to depend on a /dev/null; it writes nothing there.
        let mut command = Command::new(program);
        command
            .args(arguments)
            .current_dir("/")
            .stdin(OwnedFd::from(theirs))
            .stdout(Stdio::from(OwnedFd::from(output)));
        let child = command.spawn()?;
        // If it is dead already, that is seen when it is asked to run a test.
        let _ = send(&socket, &self.terms.orders(self.folder.path()), [b"", b""]);
        Ok(Link::new(child, socket))
    }
}

/// Waits for a supervisor whose socket is closed; kills it if that takes too long.
pub(super) fn end(mut child: Child) {
    if let Ok(pidfd) = pidfd_open(Pid::from_child(&child), PidfdFlags::empty()) {
        let patience = Timespec { tv_sec: PATIENCE.as_secs() as i64, tv_nsec: 0 };
        let _ = poll(&mut [PollFd::new(&pidfd, PollFlags::IN)], Some(&patience));
    }
    let _ = child.kill();
    let _ = child.wait();
}
