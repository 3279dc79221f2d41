//! Tests that are not the first in their slot: the main thread waits for them itself, as long as that is no trouble.

use crate::bench::{Session, daemon, file, pid_in, runs, setup, write_pid};
use crate::endings::ORPHANS;
use reduct_oracle::Exit;
use reduct_sandbox::local::Local;
use reduct_session::executor::{Completion, Executor, Request, RunId, RunRequest};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::sync::PoisonError;
use std::time::Duration;

/// A session with a slot in which a test was run.
fn begun() -> Session {
    let mut session = Session::of_scripts();
    assert_eq!(session.exit("exit 4"), Exit::Code(4));
    session
}

/// A pipe with a name. What is opened here keeps it from being closed.
fn gate(path: &Path) -> File {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    OpenOptions::new().read(true).write(true).open(path).unwrap()
}

#[test]
fn a_deadline_comes_while_a_test_runs() {
    let home = tempfile::tempdir().unwrap();
    let mut gate = gate(&home.path().join("gate"));
    let mut session = begun();
    let run = session.start(&file(format!("read line < {}/gate; exit 3", home.path().display()).as_bytes()));
    // The last comes when others have begun to wait in its place.
    for wait in [0, 5, 400] {
        let soon = session.local.now() + Duration::from_millis(wait);
        assert!(matches!(session.local.next(Some(soon)), Completion::Deadline));
        assert!(session.local.now() >= soon);
    }
    gate.write_all(b"\n").unwrap();
    match session.next() {
        Completion::Finished(ended, observed) => assert_eq!((ended, observed.exit), (run, Exit::Code(3))),
        other => panic!("{other:?}"),
    }
    assert_eq!(session.exit("exit 5"), Exit::Code(5));
}

#[test]
fn it_can_be_woken_while_a_test_runs() {
    let mut opened = Local::open(setup(&["sh", "{}"])).unwrap();
    let start = |local: &mut dyn Executor, run: u64, script: &str| {
        local.start(RunId(run), RunRequest::of(file(script.as_bytes())));
        RunId(run)
    };
    start(&mut opened.executor, 1, "exit 4");
    assert!(matches!(opened.executor.next(None), Completion::Finished(RunId(1), _)));
    for run in (2..60).step_by(2) {
        let endless = start(&mut opened.executor, run, "sleep 1000");
        let control = opened.control();
        let thread = std::thread::spawn(move || control.send(Request::Skip));
        assert!(matches!(opened.executor.next(None), Completion::Woken));
        thread.join().unwrap();
        assert_eq!([opened.requests.take(), opened.requests.take()], [Some(Request::Skip), None]);
        opened.executor.cancel(endless);
        let next = start(&mut opened.executor, run + 1, "exit 5");
        match opened.executor.next(None) {
            Completion::Finished(ended, observed) => assert_eq!((ended, observed.exit), (next, Exit::Code(5))),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_test_whose_supervisor_dies_or_stops_is_lost() {
    let _alone = ORPHANS.lock().unwrap_or_else(PoisonError::into_inner);
    for signal in ["KILL", "STOP"] {
        let home = tempfile::tempdir().unwrap();
        let hidden = home.path().join("hidden");
        let mut session = begun();
        let script = format!("{}kill -{signal} $PPID\nsleep 1000", daemon(&hidden));
        let notice = session.notice(&file(script.as_bytes()));
        assert!(matches!(notice, Completion::Lost(_)), "{notice:?}");
        assert!(!runs(pid_in(&hidden)));
        assert_eq!(session.exit("exit 5"), Exit::Code(5));
    }
}

#[test]
fn what_a_test_has_left_is_gone_and_all_that_it_has_said_is_there() {
    let home = tempfile::tempdir().unwrap();
    let test = home.path().join("test");
    let mut session = begun();
    let said = |session: &mut Session, script: &str| String::from_utf8(session.run(script).stdout).unwrap();
    for n in 0..5 {
        let mess = "for d in a b/c d/e/f; do mkdir -p $d; for n in $(seq 100); do : > $d/$n; done; done; chmod 0 d; : > $TMPDIR/x";
        assert_eq!(said(&mut session, mess), "");
        assert_eq!(said(&mut session, &format!("{}ls; ls $TMPDIR; ls .. | sort", daemon(&test))), "file\ntmp\nwork\n");
        assert!(!runs(pid_in(&test)));
        std::fs::remove_file(&test).unwrap();
        // Less and more than is read at a time.
        let long = format!("head -c {} /dev/zero | tr '\\0' x", 10_000 + n * 10_000);
        assert_eq!(said(&mut session, &long).len(), 10_000 + n * 10_000);
    }
}

#[test]
fn a_test_that_is_cancelled_dies() {
    let home = tempfile::tempdir().unwrap();
    let mut session = begun();
    for n in 0..5 {
        let test = home.path().join(n.to_string());
        let run = session.start(&file(format!("trap '' TERM\n{}\nsleep 1000", write_pid(&test)).as_bytes()));
        let pid = pid_in(&test);
        session.local.cancel(run);
        assert_eq!(session.exit("exit 3"), Exit::Code(3));
        assert!(!runs(pid));
    }
}
