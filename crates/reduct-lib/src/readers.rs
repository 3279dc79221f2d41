//! The functions that read bytes from outside, for tests with arbitrary bytes: they are no interface.

use crate::job::Job;
use crate::{fuzz, parser};

/// Reads bytes as the head of a request.
#[cfg(feature = "page")]
pub fn http_head(bytes: &[u8]) {
    crate::http::try_bytes(bytes);
}

/// Reads bytes as what is said to a process that reads texts by their grammars, and as what it answers.
pub fn parser_frames(bytes: &[u8]) {
    parser::try_bytes(bytes);
}

/// Reads bytes as the job of a run, as its journal keeps it.
pub fn job(bytes: &[u8]) {
    let _ = serde_json::from_slice::<Job>(bytes);
}

/// Reads bytes as what is known of all findings of `reduct fuzz`.
pub fn findings(bytes: &[u8]) {
    fuzz::try_bytes(bytes);
}
