/* Arrays of a module in the device's memory: found by name, read and written, used by kernels of
 * several types, passed as arguments, and what is refused. The argument is the device; 77: there is
 * none. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ck/ck.h>

static const char source[] = "Pair = record(key=int32, value=float32)\n"
                             "COUNTS = device_array(8, int32)\n"
                             "TABLE = to_device([[1.5, 2.5], [3.5, 4.5]])\n"
                             "WEIGHTS = const.array(4, float32)\n"
                             "QUADS = device_array(2, float4)\n"
                             "PAIRS = (device_array(3, Pair), device_array(3, Pair))\n"
                             "UNUSED = device_array(8, int32)\n"
                             "@kernel\n"
                             "def count(x):\n"
                             "    i = grid(1)\n"
                             "    if i < len(x):\n"
                             "        atomic.add(COUNTS, x[i] % 8, 1)\n"
                             "@kernel\n"
                             "def weigh(y: float32[:]):\n"
                             "    i = grid(1)\n"
                             "    if i < 4:\n"
                             "        y[i] = WEIGHTS[i] * TABLE[i // 2, i % 2] + QUADS[0].y\n"
                             "        PAIRS[1][0].key = 7\n"
                             "@kernel\n"
                             "def shift(y: int32[:]):\n"
                             "    i = grid(1)\n"
                             "    if i == 0:\n"
                             "        for k in range(7):\n"
                             "            COUNTS[k] = y[k + 1]\n";

static void
expect(bool truth, const char *what)
{
    if (truth)
        return;
    fprintf(stderr, "not so: %s\n", what);
    exit(1);
}

static void
expect_status(ck_context *ctx, ck_status status, ck_status due, const char *text, int line)
{
    if (status == due && (due == CK_OK || strstr(ck_context_error(ctx), text)))
        return;
    fprintf(stderr, "line %d: %s: %s\n", line, ck_status_name(status), ck_context_error(ctx));
    exit(1);
}

#define EXPECT(ctx, call, status)            expect_status(ctx, call, status, "", __LINE__)
#define EXPECT_TEXT(ctx, call, status, text) expect_status(ctx, call, status, text, __LINE__)

static ck_context *ctx;
static ck_module *module;
static ck_device *device;

static void
launch(const char *name, const ck_array *array)
{
    ck_kernel *kernel;
    const ck_arg arg = {.value.array = array};
    const ck_shape shape = {.grid = {2, 1, 1}, .block = {32, 1, 1}};
    EXPECT(ctx, ck_kernel_get(&kernel, module, device, name), CK_OK);
    EXPECT(ctx, ck_launch(kernel, &shape, &arg, 1, NULL), CK_OK);
}

static ck_array
numbers(ck_buffer **buffer, ck_dtype dtype, const void *host, int64_t n)
{
    const size_t size = ck_dtype_size(dtype);
    EXPECT(ctx, ck_buffer_new(buffer, device, size * (size_t)n), CK_OK);
    EXPECT(ctx, ck_buffer_write(*buffer, 0, host, size * (size_t)n), CK_OK);
    return (ck_array){.data = ck_buffer_address(*buffer),
                      .dtype = dtype,
                      .ndim = 1,
                      .shape = {n},
                      .strides = {(int64_t)size}};
}

static void
test_descriptions(void)
{
    static const char *const names[] = {"COUNTS", "TABLE",    "WEIGHTS",
                                        "QUADS",  "PAIRS[0]", "PAIRS[1]"};
    expect(ck_module_n_globals(module) == 6, "six arrays: those that kernels reach");
    for (size_t i = 0; i < 6; i++) {
        bool found = false;
        for (size_t k = 0; k < 6; k++)
            found |= strcmp(ck_module_global(module, k)->name, names[i]) == 0;
        expect(found, names[i]);
    }
    expect(ck_module_global(module, 6) == NULL, "no seventh");
    ck_array array;
    EXPECT(ctx, ck_module_get_global(&array, module, device, "QUADS"), CK_OK);
    expect(array.dtype == CK_FLOAT32 && array.ndim == 2 && array.shape[0] == 2 &&
               array.shape[1] == 4 && array.strides[0] == 16 && array.data % 16 == 0,
           "vectors are a dimension");
    EXPECT(ctx, ck_module_get_global(&array, module, device, "PAIRS[1]"), CK_OK);
    expect(array.dtype == CK_RECORD && array.record->n_fields == 2 && array.strides[0] == 8,
           "records");
}

static void
test_values(void)
{
    ck_buffer *x, *z, *y;
    int32_t small[40], got[8], want[8] = {100};
    int64_t large[24];
    float weights[4] = {1, 2, 3, 4}, out[4] = {0}, quads[8] = {0, 0.25f};
    double table[4];
    for (int i = 0; i < 40; i++)
        want[(small[i] = i * 5) % 8]++;
    for (int i = 0; i < 24; i++)
        want[(large[i] = i * i) % 8]++;
    const ck_array a = numbers(&x, CK_INT32, small, 40), b = numbers(&z, CK_INT64, large, 24),
                   c = numbers(&y, CK_FLOAT32, out, 4);
    const int32_t first = 100;
    EXPECT(ctx, ck_module_write_global(module, device, "COUNTS", 0, &first, sizeof first), CK_OK);
    launch("count", &a);
    launch("count", &b);
    EXPECT(ctx, ck_module_read_global(module, device, "COUNTS", 0, got, sizeof got), CK_OK);
    expect(memcmp(got, want, sizeof got) == 0, "one memory for both types");
    launch("weigh", &c); /* loads the image before the values are set */
    EXPECT(ctx, ck_module_write_global(module, device, "WEIGHTS", 0, weights, sizeof weights),
           CK_OK);
    EXPECT(ctx, ck_module_write_global(module, device, "QUADS", 0, quads, sizeof quads), CK_OK);
    launch("weigh", &c);
    EXPECT(ctx, ck_buffer_read(y, 0, out, sizeof out), CK_OK);
    for (int i = 0; i < 4; i++)
        expect(out[i] == weights[i] * (1.5f + (float)i) + 0.25f, "weights");
    EXPECT(ctx, ck_module_read_global(module, device, "WEIGHTS", 4, out, 8), CK_OK);
    expect(out[0] == 2 && out[1] == 3, "a part of constant memory");
    EXPECT(ctx, ck_module_read_global(module, device, "TABLE", 0, table, sizeof table), CK_OK);
    expect(table[3] == 4.5, "first values");
    ck_buffer_free(x);
    ck_buffer_free(z);
    ck_buffer_free(y);
}

/* The kernel stores to the array that is its argument too: nothing may be assumed of the two. */
static void
test_argument(void)
{
    int32_t values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    ck_array counts;
    EXPECT(ctx, ck_module_get_global(&counts, module, device, "COUNTS"), CK_OK);
    EXPECT(ctx, ck_module_write_global(module, device, "COUNTS", 0, values, sizeof values), CK_OK);
    launch("shift", &counts);
    EXPECT(ctx, ck_module_read_global(module, device, "COUNTS", 0, values, sizeof values), CK_OK);
    for (int i = 0; i < 8; i++)
        expect(values[i] == (i < 7 ? i + 2 : 8), "shifted in place");
}

static void
test_refusals(void)
{
    ck_array array;
    char bytes[64] = {0};
    EXPECT_TEXT(ctx, ck_module_get_global(&array, module, device, "COUNT"), CK_ERROR_NOT_FOUND,
                "there is no array `COUNT`; did you mean `COUNTS`?");
    EXPECT_TEXT(ctx, ck_module_get_global(&array, module, device, "UNUSED"), CK_ERROR_NOT_FOUND,
                "there is no array `UNUSED`");
    EXPECT_TEXT(ctx, ck_module_get_global(&array, module, device, "WEIGHTS"), CK_ERROR_UNSUPPORTED,
                "`WEIGHTS` is in constant memory");
    EXPECT_TEXT(ctx, ck_module_write_global(module, device, "COUNTS", 4, bytes, 32),
                CK_ERROR_ARGUMENT, "a copy of 32 bytes at offset 4 is outside of the 32 bytes of");
    EXPECT_TEXT(ctx, ck_module_read_global(module, device, "COUNTS", SIZE_MAX, bytes, 2),
                CK_ERROR_ARGUMENT, "is outside of the 32 bytes of");
    ck_module *none;
    static const char empty[] = "@kernel\ndef k():\n    pass\n";
    EXPECT(ctx, ck_compile(&none, ctx, empty, sizeof empty - 1, NULL), CK_OK);
    EXPECT_TEXT(ctx, ck_module_get_global(&array, none, device, "A"), CK_ERROR_NOT_FOUND,
                "the module has no arrays that kernels use");
    ck_module_free(none);
    ck_context *other;
    ck_device *foreign;
    EXPECT(ctx, ck_context_new(&other, NULL), CK_OK);
    EXPECT(other, ck_device_open(&foreign, other, "cpu", NULL), CK_OK);
    EXPECT_TEXT(ctx, ck_module_get_global(&array, module, foreign, "COUNTS"), CK_ERROR_ARGUMENT,
                "different contexts");
    ck_device_free(foreign);
    ck_context_free(other);
}

/* Each device has its own memory, and either may be freed first. */
static void
test_devices(const char *name)
{
    ck_device *second;
    ck_array here, there;
    EXPECT(ctx, ck_device_open(&second, ctx, name, NULL), CK_OK);
    EXPECT(ctx, ck_module_get_global(&here, module, device, "COUNTS"), CK_OK);
    EXPECT(ctx, ck_module_get_global(&there, module, second, "COUNTS"), CK_OK);
    expect(here.data != there.data, "two memories");
    int32_t zero = 1;
    EXPECT(ctx, ck_module_read_global(module, second, "COUNTS", 0, &zero, sizeof zero), CK_OK);
    expect(zero == 0, "the second begins anew");
    ck_device_free(second);
}

int
main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "cpu";
    expect(ck_context_new(&ctx, NULL) == CK_OK, "a context");
    const ck_status status = ck_device_open(&device, ctx, name, NULL);
    if (status == CK_ERROR_NO_DEVICE)
        return 77;
    EXPECT(ctx, status, CK_OK);
    EXPECT(ctx, ck_compile(&module, ctx, source, strlen(source), NULL), CK_OK);
    test_descriptions();
    test_values();
    test_argument();
    test_refusals();
    test_devices(name);
    ck_module_free(module);
    ck_device_free(device);
    ck_context_free(ctx);
    return 0;
}
