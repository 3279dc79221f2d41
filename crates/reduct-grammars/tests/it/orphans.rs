//! What nothing uses, in a program with all the headers of a library.

use crate::support::grammars;
use reduct_core::Config;
use reduct_input::{Artifact, Circumstances, Parts, Subject};
use reduct_passes::Pass;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;

const PROGRAM: &str = "#include <iostream>
#include <map>
#include <string>
using namespace std;
struct shape { virtual ~shape() {} virtual int area() const = 0; };
struct box : shape { int a; box(int a) : a(a) {} int area() const override { return a * a; } };
int main() {
  map<string, int> all;
  all[\"three\"] = box(3).area();
  for (auto& one : all) cout << one.first << ' ' << one.second << endl;
}
";

fn run(folder: &Path, command: &[&str]) -> Output {
    let output = Command::new(command[0]).args(&command[1..]).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

/// Returns what a preprocessed program writes.
fn written(folder: &Path, text: &[u8]) -> String {
    std::fs::write(folder.join("a.ii"), text).unwrap();
    run(folder, &["g++", "-w", "-fpreprocessed", "a.ii", "-o", "a"]);
    String::from_utf8(run(folder, &["./a"]).stdout).unwrap()
}

/// All at once, so that one test removes a quarter of the library.
#[test]
fn a_program_does_the_same_without_all_that_it_does_not_use() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.cpp"), PROGRAM).unwrap();
    let text = run(folder.path(), &["g++", "-E", "-P", "a.cpp"]).stdout;
    let base = Arc::new(Artifact::of_file("a.ii", &text).unwrap());
    let subject = Subject::new(base.clone(), Some(grammars()));
    let first = (Pass::named("orphans").unwrap().propose)(&subject).swap_remove(0);
    let left = Parts::new(base, first).candidate(&Config::empty()).unwrap().artifact();
    assert!(left.bytes().len() * 4 < text.len() * 3, "{} of {} bytes", left.bytes().len(), text.len());
    assert_eq!(written(folder.path(), &text), "three 9\n");
    assert_eq!(written(folder.path(), left.bytes()), "three 9\n");
}

/// Returns what the first level leaves of a program.
fn left(text: &str) -> String {
    let base = Arc::new(Artifact::of_file("a.cpp", text.as_bytes()).unwrap());
    let subject = Subject::new(base.clone(), Some(grammars()));
    let first = (Pass::named("orphans").unwrap().propose)(&subject).swap_remove(0);
    let left = Parts::new(base, first).candidate(&Config::empty()).unwrap().artifact();
    String::from_utf8(left.bytes().to_vec()).unwrap()
}

/// Returns a function of some 8 kB.
fn function(name: &str) -> String {
    let lines: String = (0..600).map(|at| format!("  a = a * {at};\n")).collect();
    format!("int {name}(int a) {{\n{lines}  return a;\n}}\n")
}

/// What makes a compiler fail stands behind what it needs, and nothing uses it.
#[test]
fn what_stands_last_stays_where_nothing_is_run() {
    let (helper, unused) = (function("helper"), function("unused"));
    let last = "int last() { return helper(1); }\n";
    let program = format!("{helper}{unused}{last}");
    assert!(program.len() > 16 << 10);
    assert_eq!(left(&program), format!("{helper}{last}"));
    // What is run says what is used.
    let run = "int main() { return helper(2); }\n";
    assert_eq!(left(&format!("{helper}{run}{unused}{last}")), format!("{helper}{run}"));
}

/// Where all is in one namespace, it is not all that stays.
#[test]
fn what_stands_last_is_little() {
    let (helper, unused) = (function("helper"), function("unused"));
    let last = "int last() { return helper(1); }\n";
    let text = format!("namespace all {{\n{helper}{unused}{last}}}\n");
    assert_eq!(left(&text), format!("namespace all {{\n{helper}{last}}}\n"));
}

/// It stays where it is large, too, and has no names of its own.
#[test]
fn what_stands_last_may_be_large() {
    let (helper, unused) = (function("helper"), function("unused"));
    let lines = "  helper(1);\n".repeat(400);
    let last = format!("int last() {{\n{lines}  return 1;\n}}\n");
    let text = format!("{helper}{unused}{last}");
    assert!(last.len() > text.len() / 8);
    assert_eq!(left(&text), format!("{helper}{last}"));
}
