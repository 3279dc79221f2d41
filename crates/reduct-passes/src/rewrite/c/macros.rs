//! Puts the text of a macro in the place of its uses and removes it.
//!
//! ## What it tries
//! For each `#define` without parameters: its text instead of its name everywhere. For each with parameters:
//! its text with the arguments in it instead of each use. Only what makes the text shorter.
//!
//! ## When it helps
//! With inputs that are not preprocessed, where a macro stands between what is needed and what is known of it.
//!
//! ## Before
//! ```c
//! #define SIZE 4
//! #define TWICE(x) x + x
//! int a[SIZE], b = TWICE(a[0]);
//! ```
//! ## After
//! ```c
//! int a[4], b = a[0] + a[0];
//! ```

use super::code::{Code, merged, propose};
use super::directives::{Directive, directives};
use crate::pass::Pass;
use reduct_input::Edit;
use std::collections::BTreeMap;

pub(crate) const PASS: Pass =
    Pass::rewriting("c-macros", "C: puts the text of a macro in the place of its uses", 0.4, |subject| {
        propose(subject, edits)
    });

fn edits(code: &Code) -> Vec<Edit> {
    let all = directives(code);
    all.iter().filter(|found| found.word == b"define").filter_map(|found| inlined(code, found)).collect()
}

fn inlined(code: &Code, define: &Directive) -> Option<Edit> {
    let name = leading_word(define.rest);
    let after = &define.rest[name.len()..];
    let mut splices = vec![code.erase(define.lines.clone())];
    let outside = |at: &&usize| !define.lines.contains(&code.tree.node(**at).start);
    let uses = code.named(name).iter().filter(outside);
    if !after.starts_with(b"(") {
        splices.extend(uses.map(|at| code.put(*at, after.trim_ascii())));
        return merged(splices);
    }
    let close = after.iter().position(|b| *b == b')')?;
    let parameters: Vec<&[u8]> = after[1..close].split(|b| *b == b',').map(<[u8]>::trim_ascii).collect();
    let body = after[close + 1..].trim_ascii();
    for at in uses {
        let call = code.call_of(*at)?;
        let arguments: Vec<&[u8]> = code.parts(code.tree.child(call, "arguments")?).map(|at| code.text(at)).collect();
        let values = parameters.iter().copied().zip(arguments).collect();
        splices.push(code.put(call, &filled(body, &values)));
    }
    merged(splices)
}

/// Returns the text of a macro with values in the place of its parameters.
fn filled(body: &[u8], values: &BTreeMap<&[u8], &[u8]>) -> Vec<u8> {
    let mut text = vec![];
    let mut rest = body;
    while !rest.is_empty() {
        let word = leading_word(rest);
        let (part, after) = rest.split_at(word.len().max(1));
        text.extend_from_slice(values.get(part).unwrap_or(&part));
        rest = after;
    }
    text
}

fn leading_word(text: &[u8]) -> &[u8] {
    &text[..text.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count()]
}
