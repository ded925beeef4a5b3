/* The JIT: an object file in memory, linked and ready to call. */
#ifndef CK_HOST_JIT_H
#define CK_HOST_JIT_H

#include "codegen/core/gen.h"

struct ck_jit;
/* Owns the object file from here on. A failure does not return and leaves nothing to free. */
struct ck_jit *ck_jit_new(struct ck_gen *gen, LLVMMemoryBufferRef object);
/* Defines the functions that compiled code may call. Call it before the first lookup. */
void ck_jit_define_symbols(struct ck_gen *gen, struct ck_jit *jit);
/* Links the object file and writes the addresses of n functions of it. */
void ck_jit_lookup(struct ck_gen *gen, struct ck_jit *jit, const char *const *names,
                   uint64_t *addresses, size_t n);
void ck_jit_free(struct ck_jit *jit);

#endif
