/* Walking typed expressions. */
#include "lang/typed/typed.h"

void
ck_texprs_each(struct ck_texpr *const *exprs, int n, ck_texpr_visit visit, void *context)
{
    for (int i = 0; i < n; i++)
        visit(context, exprs[i]);
}

static void
each_index(const struct ck_tindex *indices, int n, ck_texpr_visit visit, void *context)
{
    for (int i = 0; indices && i < n; i++)
        visit(context, indices[i].value);
}

static void
each_bound(const struct ck_tindex *index, ck_texpr_visit visit, void *context)
{
    if (index->value)
        visit(context, index->value);
}

static void
each_axis(const struct ck_texpr *view, ck_texpr_visit visit, void *context)
{
    visit(context, view->view.array);
    for (int i = 0; i < view->view.array->type->array.ndim; i++) {
        const struct ck_taxis *axis = &view->view.axes[i];
        each_bound(&axis->index, visit, context);
        each_bound(&axis->start, visit, context);
        each_bound(&axis->stop, visit, context);
        if (axis->step)
            visit(context, axis->step);
    }
}

void
ck_texpr_each(const struct ck_texpr *expr, ck_texpr_visit visit, void *context)
{
    switch (expr->kind) {
    case CK_T_CONST:
    case CK_T_LOCAL:
    case CK_T_ARRAY:
    case CK_T_MODULE_ARRAY:
        break;
    case CK_T_LET:
        ck_texprs_each((struct ck_texpr *[]){expr->let.init, expr->let.body}, 2, visit, context);
        break;
    case CK_T_CAST:
    case CK_T_UNARY:
        visit(context, expr->unary.operand);
        break;
    case CK_T_BINARY:
        ck_texprs_each((struct ck_texpr *[]){expr->binary.left, expr->binary.right}, 2, visit,
                       context);
        break;
    case CK_T_COMPARE:
        ck_texprs_each((struct ck_texpr *[]){expr->compare.left, expr->compare.right}, 2, visit,
                       context);
        break;
    case CK_T_LOGICAL:
        ck_texprs_each((struct ck_texpr *[]){expr->logical.left, expr->logical.right}, 2, visit,
                       context);
        break;
    case CK_T_SELECT:
        ck_texprs_each(
            (struct ck_texpr *[]){expr->select.test, expr->select.then, expr->select.otherwise}, 3,
            visit, context);
        break;
    case CK_T_TUPLE:
        ck_texprs_each(expr->tuple.items, expr->tuple.n, visit, context);
        break;
    case CK_T_ITEM:
        visit(context, expr->item.tuple);
        break;
    case CK_T_ELEMENT:
        visit(context, expr->element.array);
        each_index(expr->element.indices, expr->element.array->type->array.ndim, visit, context);
        break;
    case CK_T_SHAPE:
    case CK_T_STRIDE:
        visit(context, expr->extent.array);
        break;
    case CK_T_VIEW:
        each_axis(expr, visit, context);
        break;
    case CK_T_TRANSPOSE:
        visit(context, expr->transpose.array);
        break;
    case CK_T_FIELD:
        visit(context, expr->field.array);
        break;
    case CK_T_RESHAPE:
        visit(context, expr->reshape.array);
        ck_texprs_each(expr->reshape.extents, expr->type->array.ndim, visit, context);
        break;
    case CK_T_ADDRESS:
    case CK_T_REINTERPRET:
    case CK_T_RETYPE:
        visit(context, expr->operand);
        break;
    case CK_T_CALL:
        ck_texprs_each(expr->call.args, expr->call.n_args, visit, context);
        break;
    case CK_T_BUILTIN:
        ck_texprs_each(expr->builtin.args, expr->builtin.n_args, visit, context);
        if (expr->builtin.indices)
            each_index(expr->builtin.indices, expr->builtin.args[0]->type->array.ndim, visit,
                       context);
        break;
    }
}

void
ck_tblock_each_expr(const struct ck_tblock *block, ck_texpr_visit visit, void *context)
{
    for (int i = 0; i < block->n; i++) {
        const struct ck_tstmt *stmt = block->stmts[i];
        switch (stmt->kind) {
        case CK_S_ASSIGN:
            visit(context, stmt->assign.value);
            break;
        case CK_S_STORE:
            visit(context, stmt->store.value);
            visit(context, stmt->store.array);
            each_index(stmt->store.indices, stmt->store.array->type->array.ndim, visit, context);
            break;
        case CK_S_EXPR:
        case CK_S_RETURN:
            if (stmt->expr)
                visit(context, stmt->expr);
            break;
        case CK_S_IF:
            visit(context, stmt->branch.test);
            ck_tblock_each_expr(&stmt->branch.then, visit, context);
            ck_tblock_each_expr(&stmt->branch.otherwise, visit, context);
            break;
        case CK_S_WHILE:
            visit(context, stmt->loop.test);
            ck_tblock_each_expr(&stmt->loop.body, visit, context);
            ck_tblock_each_expr(&stmt->loop.otherwise, visit, context);
            break;
        case CK_S_RANGE:
            visit(context, stmt->range.start);
            visit(context, stmt->range.stop);
            visit(context, stmt->range.step);
            ck_tblock_each_expr(&stmt->range.body, visit, context);
            ck_tblock_each_expr(&stmt->range.otherwise, visit, context);
            break;
        case CK_S_ASSERT:
            visit(context, stmt->assertion.test);
            break;
        case CK_S_PRINT:
            for (int k = 0; k < stmt->print.n; k++) {
                if (stmt->print.items[k].value)
                    visit(context, stmt->print.items[k].value);
            }
            break;
        case CK_S_BREAK:
        case CK_S_CONTINUE:
            break;
        }
    }
}
