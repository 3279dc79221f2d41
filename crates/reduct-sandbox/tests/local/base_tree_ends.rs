//! Folders on a base tree when a test is killed or cancelled, when something cannot stand there, and at the end.

use crate::base_tree::{LAID, artifact, on, two_versions};
use crate::bench::{OnBaseTree, Session, count_of, example, pid_in, setup, some_of, wait_until, write_pid};
use reduct_input::Candidate;
use reduct_oracle::{Exit, Limit};
use reduct_sandbox::local::Local;
use reduct_session::executor::{Completion, Executor, Trouble};
use reduct_sources::BaseTree;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

#[test]
fn after_a_test_that_was_killed_in_the_middle_the_base_tree_is_made_anew() {
    let base = two_versions();
    let candidate = some_of(&base, &[0]);
    let mut it = OnBaseTree::new(LAID, |setup, _| setup.limits.file_size = Some(1 << 20));
    it.says(&candidate, "echo whole > product");
    it.session.time_limit = Some(Duration::from_millis(200));
    let endless = it.run(&candidate, "echo half > product; sleep 1000").exit;
    assert_eq!(endless, Exit::Limit(Limit::Time));
    it.session.time_limit = None;
    assert_eq!(it.says(&candidate, "ls"), "kept\nsrc\n");
    assert_eq!(it.run(&candidate, "exec head -c 2000000 /dev/zero > product").exit, Exit::Signal(25));
    assert_eq!(it.says(&candidate, "ls"), "kept\nsrc\n");
    assert_eq!(it.laid(), 3);
    // A test that fails, or dies by itself, is no reason.
    assert_eq!(it.run(&candidate, "exit 127").exit, Exit::Code(127));
    assert_eq!(it.run(&candidate, "kill -SEGV $$").exit, Exit::Signal(11));
    it.says(&candidate, "true");
    assert_eq!(it.laid(), 3);
}

#[test]
fn a_test_that_runs_goes_on_when_it_is_cancelled_and_the_next_one_waits() {
    let base = two_versions();
    let mut it = on(LAID);
    let [fifo, pid, log] = ["fifo", "pid", "log"].map(|name| it.home.path().join(name));
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let long = format!("{}; read line < {}; echo long > {}", write_pid(&pid), fifo.display(), log.display());
    let unwanted = it.start(&some_of(&base, &[0]), &long);
    pid_in(&pid);
    it.session.local.cancel(unwanted);
    // Of those that wait, the first is not wanted for long either.
    let dropped = it.start(&some_of(&base, &[1]), "true");
    it.session.local.cancel(dropped);
    let script = format!("cat src/a >> {}", log.display());
    let wanted = it.start(&some_of(&base, &[1]), &script);
    // Opened for reading, too, and kept open: this does not wait for a reader, should there be none any more.
    let mut gate = OpenOptions::new().read(true).write(true).open(&fifo).unwrap();
    gate.write_all(b"\n").unwrap();
    let notice = it.session.next();
    assert!(
        matches!(&notice, Completion::Finished(run, seen) if *run == wanted && seen.exit == Exit::Code(0)),
        "{notice:?}"
    );
    assert_eq!(fs::read_to_string(&log).unwrap(), "long\ntwo");
    assert_eq!(it.laid(), 1);
}

#[test]
fn a_cancelled_test_with_a_fresh_base_tree_is_killed() {
    let base = two_versions();
    let mut it = OnBaseTree::new(LAID, |setup, _| setup.fresh = true);
    let pid = it.home.path().join("pid");
    let run = it.start(&some_of(&base, &[0]), &format!("{}; sleep 1000", write_pid(&pid)));
    pid_in(&pid);
    it.session.local.cancel(run);
    it.says(&some_of(&base, &[0]), "true");
}

#[test]
fn nothing_remains_of_a_kept_folder() {
    let base = two_versions();
    let mut it = on(LAID);
    it.says(&some_of(&base, &[0]), "mkdir closed; touch closed/x; chmod 000 closed");
    let root = it.session.local.scratch().to_owned();
    assert!(it.work().join("closed").exists());
    drop(it);
    assert!(!root.exists());
    assert_eq!(count_of(&root), 0);
}

#[test]
fn nothing_remains_of_a_kept_folder_after_a_kill() {
    let home = tempfile::tempdir().unwrap();
    let [scratch, pid] = ["scratch", "pid"].map(|name| home.path().join(name));
    let script = format!("cat laid/file file > both; {}; sleep 1000", write_pid(&pid));
    let mut victim = Command::new(example("victim"));
    victim.arg(&scratch).args(["8", &script, "base"]).stdout(Stdio::null());
    let mut victim = victim.spawn().unwrap();
    pid_in(&pid);
    let root = fs::read_dir(&scratch).unwrap().next().unwrap().unwrap().path();
    assert_eq!(fs::read(root.join("000").join("work").join("both")).unwrap(), b"laidxxxxxxxx");
    victim.kill().unwrap();
    victim.wait().unwrap();
    wait_until("its folder is gone", || fs::read_dir(&scratch).unwrap().count() == 0);
}

#[test]
fn what_cannot_stand_is_trouble_and_nothing_is_written_elsewhere() {
    let elsewhere = tempfile::tempdir().unwrap();
    let base = artifact(|builder| {
        builder.link("link", elsewhere.path());
        builder.file("link/file", 0o644, b"x").unwrap();
        builder.file("../file", 0o644, b"x").unwrap();
        builder.file("src", 0o644, b"x").unwrap();
        builder.file("fine", 0o644, b"fine").unwrap();
    });
    let mut it = on(LAID);
    for entries in [&[0, 1][..], &[2], &[3]] {
        let notice = it.session.notice(&some_of(&base, entries));
        assert!(matches!(notice, Completion::Trouble(..)), "{notice:?}");
    }
    assert_eq!(it.says(&some_of(&base, &[4]), "cat fine"), "fine");
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
}

#[test]
fn a_base_tree_that_cannot_be_made_is_trouble() {
    let mut it = on(LAID);
    let candidate = some_of(&two_versions(), &[0]);
    let base_tree = it.base_tree.folder.clone();
    fs::rename(&base_tree, it.home.path().join("away")).unwrap();
    let notice = it.session.notice(&candidate);
    assert!(matches!(notice, Completion::Trouble(..)), "{notice:?}");
    fs::rename(it.home.path().join("away"), &base_tree).unwrap();
    assert_eq!(it.says(&candidate, "cat src/a"), "one");
}

#[test]
fn a_place_in_memory_has_to_have_room_for_products() {
    let mut setup = setup(&["true"]);
    setup.base_tree = Some(on(LAID).base_tree);
    setup.room = u64::MAX;
    let local = Local::new(setup).unwrap();
    assert!(!local.scratch().starts_with("/dev/shm"));
}

/// A base tree that cannot be made as long as a file is there, and does not know how to say so.
#[derive(Debug)]
struct Panics(std::path::PathBuf);

impl BaseTree for Panics {
    fn identity(&self) -> Vec<u8> {
        vec![]
    }

    fn populate(&self, _: &Path) -> std::io::Result<()> {
        assert!(!self.0.exists(), "out of its depth");
        Ok(())
    }
}

#[test]
fn a_panic_is_trouble_of_its_test_and_the_next_one_runs() {
    let home = tempfile::tempdir().unwrap();
    let flag = home.path().join("flag");
    fs::write(&flag, "").unwrap();
    let mut setup = setup(&["sh", "a"]);
    setup.invocation.subject = ".".into();
    setup.invocation.path_argument = false;
    setup.base_tree = Some(Arc::new(Panics(flag.clone())));
    let mut session = Session::new(setup);
    let candidate = Candidate::whole(artifact(|builder| {
        builder.file("a", 0o644, b"exit 7").unwrap();
    }));
    for _ in 0..2 {
        let notice = session.notice(&candidate);
        assert!(
            matches!(&notice, Completion::Trouble(_, Trouble::Other(why)) if why.contains("out of its depth")),
            "{notice:?}"
        );
    }
    fs::remove_file(flag).unwrap();
    assert_eq!(session.observe(&candidate).exit, Exit::Code(7));
}
