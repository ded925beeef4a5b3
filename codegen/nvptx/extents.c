/* Extents of array parameters and int64 scalars in small launches (docs/adr/028): 64-bit parameters
 * whose values have 32 bits.
 *
 * While the code is optimised, each is a 32-bit value, extended: LLVM computes in 32 bits what it
 * finds to need no more, which it does not do for a 64-bit parameter of known range. The call that
 * returns the low half keeps LLVM from seeing the parameter. Afterwards, each extension becomes the
 * parameter, because the assembler keeps 64-bit parameters, and strides made of them, in uniform
 * registers. Those that it has to extend take two registers of each thread. The low half stays
 * where it is multiplied, and LLVM does not see then either that it is a part of the parameter. */
#include "codegen/core/ir_util.h"
#include "codegen/nvptx/nvptx.h"

#define LOW_EXTENT  CK_NVPTX_LOW_HALF ".extent"
#define LOW_WRAP    CK_NVPTX_LOW_HALF ".wrap"
#define LOW_SCALAR  CK_NVPTX_LOW_HALF ".scalar"
#define LOW_NATURAL CK_NVPTX_LOW_HALF ".natural"
#define WRAP        "ck.wrap"

/* A function of an i64 of whose result LLVM knows nothing but the type. */
static LLVMValueRef
pure_function(struct ck_gen *gen, const char *name, LLVMTypeRef type)
{
    LLVMValueRef v_function = LLVMGetNamedFunction(gen->module, name);
    if (v_function)
        return v_function;
    v_function = l_function(gen, name, type, &gen->t_i64, 1);
    LLVMSetLinkage(v_function, LLVMExternalLinkage);
    for (int i = 0; i < 4; i++) {
        static const char *const names[] = {"memory", "nounwind", "willreturn", "speculatable"};
        l_attribute(gen, v_function, LLVMAttributeFunctionIndex, names[i], 0);
    }
    return v_function;
}

/* The parameter, which is from 0 below `end`. */
static LLVMValueRef
small_natural(struct ck_gen *gen, const char *name, LLVMValueRef v_param, uint64_t end)
{
    LLVMValueRef v_function = pure_function(gen, name, gen->t_i32);
    l_attribute_range(gen, v_function, LLVMAttributeReturnIndex, end);
    LLVMValueRef v_low = l_call(gen, v_function, &v_param, 1);
    LLVMValueRef v_extent = LLVMBuildZExt(gen->builder, v_low, gen->t_i64, "");
    LLVMSetNNeg(v_extent, true);
    return v_extent;
}

LLVMValueRef
ck_nvptx_small_extent(struct ck_gen *gen, LLVMValueRef v_param)
{
    return small_natural(gen, LOW_EXTENT, v_param, CK_SMALL_ELEMENTS);
}

LLVMValueRef
ck_nvptx_wrap_extent(struct ck_gen *gen, LLVMValueRef v_extent)
{
    if (!ck_gen_is_small(gen) || LLVMIsConstant(v_extent))
        return v_extent;
    LLVMValueRef v_function = pure_function(gen, WRAP, gen->t_i64);
    l_attribute_range(gen, v_function, LLVMAttributeReturnIndex, (uint64_t)INT64_MAX + 1);
    return l_call(gen, v_function, &v_extent, 1);
}

LLVMValueRef
ck_nvptx_small_scalar(struct ck_gen *gen, LLVMValueRef v_param, bool is_natural)
{
    if (is_natural)
        return small_natural(gen, LOW_NATURAL, v_param, CK_SMALL_END);
    LLVMValueRef v_low = l_call(gen, pure_function(gen, LOW_SCALAR, gen->t_i32), &v_param, 1);
    return LLVMBuildSExt(gen->builder, v_low, gen->t_i64, "");
}

/* The low half of the parameter that v_extent is; NULL: it is none, or not yet. */
static LLVMValueRef
low_of(LLVMValueRef v_extent)
{
    LLVMValueRef v_low = LLVMIsAZExtInst(v_extent) ? LLVMGetOperand(v_extent, 0) : NULL;
    return v_low && ck_ir_calls(v_low, LOW_EXTENT) ? v_low : NULL;
}

void
ck_nvptx_resolve_wraps(struct ck_gen *gen, bool last)
{
    LLVMValueRef v_function = LLVMGetNamedFunction(gen->module, WRAP);
    if (!v_function)
        return;
    for (LLVMUseRef use = LLVMGetFirstUse(v_function), next; use; use = next) {
        LLVMValueRef v = LLVMGetUser(use), v_extent = LLVMGetOperand(v, 0);
        LLVMValueRef v_low = low_of(v_extent);
        next = LLVMGetNextUse(use);
        if (!v_low && !last)
            continue;
        if (v_low) {
            LLVMPositionBuilderBefore(gen->builder, v_low);
            v_extent = small_natural(gen, LOW_WRAP, LLVMGetOperand(v_low, 0), CK_SMALL_ELEMENTS);
        }
        LLVMReplaceAllUsesWith(v, v_extent);
        LLVMInstructionEraseFromParent(v);
    }
    if (!LLVMGetFirstUse(v_function))
        LLVMDeleteFunction(v_function);
}

bool
ck_nvptx_is_low_extent(LLVMValueRef v)
{
    return ck_ir_calls(v, LOW_EXTENT) || ck_ir_calls(v, LOW_WRAP);
}

bool
ck_nvptx_is_wrap_extent(LLVMValueRef v)
{
    return ck_ir_calls(v, LOW_WRAP);
}

/* Whether a value is an extended one, or the sum of one and a constant. */
static bool
is_extended(LLVMValueRef v)
{
    if (LLVMIsABinaryOperator(v) && LLVMGetInstructionOpcode(v) == LLVMAdd &&
        LLVMIsAConstantInt(LLVMGetOperand(v, 1)))
        v = LLVMGetOperand(v, 0);
    return LLVMIsAZExtInst(v) || LLVMIsASExtInst(v);
}

/* Whether an instruction multiplies two extended values, which is one instruction, mul.wide. The
 * products of neighbouring indices share it. */
static bool
is_wide_product(LLVMValueRef v)
{
    return LLVMIsABinaryOperator(v) && LLVMGetInstructionOpcode(v) == LLVMMul &&
           is_extended(LLVMGetOperand(v, 0)) && is_extended(LLVMGetOperand(v, 1));
}

/* A user of an extension that is better off with the parameter; NULL: none is left. */
static LLVMValueRef
find_user(LLVMValueRef v_extension)
{
    LLVMUseRef use = LLVMGetFirstUse(v_extension);
    while (use && is_wide_product(LLVMGetUser(use)))
        use = LLVMGetNextUse(use);
    return use ? LLVMGetUser(use) : NULL;
}

static void
replace_uses(LLVMValueRef v_extension, LLVMValueRef v_param)
{
    for (LLVMValueRef v; (v = find_user(v_extension));)
        ck_ir_replace_operand(v, v_extension, v_param);
}

/* Whether an extension of the low half has the parameter's value: not if it clears the upper half
 * of a negative one. */
static bool
is_parameter(LLVMValueRef v, LLVMValueRef v_low)
{
    return LLVMIsASExtInst(v) ||
           (LLVMIsAZExtInst(v) && (!ck_ir_calls(v_low, LOW_SCALAR) || LLVMGetNNeg(v)));
}

static void
replace_extensions(LLVMValueRef v_low, LLVMValueRef v_param)
{
    for (LLVMUseRef use = LLVMGetFirstUse(v_low), next; use; use = next) {
        LLVMValueRef v = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (!is_parameter(v, v_low) || LLVMTypeOf(v) != LLVMTypeOf(v_param))
            continue;
        replace_uses(v, v_param);
        if (!LLVMGetFirstUse(v))
            LLVMInstructionEraseFromParent(v);
    }
}

static void
restore(struct ck_gen *gen, const char *name)
{
    LLVMValueRef v_function = LLVMGetNamedFunction(gen->module, name);
    if (!v_function)
        return;
    for (LLVMUseRef use = LLVMGetFirstUse(v_function), next; use; use = next) {
        LLVMValueRef v_low = LLVMGetUser(use), v_param = LLVMGetOperand(v_low, 0);
        next = LLVMGetNextUse(use);
        replace_extensions(v_low, v_param);
        LLVMPositionBuilderBefore(gen->builder, v_low);
        LLVMReplaceAllUsesWith(v_low, ck_nvptx_asm(gen, false, "cvt.u32.u64 $0, $1;", "=r,l",
                                                   gen->t_i32, &v_param, 1));
        LLVMInstructionEraseFromParent(v_low);
    }
    LLVMDeleteFunction(v_function);
}

void
ck_nvptx_restore_extents(struct ck_gen *gen)
{
    ck_nvptx_resolve_wraps(gen, true);
    restore(gen, LOW_EXTENT);
    restore(gen, LOW_WRAP);
    restore(gen, LOW_SCALAR);
    restore(gen, LOW_NATURAL);
}
