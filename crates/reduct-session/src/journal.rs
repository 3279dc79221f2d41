//! The journal of a run: outcomes, accepted steps, how it went. The cache and the resume are made of it.
//!
//! Append-only, one record a line: JSON, a tab, and the line's checksum. A record is written before it
//! is acted on, so that `kill -9` loses nothing; it is flushed to the disk at most once a second, so that
//! a power cut loses little more than a second of outcomes, which are then run again; what it rests on is flushed before.
//! A torn last line is dropped. `docs/JOURNAL.md` is the format.

mod record;

use crate::event::{Event, Observer, Why};
use crate::publish::flush;
use reduct_core::Key;
use reduct_oracle::CANNOT_TELL;
use reduct_oracle::sampling::{Vote, Votes};
use reduct_oracle::{Exit, FROM_OUTSIDE, Limit};
use rustix::fs::{FlockOperation, OFlags, flock};
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub use record::{JournalRecord, SeenAtEnd, VERSION};

/// Returns the single runs in a journal that decided nothing, so that a resumed run can go on with them.
pub fn votes(records: &[JournalRecord]) -> HashMap<Key, Votes> {
    let mut votes: HashMap<Key, Votes> = HashMap::new();
    for record in records {
        if let JournalRecord::Vote { k, n, o, l, .. } = record {
            votes.entry(*k).or_default().put(*n, Vote { outcome: *o, limited: *l });
        }
    }
    // What is decided needs no votes any more.
    for record in records {
        if let JournalRecord::Outcome { k, .. } = record {
            votes.remove(k);
        }
    }
    votes
}

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// Reading or writing failed.
    #[error("cannot use the journal {path}")]
    Io {
        /// The journal.
        path: PathBuf,
        /// What went wrong.
        source: io::Error,
    },
    /// Another process has it open.
    #[error("the run {0} is being worked on by another process")]
    Busy(PathBuf),
    /// It is not a journal, or of a later version.
    #[error("{path} is no journal that this version can read: {why}")]
    Unreadable {
        /// The journal.
        path: PathBuf,
        /// What is wrong with it.
        why: Unreadable,
    },
}

/// What is wrong with a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// A later version of reduct has written it.
    #[error("its version is {0}, mine is {VERSION}")]
    Version(u32),
    /// Its first record is none of a run.
    #[error("it does not begin with a run")]
    NoRun,
}

/// No record is longer, whatever stands in the file.
const LONGEST_LINE: u64 = 1 << 30;

/// Opens a journal to read it. Anything but a file of its own is refused at once: a pipe would be waited for, and a link
/// may lead to what has no end.
///
/// # Errors
/// If it cannot be opened, or is a link, or no file.
pub fn open(path: &Path) -> io::Result<File> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    only_a_file(OpenOptions::new().read(true).custom_flags(flags.bits() as i32).open(path)?)
}

fn only_a_file(file: File) -> io::Result<File> {
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::ErrorKind::InvalidInput.into()) }
}

/// Returns all records of a journal that are whole, and how many bytes of it they take.
///
/// # Errors
/// If it cannot be read, or its first record is not that of a run this version knows.
pub fn read(path: &Path) -> Result<(Vec<JournalRecord>, u64), JournalError> {
    let file = open(path).map_err(|source| JournalError::Io { path: path.into(), source })?;
    read_from(BufReader::new(file), path)
}

/// Returns the records of a journal that are whole and stand after its first `at` bytes, and how many bytes it has with them.
/// `None` if the journal is shorter: it was cut since. What a record takes back is not left out.
///
/// # Errors
/// If it cannot be read.
pub fn read_after(path: &Path, at: u64) -> io::Result<Option<(Vec<JournalRecord>, u64)>> {
    let mut file = open(path)?;
    if file.metadata()?.len() < at {
        return Ok(None);
    }
    file.seek(SeekFrom::Start(at))?;
    let (mut reader, mut records, mut whole, mut line) = (BufReader::new(file), vec![], at, vec![]);
    loop {
        line.clear();
        let length = reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        let Some(record) = parse(&line) else { return Ok(Some((records, whole))) };
        whole += length as u64;
        records.push(record);
    }
}

/// Returns the same of the bytes of a journal that is to stand at this path.
///
/// # Errors
/// As [`read`].
pub fn read_from(mut reader: impl BufRead, path: &Path) -> Result<(Vec<JournalRecord>, u64), JournalError> {
    let wrap = |source| JournalError::Io { path: path.into(), source };
    let (mut records, mut whole, mut line) = (vec![], 0, vec![]);
    loop {
        line.clear();
        let length = reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line).map_err(wrap)?;
        // What does not check is a torn write: what follows it was written by nobody.
        let Some(record) = parse(&line) else { break };
        whole += length as u64;
        take_back(&mut records, &record);
        records.push(record);
    }
    match records.first() {
        Some(JournalRecord::Run { v, .. }) if *v <= VERSION => Ok((records, whole)),
        Some(JournalRecord::Run { v, .. }) => {
            Err(JournalError::Unreadable { path: path.into(), why: Unreadable::Version(*v) })
        }
        _ => Err(JournalError::Unreadable { path: path.into(), why: Unreadable::NoRun }),
    }
}

/// Leaves out what a record takes back: an answer, and the end that a run had come to with it; or all that was known.
fn take_back(records: &mut Vec<JournalRecord>, by: &JournalRecord) {
    if let JournalRecord::Undone { k: undone } = by {
        records.retain(|record| match record {
            JournalRecord::Outcome { k, .. } => k != undone,
            JournalRecord::Ended { .. } => false,
            _ => true,
        });
    }
    if let JournalRecord::Branch { .. } = by {
        records.retain(|record| !matches!(record, JournalRecord::Ended { .. }));
    }
    if let JournalRecord::Forgotten { .. } = by {
        records.retain(|record| match record {
            JournalRecord::Began { .. }
            | JournalRecord::Outcome { .. }
            | JournalRecord::Vote { .. }
            | JournalRecord::Branch { .. }
            | JournalRecord::Skipped { .. } => false,
            // What stands at the place of the result may be what improved before.
            _ => true,
        });
    }
}

fn parse(line: &[u8]) -> Option<JournalRecord> {
    let line = line.strip_suffix(b"\n")?;
    let tab = line.iter().rposition(|&b| b == b'\t')?;
    let (json, sum) = (&line[..tab], std::str::from_utf8(&line[tab + 1..]).ok()?);
    (u32::from_str_radix(sum, 16).ok()? == crc32fast::hash(json)).then(|| serde_json::from_slice(json).ok()).flatten()
}

/// A journal that is being written.
pub struct Journal {
    file: File,
    path: PathBuf,
    /// What of it is whole: a record that could not be written entirely is cut off again.
    whole: u64,
    flushed: Instant,
    /// What it rests on, as long as that may not be on the disk.
    rests_on: Option<PathBuf>,
}

/// How often the journal is flushed to the disk at most.
const FLUSH_EVERY: Duration = Duration::from_secs(1);

impl Journal {
    /// Begins a journal with its first record.
    ///
    /// # Errors
    /// If there is one already, or it cannot be written.
    pub fn create(path: &Path, run: &JournalRecord) -> Result<Journal, JournalError> {
        let wrap = |source| JournalError::Io { path: path.into(), source };
        let file = OpenOptions::new().write(true).create_new(true).open(path).map_err(wrap)?;
        let mut journal = Journal::lock(file, path, 0)?;
        journal.write(run).map_err(wrap)?;
        Ok(journal)
    }

    /// Goes on with a journal, and returns what it holds. What is torn at its end is cut off.
    ///
    /// # Errors
    /// If it cannot be read or written, or another process writes it.
    pub fn resume(path: &Path) -> Result<(Journal, Vec<JournalRecord>), JournalError> {
        let wrap = |source| JournalError::Io { path: path.into(), source };
        let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits() as i32;
        let file = OpenOptions::new().write(true).custom_flags(flags).open(path).and_then(only_a_file).map_err(wrap)?;
        // Locked before it is read: what another process still writes must not be cut off.
        let mut journal = Journal::lock(file, path, 0)?;
        let (records, whole) = read(path)?;
        journal.whole = whole;
        journal.file.set_len(whole).map_err(wrap)?;
        journal.file.seek(SeekFrom::Start(whole)).map_err(wrap)?;
        Ok((journal, records))
    }

    fn lock(file: File, path: &Path, whole: u64) -> Result<Journal, JournalError> {
        flock(&file, FlockOperation::NonBlockingLockExclusive)
            .map_err(|_| JournalError::Busy(path.parent().unwrap_or(path).into()))?;
        Ok(Journal { file, path: path.into(), whole, flushed: Instant::now(), rests_on: None })
    }

    /// Returns where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends a record.
    ///
    /// # Errors
    /// If it cannot be written. Nothing of it is then left, so that it can be tried again.
    pub fn write(&mut self, record: &JournalRecord) -> io::Result<()> {
        let mut line = serde_json::to_vec(record)?;
        let sum = crc32fast::hash(&line);
        writeln!(line, "\t{sum:08x}")?;
        match self.file.write_all(&line) {
            Ok(()) => self.whole += line.len() as u64,
            Err(error) => {
                // If this fails as well, the torn line is cut off when the journal is read.
                let _ = self.file.set_len(self.whole).and_then(|()| self.file.seek(SeekFrom::Start(self.whole)));
                return Err(error);
            }
        }
        Ok(())
    }

    /// Flushes it to the disk.
    ///
    /// # Errors
    /// If the disk says so.
    pub fn flush(&mut self) -> io::Result<()> {
        self.flushed = Instant::now();
        if let Some(path) = self.rests_on.as_ref().filter(|path| path.exists()) {
            flush(path)?;
        }
        self.rests_on = None;
        self.file.sync_data()
    }

    /// Has a file or folder flushed before the journal is flushed the next time: without it, the journal is worth nothing.
    pub fn rest_on(&mut self, path: PathBuf) {
        self.rests_on = Some(path);
    }

    fn flush_now_and_then(&mut self) -> io::Result<()> {
        if self.flushed.elapsed() >= FLUSH_EVERY { self.flush() } else { Ok(()) }
    }
}

impl Observer for Journal {
    fn on(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::Voted { key, number, outcome, exit, elapsed } => {
                let (l, ms) = (depends_on_the_day(exit), elapsed.as_millis() as u64);
                self.write(&JournalRecord::Vote { k: *key, n: *number, o: *outcome, l, ms })?;
                self.flush_now_and_then()
            }
            Event::Ran { key, outcome, exit, elapsed, votes } => {
                let l = votes.map_or_else(|| depends_on_the_day(exit), |votes| votes.limited > 0);
                let ms = elapsed.as_millis() as u64;
                self.write(&JournalRecord::Outcome { k: *key, o: *outcome, l, ms, votes: *votes })?;
                self.flush_now_and_then()
            }
            Event::Improved { n, best, .. } => {
                let key = reduct_core::Question::key(best);
                self.write(&JournalRecord::Improved { n: *n, k: key, bytes: best.len() })
            }
            Event::Skipped { n, pass } => self.write(&JournalRecord::Skipped { n: *n, pass: pass.map(str::to_owned) }),
            Event::Undone { key } => self.write(&JournalRecord::Undone { k: *key }),
            Event::Forgotten { why } => self.write(&JournalRecord::Forgotten { why: why.clone() }),
            Event::Ended(ended) => {
                let best = reduct_core::Question::key(&ended.best);
                let done = matches!(ended.why, Why::Done | Why::Granularity(_));
                let back = ended.again.is_some_and(|again| again.went_back);
                self.write(&JournalRecord::Ended {
                    done,
                    why: format!("{:?}", ended.why),
                    best,
                    back,
                    seen: Some(SeenAtEnd::of(ended)),
                })?;
                self.flush()
            }
            _ => Ok(()),
        }
    }
}

/// Returns whether the same test could have said something else another time: under other limits, with a program in its
/// place that was missing, without somebody who killed it.
pub fn depends_on_the_day(exit: &Exit) -> bool {
    match exit {
        Exit::Limit(Limit::Time | Limit::Memory | Limit::Processes | Limit::Disk) | Exit::NotStarted(_) => true,
        Exit::Code(code) => CANNOT_TELL.contains(code),
        Exit::Signal(number) => FROM_OUTSIDE.contains(number),
        Exit::NotBuilt(_) => exit.build_status().is_none_or(|status| CANNOT_TELL.contains(&status)),
    }
}
