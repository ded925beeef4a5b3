/* Typing rules of Numba's functions of the 16-bit floats, `fp16.hadd` and `bf16.hadd`: operators
 * and functions of the language, restricted to one type. */
#include "lang/check/builtins/rules.h"

enum form {
    OPERATOR,
    COMPARISON,
    DIFFERENT,
    FUNCTION,
    NEGATIVE,
    RECIPROCAL,
    ROOT_RECIPROCAL,
    EXP10
};

struct meaning {
    enum form form;
    int what; /* OPERATOR, COMPARISON: which one; FUNCTION: the built-in of floats */
    ck_rule_fn *rule;
};

#define BOTH_TYPES(name, ...)                                                                      \
    [CK_BUILTIN_FP16_##name] = {__VA_ARGS__}, [CK_BUILTIN_BF16_##name] = {__VA_ARGS__}

static const struct meaning meanings[CK_N_BUILTINS] = {
    BOTH_TYPES(HADD, OPERATOR, CK_OP_ADD),
    BOTH_TYPES(HSUB, OPERATOR, CK_OP_SUB),
    BOTH_TYPES(HMUL, OPERATOR, CK_OP_MUL),
    BOTH_TYPES(HDIV, OPERATOR, CK_OP_DIV),
    BOTH_TYPES(HFMA, FUNCTION, CK_BUILTIN_FMA, ck_rule_float),
    BOTH_TYPES(HNEG, NEGATIVE),
    BOTH_TYPES(HABS, FUNCTION, CK_BUILTIN_ABS, ck_rule_abs),
    BOTH_TYPES(HEQ, COMPARISON, CK_CMP_EQ),
    BOTH_TYPES(HNE, DIFFERENT),
    BOTH_TYPES(HGE, COMPARISON, CK_CMP_GE),
    BOTH_TYPES(HGT, COMPARISON, CK_CMP_GT),
    BOTH_TYPES(HLE, COMPARISON, CK_CMP_LE),
    BOTH_TYPES(HLT, COMPARISON, CK_CMP_LT),
    BOTH_TYPES(HMAX, FUNCTION, CK_BUILTIN_MAX, ck_rule_extreme),
    BOTH_TYPES(HMIN, FUNCTION, CK_BUILTIN_MIN, ck_rule_extreme),
    BOTH_TYPES(HSIN, FUNCTION, CK_BUILTIN_SIN, ck_rule_float),
    BOTH_TYPES(HCOS, FUNCTION, CK_BUILTIN_COS, ck_rule_float),
    [CK_BUILTIN_BF16_HTANH] = {FUNCTION, CK_BUILTIN_TANH, ck_rule_float},
    BOTH_TYPES(HLOG, FUNCTION, CK_BUILTIN_LOG, ck_rule_float),
    BOTH_TYPES(HLOG2, FUNCTION, CK_BUILTIN_LOG2, ck_rule_float),
    BOTH_TYPES(HLOG10, FUNCTION, CK_BUILTIN_LOG10, ck_rule_float),
    BOTH_TYPES(HEXP, FUNCTION, CK_BUILTIN_EXP, ck_rule_float),
    BOTH_TYPES(HEXP2, FUNCTION, CK_BUILTIN_EXP2, ck_rule_float),
    BOTH_TYPES(HEXP10, EXP10),
    BOTH_TYPES(HSQRT, FUNCTION, CK_BUILTIN_SQRT, ck_rule_float),
    BOTH_TYPES(HRSQRT, ROOT_RECIPROCAL),
    BOTH_TYPES(HRCP, RECIPROCAL),
    BOTH_TYPES(HCEIL, FUNCTION, CK_BUILTIN_CEIL, ck_rule_float),
    BOTH_TYPES(HFLOOR, FUNCTION, CK_BUILTIN_FLOOR, ck_rule_float),
    BOTH_TYPES(HTRUNC, FUNCTION, CK_BUILTIN_TRUNC, ck_rule_float),
    BOTH_TYPES(HRINT, FUNCTION, CK_BUILTIN_RINT, ck_rule_float),
};

#undef BOTH_TYPES

/* The arguments as `type`: each has that type already or is a literal. */
static bool
take_operands(struct ck_call *call, const struct ck_type *type)
{
    for (int i = 0; i < call->n_args; i++) {
        struct ck_value *arg = &call->args[i];
        bool is_literal = ck_is_number(arg) && ck_type_is_weak(arg->type);
        if (!is_literal && (arg->kind != CK_VALUE_RUN || arg->type != type)) {
            ck_wrong_type(call, i, ck_text_of(call->fn, type));
            return false;
        }
        struct ck_texpr *expr = ck_convert(call->fn, arg, type);
        if (!expr)
            return false;
        *arg = ck_value_run(type, expr);
    }
    return true;
}

/* x < y or x > y, since `!=` is true of a NaN. */
static struct ck_value
different(struct ck_call *call)
{
    struct ck_fn *fn = call->fn;
    struct ck_span span = call->syntax->span;
    struct ck_texpr *outer, *inner;
    struct ck_texpr *x = ck_let_new(fn, call->args[0].expr, span, &outer);
    struct ck_texpr *y = ck_let_new(fn, call->args[1].expr, span, &inner);
    struct ck_texpr *below = ck_compare_expr(fn, CK_CMP_LT, x, y, span);
    struct ck_texpr *above = ck_compare_expr(fn, CK_CMP_GT, x, y, span);
    struct ck_texpr *either = ck_logical(fn, true, below, above, span);
    struct ck_texpr *result = ck_let_in(outer, ck_let_in(inner, either));
    return ck_value_run(result->type, result);
}

static struct ck_value
function_of(struct ck_call call, enum ck_builtin_id id, ck_rule_fn *rule)
{
    call.id = id;
    return rule(&call);
}

static struct ck_value
negative(struct ck_call *call, const struct ck_type *type)
{
    struct ck_texpr *expr = ck_texpr_new(call->fn, CK_T_UNARY, type, call->syntax->span);
    expr->unary.op = CK_OP_NEG;
    expr->unary.operand = call->args[0].expr;
    return ck_value_run(type, expr);
}

static struct ck_value
single(struct ck_fn *fn, double value, struct ck_span span)
{
    const struct ck_type *f32 = ck_type_scalar(CK_TYPE_FLOAT32);
    return ck_value_run(f32, ck_const_float(fn, f32, value, span));
}

/* Functions that the language lacks: computed in float32 and rounded at the end. */
static struct ck_value
in_float32(struct ck_call *call, enum form form, const struct ck_type *type)
{
    struct ck_fn *fn = call->fn;
    struct ck_span span = call->syntax->span;
    const struct ck_type *f32 = ck_type_scalar(CK_TYPE_FLOAT32);
    call->args[0] = ck_value_run(f32, ck_cast(fn, call->args[0].expr, f32));
    struct ck_value result;
    if (form == EXP10) {
        result = ck_check_binary(fn, CK_OP_POW, single(fn, 10, span), call->args[0], span);
    } else {
        struct ck_value below =
            form == RECIPROCAL ? call->args[0] : function_of(*call, CK_BUILTIN_SQRT, ck_rule_float);
        result = ck_check_binary(fn, CK_OP_DIV, single(fn, 1, span), below, span);
    }
    return ck_value_run(type, ck_cast(fn, result.expr, type));
}

struct ck_value
ck_rule_half(struct ck_call *call)
{
    struct ck_fn *fn = call->fn;
    struct ck_span span = call->syntax->span;
    const struct meaning *meaning = &meanings[call->id];
    const struct ck_type *type =
        ck_type_scalar(call->id < CK_BUILTIN_BF16_HADD ? CK_TYPE_FLOAT16 : CK_TYPE_BFLOAT16);
    if (!take_operands(call, type))
        return ck_value_error(span);
    struct ck_texpr *compared;
    switch (meaning->form) {
    case OPERATOR:
        return ck_check_binary(fn, (enum ck_binary_op)meaning->what, call->args[0], call->args[1],
                               span);
    case COMPARISON:
        compared = ck_compare_expr(fn, (enum ck_compare_op)meaning->what, call->args[0].expr,
                                   call->args[1].expr, span);
        return ck_value_run(compared->type, compared);
    case DIFFERENT:
        return different(call);
    case FUNCTION:
        return function_of(*call, (enum ck_builtin_id)meaning->what, meaning->rule);
    case NEGATIVE:
        return negative(call, type);
    default:
        return in_float32(call, meaning->form, type);
    }
}
