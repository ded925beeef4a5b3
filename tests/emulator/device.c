/* Runs the threads of kernels that translate.py has made C of. Each thread is a coroutine that goes
 * on until it waits for others or ends. Barriers and operations of warps need all threads that have
 * not ended, as PTX demands; where these never arrive, the launch fails. */
#include "emulate.h"

#include <fenv.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

#ifndef MAP_32BIT /* x86-64 has it; elsewhere the hint is enough */
#define MAP_32BIT 0
#endif

enum {
    STACK_BYTES = 512 << 10,
    N_RESIDENT = 4, /* blocks, or threads of more blocks: */
    N_RESIDENT_THREADS = 1024,
    LAUNCH_FAILED = 719,
    ASSERTION_FAILED = 710,
    N_SHARED_MAX = 1 << 20
};

enum state { READY, AT_BLOCK, AT_WARP, AT_ACTIVE, AT_CLUSTER, DONE };

struct running {
    struct thread thread; /* first: a thread's address is its */
    enum state state;
    ucontext_t context;
    char *stack;
    struct block *block;
    /* What it waits for. */
    u32 barrier, n_threads;
    enum block_operation block_operation;
    bool flag;
    u32 answer;
    enum warp_operation operation;
    int site;
    u32 mask, lane, clamp;
    u64 value;
    struct warp_result result;
    u64 cluster_phase;
};

struct block {
    struct running *threads;
    u32 n_threads, n_alive;
    u32 n_waiting[N_BARRIERS], n_arrived[N_BARRIERS];
    struct cluster *cluster;
    char *shared;
    u32 rank_in_cluster;
};

struct cluster {
    struct block *blocks;
    u32 n_blocks, n_alive, n_arrived;
    u64 phase;
};

struct launch {
    const struct emulated_kernel *kernel;
    ucontext_t scheduler;
    char **stacks; /* that no thread has */
    u32 n_stacks, room_for_stacks;
    u8 *params;
    int failure;
    u32 n_shared;
};

static _Thread_local struct launch *launch;
static _Thread_local struct running *current;

/* --- Waiting ------------------------------------------------------------------------------------
 */

static void
suspend(struct running *self)
{
    swapcontext(&self->context, &launch->scheduler);
}

static void
fail_with(struct thread *t, const char *why, int code)
{
    struct running *self = (struct running *)t;
    if (!launch->failure) {
        launch->failure = code;
        if (why)
            fprintf(stderr, "emulated GPU: %s: block (%u,%u,%u), thread (%u,%u,%u): %s\n",
                    launch->kernel->name, t->ctaid[0], t->ctaid[1], t->ctaid[2], t->tid[0],
                    t->tid[1], t->tid[2], why);
    }
    self->state = DONE;
    setcontext(&launch->scheduler);
}

/* In the words of the driver. */
static void
fail_assertion(struct thread *t, const char *message, const char *file, u32 line,
               const char *function)
{
    fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n",
            file, line, function, t->ctaid[0], t->ctaid[1], t->ctaid[2], t->tid[0], t->tid[1],
            t->tid[2], message);
    fail_with(t, NULL, ASSERTION_FAILED);
}

static void
pause_thread(struct thread *t)
{
    t->clock += 1000;
    suspend((struct running *)t);
}

/* --- Warps --------------------------------------------------------------------------------------
 */

static u32
warp_size_of(const struct block *block, u32 first)
{
    return block->n_threads - first < WARP ? block->n_threads - first : WARP;
}

static struct warp_result
shuffled(const struct running *warp, u32 own, u32 there)
{
    const struct running *self = &warp[own];
    const u32 segment = self->clamp >> 8 & 31, limit = self->clamp & 31;
    const u32 least = own & segment, most = least | (limit & ~segment);
    u32 from = own;
    bool inside = false;
    switch (self->operation) {
    case WARP_SHFL_UP:
        inside = (s32)(own - (self->lane & 31)) >= (s32)most;
        from = own - (self->lane & 31);
        break;
    case WARP_SHFL_DOWN:
        from = own + (self->lane & 31), inside = from <= most;
        break;
    case WARP_SHFL_BFLY:
        from = own ^ (self->lane & 31), inside = from <= most;
        break;
    default:
        from = least | (self->lane & 31 & ~segment), inside = from <= most;
    }
    if (!inside)
        from = own;
    /* What a lane gets of one that does not take part is undefined. */
    const u64 value = there >> from & 1 ? warp[from].value : UINT64_C(0xbadbad5eedbadbad);
    return (struct warp_result){value & UINT32_MAX, inside};
}

static u64
combined(enum warp_operation operation, u64 a, u64 b)
{
    switch (operation) {
    case WARP_REDUX_ADD:
        return (u32)(a + b);
    case WARP_REDUX_AND:
        return a & b;
    case WARP_REDUX_OR:
        return a | b;
    case WARP_REDUX_XOR:
        return a ^ b;
    case WARP_REDUX_MIN_S32:
        return (u32)((s32)a < (s32)b ? a : b);
    case WARP_REDUX_MAX_S32:
        return (u32)((s32)a > (s32)b ? a : b);
    case WARP_REDUX_MIN_U32:
        return (u32)a < (u32)b ? a : b;
    default:
        return (u32)a > (u32)b ? a : b;
    }
}

static struct warp_result
result_of(const struct running *warp, u32 own, u32 there)
{
    const struct running *self = &warp[own];
    u64 sum = self->value;
    u32 set = 0, same = 0;
    if (self->operation >= WARP_SHFL_IDX && self->operation <= WARP_SHFL_BFLY)
        return shuffled(warp, own, there);
    for (u32 lane = 0; lane < WARP; lane++) {
        if (!(there >> lane & 1))
            continue;
        set |= (warp[lane].value ? UINT32_C(1) : 0) << lane;
        same |= (warp[lane].value == self->value ? UINT32_C(1) : 0) << lane;
        if (lane != own)
            sum = combined(self->operation, sum, warp[lane].value);
    }
    switch (self->operation) {
    case WARP_SYNC:
        return (struct warp_result){0};
    case WARP_ACTIVE:
        return (struct warp_result){there, true};
    case WARP_VOTE_ALL:
        return (struct warp_result){set == there, set == there};
    case WARP_VOTE_ANY:
        return (struct warp_result){set != 0, set != 0};
    case WARP_VOTE_UNI:
        return (struct warp_result){same == there, same == there};
    case WARP_VOTE_BALLOT:
        return (struct warp_result){set, false};
    case WARP_MATCH_ANY:
        return (struct warp_result){same, false};
    case WARP_MATCH_ALL:
        return (struct warp_result){same == there ? there : 0, same == there};
    default:
        return (struct warp_result){sum, false};
    }
}

static void
answer_warp(struct running *warp, u32 there)
{
    for (u32 lane = 0; lane < WARP; lane++)
        if (there >> lane & 1)
            warp[lane].result = result_of(warp, lane, there);
    for (u32 lane = 0; lane < WARP; lane++)
        if (there >> lane & 1)
            warp[lane].state = READY;
}

/* Whether all lanes that the mask of `self` names, and that have not ended, are at its operation.
 */
static bool
try_warp(struct running *self)
{
    struct block *block = self->block;
    const u32 first = self->thread.rank / WARP * WARP, n = warp_size_of(block, first);
    struct running *warp = &block->threads[first];
    u32 there = 0;
    for (u32 lane = 0; lane < n; lane++) {
        const struct running *other = &warp[lane];
        if (!(self->mask >> lane & 1) || other->state == DONE)
            continue;
        if (other->state != AT_WARP || other->mask != self->mask || other->site != self->site ||
            other->operation != self->operation)
            return false;
        there |= UINT32_C(1) << lane;
    }
    answer_warp(warp, there);
    return true;
}

static struct warp_result
warp_operation(struct thread *t, enum warp_operation operation, int site, u32 mask, u64 value,
               u32 lane, u32 clamp)
{
    struct running *self = (struct running *)t;
    if (operation != WARP_ACTIVE && !(mask >> (t->rank % WARP) & 1))
        fail_with(t, "the mask lacks the lane itself", LAUNCH_FAILED);
    self->operation = operation;
    self->site = operation == WARP_SYNC ? 0 : site;
    self->mask = mask;
    self->value = value;
    self->lane = lane;
    self->clamp = clamp;
    self->state = operation == WARP_ACTIVE ? AT_ACTIVE : AT_WARP;
    if (operation == WARP_ACTIVE || !try_warp(self))
        suspend(self);
    return self->result;
}

/* Once no lane of a warp can go on: the lanes at one activemask go on together. */
static bool
answer_active(struct block *block, u32 first)
{
    struct running *warp = &block->threads[first];
    const u32 n = warp_size_of(block, first);
    u32 there = 0;
    int site = -1;
    for (u32 lane = 0; lane < n; lane++)
        if (warp[lane].state == READY)
            return false;
    for (u32 lane = 0; lane < n; lane++) {
        if (warp[lane].state != AT_ACTIVE || (site >= 0 && warp[lane].site != site))
            continue;
        site = warp[lane].site;
        there |= UINT32_C(1) << lane;
    }
    if (there)
        answer_warp(warp, there);
    return there != 0;
}

/* --- Blocks -------------------------------------------------------------------------------------
 */

/* Arrivals in threads, where a warp whose threads have all come counts as a whole one. */
static u32
arrivals(const struct block *block, u32 barrier)
{
    u32 count = block->n_arrived[barrier];
    for (u32 first = 0; first < block->n_threads; first += WARP) {
        const u32 n = warp_size_of(block, first);
        u32 here = 0, alive = 0;
        for (u32 lane = 0; lane < n; lane++) {
            const struct running *other = &block->threads[first + lane];
            alive += other->state != DONE;
            here += other->state == AT_BLOCK && other->barrier == barrier;
        }
        count += here && here == alive ? WARP : here;
    }
    return count;
}

static void
try_block(struct block *block, u32 barrier)
{
    u32 n_set = 0, n_here = 0;
    struct running *one = NULL;
    if (!block->n_waiting[barrier])
        return;
    for (u32 i = 0; i < block->n_threads && !one; i++) {
        struct running *other = &block->threads[i];
        if (other->state == AT_BLOCK && other->barrier == barrier)
            one = other;
    }
    if (one->n_threads ? arrivals(block, barrier) < one->n_threads
                       : block->n_waiting[barrier] + block->n_arrived[barrier] < block->n_alive)
        return;
    for (u32 i = 0; i < block->n_threads; i++) {
        const struct running *other = &block->threads[i];
        if (other->state == AT_BLOCK && other->barrier == barrier)
            n_here++, n_set += other->flag;
    }
    for (u32 i = 0; i < block->n_threads; i++) {
        struct running *other = &block->threads[i];
        if (other->state != AT_BLOCK || other->barrier != barrier)
            continue;
        other->answer = other->block_operation == BLOCK_AND  ? n_set == n_here
                        : other->block_operation == BLOCK_OR ? n_set != 0
                                                             : n_set;
        other->state = READY;
    }
    block->n_waiting[barrier] = block->n_arrived[barrier] = 0;
}

static u32
block_operation(struct thread *t, enum block_operation operation, u32 barrier, u32 n_threads,
                bool value)
{
    struct running *self = (struct running *)t;
    struct block *block = self->block;
    if (barrier >= N_BARRIERS || n_threads % WARP)
        fail_with(t, "a barrier that there is not", LAUNCH_FAILED);
    self->block_operation = operation;
    self->barrier = barrier;
    self->n_threads = n_threads;
    self->flag = value;
    self->state = AT_BLOCK;
    block->n_waiting[barrier]++;
    if (n_threads || block->n_waiting[barrier] + block->n_arrived[barrier] >= block->n_alive)
        try_block(block, barrier);
    if (self->state != READY)
        suspend(self);
    return self->answer;
}

static void
block_arrive(struct thread *t, u32 barrier, u32 n_threads)
{
    struct running *self = (struct running *)t;
    (void)n_threads;
    self->block->n_arrived[barrier]++;
    try_block(self->block, barrier);
}

static void
try_cluster(struct cluster *cluster)
{
    if (cluster->n_arrived < cluster->n_alive || !cluster->n_arrived)
        return;
    cluster->n_arrived = 0;
    cluster->phase++;
    for (u32 i = 0; i < cluster->n_blocks; i++)
        for (u32 k = 0; k < cluster->blocks[i].n_threads; k++)
            if (cluster->blocks[i].threads[k].state == AT_CLUSTER)
                cluster->blocks[i].threads[k].state = READY;
}

static void
cluster_arrive(struct thread *t)
{
    struct running *self = (struct running *)t;
    struct cluster *cluster = self->block->cluster;
    self->cluster_phase = cluster->phase;
    cluster->n_arrived++;
    try_cluster(cluster);
}

static void
cluster_wait(struct thread *t)
{
    struct running *self = (struct running *)t;
    if (self->cluster_phase != self->block->cluster->phase)
        return;
    self->state = AT_CLUSTER;
    suspend(self);
}

static u64
map_shared(struct thread *t, u64 address, u32 rank)
{
    struct running *self = (struct running *)t;
    struct cluster *cluster = self->block->cluster;
    if (rank >= cluster->n_blocks)
        fail_with(t, "mapa of a block that the cluster has not", LAUNCH_FAILED);
    return address - (u64)(uintptr_t)t->shared + (u64)(uintptr_t)cluster->blocks[rank].shared;
}

static u32
shared_rank(struct thread *t, u64 address)
{
    struct running *self = (struct running *)t;
    struct cluster *cluster = self->block->cluster;
    for (u32 i = 0; i < cluster->n_blocks; i++) {
        const u64 begin = (u64)(uintptr_t)cluster->blocks[i].shared;
        if (address >= begin && address < begin + launch->n_shared)
            return i;
    }
    fail_with(t, "getctarank of an address that is not shared", LAUNCH_FAILED);
    return 0;
}

static void
ended(struct running *self)
{
    struct block *block = self->block;
    self->state = DONE;
    block->n_alive--;
    block->cluster->n_alive--;
    for (u32 barrier = 0; barrier < N_BARRIERS; barrier++)
        if (block->n_waiting[barrier])
            try_block(block, barrier);
    try_cluster(block->cluster);
    const u32 first = self->thread.rank / WARP * WARP;
    for (u32 lane = 0; lane < warp_size_of(block, first); lane++)
        if (block->threads[first + lane].state == AT_WARP)
            try_warp(&block->threads[first + lane]);
}

static void
leave(struct thread *t)
{
    ended((struct running *)t);
    setcontext(&launch->scheduler);
}

/* --- What kernels print -------------------------------------------------------------------------
 */

static int
print(struct thread *t, const char *format, const u8 *values)
{
    u64 at = 0;
    (void)t;
    while (*format) {
        char spec[64];
        size_t length = 1;
        if (*format != '%') {
            putchar(*format++);
            continue;
        }
        length += strspn(format + 1, "-+ #0123456789.hljzt");
        snprintf(spec, sizeof spec, "%.*s", (int)(length + 1), format);
        format += length + 1;
        const char kind = spec[length];
        if (kind == '%') {
            putchar('%');
            continue;
        }
        const bool is_float = strchr("aAeEfFgG", kind) != NULL;
        const bool wide =
            is_float || kind == 's' || kind == 'p' || strchr(spec, 'l') || strchr(spec, 'z');
        u64 value = 0;
        at = wide ? (at + 7) & ~UINT64_C(7) : (at + 3) & ~UINT64_C(3);
        memcpy(&value, values + at, wide ? 8 : 4);
        at += wide ? 8 : 4;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        if (is_float)
            printf(spec, to_f64(value));
        else if (kind == 's' || kind == 'p')
            printf(spec, (const char *)(uintptr_t)value);
        else if (wide)
            printf(spec, value);
        else
            printf(spec, (u32)value);
#pragma GCC diagnostic pop
    }
    return 0;
}

static u32
warp_lanes(struct thread *t)
{
    const struct running *self = (const struct running *)t;
    return warp_size_of(self->block, t->rank / WARP * WARP);
}

static const struct device_calls calls = {
    .warp = warp_operation,
    .block = block_operation,
    .arrive = block_arrive,
    .cluster_arrive = cluster_arrive,
    .cluster_wait = cluster_wait,
    .pause = pause_thread,
    .leave = leave,
    .fail = fail_with,
    .assertion = fail_assertion,
    .print = print,
    .map_shared = map_shared,
    .shared_rank = shared_rank,
    .warp_size = warp_lanes,
};

/* --- Scheduling ---------------------------------------------------------------------------------
 */

static char *
take_stack(void)
{
    if (launch->n_stacks)
        return launch->stacks[--launch->n_stacks];
    char *stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return stack == MAP_FAILED ? NULL : stack;
}

static void
return_stack(char *stack)
{
    if (launch->n_stacks == launch->room_for_stacks) {
        launch->room_for_stacks = launch->room_for_stacks * 2 + 64;
        launch->stacks = realloc(launch->stacks, launch->room_for_stacks * sizeof *launch->stacks);
    }
    launch->stacks[launch->n_stacks++] = stack;
}

static void
thread_main(void)
{
    struct running *self = current;
    launch->kernel->entry(&self->thread, launch->params);
    ended(self);
    setcontext(&launch->scheduler);
}

/* Until it waits, pauses or ends. */
static void
run_thread(struct running *self)
{
    volatile bool back = false;
    current = self;
    if (!self->stack) {
        self->stack = take_stack();
        self->thread.local = self->stack;
        getcontext(&self->context);
        self->context.uc_stack.ss_sp = self->stack;
        self->context.uc_stack.ss_size = STACK_BYTES;
        self->context.uc_link = NULL;
        makecontext(&self->context, thread_main, 0);
    }
    getcontext(&launch->scheduler);
    if (!back) {
        back = true;
        setcontext(&self->context);
    }
    if (self->state == DONE && self->stack) {
        return_stack(self->stack);
        self->stack = NULL;
    }
}

static bool
run_block(struct block *block, bool reverse)
{
    bool moved = false;
    for (u32 i = 0; i < block->n_threads && !launch->failure; i++) {
        struct running *thread = &block->threads[reverse ? block->n_threads - 1 - i : i];
        if (thread->state == READY) {
            run_thread(thread);
            moved = true;
        }
    }
    for (u32 first = 0; first < block->n_threads && !launch->failure; first += WARP)
        moved |= answer_active(block, first);
    return moved;
}

static u32
product(const u32 extents[3])
{
    return extents[0] * extents[1] * extents[2];
}

/* x of the first fastest. */
static void
split(u32 number, const u32 extents[3], u32 out[3])
{
    out[0] = number % extents[0];
    out[1] = number / extents[0] % extents[1];
    out[2] = number / extents[0] / extents[1];
}

static void
begin_block(struct block *block, const struct emulated_shape *shape, u32 cluster, u32 rank)
{
    const u32 extents[3] = {shape->grid[0] / shape->cluster[0], shape->grid[1] / shape->cluster[1],
                            shape->grid[2] / shape->cluster[2]};
    struct thread common = {.calls = &calls,
                            .cluster_rank = rank,
                            .cluster_size = product(shape->cluster),
                            .dynamic_shared = shape->shared,
                            .shared = block->shared};
    split(cluster, extents, common.clusterid);
    split(rank, shape->cluster, common.cluster_ctaid);
    for (int axis = 0; axis < 3; axis++) {
        common.ntid[axis] = shape->block[axis];
        common.nctaid[axis] = shape->grid[axis];
        common.cluster_nctaid[axis] = shape->cluster[axis];
        common.nclusterid[axis] = extents[axis];
        common.ctaid[axis] =
            common.clusterid[axis] * shape->cluster[axis] + common.cluster_ctaid[axis];
    }
    common.envreg[1] = (u32)((u64)(uintptr_t)shape->workspace >> 32);
    common.envreg[2] = (u32)(uintptr_t)shape->workspace;
    memset(block->shared, 0xa7, launch->n_shared);
    memset(block->n_waiting, 0, sizeof block->n_waiting);
    memset(block->n_arrived, 0, sizeof block->n_arrived);
    block->n_alive = block->n_threads = product(shape->block);
    block->rank_in_cluster = rank;
    for (u32 i = 0; i < block->n_threads; i++) {
        struct running *thread = &block->threads[i];
        thread->thread = common;
        thread->thread.rank = i;
        split(i, shape->block, thread->thread.tid);
        thread->state = READY;
        thread->block = block;
    }
}

static void
describe_deadlock(const struct cluster *clusters, u32 n_clusters)
{
    static const char *names[] = {
        "ready",         "at a block's barrier",   "at an operation of its warp",
        "at activemask", "at a cluster's barrier", "ended"};
    fprintf(stderr, "emulated GPU: %s: threads wait for ever\n", launch->kernel->name);
    int left = 40;
    for (u32 c = 0; c < n_clusters; c++)
        for (u32 b = 0; b < clusters[c].n_blocks; b++)
            for (u32 i = 0; i < clusters[c].blocks[b].n_threads && left > 0; i++) {
                const struct running *thread = &clusters[c].blocks[b].threads[i];
                if (thread->state == DONE)
                    continue;
                fprintf(stderr, "  block (%u,%u,%u) thread %u %s, site %d mask %08x barrier %u\n",
                        thread->thread.ctaid[0], thread->thread.ctaid[1], thread->thread.ctaid[2],
                        i, names[thread->state], thread->site, thread->mask, thread->barrier);
                left--;
            }
}

static bool
cluster_is_done(const struct cluster *cluster)
{
    return cluster->n_alive == 0;
}

static void
begin_cluster(struct cluster *cluster, const struct emulated_shape *shape, u32 number)
{
    cluster->n_arrived = 0;
    cluster->phase = 0;
    for (u32 rank = 0; rank < cluster->n_blocks; rank++)
        begin_block(&cluster->blocks[rank], shape, number, rank);
    cluster->n_alive = cluster->n_blocks * product(shape->block);
}

/* All clusters of the grid, as many at a time as are resident. */
static void
run_clusters(struct cluster *clusters, u32 n_resident, u32 n_all,
             const struct emulated_shape *shape)
{
    u32 next = n_resident, n_left = n_all;
    const bool reverse = shape->reverse;
    for (u32 i = 0; i < n_resident; i++)
        begin_cluster(&clusters[i], shape, i);
    while (n_left && !launch->failure) {
        bool moved = false;
        for (u32 i = 0; i < n_resident; i++) {
            struct cluster *cluster = &clusters[i];
            if (cluster_is_done(cluster))
                continue;
            for (u32 b = 0; b < cluster->n_blocks && !launch->failure; b++)
                moved |=
                    run_block(&cluster->blocks[reverse ? cluster->n_blocks - 1 - b : b], reverse);
            if (cluster_is_done(cluster)) {
                n_left--;
                if (next < n_all)
                    begin_cluster(cluster, shape, next++);
            }
        }
        if (!moved && n_left && !launch->failure) {
            describe_deadlock(clusters, n_resident);
            launch->failure = LAUNCH_FAILED;
        }
    }
}

static void
prepare(struct cluster *clusters, u32 n_resident, const struct emulated_shape *shape)
{
    const u32 n_blocks = product(shape->cluster);
    for (u32 i = 0; i < n_resident; i++) {
        clusters[i].n_blocks = n_blocks;
        clusters[i].blocks = calloc(n_blocks, sizeof *clusters[i].blocks);
        for (u32 b = 0; b < n_blocks; b++) {
            struct block *block = &clusters[i].blocks[b];
            block->cluster = &clusters[i];
            block->threads = calloc(product(shape->block), sizeof *block->threads);
            /* An address in shared memory may be in 32 bits. */
            block->shared = mmap((void *)0x40000000, launch->n_shared, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
            if (block->shared == MAP_FAILED)
                abort();
        }
    }
}

static void
release(struct cluster *clusters, u32 n_resident, const struct emulated_shape *shape)
{
    for (u32 i = 0; i < n_resident; i++) {
        for (u32 b = 0; b < clusters[i].n_blocks; b++) {
            struct block *block = &clusters[i].blocks[b];
            for (u32 k = 0; k < product(shape->block); k++)
                if (block->threads[k].stack)
                    return_stack(block->threads[k].stack);
            free(block->threads);
            munmap(block->shared, launch->n_shared);
        }
        free(clusters[i].blocks);
    }
    free(clusters);
    for (u32 i = 0; i < launch->n_stacks; i++)
        munmap(launch->stacks[i], STACK_BYTES);
    free(launch->stacks);
}

/* How many clusters are resident at a time: blocks may wait for others that are. */
static u32
most_resident(const struct emulated_shape *shape, u32 n_all)
{
    const u32 n_threads = product(shape->cluster) * product(shape->block);
    const u32 least = product(shape->cluster) > 1 ? 2 : N_RESIDENT;
    const u32 most = N_RESIDENT_THREADS / (n_threads ? n_threads : 1);
    const u32 n = most > least ? most : least;
    return n < n_all ? n : n_all;
}

int
emulate(const struct emulated_kernel *kernel, const struct emulated_shape *shape, void **params)
{
    u8 buffer[8192] __attribute__((aligned(64)));
    struct launch own = {.kernel = kernel,
                         .params = buffer,
                         .n_shared = (kernel->shared + shape->shared + 8191) / 4096 * 4096};
    const u32 n_all = product(shape->grid) / product(shape->cluster);
    const u32 n_resident = shape->cooperative ? n_all : most_resident(shape, n_all);
    if (kernel->max_threads && product(shape->block) > kernel->max_threads)
        return 1; /* invalid value */
    for (u32 i = 0; i < kernel->n_params; i++)
        memcpy(buffer + kernel->offsets[i], params[i], kernel->sizes[i]);
    launch = &own;
    struct cluster *clusters = calloc(n_resident, sizeof *clusters);
    prepare(clusters, n_resident, shape);
    run_clusters(clusters, n_resident, n_all, shape);
    release(clusters, n_resident, shape);
    fflush(stdout);
    launch = NULL;
    return own.failure;
}
