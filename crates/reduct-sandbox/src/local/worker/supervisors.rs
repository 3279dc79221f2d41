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

/// What came of telling a supervisor something.
pub(super) enum Told {
    /// It is to answer until then.
    Until(Option<Instant>),
    /// It is dead.
    Not,
    /// Nobody wants to know any more.
    Unwanted,
}

impl Worker {
    /// Has the supervisor do this with these blobs, and waits.
    pub(in super::super) fn ask(&mut self, job: &Job, request: &Request, blobs: &Blobs) -> SupervisorAnswer {
        match self.tell(job, request, blobs) {
            Told::Unwanted => SupervisorAnswer::Unwanted,
            Told::Not => self.drop_supervisor(true),
            Told::Until(deadline) => self.hear_answer(deadline),
        }
    }

    /// Tells the supervisor to do this with these blobs.
    pub(super) fn tell(&mut self, job: &Job, request: &Request, [one, other]: &Blobs) -> Told {
        let Some(link) = &mut self.link else { return Told::Not };
        let greeting = self.terms.invocation.server.map(|serving| serving.greeting).unwrap_or_default();
        let (Request::Run { time, .. } | Request::Ask { time, .. }) = request else { return Told::Not };
        let latest = time.map(|time| time.saturating_add(greeting).saturating_add(ANSWER));
        let deadline = latest.and_then(|latest| Instant::now().checked_add(latest));
        let mut sent = self.shared.sent();
        if job.cancelled.load(Ordering::Relaxed) || self.shared.closing.load(Ordering::Relaxed) {
            return Told::Unwanted;
        }
        if send(&link.socket, request, [one, other]).is_err() {
            return Told::Not;
        }
        *sent = Some((job.run, Arc::clone(&link.socket)));
        Told::Until(deadline)
    }

    /// Waits for what comes of what the supervisor was told, until the deadline.
    pub(super) fn hear_answer(&mut self, deadline: Option<Instant>) -> SupervisorAnswer {
        let answer = loop {
            let Some(link) = &mut self.link else { break None };
            match link.hear(deadline) {
                Ok(Some((reply, blobs))) => {
                    if let Some(answer) = self.answer(reply, blobs) {
                        break Some(answer);
                    }
                }
                Ok(None) | Err(_) => break None,
            }
        };
        *self.shared.sent() = None;
        if self.shared.closing.load(Ordering::Relaxed) {
            return SupervisorAnswer::Unwanted;
        }
        let unheard = self.link.as_ref().is_none_or(|link| !link.met);
        answer.unwrap_or_else(|| self.drop_supervisor(unheard))
    }

    /// Takes what the supervisor says while it is to answer. `None` if that is no answer.
    fn answer(&mut self, reply: Reply, blobs: Blobs) -> Option<SupervisorAnswer> {
        let link = self.link.as_mut()?;
        let Reply::Report { verdict, elapsed, used, survivors, serves, full } = reply else {
            link.met = true;
            return None;
        };
        (link.serves, self.is_full) = (serves, full);
        link.forget_places();
        Some(SupervisorAnswer::Report { verdict, elapsed, used, survivors, blobs })
    }

    /// Takes what the supervisor has answered, if that is there.
    pub(super) fn hear_answer_at_once(&mut self) -> Option<SupervisorAnswer> {
        let (reply, blobs) = self.link.as_mut()?.hear_at_once()?;
        let answer = self.answer(reply, blobs)?;
        *self.shared.sent() = None;
        Some(answer)
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
