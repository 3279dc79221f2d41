//! Groups of processes by which the kernel holds tests to their limits, where such groups can be made.

use crate::workshop::Workshop;
use rustix::process::Signal;
use std::fs;
use std::path::Path;

/// Where version 1 has a tree for processes.
const TREE: &str = "/sys/fs/cgroup/pids";

/// Returns whether groups can be made there by this user.
fn can_be_made() -> bool {
    let trial = Path::new(TREE).join(format!("reduct-of-a-test-{}", std::process::id()));
    fs::create_dir(&trial).and_then(|()| fs::remove_dir(&trial)).is_ok()
}

/// Returns the path of the group of processes that a test has written down, if it is one of reduct.
fn group(text: &str) -> Option<String> {
    let path = text.lines().find_map(|line| line.split_once(":pids:")).map(|(_, path)| path)?;
    path.contains("/reduct-").then(|| format!("{TREE}{path}"))
}

#[test]
fn groups_are_left_neither_by_a_run_nor_after_a_kill() {
    let workshop = Workshop::new();
    workshop.write("input", "a\nneedle\nb\n");
    let told = workshop.beside("told");
    fs::write(&told, "").unwrap();
    let line = format!("cat /proc/self/cgroup >{}; grep -q needle input && exit 3; exit 0", told.display());
    let words = ["input", "--force", "--bare", "--by", "lines", "--fails-if", "exit=3", "-c"];
    let run = |line: &str| workshop.reduct(words.iter().chain(&[line]));
    run(&line).run().exits_with(0);
    let first = group(&fs::read_to_string(&told).unwrap());
    // Where none can be made, tests run all the same.
    assert_eq!(first.is_some(), can_be_made());
    let Some(first) = first else { return };
    assert!(!fs::exists(&first).unwrap());
    let running = run(&line.replace("; grep", "; sleep 1000; grep")).start();
    workshop.eventually("the test has a group of its own", || {
        let told = fs::read_to_string(&told).unwrap();
        group(&told).filter(|second| *second != first).map(|_| ()).ok_or(told)
    });
    let second = group(&fs::read_to_string(&told).unwrap()).unwrap();
    running.process().kill(Signal::KILL);
    running.wait();
    workshop.expect_no_process();
    run(&line).run().exits_with(0);
    assert!(!fs::exists(&second).unwrap());
}

/// Processes that come and go between two looks are counted by the kernel.
#[test]
fn a_burst_of_processes_is_unresolved() {
    if !can_be_made() {
        return;
    }
    let workshop = Workshop::new();
    workshop.write("input", "a\nneedle\nb\n");
    workshop.script(
        "test.py",
        "import os, signal, sys\n\
         text = open('input', 'rb').read()\n\
         children = []\n\
         try:\n\
         \x20   while b'a' not in text and len(children) < 300:\n\
         \x20       child = os.fork()\n\
         \x20       if child == 0: signal.pause()\n\
         \x20       children.append(child)\n\
         except OSError: pass\n\
         for child in children: os.kill(child, 9)\n\
         sys.exit(3 if b'needle' in text else 0)\n",
    );
    let script = workshop.path("test.py").display().to_string();
    let words =
        ["input", "--bare", "--by", "lines", "--processes", "20", "--fails-if", "exit=3", "--", "python3", &script];
    workshop.reduct(words).run().exits_with(0);
    assert!(workshop.text("input.reduced").starts_with("a\n"), "{}", workshop.text("input.reduced"));
}
