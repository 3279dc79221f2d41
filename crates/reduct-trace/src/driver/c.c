/* Runs a C program under a plan: only the statement executions that the plan names are executed.

   Preloaded into the program. Its files have guards (guards/c.rs of reduct-grammars), which look for this library by asking for a
   variable that there cannot be. A guard names an execution by what it belongs to: see executions.h. Each function has a frame, an array:
   what the function belongs to, how many executions are under way in it, and these. */
#define _GNU_SOURCE
#include "executions.h"
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>

#define BELONGS_TO frame[0]
#define UNDER_WAY frame[1]
#define AT(depth) frame[2 + (depth)]
/* Of a value, so many characters are kept. */
#define LONGEST_VALUE 200

/* What a function that is called now belongs to; whether this library is at work, which a signal may interrupt. */
static _Thread_local int32_t now;
static _Thread_local int is_busy;
static pthread_mutex_t at_work = PTHREAD_MUTEX_INITIALIZER;
static FILE *values;
/* Returns what an execution at a depth belongs to. What it is within may have been jumped into. */
static int32_t parent_at(const int *frame, int depth) {
    if (depth <= 0 || !UNDER_WAY) return BELONGS_TO;
    return AT((depth <= UNDER_WAY ? depth : UNDER_WAY) - 1);
}

/* Returns whether a statement is to be executed. */
static int asked(int *frame, int number, int depth) {
    if (is_busy) return 1;
    is_busy = 1;
    int32_t parent = parent_at(frame, depth);
    int kept = 1;
    pthread_mutex_lock(&at_work);
    int32_t execution = asked_within(parent, (uint32_t)parent, (uint32_t)number, &kept);
    pthread_mutex_unlock(&at_work);
    for (; UNDER_WAY < depth; UNDER_WAY++) AT(UNDER_WAY) = parent;
    AT(depth) = execution;
    UNDER_WAY = depth + 1;
    now = execution >= 0 ? execution : parent;
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
    static int ends[2] = {-1, -1};
    if (ends[0] < 0 && pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0) return -1;
    for (int length = 0; length < most; length++) {
        if (write(ends[1], from + length, 1) != 1 || read(ends[0], to + length, 1) != 1) return length ? length : -1;
        if (!to[length]) return length;
    }
    return most;
}

/* Shows a text, or where it is if it is none. */
static void show_text(char *value, size_t size, const char *at) {
    char text[LONGEST_VALUE];
    int length = at ? text_at(at, text, sizeof text) : -1;
    if (!at) snprintf(value, size, "NULL");
    else if (length >= 0) snprintf(value, size, "\"%.*s\"", length, text);
    else snprintf(value, size, "%p", (const void *)at);
}

/* Notes a value that was assigned. `kind` says how it was handed over: see c/begins.h of reduct-grammars. */
static void note(int *frame, int depth, const char *name, int kind, ...) {
    if (is_busy || run.is_child || depth >= UNDER_WAY || AT(depth) <= 0) return;
    is_busy = 1;
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
        if (at) snprintf(value, sizeof value, "%p", at);
        else strcpy(value, "NULL");
    }
    }
    va_end(given);
    if (*value) {
        pthread_mutex_lock(&at_work);
        fprintf(values, "[%d,{", AT(depth));
        json_text(values, name, strlen(name));
        putc(':', values);
        json_text(values, value, strlen(value));
        fputs("}]\n", values);
        pthread_mutex_unlock(&at_work);
    }
    is_busy = 0;
}

static struct runtime {
    int (*asked)(int *, int, int);
    int (*entered)(void);
    void (*left)(int *);
    void (*again)(int *, int);
    void (*noted)(int *, int, const char *, int, ...);
} runtime = {asked, entered, left, again, NULL};

static void in_child(void) { run.is_child = 1; }

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
    int file = open(taken, O_CREAT | O_EXCL | O_CLOEXEC | O_WRONLY, 0600);
    free(taken);
    if (file < 0) return;
    close(file);
    instructed(instructions);
    free(instructions);
    if (run.values && (values = fopen(run.values, "we"))) {
        setvbuf(values, NULL, _IOLBF, 0);
        runtime.noted = note;
    }
    pthread_atfork(NULL, NULL, in_child);
    is_told = 1;
}

/* Guards ask for a name that no variable has. */
__attribute__((visibility("default"))) char *getenv(const char *name) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    static char *(*next)(const char *);
    if (!strcmp(name, "=reduct guards")) {
        pthread_once(&once, begin);
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
