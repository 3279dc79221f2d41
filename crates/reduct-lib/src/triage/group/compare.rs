//! Whether two failures are the same, and why.

use super::super::evidence::{CrossTest, Says};
use super::super::tokens::{is_but_for_numbers, shared};
use super::{Comparison, Grouping, looks};
use reduct_oracle::signature::Signature;
use reduct_report::triage::{Experiment, Reason};
use std::collections::{BTreeMap, VecDeque};

/// Of two that look alike, at least this share of tokens is in both: half of them, so that what one has besides is
/// no more than what both have.
const ALIKE: (usize, usize) = (1, 2);

impl Grouping<'_> {
    /// Returns whether these two are the same, looked at alone.
    pub fn compare(&self, one: usize, other: usize) -> Comparison {
        match self.look_different(one, other) {
            Some(looks) if self.differ_in_place(one, other, &looks) => Comparison::Same(Reason::SameButForNumbers),
            Some(looks) if self.share_a_place(one, other, &looks) => Comparison::Same(self.one_place(one)),
            Some((of_a, of_b)) => Comparison::Different(Reason::LookDifferent(Box::new([of_a, of_b]))),
            None => self.compare_alike(one, other).0,
        }
    }

    /// Returns whether these two are the same, which fail alike, and whether that is sure.
    pub(super) fn compare_alike(&self, one: usize, other: usize) -> (Comparison, bool) {
        let (a, b) = (&self.all[one], &self.all[other]);
        if a.text == b.text {
            return (Comparison::Same(Reason::SameLeft), true);
        }
        let places = self.places[one].says(&self.places[other]);
        if places == Says::Same {
            return (Comparison::Same(self.one_place(one)), true);
        }
        let two_places = |tried| Reason::TwoPlaces(Box::new([one, other].map(|at| self.places[at].told())), tried);
        if !(a.reduced && b.reduced) && places == Says::Different {
            return (Comparison::Different(two_places(None)), false);
        }
        if !(a.reduced && b.reduced) {
            return (Comparison::Same(Reason::NotBothReduced), false);
        }
        let tried = self.crossings.iter().filter(|crossing| crossing.is_of(one, other)).max_by_key(|of| of.weight());
        if let Some(crossing) = tried.filter(|crossing| crossing.says == Says::Same) {
            return (Comparison::Same(Reason::Tried(self.told(crossing))), true);
        }
        let (common, all) = shared(&self.tokens[one], &self.tokens[other]);
        let is_denied = tried.is_some_and(|crossing| crossing.says == Says::Different);
        let is_like = places != Says::Different && common * ALIKE.1 >= all * ALIKE.0;
        if is_like && !is_denied {
            return (Comparison::Same(Reason::ManyTokens { common, all }), false);
        }
        let tried = tried.map(|crossing| self.told(crossing)).or_else(|| self.told_of_others(one, other));
        let why = match is_like {
            _ if places == Says::Different => two_places(tried),
            true => Reason::Unmixed { common, all, tried },
            false => Reason::FewTokens { common, all, tried },
        };
        (Comparison::Different(why), is_denied)
    }

    /// Returns what an experiment said.
    pub(super) fn told(&self, crossing: &CrossTest) -> Experiment {
        crossing.of(&self.all[crossing.small].name, &self.all[crossing.large].name)
    }

    /// Returns what an experiment said of two that are surely the same as these two.
    fn told_of_others(&self, one: usize, other: usize) -> Option<Experiment> {
        let with = |at: &usize| self.sure.iter().position(|members| members.contains(at));
        let (one, other) = (with(&one)?, with(&other)?);
        let of = |crossing: &CrossTest| Some((with(&crossing.small)?, with(&crossing.large)?));
        let is_of = |crossing: &&CrossTest| [Some((one, other)), Some((other, one))].contains(&of(crossing));
        let crossing = self.crossings.iter().filter(is_of).max_by_key(|crossing| crossing.weight())?;
        Some(Experiment { of_others: true, ..self.told(crossing) })
    }

    /// Returns what the failures of these two look like, if not the same.
    pub(super) fn look_different(&self, one: usize, other: usize) -> Option<(Signature, Signature)> {
        let (a, b) = (&self.all[one], &self.all[other]);
        if self.signatures[one] == self.signatures[other] {
            return None;
        }
        // A message may name what only the other input is known to say.
        let both = a.says_with(&b.says());
        let [of_a, of_b] = [a, b].map(|one| looks(&one.observed, &both));
        (of_a != of_b).then_some((of_a, of_b))
    }

    /// Returns whether these two, which look so, are of one kind, and the same is left of them but for numbers: then a
    /// number decides where the program notices it.
    pub(super) fn differ_in_place(&self, one: usize, other: usize, (of_a, of_b): &(Signature, Signature)) -> bool {
        let (a, b) = (&self.all[one], &self.all[other]);
        let is_one_kind = of_a.clone().without_frames() == of_b.clone().without_frames();
        is_one_kind && a.reduced && b.reduced && is_but_for_numbers(&a.text, &b.text)
    }

    /// Returns whether these two, which do not look so, are of one kind, and their places say that they are the same.
    /// In which memory the buffer lies that one line overflows, its callers decide.
    pub(super) fn share_a_place(&self, one: usize, other: usize, (of_a, of_b): &(Signature, Signature)) -> bool {
        let kind = |looks: &Signature| looks.clone().without_frames().in_any_memory();
        let is_one_kind = kind(of_a) == kind(of_b);
        is_one_kind && self.places[one].says(&self.places[other]) == Says::Same
    }

    /// Returns the reason that two are of the place of one.
    pub(super) fn one_place(&self, one: usize) -> Reason {
        Reason::OnePlace(self.places[one].told())
    }

    /// Returns whether the failures of these two are of one kind, in two known places of which neither says anything.
    pub fn are_of_one_kind(&self, one: usize, other: usize) -> bool {
        let kind = |at: usize| self.signatures[at].clone().without_frames();
        let is_known = [one, other].iter().all(|at| self.places[*at].is_known());
        is_known && kind(one) == kind(other) && self.places[one].says(&self.places[other]) == Says::Nothing
    }

    /// Returns whether the failures of these two differ in how they end, whatever their inputs say.
    pub(super) fn surely_different(&self, one: usize, other: usize) -> bool {
        self.signatures[one].exit != self.signatures[other].exit
    }

    /// Returns why these two are in one group or not: a chain of those in between, if they are not alike themselves.
    pub fn why(&self, one: usize, other: usize) -> Comparison {
        let direct = self.compare(one, other);
        let name = |at: usize| self.all[at].name.clone();
        if matches!(direct, Comparison::Same(_)) {
            return direct;
        }
        let mut from: BTreeMap<usize, (usize, Option<&Reason>)> = BTreeMap::from([(one, (one, None))]);
        let mut todo = VecDeque::from([one]);
        while let Some(at) = todo.pop_front() {
            for (next, why) in &self.links[at] {
                if !from.contains_key(next) {
                    from.insert(*next, (at, Some(why)));
                    todo.push_back(*next);
                }
            }
        }
        let mut steps = vec![];
        let mut at = other;
        while let Some((before, Some(why))) = from.get(&at) {
            steps.push((name(*before), name(at), (*why).clone()));
            at = *before;
        }
        steps.reverse();
        if steps.is_empty() { direct } else { Comparison::Same(Reason::Through(steps)) }
    }
}
