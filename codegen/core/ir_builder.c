/* Short forms of LLVM's builder, so that code generation reads as intent. */
#include <string.h>

#include "codegen/core/gen.h"

LLVMValueRef
l_i32(struct ck_gen *gen, uint32_t value)
{
    return LLVMConstInt(gen->t_i32, value, false);
}

LLVMValueRef
l_i64(struct ck_gen *gen, int64_t value)
{
    return LLVMConstInt(gen->t_i64, (uint64_t)value, true);
}

LLVMBasicBlockRef
l_block(struct ck_gen *gen, const char *name)
{
    return LLVMAppendBasicBlockInContext(gen->llvm, gen->func->v_function, name);
}

void
l_at(struct ck_gen *gen, LLVMBasicBlockRef block)
{
    LLVMPositionBuilderAtEnd(gen->builder, block);
}

void
l_branch(struct ck_gen *gen, LLVMBasicBlockRef target)
{
    LLVMBuildBr(gen->builder, target);
}

void
l_leave(struct ck_gen *gen, LLVMBasicBlockRef target)
{
    l_branch(gen, target);
    l_at(gen, l_block(gen, "unreachable"));
}

LLVMValueRef
l_slot(struct ck_gen *gen, LLVMTypeRef type, const char *name)
{
    return LLVMBuildAlloca(gen->slot_builder, type, name);
}

LLVMValueRef
l_load(struct ck_gen *gen, LLVMTypeRef type, LLVMValueRef v_address, unsigned align,
       const char *name)
{
    LLVMValueRef v_load = LLVMBuildLoad2(gen->builder, type, v_address, name);
    LLVMSetAlignment(v_load, align);
    return v_load;
}

void
l_store(struct ck_gen *gen, LLVMValueRef v_value, LLVMValueRef v_address, unsigned align)
{
    LLVMSetAlignment(LLVMBuildStore(gen->builder, v_value, v_address), align);
}

void
l_invariant(struct ck_gen *gen, LLVMValueRef v_load)
{
    unsigned kind = LLVMGetMDKindIDInContext(gen->llvm, "invariant.load", 14);
    LLVMMetadataRef empty = LLVMMDNodeInContext2(gen->llvm, NULL, 0);
    LLVMSetMetadata(v_load, kind, LLVMMetadataAsValue(gen->llvm, empty));
}

LLVMValueRef
l_load_constant(struct ck_gen *gen, LLVMTypeRef type, LLVMValueRef v_address, unsigned align,
                const char *name)
{
    LLVMValueRef v_load = l_load(gen, type, v_address, align, name);
    l_invariant(gen, v_load);
    return v_load;
}

LLVMValueRef
l_offset(struct ck_gen *gen, LLVMValueRef v_address, uint64_t bytes)
{
    LLVMValueRef v_bytes = l_i64(gen, (int64_t)bytes);
    return LLVMBuildGEPWithNoWrapFlags(gen->builder, gen->t_i8, v_address, &v_bytes, 1, "",
                                       LLVMGEPFlagInBounds | LLVMGEPFlagNUW);
}

LLVMValueRef
l_intrinsic(struct ck_gen *gen, const char *name, LLVMTypeRef type, LLVMValueRef *args, unsigned n)
{
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    if (id == 0)
        ck_gen_fail(gen, CK_ERROR_INTERNAL, "LLVM has no intrinsic %s", name);
    LLVMValueRef v_function = LLVMGetIntrinsicDeclaration(gen->module, id, &type, type ? 1 : 0);
    return LLVMBuildCall2(gen->builder, LLVMGlobalGetValueType(v_function), v_function, args, n,
                          "");
}

void
l_convergent(struct ck_gen *gen, LLVMValueRef v_call)
{
    l_call_attribute(gen, v_call, LLVMAttributeFunctionIndex, "convergent", 0);
}

void
l_captures_nothing(struct ck_gen *gen, LLVMValueRef v_call, unsigned index)
{
    l_call_attribute(gen, v_call, index, "captures", 0);
}

LLVMValueRef
l_call(struct ck_gen *gen, LLVMValueRef v_function, LLVMValueRef *args, unsigned n)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(v_function);
    LLVMValueRef v_call = LLVMBuildCall2(gen->builder, type, v_function, args, n, "");
    if (gen->target->traits.convergent)
        l_convergent(gen, v_call);
    return v_call;
}

LLVMValueRef
l_select(struct ck_gen *gen, LLVMValueRef v_test, LLVMValueRef v_then, LLVMValueRef v_else)
{
    return LLVMBuildSelect(gen->builder, v_test, v_then, v_else, "");
}

LLVMValueRef
l_compare(struct ck_gen *gen, LLVMIntPredicate predicate, LLVMValueRef v_left, LLVMValueRef v_right)
{
    return LLVMBuildICmp(gen->builder, predicate, v_left, v_right, "");
}

LLVMValueRef
l_fast(struct ck_gen *gen, LLVMValueRef v_value)
{
    if (gen->fast_flags && LLVMIsAInstruction(v_value) && LLVMCanValueUseFastMathFlags(v_value))
        LLVMSetFastMathFlags(v_value, gen->fast_flags);
    return v_value;
}

LLVMValueRef
l_text(struct ck_gen *gen, const char *bytes, size_t length)
{
    LLVMValueRef v_bytes = LLVMConstStringInContext2(gen->llvm, bytes, length, false);
    LLVMValueRef v_text = LLVMAddGlobal(gen->module, LLVMTypeOf(v_bytes), "text");
    LLVMSetInitializer(v_text, v_bytes);
    LLVMSetGlobalConstant(v_text, true);
    LLVMSetLinkage(v_text, LLVMInternalLinkage);
    LLVMSetUnnamedAddress(v_text, LLVMGlobalUnnamedAddr);
    LLVMSetAlignment(v_text, 1);
    return v_text;
}

LLVMValueRef
l_function(struct ck_gen *gen, const char *name, LLVMTypeRef returns, LLVMTypeRef *params,
           unsigned n)
{
    LLVMTypeRef type = LLVMFunctionType(returns, params, n, false);
    LLVMValueRef v_function = LLVMAddFunction(gen->module, name, type);
    l_attribute(gen, v_function, LLVMAttributeFunctionIndex, "nounwind", 0);
    if (gen->target->traits.convergent)
        l_attribute(gen, v_function, LLVMAttributeFunctionIndex, "convergent", 0);
    return v_function;
}

LLVMValueRef
l_pure_function(struct ck_gen *gen, const char *name, LLVMTypeRef returns, LLVMTypeRef *params,
                unsigned n)
{
    static const char *const attributes[] = {"memory", "nosync", "nounwind", "willreturn"};
    LLVMTypeRef type = LLVMFunctionType(returns, params, n, false);
    LLVMValueRef v_function = LLVMAddFunction(gen->module, name, type);
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        l_attribute(gen, v_function, LLVMAttributeFunctionIndex, attributes[i], 0);
    return v_function;
}

static LLVMAttributeRef
enum_attribute(struct ck_gen *gen, const char *name, uint64_t value)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    if (kind == 0)
        ck_gen_fail(gen, CK_ERROR_INTERNAL, "LLVM has no attribute %s", name);
    return LLVMCreateEnumAttribute(gen->llvm, kind, value);
}

void
l_attribute(struct ck_gen *gen, LLVMValueRef v_function, unsigned index, const char *name,
            uint64_t value)
{
    LLVMAddAttributeAtIndex(v_function, index, enum_attribute(gen, name, value));
}

void
l_call_attribute(struct ck_gen *gen, LLVMValueRef v_call, unsigned index, const char *name,
                 uint64_t value)
{
    LLVMAddCallSiteAttribute(v_call, index, enum_attribute(gen, name, value));
}

void
l_attribute_text(struct ck_gen *gen, LLVMValueRef v_function, const char *name, const char *value)
{
    LLVMAttributeRef attribute = LLVMCreateStringAttribute(gen->llvm, name, (unsigned)strlen(name),
                                                           value, (unsigned)strlen(value));
    LLVMAddAttributeAtIndex(v_function, LLVMAttributeFunctionIndex, attribute);
}

void
l_attribute_range(struct ck_gen *gen, LLVMValueRef v_function, unsigned index, uint64_t end)
{
    static const uint64_t lower = 0;
    unsigned kind = LLVMGetEnumAttributeKindForName("range", 5);
    LLVMTypeRef type = index == LLVMAttributeReturnIndex
                           ? LLVMGetReturnType(LLVMGlobalGetValueType(v_function))
                           : LLVMTypeOf(LLVMGetParam(v_function, index - 1));
    LLVMAttributeRef range =
        LLVMCreateConstantRangeAttribute(gen->llvm, kind, LLVMGetIntTypeWidth(type), &lower, &end);
    LLVMAddAttributeAtIndex(v_function, index, range);
}
