//! Definitions go with all that depends on them.

use crate::references::{made_by, makes};
use reduct_core::{Outcome, Search};
use reduct_grammars::Languages;
use reduct_input::Artifact;
use reduct_passes::Pass;
use reduct_strategies::{Plan, Reduction};
use std::sync::Arc;

#[test]
fn what_uses_it_goes_in_turn() {
    let classes = "class A {}\nclass B extends A {}\nfunction f(b = new B()) {}\nfunction g() {}\nf();\ng();\n";
    assert!(makes("dependents", "a.js", classes, "function g() {}\ng();\n"));
    let functions = "def a():\n    return 1\n\ndef b(x=a()):\n    return x\n\ndef c():\n    return 2\n\nprint(b(), 0)\nprint(c())\n";
    assert!(makes("dependents", "a.py", functions, "def c():\n    return 2\n\nprint(c())\n"));
    let two = "struct S { int a; };\nint f(struct S *s);\nint g(int a);\nint h(int a) { f(0); return g(a); }\n";
    assert!(makes("dependents", "a.c", two, "int g(int a);\nint h(int a) { return g(a); }\n"));
}

/// A member goes without the class, and a class with the functions that take it.
#[test]
fn members_go_alone() {
    let text = "struct A { int a; };\nstruct B { A one; int two; };\nint f(A *a);\nint g(B *b) { return b->two; }\n";
    assert!(makes("dependents", "a.cpp", text, "struct B { int two; };\nint g(B *b) { return b->two; }\n"));
}

#[test]
fn what_is_defined_elsewhere_as_well_keeps_its_uses() {
    let text = "struct S {};\nint f(S *s);\nint f(int a);\nint g() { return f(1); }\n";
    assert!(makes("dependents", "a.cpp", text, "int f(int a);\nint g() { return f(1); }\n"));
}

/// A template that is defined elsewhere is not gone with the first of its specializations.
#[test]
fn specializations_of_what_is_defined_elsewhere_go_alone() {
    let text = "struct A { int a; };\nstruct B { int b; };\ntemplate<> struct hash<A> { int c; };\n\
                template<> struct hash<B> { int d; };\nint f(A a);\nint main() { B b; hash<B> h; return b.b; }\n";
    let left =
        "struct B { int b; };\ntemplate<> struct hash<B> { int d; };\nint main() { B b; hash<B> h; return b.b; }\n";
    assert!(makes("dependents", "a.cpp", text, left), "{:#?}", made_by("dependents", "a.cpp", text));
}

#[test]
fn what_is_run_from_outside_stays() {
    let text = "typedef int number;\nint f(number a);\nnumber main() { return f(1); }\n";
    let made = made_by("dependents", "a.c", text);
    assert!(!made.is_empty() && made.iter().all(|made| made.contains("main")), "{made:?}");
}

/// An import goes with what it makes known, and what uses that.
#[test]
fn imports_keep_nothing() {
    let text = "mod m { pub struct A; pub struct B(pub A); }\nuse m::B;\nfn f(b: B) {}\nfn g() {}\n";
    assert!(makes("dependents", "a.rs", text, "mod m { }\nfn g() {}\n"), "{:#?}", made_by("dependents", "a.rs", text));
}

/// It is tried where the tree gets on slowly, and no proof goes through it; by itself it is proved.
#[test]
fn nothing_is_claimed_of_what_no_proof_goes_through() {
    let is_proved = |plan: &Plan| {
        let pass = plan.passes.iter().position(|pass| pass.name == "dependents").unwrap();
        plan.is_proved(pass)
    };
    let all = Plan::standard();
    assert!(!is_proved(&all) && is_proved(&Plan { min_removal: 2, ..Plan::standard() }));
    assert!(is_proved(&Plan { passes: vec![Pass::named("dependents").unwrap()], ..all }));
}

#[test]
fn one_of_a_list_goes_with_its_comma() {
    let text = "enum E { A, B, C };\nint a = A;\nint b = B;\nint c = C;\n";
    assert!(makes("dependents", "a.c", text, "enum E { A, C };\nint a = A;\nint c = C;\n"));
    assert!(makes("dependents", "a.c", text, "enum E { A, B };\nint a = A;\nint b = B;\n"));
}

/// A program of many functions, a third of which must work. The others are used, by each other and in what is needed, and do what they do as long as
/// they are there: no body is emptied.
#[test]
fn what_is_used_but_not_needed_goes_where_the_tree_gets_on_slowly() {
    const COUNT: usize = 240;
    let lines = |at: usize| (0..6 + at % 3).map(|line| format!("  a = a * {line} + {at};\n")).collect::<String>();
    let call = |of: usize| format!("  if (a < {of}) f{of}(a);\n");
    // What must work calls the next of its kind, too.
    let body = |at: usize| lines(at) + &if at.is_multiple_of(3) { call((at + 3) % COUNT) } else { String::new() };
    let function = |at: usize| {
        let used = if at.is_multiple_of(3) { at + 1 } else { at / 3 * 3 + 2 };
        format!("function f{at}(a) {{\n{}{}  return a;\n}}\n", body(at), call(used))
    };
    let text: String = (0..COUNT).map(function).collect();
    let works = |text: &[u8]| {
        let text = String::from_utf8_lossy(text);
        let is_there = |at: usize| text.contains(&format!("function f{at}("));
        let is_whole = |at: usize| text.contains(&format!("function f{at}(a) {{\n{}", body(at)));
        let is_called = |at: usize| text.contains(&format!(" f{at}(a);"));
        (0..COUNT).all(|at| if is_there(at) { is_whole(at) } else { at % 3 > 0 && !is_called(at) })
    };
    let mut plan = Plan::standard().with_grammars(Arc::new(Languages::all()));
    // It takes functions that look like each other for records.
    plan.passes.retain(|pass| pass.name != "references");
    let mut reduction = Reduction::new(Artifact::of_file("a.js", text.as_bytes()).unwrap(), plan);
    let mut gone = 0;
    for _ in 0..200 {
        let candidate = reduction.ask().unwrap();
        let is_of_dependents = reduction.phase().is_some_and(|phase| phase.kind == "dependents");
        let before = reduction.best().artifact().bytes().len();
        reduction.tell(if works(candidate.artifact().bytes()) { Outcome::Fail } else { Outcome::Pass });
        if is_of_dependents {
            gone += before - reduction.best().artifact().bytes().len();
        }
    }
    // Two thirds of it can go. None of that goes otherwise.
    assert!(gone > text.len() / 8, "{gone} of {}", text.len());
}
