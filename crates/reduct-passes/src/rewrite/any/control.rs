//! Takes a condition out of the statement it controls, and makes an `if` of a loop.
//!
//! ## What it tries
//! For each `if`, loop or `switch`, the expression it decides by as a statement of its own, and for a loop with `while`
//! an `if` in its stead. In languages where an unknown name raises, that may be a name alone, if it is the last one in the
//! statement. For a loop that ends with `break`, its body without that: without its braces where the loop stands among other
//! statements, then with them, for where what it declares must not be known after it. For a `switch` of C with one case, what that
//! case does. What a condition guards in its stead is tried by `hoist` and `splice`; where no grammar reads, here: for each `if` and each
//! loop, what stands in its braces.
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
//! void f(int a) { g(a); if (a) k(a); l(a); }
//! ```

mod plain;

use super::branches::{is_of_list, statement};
use crate::pass::{Needs, Pass, Proposals};
use crate::rewrite::{deeper, propose_shrinking};
use crate::text::only_child;
use reduct_input::{Class, Edit, Role, Splice, Subject, Tree};

pub(crate) const PASS: Pass =
    Pass { needs: Needs::Text, ..Pass::rewriting("control", "takes a condition out of its statement", 0.2, propose) };

/// The languages in which a name that nothing has raises where it is executed.
const RAISING: &[&str] = &["javascript", "python", "ruby", "tsx", "typescript"];

/// How the kinds of loops begin.
const LOOPS: &[&str] = &["for", "while", "until", "repeat", "loop", "do", "enhanced_for"];

fn propose(subject: &Subject) -> Proposals {
    let edits = subject.trees().iter().flat_map(|tree| {
        let controls = (1..tree.len()).filter(|at| tree.is(*at, Class::CONTROL));
        controls.flat_map(move |at| {
            let (bare, braced) = body(subject, tree, at);
            [condition(subject, tree, at), once(subject, tree, at), case(tree, at), bare, braced].into_iter().flatten()
        })
    });
    let blocks = subject.trees().iter().flat_map(|tree| {
        let calls = (1..tree.len()).filter(|at| tree.grammar.language == "ruby" && tree.kind(*at) == "call");
        calls.filter_map(|at| block(subject, tree, at))
    });
    propose_shrinking(subject, edits.chain(blocks).chain(plain::bodies(subject)))
}

/// Makes a `switch` with one case the statements of that case, without the `break` at their end.
fn case(tree: &Tree, at: usize) -> Option<Edit> {
    let body = tree.child(at, "body").filter(|_| tree.kind(at) == "switch_statement")?;
    let case = only_child(tree, body).filter(|case| tree.kind(*case) == "case_statement")?;
    let has_value = |child: &usize| tree.is_named(*child) && tree.field(*child) != "value";
    let statements: Vec<usize> = tree.children(case).filter(has_value).collect();
    let without = statements
        .strip_suffix(&[*statements.last()?])
        .filter(|_| statements.last().is_some_and(|last| tree.kind(*last) == "break_statement"));
    let kept = without.unwrap_or(&statements);
    let (whole, kept) = (tree.range(at), tree.range(*kept.first()?).start..tree.range(*kept.last()?).end);
    let removed = [whole.start..kept.start, kept.end..whole.end].into_iter().filter(|at| !at.is_empty());
    Edit::new(removed.map(|at| Splice { at, with: [].into() }).collect())
}

/// Makes `loop` of Ruby that ends with `break` what stands in its block before that.
fn block(subject: &Subject, tree: &Tree, at: usize) -> Option<Edit> {
    let (method, block) = (tree.child(at, "method")?, tree.child(at, "block")?);
    let is_loop = subject.text(tree.range(method)) == b"loop" && tree.child(at, "receiver").is_none();
    let statements = statements(tree, tree.child(block, "body").filter(|_| is_loop)?);
    let (last, before) = statements.split_last()?;
    let (whole, kept) = (tree.range(at), tree.range(*before.first()?).start..tree.range(*before.last()?).end);
    let removed = [whole.start..kept.start, kept.end..whole.end].map(|at| Splice { at, with: [].into() });
    (subject.text(tree.range(*last)) == b"break").then(|| Edit::new(removed.into()))?
}

/// Returns the statement becomes the expression that it decides by.
fn condition(subject: &Subject, tree: &Tree, at: usize) -> Option<Edit> {
    let mut inner = tree.children(at).find(|child| tree.is(*child, Class::EXPRESSION))?;
    // Parentheses around it are the statement's.
    while let (true, Some(child)) = (subject.text(tree.range(inner)).first() == Some(&b'('), only_child(tree, inner)) {
        inner = child;
    }
    // A name or a number as a statement does nothing: that is the statement removed.
    if tree.children(inner).next().is_none() && !is_last_name(tree, at, inner) {
        return None;
    }
    let mut text = subject.text(tree.range(inner)).to_vec();
    if tree.shortest(at).iter().any(|text| text.ends_with(';')) {
        text.push(b';');
    }
    Edit::replace(tree.range(at), &text)
}

/// Returns whether a name alone may be what fails, as it raises where nothing has that name, and no other name is left in
/// the statement. Before that, what is in the statement goes sooner otherwise.
fn is_last_name(tree: &Tree, at: usize, name: usize) -> bool {
    let names = || tree.descendants(at).filter(|node| tree.is(*node, Class::NAME));
    RAISING.contains(&tree.grammar.language) && tree.is(name, Class::NAME) && names().eq([name])
}

/// Makes a loop that ends with `break` its body without it: bare, and with its braces, if it has some.
fn body(subject: &Subject, tree: &Tree, at: usize) -> (Option<Edit>, Option<Edit>) {
    let Some(block) = tree.children(at).find(|child| tree.is(*child, Class::BLOCK)) else { return (None, None) };
    let Some(last) = statements(tree, block).last().copied() else { return (None, None) };
    if !matches!(subject.text(tree.range(last)), b"break" | b"break;") {
        return (None, None);
    }
    let is_braced = subject.text(tree.range(block)).starts_with(b"{");
    let is_listed = is_of_list(tree, statement(tree, at));
    let bare = if is_listed || !is_braced { unbraced_body(subject, tree, at, block) } else { None };
    let (whole, inner) = (tree.range(at), tree.range(block));
    let removed = [whole.start..inner.start, tree.range(last), inner.end..whole.end];
    let removed = removed.into_iter().filter(|at| !at.is_empty()).map(|at| Splice { at, with: [].into() });
    (bare, is_braced.then(|| Edit::new(removed.collect())).flatten())
}

/// Returns the statements of a block, which in Go stand in a node of their own.
fn statements(tree: &Tree, block: usize) -> Vec<usize> {
    let named = |at: usize| tree.children(at).filter(|child| tree.is_named(*child)).collect::<Vec<usize>>();
    match named(block)[..] {
        [list] if tree.kind(list) == "statement_list" => named(list),
        _ => named(block),
    }
}

/// Makes a loop the statements in it but the last one, each on the level of the loop.
fn unbraced_body(subject: &Subject, tree: &Tree, at: usize, block: usize) -> Option<Edit> {
    let is_loop = LOOPS.iter().any(|word| tree.kind(at).starts_with(word));
    let statements = statements(tree, block);
    let [first, ..] = *statements.as_slice() else { return None };
    let before = *statements.iter().rev().nth(1).filter(|_| is_loop)?;
    let (whole, kept) = (tree.range(at), tree.range(first).start..tree.range(before).end);
    let mut removed = vec![whole.start..kept.start, kept.end..whole.end];
    if tree.grammar.language == "python" {
        removed.extend(deeper(subject, &whole, &kept)?);
    }
    let removed = removed.into_iter().filter(|at| !at.is_empty());
    Edit::new(removed.map(|at| Splice { at, with: [].into() }).collect())
}

/// Makes `while` into `if`.
fn once(subject: &Subject, tree: &Tree, at: usize) -> Option<Edit> {
    let word = tree.children(at).next().filter(|word| tree.node(*word).role == Role::Token)?;
    (subject.text(tree.range(word)) == b"while").then(|| Edit::replace(tree.range(word), b"if"))?
}
