//! The oracle, from recorded observations.

use reduct_core::Outcome::{Fail, Pass, Unresolved};
use reduct_run::executor::{Exit, Limit, Observed};
use reduct_run::oracle::condition::{BadCondition, Condition};
use reduct_run::oracle::signature::{Signature, Words};
use reduct_run::oracle::{Oracle, Reading};
use std::time::Duration;

fn seen(exit: Exit, stderr: &str) -> Observed {
    Observed { exit, stdout: vec![], stderr: stderr.into(), elapsed: Duration::ZERO }
}

fn same(reference: &Observed) -> Oracle {
    Oracle::new(Reading::Same(Signature::of(reference, &Words::default())), Words::default())
}

#[test]
fn by_convention_zero_fails_and_what_cannot_tell_is_unresolved() {
    let oracle = Oracle::new(Reading::ExitZero, Words::default());
    let cases = [
        (Exit::Code(0), Fail),
        (Exit::Code(1), Pass),
        (Exit::Code(2), Pass),
        (Exit::Code(77), Unresolved),
        (Exit::Code(125), Unresolved),
        (Exit::Code(126), Unresolved),
        (Exit::Code(127), Unresolved),
        (Exit::Signal(9), Unresolved),
        (Exit::Signal(11), Unresolved),
        (Exit::Limit(Limit::Time), Unresolved),
        (Exit::Limit(Limit::Memory), Unresolved),
        (Exit::NotStarted("no such file".into()), Unresolved),
        (Exit::NotBuilt("exit status 2".into()), Unresolved),
    ];
    for (exit, outcome) in cases {
        assert_eq!(oracle.verdict(&seen(exit.clone(), "")).outcome, outcome, "{exit:?}");
    }
}

#[test]
fn the_first_run_says_what_the_failure_is() {
    let words = Words::default();
    let read = |exit| Oracle::read_first(&seen(exit, "boom: error 3"), &words);
    assert_eq!(read(Exit::Code(0)), Some(Reading::ExitZero));
    for exit in [Exit::Code(1), Exit::Code(139), Exit::Signal(11), Exit::Limit(Limit::Time)] {
        assert!(matches!(read(exit.clone()), Some(Reading::Same(s)) if s.exit == exit));
    }
    for exit in [Exit::Code(125), Exit::Code(127), Exit::NotStarted(String::new()), Exit::Limit(Limit::Memory)] {
        assert_eq!(read(exit), None);
    }
}

#[test]
fn slippage_is_refused_and_reported() {
    let oracle = same(&seen(Exit::Signal(6), "a.c:3: f: Assertion `x > 0' failed."));
    let again = oracle.verdict(&seen(Exit::Signal(6), "a.c:17: f: Assertion `y > 0' failed."));
    assert_eq!((again.outcome, again.other), (Fail, None));
    let elsewhere = oracle.verdict(&seen(Exit::Signal(6), "a.c:3: main: stack is not empty, aborted"));
    assert_eq!(elsewhere.outcome, Unresolved);
    assert!(elsewhere.other.unwrap().contains("stack is not empty"));
    let otherwise = oracle.verdict(&seen(Exit::Signal(11), ""));
    assert_eq!(otherwise.outcome, Unresolved);
    assert!(otherwise.other.unwrap().contains("SIGSEGV"));
    assert_eq!(oracle.verdict(&seen(Exit::Code(0), "")).outcome, Pass);
    let harmless = oracle.verdict(&seen(Exit::Code(1), "syntax error"));
    assert_eq!((harmless.outcome, harmless.other), (Unresolved, None), "an ordinary complaint is no find");
}

#[test]
fn a_death_while_the_failure_is_exit_zero_is_reported_but_never_accepted() {
    let verdict = Oracle::new(Reading::ExitZero, Words::default()).verdict(&seen(Exit::Signal(9), ""));
    assert_eq!(verdict.outcome, Unresolved);
    assert!(verdict.other.is_some());
}

#[test]
fn conditions_are_read_and_hold() {
    let crash = seen(Exit::Signal(11), "frame 3: in f\n");
    let holds = |text: &str, observed: &Observed| text.parse::<Condition>().unwrap().holds(observed);
    for text in
        ["signal=SEGV", "signal=SIGSEGV", "signal=11", "stderr~frame \\d+", "output~in f$?", "!exit=0", "!timeout"]
    {
        assert!(holds(text, &crash), "{text}");
    }
    for text in ["signal=ABRT", "exit=1", "timeout", "stdout~frame", "!stderr~frame"] {
        assert!(!holds(text, &crash), "{text}");
    }
    assert!(holds("timeout", &seen(Exit::Limit(Limit::Time), "")));
    for text in ["exit=1", "signal=SEGV", "!stderr~a b", "timeout", "output~x"] {
        assert_eq!(text.parse::<Condition>().unwrap().to_string(), text);
    }
}

#[test]
fn bad_conditions_say_what_is_wrong() {
    let error = |text: &str| text.parse::<Condition>().unwrap_err();
    assert!(matches!(error("exit=300"), BadCondition::Status(_)));
    assert!(matches!(error("signal=NOSE"), BadCondition::Signal(_)));
    assert!(matches!(error("stderr~("), BadCondition::Regex(..)));
    assert!(matches!(error("crash"), BadCondition::Form(_)));
    assert!(matches!(error("stdin~x"), BadCondition::Form(_)));
}

#[test]
fn with_conditions_what_holds_fails_and_the_rest_is_read_by_convention() {
    let conditions = vec!["exit=1".parse().unwrap(), "stderr~tree".parse().unwrap()];
    let oracle = Oracle::new(Reading::Conditions(conditions), Words::default());
    assert_eq!(oracle.verdict(&seen(Exit::Code(1), "bad tree")).outcome, Fail);
    assert_eq!(oracle.verdict(&seen(Exit::Code(1), "bad list")).outcome, Pass);
    assert_eq!(oracle.verdict(&seen(Exit::Code(125), "bad tree")).outcome, Unresolved);
    assert_eq!(oracle.verdict(&seen(Exit::Signal(11), "bad tree")).outcome, Unresolved);
}

#[test]
fn what_cannot_tell_is_not_the_failure_because_another_end_is_excluded() {
    let verdict = |condition: &str, exit| {
        let oracle = Oracle::new(Reading::Conditions(vec![condition.parse().unwrap()]), Words::default());
        oracle.verdict(&seen(exit, "")).outcome
    };
    assert_eq!(verdict("!exit=0", Exit::Code(1)), Fail);
    assert_eq!(verdict("!exit=0", Exit::Signal(11)), Fail);
    assert_eq!(verdict("!exit=0", Exit::Code(125)), Unresolved);
    assert_eq!(verdict("!stdout~ok", Exit::Limit(Limit::Time)), Unresolved);
    assert_eq!(verdict("exit=125", Exit::Code(125)), Fail);
    assert_eq!(verdict("timeout", Exit::Limit(Limit::Time)), Fail);
}

#[test]
fn what_was_not_built_says_nothing_whatever_the_build_says() {
    let crash = seen(Exit::Code(2), "error: stack is not empty");
    let not_built = Observed { exit: Exit::NotBuilt("exit status 2".into()), ..crash.clone() };
    assert_eq!(Oracle::read_first(&not_built, &Words::default()), None);
    let conditions = ["exit=2", "!exit=0", "stderr~stack", "!stdout~ok", "timeout"];
    let readings = conditions.iter().map(|one| Reading::Conditions(vec![one.parse().unwrap()]));
    let oracles = readings.map(|reading| Oracle::new(reading, Words::default()));
    // Not even if it is what was seen first.
    for oracle in oracles.chain([same(&crash), same(&not_built), Oracle::new(Reading::ExitZero, Words::default())]) {
        let verdict = oracle.verdict(&not_built);
        assert_eq!((verdict.outcome, verdict.other), (Unresolved, None), "{:?}", oracle.reading());
    }
}
