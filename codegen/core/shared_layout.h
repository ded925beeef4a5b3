/* The layout of static shared memory. The shared arrays of a function lie in the order of its text,
 * each at a multiple of CK_SHARED_ALIGN bytes; a kernel has those of every function it reaches. */
#ifndef CK_SHARED_LAYOUT_H
#define CK_SHARED_LAYOUT_H

#include "lang/typed/typed.h"

enum { CK_SHARED_ALIGN = 16 };

/* More than the shared memory of any device. */
#define CK_SHARED_LIMIT ((uint64_t)1 << 31)

/* The offset of the function's shared array `i` from its first one; of n_shared: their size. A size
 * above CK_SHARED_LIMIT is CK_SHARED_LIMIT + 1. */
uint64_t ck_shared_offset(const struct ck_tfunc *function, int i);

/* Lists the functions with shared arrays that the kernel reaches, itself included, each once.
 * Returns how many; `*out` lives in the arena. */
int ck_shared_reached(struct ck_arena *arena, const struct ck_tfunc *kernel,
                      const struct ck_tfunc ***out);

/* The size of all shared arrays that the kernel reaches. */
uint64_t ck_shared_arrays_bytes(struct ck_arena *arena, const struct ck_tfunc *kernel);

#endif
