//! What of a result matters: which of its parts may be anything, which may vary a little, which must be exactly so.
//!
//! A result that nothing can go from still says more than the failure needs: names, numbers, white space. Each part
//! is replaced by others of its sort, first all parts of a sort at once, then by halves, as most of them may be
//! anything or none. The search asks; what its outcomes mean is read off by [`Explanation::findings`]. Nothing that
//! is unresolved is taken for an answer.

mod result_parts;
mod signs;
mod variants;

use reduct_core::{Outcome, Search};
use reduct_input::Artifact;
use reduct_input::Candidate;
use reduct_input::Grammars;
use reduct_input::Subject;
use reduct_input::together;
use reduct_input::{Edit, Splice};
pub use result_parts::{ResultPart, ResultPartSort};
use std::ops::Range;
use std::sync::Arc;

/// The search, paused before one test.
#[derive(Clone, Debug)]
pub struct Explanation {
    whole: Candidate,
    result_parts: Arc<[ResultPart]>,
    /// By part, what it is replaced by; the last one is nothing.
    variants: Arc<[Vec<Vec<u8>>]>,
    /// By part and variant, what came of it.
    outcomes: Arc<Vec<Vec<Option<Outcome>>>>,
    /// What is to be tried, the next one last.
    todo: Vec<Trial>,
    next: Option<Candidate>,
}

/// Some parts, given by their numbers, that are replaced at once, each by its variant of this number.
#[derive(Clone, Debug)]
struct Trial {
    result_parts: Arc<[usize]>,
    range: Range<usize>,
    variant: usize,
}

/// How free a part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Constraint {
    /// It may be anything of its sort: with all that was tried, the failure occurs.
    Anything,
    /// With some of what was tried, the failure occurs; with some it does not, or it cannot be told.
    Partly,
    /// With nothing else that was tried, the failure occurs, and with some of it the test passes.
    Exactly,
    /// Not all there is to try was tried, or nothing that was tried passes or fails.
    Unknown,
}

/// What is known of one part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplainedPart<'a> {
    /// The part.
    pub result_part: &'a ResultPart,
    /// How free it is.
    pub constraint: Constraint,
    /// What it was replaced by, and what came of it; nothing stands for leaving it out.
    pub tried: Vec<(&'a [u8], Option<Outcome>)>,
}

impl Explanation {
    /// Explains `result`, which fails.
    pub fn new(result: Artifact, grammars: Option<Arc<dyn Grammars>>) -> Explanation {
        let subject = Subject::new(Arc::new(result), grammars);
        let whole = Candidate::whole(subject.artifact().clone());
        let result_parts: Arc<[ResultPart]> = result_parts::of(&subject).into();
        let variants: Vec<Vec<Vec<u8>>> = variants::of(subject.artifact().bytes(), &result_parts);
        let outcomes = variants.iter().map(|variants| vec![None; variants.len()]).collect();
        let todo = plan(&result_parts, &variants);
        let (variants, outcomes) = (variants.into(), Arc::new(outcomes));
        let mut explanation = Explanation { whole, result_parts, variants, outcomes, todo, next: None };
        explanation.advance();
        explanation
    }

    /// Returns what is known of each part, in the order of the text.
    pub fn findings(&self) -> Vec<ExplainedPart<'_>> {
        let all = self.result_parts.iter().zip(self.variants.iter().zip(self.outcomes.iter()));
        all.map(|(result_part, (variants, outcomes))| {
            let tried = variants.iter().map(Vec::as_slice).zip(outcomes.iter().copied()).collect();
            ExplainedPart { result_part, constraint: constraint(outcomes), tried }
        })
        .collect()
    }

    /// Returns what passes, and differs least from the result, in one part: that part, and what stands there instead.
    pub fn neighbour(&self) -> Option<(&ResultPart, &[u8], Candidate)> {
        let (result_part, variant) = (0..self.result_parts.len())
            .flat_map(|result_part| self.passing(result_part))
            .min_by_key(|at| self.change(at))?;
        self.changed(result_part, variant)
    }

    /// Returns, for each part that must be exactly so, in the order of the text: what passes with the least change of it.
    pub fn neighbours(&self) -> Vec<(&ResultPart, &[u8], Candidate)> {
        let exactly = (0..self.result_parts.len()).filter(|at| constraint(&self.outcomes[*at]) == Constraint::Exactly);
        let least = exactly.filter_map(|result_part| self.passing(result_part).min_by_key(|at| self.change(at)));
        least.filter_map(|(result_part, variant)| self.changed(result_part, variant)).collect()
    }

    /// Returns the variants of a part with which it passes.
    fn passing(&self, result_part: usize) -> impl Iterator<Item = (usize, usize)> {
        let outcomes = self.outcomes[result_part].iter().enumerate();
        outcomes.filter(|(_, outcome)| **outcome == Some(Outcome::Pass)).map(move |(variant, _)| (result_part, variant))
    }

    /// Returns how large a change is: in bytes, then one that only leaves something out, then the first.
    fn change(&self, (result_part, variant): &(usize, usize)) -> (usize, bool, u32) {
        let (result_part, with) = (&self.result_parts[*result_part], &self.variants[*result_part][*variant]);
        let bytes = result_part.text.len().max(with.len()) * result_part.places.len();
        (bytes, !with.is_empty(), result_part.places[0].start)
    }

    fn changed(&self, result_part: usize, variant: usize) -> Option<(&ResultPart, &[u8], Candidate)> {
        let candidate = self.candidate(&[result_part], variant)?;
        Some((&self.result_parts[result_part], &self.variants[result_part][variant], candidate))
    }

    /// Returns the result with these parts replaced.
    fn candidate(&self, result_parts: &[usize], variant: usize) -> Option<Candidate> {
        let edits: Vec<Edit> = result_parts
            .iter()
            .filter_map(|&result_part| {
                let with: Arc<[u8]> = self.variants[result_part].get(variant)?.as_slice().into();
                let splice = |at: &Range<u32>| Splice { at: at.clone(), with: with.clone() };
                Edit::new(self.result_parts[result_part].places.iter().map(splice).collect())
            })
            .collect();
        let splices = together(&edits)?;
        Some(Candidate::spliced(self.whole.base().clone(), splices, result_parts.len()))
    }

    /// Finds the next trial that says something new.
    fn advance(&mut self) {
        self.next = None;
        while let Some(trial) = self.todo.last() {
            let candidate = self.candidate(&trial.result_parts[trial.range.clone()], trial.variant);
            self.next = candidate.filter(|candidate| reduct_core::Question::key(candidate) != self.key());
            if self.next.is_some() {
                return;
            }
            self.todo.pop();
        }
    }

    fn key(&self) -> reduct_core::Key {
        reduct_core::Question::key(&self.whole)
    }
}

/// Returns how free a part is whose replacements came out so; the last one is that it is left out.
fn constraint(outcomes: &[Option<Outcome>]) -> Constraint {
    let (left_out, replaced) = outcomes.split_last().map_or((None, outcomes), |(last, rest)| (*last, rest));
    // What has no other of its sort can only be there or not.
    let all = if replaced.is_empty() { std::slice::from_ref(&left_out) } else { replaced };
    let count = |outcome: Outcome| all.iter().filter(|known| **known == Some(outcome)).count();
    // What fails otherwise, or cannot be told, is not this failure, which is what is asked here.
    let tried = all.iter().flatten().count();
    match count(Outcome::Fail) {
        fail if fail == all.len() => Constraint::Anything,
        1.. => Constraint::Partly,
        // Where nothing passes either, it was never seen that this part makes the difference.
        0 if tried == all.len() && outcomes.contains(&Some(Outcome::Pass)) => Constraint::Exactly,
        _ => Constraint::Unknown,
    }
}

/// Returns all that is to be tried, the first one last: of each sort all at once, variant by variant; then what is left
/// out, one by one, as no part of a result can go.
fn plan(result_parts: &[ResultPart], variants: &[Vec<Vec<u8>>]) -> Vec<Trial> {
    let mut todo = vec![];
    let most = variants.iter().map(|variants| variants.len().saturating_sub(1)).max().unwrap_or(0);
    for variant in 0..most {
        for sort in ResultPartSort::ALL {
            let is_here = |at: &usize| result_parts[*at].sort == sort && variant + 1 < variants[*at].len();
            let group: Arc<[usize]> = (0..result_parts.len()).filter(is_here).collect();
            if !group.is_empty() {
                todo.push(Trial { range: 0..group.len(), result_parts: group, variant });
            }
        }
    }
    for (at, variants) in variants.iter().enumerate().filter(|(_, variants)| !variants.is_empty()) {
        todo.push(Trial { result_parts: [at].into(), range: 0..1, variant: variants.len() - 1 });
    }
    todo.reverse();
    todo
}

impl Search for Explanation {
    type Question = Candidate;

    fn ask(&self) -> Option<Candidate> {
        self.next.clone()
    }

    fn tell(&mut self, outcome: Outcome) {
        if self.next.is_none() {
            return;
        }
        let Some(Trial { result_parts, range, variant }) = self.todo.pop() else { return };
        if outcome == Outcome::Fail || range.len() == 1 {
            let outcomes = Arc::make_mut(&mut self.outcomes);
            result_parts[range].iter().for_each(|&result_part| outcomes[result_part][variant] = Some(outcome));
        } else {
            let middle = range.start + range.len() / 2;
            self.todo.push(Trial { result_parts: result_parts.clone(), range: middle..range.end, variant });
            self.todo.push(Trial { result_parts, range: range.start..middle, variant });
        }
        self.advance();
    }

    fn best(&self) -> Candidate {
        self.whole.clone()
    }
}
