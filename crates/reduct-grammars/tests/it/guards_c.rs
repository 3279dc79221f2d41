//! Guards in programs in C: what they look like, and that a compiler takes them. What they do is shown in the tests of the program
//! `reduct`; without the library that records, everything is executed.

use reduct_grammars::{GuardedCode, Types, guarded_source};
use std::path::Path;
use std::process::Command;

fn guarded(text: &str) -> GuardedCode {
    guarded_source("c", text.as_bytes(), 0, &[], &Types::new()).unwrap_or_else(|| panic!("it can have guards: {text}"))
}

/// Returns the body of a function with guards, with short names and without what it begins and ends with.
fn with_guards(body: &str) -> String {
    let text = String::from_utf8(guarded(&format!("void f(void) {{{body}}}")).text).unwrap();
    let (_, text) = text.rsplit_once("#line 1\n").expect("it begins with what guards call");
    let (_, text) = text.split_once("__reduct_frame(").unwrap();
    let (_, text) = text.split_once(");").unwrap();
    text.strip_suffix('}').unwrap().replace("__reduct_", "")
}

#[test]
fn statements_declarations_loops_and_branches_have_guards() {
    let cases = [
        ("f();", "{if(k(0,0)){f();}}"),
        ("f(&x, y);", "{if(k(0,0)){f(&x, y);v(0,\"x\",x);}}"),
        ("x = f(1, 2);", "(void)(k(0,0)&&((x = f(1, 2)),v(0,\"x\",x),1));"),
        ("a[i++] = 1;", "(void)(k(0,0)&&((a[i++] = 1),1));"),
        ("p->next->next = 0;", "(void)(k(0,0)&&((p->next->next = 0),1));"),
        ("p->next--;", "(void)(k(0,0)&&((p->next--),v(0,\"p->next\",p->next),1));"),
        ("int x = f();", "int x={0};(void)(k(0,0)&&((x = f()),v(0,\"x\",x),1));"),
        (
            "const char *s = g(), **t, c = 1;",
            // The last one is constant, so they stay together. What they call belongs to the function.
            "c(-1);const char *s = g(), **t, c = 1;",
        ),
        // A pointer begins as one that is told from others by where it is declared: the text before the body has 14 bytes.
        (
            "char *s = g(), **t, c;",
            "char *s={p(19)},**t={p(29)},c={0};(void)(k(0,0)&&((s = g(), t, c),v(0,\"s\",s),1));",
        ),
        ("int (*h)(int) = g;", "int (*h)(int)={p(18)};(void)(k(0,0)&&((h = g),v(0,\"h\",h),1));"),
        ("list l;", "list l={n(l,19)};"),
        ("struct s t, *u;", "struct s t={0}, *u={p(26)};"),
        ("int x, y[2];", "int x={0}, y[2];z(y);"),
        ("char b[n][2], *c[3], (*d)[4];f();", "char b[n][2], *c[3], (*d)[4]={p(35)};z(c);z(b);{if(k(0,0)){f();}}"),
        ("static int a[2]; register int b[2]; const int c[2];", "static int a[2]; register int b[2]; const int c[2];"),
        // What follows may use the array.
        ("int a[2], b = f();", "c(-1);int a[2],*y18=(z(a),(void *)0), b = f();"),
        ("int b = f(), a[2];", "c(-1);int b = f(), a[2];z(a);"),
        ("_Alignas(2) char a[2], b = 1;", "_Alignas(2) char a[2], b = 1;z(a);"),
        ("auto int a[2]; char b[2] [[gnu::unused]];", "auto int a[2];z(a); char b[2] [[gnu::unused]];z(b);"),
        (
            "if (a) f(); else if (b) g();",
            "{if(k(0,0))if (a) {if(k(1,1)){f();}} else {if(k(2,1))if (b) {if(k(3,2)){g();}}}}",
        ),
        ("while (g()) f();", "{if(k(0,0))while (c(0),g()) {if(k(1,1)){{if(k(2,2)){f();}}}}}"),
        ("for (i = 0; i < n; i++) { }", "{if(k(0,0))for (i = 0; c(0),i < n; c(0),i++) {if(k(1,1)){v(1,\"i\",i);{ }}}}"),
        (
            "for (int i = 0, a[n], j, *p; i; i++) ;",
            "{if(k(0,0))for (int i = 0, a[n],*y30=(z(a),(void *)0), j={0}, *p={p(39)}; c(0),i; c(0),i++) {if(k(1,1)){v(1,\"i\",i);;}}}",
        ),
        ("do f(); while (0);", "{if(k(0,0))do {if(k(1,1)){{if(k(2,2)){f();}}}} while (0);}"),
        ("a: goto a;", "a: {if(k(0,0))goto a;}"),
        (
            "switch (a) { case 1: f(); break; }",
            "{if(k(0,0))switch (a) { case 1: {if(k(1,1)){f();}} {if(k(2,1))break;} }}",
        ),
        ("s = (struct s){1};", "(void)(k(0,0)&&((s = (struct s){1}),v(0,\"s\",s),1));"),
        ("f((int[]){1});", "(void)(k(0,0)&&((f((int[]){1})),1));"),
        ("#ifdef A\nf();\n#else\ng();\n#endif\n", "#ifdef A\n{if(k(0,0)){f();}}\n#else\n{if(k(1,0)){g();}}\n#endif\n"),
    ];
    for (body, expected) in cases {
        // Each has at least one statement with a guard.
        let expected = format!(
            "{expected} {}",
            with_guards("h();").replace("k(0,", &format!("k({},", expected.matches("k(").count()))
        );
        assert_eq!(with_guards(&format!("{body} h();")), expected, "{body}");
    }
}

#[test]
fn what_is_declared_only_has_none() {
    let fixed = [
        "static int x = 1;",
        "extern int y;",
        "struct s t = {1, 2};",
        "int a[3] = {0};",
        "const int n = 3;",
        ";",
        "_Static_assert(1, \"\");",
    ];
    for body in fixed {
        assert_eq!(with_guards(&format!("{body} h();")), format!("{body} {{if(k(0,0)){{h();}}}}"), "{body}");
    }
    // What it calls belongs to the function.
    assert_eq!(with_guards("const int n = g(); h();"), "c(-1);const int n = g(); {if(k(0,0)){h();}}");
    assert_eq!(
        with_guards("int x = ({ g(); 1; }); h();"),
        "int x={0};(void)(k(0,0)&&((x = ({ g(); 1; })),v(0,\"x\",x),1)); {if(k(1,0)){h();}}"
    );
    let no_statement = ["int x = 3;", "int f(int);", "struct s { int a; };", ""];
    assert!(no_statement.iter().all(|text| guarded_source("c", text.as_bytes(), 0, &[], &Types::new()).is_none()));
}

#[test]
fn lines_numbers_and_functions_are_those_of_the_text() {
    let text = "\u{feff}int f(int x)\n{\n  for (;;)\n    x++; x--;\n  return x;\n}\nint g(void) { return f(1); }\n";
    let all = guarded_source("c", text.as_bytes(), 10, &[], &Types::new()).unwrap();
    let places: Vec<_> =
        all.statements.iter().map(|it| (it.line, it.nth, it.is_iteration, it.function.as_str())).collect();
    let expected = [
        (3, 1, false, "f"),
        (3, 1, true, "f"),
        (4, 1, false, "f"),
        (4, 2, false, "f"),
        (5, 1, false, "f"),
        (7, 1, false, "g"),
    ];
    assert_eq!(places, expected);
    assert_eq!(all.functions, [1..7, 7..8]);
    let made = String::from_utf8(all.text).unwrap();
    assert!(made.starts_with('\u{feff}') && made.contains("k(10,0)") && made.contains("k(15,0)"), "{made}");
    let (_, of_text) = made.split_once("#line 1\n").unwrap();
    assert_eq!(of_text.lines().count(), text.lines().count());
    let without = guarded_source("c", text.as_bytes(), 0, &[7], &Types::new()).unwrap();
    assert_eq!(without.statements.len(), 5);
    assert!(matches!(&without.functions[..], [one] if *one == (1..7)));
}

#[test]
fn where_a_statement_returns_nothing_the_function_returns_what_has_no_value() {
    let ends = |text: &str| {
        let made = String::from_utf8(guarded(text).text).unwrap();
        made.rsplit_once("return x;}").unwrap().1.trim().to_owned()
    };
    // The number is where the body begins: a pointer without a value is told from others by it.
    assert_eq!(ends("char *f(int a, char b[]) {return x;}"), "return (__typeof__(f(a,b))){__reduct_n(f(a,b),25)};}");
    assert_eq!(ends("int f(int (*g)(int), ...) {return x;}"), "return (__typeof__(f(g))){__reduct_n(f(g),26)};}");
    assert_eq!(ends("void *f(void) {return x;}"), "return (__typeof__(f())){__reduct_n(f(),14)};}");
    assert_eq!(ends("void f(void) {return x;}"), "}");
    assert_eq!(ends("int f(int) {return x;}"), "}");
}

/// Returns how a program ends that is compiled like this, and what it prints.
fn runs(folder: &Path, name: &str, text: &[u8], options: &[&str]) -> (Option<i32>, String) {
    let (source, program) = (folder.join(format!("{name}.c")), folder.join(name));
    std::fs::write(&source, text).unwrap();
    let compiled = Command::new("cc").args(options).arg(&source).arg("-o").arg(&program).output().unwrap();
    let said = String::from_utf8_lossy(&compiled.stderr).into_owned();
    assert!(compiled.status.success(), "{options:?}\n{said}");
    let done = Command::new(&program).output().unwrap();
    (done.status.code(), String::from_utf8(done.stdout).unwrap())
}

#[test]
fn only_arrays_of_at_most_64_kib_are_set_to_zero() {
    let text = "\
static char most[0x10000], more[0x10001];
int main(void) {
    most[1] = more[1] = 1;
    __reduct_z(most); __reduct_z(more);
    return most[1] + 2 * more[1];
}
";
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(runs(folder.path(), "guarded", &guarded(text).text, &["-O0"]).0, Some(2));
}

#[test]
fn arrays_begin_as_zeros_before_anything_uses_them() {
    let text = "\
int printf(const char *, ...);
static int fill(int *a) { a[0] = 5; return 1; }
static void junk(void) { volatile int a[512]; for (int i = 0; i < 512; i++) a[i] = 7; }
static int sum(int n) {
    int given[n], of = fill(given);
    int total = given[0] * 1000 + given[n - 1] + of;
    for (int i = 0, a[32], b[n], *p = a; i < 1; i++) total += a[31] + b[n - 1] + p[30];
    return total;
}
int main(void) {
    junk();
    printf(\"%d\\n\", sum(32));
    return 0;
}
";
    let folder = tempfile::tempdir().unwrap();
    let guarded = guarded_source("c", text.as_bytes(), 1, &[], &Types::new()).unwrap().text;
    for options in
        [&["-O0"][..], &["-O2", "-Wall", "-Wextra", "-Wshadow", "-Werror"], &["-std=c99", "-pedantic-errors"]]
    {
        assert_eq!(runs(folder.path(), "guarded", &guarded, options), (Some(0), "5001\n".into()), "{options:?}");
    }
}

#[test]
fn structures_are_not_copied_to_be_noted_nor_need_they_be_known() {
    let text = "\
struct opaque; extern struct opaque thing; typedef struct opaque other; extern other alike;
struct big { char room[64 << 20]; int n; };
static struct big state, spare;
static void take(void *it) { (void)it; }
static int of(struct big *it) { return it->n; }
int main(void) {
    take(&thing);
    if (of(&state) || &thing == (void *)&alike) return 1;
    take(&alike);
    state = spare;
    take(&state);
    return state.n;
}
struct opaque { int a; } thing, alike;
";
    let made = String::from_utf8(guarded(text).text).unwrap();
    let runtime = "\
#include <stdlib.h>
#include <string.h>
static int asked(int *f, int n, int d) { return f && n >= 0 && d >= 0; }
static int entered(void) { return 0; }
static void left(int *f) { (void)f; }
static int looks(int *f, int d) { return f && d >= 0; }
static void noted(int *f, int d, const char *name, int kind, ...) { (void)f; (void)d; (void)kind; if (strlen(name) > 99) exit(9); }
static int readable(const void *at, unsigned long size) { return at && size; }
static void *runtime[] = {asked, entered, left, NULL, noted, looks, readable};
char *getenv(const char *name) { return *name == '=' ? (char *)runtime : NULL; }
";
    let folder = tempfile::tempdir().unwrap();
    let linked = folder.path().join("runtime.c");
    std::fs::write(&linked, runtime).unwrap();
    let options = ["-O0", linked.to_str().unwrap()];
    assert_eq!(runs(folder.path(), "guarded", made.as_bytes(), &options), (Some(0), String::new()));
}

#[test]
fn with_guards_programs_compile_and_do_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let text = include_bytes!("../../../../fixtures/guards/constructs.c");
    let guarded = guarded_source("c", text, 1, &[], &Types::new()).unwrap();
    let main = guarded.statements.iter().filter(|it| it.function == "main").count();
    assert!(main > 30, "{main} statements of main have a guard");
    for options in [
        &["-O0"][..],
        &["-O2", "-Wall", "-Wextra", "-Wno-clobbered", "-Wno-unused-parameter", "-Werror"],
        &["-std=c99", "-O1"],
    ] {
        let plain = runs(folder.path(), "plain", text, &[&["-w", "-O0"][..]].concat());
        let with = runs(folder.path(), "guarded", &guarded.text, options);
        assert_eq!(with, plain, "{options:?}");
        assert_eq!(plain.0, Some(10));
    }
}
