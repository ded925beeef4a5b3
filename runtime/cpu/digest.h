/* Digests of the memory of a launch. */
#ifndef CK_CPU_DIGEST_H
#define CK_CPU_DIGEST_H

#include "runtime/cpu/cpu.h"

/* `key`, mixed with a block's shared memory and the frames of its threads. */
uint64_t ck_cpu_digest_block(const struct ck_cpu_launch *launch,
                             const struct ck_cpu_resident *block, uint64_t key);
/* `key`, mixed with the elements of the arrays that the kernel can write: arguments, and arrays of
 * the module. */
uint64_t ck_cpu_digest_arrays(const struct ck_cpu_launch *launch, uint64_t key);
/* The bytes that ck_cpu_digest_arrays reads. */
uint64_t ck_cpu_digest_size(const struct ck_cpu_launch *launch);

#endif
