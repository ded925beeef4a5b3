/* The ABI between compiled host code and the CPU executor (runtime/cpu/): the arguments of a
 * kernel's code, the members of its block that it reads and writes, and the functions that it calls
 * back. A change here changes code generation (codegen/host/) and the executor too. */
#ifndef CK_CPU_ABI_H
#define CK_CPU_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ck_cpu_launch;

#define CK_CPU_NO_RANK UINT32_MAX

/* The collectives: operations in which the threads of a warp or a block take part. */
enum ck_collective_op {
    CK_COLLECTIVE_NONE,
    /* of a warp */
    CK_COLLECTIVE_SYNC,
    CK_COLLECTIVE_SHFL,
    CK_COLLECTIVE_SHFL_UP,
    CK_COLLECTIVE_SHFL_DOWN,
    CK_COLLECTIVE_SHFL_XOR,
    CK_COLLECTIVE_ALL,
    CK_COLLECTIVE_ANY,
    CK_COLLECTIVE_EQ,
    CK_COLLECTIVE_BALLOT,
    CK_COLLECTIVE_MATCH_ANY,
    CK_COLLECTIVE_MATCH_ALL,
    CK_COLLECTIVE_ACTIVE,
    /* of a block */
    CK_COLLECTIVE_BLOCK_COUNT,
    CK_COLLECTIVE_BLOCK_AND,
    CK_COLLECTIVE_BLOCK_OR,
    /* of some threads of a block: see runtime/cpu/group_barrier.c */
    CK_COLLECTIVE_GROUP,    /* completes when `lane` threads wait with this `mask`, a key */
    CK_COLLECTIVE_ARRIVE,   /* a second arrival without a wait: never completes */
    CK_COLLECTIVE_WAIT,     /* completes when every thread has arrived `mask` times */
    CK_COLLECTIVE_PARTITION /* completes when `lane` threads of the partition wait; `value`: a place
                               in it */
};

/* Keys of groups are below CK_CPU_GROUP_KEYS: those of tiles of n threads begin at
 * CK_CPU_MAX_TILE / n. */
enum { CK_CPU_MAX_TILE = 1024, CK_CPU_GROUP_KEYS = 32 };

/* A thread's arguments of a collective, which host code sets before it suspends. `value` holds the
 * result when the thread is resumed. MATCH_ALL's predicate is true if the result is not 0. */
struct ck_cpu_collective {
    uint64_t value; /* zero-extended bits, or a condition as 0 or 1 */
    uint32_t mask;
    uint32_t lane; /* of a shuffle: lane, distance or bits */
    /* Of the block's split-phase barrier: how often this thread has arrived and waited, and the
     * site of its last arrival. Host code writes `arrived` and `site`, the executor `passed`. */
    uint32_t arrived, passed, site;
};

/* What the code of a kernel accesses of its block. Host code reads and writes it by these
 * offsets: codegen's static assertions and this struct change together. */
struct ck_cpu_block {
    uint32_t block_idx[3];
    uint32_t block_dim[3];
    uint32_t grid_dim[3];
    /* Host code sets it just before it suspends: 1 + the index of the site in ck_image.barriers.
     * The executor clears it before it resumes a thread; if it is still 0 after that, the thread
     * has finished. */
    uint32_t waiting;
    uint32_t dynamic_shared_bytes;
    /* Rank of the running thread in its block. The executor sets it before it starts or resumes a
     * thread; under run_block it is CK_CPU_NO_RANK. */
    uint32_t rank;
    char *shared; /* static shared memory of the kernel; 256-byte aligned */
    struct ck_cpu_launch *launch;
    struct ck_cpu_collective collective; /* of the running thread */
    char *dynamic_shared;                /* aligned to 256 bytes too */
    /* The cluster; without one: 1, 0, 0, 1. */
    uint32_t cluster_dim[3];
    uint32_t idx_in_cluster[3];
    uint32_t rank_in_cluster;
    uint32_t cluster_blocks;
    char *const *cluster_shared; /* `shared` of its blocks by rank; the layout is one for all */
    /* Of a cooperative launch: 8 bytes for each block, shared by the grid. There are two sets of
     * slots; each barrier of the grid switches to the other one. */
    uint64_t *grid_slots;
    /* Host code sets it before a `return` of a kernel with barriers: 1 + the index of the site. The
     * executor clears it. */
    uint32_t ended;
    /* Host code of a kernel with spin loops sets it where it reads a clock. The executor clears
     * it. */
    uint32_t clock_read;
    const volatile int *interrupted; /* not 0: the program interrupts the launch */
};

enum ck_barrier_kind {
    CK_BARRIER_BLOCK,
    CK_BARRIER_GRID,
    CK_BARRIER_WARP,
    CK_BARRIER_GROUP,
    CK_BARRIER_CLUSTER,
    CK_BARRIER_CLUSTER_WAIT, /* the wait of a split-phase barrier */
    CK_BARRIER_SPIN,         /* no barrier: another iteration of a spin loop */
    CK_BARRIER_RETURN        /* no barrier: the thread ends */
};

/* A place in the source where a thread waits or ends. */
struct ck_barrier_site {
    enum ck_barrier_kind kind;
    const char *what; /* as written: "g.sync()" */
    uint32_t line, column;
    enum ck_collective_op op; /* NONE: a barrier alone */
    uint32_t place;           /* 1 + its index in the manifest's accesses */
};

/* The arguments of a launch in host code: 8-byte slots in the order of the kernel ABI (an array is
 * its data pointer, then its shape, then its explicit strides in elements; a scalar in the low
 * bytes of its slot; a complex128 takes two slots). */
typedef void ck_host_block_fn(const uint64_t *params, struct ck_cpu_block *block);
typedef void ck_host_thread_fn(const uint64_t *params, struct ck_cpu_block *block, uint32_t tx,
                               uint32_t ty, uint32_t tz);
/* Runs a thread to its first barrier or its end, with its frame in `frame` (frame_bytes, aligned to
 * 64). Called with frame NULL it only returns the frame's size as a pointer. If it
 * returns with block->waiting != 0, the thread is continued by calling the function pointer that is
 * the frame's first word, with the frame as its argument. */
typedef void *ck_host_start_fn(const uint64_t *params, struct ck_cpu_block *block, uint32_t tx,
                               uint32_t ty, uint32_t tz, void *frame);
typedef void ck_host_resume_fn(void *frame);

/* Block loops: runs every thread of the block, by rank from barrier to barrier, with memory in
 * `frames`: loop_bytes for each thread, their number rounded up to a multiple of
 * CK_CPU_LOOP_THREADS; aligned to 64. */
enum { CK_CPU_LOOP_THREADS = 64 };
typedef void ck_host_loops_fn(const uint64_t *params, struct ck_cpu_block *block, void *frames);

struct ck_host_kernel {
    /* A kernel without barriers has the first two, one with barriers the third; in code for threads
     * by rank, a kernel whose threads are known to be converged at each barrier has the fourth. */
    ck_host_block_fn *run_block;   /* every thread of the block, by rank */
    ck_host_thread_fn *run_thread; /* one thread, for other orders */
    ck_host_start_fn *start;
    ck_host_loops_fn *run_loops;
    size_t loop_bytes;      /* of run_loops' memory, for each thread */
    bool has_collectives;   /* some of its sites have an `op`, or it spins */
    bool waits_for_cluster; /* some are barriers of a cluster */
    bool spins;             /* some are CK_BARRIER_SPIN */
};

/* Functions that host code calls; the executor defines them (runtime/cpu/call.c, cluster.c, copy.c)
 * and the JIT resolves their names. */
enum ck_print_kind {
    CK_PRINT_TEXT,
    CK_PRINT_BOOL,
    CK_PRINT_INT,
    CK_PRINT_UINT,
    CK_PRINT_FLOAT,
    CK_PRINT_COMPLEX,
    CK_PRINT_CHARS, /* text that a zero ends */
};
struct ck_cpu_print_item {
    uint64_t kind; /* enum ck_print_kind */
    union {
        const char *text;
        int64_t i;
        uint64_t u;
        double f; /* of COMPLEX the real part */
    } value;
    uint64_t length;        /* of text; of COMPLEX the bits of the imaginary part */
    const char *conversion; /* of INT, UINT and FLOAT: C's, for 8 bytes: "%-8lld"; or NULL */
};
/* Prints the items of a print statement at once. */
void ck_cpu_print(struct ck_cpu_block *block, const struct ck_cpu_print_item *items, uint32_t n);
/* The arrive of the cluster's split-phase barrier, at site `site`, by the running thread. Returns a
 * token: how often the thread has arrived. */
uint64_t ck_cpu_cluster_arrive(struct ck_cpu_block *block, uint32_t site);
/* The wait, at site `site`, counted from 1, with the token of an arrival. Records a failure if the
 * token is not of the thread's latest arrival, or was already waited on. */
void ck_cpu_cluster_wait(struct ck_cpu_block *block, uint64_t token, uint32_t site);
/* The rank of the block of the cluster in whose shared memory the address is; 0 if the address is
 * in none. */
uint64_t ck_cpu_cluster_rank(struct ck_cpu_block *block, const char *address);
/* Records a failed assertion, the first of a launch; host code then ends the thread. `place` is 1 +
 * the index of the condition in the manifest's accesses; `message` may be empty; the items are the
 * names in the condition and their values, each name followed by its value; `thread` as below. */
void ck_cpu_assert_fail(struct ck_cpu_block *block, uint32_t place, const char *message,
                        uint64_t thread, const struct ck_cpu_print_item *items, uint32_t n);

/* Ends the block: after a failure in a recursive function, whose callers cannot go on. */
void ck_cpu_leave(struct ck_cpu_block *block) __attribute__((noreturn));
/* The same when the program interrupts the launch, which is recorded. */
void ck_cpu_leave_interrupted(struct ck_cpu_block *block) __attribute__((noreturn));

/* An index is outside its array, which has `extent` elements along `axis`, in the thread with
 * position `thread` (x, y << 16 and z << 32). Reports the finding and does not return. */
void ck_cpu_out_of_bounds(struct ck_cpu_block *block, uint32_t site, uint32_t axis, int64_t index,
                          int64_t extent, uint64_t thread) __attribute__((noreturn));

/* An operation whose result does not fit its type. CK_OVERFLOW_BITS of the type, and: */
enum ck_overflow_op {
    CK_OVERFLOW_ADD,
    CK_OVERFLOW_SUB,
    CK_OVERFLOW_MUL,
    CK_OVERFLOW_FLOORDIV,
    CK_OVERFLOW_SHL,
    CK_OVERFLOW_POW, /* the callee finds whether it fits */
    CK_OVERFLOW_NEG,
    CK_OVERFLOW_ABS,
    CK_OVERFLOW_FROM_INT,
    CK_OVERFLOW_FROM_UINT,
    CK_OVERFLOW_FROM_FLOAT, /* `left` has the bits of a float64 */
    CK_OVERFLOW_OPS = 15,
    CK_OVERFLOW_UNSIGNED = 1 << 4,
    CK_OVERFLOW_BITS = 1 << 8 /* times the bits of the type */
};
/* Records it, for the thread with position `thread`, as of ck_cpu_out_of_bounds. */
void ck_cpu_overflow(struct ck_cpu_block *block, uint32_t site, uint32_t what, int64_t left,
                     int64_t right, int64_t result, uint64_t thread);

/* How the running thread accesses memory: bits, and the number of bytes. */
enum {
    CK_CPU_ACCESS_BYTES = 31,
    CK_CPU_ACCESS_READS = 1 << 5,
    CK_CPU_ACCESS_WRITES = 1 << 6,
    CK_CPU_ACCESS_ATOMIC = 1 << 7,
    CK_CPU_ACCESS_POLLS = 1 << 8, /* a load of a spin loop */
    CK_CPU_ACCESS_RELEASES = 1 << 9,
    CK_CPU_ACCESS_ACQUIRES = 1 << 10,
    CK_CPU_ACCESS_PRIVATE = 1 << 11,      /* memory of the thread alone */
    CK_CPU_ACCESS_BEGINS_UNSET = 1 << 12, /* memory that begins without values */
    CK_CPU_ACCESS_COPIES = 1 << 13        /* by an asynchronous copy */
};
/* The running thread accesses an element of the array at `base`. Records races, and reads of memory
 * that nothing wrote. */
void ck_cpu_access(struct ck_cpu_block *block, const char *address, const char *base, uint32_t site,
                   uint32_t how);
/* This memory has no values from now on. */
void ck_cpu_unset(struct ck_cpu_block *block, const char *address, uint64_t bytes);
/* The running thread ends a group of its asynchronous copies; waits for all groups but the latest
 * `n`. */
void ck_cpu_copy_commit(struct ck_cpu_block *block);
void ck_cpu_copy_wait(struct ck_cpu_block *block, uint32_t n);
/* The running thread executes a fence, of the device or wider if `is_wide`; arrives at a barrier,
 * and has passed one, of its block, cluster or grid: levels 0, 1, 2. */
void ck_cpu_fence(struct ck_cpu_block *block, uint32_t is_wide);
void ck_cpu_arrive(struct ck_cpu_block *block, uint32_t level);
void ck_cpu_pass(struct ck_cpu_block *block, uint32_t level);

/* The running thread begins a copy by the group numbered `group`, of `threads` threads, at site
 * `site`. Records a failure if another thread of the group passed arrays of another digest to the
 * same copy. */
void ck_cpu_copy_check(struct ck_cpu_block *block, uint64_t group, uint64_t threads,
                       uint64_t digest, uint32_t site);

/* Misuses of a split-phase barrier. */
enum ck_cpu_misuse {
    CK_CPU_BARRIER_BEFORE_WAIT, /* another barrier of the group before the wait */
    CK_CPU_OLD_TOKEN,           /* the token is not of the latest arrival */
    CK_CPU_USED_TOKEN,          /* the token was already waited on */
    CK_CPU_NEVER_WAITED         /* the thread ends before the wait */
};
/* Records a misuse by the running thread at site `site` (0: at its end), after it arrived at site
 * `arrived` (0: it has not). Sites count from 1. The thread then returns. */
void ck_cpu_barrier_misuse(struct ck_cpu_block *block, uint32_t what, uint32_t site,
                           uint32_t arrived);

#endif
