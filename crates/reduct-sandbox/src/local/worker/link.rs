//! A supervisor and the way to talk to it.

use crate::local::protocol::{Blobs, Reply, Request, is_whole, receive, send};
use reduct_system::family::is_stopped;
use rustix::process::Pid;
use std::ffi::CString;
use std::io::{self, BufRead, BufReader, Read};
use std::mem;
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::Child;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often it is looked whether a supervisor that says nothing is stopped: no read of its socket waits longer. It is taken
/// for that if it is twice in a row.
pub(super) const LOOK: Duration = Duration::from_millis(250);

/// So much of what a supervisor says is read at a time; what is longer goes where it is wanted at once.
const ROOM: usize = 16 << 10;

/// A supervisor and the way to talk to it.
pub(in super::super) struct Link {
    pub(super) child: Child,
    pub(super) socket: Arc<UnixStream>,
    hearing: BufReader<Hearing>,
    /// Whether it has said anything yet.
    pub(super) met: bool,
    /// Whether there is a server below it that can be asked.
    pub(in super::super) serves: bool,
    /// Whether it was told to have a fresh server ready, which was asked nothing yet.
    pub(in super::super) ready: bool,
    /// How often it was told so, or to have none, and has not said yet what came of it.
    pub(super) owed: u32,
    /// The folder of the server below it, and those of servers before that may not have ended yet.
    pub(in super::super) places: Vec<CString>,
}

impl Link {
    /// Returns a way to a supervisor that has said nothing yet.
    pub(super) fn new(child: Child, socket: UnixStream) -> Link {
        let socket = Arc::new(socket);
        let pid = Pid::from_child(&child);
        let hearing = Hearing { socket: Arc::clone(&socket), pid, deadline: None, was_stopped: false };
        let hearing = BufReader::with_capacity(ROOM, hearing);
        Link { child, socket, hearing, met: false, serves: false, ready: false, owed: 0, places: vec![] }
    }

    /// Waits for what it says next; `None` if it is gone. It is an error if it says nothing until the deadline, or is
    /// stopped: a test can do that to it.
    pub(super) fn hear(&mut self, deadline: Option<Instant>) -> io::Result<Option<(Reply, Blobs)>> {
        let hearing = self.hearing.get_mut();
        (hearing.deadline, hearing.was_stopped) = (deadline, false);
        receive(&mut self.hearing)
    }

    /// Returns what it says, if all of that is there, as is to be expected when its socket can be read. If not, it is
    /// left for [`Link::hear`].
    pub(super) fn hear_at_once(&mut self) -> Option<(Reply, Blobs)> {
        if self.hearing.buffer().is_empty() {
            let hearing = self.hearing.get_mut();
            (hearing.deadline, hearing.was_stopped) = (None, false);
            self.hearing.fill_buf().ok()?;
        }
        if !is_whole(self.hearing.buffer()) {
            return None;
        }
        receive(&mut self.hearing).unwrap_or_else(|_| {
            // What cannot be understood is gone. Nothing is left to wait for, which is seen at the end of the socket.
            let _ = self.socket.shutdown(Shutdown::Both);
            None
        })
    }

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
            place.to_owned()
        });
        send(&self.socket, &Request::Prepare { place }, [b"", b""])?;
        self.owed += 1;
        Ok(())
    }

    /// Waits until it has said what came of all that, and says so.
    pub(super) fn wait_for_spare(&mut self) -> Option<SpareServer> {
        let (mut is_ready, mut is_left) = (false, false);
        while self.owed > 0 {
            match self.hear(None) {
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
            (true, _) => SpareServer::Survivors,
            (false, true) => SpareServer::Ready,
            (false, false) => SpareServer::NotReady,
        })
    }

    /// Forgets the places of servers: a supervisor that answers has ended all servers before.
    pub(super) fn forget_places(&mut self) {
        let kept = usize::from(self.serves && !self.places.is_empty());
        self.places.drain(..self.places.len() - kept);
    }
}

/// Reads what a supervisor says, as long as it can be expected to say anything.
struct Hearing {
    socket: Arc<UnixStream>,
    pid: Pid,
    deadline: Option<Instant>,
    /// Whether it was, when it was last looked.
    was_stopped: bool,
}

impl Hearing {
    fn look(&mut self) -> io::Result<()> {
        let is_stopped = is_stopped(self.pid);
        let was_stopped = mem::replace(&mut self.was_stopped, is_stopped);
        let is_late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if is_late || is_stopped && was_stopped { Err(io::ErrorKind::TimedOut.into()) } else { Ok(()) }
    }
}

impl Read for Hearing {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            // What is there to be read counts, however late it is: this process may have been stopped itself.
            match Read::read(&mut &*self.socket, buffer) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => self.look()?,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => return read,
            }
        }
    }
}

/// What came of the server that was to be ready below the second supervisor.
pub(in super::super) enum SpareServer {
    /// There is nothing to wait for.
    Nothing,
    /// It has greeted.
    Ready,
    /// It has not, or was not to be.
    NotReady,
    /// Something is left there that cannot be ended.
    Survivors,
}
