use crate::fixture::{Paper, ended, every, retired, show};
use reduct_core::Outcome;
use reduct_report::EventFile;
use reduct_report::schema::EVENTS;
use reduct_session::event::{Event, Observer, Why};
use serde_json::{Value, json};
use std::io::{self, ErrorKind, Write};

fn lines(events: &[Event]) -> Vec<Value> {
    let paper = Paper::default();
    show(&mut EventFile::new(paper.clone()), events);
    paper.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_test_is_written_as_promised() {
    let paper = Paper::default();
    show(&mut EventFile::new(paper.clone()), &[retired(1, Outcome::Pass)]);
    let line = "{\"v\":1,\"type\":\"test\",\"n\":1,\"size\":20,\"outcome\":\"pass\",\"cached\":false}\n";
    assert_eq!(paper.text(), line);
}

#[test]
fn only_tests_have_a_number() {
    let lines = lines(&every());
    // All but `Started`, `Voted`, `Ran`, and the beginning and the end of a pause.
    assert_eq!(lines.len(), every().len() - 5);
    for line in lines {
        assert_eq!(line["v"], 1);
        assert_eq!(line.get("n").is_some(), line["type"] == "test", "{line}");
    }
}

#[test]
fn values_are_as_the_table_says() {
    let lines = lines(&every());
    assert_eq!(lines[0]["exit"], json!({"signal": 11}));
    assert_eq!(lines[1]["exit"], json!({"limit": "time"}));
    assert_eq!(lines[2]["time_limit_ms"], 10_000);
    let phase =
        json!({"v": 1, "type": "phase", "kind": "lines", "level": 1, "round": 1, "parts": 1204, "proves": false});
    assert_eq!(lines[3], phase);
    let improved = json!({"v": 1, "type": "improved", "after": 2, "size": 30, "bytes": 30, "entries": 1});
    assert_eq!(lines[6], improved);
    let last = &lines[11];
    assert_eq!((&last["why"], &last["detail"]), (&json!("tests"), &json!("100")));
    assert_eq!((&last["ms"], &last["confirmed"]), (&json!(3210), &json!(true)));
}

#[test]
fn every_reason_has_a_stable_word() {
    let trouble = Why::Trouble("no space".to_owned());
    let reasons = [
        (Why::Done, "done"),
        (Why::Granularity(2), "granularity"),
        (Why::Stall { tests: 9, percent: 1 }, "stall"),
        (Why::Time(std::time::Duration::from_secs(1)), "time"),
        (Why::Tests(5), "tests"),
        (Why::Stopped, "stopped"),
        (Why::Interrupted, "interrupted"),
        (trouble, "trouble"),
    ];
    for (why, word) in reasons {
        assert_eq!(lines(&[Event::Ended(Box::new(ended(why)))])[0]["why"], word);
    }
}

/// The table is what scripts are written by: each type has a row there, with its keys in their order.
#[test]
fn the_table_names_every_key_that_is_written() {
    let paper = Paper::default();
    show(&mut EventFile::new(paper.clone()), &every());
    for line in paper.text().lines() {
        let value: Value = serde_json::from_str(line).unwrap();
        let row = EVENTS.iter().find(|form| value["type"] == form.name).unwrap();
        let named: Vec<&str> = row.keys.iter().map(|(name, _)| *name).collect();
        let mut keys: Vec<&String> =
            value.as_object().unwrap().keys().filter(|key| !["v", "type"].contains(&key.as_str())).collect();
        keys.sort_by_key(|key| line.find(&format!("\"{key}\":")));
        assert_eq!(keys, named);
    }
}

/// Readers of version 1, for which each line has `"v":1` and unknown types are to be skipped, can read what follows.
#[test]
fn a_file_begins_with_its_version() {
    let (paper, plain) = (Paper::default(), Paper::default());
    let mut file = EventFile::announced(paper.clone());
    assert_eq!(paper.text(), "", "nothing is written before something happens");
    for event in every() {
        file.on(&event).unwrap();
    }
    show(&mut EventFile::new(plain.clone()), &every());
    assert_eq!(paper.text(), format!("{}{}", "{\"v\":1,\"type\":\"format\",\"version\":2}\n", plain.text()));
}

/// Takes three bytes at a time, and fails every other time.
#[derive(Clone, Default)]
struct Full {
    paper: Paper,
    calls: usize,
}

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.calls += 1;
        if self.calls.is_multiple_of(2) {
            return Err(ErrorKind::StorageFull.into());
        }
        self.paper.write(&bytes[..bytes.len().min(3)])
    }

    fn flush(&mut self) -> io::Result<()> {
        self.calls += 1;
        if self.calls.is_multiple_of(3) { Err(ErrorKind::StorageFull.into()) } else { Ok(()) }
    }
}

#[test]
fn a_full_disk_neither_tears_nor_doubles_lines() {
    let full = Full::default();
    let mut file = EventFile::new(full.clone());
    for event in every() {
        // What the session does: it offers an event until it is taken.
        while file.on(&event).is_err() {}
    }
    let sound = Paper::default();
    show(&mut EventFile::new(sound.clone()), &every());
    assert_eq!(full.paper.text(), sound.text());
}
