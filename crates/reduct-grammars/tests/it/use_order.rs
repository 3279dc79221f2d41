//! A project of several files takes as many tests wherever paths put the file that uses the others.

use crate::support::grammars;
use reduct_core::{Outcome, Search};
use reduct_input::{Artifact, ArtifactBuilder};
use reduct_strategies::{Plan, Reduction};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

const MODULES: usize = 16;

const IMAGE: &[u8] = &[0, 255, 0, 1];

/// How files are named: the one that uses all others, and what modules have behind their number; and whether an image stands among them.
#[derive(Clone, Copy)]
struct Names {
    first: &'static str,
    ends: &'static str,
    image: bool,
}

/// Returns a program in JavaScript, whose first file calls functions of all modules, each of which calls some of modules before it.
fn project(Names { first, ends, image }: Names) -> Artifact {
    let mut builder = ArtifactBuilder::default();
    let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    let mut app = String::new();
    for module in 0..MODULES {
        let others: Vec<usize> = [2, 3, 5].into_iter().filter_map(|back| module.checked_sub(back)).collect();
        let mut text = String::new();
        for other in &others {
            let _ = writeln!(text, "const m{other} = require('./m{other}{ends}');");
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
        files.insert(format!("p/lib/m{module}{ends}.js"), text.into_bytes());
        let _ = writeln!(app, "const m{module} = require('./lib/m{module}{ends}');");
    }
    for module in 0..MODULES {
        let _ = writeln!(app, "console.log(m{module}.f{}(1));", module % 8);
    }
    app.push_str("m7.f2(0);\n");
    files.insert(format!("p/{first}"), app.into_bytes());
    if image {
        files.insert("p/lib/image".into(), IMAGE.into());
    }
    for (path, text) in files {
        builder.file(&path, 0o644, &text).unwrap();
    }
    builder.finish()
}

/// Returns what stands between two words, for each place of the first one.
fn between<'a>(text: &'a str, start: &'a str, end: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(start).skip(1).map(move |rest| rest.split(end).next().unwrap_or(""))
}

/// Whether it would run up to the failure: what is required is there, and what is called is required and defined.
fn fails(project: &Artifact, Names { first, ends, image }: Names) -> bool {
    if image && !project.files().any(|(.., text)| text == IMAGE) {
        return false;
    }
    let files: BTreeMap<String, &str> = project
        .files()
        .filter(|(path, ..)| path.extension().is_some())
        .map(|(path, _, text)| (path.to_str().unwrap().to_owned(), std::str::from_utf8(text).unwrap()))
        .collect();
    let module = |name: &str| files.get(&format!("p/lib/{name}.js")).copied();
    let Some(app) = files.get(&format!("p/{first}")) else { return false };
    let mut calls_needle = false;
    for text in files.values() {
        let knows = |name: &str| {
            let required = format!("const {name} = require('./");
            between(text, &required, "'").any(|path| path.trim_start_matches("lib/") == format!("{name}{ends}"))
        };
        let required = between(text, "require('./", "')").map(|path| path.trim_start_matches("lib/"));
        if required.into_iter().any(|name| module(name).is_none()) {
            return false;
        }
        let numbers = (0..MODULES).map(|number| format!("m{number}"));
        for name in numbers.filter(|name| text.contains(&format!("{name}.f"))) {
            let used = format!("{name}.f");
            let calls: BTreeSet<&str> = between(text, &used, "(").collect();
            let is_defined = |function: &&str| {
                knows(&name)
                    && module(&format!("{name}{ends}"))
                        .is_some_and(|text| text.contains(&format!("exports.f{function} = ")))
            };
            if !calls.iter().all(is_defined) {
                return false;
            }
        }
        calls_needle |= *text == *app && text.contains("m7.f2(0)");
    }
    calls_needle
        && module(&format!("m7{ends}"))
            .is_some_and(|text| text.contains("exports.f2 = ") && text.contains("throw 'needle'"))
}

/// Returns how many tests it takes to come to a hundredth.
fn tests(names: Names) -> usize {
    let project = project(names);
    assert!(fails(&project, names));
    let all = project.bytes().len();
    let mut reduction = Reduction::new(project, Plan::standard().with_grammars(grammars()));
    let mut asked = 0;
    while reduction.best().len() * 100 > all {
        let candidate = reduction.ask().expect("a hundredth is enough");
        reduction.tell(Outcome::from(fails(&candidate.artifact(), names)));
        asked += 1;
    }
    asked
}

#[test]
fn it_does_not_matter_where_paths_put_the_file_that_uses_the_others() {
    let of = |first| tests(Names { first, ends: "", image: false });
    let (before, behind) = (of("app.js"), of("zapp.js"));
    assert!(before.abs_diff(behind) * 4 <= behind, "{before} tests if it stands first, {behind} if last");
    assert!(before.max(behind) <= 5 * MODULES, "{before} and {behind}");
}

#[test]
fn a_file_that_is_no_text_does_not_change_the_order_of_the_others() {
    let asked = tests(Names { first: "app.js", ends: "", image: true });
    assert!(asked <= 5 * MODULES, "{asked}");
}

#[test]
fn names_with_dots_are_names() {
    let asked = tests(Names { first: "app.js", ends: ".service", image: false });
    assert!(asked <= 5 * MODULES, "{asked}");
}
