/* Typing rules of Numba's conversions of 8-bit floats, which are stored as uint8. */
#include "lang/check/builtins/rules.h"

struct ck_value
ck_rule_fp8_constant(struct ck_call *call)
{
    const bool is_one = call->id == CK_BUILTIN_FP8_SATFINITE || call->id == CK_BUILTIN_FP8_E5M2;
    return ck_value_int(call->fn, is_one, call->syntax->span);
}

/* Argument i as a bool that is known at compile time. False after an error. */
static bool
choice(struct ck_call *call, int i, const char *wanted, struct ck_value *out)
{
    int64_t value;
    if (call->args[i].kind != CK_VALUE_RUN || !ck_value_const_int(&call->args[i], &value) ||
        (value != 0 && value != 1)) {
        ck_wrong_type(call, i, wanted);
        return false;
    }
    *out = ck_value_bool(call->fn, value == 1, call->syntax->span);
    return true;
}

static struct ck_value
call_prelude(struct ck_call *call, const char *name, const struct ck_value *args, int n)
{
    struct ck_fn *fn = call->fn;
    if (fn->constant_only) {
        ck_error(fn, NOT_CONSTANT, call->syntax->span);
        return ck_value_error(call->syntax->span);
    }
    return ck_call_instance(fn, ck_prelude_function(fn->c, name), args, n, call->syntax->span);
}

/* x, saturation, interpretation */
struct ck_value
ck_rule_to_fp8(struct ck_call *call)
{
    struct ck_fn *fn = call->fn;
    struct ck_value args[3];
    const bool is_double = call->id == CK_BUILTIN_FP8_FROM_DOUBLE;
    const struct ck_value *x = &call->args[0];
    const struct ck_type *type = ck_type_scalar(is_double ? CK_TYPE_FLOAT64 : CK_TYPE_FLOAT32);
    if (!ck_is_number(x) || !ck_type_is_float(x->type) ||
        (!is_double && !ck_type_is_weak(x->type) && ck_type_size(x->type) > 4))
        return ck_wrong_type(call, 0, is_double ? "a float" : "a float of at most 32 bits");
    if (!choice(call, 1, "`saturation_t.NOSAT` or `saturation_t.SATFINITE`", &args[1]) ||
        !choice(call, 2, "`fp8_interpretation_t.E4M3` or `fp8_interpretation_t.E5M2`", &args[2]))
        return ck_value_error(call->syntax->span);
    args[0] = ck_value_run(type, ck_cast(fn, x->expr, type));
    return call_prelude(call, "fp8_encode", args, 3);
}

/* bits, interpretation */
struct ck_value
ck_rule_from_fp8(struct ck_call *call)
{
    struct ck_fn *fn = call->fn;
    struct ck_value args[2];
    const struct ck_value *bits = &call->args[0];
    const struct ck_type *u8 = ck_type_scalar(CK_TYPE_UINT8);
    if (!ck_is_number(bits) || (!ck_type_is_weak(bits->type) && bits->type != u8) ||
        !ck_type_is_int(bits->type))
        return ck_wrong_type(call, 0, "a uint8");
    if (!choice(call, 1, "`fp8_interpretation_t.E4M3` or `fp8_interpretation_t.E5M2`", &args[1]))
        return ck_value_error(call->syntax->span);
    struct ck_texpr *converted = ck_convert(fn, bits, u8);
    if (!converted)
        return ck_value_error(call->syntax->span);
    args[0] = ck_value_run(u8, converted);
    return call_prelude(call, "fp8_decode", args, 2);
}
