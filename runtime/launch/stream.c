/* Streams: a device with an order of work, for launches of images that a program carries. */
#include <stdlib.h>
#include <string.h>

#include "runtime/launch/device.h"

/* An image that was loaded, known by its address. */
struct loaded {
    const void *image;
    ck_module *module;
};

struct ck_stream {
    ck_device *device;
    void *handle; /* a CUstream, or NULL */
    bool is_own;  /* ck made the handle */
    struct loaded *loaded;
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

void
ck_stream_free(ck_stream *stream)
{
    if (!stream)
        return;
    for (size_t i = 0; i < stream->n; i++)
        ck_module_free(stream->loaded[i].module);
    if (stream->is_own)
        stream->device->ops->stream_free(stream->device, stream->handle);
    free(stream->loaded);
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

/* Loads the image if it is the first time that it is needed. */
static ck_status
find_module(struct ck_stream *stream, const void *image, size_t length, ck_module **out)
{
    ck_context *ctx = stream->device->ctx;
    for (size_t i = 0; i < stream->n; i++) {
        if (stream->loaded[i].image == image) {
            *out = stream->loaded[i].module;
            return CK_OK;
        }
    }
    struct loaded *more = reallocarray(stream->loaded, stream->n + 1, sizeof *more);
    if (!more)
        return ck_fail_memory(ctx);
    stream->loaded = more;
    ck_status status = ck_module_load(&more[stream->n].module, ctx, image, length);
    if (status)
        return status;
    more[stream->n].image = image;
    *out = more[stream->n++].module;
    return CK_OK;
}

ck_status
ck_stream_launch(ck_stream *stream, const void *image, size_t length, const char *kernel,
                 const ck_shape *shape, const ck_arg *args, size_t n_args)
{
    ck_module *module = NULL;
    ck_kernel *found;
    ck_status status = find_module(stream, image, length, &module);
    if (!status)
        status = ck_kernel_get(&found, module, stream->device, kernel);
    return status ? status : ck_launch(found, shape, args, n_args, stream->handle);
}
