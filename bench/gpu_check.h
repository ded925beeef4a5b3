/* What the kernels of kernels/ should have computed: see gpu_check.c. */
#ifndef CK_BENCH_GPU_CHECK_H
#define CK_BENCH_GPU_CHECK_H

#include "serve.h"

/* An argument before and after one launch; a scalar has neither. */
struct gpu_operand {
    const ck_arg *arg;
    const void *before, *after;
};

/* Whether the kernel `name` did its work; false after bench_fail. */
bool gpu_check(const char *name, const struct gpu_operand *operands, size_t n,
               struct bench_reply *reply);

#endif
