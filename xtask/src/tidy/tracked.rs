//! What git holds: no large files, and nothing in the root that is not on the list.

use crate::root;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// The largest that a file may be, in bytes.
const LARGEST: u64 = 1 << 20;

/// The entries of the root.
const ROOT: &[&str] = &[
    ".cargo",
    ".ci",
    ".gitattributes",
    ".github",
    ".gitignore",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "bench",
    "clippy.toml",
    "crates",
    "deny.toml",
    "docs",
    "examples",
    "fixtures",
    "rust-toolchain.toml",
    "rustfmt.toml",
    "xtask",
];

/// Returns what is tracked and should not be, as complaints.
///
/// # Errors
/// If git cannot be asked.
pub(crate) fn complaints() -> Result<Vec<String>, String> {
    let mut complaints = vec![];
    let files = files()?;
    let entries: BTreeSet<&str> = files.iter().filter_map(|file| file.split('/').next()).collect();
    for entry in entries.into_iter().filter(|entry| !ROOT.contains(entry)) {
        complaints.push(format!("{entry}: the entries of the root are a fixed list (xtask/src/tidy/tracked.rs)"));
    }
    for file in &files {
        let size = root().join(file).symlink_metadata().map_or(0, |meta| meta.len());
        if size > LARGEST {
            complaints.push(format!("{file}: {size} bytes are tracked; at most {LARGEST}"));
        }
    }
    Ok(complaints)
}

/// Returns the tracked files, relative to the root; none in a tree that is no checkout, as one that was unpacked.
fn files() -> Result<Vec<String>, String> {
    if !Path::new(root()).join(".git").exists() {
        return Ok(vec![]);
    }
    let mut git = Command::new("git");
    // A caller may have told git of another repository.
    git.env_remove("GIT_DIR").env_remove("GIT_INDEX_FILE").env_remove("GIT_WORK_TREE");
    let asked = git.arg("-C").arg(root()).args(["ls-files", "-z"]).output();
    let asked = asked.map_err(|error| format!("git cannot be started: {error}"))?;
    if !asked.status.success() {
        return Err(format!("git ls-files: {}", String::from_utf8_lossy(&asked.stderr).trim()));
    }
    let text = String::from_utf8_lossy(&asked.stdout).into_owned();
    Ok(text.split('\0').filter(|file| !file.is_empty()).map(str::to_owned).collect())
}
