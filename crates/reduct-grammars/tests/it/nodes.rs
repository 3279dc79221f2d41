//! What kind `nodes` takes for parts, by hand.

use crate::support::{grammars, parts};
use reduct_core::{Config, Delta};
use reduct_grammars::Languages;
use reduct_input::parts::Items;
use reduct_input::{Artifact, ArtifactBuilder, Circumstances, Parts, Spans, Subject};
use reduct_passes::Pass;
use std::path::Path;
use std::sync::Arc;

/// The parts of each level.
fn levels(path: &str, text: &str) -> Vec<Vec<String>> {
    let levels = parts(Path::new(path), text.as_bytes(), Languages::all());
    levels.into_iter().map(|level| level.into_iter().map(|(part, ..)| part).collect()).collect()
}

/// What is left without each part of a level.
fn without(path: &str, text: &str, level: usize) -> Vec<String> {
    let levels = parts(Path::new(path), text.as_bytes(), Languages::all());
    levels[level].iter().map(|(.., left)| String::from_utf8_lossy(left).into_owned()).collect()
}

#[test]
fn declarations_statements_and_arguments() {
    let text = "int a, b;\n\nint f(int x, int y) {\n  if (x)\n    return g(1, 2);\n  return 0;\n}\n";
    let all = levels("a.c", text);
    assert_eq!(all[0], ["int a, b;\n", "int f(int x, int y) {\n  if (x)\n    return g(1, 2);\n  return 0;\n}\n"]);
    assert_eq!(all[1], ["a, ", "b", "int x, ", "int y", "  if (x)\n    return g(1, 2);\n", "  return 0;\n"]);
    assert!(all[2].contains(&" 0".to_owned()) && all.concat().contains(&"1, ".to_owned()));
    let left = without("a.c", text, 1);
    assert!(left[0].starts_with("int b;\n") && left[1].starts_with("int a;\n"));
    assert!(left[2].contains("f(int y)") && left[3].contains("f(int x)"));
}

/// The last of a list stands on its own line: its separator is on the one before.
#[test]
fn lists_over_lines() {
    let left = without("a.json", "[\n  1,\n  2,\n  3\n]\n", 1);
    assert_eq!(left, ["[\n  2,\n  3\n]\n", "[\n  1,\n  3\n]\n", "[\n  1,\n  2\n]\n"]);
}

/// What is left without the part that is this, and all after it in the same list.
fn removed_from(name: &str, text: &str, part: &str) -> String {
    let base = Arc::new(Artifact::of_file(name, text.as_bytes()).unwrap());
    let subject = Subject::new(base.clone(), Some(grammars()));
    let levels = (Pass::named("nodes").unwrap().propose)(&subject);
    let mut left = levels.into_iter().filter_map(|level| {
        let parts = Parts::new(base.clone(), level);
        let is_first = |at: &usize| text[parts.addresses(Delta(*at as u32)).start as usize..].starts_with(part);
        let first = (0..parts.len()).find(is_first)?;
        let left = parts.candidate(&Config::full(parts.len()).without(first..parts.len())).unwrap();
        Some(String::from_utf8(left.artifact().bytes().to_vec()).unwrap())
    });
    left.next().unwrap()
}

/// The comma after the last of a list goes with it, so that none is left where all go.
#[test]
fn commas_at_the_end_of_lists() {
    let left = without("a.py", "f([\n  b,\n  c,\n])\n", 2);
    assert_eq!(left, ["f([\n  c,\n])\n", "f([\n  b,\n])\n"]);
    let tail = removed_from("a.go", "package a\nvar a = f(b, c, d,\n)\n", "c, ");
    assert_eq!(tail, "package a\nvar a = f(b,\n)\n");
    assert_eq!(removed_from("a.py", "a = (b, c, d,)\n", "c, "), "a = (b,)\n");
    for (name, text, left) in [
        ("a.c", "enum { a, b, };", "enum { };"),
        ("a.rs", "enum A { B, C, }", "enum A { }"),
        ("a.py", "a = [b,]", "a = []"),
    ] {
        let base = Arc::new(Artifact::of_file(name, text.as_bytes()).unwrap());
        let subject = Subject::new(base.clone(), Some(grammars()));
        let levels = (Pass::named("nodes").unwrap().propose)(&subject);
        let without_all = |spans: Spans| Parts::new(base.clone(), spans).candidate(&Config::empty()).unwrap();
        let all: Vec<_> = levels.into_iter().map(|level| without_all(level).artifact().bytes().to_vec()).collect();
        let all: Vec<_> = all.iter().map(|all| String::from_utf8_lossy(all).replace(' ', "")).collect();
        assert!(all.contains(&left.replace(' ', "")), "{left}: {all:?}");
    }
}

#[test]
fn bodies_by_indentation() {
    let text = "class A:\n    x = 1\n\n    def f(self):\n        g()\n        return 2\n";
    assert_eq!(levels("a.py", text)[1], ["    x = 1\n", "    def f(self):\n        g()\n        return 2\n"]);
    assert_eq!(without("a.py", text, 1)[0], "class A:\n\n    def f(self):\n        g()\n        return 2\n");
}

#[test]
fn maps_by_indentation() {
    let text = "a:\n  b: 1\n  c:\n    - x\n    - y\nd: 2\n";
    let all = levels("a.yaml", text).concat();
    for part in ["a:\n  b: 1\n  c:\n    - x\n    - y\n", "  b: 1\n", "  c:\n    - x\n    - y\n", "    - x\n", "d: 2\n"]
    {
        assert!(all.iter().any(|found| found == part), "{part:?} in {all:?}");
    }
}

#[test]
fn elements_attributes_and_texts() {
    let text = "<ul class=\"a\" id=b>\n  <li>one</li>\n  <li>two <b>three</b></li>\n</ul>\n";
    let all = levels("a.html", text);
    assert_eq!(all[0], [text]);
    assert_eq!(all[1], [" class=\"a\"", " id=b", "  <li>one</li>\n", "  <li>two <b>three</b></li>\n"]);
    assert!(all[2].contains(&"<b>three</b>".to_owned()), "{all:?}");
}

/// What the grammar does not know is a part, and what is around it is read.
#[test]
fn attributes_of_namespaces() {
    let text = "namespace a __attribute__ ((b (\"c\")))\n{\n  int d;\n}\nint e; // namespace f __attribute__((g)) {\n";
    let all = levels("a.cpp", text);
    let namespace = "namespace a __attribute__ ((b (\"c\")))\n{\n  int d;\n}\n";
    assert_eq!(all[0], [namespace, "int e;", " // namespace f __attribute__((g)) {"]);
    assert!(all[1].contains(&" __attribute__ ((b (\"c\")))".to_owned()), "{all:?}");
    assert!(all[1].contains(&"  int d;\n".to_owned()), "{all:?}");
    let errors = grammars().errors(Path::new("a.cpp"), text.as_bytes());
    assert_eq!(errors, Some(0));
}

/// A value goes with its sign.
/// What the grammar has beside a class ends it, so that it stays when all behind it goes.
#[test]
fn classes_end_with_their_signs() {
    let text = "namespace n {\nstruct a { private: int b; };\nint c;\nint d;\n}\n";
    let left = without("a.cpp", text, 1).concat();
    assert!(left.contains("struct a { private: int b; };\nint d;\n}"), "{left}");
    let gone = without("a.cpp", "class a { public: int b; };\nint c;\n", 0);
    assert_eq!(gone, ["int c;\n", "class a { public: int b; };\n"]);
    let members = without("a.cpp", "class a { int e; public: int b; };\n", 2).concat();
    assert!(members.contains("{ int e; public: }"), "{members}");
}

/// Words of GNU C++ that the grammar does not know do not hide what stands behind them.
#[test]
fn words_before_others_are_read() {
    let texts = [
        "extern template class a<b>;\nint c;\n",
        "__extension__ template<typename a> using b = c<a>;\nint c;\n",
        "struct a { typedef decltype(b(0)) c; int d; };\nint c;\n",
        "void f() { int a __attribute__ ((__unused__)) = 1; g(a); }\nint c;\n",
        "int f() { __decltype(g(1)) a(2); return a; }\nint c;\n",
    ];
    for text in texts {
        let all = levels("a.cpp", text);
        assert_eq!(all[0], text.split_inclusive('\n').collect::<Vec<_>>());
    }
}

#[test]
fn signs_of_what_is_optional() {
    for (path, text, left) in [
        ("a.js", "let x = 5;\n", "let x;\n"),
        ("a.rs", "fn f() -> u8 {}\n", "fn f() {}\n"),
        ("a.java", "class A { int x = a.b(); }\n", "class A { int x = b(); }\n"),
        ("a.py", "x: int = 1\n", "x: int\n"),
    ] {
        let all: Vec<_> = (0..levels(path, text).len()).flat_map(|level| without(path, text, level)).collect();
        assert!(all.iter().any(|found| found == left), "{all:?}");
    }
}

/// The blanks at the end of a file belong to nothing in the next one, nor those it begins with to the one before.
#[test]
fn what_goes_is_of_one_file() {
    let mut two = ArtifactBuilder::default();
    two.file("a.c", 0o644, b"int a;\n  ").unwrap().file("b.c", 0o644, b"int b;").unwrap();
    two.file("c.c", 0o644, b" \nint c;\n").unwrap();
    let subject = Subject::new(Arc::new(two.finish()), Some(grammars()));
    for kind in ["nodes", "lists"] {
        let mut found = vec![];
        for spans in (Pass::named(kind).unwrap().propose)(&subject) {
            let Some(Items(items)) = spans.get::<Items>() else { panic!("{kind} are items") };
            found.extend(items.iter().map(|item| String::from_utf8_lossy(subject.text(item.at.clone())).into_owned()));
        }
        found.sort();
        assert_eq!(found, ["int a;\n", "int b;", "int c;\n"], "{kind}");
    }
}
