//! `reduct isolate`: two sides that differ in as little as possible.

use crate::workshop::{Events, Workshop, listed};

/// Fails with 1 and a message if `<SELECT` stands before a `>` (the browser of the book).
const BROWSER: &str =
    "echo run >>\"$LOG\"\nif grep -q '<SELECT[^>]*>' page.html; then echo 'assertion failed: no crash' >&2; exit 1; fi";

const PAGE: &str = "<SELECT NAME=\"priority\" MULTIPLE SIZE=7>";

fn workshop() -> Workshop {
    let workshop = Workshop::new();
    workshop.script("browser", BROWSER);
    workshop.write("page.html", PAGE);
    workshop
}

/// Example 5.9 of the book: the initial `<` in five tests, besides those of both ends. Words come to it sooner.
#[test]
fn example_5_9() {
    for (by, tests) in [(&["--by", "chars"][..], 5), (&[], 3)] {
        let workshop = workshop();
        let words = [&["isolate", "-j1", "--scratch", "../scratch", "page.html"], by, &["--", "./browser"]].concat();
        let done = workshop.reduct(words).run().exits_with(0).says(&format!("{tests} tests"));
        assert_eq!(workshop.text("page.isolated/failing/page.html"), PAGE);
        assert_eq!(workshop.text("page.isolated/passing/page.html"), &PAGE[1..]);
        drop(done.says("they differ in one place only").says("+ <SELECT"));
        // Twice what fails, once what passes, the tests, and both sides once more.
        assert_eq!(workshop.runs().len(), 3 + tests + 2);
        workshop.reduct(["verify"]).run().exits_with(0).says("one side passes, the other fails");
        assert_eq!(workshop.logged().len(), tests);
        workshop.expect_no_scratch();
        // What was published is changed by somebody: the claim does not hold any more.
        workshop.write("page.isolated/passing/page.html", PAGE);
        workshop.reduct(["verify"]).run().exits_with(1).says("does not hold");
    }
}

#[test]
fn two_files_end_at_one_character() {
    let workshop = Workshop::new();
    let old = "a = 1\nb = 2\n\ndef f(x):\n    return x + a\n\ndef g(x):\n    return x * b\n\nprint(f(1), g(2))\n";
    let new = old.replace("b = 2", "b = 3  # more").replace("x + a", "a + x").replace("print(f", "print( f");
    workshop.write("good.py", old);
    workshop.write("bad.py", &new);
    // What computes g(2) is `b` alone.
    workshop.script(
        "check",
        "b=$(sed -n 's/^b = \\([0-9]*\\).*/\\1/p' \"$1\"); test -n \"$b\" || exit 125; test \"$b\" = 2",
    );
    let words = ["isolate", "--scratch", "../scratch", "good.py", "bad.py", "--", "./check", "{}"];
    workshop.reduct(words).run().exits_with(0);
    let (passing, failing) =
        (workshop.text("bad.isolated/passing/bad.py"), workshop.text("bad.isolated/failing/bad.py"));
    // One character makes it another number: `2` and `23`.
    assert!(passing.contains("b = 2") && !failing.contains("b = 2\n"), "{passing}\n{failing}");
    assert_eq!(passing.len() + 1, failing.len(), "{passing}\n{failing}");
}

#[test]
fn folders_that_differ_in_a_file() {
    let workshop = Workshop::new();
    for (folder, mode) in [("good", "strict"), ("bad", "lax")] {
        workshop.write(format!("{folder}/main.conf"), format!("mode = {mode}\n"));
        workshop.write(format!("{folder}/sub/other.conf"), format!("name = {folder}\n"));
        workshop.write(format!("{folder}/same"), "same\n");
    }
    workshop.write("bad/new", "whatever\n");
    workshop.script("check", "grep -q strict \"$1/main.conf\"");
    let words = ["isolate", "--scratch", "../scratch", "good", "bad", "--", "./check", "{}"];
    workshop.reduct(words).run().exits_with(0).says("main.conf");
    let files = |side: &str| {
        let folder = workshop.path(format!("bad.isolated/{side}/bad"));
        (listed(&folder), workshop.text(format!("bad.isolated/{side}/bad/sub/other.conf")))
    };
    assert_eq!(files("passing"), files("failing"), "they differ in main.conf alone");
}

#[test]
fn any_number_of_jobs_gives_the_same() {
    let mut seen = vec![];
    for jobs in ["1", "2", "7"] {
        let workshop = workshop();
        workshop.write("page.html", PAGE.repeat(3));
        let words =
            ["isolate", "-j", jobs, "--events", "events", "--scratch", "../scratch", "page.html", "--", "./browser"];
        workshop.reduct(words).run().exits_with(0);
        let sides = ["passing", "failing"].map(|side| workshop.read(format!("page.isolated/{side}/page.html")));
        seen.push((sides, Events::read(workshop.path("events")).tests()));
    }
    assert!(seen.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn stopped_in_the_middle_it_goes_on() {
    let undisturbed = workshop();
    let words = |more: &[&'static str]| {
        [&["isolate", "-j1", "--by", "chars", "--scratch", "../scratch", "page.html"], more, &["--", "./browser"]]
            .concat()
    };
    undisturbed.reduct(words(&[])).run().exits_with(0);
    let workshop = workshop();
    workshop.reduct(words(&["--tests", "2"])).run().exits_with(4).says("reduct resume");
    assert!(workshop.exists("page.isolated/passing/page.html"), "both sides are on disk at any time");
    let runs = workshop.runs().len();
    workshop.reduct(["resume"]).run().exits_with(0);
    for side in ["passing", "failing"] {
        let place = format!("page.isolated/{side}/page.html");
        assert_eq!(workshop.read(&place), undisturbed.read(&place));
    }
    // What was known is not run again: three tests more, and both sides once more.
    assert_eq!(workshop.runs().len() - runs, 3 + 2);
    // And a second time, over what this run has left; but not over what it has not.
    workshop.reduct(words(&[])).run().exits_with(0);
    workshop.write("page.isolated/notes", "mine");
    workshop.reduct(words(&[])).run().exits_with(2).says("exists");
    assert_eq!(workshop.text("page.isolated/notes"), "mine");
}

#[test]
fn what_cannot_be_isolated_is_refused() {
    let workshop = workshop();
    workshop.write("good.html", "<p>");
    workshop.write("bad.html", format!("{PAGE}x"));
    let isolate = |inputs: &[&str]| workshop.reduct([&["isolate"], inputs, &["--", "./browser"]].concat()).run();
    isolate(&["page.html", "page.html"]).exits_with(2).says("are the same");
    workshop.script("browser", "grep -q SELECT page.html bad.html good.html 2>/dev/null && exit 1; exit 0");
    workshop.write("page.html", "SELECT");
    isolate(&["page.html", "bad.html"]).exits_with(3).says("page.html fails too");
    isolate(&["missing", "page.html"]).exits_with(2).says("missing");
    isolate(&["good.html", "."]).exits_with(2).says("a file and the other one a folder");
    assert_eq!(workshop.names(), ["bad.html", "browser", "good.html", "page.html"], "nothing was changed");
}
