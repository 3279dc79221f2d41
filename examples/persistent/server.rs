//! A persistent test in Rust: `rustc -O server.rs`, then `reduct page.html --persistent -- ./server`.
//!
//! Everything that is slow to prepare is prepared once, before the greeting; a test that panics is the failure here,
//! and its message counts, as it is written to standard error before the answer.

use std::io::{self, BufRead, Read, Write};
use std::panic::catch_unwind;

/// Put what you test here: a library that panics on some inputs.
fn parse(contents: &[u8]) {
    let text = String::from_utf8_lossy(contents);
    if let Some(begin) = text.find("<SELECT") {
        assert!(!text[begin..].contains('>'), "a tag that cannot be printed");
    }
}

fn main() -> io::Result<()> {
    let (mut questions, mut answers) = (io::stdin().lock(), io::stdout().lock());
    writeln!(answers, "reduct 1")?;
    answers.flush()?;
    loop {
        let mut header = String::new();
        if questions.read_line(&mut header)? == 0 {
            return Ok(());
        }
        let length = header.split_whitespace().nth(1).and_then(|length| length.parse().ok());
        let mut contents = vec![0; length.ok_or(io::ErrorKind::InvalidData)?];
        questions.read_exact(&mut contents)?;
        // 101 is the status of a program that panics: the same as if the test were a process of its own.
        let status = if catch_unwind(|| parse(&contents)).is_ok() { 0 } else { 101 };
        writeln!(answers, "exit {status}")?;
        answers.flush()?;
    }
}
