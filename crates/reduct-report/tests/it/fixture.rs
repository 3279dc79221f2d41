//! A session as its events, without running one.

use reduct_core::{Config, Key, Outcome};
use reduct_input::{Artifact, Candidate};
use reduct_oracle::{Exit, Limit};
use reduct_report::Clock;
use reduct_session::event::{Began, Ended, Event, Observer, UnderWay, Why};
use reduct_session::executor::RunId;
use reduct_strategies::{Claim, Minimal, Phase};
use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A clock that is set by hand.
#[derive(Clone, Default)]
pub struct Watch(Arc<Mutex<Duration>>);

impl Watch {
    pub fn clock(&self) -> Clock {
        let time = self.0.clone();
        Box::new(move || *time.lock().unwrap())
    }

    pub fn pass(&self, milliseconds: u64) {
        *self.0.lock().unwrap() += Duration::from_millis(milliseconds);
    }
}

/// An output that can be read while somebody else writes to it.
#[derive(Clone, Default)]
pub struct Paper(Arc<Mutex<Vec<u8>>>);

impl Paper {
    pub fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// An input that tries to rename the window and to clear the screen.
pub const EVIL: &[u8] = b"\x1b]0;owned\x07 good text \x1b[2J\xff\xfe \xc2\x9b31m end of it\n";

pub fn whole() -> Candidate {
    Candidate::whole(Arc::new(Artifact::of_file("evil.txt", EVIL).unwrap()))
}

/// The first `kept` bytes of a candidate.
pub fn first(of: &Candidate, kept: u32) -> Candidate {
    Candidate::new(of.base().clone(), Config::full(1), Config::full(kept as usize), 0)
}

pub fn began() -> Began {
    let mut began = Began::of(whole(), "signal 11 \x1b[31mred");
    began.jobs = 4;
    began.time_limit = Some(Duration::from_secs(10));
    began
}

pub fn minimal() -> Minimal {
    Minimal::of(vec!["lines", "tokens", "characters"])
}

pub fn ended(why: Why) -> Ended {
    let mut ended = Ended::of(why, first(&whole(), 8), Claim::OneMinimal(minimal()).into());
    (ended.asked, ended.repeated, ended.runs) = (61, 4, 57);
    ended.elapsed = Duration::from_millis(3210);
    ended.confirmed = Some(true);
    ended
}

pub fn retired(n: u64, outcome: Outcome) -> Event {
    Event::Retired { n, size: 20, outcome, cached: false, pass: Some("lines"), decided: Some((n as usize, 1204)) }
}

pub fn ran() -> Event {
    let elapsed = Duration::from_millis(5);
    Event::Ran { key: Key(1), outcome: Outcome::Pass, exit: Exit::Code(0), elapsed, votes: None }
}

/// So many tests are under way.
pub fn started(tests: u64) -> Event {
    let under_way = |run| UnderWay::of(RunId(run), Key(u128::from(run)), 30);
    Event::Started { running: (1..=tests).map(under_way).collect() }
}

pub fn printed(stdout: &[u8], stderr: &[u8]) -> Event {
    Event::Printed { stdout: stdout.to_vec(), stderr: stderr.to_vec() }
}

pub fn voted() -> Event {
    let elapsed = Duration::from_millis(5);
    Event::Voted { key: Key(1), number: 0, outcome: Outcome::Pass, exit: Exit::Code(0), elapsed }
}

pub fn improved(n: u64, kept: u32, before: u32) -> Event {
    let whole = whole();
    let (best, before) = (first(&whole, kept), first(&whole, before));
    Event::Improved { n, best, before, passing: None, size: kept as usize, unit: "bytes" }
}

pub fn phase() -> Event {
    Event::Phase(Phase::new("lines", 1204))
}

/// One event of every type, in a possible order.
pub fn every() -> Vec<Event> {
    let elapsed = Duration::from_millis(12);
    let limit = Exit::Limit(Limit::Time);
    vec![
        Event::Preflight { what: "the whole input", outcome: Outcome::Fail, exit: Exit::Signal(11), elapsed },
        Event::Preflight { what: "the empty input", outcome: Outcome::Unresolved, exit: limit, elapsed },
        Event::Began(Box::new(began())),
        phase(),
        started(1),
        voted(),
        ran(),
        retired(1, Outcome::Unresolved),
        Event::Retired { n: 2, size: 10, outcome: Outcome::Fail, cached: true, pass: None, decided: None },
        improved(2, 30, 44),
        Event::Other { signature: "other \x1b[5mblinking\r".to_owned(), candidate: whole() },
        Event::Trouble { what: "no space\x1b[0m".to_owned(), pause: Duration::from_secs(2) },
        Event::Skipped { n: 2, pass: None },
        Event::Paused(true),
        Event::Paused(false),
        Event::Skipped { n: 2, pass: Some("lines") },
        Event::Ended(Box::new(ended(Why::Tests(100)))),
    ]
}

pub fn show(observer: &mut impl Observer, events: &[Event]) {
    events.iter().for_each(|event| observer.on(event).unwrap());
}
