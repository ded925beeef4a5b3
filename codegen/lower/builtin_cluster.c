/* Lowerings of the primitives of the prelude's cluster groups. */
#include "codegen/lower/builtin.h"

struct ck_gen_value
ck_lower_cluster_position(struct ck_gen *gen, const struct ck_texpr *expr)
{
    enum ck_cluster_place what = (enum ck_cluster_place)expr->builtin.args[0]->constant.i;
    int dim = (int)expr->builtin.args[1]->constant.i;
    return ck_gen_value_scalar(gen, gen->target->cluster->position(gen, what, dim));
}

struct ck_gen_value
ck_lower_cluster_sync(struct ck_gen *gen, const struct ck_texpr *expr)
{
    ck_debug_at(gen, expr->span);
    gen->target->cluster->sync(gen, expr->span);
    return ck_gen_value_new(gen, 0);
}

struct ck_gen_value
ck_lower_cluster_buffer(struct ck_gen *gen, const struct ck_texpr *expr)
{
    (void)expr;
    return ck_gen_value_scalar(gen, gen->target->cluster->begin_collective(gen));
}

struct ck_gen_value
ck_lower_cluster_end(struct ck_gen *gen, const struct ck_texpr *expr)
{
    ck_debug_at(gen, expr->span);
    gen->target->cluster->end_collective(gen, expr->span);
    return ck_gen_value_new(gen, 0);
}

struct ck_gen_value
ck_lower_cluster_arrive(struct ck_gen *gen, const struct ck_texpr *expr)
{
    ck_debug_at(gen, expr->span);
    return ck_gen_value_scalar(gen, gen->target->cluster->arrive(gen, expr->span));
}

struct ck_gen_value
ck_lower_cluster_wait(struct ck_gen *gen, const struct ck_texpr *expr)
{
    LLVMValueRef v_token = ck_gen_scalar(gen, expr->builtin.args[0]);
    ck_debug_at(gen, expr->span);
    gen->target->cluster->wait(gen, v_token, expr->span);
    return ck_gen_value_new(gen, 0);
}

/* The array at another address. */
struct ck_gen_value
ck_lower_mapped(struct ck_gen *gen, const struct ck_texpr *expr)
{
    struct ck_gen_value array = ck_gen_expr(gen, expr->builtin.args[0]);
    LLVMValueRef v_rank = ck_gen_scalar(gen, expr->builtin.args[1]);
    struct ck_gen_value value = ck_gen_value_new(gen, array.n);
    value.parts[0] = gen->target->cluster->map_shared(gen, array.parts[0], v_rank);
    for (int i = 1; i < array.n; i++)
        value.parts[i] = array.parts[i];
    return value;
}

struct ck_gen_value
ck_lower_shared_rank(struct ck_gen *gen, const struct ck_texpr *expr)
{
    struct ck_gen_value array = ck_gen_expr(gen, expr->builtin.args[0]);
    LLVMValueRef v_address = LLVMBuildAddrSpaceCast(gen->builder, array.parts[0], gen->t_ptr, "");
    return ck_gen_value_scalar(gen, gen->target->cluster->shared_rank(gen, v_address));
}
