/* Words by which threads of a block wait for each other on the CPU device: the executor looks at
 * them (runtime/cpu_group.c). */
#include "codegen/gen.h"

void
ck_host_post(struct ck_gen *gen, LLVMValueRef v_word, LLVMValueRef v_value)
{
    l_store(gen, v_value, v_word, 4);
}

void
ck_host_await(struct ck_gen *gen, LLVMValueRef v_word, LLVMValueRef v_value, struct ck_span span)
{
    struct ck_exchange x = {
        .op = CK_EXCHANGE_WORD,
        .span = span,
        .v_mask = v_value,
        .v_value = LLVMBuildPtrToInt(gen->builder, v_word, gen->t_i64, ""),
    };
    gen->target->exchange(gen, &x);
}
