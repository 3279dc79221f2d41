//! SMT-LIB: replaces a term by a constant of its sort.
//!
//! ## What it tries
//! For each term, the shortest constant of its sort: `true`, `0`, `#b0`; then another one: `false`, or what is declared first of
//! that sort. First the outermost terms, then what is in them. Where the sort is not known, `true` and `0` are tried.
//!
//! ## When it helps
//! Where something must stand but does not matter. A constant of another sort would be refused by any solver.
//!
//! ## Before
//! ```smt
//! (declare-const x (_ BitVec 4))
//! (declare-fun f ((_ BitVec 4)) Int)
//! (assert (= (f (bvadd x (bvneg x))) (+ 1 (f x))))
//! ```
//! ## After
//! ```smt
//! (declare-const x (_ BitVec 4))
//! (declare-fun f ((_ BitVec 4)) Int)
//! (assert (= (f #x0) (+ 1 0)))
//! ```

use super::script::{Script, scripts};
use super::sort::{TermSort, is_same, sorts};
use crate::pass::{Pass, Proposals};
use crate::rewrite::propose_shrinking;
use reduct_input::{Edit, Role, Subject};

pub(crate) const PASS: Pass =
    Pass::rewriting("smt-terms", "SMT-LIB: replaces a term by a constant of its sort", 0.3, propose);

/// How many texts are tried for a term.
const TEXTS: usize = 2;

fn propose(subject: &Subject) -> Proposals {
    let of_each: Vec<Vec<(usize, Edit)>> = scripts(subject).map(|script| edits(&script)).collect();
    let ranked = (0..TEXTS).flat_map(|rank| {
        of_each.iter().flatten().filter(move |(other, _)| *other == rank).map(|(_, edit)| edit.clone())
    });
    propose_shrinking(subject, ranked)
}

/// Returns edits with their ranks.
fn edits(script: &Script) -> Vec<(usize, Edit)> {
    let sorts = sorts(script);
    let declared = declared(script, &sorts);
    let mut found = vec![];
    for at in (1..script.tree.len()).filter(|at| is_wanted(script, *at)) {
        let texts = texts(script, &declared, sorts[at], script.tree.kind(at) == "term");
        let now = script.text(at);
        if texts.iter().any(|text| text == now) {
            continue;
        }
        // A symbol of one letter becomes a number of one digit.
        let is_shorter = |text: &Vec<u8>| text.len() < now.len() + usize::from(script.tree.kind(at) == "symbol");
        let edit = |(rank, text): (usize, Vec<u8>)| Some((rank, Edit::replace(script.tree.range(at), &text)?));
        found.extend(texts.into_iter().enumerate().filter(|(_, text)| is_shorter(text)).filter_map(edit));
    }
    found
}

/// Returns whether a term stands there that another one may stand for.
fn is_wanted(script: &Script, at: usize) -> bool {
    let tree = script.tree;
    let is_term = match tree.kind(at) {
        "term" => script.head(at) != Some(b"_"),
        "symbol" => true,
        _ => false,
    };
    let Some(parent) = tree.parent(at).filter(|_| is_term && tree.field(at).is_empty()) else { return false };
    let is_plain = match tree.kind(parent) {
        "binding" => true,
        "terms" => false,
        "declaration" => script.head(parent).is_some_and(|head| head.starts_with(b"define-")),
        "command" => script.head(parent) == Some(b"assert"),
        _ => !matches!(script.head(parent), Some(b"_" | b"as")),
    };
    tree.node(at).role != Role::Error && is_plain
}

/// A constant that is declared, with its sort.
struct Declared<'a> {
    name: &'a [u8],
    sort: TermSort,
}

/// Returns the first constant of each sort that is declared.
fn declared<'a>(script: &Script<'a>, sorts: &[Option<TermSort>]) -> Vec<Declared<'a>> {
    let mut found: Vec<Declared<'a>> = vec![];
    for at in script.tree.children(0).filter(|at| script.tree.kind(*at) == "declaration") {
        let is_constant = match script.head(at) {
            Some(b"declare-const") => true,
            Some(b"declare-fun") => script.listed(at, "sorts").is_some_and(|sorts| sorts.is_empty()),
            _ => false,
        };
        let named = script.tree.child(at, "name").filter(|_| is_constant);
        let sort = script.tree.child(at, "type").and_then(|sort| sorts[sort]);
        let Some((name, sort)) = named.zip(sort) else { continue };
        if !found.iter().any(|known| is_same(script, known.sort, sort)) {
            found.push(Declared { name: script.text(name), sort });
        }
    }
    found
}

/// Returns what may stand for a term of a sort, likeliest first.
fn texts(script: &Script, declared: &[Declared], sort: Option<TermSort>, is_list: bool) -> Vec<Vec<u8>> {
    let Some(sort) = sort else {
        let unknown = [&b"true"[..], b"0"].map(<[u8]>::to_vec);
        return if is_list { unknown.into() } else { vec![] };
    };
    let mut texts = sort.constants();
    let named = declared.iter().find(|known| is_same(script, known.sort, sort));
    texts.extend(named.map(|known| known.name.to_vec()));
    texts.truncate(TEXTS);
    texts
}
