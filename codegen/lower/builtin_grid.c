/* Lowerings of the primitives of the grid's members: its barriers, and the slots in global memory
 * through which its blocks pass each other values. */
#include "codegen/lower/builtin.h"

static LLVMValueRef
arg(struct ck_gen *gen, const struct ck_texpr *expr, int i)
{
    return ck_gen_scalar(gen, expr->builtin.args[i]);
}

struct ck_gen_value
ck_lower_grid_valid(struct ck_gen *gen, const struct ck_texpr *expr)
{
    (void)expr;
    return ck_gen_value_scalar(gen, gen->target->grid->is_valid(gen));
}

struct ck_gen_value
ck_lower_grid_barrier(struct ck_gen *gen, const struct ck_texpr *expr)
{
    ck_debug_at(gen, expr->span);
    gen->target->grid->sync(gen, expr->span);
    return ck_gen_value_new(gen, 0);
}

struct ck_gen_value
ck_lower_grid_arrive(struct ck_gen *gen, const struct ck_texpr *expr)
{
    ck_debug_at(gen, expr->span);
    return ck_gen_value_scalar(gen, gen->target->grid->arrive(gen, expr->span));
}

/* token */
struct ck_gen_value
ck_lower_grid_wait(struct ck_gen *gen, const struct ck_texpr *expr)
{
    LLVMValueRef v_token = arg(gen, expr, 0);
    ck_debug_at(gen, expr->span);
    gen->target->grid->wait(gen, v_token, expr->span);
    return ck_gen_value_new(gen, 0);
}

struct ck_gen_value
ck_lower_grid_open(struct ck_gen *gen, const struct ck_texpr *expr)
{
    ck_debug_at(gen, expr->span);
    return ck_gen_value_scalar(gen, gen->target->grid->open_slots(gen));
}

/* slots */
struct ck_gen_value
ck_lower_grid_sync_slots(struct ck_gen *gen, const struct ck_texpr *expr)
{
    LLVMValueRef v_slots = arg(gen, expr, 0);
    ck_debug_at(gen, expr->span);
    return ck_gen_value_scalar(gen, gen->target->grid->sync_slots(gen, v_slots, expr->span));
}

/* slots, how many, a value: an array of the value's type */
struct ck_gen_value
ck_lower_grid_slots(struct ck_gen *gen, const struct ck_texpr *expr)
{
    unsigned space = gen->target->address_spaces[CK_SPACE_GLOBAL];
    struct ck_gen_value array = ck_gen_value_new(gen, ck_gen_n_parts(expr->type));
    array.parts[0] = LLVMBuildIntToPtr(gen->builder, arg(gen, expr, 0),
                                       LLVMPointerTypeInContext(gen->llvm, space), "slots");
    array.parts[1] = arg(gen, expr, 1);
    return array;
}

/* slots */
struct ck_gen_value
ck_lower_grid_close(struct ck_gen *gen, const struct ck_texpr *expr)
{
    LLVMValueRef v_slots = arg(gen, expr, 0);
    ck_debug_at(gen, expr->span);
    gen->target->grid->close_slots(gen, v_slots);
    return ck_gen_value_new(gen, 0);
}
