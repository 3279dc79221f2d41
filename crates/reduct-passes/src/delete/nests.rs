//! Deep nests, a chain of nodes within each other at a time: each could be replaced by the next one in it. Only what
//! surrounds the next one goes with such a part, its *shell*, so that any shells of a chain can go together, and how
//! deep something lies costs the logarithm of its depth. It has no name for `--by`: it finds what can go. That nothing
//! more can is proved of what `nodes` and `hoist` try.

mod nested;

use crate::pass::{Needs, Pass, Proposals, Stage};
use crate::rewrite::unwrapping;
use nested::{Nested, blocks, brackets, calls, elements, nodes};
use reduct_input::Subject;
use reduct_input::Tree;
use reduct_input::parts::Edits;
use std::collections::HashSet;
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    stage: Stage::Tree,
    must_parse: true,
    needs: Needs::Text,
    success_prior: 0.9,
    ..Pass::deleting("nests", "shells", "nodes that nest deeply, each replaced by the next one in it", propose)
};

/// So many nodes are a chain wherever they stand. With shorter ones a search of the tree takes few more tests.
const LONG: usize = 16;

/// So many are a chain if half of the text goes with the shells, without the largest one. (One that has most of it is the item of
/// a list that is needed, and the chain goes on in the next item.)
const SHORT: usize = 6;

/// How many chains are tried, the longest first.
const CHAINS: usize = 8;

/// How far below a node the next one is looked for that may stand in its place.
const LOOK_AHEAD: usize = 8;

fn propose(subject: &Subject) -> Proposals {
    let whole = subject.artifact().bytes().len();
    let of_trees =
        subject.trees().iter().flat_map(|tree| chains(whole, &nodes(tree), |at, inner| fits(tree, at, inner)));
    let unknown: HashSet<Range<u32>> = subject.of_unknown_languages().into_iter().collect();
    let of_texts = subject.unparsed().into_iter().flat_map(|region| {
        let contents = subject.text(region.clone());
        let brackets = brackets(contents, region.start);
        let first = |at: usize| contents[(brackets[at].at.start - region.start) as usize];
        // Of calls that nest, one stands for another with its name; what only lacks the names between two heads is tried after that. What does not follow
        // its grammar may become readable first.
        let calls = if unknown.contains(&region) { calls(contents, region.start) } else { vec![] };
        let of_calls = chains(whole, &calls, |_, _| true);
        let of_brackets = chains(whole, &brackets, |at, inner| first(at) == first(inner));
        let of_elements = chains(whole, &elements(contents, region.start), |_, _| true);
        let of_blocks = chains(whole, &blocks(contents, region.start), |_, _| true);
        [of_calls, of_brackets, of_elements, of_blocks].concat()
    });
    let mut chains: Vec<Vec<Range<u32>>> = of_trees.chain(of_texts).collect();
    chains.sort_by_key(|chain| std::cmp::Reverse(chain.len()));
    let shells = |chain: &Vec<Range<u32>>| -> Edits {
        Edits(chain.windows(2).filter_map(|pair| unwrapping(&pair[0], &pair[1])).collect())
    };
    chains.iter().take(CHAINS).map(shells).filter(|edits| !edits.0.is_empty()).map(Into::into).collect()
}

fn fits(tree: &Tree, at: usize, inner: usize) -> bool {
    // What ends in a sign that the inner one lacks leaves more than that.
    let is_whole = || tree.replaced_by(at, inner) == tree.range(at);
    tree.fits(at, tree.node(inner).kind) && tree.range(at) != tree.range(inner) && is_whole()
}

/// Returns the deep chains of what is nested so in a text of a length: each begins where the deepest way down leaves an earlier one.
fn chains(whole: usize, nested: &[Nested], fits: impl Fn(usize, usize) -> bool) -> Vec<Vec<Range<u32>>> {
    // By place: how deep it is from there on, and which one in it is the deepest.
    let (mut depth, mut deepest) = (vec![1_u32; nested.len()], vec![None; nested.len()]);
    for (place, one) in nested.iter().enumerate().rev() {
        let Some(outer) = one.outer else { continue };
        if depth[outer] <= depth[place] {
            depth[outer] = depth[place] + 1;
            deepest[outer] = Some(place);
        }
    }
    let begins = |place: &usize| nested[*place].outer.is_none_or(|outer| deepest[outer] != Some(*place));
    let mut starts: Vec<usize> =
        (0..nested.len()).filter(|place| depth[*place] as usize >= SHORT).filter(begins).collect();
    starts.sort_by_key(|place| std::cmp::Reverse(depth[*place]));
    let way = |start: usize| std::iter::successors(Some(start), |place| deepest[*place]).collect::<Vec<usize>>();
    let chain = |start: usize| longest(&way(start), |at, inner| fits(nested[at].own, nested[inner].own));
    let is_deep = |chain: &Vec<usize>| {
        let shells = chain.windows(2).map(|pair| nested[pair[0]].at.len() - nested[pair[1]].at.len());
        let gain = shells.clone().sum::<usize>() - shells.max().unwrap_or(0);
        chain.len() >= LONG || chain.len() >= SHORT && gain * 2 >= whole
    };
    let long = starts.into_iter().take(CHAINS).map(chain).filter(is_deep);
    long.map(|chain| chain.into_iter().map(|place| nested[place].at.clone()).collect()).collect()
}

/// Returns the longest chain on a way down of which each may stand where the one before it stands.
fn longest(way: &[usize], fits: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    // By position, from the end: the next one, and how long the chain is from there on.
    let mut best: Vec<(usize, Option<usize>)> = vec![(1, None); way.len()];
    for at in (0..way.len()).rev() {
        for next in at + 1..way.len().min(at + 1 + LOOK_AHEAD) {
            if best[next].0 + 1 > best[at].0 && fits(way[at], way[next]) {
                best[at] = (best[next].0 + 1, Some(next));
            }
        }
    }
    let start = (0..way.len()).rev().max_by_key(|at| best[*at].0);
    std::iter::successors(start, |at| best[*at].1).map(|at| way[at]).collect()
}
