//! Removes what sessions have left that were killed together with their supervisors.

use reduct_system::family::{all, kill_all, parse, start_time};
use reduct_system::remove;
use rustix::fs::{FlockOperation, Mode, OFlags, flock};
use rustix::process::{Pid, geteuid, getpid};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long to wait for the processes of one dead session to be gone.
const PATIENCE: Duration = Duration::from_secs(2);

/// Sweeps the folder `base`. Whatever cannot be swept stays.
pub(super) fn sweep(base: &Path) {
    let Ok(entries) = fs::read_dir(base) else { return };
    for entry in entries.flatten() {
        if is_of_the_dead(&entry.file_name()).unwrap_or(false) && is_ours(&entry.path()) && is_unlocked(&entry.path()) {
            end_strays(&entry.path());
            remove_with_others(&entry.path());
        }
    }
}

/// Returns whether this is the name of the scratch folder of a session of this user that is dead. `None` if it is not
/// the name of a scratch folder.
fn is_of_the_dead(name: &OsStr) -> Option<bool> {
    let mut parts = name.to_str()?.strip_prefix("reduct-")?.split('-');
    let user: u32 = parts.next()?.parse().ok()?;
    let process = parse(parts.next()?)?;
    let started: u64 = parts.next()?.parse().ok()?;
    let well_formed = parts.next().is_none_or(|count| count.parse::<u32>().is_ok()) && parts.next().is_none();
    Some(well_formed && user == geteuid().as_raw() && start_time(process) != Some(started))
}

/// Returns whether it is a folder, not a link to one, and belongs to this user.
fn is_ours(folder: &Path) -> bool {
    fs::symlink_metadata(folder).is_ok_and(|it| it.is_dir() && it.uid() == geteuid().as_raw())
}

/// Returns whether no process holds the folder, not even one that cannot be seen from here.
fn is_unlocked(folder: &Path) -> bool {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    match rustix::fs::open(folder, flags, Mode::empty()) {
        Ok(file) => flock(&file, FlockOperation::NonBlockingLockShared) != Err(rustix::io::Errno::WOULDBLOCK),
        // A test may have taken all permissions from it.
        Err(error) => error == rustix::io::Errno::ACCESS,
    }
}

/// Removes the scratch folder of a session, from which its supervisors may be removing what is theirs: what goes away under
/// the hands of one is an error to the other. What cannot be removed stays.
pub(super) fn remove_with_others(folder: &Path) {
    let deadline = Instant::now() + PATIENCE;
    while remove::tree(folder).is_err() && folder.exists() && Instant::now() < deadline {
        sleep(Duration::from_millis(1));
    }
}

/// Ends the processes that were started by the session with this scratch folder.
fn end_strays(root: &Path) {
    let marker = [b"REDUCT_SCRATCH=", root.as_os_str().as_bytes()].concat();
    let marked = || all().into_iter().filter(|pid| *pid != getpid() && is_marked(*pid, &marker)).collect::<Vec<_>>();
    let deadline = Instant::now() + PATIENCE;
    while !marked().is_empty() && Instant::now() < deadline {
        kill_all(marked);
        sleep(Duration::from_millis(1));
    }
}

fn is_marked(pid: Pid, marker: &[u8]) -> bool {
    // The environment of a dead process is empty.
    fs::read(format!("/proc/{pid}/environ")).is_ok_and(|all| all.split(|byte| *byte == 0).any(|one| one == marker))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_scratch_folders_of_the_dead_are_swept() {
        let me = getpid();
        let (user, started) = (geteuid().as_raw(), start_time(me).unwrap());
        let dead = |name: String| is_of_the_dead(OsStr::new(&name));
        assert_eq!(dead(format!("reduct-{user}-{me}-{started}")), Some(false));
        assert_eq!(dead(format!("reduct-{user}-{me}-{started}-7")), Some(false));
        assert_eq!(dead(format!("reduct-{user}-{me}-{}", started + 1)), Some(true));
        assert_eq!(dead(format!("reduct-{user}-{me}-{}-7", started + 1)), Some(true));
        assert_eq!(dead(format!("reduct-{}-{me}-{}", user + 1, started + 1)), Some(false));
        assert_eq!(dead(format!("reduct-{user}-{me}-{}-7-8", started + 1)), Some(false));
        for other in ["reduct", "reduct-", "reduct-1-2", "reduct-a-2-3", "reduct-1-0-3", "other-1-2-3"] {
            assert_eq!(dead(other.into()), None, "{other}");
        }
    }

    #[test]
    fn a_locked_folder_is_left_alone() {
        let base = tempfile::tempdir().unwrap();
        let left = base.path().join(format!("reduct-{}-{}-1", geteuid().as_raw(), getpid()));
        fs::create_dir_all(left.join("000/work")).unwrap();
        let lock = fs::File::open(&left).unwrap();
        flock(&lock, FlockOperation::LockExclusive).unwrap();
        sweep(base.path());
        assert!(left.exists());
        // A process that another test starts may hold a copy of `lock` until it executes its program: to close this
        // one would not be enough.
        flock(&lock, FlockOperation::Unlock).unwrap();
        sweep(base.path());
        assert!(!left.exists());
    }
}
