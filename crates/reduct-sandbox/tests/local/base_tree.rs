//! Folders that are kept from test to test on a base tree.

use crate::bench::{OnBaseTree, Session, count_of, example, pid_in, setup, some_of, wait_until, write_pid};
use reduct_core::laws::Chance;
use reduct_input::{Artifact, ArtifactBuilder, Candidate, Entry, What};
use reduct_oracle::{Exit, Limit};
use reduct_sandbox::local::Local;
use reduct_session::executor::{Completion, Executor, Trouble};
use reduct_sources::BaseTree;
use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

/// The number of the file and its times.
type Marks = (u64, (i64, i64), (i64, i64));

fn marks(path: &Path) -> Marks {
    let meta = fs::symlink_metadata(path).unwrap();
    (meta.ino(), (meta.mtime(), meta.mtime_nsec()), (meta.ctime(), meta.ctime_nsec()))
}

fn on(laid: &str) -> OnBaseTree {
    OnBaseTree::new(laid, |_, _| {})
}

fn artifact(add: impl FnOnce(&mut ArtifactBuilder)) -> Arc<Artifact> {
    let mut builder = ArtifactBuilder::default();
    add(&mut builder);
    Arc::new(builder.finish())
}

/// Two versions of a file `a`, in the base tree's folder `src`, and files that are there or not.
fn two_versions() -> Arc<Artifact> {
    artifact(|builder| {
        builder.file("src/a", 0o644, b"one").unwrap();
        builder.file("src/a", 0o644, b"two").unwrap();
        builder.file("src/b", 0o644, b"b").unwrap();
        builder.file("new/deep/c", 0o755, b"c").unwrap();
        builder.file("kept/d", 0o644, b"d").unwrap();
        builder.link("src/link", "a");
    })
}

const LAID: &str = "mkdir src kept; echo common > src/common";

#[test]
fn only_what_differs_is_touched() {
    let base = two_versions();
    let mut it = on(LAID);
    let work = it.work();
    it.says(&some_of(&base, &[0, 2, 3, 4, 5]), "cat src/a src/b new/deep/c kept/d src/link > product");
    let all = ["src/a", "src/b", "src/link", "src/common", "product"];
    let before = all.map(|path| marks(&work.join(path)));
    assert_eq!(it.says(&some_of(&base, &[1, 2, 5]), "cat product src/a src/b src/link"), "onebcdonetwobtwo");
    let after = all.map(|path| marks(&work.join(path)));
    assert_eq!(before[1..], after[1..]);
    assert!(after[0].1 > before[0].1);
    // A folder that is empty goes, unless it is the base tree's.
    assert!(!work.join("new").exists() && work.join("kept").is_dir());
    assert_eq!(it.laid(), 1);
}

#[test]
fn the_same_contents_from_another_base_are_not_written_again() {
    let [one, other] = [two_versions(), two_versions()];
    let mut it = on(LAID);
    it.says(&some_of(&one, &[0, 2, 3]), "true");
    let a = it.work().join("src/a");
    let before = marks(&a);
    it.says(&some_of(&other, &[0, 2]), "true");
    // What the first one had and the second one never could have is gone, too.
    let short = Arc::new(some_of(&one, &[0]).artifact());
    assert_eq!(it.says(&Candidate::whole(short), "find . -type f | sort"), "./src/a\n./src/common\n");
    assert_eq!(marks(&a), before);
}

#[test]
fn an_older_version_is_later_when_it_comes_back() {
    let base = two_versions();
    let mut it = on(LAID);
    let mut last = None;
    for n in 0..40 {
        it.says(&some_of(&base, &[n % 2]), "true");
        let (_, time, _) = marks(&it.work().join("src/a"));
        assert!(last < Some(time));
        last = Some(time);
    }
}

#[test]
fn a_source_from_the_future_is_replaced_by_a_later_one() {
    let base = two_versions();
    let mut it = on(LAID);
    it.says(&some_of(&base, &[0]), "touch -d '+1 hour' src/a");
    let (_, time, _) = marks(&it.work().join("src/a"));
    it.says(&some_of(&base, &[1]), "true");
    assert!(marks(&it.work().join("src/a")).1 > time);
}

#[test]
fn what_a_test_does_to_its_sources_is_undone() {
    let base = two_versions();
    let candidate = some_of(&base, &[0, 2, 3, 5]);
    let list = "find src new -printf '%p %y %m %l\\n' | LC_ALL=C sort; cat src/a src/b new/deep/c";
    let mut it = on(LAID);
    let expected = it.says(&candidate, list);
    for mischief in [
        "echo more >> src/a",
        // As long as it was, in place, and with its old time.
        "cp -p src/a ref; printf ONE | dd conv=notrunc of=src/a 2> /dev/null; touch -r ref src/a; rm ref",
        "rm src/a",
        "chmod 000 src/a",
        "rm src/a; mkdir src/a; touch src/a/x",
        "mv src/a src/b",
        "rm src/link; echo one > src/link",
        "ln -sf b src/link",
        "rm -r new",
        "rm -r new; echo x > new",
        "rm -r new; ln -s / new",
        "chmod 500 src new/deep; chmod 000 new",
        "echo stray > kept/d",
        "mkdir kept/d; chmod 000 kept/d kept",
        "chmod 000 .",
    ] {
        it.says(&candidate, mischief);
        assert_eq!(it.says(&candidate, list), expected, "{mischief}");
        assert_eq!(it.says(&candidate, "ls -A kept"), "", "{mischief}");
        assert_eq!(it.laid(), 1, "{mischief}");
    }
}

#[test]
fn a_folder_that_is_damaged_is_laid_anew() {
    let base = two_versions();
    let candidate = some_of(&base, &[0, 2]);
    let elsewhere = tempfile::tempdir().unwrap();
    let linked = format!("mv src away; ln -s {} src", elsewhere.path().display());
    let mut it = on(LAID);
    for (times, damage) in
        ["rm -r src", &linked, "rm -r kept src; echo x > src", "cd ..; rm -r work"].iter().enumerate()
    {
        it.says(&candidate, damage);
        assert_eq!(it.says(&candidate, "cat src/a src/b src/common; ls"), "onebcommon\nkept\nsrc\n", "{damage}");
        assert_eq!(it.laid(), times + 2);
    }
    it.says(&candidate, "rm -rf ../../000");
    assert_eq!(it.says(&candidate, "cat src/a; touch $TMPDIR/x"), "one");
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
}

#[test]
fn what_only_looks_touched_is_not_written_again() {
    let base = two_versions();
    let candidate = some_of(&base, &[0]);
    let mut it = on(LAID);
    it.says(&candidate, "ln src/a hard; chmod 600 src/a; chmod 644 src/a");
    let before = marks(&it.work().join("src/a"));
    it.says(&candidate, "true");
    assert_eq!(marks(&it.work().join("src/a")), before);
    // The other name of it keeps what it had.
    assert_eq!(it.says(&some_of(&base, &[1]), "cat hard src/a"), "onetwo");
}

#[test]
fn products_stay_and_temporary_files_go() {
    let base = two_versions();
    let mut it = on(LAID);
    it.says(
        &some_of(&base, &[0]),
        "echo x > product; echo x > $TMPDIR/x; echo x > ../x; mkdir ../y; chmod 000 $TMPDIR ..",
    );
    let list = "cat product; ls -A .. $TMPDIR; stat -c %a .. $TMPDIR";
    let expected = "x\n..:\ntmp\nwork\n\nTMP:\n700\n700\n";
    let said = it.says(&some_of(&base, &[1]), list);
    assert_eq!(said.replace(&it.work().with_file_name("tmp").display().to_string(), "TMP"), expected);
}

/// What has a different kind, mode or place, all of it in the way of something else.
fn tangle() -> Arc<Artifact> {
    artifact(|builder| {
        builder.file("x", 0o644, b"x").unwrap();
        builder.file("x", 0o755, b"x").unwrap();
        builder.file("x", 0o644, b"y").unwrap();
        builder.link("x", "common");
        builder.folder("x", 0o700);
        builder.folder("x", 0o555);
        builder.file("x/in/a", 0o600, b"a").unwrap();
        builder.file("x/in/a", 0o600, b"").unwrap();
        builder.file("x/in", 0o600, b"in").unwrap();
        builder.link("x/l", "in");
        builder.file("laid/in/b", 0o444, b"b").unwrap();
        builder.file("laid/in/b/c", 0o400, b"c").unwrap();
        builder.link("laid/in/b", "/no/such/place");
        builder.file("other/file", 0o644, b"f").unwrap();
    })
}

/// A choice of entries that can stand together.
fn choice(base: &Arc<Artifact>, chance: &mut Chance) -> Candidate {
    let mut chosen: Vec<usize> = vec![];
    for at in 0..base.entries().len() {
        let clash = |upper: &Entry, lower: &Entry| {
            lower.path.starts_with(&upper.path) && !matches!(upper.what, What::Folder { .. })
        };
        let fits = |other: &usize| {
            let (one, other) = (&base.entries()[at], &base.entries()[*other]);
            one.path != other.path && !clash(one, other) && !clash(other, one)
        };
        if chance.below(3) == 0 && chosen.iter().all(fits) {
            chosen.push(at);
        }
    }
    some_of(base, &chosen)
}

/// What is to be seen of a candidate on a base tree of `common`, `laid/in` and `laid/kept`, by going through its
/// entries: kind, mode, and contents or target.
fn seen_of(candidate: &Candidate) -> BTreeMap<String, String> {
    let mut seen: BTreeMap<String, String> =
        ["laid", "laid/in", "laid/kept"].map(|path| (path.into(), "d 750 ".into())).into();
    seen.insert("common".into(), "f 640 common".into());
    for (entry, pieces) in candidate.pieces() {
        for above in entry.path.ancestors().skip(1).filter(|above| *above != Path::new("")) {
            seen.entry(above.display().to_string()).or_insert("d 700 ".into());
        }
        let what = match &entry.what {
            What::File { mode, .. } => format!("f {mode:o} {}", String::from_utf8(pieces.concat()).unwrap()),
            What::Folder { mode } => format!("d {mode:o} "),
            What::Link { target } => format!("l 777 {}", target.display()),
        };
        seen.insert(entry.path.display().to_string(), what);
    }
    seen
}

#[test]
fn any_candidate_after_any_other_stands_as_if_it_were_the_first() {
    let base = tangle();
    let mut chance = Chance(7);
    let mut it = on("umask 027; mkdir -p laid/in laid/kept; printf common > common");
    let list = "find . -mindepth 1 -printf '%P|%y %m |' \\( -type f -exec cat {} \\; -o -type l -printf %l -o -true \\) -printf '\\n'";
    for n in 0..150 {
        let candidate = choice(&base, &mut chance);
        // Then the test spoils something, in a place where candidates have something.
        let path = base.entries()[chance.below(base.entries().len())].path.display();
        let mischief = match chance.below(7) {
            0 => format!("rm -rf {path}"),
            1 => format!("rm -rf {path}; mkdir {path}"),
            2 => format!("rm -rf {path}; ln -s laid {path}"),
            3 => format!("chmod 000 {path}"),
            4 => format!("printf z | dd conv=notrunc of={path}"),
            5 => format!("rm -rf {path}; printf stray > {path}"),
            _ => String::new(),
        };
        let said = it.says(&candidate, &format!("{list}\nexec 2> /dev/null; {mischief}\nexit 0"));
        let lines = said.lines().map(|line| line.split_once('|').unwrap());
        let seen: BTreeMap<String, String> =
            lines.map(|(path, rest)| (path.to_owned(), rest.replacen(" |", " ", 1))).collect();
        assert_eq!(seen, seen_of(&candidate), "{n}");
    }
    assert_eq!(it.laid(), 1);
}

#[test]
fn with_fresh_each_test_gets_a_base_tree_of_its_own() {
    let base = two_versions();
    let mut it = OnBaseTree::new(LAID, |setup, _| setup.fresh = true);
    for n in 1..4 {
        assert_eq!(it.says(&some_of(&base, &[n % 2]), "ls; touch product src/common"), "kept\nsrc\n");
        assert_eq!(it.laid(), n);
    }
}

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
