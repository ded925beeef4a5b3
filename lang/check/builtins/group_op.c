/* Operations over groups: reductions, scans, partitions, split barriers, copies, calls by one
 * thread.
 *
 * A rule checks the arguments and calls the prelude's function for the group's kind; see
 * group.c. */
#include <string.h>

#include "lang/check/builtins/rules.h"
#include "lang/check/element.h"
#include "lang/check/view.h"

/* --- Operators -----------------------------------------------------------------------------------
 */

/* `plus`, `plus()`, and, in the prelude, `plus(a, b)`. */
struct ck_value
ck_rule_operator(struct ck_call *call)
{
    struct ck_fn *fn = call->fn;
    if (call->n_args == 0)
        return (struct ck_value){
            .kind = CK_VALUE_BUILTIN, .builtin = call->id, .span = call->syntax->span};
    if (call->n_args != 2) {
        ck_error(fn, WRONG_COUNT, call->syntax->span, ck_builtin_name(call->id), "2 arguments",
                 call->n_args);
        return ck_value_error(call->syntax->span);
    }
    static const struct {
        enum ck_builtin_id id;
        enum ck_binary_op op;
    } binaries[] = {
        {CK_BUILTIN_PLUS, CK_OP_ADD},
        {CK_BUILTIN_BIT_AND, CK_OP_AND},
        {CK_BUILTIN_BIT_OR, CK_OP_OR},
        {CK_BUILTIN_BIT_XOR, CK_OP_XOR},
    };
    for (size_t i = 0; i < sizeof binaries / sizeof *binaries; i++) {
        if (binaries[i].id == call->id)
            return ck_check_binary(fn, binaries[i].op, call->args[0], call->args[1],
                                   call->syntax->span);
    }
    struct ck_call extreme = *call;
    extreme.id = call->id == CK_BUILTIN_LESS ? CK_BUILTIN_MIN : CK_BUILTIN_MAX;
    return ck_rule_extreme(&extreme);
}

static bool
is_operator(const struct ck_value *value)
{
    return value->kind == CK_VALUE_BUILTIN &&
           (value->builtin == CK_BUILTIN_PLUS || value->builtin == CK_BUILTIN_LESS ||
            value->builtin == CK_BUILTIN_GREATER || value->builtin == CK_BUILTIN_BIT_AND ||
            value->builtin == CK_BUILTIN_BIT_OR || value->builtin == CK_BUILTIN_BIT_XOR);
}

/* The number of an operator for the prelude: 1 to 6 for `plus less greater bit_and bit_or
 * bit_xor`. */
struct ck_value
ck_rule_operator_of(struct ck_call *call)
{
    const struct ck_value *op = &call->args[0];
    return ck_value_int(call->fn, is_operator(op) ? (int)op->builtin - CK_BUILTIN_PLUS + 1 : 0,
                        call->syntax->span);
}

/* A value of this type that is not constant: a function's argument before its call exists. */
static struct ck_value
some_value(struct ck_fn *fn, const struct ck_type *type, struct ck_span span)
{
    return ck_value_run(type, ck_texpr_new(fn, CK_T_LOCAL, type, span));
}

/* The function `op` for two values of a type; NULL after an error. */
static struct ck_tfunc *
operator_of(struct ck_fn *fn, const struct ck_value *op, const struct ck_type *type)
{
    const int n = 2 + op->function->n_free_names;
    struct ck_value *args = CK_NEW_ARRAY(fn->c->arena, struct ck_value, n);
    args[0] = args[1] = some_value(fn, type, op->span);
    for (int i = 2; i < n; i++)
        args[i] = op->closure[i - 2];
    return ck_instantiate(fn->c, op->function, args, n, op->span);
}

/* Whether `op` combines two values of `type` into one of that type; otherwise an error. */
static bool
combines(struct ck_call *call, const struct ck_value *op, const struct ck_type *type)
{
    struct ck_fn *fn = call->fn;
    struct ck_arena *arena = fn->c->arena;
    const char *name = ck_builtin_name(call->id);
    if (is_operator(op)) {
        bool of_bits = op->builtin == CK_BUILTIN_BIT_AND || op->builtin == CK_BUILTIN_BIT_OR ||
                       op->builtin == CK_BUILTIN_BIT_XOR;
        if (!of_bits || !ck_type_is_float(type))
            return true;
        ck_error(fn, WRONG_TYPE, op->span,
                 ck_arena_printf(arena, "`%s` combines integers, not %s",
                                 ck_builtin_path(op->builtin), ck_text_of(fn, type)));
        return false;
    }
    if (op->kind != CK_VALUE_FUNCTION || op->function->is_kernel ||
        op->function->function->n_params != 2) {
        struct ck_diag *diag = ck_error(
            fn, WRONG_TYPE, op->span, ck_arena_printf(arena, "`%s` takes an operator here", name));
        ck_diag_help(fn->c->diags, diag,
                     "plus, less, greater, bit_and, bit_or, bit_xor, or a device function of two "
                     "values");
        return false;
    }
    struct ck_tfunc *function = operator_of(fn, op, type);
    if (!function)
        return false;
    if (ck_tfunc_waits(function)) {
        ck_error(fn, WRONG_TYPE, op->span,
                 ck_arena_printf(arena,
                                 "`%s` waits for other threads, of which not all combine values at "
                                 "a time",
                                 op->function->name));
        return false;
    }
    if (function->returns == type)
        return true;
    ck_error(fn, WRONG_TYPE, op->span,
             ck_arena_printf(
                 arena, "`%s` returns %s for two of %s: it cannot combine them into one",
                 op->function->name, ck_text_of(fn, function->returns), ck_text_of(fn, type)));
    return false;
}

/* The type in which an operator combines values of `type`: its result type for two of them, so that
 * a sum of uint8 does not wrap. */
static const struct ck_type *
combined_type(struct ck_fn *fn, const struct ck_value *op, const struct ck_type *type)
{
    if (is_operator(op)) {
        return op->builtin == CK_BUILTIN_PLUS ? ck_operand_type(type) : type;
    }
    if (ck_operand_type(type) == type || op->kind != CK_VALUE_FUNCTION ||
        op->function->function->n_params != 2)
        return type;
    struct ck_tfunc *function = operator_of(fn, op, type);
    return function && function->returns == ck_operand_type(type) ? function->returns : type;
}

/* value, operator: given or plus */
static struct ck_value
collective(struct ck_call *call)
{
    struct ck_value args[2];
    struct ck_fn *fn = call->fn;
    if (!ck_number_arg(call, 0, &args[0]))
        return ck_value_error(call->syntax->span);
    args[1] = call->n_args > 1 ? call->args[1]
                               : (struct ck_value){.kind = CK_VALUE_BUILTIN,
                                                   .builtin = CK_BUILTIN_PLUS,
                                                   .span = call->syntax->span};
    args[1].self = NULL;
    const struct ck_type *type = combined_type(fn, &args[1], args[0].type);
    if (type != args[0].type)
        args[0] = ck_value_run(type, ck_cast(fn, args[0].expr, type));
    if (!combines(call, &args[1], args[0].type))
        return ck_value_error(call->syntax->span);
    return ck_call_member(call, args, 2);
}

struct ck_value
ck_rule_group_reduce(struct ck_call *call)
{
    return collective(call);
}

struct ck_value
ck_rule_group_scan(struct ck_call *call)
{
    return collective(call);
}

/* --- Partitions ----------------------------------------------------------------------------------
 */

/* An integer or a bool. */
struct ck_value
ck_rule_group_label(struct ck_call *call)
{
    const struct ck_value *label = &call->args[0];
    struct ck_value arg;
    if (label->kind != CK_VALUE_RUN ||
        (!ck_type_is_int(label->type) && label->type->kind != CK_TYPE_BOOL))
        return ck_wrong_type(call, 0, "an integer here");
    if (!ck_number_arg(call, 0, &arg))
        return ck_value_error(call->syntax->span);
    return ck_call_member(call, &arg, 1);
}

/* The number of threads of each partition: an integer, at least 1 if constant. */
struct ck_value
ck_rule_group_stride(struct ck_call *call)
{
    struct ck_value arg;
    int64_t n;
    if (!ck_integer_arg(call, 0, &arg))
        return ck_value_error(call->syntax->span);
    if (ck_value_const_int(&arg, &n) && (n < 1 || n > CK_MAX_BLOCK_THREADS)) {
        ck_error(call->fn, WRONG_TYPE, call->args[0].span,
                 ck_arena_printf(call->fn->c->arena, "a partition has 1 to %d threads",
                                 CK_MAX_BLOCK_THREADS));
        return ck_value_error(call->syntax->span);
    }
    return ck_call_member(call, &arg, 1);
}

/* --- Split barriers ------------------------------------------------------------------------------
 */

struct ck_value
ck_rule_group_arrive(struct ck_call *call)
{
    return ck_call_member(call, NULL, 0);
}

/* The token of the arrival. */
struct ck_value
ck_rule_group_wait(struct ck_call *call)
{
    const struct ck_value *token = &call->args[0];
    if (token->kind != CK_VALUE_RUN || !ck_type_is_group(token->type) ||
        token->type->group.kind != CK_GROUP_TOKEN ||
        token->type->group.parent != (int)call->self->type->group.kind)
        return ck_wrong_type(call, 0,
                             ck_arena_printf(call->fn->c->arena,
                                             "the token that this %s's `barrier_arrive` returned",
                                             ck_text_of(call->fn, call->self->type)));
    return ck_call_member(call, token, 1);
}

/* group, value: an arrival's token */
struct ck_value
ck_rule_make_token(struct ck_call *call)
{
    struct ck_fn *fn = call->fn;
    const struct ck_type *type =
        ck_type_group(&fn->c->types, CK_GROUP_TOKEN, 0, (int)call->args[0].type->group.kind);
    struct ck_texpr *tuple = ck_texpr_new(fn, CK_T_TUPLE, type, call->syntax->span);
    tuple->tuple.n = 1;
    tuple->tuple.items = CK_NEW(fn->c->arena, struct ck_texpr *);
    tuple->tuple.items[0] = ck_cast(fn, call->args[1].expr, type->group.items[0]);
    return ck_value_run(type, tuple);
}

/* --- Asynchronous copies -------------------------------------------------------------------------
 */

/* Whether a bound of a slice can be passed as an int64 and is rarely negative. */
static bool
is_ordinary(const struct ck_texpr *bound)
{
    return !bound || (bound->type->kind != CK_TYPE_UINT64 &&
                      (bound->kind != CK_T_CONST || bound->constant.i >= 0));
}

/* Separates a slice's bounds from the array it is a slice of, so that copies clamp them only where
 * necessary. For other arrays, 0 and the greatest number. */
static void
split_slice(struct ck_fn *fn, struct ck_value *array, struct ck_value *start, struct ck_value *stop)
{
    const struct ck_type *i64 = ck_type_scalar(CK_TYPE_INT64);
    const struct ck_texpr *view = array->expr;
    *start = ck_value_run(i64, ck_const_int(fn, i64, 0, array->span));
    *stop = ck_value_run(i64, ck_const_int(fn, i64, INT64_MAX, array->span));
    if (view->kind != CK_T_VIEW || view->type->array.ndim != 1)
        return;
    struct ck_taxis axes[CK_MAX_NDIM], *axis = NULL;
    const int n = view->view.array->type->array.ndim;
    for (int i = 0; i < n; i++) {
        axes[i] = view->view.axes[i];
        axis = axes[i].is_slice ? &axes[i] : axis;
    }
    struct ck_texpr *from = axis->start.value, *to = axis->stop.value;
    if (axis->step || !is_ordinary(from) || !is_ordinary(to))
        return;
    if (from)
        *start = ck_value_run(i64, ck_cast(fn, from, i64));
    if (to)
        *stop = ck_value_run(i64, ck_cast(fn, to, i64));
    *axis = (struct ck_taxis){.is_slice = true};
    struct ck_texpr *whole = ck_view_of(fn, view->view.array, axes, n, view->span);
    *array = ck_value_run(whole->type, whole);
}

/* Whether a record has bytes that are of no member. */
static bool
has_padding(const struct ck_type *type)
{
    if (!ck_type_is_record(type))
        return false;
    int64_t size = 0;
    for (int i = 0; i < type->tuple.n; i++) {
        const struct ck_member_layout *member = &type->tuple.fields->members[i];
        if (has_padding(member->type))
            return true;
        size += ck_member_size(member);
    }
    return size != type->tuple.fields->size;
}

/* The numbers as which elements are copied that are none: of dates the counts; of vectors, and of
 * records without padding, in C order, words of the size that each address divides by. NULL: of
 * others. Padding is never written, so that the check of unset memory would find it. */
static const struct ck_type *
copied_as(const struct ck_type *type)
{
    const struct ck_type *elem = type->array.elem;
    const int64_t places = ck_type_size(elem) | ck_array_align(type);
    if (ck_type_is_date(elem))
        return ck_type_scalar(CK_TYPE_INT64);
    if (type->array.layout != CK_LAYOUT_C || has_padding(elem))
        return NULL;
    return ck_type_scalar(places % 4 == 0   ? CK_TYPE_UINT32
                          : places % 2 == 0 ? CK_TYPE_UINT16
                                            : CK_TYPE_UINT8);
}

/* The array with elements that are numbers; false, reported: it cannot be copied. */
static bool
make_copied(struct ck_call *call, struct ck_value *array)
{
    struct ck_fn *fn = call->fn;
    const struct ck_type *type = array->type;
    const char *name = ck_builtin_path(call->id);
    const struct ck_type *number = copied_as(type);
    if (ck_type_is_scalar(type->array.elem) || !number)
        return ck_has_aligned_scalars(fn, array, name);
    if (!ck_is_aligned(fn, array, name))
        return false;
    type = ck_type_array(&fn->c->types, number, type->array.ndim, type->array.layout,
                         type->array.space);
    struct ck_texpr *view = ck_texpr_new(fn, CK_T_REINTERPRET, type, array->span);
    const struct ck_span span = array->span;
    view->operand = array->expr;
    *array = ck_value_run(type, view);
    array->span = span;
    return true;
}

/* destination, source: arrays of one type of element and one number of dimensions */
struct ck_value
ck_rule_group_copy(struct ck_call *call)
{
    struct ck_fn *fn = call->fn;
    for (int i = 0; i < 2; i++) {
        if (call->args[i].kind != CK_VALUE_RUN || !ck_type_is_array(call->args[i].type) ||
            !call->args[i].type->array.ndim)
            return ck_wrong_type(call, i, "an array or a view here");
    }
    const struct ck_type *to = call->args[0].type, *from = call->args[1].type;
    if (to->array.elem != from->array.elem || to->array.ndim != from->array.ndim) {
        ck_error(fn, WRONG_TYPE, call->args[1].span,
                 ck_arena_printf(fn->c->arena, "%s cannot be copied to %s", ck_text_of(fn, from),
                                 ck_text_of(fn, to)));
        return ck_value_error(call->syntax->span);
    }
    if (!make_copied(call, &call->args[0]) || !make_copied(call, &call->args[1]) ||
        !ck_check_writable(fn, &call->args[0], call->args[0].span))
        return ck_value_error(call->syntax->span);
    struct ck_value args[4] = {call->args[0], call->args[1]};
    split_slice(fn, &args[1], &args[2], &args[3]);
    return ck_call_member(call, args, 4);
}

/* How many of the latest copies may still be in flight: a constant */
struct ck_value
ck_rule_group_wait_prior(struct ck_call *call)
{
    int64_t n;
    if (!ck_value_const_int(&call->args[0], &n) || n < 0 || n > 7)
        return ck_wrong_type(call, 0, "a constant from 0 to 7");
    return ck_call_member(call, call->args, 1);
}

/* --- Calls by one thread -------------------------------------------------------------------------
 */

/* Whether this thread calls the function: rank 0, or, where it may have returned, the first active
 * thread. */
static struct ck_texpr *
is_first(struct ck_call *call)
{
    struct ck_fn *fn = call->fn;
    const enum ck_group_kind kind = call->self->type->group.kind;
    if ((kind == CK_GROUP_TILE && ck_may_have_returned(fn)) ||
        (kind == CK_GROUP_COALESCED && ck_may_have_left(fn))) {
        const char *name = kind == CK_GROUP_TILE ? "_tile_leads" : "_coalesced_leads";
        struct ck_global *leads = ck_prelude_function(fn->c, name);
        struct ck_value test = ck_call_instance(fn, leads, call->self, 1, call->syntax->span);
        const struct ck_type *boolean = ck_type_scalar(CK_TYPE_BOOL);
        return test.expr ? test.expr : ck_const_int(fn, boolean, 0, call->syntax->span);
    }
    struct ck_expr syntax = {.kind = CK_EXPR_CALL, .span = call->syntax->span};
    struct ck_value member = ck_group_member(fn, call->self, "thread_rank", call->syntax->span);
    struct ck_value rank = ck_check_builtin(fn, &member, &syntax);
    struct ck_texpr *zero = ck_const_int(fn, rank.expr->type, 0, call->syntax->span);
    return ck_compare_expr(fn, CK_CMP_EQ, rank.expr, zero, call->syntax->span);
}

/* function, arguments: checked as the call that they stand for; an error value otherwise */
static struct ck_value
call_of_args(struct ck_call *call)
{
    const struct ck_expr *syntax = call->syntax;
    struct ck_value function = ck_check_expr(call->fn, syntax->call.args[0].value);
    if (function.kind != CK_VALUE_FUNCTION) {
        if (function.kind != CK_VALUE_ERROR)
            ck_error(call->fn, WRONG_TYPE, function.span,
                     ck_arena_printf(call->fn->c->arena, "`%s` takes a device function here",
                                     ck_builtin_name(call->id)));
        return ck_value_error(syntax->span);
    }
    struct ck_expr *inner = CK_NEW(call->fn->c->arena, struct ck_expr);
    *inner = *syntax;
    inner->call.callee = syntax->call.args[0].value;
    inner->call.args = syntax->call.args + 1;
    inner->call.n_args = syntax->call.n_args - 1;
    return ck_check_expr(call->fn, inner);
}

bool
ck_calls_by_one(enum ck_builtin_id id)
{
    return id == CK_BUILTIN_GROUP_INVOKE_ONE || id == CK_BUILTIN_GROUP_INVOKE_ONE_BROADCAST;
}

struct ck_value
ck_rule_group_invoke(struct ck_call *call)
{
    struct ck_fn *fn = call->fn;
    if (call->self->type->group.kind == CK_GROUP_GRID)
        fn->out->effects |= CK_EFFECT_GRID_BARRIER; /* like every operation of the whole grid */
    struct ck_texpr *first = is_first(call);
    struct ck_tblock *outer = fn->block;
    struct ck_tstmt *branch = ck_emit(fn, CK_S_IF, call->syntax->span);
    branch->branch.test = first;
    fn->block = &branch->branch.then;
    struct ck_value result = call_of_args(call);
    if (result.kind != CK_VALUE_ERROR && result.expr)
        ck_emit(fn, CK_S_EXPR, call->syntax->span)->expr = result.expr;
    fn->block = outer;
    if (result.kind == CK_VALUE_ERROR)
        return result;
    return (struct ck_value){.kind = CK_VALUE_NONE, .span = call->syntax->span};
}

/* a value */
struct ck_value
ck_rule_unused(struct ck_call *call)
{
    return ck_value_run(call->args[0].type, ck_lowered(call, call->args[0].type));
}

/* The operand of the threads that do not call the function: the broadcast replaces it. */
static struct ck_texpr *
unused(const struct ck_call *call, const struct ck_type *type)
{
    struct ck_call inner = *call;
    inner.id = CK_BUILTIN_UNUSED;
    return ck_lowered(&inner, type);
}

struct ck_value
ck_rule_group_invoke_broadcast(struct ck_call *call)
{
    struct ck_fn *fn = call->fn;
    struct ck_value result = call_of_args(call);
    if (result.kind == CK_VALUE_ERROR)
        return result;
    if (!ck_is_number(&result)) {
        ck_error(fn, WRONG_TYPE, call->syntax->call.args[0].value->span,
                 "the function must return a number, which all threads of the group get");
        return ck_value_error(call->syntax->span);
    }
    const struct ck_type *type = result.expr->type;
    struct ck_span span = call->syntax->span;
    struct ck_texpr *value =
        ck_select_expr(fn, is_first(call), result.expr, unused(call, type), span);
    struct ck_value arg = ck_value_run(type, value);
    return ck_call_member(call, &arg, 1);
}
