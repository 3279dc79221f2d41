//! The session on a simulated place: every fault, any number of slots, the same answer.

use reduct_core::{Key, Memo, Outcome, Question, Repeats};
use reduct_input::{Artifact, Candidate};
use reduct_oracle::signature::InputVocabulary;
use reduct_oracle::{Also, Exit, Limit, Observed};
use reduct_oracle::{Criterion, Oracle};
use reduct_passes::Pass;
use reduct_session::event::{Ended, Event, Observer, Why};
use reduct_session::executor::Request;
use reduct_session::executor::simulated::{Behaviour, Simulated, observed};
use reduct_session::{Session, Skip, Start, Stops};
use reduct_strategies::{Caveat, Claim, Method, Plan, Reduction, Unproved};
use std::collections::{HashMap, HashSet, VecDeque};
use std::io;
use std::time::{Duration, Instant};

/// Everything that was seen of a session.
#[derive(Default)]
struct Log {
    retired: Vec<(usize, Outcome, bool)>,
    outcomes: Vec<(Key, Outcome)>,
    bests: Vec<Vec<u8>>,
    others: usize,
    troubles: usize,
    skipped: VecDeque<Skip>,
    /// How many events it refuses before it takes one again.
    refuse: usize,
}

impl Observer for Log {
    fn on(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::Trouble { .. } => self.troubles += 1,
            _ if self.refuse > 0 => {
                self.refuse -= 1;
                return Err(io::ErrorKind::StorageFull.into());
            }
            Event::Retired { size, outcome, cached, .. } => self.retired.push((*size, *outcome, *cached)),
            Event::Ran { key, outcome, .. } => self.outcomes.push((*key, *outcome)),
            Event::Improved { best, .. } => self.bests.push(best.artifact().bytes().to_vec()),
            Event::Other { .. } => self.others += 1,
            Event::Skipped { n, pass } => self.skipped.push_back(Skip { n: *n, whole_pass: pass.is_some() }),
            _ => {}
        }
        Ok(())
    }
}

/// What reached the time limit, having had the processor or not.
fn late(was_busy: bool) -> Observed {
    let also = Also { was_busy, ..Also::default() };
    Observed { exit: Exit::Limit(Limit::Time), also, ..observed(0, "") }
}

pub const POEM: &str = "int alpha;\nint beta;\n\nvoid f(int x) {\n    if (x > 3) {\n        crash(x);\n    }\n    rest();\n}\n\nint main() {\n    f(4);\n    return 0;\n}\n";

/// Fails if and only if it holds `crash(`, `f(4)` and balanced braces; hangs if it holds only one of the two.
pub fn test(candidate: &Candidate) -> Observed {
    let text = String::from_utf8(candidate.artifact().bytes().to_vec()).unwrap();
    let balanced = text.matches('{').count() == text.matches('}').count();
    match (text.contains("crash("), text.contains("f(4)"), balanced) {
        (_, _, false) => observed(1, "syntax error"),
        (true, true, true) => observed(0, ""),
        (true, false, true) => late(true),
        (false, true, true) => Observed { exit: Exit::Signal(11), ..observed(0, "") },
        (false, false, true) => observed(1, ""),
    }
}

struct Done {
    ended: Ended,
    log: Log,
    started: u64,
}

pub fn start(plan: Plan, memo: Memo) -> Start<Reduction> {
    Start {
        inquiry: Reduction::new(Artifact::of_file("poem.c", POEM.as_bytes()).unwrap(), plan),
        known: memo.len(),
        memo,
        repeats: Repeats::Remembered,
        stops: Stops::default(),
        skips: VecDeque::new(),
        reached: 0,
        failure: "exit 0".into(),
        time_limit: None,
        policy: None,
        votes: HashMap::new(),
    }
}

fn run(behaviour: Behaviour, start: Start<Reduction>, mut log: Log) -> Done {
    let mut opened = Simulated::open(behaviour, test);
    let oracle = Oracle::new(Criterion::ExitZero, InputVocabulary::default());
    let (ended, _) = Session::new(&mut opened, vec![&mut log], Duration::from_secs(60)).search(&oracle, start);
    Done { ended, log, started: opened.executor.started }
}

fn sequential() -> Done {
    run(Behaviour::default(), start(Plan::standard(), Memo::new()), Log::default())
}

fn text(ended: &Ended) -> Vec<u8> {
    ended.best.artifact().bytes().to_vec()
}

#[test]
fn any_number_of_slots_and_any_fault_give_the_sequential_answer() {
    let expected = sequential();
    assert_eq!(expected.ended.why, Why::Done);
    for (slots, seed) in [(1, 1), (2, 2), (7, 3), (64, 4), (300, 5)] {
        let faults = [(50, 10, 100), (0, 0, 0), (100, 0, 50), (0, 20, 0)];
        // Each fault alone with few slots, all at once with few and with many.
        let alone = faults.into_iter().skip(seed as usize).take(1);
        for (lost, trouble, stragglers) in faults.into_iter().take(1).chain(alone) {
            let behaviour = Behaviour { slots, seed, lost, trouble, stragglers, ..Behaviour::default() };
            let done = run(behaviour, start(Plan::standard(), Memo::new()), Log::default());
            assert_eq!(done.ended.why, Why::Done);
            assert_eq!(done.log.retired, expected.log.retired, "{slots} slots: the same tests in the same order");
            assert_eq!(done.log.bests, expected.log.bests);
            assert_eq!(text(&done.ended), text(&expected.ended));
        }
    }
}

#[test]
fn every_best_fails_and_is_smaller_than_the_one_before() {
    let done = sequential();
    let mut last = POEM.len();
    for best in &done.log.bests {
        assert!(best.len() < last);
        last = best.len();
        let artifact = Artifact::of_file("poem.c", best).unwrap();
        assert_eq!(test(&Candidate::whole(artifact.into())).exit, Exit::Code(0));
    }
    assert_eq!(text(&done.ended), done.log.bests.last().unwrap().clone());
}

#[test]
fn nothing_known_is_run_again_after_a_stop_anywhere() {
    let expected = sequential();
    let all = expected.started;
    for tests in [1, 5, 20, all / 2, all - 1] {
        let stops = Stops::default().with_tests(Some(tests));
        let first = run(Behaviour::default(), Start { stops, ..start(Plan::standard(), Memo::new()) }, Log::default());
        assert_eq!(first.ended.why, Why::Tests(tests));
        let memo = first.log.outcomes.iter().copied().collect();
        let second = run(Behaviour::default(), start(Plan::standard(), memo), Log::default());
        assert_eq!(second.log.retired, expected.log.retired);
        assert_eq!(first.started + second.started, all, "stopped after {tests}");
    }
}

#[test]
fn a_search_stopped_by_tests_stops_at_the_same_place_with_any_number_of_slots() {
    let stops = Stops::default().with_tests(Some(25));
    let at = |slots| {
        let behaviour = Behaviour { slots, ..Behaviour::default() };
        run(behaviour, Start { stops, ..start(Plan::standard(), Memo::new()) }, Log::default())
    };
    let expected = at(1);
    for slots in [2, 9] {
        assert_eq!(at(slots).log.retired, expected.log.retired);
        assert_eq!(text(&at(slots).ended), text(&expected.ended));
    }
}

#[test]
fn time_stall_requests_and_granularity_stop_with_what_is_best() {
    let stop = |stops, requests, least| {
        let behaviour = Behaviour { requests, ..Behaviour::default() };
        let plan = Plan { min_removal: least, ..Plan::standard() };
        run(behaviour, Start { stops, ..start(plan, Memo::new()) }, Log::default()).ended
    };
    let none = Stops::default();
    let time = Some(Duration::from_secs(1));
    assert_eq!(stop(none.with_time(time), [].into(), 1).why, Why::Time(Duration::from_secs(1)));
    let stalled = stop(none.with_stall(Some((10, 50))), [].into(), 1);
    assert_eq!(stalled.why, Why::Stall { tests: 10, percent: 50 });
    let at = Duration::from_secs(2);
    assert_eq!(stop(none, [(at, Request::Interrupt)].into(), 1).why, Why::Interrupted);
    assert_eq!(stop(none, [(at, Request::Stop)].into(), 1).why, Why::Stopped);
    let coarse = stop(none, [].into(), 8);
    assert_eq!(coarse.why, Why::Granularity(8));
    for ended in [stalled, coarse] {
        assert_eq!(test(&ended.best).exit, Exit::Code(0));
    }
}

#[test]
fn a_skipped_phase_is_skipped_at_the_same_place_when_resumed() {
    let requests = [1, 2].map(|seconds| (Duration::from_secs(seconds), Request::Skip));
    let behaviour = Behaviour { slots: 3, requests: requests.into(), ..Behaviour::default() };
    let first = run(behaviour, start(Plan::standard(), Memo::new()), Log::default());
    assert_eq!(first.log.skipped.len(), 2);
    let memo = first.log.outcomes.iter().copied().collect();
    let skips = first.log.skipped.clone();
    let again = run(Behaviour::default(), Start { skips, ..start(Plan::standard(), memo) }, Log::default());
    assert_eq!(again.log.retired, first.log.retired);
    assert_eq!(text(&again.ended), text(&first.ended));
    assert_eq!(again.started, 0, "all was known");
}

#[test]
fn a_pause_changes_nothing_and_its_time_does_not_count() {
    let pause = |seconds| (Duration::from_secs(seconds), Request::Pause);
    // All of it takes some two seconds, without the pause.
    let stops = Stops::default().with_time(Some(Duration::from_secs(500)));
    let behaviour = Behaviour { slots: 3, requests: [pause(1), pause(5000)].into(), ..Behaviour::default() };
    let done = run(behaviour, Start { stops, ..start(Plan::standard(), Memo::new()) }, Log::default());
    assert_eq!(done.ended.why, Why::Done);
    assert!(done.ended.elapsed > Duration::from_secs(4998), "{:?}", done.ended.elapsed);
    assert_eq!(done.log.retired, sequential().log.retired);
    let behaviour =
        Behaviour { requests: [pause(2), (Duration::from_secs(9), Request::Stop)].into(), ..Behaviour::default() };
    let stopped = run(behaviour, start(Plan::standard(), Memo::new()), Log::default());
    assert_eq!(stopped.ended.why, Why::Stopped, "what is paused can be stopped");
}

#[test]
fn the_time_before_the_search_counts() {
    let hour = Duration::from_secs(3600);
    let stopped = |since: Duration, time: Duration| {
        let stops = Stops::default().with_since(Instant::now().checked_sub(since)).with_time(Some(time));
        let start = Start { stops, ..start(Plan::standard(), Memo::new()) };
        run(Behaviour::default(), start, Log::default())
    };
    let over = Duration::from_secs(2);
    let at_once = stopped(over, over);
    assert_eq!((at_once.ended.why.clone(), at_once.log.retired.len()), (Why::Time(over), 0));
    assert_eq!(text(&at_once.ended), POEM.as_bytes());
    assert_eq!(stopped(over, hour).ended.why, Why::Done);
}

#[test]
fn a_pass_that_is_switched_off_is_not_tried_again_and_not_claimed() {
    // The first visit of the first pass is under way.
    let requests = [(Duration::from_millis(500), Request::Disable)];
    let behaviour = Behaviour { slots: 3, requests: requests.into(), ..Behaviour::default() };
    let plan = || Plan { passes: ["lines", "words"].map(named).to_vec(), ..Plan::standard() };
    let first = run(behaviour, start(plan(), Memo::new()), Log::default());
    assert_eq!(first.ended.why, Why::Done);
    assert_eq!(first.ended.evidence.caveats, [Caveat::Disabled { passes: vec!["lines"] }]);
    let Claim::OneMinimal(minimal) = &first.ended.evidence.claim else { panic!("{:?}", first.ended.evidence) };
    assert_eq!(minimal.units, ["words"]);
    // No single word can go, tried without the search.
    let left = String::from_utf8(text(&first.ended)).unwrap();
    assert!(left.contains("crash("), "{left}");
    let memo = first.log.outcomes.iter().copied().collect();
    let skips = first.log.skipped.clone();
    let again = run(Behaviour::default(), Start { skips, ..start(plan(), memo) }, Log::default());
    assert_eq!((again.started, &again.log.retired), (0, &first.log.retired), "resumed, it is switched off there too");
    assert_eq!(again.ended.evidence, first.ended.evidence);
    let only = Plan { passes: vec![named("lines")], ..Plan::standard() };
    let behaviour = Behaviour { requests: requests.into(), ..Behaviour::default() };
    let none = run(behaviour, start(only, Memo::new()), Log::default()).ended;
    assert_eq!(none.evidence.claim, Claim::Fails(Unproved::PhasesSkipped), "nothing is left that was tried");
}

fn named(name: &str) -> Pass {
    Pass::named(name).expect("there is such a pass")
}

#[test]
fn trouble_that_does_not_pass_stops_with_the_best_so_far_and_says_why() {
    let done =
        run(Behaviour { trouble: 1000, ..Behaviour::default() }, start(Plan::standard(), Memo::new()), Log::default());
    assert_eq!(done.ended.why, Why::Trouble("no space is left in the simulation".into()));
    assert!(done.log.troubles > 1, "it is tried again first");
}

#[test]
fn an_observer_that_cannot_write_is_offered_the_event_again() {
    let expected = sequential();
    let log = Log { refuse: 4, ..Log::default() };
    let done = run(Behaviour::default(), start(Plan::standard(), Memo::new()), log);
    assert_eq!(done.ended.why, Why::Done);
    assert_eq!(done.log.troubles, 4);
    assert_eq!(done.log.retired, expected.log.retired);
}

#[test]
fn signals_and_time_limits_are_unresolved_and_other_deaths_are_reported() {
    let done = sequential();
    assert!(done.ended.unresolved > 0);
    assert!(done.log.others > 0);
    assert!(text(&done.ended).windows(6).any(|w| w == b"crash("));
}

#[test]
fn the_book_by_session_with_and_without_the_cache() {
    let line = br#"<SELECT NAME="priority" MULTIPLE SIZE=7>"#;
    let crash = |candidate: &Candidate| {
        let text = String::from_utf8(candidate.artifact().bytes().to_vec()).unwrap();
        let crashes = text.split("<SELECT").skip(1).any(|rest| rest.contains('>'));
        observed(i32::from(!crashes), "")
    };
    let run = |repeats, slots| {
        let plan = Plan::new(vec![Pass::named("chars").unwrap()], Method::Ddmin);
        let reduction = Reduction::new(Artifact::of_file("line.html", line).unwrap(), plan.clone());
        let mut opened = Simulated::open(Behaviour { slots, ..Behaviour::default() }, crash);
        let mut log = Log::default();
        let oracle = Oracle::new(Criterion::ExitZero, InputVocabulary::default());
        let start = Start { inquiry: reduction, repeats, ..start(plan, Memo::new()) };
        let (ended, _) = Session::new(&mut opened, vec![&mut log], Duration::ZERO).search(&oracle, start);
        assert_eq!(text(&ended), b"<SELECT>");
        (ended.asked, ended.repeated, opened.executor.started, log.retired)
    };
    let (asked, repeated, runs, rows) = run(Repeats::RunAgain, 1);
    assert_eq!((asked, repeated, runs), (48, 0, 48), "Example 5.8");
    let (asked, repeated, runs, cached_rows) = run(Repeats::Remembered, 1);
    assert_eq!((asked, repeated, runs), (48, 8, 40), "slides: the cache saves 8 of 48");
    let plain =
        |rows: &[(usize, Outcome, bool)]| rows.iter().map(|(size, outcome, _)| (*size, *outcome)).collect::<Vec<_>>();
    assert_eq!(plain(&rows), plain(&cached_rows));
    for slots in [2, 7] {
        assert_eq!(run(Repeats::RunAgain, slots).3, rows);
    }
}

#[test]
fn no_candidate_is_under_way_twice() {
    let mut tested: HashMap<Key, u32> = HashMap::new();
    let mut opened = Simulated::open(Behaviour { slots: 16, ..Behaviour::default() }, |candidate: &Candidate| {
        *tested.entry(candidate.key()).or_default() += 1;
        test(candidate)
    });
    let oracle = Oracle::new(Criterion::ExitZero, InputVocabulary::default());
    let mut log = Log::default();
    Session::new(&mut opened, vec![&mut log], Duration::ZERO).search(&oracle, start(Plan::standard(), Memo::new()));
    let known: HashMap<Key, u32> = log.outcomes.iter().fold(HashMap::new(), |mut known, (key, _)| {
        *known.entry(*key).or_default() += 1;
        known
    });
    assert!(known.values().all(|times| *times == 1), "an outcome that is known is not asked for again");
}

#[test]
fn a_test_whose_workers_always_die_is_unresolved_in_the_end() {
    let all_lost = Behaviour { lost: 1000, ..Behaviour::default() };
    let done = run(all_lost, start(Plan::standard(), Memo::new()), Log::default());
    assert_eq!(done.ended.why, Why::Done);
    assert!(done.log.retired.iter().all(|(_, outcome, _)| *outcome == Outcome::Unresolved));
    assert_eq!(text(&done.ended), POEM.as_bytes(), "nothing was accepted");
}

/// A session in which runs are late of which this says so: whether it is the first one of its candidate, and what it would
/// say else.
fn with_late(slots: usize, is_late: impl Fn(bool, &Observed) -> bool) -> Done {
    let mut seen = HashSet::new();
    let behaviour = Behaviour { slots, seed: slots as u64, ..Behaviour::default() };
    let mut opened = Simulated::open(behaviour, |candidate: &Candidate| {
        let says = test(candidate);
        if is_late(seen.insert(candidate.key()), &says) { late(false) } else { says }
    });
    let mut log = Log::default();
    let oracle = Oracle::new(Criterion::ExitZero, InputVocabulary::default());
    let start = start(Plan::standard(), Memo::new());
    let (ended, _) = Session::new(&mut opened, vec![&mut log], Duration::ZERO).search(&oracle, start);
    Done { ended, log, started: opened.executor.started }
}

#[test]
fn a_test_that_is_late_beside_others_counts_as_what_it_is_alone() {
    let steady = with_late(1, |_, _| false);
    assert!(steady.ended.timeouts.busy > 0, "some hang, and are seen to be busy with it");
    for slots in [1, 2, 7] {
        let done = with_late(slots, |is_first, says| is_first && says.exit != Exit::Limit(Limit::Time));
        assert_eq!(done.log.retired, steady.log.retired, "{slots} slots");
        assert!(done.ended.timeouts.in_time > 0);
        assert_eq!(done.ended.timeouts.alone, 0);
        assert_eq!(done.ended.timeouts.busy, steady.ended.timeouts.busy);
    }
}

#[test]
fn a_test_that_is_late_alone_too_is_unresolved_at_any_number_of_jobs() {
    let steady = with_late(1, |_, _| false);
    for slots in [1, 2, 7] {
        let done = with_late(slots, |_, says| says.exit == Exit::Limit(Limit::Time));
        assert_eq!(done.log.retired, steady.log.retired, "{slots} slots");
        let timeouts = done.ended.timeouts;
        let seen = (timeouts.busy, timeouts.alone, timeouts.in_time);
        assert_eq!(seen, (0, steady.ended.timeouts.busy, 0));
    }
    let alone = with_late(1, |_, says| says.exit == Exit::Limit(Limit::Time));
    assert_eq!(
        alone.started,
        steady.started + steady.ended.timeouts.busy,
        "each of them was run twice, and nothing else"
    );
}
