/* The public description of a diagnostic. */
#ifndef CK_DESCRIBE_DIAGNOSTIC_H
#define CK_DESCRIBE_DIAGNOSTIC_H

#include <ck/base.h>

#include "base/arena.h"
#include "lang/diag/diag.h"

/* Copies the diagnostic to the arena. `text` is for rendering. False: out of memory. */
bool ck_describe_diagnostic(ck_diagnostic *out, struct ck_arena *arena, struct ck_strbuf *text,
                            const struct ck_diag *diag);

#endif
