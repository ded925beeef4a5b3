/* Checking calls of NumPy's functions with an array for the results, `np.sin(x, r)` and
 * `np.sin(x, out=r)`: the assignment `r[...] = np.sin(x)`. */
#include <string.h>

#include "lang/check/builtins/numpy.h"

/* The number of a row's parameters; 0: some are optional. */
static int
n_params(const struct ck_numpy *row)
{
    int n = 1;
    if (strchr(row->params, '['))
        return 0;
    for (const char *at = row->params; *at; at++)
        n += *at == ' ';
    return n;
}

/* The number of arguments of a function of numbers that is a name of NumPy; 0: the callee is
 * another, or the number varies. */
static int
n_inputs(struct ck_fn *fn, const struct ck_expr *callee)
{
    if (callee->kind != CK_EXPR_ATTRIBUTE || !ck_is_numpy_name(fn, callee, callee->attribute.name))
        return 0;
    const struct ck_value value = ck_probe(fn, callee);
    if (value.kind == CK_VALUE_NUMPY && ck_numpy_is_elementwise(value.numpy))
        return n_params(value.numpy);
    if (value.kind == CK_VALUE_BUILTIN && ck_builtin_is_elementwise(value.builtin))
        return ck_builtin_n_inputs(value.builtin);
    return 0;
}

/* The argument for the results: the one after all others, or `out`. NULL: there is none. */
static const struct ck_expr *
find_out(const struct ck_expr *call, int n)
{
    if (n == 0 || call->call.n_args != n + 1)
        return NULL;
    for (int i = 0; i < n; i++) {
        if (call->call.args[i].name || call->call.args[i].value->kind == CK_EXPR_STARRED)
            return NULL;
    }
    const struct ck_argument *last = &call->call.args[n];
    return !last->name || strcmp(last->name, "out") == 0 ? last->value : NULL;
}

static bool
is_array(const struct ck_value *value)
{
    return value->kind == CK_VALUE_RUN && ck_type_is_array(value->type);
}

/* The argument, or an element of the array that it is. */
static struct ck_expr *
element_of(struct ck_fn *fn, struct ck_expr *arg)
{
    struct ck_arena *arena = fn->c->arena;
    const struct ck_value value = ck_speculate(fn, ck_check_expr, arg);
    if (!is_array(&value) || !value.type->array.ndim)
        return arg;
    struct ck_expr *element = ck_expr_new(arena, CK_EXPR_SUBSCRIPT, arg->span);
    element->subscript.object = arg;
    element->subscript.n_indices = value.type->array.ndim;
    element->subscript.indices = CK_NEW_ARRAY(arena, struct ck_expr *, value.type->array.ndim);
    for (int i = 0; i < value.type->array.ndim; i++)
        element->subscript.indices[i] = ck_expr_int(arena, 0, arg->span);
    return element;
}

/* The type of the results' elements; NULL: it is no number, or the arguments are wrong. */
static const struct ck_type *
result_type(struct ck_fn *fn, const struct ck_expr *call)
{
    struct ck_expr of_elements = *call;
    const int n = call->call.n_args;
    of_elements.call.args = CK_NEW_ARRAY(fn->c->arena, struct ck_argument, n);
    for (int i = 0; i < n; i++) {
        of_elements.call.args[i] = call->call.args[i];
        of_elements.call.args[i].value = element_of(fn, call->call.args[i].value);
    }
    const struct ck_value value = ck_speculate(fn, ck_check_expr, &of_elements);
    return value.kind == CK_VALUE_RUN && ck_type_is_scalar(value.type) ? value.type : NULL;
}

/* NumPy's order of kinds, in which results are converted upwards alone. */
static int
kind_of(const struct ck_type *type)
{
    if (ck_type_is_complex(type))
        return 4;
    if (ck_type_is_float(type))
        return 3;
    if (!ck_type_is_int(type))
        return 0;
    return ck_type_is_unsigned(type) ? 1 : 2;
}

/* Whether the array takes the results. One that does not is reported. */
static bool
takes(struct ck_fn *fn, const struct ck_type *array, const struct ck_type *result,
      const struct ck_expr *out, const struct ck_expr *call)
{
    const struct ck_type *elem = array->array.elem;
    if (!result || (ck_type_is_scalar(elem) && kind_of(result) <= kind_of(elem)))
        return true;
    struct ck_diag *diag =
        ck_error(fn, WRONG_TYPE, out->span,
                 ck_arena_printf(fn->c->arena, "results of %s cannot be stored in %s",
                                 ck_text_of(fn, result), ck_text_of(fn, array)));
    ck_diag_help(fn->c->diags, diag, "an assignment converts them: `%s[...] = %s(...)`",
                 ck_diag_text(fn->c->diags, out->span),
                 ck_diag_text(fn->c->diags, call->call.callee->span));
    return false;
}

/* `out[...]` */
static struct ck_expr *
whole(struct ck_arena *arena, const struct ck_expr *out)
{
    struct ck_expr *rest = ck_expr_new(arena, CK_EXPR_SLICE, out->span);
    struct ck_expr *all = ck_expr_new(arena, CK_EXPR_SUBSCRIPT, out->span);
    rest->slice.is_rest = true;
    all->subscript.object = (struct ck_expr *)out;
    all->subscript.n_indices = 1;
    all->subscript.indices = CK_NEW_ARRAY(arena, struct ck_expr *, 1);
    all->subscript.indices[0] = rest;
    return all;
}

bool
ck_ufunc_store(struct ck_fn *fn, const struct ck_stmt *stmt, struct ck_stmt *store)
{
    struct ck_arena *arena = fn->c->arena;
    const struct ck_expr *expr = stmt->expr;
    if (expr->kind != CK_EXPR_CALL)
        return false;
    const struct ck_expr *out = find_out(expr, n_inputs(fn, expr->call.callee));
    if (!out)
        return false;
    const struct ck_value array = ck_speculate(fn, ck_check_expr, out);
    const bool is_unknown = fn->c->untyped && array.kind == CK_VALUE_ERROR;
    if (!is_unknown && !is_array(&array))
        return false;
    struct ck_expr *call = CK_NEW(arena, struct ck_expr);
    *call = *expr;
    call->call.n_args--;
    *store = (struct ck_stmt){.kind = CK_STMT_ERROR, .span = stmt->span};
    if (!is_unknown && !takes(fn, array.type, result_type(fn, call), out, expr))
        return true;
    store->kind = CK_STMT_ASSIGN;
    store->assign.n_targets = 1;
    store->assign.targets = CK_NEW_ARRAY(arena, struct ck_expr *, 1);
    store->assign.targets[0] = whole(arena, out);
    store->assign.value = call;
    return true;
}
