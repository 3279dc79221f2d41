//! Failed tests of JavaScript as node's own runner, mocha and jest show them: the first of which it is said where.

use super::{FailureReport, javascript};
use crate::regex;
use regex::Regex;
use std::sync::LazyLock;

/// What only these runners print; most texts hold none of it.
const MARKS: [&str; 4] = ["not ok ", "✖", "●", " failing"];
/// Which test it is: of node, by its reporters `tap` and `spec`; of jest.
static TITLE: LazyLock<Regex> = LazyLock::new(|| regex(r"^\s*(?:not ok \d+ - |✖ \S|● \S)"));
/// The same of mocha, below the line that counts those that failed. Above it, and of others, these are only numbers.
static NUMBERED: LazyLock<Regex> = LazyLock::new(|| regex(r"^\s*\d+\) \S"));
static COUNT: LazyLock<Regex> = LazyLock::new(|| regex(r"^\s*\d+ failing$"));
static STACK: LazyLock<Regex> = LazyLock::new(|| regex(r"^( *)stack: \|-?$"));
/// Below which jest shows what a test has logged.
static LOGGED: LazyLock<Regex> = LazyLock::new(|| regex(r"^\s*console\.\w+(?: \S+:\d+)?$"));
/// What jest's own functions say that no error names, but for what is thrown as a plain `Error`: of that it shows only
/// the message, and the line of the source that threw it.
static SAID: LazyLock<Regex> = LazyLock::new(|| regex(r"^(?:expect[(.]|thrown: )"));
static SOURCE: LazyLock<Regex> = LazyLock::new(|| regex(r"^\s*> *\d+ \|"));

pub(super) fn read(text: &str) -> Option<FailureReport> {
    if !MARKS.iter().any(|mark| text.contains(mark)) {
        return None;
    }
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let counted = lines.iter().position(|line| COUNT.is_match(line)).unwrap_or(lines.len());
    let is_title = |at: &usize| TITLE.is_match(lines[*at]) || *at > counted && NUMBERED.is_match(lines[*at]);
    let titles: Vec<usize> = (0..lines.len()).filter(is_title).collect();
    // What nobody has caught, no runner shows.
    if titles.is_empty() || !javascript::was_caught(&lines) {
        return None;
    }
    let ends = titles.iter().copied().skip(1).chain([lines.len()]);
    let mut sections = titles.iter().zip(ends).map(|(title, end)| (lines[*title], &lines[title + 1..end]));
    sections.find_map(|(title, section)| tap(section).or_else(|| shown(title, section)))
}

/// Returns a block of names and values, of which one is the stack.
fn tap(section: &[&str]) -> Option<FailureReport> {
    let at = section.iter().position(|line| STACK.is_match(line))?;
    let indent = STACK.captures(section[at])?[1].len();
    let value = |name: &str| {
        let mut lines = section[..at].iter().enumerate();
        let (at, value) = lines.find_map(|(at, line)| Some((at, line.trim_start().strip_prefix(name)?.trim())))?;
        let value = if value.starts_with('|') { section[at + 1].trim() } else { value };
        let inside = |mark: char| value.strip_prefix(mark)?.strip_suffix(mark);
        Some(inside('\'').or_else(|| inside('"')).unwrap_or(value).to_owned())
    };
    let is_inside = |line: &&&str| line.bytes().take(indent + 1).filter(|byte| *byte == b' ').count() > indent;
    let stack = section[at + 1..].iter().take_while(is_inside).map(|line| format!("  at {}", line.trim()));
    let stack: Vec<String> = stack.collect();
    let frames = javascript::frames(&stack.iter().map(String::as_str).collect::<Vec<_>>());
    Some(FailureReport { class: value("name:")?, message: value("error:")?, quotes: true, frames, chain: vec![] })
}

/// Returns an error as node prints it, indented below its title. jest shows the lines of its source above the stack,
/// and no type of what its own functions compare; what a test logs, it shows in sections of their own.
fn shown(title: &str, section: &[&str]) -> Option<FailureReport> {
    let logged = section.iter().position(|line| LOGGED.is_match(line)).unwrap_or(section.len());
    let section = &section[..logged];
    let stack = section.iter().position(|line| javascript::ENTRY.is_match(line))?;
    let above = || section[..stack].iter().filter(|line| indent(line) > indent(title));
    let said = above().find_map(|line| {
        let found = javascript::ERROR.captures(line.trim_start())?;
        Some((found[1].to_owned(), found.get(2).map_or("", |message| message.as_str()).to_owned()))
    });
    let is_of_jest = title.trim_start().starts_with('●');
    let compared = || {
        let line = above().map(|line| line.trim_start()).find(|line| SAID.is_match(line));
        let thrown = || above().find(|_| above().any(|line| SOURCE.is_match(line)));
        let line = line.or_else(|| thrown().map(|line| line.trim_start()))?;
        is_of_jest.then(|| ("assertion".to_owned(), line.to_owned()))
    };
    let (class, message) = said.or_else(compared)?;
    Some(FailureReport { class, message, quotes: true, frames: javascript::frames(&section[stack..]), chain: vec![] })
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Option<(String, String)> {
        let report = read(text)?;
        let (file, line) = report.frames[0].at.clone()?;
        Some((report.in_short(), format!("{} {file}:{line}", report.frames[0].name)))
    }

    #[test]
    fn what_a_test_failed_of_and_where_is_read_of_every_runner() {
        let of_node = "    # Subtest: b\n    not ok 2 - b\n      ---\n      duration_ms: 0.12\n      location: '/u/t.js:3:83'\n      error: \"Cannot read 'rate'\"\n      code: 'ERR_TEST_FAILURE'\n      name: 'TypeError'\n      stack: |-\n        Object.rebate (/u/p.js:6:28)\n        async Test.run (node:internal/test:7:9)\n      ...\nnot ok 1 - shop\n  ---\n  error: '1 subtest failed'\n  ...\n";
        let spec = "▶ shop\n  ✖ a (0.19ms)\n    TypeError [Error]: Cannot read 'rate'\n        at Object.rebate (/u/p.js:6:28)\n        at Test.run (node:internal/test:7:9)\n";
        let mocha = "  shop\n    1) totals\n\n\n  1 failing\n\n  1) shop\n       totals:\n     TypeError: Cannot read 'rate'\n      at Object.rebate (/u/p.js:6:28)\n      at Context.<anonymous> (t.js:6:51)\n";
        let jest = "  ● shop › totals\n\n    TypeError: Cannot read 'rate'\n\n      4 |\n      5 | function rebate(order) {\n    > 6 |   return CODES[order.code].rate;\n        |                            ^\n      7 | }\n\n      at Object.rebate (/u/p.js:6:28)\n      at Object.rebate (t.test.js:6:51)\n";
        let wanted = Some(("TypeError: Cannot read 'rate'".to_owned(), "Object.rebate /u/p.js:6".to_owned()));
        for text in [of_node, spec, mocha, jest] {
            assert_eq!(told(text), wanted, "{text}");
        }
    }

    #[test]
    fn what_stands_below_a_stack_may_be_of_any_letters() {
        let of_node =
            "not ok 1 - a\n  ---\n  error: 'no'\n  name: 'TypeError'\n  stack: |-\n    f (/u/p.js:6:28)\néé\n  ...\n";
        assert_eq!(told(of_node), Some(("TypeError: no".to_owned(), "f /u/p.js:6".to_owned())));
        assert_eq!(told(&of_node.replace("éé", "  é")).unwrap().1, "f /u/p.js:6");
    }

    #[test]
    fn what_a_test_compares_is_its_message() {
        let jest = "  ● a\n\n    expect(received).toBe(expected) // Object.is equality\n\n    Expected: 3\n    Received: 2\n\n    > 8 | t\n        | ^\n\n      at Object.toBe (t.js:8:39)\n";
        let told_by = |text: &str| told(text).unwrap().0;
        assert_eq!(told_by(jest), "assertion: expect(received).toBe(expected) // Object.is equality");
        let of_node = "not ok 1 - a\n  ---\n  error: |-\n    Expected values to be equal:\n    \n    1 !== 3\n  name: 'AssertionError'\n  stack: |-\n    TestContext.<anonymous> (/u/t.js:3:60)\n  ...\n";
        assert_eq!(told_by(of_node), "AssertionError: Expected values to be equal:");
        let uncaught = "1) load\n/u/p.js:3\n  f()\n  ^\n\nTypeError: no\n    at f (/u/p.js:3:1)\n\nNode.js v20.20.2\n";
        assert_eq!(told(uncaught), None);
    }

    const FAILED: &str = "  ● shop › totals\n\n    TypeError: no rate\n\n      at Object.rebate (p.js:6:28)\n\n";

    #[test]
    fn what_jest_shows_as_logged_is_no_failed_test() {
        let log = "  ● Console\n\n    console.log\n      loading\n\n      at Object.log (x.test.js:3:11)\n\n";
        let error = "  ● Console\n\n    console.error\n      RangeError: handled\n          at retry (net.js:3:11)\n\n      at \
                     Object.error (x.test.js:3:11)\n\n";
        let wanted = Some(("TypeError: no rate".to_owned(), "Object.rebate p.js:6".to_owned()));
        for log in [log, error, "  ● not run\n\n      at Object.log (x.test.js:3:11)\n\n"] {
            assert_eq!(told(&format!("FAIL ./x.test.js\n{log}{FAILED}")), wanted, "{log}");
        }
        assert_eq!(told(&format!("FAIL ./x.test.js\n{log}")), None);
        let named = FAILED.replace("shop › totals", "Console");
        assert_eq!(told(&named), wanted, "a test may have that name");
        let plain = "  ● a\n\n    no such code\n\n    > 8 | t\n        | ^\n\n      at f (p.js:6:28)\n";
        assert_eq!(told(plain).unwrap().0, "assertion: no such code");
    }

    #[test]
    fn what_later_tests_log_between_titles_is_no_failed_test() {
        let logged = "TypeError: handled\n    at retry (net.js:3:11)\n";
        let mocha = format!(
            "  shop\n    1) totals\n{logged}    ✔ parse\n\n\n  1 passing (4ms)\n  1 failing\n\n  1) shop\n       totals:\n     \
             RangeError: Invalid length\n      at Object.parse (q.js:9:2)\n"
        );
        let node = format!(
            "✖ totals (0.2ms)\n{logged}✔ parse (0.1ms)\nℹ fail 1\n\n✖ failing tests:\n\ntest at t.js:3:1\n✖ totals (0.2ms)\n  \
             RangeError: Invalid length\n      at Object.parse (q.js:9:2)\n"
        );
        for text in [mocha, node] {
            let wanted = Some(("RangeError: Invalid length".to_owned(), "Object.parse q.js:9".to_owned()));
            assert_eq!(told(&text), wanted, "{text}");
        }
        let steps = format!("1) reading\n  {}\n2) writing\n", logged.replace('\n', "\n  "));
        assert_eq!((told(&steps), told(&format!("{steps}none failing\n"))), (None, None), "steps of another program");
    }
}
