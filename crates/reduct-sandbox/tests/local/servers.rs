//! Servers that are asked test after test, and all they can do wrong.

use crate::bench::{LIMITS, Session, count_of, file, pid_in, runs, setup, wait_until};
use reduct_oracle::{Exit, Limit, Limits, Serving};
use reduct_session::executor::{Completion, Executor};
use std::time::Duration;

/// A server in Python; `body` is what it does with `data`, and `said` says something.
fn server(body: &str) -> String {
    let body = body.replace('\n', "\n    ");
    format!(
        r#"import os, signal, sys, time
def said(text): sys.stdout.write(text + "\n"); sys.stdout.flush()
said("reduct 1")
count = 0
while header := sys.stdin.buffer.readline():
    data = sys.stdin.buffer.read(int(header.split()[1]))
    count += 1
    {body}
"#
    )
}

fn session_of(argv: &[&str], limits: Limits, paths: bool) -> Session {
    let mut setup = setup(argv);
    setup.limits = limits;
    setup.invocation.server = Some(Serving { paths, greeting: Duration::from_secs(30) });
    Session::new(setup)
}

fn session(body: &str, limits: Limits) -> Session {
    session_of(&["python3", "-c", &server(body)], limits, false)
}

/// From now on servers are asked more than once: exit status 1 is the failure.
fn trust(session: &mut Session) {
    session.reuses = true;
}

/// Says how many tests it has been asked, as a status; 1 is the failure.
const COUNTS: &str = "said(f'exit {count + 10}')";

#[test]
fn outside_of_a_search_each_test_has_a_fresh_server() {
    let mut session = session(COUNTS, LIMITS);
    assert_eq!([session.exit("a"), session.exit("b")], [Exit::Code(11), Exit::Code(11)]);
    trust(&mut session);
    // The one of the last test goes on.
    assert_eq!([session.exit("c"), session.exit("d")], [Exit::Code(12), Exit::Code(13)]);
    session.reuses = false;
    assert_eq!(session.exit("e"), Exit::Code(11));
    assert_eq!(session.leaks, 0);
}

#[test]
fn what_fails_is_what_a_fresh_server_says() {
    // Once it has seen a `b`, it says that everything fails.
    let mut session = session("bad = globals().get('bad') or b'b' in data\nsaid('fail' if bad else 'pass')", LIMITS);
    trust(&mut session);
    assert_eq!(session.exit("a"), Exit::Code(0));
    assert_eq!(session.exit("b"), Exit::Code(1));
    assert_eq!(session.leaks, 0);
    // The server that was asked about `b` afresh is the one that goes on.
    assert_eq!(session.exit("a"), Exit::Code(0));
    assert_eq!(session.leaks, 1);
    assert_eq!(session.exit("a"), Exit::Code(0));
    assert_eq!(session.leaks, 1, "the one that leaked was replaced");
}

/// A session whose servers append their number to this file when they start.
fn noted(starts: &std::path::Path, body: &str) -> Session {
    let note = format!("with open({starts:?}, 'a') as file: file.write(f'{{os.getpid()}}\\n')");
    let script = server(body).replacen('\n', &format!("\n{note}\n"), 1);
    let mut session = session_of(&["python3", "-c", &script], LIMITS, false);
    trust(&mut session);
    session
}

/// The numbers of the servers that were started, once there are so many.
fn started(starts: &std::path::Path, count: usize) -> Vec<u32> {
    let read = || -> Vec<u32> {
        let text = std::fs::read_to_string(starts).unwrap_or_default();
        text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n')?.parse().ok()).collect()
    };
    wait_until("they have started", || read().len() >= count);
    read()
}

#[test]
fn each_failure_costs_one_start() {
    let home = tempfile::tempdir().unwrap();
    let starts = home.path().join("starts");
    let mut session = noted(&starts, "said('fail')");
    for _ in 0..6 {
        assert_eq!(session.exit("a"), Exit::Code(1));
    }
    // One is started for each, the first included, and one more stands ready.
    assert_eq!(started(&starts, 7).len(), 7);
    let scratch = session.local.scratch().to_owned();
    drop(session);
    assert!(started(&starts, 7).into_iter().all(|pid| !runs(pid)), "none is left, the one that was ready included");
    assert_eq!(count_of(&scratch), 0);
}

#[test]
fn what_becomes_of_the_server_that_is_ready_is_no_outcome() {
    let home = tempfile::tempdir().unwrap();
    let starts = home.path().join("starts");
    let mut session = noted(&starts, "said('fail')");
    assert_eq!([session.exit("a"), session.exit("a")], [Exit::Code(1), Exit::Code(1)]);
    // The first was asked, the second asked again; the third is the one that is ready.
    let ready = started(&starts, 3)[2];
    let killed = std::process::Command::new("kill").args(["-9", &ready.to_string()]).status().unwrap();
    assert!(killed.success());
    wait_until("it is dead", || !runs(ready));
    for _ in 0..3 {
        assert_eq!(session.exit("a"), Exit::Code(1));
    }
    assert_eq!(session.leaks, 0);
}

#[test]
fn the_server_that_is_ready_takes_the_place_of_one_that_ended() {
    let home = tempfile::tempdir().unwrap();
    let starts = home.path().join("starts");
    let mut session = noted(&starts, "sys.stderr.write(str(os.getpid()) + '\\n'); said('exit 3')");
    let mut asked = || {
        let seen = session.run("a");
        assert_eq!(seen.exit, Exit::Code(3));
        String::from_utf8(seen.stderr).unwrap().trim().parse::<u32>().unwrap()
    };
    let first = asked();
    let both = started(&starts, 2);
    assert_eq!([first, asked()], [both[0]; 2]);
    let killed = std::process::Command::new("kill").args(["-9", &first.to_string()]).status().unwrap();
    assert!(killed.success());
    wait_until("it is dead", || !runs(first));
    assert_eq!(asked(), both[1]);
}

#[test]
fn a_server_that_cannot_be_there_twice_serves() {
    let home = tempfile::tempdir().unwrap();
    let [lock, starts, refused] = ["lock", "starts", "refused"].map(|name| home.path().join(name));
    let note = |path: &std::path::Path| format!("with open({path:?}, 'a') as file: file.write(f'{{os.getpid()}}\\n')");
    let alone = format!(
        "\nimport fcntl\nlock = open({lock:?}, 'w')\ntry: fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)\n\
         except OSError:\n    {}\n    sys.exit('it is there already')\n{}\n",
        note(&refused),
        note(&starts)
    );
    let body = "\
if data == b'die': os.kill(os.getpid(), signal.SIGKILL)
said('fail' if b'b' in data else 'pass')";
    let script = server(body).replacen('\n', &alone, 1);
    let mut session = session_of(&["python3", "-c", &script], LIMITS, false);
    trust(&mut session);
    for (contents, exit) in [
        ("a", Exit::Code(0)),
        ("b", Exit::Code(1)),
        ("b", Exit::Code(1)),
        ("a", Exit::Code(0)),
        ("die", Exit::Signal(9)),
        ("b", Exit::Code(1)),
        ("die", Exit::Signal(9)),
        ("a", Exit::Code(0)),
        ("b", Exit::Code(1)),
    ] {
        assert_eq!(session.exit(contents), exit, "{contents}");
    }
    assert_eq!(started(&refused, 1).len(), 1, "it was tried once");
    // The first; a fresh one for each failure of one that was asked before and each death, and one after each
    // death.
    assert_eq!(started(&starts, 8).len(), 1 + 3 + 2 + 2);
    assert_eq!(session.leaks, 0);
}

#[test]
fn contents_arrive_as_they_are() {
    let body = "sys.stderr.write(f'{len(data)} {sum(data)} {data[:2].hex()}'); said('exit 3')";
    let mut session = session(body, LIMITS);
    trust(&mut session);
    let all: Vec<u8> = (0..=255).rev().collect();
    // The last is larger than any pipe.
    for (contents, told) in [(vec![], "0 0 "), (all, "256 32640 fffe"), (vec![10; 3_000_000], "3000000 30000000 0a0a")]
    {
        let seen = session.observe(&file(&contents));
        assert_eq!((seen.exit, String::from_utf8(seen.stderr).unwrap().as_str()), (Exit::Code(3), told));
    }
}

#[test]
fn a_server_that_talks_before_it_listens_does_not_block() {
    // More than a pipe holds to standard error, before it reads, and slow to read.
    let script = r#"import sys
print("reduct 1", flush=True)
while True:
    sys.stderr.write("x" * 300000); sys.stderr.flush()
    header = sys.stdin.buffer.readline()
    if not header: break
    rest = int(header.split()[1])
    while rest: rest -= len(sys.stdin.buffer.read1(min(rest, 10000)))
    print("exit 4", flush=True)
"#;
    let mut session = session_of(&["python3", "-c", script], LIMITS, false);
    trust(&mut session);
    for _ in 0..3 {
        assert_eq!(session.observe(&file(&vec![b'a'; 500_000])).exit, Exit::Code(4));
    }
}

#[test]
fn what_ends_a_server_is_what_is_seen() {
    let body = "\
if data == b'exit': os._exit(7)
if data == b'die': os.kill(os.getpid(), signal.SIGSEGV)
if data == b'half': sys.stdout.write('fai'); sys.stdout.flush(); os._exit(9)
if data == b'and gone': said('exit 21'); os._exit(0)
if data == b'hang': time.sleep(1000)
if data == b'garbage': said('What?')
if data == b'flood':
    while True: said('x' * 1000)
if data == b'twice': said('pass\\npass')
if data == b'closed': os.close(1); time.sleep(1000)
if data == b'deaf': os.close(0); said('exit 22'); time.sleep(1000)
said(f'exit {min(count, 2) + 10}')";
    let mut session = session(body, Limits { time: Some(Duration::from_secs(3)), ..LIMITS });
    trust(&mut session);
    for (contents, exit) in [
        ("exit", Exit::Code(7)),
        ("die", Exit::Signal(11)),
        ("half", Exit::Code(9)),
        ("and gone", Exit::Code(21)),
        ("garbage", Exit::Code(125)),
        ("flood", Exit::Code(125)),
        ("twice", Exit::Code(125)),
        ("closed", Exit::Code(125)),
        ("deaf", Exit::Code(22)),
        ("hang", Exit::Limit(Limit::Time)),
    ] {
        // From a fresh one as from one that has been asked before.
        for before in [true, false] {
            if before && contents != "hang" {
                assert!(matches!(session.exit("a"), Exit::Code(11 | 12)), "before {contents}");
            }
            let seen = session.run(contents);
            assert_eq!(seen.exit, exit, "{contents} {}", String::from_utf8_lossy(&seen.stderr));
        }
    }
    let said = String::from_utf8(session.run("garbage").stderr).unwrap();
    assert!(said.contains("the server answers `What?`"), "{said}");
    let scratch = session.local.scratch().to_owned();
    drop(session);
    assert_eq!(count_of(&scratch), 0);
}

#[test]
fn limits_hold_over_many_short_tests() {
    let body = "kept = globals().get('kept', []); kept.append(bytearray(b'x') * 10_000_000)\nsaid('exit 5')";
    let mut session = session(body, Limits { memory: Some(150 << 20), ..LIMITS });
    trust(&mut session);
    // A server that has grown too large is replaced, and nobody sees it.
    for _ in 0..30 {
        assert_eq!(session.exit("a"), Exit::Code(5));
    }
    let mut greedy = self::session(
        "kept = bytearray(b'x') * 400_000_000; time.sleep(1000)",
        Limits { memory: Some(150 << 20), ..LIMITS },
    );
    trust(&mut greedy);
    assert_eq!(greedy.exit("a"), Exit::Limit(Limit::Memory));
}

#[test]
fn who_is_no_server_is_told_so() {
    for (argv, why) in [
        (&["echo", "Hello"][..], "says `Hello` where `reduct 1` was expected"),
        (&["echo", "reduct 2"], "speaks version `2`"),
        (
            &["sh", "-c", "echo no such model >&2; exit 3"],
            "ended with exit status 3 before it said `reduct 1`; its last message: `no such model`",
        ),
        (&["sh", "-c", "kill -9 $$"], "death by SIGKILL"),
        (&["/no/such/program"], "cannot start"),
    ] {
        let seen = session_of(argv, LIMITS, false).exit("a");
        assert!(matches!(&seen, Exit::NotStarted(what) if what.contains(why)), "{seen:?}");
    }
    let mut setup = setup(&["cat"]);
    setup.invocation.server = Some(Serving { paths: false, greeting: Duration::from_millis(100) });
    let seen = Session::new(setup).exit("a");
    assert!(matches!(&seen, Exit::NotStarted(what) if what.contains("in time")), "{seen:?}");
}

#[test]
fn who_stops_greeting_is_trouble() {
    let home = tempfile::tempdir().unwrap();
    let sick = home.path().join("sick");
    let body = format!("open({sick:?}, 'w').close()\nos._exit(6)");
    let script = format!("import os, sys\nif os.path.exists({sick:?}): sys.exit('ill')\n{}", server(&body));
    let python =
        std::process::Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output().unwrap();
    let python = String::from_utf8(python.stdout).unwrap();
    let mut session = session_of(&[python.trim(), "-c", &script], LIMITS, false);
    assert_eq!(session.exit("a"), Exit::Code(6));
    let notice = session.notice(&file(b"a"));
    assert!(matches!(&notice, Completion::Trouble(_, trouble) if trouble.to_string().contains("ill")), "{notice:?}");
}

#[test]
fn a_path_leads_to_the_candidate() {
    let body = "\
path = os.fsdecode(data)
with open(path) as file: said('exit ' + file.read())
os.remove(path); open('left', 'a').close(); open(os.path.join(os.path.dirname(path), 'left'), 'x').close()";
    let mut session = session_of(&["python3", "-c", &server(body)], LIMITS, true);
    trust(&mut session);
    for status in [3, 4, 1, 5] {
        assert_eq!(session.exit(&status.to_string()), Exit::Code(status));
    }
}

#[test]
fn cancelled_tests_are_ended_or_waited_for() {
    let home = tempfile::tempdir().unwrap();
    let pid = home.path().join("pid");
    let write = format!("open({pid:?} + '.new', 'w').write(str(os.getpid())); os.rename({pid:?} + '.new', {pid:?})");
    let body = format!("if data == b'hang':\n    {write}\n    time.sleep(1000)\nsaid('exit 3')");
    let mut session = session(&body, LIMITS);
    trust(&mut session);
    let run = session.start(&file(b"hang"));
    let hangs = pid_in(&pid);
    session.local.cancel(run);
    assert_eq!(session.exit("a"), Exit::Code(3));
    wait_until("the one that hangs is ended", || !runs(hangs));
    for _ in 0..50 {
        let run = session.start(&file(b"a"));
        session.local.cancel(run);
    }
    assert_eq!(session.exit("a"), Exit::Code(3));
}
