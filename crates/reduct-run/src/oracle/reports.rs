//! Reports: what sanitizers, runtimes and compilers say of a failure, read into one form.
//!
//! One format a file, each a function from a text to a [`Report`], if there is one of its format in it.

mod assertion;
mod compiler;
pub mod gdb;
mod go;
mod java;
mod javascript;
mod native;
mod printed;
mod python;
mod rust;
mod sanitizer;
mod valgrind;

use super::frames::Frame;
pub use printed::frames as printed_frames;

/// What a failure says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The kind of failure: the sanitizer and what it found, the type of an exception.
    pub class: String,
    /// What it says about it, as it was written.
    pub message: String,
    /// Whether the message quotes the input and not the program.
    pub quotes: bool,
    /// The functions it happened in, innermost first.
    pub frames: Vec<Frame>,
    /// What it came of, or what came of it, in the order in which it is told.
    pub chain: Vec<Link>,
}

/// Another exception of a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Its type.
    pub class: String,
    /// The functions it happened in, innermost first.
    pub frames: Vec<Frame>,
}

/// Those that nobody prints by chance first. A traceback may end in a panic that another format tells better.
const READERS: [fn(&str) -> Option<Report>; 9] = [
    sanitizer::read,
    valgrind::read,
    compiler::read,
    rust::read,
    java::read,
    javascript::read,
    go::read,
    python::read,
    assertion::read,
];

/// The report in what a run has written, on standard error if there is one.
pub fn read(stderr: &[u8], stdout: &[u8]) -> Option<Report> {
    [stderr, stdout].into_iter().find_map(|text| {
        let text = String::from_utf8_lossy(text);
        READERS.iter().find_map(|read| read(&text))
    })
}

/// The last part of a path.
pub(super) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
