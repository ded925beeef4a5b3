/* The record of what names mean: see facts.h. Each function does nothing where none is kept. */
#include "lang/check/facts.h"

#include <string.h>

#include "lang/check/builtins/builtins.h"
#include "lang/check/checker.h"

/* At most so many facts of one place: a function can have thousands of specialisations. */
enum { MOST_FACTS = 8 };

static const struct ck_fact *
fact_at(const struct ck_facts *facts, int i, uint32_t start)
{
    while (i >= 0 && facts->items[i].start != start)
        i = ck_index_next(&facts->index, i);
    return i >= 0 ? &facts->items[i] : NULL;
}

static uint32_t
hash_of(uint32_t start)
{
    return ck_hash_bytes(&start, sizeof start);
}

const struct ck_fact *
ck_facts_first(const struct ck_facts *facts, uint32_t start)
{
    return fact_at(facts, ck_index_first(&facts->index, hash_of(start)), start);
}

const struct ck_fact *
ck_facts_next(const struct ck_facts *facts, const struct ck_fact *fact)
{
    int i = ck_index_next(&facts->index, (int)(fact - facts->items));
    return fact_at(facts, i, fact->start);
}

static bool
same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool
same_meaning(const struct ck_fact *a, const struct ck_fact *b)
{
    return a->kind == b->kind && a->type == b->type && a->function == b->function &&
           a->builtin == b->builtin && a->self == b->self && same_text(a->path, b->path);
}

/* The same meaning once more: a number that differs is not known. */
static void
add_again(struct ck_fact *known, const struct ck_fact *fact)
{
    known->is_sure |= fact->is_sure;
    if (known->constant && !(fact->constant && ck_same_constant(known->constant, fact->constant)))
        known->constant = NULL;
}

/* Adds a fact. A place has either facts that are sure, or the last one that is not. */
static void
add(struct ck_facts *facts, const struct ck_fact *fact)
{
    int n = 0;
    for (const struct ck_fact *f = ck_facts_first(facts, fact->start); f;
         f = ck_facts_next(facts, f), n++) {
        struct ck_fact *known = &facts->items[f - facts->items];
        if (same_meaning(f, fact)) {
            add_again(known, fact);
            return;
        }
        if (!known->is_sure) {
            *known = *fact;
            return;
        }
    }
    if (n && !fact->is_sure)
        return;
    if (n < MOST_FACTS) {
        CK_PUSH(facts->arena, facts->items, facts->n, facts->capacity, *fact);
        ck_index_add(facts->arena, &facts->index, hash_of(fact->start));
    }
}

/* Whether facts are kept of the text that is being checked: of the prelude's none are. */
static bool
keeps(const struct ck_fn *fn)
{
    return fn->c->facts && !fn->global->in_prelude && !fn->c->diags->at;
}

static bool
is_number(const struct ck_value *value)
{
    return value->expr && value->expr->kind == CK_T_CONST;
}

void
ck_add_fact(const struct ck_fn *fn, uint32_t start, const struct ck_value *value)
{
    if (!keeps(fn))
        return;
    struct ck_fact fact = {.start = start, .is_sure = !fn->c->diags->quiet};
    switch (value->kind) {
    case CK_VALUE_RUN:
        fact.kind = CK_FACT_VALUE;
        fact.type = ck_storage_type(&fn->c->types, value->type);
        fact.constant = is_number(value) ? value->expr : NULL;
        break;
    case CK_VALUE_TYPE:
        fact.kind = CK_FACT_TYPE;
        fact.type = value->type;
        break;
    case CK_VALUE_FUNCTION:
        fact.kind = CK_FACT_FUNCTION;
        fact.function = value->function->function;
        break;
    case CK_VALUE_BUILTIN:
        fact.kind = CK_FACT_BUILTIN;
        fact.builtin = value->builtin;
        fact.self = value->self ? value->self->type : NULL;
        break;
    case CK_VALUE_NUMPY:
        fact.kind = CK_FACT_NUMPY;
        fact.path = ck_numpy_row_path(value->numpy);
        break;
    case CK_VALUE_PATH:
        fact.kind = CK_FACT_PATH;
        fact.path = value->path;
        break;
    case CK_VALUE_ERROR:
    case CK_VALUE_NAMES:
    case CK_VALUE_STRING:
    case CK_VALUE_NONE:
        return;
    }
    add(fn->c->facts, &fact);
}

void
ck_add_object_fact(const struct ck_fn *fn, uint32_t start, const struct ck_value *object)
{
    const bool runs = object->kind == CK_VALUE_RUN;
    if (!keeps(fn) || (!runs && object->kind != CK_VALUE_PATH))
        return;
    const struct ck_fact fact = {.kind = CK_FACT_OBJECT,
                                 .start = start,
                                 .type = runs ? object->type : NULL,
                                 .path = runs ? NULL : object->path,
                                 .is_sure = !fn->c->diags->quiet};
    add(fn->c->facts, &fact);
}

void
ck_add_result_fact(const struct ck_fn *fn)
{
    if (!keeps(fn) || fn->c->untyped || !fn->out->returns)
        return;
    const struct ck_fact fact = {.kind = CK_FACT_RESULT,
                                 .start = fn->global->function->name_span.start,
                                 .type = fn->out->returns,
                                 .is_sure = !fn->c->diags->quiet};
    add(fn->c->facts, &fact);
}
