/* Complex numbers made from their parts: complex(...), complex64(...) and complex128(...). */
#include <math.h>

#include "lang/check/builtins/const_array.h"

/* A number of `type` from one number, or from its two parts. */
static struct ck_value
construct(struct ck_fn *fn, const struct ck_type *type, const struct ck_value *args, int n,
          struct ck_span span)
{
    const struct ck_type *held = ck_storage_type(&fn->c->types, type), *part = ck_type_part(held);
    struct ck_texpr *result = ck_cast(fn, args[0].expr, n == 1 ? held : part);
    if (n == 2)
        result = ck_complex_new(fn, held, result, ck_cast(fn, args[1].expr, part), span);
    return ck_value_run(ck_is_constant(result) ? type : held, result);
}

/* Both parts must be real; the only argument may be complex. */
static bool
are_parts(struct ck_fn *fn, const char *name, const struct ck_value *args, int n)
{
    bool good = true;
    for (int i = 0; i < n; i++) {
        const struct ck_value *arg = &args[i];
        bool fits = arg->kind == CK_VALUE_RUN && ck_type_is_scalar(arg->type) &&
                    (n == 1 || !ck_type_is_complex(arg->type));
        if (fits || arg->kind == CK_VALUE_ERROR) {
            good = good && fits;
            continue;
        }
        struct ck_diag *diag = ck_error(fn, WRONG_TYPE, arg->span,
                                        ck_arena_printf(fn->c->arena, "`%s` takes %s, not %s", name,
                                                        n == 1 ? "a number" : "two real numbers",
                                                        ck_text_of(fn, arg->type)));
        if (ck_type_is_complex(arg->type))
            ck_help_real(fn, diag);
        good = false;
    }
    return good;
}

/* In the parts' common type, found as for a complex literal; of literals alone a literal. */
struct ck_value
ck_rule_complex(struct ck_call *call)
{
    struct ck_fn *fn = call->fn;
    struct ck_span span = call->syntax->span;
    if (!are_parts(fn, ck_builtin_path(call->id), call->args, call->n_args))
        return ck_value_error(span);
    const struct ck_type *type = ck_type_scalar(CK_TYPE_WEAK_COMPLEX);
    for (int i = 0; i < call->n_args; i++)
        type = ck_promote(type, call->args[i].type);
    for (int i = 0; i < call->n_args && !ck_type_is_weak(type); i++) {
        call->args[i].expr =
            ck_convert(fn, &call->args[i], call->n_args == 1 ? type : ck_type_part(type));
        if (!call->args[i].expr)
            return ck_value_error(span);
    }
    return construct(fn, type, call->args, call->n_args, span);
}

struct ck_value
ck_complex_cast_value(struct ck_fn *fn, const struct ck_type *type, const struct ck_expr *call)
{
    const char *name = ck_text_of(fn, type);
    struct ck_value args[2];
    int n = call->call.n_args;
    bool good = true;
    if (n < 1 || n > 2) {
        ck_error(fn, WRONG_COUNT, call->span, name, "1 or 2 arguments", n);
        return ck_value_error(call->span);
    }
    for (int i = 0; i < n; i++) {
        const struct ck_argument *arg = &call->call.args[i];
        if (arg->name) {
            ck_error(fn, KEYWORD, arg->name_span, arg->name, name);
            good = false;
        }
        args[i] = ck_check_run(fn, arg->value);
    }
    if (n == 1 && good && ck_computes_const_arrays(fn, args, 1))
        return ck_const_array_cast(fn, args, type, call->span);
    if (!are_parts(fn, name, args, n) || !good)
        return ck_value_error(call->span);
    return construct(fn, type, args, n, call->span);
}

struct ck_value
ck_rule_imaginary_constant(struct ck_call *call)
{
    struct ck_fn *fn = call->fn;
    struct ck_span span = call->syntax->span;
    const struct ck_type *f64 = ck_type_scalar(CK_TYPE_FLOAT64);
    struct ck_texpr *re = ck_const_float(fn, f64, 0.0, span);
    struct ck_texpr *im =
        ck_const_float(fn, f64, call->id == CK_BUILTIN_INFJ ? INFINITY : NAN, span);
    return ck_value_run(ck_type_scalar(CK_TYPE_WEAK_COMPLEX),
                        ck_complex_new(fn, ck_type_scalar(CK_TYPE_COMPLEX128), re, im, span));
}
