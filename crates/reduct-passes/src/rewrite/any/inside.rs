//! Removes what is between two brackets.
//!
//! ## What it tries
//! Where no grammar reads the text, for every pair of brackets all that is between them, outermost first.
//!
//! ## When it helps
//! In texts of unknown languages: lists and blocks whose parts cannot go one by one.
//!
//! ## Before
//! ```text
//! open(a, b) { do [it] with (care) }
//! ```
//! ## After
//! ```text
//! open() {}
//! ```

use crate::pass::{Needs, Pass, Proposals};
use crate::rewrite::propose_shrinking;
use crate::text::{moved, pairs};
use reduct_input::Edit;
use reduct_input::Subject;

pub(crate) const PASS: Pass = Pass {
    must_parse: false,
    needs: Needs::Text,
    ..Pass::rewriting("inside", "removes what is between two brackets", 0.3, propose)
};

fn propose(subject: &Subject) -> Proposals {
    let mut edits = vec![];
    for region in subject.unparsed() {
        let inner = pairs(subject.text(region.clone())).into_iter().map(|(open, close)| open + 1..close);
        edits.extend(inner.filter_map(|range| Edit::delete(moved(range, region.start))));
    }
    propose_shrinking(subject, edits)
}
