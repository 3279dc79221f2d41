//! Tests of a Python program as processes that one interpreter forks: their outcomes are those of tests that start it each.

use crate::workshop::{Events, Workshop};
use std::fs;

/// Starts the interpreter.
const INTERPRETER: &str = "exec python3 \"$@\"";

/// What a test came to, in the order of the tests.
type Tests = Vec<(u64, String)>;

/// Traces a program. Returns the result, the tests, and how often the interpreter was started.
fn traced(workshop: &Workshop, program: &str, options: &[&str]) -> (String, Tests, usize) {
    workshop.write("prog.py", program);
    let starts = workshop.beside("starts");
    fs::create_dir_all(&starts).unwrap();
    fs::write(starts.join("starts"), "").unwrap();
    let words = ["trace", "--force", "--no-backtrace", "--jobs", "1", "--events", "events"];
    let words = words.iter().chain(options).chain(&["--", "./python3", "prog.py", "a b"]);
    let call = workshop.reduct(words).env("REDUCT_CONFINE", "auto").env("REDUCT_ALLOW_WRITE", &starts);
    call.env("STARTS", &starts).run().exits_with(0);
    let starts = fs::read_to_string(starts.join("starts")).unwrap().lines().count();
    (workshop.text("prog.py.trace.reduced.txt"), Events::read(workshop.path("events")).tests(), starts)
}

/// Checks that a program has the same outcomes and the same result whether its tests are forked or not. Returns how many tests there were,
/// and how many starts of the interpreter there were less.
fn same(program: &str, options: &[&str]) -> (usize, i64) {
    let workshop = Workshop::new();
    workshop.script("python3", &format!("echo >>\"$STARTS/starts\"\n{INTERPRETER}"));
    let forked = traced(&workshop, program, options);
    let started = traced(&workshop, program, &[options, &["--no-fork"]].concat());
    assert_eq!((&forked.0, &forked.1), (&started.0, &started.1), "{program}");
    (started.1.len(), started.2 as i64 - forked.2 as i64)
}

/// Before the search, the whole program is started once more, and once for a test that is forked.
const CHECKED: i64 = -2;

/// Does so with a program most of whose tests are forked.
#[track_caller]
fn same_and_forked(program: &str, options: &[&str]) {
    let (tests, less) = same(program, options);
    assert!(tests > 8 && less * 2 > tests as i64, "{less} of {tests}: {program}");
}

/// What does not matter, and the number 25 in steps that all do, so that there is something to search.
const MORE: &str = "\
def more(n):
    all = []
    for i in range(n):
        if i % 2:
            all.append(i)
    return all
a = more(2)
b = sum(a)
c = [b, a]
n = 1
n += 2
n *= 3
n -= 4
n *= 5
";

#[test]
fn a_program_that_raises() {
    same_and_forked(
        &format!("import sys\n{MORE}print(sys.argv, a)\nx = sys.argv[1]\ny = x[:n - 24]\nz = int(y)\n"),
        &[],
    );
}

#[test]
fn a_program_finds_its_files_as_they_are() {
    let program = format!(
        "import os\n{MORE}\
         with open('made', 'a') as it:\n    it.write('x')\n\
         os.makedirs('deep/er', exist_ok=True)\n\
         one = len(open('made').read())\n\
         open('deep/er/%d' % one, 'x').close()\n\
         more = len(os.listdir('deep/er'))\n\
         raise SystemExit(n + one * more)\n"
    );
    // After a test that writes, what tests see is made anew, and so is what forks them.
    assert!(same(&program, &[]).1 > CHECKED);
    // This one changes itself.
    let text = "text = open('prog.py', 'a')\ntext.write('#')\ntext.close()\nraise SystemExit(n)\n";
    assert!(same(&format!("{MORE}{text}"), &[]).1 > CHECKED);
}

#[test]
fn a_program_has_no_input_and_what_it_prints_is_its_own() {
    let program = format!(
        "import os, sys\n{MORE}text = sys.stdin.read()\nprint(repr(text), sys.stdin.seekable())\n\
         sys.stdout.write('x' * 300000)\nsys.stderr.write('y' * 300000)\nos.set_blocking(1, False)\n\
         os.write(2, b'end')\nsys.exit(n)\n"
    );
    same_and_forked(
        &program,
        &["--fails-if", "exit=25", "--fails-if", "stderr~yend$", "--fails-if", "stdout~^'' True\\nx{300000}$"],
    );
}

#[test]
fn a_program_that_forks_and_leaves_processes() {
    let program = format!(
        "import os, sys, time\nfrom multiprocessing import get_context\n{MORE}\
         pid = os.fork()\n\
         if not pid:\n    time.sleep(1000)\n\
         other = os.fork()\n\
         if not other:\n    os._exit(5)\n\
         status = os.waitpid(other, 0)\n\
         one = get_context('fork').Process(target=sys.exit, args=(3,))\n\
         one.start()\n\
         ended = [one.join(), one.exitcode]\n\
         raise SystemExit(n + ended[1] + (status[1] >> 8))\n"
    );
    same_and_forked(&program, &["--fails-if", "exit=33"]);
}

#[test]
fn a_program_that_dies_by_a_signal() {
    same_and_forked(&format!("import ctypes\n{MORE}at = n - 25\nctypes.string_at(at)\n"), &[]);
    same_and_forked(&format!("import os\n{MORE}it = os.getpid()\nos.kill(it, n - 19)\n"), &[]);
}

#[test]
fn a_program_that_does_something_at_its_end() {
    let program = format!(
        "import atexit, os, weakref\n{MORE}\
         class Late:\n    def __del__(self):\n        print('late', flush=True)\n\
         late = Late()\nlate.itself = late\n\
         atexit.register(os.write, 1, b'at the end\\n')\n\
         atexit.register(os._exit, 6) if not a else None\n\
         raise SystemExit(n)\n"
    );
    same_and_forked(&program, &["--fails-if", "exit=25", "--fails-if", "stdout~at the end\\nlate"]);
}

#[test]
fn a_program_that_waits_too_long() {
    let program =
        format!("import time\n{MORE}wait = 1000\nif b:\n    wait = 0\ntime.sleep(wait)\nraise SystemExit(n + wait)\n");
    same_and_forked(&program, &["--timeout", "1"]);
}

/// Writes down what a program can know of its process, which is no part of the program.
const LOOK: &str = "\
import gc, os, resource, signal, sys, threading
def tell():
    all = [sorted(os.environ.items()), sorted(os.environb.items()), sorted(sys.modules), sys.path, sys.flags, sys.argv]
    all += [sys.orig_argv, {'a', 'b', 'c', 'd'}, os.getpgrp() == os.getpid(), os.getsid(0), os.getppid(), os.getcwd()]
    all += [threading.active_count(), threading.current_thread().name, os.nice(0), os.cpu_count(), os.times()[2:4]]
    all += [signal.getsignal(it) for it in sorted(signal.valid_signals())] + [signal.pthread_sigmask(0, [])]
    all += [resource.getrlimit(it) for it in range(16)]
    all += [sorted(os.listdir('/proc/self/fd'), key=int), [os.get_blocking(fd) for fd in range(3)]]
    all += [sys.stdout.encoding, sys.stdout.isatty(), sys.stdin.seekable(), os.readlink('/proc/self/fd/0')]
    all += [gc.get_freeze_count(), gc.isenabled(), sorted(str(type(it)) for it in gc.get_referrers(sys.flags))]
    names = ('Umask', 'NoNewPrivs', 'Seccomp', 'Sig', 'Shd', 'Cap', 'Groups', 'Uid', 'Gid', 'Threads')
    all += [line for line in open('/proc/self/status') if line.startswith(names) and not line.startswith('SigQ')]
    all += [open('/proc/self/' + name).read() for name in ('personality', 'oom_score_adj', 'loginuid')]
    with open(os.environ['STARTS'] + '/told', 'a') as told:
        print(repr(all).replace(os.environ['REDUCT_SCRATCH'], 'SCRATCH'), file=told)
    return 1
";

#[test]
fn a_program_that_looks_at_its_process_sees_the_same() {
    let workshop = Workshop::new();
    workshop.script("python3", &format!("echo >>\"$STARTS/starts\"\n{INTERPRETER}"));
    workshop.write("look.py", LOOK);
    let program = format!("import look\n{MORE}told = look.tell()\nraise SystemExit(n + told)\n");
    let told = workshop.beside("starts/told");
    let mut all: Vec<String> = vec![];
    for options in [&["--only", "prog.py"][..], &["--only", "prog.py", "--no-fork"]] {
        let (_, tests, starts) = traced(&workshop, &program, options);
        assert!(options.len() > 2 || starts < tests.len());
        let text = fs::read_to_string(&told).unwrap();
        // The first two runs record, and of the last four, which are for the listing, three write down values: they have files open for that.
        let seen: Vec<String> = text.lines().skip(2).map(str::to_owned).collect();
        let seen = &seen[..seen.len() - 4];
        assert!(seen.len() > 8, "{}", seen.len());
        all.extend_from_slice(seen);
        fs::remove_file(&told).unwrap();
    }
    for (at, seen) in all.iter().enumerate() {
        let parts = seen.split(", ").zip(all[0].split(", ")).filter(|(one, other)| one != other);
        assert_eq!(parts.collect::<Vec<_>>(), [], "{at}");
        assert_eq!(*seen, all[0], "{at}");
    }
}

#[test]
fn where_an_interpreter_cannot_stand_for_another_one_each_test_starts_it() {
    let program = "a = 1\nb = [a]\nc = 3\nc += 4\nraise SystemExit(c)\n";
    let workshop = Workshop::new();
    let site = workshop.beside("site");
    fs::create_dir(&site).unwrap();
    let interpreter = |variables: &str| {
        workshop.script("python3", &format!("echo >>\"$STARTS/starts\"\n{variables} exec python3 \"$@\""));
    };
    interpreter("");
    let started = traced(&workshop, program, &["--no-fork"]);
    let hooks = [
        ("PYTHONHASHSEED=random", ""),
        ("", "import threading, time\nthreading.Thread(target=time.sleep, args=(1000,), daemon=True).start()\n"),
        ("", "kept = open(__file__)\n"),
        ("", "import os\nos.write(1, b'begun')\n"),
    ];
    for (variable, hook) in hooks {
        fs::write(site.join("sitecustomize.py"), hook).unwrap();
        interpreter(&format!("{variable} PYTHONPATH={}", site.display()));
        let forked = traced(&workshop, program, &[]);
        assert_eq!((&forked.0, &forked.1), (&started.0, &started.1), "{variable} {hook}");
        // One that cannot be used is started once, and once before the search, for a test that is started, too.
        let less = started.2 as i64 - forked.2 as i64;
        assert!(started.1.len() > 4 && less == CHECKED - 2, "{less} of {}: {variable} {hook}", started.1.len());
    }
}

#[test]
fn a_program_that_finds_the_interpreter_that_forks_it_is_started() {
    let program = format!(
        "import os, sys\n\
         def is_other(it):\n    try:\n        words = open('/proc/%s/cmdline' % it).read().split(chr(0))\n    except OSError:\n        return False\n    \
         return 'prog.py' in words and int(it) not in (os.getpid(), os.getppid())\n\
         if any(is_other(it) for it in os.listdir('/proc') if it.isdigit()):\n    sys.exit('it runs already')\n{MORE}z = 1 / (n - 25)\n"
    );
    let (tests, less) = same(&program, &[]);
    assert!(tests > 8 && less <= 0, "{less} of {tests}");
}

#[test]
fn of_a_program_that_shows_something_else_each_time_it_is_said() {
    let workshop = Workshop::new();
    let traced = |program: &str| {
        workshop.write("prog.py", program);
        let words = ["trace", "--force", "--no-backtrace", "--tests", "1", "--", "python3", "prog.py"];
        workshop.reduct(words).env("REDUCT_CONFINE", "auto").env("REDUCT_ALLOW_WRITE", "").run()
    };
    let says =
        "Each test starts Python: the whole program does not show the same twice (it may print an address or a time)";
    traced("import os\na = 1\nprint(os.getpid())\nraise SystemExit(a)\n").says(says);
    let same = traced("a = 1\nprint(a)\nraise SystemExit(a)\n");
    assert!(!same.stderr.contains("Each test starts"), "{}", same.stderr);
}
