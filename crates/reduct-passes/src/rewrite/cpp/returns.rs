//! Puts the type that a function returns before its name.
//!
//! ## What it tries
//! `auto f() -> T` as `T f()`.
//!
//! ## When it helps
//! Nearly always where there is one; and the type can then be replaced as others are.
//!
//! ## Before
//! ```cpp
//! auto f(int a) -> int { return a; }
//! ```
//! ## After
//! ```cpp
//! int f(int a) { return a; }
//! ```

use crate::pass::Pass;
use crate::rewrite::c::code::{Code, merged, propose};
use reduct_input::Edit;

pub(crate) const PASS: Pass =
    Pass::rewriting("cpp-returns", "C++: puts the type that a function returns before its name", 0.7, |subject| {
        propose(subject, edits)
    });

fn edits(code: &Code) -> Vec<Edit> {
    code.all("trailing_return_type").filter_map(|at| before(code, at)).collect()
}

fn before(code: &Code, trailing: usize) -> Option<Edit> {
    let outer = std::iter::successors(code.tree.parent(trailing), |at| code.tree.parent(*at));
    let declaration =
        outer.take_while(|at| !code.is(*at, "lambda_expression")).find(|at| code.type_of(*at).is_some())?;
    let auto = code.type_of(declaration).filter(|at| code.is(*at, "placeholder_type_specifier"))?;
    let returned = code.parts(trailing).next()?;
    merged(vec![code.put(auto, code.text(returned)), code.cut_node(trailing)])
}
