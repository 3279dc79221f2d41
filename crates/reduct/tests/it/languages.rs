//! Inputs whose language is known: what goes, what is rewritten, and that it is the same at any number of jobs.

use crate::workshop::{Events, Workshop, files_below};
use std::fs;

const PROGRAM: &str = "\
#include <stdio.h>
/* Says things. */
static int counter_of_things = 100;

static int helper(int first, int second) {
    if (first > second) {
        return first * 100;
    }
    return counter_of_things + second;
}

int needle(int value, int unused_value) {
    int result = helper(value, 4200);
    for (int i = 0; i < 10; i++) {
        printf(\"%d\\n\", result + i);
    }
    return result;
}

int main(void) {
    return needle(12345, 67890) == 0;
}
";

/// A compiler of its own: it fails on a `needle` with an argument of two digits or more, in a text whose
/// brackets match. Each run is logged.
const TEST: &str = "\
cksum <\"$1\" >>\"$LOG\"
awk '{ all = all $0 \" \" }
END { open = gsub(/[({]/, \"&\", all); close_ = gsub(/[)}]/, \"&\", all)
      exit !(open == close_ && all ~ /needle *\\([^()]*[0-9][0-9]/) }' \"$1\"";

fn workshop(name: &str, text: &str) -> Workshop {
    let workshop = Workshop::new();
    workshop.write(name, text);
    workshop.script("test.sh", TEST);
    workshop
}

fn reduced(workshop: &Workshop, name: &str, words: &[&str]) -> String {
    workshop.reduct([&["./test.sh", name, "--arg", "--events", "events"], words].concat()).run().exits_with(0);
    let (stem, extension) = name.rsplit_once('.').unwrap();
    workshop.text(format!("{stem}.reduced.{extension}"))
}

#[test]
fn a_program_is_reduced_by_its_grammar() {
    let workshop = workshop("case.c", PROGRAM);
    let result = reduced(&workshop, "case.c", &["-j1"]);
    // The shortest text that fails has a name, a bracket pair, and a number of two digits.
    assert!(result.len() <= "needle(10)".len(), "{result}");
    let unread = self::workshop("case.c", PROGRAM);
    reduced(&unread, "case.c", &["-j1", "--language", "none"]);
    let tried = |workshop: &Workshop, pass: &str| workshop.text("events").contains(&format!("\"kind\":\"{pass}\""));
    assert!(tried(&workshop, "nodes") && !tried(&unread, "nodes"), "what only a grammar sees is tried");
    assert!(tried(&unread, "chars") && !tried(&workshop, "chars"), "and no characters within its words");
}

#[test]
fn the_language_can_be_said() {
    let by_name = workshop("case.c", PROGRAM);
    let said = workshop("case.text", PROGRAM);
    assert_eq!(reduced(&by_name, "case.c", &["-j1"]), reduced(&said, "case.text", &["-j1", "--language", "c"]));
    assert_eq!(by_name.runs().len(), said.runs().len());
    said.reduct(["./test.sh", "case.text", "--arg", "--language", "klingon"]).run().exits_with(2).says("klingon");
}

#[test]
fn the_same_at_any_number_of_jobs_and_after_a_stop() {
    let alone = workshop("case.c", PROGRAM);
    let result = reduced(&alone, "case.c", &["-j1"]);
    let tests = Events::read(alone.path("events")).tests();
    for jobs in ["-j2", "-j8"] {
        let together = workshop("case.c", PROGRAM);
        assert_eq!(reduced(&together, "case.c", &[jobs]), result, "{jobs}");
        assert_eq!(Events::read(together.path("events")).tests(), tests, "{jobs}");
    }
    for stop in [1, tests.len() / 4, tests.len() / 2] {
        let stopped = workshop("case.c", PROGRAM);
        stopped.reduct(["-j1", "--tests", &stop.to_string(), "./test.sh", "case.c", "--arg"]).run().exits_with(4);
        stopped.reduct(["resume", "--events", "events"]).run().exits_with(0);
        assert_eq!(stopped.text("case.reduced.c"), result, "stopped after {stop}");
        assert_eq!(Events::read(stopped.path("events")).tests(), tests, "stopped after {stop}");
    }
}

#[test]
fn the_same_at_any_number_of_jobs_where_reading_takes_longer_than_the_test() {
    let rows: String =
        (0..1200).map(|n| format!("INSERT INTO t{n} (id, name) VALUES ({n}, 'w{}x');\n", n * 7919)).collect();
    let tests = ["-j1", "-j2", "-j8"].map(|jobs| {
        let workshop = Workshop::new();
        workshop.write("case.sql", &rows);
        workshop.script(
            "test.sh",
            "for n in 90 333 404 777 900 1100; do grep -q \"w$((n * 7919))x\" case.sql || exit 0; done; exit 3",
        );
        workshop
            .reduct([jobs, "--tests", "40", "--events", "events", "case.sql", "--", "./test.sh"])
            .run()
            .exits_with(4);
        (Events::read(workshop.path("events")).tests(), workshop.text("case.reduced.sql"))
    });
    assert!(tests.iter().all(|other| *other == tests[0]));
}

/// Two inputs that differ in names and layout only have one normal form.
#[test]
fn normal_forms_can_be_compared() {
    let other = PROGRAM.replace("counter_of_things", "zebra").replace("    ", "\t").replace("first", "uno");
    let keeps = "grep -q needle \"$1\" && grep -q return \"$1\" && [ \"$(tr -cd '{}' <\"$1\")\" = '{{}}{{}}{}' ]";
    let results = [PROGRAM.to_owned(), other].map(|text| {
        let workshop = Workshop::new();
        workshop.write("case.c", text);
        workshop.script("test.sh", keeps);
        workshop.reduct(["./test.sh", "case.c", "--arg", "--normalize"]).run().exits_with(0);
        workshop.text("case.reduced.c")
    });
    assert_eq!(results[0], results[1]);
}

/// What does not parse in its middle is reduced all the same.
#[test]
fn a_damaged_program() {
    let damaged = PROGRAM.replace("for (int i = 0; i < 10; i++) {", "for (int ) = 0; i ( 10; i++ {{) }");
    let workshop = workshop("case.c", &damaged);
    let result = reduced(&workshop, "case.c", &[]);
    assert!(result.len() <= "needle(10)".len(), "{result}");
}

#[test]
fn it_is_said_if_the_result_does_not_follow_its_language() {
    let workshop = Workshop::new();
    let said = "as far as reduct's grammar knows, the input follows its language, and the result does not";
    let of = |name: &str, text: &str, kept: &str| {
        workshop.write(name, text);
        let test = format!("! grep -q '{kept}' {{}}");
        workshop.reduct([name, "--", "sh", "-c", &test]).run().exits_with(0)
    };
    of("a.c", "int main(void) {\n    needle(1);\n    return 0;\n}\n", "needle(").says(said);
    // Nor is it forgotten if the run goes on from a step that does not follow it.
    let history = workshop.reduct(["history"]).run().exits_with(0).stdout;
    let step = |line: &str| line.split_whitespace().next().and_then(|word| word.parse::<usize>().ok());
    let last = history.lines().filter_map(step).max().expect("a step").to_string();
    workshop.reduct(["resume", "--from", &last]).run().exits_with(0).says(said);
    of("a.py", "def f():\n    needle(1)\n    return 0\n", "needle").does_not_say(said);
    // The input does not follow it, either.
    of("b.c", "int main(void) {\n    needle(1;\n    return 0;\n", "needle(").does_not_say(said);
}

/// Numbers that are computed stand in no literal: only the message has them.
#[test]
fn a_number_of_the_message_takes_the_place_of_what_computes_it() {
    let workshop = Workshop::new();
    workshop.write("x.py", "def total(a): return a * 2\nprint('total = %d' % total(21))\n");
    workshop.reduct(["--fails-if", "stdout~total = 42", "x.py", "--", "python3", "x.py"]).run().exits_with(0);
    assert_eq!(workshop.text("x.reduced.py"), "print('total = %d'%42)");
    // A script that decides has it, too.
    workshop.script("test.sh", "python3 x.py | grep -q 'total = 42'");
    workshop.reduct(["--force", "./test.sh", "x.py"]).run().exits_with(0);
    assert_eq!(workshop.text("x.reduced.py"), "print('total = %d'%42)");
}

/// What a failure names is data of the program: `paint` is longer than the name in its place, and all else goes with that.
#[test]
fn a_longer_word_of_the_message_takes_the_place_of_a_name() {
    let workshop = Workshop::new();
    workshop.write("x.py", "def words(text):\n return text.split()[1:]\nfor a in words('0 paint 1'):{}[a]\n");
    workshop.reduct(["--fails-if", "stderr~KeyError: .paint", "x.py", "--", "python3", "x.py"]).run().exits_with(0);
    assert_eq!(workshop.text("x.reduced.py"), "{}[\"paint\"]");
}

/// A package whose failure does not depend on its files becomes one of them.
#[test]
fn a_module_takes_the_place_of_what_loads_it() {
    let workshop = Workshop::new();
    workshop.write("d/main.py", "from reports.summary import total\nprint(total([1, 2]))\ntotal(0)\n");
    workshop.write("d/reports/summary.py", "def total(of):\n    print(sorted(of))\n    return sum(of)\n");
    let failure = ["--fails-if", "stderr~TypeError: 'int' object is not iterable", "d", "--", "python3", "d/main.py"];
    workshop.reduct(failure).run().exits_with(0);
    let files = files_below(&workshop.path("d.reduced"));
    assert_eq!(files.keys().map(|path| path.to_str().unwrap()).collect::<Vec<_>>(), ["main.py"]);
}

/// Names of files are in no text of their own: they change with those of the texts that name them, also in a copy of a project.
#[test]
fn modules_have_short_names_with_their_files() {
    let workshop = Workshop::new();
    workshop.write("d/main.py", "from reports.summary import total\ntotal()\n");
    workshop.write("d/reports/summary.py", "def total(): 1 / 0\ntotal()\n");
    workshop.script("test.sh", "cat beside >&2 && python3 d/main.py");
    workshop.write("beside", "");
    // It has to be a module that fails: its text does not do so in the place of what loads it.
    let failure = ["--fails-if", "stderr~(?s)in <module>.*in <module>.*ZeroDivisionError", "d", "--"];
    for command in [&["python3", "d/main.py"][..], &["./test.sh"]] {
        let _ = fs::remove_dir_all(workshop.path("d.reduced"));
        workshop
            .reduct([&failure, command].concat())
            .run()
            .exits_with(0)
            .says("Confirmed: it failed in 5 of 5 more runs");
        let files = files_below(&workshop.path("d.reduced"));
        let names: Vec<_> =
            files.iter().map(|(path, text)| (path.to_str().unwrap(), String::from_utf8_lossy(text))).collect();
        // The command names `main.py`, and the folder stays behind it.
        assert_eq!(names, [("main.py", "import n.a".into()), ("n/a.py", "1/0".into())]);
        workshop.reduct(["verify"]).run().exits_with(0);
    }
}

/// Where a language is known, the claim is about the characters that were tried, and `verify` tries the same.
#[test]
fn a_claim_says_of_which_characters_it_speaks() {
    let workshop = Workshop::new();
    workshop.write("case.c", "int f;\nchar *s = \"need and more\";\n");
    let said = "tokens, and characters of strings: if any one";
    workshop.reduct(["case.c", "-c", "grep -q '= \"need.*\";' case.c"]).run().exits_with(0).says(said);
    workshop.reduct(["verify"]).run().exits_with(0).says(said);
    // A name of which one character could go, and no string.
    workshop.write("name.c", "int t10;\n");
    let named = workshop.reduct(["name.c", "-c", "grep -q 't10\\?' name.c"]).run().exits_with(0);
    assert!(!named.stderr.contains("character"), "{}", named.stderr);
    // Of one list of characters, all are tried.
    let all = ["--by", "chars", "--force", "name.c", "-c", "grep -q 't10\\?' name.c"];
    workshop.reduct(all).run().exits_with(0).says("1-minimal in characters: ");
}
