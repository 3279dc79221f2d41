//! Tests that use too much.

use crate::bench::{LIMITS, Session, count_of, setup};
use reduct_oracle::{Exit, Limit, Limits};
use reduct_session::confinement::{Confinement, Copies};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

fn limited(limits: Limits) -> Session {
    let mut setup = setup(&["sh", "{}"]);
    setup.limits = limits;
    Session::new(setup)
}

#[test]
fn time() {
    let mut session = limited(Limits { time: Some(Duration::from_millis(200)), ..LIMITS });
    let endless = [
        "while true; do :; done",
        "trap '' TERM; while true; do :; done",
        "trap 'exit 0' TERM; while true; do :; done",
        "trap '' TERM; sleep 1000",
        "kill -STOP $$",
        "setsid sleep 1000 & wait",
    ];
    for script in endless {
        let observed = session.run(&format!("echo begun; {script}"));
        assert_eq!(observed.exit, Exit::Limit(Limit::Time), "{script}");
        assert_eq!(observed.stdout, b"begun\n", "{script}");
        assert_eq!(count_of(session.local.scratch()), 0, "{script}");
    }
    session.time_limit = None;
    assert_eq!(session.exit("sleep 0.5"), Exit::Code(0));
}

#[test]
fn processor_time() {
    let mut session = limited(LIMITS);
    session.processor_limit = Some(Duration::from_millis(200));
    let busy =
        ["while true; do :; done", "setsid sh -c 'while true; do :; done' & wait", "(while true; do :; done) & wait"];
    for script in busy {
        let observed = session.run(&format!("echo begun; {script}"));
        assert_eq!(observed.exit, Exit::Limit(Limit::Time), "{script}");
        assert!(observed.also.was_busy, "{script}: {:?}", observed.also);
        assert_eq!(observed.stdout, b"begun\n", "{script}");
        assert_eq!(count_of(session.local.scratch()), 0, "{script}");
    }
    // A test that sleeps uses nothing of it.
    assert_eq!(session.exit("sleep 0.5"), Exit::Code(0));
    session.time_limit = Some(Duration::from_millis(200));
    assert!(!session.run("exec sleep 1000").also.was_busy);
}

#[test]
fn addresses() {
    let lies = "grep -F '[stack]' /proc/self/maps";
    let mut session = limited(LIMITS);
    // Many containers forbid personality(2).
    let may_be_fixed = Command::new("setarch").args(["-R", "true"]).status().unwrap().success();
    assert_eq!(session.local.has_random_addresses(), !may_be_fixed);
    let (once, again) = (session.run(lies).stdout, session.run(lies).stdout);
    assert!(!once.is_empty());
    assert!(!may_be_fixed || once == again);
    let mut setup = setup(&["sh", "{}"]);
    setup.random_addresses = true;
    let mut session = Session::new(setup);
    // That all of eight are the same by chance is past belief: there are more than a million places.
    assert!((0..8).any(|_| session.run(lies).stdout != once));
}

#[test]
fn memory() {
    let mut session = limited(Limits { memory: Some(50 << 20), ..LIMITS });
    // Without a line end, `tail` has to keep everything; and then nobody takes it.
    assert_eq!(session.exit("head -c 150000000 /dev/zero | tail -n 1 | sleep 1000"), Exit::Limit(Limit::Memory));
    // No process has it mapped.
    let hidden = "exec python3 -c 'import os, time\nfile = os.memfd_create(\"x\")\nfor _ in range(150): os.write(file, bytes(1 << 20))\n\
                  time.sleep(1000)'";
    assert_eq!(session.exit(hidden), Exit::Limit(Limit::Memory));
    assert_eq!(count_of(session.local.scratch()), 0);
    assert_eq!(session.exit("sleep 0.3"), Exit::Code(0));
}

#[test]
fn processes() {
    let mut session = limited(Limits { processes: Some(100), ..LIMITS });
    let bomb = "i=0; while [ $i -lt 300 ]; do setsid sleep 1000 & i=$((i+1)); done; wait";
    assert_eq!(session.exit(bomb), Exit::Limit(Limit::Processes));
    assert_eq!(count_of(session.local.scratch()), 0);
    assert_eq!(session.exit("sleep 0.3"), Exit::Code(0));
}

#[test]
fn file_size() {
    let mut session = limited(Limits { file_size: Some(1_000_000), ..LIMITS });
    assert_eq!(session.exit("exec head -c 2000000 /dev/zero > big"), Exit::Signal(25));
    assert_eq!(session.exit("exec head -c 1000000 /dev/zero > big"), Exit::Code(0));
    // What goes into a pipe is no file.
    assert_eq!(session.exit("exec head -c 2000000 /dev/zero"), Exit::Code(0));
}

#[test]
fn disk_space() {
    let mut session = limited(Limits { disk: Some(20 << 20), ..LIMITS });
    // Each file is small. Those of the second one have no name any more.
    let fills = "i=0; while :; do i=$((i+1)); mkdir -p d$i; head -c 1000000 /dev/zero >d$i/f || exit 9; done";
    assert_eq!(session.exit(fills), Exit::Limit(Limit::Disk));
    let holds = "exec python3 -c 'import tempfile\nkept = []\nwhile True:\n kept.append(tempfile.TemporaryFile(dir=\".\"))\n \
                 kept[-1].write(bytes(1000000)); kept[-1].flush()'";
    assert_eq!(session.exit(holds), Exit::Limit(Limit::Disk));
    assert_eq!(session.exit("head -c 10000000 /dev/zero >f; sleep 0.3"), Exit::Code(0));
}

/// Returns a test that fills far more than the limit, if that does not stop it. It takes its time, as what others remove
/// meanwhile hides what it writes.
fn filling(file: &Path) -> String {
    let file = file.display();
    format!("for i in $(seq 30); do head -c 10000000 /dev/zero >>{file} || exit 9; sleep 0.1; done")
}

#[test]
fn what_is_written_to_copies_and_to_memory_counts_as_disk_space() {
    let home = tempfile::tempdir().unwrap();
    let [fresh, kept] = ["fresh", "kept"].map(|name| home.path().join(name));
    for folder in [&fresh, &kept] {
        std::fs::create_dir(folder).unwrap();
    }
    let mut setup = setup(&["sh", "{}"]);
    setup.limits = Limits { disk: Some(20 << 20), ..LIMITS };
    let copies = Copies { fresh: vec![fresh.clone()], kept: vec![kept.clone()], watched: vec![] };
    setup.confinement = Some((Confinement::default(), copies));
    let mut session = Session::new(setup);
    // Where a test has none of this for itself, it cannot write there either.
    let allowed = |exit: &Exit| matches!(exit, Exit::Limit(Limit::Disk) | Exit::Code(1..));
    for (n, folder) in [&fresh, &kept, Path::new("/dev/shm"), &kept].into_iter().enumerate() {
        let exit = session.exit(&filling(&folder.join("new")));
        assert!(allowed(&exit), "{n}: {}: {exit:?}", folder.display());
    }
    assert_eq!(session.exit("head -c 10000000 /dev/zero >f; sleep 0.3"), Exit::Code(0));
}

#[test]
fn what_others_write_and_what_tests_have_left_is_not_counted_as_disk_space() {
    let [home, elsewhere] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let (kept, elsewhere) = (home.path(), elsewhere.path());
    let mut setup = setup(&["sh", "{}"]);
    // All on one file system.
    setup.scratch = Some(std::env::temp_dir());
    setup.limits = Limits { disk: Some(20 << 20), ..LIMITS };
    let copies = Copies { fresh: vec![], kept: vec![kept.to_owned()], watched: vec![] };
    setup.confinement = Some((Confinement::default().with_writable(vec![elsewhere.to_owned()]), copies));
    let mut session = Session::new(setup);
    for n in 0..3 {
        // Where there can be no copy, nothing can be left.
        let leave = format!("head -c 15000000 /dev/zero 2>/dev/null >{}/{n}; true", kept.display());
        assert_eq!(session.exit(&leave), Exit::Code(0), "{n}");
    }
    // What is written where all may write takes free space as others do, and is not the test's.
    let others = format!("head -c 30000000 /dev/zero >{}/others || exit 9; sleep 0.3", elsewhere.display());
    assert_eq!(session.exit(&others), Exit::Code(0));
}

#[test]
fn what_a_test_has_filled_is_as_before_for_the_next_one() {
    let home = tempfile::tempdir().unwrap();
    let below = home.path().join("cache/0");
    std::fs::create_dir_all(&below).unwrap();
    std::fs::write(below.join("old"), "old").unwrap();
    let mut setup = setup(&["sh", "{}"]);
    setup.limits = Limits { disk: Some(20 << 20), ..LIMITS };
    let copies = Copies { fresh: vec![home.path().to_owned()], kept: vec![home.path().join("cache")], watched: vec![] };
    setup.confinement = Some((Confinement::default(), copies));
    let mut session = Session::new(setup);
    let look = format!("ls {0}; head -c 1000 {0}/*", below.display());
    let before = session.run(&look).stdout;
    for name in ["old", "new"] {
        // Where there can be no copy, nothing can be left.
        let has_copy = session.exit(&format!("echo 1 >{}/left", below.display())) == Exit::Code(0);
        assert_eq!(session.run(&look).stdout != before, has_copy, "what is left stays otherwise");
        let exit = session.exit(&filling(&below.join(name)));
        assert_eq!(exit == Exit::Limit(Limit::Disk), has_copy, "{name}: {exit:?}");
        assert_eq!(session.run(&look).stdout, before, "{name}");
    }
    assert_eq!(count_of(session.local.scratch()), 0);
}

#[test]
fn no_core_is_dumped() {
    let observed = limited(LIMITS).run("ulimit -c; kill -ABRT $$");
    assert_eq!(observed.exit, Exit::Signal(6));
    // The shell counts in blocks: one byte is no block.
    assert_eq!(observed.stdout, b"0\n");
}
