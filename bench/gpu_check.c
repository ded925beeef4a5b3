/* Checks of the results of kernels/{saxpy,matmul,stencil,histogram}.ck,
 * examples/{reductions,sum}.ck and of their peers, in double precision on the host; and the mean of
 * a result, for who compares it with another's. */
#include "gpu_check.h"

#include <math.h>
#include <string.h>

static int64_t
extent(const struct gpu_operand *operand, int dim)
{
    return operand->arg->value.array->shape[dim];
}

/* Not a number counts as wrong. */
static bool
is_near(double have, double want, double tolerance)
{
    return fabs(have - want) <= tolerance * fabs(want) + 1e-30;
}

static bool
verdict(int64_t wrong, struct bench_reply *reply)
{
    return wrong ? bench_fail(reply, "%lld elements are wrong", (long long)wrong) : true;
}

static bool
check_saxpy(const struct gpu_operand *operands, struct bench_reply *reply)
{
    const double a = operands[0].arg->value.f;
    const float *x = operands[1].before, *y = operands[2].before, *have = operands[2].after;
    int64_t wrong = 0;
    for (int64_t i = 0; i < extent(&operands[2], 0); i++)
        wrong += !is_near((double)have[i], a * (double)x[i] + (double)y[i], 1e-6);
    return verdict(wrong, reply);
}

/* Every 4099th element, so that all rows and columns are covered. */
static bool
check_matmul(const struct gpu_operand *operands, struct bench_reply *reply)
{
    const float *a = operands[0].before, *b = operands[1].before, *have = operands[2].after;
    const int64_t rows = extent(&operands[2], 0), cols = extent(&operands[2], 1);
    const int64_t depth = extent(&operands[0], 1);
    int64_t wrong = 0;
    for (int64_t i = 0; i < rows * cols; i++)
        wrong += !(have[i] >= 0 && have[i] <= (float)depth);
    for (int64_t i = 0; i < rows * cols; i += 4099) {
        double want = 0;
        for (int64_t k = 0; k < depth; k++)
            want += (double)a[i / cols * depth + k] * (double)b[k * cols + i % cols];
        wrong += !is_near((double)have[i], want, 1e-5);
    }
    return verdict(wrong, reply);
}

static double
stencil_at(const float *old, int64_t n, int64_t m, int64_t i, int64_t j)
{
    const float *at = &old[i * m + j];
    double total = (double)*at;
    total += i >= 1 ? (double)at[-m] : 0;
    total += i + 1 < n ? (double)at[m] : 0;
    total += j >= 1 ? (double)at[-1] : 0;
    total += j + 1 < m ? (double)at[1] : 0;
    return 0.2 * total;
}

static bool
check_stencil(const struct gpu_operand *operands, struct bench_reply *reply)
{
    const float *old = operands[0].before, *have = operands[1].after;
    const int64_t n = extent(&operands[0], 0), m = extent(&operands[0], 1);
    int64_t wrong = 0;
    for (int64_t i = 0; i < n * m; i++)
        wrong += !is_near((double)have[i], stencil_at(old, n, m, i / m, i % m), 1e-5);
    return verdict(wrong, reply);
}

static bool
check_histogram(const struct gpu_operand *operands, struct bench_reply *reply)
{
    const uint8_t *data = operands[0].before;
    const int32_t *have = operands[1].after;
    int64_t counts[256] = {0}, wrong = 0;
    for (int64_t i = 0; i < extent(&operands[0], 0); i++)
        counts[data[i]]++;
    for (int i = 0; i < 256; i++)
        wrong += have[i] != counts[i];
    return verdict(wrong, reply);
}

/* A sum of `n` floats, of which float32 adds some thousand one by one. */
static bool
is_sum(float have, const float *x, int64_t n)
{
    double want = 0;
    for (int64_t i = 0; i < n; i++)
        want += (double)x[i];
    return is_near((double)have, want, 1e-4);
}

static bool
check_batched(const struct gpu_operand *operands, struct bench_reply *reply)
{
    const float *x = operands[0].before, *have = operands[1].after;
    const int64_t rows = extent(&operands[0], 0), cols = extent(&operands[0], 1);
    int64_t wrong = 0;
    for (int64_t i = 0; i < rows; i++)
        wrong += !is_sum(have[i], x + i * cols, cols);
    return verdict(wrong, reply);
}

static bool
check_full(const struct gpu_operand *operands, struct bench_reply *reply)
{
    const float *have = operands[2].after;
    return verdict(!is_sum(have[0], operands[0].before, extent(&operands[0], 0)), reply);
}

static bool
check_sum(const struct gpu_operand *operands, struct bench_reply *reply)
{
    const float *have = operands[1].after;
    return verdict(!is_sum(have[0], operands[0].before, extent(&operands[0], 0)), reply);
}

static bool
check_mean(const struct gpu_operand *operands, struct bench_reply *reply)
{
    const bool is_float = operands[1].arg->value.array->dtype == CK_FLOAT32;
    const int64_t n = extent(&operands[1], 0);
    double total = 0;
    for (int64_t i = 0; i < n; i++)
        total += is_float ? (double)((const float *)operands[1].after)[i]
                          : ((const double *)operands[1].after)[i];
    return bench_add(reply, total / (double)n);
}

bool
gpu_check(const char *name, const struct gpu_operand *operands, size_t n, struct bench_reply *reply)
{
    static const struct {
        const char *name, *kinds; /* of the arguments: a scalar's s, an array's dimensions */
        bool (*check)(const struct gpu_operand *operands, struct bench_reply *reply);
    } checks[] = {
        {"saxpy", "s11", check_saxpy},        {"matmul16", "222", check_matmul},
        {"matmul32", "222", check_matmul},    {"stencil", "22", check_stencil},
        {"histogram", "11", check_histogram}, {"mean", "11s", check_mean},
        {"batched_v1", "21", check_batched},  {"batched_v2", "21", check_batched},
        {"full", "111s", check_full},         {"sum_of", "1111", check_sum},
        {"sum_for_all", "11", check_sum},
    };
    for (size_t c = 0; c < sizeof checks / sizeof checks[0]; c++) {
        if (strcmp(checks[c].name, name) != 0)
            continue;
        bool fits = strlen(checks[c].kinds) == n;
        for (size_t i = 0; fits && i < n; i++)
            fits = checks[c].kinds[i] ==
                   (operands[i].arg->scalar ? 's' : '0' + operands[i].arg->value.array->ndim);
        return fits ? checks[c].check(operands, reply)
                    : bench_fail(reply, "%s takes other arguments", name);
    }
    return bench_fail(reply, "there is no check of %s", name);
}
