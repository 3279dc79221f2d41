//! What the main process says: read as much at a time as has come, so that a frame takes one call.

use crate::local::protocol::{Blobs, Request, receive};
use std::cell::RefCell;
use std::io::{self, BufReader};
use std::os::unix::net::UnixStream;

/// So much is read at a time; what is longer goes where it is wanted at once.
const ROOM: usize = 4 << 10;

/// What was read of the socket and not taken yet.
pub(super) struct Inbox(RefCell<BufReader<UnixStream>>);

impl Inbox {
    pub(super) fn new(socket: &UnixStream) -> io::Result<Inbox> {
        Ok(Inbox(RefCell::new(BufReader::with_capacity(ROOM, socket.try_clone()?))))
    }

    /// Takes what the main process says next, and waits for it; `None` if that is gone.
    pub(super) fn receive(&self) -> io::Result<Option<(Request, Blobs)>> {
        receive::<Request>(&mut *self.0.borrow_mut())
    }

    /// Returns whether something was read that was not taken yet: then the socket need not show that there is more.
    pub(super) fn has_read_ahead(&self) -> bool {
        !self.0.borrow().buffer().is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::local::protocol::send;

    #[test]
    fn what_came_with_a_request_is_kept_for_later() {
        let (main, socket) = UnixStream::pair().unwrap();
        let inbox = Inbox::new(&socket).unwrap();
        let large = vec![b'x'; 3 * ROOM];
        let runs = [1, 2, 3];
        for (run, blob) in runs.into_iter().zip([&b""[..], &large, b"y"]) {
            send(&main, &Request::Cancel { run }, [blob, b""]).unwrap();
        }
        let mut heard = vec![];
        for _ in runs {
            let (request, [blob, _]) = inbox.receive().unwrap().unwrap();
            let Request::Cancel { run } = request else { panic!("{request:?}") };
            heard.push((run, blob.len()));
        }
        assert_eq!(heard, [(1, 0), (2, large.len()), (3, 1)]);
        assert!(!inbox.has_read_ahead());
        drop(main);
        assert!(inbox.receive().unwrap().is_none());
    }
}
