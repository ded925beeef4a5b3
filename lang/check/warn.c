/* Warnings: valid text that is hardly what its author wanted.
 *
 * Warnings that need only a function's text (unused names, unreachable statements) come from one
 * walk over each function; the checker issues those that depend on types. A warning is issued once
 * for a place, however many specialisations the function has. */
#include <math.h>
#include <string.h>

#include "lang/check/builtins/builtins.h"
#include "lang/check/checker.h"

/* --- Walking a function's text -------------------------------------------------------------------
 */

/* A name that the function binds. */
struct bound {
    const char *name;
    struct ck_span span;
    bool wanted; /* read, or bound only because a form needs a name */
};

struct walk {
    struct ck_checker *c;
    const struct ck_function *function;
    struct bound *bound;
    int n_bound, bound_capacity;
    struct ck_index names; /* of `bound` */
};

static struct bound *
find_bound(struct walk *walk, const char *name)
{
    uint32_t hash = ck_hash_text(name);
    for (int i = ck_index_first(&walk->names, hash); i >= 0; i = ck_index_next(&walk->names, i)) {
        if (strcmp(walk->bound[i].name, name) == 0)
            return &walk->bound[i];
    }
    return NULL;
}

static struct bound *
add_bound(struct walk *walk, const char *name, struct ck_span span)
{
    struct bound *known = find_bound(walk, name);
    if (known)
        return known;
    struct bound bound = {
        .name = name, .span = span, .wanted = *name == '_' || ck_is_hidden_name(name)};
    CK_PUSH(walk->c->arena, walk->bound, walk->n_bound, walk->bound_capacity, bound);
    ck_index_add(walk->c->arena, &walk->names, ck_hash_text(name));
    return &walk->bound[walk->n_bound - 1];
}

static void
read_name(struct walk *walk, const char *name)
{
    struct bound *bound = find_bound(walk, name);
    if (bound)
        bound->wanted = true;
}

static void
read_part(void *context, const struct ck_expr *expr)
{
    struct walk *walk = context;
    if (expr->kind == CK_EXPR_NAME)
        read_name(walk, expr->name);
    for (int i = 0; expr->kind == CK_EXPR_FUNCTION && i < expr->function->body.n; i++)
        ck_stmt_each_expr(expr->function->body.stmts[i], read_part, walk);
    ck_expr_each(expr, read_part, walk);
}

static void
read_expr(struct walk *walk, const struct ck_expr *expr)
{
    if (expr)
        read_part(walk, expr);
}

/* The names that each statement's own expressions read; nested statements are walked elsewhere. */
static void
read_target(struct walk *walk, const struct ck_expr *target)
{
    if (target->kind == CK_EXPR_SUBSCRIPT || target->kind == CK_EXPR_ATTRIBUTE)
        read_expr(walk, target);
    bool sequence = target->kind == CK_EXPR_TUPLE || target->kind == CK_EXPR_LIST;
    for (int i = 0; sequence && i < target->sequence.n; i++)
        read_target(walk, target->sequence.items[i]);
}

/* --- Names bound and never read ------------------------------------------------------------------
 */

static void
bind_target(struct walk *walk, const struct ck_expr *target, bool wanted)
{
    if (target->kind == CK_EXPR_NAME && wanted)
        add_bound(walk, target->name, target->span)->wanted = true;
    else if (target->kind == CK_EXPR_NAME)
        add_bound(walk, target->name, target->span);
    /* A tuple is often unpacked for only one of its items. */
    bool sequence = target->kind == CK_EXPR_TUPLE || target->kind == CK_EXPR_LIST;
    for (int i = 0; sequence && i < target->sequence.n; i++)
        bind_target(walk, target->sequence.items[i], true);
}

enum pass { BIND, READ };

static void walk_block(struct walk *walk, const struct ck_block *block, enum pass pass);

static void
walk_stmt(struct walk *walk, const struct ck_stmt *stmt, enum pass pass)
{
    bool bind = pass == BIND;
    switch (stmt->kind) {
    case CK_STMT_EXPR:
    case CK_STMT_RETURN:
    case CK_STMT_RAISE:
        if (!bind)
            read_expr(walk, stmt->expr);
        break;
    case CK_STMT_ASSIGN:
        for (int i = 0; i < stmt->assign.n_targets; i++) {
            if (bind)
                bind_target(walk, stmt->assign.targets[i], false);
            else
                read_target(walk, stmt->assign.targets[i]);
        }
        if (!bind)
            read_expr(walk, stmt->assign.value);
        break;
    case CK_STMT_AUGASSIGN:
        if (bind)
            break;
        read_target(walk, stmt->augassign.target);
        read_expr(walk, stmt->augassign.value);
        break;
    case CK_STMT_ANNOTATED:
        if (bind) {
            bind_target(walk, stmt->annotated.target, false);
            break;
        }
        read_expr(walk, stmt->annotated.annotation);
        read_expr(walk, stmt->annotated.value);
        break;
    case CK_STMT_IF:
        if (!bind)
            read_expr(walk, stmt->branch.test);
        walk_block(walk, &stmt->branch.then, pass);
        walk_block(walk, &stmt->branch.otherwise, pass);
        break;
    case CK_STMT_WHILE:
        if (!bind)
            read_expr(walk, stmt->loop.test);
        walk_block(walk, &stmt->loop.body, pass);
        walk_block(walk, &stmt->loop.otherwise, pass);
        break;
    case CK_STMT_FOR:
        if (bind)
            bind_target(walk, stmt->each.target, true);
        else
            read_expr(walk, stmt->each.iterable);
        walk_block(walk, &stmt->each.body, pass);
        walk_block(walk, &stmt->each.otherwise, pass);
        break;
    case CK_STMT_ASSERT:
        if (!bind)
            read_expr(walk, stmt->assertion.test);
        break;
    case CK_STMT_DELETE:
        for (int i = 0; !bind && i < stmt->assign.n_targets; i++)
            read_expr(walk, stmt->assign.targets[i]);
        break;
    default:
        break;
    }
}

static void
walk_block(struct walk *walk, const struct ck_block *block, enum pass pass)
{
    for (int i = 0; i < block->n; i++)
        walk_stmt(walk, block->stmts[i], pass);
}

static void
warn_unused(struct walk *walk)
{
    const struct ck_function *function = walk->function;
    for (int i = 0; i < function->n_params; i++)
        add_bound(walk, function->params[i].name, function->params[i].span)->wanted = true;
    walk_block(walk, &function->body, BIND);
    walk_block(walk, &function->body, READ);
    for (int i = 0; i < walk->n_bound; i++) {
        const struct bound *bound = &walk->bound[i];
        if (bound->wanted)
            continue;
        struct ck_diag *diag =
            ck_diag_add(walk->c->diags, CK_DIAG_UNUSED_NAME, bound->span, bound->name);
        ck_diag_help(walk->c->diags, diag, "leave it out, or call it `_%s`", bound->name);
    }
}

/* --- Statements never reached --------------------------------------------------------------------
 */

static bool has_break(const struct ck_block *block);

static bool
breaks_out(const struct ck_stmt *stmt)
{
    switch (stmt->kind) {
    case CK_STMT_BREAK:
        return true;
    case CK_STMT_IF:
        return has_break(&stmt->branch.then) || has_break(&stmt->branch.otherwise);
    case CK_STMT_WHILE: /* a break in an `else` belongs to the loop around */
        return has_break(&stmt->loop.otherwise);
    case CK_STMT_FOR:
        return has_break(&stmt->each.otherwise);
    default:
        return false;
    }
}

static bool
has_break(const struct ck_block *block)
{
    for (int i = 0; i < block->n; i++) {
        if (breaks_out(block->stmts[i]))
            return true;
    }
    return false;
}

static bool
is_always_true(const struct ck_expr *test)
{
    return (test->kind == CK_EXPR_BOOL && test->boolean) ||
           (test->kind == CK_EXPR_INT && test->integer.value != 0);
}

/* Warns of unreachable statements in the block. True if control does not leave it at its end. */
static bool ends(struct ck_checker *c, const struct ck_block *block);

/* The reason that control does not pass the statement; NULL: it does. */
static const char *
stops(struct ck_checker *c, const struct ck_stmt *stmt)
{
    switch (stmt->kind) {
    case CK_STMT_RETURN:
        return "the function returns here";
    case CK_STMT_RAISE:
        return "the launch ends here";
    case CK_STMT_BREAK:
        return "the loop ends here";
    case CK_STMT_CONTINUE:
        return "the next iteration begins here";
    case CK_STMT_IF: {
        bool then = ends(c, &stmt->branch.then), otherwise = ends(c, &stmt->branch.otherwise);
        return then && otherwise ? "no path of this `if` continues" : NULL;
    }
    case CK_STMT_WHILE:
        ends(c, &stmt->loop.body);
        ends(c, &stmt->loop.otherwise);
        return is_always_true(stmt->loop.test) && !has_break(&stmt->loop.body)
                   ? "this loop has no `break`"
                   : NULL;
    case CK_STMT_FOR:
        ends(c, &stmt->each.body);
        ends(c, &stmt->each.otherwise);
        return NULL;
    default:
        return NULL;
    }
}

static bool
ends(struct ck_checker *c, const struct ck_block *block)
{
    for (int i = 0; i < block->n; i++) {
        const char *why = stops(c, block->stmts[i]);
        if (!why)
            continue;
        if (i + 1 < block->n) {
            struct ck_diag *diag =
                ck_diag_add(c->diags, CK_DIAG_UNREACHABLE_CODE, block->stmts[i + 1]->span);
            ck_diag_label(c->diags, diag, block->stmts[i]->span, "%s", why);
        }
        return true;
    }
    return false;
}

void
ck_warn_module(struct ck_checker *c)
{
    if (c->diags->n_errors)
        return;
    for (int i = 0; i < c->n_globals; i++) {
        if (c->globals[i]->kind != CK_GLOBAL_FUNCTION || !c->globals[i]->reached)
            continue;
        struct walk walk = {.c = c, .function = c->globals[i]->function};
        warn_unused(&walk);
        ends(c, &walk.function->body);
    }
}

/* --- Values that nothing uses --------------------------------------------------------------------
 */

/* Whether the call's only effect is its value: a cast, or a built-in that only computes. */
static bool
call_only_computes(struct ck_fn *fn, const struct ck_expr *call)
{
    struct ck_value callee = ck_probe(fn, call->call.callee);
    return callee.kind == CK_VALUE_TYPE ||
           (callee.kind == CK_VALUE_BUILTIN && ck_builtin_only_computes(callee.builtin));
}

/* Whether the expression's value is unused. An operand may have an effect, as `f(x)` in `f(x) + 1`;
 * but `a and f(x)` and `f(x) if a else 0` are idioms that call `f`. */
static bool
is_unused(struct ck_fn *fn, const struct ck_expr *expr)
{
    switch (expr->kind) {
    case CK_EXPR_ERROR:
        return false;
    case CK_EXPR_CALL:
        return call_only_computes(fn, expr);
    case CK_EXPR_LOGICAL:
        for (int i = 0; i < expr->logical.n; i++) {
            if (!is_unused(fn, expr->logical.operands[i]))
                return false;
        }
        return true;
    case CK_EXPR_CONDITIONAL:
        return is_unused(fn, expr->conditional.then) && is_unused(fn, expr->conditional.otherwise);
    default:
        return true;
    }
}

/* Whether it is a local name, or an item of one. */
static bool
is_local_place(struct ck_fn *fn, const struct ck_expr *expr)
{
    while (expr->kind == CK_EXPR_SUBSCRIPT)
        expr = expr->subscript.object;
    return expr->kind == CK_EXPR_NAME &&
           ck_env_get(&fn->env, ck_name_index(fn, expr->name))->state == CK_SET;
}

void
ck_warn_unused_value(struct ck_fn *fn, const struct ck_expr *expr)
{
    struct ck_checker *c = fn->c;
    if (c->diags->quiet || !is_unused(fn, expr))
        return;
    bool equals = expr->kind == CK_EXPR_COMPARE && expr->compare.n_ops == 1 &&
                  expr->compare.ops[0] == CK_CMP_EQ;
    struct ck_diag *diag = ck_note_warning(
        fn, ck_diag_add(c->diags, CK_DIAG_UNUSED_VALUE, expr->span,
                        expr->kind == CK_EXPR_COMPARE ? "comparison" : "expression"));
    if (equals && is_local_place(fn, expr->compare.operands[0]))
        ck_diag_help(c->diags, diag, "to assign it, write `%s = %s`",
                     ck_diag_text(c->diags, expr->compare.operands[0]->span),
                     ck_diag_text(c->diags, expr->compare.operands[1]->span));
    else if (expr->kind == CK_EXPR_BINARY && is_local_place(fn, expr->binary.left))
        ck_diag_help(c->diags, diag, "to change `%s`, write `%s %s= %s`",
                     ck_diag_text(c->diags, expr->binary.left->span),
                     ck_diag_text(c->diags, expr->binary.left->span),
                     ck_binary_op_text(expr->binary.op),
                     ck_diag_text(c->diags, expr->binary.right->span));
    else
        ck_diag_help(c->diags, diag, "leave out what has no effect, or assign the value to a name");
}

/* --- Literals that a store changes ---------------------------------------------------------------
 */

void
ck_warn_narrowed(struct ck_fn *fn, const struct ck_value *value, const struct ck_type *elem)
{
    if (!ck_type_is_weak(value->type) || value->expr->kind != CK_T_CONST)
        return;
    struct ck_texpr *stored = ck_cast(fn, value->expr, elem);
    if (stored->kind != CK_T_CONST || elem->kind == CK_TYPE_BOOL || ck_type_is_complex(elem))
        return;
    bool from_float = ck_type_is_float(value->expr->type), to_float = ck_type_is_float(elem);
    double from = from_float ? value->expr->constant.f : (double)value->expr->constant.i;
    const char *text;
    if (to_float) { /* rounding is expected of floats; overflow to infinity is not */
        if (!isfinite(from) || isfinite(stored->constant.f))
            return;
        text = "inf";
    } else if (from_float) {
        double now = ck_type_is_unsigned(elem) ? (double)(uint64_t)stored->constant.i
                                               : (double)stored->constant.i;
        if (now == from)
            return;
        text = ck_arena_printf(fn->c->arena, "%lld", (long long)stored->constant.i);
    } else {
        if (stored->constant.i == value->expr->constant.i &&
            !(elem->kind == CK_TYPE_UINT64 && stored->constant.i < 0))
            return;
        text = elem->kind == CK_TYPE_UINT64
                   ? ck_arena_printf(fn->c->arena, "%llu", (unsigned long long)stored->constant.i)
                   : ck_arena_printf(fn->c->arena, "%lld", (long long)stored->constant.i);
    }
    struct ck_diag *diag =
        ck_diag_add(fn->c->diags, CK_DIAG_NARROWED_LITERAL, value->span,
                    ck_diag_text(fn->c->diags, value->span), text, ck_text_of(fn, elem));
    if (to_float)
        ck_diag_help(fn->c->diags, diag, "write %s(...) if that is meant", ck_text_of(fn, elem));
    else
        ck_diag_help(fn->c->diags, diag, "write %s, or %s(...) if that is meant", text,
                     ck_text_of(fn, elem));
}

/* --- Loops that never run ------------------------------------------------------------------------
 */

/* A device function specialised for constant arguments may have empty loops for some of them. */
static bool
has_constant_argument(const struct ck_instance *instance)
{
    for (int i = 0; instance && i < instance->n_args; i++) {
        if (instance->args[i].kind == CK_VALUE_RUN && ck_is_constant(instance->args[i].expr))
            return true;
    }
    return false;
}

void
ck_warn_zero_trips(struct ck_fn *fn, const struct ck_value *start, const struct ck_value *stop,
                   int64_t step, struct ck_span span)
{
    int64_t first = 0, last = 0;
    bool known_first = ck_value_const_int(start, &first);
    bool known_last = ck_value_const_int(stop, &last);
    bool empty = false;
    if (known_first && known_last)
        empty = first == last ? first != INT64_MAX /* it may stand for larger constants */
                              : (step > 0) == (first > last);
    else if (step > 0 && known_last)
        empty = start->nonnegative && !ck_type_is_unsigned(stop->type) && last <= 0;
    else if (step < 0 && known_first)
        empty = stop->nonnegative && !ck_type_is_unsigned(start->type) && first <= 0;
    if (!empty || has_constant_argument(fn->c->current))
        return;
    struct ck_diag *diag = ck_diag_add(fn->c->diags, CK_DIAG_ZERO_TRIP_LOOP, span);
    if (step == 1 && known_last && !(known_first && first == last))
        ck_diag_help(fn->c->diags, diag, "to count down, give `range` a step: -1");
}

/* --- Whole arrays --------------------------------------------------------------------------------
 */

/* Records that a function reads a whole array that is not its thread's own. */
void
ck_use_whole_array(struct ck_tfunc *function, struct ck_span use)
{
    if (!function->whole_use.end)
        function->whole_use = use;
    function->effects |= CK_EFFECT_WHOLE_ARRAY;
}

/* A kernel whose threads all do the same: each of them reads the whole array. */
void
ck_warn_whole_array(struct ck_fn *fn)
{
    const struct ck_tfunc *kernel = fn->out;
    if (!ck_tfunc_has(kernel, CK_EFFECT_WHOLE_ARRAY) ||
        ck_tfunc_has(kernel, CK_EFFECT_READS_POSITION) || kernel->bounds.max_threads == 1)
        return;
    struct ck_diag *diag =
        ck_note_warning(fn, ck_diag_add(fn->c->diags, CK_DIAG_WHOLE_ARRAY, kernel->whole_use));
    ck_diag_label(fn->c->diags, diag, fn->global->span,
                  "this kernel never uses the thread's position");
    ck_diag_help(fn->c->diags, diag,
                 "give each thread a part, as `x[grid(1), :]`; if one thread is to do it all, say "
                 "`launch_bounds=1`");
}

/* --- 32-bit results used as 64 bits --------------------------------------------------------------
 * Numba computes integers in 64 bits. Where the wider result is wanted anyway, the author most
 * likely believes that it was computed in 64 bits. */

/* Whether warnings are off here: in the prelude, in a constant, in a quiet pass over a loop. */
static bool
is_silent(const struct ck_fn *fn)
{
    const struct ck_diags *diags = fn->c->diags;
    return diags->quiet || fn->constant_only || fn->global->in_prelude;
}

static const char *
operation_name(enum ck_binary_op op)
{
    switch (op) {
    case CK_OP_ADD:
        return "sum";
    case CK_OP_SUB:
        return "difference";
    case CK_OP_MUL:
        return "product";
    case CK_OP_POW:
        return "power";
    default:
        return "shift";
    }
}

void
ck_warn_late_widening(struct ck_fn *fn, const struct ck_value *value, const struct ck_type *type,
                      struct ck_span use)
{
    bool is_number = ck_type_is_int(type) || ck_type_is_float(type);
    if (value->kind != CK_VALUE_RUN || !value->origin.may_wrap.end || !is_number ||
        ck_type_bits(type) != 64 || is_silent(fn))
        return;
    const char *wide = ck_text_of(fn, ck_storage_type(&fn->c->types, type));
    struct ck_diag *diag =
        ck_note_warning(fn, ck_diag_add(fn->c->diags, CK_DIAG_LATE_WIDENING, value->origin.may_wrap,
                                        operation_name(value->origin.wrapping_op), wide));
    bool named = value->span.start != value->origin.may_wrap.start ||
                 value->span.end != value->origin.may_wrap.end;
    struct ck_span place = named ? value->span : use;
    if (place.start != value->origin.may_wrap.start || place.end != value->origin.may_wrap.end)
        ck_diag_label(fn->c->diags, diag, place, "used as %s here", wide);
    ck_diag_help(fn->c->diags, diag,
                 "cast an operand to compute it in 64 bits, as `int64(a) * b`; if it is meant to "
                 "wrap, cast the result: `int64(a * b)`");
}

/* --- Implicit promotion to float64 ---------------------------------------------------------------
 */

/* The types of floats that a kernel uses. */
enum { LOOKED_FOR = 1, FLOAT64 = 2, NARROWER = 4 };

static unsigned
floats_of(const struct ck_type *type)
{
    unsigned floats = 0;
    if (!type)
        return 0;
    if (type->kind == CK_TYPE_TUPLE) {
        for (int i = 0; i < type->tuple.n; i++)
            floats |= floats_of(type->tuple.items[i]);
        return floats;
    }
    if (ck_type_is_array(type))
        return floats_of(type->array.elem);
    if (type->kind == CK_TYPE_FLOAT64 || type->kind == CK_TYPE_COMPLEX128)
        return FLOAT64;
    bool is_float = ck_type_is_float(type) || ck_type_is_complex(type);
    return is_float && !ck_type_is_weak(type) ? NARROWER : 0;
}

static bool
is_float64(const struct ck_type *type)
{
    return floats_of(type) & FLOAT64;
}

static unsigned
floats_of_name(struct ck_checker *c, const char *name)
{
    const struct ck_global *global = ck_find_global(c, name);
    if (global && global->kind == CK_GLOBAL_TYPES)
        return floats_of(ck_type_of_expr(c, global->syntax, false));
    if (global && global->kind == CK_GLOBAL_IMPORT)
        name = global->path;
    return strcmp(name, "float") == 0 ? FLOAT64 : floats_of(ck_type_by_name(name));
}

static bool
is_name_byte(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_' ||
           (byte >= '0' && byte <= '9') || (unsigned char)byte >= 0x80;
}

/* The types of floats in a range of text: of casts, annotations, dtypes of arrays. */
static unsigned
floats_of_text(struct ck_checker *c, struct ck_span span)
{
    const char *text = c->source->text;
    unsigned floats = 0;
    for (uint32_t at = span.start; at < span.end;) {
        uint32_t begin = at++;
        if (text[begin] == '#') { /* comments do not count */
            while (at < span.end && text[at] != '\n')
                at++;
        } else if (is_name_byte(text[begin])) {
            while (at < span.end && is_name_byte(text[at]))
                at++;
            floats |= floats_of_name(c, ck_arena_strndup(c->arena, text + begin, at - begin));
        }
    }
    return floats;
}

/* Whether a kernel, with the functions on the call path from it to here, uses narrower floats and
 * does not request float64. Where it uses no floats otherwise, float64 is what the program means.
 */
static bool
is_unasked(struct ck_fn *fn)
{
    unsigned floats = 0;
    for (const struct ck_instance *i = fn->c->current; i; i = i->caller) {
        for (int k = 0; k < i->n_args; k++)
            floats |= floats_of(i->args[k].type);
        struct ck_global *global = i->global;
        struct ck_span span = {global->function->span.start, global->function->body.span.end};
        if (!global->float_words)
            global->float_words = LOOKED_FOR | floats_of_text(fn->c, span);
        floats |= global->float_words;
    }
    return (floats & NARROWER) && !(floats & FLOAT64);
}

/* A float64 operand that was a float literal; its first use is reported. */
static bool
is_literal_float64(const struct ck_value *value)
{
    return value->type->kind == CK_TYPE_FLOAT64 && value->origin.literal_at.end;
}

/* True the first time for a literal. */
static bool
is_first_report(struct ck_fn *fn, struct ck_span literal)
{
    for (int i = 0; i < fn->n_literals_reported; i++) {
        if (fn->literals_reported[i].start == literal.start)
            return false;
    }
    CK_PUSH(fn->c->arena, fn->literals_reported, fn->n_literals_reported,
            fn->literals_reported_capacity, literal);
    return true;
}

static void
warn_literal(struct ck_fn *fn, const struct ck_value *literal, const struct ck_value *other,
             struct ck_span span)
{
    if (!is_first_report(fn, literal->origin.literal_at))
        return;
    const char *name = ck_diag_text(fn->c->diags, literal->span);
    const char *with = ck_type_is_weak(other->type) || is_literal_float64(other)
                           ? "a literal"
                           : ck_text_of(fn, other->type);
    const char *cause =
        ck_arena_printf(fn->c->arena, "`%s`, a float literal at first, with %s", name, with);
    struct ck_diag *diag =
        ck_note_warning(fn, ck_diag_add(fn->c->diags, CK_DIAG_UNASKED_FLOAT64, span, cause));
    ck_diag_label(fn->c->diags, diag, literal->origin.literal_at, "a literal here");
    ck_diag_help(fn->c->diags, diag,
                 "give the name a type where it is first set: %s: float32 = ...", name);
}

void
ck_warn_float64(struct ck_fn *fn, enum ck_binary_op op, const struct ck_value *left,
                const struct ck_value *right, struct ck_span span)
{
    const struct ck_diags *diags = fn->c->diags;
    bool literal_left = is_literal_float64(left), literal_right = is_literal_float64(right);
    bool wide_left = is_float64(left->type) && !literal_left;
    bool wide_right = is_float64(right->type) && !literal_right;
    if (diags->quiet || fn->constant_only || wide_left || wide_right || !is_unasked(fn))
        return;
    if (literal_left || literal_right) {
        warn_literal(fn, literal_left ? left : right, literal_left ? right : left, span);
        return;
    }
    bool weak_left = ck_type_is_weak(left->type), weak_right = ck_type_is_weak(right->type);
    bool float_left = !ck_type_is_int(left->type) && left->type->kind != CK_TYPE_BOOL;
    bool float_right = !ck_type_is_int(right->type) && right->type->kind != CK_TYPE_BOOL;
    const char *cause, *help;
    if (!float_left && !float_right && op == CK_OP_DIV) {
        cause = ck_arena_printf(fn->c->arena, "`/` of %s and %s", ck_text_of(fn, left->type),
                                ck_text_of(fn, right->type));
        help = "write // for a whole quotient, or cast an operand: float32(...)";
    } else if (weak_left && weak_right) {
        cause = "literals alone";
        help = "cast one of them, or annotate the name: x: float32 = 0";
    } else {
        cause = ck_arena_printf(fn->c->arena, "a %s with %s",
                                ck_text_of(fn, weak_left ? left->type : right->type),
                                ck_text_of(fn, weak_left ? right->type : left->type));
        help = "cast the integer: float32(...)";
    }
    struct ck_diag *diag =
        ck_note_warning(fn, ck_diag_add(fn->c->diags, CK_DIAG_UNASKED_FLOAT64, span, cause));
    ck_diag_help(fn->c->diags, diag, "%s", help);
}
