/* Views of arrays: data pointer, extents and strides. */
#include "codegen/lower/builtin.h"
#include "codegen/lower/lower.h"

/* A slice during lowering. */
struct slice {
    LLVMValueRef v_extent; /* of the source */
    LLVMValueRef v_step;   /* NULL: 1 */
    LLVMValueRef v_falls;  /* i1: the step is negative */
    LLVMValueRef v_first, v_length;
};

static LLVMValueRef
least(struct ck_gen *gen, LLVMValueRef v_left, LLVMValueRef v_right)
{
    return l_intrinsic(gen, "llvm.smin", gen->t_i64, (LLVMValueRef[]){v_left, v_right}, 2);
}

static LLVMValueRef
greatest(struct ck_gen *gen, LLVMValueRef v_left, LLVMValueRef v_right)
{
    return l_intrinsic(gen, "llvm.smax", gen->t_i64, (LLVMValueRef[]){v_left, v_right}, 2);
}

/* Any integer as int64; a larger uint64 saturates. */
static LLVMValueRef
position(struct ck_gen *gen, const struct ck_texpr *expr)
{
    LLVMValueRef v_value = ck_gen_scalar(gen, expr);
    if (expr->type->kind == CK_TYPE_UINT64)
        return l_intrinsic(gen, "llvm.umin", gen->t_i64,
                           (LLVMValueRef[]){v_value, l_i64(gen, INT64_MAX)}, 2);
    return ck_gen_cast(gen, expr->type, ck_type_scalar(CK_TYPE_INT64), v_value);
}

/* A bound counted from the beginning, at least `v_least`. Only a bound that wraps can be less. */
static LLVMValueRef
from_begin(struct ck_gen *gen, const struct slice *slice, const struct ck_tindex *index,
           LLVMValueRef v_bound, LLVMValueRef v_least)
{
    if (!index->wrap)
        return v_bound;
    LLVMValueRef v_from_end = LLVMBuildAdd(gen->builder, v_bound, slice->v_extent, "");
    LLVMValueRef v_negative = l_compare(gen, LLVMIntSLT, v_bound, l_i64(gen, 0));
    return greatest(gen, l_select(gen, v_negative, v_from_end, v_bound), v_least);
}

/* Python's clamping: to 0..n for a positive step, to -1..n-1 for a negative one. */
static LLVMValueRef
bound(struct ck_gen *gen, const struct slice *slice, const struct ck_tindex *index,
      LLVMValueRef v_bound)
{
    LLVMValueRef v_low = LLVMBuildSExt(gen->builder, slice->v_falls, gen->t_i64, "");
    LLVMValueRef v_high = LLVMBuildNSWAdd(gen->builder, slice->v_extent, v_low, "");
    return least(gen, from_begin(gen, slice, index, v_bound, v_low), v_high);
}

/* A slice with a step. */
static void
stepped_slice(struct ck_gen *gen, struct slice *slice, const struct ck_taxis *axis,
              LLVMValueRef v_start, LLVMValueRef v_stop)
{
    LLVMValueRef v_zero = l_i64(gen, 0), v_one = l_i64(gen, 1), v_minus = l_i64(gen, -1);
    LLVMValueRef v_step = slice->v_step;
    slice->v_falls = l_compare(gen, LLVMIntSLT, v_step, v_zero);
    LLVMValueRef v_last = LLVMBuildNSWSub(gen->builder, slice->v_extent, v_one, "");
    v_start = v_start ? bound(gen, slice, &axis->start, v_start)
                      : l_select(gen, slice->v_falls, v_last, v_zero);
    v_stop = v_stop ? bound(gen, slice, &axis->stop, v_stop)
                    : l_select(gen, slice->v_falls, v_minus, slice->v_extent);
    LLVMValueRef v_up = LLVMBuildSub(gen->builder, v_stop, v_start, "");
    LLVMValueRef v_down = LLVMBuildSub(gen->builder, v_start, v_stop, "");
    LLVMValueRef v_span = l_select(gen, slice->v_falls, v_down, v_up);
    /* Modulo 2**64, so that the smallest int64 has a magnitude; never zero. */
    LLVMValueRef v_negated = LLVMBuildNeg(gen->builder, v_step, "");
    LLVMValueRef v_magnitude = l_select(gen, slice->v_falls, v_negated, v_step);
    LLVMValueRef v_none = l_compare(gen, LLVMIntEQ, v_step, v_zero);
    v_magnitude = l_select(gen, v_none, v_one, v_magnitude);
    LLVMValueRef v_before_last =
        LLVMBuildNSWSub(gen->builder, greatest(gen, v_span, v_one), v_one, "");
    LLVMValueRef v_steps = LLVMBuildUDiv(gen->builder, v_before_last, v_magnitude, "");
    LLVMValueRef v_count = LLVMBuildNSWAdd(gen->builder, v_steps, v_one, "");
    LLVMValueRef v_some = l_compare(gen, LLVMIntSGT, v_span, v_zero);
    v_count = l_select(gen, v_some, v_count, v_zero);
    slice->v_length = l_select(gen, v_none, v_zero, v_count);
    slice->v_first = v_start;
}

/* A slice without a step: its length is the minimum of the requested length and the elements left,
 * neither negative, so that LLVM sees that x[i:i + 16] has at most 16. An empty slice may begin
 * anywhere. */
static struct slice
gen_slice(struct ck_gen *gen, const struct ck_taxis *axis, LLVMValueRef v_extent)
{
    struct slice slice = {.v_extent = v_extent, .v_length = v_extent};
    LLVMValueRef v_start = axis->start.value ? position(gen, axis->start.value) : NULL;
    LLVMValueRef v_stop = axis->stop.value ? position(gen, axis->stop.value) : NULL;
    if (axis->step) {
        slice.v_step = position(gen, axis->step);
        stepped_slice(gen, &slice, axis, v_start, v_stop);
        return slice;
    }
    LLVMValueRef v_zero = l_i64(gen, 0);
    if (v_start) {
        slice.v_first = from_begin(gen, &slice, &axis->start, v_start, v_zero);
        LLVMValueRef v_left = LLVMBuildSub(gen->builder, v_extent, slice.v_first, "");
        slice.v_length = greatest(gen, v_left, v_zero);
    }
    if (v_stop) {
        v_stop = from_begin(gen, &slice, &axis->stop, v_stop, v_zero);
        if (v_start)
            v_stop = LLVMBuildSub(gen->builder, v_stop, slice.v_first, "");
        if (v_start || !axis->stop.wrap) /* a sum that the checker took for positive may overflow */
            v_stop = greatest(gen, v_stop, v_zero);
        slice.v_length = least(gen, v_stop, slice.v_length);
    }
    return slice;
}

/* The data pointer of an empty view may be outside its array, so that the addition carries no
 * flags. */
static LLVMValueRef
advance(struct ck_gen *gen, const struct ck_type *array, LLVMValueRef v_data, LLVMValueRef v_offset)
{
    if (!v_offset)
        return v_data;
    LLVMTypeRef elem = ck_gen_step_type(gen, array);
    return LLVMBuildGEP2(gen->builder, elem, v_data, &v_offset, 1, "");
}

struct ck_gen_value
ck_gen_view(struct ck_gen *gen, const struct ck_texpr *expr)
{
    const struct ck_type *from = expr->view.array->type, *to = expr->type;
    struct ck_gen_value source = ck_gen_expr(gen, expr->view.array);
    struct ck_gen_value view = ck_gen_value_new(gen, ck_gen_n_parts(to));
    LLVMValueRef v_offset = NULL;
    int to_dim = 0, to_ndim = to->array.ndim;
    for (int dim = 0; dim < from->array.ndim; dim++) {
        const struct ck_taxis *axis = &expr->view.axes[dim];
        LLVMValueRef v_extent = source.parts[1 + dim];
        struct slice slice = {0};
        if (axis->is_slice)
            slice = gen_slice(gen, axis, v_extent);
        else
            slice.v_first = ck_gen_index(gen, expr->view.array, dim, &axis->index, v_extent);
        LLVMValueRef v_stride = ck_gen_stride(gen, from, source, dim);
        if (slice.v_first) {
            LLVMValueRef v_term = LLVMBuildMul(gen->builder, slice.v_first, v_stride, "");
            v_offset = v_offset ? LLVMBuildAdd(gen->builder, v_offset, v_term, "") : v_term;
        }
        if (!axis->is_slice)
            continue;
        view.parts[1 + to_dim] = slice.v_length;
        if (ck_array_n_strides(to) && slice.v_step)
            v_stride = LLVMBuildMul(gen->builder, v_stride, slice.v_step, "");
        if (ck_array_n_strides(to))
            view.parts[1 + to_ndim + to_dim] = v_stride;
        to_dim++;
    }
    view.parts[0] = advance(gen, from, source.parts[0], v_offset);
    return view;
}

struct ck_gen_value
ck_gen_transpose(struct ck_gen *gen, const struct ck_texpr *expr)
{
    const struct ck_type *from = expr->transpose.array->type, *to = expr->type;
    struct ck_gen_value source = ck_gen_expr(gen, expr->transpose.array);
    struct ck_gen_value view = ck_gen_value_new(gen, ck_gen_n_parts(to));
    int ndim = to->array.ndim;
    view.parts[0] = source.parts[0];
    for (int dim = 0; dim < ndim; dim++) {
        int from_dim = expr->transpose.order[dim];
        view.parts[1 + dim] = source.parts[1 + from_dim];
        if (ck_array_n_strides(to))
            view.parts[1 + ndim + dim] = ck_gen_stride(gen, from, source, from_dim);
    }
    return view;
}

struct ck_gen_value
ck_gen_address(struct ck_gen *gen, const struct ck_texpr *expr)
{
    const unsigned space = gen->target->address_spaces[expr->type->array.space];
    LLVMValueRef v_address = ck_gen_scalar(gen, expr->operand);
    return ck_gen_value_scalar(
        gen,
        LLVMBuildIntToPtr(gen->builder, v_address, LLVMPointerTypeInContext(gen->llvm, space), ""));
}

struct ck_gen_value
ck_lower_data_ptr(struct ck_gen *gen, const struct ck_texpr *expr)
{
    LLVMValueRef v_data = ck_gen_expr(gen, expr->builtin.args[0]).parts[0];
    return ck_gen_value_scalar(gen, LLVMBuildPtrToInt(gen->builder, v_data, gen->t_i64, ""));
}

struct ck_gen_value
ck_gen_reshape(struct ck_gen *gen, const struct ck_texpr *expr)
{
    struct ck_gen_value source = ck_gen_expr(gen, expr->reshape.array);
    struct ck_gen_value view = ck_gen_value_new(gen, ck_gen_n_parts(expr->type));
    view.parts[0] = source.parts[0];
    for (int dim = 0; dim < expr->type->array.ndim; dim++)
        view.parts[1 + dim] = ck_gen_scalar(gen, expr->reshape.extents[dim]);
    return view;
}

/* The extents of an array in the elements are the last, their strides those of C order. */
struct ck_gen_value
ck_gen_field(struct ck_gen *gen, const struct ck_texpr *expr)
{
    const struct ck_type *from = expr->field.array->type, *to = expr->type;
    struct ck_gen_value source = ck_gen_expr(gen, expr->field.array);
    struct ck_gen_value view = ck_gen_value_new(gen, ck_gen_n_parts(to));
    LLVMValueRef v_offset = l_i64(gen, expr->field.offset);
    const int old = from->array.ndim, ndim = to->array.ndim, pitch = ck_array_pitch(to);
    view.parts[0] = LLVMBuildGEP2(gen->builder, gen->t_i8, source.parts[0], &v_offset, 1, "");
    for (int dim = 0; dim < ndim; dim++)
        view.parts[1 + dim] =
            dim < old ? source.parts[1 + dim] : l_i64(gen, expr->field.shape[dim - old]);
    if (!ck_array_n_strides(to))
        return view;
    for (int dim = 0; dim < old; dim++) {
        LLVMValueRef v_stride = ck_gen_stride(gen, from, source, dim);
        view.parts[1 + ndim + dim] =
            LLVMBuildMul(gen->builder, v_stride, l_i64(gen, ck_array_pitch(from) / pitch), "");
    }
    int64_t stride = ck_type_size(to->array.elem) / pitch;
    for (int dim = ndim - 1; dim >= old; dim--) {
        view.parts[1 + ndim + dim] = l_i64(gen, stride);
        stride *= expr->field.shape[dim - old];
    }
    return view;
}

/* Converts a number of elements of one size to a number of another. Modulo 2**64: strides have no
 * limit, nor have extents of an array that is empty along another axis. */
static LLVMValueRef
rescaled(struct ck_gen *gen, LLVMValueRef v_number, int from, int to)
{
    if (from % to == 0)
        return LLVMBuildMul(gen->builder, v_number, l_i64(gen, from / to), "");
    if (to % from == 0 && !(to / from & (to / from - 1)))
        return LLVMBuildAShr(gen->builder, v_number,
                             l_i64(gen, __builtin_ctz((unsigned)(to / from))), "");
    LLVMValueRef v_bytes = LLVMBuildMul(gen->builder, v_number, l_i64(gen, from), "");
    return LLVMBuildSDiv(gen->builder, v_bytes, l_i64(gen, to), "");
}

/* i1: a number of elements of one size is a whole number of those of another. */
static LLVMValueRef
is_whole(struct ck_gen *gen, LLVMValueRef v_number, int from, int to)
{
    LLVMValueRef v_bytes = LLVMBuildMul(gen->builder, v_number, l_i64(gen, from), "");
    LLVMValueRef v_rest = LLVMBuildSRem(gen->builder, v_bytes, l_i64(gen, to), "");
    return l_compare(gen, LLVMIntEQ, v_rest, l_i64(gen, 0));
}

/* i1: there is one row at most, or the elements of another size begin at each. */
static LLVMValueRef
fits_rows(struct ck_gen *gen, const struct ck_type *from, const struct ck_type *to,
          struct ck_gen_value source, int dim)
{
    LLVMValueRef v_single = l_compare(gen, LLVMIntULE, source.parts[1 + dim], l_i64(gen, 1));
    LLVMValueRef v_whole = is_whole(gen, ck_gen_stride(gen, from, source, dim),
                                    ck_type_size(from->array.elem), ck_type_size(to->array.elem));
    return LLVMBuildOr(gen->builder, v_single, v_whole, "");
}

/* i1: a view with elements of another size is possible, as its last axis is contiguous, and its
 * rows begin at elements. NULL: always. */
static LLVMValueRef
is_possible(struct ck_gen *gen, const struct ck_type *from, const struct ck_type *to,
            struct ck_gen_value source)
{
    const int ndim = from->array.ndim;
    const bool widens = ck_type_size(from->array.elem) % ck_type_size(to->array.elem);
    LLVMValueRef v_good = NULL;
    if (ck_array_n_strides(from)) {
        LLVMValueRef v_dense = l_compare(gen, LLVMIntEQ, source.parts[2 * ndim], l_i64(gen, 1));
        LLVMValueRef v_single = l_compare(gen, LLVMIntULE, source.parts[ndim], l_i64(gen, 1));
        v_good = LLVMBuildOr(gen->builder, v_dense, v_single, "");
    }
    for (int dim = 0; widens && dim < ndim - 1; dim++) {
        LLVMValueRef v_fits = fits_rows(gen, from, to, source, dim);
        v_good = v_good ? LLVMBuildAnd(gen->builder, v_good, v_fits, "") : v_fits;
    }
    return v_good;
}

/* A view with elements of another size; empty where there can be none. */
static void
rescale(struct ck_gen *gen, const struct ck_type *from, const struct ck_type *to,
        struct ck_gen_value source, struct ck_gen_value view)
{
    int old = ck_type_size(from->array.elem), new = ck_type_size(to->array.elem);
    int ndim = to->array.ndim;
    LLVMValueRef *v_last = &view.parts[ndim], v_good = is_possible(gen, from, to, source);
    *v_last = greatest(gen, rescaled(gen, *v_last, old, new), l_i64(gen, 0));
    for (int dim = 0; ck_array_n_strides(to) && dim < ndim - 1; dim++)
        view.parts[1 + ndim + dim] = rescaled(gen, source.parts[1 + ndim + dim], old, new);
    if (ck_array_n_strides(to))
        view.parts[2 * ndim] = l_i64(gen, 1);
    if (v_good)
        *v_last = l_select(gen, v_good, *v_last, l_i64(gen, 0));
}

struct ck_gen_value
ck_gen_reinterpret(struct ck_gen *gen, const struct ck_texpr *expr)
{
    const struct ck_type *from = expr->operand->type, *to = expr->type;
    struct ck_gen_value source = ck_gen_expr(gen, expr->operand);
    struct ck_gen_value view = ck_gen_value_new(gen, ck_gen_n_parts(to));
    for (int i = 0; i < view.n; i++)
        view.parts[i] = source.parts[i];
    if (ck_type_size(from->array.elem) != ck_type_size(to->array.elem))
        rescale(gen, from, to, source, view);
    return view;
}
