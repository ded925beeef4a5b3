/* The warnings that a caller turns off. */
#ifndef CK_DISABLE_WARNINGS_H
#define CK_DISABLE_WARNINGS_H

#include <ck/compile.h>

#include "lang/diag/diag.h"

/* Turns off what `options->warnings_off` names. Errors: CK_ERROR_ARGUMENT (no warning). */
ck_status ck_disable_warnings(struct ck_diags *diags, ck_context *ctx,
                              const ck_compile_options *options);

#endif
