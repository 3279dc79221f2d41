//! Removes a namespace around what is in it, with its name wherever it qualifies another.
//!
//! ## What it tries
//! For each namespace: without `namespace N {`, its `}` and every `N::` and `using namespace N;`. Then, for each
//! name that qualifies others several times: without it there.
//!
//! ## When it helps
//! Always where names do not clash: what is in the namespace can be reduced as what is not.
//!
//! ## Before
//! ```cpp
//! namespace n {
//! struct A {};
//! void f();
//! }
//! using namespace n;
//! n::A a;
//! void g() { n::f(); }
//! ```
//! ## After
//! ```cpp
//! struct A {};
//! void f();
//! A a;
//! void g() { f(); }
//! ```

use crate::pass::Pass;
use crate::rewrite::c::code::{Code, merged, propose_in_turn};
use reduct_input::{Edit, Splice};
use std::collections::BTreeMap;

pub(crate) const PASS: Pass =
    Pass::rewriting("cpp-namespaces", "C++: removes a namespace and all its qualifiers", 0.6, |subject| {
        propose_in_turn(subject, edits)
    });

fn edits(code: &Code) -> Vec<Vec<Edit>> {
    let mut defined: BTreeMap<&[u8], Vec<usize>> = BTreeMap::new();
    for at in code.all("namespace_definition") {
        let name = code.tree.child(at, "name").map_or(b"".as_slice(), |name| code.text(name));
        defined.entry(name).or_default().push(at);
    }
    let mut qualifiers: BTreeMap<&[u8], Vec<Splice>> = BTreeMap::new();
    for at in code.all("qualified_identifier") {
        if let (Some(scope), Some(name)) = (code.tree.child(at, "scope"), code.tree.child(at, "name")) {
            let gone = code.erase(code.tree.node(scope).start..code.tree.node(name).start);
            qualifiers.entry(code.text(scope)).or_default().push(gone);
        }
    }
    let unwrapped = defined.iter().filter_map(|(name, all)| without(code, name, all, qualifiers.get(name)));
    let unwrapped = unwrapped.collect();
    // One alone is left to what puts a node in the place of the one around it.
    let unqualified = qualifiers.into_iter().filter(|(name, all)| all.len() > 1 && !defined.contains_key(name));
    vec![unwrapped, unqualified.filter_map(|(_, all)| merged(all)).collect()]
}

fn without(code: &Code, name: &[u8], definitions: &[usize], qualifiers: Option<&Vec<Splice>>) -> Option<Edit> {
    let mut splices = qualifiers.cloned().unwrap_or_default();
    for at in definitions {
        let body = code.tree.child(*at, "body")?;
        let inside = code.tree.node(body);
        splices.push(code.cut(code.tree.node(*at).start..inside.start + 1));
        splices.push(code.cut(inside.end.max(inside.start + 2) - 1..inside.end));
    }
    let names = code.named(name).iter().filter_map(|at| code.in_a(*at, "using_declaration"));
    let whole = names.filter(|using| code.child_of_kind(*using, "namespace").is_some());
    splices.extend(whole.map(|using| code.cut_node(using)));
    merged(splices)
}
