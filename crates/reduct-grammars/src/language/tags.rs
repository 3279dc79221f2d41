//! How deep the elements of a text with tags stand in each other.
//!
//! The scanners of the grammars of HTML and XML write down all elements that are open at each token, and read them
//! again at the next one: to read 5,000 levels takes minutes.

/// More elements within each other than this are not read.
const DEEPEST: usize = 1000;

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

/// Returns whether elements stand within each other so deep that the scanner takes too long. Linear in the text.
pub(super) fn is_beyond(text: &[u8]) -> bool {
    let mut open: Vec<&[u8]> = vec![];
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
                let same = open.iter().rposition(|other| other.eq_ignore_ascii_case(name));
                open.truncate(same.unwrap_or(open.len()));
            }
            false if name.is_empty() || rest[..tag].ends_with(b"/") || has_no_end(name) => {}
            false => open.push(name),
        }
        if open.len() > DEEPEST {
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
    use super::{DEEPEST, is_beyond};

    fn nest(levels: usize, begin: &str, end: &str) -> String {
        begin.repeat(levels) + "needle" + &end.repeat(levels)
    }

    #[test]
    fn only_what_is_deeper_than_the_scanner_can_read_is_beyond() {
        assert!(!is_beyond(nest(DEEPEST, "<div class=\"x\">", "</DIV>").as_bytes()));
        assert!(is_beyond(nest(DEEPEST + 1, "<div class=\"x\">", "</DIV>").as_bytes()));
        assert!(is_beyond(nest(DEEPEST + 1, "<a:é><b/>", "</a:é>").as_bytes()));
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
            assert!(!is_beyond(line.repeat(2 * DEEPEST).as_bytes()), "{line}");
        }
        let script = nest(1, "<script>", "</script>").replace("needle", &"i<n;".repeat(2 * DEEPEST));
        assert!(!is_beyond(script.as_bytes()));
        // What is still open when its parent ends is over, too.
        assert!(!is_beyond("<ul><q>a</ul>".repeat(2 * DEEPEST).as_bytes()));
    }

    /// Each byte is looked at a few times only: looked at once for each tag, these 2 MB would take hours.
    #[test]
    fn tags_that_never_end_are_soon_read() {
        assert!(!is_beyond("<p ".repeat(700_000).as_bytes()));
    }

    #[test]
    fn texts_that_are_cut_off_are_read() {
        for text in ["", "<", "</", "<!--", "<script", "<div", "</div>", "<![CDATA[", "<a b='>'"] {
            assert!(!is_beyond(text.as_bytes()), "{text}");
        }
    }
}
