//! What is kept of an output stream.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::fs::File;
use std::io::{self, Read};

/// The beginning and the end of a stream, each up to half of what may be kept. How the stream was cut
/// into pieces on its way makes no difference.
pub(crate) struct Capped {
    head: Vec<u8>,
    tail: Vec<u8>,
    head_room: usize,
    tail_room: usize,
}

impl Capped {
    pub(crate) fn new(room: usize) -> Capped {
        Capped { head: vec![], tail: vec![], head_room: room - room / 2, tail_room: room / 2 }
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) {
        let (first, rest) = bytes.split_at(bytes.len().min(self.head_room - self.head.len()));
        self.head.extend_from_slice(first);
        // The tail may grow to twice its room before it is cut: each byte is moved once at most.
        self.tail.extend_from_slice(&rest[rest.len().saturating_sub(self.tail_room)..]);
        if self.tail.len() >= 2 * self.tail_room {
            self.cut();
        }
    }

    fn cut(&mut self) {
        self.tail.drain(..self.tail.len().saturating_sub(self.tail_room));
    }

    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.cut();
        self.head.append(&mut self.tail);
        self.head
    }
}

/// A pipe a test writes to, and what is kept of it.
pub(crate) struct Stream {
    pipe: Option<File>,
    kept: Capped,
}

impl Stream {
    pub(crate) fn new(pipe: Option<File>, room: usize) -> Stream {
        Stream { pipe, kept: Capped::new(room) }
    }

    /// Returns the pipe, as long as it is open.
    pub(crate) fn pipe(&self) -> Option<&File> {
        self.pipe.as_ref()
    }

    /// Takes what the pipe holds; to be called only when there is something, or it would wait.
    pub(crate) fn take(&mut self, buffer: &mut [u8]) {
        let Some(pipe) = &mut self.pipe else { return };
        match pipe.read(buffer) {
            Ok(n) if n > 0 => self.kept.push(&buffer[..n]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            _ => self.pipe = None,
        }
    }

    /// Takes what the pipe holds, if something came of a wait for that. That all have closed it does not say that nothing is in it: it may have been
    /// written between the two looks that the kernel takes.
    pub(crate) fn take_after(&mut self, events: PollFlags, buffer: &mut [u8]) {
        if !events.is_empty() {
            self.take(buffer);
        }
    }

    /// Takes what is left in the pipe, without waiting for more, and ends.
    pub(crate) fn finish(mut self, buffer: &mut [u8]) -> Vec<u8> {
        self.take_all(buffer);
        self.kept.finish()
    }

    /// Returns the same, and begins anew.
    pub(crate) fn turn(&mut self, buffer: &mut [u8]) -> Vec<u8> {
        self.take_all(buffer);
        let room = self.kept.head_room + self.kept.tail_room;
        std::mem::replace(&mut self.kept, Capped::new(room)).finish()
    }

    fn take_all(&mut self, buffer: &mut [u8]) {
        // Nobody is left to write, unless somebody cannot be killed: the bound is for them. No pipe
        // holds more than this, if the administrator does not say otherwise.
        for _ in 0..64 {
            let Some(pipe) = &self.pipe else { break };
            let nothing = Timespec { tv_sec: 0, tv_nsec: 0 };
            match poll(&mut [PollFd::new(pipe, PollFlags::IN)], Some(&nothing)) {
                Ok(0) => break,
                _ => self.take(buffer),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn keeps_both_ends(bytes: Vec<u8>, room in 0usize..40, piece in 1usize..20) {
            let mut capped = Capped::new(room);
            bytes.chunks(piece).for_each(|piece| capped.push(piece));
            let expected = if bytes.len() <= room {
                bytes.clone()
            } else {
                [&bytes[..room - room / 2], &bytes[bytes.len() - room / 2..]].concat()
            };
            prop_assert_eq!(capped.finish(), expected);
        }
    }
}
