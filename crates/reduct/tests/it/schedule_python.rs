//! Schedules of the threads of programs in Python.

use crate::schedule::{lists, schedule, switches};
use crate::workshop::Workshop;

/// Two threads may both find that a key is missing.
const CACHE: &str = "\
import threading
class Cache:
    def __init__(self):
        self.data = {}
        self.size = 0
        self.lock = threading.Lock()
    def put(self, k, v):
        with self.lock:
            known = k in self.data
        if not known:
            with self.lock:
                self.data[k] = v
                self.size += 1
c = Cache()
def worker(n):
    for i in range(20):
        c.put('k%d' % (i + n * 15), i)
ts = [threading.Thread(target=worker, args=(n,)) for n in range(3)]
for t in ts: t.start()
for t in ts: t.join()
assert c.size == len(c.data), (c.size, len(c.data))
";

/// Each has one fork and wants that of the next one.
const PHILOSOPHERS: &str = "\
import sys, threading
n = int(sys.argv[1])
forks = [threading.Lock() for _ in range(n)]
def philosopher(at):
    with forks[at]:
        with forks[(at + 1) % n]:
            pass
threads = [threading.Thread(target=philosopher, args=(at,)) for at in range(n)]
for it in threads:
    it.start()
for it in threads:
    it.join()
";

/// Reads a file beside it, and writes one. Two threads may both find that there is room for one more.
const BOUND: &str = "\
import threading
limit = int(open('limit.txt').read())
used = 1
def take():
    global used
    if used < limit:
        used += 1
threads = [threading.Thread(target=take) for _ in range(2)]
for it in threads:
    it.start()
for it in threads:
    it.join()
open('used.txt', 'w').write(str(used))
assert used <= limit
";

/// All by which threads wait.
const ALL: &str = "\
import concurrent.futures, queue, threading, time
results = queue.Queue(2)
def double():
    while True:
        it = jobs.get()
        if it is None:
            break
        time.sleep(0.5)
        results.put(it * 2)
jobs = queue.SimpleQueue()
doubling = [threading.Thread(target=double) for _ in range(2)]
for it in doubling: it.start()
for it in range(4): jobs.put(it)
print(sorted(results.get() for _ in range(4)))
for it in doubling: jobs.put(None)
for it in doubling: it.join()
begun = time.monotonic()
try:
    results.get(timeout=5000)
except queue.Empty:
    print('empty', time.monotonic() - begun >= 5000, time.monotonic_ns() - begun * 10 ** 9 >= 4999 * 10 ** 9)
event, semaphore, lock, barrier = threading.Event(), threading.Semaphore(0), threading.RLock(), threading.Barrier(2)
class Other(threading.Thread):
    def run(self):
        event.wait()
        with lock:
            with lock:
                semaphore.release()
        barrier.wait()
other = Other()
other.start()
event.set()
semaphore.acquire()
barrier.wait()
other.join()
print(other.is_alive(), event.is_set(), lock.acquire(timeout=1))
timer = threading.Timer(3000, print, ['timer'])
timer.start()
timer.join()
with concurrent.futures.ThreadPoolExecutor(3) as pool:
    print(sum(pool.map(lambda n: n * n, range(5))))
threading.Thread(target=lambda: time.sleep(10 ** 6), daemon=True).start()
condition, done = threading.Condition(), []
def wait():
    with condition:
        condition.wait_for(lambda: done)
    print('notified')
threading.Thread(target=wait).start()
with condition:
    done.append(1)
    condition.notify_all()
";

#[test]
fn a_switch_between_check_and_act_is_enough() {
    let workshop = Workshop::new();
    workshop.write("cache.py", CACHE);
    workshop.call("python3", ["cache.py"]).run().exits_with(0);
    let done = schedule(&workshop, &["--confirm", "5", "--", "python3", "cache.py"])
        .exits_with(0)
        .says("Without a switch: exit status 0; ");
    let found = switches(&workshop, "cache.schedule.txt");
    assert!(found.len() <= 2, "{found:?}");
    // What the one thread has found does not hold any more when it acts.
    lists(&done, "in cache.py:10 if not known: thread ");
    lists(&done, "Confirmed: it failed in 5 of 5 more runs.");
    let step = workshop.reduct(["step", "cache.schedule.txt", "--", "python3", "cache.py"]).run();
    step.exits_with(1).says("AssertionError: (");
}

#[test]
fn philosophers_in_python_starve_with_a_switch_less_than_there_are() {
    let workshop = Workshop::new();
    workshop.write("eat.py", PHILOSOPHERS);
    // Each but the last one is interrupted once, before it takes its second fork. The main thread may be interrupted, too, when all
    // have begun.
    workshop.write("given.txt", "# reduct schedule 1: {}\nT0#12 -> T1\nT1#2 -> T2\nT2#2 -> T3\n");
    let words = ["--from", "given.txt", "--confirm", "5", "--", "python3", "eat.py", "3"];
    let done = schedule(&workshop, &words).exits_with(0);
    lists(
        &done,
        "a deadlock (exit status 99): the main thread waits for the end of thread 1, in eat.py:12 it.join(); \
         thread 1 waits for a lock that thread 2 has, in eat.py:6 with forks[(at + 1) % n]; ",
    );
    let found = switches(&workshop, "eat.schedule.txt");
    assert_eq!(found, ["T1#2 -> T2", "T2#2 -> T3"]);
}

/// It is told once, and waits for that unconditionally.
const LOST_WAKE_UP: &str = "\
import threading
told = threading.Condition()
def tell():
    with told:
        told.notify()
def hear():
    with told:
        told.wait()
threads = [threading.Thread(target=tell), threading.Thread(target=hear)]
for it in threads:
    it.start()
for it in threads:
    it.join()
";

#[test]
fn of_a_program_in_python_that_fails_without_a_switch_one_is_found_with_which_it_passes() {
    let workshop = Workshop::new();
    workshop.write("wake.py", LOST_WAKE_UP);
    let done = schedule(&workshop, &["--confirm", "5", "--", "python3", "wake.py"]).exits_with(0);
    lists(&done, "With it the program passes: exit status 0. Without a switch it fails: a deadlock (exit status 99): ");
    lists(&done, "Proved: without it, the program fails.");
    assert_eq!(switches(&workshop, "wake.schedule.txt").len(), 1);
    // Each place is a statement, also where a thread waits or ends.
    let text = workshop.text("wake.schedule.txt");
    assert!(text.contains(" at wake.py:") && !text.contains("?"), "{text}");
    workshop.reduct(["step", "wake.schedule.txt", "--", "python3", "wake.py"]).run().exits_with(0);
}

#[test]
fn what_threads_of_python_wait_for_is_scheduled() {
    let workshop = Workshop::new();
    workshop.write("all.py", ALL);
    workshop.write("alone.py", "print(1)\n");
    let expected = "[0, 2, 4, 6]\nempty True True\nFalse True True\ntimer\n30\nnotified\n";
    let condition = format!("!stdout~\\A{}\\z", expected.replace('[', "\\[").replace('\n', "\\n"));
    // Hours pass on the clock of the program.
    let words = ["--tries", "12", "--fails-if", &condition, "--", "python3", "all.py"];
    schedule(&workshop, &words).exits_with(3).says("No failure in 12 schedules.").does_not_say("ended at a limit");
    schedule(&workshop, &["--", "python3", "alone.py"]).exits_with(2).says("the program started no thread");
}

#[test]
fn the_program_runs_in_the_current_folder() {
    let workshop = Workshop::new();
    workshop.write("limit.txt", "2\n");
    workshop.write("bound.py", BOUND);
    let done = schedule(&workshop, &["--confirm", "5", "--", "python3", "bound.py"]).exits_with(0);
    lists(&done, "With it the program fails: exit status 1.");
    // What a run writes there is thrown away.
    assert!(!workshop.exists("used.txt"));
    std::fs::remove_file(workshop.path("limit.txt")).unwrap();
    let refused = schedule(&workshop, &["--force", "--", "python3", "bound.py"]).exits_with(2);
    refused.says("the program started no thread: exit status 1; it says: FileNotFoundError:").says("limit.txt");
}
