//! Which files in some folders are opened and written while tests run, by any process, by inotify.

use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::inotify::{CreateFlags, ReadFlags, Reader, WatchFlags, add_watch, init};
use rustix::fs::{Access, access};
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::JoinHandle;

/// What makes a file another one.
const WRITES: WatchFlags = WatchFlags::MODIFY
    .union(WatchFlags::CLOSE_WRITE)
    .union(WatchFlags::CREATE)
    .union(WatchFlags::DELETE)
    .union(WatchFlags::MOVE);

/// What was heard of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heard {
    /// The files that were opened or started.
    pub opened: BTreeSet<PathBuf>,
    /// The files that were made, written, opened to be written, moved or removed.
    pub written: BTreeSet<PathBuf>,
    /// Why there may have been more, if so.
    pub missed: Option<Missed>,
}

/// Why not all was heard of.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Missed {
    /// No watch could begin.
    #[error("nothing is heard: {0}")]
    All(String),
    /// The user has as many watches as the system allows.
    #[error("the system lets no more folders be watched")]
    TooManyFolders,
    /// A folder could not be watched.
    #[error("{path} cannot be watched: {why}")]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        why: String,
    },
    /// The thread that listened has met a panic.
    #[error("the thread that listened has died")]
    ListenerDied,
    /// The system has dropped some of what it had to tell.
    #[error("more was opened than could be heard of")]
    TooMuch,
    /// The watch has failed in the middle.
    #[error("nothing is heard any more: {0}")]
    Ended(String),
}

/// A watch over folders, each without the folders in it.
pub struct Watch {
    /// Closed when it is over.
    end: OwnedFd,
    listener: JoinHandle<()>,
    ears: Arc<Mutex<Ears>>,
}

/// Has a watch leave out what is opened and written meanwhile, as this process does it and no test. One that was not made by
/// a watch, or whose watch is over, does nothing.
#[derive(Clone, Debug, Default)]
pub struct WatchPause(Weak<Mutex<Ears>>);

impl WatchPause {
    /// Does something that is not heard of. No test may run meanwhile.
    pub fn during<T>(&self, act: impl FnOnce() -> T) -> T {
        self.listens(false);
        let done = act();
        self.listens(true);
        done
    }

    fn listens(&self, listens: bool) {
        if let Some(ears) = self.0.upgrade() {
            let mut ears = locked(&ears);
            ears.hear();
            ears.pauses = !listens;
        }
    }
}

fn locked(ears: &Mutex<Ears>) -> MutexGuard<'_, Ears> {
    ears.lock().unwrap_or_else(PoisonError::into_inner)
}

/// So many events are heard at once at most: several times as many as the system keeps (`max_queued_events`).
const AT_ONCE: usize = 1 << 17;

impl Watch {
    /// Begins to watch.
    ///
    /// # Errors
    /// If that is not possible here.
    pub fn begin(folders: impl IntoIterator<Item = PathBuf>) -> io::Result<Watch> {
        let ears = Arc::new(Mutex::new(Ears::open(folders)?));
        let (is_over, end) = pipe_with(PipeFlags::CLOEXEC)?;
        let heard = Arc::clone(&ears);
        let listener = std::thread::Builder::new().name("watch".into()).spawn(move || until(&heard, &is_over));
        Ok(Watch { end, listener: listener?, ears })
    }

    /// Returns what has it leave something out.
    pub fn pause(&self) -> WatchPause {
        WatchPause(Arc::downgrade(&self.ears))
    }

    /// Returns what was heard of until now.
    pub fn end(self) -> Heard {
        drop(self.end);
        let has_died = self.listener.join().is_err();
        let heard = std::mem::take(&mut locked(&self.ears).heard);
        if has_died { Heard { missed: Some(Missed::ListenerDied), ..heard } } else { heard }
    }
}

/// Listens until the other end of a pipe is closed. What happened before that is heard of.
fn until(ears: &Mutex<Ears>, is_over: &OwnedFd) {
    // It is there as long as the ears are.
    let Ok(inotify) = locked(ears).inotify.try_clone() else { return };
    loop {
        let mut fds = [PollFd::new(&inotify, PollFlags::IN), PollFd::new(is_over, PollFlags::IN)];
        let waited = poll(&mut fds, None);
        let ends = !fds[1].revents().is_empty() || waited.is_err_and(|error| error != Errno::INTR);
        locked(ears).hear();
        if ends {
            return;
        }
    }
}

/// What hears what is done in folders, without a thread.
#[derive(Debug)]
pub(crate) struct Ears {
    inotify: OwnedFd,
    folders: BTreeMap<i32, PathBuf>,
    heard: Heard,
    /// Whether nothing counts for the time being.
    pauses: bool,
}

impl Ears {
    /// Begins to listen in these folders, each without the folders in it.
    ///
    /// # Errors
    /// If that is not possible here.
    pub(crate) fn open(folders: impl IntoIterator<Item = PathBuf>) -> io::Result<Ears> {
        let inotify = init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK)?;
        let mut ears = Ears { inotify, folders: BTreeMap::new(), heard: Heard::default(), pauses: false };
        for folder in folders {
            match add_watch(&ears.inotify, &folder, WatchFlags::OPEN | WRITES | WatchFlags::ONLYDIR) {
                Ok(number) => drop(ears.folders.insert(number, folder)),
                // What is not there, or closed to tests as well, is opened by nobody.
                Err(Errno::NOENT | Errno::NOTDIR) => {}
                Err(Errno::ACCESS) if access(&folder, Access::EXEC_OK).is_err() => {}
                Err(Errno::NOSPC) => ears.misses(Missed::TooManyFolders),
                Err(error) => ears.misses(Missed::Folder { path: folder, why: error.to_string() }),
            }
        }
        Ok(ears)
    }

    /// Notes why not all is heard of. The first reason will do.
    fn misses(&mut self, why: Missed) {
        self.heard.missed.get_or_insert(why);
    }

    /// Hears what was done until now, and returns all that was heard.
    pub(crate) fn hear(&mut self) -> &Heard {
        let mut room = [MaybeUninit::uninit(); 1 << 14];
        let mut reader = Reader::new(&self.inotify, &mut room);
        // Somebody may write there faster than this reads.
        let mut left = AT_ONCE;
        let missed = loop {
            if left == 0 {
                break Missed::TooMuch;
            }
            left -= 1;
            match reader.next() {
                Ok(_) if self.pauses => {}
                Ok(event) if event.events().contains(ReadFlags::QUEUE_OVERFLOW) => break Missed::TooMuch,
                Ok(event) if event.events().contains(ReadFlags::ISDIR) => {}
                Ok(event) => {
                    let (Some(folder), Some(name)) = (self.folders.get(&event.wd()), event.file_name()) else {
                        continue;
                    };
                    let path = folder.join(OsStr::from_bytes(name.to_bytes()));
                    let is_open = event.events().contains(ReadFlags::OPEN);
                    if is_open {
                        self.heard.opened.insert(path)
                    } else {
                        self.heard.written.insert(path)
                    };
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return &self.heard,
                Err(error) => break Missed::Ended(error.to_string()),
            }
        };
        self.misses(missed);
        &self.heard
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn what_is_read_and_what_is_written_are_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["read", "written", "left", "gone"] {
            fs::write(path(name), "x").unwrap();
        }
        fs::create_dir(path("below")).unwrap();
        let missing = path("missing");
        let watch = Watch::begin([folder.path().to_owned(), missing]).unwrap();
        fs::read(path("read")).unwrap();
        fs::write(path("written"), "y").unwrap();
        fs::write(path("new"), "y").unwrap();
        fs::remove_file(path("gone")).unwrap();
        fs::read_dir(path("below")).unwrap();
        let heard = watch.end();
        assert!(heard.opened.contains(&path("read")) && !heard.opened.contains(&path("left")));
        assert!(!heard.opened.contains(&path("below")), "a folder is no file");
        assert_eq!(heard.written, ["written", "new", "gone"].map(path).into());
        assert_eq!(heard.missed, None);
    }

    #[test]
    fn what_could_not_be_heard_of_is_no_secret() {
        let folder = tempfile::tempdir().unwrap();
        // No folder has such a name.
        let never = PathBuf::from("x".repeat(300));
        let heard = Watch::begin([folder.path().to_owned(), never]).unwrap().end();
        assert!(heard.missed.is_some_and(|why| matches!(why, Missed::Folder { .. })));
        let most = fs::read_to_string("/proc/sys/fs/inotify/max_queued_events").unwrap();
        let files = ["one", "two"].map(|name| folder.path().join(name));
        files.iter().for_each(|file| fs::write(file, "x").unwrap());
        let (is_over, end) = pipe_with(PipeFlags::CLOEXEC).unwrap();
        let inotify = init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK).unwrap();
        let number = add_watch(&inotify, folder.path(), WatchFlags::OPEN).unwrap();
        let folders = BTreeMap::from([(number, folder.path().to_owned())]);
        // Nobody listens yet; two in turn, as the same again and again is said once.
        for n in 0..=most.trim().parse::<usize>().unwrap() {
            fs::File::open(&files[n % 2]).unwrap();
        }
        drop(end);
        let ears = Mutex::new(Ears { inotify, folders, heard: Heard::default(), pauses: false });
        until(&ears, &is_over);
        assert_eq!(locked(&ears).heard.missed, Some(Missed::TooMuch));
    }
    #[test]
    fn what_is_opened_in_a_pause_is_not_heard_of_and_all_before_and_after_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["before", "meanwhile", "other", "after"] {
            fs::write(path(name), "x").unwrap();
        }
        let watch = Watch::begin([folder.path().to_owned()]).unwrap();
        let pause = watch.pause();
        fs::read(path("before")).unwrap();
        let most: usize = fs::read_to_string("/proc/sys/fs/inotify/max_queued_events").unwrap().trim().parse().unwrap();
        let read = pause.during(|| {
            // More than the system keeps: two in turn, as the same again and again is said once.
            (0..most).for_each(|n| drop(fs::File::open(path(["meanwhile", "other"][n % 2]))));
            fs::read(path("meanwhile")).unwrap()
        });
        fs::read(path("after")).unwrap();
        let heard = watch.end();
        assert_eq!(read, b"x");
        assert_eq!((heard.opened, heard.missed), (["before", "after"].map(path).into(), None));
        assert!(pause.0.upgrade().is_none(), "the system goes on watching");
        assert_eq!(pause.during(|| 1), 1);
    }
}
