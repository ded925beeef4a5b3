/* The built-ins that make constant arrays of the module. */
#include <math.h>
#include <string.h>

#include "lang/check/builtins/const_array.h"
#include "lang/typed/bounds.h"

/* --- Arguments -----------------------------------------------------------------------------------
 */

const struct ck_expr *
ck_const_argument(const struct ck_call *call, int position, const char *keyword)
{
    for (int i = 0; i < call->syntax->call.n_args; i++) {
        const struct ck_argument *arg = &call->syntax->call.args[i];
        if (arg->name ? strcmp(arg->name, keyword) == 0 : i == position)
            return arg->value;
    }
    return NULL;
}

bool
ck_makes_const_array(enum ck_builtin_id id)
{
    return (id >= CK_BUILTIN_CONST_ARRAY && id <= CK_BUILTIN_ASCONTIGUOUSARRAY) ||
           id == CK_BUILTIN_ARRAY_ASTYPE;
}

static bool
is_keyword(enum ck_builtin_id id, const char *name)
{
    static const struct {
        enum ck_builtin_id id;
        const char *name;
    } known[] = {
        {CK_BUILTIN_CONST_ARRAY, "object"},
        {CK_BUILTIN_ZEROS, "shape"},
        {CK_BUILTIN_ONES, "shape"},
        {CK_BUILTIN_FULL, "shape"},
        {CK_BUILTIN_FULL, "fill_value"},
        {CK_BUILTIN_ARANGE, "start"},
        {CK_BUILTIN_ARANGE, "stop"},
        {CK_BUILTIN_ARANGE, "step"},
        {CK_BUILTIN_LINSPACE, "start"},
        {CK_BUILTIN_LINSPACE, "stop"},
        {CK_BUILTIN_EYE, "N"},
        {CK_BUILTIN_EYE, "M"},
        {CK_BUILTIN_IDENTITY, "n"},
        {CK_BUILTIN_LINSPACE, "num"},
        {CK_BUILTIN_LINSPACE, "endpoint"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (known[i].id == id && strcmp(known[i].name, name) == 0)
            return true;
    }
    return strcmp(name, "dtype") == 0;
}

bool
ck_const_array_keywords(struct ck_call *call)
{
    struct ck_fn *fn = call->fn;
    for (int i = 0; i < call->syntax->call.n_args; i++) {
        const struct ck_argument *arg = &call->syntax->call.args[i];
        if (arg->name && !is_keyword(call->id, arg->name)) {
            ck_error(fn, KEYWORD, arg->name_span, arg->name, ck_builtin_path(call->id));
            return false;
        }
    }
    if (fn->constant_only || call->self)
        return true;
    struct ck_diag *diag = ck_error(fn, WRONG_TYPE, call->syntax->span,
                                    ck_arena_printf(fn->c->arena,
                                                    "`%s` makes constants of the module, not "
                                                    "arrays in a function",
                                                    ck_builtin_path(call->id)));
    ck_diag_help(fn->c->diags, diag,
                 "bind it to a name at module level, or use local.array or shared.array");
    return false;
}

bool
ck_const_dtype(struct ck_call *call, int position, const struct ck_type **out)
{
    struct ck_fn *fn = call->fn;
    const struct ck_expr *syntax = ck_const_argument(call, position, "dtype");
    *out = NULL;
    if (!syntax || syntax->kind == CK_EXPR_NONE)
        return true;
    struct ck_value value = ck_check_expr(fn, syntax);
    *out = ck_dtype_of(fn, &value);
    return *out != NULL;
}

/* --- Elements ------------------------------------------------------------------------------------
 */

struct ck_texpr *
ck_const_element_of(struct ck_fn *fn, const struct ck_value *value, const struct ck_type *elem)
{
    struct ck_value source = *value;
    bool is_half = elem->kind == CK_TYPE_FLOAT16 || elem->kind == CK_TYPE_BFLOAT16;
    struct ck_texpr *item =
        ck_convert(fn, &source, is_half ? ck_type_scalar(CK_TYPE_FLOAT64) : elem);
    if (item && ck_is_constant(item))
        return ck_cast(fn, item, elem); /* a literal may overflow to infinity in 16 bits */
    if (item)
        ck_error(fn, NOT_CONSTANT, value->span);
    return NULL;
}

int64_t
ck_const_count(struct ck_fn *fn, const int64_t *shape, int ndim, const struct ck_type *elem,
               struct ck_span span)
{
    int64_t count = 1;
    bool fits = true;
    for (int i = 0; i < ndim; i++)
        fits = fits && !__builtin_mul_overflow(count, shape[i], &count);
    if (fits && count <= CK_MAX_CONST_BYTES / ck_type_size(elem))
        return count;
    ck_error(fn, WRONG_TYPE, span,
             fits ? ck_arena_printf(fn->c->arena,
                                    "%lld elements of %s are more than the 64 KB of constant "
                                    "memory",
                                    (long long)count, ck_text_of(fn, elem))
                  : "the shape is too large");
    return -1;
}

struct ck_value
ck_const_array_value(struct ck_fn *fn, const struct ck_type *elem, const int64_t *shape, int ndim,
                     struct ck_texpr **items, struct ck_span span)
{
    struct ck_checker *c = fn->c;
    struct ck_const_array *array = CK_NEW(c->arena, struct ck_const_array);
    array->id = c->n_const_arrays++;
    array->name = "";
    array->elem = elem;
    array->ndim = ndim;
    array->count = 1;
    for (int i = 0; i < ndim; i++) {
        array->shape[i] = shape[i];
        array->count *= shape[i];
    }
    array->items = items;
    array->span = span;
    const struct ck_type *type = ck_type_array(&c->types, elem, ndim, CK_LAYOUT_C, CK_SPACE_CONST);
    struct ck_texpr *expr = ck_texpr_new(fn, CK_T_ARRAY, type, span);
    expr->array = array;
    return ck_value_run(type, expr);
}

/* --- array([...]) --------------------------------------------------------------------------------
 */

/* Nested sequences while they are read; the first path down to a number fixes the dimensions. */
struct nest {
    struct ck_fn *fn;
    int64_t shape[CK_MAX_NDIM];
    int ndim;
    bool settled;
    struct ck_value *items;
    int n, capacity;
};

static bool
ragged(struct nest *nest, struct ck_span span, const char *what)
{
    struct ck_diag *diag = ck_error(nest->fn, WRONG_TYPE, span, what);
    ck_diag_help(nest->fn->c->diags, diag, "the rows of an array have one length");
    return false;
}

static bool
open_sequence(struct nest *nest, int depth, int64_t n, struct ck_span span)
{
    struct ck_arena *arena = nest->fn->c->arena;
    if (n == 0) {
        ck_error(nest->fn, WRONG_TYPE, span, "an extent must be at least 1");
        return false;
    }
    if (!nest->settled && depth == CK_MAX_NDIM) {
        ck_error(nest->fn, WRONG_TYPE, span, "an array has 1 to 8 dimensions");
        return false;
    }
    if (!nest->settled) {
        nest->shape[depth] = n;
        nest->ndim = depth + 1;
        return true;
    }
    if (depth >= nest->ndim)
        return ragged(nest, span, "this is a row where the others are numbers");
    if (nest->shape[depth] != n)
        return ragged(nest, span,
                      ck_arena_printf(arena, "this row has %lld item%s, and the first %lld",
                                      (long long)n, n == 1 ? "" : "s",
                                      (long long)nest->shape[depth]));
    return true;
}

static bool
add_number(struct nest *nest, int depth, struct ck_value value)
{
    if (!ck_type_is_scalar(value.type)) {
        ck_error(nest->fn, WRONG_TYPE, value.span,
                 ck_arena_printf(nest->fn->c->arena, "an element is a number or a bool, not %s",
                                 ck_text_of(nest->fn, value.type)));
        return false;
    }
    if (nest->settled && depth != nest->ndim)
        return ragged(nest, value.span, "this is a number where the others are rows");
    nest->settled = true;
    CK_PUSH(nest->fn->c->arena, nest->items, nest->n, nest->capacity, value);
    return true;
}

/* Adds a constant's numbers from *at on, in as many dimensions as the array has from `dim`. */
static bool
add_array(struct nest *nest, int depth, const struct ck_const_array *array, int dim, int64_t *at,
          struct ck_span span)
{
    if (dim == array->ndim) {
        struct ck_value value = ck_value_run(array->elem, array->items[(*at)++]);
        value.span = span;
        return add_number(nest, depth, value);
    }
    if (!open_sequence(nest, depth, array->shape[dim], span))
        return false;
    for (int64_t i = 0; i < array->shape[dim]; i++) {
        if (!add_array(nest, depth + 1, array, dim + 1, at, span))
            return false;
    }
    return true;
}

static bool
add_value(struct nest *nest, int depth, struct ck_value value)
{
    int64_t at = 0;
    if (value.kind != CK_VALUE_RUN)
        return false;
    if (!ck_is_constant(value.expr)) {
        ck_error(nest->fn, NOT_CONSTANT, value.span);
        return false;
    }
    if (value.expr->kind == CK_T_ARRAY)
        return add_array(nest, depth, value.expr->array, 0, &at, value.span);
    if (value.type->kind != CK_TYPE_TUPLE)
        return add_number(nest, depth, value);
    if (!open_sequence(nest, depth, value.type->tuple.n, value.span))
        return false;
    for (int i = 0; i < value.type->tuple.n; i++) {
        struct ck_value item = ck_tuple_item(nest->fn, &value, i);
        item.span = value.span;
        if (!add_value(nest, depth + 1, item))
            return false;
    }
    return true;
}

static bool
add_syntax(struct nest *nest, int depth, const struct ck_expr *expr)
{
    if (expr->kind != CK_EXPR_LIST && expr->kind != CK_EXPR_TUPLE)
        return add_value(nest, depth, ck_check_run(nest->fn, expr));
    if (!open_sequence(nest, depth, expr->sequence.n, expr->span))
        return false;
    for (int i = 0; i < expr->sequence.n; i++) {
        if (!add_syntax(nest, depth + 1, expr->sequence.items[i]))
            return false;
    }
    return true;
}

/* The common type of the elements, as in NumPy. NULL after an error. */
static const struct ck_type *
common_type(struct ck_fn *fn, const struct ck_value *items, int n)
{
    const struct ck_type *type = items[0].type;
    for (int i = 1; i < n; i++) {
        bool same = items[i].type == type; /* two bools have type bool */
        const struct ck_type *joined = same ? type : ck_promote(type, items[i].type);
        if (!joined) {
            struct ck_diag *diag = ck_error(fn, MIXED_SIGN, items[i].span, ck_text_of(fn, type),
                                            ck_text_of(fn, items[i].type));
            ck_diag_help(fn->c->diags, diag, "give the array a dtype");
            return NULL;
        }
        /* A bool among literals does not narrow them to its int32. */
        bool weak = ck_type_is_weak(type) || ck_type_is_weak(items[i].type);
        bool one_bool =
            !same && (type->kind == CK_TYPE_BOOL || items[i].type->kind == CK_TYPE_BOOL);
        type = weak && one_bool ? ck_type_is_weak(type) ? type : items[i].type : joined;
    }
    return ck_storage_type(&fn->c->types, type);
}

struct ck_value
ck_rule_array(struct ck_call *call)
{
    struct ck_fn *fn = call->fn;
    struct nest nest = {.fn = fn};
    const struct ck_expr *object = ck_const_argument(call, 0, "object");
    const struct ck_type *elem;
    struct ck_value error = ck_value_error(call->syntax->span);
    if (!ck_const_dtype(call, 1, &elem) || !object || !add_syntax(&nest, 0, object))
        return error;
    if (nest.ndim == 0) {
        ck_error(fn, WRONG_TYPE, object->span, "an array is made of a list: array([1, 2])");
        return error;
    }
    if (!elem)
        elem = common_type(fn, nest.items, nest.n);
    if (!elem || ck_const_count(fn, nest.shape, nest.ndim, elem, call->syntax->span) < 0)
        return error;
    struct ck_texpr **items = CK_NEW_ARRAY(fn->c->arena, struct ck_texpr *, nest.n);
    for (int i = 0; i < nest.n; i++) {
        items[i] = ck_const_element_of(fn, &nest.items[i], elem);
        if (!items[i])
            return error;
    }
    return ck_const_array_value(fn, elem, nest.shape, nest.ndim, items, call->syntax->span);
}

/* --- zeros, ones, full ---------------------------------------------------------------------------
 */

static bool
shape_of(struct ck_call *call, int64_t *shape, int *ndim)
{
    struct ck_fn *fn = call->fn;
    const struct ck_expr *syntax = ck_const_argument(call, 0, "shape");
    struct ck_value value = ck_check_run(fn, syntax);
    if (value.kind != CK_VALUE_RUN)
        return false;
    bool is_tuple = value.type->kind == CK_TYPE_TUPLE;
    *ndim = is_tuple ? value.type->tuple.n : 1;
    if (*ndim < 1 || *ndim > CK_MAX_NDIM) {
        ck_error(fn, WRONG_TYPE, syntax->span, "an array has 1 to 8 dimensions");
        return false;
    }
    for (int i = 0; i < *ndim; i++) {
        struct ck_value item = is_tuple ? ck_tuple_item(fn, &value, i) : value;
        if (!ck_value_const_int(&item, &shape[i])) {
            ck_error(fn, WRONG_TYPE, syntax->span, "a shape is made of integers");
            return false;
        }
        if (shape[i] < 1) {
            ck_error(fn, WRONG_TYPE, syntax->span, "an extent must be at least 1");
            return false;
        }
    }
    return true;
}

static struct ck_value
filled(struct ck_call *call, const struct ck_value *with, const struct ck_type *elem)
{
    struct ck_fn *fn = call->fn;
    struct ck_value error = ck_value_error(call->syntax->span);
    int64_t shape[CK_MAX_NDIM];
    int ndim;
    if (!ck_const_argument(call, 0, "shape")) {
        ck_error(fn, WRONG_COUNT, call->syntax->span, ck_builtin_path(call->id), "a shape",
                 call->syntax->call.n_args);
        return error;
    }
    if (!shape_of(call, shape, &ndim))
        return error;
    int64_t count = ck_const_count(fn, shape, ndim, elem, call->syntax->span);
    struct ck_texpr *item = count < 0 ? NULL : ck_const_element_of(fn, with, elem);
    if (!item)
        return error;
    struct ck_texpr **items = CK_NEW_ARRAY(fn->c->arena, struct ck_texpr *, count);
    for (int64_t i = 0; i < count; i++)
        items[i] = item;
    return ck_const_array_value(fn, elem, shape, ndim, items, call->syntax->span);
}

struct ck_value
ck_rule_zeros(struct ck_call *call)
{
    const struct ck_type *elem;
    if (!ck_const_dtype(call, 1, &elem))
        return ck_value_error(call->syntax->span);
    struct ck_value with = ck_value_int(call->fn, call->id == CK_BUILTIN_ONES, call->syntax->span);
    return filled(call, &with, elem ? elem : ck_type_scalar(CK_TYPE_FLOAT64));
}

struct ck_value
ck_rule_full(struct ck_call *call)
{
    struct ck_fn *fn = call->fn;
    struct ck_value error = ck_value_error(call->syntax->span);
    const struct ck_expr *fill = ck_const_argument(call, 1, "fill_value");
    const struct ck_type *elem;
    if (!ck_const_dtype(call, 2, &elem))
        return error;
    if (!fill) {
        ck_error(fn, WRONG_COUNT, call->syntax->span, "full", "a shape and a value",
                 call->syntax->call.n_args);
        return error;
    }
    struct ck_value value = ck_check_run(fn, fill);
    if (value.kind != CK_VALUE_RUN)
        return error;
    if (!ck_type_is_scalar(value.type)) {
        ck_error(fn, WRONG_TYPE, fill->span,
                 ck_arena_printf(fn->c->arena, "an element is a number or a bool, not %s",
                                 ck_text_of(fn, value.type)));
        return error;
    }
    return filled(call, &value, elem ? elem : ck_storage_type(&fn->c->types, value.type));
}

/* --- eye and identity ----------------------------------------------------------------------------
 */

/* False, reported, if the argument is not an extent. */
static bool
extent_of(struct ck_call *call, const struct ck_expr *syntax, int64_t *out)
{
    struct ck_fn *fn = call->fn;
    struct ck_value value = ck_check_run(fn, syntax);
    if (value.kind != CK_VALUE_RUN)
        return false;
    if (ck_value_const_int(&value, out) && *out >= 1)
        return true;
    ck_error(fn, WRONG_TYPE, syntax->span, "an extent is a constant integer of at least 1");
    return false;
}

struct ck_value
ck_rule_eye(struct ck_call *call)
{
    struct ck_fn *fn = call->fn;
    struct ck_span span = call->syntax->span;
    bool is_eye = call->id == CK_BUILTIN_EYE;
    const struct ck_expr *rows = ck_const_argument(call, 0, is_eye ? "N" : "n");
    const struct ck_expr *columns = is_eye ? ck_const_argument(call, 1, "M") : NULL;
    const struct ck_type *elem;
    int64_t shape[2];
    if (!ck_const_dtype(call, is_eye ? 3 : 1, &elem))
        return ck_value_error(span);
    elem = elem ? elem : ck_type_scalar(CK_TYPE_FLOAT64);
    const struct ck_expr *offset = is_eye ? ck_const_argument(call, 2, "k") : NULL;
    if (offset) {
        ck_error(fn, NOT_SUPPORTED, offset->span, "another diagonal than the main one");
        return ck_value_error(span);
    }
    if (!rows) {
        ck_error(fn, WRONG_COUNT, span, ck_builtin_path(call->id), "an extent",
                 call->syntax->call.n_args);
        return ck_value_error(span);
    }
    if (!extent_of(call, rows, &shape[0]))
        return ck_value_error(span);
    shape[1] = shape[0];
    if (columns && columns->kind != CK_EXPR_NONE && !extent_of(call, columns, &shape[1]))
        return ck_value_error(span);
    int64_t count = ck_const_count(fn, shape, 2, elem, span);
    struct ck_value zero = ck_value_int(fn, 0, span), one = ck_value_int(fn, 1, span);
    struct ck_texpr *others = count < 0 ? NULL : ck_const_element_of(fn, &zero, elem);
    struct ck_texpr *diagonal = others ? ck_const_element_of(fn, &one, elem) : NULL;
    if (!diagonal)
        return ck_value_error(span);
    struct ck_texpr **items = CK_NEW_ARRAY(fn->c->arena, struct ck_texpr *, count);
    for (int64_t i = 0; i < count; i++)
        items[i] = i / shape[1] == i % shape[1] ? diagonal : others;
    return ck_const_array_value(fn, elem, shape, 2, items, span);
}

/* --- arange --------------------------------------------------------------------------------------
 */

/* start, stop and step, each a constant number. */
static bool
arange_bounds(struct ck_call *call, struct ck_value bounds[3])
{
    static const char *const names[] = {"start", "stop", "step"};
    struct ck_fn *fn = call->fn;
    int n_plain = 0;
    for (int i = 0; i < call->syntax->call.n_args; i++)
        n_plain += !call->syntax->call.args[i].name;
    bounds[0] = ck_value_int(fn, 0, call->syntax->span);
    bounds[2] = ck_value_int(fn, 1, call->syntax->span);
    bounds[1] = (struct ck_value){.kind = CK_VALUE_NONE};
    for (int i = 0; i < 3; i++) {
        /* arange(n) has no start */
        int position = n_plain == 1 ? i == 1 ? 0 : -1 : i;
        const struct ck_expr *syntax = ck_const_argument(call, position, names[i]);
        if (!syntax)
            continue;
        bounds[i] = ck_check_run(fn, syntax);
        if (bounds[i].kind != CK_VALUE_RUN)
            return false;
        if (!ck_is_number(&bounds[i]) || bounds[i].type->kind == CK_TYPE_BOOL) {
            ck_error(fn, WRONG_TYPE, syntax->span, "`arange` takes numbers");
            return false;
        }
    }
    if (bounds[1].kind == CK_VALUE_NONE)
        ck_error(fn, WRONG_COUNT, call->syntax->span, "arange", "at least a stop",
                 call->syntax->call.n_args);
    return bounds[1].kind != CK_VALUE_NONE;
}

/* An integer constant, of int64 or of uint64. */
static __int128
whole_number_of(const struct ck_value *value)
{
    return ck_bounds_of(value->expr).low;
}

static double
number_of(const struct ck_value *value)
{
    return ck_type_is_float(value->expr->type) ? value->expr->constant.f
                                               : (double)whole_number_of(value);
}

/* The quotient, rounded up. */
static __int128
divide_up(__int128 dividend, __int128 divisor)
{
    __int128 quotient = dividend / divisor;
    bool is_cut = dividend % divisor && (dividend < 0) == (divisor < 0);
    return quotient + is_cut;
}

/* The length and element i of an arange: of integers, or of floats as NumPy computes them, from the
 * first two elements in the array's type and their difference. */
struct progression {
    bool is_float, is_single;
    __int128 start, step;
    double first, delta;
    double length; /* rounded, if larger than any array */
};

static double
narrow(const struct progression *p, double value)
{
    return p->is_single ? (double)(float)value : value;
}

static struct progression
progression_of(const struct ck_value bounds[3], const struct ck_type *elem)
{
    struct progression p = {.is_single =
                                elem->kind == CK_TYPE_FLOAT32 || elem->kind == CK_TYPE_COMPLEX64};
    double start = number_of(&bounds[0]), stop = number_of(&bounds[1]),
           step = number_of(&bounds[2]);
    for (int i = 0; i < 3; i++)
        p.is_float = p.is_float || ck_type_is_float(bounds[i].type);
    p.length = ceil((stop - start) / step);
    if (!p.is_float) {
        p.start = whole_number_of(&bounds[0]);
        p.step = whole_number_of(&bounds[2]);
        p.length = (double)divide_up(whole_number_of(&bounds[1]) - p.start, p.step);
    }
    p.first = narrow(&p, start);
    p.delta = narrow(&p, narrow(&p, start + step) - p.first);
    return p;
}

static struct ck_value
progression_item(struct ck_fn *fn, const struct progression *p, int64_t i, struct ck_span span)
{
    if (!p->is_float) {
        __int128 item = p->start + i * p->step;
        if (item <= INT64_MAX)
            return ck_value_int(fn, (int64_t)item, span);
        const struct ck_type *u64 = ck_type_scalar(CK_TYPE_UINT64);
        return ck_value_run(u64, ck_const_int(fn, u64, (int64_t)(uint64_t)item, span));
    }
    const struct ck_type *f64 = ck_type_scalar(CK_TYPE_FLOAT64);
    double value = narrow(p, p->first + narrow(p, (double)i * p->delta));
    return ck_value_run(f64, ck_const_float(fn, f64, value, span));
}

struct ck_value
ck_rule_arange(struct ck_call *call)
{
    struct ck_fn *fn = call->fn;
    struct ck_span span = call->syntax->span;
    struct ck_value bounds[3], error = ck_value_error(span);
    const struct ck_type *elem;
    if (!ck_const_dtype(call, 3, &elem) || !arange_bounds(call, bounds))
        return error;
    if (!elem) {
        elem = ck_type_scalar(CK_TYPE_WEAK_INT);
        for (int i = 0; i < 3 && elem; i++)
            elem = ck_promote(elem, bounds[i].type);
        elem = elem ? ck_storage_type(&fn->c->types, elem) : ck_type_scalar(CK_TYPE_INT64);
    }
    if (number_of(&bounds[2]) == 0) {
        ck_error(fn, WRONG_TYPE, bounds[2].span, "the step of `arange` is zero");
        return error;
    }
    struct progression p = progression_of(bounds, elem);
    if (!(p.length >= 1)) {
        ck_error(fn, WRONG_TYPE, span, "an extent must be at least 1");
        return error;
    }
    int64_t shape = p.length > 1e9 ? 1000000000 : (int64_t)p.length;
    int64_t count = ck_const_count(fn, &shape, 1, elem, span);
    if (count < 0)
        return error;
    struct ck_texpr **items = CK_NEW_ARRAY(fn->c->arena, struct ck_texpr *, count);
    for (int64_t i = 0; i < count; i++) {
        struct ck_value item = progression_item(fn, &p, i, span);
        items[i] = ck_const_element_of(fn, &item, elem);
        if (!items[i])
            return error;
    }
    return ck_const_array_value(fn, elem, &shape, 1, items, call->syntax->span);
}

/* --- linspace ------------------------------------------------------------------------------------
 */

/* A bound of linspace: a literal, an integer or a float64, all of which NumPy takes as float64. */
static bool
linspace_bound(struct ck_call *call, int position, const char *name, double *out)
{
    struct ck_fn *fn = call->fn;
    const struct ck_expr *syntax = ck_const_argument(call, position, name);
    if (!syntax) {
        ck_error(fn, WRONG_COUNT, call->syntax->span, "linspace", "a start and a stop",
                 call->syntax->call.n_args);
        return false;
    }
    struct ck_value value = ck_check_run(fn, syntax);
    if (value.kind != CK_VALUE_RUN)
        return false;
    bool fits = ck_is_number(&value) && value.type->kind != CK_TYPE_BOOL &&
                (!ck_type_is_float(value.type) || value.expr->type->kind == CK_TYPE_FLOAT64);
    if (fits)
        *out = number_of(&value);
    else
        ck_error(fn, WRONG_TYPE, syntax->span, "`linspace` takes literals, integers and float64");
    return fits;
}

/* The number of elements, and whether the last is the stop. */
static bool
linspace_counts(struct ck_call *call, int64_t *num, bool *endpoint)
{
    struct ck_fn *fn = call->fn;
    const struct ck_expr *syntax = ck_const_argument(call, 2, "num");
    const struct ck_expr *end = ck_const_argument(call, 3, "endpoint");
    *num = 50;
    *endpoint = true;
    struct ck_value value = syntax ? ck_check_run(fn, syntax) : (struct ck_value){0};
    if (syntax && value.kind != CK_VALUE_RUN)
        return false;
    if (syntax && (!ck_value_const_int(&value, num) || *num < 1)) {
        ck_error(fn, WRONG_TYPE, syntax->span, "an extent must be at least 1");
        return false;
    }
    struct ck_value last = end ? ck_check_run(fn, end) : (struct ck_value){0};
    if (end && last.kind != CK_VALUE_RUN)
        return false;
    struct ck_texpr *test = end ? ck_truth(fn, &last) : NULL;
    if (end && (!test || test->kind != CK_T_CONST))
        return false;
    *endpoint = !end || test->constant.i;
    return true;
}

/* Element i, computed as NumPy does: its step is rounded before it is multiplied. */
static double
linspace_item(double start, double stop, int64_t num, bool endpoint, int64_t i)
{
    int64_t n_steps = endpoint ? num - 1 : num;
    double distance = stop - start, step = distance / (double)n_steps;
    if (endpoint && num > 1 && i == num - 1)
        return stop;
    if (n_steps == 0)
        return (double)i * distance + start;
    double way = step == 0 ? (double)i / (double)n_steps * distance : (double)i * step;
    return way + start;
}

struct ck_value
ck_rule_linspace(struct ck_call *call)
{
    struct ck_fn *fn = call->fn;
    struct ck_span span = call->syntax->span;
    struct ck_value error = ck_value_error(span);
    const struct ck_type *elem, *f64 = ck_type_scalar(CK_TYPE_FLOAT64);
    double start, stop;
    int64_t num;
    bool endpoint;
    if (!ck_const_dtype(call, 5, &elem) || !linspace_bound(call, 0, "start", &start) ||
        !linspace_bound(call, 1, "stop", &stop) || !linspace_counts(call, &num, &endpoint))
        return error;
    elem = elem ? elem : f64;
    if (ck_const_count(fn, &num, 1, elem, span) < 0)
        return error;
    struct ck_texpr **items = CK_NEW_ARRAY(fn->c->arena, struct ck_texpr *, num);
    for (int64_t i = 0; i < num; i++) {
        double number = linspace_item(start, stop, num, endpoint, i);
        number = ck_type_is_int(elem) ? floor(number) : number;
        struct ck_value item = ck_value_run(f64, ck_const_float(fn, f64, number, span));
        items[i] = ck_const_element_of(fn, &item, elem);
        if (!items[i])
            return error;
    }
    return ck_const_array_value(fn, elem, &num, 1, items, span);
}

/* --- Use -----------------------------------------------------------------------------------------
 */

struct ck_value
ck_rule_array_like(struct ck_call *call)
{
    struct ck_value *array = &call->args[0];
    bool is_array = array->kind == CK_VALUE_RUN && ck_type_is_array(array->type);
    if (!is_array || array->type->array.space != CK_SPACE_CONST)
        return ck_wrong_type(call, 0, "a constant array of the module");
    return *array;
}
