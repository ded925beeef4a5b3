/* The largest error of each math function, for bench/accuracy.py:
 *
 *   accuracy POINTS32 POINTS64 LIBRARY... -- FUNCTION...
 *
 * A LIBRARY is cpu, libclc or libdevice=FILE (on the first CUDA device), or object=FILE: a shared
 * library of libclc's functions compiled for this machine. The points are spread evenly over all
 * floats of a type; half of float64's have exponents near 0. The reference is evaluated once a
 * point for all libraries: the C library in double for float32, in long double for float64.
 *
 * Writes a line for each function, type and library: the error in units of the last place of the
 * result (of some functions: or of 1, where that is more) and the point. Complex functions are of
 * complex64 and complex128, with points and errors of accuracy_complex.c. The wrong sign of a zero,
 * an infinity too many, a number in the place of NaN and the reverse count as infinitely wrong.
 * Exits with 77 where there is no device. */
#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "accuracy_complex.h"
#include "random_points.h"
#include "reference_math.h"
#include "serve.h"

enum { MAX_LIBRARIES = 4, MAX_THREADS = 256, CHUNK = 1 << 23, NO_DEVICE_STATUS = 77 };

/* --- The functions -----------------------------------------------------------------------------
 */

static double
next_float(double x, double y)
{
    return (double)nextafterf((float)x, (float)y);
}

static long double
next_double(long double x, long double y)
{
    return (long double)nextafter((double)x, (double)y);
}

/* lgamma itself writes a global variable. */
static double
log_gamma(double x)
{
    int sign;
    return lgamma_r(x, &sign);
}

static long double
long_log_gamma(long double x)
{
    int sign;
    return lgammal_r(x, &sign);
}

/* References of functions that C lacks; in double, those of long double. */
#define WIDE_ONE(name)                                                                             \
    static double name##_of_float(double x)                                                        \
    {                                                                                              \
        return (double)reference_##name(x);                                                        \
    }
#define WIDE_TWO(name)                                                                             \
    static double name##_of_float(double x, double y)                                              \
    {                                                                                              \
        return (double)reference_##name(x, y);                                                     \
    }
WIDE_ONE(rsqrt)
WIDE_ONE(rcbrt)
WIDE_ONE(exp10)
WIDE_ONE(sinpi)
WIDE_ONE(cospi)
WIDE_ONE(erfinv)
WIDE_ONE(erfcinv)
WIDE_ONE(erfcx)
WIDE_ONE(normcdf)
WIDE_ONE(normcdfinv)
WIDE_ONE(y0)
WIDE_ONE(y1)
WIDE_ONE(cyl_bessel_i0)
WIDE_ONE(cyl_bessel_i1)
WIDE_TWO(jn)
WIDE_TWO(yn)
WIDE_TWO(rhypot)
WIDE_TWO(norm3d)
WIDE_TWO(rnorm3d)
WIDE_TWO(norm4d)
WIDE_TWO(rnorm4d)
WIDE_TWO(divide)
WIDE_TWO(pow)

/* Which points. */
enum domain {
    ALL,
    POSITIVE_ORDERS, /* orders 0 to 16 as the second arguments, and numbers below 64 */
    LIMITED,         /* numbers below `limit`, and second ones from 2^-6 to 2^6 */
};

static const struct function {
    const char *name, *in_c;
    double (*one)(double);
    double (*two)(double, double);
    long double (*long_one)(long double);
    long double (*long_two)(long double, long double);
    const char *call; /* NULL: of the name with one or two arguments */
    bool or_one;      /* the unit is the last place of the result, or of 1 */
    enum domain domain;
    double limit;
    bool is_fast; /* approximations of float32 */
    bool is_complex;
    struct complex_function of_complex;
} functions[] = {
#define ONE(name)                                                                                  \
    {                                                                                              \
#name, #name, name, NULL, name##l, NULL                                                    \
    }
#define TWO(name)                                                                                  \
    {                                                                                              \
#name, #name, NULL, name, NULL, name##l                                                    \
    }
#define OWN(name)                                                                                  \
    {                                                                                              \
#name, NULL, name##_of_float, NULL, reference_##name, NULL, #name "(x[i])"                 \
    }
#define OWN_OF(name, call)                                                                         \
    {                                                                                              \
#name, NULL, NULL, name##_of_float, NULL, reference_##name, call                           \
    }
#define BESSEL(name, one, long_one)                                                                \
    {                                                                                              \
#name, NULL, one, NULL, long_one, NULL, #name "(x[i])", .or_one = true                     \
    }
#define OF_ORDER(name)                                                                             \
    {                                                                                              \
#name, NULL, NULL, name##_of_float, NULL, reference_##name, #name "(int32(y[i]), x[i])",   \
            .or_one = true, .domain = POSITIVE_ORDERS                                              \
    }
#define FAST(name, most)                                                                           \
    {                                                                                              \
        "fast." #name, NULL, name, NULL, name##l, NULL, "fast." #name "(x[i])",                    \
            .or_one = true, .domain = LIMITED, .limit = most, .is_fast = true                      \
    }
#define FAST_OF(name, call, most)                                                                  \
    {                                                                                              \
        "fast." #name, NULL, NULL, name##_of_float, NULL, reference_##name, call,                  \
            .or_one = true, .domain = LIMITED, .limit = most, .is_fast = true                      \
    }
#define COMPLEX(name)                                                                              \
    {                                                                                              \
        "cmath." #name, .call = "cmath." #name "(x[i])", .is_complex = true, .of_complex = {       \
            .one = c##name,                                                                        \
            .long_one = c##name##l                                                                 \
        }                                                                                          \
    }
    ONE(acos),
    ONE(acosh),
    ONE(asin),
    ONE(asinh),
    ONE(atan),
    TWO(atan2),
    ONE(atanh),
    ONE(cbrt),
    ONE(cos),
    ONE(cosh),
    ONE(erf),
    ONE(erfc),
    ONE(exp),
    ONE(exp2),
    ONE(expm1),
    TWO(fmod),
    {"gamma", "tgamma", tgamma, NULL, tgammal, NULL},
    TWO(hypot),
    {"lgamma", "lgamma", log_gamma, NULL, long_log_gamma, NULL, .or_one = true},
    ONE(log),
    ONE(log10),
    ONE(log1p),
    ONE(log2),
    {"nextafter", "nextafter", NULL, next_float, NULL, next_double},
    TWO(pow),
    TWO(remainder),
    ONE(sin),
    ONE(sinh),
    ONE(sqrt),
    ONE(tan),
    ONE(tanh),
    OWN(rsqrt),
    OWN(rcbrt),
    OWN(exp10),
    OWN(sinpi),
    OWN(cospi),
    OWN(erfinv),
    OWN(erfcinv),
    OWN(erfcx),
    OWN(normcdf),
    OWN(normcdfinv),
    OWN(cyl_bessel_i0),
    OWN(cyl_bessel_i1),
    OWN_OF(rhypot, "rhypot(x[i], y[i])"),
    OWN_OF(norm3d, "norm3d(x[i], y[i], x[i])"),
    OWN_OF(rnorm3d, "rnorm3d(x[i], y[i], x[i])"),
    OWN_OF(norm4d, "norm4d(x[i], y[i], x[i], y[i])"),
    OWN_OF(rnorm4d, "rnorm4d(x[i], y[i], x[i], y[i])"),
    BESSEL(j0, j0, j0l),
    BESSEL(j1, j1, j1l),
    BESSEL(y0, y0_of_float, reference_y0),
    BESSEL(y1, y1_of_float, reference_y1),
    OF_ORDER(jn),
    OF_ORDER(yn),
    {"philox_normal", NULL, reference_normal_float32, NULL, reference_normal_float64, NULL,
     "normal(x[i])"},
    FAST(sin, M_PI),
    FAST(cos, M_PI),
    FAST(tan, 1.25),
    FAST(exp, 3),
    FAST(exp2, 3),
    FAST(exp10, 3),
    FAST(log, 1024),
    FAST(log2, 1024),
    FAST(log10, 1024),
    FAST_OF(pow, "fast.pow(y[i], x[i])", 3),
    FAST_OF(divide, "fast.divide(x[i], y[i])", 1024),
    COMPLEX(acos),
    COMPLEX(acosh),
    COMPLEX(asin),
    COMPLEX(asinh),
    COMPLEX(atan),
    COMPLEX(atanh),
    COMPLEX(cos),
    COMPLEX(cosh),
    COMPLEX(exp),
    {"cmath.log", .call = "cmath.log(x[i])", .is_complex = true,
     .of_complex = {.one = clog, .long_one = clogl, .by_magnitude = true}},
    {"cmath.log10", .call = "cmath.log10(x[i])", .is_complex = true,
     .of_complex = {.one = complex_log10, .long_one = complex_log10l, .by_magnitude = true}},
    COMPLEX(sin),
    COMPLEX(sinh),
    COMPLEX(sqrt),
    COMPLEX(tan),
    COMPLEX(tanh),
    {"complex.multiply", .call = "x[i] * y[i]", .is_complex = true,
     .of_complex = {.two = complex_product,
                    .long_two = complex_productl,
                    .domain = COMPLEX_HALF_RANGE,
                    .by_magnitude = true}},
    {"complex.divide", .call = "x[i] / y[i]", .is_complex = true,
     .of_complex = {.two = complex_quotient, .long_two = complex_quotientl, .by_magnitude = true}},
    {"complex.pow", .call = "x[i] ** y[i]", .is_complex = true,
     .of_complex = {.two = cpow, .long_two = cpowl, .domain = COMPLEX_POWER, .by_magnitude = true}},
};

static const struct function *
find_function(const char *name)
{
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        if (!strcmp(functions[i].name, name))
            return &functions[i];
    }
    return NULL;
}

static bool
takes_two(const struct function *function)
{
    return function->two || function->of_complex.two;
}

/* The real numbers that a number is of. */
static unsigned
n_parts(const struct function *function)
{
    return function->is_complex ? 2 : 1;
}

/* --- Points ------------------------------------------------------------------------------------
 */

struct task {
    const struct function *function;
    bool is_float;
    uint64_t first, n, total; /* of the points */
    char *x, *y;
    int n_libraries;
    char *out[MAX_LIBRARIES];
};

static double
first_argument(const struct task *task, uint64_t i)
{
    bool is_pair = task->function->two;
    uint64_t seed = 16 * i;
    if (task->function->domain == POSITIVE_ORDERS)
        return near_one(seed, 6);
    if (task->function->domain == LIMITED)
        return task->function->limit * (2 * unit(seed) - 1);
    if (is_pair && i % 4 == 3)
        return near_one(seed, 3);
    if (task->is_float) /* evenly, and all of them if there are enough */
        return (double)float_of_bits((uint32_t)((double)i * (0x1p32 / (double)task->total)));
    return i % 2 ? any_float(seed, false) : near_one(seed, 20);
}

/* Anything; near the first; a small number and a half; what pow of the first makes a number. */
static double
second_argument(const struct task *task, double x, uint64_t i)
{
    const bool is_float = task->is_float;
    uint64_t seed = 16 * i + 8;
    if (task->function->domain == POSITIVE_ORDERS)
        return floor(17 * unit(seed));
    if (task->function->domain == LIMITED)
        return fabs(near_one(seed, 6));
    switch (i % 8 / 2) {
    case 0:
        return any_float(seed, is_float);
    case 1:
        return x * near_one(seed, i % 2 ? 3 : 30);
    case 2:
        return rint(64 * unit(seed) - 32) / (i % 2 ? 1 : 2);
    default: {
        double range = is_float ? 300 : 2200, y = (range * unit(seed) - range / 2) / log2(fabs(x));
        return x < 0 ? rint(y) : y;
    }
    }
}

static const double special[] = {
    0.0, -0.0, 1,     -1,     INFINITY, -INFINITY, NAN,   0.5,    -0.5,   2,  -2,
    3,   -3,   1e-45, -1e-45, 5e-324,   -5e-324,   1e-39, -1e-39, 1e-310, 35, 171};
enum { N_SPECIAL = sizeof special / sizeof special[0] };

/* Of NaN there is one here: what a signalling one does is left open. */
static void
set(const struct task *task, char *array, uint64_t i, double value)
{
    if (isnan(value))
        value = (double)NAN;
    if (task->is_float)
        ((float *)(void *)array)[i] = (float)value;
    else
        ((double *)(void *)array)[i] = value;
}

static void
make_complex_points(const struct task *task, uint64_t from, uint64_t to)
{
    for (uint64_t i = from; i < to; i++) {
        double point[4];
        complex_point(task->function->of_complex.domain, task->is_float, task->first + i, point);
        for (uint64_t part = 0; part < 2; part++) {
            set(task, task->x, 2 * i + part, point[part]);
            if (task->function->of_complex.two)
                set(task, task->y, 2 * i + part, point[2 + part]);
        }
    }
}

static void
make_points(const struct task *task, uint64_t from, uint64_t to)
{
    for (uint64_t i = from; i < to; i++) {
        uint64_t at = task->first + i;
        const uint64_t n = N_SPECIAL;
        const bool is_pair = task->function->two,
                   is_special = !task->function->domain && at < (is_pair ? n * n : n);
        double x = is_special ? special[is_pair ? at / n : at] : first_argument(task, at);
        set(task, task->x, i, x);
        if (is_pair)
            set(task, task->y, i, is_special ? special[at % n] : second_argument(task, x, at));
    }
}

/* --- Errors ------------------------------------------------------------------------------------
 */

struct worst {
    double error, point[4]; /* the arguments, or their parts */
};

struct slice {
    const struct task *task;
    uint64_t from, to;
    bool compares;
    struct worst worst[MAX_LIBRARIES];
};

static double
unit_of_place(long double value, int digits, int least)
{
    int exponent;
    frexpl(value, &exponent);
    return ldexp(1, exponent - digits > least ? exponent - digits : least);
}

static double
error_of(long double got, long double want, const struct task *task)
{
    const int digits = task->is_float ? 24 : 53, least = task->is_float ? -149 : -1074;
    long double rounded = task->is_float ? (long double)(float)want : (long double)(double)want;
    if (isnan(want) || isnan(got))
        return isnan(want) && isnan(got) ? 0 : (double)INFINITY;
    if (got == rounded && (got != 0 || signbit(got) == signbit(want)) && !isfinite(got))
        return 0;
    if (got == 0 && rounded == 0 && signbit(got) != signbit(want))
        return (double)INFINITY;
    if (isinf(want))
        return (double)INFINITY;
    if (isinf(got)) /* what comes after the largest number */
        got = copysignl(ldexpl(1, task->is_float ? 128 : 1024), got);
    double place = unit_of_place(want, digits, least);
    if (task->function->or_one)
        place = fmax(place, ldexp(1, 1 - digits));
    return (double)(fabsl(got - want) / place);
}

/* As error_of for most float32 results, which it would spend most of the time on. */
static double
quick_error(float got, double want)
{
    const uint64_t exponent = 0x7ff0000000000000;
    uint64_t bits;
    memcpy(&bits, &want, sizeof bits);
    bits &= exponent;
    if (bits < (uint64_t)(1023 - 126) << 52 || bits > (uint64_t)(1023 + 126) << 52 ||
        !(fabsf(got) < INFINITY))
        return -1;
    return fabs((double)got - want) / double_of_bits(bits - ((uint64_t)23 << 52));
}

static long double
reference(const struct function *function, double x, double y, bool is_float)
{
    if (is_float)
        return (long double)(function->two ? function->two(x, y) : function->one(x));
    return function->two ? function->long_two(x, y) : function->long_one(x);
}

static double
get(const struct task *task, const char *array, uint64_t i)
{
    return task->is_float ? (double)((const float *)(const void *)array)[i]
                          : ((const double *)(const void *)array)[i];
}

static void
compare(struct slice *slice)
{
    const struct task *task = slice->task;
    const bool is_quick = task->is_float && !task->function->or_one;
    for (uint64_t i = slice->from; i < slice->to; i++) {
        double x = get(task, task->x, i), y = task->function->two ? get(task, task->y, i) : 0;
        long double want = reference(task->function, x, y, task->is_float);
        for (int k = 0; k < task->n_libraries; k++) {
            double got = get(task, task->out[k], i);
            double error = is_quick ? quick_error((float)got, (double)want) : -1;
            if (error < 0)
                error = error_of((long double)got, want, task);
            if (error > slice->worst[k].error)
                slice->worst[k] = (struct worst){error, {x, y}};
        }
    }
}

static void
compare_complex(struct slice *slice)
{
    const struct task *task = slice->task;
    const struct complex_function *function = &task->function->of_complex;
    for (uint64_t i = slice->from; i < slice->to; i++) {
        struct worst at = {.error = 0};
        for (uint64_t part = 0; part < 2; part++) {
            at.point[part] = get(task, task->x, 2 * i + part);
            at.point[2 + part] = function->two ? get(task, task->y, 2 * i + part) : 0;
        }
        const long double complex want = complex_exact(function, task->is_float, at.point);
        for (int k = 0; k < task->n_libraries; k++) {
            const double got[2] = {get(task, task->out[k], 2 * i),
                                   get(task, task->out[k], 2 * i + 1)};
            at.error = complex_error(function, task->is_float, got, want);
            if (at.error > slice->worst[k].error)
                slice->worst[k] = at;
        }
    }
}

/* --- Threads -----------------------------------------------------------------------------------
 */

static int
n_threads(void)
{
    cpu_set_t set;
    int n = sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);
    return n < MAX_THREADS ? n : MAX_THREADS;
}

static void *
run_slice(void *argument)
{
    struct slice *slice = argument;
    const struct task *task = slice->task;
    if (slice->compares)
        (task->function->is_complex ? compare_complex : compare)(slice);
    else
        (task->function->is_complex ? make_complex_points : make_points)(task, slice->from,
                                                                         slice->to);
    return NULL;
}

/* Makes the points, or compares; `worst` of each library grows. */
static void
in_parallel(const struct task *task, bool compares, struct worst *worst)
{
    static struct slice slices[MAX_THREADS];
    pthread_t threads[MAX_THREADS];
    const int n = n_threads();
    int started = 0;
    for (int t = 0; t < n; t++) {
        slices[t] = (struct slice){.task = task,
                                   .from = task->n * (uint64_t)t / (uint64_t)n,
                                   .to = task->n * (uint64_t)(t + 1) / (uint64_t)n,
                                   .compares = compares};
        if (started < t || pthread_create(&threads[t], NULL, run_slice, &slices[t]))
            run_slice(&slices[t]);
        else
            started = t + 1;
    }
    for (int t = 0; t < started; t++)
        pthread_join(threads[t], NULL);
    for (int t = 0; compares && t < n; t++) {
        for (int k = 0; k < task->n_libraries; k++) {
            if (slices[t].worst[k].error > worst[k].error)
                worst[k] = slices[t].worst[k];
        }
    }
}

/* --- Libraries ---------------------------------------------------------------------------------
 */

struct library {
    const char *name, *libdevice; /* NULL: the one inside */
    void *object;                 /* of object= */
    ck_device *device;
    ck_buffer *x, *y, *out;
    ck_module *module;
    ck_kernel *kernel;
    void *function; /* of the object */
};

struct bench {
    ck_context *ctx;
    int n;
    struct library libraries[MAX_LIBRARIES];
};

static bool
done(struct bench *bench, ck_status status, const char *what)
{
    if (status != CK_OK)
        fprintf(stderr, "accuracy: %s: %s: %s\n", what, ck_status_name(status),
                bench->ctx ? ck_context_error(bench->ctx) : "");
    return status == CK_OK;
}

static int
open_library(struct bench *bench, const char *word)
{
    static const char libdevice[] = "libdevice=", object[] = "object=";
    struct library *library = &bench->libraries[bench->n++];
    library->name = word;
    if (!strncmp(word, object, strlen(object))) {
        library->object = dlopen(word + strlen(object), RTLD_NOW | RTLD_LOCAL);
        if (!library->object)
            fprintf(stderr, "accuracy: %s\n", dlerror());
        return library->object ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    bool is_cpu = !strcmp(word, "cpu"), is_libdevice = !strncmp(word, libdevice, strlen(libdevice));
    if (!is_cpu && !is_libdevice && strcmp(word, "libclc")) {
        fprintf(stderr, "accuracy: %s is no library\n", word);
        return 2;
    }
    library->libdevice = is_libdevice ? word + strlen(libdevice) : NULL;
    ck_status status =
        ck_device_open(&library->device, bench->ctx, is_cpu ? "cpu" : "cuda:0", NULL);
    for (ck_buffer **buffer = &library->x; status == CK_OK && buffer <= &library->out; buffer++)
        status = ck_buffer_new(buffer, library->device, CHUNK * sizeof(double));
    if (done(bench, status, word))
        return EXIT_SUCCESS;
    return status == CK_ERROR_NO_DEVICE ? NO_DEVICE_STATUS : EXIT_FAILURE;
}

static bool
load_kernel(struct bench *bench, struct library *library, const struct function *function)
{
    static const char normal[] =
        "def normal(x):\n"
        "    if isinstance(x, float32):\n"
        "        return random.philox_normal_float32(bitcast(x, uint32), 0)[0]\n"
        "    return random.philox_normal_float64(bitcast(x, uint64), 0)[0]\n\n";
    char text[1024];
    const char *second = takes_two(function) ? "y, " : "";
    snprintf(text, sizeof text,
             "%s@kernel\ndef k(x, %so):\n    for i in range(grid(1), o.size, gridsize(1)):\n"
             "        o[i] = %s%s%s\n",
             normal, second, function->call ? "" : "math.",
             function->call ? function->call : function->name,
             function->call  ? ""
             : function->two ? "(x[i], y[i])"
                             : "(x[i])");
    ck_compile_options options = {
        .size = sizeof options, .name = function->name, .libdevice = library->libdevice};
    ck_module_free(library->module);
    library->module = NULL;
    ck_status status = ck_compile(&library->module, bench->ctx, text, strlen(text), &options);
    if (status == CK_OK)
        status = ck_kernel_get(&library->kernel, library->module, library->device, "k");
    return done(bench, status, function->name);
}

/* libclc's name for a function is as in C++. */
static bool
find_in_object(struct library *library, const struct function *function, bool is_float)
{
    char name[64];
    if (!function->in_c) {
        fprintf(stderr, "accuracy: %s is no function of a library\n", function->name);
        return false;
    }
    snprintf(name, sizeof name, "ck_math_%s_%s", function->in_c, is_float ? "f32" : "f64");
    library->function = dlsym(library->object, name);
    if (!library->function) {
        snprintf(name, sizeof name, "_Z%zu%s%s", strlen(function->in_c), function->in_c,
                 is_float ? "ff" : "dd");
        if (!function->two)
            name[strlen(name) - 1] = '\0';
        library->function = dlsym(library->object, name);
    }
    if (!library->function)
        fprintf(stderr, "accuracy: %s lacks %s\n", library->name, name);
    return library->function;
}

static bool
load(struct bench *bench, struct library *library, const struct function *function, bool is_float)
{
    return library->object ? find_in_object(library, function, is_float)
                           : load_kernel(bench, library, function);
}

static void
call_object(const struct library *library, const struct task *task, char *out)
{
    for (uint64_t i = 0; i < task->n; i++) {
        double x = get(task, task->x, i), y = task->function->two ? get(task, task->y, i) : 0;
        double value;
        if (task->is_float && task->function->two)
            value = (double)((float (*)(float, float))library->function)((float)x, (float)y);
        else if (task->is_float)
            value = (double)((float (*)(float))library->function)((float)x);
        else if (task->function->two)
            value = ((double (*)(double, double))library->function)(x, y);
        else
            value = ((double (*)(double))library->function)(x);
        set(task, out, i, value);
    }
}

static bool
call_device(struct bench *bench, struct library *library, const struct task *task, char *out)
{
    const struct function *function = task->function;
    const ck_dtype real_dtype = task->is_float ? CK_FLOAT32 : CK_FLOAT64,
                   complex_dtype = task->is_float ? CK_COMPLEX64 : CK_COMPLEX128;
    const size_t size = (task->is_float ? sizeof(float) : sizeof(double)) * n_parts(function);
    const size_t bytes = (size_t)task->n * size;
    const bool is_pair = takes_two(function);
    ck_buffer *const buffers[] = {library->x, is_pair ? library->y : library->out, library->out};
    ck_array arrays[3];
    ck_arg args[3] = {{.scalar = CK_DTYPE_NONE}};
    const size_t n = is_pair ? 3 : 2;
    for (size_t i = 0; i < n; i++) {
        arrays[i] = (ck_array){.data = ck_buffer_address(buffers[i]),
                               .dtype = function->is_complex ? complex_dtype : real_dtype,
                               .ndim = 1,
                               .shape = {(int64_t)task->n},
                               .strides = {(int64_t)size}};
        args[i].value.array = &arrays[i];
    }
    ck_status status = ck_buffer_write(library->x, 0, task->x, bytes);
    if (status == CK_OK && is_pair)
        status = ck_buffer_write(library->y, 0, task->y, bytes);
    const ck_shape shape = {.grid = {4096, 1, 1}, .block = {256, 1, 1}};
    if (status == CK_OK)
        status = ck_launch(library->kernel, &shape, args, n, NULL);
    if (status == CK_OK)
        status = ck_buffer_read(library->out, 0, out, bytes);
    return done(bench, status, function->name);
}

static bool
call(struct bench *bench, struct library *library, const struct task *task, char *out)
{
    if (!library->object)
        return call_device(bench, library, task, out);
    call_object(library, task, out);
    return true;
}

/* --- The program -------------------------------------------------------------------------------
 */

static bool
measure(struct bench *bench, struct task *task)
{
    struct worst worst[MAX_LIBRARIES] = {{.error = 0}};
    for (int k = 0; k < bench->n; k++) {
        if (!load(bench, &bench->libraries[k], task->function, task->is_float))
            return false;
    }
    const uint64_t chunk = CHUNK / n_parts(task->function);
    for (task->first = 0; task->first < task->total; task->first += chunk) {
        task->n = task->total - task->first < chunk ? task->total - task->first : chunk;
        in_parallel(task, false, NULL);
        for (int k = 0; k < bench->n; k++) {
            if (!call(bench, &bench->libraries[k], task, task->out[k]))
                return false;
        }
        in_parallel(task, true, worst);
    }
    const unsigned n_numbers = n_parts(task->function) * (takes_two(task->function) ? 2 : 1);
    for (int k = 0; k < bench->n; k++) {
        printf("%s %s %s %.4g", task->function->name, task->is_float ? "float32" : "float64",
               bench->libraries[k].name, worst[k].error);
        for (unsigned i = 0; i < n_numbers; i++)
            printf(" %.17g", worst[k].point[i]);
        puts("");
    }
    fflush(stdout);
    return true;
}

static bool
measure_all(struct bench *bench, const uint64_t *points, char **names, int n_names)
{
    struct task task = {.n_libraries = bench->n};
    char **const arrays[] = {&task.x,      &task.y,      &task.out[0],
                             &task.out[1], &task.out[2], &task.out[3]};
    bool fine = true;
    for (int i = 0; i < 2 + bench->n; i++)
        fine = fine && (*arrays[i] = malloc(CHUNK * sizeof(double)));
    if (!fine)
        fputs("accuracy: out of memory\n", stderr);
    for (int i = 0; fine && i < 2 * n_names; i++) {
        task.function = find_function(names[i / 2]);
        task.is_float = i % 2 == 0;
        task.total = points[i % 2];
        if (task.function && task.function->is_fast && !task.is_float)
            continue; /* those of float64 are the functions themselves */
        if (!task.function)
            fprintf(stderr, "accuracy: there is no function %s\n", names[i / 2]);
        fine = task.function && measure(bench, &task);
    }
    for (int i = 0; i < 2 + bench->n; i++)
        free(*arrays[i]);
    return fine;
}

static void
close_libraries(struct bench *bench)
{
    for (int k = 0; k < bench->n; k++) {
        struct library *library = &bench->libraries[k];
        ck_module_free(library->module);
        for (ck_buffer **buffer = &library->x; buffer <= &library->out; buffer++)
            ck_buffer_free(*buffer);
        ck_device_free(library->device);
        if (library->object)
            dlclose(library->object);
    }
    ck_context_free(bench->ctx);
}

int
main(int argc, char **argv)
{
    struct bench bench = {.n = 0};
    uint64_t points[2] = {0, 0};
    int i = 1, result = EXIT_SUCCESS;
    for (; i < 3 && i < argc; i++)
        points[i - 1] = (uint64_t)strtod(argv[i], NULL);
    if (!done(&bench, ck_context_new(&bench.ctx, NULL), "a context"))
        return EXIT_FAILURE;
    for (; i < argc && strcmp(argv[i], "--") && result == EXIT_SUCCESS; i++)
        result = bench.n < MAX_LIBRARIES ? open_library(&bench, argv[i]) : 2;
    if (result == EXIT_SUCCESS && (i >= argc || !bench.n))
        result = 2;
    if (result == 2)
        fputs("usage: accuracy POINTS32 POINTS64 cpu|libclc|libdevice=FILE|object=FILE... -- "
              "FUNCTION...\n",
              stderr);
    if (result == EXIT_SUCCESS && !measure_all(&bench, points, argv + i + 1, argc - i - 1))
        result = EXIT_FAILURE;
    close_libraries(&bench);
    return result;
}
