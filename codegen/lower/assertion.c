/* Assertions: a test, and the report of a failure with the values of the names in its condition. */
#include <ck/run.h>
#include <string.h>

#include "codegen/lower/lower.h"

enum { MAX_NAMES = 8 };

/* The scalar locals of a condition, once each, in the order in which it reads them. */
struct names {
    const struct ck_tfunc *tfunc;
    const struct ck_texpr *locals[MAX_NAMES];
    int n;
};

static void
add_name(struct names *names, const struct ck_texpr *expr)
{
    const struct ck_type *type = expr->type;
    const bool is_shown =
        type->kind == CK_TYPE_BOOL || ck_type_is_int(type) || ck_type_is_float(type);
    if (!is_shown || !*names->tfunc->locals[expr->local].name || names->n == MAX_NAMES)
        return;
    for (int i = 0; i < names->n; i++) {
        if (names->locals[i]->local == expr->local)
            return;
    }
    names->locals[names->n++] = expr;
}

static void
find_names(void *context, struct ck_texpr *expr)
{
    switch (expr->kind) {
    case CK_T_LOCAL:
        add_name(context, expr);
        break;
    case CK_T_ELEMENT:
        for (int i = 0; i < expr->element.array->type->array.ndim; i++)
            find_names(context, expr->element.indices[i].value);
        break;
    case CK_T_BUILTIN:
        for (int i = 0; i < expr->builtin.n_args; i++)
            find_names(context, expr->builtin.args[i]);
        break;
    case CK_T_LET:
    case CK_T_CAST:
    case CK_T_UNARY:
    case CK_T_BINARY:
    case CK_T_COMPARE:
    case CK_T_LOGICAL:
    case CK_T_SELECT:
    case CK_T_CALL:
        ck_texpr_each(expr, find_names, context);
        break;
    default: /* of arrays and tuples */
        break;
    }
}

/* The local as a print statement takes it. */
static struct ck_texpr *
print_value(struct ck_gen *gen, const struct ck_texpr *local)
{
    const struct ck_type *type = local->type;
    const enum ck_type_kind kind = ck_type_is_float(type)      ? CK_TYPE_FLOAT64
                                   : ck_type_is_unsigned(type) ? CK_TYPE_UINT64
                                                               : CK_TYPE_INT64;
    struct ck_texpr *value = CK_NEW(&gen->arena, struct ck_texpr), *cast;
    *value = *local;
    if (type->kind == CK_TYPE_BOOL || type->kind == kind)
        return value;
    cast = CK_NEW(&gen->arena, struct ck_texpr);
    *cast = (struct ck_texpr){.kind = CK_T_CAST, .type = ck_type_scalar(kind), .span = local->span};
    cast->unary.operand = value;
    return cast;
}

/* Each name as a text, then its value. */
static struct ck_print_item *
list_items(struct ck_gen *gen, const struct names *names)
{
    struct ck_print_item *items = CK_NEW_ARRAY(&gen->arena, struct ck_print_item, 2 * names->n + 1);
    for (int i = 0; i < names->n; i++) {
        const char *name = names->tfunc->locals[names->locals[i]->local].name;
        items[2 * i] = (struct ck_print_item){.text = name, .length = (uint32_t)strlen(name)};
        items[2 * i + 1] = (struct ck_print_item){.value = print_value(gen, names->locals[i])};
    }
    return items;
}

void
ck_gen_assert(struct ck_gen *gen, const struct ck_tstmt *stmt)
{
    if (stmt->assertion.is_check && !ck_gen_checks(gen, CK_CHECK_BOUNDS))
        return;
    LLVMBasicBlockRef b_fails = l_block(gen, "assert.fails");
    LLVMBasicBlockRef b_holds = l_block(gen, "assert.holds");
    struct ck_texpr *test = stmt->assertion.test;
    struct ck_span span = stmt->assertion.span;
    const struct ck_tfunc *tfunc = ck_gen_user_frame(gen, &span)->info->tfunc;
    const bool is_own = !gen->frame->info->tfunc->in_prelude;
    struct names names = {.tfunc = tfunc};
    LLVMBuildCondBr(gen->builder, ck_gen_scalar(gen, test), b_holds, b_fails);
    l_at(gen, b_fails);
    const int n_items = stmt->assertion.n_items;
    if (is_own && !n_items)
        find_names(&names, test);
    const struct ck_failed_assert failed = {
        .message = stmt->assertion.message,
        .condition = ck_gen_source_text(gen, span),
        .span = span,
        .line = ck_source_origin(gen->program->source, is_own ? stmt->span.start : span.start).line,
        .function = tfunc->name,
        .items = n_items ? stmt->assertion.items : list_items(gen, &names),
        .n_items = n_items ? n_items : 2 * names.n,
    };
    gen->target->thread->assert_fail(gen, &failed);
    l_at(gen, b_holds);
}
