//! Makes words of texts shorter that have no quotes.
//!
//! ## What it tries
//! For each longer word between tags, of a value without quotes, or of a regular expression: its first character alone; its halves, its
//! quarters, its eighths removed. Where nothing stands between two tags of XML, they become one: `<a/>` for `<a></a>`. Whole words are left to `tokens`, which comes before it.
//!
//! ## When it helps
//! Contents, titles, keys: of most that must be there, it does not matter what it is.
//!
//! ## Before
//! ```xml
//! <a><b>administrator</b><c>one</c></a>
//! ```
//! ## After
//! ```xml
//! <a><b>a</b><c>one</c></a>
//! ```

use super::strings::{HALVINGS, joint, pieces};
use crate::pass::{Pass, Proposals};
use crate::rewrite::propose_shrinking;
use crate::text::{is_text, is_word, moved, outermost};
use reduct_input::{Class, Edit, Subject, Tree};
use std::ops::Range;

pub(crate) const PASS: Pass = Pass::rewriting("texts", "makes words of texts shorter", 0.4, propose);

/// Shorter words are not worth a test.
const LEAST: usize = 5;

fn propose(subject: &Subject) -> Proposals {
    let words = words(subject);
    let edits = (0..=HALVINGS).flat_map(|halvings| {
        words.iter().flat_map(move |range| {
            let text = subject.text(range.clone());
            let all = 0..text.len();
            let pieces = match halvings {
                0 => std::iter::once(joint(text, 1, all.end)..all.end).collect(),
                _ => pieces(text, all, halvings),
            };
            pieces.into_iter().filter_map(|piece| Edit::delete(moved(piece, range.start)))
        })
    });
    let elements = subject.trees().iter().filter(|tree| tree.grammar.language == "xml");
    let elements = elements.flat_map(|tree| (1..tree.len()).filter_map(|at| as_one_tag(tree, at)));
    propose_shrinking(subject, edits.chain(elements))
}

/// Makes one tag of two that have nothing between them.
fn as_one_tag(tree: &Tree, at: usize) -> Option<Edit> {
    let parts: Vec<usize> = tree.children(at).take(3).collect();
    let [opens, closes] = parts[..] else { return None };
    let is_empty = tree.kind(opens) == "STag" && tree.node(opens).end == tree.node(closes).start;
    is_empty.then(|| Edit::replace(tree.node(opens).end - 1..tree.node(closes).end, b"/>"))?
}

/// Returns where words of texts stand that are long enough. What a backslash stands before is no part of them.
fn words(subject: &Subject) -> Vec<Range<u32>> {
    // A text in quotes is a string.
    let is_outermost = |tree: &Tree, at: usize| tree.parent(at).is_none_or(|around| !tree.is(around, Class::STRING));
    let texts = subject
        .trees()
        .iter()
        .flat_map(|tree| outermost(tree, move |at| is_text(subject, tree, at) && is_outermost(tree, at)));
    texts
        .flat_map(|range| {
            let text = subject.text(range.clone());
            let is_inner = |at: usize| is_word(text[at]) && (at == 0 || text[at - 1] != b'\\');
            let (mut words, mut at) = (vec![], 0);
            while at < text.len() {
                let end = (at..text.len()).find(|at| !is_inner(*at)).unwrap_or(text.len());
                if end - at >= LEAST {
                    words.push(moved(at..end, range.start));
                }
                at = end + 1;
            }
            words
        })
        .collect()
}
