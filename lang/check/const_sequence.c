/* Lists, comprehensions and generators in constants of the module, which are evaluated as Python
 * does when it imports the file. What they make is a tuple. */
#include "lang/check/const_sequence.h"

#include "lang/check/name_tuple.h"

/* --- Lists ---------------------------------------------------------------------------------------
 */

bool
ck_is_list(const struct ck_expr *expr)
{
    if (!expr)
        return false;
    const bool is_display = expr->kind == CK_EXPR_LIST ||
                            (expr->kind == CK_EXPR_COMPREHENSION && expr->comprehension->is_list);
    const bool joins = expr->kind == CK_EXPR_BINARY &&
                       (expr->binary.op == CK_OP_ADD || expr->binary.op == CK_OP_MUL);
    return is_display ||
           (joins && (ck_is_list(expr->binary.left) || ck_is_list(expr->binary.right)));
}

/* The times that a list is repeated: a constant. False: it is not known, or too large. */
static bool
times_of(struct ck_fn *fn, const struct ck_expr *expr, int64_t *out)
{
    const struct ck_value value = ck_speculate(fn, ck_check_expr, expr);
    const bool is = value.kind == CK_VALUE_RUN && ck_value_const_int(&value, out);
    *out = is && *out > 0 ? *out : 0;
    return is && *out <= CK_MAX_CONST_BYTES;
}

const struct ck_expr *
ck_const_list(struct ck_fn *fn, const struct ck_expr *expr)
{
    const bool joins = expr->kind == CK_EXPR_BINARY && expr->binary.op == CK_OP_ADD;
    const bool repeats = expr->kind == CK_EXPR_BINARY && expr->binary.op == CK_OP_MUL;
    int64_t times = 1;
    if (!joins && !repeats)
        return expr;
    const struct ck_expr *left = ck_const_list(fn, expr->binary.left);
    const struct ck_expr *right = ck_const_list(fn, expr->binary.right);
    const bool list_left = left->kind == CK_EXPR_LIST, list_right = right->kind == CK_EXPR_LIST;
    if (joins ? !(list_left && list_right)
              : list_left == list_right || !times_of(fn, list_left ? right : left, &times))
        return expr;
    const struct ck_expr *const first = list_left ? left : right;
    const int n = first->sequence.n, n_right = joins ? right->sequence.n : 0;
    if (n * times > CK_MAX_CONST_BYTES)
        return expr;
    struct ck_expr *list = CK_NEW(fn->c->arena, struct ck_expr);
    *list = *first;
    list->span = expr->span;
    list->sequence.n = (int)(n * times) + n_right;
    list->sequence.items = CK_NEW_ARRAY(fn->c->arena, struct ck_expr *, list->sequence.n);
    for (int i = 0; i < list->sequence.n - n_right; i++)
        list->sequence.items[i] = first->sequence.items[i % n];
    for (int i = 0; i < n_right; i++)
        list->sequence.items[n * times + i] = right->sequence.items[i];
    return list;
}

/* --- What is iterated over -----------------------------------------------------------------------
 */

struct values {
    struct ck_value *items;
    int n, capacity;
};

/* More would take long to compute. */
enum { MAX_VALUES = CK_MAX_CONST_BYTES };

/* False, reported, if there are too many. */
static bool
add(struct ck_fn *fn, struct values *values, struct ck_value value, struct ck_span span)
{
    if (values->n >= MAX_VALUES) {
        ck_error(fn, WRONG_TYPE, span,
                 ck_arena_printf(fn->c->arena, "more than %d items", MAX_VALUES));
        return false;
    }
    CK_PUSH(fn->c->arena, values->items, values->n, values->capacity, value);
    return true;
}

static bool iterate(struct ck_fn *fn, const struct ck_expr *expr, struct values *out);

/* Integers of a call. False after an error. */
static bool
integers(struct ck_fn *fn, const struct ck_expr *call, int64_t *out, int most)
{
    for (int i = 0; i < call->call.n_args; i++) {
        if (call->call.args[i].name || i == most) {
            ck_error(fn, WRONG_COUNT, call->span, "range", "1 to 3 arguments", call->call.n_args);
            return false;
        }
        const struct ck_value value = ck_check_run(fn, call->call.args[i].value);
        if (value.kind == CK_VALUE_ERROR)
            return false;
        if (!ck_value_const_int(&value, &out[i])) {
            ck_error(fn, WRONG_TYPE, call->call.args[i].value->span, "`range` takes integers");
            return false;
        }
    }
    return true;
}

static bool
iterate_range(struct ck_fn *fn, const struct ck_expr *call, struct values *out)
{
    int64_t given[3] = {0, 0, 1};
    const int n = call->call.n_args;
    if (!integers(fn, call, given, 3))
        return false;
    const int64_t start = n > 1 ? given[0] : 0, stop = n > 1 ? given[1] : given[0];
    const int64_t step = n > 2 ? given[2] : 1;
    if (!n || !step) {
        ck_error(fn, WRONG_TYPE, call->span,
                 n ? "the step of `range` is zero" : "`range` takes 1 to 3 arguments");
        return false;
    }
    int64_t i = start;
    while (step > 0 ? i < stop : i > stop) {
        if (!add(fn, out, ck_value_int(fn, i, call->span), call->span))
            return false;
        if (__builtin_add_overflow(i, step, &i))
            break;
    }
    return true;
}

static bool
iterate_enumerate(struct ck_fn *fn, const struct ck_expr *call, struct values *out)
{
    struct values items = {0};
    int64_t first = 0;
    const int n = call->call.n_args;
    if (n < 1 || n > 2) {
        ck_error(fn, WRONG_COUNT, call->span, "enumerate", "1 or 2 arguments", n);
        return false;
    }
    if (!iterate(fn, call->call.args[0].value, &items))
        return false;
    const struct ck_value start =
        n > 1 ? ck_check_run(fn, call->call.args[1].value) : ck_value_int(fn, 0, call->span);
    if (start.kind == CK_VALUE_ERROR || !ck_value_const_int(&start, &first)) {
        if (start.kind != CK_VALUE_ERROR)
            ck_error(fn, WRONG_TYPE, start.span, "`enumerate` counts from an integer");
        return false;
    }
    for (int i = 0; i < items.n; i++) {
        const struct ck_value pair[] = {ck_value_int(fn, first + i, call->span), items.items[i]};
        if (!add(fn, out, ck_tuple_of_values(fn, pair, 2, 2, call->span), call->span))
            return false;
    }
    return true;
}

static bool
iterate_zip(struct ck_fn *fn, const struct ck_expr *call, struct values *out)
{
    const int n = call->call.n_args;
    struct values *of = CK_NEW_ARRAY(fn->c->arena, struct values, n);
    int shortest = 0;
    for (int i = 0; i < n; i++) {
        if (!iterate(fn, call->call.args[i].value, &of[i]))
            return false;
        shortest = i == 0 || of[i].n < shortest ? of[i].n : shortest;
    }
    for (int k = 0; k < shortest; k++) {
        struct ck_value *items = CK_NEW_ARRAY(fn->c->arena, struct ck_value, n);
        for (int i = 0; i < n; i++)
            items[i] = of[i].items[k];
        if (!add(fn, out, ck_tuple_of_values(fn, items, n, n, call->span), call->span))
            return false;
    }
    return true;
}

static bool
iterate_reversed(struct ck_fn *fn, const struct ck_expr *call, struct values *out)
{
    struct values items = {0};
    if (call->call.n_args != 1) {
        ck_error(fn, WRONG_COUNT, call->span, "reversed", "1 argument", call->call.n_args);
        return false;
    }
    if (!iterate(fn, call->call.args[0].value, &items))
        return false;
    for (int i = items.n - 1; i >= 0; i--) {
        if (!add(fn, out, items.items[i], call->span))
            return false;
    }
    return true;
}

static void
bind(struct ck_fn *fn, const char *name, struct ck_value value)
{
    const struct ck_binding binding = {.state = CK_SET, .value = value, .set_at = value.span};
    if (ck_name_set_find(&fn->assigned, name) < 0)
        ck_name_set_add(fn->c->arena, &fn->assigned, name);
    ck_env_set(fn, &fn->env, ck_name_index(fn, name), &binding);
}

/* The items of an array along its first axis, by a hidden name. */
static bool
iterate_array(struct ck_fn *fn, struct ck_value array, struct values *out)
{
    static const char hidden[] = "%array";
    const int64_t n = array.type->array.ndim ? ck_known_extent(&array, 0).n : 0;
    for (int64_t i = 0; i < n; i++) {
        bind(fn, hidden, array);
        struct ck_expr *name = ck_expr_name(fn->c->arena, hidden, array.span);
        const struct ck_value item = ck_check_expr(fn, ck_expr_item(fn->c->arena, name, (int)i));
        if (item.kind == CK_VALUE_ERROR || !add(fn, out, item, array.span))
            return false;
    }
    return true;
}

/* The characters of a string. */
static bool
iterate_string(struct ck_fn *fn, struct ck_value string, struct values *out)
{
    const struct ck_expr *text = string.string;
    for (uint32_t i = 0, end; i < text->string.length; i = end) {
        end = i + 1;
        while (end < text->string.length && (text->string.bytes[end] & 0xC0) == 0x80)
            end++;
        struct ck_expr *character = ck_expr_new(fn->c->arena, CK_EXPR_STRING, text->span);
        character->string.length = end - i;
        character->string.bytes =
            ck_arena_printf(fn->c->arena, "%.*s", (int)(end - i), text->string.bytes + i);
        struct ck_value value = string;
        value.string = character;
        if (!add(fn, out, value, string.span))
            return false;
    }
    return true;
}

static bool
iterate_value(struct ck_fn *fn, const struct ck_expr *expr, struct values *out)
{
    struct ck_value value = ck_check_expr(fn, expr);
    if (value.kind == CK_VALUE_STRING)
        return iterate_string(fn, value, out);
    if (value.kind == CK_VALUE_NAMES) {
        for (int i = 0; i < value.names->n; i++) {
            if (!add(fn, out, value.names->items[i], expr->span))
                return false;
        }
        return true;
    }
    if (value.kind == CK_VALUE_RUN && value.type->kind == CK_TYPE_TUPLE) {
        for (int i = 0; i < value.type->tuple.n; i++) {
            struct ck_value item = ck_tuple_item(fn, &value, i);
            item.span = expr->span;
            if (!add(fn, out, item, expr->span))
                return false;
        }
        return true;
    }
    if (value.kind == CK_VALUE_RUN && ck_type_is_array(value.type) && ck_is_constant(value.expr))
        return iterate_array(fn, value, out);
    if (value.kind != CK_VALUE_ERROR)
        ck_error(fn, WRONG_TYPE, expr->span, "a constant cannot be made of the items of this");
    return false;
}

static bool
iterate(struct ck_fn *fn, const struct ck_expr *expr, struct values *out)
{
    static const struct {
        const char *name;
        bool (*iterate)(struct ck_fn *fn, const struct ck_expr *call, struct values *out);
    } calls[] = {
        {"range", iterate_range},
        {"enumerate", iterate_enumerate},
        {"zip", iterate_zip},
        {"reversed", iterate_reversed},
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        if (ck_is_call_of(fn, expr, calls[i].name))
            return calls[i].iterate(fn, expr, out);
    }
    return iterate_value(fn, expr, out);
}

/* --- Comprehensions ------------------------------------------------------------------------------
 */

struct run {
    struct ck_fn *fn;
    const struct ck_comprehension *all;
    struct values values;
    int steps;
};

/* False after an error. */
static bool
bind_target(struct ck_fn *fn, const struct ck_expr *target, struct ck_value item)
{
    if (target->kind == CK_EXPR_NAME) {
        bind(fn, target->name, item);
        return true;
    }
    const int n = target->sequence.n;
    const bool is_tuple = item.kind == CK_VALUE_RUN && item.type->kind == CK_TYPE_TUPLE;
    const bool is_names = item.kind == CK_VALUE_NAMES;
    if ((!is_tuple || item.type->tuple.n != n) && (!is_names || item.names->n != n)) {
        ck_error(fn, WRONG_TYPE, target->span,
                 ck_arena_printf(fn->c->arena, "the item cannot be unpacked into %d names", n));
        return false;
    }
    for (int i = 0; i < n; i++) {
        struct ck_value part = is_names ? item.names->items[i] : ck_tuple_item(fn, &item, i);
        if (!bind_target(fn, target->sequence.items[i], part))
            return false;
    }
    return true;
}

/* Whether the item passes the clause's tests; *good: no error. */
static bool
passes(struct ck_fn *fn, const struct ck_comprehension_clause *clause, bool *good)
{
    for (int i = 0; i < clause->n_tests; i++) {
        const struct ck_texpr *test = ck_check_condition(fn, clause->tests[i]);
        *good = test && test->kind == CK_T_CONST;
        if (test && !*good)
            ck_error(fn, NOT_CONSTANT, clause->tests[i]->span);
        if (!*good || !test->constant.i)
            return false;
    }
    return true;
}

static bool
run_clause(struct run *run, int at)
{
    struct ck_fn *fn = run->fn;
    const struct ck_comprehension *all = run->all;
    if (at == all->n) {
        struct ck_value value = ck_check_expr(fn, all->element);
        return value.kind != CK_VALUE_ERROR && add(fn, &run->values, value, all->element->span);
    }
    const struct ck_comprehension_clause *clause = &all->clauses[at];
    struct values items = {0};
    if (!iterate(fn, clause->iterable, &items))
        return false;
    for (int i = 0; i < items.n; i++) {
        bool good = true;
        if (++run->steps > 4 * MAX_VALUES) {
            ck_error(fn, WRONG_TYPE, clause->iterable->span, "this takes too many steps");
            return false;
        }
        if (!bind_target(fn, clause->target, items.items[i]))
            return false;
        if (passes(fn, clause, &good) && !run_clause(run, at + 1))
            return false;
        if (!good)
            return false;
    }
    return true;
}

bool
ck_comprehension_values(struct ck_fn *fn, const struct ck_expr *expr, struct ck_value **values,
                        int *n)
{
    const struct ck_comprehension *all = expr->comprehension;
    struct run run = {.fn = fn, .all = all};
    if (!fn->constant_only) {
        struct ck_diag *diag =
            ck_error(fn, UNSUPPORTED_SYNTAX, expr->span,
                     all->is_list ? "list comprehensions" : "generator expressions");
        ck_diag_help(fn->c->diags, diag, "write a `for` loop");
        return false;
    }
    const bool good = ck_check_depth(fn->c, expr->span) && run_clause(&run, 0);
    *values = run.values.items;
    *n = run.values.n;
    return good;
}

struct ck_value
ck_check_comprehension(struct ck_fn *fn, const struct ck_expr *expr)
{
    struct ck_value *values;
    int n;
    return ck_comprehension_values(fn, expr, &values, &n)
               ? ck_tuple_of_values(fn, values, n, 0, expr->span)
               : ck_value_error(expr->span);
}
