/* Names of NumPy and of Python's `math` whose meaning differs from the bare names': the rows of
 * numpy.def, the types they compute in, and how they are expanded.
 *
 * Arguments are converted explicitly to the type in which NumPy 2 computes, and the result is cast
 * to NumPy's result type, since the operators of the language have other types. A literal takes the
 * other arguments' type, as a Python scalar does (NEP 50). A function of literals alone is a
 * literal where the language's own operator or function is. */
#include <math.h>
#include <string.h>

#include "lang/check/builtins/const_array.h"
#include "lang/check/builtins/numpy.h"
#include "lang/check/date.h"

/* --- Types ---------------------------------------------------------------------------------------
 */

static const struct ck_numpy_typing NUMBERS = {CK_NUMPY_AS_IT_IS, CK_NUMPY_AS_IT_IS,
                                               CK_NUMPY_AS_IT_IS, CK_NUMPY_AS_IT_IS, "numbers"};
static const struct ck_numpy_typing NO_BOOLS = {CK_NUMPY_REFUSED, CK_NUMPY_AS_IT_IS,
                                                CK_NUMPY_AS_IT_IS, CK_NUMPY_AS_IT_IS,
                                                "numbers other than bools"};
static const struct ck_numpy_typing POWERS = {CK_NUMPY_AS_INT8, CK_NUMPY_AS_IT_IS,
                                              CK_NUMPY_AS_IT_IS, CK_NUMPY_AS_IT_IS, "numbers"};
static const struct ck_numpy_typing QUOTIENT = {CK_NUMPY_AS_FLOAT64, CK_NUMPY_AS_FLOAT64,
                                                CK_NUMPY_AS_IT_IS, CK_NUMPY_AS_IT_IS, "numbers"};
static const struct ck_numpy_typing DOUBLE = {CK_NUMPY_AS_FLOAT64, CK_NUMPY_AS_FLOAT64,
                                              CK_NUMPY_AS_FLOAT64, CK_NUMPY_AS_FLOAT64, "numbers"};
static const struct ck_numpy_typing ORDERED = {CK_NUMPY_AS_IT_IS, CK_NUMPY_AS_IT_IS,
                                               CK_NUMPY_AS_IT_IS, CK_NUMPY_REFUSED, "real numbers"};
static const struct ck_numpy_typing REAL = {CK_NUMPY_AS_INT8, CK_NUMPY_AS_IT_IS, CK_NUMPY_AS_IT_IS,
                                            CK_NUMPY_REFUSED, "real numbers"};
static const struct ck_numpy_typing NO_BOOL_REAL = {CK_NUMPY_REFUSED, CK_NUMPY_AS_IT_IS,
                                                    CK_NUMPY_AS_IT_IS, CK_NUMPY_REFUSED,
                                                    "real numbers other than bools"};
static const struct ck_numpy_typing FLOAT = {CK_NUMPY_AS_FLOAT, CK_NUMPY_AS_FLOAT,
                                             CK_NUMPY_AS_IT_IS, CK_NUMPY_REFUSED, "real numbers"};
static const struct ck_numpy_typing FLOAT_OR_COMPLEX = {
    CK_NUMPY_AS_FLOAT, CK_NUMPY_AS_FLOAT, CK_NUMPY_AS_IT_IS, CK_NUMPY_AS_IT_IS, "numbers"};
/* Computed in float32 at least. */
static const struct ck_numpy_typing WIDE_FLOAT = {
    CK_NUMPY_AS_FLOAT, CK_NUMPY_AS_FLOAT, CK_NUMPY_AS_WIDE, CK_NUMPY_REFUSED, "real numbers"};
static const struct ck_numpy_typing BITS = {CK_NUMPY_AS_IT_IS, CK_NUMPY_AS_IT_IS, CK_NUMPY_REFUSED,
                                            CK_NUMPY_REFUSED, "integers"};
static const struct ck_numpy_typing INTEGERS = {CK_NUMPY_AS_INT8, CK_NUMPY_AS_IT_IS,
                                                CK_NUMPY_REFUSED, CK_NUMPY_REFUSED, "integers"};
static const struct ck_numpy_typing NO_BOOL_INTEGERS = {CK_NUMPY_REFUSED, CK_NUMPY_AS_IT_IS,
                                                        CK_NUMPY_REFUSED, CK_NUMPY_REFUSED,
                                                        "integers other than bools"};
/* Python's functions take integers as float64, and integers do not widen a float. */
static const struct ck_numpy_typing MATH = {CK_NUMPY_AS_FLOAT64, CK_NUMPY_AS_FLOAT64,
                                            CK_NUMPY_AS_IT_IS,   CK_NUMPY_REFUSED,
                                            "real numbers",      true};

/* Arrays and not their elements: the form has the types. */
static const struct ck_numpy_typing ARRAYS = {CK_NUMPY_REFUSED, CK_NUMPY_REFUSED, CK_NUMPY_REFUSED,
                                              CK_NUMPY_REFUSED, "arrays"};

/* --- Operators -----------------------------------------------------------------------------------
 */

static struct ck_value
form_operator(struct ck_numpy_call *call)
{
    struct ck_fn *fn = call->fn;
    struct ck_span span = call->syntax->span;
    enum ck_binary_op op = (enum ck_binary_op)call->row->what;
    if (ck_numpy_all_literals(call, 2) && ck_numpy_operand_type(call, 2))
        return ck_check_binary(fn, op, call->args[0], call->args[1], span);
    const struct ck_type *type = ck_numpy_operand_type(call, 2);
    if (!type)
        return ck_numpy_failed(call);
    ck_numpy_warn_float64(call, type, op);
    if (!ck_numpy_take_operands(call, 2))
        return ck_numpy_failed(call);
    if (type->kind == CK_TYPE_BOOL && (op == CK_OP_ADD || op == CK_OP_MUL))
        op = op == CK_OP_ADD ? CK_OP_OR : CK_OP_AND;
    return ck_numpy_as_result(fn, ck_check_binary(fn, op, call->args[0], call->args[1], span),
                              type);
}

/* np.power, np.float_power and math.pow. A constant exponent is expanded into multiplications, as
 * for `**`. */
static struct ck_value
form_power(struct ck_numpy_call *call)
{
    struct ck_fn *fn = call->fn;
    struct ck_span span = call->syntax->span;
    const struct ck_type *type = ck_numpy_operand_type(call, 2);
    int64_t n;
    if (!type)
        return ck_numpy_failed(call);
    bool known = ck_value_const_int(&call->args[1], &n);
    if (known && n < 0 && ck_type_is_int(type)) {
        struct ck_diag *diag =
            ck_error(fn, WRONG_TYPE, call->args[1].span,
                     ck_arena_printf(fn->c->arena, "`%s` of integers takes no negative exponent",
                                     call->row->path));
        ck_diag_help(fn->c->diags, diag, "cast the base to a float: float64(%s)",
                     ck_diag_text(fn->c->diags, call->args[0].span));
        return ck_numpy_failed(call);
    }
    if (ck_numpy_all_literals(call, 2)) {
        bool makes_float = call->row->typing != &POWERS;
        if (makes_float && call->args[0].type->kind == CK_TYPE_WEAK_INT &&
            call->args[0].expr->kind == CK_T_CONST)
            call->args[0] = ck_value_run(ck_type_scalar(CK_TYPE_WEAK_FLOAT),
                                         ck_cast(fn, call->args[0].expr, type));
        return ck_check_binary(fn, CK_OP_POW, call->args[0], call->args[1], span);
    }
    ck_numpy_warn_float64(call, type, CK_OP_POW);
    bool literal = known && ck_type_is_weak(call->args[1].type);
    if (!ck_numpy_convert(fn, &call->args[0], type) ||
        (!literal && !ck_numpy_convert(fn, &call->args[1], type)))
        return ck_numpy_failed(call);
    return ck_numpy_as_result(
        fn, ck_check_binary(fn, CK_OP_POW, call->args[0], call->args[1], span), type);
}

static struct ck_value
form_divmod(struct ck_numpy_call *call)
{
    struct ck_fn *fn = call->fn;
    struct ck_span span = call->syntax->span;
    struct ck_texpr *lets[2];
    const struct ck_type *type = ck_numpy_take_operands(call, 2);
    if (!type)
        return ck_numpy_failed(call);
    struct ck_value left = ck_name_once(fn, call->args[0], &lets[0]);
    struct ck_value right = ck_name_once(fn, call->args[1], &lets[1]);
    struct ck_texpr *tuple = ck_texpr_new(fn, CK_T_TUPLE, NULL, span);
    tuple->type = ck_type_tuple(&fn->c->types, (const struct ck_type *[]){type, type}, 2);
    tuple->tuple.n = 2;
    tuple->tuple.items = CK_NEW_ARRAY(fn->c->arena, struct ck_texpr *, 2);
    for (int i = 0; i < 2; i++) {
        struct ck_value part =
            ck_check_binary(fn, i ? CK_OP_MOD : CK_OP_FLOORDIV, left, right, span);
        tuple->tuple.items[i] = ck_numpy_as_result(fn, part, type).expr;
    }
    return ck_value_run(tuple->type, ck_let_in(lets[0], ck_let_in(lets[1], tuple)));
}

/* The argument converted to the type in which it is computed; a literal stays a literal. */
static bool
take_one(struct ck_numpy_call *call)
{
    if (ck_type_is_weak(call->args[0].type))
        return ck_numpy_operand_type(call, 1) != NULL;
    return ck_numpy_take_operands(call, 1) != NULL;
}

static struct ck_value
form_same(struct ck_numpy_call *call)
{
    return take_one(call) ? call->args[0] : ck_numpy_failed(call);
}

/* -x or ~x. */
static struct ck_value
unary(struct ck_numpy_call *call, enum ck_unary_op op)
{
    return ck_unary_value(call->fn, op, &call->args[0], call->syntax->span);
}

static struct ck_value
form_negative(struct ck_numpy_call *call)
{
    return take_one(call) ? unary(call, CK_OP_NEG) : ck_numpy_failed(call);
}

static struct ck_value
form_invert(struct ck_numpy_call *call)
{
    if (!take_one(call))
        return ck_numpy_failed(call);
    if (call->args[0].type->kind != CK_TYPE_BOOL)
        return unary(call, CK_OP_INVERT);
    struct ck_value yes = ck_value_bool(call->fn, true, call->syntax->span);
    return ck_check_binary(call->fn, CK_OP_XOR, call->args[0], yes, call->syntax->span);
}

static struct ck_value
form_square(struct ck_numpy_call *call)
{
    struct ck_fn *fn = call->fn;
    struct ck_texpr *let;
    if (!take_one(call))
        return ck_numpy_failed(call);
    const struct ck_type *type = call->args[0].type;
    struct ck_value x = ck_name_once(fn, call->args[0], &let);
    struct ck_value square = ck_check_binary(fn, CK_OP_MUL, x, x, call->syntax->span);
    if (square.kind == CK_VALUE_ERROR || ck_type_is_weak(type))
        return square;
    square.expr = ck_let_in(let, square.expr);
    return ck_numpy_as_result(fn, square, type);
}

/* --- Comparisons and conditions ------------------------------------------------------------------
 */

/* Integers of any types and literals of any size are compared exactly: a literal of type int64 is
 * compared with any type. */
static struct ck_value
form_comparison(struct ck_numpy_call *call)
{
    struct ck_fn *fn = call->fn;
    struct ck_texpr *lets[2];
    const struct ck_type *type = ck_numpy_operand_type(call, 2);
    bool whole = true;
    if (!type)
        return ck_numpy_failed(call);
    for (int i = 0; i < 2; i++) {
        whole = whole && ck_type_is_whole(call->args[i].type);
    }
    for (int i = 0; i < 2; i++) {
        const struct ck_type *mine = call->args[i].type;
        const struct ck_type *held = ck_storage_type(&fn->c->types, mine);
        if (!ck_numpy_convert(fn, &call->args[i], whole ? held : type))
            return ck_numpy_failed(call);
        call->args[i] = ck_name_once(fn, call->args[i], &lets[i]);
    }
    struct ck_texpr *test = ck_compare_values(fn, (enum ck_compare_op)call->row->what,
                                              &call->args[0], &call->args[1], call->syntax->span);
    if (!test)
        return ck_numpy_failed(call);
    return ck_value_run(test->type, ck_let_in(lets[0], ck_let_in(lets[1], test)));
}

static struct ck_value
truth_value(struct ck_fn *fn, const struct ck_value *value)
{
    return ck_value_run(ck_type_scalar(CK_TYPE_BOOL), ck_truth(fn, value));
}

/* Both are evaluated, unlike `and` and `or`. */
static struct ck_value
form_logical(struct ck_numpy_call *call)
{
    return ck_check_binary(call->fn, (enum ck_binary_op)call->row->what,
                           truth_value(call->fn, &call->args[0]),
                           truth_value(call->fn, &call->args[1]), call->syntax->span);
}

static struct ck_value
form_logical_not(struct ck_numpy_call *call)
{
    struct ck_value yes = ck_value_bool(call->fn, true, call->syntax->span);
    return ck_check_binary(call->fn, CK_OP_XOR, truth_value(call->fn, &call->args[0]), yes,
                           call->syntax->span);
}

/* --- Built-ins -----------------------------------------------------------------------------------
 */

static struct ck_value
call_builtin(const struct ck_numpy_call *call, enum ck_builtin_id id, struct ck_value *args, int n)
{
    struct ck_call builtin = {
        .fn = call->fn, .id = id, .syntax = call->syntax, .args = args, .n_args = n};
    return ck_call_rule(&builtin);
}

/* A built-in of arguments of one type, which is also the type of a result that is a number. */
static struct ck_value
form_function(struct ck_numpy_call *call)
{
    int n = call->n_params;
    enum ck_builtin_id id = (enum ck_builtin_id)call->row->what;
    const struct ck_type *type = ck_numpy_operand_type(call, n);
    if (!type)
        return ck_numpy_failed(call);
    if (ck_type_is_complex(type))
        return ck_cmath_named(call, ck_builtin_path(id));
    if (ck_numpy_all_literals(call, n))
        return call_builtin(call, id, call->args, n);
    if (n == 2)
        ck_numpy_warn_float64(call, type, CK_OP_ADD);
    if (!ck_numpy_take_operands(call, n))
        return ck_numpy_failed(call);
    struct ck_value value = call_builtin(call, id, call->args, n);
    bool number = value.kind == CK_VALUE_RUN && ck_type_is_scalar(value.type);
    return number ? ck_numpy_as_result(call->fn, value, type) : value;
}

/* A bound outside the type's range is replaced by the type's own, which has the same effect. */
static void
bound_literal(struct ck_numpy_call *call, int i, const struct ck_type *type)
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
form_clip(struct ck_numpy_call *call)
{
    const struct ck_type *type = ck_numpy_operand_type(call, 3);
    if (!type)
        return ck_numpy_failed(call);
    bound_literal(call, 1, type);
    bound_literal(call, 2, type);
    if (!ck_numpy_take_operands(call, 3))
        return ck_numpy_failed(call);
    struct ck_value args[2] = {call_builtin(call, CK_BUILTIN_MAXIMUM, call->args, 2)};
    args[0] = ck_numpy_as_result(call->fn, args[0], type);
    args[1] = call->args[2];
    return ck_numpy_as_result(call->fn, call_builtin(call, CK_BUILTIN_MINIMUM, args, 2), type);
}

static struct ck_value
form_absolute(struct ck_numpy_call *call)
{
    if (!take_one(call) || call->args[0].type->kind == CK_TYPE_BOOL)
        return call->args[0];
    const struct ck_type *type = call->args[0].type;
    struct ck_value value = call_builtin(call, CK_BUILTIN_ABS, call->args, 1);
    bool keeps = !ck_type_is_weak(type) && !ck_type_is_complex(type);
    return keeps ? ck_numpy_as_result(call->fn, value, type) : value;
}

/* floor, ceil and trunc, which leave integers as they are. */
static struct ck_value
form_whole(struct ck_numpy_call *call)
{
    if (!take_one(call))
        return ck_numpy_failed(call);
    if (!ck_type_is_float(call->args[0].type))
        return call->args[0];
    return call_builtin(call, (enum ck_builtin_id)call->row->what, call->args, 1);
}

/* Python's floor, ceil and trunc: of literals an integer literal, as the module of a Numba kernel
 * computes it (BLOCKS = math.ceil(100 / 32)); in kernels a float, as in Numba's CUDA target. */
static struct ck_value
form_whole_number(struct ck_numpy_call *call)
{
    struct ck_fn *fn = call->fn;
    if (!ck_numpy_operand_type(call, 1))
        return ck_numpy_failed(call);
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
    return ck_numpy_failed(call);
}

/* isnan and the like; of a complex number, over both parts. */
static struct ck_value
form_float_class(struct ck_numpy_call *call)
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

/* Of a number: of a date see numpy_dates.c. */
static struct ck_value
form_isnat(struct ck_numpy_call *call)
{
    ck_error(call->fn, WRONG_TYPE, call->args[0].span,
             ck_arena_printf(call->fn->c->arena, "`%s` takes a date or a time, not %s",
                             call->row->path, ck_text_of(call->fn, call->args[0].type)));
    return ck_numpy_failed(call);
}

static struct ck_value
form_ldexp(struct ck_numpy_call *call)
{
    return take_one(call) ? call_builtin(call, CK_BUILTIN_LDEXP, call->args, 2)
                          : ck_numpy_failed(call);
}

static struct ck_value
form_where(struct ck_numpy_call *call)
{
    struct ck_fn *fn = call->fn;
    const struct ck_type *type = ck_numpy_common_type(fn, &call->args[1], 2);
    struct ck_value test = truth_value(fn, &call->args[0]);
    if (!ck_numpy_convert(fn, &call->args[1], type) || !ck_numpy_convert(fn, &call->args[2], type))
        return ck_numpy_failed(call);
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
call_prelude(const struct ck_numpy_call *call, const char *name, const struct ck_value *args, int n)
{
    struct ck_fn *fn = call->fn;
    if (fn->constant_only) {
        ck_error(fn, NOT_CONSTANT, call->syntax->span);
        return ck_numpy_failed(call);
    }
    return ck_call_instance(fn, ck_prelude_function(fn->c, name), args, n, call->syntax->span);
}

static const char *
prelude_name(const struct ck_numpy_call *call)
{
    const char *path = call->row->path;
    int module = (int)strcspn(path, ".");
    return ck_arena_printf(call->fn->c->arena, "%.*s_%s", module, path, path + module + 1);
}

/* Functions whose result is a bool, or has a type of its own. */
static struct ck_value
form_test(struct ck_numpy_call *call)
{
    if (!ck_numpy_take_operands(call, call->n_params))
        return ck_numpy_failed(call);
    return call_prelude(call, prelude_name(call), call->args, call->n_params);
}

/* Functions whose result has their arguments' type. WIDE_FLOAT computes 16-bit floats in
 * float32. */
static struct ck_value
form_prelude(struct ck_numpy_call *call)
{
    struct ck_fn *fn = call->fn;
    int n = call->n_params;
    const struct ck_type *type = ck_numpy_operand_type(call, n);
    if (!type)
        return ck_numpy_failed(call);
    if (n == 2)
        ck_numpy_warn_float64(call, type, CK_OP_ADD);
    bool widens = call->row->typing == &WIDE_FLOAT && ck_type_bits(type) == 16;
    const struct ck_type *held = widens ? ck_type_scalar(CK_TYPE_FLOAT32) : type;
    for (int i = 0; i < n; i++) {
        if (!ck_numpy_convert(fn, &call->args[i], type) ||
            !ck_numpy_convert(fn, &call->args[i], held))
            return ck_numpy_failed(call);
    }
    return ck_numpy_as_result(fn, call_prelude(call, prelude_name(call), call->args, n), type);
}

static struct ck_value
form_reciprocal(struct ck_numpy_call *call)
{
    struct ck_fn *fn = call->fn;
    struct ck_span span = call->syntax->span;
    const struct ck_type *type = ck_numpy_take_operands(call, 1);
    if (!type)
        return ck_numpy_failed(call);
    if (ck_type_is_int(type))
        return ck_numpy_as_result(fn, call_prelude(call, "np_reciprocal", call->args, 1), type);
    struct ck_value one = ck_value_int(fn, 1, span);
    return ck_numpy_as_result(fn, ck_check_binary(fn, CK_OP_DIV, one, call->args[0], span), type);
}

static struct ck_value
form_fmod(struct ck_numpy_call *call)
{
    if (ck_numpy_all_literals(call, 2))
        return form_function(call);
    const struct ck_type *type = ck_numpy_operand_type(call, 2);
    return type && ck_type_is_int(type) ? form_prelude(call) : form_function(call);
}

/* gcd and lcm, of the magnitudes in an unsigned type that holds them. */
static struct ck_value
form_divisor(struct ck_numpy_call *call)
{
    struct ck_fn *fn = call->fn;
    const struct ck_type *type = ck_numpy_take_operands(call, 2);
    if (!type)
        return ck_numpy_failed(call);
    bool wide = ck_type_bits(type) == 64;
    const struct ck_type *magnitude = ck_type_scalar(wide ? CK_TYPE_UINT64 : CK_TYPE_UINT32);
    for (int i = 0; i < 2 && ck_type_is_signed(type); i++) {
        ck_numpy_convert(fn, &call->args[i], ck_type_scalar(wide ? CK_TYPE_INT64 : CK_TYPE_INT32));
        call->args[i] = call_builtin(call, CK_BUILTIN_ABS, &call->args[i], 1);
    }
    for (int i = 0; i < 2; i++)
        ck_numpy_convert(fn, &call->args[i], magnitude);
    bool multiple = strcmp(strchr(call->row->path, '.'), ".lcm") == 0;
    const char *name = multiple ? "np_lcm" : "np_gcd";
    return ck_numpy_as_result(fn, call_prelude(call, name, call->args, 2), type);
}

/* --- Rounding and closeness ----------------------------------------------------------------------
 */

/* Integers with a negative number of decimals: rounded as float64. */
static struct ck_value
round_integer(struct ck_numpy_call *call, const struct ck_type *type)
{
    struct ck_fn *fn = call->fn;
    struct ck_value args[2] = {call->args[0], call->args[1]};
    ck_numpy_convert(fn, &args[0], ck_type_scalar(CK_TYPE_FLOAT64));
    return ck_numpy_as_result(fn, call_prelude(call, "np_round", args, 2), type);
}

static struct ck_value
form_round(struct ck_numpy_call *call)
{
    struct ck_fn *fn = call->fn;
    struct ck_value *decimals = &call->args[1];
    int64_t n = 0;
    if (decimals->kind == CK_VALUE_RUN && !ck_type_is_int(decimals->type)) {
        ck_error(fn, WRONG_TYPE, decimals->span,
                 ck_arena_printf(fn->c->arena, "`%s` takes an integer as the number of decimals",
                                 call->row->path));
        return ck_numpy_failed(call);
    }
    if (!take_one(call))
        return ck_numpy_failed(call);
    struct ck_value *x = &call->args[0];
    if (x->type->kind == CK_TYPE_BOOL)
        ck_numpy_convert(fn, x, ck_type_scalar(CK_TYPE_FLOAT16));
    bool known = decimals->kind == CK_VALUE_NONE || ck_value_const_int(decimals, &n);
    bool floating = ck_type_is_float(x->type);
    if (known && n >= 0 && !floating)
        return *x;
    if (known && n == 0)
        return call_builtin(call, CK_BUILTIN_RINT, x, 1);
    const struct ck_type *type = ck_storage_type(&fn->c->types, x->type);
    if (!ck_numpy_convert(fn, x, type) ||
        !ck_numpy_convert(fn, decimals, ck_type_scalar(CK_TYPE_INT64)))
        return ck_numpy_failed(call);
    if (floating)
        return ck_numpy_as_result(fn, call_prelude(call, "np_round", call->args, 2), type);
    if (known)
        return round_integer(call, type);
    ck_error(fn, NOT_CONSTANT, decimals->span);
    return ck_numpy_failed(call);
}

/* NumPy takes the second argument as a float. */
static struct ck_value
form_isclose(struct ck_numpy_call *call)
{
    struct ck_fn *fn = call->fn;
    bool python = call->row->typing->is_python;
    const double tolerances[2] = {python ? 1e-9 : 1e-5, python ? 0 : 1e-8};
    struct ck_span span = call->syntax->span;
    if (!python && ck_type_is_int(call->args[1].type) && !ck_type_is_weak(call->args[1].type))
        ck_numpy_convert(fn, &call->args[1], ck_type_scalar(CK_TYPE_FLOAT64));
    const struct ck_type *type = ck_numpy_operand_type(call, 2);
    if (type && !ck_type_is_float(type))
        type = ck_type_scalar(CK_TYPE_FLOAT64);
    for (int i = 0; i < 4; i++) {
        struct ck_value *arg = &call->args[i];
        if (arg->kind == CK_VALUE_NONE)
            *arg = ck_value_run(
                ck_type_scalar(CK_TYPE_WEAK_FLOAT),
                ck_const_float(fn, ck_type_scalar(CK_TYPE_FLOAT64), tolerances[i - 2], span));
        if (type && ck_type_is_complex(arg->type))
            return ck_numpy_wrong_argument(call, arg);
        if (!type || !ck_numpy_convert(fn, arg, type))
            return ck_numpy_failed(call);
    }
    if (python)
        return call_prelude(call, "math_isclose", call->args, 4);
    call->args[4] = call->args[4].kind == CK_VALUE_NONE ? ck_value_bool(fn, false, span)
                                                        : truth_value(fn, &call->args[4]);
    return call_prelude(call, "np_isclose", call->args, 5);
}

/* --- Whole arrays --------------------------------------------------------------------------------
 */

static struct ck_value
form_whole_array(struct ck_numpy_call *call)
{
    return ck_whole_array_with(call->fn, (enum ck_builtin_id)call->row->what, &call->args[0],
                               &call->args[1], call->n_params - 1);
}

static struct ck_value
form_dot(struct ck_numpy_call *call)
{
    return ck_whole_dot(call->fn, &call->args[0], &call->args[1], call->syntax->span);
}

/* --- Complex numbers -----------------------------------------------------------------------------
 */

static const struct ck_numpy_typing COMPLEX = {CK_NUMPY_AS_IT_IS, CK_NUMPY_AS_IT_IS,
                                               CK_NUMPY_AS_IT_IS, CK_NUMPY_AS_IT_IS, "numbers"};
static const struct ck_numpy_typing POLAR = {CK_NUMPY_AS_IT_IS, CK_NUMPY_AS_IT_IS,
                                             CK_NUMPY_AS_IT_IS, CK_NUMPY_REFUSED, "real numbers"};

#define form_conjugate     ck_complex_conjugate
#define form_part          ck_complex_part_of
#define form_angle         ck_complex_angle
#define form_cmath         ck_cmath_function
#define form_cmath_log     ck_cmath_log
#define form_cmath_rect    ck_cmath_rect
#define form_cmath_isclose ck_cmath_isclose

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
ck_numpy_row_path(const struct ck_numpy *row)
{
    return row->path;
}

bool
ck_numpy_is_elementwise(const struct ck_numpy *row)
{
    return row->typing != &ARRAYS;
}

const char *
ck_numpy_path(struct ck_fn *fn, const char *name)
{
    static const char *const modules[] = {"np", "math", "cmath"};
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
    return strcmp(name, "math") == 0 ? "math" : strcmp(name, "cmath") == 0 ? "cmath" : "";
}

const char *
ck_numpy_rest(const char *path)
{
    static const char *const modules[] = {"np", "math", "cmath"};
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
        size_t length = strlen(modules[i]);
        if (strncmp(path, modules[i], length) == 0 && path[length] == '.')
            return path + length + 1;
    }
    return NULL;
}

/* --- Constant arrays -----------------------------------------------------------------------------
 */

static enum ck_numpy_date_form
date_form(const struct ck_numpy *row)
{
    return row->form == form_operator     ? CK_NUMPY_DATE_OPERATOR
           : row->form == form_comparison ? CK_NUMPY_DATE_COMPARISON
           : row->form == form_where      ? CK_NUMPY_DATE_WHERE
           : row->form == form_clip       ? CK_NUMPY_DATE_CLIP
           : row->form == form_same       ? CK_NUMPY_DATE_SAME
                                          : CK_NUMPY_DATE_FUNCTION;
}

/* The result of a call whose arguments are checked. */
static struct ck_value
apply_form(struct ck_numpy_call *call)
{
    return ck_has_date(call->args, call->n_params) ? ck_numpy_of_dates(call, date_form(call->row))
                                                   : call->row->form(call);
}

struct ck_value
ck_numpy_apply(struct ck_fn *fn, const struct ck_numpy *row, const struct ck_value *args, int n,
               struct ck_span span)
{
    const struct ck_expr syntax = {.kind = CK_EXPR_CALL, .span = span, .call.n_args = n};
    struct ck_numpy_call call = {.fn = fn, .row = row, .syntax = &syntax, .n_params = n};
    memcpy(call.args, args, sizeof *args * (size_t)n);
    return apply_form(&call);
}

static struct ck_value
of_elements(void *context, struct ck_value *args, int n)
{
    struct ck_numpy_call *call = context;
    memcpy(call->args, args, sizeof *args * (size_t)n);
    return apply_form(call);
}

/* A condition has no part in the type of the result, so that an array of conditions becomes one of
 * bools. */
static struct ck_value
of_const_arrays(struct ck_numpy_call *call)
{
    struct ck_fn *fn = call->fn;
    struct ck_numpy_call given = *call;
    struct ck_value *test = &given.args[0];
    const struct ck_value zero = ck_value_int(fn, 0, test->span);
    struct ck_texpr *is_true;
    if (call->row->form == form_where &&
        ck_const_array_compare(fn, CK_CMP_NE, test, &zero, test->span, &is_true)) {
        if (!is_true)
            return ck_numpy_failed(call);
        *test = ck_value_run(is_true->type, is_true);
    }
    return ck_const_elementwise(fn, given.args, given.n_params, of_elements, call,
                                call->syntax->span);
}

/* --- Calls ---------------------------------------------------------------------------------------
 */

/* The index of the parameter called `name`, or -1; the number of parameters without a name. *least:
 * how many are mandatory. */
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
wrong_count(const struct ck_numpy_call *call, int least)
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
place_of(const struct ck_numpy_call *call, int i)
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

/* Checks that an argument of a function of arrays is one. */
static bool
is_array(const struct ck_numpy_call *call, const struct ck_value *value)
{
    struct ck_fn *fn = call->fn;
    if (value->kind == CK_VALUE_ERROR)
        return false;
    if (ck_type_is_array(value->type))
        return true;
    struct ck_diag *diag = ck_error(fn, WRONG_TYPE, value->span,
                                    ck_arena_printf(fn->c->arena, "`%s` takes an array, not %s",
                                                    call->row->path, ck_text_of(fn, value->type)));
    if (call->row->what == CK_BUILTIN_ARRAY_MIN || call->row->what == CK_BUILTIN_ARRAY_MAX)
        ck_diag_help(fn->c->diags, diag, "of numbers: `%s(a, b)`",
                     call->row->what == CK_BUILTIN_ARRAY_MIN ? "min" : "max");
    return false;
}

/* Checks that an argument is a number. The help shows the call with an array's element. */
static bool
is_number(const struct ck_numpy_call *call, const struct ck_value *value)
{
    struct ck_fn *fn = call->fn;
    if (value->kind == CK_VALUE_ERROR)
        return false;
    if (ck_type_is_scalar_or_date(value->type) || ck_computes_const_arrays(fn, value, 1))
        return true;
    struct ck_diag *diag = ck_error(fn, WRONG_TYPE, value->span,
                                    ck_arena_printf(fn->c->arena, "`%s` takes numbers, not %s",
                                                    call->row->path, ck_text_of(fn, value->type)));
    if (ck_type_is_array(value->type))
        ck_diag_help(fn->c->diags, diag, "call it for each element, in a loop: `%s[i]`",
                     ck_diag_text(fn->c->diags, value->span));
    return false;
}

/* Whether an argument of a function of whole arrays is not one, as an axis. */
static bool
takes_further(const struct ck_numpy_call *call, int place)
{
    return call->row->form == form_whole_array && place > 0;
}

static bool
take_arguments(struct ck_numpy_call *call)
{
    int n = call->syntax->call.n_args, least;
    call->n_params = find_param(call->row->params, NULL, &least);
    for (int i = 0; i < CK_NUMPY_MAX_PARAMS; i++)
        call->args[i] = (struct ck_value){.kind = CK_VALUE_NONE};
    if (n < least || n > call->n_params)
        return wrong_count(call, least);
    bool good = true;
    for (int i = 0; i < n; i++) {
        int place = place_of(call, i);
        const struct ck_expr *arg = call->syntax->call.args[i].value;
        bool is_further = takes_further(call, place);
        struct ck_value value =
            is_further ? ck_check_expr(call->fn, arg) : ck_check_run(call->fn, arg);
        bool is_right = is_further                     ? value.kind != CK_VALUE_ERROR
                        : call->row->typing == &ARRAYS ? is_array(call, &value)
                                                       : is_number(call, &value);
        good = is_right && place >= 0 && good;
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
    struct ck_numpy_call call = {.fn = fn, .row = row, .syntax = expr};
    if (!take_arguments(&call))
        return ck_value_error(expr->span);
    if (row->typing != &ARRAYS && ck_computes_const_arrays(fn, call.args, call.n_params))
        return of_const_arrays(&call);
    struct ck_value value = apply_form(&call);
    if (fn->constant_only && value.kind == CK_VALUE_RUN && !ck_is_constant(value.expr)) {
        ck_error(fn, NOT_CONSTANT, expr->span);
        return ck_value_error(expr->span);
    }
    return value;
}
