/* Blocks that every way leads to, and what is known of instructions and functions. */
#include "codegen/opt/cfg.h"

#include <string.h>

/* Whether what is known of the ways from block `i` changes by what is known of its successors. */
static bool
look_ahead(struct ck_ways *const *blocks, int i, uint64_t *found, size_t n_words)
{
    struct ck_ways *block = blocks[i];
    bool ends = block->n_to == 0;
    memset(found, ends ? 0 : 0xff, n_words * sizeof *found);
    for (int k = 0; k < block->n_to; k++) {
        const struct ck_ways *next = blocks[block->to[k]];
        ends |= next->ends;
        for (size_t w = 0; w < n_words; w++)
            found[w] &= next->after[w];
    }
    found[i / 64] |= 1ull << i % 64;
    if (ends == block->ends && !memcmp(found, block->after, n_words * sizeof *found))
        return false;
    block->ends = ends;
    memcpy(block->after, found, n_words * sizeof *found);
    return true;
}

bool
ck_flow_find_after(struct ck_arena *arena, struct ck_ways *const *blocks, int n, const int *order)
{
    size_t n_words = (size_t)(n + 63) / 64;
    uint64_t *found = CK_NEW_ARRAY(arena, uint64_t, n_words);
    for (int i = 0; i < n; i++) {
        blocks[i]->after = CK_NEW_ARRAY(arena, uint64_t, n_words);
        memset(blocks[i]->after, 0xff, n_words * sizeof *found);
    }
    for (bool changes = true; changes;) {
        changes = false;
        for (int at = n - 1; at >= 0; at--)
            changes |= look_ahead(blocks, order ? order[at] : at, found, n_words);
    }
    for (int i = 0; i < n; i++) {
        if (!blocks[i]->ends)
            return false;
    }
    return true;
}
