/* What a thread's code says of its barriers and exchanges where it is to become loops over the
 * threads of its block (lockstep.c): calls of functions that there are not, which mark places.
 *
 * An exchange is a value in memory of the thread, a barrier, and a look at another thread's: all
 * threads of a warp come to it together if those of the block do. */
#include "codegen/host/host.h"

/* A function that may do anything, but comes back. */
static LLVMValueRef
call(struct ck_gen *gen, const char *name, LLVMTypeRef returns, LLVMValueRef *args, unsigned n)
{
    LLVMTypeRef types[3];
    for (unsigned i = 0; i < n; i++)
        types[i] = LLVMTypeOf(args[i]);
    LLVMValueRef v_function = ck_host_external(gen, name, returns, types, n);
    l_attribute(gen, v_function, LLVMAttributeFunctionIndex, "willreturn", 0);
    return l_call(gen, v_function, args, n);
}

/* One that computes something of its arguments. */
static LLVMValueRef
compute(struct ck_gen *gen, const char *name, LLVMTypeRef returns, LLVMValueRef *args, unsigned n)
{
    bool is_new = !LLVMGetNamedFunction(gen->module, name);
    LLVMValueRef v_call = call(gen, name, returns, args, n);
    LLVMValueRef v_function = LLVMGetCalledValue(v_call);
    static const char *const attributes[] = {"nosync", "nofree", "memory"};
    for (size_t i = 0; is_new && i < sizeof attributes / sizeof *attributes; i++)
        l_attribute(gen, v_function, LLVMAttributeFunctionIndex, attributes[i], 0);
    if (is_new && returns == gen->t_i64)
        l_attribute_range(gen, v_function, LLVMAttributeReturnIndex, CK_NOT_NEGATIVE);
    return v_call;
}

LLVMValueRef
ck_host_together_index(struct ck_gen *gen, uint32_t dim)
{
    LLVMValueRef v_dim = l_i32(gen, dim);
    return compute(gen, CK_LOCKSTEP_INDEX, gen->t_i64, &v_dim, 1);
}

/* The frames too are known to it: that nothing seems to use them yet says nothing. */
void
ck_host_together_barrier(struct ck_gen *gen)
{
    LLVMValueRef v_frames = LLVMGetParam(gen->func->v_function, 2);
    l_convergent(gen, call(gen, CK_LOCKSTEP_BARRIER, gen->t_void, &v_frames, 1));
}

/* No loops are made of code that has this. */
static void
give_up(struct ck_gen *gen, struct ck_exchange *x)
{
    call(gen, CK_LOCKSTEP_NEVER, gen->t_void, NULL, 0);
    if (x->type)
        x->v_result = LLVMConstNull(x->type);
    if (x->op == CK_EXCHANGE_MATCH_ALL)
        x->v_all = LLVMConstNull(gen->t_i1);
}

/* The rank in the block of the thread that a shuffle asks for, or this one's if there is none. */
static LLVMValueRef
rank_of_other(struct ck_gen *gen, const struct ck_exchange *x, LLVMValueRef v_rank)
{
    LLVMBuilderRef builder = gen->builder;
    LLVMValueRef v_lane = LLVMBuildAnd(builder, v_rank, l_i64(gen, 31), "");
    LLVMValueRef v_base = LLVMBuildSub(builder, v_rank, v_lane, "");
    LLVMValueRef v_by = LLVMBuildZExt(builder, x->v_lane, gen->t_i64, "");
    v_by = LLVMBuildAnd(builder, v_by, l_i64(gen, 31), "");
    LLVMValueRef v_from = x->op == CK_EXCHANGE_SHFL      ? v_by
                          : x->op == CK_EXCHANGE_SHFL_UP ? LLVMBuildSub(builder, v_lane, v_by, "")
                          : x->op == CK_EXCHANGE_SHFL_DOWN
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
    return compute(gen, CK_LOCKSTEP_SLOT, gen->t_ptr, args, 3);
}

static void
shuffle(struct ck_gen *gen, struct ck_exchange *x)
{
    uint32_t id = gen->func->n_slots++, bytes = LLVMGetIntTypeWidth(x->type) / 8;
    LLVMValueRef v_rank = ck_host_together_index(gen, CK_LOCKSTEP_RANK);
    l_store(gen, x->v_value, slot(gen, id, bytes, v_rank), bytes);
    ck_host_together_barrier(gen);
    LLVMValueRef v_from = slot(gen, id, bytes, rank_of_other(gen, x, v_rank));
    x->v_result = l_load(gen, x->type, v_from, bytes, "");
    call(gen, CK_LOCKSTEP_TAKEN, gen->t_void, NULL, 0);
}

static void
count(struct ck_gen *gen, struct ck_exchange *x)
{
    LLVMBuilderRef builder = gen->builder;
    LLVMValueRef args[] = {l_i32(gen, gen->func->n_slots++),
                           LLVMBuildZExt(builder, x->v_value, gen->t_i32, "")};
    call(gen, CK_LOCKSTEP_COUNT, gen->t_void, args, 2);
    ck_host_together_barrier(gen);
    LLVMValueRef v_count = call(gen, CK_LOCKSTEP_COUNTED, gen->t_i32, args, 1);
    LLVMValueRef v_all = LLVMBuildTrunc(builder, ck_gen_volume(gen, CK_BLOCK_DIM), gen->t_i32, "");
    LLVMValueRef v_is = x->op == CK_EXCHANGE_BLOCK_AND
                            ? l_compare(gen, LLVMIntEQ, v_count, v_all)
                            : l_compare(gen, LLVMIntNE, v_count, l_i32(gen, 0));
    x->v_result =
        x->op == CK_EXCHANGE_BLOCK_COUNT ? v_count : LLVMBuildZExt(builder, v_is, gen->t_i32, "");
}

/* Whether it is seen that all lanes give the mask of those that take part: those that a program
 * gives may differ, and what waits in vain is to be reported. */
static bool
knows_mask(const struct ck_gen *gen, const struct ck_exchange *x)
{
    return gen->frame->info->tfunc->in_prelude ||
           (LLVMIsAConstantInt(x->v_mask) && LLVMConstIntGetZExtValue(x->v_mask) == UINT32_MAX);
}

void
ck_host_together_exchange(struct ck_gen *gen, struct ck_exchange *x)
{
    switch (x->op) {
    case CK_EXCHANGE_SYNC:
        if (knows_mask(gen, x))
            ck_host_together_barrier(gen);
        else
            give_up(gen, x);
        return;
    case CK_EXCHANGE_SHFL:
    case CK_EXCHANGE_SHFL_UP:
    case CK_EXCHANGE_SHFL_DOWN:
    case CK_EXCHANGE_SHFL_XOR:
        if (knows_mask(gen, x))
            shuffle(gen, x);
        else
            give_up(gen, x);
        return;
    case CK_EXCHANGE_GROUP:
    case CK_EXCHANGE_PART:
        ck_host_together_barrier(gen);
        return;
    case CK_EXCHANGE_BLOCK_COUNT:
    case CK_EXCHANGE_BLOCK_AND:
    case CK_EXCHANGE_BLOCK_OR:
        count(gen, x);
        return;
    default:
        give_up(gen, x);
    }
}
