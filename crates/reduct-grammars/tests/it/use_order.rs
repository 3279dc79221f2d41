//! A project of several files takes as many tests wherever paths put the file that uses the others.

use crate::support::grammars;
use reduct_core::{Outcome, Search};
use reduct_input::{Artifact, ArtifactBuilder};
use reduct_strategies::{Plan, Reduction};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

const MODULES: usize = 16;

/// Returns a program in JavaScript, whose first file has this name: it calls functions of all modules, each of which calls some of modules before it.
fn project(first: &str) -> Artifact {
    let mut builder = ArtifactBuilder::default();
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    let mut app = String::new();
    for module in 0..MODULES {
        let others: Vec<usize> = [2, 3, 5].into_iter().filter_map(|back| module.checked_sub(back)).collect();
        let mut text = String::new();
        for other in &others {
            let _ = writeln!(text, "const m{other} = require('./m{other}');");
        }
        for function in 0..8 {
            let _ = writeln!(text, "exports.f{function} = function (x) {{\n  let t = x + {function};");
            let _ = writeln!(text, "  for (let i = 0; i < {module}; i++) {{\n    t += i;\n  }}");
            for other in others.iter().filter(|_| function < 3) {
                let _ = writeln!(text, "  t += m{other}.f{function}(t);");
            }
            let fails = if (module, function) == (7, 2) { "  throw 'needle';\n" } else { "" };
            let _ = writeln!(text, "{fails}  return t;\n}};");
        }
        files.insert(format!("p/lib/m{module}.js"), text);
        let _ = writeln!(app, "const m{module} = require('./lib/m{module}');");
    }
    for module in 0..MODULES {
        let _ = writeln!(app, "console.log(m{module}.f{}(1));", module % 8);
    }
    app.push_str("m7.f2(0);\n");
    files.insert(format!("p/{first}"), app);
    for (path, text) in files {
        builder.file(&path, 0o644, text.as_bytes()).unwrap();
    }
    builder.finish()
}

/// Returns what stands between two words, for each place of the first one.
fn between<'a>(text: &'a str, start: &'a str, end: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(start).skip(1).map(move |rest| rest.split(end).next().unwrap_or(""))
}

/// Whether it would run up to the failure: what is required is there, and what is called is required and defined.
fn fails(project: &Artifact, first: &str) -> bool {
    let files: BTreeMap<String, &str> = project
        .files()
        .map(|(path, _, text)| (path.to_str().unwrap().to_owned(), std::str::from_utf8(text).unwrap()))
        .collect();
    let module = |name: &str| files.get(&format!("p/lib/{name}.js")).copied();
    let Some(app) = files.get(&format!("p/{first}")) else { return false };
    let mut calls_needle = false;
    for text in files.values() {
        let known: BTreeSet<&str> = between(text, "const ", " = require(").collect();
        let required = between(text, "require('./", "')").map(|path| path.trim_start_matches("lib/"));
        if required.into_iter().any(|name| module(name).is_none()) {
            return false;
        }
        let numbers = (0..MODULES).map(|number| format!("m{number}"));
        for name in numbers.filter(|name| text.contains(&format!("{name}.f"))) {
            let used = format!("{name}.f");
            let calls: BTreeSet<&str> = between(text, &used, "(").collect();
            let is_defined = |function: &&str| {
                known.contains(&*name)
                    && module(&name).is_some_and(|text| text.contains(&format!("exports.f{function} = ")))
            };
            if !calls.iter().all(is_defined) {
                return false;
            }
        }
        calls_needle |= *text == *app && text.contains("m7.f2(0)");
    }
    calls_needle && module("m7").is_some_and(|text| text.contains("exports.f2 = ") && text.contains("throw 'needle'"))
}

/// Returns how many tests it takes to come to a hundredth.
fn tests(first: &str) -> usize {
    let project = project(first);
    assert!(fails(&project, first));
    let all = project.bytes().len();
    let mut reduction = Reduction::new(project, Plan::standard().with_grammars(grammars()));
    let mut asked = 0;
    while reduction.best().len() * 100 > all {
        let candidate = reduction.ask().expect("a hundredth is enough");
        reduction.tell(Outcome::from(fails(&candidate.artifact(), first)));
        asked += 1;
    }
    asked
}

#[test]
fn it_does_not_matter_where_paths_put_the_file_that_uses_the_others() {
    let (before, behind) = (tests("app.js"), tests("zapp.js"));
    assert!(before.abs_diff(behind) * 4 <= behind, "{before} tests if it stands first, {behind} if last");
}
