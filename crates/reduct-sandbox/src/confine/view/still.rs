//! Whether a folder is as it was, without a look into it: by the time at which it was changed last, which nobody can set.
//!
//! The system takes that time from a clock that stands still for some milliseconds, so two changes may have the same one. It
//! tells that nothing has changed only if it was some time ago when it was noted: a later change has a later time then.

use rustix::fs::{CWD, Mode, OFlags, Stat, fstat, openat};
use rustix::time::{ClockId, clock_gettime};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

/// The clock of no system stands still for so long, in nanoseconds.
const TICK: i128 = 50_000_000;
/// Where times are whole seconds, it may be this.
const SECOND: i128 = 2_000_000_000;

/// When something was changed last, in nanoseconds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Changed(i128);

/// A folder of which it is known when it was as it should be.
pub(super) struct Still {
    folder: OwnedFd,
    noted: Option<Changed>,
}

impl Still {
    /// Begins with nothing noted.
    ///
    /// # Errors
    /// If the folder cannot be opened.
    pub fn new(folder: &Path) -> io::Result<Still> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(Still { folder: openat(CWD, folder, flags, Mode::empty())?, noted: None })
    }

    /// Returns the folder.
    pub fn folder(&self) -> BorrowedFd<'_> {
        self.folder.as_fd()
    }

    /// Returns when it was changed last. `None` if that is what was noted: nothing was made in it or removed from it since, nor
    /// its mode, owner or times changed.
    pub fn changed(&self) -> Option<Changed> {
        let changed = fstat(&self.folder).map_or(Changed(i128::MAX), |about| Changed(nanoseconds(&about)));
        (self.noted != Some(changed)).then_some(changed)
    }

    /// Notes that it was as it should be, seen after this was asked for.
    pub fn note(&mut self, changed: Changed) {
        let now = clock_gettime(ClockId::Realtime);
        let now = i128::from(now.tv_sec) * 1_000_000_000 + i128::from(now.tv_nsec);
        self.noted = Some(changed).filter(|changed| changed.is_before(now));
    }
}

impl Changed {
    /// Returns whether whatever is changed from now on has another time.
    fn is_before(self, now: i128) -> bool {
        let tick = if self.0 % 1_000_000_000 == 0 { SECOND } else { TICK };
        self.0.checked_add(tick).is_some_and(|settled| settled < now)
    }
}

fn nanoseconds(about: &Stat) -> i128 {
    i128::from(about.st_ctime) * 1_000_000_000 + i128::from(about.st_ctime_nsec)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_counts_only_if_no_later_change_can_have_it() {
        let at = Changed(7_000_000_001);
        assert!(!at.is_before(7_000_000_001) && !at.is_before(7_000_000_001 + TICK));
        assert!(at.is_before(7_000_000_002 + TICK));
        // A whole second is what a file system says that knows no parts of it.
        let whole = Changed(7_000_000_000);
        assert!(!whole.is_before(8_999_999_999) && whole.is_before(9_000_000_001));
        assert!(!Changed(i128::MAX).is_before(i128::MAX));
    }

    #[test]
    fn what_is_noted_stays_until_something_is_changed() {
        let folder = tempfile::tempdir().unwrap();
        let mut still = Still::new(folder.path()).unwrap();
        let settled = || {
            let changed = still.changed();
            let now = clock_gettime(ClockId::Realtime);
            let now = i128::from(now.tv_sec) * 1_000_000_000 + i128::from(now.tv_nsec);
            changed.filter(|changed| changed.is_before(now))
        };
        let changed = loop {
            if let Some(changed) = settled() {
                break changed;
            }
        };
        still.note(changed);
        assert!(still.changed().is_none());
        std::fs::write(folder.path().join("new"), "").unwrap();
        let made = still.changed().unwrap();
        // That was just now.
        still.note(made);
        assert!(still.changed() == Some(made));
    }
}
