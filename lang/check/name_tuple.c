/* Tuples with functions, built-ins, types or strings, which are known at compile time: `OPS = (add,
 * mul)`. They have no values at run time: an index is a constant, and a loop is unrolled. */
#include "lang/check/name_tuple.h"

#include <string.h>

#include "lang/check/builtins/builtins.h"

bool
ck_names_function(const struct ck_value *value)
{
    switch (value->kind) {
    case CK_VALUE_FUNCTION:
    case CK_VALUE_NUMPY:
    case CK_VALUE_TYPE:
    case CK_VALUE_NAMES:
    case CK_VALUE_STRING:
        return true;
    case CK_VALUE_BUILTIN:
        return ck_builtin_is_function(value->builtin);
    case CK_VALUE_PATH:
        return ck_is_python_operator(value->path);
    default:
        return false;
    }
}

struct ck_value
ck_name_tuple_new(struct ck_fn *fn, const struct ck_value *items, int n, struct ck_span span)
{
    struct ck_arena *arena = fn->c->arena;
    struct ck_name_tuple *tuple = CK_NEW(arena, struct ck_name_tuple);
    bool good = true;
    tuple->items = CK_NEW_ARRAY(arena, struct ck_value, n);
    tuple->n = n;
    for (int i = 0; i < n; i++) {
        tuple->items[i] = items[i];
        if (!ck_names_function(&items[i]))
            tuple->items[i] = ck_as_run(fn, items[i]);
        good = good && tuple->items[i].kind != CK_VALUE_ERROR;
        if (tuple->items[i].kind != CK_VALUE_RUN || ck_is_constant(tuple->items[i].expr))
            continue;
        struct ck_diag *diag = ck_error(fn, NOT_CONSTANT, items[i].span);
        ck_diag_help(fn->c->diags, diag, "a tuple with functions is known at compile time");
        good = false;
    }
    if (!good)
        return ck_value_error(span);
    return (struct ck_value){.kind = CK_VALUE_NAMES, .span = span, .names = tuple};
}

static struct ck_value
bad_index(struct ck_fn *fn, struct ck_span span, const char *text)
{
    ck_error(fn, BAD_INDEX, span, text);
    return ck_value_error(span);
}

struct ck_value
ck_name_tuple_item(struct ck_fn *fn, const struct ck_value *tuple, const struct ck_expr *subscript)
{
    const struct ck_expr *first = subscript->subscript.indices[0];
    int64_t index, n = tuple->names->n;
    if (subscript->subscript.n_indices != 1 || first->kind == CK_EXPR_SLICE)
        return bad_index(fn, subscript->span, "a tuple of functions or strings has one index");
    struct ck_value value = ck_check_run(fn, first);
    if (value.kind == CK_VALUE_ERROR)
        return value;
    if (!ck_value_const_int(&value, &index)) {
        struct ck_diag *diag =
            ck_error(fn, BAD_INDEX, value.span,
                     "the index of a tuple of functions or strings must be a constant");
        ck_diag_help(fn->c->diags, diag,
                     "loop over the tuple, `for f in ...`, or choose by `if` and `elif`");
        return ck_value_error(subscript->span);
    }
    if (index < -n || index >= n)
        return bad_index(fn, value.span,
                         ck_arena_printf(fn->c->arena, "index %lld is outside a tuple of %lld",
                                         (long long)index, (long long)n));
    struct ck_value item = tuple->names->items[index < 0 ? index + n : index];
    if (item.kind == CK_VALUE_RUN && !fn->constant_only)
        ck_use_module_arrays(fn, item.expr, subscript->span);
    item.span = subscript->span;
    return item;
}

int
ck_name_tuple_length(const struct ck_value *tuple)
{
    return tuple->names->n;
}

/* --- Strings and types ---------------------------------------------------------------------------
 */

bool
ck_same_string(const struct ck_value *a, const struct ck_value *b)
{
    const struct ck_expr *x = a->string, *y = b->string;
    return x->string.length == y->string.length &&
           memcmp(x->string.bytes, y->string.bytes, x->string.length) == 0;
}

/* Whether `part in whole`, which Python asks of the characters. */
static bool
is_part(const struct ck_value *part, const struct ck_value *whole)
{
    return memmem(whole->string->string.bytes, whole->string->string.length,
                  part->string->string.bytes, part->string->string.length) != NULL;
}

/* The type that a value names, or that a parameter of an overload stands for; NULL: none. */
static const struct ck_type *
named_type(const struct ck_fn *fn, const struct ck_value *value)
{
    const bool stands = fn->chooses && value->kind == CK_VALUE_RUN;
    return value->kind == CK_VALUE_TYPE || stands ? value->type : NULL;
}

/* Whether two strings, or two types, are the same. False if they are not comparable. */
static bool
are_same(const struct ck_fn *fn, const struct ck_value *left, const struct ck_value *right,
         bool *same)
{
    if (left->kind == CK_VALUE_STRING && right->kind == CK_VALUE_STRING) {
        *same = ck_same_string(left, right);
        return true;
    }
    const struct ck_type *one = named_type(fn, left), *other = named_type(fn, right);
    *same = one && one == other;
    return (one && other) || (fn->chooses && (one || other));
}

static bool
is_known(const struct ck_value *value)
{
    return value->kind == CK_VALUE_STRING || value->kind == CK_VALUE_TYPE;
}

bool
ck_compares_known(const struct ck_value *left, const struct ck_value *right)
{
    return is_known(left) || is_known(right);
}

/* Reports what cannot be compared. */
static struct ck_texpr *
bad_comparison(struct ck_fn *fn, const struct ck_value *left, const struct ck_value *right)
{
    const struct ck_value *known = is_known(left) ? left : right;
    ck_error(fn, WRONG_TYPE, known == left ? right->span : left->span,
             known->kind == CK_VALUE_STRING ? "a string can only be compared with a string"
                                            : "a type can only be compared with a type");
    return NULL;
}

struct ck_texpr *
ck_compare_known(struct ck_fn *fn, enum ck_compare_op op, const struct ck_value *left,
                 const struct ck_value *right, struct ck_span span)
{
    if (left->kind == CK_VALUE_ERROR || right->kind == CK_VALUE_ERROR)
        return NULL;
    const bool negative = op == CK_CMP_NE || op == CK_CMP_NOT_IN;
    const bool looks = op == CK_CMP_IN || op == CK_CMP_NOT_IN;
    bool is = false, same = false;
    if (looks && right->kind == CK_VALUE_NAMES) {
        for (int i = 0; i < right->names->n; i++)
            is |= are_same(fn, left, &right->names->items[i], &same) && same;
    } else if (!are_same(fn, left, right, &same)) {
        return bad_comparison(fn, left, right);
    } else if (op == CK_CMP_EQ || op == CK_CMP_NE) {
        is = same;
    } else if (looks && left->kind == CK_VALUE_STRING) {
        is = is_part(left, right);
    } else {
        struct ck_diag *diag =
            ck_error(fn, WRONG_TYPE, span,
                     left->kind == CK_VALUE_STRING ? "strings have no order in kernels"
                                                   : "types have no order");
        ck_diag_help(fn->c->diags, diag, "compare them with `==`, `!=` or `in`");
        return NULL;
    }
    return ck_const_int(fn, ck_type_scalar(CK_TYPE_BOOL), is != negative, span);
}

/* --- Equality ------------------------------------------------------------------------------------
 */

/* Values that are computed when the kernel runs differ in their types only. */
static bool
same_closure(const struct ck_value *a, const struct ck_value *b)
{
    bool same = !a->closure == !b->closure;
    for (int i = 0; same && a->closure && i < a->function->n_free_names; i++)
        same = ck_same_argument(&a->closure[i], &b->closure[i]);
    return same;
}

bool
ck_same_value(const struct ck_value *a, const struct ck_value *b)
{
    if (a->kind != b->kind || a->type != b->type)
        return false;
    switch (a->kind) {
    case CK_VALUE_RUN:
        return ck_same_constant(a->expr, b->expr);
    case CK_VALUE_FUNCTION:
        return a->function == b->function && same_closure(a, b);
    case CK_VALUE_NUMPY:
        return a->numpy == b->numpy;
    case CK_VALUE_BUILTIN:
        return a->builtin == b->builtin;
    case CK_VALUE_PATH:
        return strcmp(a->path, b->path) == 0;
    case CK_VALUE_NAMES:
        return ck_same_name_tuple(a, b);
    case CK_VALUE_STRING:
        return ck_same_string(a, b);
    default:
        return true;
    }
}

bool
ck_same_name_tuple(const struct ck_value *a, const struct ck_value *b)
{
    bool same = a->names->n == b->names->n;
    for (int i = 0; same && i < a->names->n; i++)
        same = ck_same_value(&a->names->items[i], &b->names->items[i]);
    return same;
}
