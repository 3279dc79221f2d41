//! `--persistent`: the test is a server that is asked test after test.

use crate::workshop::{Done, Events, PAGE, SELECT, Workshop};
use std::path::PathBuf;
use std::process::Command;

fn example(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/persistent").join(name)
}

fn made(command: &mut Command) {
    let done = command.output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

/// A server in Python, whose test is this expression of `data`.
fn serve(workshop: &Workshop, expression: &str) {
    let text = std::fs::read_to_string(example("server.py")).unwrap();
    let text = text.replace("SELECT.search(contents) is not None", &expression.replace("data", "contents"));
    let text = text.strip_prefix("#!/usr/bin/env python3\n").unwrap();
    workshop.write("server.py", text);
}

const SERVER: [&str; 3] = ["--", "python3", "server.py"];

fn reduct(workshop: &Workshop, more: &[&str], server: &[&str]) -> Done {
    let words = [&["--scratch", "../scratch", "--events", "events", "--persistent"], more, server].concat();
    workshop.reduct(words).run()
}

/// The result and the tests, as they are with a test that is started each time.
fn spawned() -> (Vec<u8>, Vec<(u64, String)>) {
    let workshop = Workshop::with_page();
    workshop.write("page.html", PAGE.repeat(2));
    let words = ["--events", "events", "--scratch", "../scratch", "page.html", "--", "./test.sh"];
    workshop.reduct(words).run().exits_with(0);
    (workshop.read("page.reduced.html"), Events::read(workshop.path("events")).tests())
}

#[test]
fn all_examples_find_what_the_spawned_test_finds() {
    assert!(SELECT.contains("<SELECT[^>]*>"), "they look for the same");
    let expected = spawned();
    let workshop = Workshop::new();
    workshop.write("page.html", PAGE.repeat(2));
    made(
        Command::new("cc")
            .args(["-O1", "-Wall", "-Wextra", "-Werror", "-o"])
            .arg(workshop.path("in-c"))
            .arg(example("server.c")),
    );
    made(
        Command::new("rustc")
            .args(["--edition", "2024", "-D", "warnings", "-o"])
            .arg(workshop.path("in-rust"))
            .arg(example("server.rs")),
    );
    let python = example("server.py");
    for server in ["./in-c", "./in-rust", python.to_str().unwrap()] {
        for jobs in ["1", "3"] {
            reduct(&workshop, &["-j", jobs, "--no-cache", "page.html"], &["--", server])
                .exits_with(0)
                .does_not_say("keeps");
            let found = (workshop.read("page.reduced.html"), Events::read(workshop.path("events")).tests());
            assert_eq!(found, expected, "{server}");
        }
        workshop.reduct(["verify"]).run().exits_with(0);
        workshop.expect_no_scratch();
    }
    workshop.expect_no_process();
}

#[test]
fn a_server_that_does_not_forget_does_not_deceive() {
    let workshop = Workshop::new();
    workshop.write("page.html", PAGE);
    // It says that every third candidate of its life fails, after the first two.
    serve(&workshop, "count.append(0) or b'<SELECT' in data or len(count) % 3 == 0");
    let text = workshop.text("server.py").replace("import re\n", "import re\ncount = []\n");
    workshop.write("server.py", text);
    reduct(&workshop, &["-j1", "page.html"], &SERVER)
        .exits_with(0)
        .says("the server keeps something from test to test");
    assert_eq!(workshop.text("page.reduced.html"), "<SELECT");
}

#[test]
fn a_server_that_cannot_be_there_twice_will_do() {
    let workshop = Workshop::new();
    workshop.write("page.html", PAGE);
    serve(&workshop, "b'<SELECT' in data");
    reduct(&workshop, &["--no-cache", "-j1", "page.html"], &SERVER).exits_with(0);
    let found = || (workshop.read("page.reduced.html"), Events::read(workshop.path("events")).tests());
    let expected = found();
    let (lock, server) = (workshop.path("lock"), workshop.path("server.py"));
    workshop.write(
        "alone.sh",
        format!(
            "exec 9> {lock:?}\nflock -n 9 || {{ echo it is there already >&2; exit 3; }}\nexec python3 {server:?}\n"
        ),
    );
    reduct(&workshop, &["--no-cache", "-j1", "page.html"], &["--", "sh", "alone.sh"])
        .exits_with(0)
        .does_not_say("there already");
    assert_eq!(found(), expected);
    workshop.reduct(["verify"]).run().exits_with(0);
    workshop.expect_no_process();
}

#[test]
fn isolation_asks_too() {
    let workshop = Workshop::new();
    workshop.write("page.html", PAGE);
    serve(&workshop, "re.search(rb'<SELECT[^>]*>', data)");
    let words = ["isolate", "--persistent", "--by", "chars", "--scratch", "../scratch", "page.html"];
    workshop.reduct([&words[..], &SERVER].concat()).run().exits_with(0).says("5 tests");
    assert_eq!(workshop.text("page.isolated/failing/page.html"), PAGE);
    assert_eq!(workshop.text("page.isolated/passing/page.html"), &PAGE[1..]);
    workshop.reduct(["verify"]).run().exits_with(0).says("one side passes, the other fails");
}

#[test]
fn folders_are_told_by_their_path() {
    let workshop = Workshop::new();
    for name in ["a", "sub/b", "sub/c"] {
        workshop.write(format!("pages/{name}"), format!("{name} needle\nmore\n"));
    }
    workshop.write(
        "server.py",
        "import os, sys\nprint('reduct 1', flush=True)\nfor line in sys.stdin.buffer:\n    \
         path = os.fsdecode(sys.stdin.buffer.read(int(line.split()[1])))\n    \
         try: fails = 'needle' in open(os.path.join(path, 'sub/b')).read()\n    \
         except OSError: fails = False\n    print('fail' if fails else 'pass', flush=True)\n",
    );
    reduct(&workshop, &["pages"], &SERVER).exits_with(0);
    assert_eq!(workshop.text("pages.reduced/sub/b"), "needle");
    let words = ["--persistent=contents", "pages"];
    workshop.reduct([&words[..], &SERVER].concat()).run().exits_with(2).says("works on one file");
}

#[test]
fn stopped_or_killed_it_goes_on_as_it_was() {
    let undisturbed = Workshop::new();
    let page: String = (0..40).map(|n| format!("line {n} says something\n")).collect();
    let prepare = |workshop: &Workshop| {
        workshop.write("page.txt", &page);
        serve(workshop, "re.search(rb'7.*3[12].*s', data, re.S)");
    };
    prepare(&undisturbed);
    reduct(&undisturbed, &["page.txt"], &SERVER).exits_with(0);
    let workshop = Workshop::new();
    prepare(&workshop);
    reduct(&workshop, &["--tests", "20", "page.txt"], &SERVER).exits_with(4);
    let running = workshop.reduct(["resume"]).start();
    running.kill();
    drop(running);
    workshop.expect_no_process();
    workshop.reduct(["resume"]).run().exits_with(0);
    assert_eq!(workshop.read("page.reduced.txt"), undisturbed.read("page.reduced.txt"));
    workshop.reduct(["verify"]).run().exits_with(0);
    workshop.expect_no_process();
}

#[test]
fn what_does_not_serve_is_refused() {
    let workshop = Workshop::with_page();
    serve(&workshop, "False");
    let refused = |words: &[&str]| {
        workshop.reduct([&["--scratch", "../scratch", "--persistent", "page.html"], words].concat()).run()
    };
    refused(&["--", "echo", "hello"]).exits_with(2).says("`hello` where `reduct 1` was expected");
    refused(&["--", "sh", "-c", "echo no model >&2; exit 5"]).exits_with(2).says("no model");
    refused(&["--", "python3", "server.py", "{}"]).exits_with(2).says("leave the input out");
    refused(&["--", "python3", "server.py", "page.html"]).exits_with(2).says("leave the input out");
    refused(&SERVER).exits_with(3).says("the server answers that the whole input passes").says("contents %s");
    serve(&workshop, "print('Hello') or True");
    refused(&SERVER).exits_with(3).says("the server answers `Hello`");
    assert_eq!(workshop.names(), ["page.html", "server.py", "test.sh"], "nothing was changed");
    workshop.expect_no_scratch();
}
