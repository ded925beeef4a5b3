/* The options of a compilation. */
#ifndef CK_COMPILE_OPTIONS_H
#define CK_COMPILE_OPTIONS_H

#include <ck/compile.h>

#include "base/arena.h"
#include "base/source.h"

struct ck_codegen_options;

/* Fills `out` with the caller's options, whose struct may be that of another release of ck: members
 * that it lacks are zero, and members that this ck does not know must be zero. Errors:
 * CK_ERROR_ARGUMENT. */
ck_status ck_compile_options_read(ck_compile_options *out, ck_context *ctx,
                                  const ck_compile_options *given);

/* Copies options and what they point to into the arena. Returns the parts of the source. */
struct ck_text_part *ck_compile_options_keep(ck_compile_options *out, struct ck_arena *arena,
                                             const ck_compile_options *given);

/* Those for emission; texts are borrowed. */
void ck_codegen_options_of(struct ck_codegen_options *out, const ck_compile_options *options,
                           const char *arch);

#endif
