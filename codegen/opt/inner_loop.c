/* Finds innermost loops in simplified code: see inner_loop.h. LLVM's C API has no LoopInfo. */
#include "codegen/opt/inner_loop.h"

#include <string.h>

#include "codegen/core/ir_util.h"

static unsigned
loop_metadata_kind(LLVMValueRef v_branch)
{
    return LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(v_branch)), "llvm.loop", 9);
}

LLVMValueRef
ck_loop_metadata(LLVMValueRef v_branch)
{
    return LLVMGetMetadata(v_branch, loop_metadata_kind(v_branch));
}

int
ck_loop_index(const struct ck_inner_loop *loop, LLVMBasicBlockRef block)
{
    int i = 0;
    while (i < loop->n_blocks && loop->blocks[i] != block)
        i++;
    return i < loop->n_blocks ? i : -1;
}

bool
ck_loop_has(const struct ck_inner_loop *loop, LLVMValueRef v_value)
{
    return LLVMIsAInstruction(v_value) &&
           ck_loop_index(loop, LLVMGetInstructionParent(v_value)) >= 0;
}

LLVMValueRef
ck_loop_branch(const struct ck_inner_loop *loop)
{
    LLVMValueRef v_branch = LLVMGetBasicBlockTerminator(loop->b_latch);
    if (!v_branch || !LLVMIsABranchInst(v_branch) || !LLVMIsConditional(v_branch) ||
        !LLVMIsAICmpInst(LLVMGetCondition(v_branch)))
        return NULL;
    return ck_loop_metadata(v_branch) ? NULL : v_branch;
}

/* A convergent call must not be repeated under an additional condition. */
static bool
is_convergent(LLVMValueRef v_call)
{
    static const char name[] = "convergent";
    unsigned kind = LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
    LLVMValueRef v_callee = LLVMGetCalledValue(v_call);
    return LLVMGetCallSiteEnumAttribute(v_call, LLVMAttributeFunctionIndex, kind) ||
           (LLVMIsAFunction(v_callee) && ck_ir_has_attribute(v_callee, name));
}

static bool
add_block(struct ck_inner_loop *loop, LLVMBasicBlockRef block)
{
    if (ck_loop_index(loop, block) >= 0)
        return true;
    if (loop->n_blocks == CK_LOOP_MAX_BLOCKS)
        return false;
    loop->blocks[loop->n_blocks++] = block;
    const int max_size = loop->max_size ? loop->max_size : CK_LOOP_MAX_SIZE;
    LLVMValueRef v = LLVMGetFirstInstruction(block);
    for (; v && loop->size <= max_size; v = LLVMGetNextInstruction(v)) {
        if (LLVMIsACallInst(v) && is_convergent(v))
            return false;
        loop->size += !LLVMIsAPHINode(v);
    }
    return loop->size <= max_size;
}

/* Adds the natural loop: all blocks that reach the latch without passing through the header. */
static bool
add_blocks(struct ck_inner_loop *loop)
{
    if (!add_block(loop, loop->b_latch))
        return false;
    for (int i = 0; i < loop->n_blocks; i++) {
        if (loop->blocks[i] == loop->b_header)
            continue;
        LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(loop->blocks[i]));
        if (!use) /* the function's entry */
            return false;
        for (; use; use = LLVMGetNextUse(use)) {
            LLVMValueRef v_user = LLVMGetUser(use);
            if (!LLVMIsATerminatorInst(v_user) ||
                !add_block(loop, LLVMGetInstructionParent(v_user)))
                return false;
        }
    }
    return ck_loop_index(loop, loop->b_header) >= 0;
}

/* The successors of a block within an iteration, as bits; none for the latch. False: the block may
 * leave the loop, or branches to the header. */
static bool
successors_of(const struct ck_inner_loop *loop, int i, uint32_t *bits)
{
    LLVMValueRef v_end = LLVMGetBasicBlockTerminator(loop->blocks[i]);
    *bits = 0;
    if (i == 0) /* the latch */
        return true;
    for (unsigned k = 0; k < LLVMGetNumSuccessors(v_end); k++) {
        int to = ck_loop_index(loop, LLVMGetSuccessor(v_end, k));
        if (to < 0 || loop->blocks[to] == loop->b_header)
            return false;
        *bits |= 1u << to;
    }
    return *bits;
}

/* Whether the loop contains no other: removes blocks without remaining successors, until none is
 * left (the body has no cycle) or nothing changes. */
static bool
is_innermost(const struct ck_inner_loop *loop)
{
    uint32_t successors[CK_LOOP_MAX_BLOCKS];
    uint32_t left = (uint32_t)((1ull << loop->n_blocks) - 1), before = 0;
    for (int i = 0; i < loop->n_blocks; i++) {
        if (!successors_of(loop, i, &successors[i]))
            return false;
    }
    while (left != before) {
        before = left;
        for (int i = 0; i < loop->n_blocks; i++) {
            if (!(successors[i] & left))
                left &= ~(1u << i);
        }
    }
    return !left;
}

bool
ck_loop_find_blocks(struct ck_inner_loop *loop)
{
    return add_blocks(loop) && is_innermost(loop);
}

bool
ck_loop_find_nest(struct ck_inner_loop *loop)
{
    uint32_t successors;
    if (!add_blocks(loop))
        return false;
    for (int i = 0; i < loop->n_blocks; i++) {
        if (!successors_of(loop, i, &successors))
            return false;
    }
    return true;
}

bool
ck_loop_has_alias_scopes(const struct ck_inner_loop *loop)
{
    for (int i = 0; i < loop->n_blocks; i++) {
        LLVMValueRef v = LLVMGetFirstInstruction(loop->blocks[i]);
        for (; v; v = LLVMGetNextInstruction(v)) {
            size_t length;
            if (LLVMIsACallInst(v) &&
                strstr(LLVMGetValueName2(LLVMGetCalledValue(v), &length), "noalias"))
                return true;
        }
    }
    return false;
}

/* Whether a property, a node that begins with its name, has the name. */
static bool
is_named(struct ck_gen *gen, LLVMValueRef v_property, const char *name)
{
    if (!v_property || !LLVMIsAMDNode(v_property) || LLVMGetMDNodeNumOperands(v_property) == 0)
        return false;
    const unsigned n = LLVMGetMDNodeNumOperands(v_property);
    LLVMValueRef *words = CK_NEW_ARRAY(&gen->arena, LLVMValueRef, n);
    LLVMGetMDNodeOperands(v_property, words);
    unsigned length = 0;
    const char *text =
        words[0] && LLVMIsAMDString(words[0]) ? LLVMGetMDString(words[0], &length) : NULL;
    return text && length == strlen(name) && memcmp(text, name, length) == 0;
}

/* The operands of the loop's node: itself, and its properties. */
static LLVMValueRef *
properties(struct ck_gen *gen, LLVMValueRef v_branch, unsigned *n)
{
    LLVMValueRef v_node = ck_loop_metadata(v_branch);
    *n = v_node ? LLVMGetMDNodeNumOperands(v_node) : 1;
    LLVMValueRef *operands = CK_NEW_ARRAY(&gen->arena, LLVMValueRef, *n);
    if (v_node)
        LLVMGetMDNodeOperands(v_node, operands);
    return operands;
}

/* Makes a new distinct node of properties 1 to n - 1. Its first operand refers to itself, which
 * makes it unique to the loop. */
static void
set_properties(struct ck_gen *gen, LLVMValueRef v_branch, LLVMMetadataRef *nodes, unsigned n)
{
    LLVMMetadataRef self = LLVMTemporaryMDNode(gen->llvm, NULL, 0);
    nodes[0] = self;
    LLVMMetadataRef loop = LLVMMDNodeInContext2(gen->llvm, nodes, n);
    LLVMMetadataReplaceAllUsesWith(self, loop); /* frees self */
    LLVMSetMetadata(v_branch, loop_metadata_kind(v_branch), LLVMMetadataAsValue(gen->llvm, loop));
}

void
ck_loop_mark(struct ck_gen *gen, LLVMValueRef v_branch, const char *name, LLVMValueRef v_number)
{
    unsigned n;
    LLVMValueRef *before = properties(gen, v_branch, &n);
    LLVMMetadataRef *nodes = CK_NEW_ARRAY(&gen->arena, LLVMMetadataRef, n + 1);
    LLVMMetadataRef words[] = {LLVMMDStringInContext2(gen->llvm, name, strlen(name)),
                               v_number ? LLVMValueAsMetadata(v_number) : NULL};
    for (unsigned i = 1; i < n; i++)
        nodes[i] = LLVMValueAsMetadata(before[i]);
    nodes[n] = LLVMMDNodeInContext2(gen->llvm, words, v_number ? 2 : 1);
    set_properties(gen, v_branch, nodes, n + 1);
}

void
ck_loop_mark_final(struct ck_gen *gen, LLVMValueRef v_branch)
{
    ck_loop_mark(gen, v_branch, CK_LOOP_DISABLED, NULL);
    ck_loop_mark(gen, v_branch, CK_LOOP_FINAL, NULL);
}

bool
ck_loop_is_marked(struct ck_gen *gen, LLVMValueRef v_branch, const char *name)
{
    unsigned n;
    LLVMValueRef *before = properties(gen, v_branch, &n);
    for (unsigned i = 1; i < n; i++) {
        if (is_named(gen, before[i], name))
            return true;
    }
    return false;
}

void
ck_loop_unmark(struct ck_gen *gen, LLVMValueRef v_branch, const char *name)
{
    unsigned n, kept = 1;
    LLVMValueRef *before = properties(gen, v_branch, &n);
    LLVMMetadataRef *nodes = CK_NEW_ARRAY(&gen->arena, LLVMMetadataRef, n);
    for (unsigned i = 1; i < n; i++) {
        if (!is_named(gen, before[i], name))
            nodes[kept++] = LLVMValueAsMetadata(before[i]);
    }
    set_properties(gen, v_branch, nodes, kept);
}
