//! Puts a number in the place of a sum, difference or product of numbers.
//!
//! ## What it tries
//! For each expression of two whole numbers with `+`, `-` or `*` between them, in parentheses or not: the number that it is. In
//! languages of which that is so: not in CSS, SQL or a shell. For a variable that is assigned a number and then, in the next statement, counted up
//! or down: the number that it is then. That is so in texts that no grammar reads, too.
//!
//! ## When it helps
//! Where variables were replaced by their values, and the value matters.
//!
//! ## Before
//! ```python
//! print((3 + 4) * 2)
//! ```
//! ## After
//! ```python
//! print(7 * 2)
//! ```

mod counted;

use crate::pass::{Needs, Pass, Proposals};
use crate::rewrite::propose_shrinking;
use crate::text::is_word;
use reduct_input::{Class, Edit, Subject, Tree};

pub(crate) const PASS: Pass = Pass {
    needs: Needs::Text,
    ..Pass::rewriting("folded", "puts a number in the place of a sum or product of numbers", 0.5, propose)
};

/// The kinds of nodes that are two operands with an operator between them.
const BINARY: &[&str] = &["binary_expression", "binary_operator", "binary"];

fn propose(subject: &Subject) -> Proposals {
    let edits = subject.trees().iter().flat_map(|tree| (1..tree.len()).filter_map(move |at| edit(subject, tree, at)));
    propose_shrinking(subject, edits.chain(counted::edits(subject)))
}

fn edit(subject: &Subject, tree: &Tree, at: usize) -> Option<Edit> {
    let value = Some(at).filter(|at| BINARY.contains(&tree.kind(*at))).and_then(|at| value(subject, tree, at))?;
    let parent = tree.parent(at)?;
    // A sum that stands beside another operator had parentheses, or is the left operand; less than nothing needs some there.
    let is_in_parentheses = tree.kind(parent).starts_with("parenthesized") && tree.is(parent, Class::EXPRESSION);
    // Without them, a number and what follows it would be one token: `3in`, `3.toString`.
    let follows = |at: u32| subject.artifact().bytes().get(at as usize).copied();
    let is_apart = !follows(tree.node(parent).end).is_some_and(|next| is_word(next) || next == b'.');
    let whole = if is_in_parentheses && value >= 0 && is_apart { parent } else { at };
    let is_operand = tree.parent(at).is_some_and(|parent| BINARY.contains(&tree.kind(parent)));
    (value >= 0 || !is_operand).then(|| Edit::replace(tree.range(whole), value.to_string().as_bytes()))?
}

/// Returns the value of an expression of two numbers, if it is one of 32 bits.
fn value(subject: &Subject, tree: &Tree, at: usize) -> Option<i64> {
    let mut children = tree.children(at);
    let (left, sign, right) = (children.next()?, children.next()?, children.next()?);
    let number = |at: usize| {
        let text = subject.text(tree.range(at));
        // Others begin with the sign of another base.
        let is_plain = text.iter().all(u8::is_ascii_digit) && (text.len() == 1 || !text.starts_with(b"0"));
        let text = Some(text).filter(|_| tree.is(at, Class::NUMBER) && is_plain)?;
        std::str::from_utf8(text).ok()?.parse::<i32>().ok().map(i64::from)
    };
    let (left, right) = (number(left)?, number(right)?);
    let value = match subject.text(tree.range(sign)) {
        b"+" => left + right,
        b"-" => left - right,
        b"*" => left * right,
        _ => return None,
    };
    (children.next().is_none() && i32::try_from(value).is_ok()).then_some(value)
}
