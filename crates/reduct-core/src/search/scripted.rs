//! A search that is written as a plain function, which asks and goes on with the outcome.
//!
//! For what is easier to say as a loop than as a state: a search made of searches, a bisection of answers that each take a
//! search. The function is called again for each outcome, and told those that are known, in the order in which it asked. So it
//! must do the same whenever it is called, and nothing besides. The cost is that of all its calls: for some thousand questions,
//! not for millions.

use super::Search;
use crate::outcome::Outcome;
use crate::question::Question;
use std::sync::Arc;

/// The outcome of a question is not known yet: the function returns, and is called again when it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unknown;

/// Takes the questions of a function.
#[derive(Debug)]
pub struct Asker<'a, Q> {
    known: &'a [Outcome],
    asked: usize,
    wanted: Option<Q>,
}

impl<'a, Q> Asker<'a, Q> {
    /// Returns one that knows the first outcomes, and no more.
    pub fn knowing(known: &'a [Outcome]) -> Asker<'a, Q> {
        Asker { known, asked: 0, wanted: None }
    }

    /// Returns the outcome of a question, which is made only if it is not known.
    ///
    /// # Errors
    /// If it is not known yet.
    pub fn ask(&mut self, question: impl FnOnce() -> Q) -> Result<Outcome, Unknown> {
        if let Some(outcome) = self.known.get(self.asked) {
            self.asked += 1;
            return Ok(*outcome);
        }
        self.wanted.get_or_insert_with(question);
        Err(Unknown)
    }
}

/// A function that asks, and returns an answer.
type Script<Q, A> = dyn Fn(&mut Asker<'_, Q>) -> Result<A, Unknown> + Send + Sync;

/// A search that is written as a function.
///
/// ```
/// use reduct_core::{Config, Delta, Outcome, Scripted, run};
///
/// // The first of three deltas that fails alone.
/// let search = Scripted::new(Config::full(3), |asker| {
///     for at in 0..3 {
///         if asker.ask(|| Config::from_deltas([Delta(at)]))? == Outcome::Fail {
///             return Ok(Some(at));
///         }
///     }
///     Ok(None)
/// });
/// let fails = |config: &Config| if config.contains(Delta(1)) { Outcome::Fail } else { Outcome::Pass };
/// assert_eq!(run(search, fails).answer(), Some(&Some(1)));
/// ```
pub struct Scripted<Q, A> {
    script: Arc<Script<Q, A>>,
    known: Vec<Outcome>,
    wanted: Option<Q>,
    answer: Option<A>,
    best: Q,
    /// The outcome of what is the best.
    follows: Option<Outcome>,
}

impl<Q: Question, A> Scripted<Q, A> {
    /// Returns the search that this function is. `whole` is the best that is known.
    pub fn new(
        whole: Q,
        script: impl Fn(&mut Asker<'_, Q>) -> Result<A, Unknown> + Send + Sync + 'static,
    ) -> Scripted<Q, A> {
        let script: Arc<Script<Q, A>> = Arc::new(script);
        let mut search = Scripted { script, known: vec![], wanted: None, answer: None, best: whole, follows: None };
        search.go_on();
        search
    }

    /// Returns the same search, of which what had this outcome last is the best.
    pub fn following(self, outcome: Outcome) -> Scripted<Q, A> {
        Scripted { follows: Some(outcome), ..self }
    }

    /// Returns what the function returned, once it has.
    pub fn answer(&self) -> Option<&A> {
        self.answer.as_ref()
    }

    /// Returns the outcomes that it was told.
    pub fn outcomes(&self) -> &[Outcome] {
        &self.known
    }

    fn go_on(&mut self) {
        let mut asker = Asker::knowing(&self.known);
        self.answer = (self.script)(&mut asker).ok();
        self.wanted = asker.wanted.filter(|_| self.answer.is_none());
    }
}

impl<Q: Clone, A: Clone> Clone for Scripted<Q, A> {
    fn clone(&self) -> Scripted<Q, A> {
        Scripted {
            script: self.script.clone(),
            known: self.known.clone(),
            wanted: self.wanted.clone(),
            answer: self.answer.clone(),
            best: self.best.clone(),
            follows: self.follows,
        }
    }
}

impl<Q: Question, A: Clone> Search for Scripted<Q, A> {
    type Question = Q;

    fn ask(&self) -> Option<Q> {
        self.wanted.clone()
    }

    fn tell(&mut self, outcome: Outcome) {
        let Some(asked) = self.wanted.take() else { return };
        if self.follows == Some(outcome) {
            self.best = asked;
        }
        self.known.push(outcome);
        self.go_on();
    }

    fn best(&self) -> Q {
        self.best.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, Delta};
    use crate::memo::Memo;
    use crate::search::ddmin::{Ddmin, Form};
    use crate::search::run;
    use crate::speculate::{Repeats, Speculator};
    use crate::split::Split;

    fn ddmin(whole: Config) -> Scripted<Config, Config> {
        let of = whole.clone();
        Scripted::new(whole, move |asker| {
            let mut search = Ddmin::new(of.clone(), Form::Subsets, Split::Book);
            while let Some(config) = search.ask() {
                search.tell(asker.ask(|| config)?);
            }
            Ok(search.best())
        })
        .following(Outcome::Fail)
    }

    fn fails(config: &Config) -> Outcome {
        if config.contains(Delta(3)) && config.contains(Delta(17)) { Outcome::Fail } else { Outcome::Pass }
    }

    #[test]
    fn a_search_that_is_called_anew_for_each_outcome_asks_and_finds_the_same() {
        let mut asked = vec![];
        let plain = run(Ddmin::new(Config::full(20), Form::Subsets, Split::Book), |config: &Config| {
            asked.push(config.clone());
            fails(config)
        });
        let mut asked_too = vec![];
        let scripted = run(ddmin(Config::full(20)), |config: &Config| {
            asked_too.push(config.clone());
            fails(config)
        });
        assert_eq!((scripted.answer(), scripted.best()), (Some(&plain.best()), plain.best()));
        assert_eq!(asked_too, asked);
    }

    #[test]
    fn it_is_speculated_on_like_any_other() {
        let mut speculator = Speculator::new(ddmin(Config::full(20)), Memo::new(), Repeats::Remembered);
        while !speculator.is_done() {
            // Later ones are told first.
            let wanted: Vec<Config> = speculator.wanted(4).into_iter().map(|wanted| wanted.question).collect();
            for config in wanted.iter().rev() {
                speculator.learn(config.key(), fails(config));
            }
            while speculator.retire().is_some() {}
        }
        assert_eq!(speculator.search().answer(), Some(&Config::from_deltas([Delta(3), Delta(17)])));
    }
}
