/* Lowerings of the built-ins: ck_lower_<lower> for each row of lang/typed/builtins.def, each in the
 * file of its concern. */
#ifndef CK_BUILTIN_H
#define CK_BUILTIN_H

#include "codegen/lower/lower.h"

typedef struct ck_gen_value ck_lower_fn(struct ck_gen *gen, const struct ck_texpr *expr);

#define CK_BUILTIN(id, path, rule, min_args, max_args, lower, uniformity, doc)                     \
    ck_lower_fn ck_lower_##lower;
#include "lang/typed/builtins.def"
#undef CK_BUILTIN

#endif
