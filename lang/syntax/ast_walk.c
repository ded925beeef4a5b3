/* Making nodes of the syntax tree, and walking it. */
#include "lang/syntax/ast.h"

struct ck_expr *
ck_expr_new(struct ck_arena *arena, enum ck_expr_kind kind, struct ck_span span)
{
    struct ck_expr *expr = CK_NEW(arena, struct ck_expr);
    expr->kind = kind;
    expr->span = span;
    expr->depth = 1;
    return expr;
}

struct ck_expr *
ck_expr_name(struct ck_arena *arena, const char *name, struct ck_span span)
{
    struct ck_expr *expr = ck_expr_new(arena, CK_EXPR_NAME, span);
    expr->name = name;
    return expr;
}

struct ck_expr *
ck_expr_int(struct ck_arena *arena, int value, struct ck_span span)
{
    struct ck_expr *expr = ck_expr_new(arena, CK_EXPR_INT, span);
    expr->integer.value = (uint64_t)value;
    return expr;
}

struct ck_expr *
ck_expr_item(struct ck_arena *arena, struct ck_expr *object, int i)
{
    struct ck_expr *item = ck_expr_new(arena, CK_EXPR_SUBSCRIPT, object->span);
    item->depth = (uint16_t)(object->depth + 1);
    item->subscript.object = object;
    item->subscript.indices = CK_NEW(arena, struct ck_expr *);
    item->subscript.indices[0] = ck_expr_int(arena, i, object->span);
    item->subscript.n_indices = 1;
    return item;
}

static void
each_of(struct ck_expr *const *exprs, int n, ck_expr_visit visit, void *context)
{
    for (int i = 0; i < n; i++) {
        if (exprs[i])
            visit(context, exprs[i]);
    }
}

void
ck_expr_each(const struct ck_expr *expr, ck_expr_visit visit, void *context)
{
    switch (expr->kind) {
    case CK_EXPR_UNARY:
        visit(context, expr->unary.operand);
        break;
    case CK_EXPR_BINARY:
        each_of((struct ck_expr *[]){expr->binary.left, expr->binary.right}, 2, visit, context);
        break;
    case CK_EXPR_COMPARE:
        each_of(expr->compare.operands, expr->compare.n_ops + 1, visit, context);
        break;
    case CK_EXPR_LOGICAL:
        each_of(expr->logical.operands, expr->logical.n, visit, context);
        break;
    case CK_EXPR_CONDITIONAL:
        each_of((struct ck_expr *[]){expr->conditional.test, expr->conditional.then,
                                     expr->conditional.otherwise},
                3, visit, context);
        break;
    case CK_EXPR_CALL:
        visit(context, expr->call.callee);
        for (int i = 0; i < expr->call.n_args; i++)
            each_of(&expr->call.args[i].value, 1, visit, context);
        break;
    case CK_EXPR_ATTRIBUTE:
        visit(context, expr->attribute.object);
        break;
    case CK_EXPR_SUBSCRIPT:
        visit(context, expr->subscript.object);
        each_of(expr->subscript.indices, expr->subscript.n_indices, visit, context);
        break;
    case CK_EXPR_SLICE:
        each_of((struct ck_expr *[]){expr->slice.start, expr->slice.stop, expr->slice.step}, 3,
                visit, context);
        break;
    case CK_EXPR_FORMAT:
        for (int i = 0; i < expr->format.n; i++) {
            const struct ck_format_part *part = &expr->format.parts[i];
            each_of((struct ck_expr *[]){part->value, part->spec}, 2, visit, context);
        }
        break;
    case CK_EXPR_TUPLE:
    case CK_EXPR_LIST:
        each_of(expr->sequence.items, expr->sequence.n, visit, context);
        break;
    case CK_EXPR_STARRED:
        visit(context, expr->starred);
        break;
    case CK_EXPR_NAMED:
        visit(context, expr->named.value);
        break;
    case CK_EXPR_COMPREHENSION:
        visit(context, expr->comprehension->element);
        for (int i = 0; i < expr->comprehension->n; i++) {
            const struct ck_comprehension_clause *clause = &expr->comprehension->clauses[i];
            visit(context, clause->iterable);
            each_of(clause->tests, clause->n_tests, visit, context);
        }
        break;
    default:
        break;
    }
}

static void
each_in_block(const struct ck_block *block, ck_expr_visit visit, void *context)
{
    for (int i = 0; i < block->n; i++)
        ck_stmt_each_expr(block->stmts[i], visit, context);
}

void
ck_stmt_each_expr(const struct ck_stmt *stmt, ck_expr_visit visit, void *context)
{
    switch (stmt->kind) {
    case CK_STMT_EXPR:
    case CK_STMT_RETURN:
        each_of(&stmt->expr, 1, visit, context);
        break;
    case CK_STMT_ASSIGN:
        each_of(stmt->assign.targets, stmt->assign.n_targets, visit, context);
        each_of(&stmt->assign.value, 1, visit, context);
        break;
    case CK_STMT_DELETE:
        each_of(stmt->assign.targets, stmt->assign.n_targets, visit, context);
        break;
    case CK_STMT_AUGASSIGN:
        each_of((struct ck_expr *[]){stmt->augassign.target, stmt->augassign.value}, 2, visit,
                context);
        break;
    case CK_STMT_ANNOTATED:
        each_of((struct ck_expr *[]){stmt->annotated.target, stmt->annotated.annotation,
                                     stmt->annotated.value},
                3, visit, context);
        break;
    case CK_STMT_IF:
        each_of(&stmt->branch.test, 1, visit, context);
        each_in_block(&stmt->branch.then, visit, context);
        each_in_block(&stmt->branch.otherwise, visit, context);
        break;
    case CK_STMT_WHILE:
        each_of(&stmt->loop.test, 1, visit, context);
        each_in_block(&stmt->loop.body, visit, context);
        each_in_block(&stmt->loop.otherwise, visit, context);
        break;
    case CK_STMT_FOR:
        each_of((struct ck_expr *[]){stmt->each.target, stmt->each.iterable}, 2, visit, context);
        each_in_block(&stmt->each.body, visit, context);
        each_in_block(&stmt->each.otherwise, visit, context);
        break;
    case CK_STMT_ASSERT:
        each_of((struct ck_expr *[]){stmt->assertion.test, stmt->assertion.message}, 2, visit,
                context);
        break;
    default:
        break;
    }
}
