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

use super::outline_of;
use crate::kind::{Kind, Needs, Outline};
use crate::text::{moved, pairs};
use reduct_input::Edit;
use reduct_input::Subject;

pub(super) const KIND: Kind = Kind {
    checked: false,
    needs: Needs::Text,
    ..Kind::pass("inside", "removes what is between two brackets", 0.3, outline)
};

fn outline(subject: &Subject) -> Outline {
    let mut edits = vec![];
    for region in subject.unparsed() {
        let inner = pairs(subject.text(region.clone())).into_iter().map(|(open, close)| open + 1..close);
        edits.extend(inner.filter_map(|range| Edit::delete(moved(range, region.start))));
    }
    outline_of(subject, edits)
}
