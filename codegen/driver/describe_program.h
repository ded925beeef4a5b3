/* The manifest of a program. */
#ifndef CK_DESCRIBE_PROGRAM_H
#define CK_DESCRIBE_PROGRAM_H

#include "codegen/core/gen.h"

/* After ck_gen_scan_functions. Strings and descriptions live in `arena`. */
void ck_gen_manifest(struct ck_gen *gen, struct ck_arena *arena, struct ck_manifest *out);

#endif
