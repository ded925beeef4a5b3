/* Comparison of an array with what was expected. */
#include "ckrun.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../common/messages.h"

enum { MAX_SHOWN = 10 };

/* A greatest error, and the first element that has it. */
struct largest {
    double error; /* 0: none was found */
    int64_t index[CK_MAX_DIMS];
};

/* One comparison of two arrays, or of an array and a number. */
struct comparison {
    const char *name, *what;
    const ck_npy *got;
    const ck_npy *want;          /* or NULL: */
    struct ckrun_element number; /* the same for every element */
    bool exact;
    double relative, absolute;
    int64_t n_different;
    struct largest absolute_error, relative_error;
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

/* The distance of two finite elements; infinite where one of them is not finite and differs. */
static double
distance(const struct ckrun_element *a, const struct ckrun_element *b)
{
    if (ckrun_is_int_dtype(a->dtype))
        return (double)(a->i > b->i ? a->i - b->i : b->i - a->i);
    if (a->re == b->re && a->im == b->im)
        return 0;
    if (isnan(a->re) && isnan(b->re) && a->im == b->im)
        return 0;
    double d = hypot(a->re - b->re, a->im - b->im);
    return isnan(d) ? INFINITY : d;
}

static void
note_error(struct largest *largest, double error, const int64_t *index)
{
    if (!(error > largest->error))
        return;
    largest->error = error;
    memcpy(largest->index, index, sizeof largest->index);
}

/* Relative to what was expected; an error where zero was expected has no relative one. */
static void
note_errors(struct comparison *c, const int64_t *index, const struct ckrun_element *a,
            const struct ckrun_element *b)
{
    double d = distance(a, b);
    double size = ckrun_is_int_dtype(b->dtype) ? fabs((double)b->i) : hypot(b->re, b->im);
    note_error(&c->absolute_error, d, index);
    if (size > 0 && isfinite(size))
        note_error(&c->relative_error, d / size, index);
}

/* Calls `visit` for every element. */
static void
for_each_element(struct comparison *c,
                 void (*visit)(struct comparison *, const int64_t *index,
                               const struct ckrun_element *, const struct ckrun_element *))
{
    int64_t index[CK_MAX_DIMS] = {0};
    if (ckrun_count(c->got) == 0)
        return;
    do {
        struct ckrun_element a = ckrun_load(c->got, ckrun_offset(c->got, index));
        struct ckrun_element b = wanted(c, index);
        visit(c, index, &a, &b);
    } while (ckrun_next_index(c->got, index));
}

static void
count_difference(struct comparison *c, const int64_t *index, const struct ckrun_element *a,
                 const struct ckrun_element *b)
{
    note_errors(c, index, a, b);
    c->n_different += !close_enough(c, a, b);
}

/* `n_different` counts down what is still to be shown. */
static void
show_difference(struct comparison *c, const int64_t *index, const struct ckrun_element *a,
                const struct ckrun_element *b)
{
    char got[CKRUN_ELEMENT_TEXT], want[CKRUN_ELEMENT_TEXT];
    if (close_enough(c, a, b) || c->n_different-- <= 0)
        return;
    char *name = ckrun_element_name(c->name, c->got, index);
    tool_detail("  %s: got %s, want %s\n", name, ckrun_element_text(got, a),
                ckrun_element_text(want, b));
    free(name);
}

/* "largest error 0.5 (y[3]), relative 0.25 (y[7])", to be freed. */
static char *
errors_text(const struct comparison *c)
{
    const struct largest *absolute = &c->absolute_error, *relative = &c->relative_error;
    char *at = ckrun_element_name(c->name, c->got, absolute->index),
         *relative_at = ckrun_element_name(c->name, c->got, relative->index);
    char *text = relative->error > 0
                     ? tool_printf("largest error %.3g (%s), relative %.3g (%s)", absolute->error,
                                   at, relative->error, relative_at)
                     : tool_printf("largest error %.3g (%s)", absolute->error, at);
    free(at);
    free(relative_at);
    return text;
}

/* The largest error of an array that is as expected, if there is any. */
static void
note_agreement(const struct comparison *c)
{
    if (!(c->absolute_error.error > 0))
        return;
    char *text = errors_text(c);
    tool_note("`%s` is close to %s: %s", c->name, c->what, text);
    free(text);
}

static bool
compare(struct comparison *c, struct ckrun_errors *errors)
{
    for_each_element(c, count_difference);
    int64_t n = c->n_different;
    *errors = (struct ckrun_errors){n, c->absolute_error.error, c->relative_error.error};
    if (n == 0) {
        note_agreement(c);
        return true;
    }
    char tolerance[80] = "exactly";
    if (!c->exact)
        snprintf(tolerance, sizeof tolerance, "rtol %g, atol %g", c->relative, c->absolute);
    tool_error("`%s` differs from %s in %lld of %lld elements (%s)", c->name, c->what, (long long)n,
               (long long)ckrun_count(c->got), tolerance);
    c->n_different = MAX_SHOWN;
    for_each_element(c, show_difference);
    if (n > MAX_SHOWN)
        tool_detail("  ... and %lld more\n", (long long)(n - MAX_SHOWN));
    char *text = errors_text(c);
    tool_detail("  %s\n", text);
    free(text);
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
expect_fields(const struct comparison *c, struct ckrun_tolerance tolerance,
              struct ckrun_errors *errors)
{
    const ck_npy *got = c->got, *want = c->want;
    bool good = true;
    *errors = (struct ckrun_errors){0};
    for (int i = 0; i < got->record->n_fields; i++) {
        ck_npy a = {0}, b = {0};
        struct ckrun_errors of_field = {0};
        char *text = tool_printf("%s.%s", c->name, got->record->fields[i].name);
        if (ckrun_copy_field(&a, got, &got->record->fields[i]) &&
            ckrun_copy_field(&b, want, &want->record->fields[i])) {
            good = ckrun_expect_array(text, &a, &b, c->what, tolerance, &of_field) && good;
        } else {
            tool_error("`%s` has more than %d dimensions with those of its field", text,
                       CK_MAX_DIMS);
            good = false;
        }
        errors->n_different += of_field.n_different;
        errors->absolute = fmax(errors->absolute, of_field.absolute);
        errors->relative = fmax(errors->relative, of_field.relative);
        ck_npy_free(&a);
        ck_npy_free(&b);
        free(text);
    }
    return good;
}

static bool
same_dtype(const struct comparison *c)
{
    const ck_npy *got = c->got, *want = c->want;
    if (got->dtype == want->dtype && (!got->record || ck_record_equal(got->record, want->record)))
        return true;
    char *a = ckrun_dtype_text(got->dtype, got->record);
    char *b = ckrun_dtype_text(want->dtype, want->record);
    tool_error("`%s` is %s, %s is %s", c->name, a, c->what, b);
    free(a);
    free(b);
    return false;
}

bool
ckrun_expect_array(const char *name, const ck_npy *got, const ck_npy *want, const char *what,
                   struct ckrun_tolerance tolerance, struct ckrun_errors *errors)
{
    struct comparison c = begin(name, got, what, tolerance);
    c.want = want;
    if (!same_dtype(&c) || !same_shape(&c))
        return false;
    return got->record ? expect_fields(&c, tolerance, errors) : compare(&c, errors);
}

bool
ckrun_expect_number(const char *name, const ck_npy *got, const struct ckrun_value *want,
                    const char *what, struct ckrun_tolerance tolerance, struct ckrun_errors *errors)
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
        return compare(&c, errors);
    tool_error("`%s` is %s, which cannot be %s", name, ck_dtype_name(got->dtype), what);
    free(error);
    return false;
}

/* Whether the element fits in the dtype; integers have no fraction. */
static bool
takes_element(struct ckrun_element *out, ck_dtype dtype, const struct ckrun_element *e)
{
    struct ckrun_value v = ckrun_number_of(e);
    char *error = NULL;
    bool lossy = ckrun_is_int_dtype(dtype) && v.kind == CKRUN_FLOAT && v.f != trunc(v.f);
    bool fits = ckrun_convert(out, dtype, &v, &error);
    free(error);
    return fits && !lossy;
}

bool
ckrun_expect_converted(const char *name, const ck_npy *got, const ck_npy *want, const char *what,
                       struct ckrun_tolerance tolerance, struct ckrun_errors *errors)
{
    int64_t count = ckrun_count(want);
    ck_npy converted = *want;
    bool fits = true, satisfied = false;
    if (want->dtype == got->dtype || want->record || got->record)
        return ckrun_expect_array(name, got, want, what, tolerance, errors);
    converted.dtype = got->dtype;
    converted.data = tool_alloc((size_t)count * ck_dtype_size(got->dtype));
    for (int64_t i = 0; i < count && fits; i++) {
        struct ckrun_element e = ckrun_load(want, i), as;
        fits = takes_element(&as, got->dtype, &e);
        ckrun_store(&converted, i, &as);
    }
    if (fits)
        satisfied = ckrun_expect_array(name, got, &converted, what, tolerance, errors);
    else
        tool_error("`%s` is %s, which cannot hold all of %s, which is %s", name,
                   ck_dtype_name(got->dtype), what, ck_dtype_name(want->dtype));
    free(converted.data);
    return satisfied;
}
