/* Lowerings of the built-ins that are not in builtin.c: lower_<lower> of lang/builtins.def is the
 * function named here. */
#ifndef CK_BUILTIN_H
#define CK_BUILTIN_H

#include "codegen/gen.h"

typedef struct ck_value ck_lower_fn(struct ck_gen *gen, const struct ck_texpr *expr);

/* --- builtin_atomic.c --- */
ck_lower_fn ck_lower_atomic, ck_lower_atomic_cas;
#define lower_atomic     ck_lower_atomic
#define lower_atomic_cas ck_lower_atomic_cas

#endif
