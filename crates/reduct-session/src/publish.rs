//! Keeps the best so far where the user finds it: replaced atomically, at every moment a whole one.

mod flush;
mod kept;

use crate::event::{Event, Observer};
use flush::Flush;
pub use flush::flush;
pub use kept::{Stands, keep_unless};
use reduct_core::{Key, Question};
use reduct_input::Candidate;
use reduct_sources::write_below;
use reduct_system::remove;
use rustix::fs::{CWD, RenameFlags, renameat_with};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What is shown of the best and, in an isolation, of what passes.
pub type Shown = Box<dyn Fn(&Candidate, Option<&Candidate>) -> Candidate>;

/// Writes the best to a place.
pub struct ResultWriter {
    out: PathBuf,
    /// If it is not the best itself.
    shown: Option<Shown>,
    /// The name under which the subject stands in a candidate, if it is one file or folder; else `None`,
    /// and the place is a folder that holds all.
    subject: Option<PathBuf>,
    /// Where what is written stands until it is whole.
    workshop: PathBuf,
    waiting: Option<(Candidate, Option<Candidate>)>,
    /// Of what stands there now the digest, that of the best it shows, and whether it is on the disk for certain.
    published: Option<(Key, Key, bool)>,
    /// What an earlier session ended at: nothing that came before it is published again.
    until: Option<(u64, Key)>,
    /// When the last one was written, and how long that took.
    last: Option<(Instant, Duration)>,
    /// What stands there now, if nobody else has put something there since.
    stands: Option<Stands>,
    /// Where what somebody else had put there is kept.
    kept: Vec<PathBuf>,
}

/// Of the time, writing the best takes at most one part in so many: a large input that shrinks in
/// small steps would else be written more than it is tested. What waits is written with the next
/// event after that, and at the end in any case; the journal holds every step at once.
const SHARE: u32 = 10;

impl ResultWriter {
    /// Publishes at `out`. What is not yet whole stands in `workshop`, so that nothing else is left
    /// behind by a `kill -9`.
    ///
    /// What stands at `out` now may be replaced. What somebody else puts there later is kept in `workshop`.
    pub fn new(out: PathBuf, subject: Option<PathBuf>, workshop: PathBuf) -> ResultWriter {
        let (shown, waiting, published, until, last) = (None, None, None, None, None);
        let (stands, kept) = (Stands::at(&out), vec![]);
        ResultWriter { out, shown, subject, workshop, waiting, published, until, last, stands, kept }
    }

    /// Publishes what this makes of the best, instead of the best itself.
    pub fn showing(self, shown: Shown) -> ResultWriter {
        ResultWriter { shown: Some(shown), ..self }
    }

    /// Replaces only this at the place, if it is unchanged: all else that stands there is kept, as what comes there later is.
    pub fn replacing(self, stands: Option<Stands>) -> ResultWriter {
        ResultWriter { stands, ..self }
    }

    /// Returns where the best is.
    pub fn out(&self) -> &Path {
        &self.out
    }

    /// Returns where what somebody else had put at the place meanwhile is kept.
    pub fn kept(&self) -> &[PathBuf] {
        &self.kept
    }

    /// Publishes nothing that comes before this, which an earlier session has put there already: the best after so
    /// many tests.
    pub fn resume_at(&mut self, n: u64, best: Key) {
        self.until = Some((n, best));
    }

    /// Returns whether what it has put there shows this best.
    pub fn has_published(&self, best: &Candidate) -> bool {
        self.published.is_some_and(|(_, key, _)| key == best.key())
    }

    /// Shows the best, whatever was there.
    fn show(&mut self, best: &Candidate, passing: Option<&Candidate>, to_disk: bool) -> io::Result<()> {
        let begin = Instant::now();
        let shown = self.shown.as_ref().map(|shown| shown(best, passing));
        self.publish(shown.as_ref().unwrap_or(best), to_disk)?;
        self.published = self.published.map(|(shown, _, to_disk)| (shown, best.key(), to_disk));
        // Finding out what to show counts too.
        self.last = Some((Instant::now(), begin.elapsed()));
        Ok(())
    }

    /// Writes a candidate to the place and, if asked, to the disk, whatever was there.
    ///
    /// # Errors
    /// If it cannot be written; then the place is as it was.
    pub fn publish(&mut self, best: &Candidate, to_disk: bool) -> io::Result<()> {
        match self.replace(best, &self.workshop.join("new"), to_disk) {
            // Another file system, or no room where the journal is: it is made beside the place itself.
            Err(error) if is_of_the_workshop(&error) => {
                self.replace(best, &beside(&self.out), to_disk)?;
            }
            written => written?,
        }
        self.published = Some((best.key(), best.key(), to_disk));
        Ok(())
    }

    fn replace(&mut self, best: &Candidate, workplace: &Path, to_disk: bool) -> io::Result<()> {
        if workplace.exists() {
            remove::tree(workplace)?;
        }
        fs::create_dir(workplace)?;
        let flush = if to_disk { Some(Flush::of(workplace)?) } else { None };
        let replaced = self.make_and_move(best, workplace, flush);
        // What it holds is the old one, or not wanted. A leftover is removed the next time.
        let _ = remove::tree(workplace);
        replaced
    }

    fn make_and_move(&mut self, best: &Candidate, workplace: &Path, flush: Option<Flush>) -> io::Result<()> {
        let new = match &self.subject {
            Some(subject) => {
                write_below(best, workplace)?;
                workplace.join(subject)
            }
            None => {
                let all = workplace.join("all");
                fs::create_dir(&all)?;
                write_below(best, &all)?;
                all
            }
        };
        if let Some(flush) = &flush {
            flush.all(&new)?;
        }
        // A whole subject that is gone is an empty folder, or an empty file.
        if !new.exists() {
            fs::create_dir(&new)?;
        }
        self.kept.extend(keep_unless(self.stands, &self.out, &self.workshop)?);
        match fs::symlink_metadata(&self.out) {
            // Folders cannot be renamed over: they change places, at one moment.
            Ok(old) if old.is_dir() || new.is_dir() => {
                renameat_with(CWD, &new, CWD, &self.out, RenameFlags::EXCHANGE)?;
            }
            _ => fs::rename(&new, &self.out)?,
        }
        self.stands = Stands::at(&self.out);
        let folder = self.out.parent().filter(|folder| flush.is_some() && !folder.as_os_str().is_empty());
        folder.map_or(Ok(()), |folder| File::open(folder)?.sync_all())
    }

    /// Makes sure that this stands there in the end.
    fn write_last(&mut self, best: &Candidate, passing: Option<&Candidate>) -> io::Result<()> {
        self.waiting = None;
        self.until = None;
        // What shows more than the best may have changed with the best as it was.
        let is_there = self.shown.is_none() && self.published == Some((best.key(), best.key(), true));
        if is_there { Ok(()) } else { self.show(best, passing, true) }
    }
}

impl Observer for ResultWriter {
    fn on(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::Improved { n, best, passing, .. } => {
                // The same best comes again when more is found beside it.
                self.until.take_if(|(until, key)| *key == best.key() && *n >= *until);
                if self.until.is_none() {
                    self.waiting = Some((best.clone(), passing.clone()));
                }
            }
            // What is there may rest on what was taken back: all that follows is published again.
            Event::Undone { .. } => (self.waiting, self.until) = (None, None),
            Event::Finishing { best, passing } => return self.write_last(best, passing.as_ref()),
            Event::Ended(ended) => return self.write_last(&ended.best, ended.passing.as_ref()),
            _ => {}
        }
        let due = self.last.is_none_or(|(at, took)| at.elapsed() >= took * SHARE);
        match self.waiting.take_if(|_| due) {
            // What cannot be written now is offered again.
            Some((best, passing)) => {
                self.show(&best, passing.as_ref(), false).inspect_err(|_| self.waiting = Some((best, passing)))
            }
            None => Ok(()),
        }
    }
}

/// Returns whether something may be written at its place though it could not be made in the workshop.
fn is_of_the_workshop(error: &io::Error) -> bool {
    use io::ErrorKind::{CrossesDevices, QuotaExceeded, StorageFull};
    matches!(error.kind(), CrossesDevices | StorageFull | QuotaExceeded)
}

/// Returns a name beside `path`, on the same file system, that nobody else uses. It is short, however long that of the
/// result is.
fn beside(path: &Path) -> PathBuf {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    path.with_file_name(format!(".reduct-{}-{number}", std::process::id()))
}
