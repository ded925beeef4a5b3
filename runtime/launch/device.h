/* A device as the rest of the runtime sees it: a table of operations. Each device's own files have
 * what is specific to it; no other code compares the name of a device. */
#ifndef CK_DEVICE_H
#define CK_DEVICE_H

#include <stdbool.h>

#include <ck/run.h>

#include "runtime/context/context.h"
#include "runtime/image/image.h"
#include "runtime/launch/finding.h"

/* What limits the blocks that can be resident at once. */
struct ck_occupancy {
    uint64_t max_blocks; /* on the whole device */
    char why[256];       /* "2 on each of 132 multiprocessors, limited by registers (...)" */
};

/* A launch whose arguments and shape have been checked. */
struct ck_launch {
    ck_dim3 grid;
    ck_dim3 block;
    uint32_t shared_bytes; /* dynamic */
    ck_dim3 cluster;       /* blocks of a cluster; 1, 1, 1: none */
    const ck_kernel_desc *desc;
    const uint64_t *slots; /* the arguments, see cpu_abi.h */
    void **pointers;       /* to the slots */
    void *stream;
};

/* Failures leave their text in device->ctx. "Code" is a loaded image, an "entry" a kernel in it. */
struct ck_device_ops {
    const char *kind; /* the name that opens it: "cuda", "cpu" */
    /* CK_ASSUME_* that make code for the device faster, if they hold: CK_ASSUME_ALIGNED where
     * accesses of several elements need more alignment, CK_ASSUME_SMALL where 64-bit arithmetic
     * is slow, CK_ASSUME_NATURAL likewise, CK_ASSUME_BY_RANK where it holds always. NULL: none. */
    unsigned (*assumptions)(struct ck_device *device);
    /* 0 if the machine has none, or no driver for them. */
    ck_status (*count)(size_t *out, ck_context *ctx);
    /* `which` is what follows the colon of "kind:which", or NULL. CK_ERROR_NO_DEVICE of CUDA lets
     * "auto" open the CPU device. */
    ck_status (*open)(struct ck_device **out, ck_context *ctx, const char *which,
                      const ck_device_options *options);
    void (*close)(struct ck_device *device);
    ck_status (*synchronize)(struct ck_device *device);

    ck_status (*alloc)(struct ck_device *device, uint64_t *address, size_t bytes); /* bytes > 0 */
    void (*free)(struct ck_device *device, uint64_t address);
    ck_status (*write)(struct ck_device *device, uint64_t to, const void *from, size_t bytes);
    ck_status (*read)(struct ck_device *device, void *to, uint64_t from, size_t bytes);

    ck_status (*memory)(struct ck_device *device, size_t *unused, size_t *total);
    ck_status (*host_alloc)(struct ck_device *device, void **memory, size_t bytes); /* bytes > 0 */
    void (*host_free)(struct ck_device *device, void *memory);

    /* A stream of ck's own; NULL where everything is complete on return. */
    ck_status (*stream_new)(struct ck_device *device, void **stream);
    void (*stream_free)(struct ck_device *device, void *stream);
    ck_status (*stream_synchronize)(struct ck_device *device, void *stream);
    ck_status (*stream_wait)(struct ck_device *device, void *stream, void *event);

    /* In the order of the stream; asynchronous on CUDA. The ranges do not overlap. */
    ck_status (*write_async)(struct ck_device *device, uint64_t to, const void *from, size_t bytes,
                             void *stream);
    ck_status (*read_async)(struct ck_device *device, void *to, uint64_t from, size_t bytes,
                            void *stream);
    ck_status (*copy)(struct ck_device *device, uint64_t to, uint64_t from, size_t bytes,
                      void *stream);
    ck_status (*fill)(struct ck_device *device, uint64_t to, unsigned char value, size_t bytes,
                      void *stream);

    ck_status (*event_new)(struct ck_device *device, void **event);
    void (*event_free)(struct ck_device *device, void *event);
    ck_status (*event_record)(struct ck_device *device, void *event, void *stream);
    ck_status (*event_synchronize)(struct ck_device *device, void *event);
    /* Waits for `to`. Both have been recorded. */
    ck_status (*event_elapsed)(struct ck_device *device, double *seconds, void *from, void *to);

    /* The i-th best architecture to compile for; NULL: there are no more. */
    const char *(*arch)(struct ck_device *device, size_t i);
    /* Whether the device can run an image that was not compiled for it: CK_ERROR_UNSUPPORTED if
     * not. Does not call the driver. */
    ck_status (*check_image)(struct ck_device *device, const struct ck_image *image);
    ck_status (*load)(struct ck_device *device, void **code, const struct ck_image *image);
    void (*unload)(struct ck_device *device, void *code);
    /* The address of variable `index` of the image's manifest. */
    ck_status (*variable)(struct ck_device *device, uint64_t *address, void *code,
                          const struct ck_image *image, size_t index);
    ck_status (*entry_new)(struct ck_device *device, void **entry, void *code,
                           const struct ck_image *image, size_t index);
    void (*entry_free)(struct ck_device *device, void *entry);

    ck_status (*usage)(struct ck_device *device, void *entry, ck_kernel_usage *out);
    /* For launches of this shape; ignores the grid and the arguments. */
    ck_status (*occupancy)(struct ck_device *device, void *entry, const struct ck_launch *shape,
                           struct ck_occupancy *out);
    ck_status (*launch)(struct ck_device *device, void *entry, const struct ck_launch *launch);
};

/* Whether the library can compile: src/api/api.c says that libck can, no_compiler.c that
 * libckrt cannot. */
extern const bool ck_has_compiler;

extern const struct ck_device_ops ck_cuda_ops;
extern const struct ck_device_ops ck_cpu_ops;

/* A device's buffers, by their addresses. */
struct ck_buffers {
    struct ck_buffer **items;
    size_t n, capacity;
    uint64_t changes; /* how often one was added or freed */
};

/* The members common to all devices; each device's own struct begins with it. */
struct ck_device {
    const struct ck_device_ops *ops;
    ck_context *ctx; /* borrowed */
    ck_device_info info;
    struct ck_global_set *global_sets; /* of modules' arrays on this device */
    struct ck_shared_image *images;    /* that its streams have loaded */
    struct ck_kernel *kernels;         /* that ck_kernel_get made for this device */
    struct ck_buffers buffers;
    struct ck_findings findings; /* of the last launch */
};

/* buffer.c: frees the device's memory; buffers that outlive it keep only their handle. */
void ck_buffers_release(struct ck_device *device);
/* Whether each array of a launch that has an element in a buffer has all its elements in that
 * buffer. */
bool ck_buffers_hold(const struct ck_device *device, const ck_kernel_desc *desc,
                     const ck_arg *args);
/* Fails with the first array for which that is not so. Errors: CK_ERROR_ARGUMENT. */
ck_status ck_buffers_check(struct ck_device *device, const ck_kernel_desc *desc,
                           const ck_arg *args);

/* event.c: makes the stream wait for the event. Errors: CK_ERROR_ARGUMENT, those of the device. */
ck_status ck_event_make_wait(const struct ck_event *event, struct ck_device *device, void *stream);

/* Reads the number in a device's name. Returns false unless it is all digits and in the range. */
bool ck_device_parse_number(const char *text, uint32_t min, uint32_t max, uint32_t *out);

/* The number of blocks of a launch's cluster. */
static inline uint32_t
ck_launch_cluster_blocks(const struct ck_launch *launch)
{
    return launch->cluster.x * launch->cluster.y * launch->cluster.z;
}

/* launch_check.c: checks the shape against the limits of the device and of the kernel. Normalises
 * launch->grid and launch->block. Errors: CK_ERROR_ARGUMENT, CK_ERROR_UNSUPPORTED. */
ck_status ck_launch_check_shape(struct ck_device *device, const ck_kernel_desc *desc,
                                const ck_kernel_usage *usage, const ck_shape *shape,
                                struct ck_launch *launch);
/* The same for everything but the grid, which need not be given. */
ck_status ck_launch_check_block(struct ck_device *device, const ck_kernel_desc *desc,
                                const ck_kernel_usage *usage, const ck_shape *shape,
                                struct ck_launch *launch);
/* Whether the grid has fewer than CK_SMALL_END threads; the check of it for images that assume it.
 * Errors: CK_ERROR_ARGUMENT. */
bool ck_launch_is_small(const ck_shape *shape);
ck_status ck_launch_check_small(struct ck_device *device, const ck_kernel_desc *desc,
                                const ck_shape *shape);
/* Checks that the device has clusters if the kernel asks for them. */
ck_status ck_launch_check_clusters(struct ck_device *device, const ck_kernel_desc *desc);
/* Checks that at least one cluster can be resident. */
ck_status ck_launch_check_fits(struct ck_device *device, const struct ck_launch *launch,
                               const struct ck_occupancy *occupancy);
/* Checks that all blocks of a cooperative launch's grid can be resident at once. */
ck_status ck_launch_check_cooperative(struct ck_device *device, const struct ck_launch *launch,
                                      const struct ck_occupancy *occupancy);

#endif
