//! The user's own files, which no test has to do with: whether they are what they were.
//!
//! A test gets copies, but it may know the full path of the original and write to it. Nothing keeps it from that, so it
//! is looked at the beginning and at the end. The time of a change of a file cannot be set by the process that writes to it, so a file
//! in which that is the same is the same; of the others the contents decide, if they were read before.

pub(crate) mod around;

use crate::errors::Refusal;
use crate::job::Job;
use crate::own::written_by_us;
use around::Around;
use reduct_input::{Digester, digest_of};
use reduct_report::originals::{Became, describe};
use reduct_report::preflight::advice::{Advice, advise};
use reduct_sources::RUNS;
use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// What is looked at in all: so many files and folders; and so many bytes are read.
const MOST_FILES: usize = 200_000;
const MOST_BYTES: u64 = 1 << 28;
/// So many are named.
const MOST_NAMED: usize = 3;

/// The user's files at a moment.
#[derive(Default)]
pub(crate) struct Originals {
    /// Where the user is: paths in it are shown from there.
    folder: PathBuf,
    roots: Vec<PathBuf>,
    /// What is no original, though it stands among them.
    except: Vec<PathBuf>,
    seen: BTreeMap<PathBuf, Sight>,
    around: Around,
}

/// A file, link or folder that is not what it was.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Changed {
    /// Where it is, in full.
    pub path: PathBuf,
    /// What became of it.
    pub became: Became,
    /// The same in words.
    pub says: String,
}

/// What is known of a file, link or folder.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Sight {
    mode: u32,
    /// Of a folder, neither its size nor its times matter: what stands in it is looked at itself.
    size: u64,
    inode: u64,
    changed: (i64, i64),
    contents: Option<[u8; 32]>,
}

impl Originals {
    /// Returns the originals of a job as they are now.
    pub(crate) fn of(job: &Job) -> Originals {
        let around = Around::of(job);
        // In its own place, the result replaces the original, which is kept beside it.
        if job.in_place {
            return Originals { around, ..Originals::default() };
        }
        // Versions are read out of the repository, which has digests of its own.
        if job.goal.reads_a_repository() {
            return Originals::default();
        }
        let more = job.goal.other_sources().into_iter().map(|path| job.folder.join(path));
        // What the command names in full, the test may write to; programs are what the user works on.
        let named = job.originals_named();
        let roots = job.input_paths().into_iter().chain(more).chain(named).collect();
        let mut originals = Originals {
            folder: job.folder.clone(),
            roots,
            except: vec![job.out.clone()],
            seen: BTreeMap::new(),
            around,
        };
        originals.seen = originals.look(|_| true);
        originals
    }

    /// Looks at all of them; what is read of which says `reads`.
    fn look(&self, reads: impl Fn(&Path) -> bool) -> BTreeMap<PathBuf, Sight> {
        let (mut seen, mut bytes) = (BTreeMap::new(), 0);
        let ours = written_by_us();
        let mut todo: Vec<PathBuf> = self.roots.iter().rev().cloned().collect();
        while let Some(path) = todo.pop() {
            // An input that is a link is what it points to.
            let is_root = self.roots.contains(&path);
            let meta = if is_root { fs::metadata(&path) } else { fs::symlink_metadata(&path) };
            let Ok(meta) = meta else { continue };
            if seen.len() >= MOST_FILES || self.except.contains(&path) || ours.contains(&(meta.dev(), meta.ino())) {
                continue;
            }
            if meta.is_dir() {
                let entries = fs::read_dir(&path).into_iter().flatten().flatten();
                todo.extend(entries.filter(|entry| entry.file_name() != RUNS).map(|entry| entry.path()));
            }
            let mut sight = Sight::of(&meta);
            if (meta.is_file() || meta.is_symlink()) && bytes + meta.len() <= MOST_BYTES && reads(&path) {
                bytes += meta.len();
                sight.contents = contents(&path, &meta);
            }
            seen.insert(path, sight);
        }
        seen
    }

    /// Returns those that are not what they were, each with what became of it.
    pub(crate) fn changed(&self) -> Vec<Changed> {
        // What was not touched need not be read again.
        let is_touched = |path: &Path| {
            let now = fs::symlink_metadata(path).map(|meta| Sight::of(&meta));
            now.is_ok_and(|now| {
                self.seen.get(path).is_none_or(|then| now.changed != then.changed || now.inode != then.inode)
            })
        };
        let now = self.look(is_touched);
        let is_gone = |path: &&PathBuf| fs::symlink_metadata(path).is_err();
        let gone = self.seen.keys().filter(is_gone).map(|path| (path, Became::Gone));
        let here = now.iter().filter_map(|(path, now)| {
            // Where not all were looked at, it need not be new.
            let is_new = self.seen.len() < MOST_FILES;
            let new = || is_new.then_some(Became::New);
            let what = self.seen.get(path).map_or_else(new, |then| then.difference(now));
            Some((path, what?))
        });
        let mut all: Vec<_> = gone.chain(here).collect();
        all.sort();
        let shown = |path: &PathBuf| path.strip_prefix(&self.folder).unwrap_or(path).to_owned();
        let changed = |(path, became): (&PathBuf, Became)| Changed {
            says: describe(&shown(path), became),
            became,
            path: path.clone(),
        };
        all.into_iter().map(changed).collect()
    }

    /// Returns what is to be said of other files of the user's folder that are new, or are not what they were: nobody
    /// knows whether the tests did it.
    pub(crate) fn remarks(&self, job: &Job) -> Vec<String> {
        self.around.remarks(job, &self.roots)
    }

    /// Returns the same refusal, which says so if the originals were changed by then.
    pub(crate) fn told(&self, mut refusal: Refusal) -> Refusal {
        let changed = named(&self.changed());
        let advice = match &mut refusal {
            Refusal::DoesNotFail { advice, .. }
            | Refusal::EmptyFails { advice, .. }
            | Refusal::NeverOpened { advice, .. } => advice,
            _ => return refusal,
        };
        if let Some(changed) = changed {
            *advice = advise([Advice::OriginalChanged(changed), Advice::Lines(advice)]);
        }
        refusal
    }
}

/// Returns the first of those that were changed, in a line; nothing if none was.
///
/// ```
/// assert_eq!(reduct_lib::named(&[]), None);
/// ```
pub fn named(changed: &[Changed]) -> Option<String> {
    let more = changed.len().saturating_sub(MOST_NAMED);
    let more = if more > 0 { format!(", and {more} more") } else { String::new() };
    let first: Vec<&str> = changed.iter().take(MOST_NAMED).map(|it| &*it.says).collect();
    (!changed.is_empty()).then(|| format!("{}{more}", first.join(", ")))
}

fn contents(path: &Path, meta: &Metadata) -> Option<[u8; 32]> {
    if meta.is_symlink() {
        return Some(digest_of(fs::read_link(path).ok()?.as_os_str().as_bytes()));
    }
    let (mut digester, mut file) = (Digester::default(), fs::File::open(path).ok()?);
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Some(digester.finish()),
            Ok(read) => {
                digester.update(&buffer[..read]);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
}

impl Sight {
    fn of(meta: &Metadata) -> Sight {
        let mode = meta.mode();
        if meta.is_dir() {
            return Sight { mode, size: 0, inode: 0, changed: (0, 0), contents: None };
        }
        let changed = (meta.ctime(), meta.ctime_nsec());
        Sight { mode, size: meta.size(), inode: meta.ino(), changed, contents: None }
    }

    /// Returns what became of it, if it is not what it was.
    fn difference(&self, now: &Sight) -> Option<Became> {
        if (self.inode, self.changed, self.mode) == (now.inode, now.changed, now.mode) {
            return None;
        }
        if self.size != now.size {
            return Some(Became::Size { had: self.size, has: now.size });
        }
        if self.mode != now.mode {
            return Some(Became::Mode { had: self.mode, has: now.mode });
        }
        match (self.contents, now.contents) {
            (Some(then), Some(now)) if then == now => None,
            (Some(_), Some(_)) => Some(Became::Contents),
            _ => Some(Became::Touched),
        }
    }
}
