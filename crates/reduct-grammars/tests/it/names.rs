//! What names texts define, import and use, in several languages.

use crate::support::grammars;
use proptest::prelude::*;
use reduct_input::{Artifact, Part, Sort, Subject};
use std::sync::Arc;

fn subject(name: &str, text: &str) -> Subject {
    Subject::new(Arc::new(Artifact::of_file(name, text.as_bytes()).unwrap()), Some(grammars()))
}

/// What is defined, in order: the name, what it is, how often it is defined and used.
fn defined(name: &str, text: &str) -> Vec<(String, Sort, usize, usize)> {
    let subject = subject(name, text);
    let names = subject.names();
    let entities = names.entities().iter().map(|entity| {
        let name = String::from_utf8_lossy(names.text(&subject, entity.name)).into_owned();
        (name, entity.sort, entity.defines.len(), entity.uses.len())
    });
    entities.collect()
}

/// The text that goes with each definition.
fn items(name: &str, text: &str) -> Vec<(String, String)> {
    let subject = subject(name, text);
    let names = subject.names();
    let places = names.places().iter().filter(|place| place.part != Part::Uses);
    let shown = |range| String::from_utf8_lossy(subject.text(range)).trim_end().to_owned();
    let item =
        |tree: usize, item: Option<usize>| item.map_or(String::new(), |at| shown(subject.trees()[tree].range(at)));
    places.map(|place| (shown(place.at.clone()), item(place.tree, place.item))).collect()
}

fn expected(all: &[(&str, Sort, usize, usize)]) -> Vec<(String, Sort, usize, usize)> {
    all.iter().map(|(name, sort, defines, uses)| (name.to_string(), *sort, *defines, *uses)).collect()
}

fn pairs(all: &[(&str, &str)]) -> Vec<(String, String)> {
    all.iter().map(|(name, item)| (name.to_string(), item.to_string())).collect()
}

#[test]
fn declarators_of_c_define_the_name_in_them() {
    let found = items("a.c", "int a, *b[3], (*c)(int d) = 0;\nint e = 1;\n");
    let wanted = [("a", "a"), ("b", "*b[3]"), ("c", "(*c)(int d) = 0"), ("d", "int d"), ("e", "int e = 1;")];
    assert_eq!(found, pairs(&wanted));
}

/// A declaration that declares nothing without a name goes with it; what has a type of its own stays.
#[test]
fn what_is_declared_alone_goes_as_a_whole() {
    let found = items("a.cpp", "class a { char b[8]; virtual int c() const = 0; int d, e; };\n");
    let wanted = [("b", "char b[8];"), ("c", "virtual int c() const = 0;"), ("d", "d"), ("e", "e")];
    assert_eq!(found[1..], pairs(&wanted));
    let found = items("a.c", "extern int f(int a) __asm__(\"g\");\n");
    assert_eq!(found[0], pairs(&[("f", "extern int f(int a) __asm__(\"g\");")])[0]);
    let text = "void f() { struct a { int b; } c(1); }";
    let found = items("a.cpp", text);
    assert_eq!(found[1], pairs(&[("a", "struct a { int b; } c(1);")])[0]);
    let of_fields = items("a.cpp", "class a { struct b { int c; } d; };\n");
    assert_eq!(of_fields[3], pairs(&[("d", "d")])[0]);
}

#[test]
fn a_struct_without_members_is_a_use_of_its_name() {
    let found = defined("a.c", "struct s { int m; };\nstruct s x;\nint y = x.m;\n");
    let wanted =
        [("s", Sort::Type, 1, 1), ("m", Sort::Value, 1, 1), ("x", Sort::Value, 1, 1), ("y", Sort::Value, 1, 0)];
    assert_eq!(found, expected(&wanted));
}

#[test]
fn what_a_function_of_c_defines_is_its_own() {
    let found =
        defined("a.c", "int x;\nint f(int x);\nint f(int x) { int y = x; return y; }\nint g(void) { return f(x); }\n");
    let wanted = [
        ("x", Sort::Value, 1, 1),
        ("f", Sort::Function, 2, 1),
        ("x", Sort::Parameter, 1, 0),
        ("x", Sort::Parameter, 1, 1),
        ("y", Sort::Value, 1, 1),
        ("g", Sort::Function, 1, 0),
    ];
    assert_eq!(found, expected(&wanted));
}

#[test]
fn a_name_in_a_macro_is_a_use() {
    let found = defined("a.c", "int used;\n#define M (used + 1)\n");
    assert_eq!(found, expected(&[("used", Sort::Value, 1, 1), ("M", Sort::Value, 1, 0)]));
}

#[test]
fn a_typedef_defines_a_type() {
    let found = defined("a.c", "typedef unsigned long *p;\np x;\nenum e { A, B } y = B;\n");
    let wanted = [
        ("p", Sort::Type, 1, 1),
        ("x", Sort::Value, 1, 0),
        ("e", Sort::Type, 1, 0),
        ("A", Sort::Value, 1, 0),
        ("B", Sort::Value, 1, 1),
        ("y", Sort::Value, 1, 0),
    ];
    assert_eq!(found, expected(&wanted));
}

#[test]
fn methods_defined_elsewhere_are_the_ones_declared() {
    let found = defined("a.cpp", "class A { int f(); };\nint A::f() { return 0; }\n");
    assert_eq!(found, expected(&[("A", Sort::Type, 1, 1), ("f", Sort::Function, 2, 0)]));
}

#[test]
fn python_defines_by_assigning() {
    let found =
        defined("a.py", "import os.path, sys as s\nx = 1\nx = x + s.y\ndef f(a, b=2, *c):\n    a = b\n    return os\n");
    let wanted = [
        ("os", Sort::Import, 1, 1),
        ("s", Sort::Import, 1, 1),
        ("x", Sort::Value, 2, 1),
        ("f", Sort::Function, 1, 0),
        ("a", Sort::Parameter, 2, 0),
        ("b", Sort::Parameter, 1, 1),
        ("c", Sort::Parameter, 1, 0),
    ];
    assert_eq!(found, expected(&wanted));
}

#[test]
fn what_python_imports_goes_alone_or_with_the_import() {
    let found = items("a.py", "from a.b import c as d, e\nimport f\n");
    assert_eq!(found, pairs(&[("d", "c as d"), ("e", "e"), ("f", "import f")]));
}

#[test]
fn javascript_defines_in_patterns_and_classes() {
    let found = items("a.js", "const { a, b: c } = f, [d] = g;\nlet x = 1;\nclass P { m(q) {} }\n");
    let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["a", "c", "d", "x", "P", "m", "q"]);
    assert_eq!(found[3].1, "let x = 1;");
    assert_eq!(found[5].1, "m(q) {}");
}

#[test]
fn javascript_imports_what_stands_after_as() {
    let found = items("a.js", "import d, { a, b as c } from \"m\";\nimport * as n from \"m\";\n");
    let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["d", "a", "c", "n"]);
}

#[test]
fn rust_defines_items_parameters_and_variables() {
    let text = "use std::{fmt, io as i};\nstruct S;\nfn f(a: S, (b, c): T) -> u8 { let mut x = a; x }\n";
    let found = defined("a.rs", text);
    let wanted = [
        ("fmt", Sort::Import, 1, 0),
        ("i", Sort::Import, 1, 0),
        ("S", Sort::Type, 1, 1),
        ("f", Sort::Function, 1, 0),
        ("a", Sort::Parameter, 1, 1),
        ("b", Sort::Parameter, 1, 0),
        ("c", Sort::Parameter, 1, 0),
        ("x", Sort::Value, 1, 1),
    ];
    assert_eq!(found, expected(&wanted));
}

#[test]
fn names_of_two_files_are_one() {
    let mut both = reduct_input::ArtifactBuilder::default();
    both.file("a.h", 0o644, b"int f(int);\n").unwrap().file("b.c", 0o644, b"int f(int x) { return x; }\n").unwrap();
    let subject = Subject::new(Arc::new(both.finish()), Some(grammars()));
    let function = &subject.names().entities()[0];
    assert_eq!((function.defines.len(), function.sort), (2, Sort::Function));
}

/// What is within functions that nest: 0 to 2 begin one, 3 and 4 end one, others define or use one of three names.
fn nested(steps: &[u8]) -> String {
    let (mut text, mut open) = (String::new(), 0);
    for (at, step) in steps.iter().enumerate() {
        match step {
            0..=2 => text += &format!("function f{at}(n{step}) {{ "),
            3 | 4 if open == 0 => {}
            3 | 4 => text += "} ",
            5..=7 => text += &format!("var n{}; ", step - 5),
            _ => text += &format!("use(n{}); ", step % 3),
        }
        open = match step {
            0..=2 => open + 1,
            3 | 4 => i32::max(open - 1, 0),
            _ => open,
        };
    }
    text + &"} ".repeat(open as usize)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// The reference looks at each node around the use, from the innermost one, for a definition of the name there, and then for one of the file.
    #[test]
    fn a_use_refers_to_the_innermost_definition_around_it(steps in prop::collection::vec(0..14u8, 0..60)) {
        let subject = subject("a.js", &nested(&steps));
        let names = subject.names();
        for (at, place) in names.places().iter().enumerate().filter(|(_, place)| place.part == Part::Uses) {
            let tree = &subject.trees()[place.tree];
            let defined_in = |scope| names.entities().iter().position(|it| it.name == place.name && it.scope == scope);
            let mut around = std::iter::successors(tree.parent(place.node), |node| tree.parent(*node));
            let inner = around.find_map(|node| defined_in(Some((place.tree, node))));
            prop_assert_eq!(names.entity_of(at), inner.or(defined_in(None)), "{:?}", subject.text(place.at.clone()));
        }
    }
}
