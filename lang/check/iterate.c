/* The iterables of a `for`: ranges, tuples, arrays; `reversed`, `enumerate` and `zip` of them;
 * NumPy's `ndindex` and `ndenumerate`.
 *
 * The loop itself counts a range that stands alone. Any other iterable is counted from 0 to its
 * trip count, and the items are computed from the counter. */
#include <string.h>

#include "lang/check/checker.h"
#include "lang/check/element.h"
#include "lang/check/iterate.h"
#include "lang/check/view.h"

enum kind { RANGE, VALUE, ENUMERATE, ZIP, INDICES };

struct ck_iterator {
    enum kind kind;
    struct ck_span span;
    struct ck_texpr *count; /* trip count, int64, simple; NULL for a RANGE that stands alone */
    /* RANGE: in the counter's type; simple expressions unless it stands alone */
    struct ck_texpr *start, *stop, *step;
    bool nonnegative, runs, is_reversed;
    struct ck_value value;     /* VALUE: a tuple or an array; INDICES: of ndenumerate, the array */
    struct ck_texpr **extents; /* INDICES: int64, simple, >= 0 */
    int n_extents;
    struct ck_value first;     /* ENUMERATE: int64 */
    struct ck_iterator *parts; /* ENUMERATE: one; ZIP: any number */
    int n_parts;
    struct ck_value item; /* in the iteration being checked */
};

static const struct ck_type *
int64_type(void)
{
    return ck_type_scalar(CK_TYPE_INT64);
}

static struct ck_texpr *
binary(struct ck_fn *fn, enum ck_binary_op op, struct ck_texpr *left, struct ck_texpr *right)
{
    return ck_binary_expr(fn, op, left, right, left->span);
}

static struct ck_texpr *
below(struct ck_fn *fn, struct ck_texpr *left, struct ck_texpr *right)
{
    return ck_compare_expr(fn, CK_CMP_LT, left, right, left->span);
}

static struct ck_texpr *
choose(struct ck_fn *fn, struct ck_texpr *test, struct ck_texpr *then, struct ck_texpr *otherwise)
{
    return ck_select_expr(fn, test, then, otherwise, then->span);
}

static bool
is_zero(const struct ck_texpr *expr)
{
    return expr->kind == CK_T_CONST && expr->constant.i == 0;
}

/* The expression kept in a temporary, unless it is simple. */
static struct ck_texpr *
hold(struct ck_fn *fn, struct ck_texpr *expr)
{
    if (ck_is_simple(expr))
        return expr;
    return ck_hold(fn, ck_value_run(expr->type, expr)).expr;
}

/* --- Ranges --------------------------------------------------------------------------------------
 */

/* The integer type a range counts in: its arguments' common type. */
static const struct ck_type *
range_type(struct ck_fn *fn, const struct ck_value *args, int n)
{
    struct ck_value common = ck_value_int(fn, 0, args[0].span);
    for (int i = 0; i < n; i++) {
        if (args[i].kind != CK_VALUE_RUN || !ck_type_is_whole(args[i].type)) {
            if (args[i].kind != CK_VALUE_ERROR)
                ck_error(fn, WRONG_TYPE, args[i].span,
                         ck_arena_printf(fn->c->arena, "`range` counts in integers, not in %s",
                                         args[i].type ? ck_text_of(fn, args[i].type) : "this"));
            return NULL;
        }
        if (!ck_common_add(&fn->c->types, &common, &args[i])) {
            ck_mixed_sign_among(fn, args, i);
            return NULL;
        }
    }
    return ck_storage_type(&fn->c->types, common.type);
}

static bool
range_of(struct ck_fn *fn, const struct ck_expr *call, struct ck_iterator *out)
{
    int n = call->call.n_args;
    out->kind = RANGE;
    if (n < 1 || n > 3) {
        ck_error(fn, WRONG_COUNT, call->span, "range", "1 to 3 arguments", n);
        return false;
    }
    struct ck_value args[3];
    for (int i = 0; i < n; i++) {
        if (call->call.args[i].name) {
            ck_error(fn, KEYWORD, call->call.args[i].name_span, call->call.args[i].name, "range");
            return false;
        }
        args[i] = ck_check_run(fn, call->call.args[i].value);
    }
    const struct ck_type *type = range_type(fn, args, n);
    if (!type)
        return false;
    struct ck_value zero = ck_value_int(fn, 0, call->span), one = ck_value_int(fn, 1, call->span);
    const struct ck_value *start = n > 1 ? &args[0] : &zero, *stop = &args[n > 1],
                          *step = n > 2 ? &args[2] : &one;
    int64_t first, last, by;
    bool constant_step = ck_value_const_int(step, &by);
    if (constant_step && by == 0) {
        ck_error(fn, WRONG_TYPE, step->span, "the step of `range` is zero");
        return false;
    }
    out->nonnegative = start->nonnegative && constant_step && by > 0;
    out->runs = constant_step && ck_value_const_int(start, &first) &&
                ck_value_const_int(stop, &last) && (by > 0 ? first < last : first > last);
    if (constant_step)
        ck_warn_zero_trips(fn, start, stop, by, call->span);
    out->start = ck_convert(fn, start, type);
    out->stop = ck_convert(fn, stop, type);
    out->step = ck_convert(fn, step, type);
    return out->start && out->stop && out->step;
}

/* The number of steps of this size, not zero, from `from` to before `to`; modulo 2**64. */
static struct ck_texpr *
steps_between(struct ck_fn *fn, struct ck_texpr *from, struct ck_texpr *to, struct ck_texpr *size)
{
    const struct ck_type *u64 = ck_type_scalar(CK_TYPE_UINT64);
    struct ck_texpr *one = ck_const_int(fn, u64, 1, from->span);
    struct ck_texpr *offset = binary(fn, CK_OP_SUB, ck_cast(fn, to, u64), ck_cast(fn, from, u64));
    struct ck_texpr *iterations = binary(
        fn, CK_OP_ADD, binary(fn, CK_OP_FLOORDIV, binary(fn, CK_OP_SUB, offset, one), size), one);
    return choose(fn, below(fn, from, to), ck_cast(fn, iterations, int64_type()),
                  ck_const_int(fn, int64_type(), 0, from->span));
}

/* A range among other iterables: saves its expressions and computes its trip count. */
static void
count_range(struct ck_fn *fn, struct ck_iterator *range)
{
    const struct ck_type *u64 = ck_type_scalar(CK_TYPE_UINT64);
    struct ck_span span = range->span;
    range->start = hold(fn, range->start);
    range->stop = hold(fn, range->stop);
    range->step = hold(fn, range->step);
    struct ck_texpr *zero = ck_const_int(fn, range->step->type, 0, span);
    struct ck_texpr *size = ck_cast(fn, range->step, u64);
    struct ck_texpr *negated = binary(fn, CK_OP_SUB, ck_const_int(fn, u64, 0, span), size);
    struct ck_texpr *none = ck_const_int(fn, int64_type(), 0, span);
    struct ck_texpr *rising = below(fn, zero, range->step);
    struct ck_texpr *falling = below(fn, range->step, zero);
    struct ck_texpr *up = steps_between(fn, range->start, range->stop, size);
    struct ck_texpr *down = steps_between(fn, range->stop, range->start, negated);
    range->count = hold(fn, choose(fn, rising, up, choose(fn, falling, down, none)));
}

static struct ck_value
range_item(struct ck_fn *fn, const struct ck_iterator *range, struct ck_texpr *iteration)
{
    struct ck_texpr *step = ck_cast(fn, range->step, int64_type());
    struct ck_texpr *start = ck_cast(fn, range->start, int64_type());
    bool by_one = step->kind == CK_T_CONST && step->constant.i == 1;
    bool from_zero = is_zero(start);
    struct ck_texpr *offset = by_one ? iteration : binary(fn, CK_OP_MUL, iteration, step);
    struct ck_texpr *item = from_zero ? offset : binary(fn, CK_OP_ADD, start, offset);
    struct ck_value value = ck_value_run(range->start->type, ck_cast(fn, item, range->start->type));
    value.nonnegative = value.nonnegative || range->nonnegative;
    return value;
}

/* --- Tuples and arrays ---------------------------------------------------------------------------
 */

/* Joins the types of a tuple's items. False: they have no common one. */
static bool
join_items(struct ck_fn *fn, const struct ck_value *tuple, struct ck_value *common)
{
    bool agree = true;
    *common = (struct ck_value){.kind = CK_VALUE_ERROR};
    for (int i = 0; i < tuple->type->tuple.n && agree; i++) {
        struct ck_value item = ck_tuple_item(fn, tuple, i);
        agree = ck_common_add(&fn->c->types, common, &item);
    }
    return agree;
}

bool
ck_have_common_type(struct ck_fn *fn, const struct ck_value *tuple)
{
    struct ck_value common;
    return join_items(fn, tuple, &common);
}

bool
ck_unify_items(struct ck_fn *fn, struct ck_value *tuple)
{
    struct ck_value common;
    if (!join_items(fn, tuple, &common)) {
        ck_error(fn, WRONG_TYPE, tuple->span,
                 ck_arena_printf(fn->c->arena, "the items of %s have no common type",
                                 ck_text_of(fn, tuple->type)));
        return false;
    }
    const struct ck_type **items =
        CK_NEW_ARRAY(fn->c->arena, const struct ck_type *, tuple->type->tuple.n);
    for (int i = 0; i < tuple->type->tuple.n; i++)
        items[i] = common.type;
    const struct ck_type *unified = ck_type_tuple(&fn->c->types, items, tuple->type->tuple.n);
    struct ck_texpr *expr = ck_convert(fn, tuple, unified);
    if (!expr)
        return false;
    tuple->type = unified;
    tuple->expr = expr;
    return true;
}

static bool
value_of(struct ck_fn *fn, const struct ck_expr *iterable, struct ck_iterator *out)
{
    struct ck_value value = ck_check_run(fn, iterable);
    out->kind = VALUE;
    if (value.kind == CK_VALUE_ERROR)
        return false;
    struct ck_span span = iterable->span;
    if (value.type->kind == CK_TYPE_TUPLE) {
        out->count = ck_const_int(fn, int64_type(), value.type->tuple.n, span);
        if (value.type->tuple.n && !ck_unify_items(fn, &value))
            return false;
    } else if (ck_type_is_array(value.type) && value.type->array.ndim) {
        value = ck_hold(fn, value);
        out->count = ck_extent_expr(fn, CK_T_SHAPE, value.expr, 0, span);
    } else {
        ck_error(fn, WRONG_TYPE, span,
                 ck_arena_printf(fn->c->arena, "%s cannot be iterated over",
                                 ck_text_of(fn, value.type)));
        return false;
    }
    out->value = ck_hold(fn, value);
    return true;
}

struct ck_value
ck_item_at(struct ck_fn *fn, const struct ck_value *iterated, struct ck_texpr *index,
           struct ck_span span)
{
    if (ck_type_is_array(iterated->type)) {
        if (iterated->type->array.ndim > 1) {
            struct ck_taxis axis = {.index.value = index};
            struct ck_texpr *row = ck_view_of(fn, iterated->expr, &axis, 1, span);
            return ck_value_run(row->type, row);
        }
        struct ck_tindex *at = CK_NEW(fn->c->arena, struct ck_tindex);
        at->value = index;
        return ck_element_at(fn, iterated->expr, at, span);
    }
    int n = iterated->type->tuple.n;
    struct ck_value last = ck_tuple_item(fn, iterated, n - 1);
    const struct ck_type *type = last.type;
    struct ck_texpr *chosen = last.expr;
    for (int i = n - 2; i >= 0; i--) {
        struct ck_value item = ck_tuple_item(fn, iterated, i);
        struct ck_texpr *iteration = ck_const_int(fn, int64_type(), i, span);
        struct ck_texpr *is_iteration = ck_compare_expr(fn, CK_CMP_EQ, index, iteration, span);
        chosen = ck_select_expr(fn, is_iteration, item.expr, chosen, span);
    }
    struct ck_value value = ck_value_run(type, chosen);
    for (int i = 0; i < n; i++) {
        struct ck_value item = ck_tuple_item(fn, iterated, i);
        value.range.low = i && value.range.low < item.range.low ? value.range.low : item.range.low;
        value.range.high =
            i && value.range.high > item.range.high ? value.range.high : item.range.high;
        value.range.farthest = ck_farther(value.range.farthest, item.range.farthest);
    }
    return value;
}

/* --- enumerate and zip ---------------------------------------------------------------------------
 */

static bool iterator_of(struct ck_fn *fn, const struct ck_expr *iterable, bool alone,
                        struct ck_iterator *out);

static bool
enumerate_of(struct ck_fn *fn, const struct ck_expr *call, struct ck_iterator *out)
{
    int n = call->call.n_args;
    out->kind = ENUMERATE;
    if (n < 1 || n > 2) {
        ck_error(fn, WRONG_COUNT, call->span, "enumerate", "1 to 2 arguments", n);
        return false;
    }
    for (int i = 0; i < n; i++) {
        const struct ck_argument *arg = &call->call.args[i];
        if (arg->name && (i == 0 || strcmp(arg->name, "start") != 0)) {
            ck_error(fn, KEYWORD, arg->name_span, arg->name, "enumerate");
            return false;
        }
    }
    out->parts = CK_NEW(fn->c->arena, struct ck_iterator);
    out->n_parts = 1;
    bool good = iterator_of(fn, call->call.args[0].value, false, out->parts);
    out->first =
        n > 1 ? ck_check_run(fn, call->call.args[1].value) : ck_value_int(fn, 0, call->span);
    if (out->first.kind == CK_VALUE_ERROR || !good)
        return false;
    if (!ck_type_is_int(out->first.type) && out->first.type->kind != CK_TYPE_BOOL) {
        ck_error(fn, WRONG_TYPE, out->first.span,
                 ck_arena_printf(fn->c->arena, "`enumerate` counts in integers, not in %s",
                                 ck_text_of(fn, out->first.type)));
        return false;
    }
    out->first.expr = hold(fn, ck_cast(fn, out->first.expr, int64_type()));
    out->count = out->parts[0].count;
    return true;
}

static bool
zip_of(struct ck_fn *fn, const struct ck_expr *call, struct ck_iterator *out)
{
    int n = call->call.n_args;
    out->kind = ZIP;
    if (n < 1) {
        ck_error(fn, WRONG_COUNT, call->span, "zip", "at least 1 argument", n);
        return false;
    }
    out->parts = CK_NEW_ARRAY(fn->c->arena, struct ck_iterator, n);
    out->n_parts = n;
    bool good = true;
    for (int i = 0; i < n; i++) {
        const struct ck_argument *arg = &call->call.args[i];
        if (arg->name) {
            ck_error(fn, KEYWORD, arg->name_span, arg->name, "zip");
            return false;
        }
        good = iterator_of(fn, arg->value, false, &out->parts[i]) && good;
    }
    if (!good)
        return false;
    out->count = out->parts[0].count;
    for (int i = 1; i < n; i++) {
        struct ck_texpr *mine = out->parts[i].count;
        if (is_zero(out->count))
            break;
        out->count = is_zero(mine)
                         ? mine
                         : hold(fn, choose(fn, below(fn, mine, out->count), mine, out->count));
    }
    return true;
}

/* --- ndindex and ndenumerate ---------------------------------------------------------------------
 */

/* The trip count is the product of the extents. Of no extents it is 1. */
static void
count_indices(struct ck_fn *fn, struct ck_iterator *out)
{
    struct ck_texpr *count = ck_const_int(fn, int64_type(), 1, out->span);
    for (int i = 0; i < out->n_extents; i++)
        count = binary(fn, CK_OP_MUL, count, out->extents[i]);
    out->count = hold(fn, count);
}

/* `np.ndindex(n, ...)`, or of a tuple: the indices of an array of this shape. */
static bool
ndindex_of(struct ck_fn *fn, const struct ck_expr *call, struct ck_iterator *out)
{
    int n = call->call.n_args;
    struct ck_value *values = CK_NEW_ARRAY(fn->c->arena, struct ck_value, n);
    out->kind = INDICES;
    for (int i = 0; i < n; i++) {
        if (call->call.args[i].name) {
            ck_error(fn, KEYWORD, call->call.args[i].name_span, call->call.args[i].name,
                     "np.ndindex");
            return false;
        }
        values[i] = ck_check_run(fn, call->call.args[i].value);
        if (values[i].kind != CK_VALUE_RUN)
            return false;
    }
    if (n == 1 && values[0].type->kind == CK_TYPE_TUPLE) {
        const struct ck_value shape = ck_hold(fn, values[0]);
        n = shape.type->tuple.n;
        values = CK_NEW_ARRAY(fn->c->arena, struct ck_value, n);
        for (int i = 0; i < n; i++)
            values[i] = ck_tuple_item(fn, &shape, i);
    }
    out->n_extents = n;
    out->extents = CK_NEW_ARRAY(fn->c->arena, struct ck_texpr *, n);
    for (int i = 0; i < n; i++) {
        if (!ck_type_is_whole(values[i].type)) {
            ck_error(fn, WRONG_TYPE, call->call.args[call->call.n_args > 1 ? i : 0].value->span,
                     ck_arena_printf(fn->c->arena, "`np.ndindex` takes integers, not %s",
                                     ck_text_of(fn, values[i].type)));
            return false;
        }
        struct ck_texpr *extent = hold(fn, ck_cast(fn, values[i].expr, int64_type()));
        struct ck_texpr *zero = ck_const_int(fn, int64_type(), 0, call->span);
        out->extents[i] = values[i].nonnegative
                              ? extent
                              : hold(fn, choose(fn, below(fn, extent, zero), zero, extent));
    }
    count_indices(fn, out);
    return true;
}

/* `np.ndenumerate(x)`: the indices of each element, and the element. */
static bool
ndenumerate_of(struct ck_fn *fn, const struct ck_expr *call, struct ck_iterator *out)
{
    out->kind = INDICES;
    if (call->call.n_args != 1 || call->call.args[0].name) {
        ck_error(fn, WRONG_COUNT, call->span, "np.ndenumerate", "1 argument", call->call.n_args);
        return false;
    }
    struct ck_value array = ck_check_run(fn, call->call.args[0].value);
    if (array.kind != CK_VALUE_RUN)
        return false;
    if (!ck_type_is_array(array.type)) {
        ck_error(fn, WRONG_TYPE, array.span,
                 ck_arena_printf(fn->c->arena, "`np.ndenumerate` takes an array, not %s",
                                 ck_text_of(fn, array.type)));
        return false;
    }
    out->value = ck_hold(fn, array);
    out->n_extents = array.type->array.ndim;
    out->extents = CK_NEW_ARRAY(fn->c->arena, struct ck_texpr *, out->n_extents);
    for (int i = 0; i < out->n_extents; i++)
        out->extents[i] = hold(fn, ck_extent_expr(fn, CK_T_SHAPE, out->value.expr, i, call->span));
    count_indices(fn, out);
    return true;
}

/* A tuple of values. */
static struct ck_value
tuple_of(struct ck_fn *fn, const struct ck_value *items, int n, struct ck_span span)
{
    const struct ck_type **types = CK_NEW_ARRAY(fn->c->arena, const struct ck_type *, n + 1);
    struct ck_texpr *tuple = ck_texpr_new(fn, CK_T_TUPLE, NULL, span);
    tuple->tuple.items = CK_NEW_ARRAY(fn->c->arena, struct ck_texpr *, n + 1);
    tuple->tuple.n = n;
    for (int i = 0; i < n; i++) {
        types[i] = ck_storage_type(&fn->c->types, items[i].type);
        tuple->tuple.items[i] = items[i].expr;
    }
    tuple->type = ck_type_tuple(&fn->c->types, types, n);
    return ck_value_run(tuple->type, tuple);
}

/* The indices of one iteration, the last axis fastest, with the element of ndenumerate. */
static struct ck_value
indices_item(struct ck_fn *fn, const struct ck_iterator *iterator, struct ck_texpr *iteration)
{
    const int n = iterator->n_extents;
    struct ck_value *indices = CK_NEW_ARRAY(fn->c->arena, struct ck_value, n + 1);
    struct ck_tindex *at = CK_NEW_ARRAY(fn->c->arena, struct ck_tindex, n + 1);
    struct ck_texpr *rest = iteration;
    for (int i = n - 1; i >= 0; i--) {
        struct ck_texpr *index = i ? binary(fn, CK_OP_MOD, rest, iterator->extents[i]) : rest;
        if (i)
            rest = hold(fn, binary(fn, CK_OP_FLOORDIV, rest, iterator->extents[i]));
        indices[i] = ck_value_run(int64_type(), hold(fn, index));
        indices[i].nonnegative = true;
        at[i].value = indices[i].expr;
    }
    struct ck_value item = tuple_of(fn, indices, n, iterator->span);
    item.nonnegative = true;
    if (!iterator->value.type)
        return item;
    const struct ck_value parts[2] = {
        item, ck_hold(fn, ck_element_at(fn, iterator->value.expr, at, iterator->span))};
    return tuple_of(fn, parts, 2, iterator->span);
}

/* `reversed(...)` of what has a count and items at positions. */
static bool
reversed_of(struct ck_fn *fn, const struct ck_expr *call, struct ck_iterator *out)
{
    const struct ck_argument *arg = call->call.n_args == 1 ? call->call.args : NULL;
    if (!arg) {
        ck_error(fn, WRONG_COUNT, call->span, "reversed", "1 argument", call->call.n_args);
        return false;
    }
    if (arg->name) {
        ck_error(fn, KEYWORD, arg->name_span, arg->name, "reversed");
        return false;
    }
    if (!iterator_of(fn, arg->value, false, out))
        return false;
    if (out->is_reversed || (out->kind != RANGE && out->kind != VALUE)) {
        ck_error(fn, WRONG_TYPE, arg->value->span,
                 "`reversed` takes a range, a tuple or an array, as in Python");
        return false;
    }
    out->is_reversed = true;
    return true;
}

static bool
is_call_of_numpy(struct ck_fn *fn, const struct ck_expr *expr, const char *name)
{
    return expr->kind == CK_EXPR_CALL && ck_is_numpy_name(fn, expr->call.callee, name);
}

/* `alone`: the loop counts a range itself. */
static bool
iterator_of(struct ck_fn *fn, const struct ck_expr *iterable, bool alone, struct ck_iterator *out)
{
    *out = (struct ck_iterator){.span = iterable->span};
    if (iterable->kind == CK_EXPR_CALL)
        iterable = ck_spread_arguments(fn, iterable);
    if (!iterable)
        return false;
    if (is_call_of_numpy(fn, iterable, "ndindex"))
        return ndindex_of(fn, iterable, out);
    if (is_call_of_numpy(fn, iterable, "ndenumerate"))
        return ndenumerate_of(fn, iterable, out);
    if (ck_is_call_of(fn, iterable, "enumerate"))
        return enumerate_of(fn, iterable, out);
    if (ck_is_call_of(fn, iterable, "zip"))
        return zip_of(fn, iterable, out);
    if (ck_is_call_of(fn, iterable, "reversed"))
        return reversed_of(fn, iterable, out);
    if (!ck_is_call_of(fn, iterable, "range")) {
        if (!value_of(fn, iterable, out))
            return false;
        if (!alone)
            out->count = hold(fn, out->count);
        return true;
    }
    if (!range_of(fn, iterable, out))
        return false;
    if (!alone)
        count_range(fn, out);
    return true;
}

/* --- Iterations ----------------------------------------------------------------------------------
 */

/* Reads every item before any target is written. */
static void
read_items(struct ck_fn *fn, struct ck_iterator *iterator, struct ck_texpr *iteration)
{
    for (int i = 0; i < iterator->n_parts; i++)
        read_items(fn, &iterator->parts[i], iteration);
    if (iterator->is_reversed) {
        struct ck_texpr *one = ck_const_int(fn, int64_type(), 1, iterator->span);
        struct ck_texpr *last = binary(fn, CK_OP_SUB, iterator->count, one);
        iteration = hold(fn, binary(fn, CK_OP_SUB, last, iteration));
    }
    if (iterator->kind == RANGE)
        iterator->item = ck_hold(fn, range_item(fn, iterator, iteration));
    else if (iterator->kind == INDICES)
        iterator->item = indices_item(fn, iterator, iteration);
    else if (iterator->kind == VALUE)
        iterator->item = ck_hold(fn, ck_item_at(fn, &iterator->value, iteration, iterator->span));
    if (iterator->kind != ENUMERATE)
        return;
    struct ck_texpr *first = iterator->first.expr;
    struct ck_texpr *index = is_zero(first) ? iteration : binary(fn, CK_OP_ADD, first, iteration);
    iterator->item = ck_value_run(int64_type(), index);
    iterator->item.nonnegative = iterator->first.nonnegative;
    iterator->item = ck_hold(fn, iterator->item);
}

/* The number of values in the iterator's item: one, or those of a tuple. */
static int
item_count(const struct ck_iterator *iterator)
{
    return iterator->kind == ENUMERATE ? 2 : iterator->kind == ZIP ? iterator->n_parts : 0;
}

static struct ck_value
whole_item(struct ck_fn *fn, const struct ck_iterator *iterator)
{
    int n = item_count(iterator);
    if (!n)
        return iterator->item;
    bool counts = iterator->kind == ENUMERATE;
    struct ck_value *items = CK_NEW_ARRAY(fn->c->arena, struct ck_value, n);
    for (int i = 0; i < n; i++)
        items[i] = counts && i == 0 ? iterator->item : whole_item(fn, &iterator->parts[i - counts]);
    return tuple_of(fn, items, n, iterator->span);
}

static void
bind_items(struct ck_fn *fn, const struct ck_iterator *iterator, const struct ck_expr *target)
{
    int n = item_count(iterator);
    bool counts = iterator->kind == ENUMERATE;
    bool unpacks = (target->kind == CK_EXPR_TUPLE || target->kind == CK_EXPR_LIST) &&
                   target->sequence.n == n && n > 0;
    if (!unpacks) {
        ck_assign_to(fn, target, whole_item(fn, iterator), target->span);
        return;
    }
    if (counts)
        ck_assign_to(fn, target->sequence.items[0], iterator->item,
                     target->sequence.items[0]->span);
    for (int i = counts; i < n; i++)
        bind_items(fn, &iterator->parts[i - counts], target->sequence.items[i]);
}

/* --- The loop's side -----------------------------------------------------------------------------
 */

bool
ck_iteration_of(struct ck_fn *fn, const struct ck_expr *iterable, struct ck_iteration *out)
{
    struct ck_iterator *iterator = CK_NEW(fn->c->arena, struct ck_iterator);
    *out = (struct ck_iteration){.iterator = iterator};
    if (!iterator_of(fn, iterable, true, iterator))
        return false;
    if (iterator->kind == RANGE && !iterator->count) {
        out->start = iterator->start;
        out->stop = iterator->stop;
        out->step = iterator->step;
        out->runs = iterator->runs;
        return true;
    }
    bool known = iterator->count->kind == CK_T_CONST;
    out->start = ck_const_int(fn, int64_type(), 0, iterable->span);
    out->stop = iterator->count;
    out->step = ck_const_int(fn, int64_type(), 1, iterable->span);
    out->runs = known && iterator->count->constant.i > 0;
    out->never = known && iterator->count->constant.i <= 0;
    return true;
}

void
ck_iteration_bind(struct ck_fn *fn, struct ck_iteration *iteration, int counter,
                  const struct ck_expr *target)
{
    struct ck_iterator *iterator = iteration->iterator;
    struct ck_texpr *count = ck_local_ref(fn, counter, target->span);
    if (iterator->kind == RANGE && !iterator->count) {
        struct ck_value item = ck_value_run(iterator->start->type, count);
        item.nonnegative = iterator->nonnegative;
        ck_assign_to(fn, target, item, target->span);
    } else if (iterator->kind == VALUE && !iterator->is_reversed) {
        ck_assign_to(fn, target, ck_item_at(fn, &iterator->value, count, target->span),
                     target->span);
    } else {
        read_items(fn, iterator, count);
        bind_items(fn, iterator, target);
    }
}
