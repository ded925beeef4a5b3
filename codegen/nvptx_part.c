/* Words by which threads of a block wait for each other on NVIDIA GPUs.
 *
 * A thread that waits spins alone: the one it waits for may be in the same warp, so nothing in the
 * loop is done by a warp together. */
#include <string.h>

#include "codegen/gen.h"

void
ck_nvptx_post(struct ck_gen *gen, LLVMValueRef v_word, LLVMValueRef v_value)
{
    static const char text[] = "st.release.cta.shared.u32 [$0], $1;";
    static const char constraints[] = "l,r,~{memory}";
    LLVMTypeRef params[] = {LLVMTypeOf(v_word), gen->t_i32};
    LLVMTypeRef type = LLVMFunctionType(gen->t_void, params, 2, false);
    LLVMValueRef v_asm =
        LLVMGetInlineAsm(type, text, strlen(text), constraints, strlen(constraints), true, false,
                         LLVMInlineAsmDialectATT, false);
    LLVMValueRef args[] = {v_word, v_value};
    LLVMBuildCall2(gen->builder, type, v_asm, args, 2, "");
}

static LLVMValueRef
load_acquire(struct ck_gen *gen, LLVMValueRef v_word)
{
    static const char text[] = "ld.acquire.cta.shared.u32 $0, [$1];";
    static const char constraints[] = "=r,l,~{memory}";
    LLVMTypeRef param = LLVMTypeOf(v_word);
    LLVMTypeRef type = LLVMFunctionType(gen->t_i32, &param, 1, false);
    LLVMValueRef v_asm =
        LLVMGetInlineAsm(type, text, strlen(text), constraints, strlen(constraints), true, false,
                         LLVMInlineAsmDialectATT, false);
    return LLVMBuildCall2(gen->builder, type, v_asm, &v_word, 1, "");
}

void
ck_nvptx_await(struct ck_gen *gen, LLVMValueRef v_word, LLVMValueRef v_value, struct ck_span span)
{
    (void)span;
    LLVMBasicBlockRef b_look = l_block(gen, "await");
    LLVMBasicBlockRef b_sleep = l_block(gen, "await.sleep");
    LLVMBasicBlockRef b_passed = l_block(gen, "await.passed");
    l_branch(gen, b_look);
    l_at(gen, b_look);
    LLVMValueRef v_now = load_acquire(gen, v_word);
    LLVMBuildCondBr(gen->builder, l_compare(gen, LLVMIntEQ, v_now, v_value), b_passed, b_sleep);
    l_at(gen, b_sleep);
    gen->target->sleep(gen, l_i32(gen, 20));
    l_branch(gen, b_look);
    l_at(gen, b_passed);
}
