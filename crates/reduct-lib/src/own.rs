//! What this process writes itself in the folders of the user: its log, its events, the original of what is reduced in place.

use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

/// When this process began to look at what it is asked for.
static BEGAN: OnceLock<SystemTime> = OnceLock::new();

/// Notes that from now on what is written may be this run's own: its log, its events.
///
/// ```
/// reduct_lib::note_begin();
/// ```
pub fn note_begin() {
    BEGAN.get_or_init(SystemTime::now);
}

/// Returns when this process began, in seconds and nanoseconds: what is written later may be its own.
pub(crate) fn began() -> (i64, i64) {
    let since = BEGAN.get_or_init(SystemTime::now).duration_since(UNIX_EPOCH).unwrap_or_default();
    (since.as_secs() as i64, i64::from(since.subsec_nanos()))
}

/// Returns the files that this program itself has open to write to: what it prints, events.
pub(crate) fn written_by_us() -> HashSet<(u64, u64)> {
    let open = fs::read_dir("/proc/self/fd").into_iter().flatten().flatten();
    let file = |entry: fs::DirEntry| {
        let about = fs::read_to_string(Path::new("/proc/self/fdinfo").join(entry.file_name())).ok()?;
        let flags = about.lines().find_map(|line| line.strip_prefix("flags:"))?;
        let access = u32::from_str_radix(flags.trim(), 8).ok()? & rustix::fs::OFlags::ACCMODE.bits();
        let meta = fs::metadata(entry.path()).ok().filter(|meta| access != 0 && meta.is_file())?;
        Some((meta.dev(), meta.ino()))
    };
    open.filter_map(file).collect()
}

/// Returns where the original of what is reduced in place is kept.
pub(crate) fn original_of(place: &Path) -> PathBuf {
    let mut name = place.file_name().unwrap_or_default().to_os_string();
    name.push(".orig");
    place.with_file_name(name)
}
