//! Executions of JavaScript programs in node.

use crate::workshop::{Done, Workshop};

const RECORDS: &str = "\
'use strict';
const { best } = require('./best');
async function later(x) {
  const y = await x;
  return y + 1;
}
function* pairs(n) {
  for (let i = 0; i < n; i++) {
    if (i % 2) continue;
    yield [i, i * i];
  }
}
class Point {
  #x;
  constructor(x) { this.#x = x; }
  get x() { return this.#x; }
}
outer: for (const a of [1, 2, 3]) {
  for (const b of [1, 2]) {
    if (b === 2) continue outer;
    switch (a) {
      case 1: console.log('one'); break;
      default: console.log(a, b);
    }
  }
}
var n = 3, m, { k = 4, l: [z] } = { l: [5] };
do { n--; } while (n > 0)
try { null.x; } catch (error) { console.log(error.message); } finally { m = 1 }
console.log([...pairs(4)], new Point(2).x, best([3, 9, 4]), k, z, m, n, process.argv.slice(2));
later(Promise.resolve(1)).then((it) => { console.log(it); process.exitCode = it * 2; });
";

const BEST: &str = "\
exports.best = (points) => {
  let most = points[0];
  for (let i = 1; i < points.length; i++)
    if (points[i] > most) most = points[i]
  return most;
};
";

fn trace(workshop: &Workshop, options: &[&str], program: &[&str]) -> Done {
    let words = [&["trace", "--force"][..], options, &["--"], program].concat();
    workshop.reduct(words).env("REDUCT_CONFINE", "auto").env("REDUCT_ALLOW_WRITE", "").run()
}

#[test]
fn a_program_with_a_thread_is_recorded_but_for_the_thread() {
    let workshop = Workshop::new();
    workshop.write(
        "prog.js",
        "const { Worker } = require('worker_threads');\nlet noise = 1;\nconst worker = new Worker('./twice.js', { workerData: 21 });\n\
         worker.on('message', (it) => {\n  noise = it;\n  if (it > 41) throw new Error('too much');\n});\n",
    );
    workshop.write(
        "twice.js",
        "const { parentPort, workerData } = require('worker_threads');\nlet it = workerData;\nit *= 2;\nparentPort.postMessage(it);\n",
    );
    trace(&workshop, &["--tests", "1"], &["node", "prog.js"]).exits_with(4).says("in Worker.<anonymous> at prog.js:6");
    let plan = workshop.text("prog.js.trace.txt");
    let recorded =
        ["let noise = 1;", "const worker = new Worker", "worker.on(", "noise = it;", "if (it > 41)", "if (it > 41)"];
    assert!(texts(&plan).iter().zip(recorded).all(|(text, begin)| text.starts_with(begin)), "{plan}");
    assert_eq!(texts(&plan).len(), recorded.len(), "{plan}");
    let words = ["step", "prog.js.trace.txt", "--", "node", "prog.js"];
    // Below the program, the stack says whether the thread had ended by then.
    let said = |done: Done| done.exits_with(1).stderr.lines().take(6).map(str::to_owned).collect::<Vec<_>>();
    let plain = said(workshop.call("node", ["prog.js"]).run());
    assert!(plain.last().is_some_and(|line| line.contains("prog.js:6:22")), "{plain:?}");
    assert_eq!(said(workshop.reduct(words).run()), plain);
}

/// The texts of a plan's lines.
fn texts(plan: &str) -> Vec<&str> {
    plan.lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| Some(line.trim_start().split_once(' ')?.1))
        .collect()
}

#[test]
fn under_the_whole_plan_a_program_does_what_it_does() {
    let workshop = Workshop::new();
    workshop.write("prog.js", RECORDS);
    workshop.write("best.js", BEST);
    let plain = workshop.call("node", ["prog.js", "a b"]).run().exits_with(4);
    trace(&workshop, &["--fails-if", "exit=4", "--tests", "1"], &["node", "prog.js", "a b"]).exits_with(4);
    let step = workshop.reduct(["step", "prog.js.trace.txt", "--", "node", "prog.js", "a b"]).run().exits_with(4);
    assert_eq!((step.stdout, step.stderr), (plain.stdout, plain.stderr));
}

/// Shows where each of its errors stands, and ends with one that nobody catches.
const ERRORS: &str = "\
'use strict';
class Shop { constructor(x) { this.x = x; } get(y) { const it = this.x[y]; if (!it) throw new RangeError('no ' + y); return it; }
  async later(y) { await null; return this.get(y); } }
const shop = new Shop({ a: 1 }); const seen = [];
try { shop.get('b'); } catch (e) { console.log(e.stack); }
for (const k of ['a']) { seen.push(shop.get(k)); [1].forEach((x) => { const e = new Error('in ' + x); console.log(e.stack); }); }
const modules = require('module');
console.log(process.execArgv, modules.builtinModules.filter((x) => x.startsWith('internal/')), require('internal/util').own);
console.log(['internal/util', 'fs', 'node:test', 'test', 'node:internal/errors'].map((x) => modules.isBuiltin(x)));
for (const x of ['internal/errors', 'node:internal/errors']) try { require(x); } catch (e) { console.log(e.code, e.stack); }
shop.later('c').catch((e) => { console.log(e.stack);
\tconst o = { f() { return JSON.parse('{'); } };
\ttry { o.f(); } catch (e) { console.log(e.stack); }
\tsetImmediate(() => { let done = 0; done += 1; if (done) throw e; }); });
";

#[test]
fn errors_and_modules_are_what_they_are_without_guards() {
    let workshop = Workshop::new();
    workshop.write("prog.js", ERRORS);
    // Node has one of that name, which programs do not get.
    workshop.write("node_modules/internal/util.js", "exports.own = true;\n");
    let plain = workshop.call("node", ["prog.js"]).run().exits_with(1).says("if (done) throw e;");
    trace(&workshop, &["--tests", "1"], &["node", "prog.js"]).exits_with(4).says("at prog.js:2:91");
    let step = workshop.reduct(["step", "prog.js.trace.txt", "--", "node", "prog.js"]).run().exits_with(1);
    assert_eq!((step.stdout, step.stderr), (plain.stdout, plain.stderr));
}

const SUM: &str = "\
function add(x) {
  const noise = x * 3; // no matter
  return x + 1;
}
let total = 0;
for (let i = 0; i < 5; i++) {
  const other = i * 2; // no matter
  total = add(total);
}
console.log('done'); // no matter
if (total === 5) throw new Error('five');
";

#[test]
fn what_a_failure_needs_is_left_and_values_are_listed() {
    let workshop = Workshop::new();
    workshop.write("prog.js", SUM);
    let program = ["node", "prog.js"];
    let done = trace(&workshop, &[], &program).exits_with(0);
    // Two before the loop and two behind it, the loop, five iterations with two statements in one and two in the other, and the throw.
    done.says("Recorded: 30 statement executions in 1 file, the same twice.");
    let left = workshop.text("prog.js.trace.reduced.txt");
    assert!(!left.contains("no matter"), "{left}");
    // An unset total is no number, so that it must begin; each iteration adds one.
    let add = ["total = add(total);", "return x + 1;"];
    let iterations = (1..=5).flat_map(|n| [format!("iteration {n}")].into_iter().chain(add.map(String::from)));
    let of_loop = ["let total = 0;", "for (let i = 0; i < 5; i++) {"].map(String::from).into_iter().chain(iterations);
    let throws = ["if (total === 5) throw new Error('five');"; 2].map(String::from);
    assert_eq!(texts(&left), of_loop.chain(throws).collect::<Vec<_>>());
    let list =
        workshop.reduct(["step", "--list", "prog.js.trace.reduced.txt", "--", "node", "prog.js"]).run().exits_with(1);
    let row = list.stdout.lines().find(|line| line.starts_with("     8      5 of 5    total = add(total);"));
    assert!(row.is_some_and(|row| row.ends_with("  total = 5")), "{}", list.stdout);
    // The second statement of a line has its number.
    assert!(list.stdout.contains("\n    11      1 of 1  if (total"), "{}", list.stdout);
    assert!(list.stdout.contains("\n  11.2      1 of 1  if (total"), "{}", list.stdout);
    let plan = workshop.text("prog.js.trace.txt");
    let without: Vec<&str> = plan.lines().filter(|line| !line.contains("total = 0")).collect();
    workshop.write("without.txt", without.join("\n") + "\n");
    let step = |plan| workshop.reduct(["step", plan, "--recorded", "prog.js.trace.txt", "--", "node", "prog.js"]).run();
    // Nothing is thrown where the total is no number.
    assert_eq!(step("without.txt").exits_with(0).stdout, "done\n");
    workshop.write("longer.js", "let n = 2;\nwhile (n > 0)\n  n--;\nthrow n;\n");
    trace(&workshop, &["--tests", "1"], &["node", "longer.js"]).exits_with(4);
    let plan = workshop.text("longer.js.trace.txt");
    let at = plan.lines().position(|line| line.ends_with("n--;")).unwrap();
    let shorter: Vec<&str> = plan.lines().enumerate().filter(|(n, _)| *n != at).map(|(_, line)| line).collect();
    workshop.write("shorter.txt", shorter.join("\n") + "\n");
    let longer =
        workshop.reduct(["step", "shorter.txt", "--recorded", "longer.js.trace.txt", "--", "node", "longer.js"]).run();
    longer.exits_with(125).says("something is executed that was not when it was recorded");
    trace(&workshop, &["--control", "recorded"], &program)
        .exits_with(2)
        .says("control cannot go as it was recorded in programs in JavaScript");
}
