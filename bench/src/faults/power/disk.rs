//! What is on a disk after the power was cut: all that was flushed, and of the rest what chance leaves.

use super::trace::Op;
use reduct_core::laws::Chance;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

/// What is lost of what was not flushed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    /// All of it.
    All,
    /// What was written into files; their names are there, as file systems write names down before contents.
    Contents,
    /// All names from some moment on, and of contents a part.
    FromSomeMoment,
    /// Any of it: names and contents, in any order.
    Any,
    /// Nothing: the program was killed.
    Nothing,
}

/// What stands at a path.
#[derive(Clone, Debug)]
enum Node {
    Folder,
    Link(PathBuf),
    /// A file, by its number.
    File(usize),
}

/// The folder of a run, as it was before the run.
pub(super) struct Disk {
    names: BTreeMap<PathBuf, Node>,
    files: Vec<File>,
}

#[derive(Clone, Debug, Default)]
struct File {
    bytes: Vec<u8>,
    mode: u32,
}

impl Cut {
    /// Returns the one whose turn it is.
    pub(super) fn of_number(number: u64) -> Cut {
        let all = [Cut::All, Cut::Contents, Cut::Any, Cut::FromSomeMoment, Cut::Contents, Cut::Any, Cut::Nothing];
        all[(number % all.len() as u64) as usize]
    }
}

impl Disk {
    /// Reads a folder.
    pub(super) fn read(home: &Path) -> io::Result<Disk> {
        let mut disk = Disk { names: BTreeMap::new(), files: vec![] };
        let mut todo = vec![home.to_owned()];
        while let Some(folder) = todo.pop() {
            for entry in fs::read_dir(&folder)? {
                let path = entry?.path();
                let name = path.strip_prefix(home).unwrap_or(&path).to_owned();
                if path.is_dir() {
                    disk.names.insert(name, Node::Folder);
                    todo.push(path);
                } else {
                    let mode = fs::metadata(&path)?.permissions().mode();
                    disk.files.push(File { bytes: fs::read(&path)?, mode });
                    disk.names.insert(name, Node::File(disk.files.len() - 1));
                }
            }
        }
        Ok(disk)
    }

    /// Returns what is there after all this was done and the power was cut.
    pub(super) fn after(&self, ops: &[Op], cut: &Cut, chance: &mut Chance) -> Disk {
        let flushed = Flushed::of(ops);
        let moment = chance.below(ops.len() + 1);
        let keeps_name = |at: usize, chance: &mut Chance| match cut {
            Cut::All => false,
            Cut::Contents | Cut::Nothing => true,
            Cut::FromSomeMoment => at < moment,
            Cut::Any => chance.below(2) == 0,
        };
        let keeps_contents = |at: usize, chance: &mut Chance| match cut {
            Cut::All | Cut::Contents => false,
            Cut::Nothing => true,
            Cut::FromSomeMoment => at < moment && chance.below(2) == 0,
            Cut::Any => chance.below(2) == 0,
        };
        // Where things stand as the program sees it, and where they stand on the disk.
        let (mut seen, mut left) = (self.names.clone(), self.names.clone());
        let mut files = self.files.clone();
        for (at, op) in ops.iter().enumerate() {
            if let Op::Write { path, .. } | Op::Truncate(path, _) = op {
                let Some(Node::File(file)) = seen.get(path) else { continue };
                if flushed.contents.contains(&at) || keeps_contents(at, chance) {
                    files[*file].apply(op);
                } else if chance.below(2) == 0 {
                    // The length is there, and nothing else.
                    files[*file].lengthen(op);
                }
                continue;
            }
            let new = match op {
                Op::Create(path) if !seen.contains_key(path) => {
                    files.push(File { bytes: vec![], mode: 0o644 });
                    Some(Node::File(files.len() - 1))
                }
                Op::Create(_) => continue,
                Op::MakeFolder(_) => Some(Node::Folder),
                Op::Link(_, to) => Some(Node::Link(to.clone())),
                _ => None,
            };
            rename(&mut seen, op, new.clone());
            if flushed.names.contains(&at) || keeps_name(at, chance) {
                rename(&mut left, op, new);
            }
        }
        Disk { names: left, files }
    }

    /// Has a folder hold this, and nothing else.
    pub(super) fn write(&self, home: &Path) -> io::Result<()> {
        fs::remove_dir_all(home)?;
        fs::create_dir_all(home)?;
        for (name, node) in &self.names {
            let path = home.join(name);
            match node {
                Node::Folder => fs::create_dir(&path)?,
                Node::Link(to) => symlink(to, &path)?,
                Node::File(file) => {
                    let File { bytes, mode } = &self.files[*file];
                    fs::write(&path, bytes)?;
                    fs::set_permissions(&path, fs::Permissions::from_mode(*mode))?;
                }
            }
        }
        Ok(())
    }
}

impl File {
    fn apply(&mut self, op: &Op) {
        match op {
            Op::Write { at, bytes, .. } => {
                self.lengthen(op);
                self.bytes[*at..at + bytes.len()].copy_from_slice(bytes);
            }
            Op::Truncate(_, length) => self.bytes.resize(*length, 0),
            _ => {}
        }
    }

    fn lengthen(&mut self, op: &Op) {
        if let Op::Write { at, bytes, .. } = op {
            self.bytes.resize(self.bytes.len().max(at + bytes.len()), 0);
        }
    }
}

/// Does to names what an operation does. What it needs may not be there; then it does nothing.
fn rename(names: &mut BTreeMap<PathBuf, Node>, op: &Op, new: Option<Node>) {
    let has_parent = |names: &BTreeMap<PathBuf, Node>, path: &Path| {
        path.parent()
            .is_none_or(|parent| parent.as_os_str().is_empty() || matches!(names.get(parent), Some(Node::Folder)))
    };
    match op {
        Op::Create(path) | Op::MakeFolder(path) | Op::Link(path, _) => {
            if let Some(new) = new.filter(|_| has_parent(names, path) && !names.contains_key(path)) {
                names.insert(path.clone(), new);
            }
        }
        Op::Remove(path) => drop(take(names, path)),
        Op::Rename(from, to) if names.contains_key(from) && has_parent(names, to) => {
            let moved = take(names, from);
            take(names, to);
            put(names, to, moved);
        }
        Op::Exchange(one, other) if names.contains_key(one) && names.contains_key(other) => {
            let (first, second) = (take(names, one), take(names, other));
            put(names, other, first);
            put(names, one, second);
        }
        _ => {}
    }
}

/// Takes what stands at a path, with all below it.
fn take(names: &mut BTreeMap<PathBuf, Node>, path: &Path) -> Vec<(PathBuf, Node)> {
    let below: Vec<PathBuf> = names.keys().filter(|name| name.starts_with(path)).cloned().collect();
    let relative = |name: &PathBuf| name.strip_prefix(path).map(Path::to_owned).unwrap_or_default();
    below.iter().filter_map(|name| Some((relative(name), names.remove(name)?))).collect()
}

fn put(names: &mut BTreeMap<PathBuf, Node>, path: &Path, nodes: Vec<(PathBuf, Node)>) {
    names.extend(nodes.into_iter().map(|(below, node)| (joined(path, &below), node)));
}

fn joined(path: &Path, below: &Path) -> PathBuf {
    if below.as_os_str().is_empty() { path.to_owned() } else { path.join(below) }
}

/// The operations that are on the disk for certain, by their numbers.
#[derive(Default)]
struct Flushed {
    names: BTreeSet<usize>,
    contents: BTreeSet<usize>,
}

impl Flushed {
    /// Returns what a flush covers: of a file, its contents and of how it, and the folders that it stands in, came to be there; that of a
    /// folder one of all names in it.
    fn of(ops: &[Op]) -> Flushed {
        let mut flushed = Flushed::default();
        for (at, op) in ops.iter().enumerate() {
            match op {
                Op::FlushAll => {
                    flushed.names.extend(0..at);
                    flushed.contents.extend(0..at);
                }
                Op::Flush(path) => flushed.flush(&ops[..at], path),
                _ => {}
            }
        }
        flushed
    }

    fn flush(&mut self, ops: &[Op], path: &Path) {
        // What stands there now may have stood elsewhere before: followed backwards.
        let mut path = path.to_owned();
        for (at, op) in ops.iter().enumerate().rev() {
            match op {
                Op::Write { path: of, .. } | Op::Truncate(of, _) if *of == path => _ = self.contents.insert(at),
                Op::Create(of) | Op::MakeFolder(of) | Op::Link(of, _) | Op::Remove(of) if is_around(of, &path) => {
                    self.names.insert(at);
                }
                Op::Rename(from, to) if is_around(to, &path) || is_around(from, &path) => {
                    self.names.insert(at);
                    if let Ok(below) = path.strip_prefix(to) {
                        path = joined(from, below);
                    }
                }
                Op::Exchange(one, other) if is_around(one, &path) || is_around(other, &path) => {
                    self.names.insert(at);
                    if let Ok(below) = path.strip_prefix(other) {
                        path = joined(one, below);
                    }
                }
                _ => {}
            }
        }
    }
}

/// Returns whether this is the path, a folder that it stands in, or stands in it.
fn is_around(of: &Path, path: &Path) -> bool {
    path.starts_with(of) || of.parent() == Some(path)
}
