/* The warnings that a caller turns off, by name. */
#include "disable_warnings.h"

#include "base/nearest.h"
#include "runtime/launch/module.h"

static bool
is_warning(enum ck_diag_id id)
{
#define CK_DIAG(id, severity, name, text) CK_SEVERITY_##severity,
    static const enum ck_severity severities[] = {
#include "lang/diag/errors.def"
    };
#undef CK_DIAG
    return severities[id] == CK_SEVERITY_WARNING;
}

static ck_status
fail_warning(ck_context *ctx, const char *name)
{
    const char *names[CK_N_DIAGS];
    int n = 0;
    for (int id = 0; id < CK_N_DIAGS; id++) {
        if (is_warning((enum ck_diag_id)id))
            names[n++] = ck_diag_name((enum ck_diag_id)id);
    }
    const char *nearest = ck_nearest_name(name, names, n);
    if (nearest)
        return ck_fail(ctx, CK_ERROR_ARGUMENT, "unknown warning `%s`; did you mean `%s`?", name,
                       nearest);
    return ck_fail(ctx, CK_ERROR_ARGUMENT, "unknown warning `%s`", name);
}

ck_status
ck_disable_warnings(struct ck_diags *diags, ck_context *ctx, const ck_compile_options *options)
{
    for (size_t i = 0; i < options->n_warnings_off; i++) {
        const char *name = options->warnings_off[i];
        int id = ck_diag_find(name);
        if (id < 0)
            return fail_warning(ctx, name);
        if (!is_warning((enum ck_diag_id)id))
            return ck_fail(ctx, CK_ERROR_ARGUMENT,
                           "`%s` is an error, not a warning: it cannot be turned off", name);
        diags->warning_off[id] = true;
    }
    return CK_OK;
}
