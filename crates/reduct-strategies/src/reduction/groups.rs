//! Groups of parts that begin alike: when they are tried as a whole, and when some of their parts at a time.

use super::Reduction;
use super::leaving::{TRIAL, WORTH_GROUPS};
use super::pass_run::PassRun;
use crate::plan::Measure;
use reduct_core::search::Minimiser;
use reduct_input::parts::SomeItems;
use reduct_input::{Class, Spans, Tree};
use reduct_passes::{Proposals, Stage};
use std::sync::Arc;

/// From so many bytes on groups are tried in data.
const WORTH_GROUPS_OF_DATA: usize = 2 << 10;

/// In a short text a search of the tree is slow that has removed less than this fraction of it a test.
const SLOW: usize = 100;

impl Reduction {
    /// Returns whether a pass leaves out parts of a group.
    pub(super) fn is_of_group(&self, pass: usize) -> bool {
        self.plan.pass(pass).stage == Stage::GroupParts
    }

    /// Returns the pass that leaves out parts of groups, if all others together have removed next to nothing since room was made, and it was not
    /// tried on about as much.
    pub(super) fn parts_of_groups(&mut self) -> Option<usize> {
        let has_stalled = self.bar.has_stalled(self.best.len());
        self.plan.group_parts().filter(|pass| has_stalled && self.schedule.has_shrunk(*pass, self.best.len()))
    }

    /// Returns which group comes next: the largest that was not searched in this visit; and what the groups are now. Those that are searched may have
    /// become smaller than others, or too small.
    pub(super) fn after_group(&mut self, phase: PassRun) -> (usize, Option<Arc<Proposals>>) {
        let name = |spans: &Spans| spans.get::<SomeItems>().map(|some| some.name.clone());
        self.searched_groups.extend(phase.proposals.get(phase.level).and_then(name));
        let proposals = match phase.progress {
            true => {
                self.rebase();
                Arc::new(self.propose(phase.pass))
            }
            false => phase.proposals,
        };
        let is_new = |spans: &Spans| name(spans).is_none_or(|name| !self.searched_groups.contains(&name));
        let next = proposals.iter().position(is_new).unwrap_or(proposals.len());
        (next, Some(proposals))
    }

    /// Returns whether a phase goes through all parts of what is needed, as a tree or level by level.
    fn takes_needed_apart(&self, phase: &PassRun) -> bool {
        match phase.search.inner() {
            Minimiser::Descent(_) => true,
            Minimiser::Relevance(_) => {
                let pass = self.plan.pass(phase.pass);
                pass.of_records && pass.stage == Stage::Delete && self.believes()
            }
            _ => false,
        }
    }

    /// Ends a list of parts that begin alike if it removes too little. `false` if it is to go on.
    pub(super) fn has_left_group(&mut self) -> bool {
        let is_group = self.phase.as_ref().is_some_and(|phase| self.is_of_group(phase.pass));
        let is_slow = is_group && self.bar.is_missed_at_first(TRIAL, self.best.len());
        if is_slow && self.bar.has_seen_nothing(TRIAL, self.best.len()) {
            self.give_up_pass();
        } else if is_slow {
            self.end_phase();
        }
        is_slow
    }

    /// Leaves a search of the tree, which takes needed parts apart one by one, to try many parts at once, if it has got on slowly so far.
    /// Then its turn comes again. `false` if it is to go on.
    pub(super) fn has_turned_to_groups(&mut self) -> bool {
        let Some(phase) =
            self.phase.as_ref().filter(|phase| self.tried_groups.is_none() && self.takes_needed_apart(phase))
        else {
            return false;
        };
        let pass = phase.pass;
        let parts: usize = phase.proposals.iter().map(|spans| spans.shape().count(phase.parts.base())).sum();
        // Where one needed part is among many, it is found after as many tests as it takes to halve them to one: time for two of them, or for
        // one if next to nothing has gone by then.
        let halvings = parts.max(1).ilog2() as usize + 1;
        let tests = self.schedule.tests_of_first_visit(pass).unwrap_or(0);
        let (left, before) = (self.best.len(), self.size_at_visit);
        if tests < halvings || tests < 2 * halvings && (left * 16 <= before * 15 || !self.is_worth_groups()) {
            return false;
        }
        if !self.believe_what_is_decided() {
            return false;
        }
        self.tried_groups = Some(left);
        let is_slow = match left >= WORTH_GROUPS {
            true => left * 8 > before * 5,
            // In little text a share as large as that is a few bytes, which any test of the tree removes.
            false => before.saturating_sub(left) * SLOW < tests * before && self.is_worth_groups(),
        };
        let groups: Vec<usize> = self.plan.groups().filter(|_| is_slow).collect();
        if groups.iter().all(|group| self.plan.propose(*group, &self.subject).is_empty()) {
            return false;
        }
        groups.into_iter().chain([pass]).for_each(|pass| self.schedule.call(pass));
        if let Some(phase) = &self.phase {
            self.turns.note_before_groups(phase.search.inner());
        }
        self.bar.count_others_for(pass);
        self.give_up_pass();
        true
    }

    /// Calls groups once more, if at most half is left of what there was when they had a turn: where some have gone, others may go.
    pub(super) fn call_groups_again(&mut self) {
        let left = self.best.len();
        if self.tried_groups.is_some_and(|before| left * 2 <= before) && self.is_worth_groups() {
            self.tried_groups = Some(left);
            self.plan.groups().collect::<Vec<_>>().into_iter().for_each(|pass| self.schedule.call(pass));
        }
    }

    /// Returns whether there is so much left that groups of parts may be worth it: less of data and other texts, where records begin alike and lines say the same.
    fn is_worth_groups(&self) -> bool {
        let left = self.best.len();
        if !(WORTH_GROUPS_OF_DATA..WORTH_GROUPS).contains(&left) {
            return left >= WORTH_GROUPS;
        }
        self.plan.measure() == Measure::Bytes && !self.is_program()
    }

    /// Returns whether there are functions in what is left.
    pub(super) fn is_program(&self) -> bool {
        let is_of_code = |tree: &Tree| (0..tree.len()).any(|at| tree.is(at, Class::FUNCTION));
        self.subject.trees().iter().any(is_of_code)
    }

    /// Has passes that may remove more come before the tree, whose turn it is again, if neither it nor the groups that came next have removed
    /// enough. `false` if it is the tree's turn.
    pub(super) fn has_made_room_after_groups(&mut self, pass: usize) -> bool {
        let is_missed = self.bar.is_missed_by_others(pass, self.best.len());
        if !is_missed || self.plan.pass(pass).stage != Stage::Tree || self.best.len() < WORTH_GROUPS {
            return false;
        }
        self.turns.go_on_as_before_groups();
        self.make_room(pass);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Method, Plan};
    use reduct_core::{Outcome, Search};
    use reduct_input::{Artifact, Item, Subject};
    use reduct_passes::Pass;
    use std::cmp::Reverse;

    /// Returns the places of each letter as a group, those that are there most often first.
    fn letters(subject: &Subject) -> Proposals {
        let text = subject.artifact().bytes();
        let item = |at: u32| Item { at: at..at + 1, before: 0..0, first: at == 0, last: at as usize + 1 == text.len() };
        let items: Vec<Item> = (0..text.len() as u32).map(item).collect();
        let places = |letter: char| (0..text.len() as u32).filter(move |at| text[*at as usize] == letter as u8);
        let mut groups: Vec<(char, Vec<u32>)> = ('a'..='e').map(|letter| (letter, places(letter).collect())).collect();
        groups.sort_by_key(|(_, places)| Reverse(places.len()));
        let spans = |(letter, some): (char, Vec<u32>)| {
            SomeItems { items: items.clone().into(), some: some.into(), name: letter.to_string().into() }.into()
        };
        groups.into_iter().map(spans).collect()
    }

    /// A group that was searched has become smaller than the next ones, and stands behind them.
    #[test]
    fn each_group_is_searched_in_one_visit_whatever_the_others_have_become() {
        let pass = Pass { propose: letters, ..Pass::of(Stage::GroupParts).next().unwrap() };
        let text: String = (0..9).map(|at| &"abcde"[..5 - at / 2]).collect();
        let artifact = Artifact::of_file("a", text.as_bytes()).unwrap();
        let mut reduction = Reduction::new(artifact, Plan::new(vec![pass], Method::Relevance));
        assert!(reduction.ask().is_none(), "it is tried when it is called only");
        reduction.schedule.call(0);
        reduction.go_on();
        while let Some(candidate) = reduction.ask() {
            let fails = ('a'..='e').all(|letter| candidate.artifact().bytes().contains(&(letter as u8)));
            reduction.tell(Outcome::from(fails));
        }
        let mut left = reduction.best().artifact().bytes().to_vec();
        left.sort_unstable();
        assert_eq!(left, b"abcde");
    }
}
