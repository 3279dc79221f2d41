//! Many tests at a time, and tests that are cancelled.

use crate::bench::{Session, daemon, file, pid_in, runs, setup, wait_until, write_pid};
use reduct_oracle::Exit;
use reduct_session::executor::{Completion, Executor};
use std::collections::HashSet;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::process::Command;

fn many(jobs: usize) -> Session {
    let mut setup = setup(&["sh", "{}"]);
    setup.jobs = jobs;
    Session::new(setup)
}

#[test]
fn as_many_tests_at_a_time_as_there_are_slots() {
    let home = tempfile::tempdir().unwrap();
    let [fifo, here] = ["fifo", "here"].map(|name| home.path().join(name));
    fs::create_dir(&here).unwrap();
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let script = format!(": > {}/$$; read line < {}", here.display(), fifo.display());
    let mut session = many(256);
    assert_eq!(session.local.slots(), 256);
    let mut started: HashSet<_> = (0..256).map(|_| session.start(&file(script.as_bytes()))).collect();
    // None of them ends before all have begun.
    wait_until("all run at a time", || fs::read_dir(&here).unwrap().count() == 256);
    let mut gate = OpenOptions::new().read(true).write(true).open(&fifo).unwrap();
    gate.write_all(&[b'\n'; 256]).unwrap();
    for _ in 0..256 {
        match session.next() {
            Completion::Finished(run, observed) if observed.exit == Exit::Code(0) => assert!(started.remove(&run)),
            other => panic!("{other:?}"),
        }
    }
    assert!(started.is_empty());
}

#[test]
fn tests_see_no_descriptors_but_their_own() {
    let mut session = many(3);
    let busy: Vec<_> = (0..2).map(|_| session.start(&file(b"sleep 1000"))).collect();
    for _ in 0..3 {
        // The fourth is the folder that is listed.
        assert_eq!(session.run("exec ls /proc/self/fd").stdout, b"0\n1\n2\n3\n");
    }
    busy.into_iter().for_each(|run| session.local.cancel(run));
}

#[test]
fn a_cancelled_test_dies_and_makes_room() {
    let home = tempfile::tempdir().unwrap();
    let [test, hidden] = ["test", "hidden"].map(|name| home.path().join(name));
    let mut session = many(1);
    let script = format!("trap '' TERM\n{}{}\nsleep 1000", daemon(&hidden), write_pid(&test));
    let run = session.start(&file(script.as_bytes()));
    let pids = [pid_in(&hidden), pid_in(&test)];
    session.local.cancel(run);
    assert_eq!(session.exit("exit 3"), Exit::Code(3));
    assert!(!pids.into_iter().any(runs));
}

#[test]
fn no_notice_follows_a_cancellation() {
    let mut session = many(2);
    for n in 0..200 {
        let [one, other] = [n, n + 1].map(|n| session.start(&file(format!("exit {}", n % 100).as_bytes())));
        session.local.cancel(one);
        match session.next() {
            Completion::Finished(run, observed) => {
                assert_eq!((run, observed.exit), (other, Exit::Code((n + 1) % 100)));
            }
            notice => panic!("{notice:?}"),
        }
    }
}

#[test]
fn dropping_the_executor_ends_its_tests() {
    let home = tempfile::tempdir().unwrap();
    let hidden = home.path().join("hidden");
    let mut session = many(2);
    session.start(&file(format!("{}sleep 1000", daemon(&hidden)).as_bytes()));
    let pid = pid_in(&hidden);
    let root = session.local.scratch().to_owned();
    drop(session);
    assert!(!runs(pid) && !root.exists());
}
