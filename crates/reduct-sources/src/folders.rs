//! Reads two folders: what differs between them is one change.

mod base_tree;
pub(super) mod walk;

pub(super) use base_tree::Rest;

use super::versions::MOST;
use super::{Remark, Versions};
use reduct_input::patch::Objects;
use reduct_input::{About, Change, Content, Touched};
use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use walk::{Listing, What, walk};

/// Why two folders cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum FoldersError {
    /// Something cannot be read.
    #[error("cannot read {path}")]
    Io {
        /// What was read.
        path: PathBuf,
        /// What went wrong.
        source: io::Error,
    },
    /// Not a folder.
    #[error("{0} is not a folder; name two folders, of which the first one passes and the second one fails")]
    NotAFolder(PathBuf),
    /// Nothing to judge.
    #[error("nothing differs between {old} and {new}; name a folder that passes and one that fails")]
    NothingDiffers {
        /// The one.
        old: PathBuf,
        /// The other one.
        new: PathBuf,
    },
    /// More than can be addressed.
    #[error(
        "the files that differ take more than 4 GiB, which is more than can be searched; leave out what does not matter"
    )]
    TooLarge,
}

impl FoldersError {
    /// Returns the error for `map_err`.
    fn io(path: &Path) -> impl FnOnce(io::Error) -> FoldersError {
        let path = path.to_owned();
        move |source| FoldersError::Io { path, source }
    }
}

/// Reads the folder that passes and the one that fails. All in which they differ is one change; what is equal
/// in both is the base tree, and copied from `new` whenever it is laid.
///
/// Links are not followed. Sockets, pipes and devices, and at the top what version control and reduct itself
/// keep there, are left out, and a note says so.
///
/// # Errors
/// If something cannot be read, or nothing differs: see [`FoldersError`].
pub fn pair(old: &Path, new: &Path) -> Result<Versions, FoldersError> {
    let mut notes = vec![];
    let (before, after) = (list(old, &mut notes)?, list(new, &mut notes)?);
    let mut paths: Vec<&PathBuf> = before.keys().chain(after.keys()).collect();
    paths.sort();
    paths.dedup();
    let (mut root, mut touched, mut read) = (vec![], vec![], 0);
    for path in paths {
        let (was, is) = (before.get(path).copied(), after.get(path).copied());
        if same(path, old, was, new, is)? {
            continue;
        }
        let was = content(path, old, was, is, &mut read)?;
        let is = content(path, new, is, before.get(path).copied(), &mut read)?;
        if was.is_some() || is.is_some() {
            root.extend(was.map(|was| (path.clone(), was)));
            touched.push(Touched { path: path.clone(), from: None, becomes: is });
        }
    }
    if touched.is_empty() {
        return Err(FoldersError::NothingDiffers { old: old.into(), new: new.into() });
    }
    find_renames(&root, &mut touched);
    let (passing, failing) = (old.display().to_string(), new.display().to_string());
    // A folder that is in both stands there, whatever is in it.
    let base_tree =
        Rest::new(new, after, touched.iter().map(|touched| &touched.path), |path| before.contains_key(path));
    let base_tree = base_tree.map_err(FoldersError::io(new))?;
    let about = About { subject: format!("{passing} -> {failing}"), ..About::default() };
    let changes = vec![Change { about, parents: vec![], touched }];
    Ok(Versions {
        root,
        changes,
        given: vec![],
        base_tree: Arc::new(base_tree),
        passing,
        failing,
        notes,
        objects: Objects::default(),
    })
}

fn list(folder: &Path, notes: &mut Vec<Remark>) -> Result<Listing, FoldersError> {
    if !fs::metadata(folder).map_err(FoldersError::io(folder))?.is_dir() {
        return Err(FoldersError::NotAFolder(folder.into()));
    }
    let (listing, left_out) = walk(folder).map_err(|(path, source)| FoldersError::Io { path, source })?;
    notes.extend(left_out);
    Ok(listing)
}

/// Returns whether both have the same at a path.
fn same(path: &Path, old: &Path, was: Option<What>, new: &Path, is: Option<What>) -> Result<bool, FoldersError> {
    let (Some(was), Some(is)) = (was, is) else { return Ok(false) };
    if !was.alike(is) {
        return Ok(false);
    }
    let (old, new) = (old.join(path), new.join(path));
    match is {
        What::File { .. } => same_bytes(&old, &new),
        What::Link => Ok(target(&old)? == target(&new)?),
        What::Folder { .. } => Ok(true),
    }
}

fn target(path: &Path) -> Result<PathBuf, FoldersError> {
    fs::read_link(path).map_err(FoldersError::io(path))
}

/// Compares piece by piece, for most files are equal and need not be kept.
fn same_bytes(old: &Path, new: &Path) -> Result<bool, FoldersError> {
    let open = |path: &Path| File::open(path).map(|file| BufReader::with_capacity(1 << 16, file));
    let mut one = open(old).map_err(FoldersError::io(old))?;
    let mut other = open(new).map_err(FoldersError::io(new))?;
    loop {
        let a = one.fill_buf().map_err(FoldersError::io(old))?;
        let b = other.fill_buf().map_err(FoldersError::io(new))?;
        let most = a.len().min(b.len());
        if a[..most] != b[..most] {
            return Ok(false);
        }
        if most == 0 {
            // One of them has ended: have both?
            return Ok(a.len() == b.len());
        }
        one.consume(most);
        other.consume(most);
    }
}

/// Returns what stands at a path that differs. A folder counts if it says more than that something is in it.
fn content(
    path: &Path,
    folder: &Path,
    what: Option<What>,
    other: Option<What>,
    read: &mut u64,
) -> Result<Option<Content>, FoldersError> {
    let full = folder.join(path);
    let Some(what) = what else { return Ok(None) };
    if let What::File { size, .. } = what {
        *read += size;
        if *read > MOST {
            return Err(FoldersError::TooLarge);
        }
    }
    Ok(match what {
        What::File { mode, .. } => {
            Some(Content::File { mode, bytes: fs::read(&full).map_err(FoldersError::io(&full))? })
        }
        What::Link => Some(Content::Link { target: target(&full)? }),
        What::Folder { mode, empty } => {
            (empty || matches!(other, Some(What::Folder { .. }))).then_some(Content::Folder { mode })
        }
    })
}

/// Finds renames: a file that is gone and one that is new are the same file if they are the only ones of their content.
fn find_renames(root: &[(PathBuf, Content)], touched: &mut [Touched]) {
    fn bytes(content: &Content) -> Option<&[u8]> {
        match content {
            Content::File { bytes, .. } => Some(bytes).filter(|bytes| !bytes.is_empty()).map(Vec::as_slice),
            _ => None,
        }
    }
    let before: BTreeMap<&PathBuf, &Content> = root.iter().map(|(path, content)| (path, content)).collect();
    let mut found: HashMap<&[u8], (Vec<usize>, Vec<usize>)> = HashMap::new();
    for (number, Touched { path, becomes, .. }) in touched.iter().enumerate() {
        match (before.get(path), becomes) {
            (Some(was), None) => found.entry(bytes(was).unwrap_or_default()).or_default().0.push(number),
            (None, Some(is)) => found.entry(bytes(is).unwrap_or_default()).or_default().1.push(number),
            _ => {}
        }
    }
    found.remove(&[][..]);
    let pairs: Vec<_> = found.into_values().filter_map(|(gone, new)| Some((one(&gone)?, one(&new)?))).collect();
    for (gone, new) in pairs {
        touched[new].from = Some(touched[gone].path.clone());
    }
}

fn one(numbers: &[usize]) -> Option<usize> {
    if let [number] = numbers { Some(*number) } else { None }
}
