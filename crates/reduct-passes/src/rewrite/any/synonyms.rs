//! Puts a shorter word of the language for one that means nearly the same.
//!
//! ## What it tries
//! JavaScript and TypeScript: `let` for `const`. C++: `class` for the `typename` of a template's parameter. Go and Zig: `var` for
//! `const`. PHP: `<?=` for a first statement that is an expression, `echo` or `return`. Python: `import a` for `from a import b`,
//! if there are at most two. JavaScript: the only parameter of an arrow function without brackets. Where blocks are in braces, `;` for an empty body of a loop. YAML: a list of one for a
//! mapping of one key, and the first key on the line of the sign of a list. XML: the text of a CDATA section without its signs. Each occurrence by itself, all of them at once first.
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
use crate::text::is_word;
use reduct_input::{Class, Edit, Role, Subject, Tree};

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
    let others = subject.trees().iter().flat_map(|tree| (1..tree.len()).filter_map(|at| other(subject, tree, at)));
    propose_shrinking(subject, edits.chain(others).chain(modules(subject)))
}

/// Where more modules are imported from, one of them alone is not the failure.
const MODULES: usize = 2;

/// Imports modules of Python as such.
fn modules(subject: &Subject) -> Vec<Edit> {
    let of_tree = |tree: &Tree| {
        let imports = (1..tree.len()).filter(|at| tree.kind(*at) == "import_from_statement");
        let named = imports.filter_map(|at| Some((tree.range(at), tree.range(tree.child(at, "module_name")?))));
        named.collect::<Vec<_>>()
    };
    let python = subject.trees().iter().filter(|tree| tree.grammar.language == "python");
    let all: Vec<_> = python.flat_map(of_tree).take(MODULES + 1).collect();
    let absolute =
        all.iter().filter(|(_, module)| all.len() <= MODULES && !subject.text(module.clone()).starts_with(b"."));
    absolute
        .filter_map(|(at, module)| Edit::replace(at.clone(), &[b"import ", subject.text(module.clone())].concat()))
        .collect()
}

/// Returns what is written shorter in more than one word.
fn other(subject: &Subject, tree: &Tree, at: usize) -> Option<Edit> {
    let text = subject.text(tree.range(at));
    let parent = tree.parent(at)?;
    match tree.kind(at) {
        "php_tag" if parent == 0 && text == b"<?php" => {
            let first = tree.children(0).find(|child| *child > at)?;
            let value = match tree.kind(first) {
                "expression_statement" => first,
                "echo_statement" | "return_statement" => tree.children(first).find(|child| tree.is_named(*child))?,
                _ => return None,
            };
            Edit::replace(tree.node(at).start..tree.node(value).start, b"<?=")
        }
        // The only parameter of an arrow function needs no brackets.
        "formal_parameters" if tree.kind(parent) == "arrow_function" => {
            let inner = text.strip_prefix(b"(")?.strip_suffix(b")")?;
            let is_name = !inner.is_empty() && inner.iter().all(|byte| is_word(*byte));
            is_name.then(|| Edit::replace(tree.range(at), inner))?
        }
        // What is in the only pair of a mapping may be the only one of a list.
        "block_mapping_pair" if tree.children(parent).filter(|child| tree.is_named(*child)).eq([at]) => {
            let (start, value) = (tree.node(at).start, tree.child(at, "value")?);
            let key = subject.text(start..tree.node(value).start);
            let sign = start + key.iter().rposition(|byte| *byte == b':')? as u32;
            Edit::replace(start..sign + 1, b"-")
        }
        "block_sequence_item" => beside_its_sign(subject, tree, at),
        "CDSect" => {
            let inner = text.strip_prefix(b"<![CDATA[")?.strip_suffix(b"]]>")?;
            let is_plain = !inner.is_empty() && !inner.iter().any(|byte| b"<&".contains(byte));
            is_plain.then(|| Edit::replace(tree.range(at), inner))?
        }
        _ => {
            let is_loop = ["for", "while"].iter().any(|word| tree.kind(parent).starts_with(word));
            let is_empty = text == b"{}" && tree.is(at, Class::BLOCK) && tree.field(at) == "body";
            let has_semicolon = tree.shortest(parent).iter().any(|text| text == ";");
            (is_loop && is_empty && has_semicolon).then(|| Edit::replace(tree.range(at), b";"))?
        }
    }
}

/// Puts the first key of a mapping of YAML beside the sign of its list, in the column of the other keys.
fn beside_its_sign(subject: &Subject, tree: &Tree, at: usize) -> Option<Edit> {
    let text = subject.text(tree.range(at)).strip_prefix(b"-")?;
    let blank = text.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let line = text[..blank].iter().rposition(|byte| *byte == b'\n')? + 1;
    let start = tree.node(at).start;
    let before = &subject.artifact().bytes()[..start as usize];
    let own = before.iter().rev().take_while(|byte| **byte == b' ').count();
    let is_first = before[..before.len() - own].last().is_none_or(|byte| *byte == b'\n');
    let gap = (blank - line).checked_sub(own + 1).filter(|gap| is_first && *gap > 0)?;
    Edit::replace(start + 1..start + 1 + blank as u32, &vec![b' '; gap])
}

fn is(subject: &Subject, tree: &Tree, at: usize, kind: &str, word: &str) -> bool {
    subject.text(tree.range(at)) == word.as_bytes() && tree.parent(at).is_some_and(|parent| tree.kind(parent) == kind)
}
