//! Which files in some folders are opened and written while tests run, by inotify: whoever does it.

use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::inotify::{CreateFlags, ReadFlags, Reader, WatchFlags, add_watch, init};
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
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
}

/// A watch over folders, each without the folders in it.
pub struct Watch {
    /// Closed when it is over.
    end: OwnedFd,
    listener: JoinHandle<Heard>,
}

impl Watch {
    /// Begins to watch. `None` if that is not possible here.
    pub fn begin(folders: impl IntoIterator<Item = PathBuf>) -> Option<Watch> {
        let inotify = init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK).ok()?;
        let (is_over, end) = pipe_with(PipeFlags::CLOEXEC).ok()?;
        let mut listening = Listening { inotify, folders: BTreeMap::new(), heard: Heard::default() };
        for folder in folders {
            // Of what is not there or cannot be read nobody hears; nor of more than the system allows to be watched.
            if let Ok(number) = add_watch(&listening.inotify, &folder, WatchFlags::OPEN | WRITES | WatchFlags::ONLYDIR)
            {
                listening.folders.insert(number, folder);
            }
        }
        let listener = std::thread::Builder::new().name("watch".into()).spawn(move || listening.until(&is_over));
        Some(Watch { end, listener: listener.ok()? })
    }

    /// What was heard of until now.
    pub fn end(self) -> Heard {
        drop(self.end);
        self.listener.join().unwrap_or_default()
    }
}

struct Listening {
    inotify: OwnedFd,
    folders: BTreeMap<i32, PathBuf>,
    heard: Heard,
}

impl Listening {
    /// Listens until the other end of a pipe is closed. What happened before that is heard of.
    fn until(mut self, is_over: &OwnedFd) -> Heard {
        loop {
            let mut fds = [PollFd::new(&self.inotify, PollFlags::IN), PollFd::new(is_over, PollFlags::IN)];
            let waited = poll(&mut fds, None);
            let ends = !fds[1].revents().is_empty() || waited.is_err_and(|error| error != Errno::INTR);
            self.hear();
            if ends {
                return self.heard;
            }
        }
    }

    fn hear(&mut self) {
        let mut room = [MaybeUninit::uninit(); 1 << 14];
        let mut reader = Reader::new(&self.inotify, &mut room);
        loop {
            match reader.next() {
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
                // There is no more for now, or never again.
                Err(_) => return,
            }
        }
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
    }
}
