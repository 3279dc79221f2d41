//! Executions of programs in Java, which are built with guards.

use crate::trace_c::{at, begun, events, lines};
use crate::workshop::{Call, Done, Workshop};

fn reduct<'a>(workshop: &'a Workshop, words: &[&str]) -> Call<'a> {
    // What is built goes with the workshop.
    workshop.reduct(words.to_vec()).env("TMPDIR", workshop.trees())
}

pub fn trace(workshop: &Workshop, options: &[&str], program: &[&str]) -> Done {
    let words = [&["trace", "--force"][..], options, &["--"], program].concat();
    reduct(workshop, &words).env("REDUCT_CONFINE", "auto").env("REDUCT_ALLOW_WRITE", "").run()
}

/// Runs a program under a plan, of which `recorded` is the whole.
pub fn step(workshop: &Workshop, (plan, recorded): (&str, &str), build: &str, program: &[&str]) -> Done {
    reduct(workshop, &[&["step", plan, "--recorded", recorded, "--build", build, "--"][..], program].concat()).run()
}

/// Dies in its last line, for what all of three iterations have added. What does not matter for it is marked.
const SUM: &str = "\
package sum;
public class Sum {
    private final int by;
    Sum(int by) {
        this.by = by;
    }
    int add(int x) {
        int noise = x * 3; // no matter
        return x + by;
    }
    public static void main(String[] args) {
        Sum one = new Sum(1);
        int total = 0; // no matter: variables begin as zero
        for (int i = 0; i < 3; i++) {
            int other = i * 2; // no matter
            total = one.add(total);
        }
        System.out.println(\"done\"); // no matter
        if (total == 3) {
            throw new IllegalStateException(\"three\");
        }
    }
}
";

const BUILD: &str = "javac -g -d out src/sum/*.java";

#[test]
fn what_an_exception_needs_is_left_and_values_are_listed() {
    let workshop = Workshop::new();
    workshop.write("src/sum/Sum.java", SUM);
    let program = ["java", "-cp", "out", "sum.Sum"];
    let done = trace(&workshop, &["--build", BUILD], &program).exits_with(0);
    // Two before the loop and one in the constructor, the loop, three iterations with two statements in one and two in the other, and three.
    let done = done.says("Recorded: 22 statement executions in 1 file, the same twice.").says("Proved: 1-minimal");
    let left = workshop.text("sum.Sum.trace.reduced.txt");
    assert!(!left.contains("no matter"), "{left}");
    // The object and its field; an iteration, the call in it, what the function returns.
    let expected = [&[12, 5, 14][..], &[14, 16, 9].repeat(3), &[19, 20]].concat();
    assert_eq!(events(&left).into_iter().map(|event| at(event).1).collect::<Vec<_>>(), expected);
    let row = done.stdout.lines().find(|line| line.starts_with("    16      3 of 3      total = one.add(total);"));
    assert!(row.is_some_and(|row| row.ends_with("  total = 3")), "{}", done.stdout);
    // The user's folder has what was asked for, and the file is what it was.
    assert_eq!(workshop.names(), ["src", "sum.Sum.trace.reduced.txt", "sum.Sum.trace.txt"]);
    assert_eq!(workshop.text("src/sum/Sum.java"), SUM);
    let words =
        ["step", "sum.Sum.trace.reduced.txt", "--build", BUILD, "--", program[0], program[1], program[2], program[3]];
    let again = reduct(&workshop, &words).run().exits_with(1);
    let exception =
        "Exception in thread \"main\" java.lang.IllegalStateException: three\n\tat sum.Sum.main(Sum.java:20)\n";
    assert_eq!((again.stdout.as_str(), again.stderr.as_str()), ("", exception));
    // Without the test in line 19, which is in the plan of what throws.
    let plan = workshop.text("sum.Sum.trace.txt");
    let without: Vec<&str> = plan.lines().filter(|line| !line.contains("total = one.add")).collect();
    workshop.write("without.txt", without.join("\n") + "\n");
    let whole = "sum.Sum.trace.txt";
    assert_eq!(step(&workshop, ("without.txt", whole), BUILD, &program).exits_with(0).stdout, "done\n");
    workshop.write("src/sum/Sum.java", SUM.replace("i < 3", "i < 2"));
    step(&workshop, (whole, whole), BUILD, &program).exits_with(125).says("Sum.java has changed");
}

#[test]
fn under_the_whole_plan_a_program_does_what_it_does() {
    let workshop = Workshop::new();
    workshop.write("src/Constructs.java", include_str!("../../../../fixtures/guards/Constructs.java"));
    let build = "javac -nowarn -g -d out src/*.java";
    workshop.shell(&build.replace("-d out", "-d ../plain")).run().exits_with(0);
    let program = |folder| ["java", "-cp", folder, "Constructs", "a b", "c"];
    let plain = workshop.call("java", program("../plain")[1..].to_vec()).run().exits_with(2);
    let program = program("out");
    trace(&workshop, &["--build", build, "--fails-if", "exit=2", "--tests", "1"], &program).exits_with(4);
    let whole = ("Constructs.trace.txt", "Constructs.trace.txt");
    let done = step(&workshop, whole, build, &program).exits_with(2);
    assert_eq!((&done.stdout, &done.stderr), (&plain.stdout, &plain.stderr));
    // Started by something else than itself, it is the same program.
    let shell = ["sh", "-c", "exec java -cp out Constructs 'a b' c"];
    let done = step(&workshop, whole, build, &shell).exits_with(2);
    assert_eq!((&done.stdout, &done.stderr), (&plain.stdout, &plain.stderr));
}

/// Prints a letter for each statement that is executed, before what it executes.
const LETTERS: &str = "\
public class Letters {
    static boolean tell(char letter) {
        System.out.print(letter);
        return true;
    }
    static void all(int n) {
        for (int i = 0; i < n && tell('a'); i++)
            if (tell('b'))
                tell('c');
        Runnable inner = () -> { tell('d'); };
        try {
            inner.run();
            if (tell('e')) throw new RuntimeException();
        } catch (RuntimeException error) {
            tell('f');
        } finally {
            tell('g');
        }
    }
    public static void main(String[] args) {
        all(2);
        tell('h');
        all(1);
        if (tell('i')) System.exit(3);
    }
}
";

/// Returns what is true three times of four, as this seed has it.
pub fn by_chance(mut seed: u64) -> impl FnMut() -> bool {
    move || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        seed >> 62 != 0
    }
}

/// Returns a part of a plan of a program that tells a letter for each statement, as this seed has it, and the letters that it tells then. What
/// decides where control goes stays: `stays` are texts of such statements, `prints` is that of the one that prints.
pub fn some_letters(plan: &str, seed: u64, stays: &[&str], prints: &str) -> (String, String) {
    let mut is_kept = by_chance(seed);
    let (mut text, mut told) = (String::new(), vec![]);
    // The events that an event belongs to: whether they are executed, and their letters.
    let mut around: Vec<(bool, Option<char>)> = vec![];
    for event in events(plan) {
        around.truncate(event.len() - event.trim_start().len());
        let is_in_plan = is_kept() || stays.iter().any(|it| event.contains(it));
        if is_in_plan {
            text += &format!("{event}\n");
        }
        // What belongs to something that is left out goes with it, though its line stays.
        let is_executed = is_in_plan && around.iter().all(|(is, _)| *is);
        let letter = event.split_once("tell('").and_then(|(_, rest)| rest.chars().next());
        if let (true, true, Some((_, Some(letter)))) = (is_executed, event.contains(prints), around.last()) {
            told.push((at(event).0, *letter));
        }
        around.push((is_executed, letter));
    }
    told.sort_unstable();
    (text, told.into_iter().map(|(_, letter)| letter).collect())
}

#[test]
fn a_plan_is_what_is_executed() {
    let workshop = Workshop::new();
    workshop.write("Letters.java", LETTERS);
    let (build, program) = ("javac Letters.java", ["java", "Letters"]);
    let options = ["--build", build, "--fails-if", "exit=3", "--tests", "1"];
    trace(&workshop, &options, &program).exits_with(4);
    let plan = workshop.text("Letters.trace.txt");
    let mut all = std::collections::BTreeSet::new();
    for seed in 0..3 {
        let (text, told) = some_letters(&plan, seed, &["return true", "Runnable", "throw"], "print(letter)");
        workshop.write("some.txt", text);
        // It does the same twice.
        for _ in 0..=usize::from(seed == 0) {
            let done = step(&workshop, ("some.txt", "Letters.trace.txt"), build, &program);
            assert_eq!(done.stdout, told, "{seed}: {}", done.stderr);
        }
        all.insert(told);
    }
    assert_eq!(all.len(), 3, "{all:?}");
    // Without any, nothing is executed; the program still begins.
    workshop.write("none.txt", "# nothing\n");
    let done = step(&workshop, ("none.txt", "Letters.trace.txt"), build, &program).exits_with(0);
    assert_eq!((done.stdout.as_str(), done.stderr.as_str()), ("", ""));
}

const CALLS: &str = "\
public class Prog {
    static int square(int x) {
        int y = x * x;
        return y;
    }
    static int both(int a, int b) {
        int s = square(a) + square(b);
        if (s > 10)
            s = s - 1;
        else
            s = s + 1;
        return s;
    }
    static int deeper(int n) {
        if (n == 0)
            return 0;
        return deeper(n - 1) + 1;
    }
    public static void main(String[] args) {
        int n = both(1, 2);
        n = n + both(2, 3);
        n = n + deeper(2);
        try {
            Object none = args.length > 0 ? args : null;
            n = n + none.hashCode();
        } catch (NullPointerException error) {
            n = n + 1;
        }
        System.exit(n);
    }
}
";

const LOOPS: &str = "\
public class Prog {
    public static void main(String[] args) {
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
        switch (n) {
            case 6:
                n = n + 1;
            default:
                n = n + 1;
        }
        System.exit(sum + n);
    }
}
";

#[test]
fn what_is_recorded_is_where_a_debugger_stops() {
    let workshop = Workshop::new();
    workshop.write("../steps/Steps.java", include_str!("../../../../fixtures/guards/Steps.java"));
    workshop.shell("javac -d ../steps ../steps/Steps.java").run().exits_with(0);
    for (text, loops, status) in [(CALLS, &[][..], 6 + 12 + 2 + 1), (LOOPS, &[(5, 8), (9, 13), (14, 18)], 8 + 8)] {
        workshop.write("Prog.java", text);
        workshop.shell("javac -g -d ../plain Prog.java").run().exits_with(0);
        let told = workshop.call("java", ["-cp", "../steps", "Steps", "Prog", "../plain"]).run().exits_with(0);
        let numbers = |line: &str| {
            let mut words = line.strip_prefix("at ")?.split(' ').map(|it| it.parse::<u32>().unwrap());
            Some((words.next()?, words.next()?))
        };
        let shown: Vec<(u32, u32)> = told.stdout.lines().filter_map(numbers).collect();
        let fails_if = format!("exit={status}");
        let options = ["--build", "javac -g Prog.java", "--fails-if", &fails_if, "--tests", "1"];
        trace(&workshop, &options, &["java", "-cp", ".", "Prog"]).exits_with(4);
        // A `try` has no code, and `catch` has.
        let of = |lines: Vec<u32>, word: &str| {
            let is_code = |line: &u32| !text.lines().nth(*line as usize - 1).unwrap().trim().starts_with(word);
            lines.into_iter().filter(is_code).collect::<Vec<_>>()
        };
        let recorded = of(lines(&workshop.text("Prog.trace.txt")), "try {");
        assert_eq!(recorded, of(begun(&shown, text, loops), "} catch"), "{text}");
    }
}

/// A method whose names mean something else with guards, a loop that a shorter plan makes longer, and a class that is used first here or there.
const ODD: &str = "\
public class Odd {
    static class Table {
        static final int[] OF = filled(3);
        static int[] filled(int n) {
            int[] made = new int[n];
            java.util.Arrays.fill(made, 1);
            return made;
        }
    }
    static int chosen(boolean is) {
        int one;
        if (is) one = 1; else one = 2;
        java.util.function.IntSupplier of = () -> one;
        return of.getAsInt();
    }
    public static void main(String[] args) {
        int first = Table.OF[0];
        int second = Table.OF[1];
        int n = 3;
        while (n > 0)
            n--;
        System.exit(chosen(true) + second);
    }
}
";

#[test]
fn what_does_not_compile_is_left_and_longer_loops_say_nothing() {
    let workshop = Workshop::new();
    workshop.write("Odd.java", ODD);
    let (build, program) = ("javac Odd.java", ["java", "Odd"]);
    let done = trace(&workshop, &["--build", build, "--fails-if", "exit=2"], &program).exits_with(0);
    done.says("1 function is left as written: it does not compile with guards.").says("Proved: 1-minimal");
    // What initialises a class is executed wherever it is used first.
    let left = workshop.text("Odd.trace.reduced.txt");
    assert_eq!(events(&left).into_iter().map(|event| at(event).1).collect::<Vec<_>>(), [18, 22]);
    let plan = workshop.text("Odd.trace.txt");
    let place = plan.lines().position(|line| line.ends_with("n--;")).unwrap();
    let shorter: Vec<&str> = plan.lines().enumerate().filter(|(n, _)| *n != place).map(|(_, line)| line).collect();
    workshop.write("shorter.txt", shorter.join("\n") + "\n");
    let longer = step(&workshop, ("shorter.txt", "Odd.trace.txt"), build, &program).exits_with(125);
    longer.says("something is executed that was not when it was recorded");
}

#[test]
fn a_file_that_java_compiles_and_a_jar_are_those_of_the_copy() {
    let workshop = Workshop::new();
    workshop
        .write("Main.java", "class Main { public static void main(String[] words) { int n = 3; System.exit(n); } }\n");
    let refused = trace(&workshop, &[], &["java", "Main.java"]).exits_with(2);
    refused.says("reduct trace --build true -- java Main.java");
    let jar = "javac -d out Main.java && jar cfe it.jar Main -C out .";
    // The user has a jar, too, without guards.
    workshop.shell(jar).run().exits_with(0);
    for (build, program) in [("true", ["java", "-cp", ".", "Main.java"]), (jar, ["java", "-ea", "-jar", "it.jar"])] {
        let done = trace(&workshop, &["--build", build, "--fails-if", "exit=3", "--tests", "1"], &program);
        done.exits_with(4).says("Recorded: 2 statement executions in 1 file, the same twice.");
    }
}
