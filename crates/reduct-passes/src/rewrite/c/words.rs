//! Removes a word like `static` or `virtual` wherever it stands.
//!
//! ## What it tries
//! For each word that only says how something is stored, seen or checked: all of its occurrences together.
//! What of them has to stay is found by what removes single nodes.
//!
//! ## When it helps
//! Nearly always: a compiler rarely needs one to fail, and `const` is easier removed from a declaration and all
//! uses of its type at once than from one of them.
//!
//! ## Before
//! ```c
//! static const int a;
//! static int f(const int *p) { return *p; }
//! ```
//! ## After
//! ```c
//! int a;
//! int f(int *p) { return *p; }
//! ```

use super::code::{Code, merged, propose};
use crate::pass::Pass;
use reduct_input::{Edit, Splice};
use std::collections::BTreeMap;

pub(crate) const PASS: Pass =
    Pass::rewriting("c-words", "C: removes a word like `static` wherever it stands", 0.6, |subject| {
        propose(subject, edits)
    });

/// Words that can be left out of most texts that hold them. `unsigned`, `long` and their like are types: other
/// passes make `int` of them.
const WORDS: &[&str] = &[
    "static",
    "inline",
    "extern",
    "register",
    "auto",
    "volatile",
    "const",
    "restrict",
    "signed",
    "constexpr",
    "consteval",
    "constinit",
    "explicit",
    "virtual",
    "override",
    "final",
    "mutable",
    "friend",
    "thread_local",
    "noexcept",
    "_Noreturn",
    "_Thread_local",
    "_Atomic",
    "__thread",
    "__inline",
    "__inline__",
    "__restrict",
    "__restrict__",
    "__volatile__",
    "__const",
    "__extension__",
    "__signed__",
    "__forceinline",
];

fn edits(code: &Code) -> Vec<Edit> {
    let words: BTreeMap<&[u8], usize> = WORDS.iter().enumerate().map(|(at, word)| (word.as_bytes(), at)).collect();
    let mut found: Vec<Vec<Splice>> = vec![vec![]; WORDS.len()];
    let leaves = (1..code.tree.len()).filter(|at| code.tree.descendants(*at).is_empty());
    for at in leaves.filter(|at| !code.is(*at, "string_content") && !code.is(*at, "comment")) {
        // `auto` may be a type, and then cannot go.
        let is_type = || code.tree.parent(at).is_some_and(|parent| code.is(parent, "placeholder_type_specifier"));
        if let Some(word) = words.get(code.text(at)).filter(|_| !is_type()) {
            found[*word].push(code.cut_node(at));
        }
    }
    // One occurrence alone is left to what removes single nodes.
    found.into_iter().filter(|all| all.len() > 1).filter_map(merged).collect()
}
