/* Reductions of arrays to a number, as functions and as methods: sum(x), x.max(). */
#include "call.h"

#include <math.h>
#include <string.h>

enum reduction { SUM, PROD, MEAN, MIN, MAX, ALL, ANY, N_REDUCTIONS };

static const char *const reductions[] = {"sum", "prod", "mean", "min", "max", "all", "any"};

/* The index of the reduction called `name`; N_REDUCTIONS: there is none. */
static enum reduction
find_reduction(const char *name, size_t length)
{
    enum reduction i = 0;
    while (i < N_REDUCTIONS &&
           (strlen(reductions[i]) != length || memcmp(reductions[i], name, length) != 0))
        i++;
    return i;
}

/* NumPy's dtype of the result. */
static ck_dtype
result_dtype(enum reduction r, ck_dtype dtype)
{
    if (r == ALL || r == ANY)
        return CK_BOOL;
    if (r == MIN || r == MAX || !ckrun_is_int_dtype(dtype))
        return dtype;
    if (r == MEAN)
        return CK_FLOAT64;
    return dtype >= CK_UINT8 ? CK_UINT64 : CK_INT64;
}

static bool
is_true(const struct ckrun_element *e)
{
    return e->i || e->re != 0 || e->im != 0;
}

/* Whether `e` replaces the extreme found so far; a NaN does. */
static bool
exceeds(enum reduction r, const struct ckrun_element *e, const struct ckrun_element *found)
{
    bool greatest = r == MAX;
    if (ckrun_is_int_dtype(e->dtype))
        return greatest ? e->i > found->i : e->i < found->i;
    if (isnan(found->re))
        return false;
    return isnan(e->re) || (greatest ? e->re > found->re : e->re < found->re);
}

/* What a reduction has so far. Floats are summed in long double, so that the result is as good as
 * its dtype; integers wrap at 64 bits. */
struct totals {
    long double re, im;
    uint64_t i;
    struct ckrun_element extreme;
    bool all, any;
};

static void
multiply(struct totals *t, const struct ckrun_element *e)
{
    long double re = t->re * e->re - t->im * e->im;
    t->im = t->re * e->im + t->im * e->re;
    t->re = re;
    t->i *= (uint64_t)e->i;
}

static void
include(struct totals *t, enum reduction r, const struct ckrun_element *e, bool is_first)
{
    if (r == PROD) {
        multiply(t, e);
    } else if (r == MIN || r == MAX) {
        t->extreme = is_first || exceeds(r, e, &t->extreme) ? *e : t->extreme;
    } else {
        t->re += e->re;
        t->im += e->im;
        t->i += (uint64_t)e->i;
    }
    if (r == MEAN && ckrun_is_int_dtype(e->dtype))
        t->re += (long double)e->i;
    t->all = t->all && is_true(e);
    t->any = t->any || is_true(e);
}

static struct ckrun_element
result_of(const struct totals *t, enum reduction r, ck_dtype dtype, int64_t count)
{
    struct ckrun_element e = {.dtype = dtype, .re = (double)t->re, .im = (double)t->im};
    if (r == MIN || r == MAX)
        return t->extreme;
    e.i = r == ALL            ? t->all
          : r == ANY          ? t->any
          : dtype == CK_INT64 ? (int64_t)t->i
                              : (ckrun_int)t->i;
    if (r == MEAN) {
        e.re = (double)(t->re / count);
        e.im = (double)(t->im / count);
    }
    e.re = ckrun_round_to(dtype, e.re);
    e.im = ckrun_round_to(dtype, e.im);
    return e;
}

static struct ckrun_value
reduce(struct ckrun_parser *p, const char *at, enum reduction r, const ck_npy *of)
{
    struct totals totals = {.all = true};
    int64_t count = ckrun_count(of);
    if (ckrun_refuse_records(p, at, of))
        return ckrun_int_value(0);
    if (r == PROD) {
        totals.re = 1;
        totals.i = 1;
    }
    if ((r == MIN || r == MAX) && ckrun_is_complex_dtype(of->dtype))
        ckrun_parse_fail(p, at, "complex numbers have no order");
    else if ((r == MIN || r == MAX) && count == 0)
        ckrun_parse_fail(p, at, "an empty array has no %s", reductions[r]);
    for (int64_t i = 0; i < count && !p->error; i++) {
        struct ckrun_element e = ckrun_load(of, i);
        include(&totals, r, &e, i == 0);
    }
    struct ckrun_element result = result_of(&totals, r, result_dtype(r, of->dtype), count);
    return p->error ? ckrun_int_value(0) : ckrun_number_of(&result);
}

struct ckrun_value
ckrun_call_reduce(struct ckrun_call *call)
{
    const ck_npy *of = ckrun_array_argument(call);
    enum reduction r = find_reduction(call->name, strlen(call->name));
    return of ? reduce(call->p, call->at, r, of) : ckrun_int_value(0);
}

bool
ckrun_reduce(struct ckrun_parser *p, const char *name, size_t length, const ck_npy *of,
             struct ckrun_value *out)
{
    enum reduction r = find_reduction(name, length);
    if (r == N_REDUCTIONS)
        return false;
    ckrun_parse_expect(p, '(');
    ckrun_parse_expect(p, ')');
    if (!p->error)
        *out = reduce(p, name, r, of);
    return true;
}
