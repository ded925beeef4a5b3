/* Whether an attribute of a parameter without a type may be a field of a record. */
#include <string.h>

#include "lang/check/foreign_names.h"

struct evidence {
    const struct ck_expr *attribute;
    bool found;
};

/* Whether it is the parameter or an element of it, and not a field by its name. */
static bool
is_whole(const struct evidence *evidence, const struct ck_expr *expr)
{
    if (expr->kind == CK_EXPR_SUBSCRIPT) {
        return expr->subscript.indices[0]->kind != CK_EXPR_STRING &&
               expr->subscript.object->kind == CK_EXPR_NAME &&
               is_whole(evidence, expr->subscript.object);
    }
    return expr->kind == CK_EXPR_NAME &&
           strcmp(expr->name, evidence->attribute->attribute.object->name) == 0;
}

static bool
computes(const struct evidence *evidence, const struct ck_expr *expr)
{
    switch (expr->kind) {
    case CK_EXPR_UNARY:
        return expr->unary.op != CK_OP_NOT && is_whole(evidence, expr->unary.operand);
    case CK_EXPR_BINARY:
        return is_whole(evidence, expr->binary.left) || is_whole(evidence, expr->binary.right);
    case CK_EXPR_CALL:
        return expr->call.callee == evidence->attribute;
    default:
        return false;
    }
}

static void
visit(void *context, const struct ck_expr *expr)
{
    struct evidence *evidence = context;
    evidence->found = evidence->found || computes(evidence, expr);
    ck_expr_each(expr, visit, context);
}

static bool
is_number(const struct ck_expr *expr)
{
    return expr->kind == CK_EXPR_INT || expr->kind == CK_EXPR_FLOAT ||
           expr->kind == CK_EXPR_BINARY || expr->kind == CK_EXPR_UNARY;
}

static void find_stores(struct evidence *evidence, const struct ck_block *block);

static void
find_store(struct evidence *evidence, const struct ck_stmt *stmt)
{
    switch (stmt->kind) {
    case CK_STMT_ASSIGN:
        for (int i = 0; i < stmt->assign.n_targets && is_number(stmt->assign.value); i++)
            evidence->found = evidence->found || is_whole(evidence, stmt->assign.targets[i]);
        break;
    case CK_STMT_AUGASSIGN:
        evidence->found = evidence->found || is_whole(evidence, stmt->augassign.target);
        break;
    case CK_STMT_IF:
        find_stores(evidence, &stmt->branch.then);
        find_stores(evidence, &stmt->branch.otherwise);
        break;
    case CK_STMT_WHILE:
        find_stores(evidence, &stmt->loop.body);
        find_stores(evidence, &stmt->loop.otherwise);
        break;
    case CK_STMT_FOR:
        find_stores(evidence, &stmt->each.body);
        find_stores(evidence, &stmt->each.otherwise);
        break;
    default:
        break;
    }
}

static void
find_stores(struct evidence *evidence, const struct ck_block *block)
{
    for (int i = 0; i < block->n; i++)
        find_store(evidence, block->stmts[i]);
}

bool
ck_is_no_field(const struct ck_function *function, const struct ck_expr *attribute)
{
    struct evidence evidence = {.attribute = attribute};
    for (int i = 0; i < function->body.n; i++)
        ck_stmt_each_expr(function->body.stmts[i], visit, &evidence);
    find_stores(&evidence, &function->body);
    return evidence.found;
}
