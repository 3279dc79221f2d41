//! Guards in programs in Ruby. That they execute what they executed before is shown with Ruby in the tests of the program `reduct`.

use reduct_grammars::guarded;
use std::path::Path;

/// Returns the text with guards, with short names.
fn with_guards(text: &str) -> String {
    let guarded = guarded(Path::new("a.rb"), text.as_bytes()).expect("it can have guards");
    let text = String::from_utf8(guarded.text).unwrap();
    let (begins, rest) = text.split_once("\x0c__reduct_f0=$__reduct.top(").expect("it begins with what guards call");
    let (_, rest) = rest.split_once(");\x0b").unwrap();
    let text = format!("{begins}{rest}");
    text.replace(['\x0b', '\x0c'], "")
        .replace("$__reduct.", "")
        .replace("__reduct_f", "F")
        .replace("enter('a.rb')", "enter")
}

#[test]
fn statements_loops_and_branches_have_guards() {
    let cases = [
        ("f", "if k(F0,0,0);f;end"),
        ("x = 1", "if k(F0,0,0);v(F0,0,(x = 1),'x',x);end"),
        ("a, b.c = 1, 2", "if k(F0,0,0);v(F0,0,(a, b.c = 1, 2),'a',a);end"),
        ("raise 'x' if y", "if k(F0,0,0);(if k(F0,1,1);raise 'x';end) if y;end"),
        ("return", "if k(F0,0,0);stop(F0);return;end"),
        (
            "if a then b elsif c then d else e end",
            "if k(F0,0,0);if a then if k(F0,1,1);b;end elsif c then if k(F0,2,1);d;end else if k(F0,3,1);e;end end;end",
        ),
        (
            "while f do g end",
            "if k(F0,0,0);while (c(F0,0);f) do if k(F0,1,1);begin;if k(F0,2,2);g;end ;end;end;end;end",
        ),
        (
            "for a, b in c do d end",
            "if k(F0,0,0);for a, b in c do if k(F0,1,1);v(F0,1,nil,'a',a,'b',b);begin;if k(F0,2,2);d;end ;end;end;end;end",
        ),
        ("x while y", "if k(F0,0,0);(if k(F0,1,1);(if k(F0,2,2);x;end);end) while (c(F0,0);y);end"),
        (
            "begin; x; end while y",
            "if k(F0,0,0);begin; if k(F0,1,1);begin;if k(F0,2,2);x;end; ;end;end;end while (c(F0,0);y);end",
        ),
        (
            "begin; x; rescue A => e; y; ensure; z; end",
            "if k(F0,0,0);begin; if k(F0,1,1);x;end; rescue A => e; if k(F0,2,1);y;end; ensure; if k(F0,3,1);z;end; end;end",
        ),
        ("f(__dir__); require 'x'", "if k(F0,0,0);f(folder(__dir__));end; c(F0,-1);require 'x'"),
        ("\"#{a; b}\"", "if k(F0,0,0);\"#{a; b}\";end"),
    ];
    for (text, expected) in cases {
        assert_eq!(with_guards(text), expected, "{text}");
    }
}

#[test]
fn methods_and_blocks_are_entered_and_left_and_the_calls_of_blocks_are_iterations() {
    let cases = [
        (
            "def f(a) a rescue 1 end",
            "def f(a) F1=enter;begin;begin;if k(F1,0,0);a rescue 1;end ;end;ensure;leave(F1);end;end",
        ),
        ("def f = 1", "def f = 1"),
        ("class A; attr_reader :x; end", "class A; attr_reader :x; end"),
        (
            "a.each { |x, (y, *z)| f x }",
            "if k(F0,0,0);a.each { |x, (y, *z)| F1=enter;begin;if k(F1,1,0);v(F1,0,nil,'x',x,'y',y,'z',z);begin;\
             if k(F1,2,1);f x;end ;end;end;ensure;leave(F1);end;};end",
        ),
        (
            "f = lambda { |x| g }",
            "c(F0,-1);f = lambda { |x| F1=enter;begin;begin;if k(F1,0,0);g;end ;end;ensure;leave(F1);end;}",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(with_guards(text), expected, "{text}");
    }
}

#[test]
fn lines_stay_and_what_is_put_in_can_be_taken_out() {
    let text = "#!/usr/bin/env ruby\n# frozen_string_literal: true\nf; g\nh(<<~A) if x\n  text\nA\ndef m\n  # note\n  return 1\nend\n";
    let guarded = guarded(Path::new("a.rb"), text.as_bytes()).unwrap();
    let (mut bare, mut is_put) = (String::new(), false);
    for c in String::from_utf8(guarded.text).unwrap().chars() {
        match c {
            '\x0c' => is_put = true,
            '\x0b' => is_put = false,
            _ if !is_put => bare.push(c),
            _ => {}
        }
    }
    assert_eq!(bare, text);
    let places: Vec<_> = guarded.statements.iter().map(|it| (it.line, it.nth, it.function.as_str())).collect();
    assert_eq!(places, [(3, 1, "<module>"), (3, 2, "<module>"), (4, 1, "<module>"), (4, 2, "<module>"), (9, 1, "m")]);
}
