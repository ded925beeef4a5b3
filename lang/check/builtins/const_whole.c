/* Functions of whole constant arrays of the module, `A.sum()` and `np.max(A)`, computed as NumPy
 * does: sums of floats are added in its order. */
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

/* What NumPy converts before it adds, it converts by the buffer. */
static double
sum_of(const struct addends *addends, int64_t n, bool converts, bool is_complex)
{
    double sum = -0.0;
    int64_t step = converts ? BUFFER : n;
    for (int64_t first = 0; first < n; first += step) {
        int64_t length = n - first < step ? n - first : step;
        sum = add(addends, sum,
                  pairwise(addends, first, length, is_complex ? IN_A_ROW / 2 : IN_A_ROW));
    }
    return sum;
}

/* --- Elements ------------------------------------------------------------------------------------
 */

/* A constant array, and its elements in the order of its memory. */
struct whole {
    struct ck_fn *fn;
    const struct ck_const_array *array;
    struct ck_texpr **items;
    struct ck_span span;
};

/* The position in C order of the element `at` in Fortran order. */
static int64_t
position_in_c(const struct ck_const_array *array, int64_t at)
{
    int64_t index[CK_MAX_NDIM], position = 0;
    for (int i = 0; i < array->ndim; i++) {
        index[i] = at % array->shape[i];
        at /= array->shape[i];
    }
    for (int i = 0; i < array->ndim; i++)
        position = position * array->shape[i] + index[i];
    return position;
}

static struct whole
whole_of(struct ck_fn *fn, const struct ck_value *value)
{
    const struct ck_const_array *array = value->expr->array;
    struct whole whole = {.fn = fn, .array = array, .items = array->items, .span = value->span};
    if (!array->is_fortran)
        return whole;
    whole.items = CK_NEW_ARRAY(fn->c->arena, struct ck_texpr *, array->count);
    for (int64_t i = 0; i < array->count; i++)
        whole.items[i] = array->items[position_in_c(array, i)];
    return whole;
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

/* The sum of the elements, or of their parts, computed in `type`. `converts`: of elements converted
 * to it before. */
static double
sum_of_parts(const struct whole *whole, const struct ck_type *type, int part, bool converts)
{
    const struct ck_const_array *array = whole->array;
    double *values = CK_NEW_ARRAY(whole->fn->c->arena, double, array->count);
    for (int64_t i = 0; i < array->count; i++)
        values[i] = number_of(whole->items[i], part);
    bool is_single = type->kind == CK_TYPE_COMPLEX64 || type->kind == CK_TYPE_FLOAT32;
    struct addends addends = {.values = values, .is_single = is_single};
    return sum_of(&addends, array->count, converts, ck_type_is_complex(type));
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

/* A sum; of 16-bit floats computed as float32. */
static struct ck_value
sum(const struct whole *whole, const struct ck_type *type)
{
    if (ck_type_is_float(type) || ck_type_is_complex(type)) {
        const struct ck_type *inner = is_short(type) ? ck_type_scalar(CK_TYPE_FLOAT32) : type;
        double im = ck_type_is_complex(type) ? sum_of_parts(whole, inner, 1, false) : 0;
        return float_value(whole, type, sum_of_parts(whole, inner, 0, false), im);
    }
    uint64_t total = 0;
    for (int64_t i = 0; i < whole->array->count; i++)
        total += (uint64_t)whole->items[i]->constant.i;
    return int_value(whole, type->kind, (int64_t)total);
}

/* Complex sums are multiplied by the reciprocal, as a quotient of complex numbers is. */
static struct ck_value
mean(const struct whole *whole, const struct ck_type *type)
{
    double n = (double)whole->array->count, im = 0;
    const struct ck_type *inner = is_short(type) ? ck_type_scalar(CK_TYPE_FLOAT32) : type;
    double re = sum_of_parts(whole, inner, 0, inner != whole->array->elem);
    if (ck_type_is_complex(type)) {
        im = sum_of_parts(whole, inner, 1, false) * (1 / n);
        re *= 1 / n;
    } else {
        re /= n;
    }
    return float_value(whole, type, re, im);
}

static struct ck_value
product(const struct whole *whole, const struct ck_type *type)
{
    struct ck_fn *fn = whole->fn;
    const struct ck_type *inner = is_short(type) ? ck_type_scalar(CK_TYPE_FLOAT32) : type;
    struct ck_value one = ck_value_int(fn, 1, whole->span);
    struct ck_texpr *result = ck_convert(fn, &one, inner);
    for (int64_t i = 0; i < whole->array->count && result; i++) {
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
    return ck_type_is_float(item->type) && isnan(item->constant.f);
}

/* Complex numbers are in order of their real parts, then of their imaginary parts. */
static bool
is_below(const struct ck_texpr *a, const struct ck_texpr *b)
{
    bool below = false;
    if (!ck_type_is_complex(a->type))
        ck_fold_compare(&below, CK_CMP_LT, a, b);
    else if (number_of(a, 0) == number_of(b, 0))
        below = number_of(a, 1) < number_of(b, 1);
    else
        below = number_of(a, 0) < number_of(b, 0);
    return below;
}

/* The position of the first extreme, or of the first NaN, in C order. */
static int64_t
place_of_extreme(const struct ck_const_array *array, bool is_least)
{
    int64_t place = 0;
    for (int64_t i = 1; i < array->count && !is_nan(array->items[place]); i++) {
        const struct ck_texpr *item = array->items[i], *best = array->items[place];
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
has(const struct ck_const_array *array, bool zero)
{
    int64_t i = 0;
    while (i < array->count && is_zero(array->items[i]) != zero)
        i++;
    return i < array->count;
}

struct ck_value
ck_const_whole_array(struct ck_fn *fn, enum ck_builtin_id id, const struct ck_value *value,
                     const struct ck_type *type)
{
    struct whole whole = whole_of(fn, value);
    const struct ck_const_array *array = whole.array;
    bool is_least = id == CK_BUILTIN_ARRAY_MIN || id == CK_BUILTIN_ARRAY_ARGMIN;
    switch (id) {
    case CK_BUILTIN_ARRAY_SUM:
        return sum(&whole, type);
    case CK_BUILTIN_ARRAY_PROD:
        return product(&whole, type);
    case CK_BUILTIN_ARRAY_MEAN:
        return mean(&whole, type);
    case CK_BUILTIN_ARRAY_ANY:
        return int_value(&whole, CK_TYPE_BOOL, has(array, false));
    case CK_BUILTIN_ARRAY_ALL:
        return int_value(&whole, CK_TYPE_BOOL, !has(array, true));
    case CK_BUILTIN_ARRAY_ARGMIN:
    case CK_BUILTIN_ARRAY_ARGMAX:
        return int_value(&whole, CK_TYPE_INT64, place_of_extreme(array, is_least));
    default:
        return ck_value_run(array->elem, array->items[place_of_extreme(array, is_least)]);
    }
}
