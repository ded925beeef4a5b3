/* Arrays that a kernel only reads. Where the launch makes sure that nothing it writes overlaps them
 * (option `restrict_arrays`), their pointers are `noalias`: loads of them move across stores and
 * barriers, and become non-coherent ones on NVPTX; loops over them need no run-time checks.
 *
 * LLVM finds them: it marks the pointers `readonly` that no store, atomic, call or barrier's other
 * side can write through, whatever the way there (views, names bound again, device functions).
 * Arrays that are written never become `noalias`: LLVM would keep their elements in registers
 * across a barrier, where other threads write them. */
#include <string.h>

#include "codegen/gen.h"

static unsigned
attribute_kind(const char *name)
{
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

/* Marks the kernel's arrays, and notes for the manifest which they are. */
static void
mark_kernel(struct ck_gen *gen, struct ck_func_info *info)
{
    const struct ck_tfunc *tfunc = info->tfunc;
    const unsigned read_only = attribute_kind("readonly");
    unsigned index = info->first_arg;
    info->read_only = CK_NEW_ARRAY(&gen->arena, bool, tfunc->n_params);
    for (int i = 0; i < tfunc->n_params; i++) {
        const struct ck_type *type = tfunc->locals[i].type;
        if (ck_type_is_array(type) && LLVMGetEnumAttributeAtIndex(info->v_args, index, read_only)) {
            info->read_only[i] = true;
            l_attribute(gen, info->v_args, index, "noalias", 0);
        }
        index += (unsigned)ck_gen_n_parts(type);
    }
}

void
ck_gen_mark_read_only(struct ck_gen *gen)
{
    if (!gen->options->restrict_arrays || gen->options->opt_level <= 0)
        return;
    ck_passes_infer(gen);
    for (int i = 0; i < gen->program->n_functions; i++) {
        if (gen->funcs[i].v_args)
            mark_kernel(gen, &gen->funcs[i]);
    }
}
