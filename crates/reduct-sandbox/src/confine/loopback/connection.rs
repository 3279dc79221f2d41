//! A connection of a test that is passed on to what it is made to.

use rustix::event::PollFlags;
use rustix::io::Errno;
use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

/// So many bytes are read at a time.
const READ: usize = 1 << 16;

/// A server may go on for this long after the test has said its last word, without a word of its own.
const LAST_WORDS: Duration = Duration::from_secs(60);

/// A test that talks to a server. Nothing waits: what can be done now is done, and what cannot is left for later.
pub(super) struct Connection {
    pub(super) test: TcpStream,
    pub(super) server: TcpStream,
    is_connected: bool,
    there: Flow,
    back: Flow,
    /// When anything was last said.
    heard: Instant,
}

impl Connection {
    /// Begins to connect what a test has said with this address, by a socket of the network in which that is.
    ///
    /// # Errors
    /// If nobody takes it.
    pub(super) fn begin(test: TcpStream, socket: OwnedFd, to: SocketAddr) -> io::Result<Connection> {
        let server = TcpStream::from(socket);
        for stream in [&test, &server] {
            stream.set_nonblocking(true)?;
            stream.set_nodelay(true)?;
        }
        let is_connected = match rustix::net::connect(&server, &to) {
            Err(Errno::INPROGRESS) => false,
            done => done.map(|()| true)?,
        };
        Ok(Connection {
            test,
            server,
            is_connected,
            there: Flow::default(),
            back: Flow::default(),
            heard: Instant::now(),
        })
    }

    /// Returns what is waited for of the test and of the server; nothing is never there to be waited for.
    pub(super) fn waits_for(&self) -> [PollFlags; 2] {
        if !self.is_connected {
            return [PollFlags::empty(), PollFlags::OUT];
        }
        let flags = |reads: bool, writes: bool| {
            let mut flags = PollFlags::empty();
            flags.set(PollFlags::IN, reads);
            flags.set(PollFlags::OUT, writes);
            flags
        };
        let (there, back) = (&self.there, &self.back);
        [flags(there.can_read(), back.has_more()), flags(back.can_read(), there.has_more())]
    }

    /// Passes on what can be passed on now.
    ///
    /// # Errors
    /// If one of the two is gone.
    pub(super) fn go_on(&mut self) -> io::Result<()> {
        if !self.is_connected {
            match self.server.take_error()? {
                Some(error) => return Err(error),
                None => self.is_connected = true,
            }
        }
        let was_heard = [self.there.pass_on(&self.test, &self.server)?, self.back.pass_on(&self.server, &self.test)?];
        if was_heard.contains(&true) {
            self.heard = Instant::now();
        }
        Ok(())
    }

    /// Returns whether nothing is to be passed on any more.
    pub(super) fn is_over(&self) -> bool {
        self.there.is_closed && (self.back.is_closed || self.heard.elapsed() > LAST_WORDS)
    }
}

/// What one says to the other.
#[derive(Default)]
struct Flow {
    /// What was read and not written yet.
    held: Vec<u8>,
    has_ended: bool,
    is_closed: bool,
}

impl Flow {
    fn can_read(&self) -> bool {
        self.held.is_empty() && !self.has_ended
    }

    fn has_more(&self) -> bool {
        !self.held.is_empty()
    }

    /// Returns whether anything could be read.
    fn pass_on(&mut self, mut from: &TcpStream, mut to: &TcpStream) -> io::Result<bool> {
        let mut was_heard = false;
        if self.can_read() {
            self.held.resize(READ, 0);
            let read = from.read(&mut self.held);
            self.held.truncate(*read.as_ref().unwrap_or(&0));
            self.has_ended = matches!(read, Ok(0));
            was_heard = done(read)?;
        }
        while self.has_more() {
            let written = to.write(&self.held);
            let length = *written.as_ref().unwrap_or(&0);
            if !done(written)? {
                break;
            }
            self.held.drain(..length);
        }
        if self.has_ended && !self.has_more() && !self.is_closed {
            self.is_closed = true;
            let _ = to.shutdown(Shutdown::Write);
        }
        Ok(was_heard)
    }
}

/// Returns whether it could be done now.
fn done(tried: io::Result<usize>) -> io::Result<bool> {
    match tried {
        Ok(_) => Ok(true),
        Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::event::{PollFd, poll};
    use std::net::TcpListener;
    use std::thread;

    fn pass_on_all(mut connection: Connection) {
        while !connection.is_over() {
            let [test, server] = connection.waits_for();
            let mut all = vec![];
            all.extend((!test.is_empty()).then(|| PollFd::new(&connection.test, test)));
            all.extend((!server.is_empty()).then(|| PollFd::new(&connection.server, server)));
            poll(&mut all, None).unwrap();
            drop(all);
            if connection.go_on().is_err() {
                break;
            }
        }
    }

    /// More than all buffers hold is sent in both directions, by a side that sends all of it before it reads any of it.
    #[test]
    fn all_is_passed_on_and_each_hears_the_end_of_the_other() {
        let [front, end] = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
        let [at, to] = [&front, &end].map(|it| it.local_addr().unwrap());
        let said: Vec<u8> = (0..20_000_000u32).map(|n| (n / 7) as u8).collect();
        thread::scope(|scope| {
            scope.spawn(|| {
                let (mut server, _) = end.accept().unwrap();
                let mut heard = vec![];
                server.read_to_end(&mut heard).unwrap();
                server.write_all(&heard).unwrap();
            });
            scope.spawn(|| {
                let (test, _) = front.accept().unwrap();
                let socket =
                    rustix::net::socket(rustix::net::AddressFamily::INET, rustix::net::SocketType::STREAM, None);
                pass_on_all(Connection::begin(test, socket.unwrap(), to).unwrap());
            });
            let mut test = TcpStream::connect(at).unwrap();
            test.write_all(&said).unwrap();
            test.shutdown(Shutdown::Write).unwrap();
            let mut heard = vec![];
            test.read_to_end(&mut heard).unwrap();
            assert!(heard == said);
        });
    }
}
