//! The arrows between the crates: all point down.

use crate::root;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

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
/// If cargo does not say what the crates depend on.
pub(crate) fn complaints() -> Result<Vec<String>, String> {
    Ok(broken(&metadata()?))
}

/// Returns what cargo says of the packages: whatever a manifest calls a dependency, and in whichever table it stands.
fn metadata() -> Result<Value, String> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["metadata", "--no-deps", "--format-version", "1", "--offline"]).current_dir(root());
    let said = cargo.output().map_err(|error| format!("cargo cannot be started: {error}"))?;
    if !said.status.success() {
        return Err(format!("cargo metadata: {}", String::from_utf8_lossy(&said.stderr).trim()));
    }
    serde_json::from_slice(&said.stdout).map_err(|error| format!("cargo metadata: {error}"))
}

/// Returns what breaks the rule in what cargo says.
fn broken(metadata: &Value) -> Vec<String> {
    let mut complaints = vec![];
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let (name, manifest) = (text(&package["name"]), text(&package["manifest_path"]));
        // What measures and checks the product may use all of it.
        if !Path::new(manifest).parent().and_then(Path::parent).is_some_and(|folder| folder.ends_with("crates")) {
            continue;
        }
        let Some((_, uses)) = ARROWS.iter().find(|(known, _)| *known == name) else {
            complaints.push(format!("{manifest}: {name} has no row in the arrows (xtask/src/tidy/arrows.rs)"));
            continue;
        };
        let dependencies = package["dependencies"].as_array().into_iter().flatten();
        for other in dependencies.filter(|it| it["kind"] != "dev").map(|it| text(&it["name"])) {
            if ARROWS.iter().any(|(ours, _)| *ours == other) && !uses.contains(&other) {
                complaints.push(format!("{manifest}: {name} must not use {other}"));
            }
            if name != "reduct" && OF_THE_PROGRAM.contains(&other) {
                complaints.push(format!("{manifest}: only the program uses {other}"));
            }
            if name == "reduct-core" {
                complaints.push(format!("{manifest}: reduct-core has no dependencies, and uses {other}"));
            }
        }
    }
    complaints
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_dependency_counts_by_its_own_name_and_in_any_table_but_that_of_tests() {
        let package = |name: &str, dependencies: Value| json!({ "name": name, "manifest_path": format!("/x/crates/{name}/Cargo.toml"), "dependencies": dependencies });
        let renamed = json!([{ "name": "reduct-oracle", "rename": "o", "kind": null, "target": "cfg(unix)" }]);
        let of_tests = json!([{ "name": "reduct-grammars", "kind": "dev" }, { "name": "proptest", "kind": "dev" }]);
        let packages = [
            package("reduct-passes", renamed),
            package("reduct-core", of_tests),
            package(
                "reduct-session",
                json!([{ "name": "clap", "kind": null }, { "name": "reduct-core", "kind": null }]),
            ),
            package("reduct-new", json!([])),
        ];
        let all = broken(&json!({ "packages": packages }));
        let says = ["reduct-passes must not use reduct-oracle", "only the program uses clap", "reduct-new has no row"];
        assert_eq!(all.len(), says.len(), "{all:?}");
        assert!(all.iter().zip(says).all(|(line, says)| line.contains(says)), "{all:?}");
    }
}
