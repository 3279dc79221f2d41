//! Executions of programs in Go, which are built with guards.

use crate::trace_c::{at, events};
use crate::trace_java::{some_letters, step, trace};
use crate::workshop::Workshop;
use std::collections::{BTreeMap, BTreeSet};

const MODULE: &str = "module example.com/prog\n\ngo 1.18\n";

const BUILD: &str = "go build -o prog .";

/// Dies in its last line, for what all of three iterations have added. What does not matter for it is marked.
const SUM: &str = "\
package main

import (
	\"fmt\"

	\"example.com/prog/add\"
)

func main() {
	total, err := add.Start(0) // no matter: variables begin as zero
	for i := 0; i < 3; i++ {
		other := i * 2 // no matter
		_ = other      // no matter
		total = add.One(total)
	}
	fmt.Println(\"done\", err) // no matter
	if total == 3 {
		panic(\"three\")
	}
}
";

const ADD: &str = "\
package add

type noise struct{ of int }

func Start(n int) (int, error) {
	return n, nil // no matter
}

func One(x int) int {
	other := &noise{x} // no matter
	other.of++         // no matter
	return x + 1
}
";

#[test]
fn what_a_panic_needs_is_left_and_values_are_listed() {
    let workshop = Workshop::new();
    workshop.write("go.mod", MODULE);
    workshop.write("main.go", SUM);
    workshop.write("add/add.go", ADD);
    let done = trace(&workshop, &["--build", BUILD], &["./prog"]).exits_with(0);
    // Two before the loop, the loop, three iterations with three statements in one and three in the other, and three.
    let done = done.says("Recorded: 27 statement executions in 2 files, the same twice.").says("Proved: 1-minimal");
    let left = workshop.text("prog.trace.reduced.txt");
    assert!(!left.contains("no matter"), "{left}");
    let expected = [&[11][..], &[11, 14, 12].repeat(3), &[17, 18]].concat();
    assert_eq!(events(&left).into_iter().map(|event| at(event).1).collect::<Vec<_>>(), expected);
    let row = done.stdout.lines().find(|line| line.starts_with("    14      3 of 3   total = add.One(total)"));
    assert!(row.is_some_and(|row| row.ends_with("  total = 3")), "{}", done.stdout);
    assert_eq!(workshop.names(), ["add", "go.mod", "main.go", "prog.trace.reduced.txt", "prog.trace.txt"]);
    let again = step(&workshop, ("prog.trace.reduced.txt", "prog.trace.txt"), BUILD, &["./prog"]).exits_with(2);
    assert!(again.stderr.starts_with("panic: three\n") && again.stderr.contains("main.go:18"), "{}", again.stderr);
    assert_eq!(again.stdout, "");
    // What makes the loop longer says nothing.
    workshop.write("main.go", SUM.replace("for i := 0; i < 3; i++ {", "for total < 3 {\n\t\ti := total"));
    let whole = "prog.trace.txt";
    step(&workshop, (whole, whole), BUILD, &["./prog"]).exits_with(125).says("main.go has changed");
    trace(&workshop, &["--build", BUILD, "--tests", "1"], &["./prog"]).exits_with(4);
    let plan = workshop.text(whole);
    let shorter: Vec<&str> = plan.lines().filter(|line| !line.contains("total = add.One")).collect();
    workshop.write("shorter.txt", shorter.join("\n") + "\n");
    let longer = step(&workshop, ("shorter.txt", whole), BUILD, &["./prog"]).exits_with(125);
    longer.says("something is executed that was not when it was recorded");
}

#[test]
fn under_the_whole_plan_a_program_does_what_it_does() {
    let workshop = Workshop::new();
    workshop.write("go.mod", MODULE);
    workshop.write("main.go", include_str!("../../../../fixtures/guards/constructs.go"));
    workshop.shell("go build -o ../plain .").run().exits_with(0);
    let program = ["./prog", "a b", "c"];
    let plain = workshop.call("../plain", ["a b", "c"]).run().exits_with(3);
    let done = trace(&workshop, &["--build", BUILD, "--fails-if", "exit=3", "--tests", "1"], &program).exits_with(4);
    assert!(!done.stderr.contains("left as written"), "{}", done.stderr);
    let whole = ("prog.trace.txt", "prog.trace.txt");
    let done = step(&workshop, whole, BUILD, &program).exits_with(3);
    assert_eq!((&done.stdout, &done.stderr), (&plain.stdout, &plain.stderr));
}

/// Prints a letter for each statement that is executed, before what it executes.
const LETTERS: &str = "\
package main

import (
	\"fmt\"
	\"os\"
)

func tell(letter rune) bool {
	fmt.Print(string(letter))
	return true
}

func all(n int) {
	defer tell('a')
	defer func() {
		tell('b')
	}()
	for i := 0; i < n && tell('c'); i++ {
		if tell('d') {
			tell('e')
		}
	}
	done := make(chan bool)
	go func() {
		tell('f')
		done <- true
	}()
	<-done
	switch tell('g') {
	case true:
		tell('h')
	}
}

func main() {
	all(2)
	tell('i')
	all(1)
	if tell('j') {
		os.Exit(3)
	}
}
";

#[test]
fn a_plan_is_what_is_executed() {
    let workshop = Workshop::new();
    workshop.write("go.mod", MODULE);
    workshop.write("main.go", LETTERS);
    trace(&workshop, &["--build", BUILD, "--fails-if", "exit=3", "--tests", "1"], &["./prog"]).exits_with(4);
    let plan = workshop.text("prog.trace.txt");
    let mut all = BTreeSet::new();
    for seed in 0..5 {
        let stays = ["return true", "done", "go func", "switch tell"];
        let (text, told) = some_letters(&plan, seed, &stays, "fmt.Print(string(letter))");
        workshop.write("some.txt", text);
        // It does the same twice.
        for _ in 0..2 {
            let done = step(&workshop, ("some.txt", "prog.trace.txt"), BUILD, &["./prog"]);
            assert_eq!(done.stdout, told, "{seed}: {}", done.stderr);
        }
        all.insert(told);
    }
    assert_eq!(all.len(), 5, "{all:?}");
    // Without any, nothing is executed; the program still begins.
    workshop.write("none.txt", "# nothing\n");
    let done = step(&workshop, ("none.txt", "prog.trace.txt"), BUILD, &["./prog"]).exits_with(0);
    assert_eq!((done.stdout.as_str(), done.stderr.as_str()), ("", ""));
}

/// A block of statements: where it begins and ends, by lines and columns.
type Block = ((u32, u32), (u32, u32));

/// Returns how often each block was executed, as the tool of the language counts them: `main.go:5.13,7.3 2 1`.
fn counted(profile: &str) -> BTreeMap<Block, usize> {
    let block = |line: &str| {
        let (_, rest) = line.rsplit_once(':')?;
        let mut words = rest.split(' ');
        let place = |text: &str| {
            let (line, column) = text.split_once('.')?;
            Some((line.parse().ok()?, column.parse().ok()?))
        };
        let (from, to) = words.next()?.split_once(',')?;
        Some(((place(from)?, place(to)?), words.nth(1)?.parse().ok()?))
    };
    profile.lines().filter_map(block).collect()
}

#[test]
fn what_is_recorded_is_as_often_as_the_tool_for_coverage_counts() {
    let workshop = Workshop::new();
    workshop.write("go.mod", MODULE);
    // It ends by itself, and prints the number that the failure is known by.
    let text = include_str!("../../../../fixtures/guards/constructs.go")
        .replace("\tvar none *square\n\tfmt.Println(none.side)\n", "");
    workshop.write("main.go", &text);
    let options = ["--build", BUILD, "--value", "at once", "--tests", "1"];
    trace(&workshop, &options, &["./prog"]).exits_with(4);
    let mut executed: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    let mut lines = BTreeSet::new();
    let plan = workshop.text("prog.trace.txt");
    for event in events(&plan).into_iter().map(str::trim_start).filter(|event| !event.contains(" iteration ")) {
        lines.insert(at(event).1);
        // Of several statements on a line, the first one.
        let (place, _) = event.split_once('_').unwrap();
        if !place.contains(".go:") || place.rsplit_once(':').unwrap().1.contains('.') {
            continue;
        }
        let line = at(event).1;
        let shown = text.lines().nth(line as usize - 1).unwrap();
        let indent = shown.chars().take_while(|c| *c == '\t').count();
        // It stands behind the end of another block.
        if shown.trim().starts_with('}') {
            continue;
        }
        *executed.entry((line, indent as u32 + 1)).or_default() += 1;
    }
    workshop.write("main_test.go", "package main\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc Test(t *testing.T) {\n\tos.Args = os.Args[:1]\n\tmain()\n}\n");
    workshop.shell("go test -covermode=count -coverprofile=../profile . >/dev/null").run().exits_with(0);
    let profile = std::fs::read_to_string(workshop.beside("profile")).unwrap();
    let counts = counted(&profile);
    let count_at =
        |place: (u32, u32)| counts.iter().find(|((from, to), _)| *from <= place && place < *to).map(|it| *it.1);
    let mut compared = 0;
    for (place, often) in &executed {
        // What is declared outside of functions is no block, nor is the line of a case.
        let Some(count) = count_at(*place) else { continue };
        // A panic ends a block before its end.
        if text.lines().nth(place.0 as usize - 2).is_some_and(|before| before.contains("a / b")) {
            continue;
        }
        assert_eq!(count, *often, "{place:?}");
        compared += 1;
    }
    assert!(compared > 80, "{compared} of {}", executed.len());
    // In each block that was executed, a statement was.
    for (((from, _), (to, _)), count) in counts.iter().filter(|(_, count)| **count > 0) {
        assert!(lines.range(from..=to).next().is_some(), "{from} to {to}, {count} times");
    }
}

/// A function in which a variable has the name of a package whose type another one has.
const SHADOWED: &str = "\
package main

import (
	\"net/url\"
	\"os\"
)

func port(text string) string {
	url, _ := url.Parse(text)
	query := url.Query()
	return query.Get(\"port\")
}

func main() {
	code := 1
	if port(\"http://a?port=80\") == \"80\" {
		code = 3
	}
	os.Exit(code)
}
";

#[test]
fn what_does_not_compile_is_left_as_it_is_written() {
    let workshop = Workshop::new();
    workshop.write("go.mod", MODULE);
    workshop.write("main.go", SHADOWED);
    let done = trace(&workshop, &["--build", BUILD, "--fails-if", "exit=3"], &["./prog"]).exits_with(0);
    done.says("1 function is left as written: it does not compile with guards.").says("Proved: 1-minimal");
    let left = workshop.text("prog.trace.reduced.txt");
    assert_eq!(events(&left).into_iter().map(|event| at(event).1).collect::<Vec<_>>(), [16, 17, 19]);
}
