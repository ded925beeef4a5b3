/* The built-ins that make constant arrays of the module. */
#include <string.h>

#include "lang/check/builtins/const_array.h"
#include "lang/check/const_sequence.h"
#include "lang/check/date.h"

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

static bool
makes_const_array(enum ck_builtin_id id)
{
    return (id >= CK_BUILTIN_CONST_ARRAY && id <= CK_BUILTIN_OUTER) ||
           id == CK_BUILTIN_ARRAY_ASTYPE;
}

bool
ck_makes_module_array(enum ck_builtin_id id)
{
    return makes_const_array(id) ||
           (id >= CK_BUILTIN_CONST_SPACE_ARRAY && id <= CK_BUILTIN_TO_DEVICE);
}

/* NumPy's names of the parameters, in order. */
static const char *
names_of_params(enum ck_builtin_id id)
{
    static const struct {
        enum ck_builtin_id id;
        const char *names;
    } known[] = {
        {CK_BUILTIN_CONST_ARRAY, "object dtype copy"},
        {CK_BUILTIN_ZEROS, "shape dtype"},
        {CK_BUILTIN_ONES, "shape dtype"},
        {CK_BUILTIN_EMPTY, "shape dtype"},
        {CK_BUILTIN_FULL, "shape fill_value dtype"},
        {CK_BUILTIN_ZEROS_LIKE, "a dtype"},
        {CK_BUILTIN_ONES_LIKE, "a dtype"},
        {CK_BUILTIN_EMPTY_LIKE, "prototype dtype"},
        {CK_BUILTIN_FULL_LIKE, "a fill_value dtype"},
        {CK_BUILTIN_ARANGE, "start stop step dtype"},
        {CK_BUILTIN_LINSPACE, "start stop num endpoint retstep dtype"},
        {CK_BUILTIN_LOGSPACE, "start stop num endpoint base dtype"},
        {CK_BUILTIN_GEOMSPACE, "start stop num endpoint dtype"},
        {CK_BUILTIN_BARTLETT, "M"},
        {CK_BUILTIN_BLACKMAN, "M"},
        {CK_BUILTIN_HAMMING, "M"},
        {CK_BUILTIN_HANNING, "M"},
        {CK_BUILTIN_EYE, "N M k dtype"},
        {CK_BUILTIN_IDENTITY, "n dtype"},
        {CK_BUILTIN_ASARRAY, "a dtype"},
        {CK_BUILTIN_ASFORTRANARRAY, "a dtype"},
        {CK_BUILTIN_ASCONTIGUOUSARRAY, "a dtype"},
        {CK_BUILTIN_CONCATENATE, "arrays axis dtype"},
        {CK_BUILTIN_STACK, "arrays axis dtype"},
        {CK_BUILTIN_HSTACK, "tup dtype"},
        {CK_BUILTIN_VSTACK, "tup dtype"},
        {CK_BUILTIN_TILE, "A reps"},
        {CK_BUILTIN_REPEAT, "a repeats axis"},
        {CK_BUILTIN_OUTER, "a b"},
        {CK_BUILTIN_ARRAY_ASTYPE, "dtype"},
        {CK_BUILTIN_CONST_SPACE_ARRAY, "shape dtype"},
        {CK_BUILTIN_DEVICE_ARRAY, "shape dtype order"},
        {CK_BUILTIN_DEVICE_ARRAY_LIKE, "ary"},
        {CK_BUILTIN_TO_DEVICE, "obj"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (known[i].id == id)
            return known[i].names;
    }
    return "";
}

static bool
is_keyword(enum ck_builtin_id id, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = names_of_params(id); *at;) {
        size_t n = strcspn(at, " ");
        if (n == length && memcmp(at, name, n) == 0)
            return true;
        at += n + (at[n] == ' ');
    }
    return false;
}

bool
ck_module_array_keywords(struct ck_call *call)
{
    struct ck_fn *fn = call->fn;
    for (int i = 0; i < call->syntax->call.n_args; i++) {
        const struct ck_argument *arg = &call->syntax->call.args[i];
        if (arg->name && !is_keyword(call->id, arg->name)) {
            ck_error(fn, KEYWORD, arg->name_span, arg->name, ck_builtin_path(call->id));
            return false;
        }
    }
    if (fn->constant_only || call->self || !makes_const_array(call->id))
        return true;
    struct ck_diag *diag = ck_error(fn, WRONG_TYPE, call->syntax->span,
                                    ck_arena_printf(fn->c->arena,
                                                    "`%s` makes constants of the module, not "
                                                    "arrays in a function",
                                                    ck_builtin_path(call->id)));
    ck_diag_help(fn->c->diags, diag,
                 "bind it to a name at module level, or set the elements of a "
                 "`local.array(shape, dtype)` or `shared.array(shape, dtype)`");
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
    if (value.kind == CK_VALUE_TYPE && ck_type_is_date(value.type))
        *out = value.type;
    else if (value.kind == CK_VALUE_STRING)
        *out = ck_date_type_by_name(value.string->string.bytes);
    *out = *out ? *out : ck_dtype_of(fn, &value);
    return *out != NULL;
}

/* --- Elements ------------------------------------------------------------------------------------
 */

struct ck_texpr *
ck_const_element_of(struct ck_fn *fn, const struct ck_value *value, const struct ck_type *elem)
{
    struct ck_value source = *value;
    if (ck_type_is_date(elem))
        source = ck_date_of_value(fn, elem, value, value->span);
    else if (ck_is_date(value) && elem->kind == CK_TYPE_INT64)
        source = ck_date_count(fn, value);
    if (source.kind != CK_VALUE_RUN)
        return NULL;
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
    const struct ck_type *elem; /* NULL: not given */
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

bool
ck_const_is_element(struct ck_fn *fn, const struct ck_value *value)
{
    if (value->kind == CK_VALUE_RUN && !ck_type_is_scalar_or_date(value->type))
        ck_error(fn, WRONG_TYPE, value->span,
                 ck_arena_printf(fn->c->arena, "an element is a number or a bool, not %s",
                                 ck_text_of(fn, value->type)));
    return value->kind == CK_VALUE_RUN && ck_type_is_scalar_or_date(value->type);
}

struct ck_value
ck_const_item(struct ck_fn *fn, const struct ck_expr *expr, const struct ck_type *elem)
{
    if (expr->kind == CK_EXPR_STRING && elem && ck_type_is_date(elem))
        return ck_date_of_text(fn, elem, expr);
    return ck_check_run(fn, expr);
}

static bool
add_number(struct nest *nest, int depth, struct ck_value value)
{
    if (!ck_const_is_element(nest->fn, &value))
        return false;
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
add_comprehension(struct nest *nest, int depth, const struct ck_expr *expr)
{
    struct ck_value *values;
    int n;
    if (!ck_comprehension_values(nest->fn, expr, &values, &n) ||
        !open_sequence(nest, depth, n, expr->span))
        return false;
    for (int i = 0; i < n; i++) {
        if (!add_value(nest, depth + 1, ck_as_run(nest->fn, values[i])))
            return false;
    }
    return true;
}

static bool
add_syntax(struct nest *nest, int depth, const struct ck_expr *expr)
{
    expr = ck_const_list(nest->fn, expr);
    if (expr->kind == CK_EXPR_COMPREHENSION)
        return add_comprehension(nest, depth, expr);
    if (expr->kind != CK_EXPR_LIST && expr->kind != CK_EXPR_TUPLE)
        return add_value(nest, depth, ck_const_item(nest->fn, expr, nest->elem));
    if (!open_sequence(nest, depth, expr->sequence.n, expr->span))
        return false;
    for (int i = 0; i < expr->sequence.n; i++) {
        if (!add_syntax(nest, depth + 1, expr->sequence.items[i]))
            return false;
    }
    return true;
}

const struct ck_type *
ck_const_dates_type(struct ck_fn *fn, const struct ck_value *items, int n)
{
    const struct ck_type *type = items[0].type;
    for (int i = 1; i < n; i++) {
        const struct ck_type *joined = ck_date_common_type(type, items[i].type);
        if (!joined) {
            ck_error(fn, WRONG_TYPE, items[i].span,
                     ck_arena_printf(fn->c->arena, "%s and %s have no common type",
                                     ck_text_of(fn, type), ck_text_of(fn, items[i].type)));
            return NULL;
        }
        type = joined;
    }
    return type;
}

/* The common type of the elements, as in NumPy. NULL after an error. */
static const struct ck_type *
common_type(struct ck_fn *fn, const struct ck_value *items, int n)
{
    const struct ck_type *type = items[0].type;
    if (ck_has_date(items, n))
        return ck_const_dates_type(fn, items, n);
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

/* The array of what was read. */
static struct ck_value
array_of_nest(struct nest *nest, const struct ck_type *elem, struct ck_span span)
{
    struct ck_fn *fn = nest->fn;
    const bool open = !elem || (ck_type_is_date(elem) && elem->date.unit == CK_UNIT_GENERIC);
    if (open && (!elem || ck_has_date(nest->items, nest->n)))
        elem = common_type(fn, nest->items, nest->n);
    if (!elem || ck_const_count(fn, nest->shape, nest->ndim, elem, span) < 0)
        return ck_value_error(span);
    struct ck_texpr **items = CK_NEW_ARRAY(fn->c->arena, struct ck_texpr *, nest->n);
    for (int i = 0; i < nest->n; i++) {
        items[i] = ck_const_element_of(fn, &nest->items[i], elem);
        if (!items[i])
            return ck_value_error(span);
    }
    return ck_const_array_value(fn, elem, nest->shape, nest->ndim, items, span);
}

struct ck_value
ck_const_object(struct ck_call *call, const struct ck_expr *object, const struct ck_type *elem,
                enum ck_const_numbers numbers)
{
    struct ck_fn *fn = call->fn;
    struct nest nest = {.fn = fn, .elem = elem};
    if (!add_syntax(&nest, 0, object))
        return ck_value_error(call->syntax->span);
    if (nest.ndim == 0 && numbers == CK_CONST_NUMBERS_REFUSED) {
        ck_error(fn, WRONG_TYPE, object->span, "an array is made of a list: array([1, 2])");
        return ck_value_error(call->syntax->span);
    }
    if (nest.ndim == 0)
        nest.shape[nest.ndim++] = 1;
    return array_of_nest(&nest, elem, call->syntax->span);
}

struct ck_value
ck_const_array_of_value(struct ck_fn *fn, struct ck_value value, const struct ck_type *elem)
{
    struct nest nest = {.fn = fn};
    if (!add_value(&nest, 0, value))
        return ck_value_error(value.span);
    if (nest.ndim == 0) {
        ck_error(fn, WRONG_TYPE, value.span, "an array is made of a list: array([1, 2])");
        return ck_value_error(value.span);
    }
    return array_of_nest(&nest, elem, value.span);
}

struct ck_value
ck_rule_array(struct ck_call *call)
{
    const struct ck_expr *object = ck_const_argument(call, 0, "object");
    const struct ck_type *elem;
    if (!ck_const_dtype(call, 1, &elem) || !object)
        return ck_value_error(call->syntax->span);
    return ck_const_object(call, object, elem, CK_CONST_NUMBERS_REFUSED);
}

/* --- zeros, ones, empty, full
 * ---------------------------------------------------------------------------
 */

bool
ck_const_shape(struct ck_call *call, int64_t *shape, int *ndim)
{
    struct ck_fn *fn = call->fn;
    const struct ck_expr *syntax = ck_const_argument(call, 0, "shape");
    if (!syntax) {
        ck_error(fn, WRONG_COUNT, call->syntax->span, ck_builtin_path(call->id), "a shape",
                 call->syntax->call.n_args);
        return false;
    }
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
    if (!ck_const_shape(call, shape, &ndim))
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
    struct ck_value value = ck_const_item(fn, fill, elem);
    if (!ck_const_is_element(fn, &value))
        return error;
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
