/* Streams: a device with an order of work, for launches of images that a program carries. */
#include <stdlib.h>
#include <string.h>

#include "runtime/launch/device.h"

/* An image that streams of a device have loaded, known by its address. */
struct ck_shared_image {
    struct ck_shared_image *next;
    const void *image;
    ck_module *module;
    size_t users; /* streams */
};

struct ck_stream {
    ck_device *device;
    void *handle; /* a CUstream, or NULL */
    bool is_own;  /* ck made the handle */
    struct ck_shared_image **images;
    size_t n;
};

ck_status
ck_stream_new(ck_stream **out, ck_device *device, void *handle)
{
    struct ck_stream *stream = calloc(1, sizeof *stream);
    if (!stream)
        return ck_fail_memory(device->ctx);
    stream->device = device;
    stream->handle = handle;
    *out = stream;
    return CK_OK;
}

ck_status
ck_stream_create(ck_stream **out, ck_device *device)
{
    void *handle = NULL;
    ck_status status = device->ops->stream_new(device, &handle);
    if (status)
        return status;
    ck_stream *made = NULL;
    status = ck_stream_new(&made, device, handle);
    if (status) {
        device->ops->stream_free(device, handle);
        return status;
    }
    made->is_own = true;
    *out = made;
    return CK_OK;
}

static void
release_image(struct ck_device *device, struct ck_shared_image *image)
{
    if (--image->users)
        return;
    struct ck_shared_image **link = &device->images;
    while (*link != image)
        link = &(*link)->next;
    *link = image->next;
    ck_module_free(image->module);
    free(image);
}

void
ck_stream_free(ck_stream *stream)
{
    if (!stream)
        return;
    for (size_t i = 0; i < stream->n; i++)
        release_image(stream->device, stream->images[i]);
    if (stream->is_own)
        stream->device->ops->stream_free(stream->device, stream->handle);
    free(stream->images);
    free(stream);
}

void *
ck_stream_handle(const ck_stream *stream)
{
    return stream->handle;
}

ck_status
ck_stream_synchronize(ck_stream *stream)
{
    return stream->device->ops->stream_synchronize(stream->device, stream->handle);
}

ck_status
ck_stream_wait(ck_stream *stream, const ck_event *event)
{
    return ck_event_make_wait(event, stream->device, stream->handle);
}

/* The image as a stream of the device has loaded it, or loaded now. It has one user more. */
static ck_status
share_image(struct ck_shared_image **out, struct ck_device *device, const void *image,
            size_t length)
{
    struct ck_shared_image *shared = device->images;
    while (shared && shared->image != image)
        shared = shared->next;
    if (!shared) {
        shared = calloc(1, sizeof *shared);
        if (!shared)
            return ck_fail_memory(device->ctx);
        ck_status status = ck_module_load(&shared->module, device->ctx, image, length);
        if (status) {
            free(shared);
            return status;
        }
        shared->image = image;
        shared->next = device->images;
        device->images = shared;
    }
    shared->users++;
    *out = shared;
    return CK_OK;
}

/* The module of an image, which is loaded if it is the first time that it is needed. */
static ck_status
find_module(ck_module **out, ck_stream *stream, const void *image, size_t length)
{
    for (size_t i = 0; i < stream->n; i++) {
        if (stream->images[i]->image == image) {
            *out = stream->images[i]->module;
            return CK_OK;
        }
    }
    struct ck_shared_image **more = reallocarray(stream->images, stream->n + 1, sizeof *more);
    if (!more)
        return ck_fail_memory(stream->device->ctx);
    stream->images = more;
    ck_status status = share_image(&more[stream->n], stream->device, image, length);
    if (!status)
        *out = more[stream->n++]->module;
    return status;
}

ck_status
ck_stream_launch(ck_stream *stream, const void *image, size_t length, const char *kernel,
                 const ck_shape *shape, const ck_arg *args, size_t n_args)
{
    ck_module *module = NULL;
    ck_kernel *found;
    ck_status status = find_module(&module, stream, image, length);
    if (!status)
        status = ck_kernel_get(&found, module, stream->device, kernel);
    return status ? status : ck_launch(found, shape, args, n_args, stream->handle);
}

ck_status
ck_stream_get_global(ck_array *out, ck_stream *stream, const void *image, size_t length,
                     const char *name)
{
    ck_module *module = NULL;
    ck_status status = find_module(&module, stream, image, length);
    return status ? status : ck_module_get_global(out, module, stream->device, name);
}

ck_status
ck_stream_write_global(ck_stream *stream, const void *image, size_t length, const char *name,
                       size_t offset, const void *host, size_t bytes)
{
    ck_module *module = NULL;
    ck_status status = find_module(&module, stream, image, length);
    return status ? status
                  : ck_module_write_global(module, stream->device, name, offset, host, bytes);
}

ck_status
ck_stream_read_global(ck_stream *stream, const void *image, size_t length, const char *name,
                      size_t offset, void *host, size_t bytes)
{
    ck_module *module = NULL;
    ck_status status = find_module(&module, stream, image, length);
    return status ? status
                  : ck_module_read_global(module, stream->device, name, offset, host, bytes);
}
