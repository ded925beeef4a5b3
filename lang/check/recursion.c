/* Recursive functions: the types of their results, and what they cannot do.
 *
 * The type of a result is the least fixed point over the returned values. A pass checks the
 * functions of a cycle quietly; a call of a function that is being checked has the type that the
 * pass before found, and none in the first pass: a `return` of such a value then does not count.
 * Passes repeat until no type and no effect changes. A float literal alone is weak until nothing
 * else determines the type, as in loops. Then the functions are checked as any others, with the
 * types found. */
#include "lang/check/checker.h"

/* Types join to wider ones a few times; a tuple that grows in each pass has no type. */
enum { MOST_PASSES = 16 };

/* --- Functions that may be recursive -------------------------------------------------------------
 */

/* Tarjan, "Depth-First Search and Linear Graph Algorithms", 1972. */
struct search {
    struct ck_arena *arena;
    int n_visits;
    struct ck_global **stack;
    int n, capacity;
};

static void
visit_global(struct search *search, struct ck_global *global)
{
    bool names_itself = false;
    int begin = search->n;
    global->references.visit = global->references.lowest = ++search->n_visits;
    global->references.on_stack = true;
    CK_PUSH(search->arena, search->stack, search->n, search->capacity, global);
    for (int i = 0; i < global->references.n; i++) {
        struct ck_global *named = global->references.items[i];
        names_itself = names_itself || named == global;
        if (!named->references.visit)
            visit_global(search, named);
        if (named->references.on_stack && named->references.lowest < global->references.lowest)
            global->references.lowest = named->references.lowest;
    }
    if (global->references.lowest != global->references.visit)
        return;
    const bool is_cycle = names_itself || search->n - begin > 1;
    for (; search->n > begin; search->n--) {
        search->stack[search->n - 1]->references.on_stack = false;
        search->stack[search->n - 1]->references.is_cycle = is_cycle;
    }
}

void
ck_find_recursive(struct ck_checker *c)
{
    struct search search = {.arena = c->arena};
    for (int i = 0; i < c->n_globals; i++) {
        if (!c->globals[i]->references.visit)
            visit_global(&search, c->globals[i]);
    }
}

/* --- Calls ---------------------------------------------------------------------------------------
 */

/* "`f` calls `g` calls `f`", from the instance to the one being checked, and back. */
static const char *
cycle_text(struct ck_checker *c, const struct ck_instance *target)
{
    struct ck_strbuf cycle;
    ck_strbuf_init(&cycle);
    ck_strbuf_printf(&cycle, "`%s`", target->global->name);
    for (const struct ck_instance *i = c->current; i; i = i == target ? NULL : i->caller) {
        struct ck_strbuf rest = cycle;
        ck_strbuf_init(&cycle);
        ck_strbuf_printf(&cycle, "`%s` calls %s", i->global->name, ck_strbuf_text(&rest));
        ck_strbuf_free(&rest);
    }
    return ck_arena_take(c->arena, ck_strbuf_take(&cycle));
}

static void
report_unknown(struct ck_checker *c, const struct ck_instance *target, struct ck_span call)
{
    c->n_failures++;
    if (target->recursion.has_errors)
        return;
    const char *name = target->global->name;
    struct ck_diag *diag = ck_diag_add(c->diags, CK_DIAG_RECURSION_TYPE, call, name);
    ck_diag_note(c->diags, diag, "%s", cycle_text(c, target));
    ck_diag_help(c->diags, diag, "annotate it, as in `def %s(...) -> float32:`", name);
}

struct ck_tfunc *
ck_recursive_call(struct ck_checker *c, struct ck_instance *instance, struct ck_span call)
{
    struct ck_tfunc *function = instance->function;
    c->inference.n_tentative += !instance->recursion.is_settled;
    if (!instance->recursion.assumed) {
        if (!c->inference.pass && !c->untyped)
            report_unknown(c, instance, call);
        return NULL;
    }
    function->returns = instance->recursion.assumed;
    function->effects |= instance->recursion.assumed_effects | CK_EFFECT_RECURSION;
    return function;
}

/* --- Inference -----------------------------------------------------------------------------------
 */

bool
ck_is_current(struct ck_checker *c, const struct ck_instance *instance)
{
    if (!instance->provisional)
        return true;
    if (!c->diags->quiet)
        return false;
    return !instance->recursion.is_tentative || instance->recursion.is_settled ||
           (c->inference.pass && instance->recursion.pass == c->inference.pass);
}

void
ck_infer_update(struct ck_checker *c, struct ck_instance *instance, const struct ck_type *type)
{
    const unsigned effects = instance->recursion.assumed_effects | instance->function->effects;
    if (type && (type->kind != CK_TYPE_WEAK_FLOAT || c->inference.is_strong))
        type = ck_storage_type(&c->types, type);
    if (type && type != instance->recursion.assumed) {
        instance->recursion.assumed = type;
        c->inference.changed = true;
    }
    if (effects != instance->recursion.assumed_effects) {
        instance->recursion.assumed_effects = effects;
        c->inference.changed = true;
    }
}

/* Types that nothing but literals determine. True if there are any. */
static bool
make_strong(struct ck_checker *c)
{
    bool any = false;
    c->inference.is_strong = true;
    for (int i = 0; i < c->n_instances; i++) {
        struct ck_instance *instance = c->instances[i];
        if (instance->recursion.pass != c->inference.pass || !instance->recursion.assumed ||
            instance->recursion.assumed->kind != CK_TYPE_WEAK_FLOAT)
            continue;
        instance->recursion.assumed = ck_storage_type(&c->types, instance->recursion.assumed);
        any = true;
    }
    return any;
}

/* The types of the last pass are final; without a fixed point there are none. */
static void
settle(struct ck_checker *c, bool found)
{
    for (int i = 0; i < c->n_instances; i++) {
        struct ck_instance *instance = c->instances[i];
        if (instance->recursion.pass != c->inference.pass)
            continue;
        instance->recursion.is_settled = true;
        if (!found)
            instance->recursion.assumed = NULL;
    }
}

void
ck_infer_results(struct ck_checker *c, struct ck_instance *instance, struct ck_span call)
{
    const int failures = c->n_failures;
    bool found = false;
    c->inference.is_strong = false;
    c->diags->quiet++;
    for (int i = 0; i < MOST_PASSES && !found; i++) {
        c->inference.pass = ++c->inference.n_passes;
        c->inference.changed = false;
        ck_check_instance(c, instance, call);
        found = !c->inference.changed && !(!c->inference.is_strong && make_strong(c));
    }
    settle(c, found);
    c->inference.pass = 0;
    c->diags->quiet--;
    c->n_failures = failures;
}

/* --- What recursive functions cannot do ----------------------------------------------------------
 */

struct cycles {
    struct ck_checker *c;
    int begin; /* functions with later numbers have been visited */
    struct ck_tfunc **stack;
    int n, capacity;
    bool failed;
};

/* What a recursive function cannot have, as it cannot be inlined; NULL: nothing of it. */
static const char *
what_excludes(const struct ck_tfunc *function)
{
    static const struct {
        unsigned effects;
        const char *text;
    } rows[] = {
        {CK_EFFECT_BLOCK_BARRIER | CK_EFFECT_CLUSTER_BARRIER | CK_EFFECT_GRID_BARRIER |
             CK_EFFECT_BARRIER_WORDS,
         "reaches a barrier"},
        {CK_EFFECT_WARP_PRIMITIVE | CK_EFFECT_MAKES_GROUP,
         "reaches a warp-level primitive, or makes a group"},
        {CK_EFFECT_GROUP_COPY, "reaches a copy by a group"},
        {CK_EFFECT_READS_LAUNCH, "reaches `is_valid()`"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (ck_tfunc_has(function, rows[i].effects))
            return rows[i].text;
    }
    return function->n_shared ? "makes a shared array" : NULL;
}

/* The calls of a cycle: a walk within it that leads from the first function back to it. */
static const char *
calls_text(struct cycles *cycles, struct ck_tfunc *const *members, int n)
{
    struct ck_strbuf text;
    ck_strbuf_init(&text);
    for (int i = 0; i < n; i++) {
        if (!members[i]->in_prelude)
            ck_strbuf_printf(&text, "`%s` calls ", members[i]->name);
    }
    ck_strbuf_printf(&text, "`%s`", members[0]->name);
    return ck_arena_take(cycles->c->arena, ck_strbuf_take(&text));
}

static void
check_cycle(struct cycles *cycles, struct ck_tfunc *const *members, int n)
{
    struct ck_checker *c = cycles->c;
    bool reported = false;
    for (int i = 0; i < n; i++) {
        const char *what = what_excludes(members[i]);
        members[i]->is_recursive = true;
        if (!what || reported || members[i]->in_prelude)
            continue;
        struct ck_diag *diag =
            ck_diag_add(c->diags, CK_DIAG_RECURSION, members[i]->span, members[i]->name, what);
        ck_diag_note(c->diags, diag, "%s", calls_text(cycles, members, n));
        ck_diag_help(c->diags, diag, "write it as a loop, or move that out of the recursion");
        c->n_failures++;
        cycles->failed = reported = true;
    }
}

static void
visit_function(struct cycles *cycles, struct ck_tfunc *function)
{
    bool calls_itself = false;
    const int begin = cycles->n;
    function->visit = function->lowest = ++cycles->c->inference.n_visits;
    function->on_stack = true;
    CK_PUSH(cycles->c->arena, cycles->stack, cycles->n, cycles->capacity, function);
    for (int i = 0; i < function->n_callees; i++) {
        struct ck_tfunc *callee = function->callees[i];
        calls_itself = calls_itself || callee == function;
        if (callee->visit <= cycles->begin && ck_tfunc_has(callee, CK_EFFECT_RECURSION))
            visit_function(cycles, callee);
        if (callee->on_stack && callee->lowest < function->lowest)
            function->lowest = callee->lowest;
    }
    if (function->lowest != function->visit)
        return;
    const int n = cycles->n - begin;
    for (int i = begin; i < cycles->n; i++)
        cycles->stack[i]->on_stack = false;
    cycles->n = begin;
    if (calls_itself || n > 1)
        check_cycle(cycles, cycles->stack + begin, n);
}

bool
ck_check_cycles(struct ck_checker *c, struct ck_tfunc *kernel)
{
    struct cycles cycles = {.c = c, .begin = c->inference.n_visits};
    visit_function(&cycles, kernel);
    return !cycles.failed;
}
