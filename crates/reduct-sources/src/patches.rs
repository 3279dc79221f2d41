//! Reads a folder and patches to it: each patch is a change.

mod about;
mod apply;
mod files;

use super::Versions;
use super::folders::Rest;
use super::folders::walk::walk;
use reduct_input::Change;
use reduct_input::patch::Objects;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(crate) use files::try_bytes;

/// Why patches cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PatchError {
    /// Something cannot be read or written.
    #[error("cannot use {path}")]
    Io {
        /// Which.
        path: PathBuf,
        /// What went wrong.
        source: io::Error,
    },
    /// There is no git, which applies them.
    #[error("the program git cannot be run, which applies patches; install it, or see that it is in PATH")]
    NoGit {
        /// What went wrong.
        source: io::Error,
    },
    /// Nothing to apply.
    #[error("there is no patch in {0}; a patch is what `diff -u`, `git diff` or `git format-patch` writes")]
    NoPatch(String),
    /// It is made for something else.
    #[error(
        "the patch {patch} does not {verb}: {said}; \
         name the folder it was made for, and the patches in the order in which they are applied"
    )]
    DoesNotApply {
        /// Which.
        patch: String,
        /// `apply`, or `come off`.
        verb: &'static str,
        /// What git said: which file, and which place in it.
        said: String,
    },
    /// A path that leads out of the folder.
    #[error(
        "the patch {patch} changes {path}, which is not in the folder, or stands behind a link; take that out of it"
    )]
    Outside {
        /// Which.
        patch: String,
        /// Where it leads.
        path: PathBuf,
    },
    /// More than can be addressed.
    #[error("the versions of all patched files take more than 4 GiB, which is more than can be searched")]
    TooLarge,
}

impl PatchError {
    /// Returns the error for `map_err`.
    fn io(path: &Path) -> impl FnOnce(io::Error) -> PatchError {
        let path = path.to_owned();
        move |source| PatchError::Io { path, source }
    }
}

/// Reads the patches, each of which is a change, in this order: files, each with one patch or with mails of
/// `git format-patch`, and folders of patches, in the order of `series` in them or of their names.
///
/// The folder as it is passes, and fails with all patches; with `reverse` it fails as it is, with all patches
/// applied, and passes without them. It is only read.
///
/// # Errors
/// If something cannot be read, or a patch does not apply: see [`PatchError`].
pub fn series(folder: &Path, patches: &[PathBuf], reverse: bool) -> Result<Versions, PatchError> {
    let (patches, mut notes) = files::read(patches)?;
    let (listing, left_out) = walk(folder).map_err(|(path, source)| PatchError::Io { path, source })?;
    notes.extend(left_out);
    let steps = apply::all(folder, &patches, reverse)?;
    let mut root = BTreeMap::new();
    let changes = steps.into_iter().zip(&patches).enumerate().map(|(n, (step, patch))| {
        // Where a path is first met, it is as it was at first.
        step.each_before(|path, was| _ = root.entry(path.clone()).or_insert_with(|| was.cloned()));
        let parents = n.checked_sub(1).into_iter().collect();
        Change { about: patch.about.clone(), parents, touched: step.touched(&patch.renames) }
    });
    let changes: Vec<Change> = changes.collect();

    let touched: BTreeSet<&PathBuf> = changes.iter().flat_map(|change| &change.touched).map(|it| &it.path).collect();
    root.retain(|path, _| touched.contains(path));
    let root = root.into_iter().filter_map(|(path, was)| Some((path, was?))).collect();
    // What only the patches have put something into is no folder of its own right.
    let base_tree = Rest::new(folder, listing, touched.into_iter(), |_| false).map_err(PatchError::io(folder))?;
    let as_it_is = folder.display().to_string();
    let count = format!("{} patch{}", patches.len(), if patches.len() == 1 { "" } else { "es" });
    let (passing, failing) = match reverse {
        false => (as_it_is.clone(), format!("{as_it_is} with {count}")),
        true => (format!("{as_it_is} without {count}"), as_it_is),
    };
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
