#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_SIZE 16
#define MAX_ENTRIES 64

enum kind { INCOME, EXPENSE, TRANSFER };

struct entry {
    char name[NAME_SIZE];
    enum kind kind;
    long cents;
    struct entry *next;
};

struct ledger {
    struct entry *first, *last;
    size_t count;
    long balance;
};

static const char *const kinds[] = { "income", "expense", "transfer" };

static void *need(size_t size) {
    void *place = malloc(size);
    if (!place) {
        fprintf(stderr, "out of memory\n");
        exit(2);
    }
    return place;
}

static struct entry *entry_new(const char *name, enum kind kind, long cents) {
    struct entry *e = need(sizeof *e);
    size_t length = strlen(name);
    if (length >= NAME_SIZE) length = NAME_SIZE - 1;
    memcpy(e->name, name, length);
    e->name[length] = 0;
    e->kind = kind;
    e->cents = cents;
    e->next = NULL;
    return e;
}

static void ledger_add(struct ledger *l, struct entry *e) {
    if (l->last)
        l->last->next = e;
    else
        l->first = e;
    l->last = e;
    l->count++;
    switch (e->kind) {
    case INCOME: l->balance += e->cents; break;
    case EXPENSE: l->balance -= e->cents; break;
    case TRANSFER: break;
    }
}

static int ledger_drop(struct ledger *l, const char *name) {
    struct entry *before = NULL;
    for (struct entry *e = l->first; e; before = e, e = e->next) {
        if (strcmp(e->name, name) != 0) continue;
        if (before)
            before->next = e->next;
        else
            l->first = e->next;
        if (l->last == e) l->last = before;
        l->count--;
        free(e);
        if (e->kind == INCOME) l->balance -= e->cents;
        return 1;
    }
    return 0;
}

static void ledger_print(const struct ledger *l, FILE *out) {
    for (const struct entry *e = l->first; e; e = e->next)
        fprintf(out, "%-*s %-8s %8ld.%02ld\n", NAME_SIZE, e->name, kinds[e->kind], e->cents / 100, e->cents % 100);
    fprintf(out, "%zu entries, balance %ld\n", l->count, l->balance);
}

static void ledger_free(struct ledger *l) {
    while (l->first) {
        struct entry *next = l->first->next;
        free(l->first);
        l->first = next;
    }
    l->last = NULL;
}

int main(int count, char **words) {
    struct ledger l = { NULL, NULL, 0, 0 };
    for (int i = 1; i + 2 < count && l.count < MAX_ENTRIES; i += 3)
        ledger_add(&l, entry_new(words[i], atoi(words[i + 1]) % 3, atol(words[i + 2])));
    if (count > 1 && !ledger_drop(&l, words[1])) return 1;
    ledger_print(&l, stdout);
    ledger_free(&l);
    return 0;
}
