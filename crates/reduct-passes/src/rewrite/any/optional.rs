//! Removes a node that can go together with the sign or word that goes with it.
//!
//! ## What it tries
//! For each node that can go, and that a word or sign introduces or ends (`-> R`, `: T`, `= 5`, `else ...`), both
//! together: with what is before it, with what is after it, with both if these are brackets. Tags that end elements of HTML, which
//! are closed by what follows then.
//!
//! ## When it helps
//! Where the grammar has no node of its own for the two, so that neither can go alone.
//!
//! ## Before
//! ```python
//! def f(a: int) -> int:
//!     x: int = 5
//! ```
//! ## After
//! ```python
//! def f(a: int):
//!     x: int
//! ```

use crate::pass::{Pass, Proposals};
use crate::rewrite::propose_shrinking;
use reduct_input::Edit;
use reduct_input::Subject;
use reduct_input::{Role, Tree};

pub(crate) const PASS: Pass =
    Pass::rewriting("optional", "removes a node with the sign or word that introduces it", 0.5, propose);

fn propose(subject: &Subject) -> Proposals {
    let edits = subject
        .trees()
        .iter()
        .flat_map(|tree| (0..tree.len()).filter(|at| tree.is_named(*at)).flat_map(move |at| around(subject, tree, at)));
    let html = subject.trees().iter().filter(|tree| tree.grammar.language == "html");
    let ends = html.flat_map(|tree| (1..tree.len()).filter(|at| tree.kind(*at) == "end_tag").map(|at| tree.range(at)));
    propose_shrinking(subject, edits.chain(ends.filter_map(Edit::delete)))
}

/// Returns the children of a node that can go, with the signs beside them.
fn around(subject: &Subject, tree: &Tree, parent: usize) -> Vec<Edit> {
    let children: Vec<usize> = tree.children(parent).collect();
    let is_sign = |at: Option<&usize>| {
        let sign = at.copied().filter(|at| tree.node(*at).role == Role::Token)?;
        // What separates the parts of a list goes with them already.
        (!matches!(subject.text(tree.range(sign)), b"," | b";")).then_some(sign)
    };
    let mut found = vec![];
    for (position, child) in children.iter().enumerate().filter(|(_, child)| can_go(tree, **child)) {
        let (start, end) = (tree.node(*child).start, tree.node(*child).end);
        let before = is_sign(position.checked_sub(1).and_then(|at| children.get(at))).map(|at| tree.node(at).start);
        let after = is_sign(children.get(position + 1)).map(|at| tree.node(at).end);
        let brackets = before
            .zip(after)
            .filter(|(before, _)| matches!(subject.text(*before..*before + 1), b"(" | b"[" | b"<" | b"{"));
        let ranges = match brackets {
            Some((before, after)) => [Some(before..after), None],
            None => [before.map(|before| before..end), after.map(|after| start..after)],
        };
        found.extend(
            ranges.into_iter().flatten().map(|range| spaced(subject, tree, parent, range)).filter_map(Edit::delete),
        );
    }
    found
}

/// Returns the range with the white space before it, if something of the node is before that.
fn spaced(subject: &Subject, tree: &Tree, parent: usize, range: std::ops::Range<u32>) -> std::ops::Range<u32> {
    let before = subject.text(tree.node(parent).start..range.start);
    let blanks = before.iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    if blanks == before.len() { range } else { range.start - blanks as u32..range.end }
}

fn can_go(tree: &Tree, at: usize) -> bool {
    let one = matches!(tree.node(at).role, Role::Optional | Role::Item | Role::ItemOfMany);
    one && tree.is_named(at) && !tree.range(at).is_empty()
}
