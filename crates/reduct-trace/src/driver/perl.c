/* Runs a Perl program under a plan: only the statement executions that the plan names are executed.

   A statement of Perl is what follows a `nextstate` in its list. That op is hooked: to leave the statement out, it goes on with
   what comes after it. So no source is touched. Compiled on first use with the headers of the user's own Perl (perl.rs). */
#define PERL_NO_GET_CONTEXT
#include "EXTERN.h"
#include "perl.h"
#include "XSUB.h"
#include "executions.h"

#if PERL_VERSION < 26
#error "Perl 5.26 or later"
#endif

/* A variable that a statement may assign to. */
struct variable {
    PADOFFSET pad;
    GV *global;
    char sigil;
    char *name;
};

/* A statement of a file that is looked into. */
struct statement {
    COP *cop;
    uint32_t number;
    /* How many statements it is within, in its function; and the one it is within, or -1. */
    int depth;
    int within;
    /* Whether it is the first one of its function, or of what it is within. */
    int is_first, begins_body;
    int is_loop, is_main;
    /* Of a loop over a list: its iterations, which are executions; of the first statement of its body: where the body ends. */
    int lists;
    uint32_t iteration;
    OP *body_last;
    OP *last;
    struct variable *variables;
    size_t assigned;
};

/* An activation of a function: where it stands on Perl's stacks, the execution it belongs to, those under way in it by their
   depth, and the statement whose values are not noted yet. */
struct frame {
    int level;
    I32 at;
    CV *function;
    int32_t base;
    int32_t *under_way;
    /* The iterations of those that are loops. */
    uint32_t *iterations;
    int depth, room;
    int pending;
    int32_t pending_for;
};

static PerlInterpreter *program;
static struct statement *all;
static size_t alls;
static struct table by_cop, on_line;
static struct frame *frames;
static size_t active, frames_room;
/* What a function that is called now belongs to. */
static int32_t now;
static FILE *described, *values;
/* The statements of the main program are run one after the other, on this stack. */
static PERL_SI *replaying;
static int has_begun;

#include "perl_values.h"
#include "perl_statements.h"

/* Finds the function that is executed: the level of its stack, its place there. */
static void where(pTHX_ struct frame *here) {
    PERL_SI *stack = PL_curstackinfo;
    I32 at = cxstack_ix;
    here->function = NULL;
    for (;;) {
        for (; at >= 0; at--) {
            PERL_CONTEXT *it = &stack->si_cxstack[at];
            if (CxTYPE(it) == CXt_SUB) here->function = it->blk_sub.cv;
            if (CxTYPE(it) == CXt_FORMAT) here->function = it->blk_format.cv;
            /* A block of eval belongs to its function; a file or a text does not. */
            if (here->function || (CxTYPE(it) == CXt_EVAL && !CxTRYBLOCK(it))) break;
        }
        /* The block of a sort belongs to the function that it stands in. */
        if (at >= 0 || !stack->si_prev) break;
        stack = stack->si_prev;
        at = stack->si_cxix;
    }
    here->at = at;
    for (here->level = 0; stack->si_prev; stack = stack->si_prev) here->level++;
}

/* Returns whether a function is still active. */
static int is_active(pTHX_ struct frame *it) {
    PERL_SI *stack = PL_curstackinfo;
    int level = 0;
    for (PERL_SI *below = stack; below->si_prev; below = below->si_prev) level++;
    for (; level > it->level; level--) stack = stack->si_prev;
    if (level < it->level || it->at > stack->si_cxix) return 0;
    if (it->at < 0) return 1;
    PERL_CONTEXT *at = &stack->si_cxstack[it->at];
    if (CxTYPE(at) == CXt_SUB) return at->blk_sub.cv == it->function;
    if (CxTYPE(at) == CXt_FORMAT) return at->blk_format.cv == it->function;
    return CxTYPE(at) == CXt_EVAL && !it->function;
}

static void end_frame(void) {
    struct frame *it = &frames[--active];
    now = it->base;
    it->depth = 0;
    it->pending = -1;
}

/* Returns the activation of the function that is executed. */
static struct frame *frame_of(pTHX_ int is_first) {
    struct frame here;
    where(aTHX_ &here);
    #define TOP frames[active - 1]
    while (active && (TOP.level > here.level || (TOP.level == here.level && TOP.at > here.at))) end_frame();
    if (active && TOP.level == here.level && TOP.at == here.at) {
        if (here.at < 0 || (!is_first && TOP.function == here.function)) return &TOP;
        end_frame();
    }
    while (active && !is_active(aTHX_ &TOP)) end_frame();
    if (active == frames_room) {
        frames_room = frames_room ? 2 * frames_room : 64;
        frames = must(realloc(frames, frames_room * sizeof *frames));
        memset(frames + active, 0, (frames_room - active) * sizeof *frames);
    }
    struct frame *it = &frames[active++];
    it->level = here.level;
    it->at = here.at;
    it->function = here.function;
    it->base = now;
    it->depth = 0;
    it->pending = -1;
    return it;
}

/* Puts an execution at its depth in its function. */
static void set_under_way(struct frame *frame, int depth, int32_t execution) {
    if (depth >= frame->room) {
        frame->room = 2 * depth + 8;
        frame->under_way = must(realloc(frame->under_way, frame->room * sizeof *frame->under_way));
        frame->iterations = must(realloc(frame->iterations, frame->room * sizeof *frame->iterations));
    }
    frame->under_way[depth] = execution;
    frame->iterations[depth] = 0;
    frame->depth = depth + 1;
}

/* Returns what an execution at a depth belongs to. What it is within may have been jumped into. */
static int32_t parent_at(struct frame *frame, int depth) {
    if (!depth || !frame->depth) return frame->base;
    return frame->under_way[(depth <= frame->depth ? depth : frame->depth) - 1];
}

/* Notes what was assigned before this statement in its function. */
static void note(pTHX_ struct frame *frame, struct statement *it) {
    if (!values) return;
    if (frame->pending >= 0) write_values(aTHX_ &all[frame->pending], frame->pending_for);
    frame->pending = -1;
    if (it && it->begins_body && it->within >= 0 && all[it->within].is_loop && !all[it->within].lists && it->depth <= frame->depth)
        write_values(aTHX_ &all[it->within], frame->under_way[it->depth - 1]);
}

static Perl_ppaddr_t original[MAXO];

static void hook(pTHX_ int type, Perl_ppaddr_t by) {
    original[type] = PL_ppaddr[type];
    PL_ppaddr[type] = by;
}

/* Leaves out what ends with an op. Returns what is executed next. */
static OP *leave_out(pTHX_ OP *last) {
    original[PL_op->op_type](aTHX);
    if ((last->op_flags & OPf_WANT) == OPf_WANT_SCALAR) {
        /* Somebody takes its value. */
        dSP;
        XPUSHs(&PL_sv_undef);
        PUTBACK;
    }
    return last->op_next;
}

static int is_replayed(pTHX) {
    struct frame here;
    if (!replaying || PL_curstackinfo != replaying) return 0;
    where(aTHX_ &here);
    return here.at < 0;
}

#include "perl_replay.h"

static struct statement *statement_of(OP *op) {
    uint64_t address = (uint64_t)(uintptr_t)op;
    uint32_t at = found(&by_cop, (uint32_t)address, (uint32_t)(address >> 32), 0);
    return at == NOBODY || all[at].cop != (COP *)op ? NULL : &all[at];
}

static int is_in_loop(struct statement *it) { return it->depth && it->within >= 0 && all[it->within].is_loop && !all[it->within].lists; }

/* Names what was executed in a loop by its iterations, when that loop is executed. They begin with the first statement of its body. */
static void name_by_iterations(uint32_t loop) {
    static struct table named, by_number, seen;
    static size_t looked_at;
    uint32_t *is_named = place_of(&named, loop, 0, 0);
    if (*is_named != NOBODY) return;
    *is_named = 1;
    for (; looked_at < alls; looked_at++) *place_of(&by_number, all[looked_at].number, 0, 0) = (uint32_t)looked_at;
    uint32_t iteration = 0;
    for (uint32_t number = run.first[loop]; number; number = run.next[number]) {
        uint32_t at = found(&by_number, run.statement[number], 0, 0);
        if (at == NOBODY || !is_in_loop(&all[at])) continue;
        iteration += all[at].begins_body;
        uint32_t within = iteration_of(loop, iteration);
        *place_of(&known, within, run.statement[number], counted(&seen, within, run.statement[number])) = number;
    }
}

/* Returns what an execution is counted in: what it belongs to, or an iteration of that. */
static uint32_t counted_in(struct frame *frame, struct statement *it, int32_t parent) {
    if (parent <= 0 || !run.has_plan || !is_in_loop(it)) return (uint32_t)parent;
    name_by_iterations((uint32_t)parent);
    uint32_t *iteration = &frame->iterations[it->depth - 1];
    return iteration_of((uint32_t)parent, *iteration += it->begins_body);
}

/* What a statement is within may have been jumped into: then it is a part of what is around that. */
static void set_all_under_way(struct frame *frame, int up_to) {
    for (int depth = frame->depth; depth < up_to; depth++) set_under_way(frame, depth, parent_at(frame, depth));
}

/* Begins an iteration of a loop over a list, before the first statement of its body. */
static void iterate(pTHX_ struct frame *frame, struct statement *first, int *kept) {
    struct statement *loop = &all[first->within];
    int depth = first->depth - 1;
    set_all_under_way(frame, depth);
    int32_t parent = parent_at(frame, depth);
    int32_t execution = asked_within(parent, (uint32_t)parent, loop->iteration, kept);
    set_under_way(frame, depth, execution);
    now = execution >= 0 ? execution : parent;
    if (values && *kept) write_values(aTHX_ loop, execution);
}

/* What is hooked: the beginning of a statement. */
static OP *on_statement(pTHX) {
    if (aTHX != program) give_up("the program has threads");
    if (PL_phase == PERL_PHASE_START || PL_phase == PERL_PHASE_DESTRUCT) return original[PL_op->op_type](aTHX);
    struct statement *it = statement_of(PL_op);
    if (!has_begun && PL_phase >= PERL_PHASE_INIT) {
        has_begun = 1;
        preset(aTHX);
    }
    if (is_replayed(aTHX)) return NULL;
    if (!it) return original[PL_op->op_type](aTHX);
    if (run.follows && run.has_plan && !replaying && it->is_main) replay(aTHX);
    struct frame *frame = frame_of(aTHX_ it->is_first);
    note(aTHX_ frame, it);
    int kept = 1;
    if (it->body_last) iterate(aTHX_ frame, it, &kept);
    if (!kept) return leave_out(aTHX_ it->body_last);
    set_all_under_way(frame, it->depth);
    int32_t parent = parent_at(frame, it->depth);
    int32_t execution = asked_within(parent, counted_in(frame, it, parent), it->number, &kept);
    set_under_way(frame, it->depth, execution);
    now = execution >= 0 ? execution : parent;
    if (!kept) return leave_out(aTHX_ it->last);
    if (it->assigned && !it->lists && execution > 0) {
        frame->pending = (int)(it - all);
        frame->pending_for = execution;
    }
    return original[PL_op->op_type](aTHX);
}

static void in_child(void) { run.is_child = 1; }

/* Begins, before the program is compiled. */
static void begin(pTHX_ CV *self) {
    dXSARGS;
    PERL_UNUSED_VAR(self);
    if (items != 1) croak("reduct step: instructions");
    instructed(SvPV_nolen(ST(0)));
    program = aTHX;
    described = beside("statements");
    if (run.values) values = fopen(run.values, "we");
    hook(aTHX_ OP_NEXTSTATE, on_statement);
    hook(aTHX_ OP_DBSTATE, on_statement);
    if (run.follows) hook_control(aTHX);
    peep = PL_peepp;
    PL_peepp = on_compiled;
    pthread_atfork(NULL, NULL, in_child);
    XSRETURN_EMPTY;
}

XS_EXTERNAL(reduct_step) { begin(aTHX_ cv); }
