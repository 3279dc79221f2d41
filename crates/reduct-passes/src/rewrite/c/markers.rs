//! Removes all line markers that a preprocessor left, and all pragmas.
//!
//! ## What it tries
//! All lines like `# 1 "file.c"` and `#line 1` together, then all lines `#pragma`; then, in the place of the markers, short ones where headers
//! of the system begin and end. What of them has to stay is found by what removes single lines.
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
use reduct_input::{Edit, Splice};

pub(crate) const PASS: Pass =
    Pass::rewriting("c-markers", "C: removes all line markers, and all pragmas", 0.95, |subject| {
        propose(subject, edits)
    });

fn edits(code: &Code) -> Vec<Edit> {
    let all = directives(code);
    let is_marker = |found: &&Directive| found.word == b"line" || found.word.iter().all(u8::is_ascii_digit);
    let is_pragma = |found: &&Directive| found.word == b"pragma";
    let without = |found: &[&Directive]| Edit::new(found.iter().map(|found| code.erase(found.lines.clone())).collect());
    let markers: Vec<&Directive> = all.iter().filter(is_marker).filter(|found| !found.rest.is_empty()).collect();
    let pragmas: Vec<&Directive> = all.iter().filter(is_pragma).collect();
    [without(&markers), without(&pragmas), shorter(code, &markers)].into_iter().flatten().collect()
}

/// Returns the edit that leaves markers only where headers of the system begin and end: a compiler warns less in these.
fn shorter(code: &Code, markers: &[&Directive]) -> Option<Edit> {
    let (mut is_system, mut keeps_some, mut splices) = (false, false, vec![]);
    for marker in markers {
        let was_system = is_system;
        // One without a file is of the same one.
        if let Some(quote) = marker.rest.iter().rposition(|byte| *byte == b'"') {
            is_system = marker.rest[quote + 1..].split(u8::is_ascii_whitespace).any(|flag| flag == b"3");
        }
        let short: &[u8] = match (was_system, is_system) {
            (false, true) => b"# 1 \"a\" 3\n",
            (true, false) => b"# 1 \"a\"\n",
            _ => b"",
        };
        keeps_some |= !short.is_empty();
        if code.bytes(marker.lines.clone()) != short {
            splices.push(Splice { at: marker.lines.clone(), with: short.into() });
        }
    }
    Edit::new(splices).filter(|_| keeps_some)
}
