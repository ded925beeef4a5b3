/* Recursive functions: real calls, whose stack is limited.
 *
 * No target bounds the depth of calls by itself, so the code counts. A function from which
 * recursive calls are reached takes the bytes of stack used so far as one more parameter. A
 * recursive function adds those of its frame, and fails as an assertion does where the sum exceeds
 * CK_RECURSION_BYTES. A frame's bytes are those of the typed function, not of its code, so that all
 * devices have one limit; the devices' stacks have room for more (docs/adr/029). */
#include "base/limits.h"
#include "codegen/lower/lower.h"

/* For the return address and saved registers. */
enum { FRAME_BYTES = 48, PART_BYTES = 8, FRAME_ALIGN = 16 };

static uint64_t
at_most_all(uint64_t bytes)
{
    return bytes > CK_RECURSION_BYTES ? CK_RECURSION_BYTES + FRAME_ALIGN : bytes;
}

/* Local arrays, and the results of calls, which have to be kept during other calls. */
static void
add_memory(void *context, struct ck_texpr *expr)
{
    uint64_t *bytes = context;
    if (expr->kind == CK_T_CALL)
        *bytes = at_most_all(*bytes + PART_BYTES * (uint64_t)ck_gen_n_parts(expr->type));
    if (expr->kind == CK_T_BUILTIN && expr->builtin.id == CK_BUILTIN_LOCAL_ARRAY) {
        uint64_t size = (uint64_t)ck_type_size(expr->type->array.elem);
        for (int dim = 0; dim < expr->builtin.n_args; dim++)
            size = at_most_all(size * (uint64_t)expr->builtin.args[dim]->constant.i);
        *bytes = at_most_all(*bytes + size);
    }
    ck_texpr_each(expr, add_memory, context);
}

/* The bytes of a call, with those of the functions that it calls and that are not recursive: they
 * may be inlined. */
static uint64_t
frame_bytes(struct ck_gen *gen, const struct ck_tfunc *tfunc)
{
    struct ck_func_info *info = ck_gen_func_info(gen, tfunc);
    if (info->frame_bytes)
        return info->frame_bytes;
    uint64_t bytes = FRAME_BYTES;
    for (int i = 0; i < tfunc->n_locals; i++)
        bytes += PART_BYTES * (uint64_t)ck_gen_n_parts(tfunc->locals[i].type);
    ck_tblock_each_expr(&tfunc->body, add_memory, &bytes);
    for (int i = 0; i < tfunc->n_callees; i++) {
        if (!tfunc->callees[i]->is_recursive)
            bytes = at_most_all(bytes + frame_bytes(gen, tfunc->callees[i]));
    }
    info->frame_bytes = at_most_all((bytes + FRAME_ALIGN - 1) / FRAME_ALIGN * FRAME_ALIGN);
    return info->frame_bytes;
}

LLVMValueRef
ck_gen_stack_used(struct ck_gen *gen)
{
    return gen->func->v_stack_used ? gen->func->v_stack_used : l_i32(gen, 0);
}

void
ck_gen_limit_recursion(struct ck_gen *gen, const struct ck_tfunc *tfunc)
{
    const uint32_t bytes = (uint32_t)frame_bytes(gen, tfunc);
    LLVMValueRef v_used =
        LLVMBuildAdd(gen->builder, ck_gen_stack_used(gen), l_i32(gen, bytes), "stack.used");
    gen->func->v_stack_used = v_used;
    if (tfunc->in_prelude) /* a function of the program in the same cycle tests the sum */
        return;
    LLVMValueRef v_fits = l_compare(gen, LLVMIntULE, v_used, l_i32(gen, CK_RECURSION_BYTES));
    LLVMBasicBlockRef b_deep = l_block(gen, "recursion.deep");
    LLVMBasicBlockRef b_fits = l_block(gen, "recursion.fits");
    struct ck_span span = tfunc->span;
    const struct ck_failed_assert failed = {
        .message = ck_arena_printf(
            &gen->arena, "recursion too deep: the calls of a thread take more than %d KiB of stack",
            CK_RECURSION_BYTES >> 10),
        .condition = tfunc->name,
        .span = span,
        .line = ck_source_origin(gen->program->source, span.start).line,
        .function = tfunc->name,
    };
    LLVMBuildCondBr(gen->builder, v_fits, b_fits, b_deep);
    l_at(gen, b_deep);
    gen->target->thread->assert_fail(gen, &failed);
    l_at(gen, b_fits);
}
