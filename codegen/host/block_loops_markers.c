/* Markers of barriers and collectives in the code of a thread that is to become block loops
 * (block_loops.c): calls of functions that do not exist, which the pass finds and replaces.
 *
 * A collective is a store of a value to the thread's memory, a barrier of the block, and a load of
 * another thread's value. A barrier of the block serves for a warp: block loops require that all
 * threads of the block are converged there. */
#include "codegen/host/host.h"

/* Calls a function that may have any effect, but returns. */
static LLVMValueRef
call_marker(struct ck_gen *gen, const char *name, LLVMTypeRef returns, LLVMValueRef *args,
            unsigned n)
{
    LLVMTypeRef types[3];
    for (unsigned i = 0; i < n; i++)
        types[i] = LLVMTypeOf(args[i]);
    LLVMValueRef v_function = ck_host_external(gen, name, returns, types, n);
    l_attribute(gen, v_function, LLVMAttributeFunctionIndex, "willreturn", 0);
    return l_call(gen, v_function, args, n);
}

/* Calls a function whose result depends on its arguments alone. */
static LLVMValueRef
call_pure_marker(struct ck_gen *gen, const char *name, LLVMTypeRef returns, LLVMValueRef *args,
                 unsigned n)
{
    bool is_new = !LLVMGetNamedFunction(gen->module, name);
    LLVMValueRef v_call = call_marker(gen, name, returns, args, n);
    LLVMValueRef v_function = LLVMGetCalledValue(v_call);
    static const char *const attributes[] = {"nosync", "nofree", "memory"};
    for (size_t i = 0; is_new && i < sizeof attributes / sizeof *attributes; i++)
        l_attribute(gen, v_function, LLVMAttributeFunctionIndex, attributes[i], 0);
    if (is_new && returns == gen->t_i64)
        l_attribute_range(gen, v_function, LLVMAttributeReturnIndex, CK_NOT_NEGATIVE);
    return v_call;
}

LLVMValueRef
ck_host_mark_index(struct ck_gen *gen, uint32_t dim)
{
    LLVMValueRef v_dim = l_i32(gen, dim);
    return call_pure_marker(gen, CK_MARKER_INDEX, gen->t_i64, &v_dim, 1);
}

/* The frames are an argument of the marker, because the loops will use them: LLVM must not conclude
 * that the parameter is unused. */
void
ck_host_mark_barrier(struct ck_gen *gen)
{
    LLVMValueRef v_frames = LLVMGetParam(gen->func->v_function, 2);
    l_convergent(gen, call_marker(gen, CK_MARKER_BARRIER, gen->t_void, &v_frames, 1));
}

/* Marks the kernel as one that cannot become block loops. */
static void
mark_unsupported(struct ck_gen *gen, struct ck_collective *x)
{
    call_marker(gen, CK_MARKER_UNSUPPORTED, gen->t_void, NULL, 0);
    if (x->type)
        x->v_result = LLVMConstNull(x->type);
    if (x->op == CK_COLLECTIVE_MATCH_ALL)
        x->v_all = LLVMConstNull(gen->t_i1);
}

/* The rank in the block of the thread from which a shuffle reads: this thread's own if the source
 * lane does not exist or is outside the mask. */
static LLVMValueRef
rank_of_other(struct ck_gen *gen, const struct ck_collective *x, LLVMValueRef v_rank)
{
    LLVMBuilderRef builder = gen->builder;
    LLVMValueRef v_lane = LLVMBuildAnd(builder, v_rank, l_i64(gen, 31), "");
    LLVMValueRef v_base = LLVMBuildSub(builder, v_rank, v_lane, "");
    LLVMValueRef v_by = LLVMBuildZExt(builder, x->v_lane, gen->t_i64, "");
    v_by = LLVMBuildAnd(builder, v_by, l_i64(gen, 31), "");
    LLVMValueRef v_from = x->op == CK_COLLECTIVE_SHFL      ? v_by
                          : x->op == CK_COLLECTIVE_SHFL_UP ? LLVMBuildSub(builder, v_lane, v_by, "")
                          : x->op == CK_COLLECTIVE_SHFL_DOWN
                              ? LLVMBuildAdd(builder, v_lane, v_by, "")
                              : LLVMBuildXor(builder, v_lane, v_by, "");
    LLVMValueRef v_there = l_compare(gen, LLVMIntULE, v_from, l_i64(gen, 31));
    LLVMValueRef v_bit = LLVMBuildAnd(builder, v_from, l_i64(gen, 31), "");
    LLVMValueRef v_mask = LLVMBuildZExt(builder, x->v_mask, gen->t_i64, "");
    v_mask = LLVMBuildAnd(builder, LLVMBuildLShr(builder, v_mask, v_bit, ""), l_i64(gen, 1), "");
    LLVMValueRef v_in = l_compare(gen, LLVMIntNE, v_mask, l_i64(gen, 0));
    LLVMValueRef v_other = LLVMBuildAdd(builder, v_base, v_from, "");
    LLVMValueRef v_is = l_compare(gen, LLVMIntULT, v_other, ck_gen_volume(gen, CK_BLOCK_DIM));
    v_is = LLVMBuildAnd(builder, LLVMBuildAnd(builder, v_there, v_in, ""), v_is, "");
    return LLVMBuildSelect(builder, v_is, v_other, v_rank, "");
}

static LLVMValueRef
slot(struct ck_gen *gen, uint32_t id, uint32_t bytes, LLVMValueRef v_rank)
{
    LLVMValueRef args[] = {l_i32(gen, id), l_i32(gen, bytes), v_rank};
    return call_pure_marker(gen, CK_MARKER_PEER_SLOT, gen->t_ptr, args, 3);
}

static void
shuffle(struct ck_gen *gen, struct ck_collective *x)
{
    uint32_t id = ck_host_function(gen)->n_slots++, bytes = LLVMGetIntTypeWidth(x->type) / 8;
    LLVMValueRef v_rank = ck_host_mark_index(gen, CK_MARKER_RANK);
    l_store(gen, x->v_value, slot(gen, id, bytes, v_rank), bytes);
    ck_host_mark_barrier(gen);
    LLVMValueRef v_from = slot(gen, id, bytes, rank_of_other(gen, x, v_rank));
    x->v_result = l_load(gen, x->type, v_from, bytes, "");
    call_marker(gen, CK_MARKER_PEER_READ, gen->t_void, NULL, 0);
}

static void
count(struct ck_gen *gen, struct ck_collective *x)
{
    LLVMBuilderRef builder = gen->builder;
    LLVMValueRef args[] = {l_i32(gen, ck_host_function(gen)->n_slots++),
                           LLVMBuildZExt(builder, x->v_value, gen->t_i32, "")};
    call_marker(gen, CK_MARKER_COUNT, gen->t_void, args, 2);
    ck_host_mark_barrier(gen);
    LLVMValueRef v_count = call_marker(gen, CK_MARKER_COUNTED, gen->t_i32, args, 1);
    LLVMValueRef v_all = LLVMBuildTrunc(builder, ck_gen_volume(gen, CK_BLOCK_DIM), gen->t_i32, "");
    LLVMValueRef v_is = x->op == CK_COLLECTIVE_BLOCK_AND
                            ? l_compare(gen, LLVMIntEQ, v_count, v_all)
                            : l_compare(gen, LLVMIntNE, v_count, l_i32(gen, 0));
    x->v_result =
        x->op == CK_COLLECTIVE_BLOCK_COUNT ? v_count : LLVMBuildZExt(builder, v_is, gen->t_i32, "");
}

/* Whether all participating lanes are known to pass the same mask. The masks of a program may
 * differ: the CPU device then has to report lanes that never resume, which needs the coroutine. */
static bool
has_consistent_mask(const struct ck_gen *gen, const struct ck_collective *x)
{
    return gen->frame->info->tfunc->in_prelude ||
           (LLVMIsAConstantInt(x->v_mask) && LLVMConstIntGetZExtValue(x->v_mask) == UINT32_MAX);
}

void
ck_host_mark_collective(struct ck_gen *gen, struct ck_collective *x)
{
    switch (x->op) {
    case CK_COLLECTIVE_SYNC:
        if (has_consistent_mask(gen, x))
            ck_host_mark_barrier(gen);
        else
            mark_unsupported(gen, x);
        return;
    case CK_COLLECTIVE_SHFL:
    case CK_COLLECTIVE_SHFL_UP:
    case CK_COLLECTIVE_SHFL_DOWN:
    case CK_COLLECTIVE_SHFL_XOR:
        if (has_consistent_mask(gen, x))
            shuffle(gen, x);
        else
            mark_unsupported(gen, x);
        return;
    case CK_COLLECTIVE_GROUP:
    case CK_COLLECTIVE_PARTITION:
        ck_host_mark_barrier(gen);
        return;
    case CK_COLLECTIVE_BLOCK_COUNT:
    case CK_COLLECTIVE_BLOCK_AND:
    case CK_COLLECTIVE_BLOCK_OR:
        count(gen, x);
        return;
    default:
        mark_unsupported(gen, x);
    }
}
