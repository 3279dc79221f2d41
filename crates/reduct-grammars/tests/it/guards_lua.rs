//! Guards in programs in Lua. That they execute what they executed before is shown with Lua in the tests of the program `reduct`.

use reduct_grammars::guarded;
use std::path::Path;

/// Returns the text with guards, with short names.
fn with_guards(text: &str) -> String {
    let guarded = guarded(Path::new("a.lua"), text.as_bytes()).expect("it can have guards");
    let text = String::from_utf8(guarded.text).unwrap();
    let (_, text) = text.split_once("__reduct_f=__reduct_r.top() ").expect("it begins with what guards call");
    text.replace("__reduct_r.", "").replace("__reduct_f", "F").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn statements_loops_and_branches_have_guards() {
    let cases = [
        ("f()", "if k(F,0,0) then f() end"),
        ("x, y.z = 1, 2", "if k(F,0,0) then x, y.z = 1, 2 v(F,0,\"x\",x) end"),
        ("local x = x", "local x = u(k(F,0,0) and p(x)) v(F,0,\"x\",x)"),
        ("local x <close> = f()", "local x <close> = u(k(F,0,0) and p(f())) v(F,0,\"x\",x)"),
        (
            "for i = 1, 2 do f(i) end",
            "if k(F,0,0) then for i = 1, 2 do if k(F,1,1) then v(F,1,\"i\",i) if k(F,2,2) then f(i) end end c(F,0) end end",
        ),
        (
            "repeat local x = 1 until x",
            "if k(F,0,0) then repeat k(F,1,1) local x = u(k(F,2,2) and p(1)) v(F,2,\"x\",x) c(F,0) until x end",
        ),
        (
            "if a then b() elseif c then d() else e() end",
            "if k(F,0,0) then if a then if k(F,1,1) then b() end elseif c then if k(F,2,1) then d() end else if k(F,3,1) then e() end end end",
        ),
        (
            "while a do goto b ::b:: end",
            "if k(F,0,0) then while a do if k(F,1,1) then if k(F,2,2) then goto b end ::b:: end c(F,0) end end",
        ),
        ("do break end", "do if k(F,0,0) then break end end"),
    ];
    for (text, expected) in cases {
        assert_eq!(with_guards(text), expected, "{text}");
    }
}

#[test]
fn functions_are_entered_and_left_and_calls_in_their_place_stay_the_last_thing_they_do() {
    let function = |body: &str| format!("function f(a) local F=enter() do {body} end leave(F) end");
    let cases = [
        ("return", "if k(F,0,0) then return leave(F) end"),
        ("return a, 1 -- one", "if k(F,0,0) then return leave(F,a, 1) end -- one"),
        ("return (g(a))", "if k(F,0,0) then return leave(F,(g(a))) end"),
        ("return g()", "if k(F,0,0) then return g(t(F)) end"),
        ("return g:h(a)", "if k(F,0,0) then return g:h(t(F,a)) end"),
        ("return g'x'", "if k(F,0,0) then return g(t(F,'x')) end"),
    ];
    for (body, expected) in cases {
        assert_eq!(
            with_guards(&format!("f()\nfunction f(a) {body}\n end")),
            format!("if k(F,0,0) then f() end {}", function(&expected.replace(",0,0", ",1,0"))),
            "{body}"
        );
    }
}

#[test]
fn what_only_defines_or_loads_has_none_and_lines_stay() {
    for text in ["local x", "::a::", ";"] {
        assert_eq!(with_guards(text), text, "{text}");
    }
    for text in ["local a = require 'a'", "local f = function() end", "M.f = function() end"] {
        assert_eq!(with_guards(text), format!("c(F,-1) {text}"), "{text}");
    }
    let text = "#!/usr/bin/lua\n-- note\nf(); g()\nlocal function h()\n  return 1\nend\n";
    let guarded = guarded(Path::new("a.lua"), text.as_bytes()).unwrap();
    assert_eq!(String::from_utf8_lossy(&guarded.text).lines().count(), text.lines().count());
    let places: Vec<_> = guarded.statements.iter().map(|it| (it.line, it.nth, it.function.as_str())).collect();
    assert_eq!(places, [(3, 1, "<module>"), (3, 2, "<module>"), (5, 1, "h")]);
}
