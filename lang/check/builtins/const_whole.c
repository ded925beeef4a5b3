/* Functions of whole constant arrays of the module, `A.sum()` and `np.max(A)`, and of their axes,
 * computed as NumPy does: sums of floats are added in its order. */
#include <math.h>
#include <string.h>

#include "lang/check/builtins/const_array.h"
#include "lang/typed/fold.h"

/* --- Sums of floats ------------------------------------------------------------------------------
 */

/* Floats to be added: the real or the imaginary parts of a constant array. */
struct addends {
    const double *values;
    bool is_single; /* rounded to float32 after each addition */
};

static double
add(const struct addends *addends, double a, double b)
{
    return addends->is_single ? (double)((float)a + (float)b) : a + b;
}

enum { IN_A_ROW = 8, BLOCK = 128, BUFFER = 8192 };

/* NumPy's pairwise summation of values[first], ..., whose blocks have `block` values and are added
 * in eight columns, or in four if `columns` is. */
static double
pairwise(const struct addends *addends, int64_t first, int64_t n, int64_t columns)
{
    const double *values = addends->values + first;
    int64_t block = BLOCK / IN_A_ROW * columns, i;
    if (n < columns) {
        double sum = -0.0;
        for (i = 0; i < n; i++)
            sum = add(addends, sum, values[i]);
        return sum;
    }
    if (n <= block) {
        double sums[IN_A_ROW];
        memcpy(sums, values, (size_t)columns * sizeof *sums);
        for (i = columns; i < n - n % columns; i += columns) {
            for (int64_t k = 0; k < columns; k++)
                sums[k] = add(addends, sums[k], values[i + k]);
        }
        for (int64_t width = 1; width < columns; width *= 2) {
            for (int64_t k = 0; k < columns; k += 2 * width)
                sums[k] = add(addends, sums[k], sums[k + width]);
        }
        for (; i < n; i++)
            sums[0] = add(addends, sums[0], values[i]);
        return sums[0];
    }
    int64_t half = n / 2;
    half -= half % columns;
    return add(addends, pairwise(addends, first, half, columns),
               pairwise(addends, first + half, n - half, columns));
}

/* --- Elements ------------------------------------------------------------------------------------
 */

/* Elements that one result is made of. */
struct whole {
    struct ck_fn *fn;
    const struct ck_type *elem;
    struct ck_texpr **items;    /* in the order of the memory */
    struct ck_texpr **in_order; /* in C order */
    int64_t count;
    int64_t run; /* so many have nothing else between them: NumPy adds a run, and then the runs */
    bool is_one_of_many; /* the result is an element of an array */
    struct ck_span span;
};

/* The axes of an array from the slowest to the fastest in memory. */
static int
axis_in_memory(const struct ck_const_array *array, int i)
{
    return array->is_fortran ? array->ndim - 1 - i : i;
}

/* The reduced extents that are one piece of memory. */
static int64_t
run_of(const struct ck_const_array *array, const struct ck_const_axes *axes)
{
    int64_t run = 1;
    for (int i = array->ndim - 1; i >= 0; i--) {
        int axis = axis_in_memory(array, i);
        if (!axes->reduced[axis] && array->shape[axis] > 1)
            break;
        run *= array->shape[axis];
    }
    return run;
}

/* The elements at `place`, a position in C order among all those of the axes that stay, in C order
 * or in that of the memory. */
static struct ck_texpr **
elements_at(struct ck_fn *fn, const struct ck_const_array *array, const struct ck_const_axes *axes,
            int64_t place, int64_t count, bool c_order)
{
    struct ck_texpr **items = CK_NEW_ARRAY(fn->c->arena, struct ck_texpr *, count);
    int64_t index[CK_MAX_NDIM];
    for (int i = array->ndim - 1; i >= 0; i--) {
        int64_t extent = axes->reduced[i] ? 1 : array->shape[i];
        index[i] = place % extent;
        place /= extent;
    }
    for (int64_t k = 0; k < count; k++) {
        int64_t rest = k, position = 0;
        for (int i = array->ndim - 1; i >= 0; i--) {
            int axis = c_order ? i : axis_in_memory(array, i);
            if (!axes->reduced[axis])
                continue;
            index[axis] = rest % array->shape[axis];
            rest /= array->shape[axis];
        }
        for (int i = 0; i < array->ndim; i++)
            position = position * array->shape[i] + index[i];
        items[k] = array->items[position];
    }
    return items;
}

/* An element, or a part of it, as a float64. */
static double
number_of(const struct ck_texpr *item, int part)
{
    if (ck_type_is_complex(item->type))
        item = item->tuple.items[part];
    if (ck_type_is_float(item->type))
        return item->constant.f;
    if (item->type->kind == CK_TYPE_UINT64)
        return (double)(uint64_t)item->constant.i;
    return (double)item->constant.i;
}

static bool
is_short(const struct ck_type *type)
{
    return type->kind == CK_TYPE_FLOAT16 || type->kind == CK_TYPE_BFLOAT16;
}

static double
rounded_to(struct ck_fn *fn, double value, const struct ck_type *type, struct ck_span span)
{
    const struct ck_type *f64 = ck_type_scalar(CK_TYPE_FLOAT64);
    return ck_cast(fn, ck_const_float(fn, f64, value, span), type)->constant.f;
}

/* The sum of the elements, or of their parts, computed in `type`, of 16 bits as float32 within a
 * run. `converts`: of elements converted to it before, which NumPy does by the buffer. */
static double
sum_of_parts(const struct whole *whole, const struct ck_type *type, int part, bool converts)
{
    double *values = CK_NEW_ARRAY(whole->fn->c->arena, double, whole->count);
    for (int64_t i = 0; i < whole->count; i++)
        values[i] = number_of(whole->items[i], part);
    bool is_single =
        is_short(type) || type->kind == CK_TYPE_COMPLEX64 || type->kind == CK_TYPE_FLOAT32;
    struct addends addends = {.values = values, .is_single = is_single};
    int64_t columns = ck_type_is_complex(type) ? IN_A_ROW / 2 : IN_A_ROW;
    int64_t step = converts && whole->run > BUFFER ? BUFFER : whole->run;
    double sum = -0.0;
    for (int64_t first = 0; first < whole->count; first += step) {
        int64_t length = whole->count - first < step ? whole->count - first : step;
        sum = add(&addends, sum, pairwise(&addends, first, length, columns));
        if (is_short(type))
            sum = rounded_to(whole->fn, sum, type, whole->span);
    }
    return sum;
}

/* --- Results -------------------------------------------------------------------------------------
 */

static struct ck_texpr *
rounded(const struct whole *whole, double value, const struct ck_type *type)
{
    const struct ck_type *f64 = ck_type_scalar(CK_TYPE_FLOAT64);
    return ck_cast(whole->fn, ck_const_float(whole->fn, f64, value, whole->span), type);
}

/* A number of a float or complex type. */
static struct ck_value
float_value(const struct whole *whole, const struct ck_type *type, double re, double im)
{
    if (!ck_type_is_complex(type))
        return ck_value_run(type, rounded(whole, re, type));
    const struct ck_type *part = ck_type_part(type);
    return ck_value_run(type, ck_complex_new(whole->fn, type, rounded(whole, re, part),
                                             rounded(whole, im, part), whole->span));
}

static struct ck_value
int_value(const struct whole *whole, enum ck_type_kind kind, int64_t value)
{
    const struct ck_type *type = ck_type_scalar(kind);
    return ck_value_run(type, ck_const_int(whole->fn, type, value, whole->span));
}

static struct ck_value
sum(const struct whole *whole, const struct ck_type *type)
{
    if (ck_type_is_float(type) || ck_type_is_complex(type)) {
        double im = ck_type_is_complex(type) ? sum_of_parts(whole, type, 1, false) : 0;
        return float_value(whole, type, sum_of_parts(whole, type, 0, false), im);
    }
    uint64_t total = 0;
    for (int64_t i = 0; i < whole->count; i++)
        total += (uint64_t)whole->items[i]->constant.i;
    return int_value(whole, type->kind, (int64_t)total);
}

/* Complex sums are divided by a complex number, as NumPy does: multiplied by a reciprocal. */
static struct ck_value
mean(const struct whole *whole, const struct ck_type *type)
{
    double n = (double)whole->count, im = 0;
    const struct ck_type *inner = is_short(type) ? ck_type_scalar(CK_TYPE_FLOAT32) : type;
    double re = sum_of_parts(whole, inner, 0, inner != whole->elem);
    if (ck_type_is_complex(type)) {
        double sum_im = sum_of_parts(whole, inner, 1, false);
        im = (sum_im - re * 0) * (1 / n);
        re = (re + sum_im * 0) * (1 / n);
    } else {
        re /= n;
    }
    if (is_short(type) && whole->is_one_of_many)
        re = (float)re;
    return float_value(whole, type, re, im);
}

static struct ck_value
product(const struct whole *whole, const struct ck_type *type)
{
    struct ck_fn *fn = whole->fn;
    const struct ck_type *inner = is_short(type) ? ck_type_scalar(CK_TYPE_FLOAT32) : type;
    struct ck_value one = ck_value_int(fn, 1, whole->span);
    struct ck_texpr *result = ck_convert(fn, &one, inner);
    for (int64_t i = 0; i < whole->count && result; i++) {
        if (is_short(type) && i % whole->run == 0)
            result = ck_cast(fn, ck_cast(fn, result, type), inner);
        struct ck_texpr *item = ck_cast(fn, whole->items[i], inner);
        result = ck_type_is_complex(inner)
                     ? ck_complex_operation(fn, CK_OP_MUL, result, item, whole->span)
                     : ck_binary_expr(fn, CK_OP_MUL, result, item, whole->span);
    }
    return result ? ck_value_run(type, ck_cast(fn, result, type)) : ck_value_error(whole->span);
}

static bool
is_nan(const struct ck_texpr *item)
{
    if (ck_type_is_complex(item->type))
        return isnan(number_of(item, 0)) || isnan(number_of(item, 1));
    if (ck_type_is_date(item->type))
        return item->constant.i == CK_NAT;
    return ck_type_is_float(item->type) && isnan(item->constant.f);
}

/* Complex numbers are in order of their real parts, then of their imaginary parts. */
static bool
is_below(const struct ck_texpr *a, const struct ck_texpr *b)
{
    bool below = false;
    if (ck_type_is_date(a->type))
        below = a->constant.i < b->constant.i;
    else if (is_short(a->type))
        below = number_of(a, 0) < number_of(b, 0);
    else if (!ck_type_is_complex(a->type))
        ck_fold_compare(&below, CK_CMP_LT, a, b);
    else if (number_of(a, 0) == number_of(b, 0))
        below = number_of(a, 1) < number_of(b, 1);
    else
        below = number_of(a, 0) < number_of(b, 0);
    return below;
}

/* The position of the first extreme, or of the first NaN, in C order. */
static int64_t
place_of_extreme(const struct whole *whole, bool is_least)
{
    int64_t place = 0;
    for (int64_t i = 1; i < whole->count && !is_nan(whole->in_order[place]); i++) {
        const struct ck_texpr *item = whole->in_order[i], *best = whole->in_order[place];
        bool wins = is_nan(item) || (is_least ? is_below(item, best) : is_below(best, item));
        place = wins ? i : place;
    }
    return place;
}

static bool
is_zero(const struct ck_texpr *item)
{
    return number_of(item, 0) == 0 && (!ck_type_is_complex(item->type) || number_of(item, 1) == 0);
}

/* Whether an element is zero, or is not. */
static bool
has(const struct whole *whole, bool zero)
{
    int64_t i = 0;
    while (i < whole->count && is_zero(whole->items[i]) != zero)
        i++;
    return i < whole->count;
}

static struct ck_value
result_of(const struct whole *whole, enum ck_builtin_id id, const struct ck_type *type)
{
    bool is_least = id == CK_BUILTIN_ARRAY_MIN || id == CK_BUILTIN_ARRAY_ARGMIN;
    switch (id) {
    case CK_BUILTIN_ARRAY_SUM:
        return sum(whole, type);
    case CK_BUILTIN_ARRAY_PROD:
        return product(whole, type);
    case CK_BUILTIN_ARRAY_MEAN:
        return mean(whole, type);
    case CK_BUILTIN_ARRAY_ANY:
        return int_value(whole, CK_TYPE_BOOL, has(whole, false));
    case CK_BUILTIN_ARRAY_ALL:
        return int_value(whole, CK_TYPE_BOOL, !has(whole, true));
    case CK_BUILTIN_ARRAY_ARGMIN:
    case CK_BUILTIN_ARRAY_ARGMAX:
        return int_value(whole, CK_TYPE_INT64, place_of_extreme(whole, is_least));
    default:
        return ck_value_run(whole->elem, whole->in_order[place_of_extreme(whole, is_least)]);
    }
}

struct ck_value
ck_const_whole_array(struct ck_fn *fn, enum ck_builtin_id id, const struct ck_value *value,
                     const struct ck_type *type, const struct ck_const_axes *axes)
{
    const struct ck_const_array *array = value->expr->array;
    int64_t shape[CK_MAX_NDIM] = {0}, n_results = 1;
    int ndim = 0;
    for (int i = 0; i < array->ndim; i++) {
        if (!axes->reduced[i] || axes->keeps)
            shape[ndim++] = axes->reduced[i] ? 1 : array->shape[i];
        n_results *= axes->reduced[i] ? 1 : array->shape[i];
    }
    struct ck_texpr **items = CK_NEW_ARRAY(fn->c->arena, struct ck_texpr *, n_results);
    struct whole whole = {.fn = fn, .elem = array->elem, .span = value->span};
    struct ck_value result = ck_value_error(value->span);
    whole.count = array->count / n_results;
    whole.run = run_of(array, axes);
    whole.is_one_of_many = ndim > 0;
    for (int64_t i = 0; i < n_results; i++) {
        whole.items = elements_at(fn, array, axes, i, whole.count, false);
        whole.in_order = elements_at(fn, array, axes, i, whole.count, true);
        result = result_of(&whole, id, type);
        if (result.kind != CK_VALUE_RUN)
            return result;
        items[i] = result.expr;
    }
    if (ndim == 0)
        return result;
    if (ck_const_count(fn, shape, ndim, result.type, value->span) < 0)
        return ck_value_error(value->span);
    result = ck_const_array_value(fn, result.type, shape, ndim, items, value->span);
    if (array->is_fortran)
        ck_const_array_to_fortran(fn, &result);
    return result;
}
