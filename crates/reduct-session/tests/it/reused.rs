//! A process that runs test after test, and keeps something of them: the session asks a fresh one where it matters.

use crate::session::{POEM, start, test};
use reduct_core::{Memo, Outcome};
use reduct_input::{Artifact, Candidate};
use reduct_oracle::signature::InputVocabulary;
use reduct_oracle::{Criterion, Exit, Observed, Oracle, Process};
use reduct_session::Session;
use reduct_session::event::{Event, Observer, Why};
use reduct_session::executor::simulated::{Behaviour, Simulated, observed};
use reduct_session::executor::{Completion, Executor, Opened, ProcessWanted, RunId, RunRequest};
use reduct_strategies::Plan;
use std::io;
use std::time::Duration;

/// One process, which says that all fails once it has seen a test that does not fail, and ends with each seventh test.
#[derive(Default)]
struct Server {
    /// How many tests it has run since it was started.
    run: u32,
    is_spoilt: bool,
    waiting: Option<(RunId, Observed)>,
    /// Which runs asked for a fresh one in the place of which.
    checks: Vec<(RunId, RunId)>,
    /// How often a candidate was said to fail that does not, by a process that was not fresh.
    lies: u64,
    fresh: u64,
}

impl Executor for Server {
    fn slots(&self) -> usize {
        1
    }

    fn start(&mut self, run: RunId, request: RunRequest) {
        if let ProcessWanted::InPlaceOf(doubted) = request.process {
            self.checks.push((run, doubted));
        }
        if request.process != ProcessWanted::Reused {
            (self.run, self.is_spoilt) = (0, false);
        }
        self.fresh += u64::from(request.process == ProcessWanted::Fresh);
        let truth = test(&request.candidate);
        let (was_spoilt, was_fresh) = (self.is_spoilt, self.run == 0);
        self.run += 1;
        self.is_spoilt |= truth.exit != Exit::Code(0);
        let ends = self.run == 7;
        let mut seen = match () {
            () if ends => Observed { exit: Exit::Signal(9), ..observed(0, "") },
            () if was_spoilt => observed(0, ""),
            () => truth.clone(),
        };
        self.lies += u64::from(was_spoilt && !ends && truth.exit != Exit::Code(0));
        seen.also.process = match (was_fresh, ends) {
            (true, _) => Process::Fresh,
            (false, false) => Process::Reused,
            (false, true) => Process::Ended,
        };
        if ends {
            (self.run, self.is_spoilt) = (0, false);
        }
        self.waiting = Some((run, seen));
    }

    fn cancel(&mut self, run: RunId) {
        self.waiting.take_if(|(waiting, _)| *waiting == run);
    }

    fn next(&mut self, _: Option<Duration>) -> Completion {
        self.waiting.take().map_or(Completion::Deadline, |(run, seen)| Completion::Finished(run, Box::new(seen)))
    }

    fn now(&self) -> Duration {
        Duration::ZERO
    }
}

/// What the search took, and how often something was started.
#[derive(Default)]
struct Seen {
    retired: Vec<(usize, Outcome, bool)>,
    started: u64,
    exits: Vec<Exit>,
}

impl Observer for Seen {
    fn on(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::Retired { size, outcome, cached, .. } => self.retired.push((*size, *outcome, *cached)),
            Event::Started { .. } => self.started += 1,
            Event::Ran { exit, .. } => self.exits.push(exit.clone()),
            _ => {}
        }
        Ok(())
    }
}

#[test]
fn what_a_process_keeps_deceives_nobody() {
    let oracle = Oracle::new(Criterion::ExitZero, InputVocabulary::default());
    let mut honest = Seen::default();
    let mut opened = Simulated::open(Behaviour::default(), test);
    let (expected, _) = Session::new(&mut opened, vec![&mut honest], Duration::ZERO)
        .search(&oracle, start(Plan::standard(), Memo::new()));
    let mut seen = Seen::default();
    let mut server = Opened::new(Server::default());
    let (ended, _) = Session::new(&mut server, vec![&mut seen], Duration::ZERO)
        .search(&oracle, start(Plan::standard(), Memo::new()));
    assert_eq!((ended.why, &ended.best.artifact()), (Why::Done, &expected.best.artifact()));
    assert_eq!(seen.retired, honest.retired);
    assert_eq!(seen.exits, honest.exits, "what is written is what the fresh ones showed");
    assert_eq!((ended.runs, seen.started), (expected.runs, honest.started), "a check is part of its run");
    let Server { checks, lies, fresh, .. } = &server.executor;
    assert!(*lies > 0 && checks.len() as u64 > *lies, "some that end are checked, too");
    assert_eq!(server.leaks, *lies);
    assert!(checks.iter().all(|(run, doubted)| run > doubted));
    assert_eq!(*fresh, 0);
}

#[test]
fn outside_of_a_search_each_run_has_a_fresh_process() {
    let mut server = Opened::new(Server::default());
    let both = [POEM.replacen('}', "", 1), POEM.to_owned()];
    let both = both.map(|text| Candidate::whole(Artifact::of_file("poem.c", text.as_bytes()).unwrap().into()));
    let seen = Session::new(&mut server, vec![], Duration::ZERO).observe(&both).unwrap();
    assert_eq!([&seen[0].exit, &seen[1].exit], [&Exit::Code(1), &Exit::Code(0)]);
    assert_eq!((server.executor.fresh, server.leaks), (2, 0));
}
