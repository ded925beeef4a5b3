/* The CUDA device over the fake driver (tests/mock/fake_cuda.c): every error path, what is called,
 * and that the current context is left as it was. CK_FAKE_CUDA names the fake's file. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <ck/run.h>

#include "base/strbuf.h"
#include "runtime/image/manifest.h"
#include "runtime/launch/device.h"

const bool ck_has_compiler = true; /* as in libck: "auto" may open the CPU device */

static char log_path[] = "/tmp/ck-test-mock-XXXXXX";

/* --- The fake ----------------------------------------------------------------------------------
 */

/* Sets FAKE_CUDA_<name>. */
static void
set(const char *name, const char *value)
{
    char variable[64];
    snprintf(variable, sizeof variable, "FAKE_CUDA_%s", name);
    setenv(variable, value, 1);
}

static int
reset(void **state)
{
    static const char *const names[] = {"VERSION",   "DEVICES", "FAIL",     "ATTR",
                                        "FUNC_ATTR", "BLOCKS",  "ERROR_LOG"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        set(names[i], "");
    set("LOG", log_path);
    return truncate(log_path, 0);
}

/* Lines of the log that begin with `prefix`; the last one is copied. */
static int
logged(const char *prefix, char *last, size_t size)
{
    char line[512];
    int n = 0;
    FILE *file = fopen(log_path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, prefix, strlen(prefix)) != 0)
            continue;
        line[strcspn(line, "\n")] = '\0';
        if (last)
            snprintf(last, size, "%s", line);
        n++;
    }
    fclose(file);
    return n;
}

static int
depth(void)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    int (*get_depth)(void) = NULL;
    void *address = library ? dlsym(library, "fake_cuda_depth") : NULL;
    memcpy(&get_depth, &address, sizeof address);
    assert_non_null(get_depth);
    return get_depth();
}

/* --- A module ----------------------------------------------------------------------------------
 */

static const ck_param_info params[] = {{"M", CK_INT32, 2, CK_C_ORDER}};
static const ck_param_info any_params[] = {{.name = "x"}};
static ck_kernel_desc kernels[] = {
    {"plain", "plain", "(int32[:, ::1])", 1, params, 0, 0, 0, 0},
    {"rows", "rows", "(int32[:, ::1])", 1, params, 0, 1, 0, 0},
    {"missing", "missing_entry", "(int32[:, ::1])", 1, params, 0, 0, 0, 0},
    {"any", "", "", 1, any_params, .generic = 1},
};

static ck_module *
load_module(ck_context *ctx)
{
    const struct ck_manifest manifest = {"0", "k.ck", "sm_75", kernels,
                                         sizeof kernels / sizeof kernels[0]};
    struct ck_strbuf ptx;
    ck_module *module = NULL;
    ck_strbuf_init(&ptx);
    ck_strbuf_puts(&ptx, ".version 6.3\n.target sm_75\n");
    ck_manifest_write_ptx(&ptx, &manifest);
    ck_strbuf_puts(&ptx, ".visible .entry plain() {}\n.visible .entry rows() {}\n");
    if (ck_module_load(&module, ctx, ptx.text, ptx.length))
        fail_msg("%s", ck_context_error(ctx));
    ck_strbuf_free(&ptx);
    return module;
}

struct rig {
    ck_context *ctx;
    ck_device *device;
    ck_module *module;
    ck_buffer *buffer;
    ck_array array;
    ck_arg arg;
};

static void
rig_open(struct rig *rig)
{
    ck_context_new(&rig->ctx, NULL);
    if (ck_device_open(&rig->device, rig->ctx, "cuda", NULL))
        fail_msg("%s", ck_context_error(rig->ctx));
    assert_int_equal(ck_buffer_new(&rig->buffer, rig->device, 64), CK_OK);
    rig->module = load_module(rig->ctx);
    rig->array = (ck_array){.data = ck_buffer_address(rig->buffer),
                            .dtype = CK_INT32,
                            .ndim = 2,
                            .shape = {4, 4},
                            .strides = {16, 4}};
    rig->arg = (ck_arg){.value.array = &rig->array};
}

static void
rig_close(struct rig *rig)
{
    ck_module_free(rig->module);
    ck_buffer_free(rig->buffer);
    ck_device_free(rig->device);
    ck_context_free(rig->ctx);
    assert_int_equal(depth(), 0);
    assert_int_equal(logged("cuCtxPushCurrent", NULL, 0), logged("cuCtxPopCurrent", NULL, 0));
    assert_int_equal(logged("cuDevicePrimaryCtxRetain", NULL, 0),
                     logged("cuDevicePrimaryCtxRelease", NULL, 0));
    assert_int_equal(logged("cuMemAlloc", NULL, 0), logged("cuMemFree", NULL, 0));
}

static ck_status
launch(struct rig *rig, const char *name, ck_shape shape)
{
    ck_kernel *kernel;
    assert_int_equal(ck_kernel_get(&kernel, rig->module, rig->device, name), CK_OK);
    return ck_launch(kernel, &shape, &rig->arg, 1, NULL);
}

#define SHAPE(g, b)                                                                                \
    (ck_shape)                                                                                     \
    {                                                                                              \
        .grid = {g, 1, 1}, .block = { b, 1, 1 }                                                    \
    }

static void
expect(ck_context *ctx, const char *part)
{
    if (!strstr(ck_context_error(ctx), part))
        fail_msg("\"%s\" is not in \"%s\"", part, ck_context_error(ctx));
}

/* --- Opening -----------------------------------------------------------------------------------
 */

static void
cannot_open(const char *name, ck_status want, const char *part)
{
    ck_context *ctx;
    ck_device *device = NULL;
    ck_context_new(&ctx, NULL);
    assert_int_equal(ck_device_open(&device, ctx, name, NULL), want);
    assert_null(device);
    expect(ctx, part);
    ck_context_free(ctx);
}

static void
test_open_fails(void **state)
{
    (void)state;
    set("VERSION", "10020");
    cannot_open("cuda", CK_ERROR_NO_DEVICE, "too old: it is for CUDA 10.2, and 11.0");
    set("VERSION", "11000");
    set("FAIL", "cuInit=999");
    cannot_open("cuda", CK_ERROR_NO_DEVICE, "CUDA_ERROR_UNKNOWN: unknown error (999) from cuInit");
    set("FAIL", "cuInit=100");
    cannot_open("cuda", CK_ERROR_NO_DEVICE, "the driver sees no GPU");
    set("FAIL", "cuInit=34");
    cannot_open("cuda", CK_ERROR_NO_DEVICE, "stub");
    set("FAIL", "cuInit=4321");
    cannot_open("cuda", CK_ERROR_NO_DEVICE, "(4321) from cuInit");
    set("FAIL", "cuDriverGetVersion=1");
    cannot_open("cuda", CK_ERROR_NO_DEVICE, "does not report its version");
    set("FAIL", "");
    set("DEVICES", "0");
    cannot_open("cuda", CK_ERROR_NO_DEVICE, "there is no CUDA device");
    set("DEVICES", "2");
    cannot_open("cuda:2", CK_ERROR_NO_DEVICE, "there is no CUDA device 2: there are 2");
    cannot_open("cuda:x", CK_ERROR_ARGUMENT, "invalid device \"cuda:x\": expected `cuda:N`");
    set("FAIL", "cuDeviceGetAttribute=1");
    cannot_open("cuda", CK_ERROR_DRIVER, "from cuDeviceGetAttribute");
    set("FAIL", "cuDeviceGetName=1");
    cannot_open("cuda", CK_ERROR_DRIVER, "from cuDeviceGetName");
}

/* Asking what a device is takes no context; the first use does. */
static void
test_late_context(void **state)
{
    (void)state;
    ck_context *ctx;
    ck_device *device;
    ck_buffer *buffer = NULL;
    set("FAIL", "cuDevicePrimaryCtxRetain=2");
    ck_context_new(&ctx, NULL);
    assert_int_equal(ck_device_open(&device, ctx, "cuda", NULL), CK_OK);
    assert_true(ck_device_get_info(device)->capability > 0);
    assert_int_equal(ck_buffer_new(&buffer, device, 64), CK_ERROR_MEMORY);
    assert_null(buffer);
    expect(ctx, "CUDA_ERROR_OUT_OF_MEMORY");
    set("FAIL", "");
    assert_int_equal(ck_buffer_new(&buffer, device, 64), CK_OK);
    ck_buffer_free(buffer);
    ck_device_free(device);
    ck_context_free(ctx);
}

static void
test_auto(void **state)
{
    (void)state;
    ck_context *ctx;
    ck_device *device;
    ck_context_new(&ctx, NULL);
    assert_int_equal(ck_device_open(&device, ctx, "auto", NULL), CK_OK);
    assert_string_equal(ck_device_get_info(device)->kind, "cuda");
    assert_string_equal(ck_device_get_info(device)->name, "Fake GPU");
    assert_int_equal(ck_device_get_info(device)->capability, 90);
    assert_int_equal(ck_device_get_info(device)->max_shared_bytes, 232448);
    ck_device_free(device);
    set("DEVICES", "0");
    assert_int_equal(ck_device_open(&device, ctx, "auto", NULL), CK_OK);
    assert_string_equal(ck_device_get_info(device)->kind, "cpu");
    ck_device_free(device);
    ck_context_free(ctx);
}

static void
test_borrowed_context(void **state)
{
    (void)state;
    ck_context *ctx;
    ck_device *device = NULL;
    char theirs[64];
    ck_device_options options = {.size = sizeof options, .cuda_context = theirs};
    ck_context_new(&ctx, NULL);
    assert_int_equal(ck_device_open(&device, ctx, "cuda", &options), CK_OK);
    assert_int_equal(ck_device_synchronize(device), CK_OK);
    ck_device_free(device);
    assert_int_equal(logged("cuDevicePrimaryCtxRetain", NULL, 0), 0);
    assert_int_equal(depth(), 0);
    set("DEVICES", "2");
    device = NULL;
    assert_int_equal(ck_device_open(&device, ctx, "cuda:1", &options), CK_ERROR_ARGUMENT);
    expect(ctx, "another device than \"cuda:1\"");
    assert_int_equal(ck_device_open(&device, ctx, "cpu", &options), CK_ERROR_ARGUMENT);
    assert_null(device);
    ck_context_free(ctx);
}

/* Runs this program with `library` as libcuda.so.1, to open "cuda" and print the error. */
static void
open_with(const char *bytes, size_t n, char *text, size_t size)
{
    char folder[] = "/tmp/ck-test-mock-lib-XXXXXX", path[128], command[256];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/libcuda.so.1", folder);
    FILE *file = fopen(path, "wb");
    fwrite(bytes, 1, n, file);
    fclose(file);
    char self[1024];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    assert_true(length > 0);
    self[length] = '\0';
    setenv("CK_TEST_SELF", self, 1);
    snprintf(command, sizeof command,
             "LD_LIBRARY_PATH=%s:$LD_LIBRARY_PATH \"$CK_TEST_SELF\" --open", folder);
    FILE *child = popen(command, "r");
    size_t got = fread(text, 1, size - 1, child);
    text[got] = '\0';
    assert_int_equal(WEXITSTATUS(pclose(child)), -CK_ERROR_NO_DEVICE);
    unlink(path);
    rmdir(folder);
}

static int
open_and_print(void)
{
    ck_context *ctx;
    ck_device *device = NULL;
    ck_context_new(&ctx, NULL);
    ck_status status = ck_device_open(&device, ctx, "cuda", NULL);
    puts(ck_context_error(ctx));
    ck_device_free(device);
    ck_context_free(ctx);
    return -status;
}

static void
test_no_driver(void **state)
{
    (void)state;
    char text[1024];
    open_with("", 0, text, sizeof text); /* what cannot be loaded is as good as none */
    assert_non_null(strstr(text, "there is no CUDA driver on this machine: libcuda.so.1 cannot"));
}

/* The fake with one name changed in its symbol table. */
static void
test_missing_symbol(void **state)
{
    (void)state;
    static char bytes[1 << 20];
    char text[1024];
    FILE *file = fopen(getenv("CK_FAKE_CUDA"), "rb");
    assert_non_null(file);
    size_t n = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_true(n < sizeof bytes);
    static const char name[] = "cuLaunchCooperativeKernel";
    for (char *at = bytes; (at = memmem(at, n - (size_t)(at - bytes), name, sizeof name)); at++)
        *at = 'x';
    open_with(bytes, n, text, sizeof text);
    assert_non_null(strstr(text, "has no function cuLaunchCooperativeKernel"));
}

/* --- Launching ---------------------------------------------------------------------------------
 */

static void
test_launches(void **state)
{
    (void)state;
    struct rig rig;
    char line[512];
    rig_open(&rig);
    assert_int_equal(launch(&rig, "plain", SHAPE(1000000, 128)), CK_OK);
    assert_int_equal(logged("cuLaunchKernel", line, sizeof line), 1);
    assert_string_equal(
        line, "cuLaunchKernel plain grid=(1000000,1,1) block=(128,1,1) shared=0 stream=0");
    assert_int_equal(launch(&rig, "rows", SHAPE(264, 32)), CK_OK);
    assert_int_equal(launch(&rig, "rows", SHAPE(1, 32)), CK_OK);
    assert_int_equal(logged("cuLaunchKernel", NULL, 0), 1);
    assert_int_equal(logged("cuLaunchCooperativeKernel", line, sizeof line), 2);
    assert_string_equal(
        line, "cuLaunchCooperativeKernel rows grid=(1,1,1) block=(32,1,1) shared=0 stream=0");
    assert_int_equal(logged("cuModuleLoadDataEx", NULL, 0), 1);
    assert_int_equal(logged("cuOccupancy", NULL, 0), 1); /* kept for the second launch */
    assert_int_equal(ck_device_synchronize(rig.device), CK_OK);
    rig_close(&rig);
    assert_int_equal(logged("cuModuleUnload", NULL, 0), 1);
}

static void
test_device_freed_first(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig);
    assert_int_equal(launch(&rig, "rows", SHAPE(1, 32)), CK_OK);
    ck_device_free(rig.device);
    rig.device = NULL;
    assert_int_equal(logged("cuModuleUnload", NULL, 0), 1);
    rig_close(&rig);
}

static void
test_too_large(void **state)
{
    (void)state;
    struct rig rig;
    ck_kernel *kernel;
    uint32_t blocks;
    set("FUNC_ATTR", "4=128");
    set("BLOCKS", "1");
    rig_open(&rig);
    assert_int_equal(launch(&rig, "rows", SHAPE(5000, 512)), CK_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
    assert_string_equal(
        ck_context_error(rig.ctx),
        "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE: `rows` synchronises its grid, so all its blocks "
        "must be resident at once; the grid (5000, 1, 1) has 5000 blocks of 512 threads, and Fake "
        "GPU holds 132: 1 on each of 132 multiprocessors, limited by registers (128 a thread, "
        "65536 a multiprocessor); a grid of (132, 1, 1) fits");
    assert_int_equal(logged("cuLaunch", NULL, 0), 0);
    assert_int_equal(ck_kernel_get(&kernel, rig.module, rig.device, "rows"), CK_OK);
    assert_int_equal(ck_kernel_max_cooperative_blocks(&blocks, kernel, (ck_dim3){512, 0, 0}, 0),
                     CK_OK);
    assert_int_equal(blocks, 132);
    set("BLOCKS", "0");
    assert_int_equal(launch(&rig, "rows", SHAPE(1, 1024)), CK_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
    expect(rig.ctx, "not even one block");
    set("BLOCKS", "2");
    ck_shape shape = {.grid = {300, 1, 1}, .block = {64, 1, 1}, .shared_bytes = 100000};
    assert_int_equal(launch(&rig, "rows", shape), CK_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
    expect(rig.ctx, "limited by shared memory (100000 bytes a block");
    /* The driver's own verdict, when it differs from its occupancy. */
    set("FAIL", "cuLaunchCooperativeKernel=720");
    assert_int_equal(launch(&rig, "rows", SHAPE(4, 64)), CK_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
    expect(rig.ctx, "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE: too many blocks");
    rig_close(&rig);
}

static void
test_too_many_small_blocks(void **state)
{
    (void)state;
    struct rig rig;
    set("BLOCKS", "32");
    rig_open(&rig);
    ck_shape shape = {.grid = {100, 100, 1}, .block = {1, 1, 1}};
    assert_int_equal(launch(&rig, "rows", shape), CK_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
    expect(rig.ctx, "limited by blocks a multiprocessor (32); a grid of (100, 42, 1) fits");
    set("BLOCKS", "2");
    assert_int_equal(launch(&rig, "rows", SHAPE(265, 1024)), CK_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
    expect(rig.ctx, "limited by threads (2048 a multiprocessor)");
    rig_close(&rig);
}

static void
test_no_cooperative_launch(void **state)
{
    (void)state;
    struct rig rig;
    set("ATTR", "95=0");
    rig_open(&rig);
    assert_int_equal(launch(&rig, "rows", SHAPE(1, 32)), CK_ERROR_UNSUPPORTED);
    expect(rig.ctx, "device Fake GPU cannot launch cooperatively");
    assert_int_equal(launch(&rig, "plain", SHAPE(1, 32)), CK_OK);
    rig_close(&rig);
}

static void
test_shared_memory(void **state)
{
    (void)state;
    struct rig rig;
    char line[512];
    rig_open(&rig);
    ck_shape shape = {.grid = {1, 1, 1}, .block = {64, 1, 1}, .shared_bytes = 100000};
    assert_int_equal(launch(&rig, "rows", shape), CK_OK);
    assert_int_equal(logged("cuFuncSetAttribute", line, sizeof line), 1);
    assert_string_equal(line, "cuFuncSetAttribute rows 8=100000");
    shape.shared_bytes = 49152;
    assert_int_equal(launch(&rig, "plain", shape), CK_OK);
    assert_int_equal(logged("cuFuncSetAttribute", NULL, 0), 1);
    shape.shared_bytes = 232449;
    assert_int_equal(launch(&rig, "plain", shape), CK_ERROR_ARGUMENT);
    expect(rig.ctx, "needs 232449 bytes of shared memory (0 static, 232449 dynamic): Fake GPU "
                    "allows 232448");
    rig_close(&rig);
}

static void
test_wrong_shapes(void **state)
{
    (void)state;
    struct rig rig;
    set("FUNC_ATTR", "0=256,4=200");
    rig_open(&rig);
    assert_int_equal(launch(&rig, "plain", SHAPE(0, 32)), CK_ERROR_ARGUMENT);
    assert_int_equal(launch(&rig, "plain", SHAPE(1, 0)), CK_ERROR_ARGUMENT);
    assert_int_equal(launch(&rig, "plain", SHAPE(1, 512)), CK_ERROR_ARGUMENT);
    expect(rig.ctx, "`plain`, which takes 200 registers a thread, can have 256");
    ck_shape shape = {.grid = {1, 1, 65536}, .block = {1, 1, 1}};
    assert_int_equal(launch(&rig, "plain", shape), CK_ERROR_ARGUMENT);
    expect(rig.ctx, "Fake GPU allows 65535 in z");
    rig.array.dtype = CK_FLOAT32;
    assert_int_equal(launch(&rig, "plain", SHAPE(1, 1)), CK_ERROR_ARGUMENT);
    expect(rig.ctx, "argument 1 `M`: float32[:, ::1] was given for int32[:, ::1]");
    assert_int_equal(logged("cuLaunch", NULL, 0), 0);
    rig_close(&rig);
}

/* Every call that can fail during the life of a device does, once. */
static void
test_driver_errors(void **state)
{
    (void)state;
    static const struct {
        const char *fail;
        ck_status status;
        const char *part;
    } cases[] = {
        {"cuModuleLoadDataEx=218", CK_ERROR_DRIVER, "ptxas fatal : line 3"},
        {"cuModuleLoadDataEx=222", CK_ERROR_DRIVER, "the driver is older than the PTX"},
        {"cuModuleLoadDataEx=209", CK_ERROR_DRIVER, "for another GPU"},
        {"cuModuleLoadDataEx=2", CK_ERROR_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY"},
        {"cuModuleGetFunction=500", CK_ERROR_DRIVER, "from cuModuleGetFunction: rows"},
        {"cuFuncGetAttribute=1", CK_ERROR_DRIVER, "from cuFuncGetAttribute"},
        {"cuOccupancyMaxActiveBlocksPerMultiprocessor=1", CK_ERROR_DRIVER, "from cuOccupancy"},
        {"cuLaunchCooperativeKernel=701", CK_ERROR_DRIVER, "use a smaller block"},
        {"cuLaunchCooperativeKernel=700", CK_ERROR_DRIVER, "out of bounds"},
        {"cuCtxPushCurrent_v2=201", CK_ERROR_DRIVER, "from cuCtxPushCurrent"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct rig rig;
        reset(NULL);
        rig_open(&rig);
        set("ERROR_LOG", "ptxas fatal : line 3\n");
        set("FAIL", cases[i].fail);
        assert_int_equal(launch(&rig, "rows", SHAPE(1, 32)), cases[i].status);
        expect(rig.ctx, cases[i].part);
        set("FAIL", "");
        assert_int_equal(launch(&rig, "rows", SHAPE(1, 32)), CK_OK);
        ck_module_free(rig.module);
        ck_buffer_free(rig.buffer);
        ck_device_free(rig.device);
        ck_context_free(rig.ctx);
        assert_int_equal(depth(), 0);
    }
}

/* Without its source, it can never be specialised. */
static void
test_generic_kernel(void **state)
{
    (void)state;
    struct rig rig;
    ck_kernel *kernel = NULL;
    rig_open(&rig);
    assert_int_equal(ck_kernel_get(&kernel, rig.module, rig.device, "any"), CK_ERROR_UNSUPPORTED);
    assert_null(kernel);
    expect(rig.ctx, "`any` is generic");
    rig_close(&rig);
}

static void
test_missing_entry(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig);
    assert_int_equal(launch(&rig, "missing", SHAPE(1, 1)), CK_ERROR_DRIVER);
    expect(rig.ctx, "CUDA_ERROR_NOT_FOUND");
    expect(rig.ctx, "missing_entry");
    rig_close(&rig);
}

static void
test_memory_and_synchronize(void **state)
{
    (void)state;
    struct rig rig;
    ck_buffer *buffer = NULL, *empty;
    int32_t in[4] = {1, 2, 3, 4}, out[4] = {0};
    rig_open(&rig);
    assert_int_equal(ck_buffer_write(rig.buffer, 16, in, sizeof in), CK_OK);
    assert_int_equal(ck_buffer_read(rig.buffer, 16, out, sizeof out), CK_OK);
    assert_memory_equal(in, out, sizeof in);
    assert_int_equal(ck_buffer_new(&empty, rig.device, 0), CK_OK);
    assert_int_equal(ck_buffer_size(empty), 0);
    ck_buffer_free(empty);
    set("FAIL", "cuMemAlloc_v2=2,cuMemcpyHtoD_v2=719,cuMemcpyDtoH_v2=700,cuCtxSynchronize=710");
    assert_int_equal(ck_buffer_new(&buffer, rig.device, 12345), CK_ERROR_MEMORY);
    assert_null(buffer);
    expect(rig.ctx, "from cuMemAlloc: 12345 bytes were asked for; the device's memory is full");
    assert_int_equal(ck_buffer_write(rig.buffer, 0, in, 4), CK_ERROR_DRIVER);
    assert_int_equal(ck_buffer_read(rig.buffer, 0, out, 4), CK_ERROR_DRIVER);
    expect(rig.ctx, "CUDA_ERROR_ILLEGAL_ADDRESS");
    assert_int_equal(ck_device_synchronize(rig.device), CK_ERROR_ASSERT);
    expect(rig.ctx, "CUDA_ERROR_ASSERT");
    reset(NULL);
    ck_module_free(rig.module);
    ck_buffer_free(rig.buffer);
    ck_device_free(rig.device);
    ck_context_free(rig.ctx);
}

/* The dynamic linker reads LD_LIBRARY_PATH when a program starts. */
static void
run_again_with_fake(char **argv)
{
    char folder[4096], path[8192];
    const char *older = getenv("LD_LIBRARY_PATH");
    snprintf(folder, sizeof folder, "%s", getenv("CK_FAKE_CUDA"));
    snprintf(path, sizeof path, "%s%s%s", dirname(folder), older ? ":" : "", older ? older : "");
    setenv("LD_LIBRARY_PATH", path, 1);
    setenv("CK_TEST_MOCK_AGAIN", "1", 1);
    execv("/proc/self/exe", argv);
    perror("test_mock");
    exit(1);
}

/* What was made before the caller's context could not be restored is given back. */
static void
test_pop_fails(void **state)
{
    (void)state;
    struct rig rig;
    ck_buffer *buffer = NULL;
    rig_open(&rig);
    int allocated = logged("cuMemAlloc", NULL, 0), freed = logged("cuMemFree", NULL, 0);
    set("FAIL", "cuCtxPopCurrent_v2=201");
    assert_int_equal(ck_buffer_new(&buffer, rig.device, 100), CK_ERROR_DRIVER);
    expect(rig.ctx, "from cuCtxPopCurrent");
    assert_null(buffer);
    assert_int_equal(logged("cuMemAlloc", NULL, 0), allocated + 1);
    assert_int_equal(logged("cuMemFree", NULL, 0), freed + 1);
    assert_int_equal(launch(&rig, "plain", SHAPE(1, 32)), CK_ERROR_DRIVER);
    expect(rig.ctx, "from cuCtxPopCurrent");
    assert_int_equal(logged("cuModuleLoadDataEx", NULL, 0), 1);
    assert_int_equal(logged("cuModuleUnload", NULL, 0), 1);
    set("FAIL", "");
    assert_int_equal(launch(&rig, "plain", SHAPE(1, 32)), CK_OK);
    ck_module_free(rig.module);
    ck_buffer_free(rig.buffer);
    ck_device_free(rig.device);
    ck_context_free(rig.ctx);
    assert_int_equal(logged("cuMemAlloc", NULL, 0), logged("cuMemFree", NULL, 0));
    assert_int_equal(logged("cuModuleLoadDataEx", NULL, 0), logged("cuModuleUnload", NULL, 0));
}

/* Before anything of the launch reaches the driver. */
static void
test_array_outside_its_buffer(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig);
    rig.array.shape[0] = 5;
    assert_int_equal(launch(&rig, "plain", SHAPE(1, 32)), CK_ERROR_ARGUMENT);
    expect(rig.ctx, "argument 1 `M`: its elements take bytes 0 to 80 of a buffer of 64 bytes");
    assert_int_equal(logged("cuLaunchKernel", NULL, 0), 0);
    rig.array.shape[0] = 4;
    assert_int_equal(launch(&rig, "plain", SHAPE(1, 32)), CK_OK);
    rig_close(&rig);
}

int
main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "--open"))
        return open_and_print();
    const char *fake = getenv("CK_FAKE_CUDA");
    if (!fake || access(fake, R_OK) < 0) {
        puts("1..1\nok 1 # SKIP CK_FAKE_CUDA does not name the fake driver");
        return 0;
    }
    if (!getenv("CK_TEST_MOCK_AGAIN"))
        run_again_with_fake(argv);
    close(mkstemp(log_path));
#define TEST(name) cmocka_unit_test_setup(name, reset)
    const struct CMUnitTest tests[] = {
        TEST(test_open_fails),
        TEST(test_late_context),
        TEST(test_auto),
        TEST(test_borrowed_context),
        TEST(test_no_driver),
        TEST(test_missing_symbol),
        TEST(test_launches),
        TEST(test_device_freed_first),
        TEST(test_too_large),
        TEST(test_too_many_small_blocks),
        TEST(test_no_cooperative_launch),
        TEST(test_shared_memory),
        TEST(test_wrong_shapes),
        TEST(test_driver_errors),
        TEST(test_generic_kernel),
        TEST(test_missing_entry),
        TEST(test_memory_and_synchronize),
        TEST(test_array_outside_its_buffer),
        TEST(test_pop_fails), /* the last: its contexts stay pushed */
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(log_path);
    return failed;
}
