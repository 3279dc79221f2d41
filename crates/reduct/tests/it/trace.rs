//! Executions of programs: recorded, run under plans, reduced.

use crate::workshop::{Done, Workshop};
use std::process::Command;

/// Fails in its last line for what all of five iterations have added. What does not matter for it is marked.
const SUM: &str = "\
def add(x):
    noise = x * 3  # no matter
    return x + 1


total = 0
for i in range(5):
    other = i * 2  # no matter
    total = add(total)
print('done')  # no matter
assert total != 5, 'five'
";

fn trace(workshop: &Workshop, words: &[&str]) -> Done {
    let words = [&["trace"][..], words].concat();
    // Half a run can do anything: copies of all folders are what keeps it from harm.
    workshop.reduct(words).env("REDUCT_CONFINE", "auto").env("REDUCT_ALLOW_WRITE", "").run()
}

/// The lines of a plan that are events.
fn events(plan: &str) -> Vec<&str> {
    plan.lines().filter(|line| !line.starts_with('#')).collect()
}

/// The line of the program that an event of `prog.py` is an execution of.
fn line_of(event: &str) -> usize {
    let rest = event.trim_start().strip_prefix("prog.py:").unwrap_or_else(|| panic!("{event}"));
    rest.split(['_', '.']).next().unwrap().parse().unwrap()
}

#[test]
fn what_a_crash_needs_is_left() {
    let workshop = Workshop::new();
    workshop.write("prog.py", SUM);
    let done = trace(&workshop, &["--", "python3", "prog.py"]).exits_with(0);
    let recorded = workshop.text("prog.py.trace.txt");
    // Two before the loop and two behind it, the loop, and five iterations with two statements in one and two in the other.
    assert_eq!(events(&recorded).len(), 1 + 1 + 5 * (1 + 2 + 2) + 2);
    let left = workshop.text("prog.py.trace.reduced.txt");
    let needed: Vec<usize> = [vec![6, 7], [7, 9, 3].repeat(5), vec![11]].concat();
    assert_eq!(events(&left).into_iter().map(line_of).collect::<Vec<_>>(), needed);
    let done = done.says("Recorded: 29 statement executions in 1 file, the same twice.").says("Proved: 1-minimal");
    let listed = [
        "     6      1 of 1  total = 0                                         total = 0",
        "     9      5 of 5      total = add(total)                            total = 5",
        "18 of 29 statement executions are left, on 5 lines; 11 executions and 3 lines do not matter.",
    ];
    for line in listed {
        assert!(done.stdout.contains(line), "{line}\n{}", done.stdout);
    }
    assert!(!done.stdout.contains("noise") && !done.stdout.contains("other"), "{}", done.stdout);
    // It fails alike, and is silent where the statement that prints is left out.
    let again = workshop.reduct(["step", "prog.py.trace.reduced.txt", "--", "python3", "prog.py"]).run().exits_with(1);
    assert_eq!(again.stdout, "");
    again.says("AssertionError: five").does_not_say("driver.py");
    assert_eq!(workshop.text("prog.py"), SUM);
}

#[test]
fn under_the_whole_plan_a_program_does_what_it_does() {
    let workshop = Workshop::new();
    workshop.write(
        "prog.py",
        "import sys\nfrom contextlib import contextmanager\n@contextmanager\ndef c(x):\n    try:\n        yield x\n    finally:\n        \
         print('left')\nclass A:\n    'Text'\n    def __init__(self): self.__x = 1\n    def x(self): return self.__x\ndef g(n):\n    for i in \
         range(n):\n        if i % 2: continue\n        yield i\nasync def f():\n    return 7\nwith c(3) as it:\n    print(it, \
         list(g(5)), A().x(), sys.argv)\nwhile True:\n    break\nelse:\n    print('never')\ntry:\n    1 / 0\nexcept ZeroDivisionError as \
         error:\n    print(error)\ndel it\nimport asyncio\nprint(asyncio.run(f())); print(f'{__name__} {__file__}')\nsys.exit(4)\n",
    );
    let plain = Command::new("python3").args(["prog.py", "a b"]).current_dir(workshop.home()).output().unwrap();
    let words = ["--fails-if", "exit=4", "--tests", "1", "--", "python3", "prog.py", "a b"];
    trace(&workshop, &words).exits_with(4);
    let step = workshop.reduct(["step", "prog.py.trace.txt", "--", "python3", "prog.py", "a b"]).run().exits_with(4);
    assert_eq!(step.stdout.as_bytes(), plain.stdout);
    assert_eq!(step.stderr.as_bytes(), plain.stderr);
    let gone = workshop.reduct(["step", "gone.txt", "--", "python3", "prog.py"]).run();
    gone.exits_with(2).says("there is no plan: gone.txt does not exist");
    // What a test of reduct may lack cannot be told apart from a failure by a status that programs have.
    let words = ["step", "prog.py.trace.txt", "--recorded", "gone.txt", "--", "python3", "prog.py"];
    workshop.reduct(words).run().exits_with(125).says("cannot read");
}

/// As Python itself tells it.
const LINES: &str = "\
import sys
seen = []
def trace(frame, event, argument):
    if frame.f_code.co_filename == 'prog.py':
        if event == 'line':
            seen.append(frame.f_lineno)
        return trace
code = compile(open('prog.py').read(), 'prog.py', 'exec')
sys.settrace(trace)
exec(code, {})
sys.settrace(None)
print(*seen)
";

#[test]
fn what_is_removed_at_the_end_says_its_last_words() {
    let workshop = Workshop::new();
    let program = "\
import sys
class Door:
    def __del__(self):
        for word in ['closed', 'at', 'last']:
            print(word)
door = Door()
sys.exit('error: the door is open')
";
    workshop.write("prog.py", program);
    let done = trace(&workshop, &["--", "python3", "prog.py"]).exits_with(0);
    done.says("“error: the door is open”").does_not_say("NameError");
    let again = workshop.reduct(["step", "prog.py.trace.txt", "--", "python3", "prog.py"]).run().exits_with(1);
    assert_eq!(again.stdout, "closed\nat\nlast\n");
    assert_eq!(again.stderr, "error: the door is open\n");
}

#[test]
fn what_is_recorded_is_what_python_executes() {
    let workshop = Workshop::new();
    let program = "\
x = 3
if x > 2:
    y = x
elif x > 1:
    y = 4
f = lambda z: z + 1
a = f(y)
assert a == 4
a = a + 1; b = a
assert b == 4
";
    workshop.write("prog.py", program);
    workshop.write("lines.py", LINES);
    let told = workshop.call("python3", ["lines.py"]).run();
    // It ends with the failed assertion, before it says what it saw.
    assert_eq!(told.status, 1);
    workshop.write("prog.py", program.replace("assert b == 4", "assert b == 5"));
    let told = workshop.call("python3", ["lines.py"]).run().exits_with(0).stdout;
    let told: Vec<usize> = told.split_whitespace().map(|line| line.parse().unwrap()).collect();
    workshop.write("prog.py", program);
    trace(&workshop, &["--", "python3", "prog.py"]).exits_with(0);
    let mut recorded: Vec<(u32, usize)> = vec![];
    for event in events(&workshop.text("prog.py.trace.txt")) {
        let time = event.split(' ').find(|it| !it.is_empty()).unwrap().rsplit('_').next().unwrap().parse().unwrap();
        recorded.push((time, line_of(event)));
    }
    recorded.sort_unstable();
    let mut lines: Vec<usize> = recorded.into_iter().map(|(_, line)| line).collect();
    // Python tells of a line once, and of what a lambda does on its line.
    lines.dedup();
    let mut expected = told;
    expected.dedup();
    let lambda = expected.windows(3).position(|it| it == [7, 6, 8]).expect("the lambda is called in line 7");
    expected.remove(lambda + 1);
    assert_eq!(lines, expected);
}

#[test]
fn a_plan_that_makes_a_loop_longer_says_nothing() {
    let workshop = Workshop::new();
    workshop.write("prog.py", "n = 3\nwhile n > 0:\n    n -= 1\nraise SystemExit(3)\n");
    trace(&workshop, &["--", "python3", "prog.py"]).exits_with(0);
    let plan = workshop.text("prog.py.trace.txt");
    let at = plan.lines().position(|line| line.contains("n -= 1")).unwrap();
    let shorter: Vec<&str> = plan.lines().enumerate().filter(|(n, _)| *n != at).map(|(_, line)| line).collect();
    workshop.write("shorter.txt", shorter.join("\n") + "\n");
    let step =
        |plan| workshop.reduct(["step", plan, "--recorded", "prog.py.trace.txt", "--", "python3", "prog.py"]).run();
    step("prog.py.trace.txt").exits_with(3);
    step("shorter.txt").exits_with(125).says("something is executed that was not when it was recorded");
    workshop.write("prog.py", "n = 2\nwhile n > 0:\n    n -= 1\nraise SystemExit(3)\n");
    step("prog.py.trace.txt").exits_with(125).says("prog.py has changed since the execution was recorded");
}

#[test]
fn half_a_run_cannot_harm() {
    let workshop = Workshop::new();
    workshop.write("precious/file", "precious");
    workshop.write(
        "prog.py",
        "import os\nsure = False\nif not sure:\n    raise SystemExit(3)\nos.unlink('precious/file')\nraise SystemExit(3)\n",
    );
    // Without the guard, which is no failure of its own, the rest was never recorded. Where it was, it is done to a copy.
    trace(&workshop, &["--", "python3", "prog.py"]).exits_with(0);
    assert_eq!(workshop.text("precious/file"), "precious");
    workshop.write(
        "prog.py",
        "import os\nkeep = os.path.exists('precious/file')\nos.rename('precious/file', 'precious/other')\nif keep:\n    \
         os.rename('precious/other', 'precious/file')\nraise SystemExit(3)\n",
    );
    trace(&workshop, &["--force", "--", "python3", "prog.py"]).exits_with(0);
    assert_eq!(workshop.text("precious/file"), "precious");
    assert_eq!(events(&workshop.text("prog.py.trace.reduced.txt")).into_iter().map(line_of).collect::<Vec<_>>(), [6]);
}

#[test]
fn a_value_or_the_output_can_be_what_stays() {
    let workshop = Workshop::new();
    workshop.write("prog.py", "a = 2\nb = 3\nmul = a * b\nsum = a + b\nprint('mul =', mul)\nprint('sum =', sum)\n");
    let left = |option: &[&str]| {
        trace(&workshop, &[&["--force"], option, &["--", "python3", "prog.py"]].concat()).exits_with(0);
        events(&workshop.text("prog.py.trace.reduced.txt")).into_iter().map(line_of).collect::<Vec<_>>()
    };
    assert_eq!(left(&["--value", "sum = 5"]), [1, 2, 4, 6]);
    assert_eq!(left(&["--keep-output"]), [1, 2, 3, 4, 5, 6]);
    assert_eq!(left(&["--fails-if", "stdout~mul"]), [1, 2, 3, 5]);
}

#[test]
fn modules_and_scripts_are_programs_too() {
    let workshop = Workshop::new();
    workshop.write("pack/__init__.py", "");
    workshop.write("pack/part.py", "def part(x):\n    y = 1\n    return 1 // x\n");
    workshop.write("pack/__main__.py", "from .part import part\nz = 2\npart(0)\n");
    // What is not named is not looked into.
    let done = trace(&workshop, &["--only", "pack/part.py", "--", "python3", "-m", "pack"]).exits_with(0);
    let again = "reduct step pack.trace.reduced.txt --only pack/part.py -- python3 -m pack";
    assert!(done.stdout.contains(&format!("; again: {again}\n")), "{}", done.stdout);
    workshop.reduct(again.split(' ').skip(1)).run().exits_with(1).says("ZeroDivisionError");
    assert!(!workshop.text("pack.trace.txt").contains("__main__.py"));
    trace(&workshop, &["--", "python3", "-m", "pack"]).exits_with(0).says("ZeroDivisionError");
    let left = workshop.text("pack.trace.reduced.txt");
    let texts: Vec<&str> = events(&left).into_iter().map(|line| line.trim_start().split_once(' ').unwrap().1).collect();
    assert_eq!(texts, ["part(0)", "return 1 // x"]);
    let script = workshop.script("tool", "");
    std::fs::write(&script, "#!/usr/bin/env python3\nimport sys\nx = 1\nsys.exit(9)\n").unwrap();
    let done = trace(&workshop, &["--", "./tool"]).exits_with(0);
    assert!(done.stdout.contains("1 of 2 statement executions is left, on 1 line; "), "{}", done.stdout);
    assert!(workshop.text("tool.trace.reduced.txt").ends_with("sys.exit(9)\n"));
}

#[test]
fn what_cannot_be_traced_is_refused() {
    let workshop = Workshop::new();
    workshop.write("prog.py", "print(1)\n");
    workshop.write("random.txt", "no plan\n");
    workshop.write(
        "time.py",
        "import random as r\nif r.random() > 0.5: a = 1\nif r.random() > 0.5: a = 1\n\
                               for i in range(r.randrange(10 ** 4)): pass\n1 / 0\n",
    );
    let refused = |words: &[&str], says: &str| {
        trace(&workshop, words).exits_with(2).says(says);
    };
    refused(&["--", "python3", "prog.py"], "the program ends with exit status 0: nothing fails");
    refused(&["--", "cat", "prog.py"], "cat is no program in Python, Perl, JavaScript, Lua, PHP, Ruby, C, Java or Go");
    refused(&["--", "python3", "-c", "1 / 0"], "the program stands in no file");
    refused(&[], "there is no program");
    refused(&["--", "python3", "time.py"], "the program does not execute the same twice");
    refused(&["--out", "random.txt", "--", "python3", "prog.py"], "random.txt is there, and is no recorded plan");
    assert_eq!(workshop.text("random.txt"), "no plan\n");
    let step = workshop.reduct(["step", "random.txt", "--", "python3", "prog.py"]).run().exits_with(125);
    step.says("line 1 is no line of a plan: no plan");
    workshop.write("empty.txt", "\n");
    let step = workshop.reduct(["step", "empty.txt", "--", "python3", "prog.py"]).run().exits_with(125);
    step.says("empty.txt: there is nothing in it: no plan, no change of values and no schedule");
}

#[test]
fn with_quiet_only_the_failure_and_the_place_of_the_result_are_printed() {
    let workshop = Workshop::new();
    workshop.write("prog.py", "import sys\nother = 1\nx = int(open(sys.argv[1]).read())\nassert x != 5\n");
    workshop.write("good", "4\n");
    workshop.write("bad", "5\n");
    workshop.write("bank.c", crate::schedule::BANK);
    workshop.shell("cc -g -pthread bank.c -o bank").run().exits_with(0);
    let quiet = |words: &[&str], last: &str| {
        let words = [&words[..1], &["--quiet"], &words[1..]].concat();
        let done =
            workshop.reduct(words).env("REDUCT_CONFINE", "auto").env("REDUCT_ALLOW_WRITE", "").run().exits_with(0);
        let said: Vec<&str> = done.stderr.lines().collect();
        let is_short = said.len() == 2 && said[0].starts_with("Failure: ") && said[1].ends_with(last);
        assert!(is_short && done.stdout.is_empty(), "{}{}", done.stdout, done.stderr);
    };
    quiet(&["trace", "--", "python3", "prog.py", "bad"], "; the result is prog.py.trace.reduced.txt");
    let log = workshop.reduct(["log"]).run().exits_with(0).stdout;
    assert!(log.contains("     4      1 of 1  assert x != 5"), "{log}");
    quiet(&["state", "good", "bad", "--", "python3", "prog.py", "{}"], "; the result is bad.state");
    quiet(&["schedule", "--confirm", "5", "--", "./bank"], "; the result is bank.schedule.txt");
}

/// The example of Cleve and Zeller (2000), in Python. As there, a variable has some value before it gets one.
const SAMPLE: &str = "\
sum = 0
mul = 1
a = 0
b = 5
while a <= b:
    sum = sum + a
    mul = mul * a
    a = a + 1
print('sum =', sum)
print('mul =', mul)
";

#[test]
fn with_recorded_control_figure_6_is_what_is_left() {
    let workshop = Workshop::new();
    workshop.write("prog.py", SAMPLE);
    let left = |option: &[&str]| {
        let words = [&["--force", "--control", "recorded", "--unset", "4711"], option, &["--", "python3", "prog.py"]];
        let done = trace(&workshop, &words.concat()).exits_with(0);
        let (_, tests) = done.stderr.rsplit_once(" executions in ").expect("it says how many tests it took");
        let tests: u32 = tests.split(' ').next().unwrap().parse().unwrap();
        assert!(tests <= 176, "{tests}");
        let mut lines: Vec<usize> =
            events(&workshop.text("prog.py.trace.reduced.txt")).into_iter().map(line_of).collect();
        lines.sort_unstable();
        lines
    };
    let of_sum = [&[1, 3][..], &[6; 5], &[8; 5], &[9]].concat();
    let mut of_all = [&of_sum[..], &[7, 10]].concat();
    of_all.sort_unstable();
    assert_eq!((of_all.len(), of_sum.len()), (15, 13));
    let mut sorted = of_sum;
    sorted.sort_unstable();
    assert_eq!(left(&["--keep-output"]), of_all);
    assert_eq!(left(&["--value", "sum = 15"]), sorted);
    assert_eq!(left(&["--value", "mul = 0"]), [3, 7, 10]);
}

#[test]
fn recorded_control_goes_where_it_went() {
    let workshop = Workshop::new();
    let program = "\
import sys
def f(n):
    for i in range(n):
        if i == 1:
            continue
        if i == 4:
            break
        while (j := i) and i > 2:
            try:
                raise KeyError(j)
            except KeyError:
                return i
    return -1
def g():
    for x, y in {'a': 1, 'b': 2}.items():
        yield x * y
print(f(1), f(9), list(g()), [k for k in range(3) if k])
for word in 'ab':
    print(word)
else:
    print('end')
sys.exit(5)
";
    workshop.write("prog.py", program);
    let words = ["--control", "recorded", "--fails-if", "exit=5", "--tests", "1", "--", "python3", "prog.py"];
    trace(&workshop, &words).exits_with(4);
    let step =
        |plan| workshop.reduct(["step", plan, "--recorded", "prog.py.trace.txt", "--", "python3", "prog.py"]).run();
    assert_eq!(step("prog.py.trace.txt").exits_with(5).stdout, "-1 3 ['a', 'bb'] [1, 2]\na\nb\nend\n");
    // Conditions are left out, and what they led to is executed; so is what only says where control goes.
    let plan = workshop.text("prog.py.trace.txt");
    let kept: Vec<&str> = plan.lines().filter(|line| !line.contains(" if i") && !line.contains("continue")).collect();
    assert!(kept.len() < plan.lines().count());
    workshop.write("shorter.txt", kept.join("\n") + "\n");
    assert_eq!(step("shorter.txt").exits_with(5).stdout, "-1 3 ['a', 'bb'] [1, 2]\na\nb\nend\n");
}

#[test]
fn what_child_processes_execute_is_a_part_of_what_makes_them() {
    let workshop = Workshop::new();
    let program = "\
import os, sys
def work(x):
    y = x * 2
    return y
if os.fork() == 0:
    print('child', work(1), flush=True)
    os._exit(0)
os.wait()
z = work(2)
sys.exit(z)
";
    workshop.write("prog.py", program);
    trace(&workshop, &["--fails-if", "exit=4", "--", "python3", "prog.py"]).exits_with(0);
    let step = workshop.reduct(["step", "prog.py.trace.txt", "--", "python3", "prog.py"]).run().exits_with(4);
    assert_eq!(step.stdout, "child 2\n");
    let lines: Vec<usize> = events(&workshop.text("prog.py.trace.reduced.txt")).into_iter().map(line_of).collect();
    assert_eq!(lines, [9, 3, 4, 10]);
    // A program that cannot run is told so.
    workshop.write("none.py", "x = 1\ndef f(:\n");
    trace(&workshop, &["--", "python3", "none.py"]).exits_with(2).says("SyntaxError");
    // Ruby marks a place of the line below the message.
    workshop.write("none.rb", "puts(1 +\nend\n");
    trace(&workshop, &["--", "ruby", "none.rb"]).exits_with(2).says("/none.rb:2: syntax error, unexpected `end'\n");
}
