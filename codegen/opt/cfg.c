/* The control-flow graph of a function: see cfg.h. */
#include "codegen/opt/cfg.h"

/* --- Blocks and edges --------------------------------------------------------------------------
 */

void
ck_cfg_add(struct ck_cfg *cfg, LLVMBasicBlockRef b_block)
{
    struct ck_cfg_block block = {.b_self = b_block, .rpo = -1, .ipdom = -1};
    CK_PUSH(cfg->arena, cfg->blocks, cfg->n_blocks, cfg->capacity, block);
    ck_index_add(cfg->arena, &cfg->index, ck_hash_pointer(b_block));
}

int
ck_cfg_find(const struct ck_cfg *cfg, LLVMBasicBlockRef b_block)
{
    int i = ck_index_first(&cfg->index, ck_hash_pointer(b_block));
    while (i >= 0 && cfg->blocks[i].b_self != b_block)
        i = ck_index_next(&cfg->index, i);
    return i;
}

/* False: there are too many. */
static bool
number_blocks(struct ck_cfg *cfg, LLVMValueRef v_function)
{
    if (LLVMCountBasicBlocks(v_function) > CK_CFG_MAX_BLOCKS)
        return false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v_function); b;
         b = LLVMGetNextBasicBlock(b)) {
        if (ck_cfg_find(cfg, b) < 0)
            ck_cfg_add(cfg, b);
    }
    return true;
}

static void
find_edges(struct ck_cfg *cfg)
{
    for (int i = 0; i < cfg->n_blocks; i++) {
        struct ck_cfg_block *block = &cfg->blocks[i];
        block->v_end = LLVMGetBasicBlockTerminator(block->b_self);
        block->n_succs = (int)LLVMGetNumSuccessors(block->v_end);
        block->succs = CK_NEW_ARRAY(cfg->arena, int, block->n_succs + 1);
        for (int k = 0; k < block->n_succs; k++) {
            block->succs[k] = ck_cfg_find(cfg, LLVMGetSuccessor(block->v_end, (unsigned)k));
            struct ck_cfg_block *succ = &cfg->blocks[block->succs[k]];
            CK_PUSH(cfg->arena, succ->preds, succ->n_preds, succ->preds_capacity, i);
        }
    }
}

/* --- Reverse post-order ------------------------------------------------------------------------
 */

/* An edge list of the graph, or of the reverse graph. */
struct edges {
    const int *to;
    int n;
};

static struct edges
edges_of(const struct ck_cfg *cfg, int i, bool reverse)
{
    const struct ck_cfg_block *block = &cfg->blocks[i];
    return reverse ? (struct edges){block->preds, block->n_preds}
                   : (struct edges){block->succs, block->n_succs};
}

/* Depth-first search from block `start`, without the blocks in `seen`. Writes the blocks that it
 * visits to `order` in reverse post-order, so that they end before position `last`. Returns the
 * first position written. */
static int
walk_depth_first(const struct ck_cfg *cfg, int start, bool reverse, struct ck_block_set *seen,
                 int *order, int last)
{
    struct {
        int block, next; /* edge to follow */
    } stack[CK_CFG_MAX_BLOCKS];
    int n = 0;
    if (ck_block_set_has(seen, start))
        return last;
    stack[n].block = start;
    stack[n++].next = 0;
    ck_block_set_add(seen, start);
    while (n) {
        const int block = stack[n - 1].block;
        const struct edges edges = edges_of(cfg, block, reverse);
        if (stack[n - 1].next == edges.n) {
            order[--last] = block;
            n--;
            continue;
        }
        const int to = edges.to[stack[n - 1].next++];
        if (ck_block_set_has(seen, to))
            continue;
        ck_block_set_add(seen, to);
        stack[n].block = to;
        stack[n++].next = 0;
    }
    return last;
}

static void
order_blocks(struct ck_cfg *cfg, LLVMValueRef v_function)
{
    struct ck_block_set seen = {0};
    const int entry = ck_cfg_find(cfg, LLVMGetEntryBasicBlock(v_function));
    int *order = CK_NEW_ARRAY(cfg->arena, int, cfg->n_blocks);
    const int first = walk_depth_first(cfg, entry, false, &seen, order, cfg->n_blocks);
    cfg->rpo = order + first;
    cfg->n_reachable = cfg->n_blocks - first;
    for (int at = 0; at < cfg->n_reachable; at++)
        cfg->blocks[cfg->rpo[at]].rpo = at;
}

/* --- Dominators --------------------------------------------------------------------------------
 */

/* The nearest common dominator of two blocks, by their places in reverse post-order. */
static int
common_dominator(const struct ck_cfg *cfg, const int *idoms, int a, int b)
{
    while (a != b) {
        if (cfg->blocks[a].rpo > cfg->blocks[b].rpo)
            a = idoms[a];
        else
            b = idoms[b];
    }
    return a;
}

/* The immediate dominator of a block according to the current ones of its predecessors, which are
 * -1 as long as they are not known. */
static int
idom_of(const struct ck_cfg *cfg, const int *idoms, const struct ck_cfg_block *block)
{
    int idom = -1;
    for (int k = 0; k < block->n_preds; k++) {
        const int pred = block->preds[k];
        if (pred == cfg->rpo[0] || idoms[pred] >= 0)
            idom = idom < 0 ? pred : common_dominator(cfg, idoms, pred, idom);
    }
    return idom;
}

int *
ck_cfg_find_dominators(const struct ck_cfg *cfg)
{
    int *idoms = CK_NEW_ARRAY(cfg->arena, int, cfg->n_blocks);
    for (int i = 0; i < cfg->n_blocks; i++)
        idoms[i] = -1;
    for (bool changes = true; changes;) {
        changes = false;
        for (int at = 1; at < cfg->n_reachable; at++) {
            const int i = cfg->rpo[at], idom = idom_of(cfg, idoms, &cfg->blocks[i]);
            changes |= idom != idoms[i];
            idoms[i] = idom;
        }
    }
    return idoms;
}

/* --- Post-dominators ---------------------------------------------------------------------------
 */

/* The post-dominator tree under construction. Its root is a virtual end that all blocks without
 * successors lead to. Unlike in cfg, `ipdom` of a block that is not reached yet is -1. */
struct tree {
    int order[CK_CFG_MAX_BLOCKS]; /* reverse post-order of the reverse graph, without the root */
    int place[CK_CFG_MAX_BLOCKS]; /* of a block in it */
    int ipdom[CK_CFG_MAX_BLOCKS];
    int root;
};

/* The nearest common ancestor of two blocks: the function of that name in Cooper, Harvey and
 * Kennedy. */
static int
intersect(const struct tree *tree, int a, int b)
{
    while (a != b) {
        if (a == tree->root || b == tree->root)
            return tree->root;
        if (tree->place[a] > tree->place[b])
            a = tree->ipdom[a];
        else
            b = tree->ipdom[b];
    }
    return a;
}

/* The immediate post-dominator of a block according to the current ones of its successors. */
static int
ipdom_of(const struct tree *tree, const struct ck_cfg_block *block)
{
    int ipdom = block->n_succs ? -1 : tree->root;
    for (int k = 0; k < block->n_succs; k++) {
        const int succ = block->succs[k];
        if (tree->ipdom[succ] >= 0)
            ipdom = ipdom < 0 ? succ : intersect(tree, succ, ipdom);
    }
    return ipdom;
}

/* False: some block has no path to the function's end. */
static bool
order_reverse_graph(const struct ck_cfg *cfg, struct tree *tree)
{
    struct ck_block_set seen = {0};
    int last = cfg->n_blocks;
    for (int i = 0; i < cfg->n_blocks; i++) {
        if (cfg->blocks[i].n_succs == 0)
            last = walk_depth_first(cfg, i, true, &seen, tree->order, last);
    }
    for (int at = last; at < cfg->n_blocks; at++)
        tree->place[tree->order[at]] = at;
    return last == 0;
}

static bool
find_post_dominators(struct ck_cfg *cfg)
{
    struct tree tree = {.root = cfg->n_blocks};
    if (!order_reverse_graph(cfg, &tree))
        return false;
    for (int i = 0; i < cfg->n_blocks; i++)
        tree.ipdom[i] = -1;
    for (bool changes = true; changes;) {
        changes = false;
        for (int at = 0; at < cfg->n_blocks; at++) {
            const int i = tree.order[at], ipdom = ipdom_of(&tree, &cfg->blocks[i]);
            changes |= ipdom != tree.ipdom[i];
            tree.ipdom[i] = ipdom;
        }
    }
    for (int i = 0; i < cfg->n_blocks; i++)
        cfg->blocks[i].ipdom = tree.ipdom[i] == tree.root ? -1 : tree.ipdom[i];
    return true;
}

bool
ck_cfg_post_dominates(const struct ck_cfg *cfg, int a, int b)
{
    while (b >= 0 && b != a)
        b = cfg->blocks[b].ipdom;
    return b == a;
}

bool
ck_cfg_build(struct ck_cfg *cfg, LLVMValueRef v_function)
{
    if (!number_blocks(cfg, v_function))
        return false;
    find_edges(cfg);
    order_blocks(cfg, v_function);
    return find_post_dominators(cfg);
}

/* --- Reachability ------------------------------------------------------------------------------
 */

void
ck_cfg_reach(const struct ck_cfg *cfg, int start, const struct ck_block_set *stops,
             struct ck_block_set *reached)
{
    int stack[CK_CFG_MAX_BLOCKS], n = 0;
    if (!ck_block_set_has(reached, start))
        stack[n++] = start;
    ck_block_set_add(reached, start);
    while (n) {
        const int i = stack[--n];
        for (int k = 0; k < cfg->blocks[i].n_succs && !ck_block_set_has(stops, i); k++) {
            const int succ = cfg->blocks[i].succs[k];
            if (!ck_block_set_has(reached, succ))
                stack[n++] = succ;
            ck_block_set_add(reached, succ);
        }
    }
}

bool
ck_cfg_is_in_loop(const struct ck_cfg *cfg, int block, const struct ck_block_set *stops)
{
    const struct ck_cfg_block *from = &cfg->blocks[block];
    struct ck_block_set reached = {0};
    for (int i = 0; i < from->n_succs; i++)
        ck_cfg_reach(cfg, from->succs[i], stops, &reached);
    return ck_block_set_has(&reached, block);
}

struct ck_influence
ck_cfg_influence(const struct ck_cfg *cfg, int branch)
{
    struct ck_influence influence = {0};
    const struct ck_cfg_block *block = &cfg->blocks[branch];
    struct ck_block_set stops = {0};
    ck_block_set_add(&stops, branch);
    if (block->ipdom >= 0)
        ck_block_set_add(&stops, block->ipdom);
    for (int k = 0; k < block->n_succs; k++) {
        struct ck_block_set reached = {0};
        ck_cfg_reach(cfg, block->succs[k], &stops, &reached);
        for (int w = 0; w < CK_CFG_MAX_BLOCKS / 64; w++)
            influence.joins.words[w] |= influence.blocks.words[w] & reached.words[w];
        ck_block_set_unite(&influence.blocks, &reached);
    }
    if (block->ipdom >= 0) {
        ck_block_set_remove(&influence.blocks, block->ipdom);
        ck_block_set_remove(&influence.joins, block->ipdom);
    }
    influence.is_loop = ck_block_set_has(&influence.blocks, branch);
    return influence;
}
