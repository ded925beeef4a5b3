/* Asynchronous copies from global to shared memory on NVIDIA GPUs: cp.async, of compute capability
 * 8.0 and above. */
#include "codegen/nvptx_copy.h"

#include "codegen/nvptx.h"

static bool
has_async(struct ck_gen *gen)
{
    return ck_nvptx_arch(gen) >= 80;
}

/* Those of 16 bytes leave the first cache aside, which others cannot. */
bool
ck_nvptx_copy_async(struct ck_gen *gen, LLVMValueRef v_to, LLVMValueRef v_from, unsigned bytes)
{
    if (!has_async(gen))
        return false;
    const char *name = bytes == 16  ? "llvm.nvvm.cp.async.cg.shared.global.16"
                       : bytes == 8 ? "llvm.nvvm.cp.async.ca.shared.global.8"
                                    : "llvm.nvvm.cp.async.ca.shared.global.4";
    l_intrinsic(gen, name, NULL, (LLVMValueRef[]){v_to, v_from}, 2);
    return true;
}

void
ck_nvptx_copy_commit(struct ck_gen *gen)
{
    if (has_async(gen))
        l_intrinsic(gen, "llvm.nvvm.cp.async.commit.group", NULL, NULL, 0);
}

void
ck_nvptx_copy_wait(struct ck_gen *gen, unsigned n)
{
    LLVMValueRef v_n = l_i32(gen, n);
    if (has_async(gen))
        l_intrinsic(gen, "llvm.nvvm.cp.async.wait.group", NULL, &v_n, 1);
}
