//! Issues tests out of order, retires their outcomes in order.
//!
//! A search is a decision tree: each node asks one question, each edge is an outcome. The committed
//! search stands at the root. Beyond it lie futures: a clone of the search that was told what is
//! only expected. Workers run what is most likely to be asked; the root moves only along outcomes
//! that are known. So the sequence of questions and answers is the sequential one for any number of
//! workers, any durations and any order of arrival. (DustMite's look-ahead and halfempty's
//! pessimistic tree are the ancestors; a processor's reorder buffer is the model.)

mod future;
mod lookahead;

use crate::memo::Memo;
use crate::outcome::Outcome::{self, Fail, Pass};
use crate::question::Key;
use crate::search::Search;
use future::Future;
pub use lookahead::{Foreseen, Lookahead};
use std::collections::{BinaryHeap, HashSet};

/// The committed position in a search, what is known, and what is worth running now.
///
/// ```
/// use reduct_core::{Config, Delta, Memo, Outcome, Repeats, Search, Speculator, Sweep};
///
/// let fails = |config: &Config| Outcome::from(config.contains(Delta(2)));
/// let mut speculator = Speculator::new(Sweep::new(Config::full(4)), Memo::new(), Repeats::Remembered);
/// while !speculator.is_done() {
///     // Three at a time, in whatever order their outcomes come.
///     for wanted in speculator.wanted(3).into_iter().rev() {
///         speculator.learn(wanted.key, fails(&wanted.question));
///     }
///     while speculator.retire().is_some() {}
/// }
/// assert_eq!(speculator.search().best(), Config::from_deltas([Delta(2)]));
/// ```
pub struct Speculator<S: Search> {
    first: S,
    nodes: Vec<Node<S>>,
    root: usize,
    /// Of which shares the committed search asks, as it was when it came to them, until their beginnings are made.
    sharing: Option<usize>,
    shared: Option<S>,
    shares: Vec<usize>,
    memo: Memo,
    repeats: Repeats,
    retired: u64,
    /// What is being worked out elsewhere: its number, from which node and by which outcome it follows. And how many there were.
    under_way: Vec<(u64, usize, Outcome)>,
    begun: u64,
    /// At how many nodes what can no longer happen is dropped.
    crowded: usize,
    /// How often the answer was `Fail` lately.
    failing: f32,
}

/// What is done about a question that was asked before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeats {
    /// Its outcome is known (the book's cache).
    Remembered,
    /// It is run again: the outcome of each *asking* is known, not that of each question.
    RunAgain,
}

/// A position in the search, and the futures seen from it.
struct Node<S: Search> {
    search: S,
    asked: Option<(S::Question, Key)>,
    /// How many questions come before this one.
    depth: u64,
    if_fail: Option<usize>,
    if_other: Option<(Outcome, usize)>,
}

/// A question worth running.
#[derive(Clone, Debug)]
pub struct Wanted<Q> {
    /// What to test.
    pub question: Q,
    /// The key to hand its outcome back under.
    pub key: Key,
}

/// A question whose outcome the search has taken.
#[derive(Clone, Debug)]
pub struct Retired<Q> {
    /// Its number in the sequence, from 1.
    pub n: u64,
    /// What was tested.
    pub question: Q,
    /// Under which key the outcome is known.
    pub key: Key,
    /// What the test said.
    pub outcome: Outcome,
    /// Whether the search had asked it before.
    pub repeated: bool,
    /// Whether another run has learned the outcome.
    pub borrowed: bool,
}

/// Of how many outcomes the running average is made.
const RECENT: f32 = 30.0;

/// How many futures are looked at: some for what is known already and has to be walked through, some
/// for each question wanted, and for so many in each share. Past that they are too unlikely to be asked to be worth the search.
const LOOK_AHEAD: (usize, usize, usize) = (256, 4, 4);

/// How likely nothing happens that breaks off shares.
const UNDISTURBED: f32 = 0.97;

/// What is asked with a smaller probability than this, divided by the number of workers, is not run ahead: where both outcomes are
/// equally likely, all workers still have something to run.
const WORTH: f32 = 0.99;

/// How many nodes are kept whatever they are worth.
const CROWDED: usize = 1024;

impl<S: Search> Speculator<S> {
    /// Begins at the start of `search` with what is known from earlier.
    pub fn new(search: S, memo: Memo, repeats: Repeats) -> Speculator<S> {
        let mut speculator = Speculator {
            first: search.clone(),
            nodes: vec![],
            root: 0,
            sharing: None,
            shared: None,
            shares: vec![],
            memo,
            repeats,
            retired: 0,
            under_way: vec![],
            begun: 0,
            crowded: CROWDED,
            failing: 0.1,
        };
        speculator.restart(search);
        speculator
    }

    /// Returns the committed search: told everything retired, and nothing else.
    pub fn search(&self) -> &S {
        &self.nodes[self.root].search
    }

    /// Returns what is known, for another run of the same search.
    pub fn into_memo(self) -> Memo {
        self.memo
    }

    /// Returns how many questions were retired.
    pub fn retired(&self) -> u64 {
        self.retired
    }

    /// Returns whether the search is over.
    pub fn is_done(&self) -> bool {
        self.nodes[self.root].asked.is_none()
    }

    /// Takes an outcome, in any order.
    pub fn learn(&mut self, key: Key, outcome: Outcome) {
        self.memo.insert(key, outcome);
    }

    /// Returns the next question whose turn has come and whose outcome is known. To be called until it says `None`
    /// after each [`Speculator::learn`] and [`Speculator::take`], and at the start if something is known from earlier. It says `None` as long as what comes
    /// after that question is being worked out elsewhere, too.
    pub fn retire(&mut self) -> Option<Retired<S::Question>> {
        let (question, key) = self.nodes[self.root].asked.clone()?;
        let outcome = self.memo.get(key)?;
        if self.is_under_way(self.root, outcome) {
            return None;
        }
        let repeated = self.memo.ask_again(key);
        let borrowed = self.memo.is_borrowed(key);
        self.root = self.child(self.root, outcome);
        self.retired += 1;
        self.failing += (f32::from(u8::from(outcome == Fail)) - self.failing) / RECENT;
        self.note_shares();
        self.forget_the_past();
        Some(Retired { n: self.retired, question, key, outcome, repeated, borrowed })
    }

    /// Returns up to `limit` questions worth running now, the likeliest to be asked first. The first one, if
    /// any, is what the committed search waits for. With two, the other one is not likelier to be run in vain than not.
    pub fn wanted(&mut self, limit: usize) -> Vec<Wanted<S::Question>> {
        self.explore(limit, None).0
    }

    /// Returns of these questions those that are known without having any search work out what it asks next, and up to `most` searches that would have
    /// to, the likeliest first. What comes of each is to be handed back to [`Speculator::take`], or it is to be [forgotten](Speculator::forget).
    pub fn wanted_so_far(&mut self, limit: usize, most: usize) -> (Vec<Wanted<S::Question>>, Vec<Lookahead<S>>) {
        self.explore(limit, Some(most))
    }

    /// Takes what was worked out elsewhere. What can no longer happen is dropped.
    pub fn take(&mut self, foreseen: Foreseen<S>) {
        let Foreseen { number, search, asked } = foreseen;
        let Some(at) = self.under_way.iter().position(|(other, ..)| *other == number) else { return };
        let (_, node, outcome) = self.under_way.swap_remove(at);
        if self.made(node, outcome).is_none() {
            let child = self.add_asking(search, asked, self.nodes[node].depth + 1);
            self.note_child(node, outcome, child);
        }
    }

    /// Takes it that this one is not worked out elsewhere after all.
    pub fn forget(&mut self, number: u64) {
        self.under_way.retain(|(other, ..)| *other != number);
    }

    /// Goes through the futures, the likeliest first. With `most`, searches that are to be told an outcome are returned, at most so many; otherwise they
    /// are told it here.
    fn explore(&mut self, limit: usize, most: Option<usize>) -> (Vec<Wanted<S::Question>>, Vec<Lookahead<S>>) {
        let (mut wanted, mut ahead, mut named) = (Vec::with_capacity(limit), vec![], HashSet::new());
        let mut futures = BinaryHeap::from([Future { odds: 1.0, order: 0, node: self.root, told: None }]);
        if limit > 1 {
            self.begin_shares();
        }
        let shares = self.shares.iter().map(|&node| Future { odds: UNDISTURBED, order: 0, node, told: None });
        futures.extend(shares);
        let mut after_those = None;
        let (mut order, enough) = (0, LOOK_AHEAD.0 + LOOK_AHEAD.1 * (limit + LOOK_AHEAD.2 * self.shares.len()));
        while wanted.len() < limit && order < enough {
            let Some(future) = futures.pop().or_else(|| after_those.take()) else { break };
            let odds = future.odds;
            if !wanted.is_empty() && odds * (limit as f32) < WORTH * UNDISTURBED {
                // Nor is any of the others, which are less likely; but for what comes after shares.
                futures.clear();
                match after_those.take() {
                    Some(next) => futures.push(next),
                    None => break,
                }
                continue;
            }
            let Some(node) = self.reached(&future, most, &mut ahead) else { continue };
            let Some((question, key)) = self.nodes[node].asked.clone() else { continue };
            let mut expect = |outcome, odds| {
                order += 1;
                futures.push(Future { odds, order, node, told: Some(outcome) });
            };
            if let Some(outcome) = self.memo.get(key) {
                expect(outcome, odds);
                continue;
            }
            if named.insert(key) {
                wanted.push(Wanted { question, key });
                if node == self.root && !self.shares.is_empty() {
                    // What comes next on its way is in the shares.
                    after_those = Some(Future { odds, order, node, told: None });
                    continue;
                }
            }
            if wanted.len() < limit {
                let failing = self.nodes[node].search.odds().unwrap_or(self.failing).clamp(0.01, 0.99);
                expect(Pass, odds * (1.0 - failing));
                expect(Fail, odds * failing);
            }
        }
        (wanted, ahead)
    }

    /// Returns the node of a future. `None` if it is being worked out elsewhere, or is to be.
    fn reached(&mut self, future: &Future, most: Option<usize>, ahead: &mut Vec<Lookahead<S>>) -> Option<usize> {
        let node = future.node;
        let Some(outcome) = future.told else { return Some(node) };
        let made = self.made(node, outcome);
        if made.is_some() || self.is_under_way(node, outcome) {
            return made;
        }
        let Some(most) = most else { return Some(self.child(node, outcome)) };
        if ahead.len() < most {
            self.begun += 1;
            self.under_way.push((self.begun, node, outcome));
            ahead.push(Lookahead { number: self.begun, search: self.nodes[node].search.clone(), outcome });
        }
        None
    }

    fn is_under_way(&self, node: usize, outcome: Outcome) -> bool {
        self.under_way.iter().any(|(_, from, by)| (*from, *by) == (node, outcome))
    }

    /// Has the committed search give up its phase.
    pub fn skip(&mut self) {
        let mut search = self.search().clone();
        search.skip();
        self.restart(search);
    }

    /// Has the committed search give up all phases of the kind of its phase.
    pub fn disable(&mut self) {
        let mut search = self.search().clone();
        search.disable();
        self.restart(search);
    }

    /// Takes back an outcome: the search begins again, with all others known. Of no use where repeats are run
    /// again, since their keys are places in a sequence that is another one then.
    pub fn take_back(&mut self, key: Key) {
        self.memo.forget(key);
        (self.retired, self.failing) = (0, 0.1);
        self.restart(self.first.clone());
    }

    fn restart(&mut self, search: S) {
        self.nodes.clear();
        self.under_way.clear();
        self.root = self.add(search, self.retired);
        (self.sharing, self.shared, self.shares) = (None, None, vec![]);
        self.note_shares();
    }

    /// Notes whether the committed search has come to other shares. Where repeats are run again, the key of a question is its place in
    /// the sequence, which a share does not know.
    fn note_shares(&mut self) {
        let search = &self.nodes[self.root].search;
        let sharing = search.sharing().filter(|_| self.repeats == Repeats::Remembered);
        if sharing != self.sharing {
            (self.shared, self.shares) = (sharing.map(|_| search.clone()), vec![]);
            self.sharing = sharing;
        }
    }

    /// Makes the beginnings of the shares, if this was not done.
    fn begin_shares(&mut self) {
        let Some(shared) = self.shared.take() else { return };
        self.shares = shared.shares().into_iter().map(|search| self.add(search, self.retired)).collect();
    }

    /// Returns the node that `outcome` leads to from `node`, if it is there.
    fn made(&self, node: usize, outcome: Outcome) -> Option<usize> {
        match (outcome, &self.nodes[node]) {
            (Fail, Node { if_fail, .. }) => *if_fail,
            (_, Node { if_other: Some((expected, child)), .. }) if *expected == outcome => Some(*child),
            _ => None,
        }
    }

    /// Returns the node that `outcome` leads to from `node`.
    fn child(&mut self, node: usize, outcome: Outcome) -> usize {
        self.made(node, outcome).unwrap_or_else(|| {
            let (mut search, depth) = (self.nodes[node].search.clone(), self.nodes[node].depth);
            search.tell(outcome);
            let child = self.add(search, depth + 1);
            self.note_child(node, outcome, child);
            child
        })
    }

    fn note_child(&mut self, node: usize, outcome: Outcome, child: usize) {
        match outcome {
            Fail => self.nodes[node].if_fail = Some(child),
            other => self.nodes[node].if_other = Some((other, child)),
        }
    }

    fn add(&mut self, search: S, depth: u64) -> usize {
        let asked = lookahead::asked(&search);
        self.add_asking(search, asked, depth)
    }

    fn add_asking(&mut self, search: S, asked: Option<(S::Question, Key)>, depth: u64) -> usize {
        let asked = asked.map(|(question, key)| match self.repeats {
            Repeats::Remembered => (question, key),
            Repeats::RunAgain => (question, lookahead::nth_asking(key, depth)),
        });
        self.nodes.push(Node { search, asked, depth, if_fail: None, if_other: None });
        self.nodes.len() - 1
    }

    /// Drops what can no longer happen, whenever there is twice as much as was kept the last time.
    fn forget_the_past(&mut self) {
        if self.nodes.len() < self.crowded {
            return;
        }
        let mut old: Vec<Option<Node<S>>> = std::mem::take(&mut self.nodes).into_iter().map(Some).collect();
        let mut todo = vec![std::mem::replace(&mut self.root, 0)];
        for node in &mut self.shares {
            todo.push(std::mem::replace(node, todo.len()));
        }
        // Breadth first: a node's children get the numbers after those already waiting.
        let mut next = 0;
        while let Some(&from) = todo.get(next) {
            next += 1;
            let Some(mut node) = old[from].take() else { continue };
            let children = [node.if_fail.as_mut(), node.if_other.as_mut().map(|(_, child)| child)];
            for child in children.into_iter().flatten() {
                todo.push(std::mem::replace(child, todo.len()));
            }
            self.nodes.push(node);
        }
        self.under_way
            .retain_mut(|(_, node, _)| todo.iter().position(|old| old == node).map(|now| *node = now).is_some());
        self.crowded = CROWDED.max(2 * self.nodes.len());
    }
}
