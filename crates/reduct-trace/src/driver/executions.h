/* Executions of statements: recorded, or looked up in a plan. Shared by the drivers that are written in C.

   An execution is named by the execution that it belongs to, its statement, and how often that statement came before within it: the
   execution index of Xin, Sumner and Zhang (PLDI 2008). Executions go by their numbers in time, from 1; 0 is the program itself.

   Instructions are a file of records that end with a NUL, each a word and what belongs to it: see `records` in records.rs. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define UNRESOLVED 125
/* All below an execution at the deepest level that is recorded is a part of it. */
#define PART (-1)
#define NOBODY 0xffffffffu
/* So many depths are told apart. */
#define DEPTHS 4096

/* What is known of the run. */
static struct {
    /* Where it is recorded, or NULL, and how much has room. */
    char *record;
    char *map;
    uint64_t most;
    uint64_t *per_depth;
    char *values;
    /* By which access to memory the recorded run died, if it did. */
    char *fault;
    int deepest;
    /* If a kept run is recorded again: what belongs to an execution at this depth, or a deeper one, has the numbers after those taken. */
    int below;
    int32_t taken;
    uint64_t limit, seen;
    /* Whether there is a plan: then `known` says what was recorded. */
    int has_plan, follows;
    char *unset;
    char **into;
    size_t intos;
    int32_t executed;
    /* By the number of an execution. */
    int32_t *depths;
    char *kept;
    /* Whether variables are looked at before it. */
    char *looked;
    size_t numbers;
    /* By the number of a known execution: its statement, the first one that belongs to it, the next one that belongs to the same. */
    uint32_t *statement, *first, *next, *last;
    /* A child process does all that it does: it is a part of what makes it. */
    int is_child;
} run;

static void give_up(const char *why) {
    fprintf(stderr, "reduct step: %s\n", why);
    fflush(stderr);
    _exit(UNRESOLVED);
}

static void *must(void *got) {
    if (!got) give_up("there is no memory for what is executed");
    return got;
}

/* A table from three numbers to one, with open addresses. */
struct entry {
    uint32_t a, b, c;
    uint32_t value;
};
struct table {
    struct entry *entries;
    size_t size, used;
};

static struct entry *entry_of(struct table *table, uint32_t a, uint32_t b, uint32_t c) {
    uint64_t hash = (a * 0x9e3779b97f4a7c15u) ^ (b * 0xc2b2ae3d27d4eb4fu) ^ (c * 0x165667b19e3779f9u);
    size_t at = (size_t)((hash ^ (hash >> 29)) * 0xbf58476d1ce4e5b9u >> 20) & (table->size - 1);
    while (table->entries[at].value != NOBODY &&
           (table->entries[at].a != a || table->entries[at].b != b || table->entries[at].c != c))
        at = (at + 1) & (table->size - 1);
    return &table->entries[at];
}

static uint32_t found(struct table *table, uint32_t a, uint32_t b, uint32_t c) {
    return table->size ? entry_of(table, a, b, c)->value : NOBODY;
}

static void grow(struct table *table) {
    struct table bigger = {NULL, table->size ? 2 * table->size : 1024, table->used};
    bigger.entries = must(malloc(bigger.size * sizeof(struct entry)));
    memset(bigger.entries, 0xff, bigger.size * sizeof(struct entry));
    for (size_t at = 0; at < table->size; at++) {
        struct entry *it = &table->entries[at];
        if (it->value != NOBODY) *entry_of(&bigger, it->a, it->b, it->c) = *it;
    }
    free(table->entries);
    *table = bigger;
}

/* Returns where the value of three numbers stands; a new one is NOBODY. */
static uint32_t *place_of(struct table *table, uint32_t a, uint32_t b, uint32_t c) {
    if (2 * (table->used + 1) > table->size) grow(table);
    struct entry *it = entry_of(table, a, b, c);
    if (it->value == NOBODY) {
        *it = (struct entry){a, b, c, NOBODY};
        table->used++;
    }
    return &it->value;
}

/* (execution it belongs to, statement) -> how often; and with how often -> the execution. */
static struct table counts, known;
/* The statements: their places, by number from 1. */
static struct {
    char *file;
    uint32_t line, nth;
} *places;
static uint32_t statements;

/* Returns the number of the statement at a place. */
static uint32_t statement_at(const char *file, uint32_t line, uint32_t nth) {
    static struct table by_place;
    uint32_t hash = 2166136261u;
    for (const char *c = file; *c; c++) hash = (hash ^ (unsigned char)*c) * 16777619u;
    for (;; hash++) {
        uint32_t *number = place_of(&by_place, hash, line, nth);
        if (*number != NOBODY && strcmp(places[*number].file, file)) continue;
        if (*number == NOBODY) {
            *number = ++statements;
            places = must(realloc(places, (statements + 1) * sizeof *places));
            places[statements].file = must(strdup(file));
            places[statements].line = line;
            places[statements].nth = nth;
        }
        return *number;
    }
}

static void room_for(uint32_t number) {
    if (number < run.numbers) return;
    size_t had = run.numbers;
    run.numbers = 2 * (size_t)number + 1024;
    run.depths = must(realloc(run.depths, run.numbers * sizeof *run.depths));
    run.kept = must(realloc(run.kept, run.numbers));
    run.looked = must(realloc(run.looked, run.numbers));
    uint32_t **lists[] = {&run.statement, &run.first, &run.next, &run.last};
    for (int of = 0; of < 4; of++) {
        *lists[of] = must(realloc(*lists[of], run.numbers * sizeof **lists[of]));
        memset(*lists[of] + had, 0, (run.numbers - had) * sizeof **lists[of]);
    }
    memset(run.depths + had, 0, (run.numbers - had) * sizeof *run.depths);
    memset(run.kept + had, 0, run.numbers - had);
    memset(run.looked + had, 0, run.numbers - had);
}

static void put(uint64_t number, int32_t parent, uint32_t statement) {
    memcpy(run.map + 8, &number, 8);
    if (number > run.most) return;
    char *at = run.map + 16 + 8 * (number - 1);
    memcpy(at, &parent, 4);
    memcpy(at + 4, &statement, 4);
    memcpy(run.map, &number, 8);
}

/* Returns what stands for an iteration of a loop, where iterations are no executions of their own: a number that no execution has. */
static uint32_t iteration_of(uint32_t loop, uint32_t iteration) {
    static struct table iterations;
    uint32_t *number = place_of(&iterations, loop, iteration, 0);
    if (*number == NOBODY) *number = 0x80000000u + (uint32_t)iterations.used;
    return *number;
}

/* Returns the next count of a statement within what it belongs to. */
static uint32_t counted(struct table *table, uint32_t within, uint32_t statement) {
    uint32_t *count = place_of(table, within, statement, 0);
    uint32_t now = *count == NOBODY ? 0 : *count;
    *count = now + 1;
    return now;
}

/* Returns which execution of a statement this is; *kept says whether it is executed. `within` is what it is counted in: what it
   belongs to, or an iteration of that. */
static int32_t asked_within(int32_t parent, uint32_t within, uint32_t statement, int *kept) {
    *kept = 1;
    if (run.is_child) return PART;
    if (++run.seen > run.limit) give_up("more was executed than could be: the plan makes a loop longer");
    if (parent < 0 || run.depths[parent] >= run.deepest) return PART;
    if (!run.has_plan || run.depths[parent] >= run.below) {
        int32_t number = ++run.executed;
        room_for((uint32_t)number);
        int depth = run.depths[number] = run.depths[parent] + 1;
        if (run.map) {
            run.per_depth[depth < DEPTHS ? depth : DEPTHS - 1]++;
            put((uint64_t)(number - run.taken), parent, statement);
        }
        return number;
    }
    uint32_t number = found(&known, within, statement, counted(&counts, within, statement));
    if (number == NOBODY) give_up("something is executed that was not when it was recorded");
    *kept = run.kept[number];
    return (int32_t)number;
}

/* Returns how many bytes a character of UTF-8 has that begins here; 0 if none does. */
static size_t character(const unsigned char *at, size_t left) {
    size_t more = *at < 0x80 ? 0 : *at < 0xc2 ? 9 : *at < 0xe0 ? 1 : *at < 0xf0 ? 2 : *at < 0xf5 ? 3 : 9;
    if (more >= left) return 0;
    for (size_t byte = 1; byte <= more; byte++)
        if ((at[byte] & 0xc0) != 0x80) return 0;
    /* Too long forms, surrogates, and what is beyond Unicode. */
    int is_none = (*at == 0xe0 && at[1] < 0xa0) || (*at == 0xed && at[1] > 0x9f) || (*at == 0xf0 && at[1] < 0x90) ||
                  (*at == 0xf4 && at[1] > 0x8f);
    return is_none ? 0 : more + 1;
}

/* Writes a text as JSON. What is no UTF-8 is shown as a question mark. */
static void json_text(FILE *to, const char *text, size_t length) {
    putc('"', to);
    for (size_t at = 0; at < length;) {
        unsigned char c = (unsigned char)text[at];
        size_t bytes = character((const unsigned char *)text + at, length - at);
        if (!bytes) putc('?', to);
        else if (c < 0x20 || c == 0x7f) fprintf(to, "\\u%04x", c);
        else {
            if (c == '"' || c == '\\') putc('\\', to);
            fwrite(text + at, 1, bytes, to);
        }
        at += bytes ? bytes : 1;
    }
    putc('"', to);
}

/* Opens a file that is beside what is written for this run. It is not inherited, and no loss if it is not there. */
static FILE *beside(const char *what) {
    const char *first = run.record ? run.record : run.values;
    if (!first) return NULL;
    char *path = must(malloc(strlen(first) + strlen(what) + 2));
    sprintf(path, "%s.%s", first, what);
    FILE *file = fopen(path, "ae");
    free(path);
    return file;
}

/* Returns a file in memory: what is written to it stays if the program dies. */
static char *mapped(const char *path, size_t size) {
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0 || ftruncate(file, (off_t)size) < 0) give_up("the record cannot be written");
    char *map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (map == MAP_FAILED) give_up("the record cannot be written");
    close(file);
    return map;
}

/* Begins the record, and beside it how many executions there are at each depth. */
static void begin_record(void) {
    run.map = mapped(run.record, 16 + 8 * run.most);
    char *depths = must(malloc(strlen(run.record) + sizeof ".depths"));
    sprintf(depths, "%s.depths", run.record);
    run.per_depth = (uint64_t *)mapped(depths, DEPTHS * sizeof *run.per_depth);
    free(depths);
}

/* Takes one record of the instructions. */
static void take(char *text) {
    char *rest = strchr(text, ' ');
    if (!rest) return;
    *rest++ = 0;
    char *end = rest;
    #define NUMBER strtoul(end, &end, 10)
    if (!strcmp(text, "known")) {
        uint32_t parent = NUMBER, place = NUMBER, count = NUMBER, number = NUMBER;
        run.has_plan = 1;
        room_for(number);
        room_for(parent);
        *place_of(&known, parent, place, count) = number;
        run.depths[number] = run.depths[parent] + 1;
        run.kept[number] = (char)NUMBER;
        run.statement[number] = place;
        if (run.last[parent]) run.next[run.last[parent]] = number;
        else run.first[parent] = number;
        run.last[parent] = number;
        if ((int32_t)number > run.executed) run.executed = (int32_t)number;
    } else if (!strcmp(text, "read")) {
        uint32_t number = NUMBER;
        room_for(number);
        run.looked[number] = 1;
    } else if (!strcmp(text, "place")) {
        uint32_t line = NUMBER, nth = NUMBER;
        statement_at(end + 1, line, nth);
    } else if (!strcmp(text, "into")) {
        run.into = must(realloc(run.into, (run.intos + 1) * sizeof *run.into));
        run.into[run.intos++] = must(strdup(rest));
    } else if (!strcmp(text, "record")) run.record = must(strdup(rest));
    else if (!strcmp(text, "values")) run.values = must(strdup(rest));
    else if (!strcmp(text, "fault")) run.fault = must(strdup(rest));
    else if (!strcmp(text, "unset")) run.unset = must(strdup(rest));
    else if (!strcmp(text, "most")) run.most = NUMBER;
    else if (!strcmp(text, "limit")) run.limit = NUMBER;
    else if (!strcmp(text, "deepest")) run.deepest = (int)NUMBER;
    else if (!strcmp(text, "below")) run.below = (int)NUMBER;
    else if (!strcmp(text, "taken")) run.taken = (int32_t)NUMBER;
    else if (!strcmp(text, "follows")) run.follows = 1;
}

/* Reads the instructions. */
static void instructed(const char *path) {
    run.deepest = run.below = 0x7fffffff;
    run.limit = ~(uint64_t)0;
    room_for(0);
    FILE *file = fopen(path, "re");
    char *text = NULL;
    size_t size = 0;
    if (!file) give_up("the instructions cannot be read");
    while (getdelim(&text, &size, 0, file) > 0) take(text);
    free(text);
    fclose(file);
    if (run.taken) run.executed = run.taken;
    if (run.record) begin_record();
}
