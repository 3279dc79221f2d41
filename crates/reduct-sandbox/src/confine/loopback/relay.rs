//! Passes on what is said between tests and what listens on the loopback device of the machine.

use super::connection::Connection;
use super::{Outside, close_all_but};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, WaitOptions, WaitStatus, pidfd_open, waitpid};
use std::collections::BTreeMap;
use std::net::{SocketAddr, TcpListener};
use std::os::fd::{AsRawFd, OwnedFd};
use std::time::{Duration, Instant};

/// How often it is looked what listens on the machine.
const LOOK: Duration = Duration::from_millis(100);

/// So many connections are open at a time; more are closed at once.
const CONNECTIONS: usize = 256;

/// What listens for the machine in the network of the tests. A process cannot have threads whose children are in another
/// namespace of processes, so that one loop does it all.
pub(in crate::confine) struct Relay {
    outside: Outside,
    /// `None` where a test listens itself.
    listeners: BTreeMap<SocketAddr, Option<TcpListener>>,
    connections: Vec<Connection>,
    looked: Instant,
}

impl Relay {
    /// Begins to listen for what listens outside now. This process must be in the network of the tests, with its loopback
    /// device on.
    pub(in crate::confine) fn begin(outside: Outside) -> Relay {
        let mut relay = Relay { outside, listeners: BTreeMap::new(), connections: vec![], looked: Instant::now() };
        relay.look();
        relay
    }

    /// Listens where something listens outside, and no longer where nothing does.
    fn look(&mut self) {
        let now = self.outside.listening.now();
        self.listeners.retain(|address, _| now.contains(address));
        for address in now {
            let listener = self.listeners.entry(address).or_default();
            if listener.is_none() {
                *listener = TcpListener::bind(address).ok().filter(|made| made.set_nonblocking(true).is_ok());
            }
        }
        self.looked = Instant::now();
    }

    /// Passes on until this child ends, and returns how it has ended. Nothing else that this process holds stays open.
    pub(in crate::confine) fn pass_on_until_end_of(mut self, child: Pid) -> Option<WaitStatus> {
        let listeners = self.listeners.values().flatten().map(AsRawFd::as_raw_fd);
        close_all_but(listeners.chain(self.outside.files()).collect());
        // Without it, the end is seen at the next look.
        let over = pidfd_open(child, PidfdFlags::empty()).ok();
        loop {
            match waitpid(Some(child), WaitOptions::NOHANG) {
                Ok(Some((_, status))) => return Some(status),
                Ok(None) | Err(rustix::io::Errno::INTR) => {}
                Err(_) => return None,
            }
            self.wait(over.as_ref());
            if self.looked.elapsed() >= LOOK {
                self.look();
            }
            self.take();
            self.connections.retain_mut(|connection| connection.go_on().is_ok() && !connection.is_over());
        }
    }

    /// Waits until there is something to do, or to look at.
    fn wait(&self, over: Option<&OwnedFd>) {
        let mut all: Vec<PollFd<'_>> = over.iter().map(|over| PollFd::new(*over, PollFlags::IN)).collect();
        all.extend(self.listeners.values().flatten().map(|listener| PollFd::new(listener, PollFlags::IN)));
        for connection in &self.connections {
            let [test, server] = connection.waits_for();
            all.extend((!test.is_empty()).then(|| PollFd::new(&connection.test, test)));
            all.extend((!server.is_empty()).then(|| PollFd::new(&connection.server, server)));
        }
        let left = LOOK.saturating_sub(self.looked.elapsed());
        let left = Timespec { tv_sec: left.as_secs() as i64, tv_nsec: i64::from(left.subsec_nanos()) };
        let _ = poll(&mut all, Some(&left));
    }

    /// Takes what tests have begun to say. Of a server that does not hear it, the test sees that its connection is closed.
    fn take(&mut self) {
        for (address, listener) in &self.listeners {
            while let Some(Ok((test, _))) = listener.as_ref().map(TcpListener::accept) {
                if self.connections.len() >= CONNECTIONS {
                    continue;
                }
                let begun = self.outside.socket_for(*address);
                let begun = begun.and_then(|socket| Connection::begin(test, socket, *address));
                self.connections.extend(begun);
            }
        }
    }
}
