//! The functions that read bytes from outside, for tests with arbitrary bytes: they are no interface.

use crate::local::protocol::{Reply, Request, receive};
use crate::supervisor::answer::{answer, greeting};

/// Reads bytes as what a slot and its supervisor say to each other.
pub fn frames(mut bytes: &[u8]) {
    let mut other = bytes;
    while let Ok(Some(_)) = receive::<Request>(&mut bytes) {}
    while let Ok(Some(_)) = receive::<Reply>(&mut other) {}
}

/// Reads bytes as a list of what was opened.
pub fn opened(bytes: &[u8]) {
    let _ = crate::opened::of_list(bytes);
}

/// Reads bytes as lines that a server says.
pub fn server_lines(bytes: &[u8]) {
    for line in bytes.split(|byte| *byte == b'\n') {
        let _ = (greeting(line), answer(line));
    }
}
