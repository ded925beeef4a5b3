/* Lowerings of what barriers of parts are made of: see lang/prelude/part.ck. */
#include "codegen/builtin.h"

/* An array in shared memory, index. */
static LLVMValueRef
word_address(struct ck_gen *gen, const struct ck_texpr *expr)
{
    LLVMValueRef v_words = ck_gen_expr(gen, expr->builtin.args[0]).parts[0];
    LLVMValueRef v_index = ck_gen_scalar(gen, expr->builtin.args[1]);
    return LLVMBuildGEP2(gen->builder, gen->t_i32, v_words, &v_index, 1, "word");
}

struct ck_value
ck_lower_post(struct ck_gen *gen, const struct ck_texpr *expr)
{
    LLVMValueRef v_word = word_address(gen, expr);
    LLVMValueRef v_value = ck_gen_scalar(gen, expr->builtin.args[2]);
    ck_debug_at(gen, expr->span);
    gen->target->post(gen, v_word, v_value);
    return ck_value_new(gen, 0);
}

struct ck_value
ck_lower_await(struct ck_gen *gen, const struct ck_texpr *expr)
{
    LLVMValueRef v_word = word_address(gen, expr);
    LLVMValueRef v_value = ck_gen_scalar(gen, expr->builtin.args[2]);
    ck_debug_at(gen, expr->span);
    gen->target->await(gen, v_word, v_value, expr->span);
    return ck_value_new(gen, 0);
}
