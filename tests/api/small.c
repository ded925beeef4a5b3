/* small DEVICE source|ptx [no-results]: launches on both sides of the bounds up to which positions
 * may be computed in 32 bits. From source each computes what it should, in whatever order they
 * come; PTX of the option refuses those beyond the bounds. Exit status 77: there is no such
 * device. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <ck/ck.h>

enum { N_RESULTS = 7, TRIPS = 2, NO_DEVICE = 77, BLOCK = 1024 };

static const int64_t BOUND = INT64_C(1) << 31;
static const int64_t MOST_ELEMENTS = (INT64_C(1) << 31) - (1 << 16) - 1;

/* x has a stride of zero, so that one byte is an array of any extent. */
static const char source[] = "@kernel\n"
                             "def measure(x: int8[:, :], y: int64[::1], k: int64):\n"
                             "    i = grid(1)\n"
                             "    n, m = x.shape\n"
                             "    if i == gridsize(1) - 1:\n"
                             "        y[0] = n + m\n"
                             "        y[1] = n * 3 - m\n"
                             "        y[2] = i + 1\n"
                             "        y[3] = 0\n"
                             "        for j in range(n - 3, n + 3):\n"
                             "            y[3] += j\n"
                             "        y[4] = (n - 1) // 3 + (n + m) % 7 - (i << 2)\n"
                             "        y[5] = x[n - 1, -1] + x[-n, m - 1]\n"
                             "        y[6] = k * 3 - n + (k >> 1) + k // 7\n";

struct rig {
    ck_context *ctx;
    ck_module *module;
    ck_device *device;
    ck_kernel *kernel;
    ck_buffer *x, *y;
    bool no_results; /* of a device that runs nothing */
    bool is_ptx;
};

static bool
is_right(const int64_t *y, int64_t n, int64_t m, int64_t k, int64_t threads)
{
    const int64_t floor = k / 7 - (k % 7 < 0);
    const int64_t want[N_RESULTS] = {n + m,
                                     n * 3 - m,
                                     threads,
                                     6 * n - 3,
                                     (n - 1) / 3 + (n + m) % 7 - (threads - 1) * 4,
                                     2 * 5,
                                     k * 3 - n + (k >> 1) + floor};
    for (int i = 0; i < N_RESULTS; i++) {
        if (y[i] != want[i])
            fprintf(stderr, "y[%d] is %lld, not %lld\n", i, (long long)y[i], (long long)want[i]);
    }
    return !memcmp(y, want, sizeof want);
}

/* Whether a refusal of PTX has the text. */
static bool
is_refused(const struct rig *rig, ck_status status, const char *text)
{
    if (status == CK_ERROR_ARGUMENT && strstr(ck_context_error(rig->ctx), text))
        return true;
    fprintf(stderr, "status %d instead of: %s\n", status, text);
    return false;
}

/* `refusal`: of PTX; NULL: it is launched. Returns whether all is right. */
static bool
launch_with(const struct rig *rig, int64_t n, int64_t m, int64_t k, uint32_t grid, uint32_t block,
            const char *refusal)
{
    int64_t y[N_RESULTS];
    const int8_t five = 5;
    memset(y, 0xa5, sizeof y);
    ck_array x_array = {.data = ck_buffer_address(rig->x),
                        .dtype = CK_INT8,
                        .ndim = 2,
                        .shape = {n, m},
                        .strides = {0, 0}};
    ck_array y_array = {.data = ck_buffer_address(rig->y),
                        .dtype = CK_INT64,
                        .ndim = 1,
                        .shape = {N_RESULTS},
                        .strides = {sizeof(int64_t)}};
    const ck_arg args[] = {
        {.value.array = &x_array}, {.value.array = &y_array}, {.scalar = CK_INT64, .value.i = k}};
    const ck_shape shape = {.grid = {grid, 1, 1}, .block = {block, 1, 1}};
    if (ck_buffer_write(rig->x, 0, &five, 1) || ck_buffer_write(rig->y, 0, y, sizeof y))
        return false;
    ck_status status = ck_launch(rig->kernel, &shape, args, 3, NULL);
    if (rig->is_ptx && refusal)
        return is_refused(rig, status, refusal);
    if (!status)
        status = ck_buffer_read(rig->y, 0, y, sizeof y);
    return !status && (rig->no_results || is_right(y, n, m, k, (int64_t)grid * block));
}

static bool
launch(const struct rig *rig, int64_t n, int64_t m, uint32_t grid, uint32_t block,
       const char *refusal)
{
    return launch_with(rig, n, m, -5, grid, block, refusal);
}

static bool
launch_scalars(const struct rig *rig)
{
    static const char above[] = "it is 2147483648, but this image assumes less than 2^31";
    static const char below[] = "it is -2147483649, but this image assumes less than 2^31";
    return launch_with(rig, 3, 4, BOUND - 1, 2, 32, NULL) &&
           launch_with(rig, 3, 4, BOUND, 2, 32, above) &&
           launch_with(rig, 3, 4, -BOUND, 2, 32, NULL) &&
           launch_with(rig, 3, 4, -BOUND - 1, 2, 32, below) &&
           launch_with(rig, 3, 4, INT64_MIN / 4, 2, 32, "this image assumes less than 2^31");
}

static bool
launch_all(const struct rig *rig)
{
    static const char axis0[] = "axis 0 has 2147483648 elements, but this image assumes fewer";
    static const char axis1[] = "axis 1 has 2147483649 elements, but this image assumes fewer";
    static const char last[] =
        "axis 0 has 2147418112 elements, but this image assumes fewer than 2^31 - 2^16";
    static const char elements[] = "it has too many elements: this image assumes fewer";
    static const char grid[] = "threads is too large for this image of `measure`";
    const uint32_t most = (uint32_t)(BOUND / BLOCK);
    for (int trip = 0; trip < TRIPS; trip++) {
        if (!launch(rig, 3, 4, 2, 32, NULL) || !launch(rig, MOST_ELEMENTS, 1, 2, 32, NULL) ||
            !launch(rig, BOUND, 4, 2, 32, axis0) || !launch(rig, 4, BOUND + 1, 2, 32, axis1) ||
            !launch(rig, MOST_ELEMENTS + 1, 1, 2, 32, last) ||
            !launch(rig, MOST_ELEMENTS + 1, 0, 2, 32, last) ||
            !launch(rig, 1, MOST_ELEMENTS, 2, 32, NULL) ||
            !launch(rig, 65536, 32767, 2, 32, elements) ||
            !launch(rig, MOST_ELEMENTS, MOST_ELEMENTS, 2, 32, elements) || !launch_scalars(rig))
            return false;
        /* The same arguments in grids of both kinds. */
        if (rig->no_results &&
            (!launch(rig, 3, 4, (uint32_t)BOUND - 1, 1, NULL) ||
             !launch(rig, 3, 4, most, BLOCK, grid) || !launch(rig, 3, 4, most - 1, BLOCK, NULL)))
            return false;
    }
    return rig->no_results || !strcmp(ck_device_get_info(rig->device)->kind, "cpu") ||
           (launch(rig, 3, 4, most - 1, BLOCK, NULL) && launch(rig, 3, 4, most, BLOCK, grid) &&
            launch(rig, 3, 4, most - 1, BLOCK, NULL));
}

static ck_status
load(struct rig *rig)
{
    const ck_compile_options options = {
        .size = sizeof options, .arch = "sm_75", .small_launches = 1};
    ck_status status = ck_compile(&rig->module, rig->ctx, source, strlen(source), &options);
    if (status || !rig->is_ptx)
        return status;
    char *text = NULL;
    size_t length = 0;
    ck_module *compiled = rig->module;
    rig->module = NULL;
    status = ck_module_emit(&text, &length, compiled, CK_EMIT_PTX);
    if (!status)
        status = ck_module_load(&rig->module, rig->ctx, text, length);
    ck_text_free(text);
    ck_module_free(compiled);
    return status;
}

int
main(int argc, char **argv)
{
    int result = 1;
    struct rig rig = {.no_results = argc > 3, .is_ptx = argc > 2 && !strcmp(argv[2], "ptx")};
    if (argc > 2 && ck_context_new(&rig.ctx, NULL) == CK_OK) {
        ck_status status = ck_device_open(&rig.device, rig.ctx, argv[1], NULL);
        if (status == CK_ERROR_NO_DEVICE)
            result = NO_DEVICE;
        else if (status == CK_OK && load(&rig) == CK_OK &&
                 ck_kernel_get(&rig.kernel, rig.module, rig.device, "measure") == CK_OK &&
                 ck_buffer_new(&rig.x, rig.device, 16) == CK_OK &&
                 ck_buffer_new(&rig.y, rig.device, N_RESULTS * sizeof(int64_t)) == CK_OK)
            result = !launch_all(&rig);
    }
    if (result == 1)
        fprintf(stderr, "%s\n", rig.ctx ? ck_context_error(rig.ctx) : "");
    ck_buffer_free(rig.x);
    ck_buffer_free(rig.y);
    ck_module_free(rig.module);
    ck_device_free(rig.device);
    ck_context_free(rig.ctx);
    return result;
}
