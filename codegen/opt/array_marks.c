/* Attributes of a kernel's array parameters: docs/adr/008. The launch checks that they hold.
 *
 * Option `restrict_arrays`: no array that the kernel writes overlaps another array. Pointers of
 * arrays that it only reads become `noalias`. Loads of them move across stores and barriers, and
 * become non-coherent loads on NVPTX; loops over them need no run-time checks. LLVM's
 * function-attrs finds these arrays: it marks a pointer `readonly` if no store, atomic operation or
 * call writes through it, also by way of views, assigned names and device functions.
 *
 * Arrays that the kernel writes become `noalias` only if its threads do not synchronise (LLVM's
 * `nosync`) and it has no atomic operation, which could implement a lock. Otherwise LLVM would keep
 * elements in registers across a barrier, although other threads write them.
 *
 * A kernel that polls memory (lang/divergence/spin_loops.c), or has an atomic or acquiring load,
 * reads what other threads write while it runs. None of its arrays is read-only or disjoint. Nor is
 * one of a kernel that accesses memory at addresses, which may be an array's.
 *
 * The manifest says which arrays are never written, those of such a kernel included, so that a
 * caller can pass memory that must not change.
 *
 * Option `aligned_arrays`: a thread may access neighbouring elements by one wide load or store. */
#include <string.h>

#include "codegen/opt/passes.h"
#include "codegen/opt/run_passes.h"

static bool
has(LLVMValueRef v_function, unsigned index, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    return LLVMGetEnumAttributeAtIndex(v_function, index, kind) != NULL;
}

/* Adds attributes to parameter `param`, an array whose pointer is the LLVM parameter `index`. */
static void
mark_array(struct ck_gen *gen, struct ck_func_info *info, LLVMValueRef v_args, int param,
           unsigned index)
{
    const struct ck_codegen_options *options = gen->options;
    bool restricts =
        options->restrict_arrays &&
        !ck_tfunc_has(info->tfunc, CK_EFFECT_SPIN | CK_EFFECT_POLL | CK_EFFECT_RAW_MEMORY);
    info->never_written[param] = options->restrict_arrays &&
                                 (has(v_args, index, "readonly") || has(v_args, index, "readnone"));
    if (restricts && has(v_args, index, "readonly"))
        info->read_only[param] = true;
    else if (restricts && !info->code.has_atomics &&
             has(v_args, LLVMAttributeFunctionIndex, "nosync"))
        info->disjoint[param] = true;
    if (info->read_only[param] || info->disjoint[param])
        l_attribute(gen, v_args, index, "noalias", 0);
    if (options->aligned_arrays)
        l_attribute(gen, v_args, index, "align", CK_ARRAY_ALIGN);
}

/* Adds attributes to a kernel's arrays, and records for the manifest which arrays have them. */
static void
mark_kernel(struct ck_gen *gen, struct ck_func_info *info, LLVMValueRef v_args)
{
    const struct ck_tfunc *tfunc = info->tfunc;
    unsigned index = info->first_arg;
    info->read_only = CK_NEW_ARRAY(&gen->arena, bool, tfunc->n_params);
    info->disjoint = CK_NEW_ARRAY(&gen->arena, bool, tfunc->n_params);
    info->never_written = CK_NEW_ARRAY(&gen->arena, bool, tfunc->n_params);
    for (int i = 0; i < tfunc->n_params; i++) {
        const struct ck_type *type = tfunc->locals[i].type;
        if (ck_type_is_array(type))
            mark_array(gen, info, v_args, i, index);
        index += (unsigned)ck_gen_n_entry_params(gen, type);
    }
}

/* Marks the pointers that are only read through as `readonly`, callees before callers. Needs values
 * in registers instead of memory slots. */
static void
infer_read_only(struct ck_gen *gen)
{
    ck_gen_mem2reg(gen);
    ck_run_llvm(gen, "function(sroa),cgscc(function-attrs)");
}

void
ck_gen_mark_arrays(struct ck_gen *gen)
{
    const struct ck_codegen_options *options = gen->options;
    if ((!options->restrict_arrays && !options->aligned_arrays) || options->opt_level <= 0)
        return;
    if (options->restrict_arrays)
        infer_read_only(gen);
    for (int i = 0; i < gen->program->n_functions; i++) {
        if (gen->funcs[i].v_args)
            mark_kernel(gen, &gen->funcs[i], gen->funcs[i].v_args);
        if (gen->funcs[i].v_small)
            mark_kernel(gen, &gen->funcs[i], gen->funcs[i].v_small);
    }
}

bool
ck_gen_is_never_written(LLVMValueRef v_kernel, LLVMValueRef v_address)
{
    while (LLVMIsAGetElementPtrInst(v_address) || LLVMIsACastInst(v_address))
        v_address = LLVMGetOperand(v_address, 0);
    for (unsigned i = 0; i < LLVMCountParams(v_kernel); i++) {
        if (LLVMGetParam(v_kernel, i) == v_address)
            return has(v_kernel, i + 1, "readonly") && has(v_kernel, i + 1, "noalias");
    }
    return false;
}
