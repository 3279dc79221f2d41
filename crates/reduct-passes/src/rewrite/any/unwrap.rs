//! Removes the two brackets, quotes or tags around something, and keeps what is inside.
//!
//! ## What it tries
//! Where no grammar reads the text: every pair of brackets, quotes, and tags, outermost first. Where one does, its
//! nodes say more, and `hoist` and `splice` do this.
//!
//! ## When it helps
//! In texts of unknown languages, where removing one bracket alone breaks the other.
//!
//! ## Before
//! ```text
//! (define (f x) <b>"[y]"</b>)
//! ```
//! ## After
//! ```text
//! define (f x) "[y]"
//! ```

use crate::pass::{Needs, Pass, Proposals};
use crate::rewrite::propose_shrinking;
use crate::text::{moved, pairs, quoted};
use reduct_input::Subject;
use reduct_input::{Edit, Splice};
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    must_parse: false,
    needs: Needs::Text,
    ..Pass::rewriting("unwrap", "removes the brackets, quotes or tags around something", 0.3, propose)
};

fn propose(subject: &Subject) -> Proposals {
    let mut edits = vec![];
    for region in subject.unparsed() {
        let text = subject.text(region.clone());
        let brackets = pairs(text).into_iter().map(|(open, close)| (open..open + 1, close..close + 1));
        let quotes =
            quoted(text).into_iter().map(|string| (string.start..string.start + 1, string.end - 1..string.end));
        let mut found: Vec<_> = brackets.chain(quotes).chain(tags(text)).collect();
        found.sort_by_key(|(open, _)| open.start);
        let without = |range| Splice { at: moved(range, region.start), with: [].into() };
        edits.extend(found.into_iter().filter_map(|(open, close)| Edit::new(vec![without(open), without(close)])));
    }
    propose_shrinking(subject, edits)
}

/// Pairs of tags as in XML.
fn tags(text: &[u8]) -> Vec<(Range<usize>, Range<usize>)> {
    let (mut open, mut found, mut at): (Vec<Range<usize>>, Vec<_>, usize) = (vec![], vec![], 0);
    while let Some(start) = text[at..].iter().position(|byte| *byte == b'<').map(|offset| at + offset) {
        at = start + 1;
        let Some(end) = text[at..].iter().position(|byte| matches!(byte, b'<' | b'>')).map(|offset| at + offset) else {
            break;
        };
        if text[end] == b'<' {
            continue;
        }
        at = end + 1;
        let closes = text[start + 1] == b'/';
        if !closes && !name(&text[start + 1..end]).is_empty() && text[end - 1] != b'/' {
            open.push(start..end + 1);
        } else if closes {
            // Tags need not be closed: what was opened since stays as it is.
            let wanted = name(&text[start + 2..end]);
            let partner =
                open.iter().rev().take(UNCLOSED).position(|tag| name(&text[tag.start + 1..tag.end]) == wanted);
            if let Some(back) = partner {
                open.truncate(open.len() - back);
                found.extend(open.pop().map(|tag| (tag, start..end + 1)));
            }
        }
    }
    found
}

/// How many tags may be left open within a pair of tags. More is no such text.
const UNCLOSED: usize = 16;

/// Returns the name at the beginning of a tag.
fn name(tag: &[u8]) -> &[u8] {
    let length =
        tag.iter().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b':' | b'_')).count();
    &tag[..length]
}
