/* Conversions between scalars. */
#include "codegen/lower/lower.h"

static bool
is_small_float(const struct ck_type *type)
{
    return type->kind == CK_TYPE_FLOAT16 || type->kind == CK_TYPE_BFLOAT16;
}

const struct ck_type *
ck_gen_wide_type(const struct ck_type *type)
{
    return is_small_float(type) ? ck_type_scalar(CK_TYPE_FLOAT32) : type;
}

LLVMValueRef
ck_gen_widen(struct ck_gen *gen, const struct ck_type *type, LLVMValueRef v_value)
{
    if (!is_small_float(type))
        return v_value;
    return LLVMBuildFPExt(gen->builder, v_value, gen->t_float, "");
}

LLVMValueRef
ck_gen_narrow(struct ck_gen *gen, const struct ck_type *type, LLVMValueRef v_value)
{
    if (!is_small_float(type))
        return v_value;
    return LLVMBuildFPTrunc(gen->builder, v_value, ck_gen_scalar_type(gen, type), "");
}

static LLVMValueRef
to_bool(struct ck_gen *gen, const struct ck_type *from, LLVMValueRef v_value)
{
    if (from->kind == CK_TYPE_BOOL)
        return v_value;
    if (!ck_type_is_float(from))
        return l_compare(gen, LLVMIntNE, v_value, LLVMConstNull(LLVMTypeOf(v_value)));
    v_value = ck_gen_widen(gen, from, v_value);
    return LLVMBuildFCmp(gen->builder, LLVMRealUNE, v_value, LLVMConstNull(LLVMTypeOf(v_value)),
                         "");
}

static LLVMValueRef
int_to_int(struct ck_gen *gen, const struct ck_type *from, const struct ck_type *to,
           LLVMValueRef v_value)
{
    LLVMTypeRef type = ck_gen_scalar_type(gen, to);
    unsigned from_width = LLVMGetIntTypeWidth(LLVMTypeOf(v_value));
    unsigned to_width = LLVMGetIntTypeWidth(type);
    if (to_width == from_width)
        return v_value;
    if (to_width < from_width)
        return LLVMBuildTrunc(gen->builder, v_value, type, "");
    if (ck_type_is_signed(from))
        return LLVMBuildSExt(gen->builder, v_value, type, "");
    return LLVMBuildZExt(gen->builder, v_value, type, "");
}

static LLVMValueRef
float_to_int(struct ck_gen *gen, const struct ck_type *from, const struct ck_type *to,
             LLVMValueRef v_value)
{
    v_value = ck_gen_widen(gen, from, v_value);
    const char *name = ck_type_is_signed(to) ? "llvm.fptosi.sat" : "llvm.fptoui.sat";
    LLVMTypeRef types[] = {ck_gen_scalar_type(gen, to), LLVMTypeOf(v_value)};
    unsigned id = LLVMLookupIntrinsicID(name, 15);
    LLVMValueRef v_function = LLVMGetIntrinsicDeclaration(gen->module, id, types, 2);
    return LLVMBuildCall2(gen->builder, LLVMGlobalGetValueType(v_function), v_function, &v_value, 1,
                          "");
}

static LLVMValueRef
float_to_float(struct ck_gen *gen, const struct ck_type *from, const struct ck_type *to,
               LLVMValueRef v_value)
{
    /* Between float16 and bfloat16 through float32, which holds both. */
    if (is_small_float(from))
        v_value = LLVMBuildFPExt(gen->builder, v_value, gen->t_float, "");
    LLVMTypeRef type = ck_gen_scalar_type(gen, to);
    int from_bits = ck_type_bits(ck_gen_wide_type(from));
    int to_bits = ck_type_bits(to);
    if (from_bits < to_bits)
        return LLVMBuildFPExt(gen->builder, v_value, type, "");
    if (from_bits > to_bits)
        return LLVMBuildFPTrunc(gen->builder, v_value, type, "");
    return v_value;
}

/* A 64-bit integer whose conversion to float64 is exact and rounds to bfloat16 as it would itself:
 * from 2^53 on, the bits that float64 would lose are replaced by one that says whether any was set.
 */
static LLVMValueRef
keep_inexact(struct ck_gen *gen, const struct ck_type *from, LLVMValueRef v_value)
{
    LLVMBuilderRef b = gen->builder;
    const int lost = 11;
    LLVMValueRef v_high = LLVMBuildAnd(b, v_value, l_i64(gen, -(INT64_C(1) << lost)), "");
    LLVMValueRef v_low = LLVMBuildAnd(b, v_value, l_i64(gen, (INT64_C(1) << lost) - 1), "");
    LLVMValueRef v_any = l_compare(gen, LLVMIntNE, v_low, l_i64(gen, 0));
    LLVMValueRef v_sticky =
        LLVMBuildShl(b, LLVMBuildZExt(b, v_any, LLVMTypeOf(v_value), ""), l_i64(gen, lost), "");
    LLVMValueRef v_sign =
        ck_type_is_signed(from) ? LLVMBuildAShr(b, v_value, l_i64(gen, 63), "sign") : l_i64(gen, 0);
    LLVMValueRef v_size = LLVMBuildXor(b, v_value, v_sign, "size");
    LLVMValueRef v_large = l_compare(gen, LLVMIntUGE, v_size, l_i64(gen, INT64_C(1) << 53));
    return l_select(gen, v_large, LLVMBuildOr(b, v_high, v_sticky, ""), v_value);
}

/* To float16 through float32: an integer that rounds there is past float16's range. To bfloat16
 * through float64, without rounding twice. */
static LLVMValueRef
int_to_float(struct ck_gen *gen, const struct ck_type *from, const struct ck_type *to,
             LLVMValueRef v_value)
{
    const struct ck_type *via = ck_gen_wide_type(to);
    if (to->kind == CK_TYPE_BFLOAT16)
        via = ck_type_scalar(CK_TYPE_FLOAT64);
    if (to->kind == CK_TYPE_BFLOAT16 && ck_type_bits(from) == 64)
        v_value = keep_inexact(gen, from, v_value);
    LLVMTypeRef type = ck_gen_scalar_type(gen, via);
    LLVMValueRef v_float = ck_type_is_signed(from)
                               ? LLVMBuildSIToFP(gen->builder, v_value, type, "")
                               : LLVMBuildUIToFP(gen->builder, v_value, type, "");
    return via == to ? v_float : float_to_float(gen, via, to, v_float);
}

LLVMValueRef
ck_gen_cast(struct ck_gen *gen, const struct ck_type *from, const struct ck_type *to,
            LLVMValueRef v_value)
{
    if (from == to)
        return v_value;
    if (to->kind == CK_TYPE_BOOL)
        return to_bool(gen, from, v_value);
    if (ck_type_is_float(from))
        return ck_type_is_float(to) ? float_to_float(gen, from, to, v_value)
                                    : float_to_int(gen, from, to, v_value);
    return ck_type_is_float(to) ? int_to_float(gen, from, to, v_value)
                                : int_to_int(gen, from, to, v_value);
}
