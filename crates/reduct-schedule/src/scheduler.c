/* Runs one thread at a time. A plan says where another thread goes on than by default.
 *
 * Preloaded into a program by `reduct step`. It stands in for the functions of pthreads by which threads begin, wait and
 * end; compiled with -fsanitize=thread, a program also reports each access to memory, and this library takes the place of
 * libtsan. Each such call is a point. At a point the thread that runs goes on, unless the plan has a line for this thread
 * and the number of its point. Where it cannot go on, the next thread that can does, in the order in which they began.
 *
 * A line of the plan is `T1#62 -> T2 at FILE+0xOFFSET`: at its 62nd point, thread 1 is replaced by thread 2. It names the
 * point by the thread's own count, so that a line that is left out renames no other one. A line whose thread cannot run
 * then is void.
 *
 * Environment, all read once at the start:
 *   REDUCT_SCHEDULE_PLAN    the file of the plan
 *   REDUCT_SCHEDULE_RECORD  write the lines of what differs from the default here
 *   REDUCT_SCHEDULE_COUNTS  write the numbers of points, threads and switches here, as three long
 *   REDUCT_SCHEDULE_SEED    priorities by chance (Burckhardt et al., ASPLOS 2010) ...
 *   REDUCT_SCHEDULE_DEPTH   ... which change at so many points but one; with 0, any thread goes on at each eighth point
 *   REDUCT_SCHEDULE_STEPS   ... among so many points
 *   REDUCT_SCHEDULE_LIMIT   end with 125 after so many points
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 1024, CHANGES = 8, TABLE = 1 << 16, COIN = 8, PATIENCE = 10000 };
enum state { ABSENT, RUNS, WAITS, ENDED };
enum { DEADLOCK = 99, UNRESOLVED = 125 };

struct thread {
    enum state state;
    const void *on;    /* what it waits for */
    const char *what;  /* a word for that */
    const void *at;    /* the call in which it waits */
    int timed;         /* whether it may wait no longer */
    int expired;       /* whether it has waited as long as it may */
    unsigned long since;
    _Atomic int go;
    long points;
    long priority;
    pthread_t handle;
    int has_handle;
    int number;        /* by which the system knows it */
};

struct line { int thread, to; long point; };

static struct thread threads[THREADS];
static int began = 1, active;
static __thread int me;
static __thread int inside;
static long alone;
static long switches, limit = 0, counted[3], *counts = counted;
static unsigned long waits;
static int record = -1;
static struct line *plan;
static long lines;
enum { BY_PLAN, BY_PRIORITY, BY_COIN };
static int by_chance;
static unsigned long chance;
static long change_at[CHANGES], lowest;
static int changes;

#define REAL(name) \
    static typeof(&name) real; \
    if (!real) real = (typeof(&name))dlsym(RTLD_NEXT, #name)
#define HERE __builtin_return_address(0)

static unsigned long next_chance(void) {
    chance ^= chance << 13, chance ^= chance >> 7, chance ^= chance << 17;
    return chance >> 11;
}

/* A call of the system, past the one below that programs call. */
static long (*kernel)(long, ...);

/* Waits until it is told to go on. */
static void wait_for_turn(void) {
    _Atomic int *go = &threads[me].go;
    while (!atomic_load(go)) kernel(SYS_futex, go, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0);
    atomic_store(go, 0);
}

static void let_go(int thread) {
    atomic_store(&threads[thread].go, 1);
    kernel(SYS_futex, &threads[thread].go, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
}

static void print(const char *text) {
    ssize_t ignored = write(2, text, strlen(text));
    (void)ignored;
}

static void end(int status) {
    fflush(stdout);
    _exit(status);
}

/* A word for a mutex: it has an owner. */
static const char A_MUTEX[] = "a mutex";

/* The place of a call, or of a variable, as file and offset in it. */
static void say_place(char *text, size_t size, const void *pc) {
    Dl_info info = {0};
    if (!pc || !dladdr(pc, &info) || !info.dli_fname) {
        snprintf(text, size, "?");
        return;
    }
    const ElfW(Ehdr) *header = info.dli_fbase;
    unsigned long base = header->e_type == ET_EXEC ? 0 : (unsigned long)info.dli_fbase;
    snprintf(text, size, "%s+0x%lx", info.dli_fname, (unsigned long)pc - base);
}

/* Writes which mutex it is, and the thread that has it: a variable of a program has a place in a file, another one has an address. */
static void which_mutex(char *text, size_t size, const pthread_mutex_t *it) {
    char place[1000];
    say_place(place, sizeof place, it);
    int length = strcmp(place, "?") ? snprintf(text, size, " (%s)", place) : snprintf(text, size, " (at %p)", (const void *)it);
    if (length < 0 || (size_t)length >= size) return;
    for (int i = 0; i < began; i++) {
        if (!threads[i].number || threads[i].number != it->__data.__owner) continue;
        if (i) snprintf(text + length, size - (size_t)length, " that thread %d has", i);
        else snprintf(text + length, size - (size_t)length, " that the main thread has");
    }
}

static void deadlock(void) {
    char text[2500], mutex[1100], place[1000];
    int waiting = 0;
    for (int i = 0; i < began; i++) waiting += threads[i].state == WAITS;
    snprintf(text, sizeof text, "reduct step: deadlock of %d threads\n", waiting);
    print(text);
    for (int i = 0; i < began; i++)
        if (threads[i].state == WAITS) {
            *mutex = 0;
            if (threads[i].what == A_MUTEX) which_mutex(mutex, sizeof mutex, threads[i].on);
            say_place(place, sizeof place, threads[i].at);
            snprintf(text, sizeof text, "  thread %d waits for %s%s, at %s\n", i, threads[i].what, mutex, place);
            print(text);
        }
    end(DEADLOCK);
}

/* The thread that goes on if this one cannot: the next one that can, in the order in which they began. */
static int next_that_can(void) {
    for (int i = 1; i <= began; i++) {
        int thread = (me + i) % began;
        if (thread != me && threads[thread].state == RUNS) return thread;
    }
    return -1;
}

static int highest(void) {
    int best = -1;
    for (int i = 0; i < began; i++)
        if (threads[i].state == RUNS && (best < 0 || threads[i].priority > threads[best].priority)) best = i;
    return best;
}

static int any_that_can(void) {
    int can = 0;
    for (int i = 0; i < began; i++) can += threads[i].state == RUNS;
    for (int i = 0, n = next_chance() % can; i < began; i++)
        if (threads[i].state == RUNS && n-- == 0) return i;
    return -1;
}

static int planned(void) {
    long low = 0, high = lines;
    while (low < high) {
        long middle = (low + high) / 2;
        struct line *at = &plan[middle];
        if (at->thread < me || (at->thread == me && at->point < threads[me].points)) low = middle + 1;
        else high = middle;
    }
    if (low == lines || plan[low].thread != me || plan[low].point != threads[me].points) return -1;
    int to = plan[low].to;
    return to >= 0 && to < began && threads[to].state == RUNS ? to : -1;
}

/* Decides which thread goes on: this thread, `usual` by default, or another one. Returns once it is this thread's turn, unless it
 * has ended. */
static void decide(int usual, const void *pc) {
    threads[me].points++;
    counts[0]++;
    if (limit && counts[0] > limit) {
        print("reduct step: more points than could be: the plan makes a loop longer\n");
        end(UNRESOLVED);
    }
    /* A thread that polls lets others go on after some time. */
    if (usual != me) alone = 0;
    else if (++alone > PATIENCE && next_that_can() >= 0) {
        alone = 0;
        usual = next_that_can();
        threads[me].priority = --lowest;
    }
    int to = usual;
    if (by_chance == BY_COIN) {
        if (next_chance() % COIN == 0) to = any_that_can();
    } else if (by_chance == BY_PRIORITY) {
        for (int i = 0; i < changes; i++)
            if (change_at[i] == counts[0]) threads[me].priority = --lowest;
        to = highest();
    } else {
        int other = planned();
        if (other >= 0) to = other;
    }
    if (to != usual) {
        counts[2] = ++switches;
        if (record >= 0) {
            char place[512], text[640];
            say_place(place, sizeof place, pc);
            int length = snprintf(text, sizeof text, "T%d#%ld -> T%d at %s\n", me, threads[me].points, to, place);
            ssize_t ignored = write(record, text, length);
            (void)ignored;
        }
    }
    if (to == me) return;
    alone = 0;
    let_go(to);
    if (threads[me].state != ENDED) wait_for_turn();
}

/* A point at which this thread can go on. */
static void point(const void *pc) {
    if (!active || inside) return;
    inside = 1;
    decide(me, pc);
    inside = 0;
}

/* If no thread can run, one that need not wait any longer does. */
static int let_one_expire(void) {
    int first = -1;
    for (int i = 0; i < began; i++)
        if (threads[i].state == WAITS && threads[i].timed && (first < 0 || threads[i].since < threads[first].since)) first = i;
    if (first < 0) return 0;
    threads[first].state = RUNS;
    threads[first].expired = 1;
    return 1;
}

/* Waits for `on`. Returns whether that was for as long as it may. */
static int wait_on(const void *on, const char *what, int timed, const void *pc) {
    struct thread *self = &threads[me];
    self->state = WAITS, self->on = on, self->what = what, self->at = pc, self->timed = timed, self->expired = 0, self->since = ++waits;
    int next = next_that_can();
    if (next < 0) {
        if (!let_one_expire()) deadlock();
        next = self->state == RUNS ? me : next_that_can();
    }
    inside = 1;
    decide(next, pc);
    inside = 0;
    return self->expired;
}

/* Lets at most so many threads go on that wait for it, the longest waiting first. Returns how many. */
static long wake_some(const void *on, long most) {
    long woken = 0;
    for (; woken < most; woken++) {
        int first = -1;
        for (int i = 0; i < began; i++)
            if (threads[i].state == WAITS && threads[i].on == on && (first < 0 || threads[i].since < threads[first].since))
                first = i;
        if (first < 0) break;
        threads[first].state = RUNS;
    }
    return woken;
}

static void wake(const void *on, int all) { wake_some(on, all ? THREADS : 1); }

static long number(const char *name) {
    const char *text = getenv(name);
    return text ? atol(text) : 0;
}

static int compare(const void *one, const void *other) {
    const struct line *a = one, *b = other;
    if (a->thread != b->thread) return a->thread < b->thread ? -1 : 1;
    return a->point < b->point ? -1 : a->point > b->point;
}

static void read_plan(const char *path) {
    FILE *file = fopen(path, "re");
    if (!file) {
        print("reduct step: the schedule cannot be read\n");
        end(UNRESOLVED);
    }
    char text[1024];
    long room = 0;
    while (fgets(text, sizeof text, file)) {
        struct line line;
        if (sscanf(text, "T%d#%ld -> T%d", &line.thread, &line.point, &line.to) != 3) continue;
        if (lines == room) plan = realloc(plan, (room = room ? 2 * room : 64) * sizeof *plan);
        if (!plan) end(UNRESOLVED);
        plan[lines++] = line;
    }
    fclose(file);
    if (plan) qsort(plan, lines, sizeof *plan, compare);
}

static void in_child(void) { active = 0; }

__attribute__((constructor)) static void begin(void) {
    const char *path;
    if (!kernel) kernel = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    threads[0].state = RUNS;
    threads[0].number = (int)kernel(SYS_gettid);
    if ((path = getenv("REDUCT_SCHEDULE_COUNTS"))) {
        int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        if (file >= 0 && ftruncate(file, sizeof counted) == 0) {
            void *map = mmap(0, sizeof counted, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
            if (map != MAP_FAILED) counts = map;
        }
        if (file >= 0) close(file);
    }
    counts[0] = 0, counts[1] = 1, counts[2] = 0;
    if ((path = getenv("REDUCT_SCHEDULE_RECORD"))) record = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
    if ((path = getenv("REDUCT_SCHEDULE_PLAN"))) read_plan(path);
    limit = number("REDUCT_SCHEDULE_LIMIT");
    if (getenv("REDUCT_SCHEDULE_SEED")) {
        by_chance = number("REDUCT_SCHEDULE_DEPTH") > 0 ? BY_PRIORITY : BY_COIN;
        chance = number("REDUCT_SCHEDULE_SEED") * 0x9e3779b97f4a7c15ul + 0x2545f4914f6cdd1dul;
        for (int i = 0; i < 8; i++) next_chance();
        long steps = number("REDUCT_SCHEDULE_STEPS");
        for (int i = 1; i < number("REDUCT_SCHEDULE_DEPTH") && changes < CHANGES; i++)
            change_at[changes++] = 1 + next_chance() % (steps > 0 ? steps : 1);
        threads[0].priority = 1 + next_chance() % 1000000;
    }
    pthread_atfork(0, 0, in_child);
    active = 1;
}

/* Threads. */

struct start { void *(*function)(void *); void *argument; int thread; };

static void leave(void *ignored) {
    (void)ignored;
    struct thread *self = &threads[me];
    if (!active) return;
    self->state = ENDED;
    wake(self, 1);
    int next = next_that_can();
    if (next < 0 && let_one_expire()) next = next_that_can();
    int waiting = 0;
    for (int i = 0; i < began; i++) waiting += threads[i].state == WAITS;
    if (next < 0 && waiting) deadlock();
    inside = 1;
    if (next >= 0) decide(next, 0);
}

static void *run(void *start) {
    struct start it = *(struct start *)start;
    free(start);
    me = it.thread;
    threads[me].number = (int)kernel(SYS_gettid);
    wait_for_turn();
    void *result;
    pthread_cleanup_push(leave, 0);
    result = it.function(it.argument);
    pthread_cleanup_pop(1);
    return result;
}

int pthread_create(pthread_t *handle, const pthread_attr_t *attributes, void *(*function)(void *), void *argument) {
    REAL(pthread_create);
    if (!active) return real(handle, attributes, function, argument);
    struct start *start = malloc(sizeof *start);
    if (began == THREADS || !start) {
        print("reduct step: more than 1023 threads cannot be scheduled\n");
        end(UNRESOLVED);
    }
    int thread = began;
    *start = (struct start){function, argument, thread};
    threads[thread].priority = by_chance ? 1 + (long)(next_chance() % 1000000) : 0;
    int error = real(handle, attributes, run, start);
    if (error) {
        free(start);
        return error;
    }
    threads[thread].handle = *handle;
    threads[thread].has_handle = 1;
    threads[thread].state = RUNS;
    began++;
    counts[1] = began;
    point(HERE);
    return 0;
}

static void wait_for_end(pthread_t handle, const void *pc) {
    for (int i = 0; i < began; i++)
        if (threads[i].has_handle && pthread_equal(threads[i].handle, handle)) {
            while (threads[i].state != ENDED) {
                wait_on(&threads[i], "the end of another thread", 0, pc);
                pthread_testcancel();
            }
            threads[i].has_handle = 0;
            return;
        }
}

int pthread_join(pthread_t handle, void **result) {
    REAL(pthread_join);
    if (active) point(HERE), pthread_testcancel(), wait_for_end(handle, HERE);
    return real(handle, result);
}

/* The main thread ends like any other one. */
__attribute__((noreturn)) void pthread_exit(void *result) {
    static void (*real)(void *) __attribute__((noreturn));
    if (!real) real = (void (*)(void *))dlsym(RTLD_NEXT, "pthread_exit");
    if (active && me == 0) {
        /* Others go on once this thread unwinds: they may wait for what unwinding does once, and it would do that beside them. */
        pthread_cleanup_push(leave, 0);
        real(result);
        pthread_cleanup_pop(0);
    }
    real(result);
}

/* A thread that is cancelled while it waits goes on to the end of its wait, and ends there. */
int pthread_cancel(pthread_t handle) {
    REAL(pthread_cancel);
    int error = real(handle);
    for (int i = 0; active && i < began; i++)
        if (threads[i].has_handle && pthread_equal(threads[i].handle, handle) && threads[i].state == WAITS)
            threads[i].state = RUNS;
    point(HERE);
    return error;
}

/* What is locked is asked without waiting; a thread that cannot have it waits until it is given back. */

#define LOCK(name, type, try, what) \
    int name(type *it) { \
        REAL(try); \
        if (!active) { \
            static typeof(&name) plain; \
            if (!plain) plain = (typeof(&name))dlsym(RTLD_NEXT, #name); \
            return plain(it); \
        } \
        point(HERE); \
        int error; \
        while ((error = real(it)) == EBUSY) wait_on(it, what, 0, HERE); \
        return error; \
    }
#define TIMED_LOCK(name, type, try, what) \
    int name(type *it, const struct timespec *until) { \
        REAL(try); \
        (void)until; \
        point(HERE); \
        int error; \
        while ((error = real(it)) == EBUSY) \
            if (!active || wait_on(it, what, 1, HERE)) return ETIMEDOUT; \
        return error; \
    }
#define GIVE_BACK(name, type, all) \
    int name(type *it) { \
        REAL(name); \
        int error = real(it); \
        if (active) wake(it, all), point(HERE); \
        return error; \
    }
#define TRY(name, type) \
    int name(type *it) { \
        REAL(name); \
        point(HERE); \
        return real(it); \
    }

static int try_mutex(pthread_mutex_t *it) {
    static int (*real)(pthread_mutex_t *);
    if (!real) real = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_trylock");
    return real(it);
}

/* Of a mutex that checks for errors, its owner gets one; of a plain one, it waits for itself. */
static int is_own_checked(pthread_mutex_t *it) {
    return (it->__data.__kind & 3) == PTHREAD_MUTEX_ERRORCHECK_NP && it->__data.__owner == (int)kernel(SYS_gettid);
}

static int lock_mutex(pthread_mutex_t *it, int timed, const void *pc) {
    int error;
    while ((error = try_mutex(it)) == EBUSY) {
        if (is_own_checked(it)) return EDEADLK;
        if (wait_on(it, A_MUTEX, timed, pc)) return ETIMEDOUT;
    }
    return error;
}

int pthread_mutex_lock(pthread_mutex_t *it) {
    REAL(pthread_mutex_lock);
    if (!active || inside) return real(it);
    point(HERE);
    return lock_mutex(it, 0, HERE);
}

int pthread_mutex_timedlock(pthread_mutex_t *it, const struct timespec *until) {
    REAL(pthread_mutex_timedlock);
    if (!active) return real(it, until);
    point(HERE);
    return lock_mutex(it, 1, HERE);
}

int pthread_mutex_unlock(pthread_mutex_t *it) {
    REAL(pthread_mutex_unlock);
    int error = real(it);
    if (active && !inside) wake(it, 1), point(HERE);
    return error;
}

TRY(pthread_mutex_trylock, pthread_mutex_t)
LOCK(pthread_rwlock_rdlock, pthread_rwlock_t, pthread_rwlock_tryrdlock, "a lock for reading")
LOCK(pthread_rwlock_wrlock, pthread_rwlock_t, pthread_rwlock_trywrlock, "a lock for writing")
TIMED_LOCK(pthread_rwlock_timedrdlock, pthread_rwlock_t, pthread_rwlock_tryrdlock, "a lock for reading")
TIMED_LOCK(pthread_rwlock_timedwrlock, pthread_rwlock_t, pthread_rwlock_trywrlock, "a lock for writing")
GIVE_BACK(pthread_rwlock_unlock, pthread_rwlock_t, 1)

int pthread_spin_lock(pthread_spinlock_t *it) {
    REAL(pthread_spin_trylock);
    point(HERE);
    while (real(it) == EBUSY) {
        if (!active) continue;
        wait_on((const void *)it, "a spin lock", 0, HERE);
    }
    return 0;
}

int pthread_spin_unlock(pthread_spinlock_t *it) {
    REAL(pthread_spin_unlock);
    real(it);
    if (active) wake((const void *)it, 1), point(HERE);
    return 0;
}

/* Time goes on without waiting for it: as far as a wait went that ended because its time was over. */

enum { SECOND = 1000000000, LONGEST = 86400 };
static long passed;

int clock_gettime(clockid_t clock, struct timespec *now) {
    REAL(clock_gettime);
    int error = real(clock, now);
    if (error == 0 && passed && (clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC)) {
        long parts = now->tv_nsec + passed % SECOND;
        now->tv_sec += passed / SECOND + parts / SECOND;
        now->tv_nsec = parts % SECOND;
    }
    return error;
}

static void pass(long time) {
    if (time > 0 && time < (long)LONGEST * SECOND) passed += time;
}

/* Lets time go on until then. Which clock is meant is known by which is not far from it. */
static void pass_until(const struct timespec *until) {
    for (clockid_t clock = CLOCK_REALTIME; clock <= CLOCK_MONOTONIC; clock++) {
        struct timespec now;
        clock_gettime(clock, &now);
        long seconds = until->tv_sec - now.tv_sec;
        if (seconds < 0 || seconds > LONGEST) continue;
        pass(seconds * SECOND + until->tv_nsec - now.tv_nsec);
        return;
    }
}

/* Conditions: only this file knows which threads wait. */

static int wait_for_signal(pthread_cond_t *it, pthread_mutex_t *mutex, int timed, const void *pc) {
    static int (*unlock)(pthread_mutex_t *);
    if (!unlock) unlock = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_unlock");
    point(pc);
    pthread_testcancel();
    int error = unlock(mutex);
    if (error) return error;
    wake(mutex, 1);
    int expired = wait_on(it, "a condition", timed, pc);
    error = lock_mutex(mutex, 0, pc);
    pthread_testcancel();
    return error ? error : expired ? ETIMEDOUT : 0;
}

int pthread_cond_wait(pthread_cond_t *it, pthread_mutex_t *mutex) {
    REAL(pthread_cond_wait);
    return active ? wait_for_signal(it, mutex, 0, HERE) : real(it, mutex);
}

int pthread_cond_timedwait(pthread_cond_t *it, pthread_mutex_t *mutex, const struct timespec *until) {
    REAL(pthread_cond_timedwait);
    if (!active) return real(it, mutex, until);
    int error = wait_for_signal(it, mutex, 1, HERE);
    if (error == ETIMEDOUT) pass_until(until);
    return error;
}

int pthread_cond_clockwait(pthread_cond_t *it, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until) {
    REAL(pthread_cond_clockwait);
    if (!active) return real(it, mutex, clock, until);
    int error = wait_for_signal(it, mutex, 1, HERE);
    if (error == ETIMEDOUT) pass_until(until);
    return error;
}

int pthread_cond_signal(pthread_cond_t *it) {
    REAL(pthread_cond_signal);
    if (!active) return real(it);
    wake(it, 0);
    point(HERE);
    return 0;
}

int pthread_cond_broadcast(pthread_cond_t *it) {
    REAL(pthread_cond_broadcast);
    if (!active) return real(it);
    wake(it, 1);
    point(HERE);
    return 0;
}

/* Semaphores. */

static int take(sem_t *it, int timed, const void *pc) {
    static int (*real)(sem_t *);
    if (!real) real = (int (*)(sem_t *))dlsym(RTLD_NEXT, "sem_trywait");
    point(pc);
    pthread_testcancel();
    while (real(it)) {
        if (errno != EAGAIN) return -1;
        if (wait_on(it, "a semaphore", timed, pc)) {
            errno = ETIMEDOUT;
            return -1;
        }
        pthread_testcancel();
    }
    return 0;
}

int sem_wait(sem_t *it) {
    REAL(sem_wait);
    return active ? take(it, 0, HERE) : real(it);
}

int sem_timedwait(sem_t *it, const struct timespec *until) {
    REAL(sem_timedwait);
    return active ? take(it, 1, HERE) : real(it, until);
}

int sem_post(sem_t *it) {
    REAL(sem_post);
    int error = real(it);
    if (active) wake(it, 1), point(HERE);
    return error;
}

/* What is kept beside an object, by its address. */

struct beside { const void *of; unsigned count, arrived, round; int state; };
static struct beside table[TABLE];

static struct beside *beside(const void *of) {
    unsigned at = ((uintptr_t)of >> 3) * 2654435761u;
    for (unsigned i = 0; i < TABLE; i++) {
        struct beside *it = &table[(at + i) % TABLE];
        if (it->of == of) return it;
        if (!it->of) {
            it->of = of;
            return it;
        }
    }
    print("reduct step: there are too many barriers\n");
    end(UNRESOLVED);
    return 0;
}

int pthread_barrier_init(pthread_barrier_t *it, const pthread_barrierattr_t *attributes, unsigned count) {
    REAL(pthread_barrier_init);
    *beside(it) = (struct beside){.of = it, .count = count};
    return real(it, attributes, count);
}

int pthread_barrier_wait(pthread_barrier_t *it) {
    REAL(pthread_barrier_wait);
    if (!active) return real(it);
    point(HERE);
    struct beside *barrier = beside(it);
    if (++barrier->arrived == barrier->count) {
        barrier->arrived = 0, barrier->round++;
        wake(it, 1);
        return PTHREAD_BARRIER_SERIAL_THREAD;
    }
    for (unsigned round = barrier->round; barrier->round == round;) wait_on(it, "a barrier", 0, HERE);
    return 0;
}

int pthread_once(pthread_once_t *it, void (*function)(void)) {
    REAL(pthread_once);
    if (!active) return real(it, function);
    enum { NOT_YET, UNDER_WAY, OVER };
    struct beside *once = beside(it);
    while (once->state == UNDER_WAY) wait_on(it, "what is done once", 0, HERE);
    if (once->state == NOT_YET) {
        once->state = UNDER_WAY;
        real(it, function);
        once->state = OVER;
        wake(it, 1);
    }
    return 0;
}

/* The threads of C11. */

int mtx_lock(mtx_t *it) {
    REAL(mtx_lock);
    if (!active) return real(it);
    point(HERE);
    return lock_mutex((pthread_mutex_t *)it, 0, HERE) ? thrd_error : thrd_success;
}

int mtx_unlock(mtx_t *it) { return pthread_mutex_unlock((pthread_mutex_t *)it) ? thrd_error : thrd_success; }

int cnd_wait(cnd_t *it, mtx_t *mutex) {
    return pthread_cond_wait((pthread_cond_t *)it, (pthread_mutex_t *)mutex) ? thrd_error : thrd_success;
}

int cnd_signal(cnd_t *it) { return pthread_cond_signal((pthread_cond_t *)it) ? thrd_error : thrd_success; }
int cnd_broadcast(cnd_t *it) { return pthread_cond_broadcast((pthread_cond_t *)it) ? thrd_error : thrd_success; }

struct start_c11 { thrd_start_t function; void *argument; };

static void *run_c11(void *start) {
    struct start_c11 it = *(struct start_c11 *)start;
    free(start);
    return (void *)(intptr_t)it.function(it.argument);
}

int thrd_create(thrd_t *handle, thrd_start_t function, void *argument) {
    struct start_c11 *start = malloc(sizeof *start);
    if (!start) return thrd_nomem;
    *start = (struct start_c11){function, argument};
    return pthread_create((pthread_t *)handle, 0, run_c11, start) ? thrd_error : thrd_success;
}

int thrd_join(thrd_t handle, int *result) {
    void *returned;
    if (pthread_join((pthread_t)handle, &returned)) return thrd_error;
    if (result) *result = (int)(intptr_t)returned;
    return thrd_success;
}

/* Time: a thread that sleeps lets another one go on, and wakes up whenever the plan says. */

static void nap(const void *pc) {
    if (!active || inside) return;
    int next = next_that_can();
    threads[me].priority = --lowest;
    inside = 1;
    decide(next >= 0 ? next : me, pc);
    inside = 0;
}

int sched_yield(void) { nap(HERE); return 0; }
void thrd_yield(void) { nap(HERE); }

#define SLEEP(name, parameters, arguments) \
    int name parameters { \
        REAL(name); \
        if (!active || began == 1) return real arguments; \
        nap(HERE); \
        return 0; \
    }
SLEEP(usleep, (useconds_t time), (time))
SLEEP(nanosleep, (const struct timespec *time, struct timespec *rest), (time, rest))
SLEEP(clock_nanosleep, (clockid_t clock, int flags, const struct timespec *time, struct timespec *rest), (clock, flags, time, rest))
SLEEP(thrd_sleep, (const struct timespec *time, struct timespec *rest), (time, rest))

unsigned sleep(unsigned time) {
    REAL(sleep);
    if (!active || began == 1) return real(time);
    nap(HERE);
    return 0;
}

/* The waits of the system itself: those of std::future, of atomics of C++20, of the locks of Rust. */
long syscall(long number, ...) {
    if (!kernel) kernel = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    va_list rest;
    va_start(rest, number);
    long a = va_arg(rest, long), b = va_arg(rest, long), c = va_arg(rest, long);
    long d = va_arg(rest, long), e = va_arg(rest, long), f = va_arg(rest, long);
    va_end(rest);
    if (number != SYS_futex || !active || inside) return kernel(number, a, b, c, d, e, f);
    switch (b & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
        point(HERE);
        if (*(volatile int *)a != (int)c) {
            errno = EAGAIN;
            return -1;
        }
        if (!wait_on((const void *)a, "a futex", d != 0, HERE)) return 0;
        if ((b & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET) pass_until((const struct timespec *)d);
        else pass(((const struct timespec *)d)->tv_sec * SECOND + ((const struct timespec *)d)->tv_nsec);
        errno = ETIMEDOUT;
        return -1;
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET: {
        long woken = wake_some((const void *)a, (int)c);
        point(HERE);
        return woken;
    }
    default:
        return kernel(number, a, b, c, d, e, f);
    }
}

/* What a program calls that is compiled with -fsanitize=thread: each access to memory. */

void __tsan_init(void) {}
void __tsan_func_entry(void *caller) { (void)caller; }
void __tsan_func_exit(void) {}
#define ACCESS(name) void __tsan_##name(void *at) { (void)at; point(HERE); }
#define SIZES(name) ACCESS(name##1) ACCESS(name##2) ACCESS(name##4) ACCESS(name##8) ACCESS(name##16)
#define WIDE_SIZES(name) ACCESS(name##2) ACCESS(name##4) ACCESS(name##8) ACCESS(name##16)
SIZES(read) SIZES(write) SIZES(read_write) SIZES(volatile_read) SIZES(volatile_write)
WIDE_SIZES(unaligned_read) WIDE_SIZES(unaligned_write) WIDE_SIZES(unaligned_read_write)
WIDE_SIZES(unaligned_volatile_read) WIDE_SIZES(unaligned_volatile_write)
ACCESS(vptr_read)
void __tsan_vptr_update(void **at, void *value) { (void)at, (void)value; point(HERE); }
void __tsan_read_range(void *at, unsigned long size) { (void)at, (void)size; point(HERE); }
void __tsan_write_range(void *at, unsigned long size) { (void)at, (void)size; point(HERE); }
void *__tsan_memcpy(void *to, const void *from, unsigned long size) { point(HERE); return memcpy(to, from, size); }
void *__tsan_memmove(void *to, const void *from, unsigned long size) { point(HERE); return memmove(to, from, size); }
void *__tsan_memset(void *to, int byte, unsigned long size) { point(HERE); return memset(to, byte, size); }
void __tsan_atomic_thread_fence(int order) { (void)order; point(HERE); atomic_thread_fence(memory_order_seq_cst); }
void __tsan_atomic_signal_fence(int order) { (void)order; }

#define FETCH(bits, type, name) \
    type __tsan_atomic##bits##_fetch_##name(volatile type *at, type value, int order) { \
        (void)order; \
        point(HERE); \
        return __atomic_fetch_##name(at, value, __ATOMIC_SEQ_CST); \
    }
#define ATOMIC(bits, type) \
    type __tsan_atomic##bits##_load(const volatile type *at, int order) { \
        (void)order; \
        point(HERE); \
        return __atomic_load_n(at, __ATOMIC_SEQ_CST); \
    } \
    void __tsan_atomic##bits##_store(volatile type *at, type value, int order) { \
        (void)order; \
        point(HERE); \
        __atomic_store_n(at, value, __ATOMIC_SEQ_CST); \
    } \
    type __tsan_atomic##bits##_exchange(volatile type *at, type value, int order) { \
        (void)order; \
        point(HERE); \
        return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST); \
    } \
    int __tsan_atomic##bits##_compare_exchange_strong(volatile type *at, type *old, type value, int order, int other) { \
        (void)order, (void)other; \
        point(HERE); \
        return __atomic_compare_exchange_n(at, old, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    } \
    int __tsan_atomic##bits##_compare_exchange_weak(volatile type *at, type *old, type value, int order, int other) { \
        (void)order, (void)other; \
        point(HERE); \
        return __atomic_compare_exchange_n(at, old, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    } \
    type __tsan_atomic##bits##_compare_exchange_val(volatile type *at, type old, type value, int order, int other) { \
        (void)order, (void)other; \
        point(HERE); \
        __atomic_compare_exchange_n(at, &old, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
        return old; \
    } \
    FETCH(bits, type, add) FETCH(bits, type, sub) FETCH(bits, type, and) FETCH(bits, type, or) FETCH(bits, type, xor) \
    FETCH(bits, type, nand)
ATOMIC(8, uint8_t) ATOMIC(16, uint16_t) ATOMIC(32, uint32_t) ATOMIC(64, uint64_t)
