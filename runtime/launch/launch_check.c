/* Checks the shape of a launch against the limits of device and kernel. Failures name both the
 * limit and the value. */
#include <inttypes.h>

#include "runtime/launch/device.h"

static const char axes[] = "xyz";

/* Sets y and z to 1 where they are 0. */
static ck_dim3
normal_dim(ck_dim3 dim)
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

/* --- Clusters ------------------------------------------------------------------------------------
 */

ck_status
ck_launch_check_clusters(struct ck_device *device, const ck_kernel_desc *desc)
{
    if (!desc->clusters || device->info.max_cluster_blocks > 1)
        return CK_OK;
    return ck_fail(device->ctx, CK_ERROR_UNSUPPORTED,
                   "`%s` uses clusters of blocks, which need compute capability 9.0: %s has %d.%d",
                   desc->name, device->info.name, device->info.capability / 10,
                   device->info.capability % 10);
}

static bool
same(ck_dim3 a, ck_dim3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* The kernel's cluster or, if it has none, the launch's. */
static ck_status
choose_cluster(struct ck_device *device, const ck_kernel_desc *desc, ck_dim3 given, ck_dim3 *out)
{
    const ck_dim3 own = {desc->cluster[0], desc->cluster[1], desc->cluster[2]};
    if (!given.x && (given.y || given.z))
        return ck_fail(device->ctx, CK_ERROR_ARGUMENT, "the cluster (%u, %u, %u) is empty", given.x,
                       given.y, given.z);
    given = normal_dim(given);
    if (own.x && given.x && !same(own, given))
        return ck_fail(device->ctx, CK_ERROR_ARGUMENT,
                       "the launch's cluster (%u, %u, %u) is not that of `%s`, which says "
                       "cluster=(%u, %u, %u): leave it out of the launch",
                       given.x, given.y, given.z, desc->name, own.x, own.y, own.z);
    *out = own.x ? own : given.x ? given : (ck_dim3){1, 1, 1};
    return CK_OK;
}

static ck_status
check_cluster(struct ck_device *device, const ck_kernel_desc *desc, const ck_shape *shape,
              struct ck_launch *launch)
{
    ck_status status = choose_cluster(device, desc, shape->cluster, &launch->cluster);
    if (status)
        return status;
    const ck_dim3 c = launch->cluster;
    const uint64_t most = device->info.max_cluster_blocks;
    if (c.x <= most && c.y <= most && c.z <= most && (uint64_t)c.x * c.y * c.z <= most)
        return CK_OK;
    if (most > 1)
        return ck_fail(device->ctx, CK_ERROR_ARGUMENT,
                       "the cluster (%u, %u, %u) is too large: %s allows %" PRIu64 " blocks", c.x,
                       c.y, c.z, device->info.name, most);
    return ck_fail(device->ctx, CK_ERROR_UNSUPPORTED,
                   "the cluster (%u, %u, %u) needs compute capability 9.0: %s has %d.%d", c.x, c.y,
                   c.z, device->info.name, device->info.capability / 10,
                   device->info.capability % 10);
}

static uint32_t
round_up(uint32_t n, uint32_t unit)
{
    return n % unit ? n - n % unit + unit : n;
}

/* Generated code computes a thread's position in the grid with a limit of CK_MAX_GRID_THREADS. */
static ck_status
check_grid_threads(struct ck_device *device, const struct ck_launch *launch)
{
    const ck_dim3 g = launch->grid, b = launch->block;
    const uint64_t most = CK_MAX_GRID_THREADS / ((uint64_t)b.x * b.y * b.z);
    const uint64_t rows = most / g.x / g.y;
    if (g.z <= rows)
        return CK_OK;
    return ck_fail(device->ctx, CK_ERROR_ARGUMENT,
                   "the grid (%u, %u, %u) of blocks of %u threads is too large: it has more than "
                   "2^56 threads",
                   g.x, g.y, g.z, b.x * b.y * b.z);
}

bool
ck_launch_is_small(const ck_shape *shape)
{
    const ck_dim3 dims[] = {normal_dim(shape->grid), normal_dim(shape->block)};
    uint64_t threads = 1;
    for (int i = 0; i < 2; i++) {
        const uint32_t extents[] = {dims[i].x, dims[i].y, dims[i].z};
        for (int axis = 0; axis < 3; axis++) {
            threads *= extents[axis];
            if (threads >= CK_SMALL_END)
                return false;
        }
    }
    return true;
}

ck_status
ck_launch_check_small(struct ck_device *device, const ck_kernel_desc *desc, const ck_shape *shape)
{
    const ck_dim3 g = normal_dim(shape->grid), b = normal_dim(shape->block);
    if (!desc->small || ck_launch_is_small(shape))
        return CK_OK;
    return ck_fail(device->ctx, CK_ERROR_ARGUMENT,
                   "the grid (%u, %u, %u) of blocks of (%u, %u, %u) threads is too large for this "
                   "image of `%s`: it assumes fewer than 2^31 threads (it was compiled with "
                   "-small)",
                   g.x, g.y, g.z, b.x, b.y, b.z, desc->name);
}

static ck_status
check_divides(struct ck_device *device, const ck_kernel_desc *desc, const struct ck_launch *launch)
{
    const ck_dim3 g = launch->grid, c = launch->cluster;
    if (g.x % c.x == 0 && g.y % c.y == 0 && g.z % c.z == 0)
        return CK_OK;
    return ck_fail(device->ctx, CK_ERROR_ARGUMENT,
                   "the grid (%u, %u, %u) is not a multiple of the cluster of `%s`, (%u, %u, %u) "
                   "blocks: the next larger multiple is (%u, %u, %u)",
                   g.x, g.y, g.z, desc->name, c.x, c.y, c.z, round_up(g.x, c.x), round_up(g.y, c.y),
                   round_up(g.z, c.z));
}

ck_status
ck_launch_check_fits(struct ck_device *device, const struct ck_launch *launch,
                     const struct ck_occupancy *occupancy)
{
    const ck_dim3 b = launch->block, c = launch->cluster;
    if (occupancy->max_blocks)
        return CK_OK;
    return ck_fail(
        device->ctx, CK_ERROR_ARGUMENT,
        "not even one cluster of `%s`, (%u, %u, %u) blocks of %u threads, can be "
        "resident on %s: %s; a smaller cluster, a smaller block or less shared memory is "
        "needed",
        launch->desc->name, c.x, c.y, c.z, b.x * b.y * b.z, device->info.name, occupancy->why);
}

/* --- Shapes --------------------------------------------------------------------------------------
 */

ck_status
ck_launch_check_block(struct ck_device *device, const ck_kernel_desc *desc,
                      const ck_kernel_usage *usage, const ck_shape *shape, struct ck_launch *launch)
{
    launch->block = normal_dim(shape->block);
    launch->shared_bytes = shape->shared_bytes;
    ck_status status = check_axes(device, "block", launch->block, device->info.max_block);
    if (!status)
        status = check_threads(device, desc, usage, launch->block);
    if (!status)
        status = check_shared(device, desc, usage, shape->shared_bytes);
    if (!status)
        status = check_cluster(device, desc, shape, launch);
    return status;
}

ck_status
ck_launch_check_shape(struct ck_device *device, const ck_kernel_desc *desc,
                      const ck_kernel_usage *usage, const ck_shape *shape, struct ck_launch *launch)
{
    launch->grid = normal_dim(shape->grid);
    ck_status status = check_axes(device, "grid", launch->grid, device->info.max_grid);
    if (!status)
        status = ck_launch_check_block(device, desc, usage, shape, launch);
    if (!status)
        status = check_grid_threads(device, launch);
    if (!status)
        status = check_divides(device, desc, launch);
    return status;
}

/* The requested grid, reduced to `max` blocks in whole clusters; x first, as most grids have only
 * x. */
static ck_dim3
cut_grid(const struct ck_launch *launch, uint64_t max)
{
    const ck_dim3 c = launch->cluster;
    ck_dim3 cut = launch->grid;
    max /= ck_launch_cluster_blocks(launch);
    if (cut.x / c.x > max)
        cut.x = (uint32_t)max * c.x;
    max /= cut.x / c.x;
    if (cut.y / c.y > max)
        cut.y = (uint32_t)max * c.y;
    max /= cut.y / c.y;
    if (cut.z / c.z > max)
        cut.z = (uint32_t)max * c.z;
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
    const ck_dim3 fits = cut_grid(launch, occupancy->max_blocks);
    return ck_fail(device->ctx, CK_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
                   "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE: `%s` synchronises its grid, so all "
                   "its blocks must be resident at once; the grid (%u, %u, %u) has %" PRIu64
                   " blocks of %u threads, and %s holds %" PRIu64
                   ": %s; a grid of (%u, %u, %u) fits",
                   launch->desc->name, grid.x, grid.y, grid.z, blocks, threads, device->info.name,
                   occupancy->max_blocks, occupancy->why, fits.x, fits.y, fits.z);
}
