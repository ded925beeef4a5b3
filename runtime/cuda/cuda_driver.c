/* Loads libcuda.so.1 and describes its errors. */
#include "runtime/cuda/cuda_driver.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

enum { OLDEST_DRIVER = 11000 };

/* What the driver's own text lacks: the ck_status and what to do. */
static const struct {
    int result;
    ck_status status;
    const char *advice;
} explanations[] = {
    {CK_CUDA_ERROR_OUT_OF_MEMORY, CK_ERROR_MEMORY,
     "the device's memory is full: free some, or close other programs that use it"},
    {CK_CUDA_ERROR_STUB_LIBRARY, CK_ERROR_NO_DEVICE,
     "the libcuda.so.1 found is the toolkit's stub for linking: put the driver's own first in the "
     "library path"},
    {CK_CUDA_ERROR_DEVICE_UNAVAILABLE, CK_ERROR_DRIVER,
     "another process has the device for itself (exclusive compute mode)"},
    {CK_CUDA_ERROR_NO_DEVICE, CK_ERROR_NO_DEVICE,
     "the driver sees no GPU: check `nvidia-smi` and CUDA_VISIBLE_DEVICES"},
    {CK_CUDA_ERROR_INVALID_CONTEXT, CK_ERROR_DRIVER,
     "was the CUDA context destroyed before the ck_device?"},
    {CK_CUDA_ERROR_NO_BINARY_FOR_GPU, CK_ERROR_DRIVER,
     "the image is for another GPU: compile it for this one or an older one (-arch)"},
    {CK_CUDA_ERROR_INVALID_PTX, CK_ERROR_DRIVER,
     "the PTX is damaged, or for a newer GPU than this one"},
    {CK_CUDA_ERROR_JIT_COMPILER_NOT_FOUND, CK_ERROR_DRIVER,
     "libnvidia-ptxjitcompiler.so.1, a part of the driver, is not installed"},
    {CK_CUDA_ERROR_UNSUPPORTED_PTX_VERSION, CK_ERROR_DRIVER,
     "the driver is older than the PTX: update it, or compile for an older GPU (-arch)"},
    {CK_CUDA_ERROR_ILLEGAL_ADDRESS, CK_ERROR_DRIVER,
     "a kernel has accessed memory out of bounds (compute-sanitizer shows where); the CUDA context "
     "cannot be used any more"},
    {CK_CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, CK_ERROR_DRIVER,
     "the block needs more registers than a multiprocessor has: use a smaller block"},
    {CK_CUDA_ERROR_LAUNCH_TIMEOUT, CK_ERROR_DRIVER,
     "the kernel ran longer than the display's watchdog allows; the CUDA context cannot be used "
     "any more"},
    {CK_CUDA_ERROR_ASSERT, CK_ERROR_ASSERT,
     "an assertion in a kernel failed; the CUDA context cannot be used any more"},
    {CK_CUDA_ERROR_ILLEGAL_INSTRUCTION, CK_ERROR_DRIVER,
     "the CUDA context cannot be used any more"},
    {CK_CUDA_ERROR_MISALIGNED_ADDRESS, CK_ERROR_DRIVER,
     "an array's address is not a multiple of its element size; the CUDA context cannot be used "
     "any more"},
    {CK_CUDA_ERROR_LAUNCH_FAILED, CK_ERROR_DRIVER,
     "a kernel failed while it ran (compute-sanitizer shows where); the CUDA context cannot be "
     "used any more"},
    {CK_CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, CK_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
     "not all blocks of the grid can be resident at once"},
    {CK_CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, CK_ERROR_DRIVER,
     "libcuda and the kernel module differ in version: has the driver been updated? restart the "
     "machine"},
    {CK_CUDA_ERROR_INVALID_CLUSTER_SIZE, CK_ERROR_DRIVER,
     "the GPU cannot have such a cluster of this kernel's blocks: use a smaller one"},
    {CK_CUDA_ERROR_UNKNOWN, CK_ERROR_DRIVER,
     "is the driver's kernel module loaded (`nvidia-smi`, `nvidia-modprobe -u`)?"},
};
enum { N_EXPLANATIONS = sizeof explanations / sizeof explanations[0] };

ck_status
ck_cuda_fail(const struct ck_cuda_api *api, ck_context *ctx, CUresult result, const char *call,
             const char *detail)
{
    const char *name = NULL, *text = NULL, *advice = NULL;
    ck_status status = CK_ERROR_DRIVER;
    if (api->GetErrorName(result, &name) || !name)
        name = "an error unknown to the driver";
    if (api->GetErrorString(result, &text) || !text)
        text = "no explanation";
    for (int i = 0; i < N_EXPLANATIONS; i++) {
        if (explanations[i].result == (int)result) {
            status = explanations[i].status;
            advice = explanations[i].advice;
        }
    }
    /* The name first: people look for it. */
    return ck_fail(ctx, status, "%s: %s (%d) from %s%s%s%s%s", name, text, (int)result, call,
                   *detail ? ": " : "", detail, advice ? "; " : "", advice ? advice : "");
}

/* Finds every function of the table; fails with the first that is missing. */
static ck_status
find_symbols(struct ck_cuda_api *api, ck_context *ctx)
{
    static const struct {
        const char *symbol;
        size_t offset;
        bool later;
    } functions[] = {
#define CK_CUDA(member, symbol, parameters) {#symbol, offsetof(struct ck_cuda_api, member), false},
#define CK_CUDA_LATER(member, symbol, parameters)                                                  \
    {#symbol, offsetof(struct ck_cuda_api, member), true},
#include "runtime/cuda/cuda_api.def"
#undef CK_CUDA
    };
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        void *address = dlsym(api->library, functions[i].symbol);
        if (!address && !functions[i].later)
            return ck_fail(ctx, CK_ERROR_NO_DEVICE,
                           "the CUDA driver (libcuda.so.1) has no function %s: it is too old or "
                           "damaged; CUDA 11.0 or later is needed",
                           functions[i].symbol);
        memcpy((char *)api + functions[i].offset, &address, sizeof address);
    }
    return CK_OK;
}

/* Checked before the functions: "too old" is the clearest message for an old driver. */
static ck_status
check_version(struct ck_cuda_api *api, ck_context *ctx)
{
    CUresult (*get_version)(int *);
    void *address = dlsym(api->library, "cuDriverGetVersion");
    int version = 0;
    memcpy(&get_version, &address, sizeof address);
    if (!address || get_version(&version))
        return ck_fail(ctx, CK_ERROR_NO_DEVICE,
                       "the CUDA driver (libcuda.so.1) does not report its version: it is damaged");
    if (version < OLDEST_DRIVER)
        return ck_fail(ctx, CK_ERROR_NO_DEVICE,
                       "the CUDA driver is too old: it is for CUDA %d.%d, and 11.0 or later is "
                       "needed",
                       version / 1000, version % 1000 / 10);
    return CK_OK;
}

static ck_status
start(struct ck_cuda_api *api, ck_context *ctx)
{
    ck_status status = check_version(api, ctx);
    if (!status)
        status = find_symbols(api, ctx);
    if (status)
        return status;
    CUresult result = api->Init(0);
    if (result) {
        ck_cuda_fail(api, ctx, result, "cuInit", "");
        return CK_ERROR_NO_DEVICE;
    }
    return CK_OK;
}

ck_status
ck_cuda_load(struct ck_cuda_api *api, ck_context *ctx)
{
    memset(api, 0, sizeof *api);
    /* The driver has threads and exit handlers of its own: it must not be unmapped. */
    api->library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!api->library) {
        const char *why = dlerror();
        return ck_fail(ctx, CK_ERROR_NO_DEVICE,
                       "there is no CUDA driver on this machine: libcuda.so.1 cannot be loaded "
                       "(%s)",
                       why ? why : "no reason given");
    }
    ck_status status = start(api, ctx);
    if (status)
        ck_cuda_unload(api);
    return status;
}

void
ck_cuda_unload(struct ck_cuda_api *api)
{
    if (api->library)
        dlclose(api->library);
    api->library = NULL;
}
