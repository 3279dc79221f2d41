//! `reduct-bench cases` as it is used, on a small case of its own.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up fails")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const BENCH: &str = env!("CARGO_BIN_EXE_reduct-bench");

/// A new folder for a test, with a case in it: 200 lines, of which two that stand apart are needed.
fn case(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&folder);
    let case = folder.join("two-lines");
    fs::create_dir_all(&case).unwrap();
    let lines: String =
        (0..200).map(|i| if i % 90 == 50 { format!("need {i};\n") } else { format!("f({i});\n") }).collect();
    fs::write(case.join("input.c"), lines).unwrap();
    fs::write(case.join("case.toml"), "name = \"two lines\"\nfile = \"input.c\"\n").unwrap();
    program(&case.join("interesting.sh"), "grep -q 'need 50' \"$1\" && grep -q 'need 140' \"$1\"");
    folder
}

fn program(path: &Path, text: &str) {
    use std::os::unix::fs::PermissionsExt;
    fs::write(path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

fn bench(folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(BENCH);
    command.args(["cases"]).arg(folder).args(words);
    command.env("PEERS", folder.join("peers")).env("TMPDIR", folder).output().unwrap()
}

fn rows(path: &Path) -> Vec<serde_json::Value> {
    fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The command of this build. A test must not build it, as that waits for this very test.
fn reduct() -> PathBuf {
    let path = Path::new(BENCH).with_file_name("reduct");
    assert!(path.exists(), "build it first: cargo build --package reduct (cargo test --workspace does)");
    path
}

#[test]
fn reduct_is_measured_on_a_case() {
    let folder = case("reduct_is_measured_on_a_case");
    let path = |name: &str| folder.join(name).display().to_string();
    let (table, json, chart) = (path("table.md"), path("rows.json"), path("chart.svg"));
    let reduct = reduct().display().to_string();
    let ended = bench(&folder, &["--reduct", &reduct, "--write", &table, "--json", &json, "--chart", &chart]);
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));

    let rows = rows(Path::new(&json));
    let [row] = &rows[..] else { panic!("{rows:?}") };
    let number = |key: &str| row[key].as_u64().unwrap_or_else(|| panic!("{key} in {row}"));
    assert_eq!((row["status"].as_str(), row["from"].as_str()), (Some("done"), Some("tool")));
    assert_eq!(row["fails"], true);
    // What is left is `need 50need 140`, where a C compiler reads `50need` as one number.
    assert_eq!((number("bytes_out"), number("tokens_out")), (15, 3));
    assert_eq!(number("tokens_in"), 198 * 5 + 2 * 3);
    // The test's count and the tool's own agree, but for runs killed before they were counted.
    let said = row["said"]["runs"].as_u64().unwrap() + row["said"]["around"].as_u64().unwrap();
    assert!(number("runs") <= said && number("runs") >= number("bound"), "{row}");
    assert!(number("duplicates") >= 2, "the whole input is run twice at the beginning, the result at the end: {row}");
    assert!(number("tail") < number("runs") && number("memory_tool") > 0 && number("written") > 0, "{row}");
    let steps = row["steps"].as_array().unwrap();
    assert_eq!((&steps[0][1], &steps[steps.len() - 1][1]), (&row["bytes_in"], &row["bytes_out"]));

    assert!(fs::read_to_string(&table).unwrap().contains("| two-lines | reduct ×2 | done | 15 ("));
    assert!(fs::read_to_string(&chart).unwrap().starts_with("<svg"));
    assert!(no_scratch(&folder));
}

#[test]
fn a_peer_that_is_wrong_hangs_or_leaves_processes_is_dealt_with() {
    let folder = case("a_peer_that_is_wrong_hangs_or_leaves_processes_is_dealt_with");
    fs::create_dir(folder.join("peers")).unwrap();
    // One that hands over what does not fail, and leaves a process behind.
    let leaves = "sleep 4711 & \"$5\" <\"$6\"; echo no >\"${2#--output=}\"";
    program(&folder.join("peers/halfempty"), leaves);
    // One that finds something and then hangs, and cannot be asked to stop.
    let hangs = "trap '' INT; printf 'need 50 need 140' >found; \"$6\" found; while :; do sleep 0.1; done";
    program(&folder.join("peers/picire"), &format!("set -- \"$1\" \"$2\" a b \"$3\" \"$4\" \"$5\"\n{hangs}"));
    let json = folder.join("rows.json").display().to_string();
    let words = ["--peers-only", "--peer", "halfempty", "--peer", "picire", "--limit", "1", "--json", &json];
    let ended = bench(&folder, &words);
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));

    let rows = rows(Path::new(&json));
    let [wrong, hanging] = &rows[..] else { panic!("{rows:?}") };
    assert_eq!((&wrong["status"], &wrong["fails"], &wrong["runs"]), (&"done".into(), &false.into(), &1.into()));
    assert!(String::from_utf8_lossy(&ended.stdout).contains("halfempty: the result is not a result"));
    assert_eq!((&hanging["status"], &hanging["from"]), (&"limit".into(), &"best seen".into()));
    assert_eq!((&hanging["bytes_out"], &hanging["fails"]), (&16.into(), &true.into()));
    let all = Command::new("ps").args(["-eo", "args"]).output().unwrap();
    assert!(!String::from_utf8_lossy(&all.stdout).lines().any(|line| line == "sleep 4711"));
    assert!(no_scratch(&folder));
}

/// The cases that need nothing installed: what takes more than 3 % more, or ends larger, has to be argued, and recorded.
#[test]
fn the_cases_take_as_many_runs_as_recorded() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    let folders: Vec<PathBuf> = fs::read_dir(cases).unwrap().map(|entry| entry.unwrap().path()).collect();
    let folders: Vec<PathBuf> = folders.into_iter().filter(|case| !case.join("setup.sh").exists()).collect();
    assert!(folders.len() >= 3);
    let mut command = Command::new(BENCH);
    command.args(["guard", "--cases", "--worse", "--reduct"]).arg(reduct()).args(&folders);
    let ended = command.env("TMPDIR", env!("CARGO_TARGET_TMPDIR")).output().unwrap();
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    let table = String::from_utf8_lossy(&ended.stdout);
    assert_eq!(table.lines().filter(|line| line.starts_with("| ")).count(), folders.len() + 1, "{table}");
}

#[test]
fn a_folder_without_a_case_is_refused() {
    let ended = bench(Path::new(env!("CARGO_TARGET_TMPDIR")), &["--peers-only"]);
    assert!(!ended.status.success());
    assert!(String::from_utf8_lossy(&ended.stderr).contains("no case.toml in it or in a folder of it"));
}

fn no_scratch(folder: &Path) -> bool {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    !names.into_iter().any(|name| name.starts_with("reduct-bench"))
}
