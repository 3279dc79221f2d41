//! Where scanners of grammars are at their limits: they are written by hand in C, keep what they know in a buffer of 1,024
//! bytes, and are asked again at any place. Nothing aborts, and whatever is read has the form of a tree.

use crate::any_text::read;
use crate::support::stock;
use reduct_grammars::Languages;

/// Texts at the limits of scanners, each with its language.
fn limits() -> Vec<(&'static str, String)> {
    let lines = |count: usize, line: fn(usize) -> String| (0..count).map(line).collect::<String>();
    let spaces = |n: usize| " ".repeat(n);
    vec![
        // Here-documents: without an end, many at once, with a long or odd name, within a substitution.
        ("bash", "cat <<EOF\nno end\n".into()),
        ("bash", format!("cat {}\n{}", lines(300, |n| format!("<<E{n} ")), lines(300, |n| format!("x\nE{n}\n")))),
        ("bash", format!("cat <<{0}\nx\n{0}\n", "N".repeat(5000))),
        ("bash", "x=$(cat <<'a b'\n$(\na b\n)\n".into()),
        ("bash", format!("{}{}\n", "x=$(cat <<E\n".repeat(200), "\nE\n)".repeat(200))),
        ("bash", format!("echo {}a{}\n", "${x:-".repeat(500), "}".repeat(500))),
        ("ruby", lines(200, |n| format!("f(<<~A{n}, <<-B{n})\n  x\nA{n}\n  y\n  B{n}\n"))),
        ("ruby", format!("x = {}\n", lines(120, |n| format!("<<A{n} + ")))),
        ("ruby", format!("{}x{}\n", "%q(".repeat(400), ")".repeat(400))),
        ("ruby", format!("{}1{}\n", "\"#{".repeat(300), "}\"".repeat(300))),
        ("ruby", format!("%w{0}a b{0}\n", '\u{1}')),
        ("php", "<?php $x = <<<EOT\nno end\n".into()),
        ("php", format!("<?php $x = <<<'{0}'\nx\n{0};\n", "N".repeat(3000))),
        ("php", format!("<?php {}", lines(200, |n| format!("f(<<<A{n}\n$x {{$y[1]}}\nA{n});\n")))),
        // Raw strings with long delimiters, open and closed.
        ("cpp", "R\"0123456789abcdefg(x)0123456789abcdefg\"".into()),
        ("cpp", format!("auto x = R\"{0}(a){0}\";", "d".repeat(2000))),
        ("cpp", "R\"(".repeat(1000)),
        ("rust", format!("let x = r{0}\"a\"{0};", "#".repeat(300))),
        ("rust", format!("let x = r{}\"a\"#;", "#".repeat(255))),
        ("rust", format!("{}{}", "/*".repeat(2000), "*/".repeat(1999))),
        ("csharp", format!("var x = {0}a{0};", "\"".repeat(300))),
        ("csharp", format!("var x = {}{}a{}\"\"\";", "$".repeat(200), "\"\"\"", "{".repeat(200))),
        ("csharp", format!("{}1{}", "$\"{".repeat(300), "}\"".repeat(300))),
        ("lua", format!("x = [{0}[a]{0}]", "=".repeat(300))),
        ("lua", format!("--[{}[ no end", "=".repeat(5_000))),
        ("sql", format!("SELECT ${0}$ a ${0}$;", "t".repeat(2000))),
        ("sql", "CREATE FUNCTION f() RETURNS int AS $$ BEGIN $a$ $$ $a$".into()),
        // Tags within each other, with long names, never closed, closed in another order.
        ("html", format!("{}{}", lines(180, |n| format!("<a{n}>")), lines(180, |n| format!("</a{}>", 179 - n)))),
        ("html", format!("<{0}>x</{0}>", "x-".repeat(20_000))),
        ("html", format!("{}</p>", lines(80, |n| format!("<p><li><td><custom-{n}>")))),
        ("html", "<script>".repeat(300) + "</style>" + &"<!--".repeat(300)),
        ("xml", format!("{}{}", lines(220, |n| format!("<n{n}>")), lines(220, |n| format!("</n{n}>")))),
        ("xml", format!("<{0}:{0}/>{1}", "y".repeat(30_000), "<![CDATA[".repeat(300))),
        // Indentation: deep, wide, of tabs and blanks, back to where nothing stood.
        ("python", lines(400, |n| format!("{}if x:\n", " ".repeat(n)))),
        ("python", format!("if x:\n{}y\n{}z\n \tw\n", spaces(70_000), spaces(65_536))),
        ("python", lines(120, |n| format!("{}if x:\n{}y\n", "\t".repeat(n), " ".repeat(n)))),
        ("python", format!("x = {}1{}\n", "f'{".repeat(300), "}'".repeat(300))),
        ("python", "f\"\"\"{f'{f\"{'\n".repeat(200)),
        ("yaml", format!("a: {}\n{}b\n", "|".repeat(3), spaces(40_000))),
        ("yaml", format!("{}x{}", "[".repeat(3000), "]".repeat(3000))),
        ("yaml", lines(300, |n| format!("- &a{n} !!t {{b: *a{n}, \"c\": 'd', ? e}}\n"))),
        // Templates within templates, expressions of patterns, automatic semicolons.
        ("javascript", format!("{}1{}", "`${".repeat(500), "}`".repeat(500))),
        ("typescript", format!("type T = {}string{};", "`${".repeat(300), "}`".repeat(300))),
        ("tsx", format!("{}{{1}}{}", "<A b={<C/>}>".repeat(300), "</A>".repeat(300))),
        ("javascript", format!("x = /{}/g\n++\ny\n", "[/\\]]".repeat(2000))),
        ("css", format!("{}a{}", "a { &:not(.b ".repeat(300), ") {}}".repeat(300))),
        ("toml", format!("x = {}1{}\n\"\"\"\"\"\"\"", "[".repeat(1000), "]".repeat(1000))),
    ]
}

#[test]
fn scanners_at_their_limits() {
    let limits = limits();
    assert!(limits.len() >= 42);
    for (at, (language, text)) in limits.iter().enumerate() {
        let grammars = Languages::only(language).unwrap();
        let text = text.as_bytes();
        read(grammars, text);
        // Cut anywhere, a scanner is asked in the middle of what it knows.
        read(grammars, &text[..text.len() * (1 + at % 3) / 4]);
        let odd = [&text[..text.len() / 2], b"\0\xff\r\n\t\xef\xbb\xbf", &text[text.len() / 2..]].concat();
        read(grammars, &odd);
    }
}

/// The next number of a sequence that is the same in each run (Numerical Recipes' generator).
fn next(state: &mut u64) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize
}

/// Parts of programs twice, without parts, and mixed with those of the limits.
#[test]
fn programs_that_were_cut_and_pasted() {
    let mut state = 2026;
    let limits = limits();
    for stock in stock() {
        let own: Vec<&[u8]> =
            limits.iter().filter(|(name, _)| *name == stock.language.name).map(|(_, text)| text.as_bytes()).collect();
        let mut text = stock.text.clone();
        for _ in 0..12 {
            let from = if own.is_empty() || next(&mut state).is_multiple_of(2) {
                &stock.text[..]
            } else {
                own[next(&mut state) % own.len()]
            };
            let begin = next(&mut state) % (from.len() + 1);
            let piece = &from[begin..from.len().min(begin + next(&mut state) % 200)];
            let at = next(&mut state) % (text.len() + 1);
            let gone = text.len().min(at + next(&mut state) % 100);
            text.splice(at..gone, piece.iter().copied());
            read(stock.grammars(), &text);
            if text.len() > 20_000 {
                text.clone_from(&stock.text);
            }
        }
    }
}
