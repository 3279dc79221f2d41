//! The journal: what is written is read, and what is torn is dropped.

use reduct_core::{Key, Outcome};
use reduct_oracle::Criterion;
use reduct_oracle::sampling::{Policy, Tally, Vote, Votes};
use reduct_oracle::{Exit, Limit};
use reduct_session::event::{Event, Observer};
use reduct_session::journal;
use reduct_session::journal::{Journal, JournalError, JournalRecord, VERSION, read};
use reduct_session::relied::{Around, Own, Relied, Variable};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

fn first(v: u32) -> JournalRecord {
    JournalRecord::Run { v, tool: "reduct test".into(), input: Key(7), cache: true, job: serde_json::json!({"a": 1}) }
}

fn outcome(k: u128) -> JournalRecord {
    JournalRecord::Outcome { k: Key(k), o: Outcome::Fail, l: false, ms: 3, votes: None }
}

fn written(path: &Path, count: u128) -> Vec<JournalRecord> {
    let mut journal = Journal::create(path, &first(VERSION)).unwrap();
    let mut records = vec![first(VERSION)];
    for k in 0..count {
        // Also keys of the full width, and all other records.
        records.push(outcome(u128::MAX - k));
    }
    let votes = Some(Tally { fired: 2, silent: 9, unresolved: 1, limited: 1 });
    records.push(JournalRecord::Outcome { k: Key(2), o: Outcome::Pass, l: true, ms: 3, votes });
    records.push(JournalRecord::Vote { k: Key(3), n: 7, o: Outcome::Pass, l: true, ms: 3 });
    records.push(JournalRecord::Vote { k: Key(3), n: 6, o: Outcome::Unresolved, l: false, ms: 3 });
    let policy = Some(Policy::new(0.31, 0.05, 0.001, 0.001).unwrap());
    let files = Some(vec![Relied { path: "/a/t.sh".into(), stamp: "12 3.000000004 5".into(), named: true }]);
    let around = Some(Around {
        missed: Some("nobody listened".into()),
        variables: vec![Variable { name: "PATH".into(), value: "0123abcd".into(), read: true }],
        own: vec![Own { path: "out.log".into() }],
    });
    let (oracle, reading) = (Key(4), Criterion::ExitZero);
    records.push(JournalRecord::Began { oracle, reading, time_limit: Some(9), policy, files, around });
    records.push(JournalRecord::Improved { n: 4, k: Key(1), bytes: 12 });
    records.push(JournalRecord::Skipped { n: 5, pass: None });
    records.push(JournalRecord::Branch { from: 1, k: Key(1), never: vec![2, 3], steps: 4, asked: 5, record: None });
    records.push(JournalRecord::Branch { from: 0, k: Key(1), never: vec![], steps: 4, asked: 5, record: Some(2) });
    records.push(JournalRecord::Ended {
        done: false,
        why: "Interrupted".into(),
        best: Key(1),
        back: false,
        seen: None,
    });
    records[1..].iter().for_each(|record| journal.write(record).unwrap());
    records
}

#[test]
fn what_is_written_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let records = written(&path, 100);
    assert_eq!(read(&path).unwrap(), (records, fs::metadata(&path).unwrap().len()));
}

#[test]
fn cut_off_at_any_byte_it_is_read_up_to_the_last_whole_record_and_goes_on_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let records = written(&path, 3);
    let bytes = fs::read(&path).unwrap();
    let ends: Vec<usize> = bytes.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(at, _)| at + 1).collect();
    for cut in ends[0]..bytes.len() {
        fs::write(&path, &bytes[..cut]).unwrap();
        let whole = ends.iter().filter(|end| **end <= cut).count();
        let (mut journal, found) = Journal::resume(&path).unwrap();
        assert_eq!(found, records[..whole]);
        journal.write(&outcome(42)).unwrap();
        let (again, _) = read(&path).unwrap();
        assert_eq!(again.last(), Some(&outcome(42)));
        assert_eq!(again.len(), whole + 1);
    }
}

#[test]
fn votes_are_those_of_what_is_not_settled_and_the_first_word_stands() {
    let vote = |k, n, o| JournalRecord::Vote { k: Key(k), n, o, l: false, ms: 3 };
    let records = [
        vote(1, 0, Outcome::Pass),
        vote(2, 1, Outcome::Fail),
        vote(1, 0, Outcome::Fail),
        outcome(2),
        vote(1, 2, Outcome::Fail),
    ];
    let mut expected = Votes::default();
    expected.put(0, Vote { outcome: Outcome::Pass, limited: false });
    expected.put(2, Vote { outcome: Outcome::Fail, limited: false });
    assert_eq!(journal::votes(&records), [(Key(1), expected)].into());
}

#[test]
fn a_journal_of_the_first_version_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let lines = [
        r#"{"t":"run","v":1,"tool":"reduct test","input":"7","cache":true,"job":{"a":1}}"#,
        r#"{"t":"began","oracle":"4","reading":"ExitZero","time_limit":9}"#,
        r#"{"t":"outcome","k":"2a","o":"fail","ms":3}"#,
    ];
    let text: String = lines.iter().map(|line| format!("{line}\t{:08x}\n", crc32fast::hash(line.as_bytes()))).collect();
    fs::write(&path, text).unwrap();
    let began = JournalRecord::Began {
        oracle: Key(4),
        reading: Criterion::ExitZero,
        time_limit: Some(9),
        policy: None,
        files: None,
        around: None,
    };
    assert_eq!(read(&path).unwrap().0, [first(1), began, outcome(42)]);
}

#[test]
fn what_is_thrown_away_is_left_out_but_for_where_results_may_stand() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    written(&path, 3);
    let (mut journal, _) = Journal::resume(&path).unwrap();
    let forgotten = JournalRecord::Forgotten { why: "t.sh has changed".into() };
    let after = [forgotten, outcome(42), JournalRecord::Vote { k: Key(3), n: 0, o: Outcome::Fail, l: false, ms: 1 }];
    after.iter().for_each(|record| journal.write(record).unwrap());
    let improved = JournalRecord::Improved { n: 4, k: Key(1), bytes: 12 };
    let ended = JournalRecord::Ended { done: false, why: "Interrupted".into(), best: Key(1), back: false, seen: None };
    assert_eq!(read(&path).unwrap().0, [&[first(VERSION), improved, ended][..], &after[..]].concat());
}

#[test]
fn a_flipped_bit_ends_what_is_believed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let records = written(&path, 5);
    let mut bytes = fs::read(&path).unwrap();
    let second_line = bytes.iter().position(|b| *b == b'\n').unwrap() + 20;
    bytes[second_line] ^= 1;
    fs::write(&path, bytes).unwrap();
    assert_eq!(read(&path).unwrap().0, records[..1]);
}

#[test]
fn two_processes_do_not_write_one_journal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    written(&path, 1);
    let _open = Journal::resume(&path).unwrap();
    assert!(matches!(Journal::resume(&path), Err(JournalError::Busy(_))));
    assert!(read(&path).is_ok(), "reading is no harm");
}

#[test]
fn a_later_version_and_what_is_no_journal_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    drop(Journal::create(&path, &first(VERSION + 1)).unwrap());
    assert!(matches!(read(&path), Err(JournalError::Unreadable { .. })));
    let other = folder.path().join("other");
    fs::File::create(&other).unwrap().write_all(b"not a journal\n").unwrap();
    assert!(matches!(read(&other), Err(JournalError::Unreadable { .. })));
    fs::write(&other, "").unwrap();
    assert!(matches!(read(&other), Err(JournalError::Unreadable { .. })));
}

#[test]
fn what_depends_on_the_day_is_marked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let mut journal = Journal::create(&path, &first(VERSION)).unwrap();
    let not_built = |words: &str| Exit::NotBuilt(words.into());
    let cases = [
        (Exit::Code(1), false),
        (Exit::Code(127), true),
        (Exit::Signal(9), true),
        (Exit::Signal(11), false),
        (Exit::Limit(Limit::Time), true),
        (Exit::NotStarted("no such file".into()), true),
        // A compiler that refuses the candidate will do so again; one that was missing or killed, who knows.
        (not_built("exit status 2"), false),
        (not_built("exit status 127"), true),
        (not_built("signal 9"), true),
        (not_built("time limit"), true),
        (not_built("cannot start make"), true),
    ];
    for (exit, _) in &cases {
        let (outcome, elapsed) = (Outcome::Unresolved, Duration::ZERO);
        journal.on(&Event::Ran { key: Key(1), outcome, exit: exit.clone(), elapsed, votes: None }).unwrap();
    }
    drop(journal);
    let (records, _) = read(&path).unwrap();
    for (record, (exit, expected)) in records[1..].iter().zip(&cases) {
        assert!(matches!(record, JournalRecord::Outcome { l, .. } if l == expected), "{exit:?}");
    }
}

#[test]
fn a_new_branch_takes_back_the_end_of_the_run_and_nothing_else_and_is_forgotten_with_all_that_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let mut journal = Journal::create(&path, &first(VERSION)).unwrap();
    let ended = JournalRecord::Ended { done: true, why: "Done".into(), best: Key(1), back: false, seen: None };
    let branch = JournalRecord::Branch { from: 1, k: Key(1), never: vec![], steps: 1, asked: 2, record: None };
    for record in [&outcome(1), &ended, &branch, &outcome(2)] {
        journal.write(record).unwrap();
    }
    assert_eq!(read(&path).unwrap().0, [first(VERSION), outcome(1), branch, outcome(2)]);
    let forgotten = JournalRecord::Forgotten { why: "it is another test".into() };
    journal.write(&forgotten).unwrap();
    assert_eq!(read(&path).unwrap().0, [first(VERSION), forgotten]);
}
