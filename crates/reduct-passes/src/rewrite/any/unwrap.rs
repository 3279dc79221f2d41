//! Removes the two brackets, quotes or tags around something, and keeps what is inside.
//!
//! ## What it tries
//! Where no grammar reads the text: every pair of brackets, quotes, tags, and of `\begin` and `\end`, outermost
//! first. Where one does, its
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
use crate::text::{environments, moved, pairs, quoted, tags};
use reduct_input::Subject;
use reduct_input::{Edit, Splice};

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
        let mut found: Vec<_> = brackets.chain(quotes).chain(tags(text)).chain(environments(text)).collect();
        found.sort_by_key(|(open, _)| open.start);
        let without = |range| Splice { at: moved(range, region.start), with: [].into() };
        edits.extend(found.into_iter().filter_map(|(open, close)| Edit::new(vec![without(open), without(close)])));
    }
    propose_shrinking(subject, edits)
}
