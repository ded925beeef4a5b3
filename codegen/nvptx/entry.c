/* Kernel entries on NVIDIA GPUs: parameters, launch bounds, and function versioning: a version of
 * the body for full warps, one with bulk copies, one for all launches. */
#include <assert.h>
#include <string.h>

#include "codegen/core/ir_util.h"
#include "codegen/nvptx/cluster.h"
#include "codegen/nvptx/copy.h"
#include "codegen/nvptx/nvptx.h"
#include "codegen/nvptx/reserved_symbols.h"

void
ck_nvptx_attributes(struct ck_gen *gen, LLVMValueRef v_function, const struct ck_tfunc *tfunc)
{
    if (tfunc->fastmath)
        l_attribute_text(gen, v_function, "denormal-fp-math-f32", "preserve-sign,preserve-sign");
}

static void
number_attribute(struct ck_gen *gen, LLVMValueRef v_kernel, const char *name, int value)
{
    if (value > 0)
        l_attribute_text(gen, v_kernel, name, ck_arena_printf(&gen->arena, "%d", value));
}

/* Checks take registers, and code with checks shall run in every block that the code without them
 * runs in. */
static int
max_threads(const struct ck_gen *gen, const struct ck_tfunc *tfunc)
{
    enum { ANY_BLOCK = 1024 };
    return !tfunc->bounds.max_threads && gen->options->checks ? ANY_BLOCK
                                                              : tfunc->bounds.max_threads;
}

static void
launch_attributes(struct ck_gen *gen, LLVMValueRef v_kernel, const struct ck_tfunc *tfunc)
{
    number_attribute(gen, v_kernel, "nvvm.maxntid", max_threads(gen, tfunc));
    number_attribute(gen, v_kernel, "nvvm.minctasm",
                     ck_gen_is_spacious(tfunc) ? 1 : tfunc->bounds.min_blocks);
    number_attribute(gen, v_kernel, "nvvm.maxnreg", tfunc->bounds.max_registers);
    const int *cluster = tfunc->bounds.cluster;
    if (cluster[0] > 0)
        l_attribute_text(
            gen, v_kernel, "nvvm.cluster_dim",
            ck_arena_printf(&gen->arena, "%d,%d,%d", cluster[0], cluster[1], cluster[2]));
}

/* Refuses reserved symbols. The checker assigns other names to kernels. */
static void
check_name(struct ck_gen *gen, const struct ck_tfunc *tfunc)
{
    static const char *const reserved[] = {
        CK_NVPTX_RESERVED_SYMBOLS,
#define CK_MATH(id, libclc, libdevice, host, type, n) libclc, libdevice,
#include "codegen/core/math.def"
#undef CK_MATH
    };
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++) {
        if (strcmp(tfunc->symbol, reserved[i]) == 0)
            ck_gen_fail(gen, CK_ERROR_UNSUPPORTED, "no kernel for CUDA may be called %s",
                        tfunc->symbol);
    }
}

/* The end of the range, from 0, that a scalar may be in; 0: any value. */
static uint64_t
natural_end(const struct ck_type *type, bool is_natural)
{
    if (!is_natural)
        return 0;
    return type == ck_type_scalar(CK_TYPE_INT32)   ? (uint64_t)INT32_MAX + 1
           : type == ck_type_scalar(CK_TYPE_INT64) ? (uint64_t)INT64_MAX + 1
                                                   : 0;
}

/* The function of a kernel, or of its version for small launches. */
static LLVMValueRef
declare_kernel(struct ck_gen *gen, const struct ck_tfunc *tfunc, const char *name, bool is_version)
{
    const bool is_small = is_version || gen->options->small_launches;
    const bool is_natural = is_version || gen->options->natural_scalars;
    LLVMTypeRef *types = CK_NEW_ARRAY(&gen->arena, LLVMTypeRef, ck_gen_n_param_parts(tfunc));
    int n = 0;
    check_name(gen, tfunc);
    ck_nvptx_check_clusters(gen, tfunc);
    for (int i = 0; i < tfunc->n_params; i++) {
        const struct ck_type *type = tfunc->locals[i].type;
        if (ck_type_is_scalar(type)) {
            types[n++] = ck_gen_memory_type(gen, type);
            continue;
        }
        n += ck_gen_part_types(gen, type, types + n);
    }
    LLVMValueRef v_kernel = l_function(gen, name, gen->t_void, types, (unsigned)n);
    LLVMSetFunctionCallConv(v_kernel, CALL_PTX_KERNEL);
    ck_gen_mark_shapes(gen, tfunc, v_kernel, 0, is_small);
    unsigned index = 1;
    for (int i = 0; i < tfunc->n_params; i++) {
        const struct ck_type *type = tfunc->locals[i].type;
        if (ck_type_is_array(type))
            l_attribute(gen, v_kernel, index, "align", (uint64_t)ck_array_align(type));
        if (natural_end(type, is_natural))
            l_attribute_range(gen, v_kernel, index, natural_end(type, is_natural));
        index += (unsigned)ck_gen_n_entry_params(gen, type);
    }
    launch_attributes(gen, v_kernel, tfunc);
    ck_nvptx_attributes(gen, v_kernel, tfunc);
    return v_kernel;
}

static LLVMValueRef
receive_part(struct ck_gen *gen, const struct ck_type *type, int part, LLVMValueRef v_param)
{
    const bool is_small = ck_gen_is_small(gen);
    if (is_small && ck_type_is_array(type) && part >= 1 && part <= type->array.ndim)
        return ck_nvptx_small_extent(gen, v_param);
    if (is_small && type == ck_type_scalar(CK_TYPE_INT64))
        return ck_nvptx_small_scalar(gen, v_param,
                                     gen->func->is_small || gen->options->natural_scalars);
    return ck_gen_from_memory(gen, type, v_param);
}

/* Writes the parts of a parameter to `v_part`. Returns the address after them. */
static LLVMValueRef *
receive(struct ck_gen *gen, const struct ck_type *type, LLVMValueRef v_kernel, unsigned param,
        LLVMValueRef *v_part)
{
    if (ck_type_is_complex(type)) {
        struct ck_gen_value value = ck_gen_complex_unpack(gen, LLVMGetParam(v_kernel, param));
        *v_part++ = value.parts[0];
        *v_part++ = value.parts[1];
        return v_part;
    }
    for (int i = 0; i < ck_gen_n_parts(type); i++)
        *v_part++ = receive_part(gen, type, i, LLVMGetParam(v_kernel, param + (unsigned)i));
    return v_part;
}

enum { MAX_VERSIONED = 3000 }; /* instructions */

/* Whether the function's code from block `b` on is short enough for a second version. */
static bool
is_short(const struct ck_gen *gen, LLVMBasicBlockRef b)
{
    return !ck_ir_is_longer(b, MAX_VERSIONED) && gen->func->code.local_bytes == 0;
}

/* Lowers a version of the kernel's body, from block `b_begin` to `b_done`. */
static void
lower_version(struct ck_gen *gen, const struct ck_func_info *info, struct ck_gen_value args,
              LLVMBasicBlockRef b_begin, LLVMBasicBlockRef b_done, bool in_bulk)
{
    l_at(gen, b_begin);
    gen->func->n_inlined = 0;
    if (in_bulk)
        ck_nvptx_begin_bulk_copies(gen);
    ck_gen_inline(gen, info, args, (struct ck_span){0});
    ck_debug_nowhere(gen);
    if (in_bulk)
        ck_nvptx_end_bulk_copies(gen);
    l_branch(gen, b_done);
}

/* Lowers the versions of the kernel's body and the branches that select one at run time. If all
 * warps are full, no tile lacks threads; testing for that in loops is most of the cost of some
 * collectives. Bulk copies need full warps too. */
static void
lower_versions(struct ck_gen *gen, const struct ck_func_info *info, struct ck_gen_value args)
{
    LLVMBasicBlockRef b_choice = LLVMGetInsertBlock(gen->builder);
    LLVMBasicBlockRef b_any = l_block(gen, "any"), b_done = l_block(gen, "done");
    lower_version(gen, info, args, b_any, b_done, false);
    const bool again = is_short(gen, b_any), whole = again && gen->func->wants_full_warps;
    gen->func->in_full_warps = true;
    l_at(gen, b_choice);
    LLVMValueRef v_bulk = again ? ck_nvptx_bulk_copy_condition(gen) : NULL;
    if (v_bulk) {
        LLVMBasicBlockRef b_bulk = l_block(gen, "bulk"), b_other = l_block(gen, "other");
        LLVMBuildCondBr(gen->builder, v_bulk, b_bulk, b_other);
        lower_version(gen, info, args, b_bulk, b_done, true);
        l_at(gen, b_other);
    }
    if (whole) {
        LLVMBasicBlockRef b_whole = l_block(gen, "whole");
        LLVMValueRef v_last = LLVMBuildAnd(gen->builder, ck_nvptx_block_threads(gen),
                                           l_i32(gen, CK_WARP_SIZE - 1), "");
        LLVMBuildCondBr(gen->builder, l_compare(gen, LLVMIntEQ, v_last, l_i32(gen, 0)), b_whole,
                        b_any);
        lower_version(gen, info, args, b_whole, b_done, false);
    } else {
        l_branch(gen, b_any);
    }
    l_at(gen, b_done);
}

static void
lower_kernel(struct ck_gen *gen, struct ck_func_info *info, LLVMValueRef v_kernel)
{
    struct ck_gen_value args = ck_gen_value_new(gen, ck_gen_n_param_parts(info->tfunc));
    unsigned param = 0;
    LLVMValueRef *v_part = args.parts;
    for (int i = 0; i < info->tfunc->n_params; i++) {
        const struct ck_type *type = info->tfunc->locals[i].type;
        v_part = receive(gen, type, v_kernel, param, v_part);
        param += (unsigned)ck_gen_n_entry_params(gen, type);
    }
    if (ck_tfunc_has(info->tfunc, CK_EFFECT_BARRIER_WORDS))
        ck_nvptx_set_up_barriers(gen);
    if (ck_tfunc_has(info->tfunc, CK_EFFECT_GRID_BARRIER))
        ck_nvptx_grid_begin(gen);
    if (ck_tfunc_has(info->tfunc, CK_EFFECT_CLUSTER_BARRIER))
        ck_nvptx_begin_cluster_buffers(gen);
    ck_nvptx_track_copies(gen, info->tfunc);
    lower_versions(gen, info, args);
    ck_nvptx_end_cluster_buffers(gen);
    if (ck_tfunc_has(info->tfunc, CK_EFFECT_GRID_BARRIER))
        ck_nvptx_grid_end(gen);
    LLVMBuildRetVoid(gen->builder);
}

/* Lowers the version for small launches, a function that becomes a part of the kernel at last. */
static void
lower_small_version(struct ck_gen *gen, struct ck_func_info *info)
{
    struct ck_gen_function func;
    const char *name = ck_arena_printf(&gen->arena, "small.%s", info->tfunc->symbol);
    info->v_small = declare_kernel(gen, info->tfunc, name, true);
    ck_debug_function(gen, info);
    if (info->scope)
        LLVMSetSubprogram(info->v_small, info->scope);
    ck_gen_enter(gen, &func, info->v_small);
    func.is_small = true;
    lower_kernel(gen, info, info->v_small);
    ck_gen_finish(gen);
}

void
ck_nvptx_kernel(struct ck_gen *gen, struct ck_func_info *info)
{
    struct ck_gen_function func;
    info->v_args = declare_kernel(gen, info->tfunc, info->tfunc->symbol, false);
    info->first_arg = 1;
    if (info->scope)
        LLVMSetSubprogram(info->v_args, info->scope);
    ck_gen_enter(gen, &func, info->v_args);
    lower_kernel(gen, info, info->v_args);
    info->code = func.code;
    info->has_grid_ranks = func.has_grid_ranks;
    ck_gen_finish(gen);
    if (ck_nvptx_wants_small_version(gen, info))
        lower_small_version(gen, info);
}
