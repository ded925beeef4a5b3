/* Lowerings of the primitives of copies by groups: see lang/prelude/copy.ck. */
#include <assert.h>

#include "codegen/lower/builtin.h"

/* A pointer's address as an integer. ptrtoint would make LLVM assume that the pointer escapes and
 * that unknown code writes through it; this call does not. */
static LLVMValueRef
address_function(struct ck_gen *gen, LLVMTypeRef pointer)
{
    const char *name =
        ck_arena_printf(&gen->arena, "ck.address.%u", LLVMGetPointerAddressSpace(pointer));
    LLVMValueRef v_function = LLVMGetNamedFunction(gen->module, name);
    if (v_function)
        return v_function;
    v_function = l_pure_function(gen, name, gen->t_i64, &pointer, 1);
    LLVMSetLinkage(v_function, LLVMInternalLinkage);
    l_attribute(gen, v_function, LLVMAttributeFunctionIndex, "alwaysinline", 0);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(gen->llvm);
    LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(gen->llvm, v_function, ""));
    LLVMBuildRet(builder, LLVMBuildPtrToInt(builder, LLVMGetParam(v_function, 0), gen->t_i64, ""));
    LLVMDisposeBuilder(builder);
    return v_function;
}

struct ck_gen_value
ck_lower_address(struct ck_gen *gen, const struct ck_texpr *expr)
{
    LLVMValueRef v_data = ck_gen_expr(gen, expr->builtin.args[0]).parts[0];
    LLVMValueRef v_function = address_function(gen, LLVMTypeOf(v_data));
    LLVMTypeRef type = LLVMGlobalGetValueType(v_function);
    ck_debug_at(gen, expr->span);
    LLVMValueRef v_address = LLVMBuildCall2(gen->builder, type, v_function, &v_data, 1, "");
    l_captures_nothing(gen, v_address, 1);
    return ck_gen_value_scalar(gen, v_address);
}

struct ck_gen_value
ck_lower_hidden(struct ck_gen *gen, const struct ck_texpr *expr)
{
    LLVMValueRef v = ck_gen_expr(gen, expr->builtin.args[0]).parts[0];
    if (gen->target->memory->hidden)
        v = gen->target->memory->hidden(gen, v);
    return ck_gen_value_scalar(gen, v);
}

/* The address at an offset in bytes from an array's first element. */
static LLVMValueRef
address(struct ck_gen *gen, const struct ck_texpr *array, const struct ck_texpr *offset)
{
    LLVMValueRef v_data = ck_gen_expr(gen, array).parts[0];
    LLVMValueRef v_offset = ck_gen_scalar(gen, offset);
    return LLVMBuildGEP2(gen->builder, gen->t_i8, v_data, &v_offset, 1, "");
}

static enum ck_space
space_of(const struct ck_texpr *array)
{
    return array->type->array.space;
}

/* Copies through registers; both addresses are multiples of `bytes`. */
static void
copy_now(struct ck_gen *gen, const struct ck_texpr *source, LLVMValueRef v_to, LLVMValueRef v_from,
         unsigned bytes)
{
    LLVMTypeRef type =
        bytes == 16 ? LLVMVectorType(gen->t_i32, 4) : LLVMIntTypeInContext(gen->llvm, bytes * 8);
    LLVMValueRef v_value = l_load(gen, type, v_from, bytes, "");
    l_store(gen, ck_gen_settle(gen, source->type, v_value), v_to, bytes);
}

/* destination, offset, source, offset, bytes */
struct ck_gen_value
ck_lower_copy_bytes(struct ck_gen *gen, const struct ck_texpr *expr)
{
    struct ck_texpr **args = expr->builtin.args;
    assert(args[4]->kind == CK_T_CONST);
    unsigned bytes = (unsigned)args[4]->constant.i;
    LLVMValueRef v_to = address(gen, args[0], args[1]);
    LLVMValueRef v_from = address(gen, args[2], args[3]);
    const struct ck_copy_ops *copy = gen->target->copy;
    ck_gen_check_copy(gen, args[0], v_to, args[2], v_from, bytes, expr->span);
    bool stages = space_of(args[0]) == CK_SPACE_SHARED && space_of(args[2]) == CK_SPACE_GLOBAL;
    if (!stages || bytes < 4 || !copy->async || !copy->async(gen, v_to, v_from, bytes))
        copy_now(gen, args[2], v_to, v_from, bytes);
    return ck_gen_value_new(gen, 0);
}

/* destination, source, start, bytes */
struct ck_gen_value
ck_lower_copy_in_bulk(struct ck_gen *gen, const struct ck_texpr *expr)
{
    struct ck_texpr **args = expr->builtin.args;
    if (!gen->target->copy->bulk)
        return ck_gen_value_scalar(gen, LLVMConstInt(gen->t_i1, 0, false));
    struct ck_bulk_copy copy = {
        .v_to = ck_gen_expr(gen, args[0]).parts[0],
        .v_source = ck_gen_expr(gen, args[1]).parts[0],
        .v_start = ck_gen_scalar(gen, args[2]),
        .v_bytes = LLVMBuildTrunc(gen->builder, ck_gen_scalar(gen, args[3]), gen->t_i32, ""),
        .size = (uint64_t)ck_type_size(args[1]->type->array.elem),
    };
    return ck_gen_value_scalar(gen, gen->target->copy->bulk(gen, &copy));
}

/* Combines an array's extents, strides and address in a hash. The address is left out if each
 * thread can have its own array. */
static LLVMValueRef
digest(struct ck_gen *gen, const struct ck_texpr *array, LLVMValueRef v_digest)
{
    LLVMBuilderRef builder = gen->builder;
    struct ck_gen_value value = ck_gen_expr(gen, array);
    bool everywhere = space_of(array) != CK_SPACE_LOCAL && space_of(array) != CK_SPACE_GENERIC;
    for (int i = everywhere ? 0 : 1; i < value.n; i++) {
        LLVMValueRef v_part = value.parts[i];
        if (i == 0)
            v_part = LLVMBuildPtrToInt(builder, v_part, gen->t_i64, "");
        v_digest = LLVMBuildXor(builder, v_digest, v_part, "");
        v_digest = LLVMBuildMul(builder, v_digest, l_i64(gen, 0x9e3779b97f4a7c15), "");
        LLVMValueRef v_high = LLVMBuildLShr(builder, v_digest, l_i64(gen, 32), "");
        v_digest = LLVMBuildXor(builder, v_digest, v_high, "");
    }
    return v_digest;
}

/* group, threads, destination, source */
struct ck_gen_value
ck_lower_copy_check(struct ck_gen *gen, const struct ck_texpr *expr)
{
    struct ck_texpr **args = expr->builtin.args;
    if (gen->target->copy->check) {
        LLVMValueRef v_group = ck_gen_scalar(gen, args[0]), v_threads = ck_gen_scalar(gen, args[1]);
        LLVMValueRef v_digest = digest(gen, args[3], digest(gen, args[2], l_i64(gen, 0)));
        ck_debug_at(gen, expr->span);
        gen->target->copy->check(gen, v_group, v_threads, v_digest, expr->span);
    }
    return ck_gen_value_new(gen, 0);
}

struct ck_gen_value
ck_lower_copy_commit(struct ck_gen *gen, const struct ck_texpr *expr)
{
    (void)expr;
    ck_gen_check_commit(gen);
    if (gen->target->copy->commit)
        gen->target->copy->commit(gen);
    return ck_gen_value_new(gen, 0);
}

struct ck_gen_value
ck_lower_copy_wait(struct ck_gen *gen, const struct ck_texpr *expr)
{
    const unsigned n = (unsigned)expr->builtin.args[0]->constant.i;
    ck_gen_check_wait(gen, n);
    if (gen->target->copy->wait)
        gen->target->copy->wait(gen, n);
    return ck_gen_value_new(gen, 0);
}
