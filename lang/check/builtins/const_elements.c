/* Computing with constant arrays of the module as NumPy does: operators and functions of their
 * elements, with broadcasting, views, casts and other shapes. */
#include <string.h>

#include "lang/check/builtins/const_array.h"
#include "lang/check/foreign_names.h"
#include "lang/check/view.h"

/* --- Elements ------------------------------------------------------------------------------------
 */

static const struct ck_const_array *
array_of(const struct ck_value *value)
{
    bool is_array = value->kind == CK_VALUE_RUN && value->expr->kind == CK_T_ARRAY;
    return is_array ? value->expr->array : NULL;
}

bool
ck_computes_const_arrays(const struct ck_fn *fn, const struct ck_value *args, int n)
{
    for (int i = 0; fn->constant_only && i < n; i++) {
        if (array_of(&args[i]))
            return true;
    }
    return false;
}

static const char *
shape_text(struct ck_fn *fn, const int64_t *shape, int ndim)
{
    const char *text = "";
    for (int i = 0; i < ndim; i++)
        text = ck_arena_printf(fn->c->arena, "%s%s%lld", text, i ? ", " : "", (long long)shape[i]);
    return ck_arena_printf(fn->c->arena, "(%s%s)", text, ndim == 1 ? "," : "");
}

/* Broadcasts an array's shape with that of the result so far. False after an error. */
static bool
broadcast(struct ck_fn *fn, const struct ck_const_array *array, int64_t *shape, int *ndim,
          struct ck_span span)
{
    int more = array->ndim - *ndim;
    int64_t so_far[CK_MAX_NDIM];
    const int n_so_far = *ndim;
    memcpy(so_far, shape, sizeof so_far);
    for (int i = *ndim - 1; more > 0 && i >= 0; i--)
        shape[i + more] = shape[i];
    for (int i = 0; i < more; i++)
        shape[i] = 1;
    *ndim += more > 0 ? more : 0;
    for (int i = 0; i < array->ndim; i++) {
        int64_t *mine = &shape[*ndim - array->ndim + i];
        if (*mine != array->shape[i] && *mine != 1 && array->shape[i] != 1) {
            ck_error(fn, WRONG_TYPE, span,
                     ck_arena_printf(fn->c->arena, "the shapes %s and %s cannot be broadcast",
                                     shape_text(fn, so_far, n_so_far),
                                     shape_text(fn, array->shape, array->ndim)));
            return false;
        }
        *mine = *mine == 1 ? array->shape[i] : *mine;
    }
    return true;
}

/* The element of an array for the element `at` of the broadcast shape. */
static struct ck_texpr *
element_at(const struct ck_const_array *array, const int64_t *shape, int ndim, int64_t at)
{
    int64_t position = 0, scale = 1;
    for (int i = ndim - 1; i >= 0; i--) {
        int64_t index = at % shape[i];
        int dim = i - (ndim - array->ndim);
        at /= shape[i];
        if (dim < 0)
            continue;
        position += array->shape[dim] == 1 ? 0 : index * scale;
        scale *= array->shape[dim];
    }
    return array->items[position];
}

static bool
is_short_float(const struct ck_type *type)
{
    return type->kind == CK_TYPE_FLOAT16 || type->kind == CK_TYPE_BFLOAT16;
}

/* NumPy's common type of those that are numbers. */
static const struct ck_type *
common_type(struct ck_fn *fn, const struct ck_value *args, int n)
{
    struct ck_value *numbers = CK_NEW_ARRAY(fn->c->arena, struct ck_value, n);
    int n_numbers = 0;
    for (int i = 0; i < n; i++) {
        if (args[i].kind == CK_VALUE_RUN)
            numbers[n_numbers++] = args[i];
    }
    return ck_numpy_common_type(fn, numbers, n_numbers);
}

/* Floats of 16 bits are computed as float32, as NumPy does, and a literal beside them is rounded to
 * 16 bits first. Returns the type to which the result is rounded, or NULL. */
static const struct ck_type *
widen_short_floats(struct ck_fn *fn, struct ck_value *args, int n)
{
    const struct ck_type *common = NULL, *f32 = ck_type_scalar(CK_TYPE_FLOAT32);
    for (int i = 0; i < n && !common; i++) {
        if (args[i].kind == CK_VALUE_RUN && is_short_float(args[i].type))
            common = common_type(fn, args, n);
    }
    bool is_short = common && is_short_float(common);
    for (int i = 0; common && i < n; i++) {
        if (args[i].kind != CK_VALUE_RUN || args[i].expr->kind != CK_T_CONST)
            continue;
        struct ck_texpr *number = args[i].expr;
        if (is_short && ck_type_is_weak(args[i].type))
            number = ck_cast(fn, number, common);
        if (!is_short_float(number->type))
            continue;
        args[i].expr = ck_const_float(fn, f32, number->constant.f, args[i].span);
        args[i].type = f32;
    }
    return is_short ? common : NULL;
}

/* One element of the result as a constant; NULL after an error. */
static struct ck_texpr *
compute_element(struct ck_fn *fn, struct ck_value *args, int n, ck_of_elements_fn *function,
                void *context, struct ck_span span)
{
    const struct ck_type *narrow = widen_short_floats(fn, args, n);
    struct ck_value value = function(context, args, n);
    if (value.kind != CK_VALUE_RUN)
        return NULL;
    if (!ck_is_constant(value.expr) || !ck_type_is_scalar_or_date(value.type)) {
        ck_error(fn, NOT_CONSTANT, span);
        return NULL;
    }
    const struct ck_type *type = ck_storage_type(&fn->c->types, value.type);
    if (narrow && type->kind == CK_TYPE_FLOAT32)
        type = narrow;
    return ck_const_element_of(fn, &value, type);
}

struct ck_value
ck_const_elementwise(struct ck_fn *fn, const struct ck_value *args, int n,
                     ck_of_elements_fn *function, void *context, struct ck_span span)
{
    int64_t shape[CK_MAX_NDIM] = {0};
    int ndim = 0;
    for (int i = 0; i < n; i++) {
        const struct ck_const_array *array = array_of(&args[i]);
        if (array && !broadcast(fn, array, shape, &ndim, span))
            return ck_value_error(span);
    }
    int64_t count = ck_const_count(fn, shape, ndim, ck_type_scalar(CK_TYPE_INT8), span);
    if (count < 0)
        return ck_value_error(span);
    struct ck_texpr **items = CK_NEW_ARRAY(fn->c->arena, struct ck_texpr *, count);
    struct ck_value *elements = CK_NEW_ARRAY(fn->c->arena, struct ck_value, n);
    for (int64_t at = 0; at < count; at++) {
        for (int i = 0; i < n; i++) {
            const struct ck_const_array *array = array_of(&args[i]);
            elements[i] = args[i];
            if (array)
                elements[i] = ck_value_run(array->elem, element_at(array, shape, ndim, at));
            elements[i].span = args[i].span;
        }
        items[at] = compute_element(fn, elements, n, function, context, span);
        if (!items[at])
            return ck_value_error(span);
    }
    const struct ck_type *elem = items[0]->type;
    if (ck_const_count(fn, shape, ndim, elem, span) < 0)
        return ck_value_error(span);
    return ck_const_array_value(fn, elem, shape, ndim, items, span);
}

/* --- Operators -----------------------------------------------------------------------------------
 */

struct applied {
    struct ck_fn *fn;
    const struct ck_numpy *row;
    struct ck_span span;
};

static struct ck_value
apply(void *context, struct ck_value *args, int n)
{
    const struct applied *applied = context;
    return ck_numpy_apply(applied->fn, applied->row, args, n, applied->span);
}

static struct ck_value
apply_row(struct ck_fn *fn, const char *path, const struct ck_value *args, int n,
          struct ck_span span)
{
    struct applied applied = {.fn = fn, .row = ck_numpy_find(path), .span = span};
    return ck_const_elementwise(fn, args, n, apply, &applied, span);
}

/* Whether each is a number or a constant array. */
static bool
are_numbers(const struct ck_value *values, int n)
{
    for (int i = 0; i < n; i++) {
        if (values[i].kind != CK_VALUE_RUN ||
            !(array_of(&values[i]) || ck_type_is_scalar_or_date(values[i].type)))
            return false;
    }
    return true;
}

bool
ck_const_array_binary(struct ck_fn *fn, enum ck_binary_op op, const struct ck_value *left,
                      const struct ck_value *right, struct ck_span span, struct ck_value *out)
{
    static const char *const paths[] = {
        [CK_OP_ADD] = "np.add",         [CK_OP_SUB] = "np.subtract",
        [CK_OP_MUL] = "np.multiply",    [CK_OP_DIV] = "np.divide",
        [CK_OP_MOD] = "np.mod",         [CK_OP_FLOORDIV] = "np.floor_divide",
        [CK_OP_POW] = "np.power",       [CK_OP_SHL] = "np.left_shift",
        [CK_OP_SHR] = "np.right_shift", [CK_OP_AND] = "np.bitwise_and",
        [CK_OP_OR] = "np.bitwise_or",   [CK_OP_XOR] = "np.bitwise_xor",
    };
    struct ck_value args[] = {*left, *right};
    if (!are_numbers(args, 2) || !ck_computes_const_arrays(fn, args, 2))
        return false;
    *out = apply_row(fn, paths[op], args, 2, span);
    return true;
}

bool
ck_const_array_unary(struct ck_fn *fn, enum ck_unary_op op, const struct ck_value *operand,
                     struct ck_span span, struct ck_value *out)
{
    if (!ck_computes_const_arrays(fn, operand, 1))
        return false;
    const char *path = op == CK_OP_NEG   ? "np.negative"
                       : op == CK_OP_POS ? "np.positive"
                                         : "np.invert";
    *out = apply_row(fn, path, operand, 1, span);
    return true;
}

bool
ck_const_array_compare(struct ck_fn *fn, enum ck_compare_op op, const struct ck_value *left,
                       const struct ck_value *right, struct ck_span span, struct ck_texpr **out)
{
    static const char *const paths[] = {
        [CK_CMP_EQ] = "np.equal",   [CK_CMP_NE] = "np.not_equal",
        [CK_CMP_LT] = "np.less",    [CK_CMP_LE] = "np.less_equal",
        [CK_CMP_GT] = "np.greater", [CK_CMP_GE] = "np.greater_equal",
    };
    struct ck_value args[] = {*left, *right};
    if (!are_numbers(args, 2) || !ck_computes_const_arrays(fn, args, 2))
        return false;
    struct ck_value value = apply_row(fn, paths[op], args, 2, span);
    *out = value.kind == CK_VALUE_RUN ? value.expr : NULL;
    return true;
}

/* --- Views ---------------------------------------------------------------------------------------
 */

/* Item `at` of a view: the array's item at this position. */
static int64_t
place_in(const struct ck_const_array *array, const int64_t *starts, const int64_t *steps,
         const int *dims, const int64_t *shape, int ndim, int64_t at)
{
    int64_t index[CK_MAX_NDIM], position = 0;
    for (int i = 0; i < array->ndim; i++)
        index[i] = starts[i];
    for (int i = ndim - 1; i >= 0; i--) {
        index[dims[i]] += at % shape[i] * steps[dims[i]];
        at /= shape[i];
    }
    for (int i = 0; i < array->ndim; i++)
        position = position * array->shape[i] + index[i];
    return position;
}

/* The array of those items. */
static struct ck_value
picked(struct ck_fn *fn, const struct ck_const_array *array, const int64_t *starts,
       const int64_t *steps, const int *dims, const int64_t *shape, int ndim, struct ck_span span)
{
    int64_t count = 1;
    for (int i = 0; i < ndim; i++) {
        if (shape[i] < 1) {
            ck_error(fn, WRONG_TYPE, span, "an extent must be at least 1");
            return ck_value_error(span);
        }
        count *= shape[i];
    }
    struct ck_texpr **items = CK_NEW_ARRAY(fn->c->arena, struct ck_texpr *, count);
    for (int64_t at = 0; at < count; at++)
        items[at] = array->items[place_in(array, starts, steps, dims, shape, ndim, at)];
    return ck_const_array_value(fn, array->elem, shape, ndim, items, span);
}

static struct ck_value
transposed(struct ck_fn *fn, const struct ck_texpr *view)
{
    const struct ck_const_array *array = view->transpose.array->array;
    const int64_t starts[CK_MAX_NDIM] = {0};
    int64_t steps[CK_MAX_NDIM], shape[CK_MAX_NDIM];
    for (int i = 0; i < array->ndim; i++) {
        steps[i] = 1;
        shape[i] = array->shape[view->transpose.order[i]];
    }
    struct ck_value value =
        picked(fn, array, starts, steps, view->transpose.order, shape, array->ndim, view->span);
    if (value.kind == CK_VALUE_RUN && view->type->array.layout == CK_LAYOUT_F)
        ck_const_array_to_fortran(fn, &value);
    return value;
}

struct ck_value
ck_const_view(struct ck_fn *fn, const struct ck_texpr *view)
{
    if (view->kind == CK_T_TRANSPOSE)
        return transposed(fn, view);
    const struct ck_const_array *array = view->view.array->array;
    int64_t starts[CK_MAX_NDIM], steps[CK_MAX_NDIM], shape[CK_MAX_NDIM];
    int dims[CK_MAX_NDIM], ndim = 0;
    for (int i = 0; i < array->ndim; i++) {
        const struct ck_taxis *axis = &view->view.axes[i];
        struct ck_known_slice slice = {.step = 1};
        if (!axis->is_slice)
            slice.start = ck_clamped_int(axis->index.value);
        else if (!ck_slice_is_known(axis, array->shape[i], &slice)) {
            ck_error(fn, NOT_CONSTANT, view->span);
            return ck_value_error(view->span);
        }
        starts[i] =
            slice.start < 0 && !axis->is_slice ? slice.start + array->shape[i] : slice.start;
        steps[i] = slice.step;
        if (!axis->is_slice)
            continue;
        dims[ndim] = i;
        shape[ndim++] = slice.length;
    }
    return picked(fn, array, starts, steps, dims, shape, ndim, view->span);
}

void
ck_const_array_to_fortran(struct ck_fn *fn, struct ck_value *value)
{
    struct ck_const_array *array = value->expr->array;
    enum ck_layout layout = array->ndim == 1 ? CK_LAYOUT_C : CK_LAYOUT_F;
    array->is_fortran = array->ndim > 1;
    value->type = value->expr->type =
        ck_type_array(&fn->c->types, array->elem, array->ndim, layout, CK_SPACE_CONST);
}

/* --- Methods and functions -----------------------------------------------------------------------
 */

/* The array of a method's call in a module constant. Elsewhere such a method makes an array, which
 * kernels cannot: reported. */
static const struct ck_const_array *
constant_receiver(struct ck_call *call)
{
    struct ck_fn *fn = call->fn;
    const struct ck_value *array = ck_receiver(call);
    if (!array)
        return NULL;
    if (fn->constant_only && array_of(array))
        return array_of(array);
    const char *name = strchr(ck_builtin_path(call->id), '.');
    ck_numba_name_report(fn, ck_numba_name_find(name), call->syntax->call.callee);
    return NULL;
}

/* The same elements in another shape. */
static struct ck_value
reshaped(struct ck_call *call, const struct ck_const_array *array, const int64_t *shape, int ndim)
{
    return ck_const_array_value(call->fn, array->elem, shape, ndim, array->items,
                                call->syntax->span);
}

struct ck_value
ck_const_array_cast(struct ck_fn *fn, const struct ck_value *value, const struct ck_type *elem,
                    struct ck_span span)
{
    const struct ck_const_array *array = array_of(value);
    struct ck_texpr **items = CK_NEW_ARRAY(fn->c->arena, struct ck_texpr *, array->count);
    if (ck_const_count(fn, array->shape, array->ndim, elem, span) < 0)
        return ck_value_error(span);
    for (int64_t i = 0; i < array->count; i++) {
        struct ck_value item = ck_value_run(array->elem, array->items[i]);
        item.span = span;
        items[i] = ck_const_element_of(fn, &item, elem);
        if (!items[i])
            return ck_value_error(span);
    }
    return ck_const_array_value(fn, elem, array->shape, array->ndim, items, span);
}

struct ck_value
ck_rule_array_astype(struct ck_call *call)
{
    const struct ck_type *elem;
    if (!constant_receiver(call) || !ck_const_dtype(call, 0, &elem))
        return ck_value_error(call->syntax->span);
    return ck_const_array_cast(call->fn, call->self, elem, call->syntax->span);
}

/* The integers of a shape, given as arguments or as a tuple; one may be -1. False after an error.
 */
static bool
wanted_shape(struct ck_call *call, int64_t size, int64_t *shape, int *ndim)
{
    struct ck_fn *fn = call->fn;
    bool is_tuple = call->n_args == 1 && call->args[0].type->kind == CK_TYPE_TUPLE;
    int n = is_tuple ? call->args[0].type->tuple.n : call->n_args, open = -1;
    int64_t known = 1;
    bool fits = n >= 1 && n <= CK_MAX_NDIM;
    for (int i = 0; fits && i < n; i++) {
        struct ck_value item = is_tuple ? ck_tuple_item(fn, &call->args[0], i) : call->args[i];
        fits = ck_value_const_int(&item, &shape[i]) &&
               (shape[i] >= 1 || (shape[i] == -1 && open < 0)) && shape[i] <= size;
        if (fits && shape[i] == -1)
            open = i;
        else if (fits)
            fits = !__builtin_mul_overflow(known, shape[i], &known);
    }
    fits = fits && (open < 0 ? known == size : size % known == 0);
    if (fits && open >= 0)
        shape[open] = size / known;
    *ndim = n;
    if (!fits)
        ck_error(
            fn, WRONG_TYPE, call->syntax->span,
            ck_arena_printf(fn->c->arena, "%lld elements do not have this shape", (long long)size));
    return fits;
}

struct ck_value
ck_const_reshape(struct ck_call *call, const struct ck_value *value)
{
    const struct ck_const_array *array = array_of(value);
    int64_t shape[CK_MAX_NDIM];
    int ndim;
    if (!wanted_shape(call, array->count, shape, &ndim))
        return ck_value_error(call->syntax->span);
    return reshaped(call, array, shape, ndim);
}

struct ck_value
ck_const_ravel(struct ck_call *call, const struct ck_value *value)
{
    const struct ck_const_array *array = array_of(value);
    return reshaped(call, array, &array->count, 1);
}

struct ck_value
ck_const_copy(struct ck_call *call, const struct ck_value *value)
{
    const struct ck_const_array *array = array_of(value);
    return reshaped(call, array, array->shape, array->ndim);
}
