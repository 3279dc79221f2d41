/* By which access to memory a program dies: where the address lies, and, in code that is not optimised, which instruction it is.

   Two accesses on one line are two failures, as are one access through a null pointer and the same one through a wild pointer. Under a
   plan, a program that dies of another access than the recorded run is unresolved. Guards give pointers without a value an address
   that nothing has: see c/begins.h of reduct-grammars. */
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <signal.h>
#include <ucontext.h>

/* Where pointers without a value point to, and how far apart two of them are. */
#define NO_VALUE 0x6b0000000000
#define APART 0x400000
/* What lies around these addresses is not used either: so far, a wild index reaches. */
#define AROUND 0x10000000000
/* An address that is no further from zero comes from a null pointer, with the offset of a member. */
#define NEAR_NULL 0x10000
/* With the index of an element, it is no further. The programs of today, and what they allocate, lie higher. */
#define LOW 0x100000000
/* So near to the top of the stack, nothing but the stack is accessed. */
#define NEAR_STACK 0x10000
#define FAULT_STACK 0x10000
#define MODULES 64

static int was_given_none(uintptr_t address) {
    return address >= NO_VALUE - AROUND && address < NO_VALUE + 2 * (uintptr_t)AROUND;
}

/* The code of modules with guards. */
static struct module {
    uintptr_t begins, ends;
    int is_optimised;
} modules[MODULES];
static int module_count;

static int note_if_within(struct dl_phdr_info *it, size_t size, void *looked_for) {
    (void)size;
    struct module *module = looked_for;
    for (int at = 0; at < it->dlpi_phnum; at++) {
        uintptr_t begins = it->dlpi_addr + it->dlpi_phdr[at].p_vaddr, ends = begins + it->dlpi_phdr[at].p_memsz;
        if (it->dlpi_phdr[at].p_type != PT_LOAD || module->begins < begins || module->begins >= ends) continue;
        module->begins = begins;
        module->ends = ends;
        return 1;
    }
    return 0;
}

/* Notes the module of this instruction. */
static void note_module(const void *instruction, int is_optimised) {
    struct module it = {(uintptr_t)instruction, 0, is_optimised};
    if (!dl_iterate_phdr(note_if_within, &it)) return;
    for (int at = 0; at < module_count; at++)
        if (modules[at].begins == it.begins) {
            modules[at].is_optimised |= is_optimised;
            return;
        }
    if (module_count < MODULES) modules[module_count++] = it;
}

/* Returns where an address lies. */
static const char *lies(const siginfo_t *info, uintptr_t stack) {
    uintptr_t address = (uintptr_t)info->si_addr;
    if (info->si_code <= 0) return "sent";
    if (info->si_code == SI_KERNEL) return "impossible";
    if (address < NEAR_NULL || address > -(uintptr_t)NEAR_NULL) return "null";
    if (stack && address > stack - NEAR_STACK && address < stack + NEAR_STACK) return "stack";
    if (info->si_signo == SIGSEGV && info->si_code == SEGV_ACCERR) return "protected";
    if (address < LOW) return "low";
    return was_given_none(address) ? "no value" : "elsewhere";
}

/* Says by which access a program dies. */
static void say_fault(char *said, size_t size, const siginfo_t *info, const ucontext_t *context) {
    uintptr_t instruction = 0, stack = 0;
    #if defined __x86_64__
    instruction = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
    stack = (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
    #elif defined __aarch64__
    instruction = context->uc_mcontext.pc;
    stack = context->uc_mcontext.sp;
    #endif
    const char *where = lies(info, stack);
    int length = snprintf(said, size, "%s", where);
    if (!strcmp(where, "no value")) {
        long place = (long)((uintptr_t)info->si_addr - NO_VALUE + APART / 2) / APART;
        length += snprintf(said + length, size - (size_t)length, " %ld", place);
    }
    for (int at = 0; at < module_count && info->si_code > 0; at++)
        if (!modules[at].is_optimised && instruction >= modules[at].begins && instruction < modules[at].ends)
            snprintf(said + length, size - (size_t)length, ", at +%lx", (long)(instruction - modules[at].begins));
}

/* Where it is written to, if the run is recorded. */
static char *fault_file;
/* What the program wants to happen. */
static struct sigaction wishes[2];

typedef int set_action(int, const struct sigaction *, struct sigaction *);

/* Sets what happens at a signal, past the function below. */
static int set_really(int number, const struct sigaction *action, struct sigaction *before) {
    static set_action *next;
    if (!next) next = (set_action *)dlsym(RTLD_NEXT, "sigaction");
    if (next) return next(number, action, before);
    errno = ENOSYS;
    return -1;
}

static struct sigaction *wish_of(int number) {
    return number == SIGSEGV ? &wishes[0] : number == SIGBUS ? &wishes[1] : NULL;
}

/* The process in which wishes are noted. One of vfork has the same memory, but signals of its own. */
static pid_t watched;

static int is_watched(void) { return watched && getpid() == watched; }

static void on_fault(int number, siginfo_t *info, void *context) {
    char said[100];
    if (!run.is_child && is_watched()) {
        say_fault(said, sizeof said, info, context);
        if (fault_file) {
            int file = open(fault_file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
            if (file < 0 || write(file, said, strlen(said)) < 0) unlink(fault_file);
            if (file >= 0) close(file);
        } else if (run.fault && strcmp(run.fault, said)) {
            static const char why[] = "reduct step: the program dies of another access to memory than when it was recorded\n";
            if (write(2, why, sizeof why - 1) < 0) _exit(UNRESOLVED);
            _exit(UNRESOLVED);
        }
    }
    /* The instruction is executed again, and what was to happen happens; a signal that was sent is sent again. */
    set_really(number, wish_of(number), NULL);
    if (info->si_code <= 0) raise(number);
}

static int notice(int number) {
    struct sigaction on = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    return set_really(number, &on, NULL);
}

/* Stands for a handler that is to be called once (SA_RESETHAND): what comes after it is noticed. */
static void on_first(int number, siginfo_t *info, void *context) {
    struct sigaction *wish = wish_of(number), was = *wish, none = {.sa_handler = SIG_DFL};
    /* Another thread was faster. */
    if (was.sa_handler == SIG_DFL) {
        on_fault(number, info, context);
        return;
    }
    if (is_watched()) {
        wish->sa_handler = SIG_DFL;
        notice(number);
    } else set_really(number, &none, NULL);
    if (was.sa_flags & SA_SIGINFO) was.sa_sigaction(number, info, context);
    else was.sa_handler(number);
}

/* Has happen what the program wants to happen. What it does not handle is noticed. */
static int grant(int number, const struct sigaction *wanted) {
    if (wanted->sa_handler == SIG_DFL) return notice(number);
    if (wanted->sa_handler == SIG_IGN || !(wanted->sa_flags & SA_RESETHAND)) return set_really(number, wanted, NULL);
    struct sigaction first = *wanted;
    first.sa_sigaction = on_first;
    first.sa_flags = (first.sa_flags | SA_SIGINFO) & ~SA_RESETHAND;
    return set_really(number, &first, NULL);
}

static int is_own(const struct sigaction *action) {
    return action->sa_sigaction == on_fault || action->sa_sigaction == on_first;
}

static void watch_faults(void) {
    static char room[FAULT_STACK];
    stack_t stack = {.ss_sp = room, .ss_size = sizeof room}, before;
    if (!sigaltstack(NULL, &before) && (before.ss_flags & SS_DISABLE)) sigaltstack(&stack, NULL);
    if (run.record) {
        fault_file = must(malloc(strlen(run.record) + sizeof ".fault"));
        sprintf(fault_file, "%s.fault", run.record);
    }
    set_really(SIGSEGV, NULL, &wishes[0]);
    set_really(SIGBUS, NULL, &wishes[1]);
    watched = getpid();
    notice(SIGSEGV);
    notice(SIGBUS);
}

/* A program sees what it has set itself. What it handles is not noticed: it may jump away and go on. What it does not handle any more is
   noticed again. */
__attribute__((visibility("default"))) int sigaction(int number, const struct sigaction *action, struct sigaction *before) {
    struct sigaction *wish = watched ? wish_of(number) : NULL;
    if (!wish) return set_really(number, action, before);
    struct sigaction was = *wish, wanted = action ? *action : was;
    if (!is_watched()) {
        int failed = set_really(number, action, before);
        if (!failed && before && is_own(before)) *before = was;
        return failed;
    }
    if (action) {
        /* The signal may come at once. */
        *wish = wanted;
        int failed = grant(number, &wanted);
        if (failed) {
            *wish = was;
            return failed;
        }
    }
    if (before) *before = was;
    return 0;
}

typedef void handler(int);

static handler *set_handler(int number, handler *to, int flags) {
    struct sigaction action = {.sa_handler = to, .sa_flags = flags}, before;
    if (to == SIG_ERR) {
        errno = EINVAL;
        return SIG_ERR;
    }
    sigemptyset(&action.sa_mask);
    if (!(flags & SA_NODEFER)) sigaddset(&action.sa_mask, number);
    return sigaction(number, &action, &before) ? SIG_ERR : before.sa_handler;
}

#define SETS_HANDLER(name, flags) \
    __attribute__((visibility("default"))) handler *name(int number, handler *to) { \
        static handler *(*next)(int, handler *); \
        if (watched && wish_of(number)) return set_handler(number, to, flags); \
        if (!next) next = (handler *(*)(int, handler *))dlsym(RTLD_NEXT, #name); \
        return next ? next(number, to) : SIG_ERR; \
    }

SETS_HANDLER(signal, SA_RESTART)
SETS_HANDLER(ssignal, SA_RESTART)
SETS_HANDLER(bsd_signal, SA_RESTART)
/* What `signal` is in a program that is compiled with -std=c99. */
SETS_HANDLER(__sysv_signal, SA_RESETHAND | SA_NODEFER)
SETS_HANDLER(sysv_signal, SA_RESETHAND | SA_NODEFER)
