/* Typing of the atomic operations on an array's element. */
#include "lang/check/builtins/rules.h"
#include "lang/check/date.h"
#include "lang/check/element.h"

/* The element types of an operation. */
enum { INTEGERS = 1, UNSIGNED = 2, FLOATS = 4, FLOATS_16 = 8, SMALL = 16, DATES = 32 };
enum { ALL = INTEGERS | FLOATS | FLOATS_16 | SMALL };

static const struct {
    int works_on;
    const char *wanted;
} kinds[] = {
    [INTEGERS] = {INTEGERS, "int32, uint32, int64 and uint64"},
    [UNSIGNED] = {UNSIGNED, "uint32 and uint64"},
    [INTEGERS | FLOATS] = {INTEGERS | FLOATS, "int32, uint32, int64, uint64, float32 and float64"},
    [INTEGERS | FLOATS | FLOATS_16] = {INTEGERS | FLOATS | FLOATS_16,
                                       "int32, uint32, int64, uint64, float16, bfloat16, float32 "
                                       "and float64"},
    [ALL] = {ALL, "bool, integers and floats"},
};

static int
kinds_of(enum ck_builtin_id id)
{
    switch ((int)id) {
    case CK_BUILTIN_ATOMIC_ADD:
        return INTEGERS | FLOATS | FLOATS_16;
    case CK_BUILTIN_ATOMIC_LOAD:
    case CK_BUILTIN_ATOMIC_STORE:
        return ALL;
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
        return FLOATS_16;
    case CK_TYPE_BOOL:
    case CK_TYPE_INT8:
    case CK_TYPE_INT16:
    case CK_TYPE_UINT8:
    case CK_TYPE_UINT16:
        return SMALL;
    default:
        return ck_type_is_date(elem) ? DATES : 0;
    }
}

/* Whether the operation has a meaning for dates and times: not those of bits. */
static bool
works_on_dates(enum ck_builtin_id id)
{
    return kinds_of(id) != INTEGERS && kinds_of(id) != UNSIGNED;
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
    const bool constant = array->type->array.space == CK_SPACE_CONST;
    if (call->id != CK_BUILTIN_ATOMIC_LOAD && !ck_check_writable(call->fn, array, array->span))
        return false;
    if (constant || array->type->array.space == CK_SPACE_LOCAL) {
        ck_error(call->fn, WRONG_TYPE, array->span,
                 ck_arena_printf(call->fn->c->arena,
                                 "`%s` works on global and shared arrays, not on %s ones",
                                 ck_builtin_path(call->id), constant ? "constant" : "local"));
        return false;
    }
    const struct ck_type *elem = array->type->array.elem;
    if (!ck_type_is_scalar_or_date(elem))
        return ck_has_scalars(call->fn, array, ck_builtin_path(call->id));
    if (array->type->array.align)
        return ck_is_aligned(call->fn, array, ck_builtin_path(call->id));
    int allowed = kinds_of(call->id);
    if (kinds_with(elem) & (works_on_dates(call->id) ? allowed | DATES : allowed))
        return true;
    struct ck_fn *fn = call->fn;
    struct ck_diag *diag =
        ck_error(fn, WRONG_TYPE, array->span,
                 ck_arena_printf(fn->c->arena, "`%s` does not work on %s",
                                 ck_builtin_path(call->id), ck_text_of(fn, elem)));
    if (ck_type_is_date(elem))
        ck_diag_help(fn->c->diags, diag, "view the counts as elements: `%s.view(int64)`",
                     ck_diag_text(fn->c->diags, array->span));
    else
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

/* --- Order and scope -----------------------------------------------------------------------------
 */

/* The orders that an operation may have, as bits. */
enum { OF_LOAD = 1 << CK_ORDER_RELAXED | 1 << CK_ORDER_ACQUIRE | 1 << CK_ORDER_SEQ_CST };
enum { OF_STORE = 1 << CK_ORDER_RELAXED | 1 << CK_ORDER_RELEASE | 1 << CK_ORDER_SEQ_CST };

/* The names of orders are consecutive rows of builtins.def, and so are those of scopes. */
static bool
is_between(const struct ck_value *value, enum ck_builtin_id first, enum ck_builtin_id last)
{
    return value->kind == CK_VALUE_BUILTIN && value->builtin >= first && value->builtin <= last;
}

static bool
is_order(const struct ck_value *value)
{
    return is_between(value, CK_BUILTIN_MEMORY_ORDER_RELAXED, CK_BUILTIN_MEMORY_ORDER_SEQ_CST);
}

static bool
is_scope(const struct ck_value *value)
{
    return is_between(value, CK_BUILTIN_THREAD_SCOPE_DEVICE, CK_BUILTIN_THREAD_SCOPE_SYSTEM);
}

/* Reports an order or a scope that the operation cannot have. */
static bool
cannot_have(struct ck_call *call, const struct ck_value *value, const char *what, const char *help)
{
    struct ck_diag *diag =
        ck_error(call->fn, WRONG_TYPE, value->span,
                 ck_arena_printf(call->fn->c->arena, "`%s` cannot have the %s `%s`",
                                 ck_builtin_path(call->id), what, ck_builtin_path(value->builtin)));
    ck_diag_help(call->fn->c->diags, diag, "%s", help);
    return false;
}

static bool
check_order(struct ck_call *call, const struct ck_value *value)
{
    const enum ck_order order = value->builtin - CK_BUILTIN_MEMORY_ORDER_RELAXED;
    const bool is_load = call->id == CK_BUILTIN_ATOMIC_LOAD;
    if (!is_load && call->id != CK_BUILTIN_ATOMIC_STORE)
        return true;
    if ((is_load ? OF_LOAD : OF_STORE) >> order & 1)
        return true;
    return cannot_have(call, value, "order",
                       is_load ? "a load acquires: write `memory_order_acquire`"
                               : "a store releases: write `memory_order_release`");
}

/* LLVM's NVPTX back end supports other devices' scope for loads, stores and compare-and-swap
 * only. */
static bool
check_scope(struct ck_call *call, const struct ck_value *value)
{
    if (value->builtin != CK_BUILTIN_THREAD_SCOPE_SYSTEM || call->id >= CK_BUILTIN_ATOMIC_CAS)
        return true;
    return cannot_have(call, value, "scope",
                       "write `thread_scope_device`, or use `atomic.cas`, which can");
}

static bool
wrong_name(struct ck_call *call, const struct ck_value *value, const char *what, const char *names)
{
    if (value->kind == CK_VALUE_ERROR)
        return false;
    struct ck_diag *diag = ck_error(
        call->fn, WRONG_TYPE, value->span,
        ck_arena_printf(call->fn->c->arena, "`%s` takes %s here", ck_builtin_path(call->id), what));
    ck_diag_help(call->fn->c->diags, diag, "write one of %s", names);
    return false;
}

/* Reads the order and the scope after the first `n` arguments, and removes them. */
static bool
take_atomicity(struct ck_call *call, int n, struct ck_texpr *expr)
{
    if (call->id == CK_BUILTIN_ATOMIC_LOAD)
        expr->builtin.order = CK_ORDER_ACQUIRE;
    else if (call->id == CK_BUILTIN_ATOMIC_STORE)
        expr->builtin.order = CK_ORDER_RELEASE;
    if (call->n_args > n) {
        const struct ck_value *order = &call->args[n];
        if (!is_order(order))
            return wrong_name(call, order, "the order of memory",
                              "memory_order_relaxed, memory_order_acquire, memory_order_release, "
                              "memory_order_acq_rel and memory_order_seq_cst");
        if (!check_order(call, order))
            return false;
        expr->builtin.order = order->builtin - CK_BUILTIN_MEMORY_ORDER_RELAXED;
    }
    if (call->n_args > n + 1) {
        const struct ck_value *scope = &call->args[n + 1];
        if (!is_scope(scope))
            return wrong_name(call, scope, "the scope of threads",
                              "thread_scope_block, thread_scope_cluster, thread_scope_device and "
                              "thread_scope_system");
        if (!check_scope(call, scope))
            return false;
        expr->builtin.scope = scope->builtin - CK_BUILTIN_THREAD_SCOPE_DEVICE;
    }
    return true;
}

bool
ck_takes_order(enum ck_builtin_id id)
{
    return id == CK_BUILTIN_ATOMIC_ADD ||
           (id >= CK_BUILTIN_ATOMIC_SUB && id <= CK_BUILTIN_ATOMIC_STORE);
}

struct ck_value
ck_rule_atomic_name(struct ck_call *call)
{
    return (struct ck_value){
        .kind = CK_VALUE_BUILTIN, .builtin = call->id, .span = call->syntax->span};
}

/* --- Rules ---------------------------------------------------------------------------------------
 */

/* The value as an operand for dates or times: one of the element's type; what is added is a time in
 * its unit. NULL after an error. */
static struct ck_texpr *
date_operand(struct ck_call *call, const struct ck_value *value, const struct ck_type *elem)
{
    const bool adds = call->id == CK_BUILTIN_ATOMIC_ADD || call->id == CK_BUILTIN_ATOMIC_SUB;
    const struct ck_type *type = adds ? ck_type_date(CK_TYPE_TIMEDELTA64, elem->date.unit) : elem;
    if (value->kind != CK_VALUE_RUN)
        return NULL;
    struct ck_texpr *operand = ck_convert(call->fn, value, type);
    if (!operand)
        return NULL;
    const struct ck_value converted = ck_value_run(type, operand);
    const struct ck_value count = ck_date_count(call->fn, &converted);
    return ck_date_of_count(call->fn, &count, elem).expr;
}

static struct ck_texpr *
number_operand(struct ck_call *call, int arg, const struct ck_type *elem)
{
    if (!ck_is_number(&call->args[arg])) {
        ck_wrong_type(call, arg, "a number");
        return NULL;
    }
    ck_warn_narrowed(call->fn, &call->args[arg], elem);
    return ck_implicit_cast(call->fn, call->args[arg].expr, elem);
}

/* The arguments from `first` to `last` are numbers to be stored: converted as by a store. */
static struct ck_texpr *
operation(struct ck_call *call, struct ck_tindex *indices, int first, int last)
{
    const struct ck_type *elem = call->args[0].type->array.elem;
    struct ck_texpr *expr = ck_lowered(call, elem);
    if (!take_atomicity(call, last + 1, expr))
        return NULL;
    ck_lowered_arg(call, expr, call->args[0].expr);
    for (int i = first; i <= last; i++) {
        call->args[i] = ck_as_run(call->fn, call->args[i]);
        struct ck_texpr *operand = ck_type_is_date(elem) ? date_operand(call, &call->args[i], elem)
                                                         : number_operand(call, i, elem);
        if (!operand)
            return NULL;
        ck_lowered_arg(call, expr, operand);
    }
    expr->builtin.indices = indices;
    return expr;
}

static struct ck_value
old_value(struct ck_call *call, struct ck_texpr *expr)
{
    return expr ? ck_value_run(expr->type, expr) : ck_value_error(call->syntax->span);
}

/* array, index, then arguments up to `last`. NULL after an error. */
static struct ck_texpr *
on_element(struct ck_call *call, int last)
{
    struct ck_tindex *indices;
    struct ck_lets lets = {0};
    call->args[1] = ck_as_run(call->fn, call->args[1]);
    if (call->args[1].kind == CK_VALUE_ERROR || !check_array(call))
        return NULL;
    ck_save_index(call->fn, &call->args[0], &call->args[1], &lets);
    if (!ck_indices_from_value(call->fn, &call->args[0], &call->args[1], &indices))
        return NULL;
    return ck_lets_in(&lets, operation(call, indices, 2, last));
}

struct ck_value
ck_rule_atomic(struct ck_call *call)
{
    return old_value(call, on_element(call, call->id == CK_BUILTIN_ATOMIC_CAS ? 3 : 2));
}

struct ck_value
ck_rule_atomic_first(struct ck_call *call)
{
    if (!check_array(call))
        return ck_value_error(call->syntax->span);
    struct ck_tindex *indices = first_element(call, call->args[0].type->array.ndim);
    return old_value(call, operation(call, indices, 1, 2));
}

struct ck_value
ck_rule_atomic_load(struct ck_call *call)
{
    return old_value(call, on_element(call, 1));
}

struct ck_value
ck_rule_atomic_store(struct ck_call *call)
{
    struct ck_texpr *expr = on_element(call, 2);
    if (!expr)
        return ck_value_error(call->syntax->span);
    expr->type = ck_type_scalar(CK_TYPE_VOID);
    return ck_lowered_none(call, expr);
}
