//! What is known of the run that is shown: read from its socket while it is under way, and handed to all who look.

use crate::live::connect;
use reduct_report::live::at_rest;
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// How often it is tried to reach a run that is not under way.
const PAUSE: Duration = Duration::from_millis(300);
/// A reader that does not read for so long has gone.
const PATIENCE: Duration = Duration::from_secs(2);

/// A run that is watched, for as long as anybody has this.
pub(super) struct Watched(Arc<Mutex<Known>>);

struct Known {
    run: Option<PathBuf>,
    /// The socket of the run while it is under way.
    link: Option<UnixStream>,
    /// What was known last, as an event.
    last: Vec<u8>,
    readers: Vec<Sender<Vec<u8>>>,
    /// Whether the page was read while the run was not under way.
    is_read: bool,
    is_over: bool,
}

impl Known {
    /// Hands what is known now to all who look.
    fn publish(&mut self, text: &str) {
        self.last = format!("data: {text}\n\n").into_bytes();
        let last = &self.last;
        self.readers.retain(|reader| reader.send(last.clone()).is_ok());
    }
}

fn locked(known: &Mutex<Known>) -> MutexGuard<'_, Known> {
    known.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Watched {
    /// Begins to watch nothing.
    pub(super) fn start() -> io::Result<Watched> {
        let known = Known { run: None, link: None, last: vec![], readers: vec![], is_read: false, is_over: false };
        let known = Arc::new(Mutex::new(known));
        locked(&known).publish(&at_rest().to_string());
        let there = known.clone();
        thread::Builder::new().name("watch".to_owned()).spawn(move || follow(&there))?;
        Ok(Watched(known))
    }

    /// Watches this run from now on.
    pub(super) fn watch(&self, run: &Path) {
        locked(&self.0).run = Some(run.to_owned());
    }

    /// Adds somebody who looks.
    pub(super) fn add(&self, reader: Sender<Vec<u8>>) {
        let mut known = locked(&self.0);
        if reader.send(known.last.clone()).is_ok() {
            known.readers.push(reader);
        }
    }

    /// Returns whether anybody looks who has not read the page since the run has ended.
    pub(super) fn is_awaited(&self) -> bool {
        let known = locked(&self.0);
        !known.readers.is_empty() && !known.is_read
    }

    /// Notes that the page was read.
    pub(super) fn note_page(&self) {
        let mut known = locked(&self.0);
        known.is_read = known.link.is_none();
    }

    /// Returns whether the run is under way.
    pub(super) fn is_alive(&self) -> bool {
        locked(&self.0).link.is_some()
    }

    /// Asks something of the run. `false` if it is not under way.
    pub(super) fn send(&self, word: &str) -> bool {
        let link = locked(&self.0).link.as_ref().and_then(|link| link.try_clone().ok());
        link.is_some_and(|mut link| link.write_all(format!("{word}\n").as_bytes()).is_ok())
    }

    /// Takes it that the run has ended.
    pub(super) fn end(&self) {
        let mut known = locked(&self.0);
        known.is_over = true;
        known.publish(&at_rest().to_string());
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let mut known = locked(&self.0);
        known.is_over = true;
        known.readers.clear();
        if let Some(link) = known.link.take() {
            let _ = link.shutdown(std::net::Shutdown::Both);
        }
    }
}

/// Reads what is known of the run, as often as it is under way.
fn follow(known: &Mutex<Known>) {
    loop {
        let run = {
            let known = locked(known);
            if known.is_over {
                return;
            }
            known.run.clone()
        };
        let link = run.and_then(|run| connect(&run).ok());
        let Some(link) = link else {
            thread::sleep(PAUSE);
            continue;
        };
        let _ = link.set_write_timeout(Some(PATIENCE));
        {
            let mut known = locked(known);
            (known.link, known.is_read) = (link.try_clone().ok(), false);
        }
        let lines = BufReader::new(&link).lines().map_while(Result::ok);
        for line in lines {
            let mut known = locked(known);
            if known.is_over {
                break;
            }
            known.publish(&line);
        }
        let mut known = locked(known);
        known.link = None;
        if !known.is_over {
            known.publish(&at_rest().to_string());
        }
    }
}
