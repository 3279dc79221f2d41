//! Which failure it is: in whose files it happened, what it names, and what it came of. Programs that read an input
//! fail in two ways each; a reduction stays with the first.

use crate::workshop::{Done, Workshop};
use std::fmt::Write;

/// Orders of which one has an item without a price.
fn orders() -> String {
    let mut text = String::from("{\"orders\": [\n");
    for at in 0..4 {
        let price = if at == 2 { "" } else { ", \"price\": {\"amount\": 7, \"unit\": \"EUR\"}" };
        let comma = if at == 3 { "" } else { "," };
        let _ =
            writeln!(text, "{{\"customer\": {{\"name\": \"n{at}\"}}, \"items\": [{{\"id\": {at}{price}}}]}}{comma}");
    }
    text + "]}\n"
}

/// Reduces a file, and says what a program prints on the result.
fn reduced(workshop: &Workshop, input: &str, command: &[&str]) -> (Done, String, String) {
    let words = ["-q", input, "-o", "result", "--"].into_iter().chain(command.iter().copied());
    let done = workshop.reduct(words).run().exits_with(0);
    let result = workshop.text("result");
    let replaced = command.iter().map(|word| if *word == input { "result" } else { word });
    let all: Vec<&str> = replaced.collect();
    let said = workshop.call(all[0], &all[1..]).run();
    let said = format!("{}{}", said.stdout, said.stderr);
    (done, result, said)
}

fn built(workshop: &Workshop, source: &str, program: &str, options: &[&str]) {
    let words = ["-O0", "-g", "-o", program, source].into_iter().chain(options.iter().copied());
    workshop.call("gcc", words).run().exits_with(0);
}

/// The function is called like a key of the input: it is the program's nevertheless.
#[test]
fn a_function_named_like_a_key_of_the_input_tells_the_place() {
    let workshop = Workshop::new();
    workshop.write(
        "err.js",
        "function price(order) { const item = order.items[0];\n\
         const amount = item.price.amount;\n\
         return order.customer.name + amount;\n}\n\
         for (const order of JSON.parse(require('fs').readFileSync(process.argv[2], 'utf8')).orders) price(order);\n",
    );
    workshop.write("orders.json", orders());
    let (_, result, said) = reduced(&workshop, "orders.json", &["node", "err.js", "orders.json"]);
    assert!(said.contains("err.js:2:") && said.contains("(reading 'amount')"), "{said}");
    assert!(result.len() <= r#"{"orders":[{"items":[{}]}]}"#.len(), "{result}");
}

#[test]
fn a_key_that_is_missing_elsewhere_is_another_failure() {
    let workshop = Workshop::new();
    workshop.write(
        "price.py",
        "import json, sys\n\
         def price(order):\n    \
             item = order['items'][0]\n    \
             amount = item['price']['amount']\n    \
             return order['customer']['name'], amount\n\
         for order in json.load(open(sys.argv[1]))['orders']: price(order)\n",
    );
    workshop.write("orders.json", orders());
    let (_, result, said) = reduced(&workshop, "orders.json", &["python3", "price.py", "orders.json"]);
    assert!(said.contains("line 4, in price") && said.contains("KeyError: 'price'"), "{said}");
    assert!(result.len() <= r#"{"orders":[{"items":[{}]}]}"#.len(), "{result}");
}

/// A program that was packed is one line: the column tells the place.
#[test]
fn another_column_of_a_program_of_one_line_is_another_failure() {
    let workshop = Workshop::new();
    let program = "for(const r of JSON.parse(require('fs').readFileSync(process.argv[2])))r.n.v,r.m.v";
    workshop.write("packed.js", program);
    workshop.write("rows.json", r#"[{"n": {"v": 1}, "m": {"v": 2}}, {"n": {"v": 3}}]"#);
    let (done, result, said) = reduced(&workshop, "rows.json", &["node", "packed.js", "rows.json"]);
    let column = program.rfind('v').unwrap() + 1;
    assert!(said.contains(&format!("packed.js:1:{column}")), "{result}: {said}");
    done.says(&format!("at packed.js:1:{column}"));
    assert!(result.contains("\"n\""), "{result}");
}

/// In the candidate itself, it may be any.
#[test]
fn the_column_in_a_candidate_of_one_line_may_change() {
    let workshop = Workshop::new();
    workshop.write("packed.js", "let a=[1,2,3];let b={v:a};function f(x){return x.n.v}f({m:b});f({n:a})");
    let (_, result, said) = reduced(&workshop, "packed.js", &["node", "packed.js"]);
    // The name that is read is the candidate's too.
    assert!(said.contains("TypeError: Cannot read properties of undefined (reading '"), "{result}: {said}");
    assert!(result.trim_end().len() <= "function f(x){return x.n.v}f({})".len(), "{result}");
}

/// On one line: all that tells them apart is whether the candidate holds the key.
#[test]
fn a_key_that_the_candidate_does_not_hold_is_not_one_that_it_does() {
    let workshop = Workshop::new();
    workshop.write(
        "sum.py",
        "import json, sys\nfor row in json.load(open(sys.argv[1])):\n    for key in ['id', 'amount', 'unit']: row[key]\n",
    );
    workshop.write("rows.json", r#"[{"id": 1, "amount": 2, "unit": 3}, {"id": 4, "unit": 5}, {"id": 6, "amount": 7}]"#);
    let (_, result, said) = reduced(&workshop, "rows.json", &["python3", "sum.py", "rows.json"]);
    assert!(said.contains("KeyError: 'amount'"), "{result}: {said}");
    assert!(result.len() <= r#"[{"id": 4}]"#.len(), "{result}");
}

/// A key that comes from the input may be any other one of it, and shorter; the end tells of both.
#[test]
fn a_name_of_the_input_may_become_another_one_of_it() {
    let workshop = Workshop::new();
    workshop
        .write("uses.py", "import json, sys\nfor name in json.load(open(sys.argv[1]))['uses']: {'known': 1}[name]\n");
    workshop.write("uses.json", r#"{"more": [1, 2], "uses": ["known", "first_missing", "known", "second"]}"#);
    let (done, result, said) = reduced(&workshop, "uses.json", &["python3", "uses.py", "uses.json"]);
    assert!(said.contains("KeyError: ") && !said.contains("KeyError: 'uses'"), "{said}");
    assert!(result.len() <= r#"{"uses":["second"]}"#.len(), "{result}");
    let key = said.lines().last().unwrap_or_default().to_owned();
    done.says(&format!("at first: “KeyError: 'first_missing'” at uses.py:2; the result: “{key}” at uses.py:2"));
}

#[test]
fn an_index_into_another_array_is_another_failure() {
    let workshop = Workshop::new();
    workshop.write(
        "T.java",
        "import java.nio.file.*;\n\
         public class T {\n    \
             static int[] marks = new int[3], rates = new int[12];\n    \
             static int rate(String[] words) {\n        \
                 int mark = marks[Integer.parseInt(words[0])];\n        \
                 String rate = words[1];\n        \
                 return mark + rates[Integer.parseInt(rate)];\n    \
             }\n    \
             public static void main(String[] given) throws Exception {\n        \
                 for (String line : Files.readAllLines(Paths.get(given[0]))) rate(line.split(\" \"));\n    \
             }\n}\n",
    );
    workshop.call("javac", ["T.java"]).run().exits_with(0);
    workshop.write("rates.txt", "1 3\n2 400\n0 11\n");
    let classes = workshop.home();
    let classes = classes.to_str().unwrap();
    let command = ["java", "-Xshare:auto", "-XX:TieredStopAtLevel=1", "-cp", classes, "T", "rates.txt"];
    let (_, result, said) = reduced(&workshop, "rates.txt", &command);
    assert!(said.contains("at T.rate(T.java:7)") && said.contains("IndexOutOfBounds"), "{said}");
    assert!(result.trim_end().len() <= "2 400".len(), "{result}");
}

/// perl names its line in a message, and that of the input.
#[test]
fn the_line_of_a_program_in_a_message_tells() {
    let workshop = Workshop::new();
    workshop.write(
        "ratio.pl",
        "while (<>) {\n  my ($first, $second, $third) = split;\n  my $x = $first / $second;\n  my $y = $first / $third;\n}\n",
    );
    workshop.write("in.txt", "6 3 2\n8 2 1\n9 1 0\n");
    let (_, result, said) = reduced(&workshop, "in.txt", &["perl", "ratio.pl", "in.txt"]);
    assert!(said.contains("division by zero at ratio.pl line 4"), "{result}: {said}");
    // Two numbers, so that the third is missing.
    assert_eq!(result.split_whitespace().count(), 2, "{result}");
}

#[test]
fn the_cause_of_an_exception_tells() {
    let workshop = Workshop::new();
    workshop.write(
        "load.py",
        "import json, sys\n\
         def check(row):\n    \
             key = row['id']\n    \
             return key, 100 // row['n']\n\
         def load(row):\n    \
             try: return check(row)\n    \
             except Exception as cause: raise ValueError('bad row') from cause\n\
         for row in json.load(open(sys.argv[1])): load(row)\n",
    );
    workshop.write("rows.json", r#"[{"id": 17, "n": 4}, {"id": 18, "n": 0}, {"id": 19, "n": 1}]"#);
    let (_, result, said) = reduced(&workshop, "rows.json", &["python3", "load.py", "rows.json"]);
    assert!(said.contains("ZeroDivisionError") && said.contains("ValueError: bad row"), "{result}: {said}");
    assert!(result.len() <= r#"[{"id":18,"n":0}]"#.len(), "{result}");
}

/// A name that a compiler quotes may be shortened, as the candidate holds it.
#[test]
fn a_name_that_a_compiler_quotes_may_be_shortened() {
    let workshop = Workshop::new();
    let functions = (0..6).map(|at| format!("int scale_{at}(int value) {{ return value * {at}; }}\n"));
    let source = functions.collect::<String>() + "int total(int count) { return count + missing_total; }\n";
    workshop.write("m.c", source);
    let (_, result, said) = reduced(&workshop, "m.c", &["gcc", "-fsyntax-only", "m.c"]);
    drop(said);
    assert!(!result.contains("missing_total") && result.len() <= "int a(int b){return b+c;}".len(), "{result}");
}

/// What an assertion says is the program's, though the input has the same words.
#[test]
fn an_assertion_of_another_value_is_another_failure() {
    let workshop = Workshop::new();
    workshop.write(
        "check.c",
        "#include <assert.h>\n#include <stdio.h>\n#include <string.h>\n\
         int main(int argc, char **argv) {\n\
         FILE *in = fopen(argv[1], \"r\");\nchar key[9];\nint price = 0, vat = 0, value;\n\
         while (in && fscanf(in, \"%8s %d\", key, &value) == 2) {\n\
         if (!strcmp(key, \"price\")) { price = value; assert(price < 9); }\n\
         if (!strcmp(key, \"vat\")) { vat = value; assert(vat < 9); }\n\
         }\nreturn 0;\n}\n",
    );
    built(&workshop, "check.c", "check", &[]);
    workshop.write("in.txt", "vat 3\nprice 17\nvat 22\nprice 4\nvat 31\n");
    workshop.reduct(["-q", "in.txt", "-o", "result", "--", "./check", "in.txt"]).run().exits_with(0);
    let result = workshop.text("result");
    assert!(result.starts_with("price"), "{result}");
    assert_eq!(result.split_whitespace().count(), 2, "{result}");
}

/// A program that prints its own backtrace says where it was.
#[test]
fn a_backtrace_that_the_program_prints_tells_the_place() {
    let workshop = Workshop::new();
    workshop.write(
        "trace.c",
        "#include <execinfo.h>\n#include <signal.h>\n#include <stdio.h>\n#include <string.h>\n#include <unistd.h>\n\
         void handler(int number) {\n\
         void *all[32];\nwrite(2, \"caught signal 11\\n\", 17);\n\
         backtrace_symbols_fd(all, backtrace(all, 32), 2);\n_exit(3);\n}\n\
         int sum;\n\
         void alpha(volatile int *at) { sum += *at; }\n\
         void beta(volatile int *at) { sum -= *at; }\n\
         int main(int argc, char **argv) {\n\
         void *warm[1];\nbacktrace(warm, 1);\nsignal(SIGSEGV, handler);\n\
         FILE *in = fopen(argv[1], \"r\");\nchar word[9];\n\
         while (in && fscanf(in, \"%8s\", word) == 1) {\n\
         if (!strcmp(word, \"alpha\")) alpha(0);\n\
         if (!strcmp(word, \"beta\")) beta(0);\n\
         }\nreturn 0;\n}\n",
    );
    built(&workshop, "trace.c", "trace", &["-rdynamic"]);
    workshop.write("in.txt", "x y\nalpha z\nbeta w\nalpha\n");
    workshop.reduct(["-q", "in.txt", "-o", "result", "--", "./trace", "in.txt"]).run().exits_with(0);
    assert_eq!(workshop.text("result").trim(), "alpha");
}

/// Where the input is the program, its functions and lines come and go.
#[test]
fn in_the_candidate_itself_neither_names_nor_lines_tell() {
    let workshop = Workshop::new();
    workshop.write(
        "main.py",
        "import os\n\nLIMIT = 12\n\ndef scaled(value):\n    return LIMIT / (value - value)\n\n\
         def main():\n    for value in range(3):\n        print(scaled(value))\n\nmain()\n",
    );
    let (_, result, said) = reduced(&workshop, "main.py", &["python3", "main.py"]);
    assert!(said.contains("ZeroDivisionError"), "{said}");
    assert!(result.trim().len() <= "1/0".len(), "{result}");
}

/// What the test makes of the candidate is the candidate.
#[test]
fn in_a_copy_of_the_candidate_neither_names_nor_lines_tell() {
    let workshop = Workshop::new();
    workshop.script("test.sh", "cp \"$1\" copy.py && exec python3 copy.py");
    workshop.write("main.py", "LIMIT = 12\n\ndef scaled(value):\n    return LIMIT / (value - value)\n\n\nscaled(3)\n");
    workshop.reduct(["-q", "main.py", "-o", "result", "--arg", "--", "./test.sh"]).run().exits_with(0);
    let result = workshop.text("result");
    assert!(result.trim().len() <= "1/0".len(), "{result}");
}

/// A list that ends before what is looked for. Without the name it dies in a library before that.
const LISTS: &str = "#include <stdio.h>\n#include <stdlib.h>\n\
     struct node { int key; struct node *next; };\n\
     static struct node *find(struct node *l, int k) { while (l->key != k) l = l->next; return l; }\n\
     int main(void) {\n\
       struct node *l = calloc(1, sizeof *l);\n\
       const char *name = 0;\n\
       name = \"list\";\n\
       int k = strlen(name);\n\
       printf(\"found %d\\n\", find(l, k)->key);\n}\n";

/// Asks gdb for the calls on the stack of a program made of what is left, outermost last.
fn stack_of(workshop: &Workshop, source: &str) -> Vec<String> {
    workshop.call("gcc", ["-g", "-w", "-x", "c", "-o", "left", source]).run().exits_with(0);
    let asked = workshop.call("gdb", ["-nx", "-batch", "-ex", "run", "-ex", "bt 80", "./left"]).run();
    asked.stdout.lines().filter(|line| line.starts_with('#')).map(str::to_owned).collect()
}

/// Reduces by lines a program that a test compiles and runs: the compiler is the first program that the script starts, and the second one dies.
fn made_of_the_input(text: &str) -> (Workshop, Done) {
    let workshop = Workshop::new();
    workshop.script("test.sh", "gcc -g -w -o program \"$1\" || exit 1\n./program\n");
    workshop.write("it.c", text);
    let words = ["it.c", "-o", "left.c", "--by", "lines", "--arg", "--", "./test.sh"];
    let done = workshop.reduct(words).run().exits_with(0);
    (workshop, done)
}

/// The names of its functions change from candidate to candidate: what tells is that it dies in one of its own.
#[test]
fn a_program_made_of_the_input_dies_in_code_of_its_own() {
    let (workshop, done) = made_of_the_input(LISTS);
    done.says("in a function that the input names, as the first run showed").says("in a library");
    let stack = stack_of(&workshop, "left.c");
    let innermost = stack.first().map_or("", String::as_str);
    assert!(stack.len() < 64 && innermost.contains(" in find ") && innermost.contains("left.c:"), "{stack:#?}");
    let left = workshop.text("left.c");
    assert!(left.lines().any(|line| line.trim() == "name = \"list\";"), "{left}");
}

/// The program that dies need not be the first one that a script runs.
#[test]
fn the_place_is_known_of_the_second_program_of_a_script() {
    let workshop = Workshop::new();
    workshop.write(
        "reader.c",
        "#include <stdio.h>\nstatic int look(int *p) { return *p; }\nstatic int peek(int *p) { return *p; }\n\
         int main(int c, char **v) {\n  FILE *f = fopen(v[1], \"r\");\n  char line[99];\n  int n = 0;\n\
         while (fgets(line, 99, f)) if (line[0] == 'x') n += look(0); else if (line[0] == 'y') n += peek(0);\n  return n;\n}\n",
    );
    built(&workshop, "reader.c", "reader", &[]);
    workshop.write("rows.txt", "a\nb\nx\ny\nc\n");
    let (script, reader) = ("wc -l \"$1\" >/dev/null\n", workshop.home().join("reader"));
    workshop.script("test.sh", &format!("{script}{} \"$1\"\n", reader.display()));
    let done = workshop.reduct(["rows.txt", "-o", "left", "--arg", "--", "./test.sh"]).run().exits_with(0);
    done.says("in look ← main at reader.c:2");
    assert_eq!(workshop.text("left").trim(), "x");
}

/// `main` can call itself, too, and gdb shows it.
#[test]
fn a_recursion_without_an_end_is_no_other_death() {
    let lines = ["int main(int c) {", "int *p = 0;", "p = &c;", "c = 1 + *p;", "return 1 + main(c);", "}"];
    let (workshop, done) = made_of_the_input(&(lines.join("\n") + "\n"));
    done.says("in a recursion of 64 calls or more, as the first run showed");
    assert_eq!(workshop.text("left.c"), "int main(int c) {\nreturn 1 + main(c);\n}\n");
}

/// What the program does in a handler of another signal is its own work.
#[test]
fn a_death_in_a_handler_has_its_place_there() {
    let workshop = Workshop::new();
    workshop.write(
        "ticks.c",
        "#include <signal.h>\n#include <stdio.h>\nstatic char line[99];\nstatic int peek(int *p) { return *p; }\n\
         static void on_tick(int s) { if (line[0] == 'x') peek(0); }\n\
         int main(int c, char **v) {\n  FILE *f = fopen(v[1], \"r\");\n  signal(SIGUSR1, on_tick);\n\
         while (fgets(line, 99, f)) { raise(SIGUSR1); if (line[0] == 'y') *(volatile int *)0 = 1; }\n  return 0;\n}\n",
    );
    built(&workshop, "ticks.c", "ticks", &[]);
    workshop.write("rows.txt", "a\nx\nb\ny\n");
    let done = workshop.reduct(["rows.txt", "-o", "left", "--arg", "--", "./ticks"]).run().exits_with(0);
    done.says("death by SIGSEGV in peek ← on_tick");
    assert_eq!(workshop.text("left").trim(), "x");
}
