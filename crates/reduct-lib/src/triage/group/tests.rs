use super::super::evidence::{How, Says};
use super::*;
use reduct_core::laws::Chance;
use reduct_oracle::signature::InputVocabulary;
use reduct_oracle::{Also, Exit};
use std::time::Duration;

fn failing(name: &str, text: &str, exit: Exit, says: &str) -> Failing {
    let observed =
        Observed { exit, stdout: vec![], stderr: says.into(), elapsed: Duration::ZERO, also: Also::default() };
    Failing { name: name.into(), observed, text: text.into(), reduced: true, words: InputVocabulary::default() }
}

fn names(all: &[Failing]) -> Vec<Vec<String>> {
    let grouping = Grouping::new(all);
    let named = |group: &Group| group.members.iter().map(|at| all[*at].name.clone()).collect();
    grouping.groups().iter().map(named).collect()
}

#[test]
fn one_message_of_two_bugs_is_told_apart_by_what_is_left() {
    let says = "IndexError: list index out of range";
    let all = [
        failing("a", "x = [[", Exit::Code(1), says),
        failing("b", "y = [[1", Exit::Code(1), says),
        failing("c", "= \"\"\"", Exit::Code(1), says),
        failing("d", "x = [[", Exit::Code(1), "KeyError: 3"),
    ];
    assert_eq!(names(&all), [vec!["a", "b"], vec!["c"], vec!["d"]]);
    let grouping = Grouping::new(&all);
    let Comparison::Same(why) = grouping.why(0, 1) else { panic!("they are the same") };
    let why = why.describe();
    assert_eq!(why, "they fail alike, and 4 of the 5 tokens that are left are in both");
    let Comparison::Different(why) = grouping.why(0, 2) else { panic!("they are not") };
    let why = why.describe();
    assert!(why.starts_with("they fail alike, but"), "{why}");
    let Comparison::Different(why) = grouping.why(0, 3) else { panic!("they are not") };
    let why = why.describe();
    assert!(why.contains("IndexError") && why.contains("KeyError"), "{why}");
}

#[test]
fn a_message_that_names_what_the_other_input_says_is_the_same() {
    // By its own words alone, the second one's message keeps the name.
    let says = "fatal: unknown name alpha here";
    let one = failing("one", "x(alpha)", Exit::Code(1), says);
    let other = failing("other", "x(b)", Exit::Code(1), says);
    assert_eq!(names(&[one, other]), [["other", "one"]]);
}

#[test]
fn a_message_that_begins_with_the_name_of_the_file_is_the_same() {
    let says = |name: &str| format!("{name}:3:1: error: expected a semicolon");
    let [one, other] = ["one.c", "two.c"].map(|name| failing(name, "x y", Exit::Code(1), &says(name)));
    assert_eq!(names(&[one, other]), [["one.c", "two.c"]]);
}

#[test]
fn who_is_alike_through_a_third_is_told_so() {
    let all = [
        failing("a", "if while for", Exit::Signal(11), ""),
        failing("b", "while for goto", Exit::Signal(11), ""),
        failing("c", "for goto case", Exit::Signal(11), ""),
    ];
    let grouping = Grouping::new(&all);
    assert_eq!(grouping.groups().len(), 1);
    assert!(matches!(grouping.compare(0, 2), Comparison::Different(_)));
    let Comparison::Same(why) = grouping.why(0, 2) else { panic!("through b") };
    let why = why.describe();
    assert!(why.starts_with("through others: a and b: "), "{why}");
}

#[test]
fn an_experiment_brings_together_what_looks_apart_and_is_told() {
    let all = [failing("a", ".=", Exit::Code(1), "Oops: no"), failing("b", "[dev]\n.=", Exit::Code(1), "Oops: no")];
    assert_eq!(names(&all).len(), 2);
    let crossing = |says| [CrossTest { small: 0, large: 1, how: How::LeftOut, text: b".=".to_vec(), says }];
    let (yes, no) = (crossing(Says::Same), crossing(Says::Nothing));
    let grouping = Grouping::crossed(&all, &yes);
    assert_eq!(grouping.groups().len(), 1);
    let Comparison::Same(why) = grouping.why(1, 0) else { panic!("they are the same") };
    let why = why.describe();
    assert_eq!(why, "b still fails alike if only what a is made of is left of it: \".=\"");
    let grouping = Grouping::crossed(&all, &no);
    assert_eq!(grouping.groups().len(), 2);
    let Comparison::Different(why) = grouping.why(0, 1) else { panic!("they are not") };
    let why = why.describe();
    assert!(why.contains("are in both; b does not fail alike if only what a is made of"), "{why}");
}

#[test]
fn an_experiment_keeps_apart_what_looks_the_same() {
    let all = [failing("a", "put(5, wide)", Exit::Signal(11), ""), failing("b", "put(-5, long)", Exit::Signal(11), "")];
    assert_eq!(names(&all).len(), 1);
    let text = b"put(-5, wide)".to_vec();
    let crossings = [CrossTest { small: 0, large: 1, how: How::Exchanged, text, says: Says::Different }];
    let grouping = Grouping::crossed(&all, &crossings);
    assert_eq!(grouping.groups().len(), 2);
    let Comparison::Different(why) = grouping.why(0, 1) else { panic!("they are not") };
    let why = why.describe();
    assert!(why.ends_with("the test passes with one of their pieces exchanged: \"put(-5, wide)\""), "{why}");
}

/// Returns the report of a sanitizer, with these functions innermost.
fn report(kind: &str, frames: &[&str]) -> String {
    let frame = |(at, name): (usize, &&str)| format!("    #{at} 0x4{at} in {name} prog.c:{at}\n");
    let frames: String = frames.iter().enumerate().map(frame).collect();
    format!("==1==ERROR: AddressSanitizer: {kind} on address 0x6\nREAD of size 1 at 0x6 thread T0\n{frames}")
}

#[test]
fn who_called_the_function_does_not_matter() {
    let says = |frames: &[&str]| report("heap-buffer-overflow", frames);
    let one = failing("a", "cut(x, -1)", Exit::Code(1), &says(&["cut", "evaluate", "print_all"]));
    let other = failing("b", "y = cut(x, -1)", Exit::Code(1), &says(&["cut", "evaluate", "assign"]));
    let third = failing("c", "cut(x, -1)", Exit::Code(1), &says(&["copy", "evaluate", "print_all"]));
    let fourth = failing("d", "cut(x, -1)", Exit::Code(1), &report("heap-use-after-free", &["cut", "evaluate"]));
    // Where it is noticed may depend on a number; of another kind it is another one.
    assert_eq!(names(&[one, other, third, fourth]), [vec!["a", "c", "b"], vec!["d"]]);
}

#[test]
fn in_which_memory_one_line_overflows_a_buffer_does_not_matter() {
    let all = |words: &InputVocabulary| -> Vec<Failing> {
        let rows = [
            ("a", "match(x)", "stack-buffer-overflow", "start"),
            ("b", "y = gmatch(z, 5)", "heap-buffer-overflow", "start"),
            ("c", "for all do global()", "global-buffer-overflow", "start"),
            ("d", "z = cut", "heap-buffer-overflow", "cut"),
            ("e", "free = y", "heap-use-after-free", "start"),
        ];
        let failing = rows.map(|(name, text, kind, function)| {
            let one = failing(name, text, Exit::Code(1), &report(kind, &[function, "evaluate"]));
            Failing { words: words.clone(), ..one }
        });
        failing.into()
    };
    let known = InputVocabulary::of_inputs(&[], ["prog.c".to_owned()]);
    assert_eq!(names(&all(&known)), [vec!["a", "b", "c"], vec!["d"], vec!["e"]]);
    assert_eq!(names(&all(&InputVocabulary::default())).len(), 5, "in which line is not known");
}

#[test]
fn the_order_in_which_they_come_does_not_matter() {
    let words = ["[", "]", "if", "while", "x", "=", "\"", "goto", "{"];
    let mut chance = Chance(14);
    for _ in 0..100 {
        let mut all: Vec<Failing> = (0..1 + chance.below(12))
            .map(|at| {
                let text: Vec<&str> = (0..1 + chance.below(5)).map(|_| words[chance.below(words.len())]).collect();
                let says = ["error: one thing", "error: another thing"][chance.below(2)];
                failing(&format!("input-{at}"), &text.join(" "), Exit::Code(1), says)
            })
            .collect();
        let expected = names(&all);
        for at in (1..all.len()).rev() {
            all.swap(at, chance.below(at + 1));
        }
        assert_eq!(names(&all), expected);
    }
}
