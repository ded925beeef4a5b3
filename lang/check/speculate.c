/* Speculative checks, whose results are types or names: what they report, emit and create is
 * discarded, and the expression is checked again where it is compiled. */
#include "lang/check/checker.h"

struct ck_speculation
ck_speculation_begin(struct ck_fn *fn)
{
    const struct ck_tfunc *f = fn->out;
    struct ck_speculation before = {.block = fn->block};
    fn->block = CK_NEW(fn->c->arena, struct ck_tblock);
    if (!f) /* a constant of the module */
        return before;
    before.n_locals = f->n_locals;
    before.n_shared = f->n_shared;
    before.n_callees = f->n_callees;
    before.n_returns = fn->n_returns;
    before.effects = f->effects;
    return before;
}

void
ck_speculation_end(struct ck_fn *fn, struct ck_speculation before)
{
    struct ck_tfunc *f = fn->out;
    fn->block = before.block;
    if (!f)
        return;
    ck_locals_cut(fn, before.n_locals);
    f->n_shared = before.n_shared;
    f->n_callees = before.n_callees;
    fn->n_returns = before.n_returns;
    f->effects = before.effects;
}

struct ck_value
ck_check_quietly(struct ck_fn *fn, ck_check_fn *check, const struct ck_expr *expr)
{
    const int failures = fn->c->n_failures;
    fn->c->diags->quiet++;
    const struct ck_value value = check(fn, expr);
    fn->c->diags->quiet--;
    fn->c->n_failures = failures;
    return value;
}

struct ck_value
ck_speculate(struct ck_fn *fn, ck_check_fn *check, const struct ck_expr *expr)
{
    const struct ck_speculation before = ck_speculation_begin(fn);
    const struct ck_value value = ck_check_quietly(fn, check, expr);
    ck_speculation_end(fn, before);
    return value;
}

struct ck_value
ck_probe(struct ck_fn *fn, const struct ck_expr *expr)
{
    return ck_speculate(fn, ck_check_name, expr);
}
