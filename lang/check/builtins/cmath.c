/* Functions of complex numbers: NumPy's parts of them; `cmath.sqrt(z)` and its kin: each is a
 * function of lang/prelude/cmath.ck, of a complex64 for numbers of at most 32 bits' floats, of a
 * complex128 for others. */
#include <string.h>

#include "lang/check/builtins/numpy.h"

/* --- NumPy's parts of numbers --------------------------------------------------------------------
 */

struct ck_value
ck_complex_conjugate(struct ck_numpy_call *call)
{
    if (!ck_numpy_take_operands(call, 1))
        return ck_numpy_failed(call);
    return ck_number_conjugate(call->fn, call->args[0], call->syntax->span);
}

struct ck_value
ck_complex_part_of(struct ck_numpy_call *call)
{
    if (!ck_numpy_take_operands(call, 1))
        return ck_numpy_failed(call);
    return ck_number_part(call->fn, &call->args[0], call->row->what, call->syntax->span);
}

/* atan2 of the parts; in degrees it is multiplied, as NumPy does. */
struct ck_value
ck_complex_angle(struct ck_numpy_call *call)
{
    struct ck_fn *fn = call->fn;
    const struct ck_span span = call->syntax->span;
    const struct ck_texpr *deg = NULL;
    if (call->args[1].kind != CK_VALUE_NONE) {
        deg = ck_truth(fn, &call->args[1]);
        if (!deg || deg->kind != CK_T_CONST) {
            ck_error(fn, NOT_CONSTANT, call->args[1].span);
            return ck_numpy_failed(call);
        }
    }
    if (!ck_numpy_take_operands(call, 1))
        return ck_numpy_failed(call);
    struct ck_texpr *let;
    const struct ck_value z = ck_name_once(fn, call->args[0], &let);
    const struct ck_value parts[2] = {ck_number_part(fn, &z, true, span),
                                      ck_number_part(fn, &z, false, span)};
    struct ck_value angle = ck_numpy_apply(fn, ck_numpy_find("np.arctan2"), parts, 2, span);
    if (deg && deg->constant.i && angle.kind == CK_VALUE_RUN) {
        const struct ck_type *type = ck_storage_type(&fn->c->types, angle.type);
        struct ck_texpr *factor = ck_const_float(fn, type, 180 / 3.14159265358979323846, span);
        angle = ck_check_binary(fn, CK_OP_MUL, angle, ck_value_run(type, factor), span);
    }
    angle.expr = ck_let_in(let, angle.expr);
    return angle;
}

/* --- Python's cmath ------------------------------------------------------------------------------
 */

/* The complex type in which the first n arguments are computed: as if a complex literal were added
 * to them. */
static const struct ck_type *
operand_type(const struct ck_numpy_call *call, int n)
{
    const struct ck_type *type = ck_type_scalar(CK_TYPE_WEAK_COMPLEX);
    for (int i = 0; i < n; i++)
        type = ck_promote(type, call->args[i].type);
    return ck_storage_type(&call->fn->c->types, type);
}

static bool
take(struct ck_numpy_call *call, const struct ck_type *type, int n)
{
    for (int i = 0; i < n; i++) {
        if (!ck_numpy_convert(call->fn, &call->args[i], type))
            return false;
    }
    return true;
}

/* The prelude's function `cmath_NAME`. */
static struct ck_value
call_prelude(const struct ck_numpy_call *call, const char *name, const struct ck_value *args, int n)
{
    struct ck_fn *fn = call->fn;
    if (fn->constant_only) {
        ck_error(fn, NOT_CONSTANT, call->syntax->span);
        return ck_numpy_failed(call);
    }
    name = ck_arena_printf(fn->c->arena, "cmath_%s", name);
    return ck_call_instance(fn, ck_prelude_function(fn->c, name), args, n, call->syntax->span);
}

static const char *
own_name(const struct ck_numpy_call *call)
{
    return strchr(call->row->path, '.') + 1;
}

struct ck_value
ck_cmath_named(struct ck_numpy_call *call, const char *name)
{
    if (!take(call, operand_type(call, 1), 1))
        return ck_numpy_failed(call);
    return call_prelude(call, name, call->args, 1);
}

struct ck_value
ck_cmath_function(struct ck_numpy_call *call)
{
    return ck_cmath_named(call, own_name(call));
}

struct ck_value
ck_cmath_log(struct ck_numpy_call *call)
{
    bool has_base = call->args[1].kind != CK_VALUE_NONE;
    if (!take(call, operand_type(call, 1 + has_base), 1 + has_base))
        return ck_numpy_failed(call);
    struct ck_value value = call_prelude(call, own_name(call), &call->args[0], 1);
    if (!has_base || value.kind == CK_VALUE_ERROR)
        return value;
    struct ck_value base = call_prelude(call, own_name(call), &call->args[1], 1);
    return ck_check_binary(call->fn, CK_OP_DIV, value, base, call->syntax->span);
}

struct ck_value
ck_cmath_rect(struct ck_numpy_call *call)
{
    for (int i = 0; i < 2; i++) {
        if (ck_type_is_complex(call->args[i].type))
            return ck_numpy_wrong_argument(call, &call->args[i]);
    }
    const struct ck_type *type = operand_type(call, 2);
    if (!take(call, ck_type_part(type), 2))
        return ck_numpy_failed(call);
    struct ck_value zero = ck_value_int(call->fn, 0, call->syntax->span);
    ck_numpy_convert(call->fn, &zero, type);
    const struct ck_value args[3] = {call->args[0], call->args[1], zero};
    return call_prelude(call, own_name(call), args, 3);
}

struct ck_value
ck_cmath_isclose(struct ck_numpy_call *call)
{
    static const double tolerances[2] = {1e-9, 0};
    struct ck_fn *fn = call->fn;
    const struct ck_type *type = operand_type(call, 2), *part = ck_type_part(type);
    if (!take(call, type, 2))
        return ck_numpy_failed(call);
    for (int i = 2; i < 4; i++) {
        struct ck_value *arg = &call->args[i];
        if (arg->kind == CK_VALUE_NONE)
            *arg =
                ck_value_run(part, ck_const_float(fn, part, tolerances[i - 2], call->syntax->span));
        else if (ck_type_is_complex(arg->type))
            return ck_numpy_wrong_argument(call, arg);
        else if (!ck_numpy_convert(fn, arg, part))
            return ck_numpy_failed(call);
    }
    return call_prelude(call, own_name(call), call->args, 4);
}
