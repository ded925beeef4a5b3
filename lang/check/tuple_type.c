/* The types of tuples as the user writes them: `(int32, float64)`, `Tuple((int32, float64))` and
 * `UniTuple(float32, 3)`; other types that are written as calls; kernel parameters that are tuples.
 */
#include "lang/check/builtins/builtins.h"
#include "lang/check/checker.h"
#include "lang/check/date.h"
#include "lang/check/window.h"

/* --- Size ----------------------------------------------------------------------------------------
 */

static const struct ck_type *
bad_type(struct ck_checker *c, struct ck_span span, const char *text, bool report)
{
    if (report)
        ck_diag_add(c->diags, CK_DIAG_BAD_TYPE, span, text);
    return NULL;
}

/* NULL, after an error if `report`, if the tuple is larger than a kernel can take. */
static const struct ck_type *
limited(struct ck_checker *c, const struct ck_type *type, struct ck_span span, bool report)
{
    if (type->total > CK_MAX_TUPLE_ITEMS)
        return bad_type(c, span, "the type of a tuple has at most 1024 items", report);
    if (type->depth > CK_MAX_TUPLE_DEPTH)
        return bad_type(c, span, "the type of a tuple has more than 16 tuples in each other",
                        report);
    return type;
}

/* --- Reading -------------------------------------------------------------------------------------
 */

static const struct ck_type *
item_type(struct ck_checker *c, const struct ck_expr *expr, bool report)
{
    const struct ck_type *type = ck_type_of_expr(c, expr, report);
    if (type && type->kind == CK_TYPE_VOID)
        return bad_type(c, expr->span, "a tuple's item cannot be void", report);
    return type;
}

/* `(T, ...)`, or a list of types. */
static const struct ck_type *
type_of_items(struct ck_checker *c, const struct ck_expr *expr, bool report)
{
    int n = expr->sequence.n;
    const struct ck_type **items = CK_NEW_ARRAY(c->arena, const struct ck_type *, n + 1);
    for (int i = 0; i < n; i++) {
        items[i] = item_type(c, expr->sequence.items[i], report);
        if (!items[i])
            return NULL;
    }
    return limited(c, ck_type_tuple(&c->types, items, n), expr->span, report);
}

/* UniTuple(T, n) */
static const struct ck_type *
uniform(struct ck_checker *c, const struct ck_expr *expr, bool report)
{
    const struct ck_type *item = item_type(c, expr->call.args[0].value, report);
    const struct ck_expr *count = expr->call.args[1].value;
    struct ck_fn scope = ck_module_scope(c);
    struct ck_value value =
        report ? ck_check_expr(&scope, count) : ck_speculate(&scope, ck_check_expr, count);
    int64_t n;
    if (!item || value.kind == CK_VALUE_ERROR)
        return NULL;
    if (!ck_value_const_int(&value, &n) || n < 0)
        return bad_type(c, count->span, "how many items a tuple has is a constant, 0 or more",
                        report);
    if (n > CK_MAX_TUPLE_ITEMS || n * (1 + item->total) > CK_MAX_TUPLE_ITEMS)
        return bad_type(c, expr->span, "the type of a tuple has at most 1024 items", report);
    const struct ck_type **items = CK_NEW_ARRAY(c->arena, const struct ck_type *, n + 1);
    for (int64_t i = 0; i < n; i++)
        items[i] = item;
    return limited(c, ck_type_tuple(&c->types, items, (int)n), expr->span, report);
}

const struct ck_type *
ck_made_type_of_call(struct ck_checker *c, const struct ck_expr *expr, enum ck_builtin_id id,
                     bool report)
{
    bool named = false;
    if (id == CK_BUILTIN_CPOINTER)
        return ck_pointer_type_of_call(c, expr, report);
    if (id == CK_BUILTIN_ARRAY_TYPE)
        return ck_array_type_of_call(c, expr, report);
    if (id == CK_BUILTIN_NPDATETIME || id == CK_BUILTIN_NPTIMEDELTA)
        return ck_date_type_of_call(
            c, expr, id == CK_BUILTIN_NPDATETIME ? CK_TYPE_DATETIME64 : CK_TYPE_TIMEDELTA64,
            report);
    for (int i = 0; i < expr->call.n_args; i++)
        named = named || expr->call.args[i].name;
    if (id == CK_BUILTIN_UNITUPLE) {
        if (named || expr->call.n_args != 2)
            return bad_type(c, expr->span, "a tuple of one type is written UniTuple(T, n)", report);
        return uniform(c, expr, report);
    }
    const struct ck_expr *items = expr->call.n_args ? expr->call.args[0].value : NULL;
    bool listed = items && (items->kind == CK_EXPR_TUPLE || items->kind == CK_EXPR_LIST);
    if (named || expr->call.n_args != 1 || !listed)
        return bad_type(c, expr->span, "the type of a tuple is written Tuple((T, ...))", report);
    return type_of_items(c, items, report);
}

bool
ck_is_made_type_expr(struct ck_checker *c, const struct ck_expr *expr)
{
    if (expr->kind == CK_EXPR_TUPLE)
        return true;
    if (expr->kind != CK_EXPR_CALL ||
        (expr->call.callee->kind != CK_EXPR_NAME && expr->call.callee->kind != CK_EXPR_ATTRIBUTE))
        return false;
    struct ck_fn scope = ck_module_scope(c);
    struct ck_value callee = ck_probe(&scope, expr->call.callee);
    return (callee.kind == CK_VALUE_TYPE && callee.function) ||
           (callee.kind == CK_VALUE_BUILTIN && ck_makes_type(callee.builtin));
}

/* `Point(float32, int64)` */
static const struct ck_type *
type_of_namedtuple(struct ck_checker *c, const struct ck_expr *expr, const struct ck_type *named,
                   bool report)
{
    int n = named->tuple.n;
    bool by_position = expr->call.n_args == n;
    for (int i = 0; i < expr->call.n_args; i++)
        by_position = by_position && !expr->call.args[i].name;
    if (!by_position)
        return bad_type(c, expr->span,
                        ck_arena_printf(c->arena, "`%s` has %d field%s: give the type of each",
                                        named->tuple.fields->name, n, n == 1 ? "" : "s"),
                        report);
    const struct ck_type **items = CK_NEW_ARRAY(c->arena, const struct ck_type *, n);
    for (int i = 0; i < n; i++) {
        items[i] = item_type(c, expr->call.args[i].value, report);
        if (!items[i])
            return NULL;
    }
    return limited(c, ck_type_named_tuple(&c->types, named->tuple.fields, items, n), expr->span,
                   report);
}

const struct ck_type *
ck_made_type_of_expr(struct ck_checker *c, const struct ck_expr *expr, bool report)
{
    if (expr->kind == CK_EXPR_TUPLE)
        return type_of_items(c, expr, report);
    struct ck_fn scope = ck_module_scope(c);
    struct ck_value callee = ck_probe(&scope, expr->call.callee);
    if (callee.kind == CK_VALUE_TYPE)
        return type_of_namedtuple(c, expr, callee.type, report);
    return ck_made_type_of_call(c, expr, callee.builtin, report);
}

/* --- A kernel's parameters -----------------------------------------------------------------------
 */

/* Adds locals for a parameter, or for its items in order, and their description for launches. */
static struct ck_texpr *
split_param(struct ck_fn *fn, const char *name, const struct ck_type *type, struct ck_span span)
{
    struct ck_tfunc *out = fn->out;
    bool is_tuple = type->kind == CK_TYPE_TUPLE;
    struct ck_tparam param = {
        .name = name, .n_items = is_tuple ? type->tuple.n : 0, .local = CK_PARAM_TUPLE};
    if (ck_type_is_vector(type) || ck_type_is_record(type))
        param.type = type->tuple.fields->name;
    if (!is_tuple) {
        param.local = ck_local_new(fn, name, type);
        out->n_params++;
    }
    CK_PUSH(fn->c->arena, out->params, out->n_entries, out->entries_capacity, param);
    if (!is_tuple)
        return ck_local_ref(fn, param.local, span);
    struct ck_texpr *tuple = ck_texpr_new(fn, CK_T_TUPLE, type, span);
    tuple->tuple.n = type->tuple.n;
    tuple->tuple.items = CK_NEW_ARRAY(fn->c->arena, struct ck_texpr *, type->tuple.n + 1);
    for (int i = 0; i < type->tuple.n; i++)
        tuple->tuple.items[i] = split_param(fn, ck_arena_printf(fn->c->arena, "%s[%d]", name, i),
                                            type->tuple.items[i], span);
    return tuple;
}

/* Whether an argument is a run-time value of the launch. */
static bool
is_run(const struct ck_value *arg)
{
    return arg->kind == CK_VALUE_RUN && arg->expr->kind == CK_T_LOCAL;
}

/* Whether an argument is None, and not by default. */
static bool
is_given_none(const struct ck_value *arg)
{
    return arg->kind == CK_VALUE_NONE && arg->type;
}

/* The value of a parameter, with its description if the launch has an argument for it. */
static struct ck_value
bind_param(struct ck_fn *fn, const struct ck_param *param, const struct ck_value *arg,
           bool is_described)
{
    if (is_run(arg))
        return ck_value_run(arg->type, split_param(fn, param->name, arg->type, param->span));
    struct ck_value value = *arg;
    struct ck_tparam entry = {.name = param->name, .local = CK_PARAM_DEFAULT};
    if (is_given_none(arg)) {
        entry.local = CK_PARAM_NONE;
        value.type = NULL;
    }
    if (is_described)
        CK_PUSH(fn->c->arena, fn->out->params, fn->out->n_entries, fn->out->entries_capacity,
                entry);
    return value;
}

static void
bind_untyped(struct ck_fn *fn, const struct ck_param *param, struct ck_value value)
{
    const struct ck_binding binding = {.state = CK_SET, .value = value, .set_at = param->span};
    ck_env_set(fn, &fn->env, ck_name_index(fn, param->name), &binding);
}

/* Binds with an array that it is the memory of parameter number n. */
static void
bind_window(struct ck_fn *fn, const struct ck_param *param, int n)
{
    const int name = ck_name_index(fn, param->name);
    struct ck_binding binding = *ck_env_get(&fn->env, name);
    binding.value.window = ck_window_of_param(fn, n, binding.value.type);
    ck_env_set(fn, &fn->env, name, &binding);
}

void
ck_bind_kernel_params(struct ck_fn *fn, const struct ck_value *args, int n)
{
    const struct ck_param *params = fn->global->function->params;
    struct ck_value *values = CK_NEW_ARRAY(fn->c->arena, struct ck_value, n + 1);
    int n_given = n;
    while (n_given && !is_run(&args[n_given - 1]) && !is_given_none(&args[n_given - 1]))
        n_given--;
    for (int i = 0; i < n; i++)
        values[i] = bind_param(fn, &params[i], &args[i], i < n_given);
    for (int i = 0; i < n; i++) {
        if (args[i].kind == CK_VALUE_RUN && !is_run(&args[i]))
            ck_use_module_arrays(fn, args[i].expr, params[i].span);
        if (values[i].kind == CK_VALUE_ERROR) /* without a type; the same in all threads */
            bind_untyped(fn, &params[i], values[i]);
        else
            ck_bind(fn, params[i].name, values[i], params[i].span);
        if (is_run(&values[i]) && ck_type_is_array(values[i].type))
            bind_window(fn, &params[i], i);
    }
}
