//! Guards in programs. That they execute what they executed before is shown with node in the tests of the program `reduct`.

use reduct_grammars::guarded;
use std::path::Path;

/// Returns the text with guards, with short names.
fn with_guards(text: &str) -> String {
    let guarded = guarded(Path::new("a.js"), text.as_bytes()).expect("it can have guards");
    let text = String::from_utf8(guarded.text).unwrap();
    let begins = text.split_once("__reduct_f=__reduct_r.top();").map(|(_, rest)| rest.to_owned());
    begins.unwrap_or(text).replace("__reduct_r.", "").replace("__reduct_f,", "")
}

#[test]
fn statements_declarations_loops_and_branches_have_guards() {
    let cases = [
        ("f();", "{if(k(0,0))f();}"),
        ("x = 1", "{if(k(0,0)){x = 1;v(0,{x})}}"),
        ("const x = f(), {a, b: [c]} = g;", "let x,a,c;if(k(0,0))(x = f(), {a, b: [c]} = g,v(0,{x,a,c}));"),
        (
            "if (a) b(); else if (c) d();",
            "{if(k(0,0))if (a) {if(k(1,1))b();} else {if(k(2,1))if (c) {if(k(3,2))d();}}}",
        ),
        ("for (const x of y) f(x);", "{if(k(0,0))for (const x of y) {if(k(1,1)){v(1,{x});{if(k(2,2))f(x);}}}}"),
        ("a: while (b) { continue a; }", "{if(k(0,0))a: while (b) {if(k(1,1)){{ {if(k(2,2))continue a;} }}}}"),
        // Without a semicolon, the grammar takes a comment for a part of the statement.
        ("switch (a) { case 1: f() // one\n}", "{if(k(0,0))switch (a) { case 1: {if(k(1,1))f()} // one\n}}"),
        ("for (;;) f() /* a */ // b\n", "{if(k(0,0))for (;;) {if(k(1,1)){{if(k(2,2))f()}}}} /* a */ // b\n"),
        (
            "function f() { return 1 } // (#27)\n\n",
            "function f() { const __reduct_f=enter();try{{if(k(0,0))return 1} }finally{leave(__reduct_f);}} // (#27)\n\n",
        ),
        ("switch (a) { case 1: f(); }", "{if(k(0,0))switch (a) { case 1: {if(k(1,1))f();} }}"),
    ];
    for (text, expected) in cases {
        assert_eq!(with_guards(text), expected, "{text}");
    }
}

#[test]
fn what_only_defines_or_loads_has_none() {
    let fixed = [
        "'use strict';let z;",
        "const a = require('a').b;",
        "const f = () => {};",
        "function f() {}",
        "class A { x = 1 }",
    ];
    for text in fixed {
        assert_eq!(with_guards(text), text.strip_prefix("'use strict';").unwrap_or(text), "{text}");
    }
    let function = "function f(x) {\n  'use strict'; // first\n  return x;\n}\n";
    let expected = "function f(x) {\n  'use strict'; // first\n  const __reduct_f=enter();try{{if(k(0,0))return x;}\n}finally{leave(__reduct_f);}}\n";
    assert_eq!(with_guards(function), expected);
}

#[test]
fn lines_stay_and_statements_are_numbered_on_them() {
    let text = "#!/usr/bin/env node\n'use strict';\nf(); g();\nfor (;;) {\n  h(() => {\n    return 1;\n  });\n}\n";
    let guarded = guarded(Path::new("a.js"), text.as_bytes()).unwrap();
    assert_eq!(String::from_utf8_lossy(&guarded.text).lines().count(), text.lines().count());
    let places: Vec<_> =
        guarded.statements.iter().map(|it| (it.line, it.nth, it.is_iteration, it.function.as_str())).collect();
    let module = "<module>";
    let expected = [
        (3, 1, false, module),
        (3, 2, false, module),
        (4, 1, false, module),
        (4, 1, true, module),
        (5, 1, false, module),
    ];
    assert_eq!(places, [&expected[..], &[(6, 1, false, "anonymous")]].concat());
}

#[test]
fn what_cannot_be_read_is_left_as_it_is() {
    // A statement with an error in it has no guard, the others have; a language without a table has none.
    assert_eq!(with_guards("f();\nif ( {\n"), "{if(k(0,0))f();}\nif ( {\n");
    assert_eq!(guarded(Path::new("a.py"), b"f()\n"), None);
    assert_eq!(guarded(Path::new("a.js"), b""), None);
}
