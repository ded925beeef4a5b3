/* Choosing a signature by the arguments, checking them, and packing them: on the CPU device, with a
 * kernel that records its parameter slots. */
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <ck/run.h>

#include "runtime/image/cpu_abi.h"
#include "runtime/launch/module.h"

/* --- A compiler that makes the recording kernel for any types -----------------------------------
 */

enum { MAX_SLOTS = 32 };
static uint64_t slots[MAX_SLOTS];
static size_t n_recorded = 1; /* slots the running kernel has */
static int n_compiled;

static void
record_block(const uint64_t *params, struct ck_cpu_block *block)
{
    (void)block;
    memcpy(slots, params, sizeof slots[0] * n_recorded);
}

static void
record_thread(const uint64_t *params, struct ck_cpu_block *block, uint32_t x, uint32_t y,
              uint32_t z)
{
    (void)x, (void)y, (void)z;
    record_block(params, block);
}

static const struct ck_host_kernel code = {.run_block = record_block, .run_thread = record_thread};

struct made {
    struct ck_image image;
    ck_kernel_desc desc;
    ck_param_info params[8];
    char signature[256];
};

static void
free_made(struct ck_image *image)
{
    free(image);
}

static ck_status
make_image(struct ck_image **out, ck_module *module, const char *name, const ck_param_info *params,
           int n_params, unsigned assume, bool anew, const char *arch)
{
    struct ck_strbuf signature;
    struct made *made = calloc(1, sizeof *made);
    assert_string_equal(arch, "host");
    n_compiled++;
    (void)assume, (void)anew;
    if (!strcmp(name, "broken")) {
        free(made);
        return ck_fail(module->ctx, CK_ERROR_PROGRAM, "broken.ck:1:1: error");
    }
    ck_strbuf_init(&signature);
    ck_signature_write(&signature, params, n_params);
    snprintf(made->signature, sizeof made->signature, "%s", ck_strbuf_text(&signature));
    ck_strbuf_free(&signature);
    memcpy(made->params, params, sizeof *params * (size_t)n_params);
    made->desc = (ck_kernel_desc){.name = name,
                                  .entry = name,
                                  .signature = made->signature,
                                  .n_params = n_params,
                                  .params = made->params};
    made->image = (struct ck_image){.kind = CK_IMAGE_HOST,
                                    .manifest = {"0", "k.ck", "host", &made->desc, 1},
                                    .kernels = &code,
                                    .free = free_made};
    *out = &made->image;
    return CK_OK;
}

static void
free_compiler(ck_module *module)
{
    (void)module;
}

static const struct ck_compiler_ops compiler = {make_image, NULL, free_compiler};

/* --- The module --------------------------------------------------------------------------------
 */

static const ck_param_info scale_c[] = {{"x", CK_FLOAT32, 1, CK_C_ORDER}, {"a", CK_INT32, 0, 0}};
static const ck_param_info pick_any[] = {{"m", CK_FLOAT32, 2, CK_STRIDED}};
static const ck_param_info pick_c[] = {{"m", CK_FLOAT32, 2, CK_C_ORDER}};
static const ck_param_info pick_f[] = {{"m", CK_FLOAT32, 2, CK_FORTRAN}};
static const ck_param_info pick_8[] = {{"m", CK_FLOAT64, 2, CK_STRIDED}};
static const ck_param_info open_params[] = {{"p", 0, 0, 0}};
static const ck_param_info any_1[] = {{"v", CK_INT32, 1, CK_STRIDED}};

static const ck_kernel_desc descs[] = {
    {"scale", "scale", "(float32[::1], int32)", 2, scale_c, 0, 0, 0, 64},
    {"pick", "pick_any", "(float32[:, :])", 1, pick_any, 0, 0, 0, 0},
    {"pick", "pick_c", "(float32[:, ::1])", 1, pick_c, 0, 0, 0, 0},
    {"pick", "pick_f", "(float32[::1, :])", 1, pick_f, 0, 0, 0, 0},
    {"pick", "pick_8", "(float64[:, :])", 1, pick_8, 0, 0, 0, 0},
    {"open", "", "", 1, open_params, 1, 0, 0, 0},
    {"broken", "broken", "(int32[:])", 1, any_1, 0, 0, 0, 0},
    {"any", "any", "(int32[:])", 1, any_1, 0, 0, 0, 0},
};
enum { N_DESCS = sizeof descs / sizeof descs[0] };

struct rig {
    ck_context *ctx;
    ck_module *module;
    ck_device *device;
};

static int
set_up(void **state)
{
    struct rig *rig = calloc(1, sizeof *rig);
    ck_context_new(&rig->ctx, NULL);
    assert_int_equal(ck_device_open(&rig->device, rig->ctx, "cpu:1", NULL), CK_OK);
    rig->module = ck_module_alloc(rig->ctx);
    rig->module->compiler = &compiler;
    rig->module->kernels = CK_NEW_ARRAY(&rig->module->arena, ck_kernel_desc, N_DESCS);
    memcpy(rig->module->kernels, descs, sizeof descs);
    rig->module->n_kernels = N_DESCS;
    n_compiled = 0;
    *state = rig;
    return 0;
}

static int
tear_down(void **state)
{
    struct rig *rig = *state;
    ck_device_free(rig->device); /* before its kernels' module: both orders are right */
    ck_module_free(rig->module);
    ck_context_free(rig->ctx);
    free(rig);
    return 0;
}

static ck_kernel *
get(struct rig *rig, const char *name)
{
    ck_kernel *kernel;
    assert_int_equal(ck_kernel_get(&kernel, rig->module, rig->device, name), CK_OK);
    return kernel;
}

static ck_status
run(ck_kernel *kernel, const ck_arg *args, size_t n)
{
    /* A vector of any strides, a matrix with a layout, and scale's parameters take three. */
    n_recorded = args[0].scalar || (args[0].value.array && !args[0].value.array->ndim) ? 1 : 3;
    return ck_launch(kernel, &(ck_shape){.grid = {1, 0, 0}, .block = {1, 0, 0}}, args, n, NULL);
}

static void
refused(struct rig *rig, const char *name, const ck_arg *args, size_t n, const char *text)
{
    assert_int_equal(run(get(rig, name), args, n), CK_ERROR_ARGUMENT);
    assert_string_equal(ck_context_error(rig->ctx), text);
}

static _Alignas(64) char memory[4096];

static ck_array
vector(ck_dtype dtype, int64_t n, int64_t stride)
{
    return (ck_array){
        .data = (uintptr_t)memory, .dtype = dtype, .ndim = 1, .shape = {n}, .strides = {stride}};
}

static ck_array
matrix(ck_dtype dtype, int64_t n, int64_t m, int64_t stride_n, int64_t stride_m)
{
    return (ck_array){.data = (uintptr_t)memory,
                      .dtype = dtype,
                      .ndim = 2,
                      .shape = {n, m},
                      .strides = {stride_n, stride_m}};
}

static ck_arg
array_arg(const ck_array *array)
{
    return (ck_arg){.value.array = array};
}

/* --- Tests -------------------------------------------------------------------------------------
 */

static void
test_wrong_arguments(void **state)
{
    struct rig *rig = *state;
    ck_array x = vector(CK_FLOAT32, 8, 4), y = vector(CK_FLOAT64, 8, 8),
             gap = vector(CK_FLOAT32, 4, 8);
    ck_array two = matrix(CK_FLOAT32, 2, 2, 8, 4);
    ck_arg a = {.scalar = CK_INT32, .value.i = 1};
    ck_arg args[3] = {array_arg(&x), a, a};

    assert_int_equal(run(get(rig, "scale"), args, 2), CK_OK);
    refused(rig, "scale", args, 1, "`scale(float32[::1], int32)` takes 2 arguments: 1 was given");
    refused(rig, "scale", args, 3, "`scale(float32[::1], int32)` takes 2 arguments: 3 were given");
    args[0] = array_arg(&y);
    refused(rig, "scale", args, 2, "argument 1 `x`: float64[::1] was given for float32[::1]");
    args[0] = array_arg(&two);
    refused(rig, "scale", args, 2, "argument 1 `x`: float32[:, ::1] was given for float32[::1]");
    args[0] = array_arg(&gap);
    refused(rig, "scale", args, 2,
            "argument 1 `x`: float32[:] was given for float32[::1] (its strides (8,) bytes are not "
            "C-contiguous)");
    args[0] = a;
    refused(rig, "scale", args, 2, "argument 1 `x`: int32 was given for float32[::1]");
    args[0] = array_arg(&x);
    args[1].scalar = CK_INT64;
    refused(rig, "scale", args, 2, "argument 2 `a`: int64 was given for int32");
    args[1] = array_arg(&x);
    refused(rig, "scale", args, 2, "argument 2 `a`: float32[::1] was given for int32");
    x.ndim = 0; /* is not a number, nor an array with dimensions */
    args[1] = a;
    refused(rig, "scale", args, 2, "argument 1 `x`: float32[()] was given for float32[::1]");
}

static void
test_wrong_values(void **state)
{
    struct rig *rig = *state;
    ck_array x = vector(CK_FLOAT32, 8, 4);
    ck_arg args[2] = {array_arg(&x), {.scalar = CK_INT32, .value.i = INT64_C(1) << 31}};
    refused(rig, "scale", args, 2, "argument 2 `a`: 2147483648 is out of the range of int32");
    args[1].value.i = INT32_MIN;
    assert_int_equal(run(get(rig, "scale"), args, 2), CK_OK);
    args[1].scalar = CK_COMPLEX64;
    refused(rig, "scale", args, 2, "argument 2 `a`: complex64 was given for int32");
    args[1].scalar = (ck_dtype)77;
    refused(rig, "scale", args, 2, "argument 2 `a`: a scalar of no known type (77) was given");
    args[1] = (ck_arg){.scalar = CK_INT32};
    x.data++;
    assert_int_equal(run(get(rig, "scale"), args, 2), CK_ERROR_ARGUMENT);
    assert_non_null(strstr(ck_context_error(rig->ctx), "is not aligned to its elements' 4 bytes"));
    x.data = 0;
    refused(rig, "scale", args, 2,
            "argument 1 `x`: the array has elements and no data (its address is 0)");
    x.shape[0] = 0;
    assert_int_equal(run(get(rig, "scale"), args, 2), CK_OK);
    x.shape[0] = -1;
    refused(rig, "scale", args, 2, "argument 1 `x`: dimension 0 has a negative size (-1)");
    x.shape[0] = INT64_MAX / 2;
    refused(rig, "scale", args, 2, "argument 1 `x`: the array is larger than the address space");
    x.ndim = 2, x.shape[0] = 0, x.shape[1] = INT64_MAX / 2; /* one with no elements too */
    refused(rig, "scale", args, 2, "argument 1 `x`: the array is larger than the address space");
    x.ndim = 9;
    refused(rig, "scale", args, 2,
            "argument 1 `x`: an array of 9 dimensions was given: expected 0 to 8");
    args[0] = array_arg(NULL);
    refused(rig, "scale", args, 2, "argument 1 `x`: no array was given (a null pointer)");
}

static void
test_strides(void **state)
{
    struct rig *rig = *state;
    ck_array v = vector(CK_INT32, 5, 6);
    ck_arg arg = array_arg(&v);
    refused(rig, "any", &arg, 1,
            "argument 1 `v`: its stride of 6 bytes in dimension 0 is not a multiple of its "
            "elements' 4 bytes");
    v.strides[0] = -8;
    v.data += 64;
    assert_int_equal(run(get(rig, "any"), &arg, 1), CK_OK);
    assert_int_equal(slots[0], v.data);
    assert_int_equal(slots[1], 5);
    assert_int_equal(slots[2], (uint64_t)-2);
    v.shape[0] = 1; /* the stride of a single element does not matter */
    v.strides[0] = 3;
    assert_int_equal(run(get(rig, "any"), &arg, 1), CK_OK);
}

static void
chosen(struct rig *rig, const char *name, const ck_array *array, const char *signature)
{
    const ck_kernel_desc *desc = NULL;
    ck_arg arg = array_arg(array);
    assert_int_equal(ck_kernel_prepare(get(rig, name), &arg, 1, &desc), CK_OK);
    assert_string_equal(desc->signature, signature);
}

static void
test_overloads(void **state)
{
    struct rig *rig = *state;
    ck_array c = matrix(CK_FLOAT32, 4, 3, 12, 4), f = matrix(CK_FLOAT32, 4, 3, 4, 16);
    ck_array any = matrix(CK_FLOAT32, 4, 3, 24, 4), wide = matrix(CK_FLOAT64, 4, 3, 24, 8);
    ck_array one = matrix(CK_FLOAT32, 1, 3, 999, 4), integers = matrix(CK_INT32, 4, 3, 12, 4);
    ck_kernel_usage usage;

    assert_int_equal(ck_kernel_get_usage(&usage, get(rig, "pick")), CK_ERROR_ARGUMENT);
    assert_non_null(strstr(ck_context_error(rig->ctx), "several signatures"));
    chosen(rig, "pick", &c, "(float32[:, ::1])");
    chosen(rig, "pick", &f, "(float32[::1, :])");
    chosen(rig, "pick", &any, "(float32[:, :])");
    chosen(rig, "pick", &wide, "(float64[:, :])");
    chosen(rig, "pick", &one, "(float32[:, ::1])"); /* contiguous in both orders */
    assert_int_equal(n_compiled, 4);
    chosen(rig, "pick", &c, "(float32[:, ::1])");
    assert_int_equal(n_compiled, 4);
    assert_int_equal(ck_kernel_get_usage(&usage, get(rig, "pick")), CK_OK);
    ck_arg arg = array_arg(&integers);
    refused(rig, "pick", &arg, 1,
            "no signature of `pick` takes (int32[:, ::1]); it has (float32[:, :]), "
            "(float32[:, ::1]), (float32[::1, :]), (float64[:, :])");
}

static void
test_generic(void **state)
{
    struct rig *rig = *state;
    ck_array v = vector(CK_INT16, 4, 2), gap = vector(CK_INT16, 4, 4);
    ck_array f = matrix(CK_FLOAT64, 2, 3, 8, 16);
    chosen(rig, "open", &v, "(int16[::1])");
    chosen(rig, "open", &gap, "(int16[:])");
    chosen(rig, "open", &f, "(float64[::1, :])");
    chosen(rig, "open", &v, "(int16[::1])");
    assert_int_equal(n_compiled, 3);
    ck_arg two[2] = {array_arg(&v), array_arg(&v)};
    refused(rig, "open", two, 2, "`open` takes 1 argument: 2 were given");
}

static uint64_t
packed(struct rig *rig, ck_arg arg)
{
    assert_int_equal(run(get(rig, "open"), &arg, 1), CK_OK);
    return slots[0];
}

static void
test_packing(void **state)
{
    struct rig *rig = *state;
    ck_array f = matrix(CK_FLOAT64, 2, 3, 8, 16);
    packed(rig, array_arg(&f));
    assert_int_equal(slots[1], 2);
    assert_int_equal(slots[2], 3);
    ck_array point = {.data = (uintptr_t)memory, .dtype = CK_FLOAT64};
    assert_int_equal(packed(rig, array_arg(&point)), (uintptr_t)memory);
    assert_int_equal(packed(rig, (ck_arg){.scalar = CK_BOOL, .value.i = 5}), 1);
    assert_int_equal((uint8_t)packed(rig, (ck_arg){.scalar = CK_INT8, .value.i = -1}), 255);
    assert_int_equal(packed(rig, (ck_arg){.scalar = CK_UINT64, .value.u = UINT64_MAX}), UINT64_MAX);
    assert_int_equal(packed(rig, (ck_arg){.scalar = CK_FLOAT32, .value.f = 1}), 0x3f800000);
    assert_int_equal(packed(rig, (ck_arg){.scalar = CK_FLOAT16, .value.f = -2}), 0xc000);
    assert_int_equal(packed(rig, (ck_arg){.scalar = CK_BFLOAT16, .value.f = 1}), 0x3f80);
    assert_int_equal(packed(rig, (ck_arg){.scalar = CK_FLOAT64, .value.f = 1}),
                     UINT64_C(0x3ff0000000000000));
}

/* A launch that is like the last is not looked at again, where it is like it. */
static void
test_like_the_last(void **state)
{
    struct rig *rig = *state;
    ck_kernel *kernel = get(rig, "scale");
    ck_array x = vector(CK_FLOAT32, 8, 4);
    ck_arg args[2] = {array_arg(&x), {.scalar = CK_INT32, .value.i = 1}};
    const ck_shape empty = {0}, one = {.grid = {1, 0, 0}, .block = {1, 0, 0}};
    assert_int_equal(ck_launch(kernel, &empty, args, 2, NULL), CK_ERROR_ARGUMENT);
    for (int i = 0; i < 3; i++) {
        args[1].value.i = i - 1;
        x.data = (uintptr_t)memory + (i == 2 ? 32 : 0);
        assert_int_equal(run(kernel, args, 2), CK_OK);
        assert_int_equal(slots[0], x.data);
        assert_int_equal((int32_t)slots[2], i - 1);
    }
    assert_int_equal(ck_launch(kernel, &empty, args, 2, NULL), CK_ERROR_ARGUMENT);
    assert_int_equal(ck_launch(kernel, &one, args, 2, NULL), CK_OK);

    args[1].value.i = INT64_C(1) << 31;
    refused(rig, "scale", args, 2, "argument 2 `a`: 2147483648 is out of the range of int32");
    args[1].value.i = 1;
    refused(rig, "scale", args, 1, "`scale(float32[::1], int32)` takes 2 arguments: 1 was given");
    args[0].value.array = NULL;
    refused(rig, "scale", args, 2, "argument 1 `x`: no array was given (a null pointer)");
    args[0] = array_arg(&x);
    x.data = 0;
    refused(rig, "scale", args, 2,
            "argument 1 `x`: the array has elements and no data (its address is 0)");
    x.data = (uintptr_t)memory + 1;
    assert_int_equal(run(kernel, args, 2), CK_ERROR_ARGUMENT);
    x.data = (uintptr_t)memory + 4;
    assert_int_equal(run(kernel, args, 2), CK_OK);
    assert_int_equal(slots[0], x.data);
    x.strides[0] = 8;
    refused(rig, "scale", args, 2,
            "argument 1 `x`: float32[:] was given for float32[::1] (its strides (8,) bytes are not "
            "C-contiguous)");
    x.strides[0] = 4;
    x.shape[0] = 5;
    assert_int_equal(run(kernel, args, 2), CK_OK);
    assert_int_equal(slots[1], 5);
    x.dtype = CK_INT32;
    refused(rig, "scale", args, 2, "argument 1 `x`: int32[::1] was given for float32[::1]");
}

static void
test_names(void **state)
{
    struct rig *rig = *state;
    ck_kernel *kernel = NULL;
    assert_int_equal(ck_kernel_get(&kernel, rig->module, rig->device, "scael"), CK_ERROR_NOT_FOUND);
    assert_string_equal(ck_context_error(rig->ctx),
                        "there is no kernel `scael`; did you mean `scale`?");
    assert_int_equal(ck_kernel_get(&kernel, rig->module, rig->device, "zzzzzz"),
                     CK_ERROR_NOT_FOUND);
    assert_string_equal(ck_context_error(rig->ctx),
                        "there is no kernel `zzzzzz`; the first is `scale`");
    assert_null(kernel);
    assert_ptr_equal(get(rig, "scale"), get(rig, "scale"));
}

static void
test_failed_compilation(void **state)
{
    struct rig *rig = *state;
    ck_array v = vector(CK_INT32, 4, 4);
    ck_arg arg = array_arg(&v);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(run(get(rig, "broken"), &arg, 1), CK_ERROR_PROGRAM);
        assert_string_equal(ck_context_error(rig->ctx), "broken.ck:1:1: error");
    }
}

static void
test_launch_bounds(void **state)
{
    struct rig *rig = *state;
    ck_array x = vector(CK_FLOAT32, 8, 4);
    ck_arg args[2] = {array_arg(&x), {.scalar = CK_INT32}};
    /* The desc of the image decides; this compiler's has no bounds. */
    ck_shape shape = {.grid = {1, 1, 1}, .block = {65, 1, 1}};
    assert_int_equal(ck_launch(get(rig, "scale"), &shape, args, 2, NULL), CK_OK);
    assert_int_equal(ck_launch(get(rig, "scale"), &shape, args, 2, memory), CK_ERROR_ARGUMENT);
    assert_string_equal(ck_context_error(rig->ctx), "the CPU device has no streams");
}

/* Of arrays of int32 in a buffer of 400 bytes, which elements may be where. */
static void
test_array_and_buffer(void **state)
{
    struct rig *rig = *state;
    static const struct {
        int64_t offset, n, stride;
        const char *bytes; /* NULL: right */
    } rows[] = {
        {0, 100, 4, NULL},
        {396, 1, 4, NULL},
        {396, 100, -4, NULL},
        {0, 0, 4, NULL},
        {0, 1000, 0, NULL},
        {400, 0, 4, NULL},
        {4, 50, 8, NULL},
        {0, 1, INT64_MAX - 3, NULL},
        {0, 101, 4, "0 to 404"},
        {4, 100, 4, "4 to 404"},
        {396, 101, -4, "-4 to 400"},
        {-4, 2, 4, "-4 to 4"},
        {-4, 200, 4, "-4 to 796"},
        {8, 51, 8, "8 to 412"},
        {0, 2, -4, "-4 to 4"},
        {400, 2, -4, "396 to 404"},
        {0, 2, 1 << 30, "0 to 1073741828"},
    };
    ck_buffer *buffer;
    assert_int_equal(ck_buffer_new(&buffer, rig->device, 400), CK_OK);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[256];
        ck_array v = vector(CK_INT32, rows[i].n, rows[i].stride);
        ck_arg arg = array_arg(&v);
        v.data = ck_buffer_address(buffer) + (uint64_t)rows[i].offset;
        if (!rows[i].bytes) {
            if (run(get(rig, "any"), &arg, 1))
                fail_msg("row %zu: %s", i, ck_context_error(rig->ctx));
            continue;
        }
        snprintf(text, sizeof text,
                 "argument 1 `v`: its elements take bytes %s of a buffer of 400 bytes",
                 rows[i].bytes);
        refused(rig, "any", &arg, 1, text);
    }
    /* Where the arithmetic overflows, in a buffer and elsewhere. */
    for (int foreign = 0; foreign < 2; foreign++) {
        static const int64_t strides[] = {INT64_MAX - 3, INT64_MIN, -(INT64_C(1) << 60)};
        for (int i = 0; i < 3; i++) {
            ck_array v = vector(CK_INT32, i == 2 ? 9 : 3, strides[i]);
            ck_arg arg = array_arg(&v);
            v.data = foreign ? v.data : ck_buffer_address(buffer);
            refused(rig, "any", &arg, 1,
                    "argument 1 `v`: its elements are not within the address space");
        }
    }
    ck_buffer_free(buffer);
}

/* What was found of the last launch's arrays holds while the buffers are the same. */
static void
test_buffers_change(void **state)
{
    struct rig *rig = *state;
    enum { N = 50, BYTES = 100000 }; /* the allocator returns the same address again */
    ck_buffer *buffers[N], *empty;
    ck_array v = vector(CK_INT32, BYTES / 4, 4);
    ck_arg arg = array_arg(&v);
    assert_int_equal(ck_buffer_new(&empty, rig->device, 0), CK_OK);
    for (int i = 0; i < N; i++)
        assert_int_equal(ck_buffer_new(&buffers[i], rig->device, BYTES - 4 * !(i % 2)), CK_OK);
    for (int i = 0; i < N; i++) {
        v.data = ck_buffer_address(buffers[i]);
        for (int again = 0; again < 2; again++)
            assert_int_equal(run(get(rig, "any"), &arg, 1), i % 2 ? CK_OK : CK_ERROR_ARGUMENT);
    }
    /* The array is as it was, and a smaller buffer is where its buffer was. */
    int reused = 0;
    for (int i = 0; i < 100; i++) {
        v.data = ck_buffer_address(buffers[1]);
        assert_int_equal(run(get(rig, "any"), &arg, 1), CK_OK);
        ck_buffer_free(buffers[1]);
        assert_int_equal(ck_buffer_new(&buffers[1], rig->device, BYTES - 4), CK_OK);
        if (ck_buffer_address(buffers[1]) == v.data) {
            reused++;
            assert_int_equal(run(get(rig, "any"), &arg, 1), CK_ERROR_ARGUMENT);
        }
        ck_buffer_free(buffers[1]);
        assert_int_equal(ck_buffer_new(&buffers[1], rig->device, BYTES), CK_OK);
    }
#ifndef __SANITIZE_ADDRESS__ /* never returns an address again */
    assert_true(reused > 0);
#endif
    for (int i = 0; i < N; i++)
        ck_buffer_free(buffers[(i * 7 + 3) % N]);
    ck_buffer_free(empty);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_wrong_arguments),
        TEST(test_wrong_values),
        TEST(test_strides),
        TEST(test_overloads),
        TEST(test_generic),
        TEST(test_packing),
        TEST(test_like_the_last),
        TEST(test_names),
        TEST(test_failed_compilation),
        TEST(test_launch_bounds),
        TEST(test_array_and_buffer),
        TEST(test_buffers_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
