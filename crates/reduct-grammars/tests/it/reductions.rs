//! Whole reductions of the stock programs.

use crate::support::{Stock, has, stock};
use reduct_core::{Outcome, Question, Search};
use reduct_grammars::Languages;
use reduct_input::{Artifact, Candidate};
use reduct_passes::Pass;
use reduct_strategies::{Method, Plan, Reduction};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The result, and how many different candidates were asked about.
fn reduced(
    name: &str,
    text: &[u8],
    plan: Plan,
    grammars: Languages,
    fails: impl Fn(&[u8]) -> bool,
) -> (Vec<u8>, usize) {
    let plan = plan.with_grammars(Arc::new(grammars));
    let mut reduction = Reduction::new(Artifact::of_file(name, text).unwrap(), plan);
    let mut asked = BTreeSet::new();
    while let Some(candidate) = reduction.ask() {
        asked.insert(candidate.key());
        let text = |candidate: &Candidate| candidate.artifact().bytes().to_vec();
        reduction.tell(if fails(&text(&candidate)) { Outcome::Fail } else { Outcome::Pass });
    }
    (reduction.best().artifact().bytes().to_vec(), asked.len())
}

fn nodes() -> Plan {
    Plan::new(vec![Pass::named("nodes").unwrap()], Method::Relevance)
}

fn name(stock: &Stock) -> String {
    stock.path.file_name().unwrap().to_str().unwrap().to_owned()
}

#[test]
fn what_has_to_follow_its_language() {
    for stock in stock() {
        let fails = |text: &[u8]| has(text, b"needle") && stock.errors(text) == 0;
        let (by_nodes, few) = reduced(&name(&stock), &stock.text, nodes(), stock.grammars(), fails);
        let (best, asked) = reduced(&name(&stock), &stock.text, Plan::standard(), stock.grammars(), fails);
        assert!(by_nodes.len() * 4 < stock.text.len() && few < 300, "{}", String::from_utf8_lossy(&by_nodes));
        assert!(best.len() <= 30 && asked < 900, "{}", stock.language.name);
    }
}

/// Of texts without quotes, too, no more is left than must be there.
#[test]
fn words_of_texts() {
    let cases: [(&str, &str, &[u8], &[u8]); 4] = [
        ("a.xml", "<note><to>administrators</to><to>others</to></note>", b">", b"</"),
        ("a.html", "<p class=administrators>and others</p>", b"<p class=", b">"),
        ("a.yaml", "users:\n  - administrators\n  - others\n", b"- ", b"\n"),
        ("a.js", "f = /administrators/;\n", b"= /", b"/"),
    ];
    for (name, text, before, after) in cases {
        // Some letter must stand between these.
        let letters = |text: &[u8]| {
            let ends = |at: &usize| text[*at..].starts_with(after) && text[*at - 1].is_ascii_alphabetic();
            let begin = |at: usize| at - text[..at].iter().rev().take_while(|byte| byte.is_ascii_alphabetic()).count();
            (1..text.len()).filter(ends).find(|at| text[..begin(*at)].ends_with(before)).map(|at| at - begin(at))
        };
        let fails = |text: &[u8]| letters(text).is_some();
        let (best, asked) = reduced(name, text.as_bytes(), Plan::standard(), Languages::all(), fails);
        assert_eq!(letters(&best), Some(1), "{}", String::from_utf8_lossy(&best));
        assert!(asked < 100, "{name}: {asked}");
    }
}

/// In texts of no known language, the name of a file is several tokens, of which none can go alone.
#[test]
fn names_of_files_go_one_by_one() {
    let names: Vec<String> = (10..40).map(|at| format!("mod{at}.o")).collect();
    let fails = |text: &[u8]| {
        let text = String::from_utf8_lossy(text).into_owned();
        let Some((_, list)) = text.split_once('=') else { return false };
        let all: Vec<&str> = list.split_whitespace().collect();
        all.iter().all(|name| names.iter().any(|known| known == name)) && all.contains(&"mod21.o")
    };
    let text = format!("CC = gcc\nOBJS = {}", names.join(" "));
    let (best, asked) = reduced("Makefile", text.as_bytes(), Plan::standard(), Languages::all(), fails);
    assert_eq!(best, b"=mod21.o");
    assert!(asked < 100, "{asked}");
}

/// In texts of no known language, sections with what names them go at once. Types that refer to each other: each that is named must be there, and none
/// may be empty.
#[test]
fn sections_of_any_text_go_with_what_names_them() {
    let mut text = String::new();
    for at in 0..200 {
        let (one, other) = (at * 7 % 200, at * 13 % 200);
        text += &format!("type T{at} {{\n  first: T{one}\n  second: T{other}\n  third: Int\n}}\n");
        text += &format!("type U{at} {{\n  only: T{one}\n}}\n");
    }
    let fails = |text: &[u8]| {
        let text = String::from_utf8_lossy(text);
        let blocks: Vec<&str> = text.split_inclusive("}\n").collect();
        let name = |block: &&str| block.strip_prefix("type ")?.split_once(" {\n").map(|(name, _)| name.to_owned());
        let names: Option<BTreeSet<String>> = blocks.iter().map(name).collect();
        let has_fields = |block: &&str| block.lines().count() > 2 && block.ends_with("\n}\n");
        let is_there = |names: &BTreeSet<String>| {
            let mut fields = text.lines().filter_map(|line| line.split_once(": "));
            fields.all(|(_, of)| of == "Int" || names.contains(of)) && names.contains("T77")
        };
        names.is_some_and(|names| is_there(&names)) && blocks.iter().all(has_fields)
    };
    assert!(fails(text.as_bytes()));
    let (best, asked) = reduced("a.types", text.as_bytes(), Plan::standard(), Languages::all(), fails);
    assert!(best.len() <= "type T77 {\n  first: T77\n}\n".len(), "{}", String::from_utf8_lossy(&best));
    assert!(asked < 250, "{asked}");
}

/// The book's one-line page as a tree (5.8.3): two tests, whatever else would have been tried cannot be.
#[test]
fn the_tree_of_one_line_of_html() {
    let line = b"<SELECT NAME=\"priority\" MULTIPLE SIZE=7>";
    let crashes = |text: &[u8]| has(text, b"<SELECT") && text.ends_with(b">");
    let (best, asked) = reduced("page.html", line, nodes(), Languages::all(), crashes);
    assert_eq!((best.as_slice(), asked), (&b"<SELECT>"[..], 2));
}

/// What is missing or too much in the middle of a text does not keep it from being reduced.
#[test]
fn damaged_programs() {
    for stock in stock() {
        let middle = stock.text.len() / 2;
        let is_bracket = |byte: &u8| b")]}>".contains(byte);
        let bracket = stock.text[middle..].iter().position(is_bracket).map(|at| middle + at);
        let line = middle + stock.text[middle..].iter().position(|byte| *byte == b'\n').unwrap_or_default();
        let insert = |with: &[u8]| [&stock.text[..line], with, &stock.text[line..]].concat();
        let mut damaged = vec![insert(b" ) } ] @ $ \xff ' \" `` <<<< "), insert(b"\n((((((( {{{{{ [[[ \n")];
        damaged.extend(bracket.map(|at| [&stock.text[..at], &stock.text[at + 1..]].concat()));
        for text in damaged {
            let fails = |text: &[u8]| has(text, b"needle");
            let (best, asked) = reduced(&name(&stock), &text, Plan::standard(), stock.grammars(), fails);
            let language = stock.language.name;
            // A word may have grown together with another one where the blank between them went.
            assert!(best.len() <= 2 * "needle".len(), "{language}: {}", String::from_utf8_lossy(&best));
            assert!(asked < 300, "{language}: {asked}");
        }
    }
}

/// The order that counts is that of the questions, not that of the list of edits.
#[test]
fn the_largest_bodies_are_asked_about_first() {
    let body = |at: usize| format!("int f{at}(int a) {{ {}return a; }}\n", "a++; ".repeat(at * 7 % 20));
    let text: String = (0..20).map(body).collect();
    let plan = Plan::new(vec![Pass::named("c-bodies").unwrap()], Method::Relevance);
    let plan = plan.with_grammars(Arc::new(Languages::all()));
    let reduction = Reduction::new(Artifact::of_file("a.c", text.as_bytes()).unwrap(), plan);
    let first = reduction.ask().unwrap().artifact().bytes().to_vec();
    let left = |at: &usize| has(&first, format!("f{at}(int a) {{").as_bytes());
    let sizes = |is_left: bool| (0..20).filter(move |at| left(at) == is_left).map(|at| at * 7 % 20);
    assert!(sizes(false).min() > sizes(true).max(), "{}", String::from_utf8_lossy(&first));
}

/// How deep something lies costs the logarithm of its depth.
#[test]
fn depth_is_logarithmic() {
    let nest = |before: &str, open: fn(usize) -> String, middle: &str, close: fn(usize) -> String, after: &str| {
        let opened: String = (0..800).map(open).collect();
        let closed: String = (0..800).map(close).collect();
        [before, &opened, middle, &closed, after].concat()
    };
    let c = nest("int main() {", |at| format!("a = {at}; if (a) {{"), "needle();", |at| format!("}} b({at});"), "}");
    let json = nest("", |at| format!("{{\"a\": {at}, \"b\":"), "\"needle\"", |at| format!(", \"c\": [{at}]}}"), "");
    let html = nest("", |at| format!("<div><p>{at}</p>"), "<b>needle</b>", |at| format!("<i>{at}</i></div>"), "");
    for (name, text) in [("a.c", c), ("a.json", json), ("a.html", html)] {
        let count = |text: &[u8], byte: u8| text.iter().filter(|other| **other == byte).count();
        let closed =
            |text: &[u8]| [b"()", b"[]", b"{}"].iter().all(|[one, other]| count(text, *one) == count(text, *other));
        let fails = |text: &[u8]| has(text, b"needle") && closed(text);
        let (best, asked) = reduced(name, text.as_bytes(), Plan::standard(), Languages::all(), fails);
        assert!(best.len() < 20 && asked <= 150, "{name}: {} bytes after {asked} tests", best.len());
    }
}

/// Opens and closes a level; the levels of a nest take turns.
type Level = (&'static str, &'static str);

/// Levels of one kind and of several, with something else beside the next one and without, with names of their own: as many tests as the
/// logarithm of their number, and some more for what is beside it, whether there are 10 or 800.
#[test]
fn depth_is_logarithmic_whatever_the_levels_are() {
    let nests: &[(&str, &str, &[Level], &str)] = &[
        ("a.c", "void f(){", &[("{", "}")], "needle;|}"),
        (
            "a.c",
            "void f(){",
            &[("if(x){", "}"), ("while(y){", "}"), ("for(;;){", "}"), ("do{", "}while(0);")],
            "needle;|}",
        ),
        ("a.c", "int x=", &[("f@(@,", ",g(@))")], "needle|;"),
        ("a.c", "void f(){", &[("if(x@){a();}else ", "")], "needle;|}"),
        ("a.json", "", &[("{\"a@\":@,\"b\":", "}"), ("[@,", "]")], "\"needle\"|"),
        ("a.js", "", &[("f(function(){", "});"), ("function f@(){", "}")], "needle;|"),
        ("a.lua", "", &[("if x then ", " end "), ("repeat ", " until y ")], "needle()|"),
        ("a.rs", "type A=", &[("Vec<", ">")], "needle|;"),
        ("a.sql", "", &[("select * from (", ") t@")], "select needle|;"),
        ("a.smt2", "(assert ", &[("(and (= x@ @) (or (< y @) ", ") (> z @))")], "needle|)"),
        ("a.html", "", &[("<div><p>@</p>", "</div>"), ("<ul><li>@</li>", "</ul>")], "needle|"),
        ("a.html", "", &[("<x-a@>", "</x-a@>")], "needle|"),
        ("a.xml", "", &[("<e@>", "</e@>")], "needle|"),
        ("a.xml", "", &[("<list><f/>", "</list>"), ("<item a=\"@\">", "<g>@</g></item>")], "needle|"),
        ("a.py", "x=", &[("[@,", "]"), ("{@:", "}")], "needle|\n"),
        ("a.txt", "", &[("<b>", "</b>"), ("<i>", "</i>")], "needle|"),
        ("a.txt", "", &[("and(p@, ", ")"), ("box(\n", ")"), ("a.or(", ", q(@, 1))")], "needle(x)|."),
    ];
    for levels in [10, 20, 95, 800] {
        for (name, before, turns, middle) in nests {
            let at = |at: usize| (turns[at % turns.len()], at.to_string());
            let opened: String = (0..levels).map(at).map(|((open, _), at)| open.replace('@', &at)).collect();
            let closed: String = (0..levels).rev().map(at).map(|((_, close), at)| close.replace('@', &at)).collect();
            let (middle, after) = middle.split_once('|').unwrap();
            let nest = [*before, &opened, middle, &closed, after].concat();
            is_soon_reduced(name, levels, nest.as_bytes());
        }
    }
}

/// The same by indentation, which has to be kept: in Python as deep as it goes there, in YAML also deeper than its grammar reads.
#[test]
fn depth_is_logarithmic_where_lines_are_indented() {
    for (name, levels, line, beside) in [
        ("a.py", 20, "if x@:", "y@ = 1"),
        ("a.py", 95, "if x@:", "y@ = 1"),
        ("a.yaml", 20, "a@:", "b@: 1"),
        ("a.yaml", 95, "a@:", "b@: 1"),
        ("a.yaml", 400, "a@:", "b@: 1"),
    ] {
        let lines = |at: usize| {
            let lines = [beside, line].map(|line| " ".repeat(at) + &line.replace('@', &at.to_string()) + "\n");
            lines.concat()
        };
        let nest = (0..levels).map(lines).collect::<String>() + &" ".repeat(levels) + "needle: 1\n";
        is_soon_reduced(name, levels, nest.as_bytes());
    }
}

/// Asserts that a nest of so many levels shrinks to its needle, or little more, in few tests.
fn is_soon_reduced(name: &str, levels: usize, nest: &[u8]) {
    let fails = |text: &[u8]| has(text, b"needle");
    let (best, asked) = reduced(name, nest, Plan::standard(), Languages::all(), fails);
    let most = 25 + 3 * levels.ilog2() as usize;
    let best = String::from_utf8_lossy(&best);
    assert!(best.len() <= 16 && asked <= most, "{levels} levels in {name}: {best} after {asked} tests, at most {most}");
}

/// Of 800 levels the innermost 12 are needed: each costs the logarithm of the depth, and the others go as in a nest without them.
#[test]
fn depth_is_logarithmic_around_a_needed_core() {
    let opened: String = (0..800).map(|at| format!("{{\"a\": {at}, \"b\":")).collect();
    let text = [&opened, "\"needle\"", &"}".repeat(800)].concat();
    let fails = |text: &[u8]| {
        let count = |byte: u8| text.iter().filter(|other| **other == byte).count();
        has(text, b"needle") && count(b'{') == count(b'}') && count(b'{') >= 12
    };
    let (best, asked) = reduced("a.json", text.as_bytes(), Plan::standard(), Languages::all(), fails);
    let left = best.iter().filter(|byte| **byte == b'{').count();
    assert!(left == 12 && asked <= 150 + 12 * 10, "{left} levels after {asked} tests");
}

/// 400 records that all say the same of different things, of which 10 are needed: the tree alone would take them apart one by one. The
/// note of each, more than half of the text, goes with few tests once the tree had time to find two needed parts.
#[test]
fn what_begins_alike_goes_at_once_where_the_tree_is_slow() {
    let record = |at: usize| format!("{{\"id\": {at}, \"mark\": \"m{at}x\", \"note\": [\"{}\"]}}", "words ".repeat(20));
    let text = format!("[{}]", (0..400).map(record).collect::<Vec<_>>().join(",\n"));
    let plan = Plan::standard().with_grammars(Arc::new(Languages::all()));
    let mut reduction = Reduction::new(Artifact::of_file("a.json", text.as_bytes()).unwrap(), plan);
    let needed: Vec<String> = (0..10).map(|at| format!("m{}x", at * 40 + 7)).collect();
    let mut asked = 0;
    while reduction.best().artifact().bytes().len() * 2 > text.len() {
        let candidate = reduction.ask().expect("half of it can go");
        let artifact = candidate.artifact();
        let fails = needed.iter().all(|mark| has(artifact.bytes(), mark.as_bytes()));
        reduction.tell(if fails { Outcome::Fail } else { Outcome::Pass });
        asked += 1;
    }
    assert!(asked <= 50, "{asked}");
}

/// In a short text that is data, too: all records begin alike, and the note of each goes with one test. In a short program the tree is
/// not left for that.
#[test]
fn what_begins_alike_goes_at_once_in_short_data() {
    let asked = |path: &str, text: &str, needed: &[String]| {
        let plan = Plan::standard().with_grammars(Arc::new(Languages::all()));
        let mut reduction = Reduction::new(Artifact::of_file(path, text.as_bytes()).unwrap(), plan);
        let (mut questions, mut left) = (0, 0);
        // Long after the turn of groups.
        for _ in 0..150 {
            let Some(candidate) = reduction.ask() else { break };
            let is_alike = reduction.phase().is_some_and(|phase| phase.kind == "alike");
            let fails = needed.iter().all(|mark| has(candidate.artifact().bytes(), mark.as_bytes()));
            reduction.tell(if fails { Outcome::Fail } else { Outcome::Pass });
            if is_alike {
                questions += 1;
                left = reduction.best().artifact().bytes().windows(5).filter(|word| word == b"words").count();
            }
        }
        (questions, left)
    };
    let record = |at: usize| format!("{{\"id\": {at}, \"mark\": \"m{at}x\", \"note\": [\"{}\"]}}", "words ".repeat(20));
    let data = format!("[{}]", (0..40).map(record).collect::<Vec<_>>().join(",\n"));
    let needed: Vec<String> = (0..20).map(|at| format!("m{}x", at * 2 + 1)).collect();
    let (questions, left) = asked("a.json", &data, &needed);
    assert!((1..12).contains(&questions) && left == 0, "{left} words after {questions} questions");
    let function =
        |at: usize| format!("function m{at}x(a) {{\n  note(a, \"{}\");\n  mark({at});\n}}\n", "words ".repeat(20));
    let program: String = (0..40).map(function).collect();
    assert_eq!(asked("a.js", &program, &needed).0, 0);
}

/// A text of 9 MiB is too large to be read in its language. Sections of it go first, by halves; what is left is read then, and comes to
/// what a small text comes to.
#[test]
fn large_texts_are_read_once_sections_have_gone() {
    let record = |at: usize| format!("{{\"id\":{at},\"tags\":[\"a\",\"b\"],\"note\":\"{}\"}}", "words ".repeat(20));
    let fails = |text: &[u8]| has(text, b"needle") && text.starts_with(b"[") && text.ends_with(b"]");
    let needle = r#"{"id":0,"list":[{"name":["needle"]}]}"#.to_owned();
    let text = |records: usize| {
        let mut all: Vec<String> = (0..records).map(record).collect();
        all.insert(records / 3, needle.clone());
        format!("[{}]", all.join(","))
    };
    let (small, large) = (text(10), text(64_000));
    assert!(large.len() > 9 << 20);
    let reduced = |text: &str| reduced("a.json", text.as_bytes(), Plan::standard(), Languages::all(), fails);
    let ((of_small, _), (of_large, asked)) = (reduced(&small), reduced(&large));
    assert!(of_large == of_small && asked <= 150, "{} after {asked} tests", String::from_utf8_lossy(&of_large));
}

/// A program of some 20 kB, each function with branches in a loop.
fn program(functions: usize) -> String {
    let branch = |at: usize| format!("        if n > {at}:\n            n = n - a * {at}\n");
    let function = |at: usize| {
        let branches: String = (0..8).map(|line| branch(at * 8 + line)).collect();
        format!("def f{at}(a, n):\n    while n:\n{branches}    return n\n\n")
    };
    (0..functions).map(function).collect()
}

/// How much is left after so many tests, and how many of these asked about stretches.
fn left_after(tests: usize, text: &str, fails: impl Fn(&[u8]) -> bool) -> (usize, usize) {
    let plan = Plan::standard().with_grammars(Arc::new(Languages::all()));
    let mut reduction = Reduction::new(Artifact::of_file("a.py", text.as_bytes()).unwrap(), plan);
    let mut stretches = 0;
    for _ in 0..tests {
        let Some(candidate) = reduction.ask() else { break };
        stretches += usize::from(reduction.phase().is_some_and(|phase| phase.kind == "stretches"));
        let outcome = if fails(candidate.artifact().bytes()) { Outcome::Fail } else { Outcome::Pass };
        reduction.tell(outcome);
    }
    (reduction.best().artifact().bytes().len(), stretches)
}

/// What is needed stands in three branches of three functions: it is not taken apart before the rest has gone.
#[test]
fn stretches_leave_little_of_what_is_needed_in_few_places() {
    let text = program(40);
    let needed = [b"n > 33:".as_slice(), b"n > 161:", b"n > 290:"];
    let (left, _) = left_after(50, &text, |text| needed.iter().all(|needed| has(text, needed)));
    assert!(left * 10 < text.len(), "{left} of {}", text.len());
}

/// Where no stretch goes, a handful of tests show it. Here every function is needed, though hardly anything in it but its loop.
#[test]
fn stretches_that_never_go_cost_a_handful_of_tests() {
    let text = program(40);
    let loops = |text: &[u8]| text.windows(7).filter(|word| word == b"while n").count();
    let all = |text: &[u8]| (0..40).all(|at| has(text, format!("def f{at}(").as_bytes())) && loops(text) == 40;
    let (_, stretches) = left_after(300, &text, all);
    assert!((1..=8).contains(&stretches), "{stretches}");
}

/// What is left after so many tests.
fn left_with(tests: usize, name: &str, text: &str, fails: impl Fn(&[u8]) -> bool) -> (Vec<u8>, Vec<&'static str>) {
    let plan = Plan::standard().with_grammars(Arc::new(Languages::all()));
    let mut reduction = Reduction::new(Artifact::of_file(name, text.as_bytes()).unwrap(), plan);
    let mut kinds = vec![];
    while let Some(candidate) = reduction.ask().filter(|_| kinds.len() < tests) {
        kinds.extend(reduction.phase().map(|phase| phase.kind));
        let outcome = if fails(candidate.artifact().bytes()) { Outcome::Fail } else { Outcome::Pass };
        reduction.tell(outcome);
    }
    (reduction.best().artifact().bytes().to_vec(), kinds)
}

/// In a program whose largest functions are needed, the small ones have their turn before all of these were asked about.
#[test]
fn bodies_go_on_with_small_ones_where_the_largest_are_needed() {
    // Each fifth function is large and needed, and each other one as long as it does anything.
    let lines = |at: usize| if at % 5 == 4 { 60 + at } else { 8 };
    let function = |at: usize| {
        let body: String = (0..lines(at)).map(|line| format!("    a += {line}\n")).collect();
        format!("def f{at}(a):\n{body}\n")
    };
    let text: String = (0..150).map(function).collect();
    let works = |text: &[u8]| {
        let text = String::from_utf8_lossy(text);
        let functions: Vec<&str> = text.split("def ").skip(1).collect();
        let is_whole = |(at, body): (usize, &&str)| match body.matches("a +=").count() {
            0 => at % 5 < 4,
            left => left == lines(at),
        };
        functions.len() == 150 && functions.iter().enumerate().all(is_whole)
    };
    let (left, _) = left_with(60, "a.py", &text, works);
    let small =
        text.split("def ").skip(1).enumerate().filter(|(at, _)| at % 5 < 4).map(|(_, body)| body.len()).sum::<usize>();
    assert!(text.len() - left.len() > small / 2, "{} of {small} bytes of small functions", text.len() - left.len());
}

/// Levels of a nest that is needed do not keep others waiting.
#[test]
fn a_short_nest_that_stays_waits() {
    let function =
        |at: usize| format!("function f{at}(a) {{ for (const b of a) {{ if (b > {at}) return b * {at}; }} }}\n");
    let functions: String = (0..700).map(function).collect();
    let nest = (0..40).fold("0".to_owned(), |inner, at| format!("g{at}(1, {inner})"));
    let text = format!("{functions}let x = {nest};\n");
    let count = |text: &[u8], word: &[u8]| text.windows(word.len()).filter(|at| *at == word).count();
    let needed = |text: &[u8]| has(text, nest.as_bytes()) && count(text, b"for (const b of a)") >= 600;
    let (_, kinds) = left_with(100, "a.js", &text, needed);
    let nests = kinds.iter().filter(|kind| **kind == "nests").count();
    assert!((1..=12).contains(&nests), "{nests} of {kinds:?}");
}

/// Each level of functions within each other is in vain, of which there are many.
#[test]
fn bodies_in_vain_at_every_level_end() {
    // Long names make a body large that is soon read.
    let name = "x".repeat(30);
    let functions = (0..90).fold(String::new(), |inner, at| {
        let lines: String = (0..3).map(|line| format!("  a += {line} * {name}{at};\n")).collect();
        format!("function f{at}(a) {{\n{lines}{inner}}}\nfunction g{at}(a) {{\n{lines}}}\n")
    });
    // All turns of bodies: what comes later is about the tree.
    let (left, kinds) = left_with(700, "a.js", &functions, |text| text.len() >= functions.len());
    assert!(left.len() == functions.len() && kinds.contains(&"bodies"));
}

/// When a function is only declared, what only its body has called is soon gone: it is not left for the tree.
#[test]
fn what_only_bodies_that_went_have_used_goes_soon() {
    const COUNT: usize = 48;
    let lines = |at: usize| (0..24).map(|line| format!("  a = a * {line} + {at};\n")).collect::<String>();
    let mut text = String::new();
    for at in 0..COUNT {
        text += &format!("int g{at}(int a) {{\n{}  return a;\n}}\n", lines(at));
        text += &format!("int f{at}(int a) {{\n{}  return g{at}(a);\n}}\n", lines(at));
    }
    let calls = (0..COUNT).map(|at| format!("  f{at}({at});\n")).collect::<String>();
    text += &format!("int main(void) {{\n{calls}}}\n");
    // Every fourth is needed as it is, and every function has to be declared where it is called.
    let body = |name: &str, at: usize| format!("int {name}{at}(int a) {{\n{}", lines(at));
    let is_declared = |text: &str, name: &str| {
        let uses = text.matches(&format!("{name}(")).count();
        uses == 0 || text.contains(&format!("int {name}(int a)"))
    };
    let fails = |text: &str| {
        let keeps = |at: usize| text.contains(&body("f", at)) && text.contains(&body("g", at));
        let follows = text.matches('{').count() == text.matches('}').count();
        let calls = (0..COUNT).all(|at| text.contains(&format!("  f{at}({at});")));
        let declares =
            (0..COUNT).all(|at| is_declared(text, &format!("f{at}")) && is_declared(text, &format!("g{at}")));
        follows && calls && declares && (0..COUNT).step_by(4).all(keeps)
    };
    assert!(fails(&text) && text.len() > 24 << 10, "{} bytes, {}", text.len(), fails(&text));
    let plan = Plan::standard().with_grammars(Arc::new(Languages::all()));
    let mut reduction = Reduction::new(Artifact::of_file("a.c", text.as_bytes()).unwrap(), plan);
    let (mut best, mut longest, mut waited) = (text, 0, 0);
    while let Some(candidate) = reduction.ask().filter(|_| best.len() > 20 << 10) {
        let text = String::from_utf8(candidate.artifact().bytes().to_vec()).unwrap();
        let has_failed = fails(&text);
        reduction.tell(if has_failed { Outcome::Fail } else { Outcome::Pass });
        best = if has_failed { text } else { best };
        // What nothing calls any more is a tenth of the text or more.
        let unused = |at: &usize| best.contains(&body("g", *at)) && !best.contains(&body("f", *at));
        let size: usize = (0..COUNT).filter(unused).map(|at| body("g", at).len()).sum();
        waited = if size * 10 > best.len() { waited + 1 } else { 0 };
        longest = longest.max(waited);
    }
    assert!(best.len() <= 20 << 10 && longest <= 8, "{} bytes, {longest} tests", best.len());
}
