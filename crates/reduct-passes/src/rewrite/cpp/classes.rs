//! Makes a struct, in which all is public, of a class.
//!
//! ## What it tries
//! For each class or struct with `public:`, `protected:` or `private:` in it: without them, and as a `struct`. Then, for
//! each class with a base: the base in the place of the class everywhere, its definition gone.
//!
//! ## When it helps
//! What may be accessed rarely has to do with a failure, and forbids other changes. A class between two others
//! often only passes on.
//!
//! ## Before
//! ```cpp
//! class A { int a; public: int f(); private: int g(); };
//! ```
//! ## After
//! ```cpp
//! struct A { int a; int f(); int g(); };
//! ```

use crate::pass::Pass;
use crate::rewrite::c::code::{Code, merged, propose_in_turn};
use reduct_input::{Edit, Splice};

pub(crate) const PASS: Pass =
    Pass::rewriting("cpp-classes", "C++: makes a struct of a class, or its base", 0.5, |subject| {
        propose_in_turn(subject, edits)
    });

fn edits(code: &Code) -> Vec<Vec<Edit>> {
    let mut classes: Vec<usize> = code.all("class_specifier").chain(code.all("struct_specifier")).collect();
    classes.sort_unstable();
    let public = classes.iter().filter_map(|at| public(code, *at));
    let bases = classes.iter().filter_map(|at| replaced_by_base(code, *at));
    vec![public.collect(), bases.collect()]
}

fn public(code: &Code, class: usize) -> Option<Edit> {
    let body = code.tree.child(class, "body")?;
    let labels = code.parts(body).filter(|at| code.is(*at, "access_specifier"));
    let label = |at: usize| {
        let end = code.next_sign(at, ":").map_or(code.tree.node(at).end, |colon| code.tree.node(colon).end);
        code.cut(code.tree.node(at).start..end)
    };
    let mut splices: Vec<Splice> = labels.map(label).collect();
    splices.extend(code.child_of_kind(class, "class").map(|word| code.put(word, b"struct")));
    merged(splices)
}

fn replaced_by_base(code: &Code, class: usize) -> Option<Edit> {
    let bases = code.child_of_kind(class, "base_class_clause")?;
    let base = code.parts(bases).find(|at| !code.is(*at, "access_specifier"))?;
    let name = code.tree.child(class, "name").filter(|name| code.is(*name, "type_identifier"))?;
    code.tree.child(class, "body")?;
    // The parameters of a template would be left without it.
    if code.in_a(class, "template_declaration").is_some() {
        return None;
    }
    let uses = code.named(code.text(name)).iter();
    let splices = uses.map(|at| code.put(*at, code.text(base))).chain([code.cut_statement(class)]);
    merged(splices.collect())
}
