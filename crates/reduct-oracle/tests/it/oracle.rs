//! The oracle, from recorded observations.

use reduct_core::Outcome::{Fail, Pass, Unresolved};
use reduct_input::{Artifact, Candidate};
use reduct_oracle::condition::{BadCondition, Condition};
use reduct_oracle::signature::{InputVocabulary, Signature};
use reduct_oracle::{Criterion, Oracle};
use reduct_oracle::{Exit, Limit, Observed, Ran};
use std::time::Duration;

fn seen(exit: Exit, stderr: &str) -> Observed {
    Observed { exit, stdout: vec![], stderr: stderr.into(), elapsed: Duration::ZERO, also: Default::default() }
}

fn same(reference: &Observed) -> Oracle {
    Oracle::new(Criterion::Same(Signature::of(reference, &InputVocabulary::default())), InputVocabulary::default())
}

#[test]
fn by_convention_zero_fails_and_what_cannot_tell_is_unresolved() {
    let oracle = Oracle::new(Criterion::ExitZero, InputVocabulary::default());
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
    let words = InputVocabulary::default();
    let read = |exit| Oracle::read_first(&seen(exit, "boom: error 3"), &words);
    assert_eq!(read(Exit::Code(0)), Some(Criterion::ExitZero));
    for exit in [Exit::Code(1), Exit::Code(139), Exit::Signal(11), Exit::Limit(Limit::Time)] {
        assert!(matches!(read(exit.clone()), Some(Criterion::Same(s)) if s.exit == exit));
    }
    for exit in [Exit::Code(125), Exit::Code(127), Exit::NotStarted(String::new()), Exit::Limit(Limit::Memory)] {
        assert_eq!(read(exit), None);
    }
}

#[test]
fn slippage_is_refused_and_reported() {
    let oracle = same(&seen(Exit::Signal(6), "a.c:3: f: Assertion `x > 0' failed."));
    let again = oracle.verdict(&seen(Exit::Signal(6), "a.c:17: f: Assertion `x > 0' failed."));
    assert_eq!((again.outcome, again.other), (Fail, None));
    // The expression is the program's, not the input's.
    let another = oracle.verdict(&seen(Exit::Signal(6), "a.c:17: f: Assertion `y > 0' failed."));
    assert_eq!(another.outcome, Unresolved);
    assert!(another.other.unwrap().contains("assertion in a.c: y > N"));
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
    let verdict = Oracle::new(Criterion::ExitZero, InputVocabulary::default()).verdict(&seen(Exit::Signal(9), ""));
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
    let oracle = Oracle::new(Criterion::Conditions(conditions), InputVocabulary::default());
    assert_eq!(oracle.verdict(&seen(Exit::Code(1), "bad tree")).outcome, Fail);
    assert_eq!(oracle.verdict(&seen(Exit::Code(1), "bad list")).outcome, Pass);
    assert_eq!(oracle.verdict(&seen(Exit::Code(125), "bad tree")).outcome, Unresolved);
    assert_eq!(oracle.verdict(&seen(Exit::Signal(11), "bad tree")).outcome, Unresolved);
}

#[test]
fn what_cannot_tell_is_not_the_failure_because_another_end_is_excluded() {
    let verdict = |condition: &str, exit| {
        let oracle = Oracle::new(Criterion::Conditions(vec![condition.parse().unwrap()]), InputVocabulary::default());
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
    assert_eq!(Oracle::read_first(&not_built, &InputVocabulary::default()), None);
    let conditions = ["exit=2", "!exit=0", "stderr~stack", "!stdout~ok", "timeout"];
    let readings = conditions.iter().map(|one| Criterion::Conditions(vec![one.parse().unwrap()]));
    let oracles = readings.map(|reading| Oracle::new(reading, InputVocabulary::default()));
    // Not even if it is what was seen first.
    for oracle in
        oracles.chain([same(&crash), same(&not_built), Oracle::new(Criterion::ExitZero, InputVocabulary::default())])
    {
        let verdict = oracle.verdict(&not_built);
        assert_eq!((verdict.outcome, verdict.other), (Unresolved, None), "{:?}", oracle.reading());
    }
}

/// What the first run on a version that fails means: a script speaks git's convention, a program that says what
/// is wrong with it does not.
#[test]
fn versions_are_read_as_git_bisect_has_it() {
    let words = InputVocabulary::default();
    let read = |code, stderr: &str| Oracle::read_version(&seen(Exit::Code(code), stderr), &words);
    assert_eq!(read(0, ""), None);
    assert_eq!(read(125, ""), None);
    for stderr in ["", "got: 17\n", "FAILED: error in 3 of 4\n"] {
        assert_eq!(read(1, stderr), Some(Criterion::Bisect), "{stderr}");
    }
    let raised = "Traceback (most recent call last):\n  File \"x\", line 1\nValueError: no\n";
    assert!(matches!(read(1, raised), Some(Criterion::Same(_))));
    assert!(matches!(read(134, ""), Some(Criterion::Same(_))));
    let oracle = Oracle::new(Criterion::Bisect, words.clone());
    let outcome = |code| oracle.verdict(&seen(Exit::Code(code), "")).outcome;
    assert_eq!(outcome(0), Pass);
    assert!([1, 2, 77, 124].into_iter().all(|code| outcome(code) == Fail));
    assert!([125, 126, 127, 128, 134, 255].into_iter().all(|code| outcome(code) == Unresolved));
}

/// What gdb would say of a death here.
fn died_in(functions: &[&str]) -> Observed {
    let frames = functions.iter().enumerate().map(|(at, name)| format!("#{at}  {name} (n=...) at x.c:{at}\n"));
    let mut observed = seen(Exit::Signal(11), "");
    observed.also.backtrace = Some(Ok(frames.collect()));
    observed
}

#[test]
fn another_place_is_another_failure_and_an_unknown_one_is_not_accepted() {
    let oracle = same(&died_in(&["raise", "f", "g", "g", "h", "main"]));
    assert_eq!(oracle.reading().describe(), "death by SIGSEGV in f ← g ← h");
    // A recursion may be less deep, and what is further out does not count.
    assert_eq!(oracle.verdict(&died_in(&["f", "g", "h", "k"])).outcome, Fail);
    let other = oracle.verdict(&died_in(&["g", "h"]));
    assert_eq!((other.outcome, other.other.as_deref()), (Unresolved, Some("death by SIGSEGV in g ← h")));
    let unknown = oracle.verdict(&seen(Exit::Signal(11), ""));
    assert_eq!((unknown.outcome, unknown.other), (Unresolved, None));
    assert_eq!(oracle.verdict(&seen(Exit::Code(0), "")).outcome, Pass);
}

#[test]
fn what_differs_between_two_runs_does_not_count() {
    let words = InputVocabulary::default();
    let [one, other] = [died_in(&["f", "main"]), died_in(&["g", "main"])].map(|it| Signature::of(&it, &words));
    assert!(one.clone().common(&other).frames.is_empty());
    assert_eq!(one.clone().common(&one), one);
    let panic = |message: &str| seen(Exit::Code(101), &format!("thread 'main' panicked at src/a.rs:1:2:\n{message}\n"));
    let [one, other] = [panic("no egg"), panic("no ham")].map(|it| Signature::of(&it, &words));
    let common = one.common(&other);
    assert_eq!(common.to_string(), "exit status 101 saying “panic” in a.rs");
    assert!(other.matches(&common));
}

#[test]
fn functions_that_the_input_names_do_not_tell() {
    let words = InputVocabulary::of(b"int f(void); int g(void);");
    let signature = |functions: &[&str]| Signature::of(&died_in(functions), &words);
    assert_eq!(signature(&["f", "library", "main"]), signature(&["g", "library", "main"]));
    let frames = signature(&["f", "library", "main"]).frames;
    assert_eq!(frames.iter().map(|spot| &*spot.name).collect::<Vec<_>>(), ["library", "main"]);
}

/// An edit gives a function a name that the input does not have: it is a function of the input nevertheless.
#[test]
fn where_only_the_stack_tells_functions_may_get_new_names() {
    let words = InputVocabulary::of(b"int recurse(void); int main(void);");
    let oracle = |reference: &Observed| {
        let same = serde_json::to_string(&Criterion::Same(Signature::of(reference, &words))).unwrap();
        Oracle::new(serde_json::from_str(&same).unwrap(), words.clone())
    };
    let own = oracle(&died_in(&["recurse", "main"]));
    assert_eq!(own.reading().describe(), "death by SIGSEGV in a function that the input names");
    // Where it dies is told by the names that it has in each run.
    let Criterion::Same(first) = own.reading() else { panic!("of a first run") };
    assert_eq!(first.in_full().as_deref(), Some("death in recurse at x.c:0"));
    assert_eq!(own.in_full(&died_in(&["raise", "a", "main"])).as_deref(), Some("death in raise ← a at x.c:1"));
    assert_eq!(own.in_full(&seen(Exit::Signal(11), "")), None);
    let deep = ["recurse"; 70];
    let endless = oracle(&died_in(&deep));
    for (functions, is_own, is_endless) in [
        (&["a", "main"][..], Fail, Unresolved),
        (&["a"; 70], Unresolved, Fail),
        (&["strlen", "a", "main"], Unresolved, Unresolved),
    ] {
        let [seen_own, seen_endless] = [&own, &endless].map(|oracle| oracle.verdict(&died_in(functions)).outcome);
        assert_eq!((seen_own, seen_endless), (is_own, is_endless), "{functions:?}");
    }
}

#[test]
fn signatures_of_older_journals_still_tell() {
    let old = r#"{"Same":{"exit":{"Code":1},"text":"KeyError: '…'"}}"#;
    let oracle = Oracle::new(serde_json::from_str(old).unwrap(), InputVocabulary::default());
    let trace =
        |error| seen(Exit::Code(1), &format!("Traceback (most recent call last):\n  File \"x\", line 1\n{error}\n"));
    assert_eq!(oracle.verdict(&trace("KeyError: 'b'")).outcome, Fail);
    assert_eq!(oracle.verdict(&trace("ValueError: 'b'")).outcome, Unresolved);
}

#[test]
fn conditions_are_written_as_they_are_read() {
    for text in [
        "slower-than=2s",
        "slower-than=1500ms",
        "memory-over=1G",
        "!memory-over=1000",
        "frame~^f$",
        "differs-from cat {}",
    ] {
        assert_eq!(text.parse::<Condition>().unwrap().to_string(), text);
    }
    assert_eq!("memory-over=1.5GiB".parse::<Condition>().unwrap().memory(), Some(3 << 29));
    for text in ["slower-than=2x", "memory-over=much", "slower-than=-1s", "frame~("] {
        assert!(text.parse::<Condition>().is_err(), "{text}");
    }
}

#[test]
fn a_difference_counts_only_if_the_other_command_accepts() {
    let oracle =
        Oracle::new(Criterion::Conditions(vec![Condition::differs_from("cat".into())]), InputVocabulary::default());
    let outcome = |exit: Exit, other: Option<(Exit, &[u8])>| {
        let mut observed = seen(exit, "");
        observed.also.reference = other.map(|(exit, stdout)| Box::new(Ran { exit, stdout: stdout.into() }));
        oracle.verdict(&observed).outcome
    };
    let ok = || Exit::Code(0);
    assert_eq!(outcome(ok(), Some((ok(), b""))), Pass);
    assert_eq!(outcome(ok(), Some((ok(), b"x"))), Fail);
    assert_eq!(outcome(Exit::Signal(11), Some((ok(), b""))), Fail);
    for refused in [Exit::Code(1), Exit::Signal(11), Exit::Limit(Limit::Time)] {
        assert_eq!(outcome(Exit::Code(1), Some((refused, b"x"))), Unresolved);
    }
    assert_eq!(outcome(ok(), None), Unresolved);
    assert_eq!(outcome(Exit::Limit(Limit::Time), Some((ok(), b"x"))), Unresolved);
}

#[test]
fn a_place_that_was_not_measured_is_neither_here_nor_there() {
    let outcome = |condition: &str, exit: Exit, backtrace: Option<Result<String, String>>| {
        let conditions = vec![condition.parse().unwrap()];
        let oracle = Oracle::new(Criterion::Conditions(conditions), InputVocabulary::default());
        let mut observed = seen(exit, "");
        observed.also.backtrace = backtrace;
        oracle.verdict(&observed).outcome
    };
    let died = || Exit::Signal(11);
    for condition in ["frame~^f$", "!frame~^f$"] {
        assert_eq!(outcome(condition, died(), None), Unresolved);
        assert_eq!(outcome(condition, died(), Some(Err("no gdb".into()))), Unresolved);
    }
    assert_eq!(outcome("!frame~^f$", Exit::Code(1), None), Fail);
    assert_eq!(outcome("!frame~^f$", died(), Some(Ok("#0  g () at t.c:1".into()))), Fail);
    assert_eq!(outcome("frame~^f$", died(), Some(Ok("#0  f () at t.c:1".into()))), Fail);
}

/// In a file that is not the candidate, the line and the name tell; in the candidate, neither does.
#[test]
fn whose_file_it_is_decides_what_tells() {
    let input = Artifact::of_file("in.py", b"f g price amount(1)").unwrap();
    let words = InputVocabulary::of_inputs(&[&input], []);
    let fails_in = |file: &str, line: u32, function: &str| {
        let place = format!("  File \"{file}\", line {line}, in {function}\n");
        let stderr = format!("Traceback (most recent call last):\n{place}ValueError: no\n");
        Signature::of(&seen(Exit::Code(1), &stderr), &words)
    };
    let first = fails_in("/home/u/app.py", 3, "price");
    assert_eq!(first.to_string(), "exit status 1 saying “ValueError: no” in price at app.py:3");
    assert!(fails_in("/elsewhere/app.py", 3, "price").matches(&first));
    for other in [fails_in("/home/u/app.py", 4, "price"), fails_in("/home/u/app.py", 3, "amount")] {
        assert!(!other.matches(&first), "{other}");
    }
    assert!(fails_in("in.py", 9, "f").matches(&fails_in("/dev/shm/reduct-0-1-2/000/in.py", 3, "g")));
    // As journals keep it.
    let kept: Signature = serde_json::from_str(&serde_json::to_string(&first).unwrap()).unwrap();
    assert_eq!(kept, first);
    // What was told before lines and files were is compared as it was: by names that the input does not have.
    let old = r#"{"Same":{"exit":{"Code":1},"text":null,"frames":["load"]}}"#;
    let reading: Criterion = serde_json::from_str(old).unwrap();
    assert_eq!(serde_json::to_string(&reading).unwrap(), old);
    let oracle = Oracle::new(reading, words.clone());
    let stack = |outer: &str| {
        let frame = |function: &str| format!("  File \"/u/app.py\", line 3, in {function}\n");
        let frames = frame(outer) + &frame("price");
        seen(Exit::Code(1), &format!("Traceback (most recent call last):\n{frames}ValueError: no\n"))
    };
    assert_eq!(oracle.verdict(&stack("load")).outcome, Fail);
    assert_eq!(oracle.verdict(&stack("store")).outcome, Unresolved);
}

/// The other exceptions of a chain, by type and place.
#[test]
fn what_an_exception_came_of_tells() {
    let words = InputVocabulary::of_inputs(&[&Artifact::of_file("in.json", b"").unwrap()], []);
    let signature = |stderr: &str| Signature::of(&seen(Exit::Code(1), stderr), &words);
    let python = |class: &str, between: &str, line: u32| {
        let block = |line: u32, class: &str| {
            format!(
                "Traceback (most recent call last):\n  File \"/u/app.py\", line {line}, in f\n    f()\n{class}: no\n"
            )
        };
        signature(&format!("{}\n{between}\n\n{}", block(line, class), block(9, "ValueError")))
    };
    let cause = "The above exception was the direct cause of the following exception:";
    let context = "During handling of the above exception, another exception occurred:";
    let one = python("KeyError", cause, 3);
    assert!(one.matches(&python("KeyError", context, 3)));
    assert!(!python("ZeroDivisionError", cause, 3).matches(&one));
    assert!(!python("KeyError", cause, 4).matches(&one));
    // One that was caught before is none of it.
    assert!(python("KeyError", "", 3).matches(&python("TypeError", "", 4)));
    let java = |outer: &str| {
        signature(&format!(
            "Exception in thread \"main\" {outer}: bad\n\tat T.load(T.java:4)\nCaused by: java.io.IOException: no\n\tat T.read(T.java:9)\n"
        ))
    };
    assert!(!java("java.lang.IllegalStateException").matches(&java("java.lang.RuntimeException")));
    let node = |cause: &str, line: u32| {
        signature(&format!(
            "Error: outer\n    at f (/u/x.js:2:47)\n    ... 5 lines matching cause stack trace ...\n    at node:internal/main:28:49 {{\n  \
             [cause]: {cause}: no\n      at g (/u/x.js:{line}:27)\n}}\n"
        ))
    };
    let one = node("TypeError", 3);
    assert!(one.matches(&node("TypeError", 3)));
    assert!(!node("RangeError", 3).matches(&one) && !node("TypeError", 4).matches(&one));
}

/// Of what a program says of the candidate, names come and go with it; of what it says of itself, they do not.
#[test]
fn what_is_said_of_the_candidate_may_name_anything() {
    let input = Artifact::of_file("in.cpp", b"std::vector<int> v; Foo x = v;").unwrap();
    let words = InputVocabulary::of_inputs(&[&input], []);
    let candidate = Candidate::whole(Artifact::of_file("in.cpp", b"A x = 0;").unwrap().into());
    let outcome = |place: &str| {
        let says = |from, to| seen(Exit::Code(1), &format!("{place}error: conversion from '{from}' to type '{to}'"));
        let oracle =
            Oracle::new(Criterion::Same(Signature::of(&says("std::vector<int>", "Foo"), &words)), words.clone());
        oracle.verdict_on(&says("int", "A"), &candidate).outcome
    };
    assert_eq!(outcome("in.cpp:3:5: "), Fail);
    assert_eq!(outcome("<stdin>:3:5: "), Fail);
    assert_eq!(outcome("/u/load.cpp:3:5: "), Unresolved);
    assert_eq!(outcome(""), Unresolved);
}
