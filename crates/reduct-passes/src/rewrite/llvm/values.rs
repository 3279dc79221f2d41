//! LLVM: replaces a value by a literal of its type.
//!
//! ## What it tries
//! For each value that an instruction uses or that a global begins with, the literal that says least: `0`, or `null` where the type is
//! a pointer, `0.0` where it is a floating-point number, and `undef` for structures, arrays and vectors. First the outermost values, then what is in them.
//! A literal as short as a name stands in its place, too, as what it named may go then.
//!
//! ## When it helps
//! A function and a table of addresses within it name each other, so that neither can go. Which literal may stand there is told by the type,
//! not by the kind of the node, so `shortest` cannot tell.
//!
//! ## Before
//! ```llvm
//! @t = global ptr blockaddress(@f, %b)
//! ```
//! ## After
//! ```llvm
//! @t = global ptr null
//! ```

use super::modules;
use crate::pass::{Pass, Proposals};
use crate::rewrite::propose_shrinking;
use reduct_input::{Edit, Subject, Tree};

pub(crate) const PASS: Pass =
    Pass::rewriting("llvm-values", "LLVM: replaces a value by a literal of its type", 0.3, propose);

/// Among so many nodes the type of a value is looked for.
const FIRST: usize = 64;

fn propose(subject: &Subject) -> Proposals {
    let values = modules(subject).flat_map(|tree| (1..tree.len()).map(move |at| (tree, at)));
    propose_shrinking(subject, values.filter_map(|(tree, at)| edit(subject, tree, at)))
}

/// Returns the edit that puts a literal in the place of a value. What is a literal already stays.
fn edit(subject: &Subject, tree: &Tree, at: usize) -> Option<Edit> {
    let is_value = tree.kind(at) == "value" && is_used(tree, at);
    let literal = is_value.then(|| literal(subject.text(tree.range(type_of(tree, at)?))))??;
    let now = subject.text(tree.range(at));
    let worth_it = literal.len() < now.len() || literal.len() == now.len() && matches!(now.first(), Some(b'%' | b'@'));
    worth_it.then(|| Edit::replace(tree.range(at), literal.as_bytes()))?
}

/// Returns whether an instruction uses a value or a global begins with it. Parameters of functions are declared where they stand.
fn is_used(tree: &Tree, at: usize) -> bool {
    let mut around = std::iter::successors(tree.parent(at), |at| tree.parent(*at));
    let decides = around.find(|at| matches!(tree.kind(*at), "function_header" | "instruction" | "global_global"));
    decides.is_some_and(|at| tree.kind(at) != "function_header")
}

/// Returns the type of a value, which stands before it: beside it, or with an operand before it. `None` if too many operands stand between them.
fn type_of(tree: &Tree, at: usize) -> Option<usize> {
    let is_type = |at: &usize| tree.kind(*at) == "type";
    let parent = tree.parent(at)?;
    // A call names the type of its result before what is called.
    if tree.field(at) == "callee" {
        return None;
    }
    let before = || tree.children(parent).take(FIRST).take_while(|child| *child < at);
    let beside = before().filter(is_type).last();
    beside.or_else(|| before().flat_map(|operand| tree.children(operand)).find(is_type))
}

/// Returns the literal of a type that says least. Types with names are structures, and labels have no literal.
fn literal(of: &[u8]) -> Option<&'static str> {
    match of {
        b"label" | b"metadata" | b"token" | b"void" => None,
        b"half" | b"bfloat" | b"float" | b"double" | b"x86_fp80" | b"fp128" | b"ppc_fp128" => Some("0.0"),
        _ if of.starts_with(b"ptr") || of.ends_with(b"*") => Some("null"),
        _ if of.starts_with(b"i") => Some("0"),
        _ => Some("undef"),
    }
}
