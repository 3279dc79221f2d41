//! Executions of the same programs in several languages (`fixtures/executions`): what is recorded of them, and what holds of runs under plans.

use crate::workshop::{Call, Done, Workshop};
use std::path::Path;

/// A language, and what is different in it.
struct Language {
    folder: &'static str,
    ending: &'static str,
    /// The interpreter, and its options.
    interpreter: &'static [&'static str],
    /// The programs, and their executions: the line of each, with `.2` if it is the second statement on it, `*` if it is an iteration, the
    /// beginning of the name of another file, and what belongs to it in parentheses.
    cases: &'static [(&'static str, &'static str)],
    /// A program that tells of the lines that another one executes, by means of the language itself.
    told_by: &'static [&'static str],
    /// Whether that tells of a statement when it has been executed, rather than before.
    tells_of_ends: bool,
    /// How a line begins on which the language stops, but no statement does.
    no_statement: &'static [&'static str],
    /// How a line begins that prints.
    prints: &'static str,
    /// How a value of `sum` is listed.
    listed: &'static str,
    /// Whether the sum must begin with a number: without it, there is an error.
    needs_beginning: bool,
}

const LUA: Language = Language {
    folder: "lua",
    ending: "lua",
    interpreter: &["lua5.4"],
    cases: &[
        (
            "control",
            "5 6(6*(7 10(3)) 6*(7(8)) 6*(7 10(3))) 13(13*(14 15) 13*(14 15(16))) 19 20(20*(21 21.2) 20*(21 21.2)) \
             23(23*(24(25)) 23*(24(27))) 32",
        ),
        ("errors", "14(15(3 6) 16(3(4))) 19 21(9 12(9 12(9 12(9(10))))) 22(3(4))"),
        ("closures", "3 7(5) 7.2(5) 8(h4(h4*(h5(9)) h4*(h5(9)))) 11 16(12(12*(13) 12*(13))) 17 18 19"),
        ("calls", "16(11(3) 7 8) 17(14(2) 7 8) 18(4(4.2) 7 8) 19(5(2) 7 8) 20 21(20.2 7 8) 22"),
    ],
    told_by: &["lines.lua"],
    tells_of_ends: false,
    // Lua makes one jump of a condition and a `break`.
    no_statement: &["end", "until", "local function", "elseif", "else", "break"],
    prints: "print(",
    listed: "total = 5",
    needs_beginning: true,
};

const PHP: Language = Language {
    folder: "php",
    ending: "php",
    interpreter: &["php"],
    cases: &[
        (
            "control",
            "5 6(6*(7 10(3)) 6*(7(8)) 6*(7 10(3))) 13(13*(14 15) 13*(14 15(16))) 19 20(20*(21 21.2) 20*(21 21.2)) \
             23(23*(24(25 26)) 23*(24(28))) 32",
        ),
        ("errors", "14(15(3 6) 16(3(4)) 19) 21(9 12(9 12(9 12(9(10))))) 22(3(4))"),
        ("closures", "h8 3 7(5) 7.2(5) 8(h4(h4*(h5(9)) h4*(h5(9)))) 17(12(12*(13) 12*(13)) 17*(17.2) 17*(17.2)) 18 19"),
    ],
    told_by: &["lines.php"],
    tells_of_ends: true,
    no_statement: &["}", "if", "do", "switch", "return", "continue", "break", "exit", "<?php"],
    prints: "echo ",
    listed: "$total = 5",
    needs_beginning: false,
};

const RUBY: Language = Language {
    folder: "ruby",
    ending: "rb",
    // What it loads besides takes longer than these programs.
    interpreter: &["ruby", "--disable-gems"],
    cases: &[
        (
            "control",
            "5 6(6*(7 10(3)) 6*(7(8)) 6*(7 10(3))) 13(13*(14 15) 13*(14 15(16))) 19 20(20*(21 21.2) 20*(21 21.2)) \
             23(23*(24(25)) 23*(24(28))) 32",
        ),
        ("errors", "14(15(3 6) 16(3(4)) 19) 21(9 12(9 12(9 12(9(10))))) 22(3(4))"),
        // A block is executed where it is called: by `yield`.
        ("closures", "3 7(5) 7.2(5) 8(h4(h4*(h5(8*(9))) h4*(h5(8*(9))))) 11 17(12(12*(13) 12*(13))) 18 19"),
    ],
    told_by: &["lines.rb"],
    tells_of_ends: false,
    no_statement: &["def", "when", "begin", "end"],
    prints: "puts ",
    listed: "total = 5",
    needs_beginning: true,
};

fn with(language: &Language) -> Workshop {
    let workshop = Workshop::new();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/executions").join(language.folder);
    for file in std::fs::read_dir(fixtures).unwrap() {
        let file = file.unwrap();
        std::fs::copy(file.path(), workshop.path(file.file_name())).unwrap();
    }
    workshop
}

impl Language {
    fn file(&self, program: &str) -> String {
        format!("{program}.{}", self.ending)
    }

    /// Returns a command line: the interpreter, and what it is given.
    fn command<'a>(&self, words: &[&'a str]) -> Vec<&'a str> {
        [self.interpreter, words].concat()
    }

    fn trace(&self, workshop: &Workshop, options: &[&str], program: &str) -> Done {
        let file = self.file(program);
        let words = [&["trace", "--force"][..], options, &["--"], &self.command(&[&file])].concat();
        workshop.reduct(words).env("REDUCT_CONFINE", "auto").env("REDUCT_ALLOW_WRITE", "").run()
    }

    /// Runs the interpreter.
    fn call<'a>(&self, workshop: &'a Workshop, words: &[&str]) -> Call<'a> {
        workshop.call(self.interpreter[0], self.command(words)[1..].to_vec())
    }

    /// Records a program. Returns the plan.
    fn recorded(&self, workshop: &Workshop, program: &str) -> String {
        self.trace(workshop, &["--keep-output", "--tests", "1"], program).exits_with(4);
        workshop.text(format!("{}.trace.txt", self.file(program)))
    }

    /// Runs a program under a plan.
    fn step(&self, workshop: &Workshop, plan: &str, program: &str) -> Done {
        workshop.write("plan.txt", plan);
        let file = self.file(program);
        let recorded = format!("{file}.trace.txt");
        let words = [&["step", "plan.txt", "--recorded", &recorded, "--"][..], &self.command(&[&file])].concat();
        workshop.reduct(words).run()
    }
}

/// An execution of a plan: its line, and where the statement stands.
struct Event<'a> {
    line: &'a str,
    depth: usize,
    time: usize,
    file: &'a str,
    /// The line of the file, with `.2` for the second statement on it.
    at: &'a str,
    is_iteration: bool,
}

fn events(plan: &str) -> Vec<Event<'_>> {
    let event = |line| {
        let rest: &str = str::trim_start(line);
        let (place, text) = rest.split_once(' ').unwrap_or((rest, ""));
        let (file, at) = place.split_once(':').unwrap();
        let (at, time) = at.rsplit_once('_').unwrap();
        let is_iteration = text.starts_with("iteration ");
        Event { line, depth: line.len() - rest.len(), time: time.parse().unwrap(), file, at, is_iteration }
    };
    plan.lines().filter(|line| !line.starts_with('#')).map(event).collect()
}

/// The executions as a tree in a line.
fn tree(plan: &str, program: &str) -> String {
    let (mut text, mut depth) = (String::new(), 0);
    for event in events(plan) {
        if event.depth > depth {
            text.push('(');
        } else {
            text += &")".repeat(depth - event.depth);
            text += if text.is_empty() { "" } else { " " };
        }
        depth = event.depth;
        text += if event.file.starts_with(program) { "" } else { &event.file[..1] };
        text += event.at;
        text += if event.is_iteration { "*" } else { "" };
    }
    text + &")".repeat(depth)
}

fn what_is_recorded_is_known_by_hand(language: &Language) {
    let workshop = with(language);
    for (program, expected) in language.cases {
        let file = language.file(program);
        let plain = language.call(&workshop, &[&file]).run();
        let plan = language.recorded(&workshop, program);
        assert_eq!(tree(&plan, program), *expected, "{file}");
        let step = language.step(&workshop, &plan, program).exits_with(plain.status);
        assert_eq!((step.stdout, step.stderr), (plain.stdout, plain.stderr), "{file}");
    }
}

fn what_a_program_does_stays(language: &Language) {
    let workshop = with(language);
    let file = language.file("constructs");
    let plain = language.call(&workshop, &[&file, "a b"]).run().exits_with(4);
    let command = language.command(&[&file, "a b"]);
    let words = ["trace", "--unconfined", "--fails-if", "exit=4", "--tests", "1", "--"];
    workshop.reduct([&words[..], &command].concat()).run().exits_with(4);
    let plan = format!("{file}.trace.txt");
    let step = workshop.reduct([&["step", &plan, "--"][..], &command].concat()).run().exits_with(4);
    assert_eq!((step.stdout, step.stderr), (plain.stdout, plain.stderr));
}

/// The language tells of a line where it begins it and where it comes back to it, of loops also where they end.
fn what_is_recorded_is_what_the_language_tells(language: &Language) {
    let workshop = with(language);
    for program in ["control", "laws"] {
        let file = language.file(program);
        let told = language.call(&workshop, &[language.told_by, &[&file]].concat()).run();
        let text = workshop.text(&file);
        let lines: Vec<&str> = text.lines().collect();
        let plan = language.recorded(&workshop, program);
        let recorded = events(&plan);
        let loops: Vec<&str> = recorded.iter().filter(|it| it.is_iteration).map(|it| it.at).collect();
        let is_statement = |line: &&str| {
            let text = lines[line.parse::<usize>().unwrap() - 1].trim_start();
            !loops.contains(line) && !language.no_statement.iter().any(|it| text.starts_with(it))
        };
        let mut told: Vec<&str> = told.stderr.split_whitespace().filter(is_statement).collect();
        told.dedup();
        let ends = |at: usize| {
            let within = recorded[at + 1..].iter().take_while(|it| it.depth > recorded[at].depth).count();
            recorded[at..=at + within].iter().map(|it| it.time).max()
        };
        let mut by_time: Vec<usize> = (0..recorded.len()).collect();
        if language.tells_of_ends {
            by_time.sort_by_key(|at| (ends(*at), usize::MAX - recorded[*at].depth));
        } else {
            by_time.sort_by_key(|at| recorded[*at].time);
        }
        let lines_of = by_time.into_iter().map(|at| recorded[at].at.split('.').next().unwrap());
        let mut seen: Vec<&str> = lines_of.filter(is_statement).collect();
        seen.dedup();
        assert!(seen.len() >= 7, "{seen:?}");
        assert_eq!(seen, told, "{file}");
    }
}

/// The lines of a plan without some executions, and without all that belongs to them.
fn without<'a>(recorded: &[Event<'a>], is_left_out: impl Fn(&Event<'_>) -> bool) -> Vec<&'a str> {
    let mut below = None;
    let mut left = vec![];
    for event in recorded {
        if below.is_some_and(|depth| event.depth > depth) {
            continue;
        }
        below = is_left_out(event).then_some(event.depth);
        if below.is_none() {
            left.push(event.line);
        }
    }
    left
}

fn laws_hold(language: &Language) {
    let workshop = with(language);
    let plain = language.call(&workshop, &[&language.file("laws")]).run().exits_with(0);
    let plan = language.recorded(&workshop, "laws");
    let recorded = events(&plan);
    let run = |lines: &[&str]| language.step(&workshop, &(lines.join("\n") + "\n# a plan\n"), "laws");
    let prints =
        |line: &str| line.trim_start().split_once(' ').is_some_and(|(_, text)| text.starts_with(language.prints));
    // What each execution that prints has printed.
    let mut by_time: Vec<&Event<'_>> = recorded.iter().filter(|it| prints(it.line)).collect();
    by_time.sort_by_key(|it| it.time);
    let all: Vec<&str> = plain.stdout.lines().collect();
    assert_eq!(by_time.len(), all.len());
    let expected = |left: &[&str]| -> String {
        by_time
            .iter()
            .zip(&all)
            .filter(|(it, _)| left.contains(&it.line))
            .map(|(_, line)| format!("{line}\n"))
            .collect()
    };
    let whole: Vec<&str> = recorded.iter().map(|it| it.line).collect();
    assert_eq!(run(&whole).exits_with(0).stdout, plain.stdout);
    assert_eq!(run(&[]).exits_with(0).stdout, "");
    let mut random: u64 = 20;
    for round in 0..4 {
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let left = without(&recorded, |it| (random >> 20).wrapping_mul(it.time as u64 + 7) >> 13 & 7 == 0);
        assert!(!left.is_empty() && left.len() < whole.len());
        let once = run(&left).exits_with(0);
        assert_eq!(once.stdout, expected(&left));
        if round == 0 {
            assert_eq!(run(&left).exits_with(0).stdout, once.stdout);
        }
    }
    // Without the line of an iteration alone, nothing is executed that belongs to it.
    let second = recorded.iter().filter(|it| it.is_iteration).nth(1).unwrap().time;
    let without_line: Vec<&str> = recorded.iter().filter(|it| it.time != second).map(|it| it.line).collect();
    let left = without(&recorded, |it| it.time == second);
    assert!(left.len() + 5 < without_line.len());
    assert_eq!(run(&without_line).exits_with(0).stdout, expected(&left));
}

fn what_a_failure_needs_is_left(language: &Language) {
    let workshop = with(language);
    let done = language.trace(&workshop, &[], "sum").exits_with(0);
    // Two before the loop and two behind it, the loop, five iterations with two statements in one and two in the other, and the error.
    done.says("Recorded: 30 statement executions in 1 file, the same twice.").says("Proved: 1-minimal");
    let file = language.file("sum");
    let left = workshop.text(format!("{file}.trace.reduced.txt"));
    let iterations = [" 6*(8(3))"; 5].concat();
    let begins = if language.needs_beginning { "5 " } else { "" };
    assert_eq!(tree(&left, "sum"), format!("{begins}6({}) 11(11.2)", iterations.trim_start()));
    let reduced = format!("{file}.trace.reduced.txt");
    let words = [&["step", "--list", &reduced, "--"][..], &language.command(&[&file])].concat();
    let list = workshop.reduct(words).run();
    let row = list.stdout.lines().find(|line| line.starts_with("     8      5 of 5  "));
    assert!(row.is_some_and(|row| row.ends_with(language.listed)), "{}", list.stdout);
    // A loop that goes on for longer than it went is no part of what was recorded.
    let plan = language.recorded(&workshop, "longer");
    let longer = events(&plan);
    let first = longer.iter().find(|it| it.at == "3").expect("an execution of line 3").time;
    let left = without(&longer, |it| it.time == first).join("\n") + "\n";
    language
        .step(&workshop, &left, "longer")
        .exits_with(125)
        .says("something is executed that was not when it was recorded");
    // Nor is one in a file of which nothing was executed.
    let plan = language.recorded(&workshop, "unseen");
    assert!(!plan.contains("unseen_helper."), "{plan}");
    let left = without(&events(&plan), |it| it.at == "4").join("\n") + "\n";
    let unseen = language.step(&workshop, &left, "unseen").exits_with(125);
    unseen.says("something is executed that was not when it was recorded");
    let control = language.trace(&workshop, &["--control", "recorded"], "sum");
    control.exits_with(2).says("control cannot go as it was recorded in programs in");
}

/// All of these, for a language.
macro_rules! languages {
    ($($name:ident: $language:ident),* $(,)?) => {$(
        mod $name {
            use super::*;

            #[test]
            fn what_is_recorded_is_known_by_hand() {
                super::what_is_recorded_is_known_by_hand(&$language);
            }

            #[test]
            fn what_is_recorded_is_what_the_language_tells() {
                super::what_is_recorded_is_what_the_language_tells(&$language);
            }

            #[test]
            fn what_a_program_does_stays() {
                super::what_a_program_does_stays(&$language);
            }

            #[test]
            fn laws_hold() {
                super::laws_hold(&$language);
            }

            #[test]
            fn what_a_failure_needs_is_left() {
                super::what_a_failure_needs_is_left(&$language);
            }
        }
    )*};
}

languages! { lua: LUA, php: PHP, ruby: RUBY }
