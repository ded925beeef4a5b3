/* Extents of arrays that are known at compile time: of arrays that the function makes, of constant
 * arrays, and of those whose shape an `assert` compares with constants. What an assertion says is
 * bound to the array's name, so that it holds until the name is bound again, and after a join where
 * every path says it. */
#include "lang/check/checker.h"
#include "lang/typed/fold.h"

static const struct ck_axis_extent unknown = {.n = -1};

struct ck_axis_extent
ck_known_extent(const struct ck_value *array, int dim)
{
    if (array->expr->kind == CK_T_ARRAY)
        return (struct ck_axis_extent){.n = array->expr->array->shape[dim]};
    if (array->expr->kind == CK_T_MODULE_ARRAY)
        return (struct ck_axis_extent){.n = array->expr->module_array->shape[dim]};
    return array->extents ? array->extents[dim] : unknown;
}

const int64_t *
ck_known_extents(struct ck_fn *fn, const struct ck_value *array)
{
    if (!array->extents || array->expr->kind != CK_T_LOCAL || !ck_type_is_array(array->type))
        return NULL;
    const int ndim = array->type->array.ndim;
    int64_t *known = CK_NEW_ARRAY(fn->c->arena, int64_t, ndim);
    for (int i = 0; i < ndim; i++)
        known[i] = array->extents[i].n;
    return known;
}

static struct ck_axis_extent
extent_at(const struct ck_axis_extent *extents, int dim)
{
    return extents ? extents[dim] : unknown;
}

bool
ck_same_extents(const struct ck_value *a, const struct ck_value *b)
{
    if (!a->extents && !b->extents)
        return true;
    for (int i = 0; i < a->type->array.ndim; i++) {
        if (extent_at(a->extents, i).n != extent_at(b->extents, i).n)
            return false;
    }
    return true;
}

const struct ck_axis_extent *
ck_common_extents(struct ck_fn *fn, const struct ck_value *a, const struct ck_value *b)
{
    if (!a->extents || !b->extents)
        return NULL;
    int ndim = a->type->array.ndim;
    struct ck_axis_extent *common = CK_NEW_ARRAY(fn->c->arena, struct ck_axis_extent, ndim);
    for (int i = 0; i < ndim; i++)
        common[i] = a->extents[i].n == b->extents[i].n ? a->extents[i] : unknown;
    return common;
}

/* --- What a condition says -----------------------------------------------------------------------
 */

/* The temporaries around a part of a condition: the innermost, and those outside it. */
struct let {
    const struct ck_texpr *let;
    const struct let *outer;
};

/* An operand of a comparison without the temporaries that stand for it. */
static const struct ck_texpr *
resolved(const struct ck_texpr *expr, const struct let *lets)
{
    if (expr->kind == CK_T_ITEM) {
        const struct ck_texpr *tuple = resolved(expr->item.tuple, lets);
        return tuple->kind == CK_T_TUPLE ? tuple->tuple.items[expr->item.index] : expr;
    }
    for (; expr->kind == CK_T_LOCAL && lets; lets = lets->outer) {
        if (lets->let->let.local == expr->local)
            return resolved(lets->let->let.init, lets->outer);
    }
    return expr;
}

/* The number of the name that is bound to a local at this point; -1: none. */
static int
name_of_local(struct ck_fn *fn, const struct ck_texpr *expr)
{
    if (expr->kind != CK_T_LOCAL)
        return -1;
    int name = ck_name_set_find(&fn->names, fn->out->locals[expr->local].name);
    if (name < 0)
        return -1;
    const struct ck_binding *binding = ck_env_get(&fn->env, name);
    bool is_set = binding->state == CK_SET || binding->state == CK_MAYBE_UNSET;
    bool is_it = is_set && binding->value.kind == CK_VALUE_RUN &&
                 binding->value.expr->kind == CK_T_LOCAL &&
                 binding->value.expr->local == expr->local;
    return is_it ? name : -1;
}

const struct ck_binding *
ck_binding_of_local(struct ck_fn *fn, const struct ck_texpr *local)
{
    const int name = name_of_local(fn, local);
    return name < 0 ? NULL : ck_env_get(&fn->env, name);
}

/* The value of a constant, or of an extent that is known; -1: not known, or below zero. */
static int64_t
known_number(struct ck_fn *fn, const struct ck_texpr *expr)
{
    if (expr->kind == CK_T_CONST && ck_type_is_int(expr->type))
        return expr->constant.i < 0 ? -1 : expr->constant.i;
    int name = expr->kind == CK_T_SHAPE ? name_of_local(fn, expr->extent.array) : -1;
    if (name < 0)
        return -1;
    return ck_known_extent(&ck_env_get(&fn->env, name)->value, expr->extent.dim).n;
}

static void
bind_extent(struct ck_fn *fn, const struct ck_texpr *shape, int64_t n, struct ck_span span)
{
    int name = name_of_local(fn, shape->extent.array);
    if (name < 0)
        return;
    struct ck_binding binding = *ck_env_get(&fn->env, name);
    int ndim = binding.value.type->array.ndim;
    struct ck_axis_extent *extents = CK_NEW_ARRAY(fn->c->arena, struct ck_axis_extent, ndim);
    for (int i = 0; i < ndim; i++)
        extents[i] = extent_at(binding.value.extents, i);
    extents[shape->extent.dim] = (struct ck_axis_extent){.n = n, .asserted_at = span};
    binding.value.extents = extents;
    ck_env_set(fn, &fn->env, name, &binding);
}

static void
assume_equal(struct ck_fn *fn, const struct ck_texpr *a, const struct ck_texpr *b,
             struct ck_span span)
{
    int64_t n = known_number(fn, b);
    if (a->kind == CK_T_SHAPE && n >= 0 && known_number(fn, a) < 0)
        bind_extent(fn, a, n, span);
}

static void
assume(struct ck_fn *fn, const struct ck_texpr *test, const struct let *lets, struct ck_span span)
{
    const struct let inner = {test, lets};
    const struct ck_texpr *left, *right;
    switch (test->kind) {
    case CK_T_LET:
        assume(fn, test->let.body, &inner, span);
        break;
    case CK_T_LOGICAL:
        if (test->logical.is_or)
            break;
        assume(fn, test->logical.left, lets, span);
        assume(fn, test->logical.right, lets, span);
        break;
    case CK_T_COMPARE:
        if (test->compare.op != CK_CMP_EQ)
            break;
        left = resolved(test->compare.left, lets);
        right = resolved(test->compare.right, lets);
        assume_equal(fn, left, right, span);
        assume_equal(fn, right, left, span);
        break;
    default:
        break;
    }
}

void
ck_assume_extents(struct ck_fn *fn, const struct ck_texpr *test, struct ck_span span)
{
    assume(fn, test, NULL, span);
    assume(fn, test, NULL, span); /* what a later part says may decide an earlier one */
}

/* --- Conditions that extents decide --------------------------------------------------------------
 */

static bool
condition_has_effect(const struct ck_texpr *test)
{
    if (test->kind == CK_T_LET)
        return ck_has_effect(test->let.init) || condition_has_effect(test->let.body);
    if (test->kind == CK_T_LOGICAL)
        return condition_has_effect(test->logical.left) ||
               condition_has_effect(test->logical.right);
    return ck_has_effect(test);
}

static bool is_decided(struct ck_fn *fn, const struct ck_texpr *test, const struct let *lets,
                       bool *out);

static bool
logical_is_decided(struct ck_fn *fn, const struct ck_texpr *test, const struct let *lets, bool *out)
{
    bool is_or = test->logical.is_or, left, right;
    bool knows_left = is_decided(fn, test->logical.left, lets, &left);
    bool knows_right = is_decided(fn, test->logical.right, lets, &right);
    bool is_short = (knows_left && left == is_or) || (knows_right && right == is_or);
    if (!is_short && !(knows_left && knows_right))
        return false;
    *out = is_short ? is_or : !is_or;
    return true;
}

/* Whether known extents decide a condition, and the answer, which is not set if they do not. */
static bool
is_decided(struct ck_fn *fn, const struct ck_texpr *test, const struct let *lets, bool *out)
{
    const struct let inner = {test, lets};
    if (test->kind == CK_T_LET)
        return is_decided(fn, test->let.body, &inner, out);
    if (test->kind == CK_T_LOGICAL)
        return logical_is_decided(fn, test, lets, out);
    if (test->kind == CK_T_CONST)
        *out = test->constant.i != 0;
    if (test->kind != CK_T_COMPARE || !ck_type_is_int(test->compare.left->type))
        return test->kind == CK_T_CONST;
    const struct ck_texpr *left = resolved(test->compare.left, lets);
    const struct ck_texpr *right = resolved(test->compare.right, lets);
    int64_t l = known_number(fn, left), r = known_number(fn, right);
    return l >= 0 && r >= 0 &&
           ck_fold_compare(out, test->compare.op, ck_const_int(fn, left->type, l, left->span),
                           ck_const_int(fn, right->type, r, right->span));
}

struct ck_texpr *
ck_decide_by_extents(struct ck_fn *fn, struct ck_texpr *test)
{
    bool result;
    bool decided = test->kind != CK_T_CONST && !condition_has_effect(test) &&
                   is_decided(fn, test, NULL, &result);
    if (!decided)
        return test;
    return ck_const_int(fn, test->type, result, test->span);
}
