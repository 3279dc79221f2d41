//! How often a candidate is run: error rates, numbers of runs and bounds, against theory and by the million.

use proptest::prelude::*;
use reduct_core::Outcome::{self, Fail, Pass, Unresolved};
use reduct_core::laws::Chance;
use reduct_oracle::sampling::{
    Calibration, Calibrator, Further, IN_A_ROW, LEVEL, Policy, Purpose, Side, Tally, Unsuitable, Vote, Votes, at_least,
    at_most,
};

fn policy(r1: f64, r0: f64, error: f64) -> Policy {
    Policy::new(r1, r0, error, error).unwrap()
}

fn fires(chance: &mut Chance, rate: f64) -> bool {
    ((chance.number() >> 11) as f64) < rate * (1u64 << 53) as f64
}

/// Runs a candidate until it is decided: what it is, and how many runs it took.
fn decide(policy: &Policy, rate: f64, chance: &mut Chance) -> (Outcome, u32) {
    let (mut fired, mut silent) = (0, 0);
    loop {
        if fires(chance, rate) {
            fired += 1
        } else {
            silent += 1
        }
        if let Some(outcome) = policy.decide(fired, silent) {
            return (outcome, fired + silent);
        }
    }
}

const POLICIES: [(f64, f64, f64); 5] =
    [(0.5, 0.2, 0.01), (0.31, 0.05, 0.01), (0.9, 0.45, 0.05), (0.2, 0.1, 0.05), (0.31, 0.0, 0.001)];

#[test]
fn where_nothing_else_fires_one_firing_is_proof_and_enough_silence_rejects() {
    // The numbers of runs are those published for 1 %.
    for (rate, runs) in [(0.2, 21), (0.5, 7), (0.8, 3)] {
        let policy = policy(rate, 0.0, 0.01);
        for silent in 0..runs {
            assert_eq!(policy.decide(0, silent), None);
            assert_eq!(policy.decide(1, silent), Some(Fail));
            assert_eq!(policy.silent_to_go(0, silent), runs - silent);
        }
        assert_eq!(policy.decide(0, runs), Some(Pass));
        assert_eq!(policy.most(), runs);
    }
}

#[test]
fn simulated_by_the_million_error_rates_are_kept_and_the_course_is_what_happens() {
    const TIMES: u32 = 1_000_000;
    for (at, (r1, r0, error)) in POLICIES.into_iter().enumerate() {
        let policy = policy(r1, r0, error);
        for rate in [r1, r0, f64::midpoint(r1, r0)] {
            let (mut chance, mut failed, mut passed, mut runs) = (Chance(at as u64), 0, 0, 0u64);
            for _ in 0..TIMES {
                let (outcome, took) = decide(&policy, rate, &mut chance);
                failed += u32::from(outcome == Fail);
                passed += u32::from(outcome == Pass);
                runs += u64::from(took);
                assert!(took <= policy.most());
            }
            let course = policy.operating_characteristic(rate);
            let [failed, passed, runs] = [f64::from(failed), f64::from(passed), runs as f64].map(|sum| sum / 1e6);
            // Five standard deviations of a share of a million; of a mean whose deviation is below its fivefold.
            assert!((failed - course.fails).abs() < 0.0025, "{r1} {r0} at {rate}: {failed} {course:?}");
            assert!((passed - course.passes).abs() < 0.0025, "{r1} {r0} at {rate}: {passed} {course:?}");
            assert!((runs / course.runs - 1.0).abs() < 0.025, "{r1} {r0} at {rate}: {runs} {course:?}");
            let slack = 5.0 * (error / 1e6).sqrt();
            assert!(rate != r0 || failed <= error + slack, "what does not fail is taken for failing: {failed}");
            assert!(rate != r1 || passed <= error + slack, "what fails is taken for passing: {passed}");
        }
    }
}

#[test]
fn error_rates_are_kept_exactly_and_the_more_so_the_clearer_it_is() {
    for (r1, r0, error) in POLICIES {
        let policy = policy(r1, r0, error);
        assert!(policy.operating_characteristic(r0).fails <= error);
        assert!(policy.operating_characteristic(r1).passes <= error);
        for rate in [r1, r0] {
            assert!(policy.operating_characteristic(rate).unclear <= error / 10.0, "at the bound it is clear");
        }
        let mut last = policy.operating_characteristic(0.0);
        for step in 1..=20 {
            let next = policy.operating_characteristic(f64::from(step) / 20.0);
            assert!((next.fails + next.passes + next.unclear - 1.0).abs() < 1e-9);
            assert!(next.fails >= last.fails - 1e-12 && next.passes <= last.passes + 1e-12);
            last = next;
        }
        assert!(
            (policy.operating_characteristic(0.0).passes - 1.0).abs() < 1e-12
                && (policy.operating_characteristic(1.0).fails - 1.0).abs() < 1e-12
        );
    }
}

#[test]
fn what_is_accepted_hastily_is_seldom_what_passes_and_takes_few_runs() {
    for (r1, r0, passing) in [(0.8, 0.4, 0.016), (0.4, 0.2, 0.016), (0.22, 0.11, 0.008), (0.4, 0.2, 0.03)] {
        let usual = policy(r1, r0, 0.0001).where_passing_fires(passing).provisional();
        let hasty = usual.hasty();
        // The likelihood ratio of a sequence passes 1 / a with a probability of at most a, where the lower rate is right (Ville).
        assert!(hasty.operating_characteristic(passing).fails <= 0.01, "{r1} {passing}");
        let [quick, sure] = [hasty, usual].map(|policy| policy.operating_characteristic(r1));
        assert!(quick.passes <= usual.beta() && quick.runs * 3.0 < sure.runs, "{r1}: {quick:?} {sure:?}");
        // What passes is given up as soon as before.
        let [quick, sure] = [hasty, usual].map(|policy| policy.operating_characteristic(0.0));
        assert!((quick.runs - sure.runs).abs() < 1e-9 && quick.passes > 0.999_999);
        assert_eq!(hasty.decide(0, 1), usual.decide(0, 1));
    }
    // What is not known to fire more seldom than the floor is not accepted sooner.
    let policy = policy(0.4, 0.2, 0.0001);
    assert_eq!(policy.hasty(), policy);
    assert_eq!(policy.where_passing_fires(0.2).hasty(), policy);
}

#[test]
fn the_number_of_runs_is_that_of_walds_identity() {
    // The mean evidence at the end is the mean number of runs times the evidence of one. At the end it is at a
    // threshold, or past it by the evidence of the last run at most.
    for (r1, r0, error) in POLICIES.into_iter().filter(|(_, r0, _)| *r0 > 0.0) {
        let policy = policy(r1, r0, error);
        let (up, down) = ((r1 / r0).ln(), ((1.0 - r1) / (1.0 - r0)).ln());
        let threshold = -error.ln();
        for (rate, far, near) in [(r1, up, down), (r0, -down, -up)] {
            let of_one = (rate * up + (1.0 - rate) * down).abs();
            let least = ((1.0 - 1.1 * error) * threshold - 1.1 * error * (threshold - near)) / of_one;
            let most = (threshold + far) / of_one;
            let runs = policy.operating_characteristic(rate).runs;
            assert!((least..=most).contains(&runs), "{r1} {r0} at {rate}: {least} {runs} {most}");
        }
    }
    // Published for 1 %: about 20 runs and 23; the last run of each is more than was needed.
    let policy = policy(0.5, 0.2, 0.01);
    assert!((19.5..24.5).contains(&policy.operating_characteristic(0.5).runs));
    assert!((22.5..26.0).contains(&policy.operating_characteristic(0.2).runs));
}

#[test]
fn bounds_on_a_rate_are_the_published_ones() {
    // Two-sided intervals at 95 %: each side at 97.5 %.
    let published = [(5, 10, 0.1871, 0.8129), (1, 10, 0.0025, 0.4450), (10, 100, 0.0490, 0.1762)];
    for (fired, runs, low, high) in published {
        assert!((at_least(fired, runs, 0.975) - low).abs() < 6e-5, "{fired} of {runs}");
        assert!((at_most(fired, runs, 0.975) - high).abs() < 6e-5, "{fired} of {runs}");
    }
    for runs in [1, 2, 30, 100, 1000] {
        let exactly =
            |bound: f64, expected: f64| assert!((bound - expected).abs() < 1e-9, "{runs}: {bound} {expected}");
        exactly(at_least(runs, runs, 0.95), 0.05f64.powf(1.0 / f64::from(runs)));
        exactly(at_least(1, runs, 0.95), 1.0 - 0.95f64.powf(1.0 / f64::from(runs)));
        exactly(at_most(0, runs, 0.95), 1.0 - 0.05f64.powf(1.0 / f64::from(runs)));
        assert_eq!((at_least(0, runs, 0.95), at_most(runs, runs, 0.95)), (0.0, 1.0));
    }
}

#[test]
fn bounds_hold_at_their_level_whatever_the_rate_is() {
    for runs in [5, 30, 60] {
        for step in 1..50 {
            let rate = f64::from(step) / 50.0;
            // How likely each count is, by Pascal's way: one run after the other.
            let mut likely = vec![1.0];
            for _ in 0..runs {
                let mut next = vec![0.0; likely.len() + 1];
                for (fired, one) in likely.iter().enumerate() {
                    next[fired] += one * (1.0 - rate);
                    next[fired + 1] += one * rate;
                }
                likely = next;
            }
            let wrong = |is_wrong: &dyn Fn(u32) -> bool| -> f64 {
                (0..=runs).zip(&likely).filter(|(fired, _)| is_wrong(*fired)).map(|(_, one)| one).sum()
            };
            assert!(wrong(&|fired| at_least(fired, runs, LEVEL) > rate) <= 0.05 + 1e-9);
            assert!(wrong(&|fired| at_most(fired, runs, LEVEL) < rate) <= 0.05 + 1e-9);
        }
    }
}

#[test]
fn what_cannot_be_told_apart_has_no_policy() {
    assert!(matches!(Policy::new(0.2, 0.2, 0.01, 0.01), Err(Unsuitable::TooAlike { .. })));
    assert!(matches!(Policy::new(0.0, 0.0, 0.01, 0.01), Err(Unsuitable::TooAlike { .. })));
    assert!(matches!(Policy::new(0.2, 0.199, 0.01, 0.01), Err(Unsuitable::TooManyRuns(_))));
    assert_eq!(Policy::new(1.5, 0.2, 0.01, 0.01), Err(Unsuitable::NoShare(1.5)));
    assert_eq!(Policy::new(0.5, 0.2, 0.01, 0.7), Err(Unsuitable::NoErrorRate(0.7)));
    assert!(Policy::new(f64::NAN, 0.2, 0.01, 0.01).is_err());
    // What always fires is sure after the first silence.
    assert_eq!(policy(1.0, 0.0, 0.01).decide(0, 1), Some(Pass));
    let rare = Calibration { failing: (3, 100), passing: None, level: LEVEL };
    assert!(matches!(rare.policy(Purpose::Isolate, 10), Err(Unsuitable::TooRare(_))));
    let alike = Calibration { failing: (30, 100), passing: Some((25, 100)), level: LEVEL };
    for purpose in [Purpose::Reduce, Purpose::Isolate] {
        assert!(matches!(alike.policy(purpose, 10), Err(Unsuitable::TooAlike { .. })));
    }
}

#[test]
fn a_reduction_has_a_floor_and_an_isolation_has_none() {
    let counted = Calibration { failing: (50, 100), passing: Some((0, 100)), level: LEVEL };
    let (r1, r0) = (at_least(50, 100, LEVEL), at_most(0, 100, LEVEL));
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-8, "{a} {b}");
    let reduce = counted.policy(Purpose::Reduce, 40).unwrap();
    let isolate = counted.policy(Purpose::Isolate, 40).unwrap();
    near(reduce.r1(), r1);
    near(reduce.r0(), r1 / 2.0);
    near(isolate.r1(), r1);
    near(isolate.r0(), r0);
    // So a version that fails in a tenth of the cases is not taken for one that passes as readily.
    assert!(isolate.operating_characteristic(0.1).passes < reduce.operating_characteristic(0.1).passes);
    let sure = Calibration { passing: None, ..counted };
    assert_eq!(sure.policy(Purpose::Isolate, 40).unwrap().r0(), 0.0);
    near(sure.policy(Purpose::Reduce, 40).unwrap().r0(), r1 / 2.0);
    for decisions in [1, 14, 1000] {
        let policy = counted.policy(Purpose::Isolate, decisions).unwrap();
        assert!(policy.error() * f64::from(decisions) <= 0.01);
    }
}

/// Runs both sides until it is enough: the calibrator, and how often the sides were run.
fn calibrated(purpose: Purpose, mut run: impl FnMut(Side) -> Outcome) -> (Calibrator, Further) {
    let (mut calibrator, mut all) = (Calibrator::new(purpose, true), Further::default());
    loop {
        let wanted = calibrator.wanted();
        if wanted.is_enough() {
            return (calibrator, all);
        }
        (0..wanted.failing).for_each(|_| calibrator.count(Side::Failing, run(Side::Failing)));
        (0..wanted.passing).for_each(|_| calibrator.count(Side::Passing, run(Side::Passing)));
        all.failing += wanted.failing;
        all.passing += wanted.passing;
        assert!(all.failing <= 300 && all.passing <= 300, "it ends");
    }
}

#[test]
fn a_calibration_stops_early_where_more_is_of_no_use() {
    let always = |side| if side == Side::Failing { Fail } else { Pass };
    assert_eq!(calibrated(Purpose::Reduce, always).1, Further { failing: 30, passing: 30 });
    let (calibrator, runs) = calibrated(Purpose::Isolate, always);
    assert_eq!(runs.failing, 30);
    assert!((31..=100).contains(&runs.passing), "the passing side has to be known better");
    assert!(calibrator.policy(14).unwrap().r0() <= 0.1 * calibrator.policy(14).unwrap().r1() + 1e-8);
    // Every fourth time: nothing short of all runs is near.
    let mut count = 0;
    let (_, runs) = calibrated(Purpose::Reduce, |side| {
        count += 1;
        if side == Side::Failing && count % 4 == 0 { Fail } else { Pass }
    });
    assert_eq!(runs.failing, 100);
}

#[test]
fn a_calibration_that_cannot_succeed_ends_and_says_why() {
    let (never, _) = calibrated(Purpose::Reduce, |_| Pass);
    assert_eq!(never.policy(10), Err(Unsuitable::TooRare(0.0)));
    let (mute, _) = calibrated(Purpose::Reduce, |_| Unresolved);
    assert_eq!(mute.policy(10), Err(Unsuitable::CannotTell(0)));
    let (both, _) = calibrated(Purpose::Isolate, |_| Fail);
    assert!(matches!(both.policy(10), Err(Unsuitable::TooAlike { .. })));
    let (one_sided, _) = calibrated(Purpose::Isolate, |side| if side == Side::Failing { Fail } else { Unresolved });
    assert_eq!(one_sided.policy(10), Err(Unsuitable::CannotTell(0)));
}

#[test]
fn looking_several_times_does_not_make_the_bounds_wrong_more_often() {
    const TIMES: u32 = 2000;
    for rate in [0.3, 0.5, 0.8, 0.95] {
        let (mut chance, mut wrong) = (Chance(7), 0);
        for _ in 0..TIMES {
            let (calibrator, _) = calibrated(Purpose::Reduce, |side| {
                if side == Side::Failing && fires(&mut chance, rate) { Fail } else { Pass }
            });
            wrong += u32::from(calibrator.calibration().failing_rate() > rate);
        }
        // 5 % and five standard deviations.
        assert!(f64::from(wrong) / f64::from(TIMES) < 0.05 + 0.025, "{rate}: {wrong}");
    }
}

fn votes_of(outcomes: &[Outcome]) -> Votes {
    let mut votes = Votes::default();
    for (number, outcome) in (0..).zip(outcomes) {
        votes.put(number, Vote { outcome: *outcome, limited: false });
    }
    votes
}

#[test]
fn what_never_tells_is_unresolved_and_what_does_not_tell_now_and_then_is_not() {
    let policy = policy(0.5, 0.0, 0.01);
    let mute = [Unresolved; IN_A_ROW as usize];
    assert_eq!(votes_of(&mute[1..]).decide(&policy), None);
    let tally = Tally { unresolved: IN_A_ROW, ..Tally::default() };
    assert_eq!(votes_of(&mute).decide(&policy), Some((Unresolved, tally)));
    let mut now_and_then = vec![];
    for _ in 0..7 {
        now_and_then.extend([Unresolved, Unresolved, Pass]);
    }
    let tally = Tally { silent: 7, unresolved: 14, ..Tally::default() };
    assert_eq!(votes_of(&now_and_then).decide(&policy), Some((Pass, tally)));
    now_and_then[19] = Fail;
    let tally = Tally { fired: 1, silent: 6, unresolved: 13, ..Tally::default() };
    assert_eq!(votes_of(&now_and_then).decide(&policy), Some((Fail, tally)));
}

fn any_outcome() -> impl Strategy<Value = Outcome> {
    prop_oneof![4 => Just(Pass), 3 => Just(Fail), 1 => Just(Unresolved)]
}

proptest! {
    #[test]
    fn in_whatever_order_runs_end_they_decide_the_same(
        outcomes in prop::collection::vec(any_outcome(), 60),
        order in Just((0..60u32).collect::<Vec<_>>()).prop_shuffle(),
        at in 0..POLICIES.len(),
    ) {
        let (r1, r0, error) = POLICIES[at];
        let policy = policy(r1, r0, error);
        // One after the other, until it is decided.
        let first = (1..=outcomes.len()).find_map(|count| votes_of(&outcomes[..count]).decide(&policy).map(|s| (count, s)));
        let mut votes = Votes::default();
        let mut there = vec![];
        for number in order {
            votes.put(number, Vote { outcome: outcomes[number as usize], limited: false });
            there.push(number);
            let needed = first.filter(|(count, _)| (0..*count as u32).all(|number| there.contains(&number)));
            prop_assert_eq!(votes.decide(&policy), needed.map(|(_, decided)| decided));
            prop_assert_eq!(votes.open().next(), (0..).find(|number| !there.contains(number)));
        }
    }

    #[test]
    fn a_policy_that_was_written_down_is_the_same(r1 in 0.1..1.0f64, share in 0.0..0.6f64, error in 1e-6..0.1f64) {
        let policy = Policy::new(r1, r1 * share, error, error / 3.0).unwrap();
        let text = serde_json::to_string(&policy).unwrap();
        prop_assert_eq!(serde_json::from_str::<Policy>(&text).unwrap(), policy);
        prop_assert_eq!(serde_json::to_string(&serde_json::from_str::<Policy>(&text).unwrap()).unwrap(), text);
    }
}

#[test]
fn a_journal_cannot_hold_a_policy_that_is_none() {
    assert!(serde_json::from_str::<Policy>(r#"{"r1":0.2,"r0":0.4,"alpha":0.01,"beta":0.01}"#).is_err());
}
