//! A place where tests run in no time: virtual clock, seed, injected faults.
//!
//! The session cannot tell it from a real one. A cluster with a thousand slots, lost workers, late
//! answers and a full disk is a struct literal here, and a run with it is repeatable by its seed.

use crate::executor::{Completion, Executor, Opened, Request, Requests, RunId, RunRequest, Trouble};
use reduct_core::laws::Chance;
use reduct_core::{Keyed, Question};
use reduct_input::Candidate;
use reduct_oracle::{Exit, Observed};
use std::collections::VecDeque;
use std::time::Duration;

/// How a simulated place behaves.
#[derive(Clone, Debug)]
pub struct Behaviour {
    /// How many tests run at a time.
    pub slots: usize,
    /// Where chance begins.
    pub seed: u64,
    /// How long a test takes: at least the first, less than the second.
    pub duration: (Duration, Duration),
    /// Of a thousand tests, how many take twenty times as long.
    pub stragglers: usize,
    /// Of a thousand tests, how many are lost with their worker.
    pub lost: usize,
    /// Of a thousand tests, how many meet trouble.
    pub trouble: usize,
    /// Of a thousand tests that are cancelled, how many are answered all the same, as that was on its way.
    pub answered_late: usize,
    /// What is asked of the session when, ascending.
    pub requests: VecDeque<(Duration, Request)>,
    /// What chance makes of what the test shows. It is drawn from the seed, the candidate and the number of its run, so
    /// that it is the same in whatever order tests are run.
    pub noise: fn(&mut Chance, Observed) -> Observed,
}

impl Default for Behaviour {
    fn default() -> Behaviour {
        Behaviour {
            slots: 1,
            seed: 1,
            duration: (Duration::from_millis(50), Duration::from_millis(150)),
            stragglers: 0,
            lost: 0,
            trouble: 0,
            answered_late: 0,
            requests: VecDeque::new(),
            noise: |_, seen| seen,
        }
    }
}

/// A simulated place; `test` says what is observed of a candidate.
pub struct Simulated<T> {
    behaviour: Behaviour,
    test: T,
    chance: Chance,
    now: Duration,
    running: Vec<UnderWay>,
    /// What was cancelled and is answered all the same. It takes no slot.
    cancelled: Vec<UnderWay>,
    requests: Requests,
    /// How many tests were started.
    pub started: u64,
}

/// When a test ends, which run it is, and how it ends.
type UnderWay = (Duration, RunId, Fate);

enum Fate {
    Ends(Observed),
    IsLost,
    MeetsTrouble,
}

impl<T: FnMut(&Candidate) -> Observed> Simulated<T> {
    /// Opens a place that behaves so.
    pub fn open(behaviour: Behaviour, test: T) -> Opened<Simulated<T>> {
        let chance = Chance(behaviour.seed);
        let (requests, now) = (Requests::default(), Duration::ZERO);
        let (running, cancelled, started) = (vec![], vec![], 0);
        let simulated =
            Simulated { behaviour, test, chance, now, running, cancelled, requests: requests.clone(), started };
        Opened { requests, ..Opened::new(simulated) }
    }

    fn take(&mut self, run: RunId) -> Option<UnderWay> {
        let mut all = [&mut self.running, &mut self.cancelled].into_iter();
        all.find_map(|tests| tests.iter().position(|test| test.1 == run).map(|at| tests.swap_remove(at)))
    }

    fn draw(&mut self, per_thousand: usize) -> bool {
        self.chance.below(1000) < per_thousand
    }
}

fn chance_of(seed: u64, candidate: &Candidate, number: u32) -> Chance {
    let mut keyed = Keyed::default();
    let key = candidate.key().0;
    [seed, (key >> 64) as u64, key as u64, u64::from(number)].into_iter().for_each(|part| keyed.add(part));
    Chance(keyed.finish().0 as u64)
}

/// Returns what is seen of a test that exits with `code` and writes `stderr`.
pub fn observed(code: i32, stderr: &str) -> Observed {
    let elapsed = Duration::from_millis(100);
    Observed { exit: Exit::Code(code), stdout: vec![], stderr: stderr.into(), elapsed, also: Default::default() }
}

impl<T: FnMut(&Candidate) -> Observed> Executor for Simulated<T> {
    fn slots(&self) -> usize {
        self.behaviour.slots
    }

    fn start(&mut self, run: RunId, RunRequest { candidate, attempt, .. }: RunRequest) {
        assert!(self.running.len() < self.behaviour.slots, "no more tests than slots");
        self.started += 1;
        let (shortest, longest) = self.behaviour.duration;
        let spread = longest.saturating_sub(shortest).as_micros() as usize;
        let mut lasts = shortest + Duration::from_micros(self.chance.below(spread.max(1)) as u64);
        if self.draw(self.behaviour.stragglers) {
            lasts *= 20;
        }
        let fate = match () {
            () if self.draw(self.behaviour.lost) => Fate::IsLost,
            () if self.draw(self.behaviour.trouble) => Fate::MeetsTrouble,
            () => {
                let mut chance = chance_of(self.behaviour.seed, &candidate, attempt);
                Fate::Ends((self.behaviour.noise)(&mut chance, (self.test)(&candidate)))
            }
        };
        self.running.push((self.now + lasts, run, fate));
    }

    fn cancel(&mut self, run: RunId) {
        let Some(at) = self.running.iter().position(|(_, running, _)| *running == run) else { return };
        let test = self.running.swap_remove(at);
        if self.behaviour.answered_late > 0 && self.draw(self.behaviour.answered_late) {
            self.cancelled.push(test);
        }
    }

    fn next(&mut self, deadline: Option<Duration>) -> Completion {
        let ends = self.running.iter().chain(&self.cancelled).map(|(at, run, _)| (*at, *run)).min();
        let (ends, run) = (ends.map(|(at, _)| at), ends.map(|(_, run)| run));
        let request = self.behaviour.requests.front().map(|(at, _)| *at);
        let soonest = [ends, request, deadline].into_iter().flatten().min();
        let soonest = soonest.expect("a session waits for a test or a deadline");
        self.now = self.now.max(soonest);
        if request == Some(soonest)
            && let Some((_, request)) = self.behaviour.requests.pop_front()
        {
            self.requests.put(request);
            return Completion::Woken;
        }
        match run.filter(|_| ends == Some(soonest)).and_then(|run| self.take(run)) {
            Some((_, run, Fate::Ends(observed))) => Completion::Finished(run, Box::new(observed)),
            Some((_, run, Fate::IsLost)) => Completion::Lost(run),
            Some((_, run, Fate::MeetsTrouble)) => Completion::Trouble(run, Trouble::NoSpace("the simulation".into())),
            None => Completion::Deadline,
        }
    }

    fn now(&self) -> Duration {
        self.now
    }
}
