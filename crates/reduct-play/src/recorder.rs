//! Records what is typed at a terminal, and with what pauses, as a script that can be played.

use super::quiet::Quiet;
use super::script::quoted;
use super::terminal::{SIZE, Terminal, resize};
use super::{Doing, PlayError, keys};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcgetwinsize, tcsetattr};
use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::process::ExitStatus;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Shorter pauses are those of a person who types fast: what is typed without a longer one is one event.
const PAUSE: Duration = Duration::from_millis(500);
/// How long a prompt is at most that is waited for.
const PROMPT: usize = 40;
/// As the end of a file is typed.
const END: &[u8] = &[4];
/// How a record begins; the program follows.
const HEADING: &str = "# What was typed to:";
/// How often a program is looked at that has closed its terminal.
const LOOK: Duration = Duration::from_millis(20);
/// What has slept for so long after the end of all input sleeps for ever.
const FORSAKEN: Duration = Duration::from_secs(1);
/// The end of a file is typed so often: after a line that is not at its end, the first time ends no more than that.
const ENDS: usize = 2;
/// So many reads are made at most of what a program has left behind: more than a terminal holds.
const MOST_LEFT: usize = 64;

/// Why nothing, or not all, was recorded.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The program cannot be run.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// There can be no record.
    #[error("cannot make the record: {0}")]
    NoRecord(io::Error),
    /// The program waits for more than there was.
    #[error("standard input is at its end, and the program waits for more")]
    Forsaken,
    /// The record, or the terminal, cannot be used.
    #[error("cannot {0}: {1}")]
    Io(Doing, io::Error),
}

/// A terminal of the user in raw mode; set back when this value goes, whatever happens.
struct Raw(Option<Termios>);

impl Raw {
    fn new() -> Raw {
        let before = tcgetattr(rustix::stdio::stdin()).ok();
        if let Some(before) = &before {
            let mut raw = before.clone();
            raw.make_raw();
            let _ = tcsetattr(rustix::stdio::stdin(), OptionalActions::Now, &raw);
        }
        Raw(before)
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        if let Some(before) = &self.0 {
            let _ = tcsetattr(rustix::stdio::stdin(), OptionalActions::Drain, before);
        }
    }
}

/// Runs a program between the user's terminal and one of its own, and writes what is typed to a file. `stop` ends it
/// early, `resized` says that the user's terminal may have another size. `None` if it was stopped. With `force`, a
/// record that is there already is replaced.
///
/// # Errors
/// If the program cannot be started: then no file is made or changed. Or if the file cannot be written.
pub fn record(
    program: &[OsString],
    file: &Path,
    force: bool,
    stop: &AtomicBool,
    resized: &AtomicBool,
) -> Result<Option<ExitStatus>, RecordError> {
    let size = size();
    let mut terminal = Terminal::start(program, size, None)?;
    let seen = watch(&mut terminal, (program, size), (file, force), stop, resized);
    if !matches!(seen, Ok(Some(_))) {
        let _ = terminal.child.kill();
        let _ = terminal.child.wait();
    }
    seen
}

/// Makes the record of a program that runs.
fn watch(
    terminal: &mut Terminal,
    (program, size): (&[OsString], (u16, u16)),
    (file, force): (&Path, bool),
    stop: &AtomicBool,
    resized: &AtomicBool,
) -> Result<Option<ExitStatus>, RecordError> {
    // Passwords are typed, too.
    let mut options = OpenOptions::new();
    options.write(true).mode(0o600);
    if force {
        options.create(true).truncate(true)
    } else {
        options.create_new(true)
    };
    let mut tape = Tape::new(options.open(file).map_err(RecordError::NoRecord)?);
    let written = |error| RecordError::Io(Doing::WriteRecord, error);
    tape.line(&format!("{HEADING} {}", shown(program))).map_err(written)?;
    tape.line(&format!("size {}x{}", size.0, size.1)).map_err(written)?;
    let raw = Raw::new();
    let ended = relay(terminal, &mut tape, stop, resized);
    drop(raw);
    tape.flush().map_err(written)?;
    ended?;
    // It may have closed its terminal and go on.
    while !stop.load(Ordering::Relaxed) {
        if let Some(status) = has_ended(terminal)? {
            return Ok(Some(status));
        }
        std::thread::sleep(LOOK);
    }
    Ok(None)
}

fn has_ended(terminal: &mut Terminal) -> Result<Option<ExitStatus>, RecordError> {
    terminal.child.try_wait().map_err(|error| RecordError::Io(Doing::Wait, error))
}

/// Returns the size of the user's terminal.
fn size() -> (u16, u16) {
    let known = tcgetwinsize(rustix::stdio::stdin()).ok().filter(|size| size.ws_col > 0 && size.ws_row > 0);
    known.map_or(SIZE, |size| (size.ws_col, size.ws_row))
}

fn shown(program: &[OsString]) -> String {
    let words: Vec<String> = program.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    words.join(" ").chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}

/// Passes bytes on in both ways until the program has ended or closed its terminal, or it is stopped. Somebody else
/// may keep the terminal open for longer.
fn relay(terminal: &mut Terminal, tape: &mut Tape, stop: &AtomicBool, resized: &AtomicBool) -> Result<(), RecordError> {
    let (mut waiting, mut open) = (vec![], true);
    let mut ends_typed = 0;
    let mut quiet = Quiet::default();
    let trouble = |error| RecordError::Io(Doing::PassOn, error);
    let written = |error| RecordError::Io(Doing::WriteRecord, error);
    let pass_on = |bytes: &[u8], tape: &mut Tape| {
        io::stdout().write_all(bytes).and_then(|()| io::stdout().flush()).map_err(trouble)?;
        tape.wrote(bytes).map_err(written)
    };
    while !stop.load(Ordering::Relaxed) {
        if has_ended(terminal)?.is_some() {
            // What it wrote last. The program that has the terminal now may write without end.
            for _ in 0..MOST_LEFT {
                match terminal.read(Duration::ZERO).map_err(trouble)? {
                    Some(bytes) if !bytes.is_empty() => pass_on(&bytes, tape)?,
                    _ => break,
                }
            }
            return Ok(());
        }
        // Nobody will ever type what it waits for.
        if !open && waiting.is_empty() && quiet.since(&[terminal.pid]) >= FORSAKEN {
            if ends_typed >= ENDS {
                return Err(RecordError::Forsaken);
            }
            ends_typed += 1;
            tape.typed(END).map_err(written)?;
            waiting.extend_from_slice(END);
            quiet.disturb();
        }
        if resized.swap(false, Ordering::Relaxed) {
            let size = size();
            resize(&terminal.master, size).map_err(trouble)?;
            tape.flush().and_then(|()| tape.line(&format!("size {}x{}", size.0, size.1))).map_err(written)?;
        }
        let wants = if waiting.is_empty() { PollFlags::IN } else { PollFlags::IN | PollFlags::OUT };
        let stdin = rustix::stdio::stdin();
        let mut fds = vec![PollFd::new(&terminal.master, wants)];
        // What is typed faster than it is taken stays where it is.
        if open && waiting.is_empty() {
            fds.push(PollFd::new(&stdin, PollFlags::IN));
        }
        match poll(&mut fds, Some(&Timespec { tv_sec: 0, tv_nsec: 100_000_000 })) {
            Err(rustix::io::Errno::INTR) => continue,
            ready => ready.map_err(|error| trouble(error.into()))?,
        };
        let (output, typed) = (fds[0].revents(), fds.get(1).is_some_and(|fd| !fd.revents().is_empty()));
        if !waiting.is_empty() {
            let count = terminal.write(&waiting).map_err(trouble)?;
            waiting.drain(..count);
        }
        if output.intersects(PollFlags::IN | PollFlags::HUP | PollFlags::ERR) {
            let Some(bytes) = terminal.read(Duration::ZERO).map_err(trouble)? else { return Ok(()) };
            pass_on(&bytes, tape)?;
        }
        if typed {
            let mut bytes = vec![0; 4096];
            let count = rustix::io::read(stdin, &mut bytes[..]).unwrap_or(0);
            bytes.truncate(count);
            if count == 0 {
                (open, ends_typed) = (false, 1);
                bytes = END.to_vec();
            }
            tape.typed(&bytes).map_err(written)?;
            waiting.extend_from_slice(&bytes);
        }
    }
    Ok(())
}

/// The record, as it is written.
struct Tape {
    file: File,
    /// What was typed since the last event that was written.
    text: Vec<u8>,
    /// The last line that the program wrote since something was typed.
    prompt: Vec<u8>,
    last: Instant,
}

impl Tape {
    fn new(file: File) -> Tape {
        Tape { file, text: vec![], prompt: vec![], last: Instant::now() }
    }

    fn line(&mut self, line: &str) -> io::Result<()> {
        self.file.write_all(format!("{line}\n").as_bytes())
    }

    /// Writes what is still to be written.
    fn flush(&mut self) -> io::Result<()> {
        match std::mem::take(&mut self.text) {
            text if text.is_empty() => Ok(()),
            text => self.line(&format!("type {}", quoted(&text))),
        }
    }

    /// Takes what the program wrote.
    fn wrote(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.prompt.extend_from_slice(bytes);
        if let Some(end) = self.prompt.iter().rposition(|byte| *byte == b'\n') {
            self.prompt.drain(..=end);
        }
        Ok(())
    }

    /// Takes what the user typed.
    fn typed(&mut self, bytes: &[u8]) -> io::Result<()> {
        let pause = self.last.elapsed();
        self.last = Instant::now();
        if pause >= PAUSE || self.text.is_empty() {
            self.flush()?;
            if let Some(prompt) = prompt(&std::mem::take(&mut self.prompt)) {
                self.line(&format!("expect {}", quoted(regex::escape(&prompt).as_bytes())))?;
            }
            if pause >= PAUSE {
                self.line(&format!("sleep {:.2}", pause.as_secs_f64()))?;
            }
        }
        if let Some(key) = keys::name(bytes) {
            self.flush()?;
            self.prompt.clear();
            return self.line(&format!("key {key}"));
        }
        // A line is an event.
        for line in bytes.split_inclusive(|byte| matches!(byte, b'\r' | b'\n')) {
            self.text.extend_from_slice(line);
            if line.ends_with(b"\r") || line.ends_with(b"\n") {
                self.flush()?;
                // What comes now is the answer to it, not the echo.
                self.prompt.clear();
            }
        }
        Ok(())
    }
}

/// Returns the end of the line that is waited at, if it is plain text.
fn prompt(line: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(line).ok()?;
    // After a sequence that steers the terminal, what is seen is not what was written.
    let plain = text.rsplit(|c: char| c.is_control()).next()?;
    let length = plain.chars().count();
    let end: String = plain.chars().skip(length.saturating_sub(PROMPT)).collect();
    (!end.trim().is_empty()).then_some(end)
}
