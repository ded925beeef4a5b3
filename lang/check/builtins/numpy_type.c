/* The types in which functions of NumPy and math compute, and their result types. */
#include <math.h>

#include "lang/check/builtins/numpy.h"

/* The float to which NumPy converts an integer or a bool. */
static const struct ck_type *
float_of(const struct ck_type *type)
{
    int bits = ck_type_bits(type);
    return ck_type_scalar(bits == 8    ? CK_TYPE_FLOAT16
                          : bits == 16 ? CK_TYPE_FLOAT32
                                       : CK_TYPE_FLOAT64);
}

/* NumPy's result type of two types that are not weak. bfloat16, which NumPy lacks, counts as
 * float16. */
static const struct ck_type *
common(const struct ck_type *a, const struct ck_type *b)
{
    if (a == b || b->kind == CK_TYPE_BOOL)
        return a;
    if (a->kind == CK_TYPE_BOOL)
        return b;
    if (ck_type_is_complex(a) || ck_type_is_complex(b)) {
        const struct ck_type *part = common(ck_type_is_complex(a) ? ck_type_part(a) : a,
                                            ck_type_is_complex(b) ? ck_type_part(b) : b);
        return ck_type_scalar(part->kind == CK_TYPE_FLOAT64 ? CK_TYPE_COMPLEX128
                                                            : CK_TYPE_COMPLEX64);
    }
    bool float_a = ck_type_is_float(a), float_b = ck_type_is_float(b);
    if (float_a == float_b) {
        const struct ck_type *type = ck_promote(a, b);
        return type ? type : ck_type_scalar(CK_TYPE_FLOAT64); /* int64 with uint64 */
    }
    const struct ck_type *floating = float_a ? a : b, *held = float_of(float_a ? b : a);
    return ck_type_bits(held) > ck_type_bits(floating) ? held : floating;
}

/* The type of a literal with arguments of `type`. */
static const struct ck_type *
with_literal(const struct ck_type *type, const struct ck_type *weak)
{
    bool whole = ck_type_is_whole(type);
    switch (weak->kind) {
    case CK_TYPE_WEAK_INT:
        return type->kind == CK_TYPE_BOOL ? ck_type_scalar(CK_TYPE_INT64) : type;
    case CK_TYPE_WEAK_FLOAT:
        return whole ? ck_type_scalar(CK_TYPE_FLOAT64) : type;
    default:
        if (ck_type_is_complex(type))
            return type;
        return ck_type_scalar(whole || type->kind == CK_TYPE_FLOAT64 ? CK_TYPE_COMPLEX128
                                                                     : CK_TYPE_COMPLEX64);
    }
}

const struct ck_type *
ck_numpy_common_type(struct ck_fn *fn, const struct ck_value *values, int n)
{
    const struct ck_type *type = NULL, *weak = NULL;
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < n; i++) {
            const struct ck_type *mine = values[i].type;
            if ((ck_type_is_weak(mine) ? 2 : ck_type_is_whole(mine) ? 1 : 0) != round)
                continue;
            if (round < 2)
                type = type ? common(type, mine) : mine;
            else if (type)
                type = with_literal(type, mine);
            else
                weak = weak ? ck_promote(weak, mine) : mine;
        }
    }
    return type ? type : ck_storage_type(&fn->c->types, weak);
}

/* The common type of floats only, without literals and integers; float64 if there are none. */
static const struct ck_type *
python_type(const struct ck_value *values, int n)
{
    const struct ck_type *type = NULL;
    for (int i = 0; i < n; i++) {
        const struct ck_type *mine = values[i].type;
        if (ck_type_is_float(mine) && !ck_type_is_weak(mine))
            type = type ? ck_promote(type, mine) : mine;
    }
    return type ? type : ck_type_scalar(CK_TYPE_FLOAT64);
}

/* The float that holds each of the integers and bools. It may be smaller than the float for their
 * common type `type`: int8 with uint8 is float16, while int16 is float32. */
static const struct ck_type *
float_type(const struct ck_value *values, int n, const struct ck_type *type)
{
    const struct ck_type *floating = NULL;
    for (int i = 0; i < n; i++) {
        const struct ck_type *mine = values[i].type;
        if (ck_type_is_weak(mine) && type->kind != CK_TYPE_INT64)
            continue; /* takes the other arguments' type */
        const struct ck_type *held = float_of(ck_type_is_weak(mine) ? type : mine);
        floating = floating ? common(floating, held) : held;
    }
    return floating;
}

static enum ck_numpy_taken
taken_as(const struct ck_numpy_typing *typing, const struct ck_type *type)
{
    return type->kind == CK_TYPE_BOOL ? typing->bools
           : ck_type_is_int(type)     ? typing->ints
           : ck_type_is_float(type)   ? typing->floats
                                      : typing->complexes;
}

struct ck_value
ck_numpy_wrong_argument(const struct ck_numpy_call *call, const struct ck_value *value)
{
    struct ck_fn *fn = call->fn;
    struct ck_diag *diag =
        ck_error(fn, WRONG_TYPE, value->span,
                 ck_arena_printf(fn->c->arena, "`%s` takes %s, not %s", call->row->path,
                                 call->row->typing->wanted, ck_text_of(fn, value->type)));
    if (ck_type_is_complex(value->type))
        ck_help_real(fn, diag);
    return ck_numpy_failed(call);
}

const struct ck_type *
ck_numpy_operand_type(struct ck_numpy_call *call, int n)
{
    const struct ck_numpy_typing *typing = call->row->typing;
    for (int i = 0; i < n; i++) {
        if (taken_as(typing, call->args[i].type) == CK_NUMPY_REFUSED &&
            (n == 1 || call->args[i].type->kind != CK_TYPE_BOOL)) {
            ck_numpy_wrong_argument(call, &call->args[i]);
            return NULL;
        }
    }
    const struct ck_type *type = typing->is_python ? python_type(call->args, n)
                                                   : ck_numpy_common_type(call->fn, call->args, n);
    switch (taken_as(typing, type)) {
    case CK_NUMPY_REFUSED:
        if (type->kind == CK_TYPE_BOOL)
            ck_numpy_wrong_argument(call, &call->args[0]);
        else /* int64 with uint64, which have no common integer type */
            ck_mixed_sign_among(call->fn, call->args, n - 1);
        return NULL;
    case CK_NUMPY_AS_INT8:
        return ck_type_scalar(CK_TYPE_INT8);
    case CK_NUMPY_AS_FLOAT:
        return float_type(call->args, n, type);
    case CK_NUMPY_AS_FLOAT64:
        return ck_type_scalar(ck_type_is_complex(type) ? CK_TYPE_COMPLEX128 : CK_TYPE_FLOAT64);
    default:
        return type;
    }
}

bool
ck_numpy_convert(struct ck_fn *fn, struct ck_value *value, const struct ck_type *type)
{
    struct ck_texpr *expr =
        ck_type_is_weak(value->type) ? ck_convert(fn, value, type) : ck_cast(fn, value->expr, type);
    if (!expr)
        return false;
    bool keeps = ck_type_is_int(value->type) && ck_type_is_int(type) &&
                 ck_type_bits(type) >= ck_type_bits(value->expr->type) && value->nonnegative;
    struct ck_value converted = ck_value_run(type, expr);
    converted.nonnegative = converted.nonnegative || keeps;
    converted.origin.carried = value->origin.carried;
    converted.span = value->span;
    *value = converted;
    return true;
}

const struct ck_type *
ck_numpy_take_operands(struct ck_numpy_call *call, int n)
{
    const struct ck_type *type = ck_numpy_operand_type(call, n);
    for (int i = 0; type && i < n; i++) {
        if (!ck_numpy_convert(call->fn, &call->args[i], type))
            return NULL;
    }
    return type;
}

bool
ck_numpy_all_literals(const struct ck_numpy_call *call, int n)
{
    for (int i = 0; i < n; i++) {
        if (!ck_type_is_weak(call->args[i].type))
            return false;
    }
    return true;
}

struct ck_value
ck_numpy_as_result(struct ck_fn *fn, struct ck_value value, const struct ck_type *type)
{
    if (value.kind != CK_VALUE_RUN || value.type == type)
        return value;
    struct ck_value result = ck_value_run(type, ck_cast(fn, value.expr, type));
    result.span = value.span;
    return result;
}

void
ck_numpy_warn_float64(struct ck_numpy_call *call, const struct ck_type *type, enum ck_binary_op op)
{
    const struct ck_value *a = &call->args[0], *b = &call->args[1];
    bool mixed = ck_type_is_float(a->type) != ck_type_is_float(b->type);
    if (type->kind == CK_TYPE_FLOAT64 && (mixed || op == CK_OP_DIV))
        ck_warn_float64(call->fn, op, a, b, call->syntax->span);
}
