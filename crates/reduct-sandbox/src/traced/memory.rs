//! What arguments of system calls lead to.

use nix::unistd::Pid;
use std::ffi::OsString;
use std::fs::{self, File};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

/// Returns what stands in the memory of a process.
pub(crate) fn bytes_at(pid: Pid, address: u64, length: usize) -> Option<Vec<u8>> {
    let mut bytes = vec![0; length];
    let read = File::open(format!("/proc/{pid}/mem")).ok()?.read_at(&mut bytes, address).ok()?;
    bytes.truncate(read);
    Some(bytes)
}

/// Returns the path that stands there, from the root on.
pub(crate) fn path_of(pid: Pid, folder: i32, address: u64) -> Option<PathBuf> {
    let mut bytes = bytes_at(pid, address, libc::PATH_MAX as usize)?;
    bytes.truncate(bytes.iter().position(|byte| *byte == 0)?);
    let path = PathBuf::from(OsString::from_vec(bytes));
    if path.is_absolute() {
        return Some(path);
    }
    let link = if folder == libc::AT_FDCWD { format!("/proc/{pid}/cwd") } else { format!("/proc/{pid}/fd/{folder}") };
    Some(fs::read_link(link).ok()?.join(path))
}
