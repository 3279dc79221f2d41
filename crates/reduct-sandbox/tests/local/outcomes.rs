//! How tests end, and what is seen of them.

use crate::bench::{LIMITS, Session, file, setup};
use reduct_input::{Artifact, ArtifactBuilder, Candidate};
use reduct_oracle::{Exit, Limits};
use reduct_sandbox::local::{Local, SetupError};
use reduct_session::executor::{Completion, Executor, Request, Trouble};
use std::fs::{OpenOptions, Permissions, set_permissions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;
use std::time::Duration;

#[test]
fn codes_and_signals() {
    let mut session = Session::of_scripts();
    assert_eq!(session.exit("exit 0"), Exit::Code(0));
    assert_eq!(session.exit("exit 37"), Exit::Code(37));
    assert_eq!(session.exit("kill -KILL $$"), Exit::Signal(9));
    assert_eq!(session.exit("kill -TERM $$"), Exit::Signal(15));
    assert_eq!(session.exit("kill -INT $$"), Exit::Signal(2));
    assert_eq!(session.exit("kill -KILL 0"), Exit::Signal(9));
}

#[test]
fn both_outputs_are_kept() {
    let observed = Session::of_scripts().run("echo out; echo err >&2; exit 1");
    assert_eq!((&observed.stdout[..], &observed.stderr[..]), (&b"out\n"[..], &b"err\n"[..]));
}

#[test]
fn closed_outputs_do_not_end_a_test() {
    assert_eq!(Session::of_scripts().exit("exec >&- 2>&-; sleep 0.2; exit 4"), Exit::Code(4));
}

#[test]
fn a_flood_is_cut() {
    let mut setup = setup(&["sh", "{}"]);
    setup.limits = Limits { output: 1000, ..LIMITS };
    let observed = Session::new(setup).run("echo begin; head -c 200000000 /dev/zero; echo end; exit 5");
    assert_eq!(observed.exit, Exit::Code(5));
    assert_eq!(observed.stdout.len(), 1000);
    assert!(observed.stdout.starts_with(b"begin\n\0") && observed.stdout.ends_with(b"\0end\n"));
}

#[test]
fn standard_input_need_not_be_read() {
    let mut setup = setup(&["sh", "-c", "exit 6"]);
    setup.invocation.stdin = true;
    assert_eq!(Session::new(setup).observe(&file(&vec![b'x'; 10_000_000])).exit, Exit::Code(6));
}

#[test]
fn the_candidate_can_be_standard_input() {
    let mut setup = setup(&["cat"]);
    setup.invocation.stdin = true;
    let mut session = Session::new(setup);
    assert_eq!(session.run("contents").stdout, b"contents");
    let mut lost = ArtifactBuilder::default();
    lost.folder("other", 0o755);
    assert_eq!(session.observe(&Candidate::whole(Arc::new(lost.finish()))).stdout, b"");
}

#[test]
fn otherwise_standard_input_is_empty() {
    assert_eq!(Session::new(setup(&["cat"])).run("contents").stdout, b"");
}

#[test]
fn missing_and_unfit_programs() {
    let not_started = |program: &str| {
        let exit = Session::new(setup(&[program])).exit("no script");
        assert!(matches!(&exit, Exit::NotStarted(why) if why.contains("cannot start")), "{exit:?}");
    };
    not_started("/no/such/program");
    not_started("no-such-program-anywhere");
    not_started("{}");
    not_started("/");
}

#[test]
fn a_script_need_not_name_its_shell() {
    let mut builder = ArtifactBuilder::default();
    builder.file("file", 0o755, b"echo \"$0 $1\"; exit 7\n").unwrap();
    let observed = Session::new(setup(&["{}", "x"])).observe(&Candidate::whole(Arc::new(builder.finish())));
    assert_eq!(observed.exit, Exit::Code(7));
    let seen = String::from_utf8(observed.stdout).unwrap();
    let (path, argument) = seen.trim_end().split_once(' ').unwrap();
    let in_slot: std::path::PathBuf = ["000", "work", "file"].iter().collect();
    assert!(std::path::Path::new(path).ends_with(in_slot) && argument == "x", "{seen}");
}

#[test]
fn a_program_that_is_being_written_may_be_ready_later() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("program");
    let mut program = OpenOptions::new().write(true).create(true).truncate(false).open(&path).unwrap();
    program.write_all(b"#!/bin/sh\nexit 8\n").unwrap();
    set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
    let mut session = Session::new(setup(&[path.to_str().unwrap()]));
    let notice = session.notice(&file(b""));
    assert!(matches!(notice, Completion::Trouble(_, Trouble::Other(_))), "{notice:?}");
    drop(program);
    assert_eq!(session.exit(""), Exit::Code(8));
}

#[test]
fn a_program_is_looked_for_where_reduct_was_started() {
    let mut session = Session::new(setup(&["./Cargo.toml"]));
    let exit = session.exit("");
    let Exit::NotStarted(why) = exit else { panic!("{exit:?}") };
    assert!(why.contains(env!("CARGO_MANIFEST_DIR")), "{why}");
}

#[test]
fn the_environment_is_quiet_and_can_be_set() {
    let mut setup = setup(&["sh", "{}"]);
    setup.invocation.env = vec![("COLOUR".into(), "blue".into()), ("RUSTC_ICE".into(), "elsewhere".into())];
    let script = "cd .. && echo $COLOUR $RUSTC_ICE $LLVM_DISABLE_CRASH_REPORT && \
        test $TMPDIR = $PWD/tmp && test $TMP = $TMPDIR && test $TEMP = $TMPDIR && echo x > $TMPDIR/x";
    let observed = Session::new(setup).run(script);
    assert_eq!((observed.exit, &observed.stdout[..]), (Exit::Code(0), &b"blue elsewhere 1\n"[..]));
}

#[test]
fn setups_that_cannot_work() {
    assert!(matches!(Local::new(setup(&[])), Err(SetupError::NoCommand)));
    let mut nowhere = setup(&["true"]);
    nowhere.scratch = Some("/proc/nowhere".into());
    assert!(matches!(Local::new(nowhere), Err(SetupError::Scratch { .. })));
}

#[test]
fn requests_and_deadlines() {
    let mut opened = Local::open(setup(&["sh", "{}"])).unwrap();
    let control = opened.control();
    std::thread::spawn(move || control.send(Request::Skip));
    // It waits without an end, until it is woken.
    assert!(matches!(opened.executor.next(None), Completion::Woken));
    assert_eq!([opened.requests.take(), opened.requests.take()], [Some(Request::Skip), None]);
    assert!(matches!(opened.executor.next(Some(Duration::ZERO)), Completion::Deadline));
    let soon = opened.executor.now() + Duration::from_millis(5);
    assert!(matches!(opened.executor.next(Some(soon)), Completion::Deadline));
    assert!(opened.executor.now() >= soon);
}

#[test]
fn something_that_is_no_supervisor() {
    for program in ["true", "cat", "/no/such/program"] {
        let mut setup = setup(&["true"]);
        setup.supervisor = vec![program.into()];
        let notice = Session::new(setup).notice(&Candidate::whole(Arc::new(Artifact::of_file("a", b"").unwrap())));
        assert!(matches!(notice, Completion::Trouble(_, Trouble::Other(_))), "{notice:?}");
    }
}
