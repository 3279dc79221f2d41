//! The two trees of each cause, one that passes and one that fails.

use crate::changes::bench::Bench;
use crate::errors::Refusal;
use reduct_report::blame::Trees;
use reduct_strategies::Causes;
use std::path::Path;

/// Trees larger than this are not written: a patch can be applied instead.
const LARGEST_TREE: u64 = 256 << 20;

/// Writes the two trees of each cause, one that passes and one that fails, which its patch separates. Returns what
/// became of them; nothing if no cause was found.
pub(in crate::changes) fn trees(search: &Causes, bench: &Bench, run: &Path) -> Result<Option<Trees>, Refusal> {
    let all = run.join("trees");
    for (at, cause) in search.found().iter().enumerate() {
        let below = all.join(format!("cause-{}", at + 1));
        let (passing, failing) = search.sides_of(cause);
        for (name, config) in [("passing", &passing), ("failing", &failing)] {
            let Some(candidate) = search.candidate(config) else { continue };
            let tree = below.join(name);
            let write = || {
                if tree.exists() {
                    std::fs::remove_dir_all(&tree)?;
                }
                std::fs::create_dir_all(&tree)?;
                bench.base_tree().populate(&tree)?;
                reduct_sources::update_folder(&tree, &candidate)?;
                size(&tree)
            };
            if write().map_err(Refusal::io("write", &tree))? > LARGEST_TREE {
                std::fs::remove_dir_all(&all).map_err(Refusal::io("remove", &all))?;
                return Ok(Some(Trees::TooLarge));
            }
        }
    }
    // Of several parts that fail only with more around them, two trees differ in the last one; and what builds
    // on something comes with it.
    let differs_alone = |cause: &reduct_strategies::Cause| match cause.alone {
        reduct_core::Outcome::Fail => cause.needs.is_empty(),
        _ => cause.parts.len() == 1,
    };
    let differ_in_it_alone = search.found().iter().all(differs_alone);
    Ok(all.exists().then_some(Trees::Kept { place: all, differ_in_it_alone }))
}

/// Returns how many bytes the files in a folder have.
fn size(folder: &Path) -> std::io::Result<u64> {
    let (mut total, mut todo) = (0, vec![folder.to_owned()]);
    while let Some(folder) = todo.pop() {
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            let meta = entry.metadata()?;
            total += meta.len();
            if meta.is_dir() {
                todo.push(entry.path());
            }
        }
    }
    Ok(total)
}
