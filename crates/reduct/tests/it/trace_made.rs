//! The code with guards that a recorded run has made of a Python program: tests run it, and do the same as without it.

use crate::workshop::{Done, Workshop, listed};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

/// Of many sorts of statements; with what Python warns of when it compiles it, and a module.
const PROGRAM: &str = "\
import sys
from contextlib import contextmanager
from part import twice
@contextmanager
def c(x):
    try:
        yield x
    finally:
        print('left')
class A:
    'Text'
    def __init__(self): self.__x = 1
    def x(self): return self.__x
def g(n):
    for i in range(n):
        if i % 2: continue
        yield i
async def f():
    return 7
with c(3) as it:
    print(it, list(g(5)), A().x(), sys.argv, twice(4))
try:
    1 / 0
except ZeroDivisionError as error:
    print(error)
if it is 3: print(f'{__name__} {__file__}')
def deep(n): return deep(n + 1)
try:
    deep(0)
except RecursionError: print('deep')
twice(None)
";

const PART: &str = "def twice(x):\n    y = x\n    return x + y\n";

/// Puts code that prints something else in the place of that of the program.
const OTHER: &str = "\
import marshal, sys
with open(sys.argv[1], 'rb') as file:
    all = [marshal.load(file), marshal.load(file)]
    while True:
        try: path, is_main, digest, places, code = marshal.load(file)
        except EOFError: break
        code = marshal.dumps(compile('print(\"made before\")', path, 'exec')) if is_main else code
        all.append((path, is_main, digest, places, code))
with open(sys.argv[1], 'wb') as file:
    for it in all: marshal.dump(it, file)
";

/// Records a program, and returns where its code is kept.
fn traced(workshop: &Workshop, program: &str) -> PathBuf {
    let kept = workshop.beside("kept");
    fs::create_dir_all(&kept).unwrap();
    workshop.write("prog.py", program);
    workshop.write("part.py", PART);
    let words = ["trace", "--force", "--tests", "1", "--", "python3", "prog.py", "a b"];
    let call = workshop.reduct(words).env("TMPDIR", &kept).env("REDUCT_CONFINE", "auto").env("REDUCT_ALLOW_WRITE", "");
    call.run().exits_with(4);
    let [folder] = &listed(&kept)[..] else { panic!("{:?}", listed(&kept)) };
    assert!(folder.starts_with("reduct-made-"), "{folder}");
    kept.join(folder).join("code")
}

fn step(workshop: &Workshop, made: Option<&PathBuf>) -> Done {
    let made = made.into_iter().flat_map(|made| ["--prepared", made.to_str().unwrap()]);
    let words = ["step", "prog.py.trace.txt"].into_iter().chain(made).chain(["--", "python3", "prog.py", "a b"]);
    workshop.reduct(words).run()
}

#[test]
fn with_code_that_was_made_before_a_program_does_the_same() {
    let workshop = Workshop::new();
    for program in [PROGRAM.to_owned(), PROGRAM.replace("it is 3", "it == 3")] {
        let made = traced(&workshop, &program);
        let plain = workshop.call("python3", ["prog.py", "a b"]).run().exits_with(1);
        let with = step(&workshop, Some(&made));
        let without = step(&workshop, None);
        assert_eq!((&with.stdout, &with.stderr, with.status), (&plain.stdout, &plain.stderr, 1));
        assert_eq!((&without.stdout, &without.stderr, without.status), (&plain.stdout, &plain.stderr, 1));
    }
}

#[test]
fn it_is_removed_when_the_run_is_done() {
    let workshop = Workshop::new();
    let made = traced(&workshop, "import part\nnoise = 1\nassert part.twice(1) != 2\n");
    assert!(made.is_file());
    let call = workshop.reduct(["resume"]).env("TMPDIR", workshop.beside("kept"));
    call.env("REDUCT_CONFINE", "auto").env("REDUCT_ALLOW_WRITE", "").run().exits_with(0);
    assert_eq!(listed(&workshop.beside("kept")), [""; 0]);
}

#[test]
fn code_is_used_only_if_it_is_ours_and_made_of_this_text_by_this_driver() {
    let workshop = Workshop::new();
    let made = traced(&workshop, &PROGRAM.replace("it is 3", "it == 3"));
    let as_it_is = |made: Option<&PathBuf>| {
        let done = step(&workshop, made).exits_with(1).says("TypeError");
        assert!(done.stdout.contains("deep\n"), "{}", done.stdout);
    };
    as_it_is(Some(&made));
    // It is used.
    let whole = fs::read(&made).unwrap();
    workshop.call("python3", ["-c", OTHER, made.to_str().unwrap()]).run().exits_with(0);
    assert_eq!(step(&workshop, Some(&made)).exits_with(0).stdout, "made before\n");
    // Others may write there.
    let folder = made.parent().unwrap();
    fs::set_permissions(folder, Permissions::from_mode(0o777)).unwrap();
    as_it_is(Some(&made));
    fs::set_permissions(folder, Permissions::from_mode(0o700)).unwrap();
    // It is cut off, none at all, or of another driver: the digest of the driver stands at the beginning.
    for broken in [&whole[..whole.len() / 2], b"", b"nothing of the kind"] {
        fs::write(&made, broken).unwrap();
        as_it_is(Some(&made));
    }
    let digest = whole.windows(64).position(|it| it.iter().all(u8::is_ascii_hexdigit)).unwrap();
    let mut other = fs::read(&made).unwrap();
    other.clone_from(&whole);
    other[digest] = if other[digest] == b'0' { b'1' } else { b'0' };
    fs::write(&made, other).unwrap();
    as_it_is(Some(&made));
    fs::remove_file(&made).unwrap();
    as_it_is(Some(&made));
}
