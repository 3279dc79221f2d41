//! Schedules of threads: found, replayed, reduced.

use crate::check::Check;
use crate::report_kinds::schema;
use crate::workshop::{Done, Workshop};
use serde_json::{Value, json};

/// A thread that sees enough money takes it, under two locks in turn.
pub const BANK: &str = r#"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100, noted;
static int get(void) { pthread_mutex_lock(&lock); int b = balance; pthread_mutex_unlock(&lock); return b; }
static void add(int n) { pthread_mutex_lock(&lock); balance += n; pthread_mutex_unlock(&lock); }
static void note(void) { pthread_mutex_lock(&lock); noted++; pthread_mutex_unlock(&lock); }
static void *customer(void *ignored) {
    for (int i = 0; i < 30; i++) note();
    if (get() >= 60)
        add(-60);
    return ignored;
}
int main(void) {
    pthread_t t[4];
    for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, customer, 0);
    for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
    if (balance < 0) { printf("overdrawn: %d\n", balance); abort(); }
    printf("ok %d\n", balance);
}
"#;

/// Each has one fork and wants that of the next one.
const PHILOSOPHERS: &str = r#"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static int n;
static pthread_mutex_t fork_[16];
static void *eat(void *who) {
    long i = (long)who;
    pthread_mutex_lock(&fork_[i]);
    pthread_mutex_lock(&fork_[(i + 1) % n]);
    pthread_mutex_unlock(&fork_[(i + 1) % n]);
    pthread_mutex_unlock(&fork_[i]);
    return 0;
}
int main(int count, char **words) {
    n = count > 1 ? atoi(words[1]) : 2;
    pthread_t t[16];
    for (int i = 0; i < n; i++) pthread_mutex_init(&fork_[i], 0);
    for (long i = 0; i < n; i++) pthread_create(&t[i], 0, eat, (void *)i);
    for (int i = 0; i < n; i++) pthread_join(t[i], 0);
    puts("ok");
}
"#;

/// An addition that is not made at once. In between, nothing is called.
const LOST: &str = r#"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static long counter;
static void *work(void *ignored) {
    for (int i = 0; i < 50; i++) {
        long c = counter;
        c = c + 1;
        counter = c;
    }
    return ignored;
}
int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
    if (counter != 150) { printf("lost: %ld\n", counter); exit(3); }
    printf("ok\n");
}
"#;

/// All by which threads wait for one another; it prints the same in each order.
const ALL: &str = r#"
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER, nested = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_barrier_t barrier;
static pthread_spinlock_t spin;
static sem_t room;
static int ready, made, timeouts;
// By threads that hold different locks, or none.
static atomic_int sum, left, atomic;
static mtx_t c11;
static void make(void) { pthread_mutex_lock(&plain); made++; pthread_mutex_unlock(&plain); }
static void clean(void *ignored) { left++; }
static void *work(void *number) {
    pthread_once(&once, make);
    pthread_barrier_wait(&barrier);
    pthread_mutex_lock(&plain);
    while (!ready) pthread_cond_wait(&condition, &plain);
    pthread_mutex_unlock(&plain);
    pthread_mutex_lock(&nested);
    pthread_mutex_lock(&nested);
    sum += (int)(long)number;
    pthread_mutex_unlock(&nested);
    pthread_mutex_unlock(&nested);
    pthread_rwlock_wrlock(&shared);
    sum++;
    pthread_rwlock_unlock(&shared);
    sem_wait(&room);
    sem_post(&room);
    pthread_spin_lock(&spin);
    sum++;
    pthread_spin_unlock(&spin);
    atomic_fetch_add(&atomic, 1);
    usleep(1000);
    pthread_cleanup_push(clean, 0);
    pthread_exit((void *)7);
    pthread_cleanup_pop(0);
}
static int work11(void *ignored) { mtx_lock(&c11); sum++; mtx_unlock(&c11); return 5; }
int main(void) {
    pthread_t t[3];
    pthread_barrier_init(&barrier, 0, 4);
    pthread_spin_init(&spin, 0);
    sem_init(&room, 0, 1);
    mtx_init(&c11, mtx_plain);
    for (long i = 0; i < 3; i++) pthread_create(&t[i], 0, work, (void *)i);
    pthread_barrier_wait(&barrier);
    pthread_mutex_lock(&plain);
    struct timespec soon = {1, 0};
    // Nobody signals it: it ends when nobody else can go on.
    pthread_cond_t never = PTHREAD_COND_INITIALIZER;
    timeouts += pthread_cond_timedwait(&never, &plain, &soon) != 0;
    ready = 1;
    pthread_cond_broadcast(&condition);
    pthread_mutex_unlock(&plain);
    void *result;
    long results = 0;
    for (int i = 0; i < 3; i++) pthread_join(t[i], &result), results += (long)result;
    thrd_t eleven;
    int five;
    thrd_create(&eleven, work11, 0);
    thrd_join(eleven, &five);
    printf("%d %d %d %d %ld %d %d\n", made, sum, timeouts, left, results, atomic, five);
}
"#;

fn compiled(workshop: &Workshop, name: &str, source: &str, options: &[&str]) {
    let file = format!("{name}.c");
    workshop.write(&file, source);
    let words = [&["-g", "-O0", "-pthread", &file, "-o", name][..], options].concat();
    workshop.call("cc", words).run().exits_with(0);
}

pub fn schedule(workshop: &Workshop, words: &[&str]) -> Done {
    let words = [&["schedule"][..], words].concat();
    workshop.reduct(words).env("REDUCT_CONFINE", "auto").env("REDUCT_ALLOW_WRITE", "").run()
}

/// The lines of a schedule that are switches, without their places.
pub fn switches(workshop: &Workshop, file: &str) -> Vec<String> {
    let text = workshop.text(file);
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split(" at ").next().unwrap().to_owned()).collect()
}

#[track_caller]
pub fn lists(done: &Done, what: &str) {
    assert!(done.stdout.contains(what), "{what}\n{}", done.stdout);
}

#[test]
fn one_switch_between_check_and_act_is_enough() {
    let workshop = Workshop::new();
    compiled(&workshop, "bank", BANK, &[]);
    let done = schedule(&workshop, &["--", "./bank"]).exits_with(0).says("Without a switch: exit status 0; ");
    // 30 notes, of two points each; then `get` has one before the lock and one behind it, and `add` another one.
    let found = switches(&workshop, "bank.schedule.txt");
    let expected: Vec<String> = [62, 63].iter().flat_map(|k| [2, 3, 4].map(|to| format!("T1#{k} -> T{to}"))).collect();
    assert!(found.len() == 1 && expected.contains(&found[0]), "{found:?}");
    let done = done
        .says("Failure: death by SIGABRT, whatever is printed, as this schedule showed (--fails-if defines another)");
    lists(&done, "bank.c:");
    lists(&done, "Proved: without it, the program passes.");
    lists(&done, "Confirmed: it failed in 100 of 100 more runs.");
    // Of all single switches around, these six fail, and no other.
    let mut failing = vec![];
    for thread in 1..5 {
        for point in 58..67 {
            for to in (1..5).filter(|to| *to != thread) {
                let line = format!("T{thread}#{point} -> T{to}");
                workshop.write("one.txt", format!("# reduct schedule 1: {{}}\n{line}\n"));
                let done = workshop.reduct(["step", "one.txt", "--", "./bank"]).run();
                if done.status != 0 {
                    failing.push(line);
                }
            }
        }
    }
    assert_eq!(failing, expected);
}

#[test]
fn a_result_is_run_as_often_as_is_asked_for() {
    let workshop = Workshop::new();
    compiled(&workshop, "bank", BANK, &[]);
    let few = schedule(&workshop, &["--confirm", "3", "--", "./bank"]).exits_with(0);
    let few = few.says("Running the result 3 times more.");
    lists(&few, "Confirmed: it failed in 3 of 3 more runs.");
    // What was not run again is not said to be confirmed; nor is it said to be wrong.
    let none = schedule(&workshop, &["--confirm", "0", "--", "./bank"]).exits_with(0);
    let none = none.does_not_say("Running the result");
    lists(&none, "Proved: without it, the program passes.");
    assert!(!none.stdout.contains("onfirmed"), "{}", none.stdout);
    let report: Value = serde_json::from_str(&workshop.reduct(["report", "--json"]).run().stdout).unwrap();
    assert_eq!(Check::of(&schema("run.schema.json"), &report), Vec::<String>::new());
    assert_eq!((&report["confirmed"], &report["claim"]["kind"]), (&Value::Null, &json!("one-minimal")));
    // A run that goes on does what was asked for at first.
    schedule(&workshop, &["--confirm", "2", "--tests", "1", "--seed", "7", "--", "./bank"]).exits_with(4);
    lists(&workshop.reduct(["resume"]).run().exits_with(0), "Confirmed: it failed in 2 of 2 more runs.");
}

#[test]
fn philosophers_starve_with_a_switch_less_than_there_are() {
    let workshop = Workshop::new();
    compiled(&workshop, "eat", PHILOSOPHERS, &[]);
    for n in 2..=4 {
        // Each but the last one is interrupted once, between its forks.
        let needed: Vec<String> = (1..n).map(|i| format!("T{i}#2 -> T{}", i + 1)).collect();
        // The main thread may be interrupted, too, when all have begun.
        let given = format!("# reduct schedule 1: {{}}\n{}\nT0#{n} -> T1\n", needed.join("\n"));
        workshop.write("given.txt", given);
        let number = n.to_string();
        let done = schedule(&workshop, &["--force", "--confirm", "5", "--from", "given.txt", "--", "./eat", &number])
            .exits_with(0);
        lists(&done, "a deadlock");
        // One switch more says nothing beside the one that is left; where several are left, it is the first answer.
        assert_eq!(done.stdout.contains("The difference, where it fails:"), n > 2, "{}", done.stdout);
        let found = switches(&workshop, "eat.schedule.txt");
        assert_eq!(found.len(), n - 1, "{found:?}");
        let step = workshop.reduct(["step", "eat.schedule.txt", "--", "./eat", &number]).run().exits_with(99);
        // Its left fork is the first one, and the second philosopher has the other one. It is a variable of the program.
        let waits = step.stderr.lines().find(|line| line.starts_with("  thread 1 waits for a mutex (")).unwrap();
        assert!(waits.contains("/eat+0x") && waits.contains(") that thread 2 has, at "), "{waits}");
        lists(&done, "thread 1 waits for a mutex (fork_[1]) that thread 2 has, in eat, eat.c:10;");
    }
    // The second one is interrupted between its forks in one of two schedules only; before the first fork, it does no harm.
    workshop.write("good.txt", "T1#2 -> T2\nT2#1 -> T3\n");
    workshop.write("bad.txt", "T1#2 -> T2\nT2#2 -> T3\n");
    let words = ["--force", "--good", "good.txt", "--bad", "bad.txt", "--", "./eat", "3"];
    let done = schedule(&workshop, &words).exits_with(0);
    lists(
        &done,
        "The difference, where it fails:\n\n  thread 2, at its point 2, in eat, eat.c:10: thread 3 runs on instead\n\n",
    );
    let verified = workshop.reduct(["verify"]).run().exits_with(0);
    verified.says("the one schedule passes in 10 of 10 runs, and the other one fails in 10 of 10.");
    let log = workshop.reduct(["log"]).run().exits_with(0).stdout;
    assert!(log.contains("T2#2 -> T3"), "{log}");
    let words = ["--force", "--good", "bad.txt", "--bad", "bad.txt", "--", "./eat", "3"];
    schedule(&workshop, &words).exits_with(2).says("with bad.txt, the program fails: exit status 99");
    // One that fails is found, if none is given.
    let done =
        schedule(&workshop, &["--force", "--confirm", "5", "--good", "good.txt", "--", "./eat", "3"]).exits_with(0);
    lists(&done, "With a schedule of ");
    lists(&done, "The difference, where it fails:");
}

#[test]
fn with_a_sanitizer_each_access_to_memory_is_a_point() {
    let workshop = Workshop::new();
    compiled(&workshop, "lost", LOST, &[]);
    let none = schedule(&workshop, &["--tries", "30", "--", "./lost"]).exits_with(3);
    workshop.reduct(["resume"]).run().exits_with(3).says("no schedule that it tried fails");
    none.says("No failure in 30 schedules.").says("-fsanitize=thread");
    assert!(!workshop.exists("lost.schedule.txt"));
    compiled(&workshop, "lost", LOST, &["-fsanitize=thread"]);
    let done = schedule(&workshop, &["--", "./lost"]).exits_with(0);
    assert_eq!(switches(&workshop, "lost.schedule.txt").len(), 1);
    lists(&done, "exit status 3");
    lists(&done, "in work, lost.c:");
}

#[test]
fn what_threads_wait_for_is_scheduled() {
    let workshop = Workshop::new();
    compiled(&workshop, "all", ALL, &[]);
    // Made once, 0 + 1 + 2 and 3 + 3 + 1, one timeout, three that leave, 3 * 7, three, five.
    let expected = "1 10 1 3 21 3 5\n";
    assert_eq!(workshop.call("./all", [""; 0]).run().exits_with(0).stdout, expected);
    workshop.write("none.txt", "# reduct schedule 1: {}\n");
    assert_eq!(workshop.reduct(["step", "none.txt", "--", "./all"]).run().exits_with(0).stdout, expected);
    let condition = format!("!stdout~\\A{}\\z", expected.trim_end().to_owned() + "\\n");
    let done = schedule(&workshop, &["--tries", "60", "--fails-if", &condition, "--", "./all"]).exits_with(3);
    done.says("No failure in 60 schedules.").does_not_say("ended at a limit");
}

/// It is an error that two others were both seen by the third thread: it has to go on after a step of each. With a word, it is one
/// that they were not.
const BOTH: &str = r#"
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int a, b, seen_a, seen_b;
static int get(int *p) { pthread_mutex_lock(&lock); int v = *p; pthread_mutex_unlock(&lock); return v; }
static void set(int *p, int v) { pthread_mutex_lock(&lock); *p = v; pthread_mutex_unlock(&lock); }
static void *one(void *n) { for (int i = 0; i < 4; i++) { set(&a, 1); set(&a, 0); } return n; }
static void *two(void *n) { for (int i = 0; i < 4; i++) { set(&b, 1); set(&b, 0); } return n; }
static void *look(void *n) { for (int i = 0; i < 4; i++) { if (get(&a)) seen_a = 1; if (get(&b)) seen_b = 1; } return n; }
int main(int count, char **words) {
    pthread_t t[3];
    pthread_create(&t[0], 0, one, 0); pthread_create(&t[1], 0, two, 0); pthread_create(&t[2], 0, look, 0);
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
    if ((seen_a && seen_b) != (count > 1)) exit(5);
}
"#;

#[test]
fn others_are_reduced_if_several_switches_are_left() {
    let workshop = Workshop::new();
    compiled(&workshop, "both", BOTH, &[]);
    // Of the first schedule that fails with this seed, four switches are left.
    let done = schedule(&workshop, &["--seed", "1", "--confirm", "5", "-j", "2", "--", "./both"]).exits_with(0);
    let found = switches(&workshop, "both.schedule.txt");
    assert!(found.len() < 4, "{found:?}");
    lists(&done, "Another schedule may do with fewer switches: these are the fewest of ");
    // An order is the same with any number of jobs, and where a run is stopped in between.
    let report: Value = serde_json::from_str(&workshop.reduct(["report", "--json"]).run().stdout).unwrap();
    assert_eq!(Check::of(&schema("run.schema.json"), &report), Vec::<String>::new());
    assert_eq!(report["sought"], json!("failure"));
    // All that is said is of one schedule: that to which the switches belong.
    let kept = workshop.run_folder().join("kept");
    let schedules = ["failing", "other-0", "other-1", "other-2"].into_iter().filter_map(|name| {
        let text = std::fs::read_to_string(kept.join(format!("{name}.json"))).ok()?;
        let kept: Value = serde_json::from_str(&text).unwrap();
        let lines = kept["schedule"].as_str()?.lines().filter(|line| !line.starts_with('#'));
        Some(lines.map(|line| line.split(" at ").next().unwrap().to_owned()).collect::<Vec<_>>())
    });
    let is_as_recorded = report["answer"]["as_recorded"] == true;
    let mut same = schedules.filter(|it| report["answer"]["before"] == it.len());
    assert!(same.any(|it| !is_as_recorded || found.iter().all(|switch| it.contains(switch))), "{report}");
    lists(&done, "The difference, where it fails:");
    workshop.reduct(["verify"]).run().exits_with(0).says("the one schedule passes in 10 of 10 runs");
    let tests =
        (report["answer"]["tests"].as_u64().unwrap() + report["answer"]["tried"].as_u64().unwrap() - 20).to_string();
    let words = ["--seed", "1", "--confirm", "5", "-j", "1", "--tests", &tests, "--", "./both"];
    schedule(&workshop, &words).exits_with(4).says("To go on: reduct resume");
    workshop.reduct(["resume"]).run().exits_with(0);
    assert_eq!(switches(&workshop, "both.schedule.txt"), found);
    // None is looked for where the one was given that is reduced.
    let words = ["--good", "both.schedule.txt", "--out", "passes", "--confirm", "0", "--", "./both", "word"];
    let done = schedule(&workshop, &words).exits_with(0);
    assert!(switches(&workshop, "passes").len() > 1);
    lists(&done, "Another schedule may do with fewer switches.");
}

/// It is told once, and waits for that unconditionally: if it waits too late, it waits for ever.
const LOST_WAKE_UP: &str = r#"
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t told = PTHREAD_COND_INITIALIZER;
static void *tell(void *ignored) {
    pthread_mutex_lock(&lock);
    pthread_cond_signal(&told);
    pthread_mutex_unlock(&lock);
    return ignored;
}
static void *hear(void *ignored) {
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&told, &lock);
    pthread_mutex_unlock(&lock);
    return ignored;
}
int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, tell, 0);
    pthread_create(&other, 0, hear, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    puts("ok");
}
"#;

#[test]
fn of_a_program_that_fails_without_a_switch_one_is_found_with_which_it_passes() {
    let workshop = Workshop::new();
    compiled(&workshop, "wake", LOST_WAKE_UP, &[]);
    let done = schedule(&workshop, &["-j", "1", "--", "./wake"]).exits_with(0);
    let done =
        done.says("of 3 threads), the program fails: a deadlock (exit status 99): ").says("So reduct looks for ");
    let done = done.says("Failure: any deadlock, as the run without a switch showed");
    lists(&done, "With it the program passes: exit status 0. Without a switch it fails: a deadlock (exit status 99): ");
    lists(&done, "Proved: without it, the program fails.");
    lists(&done, "Confirmed: it passed in 100 of 100 more runs.");
    let found = switches(&workshop, "wake.schedule.txt");
    // The thread that hears has to wait before the other one has the lock. The main thread has a point after each beginning, one before it
    // waits for the end of the first thread, and one where it waits; the thread that tells has one before it takes the lock, and none else
    // before it has it.
    let expected = ["T0#2 -> T2", "T0#3 -> T2", "T0#4 -> T2", "T1#1 -> T2"];
    assert!(found.len() == 1 && expected.contains(&&*found[0]), "{found:?}");
    let mut passing = vec![];
    for (thread, to) in [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)] {
        for point in 1..6 {
            let line = format!("T{thread}#{point} -> T{to}");
            workshop.write("one.txt", format!("# reduct schedule 1: {{}}\n{line}\n"));
            if workshop.reduct(["step", "one.txt", "--", "./wake"]).run().status == 0 {
                passing.push(line);
            }
        }
    }
    assert_eq!(passing, expected);
    let verified = workshop.reduct(["verify"]).run().exits_with(0);
    verified
        .says("wake.schedule.txt (1 switch) passes in 10 of 10 runs, and with any one switch left out it does not.");
    workshop.reduct(["resume"]).run().exits_with(0).says("nothing is left to do");
    let markdown = workshop.reduct(["report", "--markdown"]).run().exits_with(0).stdout;
    for said in ["The thread switches with which it passes", "See it pass", "With it the program passes"] {
        assert!(markdown.contains(said), "{said}: {markdown}");
    }
    let report: Value = serde_json::from_str(&workshop.reduct(["report", "--json"]).run().stdout).unwrap();
    assert_eq!(Check::of(&schema("run.schema.json"), &report), Vec::<String>::new());
    assert_eq!(
        (&report["claim"]["kind"], &report["answer"]["passes"]),
        (&json!("passes-with"), &json!("exit status 0"))
    );
    // The run without a switch is kept last: with it, all is there that a run goes on with.
    let kept =
        |name: &str| std::fs::metadata(workshop.run_folder().join("kept").join(name)).unwrap().modified().unwrap();
    assert!(kept("first.json") >= kept("failing.json"));
    // Stopped in between, it comes to the same, with any number of jobs; and where a crash has left nothing of the file.
    workshop.write("wake.schedule.txt", "# reduct schedule 1: {}\n");
    schedule(&workshop, &["--tests", "1", "--", "./wake"]).exits_with(4).says("To go on: reduct resume");
    workshop.write("wake.schedule.txt", "");
    workshop.reduct(["resume", "-j", "3"]).run().exits_with(0);
    assert_eq!(switches(&workshop, "wake.schedule.txt"), found);
}

/// How it ends depends on the thread that is first. After the second one, it waits for itself if it is given a word.
const FIRST: &str = r#"
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long first;
static void *work(void *number) {
    pthread_mutex_lock(&lock);
    if (!first) first = (long)number;
    pthread_mutex_unlock(&lock);
    return 0;
}
int main(int count, char **words) {
    pthread_t t[3];
    for (long i = 0; i < 3; i++) pthread_create(&t[i], 0, work, (void *)(i + 1));
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
    if (first == 2 && count > 1) pthread_mutex_lock(&lock), pthread_mutex_lock(&lock);
    return first == 1 ? 3 : first == 2 ? 4 : 0;
}
"#;

#[test]
fn the_failure_without_a_switch_is_the_one_that_is_compared() {
    let workshop = Workshop::new();
    compiled(&workshop, "first", FIRST, &[]);
    for thread in 1..=3 {
        workshop.write(format!("{thread}.txt"), format!("T0#3 -> T{thread}\n"));
    }
    let of = |words: &[&str]| schedule(&workshop, words);
    let other = of(&["--bad", "2.txt", "--", "./first"]).exits_with(2);
    other.says("with 2.txt, the program fails otherwise than without a switch: exit status 4").says("exit status 3");
    let done = of(&["--good", "3.txt", "--bad", "1.txt", "--", "./first"]).exits_with(0);
    lists(&done, "With it the program passes: exit status 0. Without a switch it fails: exit status 3.");
    // With another failure it passes, as it was told; but no deadlock is a pass.
    let words = ["--fails-if", "exit=3", "--good", "2.txt", "--bad", "1.txt", "--", "./first", "waits"];
    let done = of(&words[..8]).exits_with(0).says("Failure: exit=3\n");
    lists(
        &done,
        "With it the program passes: exit status 4, and the failure does not occur. Without a switch it fails: exit=3 (exit status 3).",
    );
    of(&words).exits_with(2).says("with 2.txt, the program does not pass each time");
    let done = of(&["--fails-if", "exit=3", "--", "./first", "waits"]).exits_with(0);
    lists(&done, "With it the program passes: exit status 0, and the failure does not occur.");
}

/// The first thread waits for what the second one writes, by a pipe.
const PIPE: &str = r#"
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static int ends[2];
static void *hear(void *ignored) { char byte; if (read(ends[0], &byte, 1) == 1) abort(); return ignored; }
static void *tell(void *ignored) { return write(ends[1], "x", 1) == 1 ? ignored : ends; }
int main(void) {
    pthread_t one, other;
    if (pipe(ends)) return 1;
    pthread_create(&one, 0, hear, 0);
    pthread_create(&other, 0, tell, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
}
"#;

#[test]
fn a_program_that_hangs_without_a_switch_is_not_said_to_pass_so() {
    let workshop = Workshop::new();
    compiled(&workshop, "pipe", PIPE, &[]);
    workshop.write("told.txt", "# reduct schedule 1: {}\nT0#2 -> T2\n");
    // -6 is the signal of `abort`.
    let step = workshop.reduct(["step", "told.txt", "--", "./pipe"]).run();
    assert!([-6, 134].contains(&step.status), "{}", step.status);
    // It passes in no schedule: it hangs, or dies.
    let done = schedule(&workshop, &["--timeout", "1s", "--tries", "4", "--", "./pipe"]).exits_with(3);
    let done = done
        .says("Without a switch, the program does not end: each run that hangs takes 1s (--timeout TIME sets less).");
    done.says("It passes in none of 4 schedules.").says(" ended at a limit");
    // That to hang is the failure is not said here.
    let done = schedule(&workshop, &["--timeout", "1s", "--fails-if", "exit=1", "--", "./pipe"]).exits_with(2);
    done.says("without a switch, the program neither passes nor fails: ").says("--timeout");
    assert!(!workshop.exists("pipe.schedule.txt"));
}

/// The first thread looks at a flag until the second one has set it. In between, nothing is called that gives way to another thread: `poll` is the
/// system's own, and only keeps the processor free.
const FLAG: &str = r#"
#include <poll.h>
#include <pthread.h>
static volatile int flag;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *look(void *ignored) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    while (!flag) poll(0, 0, 1);
    return ignored;
}
static void *tell(void *ignored) { flag = 1; return ignored; }
int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, look, 0);
    pthread_create(&other, 0, tell, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
}
"#;

#[test]
fn of_a_program_that_hangs_without_a_switch_one_is_found_with_which_it_passes() {
    let workshop = Workshop::new();
    compiled(&workshop, "flag", FLAG, &[]);
    let done = schedule(&workshop, &["--timeout", "1s", "--", "./flag"]).exits_with(0);
    let done =
        done.says("Failure: no end within the time limit, whatever is printed, as the run without a switch showed");
    lists(&done, "With it the program passes: exit status 0. Without a switch it fails: no end within the time limit.");
    lists(&done, "Confirmed: it passed in 100 of 100 more runs.");
    assert_eq!(switches(&workshop, "flag.schedule.txt").len(), 1);
    workshop.reduct(["step", "flag.schedule.txt", "--", "./flag"]).run().exits_with(0);
}

#[test]
fn a_program_that_fails_with_any_schedule_is_not_said_to_need_one() {
    let workshop = Workshop::new();
    compiled(&workshop, "bad", &BANK.replace("balance < 0", "balance > -1000"), &[]);
    let none = schedule(&workshop, &["--tries", "6", "--", "./bad"]).exits_with(3);
    none.says("It passes in none of 6 schedules.").says("Whether it passes in one of those is not known");
    assert!(!workshop.exists("bad.schedule.txt"));
    workshop.reduct(["resume"]).run().exits_with(3).says("no schedule that it tried passes");
    workshop.reduct(["verify"]).run().exits_with(2);
    let report: Value = serde_json::from_str(&workshop.reduct(["report", "--json"]).run().stdout).unwrap();
    assert_eq!(Check::of(&schema("run.schema.json"), &report), Vec::<String>::new());
    assert_eq!((&report["answer"]["kind"], &report["claim"]["why"]), (&json!("no-pass"), &json!("nothing-passed")));
}

/// What C++ makes of it: futures wait by the system's own call, and ask the clock after a wait.
const CPP: &str = r#"
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <future>
#include <iostream>
#include <mutex>
#include <queue>
#include <thread>
static std::mutex lock;
static std::condition_variable changed;
static std::queue<int> queue;
static bool done;
int main() {
    long sum = 0;
    std::thread consumer([&] {
        for (;;) {
            std::unique_lock held(lock);
            changed.wait(held, [] { return !queue.empty() || done; });
            if (queue.empty()) return;
            sum += queue.front();
            queue.pop();
        }
    });
    std::thread producer([] {
        for (int i = 0; i < 20; i++) {
            { std::lock_guard held(lock); queue.push(i); }
            changed.notify_one();
        }
        { std::lock_guard held(lock); done = true; }
        changed.notify_all();
    });
    producer.join();
    consumer.join();
    auto five = std::async(std::launch::async, [] {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        return 5;
    });
    std::promise<int> promise;
    auto seven = promise.get_future();
    std::thread keeps([&] { promise.set_value(7); });
    int both = five.get() + seven.get();
    keeps.join();
    std::unique_lock held(lock);
    bool timeout = changed.wait_for(held, std::chrono::seconds(2)) == std::cv_status::timeout;
    std::cout << sum << ' ' << both << ' ' << timeout << std::endl;
}
"#;

#[test]
fn threads_of_cpp_are_scheduled() {
    let workshop = Workshop::new();
    workshop.write("cpp.cc", CPP);
    workshop.call("c++", ["-std=c++17", "-pthread", "cpp.cc", "-o", "cpp"]).run().exits_with(0);
    workshop.write("none.txt", "# reduct schedule 1: {}\n");
    assert_eq!(workshop.reduct(["step", "none.txt", "--", "./cpp"]).run().exits_with(0).stdout, "190 12 1\n");
    let words = ["--tries", "60", "--fails-if", r"!stdout~\A190 12 1\n\z", "--", "./cpp"];
    schedule(&workshop, &words).exits_with(3).says("No failure in 60 schedules.").does_not_say("ended at a limit");
}

/// The main thread ends before the other one, which is cancelled while it waits; a child has threads of its own.
const ENDS: &str = r#"
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int asked;
static void give_back(void *ignored) { pthread_mutex_unlock(&lock); }
static void *wait_long(void *ignored) {
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(give_back, 0);
    for (;;) pthread_cond_wait(&never, &lock);
    pthread_cleanup_pop(1);
}
static void *nothing(void *it) { return it; }
static void *last(void *waiting) {
    void *result;
    while (!asked) usleep(10);
    pthread_cancel(*(pthread_t *)waiting);
    pthread_join(*(pthread_t *)waiting, &result);
    pthread_mutex_lock(&lock);
    printf("cancelled: %d\n", result == PTHREAD_CANCELED);
    pthread_mutex_unlock(&lock);
    return 0;
}
int main(void) {
    static pthread_t waiting, other;
    pthread_create(&waiting, 0, wait_long, 0);
    if (!fork()) {
        pthread_t own;
        pthread_create(&own, 0, nothing, 0);
        pthread_join(own, 0);
        _exit(5);
    }
    int status;
    wait(&status);
    printf("child: %d\n", WEXITSTATUS(status));
    pthread_create(&other, 0, last, &waiting);
    asked = 1;
    pthread_exit(0);
}
"#;

#[test]
fn threads_end_as_they_do() {
    let workshop = Workshop::new();
    compiled(&workshop, "ends", ENDS, &[]);
    let expected = "child: 5\ncancelled: 1\n";
    assert_eq!(workshop.call("./ends", [""; 0]).run().exits_with(0).stdout, expected);
    workshop.write("none.txt", "# reduct schedule 1: {}\n");
    assert_eq!(workshop.reduct(["step", "none.txt", "--", "./ends"]).run().exits_with(0).stdout, expected);
    let condition = format!("!stdout~\\A{}\\z", expected.replace('\n', "\\n"));
    let words = ["--tries", "60", "--fails-if", &condition, "--", "./ends"];
    schedule(&workshop, &words).exits_with(3).says("No failure in 60 schedules.").does_not_say("ended at a limit");
}

#[test]
fn what_cannot_be_scheduled_is_refused() {
    let workshop = Workshop::new();
    compiled(&workshop, "bank", BANK, &[]);
    compiled(&workshop, "bank_static", BANK, &["-static"]);
    compiled(&workshop, "alone", "int main(void) { return 0; }", &[]);
    workshop.write("bank.schedule.txt", "precious\n");
    workshop.write("pass.txt", "# reduct schedule 1: {}\nT1#1 -> T2\n");
    let refused = |words: &[&str], says: &str| {
        schedule(&workshop, words).exits_with(2).says(says);
    };
    refused(&["--", "./bank"], "bank.schedule.txt is there, and is no schedule");
    assert_eq!(workshop.text("bank.schedule.txt"), "precious\n");
    refused(&[], "there is no program");
    refused(&["--", "./nope"], "there is no file `./nope`");
    refused(&["--", "bank"], "`bank` stands in this folder, but a bare name is looked for on the search path only");
    refused(&["--", "./bank_static"], "the scheduler was not loaded");
    refused(&["--", "./alone"], "the program started no thread");
    refused(
        &["--out", "x.txt", "--from", "pass.txt", "--", "./bank"],
        "with pass.txt, the program passes: exit status 0",
    );
    refused(&["--out", "x.txt", "--from", "bank.schedule.txt", "--", "./bank"], "is no line of a schedule: precious");
    schedule(&workshop, &["--out", "x.txt", "--tests", "3", "--seed", "7", "--", "./bank"]).exits_with(4);
    assert!(!workshop.exists("x.txt"));
}
