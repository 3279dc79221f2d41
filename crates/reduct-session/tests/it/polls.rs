//! The session with a test that fails now and then: every candidate is run until it is clear.

use crate::session::{POEM, test};
use reduct_core::laws::Chance;
use reduct_core::{Key, Memo, Outcome, Repeats};
use reduct_input::{Artifact, Candidate};
use reduct_oracle::sampling::{Calibration, LEVEL, Policy, Purpose, Tally};
use reduct_oracle::signature::InputVocabulary;
use reduct_oracle::{Criterion, Oracle};
use reduct_oracle::{Exit, Observed};
use reduct_passes::Pass;
use reduct_session::event::{Ended, Event, Observer, Why};
use reduct_session::executor::Request;
use reduct_session::executor::simulated::{Behaviour, Simulated, observed};
use reduct_session::journal;
use reduct_session::journal::{Journal, JournalRecord, VERSION};
use reduct_session::{Session, Start, Stops};
use reduct_strategies::{Method, Plan, Reduction};
use std::collections::VecDeque;
use std::io;
use std::time::Duration;

#[derive(Default)]
struct Log {
    retired: Vec<(usize, Outcome, bool)>,
    decided: Vec<(Outcome, Option<Tally>)>,
    votes: u64,
}

impl Observer for Log {
    fn on(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::Retired { size, outcome, cached, .. } => self.retired.push((*size, *outcome, *cached)),
            Event::Ran { outcome, votes, .. } => self.decided.push((*outcome, *votes)),
            Event::Voted { .. } => self.votes += 1,
            _ => {}
        }
        Ok(())
    }
}

/// The failure occurs in every other run.
fn every_other() -> Behaviour {
    let noise = |chance: &mut Chance, seen: Observed| {
        if seen.exit == Exit::Code(0) && chance.below(2) == 0 { observed(1, "") } else { seen }
    };
    Behaviour { noise, ..Behaviour::default() }
}

/// What follows from having seen it in 50 of 100 runs.
fn policy() -> Policy {
    let calibration = Calibration { failing: (50, 100), passing: Some((0, 100)), level: LEVEL };
    calibration.policy(Purpose::Reduce, 300).unwrap()
}

fn lines(method: Method) -> Plan {
    Plan::new(vec![Pass::named("lines").unwrap()], method)
}

struct Done {
    ended: Ended,
    log: Log,
    started: u64,
}

impl Done {
    fn text(&self) -> Vec<u8> {
        self.ended.best.artifact().bytes().to_vec()
    }
}

fn start(plan: Plan, policy: Option<Policy>, records: &[JournalRecord]) -> Start<Reduction> {
    let outcomes = records.iter().filter_map(|record| match record {
        JournalRecord::Outcome { k, o, .. } => Some((*k, *o)),
        _ => None,
    });
    Start {
        inquiry: Reduction::new(Artifact::of_file("poem.c", POEM.as_bytes()).unwrap(), plan),
        memo: outcomes.collect::<Memo>(),
        known: 0,
        repeats: Repeats::Remembered,
        stops: Stops::default(),
        skips: VecDeque::new(),
        reached: 0,
        failure: "exit 0".into(),
        time_limit: None,
        policy,
        votes: journal::votes(records),
    }
}

fn run(behaviour: Behaviour, start: Start<Reduction>, journal: Option<&mut Journal>) -> Done {
    let mut opened = Simulated::open(behaviour, test);
    let mut log = Log::default();
    let mut observers: Vec<&mut dyn Observer> = vec![&mut log];
    observers.extend(journal.map(|journal| journal as &mut dyn Observer));
    let oracle = Oracle::new(Criterion::ExitZero, InputVocabulary::default());
    let (ended, _) = Session::new(&mut opened, observers, Duration::from_secs(60)).search(&oracle, start);
    Done { ended, log, started: opened.executor.started }
}

/// The text without one of its lines.
fn without(text: &[u8], line: usize) -> Candidate {
    let kept: Vec<&[u8]> =
        text.split_inclusive(|b| *b == b'\n').enumerate().filter(|(at, _)| *at != line).map(|(_, l)| l).collect();
    Candidate::whole(Artifact::of_file("poem.c", &kept.concat()).unwrap().into())
}

#[test]
fn what_fails_every_other_time_is_reduced_to_what_is_truly_minimal() {
    for method in [Method::Ddmin, Plan::standard().method] {
        let steady = run(Behaviour::default(), start(lines(method), None, &[]), None);
        for seed in 0..20 {
            let behaviour = Behaviour { seed, ..every_other() };
            let done = run(behaviour, start(lines(method), Some(policy()), &[]), None);
            assert_eq!(done.ended.why, Why::Done);
            assert_eq!(done.log.retired, steady.log.retired, "seed {seed}: no decision is wrong");
            let text = done.text();
            assert_eq!(test(&done.ended.best).exit, Exit::Code(0));
            for line in 0..text.split_inclusive(|b| *b == b'\n').count() {
                assert_ne!(test(&without(&text, line)).exit, Exit::Code(0), "seed {seed}: line {line} can go");
            }
        }
    }
}

#[test]
fn a_difference_is_isolated_where_what_passes_fails_now_and_then_too() {
    // The failure occurs in every other run where it should, and in one of a hundred where it should not.
    let noise = |chance: &mut Chance, seen: Observed| match seen.exit {
        Exit::Code(0) if chance.below(2) == 0 => observed(1, ""),
        Exit::Code(1) if chance.below(100) == 0 => observed(0, ""),
        _ => seen,
    };
    let calibration = Calibration { failing: (50, 100), passing: Some((1, 100)), level: LEVEL };
    let policy = calibration.policy(Purpose::Isolate, 40).unwrap();
    let steady = run(Behaviour::default(), start(lines(Method::Isolate), None, &[]), None);
    for seed in 0..20 {
        let behaviour = Behaviour { seed, noise, slots: 1 + seed as usize % 4, ..Behaviour::default() };
        let done = run(behaviour, start(lines(Method::Isolate), Some(policy), &[]), None);
        assert_eq!(done.log.retired, steady.log.retired, "seed {seed}: no decision is wrong");
        let passing = |done: &Done| done.ended.passing.as_ref().map(|passing| passing.artifact().bytes().to_vec());
        assert_eq!((done.text(), passing(&done)), (steady.text(), passing(&steady)));
    }
}

#[test]
fn one_run_would_not_do() {
    let steady = run(Behaviour::default(), start(lines(Method::Ddmin), None, &[]), None);
    let hasty = (0..20).filter(|seed| {
        let behaviour = Behaviour { seed: *seed, ..every_other() };
        run(behaviour, start(lines(Method::Ddmin), None, &[]), None).text() == steady.text()
    });
    assert!(hasty.count() < 10);
}

/// A policy that errs often: what is the same at any number of jobs is the same with errors too.
fn careless() -> Policy {
    Policy::new(0.5, 0.25, 0.2, 0.2).unwrap()
}

#[test]
fn any_number_of_slots_and_any_fault_settle_alike() {
    for policy in [policy(), careless()] {
        for seed in 0..2 {
            let expected =
                run(Behaviour { seed, ..every_other() }, start(lines(Method::Ddmin), Some(policy), &[]), None);
            for (slots, lost, trouble, stragglers) in [(2, 0, 0, 0), (8, 50, 10, 100), (8, 0, 0, 50), (64, 20, 0, 100)]
            {
                let behaviour = Behaviour { slots, seed, lost, trouble, stragglers, ..every_other() };
                let done = run(behaviour, start(lines(Method::Ddmin), Some(policy), &[]), None);
                assert_eq!(done.log.retired, expected.log.retired, "{slots} slots, seed {seed}");
                assert_eq!(done.text(), expected.text());
                assert_eq!(done.ended.confidence, expected.ended.confidence);
            }
        }
    }
}

#[test]
fn a_resumed_run_goes_on_counting_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let expected = run(every_other(), start(lines(Method::Ddmin), Some(policy()), &[]), None);
    let whole = expected.ended.elapsed;
    for (part, slots) in [(1, 1), (3, 1), (5, 1), (2, 8), (4, 8)] {
        let path = folder.path().join(format!("{part} {slots}"));
        let job = serde_json::Value::Null;
        let first = JournalRecord::Run { v: VERSION, tool: String::new(), input: Key(0), cache: true, job };
        let mut journal = Journal::create(&path, &first).unwrap();
        let requests = [(whole * part / (7 * slots as u32), Request::Interrupt)].into();
        let behaviour = Behaviour { slots, requests, ..every_other() };
        let cut = run(behaviour, start(lines(Method::Ddmin), Some(policy()), &[]), Some(&mut journal));
        assert_eq!(cut.ended.why, Why::Interrupted);
        drop(journal);
        let (mut journal, records) = Journal::resume(&path).unwrap();
        let counted = records
            .iter()
            .filter(|record| matches!(record, JournalRecord::Vote { .. } | JournalRecord::Outcome { .. }));
        let counted = counted.count() as u64;
        assert_eq!(counted, cut.log.votes + cut.log.decided.len() as u64, "each run that ended is a record");
        let rest = Behaviour { slots, ..every_other() };
        let done = run(rest, start(lines(Method::Ddmin), Some(policy()), &records), Some(&mut journal));
        assert_eq!(done.log.retired, expected.log.retired);
        assert_eq!(done.text(), expected.text());
        if slots == 1 {
            assert_eq!(counted + done.started, expected.started, "nothing that was counted is run again");
        }
    }
}

#[test]
fn all_runs_are_counted_and_the_votes_are_those_that_settled() {
    let done = run(every_other(), start(lines(Method::Ddmin), Some(policy()), &[]), None);
    assert_eq!(done.ended.runs, done.started);
    let mut sum = 0;
    for (outcome, votes) in &done.log.decided {
        let Tally { fired, silent, unresolved, .. } = votes.unwrap();
        sum += u64::from(fired + silent + unresolved);
        if unresolved == 0 {
            assert_eq!(policy().decide(fired, silent), Some(*outcome));
        }
    }
    assert_eq!(sum, done.started, "one slot runs nothing ahead");
    let decided = |(_, outcome, again): &&(usize, Outcome, bool)| !again && *outcome != Outcome::Unresolved;
    let decided = done.log.retired.iter().filter(decided).count();
    let confidence = done.ended.confidence.unwrap();
    assert_eq!(confidence.decided(), decided as u64);
}

#[test]
fn slots_that_are_idle_otherwise_run_the_same_candidate_at_a_time() {
    let at = |slots| {
        let behaviour =
            Behaviour { slots, duration: (Duration::from_secs(1), Duration::from_secs(1)), ..every_other() };
        let plan = lines(Method::Ddmin);
        let artifact = Artifact::of_file("poem.c", b"f(4); crash();\nint x;\n").unwrap();
        run(
            behaviour,
            Start { inquiry: Reduction::new(artifact, plan.clone()), ..start(plan, Some(policy()), &[]) },
            None,
        )
    };
    let (one, many) = (at(1), at(64));
    assert_eq!(many.log.retired, one.log.retired);
    assert_eq!(one.ended.elapsed.as_secs(), one.started);
    assert!(many.ended.elapsed * 4 < one.ended.elapsed, "{:?} {:?}", many.ended.elapsed, one.ended.elapsed);
}

#[test]
fn a_candidate_is_settled_outside_of_a_search_too() {
    let oracle = Oracle::new(Criterion::ExitZero, InputVocabulary::default());
    let whole = Candidate::whole(Artifact::of_file("poem.c", POEM.as_bytes()).unwrap().into());
    for slots in [1, 5, 64] {
        let mut opened = Simulated::open(Behaviour { slots, ..every_other() }, test);
        let mut session = Session::new(&mut opened, vec![], Duration::ZERO);
        let (fails, votes) = session.poll(&oracle, Some(policy()), &whole).unwrap();
        assert_eq!(fails, Outcome::Fail);
        assert_eq!(policy().decide(votes.fired, votes.silent), Some(Outcome::Fail));
        let nothing = Candidate::nothing(whole.base().clone());
        let (passes, votes) = session.poll(&oracle, Some(policy()), &nothing).unwrap();
        assert_eq!((passes, votes.fired), (Outcome::Pass, 0));
        assert_eq!(votes.silent, policy().silent_to_go(0, 0));
        let (_, votes) = session.poll(&oracle, None, &nothing).unwrap();
        assert_eq!(votes, Tally { silent: 1, ..Tally::default() });
    }
}
