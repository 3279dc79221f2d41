//! Executions of programs that execute more than can be recorded at once: what is left is recorded again, deeper.

use crate::workshop::{Call, Done, Workshop};

/// Of three levels of calls, the failure needs the same of each.
const PYTHON: &str = "\
def leaf(x):
    noise = x * 3
    return x + 1
def middle(x):
    y = leaf(x)
    other = leaf(9)
    return y
def outer(x):
    z = middle(x)
    junk = middle(5)
    return z
t = 0
for i in range(1):
    t = t + outer(i)
    u = 4
assert t != 1
";

const PERL: &str = "\
sub leaf { my ($x) = @_; my $noise = $x * 3; return $x + 1 }
sub middle { my ($x) = @_; my $y = leaf($x); my $other = leaf(9); return $y }
sub outer { my ($x) = @_; my $z = middle($x); my $junk = middle(5); return $z }
our $t = 0;
for my $i (0) {
    $t = $t + outer($i);
    my $u = 4;
}
die 'one' if $t == 1;
";

const JAVASCRIPT: &str = "\
function leaf(x) { const noise = x * 3; return x + 1; }
function middle(x) { const y = leaf(x); const other = leaf(9); return y; }
function outer(x) { const z = middle(x); const junk = middle(5); return z; }
let t = 0;
for (const i of [0]) {
  t = t + outer(i);
  let u = 4;
}
if (t === 1) throw new Error('one');
";

const LUA: &str = "\
local function leaf(x)
    local noise = x * 3
    return x + 1
end
local function middle(x)
    local y = leaf(x)
    local other = leaf(9)
    return y
end
local function outer(x)
    local z = middle(x)
    local junk = middle(5)
    return z
end
local t = 0
for i = 0, 0 do
    t = t + outer(i)
    local u = 4
end
if t == 1 then error('one') end
";

const PHP: &str = "<?php
function leaf($x) { $noise = $x * 3; return $x + 1; }
function middle($x) { $y = leaf($x); $other = leaf(9); return $y; }
function outer($x) { $z = middle($x); $junk = middle(5); return $z; }
$t = 0;
foreach ([0] as $i) {
    $t = $t + outer($i);
    $u = 4;
}
if ($t === 1) throw new Exception('one');
";

const RUBY: &str = "\
def leaf(x) noise = x * 3; return x + 1 end
def middle(x) y = leaf(x); other = leaf(9); return y end
def outer(x) z = middle(x); junk = middle(5); return z end
t = 0
[0].each do |i|
  t = t + outer(i)
  u = 4
end
raise 'one' if t == 1
";

const GO: &str = "package main

func leaf(x int) (r int) {
	noise := 0
	noise = x * 3
	_ = noise
	r = x + 1
	return
}

func middle(x int) (r int) {
	r = leaf(x)
	leaf(9)
	return
}

func outer(x int) (r int) {
	r = middle(x)
	middle(5)
	return
}

func main() {
	t := 0
	for i := 0; i < 1; i++ {
		t = t + outer(i)
		u := 4
		u++
	}
	if t == 1 {
		panic(\"one\")
	}
}
";

const JAVA: &str = "\
class Prog {
    static int leaf(int x) { int noise = x * 3; return x + 1; }
    static int middle(int x) { int y = leaf(x); int other = leaf(9); return y; }
    static int outer(int x) { int z = middle(x); int junk = middle(5); return z; }
    public static void main(String[] words) {
        int t = 0;
        for (int i = 0; i < 1; i++) {
            t = t + outer(i);
            int u = 4;
        }
        if (t == 1) throw new RuntimeException(\"one\");
    }
}
";

const C: &str = "\
static int leaf(int x) { int noise = x * 3; return x + 1 + 0 * noise; }
static int middle(int x) { int y = leaf(x); int other = leaf(9); return y + 0 * other; }
static int outer(int x) { int z = middle(x); int junk = middle(5); return z + 0 * junk; }
int main(void)
{
    int t = 0;
    for (int i = 0; i < 1; i++) {
        t = t + outer(i);
        int u = 4;
    }
    return t == 1 ? 7 : 0;
}
";

fn call<'a>(workshop: &'a Workshop, words: &[&str]) -> Call<'a> {
    // What is built goes with the workshop.
    let call = workshop.reduct(words.to_vec()).env("TMPDIR", workshop.trees());
    call.env("REDUCT_CONFINE", "auto").env("REDUCT_ALLOW_WRITE", "")
}

/// Traces a program with so many executions recorded at once.
fn trace(workshop: &Workshop, most: &str, words: &[&str]) -> Done {
    call(workshop, &[&["trace", "--force", "--no-backtrace", "--most", most][..], words].concat()).run()
}

/// The executions of a plan, without their numbers.
fn executions(plan: &str) -> Vec<String> {
    let lines = plan.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let (place, text) = line.trim_start().split_once(' ').unwrap();
            let (place, _) = place.rsplit_once('_').unwrap();
            let depth = line.len() - line.trim_start().len();
            format!("{depth} {place} {text}")
        })
        .collect()
}

/// Traces a program in one go, and again with fewer executions at once: the same is left. Returns the second run.
fn the_same_is_left(name: &str, text: &str, most: &str, words: &[&str]) -> (Workshop, Done) {
    let workshop = Workshop::new();
    workshop.write(name, text);
    trace(&workshop, "200000", words).exits_with(0).does_not_say("levels deep");
    let result = listed_result(&workshop);
    let at_once = executions(&workshop.text(&result));
    let done = trace(&workshop, most, words).exits_with(0).says("levels deep is taken as a part");
    let left = workshop.text(&result);
    assert_eq!(executions(&left), at_once);
    assert!(!done.stdout.contains("levels deep"), "{}", done.stdout);
    // It was recorded in steps, and the last record is whole.
    assert!(left.contains("\"record\":{\"number\":") && !left.contains("\"deepest\""), "{left}");
    (workshop, done)
}

fn listed_result(workshop: &Workshop) -> String {
    workshop.names().into_iter().find(|name| name.ends_with(".trace.reduced.txt")).unwrap()
}

#[test]
fn the_same_is_left_as_if_all_was_recorded_at_once() {
    let words = ["--", "python3", "prog.py"];
    let (workshop, done) = the_same_is_left("prog.py", PYTHON, "8", &words);
    workshop.reduct(["verify"]).env("REDUCT_CONFINE", "auto").run().exits_with(0).says("is 1-minimal in executions");
    let listed = [
        "    14      1 of 1      t = t + outer(i)                              t = 1",
        "    16      1 of 1  assert t != 1                                     <- the last one",
    ];
    for line in listed {
        assert!(done.stdout.contains(line), "{line}\n{}", done.stdout);
    }
    // `return x + 1` in the calls that matter; nobody recorded what the others call.
    assert!(done.stdout.contains("     3      1 of "), "{}", done.stdout);
    let step = ["step", "prog.py.trace.reduced.txt", "--", "python3", "prog.py"];
    workshop.reduct(step).run().exits_with(1).says("AssertionError");
    // Each record is a plan of its own: that of a run without what was left out before.
    let step = ["step", "prog.py.trace.2.txt", "--", "python3", "prog.py"];
    workshop.reduct(step).run().exits_with(1).says("AssertionError");
    let history = workshop.reduct(["history"]).run().exits_with(0);
    assert!(history.stdout.contains("Branch 1: what is left at step "), "{}", history.stdout);
    let log = workshop.reduct(["log"]).run().exits_with(0);
    assert!(log.stdout.ends_with(&done.stdout), "{}\n{}", log.stdout, done.stdout);
    workshop.reduct(["resume"]).run().exits_with(0).says("nothing is left to do");
    workshop.reduct(["report", "-o", "page.html"]).run().exits_with(0);
    assert!(workshop.text("page.html").contains("Recorded deeper"));
    let explained = workshop.reduct(["explain"]).env("REDUCT_CONFINE", "auto").run();
    explained.exits_with(0);
    // A record of another run is none of the plan.
    std::fs::copy(workshop.path("prog.py.trace.2.txt"), workshop.path("prog.py.trace.3.txt")).unwrap();
    let step = ["step", "prog.py.trace.reduced.txt", "--", "python3", "prog.py"];
    workshop.reduct(step).run().exits_with(125).says("it is the record of another run than that of the plan");
}

#[test]
fn so_it_is_in_perl() {
    the_same_is_left("prog.pl", PERL, "12", &["--", "perl", "prog.pl"]);
}

#[test]
fn so_it_is_in_javascript() {
    the_same_is_left("prog.js", JAVASCRIPT, "12", &["--", "node", "prog.js"]);
}

#[test]
fn so_it_is_in_lua() {
    the_same_is_left("prog.lua", LUA, "12", &["--", "lua5.4", "prog.lua"]);
}

#[test]
fn so_it_is_in_php() {
    the_same_is_left("prog.php", PHP, "12", &["--", "php", "prog.php"]);
}

#[test]
fn so_it_is_in_go() {
    the_same_is_left("prog.go", GO, "12", &["--build", "go build -o prog prog.go", "--", "./prog"]);
}

#[test]
fn so_it_is_in_java() {
    the_same_is_left("Prog.java", JAVA, "12", &["--build", "javac Prog.java", "--", "java", "Prog"]);
}

#[test]
fn so_it_is_in_c() {
    let words = ["--build", "cc -g prog.c -o prog", "--", "./prog"];
    the_same_is_left("prog.c", C, "12", &words);
}

#[test]
fn so_it_is_in_ruby() {
    the_same_is_left("prog.rb", RUBY, "12", &["--", "ruby", "--disable-gems", "prog.rb"]);
}

/// Executes a million statements: `work` is called 150 times, and its loop has 3,300 iterations of two executions. A few of them matter.
const LONG: &str = "\
static int sum;
static void work(int n)
{
    for (int i = 0; i < 3300; i++)
        if (i == 3299 && n == 148)
            sum = -1;
}
static int all(void)
{
    int seen = 0;
    for (int n = 0; n < 150; n++) {
        work(n);
        if (sum == -1)
            seen = 1;
    }
    return seen;
}
int main(void)
{
    return all() ? 9 : 0;
}
";

#[test]
fn of_a_million_executions_the_few_are_left_that_matter() {
    let workshop = Workshop::new();
    workshop.write("long.c", LONG);
    let words = ["trace", "--no-backtrace", "--build", "cc -g -O1 long.c -o long", "--", "./long"];
    let done = call(&workshop, &words).run().exits_with(0);
    let done = done.says("levels deep is taken as a part of what it belongs to.");
    let lines = executions(&workshop.text("long.trace.reduced.txt"));
    let at: Vec<&str> = lines.iter().map(|line| line.split([' ', ':']).nth(2).unwrap()).collect();
    assert_eq!(at, ["20", "11", "11", "12", "4", "4", "5", "6", "13", "14", "16"], "{lines:?}");
    assert!(done.stdout.contains("iteration 3300: i = 3299"), "{}", done.stdout);
    assert!(!done.stdout.contains("levels deep"), "{}", done.stdout);
}

#[test]
fn what_was_killed_or_had_something_in_its_way_is_recorded_deeper_later() {
    let workshop = Workshop::new();
    workshop.write("prog.py", PYTHON);
    workshop.write("prog.py.trace.2.txt", "no plan\n");
    let words = ["trace", "--most", "8", "--", "python3", "prog.py"];
    let done = call(&workshop, &words).run().exits_with(0);
    let done = done.says("Not recorded deeper: ").says("prog.py.trace.2.txt is there, and is no recorded plan");
    assert!(done.stdout.contains("What is more than 3 levels deep is taken as a part"), "{}", done.stdout);
    assert_eq!(workshop.text("prog.py.trace.2.txt"), "no plan\n");
    // What another run has left there is kept; what is left is not what somebody has made of the result.
    let earlier = workshop.text("prog.py.trace.txt").replace("t = 0", "t = 00");
    workshop.write("prog.py.trace.2.txt", &earlier);
    workshop.write("prog.py.trace.reduced.txt", "prog.py:11_1 t = 0\n");
    // While it is recorded, when the search is to go on with that, and in that search.
    for moment in ["Recording what is left twice more", "more, the same twice", "outcomes known from earlier"] {
        let mut running = call(&workshop, &["resume"]).start();
        running.wait_for(moment);
        running.kill();
        running.wait();
        workshop.expect_no_process();
    }
    let done = call(&workshop, &["resume"]).run().exits_with(0);
    let kept = std::fs::read_dir(workshop.path(".reduct/0001-prog.py.trace.txt")).unwrap();
    let kept = kept.filter_map(|it| std::fs::read_to_string(it.unwrap().path()).ok());
    assert_eq!(kept.filter(|it| *it == earlier).count(), 1);
    let resumed = executions(&workshop.text("prog.py.trace.reduced.txt"));
    assert!(!done.stdout.contains("levels deep"), "{}", done.stdout);
    trace(&workshop, "200000", &["--", "python3", "prog.py"]).exits_with(0);
    assert_eq!(resumed, executions(&workshop.text("prog.py.trace.reduced.txt")));
}

#[test]
fn an_interruption_while_it_is_recorded_deeper_leaves_what_was_found() {
    let workshop = Workshop::new();
    workshop.write("prog.py", PYTHON);
    let mut running = call(&workshop, &["trace", "--most", "8", "--", "python3", "prog.py"]).start();
    running.wait_for("Recording what is left twice more");
    running.process().kill(rustix::process::Signal::INT);
    let done = running.wait().exits_with(130);
    assert!(done.stdout.contains("assert t != 1"), "{}", done.stdout);
    assert!(done.stdout.contains("To go on: reduct resume"), "{}", done.stdout);
    workshop.expect_no_process();
    let done = call(&workshop, &["resume"]).run().exits_with(0);
    assert!(!done.stdout.contains("Stopped early"), "{}", done.stdout);
}

#[test]
fn a_branch_counts_what_was_recorded_in_it() {
    let workshop = Workshop::new();
    workshop.write("prog.py", PYTHON);
    trace(&workshop, "12", &["--", "python3", "prog.py"]).exits_with(0);
    call(&workshop, &["resume", "--from", "1"]).run().exits_with(0);
    let done = call(&workshop, &["resume", "--from", "0", "--never", "2"]).run().exits_with(0);
    let step = ["step", "--list", "prog.py.trace.reduced.txt", "--", "python3", "prog.py"];
    let stepped = workshop.reduct(step).run();
    assert_eq!(stepped.stdout, done.stdout);
    assert!(done.stdout.contains("1 of 2  y = leaf(x)"), "{}", done.stdout);
}
