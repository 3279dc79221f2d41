//! The page of a run of each kind, in one real browser; and its other forms.

use crate::browser::Browser;
use crate::check::Check;
use crate::inquiries::{PYTHON, bank, chain, confined};
use crate::report::{FITS, report};
use crate::workshop::{Done, Workshop};
use serde_json::{Value, json};
use std::path::PathBuf;

/// A run of some kind, and its page.
struct Kind {
    name: &'static str,
    workshop: Workshop,
    /// What `reduct report` is given.
    of: &'static str,
    page: PathBuf,
}

/// Runs, and makes the page.
fn kind(name: &'static str, of: &'static str, workshop: Workshop, run: impl FnOnce(&Workshop) -> Done) -> Kind {
    run(&workshop);
    let page = report(&workshop, of);
    Kind { name, workshop, of, page }
}

/// A workshop with these files.
fn with(files: &[(&str, &str)]) -> Workshop {
    let workshop = Workshop::new();
    for (name, text) in files {
        workshop.write(name, text);
    }
    workshop
}

/// Runs of inputs.
fn of_inputs() -> Vec<Kind> {
    let run = |words: &'static [&'static str], status: i32| {
        move |workshop: &Workshop| workshop.reduct(words.iter().copied()).run().exits_with(status)
    };
    let sides = [("good", "int x;\nint y = 1;\n"), ("bad", "int x;\nint y = 1+/0;\n")];
    let isolate = run(&["isolate", "good", "bad", "--", "sh", "-c", "! grep -q 0 {}"], 0);
    let minima = run(&["minima", "in", "--", "sh", "-c", "! grep -q fail {}"], 0);
    let flaky = with(&[("input", "one\nneedle\ntwo\n")]);
    flaky.script(
        "test.sh",
        "echo >>\"$LOG\"; [ $(($(wc -l <\"$LOG\") % 2)) = 1 ] || ! grep -q needle input || { echo needle >&2; exit 1; }",
    );
    let waits = with(&[("input", "one\nneedle\ntwo\nthree\n")]);
    let wait = "[ \"$(wc -l <\"$LOG\")\" -lt 5 ] || while :; do sleep 0.05; done";
    waits.script("test.sh", &format!("echo >>\"$LOG\"\n{wait}\ngrep -q needle input"));
    let interrupted = |workshop: &Workshop| {
        let mut running = workshop.reduct(["-j1", "--timeout", "10m", "input", "--", "./test.sh"]).start();
        assert!(workshop.wait_for_runs(5, &mut running));
        running.process().kill(rustix::process::Signal::INT);
        running.wait().exits_with(130)
    };
    let repeat = run(&["-j1", "--by", "lines", "--repeat", "input", "--", "./test.sh"], 0);
    vec![
        kind("isolate", ".", with(&sides), isolate),
        kind("minima", ".", with(&[("in", "a\nfail one\nb\nfail two\n")]), minima),
        kind("--repeat", ".", flaky, repeat),
        kind("stopped", ".", Workshop::with_page(), run(&["--tests", "5", "./test.sh", "page.html"], 4)),
        kind("interrupted", ".", waits, interrupted),
    ]
}

/// Runs of commands, and of versions of a program.
fn of_commands() -> Vec<Kind> {
    let run = |words: &'static [&'static str]| {
        move |workshop: &Workshop| workshop.reduct(words.iter().copied()).env("BAD", "1").run().exits_with(0)
    };
    let args = run(&["args", "--", "sh", "-c", "exit 3", "a", "b", "c"]);
    let env = run(&["env", "--", "sh", "-c", "[ -z \"$BAD\" ]"]);
    let files = run(&["files", "--", "sh", "-c", "[ ! -e bad ]"]);
    let all =
        run(&["all", "-o", "matters", "--", "sh", "-c", "[ ! -e bad ] || [ -z \"$BAD\" ] || [ -z \"$1\" ]", "x", "y"]);
    let changes = |workshop: &Workshop| {
        let words = ["changes", "old", "new", "--", "sh", "-c", "! grep -q bad p"];
        let done = workshop.reduct(words).run().exits_with(0);
        // What was compared is gone: the page says so, and shows what the run has left.
        std::fs::remove_dir_all(workshop.path("old")).unwrap();
        done
    };
    let versions = with(&[("old/p", "1\n2\n3\n"), ("new/p", "1\nbad\n3\n4\n")]);
    vec![
        kind("args", ".", Workshop::new(), args),
        kind("env", ".", Workshop::new(), env),
        kind("files", ".", with(&[("bad", ""), ("good", "")]), files),
        kind("all", ".", with(&[("bad", ""), ("good", "")]), all),
        kind("changes", ".", versions, changes),
    ]
}

/// Runs about programs, and folders of many failures.
fn of_programs() -> Vec<Kind> {
    let events = |workshop: &Workshop| {
        let play = ["events", "keys.txt", "--", "./test.sh", "{}"];
        workshop.reduct(play).run().exits_with(0)
    };
    let keys = with(&[("keys.txt", "key a\nkey b\nkey alt+p\nkey c\n")]);
    keys.script("test.sh", "! grep -q alt+p \"$1\"");
    let state = |workshop: &Workshop| {
        confined(workshop, &[&["state", "--view", "good", "bad"], &PYTHON[..]].concat()).run().exits_with(0)
    };
    let schedule = |workshop: &Workshop| confined(workshop, &["schedule", "--", "./bank"]).run().exits_with(0);
    let trace = |workshop: &Workshop| confined(workshop, &["trace", "--", "python3", "prog.py"]).run().exits_with(0);
    let fuzz = |workshop: &Workshop| {
        workshop.reduct(["fuzz", "--findings", "1", "--tests", "200", "--", "./program"]).run().exits_with(0)
    };
    let fuzzed = Workshop::new();
    fuzzed.script("program", "grep -q '[0-9]' && kill -SEGV $$\nexit 0");
    let triage = |workshop: &Workshop| {
        workshop.reduct(["triage", "c", "--", "sh", "-c", "! grep -q CRASH {}"]).run().exits_with(0)
    };
    let crashes = with(&[("c/one", "aaa CRASH\n"), ("c/two", "CRASH b\n"), ("c/fine", "x\n")]);
    vec![
        kind("events", ".", keys, events),
        kind("trace", ".", with(&[("prog.py", "a = 1\nb = 2\nassert a != 1\n")]), trace),
        kind("state", ".", chain(), state),
        kind("schedule", ".", bank(), schedule),
        kind("fuzz", "fuzz", fuzzed, fuzz),
        kind("triage", "c", crashes, triage),
    ]
}

#[test]
fn every_kind_of_run_has_a_page_that_opens_in_silence() {
    let kinds: Vec<Kind> = [of_inputs(), of_commands(), of_programs()].into_iter().flatten().collect();
    let mut browser = Browser::start();
    for Kind { name, page, .. } in &kinds {
        browser.open(page, 360);
        assert_eq!(browser.heard, Vec::<String>::new(), "{name}");
        assert_eq!(browser.value(FITS), true, "{name}");
        assert_eq!(browser.violations(), json!([]), "{name}");
        // What was asked, what came of it, and what to type stand on each.
        let said =
            "[...document.querySelectorAll('h1, #answer, .command pre')].every(e => e.textContent.trim() !== '')";
        assert_eq!(browser.value(said), true, "{name}");
    }
    let page = |name: &str| {
        let kind = kinds.iter().find(|kind| kind.name == name).unwrap();
        std::fs::read_to_string(&kind.page).unwrap()
    };
    let gone = page("changes");
    assert!(gone.contains("could not be walked through again") && gone.contains("+bad"), "{gone}");
    let interrupted = page("interrupted");
    assert!(interrupted.contains("Stopped early (interrupted)"), "{interrupted}");
    // An inquiry is served as well.
    let state = kinds.iter().find(|kind| kind.name == "state").unwrap();
    let mut viewing = state.workshop.reduct(["view"]).start();
    browser.visit(&crate::view::address(&mut viewing));
    browser.until(
        "document.querySelector('#live').dataset.state === 'rest' && document.querySelector('ol.chain') !== null",
    );
    viewing.process().kill(rustix::process::Signal::INT);
    viewing.wait().exits_with(0);
    let fuzz = kinds.iter().find(|kind| kind.name == "fuzz").unwrap();
    fuzz.workshop.reduct(["view", "fuzz"]).run().exits_with(2).says("this is a folder of many runs");
    // The other forms of each.
    for Kind { name, workshop, of, .. } in &kinds {
        let text = workshop.reduct(["report", "--json", of]).run().exits_with(0).stdout;
        let object: Value = serde_json::from_str(&text).unwrap();
        let several = object.get("groups").is_some();
        let schema = schema(if several { "findings.schema.json" } else { "run.schema.json" });
        assert_eq!(several, ["fuzz", "triage"].contains(name));
        assert_eq!(Check::of(&schema, &object), Vec::<String>::new(), "{name}: {text}");
        let markdown = workshop.reduct(["report", "--markdown", of]).run().exits_with(0).stdout;
        assert!(markdown.starts_with("## ") && markdown.contains("```"), "{name}: {markdown}");
    }
}

/// Markup, terminal sequences, marks that turn text around, and bytes that are no text.
const HOSTILE: &str = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\u{1b}[31m\u{202e}";

#[test]
fn hostile_inputs_and_names_are_text_on_each_kind_of_page() {
    let name = "ev<img src=x onerror=alert(3)>il\u{202e}";
    let path = |folder: &str| format!("{folder}{name}");
    let run = |words: Vec<String>| move |workshop: &Workshop| workshop.reduct(words).run().exits_with(0);
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let has = ["--", "sh", "-c", "! grep -rq alert.1 ."];
    let two = with(&[("good", "fine\n"), (name, &format!("fine\n{HOSTILE}\n"))]);
    let all = with(&[(name, &format!("a\n{HOSTILE}1\nb\n{HOSTILE}2\n"))]);
    let crash = format!("x {HOSTILE} CRASH\n");
    let crashes = with(&[(&path("c/"), &crash), ("c/two", "CRASH b\n"), ("c/<i>fine", "x\n")]);
    let versions = with(&[(&path("old/"), "1\n2\n"), (&path("new/"), &format!("1\n{HOSTILE}\n2\n"))]);
    let says = "grep -q CRASH {} || exit 0; cat {} >&2; exit 3";
    let kinds = [
        kind("isolate", ".", two, run([words(&["isolate", "good", name]), words(&has)].concat())),
        kind("minima", ".", all, run(words(&["minima", name, "--", "sh", "-c", "! grep -q alert.1 {}"]))),
        kind("args", ".", Workshop::new(), run(words(&["args", "--", "sh", "-c", "exit 3", "a", HOSTILE]))),
        kind("changes", ".", versions, run([words(&["changes", "old", "new"]), words(&has)].concat())),
        kind("triage", "c", crashes, run(words(&["triage", "c", "--", "sh", "-c", says]))),
    ];
    let mut browser = Browser::start();
    for Kind { name, page, .. } in &kinds {
        browser.open(page, 1280);
        assert_eq!(browser.heard, Vec::<String>::new(), "{name}");
        assert_eq!(browser.value("[document.images.length, document.scripts.length]"), json!([0, 2]), "{name}");
        let text = browser.value("document.body.textContent");
        let hidden = |c: char| c.is_control() && c != '\n' && c != '\t' || c == '\u{202e}';
        assert!(!text.as_str().unwrap().contains(hidden), "{name}");
        assert_eq!(browser.value(FITS), true, "{name}");
    }
}

/// The lines of each group run its smallest input, as typed.
#[test]
fn the_line_of_a_group_shows_its_failure() {
    let workshop = with(&[("c/one file", "aaa CRASH\n"), ("c/fine", "x\n")]);
    workshop.script("p", "grep -q CRASH \"$1\" && exit 7\nexit 0");
    workshop.reduct(["triage", "--fails-if", "exit=7", "c", "--no-reduce", "--", "./p", "{}"]).run().exits_with(0);
    let text = workshop.reduct(["report", "--json", "c"]).run().exits_with(0).stdout;
    let object: Value = serde_json::from_str(&text).unwrap();
    let line = object["groups"][0]["repeat"].as_str().unwrap();
    workshop.call("sh", ["-c", line]).run().exits_with(7);
    assert_eq!(object["commands"][0]["line"], "reduct triage --fails-if exit=7 --no-reduce c -- ./p {}");
}

/// A schema of docs/schema.
pub(crate) fn schema(name: &str) -> Value {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema").join(name);
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn groups_of_failures_have_their_inputs_and_reasons_in_each_form() {
    let workshop =
        with(&[("c/one", "aaa CRASH\n"), ("c/two", "CRASH `b`\n"), ("c/other", "KILL\n"), ("c/fine", "x\n")]);
    let test = "if grep -q CRASH {}; then exit 3; fi; if grep -q KILL {}; then exit 4; fi";
    workshop.reduct(["triage", "c", "--", "sh", "-c", test]).run().exits_with(0);
    let text = workshop.reduct(["report", "--json", "c"]).run().exits_with(0).stdout;
    let object: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(Check::strictly(&schema("findings.schema.json"), &object), Vec::<String>::new(), "{text}");
    let groups = object["groups"].as_array().unwrap();
    assert_eq!((&object["command"], groups.len()), (&json!("triage"), 2), "{text}");
    let crash = groups.iter().find(|group| group["failure"].as_str().unwrap().contains('3')).unwrap();
    assert_eq!(crash["members"].as_array().unwrap().len(), 1, "{text}");
    assert!(crash["smallest"]["text"].as_str().unwrap().contains("CRASH"), "{text}");
    assert_eq!(object["not_failing"][0]["name"], "fine");
    let markdown = workshop.reduct(["report", "--markdown", "c"]).run().exits_with(0).stdout;
    // The test and the whole line, as they were typed; the line of each group shows its failure.
    assert!(markdown.contains("The test: `sh -c ") && markdown.contains("\nreduct triage c -- sh -c "), "{markdown}");
    for said in ["## 3 inputs fail in 2 ways", "CRASH", "KILL", "### These do not fail", "* `fine`: "] {
        assert!(markdown.contains(said), "{said}: {markdown}");
    }
    workshop
        .reduct(["report", "--svg", "grid", "c"])
        .run()
        .exits_with(2)
        .says("of several failures there is no picture");
}
