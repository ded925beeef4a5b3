/* What makes the common case short, on the device that is named: descriptions of arrays, values as
 * arguments, launches by values, the best block, memory and devices. With a second argument what
 * kernels compute is not looked at. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ck/ck.h>

#include "check.h"

enum { N = 1000 };

static const char source[] =
    "@kernel\n"
    "def saxpy(a, x, y):\n"
    "    i = grid(1)\n"
    "    if i < len(x):\n"
    "        y[i] = a * x[i] + y[i]\n"
    "@kernel\n"
    "def sizes(out: int64[::1], a: float32[:, ::1], b: float32[:, :, ::1]):\n"
    "    out[0] = a.shape[0]\n"
    "    out[1] = a.shape[1]\n"
    "    out[2] = b.shape[0]\n"
    "    out[3] = b.shape[1]\n"
    "    out[4] = b.shape[2]\n"
    "@kernel\n"
    "def all_types(out: complex128[::1], a: boolean, b: int8, c: int16, d: int32, e: int64,\n"
    "              f: uint8, g: uint16, h: uint32, i: uint64, j: float32, k: float64,\n"
    "              l: complex64, m: complex128, n: float16, o: (int32, float64)):\n"
    "    out[0] = a + b + c + d + e + f + g + h + float64(i) + j + k + l + m + float32(n) + o[0] + "
    "o[1]\n"
    "@kernel(launch_bounds=(200, 1))\n"
    "def bounded(x: float32[::1]):\n"
    "    x[0] = 1\n"
    "@kernel\n"
    "def nothing():\n"
    "    pass\n"
    "@kernel\n"
    "def optional(x, n=7):\n"
    "    if n is None:\n"
    "        x[0] = -1\n"
    "    else:\n"
    "        x[0] = n\n"
    "Pair = record(x=int32, y=float32)\n"
    "@kernel\n"
    "def pairs(p: Pair[::1]):\n"
    "    p[1].x = 5\n"
    "    p[1].y = 2.5\n";

static ck_context *ctx;
static ck_device *device;
static ck_module *module;
static bool computes;

static ck_kernel *
kernel(const char *name)
{
    ck_kernel *found;
    OK(ck_kernel_get(&found, module, device, name));
    return found;
}

static ck_buffer *
buffer_of(size_t bytes)
{
    ck_buffer *buffer;
    OK(ck_buffer_new(&buffer, device, bytes));
    OK(ck_buffer_fill(buffer, 0, 0, bytes, NULL));
    return buffer;
}

static void
launches(void)
{
    float host[N], got[N];
    ck_buffer *x = buffer_of(sizeof host), *y = buffer_of(sizeof host);
    for (int i = 0; i < N; i++)
        host[i] = (float)i;
    OK(ck_buffer_write(x, 0, host, sizeof host));
    ck_array xs = ck_array_1d(ck_buffer_address(x), CK_FLOAT32, N);
    const ck_array ys = ck_array_1d(ck_buffer_address(y), CK_FLOAT32, N);
    OK(ck_launchv(kernel("saxpy"), ck_shape_1d(4, 256), NULL, 2.5f, &xs, &ys));
    OK(ck_buffer_read(y, 0, got, sizeof got));
    for (int i = 0; i < N && computes; i++)
        CHECK(got[i] == 2.5f * (float)i);
    const ck_kernel_desc *desc;
    OK(ck_kernel_prepare(kernel("saxpy"), CK_ARGS(2.5, &xs, &ys), &desc));
    CHECK(strcmp(desc->signature, "(float64, float32[::1], float32[::1])") == 0);
    OK(ck_launch(kernel("nothing"), &(ck_shape){{1, 0, 0}, {1, 0, 0}, 0, {0, 0, 0}}, NULL, 0,
                 NULL));
    FAILS(ck_launch(kernel("nothing"), NULL, NULL, 0, NULL), CK_ERROR_ARGUMENT, "has no shape");
    OK(ck_launchv(kernel("optional"), ck_shape_1d(1, 1), NULL, &ys, ck_arg_none()));
    OK(ck_buffer_read(y, 0, got, sizeof got));
    CHECK(!computes || got[0] == -1);
    OK(ck_launchv(kernel("optional"), ck_shape_1d(1, 1), NULL, &ys, ck_arg_default()));
    OK(ck_buffer_read(y, 0, got, sizeof got));
    CHECK(!computes || got[0] == 7);
    ck_buffer_free(x);
    ck_buffer_free(y);
}

static void
types(void)
{
    double got[2];
    ck_buffer *out = buffer_of(sizeof got);
    const ck_array array = ck_array_1d(ck_buffer_address(out), CK_COMPLEX128, 1);
    const bool a = true;
    signed char b = -2;
    short c = 300;
    const long e = -5;
    unsigned char f = 200;
    unsigned short g = 60000;
    unsigned long i = 7;
    const float _Complex l = __builtin_complex(0.5f, 2.0f);
    const double _Complex m = __builtin_complex(0.25, -1.0);
    const ck_status status =
        ck_launchv(kernel("all_types"), ck_shape_1d(1, 1), NULL, &array, a, b, c, 4, e, f, g, 9u, i,
                   1.5f, 2.5, l, m, ck_arg_float16(0.125f), ck_arg_tuple(2), 6, 8.0);
    OK(status);
    OK(ck_buffer_read(out, 0, got, sizeof got));
    const double real =
        1 - 2 + 300 + 4 - 5 + 200 + 60000 + 9 + 7 + 1.5 + 2.5 + 0.5 + 0.25 + 0.125 + 6 + 8;
    CHECK(!computes || (got[0] == real && got[1] == 1));
    const ck_arg list[] = {CK_ARG(1LL),
                           CK_ARG(1ULL),
                           ck_arg_bfloat16(1),
                           ck_arg_int16(-1),
                           ck_arg_uint64(1),
                           CK_ARG(ck_arg_none()),
                           ck_arg_bool(true),
                           ck_arg_array(&array),
                           CK_ARG(((ck_complex){1, 2})),
                           ck_arg_complex64((ck_complex){3, 4})};
    const ck_dtype want[] = {CK_INT64, CK_UINT64, CK_BFLOAT16,   CK_INT16,      CK_UINT64,
                             CK_NONE,  CK_BOOL,   CK_DTYPE_NONE, CK_COMPLEX128, CK_COMPLEX64};
    for (size_t n = 0; n < sizeof list / sizeof *list; n++)
        CHECK(list[n].scalar == want[n]);
    CHECK(list[3].value.i == -1 && list[7].value.array == &array && list[9].value.c.imaginary == 4);
    ck_buffer_free(out);
}

static bool
has(const ck_array *array, int ndim, const int64_t *shape, const int64_t *strides)
{
    bool same = array->ndim == ndim;
    for (int d = 0; d < ndim; d++)
        same = same && array->shape[d] == shape[d] && array->strides[d] == strides[d];
    return same;
}

static void
arrays(void)
{
    int64_t got[5];
    ck_buffer *out = buffer_of(sizeof got), *data = buffer_of(24 * sizeof(float));
    const uint64_t at = ck_buffer_address(data);
    const ck_array sizes = ck_array_1d(ck_buffer_address(out), CK_INT64, 5);
    const ck_array a = ck_array_2d(at, CK_FLOAT32, 4, 6), b = ck_array_3d(at, CK_FLOAT32, 2, 3, 4);
    CHECK(has(&a, 2, (int64_t[]){4, 6}, (int64_t[]){24, 4}));
    CHECK(has(&b, 3, (int64_t[]){2, 3, 4}, (int64_t[]){48, 16, 4}));
    OK(ck_launchv(kernel("sizes"), ck_shape_1d(1, 1), NULL, &sizes, &a, &b));
    OK(ck_buffer_read(out, 0, got, sizeof got));
    CHECK(!computes || memcmp(got, (int64_t[]){4, 6, 2, 3, 4}, sizeof got) == 0);

    /* No dimensions, no elements. */
    const ck_array none = ck_array_nd(at, CK_INT8, 0, NULL);
    CHECK(none.ndim == 0 && none.data == at && none.dtype == CK_INT8);
    const ck_array empty = ck_array_3d(0, CK_FLOAT32, 0, 3, 4);
    OK(ck_launchv(kernel("sizes"), ck_shape_1d(1, 1), NULL, &sizes, &a, &empty));

    /* Larger than the buffer by an element, than the address space, than numbers can say. */
    const ck_array more = ck_array_2d(at, CK_FLOAT32, 5, 5);
    FAILS(ck_launchv(kernel("sizes"), ck_shape_1d(1, 1), NULL, &sizes, &more, &b),
          CK_ERROR_ARGUMENT, "its elements take bytes 0 to 100 of a buffer of 96 bytes");
    const ck_array before = ck_array_1d(ck_buffer_address(out) - 8, CK_INT64, 5);
    FAILS(ck_launchv(kernel("sizes"), ck_shape_1d(1, 1), NULL, &before, &a, &b), CK_ERROR_ARGUMENT,
          "its elements take bytes -8 to 32 of a buffer of 40 bytes");
    const int64_t sizes_of_large[] = {(int64_t)1 << 31, (int64_t)1 << 60};
    for (int i = 0; i < 2; i++) {
        const int64_t n = sizes_of_large[i];
        const ck_array large = ck_array_2d(at, CK_FLOAT32, n, n);
        FAILS(ck_launchv(kernel("sizes"), ck_shape_1d(1, 1), NULL, &sizes, &large, &b),
              CK_ERROR_ARGUMENT, "larger than the address space");
        const ck_array larger = ck_array_3d(at, CK_FLOAT32, 2, n, n);
        FAILS(ck_launchv(kernel("sizes"), ck_shape_1d(1, 1), NULL, &sizes, &a, &larger),
              CK_ERROR_ARGUMENT, "larger than the address space");
    }
    const ck_array negative = ck_array_2d(at, CK_FLOAT32, -1, 2);
    FAILS(ck_launchv(kernel("sizes"), ck_shape_1d(1, 1), NULL, &sizes, &negative, &b),
          CK_ERROR_ARGUMENT, "negative size");
    int64_t shape[CK_MAX_DIMS + 1] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    const ck_array deep = ck_array_nd(at, CK_FLOAT32, CK_MAX_DIMS + 1, shape);
    FAILS(ck_launchv(kernel("sizes"), ck_shape_1d(1, 1), NULL, &sizes, &a, &deep),
          CK_ERROR_ARGUMENT, "9");
    ck_buffer_free(out);
    ck_buffer_free(data);
}

struct pair {
    int32_t x;
    float y;
};

static void
records(void)
{
    const ck_field fields[] = {{.name = "x", .dtype = CK_INT32},
                               {.name = "y", .dtype = CK_FLOAT32, .offset = 4}};
    const ck_record record = {sizeof(struct pair), 2, fields};
    struct pair got[3];
    ck_buffer *buffer = buffer_of(sizeof got);
    const int64_t n = 3;
    const ck_array array = ck_array_of_records(ck_buffer_address(buffer), &record, 1, &n);
    CHECK(array.strides[0] == sizeof(struct pair) && array.dtype == CK_RECORD);
    OK(ck_launchv(kernel("pairs"), ck_shape_1d(1, 1), NULL, &array));
    OK(ck_buffer_read(buffer, 0, got, sizeof got));
    CHECK(!computes || (got[1].x == 5 && got[1].y == 2.5f && got[0].x == 0));
    const int64_t four = 4;
    const ck_array without = ck_array_1d(ck_buffer_address(buffer), CK_RECORD, n);
    FAILS(ck_launchv(kernel("pairs"), ck_shape_1d(1, 1), NULL, &without), CK_ERROR_ARGUMENT,
          "record");
    const ck_array more = ck_array_of_records(ck_buffer_address(buffer), &record, 1, &four);
    FAILS(ck_launchv(kernel("pairs"), ck_shape_1d(1, 1), NULL, &more), CK_ERROR_ARGUMENT,
          "bytes 0 to 32 of a buffer of 24 bytes");
    ck_buffer_free(buffer);
}

static void
best_blocks(void)
{
    ck_best_block best = {1, 1};
    ck_kernel *generic;
    OK(ck_kernel_get(&generic, module, device, "best_generic"));
    FAILS(ck_kernel_best_block(&best, generic, 0), CK_ERROR_ARGUMENT, "is generic: prepare it");
    CHECK(best.threads == 1 && best.blocks == 1);
    OK(ck_kernel_best_block(&best, kernel("sizes"), 0));
    CHECK(best.threads >= 32 && best.threads <= 1024 && best.blocks >= 1);
    printf("sizes: %u threads, %u blocks\n", best.threads, best.blocks);
    OK(ck_kernel_best_block(&best, kernel("bounded"), 0));
    CHECK(best.threads <= 192 && best.threads % 32 == 0 && best.blocks >= 1);
    printf("bounded: %u threads, %u blocks\n", best.threads, best.blocks);
    FAILS(ck_kernel_best_block(&best, kernel("sizes"), 1 << 20), CK_ERROR_ARGUMENT,
          "shared memory");
    OK(ck_kernel_best_block(&best, kernel("sizes"), 60 << 10)); /* with the opt-in */
    CHECK(best.threads >= 32);
}

static void
devices(void)
{
    size_t n = 99, unused = 0, total = 0, again = 0;
    OK(ck_device_count(&n, ctx, "cpu"));
    CHECK(n == 1);
    OK(ck_device_count(&n, ctx, "cuda"));
    printf("%zu CUDA devices\n", n);
    n = 99;
    FAILS(ck_device_count(&n, ctx, "auto"), CK_ERROR_ARGUMENT, "unknown kind of device \"auto\"");
    CHECK(n == 99);
    OK(ck_device_get_memory(&unused, &total, device));
    CHECK(unused > 0 && unused <= total && total >= (size_t)1 << 27);
    OK(ck_device_get_memory(NULL, &again, device));
    CHECK(again == total);
    OK(ck_device_get_memory(&unused, NULL, device));
    ck_device *same;
    OK(ck_device_open(&same, ctx, NULL, NULL)); /* "auto" */
    ck_device_free(same);
    CHECK(strcmp(ck_context_error(NULL), "") == 0 && ck_context_n_diagnostics(NULL) == 0 &&
          !ck_context_diagnostic(NULL, 0));
}

int
main(int argc, char **argv)
{
    char text[sizeof source + 100];
    snprintf(text, sizeof text, "%s@kernel\ndef best_generic(x):\n    x[0] = 1\n", source);
    OK(ck_context_new(&ctx, NULL));
    const ck_status opened = ck_device_open(&device, ctx, argv[1], NULL);
    if (opened == CK_ERROR_NO_DEVICE)
        return 77;
    OK(opened);
    computes = argc < 3;
    ck_compile_options options = {.size = sizeof options, .name = "helpers.ck"};
    OK(ck_compile(&module, ctx, text, strlen(text), &options));
    launches();
    types();
    arrays();
    records();
    best_blocks();
    devices();
    ck_module_free(module);
    ck_device_free(device);
    ck_context_free(ctx);
    return 0;
}
