//! The file that events are written to: a new one, or one of earlier events. Nothing else is overwritten, an input least of all.

use super::values::usage;
use reduct_lib::Refusal;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// How each line of events begins, of whatever version.
const BEGIN: &[u8] = b"{\"v\":1,\"type\":";

/// Opens the file, empty.
///
/// # Errors
/// If it cannot be written, or holds something else than events.
pub(super) fn create(path: &Path) -> Result<File, Refusal> {
    check(path)?;
    File::create(path).map_err(Refusal::io("write", path))
}

/// Checks that a file may become one of events.
///
/// # Errors
/// If it holds something else, or what it holds cannot be read.
pub(super) fn check(path: &Path) -> Result<(), Refusal> {
    let holds_something_else = match holds_something_else(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => false,
        seen => seen.map_err(Refusal::io("read", path))?,
    };
    if holds_something_else {
        let what = format!("--events would overwrite {}, which holds something else than events", path.display());
        return Err(usage(what, "give a name that is free, or move the file away"));
    }
    Ok(())
}

/// Returns whether a regular file that is not empty begins otherwise than events do.
fn holds_something_else(path: &Path) -> io::Result<bool> {
    if !path.metadata()?.is_file() {
        return Ok(false);
    }
    let mut begin = vec![];
    File::open(path)?.take(BEGIN.len() as u64).read_to_end(&mut begin)?;
    Ok(!begin.is_empty() && begin != BEGIN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn only_events_are_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for (holds, is_overwritten) in
            [("", true), ("{\"v\":1,\"type\":\"format\",\"version\":2}\n", true), ("{\"v", false), ("a\n", false)]
        {
            fs::write(&path, holds).unwrap();
            assert_eq!(create(&path).is_ok(), is_overwritten, "{holds}");
            assert_eq!(fs::read_to_string(&path).unwrap(), if is_overwritten { "" } else { holds });
        }
        assert!(create(&folder.path().join("new")).is_ok());
        assert!(create(Path::new("/dev/null")).is_ok());
    }
}
