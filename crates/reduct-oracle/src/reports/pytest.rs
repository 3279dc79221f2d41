//! Failed tests as pytest shows them, in any of its styles but the interpreter's own: the first.

use super::{ChainedException, FailureReport, python};
use crate::frames::Frame;
use crate::regex;
use regex::Regex;
use std::sync::LazyLock;

/// What all sections of failed tests stand below.
static BEGIN: LazyLock<Regex> = LazyLock::new(|| regex(r"^=+ (?:FAILURES|ERRORS) =+$"));
/// `____ test_x ____`: whose section it is.
static TITLE: LazyLock<Regex> = LazyLock::new(|| regex(r"^_+ _*[^_\s].* _+$"));
/// What stands behind a section: other parts of the output, and what the test has printed.
static END: LazyLock<Regex> = LazyLock::new(|| regex(r"^(?:=+ .+ =+|-+ .+ -+|(?:FAILED|ERROR) \S.*)$"));
/// Between two functions that are shown in full.
static BETWEEN: LazyLock<Regex> = LazyLock::new(|| regex(r"^(?:_ )+_?$"));
/// `x.py:6: in f`, above a line of it; `x.py:6: `, `x.py:6: KeyError`, below a function that is shown in full;
/// `/u/x.py:6: KeyError: 'a'`, alone. Arguments are shown as `a = 1`.
static PLACE: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^([^\s=>][^=]*?):(\d+):(?: (?:in (\S+)|(\w+)(?:: (.*))?)?)?$"));
static FUNCTION: LazyLock<Regex> = LazyLock::new(|| regex(r"^>?\s+(?:async )?def (\w+)"));
/// What the exception says, in one or more lines.
static SAYS: LazyLock<Regex> = LazyLock::new(|| regex(r"^E  +(\S.*)$"));
static EXCEPTION: LazyLock<Regex> = LazyLock::new(|| regex(r"^([A-Za-z_][\w.]*)(?:: (.*))?$"));

pub(super) fn read(text: &str) -> Option<FailureReport> {
    if !["= FAILURES =", "= ERRORS ="].iter().any(|title| text.contains(title)) {
        return None;
    }
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let begin = lines.iter().position(|line| BEGIN.is_match(line))? + 1;
    let mut parts: Vec<Part> =
        section(&lines[begin..]).split(|line| python::BETWEEN.contains(line)).map(part).collect();
    let Part { said: Some((class, message)), mut frames } = parts.pop()? else { return None };
    if frames.is_empty() {
        return None;
    }
    frames.reverse();
    let link =
        |part: Part| Some(ChainedException { class: part.said?.0, frames: part.frames.into_iter().rev().collect() });
    let chain = parts.into_iter().filter_map(link).collect();
    Some(FailureReport { class, message, quotes: true, frames, chain })
}

/// Returns the lines about the first test. With a line for each there are no titles.
fn section<'a>(lines: &'a [&'a str]) -> &'a [&'a str] {
    let is_over = |line: &&str| TITLE.is_match(line) || END.is_match(line);
    if lines.first().is_some_and(|line| TITLE.is_match(line)) {
        let end = lines.iter().skip(1).position(is_over).map_or(lines.len(), |at| at + 1);
        return &lines[1..end];
    }
    let end = lines.iter().position(is_over).unwrap_or(lines.len());
    let first = lines[..end].iter().position(|line| PLACE.is_match(line));
    &lines[..first.map_or(0, |at| at + 1)]
}

/// One exception of a chain.
#[derive(Default)]
struct Part {
    /// Its type, and what it says.
    said: Option<(String, String)>,
    /// The functions it went through, outermost first.
    frames: Vec<Frame>,
}

fn part(lines: &[&str]) -> Part {
    let (mut function, mut kind, mut frames) = (None, None, vec![]);
    for line in lines {
        if BETWEEN.is_match(line) {
            function = None;
        } else if let Some(found) = PLACE.captures(line) {
            let name = found.get(3).map(|name| name.as_str()).or(function.take());
            let (file, of_exception) = (&found[1], found.get(4).map(|kind| (kind.as_str(), found.get(5))));
            kind = of_exception.map(|(kind, says)| (kind, says.map_or("", |says| says.as_str())));
            let name = name.unwrap_or_else(|| super::file_name(file));
            frames.push(Frame::managed(name, python::is_own(file), &format!("{file}:{}", &found[2])));
        } else if function.is_none() {
            function = FUNCTION.captures(line).and_then(|found| Some(found.get(1)?.as_str()));
        }
    }
    let says: Vec<&str> = lines.iter().filter_map(|line| Some(SAYS.captures(line)?.get(1)?.as_str())).collect();
    Part { said: said(&says, kind), frames }
}

/// Returns the type of an exception and what it says, from the lines that say so, and what its place is marked with.
/// Only the first line names it: further ones quote the message, or what an assertion compares. Of what cannot be
/// parsed, the place and the line come first.
fn said(says: &[&str], kind: Option<(&str, &str)>) -> Option<(String, String)> {
    let is_place = |line: &&&str| line.starts_with("File \"");
    let first = if says.first().filter(is_place).is_some() { says.last() } else { says.first() };
    let named = first.and_then(|line| {
        let found = EXCEPTION.captures(line)?;
        let is_it = kind.is_none_or(|(kind, _)| found[1].rsplit('.').next() == Some(kind));
        is_it.then(|| (found[1].to_owned(), found.get(2).map_or("", |says| says.as_str()).to_owned()))
    });
    let first = first.map(|line| (*line).to_owned());
    let is_assert = |line: &String| line.starts_with("assert ");
    let told = || match kind {
        Some((kind, says)) => Some((kind.to_owned(), first.clone().unwrap_or_else(|| says.to_owned()))),
        None => Some(("AssertionError".to_owned(), first.clone().filter(is_assert)?)),
    };
    named.or_else(told)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(section: &str) -> Option<(String, Vec<String>)> {
        let text = format!("FF   [100%]\n=== FAILURES ===\n{section}FAILED t.py::t\n");
        let report = read(&text)?;
        let place = |frame: &Frame| {
            let (file, line) = frame.at.clone().unwrap_or_default();
            format!("{} {file}:{line}", frame.name)
        };
        Some((report.in_short(), report.frames.iter().map(place).collect()))
    }

    const FULL: &str = "___ test_a ___\n\n    def test_a():\n>       f()\n\nt.py:7: \n_ _ _ _ _ \np.py:9: in g\n    return f(o)\n           ^^^^\n_ _ _ _ _ \n\no = {'a:1': 2}\n\n    def f(o):\n        x = 1\n>       return c[o]\nE       KeyError: 'S'\n\np.py:6: KeyError\n";
    const SHORT: &str = "___ test_a ___\nt.py:7: in test_a\n    f()\np.py:9: in g\n    return f(o)\n           ^^^^\np.py:6: in f\n    return c[o]\nE   KeyError: 'S'\n";

    #[test]
    fn what_a_test_failed_of_and_where_is_read_in_every_style() {
        let said = |frames: &[&str]| Some(("KeyError: 'S'".to_owned(), frames.iter().map(|f| (*f).into()).collect()));
        let all = said(&["f p.py:6", "g p.py:9", "test_a t.py:7"]);
        assert_eq!(told(FULL), all);
        assert_eq!(told(SHORT), all);
        let other = "___ test_b ___\nt.py:9: in test_b\n    h()\nE   ValueError: no\n";
        assert_eq!(told(&format!("{SHORT}{other}")), all, "the first");
        let printed = "--- Captured stderr call ---\nq.py:1: in h\nE   ValueError: no\n";
        assert_eq!(told(&format!("{SHORT}{printed}")), all);
        let line = "/u/p.py:6: KeyError: 'S'\n/u/p.py:7: ValueError: no\n";
        assert_eq!(told(line), said(&["p.py /u/p.py:6"]));
        assert_eq!(told(&format!("E   KeyError: 'S'\n{line}")), said(&["p.py /u/p.py:6"]));
        assert_eq!(
            told("___ t ___\nTraceback (most recent call last):\n  File \"p.py\", line 6, in f\nKeyError: 'S'\n"),
            None
        );
    }

    #[test]
    fn an_assertion_is_told_with_what_it_compares() {
        let full = "___ T.test_a ___\n\nself = <t.T>\n\n    def test_a(self):\n>       assert f() == 4, \"no\"\nE       AssertionError: no\nE       assert 3 == 4\n\nt.py:7: AssertionError\n";
        let at = vec!["test_a t.py:7".to_owned()];
        assert_eq!(told(full), Some(("AssertionError: no".into(), at.clone())));
        let bare = full.replace("E       AssertionError: no\n", "");
        assert_eq!(told(&bare), Some(("AssertionError: assert 3 == 4".into(), at.clone())));
        let short =
            "___ test_a ___\nt.py:7: in test_a\n    assert f() == 4\nE   assert 3 == 4\nE    +  where 3 = f()\n";
        assert_eq!(told(short), Some(("AssertionError: assert 3 == 4".into(), at.clone())));
        let texts = "___ test_a ___\nt.py:7: in test_a\n    assert t == 'a'\nE   assert 'alpha\\nname: v' == 'a'\nE     \nE     - \
                     a\nE     alpha\nE     name: v\n";
        assert_eq!(told(texts), Some(("AssertionError: assert 'alpha\\nname: v' == 'a'".into(), at)));
    }

    #[test]
    fn what_cannot_be_parsed_is_named_last() {
        let text = "___ ERROR collecting t.py ___\n/u/python.py:507: in importtestmodule\n    mod = import_path(\nE     \
                    File \"/u/t.py\", line 1\nE       def f(:\nE             ^\nE   SyntaxError: invalid syntax\n";
        assert_eq!(told(text).unwrap().0, "SyntaxError: invalid syntax");
    }

    #[test]
    fn a_chain_ends_with_what_the_test_failed_of() {
        let cause = "___ test_a ___\np.py:3: in f\n    c[o]\nE   KeyError: 'S'\n";
        let then = "t.py:7: in test_a\n    f()\nE   x.y.BadOrder: no\n";
        let text = format!("=== ERRORS ===\n{cause}\n{}\n{then}", python::BETWEEN[0]);
        let report = read(&text).unwrap();
        assert_eq!((report.in_short().as_str(), &report.frames[0].name[..]), ("x.y.BadOrder: no", "test_a"));
        assert_eq!((&report.chain[0].class[..], &report.chain[0].frames[0].name[..]), ("KeyError", "f"));
    }
}
