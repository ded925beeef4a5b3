/* Typing of the atomic operations on an array's element. */
#include "lang/check_builtin.h"

/* What an operation works on. */
enum { INTEGERS = 1, UNSIGNED = 2, FLOATS = 4, HALVES = 8 };

static const struct {
    int works_on;
    const char *wanted;
} kinds[] = {
    [INTEGERS] = {INTEGERS, "int32, uint32, int64 and uint64"},
    [UNSIGNED] = {UNSIGNED, "uint32 and uint64"},
    [INTEGERS | FLOATS] = {INTEGERS | FLOATS, "int32, uint32, int64, uint64, float32 and float64"},
    [INTEGERS | FLOATS | HALVES] = {INTEGERS | FLOATS | HALVES,
                                    "int32, uint32, int64, uint64, float16, bfloat16, float32 "
                                    "and float64"},
};

static int
kinds_of(enum ck_builtin_id id)
{
    switch ((int)id) {
    case CK_BUILTIN_ATOMIC_ADD:
        return INTEGERS | FLOATS | HALVES;
    case CK_BUILTIN_ATOMIC_AND:
    case CK_BUILTIN_ATOMIC_OR:
    case CK_BUILTIN_ATOMIC_XOR:
        return INTEGERS;
    case CK_BUILTIN_ATOMIC_INC:
    case CK_BUILTIN_ATOMIC_DEC:
        return UNSIGNED;
    default:
        return INTEGERS | FLOATS;
    }
}

static int
kinds_with(const struct ck_type *elem)
{
    switch (elem->kind) {
    case CK_TYPE_INT32:
    case CK_TYPE_INT64:
        return INTEGERS;
    case CK_TYPE_UINT32:
    case CK_TYPE_UINT64:
        return INTEGERS | UNSIGNED;
    case CK_TYPE_FLOAT32:
    case CK_TYPE_FLOAT64:
        return FLOATS;
    case CK_TYPE_FLOAT16:
    case CK_TYPE_BFLOAT16:
        return HALVES;
    default:
        return 0;
    }
}

/* The array, if the operation works on it; else false, reported. */
static bool
check_array(struct ck_call *call)
{
    const struct ck_value *array = &call->args[0];
    if (array->kind != CK_VALUE_RUN || !ck_type_is_array(array->type)) {
        ck_wrong_type(call, 0, "an array");
        return false;
    }
    if (!ck_check_writable(call->fn, array, array->span))
        return false;
    if (array->type->array.space == CK_SPACE_LOCAL) {
        ck_error(call->fn, WRONG_TYPE, array->span,
                 ck_arena_printf(call->fn->c->arena,
                                 "`%s` works on global and shared arrays, not on local ones",
                                 ck_builtin_path(call->id)));
        return false;
    }
    const struct ck_type *elem = array->type->array.elem;
    int allowed = kinds_of(call->id);
    if (kinds_with(elem) & allowed)
        return true;
    struct ck_fn *fn = call->fn;
    struct ck_diag *diag =
        ck_error(fn, WRONG_TYPE, array->span,
                 ck_arena_printf(fn->c->arena, "`%s` does not work on %s",
                                 ck_builtin_path(call->id), ck_text_of(fn, elem)));
    ck_diag_help(fn->c->diags, diag, "it works on %s", kinds[allowed].wanted);
    return false;
}

/* Indices of the first element. */
static struct ck_tindex *
first_element(struct ck_call *call, int ndim)
{
    struct ck_fn *fn = call->fn;
    struct ck_tindex *indices = CK_NEW_ARRAY(fn->c->arena, struct ck_tindex, ndim);
    for (int i = 0; i < ndim; i++)
        indices[i].value = ck_const_int(fn, ck_type_scalar(CK_TYPE_INT64), 0, call->args[0].span);
    return indices;
}

/* The arguments from `first` on are numbers, which are stored: converted as a store does. */
static struct ck_value
operation(struct ck_call *call, struct ck_tindex *indices, int first)
{
    const struct ck_type *elem = call->args[0].type->array.elem;
    struct ck_texpr *expr = ck_lowered(call, elem);
    ck_lowered_arg(call, expr, call->args[0].expr);
    for (int i = first; i < call->n_args; i++) {
        if (!ck_is_number(&call->args[i]))
            return ck_wrong_type(call, i, "a number");
        ck_warn_narrowed(call->fn, &call->args[i], elem);
        ck_lowered_arg(call, expr, ck_cast(call->fn, call->args[i].expr, elem));
    }
    expr->builtin.indices = indices;
    return ck_value_run(elem, expr);
}

struct ck_value
ck_rule_atomic(struct ck_call *call)
{
    struct ck_tindex *indices;
    if (!check_array(call) ||
        !ck_indices_from_value(call->fn, &call->args[0], &call->args[1], &indices))
        return ck_value_error(call->syntax->span);
    return operation(call, indices, 2);
}

struct ck_value
ck_rule_atomic_first(struct ck_call *call)
{
    if (!check_array(call))
        return ck_value_error(call->syntax->span);
    return operation(call, first_element(call, call->args[0].type->array.ndim), 1);
}
