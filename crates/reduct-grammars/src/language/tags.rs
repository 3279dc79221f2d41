//! How deep the elements of a text with tags stand in each other.
//!
//! The scanners of the grammars of HTML and XML write down all elements that are open at each token, and read them
//! again at the next one: to read 5,000 levels takes minutes. They write them into 1,024 bytes; the names of those that have
//! no room are lost, so that nothing that ends there is read as what it is. Elements are taken to be open here as they are there.

mod html;

use std::collections::HashMap;

/// More elements within each other than this are not read.
const DEEPEST: usize = 1000;

/// As are more than so many that are open at all tags together.
const MOST_OPEN: usize = 20_000_000;

/// What the scanners have room for, next to two counts of up to four bytes, and what they leave free behind the last one.
const ROOM: usize = 1014;

/// More bytes of a name are not written.
const LONGEST_NAME: usize = 255;

/// What begins and ends a stretch in which there are no tags.
const OPAQUE: [(&[u8], &[u8]); 4] = [(b"<!--", b"-->"), (b"<![CDATA[", b"]]>"), (b"<?", b"?>"), (b"<!", b">")];

/// What a text with tags is.
#[derive(Clone, Copy, PartialEq)]
enum Markup {
    Html,
    Xml,
}

/// Returns whether elements of HTML stand within each other so deep that the scanner takes too long, or forgets some. Linear in the text.
#[cfg_attr(not(feature = "html"), allow(dead_code))]
pub(super) fn is_beyond_html(text: &[u8]) -> bool {
    deepest(text, Markup::Html).is_none()
}

/// Returns whether elements of XML stand within each other so deep that the scanner takes too long, or forgets some. Linear in the text.
#[cfg_attr(not(feature = "xml"), allow(dead_code))]
pub(super) fn is_beyond_xml(text: &[u8]) -> bool {
    deepest(text, Markup::Xml).is_none()
}

/// Returns how many elements are open at once; `None` if the scanner takes too long over them, or forgets some.
fn deepest(text: &[u8], markup: Markup) -> Option<usize> {
    let (mut open, mut search) = (Open::new(markup), Search { text, missing: vec![] });
    let (mut deepest, mut all, mut at) = (0, 0, 0);
    while let Some(next) = text[at..].iter().position(|byte| *byte == b'<') {
        at += next;
        if let Some((begin, end)) = OPAQUE.iter().find(|(begin, _)| text[at..].starts_with(begin)) {
            at = search.after(end, at + begin.len()).unwrap_or(at + begin.len());
            continue;
        }
        let is_end = text.get(at + 1) == Some(&b'/');
        let from = at + 1 + usize::from(is_end);
        let name = name(&text[from..], markup);
        if name.is_empty() {
            at = from;
            continue;
        }
        let (over, closes_itself) = search.tag_end(from + name.len(), markup);
        at = over;
        match (markup, is_end) {
            (Markup::Xml, true) => open.end_last(name),
            (Markup::Xml, false) if closes_itself => {}
            (Markup::Xml, false) => open.begin(name),
            (Markup::Html, true) => open.end(&name.to_ascii_lowercase()),
            (Markup::Html, false) => {
                let name = name.to_ascii_lowercase();
                open.make_room(&name);
                if !closes_itself && !html::is_void(&name) {
                    open.begin(&name);
                }
                if let Some(end) = html::end_of_raw(&name).filter(|_| !closes_itself) {
                    at = search.after(end, at).map_or(text.len(), |after| after - end.len());
                }
            }
        }
        deepest = deepest.max(open.elements.len());
        all += open.elements.len();
        if deepest > DEEPEST || all > MOST_OPEN || open.kept > ROOM {
            return None;
        }
    }
    Some(deepest)
}

/// Returns the name that a text begins with.
fn name(text: &[u8], markup: Markup) -> &[u8] {
    let is_of_name = |byte: &u8| {
        let is_letter = byte.is_ascii_alphanumeric() || matches!(byte, b':' | b'-');
        is_letter || markup == Markup::Xml && (matches!(byte, b'_' | b'.') || *byte > 127)
    };
    &text[..text.iter().take_while(|byte| is_of_name(byte)).count()]
}

/// Returns how many bytes the scanner keeps of an element with this name.
fn kept(name: &[u8], markup: Markup) -> usize {
    let written = name.len().min(LONGEST_NAME);
    match markup {
        Markup::Xml => 1 + written,
        Markup::Html if html::is_of_one_byte(name) => 1,
        Markup::Html => 2 + written,
    }
}

/// The elements that are open.
struct Open {
    markup: Markup,
    /// How many bytes are kept of them.
    kept: usize,
    /// From the outermost one on.
    elements: Vec<Vec<u8>>,
    /// By name, how many of these have it.
    counts: HashMap<Vec<u8>, usize>,
}

impl Open {
    fn new(markup: Markup) -> Open {
        Open { markup, kept: 0, elements: vec![], counts: HashMap::new() }
    }

    fn begin(&mut self, name: &[u8]) {
        self.kept += kept(name, self.markup);
        self.elements.push(name.to_vec());
        *self.counts.entry(name.to_vec()).or_default() += 1;
    }

    /// Ends the innermost element.
    fn pop(&mut self) -> Option<Vec<u8>> {
        let name = self.elements.pop()?;
        self.kept -= kept(&name, self.markup);
        self.counts.entry(name.clone()).and_modify(|count| *count -= 1);
        Some(name)
    }

    /// Ends the innermost element if it has this name.
    fn end_last(&mut self, name: &[u8]) {
        if self.elements.last().is_some_and(|last| last == name) {
            self.pop();
        }
    }

    /// Ends the innermost element with this name, and all that are in it. Does nothing if none is open.
    fn end(&mut self, name: &[u8]) {
        if self.counts.get(name).is_some_and(|count| *count > 0) {
            while self.pop().is_some_and(|popped| popped != name) {}
        }
    }

    /// Ends the innermost elements in which one with this name cannot stand.
    fn make_room(&mut self, name: &[u8]) {
        while self.elements.last().is_some_and(|last| html::ends_before(last, name)) {
            self.pop();
        }
    }
}

/// Looks for what ends something, once for all times where it is missing.
struct Search<'a> {
    text: &'a [u8],
    missing: Vec<&'static [u8]>,
}

impl Search<'_> {
    /// Returns what follows the next place of an end, in whatever case it is written.
    fn after(&mut self, end: &'static [u8], from: usize) -> Option<usize> {
        if self.missing.contains(&end) {
            return None;
        }
        let mut places = self.text[from..].windows(end.len());
        match places.position(|place| place.eq_ignore_ascii_case(end)) {
            Some(place) => Some(from + place + end.len()),
            None => {
                self.missing.push(end);
                None
            }
        }
    }

    /// Returns where a tag is over whose name ends here, at the latest where the next one begins, and whether it closes itself.
    fn tag_end(&mut self, from: usize, markup: Markup) -> (usize, bool) {
        let (mut at, mut last) = (from, b' ');
        while let Some(byte) = self.text.get(at).copied() {
            match byte {
                b'<' => return (at, false),
                b'>' => return (at + 1, last == b'/'),
                b'"' | b'\'' if last == b'=' => {
                    at = self.after(if byte == b'"' { b"\"" } else { b"'" }, at + 1).unwrap_or(at + 1);
                    last = byte;
                    continue;
                }
                _ if byte.is_ascii_whitespace() && last == b'=' => {}
                // All of a value without quotes belongs to it, a slash as well.
                _ if last == b'=' && markup == Markup::Html => {
                    let is_over = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'<' | b'>');
                    at += self.text[at..].iter().take_while(|byte| !is_over(byte)).count();
                    last = b' ';
                    continue;
                }
                _ => last = byte,
            }
            at += 1;
        }
        (at, false)
    }
}

#[cfg(test)]
mod tests {
    use super::{DEEPEST, Markup, deepest, html, is_beyond_html, is_beyond_xml};

    const BOTH: [fn(&[u8]) -> bool; 2] = [is_beyond_html, is_beyond_xml];

    fn nest(levels: usize, begin: &str, end: &str) -> String {
        begin.repeat(levels) + "needle" + &end.repeat(levels)
    }

    #[test]
    fn only_what_is_deeper_than_the_scanner_can_read_is_beyond() {
        assert!(!is_beyond_html(nest(DEEPEST, "<div class=\"x\">", "</DIV>").as_bytes()));
        for is_beyond in BOTH {
            assert!(is_beyond(nest(DEEPEST + 1, "<div class=\"x\">", "</div>").as_bytes()));
            assert!(is_beyond(nest(DEEPEST + 1, "<a:é><b/>", "</a:é>").as_bytes()));
        }
        assert!(!is_beyond_html("<div></DIV>".repeat(2 * DEEPEST).as_bytes()));
    }

    /// All that is not beyond is read without an error.
    #[cfg(all(feature = "html", feature = "xml"))]
    #[test]
    fn names_that_have_no_room_in_the_scanner_are_beyond() {
        use crate::Languages;
        use reduct_input::Grammars;
        for (file, begin, end, deepest) in [
            ("a.xml", "<e>", "</e>", 507),
            ("a.xml", "<abcdefghi>", "</abcdefghi>", 101),
            ("a.html", "<x-foo>", "</x-foo>", 144),
            ("a.html", "<g>", "</g>", 338),
        ] {
            let errors = |levels: usize| Languages::all().errors(file.as_ref(), nest(levels, begin, end).as_bytes());
            assert_eq!((errors(deepest), errors(deepest + 1)), (Some(0), None), "{begin} in {file}");
        }
    }

    #[test]
    fn what_stands_side_by_side_is_not_deep() {
        for line in [
            "<i>a</i>",
            "<a/>",
            "<a b=\"1>0\" c='/'/>",
            "<a b = '<i>'></a>",
            "<!-- <i> -->",
            "<![CDATA[<i>]]>",
            "<?php <i> ?>",
            "a < b",
            "<>",
        ] {
            for is_beyond in BOTH {
                assert!(!is_beyond(line.repeat(2 * DEEPEST).as_bytes()), "{line}");
            }
        }
        for line in [
            "<p>a<br><img src=a>",
            "<li>a",
            "<tr><td>a<th>b",
            "<dt>a<dd>b",
            "<IMG SRC=A>",
            "<ul><q>a</ul>",
            "<a b=c/></a>",
        ] {
            assert!(!is_beyond_html(line.repeat(2 * DEEPEST).as_bytes()), "{line}");
        }
        let script = nest(1, "<script>", "</script>").replace("needle", &"i<n;".repeat(2 * DEEPEST));
        assert!(!is_beyond_html(script.as_bytes()));
    }

    #[test]
    fn the_rules_of_html_are_not_those_of_xml() {
        for line in ["<p>a", "<br>", "<li>a", "<script>", "<styled>", "<style/><g>"] {
            assert!(is_beyond_xml(line.repeat(2 * DEEPEST).as_bytes()), "{line}");
        }
        for line in ["<option>a", "<tbody><tr><td>a", "<styled>", "<table><tr><td>", "<a href=b/>"] {
            assert!(is_beyond_html(line.repeat(DEEPEST + 1).as_bytes()), "{line}");
        }
        // In half as many tables as levels can be read.
        assert!(is_beyond_html(nest(DEEPEST / 2, "<table><tr><td>", "</table>").as_bytes()));
    }

    #[test]
    fn many_tags_in_deep_elements_are_too_much() {
        let within = |levels: usize, line: &str, lines| "<i>".repeat(levels) + &line.repeat(lines);
        for line in ["</b>", "<b/>", "<b></b>"] {
            assert!(!is_beyond_html(within(10, line, 500_000).as_bytes()), "{line}");
            assert!(is_beyond_html(within(DEEPEST - 1, line, 30_000).as_bytes()), "{line}");
        }
    }

    /// Each byte is looked at a few times only: looked at once for each tag, these 2 MB would take hours.
    #[test]
    fn tags_that_never_end_are_soon_read() {
        assert!(!is_beyond_html("<p ".repeat(700_000).as_bytes()));
        for line in ["<!--", "<?", "<!", "<![CDATA[", "<p a='\">", "</b>"] {
            for is_beyond in BOTH {
                is_beyond(("<i>".repeat(DEEPEST - 1) + &line.repeat(400_000)).as_bytes());
            }
        }
    }

    #[test]
    fn texts_that_are_cut_off_are_read() {
        for text in
            ["", "<", "</", "<!--", "<script", "<script>", "<div", "</div>", "<![CDATA[", "<a b='>'", "<a b='", "<a b="]
        {
            for is_beyond in BOTH {
                assert!(!is_beyond(text.as_bytes()), "{text}");
            }
        }
    }

    /// What follows a comment, script or quote that never ends is read all the same, if the grammar does so.
    #[test]
    fn what_never_ends_hides_nothing() {
        for start in ["<!--", "<?", "<a b='>"] {
            assert!(is_beyond_html((start.to_owned() + &"<div>".repeat(DEEPEST + 1)).as_bytes()), "{start}");
        }
    }

    /// Elements that are around each other in the grammar's tree.
    #[cfg(feature = "html")]
    fn deepest_of_tree(node: tree_sitter::Node, text: &str) -> usize {
        let mut cursor = node.walk();
        let name = node.child(0).filter(|child| child.kind() == "start_tag").and_then(|tag| tag.named_child(0));
        let is_open = name.is_some_and(|name| !html::is_void(text[name.byte_range()].as_bytes()));
        let inner = node.children(&mut cursor).map(|child| deepest_of_tree(child, text)).max().unwrap_or(0);
        usize::from(is_open) + inner
    }

    #[cfg(feature = "html")]
    #[test]
    fn elements_are_open_where_the_grammar_of_html_has_them_open() {
        const NAMES: [&str; 22] = [
            "p", "div", "b", "li", "ul", "table", "tbody", "tr", "td", "th", "select", "option", "optgroup", "br",
            "hr", "col", "colgroup", "dt", "dd", "rt", "rb", "x-a",
        ];
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(&tree_sitter_html::LANGUAGE.into()).unwrap();
        let mut state = 7u64;
        let mut next = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let mut compared = 0;
        for _ in 0..300 {
            let tags = (0..20).map(|_| {
                let name = NAMES[next(NAMES.len() as u64) as usize];
                match next(8) {
                    0..5 => format!("<{name}>"),
                    5 => format!("<{name}/>"),
                    _ => format!("a</{name}>"),
                }
            });
            let text = format!("<html>{}</html>", tags.collect::<String>());
            let tree = parser.parse(&text, None).unwrap();
            if !tree.root_node().has_error() {
                let of_tree = deepest_of_tree(tree.root_node(), &text);
                assert_eq!(deepest(text.as_bytes(), Markup::Html), Some(of_tree), "{text}");
                compared += 1;
            }
        }
        assert!(compared > 100, "{compared}");
    }
}
