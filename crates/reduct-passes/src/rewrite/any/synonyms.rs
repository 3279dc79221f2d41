//! Puts a shorter word of the language for one that means nearly the same.
//!
//! ## What it tries
//! JavaScript and TypeScript: `let` for `const`. C++: `class` for the `typename` of a template's parameter. Go and Zig: `var` for
//! `const`. Each occurrence by itself, all of them at once first.
//!
//! ## When it helps
//! Nearly always where there is one.
//!
//! ## Before
//! ```js
//! const a = f(), b = 1;
//! ```
//! ## After
//! ```js
//! let a = f(), b = 1;
//! ```

use crate::pass::{Pass, Proposals};
use crate::rewrite::propose_shrinking;
use reduct_input::{Edit, Role, Subject, Tree};

pub(crate) const PASS: Pass =
    Pass::rewriting("synonyms", "puts a shorter word of the language for one that means nearly the same", 0.8, propose);

/// By language and kind of node, a word in it and a shorter one.
const WORDS: &[(&str, &str, &str, &str)] = &[
    ("javascript", "lexical_declaration", "const", "let"),
    ("javascript", "for_in_statement", "const", "let"),
    ("typescript", "lexical_declaration", "const", "let"),
    ("typescript", "for_in_statement", "const", "let"),
    ("tsx", "lexical_declaration", "const", "let"),
    ("tsx", "for_in_statement", "const", "let"),
    ("cpp", "type_parameter_declaration", "typename", "class"),
    ("cpp", "optional_type_parameter_declaration", "typename", "class"),
    ("cpp", "variadic_type_parameter_declaration", "typename", "class"),
    ("go", "const_declaration", "const", "var"),
    ("zig", "variable_declaration", "const", "var"),
];

fn propose(subject: &Subject) -> Proposals {
    let edits = subject.trees().iter().flat_map(|tree| {
        let rows: Vec<_> = WORDS.iter().filter(|(language, ..)| *language == tree.grammar.language).collect();
        let tokens = (1..tree.len()).filter(|at| tree.node(*at).role == Role::Token);
        tokens.filter_map(move |at| {
            let row = rows.iter().find(|(_, kind, word, _)| is(subject, tree, at, kind, word));
            row.and_then(|(.., shorter)| Edit::replace(tree.range(at), shorter.as_bytes()))
        })
    });
    propose_shrinking(subject, edits)
}

fn is(subject: &Subject, tree: &Tree, at: usize, kind: &str, word: &str) -> bool {
    subject.text(tree.range(at)) == word.as_bytes() && tree.parent(at).is_some_and(|parent| tree.kind(parent) == kind)
}
