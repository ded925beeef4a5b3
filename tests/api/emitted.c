/* Uses what `ckc --emit=c kernels.ck` writes: launches each kernel on the CUDA device, and with a
 * second argument checks what they computed. Compiled as C and as C++. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels.h"

#include "check.h"

#define N 100

static ck_context *ctx;

static ck_array
array_of(const ck_buffer *buffer, ck_dtype dtype)
{
    ck_array array;
    memset(&array, 0, sizeof array);
    array.data = ck_buffer_address(buffer);
    array.dtype = dtype;
    array.ndim = 1;
    array.shape[0] = N;
    array.strides[0] = (int64_t)ck_dtype_size(dtype);
    return array;
}

int
main(int argc, char **argv)
{
    ck_device *device = NULL;
    ck_stream *stream = NULL;
    ck_buffer *x = NULL, *y = NULL;
    float host[N], got[N];
    int wide[N];
    const ck_dim3 grid = {4, 1, 1}, block = {32, 1, 1};
    const ck_complex z = {0.5, -2};
    CHECK(ck_context_new(&ctx, NULL) == CK_OK);
    if (ck_device_open(&device, ctx, "cuda", NULL) != CK_OK)
        return 77;
    CHECK(ck_stream_new(&stream, device, NULL) == CK_OK);
    CHECK(ck_buffer_new(&x, device, sizeof host) == CK_OK);
    CHECK(ck_buffer_new(&y, device, sizeof host) == CK_OK);
    for (int i = 0; i < N; i++)
        host[i] = (float)i / 3;
    CHECK(ck_buffer_write(x, 0, host, sizeof host) == CK_OK);
    CHECK(ck_buffer_write(y, 0, host, sizeof host) == CK_OK);
    const ck_array xs = array_of(x, CK_FLOAT32), ys = array_of(y, CK_FLOAT32);
    const ck_array is = array_of(y, CK_INT32);
    CHECK(saxpy_launch(stream, grid, block, 2.5f, &xs, &ys) == CK_OK);
    CHECK(ck_buffer_read(y, 0, got, sizeof got) == CK_OK);
    for (int i = 0; i < N && argc > 1; i++)
        CHECK(got[i] > 3.499f * host[i] - 1e-6f && got[i] < 3.501f * host[i] + 1e-6f);
    ck_shape shape = {grid, block, 64, {0, 0, 0}};
    CHECK(every_launch_shape(stream, &shape, true, -3, 250, 4000000000u, -5, 1.5f, 2.5, z, 7, 0.25f,
                             &is) == CK_OK);
    CHECK(ck_buffer_read(y, 0, wide, sizeof wide) == CK_OK);
    /* 1 - 3 + 250 + 4000000000 - 5 + 1.5 + 2.5 + 0.5 + 7 + 0.25, in units of 1/4 modulo 2**32 */
    for (int i = 0; i < N && argc > 1; i++)
        CHECK((unsigned)wide[i] == 4u * (4000000000u + 250) + 4 * 4 + 3);
    CHECK(two_launch_1(stream, grid, block, &xs) == CK_OK);
    CHECK(two_launch_2(stream, grid, block, &is) == CK_OK);
    CHECK(int__launch(stream, grid, block) == CK_OK);
    CHECK(saxpy_launch(stream, grid, block, 2.5f, &is, &ys) == CK_ERROR_ARGUMENT);
    CHECK(strstr(ck_context_error(ctx), "int32"));
    /* Two streams of the device have the same arrays. */
    ck_stream *second = NULL;
    ck_array counts;
    float weights[2] = {1, 100};
    int values[4] = {5, 6, 7, 8};
    const ck_dim3 one = {1, 1, 1}, four = {4, 1, 1};
    CHECK(ck_stream_new(&second, device, NULL) == CK_OK);
    CHECK(WEIGHTS_write(stream, 0, weights, sizeof weights) == CK_OK);
    CHECK(COUNTS_write(second, 0, values, sizeof values) == CK_OK);
    CHECK(counts_launch(stream, one, four, &is) == CK_OK);
    CHECK(counts_launch(second, one, four, &is) == CK_OK);
    CHECK(COUNTS_read(stream, 0, values, sizeof values) == CK_OK);
    CHECK(WEIGHTS_read(second, 4, weights, 4) == CK_OK);
    CHECK(weights[0] == 100 && COUNTS_get(stream, &counts) == CK_OK && counts.shape[0] == 4);
    CHECK(values[3] == (argc > 1 ? 10 : 8)); /* the fake driver runs nothing */
    CHECK(COUNTS_write(stream, 8, values, 16) == CK_ERROR_ARGUMENT);
    ck_stream_free(second);
    CHECK(ck_device_synchronize(device) == CK_OK);
    ck_stream_free(stream);
    ck_stream_free(NULL);
    ck_buffer_free(x);
    ck_buffer_free(y);
    ck_device_free(device);
    ck_context_free(ctx);
    (void)argv;
    return 0;
}
