/* The CUDA device. Every operation pushes the device's context and pops it again, so that the
 * caller's current context is never changed. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "runtime/cuda/cuda_device.h"

enum { LOG_LENGTH = 8192 };

static const struct {
    int capability;
    const char *name;
} archs[] = {
#define CK_GPU_ARCH(capability, ptx) {capability, "sm_" #capability},
#include "base/gpu_archs.def"
};
enum { N_ARCHS = sizeof archs / sizeof archs[0] };

/* Every GPU with clusters allows PORTABLE_CLUSTER blocks; more need an opt-in. */
enum { CLUSTER_CAPABILITY = 90, PORTABLE_CLUSTER = 8 };

struct cuda_code {
    CUmodule module;
    const struct ck_image *image;
    struct ck_bounds_record *record; /* of code with checks, in the host's memory; or NULL */
};

struct cuda_entry {
    CUfunction function;
    struct cuda_code *code;
    ck_kernel_usage usage;
    uint32_t dynamic_shared_bytes; /* the limit set for the function so far */
    bool large_clusters;           /* allowed for the function already */
};

/* --- The context -------------------------------------------------------------------------------
 */

/* `call` is the call as written: its name ends at the parenthesis. */
ck_status
ck_cuda_fail_call(struct ck_cuda_device *cuda, CUresult result, const char *call,
                  const char *detail)
{
    char name[64];
    snprintf(name, sizeof name, "cu%.*s", (int)strcspn(call, "("), call);
    return ck_cuda_fail(&cuda->api, cuda->base.ctx, result, name, detail);
}

/* The primary context is retained when first needed: a program that only queries the device does
 * not pay for it. */
static ck_status
retain_primary(struct ck_cuda_device *cuda)
{
    CUcontext context = NULL;
    CK_CUDA_TRY(cuda, DevicePrimaryCtxRetain(&context, cuda->handle));
    cuda->context = context;
    return CK_OK;
}

ck_status
ck_cuda_enter(struct ck_cuda_device *cuda)
{
    ck_status status = cuda->context ? CK_OK : retain_primary(cuda);
    if (status)
        return status;
    CK_CUDA_TRY(cuda, CtxPushCurrent(cuda->context));
    return CK_OK;
}

/* Pops what `enter` pushed; keeps the first failure. */
ck_status
ck_cuda_leave(struct ck_cuda_device *cuda, ck_status status)
{
    CUcontext popped;
    CUresult result = cuda->api.CtxPopCurrent(&popped);
    if (result && !status)
        return ck_cuda_fail_call(cuda, result, "CtxPopCurrent", "");
    return status;
}

/* --- Opening -----------------------------------------------------------------------------------
 */

static ck_status
get_attribute(struct ck_cuda_device *cuda, int *out, enum ck_cuda_attribute attribute)
{
    CK_CUDA_TRY(cuda, DeviceGetAttribute(out, (CUdevice_attribute)attribute, cuda->handle));
    return CK_OK;
}

static ck_status
read_attributes(struct ck_cuda_device *cuda)
{
    struct ck_sm_limits *limits = &cuda->limits;
    ck_device_info *info = &cuda->base.info;
    int major = 0, minor = 0, shared = 0, shared_optin = 0, threads = 0, block[3], grid[3];
    const struct {
        enum ck_cuda_attribute attribute;
        int *value;
    } wanted[] = {
        {CK_CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, &major},
        {CK_CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, &minor},
        {CK_CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, &info->multiprocessors},
        {CK_CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, &info->cooperative_launch},
        {CK_CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &threads},
        {CK_CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, &block[0]},
        {CK_CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, &block[1]},
        {CK_CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, &block[2]},
        {CK_CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, &grid[0]},
        {CK_CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, &grid[1]},
        {CK_CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, &grid[2]},
        {CK_CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, &shared},
        {CK_CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, &shared_optin},
        {CK_CU_DEVICE_ATTRIBUTE_WARP_SIZE, &limits->warp_size},
        {CK_CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, &limits->threads},
        {CK_CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, &limits->blocks},
        {CK_CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, &limits->registers},
        {CK_CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, &limits->shared_bytes},
        {CK_CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK, &limits->reserved_shared_bytes},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        ck_status status = get_attribute(cuda, wanted[i].value, wanted[i].attribute);
        if (status)
            return status;
    }
    info->capability = 10 * major + minor;
    info->max_cluster_blocks = info->capability >= CLUSTER_CAPABILITY ? CK_MAX_CLUSTER : 1;
    info->max_threads_per_block = (uint32_t)threads;
    for (int i = 0; i < 3; i++) {
        info->max_block[i] = (uint32_t)block[i];
        info->max_grid[i] = (uint32_t)grid[i];
    }
    info->max_shared_bytes = (size_t)(shared_optin > shared ? shared_optin : shared);
    return CK_OK;
}

static ck_status
select_ordinal(struct ck_cuda_device *cuda, const char *which)
{
    ck_context *ctx = cuda->base.ctx;
    uint32_t ordinal = 0;
    int count = 0;
    if (which && !ck_device_parse_number(which, 0, 999999, &ordinal))
        return ck_fail(ctx, CK_ERROR_ARGUMENT, "invalid device \"cuda:%s\": expected `cuda:N`",
                       which);
    CK_CUDA_TRY(cuda, DeviceGetCount(&count));
    if (!count)
        return ck_fail(ctx, CK_ERROR_NO_DEVICE,
                       "there is no CUDA device: the driver is there and sees no GPU "
                       "(CUDA_VISIBLE_DEVICES hides them?)");
    if (ordinal >= (uint32_t)count)
        return ck_fail(ctx, CK_ERROR_NO_DEVICE,
                       "there is no CUDA device %u: there %s %d, counted from 0", ordinal,
                       count == 1 ? "is" : "are", count);
    CK_CUDA_TRY(cuda, DeviceGet(&cuda->handle, (int)ordinal));
    return CK_OK;
}

static ck_status
get_context_device(struct ck_cuda_device *cuda)
{
    CK_CUDA_TRY(cuda, CtxGetDevice(&cuda->handle));
    return CK_OK;
}

static ck_status
borrow_context(struct ck_cuda_device *cuda, void *context, const char *which)
{
    CUdevice asked = 0;
    if (which) {
        ck_status status = select_ordinal(cuda, which);
        if (status)
            return status;
        asked = cuda->handle;
    }
    cuda->context = context;
    cuda->borrowed = true;
    ck_status status = ck_cuda_enter(cuda);
    if (!status)
        status = ck_cuda_leave(cuda, get_context_device(cuda));
    if (!status && which && asked != cuda->handle)
        return ck_fail(cuda->base.ctx, CK_ERROR_ARGUMENT,
                       "the CUDA context given belongs to another device than \"cuda:%s\"", which);
    return status;
}

static void
close_device(struct ck_device *device)
{
    struct ck_cuda_device *cuda = ck_cuda_of(device);
    if (cuda->context && !cuda->borrowed)
        cuda->api.DevicePrimaryCtxRelease(cuda->handle);
    ck_cuda_unload(&cuda->api);
    free(cuda);
}

static ck_status
open_on(struct ck_cuda_device *cuda, const char *which, const ck_device_options *options)
{
    ck_device_info *info = &cuda->base.info;
    ck_status status;
    if (options && options->cuda_context)
        status = borrow_context(cuda, options->cuda_context, which);
    else
        status = select_ordinal(cuda, which);
    if (!status)
        status = read_attributes(cuda);
    if (status)
        return status;
    CK_CUDA_TRY(cuda, DeviceGetName(cuda->name, CK_CUDA_NAME_LENGTH, cuda->handle));
    if (info->capability < archs[0].capability)
        return ck_fail(cuda->base.ctx, CK_ERROR_NO_DEVICE,
                       "%s has compute capability %d.%d: ck needs 7.5 or later", cuda->name,
                       info->capability / 10, info->capability % 10);
    snprintf(cuda->arch, sizeof cuda->arch, "sm_%d", info->capability);
    info->name = cuda->name;
    info->kind = ck_cuda_ops.kind;
    return CK_OK;
}

/* None if there is no driver, or one that ck cannot use: opening a device says why. */
static ck_status
count_devices(size_t *out, ck_context *ctx)
{
    struct ck_cuda_api api;
    int count = 0;
    ck_status status = ck_cuda_load(&api, ctx);
    if (!status) {
        CUresult result = api.DeviceGetCount(&count);
        if (result)
            status = ck_cuda_fail(&api, ctx, result, "cuDeviceGetCount", "");
        ck_cuda_unload(&api);
    }
    if (status && status != CK_ERROR_NO_DEVICE)
        return status;
    *out = status ? 0 : (size_t)count;
    return CK_OK;
}

static ck_status
open_device(struct ck_device **out, ck_context *ctx, const char *which,
            const ck_device_options *options)
{
    struct ck_cuda_device *cuda = calloc(1, sizeof *cuda);
    if (!cuda)
        return ck_fail_memory(ctx);
    cuda->base.ops = &ck_cuda_ops;
    cuda->base.ctx = ctx;
    ck_status status = ck_cuda_load(&cuda->api, ctx);
    if (options && options->checks & ~(unsigned)CK_CHECK_BOUNDS && !status)
        status = ck_fail(ctx, CK_ERROR_UNSUPPORTED,
                         "a CUDA device checks bounds alone: open \"cpu\" for other checks");
    cuda->checks = options ? options->checks : 0;
    if (!status)
        status = open_on(cuda, which, options);
    if (status)
        close_device(&cuda->base);
    else
        *out = &cuda->base;
    return status;
}

static ck_status
synchronize(struct ck_device *device)
{
    struct ck_cuda_device *cuda = ck_cuda_of(device);
    ck_status status = ck_cuda_enter(cuda);
    if (status)
        return status;
    CUresult result = cuda->api.CtxSynchronize();
    return ck_cuda_leave(cuda,
                         result ? ck_cuda_fail_call(cuda, result, "CtxSynchronize", "") : CK_OK);
}

/* --- Code --------------------------------------------------------------------------------------
 */

/* The device's own architecture, then older ones: PTX runs on every later GPU. */
static const char *
next_arch(struct ck_device *device, size_t i)
{
    if (i == 0)
        return ck_cuda_of(device)->arch;
    for (size_t k = N_ARCHS; k-- > 0;) {
        if (archs[k].capability < device->info.capability && --i == 0)
            return archs[k].name;
    }
    return NULL;
}

/* A GPU runs PTX for its own compute capability and for lower ones. */
static ck_status
check_image(struct ck_device *device, const struct ck_image *image)
{
    const char *arch = image->manifest.arch;
    int capability = device->info.capability, needed;
    if (image->kind == CK_IMAGE_PTX && sscanf(arch, "sm_%d", &needed) == 1 && needed > capability)
        return ck_fail(device->ctx, CK_ERROR_UNSUPPORTED,
                       "the PTX is for \"%s\", and %s has compute capability %d.%d: compile it for "
                       "\"sm_%d\" or lower",
                       arch, device->info.name, capability / 10, capability % 10, capability);
    return CK_OK;
}

static ck_status
load_module(struct ck_cuda_device *cuda, CUmodule *out, const struct ck_image *image)
{
    char log[LOG_LENGTH] = "";
    CUjit_option options[] = {(CUjit_option)CK_CU_JIT_ERROR_LOG_BUFFER,
                              (CUjit_option)CK_CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)(uintptr_t)LOG_LENGTH};
    CUresult result = cuda->api.ModuleLoadDataEx(out, image->text, 2, options, values);
    if (!result)
        return CK_OK;
    log[LOG_LENGTH - 1] = '\0';
    if (result == CK_CUDA_ERROR_NO_BINARY_FOR_GPU && image->kind == CK_IMAGE_CUBIN)
        snprintf(log, sizeof log,
                 "the cubin has machine code for another GPU than one of compute capability %d.%d; "
                 "PTX runs on later GPUs too",
                 cuda->base.info.capability / 10, cuda->base.info.capability % 10);
    size_t length = strlen(log);
    while (length && strchr("\n\r ", log[length - 1]))
        log[--length] = '\0';
    return ck_cuda_fail_call(cuda, result, "ModuleLoadDataEx", log);
}

/* Where a thread reports an index outside its array: the GPU's memory is lost with the launch. */
static ck_status
make_record(struct ck_cuda_device *cuda, struct cuda_code *code)
{
    enum { MAPPED = 2 }; /* CU_MEMHOSTALLOC_DEVICEMAP */
    CUdeviceptr address = 0, variable = 0;
    size_t bytes = 0;
    void *memory = NULL;
    CK_CUDA_TRY(cuda, MemHostAlloc(&memory, sizeof *code->record, MAPPED));
    code->record = memory;
    memset(memory, 0, sizeof *code->record);
    CK_CUDA_TRY(cuda, MemHostGetDevicePointer(&address, memory, 0));
    CK_CUDA_TRY(cuda, ModuleGetGlobal(&variable, &bytes, code->module, CK_BOUNDS_SYMBOL));
    CK_CUDA_TRY(cuda, MemcpyHtoD(variable, &address, sizeof address));
    return CK_OK;
}

static ck_status
get_variable(struct ck_cuda_device *cuda, const struct cuda_code *code, uint64_t *address,
             const char *symbol)
{
    CUdeviceptr variable = 0;
    size_t bytes = 0;
    CK_CUDA_TRY(cuda, ModuleGetGlobal(&variable, &bytes, code->module, symbol));
    *address = variable;
    return CK_OK;
}

static ck_status
load_code(struct ck_cuda_device *cuda, struct cuda_code *code)
{
    ck_status status = load_module(cuda, &code->module, code->image);
    return status || !code->image->manifest.n_accesses ? status : make_record(cuda, code);
}

static ck_status
find_variable(struct ck_device *device, uint64_t *address, void *loaded,
              const struct ck_image *image, size_t index)
{
    struct ck_cuda_device *cuda = ck_cuda_of(device);
    const struct cuda_code *code = loaded;
    ck_status status = ck_cuda_enter(cuda);
    return status ? status
                  : ck_cuda_leave(cuda, get_variable(cuda, code, address,
                                                     image->manifest.globals[index].symbol));
}

/* Failures: as in ck_cuda_free. */
static void
unload_image(struct ck_device *device, void *loaded)
{
    struct ck_cuda_device *cuda = ck_cuda_of(device);
    struct cuda_code *code = loaded;
    if (!ck_cuda_enter(cuda)) {
        if (code->module)
            cuda->api.ModuleUnload(code->module);
        if (code->record)
            cuda->api.MemFreeHost(code->record);
        ck_cuda_leave(cuda, CK_OK);
    }
    free(code);
}

static ck_status
load_image(struct ck_device *device, void **out, const struct ck_image *image)
{
    struct ck_cuda_device *cuda = ck_cuda_of(device);
    struct cuda_code *code = calloc(1, sizeof *code);
    if (!code)
        return ck_fail_memory(device->ctx);
    code->image = image;
    ck_status status = ck_cuda_enter(cuda);
    if (!status)
        status = ck_cuda_leave(cuda, load_code(cuda, code));
    if (status)
        unload_image(device, code); /* the caller does not receive it */
    else
        *out = code;
    return status;
}

static ck_status
read_usage(struct ck_cuda_device *cuda, struct cuda_entry *entry)
{
    ck_kernel_usage *usage = &entry->usage;
    const struct {
        enum ck_cuda_function_attribute attribute;
        int *value;
    } wanted[] = {
        {CK_CU_FUNC_ATTRIBUTE_NUM_REGS, &usage->registers},
        {CK_CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, &usage->local_bytes},
        {CK_CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, &usage->shared_bytes},
        {CK_CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &usage->max_threads},
        {CK_CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, &usage->constant_bytes},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        CK_CUDA_TRY(cuda,
                    FuncGetAttribute(wanted[i].value, (CUfunction_attribute)wanted[i].attribute,
                                     entry->function));
    return CK_OK;
}

static ck_status
find_function(struct ck_cuda_device *cuda, struct cuda_entry *entry, const char *name)
{
    CUresult result = cuda->api.ModuleGetFunction(&entry->function, entry->code->module, name);
    if (result)
        return ck_cuda_fail_call(cuda, result, "ModuleGetFunction", name);
    return read_usage(cuda, entry);
}

static ck_status
entry_new(struct ck_device *device, void **out, void *code, const struct ck_image *image,
          size_t index)
{
    struct ck_cuda_device *cuda = ck_cuda_of(device);
    struct cuda_entry *entry = calloc(1, sizeof *entry);
    if (!entry)
        return ck_fail_memory(device->ctx);
    entry->code = code;
    ck_status status = ck_cuda_enter(cuda);
    if (!status)
        status =
            ck_cuda_leave(cuda, find_function(cuda, entry, image->manifest.kernels[index].entry));
    if (status)
        free(entry);
    else
        *out = entry;
    return status;
}

static void
entry_free(struct ck_device *device, void *entry)
{
    free(entry);
}

static ck_status
get_usage(struct ck_device *device, void *entry, ck_kernel_usage *out)
{
    *out = ((struct cuda_entry *)entry)->usage;
    return CK_OK;
}

/* --- Occupancy ---------------------------------------------------------------------------------
 */

/* The driver's count is the limit; the arithmetic shows which resource it comes from. */
static void
explain(const struct ck_cuda_device *cuda, const struct cuda_entry *entry, int threads,
        int64_t shared, int per_multiprocessor, struct ck_occupancy *out)
{
    const struct ck_sm_limits *limits = &cuda->limits;
    enum ck_sm_resource least;
    ck_sm_blocks(limits, threads, entry->usage.registers, shared, &least);
    int length =
        snprintf(out->why, sizeof out->why, "%d on each of %d multiprocessors, limited by ",
                 per_multiprocessor, cuda->base.info.multiprocessors);
    char *to = out->why + length;
    size_t room = sizeof out->why - (size_t)length;
    switch (least) {
    case CK_SM_THREADS:
        snprintf(to, room, "threads (%d a multiprocessor)", limits->threads);
        break;
    case CK_SM_BLOCKS:
        snprintf(to, room, "blocks a multiprocessor (%d)", limits->blocks);
        break;
    case CK_SM_REGISTERS:
        snprintf(to, room, "registers (%d a thread, %d a multiprocessor)", entry->usage.registers,
                 limits->registers);
        break;
    default:
        snprintf(to, room, "shared memory (%" PRId64 " bytes a block, %d a multiprocessor)", shared,
                 limits->shared_bytes);
        break;
    }
}

/* The opt-in to more than 48 KB of dynamic shared memory. Without it launches fail, and the
 * occupancy query returns a misleading count of 0. */
static ck_status
allow_shared(struct ck_cuda_device *cuda, struct cuda_entry *entry, uint32_t bytes)
{
    if (bytes <= entry->dynamic_shared_bytes ||
        bytes + (uint64_t)entry->usage.shared_bytes <= CK_STATIC_SHARED_BYTES)
        return CK_OK;
    CK_CUDA_TRY(cuda, FuncSetAttribute(
                          entry->function,
                          (CUfunction_attribute)CK_CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                          (int)bytes));
    entry->dynamic_shared_bytes = bytes;
    return CK_OK;
}

/* The opt-in to clusters of more than PORTABLE_CLUSTER blocks. */
static ck_status
allow_cluster(struct ck_cuda_device *cuda, struct cuda_entry *entry, const struct ck_launch *launch)
{
    if (ck_launch_cluster_blocks(launch) <= PORTABLE_CLUSTER || entry->large_clusters)
        return CK_OK;
    CK_CUDA_TRY(
        cuda, FuncSetAttribute(
                  entry->function,
                  (CUfunction_attribute)CK_CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1));
    entry->large_clusters = true;
    return CK_OK;
}

/* A launch with its attributes, for the driver functions that take them. `grid` replaces the
 * launch's grid. */
struct extended {
    CUlaunchConfig config;
    struct ck_cuda_launch_attribute attributes[2];
};

static void
extend(struct extended *out, const struct ck_launch *launch, ck_dim3 grid)
{
    const ck_dim3 b = launch->block, c = launch->cluster;
    unsigned n = 0;
    *out = (struct extended){0};
    if (!launch->desc->cluster[0])
        out->attributes[n++] = (struct ck_cuda_launch_attribute){
            .id = CK_CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, .value.cluster = {c.x, c.y, c.z}};
    if (launch->desc->cooperative)
        out->attributes[n++] = (struct ck_cuda_launch_attribute){
            .id = CK_CU_LAUNCH_ATTRIBUTE_COOPERATIVE, .value.cooperative = 1};
    out->config = (CUlaunchConfig){
        .grid = {grid.x, grid.y, grid.z},
        .block = {b.x, b.y, b.z},
        .shared_bytes = launch->shared_bytes,
        .stream = launch->stream,
        .attributes = n ? out->attributes : NULL,
        .n_attributes = n,
    };
}

static ck_status
fail_old_driver(struct ck_cuda_device *cuda)
{
    return ck_fail(cuda->base.ctx, CK_ERROR_UNSUPPORTED,
                   "the CUDA driver is too old for clusters of blocks: CUDA 11.8 or later is "
                   "needed");
}

/* The number of clusters that can be resident at once. */
static ck_status
query_clusters(struct ck_cuda_device *cuda, struct cuda_entry *entry, const struct ck_launch *shape,
               struct ck_occupancy *out)
{
    const uint32_t blocks = ck_launch_cluster_blocks(shape);
    struct extended extended;
    int clusters = 0;
    if (!cuda->api.OccupancyMaxActiveClusters)
        return fail_old_driver(cuda);
    ck_status status = allow_cluster(cuda, entry, shape);
    if (status)
        return status;
    extend(&extended, shape, shape->cluster);
    CK_CUDA_TRY(cuda, OccupancyMaxActiveClusters(&clusters, entry->function, &extended.config));
    out->max_blocks = clusters > 0 ? (uint64_t)clusters * blocks : 0;
    snprintf(out->why, sizeof out->why, "%d clusters of %u blocks at once", clusters, blocks);
    return CK_OK;
}

static ck_status
query_blocks(struct ck_cuda_device *cuda, struct cuda_entry *entry, const struct ck_launch *shape,
             struct ck_occupancy *out)
{
    const int threads = (int)(shape->block.x * shape->block.y * shape->block.z);
    int blocks = 0;
    ck_status status = allow_shared(cuda, entry, shape->shared_bytes);
    if (!status && ck_launch_cluster_blocks(shape) > 1)
        return query_clusters(cuda, entry, shape, out);
    if (status)
        return status;
    CK_CUDA_TRY(cuda, OccupancyMaxActiveBlocksPerMultiprocessor(&blocks, entry->function, threads,
                                                                shape->shared_bytes));
    out->max_blocks = (uint64_t)blocks * (uint64_t)cuda->base.info.multiprocessors;
    explain(cuda, entry, threads, (int64_t)shape->shared_bytes + entry->usage.shared_bytes, blocks,
            out);
    return CK_OK;
}

static ck_status
get_occupancy(struct ck_device *device, void *entry, const struct ck_launch *shape,
              struct ck_occupancy *out)
{
    struct ck_cuda_device *cuda = ck_cuda_of(device);
    ck_status status = ck_cuda_enter(cuda);
    if (status)
        return status;
    return ck_cuda_leave(cuda, query_blocks(cuda, entry, shape, out));
}

/* --- Launching ---------------------------------------------------------------------------------
 */

/* A launch whose cluster is set by an attribute. */
static ck_status
launch_clusters(struct ck_cuda_device *cuda, struct cuda_entry *entry,
                const struct ck_launch *launch)
{
    struct extended extended;
    if (!cuda->api.LaunchKernelEx)
        return fail_old_driver(cuda);
    extend(&extended, launch, launch->grid);
    CK_CUDA_TRY(cuda, LaunchKernelEx(&extended.config, entry->function, launch->pointers, NULL));
    return CK_OK;
}

static ck_status
launch_entry(struct ck_cuda_device *cuda, struct cuda_entry *entry, const struct ck_launch *launch)
{
    const ck_dim3 g = launch->grid, b = launch->block;
    ck_status status = allow_shared(cuda, entry, launch->shared_bytes);
    if (!status)
        status = allow_cluster(cuda, entry, launch);
    if (status)
        return status;
    if (ck_launch_cluster_blocks(launch) > 1 && !launch->desc->cluster[0])
        return launch_clusters(cuda, entry, launch);
    if (launch->desc->cooperative)
        CK_CUDA_TRY(cuda, LaunchCooperativeKernel(entry->function, g.x, g.y, g.z, b.x, b.y, b.z,
                                                  launch->shared_bytes, launch->stream,
                                                  launch->pointers));
    else
        CK_CUDA_TRY(cuda,
                    LaunchKernel(entry->function, g.x, g.y, g.z, b.x, b.y, b.z,
                                 launch->shared_bytes, launch->stream, launch->pointers, NULL));
    return CK_OK;
}

/* Whether the context is current already: a launch then needs one driver call less. */
static bool
is_current(const struct ck_cuda_device *cuda)
{
    CUcontext current = NULL;
    return cuda->context && !cuda->api.CtxGetCurrent(&current) && current == cuda->context;
}

/* Launches, waits for the end, and fails if a thread has reported an index. */
static ck_status
launch_checked(struct ck_cuda_device *cuda, struct cuda_entry *entry,
               const struct ck_launch *launch)
{
    const struct cuda_code *code = entry->code;
    ck_status status = launch_entry(cuda, entry, launch);
    if (status)
        return status;
    CUresult result = cuda->api.CtxSynchronize();
    if (!result)
        return CK_OK;
    if (!code->record->is_set)
        return ck_cuda_fail_call(cuda, result, "CtxSynchronize", "");
    if (!ck_findings_add(&cuda->base.findings,
                         ck_bounds_finding(&code->image->manifest, code->record)))
        return ck_fail_memory(cuda->base.ctx);
    return ck_fail(cuda->base.ctx, CK_ERROR_CHECK, "a check found a mistake");
}

static ck_status
launch_code(struct ck_cuda_device *cuda, struct cuda_entry *entry, const struct ck_launch *launch)
{
    return entry->code->record ? launch_checked(cuda, entry, launch)
                               : launch_entry(cuda, entry, launch);
}

static ck_status
set_stack(struct ck_cuda_device *cuda, size_t bytes)
{
    char detail[64];
    CUresult result = cuda->api.CtxSetLimit((CUlimit)CK_CU_LIMIT_STACK_SIZE, bytes);
    snprintf(detail, sizeof detail, "a stack of %zu bytes a thread", bytes);
    return result ? ck_cuda_fail_call(cuda, result, "CtxSetLimit", detail) : CK_OK;
}

/* With a larger stack for the launch alone: the limit is the context's, and it may be the caller's.
 * It can be lowered only when the launch has ended. */
static ck_status
launch_on_stack(struct ck_cuda_device *cuda, struct cuda_entry *entry,
                const struct ck_launch *launch, size_t before, size_t needed)
{
    ck_status status = set_stack(cuda, needed);
    if (status)
        return status;
    status = launch_code(cuda, entry, launch);
    CUresult result = cuda->api.CtxSynchronize();
    if (result && !status)
        status = ck_cuda_fail_call(cuda, result, "CtxSynchronize", "");
    if (status) { /* the first failure is the one to report */
        cuda->api.CtxSetLimit((CUlimit)CK_CU_LIMIT_STACK_SIZE, before);
        return status;
    }
    return set_stack(cuda, before);
}

/* The driver knows how much stack a kernel needs unless it has recursive calls. */
static ck_status
launch_recursive(struct ck_cuda_device *cuda, struct cuda_entry *entry,
                 const struct ck_launch *launch)
{
    const int own = entry->usage.local_bytes > 0 ? entry->usage.local_bytes : 0;
    const size_t needed = launch->desc->stack_bytes + (size_t)own;
    size_t before = 0;
    CK_CUDA_TRY(cuda, CtxGetLimit(&before, (CUlimit)CK_CU_LIMIT_STACK_SIZE));
    if (before >= needed)
        return launch_code(cuda, entry, launch);
    return launch_on_stack(cuda, entry, launch, before, needed);
}

static ck_status
launch_kernel(struct ck_device *device, void *entry, const struct ck_launch *launch)
{
    struct ck_cuda_device *cuda = ck_cuda_of(device);
    const struct cuda_code *code = ((struct cuda_entry *)entry)->code;
    const bool is_recursive = launch->desc->stack_bytes > 0;
    if (!code->record && !is_recursive && is_current(cuda))
        return launch_entry(cuda, entry, launch);
    ck_status status = ck_cuda_enter(cuda);
    if (status)
        return status;
    status =
        is_recursive ? launch_recursive(cuda, entry, launch) : launch_code(cuda, entry, launch);
    return ck_cuda_leave(cuda, status);
}

static unsigned
assumptions(struct ck_device *device)
{
    return CK_ASSUME_ALIGNED | CK_ASSUME_SMALL | CK_ASSUME_NATURAL |
           ck_cuda_of(device)->checks * CK_ASSUME_CHECKS;
}

const struct ck_device_ops ck_cuda_ops = {
    .kind = "cuda",
    .assumptions = assumptions,
    .count = count_devices,
    .open = open_device,
    .close = close_device,
    .synchronize = synchronize,
    .alloc = ck_cuda_alloc,
    .free = ck_cuda_free,
    .write = ck_cuda_write,
    .read = ck_cuda_read,
    .memory = ck_cuda_memory,
    .host_alloc = ck_cuda_host_alloc,
    .host_free = ck_cuda_host_free,
    .write_async = ck_cuda_write_async,
    .read_async = ck_cuda_read_async,
    .copy = ck_cuda_copy,
    .fill = ck_cuda_fill,
    .stream_new = ck_cuda_stream_new,
    .stream_free = ck_cuda_stream_free,
    .stream_synchronize = ck_cuda_stream_synchronize,
    .stream_wait = ck_cuda_stream_wait,
    .event_new = ck_cuda_event_new,
    .event_free = ck_cuda_event_free,
    .event_record = ck_cuda_event_record,
    .event_synchronize = ck_cuda_event_synchronize,
    .event_elapsed = ck_cuda_event_elapsed,
    .arch = next_arch,
    .check_image = check_image,
    .load = load_image,
    .unload = unload_image,
    .variable = find_variable,
    .entry_new = entry_new,
    .entry_free = entry_free,
    .usage = get_usage,
    .occupancy = get_occupancy,
    .launch = launch_kernel,
};
