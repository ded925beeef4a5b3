/* Arrays of vectors: rows of numbers and records of C in a launch's arrays, what fits and what does
 * not, addresses and strides. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ck/ck.h>

#include "statuses.h"

enum { N = 67 };

struct vec4 {
    float x, y, z, w;
};

static const ck_field fields[] = {
    {.name = "x", .dtype = CK_FLOAT32, .offset = 0},
    {.name = "y", .dtype = CK_FLOAT32, .offset = 4},
    {.name = "z", .dtype = CK_FLOAT32, .offset = 8},
    {.name = "w", .dtype = CK_FLOAT32, .offset = 12},
};
static const ck_record record = {sizeof(struct vec4), 4, fields};
static const ck_record padded = {sizeof(struct vec4) + 16, 4, fields};

static const char source[] = "@kernel\n"
                             "def add(a: float4[:], b: float3[::1]):\n"
                             "    for i in range(grid(1), len(a), gridsize(1)):\n"
                             "        a[i] = a[i] + float4(b[i], 1)\n";

static ck_context *ctx;
static ck_kernel *add;

static int
launch_fails(const ck_array *a, const ck_array *b, const char *text)
{
    const ck_shape shape = {.grid = {1, 1, 1}, .block = {32, 1, 1}};
    const ck_arg args[] = {{CK_DTYPE_NONE, {.array = a}}, {CK_DTYPE_NONE, {.array = b}}};
    const ck_status status = ck_launch(add, &shape, args, 2, NULL);
    if (status == CK_ERROR_ARGUMENT && strstr(ck_context_error(ctx), text))
        return 0;
    fprintf(stderr, "status %d, not an error with `%s`: %s\n", (int)status, text,
            ck_context_error(ctx));
    return 1;
}

/* Launches with these arrays over data that is new; returns whether the results are wrong. */
static int
run(ck_buffer *buffer, ck_buffer *other, const ck_array *a, const ck_array *b)
{
    const ck_shape shape = {.grid = {2, 1, 1}, .block = {32, 1, 1}};
    const ck_arg args[] = {{CK_DTYPE_NONE, {.array = a}}, {CK_DTYPE_NONE, {.array = b}}};
    struct vec4 host[2 * N], seen[2 * N];
    float three[N][3];
    const size_t step = (size_t)a->strides[0] / sizeof(struct vec4);
    for (int i = 0; i < 2 * N; i++)
        host[i] = (struct vec4){(float)i, 2.0f * (float)i, 0.5f, -(float)i};
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < 3; k++)
            three[i][k] = (float)(i * k);
    }
    MUST(ck_buffer_write(buffer, 0, host, sizeof host));
    MUST(ck_buffer_write(other, 0, three, sizeof three));
    MUST(ck_launch(add, &shape, args, 2, NULL));
    MUST(ck_buffer_read(buffer, 0, seen, sizeof seen));
    const int64_t n = a->shape[0];
    for (int64_t i = 0; i < n; i++) {
        struct vec4 *v = &host[(size_t)i * step];
        *v = (struct vec4){v->x + three[i][0], v->y + three[i][1], v->z + three[i][2], v->w + 1};
    }
    if (!memcmp(host, seen, sizeof host))
        return 0;
    fprintf(stderr, "wrong results of %d vectors, %d apart\n", (int)n, (int)step);
    return 1;
}

int
main(int argc, char **argv)
{
    ck_module *module;
    ck_device *device;
    ck_buffer *buffer, *other;
    const char *name = argc > 1 ? argv[1] : "cpu";
    if (ck_context_new(&ctx, NULL) != CK_OK)
        return 1;
    if (ck_device_open(&device, ctx, name, NULL) == CK_ERROR_NO_DEVICE) {
        ck_context_free(ctx);
        return 77;
    }
    MUST(ck_compile(&module, ctx, source, sizeof source - 1, NULL));
    MUST(ck_kernel_get(&add, module, device, "add"));
    MUST(ck_buffer_new(&buffer, device, 2 * N * sizeof(struct vec4)));
    MUST(ck_buffer_new(&other, device, N * 3 * sizeof(float)));
    const ck_param_info *params = ck_module_kernel(module, 0)->params;
    int faults = 0;
    if (params[0].dtype != CK_FLOAT32 || params[0].lanes != 4 || params[0].ndim != 1 ||
        params[1].lanes != 3 || params[1].layout != CK_C_ORDER) {
        fprintf(stderr, "the description is wrong\n");
        faults++;
    }
    ck_array b = {ck_buffer_address(other), CK_FLOAT32, 2, {N, 3}, {12, 4}, NULL};
    ck_array rows = {ck_buffer_address(buffer), CK_FLOAT32, 2, {N, 4}, {16, 4}, NULL};
    ck_array records = {ck_buffer_address(buffer), CK_RECORD, 1, {N}, {16}, &record};
    for (int i = 0; i < 3; i++) { /* like the last launch, and not */
        faults += run(buffer, other, &rows, &b) + run(buffer, other, &rows, &b);
        faults += run(buffer, other, &records, &b) + run(buffer, other, &records, &b);
        rows.strides[0] = records.strides[0] = i ? 16 : 32;
        rows.shape[0] -= i;
        records.shape[0] -= i;
    }

    ck_array bad = rows;
    bad.shape[1] = 3;
    faults += launch_fails(&bad, &b,
                           "argument 1 `a`: float32[:, :] was given for float32x4[:] "
                           "(pass numbers with one more dimension, the last, of 4 that "
                           "are adjacent)");
    bad = rows;
    bad.strides[1] = 8;
    faults += launch_fails(&bad, &b, "argument 1 `a`: float32[:, :] was given for float32x4[:]");
    bad = rows;
    bad.dtype = CK_INT32;
    faults += launch_fails(&bad, &b, "was given for float32x4[:]");
    bad = rows;
    bad.ndim = 1;
    faults += launch_fails(&bad, &b, "was given for float32x4[:]");
    bad = records;
    bad.record = &padded;
    bad.strides[0] = 32;
    faults += launch_fails(&bad, &b, "{x:float32,y:float32,z:float32,w:float32}/32[::1] was given");
    bad = rows;
    bad.strides[0] = 20;
    bad.shape[0] = 3;
    faults += launch_fails(&bad, &b,
                           "argument 1 `a`: its stride of 20 bytes in dimension 0 is not "
                           "a multiple of its elements' 16 bytes");
    bad = rows;
    bad.data += 8;
    bad.shape[0] = 3;
    faults += launch_fails(&bad, &b,
                           "is not a multiple of 16 bytes, as that of an array of "
                           "float32x4 is");
    bad.shape[0] = 0; /* has no elements */
    const ck_shape shape = {.grid = {1, 1, 1}, .block = {32, 1, 1}};
    const ck_arg none[] = {{CK_DTYPE_NONE, {.array = &bad}}, {CK_DTYPE_NONE, {.array = &b}}};
    MUST(ck_launch(add, &shape, none, 2, NULL));
    bad = b;
    bad.data += 4; /* as numbers are aligned */
    bad.shape[0] = N - 1;
    rows.shape[0] = 1;
    const ck_arg three[] = {{CK_DTYPE_NONE, {.array = &rows}}, {CK_DTYPE_NONE, {.array = &bad}}};
    MUST(ck_launch(add, &shape, three, 2, NULL));
    bad.strides[0] = 16;
    bad.shape[0] = 4;
    faults += launch_fails(&rows, &bad, "(its strides (16, 4) bytes are not C-contiguous)");

    ck_buffer_free(buffer);
    ck_buffer_free(other);
    ck_module_free(module);
    ck_device_free(device);
    ck_context_free(ctx);
    return faults != 0;
}
