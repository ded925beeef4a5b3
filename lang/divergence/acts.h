/* What the evaluation of an expression does beside yielding a value. */
#ifndef CK_ACTS_H
#define CK_ACTS_H

#include "lang/typed/typed.h"

enum {
    CK_ACTS_BLOCK = 1 << 0,    /* waits for the block */
    CK_ACTS_CLUSTER = 1 << 1,  /* arrives at the cluster's barrier, or waits */
    CK_ACTS_GRID = 1 << 2,     /* arrives at the grid's barrier, or waits */
    CK_ACTS_SPLIT = 1 << 3,    /* arrives at a split barrier, or waits */
    CK_ACTS_TILE = 1 << 4,     /* waits for a tile of several warps */
    CK_ACTS_PART = 1 << 5,     /* waits for a partition of a block */
    CK_ACTS_WARP = 1 << 6,     /* waits for lanes of the warp */
    CK_ACTS_VOTE = 1 << 7,     /* combines a condition over the block at a barrier */
    CK_ACTS_COMBINES = 1 << 8, /* reads the values of other threads in another way */
    CK_ACTS_WORKS = 1 << 9,    /* accesses memory, or may be reported */
    CK_ACTS_KNOWN = 1 << 10,   /* of a function: they have been found */
    /* The barriers that wait for threads that have returned, unless these come to them. */
    CK_ACTS_WAITS = CK_ACTS_BLOCK | CK_ACTS_CLUSTER | CK_ACTS_GRID | CK_ACTS_SPLIT | CK_ACTS_TILE |
                    CK_ACTS_PART,
};

unsigned ck_acts_of(const struct ck_texpr *expr);
/* Of the expressions in a block or statement, and in the blocks in it. Statements that store, print
 * or assert work. */
unsigned ck_acts_of_block(const struct ck_tblock *block);
unsigned ck_acts_of_stmt(const struct ck_tstmt *stmt);

/* Whether the call is a vote: a built-in or a group's member whose last argument is a condition
 * that it combines over the block. */
bool ck_is_block_vote(const struct ck_texpr *expr, bool *is_all);

#endif
