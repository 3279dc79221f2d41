//! Statements go with all that is used through them alone.

use crate::references::{made_by, makes};
use reduct_core::{Outcome, Search};
use reduct_grammars::Languages;
use reduct_input::Artifact;
use reduct_strategies::{Plan, Reduction};
use std::sync::Arc;

#[test]
fn what_is_used_through_it_alone_goes() {
    let functions = "def a():\n    return 1\n\ndef b(x):\n    return x + a()\n\ndef c():\n    return 2\n\nprint(b(0))\nprint(c())\n";
    assert!(makes("dominators", "a.py", functions, "def c():\n    return 2\n\nprint(c())\n"));
    // Both calls need it.
    let both = functions.replace("return 2", "return a()");
    assert!(makes("dominators", "a.py", &both, "def a():\n    return 1\n\ndef c():\n    return a()\n\nprint(c())\n"));
    let circle = "function f(n) { return g(n); }\nfunction g(n) { return f(n); }\nfunction h() {}\nf(1);\nh();\n";
    assert!(makes("dominators", "a.js", circle, "function h() {}\nh();\n"));
}

/// What C++ finds by types is used as its types are: operators, specializations, overloads.
#[test]
fn what_is_about_a_type_goes_with_it() {
    let text = "template<class T> struct size;\ntemplate<class T> struct list { T *first; };\n\
                template<class T> struct size<list<T>> { int all; };\n\
                template<class T> bool operator==(const list<T> &a, const list<T> &b);\n\
                int swap(int &a);\ntemplate<class T> int swap(list<T> &a);\n\
                struct needed { size<int> *one; list<int> many; };\n\
                int main() { needed *it; int a; return swap(a); }\n";
    let left = "template<class T> struct size;\nint swap(int &a);\nstruct needed { size<int> *one; };\n\
                int main() { needed *it; int a; return swap(a); }\n";
    assert!(makes("dominators", "a.cpp", text, left), "{:#?}", made_by("dominators", "a.cpp", text));
}

/// A declaration without a definition declares, and is no use.
#[test]
fn what_is_declared_first_goes_with_its_definition() {
    let text = "struct A;\nstruct A { int a, b, c; };\nstruct B { int b; };\nint f(A *a);\nint main() { f(0); B b; return b.b; }\n";
    assert!(makes("dominators", "a.cpp", text, "struct B { int b; };\nint main() { B b; return b.b; }\n"));
}

/// A declaration between `#ifndef` and `#endif` is no use, either.
#[test]
fn what_is_declared_under_a_condition_goes_with_its_definition() {
    let text = "#ifndef GUARD\nstruct A;\n#endif\nstruct A { int a, b, c; };\nstruct B { int b; };\nint f(A *a);\nint main() { f(0); B b; return b.b; }\n";
    let left = "#ifndef GUARD\n#endif\nstruct B { int b; };\nint main() { B b; return b.b; }\n";
    assert!(makes("dominators", "a.cpp", text, left), "{:#?}", made_by("dominators", "a.cpp", text));
}

/// Members that only each other use keep no class.
#[test]
fn members_that_nothing_else_uses_keep_nothing() {
    let text = "struct A { int a() { return b(); } int b() { return a(); } int c() { return 1; } };\n\
                int f() { A x; return x.c(); }\nint main() { f(); return 2; }\n";
    assert!(
        makes("dominators", "a.cpp", text, "int main() { return 2; }\n"),
        "{:#?}",
        made_by("dominators", "a.cpp", text)
    );
}

/// What defines several things stays for each of them.
#[test]
fn what_defines_several_things_is_used_through_each() {
    let text = "typedef struct S { int a; } T;\nint f(T *t) { return t->a; }\nint g(struct S *s) { return s->a; }\n\
                int main() { f(0); return g(0); }\n";
    for made in made_by("dominators", "a.c", text) {
        assert!(made.contains("typedef struct S {") || !made.contains("int g("), "{made}");
    }
}

/// Nothing that stays uses what goes, whatever the program.
#[test]
fn all_that_stays_finds_what_it_uses() {
    for seed in 0..40_u64 {
        let mut state = seed;
        let mut draw = |below: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % below
        };
        let count = 4 + draw(8);
        let mut call = || (0..draw(3)).map(|_| format!("  f{}();\n", draw(count))).collect::<String>();
        let functions: String =
            (0..count).map(|at| format!("int f{at}() {{\n{}  return {at};\n}}\n", call())).collect();
        let text = format!("{functions}int main() {{\n{}{}  return 0;\n}}\n", call(), call());
        for made in made_by("dominators", "a.c", &text) {
            for at in (0..count).filter(|at| made.contains(&format!("  f{at}();"))) {
                assert!(made.contains(&format!("int f{at}() {{")), "f{at} is called in\n{made}\nof\n{text}");
            }
            assert!(made.len() < text.len() && made.contains("int main() {"));
        }
    }
}

/// A program that is a library to all but a few of its lines, one of which leads to the whole of it.
#[test]
fn a_library_goes_with_the_one_line_that_leads_to_it() {
    const COUNT: usize = 400;
    let callees = |at: usize| [2 * at + 1, 2 * at + 2, at / 2 + 7].into_iter().filter(|of| *of < COUNT);
    let call = |of: usize| format!("  use(f{of}());\n");
    let function = |at: usize| {
        let lines: String = (0..4).map(|line| format!("  use({line}, \"{at}\");\n")).collect();
        format!("function f{at}() {{\n{lines}{}  return {at};\n}}\n", callees(at).map(call).collect::<String>())
    };
    let library: String = (0..COUNT).map(function).collect();
    let text = format!("function use(a) {{}}\n{library}use(f0());\nuse(\"needed\");\n");
    // No function is empty, and what is called is there.
    let works = |text: &[u8]| {
        let text = String::from_utf8_lossy(text);
        let is_there = |at: usize| text.contains(&format!("function f{at}() {{\n  use("));
        let is_cut = |at: usize| text.contains(&format!("function f{at}(")) && !text.contains(&function(at));
        let is_called = |at: usize| text.contains(&format!("f{at}());"));
        text.contains("use(\"needed\")") && (0..COUNT).all(|at| !is_cut(at) && (is_there(at) || !is_called(at)))
    };
    let mut plan = Plan::standard().with_grammars(Arc::new(Languages::all()));
    // In this text half of all lines go at once, or functions that look like each other as records.
    plan.passes.retain(|pass| pass.name != "references" && pass.name != "stretches");
    let mut reduction = Reduction::new(Artifact::of_file("a.js", text.as_bytes()).unwrap(), plan);
    for _ in 0..24 {
        let candidate = reduction.ask().unwrap();
        reduction.tell(if works(candidate.artifact().bytes()) { Outcome::Fail } else { Outcome::Pass });
    }
    let left = reduction.best().artifact().bytes().len();
    assert!(left < text.len() / 16, "{left} of {} bytes", text.len());
}
