/* Comparison of an array with what was expected. */
#include "ckrun.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../common/messages.h"

enum { MAX_SHOWN = 10 };

/* One comparison of two arrays, or of an array and a number. */
struct comparison {
    const char *name, *what;
    const ck_npy *got;
    const ck_npy *want;          /* or NULL: */
    struct ckrun_element number; /* the same for every element */
    bool exact;
    double relative, absolute;
    int64_t n_different;
};

/* NumPy's isclose, not symmetric: `b` is what was expected. NaN equals NaN. */
static bool
close_floats(const struct comparison *c, double a, double b)
{
    if (isnan(a) || isnan(b))
        return isnan(a) && isnan(b);
    if (isinf(a) || isinf(b) || a == b)
        return a == b;
    return fabs(a - b) <= c->absolute + c->relative * fabs(b);
}

static bool
close_complex(const struct comparison *c, const struct ckrun_element *a,
              const struct ckrun_element *b)
{
    if (!isfinite(a->re) || !isfinite(a->im) || !isfinite(b->re) || !isfinite(b->im))
        return close_floats(c, a->re, b->re) && close_floats(c, a->im, b->im);
    return hypot(a->re - b->re, a->im - b->im) <= c->absolute + c->relative * hypot(b->re, b->im);
}

static bool
close_ints(const struct comparison *c, ckrun_int a, ckrun_int b)
{
    if (a == b || c->exact)
        return a == b;
    double difference = (double)(a > b ? a - b : b - a);
    return difference <= c->absolute + c->relative * fabs((double)b);
}

static bool
close_enough(const struct comparison *c, const struct ckrun_element *a,
             const struct ckrun_element *b)
{
    if (ckrun_is_int_dtype(a->dtype))
        return close_ints(c, a->i, b->i);
    if (ckrun_is_complex_dtype(a->dtype))
        return close_complex(c, a, b);
    return close_floats(c, a->re, b->re);
}

static struct ckrun_element
wanted(const struct comparison *c, const int64_t *index)
{
    return c->want ? ckrun_load(c->want, ckrun_offset(c->want, index)) : c->number;
}

/* Calls `visit` for every element that differs. */
static void
for_each_difference(struct comparison *c,
                    void (*visit)(struct comparison *, const int64_t *index,
                                  const struct ckrun_element *, const struct ckrun_element *))
{
    int64_t index[CK_MAX_DIMS] = {0};
    if (ckrun_count(c->got) == 0)
        return;
    do {
        struct ckrun_element a = ckrun_load(c->got, ckrun_offset(c->got, index));
        struct ckrun_element b = wanted(c, index);
        if (!close_enough(c, &a, &b))
            visit(c, index, &a, &b);
    } while (ckrun_next_index(c->got, index));
}

static void
count_difference(struct comparison *c, const int64_t *index, const struct ckrun_element *a,
                 const struct ckrun_element *b)
{
    c->n_different++;
}

/* `n_different` counts down what is still to be shown. */
static void
show_difference(struct comparison *c, const int64_t *index, const struct ckrun_element *a,
                const struct ckrun_element *b)
{
    char got[CKRUN_ELEMENT_TEXT], want[CKRUN_ELEMENT_TEXT];
    if (c->n_different-- <= 0)
        return;
    tool_detail("  %s", c->name);
    for (int i = 0; i < c->got->ndim; i++)
        tool_detail("%s%lld", i ? ", " : "[", (long long)index[i]);
    tool_detail("%s: got %s, want %s\n", c->got->ndim ? "]" : "", ckrun_element_text(got, a),
                ckrun_element_text(want, b));
}

static bool
compare(struct comparison *c)
{
    for_each_difference(c, count_difference);
    int64_t n = c->n_different;
    if (n == 0)
        return true;
    char tolerance[80] = "exactly";
    if (!c->exact)
        snprintf(tolerance, sizeof tolerance, "rtol %g, atol %g", c->relative, c->absolute);
    tool_error("`%s` differs from %s in %lld of %lld elements (%s)", c->name, c->what, (long long)n,
               (long long)ckrun_count(c->got), tolerance);
    c->n_different = MAX_SHOWN;
    for_each_difference(c, show_difference);
    if (n > MAX_SHOWN)
        tool_detail("  ... and %lld more\n", (long long)(n - MAX_SHOWN));
    return false;
}

static struct comparison
begin(const char *name, const ck_npy *got, const char *what, struct ckrun_tolerance tolerance)
{
    return (struct comparison){
        .name = name,
        .what = what,
        .got = got,
        .exact = ckrun_is_int_dtype(got->dtype) && !tolerance.given,
        .relative = tolerance.relative,
        .absolute = tolerance.absolute,
    };
}

static bool
same_shape(const struct comparison *c)
{
    const ck_npy *got = c->got, *want = c->want;
    size_t bytes = (size_t)got->ndim * sizeof *got->shape;
    if (got->ndim == want->ndim && memcmp(got->shape, want->shape, bytes) == 0)
        return true;
    char *a = ckrun_shape_text(got->ndim, got->shape);
    char *b = ckrun_shape_text(want->ndim, want->shape);
    tool_error("`%s` has shape %s, %s has shape %s", c->name, a, c->what, b);
    free(a);
    free(b);
    return false;
}

/* Each field by itself. */
static bool
expect_fields(const char *name, const ck_npy *got, const ck_npy *want, const char *what,
              struct ckrun_tolerance tolerance)
{
    bool good = true;
    for (int i = 0; i < got->record->n_fields; i++) {
        ck_npy a = {0}, b = {0};
        char *text = tool_printf("%s.%s", name, got->record->fields[i].name);
        if (ckrun_copy_field(&a, got, &got->record->fields[i]) &&
            ckrun_copy_field(&b, want, &want->record->fields[i]))
            good = ckrun_expect_array(text, &a, &b, what, tolerance) && good;
        ck_npy_free(&a);
        ck_npy_free(&b);
        free(text);
    }
    return good;
}

bool
ckrun_expect_array(const char *name, const ck_npy *got, const ck_npy *want, const char *what,
                   struct ckrun_tolerance tolerance)
{
    struct comparison c = begin(name, got, what, tolerance);
    c.want = want;
    if (got->record && want->record && ck_record_equal(got->record, want->record))
        return same_shape(&c) && expect_fields(name, got, want, what, tolerance);
    if (got->dtype != want->dtype || got->record) {
        tool_error("`%s` is %s, %s is %s", name, ck_dtype_name(got->dtype), what,
                   ck_dtype_name(want->dtype));
        return false;
    }
    return same_shape(&c) && compare(&c);
}

bool
ckrun_expect_number(const char *name, const ck_npy *got, const struct ckrun_value *want,
                    const char *what, struct ckrun_tolerance tolerance)
{
    struct comparison c = begin(name, got, what, tolerance);
    char *error = NULL;
    bool is_int = ckrun_is_int_dtype(got->dtype);
    bool lossy = is_int && want->kind == CKRUN_FLOAT && want->f != trunc(want->f);
    if (got->record) {
        tool_error("`%s` has records, %s is a number: expect an array", name, what);
        return false;
    }
    bool converted = ckrun_convert(&c.number, got->dtype, want, &error);
    if (converted && !lossy)
        return compare(&c);
    tool_error("`%s` is %s, which cannot be %s", name, ck_dtype_name(got->dtype), what);
    free(error);
    return false;
}
