//! Replaces an enum by `int`.
//!
//! ## What it tries
//! For each enum: `int` wherever it is named, its definition gone, and the value of each of its names in the
//! place of the name.
//!
//! ## When it helps
//! Where names only stand for numbers, which then become smaller as other numbers do.
//!
//! ## Before
//! ```c
//! enum E { A, B = 5, C };
//! enum E e = C;
//! int f() { return e == A; }
//! ```
//! ## After
//! ```c
//! int e = 6;
//! int f() { return e == 0; }
//! ```

use super::code::{Code, merged, propose};
use crate::pass::Pass;
use reduct_input::Edit;

pub(crate) const PASS: Pass =
    Pass::rewriting("c-enums", "C: replaces an enum by `int`", 0.4, |subject| propose(subject, edits));

fn edits(code: &Code) -> Vec<Edit> {
    code.all("enum_specifier").filter_map(|at| replaced(code, at)).collect()
}

fn replaced(code: &Code, specifier: usize) -> Option<Edit> {
    let body = code.tree.child(specifier, "body")?;
    let mut splices = vec![code.put_type(specifier, b"int")];
    let name = code.tree.child(specifier, "name");
    for at in name.into_iter().flat_map(|name| code.named(code.text(name))) {
        let parent = code.tree.parent(*at)?;
        let is_tag = code.is(parent, "enum_specifier") && code.tree.field(*at) == "name";
        splices.push(if is_tag { code.put_type(parent, b"int") } else { code.put(*at, b"int") });
    }
    let mut next: i64 = 0;
    for enumerator in code.parts(body).filter(|at| code.is(*at, "enumerator")) {
        let given = code.tree.child(enumerator, "value").and_then(|at| number(code.text(at)));
        let value = given.unwrap_or(next);
        next = value.saturating_add(1);
        for at in code.named(code.text(code.tree.child(enumerator, "name")?)) {
            // `E::A` as a whole.
            let whole = code.in_a(*at, "qualified_identifier").unwrap_or(*at);
            splices.push(code.put(whole, value.to_string().as_bytes()));
        }
    }
    merged(splices)
}

fn number(text: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(text).ok()?;
    text.strip_prefix("0x").map_or_else(|| text.parse().ok(), |digits| i64::from_str_radix(digits, 16).ok())
}
