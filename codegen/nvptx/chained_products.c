/* Chains of multiplications and additions with constants, as in linear congruential generators:
 * x1 = a * x0 + c, x2 = a * x1 + c, ... where other code uses each of them.
 *
 * LLVM's instruction selection computes each from x0, as a * (a * x0 + c) + c = a^2 * x0 + (a * c +
 * c), with constants of its own. Each constant takes an instruction, as the assembler's IMAD has
 * none, and the product stays. This pass makes inline PTX of such sums, which LLVM does not look
 * into. Runs after all other passes. */
#include "codegen/nvptx/nvptx.h"

enum { MIN_LENGTH = 6 }; /* of a chain */

static bool
is_short_by_constant(LLVMValueRef v, LLVMOpcode opcode)
{
    LLVMTypeRef type = LLVMTypeOf(v);
    return LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == opcode &&
           LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 32 &&
           LLVMIsAConstantInt(LLVMGetOperand(v, 1));
}

/* The sum from which a sum in a chain is computed, NULL: another value. */
static LLVMValueRef
sum_before(LLVMValueRef v_sum)
{
    LLVMValueRef v_product = LLVMGetOperand(v_sum, 0);
    if (!is_short_by_constant(v_product, LLVMMul))
        return NULL;
    LLVMValueRef v = LLVMGetOperand(v_product, 0);
    return is_short_by_constant(v, LLVMAdd) ? v : NULL;
}

/* The sum that is computed from a sum, NULL: none. */
static LLVMValueRef
sum_after(LLVMValueRef v_sum)
{
    for (LLVMUseRef use = LLVMGetFirstUse(v_sum); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef v_product = LLVMGetUser(use);
        LLVMUseRef next =
            is_short_by_constant(v_product, LLVMMul) ? LLVMGetFirstUse(v_product) : NULL;
        if (next && is_short_by_constant(LLVMGetUser(next), LLVMAdd))
            return LLVMGetUser(next);
    }
    return NULL;
}

/* Whether the chain is so long that constants of its own for each sum outweigh that the sums, if
 * LLVM composes them, do not depend on each other. */
static bool
is_long(LLVMValueRef v_sum)
{
    int n = 1;
    for (LLVMValueRef v = v_sum; n < MIN_LENGTH && (v = sum_before(v));)
        n++;
    for (LLVMValueRef v = v_sum; n < MIN_LENGTH && (v = sum_after(v));)
        n++;
    return n >= MIN_LENGTH;
}

/* Whether one use is the product of the next sum in the chain, and there is another use. */
static bool
is_in_chain(LLVMValueRef v_sum)
{
    int n = 0;
    bool is_multiplied = false;
    for (LLVMUseRef use = LLVMGetFirstUse(v_sum); use; use = LLVMGetNextUse(use)) {
        n++;
        is_multiplied |= is_short_by_constant(LLVMGetUser(use), LLVMMul);
    }
    return is_multiplied && n > 1;
}

static bool
is_kept(LLVMValueRef v)
{
    return is_short_by_constant(v, LLVMAdd) &&
           is_short_by_constant(LLVMGetOperand(v, 0), LLVMMul) && is_in_chain(v) && is_long(v);
}

static void
keep(struct ck_gen *gen, LLVMValueRef v)
{
    LLVMValueRef v_product = LLVMGetOperand(v, 0);
    LLVMValueRef operands[] = {LLVMGetOperand(v_product, 0), LLVMGetOperand(v_product, 1),
                               LLVMGetOperand(v, 1)};
    LLVMPositionBuilderBefore(gen->builder, v);
    LLVMReplaceAllUsesWith(v, ck_nvptx_asm(gen, false, "mad.lo.u32 $0, $1, $2, $3;", "=r,r,n,n",
                                           gen->t_i32, operands, 3));
    LLVMInstructionEraseFromParent(v);
}

/* All are found before the first is replaced, which would end its chain. */
static void
keep_in_function(struct ck_gen *gen, LLVMValueRef v_function)
{
    LLVMValueRef *sums = NULL;
    int n = 0, capacity = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v_function); b;
         b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = LLVMGetNextInstruction(v)) {
            if (is_kept(v))
                CK_PUSH(&gen->arena, sums, n, capacity, v);
        }
    }
    for (int i = 0; i < n; i++)
        keep(gen, sums[i]);
}

void
ck_nvptx_keep_chains(struct ck_gen *gen)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(gen->module); f; f = LLVMGetNextFunction(f)) {
        struct ck_arena_mark mark = ck_arena_mark(&gen->arena);
        keep_in_function(gen, f);
        ck_arena_release(&gen->arena, mark);
    }
}
