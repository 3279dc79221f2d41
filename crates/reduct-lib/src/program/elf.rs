//! Whether a compiled program can be loaded here: it is for this kind of processor, and the program that loads it is there.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The segment that names the program that loads this one.
const INTERPRETER: u32 = 3;

/// Returns whether nothing is seen that keeps it from being loaded.
pub(super) fn can_be_loaded(program: &Path) -> bool {
    let Ok(bytes) = fs::read(program) else { return true };
    let own = fs::read("/proc/self/exe").ok().and_then(|own| machine(&own));
    let is_alien = own.zip(machine(&bytes)).is_some_and(|(own, its)| own != its && its != I386);
    !is_alien && loader(&bytes).is_none_or(|loader| loader.exists())
}

/// Programs for this processor run on its successor too.
const I386: u16 = 3;

/// Returns the number of the processor that it is for.
fn machine(bytes: &[u8]) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(18..20)?.try_into().ok()?))
}

/// Returns the program that is to load it; `None` if it names none.
fn loader(bytes: &[u8]) -> Option<PathBuf> {
    let is_64 = *bytes.get(4)? == 2;
    let half = |at: usize| Some(usize::from(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?)));
    let word = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    let long = |at: usize| -> Option<usize> {
        let number = if is_64 { u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?) } else { word(at)?.into() };
        usize::try_from(number).ok()
    };
    let (table, size, count) =
        if is_64 { (long(32)?, half(54)?, half(56)?) } else { (long(28)?, half(42)?, half(44)?) };
    let segments = (0..count).filter_map(|number| table.checked_add(number.checked_mul(size)?));
    let named = segments.filter(|at| word(*at) == Some(INTERPRETER)).find_map(|at| {
        let (place, length) = if is_64 { (long(at + 8)?, long(at + 32)?) } else { (long(at + 4)?, long(at + 16)?) };
        bytes.get(place..place.checked_add(length)?)
    })?;
    let path = named.split(|byte| *byte == 0).next()?;
    Some(PathBuf::from(OsStr::from_bytes(path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loader_of_this_very_program_is_there_and_one_that_is_not_is_missed() {
        let own = fs::read("/proc/self/exe").unwrap();
        let there = loader(&own).expect("a test is linked dynamically");
        assert!(there.exists(), "{}", there.display());
        assert!(can_be_loaded(Path::new("/proc/self/exe")));
        let name = there.as_os_str().as_bytes();
        let at = own.windows(name.len()).position(|window| window == name).unwrap();
        let mut other = own.clone();
        other[at + 1] = b'!';
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("program");
        fs::write(&path, &other).unwrap();
        assert!(!can_be_loaded(&path));
        // Cut anywhere, it is no reason to panic.
        for length in [0, 5, 20, 60, 100] {
            let _ = loader(&own[..length]);
        }
    }
}
