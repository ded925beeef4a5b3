/* The kernels that are measured on the CPU device and as OpenCL C: what they are launched with, and
 * what should come out. Values are small multiples of 0.5, so that every result is exact. */
#ifndef CK_BENCH_CPU_WORK_H
#define CK_BENCH_CPU_WORK_H

#include "serve.h"

enum { CPU_WORK_ARRAYS = 3 };

struct cpu_work {
    const struct cpu_work_kind *kind;
    bool has_scalar; /* a float32, before the arrays */
    float scalar;
    size_t n_arrays; /* of float32 in C order */
    struct {
        int ndim;
        int64_t shape[2];
        float *host;
    } arrays[CPU_WORK_ARRAYS]; /* the last is written */
    uint32_t grid[2], block[2];
    uint64_t times; /* how often it was done */
};

/* Does the work once. */
typedef bool cpu_work_launch(void *state, const struct cpu_work *work, struct bench_reply *reply);

/* Reads a request KERNEL SIZE COUNT; cpu_work_release in either case. The kernels are saxpy, of
 * SIZE elements, matmul16, of matrices of SIZE x SIZE, and batched_v1, of SIZE rows of 1024. */
bool cpu_work_init(struct cpu_work *work, const char *kernel, const struct bench_request *request,
                   uint64_t *count, struct bench_reply *reply);
void cpu_work_release(struct cpu_work *work);

size_t cpu_work_bytes(const struct cpu_work *work, size_t array);

/* Once, and then so many times with the time of each. */
bool cpu_work_time(struct cpu_work *work, cpu_work_launch *launch, void *state, uint64_t count,
                   struct bench_reply *reply);
/* Whether the last array's host memory has what the work should have left there. */
bool cpu_work_verify(const struct cpu_work *work, struct bench_reply *reply);

#endif
