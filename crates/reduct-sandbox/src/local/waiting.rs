//! Waiting for what comes of tests.

use super::Local;
use super::completions::Bell;
use super::slot::Slot;
use reduct_session::executor::{Completion, Executor};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// For more tests at a time, the main thread does not wait itself: each wait looks at all of them.
const MOST: usize = 8;

/// Who waits for less than this did not have to.
const AT_ONCE: Duration = Duration::from_micros(10);

/// So often in a row, it is no chance, as where this thread is kept from work by others.
const OFTEN: u32 = 4;

impl Local {
    /// Returns whether the main thread may do itself what is to be done for the next test, and wait for it. Not if it has found
    /// something to take whenever it was about to wait lately: then it has enough to do.
    pub(super) fn waits_itself(&self) -> bool {
        let here = self.slots.iter().filter(|slot| slot.waits_here().is_some()).count();
        self.at_once < OFTEN && here < MOST && self.sender.bell().is_some()
    }

    /// Waits for what is posted, or comes of a test that the main thread waits for itself. `None` at the deadline.
    pub(super) fn receive(&mut self, deadline: Option<Duration>) -> Option<Completion> {
        if let Some(bell) = self.sender.bell().filter(|_| self.slots.iter().any(|slot| slot.waits_here().is_some())) {
            let bell = Arc::clone(bell);
            bell.listen();
            let received = self.receive_here(deadline, &bell);
            bell.ignore();
            if let Some(received) = received {
                return received;
            }
        }
        let begin = Instant::now();
        let received = match deadline {
            Some(deadline) => self.completions.recv_timeout(deadline.saturating_sub(self.now())).ok(),
            // It cannot fail, for `self` holds a sender.
            None => self.completions.recv().ok(),
        };
        self.note_wait(begin.elapsed());
        received
    }

    fn note_wait(&mut self, wait: Duration) {
        self.at_once = if wait > AT_ONCE { 0 } else { self.at_once.saturating_add(1) };
    }

    /// Does so as long as the main thread waits for a test itself. `None` if it does no more, and all that is waited for is posted.
    fn receive_here(&mut self, deadline: Option<Duration>, bell: &Bell) -> Option<Option<Completion>> {
        loop {
            if let Ok(completion) = self.completions.try_recv() {
                self.at_once = self.at_once.saturating_add(1);
                return Some(Some(completion));
            }
            let now = Instant::now();
            let deadline = deadline.and_then(|deadline| now.checked_add(deadline.saturating_sub(self.now())));
            let late = |slot: &Slot| slot.waits_here().is_some_and(|(_, until)| now >= until);
            self.slots.iter_mut().filter(|slot| late(slot)).for_each(Slot::leave_wait);
            let waiting: Vec<(usize, Instant)> =
                self.slots.iter().enumerate().filter_map(|(at, slot)| Some((at, slot.waits_here()?.1))).collect();
            if waiting.is_empty() {
                return None;
            }
            let until = waiting.iter().map(|(_, until)| *until).chain(deadline).min().unwrap_or(now);
            let sockets = waiting.iter().filter_map(|(at, _)| Some(self.slots[*at].waits_here()?.0));
            let mut all = vec![PollFd::new(bell.descriptor(), PollFlags::IN)];
            all.extend(sockets.map(|socket| PollFd::new(socket, PollFlags::IN)));
            let left = until.saturating_duration_since(now);
            let left = Timespec { tv_sec: left.as_secs() as i64, tv_nsec: i64::from(left.subsec_nanos()) };
            // If it was interrupted, nothing is ready.
            let _ = poll(&mut all, Some(&left));
            let waited = now.elapsed();
            let ready: Vec<bool> = all.iter().map(|one| !one.revents().is_empty()).collect();
            self.note_wait(waited);
            if ready[0] {
                bell.quiet();
            }
            let at = waiting.iter().zip(&ready[1..]).find(|(_, ready)| **ready).map(|((at, _), _)| *at);
            match at {
                Some(at) => {
                    if let Some(completion) = self.slots[at].hear() {
                        return Some(Some(completion));
                    }
                }
                None if !ready[0] && deadline.is_some_and(|deadline| Instant::now() >= deadline) => return Some(None),
                None => {}
            }
        }
    }
}
