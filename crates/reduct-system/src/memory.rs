//! How much memory there is, and how much of it processes hold.

use rustix::process::Pid;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;

/// What the name of a file begins with that is in memory only and has no place in a folder: see memfd_create(2).
const IN_MEMORY: &[u8] = b"/memfd:";

/// System calls count what a file occupies in blocks of so many bytes.
const BLOCK: u64 = 512;

/// Returns how many bytes of memory programs can still get without others being swapped out. `None` if the system does not
/// tell.
pub fn available() -> Option<u64> {
    let info = fs::read_to_string("/proc/meminfo").ok()?;
    info.lines().find_map(|line| {
        let kilobytes = line.strip_prefix("MemAvailable:")?.trim().strip_suffix("kB")?.trim();
        kilobytes.parse::<u64>().ok()?.checked_mul(1024)
    })
}

/// Returns the bytes of memory that processes hold. What one shares with others counts for each of them; a file that is in memory
/// only counts once, as far as it is more than what they share.
pub fn held(by: &[Pid]) -> u64 {
    let sum = |numbers: &mut dyn Iterator<Item = u64>| numbers.fold(0, u64::saturating_add);
    let pages: Vec<[u64; 2]> = by.iter().filter_map(|pid| pages(*pid)).collect();
    let [resident, shared] = [0, 1].map(|at| sum(&mut pages.iter().map(|pages| pages[at])));
    let files: BTreeMap<(u64, u64), u64> = by.iter().flat_map(|pid| files_in_memory(*pid)).collect();
    let page = rustix::param::page_size() as u64;
    let in_files = sum(&mut files.into_values());
    resident.saturating_mul(page).saturating_add(in_files.saturating_sub(shared.saturating_mul(page)))
}

/// Returns how many pages of a process are in memory, and how many of these it may share: those of files.
fn pages(of: Pid) -> Option<[u64; 2]> {
    let text = fs::read_to_string(format!("/proc/{of}/statm")).ok()?;
    let mut numbers = text.split(' ').skip(1).map_while(|number| number.parse().ok());
    Some([numbers.next()?, numbers.next()?])
}

/// Returns the files in memory that a process has opened: which, and how many bytes of memory each takes.
fn files_in_memory(of: Pid) -> Vec<((u64, u64), u64)> {
    let all = fs::read_dir(format!("/proc/{of}/fd")).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_in_memory = |path: &std::path::PathBuf| {
        fs::read_link(path).is_ok_and(|name| name.as_os_str().as_encoded_bytes().starts_with(IN_MEMORY))
    };
    let about = all.filter(is_in_memory).filter_map(|path| fs::metadata(path).ok());
    about.map(|about| ((about.dev(), about.ino()), about.blocks().saturating_mul(BLOCK))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs::{MemfdFlags, memfd_create};
    use std::io::Write;

    #[test]
    fn a_file_in_memory_counts_once() {
        let mut file = fs::File::from(memfd_create("held", MemfdFlags::CLOEXEC).unwrap());
        let me = rustix::process::getpid();
        // More than what the process shares, which is not known beforehand.
        let shared = pages(me).unwrap()[1] * rustix::param::page_size() as u64;
        let size = shared + (64 << 20);
        let before = held(&[me]);
        let part = vec![1; 1 << 20];
        for _ in 0..size >> 20 {
            file.write_all(&part).unwrap();
        }
        let files = files_in_memory(me);
        assert!(files.iter().any(|(_, bytes)| *bytes >= (size >> 20) << 20), "{files:?}");
        let once = held(&[me]);
        assert!(once > before + (32 << 20), "{before} {once}");
        // Of two that have it, each counts for itself, and the file not twice.
        assert!(held(&[me, me]) < 2 * once);
    }
}
