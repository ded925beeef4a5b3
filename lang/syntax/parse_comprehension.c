/* The parser, part nine: comprehensions and generators in constants of the module.
 *
 * The names that they bind become hidden ones, so that they neither are nor hide names of the
 * module. */
#include <string.h>

#include "lang/syntax/parser.h"

/* --- Hidden names --------------------------------------------------------------------------------
 */

struct renaming {
    const char *from, *to;
};

static void
rename_in(void *context, const struct ck_expr *expr)
{
    const struct renaming *renaming = context;
    if (expr->kind == CK_EXPR_NAME && strcmp(expr->name, renaming->from) == 0)
        ((struct ck_expr *)expr)->name = renaming->to; /* the parser made the node */
    ck_expr_each(expr, rename_in, context);
}

/* Hides a name that clause number `at` binds: in its tests, in what follows it and in the element.
 */
static void
hide_name(struct ck_parser *p, struct ck_comprehension *all, int at, struct ck_expr *target)
{
    struct renaming renaming = {
        .from = target->name,
        .to = ck_arena_printf(p->arena, "%%c%d", p->n_hidden++),
    };
    target->name = renaming.to;
    for (int i = at; i < all->n; i++) {
        const struct ck_comprehension_clause *clause = &all->clauses[i];
        if (i > at)
            rename_in(&renaming, clause->iterable);
        for (int k = 0; k < clause->n_tests; k++)
            rename_in(&renaming, clause->tests[k]);
    }
    rename_in(&renaming, all->element);
}

static void
hide_names(struct ck_parser *p, struct ck_comprehension *all, int at, struct ck_expr *target)
{
    if (target->kind == CK_EXPR_NAME) {
        hide_name(p, all, at, target);
    } else if (target->kind == CK_EXPR_TUPLE || target->kind == CK_EXPR_LIST) {
        for (int i = 0; i < target->sequence.n; i++)
            hide_names(p, all, at, target->sequence.items[i]);
    } else if (target->kind != CK_EXPR_ERROR) {
        ck_parser_unsupported(p, target->span, "targets that are no names",
                              "name the item, and use its parts");
    }
}

/* --- Clauses -------------------------------------------------------------------------------------
 */

/* clause: 'for' targets 'in' disjunction ('if' disjunction)* */
static void
parse_clause(struct ck_parser *p, struct ck_comprehension_clause *clause)
{
    int capacity = 0;
    ck_parser_advance(p);
    clause->target = ck_parser_for_targets(p);
    clause->iterable = ck_parser_expect(p, CK_TOK_IN)
                           ? ck_parser_disjunction(p)
                           : ck_parser_error_expr(p, clause->target->span);
    while (ck_parser_accept(p, CK_TOK_IF)) {
        struct ck_expr *test = ck_parser_disjunction(p);
        CK_PUSH(p->arena, clause->tests, clause->n_tests, capacity, test);
    }
}

static int
depth_of(const struct ck_comprehension *all)
{
    int depth = all->element->depth;
    for (int i = 0; i < all->n; i++) {
        const struct ck_comprehension_clause *clause = &all->clauses[i];
        depth = clause->iterable->depth > depth ? clause->iterable->depth : depth;
        for (int k = 0; k < clause->n_tests; k++)
            depth = clause->tests[k]->depth > depth ? clause->tests[k]->depth : depth;
    }
    return depth + 1;
}

struct ck_expr *
ck_parser_comprehension(struct ck_parser *p, struct ck_expr *element, bool is_list)
{
    if (!ck_parser_enter(p))
        return element;
    struct ck_comprehension *all = CK_NEW(p->arena, struct ck_comprehension);
    int capacity = 0;
    *all = (struct ck_comprehension){.element = element, .is_list = is_list};
    while (p->token.kind == CK_TOK_FOR && !p->panic) {
        struct ck_comprehension_clause clause = {0};
        parse_clause(p, &clause);
        CK_PUSH(p->arena, all->clauses, all->n, capacity, clause);
    }
    for (int i = all->n - 1; i >= 0; i--)
        hide_names(p, all, i, all->clauses[i].target);
    ck_parser_leave(p);
    struct ck_expr *e =
        ck_parser_new_expr(p, CK_EXPR_COMPREHENSION, ck_parser_since(p, element->span.start));
    e->comprehension = all;
    const int depth = depth_of(all);
    if (depth <= CK_MAX_TREE_DEPTH) {
        e->depth = (uint16_t)depth;
        return e;
    }
    ck_diag_add(
        p->diags, CK_DIAG_TOO_DEEP, e->span,
        ck_arena_printf(p->arena, "more than %d operations in one expression", CK_MAX_TREE_DEPTH));
    ck_parser_recover(p);
    return ck_parser_error_expr(p, e->span);
}
