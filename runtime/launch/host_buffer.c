/* Host memory that a device copies from and to by itself. */
#include <stdlib.h>

#include "runtime/launch/device.h"

struct ck_host_buffer {
    struct ck_device *device;
    void *data;
    size_t bytes;
};

ck_status
ck_host_buffer_new(ck_host_buffer **out, ck_device *device, size_t bytes)
{
    struct ck_host_buffer *buffer = calloc(1, sizeof *buffer);
    if (!buffer)
        return ck_fail_memory(device->ctx);
    buffer->device = device;
    buffer->bytes = bytes;
    ck_status status = device->ops->host_alloc(device, &buffer->data, bytes ? bytes : 1);
    if (status)
        free(buffer);
    else
        *out = buffer;
    return status;
}

void
ck_host_buffer_free(ck_host_buffer *buffer)
{
    if (buffer)
        buffer->device->ops->host_free(buffer->device, buffer->data);
    free(buffer);
}

void *
ck_host_buffer_data(const ck_host_buffer *buffer)
{
    return buffer->data;
}

size_t
ck_host_buffer_size(const ck_host_buffer *buffer)
{
    return buffer->bytes;
}
