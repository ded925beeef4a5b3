/* Strength reduction of addresses whose stride is not a constant, in unrolled loops: docs/adr/034.
 *
 * The copies of A[i, j] in a loop that counts i by four have the addresses `A + (i + k) * m + j`.
 * The first becomes a phi, and each other one the sum of the address before it and `m`, so that the
 * loop needs registers for one stride. LLVM's loop-strength-reduction keeps such a chain if the phi
 * exists; otherwise it adds m, 2 m and 3 m to the first address. Indices that are no longer used
 * are left to the back end. */
#include "codegen/opt/affine.h"
#include "codegen/opt/passes.h"

enum { MAX_ADDRESSES = 64 };

/* A loop of one basic block, by one of its counters. */
struct walk {
    struct ck_counted_loop counted;
    LLVMBasicBlockRef b_loop, b_before;
    LLVMValueRef addresses[MAX_ADDRESSES]; /* with strides, in the order of the block */
    int n;
};

/* --- Chains ------------------------------------------------------------------------------------
 */

/* Whether `v_later` is `v` for a counter that is greater by `*distance`; it is -1 at first. */
static bool
is_later(const struct walk *walk, LLVMValueRef v, LLVMValueRef v_later, long long *distance)
{
    long long offset, later_offset;
    if (ck_affine_is_count(&walk->counted, v, &offset) &&
        ck_affine_is_count(&walk->counted, v_later, &later_offset)) {
        const bool first = *distance < 0;
        *distance = first ? later_offset - offset : *distance;
        return *distance == later_offset - offset && *distance >= 0;
    }
    if (!ck_loop_has(&walk->counted.loop, v) || !ck_loop_has(&walk->counted.loop, v_later))
        return v == v_later;
    return LLVMGetInstructionOpcode(v) == LLVMGetInstructionOpcode(v_later) &&
           LLVMGetNumOperands(v) == 2 && LLVMGetNumOperands(v_later) == 2 &&
           is_later(walk, LLVMGetOperand(v, 0), LLVMGetOperand(v_later, 0), distance) &&
           is_later(walk, LLVMGetOperand(v, 1), LLVMGetOperand(v_later, 1), distance);
}

/* The number of iterations of the loop that was unrolled between two addresses; -1: they are not of
 * one array, or differ otherwise. */
static long long
distance_of(const struct walk *walk, LLVMValueRef v, LLVMValueRef v_later)
{
    long long distance = -1;
    return LLVMGetOperand(v, 0) == LLVMGetOperand(v_later, 0) &&
                   LLVMGetGEPSourceElementType(v) == LLVMGetGEPSourceElementType(v_later) &&
                   is_later(walk, LLVMGetOperand(v, 1), LLVMGetOperand(v_later, 1), &distance)
               ? distance
               : -1;
}

/* The addresses that follow address `i` by one iteration each, in order; returns their number. */
static int
find_chain(const struct walk *walk, int i, int *chain)
{
    int n = 0;
    for (int k = i + 1; k < walk->n; k++) {
        if (walk->addresses[k] &&
            distance_of(walk, walk->addresses[i], walk->addresses[k]) == n + 1)
            chain[n++] = k;
    }
    return n;
}

/* The phi of the chain that begins with an address. Sets the stride, in elements. */
static LLVMValueRef
begin_chain(struct ck_gen *gen, const struct walk *walk, LLVMValueRef v_address,
            LLVMValueRef *v_stride)
{
    LLVMValueRef v_index = LLVMGetOperand(v_address, 1);
    LLVMPositionBuilderBefore(gen->builder, LLVMGetBasicBlockTerminator(walk->b_before));
    LLVMSetCurrentDebugLocation2(gen->builder, NULL);
    LLVMValueRef v_first = ck_affine_at(gen, &walk->counted, v_index, walk->counted.v_first);
    LLVMValueRef v_begin = LLVMBuildGEP2(gen->builder, LLVMGetGEPSourceElementType(v_address),
                                         LLVMGetOperand(v_address, 0), &v_first, 1, "");
    *v_stride = ck_affine_growth(gen, &walk->counted, v_index);
    LLVMBasicBlockRef b_before = walk->b_before;
    LLVMPositionBuilderBefore(gen->builder, LLVMGetFirstInstruction(walk->b_loop));
    LLVMValueRef v_phi = LLVMBuildPhi(gen->builder, LLVMTypeOf(v_address), "walk");
    LLVMAddIncoming(v_phi, &v_begin, &b_before, 1);
    return v_phi;
}

static void
replace(LLVMValueRef v, LLVMValueRef v_by)
{
    LLVMReplaceAllUsesWith(v, v_by);
    LLVMInstructionEraseFromParent(v);
}

/* Makes a chain of address `i` and those that follow it, if there is one for each iteration that
 * was unrolled. */
static void
chain_addresses(struct ck_gen *gen, struct walk *walk, int i)
{
    int chain[MAX_ADDRESSES];
    const int n = find_chain(walk, i, chain);
    if (n + 1 != walk->counted.step || !LLVMGetFirstUse(walk->addresses[i]))
        return;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(walk->addresses[i]);
    LLVMValueRef v_stride;
    LLVMValueRef v_phi = begin_chain(gen, walk, walk->addresses[i], &v_stride), v_last = v_phi;
    for (int k = 0; k < n; k++) {
        LLVMValueRef v = walk->addresses[chain[k]];
        LLVMPositionBuilderBefore(gen->builder, v);
        v_last = LLVMBuildGEP2(gen->builder, type, v_last, &v_stride, 1, "");
        replace(v, v_last);
        walk->addresses[chain[k]] = NULL;
    }
    LLVMPositionBuilderBefore(gen->builder, LLVMGetBasicBlockTerminator(walk->b_loop));
    v_last = LLVMBuildGEP2(gen->builder, type, v_last, &v_stride, 1, "");
    LLVMAddIncoming(v_phi, &v_last, &walk->b_loop, 1);
    replace(walk->addresses[i], v_phi);
    walk->addresses[i] = NULL;
}

/* --- Loops -------------------------------------------------------------------------------------
 */

/* Whether a phi is a counter with a positive constant step. */
static bool
match_counter(struct walk *walk, LLVMValueRef v_phi)
{
    if (LLVMCountIncoming(v_phi) != 2 || LLVMGetTypeKind(LLVMTypeOf(v_phi)) != LLVMIntegerTypeKind)
        return false;
    const unsigned latch = LLVMGetIncomingBlock(v_phi, 0) == walk->b_loop ? 0 : 1;
    walk->counted.v_counter = v_phi;
    walk->counted.v_first = LLVMGetIncomingValue(v_phi, 1 - latch);
    walk->b_before = LLVMGetIncomingBlock(v_phi, 1 - latch);
    LLVMValueRef v_next = LLVMGetIncomingValue(v_phi, latch);
    return LLVMGetIncomingBlock(v_phi, latch) == walk->b_loop && v_next != v_phi &&
           ck_affine_is_count(&walk->counted, v_next, &walk->counted.step) &&
           walk->counted.step > 1;
}

static bool
is_single_block_loop(LLVMBasicBlockRef b)
{
    LLVMValueRef v_end = LLVMGetBasicBlockTerminator(b);
    return LLVMIsABranchInst(v_end) && LLVMIsConditional(v_end) &&
           (LLVMGetSuccessor(v_end, 0) == b || LLVMGetSuccessor(v_end, 1) == b);
}

/* The address `base + index` before the loop, once for each array and index. */
static LLVMValueRef
address_before(struct ck_gen *gen, const struct walk *walk, LLVMTypeRef type, LLVMValueRef v_base,
               LLVMValueRef v_index)
{
    for (LLVMUseRef use = LLVMGetFirstUse(v_index); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef v = LLVMGetUser(use);
        if (LLVMIsAGetElementPtrInst(v) && LLVMGetNumOperands(v) == 2 &&
            LLVMGetInstructionParent(v) == walk->b_before && LLVMGetOperand(v, 0) == v_base &&
            LLVMGetGEPSourceElementType(v) == type)
            return v;
    }
    LLVMPositionBuilderBefore(gen->builder, LLVMGetBasicBlockTerminator(walk->b_before));
    return LLVMBuildGEP2(gen->builder, type, v_base, &v_index, 1, "");
}

/* Makes `(A + stride) + invariant` the address `(A + invariant) + stride`, whose sum in parentheses
 * does not change in the loop. LLVM does if the other sum has one use. */
static LLVMValueRef
reassociate(struct ck_gen *gen, const struct walk *walk, LLVMValueRef v)
{
    if (!LLVMIsAGetElementPtrInst(v) || LLVMGetNumOperands(v) != 2)
        return v;
    LLVMValueRef v_inner = LLVMGetOperand(v, 0), v_index = LLVMGetOperand(v, 1);
    if (!ck_loop_has(&walk->counted.loop, v_inner) ||
        !ck_affine_has_stride(&walk->counted, v_inner) || LLVMIsAConstant(v_index) ||
        ck_loop_has(&walk->counted.loop, v_index))
        return v;
    LLVMSetCurrentDebugLocation2(gen->builder, NULL);
    LLVMValueRef v_base = address_before(gen, walk, LLVMGetGEPSourceElementType(v),
                                         LLVMGetOperand(v_inner, 0), v_index);
    LLVMPositionBuilderBefore(gen->builder, v);
    LLVMValueRef v_strided = LLVMGetOperand(v_inner, 1);
    LLVMValueRef v_new = LLVMBuildGEP2(gen->builder, LLVMGetGEPSourceElementType(v_inner), v_base,
                                       &v_strided, 1, "");
    replace(v, v_new);
    return v_new;
}

static void
find_addresses(struct ck_gen *gen, struct walk *walk)
{
    walk->n = 0;
    LLVMValueRef v = LLVMGetFirstInstruction(walk->b_loop);
    for (; v && walk->n < MAX_ADDRESSES; v = LLVMGetNextInstruction(v)) {
        v = reassociate(gen, walk, v);
        if (ck_affine_has_stride(&walk->counted, v))
            walk->addresses[walk->n++] = v;
    }
}

static void
visit_loop(struct ck_gen *gen, LLVMBasicBlockRef b)
{
    struct walk walk = {.b_loop = b};
    walk.counted.loop =
        (struct ck_inner_loop){.b_header = b, .b_latch = b, .blocks = {b}, .n_blocks = 1};
    LLVMValueRef v_next;
    for (LLVMValueRef v = LLVMGetFirstInstruction(b); LLVMIsAPHINode(v); v = v_next) {
        v_next = LLVMGetNextInstruction(v);
        if (!match_counter(&walk, v))
            continue;
        find_addresses(gen, &walk);
        for (int i = 0; i < walk.n; i++) {
            if (walk.addresses[i])
                chain_addresses(gen, &walk, i);
        }
    }
}

void
ck_gen_stride_pointers(struct ck_gen *gen)
{
    for (LLVMValueRef v = LLVMGetFirstFunction(gen->module); v; v = LLVMGetNextFunction(v)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v); b; b = LLVMGetNextBasicBlock(b)) {
            if (is_single_block_loop(b))
                visit_loop(gen, b);
        }
    }
}
