//! Pages and texts about runs of `trace`, `state` and `schedule`: the answer as the terminal has it, from the run's folder alone.

use crate::check::Check;
use crate::inquiries::{PYTHON, bank, chain, confined};
use crate::report_kinds::schema;
use crate::workshop::{Done, Workshop};
use serde_json::{Value, json};
use std::fs;

/// Moves the run elsewhere, and removes all that it was made from.
fn alone(workshop: &Workshop) {
    fs::rename(workshop.run_folder(), workshop.path("moved")).unwrap();
    for name in workshop.names().iter().filter(|name| *name != "moved") {
        let path = workshop.path(name);
        if path.is_dir() { fs::remove_dir_all(path).unwrap() } else { fs::remove_file(path).unwrap() }
    }
}

/// The object of the run that was moved, and what it is an answer to: a part of the schema.
fn object(workshop: &Workshop, answer: &str) -> Value {
    let text = workshop.reduct(["report", "--json", "moved"]).run().exits_with(0).stdout;
    let object: Value = serde_json::from_str(&text).unwrap();
    let whole = schema("run.schema.json");
    assert_eq!(Check::of(&whole, &object), Vec::<String>::new(), "{text}");
    let part = json!({ "$ref": format!("#/$defs/{answer}"), "$defs": whole["$defs"] });
    assert_eq!(Check::strictly(&part, &object["answer"]), Vec::<String>::new(), "{text}");
    object
}

/// The page of the run that was moved, as text without tags.
fn page(workshop: &Workshop) -> String {
    let html = workshop.reduct(["report", "-o", "-", "moved"]).run().exits_with(0).stdout;
    let html = html.split("<main>").nth(1).unwrap();
    let text: String = html.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text)).collect();
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

/// All lines of the terminal that begin so are there, too.
#[track_caller]
fn says_as_the_terminal(done: &Done, beginnings: &[&str], text: &str) {
    for beginning in beginnings {
        let line = done.stdout.lines().find(|line| line.starts_with(beginning));
        let line = line.unwrap_or_else(|| panic!("{beginning}: {}", done.stdout));
        assert!(text.contains(line), "{line}: {text}");
    }
}

/// The last statement fails for what the first one and both iterations give to `name`. The first line is text, not markup.
const NAME: &str = "\
name = '<b>\u{202e}'
other = 1
for i in range(2):
    name = name + '<i>'
assert len(name) != 10, 'ten'
";

#[test]
fn the_executions_that_are_left_are_on_the_page_and_in_the_texts() {
    let workshop = Workshop::new();
    workshop.write("prog.py", NAME);
    let stopped = confined(&workshop, &["trace", "--tests", "2", "--", "python3", "prog.py"]).run().exits_with(4);
    let last = stopped.stdout.lines().last().unwrap();
    assert!(last.starts_with("Stopped early: fewer executions may do. To go on: reduct resume .reduct/"), "{last}");
    let done = confined(&workshop, &["resume"]).run().exits_with(0);
    // The loop with two iterations of one statement each, and two statements more. Lines, what is left of their executions, and the value at the end. On a terminal, nothing turns the text around.
    let listed = [
        "     1      1 of 1  name = '<b>�'",
        "     3      1 of 1  for i in range(2):                                2 iterations: i = 1",
        "     4      2 of 2      name = name + '<i>'                           name = '<b>\\u202e<i><i>'",
        "     5      1 of 1  assert len(name) != 10, 'ten'                     <- the last one",
        "7 of 8 statement executions are left, on 4 lines; 1 execution and 1 line do not matter.",
        "again: reduct step prog.py.trace.reduced.txt -- python3 prog.py",
    ];
    let log = workshop.reduct(["log"]).run().exits_with(0);
    for line in listed {
        assert!(done.stdout.contains(line) && log.stdout.contains(line), "{line}: {} {}", done.stdout, log.stdout);
    }
    let plan = workshop.text("prog.py.trace.txt");
    alone(&workshop);
    let text = page(&workshop);
    // What passes beside it is a plan: it is said which executions it lacks, not which bytes.
    let nearest = text.split_once("The nearest plan that passes").unwrap().1;
    assert!(nearest.contains("prog.py:") && nearest.contains("execution 2 of 2"), "{nearest}");
    let said = [
        "31 of 1for i in range(2):2 iterations",
        "name = '<b>⟨U+202E⟩'",
        "42 of 2    name = name + '<i>'name = '<b>\\u202e<i><i>'",
        "✗ the last one",
    ];
    for said in said {
        assert!(text.contains(said), "{said}: {text}");
    }
    assert!(!text.contains("smallest input"), "{text}");
    let whole = schema("run.schema.json");
    let object: Value =
        serde_json::from_str(&workshop.reduct(["report", "--json", "moved"]).run().exits_with(0).stdout).unwrap();
    let part = json!({ "$ref": "#/$defs/listing", "$defs": whole["$defs"] });
    assert_eq!(Check::strictly(&part, &object["listing"]), Vec::<String>::new());
    assert_eq!((&object["question"], &object["listing"]["left"]), (&json!("executions"), &json!(7)));
    let statements = object["listing"]["functions"][0]["statements"].as_array().unwrap();
    let counts = |key: &str| statements.iter().map(|it| it[key].as_u64().unwrap()).collect::<Vec<_>>();
    assert_eq!((counts("line"), counts("left")), (vec![1, 3, 4, 5], vec![1, 1, 2, 1]));
    let markdown = workshop.reduct(["report", "--markdown", "moved"]).run().exits_with(0).stdout;
    assert!(markdown.contains(listed[1]) && markdown.contains(listed[4]), "{markdown}");
    assert!(markdown.contains("reduct step prog.py.trace.reduced.txt -- python3 prog.py\n"), "{markdown}");
    // Without the values, there is still what is executed.
    fs::remove_file(workshop.path("moved/listing.json")).unwrap();
    let less = workshop.reduct(["report", "--markdown", "moved"]).run().exits_with(0).stdout;
    assert!(less.contains("2 of 2  name = name + '<i>'\n") && less.contains(listed[4]), "{less}");
    // Whose test is another program, a plan is a text.
    workshop.write("plan.txt", &plan);
    workshop.reduct(["--by", "lines", "plan.txt", "--", "grep", "-q", "name", "{}"]).run().exits_with(0);
    let log = workshop.reduct(["log"]).run().exits_with(0);
    assert!(!log.stdout.contains("reduct step"), "{}", log.stdout);
}

/// `a = int(...)` is line 2 of the program; each value is the cause before the line after its own.
#[test]
fn the_chain_of_values_is_on_the_page_and_in_the_texts() {
    let workshop = chain();
    let done = confined(&workshop, &[&["state", "good", "bad"], &PYTHON[..]].concat()).run().exits_with(0);
    let list = workshop.text("bad.state/list.txt");
    alone(&workshop);
    let text = page(&workshop);
    says_as_the_terminal(&done, &["Proved: ", "Confirmed: ", "With the value that it has with good"], &text);
    let object = object(&workshop, "values");
    let turns = object["answer"]["turns"].as_array().unwrap();
    assert_eq!(turns.len(), 4);
    for (turn, (name, line)) in turns.iter().zip([("a", 3), ("b", 4), ("c", 5), ("d", 6)]) {
        let value = &turn["values"][0];
        assert_eq!((&value["variable"]["name"], &turn["place"]["line"]), (&json!(name), &json!(line)));
        assert_eq!((&value["failing"], &value["passing"]), (&json!("5"), &json!("4")));
        assert!(text.contains(&format!("chain.py:{line}")), "{text}");
    }
    assert_eq!((&object["question"], &object["confirmed"]), (&json!("values"), &json!(true)));
    assert_eq!(object["claim"], json!({ "kind": "values", "places": 4, "values": 4, "caveats": [] }));
    // Its tests are those that `log` lists.
    let log = workshop.reduct(["log", "moved"]).run().exits_with(0).stdout;
    assert_eq!(object["search"]["tests"].as_array().unwrap().len(), log.lines().count());
    assert!(text.contains("before chain.py") || text.contains("a = 4"), "{text}");
    let markdown = workshop.reduct(["report", "--markdown", "moved"]).run().exits_with(0).stdout;
    assert!(markdown.contains(&list), "{markdown}");
    says_as_the_terminal(&done, &["Proved: ", "Confirmed: "], &markdown);
    assert!(markdown.contains("reduct step bad.state/01.txt -- python3 chain.py bad\n"), "{markdown}");
    assert!(markdown.contains("reduct verify") && !markdown.contains("reduct resume"), "{markdown}");
    workshop.reduct(["report", "--svg", "grid", "moved"]).run().exits_with(2).says("no parts of one input");
}

#[test]
fn the_switches_are_on_the_page_with_what_the_thread_would_have_done() {
    let workshop = bank();
    let done = confined(&workshop, &["schedule", "--", "./bank"]).run().exits_with(0);
    let source = workshop.text("bank.c");
    alone(&workshop);
    let text = page(&workshop);
    let told = done.stdout.lines().find(|line| line.ends_with("runs on instead")).unwrap().trim();
    assert!(text.contains(told), "{told}: {text}");
    says_as_the_terminal(&done, &["Proved: ", "Confirmed: "], &text);
    assert!(text.contains("death by SIGABRT"), "{text}");
    // The line of the program at the place that is named.
    let line: usize = told.rsplit_once("bank.c:").unwrap().1.split(':').next().unwrap().parse().unwrap();
    let line = source.lines().nth(line - 1).unwrap().trim();
    assert!(line.contains("pthread_mutex_") && text.contains(line), "{line}: {text}");
    // Places have the same names in the table of tests, and below `reduct log`.
    let log = workshop.reduct(["log", "moved"]).run().exits_with(0).stdout;
    let place = told.rsplit_once(": ").unwrap().0.split_once(", in ").unwrap().1;
    for table in [&text, &log] {
        assert!(table.contains(&format!(" -> T2 in {place}")), "{place}: {table}");
        assert!(!table.contains("bank+0x") && !table.contains(" at ?"), "{table}");
    }
    let object = object(&workshop, "switches");
    assert_eq!((&object["question"], &object["claim"]["kind"]), (&json!("switches"), &json!("one-minimal")));
    assert_eq!((&object["answer"]["confirmed"], &object["answer"]["runs"]), (&json!(100), &json!(100)));
    assert_eq!(object["search"]["tests"].as_array().unwrap().len() as u64, object["answer"]["tests"].as_u64().unwrap());
    let markdown = workshop.reduct(["report", "--markdown", "moved"]).run().exits_with(0).stdout;
    assert!(markdown.contains(told) && markdown.contains("reduct step bank.schedule.txt -- ./bank"), "{markdown}");
}

#[test]
fn what_is_not_finished_or_does_not_fail_says_so() {
    let workshop = bank();
    confined(&workshop, &["schedule", "--tests", "1", "--seed", "7", "--", "./bank"]).run().exits_with(4);
    let stopped = workshop.reduct(["report", "--markdown"]).run().exits_with(0).stdout;
    for said in
        ["Stopped early (the number of tests was reached)", "Stopped early: no failure in 1 schedule.", "reduct resume"]
    {
        assert!(stopped.contains(said), "{said}: {stopped}");
    }
    assert!(!stopped.contains("reduct verify") && !stopped.contains("Proved"), "{stopped}");
    // Without an answer, it is known what is looked for.
    fs::remove_file(workshop.run_folder().join("kept/answer.json")).unwrap();
    let going = workshop.reduct(["report", "-o", "-"]).run().exits_with(0).stdout;
    for said in ["The thread switches with which it fails", "One with which it fails is looked for."] {
        assert!(going.contains(said), "{said}: {going}");
    }
    // Each customer takes less than there is.
    workshop.write("bank.c", workshop.text("bank.c").replace("add(-60)", "add(-6)"));
    workshop.call("cc", ["-g", "-pthread", "bank.c", "-o", "bank"]).run().exits_with(0);
    confined(&workshop, &["schedule", "--tries", "4", "--", "./bank"]).run().exits_with(3);
    alone(&workshop);
    let none = object(&workshop, "no-failure");
    assert_eq!((&none["answer"]["tried"], &none["answer"]["stopped"]), (&json!(4), &json!(false)));
    let text = page(&workshop);
    assert!(text.contains("No failure in 4 schedules.") && !text.contains("Proved"), "{text}");
    // A run of which nothing is kept but its beginning.
    let workshop = chain();
    confined(&workshop, &[&["state", "good", "bad", "--tests", "2"], &PYTHON[..]].concat()).run().exits_with(4);
    let stopped = workshop.reduct(["report", "-o", "-"]).run().exits_with(0).stdout;
    for said in ["Stopped early (the number of tests was reached)", "A chain of 1 cause", "others may stand"] {
        assert!(stopped.contains(said), "{said}: {stopped}");
    }
    fs::remove_file(workshop.run_folder().join("kept/answer.json")).unwrap();
    let less = workshop.reduct(["report", "-o", "-"]).run().exits_with(0).stdout;
    assert!(less.contains("No value is known to be a cause yet."), "{less}");
}
