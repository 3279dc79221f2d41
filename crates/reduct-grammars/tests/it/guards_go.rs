//! Guards in programs in Go: what they look like. That a compiler takes them, and what they do, is shown in the tests of the program `reduct`.

use reduct_grammars::{GuardedCode, Types, guarded_source};

/// Puts guards into a text in which the variables that are called `x` are whole numbers, and `e` is an error.
fn guarded(text: &str) -> GuardedCode {
    let mut types = Types::new();
    for (row, line) in text.lines().enumerate() {
        for (column, _) in line.match_indices(['x', 'e']) {
            let kind = if line[column..].starts_with('x') { "int" } else { "error" };
            types.insert((row as u32 + 1, column as u32 + 1), kind.to_owned());
        }
    }
    guarded_source("go", text.as_bytes(), 1, &[], &types).unwrap_or_else(|| panic!("it can have guards: {text}"))
}

/// Returns the text of the functions of a file with guards, with short names.
fn functions(text: &str) -> String {
    let text = String::from_utf8(guarded(&format!("package a\n{text}\n")).text).unwrap();
    let text =
        text.strip_prefix("package a; import __reduct \"container/ring\"\n").expect("it imports what guards call");
    text.trim_end().replace("__reduct.", "").replace("__r", "")
}

/// Returns the body of a function with guards.
fn with_guards(body: &str) -> String {
    let text = functions(&format!("func f() {{\n{body}\nh()\n}}"));
    let (_, text) = text.split_once("defer L(f);\n").unwrap();
    let (text, _) = text.rsplit_once("\nif K(").unwrap();
    text.to_owned()
}

#[test]
fn statements_declarations_loops_and_branches_have_guards() {
    let cases = [
        ("g()", "if K(f,1,0) {g()}"),
        ("x = 1", "if K(f,1,0) {x = 1;if H {V(f,0,\"x\",x);}}"),
        ("p.x, x = 1, 2", "if K(f,1,0) {p.x, x = 1, 2;if H {V(f,0,\"x\",x);}}"),
        ("x := g()", "var 1_0 int;if K(f,1,0) {1_0  = g()};x := 1_0;if H {V(f,0,\"x\",x);}"),
        (
            "x, y, _, e := g()",
            "var 1_0 int;var 1_3 error;if K(f,1,0) {1_0,y,_,1_3  = g()};x,e := 1_0,1_3;if H {V(f,0,\"x\",x);V(f,0,\"y\",y);V(f,0,\"e\",e);}",
        ),
        ("var t T = g()", "var 1_0 T;if K(f,1,0) {1_0 = g()};var t = 1_0;if H {V(f,0,\"t\",t);}"),
        // Nobody knows the type; what it calls belongs to the function.
        ("z := g()", "C(f,0);z := g()"),
        ("var t T", "var t T"),
        ("const c = 1", "const c = 1"),
        (
            "if a { g() } else if b { h() } else { i() }",
            "if K(f,1,0) {if a { if K(f,2,1) {g()} } else {if K(f,3,1) {if b { if K(f,4,2) {h()} } else { if K(f,5,2) {i()} }}}}",
        ),
        ("for g() { h() }", "if K(f,1,0) {for C(f,1) && (g()) {if K(f,2,1) { if K(f,3,2) {h()} }}}"),
        ("for x := 0; x < 2; x++ { }", "if K(f,1,0) {for x := 0; x < 2; x++ {if K(f,2,1) {if H {V(f,1,\"x\",x);}; }}}"),
        (
            "a: for _, x := range l { continue a }",
            "if K(f,1,0) {a: for _, x := range l {if K(f,2,1) {if H {V(f,1,\"x\",x);}; if K(f,3,2) {continue a} }}}",
        ),
        ("a: g()", "a: if K(f,1,0) {g()}"),
        (
            "switch a { case 1: g(); fallthrough; default: h() }",
            "if K(f,1,0) {switch a { case 1: if K(f,2,1) {g()}; fallthrough; default: if K(f,3,1) {h()} }}",
        ),
        ("defer g()", "if K(f,1,0) {defer g();defer S(N())}"),
        (
            "go func() { g() }()",
            "if K(f,1,0) {g1 := N();_ = g1;go func() {S(g1);f := E(1);defer L(f); if K(f,2,0) {g()} }()}",
        ),
    ];
    for (body, expected) in cases {
        assert_eq!(with_guards(body), expected, "{body}");
    }
}

#[test]
fn results_have_names_and_lines_stay() {
    let cases = [
        ("func f() int { return 1 }", "func f() (r0 int) {f := E(1);defer L(f); if K(f,1,0) {return 1} ;return }"),
        (
            "func f() (int, error) { return 1, nil }",
            "func f() (r0 int, r1 error) {f := E(1);defer L(f); if K(f,1,0) {return 1, nil} ;return }",
        ),
        ("func f() (n int) { return 1 }", "func f() (n int) {f := E(1);defer L(f); if K(f,1,0) {return 1} ;return }"),
    ];
    for (text, expected) in cases {
        assert_eq!(functions(text), expected);
    }
    let text = "package a\n\nfunc (t *T[U]) one() {\n\tf(func() {\n\t\tg()\n\t})\n}\nfunc two() { h() }\n";
    let all = guarded(text);
    assert_eq!(String::from_utf8(all.text).unwrap().lines().count(), text.lines().count());
    let statements: Vec<(u32, &str)> = all.statements.iter().map(|it| (it.line, it.function.as_str())).collect();
    assert_eq!(statements, [(4, "T.one"), (5, "T.one.func"), (8, "two")]);
    assert_eq!(all.functions, [3..8, 4..7, 8..9]);
    let without = guarded_source("go", text.as_bytes(), 1, &[3, 4], &Types::new()).unwrap();
    assert_eq!(without.functions.first(), Some(&(8..9)));
    let none = ["package a\n", "package a\nfunc f() { }\n", "package a\nvar x = f()\n"];
    assert!(none.iter().all(|text| guarded_source("go", text.as_bytes(), 1, &[], &Types::new()).is_none()));
}
