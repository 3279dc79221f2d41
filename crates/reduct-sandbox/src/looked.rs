//! At which paths a command looks: to open what stands there, or to ask whether it is there, how old it is, or where it leads.
//! The command is started by a copy of this program that traces it.

use crate::traced::{self, Onlooker, SystemCall, path_of};
use nix::unistd::Pid;
use reduct_system::signals::end_as;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Component, Path, PathBuf};
use std::process::exit;

/// The hidden argument.
const ARGUMENT: &str = "__looked";

/// What a list ends with if nothing is missing: a path that is none.
const COMPLETE: u8 = 0;

/// More paths are not noted; then not all are known.
const MOST: usize = 1 << 20;

/// Returns the words before a command that make this executable trace it and write where it looks to `list`, provided that
/// its `main` begins with [`run_if_asked`].
pub fn before(list: &Path) -> Vec<OsString> {
    crate::again::by_this_executable(ARGUMENT, list)
}

/// Where a command has looked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LookedAt {
    /// The folder in which it was started.
    pub folder: PathBuf,
    /// All paths in full, as they were named and, where that is another one, where they led.
    pub paths: BTreeSet<PathBuf>,
}

/// Returns what a list says. `None` if the command may have looked elsewhere, too.
pub fn read(list: &Path) -> Option<LookedAt> {
    let text = fs::read(list).ok()?;
    let text = text.strip_suffix(&[0, COMPLETE])?;
    let mut paths = text.split(|byte| *byte == 0).map(|path| PathBuf::from(OsString::from_vec(path.to_vec())));
    Some(LookedAt { folder: paths.next()?, paths: paths.collect() })
}

/// Runs a command and traces it if the hidden argument says so, and then ends as the command does. To be called before any
/// thread is started.
pub fn run_if_asked() {
    let mut words = std::env::args_os().skip(1);
    if words.next().is_none_or(|word| word != ARGUMENT) {
        return;
    }
    let (Some(list), Some(program)) = (words.next(), words.next()) else { exit(125) };
    let words: Vec<OsString> = words.collect();
    let mut tracer = Tracer { paths: BTreeSet::new(), is_complete: true };
    let folder = std::env::current_dir();
    let status = traced::follow(&program, &words, &mut tracer);
    if let (true, Ok(folder)) = (tracer.is_complete, folder) {
        let _ = fs::write(list, listed(&folder, &tracer.paths));
    }
    end_as(status);
}

/// Returns a list of all paths there are.
fn listed(folder: &Path, paths: &BTreeSet<PathBuf>) -> Vec<u8> {
    let mut text = vec![];
    for path in [folder].into_iter().chain(paths.iter().map(PathBuf::as_path)) {
        text.extend_from_slice(path.as_os_str().as_bytes());
        text.push(0);
    }
    text.push(COMPLETE);
    text
}

/// Notes where a command looks.
struct Tracer {
    paths: BTreeSet<PathBuf>,
    is_complete: bool,
}

impl Onlooker for Tracer {
    fn begins(&mut self, pid: Pid, call: &SystemCall) {
        if UNSEEN.contains(&call.number) {
            self.is_complete = false;
        }
        for (_, folder, path) in CALLS.iter().filter(|(number, ..)| *number == call.number) {
            let folder = folder.map_or(libc::AT_FDCWD, |at| call.arguments[at] as i32);
            match path_of(pid, folder, call.arguments[*path]) {
                Some(path) => self.note(&path),
                // A path that cannot be read is one that the kernel refuses, or that nobody knows.
                None => self.is_complete &= call.arguments[*path] == 0,
            }
        }
    }

    fn ends(&mut self, _: Pid, _: i32) {}

    fn misses(&mut self) {
        self.is_complete = false;
    }
}

impl Tracer {
    /// Notes a path, and where it leads now.
    fn note(&mut self, path: &Path) {
        let path = plain(path);
        if self.paths.contains(&path) {
            return;
        }
        let leads_to =
            path.canonicalize().ok().or_else(|| Some(path.parent()?.canonicalize().ok()?.join(path.file_name()?)));
        self.paths.extend(leads_to);
        self.paths.insert(path);
        self.is_complete &= self.paths.len() < MOST;
    }
}

/// Returns a path without `.`. A `..` behind a link leads elsewhere than its words say, and stays where it stands.
fn plain(path: &Path) -> PathBuf {
    path.components().filter(|part| !matches!(part, Component::CurDir)).collect()
}

/// By their numbers, calls that look at what stands at a path: which argument is the folder that it is relative to, if it is
/// not always the working folder, and which one is the path. Those that make or change something tell whether it is there.
const CALLS: &[(i64, Option<usize>, usize)] = &[
    (libc::SYS_openat, Some(0), 1),
    (libc::SYS_openat2, Some(0), 1),
    (libc::SYS_newfstatat, Some(0), 1),
    (libc::SYS_statx, Some(0), 1),
    (libc::SYS_faccessat, Some(0), 1),
    (libc::SYS_faccessat2, Some(0), 1),
    (libc::SYS_readlinkat, Some(0), 1),
    (libc::SYS_execve, None, 0),
    (libc::SYS_execveat, Some(0), 1),
    (libc::SYS_chdir, None, 0),
    (libc::SYS_statfs, None, 0),
    (libc::SYS_getxattr, None, 0),
    (libc::SYS_lgetxattr, None, 0),
    (libc::SYS_listxattr, None, 0),
    (libc::SYS_llistxattr, None, 0),
    (libc::SYS_truncate, None, 0),
    (libc::SYS_mkdirat, Some(0), 1),
    (libc::SYS_mknodat, Some(0), 1),
    (libc::SYS_unlinkat, Some(0), 1),
    (libc::SYS_symlinkat, Some(1), 2),
    (libc::SYS_renameat, Some(0), 1),
    (libc::SYS_renameat, Some(2), 3),
    (libc::SYS_renameat2, Some(0), 1),
    (libc::SYS_renameat2, Some(2), 3),
    (libc::SYS_linkat, Some(0), 1),
    (libc::SYS_linkat, Some(2), 3),
    (libc::SYS_fchmodat, Some(0), 1),
    (libc::SYS_fchownat, Some(0), 1),
    (libc::SYS_utimensat, Some(0), 1),
    (libc::SYS_inotify_add_watch, None, 1),
    (libc::SYS_name_to_handle_at, Some(0), 1),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_open, None, 0),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_creat, None, 0),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_stat, None, 0),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_lstat, None, 0),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_access, None, 0),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_readlink, None, 0),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_mkdir, None, 0),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_mknod, None, 0),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_rmdir, None, 0),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_unlink, None, 0),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_symlink, None, 1),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_rename, None, 0),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_rename, None, 1),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_link, None, 0),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_link, None, 1),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_chmod, None, 0),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_chown, None, 0),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_lchown, None, 0),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_utime, None, 0),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_utimes, None, 0),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_futimesat, Some(0), 1),
];

/// Calls by which a process looks at what is not seen here: requests in memory, other roots, handles in place of paths, and
/// another process, which may look for it.
const UNSEEN: &[i64] = &[
    libc::SYS_io_uring_setup,
    libc::SYS_chroot,
    libc::SYS_pivot_root,
    libc::SYS_open_by_handle_at,
    libc::SYS_mount,
    libc::SYS_move_mount,
    libc::SYS_connect,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_that_was_cut_short_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join("list");
        let paths = BTreeSet::from(["/a", "/b c"].map(PathBuf::from));
        let whole = listed(Path::new("/f"), &paths);
        for length in 0..whole.len() {
            fs::write(&list, &whole[..length]).unwrap();
            assert_eq!(read(&list), None, "{length} of {} bytes", whole.len());
        }
        fs::write(&list, &whole).unwrap();
        assert_eq!(read(&list), Some(LookedAt { folder: "/f".into(), paths }));
    }

    #[test]
    fn a_path_is_noted_as_it_is_named_and_where_it_leads() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().canonicalize().unwrap();
        fs::create_dir(place.join("deep")).unwrap();
        fs::write(place.join("deep/file"), "x").unwrap();
        std::os::unix::fs::symlink("deep/file", place.join("link")).unwrap();
        let mut tracer = Tracer { paths: BTreeSet::new(), is_complete: true };
        for name in ["./link", "deep/missing", "deep/../link"] {
            tracer.note(&place.join(name));
        }
        let expected = ["link", "deep/file", "deep/missing", "deep/../link"].map(|name| place.join(name));
        assert_eq!(tracer.paths, expected.into());
        assert!(tracer.is_complete);
    }
}
