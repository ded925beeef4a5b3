/* Arrays of a launch that share memory: the kernel sees what it would if each access were made in
 * the order of the text, whichever image is chosen, and the choice does not stick. */
#include <stdio.h>
#include <string.h>

#include <ck/ck.h>

enum { N = 64, TRIPS = 3 };

/* One thread, so that the order is known. `typed` has its signature, `untyped` takes any. */
static const char source[] = "@kernel\n"
                             "def typed(x: int32[::1], y: int32[::1]):\n"
                             "    for i in range(len(x)):\n"
                             "        y[i] = x[i] + x[0]\n"
                             "@kernel\n"
                             "def untyped(x, y):\n"
                             "    for i in range(len(x)):\n"
                             "        y[i] = x[i] + x[0]\n"
                             "@kernel\n"
                             "def both(y: int32[::1], z: int32[::1]):\n"
                             "    for i in range(len(y)):\n"
                             "        y[i] = z[i] + y[0]\n"
                             "        z[i] = y[i] - z[0]\n"
                             "@kernel\n"
                             "def swap(x: int32[:], y: int32[:], z: int32[:]):\n"
                             "    for i in range(len(x)):\n"
                             "        y[i] = x[i] + z[0]\n"
                             "        z[i] = x[len(x) - 1 - i] + y[0]\n";

struct views {
    int x, y; /* where each begins, in elements */
    int step; /* from one element of x and of y to the next */
};

static void
compute(int32_t *p, const struct views *views)
{
    for (int i = 0; i < N; i++)
        p[views->y + i * views->step] = p[views->x + i * views->step] + p[views->x];
}

static void
compute_both(int32_t *p, const struct views *views)
{
    for (int i = 0; i < N; i++) {
        p[views->x + i] = (int32_t)((uint32_t)p[views->y + i] + (uint32_t)p[views->x]);
        p[views->y + i] = (int32_t)((uint32_t)p[views->x + i] - (uint32_t)p[views->y]);
    }
}

static void
begin(int32_t *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        p[i] = (int32_t)i * 7 - 1000;
}

struct device {
    ck_context *ctx;
    ck_module *module;
    ck_device *device;
    ck_buffer *buffer;
};

static ck_array
view(const struct device *d, int first, int step)
{
    return (ck_array){.data = ck_buffer_address(d->buffer) + sizeof(int32_t) * (uint64_t)first,
                      .dtype = CK_INT32,
                      .ndim = 1,
                      .shape = {N},
                      .strides = {step * (int)sizeof(int32_t)}};
}

static int
launch(const struct device *d, const char *name, const struct views *views)
{
    enum { ELEMENTS = 4 * N };
    int32_t want[ELEMENTS], got[ELEMENTS];
    ck_kernel *kernel;
    ck_array x = view(d, views->x, views->step), y = view(d, views->y, views->step);
    ck_arg args[] = {{.value.array = &x}, {.value.array = &y}};
    ck_shape shape = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
    begin(want, ELEMENTS);
    begin(got, ELEMENTS);
    if (strcmp(name, "both") == 0)
        compute_both(want, views);
    else
        compute(want, views);
    return ck_buffer_write(d->buffer, 0, got, sizeof got) != CK_OK ||
           ck_kernel_get(&kernel, d->module, d->device, name) != CK_OK ||
           ck_launch(kernel, &shape, args, 2, NULL) != CK_OK ||
           ck_buffer_read(d->buffer, 0, got, sizeof got) != CK_OK ||
           memcmp(want, got, sizeof want) != 0;
}

static int
launch_all(const struct device *d)
{
    static const struct views contiguous[] = {{0, N, 1},     {0, 0, 1},     {0, 1, 1}, {1, 0, 1},
                                              {0, N - 1, 1}, {N - 1, 0, 1}, {N, 0, 1}};
    static const struct views strided[] = {{0, 2 * N, 2}, {0, 2, 2},          {0, 1, 2},
                                           {N, N, -1},    {2 * N, N + 5, -1}, {N, 3 * N, -1}};
    for (int trip = 0; trip < TRIPS; trip++) {
        for (size_t i = 0; i < sizeof contiguous / sizeof *contiguous; i++) {
            if (launch(d, "typed", &contiguous[i]) || launch(d, "untyped", &contiguous[i]) ||
                launch(d, "both", &contiguous[i]))
                return 10 + (int)i;
        }
        for (size_t i = 0; i < sizeof strided / sizeof *strided; i++) {
            if (launch(d, "untyped", &strided[i]))
                return 30 + (int)i;
        }
    }
    return 0;
}

/* What an image counts on is in its description. */
static int
describe(const struct device *d)
{
    ck_array x = view(d, 0, 1);
    ck_arg args[] = {{.value.array = &x}, {.value.array = &x}, {.value.array = &x}};
    const ck_kernel_desc *desc;
    ck_kernel *kernel;
    if (ck_kernel_get(&kernel, d->module, d->device, "swap") != CK_OK ||
        ck_kernel_prepare(kernel, args, 3, &desc) != CK_OK)
        return 50;
    if (!desc->params[0].read_only || desc->params[1].read_only || desc->params[2].read_only)
        return 51;
    if (desc->params[0].disjoint || !desc->params[1].disjoint || !desc->params[2].disjoint)
        return 52;
    return 0;
}

int
main(void)
{
    struct device d = {0};
    int result = 1;
    if (ck_context_new(&d.ctx, NULL) == CK_OK &&
        ck_compile(&d.module, d.ctx, source, strlen(source), NULL) == CK_OK &&
        ck_device_open(&d.device, d.ctx, "cpu", NULL) == CK_OK &&
        ck_buffer_new(&d.buffer, d.device, 4 * N * sizeof(int32_t)) == CK_OK)
        result = launch_all(&d);
    if (result == 0)
        result = describe(&d);
    if (result)
        fprintf(stderr, "%d: %s\n", result, d.ctx ? ck_context_error(d.ctx) : "");
    ck_buffer_free(d.buffer);
    ck_module_free(d.module);
    ck_device_free(d.device);
    ck_context_free(d.ctx);
    return result;
}
