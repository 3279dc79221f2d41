/* Runs a C program under a plan: only the statement executions that the plan names are executed.

   Preloaded into the program. Its files have guards (guards/c.rs of reduct-grammars), which look for this library by asking for a
   variable that there cannot be. A guard names an execution by what it belongs to: see executions.h. Each function has a frame, an array:
   what the function belongs to, how many executions are under way in it, and these. */
#define _GNU_SOURCE
#include "executions.h"
#include "faults.h"
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#define BELONGS_TO frame[0]
#define UNDER_WAY frame[1]
#define AT(depth) frame[2 + (depth)]
/* Of a value, so many characters are kept. */
#define LONGEST_VALUE 200
/* No page of memory is smaller. */
#define PAGE 4096
/* The file of values has a number from here on, if it may: programs count on low ones, and close them. */
#define HIGH 1000

/* What a function that is called now belongs to; whether this library is at work, which a signal may interrupt. */
static _Thread_local int32_t now;
static _Thread_local int is_busy;
static pthread_mutex_t at_work = PTHREAD_MUTEX_INITIALIZER;
static FILE *values;
static struct stat values_file;

/* Returns what an execution at a depth belongs to. What it is within may have been jumped into. */
static int32_t parent_at(const int *frame, int depth) {
    if (depth <= 0 || !UNDER_WAY) return BELONGS_TO;
    return AT((depth <= UNDER_WAY ? depth : UNDER_WAY) - 1);
}

/* Returns whether a statement is to be executed. */
static int asked(int *frame, int number, int depth) {
    if (is_busy) return 1;
    is_busy = 1;
    int before = errno;
    int32_t parent = parent_at(frame, depth), execution = PART;
    int kept = 1;
    if (!run.is_child) {
        pthread_mutex_lock(&at_work);
        execution = asked_within(parent, (uint32_t)parent, (uint32_t)number, &kept);
        pthread_mutex_unlock(&at_work);
    }
    for (; UNDER_WAY < depth; UNDER_WAY++) AT(UNDER_WAY) = parent;
    AT(depth) = execution;
    UNDER_WAY = depth + 1;
    now = execution >= 0 ? execution : parent;
    errno = before;
    is_busy = 0;
    return kept;
}

static int entered(void) { return now; }

static void left(int *frame) { now = BELONGS_TO; }

/* What comes now belongs to the statement at a depth, whatever was executed within it last. */
static void again(int *frame, int depth) {
    if (UNDER_WAY > depth + 1) UNDER_WAY = depth + 1;
    now = parent_at(frame, depth + 1);
}

/* Reads a text that may not be there: a system call is told where it is. Returns how much was read, or -1. */
static int text_at(const char *from, char *to, int most) {
    int got = 0;
    while (got < most) {
        /* What is read is within a page: it is there as a whole, or not at all. */
        size_t size = PAGE - ((uintptr_t)(from + got) & (PAGE - 1));
        if (size > (size_t)(most - got)) size = (size_t)(most - got);
        struct iovec into = {to + got, size}, there = {(void *)(from + got), size};
        if (syscall(SYS_process_vm_readv, getpid(), &into, 1, &there, 1, 0) != (long)size) break;
        char *end = memchr(to + got, 0, size);
        if (end) return (int)(end - to);
        got += (int)size;
    }
    return got ? got : -1;
}

/* Returns whether the file of values is still the one that was opened: a program may close what it has not opened. */
static int has_values(void) {
    struct stat it;
    return !fstat(fileno(values), &it) && it.st_dev == values_file.st_dev && it.st_ino == values_file.st_ino;
}

/* Shows a text, or where it is if it is none. */
static void show_text(char *value, size_t size, const char *at) {
    char text[LONGEST_VALUE];
    int length = at ? text_at(at, text, sizeof text) : -1;
    if (!at) snprintf(value, size, "NULL");
    else if (was_given_none((uintptr_t)at)) snprintf(value, size, "no value");
    else if (length >= 0) snprintf(value, size, "\"%.*s\"", length, text);
    else snprintf(value, size, "%p", (const void *)at);
}

/* Returns whether what the statement at a depth reads is to be noted before it is executed. */
static int looks(int *frame, int depth) {
    return !is_busy && !run.is_child && depth < UNDER_WAY && AT(depth) > 0 && run.looked[AT(depth)];
}

/* Returns whether there is memory of a size. */
static int readable(const void *at, unsigned long size) {
    char first, last;
    struct iovec into[] = {{&first, 1}, {&last, 1}}, there[] = {{(void *)at, 1}, {(char *)at + size - 1, 1}};
    int before = errno, is_there = size && syscall(SYS_process_vm_readv, getpid(), into, 2, there, 2, 0) == 2;
    errno = before;
    return is_there;
}

/* Notes a value that was assigned, or, if its name begins with `<`, that is to be read. `kind` says how it was handed over: see c/begins.h of reduct-grammars. */
static void note(int *frame, int depth, const char *name, int kind, ...) {
    if (is_busy || run.is_child || depth >= UNDER_WAY || AT(depth) <= 0) return;
    is_busy = 1;
    int before = errno;
    char value[2 * LONGEST_VALUE] = "";
    va_list given;
    va_start(given, kind);
    #define SHOW(format, type) snprintf(value, sizeof value, format, va_arg(given, type))
    switch (kind) {
    case 'i': SHOW("%d", int); break;
    case 'u': SHOW("%u", unsigned); break;
    case 'l': SHOW("%ld", long); break;
    case 'm': SHOW("%lu", unsigned long); break;
    case 'q': SHOW("%lld", long long); break;
    case 'r': SHOW("%llu", unsigned long long); break;
    case 'd': SHOW("%g", double); break;
    case 'D': SHOW("%Lg", long double); break;
    case 's': show_text(value, sizeof value, va_arg(given, const char *)); break;
    case 'p': {
        const void *at = va_arg(given, const void *);
        const char *instead = at ? "no value" : "NULL";
        if (at && !was_given_none((uintptr_t)at)) snprintf(value, sizeof value, "%p", at);
        else strcpy(value, instead);
    }
    }
    va_end(given);
    if (*value) {
        pthread_mutex_lock(&at_work);
        if (has_values()) {
            int is_read = *name == '<';
            fprintf(values, is_read ? "[%d,{},{" : "[%d,{", AT(depth));
            json_text(values, name + is_read, strlen(name + is_read));
            putc(':', values);
            json_text(values, value, strlen(value));
            fputs("}]\n", values);
        }
        pthread_mutex_unlock(&at_work);
    }
    errno = before;
    is_busy = 0;
}

static struct runtime {
    int (*asked)(int *, int, int);
    int (*entered)(void);
    void (*left)(int *);
    void (*again)(int *, int);
    void (*noted)(int *, int, const char *, int, ...);
    int (*looks)(int *, int);
    int (*readable)(const void *, unsigned long);
} runtime = {asked, entered, left, again, NULL, NULL, readable};

/* A child has the lock as it was, but not the thread that holds it: so nobody else holds it while a process forks. */
static _Thread_local int forks_with_lock;

static void before_fork(void) {
    forks_with_lock = !is_busy && !run.is_child;
    if (forks_with_lock) pthread_mutex_lock(&at_work);
}

static void in_parent(void) {
    if (forks_with_lock) pthread_mutex_unlock(&at_work);
    forks_with_lock = 0;
}

static void in_child(void) {
    run.is_child = 1;
    if (watched) watched = getpid();
    forks_with_lock = 0;
    pthread_mutex_init(&at_work, NULL);
}

/* Opens the file of values, with a high number if there may be one. */
static FILE *open_values(const char *path) {
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0) return NULL;
    int high = fcntl(file, F_DUPFD_CLOEXEC, HIGH);
    for (int least = HIGH / 2; high < 0 && least > file; least /= 2) high = fcntl(file, F_DUPFD_CLOEXEC, least);
    if (high >= 0) {
        close(file);
        file = high;
    }
    return fstat(file, &values_file) ? NULL : fdopen(file, "w");
}

/* Takes what this library was started with out of the environment: what the program starts is not recorded. */
static char *taken_out(void) {
    const char *told = getenv("REDUCT_GUARDS"), *before = getenv("REDUCT_GUARDS_BEFORE");
    char *instructions = told ? must(strdup(told)) : NULL;
    if (before) setenv("LD_PRELOAD", before, 1);
    else unsetenv("LD_PRELOAD");
    unsetenv("REDUCT_GUARDS");
    unsetenv("REDUCT_GUARDS_BEFORE");
    return instructions;
}

static int is_told;

/* Begins with the first process that has guards; others do all that they do. */
static void begin(void) {
    char *instructions = taken_out();
    if (!instructions) return;
    char *taken = must(malloc(strlen(instructions) + sizeof ".taken"));
    sprintf(taken, "%s.taken", instructions);
    int is_first = !rename(instructions, taken);
    free(instructions);
    if (!is_first) return;
    instructed(taken);
    /* Nobody needs it any more, nor its folder, if nothing else is there. */
    unlink(taken);
    *strrchr(taken, '/') = 0;
    rmdir(taken);
    free(taken);
    if (run.values && (values = open_values(run.values))) {
        setvbuf(values, NULL, _IOLBF, 0);
        runtime.noted = note;
        runtime.looks = looks;
    }
    pthread_atfork(before_fork, in_parent, in_child);
    watch_faults();
    is_told = 1;
}

/* Guards ask for a name that no variable has. */
__attribute__((visibility("default"))) char *getenv(const char *name) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    static char *(*next)(const char *);
    int is_optimised = !strcmp(name, "=reduct guards, optimised");
    if (is_optimised || !strcmp(name, "=reduct guards")) {
        pthread_once(&once, begin);
        if (is_told) note_module(__builtin_return_address(0), is_optimised);
        return is_told ? (char *)&runtime : NULL;
    }
    if (!next) next = (char *(*)(const char *))dlsym(RTLD_NEXT, "getenv");
    return next ? next(name) : NULL;
}

/* What a thread executes belongs to what has made the thread. */
struct start {
    void *(*first)(void *);
    void *argument;
    int32_t belongs_to;
};

static void *begin_thread(void *given) {
    struct start start = *(struct start *)given;
    free(given);
    now = start.belongs_to;
    return start.first(start.argument);
}

__attribute__((visibility("default"))) int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*first)(void *), void *argument) {
    static int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (!next) next = (int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))dlsym(RTLD_NEXT, "pthread_create");
    struct start *start = is_told ? malloc(sizeof *start) : NULL;
    if (!start) return next ? next(thread, how, first, argument) : EAGAIN;
    *start = (struct start){first, argument, now};
    int failed = next ? next(thread, how, begin_thread, start) : EAGAIN;
    if (failed) free(start);
    return failed;
}
