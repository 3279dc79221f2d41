//! Removes the base of a class, together with all that is asked of it.
//!
//! ## What it tries
//! For each class in JavaScript, TypeScript, Java, Python, PHP or Ruby that has a base and something like `super` in it: the class
//! without a base, without the statements that are only a call of `super`, and with `0` in the place of what `super` gives elsewhere.
//!
//! ## When it helps
//! Where neither can go alone: a constructor has to call the one of the base, if there is a base, and must not, if there is none.
//!
//! ## Before
//! ```javascript
//! class A extends B { constructor(a) { super(a); this.b = super.f(a); } }
//! ```
//! ## After
//! ```javascript
//! class A { constructor(a) {  this.b = 0; } }
//! ```

use crate::pass::{Pass, Proposals};
use crate::rewrite::c::code::merged;
use crate::rewrite::{largest_first, propose_in_order};
use crate::text::is_blank;
use reduct_input::{Class, Edit, Role, Splice, Subject, Tree};
use std::ops::Range;

pub(crate) const PASS: Pass =
    Pass::rewriting("bases", "removes the base of a class, with all that is asked of it", 0.3, propose);

/// The kinds of nodes that name the base of a class: where two of them are one within the other, the outer one first.
const BASES: &[&str] = &["class_heritage", "extends_clause", "superclass", "base_clause"];

/// Where in its parent something stands that the parent takes something from, or calls.
const TAKEN_FROM: &[&str] = &["function", "object", "scope", "method", "constructor"];

fn propose(subject: &Subject) -> Proposals {
    let edits = subject.trees().iter().flat_map(|tree| classes(subject, tree)).filter(|class| class.is_derived);
    let edits: Vec<Edit> = edits.filter_map(|class| class.without_base(subject)).collect();
    propose_in_order(subject, largest_first(edits))
}

/// A class, and what in it belongs to no class within it.
#[derive(Default)]
struct Derived {
    /// Where the class ends, as a node.
    after: usize,
    base: Range<u32>,
    /// Whether it has a base.
    is_derived: bool,
    /// What is asked of the base.
    asked: Vec<Splice>,
}

impl Derived {
    /// Returns the class without its base; `None` if nothing is asked of that: then it goes by itself.
    fn without_base(self, subject: &Subject) -> Option<Edit> {
        if self.asked.is_empty() {
            return None;
        }
        let before = subject.artifact().bytes()[..self.base.start as usize].iter();
        let start = self.base.start - before.rev().take_while(|byte| is_blank(**byte)).count() as u32;
        merged(self.asked.into_iter().chain([Splice { at: start..self.base.end, with: [].into() }]).collect())
    }
}

/// Returns the classes of a text.
fn classes(subject: &Subject, tree: &Tree) -> Vec<Derived> {
    let (mut all, mut open): (Vec<Derived>, Vec<usize>) = Default::default();
    for at in 1..tree.len() {
        while open.last().is_some_and(|class| all[*class].after <= at) {
            open.pop();
        }
        if tree.is(at, Class::AGGREGATE) && tree.child(at, "body").is_some() {
            let base = base(tree, at);
            let is_derived = base.is_some();
            let base = base.unwrap_or_default();
            open.push(all.len());
            all.push(Derived { after: tree.node(at).after as usize, base, is_derived, asked: vec![] });
        }
        if let Some(class) = open.last().filter(|_| is_super(subject, tree, at)) {
            all[*class].asked.push(without(tree, at));
        }
    }
    all
}

/// Returns what says that a class has a base.
fn base(tree: &Tree, class: usize) -> Option<Range<u32>> {
    let named = tree.children(class).find(|at| BASES.contains(&tree.kind(*at)));
    let base = tree.child(class, "superclasses").or(named)?;
    // In TypeScript, interfaces may stand beside it.
    let inner = tree.children(base).filter(|at| tree.is_named(*at)).collect::<Vec<_>>();
    let extends = inner.iter().find(|at| BASES.contains(&tree.kind(**at)));
    let is_of_interfaces = extends.is_none() && inner.iter().any(|at| tree.kind(*at).starts_with("implements"));
    match extends.filter(|_| inner.len() > 1) {
        Some(extends) => Some(tree.range(*extends)),
        None => (!is_of_interfaces).then(|| tree.range(base)),
    }
}

/// Returns whether a node is the word for the base of a class.
fn is_super(subject: &Subject, tree: &Tree, at: usize) -> bool {
    let text = |at: usize| subject.text(tree.range(at));
    match tree.grammar.language {
        "javascript" | "typescript" | "tsx" | "java" | "ruby" => tree.kind(at) == "super",
        "python" => tree.is(at, Class::CALL) && tree.child(at, "function").is_some_and(|named| text(named) == b"super"),
        "php" => tree.kind(at) == "relative_scope" && text(at) == b"parent",
        _ => false,
    }
}

/// Does without what is taken from the base: the statement goes, if it is nothing else, and else it is `0`.
fn without(tree: &Tree, at: usize) -> Splice {
    let takes = |at: &usize| TAKEN_FROM.contains(&tree.field(*at));
    let taken = std::iter::successors(Some(at), |at| tree.parent(*at).filter(|_| takes(at))).last().unwrap_or(at);
    let is_statement =
        |at: &usize| matches!(tree.kind(*at), "expression_statement" | "explicit_constructor_invocation");
    // Where indentation means something, a block may have nothing else.
    let may_go = !matches!(tree.grammar.language, "python" | "ruby");
    let gone = [Some(taken), tree.parent(taken)].into_iter().flatten().find(is_statement).filter(|_| may_go);
    match gone.filter(|at| tree.node(*at).role == Role::Item) {
        Some(statement) => Splice { at: tree.range(statement), with: [].into() },
        None => Splice { at: tree.range(taken), with: b"0".as_slice().into() },
    }
}
