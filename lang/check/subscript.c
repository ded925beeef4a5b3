/* Checking subscripts: elements and views of arrays, items of tuples. */
#include <string.h>

#include "lang/check/builtins/builtins.h"
#include "lang/check/date.h"
#include "lang/check/element.h"
#include "lang/check/foreign_names.h"
#include "lang/check/name_tuple.h"
#include "lang/check/view.h"

/* --- Indexing ------------------------------------------------------------------------------------
 */

/* An index from an integer. False after an error. */
static bool
index_from_value(struct ck_fn *fn, const struct ck_value *value, struct ck_tindex *out)
{
    if (value->kind != CK_VALUE_RUN)
        return false;
    if (!ck_type_is_int(value->type) && value->type->kind != CK_TYPE_BOOL) {
        struct ck_diag *diag = ck_error(
            fn, BAD_INDEX, value->span,
            ck_arena_printf(fn->c->arena, "%s cannot be an index", ck_text_of(fn, value->type)));
        if (ck_type_is_float(value->type))
            ck_diag_help(fn->c->diags, diag, "cast it: int(...), or divide with `//`");
        return false;
    }
    out->value = value->type->kind == CK_TYPE_BOOL
                     ? ck_cast(fn, value->expr, ck_type_scalar(CK_TYPE_INT32))
                     : value->expr;
    out->wrap = !value->nonnegative && !fn->global->options.no_wraparound &&
                ck_type_is_signed(out->value->type);
    return true;
}

/* False, reported, for a constant index outside an axis of known extent. */
static bool
is_within(struct ck_fn *fn, const struct ck_value *array, int dim, const struct ck_tindex *index,
          struct ck_span span)
{
    const struct ck_axis_extent extent = ck_known_extent(array, dim);
    if (extent.n < 0 || index->value->kind != CK_T_CONST)
        return true;
    int64_t n = extent.n, given = index->value->constant.i;
    int64_t position = given < 0 && index->wrap ? given + n : given;
    if (position >= 0 && position < n)
        return true;
    bool is_unsigned = ck_type_is_unsigned(index->value->type);
    const char *text = is_unsigned
                           ? ck_arena_printf(fn->c->arena, "%llu", (unsigned long long)given)
                           : ck_arena_printf(fn->c->arena, "%lld", (long long)given);
    struct ck_diag *diag = ck_error(
        fn, BAD_INDEX, span,
        ck_arena_printf(fn->c->arena, "index %s is outside an axis of %lld", text, (long long)n));
    if (extent.asserted_at.end)
        ck_diag_label(fn->c->diags, diag, extent.asserted_at, "asserted here");
    return false;
}

/* Converts an index into one axis of an array. False after an error. */
static bool
array_index(struct ck_fn *fn, const struct ck_value *array, int dim, const struct ck_value *value,
            struct ck_tindex *out)
{
    return index_from_value(fn, value, out) && is_within(fn, array, dim, out, value->span);
}

static bool
wrong_index_count(struct ck_fn *fn, const struct ck_value *array, int n, struct ck_span span)
{
    int ndim = array->type->array.ndim;
    struct ck_diag *diag =
        ck_error(fn, BAD_INDEX, span,
                 ck_arena_printf(fn->c->arena, "%s has %d dimension%s, not %d",
                                 ck_text_of(fn, array->type), ndim, ndim == 1 ? "" : "s", n));
    if (ndim == 0)
        ck_diag_help(fn->c->diags, diag, "its only element is `x[()]`");
    return false;
}

/* Whether each read of an item evaluates the whole tuple, which has an effect. */
static bool
is_evaluated_anew(const struct ck_value *value)
{
    return value->kind == CK_VALUE_RUN && value->type->kind == CK_TYPE_TUPLE &&
           value->expr->kind != CK_T_TUPLE && ck_has_effect(value->expr);
}

void
ck_save_index(struct ck_fn *fn, struct ck_value *array, struct ck_value *index,
              struct ck_lets *lets)
{
    if (!is_evaluated_anew(index))
        return;
    array->expr = ck_lets_save(fn, lets, array->expr);
    index->expr = ck_lets_save(fn, lets, index->expr);
}

bool
ck_indices_from_value(struct ck_fn *fn, const struct ck_value *array, const struct ck_value *index,
                      struct ck_tindex **out)
{
    if (index->kind != CK_VALUE_RUN)
        return false;
    bool is_tuple = index->type->kind == CK_TYPE_TUPLE;
    int n = is_tuple ? index->type->tuple.n : 1;
    if (n != array->type->array.ndim)
        return wrong_index_count(fn, array, n, index->span);
    *out = CK_NEW_ARRAY(fn->c->arena, struct ck_tindex, n);
    for (int i = 0; i < n; i++) {
        struct ck_value item = is_tuple ? ck_tuple_item(fn, index, i) : *index;
        if (!array_index(fn, array, i, &item, &(*out)[i]))
            return false;
    }
    return true;
}

enum { MAX_INDICES = 2 * CK_MAX_NDIM };

static struct ck_value tuple_subscript(struct ck_fn *fn, struct ck_value tuple,
                                       const struct ck_expr *expr);

/* An index as written, and the subscript that has it. */
struct index {
    const struct ck_expr *expr, *subscript;
};

/* One index as written, or one item of a tuple of indices: a slice if `value` is NONE. */
struct part {
    struct ck_value value;
    struct ck_taxis axis; /* a slice */
    bool is_rest;         /* `...` */
};

static bool
has_slice(const struct ck_expr *subscript)
{
    for (int i = 0; i < subscript->subscript.n_indices; i++) {
        if (subscript->subscript.indices[i]->kind == CK_EXPR_SLICE)
            return true;
    }
    return false;
}

/* Collects `A[i][j, k]` into A's value and [i, j, k]; A may be an item of a tuple, `t[0][i]`, or a
 * view by slices. `checked` is the value of the subscript's object, NULL if it was not checked: an
 * expression is checked once, as that may make an array. -1: too many. */
static int
collect_indices(struct ck_fn *fn, const struct ck_expr *expr, const struct ck_value *checked,
                struct ck_value *array, struct index *indices)
{
    int n = 0;
    const struct ck_expr *object = expr->subscript.object;
    if (object->kind == CK_EXPR_SUBSCRIPT && !has_slice(object) && !ck_is_key(object))
        n = collect_indices(fn, object, NULL, array, indices);
    else
        *array = checked ? ck_as_run(fn, *checked) : ck_check_run(fn, object);
    if (n == 0 && array->kind == CK_VALUE_RUN && array->type->kind == CK_TYPE_TUPLE) {
        *array = tuple_subscript(fn, *array, expr);
        return 0;
    }
    if (n < 0 || n + expr->subscript.n_indices > MAX_INDICES)
        return -1;
    for (int i = 0; i < expr->subscript.n_indices; i++)
        indices[n++] = (struct index){expr->subscript.indices[i], expr};
    return n;
}

/* The value of an index that is no slice; kind ERROR, reported, if it is no index. */
static struct ck_value
check_index(struct ck_fn *fn, const struct index *index)
{
    const struct ck_expr *expr = index->expr;
    if (expr->kind == CK_EXPR_STRING) {
        struct ck_diag *diag =
            ck_error(fn, BAD_INDEX, expr->span, "a string is no index of this array");
        ck_diag_help(fn->c->diags, diag, "the name of a field stands alone: `A[\"x\"][i]`");
        return ck_value_error(expr->span);
    }
    struct ck_value value = ck_check_run(fn, expr);
    value.span = expr->span; /* only in the subscript itself, not where a name got its constant */
    if (value.kind == CK_VALUE_RUN && value.type->kind == CK_TYPE_TUPLE &&
        index->subscript->subscript.n_indices > 1) {
        struct ck_diag *diag = ck_error(fn, BAD_INDEX, expr->span,
                                        "a tuple among other indices selects several "
                                        "elements in NumPy, which kernels cannot");
        ck_diag_help(fn->c->diags, diag, "write its items, as in `A[t[0], t[1], k]`");
        return ck_value_error(expr->span);
    }
    return value;
}

/* The indices as written. False after an error. */
static bool
check_indices(struct ck_fn *fn, const struct index *indices, int n, struct part *out)
{
    bool good = true;
    for (int i = 0; i < n; i++) {
        const struct ck_expr *expr = indices[i].expr;
        if (expr->kind == CK_EXPR_SLICE) {
            out[i].value = (struct ck_value){.kind = CK_VALUE_NONE, .span = expr->span};
            out[i].is_rest = expr->slice.is_rest;
            good = ck_slice_axis(fn, expr, &out[i].axis) && good;
        } else {
            out[i].value = check_index(fn, &indices[i]);
            good = good && out[i].value.kind == CK_VALUE_RUN;
        }
    }
    return good;
}

/* Saves the array and the indices, in order, if one of them is a tuple that is evaluated anew for
 * each item. Slices stand after tuples: those before belong to the array. */
static void
save_indices(struct ck_fn *fn, struct part *parts, int n, struct ck_element *out)
{
    bool any = false;
    for (int i = 0; i < n; i++)
        any = any || is_evaluated_anew(&parts[i].value);
    if (!any)
        return;
    out->array.expr = ck_lets_save(fn, &out->lets, out->array.expr);
    for (int i = 0; i < n; i++) {
        if (parts[i].value.kind == CK_VALUE_RUN)
            parts[i].value.expr = ck_lets_save(fn, &out->lets, parts[i].value.expr);
    }
}

/* The parts with the items of tuples in their place; returns their number. */
static int
spread_tuples(struct ck_fn *fn, const struct part *parts, int n, struct part *out)
{
    int count = 0;
    for (int i = 0; i < n; i++) {
        const struct ck_value *value = &parts[i].value;
        const bool is_tuple = value->kind == CK_VALUE_RUN && value->type->kind == CK_TYPE_TUPLE;
        const int n_items = is_tuple ? value->type->tuple.n : 1;
        for (int k = 0; k < n_items && count < MAX_INDICES; k++) {
            out[count] = parts[i];
            if (is_tuple)
                out[count].value = ck_tuple_item(fn, value, k);
            count++;
        }
    }
    return count;
}

static bool
element_of(struct ck_fn *fn, const struct part *parts, struct ck_element *out)
{
    int ndim = out->array.type->array.ndim;
    out->indices = CK_NEW_ARRAY(fn->c->arena, struct ck_tindex, ndim);
    for (int i = 0; i < ndim; i++) {
        if (!array_index(fn, &out->array, i, &parts[i].value, &out->indices[i]))
            return false;
    }
    return true;
}

static bool
view_of(struct ck_fn *fn, const struct part *parts, int n, struct ck_span span,
        struct ck_element *out)
{
    struct ck_taxis axes[CK_MAX_NDIM] = {0};
    for (int i = 0; i < n; i++) {
        axes[i] = parts[i].axis;
        if (!axes[i].is_slice && !array_index(fn, &out->array, i, &parts[i].value, &axes[i].index))
            return false;
    }
    out->view = ck_view_of(fn, out->array.expr, axes, n, span);
    return true;
}

/* Replaces `...` by whole axes, so that each axis of the array has an index. Returns the number of
 * parts, or -1 after an error. */
static int
spread_rest(struct ck_fn *fn, struct part *parts, int count, int ndim)
{
    int at = 0, left = ndim - (count - 1);
    while (at < count && !parts[at].is_rest)
        at++;
    if (at == count)
        return count;
    for (int i = at + 1; i < count; i++) {
        if (parts[i].is_rest) {
            ck_error(fn, BAD_INDEX, parts[i].value.span, "an index has one `...`");
            return -1;
        }
    }
    if (left < 0)
        left = 0;
    struct part whole = parts[at];
    whole.is_rest = false;
    memmove(&parts[at + left], &parts[at + 1], (size_t)(count - at - 1) * sizeof *parts);
    for (int i = 0; i < left; i++)
        parts[at + i] = whole;
    return count - 1 + left;
}

/* The element or view of out->array that `n` collected indices denote. */
static bool
collected_element(struct ck_fn *fn, const struct ck_expr *expr, const struct index *indices, int n,
                  struct ck_element *out)
{
    struct part written[MAX_INDICES] = {0}, parts[MAX_INDICES + 1] = {0};
    if (n < 0) {
        ck_error(fn, BAD_INDEX, expr->span, "more indices than an array can have dimensions");
        return false;
    }
    if (!check_indices(fn, indices, n, written) || out->array.kind == CK_VALUE_ERROR)
        return false;
    save_indices(fn, written, n, out);
    int count = spread_tuples(fn, written, n, parts);
    if (n > 0 && ck_type_is_pointer(out->array.type)) {
        const struct ck_value pointer = out->array;
        if (count == 1)
            return ck_pointee(fn, &pointer, &parts[0].value, expr->span, &out->array);
        ck_error(fn, BAD_INDEX, expr->span, "a pointer has one index");
        return false;
    }
    if (n == 0 || !ck_type_is_array(out->array.type)) {
        ck_error(fn, BAD_INDEX, expr->span,
                 n == 0 ? "a tuple's items cannot be assigned"
                        : ck_arena_printf(fn->c->arena, "%s cannot be indexed",
                                          ck_text_of(fn, out->array.type)));
        return false;
    }
    int ndim = out->array.type->array.ndim;
    count = spread_rest(fn, parts, count, ndim);
    if (count < 0)
        return false;
    if (count > ndim)
        return wrong_index_count(fn, &out->array, count, expr->span);
    bool is_view = count < ndim;
    for (int i = 0; i < count; i++)
        is_view = is_view || parts[i].axis.is_slice;
    return is_view ? view_of(fn, parts, count, expr->span, out) : element_of(fn, parts, out);
}

bool
ck_check_element(struct ck_fn *fn, const struct ck_expr *expr, struct ck_element *out)
{
    struct index indices[MAX_INDICES];
    *out = (struct ck_element){0};
    int n = collect_indices(fn, expr, NULL, &out->array, indices);
    return collected_element(fn, expr, indices, n, out);
}

static struct ck_value
tuple_subscript(struct ck_fn *fn, struct ck_value tuple, const struct ck_expr *expr)
{
    int n = tuple.type->tuple.n;
    int64_t index;
    const struct ck_expr *first = expr->subscript.indices[0];
    if (expr->subscript.n_indices != 1 || (first->kind == CK_EXPR_SLICE && first->slice.is_rest)) {
        ck_error(fn, BAD_INDEX, expr->span, "a tuple has one index");
        return ck_value_error(expr->span);
    }
    if (expr->subscript.indices[0]->kind == CK_EXPR_SLICE)
        return ck_slice_tuple(fn, tuple, expr->subscript.indices[0]);
    struct ck_value value = ck_check_run(fn, expr->subscript.indices[0]);
    if (value.kind == CK_VALUE_ERROR)
        return value;
    if (!ck_type_is_int(value.type)) {
        ck_error(fn, BAD_INDEX, value.span, "the index of a tuple must be an integer");
        return ck_value_error(expr->span);
    }
    bool is_known = ck_value_const_int(&value, &index);
    if (!is_known && n > 0)
        return ck_tuple_at(fn, tuple, value, expr->span);
    if (!is_known)
        index = 0;
    if (index < -n || index >= n) {
        ck_error(fn, BAD_INDEX, value.span,
                 index == INT64_MAX /* or larger */
                     ? ck_arena_printf(fn->c->arena, "index %s is outside a tuple of %d",
                                       ck_diag_text(fn->c->diags, value.span), n)
                     : ck_arena_printf(fn->c->arena, "index %lld is outside a tuple of %d",
                                       (long long)index, n));
        return ck_value_error(expr->span);
    }
    index = index < 0 ? index + n : index;
    return ck_only_item(fn, &tuple, (int)index, expr->span);
}

/* `x[()]`: of a scalar, which NumPy takes for an array without dimensions, the scalar. */
static bool
is_empty_index(const struct ck_expr *expr)
{
    const struct ck_expr *first = expr->subscript.indices[0];
    return expr->subscript.n_indices == 1 && first->kind == CK_EXPR_TUPLE && !first->sequence.n;
}

/* Whether the object of a chain of subscripts is a tuple of functions. */
static bool
is_of_names(struct ck_fn *fn, const struct ck_expr *object)
{
    while (object->kind == CK_EXPR_SUBSCRIPT)
        object = object->subscript.object;
    return object->kind == CK_EXPR_NAME && ck_probe(fn, object).kind == CK_VALUE_NAMES;
}

/* `A["x"]`, or `r["x"]` of a record. */
static struct ck_value
named_field(struct ck_fn *fn, const struct ck_expr *expr)
{
    struct ck_value field, object = ck_check_run(fn, expr->subscript.object);
    const struct ck_expr *key = expr->subscript.indices[0];
    if (object.kind == CK_VALUE_ERROR)
        return object;
    if (ck_field_value(fn, &object, key->string.bytes, expr->span, &field))
        return field;
    const int index =
        ck_type_is_record(object.type) ? ck_field_index(object.type, key->string.bytes) : -1;
    if (index >= 0)
        return ck_only_item(fn, &object, index, expr->span);
    ck_report_field(fn, &object, key->string.bytes, key->span);
    return ck_value_error(expr->span);
}

struct ck_value
ck_check_subscript(struct ck_fn *fn, const struct ck_expr *expr)
{
    const struct ck_expr *object = expr->subscript.object;
    const struct ck_type *date = ck_date_type_of_subscript(fn->c, expr);
    if (date)
        return (struct ck_value){.kind = CK_VALUE_TYPE, .type = date, .span = expr->span};
    if (ck_is_key(expr))
        return named_field(fn, expr);
    if (object->kind == CK_EXPR_SUBSCRIPT && is_of_names(fn, object)) {
        struct ck_value item = ck_check_subscript(fn, object);
        if (item.kind == CK_VALUE_NAMES)
            return ck_name_tuple_item(fn, &item, expr);
        if (item.kind == CK_VALUE_RUN && item.type->kind == CK_TYPE_TUPLE)
            return tuple_subscript(fn, item, expr);
    }
    struct ck_value value;
    if (object->kind != CK_EXPR_SUBSCRIPT) {
        value = ck_check_expr(fn, object);
        if (value.kind == CK_VALUE_ERROR)
            return value;
        if (value.kind == CK_VALUE_TYPE) {
            ck_error(fn, WRONG_TYPE, expr->span, "an array type is not a value");
            return ck_value_error(expr->span);
        }
        if (value.kind == CK_VALUE_NAMES)
            return ck_name_tuple_item(fn, &value, expr);
        if (value.kind == CK_VALUE_RUN && value.type->kind == CK_TYPE_TUPLE)
            return tuple_subscript(fn, value, expr);
        if (value.kind == CK_VALUE_RUN && ck_type_is_scalar(value.type) && is_empty_index(expr))
            return value;
    }
    struct index indices[MAX_INDICES];
    struct ck_element element = {0};
    const struct ck_value *checked = object->kind == CK_EXPR_SUBSCRIPT ? NULL : &value;
    int n = collect_indices(fn, expr, checked, &element.array, indices);
    if (n == 0) /* an item of a tuple within a tuple */
        return element.array;
    if (!collected_element(fn, expr, indices, n, &element))
        return ck_value_error(expr->span);
    if (element.view && fn->constant_only && element.array.expr->kind == CK_T_ARRAY)
        return ck_const_view(fn, element.view);
    if (element.view) {
        struct ck_value view =
            ck_value_run(element.view->type, ck_lets_in(&element.lets, element.view));
        view.extents = ck_view_extents(fn, &element.array, element.view);
        return view;
    }
    struct ck_texpr *constant;
    if (ck_const_element(element.array.expr, element.indices, &constant))
        return ck_value_run(element.array.type->array.elem, constant);
    value = ck_element_at(fn, element.array.expr, element.indices, expr->span);
    value.expr = ck_lets_in(&element.lets, value.expr);
    return value;
}
