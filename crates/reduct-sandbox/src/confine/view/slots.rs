//! What a test sees of the scratch folder: the slot in which it runs. The slots of other tests, and what is kept for the
//! views, are hidden, as all of it belongs to one user.

use super::copies::folder;
use super::mounts::{Opened, set_read_only};
use rustix::mount::{UnmountFlags, mount_bind, unmount};
use std::io;
use std::path::{Path, PathBuf};

/// The folder that stands for the scratch folder, in what is made for a view.
const STAND_IN: &str = "scratch";

/// The device and number of a folder.
pub(crate) type Folder = (u64, u64);

/// The scratch folder as tests see it.
pub(super) struct Slots {
    /// The real one.
    scratch: Opened,
    /// The one that is shown: where, and which. As long as it is, no other one gets its number.
    shown: Option<(PathBuf, Folder)>,
}

impl Slots {
    /// Puts an empty folder in the place of the scratch folder, which is made in `made`, and can be mounted from `seen`.
    ///
    /// # Errors
    /// If the system refuses it.
    pub fn hide(scratch: Opened, made: &Path, seen: &Path) -> io::Result<Slots> {
        folder(&made.join(STAND_IN))?;
        mount_bind(seen.join(STAND_IN), &scratch.path)?;
        set_read_only(&scratch.path, true, false)?;
        Ok(Slots { scratch, shown: None })
    }

    /// Shows this slot, and no other one, and returns which folder it is. Nothing is done if it is shown already.
    ///
    /// # Errors
    /// If it is not there, or the system refuses it.
    pub fn show(&mut self, slot: &Path, made: &Path) -> io::Result<Folder> {
        let is_slot = slot.parent() == Some(&self.scratch.path);
        let name = slot.file_name().filter(|_| is_slot).ok_or(io::ErrorKind::InvalidInput)?;
        let about = self.scratch.look_at(name)?;
        let which = (about.st_dev, about.st_ino);
        if self.shown.as_ref().is_some_and(|(at, shown)| (&**at, *shown) == (slot, which)) {
            return Ok(which);
        }
        if let Some((before, _)) = self.shown.take() {
            unmount(&before, UnmountFlags::DETACH)?;
        }
        match folder(&made.join(STAND_IN).join(name)) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
        mount_bind(self.scratch.link().join(name), slot)?;
        set_read_only(slot, false, false)?;
        self.shown = Some((slot.to_owned(), which));
        Ok(which)
    }
}
