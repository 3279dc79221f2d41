//! One bug is filed once: groups of `reduct triage` under a sanitizer, and findings of `reduct fuzz` once they are reduced.

use crate::fuzz::{findings, fuzz, workshop as with_program};
use crate::workshop::{Workshop, listed};
use serde_json::Value;
use std::process::Command;

/// Reads lines `VERB(HOW, NUMBER)`. In one function are two bugs, of one kind, and three functions call it.
const READER: &str = r#"
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    static char *text;
    static int element(const char *how, int number) {
        if (!strcmp(how, "wide") && number > 100)
            return text[16];
        if (!strcmp(how, "low") && number < 0)
            return text[17];
        return 0;
    }
    static int show_it(const char *how, int number) { return 1 + element(how, number); }
    static int keep_it(const char *how, int number) { return 2 + element(how, number); }
    static int check_it(const char *how, int number) { return 3 + element(how, number); }
    int main(int argc, char **argv) {
        char line[100], verb[16], how[16], end;
        int number, sum = 0;
        FILE *in = fopen(argv[1], "r");
        text = calloc(16, 1);
        while (fgets(line, sizeof line, in)) {
            if (sscanf(line, " %15[a-z](%15[a-z],%d%c", verb, how, &number, &end) != 4 || end != ')') continue;
            if (!strcmp(verb, "show")) sum += show_it(how, number);
            if (!strcmp(verb, "keep")) sum += keep_it(how, number);
            if (!strcmp(verb, "check")) sum += check_it(how, number);
        }
        return sum < 0;
    }"#;

const INPUTS: [(&str, &str); 5] = [
    ("a", "# first\nshow(wide, 300)\n"),
    ("b", "keep(wide, 450)\nshow(wide, 7)\n"),
    ("c", "check(wide, 222)\n"),
    ("d", "show(low, -5)\n# last\n"),
    ("e", "keep(low, -7)\n"),
];

/// The names of the members of each group.
fn groups(workshop: &Workshop) -> Vec<Vec<String>> {
    let triage: Value = serde_json::from_str(&workshop.text("inputs/.reduct/triage/triage.json")).unwrap();
    let name = |member: &Value| member["name"].as_str().unwrap().to_owned();
    let names = |group: &Value| {
        let mut names: Vec<String> = group["members"].as_array().unwrap().iter().map(name).collect();
        names.sort();
        names
    };
    let mut groups: Vec<Vec<String>> = triage["groups"].as_array().unwrap().iter().map(names).collect();
    groups.sort();
    groups
}

#[test]
fn callers_split_no_group_and_two_bugs_in_one_function_stay_two() {
    let workshop = Workshop::new();
    let source = workshop.beside("reader.c");
    std::fs::write(&source, READER).unwrap();
    let mut gcc = Command::new("gcc");
    gcc.args(["-fsanitize=address", "-g", "-w", "-o"]).arg(workshop.path("reader")).arg(source);
    assert!(gcc.status().unwrap().success());
    INPUTS.iter().for_each(|(name, text)| drop(workshop.write(format!("inputs/{name}"), text)));
    let words = ["triage", "--scratch", "../scratch", "--reduce-tests", "25", "--why", "a", "d", "inputs"];
    let done = workshop.reduct([&words[..], &["--", "./reader", "{}"]].concat()).run().exits_with(0);
    drop(done.says("the test passes with one of their pieces exchanged"));
    // Of one bug are those that are read in one way, whoever reads them.
    assert_eq!(groups(&workshop), [vec!["a", "b", "c"], vec!["d", "e"]]);
}

/// Counts characters into a table: of a few too many it dies in one way, of many in another one.
const OVERFULL: &str = r#"
    int main(void) {
        int c, n = 0;
        while ((c = getchar()) != EOF) {
            if (c == '!') raise(SIGFPE);
            n++;
        }
        if (n > 40) return *(volatile char *)0;
        if (n > 20) abort();
        return 0;
    }"#;

#[test]
fn what_shows_in_two_ways_is_filed_once_when_it_is_reduced() {
    for (first, second) in [(30, 90), (90, 30)] {
        let workshop = with_program(OVERFULL);
        workshop.write("inputs/1", "x".repeat(first));
        workshop.write("inputs/2", "x".repeat(second));
        workshop.write("inputs/3", "y!z");
        workshop.write("inputs/4", "x".repeat(second + 1));
        let done = workshop.reduct(fuzz(&["--from", "inputs"], &["./prog"])).run().exits_with(0);
        drop(done.says("is the same as 001-SIG").says("2 different failures in 4 trials"));
        let found = findings(&workshop, "fuzz");
        let seen: Vec<&Value> = found.iter().map(|found| &found["seen"]).collect();
        assert_eq!(seen, [3, 1]);
        let mut folders = listed(&workshop.path("fuzz"));
        folders.retain(|name| name.starts_with('0'));
        // What was filed of it stays, and says so.
        assert_eq!(folders.len(), 3, "{folders:?}");
        let same = folders.iter().filter(|name| workshop.exists(format!("fuzz/{name}/same-as.txt")));
        assert_eq!(same.count(), 1, "{folders:?}");
    }
}

/// Runs for ever on one character.
const ENDLESS: &str = r#"
    int main(void) {
        int c;
        while ((c = getchar()) != EOF) if (c == 'h') for (;;) pause();
        return 0;
    }"#;

#[test]
fn a_hang_is_reduced_with_a_limit_of_its_own_also_by_resume() {
    let workshop = with_program(ENDLESS);
    for (name, text) in [("1", "abc"), ("2", "a h b"), ("3", "d")] {
        workshop.write(format!("inputs/{name}"), text);
    }
    let words = fuzz(&["--from", "inputs", "--timeout", "3s"], &["./prog"]);
    let running = workshop.reduct(words).start();
    workshop.eventually("it is being reduced", || match workshop.exists("fuzz/001-hang/.reduct") {
        true => Ok(()),
        false => Err("not yet".into()),
    });
    running.kill();
    drop(running);
    workshop.expect_no_process();
    let limit = |workshop: &Workshop| findings(workshop, "fuzz")[0]["limit"].clone();
    let before = limit(&workshop);
    assert!(before["secs"].as_u64().is_some_and(|seconds| (1..=3).contains(&seconds)), "{before}");
    drop(workshop.reduct(["resume", "fuzz"]).run().exits_with(0).says("1 different failure in 3 trials"));
    assert_eq!(limit(&workshop), before);
    assert_eq!(findings(&workshop, "fuzz")[0]["standing"], "reduced");
    assert_eq!(workshop.text("fuzz/001-hang/reduced"), "h");
}
