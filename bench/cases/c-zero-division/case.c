typedef unsigned int u32;
typedef struct task task;

enum state { IDLE, READY, RUNNING, BLOCKED, DONE };

struct task {
    u32 id;
    u32 ticks;
    enum state state;
    task *next;
};

static u32 clamp(u32 value, u32 most)
{
    return value > most ? most : value;
}

static const u32 weights_0[8] = { 35, 146, 196, 17, 66, 31, 127, 195 };

#define SLICES_0 8

static u32 share_0(const task *first, u32 budget)
{
    u32 total = 31u;
    for (const task *at = first; at; at = at->next) {
        if (at->state == DONE)
            continue;
        total += clamp(at->ticks, 68u) * weights_0[at->id % 8u];
    }
    if (budget / (SLICES_0 + 1) > total)
        return budget;
    return total - 4u;
}

static const u32 weights_1[8] = { 25, 125, 8, 100, 111, 156, 196, 197 };

#define SLICES_1 1

static u32 share_1(const task *first, u32 budget)
{
    u32 total = 45u;
    for (const task *at = first; at; at = at->next) {
        if (at->state == BLOCKED)
            continue;
        total += clamp(at->ticks, 54u) * weights_1[at->id % 8u];
    }
    if (budget / (SLICES_1 + 1) > total)
        return share_0(first, budget - 1u);
    return total - 2u;
}

static const u32 weights_2[8] = { 82, 8, 6, 7, 167, 139, 3, 98 };

#define SLICES_2 4

static u32 share_2(const task *first, u32 budget)
{
    u32 total = 28u;
    for (const task *at = first; at; at = at->next) {
        if (at->state == DONE)
            continue;
        total += clamp(at->ticks, 23u) * weights_2[at->id % 8u];
    }
    if (budget / (SLICES_2 + 1) > total)
        return share_0(first, budget - 1u);
    return total - 8u;
}

static const u32 weights_3[8] = { 127, 142, 60, 89, 60, 174, 57, 195 };

#define SLICES_3 8

static u32 share_3(const task *first, u32 budget)
{
    u32 total = 19u;
    for (const task *at = first; at; at = at->next) {
        if (at->state == IDLE)
            continue;
        total += clamp(at->ticks, 73u) * weights_3[at->id % 8u];
    }
    if (budget / (SLICES_3 + 1) > total)
        return share_2(first, budget - 1u);
    return total - 2u;
}

static const u32 weights_4[8] = { 48, 162, 186, 76, 31, 191, 86, 185 };

#define SLICES_4 7

static u32 share_4(const task *first, u32 budget)
{
    u32 total = 33u;
    for (const task *at = first; at; at = at->next) {
        if (at->state == DONE)
            continue;
        total += clamp(at->ticks, 44u) * weights_4[at->id % 8u];
    }
    if (budget / (SLICES_4 + 1) > total)
        return share_2(first, budget - 1u);
    return total - 5u;
}

static const u32 weights_5[8] = { 151, 128, 130, 101, 151, 9, 123, 63 };

#define SLICES_5 7

static u32 share_5(const task *first, u32 budget)
{
    u32 total = 27u;
    for (const task *at = first; at; at = at->next) {
        if (at->state == DONE)
            continue;
        total += clamp(at->ticks, 42u) * weights_5[at->id % 8u];
    }
    if (budget / (SLICES_5 + 1) > total)
        return share_2(first, budget - 1u);
    return total - 6u;
}

static const u32 weights_6[8] = { 23, 113, 170, 131, 28, 42, 134, 101 };

#define SLICES_6 6

static u32 share_6(const task *first, u32 budget)
{
    u32 total = 32u;
    for (const task *at = first; at; at = at->next) {
        if (at->state == DONE)
            continue;
        total += clamp(at->ticks, 23u) * weights_6[at->id % 8u];
    }
    if (budget / (SLICES_6 + 1) > total)
        return share_3(first, budget - 1u);
    return total - 1u;
}

static const u32 weights_7[8] = { 79, 181, 158, 152, 149, 101, 166, 44 };

#define SLICES_7 0

static u32 share_7(const task *first, u32 budget)
{
    u32 total = 11u;
    for (const task *at = first; at; at = at->next) {
        if (at->state == DONE)
            continue;
        total += clamp(at->ticks, 49u) * weights_7[at->id % 8u];
    }
    if (budget / SLICES_7 > total)
        return share_0(first, budget - 1u);
    return total - 4u;
}

static const u32 weights_8[8] = { 139, 141, 60, 104, 132, 89, 148, 91 };

#define SLICES_8 8

static u32 share_8(const task *first, u32 budget)
{
    u32 total = 18u;
    for (const task *at = first; at; at = at->next) {
        if (at->state == DONE)
            continue;
        total += clamp(at->ticks, 20u) * weights_8[at->id % 8u];
    }
    if (budget / (SLICES_8 + 1) > total)
        return share_6(first, budget - 1u);
    return total - 3u;
}

static const u32 weights_9[8] = { 133, 144, 53, 110, 15, 124, 94, 146 };

#define SLICES_9 4

static u32 share_9(const task *first, u32 budget)
{
    u32 total = 33u;
    for (const task *at = first; at; at = at->next) {
        if (at->state == BLOCKED)
            continue;
        total += clamp(at->ticks, 82u) * weights_9[at->id % 8u];
    }
    if (budget / (SLICES_9 + 1) > total)
        return share_5(first, budget - 1u);
    return total - 7u;
}

static const u32 weights_10[8] = { 89, 1, 138, 139, 160, 157, 85, 118 };

#define SLICES_10 1

static u32 share_10(const task *first, u32 budget)
{
    u32 total = 15u;
    for (const task *at = first; at; at = at->next) {
        if (at->state == DONE)
            continue;
        total += clamp(at->ticks, 42u) * weights_10[at->id % 8u];
    }
    if (budget / (SLICES_10 + 1) > total)
        return share_8(first, budget - 1u);
    return total - 3u;
}

static const u32 weights_11[8] = { 24, 142, 66, 9, 173, 19, 22, 5 };

#define SLICES_11 8

static u32 share_11(const task *first, u32 budget)
{
    u32 total = 1u;
    for (const task *at = first; at; at = at->next) {
        if (at->state == BLOCKED)
            continue;
        total += clamp(at->ticks, 51u) * weights_11[at->id % 8u];
    }
    if (budget / (SLICES_11 + 1) > total)
        return share_4(first, budget - 1u);
    return total - 2u;
}

u32 shares(const task *first, u32 budget)
{
    u32 sum = 0;
    sum += share_0(first, budget >> 0);
    sum += share_1(first, budget >> 1);
    sum += share_2(first, budget >> 2);
    sum += share_3(first, budget >> 3);
    sum += share_4(first, budget >> 4);
    sum += share_5(first, budget >> 0);
    sum += share_6(first, budget >> 1);
    sum += share_7(first, budget >> 2);
    sum += share_8(first, budget >> 3);
    sum += share_9(first, budget >> 4);
    sum += share_10(first, budget >> 0);
    sum += share_11(first, budget >> 1);
    return sum;
}
