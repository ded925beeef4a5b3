/* What analyses of code share, of where threads go together above all. */
#ifndef CODEGEN_FLOW_H
#define CODEGEN_FLOW_H

#include "codegen/core/gen.h"

/* The ways from a block of code. */
struct ck_ways {
    int *to; /* successors, one for each edge */
    int n_to;
    uint64_t *after; /* bits: the blocks on every way from this one to the end, itself too */
    bool ends;       /* there is a way to the end */
};

static inline bool
ck_flow_has(const uint64_t *blocks, int i)
{
    return blocks[i / 64] >> i % 64 & 1;
}

/* Finds `after` and `ends` of n blocks, soonest where `order` has none after one that it dominates.
 * False: from some block there is no way to the end. */
bool ck_flow_find_after(struct ck_arena *arena, struct ck_ways *const *blocks, int n,
                        const int *order);

/* Calls `visit` for each instruction of the module that was there before; `visit` may erase it. */
void ck_flow_each(struct ck_gen *gen, void (*visit)(struct ck_gen *gen, LLVMValueRef v));

/* Makes what comes before an instruction in its block a block of its own, and gives that, which
 * still needs an end. The rest stays, so that phis in the successors need no change. */
LLVMBasicBlockRef ck_flow_split_before(struct ck_gen *gen, LLVMValueRef v);

/* Whether an instruction computes from its operands alone; calls and phis are not looked at. */
bool ck_flow_only_computes(LLVMValueRef v);
/* Whether it is a call of the function of that name. */
bool ck_flow_calls(LLVMValueRef v, const char *name);
bool ck_flow_has_attribute(LLVMValueRef v_function, const char *name);
/* Whether its attributes say so. */
bool ck_flow_uses_no_memory(LLVMValueRef v_function);
/* Whether the code of a function from a block on has more than n instructions. */
bool ck_flow_is_longer(LLVMBasicBlockRef b_from, int n);

#endif
