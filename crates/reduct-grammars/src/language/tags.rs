//! How deep the elements of a text with tags stand in each other.
//!
//! The scanners of the grammars of HTML and XML write down all elements that are open at each token, and read them
//! again at the next one: to read 5,000 levels takes minutes. They write them into 1,024 bytes; the names of those that have
//! no room are lost, so that nothing that ends there is read as what it is.

/// More elements within each other than this are not read.
const DEEPEST: usize = 1000;

/// What the scanners have room for, next to two counts of up to four bytes, and what they leave free behind the last one.
const ROOM: usize = 1014;

/// More bytes of a name are not written.
const LONGEST_NAME: usize = 255;

/// The elements of HTML of which the scanner keeps a byte in place of the name.
const OF_ONE_BYTE: &str = "\
    a abbr address article aside audio b bdi bdo blockquote body button canvas caption cite code data datalist del \
    details dfn dialog div dl em fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hgroup html \
    i iframe ins kbd label legend main map mark math menu meter nav noscript object ol output picture pre progress \
    q rb rtc ruby s samp section select slot small span strong sub summary sup svg table template textarea time \
    title u ul var video";

/// Elements that nothing is in, or that end where the next one begins: no end tag tells that they are over.
const WITHOUT_END: &[&str] = &[
    "area", "base", "br", "col", "colgroup", "dd", "dt", "embed", "hr", "img", "input", "li", "link", "meta",
    "optgroup", "option", "p", "param", "rp", "rt", "source", "tbody", "td", "tfoot", "th", "thead", "tr", "track",
    "wbr",
];

/// What begins and ends a stretch in which there are no tags.
const OPAQUE: &[(&[u8], &[u8])] = &[
    (b"<!--", b"-->"),
    (b"<![CDATA[", b"]]>"),
    (b"<?", b"?>"),
    (b"<!", b">"),
    (b"<script", b"</script"),
    (b"<style", b"</style"),
];

/// Returns whether elements of HTML stand within each other so deep that the scanner takes too long, or forgets some.
pub(super) fn is_beyond_html(text: &[u8]) -> bool {
    let is_of_one_byte = |name: &[u8]| OF_ONE_BYTE.split(' ').any(|other| name.eq_ignore_ascii_case(other.as_bytes()));
    let kept = |name: &[u8]| match () {
        () if has_no_end(name) => None,
        () if is_of_one_byte(name) => Some(1),
        () => Some(2 + name.len().min(LONGEST_NAME)),
    };
    is_beyond(text, kept)
}

/// Returns whether elements of XML stand within each other so deep that the scanner takes too long, or forgets some.
pub(super) fn is_beyond_xml(text: &[u8]) -> bool {
    is_beyond(text, |name| Some(1 + name.len().min(LONGEST_NAME)))
}

/// Returns whether elements stand within each other too deep, given how many bytes are kept of one with a name; `None` if no
/// end tag may tell that it is over. Linear in the text.
fn is_beyond(text: &[u8], kept: impl Fn(&[u8]) -> Option<usize>) -> bool {
    // Each with the bytes that are kept of it and of those around it.
    let mut open: Vec<(&[u8], usize)> = vec![];
    let mut at = 0;
    while let Some(next) = text[at..].iter().position(|byte| *byte == b'<') {
        at += next;
        let rest = &text[at..];
        if let Some((begin, end)) = OPAQUE.iter().find(|(begin, _)| begins(rest, begin)) {
            let over = (begin.len()..rest.len()).find(|from| begins(&rest[*from..], end));
            let Some(over) = over else { break };
            at += over + usize::from(!end.starts_with(b"<"));
            continue;
        }
        let is_end = rest.get(1) == Some(&b'/');
        let from = 1 + usize::from(is_end);
        let is_name =
            |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b':' | b'-' | b'_' | b'.') || *byte > 127;
        let name = &rest[from..from + rest[from..].iter().take_while(|byte| is_name(byte)).count()];
        // No further than where the next one begins, so that no byte is looked at for many tags.
        let tag = rest[1..].iter().position(|byte| matches!(byte, b'<' | b'>')).map_or(rest.len(), |end| end + 1);
        match is_end {
            true => {
                let same = open.iter().rposition(|(other, _)| other.eq_ignore_ascii_case(name));
                open.truncate(same.unwrap_or(open.len()));
            }
            false if name.is_empty() || rest[..tag].ends_with(b"/") => {}
            false => {
                let around = open.last().map_or(0, |(_, kept)| *kept);
                open.extend(kept(name).map(|kept| (name, around + kept)));
            }
        }
        if open.len() > DEEPEST || open.last().is_some_and(|(_, kept)| *kept > ROOM) {
            return true;
        }
        at += from + name.len();
    }
    false
}

fn begins(text: &[u8], with: &[u8]) -> bool {
    text.get(..with.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(with))
}

fn has_no_end(name: &[u8]) -> bool {
    WITHOUT_END.iter().any(|other| name.eq_ignore_ascii_case(other.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::{DEEPEST, is_beyond_html, is_beyond_xml};

    fn nest(levels: usize, begin: &str, end: &str) -> String {
        begin.repeat(levels) + "needle" + &end.repeat(levels)
    }

    #[test]
    fn only_what_is_deeper_than_the_scanner_can_read_is_beyond() {
        assert!(!is_beyond_html(nest(DEEPEST, "<div class=\"x\">", "</DIV>").as_bytes()));
        assert!(is_beyond_html(nest(DEEPEST + 1, "<div class=\"x\">", "</DIV>").as_bytes()));
        assert!(is_beyond_html(nest(DEEPEST + 1, "<a:é><b/>", "</a:é>").as_bytes()));
        // Nothing tells that these are over, unless they are of XML.
        assert!(!is_beyond_html("<p>a<li>".repeat(2 * DEEPEST).as_bytes()));
        assert!(is_beyond_xml(nest(DEEPEST + 1, "<p>", "</p>").as_bytes()));
    }

    /// All that is not beyond is read without an error.
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
            "<p>a<br><img src=a>",
            "<i>a</i>",
            "<a/>",
            "<!-- <i> -->",
            "<![CDATA[<i>]]>",
            "<?php <i> ?>",
            "a < b",
            "<>",
        ] {
            assert!(!is_beyond_html(line.repeat(2 * DEEPEST).as_bytes()), "{line}");
        }
        let script = nest(1, "<script>", "</script>").replace("needle", &"i<n;".repeat(2 * DEEPEST));
        assert!(!is_beyond_html(script.as_bytes()));
        // What is still open when its parent ends is over, too.
        assert!(!is_beyond_html("<ul><q>a</ul>".repeat(2 * DEEPEST).as_bytes()));
    }

    /// Each byte is looked at a few times only: looked at once for each tag, these 2 MB would take hours.
    #[test]
    fn tags_that_never_end_are_soon_read() {
        assert!(!is_beyond_html("<p ".repeat(700_000).as_bytes()));
    }

    #[test]
    fn texts_that_are_cut_off_are_read() {
        for text in ["", "<", "</", "<!--", "<script", "<div", "</div>", "<![CDATA[", "<a b='>'"] {
            assert!(!is_beyond_html(text.as_bytes()), "{text}");
        }
    }
}
