//! The two trees of each cause, one that passes and one that fails.

use crate::changes::bench::Bench;
use crate::errors::Refusal;
use reduct_strategies::Causes;
use std::path::Path;

/// Trees larger than this are not written: who wants one can apply a patch.
const LARGEST_TREE: u64 = 256 << 20;

/// Writes the two trees of each cause, one that passes and one that fails, which its patch separates. Returns what is to
/// be said of them.
pub(in crate::changes) fn trees(search: &Causes, bench: &Bench, run: &Path) -> Result<Vec<String>, Refusal> {
    let all = run.join("trees");
    let mut lines = vec![];
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
                bench.ground().lay(&tree)?;
                reduct_sources::bring(&tree, &candidate)?;
                size(&tree)
            };
            if write().map_err(Refusal::io("write", &tree))? > LARGEST_TREE {
                std::fs::remove_dir_all(&all).map_err(Refusal::io("remove", &all))?;
                return Ok(vec!["The two trees are too large to be kept; the patches make them.".into()]);
            }
        }
    }
    if all.exists() {
        // Of several parts that fail only with more around them, two trees differ in the last one; and who builds on
        // something comes with it.
        let differs_alone = |cause: &reduct_strategies::Cause| match cause.alone {
            reduct_core::Outcome::Fail => cause.needs.is_empty(),
            _ => cause.parts.len() == 1,
        };
        let alone = search.found().iter().all(differs_alone);
        let differ = if alone { " that differ in it alone" } else { "" };
        lines.push(format!("Two trees{differ}, one that works and one that fails: {}", all.display()));
    }
    Ok(lines)
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
