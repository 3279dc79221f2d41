//! The slot in which the next test runs.

use super::Local;
use super::slot::Slot;
use reduct_core::Question;
use reduct_session::executor::{ProcessWanted, RunRequest};
use std::io;
use std::sync::Arc;

impl Local {
    /// Returns the slot for the next test. It is an idle one, if possible the one that had this very candidate, as it may
    /// still be built there. If none is idle, it is a new one. If there are as many as may be, all of them are busy with
    /// tests that are no longer wanted, or clear up after one: then it is the one with the least to do. A process that
    /// takes the place of another one runs in the same slot.
    pub(super) fn slot(&mut self, RunRequest { candidate, process, .. }: &RunRequest) -> io::Result<usize> {
        if let ProcessWanted::InPlaceOf(run) = process
            && let Some(same) = self.slots.iter().position(|slot| !slot.taken && slot.last_run == Some(*run))
        {
            return Ok(same);
        }
        let is_idle = |slot: &&Slot| !slot.taken && slot.is_idle();
        if let Some(again) = self.slots.iter().position(|slot| is_idle(&slot) && slot.last == Some(candidate.key())) {
            return Ok(again);
        }
        if let Some(idle) = self.slots.iter().position(|slot| is_idle(&slot)) {
            return Ok(idle);
        }
        if self.slots.len() < self.jobs {
            let folder = self.scratch.slot(self.slots.len(), self.terms.base_tree.clone(), self.made.clone());
            match Slot::start(folder, Arc::clone(&self.terms), self.sender.clone()) {
                Ok(slot) => self.slots.push(slot),
                Err(error) if self.slots.is_empty() => return Err(error),
                Err(_) => return Ok(self.least_busy()),
            }
            return Ok(self.slots.len() - 1);
        }
        Ok(self.least_busy())
    }

    fn least_busy(&self) -> usize {
        (0..self.slots.len()).min_by_key(|at| (self.slots[*at].taken, self.slots[*at].pending())).unwrap_or(0)
    }
}
