//! One bug is filed once: groups of `reduct triage` under a sanitizer.

use crate::workshop::Workshop;
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
    let words = ["triage", "--scratch", "../scratch", "--reduce-tests", "60", "--why", "a", "d", "inputs"];
    let done = workshop.reduct([&words[..], &["--", "./reader", "{}"]].concat()).run().exits_with(0);
    drop(done.says("the test passes with one of their pieces exchanged"));
    // Of one bug are those that are read in one way, whoever reads them.
    assert_eq!(groups(&workshop), [vec!["a", "b", "c"], vec!["d", "e"]]);
}
