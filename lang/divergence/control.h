/* Control flow in a statement: its blocks, and what leaves them. */
#ifndef CK_CONTROL_H
#define CK_CONTROL_H

#include "lang/typed/typed.h"

/* The blocks in a statement; returns their number. */
int ck_stmt_blocks(const struct ck_tstmt *stmt, const struct ck_tblock *blocks[2]);
bool ck_stmt_is_loop(const struct ck_tstmt *stmt);
/* Whether there is a `return` in it. */
bool ck_stmt_returns(const struct ck_tstmt *stmt);
/* Whether it leaves the loop around it or, unless `only_breaks`, goes to its next iteration. */
bool ck_stmt_leaves_loop(const struct ck_tstmt *stmt, bool only_breaks);

#endif
