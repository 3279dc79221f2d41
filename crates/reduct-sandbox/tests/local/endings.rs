//! Nothing survives: not the test, not the supervisor, not the session.

use crate::bench::setup;
use crate::bench::{Session, daemon, example, file, pid_in, runs, wait_until, write_pid};
use reduct_oracle::Exit;
use reduct_sandbox::local::Local;
use reduct_session::executor::Completion;
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// A supervisor's orphans come to this process. Only one test at a time may have some, or they are ended for each
/// other.
pub static ORPHANS: Mutex<()> = Mutex::new(());

fn kill(pid: u32, signal: Signal) {
    kill_process(Pid::from_raw(i32::try_from(pid).unwrap()).unwrap(), signal).unwrap();
}

/// A session of its own process, with a test under way.
fn victim(scratch: &Path, script: &str) -> Child {
    Command::new(example("victim")).arg(scratch).arg("8").arg(script).stdout(Stdio::null()).spawn().unwrap()
}

#[test]
fn children_in_the_background_die() {
    let home = tempfile::tempdir().unwrap();
    let left = home.path().join("left");
    let script = format!(
        "sh -c '{} && exec sleep 1000' &\nwhile [ ! -e {1} ]; do sleep 0.01; done; exit 3",
        write_pid(&left),
        left.display()
    );
    let mut session = Session::of_scripts();
    assert_eq!(session.exit(&script), Exit::Code(3));
    assert!(!runs(pid_in(&left)));
}

#[test]
fn daemons_die() {
    let home = tempfile::tempdir().unwrap();
    let left = home.path().join("left");
    let mut session = Session::of_scripts();
    assert_eq!(session.exit(&format!("{}exit 4", daemon(&left))), Exit::Code(4));
    assert!(!runs(pid_in(&left)));
}

#[test]
fn a_daemon_that_holds_the_output_is_not_waited_for() {
    let observed = Session::of_scripts().run("setsid sh -c 'echo daemon; exec sleep 1000' &\necho test");
    assert_eq!(observed.exit, Exit::Code(0));
    assert!(observed.stdout.windows(5).any(|at| at == b"test\n"));
}

#[test]
fn forking_does_not_help() {
    // Each of 20 generations leaves its parent behind.
    let script = "gen='[ $1 -gt 0 ] && setsid sh -c \"$2\" x $(($1 - 1)) \"$2\" & sleep 1000'\n\
        setsid sh -c \"$gen\" x 20 \"$gen\" > /dev/null 2>&1 &\nsleep 0.05";
    let mut session = Session::of_scripts();
    assert_eq!(session.exit(script), Exit::Code(0));
    assert_eq!(crate::bench::count_of(session.local.scratch()), 0);
}

#[test]
fn killing_the_session_ends_everything() {
    let home = tempfile::tempdir().unwrap();
    let [scratch, hidden, test] = ["scratch", "hidden", "test"].map(|name| home.path().join(name));
    let script = format!("{}{}\nsleep 1000", daemon(&hidden), write_pid(&test));
    let mut victim = victim(&scratch, &script);
    let pids = [pid_in(&hidden), pid_in(&test)];
    assert!(pids.into_iter().all(runs));
    victim.kill().unwrap();
    victim.wait().unwrap();
    wait_until("its processes are gone", || !pids.into_iter().any(runs));
    wait_until("its folder is gone", || fs::read_dir(&scratch).unwrap().count() == 0);
}

#[test]
fn signals_to_a_supervisor_change_nothing() {
    let home = tempfile::tempdir().unwrap();
    let test = home.path().join("test");
    let script = format!("for s in INT TERM HUP QUIT; do kill -$s $PPID; done; {}", write_pid(&test));
    assert_eq!(Session::of_scripts().exit(&script), Exit::Code(0));
}

#[test]
fn a_test_whose_supervisor_is_killed_is_lost_and_can_be_run_again() {
    let _alone = ORPHANS.lock().unwrap_or_else(PoisonError::into_inner);
    let home = tempfile::tempdir().unwrap();
    let hidden = home.path().join("hidden");
    let script = format!("[ -e {} ] && exit 5\n{}kill -KILL $PPID\nsleep 1000", hidden.display(), daemon(&hidden));
    let mut session = Session::of_scripts();
    let notice = session.notice(&file(script.as_bytes()));
    assert!(matches!(notice, Completion::Lost(_)), "{notice:?}");
    assert!(!runs(pid_in(&hidden)));
    assert_eq!(session.exit(&script), Exit::Code(5));
}

#[test]
fn a_test_that_stops_its_supervisor_is_lost_though_it_has_no_time_limit() {
    let _alone = ORPHANS.lock().unwrap_or_else(PoisonError::into_inner);
    let home = tempfile::tempdir().unwrap();
    let hidden = home.path().join("hidden");
    let script = format!("[ -e {} ] && exit 5\n{}kill -STOP $PPID\nsleep 1000", hidden.display(), daemon(&hidden));
    let mut session = Session::of_scripts();
    let notice = session.notice(&file(script.as_bytes()));
    assert!(matches!(notice, Completion::Lost(_)), "{notice:?}");
    assert!(!runs(pid_in(&hidden)));
    assert_eq!(session.exit(&script), Exit::Code(5));
}

#[test]
fn what_survives_the_session_and_its_supervisors_is_swept() {
    let _alone = ORPHANS.lock().unwrap_or_else(PoisonError::into_inner);
    let home = tempfile::tempdir().unwrap();
    let [scratch, hidden, supervisor] = ["scratch", "hidden", "supervisor"].map(|name| home.path().join(name));
    // This daemon keeps its environment: without it, nothing tells it from anybody else's.
    let hide = daemon(&hidden).replace("env -i PATH=\"$PATH\"", "");
    let script = format!(
        "mkdir closed; chmod 000 closed\n{hide}echo $PPID > {0}.new; mv {0}.new {0}; sleep 1000",
        supervisor.display()
    );
    let mut victim = victim(&scratch, &script);
    let (supervisor, hidden) = (pid_in(&supervisor), pid_in(&hidden));
    kill(supervisor, Signal::STOP);
    victim.kill().unwrap();
    victim.wait().unwrap();
    kill(supervisor, Signal::KILL);
    wait_until("the supervisor is gone", || !runs(supervisor));
    assert!(runs(hidden));
    let left: Vec<_> = fs::read_dir(&scratch).unwrap().flatten().map(|entry| entry.path()).collect();
    assert_eq!(left.len(), 1);

    let mut setup = setup(&["true"]);
    setup.scratch = Some(scratch);
    let _next = Local::new(setup).unwrap();
    assert!(!runs(hidden));
    assert!(!left[0].exists());
}

#[test]
fn a_full_file_system_is_trouble() {
    let home = tempfile::tempdir().unwrap();
    let on_4_mib = |bytes: &str, script: &str| {
        let mount = "mount -t tmpfs -o size=4m,nr_inodes=1000 none \"$0\" && exec \"$@\"";
        let namespace = if rustix::process::geteuid().is_root() { "-m" } else { "-rm" };
        let mut command = Command::new("unshare");
        command.arg(namespace).args(["sh", "-c", mount]).arg(home.path());
        let output = command.arg(example("victim")).arg(home.path()).args([bytes, script]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let outcomes = [
        ("8", "exit 3", "Code(3)"),
        ("8", "head -c 10000000 /dev/zero > big; exit 3", "NoSpace"),
        ("8", "head -c 10000000 /dev/zero > big; rm big; exit 3", "Code(3)"),
        ("8", "i=0; while : > file$i; do i=$((i+1)); done 2> /dev/null; exit 3", "NoSpace"),
        ("10000000", "exit 3", "NoSpace"),
    ];
    for (bytes, script, expected) in outcomes {
        let outcome = on_4_mib(bytes, script);
        assert!(outcome.contains(expected), "{script}: {outcome}");
    }
}
