/* Tuples as values: comparison, membership, concatenation, an index known at run time. */
#include "lang/check/checker.h"
#include "lang/check/iterate.h"

/* --- Once ----------------------------------------------------------------------------------------
 */

/* An expression that may be duplicated: without effects and free of cost. */
static bool
repeats(const struct ck_texpr *expr)
{
    if (expr->kind != CK_T_TUPLE)
        return ck_is_simple(expr);
    for (int i = 0; i < expr->tuple.n; i++) {
        if (!repeats(expr->tuple.items[i]))
            return false;
    }
    return true;
}

struct ck_value
ck_name_once(struct ck_fn *fn, struct ck_value value, struct ck_texpr **let)
{
    *let = NULL;
    bool can = value.kind == CK_VALUE_RUN &&
               (ck_type_is_scalar_or_date(value.type) || value.type->kind == CK_TYPE_TUPLE);
    if (!can || repeats(value.expr))
        return value;
    value.expr = ck_let_new(fn, value.expr, value.span, let);
    if (value.type->kind == CK_TYPE_TUPLE)
        value.type = value.expr->type;
    return value;
}

struct ck_value
ck_save_tuple(struct ck_fn *fn, struct ck_value tuple, struct ck_texpr **let)
{
    *let = NULL;
    if (tuple.expr->kind != CK_T_TUPLE || ck_has_effect(tuple.expr))
        tuple.expr = ck_let_new(fn, tuple.expr, tuple.span, let);
    return tuple;
}

/* --- Comparison ----------------------------------------------------------------------------------
 */

static bool
holds_for(enum ck_compare_op op, int left, int right)
{
    switch (op) {
    case CK_CMP_LT:
        return left < right;
    case CK_CMP_LE:
        return left <= right;
    case CK_CMP_GT:
        return left > right;
    case CK_CMP_GE:
        return left >= right;
    case CK_CMP_EQ:
        return left == right;
    default:
        return left != right;
    }
}

static struct ck_texpr *
compare_items(struct ck_fn *fn, enum ck_compare_op op, const struct ck_value *left,
              const struct ck_value *right, int i, struct ck_span span)
{
    struct ck_value l = ck_tuple_item(fn, left, i), r = ck_tuple_item(fn, right, i);
    return ck_compare_values(fn, op, &l, &r, span);
}

/* As in Python, lexicographically: the first items that differ determine the result, or else the
 * lengths. */
struct ck_texpr *
ck_compare_tuples(struct ck_fn *fn, enum ck_compare_op op, const struct ck_value *left,
                  const struct ck_value *right, struct ck_span span)
{
    int nl = left->type->tuple.n, nr = right->type->tuple.n, n = nl < nr ? nl : nr;
    bool orders = op != CK_CMP_EQ && op != CK_CMP_NE;
    enum ck_compare_op strict = op == CK_CMP_LE ? CK_CMP_LT : op == CK_CMP_GE ? CK_CMP_GT : op;
    struct ck_texpr *result = ck_value_bool(fn, holds_for(op, nl, nr), span).expr;
    if (!orders && nl != nr)
        return result;
    for (int i = n - 1; i >= 0; i--) {
        struct ck_texpr *mine = compare_items(fn, strict, left, right, i, span);
        if (!mine)
            return NULL;
        if (orders) {
            struct ck_texpr *same = compare_items(fn, CK_CMP_EQ, left, right, i, span);
            result = same ? ck_logical(fn, false, same, result, span) : NULL;
        }
        if (!result)
            return NULL;
        result = ck_logical(fn, orders || op == CK_CMP_NE, mine, result, span);
    }
    return result;
}

struct ck_texpr *
ck_contains(struct ck_fn *fn, enum ck_compare_op op, const struct ck_value *item,
            const struct ck_value *tuple, struct ck_span span)
{
    bool negated = op == CK_CMP_NOT_IN;
    struct ck_texpr *result = ck_value_bool(fn, negated, span).expr;
    for (int i = tuple->type->tuple.n - 1; i >= 0; i--) {
        struct ck_value each = ck_tuple_item(fn, tuple, i);
        struct ck_texpr *same =
            ck_compare_values(fn, negated ? CK_CMP_NE : CK_CMP_EQ, item, &each, span);
        if (!same)
            return NULL;
        result = ck_logical(fn, !negated, same, result, span);
    }
    return result;
}

/* --- Size ----------------------------------------------------------------------------------------
 */

static struct ck_value
too_many_items(struct ck_fn *fn, struct ck_span span)
{
    ck_error(fn, WRONG_TYPE, span,
             ck_arena_printf(fn->c->arena, "a tuple made of others has at most %d items",
                             CK_MAX_TUPLE_ITEMS));
    return ck_value_error(span);
}

bool
ck_check_tuple_size(struct ck_fn *fn, const struct ck_type *const *items, int n, int written,
                    struct ck_span span)
{
    int total = n - written, depth = 0;
    for (int i = 0; i < n; i++) {
        total += items[i]->total;
        depth = items[i]->depth > depth ? items[i]->depth : depth;
    }
    if (total > CK_MAX_TUPLE_ITEMS) {
        too_many_items(fn, span);
        return false;
    }
    if (depth < CK_MAX_VALUE_DEPTH)
        return true;
    ck_error(
        fn, WRONG_TYPE, span,
        ck_arena_printf(fn->c->arena, "more than %d tuples in each other", CK_MAX_VALUE_DEPTH));
    return false;
}

/* --- Concatenation -------------------------------------------------------------------------------
 */

struct ck_value
ck_concatenate(struct ck_fn *fn, struct ck_value left, struct ck_value right, struct ck_span span)
{
    struct ck_texpr *lets[2];
    bool nonnegative = left.nonnegative && right.nonnegative;
    if (left.type->total + right.type->total > CK_MAX_TUPLE_ITEMS)
        return too_many_items(fn, span);
    left = ck_name_once(fn, left, &lets[0]);
    right = ck_name_once(fn, right, &lets[1]);
    int nl = left.type->tuple.n, n = nl + right.type->tuple.n;
    const struct ck_type **types = CK_NEW_ARRAY(fn->c->arena, const struct ck_type *, n + 1);
    struct ck_texpr *tuple = ck_texpr_new(fn, CK_T_TUPLE, NULL, span);
    tuple->tuple.items = CK_NEW_ARRAY(fn->c->arena, struct ck_texpr *, n + 1);
    tuple->tuple.n = n;
    for (int i = 0; i < n; i++) {
        struct ck_value item =
            i < nl ? ck_tuple_item(fn, &left, i) : ck_tuple_item(fn, &right, i - nl);
        types[i] = item.type;
        tuple->tuple.items[i] = item.expr;
    }
    const struct ck_type *type = ck_type_tuple(&fn->c->types, types, n);
    tuple->type = ck_storage_type(&fn->c->types, type);
    struct ck_value value = ck_value_run(type, ck_let_in(lets[0], ck_let_in(lets[1], tuple)));
    value.nonnegative = nonnegative;
    ck_cover_literals(&value, &left);
    ck_cover_literals(&value, &right);
    return value;
}

/* --- An index at run time ------------------------------------------------------------------------
 */

struct ck_value
ck_tuple_at(struct ck_fn *fn, struct ck_value tuple, struct ck_value index, struct ck_span span)
{
    const struct ck_type *i64 = ck_type_scalar(CK_TYPE_INT64);
    struct ck_texpr *lets[3];
    if (!ck_unify_items(fn, &tuple))
        return ck_value_error(span);
    tuple = ck_name_once(fn, tuple, &lets[0]);
    bool wraps = !index.nonnegative && ck_type_is_signed(index.type);
    index = ck_name_once(fn, ck_value_run(i64, ck_cast(fn, index.expr, i64)), &lets[1]);
    lets[2] = NULL;
    if (wraps) {
        struct ck_texpr *n = ck_const_int(fn, i64, tuple.type->tuple.n, span);
        struct ck_texpr *zero = ck_const_int(fn, i64, 0, span);
        struct ck_texpr *test = ck_compare_expr(fn, CK_CMP_LT, index.expr, zero, span);
        struct ck_texpr *from_end = ck_binary_expr(fn, CK_OP_ADD, index.expr, n, span);
        struct ck_texpr *select = ck_select_expr(fn, test, from_end, index.expr, span);
        index = ck_name_once(fn, ck_value_run(i64, select), &lets[2]);
    }
    struct ck_value item = ck_item_at(fn, &tuple, index.expr, span);
    item.nonnegative = item.nonnegative || tuple.nonnegative;
    for (int i = 2; i >= 0; i--)
        item.expr = ck_let_in(lets[i], item.expr);
    return item;
}
