//! Removes modifiers, and other words that something can do without.
//!
//! ## What it tries
//! Every qualifier, attribute, annotation and storage class, also where the grammar has it as a mere word: `static`,
//! `const`, `public`, `async`; and the words before a value that leave it a value: `return`, `await`, `new`.
//!
//! ## When it helps
//! Nearly always; few failures depend on one.
//!
//! ## Before
//! ```javascript
//! class A { static async f(a) { return await g(a); } }
//! ```
//! ## After
//! ```javascript
//! class A { f(a) { g(a); } }
//! ```

use crate::pass::{Pass, Proposals};
use crate::rewrite::propose_shrinking;
use crate::text::is_blank;
use reduct_input::Edit;
use reduct_input::Subject;
use reduct_input::{Class, Role, Tree};

pub(crate) const PASS: Pass = Pass::rewriting("modifiers", "removes qualifiers, attributes and the like", 0.7, propose);

/// Words of many languages, in the order of the alphabet.
const WORDS: &[&str] = &[
    "abstract",
    "async",
    "await",
    "co_await",
    "co_return",
    "co_yield",
    "const",
    "constexpr",
    "data",
    "declare",
    "default",
    "delete",
    "dyn",
    "explicit",
    "export",
    "extern",
    "final",
    "friend",
    "global",
    "implements",
    "inline",
    "internal",
    "lateinit",
    "let",
    "local",
    "long",
    "move",
    "mut",
    "mutable",
    "native",
    "new",
    "not",
    "open",
    "override",
    "partial",
    "private",
    "protected",
    "pub",
    "public",
    "raise",
    "readonly",
    "ref",
    "register",
    "restrict",
    "return",
    "sealed",
    "short",
    "signed",
    "sizeof",
    "static",
    "strictfp",
    "suspend",
    "synchronized",
    "tailrec",
    "throw",
    "transient",
    "typename",
    "typeof",
    "unsafe",
    "unsigned",
    "var",
    "virtual",
    "void",
    "volatile",
    "yield",
];

fn propose(subject: &Subject) -> Proposals {
    let edits = subject.trees().iter().flat_map(|tree| {
        let modifiers = (1..tree.len()).filter(|at| is_modifier(subject, tree, *at));
        modifiers.filter_map(move |at| {
            let range = tree.range(at);
            let after = subject.text(range.end..tree.node(0).end).iter().take_while(|byte| is_blank(**byte)).count();
            Edit::delete(range.start..range.end + after as u32)
        })
    });
    propose_shrinking(subject, edits)
}

fn is_modifier(subject: &Subject, tree: &Tree, at: usize) -> bool {
    if tree.node(at).role != Role::Token {
        return tree.is(at, Class::MODIFIER);
    }
    // A word that is all of its parent goes with it, if that can go.
    let alone = tree.parent(at).is_some_and(|parent| tree.range(parent) == tree.range(at) && parent != 0);
    let word = std::str::from_utf8(subject.text(tree.range(at))).unwrap_or_default();
    !alone && WORDS.binary_search(&word).is_ok()
}
