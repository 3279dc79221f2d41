//! JavaScript: makes an arrow function of a function.
//!
//! ## What it tries
//! For each function that is a value, an arrow function. For each that is declared, the assignment of an arrow function to its
//! name, in TypeScript with `let`. One that is `async` stays so.
//!
//! ## When it helps
//! Nearly always, unless it is called before its declaration, or is a constructor.
//!
//! ## Before
//! ```js
//! async function f(a) { g(function () { return a; }); }
//! ```
//! ## After
//! ```js
//! f=async(a) =>{ g(() =>{ return a; }); }
//! ```

use crate::pass::{Pass, Proposals};
use crate::rewrite::propose_shrinking;
use reduct_input::{Edit, Splice, Subject, Tree};

pub(crate) const PASS: Pass =
    Pass::rewriting("arrows", "JavaScript: makes an arrow function of a function", 0.4, propose);

fn propose(subject: &Subject) -> Proposals {
    let trees =
        subject.trees().iter().filter(|tree| ["javascript", "typescript", "tsx"].contains(&tree.grammar.language));
    let edits = trees.flat_map(|tree| (1..tree.len()).filter_map(move |at| arrow(subject, tree, at)));
    propose_shrinking(subject, edits)
}

/// Returns a function as an arrow function.
fn arrow(subject: &Subject, tree: &Tree, at: usize) -> Option<Edit> {
    let is_declared = tree.kind(at) == "function_declaration";
    if !is_declared && tree.kind(at) != "function_expression" {
        return None;
    }
    let mut words = tree.children(at).map(|word| subject.text(tree.range(word))).take(2);
    let is_async = match (words.next()?, words.next()?) {
        (b"async", b"function") => true,
        (b"function", _) => false,
        _ => return None,
    };
    let asynchronous: &[u8] = if is_async { b"async" } else { b"" };
    let (parameters, body) = (tree.child(at, "parameters")?, tree.child(at, "body")?);
    let name = tree.child(at, "name");
    let start = tree.node(at).start;
    let open = tree.node(parameters).start;
    let mut splices = match (is_declared, name) {
        (true, Some(name)) => {
            let declares: &[u8] = if tree.grammar.language == "javascript" { b"" } else { b"let " };
            let assigned = [declares, subject.text(tree.range(name)), b"=", asynchronous].concat();
            vec![Splice { at: start..open, with: assigned.into() }]
        }
        // A name of its own is known in it only.
        (false, _) => vec![Splice { at: start..open, with: asynchronous.into() }],
        (true, None) => return None,
    };
    let text = subject.text(tree.range(body));
    if text.len() < 2 || !text.starts_with(b"{") || !text.ends_with(b"}") {
        return None;
    }
    let brace = tree.node(body).start;
    splices.push(Splice { at: brace..brace + 1, with: b"=>{"[..].into() });
    let end = tree.node(body).end;
    if is_declared && goes_on(subject, tree, at) {
        splices.push(Splice { at: end - 1..end, with: b"};"[..].into() });
    }
    Edit::new(splices)
}

/// Returns whether something else stands on the line of a statement behind it.
fn goes_on(subject: &Subject, tree: &Tree, at: usize) -> bool {
    let rest = subject.text(tree.node(at).end..tree.node(0).end);
    let next = rest.iter().find(|byte| !matches!(byte, b' ' | b'\t'));
    next.is_some_and(|byte| !matches!(byte, b'\n' | b'\r' | b';' | b'}'))
}
