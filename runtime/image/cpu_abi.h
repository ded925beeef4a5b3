/* The ABI between compiled host code and the CPU executor (runtime/cpu/): what code of a kernel is
 * called with, what it reads and writes of its block, and what it calls back. Code generation
 * (codegen/host/) and the executor change together with it. */
#ifndef CK_CPU_ABI_H
#define CK_CPU_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ck_cpu_launch;

#define CK_CPU_NO_RANK UINT32_MAX

/* What threads tell each other. */
enum ck_exchange_op {
    CK_EXCHANGE_NONE,
    /* of a warp */
    CK_EXCHANGE_SYNC,
    CK_EXCHANGE_SHFL,
    CK_EXCHANGE_SHFL_UP,
    CK_EXCHANGE_SHFL_DOWN,
    CK_EXCHANGE_SHFL_XOR,
    CK_EXCHANGE_ALL,
    CK_EXCHANGE_ANY,
    CK_EXCHANGE_EQ,
    CK_EXCHANGE_BALLOT,
    CK_EXCHANGE_MATCH_ANY,
    CK_EXCHANGE_MATCH_ALL,
    CK_EXCHANGE_ACTIVE,
    /* of a block */
    CK_EXCHANGE_BLOCK_COUNT,
    CK_EXCHANGE_BLOCK_AND,
    CK_EXCHANGE_BLOCK_OR,
    /* of other threads of a block: see runtime/cpu/group_barrier.c */
    CK_EXCHANGE_GROUP,  /* until `lane` threads wait with this `mask`, a key */
    CK_EXCHANGE_ARRIVE, /* a second time in a row: never answered */
    CK_EXCHANGE_WAIT,   /* until every thread has arrived `mask` times */
    CK_EXCHANGE_PART    /* until the `lane` threads of the part wait; `value` is a place in it */
};

/* Keys of groups are below CK_CPU_GROUP_KEYS: those of tiles of n threads begin at
 * CK_CPU_MAX_TILE / n. */
enum { CK_CPU_MAX_TILE = 1024, CK_CPU_GROUP_KEYS = 32 };

/* A thread's part in an exchange: set by host code before it suspends, but for `value`, in which
 * it finds the result when it is resumed. MATCH_ALL's flag is whether the result is not 0. */
struct ck_cpu_exchange {
    uint64_t value; /* zero-extended bits, or a condition as 0 or 1 */
    uint32_t mask;
    uint32_t lane; /* of a shuffle: lane, distance or bits */
    /* Of the block's split barrier: how often this thread has arrived and waited, and the site of
     * its last arrival. Host code writes the first and the last, the executor the other. */
    uint32_t arrived, passed, site;
};

/* What a thread of the CPU device sees of its block. Host code reads and writes it by these
 * offsets: codegen's static assertions and this struct change together. */
struct ck_cpu_block {
    uint32_t block_idx[3];
    uint32_t block_dim[3];
    uint32_t grid_dim[3];
    /* Set by host code just before it suspends: 1 + index into ck_host_image.barriers of where. The
     * executor clears it before it resumes a thread; still 0 after: the thread has finished. */
    uint32_t waiting;
    uint32_t dynamic_shared_bytes;
    /* Rank of the running thread in its block, for ck_cpu_assert_fail. The executor sets it before
     * it starts or resumes a thread; under run_block host code sets it (before the call is enough),
     * else it is CK_CPU_NO_RANK and the failure's text names the block alone. */
    uint32_t rank;
    char *shared; /* static shared memory of the kernel; 256-byte aligned */
    struct ck_cpu_launch *launch;
    struct ck_cpu_exchange exchange; /* of the running thread */
    char *dynamic_shared;            /* likewise aligned */
    /* The cluster; alone in it: 1, 0, 0, 1. */
    uint32_t cluster_dim[3];
    uint32_t idx_in_cluster[3];
    uint32_t rank_in_cluster;
    uint32_t cluster_blocks;
    char *const *cluster_shared; /* `shared` of its blocks by rank; the layout is one for all */
    /* Of a cooperative launch: 8 bytes for each block, which all see. Others after each barrier of
     * the grid, and again the same after the next. */
    uint64_t *grid_slots;
};

enum ck_barrier_kind {
    CK_BARRIER_BLOCK,
    CK_BARRIER_GRID,
    CK_BARRIER_WARP,
    CK_BARRIER_GROUP,
    CK_BARRIER_CLUSTER,
    CK_BARRIER_CLUSTER_WAIT, /* for a barrier that the thread has arrived at */
    CK_BARRIER_SPIN          /* no barrier: another iteration of a loop that waits for memory */
};

/* A place in the source where a thread waits. */
struct ck_barrier_site {
    enum ck_barrier_kind kind;
    const char *what; /* as written: "g.sync()" */
    uint32_t line, column;
    enum ck_exchange_op op; /* NONE: a barrier alone */
};

/* The arguments of a launch in host code: 8-byte slots in the order of the kernel ABI (an array is
 * its data pointer, then its shape, then its explicit strides in elements; a scalar in the low
 * bytes of its slot; a complex128 takes two slots). */
typedef void ck_host_block_fn(const uint64_t *params, struct ck_cpu_block *block);
typedef void ck_host_thread_fn(const uint64_t *params, struct ck_cpu_block *block, uint32_t tx,
                               uint32_t ty, uint32_t tz);
/* Runs a thread to its first barrier or its end, with its frame in `frame` (frame_bytes, aligned to
 * 64). Called with frame NULL it only returns the frame's size as a pointer. After it
 * returns with block->waiting != 0 the thread is continued by calling the function pointer that is
 * the frame's first word, with the frame as its argument. */
typedef void *ck_host_start_fn(const uint64_t *params, struct ck_cpu_block *block, uint32_t tx,
                               uint32_t ty, uint32_t tz, void *frame);
typedef void ck_host_resume_fn(void *frame);

/* Runs every thread of the block, by rank from barrier to barrier, with memory in `frames`: so many
 * bytes for each, if there were a multiple of CK_CPU_TOGETHER of them; aligned to 64. */
enum { CK_CPU_TOGETHER = 64 };
typedef void ck_host_together_fn(const uint64_t *params, struct ck_cpu_block *block, void *frames);

/* What the arch of code is called that runs the threads of a block by rank. */
#define CK_HOST_ORDERED "host-ordered"

struct ck_host_kernel {
    /* A kernel without barriers has the first two, one with barriers the third, or, in code that
     * runs threads by rank, the fourth if it is known that they come to each barrier together. */
    ck_host_block_fn *run_block;   /* every thread of the block, by rank */
    ck_host_thread_fn *run_thread; /* one thread, for other orders */
    ck_host_start_fn *start;
    ck_host_together_fn *run_together;
    size_t together_bytes;  /* of its memory, for each thread */
    bool exchanges;         /* some of its sites have an `op`, or it spins */
    bool waits_for_cluster; /* some are of a cluster */
    bool spins;             /* some are CK_BARRIER_SPIN */
};

/* What host code calls back. `items` as in a print statement. Defined by the executor
 * (runtime/cpu/call.c); their addresses are given to the JIT by src/. */
enum ck_print_kind {
    CK_PRINT_TEXT,
    CK_PRINT_BOOL,
    CK_PRINT_INT,
    CK_PRINT_UINT,
    CK_PRINT_FLOAT,
    CK_PRINT_COMPLEX
};
struct ck_cpu_print_item {
    uint64_t kind; /* enum ck_print_kind */
    union {
        const char *text;
        int64_t i;
        uint64_t u;
        double f; /* of COMPLEX the real part */
    } value;
    uint64_t length; /* of text; of COMPLEX the bits of the imaginary part */
};
/* Writes a line of the items in a row. */
void ck_cpu_print(struct ck_cpu_block *block, const struct ck_cpu_print_item *items, uint32_t n);
/* The running thread arrives at its cluster's barrier, to wait for the others later. Gives a token:
 * how often it has. */
uint64_t ck_cpu_cluster_arrive(struct ck_cpu_block *block, uint32_t line);
/* It comes to site `site`, counted from 1, with the token of an arrival: records it if that is not
 * its latest one, or has been waited for. */
void ck_cpu_cluster_wait(struct ck_cpu_block *block, uint64_t token, uint32_t site);
/* The rank of the block of the cluster in whose shared memory the address is; 0 if it is in none.
 */
uint64_t ck_cpu_cluster_rank(struct ck_cpu_block *block, const char *address);
/* Records the first failed assertion; the thread then returns (host code branches to its end). */
void ck_cpu_assert_fail(struct ck_cpu_block *block, const char *message, uint32_t line);

/* The running thread begins a copy, at site `site`, by a group of so many threads that has that
 * number: records it if another of them gave other arrays, of another digest, to the same copy. */
void ck_cpu_copy_check(struct ck_cpu_block *block, uint64_t group, uint64_t threads,
                       uint64_t digest, uint32_t site);

/* How a thread can go wrong between the two halves of a barrier. */
enum ck_cpu_misuse {
    CK_CPU_IN_BETWEEN,  /* it comes to another barrier of the group before it waits */
    CK_CPU_OLD_TOKEN,   /* what it waits with is not its latest arrival, or was waited with */
    CK_CPU_NEVER_WAITED /* it ends */
};
/* Records that a thread does at site `site` (0: at its end), after it has arrived at site `arrived`
 * (0: it has not). Sites count from 1; the thread then returns. */
void ck_cpu_barrier_misuse(struct ck_cpu_block *block, uint32_t what, uint32_t site,
                           uint32_t arrived);

#endif
