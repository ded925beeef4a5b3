/* alignment DEVICE [no-results]: arrays that begin at any element give what they should, in
 * whatever order such launches come. The kernel's accesses are ones that could be of four elements
 * at once. Exit status 77: there is no such device. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <ck/ck.h>

enum { N = 256, SPARE = 4, TRIPS = 2, NO_DEVICE = 77 };

static const char source[] = "@kernel\n"
                             "def typed(x: float32[::1], y: float32[::1]):\n"
                             "    i = grid(1)\n"
                             "    for j in range(4):\n"
                             "        y[4 * i + j] = x[4 * i + j] + x[4 * i]\n"
                             "@kernel\n"
                             "def untyped(x, y):\n"
                             "    i = grid(1)\n"
                             "    t = local.array(4, float32)\n"
                             "    for j in range(4):\n"
                             "        t[j] = x[4 * i + j]\n"
                             "    for j in range(4):\n"
                             "        y[4 * i + j] = t[j] + t[0]\n";

struct rig {
    ck_context *ctx;
    ck_module *module;
    ck_device *device;
    ck_buffer *x, *y;
    bool no_results; /* of a device that runs nothing */
};

static ck_array
array_at(ck_buffer *buffer, int first)
{
    return (ck_array){.data = ck_buffer_address(buffer) + sizeof(float) * (uint64_t)first,
                      .dtype = CK_FLOAT32,
                      .ndim = 1,
                      .shape = {N},
                      .strides = {sizeof(float)}};
}

static bool
is_right(const float *x, const float *y, int x_first, int y_first)
{
    for (int i = 0; i < N + SPARE; i++) {
        const int k = i - y_first;
        const float want = k < 0 || k >= N ? -1 : x[x_first + k] + x[x_first + k / 4 * 4];
        if (y[i] != want)
            return false;
    }
    return true;
}

static int
launch(const struct rig *rig, const char *name, int x_first, int y_first)
{
    float x[N + SPARE], y[N + SPARE];
    ck_kernel *kernel;
    ck_array x_array = array_at(rig->x, x_first), y_array = array_at(rig->y, y_first);
    ck_arg args[] = {{.value.array = &x_array}, {.value.array = &y_array}};
    ck_shape shape = {.grid = {N / 64, 1, 1}, .block = {16, 1, 1}};
    for (int i = 0; i < N + SPARE; i++) {
        x[i] = (float)(i * i % 1000);
        y[i] = -1;
    }
    if (ck_buffer_write(rig->x, 0, x, sizeof x) != CK_OK ||
        ck_buffer_write(rig->y, 0, y, sizeof y) != CK_OK ||
        ck_kernel_get(&kernel, rig->module, rig->device, name) != CK_OK ||
        ck_launch(kernel, &shape, args, 2, NULL) != CK_OK ||
        ck_buffer_read(rig->y, 0, y, sizeof y) != CK_OK)
        return 1;
    return rig->no_results || is_right(x, y, x_first, y_first) ? 0 : 2;
}

static int
launch_all(const struct rig *rig)
{
    for (int trip = 0; trip < TRIPS; trip++) {
        for (int first = 0; first < SPARE; first++) {
            int result = launch(rig, "typed", first, 0) | launch(rig, "typed", 0, first) |
                         launch(rig, "untyped", first, first);
            if (result)
                return result;
        }
    }
    return 0;
}

int
main(int argc, char **argv)
{
    struct rig rig = {.no_results = argc > 2};
    const size_t bytes = (N + SPARE) * sizeof(float);
    int result = 3;
    if (argc > 1 && ck_context_new(&rig.ctx, NULL) == CK_OK) {
        ck_status status = ck_device_open(&rig.device, rig.ctx, argv[1], NULL);
        if (status == CK_ERROR_NO_DEVICE)
            result = NO_DEVICE;
        else if (status == CK_OK &&
                 ck_compile(&rig.module, rig.ctx, source, strlen(source), NULL) == CK_OK &&
                 ck_buffer_new(&rig.x, rig.device, bytes) == CK_OK &&
                 ck_buffer_new(&rig.y, rig.device, bytes) == CK_OK)
            result = launch_all(&rig);
    }
    if (result && result != NO_DEVICE)
        fprintf(stderr, "%d: %s\n", result, rig.ctx ? ck_context_error(rig.ctx) : "");
    ck_buffer_free(rig.x);
    ck_buffer_free(rig.y);
    ck_module_free(rig.module);
    ck_device_free(rig.device);
    ck_context_free(rig.ctx);
    return result;
}
