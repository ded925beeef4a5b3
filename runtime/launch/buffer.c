/* The memory of devices: buffers, and whether arrays lie within them. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/launch/args.h"
#include "runtime/launch/device.h"

struct ck_buffer {
    struct ck_device *device; /* NULL after the device has been freed */
    uint64_t address;
    size_t bytes;
};

/* --- The device's buffers, by address ----------------------------------------------------------
 */

/* The index in the list of the first buffer that ends after `address`. An empty buffer counts as
 * one byte. */
static size_t
find_place(const struct ck_buffers *list, uint64_t address)
{
    size_t low = 0, high = list->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct ck_buffer *buffer = list->items[middle];
        if (buffer->address + (buffer->bytes ? buffer->bytes : 1) > address)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static bool
reserve(struct ck_buffers *list)
{
    if (list->n < list->capacity)
        return true;
    size_t capacity = list->capacity ? 2 * list->capacity : 16;
    struct ck_buffer **items = reallocarray(list->items, capacity, sizeof *items);
    if (!items)
        return false;
    list->items = items;
    list->capacity = capacity;
    return true;
}

static void
add(struct ck_buffers *list, struct ck_buffer *buffer)
{
    size_t place = find_place(list, buffer->address);
    struct ck_buffer **at = &list->items[place];
    memmove(at + 1, at, (list->n - place) * sizeof *at);
    *at = buffer;
    list->n++;
    list->changes++;
}

static void
remove_buffer(struct ck_buffers *list, const struct ck_buffer *buffer)
{
    size_t place = find_place(list, buffer->address);
    struct ck_buffer **at = &list->items[place];
    list->n--;
    memmove(at, at + 1, (list->n - place) * sizeof *at);
    list->changes++;
}

/* --- Buffers -----------------------------------------------------------------------------------
 */

ck_status
ck_buffer_new(ck_buffer **out, ck_device *device, size_t bytes)
{
    struct ck_buffer *buffer = calloc(1, sizeof *buffer);
    if (!buffer || !reserve(&device->buffers)) {
        free(buffer);
        return ck_fail_memory(device->ctx);
    }
    ck_status status = device->ops->alloc(device, &buffer->address, bytes ? bytes : 1);
    if (status) {
        free(buffer);
        return status;
    }
    buffer->device = device;
    buffer->bytes = bytes;
    add(&device->buffers, buffer);
    *out = buffer;
    return CK_OK;
}

static void
release(struct ck_buffer *buffer)
{
    buffer->device->ops->free(buffer->device, buffer->address);
    buffer->device = NULL;
    buffer->address = 0;
}

void
ck_buffer_free(ck_buffer *buffer)
{
    if (buffer && buffer->device) {
        remove_buffer(&buffer->device->buffers, buffer);
        release(buffer);
    }
    free(buffer);
}

void
ck_buffers_release(struct ck_device *device)
{
    struct ck_buffers *list = &device->buffers;
    for (size_t i = 0; i < list->n; i++)
        release(list->items[i]);
    free(list->items);
    *list = (struct ck_buffers){0};
}

uint64_t
ck_buffer_address(const ck_buffer *buffer)
{
    return buffer->address;
}

size_t
ck_buffer_size(const ck_buffer *buffer)
{
    return buffer->bytes;
}

static ck_status
check_range(const ck_buffer *buffer, size_t offset, size_t bytes)
{
    if (offset > buffer->bytes || bytes > buffer->bytes - offset)
        return ck_fail(buffer->device->ctx, CK_ERROR_ARGUMENT,
                       "a copy of %zu bytes at offset %zu is outside of the buffer's %zu bytes",
                       bytes, offset, buffer->bytes);
    return CK_OK;
}

/* Whether an operation on bytes of a buffer ends here: it is wrong, or there are none. */
static bool
is_over(ck_status *status, const ck_buffer *buffer, size_t offset, size_t bytes)
{
    *status = buffer->device ? check_range(buffer, offset, bytes) : CK_ERROR_ARGUMENT;
    return *status || !bytes;
}

ck_status
ck_buffer_write(ck_buffer *buffer, size_t offset, const void *host, size_t bytes)
{
    struct ck_device *device = buffer->device;
    ck_status status;
    if (is_over(&status, buffer, offset, bytes))
        return status;
    return device->ops->write(device, buffer->address + offset, host, bytes);
}

ck_status
ck_buffer_read(const ck_buffer *buffer, size_t offset, void *host, size_t bytes)
{
    struct ck_device *device = buffer->device;
    ck_status status;
    if (is_over(&status, buffer, offset, bytes))
        return status;
    return device->ops->read(device, host, buffer->address + offset, bytes);
}

ck_status
ck_buffer_write_async(ck_buffer *buffer, size_t offset, const void *host, size_t bytes,
                      void *stream)
{
    struct ck_device *device = buffer->device;
    ck_status status;
    if (is_over(&status, buffer, offset, bytes))
        return status;
    return device->ops->write_async(device, buffer->address + offset, host, bytes, stream);
}

ck_status
ck_buffer_read_async(const ck_buffer *buffer, size_t offset, void *host, size_t bytes, void *stream)
{
    struct ck_device *device = buffer->device;
    ck_status status;
    if (is_over(&status, buffer, offset, bytes))
        return status;
    return device->ops->read_async(device, host, buffer->address + offset, bytes, stream);
}

ck_status
ck_buffer_copy(ck_buffer *to, size_t to_offset, const ck_buffer *from, size_t from_offset,
               size_t bytes, void *stream)
{
    struct ck_device *device = to->device;
    if (!device || !from->device)
        return CK_ERROR_ARGUMENT;
    if (device != from->device)
        return ck_fail(device->ctx, CK_ERROR_ARGUMENT, "the buffers are of two devices");
    ck_status status = check_range(to, to_offset, bytes);
    if (!status)
        status = check_range(from, from_offset, bytes);
    if (status || !bytes)
        return status;
    if (to == from && to_offset < from_offset + bytes && from_offset < to_offset + bytes)
        return ck_fail(device->ctx, CK_ERROR_ARGUMENT, "the two parts of the buffer overlap");
    return device->ops->copy(device, to->address + to_offset, from->address + from_offset, bytes,
                             stream);
}

ck_status
ck_buffer_fill(ck_buffer *buffer, size_t offset, unsigned char value, size_t bytes, void *stream)
{
    struct ck_device *device = buffer->device;
    ck_status status;
    if (is_over(&status, buffer, offset, bytes))
        return status;
    return device->ops->fill(device, buffer->address + offset, value, bytes, stream);
}

/* --- Arrays in buffers -------------------------------------------------------------------------
 */

/* The buffer that has some of the array's elements but not all; NULL if one buffer has all of them,
 * or no buffer has any. */
static const struct ck_buffer *
find_exceeded(const struct ck_buffers *list, struct ck_extent extent)
{
    size_t place = find_place(list, extent.begin);
    if (extent.begin == extent.end || place == list->n)
        return NULL;
    const struct ck_buffer *buffer = list->items[place];
    if (buffer->address >= extent.end)
        return NULL;
    bool within = extent.begin >= buffer->address && extent.end - buffer->address <= buffer->bytes;
    return within ? NULL : buffer;
}

bool
ck_buffers_hold(const struct ck_device *device, const ck_kernel_desc *desc, const ck_arg *args)
{
    for (int i = 0; i < desc->n_params; i++) {
        struct ck_extent extent;
        if (desc->params[i].ndim && (!ck_args_find_extent(&extent, args[i].value.array) ||
                                     find_exceeded(&device->buffers, extent)))
            return false;
    }
    return true;
}

ck_status
ck_buffers_check(struct ck_device *device, const ck_kernel_desc *desc, const ck_arg *args)
{
    for (int i = 0; i < desc->n_params; i++) {
        struct ck_extent extent;
        const struct ck_buffer *buffer;
        if (!desc->params[i].ndim)
            continue;
        if (!ck_args_find_extent(&extent, args[i].value.array))
            return ck_args_fail(device->ctx, desc, (size_t)i,
                                "its elements are not within the address space");
        buffer = find_exceeded(&device->buffers, extent);
        if (buffer)
            return ck_args_fail(device->ctx, desc, (size_t)i,
                                "its elements take bytes %" PRId64 " to %" PRId64
                                " of a buffer of %zu bytes",
                                (int64_t)(extent.begin - buffer->address),
                                (int64_t)(extent.end - buffer->address), buffer->bytes);
    }
    return CK_OK;
}
