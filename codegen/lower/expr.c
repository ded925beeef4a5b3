/* Expressions. Operands are evaluated from left to right. */
#include "codegen/lower/lower.h"

static LLVMValueRef
gen_constant(struct ck_gen *gen, const struct ck_texpr *expr)
{
    LLVMTypeRef type = ck_gen_scalar_type(gen, expr->type);
    if (ck_type_is_float(expr->type))
        return LLVMConstReal(type, expr->constant.f);
    /* Truncated first: LLVM insists that a constant fits its type. */
    uint64_t bits = (uint64_t)expr->constant.i;
    unsigned width = LLVMGetIntTypeWidth(type);
    if (width < 64)
        bits &= ((uint64_t)1 << width) - 1;
    return LLVMConstInt(type, bits, false);
}

static struct ck_gen_value
gen_local(struct ck_gen *gen, const struct ck_texpr *expr)
{
    LLVMValueRef *slots = gen->frame->slots[expr->local];
    struct ck_gen_value value = ck_gen_value_new(gen, ck_gen_n_parts(expr->type));
    for (int i = 0; i < value.n; i++) {
        LLVMTypeRef type = LLVMGetAllocatedType(slots[i]);
        value.parts[i] = LLVMBuildLoad2(gen->builder, type, slots[i], "");
    }
    for (int dim = 0; expr->known_extents && dim < expr->type->array.ndim; dim++) {
        if (expr->known_extents[dim] >= 0)
            value.parts[1 + dim] = l_i64(gen, expr->known_extents[dim]);
    }
    return value;
}

void
ck_gen_assign(struct ck_gen *gen, int local, struct ck_gen_value value)
{
    for (int i = 0; i < value.n; i++)
        LLVMBuildStore(gen->builder, value.parts[i], gen->frame->slots[local][i]);
}

static struct ck_gen_value
gen_let(struct ck_gen *gen, const struct ck_texpr *expr)
{
    ck_gen_assign(gen, expr->let.local, ck_gen_expr(gen, expr->let.init));
    return ck_gen_expr(gen, expr->let.body);
}

static LLVMValueRef
gen_cast(struct ck_gen *gen, const struct ck_texpr *expr)
{
    const struct ck_texpr *operand = expr->unary.operand;
    if (ck_type_is_complex(operand->type)) /* to bool */
        return ck_gen_complex_truth(gen, ck_gen_expr(gen, operand));
    LLVMValueRef v_operand = ck_gen_scalar(gen, operand);
    LLVMValueRef v_result = ck_gen_cast(gen, operand->type, expr->type, v_operand);
    ck_gen_check_cast(gen, expr, operand, v_operand, v_result);
    return v_result;
}

static LLVMValueRef
gen_compare(struct ck_gen *gen, const struct ck_texpr *expr)
{
    if (ck_type_is_complex(expr->compare.left->type))
        return ck_gen_complex_compare(gen, expr);
    LLVMValueRef v_left = ck_gen_scalar(gen, expr->compare.left);
    LLVMValueRef v_right = ck_gen_scalar(gen, expr->compare.right);
    return ck_gen_compare(gen, expr->compare.op, expr->compare.left->type, v_left, v_right);
}

static LLVMValueRef
gen_logical(struct ck_gen *gen, const struct ck_texpr *expr)
{
    LLVMBasicBlockRef b_right = l_block(gen, expr->logical.is_or ? "or.right" : "and.right");
    LLVMBasicBlockRef b_done = l_block(gen, "logical.done");
    LLVMValueRef v_left = ck_gen_scalar(gen, expr->logical.left);
    LLVMBasicBlockRef b_left_end = LLVMGetInsertBlock(gen->builder);
    if (expr->logical.is_or)
        LLVMBuildCondBr(gen->builder, v_left, b_done, b_right);
    else
        LLVMBuildCondBr(gen->builder, v_left, b_right, b_done);

    l_at(gen, b_right);
    LLVMValueRef v_right = ck_gen_scalar(gen, expr->logical.right);
    LLVMBasicBlockRef b_right_end = LLVMGetInsertBlock(gen->builder);
    l_branch(gen, b_done);

    l_at(gen, b_done);
    LLVMValueRef v_phi = LLVMBuildPhi(gen->builder, gen->t_i1, "");
    LLVMValueRef v_short = LLVMConstInt(gen->t_i1, expr->logical.is_or, false);
    LLVMAddIncoming(v_phi, (LLVMValueRef[]){v_short, v_right},
                    (LLVMBasicBlockRef[]){b_left_end, b_right_end}, 2);
    return v_phi;
}

static struct ck_gen_value
gen_select(struct ck_gen *gen, const struct ck_texpr *expr)
{
    LLVMBasicBlockRef b_then = l_block(gen, "select.then");
    LLVMBasicBlockRef b_else = l_block(gen, "select.else");
    LLVMBasicBlockRef b_done = l_block(gen, "select.done");
    LLVMBuildCondBr(gen->builder, ck_gen_scalar(gen, expr->select.test), b_then, b_else);

    l_at(gen, b_then);
    struct ck_gen_value then = ck_gen_expr(gen, expr->select.then);
    LLVMBasicBlockRef b_then_end = LLVMGetInsertBlock(gen->builder);
    l_branch(gen, b_done);

    l_at(gen, b_else);
    struct ck_gen_value otherwise = ck_gen_expr(gen, expr->select.otherwise);
    LLVMBasicBlockRef b_else_end = LLVMGetInsertBlock(gen->builder);
    l_branch(gen, b_done);

    l_at(gen, b_done);
    struct ck_gen_value value = ck_gen_value_new(gen, then.n);
    for (int i = 0; i < value.n; i++) {
        value.parts[i] = LLVMBuildPhi(gen->builder, LLVMTypeOf(then.parts[i]), "");
        LLVMAddIncoming(value.parts[i], (LLVMValueRef[]){then.parts[i], otherwise.parts[i]},
                        (LLVMBasicBlockRef[]){b_then_end, b_else_end}, 2);
    }
    return value;
}

static struct ck_gen_value
gen_tuple(struct ck_gen *gen, const struct ck_texpr *expr)
{
    struct ck_gen_value value = ck_gen_value_new(gen, ck_gen_n_parts(expr->type));
    int n = 0;
    for (int i = 0; i < expr->tuple.n; i++) {
        struct ck_gen_value item = ck_gen_expr(gen, expr->tuple.items[i]);
        for (int part = 0; part < item.n; part++)
            value.parts[n++] = item.parts[part];
    }
    return value;
}

static struct ck_gen_value
gen_item(struct ck_gen *gen, const struct ck_texpr *expr)
{
    const struct ck_type *type = expr->item.tuple->type;
    struct ck_gen_value tuple = ck_gen_expr(gen, expr->item.tuple);
    bool complex = ck_type_is_complex(type);
    int first = complex ? expr->item.index : 0;
    for (int i = 0; !complex && i < expr->item.index; i++)
        first += ck_gen_n_parts(type->tuple.items[i]);
    return (struct ck_gen_value){ck_gen_n_parts(expr->type), tuple.parts + first};
}

static LLVMValueRef
gen_shape(struct ck_gen *gen, const struct ck_texpr *expr)
{
    return ck_gen_expr(gen, expr->extent.array).parts[1 + expr->extent.dim];
}

static LLVMValueRef
gen_stride(struct ck_gen *gen, const struct ck_texpr *expr)
{
    const struct ck_texpr *array = expr->extent.array;
    return ck_gen_stride_bytes(gen, array->type, ck_gen_expr(gen, array), expr->extent.dim);
}

static LLVMValueRef
gen_unary(struct ck_gen *gen, const struct ck_texpr *expr)
{
    LLVMValueRef v_operand = ck_gen_scalar(gen, expr->unary.operand);
    LLVMValueRef v_result = ck_gen_unary(gen, expr->unary.op, expr->type, v_operand);
    if (expr->unary.op == CK_OP_NEG)
        ck_gen_check_negated(gen, expr, expr->unary.operand, v_operand, v_result);
    return v_result;
}

typedef LLVMValueRef gen_scalar_fn(struct ck_gen *gen, const struct ck_texpr *expr);
typedef struct ck_gen_value gen_value_fn(struct ck_gen *gen, const struct ck_texpr *expr);

/* By kind: expressions whose value is always a scalar, and the others. */
static gen_scalar_fn *const scalar_kinds[] = {
    [CK_T_CONST] = gen_constant,   [CK_T_CAST] = gen_cast,       [CK_T_UNARY] = gen_unary,
    [CK_T_BINARY] = ck_gen_binary, [CK_T_COMPARE] = gen_compare, [CK_T_LOGICAL] = gen_logical,
    [CK_T_SHAPE] = gen_shape,      [CK_T_STRIDE] = gen_stride,   [CK_T_BUILTIN] = NULL,
};

static gen_value_fn *const value_kinds[] = {
    [CK_T_LOCAL] = gen_local,
    [CK_T_LET] = gen_let,
    [CK_T_SELECT] = gen_select,
    [CK_T_TUPLE] = gen_tuple,
    [CK_T_ITEM] = gen_item,
    [CK_T_RETYPE] = ck_gen_retype,
    [CK_T_CALL] = ck_gen_call,
    [CK_T_BUILTIN] = ck_gen_builtin,
    [CK_T_VIEW] = ck_gen_view,
    [CK_T_ADDRESS] = ck_gen_address,
    [CK_T_REINTERPRET] = ck_gen_reinterpret,
    [CK_T_TRANSPOSE] = ck_gen_transpose,
    [CK_T_RESHAPE] = ck_gen_reshape,
    [CK_T_FIELD] = ck_gen_field,
    [CK_T_ARRAY] = ck_gen_const_array,
    [CK_T_MODULE_ARRAY] = ck_gen_module_array,
    [CK_T_ELEMENT] = ck_gen_element_load,
};

struct ck_gen_value
ck_gen_expr(struct ck_gen *gen, const struct ck_texpr *expr)
{
    if (value_kinds[expr->kind])
        return value_kinds[expr->kind](gen, expr);
    if (ck_type_is_complex(expr->type))
        return ck_gen_complex(gen, expr);
    return ck_gen_value_scalar(gen, scalar_kinds[expr->kind](gen, expr));
}

LLVMValueRef
ck_gen_scalar(struct ck_gen *gen, const struct ck_texpr *expr)
{
    if (scalar_kinds[expr->kind])
        return scalar_kinds[expr->kind](gen, expr);
    return value_kinds[expr->kind](gen, expr).parts[0];
}
