/* Reductions of integers over the lanes of a warp by one instruction, redux.sync, from compute
 * capability 8.0 on: hooks of struct ck_warp_ops. */
#include "codegen/core/ir_util.h"
#include "codegen/nvptx/nvptx.h"

bool
ck_nvptx_has_redux(struct ck_gen *gen)
{
    return ck_nvptx_arch(gen) >= 80;
}

/* By operator, of unsigned and of signed numbers. */
static const char *const names[][2] = {
    {"llvm.nvvm.redux.sync.add", "llvm.nvvm.redux.sync.add"},
    {"llvm.nvvm.redux.sync.umin", "llvm.nvvm.redux.sync.min"},
    {"llvm.nvvm.redux.sync.umax", "llvm.nvvm.redux.sync.max"},
    {"llvm.nvvm.redux.sync.and", "llvm.nvvm.redux.sync.and"},
    {"llvm.nvvm.redux.sync.or", "llvm.nvvm.redux.sync.or"},
    {"llvm.nvvm.redux.sync.xor", "llvm.nvvm.redux.sync.xor"},
};

LLVMValueRef
ck_nvptx_redux(struct ck_gen *gen, int op, bool is_signed, LLVMValueRef v_mask,
               LLVMValueRef v_value)
{
    return l_intrinsic(gen, names[op - 1][is_signed], NULL, (LLVMValueRef[]){v_value, v_mask}, 2);
}

bool
ck_nvptx_is_redux(LLVMValueRef v)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (ck_ir_calls(v, names[i][0]) || ck_ir_calls(v, names[i][1]))
            return true;
    }
    return false;
}
