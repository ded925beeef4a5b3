/* Names of NumPy and of Python's `math` that mean something else than the bare names: the rows of
 * numpy.def, the types they compute in, and what is made of their arguments.
 *
 * Arguments are converted to the type that NumPy 2 computes in, explicitly, and the result is cast
 * to the type that NumPy gives: the operators of the language have other types. A literal takes the
 * other arguments' type, as a Python scalar does; a function of literals alone gives a literal
 * where the language's own operator or function does. */
#include <math.h>
#include <string.h>

#include "lang/check/builtins/rules.h"

/* What a type of one kind is taken as. */
enum taken { REFUSED, AS_IT_IS, AS_INT8, AS_FLOAT, AS_FLOAT64, AS_WIDE };

struct typing {
    enum taken bools, ints, floats, complexes;
    const char *wanted; /* "integers" */
};

struct numpy_call;
typedef struct ck_value form_fn(struct numpy_call *call);

struct ck_numpy {
    const char *path, *params;
    const struct typing *typing;
    form_fn *form;
    int what; /* ck_binary_op, ck_compare_op or ck_builtin_id */
};

enum { MAX_PARAMS = 5 };

/* A call of a row. Arguments that are left out have the kind NONE. */
struct numpy_call {
    struct ck_fn *fn;
    const struct ck_numpy *row;
    const struct ck_expr *syntax;
    struct ck_value args[MAX_PARAMS];
    int n_params;
};

static struct ck_value
failed(const struct numpy_call *call)
{
    return ck_value_error(call->syntax->span);
}

/* --- Types ---------------------------------------------------------------------------------------
 */

static const struct typing NUMBERS = {AS_IT_IS, AS_IT_IS, AS_IT_IS, AS_IT_IS, "numbers"};
static const struct typing NO_BOOLS = {REFUSED, AS_IT_IS, AS_IT_IS, AS_IT_IS,
                                       "numbers other than bools"};
static const struct typing POWERS = {AS_INT8, AS_IT_IS, AS_IT_IS, AS_IT_IS, "numbers"};
static const struct typing QUOTIENT = {AS_FLOAT64, AS_FLOAT64, AS_IT_IS, AS_IT_IS, "numbers"};
static const struct typing DOUBLE = {AS_FLOAT64, AS_FLOAT64, AS_FLOAT64, AS_FLOAT64, "numbers"};
static const struct typing ORDERED = {AS_IT_IS, AS_IT_IS, AS_IT_IS, REFUSED, "real numbers"};
static const struct typing REAL = {AS_INT8, AS_IT_IS, AS_IT_IS, REFUSED, "real numbers"};
static const struct typing NO_BOOL_REAL = {REFUSED, AS_IT_IS, AS_IT_IS, REFUSED,
                                           "real numbers other than bools"};
static const struct typing FLOAT = {AS_FLOAT, AS_FLOAT, AS_IT_IS, REFUSED, "real numbers"};
/* Computed in float32 at least. */
static const struct typing WIDE_FLOAT = {AS_FLOAT, AS_FLOAT, AS_WIDE, REFUSED, "real numbers"};
static const struct typing BITS = {AS_IT_IS, AS_IT_IS, REFUSED, REFUSED, "integers"};
static const struct typing INTEGERS = {AS_INT8, AS_IT_IS, REFUSED, REFUSED, "integers"};
static const struct typing NO_BOOL_INTEGERS = {REFUSED, AS_IT_IS, REFUSED, REFUSED,
                                               "integers other than bools"};
/* Python's functions take integers as float64 and do not let them widen a float. */
static const struct typing MATH = {AS_FLOAT64, AS_FLOAT64, AS_IT_IS, REFUSED, "real numbers"};

/* The float that NumPy takes an integer or a bool as. */
static const struct ck_type *
float_of(const struct ck_type *type)
{
    int bits = ck_type_bits(type);
    return ck_type_scalar(bits == 8    ? CK_TYPE_FLOAT16
                          : bits == 16 ? CK_TYPE_FLOAT32
                                       : CK_TYPE_FLOAT64);
}

/* NumPy's result type of two types that are not weak. bfloat16, which NumPy lacks, is as float16.
 */
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

/* NumPy's result type of values of which one at least is no literal; of literals alone what they
 * are held as. Floats come first: NumPy joins each integer to the float, not to other integers. */
static const struct ck_type *
common_type(struct ck_fn *fn, const struct ck_value *values, int n)
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

/* The type of floats alone, of which literals and integers do not count; float64 without any. */
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

/* The float that holds each of the integers and bools whose common type is `type`: smaller than one
 * that holds that type of an int8 with a uint8. */
static const struct ck_type *
float_type(const struct ck_value *values, int n, const struct ck_type *type)
{
    const struct ck_type *floating = NULL;
    for (int i = 0; i < n; i++) {
        const struct ck_type *mine = values[i].type;
        if (ck_type_is_weak(mine) && type->kind != CK_TYPE_INT64)
            continue; /* takes the others' type */
        const struct ck_type *held = float_of(ck_type_is_weak(mine) ? type : mine);
        floating = floating ? common(floating, held) : held;
    }
    return floating;
}

static enum taken
taken_as(const struct typing *typing, const struct ck_type *type)
{
    return type->kind == CK_TYPE_BOOL ? typing->bools
           : ck_type_is_int(type)     ? typing->ints
           : ck_type_is_float(type)   ? typing->floats
                                      : typing->complexes;
}

static struct ck_value
wrong_argument(const struct numpy_call *call, const struct ck_value *value)
{
    struct ck_fn *fn = call->fn;
    struct ck_diag *diag =
        ck_error(fn, WRONG_TYPE, value->span,
                 ck_arena_printf(fn->c->arena, "`%s` takes %s, not %s", call->row->path,
                                 call->row->typing->wanted, ck_text_of(fn, value->type)));
    if (ck_type_is_complex(value->type))
        ck_help_real(fn, diag);
    return failed(call);
}

/* The type that the first n arguments are computed in. NULL after an error. */
static const struct ck_type *
operand_type(struct numpy_call *call, int n)
{
    const struct typing *typing = call->row->typing;
    for (int i = 0; i < n; i++) {
        if (taken_as(typing, call->args[i].type) == REFUSED &&
            (n == 1 || call->args[i].type->kind != CK_TYPE_BOOL)) {
            wrong_argument(call, &call->args[i]);
            return NULL;
        }
    }
    const struct ck_type *type =
        typing == &MATH ? python_type(call->args, n) : common_type(call->fn, call->args, n);
    switch (taken_as(typing, type)) {
    case REFUSED:
        if (type->kind == CK_TYPE_BOOL)
            wrong_argument(call, &call->args[0]);
        else /* int64 with uint64, which floats alone can join */
            ck_mixed_sign_among(call->fn, call->args, n - 1);
        return NULL;
    case AS_INT8:
        return ck_type_scalar(CK_TYPE_INT8);
    case AS_FLOAT:
        return float_type(call->args, n, type);
    case AS_FLOAT64:
        return ck_type_scalar(ck_type_is_complex(type) ? CK_TYPE_COMPLEX128 : CK_TYPE_FLOAT64);
    default:
        return type;
    }
}

/* As `type`. A literal that does not fit is an error: false. */
static bool
convert(struct ck_fn *fn, struct ck_value *value, const struct ck_type *type)
{
    struct ck_texpr *expr =
        ck_type_is_weak(value->type) ? ck_convert(fn, value, type) : ck_cast(fn, value->expr, type);
    if (!expr)
        return false;
    bool keeps = ck_type_is_int(value->type) && ck_type_is_int(type) &&
                 ck_type_bits(type) >= ck_type_bits(value->expr->type) && value->nonnegative;
    struct ck_value converted = ck_value_run(type, expr);
    converted.nonnegative = converted.nonnegative || keeps;
    converted.carried = value->carried;
    converted.span = value->span;
    *value = converted;
    return true;
}

/* The first n arguments as the type that they are computed in, which it gives. NULL after an error.
 */
static const struct ck_type *
take_operands(struct numpy_call *call, int n)
{
    const struct ck_type *type = operand_type(call, n);
    for (int i = 0; type && i < n; i++) {
        if (!convert(call->fn, &call->args[i], type))
            return NULL;
    }
    return type;
}

static bool
all_literals(const struct numpy_call *call, int n)
{
    for (int i = 0; i < n; i++) {
        if (!ck_type_is_weak(call->args[i].type))
            return false;
    }
    return true;
}

/* A result in the type that NumPy gives. */
static struct ck_value
as_result(struct ck_fn *fn, struct ck_value value, const struct ck_type *type)
{
    if (value.kind != CK_VALUE_RUN || value.type == type)
        return value;
    struct ck_value result = ck_value_run(type, ck_cast(fn, value.expr, type));
    result.span = value.span;
    return result;
}

/* Float64 that neither argument had nor anybody asked for. */
static void
warn_float64(struct numpy_call *call, const struct ck_type *type, enum ck_binary_op op)
{
    const struct ck_value *a = &call->args[0], *b = &call->args[1];
    bool mixed = ck_type_is_float(a->type) != ck_type_is_float(b->type);
    if (type->kind == CK_TYPE_FLOAT64 && (mixed || op == CK_OP_DIV))
        ck_warn_float64(call->fn, op, a, b, call->syntax->span);
}

/* --- Operators -----------------------------------------------------------------------------------
 */

static struct ck_value
form_operator(struct numpy_call *call)
{
    struct ck_fn *fn = call->fn;
    struct ck_span span = call->syntax->span;
    enum ck_binary_op op = (enum ck_binary_op)call->row->what;
    if (all_literals(call, 2) && operand_type(call, 2))
        return ck_check_binary(fn, op, call->args[0], call->args[1], span);
    const struct ck_type *type = operand_type(call, 2);
    if (!type)
        return failed(call);
    warn_float64(call, type, op);
    if (!take_operands(call, 2))
        return failed(call);
    if (type->kind == CK_TYPE_BOOL && (op == CK_OP_ADD || op == CK_OP_MUL))
        op = op == CK_OP_ADD ? CK_OP_OR : CK_OP_AND;
    return as_result(fn, ck_check_binary(fn, op, call->args[0], call->args[1], span), type);
}

/* np.power, np.float_power and math.pow. A constant exponent is multiplied out, as that of `**`. */
static struct ck_value
form_power(struct numpy_call *call)
{
    struct ck_fn *fn = call->fn;
    struct ck_span span = call->syntax->span;
    const struct ck_type *type = operand_type(call, 2);
    int64_t n;
    if (!type)
        return failed(call);
    bool known = ck_value_const_int(&call->args[1], &n);
    if (known && n < 0 && ck_type_is_int(type)) {
        struct ck_diag *diag =
            ck_error(fn, WRONG_TYPE, call->args[1].span,
                     ck_arena_printf(fn->c->arena, "`%s` of integers takes no negative exponent",
                                     call->row->path));
        ck_diag_help(fn->c->diags, diag, "cast the base to a float: float64(%s)",
                     ck_diag_text(fn->c->diags, call->args[0].span));
        return failed(call);
    }
    if (all_literals(call, 2)) {
        bool makes_float = call->row->typing != &POWERS;
        if (makes_float && call->args[0].type->kind == CK_TYPE_WEAK_INT &&
            call->args[0].expr->kind == CK_T_CONST)
            call->args[0] = ck_value_run(ck_type_scalar(CK_TYPE_WEAK_FLOAT),
                                         ck_cast(fn, call->args[0].expr, type));
        return ck_check_binary(fn, CK_OP_POW, call->args[0], call->args[1], span);
    }
    warn_float64(call, type, CK_OP_POW);
    bool literal = known && ck_type_is_weak(call->args[1].type);
    if (!convert(fn, &call->args[0], type) || (!literal && !convert(fn, &call->args[1], type)))
        return failed(call);
    return as_result(fn, ck_check_binary(fn, CK_OP_POW, call->args[0], call->args[1], span), type);
}

static struct ck_value
form_divmod(struct numpy_call *call)
{
    struct ck_fn *fn = call->fn;
    struct ck_span span = call->syntax->span;
    struct ck_texpr *lets[2];
    const struct ck_type *type = take_operands(call, 2);
    if (!type)
        return failed(call);
    struct ck_value left = ck_name_once(fn, call->args[0], &lets[0]);
    struct ck_value right = ck_name_once(fn, call->args[1], &lets[1]);
    struct ck_texpr *tuple = ck_texpr_new(fn, CK_T_TUPLE, NULL, span);
    tuple->type = ck_type_tuple(&fn->c->types, (const struct ck_type *[]){type, type}, 2);
    tuple->tuple.n = 2;
    tuple->tuple.items = CK_NEW_ARRAY(fn->c->arena, struct ck_texpr *, 2);
    for (int i = 0; i < 2; i++) {
        struct ck_value part =
            ck_check_binary(fn, i ? CK_OP_MOD : CK_OP_FLOORDIV, left, right, span);
        tuple->tuple.items[i] = as_result(fn, part, type).expr;
    }
    return ck_value_run(tuple->type, ck_let_in(lets[0], ck_let_in(lets[1], tuple)));
}

/* The argument as the type that it is computed in; a literal as the literal that it is. */
static bool
take_one(struct numpy_call *call)
{
    if (ck_type_is_weak(call->args[0].type))
        return operand_type(call, 1) != NULL;
    return take_operands(call, 1) != NULL;
}

static struct ck_value
form_same(struct numpy_call *call)
{
    return take_one(call) ? call->args[0] : failed(call);
}

/* -x or ~x. */
static struct ck_value
unary(struct numpy_call *call, enum ck_unary_op op)
{
    return ck_unary_value(call->fn, op, &call->args[0], call->syntax->span);
}

static struct ck_value
form_negative(struct numpy_call *call)
{
    return take_one(call) ? unary(call, CK_OP_NEG) : failed(call);
}

static struct ck_value
form_invert(struct numpy_call *call)
{
    if (!take_one(call))
        return failed(call);
    if (call->args[0].type->kind != CK_TYPE_BOOL)
        return unary(call, CK_OP_INVERT);
    struct ck_value yes = ck_value_bool(call->fn, true, call->syntax->span);
    return ck_check_binary(call->fn, CK_OP_XOR, call->args[0], yes, call->syntax->span);
}

static struct ck_value
form_square(struct numpy_call *call)
{
    struct ck_fn *fn = call->fn;
    struct ck_texpr *let;
    if (!take_one(call))
        return failed(call);
    const struct ck_type *type = call->args[0].type;
    struct ck_value x = ck_name_once(fn, call->args[0], &let);
    struct ck_value square = ck_check_binary(fn, CK_OP_MUL, x, x, call->syntax->span);
    if (square.kind == CK_VALUE_ERROR || ck_type_is_weak(type))
        return square;
    square.expr = ck_let_in(let, square.expr);
    return as_result(fn, square, type);
}

/* --- Comparisons and conditions ------------------------------------------------------------------
 */

/* Integers are compared exactly, of whatever types and however large a literal: as int64 it is
 * compared with any type. */
static struct ck_value
form_comparison(struct numpy_call *call)
{
    struct ck_fn *fn = call->fn;
    struct ck_texpr *lets[2];
    const struct ck_type *type = operand_type(call, 2);
    bool whole = true;
    if (!type)
        return failed(call);
    for (int i = 0; i < 2; i++) {
        whole = whole && ck_type_is_whole(call->args[i].type);
    }
    for (int i = 0; i < 2; i++) {
        const struct ck_type *mine = call->args[i].type;
        const struct ck_type *held = ck_storage_type(&fn->c->types, mine);
        if (!convert(fn, &call->args[i], whole ? held : type))
            return failed(call);
        call->args[i] = ck_name_once(fn, call->args[i], &lets[i]);
    }
    struct ck_texpr *test = ck_compare_values(fn, (enum ck_compare_op)call->row->what,
                                              &call->args[0], &call->args[1], call->syntax->span);
    if (!test)
        return failed(call);
    return ck_value_run(test->type, ck_let_in(lets[0], ck_let_in(lets[1], test)));
}

static struct ck_value
truth_value(struct ck_fn *fn, const struct ck_value *value)
{
    return ck_value_run(ck_type_scalar(CK_TYPE_BOOL), ck_truth(fn, value));
}

/* Both are evaluated, unlike `and` and `or`. */
static struct ck_value
form_logical(struct numpy_call *call)
{
    return ck_check_binary(call->fn, (enum ck_binary_op)call->row->what,
                           truth_value(call->fn, &call->args[0]),
                           truth_value(call->fn, &call->args[1]), call->syntax->span);
}

static struct ck_value
form_logical_not(struct numpy_call *call)
{
    struct ck_value yes = ck_value_bool(call->fn, true, call->syntax->span);
    return ck_check_binary(call->fn, CK_OP_XOR, truth_value(call->fn, &call->args[0]), yes,
                           call->syntax->span);
}

/* --- Built-ins -----------------------------------------------------------------------------------
 */

static struct ck_value
call_builtin(const struct numpy_call *call, enum ck_builtin_id id, struct ck_value *args, int n)
{
    struct ck_call builtin = {
        .fn = call->fn, .id = id, .syntax = call->syntax, .args = args, .n_args = n};
    return ck_call_rule(&builtin);
}

/* A built-in of arguments of one type, which a number that it gives has too. */
static struct ck_value
form_function(struct numpy_call *call)
{
    int n = call->n_params;
    enum ck_builtin_id id = (enum ck_builtin_id)call->row->what;
    const struct ck_type *type = operand_type(call, n);
    if (!type)
        return failed(call);
    if (all_literals(call, n))
        return call_builtin(call, id, call->args, n);
    if (n == 2)
        warn_float64(call, type, CK_OP_ADD);
    if (!take_operands(call, n))
        return failed(call);
    struct ck_value value = call_builtin(call, id, call->args, n);
    bool number = value.kind == CK_VALUE_RUN && ck_type_is_scalar(value.type);
    return number ? as_result(call->fn, value, type) : value;
}

/* A bound beyond the values of the type bounds nothing: the type's own does the same. */
static void
bound_literal(struct numpy_call *call, int i, const struct ck_type *type)
{
    struct ck_value *bound = &call->args[i];
    int64_t n;
    if (!ck_type_is_int(type) || !ck_type_is_weak(bound->type) || !ck_value_const_int(bound, &n))
        return;
    int64_t low, high;
    ck_int_range(type, &low, &high);
    if ((i == 1 && n < low) || (i == 2 && n > high))
        *bound = ck_value_int(call->fn, i == 1 ? low : high, bound->span);
}

static struct ck_value
form_clip(struct numpy_call *call)
{
    const struct ck_type *type = operand_type(call, 3);
    if (!type)
        return failed(call);
    bound_literal(call, 1, type);
    bound_literal(call, 2, type);
    if (!take_operands(call, 3))
        return failed(call);
    struct ck_value args[2] = {call_builtin(call, CK_BUILTIN_MAXIMUM, call->args, 2)};
    args[0] = as_result(call->fn, args[0], type);
    args[1] = call->args[2];
    return as_result(call->fn, call_builtin(call, CK_BUILTIN_MINIMUM, args, 2), type);
}

static struct ck_value
form_absolute(struct numpy_call *call)
{
    if (!take_one(call) || call->args[0].type->kind == CK_TYPE_BOOL)
        return call->args[0];
    const struct ck_type *type = call->args[0].type;
    struct ck_value value = call_builtin(call, CK_BUILTIN_ABS, call->args, 1);
    bool keeps = !ck_type_is_weak(type) && !ck_type_is_complex(type);
    return keeps ? as_result(call->fn, value, type) : value;
}

/* floor, ceil and trunc, which leave integers as they are. */
static struct ck_value
form_whole(struct numpy_call *call)
{
    if (!take_one(call))
        return failed(call);
    if (!ck_type_is_float(call->args[0].type))
        return call->args[0];
    return call_builtin(call, (enum ck_builtin_id)call->row->what, call->args, 1);
}

/* Python's floor, ceil and trunc: of literals an integer literal, as the module of a Numba kernel
 * computes it (BLOCKS = math.ceil(100 / 32)); in kernels the float that Numba's CUDA target gives.
 */
static struct ck_value
form_whole_number(struct numpy_call *call)
{
    struct ck_fn *fn = call->fn;
    if (!operand_type(call, 1))
        return failed(call);
    struct ck_value arg = call->args[0];
    struct ck_value value = call_builtin(call, (enum ck_builtin_id)call->row->what, &arg, 1);
    if (value.kind == CK_VALUE_ERROR || value.expr->kind != CK_T_CONST ||
        !ck_type_is_weak(arg.type))
        return value;
    double number = value.expr->constant.f;
    if (arg.type->kind == CK_TYPE_WEAK_INT)
        return arg;
    if (number >= -0x1p63 && number < 0x1p63)
        return ck_value_int(fn, (int64_t)number, call->syntax->span);
    ck_error(fn, LITERAL_FIT, arg.span, ck_arena_printf(fn->c->arena, "%g", number), "int64");
    return failed(call);
}

/* isnan and the like: of a complex number's parts. */
static struct ck_value
form_float_class(struct numpy_call *call)
{
    struct ck_fn *fn = call->fn;
    struct ck_span span = call->syntax->span;
    enum ck_builtin_id id = (enum ck_builtin_id)call->row->what;
    struct ck_texpr *let;
    if (!ck_type_is_complex(call->args[0].type))
        return call_builtin(call, id, call->args, 1);
    struct ck_value x = ck_name_once(fn, call->args[0], &let), parts[2];
    for (int i = 0; i < 2; i++) {
        struct ck_texpr *part = ck_complex_part(fn, x.expr, i);
        parts[i] = ck_value_run(part->type, part);
        parts[i] = call_builtin(call, id, &parts[i], 1);
    }
    struct ck_value value = ck_check_binary(fn, id == CK_BUILTIN_ISFINITE ? CK_OP_AND : CK_OP_OR,
                                            parts[0], parts[1], span);
    return ck_value_run(value.type, ck_let_in(let, value.expr));
}

static struct ck_value
form_ldexp(struct numpy_call *call)
{
    return take_one(call) ? call_builtin(call, CK_BUILTIN_LDEXP, call->args, 2) : failed(call);
}

static struct ck_value
form_where(struct numpy_call *call)
{
    struct ck_fn *fn = call->fn;
    const struct ck_type *type = common_type(fn, &call->args[1], 2);
    struct ck_value test = truth_value(fn, &call->args[0]);
    if (!convert(fn, &call->args[1], type) || !convert(fn, &call->args[2], type))
        return failed(call);
    if (ck_type_is_complex(type)) {
        struct ck_texpr *select = ck_select_expr(fn, test.expr, call->args[1].expr,
                                                 call->args[2].expr, call->syntax->span);
        return ck_value_run(type, select);
    }
    call->args[0] = test;
    return call_builtin(call, CK_BUILTIN_SELP, call->args, 3);
}

/* --- Functions of the prelude --------------------------------------------------------------------
 */

/* The prelude's function `np_NAME`, `math_NAME` or `name`. */
static struct ck_value
call_prelude(const struct numpy_call *call, const char *name, const struct ck_value *args, int n)
{
    struct ck_fn *fn = call->fn;
    if (fn->constant_only) {
        ck_error(fn, NOT_CONSTANT, call->syntax->span);
        return failed(call);
    }
    return ck_call_instance(fn, ck_prelude_function(fn->c, name), args, n, call->syntax->span);
}

static const char *
prelude_name(const struct numpy_call *call)
{
    const char *path = call->row->path;
    int module = (int)strcspn(path, ".");
    return ck_arena_printf(call->fn->c->arena, "%.*s_%s", module, path, path + module + 1);
}

/* What gives a bool, or has a type of its own. */
static struct ck_value
form_test(struct numpy_call *call)
{
    if (!take_operands(call, call->n_params))
        return failed(call);
    return call_prelude(call, prelude_name(call), call->args, call->n_params);
}

/* What gives its arguments' type. The halves of WIDE_FLOAT are computed in float32. */
static struct ck_value
form_prelude(struct numpy_call *call)
{
    struct ck_fn *fn = call->fn;
    int n = call->n_params;
    const struct ck_type *type = operand_type(call, n);
    if (!type)
        return failed(call);
    if (n == 2)
        warn_float64(call, type, CK_OP_ADD);
    bool widens = call->row->typing == &WIDE_FLOAT && ck_type_bits(type) == 16;
    const struct ck_type *held = widens ? ck_type_scalar(CK_TYPE_FLOAT32) : type;
    for (int i = 0; i < n; i++) {
        if (!convert(fn, &call->args[i], type) || !convert(fn, &call->args[i], held))
            return failed(call);
    }
    return as_result(fn, call_prelude(call, prelude_name(call), call->args, n), type);
}

static struct ck_value
form_reciprocal(struct numpy_call *call)
{
    struct ck_fn *fn = call->fn;
    struct ck_span span = call->syntax->span;
    const struct ck_type *type = take_operands(call, 1);
    if (!type)
        return failed(call);
    if (ck_type_is_int(type))
        return as_result(fn, call_prelude(call, "np_reciprocal", call->args, 1), type);
    struct ck_value one = ck_value_int(fn, 1, span);
    return as_result(fn, ck_check_binary(fn, CK_OP_DIV, one, call->args[0], span), type);
}

static struct ck_value
form_fmod(struct numpy_call *call)
{
    if (all_literals(call, 2))
        return form_function(call);
    const struct ck_type *type = operand_type(call, 2);
    return type && ck_type_is_int(type) ? form_prelude(call) : form_function(call);
}

/* gcd and lcm, of the magnitudes in an unsigned type that holds them. */
static struct ck_value
form_divisor(struct numpy_call *call)
{
    struct ck_fn *fn = call->fn;
    const struct ck_type *type = take_operands(call, 2);
    if (!type)
        return failed(call);
    bool wide = ck_type_bits(type) == 64;
    const struct ck_type *magnitude = ck_type_scalar(wide ? CK_TYPE_UINT64 : CK_TYPE_UINT32);
    for (int i = 0; i < 2 && ck_type_is_signed(type); i++) {
        convert(fn, &call->args[i], ck_type_scalar(wide ? CK_TYPE_INT64 : CK_TYPE_INT32));
        call->args[i] = call_builtin(call, CK_BUILTIN_ABS, &call->args[i], 1);
    }
    for (int i = 0; i < 2; i++)
        convert(fn, &call->args[i], magnitude);
    bool multiple = strcmp(strchr(call->row->path, '.'), ".lcm") == 0;
    const char *name = multiple ? "np_lcm" : "np_gcd";
    return as_result(fn, call_prelude(call, name, call->args, 2), type);
}

/* --- Rounding and closeness ----------------------------------------------------------------------
 */

/* Integers with fewer decimals than none: rounded as float64. */
static struct ck_value
round_integer(struct numpy_call *call, const struct ck_type *type)
{
    struct ck_fn *fn = call->fn;
    struct ck_value args[2] = {call->args[0], call->args[1]};
    convert(fn, &args[0], ck_type_scalar(CK_TYPE_FLOAT64));
    return as_result(fn, call_prelude(call, "np_round", args, 2), type);
}

static struct ck_value
form_round(struct numpy_call *call)
{
    struct ck_fn *fn = call->fn;
    struct ck_value *decimals = &call->args[1];
    int64_t n = 0;
    if (decimals->kind == CK_VALUE_RUN && !ck_type_is_int(decimals->type)) {
        ck_error(fn, WRONG_TYPE, decimals->span,
                 ck_arena_printf(fn->c->arena, "`%s` takes an integer as the number of decimals",
                                 call->row->path));
        return failed(call);
    }
    if (!take_one(call))
        return failed(call);
    struct ck_value *x = &call->args[0];
    if (x->type->kind == CK_TYPE_BOOL)
        convert(fn, x, ck_type_scalar(CK_TYPE_FLOAT16));
    bool known = decimals->kind == CK_VALUE_NONE || ck_value_const_int(decimals, &n);
    bool floating = ck_type_is_float(x->type);
    if (known && n >= 0 && !floating)
        return *x;
    if (known && n == 0)
        return call_builtin(call, CK_BUILTIN_RINT, x, 1);
    const struct ck_type *type = ck_storage_type(&fn->c->types, x->type);
    if (!convert(fn, x, type) || !convert(fn, decimals, ck_type_scalar(CK_TYPE_INT64)))
        return failed(call);
    if (floating)
        return as_result(fn, call_prelude(call, "np_round", call->args, 2), type);
    if (known)
        return round_integer(call, type);
    ck_error(fn, NOT_CONSTANT, decimals->span);
    return failed(call);
}

/* NumPy takes the second argument as a float. */
static struct ck_value
form_isclose(struct numpy_call *call)
{
    struct ck_fn *fn = call->fn;
    bool python = call->row->typing == &MATH;
    const double tolerances[2] = {python ? 1e-9 : 1e-5, python ? 0 : 1e-8};
    struct ck_span span = call->syntax->span;
    if (!python && ck_type_is_int(call->args[1].type) && !ck_type_is_weak(call->args[1].type))
        convert(fn, &call->args[1], ck_type_scalar(CK_TYPE_FLOAT64));
    const struct ck_type *type = operand_type(call, 2);
    if (type && !ck_type_is_float(type))
        type = ck_type_scalar(CK_TYPE_FLOAT64);
    for (int i = 0; i < 4; i++) {
        struct ck_value *arg = &call->args[i];
        if (arg->kind == CK_VALUE_NONE)
            *arg = ck_value_run(
                ck_type_scalar(CK_TYPE_WEAK_FLOAT),
                ck_const_float(fn, ck_type_scalar(CK_TYPE_FLOAT64), tolerances[i - 2], span));
        if (type && ck_type_is_complex(arg->type))
            return wrong_argument(call, arg);
        if (!type || !convert(fn, arg, type))
            return failed(call);
    }
    if (python)
        return call_prelude(call, "math_isclose", call->args, 4);
    call->args[4] = call->args[4].kind == CK_VALUE_NONE ? ck_value_bool(fn, false, span)
                                                        : truth_value(fn, &call->args[4]);
    return call_prelude(call, "np_isclose", call->args, 5);
}

/* --- The table -----------------------------------------------------------------------------------
 */

static const struct ck_numpy rows[] = {
#define CK_NUMPY(path, params, typing, form, what, doc)                                            \
    {(path), (params), &(typing), form_##form, (what)},
#include "lang/check/builtins/numpy.def"
#undef CK_NUMPY
};

const struct ck_numpy *
ck_numpy_find(const char *path)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].path, path) == 0)
            return &rows[i];
    }
    return NULL;
}

const char *
ck_numpy_path(struct ck_fn *fn, const char *name)
{
    static const char *const modules[] = {"np", "math"};
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
        const char *path = ck_arena_printf(fn->c->arena, "%s.%s", modules[i], name);
        if (ck_numpy_find(path))
            return path;
    }
    return NULL;
}

void
ck_add_numpy_names(struct ck_names *names, const char *module)
{
    size_t n = strlen(module);
    for (size_t i = 0; n && i < sizeof rows / sizeof *rows; i++) {
        const char *path = rows[i].path;
        if (strncmp(path, module, n) == 0 && path[n] == '.')
            CK_PUSH(names->arena, names->items, names->n, names->capacity, path + n + 1);
    }
}

const char *
ck_numpy_module(const char *name)
{
    if (strcmp(name, "np") == 0 || strcmp(name, "numpy") == 0)
        return "np";
    return strcmp(name, "math") == 0 ? "math" : "";
}

const char *
ck_numpy_rest(const char *path)
{
    static const char *const modules[] = {"np", "math"};
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
        size_t length = strlen(modules[i]);
        if (strncmp(path, modules[i], length) == 0 && path[length] == '.')
            return path + length + 1;
    }
    return NULL;
}

/* --- Calls ---------------------------------------------------------------------------------------
 */

/* The number of the parameter called `name`, or -1; the parameters' number without a name. *least:
 * how many cannot be left out. */
static int
find_param(const char *params, const char *name, int *least)
{
    int n = 0, optional = -1;
    for (const char *at = params; *at;) {
        size_t length = strcspn(at += strspn(at, " ["), " []");
        if (length && at > params && at[-1] == '[' && optional < 0)
            optional = n;
        if (name && length && strlen(name) == length && memcmp(at, name, length) == 0)
            return n;
        n += length > 0;
        at += length + strspn(at + length, "]");
    }
    if (least)
        *least = optional < 0 ? n : optional;
    return name ? -1 : n;
}

static bool
wrong_count(const struct numpy_call *call, int least)
{
    struct ck_arena *arena = call->fn->c->arena;
    int most = call->n_params;
    const char *text = least == most
                           ? ck_arena_printf(arena, "%d argument%s", most, most == 1 ? "" : "s")
                           : ck_arena_printf(arena, "%d to %d arguments", least, most);
    ck_error(call->fn, WRONG_COUNT, call->syntax->span, call->row->path, text,
             call->syntax->call.n_args);
    return false;
}

/* The parameter that argument i of the call is for; -1 after an error. */
static int
place_of(const struct numpy_call *call, int i)
{
    struct ck_fn *fn = call->fn;
    const struct ck_argument *arg = &call->syntax->call.args[i];
    int place = arg->name ? find_param(call->row->params, arg->name, NULL) : i;
    if (place < 0) {
        ck_error(fn, KEYWORD, arg->name_span, arg->name, call->row->path);
    } else if (call->args[place].kind != CK_VALUE_NONE) {
        ck_error(fn, WRONG_TYPE, arg->name_span,
                 ck_arena_printf(fn->c->arena, "`%s` is given twice", arg->name));
        place = -1;
    }
    return place;
}

/* An argument must be a number. The help shows the call of an array's element. */
static bool
is_number(const struct numpy_call *call, const struct ck_value *value)
{
    struct ck_fn *fn = call->fn;
    if (value->kind == CK_VALUE_ERROR)
        return false;
    if (ck_type_is_scalar(value->type))
        return true;
    struct ck_diag *diag = ck_error(fn, WRONG_TYPE, value->span,
                                    ck_arena_printf(fn->c->arena, "`%s` takes numbers, not %s",
                                                    call->row->path, ck_text_of(fn, value->type)));
    if (ck_type_is_array(value->type))
        ck_diag_help(fn->c->diags, diag, "call it for each element, in a loop: `%s[i]`",
                     ck_diag_text(fn->c->diags, value->span));
    return false;
}

static bool
take_arguments(struct numpy_call *call)
{
    int n = call->syntax->call.n_args, least;
    call->n_params = find_param(call->row->params, NULL, &least);
    for (int i = 0; i < MAX_PARAMS; i++)
        call->args[i] = (struct ck_value){.kind = CK_VALUE_NONE};
    if (n < least || n > call->n_params)
        return wrong_count(call, least);
    bool good = true;
    for (int i = 0; i < n; i++) {
        int place = place_of(call, i);
        struct ck_value value = ck_check_run(call->fn, call->syntax->call.args[i].value);
        good = is_number(call, &value) && place >= 0 && good;
        if (place >= 0)
            call->args[place] = value;
    }
    for (int i = 0; good && i < least; i++) {
        if (call->args[i].kind == CK_VALUE_NONE)
            return wrong_count(call, least);
    }
    return good;
}

struct ck_value
ck_check_numpy(struct ck_fn *fn, const struct ck_numpy *row, const struct ck_expr *expr)
{
    struct numpy_call call = {.fn = fn, .row = row, .syntax = expr};
    if (!take_arguments(&call))
        return ck_value_error(expr->span);
    struct ck_value value = row->form(&call);
    if (fn->constant_only && value.kind == CK_VALUE_RUN && !ck_is_constant(value.expr)) {
        ck_error(fn, NOT_CONSTANT, expr->span);
        return ck_value_error(expr->span);
    }
    return value;
}
