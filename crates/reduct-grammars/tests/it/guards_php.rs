//! Guards in programs in PHP. That they execute what they executed before is shown with PHP in the tests of the program `reduct`.

use reduct_grammars::guarded;
use std::path::Path;

/// Returns the text with guards, with short names: `k`, `v` and `c` of the activation of the file.
fn with_guards(text: &str) -> String {
    let guarded = guarded(Path::new("a.php"), format!("<?php {text}").as_bytes()).expect("it can have guards");
    let text = String::from_utf8(guarded.text).unwrap();
    let (begins, rest) = text.split_once("\\__reduct::top('a.php',").expect("it begins with what guards call");
    let frame = begins.rsplit('$').next().unwrap().trim_end_matches('=').to_owned();
    let (_, rest) = rest.split_once("']);").unwrap();
    let begins = begins.strip_prefix("<?php ").unwrap().rsplit_once('$').unwrap().0.to_owned();
    (begins + rest).replace("\\__reduct::", "").replace(&format!("${frame}"), "$F").replace("$__reduct_f", "$f")
}

#[test]
fn statements_loops_and_branches_have_guards() {
    let cases = [
        ("f();", "{if(k($F,0,0)){f();}}"),
        ("[$x, $y->z] = g();", "{if(k($F,0,0)){[$x, $y->z] = g();v($F,0,['$x'=>$x??null]);}}"),
        ("namespace A; use B; f();", "namespace A; use B; {if(k($F,0,0)){f();}}"),
        (
            "if ($a) f(); elseif ($b) g(); else h();",
            "{if(k($F,0,0)){if ($a) {if(k($F,1,1)){f();}} elseif ($b) {if(k($F,2,1)){g();}} else {if(k($F,3,1)){h();}}}}",
        ),
        (
            "foreach ($a as $k => $v): continue; endforeach;",
            "{if(k($F,0,0)){foreach ($a as $k => $v):if(k($F,1,1)){v($F,1,['$k'=>$k??null,'$v'=>$v??null]); \
             {if(k($F,2,2)){c($F,0);continue;}} }c($F,0);  endforeach;}}",
        ),
        ("while (f()) g();", "{if(k($F,0,0)){while (c($F,0)&&(f())) {if(k($F,1,1)){{if(k($F,2,2)){g();}} }c($F,0);}}}"),
        (
            "for ($i = 0; $i < f(); $i++) {}",
            "{if(k($F,0,0)){for ($i = 0; c($F,0),$i < f(); c($F,0),$i++) {if(k($F,1,1)){v($F,1,['$i'=>$i??null]);{} }c($F,0);}}}",
        ),
        ("f(); require 'x.php';", "{if(k($F,0,0)){f();}} {c($F,-1);require 'x.php';}"),
    ];
    for (text, expected) in cases {
        assert_eq!(with_guards(text), expected, "{text}");
    }
}

#[test]
fn functions_are_entered_and_left_and_generators_only_entered() {
    let cases = [
        (
            "f(); function f($x) { return $x; }",
            "{if(k($F,0,0)){f();}} function f($x) {$f=enter('a.php');try{ {if(k($f,1,0)){return $x;}} }finally{leave($f);}}",
        ),
        // Nothing is executed there.
        ("function f() {} f();", "function f() {} {if(k($F,0,0)){f();}}"),
        (
            "$g = function () { f(); };",
            "$g = function () {$f=enter('a.php');try{ {if(k($f,0,0)){f();}} }finally{leave($f);}};",
        ),
        (
            "function f() { yield 1; } f();",
            "function f() {$f=enter('a.php'); {if(k($f,0,0)){yield 1;}} } {if(k($F,1,0)){f();}}",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(with_guards(text), expected, "{text}");
    }
}

#[test]
fn lines_stay_and_what_is_no_statement_of_php_has_no_guard() {
    let text = "<h1><?= $title ?></h1>\n<?php\nclass A {\n  public $x = 1;\n  function f() {\n    static $n;\n    return 1; }\n}\nf(); g();\n";
    let guarded = guarded(Path::new("a.php"), text.as_bytes()).unwrap();
    let after = String::from_utf8_lossy(&guarded.text).into_owned();
    assert_eq!(after.lines().count(), text.lines().count());
    assert!(after.starts_with("<h1><?= $title ?></h1>\n<?php\n"));
    let places: Vec<_> = guarded.statements.iter().map(|it| (it.line, it.nth, it.function.as_str())).collect();
    assert_eq!(places, [(7, 1, "A.f"), (9, 1, "<module>"), (9, 2, "<module>")]);
}
