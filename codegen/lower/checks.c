/* Checks: code that finds a mistake of the program while it runs. The target reports it.
 *
 * The prelude's own accesses are not checked: its functions are part of the compiler. Those that it
 * makes for the program, of whole arrays, are checked at the program's call. */
#include <ck/run.h>

#include "codegen/lower/lower.h"

static bool
has_checks(const struct ck_gen *gen, unsigned check)
{
    return gen->options->checks & gen->target->traits.checks & check;
}

bool
ck_gen_checks_memory(const struct ck_gen *gen)
{
    return has_checks(gen, CK_CHECK_RACE | CK_CHECK_INIT);
}

bool
ck_gen_has_findings(const struct ck_gen *gen)
{
    return has_checks(gen, ~0u);
}

bool
ck_gen_checks(const struct ck_gen *gen, unsigned check)
{
    return has_checks(gen, check) && !gen->frame->info->tfunc->in_prelude;
}

/* Whether accesses here are checked. */
static bool
checks_accesses(const struct ck_gen *gen, unsigned check)
{
    const struct ck_tfunc *function = gen->frame->info->tfunc;
    return has_checks(gen, check) && (!function->in_prelude || function->is_checked);
}

void
ck_gen_check_index(struct ck_gen *gen, const struct ck_texpr *array, int axis,
                   const struct ck_tindex *index, LLVMValueRef v_index, LLVMValueRef v_extent)
{
    if (!ck_gen_checks(gen, CK_CHECK_BOUNDS))
        return;
    LLVMBasicBlockRef b_outside = l_block(gen, "outside"), b_inside = l_block(gen, "inside");
    LLVMValueRef v_is_inside = l_compare(gen, LLVMIntULT, v_index, v_extent);
    LLVMBuildCondBr(gen->builder, v_is_inside, b_inside, b_outside);
    l_at(gen, b_outside);
    gen->target->check->out_of_bounds(gen, array, axis, index, v_index, v_extent);
    l_branch(gen, b_inside);
    l_at(gen, b_inside);
}

/* A view begins off its elements' alignment, or none of its elements is: strides count elements. */
static void
check_alignment(struct ck_gen *gen, const struct ck_texpr *array, const struct ck_tindex *index,
                LLVMValueRef v_base)
{
    const int size = ck_array_align(array->type);
    if (!gen->has_wide_views || size == 1 || !checks_accesses(gen, CK_CHECK_BOUNDS))
        return;
    LLVMBasicBlockRef b_off = l_block(gen, "misaligned"), b_aligned = l_block(gen, "aligned");
    LLVMValueRef v_begin = LLVMBuildPtrToInt(gen->builder, v_base, gen->t_i64, "");
    LLVMValueRef v_off = LLVMBuildAnd(gen->builder, v_begin, l_i64(gen, size - 1), "");
    LLVMBuildCondBr(gen->builder, LLVMBuildIsNull(gen->builder, v_off, ""), b_aligned, b_off);
    l_at(gen, b_off);
    gen->target->check->out_of_bounds(gen, array, CK_BOUNDS_MISALIGNED, index, v_off,
                                      l_i64(gen, size));
    l_branch(gen, b_aligned);
    l_at(gen, b_aligned);
}

void
ck_gen_check_access(struct ck_gen *gen, const struct ck_texpr *array, const struct ck_tindex *index,
                    LLVMValueRef v_base, LLVMValueRef v_address, unsigned bytes,
                    struct ck_access_kind kind)
{
    check_alignment(gen, array, index, v_base);
    if (!checks_accesses(gen, CK_CHECK_RACE | CK_CHECK_INIT) ||
        array->type->array.space == CK_SPACE_CONST)
        return;
    const unsigned align = (unsigned)ck_array_align(array->type);
    const unsigned piece = bytes < align ? bytes : align; /* is one access */
    for (unsigned at = 0; at < bytes; at += piece) {
        LLVMValueRef v_offset = l_i64(gen, at);
        LLVMValueRef v_piece =
            at ? LLVMBuildGEP2(gen->builder, gen->t_i8, v_address, &v_offset, 1, "") : v_address;
        gen->target->check->access(gen, array, index, v_base, v_piece, piece, kind);
    }
}

/* The prelude copies for the user, whose call the finding names. */
void
ck_gen_check_copy(struct ck_gen *gen, const struct ck_texpr *to, LLVMValueRef v_to,
                  const struct ck_texpr *from, LLVMValueRef v_from, unsigned bytes,
                  struct ck_span span)
{
    ck_gen_user_frame(gen, &span);
    if (ck_gen_checks_memory(gen))
        gen->target->check->copy(gen, to, v_to, from, v_from, bytes, span);
}

void
ck_gen_check_commit(struct ck_gen *gen)
{
    if (has_checks(gen, CK_CHECK_RACE))
        gen->target->check->commit(gen);
}

void
ck_gen_check_wait(struct ck_gen *gen, unsigned n)
{
    if (has_checks(gen, CK_CHECK_RACE))
        gen->target->check->wait(gen, n);
}

void
ck_gen_check_unset(struct ck_gen *gen, LLVMValueRef v_address, uint64_t bytes)
{
    if (ck_gen_checks(gen, CK_CHECK_INIT))
        gen->target->check->unset(gen, v_address, bytes);
}
