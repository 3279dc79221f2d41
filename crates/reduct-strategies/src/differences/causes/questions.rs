//! Which question comes next in a search for causes.

use super::cause::others;
use super::{Causes, Narrowing};
use crate::differences::narrow::Side;
use crate::weave::Level;
use reduct_core::Config;
use reduct_core::Outcome::{self, Fail, Pass};

impl Causes {
    /// Goes on to the next question that needs an answer from outside.
    pub(super) fn advance(&mut self) {
        self.next = None;
        loop {
            if let Narrowing::Narrow { narrow, parts } = &self.step {
                if narrow.ask().is_some() {
                    return;
                }
                let sides = narrow.sides().clone();
                let parts = parts.iter().cloned().chain([sides.difference()]).collect();
                self.sides = sides;
                self.step = Narrowing::Alone { parts };
            }
            let Some(config) = self.question() else { return };
            let known = self.known(&config);
            match Side::new(&self.field.weave, config) {
                None => self.learn(None, Outcome::Unresolved),
                Some(side) => match known {
                    Some(outcome) => self.learn(Some(side), outcome),
                    None => {
                        self.next = Some(side);
                        return;
                    }
                },
            }
        }
    }

    /// Returns what is to be tested in this step, unless it is a narrowing.
    fn question(&self) -> Option<Config> {
        Some(match &self.step {
            Narrowing::Narrow { .. } | Narrowing::Over => return None,
            Narrowing::Alone { parts } => self.alone(parts),
            Narrowing::Needed { parts, at, .. } => self.alone(&others(parts, *at)),
            Narrowing::AloneWith { group, .. } => self.alone(std::slice::from_ref(group)),
            Narrowing::Undo => self.field.weave.without(&self.whole.config, &self.blamed()),
            Narrowing::UndoWith { group, .. } => self.field.weave.without(&self.whole.config, group),
        })
    }

    /// Returns what is known of it without a test.
    fn known(&self, config: &Config) -> Option<Outcome> {
        let fails = match &self.step {
            Narrowing::Alone { .. } => *config == self.sides.failing.config,
            // One that another needs stays in any case.
            Narrowing::Needed { parts, .. } => *config == self.alone(parts),
            _ => false,
        };
        fails.then_some(Fail).or((*config == self.given.config).then_some(Pass))
    }

    /// Returns the smallest group around the last cause that is larger than this one, or than the cause itself.
    pub(super) fn wider(&self, than: Option<(Level, &Config)>) -> Option<(Level, Config)> {
        let cause = self.blamed();
        let (level, here) = than.unwrap_or((Level::Each, &cause));
        let coarser = Level::ALL.into_iter().rev().filter(|coarser| *coarser < level);
        let around = |level: Level| {
            let groups = self.field.groups(&self.whole.config, level);
            let touched = groups.iter().filter(|group| group.minus(&cause).len() < group.len());
            touched.fold(cause.clone(), |all, group| all.union(group))
        };
        coarser.map(|level| (level, around(level))).find(|(_, group)| group.len() > here.len())
    }
}
