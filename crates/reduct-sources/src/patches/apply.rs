//! Applies patches one after the other, in a folder where only the files stand that they are about.

use super::PatchError;
use super::files::Patch;
use crate::git::{GitError, run};
use crate::versions::MOST;
use crate::workshop::Workshop;
use reduct_input::{Content, Touched};
use reduct_system::permissions;
use rustix::io::Errno;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Component, Path, PathBuf};

/// What stood at the paths a patch is about.
type Contents = BTreeMap<PathBuf, Option<Content>>;

/// What a patch does: what there was without it, and what there is with it.
pub(super) struct PatchEffect {
    before: Contents,
    after: Contents,
}

impl PatchEffect {
    pub(super) fn each_before(&self, mut tell: impl FnMut(&PathBuf, Option<&Content>)) {
        self.before.iter().for_each(|(path, was)| tell(path, was.as_ref()));
    }

    /// Returns what it touches; `renames` are the paths, old and new, that the patch says to be of one file.
    pub(super) fn touched(mut self, renames: &[(PathBuf, PathBuf)]) -> Vec<Touched> {
        let is_there = |state: &Contents, path: &PathBuf| state.get(path).is_some_and(Option::is_some);
        let moved = |(old, new): &&(PathBuf, PathBuf)| {
            let was = is_there(&self.before, old) && !is_there(&self.before, new);
            was && !is_there(&self.after, old) && is_there(&self.after, new)
        };
        let from: BTreeMap<PathBuf, PathBuf> =
            renames.iter().filter(moved).map(|(old, new)| (new.clone(), old.clone())).collect();
        self.after.retain(|path, is| self.before.get(path) != Some(is));
        self.after
            .into_iter()
            .map(|(path, becomes)| Touched { from: from.get(&path).cloned(), path, becomes })
            .collect()
    }
}

/// Returns what each patch does. With `reverse`, the folder has all of them.
pub(super) fn all(folder: &Path, patches: &[Patch], reverse: bool) -> Result<Vec<PatchEffect>, PatchError> {
    let room = Workshop::open().map_err(PatchError::io(&std::env::temp_dir()))?;
    let place = room.path().join("tree");
    fs::create_dir(&place).map_err(PatchError::io(&place))?;
    let mut bench = Bench { folder, place, copied: BTreeSet::new(), reverse, bytes: 0 };
    if !reverse {
        return patches.iter().map(|patch| bench.apply(patch)).collect();
    }
    let mut steps = vec![];
    for patch in patches.iter().rev() {
        let PatchEffect { before: after, after: before } = bench.apply(patch)?;
        steps.push(PatchEffect { before, after });
    }
    steps.reverse();
    Ok(steps)
}

/// Where patches are applied.
struct Bench<'a> {
    folder: &'a Path,
    place: PathBuf,
    /// What was looked up in the folder.
    copied: BTreeSet<PathBuf>,
    reverse: bool,
    bytes: u64,
}

impl Bench<'_> {
    /// Applies a patch, with as many leading parts of its paths taken off as fits.
    fn apply(&mut self, patch: &Patch) -> Result<PatchEffect, PatchError> {
        let strips = patch.strip.map_or(vec![1, 0], |strip| vec![strip]);
        let mut failed: Option<(bool, String)> = None;
        for strip in strips {
            let (known, said) = match self.try_with(patch, strip)? {
                Ok(step) => return Ok(step),
                Err(why) => why,
            };
            // The complaint that matters is about a file that is there.
            if failed.as_ref().is_none_or(|(before, _)| known && !before) {
                failed = Some((known, said));
            }
        }
        let verb = if self.reverse { "come off" } else { "apply" };
        let said = failed.map(|(_, said)| said).unwrap_or_default();
        Err(PatchError::DoesNotApply { patch: patch.name.clone(), verb, said })
    }

    /// Returns the inner error: whether there is any of the files it is about, and what git said.
    fn try_with(&mut self, patch: &Patch, strip: u32) -> Result<Result<PatchEffect, (bool, String)>, PatchError> {
        let strip = format!("-p{strip}");
        let names = match self.git(&["--numstat", "-z", &strip], patch)? {
            Ok(names) => names,
            Err(said) => return Ok(Err((false, said))),
        };
        // ADDED, DELETED and PATH, with tabs in between.
        let names = names.split(|byte| *byte == 0).filter_map(|line| line.splitn(3, |byte| *byte == b'\t').nth(2));
        let mut paths: BTreeSet<PathBuf> = names.map(|name| OsStr::from_bytes(name).into()).collect();
        paths.extend(patch.partners.iter().cloned());
        for path in &paths {
            self.copy(path, patch)?;
        }
        let before = self.state(&paths)?;
        if let Err(said) = self.git(&["--whitespace=nowarn", &strip], patch)? {
            return Ok(Err((before.values().any(Option::is_some), said)));
        }
        self.set_modes(&before, patch)?;
        Ok(Ok(PatchEffect { after: self.state(&paths)?, before }))
    }

    /// Calls `git apply`, where it finds neither a repository nor settings of anybody.
    fn git(&self, args: &[&str], patch: &Patch) -> Result<Result<Vec<u8>, String>, PatchError> {
        let reverse: &[&str] = if self.reverse { &["-R"] } else { &[] };
        let mut command = run::Git::own(&self.place, &[&["apply"], reverse, args].concat());
        run::quiet(&mut command, &self.place);
        command.arg("-");
        match run::read(command, patch.text.clone()) {
            Ok(output) => Ok(Ok(output)),
            Err(GitError::Failed { said, .. }) => Ok(Err(said.lines().collect::<Vec<_>>().join("; "))),
            Err(GitError::NoGit { source }) => Err(PatchError::NoGit { source }),
            Err(other) => Ok(Err(other.to_string())),
        }
    }

    /// Brings a file of the folder to where the patch is applied, once.
    fn copy(&mut self, path: &Path, patch: &Patch) -> Result<(), PatchError> {
        let inside = path.components().all(|part| matches!(part, Component::Normal(_)));
        if !inside || is_behind_link(self.folder, path) {
            return Err(PatchError::Outside { patch: patch.name.clone(), path: path.into() });
        }
        // A patch before may have made such a link, which leads anywhere. Git refuses what is behind it.
        if is_behind_link(&self.place, path) || !self.copied.insert(path.into()) {
            return Ok(());
        }
        let (from, to) = (self.folder.join(path), self.place.join(path));
        let Some(meta) = found(fs::symlink_metadata(&from)).map_err(PatchError::io(&from))? else { return Ok(()) };
        let copied = to.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| match meta.file_type() {
            kind if kind.is_symlink() => fs::read_link(&from).and_then(|target| symlink(target, &to)),
            kind if kind.is_file() => fs::copy(&from, &to).and_then(|_| {
                let mode = meta.permissions().mode() & 0o777;
                permissions::set_below(&self.place, path, Permissions::from_mode(mode))
            }),
            // Git says that something is in the way.
            _ => fs::create_dir_all(&to),
        });
        copied.map_err(PatchError::io(&from))
    }

    fn state(&mut self, paths: &BTreeSet<PathBuf>) -> Result<Contents, PatchError> {
        let mut state = Contents::new();
        for path in paths {
            let full = self.place.join(path);
            let is_there = !is_behind_link(&self.place, path);
            let content = if is_there { read(&full).map_err(PatchError::io(&full))? } else { None };
            if let Some(Content::File { bytes, .. }) = &content {
                self.bytes += bytes.len() as u64;
            }
            if self.bytes > MOST {
                return Err(PatchError::TooLarge);
            }
            state.insert(path.clone(), content);
        }
        Ok(state)
    }

    /// Sets modes. Git knows only whether a file can be executed: what else there is of a mode remains.
    fn set_modes(&self, before: &Contents, patch: &Patch) -> Result<(), PatchError> {
        let mode_of = |path: &PathBuf| match before.get(path) {
            Some(Some(Content::File { mode, .. })) => Some(*mode),
            _ => None,
        };
        for path in before.keys() {
            let full = self.place.join(path);
            let Some(meta) = found(fs::symlink_metadata(&full)).map_err(PatchError::io(&full))? else { continue };
            if !meta.is_file() {
                continue;
            }
            let partner = patch.renames.iter().find_map(|(old, new)| match path {
                path if path == new => Some(old),
                path if path == old => Some(new),
                _ => None,
            });
            let was = mode_of(path).or_else(|| partner.and_then(mode_of)).unwrap_or(0o644);
            let mode = match (was & 0o100 != 0, meta.permissions().mode() & 0o100 != 0) {
                (false, true) => was | (was & 0o444) >> 2,
                (true, false) => was & !0o111,
                _ => was,
            };
            match permissions::set_below(&self.place, path, Permissions::from_mode(mode)) {
                // It stands behind a link that the patch has made, and is no file of the patch.
                Err(error) if matches!(Errno::from_io_error(&error), Some(Errno::LOOP | Errno::NOTDIR)) => {}
                done => done.map_err(PatchError::io(&full))?,
            }
        }
        Ok(())
    }
}

/// Returns whether a folder above this path is a link, below `top`.
fn is_behind_link(top: &Path, path: &Path) -> bool {
    path.ancestors().skip(1).any(|path| !path.as_os_str().is_empty() && top.join(path).is_symlink())
}

fn read(path: &Path) -> io::Result<Option<Content>> {
    let Some(meta) = found(fs::symlink_metadata(path))? else { return Ok(None) };
    if meta.is_symlink() {
        return Ok(Some(Content::Link { target: fs::read_link(path)? }));
    }
    let mode = meta.permissions().mode() & 0o777;
    if meta.is_file() { Ok(Some(Content::File { mode, bytes: fs::read(path)? })) } else { Ok(None) }
}

/// Returns nothing, if nothing stands there.
fn found<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(None),
        other => other.map(Some),
    }
}
