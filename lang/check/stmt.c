/* Checking statements: control flow, loops to a fixed point of types, assignment. */
#include <assert.h>
#include <string.h>

#include "lang/check/builtins/builtins.h"
#include "lang/check/date.h"
#include "lang/check/element.h"
#include "lang/check/foreign_names.h"
#include "lang/check/inner.h"
#include "lang/check/iterate.h"
#include "lang/check/name_tuple.h"
#include "lang/check/optional.h"
#include "lang/check/untyped.h"
#include "lang/check/vector.h"
#include "lang/check/view.h"
#include "lang/check/window.h"

static void check_stmt(struct ck_fn *fn, const struct ck_stmt *stmt);

void
ck_check_block(struct ck_fn *fn, const struct ck_block *block)
{
    const struct ck_condition *outer = fn->conditions;
    for (int i = 0; i < block->n && fn->env.reachable; i++)
        check_stmt(fn, block->stmts[i]);
    fn->conditions = outer;
}

/* --- Which names are the function's --------------------------------------------------------------
 */

static void
collect_target(struct ck_fn *fn, const struct ck_expr *target)
{
    if (target->kind == CK_EXPR_NAME && !ck_is_assigned(fn, target->name))
        ck_name_set_add(fn->c->arena, &fn->assigned, target->name);
    bool sequence = target->kind == CK_EXPR_TUPLE || target->kind == CK_EXPR_LIST;
    for (int i = 0; sequence && i < target->sequence.n; i++)
        collect_target(fn, target->sequence.items[i]);
}

static void
collect_stmt(struct ck_fn *fn, const struct ck_stmt *stmt)
{
    switch (stmt->kind) {
    case CK_STMT_ASSIGN:
        for (int i = 0; i < stmt->assign.n_targets; i++) {
            collect_target(fn, stmt->assign.targets[i]);
            ck_collect_optional(fn, stmt->assign.targets[i], stmt->assign.value);
        }
        break;
    case CK_STMT_DELETE:
        for (int i = 0; i < stmt->assign.n_targets; i++)
            collect_target(fn, stmt->assign.targets[i]);
        break;
    case CK_STMT_AUGASSIGN:
        collect_target(fn, stmt->augassign.target);
        break;
    case CK_STMT_ANNOTATED:
        collect_target(fn, stmt->annotated.target);
        break;
    case CK_STMT_IF:
        fn->n_paths++;
        ck_collect_assigned(fn, &stmt->branch.then);
        ck_collect_assigned(fn, &stmt->branch.otherwise);
        break;
    case CK_STMT_WHILE:
        ck_collect_assigned(fn, &stmt->loop.body);
        ck_collect_assigned(fn, &stmt->loop.otherwise);
        break;
    case CK_STMT_FOR:
        collect_target(fn, stmt->each.target);
        ck_collect_assigned(fn, &stmt->each.body);
        ck_collect_assigned(fn, &stmt->each.otherwise);
        break;
    case CK_STMT_BREAK:
    case CK_STMT_CONTINUE:
        fn->n_paths++;
        break;
    default:
        break;
    }
}

void
ck_collect_assigned(struct ck_fn *fn, const struct ck_block *block)
{
    for (int i = 0; i < block->n; i++)
        collect_stmt(fn, block->stmts[i]);
}

/* --- Assignment ----------------------------------------------------------------------------------
 */

/* Saves the value in a temporary, so that later statements cannot change it. */
struct ck_value
ck_hold(struct ck_fn *fn, struct ck_value value)
{
    if (value.kind != CK_VALUE_RUN || ck_is_constant(value.expr))
        return value;
    int local = ck_local_new(fn, "", value.expr->type);
    if (ck_type_is_array(value.type))
        ck_hold_window(fn, local, value.expr);
    ck_emit_assign(fn, fn->block, local, value.expr, value.span);
    value.expr = ck_local_ref(fn, local, value.span);
    return value;
}

struct ck_texpr *
ck_stored_value(struct ck_fn *fn, const struct ck_type *array, const struct ck_value *value)
{
    const struct ck_type *elem = array->array.elem;
    if (value->kind != CK_VALUE_RUN) {
        ck_as_run(fn, *value); /* already a diagnostic */
        return NULL;
    }
    if (ck_type_is_vector(elem))
        return ck_stored_vector(fn, elem, value);
    struct ck_texpr *date = ck_date_convert(fn, value, elem);
    if (ck_is_date(value) && date)
        return date;
    if (!ck_type_is_scalar(value->type) || ck_type_is_date(elem) ||
        (ck_type_is_complex(value->type) && !ck_type_is_complex(elem))) {
        struct ck_diag *diag =
            ck_error(fn, WRONG_TYPE, value->span,
                     ck_arena_printf(fn->c->arena, "%s cannot be stored in an element of %s",
                                     ck_text_of(fn, value->type), ck_text_of(fn, array)));
        ck_help_date(fn, diag, value, elem);
        if (ck_type_is_complex(value->type))
            ck_help_real(fn, diag);
        else if (ck_type_is_array(value->type) || value->type->kind == CK_TYPE_TUPLE)
            ck_diag_help(fn->c->diags, diag, "an element holds one number: index the value, `[0]`");
        return NULL;
    }
    ck_warn_narrowed(fn, value, elem);
    ck_warn_late_widening(fn, value, elem, value->span);
    return ck_implicit_cast(fn, value->expr, elem);
}

static void
bad_target(struct ck_fn *fn, const struct ck_expr *target, const struct ck_value *object)
{
    if (target->kind == CK_EXPR_ERROR)
        return;
    struct ck_diag *diag = ck_error(fn, BAD_TARGET, target->span);
    if (object && (ck_type_is_vector(object->type) || ck_type_is_record(object->type)))
        ck_diag_help(fn->c->diags, diag,
                     "fields of values are read only: make a new value, `%s(...)`",
                     ck_text_of(fn, object->type));
    else if (object && target->kind == CK_EXPR_ATTRIBUTE && ck_type_is_scalar(object->type))
        ck_diag_help(fn->c->diags, diag, "%s has no fields", ck_text_of(fn, object->type));
}

/* Whether the type of an object has fields, and not this one. */
static bool
lacks_field(const struct ck_type *type, const char *name)
{
    if (ck_type_is_array(type))
        type = type->array.elem;
    return (ck_type_is_vector(type) || ck_type_is_record(type)) && ck_field_index(type, name) < 0;
}

/* The field of an element in memory as a target: `A[i].x`, or `A[i]["x"]`. False after an error. */
static bool
field_target(struct ck_fn *fn, const struct ck_expr *target, struct ck_element *out)
{
    const bool is_key = target->kind == CK_EXPR_SUBSCRIPT;
    const struct ck_expr *of = is_key ? target->subscript.object : target->attribute.object;
    const struct ck_value object = ck_check_name(fn, of);
    const char *name = is_key ? target->subscript.indices[0]->string.bytes : target->attribute.name;
    const bool is_run = object.kind == CK_VALUE_RUN;
    *out = (struct ck_element){0};
    if (object.kind == CK_VALUE_ERROR)
        return false;
    if (is_run && ck_field_in_memory(fn, &object, name, target->span, &out->array)) {
        if (out->array.kind == CK_VALUE_RUN && out->array.type->array.ndim)
            out->view = out->array.expr;
        return out->array.kind == CK_VALUE_RUN;
    }
    if (is_run && lacks_field(object.type, name))
        ck_report_field(fn, &object, name,
                        is_key ? target->subscript.indices[0]->span : target->attribute.name_span);
    else
        bad_target(fn, target, is_run ? &object : NULL);
    return false;
}

/* The place in memory that a target denotes. False after an error. */
static bool
place_of(struct ck_fn *fn, const struct ck_expr *target, struct ck_element *out)
{
    bool is_field = target->kind == CK_EXPR_ATTRIBUTE || ck_is_key(target);
    if (!is_field && target->kind != CK_EXPR_SUBSCRIPT) {
        bad_target(fn, target, NULL);
        return false;
    }
    return (is_field ? field_target(fn, target, out) : ck_check_element(fn, target, out)) &&
           ck_check_writable(fn, &out->array, target->span);
}

static void
assign_place(struct ck_fn *fn, const struct ck_expr *target, const struct ck_value *value,
             struct ck_span span)
{
    struct ck_element element;
    if (!place_of(fn, target, &element) || value->kind == CK_VALUE_ERROR) {
        ck_keep_untyped(fn, value, span);
        return;
    }
    const struct ck_value stored = element.lets.n ? ck_hold(fn, *value) : *value;
    ck_lets_emit(fn, &element.lets);
    if (element.view) {
        ck_store_view(fn, &element, stored, span);
        return;
    }
    ck_store_element(fn, element.array.expr, element.indices, &stored, target->span, span);
}

/* A statement that fails if an array does not have n items along its first axis. False, reported,
 * if that is known. */
static bool
assert_n_items(struct ck_fn *fn, const struct ck_value *array, int n, struct ck_span span)
{
    const struct ck_axis_extent extent = ck_known_extent(array, 0);
    if (extent.n >= 0 && extent.n != n) {
        struct ck_diag *diag =
            ck_error(fn, WRONG_TYPE, span,
                     ck_arena_printf(fn->c->arena,
                                     "an array of %lld item%s cannot be unpacked into %d names",
                                     (long long)extent.n, extent.n == 1 ? "" : "s", n));
        if (extent.asserted_at.end)
            ck_diag_label(fn->c->diags, diag, extent.asserted_at, "its extent is said here");
        return false;
    }
    if (extent.n == n)
        return true;
    struct ck_texpr *length = ck_extent_expr(fn, CK_T_SHAPE, array->expr, 0, span);
    struct ck_tstmt *out = ck_emit(fn, CK_S_ASSERT, span);
    out->assertion.test =
        ck_compare_expr(fn, CK_CMP_EQ, length, ck_const_int(fn, length->type, n, span), span);
    out->assertion.span = span;
    out->assertion.message =
        ck_arena_printf(fn->c->arena, "the array that is unpacked does not have %d items", n);
    return true;
}

/* The items of an array as a tuple. */
static struct ck_value
items_of_array(struct ck_fn *fn, struct ck_value array, int n, struct ck_span span)
{
    const struct ck_type *i64 = ck_type_scalar(CK_TYPE_INT64);
    const struct ck_type **types = CK_NEW_ARRAY(fn->c->arena, const struct ck_type *, n);
    struct ck_texpr *tuple = ck_texpr_new(fn, CK_T_TUPLE, NULL, span);
    array = ck_hold(fn, array);
    if (!assert_n_items(fn, &array, n, span))
        return ck_value_error(span);
    tuple->tuple.n = n;
    tuple->tuple.items = CK_NEW_ARRAY(fn->c->arena, struct ck_texpr *, n);
    for (int i = 0; i < n; i++) {
        struct ck_value item = ck_item_at(fn, &array, ck_const_int(fn, i64, i, span), span);
        types[i] = item.type;
        tuple->tuple.items[i] = item.expr;
    }
    tuple->type = ck_type_tuple(&fn->c->types, types, n);
    return ck_value_run(tuple->type, tuple);
}

static bool
has_items(const struct ck_value *value, int n)
{
    return value->kind == CK_VALUE_RUN && value->type->kind == CK_TYPE_TUPLE &&
           value->type->tuple.n == n;
}

static void
unpack(struct ck_fn *fn, const struct ck_expr *target, struct ck_value value, struct ck_span span)
{
    int n = target->sequence.n;
    if (value.kind == CK_VALUE_NAMES && value.names->n == n) {
        for (int i = 0; i < n; i++)
            ck_assign_to(fn, target->sequence.items[i], value.names->items[i], span);
        return;
    }
    if (value.kind == CK_VALUE_RUN && ck_type_is_array(value.type) && value.type->array.ndim)
        value = items_of_array(fn, value, n, target->span);
    const bool fits = has_items(&value, n);
    if (!fits && value.kind != CK_VALUE_ERROR) {
        const char *what = value.type ? ck_text_of(fn, value.type) : "this";
        ck_error(fn, WRONG_TYPE, target->span,
                 ck_arena_printf(fn->c->arena, "%s cannot be unpacked into %d names", what, n));
    }
    struct ck_value *items = CK_NEW_ARRAY(fn->c->arena, struct ck_value, n);
    if (fits && value.expr->kind != CK_T_TUPLE)
        value = ck_hold(fn, value);
    for (int i = 0; i < n; i++) {
        items[i] = fits ? ck_tuple_item(fn, &value, i) : ck_value_error(span);
        items[i].expr = fits ? items[i].expr : value.kind == CK_VALUE_ERROR ? value.expr : NULL;
    }
    /* Every item is read before any target is written: `a, b = b, a`. */
    for (int i = 0; i < n && n > 1 && fits && value.expr->kind == CK_T_TUPLE; i++)
        items[i] = ck_hold(fn, items[i]);
    for (int i = 0; i < n; i++)
        ck_assign_to(fn, target->sequence.items[i], items[i], span);
}

static void
report_no_value(struct ck_fn *fn, const struct ck_value *value)
{
    if (value->expr) {
        ck_error(fn, WRONG_TYPE, value->span, "there is no value to assign here");
    } else {
        struct ck_diag *diag = ck_error(fn, NOT_IN_KERNELS, value->span, "None");
        ck_diag_help(fn->c->diags, diag, "begin with a number of the type it will have");
    }
}

void
ck_assign_to(struct ck_fn *fn, const struct ck_expr *target, struct ck_value value,
             struct ck_span span)
{
    switch (target->kind) {
    case CK_EXPR_NAME:
        if (value.kind == CK_VALUE_NONE && !value.expr && ck_is_optional(fn, target->name)) {
            ck_set_none(fn, target->name, true, span);
            break;
        }
        if (value.kind == CK_VALUE_NONE) {
            report_no_value(fn, &value);
            value = ck_value_error(span);
        }
        ck_bind(fn, target->name, value, target->span);
        break;
    case CK_EXPR_TUPLE:
    case CK_EXPR_LIST:
        unpack(fn, target, value, span);
        break;
    default:
        assign_place(fn, target, &value, span);
    }
}

/* --- Accumulators --------------------------------------------------------------------------------
 * A name that holds an integer literal and is updated with integers is an int64. Where paths join,
 * ck_join_names sees to it; in `s = 0; s = s + a[i]` without a loop, the update does. */

/* An integer of fewer than 64 bits that is not a literal. */
static bool
is_narrow_int(const struct ck_type *type)
{
    return ck_type_is_whole(type) && !ck_type_is_weak(type) && ck_type_bits(type) < 64;
}

static bool
is_int_literal(const struct ck_value *value)
{
    return value->kind == CK_VALUE_RUN && value->type->kind == CK_TYPE_WEAK_INT;
}

struct mention {
    const char *name;
    bool found;
};

static void
find_mention(void *context, const struct ck_expr *expr)
{
    struct mention *mention = context;
    if (expr->kind == CK_EXPR_NAME && strcmp(expr->name, mention->name) == 0)
        mention->found = true;
    ck_expr_each(expr, find_mention, context);
}

static bool
mentions(const struct ck_expr *expr, const char *name)
{
    struct mention mention = {.name = name};
    find_mention(&mention, expr);
    return mention.found;
}

/* Whether the assigned value updates the integer literal that the target holds. */
static bool
updates_literal(struct ck_fn *fn, const struct ck_expr *target, const struct ck_expr *value)
{
    if (target->kind == CK_EXPR_TUPLE || target->kind == CK_EXPR_LIST) {
        for (int i = 0; i < target->sequence.n; i++) {
            if (updates_literal(fn, target->sequence.items[i], value))
                return true;
        }
        return false;
    }
    if (target->kind != CK_EXPR_NAME || !mentions(value, target->name))
        return false;
    const struct ck_binding *binding = ck_env_get(&fn->env, ck_name_index(fn, target->name));
    return binding->state == CK_SET && is_int_literal(&binding->value);
}

/* Widens to int64 the literals of targets that are assigned narrower integers. */
static void
widen_literals(struct ck_fn *fn, const struct ck_expr *target, const struct ck_type *type)
{
    bool sequence = target->kind == CK_EXPR_TUPLE || target->kind == CK_EXPR_LIST;
    if (sequence && type->kind == CK_TYPE_TUPLE && type->tuple.n == target->sequence.n) {
        for (int i = 0; i < type->tuple.n; i++)
            widen_literals(fn, target->sequence.items[i], type->tuple.items[i]);
        return;
    }
    if (target->kind != CK_EXPR_NAME || !is_narrow_int(type))
        return;
    int name = ck_name_index(fn, target->name);
    struct ck_binding binding = *ck_env_get(&fn->env, name);
    if (binding.state != CK_SET || !is_int_literal(&binding.value))
        return;
    binding.value.type = ck_type_scalar(CK_TYPE_INT64);
    ck_env_set(fn, &fn->env, name, &binding);
}

/* The type that an expression would have; NULL: none. */
static const struct ck_type *
probe_type(struct ck_fn *fn, const struct ck_expr *expr)
{
    const struct ck_value value = ck_probe(fn, expr);
    return value.kind == CK_VALUE_RUN ? value.type : NULL;
}

static void
prepare_accumulators(struct ck_fn *fn, const struct ck_stmt *stmt)
{
    const struct ck_type *type = NULL;
    for (int i = 0; i < stmt->assign.n_targets; i++) {
        const struct ck_expr *target = stmt->assign.targets[i];
        if (!updates_literal(fn, target, stmt->assign.value))
            continue;
        type = type ? type : probe_type(fn, stmt->assign.value);
        if (type)
            widen_literals(fn, target, type);
    }
}

/* Whether an expression is no value, or a name of none: None, `cuda.threadIdx`, a function. */
static bool
is_alias(struct ck_fn *fn, const struct ck_expr *expr)
{
    if (expr->kind != CK_EXPR_NAME && expr->kind != CK_EXPR_ATTRIBUTE)
        return expr->kind == CK_EXPR_FUNCTION || expr->kind == CK_EXPR_NONE;
    const struct ck_value value = ck_probe(fn, expr);
    return value.kind == CK_VALUE_PATH || ck_names_function(&value);
}

/* `t, n = cuda.threadIdx, x.size`: the items are no tuple, which has values alone. False: they may
 * be one. */
static bool
assign_aliases(struct ck_fn *fn, const struct ck_expr *target, const struct ck_expr *expr,
               struct ck_span span)
{
    const bool unpacks = target->kind == CK_EXPR_TUPLE || target->kind == CK_EXPR_LIST;
    bool any = false;
    if (!unpacks || expr->kind != CK_EXPR_TUPLE || expr->sequence.n != target->sequence.n)
        return false;
    const int n = expr->sequence.n;
    for (int i = 0; i < n && !any; i++)
        any = is_alias(fn, expr->sequence.items[i]);
    struct ck_value *items = any ? CK_NEW_ARRAY(fn->c->arena, struct ck_value, n) : NULL;
    for (int i = 0; any && i < n; i++) {
        items[i] = ck_check_expr(fn, expr->sequence.items[i]);
        if (items[i].kind == CK_VALUE_RUN)
            items[i] = ck_hold(fn, items[i]);
    }
    for (int i = 0; any && i < n; i++)
        ck_assign_to(fn, target->sequence.items[i], items[i], span);
    return any;
}

static void
check_assign(struct ck_fn *fn, const struct ck_stmt *stmt)
{
    if (stmt->assign.n_targets == 1 &&
        ck_is_array_expression(fn, stmt->assign.targets[0], stmt->assign.value)) {
        ck_store_array_expression(fn, stmt->assign.targets[0], stmt->assign.value, stmt->span);
        return;
    }
    if (stmt->assign.n_targets == 1 &&
        assign_aliases(fn, stmt->assign.targets[0], stmt->assign.value, stmt->span))
        return;
    prepare_accumulators(fn, stmt);
    struct ck_value value = stmt->assign.value->kind == CK_EXPR_FUNCTION
                                ? ck_inner_function(fn, stmt->assign.value, true)
                                : ck_check_expr(fn, stmt->assign.value);
    if (value.kind == CK_VALUE_ERROR && stmt->assign.n_targets == 1 &&
        ck_assign_untyped_items(fn, stmt->assign.targets[0], stmt->assign.value, stmt->span))
        return;
    value = ck_with_dependence(fn, value, stmt->assign.value);
    if (stmt->assign.value->kind != CK_EXPR_FUNCTION && !ck_check_lasting(fn, &value))
        value = ck_value_error(value.span);
    if (stmt->assign.n_targets > 1)
        value = ck_hold(fn, value);
    for (int i = 0; i < stmt->assign.n_targets; i++)
        ck_assign_to(fn, stmt->assign.targets[i], value, stmt->span);
}

/* Saves the array and its indices in temporaries, so that an augmented assignment evaluates them
 * once. */
static void
hold_element(struct ck_fn *fn, struct ck_element *element)
{
    if (!ck_is_simple(element->array.expr))
        element->array = ck_hold(fn, element->array);
    for (int i = 0; i < element->array.type->array.ndim; i++) {
        struct ck_texpr *index = element->indices[i].value;
        if (ck_is_simple(index))
            continue;
        int local = ck_local_new(fn, "", index->type);
        ck_emit_assign(fn, fn->block, local, index, index->span);
        element->indices[i].value = ck_local_ref(fn, local, index->span);
    }
}

/* The result of an update of a name with a declared type: of an unsigned one it wraps, as
 * arithmetic of that type does, and need not fit. */
static struct ck_value
wrapped(struct ck_fn *fn, const struct ck_expr *target, struct ck_value result)
{
    const struct ck_type *pin = ck_env_get(&fn->env, ck_name_index(fn, target->name))->pin;
    if (!pin || !ck_type_is_unsigned(pin) || result.kind != CK_VALUE_RUN ||
        !ck_type_is_int(result.type) || ck_type_is_weak(result.type))
        return result;
    ck_warn_late_widening(fn, &result, pin, target->span);
    return ck_value_run(pin, ck_cast(fn, result.expr, pin));
}

static void
check_augassign(struct ck_fn *fn, const struct ck_stmt *stmt)
{
    const struct ck_expr *target = stmt->augassign.target;
    enum ck_binary_op op = stmt->augassign.op;
    if (target->kind == CK_EXPR_NAME) {
        struct ck_value left = ck_check_run(fn, target);
        if (ck_update_named_array(fn, &left, stmt))
            return;
        struct ck_value right = ck_check_run(fn, stmt->augassign.value);
        if (is_int_literal(&left) && right.kind == CK_VALUE_RUN && is_narrow_int(right.type))
            left.type = ck_type_scalar(CK_TYPE_INT64);
        struct ck_value result = ck_check_binary(fn, op, left, right, stmt->span);
        result = ck_with_dependences(fn, result, target, stmt->augassign.value);
        ck_bind(fn, target->name, wrapped(fn, target, result), target->span);
        return;
    }
    struct ck_element element;
    if (!place_of(fn, target, &element)) {
        struct ck_value value = ck_check_run(fn, stmt->augassign.value);
        value = ck_with_dependence(fn, value, stmt->augassign.value);
        ck_keep_untyped(fn, &value, stmt->span);
        return;
    }
    ck_lets_emit(fn, &element.lets);
    if (element.view) {
        ck_update_view(fn, &element, op, stmt->augassign.value, stmt->span);
        return;
    }
    hold_element(fn, &element);
    const struct ck_type *elem = element.array.type->array.elem;
    struct ck_value left = ck_element_at(fn, element.array.expr, element.indices, target->span);
    struct ck_value right = ck_check_run(fn, stmt->augassign.value);
    struct ck_value result = ck_check_binary(fn, op, left, right, stmt->span);
    if (result.kind == CK_VALUE_ERROR)
        return;
    const int n = fn->block->n;
    ck_store_element(fn, element.array.expr, element.indices, &result, target->span, stmt->span);
    if (ck_type_is_unsigned(elem) && fn->block->n > n) /* as arithmetic of that type, it wraps */
        fn->block->stmts[n]->store.value->must_fit = false;
}

static void
check_annotated(struct ck_fn *fn, const struct ck_stmt *stmt)
{
    const struct ck_expr *target = stmt->annotated.target;
    const struct ck_expr *annotation = stmt->annotated.annotation;
    const bool is_free = ck_is_python_type(fn->c, annotation);
    const struct ck_type *type = is_free ? NULL : ck_type_of_expr(fn->c, annotation, true);
    struct ck_value value = stmt->annotated.value ? ck_check_expr(fn, stmt->annotated.value)
                                                  : ck_value_error(stmt->span);
    if (target->kind != CK_EXPR_NAME) {
        if (target->kind != CK_EXPR_ERROR)
            ck_error(fn, BAD_TARGET, target->span);
        return;
    }
    if (!type && !is_free)
        fn->c->n_failures++;
    if (type && !ck_type_is_scalar_or_date(type)) {
        ck_error(fn, WRONG_TYPE, annotation->span, "only a scalar type can be given to a name");
        type = NULL;
    }
    int name = ck_name_index(fn, target->name);
    struct ck_binding binding = *ck_env_get(&fn->env, name);
    binding.pin = type;
    ck_env_set(fn, &fn->env, name, &binding);
    if (stmt->annotated.value)
        ck_assign_to(fn, target, ck_with_dependence(fn, value, stmt->annotated.value), stmt->span);
}

/* --- Branches ------------------------------------------------------------------------------------
 */

/* The `if` that is the whole of this one's `else`, that is, an `elif`; NULL: none. */
static const struct ck_stmt *
next_of_chain(const struct ck_stmt *stmt)
{
    const struct ck_block *otherwise = &stmt->branch.otherwise;
    bool is_if = otherwise->n == 1 && otherwise->stmts[0]->kind == CK_STMT_IF;
    return is_if ? otherwise->stmts[0] : NULL;
}

enum { LONG_CHAIN = 16 };

static bool
is_long_chain(const struct ck_stmt *stmt)
{
    int n = 0;
    for (; stmt && n < LONG_CHAIN; n++)
        stmt = next_of_chain(stmt);
    return n == LONG_CHAIN;
}

/* What is known where the two paths of an `if` join: names that one of them sets are guarded; if
 * only one path comes this far, its condition holds from here on. */
static void
guard_join(struct ck_fn *fn, const struct ck_edges *edges, bool then_ends,
           const struct ck_condition *is_true, const struct ck_condition *is_false)
{
    if (edges->n == 2)
        ck_guard_names(fn, &fn->env, edges, is_true, is_false);
    else if (edges->n == 1)
        fn->conditions = then_ends ? is_true : is_false;
}

/* The paths of a chain of `elif` join one by one, from the inside. Those of a long chain join all
 * at once, whose cost is what each path changes, not what all that follow change. */
static void
check_if(struct ck_fn *fn, const struct ck_stmt *stmt)
{
    const bool at_once = is_long_chain(stmt);
    const struct ck_stmt *first = stmt;
    struct ck_tblock *outer = fn->block;
    const struct ck_condition *enclosing = fn->conditions, *is_true = NULL, *is_false = NULL;
    struct ck_edges edges = {0};
    int n_differing = 0;
    for (;;) {
        struct ck_texpr *test = ck_check_condition(fn, stmt->branch.test);
        if (test && test->kind == CK_T_CONST) {
            ck_check_block(fn, test->constant.i ? &stmt->branch.then : &stmt->branch.otherwise);
            break;
        }
        if (!test)
            test = ck_untyped_condition(fn, stmt->branch.test);
        if (!test)
            test = ck_const_int(fn, ck_type_scalar(CK_TYPE_BOOL), 1, stmt->span);
        const bool differs = ck_may_differ(fn, test);
        if (stmt == first && (differs || next_of_chain(stmt)))
            ck_pass_returns_in(fn, &stmt->branch.otherwise);
        fn->n_differing += differs;
        n_differing += differs;
        struct ck_tstmt *out = ck_emit(fn, CK_S_IF, stmt->span);
        out->branch.test = test;
        struct ck_env before = fn->env;
        fn->block = &out->branch.then;
        is_true = ck_condition_begin(fn, stmt->branch.test, &before, true);
        ck_check_block(fn, &stmt->branch.then);
        ck_edges_add(fn, &edges, &fn->env, &out->branch.then);
        fn->conditions = is_true->outer;
        fn->env = before;
        fn->block = &out->branch.otherwise;
        is_false = ck_condition_begin(fn, stmt->branch.test, &before, false);
        const struct ck_stmt *next = at_once ? next_of_chain(stmt) : NULL;
        if (!next) {
            ck_check_block(fn, &stmt->branch.otherwise);
            break;
        }
        stmt = next;
    }
    fn->n_differing -= n_differing;
    fn->conditions = enclosing;
    if (fn->block == outer) /* one path */
        return;
    const bool then_ends = edges.n > 0;
    ck_edges_add(fn, &edges, &fn->env, fn->block);
    fn->block = outer;
    fn->env = ck_env_join(fn, &edges, first->span, "on one of the paths of this `if`");
    if (stmt == first)
        guard_join(fn, &edges, then_ends, is_true, is_false);
}

/* --- Jumps and the rest --------------------------------------------------------------------------
 */

static void
check_jump(struct ck_fn *fn, const struct ck_stmt *stmt)
{
    bool is_break = stmt->kind == CK_STMT_BREAK;
    assert(fn->loop); /* the parser reports jumps outside loops */
    if (is_break && fn->loop->left_flag)
        ck_emit_assign(fn, fn->block, *fn->loop->left_flag,
                       ck_const_int(fn, ck_type_scalar(CK_TYPE_BOOL), 1, stmt->span), stmt->span);
    ck_emit(fn, is_break ? CK_S_BREAK : CK_S_CONTINUE, stmt->span);
    ck_edges_add(fn, is_break ? &fn->loop->breaks : &fn->loop->continues, &fn->env, fn->block);
    fn->env.reachable = false;
}

static void
check_return(struct ck_fn *fn, const struct ck_stmt *stmt)
{
    struct ck_value value = {.kind = CK_VALUE_NONE, .span = stmt->span};
    if (stmt->expr && stmt->expr->kind != CK_EXPR_NONE)
        value = ck_with_dependence(fn, ck_check_expr(fn, stmt->expr), stmt->expr);
    if (fn->global->is_kernel && value.kind != CK_VALUE_NONE) {
        struct ck_diag *diag = ck_error(fn, KERNEL_RETURN, stmt->span, fn->out->name);
        ck_diag_help(fn->c->diags, diag, "store the result in an array argument");
        value.kind = CK_VALUE_ERROR;
    } else if (value.kind != CK_VALUE_NONE && value.kind != CK_VALUE_RUN &&
               value.kind != CK_VALUE_ERROR) {
        ck_error(fn, WRONG_TYPE, value.span, "this cannot be returned");
        value.kind = CK_VALUE_ERROR;
    }
    struct ck_tstmt *out = ck_emit(fn, CK_S_RETURN, stmt->span);
    struct ck_return ret = {
        .stmt = out, .value = value, .type = value.kind == CK_VALUE_RUN ? value.type : NULL};
    CK_PUSH(fn->c->arena, fn->returns, fn->n_returns, fn->returns_capacity, ret);
    fn->env.reachable = false;
    ck_pass_return(fn);
}

/* The text of a message: a string, or an f-string as it is written. NULL: neither. */
static const char *
message_text(struct ck_fn *fn, const struct ck_expr *message)
{
    if (message->kind == CK_EXPR_STRING)
        return message->string.bytes;
    if (message->kind != CK_EXPR_FORMAT)
        return NULL;
    struct ck_strbuf text;
    ck_strbuf_init(&text);
    for (int i = 0; i < message->format.n; i++) {
        const struct ck_format_part *part = &message->format.parts[i];
        if (part->text)
            ck_strbuf_add(&text, part->text, part->length);
        else
            ck_strbuf_puts(&text, ck_diag_text(fn->c->diags, part->span));
    }
    return ck_arena_take(fn->c->arena, ck_strbuf_take(&text));
}

static void
check_assert(struct ck_fn *fn, const struct ck_stmt *stmt)
{
    struct ck_texpr *test = ck_check_condition(fn, stmt->assertion.test);
    const struct ck_expr *message = stmt->assertion.message;
    const char *text = message ? message_text(fn, message) : NULL;
    if (message && !text && message->kind != CK_EXPR_ERROR)
        ck_error(fn, WRONG_TYPE, message->span, "the message of `assert` is a string");
    if (!test || (test->kind == CK_T_CONST && test->constant.i))
        return;
    struct ck_tstmt *out = ck_emit(fn, CK_S_ASSERT, stmt->span);
    out->assertion.test = test;
    out->assertion.span = stmt->assertion.test->span;
    out->assertion.message = text ? text : "";
    ck_assume_extents(fn, test, out->assertion.span);
}

/* The message of an exception: its first argument, if that is a string. */
static const char *
exception_message(struct ck_fn *fn, const struct ck_expr *exception)
{
    bool has_argument = exception && exception->kind == CK_EXPR_CALL && exception->call.n_args;
    const struct ck_expr *first = has_argument ? exception->call.args[0].value : NULL;
    const char *text = first ? message_text(fn, first) : NULL;
    return text ? text : "";
}

/* An assertion that fails, after which nothing follows. */
static void
check_raise(struct ck_fn *fn, const struct ck_stmt *stmt)
{
    struct ck_tstmt *out = ck_emit(fn, CK_S_ASSERT, stmt->span);
    out->assertion.test = ck_const_int(fn, ck_type_scalar(CK_TYPE_BOOL), 0, stmt->span);
    out->assertion.span = stmt->span;
    out->assertion.message = exception_message(fn, stmt->expr);
    fn->env.reachable = false;
}

/* Sets the locals of a name to zero, which a name has where some path leaves it unset. */
static void
clear_locals(struct ck_fn *fn, const char *name, struct ck_span span)
{
    for (int i = 0, n = fn->out->n_locals; i < n; i++) {
        if (strcmp(fn->out->locals[i].name, name) != 0)
            continue;
        int zero = ck_local_new(fn, "", fn->out->locals[i].type);
        fn->out->locals[zero].is_zeroed = true;
        ck_emit_assign(fn, fn->block, i, ck_local_ref(fn, zero, span), span);
    }
}

/* `del a, b`: the names are unset from here on. */
static void
check_delete(struct ck_fn *fn, const struct ck_stmt *stmt)
{
    for (int i = 0; i < stmt->assign.n_targets; i++) {
        const struct ck_expr *target = stmt->assign.targets[i];
        const int name = ck_name_index(fn, target->name);
        ck_check_name(fn, target); /* one that is not set is an error */
        const struct ck_binding unset = {.state = CK_UNSET, .pin = ck_env_get(&fn->env, name)->pin};
        if (ck_name_set_find(&fn->zeroed, target->name) >= 0)
            clear_locals(fn, target->name, target->span);
        ck_env_set(fn, &fn->env, name, &unset);
    }
}

static void
check_expr_stmt(struct ck_fn *fn, const struct ck_stmt *stmt)
{
    const struct ck_expr *expr = stmt->expr;
    struct ck_stmt store;
    if (expr->kind == CK_EXPR_STRING) /* a docstring */
        return;
    if (ck_ufunc_store(fn, stmt, &store)) {
        check_stmt(fn, &store);
        return;
    }
    const bool prints = ck_is_call_of(fn, expr, "print");
    if (prints || ck_is_call_of(fn, expr, "printf")) {
        const struct ck_expr *call = ck_spread_arguments(fn, expr);
        if (call && prints)
            ck_check_print(fn, call);
        else if (call)
            ck_check_printf(fn, call);
        return;
    }
    struct ck_value value = ck_check_expr(fn, expr);
    if ((value.kind == CK_VALUE_BUILTIN && ck_builtin_is_function(value.builtin)) ||
        value.kind == CK_VALUE_NUMPY || value.kind == CK_VALUE_FUNCTION) {
        struct ck_diag *diag =
            ck_error(fn, WRONG_TYPE, expr->span, "a function that is not called");
        if (expr->kind != CK_EXPR_FUNCTION)
            ck_diag_help(fn->c->diags, diag, "write `%s()`",
                         ck_diag_text(fn->c->diags, expr->span));
        return;
    }
    if (value.kind != CK_VALUE_ERROR)
        ck_warn_unused_value(fn, expr);
    bool has_expr = (value.kind == CK_VALUE_RUN || value.kind == CK_VALUE_NONE) && value.expr;
    if (has_expr && ck_has_effect(value.expr))
        ck_emit(fn, CK_S_EXPR, stmt->span)->expr = value.expr;
}

static void
check_stmt(struct ck_fn *fn, const struct ck_stmt *stmt)
{
    switch (stmt->kind) {
    case CK_STMT_ERROR:
    case CK_STMT_PASS:
        break;
    case CK_STMT_EXPR:
        check_expr_stmt(fn, stmt);
        break;
    case CK_STMT_ASSIGN:
        check_assign(fn, stmt);
        break;
    case CK_STMT_AUGASSIGN:
        check_augassign(fn, stmt);
        break;
    case CK_STMT_ANNOTATED:
        check_annotated(fn, stmt);
        break;
    case CK_STMT_IF:
        check_if(fn, stmt);
        break;
    case CK_STMT_WHILE:
        ck_check_while(fn, stmt);
        break;
    case CK_STMT_FOR:
        ck_check_for(fn, stmt);
        break;
    case CK_STMT_BREAK:
    case CK_STMT_CONTINUE:
        check_jump(fn, stmt);
        break;
    case CK_STMT_RETURN:
        check_return(fn, stmt);
        break;
    case CK_STMT_ASSERT:
        check_assert(fn, stmt);
        break;
    case CK_STMT_RAISE:
        check_raise(fn, stmt);
        break;
    case CK_STMT_DELETE:
        check_delete(fn, stmt);
        break;
    }
}
