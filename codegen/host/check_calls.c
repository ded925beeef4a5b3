/* Checks on the host: calls of the executor, which reports findings. */
#include <ck/run.h>

#include "codegen/host/host.h"

/* --- Bounds ------------------------------------------------------------------------------------
 */

/* The thread's position in its block, as ck_cpu_out_of_bounds takes it. */
LLVMValueRef
ck_host_thread_position(struct ck_gen *gen)
{
    LLVMValueRef v_position = l_i64(gen, 0);
    for (int dim = 2; dim >= 0; dim--) {
        LLVMValueRef v_index = ck_host_position(gen, CK_THREAD_IDX, dim);
        v_position = LLVMBuildShl(gen->builder, v_position, l_i64(gen, 16), "");
        v_position = LLVMBuildOr(gen->builder, v_position, v_index, "");
    }
    return v_position;
}

static void
out_of_bounds(struct ck_gen *gen, const struct ck_texpr *array, int axis,
              const struct ck_tindex *index, LLVMValueRef v_index, LLVMValueRef v_extent)
{
    LLVMTypeRef params[] = {gen->t_ptr, gen->t_i32, gen->t_i32, gen->t_i64, gen->t_i64, gen->t_i64};
    LLVMValueRef v_report = ck_host_external(gen, CK_HOST_OUT_OF_BOUNDS, gen->t_void, params, 6);
    l_attribute(gen, v_report, LLVMAttributeFunctionIndex, "cold", 0);
    LLVMValueRef args[] = {gen->func->v_hidden[HIDDEN_BLOCK],
                           l_i32(gen, ck_gen_access_site(gen, array, index)),
                           l_i32(gen, (uint32_t)axis),
                           v_index,
                           v_extent,
                           ck_host_thread_position(gen)};
    l_call(gen, v_report, args, 6);
}

/* --- Accesses ----------------------------------------------------------------------------------
 */

static void
call(struct ck_gen *gen, const char *name, LLVMValueRef *args, unsigned n)
{
    LLVMTypeRef types[8];
    for (unsigned i = 0; i < n; i++)
        types[i] = LLVMTypeOf(args[i]);
    l_call(gen, ck_host_external(gen, name, gen->t_void, types, n), args, n);
}

/* What of an access depends on the memory that the array is in. */
static uint32_t
how_in(enum ck_space space)
{
    return (space == CK_SPACE_LOCAL ? CK_CPU_ACCESS_PRIVATE : 0) |
           (space == CK_SPACE_LOCAL || space == CK_SPACE_SHARED ? CK_CPU_ACCESS_BEGINS_UNSET : 0);
}

static uint32_t
how(const struct ck_type *array, unsigned bytes, struct ck_access_kind kind)
{
    const bool acquires = kind.order != CK_ORDER_RELAXED && kind.order != CK_ORDER_RELEASE;
    return bytes | (kind.reads ? CK_CPU_ACCESS_READS : 0) |
           (kind.writes ? CK_CPU_ACCESS_WRITES : 0) | (kind.atomic ? CK_CPU_ACCESS_ATOMIC : 0) |
           (kind.polls ? CK_CPU_ACCESS_POLLS : 0) |
           (kind.order >= CK_ORDER_RELEASE ? CK_CPU_ACCESS_RELEASES : 0) |
           (acquires ? CK_CPU_ACCESS_ACQUIRES : 0) | how_in(array->array.space);
}

static void
access(struct ck_gen *gen, const struct ck_texpr *array, const struct ck_tindex *index,
       LLVMValueRef v_base, LLVMValueRef v_address, unsigned bytes, struct ck_access_kind kind)
{
    LLVMValueRef args[] = {gen->func->v_hidden[HIDDEN_BLOCK], v_address, v_base,
                           l_i32(gen, ck_gen_access_site(gen, array, index)),
                           l_i32(gen, how(array->type, bytes, kind))};
    call(gen, "ck_cpu_access", args, 5);
}

/* One of the two accesses of a copy. */
static void
copy_access(struct ck_gen *gen, LLVMValueRef v_address, uint32_t site, uint32_t how)
{
    LLVMValueRef args[] = {gen->func->v_hidden[HIDDEN_BLOCK], v_address, v_address,
                           l_i32(gen, site), l_i32(gen, how | CK_CPU_ACCESS_COPIES)};
    call(gen, "ck_cpu_access", args, 5);
}

static void
copy(struct ck_gen *gen, const struct ck_texpr *to, LLVMValueRef v_to, const struct ck_texpr *from,
     LLVMValueRef v_from, unsigned bytes, struct ck_span span)
{
    const uint32_t site = ck_gen_copy_site(gen, span);
    copy_access(gen, v_from, site, bytes | CK_CPU_ACCESS_READS | how_in(from->type->array.space));
    copy_access(gen, v_to, site, bytes | CK_CPU_ACCESS_WRITES | how_in(to->type->array.space));
}

static void
commit(struct ck_gen *gen)
{
    call(gen, "ck_cpu_copy_commit", &gen->func->v_hidden[HIDDEN_BLOCK], 1);
}

static void
wait_for_copies(struct ck_gen *gen, unsigned n)
{
    LLVMValueRef args[] = {gen->func->v_hidden[HIDDEN_BLOCK], l_i32(gen, n)};
    call(gen, "ck_cpu_copy_wait", args, 2);
}

static void
unset(struct ck_gen *gen, LLVMValueRef v_address, uint64_t bytes)
{
    LLVMValueRef args[] = {gen->func->v_hidden[HIDDEN_BLOCK], v_address,
                           l_i64(gen, (int64_t)bytes)};
    call(gen, "ck_cpu_unset", args, 3);
}

static void
overflow(struct ck_gen *gen, uint32_t site, enum ck_overflow_op op, const struct ck_type *type,
         LLVMValueRef v_left, LLVMValueRef v_right, LLVMValueRef v_result)
{
    const uint32_t what = op | (uint32_t)ck_type_bits(type) * CK_OVERFLOW_BITS |
                          (ck_type_is_signed(type) ? 0 : CK_OVERFLOW_UNSIGNED);
    LLVMTypeRef params[] = {gen->t_ptr, gen->t_i32, gen->t_i32, gen->t_i64,
                            gen->t_i64, gen->t_i64, gen->t_i64};
    LLVMValueRef v_report = ck_host_external(gen, "ck_cpu_overflow", gen->t_void, params, 7);
    l_attribute(gen, v_report, LLVMAttributeFunctionIndex, "cold", 0);
    LLVMValueRef args[] = {gen->func->v_hidden[HIDDEN_BLOCK],
                           l_i32(gen, site),
                           l_i32(gen, what),
                           v_left,
                           v_right,
                           v_result,
                           ck_host_thread_position(gen)};
    l_call(gen, v_report, args, 7);
}

/* --- What orders accesses ----------------------------------------------------------------------
 */

static bool
orders_accesses(const struct ck_gen *gen)
{
    return gen->options->checks & CK_CHECK_RACE;
}

void
ck_host_check_arrive(struct ck_gen *gen, enum ck_host_level level)
{
    LLVMValueRef args[] = {gen->func->v_hidden[HIDDEN_BLOCK], l_i32(gen, level)};
    if (orders_accesses(gen))
        call(gen, "ck_cpu_arrive", args, 2);
}

void
ck_host_check_pass(struct ck_gen *gen, enum ck_host_level level)
{
    LLVMValueRef args[] = {gen->func->v_hidden[HIDDEN_BLOCK], l_i32(gen, level)};
    if (orders_accesses(gen))
        call(gen, "ck_cpu_pass", args, 2);
}

void
ck_host_check_fence(struct ck_gen *gen, enum ck_fence scope)
{
    LLVMValueRef args[] = {gen->func->v_hidden[HIDDEN_BLOCK], l_i32(gen, scope != CK_FENCE_BLOCK)};
    if (orders_accesses(gen))
        call(gen, "ck_cpu_fence", args, 2);
}

const struct ck_check_ops ck_host_check = {
    .out_of_bounds = out_of_bounds,
    .access = access,
    .copy = copy,
    .commit = commit,
    .wait = wait_for_copies,
    .unset = unset,
    .overflow = overflow,
};
