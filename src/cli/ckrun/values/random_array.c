/* Arrays of random numbers: uniform, normal, randint. The same command makes the same numbers on
 * every machine, but for the last digit of `normal`, which is the C library's.
 *
 * The generator is SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
 * generators", 2014). Its state begins at the seed, and the numbers are drawn in C order. */
#include "call.h"

#include <math.h>

struct generator {
    uint64_t state;
    bool has_second; /* of the two numbers that `normal` makes at once */
    double second;
};

static uint64_t
next_bits(struct generator *g)
{
    uint64_t z = g->state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* A multiple of 2**-digits in [0, 1). */
static double
next_fraction(struct generator *g, int digits)
{
    return ldexp((double)(next_bits(g) >> (64 - digits)), -digits);
}

/* By the method of Box and Muller. */
static double
next_normal(struct generator *g)
{
    if (g->has_second) {
        g->has_second = false;
        return g->second;
    }
    double radius = sqrt(-2 * log(1 - next_fraction(g, 53)));
    double angle = 2 * M_PI * next_fraction(g, 53);
    g->has_second = true;
    g->second = radius * sin(angle);
    return radius * cos(angle);
}

/* An integer in [0, span), each as likely as the others; a span of 0 is 2**64. */
static uint64_t
next_below(struct generator *g, uint64_t span)
{
    uint64_t bits, excess = span ? -span % span : 0; /* 2**64 % span */
    do
        bits = next_bits(g);
    while (bits < excess);
    return span ? bits % span : bits;
}

/* --- Arguments ---------------------------------------------------------------------------------
 */

/* The arrays without a seed have numbers of their own: the seeds from 2**63 on. */
static struct generator
make_generator(struct ckrun_call *call, int i)
{
    const struct ckrun_value *v = &call->value[i];
    struct ckrun_env *env = call->p->env;
    if (!call->given[i] || v->kind == CKRUN_NONE)
        return (struct generator){.state = ((uint64_t)1 << 63) + env->n_unseeded++};
    if (v->kind != CKRUN_INT || v->i < 0 || v->i > INT64_MAX)
        ckrun_parse_fail(call->p, call->value_at[i], "the seed is an integer from 0 to 2**63 - 1");
    return (struct generator){.state = (uint64_t)v->i};
}

/* `uniform(0, 1, 1000)` is NumPy's order of arguments. */
static void
check_order(struct ckrun_call *call, const char *form)
{
    const struct ckrun_value *dtype = &call->value[1];
    if (!call->p->error && call->given[1] && ckrun_is_any_number(dtype))
        ckrun_parse_fail(call->p, call->value_at[1], "`%s` takes the shape first: write %s",
                         call->name, form);
}

static ck_dtype
float_argument(struct ckrun_call *call)
{
    ck_dtype dtype = ckrun_dtype_argument(call, 1, CK_FLOAT64);
    if (call->p->error)
        return dtype;
    if (ckrun_is_int_dtype(dtype))
        ckrun_parse_fail(call->p, call->value_at[1],
                         "`%s` makes floats; randint(low, high, shape, %s) makes integers",
                         call->name, ck_dtype_name(dtype));
    else if (ckrun_is_complex_dtype(dtype))
        ckrun_parse_fail(call->p, call->value_at[1], "`%s` makes floats: write x + 1j * y",
                         call->name);
    return dtype;
}

static double
finite_argument(struct ckrun_call *call, int i, double otherwise)
{
    double x = call->given[i] ? ckrun_as_float(ckrun_number_argument(call, i)) : otherwise;
    if (!call->p->error && !isfinite(x))
        ckrun_parse_fail(call->p, call->value_at[i], "`%s` must be finite", call->params[i]);
    return x;
}

static struct ckrun_array *
new_array(struct ckrun_call *call, int shape_at, ck_dtype dtype)
{
    int64_t shape[CK_MAX_DIMS];
    char *error = NULL;
    int ndim = ckrun_shape_argument(call, shape_at, shape);
    if (call->p->error)
        return NULL;
    struct ckrun_array *array = ckrun_array_new(call->p->env, dtype, ndim, shape, false, &error);
    if (!array)
        ckrun_parse_fail_text(call->p, call->value_at[shape_at], error);
    return array;
}

static struct ckrun_value
array_value(struct ckrun_array *array)
{
    if (!array)
        return ckrun_int_value(0);
    return (struct ckrun_value){.kind = CKRUN_ARRAY, .array = array};
}

/* --- The functions -----------------------------------------------------------------------------
 */

/* So many binary digits does a fraction have in a dtype. */
static int
digits_of(ck_dtype dtype)
{
    return dtype == CK_FLOAT16 ? 11 : dtype == CK_BFLOAT16 ? 8 : dtype == CK_FLOAT32 ? 24 : 53;
}

struct ckrun_value
ckrun_call_uniform(struct ckrun_call *call)
{
    check_order(call, "uniform(1000, low=0, high=1)");
    ck_dtype dtype = float_argument(call);
    double low = finite_argument(call, 2, 0), high = finite_argument(call, 3, 1);
    struct generator g = make_generator(call, 4);
    double least = ckrun_round_to(dtype, low), end = ckrun_round_to(dtype, high);
    if (!call->p->error && !(least < end && isfinite(end - least)))
        ckrun_parse_fail(call->p, call->at, "`low` must be less than `high` in %s",
                         ck_dtype_name(dtype));
    struct ckrun_array *array = new_array(call, 0, dtype);
    for (int64_t i = 0; array && i < ckrun_count(&array->host); i++) {
        struct ckrun_element e = {.dtype = dtype};
        do /* rounding may give `high` */
            e.re =
                ckrun_round_to(dtype, least + (end - least) * next_fraction(&g, digits_of(dtype)));
        while (e.re >= end);
        ckrun_store(&array->host, i, &e);
    }
    return array_value(array);
}

struct ckrun_value
ckrun_call_normal(struct ckrun_call *call)
{
    check_order(call, "normal(1000, loc=0, scale=1)");
    ck_dtype dtype = float_argument(call);
    double loc = finite_argument(call, 2, 0), scale = finite_argument(call, 3, 1);
    struct generator g = make_generator(call, 4);
    if (!call->p->error && scale < 0)
        ckrun_parse_fail(call->p, call->value_at[3], "`scale` is negative");
    struct ckrun_array *array = new_array(call, 0, dtype);
    for (int64_t i = 0; array && i < ckrun_count(&array->host); i++) {
        struct ckrun_element e = {.dtype = dtype};
        e.re = ckrun_round_to(dtype, loc + scale * next_normal(&g));
        ckrun_store(&array->host, i, &e);
    }
    return array_value(array);
}

/* Argument `i`, an integer. */
static ckrun_int
int_argument(struct ckrun_call *call, int i)
{
    const struct ckrun_value *v = &call->value[i];
    if (call->p->error)
        return 0;
    if (v->kind == CKRUN_INT || v->kind == CKRUN_BOOL)
        return v->i;
    if (v->kind == CKRUN_TUPLE)
        ckrun_parse_fail(call->p, call->value_at[i],
                         "`randint` takes the shape last: write randint(0, 10, (1000,))");
    else
        ckrun_parse_fail(call->p, call->value_at[i], "`%s` is an integer: this is %s",
                         call->params[i], ckrun_kind_text(v->kind));
    return 0;
}

struct ckrun_value
ckrun_call_randint(struct ckrun_call *call)
{
    ckrun_int low = int_argument(call, 0), high = int_argument(call, 1), least, greatest;
    ck_dtype dtype = ckrun_dtype_argument(call, 3, CK_INT64);
    struct generator g = make_generator(call, 4);
    if (!call->p->error && !ckrun_is_int_dtype(dtype))
        ckrun_parse_fail(call->p, call->value_at[3],
                         "`randint` makes integers; uniform and "
                         "normal make floats");
    ckrun_int_range(ckrun_is_int_dtype(dtype) ? dtype : CK_INT64, &least, &greatest);
    if (!call->p->error && low >= high)
        ckrun_parse_fail(call->p, call->at,
                         "`low` must be less than `high`, which is not "
                         "included");
    else if (!call->p->error && (low < least || high - 1 > greatest))
        ckrun_parse_fail(call->p, call->at, "the numbers do not all fit in %s",
                         ck_dtype_name(dtype));
    struct ckrun_array *array = new_array(call, 2, dtype);
    for (int64_t i = 0; array && i < ckrun_count(&array->host); i++) {
        struct ckrun_element e = {.dtype = dtype};
        e.i = low + (ckrun_int)next_below(&g, (uint64_t)(high - low));
        ckrun_store(&array->host, i, &e);
    }
    return array_value(array);
}
