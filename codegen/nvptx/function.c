/* Functions that the NVPTX target adds to a module at their first call. */
#include "codegen/nvptx/nvptx.h"

/* A function under construction, and the function and the place where lowering continues after it.
 */
struct scope {
    struct ck_gen_function func, *outer;
    LLVMBasicBlockRef b_outer, b_outer_slots;
    LLVMMetadataRef location;
};

static LLVMValueRef
enter(struct ck_gen *gen, struct scope *scope, const char *name, LLVMTypeRef returns,
      LLVMTypeRef *params, unsigned n)
{
    scope->outer = gen->func;
    scope->b_outer = LLVMGetInsertBlock(gen->builder);
    scope->b_outer_slots = LLVMGetInsertBlock(gen->slot_builder);
    scope->location = LLVMGetCurrentDebugLocation2(gen->builder);
    ck_debug_nowhere(gen);
    LLVMValueRef v_function = l_function(gen, name, returns, params, n);
    LLVMSetLinkage(v_function, LLVMInternalLinkage);
    ck_gen_enter(gen, &scope->func, v_function);
    return v_function;
}

static void
leave(struct ck_gen *gen, const struct scope *scope)
{
    ck_gen_finish(gen);
    gen->func = scope->outer;
    l_at(gen, scope->b_outer);
    LLVMPositionBuilderAtEnd(gen->slot_builder, scope->b_outer_slots);
    LLVMSetCurrentDebugLocation2(gen->builder, scope->location);
}

LLVMValueRef
ck_nvptx_call(struct ck_gen *gen, const char *name, void (*make)(struct ck_gen *, LLVMValueRef),
              LLVMTypeRef returns, LLVMValueRef *args, unsigned n)
{
    LLVMValueRef v_function = LLVMGetNamedFunction(gen->module, name);
    if (!v_function) {
        struct scope scope;
        LLVMTypeRef *types = CK_NEW_ARRAY(&gen->arena, LLVMTypeRef, n);
        for (unsigned i = 0; i < n; i++)
            types[i] = LLVMTypeOf(args[i]);
        v_function = enter(gen, &scope, name, returns, types, n);
        make(gen, v_function);
        leave(gen, &scope);
    }
    return l_call(gen, v_function, args, n);
}
