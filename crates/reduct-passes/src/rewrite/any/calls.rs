//! Replaces a call of a method by what the method is called on.
//!
//! ## What it tries
//! For each call whose callee is a part of something, that something. Arguments, and the callee itself, are tried by
//! `hoist`, which stops at the callee.
//!
//! ## When it helps
//! In chains of calls, of which only some links matter.
//!
//! ## Before
//! ```javascript
//! let a = open(b).map(c).filter(d).first();
//! ```
//! ## After
//! ```javascript
//! let a = open(b).filter(d);
//! ```

use crate::pass::{Pass, Proposals};
use crate::rewrite::propose_shrinking;
use reduct_input::Edit;
use reduct_input::Subject;
use reduct_input::{Class, Tree};

pub(crate) const PASS: Pass = Pass::rewriting("calls", "replaces a call by what its method is called on", 0.2, propose);

fn propose(subject: &Subject) -> Proposals {
    let edits = subject.trees().iter().flat_map(|tree| {
        let calls = (1..tree.len()).filter(|at| tree.is(*at, Class::CALL));
        calls.filter_map(move |at| {
            // What is left is a part of it, and only what comes after that goes: so a link of a chain and
            // the one after it do not touch.
            let receiver = receiver(tree, at)?;
            Edit::delete(tree.node(receiver).end..tree.node(at).end)
        })
    });
    propose_shrinking(subject, edits)
}

/// Returns what the method of a call is called on, if the call begins with it.
fn receiver(tree: &Tree, call: usize) -> Option<usize> {
    let callee = tree.children(call).find(|child| tree.is_named(*child))?;
    let mut parts = tree.children(callee).filter(|child| tree.is_named(*child));
    let first = parts.next()?;
    parts.next()?;
    (tree.node(first).start == tree.node(call).start && tree.fits(call, tree.node(first).kind)).then_some(first)
}
