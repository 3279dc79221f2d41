"""Runs one thread of a Python program at a time. A schedule says where another thread goes on than by default.

Executed by driver.py, with `instructions`, `give_up` and `run` of it, before the program. Each statement execution that has a guard is a
point: the thread that runs goes on, unless the schedule has a line for this thread and the number of its point. Where it cannot go
on, the next thread that can does, in the order in which they began. scheduler.c does the same for threads of POSIX: what is
drawn by chance, and what is written down, is as there.

Locks are replaced by ones that the scheduler knows. All else in `threading` and `queue` is written in Python and consists of locks.
`time` gets a clock that is set forward where a thread sleeps, or waits no longer.
"""
import mmap
import os
import re
import struct
import sys
import threading
import time
import _thread

DEADLOCK = 99
RUNS, WAITS, ENDED = 'runs', 'waits', 'ended'
# At each so many points, any thread goes on, if that is drawn; a thread that waits for nothing goes on alone for so many.
COIN, PATIENCE = 8, 10000
LINE = re.compile(r'T(\d+)#(\d+) -> T(\d+)')
WORD = (1 << 64) - 1
real_lock = _thread.allocate_lock
real_time = time.monotonic


class Scheduled:
    """A thread, as the scheduler knows it."""

    def __init__(self, priority):
        self.state = RUNS
        self.on = None         # what it waits for
        self.at = None         # the statement that it executes
        self.deadline = None   # when it waits no longer
        self.expired = False
        self.since = 0
        self.points = 0
        self.priority = priority
        self.turn = real_lock()
        self.turn.acquire()


class Chance:
    """Numbers by chance, from a seed."""

    def __init__(self, seed):
        self.state = (seed * 0x9e3779b97f4a7c15 + 0x2545f4914f6cdd1d) & WORD
        for _ in range(8):
            self.next()

    def next(self):
        it = self.state
        it ^= it << 13 & WORD
        it ^= it >> 7
        it ^= it << 17 & WORD
        self.state = it
        return it >> 11


class Scheduler:
    def __init__(self, instructions):
        self.is_active, self.is_over = True, False
        self.local = _thread._local()
        self.local.me, self.local.is_inside = 0, False
        self.chance = self.depth = None
        self.changes, self.lowest = [], 0
        drawn = instructions.get('chance')
        if drawn:
            self.chance, self.depth = Chance(drawn['seed']), drawn['depth']
            self.changes = [1 + self.chance.next() % max(drawn['steps'], 1) for _ in range(1, min(self.depth, 9))]
        self.threads = [Scheduled(self.priority())]
        self.limit = instructions.get('limit') or sys.maxsize
        self.plan = {}
        with open(instructions['plan'], encoding='utf-8', errors='replace') as file:
            for line in file:
                found = LINE.match(line)
                if found:
                    thread, point, to = map(int, found.groups())
                    self.plan[(thread, point)] = to
        self.points = self.switches = self.alone = self.waits = 0
        self.offset = 0.0
        self.importing = 0
        self.places, self.folder = {}, '/'
        path = instructions.get('record')
        self.record = created(path) if path else None
        self.counts = None
        if instructions.get('counts'):
            with open(instructions['counts'], 'w+b') as file:
                file.truncate(24)
                self.counts = mmap.mmap(file.fileno(), 24)
            self.count()

    def name(self, statement, file, line, text):
        """Notes where a statement stands, seen from the folder of the program."""
        file = file[len(self.folder):] if file.startswith(self.folder) else file
        self.places[statement] = '%s:%d %s' % (file, line, text)

    def count(self):
        if self.counts is not None:
            struct.pack_into('=QQQ', self.counts, 0, self.points, len(self.threads), self.switches)

    def priority(self):
        return 1 + self.chance.next() % 1000000 if self.chance else 0

    def me(self):
        """Returns the number of this thread; nothing if it is none that is scheduled."""
        return getattr(self.local, 'me', None) if self.is_active else None

    def now(self):
        return real_time() + self.offset

    def next_that_can(self, me):
        count = len(self.threads)
        others = ((me + step) % count for step in range(1, count))
        return next((thread for thread in others if self.threads[thread].state == RUNS), None)

    def any_that_can(self):
        can = [number for number, thread in enumerate(self.threads) if thread.state == RUNS]
        return can[self.chance.next() % len(can)]

    def highest(self):
        can = [number for number, thread in enumerate(self.threads) if thread.state == RUNS]
        return max(can, key=lambda number: self.threads[number].priority)

    def decide(self, me, usual, place):
        """Decides which thread goes on: `usual` by default, or another one. Returns once it is this thread's turn, unless it has
        ended."""
        self.local.is_inside = True
        thread = self.threads[me]
        thread.points += 1
        self.points += 1
        if self.points > self.limit:
            give_up('more points than could be: the schedule makes a loop longer')
        if usual != me:
            self.alone = 0
        else:
            self.alone += 1
            if self.alone > PATIENCE and self.next_that_can(me) is not None:
                # A thread that polls lets others go on after some time.
                self.alone = 0
                usual = self.next_that_can(me)
                self.lowest -= 1
                thread.priority = self.lowest
        to = self.chosen(me, thread, usual)
        if to != usual:
            self.switches += 1
            if self.record is not None:
                # Where a thread waits or ends, it has executed a statement before.
                place = self.places.get(thread.at if place is None else place, '?')
                line = 'T%d#%d -> T%d at %s\n' % (me, thread.points, to, place)
                os.write(self.record, line.encode('utf-8', 'replace'))
        self.count()
        if to != me:
            self.alone = 0
            self.threads[to].turn.release()
            if thread.state != ENDED:
                thread.turn.acquire()
        self.local.is_inside = False

    def chosen(self, me, thread, usual):
        if self.depth == 0:
            return self.any_that_can() if self.chance.next() % COIN == 0 else usual
        if self.chance:
            if self.points in self.changes:
                self.lowest -= 1
                thread.priority = self.lowest
            return self.highest()
        to = self.plan.get((me, thread.points), usual)
        return to if to < len(self.threads) and self.threads[to].state == RUNS else usual

    def guard(self, frame, statement, depth):
        """A statement is executed: another thread may be before it."""
        me = self.me()
        if me is not None and not self.local.is_inside and not self.importing:
            self.threads[me].at = statement
            self.decide(me, me, statement)
        return True

    def let_one_expire(self):
        """If no thread can run, the one that need not wait any longer first does. Returns whether there is one."""
        timed = [thread for thread in self.threads if thread.state == WAITS and thread.deadline is not None]
        if not timed:
            return False
        first = min(timed, key=lambda thread: (thread.deadline, thread.since))
        self.offset += max(0.0, first.deadline - self.now())
        first.state, first.expired = RUNS, True
        return True

    def wait_on(self, me, on, deadline):
        """Waits for something. Returns whether that was for as long as it may."""
        thread = self.threads[me]
        self.waits += 1
        thread.state, thread.on, thread.deadline, thread.expired, thread.since = WAITS, on, deadline, False, self.waits
        following = self.next_that_can(me)
        if following is None:
            if not self.let_one_expire():
                self.deadlock()
            following = me if thread.state == RUNS else self.next_that_can(me)
        self.decide(me, following, None)
        return thread.expired

    def wake(self, on, most):
        waiting = sorted((thread for thread in self.threads if thread.state == WAITS and thread.on is on),
                         key=lambda thread: thread.since)
        for thread in waiting[:most]:
            thread.state = RUNS

    def deadlock(self):
        waiting = [(number, thread) for number, thread in enumerate(self.threads) if thread.state == WAITS]
        text = 'reduct step: deadlock of %d threads\n' % len(waiting)
        for number, thread in waiting:
            place = self.places.get(thread.at)
            text += '  thread %d waits for %s%s\n' % (number, thread.on.what_for(number), ', at ' + place if place else '')
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except Exception:
                pass
        os.write(2, text.encode('utf-8', 'replace'))
        os._exit(DEADLOCK)

    def begin(self):
        """Returns the number of a new thread."""
        self.threads.append(Scheduled(self.priority()))
        self.count()
        return len(self.threads) - 1

    def end(self, me):
        thread = self.threads[me]
        thread.state = ENDED
        self.wake(Ended.of(self, me), sys.maxsize)
        following = self.next_that_can(me)
        if following is None and self.let_one_expire():
            following = self.next_that_can(me)
        if following is not None:
            self.decide(me, following, None)
        elif any(other.state == WAITS for other in self.threads):
            self.deadlock()

    def sleep(self, seconds):
        me = self.me()
        if me is None:
            return real_sleep(seconds)
        if seconds < 0:
            raise ValueError('sleep length must be non-negative')
        self.offset += seconds
        following = self.next_that_can(me)
        self.decide(me, me if following is None else following, None)


class Ended:
    """The end of a thread, for which others wait."""
    known = {}

    def __init__(self, number):
        self.number = number

    @staticmethod
    def of(scheduler, number):
        return Ended.known.setdefault(number, Ended(number))

    def what_for(self, me):
        return 'the end of thread %d' % self.number


class Lock:
    """A lock of which the scheduler knows who has it."""

    def __init__(self):
        self._owner = None
        self._is_locked = False
        # Threads that are not scheduled wait for this one, as in a child process.
        self._real = real_lock()

    def acquire(self, blocking=True, timeout=-1):
        if not blocking and timeout != -1:
            raise ValueError("can't specify a timeout for a non-blocking call")
        if timeout < 0 and timeout != -1:
            raise ValueError('timeout value must be a non-negative number')
        me = scheduler.me()
        if me is None:
            # At the end of the program, who has it may never go on.
            is_taken = self._real.acquire(blocking and not scheduler.is_over, timeout if blocking and not scheduler.is_over else -1)
            self._is_locked, self._owner = self._is_locked or is_taken, None
            return is_taken
        deadline = None if timeout == -1 else scheduler.now() + timeout
        while self._is_locked:
            if not blocking or timeout == 0 or scheduler.wait_on(me, self, deadline):
                return False
        self._real.acquire()
        self._is_locked, self._owner = True, me
        return True

    def release(self):
        if not self._is_locked:
            raise RuntimeError('release unlocked lock')
        self._is_locked = False
        self._real.release()
        scheduler.wake(self, 1)

    def locked(self):
        return self._is_locked

    def what_for(self, me):
        if self._owner is None or self._owner == me:
            # Conditions, events and semaphores are made of locks that a thread takes twice.
            return 'another thread to notify it'
        return 'a lock that thread %d has' % self._owner

    def __enter__(self):
        return self.acquire()

    def __exit__(self, *ignored):
        self.release()

    def _at_fork_reinit(self):
        self._owner, self._is_locked, self._real = None, False, real_lock()

    acquire_lock, release_lock, locked_lock = acquire, release, locked


class Started:
    """An event that a new thread sets; from then on, it waits for its turn. The thread that has begun it waits until then."""

    def __init__(self, thread):
        self.thread = thread
        self.lock = real_lock()
        self.lock.acquire()
        self.was_set = False

    def is_set(self):
        return self.was_set

    def wait(self, timeout=None):
        with self.lock:
            return True

    def set(self):
        if not self.was_set:
            self.was_set = True
            self.lock.release()
        number = getattr(self.thread, '_r_number', None)
        if number is not None:
            scheduler.local.me, scheduler.local.is_inside = number, False
            scheduler.threads[number].turn.acquire()

    def _at_fork_reinit(self):
        pass

    _reset_internal_locks = _at_fork_reinit


class Threads:
    """What is put in place of the methods of threads."""
    init, start, join, is_alive = (getattr(threading.Thread, name) for name in ('__init__', 'start', 'join', 'is_alive'))
    bootstrap_inner, shutdown = threading.Thread._bootstrap_inner, threading._shutdown


def thread_init(self, *arguments, **named):
    Threads.init(self, *arguments, **named)
    self._started = Started(self)


def thread_start(self):
    if scheduler.me() is None or self._started.is_set() or getattr(self, '_r_number', None) is not None:
        return Threads.start(self)
    self._r_number = scheduler.begin()
    try:
        Threads.start(self)
    except BaseException:
        # It never runs, so that it is never its turn.
        scheduler.threads[self._r_number].state = ENDED
        raise


def thread_bootstrap_inner(self):
    try:
        Threads.bootstrap_inner(self)
    finally:
        number = getattr(self, '_r_number', None)
        if number is not None and scheduler.me() == number:
            scheduler.end(number)


def wait_for_end(number, timeout):
    me = scheduler.me()
    deadline = None if timeout is None else scheduler.now() + max(timeout, 0)
    while scheduler.threads[number].state != ENDED:
        if scheduler.wait_on(me, Ended.of(scheduler, number), deadline):
            return False
    return True


def thread_join(self, timeout=None):
    number = getattr(self, '_r_number', None)
    me = scheduler.me()
    if me is not None and number is not None and number != me and not wait_for_end(number, timeout):
        return
    Threads.join(self, None if me is not None and number is not None else timeout)


def thread_is_alive(self):
    number = getattr(self, '_r_number', None)
    if number is None or not scheduler.is_active:
        return Threads.is_alive(self)
    return scheduler.threads[number].state != ENDED


def shutdown():
    """At its end, the main thread waits for all others but daemons."""
    calls = getattr(threading, '_threading_atexits', [])
    while calls:
        calls.pop()()
    if scheduler.me() is not None:
        for thread in threading.enumerate():
            number = getattr(thread, '_r_number', None)
            if number is not None and not thread.daemon:
                wait_for_end(number, None)
    scheduler.is_active, scheduler.is_over = False, True
    Threads.shutdown()


def in_new_process():
    scheduler.is_active = False


scheduler = Scheduler(instructions['schedule'])
real_sleep = time.sleep
threading._allocate_lock = threading.Lock = Lock
threading._CRLock = None
_thread.RLock = threading._RLock
threading.Thread.__init__, threading.Thread.start, threading.Thread.join = thread_init, thread_start, thread_join
threading.Thread.is_alive, threading.Thread._bootstrap_inner = thread_is_alive, thread_bootstrap_inner
threading._shutdown = shutdown
try:
    import _queue
    # It has a lock of its own; without it, there is one in Python.
    del _queue.SimpleQueue
except ImportError:
    pass
time.sleep = scheduler.sleep
threading._time = time.monotonic = scheduler.now
time.time = lambda real=time.time: real() + scheduler.offset
time.perf_counter = lambda real=time.perf_counter: real() + scheduler.offset
time.monotonic_ns = lambda real=time.monotonic_ns: real() + int(scheduler.offset * 1e9)
time.time_ns = lambda real=time.time_ns: real() + int(scheduler.offset * 1e9)
time.perf_counter_ns = lambda real=time.perf_counter_ns: real() + int(scheduler.offset * 1e9)
os.register_at_fork(after_in_child=in_new_process)
