/* The control-flow graph of a function: successors and predecessors by number, reverse post-order,
 * immediate dominators and post-dominators, reachability and influence regions. LLVM's C API has
 * none of these.
 *
 * Dominators are found by the algorithm of Cooper, Harvey and Kennedy ("A Simple, Fast Dominance
 * Algorithm", 2001), post-dominators by the same on the reverse graph. */
#ifndef CK_CFG_H
#define CK_CFG_H

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Core.h>

#include "base/arena.h"
#include "base/index.h"

enum { CK_CFG_MAX_BLOCKS = 512 };

/* Basic blocks by number. A zeroed struct is the empty set. */
struct ck_block_set {
    uint64_t words[CK_CFG_MAX_BLOCKS / 64];
};

static inline bool
ck_block_set_has(const struct ck_block_set *set, int block)
{
    return set->words[block / 64] >> block % 64 & 1;
}

static inline void
ck_block_set_add(struct ck_block_set *set, int block)
{
    set->words[block / 64] |= 1ull << block % 64;
}

static inline void
ck_block_set_remove(struct ck_block_set *set, int block)
{
    set->words[block / 64] &= ~(1ull << block % 64);
}

static inline void
ck_block_set_unite(struct ck_block_set *set, const struct ck_block_set *other)
{
    for (int w = 0; w < CK_CFG_MAX_BLOCKS / 64; w++)
        set->words[w] |= other->words[w];
}

struct ck_cfg_block {
    LLVMBasicBlockRef b_self;
    LLVMValueRef v_end; /* its terminator */
    int *succs;         /* one for each edge */
    int n_succs;
    int *preds; /* one for each edge */
    int n_preds, preds_capacity;
    int rpo;   /* its position in reverse post-order; -1: unreachable from the entry */
    int ipdom; /* its immediate post-dominator; -1: none but the function's end */
};

struct ck_cfg {
    struct ck_arena *arena;
    struct ck_cfg_block *blocks;
    int n_blocks, capacity;
    struct ck_index index; /* by b_self */
    int *rpo;              /* the reachable blocks in reverse post-order */
    int n_reachable;
};

/* Assigns a block the next number, before ck_cfg_build numbers the rest. `arena` must be set. */
void ck_cfg_add(struct ck_cfg *cfg, LLVMBasicBlockRef b_block);
/* Builds the graph; blocks without a number get the next ones, in the order of layout. False: the
 * function has too many blocks, or an infinite loop, whose blocks have no post-dominators. */
bool ck_cfg_build(struct ck_cfg *cfg, LLVMValueRef v_function);

/* The number of a block; -1: it has none. */
int ck_cfg_find(const struct ck_cfg *cfg, LLVMBasicBlockRef b_block);
/* The immediate dominators of the blocks, in the arena. The entry, and blocks that are not
 * reachable, have -1. */
int *ck_cfg_find_dominators(const struct ck_cfg *cfg);
/* Whether block `a` is on every path from block `b` to the function's end; each block
 * post-dominates itself. */
bool ck_cfg_post_dominates(const struct ck_cfg *cfg, int a, int b);
/* Adds to `reached` the blocks on paths that begin with block `start` and do not go on from a block
 * of `stops`, which they may end in. */
void ck_cfg_reach(const struct ck_cfg *cfg, int start, const struct ck_block_set *stops,
                  struct ck_block_set *reached);
/* Whether a path from a block leads back to it that does not go on from a block of `stops`. */
bool ck_cfg_is_in_loop(const struct ck_cfg *cfg, int block, const struct ck_block_set *stops);

/* The influence region of a branch: the blocks on paths from it to its immediate post-dominator,
 * which is not part of the region (Coutinho, Sampaio, Pereira and Meira, "Divergence Analysis and
 * Optimizations", 2011). */
struct ck_influence {
    struct ck_block_set blocks;
    struct ck_block_set joins; /* blocks of the region that several of the branch's edges lead to */
    bool is_loop;              /* the branch is in the region: it is in a loop that it may end */
};
struct ck_influence ck_cfg_influence(const struct ck_cfg *cfg, int branch);

#endif
