/* The shape of a launch against the limits of device and kernel, with texts that name both. */
#include <inttypes.h>

#include "runtime/device.h"

static const char axes[] = "xyz";

ck_dim3
ck_dim3_normal(ck_dim3 dim)
{
    return (ck_dim3){dim.x, dim.y ? dim.y : 1, dim.z ? dim.z : 1};
}

static ck_status
check_axes(struct ck_device *device, const char *what, ck_dim3 dim, const uint32_t max[3])
{
    const uint32_t size[3] = {dim.x, dim.y, dim.z};
    for (int i = 0; i < 3; i++) {
        if (!size[i])
            return ck_fail(device->ctx, CK_ERROR_ARGUMENT, "the %s (%u, %u, %u) is empty", what,
                           dim.x, dim.y, dim.z);
        if (size[i] > max[i])
            return ck_fail(device->ctx, CK_ERROR_ARGUMENT,
                           "the %s (%u, %u, %u) is too large: %s allows %u in %c", what, dim.x,
                           dim.y, dim.z, device->info.name, max[i], axes[i]);
    }
    return CK_OK;
}

static ck_status
check_threads(struct ck_device *device, const ck_kernel_desc *desc, const ck_kernel_usage *usage,
              ck_dim3 block)
{
    uint64_t threads = (uint64_t)block.x * block.y * block.z;
    if (threads > device->info.max_threads_per_block)
        return ck_fail(device->ctx, CK_ERROR_ARGUMENT,
                       "the block (%u, %u, %u) has %" PRIu64 " threads: %s allows %u", block.x,
                       block.y, block.z, threads, device->info.name,
                       device->info.max_threads_per_block);
    if (desc->max_threads && threads > desc->max_threads)
        return ck_fail(device->ctx, CK_ERROR_ARGUMENT,
                       "the block (%u, %u, %u) has %" PRIu64
                       " threads: the launch bounds of `%s` allow %u",
                       block.x, block.y, block.z, threads, desc->name, desc->max_threads);
    if (usage->max_threads > 0 && threads > (uint64_t)usage->max_threads)
        return ck_fail(device->ctx, CK_ERROR_ARGUMENT,
                       "the block (%u, %u, %u) has %" PRIu64
                       " threads: `%s`, which takes %d registers a thread, can have %d",
                       block.x, block.y, block.z, threads, desc->name, usage->registers,
                       usage->max_threads);
    return CK_OK;
}

static ck_status
check_shared(struct ck_device *device, const ck_kernel_desc *desc, const ck_kernel_usage *usage,
             uint32_t dynamic)
{
    uint64_t fixed = usage->shared_bytes > 0 ? (uint64_t)usage->shared_bytes : desc->shared_bytes;
    const size_t most = device->info.max_shared_bytes;
    if (fixed + dynamic <= most)
        return CK_OK;
    return ck_fail(device->ctx, CK_ERROR_ARGUMENT,
                   "a block of `%s` needs %" PRIu64 " bytes of shared memory (%" PRIu64
                   " static, %u dynamic): %s allows %zu; launch it with at most %" PRIu64
                   " dynamic bytes%s",
                   desc->name, fixed + dynamic, fixed, dynamic, device->info.name, most,
                   fixed < most ? most - fixed : 0,
                   fixed > most ? ", and make its shared arrays smaller" : "");
}

ck_status
ck_launch_check_block(struct ck_device *device, const ck_kernel_desc *desc,
                      const ck_kernel_usage *usage, ck_dim3 block, uint32_t shared_bytes)
{
    ck_status status = check_axes(device, "block", block, device->info.max_block);
    if (!status)
        status = check_threads(device, desc, usage, block);
    if (!status)
        status = check_shared(device, desc, usage, shared_bytes);
    return status;
}

ck_status
ck_launch_check_shape(struct ck_device *device, const ck_kernel_desc *desc,
                      const ck_kernel_usage *usage, const ck_shape *shape, struct ck_launch *launch)
{
    launch->grid = ck_dim3_normal(shape->grid);
    launch->block = ck_dim3_normal(shape->block);
    launch->shared_bytes = shape->shared_bytes;
    if (shape->cluster.x || shape->cluster.y || shape->cluster.z)
        return ck_fail(device->ctx, CK_ERROR_UNSUPPORTED, "clusters of blocks are not supported");
    ck_status status = check_axes(device, "grid", launch->grid, device->info.max_grid);
    if (!status)
        status = ck_launch_check_block(device, desc, usage, launch->block, shape->shared_bytes);
    return status;
}

/* The grid asked for, cut to `max` blocks: x first, as it is the one most often meant. */
static ck_dim3
cut_grid(ck_dim3 grid, uint64_t max)
{
    ck_dim3 cut;
    cut.x = grid.x < max ? grid.x : (uint32_t)max;
    max /= cut.x;
    cut.y = grid.y < max ? grid.y : (uint32_t)max;
    max /= cut.y;
    cut.z = grid.z < max ? grid.z : (uint32_t)max;
    return cut;
}

ck_status
ck_launch_check_cooperative(struct ck_device *device, const struct ck_launch *launch,
                            const struct ck_occupancy *occupancy)
{
    const ck_dim3 grid = launch->grid, block = launch->block;
    const uint64_t blocks = (uint64_t)grid.x * grid.y * grid.z;
    const uint32_t threads = block.x * block.y * block.z;
    if (blocks <= occupancy->max_blocks)
        return CK_OK;
    if (!occupancy->max_blocks)
        return ck_fail(device->ctx, CK_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
                       "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE: not even one block of `%s` with "
                       "%u threads can be resident on %s: %s; a smaller block or less shared "
                       "memory is needed",
                       launch->desc->name, threads, device->info.name, occupancy->why);
    const ck_dim3 fits = cut_grid(grid, occupancy->max_blocks);
    return ck_fail(device->ctx, CK_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
                   "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE: `%s` synchronises its grid, so all "
                   "its blocks must be resident at once; the grid (%u, %u, %u) has %" PRIu64
                   " blocks of %u threads, and %s holds %" PRIu64
                   ": %s; a grid of (%u, %u, %u) fits",
                   launch->desc->name, grid.x, grid.y, grid.z, blocks, threads, device->info.name,
                   occupancy->max_blocks, occupancy->why, fits.x, fits.y, fits.z);
}
