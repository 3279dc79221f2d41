//! A warden, as the thread of a slot sees it: started, asked, parted with.

use super::{Answer, Worker};
use crate::executor::Trouble;
use crate::executor::local::protocol::{Blobs, Reply, Request, receive, send};
use crate::executor::local::slot::Job;
use crate::executor::local::strays::end_strays;
use crate::executor::local::trouble;
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
use std::time::Duration;

/// How long a warden may take to end, before it is killed. It waits for its test that long, too.
const PATIENCE: Duration = Duration::from_secs(6);

/// A warden and the way to talk to it.
pub(in super::super) struct Link {
    pub(super) child: Child,
    socket: Arc<UnixStream>,
    /// Whether it has said anything yet.
    met: bool,
    /// Whether there is a server below it that can be asked.
    pub(in super::super) serves: bool,
    /// Whether it was told to have a fresh server ready, which was asked nothing yet.
    pub(in super::super) ready: bool,
    /// How often it was told so, or to have none, and has not said yet what came of it.
    owed: u32,
    /// The folder of the server below it, and those of servers before that may not have ended yet.
    pub(in super::super) places: Vec<CString>,
}

impl Link {
    /// Notes that a server is to be started in this folder, in place of the one there is.
    pub(in super::super) fn moves(&mut self, place: CString) {
        self.serves = false;
        self.places.push(place);
    }

    /// Tells it to have a fresh server ready in this folder of that name, or to have none.
    pub(in super::super) fn prepare(&mut self, place: Option<(&Path, CString)>) -> io::Result<()> {
        (self.serves, self.ready) = (false, place.is_some());
        let place = place.map(|(place, name)| {
            self.moves(name);
            place.as_os_str().to_owned()
        });
        send(&self.socket, &Request::Prepare { place }, [b"", b""])?;
        self.owed += 1;
        Ok(())
    }

    /// Waits until it has said what came of all that, and says so.
    fn settle(&mut self) -> Option<Settled> {
        let (mut is_ready, mut is_left) = (false, false);
        while self.owed > 0 {
            match receive::<Reply>(&self.socket) {
                Ok(Some((Reply::Prepared { ready, survivors }, _))) => {
                    self.owed -= 1;
                    (is_ready, is_left) = (ready, is_left | survivors);
                }
                Ok(Some(_)) => {}
                Ok(None) | Err(_) => return None,
            }
            self.met = true;
        }
        self.serves = is_ready;
        self.forget_places();
        Some(match (is_left, is_ready) {
            (true, _) => Settled::Survivors,
            (false, true) => Settled::Ready,
            (false, false) => Settled::NotReady,
        })
    }

    /// Who answers has ended all servers before.
    fn forget_places(&mut self) {
        let kept = usize::from(self.serves && !self.places.is_empty());
        self.places.drain(..self.places.len() - kept);
    }
}

/// What came of the server that was to be ready below the second warden.
pub(in super::super) enum Settled {
    /// There is nothing to wait for.
    Nothing,
    /// It has greeted.
    Ready,
    /// It has not, or was not to be.
    NotReady,
    /// Something is left there that cannot be ended.
    Survivors,
}

impl Worker {
    /// Has the warden do this with these blobs, and waits.
    pub(in super::super) fn ask(&mut self, job: &Job, request: &Request, [one, other]: &Blobs) -> Answer {
        let Some(link) = &mut self.link else { return Answer::Unheard };
        {
            let mut sent = self.shared.sent();
            if job.cancelled.load(Ordering::Relaxed) || self.shared.closing.load(Ordering::Relaxed) {
                return Answer::Unwanted;
            }
            if send(&link.socket, request, [one, other]).is_err() {
                drop(sent);
                return self.mourn(true);
            }
            *sent = Some((job.run, Arc::clone(&link.socket)));
        }
        let reply = loop {
            match receive::<Reply>(&link.socket) {
                Ok(Some((Reply::Hello | Reply::Prepared { .. }, _))) => link.met = true,
                Ok(Some((Reply::Report { verdict, elapsed, used, survivors, serves }, blobs))) => {
                    link.serves = serves;
                    link.forget_places();
                    break Some(Answer::Report { verdict, elapsed, used, survivors, blobs });
                }
                Ok(None) | Err(_) => break None,
            }
        };
        *self.shared.sent() = None;
        if self.shared.closing.load(Ordering::Relaxed) {
            return Answer::Unwanted;
        }
        let unheard = !link.met;
        reply.unwrap_or_else(|| self.mourn(unheard))
    }

    /// Waits for what comes of the server that is made ready. From then on its warden hears what it is told at once.
    pub(in super::super) fn settle_spare(&mut self, job: &Job) -> Settled {
        let Some(spare) = self.spare.as_mut().filter(|spare| spare.owed > 0) else { return Settled::Nothing };
        {
            let mut sent = self.shared.sent();
            if self.shared.closing.load(Ordering::Relaxed) {
                return Settled::Nothing;
            }
            // So that who closes can end the wait.
            *sent = Some((job.run, Arc::clone(&spare.socket)));
        }
        let settled = spare.settle();
        *self.shared.sent() = None;
        if settled.is_none() && !self.shared.closing.load(Ordering::Relaxed) {
            self.mourn_spare();
        }
        settled.unwrap_or(Settled::Nothing)
    }

    /// Clears up after a warden that died.
    pub(super) fn mourn(&mut self, unheard: bool) -> Answer {
        if let Some(Link { mut child, .. }) = self.link.take() {
            // It may have closed the socket without dying, if it is no warden at all.
            let _ = child.kill();
            let _ = child.wait();
            if !end_strays() {
                self.abandon();
            }
        }
        if unheard { Answer::Unheard } else { Answer::Lost }
    }

    /// Parts from the second warden, which is killed, if it lives.
    pub(in super::super) fn mourn_spare(&mut self) {
        std::mem::swap(&mut self.link, &mut self.spare);
        self.mourn(true);
        std::mem::swap(&mut self.link, &mut self.spare);
    }

    /// Leaves the folder to those who are still in it; no server is asked any more there.
    pub(super) fn abandon(&mut self) {
        self.folder.abandon();
        self.part();
    }

    /// Notes that the folders of servers are none of the slot's any more, and that nobody there is asked any more.
    fn part(&mut self) {
        self.distrust();
        self.link.iter_mut().chain(&mut self.spare).for_each(|link| link.places.clear());
    }

    /// Notes that no server there is, or is made ready, is to be asked any more.
    pub(super) fn distrust(&mut self) {
        self.link.iter_mut().chain(&mut self.spare).for_each(|link| link.serves = false);
        if let Some(spare) = self.spare.as_mut().filter(|spare| spare.ready) {
            // It is ended now, not to be in the way of one that cannot be there twice. If the warden is dead, that is
            // seen when it is told more.
            let _ = spare.prepare(None);
        }
    }

    /// After a test: see [`SlotFolder::rest`](crate::executor::local::folder::SlotFolder::rest).
    pub(in super::super) fn rest(&mut self, keep: bool) {
        let servers: Vec<CString> =
            self.link.iter().chain(&self.spare).flat_map(|link| &link.places).cloned().collect();
        let stays = if servers.is_empty() { self.folder.rest(keep) } else { self.folder.rest_around(&servers) };
        if !stays {
            self.part();
        }
    }

    /// Parts from a warden below which something lives that cannot be killed, and from the other one, for the first
    /// removes the folder of both in the end.
    pub(in super::super) fn retire(&mut self) {
        let links = [self.link.take(), self.spare.take()].into_iter().flatten();
        self.retired.extend(links.map(|Link { child, .. }| child));
        self.abandon();
    }

    /// Sees to it that there is a warden.
    pub(in super::super) fn link(&mut self) -> Result<(), Trouble> {
        if self.link.is_none() {
            let started = self.start_warden();
            let program = self.terms.warden.first().map(Path::new).unwrap_or(Path::new("a warden"));
            self.link = Some(started.map_err(|error| trouble(program, &error))?);
        }
        Ok(())
    }

    pub(in super::super) fn start_warden(&self) -> io::Result<Link> {
        let [program, arguments @ ..] = &self.terms.warden[..] else {
            return Err(io::Error::other("no command line for wardens is given"));
        };
        let (socket, theirs) = UnixStream::pair()?;
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
        Ok(Link { child, socket: Arc::new(socket), met: false, serves: false, ready: false, owed: 0, places: vec![] })
    }
}

/// Waits for a warden whose socket is closed; kills it if that takes too long.
pub(super) fn end(mut child: Child) {
    if let Ok(pidfd) = pidfd_open(Pid::from_child(&child), PidfdFlags::empty()) {
        let patience = Timespec { tv_sec: PATIENCE.as_secs() as i64, tv_nsec: 0 };
        let _ = poll(&mut [PollFd::new(&pidfd, PollFlags::IN)], Some(&patience));
    }
    let _ = child.kill();
    let _ = child.wait();
}
