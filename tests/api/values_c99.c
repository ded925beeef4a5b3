/* A launch by values in C99, which has no _Generic: functions make them. */
#include <stdio.h>

#include <ck/ck.h>

static const char source[] = "@kernel\n"
                             "def saxpy(a: float32, x: float32[::1], y: float32[::1], n: int32):\n"
                             "    i = grid(1)\n"
                             "    if i < n:\n"
                             "        y[i] = a * x[i] + y[i]\n";

int
main(void)
{
    ck_context *ctx = NULL;
    ck_module *module = NULL;
    ck_device *device = NULL;
    ck_kernel *saxpy = NULL;
    ck_buffer *buffers[2] = {NULL, NULL};
    float host[10];
    ck_array x, y;
    int i;
    if (ck_context_new(&ctx, NULL) || ck_device_open(&device, ctx, "cpu", NULL) ||
        ck_compile(&module, ctx, source, sizeof source - 1, NULL) ||
        ck_kernel_get(&saxpy, module, device, "saxpy"))
        return 1;
    for (i = 0; i < 10; i++)
        host[i] = (float)i;
    for (i = 0; i < 2; i++) {
        if (ck_buffer_new(&buffers[i], device, sizeof host) ||
            ck_buffer_write(buffers[i], 0, host, sizeof host))
            return 2;
    }
    x = ck_array_1d(ck_buffer_address(buffers[0]), CK_FLOAT32, 10);
    y = ck_array_1d(ck_buffer_address(buffers[1]), CK_FLOAT32, 10);
    if (ck_launchv(saxpy, ck_shape_2d(1, 1, 32, 1), NULL, ck_arg_float32(1.5f), ck_arg_array(&x),
                   ck_arg_array(&y), ck_arg_int32(10)))
        return 3;
    if (ck_buffer_read(buffers[1], 0, host, sizeof host))
        return 4;
    printf("y[9] = %g\n", (double)host[9]);
    ck_buffer_free(buffers[0]);
    ck_buffer_free(buffers[1]);
    ck_module_free(module);
    ck_device_free(device);
    ck_context_free(ctx);
    return 0;
}
