//! In which folders nothing was done since they were looked at last, without a look into any of them: one inotify watch on each.
//!
//! What is done to a copy for the first time is done in the folder that takes its changes, too, so it is heard there.

use rustix::fs::inotify::{CreateFlags, ReadFlags, Reader, WatchFlags, add_watch, init};
use rustix::io::Errno;
use std::collections::BTreeSet;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::path::Path;

/// Whatever makes a folder another one: an entry that comes or goes, and the mode, owner, times and attributes of the folder
/// itself (inotify calls it to modify a folder if one of its times is set). Those of its entries are heard, too.
const CHANGES: WatchFlags = WatchFlags::CREATE
    .union(WatchFlags::DELETE)
    .union(WatchFlags::MOVE)
    .union(WatchFlags::ATTRIB)
    .union(WatchFlags::MODIFY)
    .union(WatchFlags::ONLYDIR);

/// So many events are taken at once at most: twice what the system keeps by default (`max_queued_events`). If there are more, all
/// folders count as touched.
const AT_ONCE: usize = 1 << 15;

/// A folder that is watched. `None` inside if it cannot be.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Watched(Option<i32>);

/// Knows the folders in which nothing was done.
pub(super) struct Untouched {
    /// It stays open from view to view, as the system takes its time to close one. `None` if there can be none.
    inotify: Option<OwnedFd>,
    folders: BTreeSet<i32>,
}

impl Untouched {
    /// Begins without folders.
    pub fn new() -> Untouched {
        Untouched { inotify: init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK).ok(), folders: BTreeSet::new() }
    }

    /// Watches a folder from now on. It is touched until it is said to be clean. One that cannot be watched always is.
    pub fn watch(&self, folder: &Path) -> Watched {
        Watched(self.inotify.as_ref().and_then(|inotify| add_watch(inotify, folder, CHANGES).ok()))
    }

    /// Hears what was done until now, without waiting. What is done from now on is heard the next time.
    pub fn hear(&mut self) {
        let Some(inotify) = &self.inotify else { return };
        let mut room = [MaybeUninit::uninit(); 1 << 12];
        let mut reader = Reader::new(inotify, &mut room);
        for _ in 0..AT_ONCE {
            match reader.next() {
                Ok(event) if event.events().contains(ReadFlags::QUEUE_OVERFLOW) => break,
                Ok(event) => drop(self.folders.remove(&event.wd())),
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return,
                Err(_) => break,
            }
        }
        // Nobody knows in which more was done.
        self.folders.clear();
    }

    /// Returns whether nothing was done in a folder since it was said to be clean, as far as it was heard.
    pub fn contains(&self, folder: Watched) -> bool {
        folder.0.is_some_and(|number| self.folders.contains(&number))
    }

    /// Says that a folder is as it should be, seen after what was heard last.
    pub fn insert(&mut self, folder: Watched) {
        self.folders.extend(folder.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_folder_is_untouched_from_a_look_to_a_change() {
        let folder = tempfile::tempdir().unwrap();
        let [one, other] = ["one", "other"].map(|name| folder.path().join(name));
        for path in [&one, &other] {
            fs::create_dir(path).unwrap();
        }
        let mut untouched = Untouched::new();
        let watched = [&one, &other].map(|path| untouched.watch(path));
        untouched.hear();
        assert!(watched.iter().all(|folder| !untouched.contains(*folder)), "nobody has looked yet");
        let changes: [&dyn Fn(); 5] = [
            &|| fs::write(one.join("file"), "").unwrap(),
            &|| fs::rename(one.join("file"), one.join("moved")).unwrap(),
            &|| fs::remove_file(one.join("moved")).unwrap(),
            &|| fs::set_permissions(&one, Permissions::from_mode(0o700)).unwrap(),
            &|| fs::File::open(&one).unwrap().set_modified(std::time::UNIX_EPOCH).unwrap(),
        ];
        for change in changes {
            untouched.hear();
            watched.iter().for_each(|folder| untouched.insert(*folder));
            fs::read_dir(&one).unwrap();
            untouched.hear();
            assert!(watched.iter().all(|folder| untouched.contains(*folder)), "to read is no change");
            change();
            untouched.hear();
            assert_eq!(watched.map(|folder| untouched.contains(folder)), [false, true]);
        }
    }

    #[test]
    fn what_cannot_be_heard_counts_as_touched() {
        let folder = tempfile::tempdir().unwrap();
        let mut untouched = Untouched::new();
        let missing = untouched.watch(&folder.path().join("missing"));
        untouched.insert(missing);
        assert!(!untouched.contains(missing));
        let [one, other] = ["one", "other"].map(|name| folder.path().join(name));
        for path in [&one, &other] {
            fs::create_dir(path).unwrap();
        }
        let watched = [&one, &other].map(|path| untouched.watch(path));
        watched.iter().for_each(|folder| untouched.insert(*folder));
        // More than the system keeps, all in one of them: two in turn, as the same again and again is said once.
        let most: usize = fs::read_to_string("/proc/sys/fs/inotify/max_queued_events").unwrap().trim().parse().unwrap();
        for n in 0..=most {
            fs::set_permissions(&one, Permissions::from_mode([0o700, 0o750][n % 2])).unwrap();
            if n % 2 == 0 {
                fs::write(one.join("file"), "").and_then(|()| fs::remove_file(one.join("file"))).unwrap();
            }
        }
        untouched.hear();
        assert_eq!(watched.map(|folder| untouched.contains(folder)), [false, false]);
        // Without inotify.
        let mut deaf = Untouched { inotify: None, folders: BTreeSet::new() };
        let folder = deaf.watch(&one);
        deaf.insert(folder);
        deaf.hear();
        assert!(!deaf.contains(folder));
    }
}
