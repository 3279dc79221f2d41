//! Removes all line markers that a preprocessor left, and all pragmas.
//!
//! ## What it tries
//! All lines like `# 1 "file.c"` and `#line 1` together, then all lines `#pragma`. What of them has to stay
//! is found by what removes single lines.
//!
//! ## When it helps
//! With preprocessed inputs: a tenth of their lines may be markers, and hardly any failure needs one.
//!
//! ## Before
//! ```c
//! # 1 "a.c"
//! int a;
//! # 7 "b.h" 2 3
//! #pragma once
//! int b;
//! ```
//! ## After
//! ```c
//! int a;
//! #pragma once
//! int b;
//! ```

use super::code::{Code, propose};
use super::directives::{Directive, directives};
use crate::pass::Pass;
use reduct_input::Edit;

pub(crate) const PASS: Pass =
    Pass::rewriting("c-markers", "C: removes all line markers, and all pragmas", 0.95, |subject| {
        propose(subject, edits)
    });

fn edits(code: &Code) -> Vec<Edit> {
    let all = directives(code);
    let is_marker = |found: &&Directive| found.word == b"line" || found.word.iter().all(u8::is_ascii_digit);
    let is_pragma = |found: &&Directive| found.word == b"pragma";
    let without =
        |found: Vec<&Directive>| Edit::new(found.iter().map(|found| code.erase(found.lines.clone())).collect());
    let markers = all.iter().filter(is_marker).filter(|found| !found.rest.is_empty()).collect();
    [without(markers), without(all.iter().filter(is_pragma).collect())].into_iter().flatten().collect()
}
