//! Makes an array of the values of an object.
//!
//! ## What it tries
//! In JSON, for each object with members: an array of their values, the keys gone. It is tried when other passes find
//! nothing more, and only where few objects are left.
//!
//! ## When it helps
//! Where only what a text nests matters, or its values, as in a test of a reader.
//!
//! ## Before
//! ```json
//! {"a": {"b": 1, "c": [2]}}
//! ```
//! ## After
//! ```json
//! {"a": [1, [2]]}
//! ```

use crate::pass::{Pass, Proposals};
use crate::rewrite::{largest_first, propose_in_order};
use reduct_input::{Edit, Splice, Subject, Tree};

pub(crate) const PASS: Pass = Pass::rewriting("arrays", "makes an array of the values of an object", 0.2, propose);

/// Where more objects are left, they are records, whose keys matter.
const MOST: usize = 64;

fn propose(subject: &Subject) -> Proposals {
    let trees = || subject.trees().iter().filter(|tree| tree.grammar.language == "json");
    let objects = |tree: &'_ Tree| (1..tree.len()).filter(|at| tree.kind(*at) == "object").collect::<Vec<_>>();
    let all: Vec<(&Tree, usize)> =
        trees().flat_map(|tree| objects(tree).into_iter().map(move |at| (tree, at))).take(MOST + 1).collect();
    if all.len() > MOST {
        return vec![];
    }
    let edits = all.into_iter().filter_map(|(tree, at)| array(tree, at)).collect();
    propose_in_order(subject, largest_first(edits))
}

fn array(tree: &Tree, object: usize) -> Option<Edit> {
    let at = tree.range(object);
    let pairs: Vec<usize> = tree.children(object).filter(|child| tree.kind(*child) == "pair").collect();
    let mut splices = vec![
        Splice { at: at.start..at.start + 1, with: b"[".as_slice().into() },
        Splice { at: at.end - 1..at.end, with: b"]".as_slice().into() },
    ];
    for pair in &pairs {
        let value = tree.child(*pair, "value")?;
        splices.push(Splice { at: tree.node(*pair).start..tree.node(value).start, with: b"".as_slice().into() });
    }
    (!pairs.is_empty()).then(|| Edit::new(splices))?
}
