//! Reads a range of a git repository's history. Nothing in the repository is changed by it.

mod base_tree;
mod blobs;
mod dirty;
mod ends;
mod error;
mod graph;
mod place;
mod raw;
pub(super) mod run;

pub use error::GitError;
pub use place::{RepositoryLocation, location, tracks};
pub(crate) use raw::try_bytes;
pub use run::REPOSITORY_VARIABLES;

use super::{Remark, Versions};
use blobs::{Store, Wanted};
use dirty::{Dirt, dirt};
use ends::{Range, Repository};
use graph::Way;
use raw::{Made, Told};
use reduct_input::{About, Change, Content, Touched};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What the change is called that is not committed.
pub const WORKING_TREE: &str = "working tree";

/// Its first line.
const NOT_COMMITTED: &str = "what is not committed";

/// Reads the versions `GOOD..BAD` of the repository in which `folder` is; with `GOOD..` or `GOOD`, those up to
/// what is in the working tree, ignored files excepted. Paths are relative to the top of the repository.
///
/// Each commit is a change. If GOOD is not an ancestor of BAD, or their branches have no common beginning, all
/// that differs is one change, and a note says so. With `first_parent`, whatever was merged is a part of the
/// merge.
///
/// # Errors
/// If the range cannot be read, or nothing differs: see [`GitError`].
pub fn range(folder: &Path, spec: &str, first_parent: bool) -> Result<Versions, GitError> {
    let repository = Repository::find(folder)?;
    let Range { good, bad } = repository.range(spec)?;
    let dirt = match (&bad, &repository.tree) {
        (None, Some(tree)) => dirt(&repository.git, tree)?,
        _ => Dirt::default(),
    };
    let failing = bad.as_ref().map_or(WORKING_TREE, |bad| &bad.words).to_owned();
    let last = match bad {
        Some(bad) => bad.commit,
        None => repository.end("HEAD")?.commit,
    };
    let way = graph::way(&repository, &good.commit, &last, first_parent)?;
    if dirt.touched.is_empty() && same_tree(&repository, &good.commit, &last)? {
        return Err(GitError::NothingDiffers { passing: good.words, failing });
    }
    let told = raw::tell(&repository.git, &way)?;
    let notes = notes(&way, &told, &dirt);
    let given = way.given.clone();
    let Fetched { root, changes } = fetch(&repository, &last, way, told, dirt)?;
    let base_tree = Arc::new(base_tree::Checkout::new(&repository, last)?);
    Ok(Versions { root, changes, given, base_tree, passing: good.words, failing, notes, objects: repository.objects })
}

fn same_tree(repository: &Repository, one: &str, other: &str) -> Result<bool, GitError> {
    let tree = |commit: &str| repository.git.read(&["rev-parse", "--verify", &format!("{commit}^{{tree}}")]);
    Ok(tree(one)? == tree(other)?)
}

/// What was there at first, and the changes, with all contents.
struct Fetched {
    root: Vec<(PathBuf, Content)>,
    changes: Vec<Change>,
}

fn fetch(repository: &Repository, version: &str, way: Way, told: Told, dirt: Dirt) -> Result<Fetched, GitError> {
    let touched: BTreeSet<PathBuf> =
        told.made.iter().flat_map(BTreeMap::keys).chain(dirt.touched.keys()).cloned().collect();
    let at_first = |path: PathBuf| told.root.get(&path).map(|state| (path, state.clone()));
    let root: Vec<Wanted> = touched.into_iter().filter_map(at_first).collect();
    let mut wanted: HashMap<Wanted, u64> = HashMap::new();
    let made = told.made.iter().flatten().filter_map(|(path, made)| Some((path.clone(), made.1.clone()?)));
    root.iter().cloned().chain(made).for_each(|one| *wanted.entry(one).or_default() += 1);
    let mut store = Store::fill(repository, version, wanted)?;

    let root = root.into_iter().filter_map(|wanted| Some((wanted.0.clone(), store.take(wanted)?))).collect();
    let mut changes = vec![];
    for ((commit, parents), made) in way.commits.into_iter().zip(way.parents).zip(told.made) {
        let touched = made.into_iter().map(|(path, made)| touched_by(&mut store, path, made)).collect();
        changes.push(Change { about: commit.about, parents, touched });
    }
    if !dirt.touched.is_empty() {
        let about = About { id: WORKING_TREE.into(), subject: NOT_COMMITTED.into(), ..About::default() };
        let parents = changes.len().checked_sub(1).into_iter().collect();
        changes.push(Change { about, parents, touched: dirt.touched.into_values().collect() });
    }
    Ok(Fetched { root, changes })
}

fn touched_by(store: &mut Store, path: PathBuf, (from, now): Made) -> Touched {
    let becomes = now.and_then(|state| store.take((path.clone(), state)));
    Touched { path, from, becomes }
}

/// Returns what a user should know of what was read.
fn notes(way: &Way, told: &Told, dirt: &Dirt) -> Vec<Remark> {
    let mut notes = way.notes.clone();
    notes.extend(told.submodules.iter().cloned().map(Remark::EmptySubmodule));
    let is_rule = |path: &&PathBuf| path.file_name().is_some_and(|name| name == ".gitattributes");
    notes.extend(told.made.iter().flat_map(BTreeMap::keys).find(is_rule).cloned().map(Remark::LastRules));
    notes.extend(dirt.notes.iter().cloned());
    notes
}
