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

void
ck_flow_each(struct ck_gen *gen, void (*visit)(struct ck_gen *gen, LLVMValueRef v))
{
    for (LLVMValueRef f = LLVMGetFirstFunction(gen->module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            for (LLVMValueRef v = LLVMGetFirstInstruction(b), v_next; v; v = v_next) {
                v_next = LLVMGetNextInstruction(v);
                visit(gen, v);
            }
        }
    }
}

/* The edges to a block go to another one instead. Phis of the two are not touched. */
static void
redirect(LLVMBasicBlockRef b_from, LLVMBasicBlockRef b_to)
{
    LLVMValueRef v_from = LLVMBasicBlockAsValue(b_from);
    for (LLVMUseRef use; (use = LLVMGetFirstUse(v_from));) {
        LLVMValueRef v_end = LLVMGetUser(use);
        for (unsigned k = 0; k < LLVMGetNumSuccessors(v_end); k++) {
            if (LLVMGetSuccessor(v_end, k) == b_from)
                LLVMSetSuccessor(v_end, k, b_to);
        }
    }
}

LLVMBasicBlockRef
ck_flow_split_before(struct ck_gen *gen, LLVMValueRef v)
{
    LLVMBasicBlockRef b_rest = LLVMGetInstructionParent(v);
    LLVMBasicBlockRef b_before = LLVMInsertBasicBlockInContext(gen->llvm, b_rest, "before");
    redirect(b_rest, b_before);
    l_at(gen, b_before);
    for (LLVMValueRef v_first; (v_first = LLVMGetFirstInstruction(b_rest)) != v;) {
        LLVMInstructionRemoveFromParent(v_first);
        LLVMInsertIntoBuilder(gen->builder, v_first);
    }
    return b_before;
}

bool
ck_flow_only_computes(LLVMValueRef v)
{
    switch ((int)LLVMGetInstructionOpcode(v)) {
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMSelect:
    case LLVMGetElementPtr:
    case LLVMExtractElement:
    case LLVMInsertElement:
    case LLVMShuffleVector:
    case LLVMExtractValue:
    case LLVMInsertValue:
    case LLVMFNeg:
    case LLVMFreeze:
        return true;
    default:
        return LLVMIsABinaryOperator(v) || LLVMIsACastInst(v);
    }
}

bool
ck_flow_calls(LLVMValueRef v, const char *name)
{
    size_t length;
    if (!LLVMIsACallInst(v) || !LLVMIsAFunction(LLVMGetCalledValue(v)))
        return false;
    const char *callee = LLVMGetValueName2(LLVMGetCalledValue(v), &length);
    return strlen(name) == length && memcmp(callee, name, length) == 0;
}

static LLVMAttributeRef
attribute_of(LLVMValueRef v_function, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    return LLVMGetEnumAttributeAtIndex(v_function, LLVMAttributeFunctionIndex, kind);
}

bool
ck_flow_has_attribute(LLVMValueRef v_function, const char *name)
{
    return attribute_of(v_function, name);
}

bool
ck_flow_uses_no_memory(LLVMValueRef v_function)
{
    LLVMAttributeRef memory = attribute_of(v_function, "memory");
    return memory && LLVMGetEnumAttributeValue(memory) == 0;
}

bool
ck_flow_is_longer(LLVMBasicBlockRef b_from, int n)
{
    for (LLVMBasicBlockRef b = b_from; b && n >= 0; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = LLVMGetNextInstruction(v))
            n--;
    }
    return n < 0;
}
