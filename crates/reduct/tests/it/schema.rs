//! What reduct writes for programs is as the schemas in docs/schema say: real output of real runs, and no key that they do
//! not name.

use crate::check::Check;
use crate::workshop::Workshop;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// A schema of docs/schema, or one of its parts.
fn schema(file: &str, part: Option<&str>) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema").join(file);
    let mut schema: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    if let Some(part) = part {
        assert!(schema["$defs"][part].is_object(), "{file} has no {part}");
        let whole = schema.as_object_mut().unwrap();
        whole.remove("anyOf").unwrap();
        whole.insert("$ref".into(), format!("#/$defs/{part}").into());
    }
    schema
}

/// Checks a text that is one document.
#[track_caller]
fn is_right(file: &str, part: &str, text: &str) -> Value {
    let document = serde_json::from_str(text).unwrap();
    assert_eq!(Check::strictly(&schema(file, Some(part)), &document), Vec::<String>::new(), "{text}");
    // The whole schema, which says less of it, takes it too.
    assert_eq!(Check::of(&schema(file, None), &document), Vec::<String>::new(), "{text}");
    document
}

/// Checks lines of events, and returns them.
#[track_caller]
fn are_events(text: &str) -> Vec<Value> {
    let schema = schema("events.schema.json", None);
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let first = serde_json::json!({ "v": 1, "type": "format", "version": 2 });
    assert_eq!(lines.first(), Some(&first));
    for line in &lines {
        let kind = line["type"].as_str().unwrap();
        // What is wrong with a line of a known type is said of that type.
        let part = serde_json::json!({ "$ref": format!("#/$defs/{kind}"), "$defs": schema["$defs"] });
        assert_eq!(Check::strictly(&part, line), Vec::<String>::new(), "{line}");
        assert_eq!(Check::of(&schema, line), Vec::<String>::new(), "{line}");
    }
    lines
}

#[test]
fn the_claim_is_the_same_in_events_and_answers() {
    let [events, answers] = ["events.schema.json", "answer.schema.json"].map(|file| schema(file, None));
    assert_eq!(events["$defs"]["claim"], answers["$defs"]["claim"]);
}

#[test]
fn events_of_a_reduction_and_rows_of_its_log_are_as_the_schema_says() {
    let workshop = Workshop::new();
    workshop.write("input", "one\ntwo (three, four)\nfive needle six\nseven\n");
    workshop.script("kill.sh", "grep -q needle input && kill -SEGV $$\nexit 0");
    workshop.reduct(["--events", "e", "input", "--", "./kill.sh"]).run().exits_with(0);
    let lines = are_events(&workshop.text("e"));
    for kind in ["preflight", "began", "phase", "test", "improved", "ended"] {
        assert!(lines.iter().any(|line| line["type"] == kind), "{kind}");
    }
    // A script can ask whether it is 1-minimal in characters.
    let claim = &lines.last().unwrap()["claim"];
    assert_eq!(claim["kind"], "one-minimal");
    assert!(claim["units"].as_array().unwrap().iter().any(|unit| unit == "characters"), "{claim}");
    let log = workshop.reduct(["log", "--json"]).run().exits_with(0).stdout;
    assert!(log.lines().count() > 3);
    log.lines().for_each(|line| drop(is_right("report.schema.json", "test", line)));
    // A run that does not begin has events, too; and one that is stopped early.
    workshop.reduct(["--events", "none", "input", "--", "true"]).run();
    are_events(&workshop.text("none"));
    let early = ["--tests", "2", "-o", "early", "--events", "few", "input", "--", "./kill.sh"];
    workshop.reduct(early).run().exits_with(4);
    assert_eq!(are_events(&workshop.text("few")).last().unwrap()["claim"]["why_no_more"], "unfinished");
    // What is wrong is found: a value of another kind, a key that is missing, and one that nobody named.
    for (key, value) in [("n", Value::from("1")), ("size", Value::Null), ("color", Value::from("red"))] {
        let mut line = lines.iter().find(|line| line["type"] == "test").unwrap().clone();
        line[key] = value;
        let part = schema("events.schema.json", None);
        let part = serde_json::json!({ "$ref": "#/$defs/test", "$defs": part["$defs"] });
        assert_eq!(Check::strictly(&part, &line).len(), 1, "{line}");
    }
}

#[test]
fn the_answer_of_a_search_among_changes_is_as_the_schema_says() {
    let workshop = Workshop::new();
    for (folder, text) in [("old", "one\ntwo\nthree\n"), ("new", "one\nTWO\nthree\nneedle\n")] {
        workshop.write(format!("{folder}/file"), text);
    }
    let line = ["changes", "old", "new", "-o", "answer", "--events", "e", "-c", "! grep -q needle file"];
    workshop.reduct(line).run().exits_with(0);
    let answer = is_right("answer.schema.json", "changes", &workshop.text("answer/answer.json"));
    assert_eq!((&answer["version"], &answer["claim"]["kind"]), (&2.into(), &"causes".into()));
    assert_eq!(are_events(&workshop.text("e")).last().unwrap()["claim"], answer["claim"]);
}

#[test]
fn minima_explanations_and_commands_are_as_the_schema_says() {
    let workshop = Workshop::new();
    workshop.write("input", "a\nneedle 1\nb\nneedle 2\nc\n");
    let test = ["--", "sh", "-c", "grep -q needle input && exit 1; exit 0"];
    let minima = ["minima", "input", "--events", "e"].into_iter().chain(test);
    workshop.reduct(minima).run().exits_with(0);
    let answer = is_right("answer.schema.json", "minima", &workshop.text("input.minima/minima.json"));
    assert_eq!(answer["claim"]["count"], 2);
    let events = are_events(&workshop.text("e"));
    let ended = events.last().unwrap();
    assert_eq!(
        [&ended["claim"], &ended["asked"], &ended["repeated"]],
        [&answer["claim"], &answer["tests"], &answer["repeats"]]
    );
    workshop.reduct(["--explain", "input"].into_iter().chain(test)).run().exits_with(0);
    let runs: Vec<_> = fs::read_dir(workshop.path(".reduct")).unwrap().flatten().map(|entry| entry.path()).collect();
    let explained = runs.iter().find_map(|run| fs::read_to_string(run.join("explain.json")).ok()).unwrap();
    is_right("answer.schema.json", "explanation", &explained);
    workshop.reduct(["all", "-o", "matters", "--", "sh", "-c", "exit 3"]).run().exits_with(0);
    is_right("answer.schema.json", "command", &workshop.text("matters/command.json"));
}

#[test]
fn the_report_of_a_triage_is_as_the_schema_says() {
    let workshop = Workshop::new();
    workshop.script("reader", "if grep -q goto \"$1\"; then echo 'fatal: no such item' >&2; exit 3; fi\nexit 0");
    workshop.write("inputs/a", "one\ngoto two\n");
    workshop.write("inputs/b", "goto three\nfour\n");
    workshop.write("inputs/fine", "one\n");
    workshop.reduct(["triage", "--scratch", "../scratch", "inputs", "--", "./reader", "{}"]).run().exits_with(0);
    let report = is_right("report.schema.json", "triage", &workshop.text("inputs/.reduct/triage/triage.json"));
    assert_eq!(report["not_failing"][0]["name"], "fine");
}

#[test]
fn events_and_findings_of_a_session_of_fuzzing_are_as_the_schema_says() {
    let workshop = Workshop::new();
    workshop.script("program", "grep -q '[0-9]' && kill -SEGV $$\nexit 0");
    let line = ["fuzz", "--findings", "1", "--tests", "200", "--events", "e", "--", "./program"];
    workshop.reduct(line).run().exits_with(0);
    let lines = are_events(&workshop.text("e"));
    for kind in ["fuzzing", "found", "reduced"] {
        assert!(lines.iter().any(|line| line["type"] == kind), "{kind}");
    }
    let findings = workshop.text("fuzz/findings.jsonl");
    assert_eq!(findings.lines().count(), 1);
    findings.lines().for_each(|line| drop(is_right("report.schema.json", "finding", line)));
}
