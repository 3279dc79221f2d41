//! Strings of Ruby whose text begins below the line that they stand in.

use reduct_input::{Edit, Splice, Tree};

/// Returns the edits that make an empty string of what stands in the line, and remove the text below it.
pub(super) fn heredocs(tree: &Tree) -> Vec<Edit> {
    if tree.grammar.language != "ruby" {
        return vec![];
    }
    let all = |kind: &'static str| (1..tree.len()).filter(move |at| tree.kind(*at) == kind);
    let (beginnings, bodies): (Vec<usize>, Vec<usize>) =
        (all("heredoc_beginning").collect(), all("heredoc_body").collect());
    // Texts stand in the order of the beginnings, unless one begins within another.
    let is_nested = bodies.iter().any(|body| {
        let next = beginnings.partition_point(|at| tree.node(*at).start < tree.node(*body).start);
        beginnings.get(next).is_some_and(|at| tree.node(*at).start < tree.node(*body).end)
    });
    if beginnings.len() != bodies.len() || is_nested {
        return vec![];
    }
    let empty = |(beginning, body): (usize, usize)| {
        let text = Splice { at: tree.range(body), with: [].into() };
        Edit::new(vec![Splice { at: tree.range(beginning), with: b"''".as_slice().into() }, text])
    };
    beginnings.into_iter().zip(bodies).filter_map(empty).collect()
}
