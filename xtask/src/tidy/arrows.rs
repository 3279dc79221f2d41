//! The arrows between the crates: all point down.

use crate::root;
use crate::source::read;
use std::path::Path;

/// The crates and what they may use of each other: all arrows point down.
pub(crate) const ARROWS: &[(&str, &[&str])] = &[
    ("reduct-core", &[]),
    ("reduct-input", &["reduct-core"]),
    ("reduct-passes", &["reduct-core", "reduct-input"]),
    ("reduct-strategies", &["reduct-core", "reduct-input", "reduct-passes"]),
    ("reduct-grammars", &["reduct-core", "reduct-input"]),
    ("reduct-fuzz", &["reduct-core", "reduct-input"]),
    ("reduct-system", &[]),
    ("reduct-oracle", &["reduct-core", "reduct-input"]),
    ("reduct-sources", &["reduct-core", "reduct-input", "reduct-system"]),
    (
        "reduct-session",
        &[
            "reduct-core",
            "reduct-input",
            "reduct-passes",
            "reduct-strategies",
            "reduct-system",
            "reduct-oracle",
            "reduct-sources",
        ],
    ),
    (
        "reduct-sandbox",
        &["reduct-core", "reduct-input", "reduct-system", "reduct-oracle", "reduct-sources", "reduct-session"],
    ),
    ("reduct-play", &["reduct-system"]),
    ("reduct-schedule", &[]),
    ("reduct-trace", &["reduct-core"]),
    (
        "reduct-report",
        &[
            "reduct-core",
            "reduct-input",
            "reduct-passes",
            "reduct-strategies",
            "reduct-oracle",
            "reduct-sources",
            "reduct-session",
            "reduct-trace",
        ],
    ),
    (
        "reduct-lib",
        &[
            "reduct-core",
            "reduct-input",
            "reduct-passes",
            "reduct-strategies",
            "reduct-system",
            "reduct-oracle",
            "reduct-sources",
            "reduct-session",
            "reduct-sandbox",
            "reduct-fuzz",
            "reduct-grammars",
            "reduct-report",
        ],
    ),
    (
        "reduct",
        &[
            "reduct-core",
            "reduct-input",
            "reduct-passes",
            "reduct-strategies",
            "reduct-system",
            "reduct-oracle",
            "reduct-sources",
            "reduct-session",
            "reduct-sandbox",
            "reduct-fuzz",
            "reduct-grammars",
            "reduct-report",
            "reduct-play",
            "reduct-schedule",
            "reduct-trace",
            "reduct-lib",
        ],
    ),
];

/// Crates by others that only the program may use: a program that uses the library has its own command line and diagnostics.
const OF_THE_PROGRAM: &[&str] = &["clap", "clap_complete", "clap_mangen", "miette", "signal-hook"];

/// Returns what breaks the rule, as complaints.
///
/// # Errors
/// If a manifest cannot be read.
pub(crate) fn complaints() -> Result<Vec<String>, String> {
    let mut complaints = vec![];
    for (name, uses) in ARROWS {
        arrows(root(), name, uses, &mut complaints)?;
    }
    Ok(complaints)
}

fn arrows(root: &Path, name: &str, uses: &[&str], complaints: &mut Vec<String>) -> Result<(), String> {
    let manifest = root.join("crates").join(name).join("Cargo.toml");
    let text = read(&manifest)?;
    let dependencies = text.split("[dev-dependencies]").next().unwrap_or_default();
    for (other, _) in ARROWS {
        if uses_crate(dependencies, other) && !uses.contains(other) {
            complaints.push(format!("{}: {name} must not use {other}", manifest.display()));
        }
    }
    for other in OF_THE_PROGRAM.iter().filter(|_| name != "reduct") {
        if uses_crate(dependencies, other) {
            complaints.push(format!("{}: only the program uses {other}", manifest.display()));
        }
    }
    if name == "reduct-core" && dependencies.split("[dependencies]").nth(1).is_some() {
        complaints.push(format!("{}: reduct-core has no dependencies", manifest.display()));
    }
    Ok(())
}

/// Returns whether a crate is among the dependencies of a manifest.
fn uses_crate(dependencies: &str, name: &str) -> bool {
    dependencies.lines().any(|line| line.strip_prefix(name).is_some_and(|rest| rest.starts_with(['.', ' '])))
}
