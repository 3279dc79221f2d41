//! Which of the files in its folder a command opens: the command is started by a copy of this program that watches.

use reduct_system::signals::end_as;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::inotify::{CreateFlags, ReadFlags, Reader, WatchFlags, add_watch, init};
use rustix::io::Errno;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::process::{Command, exit};

/// The hidden argument.
const ARGUMENT: &str = "__opened";

/// What a list ends with if nothing is missing: a path that is none, behind the others. A list that was cut short does
/// not, wherever that was.
const COMPLETE: u8 = 0;

/// What a path in a list begins with if it was written: no relative path does.
const WRITTEN: u8 = b'/';

/// What is heard of: whatever is done with what stands in a folder, but for asking what it is.
const TOUCHED: WatchFlags = WatchFlags::OPEN
    .union(WatchFlags::CREATE)
    .union(WatchFlags::DELETE)
    .union(WatchFlags::MOVE)
    .union(WatchFlags::ATTRIB)
    .union(WatchFlags::CLOSE_WRITE)
    .union(WatchFlags::MODIFY);

/// What of it makes a file another one, or may do so unheard, as through a mapping.
const WRITES: ReadFlags = ReadFlags::MODIFY
    .union(ReadFlags::CLOSE_WRITE)
    .union(ReadFlags::ATTRIB)
    .union(ReadFlags::CREATE)
    .union(ReadFlags::DELETE)
    .union(ReadFlags::MOVED_FROM)
    .union(ReadFlags::MOVED_TO);

/// Returns the words before a command that make this executable watch it and write what it opens to `list`, provided
/// that its `main` begins with [`run_if_asked`].
pub fn before(list: &Path) -> Vec<OsString> {
    crate::again::by_this_executable(ARGUMENT, list)
}

/// What was heard of below the folder of a command, by paths relative to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpenedFiles {
    /// What was opened, created or removed; folders that were listed among it.
    pub all: BTreeSet<PathBuf>,
    /// What of it was created, written, opened to be written, moved or removed, or got another mode or time.
    pub written: BTreeSet<PathBuf>,
}

/// Returns what a list says. `None` if not all of it was heard of.
pub fn read(list: &Path) -> Option<OpenedFiles> {
    of_list(&fs::read(list).ok()?)
}

/// Returns what the bytes of a list say. `None` if not all of it was heard of.
pub(crate) fn of_list(text: &[u8]) -> Option<OpenedFiles> {
    let paths = text.strip_suffix(&[COMPLETE]).filter(|paths| matches!(paths, [] | [.., 0]))?;
    let mut touched = OpenedFiles::default();
    for path in paths.split(|byte| *byte == 0).filter(|path| !path.is_empty()) {
        let plain = path.strip_prefix(&[WRITTEN]);
        let to = if plain.is_some() { &mut touched.written } else { &mut touched.all };
        to.insert(PathBuf::from(OsString::from_vec(plain.unwrap_or(path).to_vec())));
    }
    Some(touched)
}

/// Runs a command and watches it if the hidden argument says so, and then ends as the command does. To be called before
/// any thread is started.
pub fn run_if_asked() {
    let mut words = std::env::args_os().skip(1);
    if words.next().is_none_or(|word| word != ARGUMENT) {
        return;
    }
    let (Some(list), Some(program)) = (words.next(), words.next()) else { exit(125) };
    let mut watch = Watch::begin();
    let words: Vec<OsString> = words.collect();
    let mut spawned = Command::new(&program).args(&words).spawn();
    if spawned.as_ref().is_err_and(|error| error.raw_os_error() == Some(libc::ENOEXEC)) {
        // A script that does not name its shell.
        spawned = Command::new("/bin/sh").arg(&program).args(&words).spawn();
    }
    let mut child = match spawned {
        Ok(child) => child,
        Err(error) => {
            eprintln!("cannot start {}: {error}", program.display());
            exit(127);
        }
    };
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) => watch.wait(),
            Err(_) => exit(125),
        }
        watch.hear();
    };
    watch.hear();
    let _ = watch.write(Path::new(&list));
    end_as(status);
}

struct Watch {
    /// `None` if there is no way to hear of all.
    inotify: Option<OwnedFd>,
    folders: BTreeMap<i32, PathBuf>,
    seen: OpenedFiles,
}

impl Watch {
    /// Watches all folders below this one.
    fn begin() -> Watch {
        let mut watch = Watch { inotify: None, folders: BTreeMap::new(), seen: OpenedFiles::default() };
        // Looking for folders opens them: that is done before they are watched.
        let all = folders();
        let begun = init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK).and_then(|inotify| {
            for folder in all? {
                let path = Path::new(".").join(&folder);
                watch.folders.insert(add_watch(&inotify, path, TOUCHED | WatchFlags::DONT_FOLLOW)?, folder);
            }
            Ok(inotify)
        });
        watch.inotify = begun.ok();
        watch
    }

    /// Waits until there is something to hear, but not for long: the command may be over.
    fn wait(&self) {
        let Some(inotify) = &self.inotify else { return std::thread::sleep(LOOK) };
        let mut fds = [PollFd::new(inotify, PollFlags::IN)];
        let _ = poll(&mut fds, Some(&Timespec { tv_sec: 0, tv_nsec: i64::from(LOOK.subsec_nanos()) }));
    }

    fn hear(&mut self) {
        let Some(inotify) = self.inotify.take() else { return };
        let mut room = [MaybeUninit::uninit(); 1 << 14];
        let mut reader = Reader::new(&inotify, &mut room);
        let heard_all = loop {
            match reader.next() {
                Ok(event) if event.events().contains(ReadFlags::QUEUE_OVERFLOW) => break false,
                Ok(event) => {
                    let Some(folder) = self.folders.get(&event.wd()) else { continue };
                    let name = event.file_name().map(|name| OsStr::from_bytes(name.to_bytes()));
                    // What is said of a folder itself is said of it in the one above, too.
                    let path = name.map_or_else(|| folder.clone(), |name| folder.join(name));
                    if event.events().intersects(WRITES) {
                        self.seen.written.insert(path.clone());
                    }
                    self.seen.all.insert(path);
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => break true,
                Err(_) => break false,
            }
        };
        self.inotify = heard_all.then_some(inotify);
    }

    fn write(&self, list: &Path) -> io::Result<()> {
        fs::write(list, listed(&self.seen, self.inotify.is_some()))
    }
}

/// Returns these paths but this folder itself, as they are written to a list.
fn listed(seen: &OpenedFiles, complete: bool) -> Vec<u8> {
    let mut text = vec![];
    for (paths, before) in [(&seen.all, &[][..]), (&seen.written, &[WRITTEN][..])] {
        for path in paths.iter().filter(|path| !path.as_os_str().is_empty()) {
            text.extend_from_slice(before);
            text.extend_from_slice(path.as_os_str().as_bytes());
            text.push(0);
        }
    }
    text.extend(complete.then_some(COMPLETE));
    text
}

/// How often a command is looked at that opens nothing.
const LOOK: std::time::Duration = std::time::Duration::from_millis(5);

/// Returns this folder and all below it, by paths relative to it.
fn folders() -> Result<Vec<PathBuf>, Errno> {
    let mut found = vec![PathBuf::new()];
    let mut at = 0;
    while let Some(folder) = found.get(at).cloned() {
        let entries = fs::read_dir(Path::new(".").join(&folder)).map_err(|_| Errno::IO)?;
        for entry in entries {
            let entry = entry.map_err(|_| Errno::IO)?;
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                found.push(folder.join(entry.file_name()));
            }
        }
        at += 1;
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_that_was_cut_short_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join("list");
        for (all, written) in [(&[][..], &[][..]), (&["+", "a", "+b"][..], &["a"][..])] {
            let paths = |names: &[&str]| names.iter().map(PathBuf::from).collect();
            let mut seen = OpenedFiles { all: paths(all), written: paths(written) };
            seen.all.insert(PathBuf::new());
            let whole = listed(&seen, true);
            for length in 0..whole.len() {
                fs::write(&list, &whole[..length]).unwrap();
                assert_eq!(read(&list), None, "{length} of {} bytes", whole.len());
            }
            fs::write(&list, &whole).unwrap();
            assert_eq!(read(&list), Some(OpenedFiles { all: paths(all), written: paths(written) }));
            fs::write(&list, listed(&seen, false)).unwrap();
            assert_eq!(read(&list), None, "not all was heard of");
        }
    }
}
