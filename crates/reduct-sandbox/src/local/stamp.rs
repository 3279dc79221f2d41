//! What tells whether a file was touched, and clocks of files.

use crate::faults::FolderFault;
use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, UTIME_OMIT, utimensat};
use rustix::time::{ClockId, clock_gettime};
use std::fs::{Metadata, symlink_metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A time of a file: seconds, nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Time(i64, i64);

/// Longer than any tick of the clock that files are stamped with (10 ms).
const TICK: Duration = Duration::from_millis(25);

/// How much later a file is made than it must not be: more if the file system counts in whole seconds, or in two.
const STEPS: [Duration; 3] = [Duration::from_millis(1), Duration::from_secs(1), Duration::from_secs(2)];

impl Time {
    /// Returns the time to the nanosecond: no file was stamped later than this by what is over.
    pub(super) fn now() -> Time {
        Time::on(ClockId::Realtime)
    }

    /// Returns the time on the clock that stamps files, which stands still for some milliseconds at a time.
    pub(super) fn tick() -> Time {
        Time::on(ClockId::RealtimeCoarse)
    }

    fn on(clock: ClockId) -> Time {
        let now = clock_gettime(clock);
        Time(now.tv_sec, now.tv_nsec)
    }

    fn plus(self, step: Duration) -> Time {
        let nanoseconds = self.1 + i64::from(step.subsec_nanos());
        Time(self.0 + step.as_secs() as i64 + nanoseconds / 1_000_000_000, nanoseconds % 1_000_000_000)
    }

    /// Waits until files are stamped later than this. Not for long: if it lies in the future, that is left to
    /// [`make_later`].
    pub(super) fn wait_past(self) {
        let deadline = Instant::now() + TICK;
        while Time::tick() <= self && Instant::now() < deadline {
            sleep(Duration::from_micros(200));
        }
    }
}

/// What lstat(2) says of a file. What writes to it, or replaces it, changes that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    pub mode: u32,
    pub modified: Time,
    pub changed: Time,
    place: (u64, u64),
    size: u64,
    /// How many names it has.
    pub names: u64,
}

impl Stamp {
    /// Returns the stamp of what stands at `path`, if anything does.
    pub(super) fn of(path: &Path) -> io::Result<Option<Stamp>> {
        match symlink_metadata(path) {
            Ok(meta) => Ok(Some(Stamp::from(&meta))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    pub(super) fn is_folder(&self) -> bool {
        self.mode & libc::S_IFMT == libc::S_IFDIR
    }

    pub(super) fn inode(&self) -> u64 {
        self.place.1
    }

    /// Returns its permission bits.
    pub(super) fn permissions(&self) -> u32 {
        self.mode & 0o7777
    }

    /// Returns whether only the time of the last change to the file or to what is known of it differs. A hard link to
    /// it does that, and so does a process that writes to it and sets back the other time.
    pub(super) fn is_but_for_the_change(&self, other: &Stamp) -> bool {
        Stamp { changed: other.changed, names: other.names, ..*self } == *other
    }
}

impl From<&Metadata> for Stamp {
    fn from(meta: &Metadata) -> Stamp {
        Stamp {
            mode: meta.mode(),
            modified: Time(meta.mtime(), meta.mtime_nsec()),
            changed: Time(meta.ctime(), meta.ctime_nsec()),
            place: (meta.dev(), meta.ino()),
            size: meta.size(),
            names: meta.nlink(),
        }
    }
}

/// Sees to it that what was just written to `path` is later than `floor`: or a build whose products are from that
/// time would take the old ones to be up to date.
pub(super) fn make_later(path: &Path, floor: Time) -> io::Result<()> {
    let is_later = || Ok::<_, io::Error>(Stamp::of(path)?.is_none_or(|stamp| stamp.modified > floor));
    for step in STEPS {
        if is_later()? {
            return Ok(());
        }
        set_modified(path, floor.plus(step))?;
    }
    if is_later()? { Ok(()) } else { Err(io::Error::other(FolderFault::Untimely(path.to_owned()))) }
}

/// Sets when `path` was modified.
pub(super) fn set_modified(path: &Path, Time(seconds, nanoseconds): Time) -> io::Result<()> {
    let times = Timestamps {
        last_access: Timespec { tv_sec: 0, tv_nsec: UTIME_OMIT },
        last_modification: Timespec { tv_sec: seconds, tv_nsec: nanoseconds },
    };
    Ok(utimensat(CWD, path, &times, AtFlags::SYMLINK_NOFOLLOW)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn later_than_what_lies_in_the_future() {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("file");
        fs::write(&file, "x").unwrap();
        let before = Stamp::of(&file).unwrap().unwrap();
        let floor = Time::now().plus(Duration::from_secs(100));
        make_later(&file, floor).unwrap();
        let after = Stamp::of(&file).unwrap().unwrap();
        assert!(after.modified > floor && before.modified < floor);
        // Once it is later, it stays as it is.
        make_later(&file, floor).unwrap();
        assert_eq!(Stamp::of(&file).unwrap(), Some(after));
    }

    #[test]
    fn after_waiting_files_are_stamped_later() {
        let home = tempfile::tempdir().unwrap();
        for n in 0..5 {
            let file = home.path().join(n.to_string());
            let floor = Time::now();
            floor.wait_past();
            fs::write(&file, "x").unwrap();
            assert!(Stamp::of(&file).unwrap().unwrap().modified > floor);
        }
    }

    #[test]
    fn nanoseconds_carry_over() {
        assert_eq!(Time(1, 999_500_000).plus(Duration::from_millis(1)), Time(2, 500_000));
        assert_eq!(Time(1, 5).plus(Duration::from_secs(2)), Time(3, 5));
    }
}
