/* Warp divergence on NVIDIA GPUs: the basic blocks of a kernel that all lanes of a warp execute
 * converged, by the analysis of opt/ir_divergence.h.
 *
 * Uniform means the same for all threads of a block of the grid, so that what holds for the lanes
 * of a warp holds for all warps of the block too. Divergence comes from thread and lane indices,
 * and from memory. A loop whose exit depends on a load may wait for another lane of the warp, which
 * ends the loop by a later store, such as the release of a lock. The analysis does not assume that
 * lanes reconverge after such a loop, or after a call of a function that may have one: a primitive
 * there must not wait for more lanes than its own tile. */
#include "codegen/core/ir_util.h"
#include "codegen/nvptx/warp.h"
#include "codegen/opt/ir_divergence.h"

/* Special registers that are the same for all threads of a block. */
static bool
is_uniform_register(const char *name)
{
    static const char *const uniform[] = {"ntid.", "nctaid.", "ctaid."};
    for (size_t i = 0; i < sizeof uniform / sizeof *uniform; i++) {
        if (ck_nvptx_begins_with(name, uniform[i]))
            return true;
    }
    return false;
}

static bool
is_arithmetic(LLVMValueRef v_call)
{
    static const char *const names[] = {"llvm.umin.", "llvm.umax.", "llvm.smin.",
                                        "llvm.smax.", "llvm.abs.",  CK_NVPTX_LOW_HALF};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (ck_nvptx_callee_after(v_call, names[i]))
            return true;
    }
    return false;
}

/* Other special registers, such as a clock, may change between two reads, like memory. */
static enum ck_ir_divergence
divergence_of_call(LLVMValueRef v_call)
{
    const char *name = ck_nvptx_callee_after(v_call, "llvm.nvvm.read.ptx.sreg.");
    if (!name)
        return is_arithmetic(v_call) ? CK_UNIFORM : CK_DIVERGENT_BY_MEMORY;
    if (is_uniform_register(name))
        return CK_UNIFORM;
    return strcmp(name, "laneid") == 0 || ck_nvptx_begins_with(name, "tid.")
               ? CK_DIVERGENT
               : CK_DIVERGENT_BY_MEMORY;
}

static enum ck_ir_divergence
divergence_of(LLVMValueRef v)
{
    if (LLVMIsACallInst(v))
        return divergence_of_call(v);
    return ck_ir_is_pure(v) ? CK_UNIFORM : CK_DIVERGENT_BY_MEMORY;
}

/* A call of a function that was not inlined may have a loop that waits. The block's barriers do
 * not count: all lanes leave them converged. */
static bool
may_wait(LLVMValueRef v)
{
    LLVMValueRef v_callee = LLVMIsACallInst(v) ? LLVMGetCalledValue(v) : NULL;
    if (!v_callee || !LLVMIsAFunction(v_callee) || LLVMIsDeclaration(v_callee))
        return false;
    if (ck_nvptx_callee_after(v, CK_NVPTX_SET_UP) || ck_nvptx_callee_after(v, CK_NVPTX_ARRIVE) ||
        ck_nvptx_callee_after(v, CK_NVPTX_WAIT))
        return false;
    return !ck_ir_accesses_no_memory(v_callee);
}

static const struct ck_divergence_model lanes = {divergence_of, may_wait};

bool
ck_nvptx_visit_converged(struct ck_gen *gen, LLVMValueRef v_kernel,
                         bool (*visit)(struct ck_gen *, LLVMBasicBlockRef))
{
    struct ck_arena_mark mark = ck_arena_mark(&gen->arena);
    struct ck_cfg cfg = {.arena = &gen->arena};
    struct ck_divergence_info divergence;
    bool known = ck_cfg_build(&cfg, v_kernel), found = false;
    if (known)
        ck_divergence_analyse(&divergence, &gen->arena, &cfg, &lanes);
    for (int i = 0; i < cfg.n_blocks && known; i++) {
        if (!ck_block_set_has(&divergence.divergent_blocks, i))
            found |= visit(gen, cfg.blocks[i].b_self);
    }
    ck_arena_release(&gen->arena, mark);
    return found;
}
