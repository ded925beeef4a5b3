/* Checking calls of built-ins: one function for each typing rule of builtins.def. */
#include <string.h>

#include "lang/check/builtins/const_array.h"
#include "lang/check/date.h"
#include "lang/check/element.h"
#include "lang/check/foreign_names.h"
#include "lang/check/inner.h"
#include "lang/check/untyped.h"

/* --- What rules share ----------------------------------------------------------------------------
 */

/* Whether threads or blocks may have different results, whatever the operands. */
static bool
reads_position(enum ck_uniformity uniformity)
{
    return uniformity != CK_UNIFORMITY_UNIFORM && uniformity != CK_UNIFORMITY_OPERANDS &&
           uniformity != CK_UNIFORMITY_VALUE && uniformity != CK_UNIFORMITY_NONE &&
           uniformity != CK_UNIFORMITY_FOLDED;
}

struct ck_texpr *
ck_lowered(const struct ck_call *call, const struct ck_type *type)
{
    struct ck_texpr *expr = ck_texpr_new(call->fn, CK_T_BUILTIN, type, call->syntax->span);
    expr->builtin.id = call->id;
    if (call->fn->out && reads_position(ck_builtin_uniformity(call->id)))
        call->fn->out->effects |= CK_EFFECT_READS_POSITION;
    return expr;
}

void
ck_lowered_arg(const struct ck_call *call, struct ck_texpr *expr, struct ck_texpr *arg)
{
    struct ck_texpr **args =
        CK_NEW_ARRAY(call->fn->c->arena, struct ck_texpr *, expr->builtin.n_args + 1);
    for (int i = 0; i < expr->builtin.n_args; i++)
        args[i] = expr->builtin.args[i];
    args[expr->builtin.n_args++] = arg;
    expr->builtin.args = args;
}

struct ck_value
ck_lowered_none(const struct ck_call *call, struct ck_texpr *expr)
{
    return (struct ck_value){.kind = CK_VALUE_NONE, .expr = expr, .span = call->syntax->span};
}

/* How to go on with a complex number that a built-in does not take. */
static void
help_complex(const struct ck_call *call, struct ck_diag *diag)
{
    struct ck_fn *fn = call->fn;
    const char *path = ck_arena_printf(fn->c->arena, "cmath.%s", ck_builtin_path(call->id));
    if (ck_numpy_find(path))
        ck_diag_help(fn->c->diags, diag, "`%s` takes complex numbers", path);
    else
        ck_help_real(fn, diag);
}

struct ck_value
ck_wrong_type(const struct ck_call *call, int arg, const char *wanted)
{
    const struct ck_value *value = &call->args[arg];
    if (value->kind == CK_VALUE_ERROR)
        return ck_value_error(call->syntax->span);
    struct ck_diag *diag = ck_error(
        call->fn, WRONG_TYPE, value->span,
        ck_arena_printf(call->fn->c->arena, "`%s` takes %s, not %s", ck_builtin_name(call->id),
                        wanted, value->type ? ck_text_of(call->fn, value->type) : "this"));
    if (value->kind == CK_VALUE_RUN && ck_type_is_complex(value->type))
        help_complex(call, diag);
    ck_help_date(call->fn, diag, value, ck_type_scalar(CK_TYPE_INT64));
    return ck_value_error(call->syntax->span);
}

bool
ck_is_number(const struct ck_value *value)
{
    return value->kind == CK_VALUE_RUN && ck_type_is_scalar(value->type) &&
           !ck_type_is_complex(value->type);
}

/* bool counts as int32. */
static struct ck_value
as_number(struct ck_fn *fn, struct ck_value value)
{
    if (value.kind != CK_VALUE_RUN || value.type->kind != CK_TYPE_BOOL)
        return value;
    const struct ck_type *i32 = ck_type_scalar(CK_TYPE_INT32);
    return ck_value_run(i32, ck_cast(fn, value.expr, i32));
}

/* --- Positions and groups ------------------------------------------------------------------------
 */

struct ck_value
ck_rule_position(struct ck_call *call)
{
    struct ck_value value = ck_value_run(ck_type_scalar(CK_TYPE_INT64),
                                         ck_lowered(call, ck_type_scalar(CK_TYPE_INT64)));
    value.nonnegative = true;
    return value;
}

/* Clocks, and where the thread runs. */
struct ck_value
ck_rule_counter(struct ck_call *call)
{
    const struct ck_type *type =
        ck_type_scalar(call->id == CK_BUILTIN_CLOCK ? CK_TYPE_UINT32 : CK_TYPE_INT64);
    struct ck_value value = ck_value_run(type, ck_lowered(call, type));
    value.nonnegative = true;
    return value;
}

struct ck_value
ck_rule_rank(struct ck_call *call)
{
    return ck_rule_position(call);
}

struct ck_value
ck_rule_grid(struct ck_call *call)
{
    int64_t n;
    if (call->args[0].kind == CK_VALUE_ERROR)
        return call->args[0];
    if (!ck_value_const_int(&call->args[0], &n) || n < 1 || n > 3) {
        ck_error(call->fn, WRONG_TYPE, call->args[0].span,
                 ck_arena_printf(call->fn->c->arena, "`%s` takes the literal 1, 2 or 3",
                                 ck_builtin_path(call->id)));
        return ck_value_error(call->syntax->span);
    }
    const struct ck_type *i64 = ck_type_scalar(CK_TYPE_INT64);
    const struct ck_type *items[3] = {i64, i64, i64};
    const struct ck_type *type = n == 1 ? i64 : ck_type_tuple(&call->fn->c->types, items, (int)n);
    struct ck_texpr *expr = ck_lowered(call, type);
    ck_lowered_arg(call, expr, ck_const_int(call->fn, i64, n, call->args[0].span));
    struct ck_value value = ck_value_run(type, expr);
    value.nonnegative = true;
    return value;
}

struct ck_value
ck_rule_block_barrier(struct ck_call *call)
{
    call->fn->out->effects |= CK_EFFECT_BLOCK_BARRIER;
    return ck_lowered_none(call, ck_lowered(call, ck_type_scalar(CK_TYPE_VOID)));
}

/* --- Memory --------------------------------------------------------------------------------------
 */

/* The argument given by position or by keyword, or NULL. */
static const struct ck_expr *
argument(const struct ck_expr *call, int position, const char *keyword)
{
    for (int i = 0; i < call->call.n_args; i++) {
        const struct ck_argument *arg = &call->call.args[i];
        if (arg->name ? strcmp(arg->name, keyword) == 0 : i == position)
            return arg->value;
    }
    return NULL;
}

/* A constant shape: an integer or a tuple of them. */
static bool
constant_shape(struct ck_call *call, const struct ck_expr *syntax, struct ck_shared_array *out)
{
    struct ck_fn *fn = call->fn;
    struct ck_value value = ck_check_run(fn, syntax);
    if (value.kind == CK_VALUE_ERROR)
        return false;
    struct ck_texpr *single[1] = {value.expr};
    bool is_tuple = value.type->kind == CK_TYPE_TUPLE;
    struct ck_texpr **items =
        is_tuple && value.expr->kind == CK_T_TUPLE ? value.expr->tuple.items : single;
    out->ndim = is_tuple ? value.type->tuple.n : 1;
    if (!ck_is_constant(value.expr)) {
        struct ck_diag *diag = ck_error(fn, NOT_CONSTANT, syntax->span);
        ck_diag_help(fn->c->diags, diag,
                     "the shape of a %s array is fixed when compiling: "
                     "use literals or module constants",
                     call->id == CK_BUILTIN_LOCAL_ARRAY ? "local" : "shared");
        return false;
    }
    if (out->ndim < 1 || out->ndim > CK_MAX_NDIM) {
        ck_error(fn, WRONG_TYPE, syntax->span, "an array has 1 to 8 dimensions");
        return false;
    }
    out->count = 1;
    for (int i = 0; i < out->ndim; i++) {
        if (!ck_type_is_int(items[i]->type)) {
            ck_error(fn, WRONG_TYPE, syntax->span, "a shape is made of integers");
            return false;
        }
        out->shape[i] = ck_clamped_int(items[i]);
        if (out->shape[i] == 0 && out->ndim == 1 && call->id == CK_BUILTIN_SHARED_ARRAY) {
            out->count = 0; /* dynamic */
            return true;
        }
        if (out->shape[i] <= 0 || out->shape[i] == INT64_MAX ||
            __builtin_mul_overflow(out->count, out->shape[i], &out->count)) {
            struct ck_diag *diag = ck_error(fn, WRONG_TYPE, syntax->span,
                                            out->shape[i] <= 0 ? "an extent must be at least 1"
                                                               : "the shape is too large");
            if (out->shape[i] == 0 && call->id == CK_BUILTIN_SHARED_ARRAY)
                ck_diag_help(fn->c->diags, diag,
                             "dynamic shared memory has one dimension: `shared.array(0, dtype)`");
            return false;
        }
    }
    return true;
}

/* Every shared and local array is aligned to CK_ARRAY_ALIGN, which satisfies any valid request. */
static bool
granted_alignment(struct ck_call *call)
{
    struct ck_fn *fn = call->fn;
    const struct ck_expr *syntax = argument(call->syntax, 2, "alignment");
    if (!syntax)
        return true;
    struct ck_value value = ck_check_expr(fn, syntax);
    int64_t n;
    if (value.kind == CK_VALUE_ERROR)
        return false;
    if (!ck_value_const_int(&value, &n) || n < 1 || (n & (n - 1)) != 0) {
        ck_error(fn, WRONG_TYPE, syntax->span, "an alignment is a constant power of two");
        return false;
    }
    if (n > CK_ARRAY_ALIGN)
        ck_error(fn, NOT_SUPPORTED, syntax->span, "an alignment of more than 16 bytes");
    return n <= CK_ARRAY_ALIGN;
}

/* The shape and dtype of an array in `memory`, of at most `most_bytes`, a whole number of KiB. */
static bool
array_of_call(struct ck_call *call, int most_bytes, const char *memory,
              struct ck_shared_array *array)
{
    struct ck_fn *fn = call->fn;
    const struct ck_expr *shape = argument(call->syntax, 0, "shape");
    const struct ck_expr *dtype = argument(call->syntax, 1, "dtype");
    if (!shape || !dtype) {
        ck_error(fn, WRONG_COUNT, call->syntax->span, ck_builtin_path(call->id),
                 "a shape and a dtype", call->syntax->call.n_args);
        return false;
    }
    struct ck_value type = ck_check_expr(fn, dtype);
    *array = (struct ck_shared_array){.span = call->syntax->span};
    bool good = constant_shape(call, shape, array);
    good = granted_alignment(call) && good;
    array->elem = good ? ck_element_type_of(fn, &type) : NULL;
    if (!array->elem)
        return false;
    if (array->count > most_bytes / ck_type_size(array->elem)) {
        ck_error(fn, WRONG_TYPE, shape->span,
                 ck_arena_printf(fn->c->arena, "%lld elements of %s are more than the %d KiB of %s",
                                 (long long)array->count, ck_text_of(fn, array->elem),
                                 most_bytes >> 10, memory));
        return false;
    }
    return true;
}

static struct ck_value
array_value(struct ck_fn *fn, struct ck_texpr *expr, const struct ck_shared_array *array)
{
    struct ck_value value = ck_value_run(expr->type, expr);
    struct ck_axis_extent *extents = CK_NEW_ARRAY(fn->c->arena, struct ck_axis_extent, array->ndim);
    for (int i = 0; i < array->ndim; i++)
        extents[i].n = array->shape[i];
    value.extents = extents;
    return value;
}

struct ck_value
ck_rule_shared_array(struct ck_call *call)
{
    struct ck_fn *fn = call->fn;
    struct ck_shared_array array;
    if (!array_of_call(call, CK_MAX_SHARED_BYTES, "shared memory that a block can have", &array))
        return ck_value_error(call->syntax->span);
    struct ck_tfunc *out = fn->out;
    struct ck_texpr *expr = ck_lowered(
        call, ck_type_array(&fn->c->types, array.elem, array.ndim, CK_LAYOUT_C, CK_SPACE_SHARED));
    if (!array.count) {
        expr->builtin.shared = CK_SHARED_DYNAMIC;
        return ck_value_run(expr->type, expr);
    }
    CK_PUSH(fn->c->arena, out->shared, out->n_shared, out->shared_capacity, array);
    expr->builtin.shared = out->n_shared - 1;
    return array_value(fn, expr, &array);
}

struct ck_texpr *
ck_local_array_expr(const struct ck_call *call, const struct ck_type *elem, const int64_t *shape,
                    int ndim)
{
    struct ck_call local = {.fn = call->fn, .id = CK_BUILTIN_LOCAL_ARRAY, .syntax = call->syntax};
    call->fn->has_local_array = true;
    struct ck_texpr *expr = ck_lowered(
        &local, ck_type_array(&call->fn->c->types, elem, ndim, CK_LAYOUT_C, CK_SPACE_LOCAL));
    for (int i = 0; i < ndim; i++)
        ck_lowered_arg(
            &local, expr,
            ck_const_int(call->fn, ck_type_scalar(CK_TYPE_INT64), shape[i], call->syntax->span));
    return expr;
}

struct ck_value
ck_rule_local_array(struct ck_call *call)
{
    struct ck_fn *fn = call->fn;
    struct ck_shared_array array;
    if (!array_of_call(call, CK_MAX_LOCAL_BYTES, "local memory that a thread can have", &array))
        return ck_value_error(call->syntax->span);
    return array_value(fn, ck_local_array_expr(call, array.elem, array.shape, array.ndim), &array);
}

/* The magnitude; complex numbers have one too. */
struct ck_value
ck_rule_abs(struct ck_call *call)
{
    const struct ck_value *value = &call->args[0];
    bool complex = value->kind == CK_VALUE_RUN && ck_type_is_complex(value->type);
    if (!complex && !ck_is_number(value))
        return ck_wrong_type(call, 0, "a number");
    const struct ck_type *operand =
        ck_operand_type(ck_storage_type(&call->fn->c->types, value->type));
    const struct ck_type *type = complex ? ck_type_part(operand) : operand;
    struct ck_texpr *expr = ck_lowered(call, type);
    ck_lowered_arg(call, expr, ck_cast(call->fn, value->expr, operand));
    return ck_value_run(type, expr);
}

static bool
promote_args(struct ck_call *call, const struct ck_type **out)
{
    struct ck_fn *fn = call->fn;
    struct ck_value common = {.kind = CK_VALUE_ERROR};
    for (int i = 0; i < call->n_args; i++) {
        if (!ck_is_number(&call->args[i])) {
            ck_wrong_type(call, i, "numbers");
            return false;
        }
        struct ck_value mine = as_number(fn, call->args[i]);
        if (!ck_common_add(&fn->c->types, &common, &mine)) {
            ck_mixed_sign_among(fn, call->args, i);
            return false;
        }
    }
    *out = common.type;
    return true;
}

/* Of one tuple: its items become the arguments; *let, if not NULL, must enclose their uses. False
 * after an error. */
static bool
spread_tuple(struct ck_call *call, struct ck_texpr **let)
{
    struct ck_fn *fn = call->fn;
    *let = NULL;
    if (call->n_args > 1 || call->args[0].kind == CK_VALUE_ERROR)
        return call->n_args > 1;
    struct ck_value tuple = call->args[0];
    const bool is_tuple = tuple.kind == CK_VALUE_RUN && tuple.type->kind == CK_TYPE_TUPLE;
    if (!is_tuple || !tuple.type->tuple.n) {
        const char *name = ck_builtin_name(call->id);
        struct ck_diag *diag = ck_error(fn, WRONG_TYPE, tuple.span,
                                        ck_arena_printf(fn->c->arena, "`%s` of %s", name,
                                                        is_tuple     ? "an empty tuple"
                                                        : tuple.type ? ck_text_of(fn, tuple.type)
                                                                     : "this"));
        const bool is_array = tuple.kind == CK_VALUE_RUN && ck_type_is_array(tuple.type);
        ck_diag_help(fn->c->diags, diag,
                     is_array ? "call the array's method, `x.%s()`"
                              : "`%s` takes numbers, or one tuple of them",
                     name);
        return false;
    }
    tuple = ck_save_tuple(fn, tuple, let);
    call->n_args = tuple.type->tuple.n;
    call->args = CK_NEW_ARRAY(fn->c->arena, struct ck_value, call->n_args);
    for (int i = 0; i < call->n_args; i++)
        call->args[i] = ck_tuple_item(fn, &tuple, i);
    return true;
}

struct ck_value
ck_rule_extreme(struct ck_call *call)
{
    const struct ck_type *type;
    struct ck_texpr *let;
    if (!spread_tuple(call, &let) || !promote_args(call, &type))
        return ck_value_error(call->syntax->span);
    bool nonnegative = true;
    struct ck_texpr *result = NULL;
    const struct ck_type *storage = ck_storage_type(&call->fn->c->types, type);
    for (int i = 0; i < call->n_args; i++) {
        nonnegative = nonnegative && call->args[i].nonnegative;
        struct ck_value value = as_number(call->fn, call->args[i]);
        struct ck_texpr *arg = ck_convert(call->fn, &value, type);
        if (!arg)
            return ck_value_error(call->syntax->span);
        if (result) {
            struct ck_texpr *expr = ck_lowered(call, storage);
            ck_lowered_arg(call, expr, result);
            ck_lowered_arg(call, expr, arg);
            result = expr;
        } else {
            result = arg;
        }
    }
    struct ck_value value = ck_value_run(storage, ck_let_in(let, result));
    value.nonnegative = value.nonnegative || nonnegative;
    return value;
}

struct ck_value
ck_rule_pow(struct ck_call *call)
{
    for (int i = 0; i < 2; i++) {
        if (call->args[i].kind != CK_VALUE_RUN || !ck_type_is_scalar(call->args[i].type))
            return ck_wrong_type(call, i, "numbers");
    }
    return ck_check_binary(call->fn, CK_OP_POW, call->args[0], call->args[1], call->syntax->span);
}

static struct ck_value
cast_to(struct ck_call *call, const struct ck_type *type)
{
    if (!ck_is_number(&call->args[0]))
        return ck_wrong_type(call, 0, "a number");
    struct ck_value value = ck_value_run(type, ck_cast(call->fn, call->args[0].expr, type));
    const struct ck_type *from = call->args[0].expr->type;
    int grows =
        ck_type_is_int(from) && ck_type_is_int(type) ? ck_type_bits(type) - ck_type_bits(from) : -1;
    /* To the signed type of the same width: the top bit becomes the sign. */
    bool widens = grows > 0 || (grows == 0 && ck_type_is_signed(from));
    value.nonnegative = value.nonnegative || (widens && call->args[0].nonnegative);
    return value;
}

struct ck_value
ck_rule_cast_int(struct ck_call *call)
{
    return cast_to(call, ck_type_scalar(CK_TYPE_INT64));
}

struct ck_value
ck_rule_cast_float(struct ck_call *call)
{
    return cast_to(call, ck_type_scalar(CK_TYPE_FLOAT64));
}

/* --- The table -----------------------------------------------------------------------------------
 */

static const struct {
    ck_rule_fn *rule;
    int min_args, max_args;
} rules[] = {
#define CK_BUILTIN(id, path, rule, min_args, max_args, lower, uniformity, doc)                     \
    [CK_BUILTIN_##id] = {ck_rule_##rule, min_args, max_args},
#include "lang/typed/builtins.def"
#undef CK_BUILTIN
};

bool
ck_builtin_only_computes(enum ck_builtin_id id)
{
    static ck_rule_fn *const computing[] = {
        ck_rule_abs,         ck_rule_bitcast,    ck_rule_array_axes, ck_rule_array_view,
        ck_rule_bits,        ck_rule_cast_float, ck_rule_cast_int,   ck_rule_complex,
        ck_rule_divmod,      ck_rule_extreme,    ck_rule_float,      ck_rule_float_class,
        ck_rule_float_parts, ck_rule_grid,       ck_rule_half,       ck_rule_isinstance,
        ck_rule_lane_mask,   ck_rule_ldexp,      ck_rule_log,        ck_rule_len,
        ck_rule_make_tuple,  ck_rule_ord,        ck_rule_pow,        ck_rule_round,
        ck_rule_selp,        ck_rule_special,    ck_rule_rounded,    ck_rule_fast,
        ck_rule_fast_sincos, ck_rule_bessel,     ck_rule_philox,     ck_rule_philox_integers,
    };
    for (size_t i = 0; i < sizeof computing / sizeof *computing; i++) {
        if (rules[id].rule == computing[i])
            return true;
    }
    return false;
}

bool
ck_builtin_is_function(enum ck_builtin_id id)
{
    return rules[id].max_args >= 0;
}

bool
ck_builtin_is_elementwise(enum ck_builtin_id id)
{
    return (ck_builtin_uniformity(id) == CK_UNIFORMITY_OPERANDS ||
            rules[id].rule == ck_rule_special) &&
           rules[id].max_args > 0 && !ck_takes_order(id) && rules[id].rule != ck_rule_hinted_load;
}

int
ck_builtin_n_inputs(enum ck_builtin_id id)
{
    return rules[id].min_args == rules[id].max_args ? rules[id].max_args : 0;
}

struct ck_value
ck_call_rule(struct ck_call *call)
{
    struct ck_value value = rules[call->id].rule(call);
    if (value.kind == CK_VALUE_RUN)
        value.expr = ck_fold_call(call->fn, value.expr);
    return value;
}

struct ck_value
ck_builtin_value(struct ck_fn *fn, enum ck_builtin_id id, struct ck_span span)
{
    if (rules[id].max_args >= 0)
        return (struct ck_value){.kind = CK_VALUE_BUILTIN, .builtin = id, .span = span};
    struct ck_expr syntax = {.span = span};
    struct ck_call call = {.fn = fn, .id = id, .syntax = &syntax};
    struct ck_value value = rules[id].rule(&call);
    if (fn->constant_only && value.kind == CK_VALUE_RUN && !ck_is_constant(value.expr)) {
        ck_error(fn, NOT_CONSTANT, span);
        return ck_value_error(span);
    }
    return value;
}

static const char *
count_text(struct ck_fn *fn, enum ck_builtin_id id)
{
    int low = rules[id].min_args, high = rules[id].max_args;
    if (low == high)
        return ck_arena_printf(fn->c->arena, "%d argument%s", low, low == 1 ? "" : "s");
    if (high < 255)
        return ck_arena_printf(fn->c->arena, "%d to %d arguments", low, high);
    return ck_arena_printf(fn->c->arena, "at least %d arguments", low);
}

/* Operations over groups take functions and operators as arguments too; atomics, the names of
 * orders. */
static bool
values_of_args(struct ck_call *call, bool functions)
{
    struct ck_fn *fn = call->fn;
    const struct ck_expr *syntax = call->syntax;
    bool good = true;
    for (int i = 0; i < syntax->call.n_args; i++) {
        const struct ck_argument *arg = &syntax->call.args[i];
        if (arg->name) {
            ck_error(fn, KEYWORD, arg->name_span, arg->name, ck_builtin_name(call->id));
            good = false;
        }
        struct ck_value value = ck_check_expr(fn, arg->value);
        bool is_function = value.kind == CK_VALUE_FUNCTION || value.kind == CK_VALUE_BUILTIN ||
                           value.kind == CK_VALUE_NUMPY;
        bool takes_names = value.kind == CK_VALUE_NAMES &&
                           (call->id == CK_BUILTIN_LEN || call->id == CK_BUILTIN_LITERAL_UNROLL);
        if (functions && is_function)
            value = ck_close(fn, value);
        else if (!takes_names)
            value = ck_as_run(fn, value);
        if (ck_untyped_operand(fn, call->id, &value, arg->value))
            call->has_stand_in = true;
        good = good && value.kind != CK_VALUE_ERROR;
        call->args[call->n_args++] = value;
    }
    return good;
}

/* Checks the arguments of shared.array and local.array: written by position or by keyword. */
static bool
known_keywords(struct ck_call *call)
{
    static const char *const names[] = {"shape", "dtype", "alignment"};
    const int n_names = sizeof names / sizeof *names;
    int n_by_position = 0;
    for (int i = 0; i < call->syntax->call.n_args; i++) {
        const struct ck_argument *arg = &call->syntax->call.args[i];
        int place = 0;
        n_by_position += !arg->name;
        while (arg->name && place < n_names && strcmp(arg->name, names[place]) != 0)
            place++;
        if (place == n_names) {
            ck_error(call->fn, KEYWORD, arg->name_span, arg->name, ck_builtin_path(call->id));
            return false;
        }
        if (arg->name && place < n_by_position) {
            ck_error(call->fn, WRONG_TYPE, arg->name_span,
                     ck_arena_printf(call->fn->c->arena, "`%s` is given twice", arg->name));
            return false;
        }
    }
    return true;
}

/* `sync(g)` as `g.sync()`: the first argument becomes the group. Else the result: of Python's `any`
 * and `all`, or an error. */
static struct ck_value
member_of_first(struct ck_fn *fn, enum ck_builtin_id id, const struct ck_expr *expr,
                struct ck_expr *rest)
{
    const char *name = ck_builtin_path(id) + strlen("group.");
    if (expr->call.n_args == 0 || expr->call.args[0].name) {
        ck_error(fn, WRONG_COUNT, expr->span, name, "a group", 0);
        return ck_value_error(expr->span);
    }
    struct ck_value group = ck_check_run(fn, expr->call.args[0].value);
    if (group.kind == CK_VALUE_ERROR)
        return group;
    struct ck_value result;
    if (expr->call.n_args == 1 && ck_is_any_or_all(fn, id, &group, expr->span, &result))
        return result;
    if (!ck_type_is_group(group.type)) {
        struct ck_diag *diag =
            ck_error(fn, WRONG_TYPE, group.span,
                     ck_arena_printf(fn->c->arena, "`%s` takes a group%s here, not %s", name,
                                     id == CK_BUILTIN_GROUP_ANY || id == CK_BUILTIN_GROUP_ALL
                                         ? ", a tuple or a row of an array"
                                         : "",
                                     ck_text_of(fn, group.type)));
        const struct ck_numba_name *numba_name = ck_numba_name_find(name);
        if (numba_name && ck_type_is_array(group.type))
            ck_diag_help(fn->c->diags, diag, "%s", numba_name->text);
        return ck_value_error(expr->span);
    }
    *rest = *expr;
    rest->call.args++;
    rest->call.n_args--;
    struct ck_value member = ck_group_member(fn, &group, name, expr->call.callee->span);
    if (member.kind == CK_VALUE_ERROR)
        ck_no_member(fn, &group, name, expr->call.callee->span);
    return member;
}

static bool
is_function_of_array(enum ck_builtin_id id)
{
    return id == CK_BUILTIN_ARRAY_RESHAPE || id == CK_BUILTIN_ARRAY_RAVEL ||
           id == CK_BUILTIN_ARRAY_TRANSPOSE || id == CK_BUILTIN_ARRAY_COPY;
}

int
ck_builtin_of_array(struct ck_checker *c, const char *name)
{
    int id = ck_builtin_find(ck_arena_printf(c->arena, "ndarray.%s", name));
    return id >= 0 && is_function_of_array((enum ck_builtin_id)id) ? id : -1;
}

/* `np.reshape(x, shape)` as `x.reshape(shape)`: the first argument becomes *array. False after an
 * error. */
static bool
array_of_first(struct ck_fn *fn, enum ck_builtin_id id, const struct ck_expr *expr,
               struct ck_expr *rest, struct ck_value *array)
{
    const char *name = ck_builtin_path(id) + strlen("ndarray.");
    if (expr->call.n_args == 0 || expr->call.args[0].name) {
        ck_error(fn, WRONG_COUNT, expr->span, name, "an array", 0);
        return false;
    }
    *rest = *expr;
    rest->call.args++;
    rest->call.n_args--;
    struct ck_call call = {.fn = fn, .id = id, .syntax = expr};
    const struct ck_expr *first = expr->call.args[0].value;
    *array = fn->constant_only ? ck_const_object(&call, first, NULL, CK_CONST_NUMBERS_REFUSED)
                               : ck_check_run(fn, first);
    if (array->kind == CK_VALUE_RUN && !ck_type_is_array(array->type))
        ck_error(fn, WRONG_TYPE, first->span,
                 ck_arena_printf(fn->c->arena, "`%s` takes an array, not %s", name,
                                 ck_text_of(fn, array->type)));
    return array->kind == CK_VALUE_RUN && ck_type_is_array(array->type);
}

/* Checks the arguments before the rule is called; false after an error. */
static bool
args_of_call(struct ck_call *call)
{
    enum ck_builtin_id id = call->id;
    if (rules[id].rule == ck_rule_shared_array || rules[id].rule == ck_rule_local_array)
        return known_keywords(call);
    if (rules[id].rule == ck_rule_array_view || rules[id].rule == ck_rule_whole_array ||
        rules[id].rule == ck_rule_type_info || rules[id].rule == ck_rule_isinstance ||
        rules[id].rule == ck_rule_ord || rules[id].rule == ck_rule_namedtuple ||
        rules[id].rule == ck_rule_record || rules[id].rule == ck_rule_dtype ||
        rules[id].rule == ck_rule_c_struct || rules[id].rule == ck_rule_nested_array ||
        rules[id].rule == ck_rule_bitcast || rules[id].rule == ck_rule_carray ||
        ck_calls_by_one(id) || ck_makes_type(id))
        return true; /* its rule reads the syntax */
    if (ck_makes_module_array(id))
        return ck_module_array_keywords(call);
    bool of_group = call->self && ck_type_is_group(call->self->type);
    return values_of_args(call, of_group || id == CK_BUILTIN_OPERATOR_OF || ck_takes_order(id));
}

/* `np.max(x)` is NumPy's function of a whole array. */
static void
wrong_count(struct ck_fn *fn, enum ck_builtin_id id, const struct ck_expr *expr)
{
    const char *name = ck_builtin_name(id);
    struct ck_diag *diag =
        ck_error(fn, WRONG_COUNT, expr->span, name, count_text(fn, id), expr->call.n_args);
    const struct ck_numba_name *whole =
        ck_numba_name_find(ck_arena_printf(fn->c->arena, ".%s", name));
    if (whole && expr->call.n_args > 0) {
        struct ck_value first = ck_probe(fn, expr->call.args[0].value);
        if (first.kind == CK_VALUE_RUN && ck_type_is_array(first.type))
            ck_diag_help(fn->c->diags, diag, "of a whole array: %s", whole->text);
    }
}

/* The result of a call whose arguments are checked. */
static struct ck_value
apply_rule(struct ck_call *call)
{
    struct ck_value value;
    const bool of_dates = ck_has_date(call->args, call->n_args) &&
                          ck_date_function(call->fn, ck_builtin_path(call->id), call->args,
                                           call->n_args, call->syntax->span, &value);
    return of_dates ? value : ck_call_rule(call);
}

static struct ck_value
of_elements(void *context, struct ck_value *args, int n)
{
    struct ck_call *call = context;
    struct ck_call of_numbers = *call;
    of_numbers.args = args;
    of_numbers.n_args = n;
    return apply_rule(&of_numbers);
}

/* `float("inf")`. */
static bool
is_string_cast(enum ck_builtin_id id, const struct ck_expr *expr)
{
    return id == CK_BUILTIN_FLOAT && expr->call.n_args == 1 && !expr->call.args[0].name &&
           expr->call.args[0].value->kind == CK_EXPR_STRING;
}

struct ck_value
ck_check_builtin(struct ck_fn *fn, const struct ck_value *callee, const struct ck_expr *expr)
{
    struct ck_value member = *callee, array;
    struct ck_expr rest;
    if (!callee->self && is_function_of_array(callee->builtin)) {
        if (!array_of_first(fn, callee->builtin, expr, &rest, &array))
            return ck_value_error(expr->span);
        member.self = &array;
        expr = &rest;
    }
    if (!callee->self && strncmp(ck_builtin_path(callee->builtin), "group.", 6) == 0) {
        member = member_of_first(fn, callee->builtin, expr, &rest);
        if (member.kind != CK_VALUE_BUILTIN)
            return member;
        expr = &rest;
    }
    enum ck_builtin_id id = member.builtin;
    struct ck_call call = {.fn = fn, .id = id, .syntax = expr, .self = member.self};
    int n = expr->call.n_args, most = rules[id].max_args;
    call.args = CK_NEW_ARRAY(fn->c->arena, struct ck_value, n);
    if (most < 0) {
        ck_error(fn, NOT_CALLABLE, expr->call.callee->span,
                 ck_diag_text(fn->c->diags, expr->call.callee->span));
        return ck_value_error(expr->span);
    }
    if (n < rules[id].min_args || n > most) {
        wrong_count(fn, id, expr);
        return ck_value_error(expr->span);
    }
    if (is_string_cast(id, expr))
        return ck_float_of_string(fn, expr->call.args[0].value, ck_type_scalar(CK_TYPE_WEAK_FLOAT));
    if (!args_of_call(&call))
        return ck_value_error(expr->span);
    if (ck_builtin_is_elementwise(id) && ck_computes_const_arrays(fn, call.args, call.n_args))
        return ck_const_elementwise(fn, call.args, call.n_args, of_elements, &call, expr->span);
    struct ck_value value = apply_rule(&call);
    if (call.has_stand_in &&
        (rules[id].rule == ck_rule_shuffle || rules[id].rule == ck_rule_shuffle_in))
        value = ck_untyped_result(fn, value.expr); /* it has the type of the operand */
    bool runs =
        value.kind == CK_VALUE_NONE || (value.kind == CK_VALUE_RUN && !ck_is_constant(value.expr));
    if (fn->constant_only && runs) {
        ck_error(fn, NOT_CONSTANT, expr->span);
        return ck_value_error(expr->span);
    }
    return value;
}

struct ck_value
ck_cast_value(struct ck_fn *fn, const struct ck_type *type, const struct ck_expr *expr)
{
    const char *name = ck_text_of(fn, type);
    if (ck_type_is_date(type))
        return ck_make_date(fn, type, expr);
    if (!ck_type_is_scalar(type)) {
        ck_error(fn, NOT_CALLABLE, expr->call.callee->span, name);
        return ck_value_error(expr->span);
    }
    if (ck_type_is_complex(type))
        return ck_complex_cast_value(fn, type, expr);
    if (expr->call.n_args != 1) {
        ck_error(fn, WRONG_COUNT, expr->span, name, "1 argument", expr->call.n_args);
        return ck_value_error(expr->span);
    }
    if (expr->call.args[0].name) {
        ck_error(fn, KEYWORD, expr->call.args[0].name_span, expr->call.args[0].name, name);
        return ck_value_error(expr->span);
    }
    const struct ck_expr *syntax = expr->call.args[0].value;
    if (syntax->kind == CK_EXPR_STRING && ck_type_is_float(type))
        return ck_float_of_string(fn, syntax, type);
    struct ck_value arg = ck_check_run(fn, syntax);
    struct ck_call call = {
        .fn = fn, .id = CK_BUILTIN_INT, .syntax = expr, .args = &arg, .n_args = 1};
    if (call.args[0].kind == CK_VALUE_ERROR)
        return call.args[0];
    if (ck_computes_const_arrays(fn, &arg, 1))
        return ck_const_array_cast(fn, &arg, type, expr->span);
    if (type->kind == CK_TYPE_BOOL && ck_type_is_complex(arg.type))
        return ck_value_run(type, ck_cast(fn, arg.expr, type));
    if (ck_is_date(&arg) && ck_type_is_int(type) && ck_type_bits(type) == 64)
        return ck_date_of_count(fn, &arg, type);
    if (!ck_is_number(&call.args[0])) {
        struct ck_diag *diag = ck_error(fn, WRONG_TYPE, call.args[0].span,
                                        ck_arena_printf(fn->c->arena, "%s cannot be cast to %s",
                                                        ck_text_of(fn, call.args[0].type), name));
        if (ck_type_is_complex(arg.type))
            ck_help_real(fn, diag);
        ck_help_date(fn, diag, &arg, type);
        return ck_value_error(expr->span);
    }
    return cast_to(&call, type);
}
