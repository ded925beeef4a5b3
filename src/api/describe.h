/* Converts between the checker's types and the public description of kernels and parameters. */
#ifndef CK_DESCRIBE_H
#define CK_DESCRIBE_H

#include "lang/check/check.h"
#include "runtime/launch/module.h"

/* The type of a kernel's parameter; goes to the next one. */
const struct ck_type *ck_param_type(struct ck_types *types, const ck_param_info **params);

/* A kernel that has no types of its own; ck_codegen_describe has the others. Strings are copied to
 * the arena. */
void ck_describe_generic(ck_kernel_desc *out, struct ck_arena *arena,
                         const struct ck_kernel_info *kernel);

#endif
