/* Control flow in a statement: its blocks, and what leaves them. */
#include "lang/divergence/control.h"

int
ck_stmt_blocks(const struct ck_tstmt *stmt, const struct ck_tblock *blocks[2])
{
    switch (stmt->kind) {
    case CK_S_IF:
        blocks[0] = &stmt->branch.then;
        blocks[1] = &stmt->branch.otherwise;
        return 2;
    case CK_S_WHILE:
        blocks[0] = &stmt->loop.body;
        blocks[1] = &stmt->loop.otherwise;
        return 2;
    case CK_S_RANGE:
        blocks[0] = &stmt->range.body;
        blocks[1] = &stmt->range.otherwise;
        return 2;
    default:
        return 0;
    }
}

bool
ck_stmt_is_loop(const struct ck_tstmt *stmt)
{
    return stmt->kind == CK_S_WHILE || stmt->kind == CK_S_RANGE;
}

bool
ck_stmt_returns(const struct ck_tstmt *stmt)
{
    const struct ck_tblock *blocks[2];
    bool has = stmt->kind == CK_S_RETURN;
    for (int k = ck_stmt_blocks(stmt, blocks) - 1; k >= 0; k--) {
        for (int i = 0; i < blocks[k]->n && !has; i++)
            has = ck_stmt_returns(blocks[k]->stmts[i]);
    }
    return has;
}

bool
ck_stmt_leaves_loop(const struct ck_tstmt *stmt, bool only_breaks)
{
    const struct ck_tblock *blocks[2];
    bool leaves = stmt->kind == CK_S_BREAK || (stmt->kind == CK_S_CONTINUE && !only_breaks);
    int n = ck_stmt_blocks(stmt, blocks);
    for (int k = ck_stmt_is_loop(stmt) ? 1 : 0; k < n; k++) {
        for (int i = 0; i < blocks[k]->n && !leaves; i++)
            leaves = ck_stmt_leaves_loop(blocks[k]->stmts[i], only_breaks);
    }
    return leaves;
}
