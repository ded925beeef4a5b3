/** @file
 * ck: devices, memory and launches. In libck and libckrt. */
#ifndef CK_RUN_H
#define CK_RUN_H

#include <ck/module.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- Devices -----------------------------------------------------------------------------------
 */

/** A GPU or the CPU, opened. */
typedef struct ck_device ck_device;

/** The order in which the CPU device runs the threads between barriers. */
typedef enum ck_schedule {
    CK_SCHEDULE_SEQ,     /**< by rank */
    CK_SCHEDULE_REVERSE, /**< by descending rank */
    CK_SCHEDULE_RANDOM   /**< a new permutation at each barrier, from `seed` */
} ck_schedule;

/** Checks of what kernels do: docs/checks.md. A finding is an error among the context's
 * diagnostics, and the launch returns CK_ERROR_CHECK. Barriers that never complete or are used
 * wrongly, and failed assertions, are such errors too on the CPU device, with CK_ERROR_BARRIER and
 * CK_ERROR_ASSERT, whatever is checked. The CPU device has all checks. A CUDA device has those of
 * bounds: its launches then wait for their end, and after a finding its context cannot be used any
 * more. Modules must be loaded from source: with PTX a launch is CK_ERROR_UNSUPPORTED. */
enum ck_check {
    CK_CHECK_BOUNDS = 1, /**< indices outside their array; the launch ends at the first */
    CK_CHECK_RACE = 2,   /**< accesses of different threads that nothing orders */
    CK_CHECK_INIT = 4,   /**< shared and local memory that is read before anything wrote it */
    CK_CHECK_SYNC = 16,  /**< barriers: the CPU device reports them in any case */
    CK_CHECK_ASYNC = 32, /**< memory of asynchronous copies that were not waited for; in RACE too */
    CK_CHECK_ALL = 55,   /**< those above: what is a mistake in any program */
    /** Signed integers that wrapped, and conversions to integers whose value did not fit. A program
     * may mean them, so that CK_CHECK_ALL does not include this kind. */
    CK_CHECK_OVERFLOW = 8
};

/** Options of a device. */
typedef struct ck_device_options {
    size_t size; /**< sizeof(ck_device_options) */
    /** CUDA: use this context (a CUcontext, borrowed) instead of the device's primary one. */
    void *cuda_context;
    ck_schedule schedule; /**< CPU */
    uint64_t seed;        /**< CPU, CK_SCHEDULE_RANDOM */
    unsigned checks;      /**< CK_CHECK_*, combined by `|` */
    /** CPU: while this is not 0, launches end with CK_ERROR_INTERRUPTED, and arrays have what the
     * kernel wrote until then. Any thread, or a signal handler, may store it; it is borrowed until
     * ck_device_free. NULL: launches are not interrupted. It is read between blocks, at
     * barriers, where threads wait for memory, and, with CK_CHECK_RACE or CK_CHECK_INIT, at each
     * access of an element: otherwise a block runs to its end. */
    const volatile int *interrupted;
} ck_device_options;

/** The number of devices of a kind, "cuda" or "cpu": "cuda:0" to "cuda:N-1" can be opened if ck
 * supports their architecture. 0 if there is no CUDA driver, or one that ck cannot use:
 * ck_context_error() then says which. There is one CPU device.
 * Errors: CK_ERROR_ARGUMENT (another kind), CK_ERROR_DRIVER. */
CK_API ck_status ck_device_count(size_t *out, ck_context *ctx, const char *kind);

/** Opens "auto" (the first CUDA device, else, in libck, the CPU; NULL is the same), "cuda",
 * "cuda:N", "cpu" or "cpu:THREADS". libckrt cannot run kernels on the CPU, as it has no compiler:
 * there "auto" is CK_ERROR_NO_DEVICE without a GPU. `options` may be NULL. Errors:
 * CK_ERROR_ARGUMENT (a malformed name), CK_ERROR_NO_DEVICE (no driver, too old a driver, no such
 * device: the text says which), CK_ERROR_DRIVER, CK_ERROR_MEMORY.
 */
CK_API ck_status ck_device_open(ck_device **out, ck_context *ctx, const char *name,
                                const ck_device_options *options);
/** Closes the device; kernels got for it must not be used any more. */
CK_API void ck_device_free(ck_device *device);

/** What a device is and allows. */
typedef struct ck_device_info {
    const char *name;               /**< "NVIDIA H200", "cpu" */
    const char *kind;               /**< "cuda" or "cpu" */
    int capability;                 /**< 90 for compute capability 9.0; 0 on the CPU */
    int multiprocessors;            /**< the CPU: host threads */
    int cooperative_launch;         /**< 1: kernels that synchronise their grid can run */
    uint32_t max_threads_per_block; /**< whatever its shape */
    uint32_t max_block[3];          /**< threads in x, y, z */
    uint32_t max_grid[3];           /**< blocks in x, y, z */
    size_t max_shared_bytes;        /**< a block, after an opt-in */
    uint32_t max_cluster_blocks;    /**< 1: the device has no clusters */
} ck_device_info;

/** Borrowed; lives as long as the device. */
CK_API const ck_device_info *ck_device_get_info(const ck_device *device);

/** The device's memory in bytes: what is not allocated, by any program, and all of it. Either may
 * be NULL. On the CPU device: of the machine, where memory that files are cached in does not count
 * as free. Errors: CK_ERROR_DRIVER. */
CK_API ck_status ck_device_get_memory(size_t *free_bytes, size_t *total_bytes, ck_device *device);

/** Waits for all work given to the device through ck. Reports errors of asynchronous launches:
 * CK_ERROR_DRIVER, CK_ERROR_ASSERT. */
CK_API ck_status ck_device_synchronize(ck_device *device);

/* --- Memory ------------------------------------------------------------------------------------
 */

/** Memory of a device. */
typedef struct ck_buffer ck_buffer;

/** `bytes` of device memory (may be 0), not initialised, aligned to 256 bytes.
 * Errors: CK_ERROR_MEMORY, CK_ERROR_DRIVER. */
CK_API ck_status ck_buffer_new(ck_buffer **out, ck_device *device, size_t bytes);
/** Frees the memory. A buffer that outlives its device has none any more, and is to be freed all
 * the same. */
CK_API void ck_buffer_free(ck_buffer *buffer);
/** The device address: a CUdeviceptr, or a host pointer on the CPU device. */
CK_API uint64_t ck_buffer_address(const ck_buffer *buffer);
/** The size in bytes. */
CK_API size_t ck_buffer_size(const ck_buffer *buffer);
/** Copies `bytes` bytes from the host to the buffer; synchronous, in order with the default stream.
 * Errors: CK_ERROR_ARGUMENT (out of range), CK_ERROR_DRIVER. */
CK_API ck_status ck_buffer_write(ck_buffer *buffer, size_t offset, const void *host, size_t bytes);
/** The same from the buffer to the host. */
CK_API ck_status ck_buffer_read(const ck_buffer *buffer, size_t offset, void *host, size_t bytes);

/** Copies from the host to the buffer in order with `stream` (a CUstream, NULL: the default
 * stream): asynchronous on CUDA, where the host's memory must stay as it is, and allocated, until
 * the stream has reached the end of the copy (ck_stream_synchronize, ck_event_synchronize). Memory
 * of a ck_host_buffer is copied while the caller and other streams go on. Other memory is right
 * too, but the driver copies it by way of its own page-locked memory, and may wait for the stream.
 * The CPU device, whose stream is NULL, has copied on return. Errors: CK_ERROR_ARGUMENT (out of
 * range), CK_ERROR_DRIVER; those of the copy itself are reported by the call that waits. */
CK_API ck_status ck_buffer_write_async(ck_buffer *buffer, size_t offset, const void *host,
                                       size_t bytes, void *stream);
/** The same from the buffer to the host, whose memory has the bytes when the copy has ended. */
CK_API ck_status ck_buffer_read_async(const ck_buffer *buffer, size_t offset, void *host,
                                      size_t bytes, void *stream);

/** Copies within the device; in order with `stream` (a CUstream, NULL: the default stream),
 * asynchronous on CUDA and complete on return on the CPU, whose stream is NULL. The buffers belong
 * to one device, and the two ranges do not overlap. Errors: CK_ERROR_ARGUMENT (out of range,
 * another device, an overlap), CK_ERROR_DRIVER. */
CK_API ck_status ck_buffer_copy(ck_buffer *to, size_t to_offset, const ck_buffer *from,
                                size_t from_offset, size_t bytes, void *stream);
/** Sets `bytes` bytes to `value`, in order with `stream` as ck_buffer_copy. Errors:
 * CK_ERROR_ARGUMENT (out of range), CK_ERROR_DRIVER. */
CK_API ck_status ck_buffer_fill(ck_buffer *buffer, size_t offset, unsigned char value, size_t bytes,
                                void *stream);

/** Page-locked memory of the host, which the device copies from and to by itself: the memory for
 * ck_buffer_write_async and ck_buffer_read_async. On the CPU device ordinary memory, aligned to 256
 * bytes. Page-locked memory is lost to the rest of the machine, and takes long to allocate: keep
 * it. */
typedef struct ck_host_buffer ck_host_buffer;

/** `bytes` of host memory (may be 0), not initialised. Errors: CK_ERROR_MEMORY, CK_ERROR_DRIVER. */
CK_API ck_status ck_host_buffer_new(ck_host_buffer **out, ck_device *device, size_t bytes);
/** Free it when no copy uses it any more, and before its device. */
CK_API void ck_host_buffer_free(ck_host_buffer *buffer);
/** The memory, which any thread may use; valid until ck_host_buffer_free. */
CK_API void *ck_host_buffer_data(const ck_host_buffer *buffer);
/** The size in bytes. */
CK_API size_t ck_host_buffer_size(const ck_host_buffer *buffer);

/* --- Events ------------------------------------------------------------------------------------
 */

/** A point in the order of a stream, with its time. */
typedef struct ck_event ck_event;
/** An event that is not recorded yet. Errors: CK_ERROR_MEMORY, CK_ERROR_DRIVER. */
CK_API ck_status ck_event_new(ck_event **out, ck_device *device);
/** Frees an event, before its device. */
CK_API void ck_event_free(ck_event *event);
/** Sets the event at the end of what the stream has so far (a CUstream, NULL: the default stream;
 * NULL on the CPU). An event may be recorded again. Errors: CK_ERROR_ARGUMENT, CK_ERROR_DRIVER. */
CK_API ck_status ck_event_record(ck_event *event, void *stream);
/** Waits until the stream has reached the event. Errors: CK_ERROR_ARGUMENT (it was not recorded),
 * CK_ERROR_DRIVER, CK_ERROR_ASSERT. */
CK_API ck_status ck_event_synchronize(const ck_event *event);
/** Waits until the stream has reached `to`, and returns the seconds since `from`, with a resolution
 * of about half a microsecond on CUDA. Errors: CK_ERROR_ARGUMENT (one was not recorded, or they are
 * of two devices), CK_ERROR_DRIVER. */
CK_API ck_status ck_event_elapsed(double *seconds, const ck_event *from, const ck_event *to);

/* --- Streams -----------------------------------------------------------------------------------
 */

/** A device with an order of work. Launches and copies take its handle; functions that `ckc
 * --emit=c` writes take the stream itself. Free it before its device. */
typedef struct ck_stream ck_stream;

/** A stream for a handle of the caller's, borrowed: a CUstream, or NULL for the default stream and
 * on the CPU device. Errors: CK_ERROR_MEMORY. */
CK_API ck_status ck_stream_new(ck_stream **out, ck_device *device, void *handle);
/** A stream of its own. Work of different streams may overlap; work of the default stream, and
 * synchronous copies, wait for that of every such stream and are waited for. The CPU device
 * completes everything on return: there the handle is NULL.
 * Errors: CK_ERROR_MEMORY, CK_ERROR_DRIVER. */
CK_API ck_status ck_stream_create(ck_stream **out, ck_device *device);
/** Frees a stream whose work is complete, and the images that it loaded. */
CK_API void ck_stream_free(ck_stream *stream);
/** The CUstream, or NULL; borrowed. */
CK_API void *ck_stream_handle(const ck_stream *stream);
/** Waits for all work of the stream. Reports errors of asynchronous launches and copies:
 * CK_ERROR_DRIVER, CK_ERROR_ASSERT. */
CK_API ck_status ck_stream_synchronize(ck_stream *stream);
/** Makes what the stream gets from now on wait for the event; the caller does not wait. Errors:
 * CK_ERROR_ARGUMENT (the event was not recorded, or is of another device), CK_ERROR_DRIVER. */
CK_API ck_status ck_stream_wait(ck_stream *stream, const ck_event *event);

/* --- Kernels -----------------------------------------------------------------------------------
 */

/** A kernel on a device: all its signatures, and what ck compiled of them. */
typedef struct ck_kernel ck_kernel;

/** Extents of a grid, a block or a cluster. */
typedef struct ck_dim3 {
    uint32_t x; /**< varies fastest */
    uint32_t y; /**< 0 counts as 1 */
    uint32_t z; /**< 0 counts as 1 */
} ck_dim3;

/** The shape of a launch. Zero y or z counts as 1; a zero x is an error. */
typedef struct ck_shape {
    ck_dim3 grid;          /**< blocks */
    ck_dim3 block;         /**< threads a block */
    uint32_t shared_bytes; /**< dynamic shared memory of a block, in addition to its static */
    /** Blocks of a cluster; zero x: the kernel's own, or one block. Each must divide that of the
     * grid. It is an error if the kernel declares another cluster. */
    ck_dim3 cluster;
} ck_shape;

/** A strided view of device memory. If one element lies in a ck_buffer, all must lie in it:
 * launches check this. ck does not check other memory. */
typedef struct ck_array {
    uint64_t data;                /**< address of element [0, 0, ...] on the launch's device */
    ck_dtype dtype;               /**< of the elements */
    int ndim;                     /**< 0 to CK_MAX_DIMS */
    int64_t shape[CK_MAX_DIMS];   /**< extents */
    int64_t strides[CK_MAX_DIMS]; /**< in bytes, as NumPy's */
    const ck_record *record;      /**< of CK_RECORD; borrowed for the call */
} ck_array;

/** Describes an array of `n` elements, one behind the other, from their address, which
 * ck_buffer_address() has. Does not fail: the launch checks the array. */
CK_API ck_array ck_array_1d(uint64_t data, ck_dtype dtype, int64_t n);
/** The same of two dimensions in C order: a row's elements lie one behind the other. */
CK_API ck_array ck_array_2d(uint64_t data, ck_dtype dtype, int64_t rows, int64_t columns);
/** The same of three dimensions in C order. */
CK_API ck_array ck_array_3d(uint64_t data, ck_dtype dtype, int64_t planes, int64_t rows,
                            int64_t columns);
/** The same of `ndim` dimensions, 0 to CK_MAX_DIMS, in C order. */
CK_API ck_array ck_array_nd(uint64_t data, ck_dtype dtype, int ndim, const int64_t *shape);
/** The same of records; `record` is borrowed as long as the description is used. */
CK_API ck_array ck_array_of_records(uint64_t data, const ck_record *record, int ndim,
                                    const int64_t *shape);

/** Finds an array of the module (ck_global_desc) in the device's memory. There is one memory for a
 * module and a device, whatever kernels use it and whatever their arguments are, and it lives as
 * long as both. It begins with the values that the source has for it, and keeps those that kernels
 * and the host store. The array may be an argument of launches. Errors: CK_ERROR_NOT_FOUND (the
 * text suggests the nearest name), CK_ERROR_UNSUPPORTED (of an array in constant memory, which has
 * no one address), CK_ERROR_MEMORY, CK_ERROR_DRIVER. */
CK_API ck_status ck_module_get_global(ck_array *out, ck_module *module, ck_device *device,
                                      const char *name);
/** Copies `bytes` to an array of the module, in constant memory too, from its byte `offset` on.
 * Synchronous, in order with the default stream. Errors: those of ck_module_get_global() but for
 * constant memory, and CK_ERROR_ARGUMENT (out of range). */
CK_API ck_status ck_module_write_global(ck_module *module, ck_device *device, const char *name,
                                        size_t offset, const void *host, size_t bytes);
/** The same from the array to the host. */
CK_API ck_status ck_module_read_global(ck_module *module, ck_device *device, const char *name,
                                       size_t offset, void *host, size_t bytes);

/** A complex number. */
typedef struct ck_complex {
    double real;      /**< real part */
    double imaginary; /**< imaginary part */
} ck_complex;

/** One argument: an array, or a scalar by its dtype. A record by itself is a tuple of its fields,
 * of which an array is a tuple of its rows. A tuple is CK_TUPLE with the number of its items in
 * `u`, and its items are the arguments that follow, each of them likewise: `(1.5, (2, x))` is
 * {CK_TUPLE, {.u = 2}}, {CK_FLOAT64, {.f = 1.5}}, {CK_TUPLE, {.u = 2}}, {CK_INT64, {.i = 2}},
 * {CK_DTYPE_NONE, {.array = &x}}. Counts of arguments include all of these. {CK_NONE} is None and
 * {CK_DEFAULT} the parameter's default value; a generic kernel takes both, and is specialised for
 * them. */
typedef struct ck_arg {
    ck_dtype scalar; /**< CK_DTYPE_NONE: the argument is `array` */
    union {
        const ck_array *array; /**< borrowed for the call */
        int64_t i;             /**< CK_BOOL, CK_INT*, CK_DATETIME64*, CK_TIMEDELTA64* */
        uint64_t u;            /**< CK_UINT* */
        double f;              /**< CK_FLOAT*, rounded to the type; CK_BFLOAT16 likewise */
        ck_complex c;          /**< CK_COMPLEX*, rounded to the type */
    } value;                   /**< by `scalar` */
} ck_arg;

/** The kernel called `name` on `device`; ck specialises and loads it when it is first needed. Owned
 * by the module: valid until ck_module_free or ck_device_free.
 * Errors: CK_ERROR_NOT_FOUND (the text suggests the nearest name), CK_ERROR_UNSUPPORTED (of a
 * module from ck_module_load: the device cannot run its PTX, e.g. the CPU device; or the kernel is
 * generic, which needs the source), CK_ERROR_MEMORY. */
CK_API ck_status ck_kernel_get(ck_kernel **out, ck_module *module, ck_device *device,
                               const char *name);

/** Compiles and loads the code that a launch with such arguments needs (of arrays it reads only
 * dtype, ndim, shape and strides), and returns the description of the chosen signature. `desc` may
 * be NULL; borrowed. Errors: CK_ERROR_ARGUMENT (count, types, dimensions or layout do not fit: the
 * text shows parameter and value), CK_ERROR_PROGRAM (a generic kernel does not type-check),
 * CK_ERROR_DRIVER.
 */
CK_API ck_status ck_kernel_prepare(ck_kernel *kernel, const ck_arg *args, size_t n_args,
                                   const ck_kernel_desc **desc);

/** The most blocks of this shape that can be resident at once, which is the largest grid of a
 * cooperative launch (Numba's max_cooperative_grid_blocks). `block` zero y, z count as 1.
 * A kernel with several signatures, or a generic one, must have been prepared or launched: the last
 * signature used counts. Errors: CK_ERROR_ARGUMENT, CK_ERROR_DRIVER, CK_ERROR_PROGRAM. */
CK_API ck_status ck_kernel_max_cooperative_blocks(uint32_t *out, ck_kernel *kernel, ck_dim3 block,
                                                  uint32_t shared_bytes);

/** The same for a whole shape, whose grid is ignored. All blocks of a cluster must be resident, so
 * the number is a multiple of the cluster's blocks. */
CK_API ck_status ck_kernel_max_resident_blocks(uint32_t *out, ck_kernel *kernel,
                                               const ck_shape *shape);

/** A block of one dimension for a kernel, and how many of them are resident at once. */
typedef struct ck_best_block {
    uint32_t threads; /**< of a block */
    uint32_t blocks;  /**< resident on the whole device: a grid that fills it */
} ck_best_block;
/** The block with which the most threads are resident, the largest of such: of all numbers of whole
 * warps that the device, the kernel's launch bounds and its registers allow, each with
 * `shared_bytes` of dynamic shared memory. As CUDA's cudaOccupancyMaxPotentialBlockSize; the
 * fastest block may be another. The rules of ck_kernel_max_cooperative_blocks hold here too.
 * Errors: those, and CK_ERROR_ARGUMENT if no block fits. */
CK_API ck_status ck_kernel_best_block(ck_best_block *out, ck_kernel *kernel, uint32_t shared_bytes);

/** Registers of a thread, and local, static shared and constant memory; -1 where the device does
 * not report them. The rules of ck_kernel_max_cooperative_blocks hold here too. */
typedef struct ck_kernel_usage {
    int registers;      /**< a thread */
    int local_bytes;    /**< a thread: local arrays and spilled registers */
    int shared_bytes;   /**< a block, static */
    int max_threads;    /**< a block */
    int constant_bytes; /**< of the module, as the driver counts them for the kernel */
} ck_kernel_usage;
/** The usage of the kernel's code. Errors: those of ck_kernel_max_cooperative_blocks. */
CK_API ck_status ck_kernel_get_usage(ck_kernel_usage *out, ck_kernel *kernel);

/** Launches the kernel, cooperatively exactly if it synchronises its grid. Asynchronous on CUDA
 * (`stream` is a CUstream, NULL: the default stream), unless the kernel is recursive and the
 * context's CU_LIMIT_STACK_SIZE is too low: the limit is then raised for the launch, which is
 * complete on return. Complete on return on the CPU (`stream` must be NULL). Arguments are checked
 * first; nothing runs if one is wrong. Errors: CK_ERROR_ARGUMENT, CK_ERROR_PROGRAM,
 * CK_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE (the text names the limit, what limits it and a shape that
 * fits), CK_ERROR_UNSUPPORTED (a cooperative kernel on a device without
 * cooperative launch, clusters on one without clusters), CK_ERROR_DRIVER, and on the CPU
 * CK_ERROR_BARRIER, CK_ERROR_ASSERT, CK_ERROR_CHECK. */
CK_API ck_status ck_launch(ck_kernel *kernel, const ck_shape *shape, const ck_arg *args,
                           size_t n_args, void *stream);

/* --- Images that a program carries -------------------------------------------------------------
 */

/** Launches a kernel of an image, which the stream loads when it first needs it and knows by its
 * address from then on, until no stream of the device has it any more: the streams of a device
 * share images, and with them the arrays of their modules. Errors: those of ck_module_load,
 * ck_kernel_get and ck_launch. */
CK_API ck_status ck_stream_launch(ck_stream *stream, const void *image, size_t length,
                                  const char *kernel, const ck_shape *shape, const ck_arg *args,
                                  size_t n_args);
/** An array of an image, loaded likewise: as ck_module_get_global(). Errors: its own, and those of
 * ck_module_load. */
CK_API ck_status ck_stream_get_global(ck_array *out, ck_stream *stream, const void *image,
                                      size_t length, const char *name);
/** The same as ck_module_write_global(). */
CK_API ck_status ck_stream_write_global(ck_stream *stream, const void *image, size_t length,
                                        const char *name, size_t offset, const void *host,
                                        size_t bytes);
/** The same as ck_module_read_global(). */
CK_API ck_status ck_stream_read_global(ck_stream *stream, const void *image, size_t length,
                                       const char *name, size_t offset, void *host, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
