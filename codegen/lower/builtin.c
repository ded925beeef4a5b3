/* Lowerings of the built-ins: ck_lower_<lower> for each row of lang/typed/builtins.def. */
#include "codegen/lower/builtin.h"

#include "codegen/core/shared_layout.h"

/* --- Position ----------------------------------------------------------------------------------
 */

static LLVMValueRef
multiply(struct ck_gen *gen, LLVMValueRef v_left, LLVMValueRef v_right)
{
    LLVMValueRef v_product = LLVMBuildNUWMul(gen->builder, v_left, v_right, "");
    if (LLVMIsAInstruction(v_product))
        LLVMSetNSW(v_product, true);
    return v_product;
}

static LLVMValueRef
add(struct ck_gen *gen, LLVMValueRef v_left, LLVMValueRef v_right)
{
    LLVMValueRef v_sum = LLVMBuildNUWAdd(gen->builder, v_left, v_right, "");
    if (LLVMIsAInstruction(v_sum))
        LLVMSetNSW(v_sum, true);
    return v_sum;
}

struct ck_gen_value
ck_lower_position(struct ck_gen *gen, const struct ck_texpr *expr)
{
    _Static_assert(CK_BUILTIN_GRID_DIM_Z - CK_BUILTIN_THREAD_IDX_X == 3 * CK_GRID_DIM + 2,
                   "rows of the positions follow enum ck_place, three dimensions each");
    int row = (int)expr->builtin.id - CK_BUILTIN_THREAD_IDX_X;
    return ck_gen_value_scalar(
        gen, gen->target->thread->position(gen, (enum ck_place)(row / 3), row % 3));
}

/* In 32 bits, if no number of threads needs more. */
static LLVMValueRef
begin_positions(struct ck_gen *gen, LLVMValueRef v_position)
{
    return ck_gen_is_small(gen) ? LLVMBuildTrunc(gen->builder, v_position, gen->t_i32, "")
                                : v_position;
}

static LLVMValueRef
end_positions(struct ck_gen *gen, LLVMValueRef v_position)
{
    if (!ck_gen_is_small(gen))
        return v_position;
    v_position = LLVMBuildZExt(gen->builder, v_position, gen->t_i64, "");
    if (LLVMIsAInstruction(v_position))
        LLVMSetNNeg(v_position, true);
    return v_position;
}

static LLVMValueRef
position(struct ck_gen *gen, enum ck_place what, int dim)
{
    return begin_positions(gen, gen->target->thread->position(gen, what, dim));
}

static LLVMValueRef
grid_position(struct ck_gen *gen, int dim)
{
    LLVMValueRef v_block = position(gen, CK_BLOCK_IDX, dim);
    LLVMValueRef v_size = position(gen, CK_BLOCK_DIM, dim);
    LLVMValueRef v_thread = position(gen, CK_THREAD_IDX, dim);
    return end_positions(gen, add(gen, multiply(gen, v_block, v_size), v_thread));
}

static LLVMValueRef
grid_extent(struct ck_gen *gen, int dim)
{
    LLVMValueRef v_blocks = position(gen, CK_GRID_DIM, dim);
    return end_positions(gen, multiply(gen, v_blocks, position(gen, CK_BLOCK_DIM, dim)));
}

/* One value for each dimension that the result's type has. */
static struct ck_gen_value
each_dim(struct ck_gen *gen, const struct ck_texpr *expr,
         LLVMValueRef (*of_dim)(struct ck_gen *gen, int dim))
{
    struct ck_gen_value value = ck_gen_value_new(gen, ck_gen_n_parts(expr->type));
    for (int dim = 0; dim < value.n; dim++)
        value.parts[dim] = of_dim(gen, dim);
    return value;
}

struct ck_gen_value
ck_lower_grid(struct ck_gen *gen, const struct ck_texpr *expr)
{
    return each_dim(gen, expr, grid_position);
}

struct ck_gen_value
ck_lower_gridsize(struct ck_gen *gen, const struct ck_texpr *expr)
{
    return each_dim(gen, expr, grid_extent);
}

/* --- Ranks -------------------------------------------------------------------------------------
 */

/* x + nx * (y + ny * z) */
static LLVMValueRef
rank_in(struct ck_gen *gen, enum ck_place index, enum ck_place size)
{
    const struct ck_target *target = gen->target;
    LLVMValueRef v_rank = target->thread->position(gen, index, 2);
    for (int dim = 1; dim >= 0; dim--)
        v_rank = add(gen, multiply(gen, v_rank, target->thread->position(gen, size, dim)),
                     target->thread->position(gen, index, dim));
    return v_rank;
}

LLVMValueRef
ck_gen_volume(struct ck_gen *gen, enum ck_place size)
{
    LLVMValueRef v_xy = multiply(gen, gen->target->thread->position(gen, size, 0),
                                 gen->target->thread->position(gen, size, 1));
    return multiply(gen, v_xy, gen->target->thread->position(gen, size, 2));
}

static LLVMValueRef
grid_thread_rank(struct ck_gen *gen)
{
    LLVMValueRef v_block = rank_in(gen, CK_BLOCK_IDX, CK_GRID_DIM);
    return add(gen, multiply(gen, v_block, ck_gen_volume(gen, CK_BLOCK_DIM)),
               rank_in(gen, CK_THREAD_IDX, CK_BLOCK_DIM));
}

/* Launches hold a rank below CK_MAX_GRID_THREADS. An `assume` says so, because it survives when
 * passes reassociate the products: LLVM then knows that four times a rank is not negative. */
static LLVMValueRef
in_grid(struct ck_gen *gen, LLVMValueRef v_number)
{
    gen->func->has_grid_ranks = true;
    if (ck_gen_is_small(gen))
        return end_positions(gen, begin_positions(gen, v_number));
    return LLVMBuildAnd(gen->builder, v_number, l_i64(gen, (int64_t)(2 * CK_MAX_GRID_THREADS - 1)),
                        "");
}

static LLVMValueRef
rank(struct ck_gen *gen, enum ck_builtin_id id)
{
    switch ((int)id) {
    case CK_BUILTIN_GRID_THREAD_RANK:
        return in_grid(gen, grid_thread_rank(gen));
    case CK_BUILTIN_GRID_NUM_THREADS:
        return in_grid(
            gen, multiply(gen, ck_gen_volume(gen, CK_GRID_DIM), ck_gen_volume(gen, CK_BLOCK_DIM)));
    case CK_BUILTIN_GRID_BLOCK_RANK:
        return in_grid(gen, rank_in(gen, CK_BLOCK_IDX, CK_GRID_DIM));
    case CK_BUILTIN_GRID_NUM_BLOCKS:
        return in_grid(gen, ck_gen_volume(gen, CK_GRID_DIM));
    case CK_BUILTIN_BLOCK_THREAD_RANK:
        return rank_in(gen, CK_THREAD_IDX, CK_BLOCK_DIM);
    default: /* BLOCK_NUM_THREADS */
        return ck_gen_volume(gen, CK_BLOCK_DIM);
    }
}

struct ck_gen_value
ck_lower_rank(struct ck_gen *gen, const struct ck_texpr *expr)
{
    return ck_gen_value_scalar(gen, rank(gen, expr->builtin.id));
}

/* --- Memory and barriers -----------------------------------------------------------------------
 */

static struct ck_gen_value
dynamic_shared_array(struct ck_gen *gen, const struct ck_type *type)
{
    struct ck_gen_value value = ck_gen_value_new(gen, ck_gen_n_parts(type));
    LLVMValueRef v_size = l_i64(gen, ck_type_size(type->array.elem)), v_bytes;
    value.parts[0] = gen->target->memory->dynamic_shared(gen, &v_bytes);
    value.parts[1] = LLVMBuildUDiv(gen->builder, v_bytes, v_size, "");
    return value;
}

struct ck_gen_value
ck_lower_shared_array(struct ck_gen *gen, const struct ck_texpr *expr)
{
    const struct ck_func_info *info = gen->frame->info;
    if (expr->builtin.shared == CK_SHARED_DYNAMIC)
        return dynamic_shared_array(gen, expr->type);
    const int i = expr->builtin.shared;
    const struct ck_shared_array *array = &info->tfunc->shared[i];
    const uint64_t offset = info->shared_begin + ck_shared_offset(info->tfunc, i);
    LLVMValueRef v_address = gen->target->memory->shared_array(gen, info->tfunc, i, offset);
    return ck_gen_fixed_array(gen, expr->type, v_address, array->shape);
}

struct ck_gen_value
ck_lower_block_barrier(struct ck_gen *gen, const struct ck_texpr *expr)
{
    ck_debug_at(gen, expr->span);
    gen->target->block->sync(gen, expr->span);
    return ck_gen_value_new(gen, 0);
}

/* --- Arithmetic --------------------------------------------------------------------------------
 */

struct ck_gen_value
ck_lower_abs(struct ck_gen *gen, const struct ck_texpr *expr)
{
    const struct ck_type *type = expr->type;
    if (ck_type_is_complex(expr->builtin.args[0]->type))
        return ck_gen_value_scalar(gen, ck_gen_complex_abs(gen, expr->builtin.args[0]));
    LLVMValueRef v_value = ck_gen_scalar(gen, expr->builtin.args[0]);
    if (ck_type_is_float(type)) {
        v_value = ck_gen_widen(gen, type, v_value);
        v_value = l_intrinsic(gen, "llvm.fabs", LLVMTypeOf(v_value), &v_value, 1);
        v_value = ck_gen_narrow(gen, type, v_value);
    } else if (ck_type_is_signed(type)) {
        LLVMValueRef args[] = {v_value, LLVMConstInt(gen->t_i1, 0, false)};
        v_value = l_intrinsic(gen, "llvm.abs", LLVMTypeOf(v_value), args, 2);
        ck_gen_check_negated(gen, expr, expr->builtin.args[0], args[0], v_value);
    }
    return ck_gen_value_scalar(gen, v_value);
}

/* The intrinsics of min and max of integers; those of floats are the target's. */
struct extreme {
    const char *of_signed, *of_unsigned;
    bool is_max;
};

static const struct extreme minima = {"llvm.smin", "llvm.umin", false};
static const struct extreme maxima = {"llvm.smax", "llvm.umax", true};

static LLVMValueRef
extreme_of_two(struct ck_gen *gen, const struct extreme *names, const struct ck_type *type,
               LLVMValueRef v_left, LLVMValueRef v_right)
{
    const char *name = ck_type_is_float(type)    ? (names->is_max ? gen->target->math->float_max
                                                                  : gen->target->math->float_min)
                       : ck_type_is_signed(type) ? names->of_signed
                                                 : names->of_unsigned;
    LLVMValueRef args[] = {ck_gen_widen(gen, type, v_left), ck_gen_widen(gen, type, v_right)};
    return ck_gen_narrow(gen, type, l_intrinsic(gen, name, LLVMTypeOf(args[0]), args, 2));
}

static struct ck_gen_value
extreme_of_all(struct ck_gen *gen, const struct ck_texpr *expr, const struct extreme *names)
{
    LLVMValueRef v_result = ck_gen_scalar(gen, expr->builtin.args[0]);
    for (int i = 1; i < expr->builtin.n_args; i++)
        v_result = extreme_of_two(gen, names, expr->type, v_result,
                                  ck_gen_scalar(gen, expr->builtin.args[i]));
    return ck_gen_value_scalar(gen, v_result);
}

struct ck_gen_value
ck_lower_min(struct ck_gen *gen, const struct ck_texpr *expr)
{
    return extreme_of_all(gen, expr, &minima);
}

struct ck_gen_value
ck_lower_max(struct ck_gen *gen, const struct ck_texpr *expr)
{
    return extreme_of_all(gen, expr, &maxima);
}

/* The minimum or maximum; NaN if either operand is. */
static struct ck_gen_value
extreme_or_nan(struct ck_gen *gen, const struct ck_texpr *expr, const struct extreme *names)
{
    const struct ck_type *type = expr->type;
    LLVMValueRef v_left = ck_gen_scalar(gen, expr->builtin.args[0]);
    LLVMValueRef v_right = ck_gen_scalar(gen, expr->builtin.args[1]);
    LLVMValueRef v_number = extreme_of_two(gen, names, type, v_left, v_right);
    if (!ck_type_is_float(type))
        return ck_gen_value_scalar(gen, v_number);
    LLVMValueRef v_x = ck_gen_widen(gen, type, v_left), v_y = ck_gen_widen(gen, type, v_right);
    LLVMValueRef v_nan = LLVMBuildFCmp(gen->builder, LLVMRealUNO, v_x, v_y, "");
    LLVMValueRef v_sum = ck_gen_narrow(gen, type, LLVMBuildFAdd(gen->builder, v_x, v_y, ""));
    return ck_gen_value_scalar(gen, l_select(gen, v_nan, v_sum, v_number));
}

struct ck_gen_value
ck_lower_minimum(struct ck_gen *gen, const struct ck_texpr *expr)
{
    return extreme_or_nan(gen, expr, &minima);
}

struct ck_gen_value
ck_lower_maximum(struct ck_gen *gen, const struct ck_texpr *expr)
{
    return extreme_or_nan(gen, expr, &maxima);
}

struct ck_gen_value
ck_lower_sqrt(struct ck_gen *gen, const struct ck_texpr *expr)
{
    const struct ck_type *type = expr->type;
    LLVMValueRef v_value = ck_gen_widen(gen, type, ck_gen_scalar(gen, expr->builtin.args[0]));
    if (expr->builtin.id == CK_BUILTIN_SQRT_IN_RANGE && gen->target->math->sqrt_in_range &&
        LLVMTypeOf(v_value) == gen->t_float && !(gen->fast_flags & LLVMFastMathApproxFunc))
        return ck_gen_value_scalar(gen, gen->target->math->sqrt_in_range(gen, v_value));
    v_value = l_intrinsic(gen, "llvm.sqrt", LLVMTypeOf(v_value), &v_value, 1);
    return ck_gen_value_scalar(gen, ck_gen_narrow(gen, type, l_fast(gen, v_value)));
}

/* --- Counters ----------------------------------------------------------------------------------
 */

struct ck_gen_value
ck_lower_counter(struct ck_gen *gen, const struct ck_texpr *expr)
{
    const enum ck_builtin_id id = expr->builtin.id;
    const enum ck_counter what = id == CK_BUILTIN_GLOBALTIMER ? CK_COUNTER_NANOSECONDS
                                 : id == CK_BUILTIN_SMID      ? CK_COUNTER_MULTIPROCESSOR
                                                              : CK_COUNTER_CYCLES;
    LLVMValueRef v_count = gen->target->thread->counter(gen, what);
    if (id == CK_BUILTIN_CLOCK)
        v_count = LLVMBuildTrunc(gen->builder, v_count, gen->t_i32, "");
    return ck_gen_value_scalar(gen, v_count);
}

/* --- The table ---------------------------------------------------------------------------------
 */

/* Built-ins without code. */
#define ck_lower_none    NULL
#define ck_lower_prelude NULL

static ck_lower_fn *const lowerings[] = {
#define CK_BUILTIN(id, path, rule, min_args, max_args, lower, uniformity, doc) ck_lower_##lower,
#include "lang/typed/builtins.def"
#undef CK_BUILTIN
};

struct ck_gen_value
ck_gen_builtin(struct ck_gen *gen, const struct ck_texpr *expr)
{
    ck_lower_fn *lower = lowerings[expr->builtin.id];
    if (!lower)
        ck_gen_fail(gen, CK_ERROR_INTERNAL, "built-in %d has no lowering", (int)expr->builtin.id);
    return lower(gen, expr);
}
