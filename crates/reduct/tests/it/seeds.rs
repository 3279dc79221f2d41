//! The book's own examples, test by test.

use crate::workshop::{Events, PAGE, Workshop};

/// Example 5.8: the size of each test, and whether the failure occurred.
const EXAMPLE_5_8: [(u64, bool); 48] = [
    (20, false),
    (20, false),
    (30, false),
    (30, true),
    (20, false),
    (20, true),
    (10, false),
    (10, false),
    (15, false),
    (15, false),
    (15, true),
    (10, false),
    (10, false),
    (10, false),
    (12, false),
    (13, false),
    (12, false),
    (13, true),
    (10, false),
    (10, false),
    (11, false),
    (10, true),
    (7, false),
    (8, false),
    (7, false),
    (8, false),
    (9, false),
    (9, false),
    (9, false),
    (9, false),
    (8, false),
    (9, false),
    (8, true),
    (7, false),
    (7, false),
    (7, false),
    (7, false),
    (7, false),
    (6, false),
    (7, false),
    (7, false),
    (7, false),
    (7, false),
    (7, false),
    (7, false),
    (7, false),
    (7, false),
    (7, false),
];

/// The whole input twice, the empty one once, the result five times at the end.
const BESIDE_THE_SEARCH: usize = 2 + 1 + 5;

fn example_5_8() -> Vec<(u64, String)> {
    EXAMPLE_5_8.iter().map(|(size, fails)| (*size, if *fails { "fail" } else { "pass" }.to_owned())).collect()
}

#[test]
fn example_5_8_is_the_book_s_test_by_test() {
    let workshop = Workshop::with_page();
    let words = "--by chars --search ddmin --no-cache -j1 --events events ./test.sh page.html";
    workshop.reduct(words.split(' ')).run().exits_with(0);
    let events = Events::read(workshop.path("events"));
    assert_eq!(events.tests(), example_5_8());
    assert_eq!(workshop.text("page.reduced.html"), "<SELECT>");
    assert_eq!(workshop.runs().len(), 48 + BESIDE_THE_SEARCH);
    assert_eq!(events.last()["why"], "done");
    assert_eq!(events.last()["confirmed"], true);
}

#[test]
fn with_the_cache_eight_of_the_48_tests_are_not_run() {
    let workshop = Workshop::with_page();
    let words = "--by chars --search ddmin -j1 --events events ./test.sh page.html";
    workshop.reduct(words.split(' ')).run().exits_with(0);
    let events = Events::read(workshop.path("events"));
    assert_eq!(events.tests(), example_5_8());
    let repeats: Vec<u64> = events
        .of("test")
        .iter()
        .filter(|test| test["cached"] == true)
        .map(|test| test["n"].as_u64().unwrap())
        .collect();
    // The book (5.8.1) names 41 to 45 and 48; tests 5 and 14 repeat earlier ones too.
    assert_eq!(repeats, [5, 14, 41, 42, 43, 44, 45, 48]);
    assert_eq!(events.last()["runs"], 40);
    assert_eq!(workshop.runs().len(), 40 + BESIDE_THE_SEARCH);
    assert_eq!(workshop.text("page.reduced.html"), "<SELECT>");
}

#[test]
fn the_log_is_the_book_s_table() {
    let workshop = Workshop::with_page();
    workshop.reduct("--by chars --search ddmin --no-cache -j1 ./test.sh page.html".split(' ')).run().exits_with(0);
    workshop.forget_runs();
    let table = workshop.reduct(["log"]).run().exits_with(0).stdout;
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), 1 + 48 + 1, "{table}");
    assert!(lines[0].starts_with("Input:") && lines[0].contains(PAGE) && lines[0].contains("(40)"), "{table}");
    for (n, (size, fails)) in EXAMPLE_5_8.iter().enumerate() {
        let row = lines[1 + n];
        assert!(row.trim_start().starts_with(&format!("{} ", n + 1)), "{row}");
        assert!(row.contains(&format!("({size})")) && row.contains(if *fails { "✗" } else { "✓" }), "{row}");
    }
    assert!(lines[49].starts_with("Result:") && lines[49].contains("<SELECT>"), "{table}");
    let json = workshop.reduct(["log", "--json"]).run().exits_with(0).stdout;
    let sizes: Vec<u64> = json
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["size"].as_u64().unwrap())
        .collect();
    assert_eq!(sizes, EXAMPLE_5_8.map(|(size, _)| size));
    assert_eq!(workshop.runs().len(), 0, "the table is made without running a test");
}

#[test]
fn example_5_9_isolates_the_first_character_in_five_tests() {
    let workshop = Workshop::with_page();
    let words = "--by chars --search isolate -j1 --events events ./test.sh page.html";
    workshop.reduct(words.split(' ')).run().exits_with(0);
    let tests = Events::read(workshop.path("events")).tests();
    assert_eq!(tests.len(), 5, "{tests:?}");
    // What fails is the whole, what passes the whole without its first character.
    assert_eq!(tests[4], (39, "pass".into()));
    assert_eq!(workshop.text("page.reduced.html"), PAGE);
    assert_eq!(workshop.runs().len(), 5 + BESIDE_THE_SEARCH);
}

#[test]
fn the_paper_s_order_of_cases_takes_eleven_tests() {
    let workshop = Workshop::with_page();
    let words = "--by chars --search isolate-paper -j1 --events events ./test.sh page.html";
    workshop.reduct(words.split(' ')).run().exits_with(0);
    let tests = Events::read(workshop.path("events")).tests();
    assert_eq!(tests.len(), 11, "{tests:?}");
    assert!(tests.contains(&(29, "pass".into())) && tests.contains(&(30, "fail".into())), "{tests:?}");
    assert_eq!(workshop.read("page.reduced.html").len(), 30);
}

#[test]
fn monotony_runs_fewer_tests_and_ends_at_the_same() {
    let workshop = Workshop::with_page();
    let words = "--by chars --search ddmin --monotone -j1 --events events ./test.sh page.html";
    workshop.reduct(words.split(' ')).run().exits_with(0);
    assert_eq!(workshop.text("page.reduced.html"), "<SELECT>");
    let monotone = workshop.runs().len() - BESIDE_THE_SEARCH;
    assert!(monotone < 40, "{monotone} runs");
    assert_eq!(Events::read(workshop.path("events")).last()["runs"], monotone);
}

#[test]
fn the_exercise_2_4_2_4_ends_at_4_2() {
    let workshop = Workshop::new();
    workshop.write("list", "2\n4\n2\n4\n");
    let holds = "awk '{ all = all $1 \",\" } END { exit all !~ /4,2,/ }' list";
    workshop.script("test.sh", &format!("echo >>\"$LOG\"\n{holds}"));
    let words = "--by lines --search ddmin-subsets --no-cache -j1 --events events ./test.sh list";
    workshop.reduct(words.split(' ')).run().exits_with(0);
    assert_eq!(workshop.text("list.reduced"), "4\n2\n");
    // The lecture's table: at granularity 2 a half and its double, four single ones and three without one, ...
    let failing: Vec<u64> = Events::read(workshop.path("events"))
        .tests()
        .into_iter()
        .filter_map(|(size, outcome)| (outcome == "fail").then_some(size))
        .collect();
    assert_eq!(failing, [3, 2]);
}

#[test]
fn tokens_need_four_tests_where_characters_need_many() {
    let workshop = Workshop::new();
    workshop.write("page.html", "<select>\nfoo\n</select>\n");
    workshop.script("test.sh", "grep -q '<select>' page.html");
    for (by, most) in [("lines", 4), ("chars", 60)] {
        let words = format!("--by {by} --search ddmin --no-cache -j1 --force --events events ./test.sh page.html");
        workshop.reduct(words.split(' ')).run().exits_with(0);
        let tests = Events::read(workshop.path("events")).tests().len();
        assert!(tests <= most, "{by}: {tests}");
        assert!(by == "lines" || tests > 4 * 4, "{by}: {tests}");
    }
}
