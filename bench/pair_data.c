#include <math.h>
#include <string.h>

#include "pair_data.h"
#include "random_points.h"

size_t
pair_count(const ck_array *array)
{
    size_t count = 1;
    for (int i = 0; i < array->ndim; i++)
        count *= (size_t)array->shape[i];
    return count;
}

size_t
pair_bytes(const ck_array *array)
{
    return pair_count(array) * ck_dtype_size(array->dtype);
}

/* --- Elements ----------------------------------------------------------------------------------
 */

static bool
is_float(ck_dtype dtype)
{
    return dtype == CK_FLOAT16 || dtype == CK_FLOAT32 || dtype == CK_FLOAT64;
}

/* The element of an array of numbers, exact but for integers of 64 bits. */
static double
get(const void *host, ck_dtype dtype, size_t i)
{
    switch (dtype) {
    case CK_FLOAT16:
        return (double)((const _Float16 *)host)[i];
    case CK_FLOAT32:
        return (double)((const float *)host)[i];
    case CK_FLOAT64:
        return ((const double *)host)[i];
    case CK_UINT8:
        return ((const uint8_t *)host)[i];
    case CK_INT32:
        return ((const int32_t *)host)[i];
    case CK_UINT32:
        return ((const uint32_t *)host)[i];
    case CK_INT64:
        return (double)((const int64_t *)host)[i];
    default:
        return (double)((const uint64_t *)host)[i];
    }
}

static void
set(void *host, ck_dtype dtype, size_t i, double value)
{
    switch (dtype) {
    case CK_FLOAT16:
        ((_Float16 *)host)[i] = (_Float16)value;
        break;
    case CK_FLOAT32:
        ((float *)host)[i] = (float)value;
        break;
    case CK_FLOAT64:
        ((double *)host)[i] = value;
        break;
    case CK_UINT8:
        ((uint8_t *)host)[i] = (uint8_t)value;
        break;
    case CK_INT32:
        ((int32_t *)host)[i] = (int32_t)value;
        break;
    case CK_UINT32:
        ((uint32_t *)host)[i] = (uint32_t)value;
        break;
    case CK_INT64:
        ((int64_t *)host)[i] = (int64_t)value;
        break;
    default:
        ((uint64_t *)host)[i] = (uint64_t)value;
        break;
    }
}

/* --- Kinds -------------------------------------------------------------------------------------
 */

/* The seed of one element. */
static uint64_t
seed_at(uint64_t seed, size_t i)
{
    return seed * 0x9e3779b97f4a7c15u + i * 0xd1342543de82ef95u;
}

/* Random from low, to below high. */
static void
fill_uniform(void *host, const ck_array *array, const struct pair_fill *fill)
{
    const size_t n = pair_count(array);
    const bool whole = !is_float(array->dtype);
    for (size_t i = 0; i < n; i++) {
        double value = fill->low + (fill->high - fill->low) * unit(seed_at(fill->seed, i));
        set(host, array->dtype, i, whole ? floor(value) : value);
    }
}

static void
fill_constant(void *host, const ck_array *array, const struct pair_fill *fill)
{
    const size_t n = pair_count(array);
    for (size_t i = 0; i < n; i++)
        set(host, array->dtype, i, fill->low);
}

/* The first element low, the others high. */
static void
fill_first(void *host, const ck_array *array, const struct pair_fill *fill)
{
    const size_t n = pair_count(array);
    for (size_t i = 0; i < n; i++)
        set(host, array->dtype, i, i == 0 ? fill->low : fill->high);
}

/* No numbers, or -1, or the greatest. */
static void
fill_poison(void *host, const ck_array *array, const struct pair_fill *fill)
{
    (void)fill;
    memset(host, 0xff, pair_bytes(array));
}

/* In even steps from low, to below high. */
static void
fill_ramp(void *host, const ck_array *array, const struct pair_fill *fill)
{
    const size_t n = pair_count(array);
    for (size_t i = 0; i < n; i++)
        set(host, array->dtype, i, fill->low + (fill->high - fill->low) * (double)i / (double)n);
}

/* Where the rows of a sparse matrix with `low` elements a row in the mean begin, and the last one's
 * end: each row begins at random up to `low` - 1 after its mean. */
static void
fill_offsets(void *host, const ck_array *array, const struct pair_fill *fill)
{
    const size_t n = pair_count(array);
    for (size_t i = 0; i < n; i++) {
        double shift = i == 0 || i + 1 == n ? 0 : floor(fill->low * unit(seed_at(fill->seed, i)));
        set(host, array->dtype, i, (double)i * fill->low + shift);
    }
}

/* The numbers from 0 on in random order. */
static void
fill_shuffled(void *host, const ck_array *array, const struct pair_fill *fill)
{
    const size_t n = pair_count(array);
    for (size_t i = 0; i < n; i++) {
        size_t j = (size_t)(mix(seed_at(fill->seed, i)) % (i + 1));
        set(host, array->dtype, i, j == i ? (double)i : get(host, array->dtype, j));
        set(host, array->dtype, j, (double)i);
    }
}

/* -1 or 1 at random. */
static void
fill_signs(void *host, const ck_array *array, const struct pair_fill *fill)
{
    const size_t n = pair_count(array);
    for (size_t i = 0; i < n; i++)
        set(host, array->dtype, i, mix(seed_at(fill->seed, i)) >> 63 ? 1 : -1);
}

/* For dxtc: all partitions of 16 pixels in a row into four groups, not all in one, as codes of two
 * bits: 0, 2, 3, 1. */
static void
fill_partitions(void *host, const ck_array *array, const struct pair_fill *fill)
{
    const size_t n = pair_count(array);
    size_t i = 0;
    (void)fill;
    for (int a = 0; a <= 16; a++) {
        for (int b = a; b <= 16; b++) {
            for (int c = b; c <= 16 && i < n; c++) {
                uint32_t codes = 0;
                for (int k = 0; k < 16; k++)
                    codes |= (k < a ? 0u : k < b ? 2u : k < c ? 3u : 1u) << 2 * k;
                if (codes && codes != 0x55555555u && codes != 0xaaaaaaaau && codes != 0xffffffffu)
                    set(host, array->dtype, i++, codes);
            }
        }
    }
}

/* Square matrices, small at random but for the diagonal, 2 to 3: factors of it stay near 1. */
static void
fill_dominant(void *host, const ck_array *array, const struct pair_fill *fill)
{
    const size_t n = pair_count(array), cols = (size_t)array->shape[array->ndim - 1];
    for (size_t i = 0; i < n; i++) {
        bool diagonal = i / cols % cols == i % cols;
        double value = unit(seed_at(fill->seed, i));
        set(host, array->dtype, i, diagonal ? 2 + value : (value - 0.5) / (double)cols);
    }
}

bool
pair_fill(void *host, const ck_array *array, const struct pair_fill *fill,
          struct bench_reply *reply)
{
    static const struct {
        const char *name;
        void (*fill)(void *, const ck_array *, const struct pair_fill *);
    } kinds[] = {
        {"constant", fill_constant}, {"dominant", fill_dominant},     {"first", fill_first},
        {"offsets", fill_offsets},   {"partitions", fill_partitions}, {"poison", fill_poison},
        {"ramp", fill_ramp},         {"shuffled", fill_shuffled},     {"signs", fill_signs},
        {"uniform", fill_uniform}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (!strcmp(kinds[i].name, fill->kind)) {
            kinds[i].fill(host, array, fill);
            return true;
        }
    }
    return bench_fail(reply, "there is no kind of data called %s", fill->kind);
}

/* --- Comparing ---------------------------------------------------------------------------------
 */

static bool
close_enough(double got, double want, double rtol, double atol)
{
    if (isnan(want) || isinf(want))
        return isnan(want) ? isnan(got) : got == want;
    return fabs(got - want) <= atol + rtol * fabs(want);
}

bool
pair_compare(const void *got, const void *want, const ck_array *array, double rtol, double atol,
             struct bench_reply *reply)
{
    const size_t n = pair_count(array), size = ck_dtype_size(array->dtype);
    for (size_t i = 0; i < n; i++) {
        if (!memcmp((const char *)got + i * size, (const char *)want + i * size, size))
            continue;
        double one = get(got, array->dtype, i), other = get(want, array->dtype, i);
        if (!is_float(array->dtype) || !close_enough(one, other, rtol, atol))
            return bench_fail(reply, "element %zu is %.9g, not %.9g", i, one, other);
    }
    return true;
}
