//! Tests that are not run: those in files that no `mod` names, and those of a library that is not compiled for tests.

use crate::root;
use crate::source::{read, rust_files};
use std::path::{Path, PathBuf};

/// Returns such files and tests of a package, as complaints.
///
/// # Errors
/// If a file cannot be read.
pub(crate) fn complaints(package: &Path) -> Result<Vec<String>, String> {
    let mut complaints = untested(package)?;
    for folder in ["src", "tests"].map(|name| package.join(name)).into_iter().filter(|folder| folder.exists()) {
        for file in rust_files(&folder)? {
            if let Some(parents) = parents(&folder, &file)
                && !names(&parents, &file)?
            {
                complaints.push(format!("{}: no `mod` names it", file.strip_prefix(root()).unwrap_or(&file).display()));
            }
        }
    }
    Ok(complaints)
}

/// Returns the files with tests in a library whose manifest says `test = false`.
fn untested(package: &Path) -> Result<Vec<String>, String> {
    let manifest = read(&package.join("Cargo.toml"))?;
    if !manifest.lines().any(|line| line == "test = false") {
        return Ok(vec![]);
    }
    let mut complaints = vec![];
    for file in rust_files(&package.join("src"))? {
        if read(&file)?.lines().any(|line| line.trim() == "#[test]") {
            let name = file.strip_prefix(root()).unwrap_or(&file).display();
            complaints.push(format!(
                "{name}: its tests are not run, as Cargo.toml says `test = false`: move them to `tests`"
            ));
        }
    }
    Ok(complaints)
}

/// Returns the files in which a `mod` for this one may stand. `None` if it is the root of a target.
fn parents(folder: &Path, file: &Path) -> Option<Vec<PathBuf>> {
    let is_tests = folder.ends_with("tests");
    let inside = file.strip_prefix(folder).ok()?;
    let is_root = match inside.components().count() {
        1 => is_tests || ["lib.rs", "main.rs"].iter().any(|name| file.ends_with(name)),
        2 => is_tests && file.ends_with("main.rs"),
        _ => false,
    };
    // `x/y.rs` is named in `x.rs`, in `x/mod.rs`, or, right below the root, in the file of a target.
    let beside = file.parent()?;
    let top = ["lib.rs", "main.rs", "mod.rs"].map(|name| beside.join(name));
    (!is_root).then(|| top.into_iter().chain([beside.with_extension("rs")]).filter(|path| path.exists()).collect())
}

fn names(parents: &[PathBuf], file: &Path) -> Result<bool, String> {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    for parent in parents {
        let text = read(parent)?;
        let is_named = |line: &str| {
            let line = line
                .trim()
                .trim_start_matches("pub ")
                .trim_start_matches("pub(crate) ")
                .trim_start_matches("pub(super) ");
            line.strip_prefix("mod ").and_then(|rest| rest.strip_suffix(';')).is_some_and(|name| name == stem)
        };
        if text.lines().any(is_named) {
            return Ok(true);
        }
    }
    Ok(false)
}
