/* Calls of built-ins of constants, folded where a module constant is computed. In functions such
 * calls are left to the device, whose functions of floats may differ in the last bit. */
#include <math.h>

#include "lang/check/builtins/rules.h"
#include "lang/typed/fold.h"

static struct ck_texpr *
float_result(struct ck_fn *fn, const struct ck_texpr *call, double value)
{
    return ck_const_float(fn, call->type, value, call->span);
}

static struct ck_texpr *
bool_result(struct ck_fn *fn, const struct ck_texpr *call, bool value)
{
    return ck_const_int(fn, ck_type_scalar(CK_TYPE_BOOL), value, call->span);
}

static bool
is_nan(const struct ck_texpr *constant)
{
    return ck_type_is_float(constant->type) && isnan(constant->constant.f);
}

/* min and max ignore a NaN, minimum and maximum return it. */
static struct ck_texpr *
extreme(enum ck_builtin_id id, struct ck_texpr *left, struct ck_texpr *right)
{
    bool is_least = id == CK_BUILTIN_MIN || id == CK_BUILTIN_MINIMUM;
    bool keeps_nan = id == CK_BUILTIN_MINIMUM || id == CK_BUILTIN_MAXIMUM;
    bool right_wins = false;
    if (is_nan(left))
        return keeps_nan ? left : right;
    if (is_nan(right))
        return keeps_nan ? right : left;
    if (!ck_fold_compare(&right_wins, is_least ? CK_CMP_LT : CK_CMP_GT, right, left))
        return NULL;
    return right_wins ? right : left;
}

static struct ck_texpr *
magnitude(struct ck_fn *fn, const struct ck_texpr *call, struct ck_texpr *operand)
{
    const struct ck_type *type = operand->type;
    if (ck_type_is_complex(type)) {
        double re = ck_complex_part(fn, operand, 0)->constant.f;
        return float_result(fn, call, hypot(re, ck_complex_part(fn, operand, 1)->constant.f));
    }
    if (ck_type_is_float(type))
        return float_result(fn, call, fabs(operand->constant.f));
    if (ck_type_is_unsigned(type) || operand->constant.i >= 0)
        return operand;
    struct ck_value value = ck_value_run(type, operand);
    return ck_unary_value(fn, CK_OP_NEG, &value, call->span).expr;
}

/* The next float is that of float64. */
static struct ck_texpr *
function_of_floats(struct ck_fn *fn, const struct ck_texpr *call)
{
    double args[2] = {0}, value;
    bool fits = call->builtin.n_args <= 2 && ck_type_is_float(call->type) &&
                (call->builtin.id != CK_BUILTIN_NEXTAFTER || call->type->kind == CK_TYPE_FLOAT64);
    for (int i = 0; fits && i < call->builtin.n_args; i++) {
        fits = ck_type_is_float(call->builtin.args[i]->type);
        args[i] = fits ? call->builtin.args[i]->constant.f : 0;
    }
    if (!fits || !ck_fold_float(call->builtin.id, args, &value))
        return NULL;
    return float_result(fn, call, value);
}

static struct ck_texpr *
folded_call(struct ck_fn *fn, const struct ck_texpr *call)
{
    struct ck_texpr *const *args = call->builtin.args;
    switch (call->builtin.id) {
    case CK_BUILTIN_SELP:
        return args[0]->constant.i ? args[1] : args[2];
    case CK_BUILTIN_ABS:
        return magnitude(fn, call, args[0]);
    case CK_BUILTIN_MIN:
    case CK_BUILTIN_MAX:
    case CK_BUILTIN_MINIMUM:
    case CK_BUILTIN_MAXIMUM:
        return extreme(call->builtin.id, args[0], args[1]);
    case CK_BUILTIN_ISNAN:
        return bool_result(fn, call, isnan(args[0]->constant.f));
    case CK_BUILTIN_ISINF:
        return bool_result(fn, call, isinf(args[0]->constant.f));
    case CK_BUILTIN_ISFINITE:
        return bool_result(fn, call, isfinite(args[0]->constant.f));
    default:
        return function_of_floats(fn, call);
    }
}

struct ck_texpr *
ck_fold_call(struct ck_fn *fn, struct ck_texpr *call)
{
    if (!fn->constant_only || call->kind != CK_T_BUILTIN)
        return call;
    for (int i = 0; i < call->builtin.n_args; i++) {
        call->builtin.args[i] = ck_fold_call(fn, call->builtin.args[i]);
        if (!ck_is_constant(call->builtin.args[i]))
            return call;
    }
    struct ck_texpr *folded = folded_call(fn, call);
    return folded ? folded : call;
}
