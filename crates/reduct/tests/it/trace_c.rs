//! Executions of programs in C, which are built with guards.

use crate::workshop::{Call, Done, Workshop};
use std::process::Command;

fn reduct<'a>(workshop: &'a Workshop, words: &[&str]) -> Call<'a> {
    // What is built goes with the workshop.
    workshop.reduct(words.to_vec()).env("TMPDIR", workshop.trees())
}

fn trace(workshop: &Workshop, options: &[&str], program: &[&str]) -> Done {
    let words = [&["trace", "--force", "--no-backtrace"][..], options, &["--"], program].concat();
    reduct(workshop, &words).env("REDUCT_CONFINE", "auto").env("REDUCT_ALLOW_WRITE", "").run()
}

/// Runs a program under a plan, of which `recorded` is the whole.
fn step(workshop: &Workshop, (plan, recorded): (&str, &str), build: &str, program: &[&str]) -> Done {
    reduct(workshop, &[&["step", plan, "--recorded", recorded, "--build", build, "--"][..], program].concat()).run()
}

pub fn events(plan: &str) -> Vec<&str> {
    plan.lines().filter(|line| !line.starts_with('#')).collect()
}

/// The time and the line of an event.
pub fn at(event: &str) -> (u32, u32) {
    let place = event.split_whitespace().next().unwrap();
    let (place, time) = place.rsplit_once('_').unwrap();
    let (_, line) = place.rsplit_once(':').unwrap();
    (time.parse().unwrap(), line.split('.').next().unwrap().parse().unwrap())
}

/// The lines of a plan's events, in time; of those on one line that follow each other, the first.
pub fn lines(plan: &str) -> Vec<u32> {
    let mut events: Vec<(u32, u32)> = events(plan).into_iter().map(at).collect();
    events.sort_unstable();
    let mut lines: Vec<u32> = events.into_iter().map(|(_, line)| line).collect();
    lines.dedup();
    lines
}

/// Dies in its last line, for what all of five iterations have added. What does not matter for it is marked.
const SUM: &str = "\
#include <stdio.h>
static int add(int x)
{
    int noise = x * 3; // no matter
    return x + 1 + 0 * noise;
}
int main(void)
{
    int total = 0; // no matter: variables begin as zero
    int *nowhere = NULL;
    for (int i = 0; i < 5; i++) {
        int other = i * 2; // no matter
        total = add(total);
    }
    printf(\"done\\n\"); // no matter
    if (total == 5)
        *nowhere = total;
    return 0;
}
";

const BUILD: &str = "cc -g sum.c -o sum";

#[test]
fn what_a_crash_needs_is_left_and_values_are_listed() {
    let workshop = Workshop::new();
    workshop.write("sum.c", SUM);
    let done = trace(&workshop, &["--build", BUILD], &["./sum"]).exits_with(0);
    // Three before the loop and behind it, the loop, five iterations with two statements in one and in the other, and the last one.
    let done = done.says("Recorded: 31 statement executions in 1 file, the same twice.").says("Proved: 1-minimal");
    let left = workshop.text("sum.trace.reduced.txt");
    assert!(!left.contains("no matter"), "{left}");
    // The null pointer; an iteration, the call in it, what the function returns.
    let expected = [&[10, 11][..], &[11, 13, 5].repeat(5), &[16, 17]].concat();
    assert_eq!(events(&left).into_iter().map(|event| at(event).1).collect::<Vec<_>>(), expected);
    let row = done.stdout.lines().find(|line| line.starts_with("    13      5 of 5      total = add(total);"));
    assert!(row.is_some_and(|row| row.ends_with("  total = 5")), "{}", done.stdout);
    let again = "again: reduct step sum.trace.reduced.txt --build 'cc -g sum.c -o sum' -- ./sum";
    assert!(done.stdout.contains(again), "{}", done.stdout);
    // The user's folder has what was asked for, and the file is what it was.
    assert_eq!(workshop.names(), ["sum.c", "sum.trace.reduced.txt", "sum.trace.txt"]);
    assert_eq!(workshop.text("sum.c"), SUM);
    let words = ["step", "sum.trace.reduced.txt", "--build", BUILD, "--", "./sum"];
    assert_eq!(reduct(&workshop, &words).run().exits_with(-11).stdout, "");
    reduct(&workshop, &["verify"]).run().exits_with(0).says("fails, and is 1-minimal in executions");
}

/// A crash through a pointer that points astray. What does not matter for it is marked.
const WILD: &str = "\
int main(void)
{
    int one = 1; // no matter
    int *near = &one, *far = 0; // no matter
    far = (int *)0x123456789abc;
    *near = *far;
    return 0; // no matter
}
";

/// A crash through a null pointer: what is looked for is not there.
const MISSING: &str = "\
#include <string.h>
struct entry { const char *name; int value; };
static struct entry table[] = {{\"one\", 1}, {\"two\", 2}};
static struct entry *find(const char *name)
{
    for (int i = 0; i < 2; i++) // no matter
        if (!strcmp(table[i].name, name)) // no matter
            return &table[i]; // no matter
    return NULL;
}
int main(void)
{
    int sum = find(\"one\")->value; // no matter
    struct entry *entry = find(\"three\");
    sum += entry->value;
    return 0; // no matter
}
";

/// A crash through one index of two on a line.
const INDEX: &str = "\
int main(void)
{
    int from[3] = {0}, to[3] = {0};
    int i = 100000000, j = 1; // no matter
    i = 2; // no matter
    j = 200000000;
    to[i] = from[j];
    return 0; // no matter
}
";

#[test]
fn a_crash_through_one_pointer_is_not_taken_for_one_through_another() {
    // Nothing but the signal is told of the failure.
    for (text, left) in [(WILD, &[5, 6][..]), (MISSING, &[14, 9, 15]), (INDEX, &[6, 7])] {
        let workshop = Workshop::new();
        workshop.write("prog.c", text);
        trace(&workshop, &["--build", "cc prog.c -o prog"], &["./prog"]).exits_with(0).says("Proved: 1-minimal");
        assert_eq!(lines(&workshop.text("prog.trace.reduced.txt")), left, "{text}");
    }
}

#[test]
fn signals_do_what_they_do() {
    // The first one is handled by the program, which sees no other handler before its own; the second one needs room on another stack
    // than the one that is full; the third one comes after one that the program has survived, the fourth one after one that was
    // handled once, as `signal` of strict C does; the fifth one is handled, though another process has set its own.
    let handled = "#include <signal.h>\n#include <unistd.h>\nstatic void handle(int it) { _exit(it); }\n\
                   int main(void) {\n    struct sigaction seen;\n\
                   if (sigaction(SIGSEGV, 0, &seen) || seen.sa_handler != SIG_DFL) return 1;\n\
                   signal(SIGSEGV, handle);\n    return *(volatile int *)0;\n}\n";
    let full = "static int deeper(int n) { volatile char room[100000] = {0}; return deeper(n + 1) + room[n % 9]; }\n\
                int main(void) { return deeper(0); }\n";
    let survived = "#include <setjmp.h>\n#include <signal.h>\nstatic sigjmp_buf back;\n\
                    static void handle(int it) { siglongjmp(back, it); }\n\
                    int main(void) {\n    void (*before)(int) = signal(SIGSEGV, handle);\n\
                    if (!sigsetjmp(back, 1)) return *(volatile int *)0x100000000;\n\
                    if (signal(SIGSEGV, before) != handle || before != SIG_DFL) return 1;\n\
                    return *(volatile int *)0;\n}\n";
    let once = "#include <setjmp.h>\n#include <signal.h>\nstatic jmp_buf back;\n\
                static void handle(int it) { longjmp(back, it); }\n\
                int main(void) {\n    if (signal(SIGSEGV, handle) != SIG_DFL) return 1;\n\
                if (!setjmp(back)) return *(volatile int *)0x100000000;\n\
                return *(volatile int *)0;\n}\n";
    let vforked = "#include <signal.h>\n#include <unistd.h>\nstatic void handle(int it) { _exit(it); }\n\
                   int main(void) {\n    struct sigaction seen;\n    signal(SIGSEGV, handle);\n\
                   if (!vfork()) {\n        signal(SIGSEGV, SIG_DFL);\n        _exit(0);\n    }\n\
                   if (sigaction(SIGSEGV, 0, &seen) || seen.sa_handler != handle) return 1;\n\
                   return *(volatile int *)0;\n}\n";
    let of = |fault: &str| format!("\"fault\":\"{fault}, at ");
    let (stack, null, strict) = (of("stack"), of("null"), "cc -std=c99 prog.c -o prog");
    let cases = [(handled, 11, ""), (full, -11, &stack), (survived, -11, &null), (once, -11, &null), (vforked, 11, "")];
    for (text, exit, fault) in cases {
        let workshop = Workshop::new();
        workshop.write("prog.c", text);
        let build = if text == once { strict } else { "cc prog.c -o prog" };
        trace(&workshop, &["--build", build, "--tests", "1"], &["./prog"]).exits_with(4);
        let recorded = workshop.text("prog.trace.txt");
        assert_eq!(recorded.contains("\"fault\""), !fault.is_empty(), "{recorded}");
        assert!(recorded.contains(fault), "{recorded}");
        let whole = ("prog.trace.txt", "prog.trace.txt");
        step(&workshop, whole, build, &["./prog"]).exits_with(exit);
        // A run that dies of another access says nothing.
        if !fault.is_empty() {
            workshop.write("prog.trace.txt", recorded.replace(fault, &of("low")));
        }
        let other = step(&workshop, whole, build, &["./prog"]).exits_with(if fault.is_empty() { exit } else { 125 });
        assert_eq!(other.stderr.contains("the program dies of another access to memory"), !fault.is_empty());
    }
}

/// What gdb shows at each `step` in functions of a file: how many functions are active, and the line.
const GDB: &str = "\
import gdb
gdb.execute('set confirm off')
gdb.execute('set startup-with-shell off')
gdb.execute('break main')
gdb.execute('run > /dev/null')
while True:
    try:
        frame = gdb.selected_frame()
        depth, outer = 0, frame
        while outer is not None:
            depth, outer = depth + 1, outer.older()
        place = frame.find_sal()
        if not place.symtab or not place.symtab.filename.endswith('prog.c'):
            break
        print('at', depth, place.line)
        gdb.execute('step', to_string=True)
    except gdb.error:
        break
gdb.execute('kill')
";

/// Returns the lines that gdb shows, as statements that begin: not those to which a call returns, and not what ends a function or a
/// loop. `loops` are the first and the last lines of loops.
fn gdb_shows(workshop: &Workshop, text: &str, loops: &[(u32, u32)]) -> Vec<u32> {
    workshop.write("steps.py", GDB);
    let words = ["-q", "-batch", "-nx", "-ex", "source steps.py", "./prog"];
    let said = Command::new("gdb").args(words).current_dir(workshop.home()).output().unwrap();
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    let numbers = |line: &str| {
        let mut words = line.strip_prefix("at ")?.split(' ').map(|it| it.parse::<u32>().unwrap());
        Some((words.next()?, words.next()?))
    };
    let shown: Vec<(u32, u32)> = said.lines().filter_map(numbers).collect();
    assert!(!shown.is_empty(), "{said}");
    begun(&shown, text, loops)
}

/// Returns the lines of statements that begin, of those at which a debugger stops: how many functions are active, and the line. `loops` are
/// the first and the last lines of loops.
pub fn begun(shown: &[(u32, u32)], text: &str, loops: &[(u32, u32)]) -> Vec<u32> {
    let mut begun: Vec<(u32, u32)> = vec![];
    let mut active: Vec<u32> = vec![];
    for &(depth, line) in shown {
        let deeper = active.len() > depth as usize;
        active.resize(depth as usize, 0);
        let here = active.last_mut().unwrap();
        if !(deeper && *here == line) {
            begun.push((depth, line));
        }
        *here = line;
    }
    let texts: Vec<&str> = text.lines().collect();
    begun.retain(|(_, line)| texts[*line as usize - 1].trim() != "}");
    let of_loop = |line: u32| loops.iter().find(|(first, _)| *first == line);
    // A condition that ends a loop: the one before it and the one behind it, in this function, are in the loop and not in it.
    let is_end = |at: usize| {
        let (depth, line) = begun[at];
        let Some((first, last)) = of_loop(line) else { return false };
        let same = |it: &&(u32, u32)| it.0 == depth;
        let is_in = |it: Option<&(u32, u32)>| it.is_some_and(|(_, line)| (*first..=*last).contains(line));
        let next = begun[at + 1..].iter().take_while(|it| it.0 >= depth).find(same);
        is_in(begun[..at].iter().rev().find(same)) && !is_in(next.filter(|it| it.1 != line))
    };
    let mut lines: Vec<u32> = (0..begun.len()).filter(|at| !is_end(*at)).map(|at| begun[at].1).collect();
    lines.dedup();
    lines
}

const CALLS: &str = "\
#include <stdlib.h>
static int square(int x)
{
    int y = x * x;
    return y;
}
static int both(int a, int b)
{
    int s = square(a) + square(b);
    if (s > 10)
        s = s - 1;
    else
        s = s + 1;
    return s;
}
int main(void)
{
    int n = both(1, 2);
    n = n + both(2, 3);
    exit(n);
}
";

const LOOPS: &str = "\
int main(int argc, char **argv)
{
    int sum = 0;
    int n = 3;
    while (n > 0) {
        sum = sum + n;
        n = n - 1;
    }
    for (n = 0; n < 3; n++) {
        if (n == 1)
            continue;
        sum = sum + n;
    }
    while (n < 10) {
        n++;
        if (n > 5)
            break;
    }
    return sum;
}
";

const JUMPS: &str = "\
static void away(int n)
{
    if (n == 0)
        return;
    away(n - 1);
}
static int pick(int n)
{
    switch (n) {
    case 1:
        return 10;
    case 2:
        n = n + 1;
    default:
        n = n + 1;
    }
    return n;
}
int main(void)
{
    int a = 0;
again:
    a++;
    if (a < 3)
        goto again;
    if (a == 0) {
        a = 100;
    } else
        a = a + pick(1) + pick(2);
    away(2);
    a = a + pick(5);
    return a;
}
";

#[test]
fn what_is_recorded_is_what_gdb_shows() {
    let build = "cc -g -O0 prog.c -o prog";
    for (text, loops, status) in
        [(CALLS, &[][..], 5 + 1 + 13 - 1), (LOOPS, &[(5, 8), (9, 13), (14, 18)], 6 + 2), (JUMPS, &[], 3 + 10 + 4 + 6)]
    {
        let workshop = Workshop::new();
        workshop.write("prog.c", text);
        workshop.shell(build).run().exits_with(0);
        let told = gdb_shows(&workshop, text, loops);
        std::fs::remove_file(workshop.path("prog")).unwrap();
        let fails_if = format!("exit={status}");
        trace(&workshop, &["--build", build, "--fails-if", &fails_if, "--tests", "1"], &["./prog"]).exits_with(4);
        assert_eq!(lines(&workshop.text("prog.trace.txt")), told, "{text}");
    }
}

#[test]
fn under_the_whole_plan_a_program_does_what_it_does() {
    let workshop = Workshop::new();
    workshop.write(
        "src/prog.c",
        include_str!("../../../../fixtures/guards/constructs.c")
            .replace("int main(", "extern int count(const char *);\nint main(")
            .replace("return counter;", "return counter + count(argv[1]);"),
    );
    workshop.write("src/count.c", "#include \"count.h\"\n#include <string.h>\nint count(const char *s)\n{\n    int n = 0;\n    while (*s)\n        n += is_a(*s++);\n    return n;\n}\n");
    workshop.write("src/count.h", "static inline int is_a(char c) { return c == 'a'; }\n");
    workshop
        .write("Makefile", "CFLAGS = -O2 -w\nprog: src/prog.o src/count.o\n\tcc -o $@ $^\nsrc/count.o: src/count.h\n");
    let program = ["./prog", "a b a"];
    // What was built before has no guards.
    workshop.call("make", ["-s"]).run().exits_with(0);
    let plain = workshop.call(program[0], &program[1..]).run().exits_with(12);
    let options = ["--build", "make -s", "--fails-if", "exit=12", "--tests", "1"];
    trace(&workshop, &options, &program).exits_with(4).says("statement executions in 2 files, the same twice.");
    let whole = ("prog.trace.txt", "prog.trace.txt");
    let done = step(&workshop, whole, "make -s", &program).exits_with(12);
    assert_eq!((&done.stdout, &done.stderr), (&plain.stdout, &plain.stderr));
    // Without any, nothing is executed; the program still begins, and main returns nothing.
    workshop.write("none.txt", "# nothing\n");
    let done = step(&workshop, ("none.txt", whole.1), "make -s", &program).exits_with(0);
    assert_eq!((done.stdout.as_str(), done.stderr.as_str()), ("", ""));
}

const PARTS: &str = "\
#include <stdio.h>
static void tell(const char *what)
{
    fputs(what, stdout);
    fputs(\"\\n\", stdout);
}
static void all(void)
{
    tell(\"a\");
    tell(\"b\");
}
int main(void)
{
    all();
    tell(\"c\");
    return 5;
}
";

#[test]
fn a_plan_is_what_is_executed() {
    let workshop = Workshop::new();
    workshop.write("prog.c", PARTS);
    let build = "cc prog.c -o prog";
    trace(&workshop, &["--build", build, "--fails-if", "exit=5", "--tests", "1"], &["./prog"]).exits_with(4);
    let plan = workshop.text("prog.trace.txt");
    let run = |without: &str| {
        let shorter: Vec<&str> = plan.lines().filter(|line| !line.contains(without)).collect();
        workshop.write("shorter.txt", shorter.join("\n") + "\n");
        step(&workshop, ("shorter.txt", "prog.trace.txt"), build, &["./prog"])
    };
    assert_eq!(run("tell(\"a\")").exits_with(5).stdout, "b\nc\n");
    // What belongs to a call goes with it, though its lines are in the plan.
    assert_eq!(run("all();").exits_with(5).stdout, "c\n");
    assert_eq!(run("fputs(what").exits_with(5).stdout, "\n\n\n");
    // Without the whole one, nothing is known of what was left out.
    let alone = ["step", "shorter.txt", "--build", build, "--", "./prog"];
    reduct(&workshop, &alone)
        .run()
        .exits_with(125)
        .says("shorter.txt is a part of what was recorded")
        .says("--recorded");
    assert_eq!(run("return 5").exits_with(0).stdout, "a\nb\nc\n");
    // Of three statements in main, two in all and two in each of three calls, one is missing; it does the same twice.
    let list = ["step", "--list", "shorter.txt", "--recorded", "prog.trace.txt", "--build", build, "--", "./prog"];
    let listed = reduct(&workshop, &list).run().exits_with(0).stdout;
    assert!(listed.contains("10 of 11 statement executions are left"), "{listed}");
    assert_eq!(reduct(&workshop, &list).run().exits_with(0).stdout, listed);
}

#[test]
fn a_plan_that_makes_a_loop_longer_says_nothing() {
    let workshop = Workshop::new();
    let text = "int main(void)\n{\n    int n = 3;\n    while (n > 0)\n        n--;\n    return 3;\n}\n";
    workshop.write("prog.c", text);
    let build = "cc -O2 prog.c -o prog";
    trace(&workshop, &["--build", build, "--tests", "1"], &["./prog"]).exits_with(4);
    let plan = workshop.text("prog.trace.txt");
    let at = plan.lines().position(|line| line.ends_with("n--;")).unwrap();
    let shorter: Vec<&str> = plan.lines().enumerate().filter(|(n, _)| *n != at).map(|(_, line)| line).collect();
    workshop.write("shorter.txt", shorter.join("\n") + "\n");
    let step = |plan| step(&workshop, (plan, "prog.trace.txt"), build, &["./prog"]);
    step("prog.trace.txt").exits_with(3);
    step("shorter.txt").exits_with(125).says("something is executed that was not when it was recorded");
    workshop.write("prog.c", text.replace("n = 3", "n = 2"));
    step("prog.trace.txt").exits_with(125).says("prog.c has changed since the execution was recorded");
}

#[test]
fn what_does_not_compile_with_guards_is_left_as_it_is() {
    let workshop = Workshop::new();
    // A declaration that looks like a call, and a file that may be compiled as it is only.
    workshop.write("prog.c", "#define NAMED(x) int x = 4\nint other(void);\nint odd(void)\n{\n    NAMED(n);\n    n++;\n    return n;\n}\nint main(void)\n{\n    return odd() + other();\n}\n");
    workshop.write("other.c", "static int __reduct_r;\nint other(void)\n{\n    return 1 + __reduct_r;\n}\n");
    let options = ["--build", "cc prog.c other.c -o prog", "--fails-if", "exit=6"];
    let done = trace(&workshop, &options, &["./prog"]).exits_with(0);
    let done = done.says(
        "Built with guards: 1 statement in 1 file. 1 function is left as written: it does not compile with guards.",
    );
    done.says("1 file is left as written: other.c.").says("Recorded: 1 statement execution in 1 file");
    assert_eq!(
        events(&workshop.text("prog.trace.reduced.txt")).into_iter().map(|event| at(event).1).collect::<Vec<_>>(),
        [11]
    );
}

#[test]
fn other_processes_and_threads_are_run() {
    let workshop = Workshop::new();
    workshop.write("prog.c", "#include <pthread.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <sys/wait.h>\n#include <unistd.h>\nstatic int sum;\n\
         static void *work(void *by)\n{\n    sum += *(int *)by;\n    return NULL;\n}\nint main(int argc, char **argv)\n{\n    int two = 2, five = 5;\n\
         \x20   pthread_t thread;\n    if (argc > 1)\n        return 1;\n    pthread_create(&thread, NULL, work, &two);\n    pthread_join(thread, NULL);\n\
         \x20   pthread_create(&thread, NULL, work, &five);\n    pthread_join(thread, NULL);\n    if (fork() == 0)\n        _exit(sum);\n\
         \x20   int status;\n    wait(&status);\n    status = WEXITSTATUS(status);\n    printf(\"%d %d\\n\", status, system(\"./prog again\") >> 8);\n    return status;\n}\n");
    let build = "cc -pthread prog.c -o prog";
    trace(&workshop, &["--build", build, "--fails-if", "exit=7", "--tests", "1"], &["./prog"]).exits_with(4);
    let whole = ("prog.trace.txt", "prog.trace.txt");
    // The second process has no guards: it may be another program.
    assert_eq!(step(&workshop, whole, build, &["./prog"]).exits_with(7).stdout, "7 1\n");
    // A thread belongs to what made it.
    let recorded = workshop.text("prog.trace.txt");
    let of_threads: Vec<&str> = events(&recorded).into_iter().filter(|event| event.starts_with(" prog.c:9_")).collect();
    assert_eq!(of_threads.len(), 2, "{recorded}");
}

#[test]
fn what_cannot_be_built_or_traced_is_refused() {
    let workshop = Workshop::new();
    workshop.write("prog.c", "int main(void)\n{\n    return 3;\n}\n");
    workshop.shell("cc prog.c -o prog; printf 'int main(void) {' > broken.c; mkdir empty").run().exits_with(0);
    let refused = |options: &[&str], program: &[&str]| trace(&workshop, options, program).exits_with(2);
    refused(&[], &["./prog"])
        .says("prog is no program in Python, Perl, JavaScript, Lua, PHP, Ruby, C, Java or Go")
        .says("say how it is built: reduct trace --build 'cc -g prog.c -o prog' -- ./prog");
    refused(&["--build", "cc broken.c -o broken"], &["./broken"])
        .says("the build fails: cc broken.c -o broken")
        .says("broken.c:1:");
    refused(&["--build", "true", "--only", "empty"], &["./prog"])
        .says("there is no file in C, Java or Go in the project");
    refused(&["--build", "true"], &["./prog"])
        .says("nothing was recorded")
        .says("the program must be one that --build makes");
    refused(&["--build", "cc -static prog.c -o prog"], &["./prog"])
        .says("nothing was recorded: the program printed no error: exit status 3")
        .says("the program is linked statically");
    refused(&["--build", "true", "--only", "../home-beside"], &["./prog"])
        .says("--only ../home-beside is not below the folder that is built: ");
    // These run the program as it was, or without what it is told.
    let line = format!("exec {}/prog", workshop.home().display());
    refused(&["--build", "cc prog.c -o prog"], &["sh", "-c", &line])
        .says("in a line for the shell, name the program as ./prog");
    refused(&["--build", "cc prog.c -o prog"], &["env", "-i", "./prog"]).says("with an empty environment");
    refused(&["--build", "cc prog.c -o prog"], &["./missing"]).says("nothing was recorded").says("missing");
    refused(&["--build", "cc prog.c -o prog", "--control", "recorded"], &["./prog"])
        .says("control cannot go as it was recorded in programs that are built");
    trace(&workshop, &["--build", "cc prog.c -o prog", "--tests", "1"], &["./prog"]).exits_with(4);
    let words = ["step", "prog.trace.txt", "--", "./prog"];
    reduct(&workshop, &words).run().exits_with(125).says("say how it is built, e.g. --build 'cc prog.c -o prog'");
}

#[test]
fn what_another_program_starts_is_what_was_built_with_guards() {
    let workshop = Workshop::new();
    workshop.write("prog.c", "int main(int argc, char **argv)\n{\n    int none = 0;\n    return argc + none;\n}\n");
    // The program as it was stands there, too.
    workshop.shell("cc prog.c -o prog").run().exits_with(0);
    let full = workshop.path("prog").display().to_string();
    let script = workshop.write("run.sh", "cd \"$(dirname \"$0\")\"\n./prog \"$@\"\n");
    let script = script.display().to_string();
    for program in [
        &["timeout", "60", "./prog", "a"][..],
        &["nice", "env", "X=1", &full, "a"],
        &["sh", "-c", "./prog a"],
        &["sh", &script, "a"],
    ] {
        let done = trace(&workshop, &["--build", "cc prog.c -o prog"], program).exits_with(0);
        let done = done.says("Recorded: 2 statement executions").says("exit status 2").says("2 → 1 execution in");
        // It is the same program, whatever starts it.
        done.says("the result is prog.trace.reduced.txt");
    }
    // Another one does not take the place of its record.
    let build = "mkdir -p b; cc prog.c -o b/prog";
    let words = ["trace", "--build", build, "--", "timeout", "60", "b/prog", "a"];
    let refused = reduct(&workshop, &words).run().exits_with(2);
    refused.says("prog.trace.txt is about another program: prog").says("--force");
}

#[test]
fn a_death_below_timeout_has_the_place_that_it_has_without() {
    let workshop = Workshop::new();
    workshop.write(
        "prog.c",
        "static int last(int *at)\n{\n    return *at;\n}\nint main(void)\n{\n    return last(0);\n}\n",
    );
    let words = ["trace", "--tests", "1", "--build", "cc -g prog.c -o prog", "--", "timeout", "60", "./prog"];
    let done =
        reduct(&workshop, &words).env("REDUCT_CONFINE", "auto").env("REDUCT_ALLOW_WRITE", "").run().exits_with(4);
    done.says("Failure: death by SIGSEGV in last ← main at prog.c:3");
}

#[test]
fn what_a_build_does_not_read_is_not_counted() {
    let workshop = Workshop::new();
    workshop.write("prog.c", "int main(void)\n{\n    return 3;\n}\n");
    let other = workshop.write("other.c", "int other(void)\n{\n    int x = 1;\n    return x;\n}\n");
    let times = std::fs::FileTimes::new().set_accessed(std::time::UNIX_EPOCH);
    std::fs::File::open(&other).unwrap().set_times(times).unwrap();
    workshop.text("other.c");
    let notes = std::fs::metadata(&other).unwrap().accessed().unwrap() != std::time::UNIX_EPOCH;
    let done = trace(&workshop, &["--build", "cc prog.c -o prog"], &["./prog"]).exits_with(0);
    // Some file systems do not note when a file was read.
    let expected = if notes {
        "Built with guards: 1 statement in 1 file. The build does not read 1 other file."
    } else {
        "Built with guards: 3 statements in 2 files."
    };
    done.says(expected);
}

/// Returns the folders of what was built.
fn built(workshop: &Workshop) -> Vec<std::path::PathBuf> {
    let trees = workshop.beside("trees");
    let names = crate::workshop::listed(&trees).into_iter().filter(|name| name.starts_with("reduct-built-"));
    names.map(|name| trees.join(name)).collect()
}

#[test]
fn a_copy_that_is_gone_or_changed_or_not_own_is_not_run() {
    let workshop = Workshop::new();
    workshop.write("sum.c", SUM);
    trace(&workshop, &["--build", BUILD], &["./sum"]).exits_with(0);
    let trees = built(&workshop);
    let [tree] = &trees[..] else { panic!("one copy is built: {trees:?}") };
    let prog = tree.join("tree/sum");
    let verified = || reduct(&workshop, &["verify"]).run();
    // It is built once more, in the same place.
    std::fs::remove_dir_all(tree).unwrap();
    verified().exits_with(0).says("fails, and is 1-minimal in executions");
    assert_eq!(built(&workshop), trees);
    // So it is if somebody has written to it.
    std::fs::copy("/bin/true", &prog).unwrap();
    let words = ["step", "sum.trace.txt", "--build", BUILD, "--", "./sum"];
    reduct(&workshop, &words).run().exits_with(-11);
    assert_eq!(built(&workshop), trees);
    // What `step` has needed is not left.
    let left = crate::workshop::listed(&workshop.beside("trees"));
    assert!(!left.iter().any(|name| name.starts_with("reduct-step-")), "{left:?}");
    // A build that was killed has written nothing of what is known of the tree.
    std::fs::remove_file(tree.join("about.json")).unwrap();
    reduct(&workshop, &words).run().exits_with(-11);
    assert_eq!(built(&workshop), trees);
    // Others may write to it.
    let shared = std::os::unix::fs::PermissionsExt::from_mode(0o777);
    std::fs::set_permissions(tree, shared).unwrap();
    let prepared = [&words[..4], &["--prepared", tree.to_str().unwrap()], &words[4..]].concat();
    reduct(&workshop, &prepared).run().exits_with(125).says("others may write to it");
    // The program is another one by now.
    std::fs::remove_dir_all(tree).unwrap();
    workshop.write("sum.c", SUM.replace("i < 5", "i < 4"));
    let changed = "sum.c has changed since the program was recorded";
    verified().exits_with(2).says(changed).says("put it back as it was; or `reduct trace` again, with the same words");
    reduct(&workshop, &["explain"]).run().exits_with(2).says(changed);
    // One copy is enough of a project.
    let stay = |workshop: &Workshop| {
        trace(workshop, &["--build", BUILD, "--value", "done", "--tests", "1"], &["./sum"]).exits_with(4);
        built(workshop)
    };
    let [first] = &stay(&workshop)[..] else { panic!("one copy is built") };
    workshop.write("sum.c", SUM.replace("i < 5", "i < 3"));
    let [second] = &stay(&workshop)[..] else { panic!("the one before is removed") };
    assert_ne!(first, second);
}

#[test]
fn an_array_without_values_is_not_what_was_in_memory() {
    let workshop = Workshop::new();
    let program = "\
static void fill(int x) { volatile int junk[512]; for (int i = 0; i < 512; i++) junk[i] = x; }
static int sum(int n)
{
    int got;
    int values[128], lengths[n];
    values[n - 1] = 21;
    lengths[n - 1] = 21;
    got = values[n - 1] + lengths[n - 1];
    return got;
}
int main(void)
{
    fill(21);
    return sum(100);
}
";
    workshop.write("prog.c", program);
    trace(&workshop, &["--build", "cc -g prog.c -o prog"], &["./prog"]).exits_with(0).says("exit status 42");
    let left = workshop.text("prog.trace.reduced.txt");
    let expected = [14, 6, 7, 8, 9];
    assert_eq!(events(&left).into_iter().map(|event| at(event).1).collect::<Vec<_>>(), expected);
}

#[test]
fn a_zero_of_nothing_is_said_to_be_one() {
    let workshop = Workshop::new();
    let program = "#include <stdio.h>\nint main(void) {\n    int sum = 0;\n    sum = sum + 3;\n    sum = sum * (sum - 3);\n    \
                   printf(\"sum = %d\\n\", sum);\n    return 0;\n}\n";
    workshop.write("sum.c", program);
    let of = |value| trace(&workshop, &["--build", "cc -g sum.c -o sum", "--value", value], &["./sum"]).exits_with(0);
    let said = of("sum = 0").stdout;
    assert!(said.contains("sum.c:6: sum is 0 here, and nothing that is left assigns it."), "{said}");
    // What cannot be told of a variable is told of the whole.
    let element = "#include <stdio.h>\nint main(void) {\n    int sums[1] = {0};\n    sums[0] = 3;\n    sums[0] = sums[0] * (sums[0] - 3);\n    \
                   printf(\"sum = %d\\n\", sums[0]);\n    return 0;\n}\n";
    workshop.write("sum.c", element);
    let said = of("sum = 0").stdout;
    assert!(said.contains("Nothing that is left assigns a 0"), "{said}");
    workshop.write("sum.c", program.replace("    sum = sum * (sum - 3);\n", ""));
    let said = of("sum = 3").stdout;
    assert!(said.contains("sum = sum + 3;") && !said.contains("Nothing that is left"), "{said}");
}
