//! `reduct changes` does not touch the checkout, and refuses what it cannot search.

use crate::repositories::{WORDS, ten};
use crate::workshop::Workshop;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

#[test]
fn what_cannot_be_searched_is_refused() {
    let workshop = ten();
    let says = |words: &[&str], status: i32, text: &str| {
        drop(workshop.changes(&[words, &["--", "./test.sh"]].concat()).run().exits_with(status).says(text));
    };
    says(&["nowhere..main"], 2, "nowhere");
    says(&["main..good"], 3, "does not occur");
    says(&["good..good"], 2, "nothing differs");
    says(&["HEAD~1..main"], 3, "fails too");
    says(&[], 2, "nothing to compare");
    says(&["--patch", "missing"], 2, "missing");
    workshop.reduct(["changes", "good..main"]).run().exits_with(2).says("there is no test");
    workshop.script("test.sh", "exit 125");
    says(&["good..main"], 3, "cannot tell");
    workshop.script("test.sh", WORDS);
    workshop.git(
        "git init -q ../sub; git -C ../sub -c user.name=a -c user.email=a@b commit -q --allow-empty -m x
        git -c protocol.file.allow=always submodule add -q ../sub sub; git commit -qm 'a submodule'",
    );
    says(&["good..main"], 2, "submodule");
    let outside = Workshop::new();
    outside.script("test.sh", "exit 1");
    outside.changes(&["a..b", "--", "./test.sh"]).run().exits_with(2).says("not");
}

/// Staged, unstaged, untracked, ignored and stashed things, branches and hooks: all stay as they are, also if
/// it is killed in the middle; and it goes on to the same answer.
#[test]
fn the_checkout_is_never_touched() {
    let undisturbed = ten();
    undisturbed.changes(&["-j1", "good..main", "--", "./test.sh"]).run().exits_with(0);
    let workshop = ten();
    workshop.git(
        "git branch other; echo stashed >count; git stash -q; echo staged >count; git add count; echo unstaged >>src/words
        echo '*.o' >.gitignore; echo ignored >x.o; echo untracked >y; mkdir empty
        printf '#!/bin/sh\\necho hook >>\"$LOG\"' >.git/hooks/post-checkout; chmod +x .git/hooks/post-checkout",
    );
    workshop.script(
        "test.sh",
        &format!("{WORDS}; result=$?; git status >/dev/null 2>&1; git checkout -q . 2>/dev/null; exit $result"),
    );
    let before = all_about(&workshop.home());
    let mut running = workshop.changes(&["-j1", "good..main", "--", "./test.sh"]).start();
    let mut kills = 0;
    while kills < 3 && workshop.wait_for_runs(4 * (kills + 1), &mut running) {
        running.kill();
        running.wait();
        workshop.expect_no_process();
        workshop.expect_no_scratch();
        assert_eq!(all_about(&workshop.home()), before, "killed");
        kills += 1;
        running = workshop.reduct(["resume"]).start();
    }
    running.wait().exits_with(0);
    assert!(kills > 0, "it was disturbed");
    assert_eq!(all_about(&workshop.home()), before);
    assert_eq!(workshop.subjects(), undisturbed.subjects());
    assert_eq!(workshop.answer()["causes"][0]["patch"], undisturbed.answer()["causes"][0]["patch"]);
    let counted = |workshop: &Workshop| workshop.runs().iter().filter(|line| *line == "run").count();
    // What was known is not run again: at most what was under way at each kill.
    assert!(counted(&workshop) <= counted(&undisturbed) + kills, "{} {}", counted(&workshop), counted(&undisturbed));
    workshop.expect_no_scratch();
}

/// Everything about all files of a folder but when they were read.
fn all_about(folder: &Path) -> BTreeMap<PathBuf, (u32, i64, i64, u64, Vec<u8>)> {
    let mut found = BTreeMap::new();
    let mut todo = vec![folder.to_owned()];
    while let Some(next) = todo.pop() {
        for path in fs::read_dir(next).unwrap().map(|entry| entry.unwrap().path()) {
            if path.file_name().is_some_and(|name| name == ".reduct") {
                continue;
            }
            let meta = fs::symlink_metadata(&path).unwrap();
            let content = if meta.is_file() { fs::read(&path).unwrap() } else { vec![] };
            // The time of the folder in which .reduct stands is not the user's.
            let (time, nanos) = if meta.is_dir() { (0, 0) } else { (meta.mtime(), meta.mtime_nsec()) };
            if meta.is_dir() {
                todo.push(path.clone());
            }
            found.insert(path, (meta.mode(), time, nanos, meta.ino(), content));
        }
    }
    found
}
