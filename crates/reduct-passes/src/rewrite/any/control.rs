//! Takes a condition out of the statement it controls, and makes an `if` of a loop.
//!
//! ## What it tries
//! For each `if`, loop or `switch`, the expression it decides by as a statement of its own, and for a loop with `while`
//! an `if` in its stead. For a loop that ends with `break`, its body without that. What it guards in its stead is tried by `hoist` and `splice`.
//!
//! ## When it helps
//! Where the call in a condition matters, but not what is done after it; and where a loop would run once anyway, or
//! for ever.
//!
//! ## Before
//! ```c
//! void f(int a) { if (g(a)) { h(a); } while (a) k(a); for (;;) { l(a); break; } }
//! ```
//! ## After
//! ```c
//! void f(int a) { g(a); if (a) k(a); { l(a);  } }
//! ```

use crate::pass::{Pass, Proposals};
use crate::rewrite::propose_shrinking;
use reduct_input::{Class, Edit, Role, Splice, Subject, Tree};

pub(crate) const PASS: Pass = Pass::rewriting("control", "takes a condition out of its statement", 0.2, propose);

fn propose(subject: &Subject) -> Proposals {
    let edits = subject.trees().iter().flat_map(|tree| {
        let controls = (1..tree.len()).filter(|at| tree.is(*at, Class::CONTROL));
        controls.flat_map(move |at| {
            [condition(subject, tree, at), once(subject, tree, at), body(subject, tree, at)].into_iter().flatten()
        })
    });
    propose_shrinking(subject, edits)
}

/// Returns the statement becomes the expression that it decides by.
fn condition(subject: &Subject, tree: &Tree, at: usize) -> Option<Edit> {
    let mut inner = tree.children(at).find(|child| tree.is(*child, Class::EXPRESSION))?;
    // Parentheses around it are the statement's.
    while let (true, Some(child)) = (subject.text(tree.range(inner)).first() == Some(&b'('), only_child(tree, inner)) {
        inner = child;
    }
    // A name or a number as a statement does nothing: that is the statement removed.
    tree.children(inner).next()?;
    let mut text = subject.text(tree.range(inner)).to_vec();
    if tree.shortest(at).iter().any(|text| text.ends_with(';')) {
        text.push(b';');
    }
    Edit::replace(tree.range(at), &text)
}

/// Makes a loop that ends with `break` its body without it.
fn body(subject: &Subject, tree: &Tree, at: usize) -> Option<Edit> {
    let block = tree.children(at).find(|child| tree.is(*child, Class::BLOCK))?;
    let last = tree.children(block).filter(|child| tree.is_named(*child)).last()?;
    let is_break = matches!(subject.text(tree.range(last)), b"break" | b"break;");
    // Without braces, the indentation of the body would have to change.
    let is_braced = subject.text(tree.range(block)).starts_with(b"{");
    let (whole, inner) = (tree.range(at), tree.range(block));
    let removed = [whole.start..inner.start, tree.range(last), inner.end..whole.end];
    let removed = removed.into_iter().filter(|at| !at.is_empty()).map(|at| Splice { at, with: [].into() });
    (is_break && is_braced).then(|| Edit::new(removed.collect()))?
}

fn only_child(tree: &Tree, at: usize) -> Option<usize> {
    let mut children = tree.children(at).filter(|child| tree.is_named(*child));
    let first = children.next()?;
    children.next().is_none().then_some(first)
}

/// Makes `while` into `if`.
fn once(subject: &Subject, tree: &Tree, at: usize) -> Option<Edit> {
    let word = tree.children(at).next().filter(|word| tree.node(*word).role == Role::Token)?;
    (subject.text(tree.range(word)) == b"while").then(|| Edit::replace(tree.range(word), b"if"))?
}
