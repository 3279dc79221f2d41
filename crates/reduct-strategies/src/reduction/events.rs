//! Which events seem to need others: what is learned from leaving out a single event.

use super::Reduction;
use reduct_core::{Config, Outcome};
use reduct_input::UnmetNeeds;
use reduct_input::record::line::line_of;

impl Reduction {
    /// Returns the events that others seem to need, as the tests have shown.
    pub fn unmet_needs(&self) -> &UnmetNeeds {
        &self.unmet_needs
    }

    /// Takes note of what came of leaving out a single event.
    pub(super) fn learn_unmet_needs(&mut self, asked: Option<&Config>, outcome: Outcome) {
        let Some((phase, asked)) = self.phase.as_ref().zip(asked).filter(|(phase, _)| phase.parts.are_events()) else {
            return;
        };
        let gone = phase.best().minus(asked);
        if let (1, Some(event)) = (gone.len(), gone.iter().next()) {
            let part = phase.parts.base().slice(phase.parts.addresses(event));
            if self.unmet_needs.learn(line_of(part), outcome) {
                self.schedule.learned();
            }
        }
    }
}
