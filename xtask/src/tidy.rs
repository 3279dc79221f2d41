//! What no lint checks: the arrows between the crates, and what the pure crates must not contain.

use std::fs;
use std::path::{Path, PathBuf};

/// What a pure crate must not contain, and what to do instead.
const BANNED: &[(&str, &str)] = &[
    ("std::fs", "files are read in reduct-run"),
    ("std::net", "there is no network here"),
    ("std::process", "processes are started in reduct-run"),
    ("std::thread", "a search is a value; what runs in parallel is in reduct-run"),
    ("std::env", "what depends on the environment is decided by who calls"),
    ("std::time", "there is no clock here: an executor has one"),
    ("SystemTime", "there is no clock here: an executor has one"),
    ("Mutex", "a search is a value, not an object to be shared"),
    ("println!", "nothing here prints"),
    ("RandomState", "what is random has a seed: laws::Chance"),
];

/// The crates and what they may use of each other: all arrows point down.
const ARROWS: &[(&str, &[&str])] = &[
    ("reduct-core", &[]),
    ("reduct-circumstances", &["reduct-core"]),
    ("reduct-grammars", &["reduct-core", "reduct-circumstances"]),
    ("reduct-fuzz", &["reduct-core", "reduct-circumstances"]),
    ("reduct-run", &["reduct-core", "reduct-circumstances"]),
    ("reduct-report", &["reduct-core", "reduct-circumstances", "reduct-run"]),
    (
        "reduct",
        &["reduct-core", "reduct-circumstances", "reduct-fuzz", "reduct-grammars", "reduct-run", "reduct-report"],
    ),
];

pub(crate) fn run() -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("xtask stands in the workspace")?;
    let mut complaints = vec![];
    for (name, uses) in ARROWS {
        arrows(root, name, uses, &mut complaints)?;
    }
    for name in ["reduct-core", "reduct-circumstances", "reduct-fuzz"] {
        pure(&root.join("crates").join(name).join("src"), &mut complaints)?;
    }
    if complaints.is_empty() { Ok(()) } else { Err(complaints.join("\n")) }
}

fn arrows(root: &Path, name: &str, uses: &[&str], complaints: &mut Vec<String>) -> Result<(), String> {
    let manifest = root.join("crates").join(name).join("Cargo.toml");
    let text = read(&manifest)?;
    let dependencies = text.split("[dev-dependencies]").next().unwrap_or_default();
    for (other, _) in ARROWS {
        let used = dependencies
            .lines()
            .any(|line| line.starts_with(&format!("{other}.")) || line.starts_with(&format!("{other} ")));
        if used && !uses.contains(other) {
            complaints.push(format!("{}: {name} must not use {other}", manifest.display()));
        }
    }
    if name == "reduct-core" && dependencies.split("[dependencies]").nth(1).is_some() {
        complaints.push(format!("{}: reduct-core has no dependencies", manifest.display()));
    }
    Ok(())
}

fn pure(folder: &Path, complaints: &mut Vec<String>) -> Result<(), String> {
    for file in rust_files(folder)? {
        let text = read(&file)?;
        for (number, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            for (banned, instead) in BANNED.iter().filter(|(banned, _)| code.contains(banned)) {
                complaints.push(format!("{}:{}: `{banned}`: {instead}", file.display(), number + 1));
            }
        }
    }
    Ok(())
}

fn rust_files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let (mut todo, mut files) = (vec![folder.to_owned()], vec![]);
    while let Some(folder) = todo.pop() {
        let entries = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                todo.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}
