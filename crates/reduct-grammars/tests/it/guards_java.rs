//! Guards in programs in Java: what they look like, and that a compiler takes them. What they do is shown in the tests of the program
//! `reduct`; without the class that records, everything is executed.

use reduct_grammars::{GuardedCode, Types, guarded_source};
use std::path::Path;
use std::process::{Command, Output};

fn guarded(text: &str) -> GuardedCode {
    guarded_source("java", text.as_bytes(), 1, &[], &Types::new())
        .unwrap_or_else(|| panic!("it can have guards: {text}"))
}

/// Returns a text with guards, with short names and without what it ends with.
fn shortened(text: &str) -> String {
    let text = String::from_utf8(guarded(text).text).unwrap();
    let (text, _) = text.split_once("\n@java.lang.SuppressWarnings").expect("it ends with what guards call");
    text.replace("__Reduct1.", "").replace("__reduct_", "")
}

/// Returns the body of a method with guards.
fn with_guards(body: &str) -> String {
    let text = shortened(&format!("class A {{ void f() {{{body}}}}}"));
    let (_, text) = text.split_once("try{").unwrap();
    text.strip_suffix("}finally{l(f0);}}}").unwrap().to_owned()
}

#[test]
fn statements_declarations_loops_and_branches_have_guards() {
    let cases = [
        ("f();", "{if(k(f0,1,0))f();}"),
        ("x = f();", "{if(k(f0,1,0)){x = f();v(f0,0,\"x\",x);}}"),
        ("this.x++;", "{if(k(f0,1,0)){this.x++;v(f0,0,\"this.x\",this.x);}}"),
        ("int x = f();", "int x = k(f0,1,0)?(f()):0;v(f0,0,\"x\",x);"),
        ("char x = f(), y;", "char x = k(f0,1,0)?(f()):(char)0, y=(char)0;v(f0,0,\"x\",x);"),
        ("int[] x = {1};", "int[] x = k(f0,1,0)?(new int[]{1}):null;v(f0,0,\"x\",x);"),
        ("final T x;", " T x=null;"),
        (
            "if (a) f(); else if (b) g();",
            "{if(k(f0,1,0))if (a) {if(k(f0,2,1))f();} else {if(k(f0,3,1))if (b) {if(k(f0,4,2))g();}}}",
        ),
        ("while (g()) f();", "{if(k(f0,1,0))while (c(f0,1)&&(g())) {if(k(f0,2,1)){{if(k(f0,3,2))f();}}}}"),
        (
            "for (int i = 0; i < g(); i++) { }",
            "{if(k(f0,1,0))for (int i = 0; c(f0,1)&&(i < g()); c(f0,1),i++) {if(k(f0,2,1)){v(f0,1,\"i\",i);{ }}}}",
        ),
        (
            "for (T t : l) f();",
            "{if(k(f0,1,0))for (T t : l) {if(k(f0,2,1)){v(f0,1,\"t\",t);{if(k(f0,3,2))f();}}c(f0,1);}}",
        ),
        ("a: do f(); while (b);", "{if(k(f0,1,0))a: do {if(k(f0,2,1)){{if(k(f0,3,2))f();}}} while (b);}"),
        (
            "switch (a) { case 1: f(); break; }",
            "{if(k(f0,1,0))switch (a) { case 1: {if(k(f0,2,1))f();} {if(k(f0,3,1))break;} }}",
        ),
        ("switch (a) { case 1 -> f(); }", "{if(k(f0,1,0))switch (a) { case 1 -> {if(k(f0,2,1))f();} }}"),
        ("g(() -> { f(); });", "{if(k(f0,1,0))g(() -> {int[] f1=e(4);try{ {if(k(f1,2,0))f();} }finally{l(f1);}});}"),
    ];
    for (body, expected) in cases {
        // Each has at least one statement with a guard.
        let next = 1 + expected.matches("k(").count();
        assert_eq!(with_guards(&format!("{body} h();")), format!("{expected} {{if(k(f0,{next},0))h();}}"), "{body}");
    }
}

#[test]
fn what_must_be_executed_has_none() {
    let fixed = [
        "final int n = 3;",
        ";",
        "class B { }",
        "int[] x[] = {{1}};",
        // It says what `b` is behind it.
        "if (!(a instanceof B b)) return;",
        // The value of a switch is known in any case.
        "int[] x[] = {{switch (a) { default -> { yield 1; } }}};",
    ];
    for body in fixed {
        assert_eq!(with_guards(&format!("{body} h();")), format!("{body} {{if(k(f0,1,0))h();}}"), "{body}");
    }
    // What it calls belongs to the method.
    assert_eq!(with_guards("var x = f(); h();"), "c(f0,0);var x = f(); {if(k(f0,1,0))h();}");
    // Initialisers of classes are executed when the class is used first.
    let text = "enum E { A; static int x = f(); E() { g(); } static { h(); } int m() { return 1; } }";
    let expected = "enum E { A; private static final int s=s();static int x = f(); E() {int s0=s();try{ g(); }finally{t(s0);}} \
                    static { h(); }static{t(s);} int m() {int[] f0=e(4);try{ {if(k(f0,1,0))return 1;} return 0;}finally{l(f0);}} }";
    assert_eq!(shortened(text), expected);
    let none = ["class A { int x = 1; }", "class A { void f() { } }", "interface A { int f(); }", "f"];
    assert!(none.iter().all(|text| guarded_source("java", text.as_bytes(), 1, &[], &Types::new()).is_none()));
}

#[test]
fn lines_stay_and_functions_can_be_left_as_they_are() {
    let text = "class A {\n    void one() {\n        f(() -> {\n            g();\n        });\n    }\n    int two() { return 2; }\n}\n";
    let all = guarded(text);
    let lines = |text: &[u8]| String::from_utf8_lossy(text).lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(lines(&all.text)[6].contains("return 2;"));
    let statements: Vec<(u32, &str)> = all.statements.iter().map(|it| (it.line, it.function.as_str())).collect();
    assert_eq!(statements, [(3, "A.one"), (4, "A.one.lambda"), (7, "A.two")]);
    assert_eq!(all.functions, [2..7, 3..6, 7..8]);
    let without = guarded_source("java", text.as_bytes(), 1, &[2], &Types::new()).unwrap();
    assert_eq!(lines(&without.text)[..6], lines(text.as_bytes())[..6]);
    assert_eq!(without.functions.first(), Some(&(7..8)));
}

/// What of a virtual machine is not worth its start in a program as short as these.
const SHORT: [&str; 2] = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];

/// Compiles a text as a file.
fn compile(folder: &Path, file: &str, text: &[u8]) {
    std::fs::create_dir(folder).unwrap();
    std::fs::write(folder.join(file), text).unwrap();
    let short = SHORT.map(|option| format!("-J{option}"));
    let mut javac = Command::new("javac");
    let compiled = javac.args(short).args(["-Xlint:none", "-g", file]).current_dir(folder).output().unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
}

/// Runs a class that was compiled.
fn ran(folder: &Path, class: &str, arguments: &[&str]) -> Output {
    let mut java = Command::new("java");
    java.args(SHORT).args(["-cp", ".", class]).args(arguments).current_dir(folder).output().unwrap()
}

#[test]
fn a_compiler_takes_all_constructs_and_they_do_what_they_did() {
    let text = include_bytes!("../../../../fixtures/guards/Constructs.java");
    let folder = tempfile::tempdir().unwrap();
    let guarded = guarded_source("java", text, 1, &[], &Types::new()).unwrap();
    let [plain, with] = [("plain", &text[..]), ("guarded", &guarded.text)].map(|(name, text)| {
        let folder = folder.path().join(name);
        compile(&folder, "Constructs.java", text);
        folder
    });
    for arguments in [&[][..], &["one", "two"]] {
        let [plain, with] = [&plain, &with].map(|folder| ran(folder, "Constructs", arguments));
        assert_eq!(String::from_utf8_lossy(&plain.stdout), String::from_utf8_lossy(&with.stdout));
        assert_eq!(String::from_utf8_lossy(&plain.stderr), String::from_utf8_lossy(&with.stderr));
        assert_eq!(plain.status, with.status);
    }
}
