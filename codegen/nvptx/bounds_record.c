/* The check of bounds on NVIDIA GPUs: the first thread whose index is outside its array fills the
 * record of struct ck_bounds_record, which is in memory of the host, and ends the launch. */
#include <stddef.h>

#include <ck/run.h>

#include "codegen/nvptx/nvptx.h"

enum { SITE, AXIS, INDEX, EXTENT, N_PARAMS };

/* The variable for the record's address is the one symbol that the runtime looks for. */
static LLVMValueRef
record_address(struct ck_gen *gen)
{
    LLVMValueRef v_variable = ck_nvptx_memory(gen, CK_BOUNDS_SYMBOL, gen->t_ptr, 8, SPACE_GLOBAL);
    LLVMSetLinkage(v_variable, LLVMExternalLinkage);
    LLVMSetExternallyInitialized(v_variable, true);
    return l_load(gen, gen->t_ptr, v_variable, 8, "");
}

static void
store(struct ck_gen *gen, LLVMValueRef v_record, size_t offset, LLVMValueRef v_value)
{
    const unsigned align = LLVMTypeOf(v_value) == gen->t_i64 ? 8 : 4;
    l_store(gen, v_value, l_offset(gen, v_record, offset), align);
}

static void
store_position(struct ck_gen *gen, LLVMValueRef v_record, size_t offset, enum ck_place what)
{
    for (int dim = 0; dim < 3; dim++)
        store(gen, v_record, offset + (size_t)dim * sizeof(uint32_t),
              ck_nvptx_place(gen, what, dim));
}

static void
fill_record(struct ck_gen *gen, LLVMValueRef v_function, LLVMValueRef v_record)
{
    static const size_t offsets[N_PARAMS] = {
        [SITE] = offsetof(struct ck_bounds_record, site),
        [AXIS] = offsetof(struct ck_bounds_record, axis),
        [INDEX] = offsetof(struct ck_bounds_record, index),
        [EXTENT] = offsetof(struct ck_bounds_record, extent),
    };
    for (unsigned i = 0; i < N_PARAMS; i++)
        store(gen, v_record, offsets[i], LLVMGetParam(v_function, i));
    store_position(gen, v_record, offsetof(struct ck_bounds_record, thread.block), CK_BLOCK_IDX);
    store_position(gen, v_record, offsetof(struct ck_bounds_record, thread.thread), CK_THREAD_IDX);
    l_intrinsic(gen, "llvm.nvvm.membar.sys", NULL, NULL, 0);
    store(gen, v_record, offsetof(struct ck_bounds_record, is_set), l_i32(gen, 1));
    l_intrinsic(gen, "llvm.nvvm.membar.sys", NULL, NULL, 0);
}

/* Threads that are not the first end without a trap, which could be earlier than the record. A
 * launcher that does not know of the record leaves its address 0. */
static void
make_report(struct ck_gen *gen, LLVMValueRef v_function)
{
    static const char *const attributes[] = {"noinline", "noreturn", "cold"};
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        l_attribute(gen, v_function, LLVMAttributeFunctionIndex, attributes[i], 0);
    LLVMBasicBlockRef b_first = l_block(gen, "first"), b_other = l_block(gen, "other"),
                      b_fill = l_block(gen, "fill"), b_trap = l_block(gen, "trap");
    LLVMValueRef v_claimed = ck_nvptx_memory(gen, "ck.bounds_claimed", gen->t_i32, 4, SPACE_GLOBAL);
    LLVMValueRef v_before = LLVMBuildAtomicRMW(gen->builder, LLVMAtomicRMWBinOpXchg, v_claimed,
                                               l_i32(gen, 1), LLVMAtomicOrderingMonotonic, false);
    LLVMValueRef v_is_first = l_compare(gen, LLVMIntEQ, v_before, l_i32(gen, 0));
    LLVMBuildCondBr(gen->builder, v_is_first, b_first, b_other);

    l_at(gen, b_other);
    ck_nvptx_asm(gen, true, "exit;", "", gen->t_void, NULL, 0);
    LLVMBuildUnreachable(gen->builder);

    l_at(gen, b_first);
    LLVMValueRef v_record = record_address(gen);
    LLVMBuildCondBr(gen->builder, LLVMBuildIsNull(gen->builder, v_record, ""), b_trap, b_fill);
    l_at(gen, b_fill);
    fill_record(gen, v_function, v_record);
    l_branch(gen, b_trap);
    l_at(gen, b_trap);
    l_intrinsic(gen, "llvm.trap", NULL, NULL, 0);
    LLVMBuildUnreachable(gen->builder);
}

static void
out_of_bounds(struct ck_gen *gen, const struct ck_texpr *array, int axis,
              const struct ck_tindex *index, LLVMValueRef v_index, LLVMValueRef v_extent)
{
    LLVMValueRef args[N_PARAMS] = {
        [SITE] = l_i32(gen, ck_gen_access_site(gen, array, index)),
        [AXIS] = l_i32(gen, (uint32_t)axis),
        [INDEX] = v_index,
        [EXTENT] = v_extent,
    };
    ck_nvptx_call(gen, "ck.out_of_bounds", make_report, gen->t_void, args, N_PARAMS);
}

const struct ck_check_ops ck_nvptx_check = {.out_of_bounds = out_of_bounds};
