//! What a search asks next is worked out beside the loop where that takes long, as a text is read for it: so no outcome waits for what is only expected.

use super::Session;
use super::input_search::InputSearch;
use reduct_core::{Foreseen, Lookahead, Speculator, Wanted};
use reduct_input::Candidate;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// What takes longer than this on average is worth a thread of its own.
const LONG: Duration = Duration::from_micros(300);

/// Of how many times the average is made.
const RECENT: u32 = 8;

/// What is worked out beside the loop.
pub(super) struct Beside<I: InputSearch> {
    /// How many at a time; 0: none.
    most: usize,
    busy: usize,
    /// How long it took lately.
    pace: Duration,
    sender: Sender<Done<I>>,
    receiver: Receiver<Done<I>>,
}

/// What has come of one, and how long it took; or the number of one that has panicked.
type Done<I> = Result<(Foreseen<I>, Duration), u64>;

impl<I: InputSearch> Beside<I> {
    fn took(&mut self, time: Duration) {
        self.pace = (self.pace * (RECENT - 1) + time) / RECENT;
    }

    /// Hands over what has been worked out since.
    pub(super) fn take(&mut self, speculator: &mut Speculator<I>) {
        while let Ok(done) = self.receiver.try_recv() {
            self.busy -= 1;
            match done {
                Ok((foreseen, time)) => {
                    self.took(time);
                    speculator.take(foreseen);
                }
                // It is worked out in the loop if it is asked for.
                Err(number) => speculator.forget(number),
            }
        }
    }
}

impl Session<'_> {
    /// Returns what works beside the loop: one thread less than tests that can run at a time.
    pub(super) fn beside<I: InputSearch>(&self) -> Beside<I> {
        let (sender, receiver) = channel();
        let processors = thread::available_parallelism().map_or(1, usize::from);
        let most = if self.opened.wakes { (self.opened.slots() - 1).min(processors) } else { 0 };
        Beside { most, busy: 0, pace: Duration::ZERO, sender, receiver }
    }

    /// Returns what is worth running, as far as it is known.
    pub(super) fn wanted<I: InputSearch>(
        &self,
        speculator: &mut Speculator<I>,
        beside: &mut Beside<I>,
    ) -> Vec<Wanted<Candidate>> {
        let slots = self.opened.slots();
        if beside.most == 0 {
            return speculator.wanted(slots);
        }
        if beside.pace < LONG {
            let begin = Instant::now();
            let wanted = speculator.wanted(slots);
            beside.took(begin.elapsed());
            return wanted;
        }
        let (wanted, ahead) = speculator.wanted_so_far(slots, beside.most - beside.busy);
        for lookahead in ahead {
            let number = lookahead.number();
            match self.work_out(lookahead, &beside.sender) {
                true => beside.busy += 1,
                false => speculator.forget(number),
            }
        }
        wanted
    }

    /// Has this worked out by a thread of its own. `false` if none can be started.
    fn work_out<I: InputSearch>(&self, lookahead: Lookahead<I>, done: &Sender<Done<I>>) -> bool {
        let (done, waker) = (done.clone(), self.opened.waker.clone());
        let work = move || {
            let (number, begin) = (lookahead.number(), Instant::now());
            let foreseen = catch_unwind(AssertUnwindSafe(|| lookahead.work_out()));
            // Where nobody waits for it any more, it is of no use.
            let _ = done.send(foreseen.map(|foreseen| (foreseen, begin.elapsed())).map_err(|_| number));
            waker();
        };
        thread::Builder::new().name("ahead".into()).spawn(work).is_ok()
    }
}
