//! A project: the folder of the user's that an input belongs to, of which each slot gets a copy.
//!
//! Nothing in a copy is shared with the original: files are copied, links that lead into the folder lead into the
//! copy. What was changed since the folder was read is not laid any more: tests would differ by who came when.

use super::RUNS;
use crate::executor::{Ground, Laid};
use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, utimensat};
use std::collections::BTreeMap;
use std::fs::{self, Metadata, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, Instant};

/// What of version control is copied at most; a larger history stays where it is.
const MOST_HISTORY: Bounds = Bounds { files: 10_000, bytes: 64 << 20, time: Duration::from_millis(500) };

/// How much is copied at most, and how long it may take to find that out.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// How many files, links and folders.
    pub files: usize,
    /// How many bytes they have together.
    pub bytes: u64,
    /// How long they are counted.
    pub time: Duration,
}

impl Bounds {
    /// What nobody asked to be copied.
    pub const UNASKED: Bounds = Bounds { files: 30_000, bytes: 512 << 20, time: Duration::from_secs(1) };
    /// As much as there is.
    pub const NONE: Bounds = Bounds { files: usize::MAX, bytes: u64::MAX, time: Duration::MAX };
}

/// Why there can be no copy of a folder.
#[derive(Debug, thiserror::Error)]
pub enum ProjectError {
    /// It cannot be read.
    #[error("cannot read {path}")]
    Io {
        /// What was read.
        path: PathBuf,
        /// What went wrong.
        source: io::Error,
    },
    /// It is too much.
    #[error("{folder} is too large to be copied for a look: it has more than {what}")]
    TooLarge {
        /// The folder.
        folder: PathBuf,
        /// Of what it has too much.
        what: String,
    },
}

/// What stands at a path of a project.
#[derive(Clone, Debug)]
enum Stands {
    Folder { mode: u32 },
    File { mode: u32, size: u64 },
    Link { target: PathBuf },
}

/// A path of a project, as it was read.
#[derive(Clone, Debug)]
struct Entry {
    what: Stands,
    modified: (i64, i64),
    inode: u64,
}

/// A folder without what varies in it.
#[derive(Debug)]
pub struct Project {
    from: PathBuf,
    /// Folders come before what is in them.
    entries: BTreeMap<PathBuf, Entry>,
    /// What inputs are called in candidates, and where they stand in it.
    places: Vec<(PathBuf, PathBuf)>,
    bytes: u64,
    notes: Vec<String>,
    /// What was written since, as the log of a run, may be another one each time.
    since: (i64, i64),
}

impl Project {
    /// Reads a folder for a run that began at a time `since`, in seconds and nanoseconds. `but` are paths below it that are left out: what varies, and results. `places` says where the
    /// inputs, by what they are called in candidates, stand in it.
    ///
    /// # Errors
    /// If something cannot be read, or it is more than the bounds allow.
    pub fn read(
        folder: &Path,
        but: &[PathBuf],
        places: Vec<(PathBuf, PathBuf)>,
        (since, bounds): ((i64, i64), Bounds),
    ) -> Result<Project, ProjectError> {
        let io = |source| ProjectError::Io { path: folder.to_owned(), source };
        let from = folder.canonicalize().map_err(io)?;
        let mut walk = Walk { from: &from, but, entries: BTreeMap::new(), files: 0, bytes: 0, notes: vec![] };
        walk.below(Path::new(""), bounds)?;
        let history = Path::new(".git");
        match fs::symlink_metadata(from.join(history)) {
            // Tests may ask git; what they do to it there, they do to a copy.
            Ok(meta) if meta.is_dir() => {
                let (files, bytes, entries) = (walk.files, walk.bytes, walk.entries.clone());
                walk.add(history, &meta)?;
                if let Err(ProjectError::TooLarge { what, .. }) = walk.below(history, MOST_HISTORY.after(files, bytes))
                {
                    walk.notes.push(format!(".git is left out: it has more than {what}"));
                    (walk.files, walk.bytes, walk.entries) = (files, bytes, entries);
                }
            }
            // A linked worktree: a copy of the link would lead to the user's own repository.
            Ok(_) => walk.notes.push(".git is left out: it is a link to a repository elsewhere".into()),
            Err(_) => {}
        }
        let Walk { entries, bytes, notes, .. } = walk;
        Ok(Project { from, entries, places, bytes, notes, since })
    }

    /// How many files and links there are.
    pub fn files(&self) -> usize {
        self.entries.values().filter(|entry| !matches!(entry.what, Stands::Folder { .. })).count()
    }

    /// How many bytes they have together.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// What was left out, and why.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    fn is_of_the_run(&self, entry: &Entry) -> bool {
        entry.modified >= self.since && matches!(entry.what, Stands::File { .. })
    }

    fn lay_one(&self, folder: &Path, path: &Path, entry: &Entry) -> io::Result<()> {
        let (from, to) = (self.from.join(path), folder.join(path));
        match &entry.what {
            Stands::Folder { .. } => return fs::create_dir(to),
            Stands::Link { target } => symlink(target, &to)?,
            Stands::File { mode, size } => {
                let is_same =
                    |meta: &Metadata| meta.is_file() && meta.len() == *size && modified(meta) == entry.modified;
                match fs::symlink_metadata(&from) {
                    Ok(meta) if is_same(&meta) || self.is_of_the_run(entry) && meta.is_file() => {}
                    Err(error) if error.kind() == io::ErrorKind::NotFound && self.is_of_the_run(entry) => return Ok(()),
                    Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                    _ => return Err(io::Error::other("it was changed since the run began")),
                }
                fs::copy(&from, &to)?;
                fs::set_permissions(&to, Permissions::from_mode(*mode))?;
            }
        }
        set_time(&to, entry.modified)
    }

    fn close(&self, folder: &Path, path: &Path, entry: &Entry) -> io::Result<()> {
        let Stands::Folder { mode } = entry.what else { return Ok(()) };
        let to = folder.join(path);
        set_time(&to, entry.modified)?;
        // What varies may stand in any of them.
        fs::set_permissions(&to, Permissions::from_mode(mode | 0o700))
    }
}

impl Ground for Project {
    fn lay(&self, folder: &Path) -> io::Result<()> {
        for (path, entry) in &self.entries {
            self.lay_one(folder, path, entry).map_err(|error| named(error, &self.from.join(path)))?;
        }
        // Inner folders first: what is done in one changes its time.
        for (path, entry) in self.entries.iter().rev() {
            self.close(folder, path, entry).map_err(|error| named(error, &self.from.join(path)))?;
        }
        Ok(())
    }

    fn identity(&self) -> Vec<u8> {
        let mut identity = vec![];
        for (path, entry) in self.entries.iter().filter(|(_, entry)| !self.is_of_the_run(entry)) {
            let what = match &entry.what {
                Stands::File { mode, size } => format!("\0{mode} {size} {:?} {}\n", entry.modified, entry.inode),
                Stands::Link { target } => format!("\0{}\n", target.display()),
                Stands::Folder { .. } => continue,
            };
            identity.extend_from_slice(path.as_os_str().as_encoded_bytes());
            identity.extend_from_slice(what.as_bytes());
        }
        identity
    }

    fn place(&self, path: &Path) -> PathBuf {
        let inner = |(name, place): &(PathBuf, PathBuf)| {
            let rest = path.strip_prefix(name).ok()?;
            // Joined with nothing, a path gets a slash at its end.
            Some(if rest.as_os_str().is_empty() { place.clone() } else { place.join(rest) })
        };
        self.places.iter().find_map(inner).unwrap_or_else(|| path.to_owned())
    }

    fn lays_again(&self) -> bool {
        true
    }

    fn lays(&self, path: &Path) -> Option<Laid> {
        let entry = self.entries.get(path)?;
        Some(if matches!(entry.what, Stands::Folder { .. }) { Laid::Folder } else { Laid::Other })
    }

    fn lay_again(&self, folder: &Path, path: &Path) -> io::Result<bool> {
        let Some(entry) = self.entries.get(path) else { return Ok(false) };
        self.lay_one(folder, path, entry).map_err(|error| named(error, &self.from.join(path)))?;
        self.close(folder, path, entry)?;
        Ok(true)
    }
}

impl Bounds {
    /// The same, for who has counted so much already.
    fn after(self, files: usize, bytes: u64) -> Bounds {
        Bounds { files: self.files.saturating_add(files), bytes: self.bytes.saturating_add(bytes), ..self }
    }
}

/// Reads a folder.
struct Walk<'a> {
    from: &'a Path,
    but: &'a [PathBuf],
    entries: BTreeMap<PathBuf, Entry>,
    files: usize,
    bytes: u64,
    notes: Vec<String>,
}

impl Walk<'_> {
    /// Adds all below a folder, `.git` at the top not among it.
    fn below(&mut self, top: &Path, bounds: Bounds) -> Result<(), ProjectError> {
        let begin = Instant::now();
        let mut todo = vec![top.to_owned()];
        while let Some(inner) = todo.pop() {
            let full = self.from.join(&inner);
            let io = |source| ProjectError::Io { path: full.clone(), source };
            for entry in fs::read_dir(&full).map_err(io)? {
                let entry = entry.map_err(io)?;
                let path = inner.join(entry.file_name());
                let is_ours = entry.file_name() == RUNS || path == Path::new(".git");
                if is_ours || self.but.contains(&path) {
                    continue;
                }
                let meta = entry.metadata().map_err(|source| ProjectError::Io { path: entry.path(), source })?;
                // A submodule's, which may lead to the user's own repository.
                if entry.file_name() == ".git" && !meta.is_dir() {
                    continue;
                }
                self.add(&path, &meta)?;
                if meta.is_dir() {
                    todo.push(path);
                }
                self.check(bounds, begin.elapsed())?;
            }
        }
        Ok(())
    }

    fn add(&mut self, path: &Path, meta: &Metadata) -> Result<(), ProjectError> {
        let mode = meta.permissions().mode() & 0o777;
        let what = if meta.is_dir() {
            Stands::Folder { mode }
        } else if meta.is_file() {
            self.bytes += meta.len();
            Stands::File { mode, size: meta.len() }
        } else if meta.is_symlink() {
            let full = self.from.join(path);
            let target = fs::read_link(&full).map_err(|source| ProjectError::Io { path: full, source })?;
            Stands::Link { target: self.target(path, target) }
        } else {
            self.notes.push(format!("{} is neither a file nor a folder nor a link: it is left out", path.display()));
            return Ok(());
        };
        self.files += 1;
        self.entries.insert(path.to_owned(), Entry { what, modified: modified(meta), inode: meta.ino() });
        Ok(())
    }

    /// Where a link leads in a copy: within the folder to the copy, elsewhere to where it led.
    fn target(&self, path: &Path, target: PathBuf) -> PathBuf {
        let above = path.parent().unwrap_or(Path::new(""));
        // However it is spelled: through a link to the folder, or out of it and in again.
        let real = self.from.join(above).join(&target).canonicalize();
        let inner = real.ok().and_then(|real| Some(real.strip_prefix(self.from).ok()?.to_owned()));
        let inner = inner.map(|inner| up(above.components().count()).join(inner));
        if target.is_absolute() {
            let spelled = target.strip_prefix(self.from).ok();
            let spelled = spelled.map(|spelled| up(above.components().count()).join(spelled));
            return spelled.or(inner).unwrap_or(target);
        }
        // By how it is spelled: what it leads through may be links, too.
        let mut depth = above.components().count() as i64;
        for part in target.components() {
            depth += if part == Component::ParentDir { -1 } else { i64::from(matches!(part, Component::Normal(_))) };
            if depth < 0 {
                return inner.unwrap_or_else(|| self.from.join(above).join(target));
            }
        }
        target
    }

    fn check(&self, bounds: Bounds, elapsed: Duration) -> Result<(), ProjectError> {
        let what = match () {
            () if self.files > bounds.files => format!("{} files", bounds.files),
            () if self.bytes > bounds.bytes => format!("{} MB", bounds.bytes >> 20),
            () if elapsed > bounds.time => format!("can be counted in {} ms", bounds.time.as_millis()),
            () => return Ok(()),
        };
        Err(ProjectError::TooLarge { folder: self.from.to_owned(), what })
    }
}

/// So many folders up.
pub fn up(depth: usize) -> PathBuf {
    if depth == 0 { PathBuf::from(".") } else { std::iter::repeat_n("..", depth).collect() }
}

fn modified(meta: &Metadata) -> (i64, i64) {
    (meta.mtime(), meta.mtime_nsec())
}

/// Gives a copy the time of the original: it is older than anything that is built from it.
fn set_time(path: &Path, (tv_sec, tv_nsec): (i64, i64)) -> io::Result<()> {
    let time = Timespec { tv_sec, tv_nsec };
    let times = Timestamps { last_access: time, last_modification: time };
    Ok(utimensat(CWD, path, &times, AtFlags::SYMLINK_NOFOLLOW)?)
}

fn named(error: io::Error, path: &Path) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
